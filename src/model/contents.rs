//! One face for files of one tensor and of many.

use crate::base::Diag;
use crate::file::{self, Archive, Entry, Loaded, Meta, OpenOptions, Opened};
use std::path::{Path, PathBuf};

/// A data file, opened lazily. The tensor of a file that holds just one is called after the file.
pub struct Contents {
    path: PathBuf,
    inner: Inner,
}

enum Inner {
    One { name: String, loaded: Box<Loaded> },
    Many(Archive),
}

impl Contents {
    /// E06 where the file cannot be opened.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Contents, Diag> {
        let inner = match file::open(path, options)? {
            Opened::Tensor(loaded) => Inner::One { name: stem(path), loaded: Box::new(loaded) },
            Opened::Archive(archive) => Inner::Many(archive),
        };
        Ok(Contents { path: path.to_owned(), inner })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `npz`, `safetensors`, `gguf` or `csv`; of one tensor the end of the file's name.
    pub fn kind(&self) -> String {
        match &self.inner {
            Inner::One { .. } => self.path.extension().unwrap_or_default().to_string_lossy().to_lowercase(),
            Inner::Many(archive) => archive.kind().to_owned(),
        }
    }

    /// The archive, unless the file holds just one tensor.
    pub fn archive(&self) -> Option<&Archive> {
        match &self.inner {
            Inner::One { .. } => None,
            Inner::Many(archive) => Some(archive),
        }
    }

    /// Whether the file is a lone tensor, whose name is nobody's but ours.
    pub fn is_lone(&self) -> bool {
        matches!(self.inner, Inner::One { .. })
    }

    /// Bytes of the file and its shards.
    pub fn file_bytes(&self) -> u64 {
        match &self.inner {
            Inner::One { loaded, .. } => loaded.source.len(),
            Inner::Many(archive) => archive.file_bytes(),
        }
    }

    /// Names in the file's order.
    pub fn names(&self) -> Vec<&str> {
        match &self.inner {
            Inner::One { name, .. } => vec![name],
            Inner::Many(archive) => archive.names().collect(),
        }
    }

    /// Names that match a pattern of `*`, `?` and `[…]`, in the file's order.
    pub fn glob(&self, pattern: &str) -> Vec<&str> {
        match &self.inner {
            Inner::One { name, .. } => {
                if file::matches(pattern, name) {
                    vec![name]
                } else {
                    Vec::new()
                }
            }
            Inner::Many(archive) => archive.glob(pattern),
        }
    }

    /// What is known without reading data; None where the header of the tensor is bad.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        match &self.inner {
            Inner::One { loaded, .. } => Some(loaded.entry()),
            Inner::Many(archive) => archive.entry(name),
        }
    }

    /// The tensor of that name. E06 where there is none, or the file was changed.
    pub fn get(&self, name: &str) -> Result<Loaded, Diag> {
        match &self.inner {
            Inner::One { loaded, .. } => {
                loaded.source.check()?;
                Ok((**loaded).clone())
            }
            Inner::Many(archive) => archive.get(name),
        }
    }

    pub fn meta(&self) -> Option<&Meta> {
        self.archive().map(Archive::meta)
    }

    /// What is wrong with the file as a whole, such as a missing shard.
    pub fn faults(&self) -> &[Diag] {
        self.archive().map_or(&[], Archive::faults)
    }

    /// What keeps single tensors from being read: name and fault.
    pub fn broken(&self) -> Vec<(&str, &Diag)> {
        self.archive().map_or_else(Vec::new, |a| a.broken().collect())
    }
}

/// The name of a file without its end.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
