//! The command line, run as a process.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn tsk(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsk"));
    command.args(args).env_remove("NO_COLOR").env_remove("TERM").stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    tsk(args).output().unwrap()
}

/// Runs with a text on standard input.
fn feed(args: &[&str], input: &[u8]) -> Output {
    let mut child = tsk(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The process may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// A file in a folder of its own.
struct Script {
    dir: tempfile::TempDir,
    path: PathBuf,
}

impl Script {
    fn new(text: impl AsRef<[u8]>) -> Script {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("script.tsk");
        std::fs::write(&path, text).unwrap();
        Script { dir, path }
    }

    fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    fn dir(&self) -> &Path {
        self.dir.path()
    }
}

#[test]
fn text_runs_and_shows_values() {
    let output = run(&["-e", "x = arange(6).reshape(2, 3)\nx.T; 1 + 1\nprint(\"hello\")\n\"s\""]);
    assert_eq!((out(&output).as_str(), err(&output).as_str(), status(&output)), ("2\nhello\n's'\n", "", 0));
    let output = run(&["-e", "args", "a", "--b", "3"]);
    assert_eq!(out(&output), "['a', '--b', '3']\n");
}

#[test]
fn scripts_see_their_arguments_and_their_folder() {
    let script = Script::new("import \"util.tsk\" as u\nprint(args, u.two)");
    std::fs::write(script.dir().join("util.tsk"), "two = 2\ntwo\nprint(\"imported\")").unwrap();
    let output = run(&[script.path(), "a", "-x", "--seed"]);
    assert_eq!((out(&output).as_str(), status(&output)), ("imported\n['a', '-x', '--seed'] 2\n", 0), "{output:?}");
}

#[test]
fn standard_input_is_a_script() {
    for args in [&["-"][..], &[]] {
        let output = feed(args, b"x = 2\nx * 3\n");
        assert_eq!((out(&output).as_str(), status(&output)), ("6\n", 0));
    }
    assert_eq!(out(&feed(&["-", "p", "q"], b"args")), "['p', 'q']\n");
    for input in [&b""[..], b"\n\n", b"# nothing\n"] {
        let output = feed(&[], input);
        assert_eq!((out(&output).as_str(), err(&output).as_str(), status(&output)), ("", "", 0));
    }
}

#[test]
fn statuses_tell_how_it_ended() {
    let output = run(&["-e", "1; 2\nmissing\n3"]);
    assert_eq!((out(&output).as_str(), status(&output)), ("2\n", 1));
    assert!(err(&output).contains("error[E0101]") && err(&output).contains("<text>:2:1"), "{}", err(&output));
    let output = run(&["-e", "1\nx = (\n"]);
    assert_eq!((out(&output).as_str(), status(&output)), ("", 2), "nothing runs");
    assert!(err(&output).contains("error[E00"), "{}", err(&output));
}

#[test]
fn wrong_usage_is_status_2() {
    for args in [
        &["--no-such-option", "-e", "1"][..],
        &["--format", "xml", "-e", "1"],
        &["--threads", "0", "-e", "1"],
        &["--max-memory", "lots", "-e", "1"],
        &["--default-dtype", "i32", "-e", "1"],
        &["plan"],
        &["check"],
    ] {
        let output = run(args);
        assert_eq!((out(&output).as_str(), status(&output)), ("", 2), "{args:?}");
        assert!(!err(&output).is_empty(), "{args:?}");
    }
}

#[test]
fn unreadable_scripts_are_told() {
    let script = Script::new(b"x = 1\ny = \"\xff\xfe\"\n");
    let dir = script.dir().to_str().unwrap().to_owned();
    for (path, code) in [("no/such/file.tsk", "E0601"), (dir.as_str(), "E0601"), (script.path(), "E00")] {
        let output = run(&[path]);
        assert_eq!(status(&output), 2, "{path}");
        assert!(err(&output).starts_with(&format!("error[{code}")), "{}", err(&output));
        let output = run(&["check", path]);
        assert_eq!(status(&output), 2, "{path}");
        assert!(err(&output).starts_with(&format!("error[{code}")), "{}", err(&output));
    }
    let output = feed(&[], b"x = \xff");
    assert_eq!(status(&output), 2);
    assert!(err(&output).starts_with("error[E00"), "{}", err(&output));
}

fn json_lines(output: &Output) -> Vec<serde_json::Value> {
    out(output).lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn json_is_one_object_a_line() {
    let output = run(&["--format", "json", "-e", "print(\"a\")\narray([1.0, nan])\n[1, \"x\"]\nundefined"]);
    let lines = json_lines(&output);
    assert_eq!(lines[0], serde_json::json!({"print": "a"}));
    assert_eq!(lines[1]["value"]["data"], serde_json::json!([1.0, "nan"]));
    assert_eq!(lines[1]["value"]["dtype"], "f32");
    assert_eq!(lines[2], serde_json::json!({"list": [1, "x"]}));
    assert_eq!(lines[3]["error"]["code"], "E0101");
    assert_eq!(lines[3]["error"]["labels"][0]["start"], 38);
    assert_eq!((status(&output), err(&output).as_str()), (1, ""));
    let output = run(&["--format", "json", "-e", "x = (1"]);
    assert_eq!(status(&output), 2);
    assert!(json_lines(&output)[0]["error"]["code"].as_str().unwrap().starts_with("E00"));
}

#[test]
fn interactive_answers_each_statement() {
    let mut child =
        tsk(&["--interactive", "--format", "json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answer = || answers.next().unwrap().unwrap();
    input.write_all(b"x = 20\n").unwrap();
    assert_eq!(answer(), r#"{"done": 1}"#);
    input.write_all(b"missing\n").unwrap();
    assert!(answer().starts_with(r#"{"error""#));
    assert_eq!(answer(), r#"{"done": 2}"#);
    input.write_all(b"fn f(a) {\n  a + 1\n}\nf(x)\n").unwrap();
    assert_eq!(answer(), r#"{"done": 3}"#);
    assert_eq!(answer(), r#"{"scalar": 21}"#);
    assert_eq!(answer(), r#"{"done": 4}"#);
    input.write_all(b"\"\xff\"\n").unwrap();
    assert!(answer().starts_with(r#"{"error""#));
    assert_eq!(answer(), r#"{"done": 5}"#);
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn options_reach_the_session() {
    let rand = |seed: &str| out(&run(&["--seed", seed, "-e", "rand(3)"]));
    assert_eq!(rand("7"), rand("7"));
    assert_ne!(rand("7"), rand("8"));
    assert_eq!(out(&run(&["--default-dtype", "f64", "-e", "zeros(1).dtype"])), "f64\n");
    let one = out(&run(&["--threads", "1", "-e", "sum(rand(100_000))"]));
    assert_eq!(one, out(&run(&["--threads", "3", "-e", "sum(rand(100_000))"])));
    let output = run(&["--strict", "-e", "1 + 1"]);
    assert_eq!((out(&output).as_str(), status(&output)), ("2\n", 0));
    let output = run(&["--time", "-e", "x = ones(10) + 1\nx.sum()"]);
    assert_eq!(out(&output), "f32[]\n20.\n");
    assert!(err(&output).lines().count() == 2 && err(&output).contains("kernels"), "{}", err(&output));
}

#[test]
fn the_memory_limit_names_what_is_too_large() {
    let output = run(&["--max-memory", "10M", "-e", "x = ones(2000, 2000) * 2\ny = x.sum()\nprint(x[0, 0])"]);
    assert_eq!(status(&output), 1, "{}", err(&output));
    assert!(err(&output).starts_with("error[E0703]"), "{}", err(&output));
    assert!(err(&output).contains("f32[2000, 2000]: 16.0 MB"), "{}", err(&output));
}

#[test]
fn colour_is_asked_for() {
    let shown = |args: &[&str], vars: &[(&str, &str)]| {
        let output = tsk(args).envs(vars.iter().copied()).output().unwrap();
        err(&output).contains('\x1b')
    };
    assert!(!shown(&["-e", "missing"], &[]), "no terminal");
    assert!(shown(&["--color", "always", "-e", "missing"], &[("NO_COLOR", "1")]));
    assert!(!shown(&["--color", "never", "-e", "missing"], &[]));
}

#[test]
fn a_closed_pipe_ends_silently() {
    let mut child = tsk(&["-e", "for i in 0..1_000_000 { print(i) }"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut first).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!((first.as_str(), err(&output).as_str()), ("0\n", ""));
}

#[test]
fn plans_are_shown_without_running() {
    let output = run(&["plan", "-e", "x = ones(10, 10)\nsum(x * 2 + 1)"]);
    assert_eq!(status(&output), 0);
    assert!(out(&output).contains("1 kernel"), "{}", out(&output));
    let script = Script::new("x = ones(4)\nx + 1");
    let output = run(&["plan", "--format", "json", script.path()]);
    assert_eq!(json_lines(&output)[0]["plan"]["kernels"], 1, "{output:?}");
    assert_eq!(status(&run(&["plan", "-e", "x = ("])), 2);
    assert_eq!(status(&run(&["plan", "-e", "missing + 1"])), 1);
    assert_eq!(status(&run(&["plan", "no/such.tsk"])), 2);
}

#[test]
fn checks_report_everything_at_once() {
    let script = Script::new("x = zeros(2, 3)\nif x.sum() > 0 { x @ x }\nprint(missing)\nprint(\"not shown\")");
    let output = run(&["check", script.path()]);
    assert_eq!((out(&output).as_str(), status(&output)), ("", 1));
    assert!(err(&output).contains("E0210") && err(&output).contains("E0101"), "{}", err(&output));
    let fine = Script::new("n = int(args[0])\nzeros(n)");
    let output = run(&["check", fine.path(), script.path()]);
    assert_eq!(status(&output), 1);
    let output = run(&["check", fine.path()]);
    assert_eq!((err(&output).as_str(), status(&output)), ("", 0));
}

#[test]
fn help_explains() {
    let output = run(&["explain", "e0203"]);
    assert!(out(&output).starts_with("E0203: ") && status(&output) == 0, "{output:?}");
    assert_eq!(status(&run(&["explain", "E9999"])), 1);
    let output = run(&["help", "softmax"]);
    assert!(out(&output).contains("softmax(x") && status(&output) == 0, "{output:?}");
    let output = run(&["help", "sofmax"]);
    assert!(err(&output).contains("did you mean `softmax`?") && status(&output) == 1, "{output:?}");
    assert!(out(&run(&["help"])).contains("softmax"));
    assert_eq!(out(&run(&["--version"])), concat!("tsk ", env!("CARGO_PKG_VERSION"), "\n"));
    let output = run(&["--help"]);
    assert!(out(&output).contains("Usage:") && status(&output) == 0);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_long_kernel() {
    ended_by_an_interrupt("x = ones(6000, 6000)\nfor i in 0..1000 { x = x @ x }\nprint(x.sum())");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_walks_over_plain_values() {
    ended_by_an_interrupt("while True { x = list(range(3000000)) }");
    ended_by_an_interrupt("x = list(range(3000000))\nwhile True { sum(x); max(x) }");
    // Nobody reads the pipe beyond the first line.
    ended_by_an_interrupt("print(list(range(1000000)))");
}

#[test]
fn plain_values_without_room_are_refused_before_they_are_made() {
    let output = run(&["--max-memory", "100M", "-e", "list(range(10**10))"]);
    assert!(status(&output) == 1 && err(&output).contains("E0702"), "{}", err(&output));
    let output = run(&["-e", "sum(range(10**10))"]);
    assert!(status(&output) == 1 && err(&output).contains("E0702"), "{}", err(&output));
}

/// Presses Ctrl-C while the text runs, which ends with status 130 soon.
#[cfg(unix)]
fn ended_by_an_interrupt(text: &str) {
    let text = &format!("print(\"ready\")\n{text}");
    // Flushed output tells when it runs.
    let mut child = tsk(&["--format", "json", "-e", text]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "{\"print\": \"ready\"}\n");
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
