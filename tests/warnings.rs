//! Likely accidents, told once; and the trap that stops at the first NaN.

use tsk::report::Log;
use tsk::session::Session;

/// What a text shows in a session that `set` has prepared.
fn shown(set: impl Fn(&mut Session), text: &str) -> String {
    let mut session = Session::new(Default::default());
    set(&mut session);
    let mut log = Log::default();
    let _ = session.eval("test", text, &mut log);
    log.text
}

fn trapped(text: &str) -> String {
    shown(|s| s.options().trap_nan = true, text)
}

#[test]
fn a_row_beside_a_column_is_told_once() {
    let warn = |s: &mut Session| s.options().warnings = true;
    let text = "x = arange(3)\ny = x.reshape(3, 1)\n(x + y).shape";
    let once = shown(warn, &format!("{text}\n(x * y).shape"));
    assert_eq!(once.matches("warning[W0201]").count(), 1, "{once}");
    assert!(once.contains("[3] with [3, 1] gives [3, 3]") && once.contains("(3, 3)\n(3, 3)"), "{once}");
    // What is written as an outer product is meant, and a product is none.
    for meant in ["x = arange(3)\nx + x[:, None]", "x = ones(3)\nx @ ones(3, 1)", "ones(1) + ones(1, 1)"] {
        let text = shown(warn, meant);
        assert!(!text.contains("W0201"), "{meant}: {text}");
    }
    let silent = shown(|s| s.options().warnings = false, text);
    assert!(!silent.contains("W0201"), "{silent}");
}

#[test]
fn a_large_copy_that_nobody_asked_for_is_told() {
    let set = |s: &mut Session| {
        s.options().warnings = true;
        s.options().large_copy = 1000;
    };
    let forced = "x = zeros(40, 40) + 1\nprint(x[0, 0])\nsum(x.T.reshape(-1, 10) * 3, axis=1)";
    let text = shown(set, forced);
    assert!(text.contains("warning[W0702]: 6.4 kB are copied here") && text.contains("because"), "{text}");
    // Asked for, or small.
    assert!(!shown(set, "x = zeros(40, 40) + 1\nprint(x[0, 0])\ncopy(x.T).sum()").contains("W0702"));
    assert!(!shown(set, "x = zeros(4, 4) + 1\nprint(x[0, 0])\nsum(x.T.reshape(-1, 2) * 3, axis=1)").contains("W0702"));
}

#[test]
fn the_trap_stops_where_a_nan_is_made_from_numbers() {
    let text = trapped("x = array([1.0, 0.0, 2.0])\ny = x / array([1.0, 0.0, 4.0])\nprint(\"on\")");
    assert!(text.contains("error[E0509]") && text.contains("first at position [1]"), "{text}");
    assert!(text.contains("of the operands 0 and 0") && !text.contains("on\n"), "{text}");
    let text = trapped("x = array([inf, -inf])\nsum(x)");
    assert!(text.contains("error[E0509]"), "{text}");
    // Without the trap nothing happens.
    assert!(!shown(|_| {}, "zeros(2) / zeros(2)").contains("E0509"));
}

#[test]
fn a_nan_that_is_written_or_handed_on_passes_the_trap() {
    for text in [
        "x = array([1.0, nan])\nx * 2 + 1",
        "x = array([nan, 1.0])\nsum(x)",
        "full(3, nan)",
        "where(arange(3) > 1, 1.0, nan)",
        "x = array([[nan, 1.0], [2.0, 3.0]])\nx @ x",
        "cumsum(array([nan, 1.0]))",
    ] {
        let shown = trapped(text);
        assert!(!shown.contains("error["), "{text}: {shown}");
    }
}
