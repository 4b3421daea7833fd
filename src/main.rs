//! `tsk [--format json] [-e TEXT | FILE | -]`

use std::io::{Read, Write};
use tsk::base::{Diag, SourceMap};
use tsk::eval::Sink;
use tsk::func::Options;
use tsk::plan::Plan;
use tsk::session::{Config, Session};
use tsk::value::{Value, header, json, json_string, repr, text};

/// Values and errors as JSON lines, or as text.
struct Lines {
    json: bool,
}

impl Lines {
    fn line(&mut self, text: &str) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{text}");
        let _ = out.flush();
    }

    fn error_json(diag: &Diag) -> String {
        let mut out = format!("{{\"error\": {{\"code\": \"{}\", \"message\": ", diag.code);
        json_string(&diag.message, &mut out);
        out.push_str(", \"labels\": [");
        for (i, label) in diag.labels.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            out.push_str(&format!("{{\"start\": {}, \"end\": {}, \"text\": ", label.span.start, label.span.end));
            json_string(&label.text, &mut out);
            out.push('}');
        }
        out.push_str("], \"hint\": ");
        match &diag.hint {
            Some(hint) => json_string(hint, &mut out),
            None => out.push_str("null"),
        }
        out.push_str("}}");
        out
    }
}

impl Sink for Lines {
    fn value(&mut self, value: &Value, options: &Options) {
        let shown = match (self.json, value) {
            (true, _) => json(value),
            (false, Value::Tensor(t)) => format!("{}\n{}", header(t), text(value, &options.array())),
            (false, _) => repr(value, &options.array()),
        };
        self.line(&shown);
    }

    fn print(&mut self, text: &str) {
        if self.json {
            let mut out = String::from("{\"print\": ");
            json_string(text, &mut out);
            out.push('}');
            self.line(&out);
        } else {
            self.line(text);
        }
    }

    fn plan(&mut self, plan: &Plan, sources: &SourceMap) {
        let shown = if self.json { plan.json().to_string() } else { plan.text(sources) };
        self.line(&shown);
    }

    fn error(&mut self, diag: &Diag, sources: &SourceMap) {
        if self.json {
            self.line(&Lines::error_json(diag));
        } else {
            eprintln!("error[{}]: {}", diag.code, diag.message);
            for label in &diag.labels {
                eprintln!("  `{}` {}", sources.snippet(label.span), label.text);
            }
            for note in diag.notes.iter().chain(&diag.hint) {
                eprintln!("  = {note}");
            }
        }
    }

    fn warn(&mut self, diag: &Diag, _: &SourceMap) {
        eprintln!("warning[{}]: {}", diag.code, diag.message);
    }
}

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let json = args.windows(2).any(|w| w[0] == "--format" && w[1] == "json");
    let mut rest = args.iter().filter(|a| !matches!(a.as_str(), "--format" | "json"));
    let (name, source) = match (rest.next().map(String::as_str), rest.next()) {
        (Some("-e"), Some(text)) => ("<text>".to_owned(), text.clone()),
        (Some("-") | None, _) => {
            let mut text = String::new();
            if std::io::stdin().read_to_string(&mut text).is_err() {
                return 2.into();
            }
            ("<stdin>".to_owned(), text)
        }
        (Some(path), _) => match std::fs::read_to_string(path) {
            Ok(text) => (path.to_owned(), text),
            Err(e) => {
                eprintln!("{path}: {e}");
                return 2.into();
            }
        },
    };
    let mut session = Session::new(Config::default());
    let outcome = session.eval(&name, &source, &mut Lines { json });
    (outcome.status() as u8).into()
}
