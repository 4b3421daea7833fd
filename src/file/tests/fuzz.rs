//! Damaged copies of every good file: they may be refused or read, nothing else.

use super::*;

/// A small generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

fn read_everything(path: &Path) {
    match open(path, &OpenOptions::default()) {
        Ok(Opened::Tensor(loaded)) => touch(&loaded),
        Ok(Opened::Archive(m)) => {
            for name in m.names() {
                let _ = m.entry(name);
                if let Ok(loaded) = m.get(name) {
                    touch(&loaded);
                }
            }
            for (_, value) in m.meta().iter() {
                if let MetaValue::Array(array) = value {
                    for i in [0, array.len() / 2, array.len().saturating_sub(1), array.len()] {
                        let _ = array.get(i);
                    }
                }
            }
        }
        Err(diag) => assert!(CODES.iter().any(|(code, ..)| *code == diag.code), "{diag:?}"),
    }
}

/// Reads the first and the last element of what was loaded.
fn touch(loaded: &Loaded) {
    let bytes = loaded.buffer.bytes();
    match loaded.encoding {
        Encoding::Plain(_) if loaded.elements > 0 => {
            let _ = (host(loaded).get(0), host(loaded).get(loaded.elements - 1));
        }
        Encoding::Plain(_) => {}
        Encoding::Packed(format) => {
            let mut out = vec![0.0; format.block];
            format.decode(&bytes[bytes.len().saturating_sub(format.bytes)..], &mut out);
        }
    }
}

fn good_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![fixture("")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if name != "bad" => folders.push(path),
                false if name != "cases.jsonl" && !name.ends_with(".bin") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn damaged_files_never_panic() {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(20261);
    for path in good_files() {
        let good = std::fs::read(&path).unwrap();
        let copy = dir.path().join(path.file_name().unwrap());
        // Headers matter most: half of the damage goes into the first bytes.
        let head = good.len().min(300);
        for round in 0..24 {
            let mut bytes = good.clone();
            match round % 4 {
                0 => bytes.truncate(dice.next(good.len() + 1)),
                1 if !bytes.is_empty() => {
                    let at = dice.next(head);
                    bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][dice.next(5)];
                }
                2 if good.len() > 8 => {
                    let at = dice.next(good.len() - 8);
                    let number = [0, u64::MAX, 1 << 62, 1 << 32, 61 << 30][dice.next(5)];
                    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
                }
                _ => {
                    for _ in 0..1 + dice.next(6) {
                        let at = dice.next(good.len());
                        if let Some(byte) = bytes.get_mut(at) {
                            *byte ^= 1 << dice.next(8);
                        }
                    }
                }
            }
            // A new file each time: overwriting one would wait for the disk.
            let _ = std::fs::remove_file(&copy);
            std::fs::write(&copy, bytes).unwrap();
            read_everything(&copy);
        }
    }
}

#[test]
fn good_files_are_read_as_a_whole() {
    assert!(good_files().len() > 150);
    good_files().iter().for_each(|path| read_everything(path));
}
