//! Examples of help pages, run away from everybody's bindings and files.

use super::{Eval, Sink, State};
use crate::base::{Diag, SourceMap};
use crate::func::Options;
use crate::help::{self, Page};
use crate::kernel::{Backend, Cancel};
use crate::lang;
use crate::plan::Plan;
use crate::value::{Scope, ScopeRef, Value, displayed};
use std::sync::Arc;

/// The page of a name as text, its examples with what they show.
///
/// # Errors
/// What to try instead.
pub fn help(name: &str, backend: &Arc<dyn Backend>, cancel: &Cancel) -> Result<String, String> {
    let page = help::find(name)?;
    Ok(page.render(&outputs(&page, backend, cancel)))
}

/// What each example of a page shows, files being written to a folder that is gone afterwards.
pub fn outputs(page: &Page, backend: &Arc<dyn Backend>, cancel: &Cancel) -> Vec<String> {
    // Without a folder the examples stand without their outputs.
    let Ok(folder) = tempfile::tempdir() else { return Vec::new() };
    let fresh = || {
        let options = Options { base: Some(folder.path().to_owned()), ..Options::default() };
        (State::new(options, backend.clone(), cancel.clone()), Scope::module())
    };
    let mut story = fresh();
    let mut shown = Vec::new();
    for example in page.runnable() {
        if !page.tells_a_story() {
            story = fresh();
        }
        let mut text = Shown::default();
        let (state, scope) = &mut story;
        // Faults are part of what an example shows.
        if let Err(diag) = run(example, state, scope, &mut text, folder.path()) {
            text.fault(&diag);
        }
        shown.push(text.0);
    }
    shown
}

fn run(text: &str, state: &mut State, scope: &ScopeRef, sink: &mut Shown, dir: &std::path::Path) -> Result<(), Diag> {
    let source = state.sources.add("<example>", text, false);
    let parsed = lang::parse(source, text);
    if let Some(error) = parsed.errors.into_iter().next() {
        return Err(error);
    }
    let mut eval = Eval::new(state, sink, dir.to_owned());
    parsed.script.iter().try_for_each(|stmt| eval.top(stmt, scope))
}

/// Output as a page quotes it: a fault in short, without the place.
#[derive(Default)]
struct Shown(String);

impl Shown {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn fault(&mut self, diag: &Diag) {
        self.line(&format!("error[{}]: {}", diag.code, diag.message));
        for note in &diag.notes {
            self.line(&format!("  {note}"));
        }
        if let Some(hint) = &diag.hint {
            self.line(&format!("  hint: {hint}"));
        }
    }
}

impl Sink for Shown {
    fn value(&mut self, value: &Value, options: &Options) {
        if let Some(text) = displayed(value, &options.array()) {
            self.line(&text);
        }
    }

    fn print(&mut self, text: &str) {
        self.line(text);
    }

    fn plan(&mut self, plan: &Plan, sources: &SourceMap) {
        self.line(&plan.text(sources));
    }

    fn error(&mut self, diag: &Diag, _: &SourceMap) {
        self.fault(diag);
    }

    fn warn(&mut self, diag: &Diag, _: &SourceMap) {
        self.line(&format!("warning[{}]: {}", diag.code, diag.message));
    }
}
