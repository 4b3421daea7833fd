use crate::lang;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Editor, Helper};

pub type Prompt = Editor<Entries, FileHistory>;

pub fn editor() -> Result<Prompt, ReadlineError> {
    let config = Config::builder().auto_add_history(false).max_history_size(10_000)?.build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Entries));
    Ok(editor)
}

/// An entry goes on over lines while a bracket, a block or an operator is open.
pub struct Entries;

impl Validator for Entries {
    fn validate(&self, context: &mut ValidationContext) -> Result<ValidationResult, ReadlineError> {
        let text = context.input();
        // An empty last line ends an entry that the rule would continue: a way out of a forgotten bracket.
        let done = text.starts_with(':') || lang::is_complete(text) || text.ends_with("\n\n");
        Ok(if done { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Helper for Entries {}
impl Highlighter for Entries {}

impl Hinter for Entries {
    type Hint = String;
}

impl Completer for Entries {
    type Candidate = String;
}
