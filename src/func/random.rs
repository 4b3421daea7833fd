//! Random numbers. The default generator is counter-based: element i of call c has numbers of its own, whatever the
//! thread count and the order of computing. Each call takes the next stream, so that lines count, not forcing.

use super::make::{Make, leaf, leaf_float, leaf_i64, num, t};
use super::{Args, Cx, convert};
use crate::base::Diag;
use crate::kernel::{CastMode, InstrOp, RandomKind, philox};
use crate::plan::Tensor;
use crate::plan::build::{self, MapArg, cast_reg};
use crate::tensor::{DType, Scalar, broadcast_shapes};
use crate::value::Value;
use rand_core::{Rng, SeedableRng};

type Out = Result<Value, Diag>;

pub(super) const GENERATORS: &[&str] = &["philox", "pcg64", "xoshiro", "chacha"];

/// The numbers of one call.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    seed: u64,
    number: u64,
    generator: &'static str,
}

impl Stream {
    pub(super) fn next(cx: &mut Cx) -> Stream {
        let options = cx.options();
        options.random_calls += 1;
        Stream { seed: options.seed, number: options.random_calls, generator: options.generator }
    }

    /// As `next`, with the generator of argument `i` where one is named.
    pub(super) fn of(cx: &mut Cx, args: &Args, i: usize) -> Result<Stream, Diag> {
        let mut stream = Stream::next(cx);
        if let Some(name) = args.opt_str(i)? {
            stream.generator = named(args, i, &name)?;
        }
        Ok(stream)
    }

    /// The sequential generators start anew for each call, from seed and number.
    fn sequence(self) -> Box<dyn FnMut() -> u64> {
        fn boxed<R: Rng + SeedableRng + 'static>(seed: u64) -> Box<dyn FnMut() -> u64> {
            let mut rng = R::seed_from_u64(seed);
            Box::new(move || rng.next_u64())
        }
        let seed = philox::bits(philox::words(self.seed, self.number, 0));
        match self.generator {
            "pcg64" => boxed::<rand_pcg::Pcg64>(seed),
            "xoshiro" => boxed::<rand_xoshiro::Xoshiro256PlusPlus>(seed),
            _ => boxed::<rand_chacha::ChaCha20Rng>(seed),
        }
    }

    /// Uniform or normal numbers.
    fn draw(self, cx: &mut Cx, kind: RandomKind, shape: &[usize], dtype: DType) -> Result<Tensor, Diag> {
        if self.generator == "philox" {
            return Ok(Tensor::of(build::random(kind, shape, dtype, self.seed, self.number, cx.span)?));
        }
        let count = build::checked_shape(shape, dtype)?.size();
        cx.room(count)?;
        let mut next = self.sequence();
        let values: Vec<f64> = (0..count).map(|_| philox::draw(kind, words(&mut next), dtype)).collect();
        leaf_float(&values, dtype, shape)
    }

    /// Random bits as u64.
    fn bits(self, cx: &mut Cx, shape: &[usize]) -> Result<Tensor, Diag> {
        if self.generator == "philox" {
            let (kind, dtype) = (RandomKind::Bits, DType::U64);
            return Ok(Tensor::of(build::random(kind, shape, dtype, self.seed, self.number, cx.span)?));
        }
        let count = build::checked_shape(shape, DType::U64)?.size();
        cx.room(count)?;
        let mut next = self.sequence();
        let values: Vec<u64> = (0..count).map(|_| next()).collect();
        leaf(&values, DType::U64, shape)
    }

    /// Element `i` of host-made numbers: as many draws as it needs, none of which another element shares.
    fn element(self, i: usize) -> impl FnMut() -> [u32; 4] {
        let mut round = 0u64;
        move || {
            round += 1;
            philox::words(self.seed, self.number | round << 40, i as i64)
        }
    }
}

fn words(next: &mut dyn FnMut() -> u64) -> [u32; 4] {
    let (a, b) = (next(), next());
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

fn named(args: &Args, i: usize, name: &str) -> Result<&'static str, Diag> {
    GENERATORS
        .iter()
        .copied()
        .find(|g| *g == name)
        .ok_or_else(|| args.fault(i, "E0120", format!("no generator {name:?}")).hint(GENERATORS.join(", ")))
}

