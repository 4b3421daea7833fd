//! A language model from a quantized file: a made-up one always, the real one where `TSK_GEMMA` names it.

use std::path::{Path, PathBuf};
use std::process::Command;
use tsk::file::{OpenOptions, Opened, open};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn array<T: bytemuck::Pod>(path: &Path) -> Vec<T> {
    let Ok(Opened::Tensor(loaded)) = open(path, &OpenOptions::default()) else { panic!("{} opens", path.display()) };
    loaded.buffer.typed::<T>().expect("aligned").to_vec()
}

/// The first logits and the tokens that the example gives.
fn generate(options: &[&str], model: &Path, count: usize, prompt: &[i64]) -> (Vec<f32>, Vec<i64>) {
    let dir = tempfile::tempdir().expect("a folder");
    let logits = dir.path().join("logits.npy");
    let out = Command::new(env!("CARGO_BIN_EXE_tsk"))
        .args(options)
        .args(["--format", "json"])
        .arg(folder().join("gemma.tsk"))
        .arg(model)
        .arg(count.to_string())
        .arg(&logits)
        .args(prompt.iter().map(i64::to_string))
        .output()
        .expect("tsk starts");
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&out.stderr));
    let last: serde_json::Value = serde_json::from_str(text.lines().last().expect("a value")).expect("JSON");
    assert_eq!(last["value"]["dtype"], "i64");
    let tokens = last["value"]["data"].as_array().expect("data").iter().map(|v| v.as_i64().expect("a token"));
    (array(&logits), tokens.collect())
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn the_made_up_model_agrees_with_numpy() {
    let dir = folder().join("gemma");
    let (tokens, wanted) = (array::<i64>(&dir.join("tiny_tokens.npy")), array::<f32>(&dir.join("tiny_logits.npy")));
    let model = dir.join("tiny.gguf");
    for threads in ["1", "3"] {
        let (logits, got) = generate(&["--threads", threads], &model, 6, &tokens[..7]);
        assert!(largest_difference(&logits, &wanted) < 1e-4, "{logits:?}");
        assert_eq!(got, tokens);
    }
    // Without a new token the prompt comes back as it is.
    assert_eq!(generate(&[], &model, 0, &tokens[..7]).1, tokens[..7]);
}

#[test]
fn gemma_270m_agrees_with_its_reference() {
    let Some(model) = std::env::var_os("TSK_GEMMA") else { return };
    const BEST: [(usize, f32); 10] = [
        (506, 19.091),
        (496, 18.548),
        (9079, 18.269),
        (886, 18.113),
        (3224, 17.784),
        (3187, 16.950),
        (711, 16.809),
        (7001, 16.779),
        (5628, 16.639),
        (614, 16.587),
    ];
    const TOKENS: [i64; 14] = [2, 818, 5279, 529, 7001, 563, 506, 5279, 529, 506, 2891, 529, 7001, 236761];
    let (logits, tokens) = generate(&[], Path::new(&model), 8, &TOKENS[..6]);
    let mut order: Vec<usize> = (0..logits.len()).collect();
    order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
    assert_eq!(order[..10], BEST.map(|(token, _)| token));
    for (token, wanted) in BEST {
        assert!((logits[token] - wanted).abs() < 0.15, "token {token}: {} against {wanted}", logits[token]);
    }
    assert_eq!(tokens, TOKENS);
}
