//! Numbers and string escapes: from source text to values. Positions are byte offsets into the given text.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Int(u64),
    Float(f64),
    Imag(f64),
}

/// Why a literal has no value: code, sentence, hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

fn fault<T>(code: &'static str, message: impl Into<String>, hint: Option<&str>) -> Result<T, Fault> {
    Err(Fault { code, message: message.into(), hint: hint.map(str::to_owned) })
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the longest prefix whose characters all satisfy `keep`.
fn run(text: &str, keep: impl Fn(char) -> bool) -> usize {
    text.find(|c| !keep(c)).unwrap_or(text.len())
}

/// Reads the number at the start of `text`, which starts with a digit or with `.` and a digit.
/// Returns the bytes it covers, faulty tail included.
pub fn number(text: &str) -> (usize, Result<Number, Fault>) {
    let bytes = text.as_bytes();
    if bytes[0] == b'0'
        && let Some(radix) = bytes.get(1).and_then(|b| match b.to_ascii_lowercase() {
            b'x' => Some(16),
            b'o' => Some(8),
            b'b' => Some(2),
            _ => None,
        })
    {
        let end = 2 + run(&text[2..], is_word);
        return (end, radix_number(&text[..end], radix));
    }
    let digits = |from: usize| from + run(&text[from..], |c| c.is_ascii_digit() || c == '_');
    let mut end = digits(0);
    let mut float = false;
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1) != Some(&b'.') {
        float = true;
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            float = true;
            end = digits(end + 1 + sign);
        }
    }
    let body = &text[..end];
    let imaginary = matches!(bytes.get(end), Some(b'j' | b'J'));
    end += usize::from(imaginary);
    let tail = run(&text[end..], is_word);
    if tail > 0 {
        let message = format!("`{}` runs into the number `{body}`", shorten(&text[end..end + tail]));
        let hint = if body.ends_with('.') {
            "parenthesise the number: `(3).name`"
        } else {
            "put an operator or a space between them"
        };
        return (end + tail, fault("E0007", message, Some(hint)));
    }
    (end, plain_number(body, float, imaginary))
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

fn plain_number(body: &str, float: bool, imaginary: bool) -> Result<Number, Fault> {
    let bytes = body.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    if bytes.iter().enumerate().any(|(i, b)| *b == b'_' && !(i > 0 && digit(i - 1) && digit(i + 1))) {
        return fault("E0007", "an underscore in a number stands between two digits", None);
    }
    let clean: String = body.chars().filter(|c| *c != '_').collect();
    if float || imaginary {
        return match clean.parse::<f64>() {
            Ok(v) if imaginary => Ok(Number::Imag(v)),
            Ok(v) => Ok(Number::Float(v)),
            Err(_) => fault("E0007", "this number cannot be read", None),
        };
    }
    if clean.len() > 1 && clean.starts_with('0') && clean.bytes().any(|b| b != b'0') {
        return fault("E0007", "an integer does not start with 0", Some("octal numbers are written 0o17"));
    }
    match clean.parse::<u64>() {
        Ok(v) => Ok(Number::Int(v)),
        Err(_) => out_of_range(),
    }
}

fn out_of_range() -> Result<Number, Fault> {
    fault("E0008", "this integer does not fit in 64 bits", Some("write a float, e.g. with `.0` behind it"))
}

fn radix_number(body: &str, radix: u32) -> Result<Number, Fault> {
    let digits = &body[2..];
    let clean: String = digits.chars().filter(|c| *c != '_').collect();
    if clean.is_empty() {
        return fault("E0007", format!("digits are missing after `{}`", &body[..2]), None);
    }
    if digits.ends_with('_') || digits.contains("__") {
        return fault("E0007", "an underscore in a number stands between two digits", None);
    }
    if let Some(c) = clean.chars().find(|c| !c.is_digit(radix)) {
        return fault("E0007", format!("`{c}` is no digit of a number that starts with `{}`", &body[..2]), None);
    }
    match u64::from_str_radix(&clean, radix) {
        Ok(v) => Ok(Number::Int(v)),
        Err(_) => out_of_range(),
    }
}

/// A fault of an escape and where it stands.
pub type EscapeFault = (Range<usize>, Fault);

