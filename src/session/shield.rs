//! What a look at a text must leave as it was: the versions of tensors and the items of lists.

use crate::plan::{Cell, NodeRef};
use crate::value::{List, ScopeRef, Value};
use std::sync::Arc;

/// Lists within lists deeper than this are not followed: a list may contain itself.
const MAX_NESTING: usize = 20;

/// The state of everything that the names of a scope reach.
#[derive(Default)]
pub struct Shield {
    cells: Vec<(Arc<Cell>, NodeRef)>,
    lists: Vec<(List, Vec<Value>)>,
}

impl Shield {
    pub fn over(scope: &ScopeRef) -> Shield {
        let values: Vec<Value> = scope.lock().values().cloned().collect();
        let mut shield = Shield::default();
        values.iter().for_each(|v| shield.keep(v, 0));
        shield
    }

    fn keep(&mut self, value: &Value, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        match value {
            Value::Tensor(t) => self.cells.push((t.cell.clone(), t.cell.version())),
            Value::List(list) if self.lists.iter().all(|(l, _)| !l.same(list)) => {
                let items = list.to_vec();
                self.lists.push((list.clone(), items.clone()));
                items.iter().for_each(|v| self.keep(v, depth + 1));
            }
            Value::Tuple(items) => items.iter().for_each(|v| self.keep(v, depth + 1)),
            Value::Record(r) => r.fields.iter().for_each(|(_, v)| self.keep(v, depth + 1)),
            Value::Module(m) => {
                let values: Vec<Value> = m.scope.lock().values().cloned().collect();
                values.iter().for_each(|v| self.keep(v, depth + 1));
            }
            _ => {}
        }
    }

    /// Puts everything back.
    pub fn restore(self) {
        for (cell, version) in self.cells {
            if cell.version().id != version.id {
                cell.set_version(version);
            }
        }
        for (list, items) in self.lists {
            *list.lock() = items;
        }
    }
}
