//! The fixtures of `tests/files` against their expectations, as far as these can be read without an evaluator.

mod big;
mod cases;
mod fuzz;
mod saving;

use super::*;
use crate::tensor::{HostArray, Scalar};
use std::path::PathBuf;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

fn archive(path: &Path) -> Archive {
    match open(path, &OpenOptions::default()) {
        Ok(Opened::Archive(archive)) => archive,
        Ok(Opened::Tensor(_)) => panic!("{} is a tensor", path.display()),
        Err(diag) => panic!("{diag:?}"),
    }
}

fn tensor(path: &Path) -> Loaded {
    match open(path, &OpenOptions::default()) {
        Ok(Opened::Tensor(loaded)) => loaded,
        Ok(Opened::Archive(_)) => panic!("{} is an archive", path.display()),
        Err(diag) => panic!("{diag:?}"),
    }
}

fn host(loaded: &Loaded) -> HostArray {
    HostArray { buffer: loaded.buffer.clone(), view: loaded.view.clone() }
}

/// Every element, packed ones decoded.
fn values(loaded: &Loaded) -> Vec<Scalar> {
    match loaded.encoding {
        Encoding::Plain(_) => (0..loaded.elements).map(|i| host(loaded).get(i)).collect(),
        Encoding::Packed(format) => {
            let mut out = vec![0.0; loaded.elements];
            format.decode(loaded.buffer.bytes(), &mut out);
            out.into_iter().map(|v| Scalar::Float(v.into())).collect()
        }
    }
}

#[test]
fn fortran_order_is_strides() {
    let x = tensor(&fixture("npy/f_order.npy"));
    assert_eq!(x.view.layout.shape[..], [4, 6]);
    assert_eq!(x.view.layout.strides[..], [1, 4]);
    assert!(x.buffer.is_mapped());
    assert_eq!(x.copied, None);
    let x = tensor(&fixture("npy/big_endian_f_order.npy"));
    assert_eq!((x.view.layout.strides[..].to_vec(), x.copied), (vec![1, 3], Some("big-endian")));
}

#[test]
fn without_mapping_files_are_read() {
    let options = OpenOptions { mmap: false, ..OpenOptions::default() };
    let Ok(Opened::Tensor(read)) = open(&fixture("npy/f32.npy"), &options) else { panic!() };
    assert!(!read.buffer.is_mapped());
    assert_eq!(read.buffer.bytes(), tensor(&fixture("npy/f32.npy")).buffer.bytes());
}

#[test]
fn closed_and_changed_files_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.safetensors");
    std::fs::copy(fixture("st/net.safetensors"), &path).unwrap();
    let m = archive(&path);
    let kept = m.get("head").unwrap();
    m.close();
    assert_eq!(m.get("head").unwrap_err().code, "E0613");
    assert_eq!(kept.source.check().unwrap_err().code, "E0613");
    let m = archive(&path);
    let name = m.names().next().unwrap().to_owned();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    assert_eq!(m.get(&name).unwrap_err().code, "E0614");
    assert_eq!(m.check().unwrap_err().code, "E0614");
}

#[test]
fn archives_find_names() {
    let m = archive(&fixture("st/net.safetensors"));
    assert_eq!(m.glob("model.layers.*.attn.q.weight").len(), 3);
    let part = m.select("model.layers.1.*");
    assert_eq!((part.len(), part.contains("head"), m.contains("head")), (4, false, true));
    assert_eq!(part.select("*bias").names().collect::<Vec<_>>(), ["model.layers.1.norm.bias"]);
    let diag = m.get("model.embed.weihgt").unwrap_err();
    assert_eq!((diag.code, diag.hint.as_deref()), ("E0609", Some("did you mean \"model.embed.weight\"?")));
    let entry = m.entry("model.embed.weight").unwrap();
    assert_eq!((entry.encoding, entry.copied), (Some(Encoding::Plain(DType::BF16)), None));
    assert_eq!(entry.bytes, entry.shape.iter().product::<usize>() as u64 * 2);
}

#[test]
fn shards_have_faults_of_their_own() {
    let index = |folder: &str| fixture("st").join(folder).join("model.safetensors.index.json");
    let fault = |folder: &str, name: &str| archive(&index(folder)).get(name).unwrap_err().code;
    assert_eq!(fault("missing", "b.weight"), "E0610");
    assert_eq!(fault("stale", "c.bias"), "E0611");
    assert_eq!(fault("doubled", "a.weight"), "E0612");
    assert_eq!(fault("truncated", "b.weight"), "E0604");
    assert!(archive(&index("missing")).get("a.weight").is_ok());
    let outside = open(&index("outside"), &OpenOptions::default()).err().unwrap();
    assert_eq!(outside.code, "E0621");
    assert_eq!(archive(&index("missing")).faults().len(), 1);
}

#[test]
fn archives_go_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Archive>();
    check::<Loaded>();
    check::<Meta>();
}

#[test]
fn reading_and_mapping_agree() {
    let read = OpenOptions { mmap: false, ..OpenOptions::default() };
    for name in ["npz/stored.npz", "gguf/net.gguf", "st/pad3.safetensors", "gguf/split/m-00001-of-00003.gguf"] {
        let path = fixture(name);
        let Ok(Opened::Archive(m)) = open(&path, &read) else { panic!("{name}") };
        for tensor in archive(&path).names() {
            let (a, b) = (m.get(tensor).unwrap(), archive(&path).get(tensor).unwrap());
            assert!(
                !a.buffer.is_mapped() && a.buffer.bytes() == b.buffer.bytes() && a.view == b.view,
                "{name} {tensor}"
            );
        }
    }
}
