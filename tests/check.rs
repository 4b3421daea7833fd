//! `tsk check`: faults of names, shapes and dtypes are found on every path, nothing else is reported, nothing runs.

use std::sync::Arc;
use tsk::report::Log;
use tsk::session::{Config, Outcome, Session};

/// Codes of what is reported, and the whole text.
fn check_in(dir: &str, text: &str) -> (Vec<&'static str>, String) {
    let backend = Arc::new(tsk::backend::Null::new());
    let config = Config { backend: Some(backend), dir: dir.into(), ..Config::default() };
    let (mut session, mut log) = (Session::new(config), Log::default());
    let outcome = session.check("test.tsk", text, &mut log);
    let counters = session.backend().counters();
    assert_eq!(counters.launches, 0, "checking computes nothing: {text}");
    assert_eq!(outcome == Outcome::Fine, log.errors.is_empty(), "{text}\n{}", log.text);
    let codes = log.errors.iter().map(|e| e.code).collect();
    assert!(log.text.lines().next().is_none_or(|l| l.starts_with("error")), "nothing is shown: {}", log.text);
    (codes, log.text)
}

/// Files are read by functions of their own change.
fn has_files(text: &str) -> bool {
    !text.contains("load(") || tsk::func::lookup("load".into()).is_some()
}

fn check(text: &str) -> (Vec<&'static str>, String) {
    check_in(".", text)
}

/// Scripts with the codes that must be found, in this order.
const FAULTS: &[(&str, &[&str])] = &[
    ("x = zeros(2, 3)\nif x.sum() > 0 { print(y) }", &["E0101"]),
    ("if False { print(nothing) }", &["E0101"]),
    ("x = zeros(2, 3)\nverbose = False\nif verbose { print(x @ x) }", &["E0210"]),
    ("x = zeros(2, 3)\nfor i in range(100) { y = x @ x }", &["E0210"]),
    ("x = zeros(2, 3)\nwhile x.sum() < 3 { x = x + zeros(4) }", &["E0203"]),
    ("x = zeros(2, 3)\nfor i in range(3) { x = concat([x, x]) }\nx.reshape(7)", &["E0204"]),
    ("fn f(t) = t @ t\nf(zeros(2, 3))", &["E0210"]),
    ("fn f(t) { return t << 1 }\nf(zeros(2))", &["E0402"]),
    ("fn f(q: f32[n, 4]) = q.sum()\nf(zeros(3, 5))", &["E0215"]),
    ("fn f(q: f32[n, 4]) = q.sum()\nf(zeros(3, 4, dtype=f64))", &["E0410"]),
    ("w: f32[_, 7] = zeros(2, 3)", &["E0215"]),
    ("fn f(x) = softmax(x, axs=1)", &["E0106"]),
    ("fn g(a, b) = a\nfn f(x) = g(x)", &["E0104"]),
    ("fn f(x) { if x > 0 { return undefined_name }; x }", &["E0101"]),
    ("fn f(w: f32[2, 3]) = w @ w", &["E0210"]),
    ("a = undefined_a\nb = undefined_b\nc = a + b", &["E0101", "E0101"]),
    ("x = zeros(2, 3)\ny = x @ x\nz = y + 1\nundefined", &["E0210", "E0101"]),
    ("x = zeros(2, 3)[5]", &["E0301"]),
    ("x = zeros(4)\nx[[0, 9]]", &["E0301"]),
    ("x = zeros(3)\ny = x if x.sum() > 0 else missing", &["E0101"]),
    ("x = zeros(3)\nok = x.sum() > 0 and missing > 1", &["E0101"]),
    ("xs = [missing for i in range(1000)]", &["E0101"]),
    ("load(\"no such file.npy\")", &["E0601"]),
    ("a, b = 1, 2, 3", &["E0113"]),
    ("assert zeros(2, 3).shape == (3, 2)", &["E0501"]),
    ("h = lambda v: v.softmax(axs=1) + missing", &["E0101"]),
    ("print(f\"{zeros(2).sum()} {missing}\")", &["E0101"]),
    ("x = zeros(2, 3)\nfor row in x { row + zeros(4) }", &["E0203"]),
];

