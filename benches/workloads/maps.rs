//! E: elementwise, fused. V: views made real.

use super::data::{Rng, Tensor, made, uniform};
use super::{Made, Workload};

const MANY: usize = 1 << 24;
const SIDE: usize = 4096;

pub const ROWS: &[Workload] = &[
    Workload {
        id: "E1",
        title: "sum(relu(a*b + c)), 16M",
        before: "",
        text: "sum(relu(a * b + c))",
        tolerance: 1e-4,
        make: |rng| {
            let (tensors, [a, b, c]) = uniform(rng, [("a", &[MANY]), ("b", &[MANY]), ("c", &[MANY])], 1.0);
            let term = |i: usize| (f64::from(a[i]) * f64::from(b[i]) + f64::from(c[i])).max(0.0);
            let sum = (0..MANY).map(term).sum::<f64>();
            made(tensors, 1, move |_| sum)
        },
    },
    Workload {
        id: "E2",
        title: "tanh(a)*b + exp(-c), 16M",
        before: "",
        text: "tanh(a) * b + exp(-c)",
        tolerance: 2e-6,
        make: |rng| {
            let (tensors, [a, b, c]) = uniform(rng, [("a", &[MANY]), ("b", &[MANY]), ("c", &[MANY])], 1.0);
            made(tensors, 1 << 20, move |i| f64::from(a[i]).tanh() * f64::from(b[i]) + f64::from(-c[i]).exp())
        },
    },
    Workload {
        id: "E3",
        title: "GELU (tanh form, spelled out), 16M",
        before: "",
        text: "0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))",
        tolerance: 2e-6,
        make: gelu_data,
    },
    Workload { id: "E3g", title: "gelu_tanh, 16M", before: "", text: "gelu_tanh(x)", tolerance: 2e-6, make: gelu_data },
    Workload {
        id: "E4",
        title: "[4096, 4096] + [4096], broadcast",
        before: "",
        text: "x + v",
        tolerance: 1e-6,
        make: |rng| {
            let (tensors, [x, v]) = uniform(rng, [("x", &[SIDE, SIDE]), ("v", &[SIDE])], 1.0);
            made(tensors, 1 << 20, move |i| f64::from(x[i]) + f64::from(v[i % SIDE]))
        },
    },
    Workload {
        id: "E5",
        title: "a + b.T, 4096x4096",
        before: "",
        text: "a + b.T",
        tolerance: 1e-6,
        make: |rng| {
            let (tensors, [a, b]) = uniform(rng, [("a", &[SIDE, SIDE]), ("b", &[SIDE, SIDE])], 1.0);
            made(tensors, 1 << 20, move |i| f64::from(a[i]) + f64::from(b[i % SIDE * SIDE + i / SIDE]))
        },
    },
    Workload {
        id: "E6",
        title: "x[:, ::2, 1::3].sum(), [64, 512, 1024]",
        before: "",
        text: "x[:, ::2, 1::3].sum()",
        tolerance: 1e-3,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[64, 512, 1024])], 1.0);
            let row = |r: usize| x[r * 1024..][..1024].iter().skip(1).step_by(3).map(|&v| f64::from(v)).sum::<f64>();
            let sum = (0..64 * 512).step_by(2).map(row).sum::<f64>();
            made(tensors, 1, move |_| sum)
        },
    },
    Workload {
        id: "V1",
        title: "transpose copy, 4096x4096",
        before: "",
        text: "copy(x.T)",
        tolerance: 0.0,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[SIDE, SIDE])], 1.0);
            made(tensors, 1 << 20, move |i| f64::from(x[i % SIDE * SIDE + i / SIDE]))
        },
    },
    Workload {
        id: "V2",
        title: "permute(0, 2, 1, 3) copy, [32, 12, 512, 64]",
        before: "",
        text: "copy(x.permute(0, 2, 1, 3))",
        tolerance: 0.0,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[32, 12, 512, 64])], 1.0);
            made(tensors, 1 << 20, move |i| {
                let (d, h, s, n) = (i % 64, i / 64 % 12, i / 768 % 512, i / 393_216);
                f64::from(x[((n * 12 + h) * 512 + s) * 64 + d])
            })
        },
    },
    Workload {
        id: "V3",
        title: "reversed copy x[::-1], 16M",
        before: "",
        text: "copy(x[::-1])",
        tolerance: 0.0,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[MANY])], 1.0);
            made(tensors, 1 << 20, move |i| f64::from(x[MANY - 1 - i]))
        },
    },
    Workload {
        id: "V4",
        title: "gather x[:, idx], 1000 of [4096, 4096]",
        before: "",
        text: "x[:, i]",
        tolerance: 0.0,
        make: gather_data,
    },
    Workload {
        id: "V4t",
        title: "take(x, idx, axis=1) of the same",
        before: "",
        text: "take(x, i, axis=1)",
        tolerance: 0.0,
        make: gather_data,
    },
    Workload {
        id: "V5",
        title: "channel slice copy [64, 3, 224, 224][:, 1]",
        before: "",
        text: "copy(x[:, 1])",
        tolerance: 0.0,
        make: |rng| {
            const PLANE: usize = 224 * 224;
            let (tensors, [x]) = uniform(rng, [("x", &[64, 3, 224, 224])], 1.0);
            made(tensors, 1 << 20, move |i| f64::from(x[(i / PLANE * 3 + 1) * PLANE + i % PLANE]))
        },
    },
    Workload {
        id: "V6",
        title: "im2col 3x3 pad 1 of [8, 64, 56, 56]",
        before: "",
        text: "windows(pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3)).permute(0, 1, 4, 5, 2, 3).reshape(8, 576, 3136)",
        tolerance: 0.0,
        make: |rng| {
            let (tensors, [x]) = uniform(rng, [("x", &[8, 64, 56, 56])], 1.0);
            made(tensors, 1 << 20, move |i| {
                let (at, tap, plane) = (i % 3136, i / 3136 % 9, i / (3136 * 9));
                let (r, c) = (at / 56 + tap / 3, at % 56 + tap % 3);
                let inside = (1..=56).contains(&r) && (1..=56).contains(&c);
                if inside { f64::from(x[plane * 3136 + (r - 1) * 56 + c - 1]) } else { 0.0 }
            })
        },
    },
];

fn gelu_data(rng: &mut Rng) -> Made {
    let (tensors, [x]) = uniform(rng, [("x", &[MANY])], 4.0);
    made(tensors, 1 << 20, move |i| {
        let x = f64::from(x[i]);
        0.5 * x * (1.0 + (0.7978845608028654 * (x + 0.044715 * x * x * x)).tanh())
    })
}

fn gather_data(rng: &mut Rng) -> Made {
    let (mut tensors, [x]) = uniform(rng, [("x", &[SIDE, SIDE])], 1.0);
    let places: Vec<i64> = (0..1000).map(|_| rng.below(SIDE as u64) as i64).collect();
    tensors.push(("i", Tensor::i64(&places, &[1000])));
    made(tensors, 1 << 20, move |i| f64::from(x[i / 1000 * SIDE + places[i % 1000] as usize]))
}
