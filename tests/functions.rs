//! Functions of the table through the session: their examples run, and their values are those of NumPy and PyTorch.

use tsk::base::{Diag, SourceMap};
use tsk::eval::Sink;
use tsk::func::{self, Options};
use tsk::plan::Plan;
use tsk::session::{Config, Outcome, Session};
use tsk::value::{Value, repr, text};

#[derive(Default)]
struct Shown(Vec<String>);

impl Sink for Shown {
    fn value(&mut self, value: &Value, options: &Options) {
        self.0.push(match value {
            Value::Tensor(t) => format!("{} {}", t.describe(), text(value, &options.array()).replace('\n', "")),
            other => repr(other, &options.array()).replace('\n', ""),
        });
    }

    fn print(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }

    fn plan(&mut self, plan: &Plan, _: &SourceMap) {
        self.0.push(format!("plan of {}", plan.steps.len()));
    }

    fn error(&mut self, diag: &Diag, _: &SourceMap) {
        self.0.push(format!("{} {}", diag.code, diag.message));
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

/// Pairs of an expression and what it shows.
#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        let (shown, _) = run(source);
        assert_eq!(shown.join(" ; "), *expected, "{source}");
    }
}

#[track_caller]
fn fails(cases: &[(&str, &str)]) {
    for (source, code) in cases {
        let (shown, _) = run(source);
        let last = shown.last().map(String::as_str).unwrap_or_default();
        assert!(last.starts_with(code), "{source}: {last}");
    }
}

const MINE: &[&str] =
    &["Creation", "Random", "View", "Join", "Reduce", "Scan", "Sort", "Statistics", "Python", "Complex"];

