use super::draw;
use crate::base::{Diag, SourceId, SourceMap, Span};
use proptest::prelude::*;

fn one(text: &str) -> SourceMap {
    let mut map = SourceMap::default();
    map.add("model.tsk", text, false);
    map
}

fn at(start: usize, end: usize) -> Span {
    Span::new(SourceId(0), start, end)
}

fn plain(d: &Diag, map: &SourceMap) -> String {
    draw(d, map, false, 80)
}

#[test]
fn the_example_of_the_contract() {
    let text = "\n\n\n\n\n\nh = relu(x @ w) + bias\n";
    let d = Diag::new("E0203", "shapes do not broadcast")
        .label(at(15, 20), "f32[32, 256]")
        .label(at(24, 28), "f32[512]")
        .note("axis -1: 256 against 512");
    let want = "\
error[E0203]: shapes do not broadcast
   ╭─[ model.tsk:7:10 ]
 7 │ h = relu(x @ w) + bias
   │          ──┬──    ──┬─
   │            │        ╰── f32[512]
   │            ╰── f32[32, 256]
   │ axis -1: 256 against 512
───╯
";
    assert_eq!(plain(&d, &one(text)), want);
}

#[test]
fn several_lines_sources_and_a_hint() {
    let mut map = one("a = 1\nb = 2\nc = 3\nd = a + c\n");
    let other = map.add("util.tsk", "fn f(x) = y", false);
    let hidden = map.add("prelude", "fn g() = 1", true);
    let d = Diag::new("E0101", "unknown name `y`")
        .label(Span::new(other, 10, 11), "not defined")
        .label(at(22, 27), "called here")
        .label(at(0, 1), "")
        .label(Span::new(hidden, 0, 2), "inside")
        .hint("did you mean `x`?");
    let want = "\
error[E0101]: unknown name `y`
   ╭─[ util.tsk:1:11 ]
 1 │ fn f(x) = y
   │           ┬
   │           ╰── not defined
   ├─[ model.tsk:4:5 ]
 1 │ a = 1
   │ ─
   ┆
 4 │ d = a + c
   │     ──┬──
   │       ╰── called here
   │ help: did you mean `x`?
───╯
";
    assert_eq!(plain(&d, &map), want);
}

#[test]
fn without_a_place_there_is_no_frame() {
    let d = Diag::new("E0601", "no such file").note("the folder is empty").hint("look elsewhere");
    let want = "error[E0601]: no such file\n  the folder is empty\n  help: look elsewhere\n";
    assert_eq!(plain(&d, &SourceMap::default()), want);
    let lost = d.label(Span::new(SourceId(9), 0, 3), "gone");
    assert_eq!(plain(&lost, &one("x")), want);
}

