//! The layers that read files, and what is done with each input: everything that a file is asked for.
#![allow(dead_code)]

#[path = "../src/base/mod.rs"]
pub mod base;
#[path = "../src/file/mod.rs"]
pub mod file;
#[path = "../src/tensor/mod.rs"]
pub mod tensor;

use file::{Loaded, MetaValue, OpenOptions, Opened};
use std::path::PathBuf;
use std::sync::OnceLock;
use tensor::{DType, Encoding, HostArray, PackedFormat};

/// A folder of this process, in memory where there is one.
fn place(end: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let shared = PathBuf::from("/dev/shm");
        let base = if shared.is_dir() { shared } else { std::env::temp_dir() };
        let folder = base.join(format!("tsk-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    });
    folder.join(format!("x.{end}"))
}

/// A new file each time: the last one may still be mapped.
fn write(end: &str, data: &[u8]) -> PathBuf {
    let path = place(end);
    let _ = std::fs::remove_file(&path);
    std::fs::write(&path, data).expect("room");
    path
}

pub fn read_everything(end: &str, data: &[u8]) {
    let path = write(end, data);
    match file::open(&path, &OpenOptions::default()) {
        Ok(Opened::Tensor(loaded)) => touch(&loaded),
        Ok(Opened::Archive(m)) => {
            for name in m.names() {
                let _ = (m.entry(name), m.verify(name));
                if let Ok(loaded) = m.get(name) {
                    touch(&loaded);
                }
            }
            for (_, value) in m.meta().iter() {
                if let MetaValue::Array(array) = value {
                    let _ = array.first(3);
                    for i in [0, array.len() / 2, array.len().saturating_sub(1), array.len()] {
                        let _ = array.get(i);
                    }
                }
            }
            let _ = (m.faults().len(), m.broken().count(), m.select("*a*").len());
        }
        Err(diag) => assert!(file::CODES.iter().any(|(code, ..)| *code == diag.code), "{diag:?}"),
    }
}

/// The first bytes say dtype, offset and shape, the rest is the file.
pub fn read_raw(data: &[u8]) {
    let [which, offset, a, b, bytes @ ..] = data else { return };
    let encodings: Vec<Encoding> = DType::ALL
        .into_iter()
        .map(Encoding::Plain)
        .chain(PackedFormat::all().iter().map(Encoding::Packed))
        .collect();
    let encoding = encodings[usize::from(*which) % encodings.len()];
    let shape = [usize::from(*a), usize::from(*b) * encoding.block()];
    let path = write("bin", bytes);
    if let Ok(loaded) = file::read_raw(&path, encoding, &shape, u64::from(*offset), &OpenOptions::default()) {
        touch(&loaded);
    }
}

/// Every element of small tensors, the ends of large ones.
fn touch(loaded: &Loaded) {
    let n = loaded.elements;
    let array = HostArray { buffer: loaded.buffer.clone(), view: loaded.view.clone() };
    match loaded.encoding {
        Encoding::Plain(_) => {
            for i in (0..n.min(64)).chain(n.saturating_sub(64)..n) {
                let _ = array.get(i);
            }
        }
        Encoding::Packed(format) => {
            let bytes = loaded.buffer.bytes();
            let mut out = vec![0.0; format.block];
            for block in bytes.chunks_exact(format.bytes).take(16) {
                format.decode(block, &mut out);
            }
        }
    }
}
