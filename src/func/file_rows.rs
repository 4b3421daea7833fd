//! The rows of files and packed formats.

use super::files::{close, frombuffer, load, raw};
use super::packing::{packed, quantize, unpack};
use super::saving::save;
use super::{Func, Memory};
use crate::op::Group;

pub static ROWS: [Func; 8] = [
    Func::new("load", load, Group::Files)
        .help(
            "load(path, delimiter=None)",
            "A tensor (.npy, .png, a .csv without a header) or an archive of tensors by name (.npz, \
             .safetensors, \
             .safetensors.index.json, .gguf, a .csv with a header). Data is mapped, not read, and cannot be written; \
             copy(x) makes a writable tensor.",
            &["save(arange(4), \"load_example.npy\")\nload(\"load_example.npy\")"],
        )
        .view()
        .gives(
            "Shape and dtype as the file says; csv columns are i64 or the default float, pictures \
            [height, width, channels] in u8 or u16.",
        )
        .like("np.load", "torch.load")
        .see(&["save", "raw", "keys", "close"]),
    Func::new("save", save, Group::Files)
        .help(
            "save(x, path, meta=None)",
            "Writes a tensor (.npy, .csv, .png, .bin) or a record or archive of tensors (.npz, \
             .safetensors, .gguf, .csv), \
             whole or not at all. Exactly the elements in view are written. meta is a record or the \
             meta of an archive.",
            &["save(record(a=ones(2), b=arange(3)), \"save_example.npz\")\nload(\"save_example.npz\")[\"b\"]"],
        )
        .gives("None; the file is written.")
        .like("np.save", "torch.save")
        .see(&["load"]),
    Func::new("raw", raw, Group::Files)
        .help(
            "raw(path, dtype, shape, offset=0)",
            "Plain little-endian bytes of a file as a tensor of a dtype or a packed format, from a \
             byte on. The file may be \
             longer.",
            &["save(arange(4), \"raw_example.bin\")\nraw(\"raw_example.bin\", i64, (2, 2))"],
        )
        .view()
        .gives("The shape and dtype given.")
        .like("np.memmap", "torch.from_file")
        .see(&["frombuffer", "load", "packed"]),
    Func::new("frombuffer", frombuffer, Group::Files)
        .help(
            "frombuffer(x, dtype, shape=None)",
            "The bytes of a u8 tensor taken for elements of a dtype or for blocks of a packed format.",
            &["frombuffer(array([1, 0, 2, 0], dtype=u8), u16, (2,))"],
        )
        .view()
        .gives("The shape given, or one axis; the dtype given.")
        .like("np.frombuffer", "torch.frombuffer")
        .see(&["view", "raw"]),
    Func::new("close", close, Group::Files)
        .help(
            "close(m)",
            "Ends an archive: nothing more can be taken out. Tensors taken out before keep their data.",
            &["save(record(a=ones(2)), \"close_example.npz\")\nm = load(\"close_example.npz\")\n\
               a = m[\"a\"]\nclose(m)\na"],
        )
        .gives("None.")
        .like("np.lib.npyio.NpzFile.close", "")
        .see(&["load"]),
    Func::new("packed", packed, Group::Files)
        .help(
            "packed(block, bits, scale=None, minimum=None, codebook=None, zero=0, signed=False)",
            "A packed format. A block is the scale and the minimum (little-endian floats, each may \
             be missing), then the \
             codes, low bits first. An element is scale * codebook[code], or scale * (code - zero), plus the minimum.",
            &["t = packed(block=4, bits=2, zero=1)\nunpack(frombuffer(array([0b10010010], dtype=u8), t, (4,)))"],
        )
        .gives("A packed format.")
        .like("none", "none")
        .see(&["unpack", "quantize", "raw"]),
    Func::new("unpack", unpack, Group::Files)
        .alias(&["dequantize"])
        .help(
            "unpack(x)",
            "The values of a packed tensor as f32; any other tensor itself.",
            &["unpack(quantize(ones(32), q8_0))[:4]"],
        )
        .memory(Memory::ItselfOrCopy)
        .gives("The shape of x; f32.")
        .like("", "torch.dequantize")
        .see(&["quantize", "packed"]),
    Func::new("quantize", quantize, Group::Files)
        .help(
            "quantize(x, format)",
            "The values packed into blocks along the last axis, each code the nearest one.",
            &["quantize(arange(64.0).reshape(2, 32), q8_0).nbytes"],
        )
        .gives("The shape of x; the packed format. The last axis must be whole blocks.")
        .like("", "torch.quantize_per_channel")
        .see(&["unpack", "packed"]),
];
