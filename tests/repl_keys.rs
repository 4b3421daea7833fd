//! Keys at the prompt: completion, entries over lines, pastes, widths, kinds of terminals.
#![cfg(unix)]

#[path = "common/terminal.rs"]
mod terminal;

use std::path::Path;
use std::time::{Duration, Instant};
use terminal::Prompt;

/// A safetensors file with the names `blk.0.attn.weight`, `blk.1.attn.weight` and `head`.
fn archive(folder: &Path) {
    let header = "{\"blk.0.attn.weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},\
                  \"blk.1.attn.weight\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[16,32]},\
                  \"head\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[32,38]}}";
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0; 38]);
    std::fs::write(folder.join("model.safetensors"), bytes).unwrap();
}

#[test]
fn names_functions_members_and_keywords_complete() {
    let mut prompt = Prompt::start();
    prompt.ask("velocity = ones(2, 3)", "\n");
    prompt.tab("velo", "city");
    prompt.tab("log_soft", "max");
    prompt.tab("cums", "um");
    prompt.tab("velocity.is_", "is_contiguous ");
    prompt.tab("velocity.resh", "ape");
    prompt.tab("sum(velocity, keepd", "keepdims=");
    let keywords = prompt.tab("softmax(velocity, axis=0, ", "velocity ");
    assert!(!keywords.contains("axis= "), "given already: {keywords}");
    prompt.tab("zeros(3, dtype=bf", "bf16");
    prompt.tab("'a'.upp", "er");
    prompt.ask("r = record(first=1, second=velocity)", "\n");
    prompt.tab("r.", "second ");
    prompt.ask("fn scale(x, factor=2) = x * factor", "\n");
    prompt.tab("scale(velocity, fa", "factor=");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn files_and_tensors_in_archives_complete_by_level() {
    let mut prompt = Prompt::with(100, &[], archive);
    prompt.tab("load(\"mod", "model.safetensors");
    prompt.ask("m = load(\"model.safetensors\")", "\n");
    let top = prompt.tab("m.", "items");
    assert!(top.contains("2 tensors") && top.contains("f16[3]"), "{top}");
    let level = prompt.tab("m.blk.", "1. ");
    assert!(level.contains("1 tensor"), "{level}");
    prompt.tab("m.blk.0.at", "m.blk[0].attn.");
    prompt.tab("m.blk[0].attn.", "weight");
    let quoted = prompt.tab("m[\"", "head");
    assert!(quoted.contains("2 tensors"), "{quoted}");
    prompt.tab("m[\"blk.1.at", "attn.");
    prompt.ask("m.blk[1].attn.weight.shape", "(2, 2)\n");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn commands_and_their_arguments_complete() {
    let mut prompt = Prompt::start();
    prompt.tab(":qu", "quit");
    let all = prompt.tab(":", "quit ");
    assert!(all.contains("settings, and what set them"), "{all}");
    prompt.tab(":set prec", "precision");
    prompt.tab(":set edit-mode v", "vi");
    prompt.tab(":trap n", "nan");
    prompt.tab(":doc E020", "shapes do not broadcast");
    prompt.tab(":type log_soft", "max");
    prompt.tab("?log_soft", "max");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn an_entry_over_lines_is_one_item_and_comes_back_whole() {
    let mut prompt = Prompt::start();
    prompt.line("total = sum([");
    prompt.wait_for("... ");
    prompt.line("1, 2,");
    prompt.wait_for("... ");
    prompt.ask("3])", "\n");
    prompt.ask("total", "6\n");
    // Upwards it comes back with its three lines; Enter runs them again.
    prompt.ask("total = 0", "\n");
    prompt.rest();
    prompt.type_keys("\x1b[A\x1b[A\x1b[A");
    prompt.wait_for("3])");
    prompt.type_keys("\r");
    prompt.wait_for(">>> ");
    prompt.ask("total", "6\n");
    // Ctrl-R finds it, too.
    prompt.rest();
    prompt.type_keys("\x12= sum");
    prompt.wait_for("3])");
    prompt.rest();
    prompt.type_keys("\r");
    prompt.wait_for(">>> ");
    let history = std::fs::read_to_string(prompt.home.path().join("tsk/history")).unwrap();
    assert!(history.lines().count() >= 4, "{history}");
    prompt.line("s = '''a");
    prompt.ask("b'''", "\n");
    prompt.ask("len(s)", "3\n");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn a_paste_of_forty_lines_runs_as_one_script() {
    let mut prompt = Prompt::start();
    let mut text = String::from("fn step(x) {\n\n    y = x + 1\n    y\n}\nx = 0\n");
    for i in 0..34 {
        text.push_str(&format!("x = step(x)  # {i}\n"));
    }
    prompt.rest();
    prompt.type_keys(&format!("\x1b[200~{text}\x1b[201~"));
    prompt.rest();
    prompt.type_keys("\r");
    prompt.wait_for(">>> ");
    prompt.ask("x", "34\n");
    prompt.ask("step(missing)", "<repl:3>:1:6");
    // Without brackets around it each line is an entry, and none is lost.
    prompt.rest();
    prompt.type_keys("a = 1\rb = 2\rc = 3\ra + b + c\r");
    prompt.wait_for("6\n");
    prompt.wait_for(">>> ");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn unicode_is_typed_and_shown() {
    let mut prompt = Prompt::start();
    prompt.ask("größe = \"漢字 ä\"", "\n");
    prompt.ask("größe.upper()", "'漢字 Ä'");
    prompt.tab("grö", "ße");
    prompt.ask("größe @ 1", "error[E0401]");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn narrow_wide_and_dumb_terminals_work() {
    let mut narrow = Prompt::with(20, &[], |_| {});
    narrow.ask("arange(20).reshape(2, 10)", "19]]\n");
    narrow.tab("arange(3).resh", "ape");
    narrow.ask("1 + missing", "unknown name");
    narrow.resize(90);
    narrow.ask("arange(20)", "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19]\n");
    assert_eq!(narrow.end(), Some(0));
    let mut dumb = Prompt::with(80, &[("TERM", "dumb")], |_| {});
    dumb.line("x = [1,");
    dumb.line("2]");
    dumb.ask("len(x)", "2\n");
    assert_eq!(dumb.end(), Some(0));
}

#[test]
fn colour_comes_with_a_terminal_and_goes_with_no_color() {
    let mut plain = Prompt::start();
    plain.ask("s = 'a'", "\n");
    assert!(!plain.raw.contains("\x1b[3"), "{:?}", plain.raw);
    assert_eq!(plain.end(), Some(0));
    let mut ink = Prompt::with(100, &[("NO_COLOR", "")], |_| {});
    ink.ask("s = 'a'", "\n");
    assert!(ink.raw.contains("\x1b[32m'a'"), "{:?}", ink.raw);
    // The ghost of the signature, and that of an earlier entry, which the right arrow takes.
    ink.rest();
    ink.type_keys("softmax(");
    ink.wait_for("softmax(x");
    ink.type_keys("\x15s =");
    ink.wait_for("'a'");
    ink.type_keys("\x1b[C\r");
    ink.wait_for(">>> ");
    ink.ask("s", "'a'\n");
    assert_eq!(ink.end(), Some(0));
}

#[test]
fn keys_are_answered_at_once_in_long_lines_too() {
    let mut prompt = Prompt::with(100, &[("NO_COLOR", "")], |_| {});
    let long = "x = [".to_owned() + &"1, ".repeat(6_600);
    prompt.rest();
    prompt.type_keys(&format!("\x1b[200~{long}\x1b[201~"));
    prompt.rest();
    let start = Instant::now();
    prompt.type_keys("7");
    prompt.wait_for("7");
    // A hundredth of a second in a release build; tests run without optimisation on busy machines.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    prompt.type_keys("]\r");
    prompt.wait_for(">>> ");
    prompt.ask("len(x)", "6601\n");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn vi_keys_are_there_when_asked_for() {
    let mut prompt = Prompt::start();
    prompt.line(":set edit-mode vi");
    prompt.wait_for(">>> ");
    prompt.rest();
    // Escape, to the start, change a word.
    prompt.type_keys("10 + 5\x1b");
    std::thread::sleep(Duration::from_millis(800));
    prompt.type_keys("0cw2\r");
    prompt.wait_for("\n7\n");
    prompt.wait_for(">>> ");
    assert_eq!(prompt.end(), Some(0));
}
