//! The Python literals of a `.npy` header: nothing else of Python, and nothing is run.

use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub(in crate::file) enum Literal {
    Str(String),
    Bool(bool),
    /// None: more digits than an i64 has.
    Int(Option<i64>),
    /// Numbers that are no integers, and None: kept as they stand, for the message.
    Other(String),
    Tuple(Vec<Literal>),
    List(Vec<Literal>),
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Str(s) => write!(f, "the text {s:?}"),
            Literal::Bool(b) => write!(f, "{b}"),
            Literal::Int(Some(n)) => write!(f, "{n}"),
            Literal::Int(None) => f.write_str("a number of many digits"),
            Literal::Other(s) => f.write_str(s),
            Literal::Tuple(_) => f.write_str("a tuple"),
            Literal::List(_) => f.write_str("a list"),
        }
    }
}

/// Structured dtypes nest a few levels; a header of parentheses nests thousands.
const MAX_DEPTH: usize = 16;

/// The pairs of a dict whose keys are strings, with nothing but white space behind it.
pub(super) fn parse_dict(text: &str) -> Result<Vec<(String, Literal)>, String> {
    let mut p = Parser { text: text.as_bytes(), source: text, at: 0 };
    p.expect(b'{')?;
    let mut pairs = Vec::new();
    while !p.take(b'}') {
        let Literal::Str(key) = p.value(0)? else { return Err("a key of the header is no text".into()) };
        p.expect(b':')?;
        pairs.push((key, p.value(0)?));
        if pairs.len() > 16 {
            return Err("the header has more keys than its format".into());
        }
        if !p.take(b',') {
            p.expect(b'}')?;
            break;
        }
    }
    match p.peek() {
        None => Ok(pairs),
        Some(_) => Err("the header goes on behind its dict".into()),
    }
}

struct Parser<'a> {
    text: &'a [u8],
    source: &'a str,
    at: usize,
}

impl Parser<'_> {
    /// The next byte that is not white space (newlines and the padding of old writers included).
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.take(byte) {
            return Ok(());
        }
        let found = self.source.get(self.at..).and_then(|s| s.chars().next());
        let found = found.map_or("its end".to_owned(), |c| format!("{c:?}"));
        Err(format!("the header needs {:?} at byte {}, not {found}", char::from(byte), self.at))
    }

    fn value(&mut self, depth: usize) -> Result<Literal, String> {
        if depth > MAX_DEPTH {
            return Err(format!("the header nests deeper than {MAX_DEPTH}"));
        }
        match self.peek() {
            Some(quote @ (b'\'' | b'"')) => self.string(quote),
            Some(b'(') => self.sequence(b')', depth),
            Some(b'[') => self.sequence(b']', depth).map(|s| match s {
                Literal::Tuple(items) => Literal::List(items),
                other => Literal::List(vec![other]),
            }),
            _ => self.word(),
        }
    }

    fn string(&mut self, quote: u8) -> Result<Literal, String> {
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.text.get(self.at) {
            if *byte == b'\\' || *byte == b'\n' {
                break;
            }
            if *byte == quote {
                let text = self.source.get(start..self.at).unwrap_or_default().to_owned();
                self.at += 1;
                return Ok(Literal::Str(text));
            }
            self.at += 1;
        }
        Err(format!("the text that starts at byte {start} of the header is not closed"))
    }

    /// `(1, 2)`, `(1,)`, `()`; `(1)` is 1, as in Python.
    fn sequence(&mut self, close: u8, depth: usize) -> Result<Literal, String> {
        self.at += 1;
        let (mut items, mut commas) = (Vec::new(), 0);
        while !self.take(close) {
            items.push(self.value(depth + 1)?);
            if !self.take(b',') {
                self.expect(close)?;
                break;
            }
            commas += 1;
        }
        match items.pop() {
            Some(only) if items.is_empty() && commas == 0 && close == b')' => Ok(only),
            Some(last) => {
                items.push(last);
                Ok(Literal::Tuple(items))
            }
            None => Ok(Literal::Tuple(items)),
        }
    }

    fn word(&mut self) -> Result<Literal, String> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|b| b.is_ascii_alphanumeric() || b"+-._".contains(b)) {
            self.at += 1;
        }
        match &self.source[start..self.at] {
            "True" => Ok(Literal::Bool(true)),
            "False" => Ok(Literal::Bool(false)),
            "" => Err(format!("the header has no value at byte {start}")),
            word => {
                // Python 2 wrote long integers with an L.
                let digits = word.strip_suffix('L').unwrap_or(word);
                let bare = digits.strip_prefix('-').unwrap_or(digits);
                match bare.bytes().all(|b| b.is_ascii_digit()) && !bare.is_empty() {
                    true => Ok(Literal::Int(digits.parse().ok())),
                    false if word.len() <= 40 => Ok(Literal::Other(word.to_owned())),
                    false => Ok(Literal::Other("a long word".into())),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_numpy() {
        let pairs = parse_dict("{'descr': '<f4', \"fortran_order\" : False,'shape': (2, 3L,), }  \n").unwrap();
        let shape = Literal::Tuple(vec![Literal::Int(Some(2)), Literal::Int(Some(3))]);
        assert_eq!(pairs[0], ("descr".into(), Literal::Str("<f4".into())));
        assert_eq!(pairs[1], ("fortran_order".into(), Literal::Bool(false)));
        assert_eq!(pairs[2], ("shape".into(), shape));
        assert_eq!(parse_dict("{'a': (), 'b': (5), 'c': [1]}").unwrap()[1].1, Literal::Int(Some(5)));
    }

    #[test]
    fn what_is_no_header() {
        for bad in ["", "{", "{'a'", "{'a': }", "{'a': 1} x", "[1]", "{1: 2}", "{'a': 'b", "{'a': __import__('os')}"] {
            assert!(parse_dict(bad).is_err(), "{bad}");
        }
        assert!(parse_dict(&format!("{{'a': {}", "(".repeat(100_000))).unwrap_err().contains("nests"));
        assert_eq!(parse_dict("{'a': 99999999999999999999}").unwrap()[0].1, Literal::Int(None));
    }
}
