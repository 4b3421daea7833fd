//! Large and hostile files, made here: too large to keep.

use super::*;
use std::time::{Duration, Instant};

/// Opening is bounded by the length of the header: far under a second on an idle machine.
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = work();
    assert!(start.elapsed() < Duration::from_secs(4), "{what} took {:?}", start.elapsed());
    out
}

fn write(dir: &Path, name: &str, parts: &[&[u8]]) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, parts.concat()).unwrap();
    path
}

fn safetensors(dir: &Path, name: &str, header: &str, data: &[u8]) -> PathBuf {
    write(dir, name, &[&(header.len() as u64).to_le_bytes(), header.as_bytes(), data])
}

const MANY: usize = 100_000;

#[test]
fn a_hundred_thousand_tensors() {
    let dir = tempfile::tempdir().unwrap();
    let header = |at: &dyn Fn(usize) -> usize| {
        let entries: Vec<String> = (0..MANY)
            .map(|i| {
                format!(
                    "\"block.{i}.weight\":{{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[{},{}]}}",
                    at(i),
                    at(i) + 1
                )
            })
            .collect();
        format!("{{{}}}", entries.join(","))
    };
    let data: Vec<u8> = (0..MANY).map(|i| (i % 251) as u8).collect();
    let path = safetensors(dir.path(), "many.safetensors", &header(&|i| i), &data);
    let m = timed("many tensors", || archive(&path));
    assert_eq!((m.len(), m.contains("block.100000.weight")), (MANY, false));
    assert_eq!(m.get("block.77777.weight").unwrap().buffer.bytes(), [218]);
    assert_eq!(timed("a glob", || m.select("block.1234*.weight")).len(), 11);
    assert_eq!(timed("a wrong name", || m.get("blok.1.weight")).unwrap_err().code, "E0609");
    let path = safetensors(dir.path(), "overlap.safetensors", &header(&|i| i / 2), &data[..MANY / 2]);
    let diag = timed("overlap", || open(&path, &OpenOptions::default())).err().unwrap();
    assert_eq!(diag.code, "E0607");
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn token_arrays_are_skipped_until_they_are_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let tokens: Vec<u8> = (0..262_144).flat_map(|i| text(&format!("t{i}"))).collect();
    let head = words(&[u32::from_le_bytes(*b"GGUF"), 3, 0, 0, 1, 0]);
    let path = write(dir.path(), "t.gguf", &[&head, &text("tokens"), &words(&[9, 8, 262_144, 0]), &tokens]);
    let m = timed("tokens", || archive(&path));
    let Some(MetaValue::Array(array)) = m.meta().get("tokens") else { panic!() };
    assert_eq!(array.len(), 262_144);
    for i in [77_777, 0, 262_143] {
        let got = timed("a token", || array.get(i)).unwrap().unwrap();
        assert!(matches!(got, MetaValue::Str(s) if s == format!("t{i}")));
    }
    assert!(array.get(262_144).is_none());
}

#[test]
fn nesting_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let head = words(&[u32::from_le_bytes(*b"GGUF"), 3, 0, 0, 1, 0]);
    let deep = words(&[9, 1, 0]).repeat(1_000_000);
    let path = write(dir.path(), "n.gguf", &[&head, &text("k"), &words(&[9]), &deep]);
    assert_eq!(timed("deep arrays", || open(&path, &OpenOptions::default())).err().unwrap().code, "E0605");
    let shape = vec!["1"; MANY].join(",");
    let header = format!("{{\"a\":{{\"dtype\":\"U8\",\"shape\":[{shape}],\"data_offsets\":[0,1]}}}}");
    let path = safetensors(dir.path(), "shape.safetensors", &header, &[7]);
    assert_eq!(open(&path, &OpenOptions::default()).err().unwrap().code, "E0606");
}

#[test]
fn commas_cost_no_more_than_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), "c.csv", &[&[b','; 3_000_000]]);
    assert_eq!(timed("commas", || open(&path, &OpenOptions::default())).err().unwrap().code, "E0618");
}
