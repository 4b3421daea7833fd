//! Every example runs, from the project's folder as the README says, and the speech network agrees with its reference.

use std::path::Path;
use std::process::{Command, Output};
use tsk::file::{OpenOptions, Opened, open};

fn tsk(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tsk"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .expect("tsk starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_example_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the examples are there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "tsk") {
            count += 1;
            let name = path.to_string_lossy().into_owned();
            let out = tsk(&[&name]);
            assert_eq!(out.status.code(), Some(0), "{name}\n{}\n{}", text(&out.stdout), text(&out.stderr));
            assert!(!out.stdout.is_empty(), "{name} shows nothing");
        }
    }
    assert!(count >= 6, "{count} examples");
}

#[test]
fn the_readme_tour_is_the_example() {
    let read = |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name);
    let (readme, tour) = (read("README.md"), read("examples/tour.tsk"));
    let block = readme.split("```text\n").nth(1).and_then(|b| b.split("```").next()).expect("a tour in the README");
    for line in block.lines().filter(|l| !l.trim().is_empty()) {
        assert!(tour.lines().any(|l| l == line), "not in examples/tour.tsk: {line}");
    }
}

#[test]
fn the_speech_network_agrees_with_its_reference() {
    let out = tsk(&["--format", "json", "examples/silero_vad.tsk"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let last = text(&out.stdout).lines().last().map(str::to_owned).expect("a value");
    let shown: serde_json::Value = serde_json::from_str(&last).expect("JSON");
    let probs: Vec<f64> =
        shown["value"]["data"].as_array().expect("data").iter().map(|v| v.as_f64().expect("a number")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/silero/probs.npy");
    let Ok(Opened::Tensor(loaded)) = open(&path, &OpenOptions::default()) else { panic!("probs.npy opens") };
    let wanted: &[f32] = loaded.buffer.typed().expect("aligned f32");
    assert_eq!(probs.len(), wanted.len());
    for (i, (p, w)) in probs.iter().zip(wanted).enumerate() {
        assert!((p - f64::from(*w)).abs() < 1e-4, "frame {i}: {p} against {w}");
    }
}
