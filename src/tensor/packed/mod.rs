//! Packed encodings: elements that lie in blocks of a few bytes and read as f32. One row each, nothing else lists them.

mod blocks;
mod encode;
mod encode_k;
mod k_quants;
mod user;

pub use user::{Codes, UserFormat};

use super::{DType, Layout};
use crate::base::Diag;
use smallvec::SmallVec;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// The codes of packed formats with what `tsk explain` says about them.
pub const PACKED_CODES: &[(&str, &str, &str)] = &[
    (
        "E0216",
        "no whole number of blocks",
        "A packed tensor lies in blocks of a fixed number of elements along its last axis, which must hold a whole number of them.",
    ),
    (
        "E0411",
        "no packed format",
        "packed(block, bits, scale=f16, codebook=[…]) or packed(block, bits, scale=f16, zero=8, signed=False): 1 to 8 bits a code, a whole number of bytes a block, one codebook value for every code, floats as scale and minimum.",
    ),
];

/// What the bytes of a tensor are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// One element after the other.
    Plain(DType),
    /// Blocks along the last axis of the file's order, read as f32.
    Packed(&'static PackedFormat),
}

impl Encoding {
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Plain(dtype) => dtype.name(),
            Encoding::Packed(format) => format.name(),
        }
    }

    /// The dtype that elements have when they are read.
    pub fn dtype(self) -> DType {
        match self {
            Encoding::Plain(dtype) => dtype,
            Encoding::Packed(_) => DType::F32,
        }
    }

    /// Elements of one unit of storage (1, or a block).
    pub fn block(self) -> usize {
        match self {
            Encoding::Plain(_) => 1,
            Encoding::Packed(format) => format.block,
        }
    }

    /// Bytes of one unit of storage (an element, or a block).
    pub fn unit_bytes(self) -> usize {
        match self {
            Encoding::Plain(dtype) => dtype.size(),
            Encoding::Packed(format) => format.bytes,
        }
    }

    /// Bytes of a tensor of this shape, None where that is no number of memory or the last axis no whole number of
    /// blocks.
    pub fn bytes(self, shape: &[usize]) -> Option<usize> {
        self.unit_shape(shape)?
            .iter()
            .try_fold(self.unit_bytes(), |n, extent| n.checked_mul(*extent))
            .filter(|n| isize::try_from(*n).is_ok())
    }

    /// The shape counted in units of storage: the last extent divided by the block.
    pub fn unit_shape(self, shape: &[usize]) -> Option<super::Shape> {
        let mut units = super::Shape::from_slice(shape);
        let block = self.block();
        if block > 1 {
            let last = units.last_mut()?;
            if *last % block != 0 {
                return None;
            }
            *last /= block;
        }
        Some(units)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Decodes whole blocks: `out` has as many elements as the blocks in `bytes`.
type Decode = fn(bytes: &[u8], out: &mut [f32]);
/// Encodes whole blocks.
type Encode = fn(values: &[f32], out: &mut [u8]);

/// One packed format. Two formats are equal where they are the same row.
pub struct PackedFormat {
    name: Name,
    /// Elements of a block.
    pub block: usize,
    /// Bytes of a block.
    pub bytes: usize,
    /// The type's number in a GGUF file.
    pub gguf: Option<u32>,
    codec: Codec,
}

enum Name {
    Fixed(&'static str),
    /// A user format is called after its first binding.
    Bound(OnceLock<Box<str>>),
}

enum Codec {
    Row { decode: Decode, encode: Option<Encode> },
    User(UserFormat),
}

const fn row(
    name: &'static str,
    block: usize,
    bytes: usize,
    gguf: Option<u32>,
    decode: Decode,
    encode: Option<Encode>,
) -> PackedFormat {
    PackedFormat { name: Name::Fixed(name), block, bytes, gguf, codec: Codec::Row { decode, encode } }
}

static ROWS: [PackedFormat; 17] = [
    row("q4_0", 32, 18, Some(2), blocks::q4_0, Some(encode::q4_0)),
    row("q4_1", 32, 20, Some(3), blocks::q4_1, Some(encode::q4_1)),
    row("q5_0", 32, 22, Some(6), blocks::q5_0, Some(encode::q5_0)),
    row("q5_1", 32, 24, Some(7), blocks::q5_1, Some(encode::q5_1)),
    row("q8_0", 32, 34, Some(8), blocks::q8_0, Some(encode::q8_0)),
    row("q2_k", 256, 84, Some(10), k_quants::q2_k, Some(encode_k::q2_k)),
    row("q3_k", 256, 110, Some(11), k_quants::q3_k, Some(encode_k::q3_k)),
    row("q4_k", 256, 144, Some(12), k_quants::q4_k, Some(encode_k::q4_k)),
    row("q5_k", 256, 176, Some(13), k_quants::q5_k, Some(encode_k::q5_k)),
    row("q6_k", 256, 210, Some(14), k_quants::q6_k, Some(encode_k::q6_k)),
    row("tq1_0", 256, 54, Some(34), blocks::tq1_0, Some(encode::tq1_0)),
    row("tq2_0", 256, 66, Some(35), blocks::tq2_0, Some(encode::tq2_0)),
    row("mxfp4", 32, 17, Some(39), blocks::mxfp4, Some(encode::mxfp4)),
    row("iq4_nl", 32, 18, Some(20), blocks::iq4_nl, None),
    row("iq4_xs", 256, 136, Some(23), blocks::iq4_xs, None),
    row("i4", 2, 1, None, blocks::i4, Some(encode::i4)),
    row("u4", 2, 1, None, blocks::u4, Some(encode::u4)),
];

impl PackedFormat {
    /// The built-in formats. User formats are reached through their bindings only.
    pub fn all() -> &'static [PackedFormat] {
        &ROWS
    }

    pub fn from_name(name: &str) -> Option<&'static PackedFormat> {
        ROWS.iter().find(|f| f.name() == name)
    }

    /// The format of a GGUF tensor type.
    pub fn from_gguf(id: u32) -> Option<&'static PackedFormat> {
        ROWS.iter().find(|f| f.gguf == Some(id))
    }

    pub fn name(&self) -> &str {
        match &self.name {
            Name::Fixed(name) => name,
            Name::Bound(name) => name.get().map_or("packed", |n| n),
        }
    }

    /// Gives a user format its name; the first name stays.
    pub fn bind(&self, name: &str) {
        if let Name::Bound(slot) = &self.name {
            slot.get_or_init(|| name.into());
        }
    }

    /// How a user format was made; None for a built-in one.
    pub fn user(&self) -> Option<&UserFormat> {
        match &self.codec {
            Codec::User(user) => Some(user),
            Codec::Row { .. } => None,
        }
    }

    /// Decodes as many whole blocks as both slices hold.
    pub fn decode(&self, bytes: &[u8], out: &mut [f32]) {
        let count = (bytes.len() / self.bytes).min(out.len() / self.block);
        let (bytes, out) = (&bytes[..count * self.bytes], &mut out[..count * self.block]);
        match &self.codec {
            Codec::Row { decode, .. } => decode(bytes, out),
            Codec::User(user) => user.decode(bytes, out),
        }
    }

    /// Element `at` of a run of blocks.
    ///
    /// # Panics
    /// Where the blocks have fewer elements.
    pub fn element(&self, bytes: &[u8], at: usize) -> f32 {
        let mut out: SmallVec<[f32; 256]> = SmallVec::from_elem(0.0, self.block);
        let start = at / self.block * self.bytes;
        self.decode(&bytes[start..start + self.bytes], &mut out);
        out[at % self.block]
    }

    /// How a view lies in units of blocks: shape in elements, strides and offset in blocks.
    ///
    /// # Errors
    /// E0216 where it cuts blocks, steps inside them or drops the packed axis.
    pub fn blocks(&self, layout: &Layout) -> Result<Layout, Diag> {
        let block = self.block as isize;
        let mut out = layout.clone();
        let mut whole = layout.offset % block == 0 || layout.size() == 0;
        let mut axes = 0;
        for (i, (&extent, &stride)) in layout.shape.iter().zip(&layout.strides).enumerate() {
            if stride == 1 && (extent > 1 || block == 1) {
                axes += 1;
                whole &= extent % self.block == 0;
                continue;
            }
            whole &= stride % block == 0 || extent <= 1;
            out.strides[i] = if stride == 1 { 1 } else { stride / block };
        }
        out.offset = layout.offset.div_euclid(block);
        if layout.size() == 0 || (whole && (axes == 1 || block == 1)) {
            return Ok(out);
        }
        Err(Diag::new("E0216", format!("this view cuts blocks of {}", self.name()))
            .note(format!("a block has {block} elements along the packed axis"))
            .hint(format!("cut at multiples of {block}, or decode first: unpack(x)")))
    }

    pub fn can_encode(&self) -> bool {
        !matches!(self.codec, Codec::Row { encode: None, .. })
    }

    /// Encodes as many whole blocks as both slices hold; false where the format has no encoder.
    pub fn encode(&self, values: &[f32], out: &mut [u8]) -> bool {
        let count = (out.len() / self.bytes).min(values.len() / self.block);
        let (values, out) = (&values[..count * self.block], &mut out[..count * self.bytes]);
        match &self.codec {
            Codec::Row { encode: Some(encode), .. } => encode(values, out),
            Codec::Row { encode: None, .. } => return false,
            Codec::User(user) => user.encode(values, out),
        }
        true
    }
}

impl PartialEq for PackedFormat {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for PackedFormat {}

impl Hash for PackedFormat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self).hash(state);
    }
}

impl fmt::Debug for PackedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}

/// A little-endian f16 at `at` as f32.
fn half(bytes: &[u8], at: usize) -> f32 {
    half::f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

#[cfg(test)]
mod tests;
