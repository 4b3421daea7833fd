//! `tsk diff A B`: how two files differ; `tsk diff FILE`: one file as text that changes where the file does.

use super::args::{Cli, StyleArgs};
use super::data::{
    Style, Work, complain, encoding_text, figure, meta_text, number, open_options, print_json, shape_text, status,
};
use super::progress::Progress;
use super::table::{Table, visible};
use crate::backend::Tolerance;
use crate::base::Diag;
use crate::model::{self, Contents, Outcome, Pairs, Values};
use crate::tensor::Scalar;
use serde_json::{Value as Json, json};
use std::path::Path;

pub struct Wish<'a> {
    pub glob: Option<&'a str>,
    pub tolerance: Tolerance,
    /// Tensors that do not differ too.
    pub all: bool,
}

/// Exit status 1 where the files differ by more than the tolerance.
pub fn run(cli: &Cli, a: &Path, b: Option<&Path>, wish: &Wish, style: StyleArgs) -> i32 {
    let style = Style::of(cli, style);
    let done = match b {
        Some(b) => both(cli, a, b, wish, style),
        None => one(cli, a, wish.glob).map(|()| false),
    };
    match done {
        Ok(differs) => i32::from(differs),
        Err(diag) => {
            complain(cli, style, &diag);
            status(&diag)
        }
    }
}

/// Lines for `git diff`: metadata, then each tensor with its figures and a checksum.
fn one(cli: &Cli, path: &Path, glob: Option<&str>) -> Result<(), Diag> {
    let contents = Contents::open(path, &open_options(cli))?;
    let (work, progress) = (Work::new(cli), Progress::new(contents.file_bytes()));
    let mut out = String::new();
    for (key, value) in contents.meta().iter().flat_map(|m| m.iter()) {
        out.push_str(&format!("{} = {}\n", visible(key), visible(&meta_text(value))));
    }
    let names = glob.map_or_else(|| contents.names(), |pattern| contents.glob(pattern));
    for name in names {
        let name_text = if contents.is_lone() { "tensor".to_owned() } else { visible(name) };
        let loaded = match contents.get(name) {
            Ok(loaded) => loaded,
            Err(diag) => {
                out.push_str(&format!("{name_text}: {}: {}\n", diag.code, visible(&diag.message)));
                continue;
            }
        };
        let survey = work.survey(&loaded, false, progress.done())?;
        let (low, high) = survey.range.map_or((f64::NAN, f64::NAN), |(a, b)| (a.to_f64(), b.to_f64()));
        let shape = shape_text(&loaded.view.layout.shape);
        let counts = format!("zeros {}, NaN {}, inf {}", survey.zeros, survey.nans, survey.infs);
        out.push_str(&format!(
            "{name_text}: {}{shape} min {}, max {}, mean {}, sd {}, {counts}, crc32 {:08x}\n",
            encoding_text(Some(loaded.encoding)),
            figure(low),
            figure(high),
            figure(survey.mean),
            figure(survey.sd),
            model::checksum(&loaded)?,
        ));
    }
    super::print(&out);
    Ok(())
}

/// Whether the files differ.
fn both(cli: &Cli, a: &Path, b: &Path, wish: &Wish, style: Style) -> Result<bool, Diag> {
    let options = open_options(cli);
    let (left, right) = (Contents::open(a, &options)?, Contents::open(b, &options)?);
    let pairs = model::pairs(&left, &right, wish.glob);
    let bytes = |c: &Contents, name| c.entry(name).map_or(0, |e| e.bytes);
    let total = pairs.both.iter().map(|(x, y)| bytes(&left, x) + bytes(&right, y)).sum();
    let (work, progress) = (Work::new(cli), Progress::new(total));
    let mut report = Report::new(style, wish.all);
    for (x, y) in &pairs.both {
        // A tensor that one side cannot read differs; the others are compared all the same.
        let outcome = match (left.get(x), right.get(y)) {
            (Ok(p), Ok(q)) => Ok(work.compare(&p, &q, wish.tolerance, progress.done())?),
            (Err(diag), _) | (_, Err(diag)) => Err(diag),
        };
        let name = if left.is_lone() { y } else { x };
        report.pair(name, &outcome);
    }
    drop(progress);
    report.end(&pairs);
    Ok(report.differing + pairs.only_a.len() + pairs.only_b.len() > 0)
}

struct Report {
    style: Style,
    all: bool,
    table: Table,
    /// What has no figures.
    lines: Vec<String>,
    differing: usize,
}

