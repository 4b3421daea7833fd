use super::{Value, bury};
use crate::base::Symbol;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

pub type ScopeRef = Arc<Scope>;
/// A map keyed by symbols. Symbols are dense small integers, so one multiplication spreads them well enough.
pub type SymbolMap<T> = HashMap<Symbol, T, BuildHasherDefault<SymbolHasher>>;

#[derive(Default)]
pub struct SymbolHasher(u64);

impl Hasher for SymbolHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.write_u32((*b).into());
        }
    }

    fn write_u32(&mut self, n: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(n)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// The names of a module or of one call. Lookups go outwards through `parent`.
#[derive(Default)]
pub struct Scope {
    names: Mutex<SymbolMap<Value>>,
    parent: Option<ScopeRef>,
    /// Names that the function assigns somewhere: they are never looked up outwards.
    locals: Option<Arc<[Symbol]>>,
}

/// What looking up a name found.
pub enum Lookup {
    Found(Value),
    /// A local of a function, read before it was assigned.
    Unassigned,
    Missing,
}

impl Scope {
    pub fn module() -> ScopeRef {
        Arc::default()
    }

    /// The scope of a comprehension.
    pub fn inside(parent: ScopeRef) -> ScopeRef {
        Arc::new(Scope { names: Mutex::default(), parent: Some(parent), locals: None })
    }

    /// The scope of one call.
    pub fn call(parent: ScopeRef, locals: Arc<[Symbol]>) -> ScopeRef {
        Arc::new(Scope { names: Mutex::default(), parent: Some(parent), locals: Some(locals) })
    }

    pub fn lock(&self) -> MutexGuard<'_, SymbolMap<Value>> {
        self.names.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn parent(&self) -> Option<&ScopeRef> {
        self.parent.as_ref()
    }

    /// The value of a name here or further out.
    pub fn lookup(&self, name: Symbol) -> Lookup {
        let mut scope = self;
        loop {
            if let Some(value) = scope.lock().get(&name) {
                return Lookup::Found(value.clone());
            }
            if scope.locals.as_ref().is_some_and(|l| l.contains(&name)) {
                return Lookup::Unassigned;
            }
            match scope.parent.as_deref() {
                Some(parent) => scope = parent,
                None => return Lookup::Missing,
            }
        }
    }

    pub fn get(&self, name: Symbol) -> Option<Value> {
        match self.lookup(name) {
            Lookup::Found(value) => Some(value),
            _ => None,
        }
    }

    pub fn set(&self, name: Symbol, value: Value) {
        // The old value may own much: it is dropped after the lock.
        let old = self.lock().insert(name, value);
        old.into_iter().for_each(bury);
    }

    /// All values, of a scope that nobody else holds.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Value> {
        std::mem::take(self.names.get_mut().unwrap_or_else(|e| e.into_inner())).into_values()
    }

    pub fn remove(&self, name: Symbol) -> Option<Value> {
        self.lock().remove(&name)
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.drain().for_each(bury);
    }
}