#[test]
fn examples_run() {
    let mut failed = Vec::new();
    for f in func::all() {
        if !MINE.contains(&format!("{:?}", f.doc.group).as_str()) {
            continue;
        }
        assert!(!f.doc.help.is_empty() && !f.doc.examples.is_empty(), "{} has no example", f.doc.name);
        for example in f.doc.examples {
            let (shown, outcome) = run(example);
            if outcome != Outcome::Fine {
                failed.push(format!("{}: {example}: {shown:?}", f.doc.name));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn names_are_given_once() {
    let mut seen = std::collections::HashMap::new();
    for f in func::all() {
        for name in std::iter::once(&f.doc.name).chain(f.doc.aliases) {
            if let Some(other) = seen.insert(*name, f.doc.name) {
                assert_eq!(other, f.doc.name, "{name} is given twice");
            }
        }
    }
}

#[test]
fn creation() {
    check(&[
        ("arange(10, 0, -3)", "i64[4] [10  7  4  1]"),
        ("arange(0, 1, 0.25)", "f32[4] [0.   0.25 0.5  0.75]"),
        ("arange(3, 3).shape", "(0,)"),
        ("arange(-9223372036854775807, 9223372036854775807, 9223372036854775807).shape", "(2,)"),
        ("linspace(0, 10, 4, dtype=i64)", "i64[4] [ 0  3  6 10]"),
        ("linspace(0, 1, 1)", "f32[1] [0.]"),
        ("linspace(0, 1, 3)[-1] == 1", "bool[] True"),
        ("linspace(array([0.0, 1]), array([1.0, 2]), 3)", "f32[3, 2] [[0.  1. ] [0.5 1.5] [1.  2. ]]"),
        ("geomspace(1, 256, 9)[8]", "f32[] 256."),
        ("eye(2, 3, 1, dtype=i64)", "i64[2, 3] [[0 1 0] [0 0 1]]"),
        ("tri(2, 3, -1)", "f32[2, 3] [[0. 0. 0.] [1. 0. 0.]]"),
        ("tril(arange(9).reshape(3, 3), -1)", "i64[3, 3] [[0 0 0] [3 0 0] [6 7 0]]"),
        ("diag(array([1, 2]), -1)", "i64[3, 3] [[0 0 0] [1 0 0] [0 2 0]]"),
        ("full((2,), 1.5, dtype=i64)", "i64[2] [1 1]"),
        ("zeros((2, 2), u8)", "u8[2, 2] [[0 0] [0 0]]"),
        ("vander(array([1, 2, 3]), 2)", "i64[3, 2] [[1 1] [2 1] [3 1]]"),
    ]);
    fails(&[
        ("arange(0, 1, 0)", "E0521"),
        ("full((2,), -77, dtype=u64)", "E0403"),
        ("zeros(4611686018427387904, 4)", "E0206"),
        ("ones(3).item()", "E0214"),
    ]);
}

#[test]
fn views_stay_views() {
    check(&[
        ("x = arange(6)\nr = x.reshape(2, 3)\nr[0, 0] = 9\nx[0]", "i64[] 9"),
        ("x = arange(6)\nf = x.reshape(2, 3).T.ravel()\nf[0] = 9\nx[0]", "i64[] 0"),
        ("rot90(arange(4).reshape(2, 2))", "i64[2, 2] [[1 3] [0 2]]"),
        ("view(arange(2, dtype=i32), u8)", "u8[8] [0 0 0 0 1 0 0 0]"),
        ("x = array([1+2j, 3-4j])\nr = imag(x)\nr[0] = 7\nx[0]", "c64[] 1.+7.j"),
        ("(imag(conj(array([1 + 2j]))), real(array([1, 2])))", "(array([-2.]), array([1, 2]))"),
        ("windows(arange(7), 3, step=2)", "i64[3, 3] [[0 1 2] [2 3 4] [4 5 6]]"),
        ("atleast_3d(arange(3)).shape", "(1, 3, 1)"),
        ("expand(arange(3).reshape(3, 1), -1, 2)", "i64[3, 2] [[0 0] [1 1] [2 2]]"),
        ("reshape(arange(6), (2, 3), order=\"F\")", "i64[2, 3] [[0 2 4] [1 3 5]]"),
    ]);
    fails(&[
        ("arange(6).reshape(2, 3).T.view(6)", "E0220"),
        ("as_strided(arange(6), (3, 3), (3, 1))", "E0209"),
        ("arange(4).view(bool)", "E0404"),
        ("x = broadcast_to(arange(3), (2, 3))\nx[...] = 1", "E0212"),
    ]);
}

#[test]
fn joining_and_padding() {
    check(&[
        ("concat([arange(2), arange(3)])", "i64[5] [0 1 0 1 2]"),
        ("concat([ones((1, 2)), zeros((1, 2))], axis=None)", "f32[4] [1. 1. 0. 0.]"),
        ("column_stack([arange(2), arange(2)])", "i64[2, 2] [[0 0] [1 1]]"),
        ("repeat(array([[1, 2], [3, 4]]), [1, 2], axis=0)", "i64[3, 2] [[1 2] [3 4] [3 4]]"),
        ("repeat(array([[1, 2]]), \"h w -> (h 2) w\")", "i64[2, 2] [[1 2] [1 2]]"),
        ("roll(arange(6).reshape(2, 3), (1, -1), axis=(0, 1))", "i64[2, 3] [[4 5 3] [1 2 0]]"),
        ("pad(arange(3), 4, mode=\"reflect\")", "i64[11] [0 1 2 1 0 1 2 1 0 1 2]"),
        ("pad(arange(3), 4, mode=\"symmetric\")", "i64[11] [2 2 1 0 0 1 2 2 1 0 0]"),
        ("pad(arange(2), 200, mode=\"reflect\")[198:203]", "i64[5] [0 1 0 1 0]"),
        ("pad(arange(3), 4, mode=\"wrap\")", "i64[11] [2 0 1 2 0 1 2 0 1 2 0]"),
        (
            "pad(arange(4).reshape(2, 2), ((1, 1), (2, 0)), constant_values=((1, 2), (3, 4)))",
            "i64[4, 4] [[3 3 1 1] [3 3 0 1] [3 3 2 3] [3 3 2 2]]",
        ),
        ("insert(array([1, 2, 3, 4]), [1, 3], [10, 20])", "i64[6] [ 1 10  2  3 20  4]"),
        ("insert(array([[1, 1], [2, 2]]), 1, 5, axis=1)", "i64[2, 3] [[1 5 1] [2 5 2]]"),
        ("delete(arange(5), [1, -1])", "i64[3] [0 2 3]"),
        ("rearrange(arange(12).reshape(2, 6), \"b (h w) -> h (w b)\", h=3)[1]", "i64[4] [2 8 3 9]"),
        ("reduce(arange(12).reshape(2, 6), \"b (h w) -> b h\", \"max\", h=3)", "i64[2, 3] [[ 1  3  5] [ 7  9 11]]"),
    ]);
    fails(&[
        ("rearrange(arange(6), \"(h w) -> h\", h=2)", "E0120"),
        ("rearrange(arange(6), \"(h w) -> h w\", h=4)", "E0204"),
        ("pad(arange(3), -1)", "E0206"),
        ("stack([])", "E0211"),
    ]);
}

#[test]
fn reductions() {
    check(&[
        ("sum(array([200, 100], dtype=u8))", "u64[] 300"),
        ("mean(array([1, 2], dtype=f16))", "f16[] 1.5"),
        ("var(array([1+1j, 2-1j]))", "f32[] 1.25"),
        ("nanmedian(array([[3.0, nan, 1], [2, 5, -1]]), axis=1)", "f32[2] [2. 2.]"),
        ("median(array([3.0, nan, 1]))", "f32[] nan"),
        ("quantile(array([1, 2, 3, 4]), [0.1, 0.5, 0.9])", "f32[3] [1.3 2.5 3.7]"),
        ("quantile(array([1.0, nan]), linspace(0, 1, 80))[7]", "f32[] nan"),
        ("quantile(arange(5), linspace(0, 1, 101))[50]", "f32[] 2."),
        ("quantile(array([1.0, 2, 3, 4]), 0.4, method=\"nearest\")", "f32[] 2."),
        ("norm(array([[1.0, 2], [3, 4]]), inf)", "f32[] 7."),
        ("norm(array([3.0, -4]), 1)", "f32[] 7."),
        ("logsumexp(array([-inf, -inf]))", "f32[] -inf"),
        ("cummax(array([1, 3, 2, 3]))", "(array([1, 3, 3, 3]), array([0, 1, 1, 3]))"),
        ("diff(array([True, False, False]))", "bool[2] [ True False]"),
        ("gradient(array([1.0, 2, 4, 7, 11]))", "f32[5] [1.  1.5 2.5 3.5 4. ]"),
        ("trapezoid(array([[1.0, 2], [3, 4]]), axis=0)", "f32[2] [2. 3.]"),
        ("average(array([[0, 1], [2, 3]]), axis=1, weights=array([0.25, 0.75]))", "f32[2] [0.75 2.75]"),
        ("nanargmax(array([[nan, 4], [2, 3]]), axis=1)", "i64[2] [1 1]"),
    ]);
    fails(&[
        ("max(zeros((0, 3)), axis=0)", "E0520"),
        ("quantile(arange(5), 1.5)", "E0521"),
        ("max(array([1j]))", "E0402"),
        ("average(array([1.0]), weights=array([0.0]))", "E0521"),
    ]);
}

#[test]
fn positions_sets_and_counts() {
    check(&[
        ("topk(array([[1, 5, 3]]), 2)", "(array([[5, 3]]), array([[1, 2]]))"),
        ("lexsort([array([1, 5, 1, 4]), array([9, 4, 0, 4])])", "i64[4] [2 3 1 0]"),
        ("searchsorted(array([1, 3, 5]), array([3, 6]), side=\"right\")", "i64[2] [2 3]"),
        ("digitize(array([0.2, 6.4, 3.0, 1.6]), array([10.0, 4, 2.5, 1, 0]))", "i64[4] [4 1 2 3]"),
        ("unique(array([nan, 1, nan, 2]), return_counts=True)", "(array([ 1.,  2., nan]), array([1, 1, 2]))"),
        ("unique(array([[1, 0], [1, 0], [2, 3]]), axis=0)", "i64[2, 2] [[1 0] [2 3]]"),
        ("isin(array([1.0, nan]), array([nan, 1.0]))", "bool[2] [ True False]"),
        ("setxor1d([1, 2, 3, 2, 4], [2, 3, 5, 7, 5])", "i64[4] [1 4 5 7]"),
        ("take(arange(5), [7, -9], mode=\"wrap\")", "i64[2] [2 1]"),
        ("put_along_axis(array([[10, 30, 20], [60, 40, 50]]), array([[1], [0]]), 99, 1)[1]", "i64[3] [99 40 50]"),
        ("scatter_add(zeros(3), 0, array([0, 0, 2]), array([1.0, 2, 3]))", "f32[3] [3. 0. 3.]"),
        ("gather(array([[1, 2], [3, 4]]), 1, array([[0, 0], [1, 0]]))", "i64[2, 2] [[1 1] [4 3]]"),
        ("histogram(array([1, 2, 1]), bins=[0, 1, 2, 3])", "(array([0, 2, 1]), array([0, 1, 2, 3]))"),
        ("one_hot(array([2, 0]), 3)", "i64[2, 3] [[0 0 1] [1 0 0]]"),
        ("mode(array([[1, 2, 2], [3, 3, 1]]))", "(array([2, 3]), array([2, 1]))"),
        ("cov(array([[0, 1, 2], [2, 1, 0]]))", "f32[2, 2] [[ 1. -1.] [-1.  1.]]"),
        ("select([arange(4) < 1, arange(4) > 2], [arange(4), arange(4) * 10], -1)", "i64[4] [ 0 -1 -1 30]"),
        ("(first_where(array([0, 5, 1])), last_where(zeros(2)))", "(array(1), array(-1))"),
    ]);
    fails(&[
        ("take(arange(3), 3)", "E0301"),
        ("bincount(array([1, -1]))", "E0521"),
        ("bincount(array([4611686018427387904]))", "E0702"),
        ("one_hot(array([0, 5]), 3)", "E0301"),
        ("sort(array([1j]))", "E0402"),
    ]);
}

#[test]
fn random_numbers_follow_the_seed() {
    check(&[
        ("seed(3)\na = rand(4)\nseed(3)\nb = rand(4)\nall(a == b)", "bool[] True"),
        ("seed(3)\na = rand(4)\nb = rand(4)\nall(a == b)", "bool[] False"),
        ("x = randint(2, 5, 1000)\n(x.min(), x.max(), x.dtype)", "(array(2), array(4), i64)"),
        ("all(sort(randperm(50)) == arange(50))", "bool[] True"),
        ("all(sort(choice(9, 9, replace=False)) == arange(9))", "bool[] True"),
        ("choice(array([5, 6]), 3, p=[0.0, 1.0])", "i64[3] [6 6 6]"),
        ("abs(normal(5, 2, 20000).mean() - 5) < 0.1", "bool[] True"),
        ("abs(gamma(3.0, 2.0, 4000).mean() - 6) < 0.3", "bool[] True"),
        ("abs(poisson(40.0, 4000).mean() - 40) < 0.6", "bool[] True"),
        ("abs(exponential(2.0, 20000).mean() - 2) < 0.1", "bool[] True"),
        (
            "a = rand(3, generator=\"pcg64\")\ngenerator(\"chacha\")\n(a.shape, all(rand(9) < 1))",
            "'chacha' ; ((3,), array(True))",
        ),
    ]);
    fails(&[
        ("rand(2, generator=\"dice\")", "E0120"),
        ("randint(3, 3)", "E0521"),
        ("choice(3, 5, replace=False)", "E0521"),
    ]);
}

#[test]
fn plain_values_follow_python() {
    check(&[
        ("(sum([1, 2.5, True]), sum([]), max('abc'), min([3, 1], key=lambda v: -v))", "(4.5, 0, 'c', 3)"),
        ("(max(1, 2.5), min([], default=7), any([0, 2]), all([]))", "(2.5, 7, True, True)"),
        (
            "(divmod(-7, 2), divmod(7.5, 2), round(2.675, 2), round(1250, -2), round(2.5))",
            "((-4, 1), (3.0, 1.5), 2.67, 1200, 2)",
        ),
        ("(int('0x1f', 0), int(' 42 '), int(-3.9), float('1e3'))", "(31, 42, -3, 1000.0)"),
        ("max(array([1, 5]), array([4, 2]))", "i64[2] [4 5]"),
        ("max(array([[1, 5], [7, 2]]), 1, True)", "i64[2, 1] [[5] [7]]"),
        ("sum([array([1, 2]), array([3, 4])])", "i64[2] [4 6]"),
        ("sum([[1, 2], [3, 4]], axis=0)", "i64[2] [4 6]"),
        ("round(array([1.25, 1.35, -2.5]), 1)", "f32[3] [ 1.2  1.4 -2.5]"),
        ("r = record(a=1, x=2)\nreplace(r, a=5, x=6)", "record(a=5, x=6)"),
        ("(list(map(lambda a, b: a + b, [1, 2], [10, 20])), zip('ab', [1, 2]))", "([11, 22], [('a', 1), ('b', 2)])"),
    ]);
    fails(&[
        ("max([])", "E0520"),
        ("sorted([1, 'a'])", "E0406"),
        ("int('x')", "E0521"),
        ("sum([9223372036854775807, 1])", "E0506"),
        ("int(inf)", "E0504"),
    ]);
}
