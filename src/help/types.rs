//! Pages of attributes, dtypes and packed formats.

use super::{Kind, Page};
use crate::base::foreign;
use crate::func::attribute::{ATTRIBUTES, Attribute};
use crate::tensor::{DType, Kind as Number, PackedFormat};

/// The page of an attribute of tensors.
pub(super) fn attribute(name: &str) -> Option<Page> {
    ATTRIBUTES.iter().find(|a| a.name == name).map(of_attribute)
}

pub(super) fn of_attribute(row: &Attribute) -> Page {
    let mut page = Page::new(row.name, Kind::Attribute, format!("x.{}", row.name));
    page.text(row.help);
    page.fact("NumPy", row.numpy);
    page.fact("PyTorch", row.torch);
    page.examples(&[row.example]);
    page.see(&["attributes"]);
    page
}

/// All attributes, a line each.
pub(super) fn attributes() -> Page {
    let mut page = Page::new("attributes", Kind::Topic, "Attributes of tensors: x.name, without brackets");
    let lines: Vec<String> = ATTRIBUTES.iter().map(|a| format!(".{:<15}{}", a.name, a.help)).collect();
    page.text(lines.join("\n"));
    page.text("Every function can be called as a method: x.f(a) is f(x, a).");
    page
}

/// The page of a dtype or packed format.
pub(super) fn named(name: &str) -> Option<Page> {
    match DType::from_name(name) {
        Some(dtype) => Some(dtype_page(dtype)),
        None => PackedFormat::from_name(name).map(packed_page),
    }
}

fn dtype_page(dtype: DType) -> Page {
    let (name, bits) = (dtype.name(), dtype.size() * 8);
    let is_f8 = matches!(dtype, DType::F8E4M3 | DType::F8E5M2);
    let (title, text) = match dtype.kind() {
        Number::Bool => {
            ("truth values, a byte each", "+ and * are or and and, - is an error; & | ^ ~ work too. Sums count in i64.")
        }
        Number::Unsigned => (
            "unsigned integers",
            "Arithmetic wraps. / gives the default float, // and % by zero are an error. Beside a signed dtype the result is the signed one that holds both; u64 with signed gives f64.",
        ),
        Number::Signed => (
            "signed integers",
            "Arithmetic wraps. / gives the default float, // and % by zero are an error. Beside a float tensor the result has the float's dtype.",
        ),
        Number::Float if is_f8 => ("floats of 8 bits, for storage", "Arithmetic gives f32."),
        Number::Float if bits == 16 => (
            "floats of 16 bits",
            "Each operator rounds its result once; sums, products and means accumulate in f32. f16 with bf16 gives f32.",
        ),
        Number::Float => ("floats", "Plain numbers beside a tensor take its dtype: x + 1 stays what x is."),
        Number::Complex => (
            "complex numbers",
            "x.real and x.imag are views, conj(x) copies nothing. They have no order: compare abs(x).",
        ),
    };
    let mut page = Page::new(name, Kind::Dtype, format!("{name}: {title}"));
    page.text(format!(
        "{} an element. {text}",
        if dtype.size() == 1 { "1 byte".to_owned() } else { format!("{} bytes", dtype.size()) }
    ));
    page.text(format!("x.astype({name}) and {name}(x) convert; dtype={name} makes new tensors of it."));
    page.fact("NumPy", numpy(dtype));
    page.fact("PyTorch", theirs("torch", dtype));
    match dtype.kind() {
        Number::Bool => page.examples(&["array([0, 2]).astype(bool)"]),
        Number::Unsigned | Number::Signed => page.examples(&[&format!("iinfo({name})"), &format!("{name}(3.7)")]),
        Number::Float => page.examples(&[&format!("finfo({name})"), &format!("array([1, 0.1], dtype={name})")]),
        Number::Complex => page.examples(&[&format!("array([3 + 4j], dtype={name}).abs()")]),
    }
    page.see(&["dtypes", "astype", "promote_types"]);
    page
}

/// `np.float32`, `torch.bfloat16`: what the libraries call a dtype, which is `bool` in all of them.
fn theirs(library: &str, dtype: DType) -> String {
    format!("{library}.{}", foreign::dtype_elsewhere(dtype.name()).unwrap_or(dtype.name()))
}

fn numpy(dtype: DType) -> String {
    match dtype {
        DType::BF16 | DType::F8E4M3 | DType::F8E5M2 => "none".to_owned(),
        _ => theirs("np", dtype),
    }
}

fn packed_page(format: &PackedFormat) -> Page {
    let name = format.name();
    let bits = format.bytes as f64 * 8.0 / format.block as f64;
    let (values, bytes) = (format.block, format.bytes);
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    let title = format!("{name}: {values} values in {bytes} {unit}, {bits} bits a value");
    let mut page = Page::new(name, Kind::Packed, title);
    page.text(
        "A packed tensor reads as f32, is read-only, and is decoded a tile at a time by the kernel that reads it, never \
         silently as a whole.",
    );
    if let Some(id) = format.gguf {
        page.fact("GGUF", format!("tensor type {id}"));
    }
    if format.can_encode() {
        let n = format.block.max(32);
        page.examples(&[&format!(
            "x = linspace(-1, 1, {n})\nw = quantize(x, {name})\n[w.nbytes, float(max(abs(unpack(w) - x)))]"
        )]);
    } else {
        page.text("Files bring it; quantize does not write it.");
    }
    page.see(&["packed formats", "quantize", "unpack"]);
    page
}
