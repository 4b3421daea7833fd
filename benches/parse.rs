//! How fast valid text parses, in MB/s. `cargo bench --bench parse`

use std::time::Instant;
use tsk::base::SourceId;

const SCRIPT: &str = r#"# A small network, as people write them
fn attend(q: f32[b, h, s, d], k: f32[b, h, t, d], scale=1.0) {
    scores = q @ k.transpose(0, 1, 3, 2) * scale / sqrt(float(d))
    mask = arange(t)[None, :] > arange(s)[:, None]
    scores[..., mask] = -inf
    return softmax(scores, axis=-1)
}
w1 = randn(784, 256) * 0.05; b1 = zeros(256)
for i, (x, y) in enumerate(zip(batches, labels)) {
    h = relu(x.reshape(-1, 784) @ w1 + b1)
    loss = -log_softmax(h @ w2 + b2)[arange(64), y].mean()
    if i % 100 == 0 and not quiet { print(f"step {i}: loss {loss:.4f}") } else { total += loss }
}
names = [n for n in m.keys() if "attn" in n]
x[0:128, ::2, -1] += array([1, 2.5, 3e-4, 0xff]) |> f32 |> sum
assert abs(a - b).max() < 1e-6, "too far apart"
"#;

fn main() {
    let text = SCRIPT.repeat(4_000_000 / SCRIPT.len());
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        let parsed = tsk::lang::parse(SourceId(0), &text);
        best = best.min(start.elapsed().as_secs_f64());
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    }
    let start = Instant::now();
    for _ in 0..1000 {
        std::hint::black_box(tsk::lang::parse(SourceId(0), "x = arange(12).reshape(3, 4)"));
    }
    let line = start.elapsed().as_secs_f64() * 1000.0;
    println!("parse: {:.2} MB/s, {line:.1} µs for one short line", text.len() as f64 / best / 1e6);
}