#[test]
fn a_place_at_the_end_points_behind_the_last_word() {
    let d = Diag::new("E0003", "unclosed bracket").label(at(7, 7), "expected `)`");
    let want = "\
error[E0003]: unclosed bracket
   ╭─[ model.tsk:1:5 ]
 1 │ f(ab
   │     ┬
   │     ╰── expected `)`
───╯
";
    assert_eq!(plain(&d, &one("f(ab\n\n\n")), want);
    let empty = Diag::new("E0003", "nothing").label(at(0, 0), "here");
    let want = "\
error[E0003]: nothing
   ╭─[ model.tsk:1:1 ]
 1 │
   │ ┬
   │ ╰── here
───╯
";
    assert_eq!(plain(&empty, &one("")), want);
}

#[test]
fn marks_count_columns_not_bytes() {
    let text = "ä = 漢字 + \t\"🙂\" + y\r\nz";
    let y = text.find('y').unwrap();
    let kanji = text.find('漢').unwrap();
    let d = Diag::new("E0101", "names").label(at(y, y + 1), "y").label(at(kanji, kanji + 6), "word");
    let want = "\
error[E0101]: names
   ╭─[ model.tsk:1:17 ]
 1 │ ä = 漢字 +  \"🙂\" + y
   │     ──┬─           ┬
   │       │            ╰── y
   │       ╰── word
───╯
";
    assert_eq!(plain(&d, &one(text)), want);
}

#[test]
fn a_span_inside_a_character_covers_it() {
    let d = Diag::new("E0001", "odd").label(at(1, 2), "half");
    assert_eq!(plain(&d, &one("漢")).lines().nth(3), Some("   │ ─┬"));
}

#[test]
fn nested_and_equal_marks_keep_their_texts() {
    let d = Diag::new("E0201", "mixed")
        .label(at(0, 9), "whole")
        .label(at(4, 5), "part")
        .label(at(4, 5), "again")
        .label(at(4, 5), "third");
    let want = "\
error[E0201]: mixed
   ╭─[ model.tsk:1:1 ]
 1 │ abcdefghi
   │ ────┬┬───
   │     │╰── whole
   │     ├── part
   │     ├── again
   │     ╰── third
───╯
";
    assert_eq!(plain(&d, &one("abcdefghi")), want);
}

#[test]
fn a_mark_over_lines_shows_its_ends() {
    let text = "x = [\n  1,\n  2\n] + y\n";
    let d = Diag::new("E0401", "a list has no `+`").label(at(4, 16), "list");
    let want = "\
error[E0401]: a list has no `+`
   ╭─[ model.tsk:1:5 ]
 1 │ x = [
   │     ─
   ┆
 4 │ ] + y
   │ ┬
   │ ╰── list
───╯
";
    assert_eq!(plain(&d, &one(text)), want);
}

#[test]
fn long_lines_are_cut_around_the_mark() {
    let text = format!("{}bad{}", "a".repeat(100_000), "b".repeat(100_000));
    let d = Diag::new("E0101", "unknown").label(at(100_000, 100_003), "this");
    let want = format!(
        "error[E0101]: unknown\n   ╭─[ model.tsk:1:100001 ]\n 1 │ …{}bad{}…\n   │ {}─┬─\n   │ {}╰── this\n───╯\n",
        "a".repeat(36),
        "b".repeat(36),
        " ".repeat(37),
        " ".repeat(38)
    );
    assert_eq!(plain(&d, &one(&text)), want);
}

#[test]
fn colour_changes_no_character() {
    let d = Diag::new("E0203", "shapes\x1b[0m").label(at(0, 1), "a").label(at(4, 5), "b\n\u{202e}c").hint("h");
    let colored = draw(&d, &one("x + y\u{7}"), true, 80);
    assert!(colored.contains("\x1b[1;31merror[E0203]\x1b[0m"));
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once('\x1b') {
        stripped.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain(&d, &one("x + y\u{7}")));
    assert!(!stripped.contains(['\x1b', '\u{7}', '\u{202e}']));
}

proptest! {
    #[test]
    fn any_text_and_any_spans_draw(
        text in "([ab ä漢🙂\t\r\n]|\u{301}|\u{200d}|\u{202e}|\u{0}){0,60}",
        spans in prop::collection::vec((0u32..80, 0u32..80, "(|x|long text ä|a\nb)"), 0..6),
        width in 0usize..200,
        color: bool,
    ) {
        let map = one(&text);
        let mut d = Diag::new("E0101", "m");
        for (i, (start, end, text)) in spans.into_iter().enumerate() {
            d = d.label(Span { source: SourceId(i as u32 % 5 / 4), start, end }, text);
        }
        let report = draw(&d, &map, color, width);
        prop_assert!(report.ends_with('\n'));
        let controls = report.contains(['\r', '\t', '\u{202e}', '\0']);
        prop_assert!(!controls);
        for label in &d.labels {
            if label.span.source == SourceId(0) && !label.text.is_empty() {
                prop_assert!(report.contains(&label.text.replace('\n', " ")));
            }
        }
    }

    #[test]
    fn long_lines_of_any_text_draw(unit in "[aä漢🙂\t]{1,4}", times in 1usize..3000, from in 0u32..20000, len in 0u32..9000) {
        let map = one(&unit.repeat(times));
        let d = Diag::new("E0101", "m").label(Span { source: SourceId(0), start: from, end: from + len }, "here");
        let report = draw(&d, &map, false, 80);
        prop_assert!(report.contains("here"));
        prop_assert!(report.lines().all(|l| unicode_width::UnicodeWidthStr::width(l) <= 80 + 12));
    }
}
