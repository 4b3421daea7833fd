use super::*;
use crate::lang::ast::*;

fn ok(text: &str) -> Vec<Stmt> {
    let parsed = parse(SourceId(0), text);
    assert_eq!(parsed.errors, [], "{text}");
    parsed.script
}

fn codes(text: &str) -> Vec<&'static str> {
    parse(SourceId(0), text).errors.iter().map(|e| e.code).collect()
}

#[test]
fn conformance_texts_parse() {
    let root = std::env::var("TSK_CASES").unwrap_or_default();
    if root.is_empty() {
        return;
    }
    let mut n = 0;
    for file in std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let (src, expect) = (case["src"].as_str().unwrap(), case["expect"].to_string());
            let parsed = parse(SourceId(0), src);
            n += 1;
            if expect == r#"{"error":"E00"}"# {
                if parsed.errors.is_empty() { println!("NO ERROR {src:?}"); }
                println!("{src:?} {:#?}", parsed.errors);
            } else if !parsed.errors.is_empty() && !expect.contains("E00") {
                println!("{src:?} {:?}", parsed.errors);
            }
        }
    }
    println!("{n} cases");
}
