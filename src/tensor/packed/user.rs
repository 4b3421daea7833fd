//! Formats that a script makes: `packed(block=64, bits=4, scale=f16, codebook=[…])`.

use super::{Codec, Name, PackedFormat};
use crate::base::Diag;
use crate::tensor::{DType, Scalar};
use std::sync::{Mutex, OnceLock};

/// What a code means before the scale is applied.
#[derive(Clone, PartialEq, Debug)]
pub enum Codes {
    /// `codebook[code]`
    Book(Vec<f32>),
    /// `code - zero`, the code in two's complement where signed.
    Linear { zero: f32, signed: bool },
}

/// A block is the scale, the minimum (each little-endian, each may be missing), then `block * bits / 8` bytes of codes,
/// low bits first, elements in order. Value: `scale * code + minimum`, computed in f32.
#[derive(Clone, PartialEq, Debug)]
pub struct UserFormat {
    /// Elements of a block.
    pub block: usize,
    /// Bits of a code, 1 to 8.
    pub bits: u32,
    pub scale: Option<DType>,
    pub minimum: Option<DType>,
    pub codes: Codes,
}

const MAX_BLOCK: usize = 1 << 16;
const MAX_FORMATS: usize = 4096;

impl UserFormat {
    /// The format as a row; equal descriptions give the same row. E0411 names what is wrong with it.
    pub fn register(self) -> Result<&'static PackedFormat, Diag> {
        static MADE: Mutex<Vec<&'static PackedFormat>> = Mutex::new(Vec::new());
        self.validate().map_err(|what| Diag::new("E0411", format!("no packed format: {what}")))?;
        let mut made = MADE.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(known) = made.iter().find(|f| f.user() == Some(&self)) {
            return Ok(known);
        }
        if made.len() >= MAX_FORMATS {
            return Err(Diag::new("E0411", format!("more than {MAX_FORMATS} packed formats")));
        }
        // Formats live as long as the process: tensors and plans point to them.
        let format: &'static PackedFormat = Box::leak(Box::new(PackedFormat {
            name: Name::Bound(OnceLock::new()),
            block: self.block,
            bytes: self.header() + self.block * self.bits as usize / 8,
            gguf: None,
            codec: Codec::User(self),
        }));
        made.push(format);
        Ok(format)
    }

    fn validate(&self) -> Result<(), String> {
        if self.block == 0 || self.block > MAX_BLOCK {
            return Err(format!("a block has 1 to {MAX_BLOCK} elements, not {}", self.block));
        }
        if !(1..=8).contains(&self.bits) {
            return Err(format!("a code has 1 to 8 bits, not {}", self.bits));
        }
        if !(self.block * self.bits as usize).is_multiple_of(8) {
            return Err(format!("{} codes of {} bits are no whole number of bytes", self.block, self.bits));
        }
        if let Some(dtype) = self.scale.into_iter().chain(self.minimum).find(|d| !d.is_float()) {
            return Err(format!("scale and minimum are floats, not {dtype}"));
        }
        match &self.codes {
            Codes::Book(book) if book.len() != 1 << self.bits => {
                Err(format!("{} bits need a codebook of {} values, not {}", self.bits, 1 << self.bits, book.len()))
            }
            _ => Ok(()),
        }
    }

    /// Bytes before the codes.
    fn header(&self) -> usize {
        self.scale.map_or(0, DType::size) + self.minimum.map_or(0, DType::size)
    }

    /// The value of every code.
    fn table(&self) -> Vec<f32> {
        match &self.codes {
            Codes::Book(book) => book.clone(),
            Codes::Linear { zero, signed } => {
                let count = 1_i32 << self.bits;
                (0..count)
                    .map(|c| if *signed && c >= count / 2 { c - count } else { c })
                    .map(|c| c as f32 - zero)
                    .collect()
            }
        }
    }

    pub(super) fn decode(&self, bytes: &[u8], out: &mut [f32]) {
        let (table, header) = (self.table(), self.header());
        let size = header + self.block * self.bits as usize / 8;
        let read = |dtype: DType, b: &[u8]| Scalar::read(dtype, b).to_f64() as f32;
        for (b, out) in bytes.chunks_exact(size).zip(out.chunks_exact_mut(self.block)) {
            let scale = self.scale.map(|t| read(t, b));
            let minimum = self.minimum.map(|t| read(t, &b[self.scale.map_or(0, DType::size)..]));
            let codes = &b[header..];
            for (i, o) in out.iter_mut().enumerate() {
                let value = table[code(codes, i, self.bits)];
                let scaled = scale.map_or(value, |s| s * value);
                *o = minimum.map_or(scaled, |m| scaled + m);
            }
        }
    }

    /// Scale from the largest value, minimum from the smallest, then the nearest code (the lower one of a tie).
    pub(super) fn encode(&self, values: &[f32], out: &mut [u8]) {
        let (table, header) = (self.table(), self.header());
        let size = header + self.block * self.bits as usize / 8;
        for (x, b) in values.chunks_exact(self.block).zip(out.chunks_exact_mut(size)) {
            let mut head = Vec::with_capacity(header);
            let (scale, minimum) = self.fit(x, &table, &mut head);
            b[..header].copy_from_slice(&head);
            b[header..].fill(0);
            for (i, x) in x.iter().enumerate() {
                let want = if scale == 0.0 { 0.0 } else { (x - minimum) / scale };
                let best = nearest(&table, want);
                put(&mut b[header..], i, self.bits, best);
            }
        }
    }

    /// Writes scale and minimum as they are stored and gives them as they will be read.
    fn fit(&self, x: &[f32], table: &[f32], head: &mut Vec<u8>) -> (f32, f32) {
        let fold = |f: fn(f32, f32) -> f32, start: f32, xs: &[f32]| xs.iter().fold(start, |a, b| f(a, *b));
        let low = if self.minimum.is_some() { fold(f32::min, f32::INFINITY, x) } else { 0.0 };
        let reach = x.iter().fold(0.0_f32, |a, v| a.max((v - low).abs()));
        let span = fold(f32::max, 0.0, &table.iter().map(|v| v.abs()).collect::<Vec<_>>());
        let mut stored = |dtype: Option<DType>, value: f32, default: f32| match dtype {
            None => default,
            Some(dtype) => {
                let at = head.len();
                Scalar::Float(value.into()).write(dtype, head);
                Scalar::read(dtype, &head[at..]).to_f64() as f32
            }
        };
        let scale = stored(self.scale, if span > 0.0 { reach / span } else { 0.0 }, 1.0);
        (scale, stored(self.minimum, low, 0.0))
    }
}

/// Code `i` of a stream of codes of `bits`, low bits first.
fn code(bytes: &[u8], i: usize, bits: u32) -> usize {
    let bit = i * bits as usize;
    let (at, shift) = (bit / 8, bit % 8);
    let low = u16::from(bytes[at]) | bytes.get(at + 1).map_or(0, |b| u16::from(*b) << 8);
    usize::from(low >> shift) & ((1 << bits) - 1)
}

fn put(bytes: &mut [u8], i: usize, bits: u32, code: usize) {
    let bit = i * bits as usize;
    let (at, shift) = (bit / 8, bit % 8);
    let word = (code as u16) << shift;
    bytes[at] |= word as u8;
    if let Some(next) = bytes.get_mut(at + 1) {
        *next |= (word >> 8) as u8;
    }
}

fn nearest(table: &[f32], want: f32) -> usize {
    let mut best = 0;
    for (i, v) in table.iter().enumerate() {
        if (v - want).abs() < (table[best] - want).abs() {
            best = i;
        }
    }
    best
}