pub(super) fn seed(cx: &mut Cx, args: &Args) -> Out {
    let n = args.int(cx, 0)?;
    let options = cx.options();
    options.seed = n as u64;
    options.random_calls = 0;
    Ok(Value::None)
}

pub(super) fn generator(cx: &mut Cx, args: &Args) -> Out {
    if let Some(name) = args.opt_str(0)? {
        let name = named(args, 0, &name)?;
        cx.options().generator = name;
    }
    Ok(Value::str(cx.options().generator))
}

fn float_dtype(cx: &mut Cx, args: &Args, i: usize) -> Result<DType, Diag> {
    let dtype = args.opt_dtype(i)?.unwrap_or(cx.default_float());
    if dtype.is_float() {
        return Ok(dtype);
    }
    Err(args.fault(i, "E0402", format!("random floats have a float dtype, not {dtype}")))
}

/// `rand(2, 3)` and `randn((2, 3))`: parameters dtype, generator.
fn plain(cx: &mut Cx, args: &Args, kind: RandomKind) -> Out {
    let shape = args.rest_shape(cx)?;
    let dtype = float_dtype(cx, args, 0)?;
    let stream = Stream::of(cx, args, 1)?;
    let out = stream.draw(cx, kind, &shape, dtype)?;
    Ok(cx.give(out))
}

pub(super) fn rand(cx: &mut Cx, args: &Args) -> Out {
    plain(cx, args, RandomKind::Uniform)
}

pub(super) fn randn(cx: &mut Cx, args: &Args) -> Out {
    plain(cx, args, RandomKind::Normal)
}

/// The shape of argument `i`, or that to which the parameters broadcast.
fn size(cx: &mut Cx, args: &Args, i: usize, parameters: &[usize]) -> Result<Vec<usize>, Diag> {
    if !args.is_none(i) {
        return args.shape(cx, i);
    }
    let mut shapes: Vec<Vec<usize>> = Vec::new();
    for &p in parameters {
        if convert::scalar(args.value(p)).is_none() {
            shapes.push(args.tensor(cx, p)?.shape().to_vec());
        }
    }
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    Ok(broadcast_shapes(&shapes).map_err(|f| f.diag())?.to_vec())
}

/// `a + b * u`
fn affine(make: Make, u: &Tensor, a: MapArg, b: MapArg, dtype: DType) -> Result<Tensor, Diag> {
    let scaled = make.row("multiply", &[t(u), b])?;
    make.cast(&make.row("add", &[t(&scaled), a])?, dtype)
}

/// Parameters: low, high, size, dtype, generator.
pub(super) fn uniform(cx: &mut Cx, args: &Args) -> Out {
    let shape = size(cx, args, 2, &[0, 1])?;
    let dtype = float_dtype(cx, args, 3)?;
    let low = convert::map_arg(cx, args.value(0), args.span(0))?;
    let high = convert::map_arg(cx, args.value(1), args.span(1))?;
    let stream = Stream::of(cx, args, 4)?;
    let make = Make::of(cx);
    let out = {
        let width = match (&low, &high) {
            (MapArg::Weak(a), MapArg::Weak(b)) => num(b.to_f64() - a.to_f64()),
            _ => t(&make.row("subtract", &[high.clone(), low.clone()])?),
        };
        affine(make, &stream.draw(cx, RandomKind::Uniform, &shape, dtype)?, low, width, dtype)?
    };
    Ok(cx.give(out))
}

/// Parameters: loc, scale, size, dtype, generator.
pub(super) fn normal(cx: &mut Cx, args: &Args) -> Out {
    let shape = size(cx, args, 2, &[0, 1])?;
    let dtype = float_dtype(cx, args, 3)?;
    let loc = convert::map_arg(cx, args.value(0), args.span(0))?;
    let scale = convert::map_arg(cx, args.value(1), args.span(1))?;
    let stream = Stream::of(cx, args, 4)?;
    let make = Make::of(cx);
    let out = affine(make, &stream.draw(cx, RandomKind::Normal, &shape, dtype)?, loc, scale, dtype)?;
    Ok(cx.give(out))
}

