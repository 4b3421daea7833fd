//! `tsk check` with extents that nobody knows: what clashes whatever they are is reported, with their names, and
//! nothing else is.

mod common;

use common::{cases, here, parallel};
use std::sync::Arc;
use tsk::report::Log;
use tsk::session::{Config, Session};

fn check(text: &str) -> Log {
    let config = Config { backend: Some(Arc::new(tsk::backend::Null::new())), ..Config::default() };
    let (mut session, mut log) = (Session::new(config), Log::default());
    let _ = session.check("test.tsk", text, &mut log);
    log
}

/// A script with a fault, and a neighbour that is right for some extents.
const PAIRS: &[(&str, &str)] = &[
    ("fn f(x: f32[b, 784], w: f32[784, 10]) = x @ w.T", "fn f(x: f32[b, 784], w: f32[784, 10]) = x @ w"),
    ("fn f(a: f32[n, 3], b: f32[4, m]) = a @ b", "fn f(a: f32[n, d], b: f32[m, d]) = a @ b"),
    ("fn f(x: f32[b, 784]) = x.reshape(b, 28, 29)", "fn f(x: f32[b, 784]) = x.reshape(b, 28, 28)"),
    ("fn f(x: f32[b, 784]) = x.reshape(b, -1, 100)", "fn f(x: f32[b, 784]) = x.reshape(-1, 100)"),
    ("fn f(x: f32[n, d]) = x.reshape(n, d, 2)", "fn f(x: f32[n, d]) = x.reshape(n, d // 2, 2)"),
    ("fn f(x: f32[n, d]) = x[n]", "fn f(x: f32[n, d]) = x[n - 1]"),
    ("fn f(x: f32[n, d]) = x[0, 1, 2]", "fn f(x: f32[n, d]) = x[0, 1]"),
    ("fn f(x: f32[n, d]) = x.sum(axis=2)", "fn f(x: f32[n, d]) = x.sum(axis=1)"),
    ("fn f(x: f32[..., 10]) = x + zeros(3)", "fn f(x: f32[..., d]) = x + zeros(3)"),
    ("fn f(x: f32[_, 4]) = x + zeros(3)", "fn f(x: f32[4, _]) = x + zeros(3)"),
    ("fn f(x: f32[n, n]) = x << 1", "fn f(x: [n, n]) = x << 1"),
    ("fn f(a: f32[n, d]) = a @ concat([a, a]).T @ a", "fn f(a: f32[n, d]) = a @ concat([a, a]).T @ concat([a, a])"),
    ("fn f(a: f32[n, d]) = concat([a, zeros(3, 4, 5)])", "fn f(a: f32[n, d]) = concat([a, zeros(3, 4)])"),
    ("fn f(a: f32[n, 4]) = stack([a, zeros(n, 5)])", "fn f(a: f32[n, 4]) = stack([a, zeros(3, 4)])"),
    (
        "fn f(x: f32[b, 3, h, w]) = conv2d(x, zeros(8, 4, 3, 3))",
        "fn f(x: f32[b, c, h, w]) = conv2d(x, zeros(8, 4, 3, 3))",
    ),
    (
        "fn f(t: i64[b, s], w: f32[v, 64]) = w[t] @ zeros(32, 5)",
        "fn f(t: i64[b, s], w: f32[v, 64]) = w[t] @ zeros(64, 5)",
    ),
    (
        "fn f(t: i64[b, s], w: f32[v, 64]) = embedding(t, w) @ zeros(32, 5)",
        "fn f(t: i64[b, s], w: f32[v, e]) = embedding(t, w) @ zeros(32, 5)",
    ),
    ("x: f32[b, 784] = load(args[0])\nx @ zeros(10, 4)", "x: f32[b, d] = load(args[0])\nx @ zeros(10, 4)"),
    (
        "x = rand(10, 3)\ny = x[x[:, 0] > 0.5]\ny @ zeros(4, 2)",
        "x = rand(10, 3)\ny = x[x[:, 0] > 0.5]\nzeros(2, 4) @ y + y[7]",
    ),
    ("y = unique(rand(10))\ny[:, 0]", "y = unique(rand(10))\ny[3] + y.reshape(2, 2)"),
    ("i, j, k = nonzero(rand(10, 4) > 0.5)", "i, j = nonzero(rand(10, 4) > 0.5)\ni[2] + j + zeros(7)"),
    (
        "x = zeros(5, 4)\nx[argmax(rand(3, 5), axis=1)] + zeros(7)",
        "x = zeros(5, 4)\nx[argmax(rand(3, 5), axis=1)] + zeros(3, 4)",
    ),
    (
        "fn f(q: f32[b, h, s, d], k: f32[b, h, t, d]) { a = q @ k.mT; a.permute(0, 2, 1) }",
        "fn f(q: f32[b, h, s, d], k: f32[b, h, t, d]) { a = q @ k; a.permute(0, 2, 1, 3) }",
    ),
    (
        "fn f(x: f32[b, s, 768], heads=12) { b, s, d = x.shape\n x.reshape(b, s, heads, d // heads) + zeros(7) }",
        "fn f(x: f32[b, s, d], heads=12) { b, s, d = x.shape\n x.reshape(b, s, heads, d // heads) + zeros(64) }",
    ),
    (
        "fn f(x: f32[n, 8]) { for i in range(4) { x = x @ zeros(8, 9) }; x }",
        "fn f(x: f32[n, 8]) { for i in range(n) { x = x @ zeros(8, 8) }; x }",
    ),
    ("fn g(x: f32[n, 4]) = x\nfn f(y: f32[m, 5]) = g(y)", "fn g(x: f32[n, n]) = x\nfn f(y: f32[m, 5]) = g(y)"),
    ("x = rand(6, 4)\nx[x[0] > 0.5, 0]", "x = rand(6, 4)\nx[0, x[0] > 0.5] = rand(4)[x[0] > 0.3]"),
    (
        "fn f(x: f32[n, 4]) = einsum(\"ij,jk\", x, zeros(3, n))",
        "fn f(x: f32[n, d]) = einsum(\"ij,jk\", x[:, :4], zeros(n, 3))",
    ),
    ("fn f(x: f64[n], y: c64[n]) { x.anything; y }", "fn f(x: f64[n], y: c64[m]) = x + y"),
    ("fn f(x: f32[n, 10]) = windows(x, 11, axis=1)", "fn f(x: f32[n, m]) = windows(x, 11, axis=1)"),
];

