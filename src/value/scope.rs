use super::Value;
use crate::base::Symbol;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

pub type ScopeRef = Arc<Scope>;

/// The names of a module or of one call. Lookups go outwards through `parent`.
#[derive(Default)]
pub struct Scope {
    names: Mutex<HashMap<Symbol, Value>>,
    parent: Option<ScopeRef>,
}

impl Scope {
    pub fn module() -> ScopeRef {
        Arc::default()
    }

    pub fn inside(parent: ScopeRef) -> ScopeRef {
        Arc::new(Scope { names: Mutex::default(), parent: Some(parent) })
    }

    pub fn lock(&self) -> MutexGuard<'_, HashMap<Symbol, Value>> {
        self.names.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn parent(&self) -> Option<&ScopeRef> {
        self.parent.as_ref()
    }

    /// The value of a name here or further out.
    pub fn get(&self, name: Symbol) -> Option<Value> {
        let mut scope = self;
        loop {
            if let Some(value) = scope.lock().get(&name) {
                return Some(value.clone());
            }
            scope = scope.parent.as_deref()?;
        }
    }

    pub fn set(&self, name: Symbol, value: Value) {
        let old = self.lock().insert(name, value);
        drop(old);
    }

    pub fn remove(&self, name: Symbol) -> Option<Value> {
        self.lock().remove(&name)
    }
}
