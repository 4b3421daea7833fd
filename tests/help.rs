//! Help: a page for every name, its examples run, related names lead somewhere, foreign names lead here.

use std::process::{Command, Output};
use std::sync::Arc;
use tsk::backend::Cpu;
use tsk::base::codes::FAMILIES;
use tsk::func;
use tsk::help::{self, Kind, Page, Part};
use tsk::kernel::{Backend, Cancel};

fn outputs(page: &Page) -> Vec<String> {
    let backend: Arc<dyn Backend> = Arc::new(Cpu::new(1));
    tsk::eval::outputs(page, &backend, &Cancel::default())
}

fn page(name: &str) -> Page {
    help::find(name).unwrap_or_else(|text| panic!("{name}: {text}"))
}

fn see(page: &Page) -> Vec<&String> {
    page.parts.iter().filter_map(|p| if let Part::See(names) = p { Some(names) } else { None }).flatten().collect()
}

fn all_pages() -> Vec<Page> {
    let mut pages: Vec<Page> = help::topics().iter().map(|t| page(t.name)).collect();
    pages.extend(help::function_pages().map(|(_, page)| page));
    pages.extend(help::operator_pages());
    pages.extend(help::attribute_pages());
    pages.extend(help::type_pages());
    pages.extend(help::words().iter().map(|w| page(w.names[0])));
    pages.extend(help::codes().iter().map(|(code, ..)| page(code)));
    pages.extend(FAMILIES.iter().map(|(family, _)| page(family)));
    pages
}

/// Examples that show how a fault looks.
const FAULTS: &[(&str, &str)] = &[
    ("broadcasting", "E0203"),
    ("dtypes", "E0403"),
    ("numbers", "E0506"),
    ("packed formats", "E0216"),
    ("errors", "E0203"),
    ("errors", "E0101"),
    ("?", "E0114"),
];

