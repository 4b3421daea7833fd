//! The prompt, typed at through a pseudo terminal.
#![cfg(unix)]

#[path = "common/terminal.rs"]
mod terminal;

use std::io::Write;
use std::time::{Duration, Instant};
use terminal::{PATIENCE, Prompt};

#[test]
fn values_are_shown_and_names_kept() {
    let mut prompt = Prompt::start();
    prompt.ask("x = arange(6).reshape(2, 3)", "\n");
    prompt.ask("x.sum()", "i64[]\n15\n");
    prompt.ask("x @ x", "error[E0210]");
    prompt.ask("x.shape", "(2, 3)\n");
    prompt.ask(":vars", "x                i64[2, 3]");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn entries_go_on_over_lines_and_errors_quote_them() {
    let mut prompt = Prompt::start();
    prompt.line("fn broken(a) {");
    prompt.line("  b = a + 1");
    prompt.line("  b + missing");
    prompt.ask("}", "\n");
    prompt.ask("y = 2", "\n");
    let shown = prompt.ask("broken(y)", "unknown name `missing`");
    assert!(!shown.contains("repl:3"), "{shown}");
    prompt.ask("broken(y)", "<repl:1>:3:7");
    prompt.ask("y", "2\n");
    let history = std::fs::read_to_string(prompt.home.path().join("tsk/history")).unwrap();
    assert!(history.contains("fn broken(a) {") && history.contains("broken(y)"), "{history}");
    assert_eq!(history.lines().filter(|l| l.contains("b = a + 1")).count(), 1, "one entry: {history}");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn an_interrupt_comes_back_to_the_prompt() {
    let mut prompt = Prompt::start();
    prompt.ask("x = ones(3000, 3000); n = 5", "\n");
    prompt.line("print(\"running\"); for i in 0..10_000 { x = x @ x; x.sum().item() }");
    prompt.wait_for("running\n");
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    prompt.keys.write_all(&[3]).unwrap();
    let shown = prompt.wait_for(">>> ");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(shown.contains("interrupted\n") && !shown.contains("E0701"), "{shown}");
    prompt.ask("n + 1", "6\n");
    prompt.ask("x.shape", "(3000, 3000)\n");
    prompt.line("while True { }");
    std::thread::sleep(Duration::from_millis(300));
    prompt.keys.write_all(&[3]).unwrap();
    prompt.wait_for("interrupted\n");
    prompt.wait_for(">>> ");
    prompt.ask("n", "5\n");
    assert_eq!(prompt.end(), Some(0));
}

#[test]
fn commands_answer() {
    let mut prompt = Prompt::start();
    prompt.ask(":help", ":quit");
    prompt.ask(":help softmax", "softmax(x");
    prompt.ask(":help sofmax", "did you mean `softmax`?");
    prompt.ask("x = ones(100, 200)", "\n");
    prompt.ask(":type x.T[1:3]", "f32[2, 100], view of x, strides [1, 200], offset 1");
    prompt.ask(":type x.T[::2] + 1", "f32[100, 100]");
    prompt.ask(":plan sum(x * 2)", "1 kernel");
    prompt.ask(":time sum(x * 2)", " kernels, ");
    prompt.ask(":typ x", "did you mean `:type`?");
    for command in [":type", ":plan"] {
        prompt.ask(command, "needs an expression");
    }
    for command in [":type x +", ":plan x +", ":time x +", ":type )", ":plan \"abc", ":time (("] {
        prompt.ask(command, "error[E00");
    }
    prompt.ask(":help (", "tsk has nothing named");
    prompt.ask(":type missing", "error[E0101]");
    prompt.line(":quit");
    let end = Instant::now() + PATIENCE;
    while prompt.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "`:quit` does not quit");
        std::thread::sleep(Duration::from_millis(10));
    }
}
