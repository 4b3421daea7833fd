//! `tsk FILE.gguf` and `tsk FILE.gguf 'blk.0.attn_q.weight[0:4, ::64]'`.

use super::args::{Cli, StyleArgs};
use super::data::{Style, complain};
use super::{info, run};
use std::path::Path;

/// Without an expression: what the file holds. Otherwise its value, with the file (a lone tensor too) as `m`.
pub fn run(cli: &Cli, file: &Path) -> i32 {
    let Some((text, rest)) = cli.args.split_first() else {
        return info::run(cli, &[file.to_owned()], false, false, StyleArgs::default());
    };
    if !rest.is_empty() {
        let more = format!("one expression behind the file; quote it as a whole ({:?} is more)", rest[0]);
        eprintln!("tsk {}: {more}; options stand before the file", file.display());
        return run::USAGE;
    }
    let mut session = run::session(cli, None, Vec::new());
    let mut sink = run::sink(cli);
    let names = match session.open("m", file) {
        Ok(names) => names,
        Err(diag) => {
            complain(cli, Style::of(cli, StyleArgs::default()), &diag);
            return 1;
        }
    };
    let text = named(text, &names);
    run::finish(session.eval("<expression>", &text, &mut *sink))
}

/// The text with the tensor name that it starts with, if any, made `m["…"]`: the longest one that ends where a name may.
fn named(text: &str, names: &[String]) -> String {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let found = names.iter().filter(|n| !n.is_empty() && text.strip_prefix(n.as_str()).is_some_and(ends));
    match found.max_by_key(|n| n.len()) {
        Some(name) => format!("m[{}]{}", quoted(name), &text[name.len()..]),
        None => text.to_owned(),
    }
}

/// A string of the language that is this text.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    crate::text::push_string(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn the_longest_name_wins() {
        let names = ["a", "blk.0.q", "blk.0.q.weight", "0", "x[0]"].map(str::to_owned);
        for (text, want) in [
            ("blk.0.q.weight[0:4]", "m[\"blk.0.q.weight\"][0:4]"),
            ("blk.0.q.mean()", "m[\"blk.0.q\"].mean()"),
            ("a", "m[\"a\"]"),
            ("abs(m[\"a\"])", "abs(m[\"a\"])"),
            ("a_b + 1", "a_b + 1"),
            ("a+a", "m[\"a\"]+a"),
            ("0[1]", "m[\"0\"][1]"),
            ("x[0][1]", "m[\"x[0]\"][1]"),
            ("m.keys()", "m.keys()"),
        ] {
            assert_eq!(named(text, &names), want);
        }
    }
}
