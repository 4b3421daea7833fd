use super::number::{float_text_as, special};
use crate::base::{Diag, SourceId, SourceMap};
use crate::tensor::{DType, HostArray, Layout, Scalar};
use std::fmt::Write as _;
use std::io::{self, Write};

/// What stands beside the data of a displayed tensor.
#[derive(Clone, Copy, Debug)]
pub struct ValueMeta<'a> {
    /// The name of the dtype or of the packed format.
    pub dtype: &'a str,
    /// The layout that the user sees; that of the host array may be a copy's.
    pub layout: &'a Layout,
    pub view: bool,
}

/// `{"dtype": …, "shape": […], "data": […], "strides": […], "offset": 0, "view": false}`: the object behind `"value":`.
/// Streams, so that a large array needs no text in memory.
pub fn write_value(out: &mut impl Write, a: &HostArray, meta: &ValueMeta) -> io::Result<()> {
    let mut chunk = Chunk { out, text: String::with_capacity(CHUNK + 128) };
    chunk.text.push_str("{\"dtype\": ");
    push_string(&mut chunk.text, meta.dtype);
    chunk.text.push_str(", \"shape\": ");
    push_list(&mut chunk.text, &a.view.layout.shape);
    chunk.text.push_str(", \"data\": [");
    chunk.data(a)?;
    chunk.text.push_str("], \"strides\": ");
    push_list(&mut chunk.text, &meta.layout.strides);
    let _ = write!(chunk.text, ", \"offset\": {}, \"view\": {}}}", meta.layout.offset, meta.view);
    chunk.flush()
}

/// One number: `1.5`, `"nan"`, `[1.0, 2.0]`, `true`. `value` is one of `dtype`.
pub fn push_scalar(out: &mut String, value: Scalar, dtype: DType) {
    let _ = match value {
        Scalar::Bool(b) => write!(out, "{b}"),
        Scalar::Int(i) => write!(out, "{i}"),
        Scalar::UInt(u) => write!(out, "{u}"),
        Scalar::Float(x) => {
            push_float(out, x, dtype);
            Ok(())
        }
        Scalar::Complex(z) => {
            out.push('[');
            push_float(out, z.re, dtype);
            out.push_str(", ");
            push_float(out, z.im, dtype);
            out.push(']');
            Ok(())
        }
    };
}

/// A string in quotes.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        let _ = match c {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\0'..='\x1f' | '\x7f' => write!(out, "\\u{:04x}", c as u32),
            _ => out.write_char(c),
        };
    }
    out.push('"');
}

/// `{"error": {"code": …, "message": …, "labels": […], "hint": …}}` on one line. Offsets are bytes of the label's
/// source; a label outside `main` names its source, and facts beyond the message stand in `notes`.
pub fn diag_json(d: &Diag, map: &SourceMap, main: SourceId) -> String {
    let mut out = String::from("{\"error\": {\"code\": ");
    push_string(&mut out, d.code);
    out.push_str(", \"message\": ");
    push_string(&mut out, &d.message);
    out.push_str(", \"labels\": [");
    for (i, label) in d.labels.iter().enumerate() {
        let _ = write!(out, "{}{{\"start\": {}, ", if i > 0 { ", " } else { "" }, label.span.start);
        let _ = write!(out, "\"end\": {}, \"text\": ", label.span.end);
        push_string(&mut out, &label.text);
        if let Some(source) = map.get(label.span.source).filter(|_| label.span.source != main) {
            out.push_str(", \"source\": ");
            push_string(&mut out, &source.name);
        }
        out.push('}');
    }
    out.push_str("], \"hint\": ");
    match &d.hint {
        Some(hint) => push_string(&mut out, hint),
        None => out.push_str("null"),
    }
    if !d.notes.is_empty() {
        out.push_str(", \"notes\": [");
        for (i, note) in d.notes.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            push_string(&mut out, note);
        }
        out.push(']');
    }
    out.push_str("}}");
    out
}

fn push_float(out: &mut String, x: f64, dtype: DType) {
    if let Some(word) = special(x) {
        push_string(out, word);
        return;
    }
    match dtype.real() {
        DType::F32 => out.push_str(zmij::Buffer::new().format_finite(x as f32)),
        DType::F64 => out.push_str(zmij::Buffer::new().format_finite(x)),
        // Shortest digits of an 8-bit float are too few to give its value back by ordinary reading.
        DType::F8E4M3 | DType::F8E5M2 => out.push_str(zmij::Buffer::new().format_finite(x as f32)),
        _ => out.push_str(&float_text_as(x, dtype)),
    }
}

fn push_list<T: std::fmt::Display>(out: &mut String, items: &[T]) {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        let _ = write!(out, "{}{item}", if i > 0 { ", " } else { "" });
    }
    out.push(']');
}

/// Bytes collected before they are passed on.
const CHUNK: usize = 1 << 16;

struct Chunk<'a, W: Write> {
    out: &'a mut W,
    text: String,
}

