//! The line editor: keys, history, and what is shown while typing.

use super::complete::{self, Candidate};
use super::{margin, paint};
use crate::lang::{self, cursor::cursor};
use crate::session::Session;
use crate::settings::Settings;
use rustyline::completion::Completer;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, SearchDirection};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Context, EditMode, Editor, Event, EventContext, EventHandler,
    Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

pub type Prompt = Editor<Entries, FileHistory>;

pub fn editor(session: Rc<RefCell<Session>>, settings: &Settings, color: bool) -> Result<Prompt, ReadlineError> {
    let history = settings.count("history").and_then(|n| usize::try_from(n).ok()).unwrap_or(10_000);
    let config = Config::builder()
        .auto_add_history(false)
        .max_history_size(history)?
        .history_ignore_dups(true)?
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .completion_prompt_limit(complete::MOST)
        // What is painted without colour is decided here: the continuation prompt always is.
        .color_mode(rustyline::ColorMode::Forced)
        .edit_mode(mode(settings))
        .bell_style(rustyline::config::BellStyle::None)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Entries { session, color }));
    for key in [KeyEvent(KeyCode::Enter, Modifiers::NONE), KeyEvent::ctrl('J')] {
        editor.bind_sequence(key, EventHandler::Conditional(Box::new(Enter)));
    }
    editor.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), Cmd::Insert(1, format!("\n{}", margin::MARGIN)));
    Ok(editor)
}

fn mode(settings: &Settings) -> EditMode {
    if settings.get("edit-mode") == "vi" { EditMode::Vi } else { EditMode::Emacs }
}

/// Takes up settings that were changed at the prompt.
pub fn update(editor: &mut Prompt, settings: &Settings) {
    editor.set_edit_mode(mode(settings));
}

/// Whether an entry can run as it stands.
fn is_whole(text: &str) -> bool {
    // Two empty last lines end an entry that the rule would continue: a way out of a forgotten bracket.
    let mut last = text.rsplit('\n').map(|l| l.trim().is_empty());
    let left = text.contains('\n') && last.next() == Some(true) && last.next() == Some(true);
    is_special(text) || left || lang::is_complete(text)
}

/// Entries of one line that are no statements.
fn is_special(text: &str) -> bool {
    super::command::is_command(text) || super::command::asks_help(text).is_some()
}

/// Enter runs a whole entry and starts the next line of one that goes on.
struct Enter;

impl ConditionalEventHandler for Enter {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let text = context.line();
        if context.pos() < text.len() || is_whole(text) {
            return None;
        }
        // Within a string the margin would be part of it.
        let open = !margin::starts(&format!("{text}\n")).contains(&(text.len() + 1));
        Some(Cmd::Insert(1, if open { "\n".to_owned() } else { format!("\n{}", margin::MARGIN) }))
    }
}

/// What is known while an entry is typed.
pub struct Entries {
    session: Rc<RefCell<Session>>,
    color: bool,
}

impl Helper for Entries {}

impl Validator for Entries {
    fn validate(&self, context: &mut ValidationContext) -> Result<ValidationResult, ReadlineError> {
        let done = is_whole(context.input());
        Ok(if done { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Highlighter for Entries {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if line.len() > paint::LONGEST { Cow::Borrowed(line) } else { Cow::Owned(paint::entry(line, pos, self.color)) }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        if self.color { Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("{}{hint}\x1b[0m", paint::DIM))
    }

    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        match candidate.split_once("  ") {
            Some((name, about)) if self.color => Cow::Owned(format!("{name}{}  {about}\x1b[0m", paint::DIM)),
            _ => Cow::Borrowed(candidate),
        }
    }

    fn highlight_char(&self, line: &str, _pos: usize, kind: CmdKind) -> bool {
        // Without colour only a new line changes what was painted, and that paints all.
        self.color && kind != CmdKind::ForcedRefresh && line.len() <= paint::LONGEST
    }
}

/// A ghost behind the text: the rest of an earlier entry, then the signature of the call.
pub struct Ghost {
    shown: String,
    /// What the right arrow takes over.
    rest: Option<String>,
}

impl rustyline::hint::Hint for Ghost {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.rest.as_deref()
    }
}

impl Hinter for Entries {
    type Hint = Ghost;

    fn hint(&self, line: &str, pos: usize, context: &Context<'_>) -> Option<Ghost> {
        // Without colour a ghost would look like text that was typed.
        if !self.color || pos < line.len() || line.trim().is_empty() || line.len() > paint::LONGEST {
            return None;
        }
        let rest = earlier(line, context);
        let signature =
            if is_special(line) { None } else { complete::signature(&self.session.borrow(), &cursor(line)) };
        let mut shown = rest.clone().unwrap_or_default();
        if let Some(signature) = signature {
            shown.push_str("   ");
            shown.push_str(&signature);
        }
        let used = super::PROMPT.len() + lang_width(line.rsplit('\n').next().unwrap_or(line));
        let room = super::columns().saturating_sub(used + 1);
        let shown = fitting(shown.lines().next().unwrap_or(""), room);
        (!shown.trim().is_empty()).then_some(Ghost { shown, rest })
    }
}

fn lang_width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// The text cut to a number of columns.
pub fn fitting(text: &str, columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for c in text.chars() {
        used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    out
}

/// What the latest entry that starts so goes on with.
fn earlier(line: &str, context: &Context<'_>) -> Option<String> {
    let history = context.history();
    let last = history.len().checked_sub(1)?;
    let found = history.starts_with(line, last, SearchDirection::Reverse).ok()??;
    found.entry.get(line.len()..).filter(|rest| !rest.is_empty()).map(str::to_owned)
}

impl Completer for Entries {
    type Candidate = Candidate;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<Candidate>), ReadlineError> {
        let before = line.get(..pos).unwrap_or(line);
        let room = super::columns().saturating_sub(1);
        let (start, mut found) = complete::complete(&self.session.borrow(), before);
        found.truncate(complete::MOST);
        found.iter_mut().for_each(|c| c.cut(room));
        Ok((start, found))
    }
}