/// Parameters: scale, size, dtype, generator.
pub(super) fn exponential(cx: &mut Cx, args: &Args) -> Out {
    let shape = size(cx, args, 1, &[0])?;
    let dtype = float_dtype(cx, args, 2)?;
    let scale = convert::map_arg(cx, args.value(0), args.span(0))?;
    let stream = Stream::of(cx, args, 3)?;
    let make = Make::of(cx);
    let out = {
        let u = stream.draw(cx, RandomKind::Uniform, &shape, dtype)?;
        // u < 1, so that the logarithm is finite.
        let log = make.row("log1p", &[t(&make.row("negative", &[t(&u)])?)])?;
        make.cast(&make.row("multiply", &[t(&make.row("negative", &[t(&log)])?), scale])?, dtype)?
    };
    Ok(cx.give(out))
}

/// Parameters: low, high, size, dtype, generator.
pub(super) fn randint(cx: &mut Cx, args: &Args) -> Out {
    let first = args.int(cx, 0)?;
    let (low, high) = if args.is_none(1) { (0, first) } else { (first, args.int(cx, 1)?) };
    let shape = if args.is_none(2) { Vec::new() } else { args.shape(cx, 2)? };
    let dtype = args.opt_dtype(3)?.unwrap_or(DType::I64);
    if high <= low {
        return Err(args.fault(0, "E0521", format!("no integer lies from {low} to before {high}")));
    }
    let stream = Stream::of(cx, args, 4)?;
    let out = integers(cx, stream, low, high, &shape, dtype)?;
    Ok(cx.give(out))
}

/// Integers from low to before high.
fn integers(cx: &mut Cx, stream: Stream, low: i64, high: i64, shape: &[usize], dtype: DType) -> Result<Tensor, Diag> {
    let make = Make::of(cx);
    let span = make.span;
    let width = high.wrapping_sub(low) as u64;
    let wide = DType::U64;
    let program = |program: &mut crate::kernel::Program, bits| {
        let width = make.constant(program, Scalar::UInt(width), wide);
        let rest = make.push(program, "remainder", &[bits, width], wide)?;
        let rest = cast_reg(program, rest, DType::I64, CastMode::Wrap, span);
        let low = make.constant(program, Scalar::Int(low), DType::I64);
        let value = make.push(program, "add", &[rest, low], DType::I64)?;
        Ok(cast_reg(program, value, dtype, CastMode::Wrap, span))
    };
    if stream.generator == "philox" {
        let Stream { seed, number, .. } = stream;
        let node = build::from_position(shape, dtype, span, |p, position| {
            let op = InstrOp::Random { kind: RandomKind::Bits, seed, stream: number };
            let bits = p.push(op, &[position], wide, span);
            program(p, bits)
        })?;
        return Ok(Tensor::of(node));
    }
    let bits = stream.bits(cx, shape)?;
    let rest = make.row("remainder", &[t(&bits), MapArg::Weak(Scalar::UInt(width))])?;
    let value = make.row("add", &[t(&make.cast(&rest, DType::I64)?), super::make::int(low)])?;
    make.cast(&value, dtype)
}

/// 0, 1, …, n - 1 in random order.
fn shuffled(cx: &mut Cx, stream: Stream, n: usize) -> Result<Tensor, Diag> {
    let bits = stream.bits(cx, &[n])?;
    Ok(Tensor::of(build::sort(&bits.operand(), 0, true, false, cx.span)))
}

pub(super) fn randperm(cx: &mut Cx, args: &Args) -> Out {
    let n = args.count(cx, 0)?;
    let stream = Stream::of(cx, args, 1)?;
    let out = shuffled(cx, stream, n)?;
    Ok(cx.give(out))
}

/// Of an integer its range, of a tensor its first axis.
pub(super) fn permutation(cx: &mut Cx, args: &Args) -> Out {
    if matches!(args.value(0), Value::Int(_)) {
        return randperm(cx, args);
    }
    let x = args.tensor(cx, 0)?;
    let Some(&n) = x.shape().first() else {
        return Err(args.fault(0, "E0201", "a tensor without axes has no order"));
    };
    let stream = Stream::of(cx, args, 1)?;
    let make = Make::of(cx);
    let order = shuffled(cx, stream, n)?;
    let order = leaf_i64(&cx.i64s(&order)?)?;
    let out = make.take(&x, 0, &order)?;
    Ok(cx.give(out))
}

