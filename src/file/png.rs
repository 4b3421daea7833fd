//! `.png`: [H, W, C], u8 or u16.

use super::source::FileSource;
use super::{Loaded, fault};
use crate::base::Diag;
use crate::tensor::{Buffer, DType, Encoding};
use png::{BitDepth, ColorType, Decoder, Transformations};
use std::io::BufReader;
use std::sync::Arc;

/// Deflate packs no more than 1032 bytes into one: a larger picture than the file can hold is a lie.
const BEST_RATIO: u64 = 1032;

pub(super) fn load(source: &Arc<FileSource>) -> Result<Loaded, Diag> {
    let bad =
        |what: String| Diag::new("E0619", format!("cannot read the picture {}", fault::show(source.path()))).note(what);
    // The reader seeks, which a cursor does not: the compressed picture is read as a whole.
    let bytes = source.read("the picture", 0, source.len())?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Err(fault::not_format(source.path(), ".png", "other first bytes"));
    }
    let mut decoder = Decoder::new(BufReader::new(std::io::Cursor::new(bytes)));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| bad(e.to_string()))?;
    let (width, height) = (reader.info().width as u64, reader.info().height as u64);
    let size = reader.output_buffer_size().map(|n| n as u64);
    let raw = width.checked_mul(height).and_then(|n| n.checked_mul(reader.info().bits_per_pixel() as u64));
    match (size, raw) {
        (Some(_), Some(raw)) if raw / 8 / BEST_RATIO <= source.len() => {}
        _ => return Err(bad(format!("{width} x {height} pixels do not come from {} bytes", source.len()))),
    }
    let mut buffer = Buffer::zeroed(size.unwrap_or(0) as usize).map_err(|e| e.diag())?;
    let pixels = buffer.bytes_mut().unwrap_or_default();
    let info = reader.next_frame(pixels).map_err(|e| bad(e.to_string()))?;
    reader.finish().map_err(|e| bad(e.to_string()))?;
    let dtype = match info.bit_depth {
        BitDepth::Sixteen => {
            // Samples stand with the high byte first.
            pixels.chunks_exact_mut(2).for_each(|s| s.swap(0, 1));
            DType::U16
        }
        _ => DType::U8,
    };
    let channels = channels(info.color_type);
    let shape = [info.height as usize, info.width as usize, channels];
    let mut loaded = Loaded::new(source.clone(), Arc::new(buffer), Encoding::Plain(dtype), &shape)?;
    loaded.copied = Some("compressed");
    Ok(loaded)
}

fn channels(color: ColorType) -> usize {
    match color {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb | ColorType::Indexed => 3,
        ColorType::Rgba => 4,
    }
}
