//! The evaluator through the session: texts and what they show.

use tsk::base::{Diag, SourceMap};
use tsk::eval::Sink;
use tsk::func::Options;
use tsk::plan::Plan;
use tsk::session::{Config, Outcome, Session};
use tsk::value::{Value, repr, text};

#[derive(Default)]
struct Shown(Vec<String>);

impl Sink for Shown {
    fn value(&mut self, value: &Value, options: &Options) {
        self.0.push(match value {
            Value::Tensor(t) => format!("{} {}", t.describe(), text(value, &options.array()).replace('\n', "")),
            other => repr(other, &options.array()),
        });
    }

    fn print(&mut self, text: &str) {
        self.0.push(format!("> {text}"));
    }

    fn plan(&mut self, plan: &Plan, _: &SourceMap) {
        self.0.push(format!("plan of {}", plan.steps.len()));
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        let places: Vec<String> =
            diag.labels.iter().map(|l| format!(" | {} = {}", sources.snippet(l.span), l.text)).collect();
        self.0.push(format!("{}{}", diag.code, places.concat()));
    }

    fn warn(&mut self, diag: &Diag, _: &SourceMap) {
        self.0.push(format!("warning {}", diag.code));
    }
}

fn run(source: &str) -> (Vec<String>, Outcome) {
    let mut shown = Shown::default();
    let outcome = Session::new(Config::default()).eval("<test>", source, &mut shown);
    (shown.0, outcome)
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let (shown, _) = run(source);
    assert_eq!(shown, expected, "{source}");
}

#[test]
fn statements_and_scopes() {
    check("x = 2\nx + 1; x * 2", &["4"]);
    check("a, *b = 1, 2, 3\nb\n*a, b = 'xyz'\na", &["[2, 3]", "['x', 'y']"]);
    check("s = 0\nfor i in 1..5 { if i == 3 { continue }\n s += i }\ns\ni", &["7", "4"]);
    check("i = 0\nwhile True { i += 1\nif i > 3 { break } }\ni", &["4"]);
    check("fn f(x, k=2) { y = x * k\n y + 1 }\nf(3)\nf(3, k=3)\nf(k=1, x=1)", &["7", "10", "2"]);
    check("fn f(x) { if x { 'yes' } else { 'no' } }\nf(1)\nf(0)", &["'yes'", "'no'"]);
    check("fn f() { x = 1 }\nprint(f())", &["> None"]);
    check("fn f() { return }\nprint(f())", &["> None"]);
    check("n = 1\nfn f() { print(n)\n n = 2 }\nf()", &["E0109 | n = "]);
    check("n = 1\nfn f() = n + 1\nn = 5\nf()", &["6"]);
    check("fs = [lambda: i for i in range(3)]\n[f() for f in fs]", &["[2, 2, 2]"]);
    check("i = 9\nxs = [i * j for i in range(3) if i for j in range(i)]\nxs\ni", &["[0, 0, 2]", "9"]);
    check("fn f(n) = f(n + 1)\nf(0)", &["E0704 | f(n + 1) = "]);
    check("fn f(n) = 0 if n == 0 else 1 + f(n - 1)\nf(1500)", &["1500"]);
    check("del q", &["E0101 | q = "]);
}

