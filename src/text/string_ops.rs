//! What the methods of strings do.

use super::chars::{is_cased, is_decimal, is_digit, is_line_break, is_space, is_title as is_title_char, push_title};
use super::strings::{Bound, MOST_BYTES, MOST_PARTS, StrArg, StrResult};
use crate::base::Diag;
use std::ops::Range;

type Outcome = Result<StrResult, Diag>;

fn too_large() -> Diag {
    Diag::new("E0702", format!("the text would be larger than {} MiB", MOST_BYTES >> 20))
}

fn value_fault(message: &str) -> Diag {
    Diag::new("E0508", message)
}

pub fn limited(text: String) -> Outcome {
    if text.len() > MOST_BYTES { Err(too_large()) } else { Ok(StrResult::Str(text)) }
}

fn list<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Vec<String>, Diag> {
    let out: Vec<String> = parts.take(MOST_PARTS + 1).map(str::to_owned).collect();
    if out.len() > MOST_PARTS {
        return Err(Diag::new("E0702", format!("the text has more than {MOST_PARTS} parts")));
    }
    Ok(out)
}

pub fn all(s: &str, class: impl Fn(char) -> bool) -> Outcome {
    Ok(StrResult::Bool(!s.is_empty() && s.chars().all(class)))
}

pub fn is_alnum(c: char) -> bool {
    c.is_alphabetic() || is_decimal(c) || is_digit(c) || c.is_numeric()
}

pub fn is_lower(s: &str) -> Outcome {
    let none = !s.chars().any(|c| c.is_uppercase() || is_title_char(c));
    Ok(StrResult::Bool(none && s.chars().any(char::is_lowercase)))
}

pub fn is_upper(s: &str) -> Outcome {
    let none = !s.chars().any(|c| c.is_lowercase() || is_title_char(c));
    Ok(StrResult::Bool(none && s.chars().any(char::is_uppercase)))
}

pub fn is_title(s: &str) -> Outcome {
    let (mut cased_before, mut any) = (false, false);
    for c in s.chars() {
        let starts = c.is_uppercase() || is_title_char(c);
        if (starts && cased_before) || (c.is_lowercase() && !cased_before) {
            return Ok(StrResult::Bool(false));
        }
        cased_before = is_cased(c);
        any |= cased_before;
    }
    Ok(StrResult::Bool(any))
}

pub fn capitalize(s: &str) -> StrResult {
    let mut out = String::with_capacity(s.len());
    if let Some(first) = s.chars().next() {
        push_title(first, &mut out);
        // Lowered as a whole: a sigma at the end of a word depends on what stands before it.
        out.extend(s.to_lowercase().chars().skip(first.to_lowercase().count()));
    }
    StrResult::Str(out)
}

/// The lower case of a letter with a letter before it; `next` follows.
fn push_lower(c: char, next: Option<char>, out: &mut String) {
    match c {
        'Σ' if !next.is_some_and(is_cased) => out.push('ς'),
        _ => out.extend(c.to_lowercase()),
    }
}

pub fn title(s: &str) -> Outcome {
    let mut out = String::with_capacity(s.len());
    let mut chars = s.chars().peekable();
    let mut within = false;
    while let Some(c) = chars.next() {
        if within {
            push_lower(c, chars.peek().copied(), &mut out);
        } else {
            push_title(c, &mut out);
        }
        within = is_cased(c);
    }
    limited(out)
}

pub fn swap_case(s: &str) -> Outcome {
    let mut out = String::with_capacity(s.len());
    let mut chars = s.chars().peekable();
    let mut within = false;
    while let Some(c) = chars.next() {
        match c {
            c if c.is_lowercase() => out.extend(c.to_uppercase()),
            c if within && c.is_uppercase() => push_lower(c, chars.peek().copied(), &mut out),
            c if c.is_uppercase() => out.extend(c.to_lowercase()),
            c => out.push(c),
        }
        within = is_cased(c);
    }
    limited(out)
}

pub fn strip(s: &str, args: &Bound, start: bool, end: bool) -> Outcome {
    let chars = args.text_or_none(0)?;
    let unwanted = |c: char| chars.map_or_else(|| is_space(c), |set| set.contains(c));
    let s = if start { s.trim_start_matches(unwanted) } else { s };
    let s = if end { s.trim_end_matches(unwanted) } else { s };
    Ok(StrResult::Str(s.into()))
}

/// How many parts `maxsplit` allows; negative is any number.
fn most_parts(args: &Bound) -> Result<usize, Diag> {
    Ok(usize::try_from(args.int(1, -1)?).map_or(usize::MAX, |n| n.saturating_add(1)))
}

fn separator<'a>(args: &Bound<'a>, at: usize) -> Result<&'a str, Diag> {
    let sep = args.text(at)?;
    if sep.is_empty() { Err(value_fault("a separator has at least one character")) } else { Ok(sep) }
}

