//! What stands at the cursor while a text is typed: what completion and signature hints need to know.

use super::token::{Pool, Token, lex};
use crate::base::Span;

/// What the text before the cursor ends with. Slices are of that text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place<'t> {
    /// A word (perhaps empty) where a name may stand.
    Name(&'t str),
    /// A word behind the dot of an operand.
    Member { base: &'t str, word: &'t str },
    /// The text of an open string in the brackets behind an operand: `m["blk.`
    Key { base: &'t str, text: &'t str },
    /// The text of an open string anywhere else; `import` comes before it or not.
    Text { text: &'t str, import: bool },
    /// A comment, a number, an f-string: nothing to complete.
    Nothing,
}

/// The call in whose brackets the cursor stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call<'t> {
    pub callee: &'t str,
    /// What stands before the dot of a method call; it is the first argument.
    pub receiver: Option<&'t str>,
    /// Positional arguments before the one at the cursor.
    pub given: usize,
    /// Names of the keyword arguments before the cursor, the one at it too.
    pub keywords: Vec<&'t str>,
    /// The keyword whose value is being typed.
    pub keyword: Option<&'t str>,
    /// A keyword argument may start here.
    pub starts: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor<'t> {
    pub place: Place<'t>,
    pub call: Option<Call<'t>>,
    /// Where the word, or the text in a string, begins (bytes).
    pub start: usize,
}

type Tokens = [(Token, Span)];

/// Looks at a text up to the cursor.
pub fn cursor(text: &str) -> Cursor<'_> {
    let mut pool = Pool::default();
    let mut tokens = lex(text, 0..text.len(), &mut pool);
    let nothing = Cursor { place: Place::Nothing, call: None, start: text.len() };
    if pool.comments.last().is_some_and(|c| c.end as usize == text.len()) {
        return nothing;
    }
    let ends_here = |span: Span| span.end as usize == text.len();
    let (mut start, mut open) = (text.len(), None);
    match tokens.last().copied() {
        Some((Token::Error, span)) if ends_here(span) => {
            let piece = slice(text, span);
            let Some(quote) = piece.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return nothing };
            let quotes = piece.len() - piece.trim_start_matches(quote).len();
            // Two quotes and nothing else would be an empty string, and no fault.
            let width = if quotes >= 3 { 3 } else { 1 };
            start = span.start as usize + width;
            open = Some(&text[start..]);
            tokens.pop();
        }
        Some((Token::Int(_) | Token::Float(_) | Token::Imag(_), span)) if ends_here(span) => return nothing,
        Some((token, span)) if ends_here(span) && (matches!(token, Token::Ident(_)) || token.is_keyword()) => {
            start = span.start as usize;
            tokens.pop();
        }
        _ => {}
    }
    let place = match open {
        Some(inside) => string(text, &tokens, inside),
        None => word(text, &tokens, &text[start..]),
    };
    Cursor { place, call: call(text, &tokens), start }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or("")
}

fn word<'t>(text: &'t str, tokens: &Tokens, word: &'t str) -> Place<'t> {
    match tokens.split_last() {
        Some(((Token::Dot, _), before)) => match operand(text, before) {
            Some(base) => Place::Member { base, word },
            None => Place::Nothing,
        },
        _ => Place::Name(word),
    }
}

fn string<'t>(text: &'t str, tokens: &Tokens, inside: &'t str) -> Place<'t> {
    match tokens.split_last() {
        Some(((Token::LBracket, _), before)) => match operand(text, before) {
            Some(base) => Place::Key { base, text: inside },
            None => Place::Text { text: inside, import: false },
        },
        last => Place::Text { text: inside, import: matches!(last, Some(((Token::Import, _), _))) },
    }
}

/// The text of the operand that ends the tokens: a name or string with calls, indices and attributes behind it.
fn operand<'t>(text: &'t str, tokens: &Tokens) -> Option<&'t str> {
    let mut at = tokens.len();
    loop {
        let (token, _) = tokens.get(at.checked_sub(1)?)?;
        if token.closes() {
            at = opening(tokens, at - 1)?;
            // Without an operand before it the bracket is one itself.
            if at == 0 || !tokens[at - 1].0.ends_operand() {
                break;
            }
            continue;
        }
        if !matches!(token, Token::Ident(_) | Token::Str(_)) {
            return None;
        }
        at -= 1;
        if at < 2 || tokens[at - 1].0 != Token::Dot {
            break;
        }
        at -= 1;
    }
    let (first, last) = (tokens.get(at)?.1, tokens.last()?.1);
    text.get(first.start as usize..last.end as usize)
}

/// The index of the bracket that the one at `close` closes.
fn opening(tokens: &Tokens, close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, (token, _)) in tokens[..=close].iter().enumerate().rev() {
        if token.closes() {
            depth += 1;
        } else if token.opens() {
            depth -= 1;
            if depth == 0 {
                return Some(i);
            }
        }
    }
    None
}

