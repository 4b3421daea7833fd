//! Every fault of a file, one code for each kind. Codes stand here and nowhere else.

use crate::base::Diag;
use std::fmt::Display;
use std::path::Path;

/// The file codes with what `tsk explain` says about them.
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0601",
        "cannot open the file",
        "The path names nothing, a folder, or a file that may not be read. Relative paths start at the folder that tsk runs in.",
    ),
    (
        "E0602",
        "unknown kind of file",
        "load and save choose the format by the end of the name: .npy .npz .safetensors .safetensors.index.json .gguf .csv .tsv .png. Plain bytes are read with raw(path, dtype, shape).",
    ),
    (
        "E0603",
        "not a file of this format",
        "The first bytes or the version are not those of the format that the name's end promises.",
    ),
    (
        "E0604",
        "the file is cut short",
        "A length written in the file goes past its end: the file was truncated, or the header lies.",
    ),
    ("E0605", "malformed header", "The header breaks the rules of its format."),
    ("E0606", "impossible size", "A shape or a count in the header is larger than any memory, or has too many axes."),
    (
        "E0607",
        "tensors at the wrong place",
        "Two tensors share bytes, bytes belong to no tensor, or a tensor is not aligned as its format demands.",
    ),
    (
        "E0608",
        "a name is doubled",
        "Two tensors, members, columns or keys have one name, so that reading by name would be a guess.",
    ),
    ("E0609", "no such name", "The archive holds no tensor or key of this name. keys() lists those that it has."),
    ("E0610", "a shard is missing", "The model is split over several files and one of them is not there."),
    (
        "E0611",
        "a stale shard",
        "A shard does not hold what the index says: it belongs to another version of the model.",
    ),
    ("E0612", "a doubled tensor", "Two shards hold a tensor of one name."),
    ("E0613", "the archive is closed", "close(m) ended it. Load the file again."),
    (
        "E0614",
        "the file changed",
        "The file was written, cut or extended after it was opened, so what was read from its header no longer holds. Load it again.",
    ),
    (
        "E0615",
        "cannot write the file",
        "The operating system refused to write. Nothing was changed: files are written whole or not at all.",
    ),
    (
        "E0616",
        "the format cannot hold this",
        "A dtype, rank, name or kind of metadata that the format has no place for.",
    ),
    ("E0617", "damaged data", "A checksum does not fit, or compressed data cannot be unpacked."),
    (
        "E0618",
        "the table cannot be read",
        "A csv has rows of one length and fields that are numbers; its first row may be a header.",
    ),
    ("E0619", "the picture cannot be read", "The png is damaged or claims an impossible size."),
    ("E0620", "a dtype that tsk lacks", "The file holds elements of a type that tsk has no dtype for."),
    ("E0621", "a path outside of the folder", "An index may name shards in its own folder only."),
];

/// How errors call a file.
pub(super) fn show(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn io(path: &Path, error: &std::io::Error) -> Diag {
    use std::io::ErrorKind;
    let diag = |what: &str| Diag::new("E0601", format!("{what}: {}", show(path)));
    match error.kind() {
        ErrorKind::NotFound => diag("no such file").hint("relative paths start at the folder that tsk runs in"),
        ErrorKind::PermissionDenied => diag("no permission to read"),
        ErrorKind::IsADirectory => diag("this is a folder, not a file"),
        ErrorKind::UnexpectedEof => changed(path),
        _ => diag("cannot read").note(error.to_string()),
    }
}

pub(super) fn write(path: &Path, error: &std::io::Error) -> Diag {
    use std::io::ErrorKind;
    let diag = Diag::new("E0615", format!("cannot write {}", show(path))).note(error.to_string());
    match error.kind() {
        ErrorKind::NotFound => diag.hint("make the folder first"),
        ErrorKind::StorageFull => diag.hint("the disk is full; the old file, if any, is unchanged"),
        _ => diag,
    }
}

pub(super) fn not_format(path: &Path, format: &str, found: impl Display) -> Diag {
    Diag::new("E0603", format!("{} is not a {format} file", show(path))).note(format!("found {found}"))
}

/// A length that goes past the end of the file. All numbers in bytes.
pub(super) fn short(path: &Path, what: impl Display, start: u64, len: impl Display, file: u64) -> Diag {
    Diag::new("E0604", format!("{} is cut short: {what} goes past its end", show(path)))
        .note(format!("{what} needs {len} bytes from byte {start}; the file has {file} bytes"))
        .hint("was it downloaded or copied as a whole?")
}

pub(super) fn header(path: &Path, what: impl Display) -> Diag {
    Diag::new("E0605", format!("malformed header in {}", show(path))).note(what.to_string())
}

pub(super) fn size(path: &Path, what: impl Display) -> Diag {
    Diag::new("E0606", format!("impossible size in {}", show(path))).note(what.to_string())
}

pub(super) fn place(path: &Path, what: impl Display) -> Diag {
    Diag::new("E0607", format!("tensors at the wrong place in {}", show(path))).note(what.to_string())
}

pub(super) fn doubled(path: &Path, what: &str, name: &str) -> Diag {
    Diag::new("E0608", format!("{} has two {what} of the name {name:?}", show(path)))
        .hint("reading by name would be a guess; write the file anew with names of their own")
}

pub(super) fn closed(path: &Path) -> Diag {
    Diag::new("E0613", format!("{} is closed", show(path))).hint("load it again")
}

pub(super) fn changed(path: &Path) -> Diag {
    Diag::new("E0614", format!("{} changed after it was opened", show(path))).hint("load it again")
}

pub(super) fn unsupported(format: &str, what: impl Display) -> Diag {
    Diag::new("E0616", format!("a {format} file cannot hold {what}"))
}

pub(super) fn damaged(path: &Path, what: impl Display) -> Diag {
    Diag::new("E0617", format!("damaged data in {}", show(path))).note(what.to_string())
}

pub(super) fn dtype(path: &Path, name: &str, found: impl Display) -> Diag {
    let whose = if name.is_empty() { String::new() } else { format!(" of {name:?}") };
    Diag::new("E0620", format!("{}: tsk has no dtype for the elements{whose}", show(path)))
        .note(format!("the file says {found}"))
}
