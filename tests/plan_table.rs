//! The plan of well-known programs: kernels, copies and bytes stay under their bounds, and what the backends count
//! while they run is what the plan told.

mod common;

use std::path::Path;
use std::sync::Arc;
use tsk::backend::{Cpu, Null};
use tsk::func::Options;
use tsk::kernel::{Backend, Cancel, Counters};
use tsk::plan::{NodeRef, lower};
use tsk::report::Log;
use tsk::run::{Limits, force};
use tsk::session::{Config, Session};
use tsk::tensor::{Buffer, DType, HostArray, Layout, View};
use tsk::value::nodes;

struct Row {
    name: &'static str,
    inputs: &'static [(&'static str, &'static [usize])],
    program: &'static str,
    kernels: u64,
    copies: u64,
    /// Read and written together.
    megabytes: f64,
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row { name: "map_into_sum", inputs: &[("a", &[256, 1024]), ("b", &[256, 1024]), ("c", &[1024])], program: "sum(relu(a*b + c))", kernels: 1, copies: 0, megabytes: 2.11 },
    Row { name: "strided_sum", inputs: &[("x", &[64, 128, 256])], program: "sum(x[:, ::2, 1::3]*2 + 1)", kernels: 1, copies: 0, megabytes: 1.40 },
    Row { name: "transposed_add", inputs: &[("a", &[512, 512]), ("b", &[512, 512])], program: "a + b.T", kernels: 1, copies: 0, megabytes: 3.15 },
    Row { name: "softmax", inputs: &[("x", &[128, 512])], program: "softmax(x)", kernels: 1, copies: 0, megabytes: 0.53 },
    Row { name: "layer_norm", inputs: &[("x", &[256, 768])], program: "layer_norm(x)", kernels: 1, copies: 0, megabytes: 1.58 },
    Row { name: "attention", inputs: &[("q", &[12, 128, 64]), ("k", &[12, 128, 64]), ("v", &[12, 128, 64])], program: "softmax(q @ k.mT * 0.125) @ v", kernels: 3, copies: 0, megabytes: 4.75 },
    Row { name: "heads", inputs: &[("x", &[128, 768]), ("w", &[768, 768])], program: "(x @ w).reshape(128,12,64).permute(1,0,2)*2", kernels: 2, copies: 0, megabytes: 3.94 },
    Row { name: "reshaped_transpose", inputs: &[("x", &[256, 512])], program: "sum(x.T.reshape(-1,64)*3, axis=1)", kernels: 2, copies: 1, megabytes: 1.59 },
    Row { name: "normalised_crop", inputs: &[("x", &[8, 3, 224, 224])], program: "(x[:, :, 16:208, 16:208] - 0.5)/0.25", kernels: 1, copies: 0, megabytes: 7.08 },
    Row { name: "channel_sum", inputs: &[("x", &[8, 3, 224, 224])], program: "x[:, 0].sum(axis=2).sum(axis=1)", kernels: 1, copies: 0, megabytes: 1.61 },
    Row { name: "transposed_product", inputs: &[("a", &[256, 256]), ("b", &[256, 256])], program: "a.T @ b.T", kernels: 1, copies: 0, megabytes: 0.79 },
    Row { name: "product_epilogue", inputs: &[("a", &[256, 256]), ("b", &[256, 256]), ("c", &[256])], program: "relu(a @ b + c)", kernels: 1, copies: 0, megabytes: 0.79 },
    Row { name: "distances", inputs: &[("a", &[300, 16]), ("b", &[200, 16])], program: "sum((a[:, None] - b[None])**2, axis=2)", kernels: 1, copies: 0, megabytes: 0.28 },
    Row { name: "differences", inputs: &[("x", &[65_536])], program: "x[1:] - x[:-1]", kernels: 1, copies: 0, megabytes: 0.79 },
    Row { name: "shared_value", inputs: &[("x", &[512, 512])], program: "fn f(t) = sum(t*t) + sum(t)\nf(exp(x))", kernels: 3, copies: 0, megabytes: 2.11 },
    Row { name: "rope", inputs: &[("x", &[4, 128, 256]), ("c", &[128, 128]), ("s", &[128, 128])], program: "concat([x[..., :128]*c - x[..., 128:]*s, x[..., 128:]*c + x[..., :128]*s], axis=-1)", kernels: 2, copies: 0, megabytes: 1.84 },
];

/// Numbers that vary, so that nothing is compact.
fn array(shape: &[usize], computes: bool) -> HostArray {
    let layout = Layout::contiguous(shape).expect("a small shape");
    let count = if computes { layout.size() } else { 0 };
    let bytes: Vec<u8> = (0..count).flat_map(|i| ((i % 251) as f32 / 251.0).to_ne_bytes()).collect();
    let buffer = Arc::new(Buffer::from_bytes(&bytes).expect("memory"));
    HostArray { buffer, view: View { layout, dtype: DType::F32, conj: false } }
}

fn session(row: &Row, backend: Arc<dyn Backend>) -> Session {
    let options = Options { eager_small: false, ..Options::default() };
    let computes = backend.computes();
    let mut session = Session::new(Config { options, backend: Some(backend), ..Config::default() });
    for (name, shape) in row.inputs {
        session.set(name, array(shape, computes));
    }
    session
}