impl Report {
    fn new(style: Style, all: bool) -> Report {
        let head = ["tensor", "dtype", "shape", "differ", "max abs", "max rel", "RMS", "cosine", "worst"];
        Report { style, all, table: Table::new(&head, &[3, 4, 5, 6, 7]), lines: Vec::new(), differing: 0 }
    }

    fn pair(&mut self, name: &str, outcome: &Result<Outcome, Diag>) {
        let differs = outcome.as_ref().map_or(true, Outcome::differs);
        self.differing += usize::from(differs);
        if self.style == Style::Json {
            return print_json(&object(name, outcome, differs));
        }
        match outcome {
            Ok(Outcome::Values(values)) if differs || self.all => self.table.row(row(name, values)),
            Ok(Outcome::Values(_)) => {}
            Ok(Outcome::Shapes(a, b)) => {
                self.lines.push(format!("{}: shapes {} and {}", visible(name), shape_text(a), shape_text(b)));
            }
            Err(diag) => self.lines.push(format!("{}: {}: {}", visible(name), diag.code, visible(&diag.message))),
        }
    }

    fn end(&mut self, pairs: &Pairs<'_>) {
        let (compared, differing) = (pairs.both.len(), self.differing);
        if self.style == Style::Json {
            let (only_a, only_b) = (&pairs.only_a, &pairs.only_b);
            let all = json!({"compared": compared, "differing": differing, "only_a": only_a, "only_b": only_b});
            return print_json(&json!({ "summary": all }));
        }
        let mut out = self.table.text(self.style);
        let lists = [("only in the first file", &pairs.only_a), ("only in the second file", &pairs.only_b)];
        let lists = lists.iter().flat_map(|(what, names)| names.iter().map(move |n| format!("{what}: {}", visible(n))));
        let (mark, gap) = if self.style == Style::Markdown { ("- ", "\n") } else { ("", "") };
        if !out.is_empty() {
            out.push_str(gap);
        }
        for line in self.lines.drain(..).chain(lists) {
            out.push_str(&format!("{mark}{line}\n"));
        }
        out.push_str(&format!("{mark}{differing} of {compared} tensors differ\n"));
        super::print(&out);
    }
}

fn row(name: &str, values: &Values) -> Vec<String> {
    let c = &values.comparison;
    let [a, b] = &values.dtypes;
    let dtype = if a == b { a.clone() } else { format!("{a}, {b}") };
    let worst = values
        .worst
        .as_ref()
        .map_or(String::new(), |(at, [x, y])| format!("{at:?}: {} against {}", scalar(*x), scalar(*y)));
    vec![
        name.to_owned(),
        dtype,
        shape_text(&values.shape),
        c.beyond.to_string(),
        figure(c.max_abs),
        figure(c.max_rel),
        figure(c.rms()),
        format!("{:.8}", c.cosine()),
        worst,
    ]
}

fn scalar(value: Scalar) -> String {
    match value {
        Scalar::Int(n) => n.to_string(),
        Scalar::UInt(n) => n.to_string(),
        Scalar::Complex(z) => format!("({}, {})", figure(z.re), figure(z.im)),
        other => figure(other.to_f64()),
    }
}

fn json_scalar(value: Scalar) -> Json {
    match value {
        Scalar::Int(n) => json!(n),
        Scalar::UInt(n) => json!(n),
        Scalar::Bool(b) => json!(b),
        Scalar::Complex(z) => json!([number(z.re), number(z.im)]),
        Scalar::Float(x) => number(x),
    }
}

fn object(name: &str, outcome: &Result<Outcome, Diag>, differs: bool) -> Json {
    match outcome {
        Ok(Outcome::Values(values)) => {
            let c = &values.comparison;
            let worst = values
                .worst
                .as_ref()
                .map(|(at, [x, y])| json!({"index": at, "a": json_scalar(*x), "b": json_scalar(*y)}));
            json!({
                "name": name, "differs": differs, "dtypes": values.dtypes, "shape": values.shape.as_slice(),
                "count": c.count, "unequal": c.unequal, "beyond": c.beyond, "max_abs": number(c.max_abs),
                "max_rel": number(c.max_rel), "rms": number(c.rms()), "cosine": number(c.cosine()), "worst": worst,
            })
        }
        Ok(Outcome::Shapes(a, b)) => {
            json!({"name": name, "differs": true, "shapes": [a.as_slice(), b.as_slice()]})
        }
        Err(diag) => json!({"name": name, "differs": true, "error": {"code": diag.code, "message": diag.message}}),
    }
}
