//! The commands on data files, run as a process.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn tsk(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsk"));
    command.args(args).current_dir(dir).env_remove("NO_COLOR").stdin(Stdio::null());
    command.output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// Standard output of a run that ends well.
fn fine(dir: &Path, args: &[&str]) -> String {
    let output = tsk(dir, args);
    assert_eq!(status(&output), 0, "{args:?}: {output:?}");
    out(&output)
}

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{l}: {e}"))).collect()
}

/// With one space between words.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// A folder with `a.safetensors` (w f32[4, 64] in steps of 1/8, v, an integer, all zeros) and `q.gguf` (w as q8_0).
fn model() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let script = "w = (arange(256).reshape(4, 64) - 100) / 8\nv = array([1.0, -2.0, 0.5])\nn = arange(3)\n\
                  save(record(w=w, v=v, n=n, z=zeros(5)), \"a.safetensors\", meta=record(made=\"here\"));\n\
                  save(record(w=quantize(w, q8_0), v=v), \"q.gguf\");\n\
                  layers = [(f\"{i}\", w) for i in range(3)]\n\
                  save(record(x=w + 0.25), \"x.npz\");";
    fine(dir.path(), &["-e", script]);
    dir
}

#[test]
fn info_folds_names_and_counts_dtypes() {
    let text = fine(&fixtures(), &["info", "gguf/net.gguf"]);
    assert!(squeezed(&text).contains("blk.{0..2}.attn_q.weight q4_0 [2, 96] ×3 324 B"), "{text}");
    assert!(text.ends_with("notable: nothing\n"), "{text}");
    let json = &lines(&fine(&fixtures(), &["info", "--json", "gguf/net.gguf"]))[0];
    assert_eq!(json["groups"][0]["name"], "blk.{0..2}.attn_q.weight");
    assert_eq!((&json["groups"][0]["count"], &json["groups"][0]["bytes"]), (&3.into(), &324.into()));
    assert_eq!((&json["tensors"], &json["format"]), (&11.into(), &"gguf".into()));
    let all = &lines(&fine(&fixtures(), &["info", "--json", "--all", "gguf/net.gguf"]))[0];
    assert_eq!(all["groups"].as_array().map(Vec::len), Some(11));
    // A data file by itself is the same.
    assert_eq!(fine(&fixtures(), &["gguf/net.gguf"]), text);
    assert_eq!(lines(&fine(&fixtures(), &["--format", "json", "gguf/net.gguf"]))[0], *json);
}

#[test]
fn info_tells_what_is_notable() {
    let output = tsk(&fixtures(), &["info", "st/missing/model.safetensors.index.json"]);
    assert!(out(&output).contains("notable: E0610: shard"), "{output:?}");
    let dir = model();
    assert!(fine(dir.path(), &["info", "a.safetensors"]).contains("notable: all zero: z\n"));
    let text = fine(&fixtures(), &["info", "st/pad3.safetensors", "npz/stored.npz"]);
    assert!(text.contains("notable: unaligned: x, y"), "{text}");
    assert!(text.contains("notable: NaN: w, layer/1/weight") && text.contains("notable: inf: w, layer/1/weight"));
    let markdown = fine(dir.path(), &["info", "--markdown", "a.safetensors"]);
    assert!(
        markdown.contains("| w | f32 | [4, 64] |  | 1.0 kB |") && markdown.contains("| made | \"here\" |"),
        "{markdown}"
    );
}

#[test]
fn info_goes_on_after_a_bad_file() {
    let output = tsk(&fixtures(), &["info", "gguf/bad/overlap.gguf", "missing.npy", "npy/f32.npy"]);
    assert_eq!(status(&output), 1);
    assert!(err(&output).contains("E0607") && err(&output).contains("E0601"), "{output:?}");
    assert!(squeezed(&out(&output)).contains("f32 f32 [3, 4] 48 B"), "{output:?}");
    assert!(out(&output).starts_with("npy/f32.npy: "), "{output:?}");
}

