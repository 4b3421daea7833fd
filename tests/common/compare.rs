//! Expected outputs against the JSON lines that tsk wrote: the same rules as the stand-alone runner of the cases.

use super::Case;
use serde_json::Value as Json;
use tsk::session::Outcome;

/// The ways in which a run differs from its case; none when it passed.
pub fn mismatches(case: &Case, lines: &[String], outcome: &Result<Outcome, String>) -> Vec<String> {
    let mut got = Vec::new();
    for line in lines {
        match serde_json::from_str::<Json>(line) {
            Ok(object) if object.is_object() => got.push(object),
            _ => return vec![format!("a line that is no JSON object: {}", short(line))],
        }
    }
    let outcome = match outcome {
        Ok(outcome) => *outcome,
        Err(panic) => return vec![format!("panicked: {panic}")],
    };
    let fails = case.expected.last().is_some_and(|w| w.get("error").is_some());
    // All syntax errors of a script are reported; the first one counts.
    while fails && got.len() > case.expected.len() && got[got.len() - 2..].iter().all(|o| o.get("error").is_some()) {
        got.pop();
    }
    let mut bad = outputs(&case.expected, &got);
    if bad.is_empty() {
        let syntax = got.last().and_then(|o| o["error"]["code"].as_str()).is_some_and(|c| c.starts_with("E00"));
        let status = if !fails {
            0
        } else if syntax {
            2
        } else {
            1
        };
        if outcome.status() != status {
            bad.push(format!("exit status {}, expected {status}", outcome.status()));
        }
    }
    bad
}

fn outputs(expected: &[Json], got: &[Json]) -> Vec<String> {
    let mut bad = Vec::new();
    for (i, want) in expected.iter().enumerate() {
        let Some(object) = got.get(i) else {
            bad.push(format!("output {} of {} is missing", i + 1, expected.len()));
            return bad;
        };
        bad.extend(output(want, object).into_iter().map(|m| format!("output {}: {m}", i + 1)));
        if object.get("error").is_some() && want.get("error").is_none() {
            return bad;
        }
    }
    if got.len() > expected.len() {
        bad.push(format!("{} output(s) too many: {}", got.len() - expected.len(), short(&got[expected.len()])));
    }
    bad
}

fn output(want: &Json, got: &Json) -> Vec<String> {
    if let Some(families) = want.get("error") {
        let families = families.as_str().unwrap_or("");
        return match got["error"]["code"].as_str() {
            None => vec![format!("an error {families} expected, got {}", short(got))],
            Some(code) if families.split('|').any(|f| code.starts_with(f)) => Vec::new(),
            Some(code) => vec![format!("error {code}, expected {families}")],
        };
    }
    if let Some(error) = got.get("error") {
        return vec![format!("error {}: {}", error["code"], error["message"])];
    }
    if let Some(text) = want.get("text") {
        let Some(printed) = got["print"].as_str() else {
            return vec![format!("printed text expected, got {}", short(got))];
        };
        let (want, got) = (text.as_str().unwrap_or("").trim_end_matches('\n'), printed.trim_end_matches('\n'));
        return if want == got { Vec::new() } else { vec![format!("printed\n{got}\nexpected\n{want}")] };
    }
    if got.get("print").is_some() {
        return vec![format!("a value expected, got printed text {}", short(got))];
    }
    if want.get("dtype").is_some() {
        return tensor(want, got.get("value"), true);
    }
    let same = match (want.get("list"), want.get("scalar")) {
        (Some(_), _) => got.get("list").is_some() && plain(want, got),
        (_, Some(scalar)) => got.get("scalar").is_some_and(|g| plain(scalar, g)),
        _ => false,
    };
    if same { Vec::new() } else { vec![format!("got {}, expected {}", short(got), short(want))] }
}

fn tensor(want: &Json, got: Option<&Json>, layout: bool) -> Vec<String> {
    let Some(got) = got.filter(|g| g.get("dtype").is_some()) else {
        return vec![format!("a tensor {}{} expected, got {got:?}", want["dtype"], want["shape"])];
    };
    let mut bad = Vec::new();
    for key in ["dtype", "shape"] {
        if want[key] != got[key] {
            bad.push(format!("{key} {}, expected {}", got[key], want[key]));
        }
    }
    if !bad.is_empty() {
        return bad;
    }
    bad.extend(elements(want, got));
    if !layout {
        return bad;
    }
    for key in ["view", "offset"] {
        if want.get(key).is_some_and(|w| *w != got[key]) {
            bad.push(format!("{key} is {}, expected {}", got[key], want[key]));
        }
    }
    if let Some(strides) = want.get("strides").and_then(Json::as_array) {
        let same = got["strides"]
            .as_array()
            .is_some_and(|g| g.len() == strides.len() && g.iter().zip(strides).all(|(g, w)| w.is_null() || w == g));
        if !same {
            bad.push(format!("strides {}, expected {} (null: any)", got["strides"], want["strides"]));
        }
    }
    bad
}

