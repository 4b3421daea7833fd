//! The text of arrays against NumPy's (made by `oracle/display.py`).

use std::sync::Arc;
use tsk::tensor::{Buffer, DType, HostArray, Layout, View};
use tsk::text::{ArrayOptions, array_repr, array_text};

fn array(row: &serde_json::Value) -> HostArray {
    let hex = row["hex"].as_str().unwrap();
    let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
    let shape: Vec<usize> =
        row["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap().try_into().unwrap()).collect();
    let dtype = DType::from_name(row["dtype"].as_str().unwrap()).unwrap();
    let view = View { layout: Layout::contiguous(&shape).unwrap(), dtype, conj: false };
    HostArray { buffer: Arc::new(Buffer::from_bytes(&bytes).unwrap()), view }
}

fn options(row: &serde_json::Value) -> ArrayOptions {
    let mut opts = ArrayOptions { default_float: DType::F64, ..Default::default() };
    for (key, value) in row["options"].as_object().unwrap() {
        let number = value.as_u64().unwrap_or(0) as usize;
        match key.as_str() {
            "precision" => opts.precision = number,
            "threshold" => opts.threshold = number,
            "edge" => opts.edge_items = number,
            "width" => opts.line_width = number,
            "suppress" => opts.suppress = value.as_bool().unwrap(),
            other => panic!("{other}"),
        }
    }
    opts
}

#[test]
fn arrays_read_as_numpy_writes_them() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("oracle/display.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let (a, opts) = (array(&row), options(&row));
        let mut compare = |got: String, want: &serde_json::Value| {
            count += 1;
            if want.as_str().is_some_and(|want| want != got) {
                wrong.push(format!(
                    "{} {}\ngot\n{got}\nwant\n{}",
                    row["dtype"],
                    row["options"],
                    want.as_str().unwrap()
                ));
            }
        };
        compare(array_text(&a, &opts, " ", ""), &row["text"]);
        compare(array_repr(&a, &opts), &row["repr"]);
    }
    assert!(count > 1000);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n\n"));
}