#[test]
fn faults_are_found() {
    let wrong = FAULTS.iter().filter(|(text, _)| has_files(text)).filter_map(|(text, want)| {
        let (codes, log) = check(text);
        (codes != *want).then(|| format!("{text}\nwanted {want:?}\n{log}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Scripts that run well, or whose faults only values show.
const FINE: &[&str] = &[
    "x = rand(10)\ny = x[x > 0.5]\nz = y.reshape(3, -1)\nz @ zeros(7, 2)",
    "x = rand(4)\nn = int(x.sum())\ny = zeros(n, 3)\nw = y @ zeros(3, 2) + zeros(5, 2)",
    "x = rand(4)\nwhile x.sum() > 0.1 { x = x * 0.5 }\nprint(x)",
    "fn fact(n) = 1 if n <= 1 else n * fact(n - 1)\nprint(fact(20))\nzeros(fact(3)) + zeros(6)",
    "fn fib(n) { if n < 2 { return n }; fib(n - 1) + fib(n - 2) }\nfib(25)",
    "fn even(n) = True if n == 0 else odd(n - 1)\nfn odd(n) = False if n == 0 else even(n - 1)\neven(9)",
    "fn forever(n) = forever(n + 1)",
    "fn f(x, flip=False) { if flip { y = x @ zeros(2, 5) } else { y = x @ zeros(3, 5) }; y }\nf(zeros(2, 3))",
    "x = zeros(3, 2)\nif x.ndim == 1 { x = x.reshape(1, 3, 1) }\nx @ zeros(2, 4)",
    "xs = []\nfor i in range(100) { xs.append(rand(3)) }\nstack(xs) + zeros(100, 3)\nxs[99]",
    "xs = []\nfor i in range(4) { xs.append(zeros(2)) }\nstack(xs).reshape(8)",
    "n = 0\nwhile n < 1000 { n += 1 }\nzeros(n) + zeros(1000)",
    "x = zeros(3)\nfor i in range(20) { if i > 0 { x = x + previous }; previous = x }",
    "fn f(xs) { for x in xs { if x > 0 { best = x } }; best }\nf(rand(20))",
    "x = load_it() if len(args) > 0 else zeros(2)\nfn load_it() = load(args[0])",
    "x = rand(3)\nif x[0] > 0.5 { y = zeros(3) } else { y = zeros(4) }\ny + zeros(3)",
    "a = unique(array([1, 2, 2]))\na + zeros(9)",
    "i = argmax(rand(5))\nx = zeros(5)[int(i)] + zeros(5)[i]",
    "d = record(a=rand(1).item(), b=zeros(2, 3))\nd.b @ zeros(3, 4)",
    "total = 0.0\nfor v in rand(30) { total = total + v.item() }\nprint(1 / total)",
    "k = 0\nfor i in range(50) { k = k + i\n if k > 20 { break } }\nzeros(k)",
    "fn apply(g, x) = g(x)\napply(lambda t: t * 2, zeros(3)) + zeros(3)",
    "pairs = [(i, i * 2) for i in range(200) if i % 3 == 0]\nfor a, b in pairs { zeros(b - a) }",
    "x = zeros(4)\nx[rand(4) > 0.5] = 1\nx[int(rand(1)[0])] += 2\nx + zeros(4)",
    "assert rand(3).sum() > 5, f\"too small {rand(1)}\"",
    "fn f(x) { x.anything_at_all }\nfn g(m) = m.blk[0].weight @ m[\"a\"]",
    "fn pick(kind) { if kind == \"a\" { zeros(2) } else { if kind == \"b\" { zeros(3) } else { None } } }\npick(\"b\") + zeros(3)",
    "save(zeros(2), \"never_written.npy\")\nload(\"never_written.npy\")",
    "fn deep(x: f32[b, t, 4]) { n = b * t; x.reshape(n, 4) }\ndeep(zeros(2, 3, 4)) + zeros(6, 4)",
    "x = zeros(1)\nexplain x + 1\nx.item() if False else 1",
    "s = \"a,b\".split(\",\")\nprint(s[1])\nfor c in s { print(c.upper()) }",
];

#[test]
fn silence_where_nothing_is_wrong() {
    let wrong: Vec<String> =
        FINE.iter().filter(|text| has_files(text)).map(|text| format!("{}{text}", check(text).1)).collect();
    let wrong: Vec<&String> = wrong.iter().filter(|w| w.starts_with("error")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!std::path::Path::new("never_written.npy").exists());
}

#[test]
fn the_examples_check_silently() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "tsk") {
            let text = std::fs::read_to_string(&path).unwrap();
            if has_files(&text) {
                let (_, log) = check_in(dir, &text);
                assert_eq!(log, "", "{}", path.display());
            }
        }
    }
}

#[test]
fn syntax_errors_come_alone() {
    let mut session = Session::new(Config::default());
    let mut log = Log::default();
    assert_eq!(session.check("t", "x = (1\ny = undefined", &mut log), Outcome::Syntax);
    assert_eq!(session.check("t", "break", &mut log), Outcome::Syntax);
}

#[test]
fn a_check_leaves_the_session_alone() {
    let mut session = Session::new(Config::default());
    let mut log = Log::default();
    assert_eq!(session.eval("t", "x = 1; fn f(a) = a", &mut log), Outcome::Fine);
    assert_eq!(session.check("t", "set_default_dtype(f64)\nx = rand(3)\ny = 2", &mut log), Outcome::Fine);
    assert_eq!(session.eval("t", "x; zeros(1).dtype; rand(1)", &mut log), Outcome::Fine);
    let mut fresh = Log::default();
    assert_eq!(
        Session::new(Config::default()).eval("t", "x = 1\nx; zeros(1).dtype; rand(1)", &mut fresh),
        Outcome::Fine
    );
    assert_eq!(log.text, fresh.text);
    assert_eq!(session.names(), ["f", "x"]);
}

#[test]
fn hostile_scripts_end_soon() {
    let nested = format!("x = rand(1)\n{}z = 1{}", "if x > 0 { ".repeat(60), " } else { w = 2 }".repeat(60));
    let calls: String = (1..40).map(|i| format!("fn f{i}(x) = f{}(x) + f{0}(x)\n", i - 1)).collect();
    let calls = format!("fn f0(x) = x\n{calls}f39(rand(2))");
    let loops = format!("{}x = i{}", "for i in range(7) { ".repeat(12), " }".repeat(12));
    for text in [nested, calls, loops] {
        let start = std::time::Instant::now();
        let (_, log) = check(&text);
        assert!(start.elapsed().as_secs() < 10, "{:?} {text}", start.elapsed());
        assert_eq!(log, "");
    }
}