impl<W: Write> Chunk<'_, W> {
    fn data(&mut self, a: &HostArray) -> io::Result<()> {
        let (dtype, bytes) = (a.view.dtype, a.buffer.bytes());
        for (i, offset) in a.view.layout.offsets().enumerate() {
            let read = match a.buffer.packed() {
                Some(format) => Scalar::Float(format.element(bytes, offset as usize).into()),
                None => Scalar::read(dtype, &bytes[offset as usize * dtype.size()..]),
            };
            let value = match read {
                Scalar::Complex(z) if a.view.conj => Scalar::Complex(z.conj()),
                other => other,
            };
            if i > 0 {
                self.text.push_str(", ");
            }
            push_scalar(&mut self.text, value, dtype);
            if self.text.len() >= CHUNK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::tensor::{Buffer, View};
    use num_complex::Complex64;
    use std::sync::Arc;

    fn json(values: &[Scalar], dtype: DType, shape: &[usize], conj: bool) -> String {
        let mut bytes = Vec::new();
        values.iter().for_each(|v| v.write(dtype, &mut bytes));
        let layout = Layout::contiguous(shape).unwrap();
        let buffer = Arc::new(Buffer::from_bytes(&bytes).unwrap());
        let a = HostArray { buffer, view: View { layout: layout.clone(), dtype, conj } };
        let mut out = Vec::new();
        write_value(&mut out, &a, &ValueMeta { dtype: dtype.name(), layout: &layout, view: false }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_example_of_the_contract() {
        let values = [1.0, 2.5, f64::NAN, f64::NEG_INFINITY].map(Scalar::Float);
        assert_eq!(
            json(&values, DType::F32, &[2, 2], false),
            r#"{"dtype": "f32", "shape": [2, 2], "data": [1.0, 2.5, "nan", "-inf"], "strides": [2, 1], "offset": 0, "view": false}"#
        );
    }

    #[test]
    fn every_kind_of_number() {
        let data = |values: &[Scalar], dtype| {
            let text = json(values, dtype, &[values.len()], false);
            serde_json::from_str::<serde_json::Value>(&text).unwrap()["data"].to_string()
        };
        assert_eq!(data(&[Scalar::UInt(u64::MAX)], DType::U64), "[18446744073709551615]");
        assert_eq!(data(&[Scalar::Int(i64::MIN)], DType::I64), "[-9223372036854775808]");
        assert_eq!(data(&[Scalar::Bool(true), Scalar::Bool(false)], DType::Bool), "[true,false]");
        assert_eq!(data(&[Scalar::Float(0.1)], DType::F16), "[0.1]");
        assert_eq!(data(&[Scalar::Float(0.1)], DType::BF16), "[0.1]");
        assert_eq!(data(&[Scalar::Float(-0.0)], DType::F32), "[-0.0]");
        for x in [1e-45, 1e16, 3.4e38, 1e-7, 123456.79] {
            let text = json(&[Scalar::Float(x)], DType::F32, &[1], false);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["data"][0].as_f64().unwrap() as f32, x as f32);
        }
        let z = [Scalar::Complex(Complex64::new(1.5, -2.0))];
        assert_eq!(data(&z, DType::C64), "[[1.5,-2.0]]");
        assert!(json(&z, DType::C128, &[1], true).contains("[[1.5, 2.0]]"));
        assert!(json(&[], DType::F32, &[0, 3], false).contains(r#""shape": [0, 3], "data": [], "strides""#));
    }

    #[test]
    fn large_arrays_stream() {
        struct Most(usize);
        impl Write for Most {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.max(bytes.len());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let shape: &[usize] = &[1000, 1000];
        let layout =
            Layout { shape: shape.iter().copied().collect(), strides: [0, 0].into_iter().collect(), offset: 0 };
        let buffer = Arc::new(Buffer::from_bytes(&1.25f32.to_le_bytes()).unwrap());
        let a = HostArray { buffer, view: View { layout: layout.clone(), dtype: DType::F32, conj: false } };
        let mut most = Most(0);
        write_value(&mut most, &a, &ValueMeta { dtype: "f32", layout: &layout, view: true }).unwrap();
        assert!((CHUNK..CHUNK + 128).contains(&most.0));
    }

    #[test]
    fn strings_are_escaped() {
        let mut out = String::new();
        push_string(&mut out, "a\"b\\c\n\r\t\u{1}ä漢🙂\u{7f}");
        assert_eq!(out, "\"a\\\"b\\\\c\\n\\r\\t\\u0001ä漢🙂\\u007f\"");
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), "a\"b\\c\n\r\t\u{1}ä漢🙂\u{7f}");
    }

    #[test]
    fn errors_as_the_contract_says() {
        let mut map = SourceMap::default();
        let (main, other) = (map.add("<stdin>", "x = a + b", false), map.add("util.tsk", "a", false));
        let d = Diag::new("E0203", "shapes do not broadcast").label(Span::new(main, 4, 5), "f32[32, 256]");
        assert_eq!(
            diag_json(&d, &map, main),
            r#"{"error": {"code": "E0203", "message": "shapes do not broadcast", "labels": [{"start": 4, "end": 5, "text": "f32[32, 256]"}], "hint": null}}"#
        );
        let d = d.label(Span::new(other, 0, 1), "").note("axis -1: 256 against 512").hint("try \"x\"");
        let value: serde_json::Value = serde_json::from_str(&diag_json(&d, &map, main)).unwrap();
        assert_eq!(value["error"]["labels"][1]["source"], "util.tsk");
        assert_eq!(value["error"]["hint"], "try \"x\"");
        assert_eq!(value["error"]["notes"][0], "axis -1: 256 against 512");
    }
}