pub fn split(s: &str, args: &Bound) -> Outcome {
    let most = most_parts(args)?;
    if args.get(0).is_some() {
        return Ok(StrResult::List(list(s.splitn(most, separator(args, 0)?))?));
    }
    let mut rest = s.trim_start_matches(is_space);
    let mut left = most;
    let parts = std::iter::from_fn(|| {
        if rest.is_empty() {
            return None;
        }
        left -= 1;
        let end = if left == 0 { rest.len() } else { rest.find(is_space).unwrap_or(rest.len()) };
        let part = &rest[..end];
        rest = rest[end..].trim_start_matches(is_space);
        Some(part)
    });
    Ok(StrResult::List(list(parts)?))
}

pub fn rsplit(s: &str, args: &Bound) -> Outcome {
    let most = most_parts(args)?;
    let mut parts = if args.get(0).is_some() {
        list(s.rsplitn(most, separator(args, 0)?))?
    } else {
        let mut rest = s.trim_end_matches(is_space);
        let mut left = most;
        list(std::iter::from_fn(|| {
            if rest.is_empty() {
                return None;
            }
            left -= 1;
            let last_space = rest.char_indices().rev().find(|&(_, c)| is_space(c));
            let start = if left == 0 { 0 } else { last_space.map_or(0, |(at, c)| at + c.len_utf8()) };
            let part = &rest[start..];
            rest = rest[..start].trim_end_matches(is_space);
            Some(part)
        }))?
    };
    parts.reverse();
    Ok(StrResult::List(parts))
}

pub fn split_lines(s: &str, args: &Bound) -> Outcome {
    let keep = args.flag(0)?;
    let mut rest = s;
    let lines = std::iter::from_fn(|| {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(is_line_break).unwrap_or(rest.len());
        let after = &rest[end..];
        let wide = if after.starts_with("\r\n") { 2 } else { after.chars().next().map_or(0, char::len_utf8) };
        let line = &rest[..if keep { end + wide } else { end }];
        rest = &after[wide..];
        Some(line)
    });
    Ok(StrResult::List(list(lines)?))
}

pub fn join(s: &str, args: &Bound) -> Outcome {
    let letters;
    let parts = match args.get(0) {
        Some(StrArg::Strs(parts)) => parts,
        Some(StrArg::Str(text)) => {
            letters = text.split("").filter(|t| !t.is_empty()).collect();
            &letters
        }
        _ => return args.wrong(0, "a list of strings"),
    };
    let gaps = s.len().checked_mul(parts.len().saturating_sub(1));
    let total = parts.iter().try_fold(gaps.ok_or_else(too_large)?, |n, p| n.checked_add(p.len()));
    match total {
        Some(n) if n <= MOST_BYTES => Ok(StrResult::Str(parts.join(s))),
        _ => Err(too_large()),
    }
}

pub fn replace(s: &str, args: &Bound) -> Outcome {
    let (old, new) = (args.text(0)?, args.text(1)?);
    let most = usize::try_from(args.int(2, -1)?).unwrap_or(usize::MAX);
    let found = s.matches(old).take(most).count();
    let grown = found.checked_mul(new.len()).and_then(|n| n.checked_add(s.len() - found * old.len()));
    match grown {
        Some(n) if n <= MOST_BYTES => Ok(StrResult::Str(s.replacen(old, new, found))),
        _ => Err(too_large()),
    }
}

