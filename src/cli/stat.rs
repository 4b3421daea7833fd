//! `tsk stat`: statistics of each tensor, in one pass over the file.

use super::args::{Cli, StyleArgs};
use super::data::{Style, Work, complain, figure, number, open_options, print_json, shape_text};
use super::progress::Progress;
use super::table::Table;
use crate::backend::Survey;
use crate::base::Diag;
use crate::file::Loaded;
use crate::model::{Contents, histogram, picture};
use crate::tensor::Scalar;
use crate::text::push_scalar;
use serde_json::{Map, Value as Json, json};
use std::path::Path;

pub struct Wish<'a> {
    pub glob: Option<&'a str>,
    pub bins: bool,
}

pub fn run(cli: &Cli, path: &Path, wish: &Wish, style: StyleArgs) -> i32 {
    let style = Style::of(cli, style);
    let mut table = table(wish.bins);
    let done = tensors(cli, path, wish, &mut |name, loaded, survey| match style {
        Style::Json => print_json(&object(name, loaded, survey)),
        _ => table.row(row(name, loaded, survey)),
    });
    super::print(&table.text(style));
    match done {
        Ok(()) => 0,
        Err(diag) => {
            complain(cli, style, &diag);
            super::data::status(&diag)
        }
    }
}

/// Calls `each` for every tensor that is wished for.
fn tensors(cli: &Cli, path: &Path, wish: &Wish, each: &mut dyn FnMut(&str, &Loaded, &Survey)) -> Result<(), Diag> {
    let contents = Contents::open(path, &open_options(cli))?;
    let names = match wish.glob {
        Some(pattern) => contents.glob(pattern),
        None => contents.names(),
    };
    if let (Some(pattern), true) = (wish.glob, names.is_empty()) {
        // The archive knows the names that are near.
        return Err(contents
            .archive()
            .and_then(|a| a.get(pattern).err())
            .unwrap_or_else(|| Diag::new("E0609", format!("no tensor of {} matches {pattern:?}", path.display()))));
    }
    let total = names.iter().filter_map(|n| contents.entry(n)).map(|e| e.bytes).sum();
    let (work, progress) = (Work::new(cli), Progress::new(total));
    for name in names {
        let loaded = contents.get(name)?;
        let survey = work.survey(&loaded, wish.bins, progress.done())?;
        each(name, &loaded, &survey);
    }
    Ok(())
}

fn table(bins: bool) -> Table {
    let mut head = vec!["tensor", "dtype", "shape", "min", "max", "mean", "sd", "zeros", "NaN", "inf"];
    if bins {
        head.extend(["histogram", ""]);
    }
    Table::new(&head, &[3, 4, 5, 6, 7, 8, 9])
}

fn row(name: &str, loaded: &Loaded, survey: &Survey) -> Vec<String> {
    let (least, greatest) = match survey.range {
        Some((a, b)) => (scalar(a), scalar(b)),
        None => ("-".to_owned(), "-".to_owned()),
    };
    let mut out = vec![
        name.to_owned(),
        loaded.encoding.name().to_owned(),
        shape_text(&loaded.view.layout.shape),
        least,
        greatest,
        figure(survey.mean),
        figure(survey.sd),
        survey.zeros.to_string(),
        survey.nans.to_string(),
        survey.infs.to_string(),
    ];
    if survey.bins.is_some() {
        let (picture, edge) = picture(survey).unwrap_or_default();
        out.extend([picture, format!("±{}", figure(edge))]);
    }
    out
}

/// An extreme; integers with all their digits.
fn scalar(value: Scalar) -> String {
    match value {
        Scalar::Int(n) => n.to_string(),
        Scalar::UInt(n) => n.to_string(),
        other => figure(other.to_f64()),
    }
}

/// An extreme as the tensor's JSON would show it.
fn json_scalar(value: Scalar, loaded: &Loaded) -> Json {
    match value {
        Scalar::Int(n) => json!(n),
        Scalar::UInt(n) => json!(n),
        other => {
            let mut text = String::new();
            push_scalar(&mut text, other, loaded.encoding.dtype().real());
            serde_json::from_str(&text).unwrap_or(Json::Null)
        }
    }
}

fn object(name: &str, loaded: &Loaded, survey: &Survey) -> Json {
    let (least, greatest) = match survey.range {
        Some((a, b)) => (json_scalar(a, loaded), json_scalar(b, loaded)),
        None => (Json::Null, Json::Null),
    };
    let mut out = Map::new();
    let figures = json!({
        "name": name,
        "dtype": loaded.encoding.name(),
        "shape": loaded.view.layout.shape.as_slice(),
        "count": survey.count,
        "min": least,
        "max": greatest,
        "mean": number(survey.mean),
        "sd": number(survey.sd),
        "zeros": survey.zeros,
        "nan": survey.nans,
        "inf": survey.infs,
    });
    if let Json::Object(figures) = figures {
        out.extend(figures);
    }
    if survey.bins.is_some() {
        let bins = histogram(survey).into_iter().map(|b| json!([b.low, b.high, b.count]));
        out.insert("histogram".to_owned(), bins.collect());
    }
    Json::Object(out)
}
