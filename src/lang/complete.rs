//! Whether a text is a whole statement already: what an editor and a pipe need to know at each newline.

use super::bracket::{goes_on, structure};
use super::token::{Pool, Token, lex};

/// Whether the text can run as it stands. False where a bracket, a brace or a triple-quoted string is open, or where
/// the last line ends with an operator. A text with a fault counts as complete: more lines would not mend it.
pub fn is_complete(text: &str) -> bool {
    let mut pool = Pool::default();
    let tokens = lex(text, 0..text.len(), &mut pool);
    if pool.open_string {
        return false;
    }
    if !pool.errors.is_empty() {
        return true;
    }
    let last = tokens.iter().rev().map(|(t, _)| *t).find(|t| *t != Token::Newline);
    let lambda = last == Some(Token::Colon) && ends_with_lambda(tokens.iter().map(|(t, _)| *t));
    let structured = structure(tokens, false);
    let unclosed = structured.open_at_end && structured.errors.iter().all(|e| e.labels.len() < 2);
    !unclosed && !lambda && !last.is_some_and(goes_on)
}

/// Whether the colon at the end belongs to a `lambda` of the last line.
fn ends_with_lambda(tokens: impl DoubleEndedIterator<Item = Token>) -> bool {
    tokens.rev().skip_while(|t| *t == Token::Newline).take_while(|t| *t != Token::Newline).any(|t| t == Token::Lambda)
}

/// Collects lines until they make a statement, as `--interactive` on a pipe needs it. Each line is looked at once, so
/// a block of any length costs linear time; only lines inside a triple-quoted string are looked at again.
#[derive(Default, Debug)]
pub struct StatementReader {
    text: String,
    /// Where the part starts that has not been looked at.
    seen: usize,
    /// Open brackets so far.
    open: usize,
}

impl StatementReader {
    pub fn new() -> StatementReader {
        StatementReader::default()
    }

    /// Adds a line (with or without its newline); gives the text as soon as it is complete.
    pub fn push_line(&mut self, line: &str) -> Option<String> {
        self.text.push_str(line);
        if !line.ends_with('\n') {
            self.text.push('\n');
        }
        let mut pool = Pool::default();
        let tokens = lex(&self.text, self.seen..self.text.len(), &mut pool);
        if pool.open_string {
            return None;
        }
        let faulty = !pool.errors.is_empty();
        self.seen = self.text.len();
        for (token, _) in &tokens {
            if token.opens() {
                self.open += 1;
            } else if token.closes() {
                // A stray bracket is for the parser to report.
                self.open = self.open.saturating_sub(1);
            }
        }
        let last = tokens.iter().rev().map(|(t, _)| *t).find(|t| *t != Token::Newline);
        let lambda = last == Some(Token::Colon) && ends_with_lambda(tokens.iter().map(|(t, _)| *t));
        // An empty line behind an operator does not complete anything either.
        let waits = match last {
            Some(token) => goes_on(token) || lambda,
            None => !self.text.trim().is_empty() && !is_complete(&self.text),
        };
        if !faulty && (self.open > 0 || waits) {
            return None;
        }
        self.take()
    }

    /// What is left at the end of the input; None where there is nothing.
    pub fn take(&mut self) -> Option<String> {
        let text = std::mem::take(&mut self.text);
        *self = StatementReader::default();
        if text.is_empty() { None } else { Some(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_texts() {
        for text in
            ["", "x", "x = 1\n", "f(x)", "if a { b }", "x = 1 # (", "'('", "x)", "f(x]", "x = 'a", "'''a\nb'''", "x:"]
        {
            assert!(is_complete(text), "{text:?}");
        }
    }

    #[test]
    fn texts_that_go_on() {
        for text in [
            "f(",
            "f(x,\n",
            "if a {",
            "if a { b\n",
            "x = ",
            "x = 1 +",
            "x and",
            "x |>",
            "'''a\n",
            "lambda x:",
            "a if b else",
            "x = 1 + # more\n\n",
        ] {
            assert!(!is_complete(text), "{text:?}");
        }
    }

    #[test]
    fn a_pipe_runs_each_statement_with_its_line() {
        let mut reader = StatementReader::new();
        let mut out = Vec::new();
        for line in [
            "x = 1",
            "",
            "fn f(a) {",
            "  a + 1",
            "",
            "}",
            "y = (1 +",
            "  2)",
            "s = '''",
            "(",
            "'''",
            "z = 1 +",
            "",
            "2",
            "w)",
        ] {
            out.extend(reader.push_line(line));
        }
        let want = [
            "x = 1\n",
            "\n",
            "fn f(a) {\n  a + 1\n\n}\n",
            "y = (1 +\n  2)\n",
            "s = '''\n(\n'''\n",
            "z = 1 +\n\n2\n",
            "w)\n",
        ];
        assert_eq!(out, want);
        assert_eq!(reader.push_line("f("), None);
        assert_eq!((reader.take().as_deref(), reader.take()), (Some("f(\n"), None));
    }
}