#[test]
fn one_expression_on_a_file() {
    for (file, text, want) in [
        ("gguf/net.gguf", "blk.0.attn_q.weight[0:2, ::64]", None),
        ("gguf/net.gguf", "blk.1.attn_norm.weight.shape", Some("(4,)\n")),
        ("gguf/net.gguf", "len(m)", Some("11\n")),
        ("gguf/meta.gguf", "m.meta[\"t.u8\"] + 1", Some("201\n")),
        ("gguf/good.gguf", "a[1:3] * 2", Some("f32[2]\n[2. 4.]\n")),
        ("npy/f32.npy", "m.shape", Some("(3, 4)\n")),
        ("npz/stored.npz", "layer/1/weight.size", Some("12\n")),
    ] {
        let output = tsk(&fixtures(), &[file, text]);
        match want {
            Some(want) => assert_eq!((out(&output).as_str(), status(&output)), (want, 0), "{text} {output:?}"),
            // A step on the packed axis: the report names the block and shows the rewritten expression.
            None => {
                assert_eq!(status(&output), 1);
                assert!(err(&output).contains("error[E02") && err(&output).contains("32"), "{}", err(&output));
                assert!(err(&output).contains("m[\"blk.0.attn_q.weight\"][0:2, ::64]"), "{}", err(&output));
            }
        }
    }
    let output = tsk(&fixtures(), &["--format", "json", "gguf/good.gguf", "a"]);
    assert_eq!(lines(&out(&output))[0]["value"]["data"], serde_json::json!([0.0, 1.0, 2.0, 3.0]));
    assert_eq!(status(&tsk(&fixtures(), &["gguf/good.gguf", "a +"])), 2);
    assert_eq!(status(&tsk(&fixtures(), &["gguf/good.gguf", "a", "b"])), 2);
    assert_eq!(status(&tsk(&fixtures(), &["gguf/bad/overlap.gguf", "a"])), 1);
}

#[test]
fn stat_gives_the_figures() {
    let dir = model();
    let all = lines(&fine(dir.path(), &["stat", "--json", "a.safetensors"]));
    let w = all.iter().find(|t| t["name"] == "w").unwrap();
    // -12.5 to 19.375 in steps of 1/8: mean 3.4375, variance (256² - 1) / 12 / 64.
    assert_eq!((&w["min"], &w["max"], &w["mean"]), (&(-12.5).into(), &19.375.into(), &3.4375.into()));
    assert!((w["sd"].as_f64().unwrap() - (65535.0_f64 / 12.0 / 64.0).sqrt()).abs() < 1e-12);
    assert_eq!((&w["zeros"], &w["nan"], &w["inf"], &w["count"]), (&1.into(), &0.into(), &0.into(), &256.into()));
    let bins = w["histogram"].as_array().unwrap();
    assert_eq!(bins.iter().map(|b| b[2].as_u64().unwrap()).sum::<u64>(), 256);
    assert!(bins.contains(&serde_json::json!([8.0, 16.0, 64])) && bins.contains(&serde_json::json!([0.0, 0.0, 1])));
    let n = all.iter().find(|t| t["name"] == "n").unwrap();
    assert_eq!((&n["dtype"], &n["min"], &n["max"]), (&"i64".into(), &0.into(), &2.into()));
    let some = lines(&fine(dir.path(), &["stat", "--json", "--no-hist", "a.safetensors", "[vn]"]));
    assert_eq!(some.iter().map(|t| t["name"].as_str().unwrap()).collect::<Vec<_>>(), ["v", "n"]);
    assert!(some[0].get("histogram").is_none());
    let text = fine(dir.path(), &["stat", "q.gguf"]);
    assert!(text.contains("w       q8_0   [4, 64]") && text.contains("±32"), "{text}");
    let output = tsk(dir.path(), &["stat", "a.safetensors", "nothing*"]);
    assert!(status(&output) == 1 && err(&output).contains("E0609"), "{output:?}");
    let big = lines(&fine(&fixtures(), &["stat", "--json", "npy/big_endian_i32.npy"]));
    assert_eq!(big[0]["dtype"], "i32");
}

