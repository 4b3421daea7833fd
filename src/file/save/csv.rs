//! Writing `.csv` and `.tsv`: a matrix, or columns under their names.

use super::{Item, SaveFault, whole};
use crate::base::Diag;
use crate::file::fault;
use crate::tensor::{DType, Encoding, Scalar};
use std::io::Write;
use std::path::Path;

fn separator(path: &Path) -> char {
    let tabs = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("tsv"));
    if tabs { '\t' } else { ',' }
}

fn dtype(item: &Item<'_>) -> Result<DType, Diag> {
    match item.encoding {
        Encoding::Plain(dtype) if !dtype.is_complex() => Ok(dtype),
        other => {
            Err(fault::unsupported(".csv", format!("{other} values")).hint("save the real numbers it consists of"))
        }
    }
}

/// Shortest digits that read back as the same value; a float always shows that it is one.
fn text(dtype: DType, value: Scalar) -> String {
    match value {
        Scalar::Bool(b) => u8::from(b).to_string(),
        Scalar::Int(n) => n.to_string(),
        Scalar::UInt(n) => n.to_string(),
        Scalar::Float(x) if x.is_nan() => "nan".into(),
        Scalar::Float(x) if dtype == DType::F64 => format!("{x:?}"),
        other => format!("{:?}", other.to_f64() as f32),
    }
}

/// A matrix of rows; a vector is one column, a number one field.
pub(super) fn matrix(path: &Path, item: &Item<'_>) -> Result<(), Diag> {
    let (dtype, separator) = (dtype(item)?, separator(path));
    let width = match item.shape {
        [] | [_] => 1,
        [_, width] => *width,
        shape => {
            let diag = fault::unsupported(".csv", format!("{} axes, {shape:?}", shape.len()));
            return Err(diag.hint("reshape(x, (-1, x.shape[-1])), or save to .npy"));
        }
    };
    whole(path, |out| {
        let mut at = 0;
        let mut line = String::new();
        elements(item, dtype, &mut |value| {
            line.push_str(&text(dtype, value));
            at += 1;
            line.push(if at % width == 0 { '\n' } else { separator });
            let written = if line.len() > 1 << 16 { out.write_all(line.as_bytes()) } else { return Ok(()) };
            line.clear();
            written
        })?;
        Ok(out.write_all(line.as_bytes())?)
    })
}

/// Columns of one length under their names.
pub(super) fn columns(path: &Path, items: &[Item<'_>]) -> Result<(), Diag> {
    let separator = separator(path);
    let rows = items.first().map_or(0, |i| i.shape.first().copied().unwrap_or(1));
    let mut columns = Vec::with_capacity(items.len());
    for item in items {
        let dtype = dtype(item)?;
        if item.shape.len() != 1 || item.shape[0] != rows {
            let what = format!("{:?} of shape {:?} beside {rows} rows", item.name, item.shape);
            return Err(fault::unsupported(".csv", what).hint("columns are vectors of one length"));
        }
        let mut values = Vec::with_capacity(rows);
        elements(item, dtype, &mut |value| {
            values.push(value);
            Ok(())
        })
        .map_err(|e| e.diag(path))?;
        columns.push((dtype, values));
    }
    whole(path, |out| {
        let names: Vec<String> = items.iter().map(|i| quoted(i.name, separator)).collect();
        writeln!(out, "{}", names.join(&separator.to_string()))?;
        for row in 0..rows {
            let fields: Vec<String> = columns.iter().map(|(dtype, values)| text(*dtype, values[row])).collect();
            writeln!(out, "{}", fields.join(&separator.to_string()))?;
        }
        Ok(())
    })
}

/// A name that reads as a number is quoted too, though that will not make it a header again.
fn quoted(name: &str, separator: char) -> String {
    match name.contains([separator, '"', '\n', '\r']) || name.trim() != name {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

/// Calls `each` for every element in order.
fn elements(
    item: &Item<'_>,
    dtype: DType,
    each: &mut dyn FnMut(Scalar) -> std::io::Result<()>,
) -> Result<(), SaveFault> {
    item.data.emit(&mut Elements { dtype, rest: Vec::new(), each })
}

/// Takes bytes, gives elements; pieces may end anywhere.
struct Elements<'a> {
    dtype: DType,
    rest: Vec<u8>,
    each: &'a mut dyn FnMut(Scalar) -> std::io::Result<()>,
}

impl Write for Elements<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let size = self.dtype.size();
        self.rest.extend_from_slice(bytes);
        let whole = self.rest.len() / size * size;
        for element in self.rest[..whole].chunks_exact(size) {
            (self.each)(Scalar::read(self.dtype, element))?;
        }
        self.rest.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
