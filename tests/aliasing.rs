//! Writes through views against NumPy (made by `oracle/aliasing.py`): whether values are computed at once, after each
//! line, or at the end, every name holds the same arrays.

mod common;

use common::run::{Lines, WAYS, Way, session};
use common::{here, parallel};
use serde_json::Value as Json;
use tsk::session::Outcome;
use tsk::tensor::{HostArray, Scalar};
use tsk::value::Value;

struct Program {
    source: String,
    names: serde_json::Map<String, Json>,
}

fn programs() -> Vec<Program> {
    let text = std::fs::read_to_string(here("oracle/aliasing.jsonl")).expect("the stored programs");
    let read = |line: &str| {
        let mut row: Json = serde_json::from_str(line).expect("JSON");
        let Json::Object(names) = row["names"].take() else { panic!("{line}") };
        Program { source: row["source"].as_str().expect("a text").to_owned(), names }
    };
    text.lines().map(read).collect()
}

/// When values are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    /// Only when the program has ended.
    AtTheEnd,
    /// After each line, all of them.
    AfterEachLine,
    /// After each line, the names in turn.
    InTurn,
}

fn same(array: &HostArray, want: &Json) -> bool {
    let shape: Vec<u64> = array.view.layout.shape.iter().map(|n| *n as u64).collect();
    let data = want["data"].as_array().expect("a list");
    let number = |at: usize| match array.get(at) {
        Scalar::Complex(z) => serde_json::json!([z.re, z.im]),
        Scalar::Int(i) => serde_json::json!(i),
        Scalar::Float(x) => serde_json::json!(x),
        Scalar::Bool(b) => serde_json::json!(b),
        other => serde_json::json!(format!("{other:?}")),
    };
    Json::from(shape) == want["shape"] && (0..data.len()).all(|i| number(i) == data[i])
}

/// What a program does wrong when it is run this way.
fn fault(program: &Program, way: Way, when: When) -> Option<String> {
    let mut session = session(way, std::path::Path::new("."));
    let mut lines = Lines::default();
    for (i, line) in program.source.lines().enumerate() {
        if session.eval("<program>", line, &mut lines) != Outcome::Fine {
            return Some(format!("{line}: {:?}", lines.0));
        }
        let names: Vec<&str> = session.names();
        let tensors = names.iter().filter(|n| matches!(session.get(n), Some(Value::Tensor(_))));
        let chosen: Vec<&str> = match when {
            When::AtTheEnd => Vec::new(),
            When::AfterEachLine => tensors.copied().collect(),
            When::InTurn => tensors.copied().skip(i % 3).step_by(3).collect(),
        };
        for name in chosen {
            if let Err(diag) = session.array(name) {
                return Some(format!("{line}: {name}: {}", diag.message));
            }
        }
    }
    let wrong = program.names.iter().find(|(name, want)| !session.array(name).is_ok_and(|a| same(&a, want)));
    wrong.map(|(name, want)| {
        let got: Vec<Scalar> =
            session.array(name).map_or(Vec::new(), |a| (0..a.view.layout.size()).map(|i| a.get(i)).collect());
        format!("{name} is {got:?}\n  expected {want}")
    })
}

#[test]
fn writes_are_seen_whenever_values_are_computed() {
    let all = programs();
    assert!(all.len() >= 190);
    let bad: Vec<String> = parallel(&all, |program| {
        for way in [WAYS[0], WAYS[2]] {
            for when in [When::AtTheEnd, When::AfterEachLine, When::InTurn] {
                if let Some(fault) = fault(program, way, when) {
                    return Some(format!("{when:?}, small at once {}\n{}\n  {fault}", way.eager_small, program.source));
                }
            }
        }
        None
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(bad.is_empty(), "{} of {}\n{}", bad.len(), all.len(), bad[..bad.len().min(8)].join("\n\n"));
}

/// What NumPy lacks: writes through diagonals, windows and strides made by hand.
#[test]
fn views_of_our_own_are_written_through() {
    let programs = [
        ("x = arange(9).reshape(3, 3)\ndiagonal(x)[...] = 0\nx", "[0,1,2,3,0,5,6,7,0]"),
        ("x = arange(9).reshape(3, 3)\nd = diagonal(x)\nd += d[::-1]\nx", "[8,1,2,3,8,5,6,7,8]"),
        ("x = arange(6)\nw = windows(x, 3)\nw[0] = w[3]\nx", "[3,4,5,3,4,5]"),
        ("x = arange(6)\nflip(x)[:2] = 9\nx", "[0,1,2,3,9,9]"),
        ("x = arange(6)\na, b = split(x, 2)\na[...] = b\nb[0] = 7\nx", "[3,4,5,7,4,5]"),
        ("x = arange(6)\nfor row in x.reshape(3, 2) { row[0] += 10 }\nx", "[10,1,12,3,14,5]"),
        ("x = arange(6)\nfn f(y) { y[0] = 50 }\nf(x[2:])\nx", "[0,1,50,3,4,5]"),
        ("x = arange(4)\ny = x\ndel x\ny[0] = 3\ny", "[3,1,2,3]"),
        ("x = arange(4)\nz = x[1, ...]\nx[1] = 8\nz", "[8]"),
        ("x = arange(4)\nz = x[1, ...]\nz[...] = 8\nx", "[0,8,2,3]"),
        ("x = arange(6).reshape(2, 3)\nx.T.T[0] = x[1]\nx", "[3,4,5,3,4,5]"),
        ("x = arange(6).reshape(2, 3)\nmoveaxis(x, 0, 1)[2] = 0\nx", "[0,1,0,3,4,0]"),
        ("x = arange(4)\nx[[0, 0, 0]] = arange(3)\nx", "[2,1,2,3]"),
        ("x = arange(4)\nx[array([1, 1])] += array([5, 7])\nx", "[0,8,2,3]"),
    ];
    for (source, want) in programs {
        for way in WAYS {
            let (lines, _) = common::run::run(source, way, std::path::Path::new("."));
            let got: Json = serde_json::from_str(lines.last().map_or("{}", String::as_str)).expect("JSON");
            assert_eq!(got["value"]["data"].to_string(), want, "{source}\n{lines:?}");
        }
    }
}