#[test]
fn diff_compares_values_across_formats() {
    let dir = model();
    let output = tsk(dir.path(), &["diff", "--json", "a.safetensors", "q.gguf"]);
    assert_eq!(status(&output), 1);
    let all = lines(&out(&output));
    let w = all.iter().find(|t| t["name"] == "w").unwrap();
    let v = all.iter().find(|t| t["name"] == "v").unwrap();
    assert_eq!((&v["differs"], &v["max_abs"], &v["worst"]), (&false.into(), &0.0.into(), &Json::Null));
    assert_eq!(w["dtypes"], serde_json::json!(["f32", "q8_0"]));
    // The same by the language itself.
    let script = "a = load(\"a.safetensors\")[\"w\"].astype(f64)\nb = unpack(load(\"q.gguf\")[\"w\"]).astype(f64)\n\
                  d = abs(a - b)\nprint(max(d), sqrt(mean(d ** 2)), sum(a * b) / sqrt(sum(a * a) * sum(b * b)), argmax(d))";
    let text = fine(dir.path(), &["-e", script]);
    let want: Vec<f64> = text.split_whitespace().map(|t| t.parse().unwrap()).collect();
    let near =
        |key: &str, want: f64| assert!((w[key].as_f64().unwrap() - want).abs() < 1e-7, "{key} {} {want}", w[key]);
    near("max_abs", want[0]);
    near("rms", want[1]);
    near("cosine", want[2]);
    let at = &w["worst"]["index"];
    assert_eq!(at[0].as_u64().unwrap() * 64 + at[1].as_u64().unwrap(), want[3] as u64);
    let apart = w["worst"]["a"].as_f64().unwrap() - w["worst"]["b"].as_f64().unwrap();
    assert!((apart.abs() - want[0]).abs() < 1e-7);
    assert_eq!(all.last().unwrap()["summary"]["only_a"], serde_json::json!(["n", "z"]));
}

#[test]
fn diff_has_tolerances_and_statuses() {
    let dir = model();
    for (args, want) in [
        (&["a.safetensors", "a.safetensors"][..], 0),
        (&["a.safetensors", "q.gguf"], 1),
        (&["--match", "v", "a.safetensors", "q.gguf"], 0),
        (&["--match", "w", "--atol", "0.1", "a.safetensors", "q.gguf"], 0),
        (&["--match", "w", "--rtol", "0.001", "a.safetensors", "q.gguf"], 1),
        (&["a.safetensors", "missing.npz"], 1),
        (&["--atol", "-1", "a.safetensors", "q.gguf"], 2),
        (&["a.safetensors"], 0),
    ] {
        let output = tsk(dir.path(), &[&["diff"], args].concat());
        assert_eq!(status(&output), want, "{args:?} {output:?}");
    }
    let shapes = tsk(dir.path(), &["-e", "save(ones((2, 3)), \"p.npy\"); save(ones((3, 2)), \"q.npy\")"]);
    assert_eq!(status(&shapes), 0);
    let output = tsk(dir.path(), &["diff", "p.npy", "q.npy"]);
    assert_eq!((out(&output).as_str(), status(&output)), ("q: shapes [2, 3] and [3, 2]\n1 of 1 tensors differ\n", 1));
    // A transposed file has the same elements in the same places.
    let script = "x = arange(6, dtype=f32).reshape(2, 3); save(x, \"p.npy\"); save(record(a=x.astype(f16)), \"q.npz\")";
    fine(dir.path(), &["-e", script]);
    assert_eq!(out(&tsk(dir.path(), &["diff", "p.npy", "q.npz"])), "0 of 1 tensors differ\n");
}

#[test]
fn one_file_as_text_changes_where_the_file_does() {
    let dir = model();
    let text = fine(dir.path(), &["diff", "a.safetensors"]);
    assert!(text.starts_with("made = \"here\"\n"), "{text}");
    assert!(
        text.contains("v: f32[3] min -2, max 1, mean -0.166667, sd 1.31233, zeros 0, NaN 0, inf 0, crc32 "),
        "{text}"
    );
    fine(dir.path(), &["-e", "save(record(v=array([1.0, -2.0, 0.5])), \"b.safetensors\")"]);
    let other = fine(dir.path(), &["diff", "b.safetensors"]);
    assert!(text.contains(other.trim_end()), "the same tensor has the same line in every file");
}