/// The pending nodes of `y = program`.
fn pending(session: &mut Session, program: &str) -> Vec<NodeRef> {
    let (before, last) = program.rsplit_once('\n').map_or(("", program), |(b, l)| (b, l));
    let mut log = Log::default();
    let _ = session.eval("<row>", &format!("{before}\ny = {last}"), &mut log);
    assert!(log.errors.is_empty(), "{program}\n{}", log.text);
    let mut found = Vec::new();
    nodes(&session.get("y").expect("y is bound"), &mut found);
    found
}

fn since(before: Counters, after: Counters) -> (u64, u64, u64, u64) {
    (
        after.launches - before.launches,
        after.copies - before.copies,
        after.bytes_read - before.bytes_read,
        after.bytes_written - before.bytes_written,
    )
}

#[test]
fn rows_stay_under_their_bounds() {
    let mut bad = Vec::new();
    for row in ROWS {
        let mut session = session(row, Arc::new(Cpu::new(1)));
        let plan = session.plan(row.program, &mut Log::default()).unwrap_or_else(|d| panic!("{}: {d:?}", row.program));
        let (t, text) = (plan.totals(), plan.text(session.sources()));
        let moved = (t.bytes_read + t.bytes_written) as f64 / 1e6;
        if t.kernels > row.kernels || t.copies != row.copies || moved > row.megabytes + 0.005 {
            bad.push(format!(
                "{}\nallowed {} kernels, {} copies, {} MB\n{text}\n",
                row.program, row.kernels, row.copies, row.megabytes
            ));
        }
        insta::assert_snapshot!(row.name, text, row.program);
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// What a backend counts while it runs each row, against the totals of the row's plan.
fn counted(backend: fn() -> Arc<dyn Backend>) {
    for row in ROWS {
        let mut session = session(row, backend());
        let nodes = pending(&mut session, row.program);
        let t = lower(&nodes).totals();
        let backend = session.backend().clone();
        let before = backend.counters();
        let ran = force(&nodes, &*backend, &Limits { max_memory: u64::MAX, large_copy: u64::MAX }, &Cancel::default());
        assert!(ran.is_ok(), "{}: {ran:?}", row.program);
        let counted = since(before, backend.counters());
        assert_eq!(counted, (t.kernels, t.copies, t.bytes_read, t.bytes_written), "{}", row.program);
    }
}

#[test]
fn the_processor_counts_what_the_plan_told() {
    counted(|| Arc::new(Cpu::new(2)));
}

#[test]
fn the_null_backend_counts_what_the_plan_told() {
    counted(|| Arc::new(Null::default()));
}

/// The program that is run is the one that is shown: binding the result changes nothing.
#[test]
fn a_bound_result_has_the_plan_of_the_expression() {
    for row in ROWS {
        let mut session = session(row, Arc::new(Cpu::new(1)));
        let shown = session.plan(row.program, &mut Log::default()).map(|p| p.totals());
        let nodes = pending(&mut session, row.program);
        assert_eq!(shown.ok(), Some(lower(&nodes).totals()), "{}", row.program);
    }
}

fn counters_of(text: &str, eager_small: bool) -> (Session, (u64, u64, u64, u64)) {
    let options = Options { eager_small, ..Options::default() };
    let backend: Arc<dyn Backend> = Arc::new(Cpu::new(1));
    let dir = Path::new(".").to_owned();
    let mut session = Session::new(Config { options, dir, backend: Some(backend.clone()) });
    let mut log = Log::default();
    let _ = session.eval("<text>", text, &mut log);
    assert!(log.errors.is_empty(), "{}", log.text);
    (session, since(Counters::default(), backend.counters()))
}

#[test]
fn a_thousand_stores_copy_nothing() {
    for eager_small in [true, false] {
        for (text, last) in [
            ("x = zeros(1000)\nfor i in range(1000) { x[i] = i }\nprint(x[999].item())", 999.0),
            ("x = zeros(1000)\nfor i in range(1000) { x[i] += 2 }\nprint(x.sum().item())", 2.0),
            ("x = zeros((1000, 50))\nfor i in range(1000) { x[i, ::2] = 3 }\nprint(x.sum().item())", 0.0),
            ("x = zeros(1000)\ny = x[::2]\nfor i in range(500) { y[i] = 1 }\nprint(x.sum().item())", 0.0),
        ] {
            let (mut session, (launches, copies, _, _)) = counters_of(text, eager_small);
            assert_eq!(copies, 0, "{text}\neager {eager_small}");
            assert!(launches >= 500, "{text}: {launches} launches");
            let array = session.array("x").expect("x is bound");
            let at = array.view.layout.size() - 1;
            assert_eq!(array.get(at), tsk::tensor::Scalar::Float(last), "{text}");
        }
    }
}

#[test]
fn a_reader_of_an_old_version_costs_one_copy_at_most() {
    let text = "x = zeros(1000)\nold = x + 1\nfor i in range(100) { x[i] = i }\nprint(old.sum(), x.sum())";
    let (_, (_, copies, _, _)) = counters_of(text, false);
    assert!(copies <= 1, "{copies} copies");
}
