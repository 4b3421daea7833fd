//! Packed tensors as values: views of whole blocks, kernels that decode as they read, files that keep the blocks.

use std::path::PathBuf;
use tsk::session::{Config, Outcome, Session};
use tsk::value::Value;

struct Sink(Vec<String>);

impl tsk::eval::Sink for Sink {
    fn value(&mut self, value: &Value, _: &tsk::func::Options) {
        self.0.push(tsk::value::json(value));
    }

    fn print(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }

    fn error(&mut self, diag: &tsk::base::Diag, _: &tsk::base::SourceMap) {
        self.0.push(format!("{}: {}", diag.code, diag.message));
    }

    fn warn(&mut self, _: &tsk::base::Diag, _: &tsk::base::SourceMap) {}

    fn plan(&mut self, plan: &tsk::plan::Plan, map: &tsk::base::SourceMap) {
        self.0.push(plan.text(map));
    }
}

/// What a text shows, in a folder of its own.
fn show(text: &str) -> Vec<String> {
    let dir = tempfile::tempdir().expect("a folder");
    let config = Config { dir: PathBuf::from(dir.path()), ..Config::default() };
    let mut sink = Sink(Vec::new());
    let outcome = Session::new(config).eval("test", text, &mut sink);
    if outcome != Outcome::Fine && !sink.0.last().is_some_and(|l| l.starts_with('E')) {
        panic!("{outcome:?}: {:?}", sink.0);
    }
    sink.0
}

const W: &str = "w = quantize(arange(128.0).reshape(2, 64) - 64, q8_0)\n";

#[track_caller]
fn check(text: &str, want: &[&str]) {
    assert_eq!(show(&format!("{W}{text}")), want);
}

#[test]
fn layouts_count_blocks() {
    check("(w.shape, w.strides, w.offset, w.nbytes)", &["{\"list\": [[2, 64], [2, 1], 0, 136]}"]);
    check("v = w[1:, 32:]; (v.shape, v.strides, v.offset, v.nbytes)", &["{\"list\": [[1, 32], [2, 1], 3, 34]}"]);
    check("(w.T.shape, w.T.strides)", &["{\"list\": [[64, 2], [1, 2]]}"]);
    check("w.dtype == q8_0", &["{\"scalar\": true}"]);
    check("w.dtype", &["{\"scalar\": \"q8_0\"}"]);
}

#[test]
fn cut_blocks_are_refused() {
    for cut in ["w[:, 1:33]", "w[:, ::2]", "w[:, 5]", "w[:, [1, 2]]", "w[w > 0]", "flip(w, 1)", "diagonal(w)", "w.T[3]"]
    {
        let shown = show(&format!("{W}{cut}"));
        assert!(shown.len() == 1 && shown[0].starts_with("E0216"), "{cut}: {shown:?}");
    }
    let shown = show(&format!("{W}w[0] = 1.0"));
    assert!(shown[0].starts_with("E06"), "{shown:?}");
}

#[test]
fn kernels_decode_what_they_read() {
    let near = |text: &str| {
        let shown = show(&format!("{W}u = unpack(w)\nallclose({text}, rtol=1e-5, atol=1e-4).item()"));
        assert_eq!(shown, ["{\"scalar\": true}"], "{text}");
    };
    near("w * 1.0, u");
    near("w.T + 1, u.T + 1");
    near("w.sum(axis=0), u.sum(axis=0)");
    near("w.sum(axis=1), u.sum(axis=1)");
    near("softmax(w), softmax(u)");
    near("w[::-1, 32:] - 1, u[::-1, 32:] - 1");
    near("ones(3, 64) @ w.T, ones(3, 64) @ u.T");
    near("ones(3, 2) @ w, ones(3, 2) @ u");
    near("w @ ones(64), u @ ones(64)");
    near("ones(64, dtype=f64) @ w.T, ones(64, dtype=f64) @ u.T");
    near("w[[1, 0, 1]], u[[1, 0, 1]]");
    near("sort(w, axis=0), sort(u, axis=0)");
    near("sort(w), sort(u)");
    near("cumsum(w, axis=1), cumsum(u, axis=1)");
    near("rfft(w).real, rfft(u).real");
    near("concat([w, u]), concat([u, u])");
    near("w.reshape(4, 32) + 0, u.reshape(4, 32)");
    near("stack([x for x in w]), u");
    near("unpack(quantize(w, q8_0)), u");
    near("where(w > 0, w, 0), where(u > 0, u, 0)");
    check(
        "w[1, 3]; x = zeros(2, 64); x[...] = w; x[1, 3] == w[1, 3]",
        &[
            "{\"value\": {\"dtype\": \"bool\", \"shape\": [], \"data\": [true], \"strides\": [], \"offset\": 0, \"view\": false}}",
        ],
    );
    check("w[1, 3].dtype", &["{\"scalar\": \"f32\"}"]);
}

#[test]
fn plans_tell_the_decoding_and_its_bytes() {
    let shown = show(&format!("{W}explain w.sum()"));
    assert!(shown[0].contains("decoding q8_0 blocks") && shown[0].contains("read     136 B"), "{}", shown[0]);
}

#[test]
fn user_formats_take_their_names() {
    let text = "nf = packed(block=4, bits=2, codebook=[-1.0, 0.0, 0.5, 1.0])\nx = quantize(array([-1.0, 0.4, 1.0, 0.1]), nf)\nx.dtype\nunpack(x).tolist()";
    assert_eq!(show(text), ["{\"scalar\": \"nf\"}", "{\"list\": [-1.0, 0.5, 1.0, 0.0]}"]);
}

#[test]
fn files_keep_blocks_and_metadata() {
    let text = "save(record(w=w, blk=record(b=ones(2))), 'm.gguf', meta=record(kind='t', n=[1, 2]))
m = load('m.gguf')
(m.w.dtype, m.blk.b.tolist(), m.meta['kind'], [k for k in m.meta['n']], len(m))
allclose(m.w * 1, unpack(w)).item()
close(m)
m['w']";
    let shown = show(&format!("{W}{text}"));
    assert_eq!(shown[..2], ["{\"list\": [\"q8_0\", [1.0, 1.0], \"t\", [1, 2], 2]}", "{\"scalar\": true}"]);
    assert!(shown.len() == 3 && shown[2].starts_with("E0613"), "{shown:?}");
}

#[test]
fn a_changed_file_is_refused_before_it_is_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = Config { dir: PathBuf::from(dir.path()), ..Config::default() };
    let mut session = Session::new(config);
    let mut sink = Sink(Vec::new());
    assert_eq!(session.eval("a", "save(arange(4), \"x.npy\")\nx = load(\"x.npy\")\nx + 1;", &mut sink), Outcome::Fine);
    let path = dir.path().join("x.npy");
    let mut bytes = std::fs::read(&path).expect("saved");
    bytes.push(0);
    std::fs::write(&path, bytes).expect("writable");
    assert_eq!(session.eval("b", "(x + 1).sum()", &mut sink), Outcome::Failed);
    assert!(sink.0.last().is_some_and(|l| l.starts_with("E0614")), "{:?}", sink.0);
}