#[test]
fn plain_values() {
    check("(7 // -2, -7 % 3, 2 ** -1, 1 / 2, True + 1)", &["(-4, 2, 0.5, 0.5, 2)"]);
    check("'ab' * 2 + 'c'\n[1] + [2] * 2\n(1,) + ()", &["'ababc'", "[1, 2, 2]", "(1,)"]);
    check("(1 < 2 < 3, 1 == 1.0, 'a' == 1, [1, [2]] == [1, [2.0]])", &["(True, True, False, True)"]);
    check("(2 in [1, 2], 'b' in 'abc', 4 in range(0, 9, 2), 3 not in (1, 2))", &["(True, True, True, True)"]);
    check("xs = [3, 1, 2]\nxs[0] = 9\nxs.append(4)\nxs.insert(1, 7)\nxs.pop()\nxs", &["4", "[9, 7, 1, 2]"]);
    check("xs = [1]\nys = xs\nys += [2]\nxs", &["[1, 2]"]);
    check("('abc'[-1], 'abc'[::-1], [1, 2, 3][1:], range(9)[2:8:3])", &["('c', 'cba', [2, 3], range(2, 8, 3))"]);
    check("9223372036854775807 + 1", &["E0506 | 9223372036854775807 = integer | 1 = integer"]);
    check("1 // 0", &["E0502 | 1 = integer | 0 = integer"]);
    check("1 < 'a'", &["E0406 | 1 = integer | 'a' = string"]);
    check("1 + 'a'", &["E0401 | 1 = integer | 'a' = string"]);
    check("r = record(a=1, b=[2])\n(r.a, r['b'])\nreplace(r, a=5)", &["(1, [2])", "record(a=5, b=[2])"]);
    check("(sorted([3, 1, 2]), sorted(['bb', 'a'], key=len, reverse=True))", &["([1, 2, 3], ['bb', 'a'])"]);
    check("(1 or 2, 0 or 2, 1 and 2, not 1, 5 if 0 else 6)", &["(1, 2, 2, False, 6)"]);
}

#[test]
fn tensors_are_indexed_and_written_in_place() {
    let x = "x = i64([[0, 1, 2], [3, 4, 5]])\n";
    check(
        &format!("{x}x[1]\nx[:, 0]\nx[..., -1]\nx[None].shape\nx[1, ::-1]"),
        &["i64[3] [3 4 5]", "i64[2] [0 3]", "i64[2] [2 5]", "(1, 2, 3)", "i64[3] [5 4 3]"],
    );
    check(&format!("{x}y = x[0]\nx[0, 1] = 9\ny\ny += 1\nx"), &["i64[3] [0 9 2]", "i64[2, 3] [[ 1 10  3] [ 3  4  5]]"]);
    check(
        &format!("{x}v = x[0, 0]\nx[0, 0] = 7\nv\nx[0, 0], x[1, 1] = x[1, 1], x[0, 0]\n(x[0, 0], x[1, 1])"),
        &["i64[] 0", "(array(4), array(7))"],
    );
    check(&format!("{x}z = x[0, 1, ...]\nx[0, 1] = 7\nz\nz[...] = 3\nx[0, 1]"), &["i64[] 7", "i64[] 3"]);
    check(
        &format!("{x}x[:, [2, 0]]\nx[x > 2]\nx[[1, 0], [0, 2]]\nx[[-1]].shape"),
        &["i64[2, 2] [[2 0] [5 3]]", "i64[3] [3 4 5]", "i64[2] [3 2]", "(1, 3)"],
    );
    check(&format!("{x}x[x > 2] += 10\nx[:, [0, 0]] = [[7, 8], [9, 1]]\nx"), &["i64[2, 3] [[ 8  1  2] [ 1 14 15]]"]);
    check(
        &format!("{x}x[None][0, :, [0, 1]].shape\nx[None, [0, 1], 0].shape\nx[True].shape\nx[False].shape"),
        &["(2, 2)", "(1, 2)", "(1, 2, 3)", "(0, 2, 3)"],
    );
    check(&format!("{x}x[2]"), &["E0301 | 2 =  | x = i64[2, 3]"]);
    check(&format!("{x}x[0, 0, 0]"), &["E0302 | 0, 0, 0 =  | x = i64[2, 3]"]);
    check(&format!("{x}x[1.5]"), &["E0305 | 1.5 = float"]);
    check(&format!("{x}x[[0, 5]]"), &["E0301 | [0, 5] = i64[2] | x = i64[2, 3]"]);
    check(&format!("{x}x += 0.5"), &["E0405 | x = i64[2, 3] | 0.5 = float"]);
    check(&format!("{x}x[0] = 'a'"), &["E0401 | 'a' = string"]);
    check(&format!("{x}x + [1, 2]"), &["E0203 | x = i64[2, 3] | [1, 2] = list of 2"]);
    check(&format!("{x}for row in x {{ row[0] = 8 }}\nx[:, 0]"), &["i64[2] [8 8]"]);
    check(&format!("{x}for v in x[0] {{ print(v) }}"), &["> 0", "> 1", "> 2"]);
}

