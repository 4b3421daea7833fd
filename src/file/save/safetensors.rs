//! Writing `.safetensors`.

use super::{Item, whole};
use crate::base::Diag;
use crate::file::meta::{Meta, MetaValue};
use crate::file::{fault, safetensors};
use crate::tensor::Encoding;
use std::io::Write;
use std::path::Path;

pub(super) fn save(path: &Path, items: &[Item<'_>], meta: &Meta) -> Result<(), Diag> {
    // Wide elements first, so that every tensor is aligned.
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(items[*i].encoding.unit_bytes()));
    let mut starts = vec![0; items.len()];
    let mut end = 0_u64;
    for i in &order {
        starts[*i] = end;
        end += items[*i].bytes(".safetensors")?;
    }
    let mut header = String::from("{");
    if !meta.is_empty() {
        header.push_str("\"__metadata__\":{");
        for (key, value) in meta.iter() {
            header.push_str(&format!("{}:{},", quoted(key), quoted(&text(value)?)));
        }
        header.pop();
        header.push_str("},");
    }
    for (item, start) in items.iter().zip(&starts) {
        header.push_str(&entry(item, *start)?);
    }
    if header.ends_with(',') {
        header.pop();
    }
    header.push('}');
    header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
    whole(path, |out| {
        out.write_all(&(header.len() as u64).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        order.iter().try_for_each(|i| items[*i].data.emit(out))
    })
}

fn entry(item: &Item<'_>, start: u64) -> Result<String, Diag> {
    let name = match item.encoding {
        Encoding::Plain(dtype) => safetensors::dtype_name(dtype),
        Encoding::Packed(_) => None,
    };
    let Some(dtype) = name.filter(|_| item.name != "__metadata__") else {
        let what =
            if name.is_some() { "a tensor of the name \"__metadata__\"".into() } else { item.encoding.to_string() };
        return Err(fault::unsupported(".safetensors", what).hint("unpack(x), or save to .gguf"));
    };
    let end = start + item.bytes(".safetensors")?;
    Ok(format!(
        "{}:{{\"dtype\":\"{dtype}\",\"shape\":{:?},\"data_offsets\":[{start},{end}]}},",
        quoted(item.name),
        item.shape
    ))
}

/// The format's metadata is text: numbers as they print, lists as JSON.
fn text(value: &MetaValue) -> Result<String, Diag> {
    match value {
        MetaValue::Str(text) => Ok(text.clone()),
        other => json(other),
    }
}

fn json(value: &MetaValue) -> Result<String, Diag> {
    Ok(match value {
        MetaValue::Bool(b) => b.to_string(),
        MetaValue::Int(n) => n.to_string(),
        MetaValue::UInt(n) => n.to_string(),
        MetaValue::Float(x) => format!("{x:?}"),
        MetaValue::Str(text) => quoted(text),
        MetaValue::Array(array) => {
            let items = (0..array.len()).filter_map(|i| array.get(i));
            let items: Result<Vec<String>, Diag> = items.map(|v| v.and_then(|v| json(&v))).collect();
            format!("[{}]", items?.join(","))
        }
    })
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