fn call<'t>(text: &'t str, tokens: &Tokens) -> Option<Call<'t>> {
    let mut depth = 0usize;
    let mut innermost = true;
    for (i, (token, _)) in tokens.iter().enumerate().rev() {
        if token.closes() {
            depth += 1;
        } else if token.opens() && depth > 0 {
            depth -= 1;
        } else if *token == Token::LBrace {
            // A block within the brackets is a text of its own.
            return None;
        } else if token.opens() {
            if *token == Token::LParen
                && i > 0
                && let (Token::Ident(_), name) = tokens[i - 1]
            {
                let defined = i > 1 && tokens[i - 2].0 == Token::Fn;
                return (!defined).then(|| inside(text, tokens, i, slice(text, name), innermost));
            }
            innermost = false;
        }
    }
    None
}

/// The call whose bracket is token `open`.
fn inside<'t>(text: &'t str, tokens: &Tokens, open: usize, callee: &'t str, innermost: bool) -> Call<'t> {
    let method = open > 2 && tokens[open - 2].0 == Token::Dot;
    let receiver = if method { operand(text, &tokens[..open - 2]) } else { None };
    let mut call = Call { callee, receiver, given: 0, keywords: Vec::new(), keyword: None, starts: innermost };
    let (mut depth, mut first) = (0usize, open + 1);
    for i in open + 1..=tokens.len() {
        let token = tokens.get(i).map(|t| t.0);
        match token {
            Some(t) if t.opens() => depth += 1,
            Some(t) if t.closes() => depth = depth.saturating_sub(1),
            Some(Token::Comma) if depth == 0 => {
                if keyword(text, &tokens[first..i]).map(|k| call.keywords.push(k)).is_none() {
                    call.given += 1;
                }
                first = i + 1;
            }
            None => {
                call.keyword = keyword(text, &tokens[first..]);
                call.keywords.extend(call.keyword);
                call.starts &= first == tokens.len();
            }
            _ => {}
        }
    }
    call
}

/// The name of an argument that starts with `name=`.
fn keyword<'t>(text: &'t str, tokens: &Tokens) -> Option<&'t str> {
    match tokens {
        [(Token::Ident(_), name), (Token::Assign, _), ..] => Some(slice(text, *name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place<'_> {
        cursor(text).place
    }

    #[test]
    fn words_members_and_strings() {
        assert_eq!(place(""), Place::Name(""));
        assert_eq!(place("y = so"), Place::Name("so"));
        assert_eq!(place("sum(x, ax"), Place::Name("ax"));
        assert_eq!(place("x if a el"), Place::Name("el"));
        assert_eq!(place("1 + x.sh"), Place::Member { base: "x", word: "sh" });
        assert_eq!(place("f(a, x.T[0:1].re"), Place::Member { base: "x.T[0:1]", word: "re" });
        assert_eq!(place("(a + b).i"), Place::Member { base: "(a + b)", word: "i" });
        assert_eq!(place("f(x)(y)."), Place::Member { base: "f(x)(y)", word: "" });
        assert_eq!(place("'a b'.up"), Place::Member { base: "'a b'", word: "up" });
        assert_eq!(place("m[\"blk."), Place::Key { base: "m", text: "blk." });
        assert_eq!(place("r.m['"), Place::Key { base: "r.m", text: "" });
        assert_eq!(place("load(\"da/größe"), Place::Text { text: "da/größe", import: false });
        assert_eq!(place("import \"u"), Place::Text { text: "u", import: true });
        assert_eq!(cursor("load(\"da").start, 6);
        for text in ["x # comm", "12", "3.5", "x = .5", "f\"a{b", "x ! "] {
            assert!(matches!(place(text), Place::Nothing | Place::Name("")), "{text:?}: {:?}", place(text));
        }
    }

    #[test]
    fn calls_know_what_was_given() {
        let call = |text| cursor(text).call;
        let made = call("softmax(x, axis=-1, ").expect("a call");
        assert_eq!((made.callee, made.given, &made.keywords[..], made.starts), ("softmax", 1, &["axis"][..], true));
        let value = call("zeros(3, dtype=f").expect("a call");
        assert_eq!((value.keyword, value.starts), (Some("dtype"), false));
        let method = call("x.T.reshape([2, 3], ").expect("a call");
        assert_eq!((method.callee, method.receiver, method.given), ("reshape", Some("x.T"), 1));
        let list = call("concat([a, b").expect("a call");
        assert_eq!((list.callee, list.given, list.starts), ("concat", 0, false));
        let inner = call("f(g(x), h(").expect("a call");
        assert_eq!((inner.callee, inner.given), ("h", 0));
        assert_eq!(call("f(x) + "), None);
        assert_eq!(call("(1 + "), None);
        assert_eq!(call("fn f(a, "), None);
    }

    #[test]
    fn no_text_panics() {
        for text in
            ["...", ".", "].", "}).x", ")", "x..", "[[[", "'''a", "\"\"\"", "\"\"\"\"", "f(,,)", "=(=", "ä.漢", "fn ("]
        {
            for end in 0..=text.len() {
                if text.is_char_boundary(end) {
                    let _ = cursor(&text[..end]);
                }
            }
        }
    }
}
