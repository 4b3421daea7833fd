//! `.csv` and `.tsv`: a matrix, or columns by name where the first row is a header.

use super::archive::{Archive, Place, Record};
use super::source::FileSource;
use super::{Loaded, Meta, OpenOptions, Opened, fault};
use crate::base::Diag;
use crate::tensor::{Buffer, DType, Encoding, Scalar};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

mod split;
use split::{Rows, separator};

/// What a field is.
enum Field {
    Int(i64),
    Float(f64),
    Missing,
    Text,
}

/// Columns as they are read: integers until a field is none.
struct Column {
    ints: Vec<i64>,
    /// None while all fields are integers.
    floats: Option<Vec<f64>>,
}

impl Column {
    fn push(&mut self, field: &Field) {
        let value = match field {
            Field::Int(n) if self.floats.is_none() => return self.ints.push(*n),
            Field::Int(n) => *n as f64,
            Field::Float(x) => *x,
            Field::Missing | Field::Text => f64::NAN,
        };
        self.floats.get_or_insert_with(|| self.ints.iter().map(|n| *n as f64).collect()).push(value);
    }

    fn is_int(&self) -> bool {
        self.floats.is_none()
    }

    fn len(&self) -> usize {
        self.floats.as_ref().map_or(self.ints.len(), Vec::len)
    }

    fn get(&self, row: usize) -> Scalar {
        match &self.floats {
            None => Scalar::Int(self.ints[row]),
            Some(floats) => Scalar::Float(floats[row]),
        }
    }
}

/// A table as it is read.
struct Table {
    header: Option<Vec<String>>,
    columns: Vec<Column>,
}

pub(super) fn load(source: &Arc<FileSource>, options: &OpenOptions) -> Result<Opened, Diag> {
    let path = source.path();
    let bytes = source.read("the table", 0, source.len())?;
    let text = String::from_utf8(bytes).map_err(|e| {
        Diag::new("E0618", format!("{} is not UTF-8", fault::show(path)))
            .note(format!("at byte {}", e.utf8_error().valid_up_to()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let table = read(path, text, options.delimiter.unwrap_or_else(|| separator(text)))?;
    match &table.header {
        None => matrix(source, &table, options.default_float).map(Opened::Tensor),
        Some(names) => columns(source, names, &table, options.default_float).map(Opened::Archive),
    }
}

fn read(path: &Path, text: &str, separator: char) -> Result<Table, Diag> {
    let bad = |line: usize, what: String| {
        Diag::new("E0618", format!("cannot read the table {}", fault::show(path))).note(format!("line {line}: {what}"))
    };
    let mut table = Table { header: None, columns: Vec::new() };
    let mut width = None;
    let mut rows = Rows::new(text, separator);
    while let Some((line, fields)) = rows.next() {
        let fields = fields.map_err(|what| bad(line, what))?;
        match width {
            None => {
                width = Some(fields.len());
                table.columns.resize_with(fields.len(), || Column { ints: Vec::new(), floats: None });
                if fields.iter().any(|f| matches!(field(f), Field::Text)) {
                    table.header = Some(fields.into_iter().map(Cow::into_owned).collect());
                    continue;
                }
            }
            Some(width) if width != fields.len() => {
                return Err(bad(line, format!("{} fields where the first row has {width}", fields.len())));
            }
            Some(_) => {}
        }
        for (column, text) in table.columns.iter_mut().zip(&fields) {
            let field = field(text);
            if matches!(field, Field::Text) {
                let shown: String = text.chars().take(40).collect();
                return Err(bad(line, format!("{shown:?} is no number")));
            }
            column.push(&field);
        }
    }
    Ok(table)
}

/// Numbers as Python reads them; underscores, hexadecimal and the like are text.
fn field(text: &str) -> Field {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if text.is_empty() {
        return Field::Missing;
    }
    if digits.bytes().all(|b| b.is_ascii_digit())
        && let Ok(n) = text.parse()
    {
        return Field::Int(n);
    }
    match text.parse::<f64>() {
        Ok(x) => Field::Float(x),
        Err(_) if text.eq_ignore_ascii_case("na") => Field::Missing,
        Err(_) => Field::Text,
    }
}

fn tensor(source: &Arc<FileSource>, bytes: &[u8], dtype: DType, shape: &[usize]) -> Result<Loaded, Diag> {
    let buffer = Buffer::from_bytes(bytes).map_err(|e| e.diag())?;
    let mut loaded = Loaded::new(source.clone(), Arc::new(buffer), Encoding::Plain(dtype), shape)?;
    loaded.copied = Some("text");
    Ok(loaded)
}

fn matrix(source: &Arc<FileSource>, table: &Table, float: DType) -> Result<Loaded, Diag> {
    let dtype = if table.columns.iter().all(Column::is_int) { DType::I64 } else { float };
    let (rows, width) = (table.columns.first().map_or(0, Column::len), table.columns.len());
    let mut bytes = Vec::with_capacity(rows * width * dtype.size());
    for row in 0..rows {
        for column in &table.columns {
            column.get(row).write(dtype, &mut bytes);
        }
    }
    tensor(source, &bytes, dtype, &[rows, width])
}

fn columns(source: &Arc<FileSource>, names: &[String], table: &Table, float: DType) -> Result<Archive, Diag> {
    let mut records = Vec::with_capacity(names.len());
    for (name, column) in names.iter().zip(&table.columns) {
        let dtype = if column.is_int() { DType::I64 } else { float };
        let mut bytes = Vec::with_capacity(column.len() * dtype.size());
        (0..column.len()).for_each(|row| column.get(row).write(dtype, &mut bytes));
        let loaded = tensor(source, &bytes, dtype, &[column.len()])?;
        let shape = [column.len()].as_slice().into();
        let (name, bytes) = (name.trim().to_owned(), bytes.len() as u64);
        records.push(Record { name, shape, bytes, copied: loaded.copied, place: Place::Ready(loaded) });
    }
    Archive::new("csv", vec![source.clone()], records, Meta::new(), Vec::new())
}