#[test]
fn examples_of_all_pages_run() {
    let mut bad = Vec::new();
    for page in all_pages().iter().filter(|p| p.kind != Kind::Function) {
        let shown = outputs(page);
        assert_eq!(shown.len(), page.runnable().count(), "{}", page.name);
        for (example, output) in page.runnable().zip(shown) {
            let expected = FAULTS.iter().any(|(n, code)| page.name == *n && output.contains(&format!("error[{code}]")));
            if output.is_empty() || (output.contains("error[") && !expected) {
                bad.push(format!("{}: {example}\n{output}", page.name));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn related_names_have_pages() {
    let mut bad = Vec::new();
    for page in all_pages() {
        let lost = see(&page).into_iter().filter(|name| help::find(name).is_err()).cloned().collect::<Vec<_>>();
        bad.extend(lost.into_iter().map(|name| format!("{}: see also {name}", page.name)));
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn topics_fit_two_screens() {
    for topic in help::topics() {
        let page = page(topic.name);
        let text = page.render(&outputs(&page));
        let lines = text.lines().count();
        assert!((20..=80).contains(&lines), "{}: {lines} lines", topic.name);
        assert!(page.runnable().count() >= 2, "{}", topic.name);
    }
}

#[test]
fn every_word_of_the_language_has_a_page() {
    let words = tsk::lang::KEYWORDS.iter().chain(tsk::lang::operators::STATEMENT_KEYWORDS);
    let symbols = tsk::lang::OPERATORS.iter().map(|o| &o.symbol);
    for word in words.chain(symbols).chain(func::attribute::TENSOR) {
        assert!(!page(word).parts.is_empty(), "{word}");
    }
    for name in [".T", "x.mT", ".reshape", "x.sum", "s.upper", "+=", "[]", "...", "#", ";", "e0203", "E02", "pi"] {
        page(name);
    }
    assert_eq!(page("@").kind, Kind::Operator);
    assert_eq!(page("f16").kind, Kind::Dtype);
    assert_eq!(page("q4_k").kind, Kind::Packed);
    assert_eq!(page(".shape").kind, Kind::Attribute);
    assert_eq!(page("shape").kind, Kind::Function);
    assert_eq!(page("views").name, "views and copies");
}

#[test]
fn names_of_other_libraries_lead_here() {
    for (theirs, ours) in [
        ("np.concatenate", "concat"),
        ("torch.cat", "concat"),
        ("nn.functional.gelu", "gelu"),
        ("F.layer_norm", "layer_norm"),
        ("nn.LayerNorm", "layer_norm"),
        ("nn.Conv2d", "conv2d"),
        ("einops.rearrange", "rearrange"),
        ("torch.permute", "transpose"),
        ("torch.Tensor.unsqueeze", "expand_dims"),
        ("np.linalg.svd", "svd"),
        ("numpy.fft.rfft", "rfft"),
        ("jnp.where", "where"),
        ("np.float32", "f32"),
        ("torch.bfloat16", "bf16"),
        ("np.newaxis", "newaxis"),
        ("np.pi", "pi"),
        ("np.savez", "save"),
        ("np.r_", "concat"),
        ("null", "None"),
        ("tensor_split", "array_split"),
    ] {
        assert_eq!(page(theirs).name, ours, "{theirs}");
    }
    let told = page("np.concatenate").parts[0].clone();
    assert_eq!(told, Part::Text("`np.concatenate` is `concat` here.".into()));
}

#[test]
fn misspelt_names_get_the_nearest() {
    for (wrong, near) in [("softmx", "softmax"), ("np.reshap", "reshape"), ("indexin", "indexing"), ("whlie", "while")]
    {
        let text = help::find(wrong).expect_err(wrong);
        assert!(text.contains(&format!("did you mean `{near}`?")), "{text}");
    }
    assert!(help::find("zzzzzzzz").expect_err("none").contains("tsk help"));
}

#[test]
fn helpers_of_the_prelude_stay_hidden() {
    assert!(!func::helpers().is_empty());
    for helper in func::helpers() {
        assert!(help::find(helper.doc.name).is_err(), "{}", helper.doc.name);
        assert!(!func::all().iter().any(|f| f.doc.name == helper.doc.name));
    }
    assert!(func::nearest("_widene", []).is_none_or(|near| !near.starts_with('_')));
}

#[test]
fn elementwise_rules_are_asked_of_the_rows() {
    let gives = |name: &str| {
        let found =
            page(name).parts.into_iter().find_map(|p| if let Part::Fact("gives", t) = p { Some(t) } else { None });
        found.unwrap_or_default()
    };
    assert_eq!(gives("add"), "The shapes of x and y broadcast; the promoted dtype.");
    assert_eq!(gives("less"), "The shapes of x and y broadcast; bool, complex numbers are refused.");
    assert_eq!(
        gives("exp"),
        "The shape of x; floats and complex numbers keep their dtype, bools and integers give the default float."
    );
}

fn tsk(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tsk")).args(args).output().expect("tsk runs")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_command_and_the_function_show_the_same_page() {
    let command = tsk(&["help", "ndim"]);
    let text = out(&command);
    for part in [
        "ndim(x)\n",
        "The number of axes.",
        "gives     A plain integer.",
        "NumPy     np.ndim",
        ">>> ndim(zeros(2, 3))\n2\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(out(&tsk(&["-e", "help(ndim)"])), text);
    assert_eq!(out(&tsk(&["-e", "help(\"ndim\")"])), text);
    let defined = tsk(&["-e", "# Doubles.\nfn twice(x) = 2 * x\nhelp(twice)"]);
    assert_eq!(out(&defined), "# Doubles.\nfn twice(x) = 2 * x\n");
}

#[test]
fn the_command_takes_topics_commands_and_tells_unknown_names() {
    assert!(out(&tsk(&["help", "views", "and", "copies"])).starts_with("Views and copies"));
    assert!(out(&tsk(&["help"])).contains("topics\n  indexing"));
    assert!(out(&tsk(&["help", "convert"])).contains("Usage: tsk convert"));
    let unknown = tsk(&["help", "softmx"]);
    assert_eq!((unknown.status.code(), out(&unknown).as_str()), (Some(1), ""));
    let line = out(&tsk(&["help", "--json", "ndim"]));
    let json: serde_json::Value = serde_json::from_str(&line).expect("one object");
    assert_eq!(json["help"]["title"], "ndim(x)");
    assert_eq!(json["help"]["examples"][0]["output"], "2\n");
}