/// Parameters: p, size, dtype, generator.
pub(super) fn bernoulli(cx: &mut Cx, args: &Args) -> Out {
    let shape = size(cx, args, 1, &[0])?;
    let given = args.opt_dtype(2)?;
    let p = args.tensor(cx, 0)?;
    let dtype = given.unwrap_or(if p.dtype().is_float() { p.dtype() } else { cx.default_float() });
    let stream = Stream::of(cx, args, 3)?;
    let make = Make::of(cx);
    let out = {
        let u = stream.draw(cx, RandomKind::Uniform, &shape, DType::F32)?;
        make.cast(&make.row("less", &[t(&u), t(&p)])?, dtype)?
    };
    Ok(cx.give(out))
}

/// Parameters: a, size, replace, p, generator.
pub(super) fn choice(cx: &mut Cx, args: &Args) -> Out {
    let make = Make::of(cx);
    let from = match args.value(0) {
        Value::Int(n) => {
            make.count_along(&[usize::try_from(*n).map_err(|_| args.wrong(0, "an integer from 1 on"))?], 0)?
        }
        _ => args.tensor(cx, 0)?,
    };
    if from.ndim() == 0 || from.shape()[0] == 0 {
        return Err(args.fault(0, "E0521", "there is nothing to choose from"));
    }
    let n = from.shape()[0];
    let shape = if args.is_none(1) { Vec::new() } else { args.shape(cx, 1)? };
    let count = build::checked_shape(&shape, DType::I64)?.size();
    let replace = args.bool(cx, 2)?;
    let weights = weights(cx, args, n)?;
    let stream = Stream::of(cx, args, 4)?;
    if !replace && count > n {
        return Err(args.fault(1, "E0521", format!("cannot choose {count} of {n} without putting back")));
    }
    let places = match weights {
        None if replace => integers(cx, stream, 0, n as i64, &shape, DType::I64)?,
        None => {
            let order = shuffled(cx, stream, n)?;
            let order = cx.i64s(&order)?;
            leaf(&order[..count], DType::I64, &shape)?
        }
        Some(weights) => {
            let u = stream.draw(cx, RandomKind::Uniform, &[if replace { count } else { n }], DType::F64)?;
            let u = cx.f64s(&u)?;
            leaf(&weighted(args, &weights, &u, replace, count)?, DType::I64, &shape)?
        }
    };
    let places = leaf(&cx.i64s(&places)?, DType::I64, &shape)?;
    let out = make.take(&from, 0, &places)?;
    Ok(cx.give(out))
}

fn weights(cx: &mut Cx, args: &Args, n: usize) -> Result<Option<Vec<f64>>, Diag> {
    let Some(p) = args.opt_tensor(cx, 3)? else { return Ok(None) };
    let p = cx.f64s(&p)?;
    let total: f64 = p.iter().sum();
    if p.len() != n || p.iter().any(|p| p.is_nan() || *p < 0.0) || (total - 1.0).abs() > 1e-4 {
        return Err(args.fault(3, "E0521", format!("probabilities are {n} numbers from 0 on that sum to 1")));
    }
    Ok(Some(p))
}

