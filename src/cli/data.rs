//! What the commands on data files share: how they open files, answer and complain.

use super::args::{Cli, Format, StyleArgs};
use super::run;
use crate::backend::{Cpu, Survey, Tolerance, Watched};
use crate::base::{Diag, SourceMap};
use crate::eval::Sink;
use crate::file::{Loaded, MetaArray, MetaValue, OpenOptions};
use crate::model::{self, Outcome};
use crate::report::{JsonSink, TextSink};
use crate::session::Cancel;
use crate::tensor::{DType, Encoding};
use crate::text::float_text_as;
use serde_json::{Value as Json, json};
use std::sync::atomic::AtomicU64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Text,
    Json,
    Markdown,
}

impl Style {
    pub fn of(cli: &Cli, args: StyleArgs) -> Style {
        match args {
            StyleArgs { json: true, .. } => Style::Json,
            StyleArgs { markdown: true, .. } => Style::Markdown,
            _ if cli.format == Format::Json => Style::Json,
            _ => Style::Text,
        }
    }
}

/// Files are opened as `load` opens them.
pub fn open_options(cli: &Cli) -> OpenOptions {
    OpenOptions { mmap: !cli.no_mmap, default_float: run::default_float(cli), ..OpenOptions::default() }
}

/// The processor, and Ctrl-C.
pub struct Work {
    cpu: Cpu,
    cancel: Cancel,
}

impl Work {
    pub fn new(cli: &Cli) -> Work {
        let cancel = Cancel::default();
        run::interrupts(cancel.clone());
        Work { cpu: Cpu::new(run::threads(cli)), cancel }
    }

    /// E0701 where it is interrupted, E0614 where the file was changed meanwhile.
    pub fn survey(&self, loaded: &Loaded, bins: bool, done: &AtomicU64) -> Result<Survey, Diag> {
        let watched = Watched { cancel: &self.cancel, done };
        let survey = self.cpu.survey(&model::input(loaded), bins, &watched).map_err(|f| f.kind.diag())?;
        loaded.source.check()?;
        Ok(survey)
    }

    pub fn parts(&self) -> (&Cpu, &Cancel) {
        (&self.cpu, &self.cancel)
    }

    /// As [`model::compare`].
    pub fn compare(&self, a: &Loaded, b: &Loaded, tolerance: Tolerance, done: &AtomicU64) -> Result<Outcome, Diag> {
        model::compare(&self.cpu, a, b, tolerance, &Watched { cancel: &self.cancel, done })
    }
}

/// The exit status of a command that ended with an error.
pub fn status(diag: &Diag) -> i32 {
    if diag.code == "E0701" { 130 } else { 1 }
}

/// An error where the style has its errors: standard error, or a line of JSON.
pub fn complain(cli: &Cli, style: Style, diag: &Diag) {
    match style {
        Style::Json => JsonSink.error(diag, &SourceMap::default()),
        _ => TextSink { color: run::color(cli), width: run::width(100), at_prompt: false }
            .error(diag, &SourceMap::default()),
    }
}

pub fn print_json(object: &Json) {
    super::print(&format!("{object}\n"));
}

/// `f32[32, 256]`; a tensor that cannot be read has neither.
pub fn shape_text(shape: &[usize]) -> String {
    format!("{shape:?}")
}

pub fn encoding_text(encoding: Option<Encoding>) -> String {
    encoding.map_or("?".to_owned(), |e| e.name().to_owned())
}

/// A count with its unit of thousands: `268.1 M`.
pub fn count_text(n: u64) -> String {
    let units = [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k")];
    match units.iter().find(|(unit, _)| n >= *unit) {
        Some((10_000, name)) => format!("{:.1} {name}", n as f64 / 1000.0),
        Some((unit, name)) => format!("{:.1} {name}", n as f64 / *unit as f64),
        None => n.to_string(),
    }
}

/// A figure of statistics: six digits tell enough.
pub fn figure(x: f64) -> String {
    if !x.is_finite() || x == 0.0 {
        return float_text_as(x, DType::F64).trim_end_matches(".0").to_owned();
    }
    let plain = (1e-4..1e6).contains(&x.abs());
    if !plain {
        let text = format!("{x:.5e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trimmed(digits));
    }
    let whole = x.abs().log10().floor() as i32;
    trimmed(&format!("{x:.*}", (5 - whole).max(0) as usize)).to_owned()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// A number for JSON, which has no NaN and no infinities: these are text.
pub fn number(x: f64) -> Json {
    if x.is_finite() { json!(x) } else { json!(float_text_as(x, DType::F64)) }
}

/// Elements of an array of metadata that are shown.
const FIRST: usize = 4;
/// Characters of a text that are shown.
const LONG: usize = 60;

/// A value of metadata on one line.
pub fn meta_text(value: &MetaValue) -> String {
    match value {
        MetaValue::Bool(b) => b.to_string(),
        MetaValue::Int(n) => n.to_string(),
        MetaValue::UInt(n) => n.to_string(),
        // Files keep f32 mostly: its digits, where they say it all.
        MetaValue::Float(x) if f64::from(*x as f32) == *x => float_text_as(*x, DType::F32),
        MetaValue::Float(x) => float_text_as(*x, DType::F64),
        MetaValue::Str(text) => match text.chars().count() > LONG {
            true => format!("{:?}… ({} bytes)", text.chars().take(LONG).collect::<String>(), text.len()),
            false => format!("{text:?}"),
        },
        MetaValue::Array(array) => {
            let mut items: Vec<String> = first(array, FIRST).iter().map(meta_text).collect();
            if array.len() > FIRST {
                items.push("…".to_owned());
            }
            format!("[{}] ({})", items.join(", "), array.len())
        }
    }
}

/// As JSON; of an array its length and its first elements, all of a short one.
pub fn meta_json(value: &MetaValue) -> Json {
    match value {
        MetaValue::Bool(b) => json!(b),
        MetaValue::Int(n) => json!(n),
        MetaValue::UInt(n) => json!(n),
        MetaValue::Float(x) => number(*x),
        MetaValue::Str(text) => json!(text),
        MetaValue::Array(array) if array.len() <= 64 => first(array, 64).iter().map(meta_json).collect(),
        MetaValue::Array(array) => {
            json!({"len": array.len(), "first": first(array, FIRST).iter().map(meta_json).collect::<Vec<_>>()})
        }
    }
}

fn first(array: &MetaArray, count: usize) -> Vec<MetaValue> {
    array.first(count).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_six_digits() {
        for (x, text) in [
            (0.0, "0"),
            (-1.0, "-1"),
            (1.5, "1.5"),
            (123.456789, "123.457"),
            (0.000123456789, "0.000123457"),
            (1.23456789e-9, "1.23457e-9"),
            (-2e12, "-2e12"),
            (999_999.4, "999999"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(figure(x), text);
        }
        assert_eq!((count_text(9_999).as_str(), count_text(268_098_176).as_str()), ("9999", "268.1 M"));
        assert_eq!(count_text(12_345), "12.3 k");
    }
}