#[test]
fn what_always_clashes_is_reported_by_name() {
    let reports: Vec<String> = PAIRS
        .iter()
        .map(|(wrong, _)| {
            let log = check(wrong);
            assert_eq!(log.errors.len(), 1, "{wrong}\n{}", log.text);
            log.text
        })
        .collect();
    insta::assert_snapshot!(reports.join("\n"));
}

#[test]
fn what_some_extents_would_mend_is_not() {
    let wrong: Vec<String> = PAIRS
        .iter()
        .map(|(_, right)| (right, check(right)))
        .filter(|(_, log)| !log.errors.is_empty())
        .map(|(right, log)| format!("{right}\n{}", log.text))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Functions that are right for extents hard to guess.
const LUCKY: &[&str] = &[
    "fn f(x: f32[n], y: f32[m]) = concat([x, x, zeros(3)]) + y",
    "fn f(x: f32[n, m]) = det(x) + inv(x) + cholesky(x @ x)",
    "fn f(x: f32[h, w]) = max_pool2d(x[None, None], 2).reshape(56, 64)",
    "fn f(x: f32[b, 3, h, w]) { y = conv2d(x, zeros(8, 3, 5, 5), stride=2); y.reshape(b, 8 * 110 * 110) }",
    "fn f(x: f32[n, d], k=3) { if n > 100 { x = x[:50] }; x + zeros(37, 1) }",
    "fn f(x: f32[n]) { if n != 7 { return None }; x + zeros(7) }",
    "fn f(x: f32[n]) = x.reshape(6, 7, -1) + zeros(11)",
    "fn f(x: f32[n]) = x[:8] + zeros(5)",
    "fn f(x: f32[n], i: i64[m]) { x[i] = zeros(3); x[x > 0] = 1; x[x > 0] += x[x < 0]; x }",
    "fn f(x: f32[n, d]) { a, b = x; a + b }",
    "fn f(x: f32[n]) = stack([x[i] for i in range(n)]) + zeros(9)",
    "fn f(x: f32[n]) { s = 0; while s < n { s += 3 }; zeros(s) + zeros(9) }",
    "fn f(x: f32[n]) = split(x, 5)[4] + zeros(3)",
    "fn f(x: f32[n, m]) = rearrange(x, \"(a b) c -> a b c\", a=13)",
    "fn f(x: f32[n, c], y: f32[n]) = x[y > 0] @ x[y < 0].T + zeros(3, 4)",
    "fn f(x: f32[n]) = zeros(5)[n]",
    "fn f(x: f32[b, s, d], w: f32[d, e]) = (x @ w).reshape(b, s, 3, 8, -1).permute(2, 0, 3, 1, 4)[0]",
    "fn f(x: f32[a, b, c, d, e, g]) = x.reshape(a * b, c * d, e * g) + zeros(17, 23, 1)",
];

#[test]
fn luck_is_possible() {
    let wrong = LUCKY.iter().map(|text| (text, check(text))).filter(|(_, log)| !log.errors.is_empty());
    let wrong: Vec<String> = wrong.map(|(text, log)| format!("{text}\n{}", log.text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What runs without an error checks without one.
#[test]
fn the_conformance_programs_check_silently() {
    let files = std::fs::read_dir(here("conformance")).unwrap().flatten().map(|e| e.path());
    let all: Vec<_> = files.filter(|p| p.extension().is_some_and(|e| e == "jsonl")).flat_map(|p| cases(&p)).collect();
    let fine: Vec<_> = all.iter().filter(|c| c.expected.iter().all(|e| e.get("error").is_none())).collect();
    assert!(fine.len() > 1000, "{}", fine.len());
    let found = parallel(&fine, |case| check(&case.source));
    let wrong = fine.iter().zip(&found).filter(|(_, log)| !log.errors.is_empty());
    let wrong: Vec<String> = wrong.map(|(case, log)| format!("{}\n{}\n{}", case.id, case.source, log.text)).collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), fine.len(), wrong.join("\n"));
}
