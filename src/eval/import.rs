//! `import`: another script runs once, in its own scope.

use super::{Eval, Import};
use crate::base::{Diag, Span};
use crate::value::{Module, Scope};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Eval<'_> {
    pub(super) fn import(&mut self, path: &str, span: Span) -> Result<Arc<Module>, Diag> {
        let place = self.place(span);
        let wanted = self.dir.join(path);
        let canonical = wanted.canonicalize().map_err(|e| {
            Diag::new("E0111", format!("cannot import {path:?}: {e}"))
                .label(place, "")
                .note(format!("looked for {}", wanted.display()))
        })?;
        match self.state.modules.get(&canonical) {
            Some(Import::Done(module)) => return Ok(module.clone()),
            Some(Import::Running) => {
                return Err(Diag::new("E0110", format!("{path:?} imports itself, through a cycle of imports"))
                    .label(place, "")
                    .hint("move what both need into a third script"));
            }
            None => {}
        }
        let text = read(&canonical).map_err(|d| d.label(place, ""))?;
        self.state.modules.insert(canonical.clone(), Import::Running);
        let result = self.run_module(&canonical, path, text, place);
        match &result {
            Ok(module) => self.state.modules.insert(canonical, Import::Done(module.clone())),
            // A script that failed may be mended and imported again.
            Err(_) => self.state.modules.remove(&canonical),
        };
        result
    }

    fn run_module(&mut self, canonical: &Path, path: &str, text: String, place: Span) -> Result<Arc<Module>, Diag> {
        let source = self.state.sources.add(path, text.as_str(), false);
        let parsed = crate::lang::parse(source, &text);
        let count = parsed.errors.len();
        if let Some(first) = parsed.errors.into_iter().next() {
            let diag = first.label(place, "imported here");
            return Err(if count > 1 { diag.note(format!("and {} more faults in {path}", count - 1)) } else { diag });
        }
        let scope = Scope::module();
        let dir = canonical.parent().map_or_else(PathBuf::new, Path::to_owned);
        let before = std::mem::replace(&mut self.dir, dir);
        if self.state.checking {
            self.check_names(&parsed.script);
        }
        self.muted += 1;
        let result = parsed.script.iter().try_for_each(|stmt| self.top(stmt, &scope));
        self.muted -= 1;
        self.dir = before;
        result?;
        Ok(Arc::new(Module { name: path.to_owned(), scope }))
    }
}

fn read(path: &Path) -> Result<String, Diag> {
    let bytes = std::fs::read(path).map_err(|e| Diag::new("E0111", format!("cannot read {}: {e}", path.display())))?;
    crate::lang::decode(bytes)
}
