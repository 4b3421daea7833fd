//! Completion of file names.

use super::complete::Candidate;
use std::path::Path;

/// Files and folders that a text may go on to; relative ones start at `base`. Folders end with a slash.
pub fn complete(base: &Path, text: &str, fits: impl Fn(&str) -> bool) -> Vec<Candidate> {
    let (folder, begin) = match text.rfind('/') {
        Some(i) => text.split_at(i + 1),
        None => ("", text),
    };
    let home = std::env::var_os("HOME");
    let place = match (folder.strip_prefix("~/"), &home) {
        (Some(rest), Some(home)) => Path::new(home).join(rest),
        _ => base.join(folder),
    };
    let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten().take(20_000) {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Hidden files only where a dot was typed.
        if !name.starts_with(begin) || (name.starts_with('.') && !begin.starts_with('.')) {
            continue;
        }
        let kind = std::fs::metadata(entry.path());
        match kind {
            Ok(data) if data.is_dir() => {
                found.push(Candidate::named(format!("{folder}{name}/"), &format!("{name}/"), "folder"));
            }
            Ok(data) if fits(&name) => {
                let about = crate::base::size(data.len());
                found.push(Candidate::named(format!("{folder}{name}"), &name, &about));
            }
            _ => {}
        }
    }
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_on_and_hidden_files_wait_for_a_dot() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["größe.npy", "grid.tsk", ".hidden"] {
            std::fs::write(dir.path().join(name), b"abc").unwrap();
        }
        std::fs::create_dir(dir.path().join("grün")).unwrap();
        let texts = |text: &str| -> Vec<String> {
            complete(dir.path(), text, |n| n.ends_with(".npy")).into_iter().map(|c| c.text).collect()
        };
        assert_eq!(texts("gr"), ["größe.npy", "grün/"]);
        assert_eq!(texts(""), ["größe.npy", "grün/"]);
        assert!(texts("no/such/").is_empty());
        let all: Vec<String> = complete(dir.path(), ".h", |_| true).into_iter().map(|c| c.text).collect();
        assert_eq!(all, [".hidden"]);
    }
}