#[test]
fn pending_values_keep_what_they_were_written_with() {
    check("x = f32([1, 2])\ny = x + 1\nx[0] = 9\ny\nx", &["f32[2] [2. 3.]", "f32[2] [9. 2.]"]);
    check(
        "x = i64([1, 2])\ny = x // i64([1, 0])\nx\ny",
        &["i64[2] [1 2]", "E0503 | x // i64([1, 0]) = computed here | y = needed here"],
    );
    check(
        "x = i64([1, 2])\nx[:] = i64([4, 4]) // i64([1, 0])",
        &["E0503 | i64([4, 4]) // i64([1, 0]) = computed here | x[:] = needed here"],
    );
}

#[test]
fn comparisons_and_conditions_of_tensors() {
    check(
        "x = i64([0, 1, 2])\n1 <= x < 2\nx == [0, 5, 2]",
        &["bool[3] [False  True False]", "bool[3] [ True False  True]"],
    );
    check("x = i64([1, 2])\nif x { }", &["E0214 | x = i64[2]"]);
    check("x = i64([1])\n'yes' if x else 'no'\n1 in x", &["'yes'", "True"]);
    check("x = f32([1.0, 2.0])\nx > 1 & x", &["E0402 | 1 = integer | x = f32[2]"]);
}

#[test]
fn annotations() {
    check("fn f(x: f32[n, n], y: [n]) = n\nf(f32([[1, 2], [3, 4]]), i64([1, 2]))", &["2"]);
    check("fn f(x: f32[n, n]) = n\nf(f32([[1, 2]]))", &["E0215 | f32([[1, 2]]) = f32[1, 2] | f32[n, n] = f32[n, n]"]);
    check("x: f32[...] = i64([1])", &["E0410 | i64([1]) = i64[1] | f32[...] = f32[...]"]);
    check("fn f(x: [..., d]) = d\nf(i64([[1, 2, 3]]))", &["3"]);
}

#[test]
fn calls_methods_and_pipes() {
    check("fn add(x, k) = x + k\n1 |> add(2) |> add(k=3)\n(5).add(1)", &["6", "6"]);
    check("fn f(x) = x\nf()", &["E0104 | f() = "]);
    check("fn f(x) = x\nf(1, 2)", &["E0105 | 2 = "]);
    check("fn f(x) = x\nf(y=1)", &["E0106 | 1 = "]);
    check("xs = [1, 2]\nfn f(a, b) = a * 10 + b\nf(*xs)", &["12"]);
    check("x = 3\nx(1)", &["E0103 | x = integer"]);
    check("x = i64([1])\nx.shape()", &["E0103 | x.shape() = "]);
    check("x = i64([1])\nx.lenght", &["E0102 | lenght =  | x = i64[1]"]);
    check("exp = 5\ni64([0]).exp()", &["f32[1] [1.]"]);
    check("x = 1\nassert x == 2, 'no'", &["E0501 | x == 2 = this does not hold"]);
    check("print(f'{1 + 1} {\"a\"!r} {[1]}')", &["> 2 'a' [1]"]);
}

#[test]
fn syntax_errors_come_all_at_once_and_nothing_runs() {
    let (shown, outcome) = run("print(1)\nx = [1 2]\ny = 0x");
    assert_eq!(outcome, Outcome::Syntax);
    assert!(shown.len() >= 2 && shown.iter().all(|s| s.starts_with("E00")), "{shown:?}");
}