/// Reads one escape at the start of `text` (which starts with a backslash), appends its character, returns its length.
pub fn escape(text: &str, out: &mut String) -> Result<usize, (usize, Fault)> {
    let Some(c) = text[1..].chars().next() else {
        out.push('\\');
        return Ok(1);
    };
    let simple = match c {
        '\\' | '\'' | '"' => c,
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\n' => return Ok(2),
        '\r' if text[2..].starts_with('\n') => return Ok(3),
        'x' => return hex(text, 2, out),
        'u' => return hex(text, 4, out),
        'U' => return hex(text, 8, out),
        'N' => {
            let len = 2 + run(&text[2..], |c| c != '}' && c != '"' && c != '\'' && c != '\n');
            let hint = Some("write the character itself, or \\u and four hexadecimal digits");
            return fault("E0006", "characters by name (\\N{…}) are not known", hint).map_err(|f| (len, f));
        }
        '0'..='7' => {
            let len = run(&text[1..], |c| c.is_digit(8)).min(3);
            let value = u32::from_str_radix(&text[1..1 + len], 8).ok().and_then(char::from_u32);
            out.extend(value);
            return Ok(1 + len);
        }
        _ => {
            // Python keeps an escape that it does not know as it stands.
            out.push('\\');
            c
        }
    };
    out.push(simple);
    Ok(1 + c.len_utf8())
}

fn hex(text: &str, digits: usize, out: &mut String) -> Result<usize, (usize, Fault)> {
    let found = run(&text[2..], |c| c.is_ascii_hexdigit()).min(digits);
    let len = 2 + found;
    if found < digits {
        let message = format!("`{}` needs {digits} hexadecimal digits, found {found}", &text[..2]);
        return fault("E0006", message, Some("write a backslash itself as \\\\")).map_err(|f| (len, f));
    }
    match u32::from_str_radix(&text[2..len], 16).ok().and_then(char::from_u32) {
        Some(c) => {
            out.push(c);
            Ok(len)
        }
        None => fault("E0006", format!("`{}` is no character", &text[..len]), None).map_err(|f| (len, f)),
    }
}

/// The text that the body of a string literal stands for, and the faults of its escapes.
pub fn unescape(body: &str) -> (String, Vec<EscapeFault>) {
    let mut out = String::with_capacity(body.len());
    let mut faults = Vec::new();
    let mut at = 0;
    while let Some(next) = body[at..].find('\\') {
        out.push_str(&body[at..at + next]);
        at += next;
        match escape(&body[at..], &mut out) {
            Ok(len) => at += len,
            Err((len, f)) => {
                faults.push((at..at + len, f));
                at += len;
            }
        }
    }
    out.push_str(&body[at..]);
    (out, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (usize, Number) {
        let (n, v) = number(text);
        (n, v.unwrap())
    }

    #[test]
    fn digits_dots_and_exponents() {
        assert_eq!(int("0:128"), (1, Number::Int(0)));
        assert_eq!(int("1.:"), (2, Number::Float(1.0)));
        assert_eq!(int("1..2"), (1, Number::Int(1)));
        assert_eq!(int("1...]"), (1, Number::Int(1)));
        assert_eq!(int(".5+"), (2, Number::Float(0.5)));
        assert_eq!(int("1.e5"), (4, Number::Float(1e5)));
        assert_eq!(int("1e-3)"), (4, Number::Float(1e-3)));
        assert_eq!(int("2j"), (2, Number::Imag(2.0)));
        assert_eq!(int("1.5e3J"), (6, Number::Imag(1500.0)));
        assert_eq!(int("1_000"), (5, Number::Int(1000)));
        assert_eq!(int("0xff"), (4, Number::Int(255)));
        assert_eq!(int("0b1_0"), (5, Number::Int(2)));
        assert_eq!(int("18446744073709551615"), (20, Number::Int(u64::MAX)));
        assert_eq!(int("00"), (2, Number::Int(0)));
    }

    #[test]
    fn faulty_numbers() {
        for (text, len, code) in [
            ("2.3e", 4, "E0007"),
            ("0x", 2, "E0007"),
            ("0b12", 4, "E0007"),
            ("1__0", 4, "E0007"),
            ("1_", 2, "E0007"),
            ("007", 3, "E0007"),
            ("3abc", 4, "E0007"),
            ("3.max(4)", 5, "E0007"),
            ("18446744073709551616", 20, "E0008"),
            ("0xffffffffffffffff0", 19, "E0008"),
        ] {
            let (n, v) = number(text);
            assert_eq!((n, v.unwrap_err().code), (len, code), "{text}");
        }
    }

    #[test]
    fn escapes_as_in_python() {
        let (text, faults) = unescape(r#"a\n\t\\\"\x41\u00e4\U0001F600\101\0\q"#);
        assert_eq!(text, "a\n\t\\\"Aä😀A\0\\q");
        assert!(faults.is_empty());
        assert_eq!(unescape("a\\\nb").0, "ab");
        let (_, faults) = unescape(r"\x4 \ud800 \N{DASH}");
        let spans: Vec<_> = faults.iter().map(|(r, _)| r.clone()).collect();
        assert_eq!(spans, [0..3, 4..10, 11..18]);
    }
}
