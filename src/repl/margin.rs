//! Lines of an entry after the first: on the screen they start with a continuation prompt. In the editor's text that
//! is a margin of four blanks, which [`super::paint`] draws as dots; what runs and what is saved has none.

use crate::lang::token::{Pool, Token, lex};

/// As wide as the prompt.
pub const MARGIN: &str = "    ";

/// Where lines after the first start, but for those inside of strings.
pub fn starts(text: &str) -> Vec<usize> {
    if !text.contains('\n') {
        return Vec::new();
    }
    let mut pool = Pool::default();
    let tokens = lex(text, 0..text.len(), &mut pool);
    let strings = tokens.iter().filter(|(t, _)| matches!(t, Token::Str(_) | Token::FString(_) | Token::Error));
    let mut inside: Vec<(usize, usize)> = strings.map(|(_, s)| (s.start as usize, s.end as usize)).collect();
    if pool.open_string
        && let Some(last) = inside.last_mut()
    {
        last.1 = text.len();
    }
    let mut strings = inside.into_iter().peekable();
    let mut found = Vec::new();
    for (at, _) in text.match_indices('\n') {
        while strings.peek().is_some_and(|(_, end)| *end <= at) {
            strings.next();
        }
        if strings.peek().is_none_or(|(start, _)| *start > at) {
            found.push(at + 1);
        }
    }
    found
}

/// The text with a margin before each line that can have one.
pub fn add(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut from = 0;
    for at in starts(text) {
        out.push_str(&text[from..at]);
        out.push_str(MARGIN);
        from = at;
    }
    out + &text[from..]
}

/// The text without its margin, where all lines have one; blank lines need none.
pub fn strip(text: &str) -> String {
    let starts = starts(text);
    let line = |at: usize| text[at..].lines().next().unwrap_or("");
    if !starts.iter().all(|&at| text[at..].starts_with(MARGIN) || line(at).trim().is_empty()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in starts {
        out.push_str(&text[from..at]);
        from = at + text[at..].chars().take(MARGIN.len()).take_while(|c| *c == ' ').count();
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_come_and_go() {
        for text in ["x", "f(\n1,\n\n2)", "fn f(a) {\n  a\n}", "s = '''a\n  b\n'''\nx = (\n1)", "x = 'open\ny", ""] {
            assert_eq!(strip(&add(text)), text);
        }
        assert_eq!(add("f(\n1)"), "f(\n    1)");
        assert_eq!(add("'''a\nb'''"), "'''a\nb'''", "the blanks would be part of the string");
        assert_eq!(add("'''a\nb"), "'''a\nb");
        assert_eq!(strip("f(\n1,\n    2)"), "f(\n1,\n    2)", "pasted text without margin keeps its blanks");
    }
}