/// The bytes of `s[start:end]` with Python's clipping (arguments `at` and `at + 1`), and the position where they
/// start; None where start lies behind the end of the string or of the slice.
fn slice<'a>(s: &'a str, args: &Bound, at: usize) -> Result<Option<(&'a str, usize)>, Diag> {
    let (start, end) = (args.int(at, 0)?, args.int(at + 1, i64::MAX)?);
    if (start, end) == (0, i64::MAX) {
        return Ok(Some((s, 0)));
    }
    let length = s.chars().count();
    let clip = |i: i64| match usize::try_from(i) {
        Ok(i) => i,
        Err(_) => length.saturating_sub(usize::try_from(i.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    let (start, end) = (clip(start), clip(end).min(length));
    if start > end {
        return Ok(None);
    }
    let bytes = byte_range(s, start..end);
    Ok(Some((&s[bytes], start)))
}

fn byte_range(s: &str, points: Range<usize>) -> Range<usize> {
    let offset = |i: usize| s.char_indices().nth(i).map_or(s.len(), |(at, _)| at);
    offset(points.start)..offset(points.end)
}

/// The position of the first or last match, in code points.
fn locate(s: &str, args: &Bound, search: fn(&str, &str) -> Option<usize>) -> Result<Option<i64>, Diag> {
    let sub = args.text(0)?;
    let Some((part, start)) = slice(s, args, 1)? else { return Ok(None) };
    Ok(search(part, sub).map(|at| (start + part[..at].chars().count()) as i64))
}

fn first(s: &str, sub: &str) -> Option<usize> {
    s.find(sub)
}

fn last(s: &str, sub: &str) -> Option<usize> {
    s.rfind(sub)
}

pub fn find(s: &str, args: &Bound) -> Outcome {
    Ok(StrResult::Int(locate(s, args, first)?.unwrap_or(-1)))
}

pub fn rfind(s: &str, args: &Bound) -> Outcome {
    Ok(StrResult::Int(locate(s, args, last)?.unwrap_or(-1)))
}

pub fn index(s: &str, args: &Bound) -> Outcome {
    locate(s, args, first)?.map(StrResult::Int).ok_or_else(|| value_fault("the string does not hold this one"))
}

pub fn rindex(s: &str, args: &Bound) -> Outcome {
    locate(s, args, last)?.map(StrResult::Int).ok_or_else(|| value_fault("the string does not hold this one"))
}

pub fn count(s: &str, args: &Bound) -> Outcome {
    let sub = args.text(0)?;
    let found = slice(s, args, 1)?.map_or(0, |(part, _)| part.matches(sub).count());
    Ok(StrResult::Int(found as i64))
}

fn any_of(s: &str, args: &Bound, test: fn(&str, &str) -> bool) -> Outcome {
    let part = slice(s, args, 1)?;
    let holds = |wanted: &str| part.is_some_and(|(part, _)| test(part, wanted));
    match args.get(0) {
        Some(StrArg::Str(one)) => Ok(StrResult::Bool(holds(one))),
        Some(StrArg::Strs(several)) => Ok(StrResult::Bool(several.iter().any(|one| holds(one)))),
        _ => args.wrong(0, "a string or a tuple of strings"),
    }
}

pub fn starts_with(s: &str, args: &Bound) -> Outcome {
    any_of(s, args, |part, one| part.starts_with(one))
}

pub fn ends_with(s: &str, args: &Bound) -> Outcome {
    any_of(s, args, |part, one| part.ends_with(one))
}

fn parts(before: &str, sep: &str, after: &str) -> StrResult {
    StrResult::Tuple([before, sep, after].map(str::to_owned).to_vec())
}

pub fn partition(s: &str, args: &Bound) -> Outcome {
    let sep = separator(args, 0)?;
    Ok(s.split_once(sep).map_or_else(|| parts(s, "", ""), |(before, after)| parts(before, sep, after)))
}

pub fn rpartition(s: &str, args: &Bound) -> Outcome {
    let sep = separator(args, 0)?;
    Ok(s.rsplit_once(sep).map_or_else(|| parts("", "", s), |(before, after)| parts(before, sep, after)))
}

/// How many characters are missing to the width of argument 0, and the fill of argument 1.
fn padding(s: &str, args: &Bound) -> Result<(usize, usize, char), Diag> {
    let width = match args.get(0) {
        None => return args.wrong(0, "an integer"),
        Some(_) => usize::try_from(args.int(0, 0)?).unwrap_or(0),
    };
    let mut fill = args.text_or_none(1)?.unwrap_or(" ").chars();
    let (Some(fill), None) = (fill.next(), fill.next()) else { return args.wrong(1, "one character") };
    let missing = width.saturating_sub(s.chars().count());
    let bytes = missing.checked_mul(fill.len_utf8()).and_then(|n| n.checked_add(s.len()));
    match bytes {
        Some(n) if n <= MOST_BYTES || missing == 0 => Ok((width, missing, fill)),
        _ => Err(too_large()),
    }
}

fn padded(s: &str, left: usize, right: usize, fill: char) -> StrResult {
    let fill = |n: usize| std::iter::repeat_n(fill, n);
    StrResult::Str(fill(left).chain(s.chars()).chain(fill(right)).collect())
}

pub fn ljust(s: &str, args: &Bound) -> Outcome {
    let (_, missing, fill) = padding(s, args)?;
    Ok(padded(s, 0, missing, fill))
}

pub fn rjust(s: &str, args: &Bound) -> Outcome {
    let (_, missing, fill) = padding(s, args)?;
    Ok(padded(s, missing, 0, fill))
}

/// Where the sides differ by one, the longer one is left in odd widths: Python's rule.
pub fn center(s: &str, args: &Bound) -> Outcome {
    let (width, missing, fill) = padding(s, args)?;
    let left = missing / 2 + (missing & width & 1);
    Ok(padded(s, left, missing - left, fill))
}

pub fn zfill(s: &str, args: &Bound) -> Outcome {
    let (_, missing, _) = padding(s, args)?;
    let sign = usize::from(s.starts_with(['+', '-']));
    Ok(StrResult::Str(format!("{}{}{}", &s[..sign], "0".repeat(missing), &s[sign..])))
}

pub fn expand_tabs(s: &str, args: &Bound) -> Outcome {
    let size = usize::try_from(args.int(0, 8)?).unwrap_or(0);
    let (mut out, mut column) = (String::with_capacity(s.len()), 0);
    for c in s.chars() {
        if c != '\t' {
            column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
            out.push(c);
        } else if size > 0 {
            let blanks = size - column % size;
            if blanks > MOST_BYTES - out.len().min(MOST_BYTES) {
                return Err(too_large());
            }
            out.extend(std::iter::repeat_n(' ', blanks));
            column += blanks;
        }
    }
    limited(out)
}
