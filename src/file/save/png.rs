//! Writing `.png`: [H, W] or [H, W, C] of u8 or u16.

use super::{Item, whole};
use crate::base::Diag;
use crate::file::fault;
use crate::tensor::{DType, Encoding};
use png::{BitDepth, ColorType};
use std::io::Write;
use std::path::Path;

pub(super) fn save(path: &Path, item: &Item<'_>) -> Result<(), Diag> {
    let depth = match item.encoding {
        Encoding::Plain(DType::U8) => BitDepth::Eight,
        Encoding::Plain(DType::U16) => BitDepth::Sixteen,
        other => {
            return Err(fault::unsupported(".png", format!("{other} samples"))
                .hint("x.astype(u8); floats from 0 to 1: round(x * 255).astype(u8)"));
        }
    };
    let (height, width, channels) = match *item.shape {
        [h, w] => (h, w, 1),
        [h, w, c @ 1..=4] => (h, w, c),
        ref shape => {
            let diag = fault::unsupported(".png", format!("shape {shape:?}"));
            return Err(diag.hint("a picture is [H, W] or [H, W, C] with 1 to 4 channels"));
        }
    };
    let color = [ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba][channels - 1];
    let side = |n: usize| u32::try_from(n).ok().filter(|n| *n > 0 && *n < 1 << 31);
    let (Some(w), Some(h)) = (side(width), side(height)) else {
        return Err(fault::unsupported(".png", format!("a picture of {height} x {width} pixels")));
    };
    whole(path, |out| {
        let mut encoder = png::Encoder::new(out, w, h);
        encoder.set_color(color);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header().map_err(std::io::Error::from)?;
        let mut stream = writer.stream_writer().map_err(std::io::Error::from)?;
        item.data.emit(&mut Samples { out: &mut stream, swap: depth == BitDepth::Sixteen, carry: None })?;
        stream.finish().map_err(std::io::Error::from)?;
        Ok(writer.finish().map_err(std::io::Error::from)?)
    })
}

/// Turns 16-bit samples high byte first; pieces may end inside one.
struct Samples<'a, W> {
    out: &'a mut W,
    swap: bool,
    carry: Option<u8>,
}

impl<W: Write> Write for Samples<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if !self.swap {
            self.out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut turned = Vec::with_capacity(bytes.len() + 1);
        for byte in bytes {
            match self.carry.take() {
                Some(low) => turned.extend([*byte, low]),
                None => self.carry = Some(*byte),
            }
        }
        self.out.write_all(&turned)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