fn elements(want: &Json, got: &Json) -> Option<String> {
    let none = Vec::new();
    let (wanted, data) = (want["data"].as_array().unwrap_or(&none), got["data"].as_array()?);
    if wanted.len() != data.len() {
        return Some(format!("data has {} elements, expected {}", data.len(), wanted.len()));
    }
    let rule = Rule {
        dtype: want["dtype"].as_str().unwrap_or(""),
        rtol: want["rtol"].as_f64().unwrap_or(0.0),
        atol: want["atol"].as_f64().unwrap_or(0.0),
        signed: want["signed_zero"].as_bool().unwrap_or(false),
    };
    let wrong: Vec<usize> = (0..data.len()).filter(|i| !rule.same(&wanted[*i], &data[*i])).collect();
    let first: Vec<String> =
        wrong.iter().take(4).map(|i| format!("at {i} {} instead of {}", data[*i], wanted[*i])).collect();
    (!wrong.is_empty()).then(|| format!("{} of {} values differ: {}", wrong.len(), data.len(), first.join(", ")))
}

/// How near two elements must be.
struct Rule<'a> {
    dtype: &'a str,
    rtol: f64,
    atol: f64,
    signed: bool,
}

impl Rule<'_> {
    fn same(&self, want: &Json, got: &Json) -> bool {
        let integer = self.dtype.starts_with(['u', 'i']);
        if want.is_boolean() || integer {
            return want == got && (!integer || got.is_i64() || got.is_u64());
        }
        if let (Some(w), Some(g)) = (want.as_array(), got.as_array()) {
            return w.len() == 2 && g.len() == 2 && self.complex([&w[0], &w[1]], [&g[0], &g[1]]);
        }
        match (float(want), float(got)) {
            (Some(w), Some(g)) => self.near(round(w, self.dtype), round(g, self.dtype)),
            _ => false,
        }
    }

    fn complex(&self, want: [&Json; 2], got: [&Json; 2]) -> bool {
        let part = if self.dtype == "c64" { "f32" } else { "f64" };
        let parts = |v: [&Json; 2]| Some([round(float(v[0])?, part), round(float(v[1])?, part)]);
        let (Some(w), Some(g)) = (parts(want), parts(got)) else { return false };
        if w.iter().any(|x| !x.is_finite()) {
            return self.near(w[0], g[0]) && self.near(w[1], g[1]);
        }
        (g[0] - w[0]).hypot(g[1] - w[1]) <= self.atol + self.rtol * w[0].hypot(w[1])
    }

    fn near(&self, want: f64, got: f64) -> bool {
        if want.is_nan() || got.is_nan() {
            return want.is_nan() && got.is_nan();
        }
        if want.is_infinite() || got.is_infinite() {
            return want == got;
        }
        if self.signed && want == 0.0 && got == 0.0 {
            return want.is_sign_negative() == got.is_sign_negative();
        }
        (got - want).abs() <= self.atol + self.rtol * want.abs()
    }
}

fn float(v: &Json) -> Option<f64> {
    match v.as_str() {
        Some("nan") => Some(f64::NAN),
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => v.as_f64(),
    }
}

/// To the precision of the dtype: shortest digits and all digits are the same value then.
fn round(x: f64, dtype: &str) -> f64 {
    match dtype {
        "f32" => f64::from(x as f32),
        "f16" => half::f16::from_f64(x).to_f64(),
        "bf16" => half::bf16::from_f32(x as f32).to_f64(),
        _ => x,
    }
}

/// Scalars and lists. List elements may stand bare or as `{"scalar": v}`, `{"value": v}`.
fn plain(want: &Json, got: &Json) -> bool {
    let (want, got) = (bare(want), bare(got));
    if want.get("dtype").is_some() {
        return tensor(want, Some(got), false).is_empty();
    }
    if let Some(items) = want.get("list").and_then(Json::as_array) {
        return got.get("list").unwrap_or(got).as_array().is_some_and(|g| all_plain(items, g));
    }
    if let Some(items) = want.as_array() {
        return got.as_array().is_some_and(|g| all_plain(items, g));
    }
    match (want.as_f64(), got.as_f64()) {
        (Some(w), Some(g)) if want.is_f64() => w == g || (w - g).abs() <= 1e-14 * w.abs(),
        (Some(w), Some(g)) => want == got || w == g,
        _ => want == got,
    }
}

fn all_plain(want: &[Json], got: &[Json]) -> bool {
    want.len() == got.len() && want.iter().zip(got).all(|(w, g)| plain(w, g))
}

fn bare(v: &Json) -> &Json {
    match v.as_object() {
        Some(object) if object.len() == 1 => object.get("scalar").or(object.get("value")).unwrap_or(v),
        _ => v,
    }
}

fn short(v: impl ToString) -> String {
    let text = v.to_string();
    if text.len() < 160 { text } else { text.chars().take(157).collect::<String>() + "..." }
}
