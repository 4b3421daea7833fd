use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

/// An interned name: comparing and hashing one costs what an integer costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

#[derive(Default)]
struct Table {
    by_text: HashMap<&'static str, Symbol>,
    texts: Vec<&'static str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(Default::default);

impl Symbol {
    /// Interned texts live as long as the process: names of a source are bounded by the source's length.
    pub fn new(text: &str) -> Symbol {
        if let Some(s) = TABLE.read().unwrap_or_else(|e| e.into_inner()).by_text.get(text) {
            return *s;
        }
        let mut table = TABLE.write().unwrap_or_else(|e| e.into_inner());
        if let Some(s) = table.by_text.get(text) {
            return *s;
        }
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        let symbol = Symbol(table.texts.len() as u32);
        table.texts.push(text);
        table.by_text.insert(text, symbol);
        symbol
    }

    pub fn as_str(self) -> &'static str {
        TABLE.read().unwrap_or_else(|e| e.into_inner()).texts[self.0 as usize]
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Symbol::new(text)
    }
}