#[test]
fn a_session_keeps_its_bindings_after_an_error() {
    let mut session = Session::new(Config::default());
    let mut shown = Shown::default();
    assert_eq!(session.eval("<a>", "x = i64([1, 2])\ny = x + zzz", &mut shown), Outcome::Failed);
    assert_eq!(session.eval("<b>", "x", &mut shown), Outcome::Fine);
    assert_eq!(shown.0, ["E0101 | zzz = ", "i64[2] [1 2]"]);
    assert_eq!(session.names(), ["x"]);
    let array = session.array("x").map_err(|d| d.message);
    assert_eq!(array.map(|a| (a.get(0), a.get(1))), Ok((tsk::tensor::Scalar::Int(1), tsk::tensor::Scalar::Int(2))));
    let array = session.array("x").unwrap_or_else(|d| panic!("{}", d.message));
    let bytes = array.buffer.as_ptr();
    session.set("z", array);
    let again = session.array("z").unwrap_or_else(|d| panic!("{}", d.message));
    assert_eq!(again.buffer.as_ptr(), bytes, "set copies nothing");
}

#[test]
fn scripts_are_imported_once_and_cycles_are_told() {
    let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap_or_else(|e| panic!("{e}"));
    write("util.tsk", "n = 2\nn + 1\nprint('once')\nfn twice(x) = x * n\n");
    write("a.tsk", "import 'b.tsk' as b\n");
    write("b.tsk", "import 'a.tsk' as a\n");
    write("bad.tsk", "x = \ny = (\n");
    let run = |source: &str| {
        let mut shown = Shown::default();
        let config = Config { dir: dir.path().to_owned(), ..Config::default() };
        let _ = Session::new(config).eval("<test>", source, &mut shown);
        shown.0
    };
    let twice = "import 'util.tsk' as u\nimport './util.tsk' as v\nu.twice(4)\nv.n\nn";
    assert_eq!(run(twice), ["> once", "8", "2", "E0101 | n = "]);
    assert_eq!(run("import 'util.tsk' as u\nu.twise"), ["> once", "E0102 | twise = "]);
    assert!(run("import 'a.tsk' as a")[0].starts_with("E0110"));
    assert!(run("import 'nowhere.tsk' as a")[0].starts_with("E0111"));
    assert!(run("import 'bad.tsk' as a")[0].starts_with("E00"));
}

#[test]
fn what_is_pending_is_bounded() {
    let source = "x = f32([[1, 2]] * 100)\nfor i in range(3000) { x = x + 1 }\nx[0]\nx = x * 0\n\
                  for i in range(3000) { x[i % 100, 0] = i\n y = x }\nx[99, 0], x[0, 0]";
    let (shown, outcome) = run(&source.replace("x[99, 0], x[0, 0]", "print(x[99, 0], x[0, 0])"));
    assert_eq!(
        (shown.as_slice(), outcome),
        (["f32[2] [3001. 3002.]".to_owned(), "> 2999. 2900.".to_owned()].as_slice(), Outcome::Fine)
    );
}

#[test]
fn deep_expressions_and_lists_do_not_overflow() {
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    check(&deep, &["1"]);
    let sum = vec!["1"; 900].join(" + ");
    check(&sum, &["900"]);
    check("xs = [1]\nxs.append(xs)\nxs == xs", &["True"]);
}

#[test]
fn stores_and_their_readers_share_buffers_safely() {
    // The old version of d is stored and computed again inside of the write; both read a's old buffer.
    let source =
        "a = f32([[1] * 5] * 20)\na = a + 0\na[0] = 5\nd = a + a\na -= d\nd[1:] += d[:-1]\nprint(a[:2, 0])\nd[:3, 0]";
    check(source, &["> [-5. -1.]", "f32[3] [10. 12.  4.]"]);
    // Rows along axis 0 go through a temporary with its axes in the same order.
    check("x = f64([[1, 2], [3, 6], [5, 1]])\nx -= x.mean(axis=0)\nx", &["f64[3, 2] [[-2. -1.] [ 0.  3.] [ 2. -2.]]"]);
}