fn weighted(args: &Args, p: &[f64], u: &[f64], replace: bool, count: usize) -> Result<Vec<i64>, Diag> {
    if replace {
        let mut sum = 0.0;
        let bounds: Vec<f64> = p
            .iter()
            .map(|p| {
                sum += p;
                sum
            })
            .collect();
        let last = p.iter().rposition(|p| *p > 0.0).unwrap_or(0);
        return Ok(u.iter().map(|u| bounds.partition_point(|b| *b <= u * sum).min(last) as i64).collect());
    }
    // The smallest of exponential times with these rates come in the order of drawing.
    let mut times: Vec<(f64, usize)> = p.iter().zip(u).map(|(p, u)| -(-u).ln_1p() / p).zip(0..).collect();
    if p.iter().filter(|p| **p > 0.0).count() < count {
        return Err(args.fault(3, "E0521", "fewer probabilities than choices differ from zero"));
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(times[..count].iter().map(|(_, i)| *i as i64).collect())
}

/// Parameters broadcast and read on the host; `draw` makes one number of them.
fn by_element(
    cx: &mut Cx,
    args: &Args,
    parameters: &[usize],
    size_at: usize,
    draw: impl Fn(&[f64], &mut dyn FnMut() -> [u32; 4]) -> f64,
) -> Result<(Vec<f64>, Vec<usize>), Diag> {
    let shape = size(cx, args, size_at, parameters)?;
    let count = build::checked_shape(&shape, DType::F64)?.size();
    cx.room(count)?;
    let mut columns = Vec::new();
    for &p in parameters {
        let x = args.tensor(cx, p)?;
        let layout = x.view.layout.broadcast_to(&shape).map_err(|f| f.diag().label(args.span(p), x.describe()))?;
        let column = cx.f64s(&x.viewed(layout))?;
        if column.iter().any(|v| !v.is_finite() || *v < 0.0) {
            return Err(args.fault(p, "E0521", "the parameters of this distribution are finite and not negative"));
        }
        columns.push(column);
    }
    let stream = Stream::next(cx);
    let mut row = vec![0.0; columns.len()];
    let mut out = Vec::with_capacity(count);
    for i in 0..count {
        row.iter_mut().zip(&columns).for_each(|(r, c)| *r = c[i]);
        out.push(draw(&row, &mut stream.element(i)));
    }
    Ok((out, shape))
}

fn unit(words: [u32; 4]) -> f64 {
    philox::uniform(words, DType::F64)
}

/// Marsaglia and Tsang: A simple method for generating gamma variables (2000).
fn gamma_of(shape: f64, next: &mut dyn FnMut() -> [u32; 4]) -> f64 {
    if shape == 0.0 {
        return 0.0;
    }
    if shape < 1.0 {
        let boost = (1.0 - unit(next())).powf(1.0 / shape);
        return gamma_of(shape + 1.0, next) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = philox::normal(next(), DType::F64);
        let v = (1.0 + c * x).powi(3);
        if v <= 0.0 {
            continue;
        }
        let u = 1.0 - unit(next());
        if u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// Small means multiply uniforms; large ones use Hörmann's transformed rejection (PTRS, 1993).
fn poisson_of(mean: f64, next: &mut dyn FnMut() -> [u32; 4]) -> f64 {
    if mean == 0.0 {
        return 0.0;
    }
    if mean < 10.0 {
        let (limit, mut product, mut k) = ((-mean).exp(), 1.0 - unit(next()), 0.0);
        while product > limit {
            product *= 1.0 - unit(next());
            k += 1.0;
        }
        return k;
    }
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.02483 * b;
    let inverse = 1.1239 + 1.1328 / (b - 3.4);
    let edge = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let words = next();
        let u = f64::from(words[0]) / 4_294_967_296.0 - 0.5;
        let v = (f64::from(words[1]) + 1.0) / 4_294_967_296.0;
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= edge {
            return k;
        }
        if k < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        if (v * inverse / (a / (us * us) + b)).ln() <= k * mean.ln() - mean - libm::lgamma(k + 1.0) {
            return k;
        }
    }
}

/// Parameters: shape, scale, size, dtype.
pub(super) fn gamma(cx: &mut Cx, args: &Args) -> Out {
    let dtype = float_dtype(cx, args, 3)?;
    let (values, shape) = by_element(cx, args, &[0, 1], 2, |p, next| p[1] * gamma_of(p[0], next))?;
    leaf_float(&values, dtype, &shape).map(Value::tensor)
}

/// Parameters: lam, size.
pub(super) fn poisson(cx: &mut Cx, args: &Args) -> Out {
    let (values, shape) = by_element(cx, args, &[0], 1, |p, next| poisson_of(p[0], next))?;
    let whole: Vec<i64> = values.into_iter().map(|v| v as i64).collect();
    leaf(&whole, DType::I64, &shape).map(Value::tensor)
}