#[test]
fn check_finds_what_is_wrong() {
    for (file, want) in [
        ("gguf/net.gguf", None),
        ("st/model/model.safetensors.index.json", None),
        ("npz/by_numpy.npz", None),
        ("npz/stored.npz", Some("w: NaN: 1 of 12 values")),
        ("npz/bad/checksum.npz", Some("E0617")),
        ("npz/bad/duplicate.npz", Some("E0608")),
        ("st/missing/model.safetensors.index.json", Some("E0610")),
        ("st/stale/model.safetensors.index.json", Some("E0611")),
        ("st/doubled/model.safetensors.index.json", Some("E0612")),
        ("st/pad3.safetensors", Some("x: unaligned")),
        ("gguf/bad/overlap.gguf", Some("E0607")),
        ("missing.npy", Some("E0601")),
    ] {
        let output = tsk(&fixtures(), &["check", file]);
        assert_eq!(status(&output), i32::from(want.is_some()), "{file} {output:?}");
        assert!(out(&output).contains(want.unwrap_or(": fine, ")), "{file} {output:?}");
        let json = &lines(&out(&tsk(&fixtures(), &["check", "--json", file])))[0];
        assert_eq!(json["ok"], want.is_none(), "{file}");
        assert_eq!(json["findings"].as_array().unwrap().is_empty(), want.is_none(), "{file}");
    }
    let dir = model();
    let text = fine(dir.path(), &["check", "a.safetensors"]);
    assert!(text.contains("note: z: all zero: all 5 values are zero\n"), "{text}");
    // Scripts are checked as before.
    std::fs::write(dir.path().join("s.tsk"), "ones(3) + ones(4)").unwrap();
    assert_eq!(status(&tsk(dir.path(), &["check", "s.tsk"])), 1);
}

#[test]
fn convert_changes_format_dtype_and_names() {
    let dir = model();
    let text = fine(dir.path(), &["convert", "a.safetensors", "b.npz", "--dtype", "f64", "--rename", "*=m.*"]);
    assert!(text.contains("4 tensors, 3 converted, 1 as they were"), "{text}");
    let names =
        fine(dir.path(), &["-e", "m = load(\"b.npz\"); print(sorted(m.keys()), m[\"m.w\"].dtype, m[\"m.n\"].dtype)"]);
    assert_eq!(names, "['m.n', 'm.v', 'm.w', 'm.z'] f64 i64\n");
    // To a packed format as `quantize` does, and back.
    fine(dir.path(), &["convert", "a.safetensors", "c.gguf", "--dtype", "q8_0", "--match", "[wv]"]);
    let same = "a, b = load(\"c.gguf\"), load(\"q.gguf\")\nprint(a[\"w\"].dtype == q8_0, a[\"v\"].dtype, \
                all(unpack(a[\"w\"]) == unpack(b[\"w\"])))";
    assert_eq!(fine(dir.path(), &["-e", same]), "True f32 True\n");
    let output = tsk(dir.path(), &["convert", "q.gguf", "d.safetensors"]);
    assert_eq!(status(&output), 1);
    assert!(err(&output).contains("E0616") && err(&output).contains("--dtype f32"), "{output:?}");
    assert!(!dir.path().join("d.safetensors").exists());
    fine(dir.path(), &["convert", "q.gguf", "d.safetensors", "--dtype", "bf16"]);
    let dtypes = fine(dir.path(), &["info", "--json", "d.safetensors"]);
    assert_eq!(lines(&dtypes)[0]["dtypes"][0]["dtype"], "bf16");
    // A lone tensor where the format holds one, and metadata where there is a place for it.
    fine(dir.path(), &["convert", "a.safetensors", "w.npy", "--match", "w"]);
    assert_eq!(fine(dir.path(), &["w.npy", "print(m[0, 0])"]), "-12.5\n");
    fine(dir.path(), &["convert", "a.safetensors", "e.safetensors"]);
    assert_eq!(fine(dir.path(), &["e.safetensors", "m.meta[\"made\"]"]), "'here'\n");
    for (args, want) in [
        (&["a.safetensors", "x.npy"][..], 1),
        (&["a.safetensors", "x.what"], 1),
        (&["a.safetensors", "x.npz", "--match", "none*"], 1),
        (&["a.safetensors", "x.npz", "--rename", "[wv]"], 2),
        (&["a.safetensors", "x.npz", "--dtype", "q9"], 2),
        (&["a.safetensors", "x.gguf", "--dtype", "iq4_nl"], 2),
        (&["a.safetensors", "x.npz", "--rename", "w=v"], 1),
    ] {
        assert_eq!(status(&tsk(dir.path(), &[&["convert"], args].concat())), want, "{args:?}");
    }
}

#[test]
fn convert_cuts_into_shards_that_load_as_one() {
    let dir = model();
    for (out, first) in [("s.safetensors", "s.safetensors.index.json"), ("s.gguf", "s-00001-of-00002.gguf")] {
        let args = ["convert", "a.safetensors", out, "--shard-size", "1k", "--match", "[wvz]"];
        fine(dir.path(), &args);
        let text = fine(dir.path(), &["diff", "--match", "[wvz]", "a.safetensors", first]);
        assert_eq!(text, "0 of 3 tensors differ\n");
        assert!(fine(dir.path(), &["check", first]).contains("fine, 3 tensors"));
    }
    let output = tsk(dir.path(), &["convert", "a.safetensors", "s.npz", "--shard-size", "1k"]);
    assert!(status(&output) == 1 && err(&output).contains("E0616"), "{output:?}");
}

#[test]
fn results_larger_than_memory_are_saved_in_parts() {
    let dir = tempfile::tempdir().unwrap();
    fine(dir.path(), &["-e", "save(arange(3000000, dtype=f32).reshape(3000, 1000) / 1000, \"x.npy\")"]);
    let limit = ["--max-memory", "4M", "-e"];
    let script = "x = load(\"x.npy\")\nsave(x.astype(f16), \"h.npy\")\n\
                  save(record(y=relu(x - x.mean(axis=0)), s=x.sum(axis=1)), \"y.npz\")\nprint(sum(x.astype(f64)))";
    let text = fine(dir.path(), &[&limit[..], &[script]].concat());
    assert_eq!(text, "4.4999985e+09\n");
    let check = "x = load(\"x.npy\"); y = load(\"y.npz\")\nprint(all(load(\"h.npy\") == x.astype(f16)), \
                 all(y[\"y\"] == relu(x - x.mean(axis=0))), all(y[\"s\"] == x.sum(axis=1)))";
    assert_eq!(fine(dir.path(), &["-e", check]), "True True True\n");
    // What cannot be cut is refused as before, and a failing part leaves no file.
    let output = tsk(dir.path(), &[&limit[..], &["save(sort(load(\"x.npy\"), axis=0), \"z.npy\")"]].concat());
    assert!(status(&output) == 1 && err(&output).contains("E0703"), "{output:?}");
    let output = tsk(dir.path(), &[&limit[..], &["save((load(\"x.npy\") * 1e6).astype(i16), \"z.npy\")"]].concat());
    assert!(status(&output) == 1 && err(&output).contains("E0504"), "{output:?}");
    assert!(!dir.path().join("z.npy").exists());
}

#[test]
fn control_characters_of_names_do_not_reach_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let header = "{\"a\\u001b[31m\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[7]].concat();
    std::fs::write(dir.path().join("e.safetensors"), bytes).unwrap();
    for command in ["info", "stat", "check", "diff"] {
        assert!(!out(&tsk(dir.path(), &[command, "e.safetensors"])).contains('\u{1b}'), "{command}");
    }
}

#[test]
fn every_command_shows_examples() {
    for command in ["info", "stat", "diff", "check", "convert"] {
        let text = fine(&fixtures(), &[command, "--help"]);
        assert!(text.contains("Examples:") && text.contains(&format!("tsk {command} ")), "{text}");
        assert_eq!(status(&tsk(&fixtures(), &[command])), 2);
    }
}
