//! Rows and fields of a table of text: quotes, doubled quotes, any line ends.

use std::borrow::Cow;

/// The separator of the first line: the most frequent of `,` `;` and tab outside quotes; `,` where there is none.
pub(super) fn separator(text: &str) -> char {
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    let mut quoted = false;
    for c in text.trim_start_matches(['\n', '\r', ' ']).chars() {
        match c {
            '"' => quoted = !quoted,
            '\n' if !quoted => break,
            _ if quoted => {}
            _ => counts.iter_mut().filter(|(s, _)| *s == c).for_each(|(_, n)| *n += 1),
        }
    }
    counts
        .iter()
        .rev()
        .max_by_key(|(_, n)| *n)
        .map_or(',', |(s, _)| if counts.iter().all(|c| c.1 == 0) { ',' } else { *s })
}

/// Each field costs more than its bytes in the file, so that their number needs a bound.
const MAX_FIELDS: usize = 1 << 20;

pub(super) struct Rows<'a> {
    rest: &'a str,
    separator: char,
    line: usize,
}

/// A line number (from 1) and the fields of the row that starts there.
type Row<'a> = (usize, Result<Vec<Cow<'a, str>>, String>);

impl<'a> Rows<'a> {
    pub fn new(text: &'a str, separator: char) -> Rows<'a> {
        Rows { rest: text, separator, line: 1 }
    }

    /// The next row that is not blank.
    pub fn next(&mut self) -> Option<Row<'a>> {
        loop {
            let (line, blank) = match self.rest.split_once('\n') {
                Some((line, rest)) => (line.strip_suffix('\r').unwrap_or(line), rest),
                None => (self.rest, ""),
            };
            if self.rest.is_empty() {
                return None;
            }
            if !line.trim_matches([' ', '\r']).is_empty() {
                let at = self.line;
                return Some((at, self.row()));
            }
            self.rest = blank;
            self.line += 1;
        }
    }

    fn row(&mut self) -> Result<Vec<Cow<'a, str>>, String> {
        let mut fields = Vec::new();
        loop {
            let field = match self.rest.strip_prefix('"') {
                Some(quoted) => self.quoted(quoted)?,
                None => {
                    let end = self.rest.find([self.separator, '\n']).unwrap_or(self.rest.len());
                    let (field, rest) = self.rest.split_at(end);
                    self.rest = rest;
                    Cow::Borrowed(field.strip_suffix('\r').unwrap_or(field))
                }
            };
            fields.push(field);
            if fields.len() > MAX_FIELDS {
                return Err(format!("more than {MAX_FIELDS} fields"));
            }
            if let Some(rest) = self.rest.strip_prefix(self.separator) {
                self.rest = rest;
                continue;
            }
            let rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
            match rest.strip_prefix('\n') {
                Some(rest) => {
                    self.rest = rest;
                    self.line += 1;
                }
                None if rest.is_empty() => self.rest = rest,
                None => return Err("text behind a closing quote".into()),
            }
            return Ok(fields);
        }
    }

    /// A field behind its opening quote; a doubled quote stands for one.
    fn quoted(&mut self, text: &'a str) -> Result<Cow<'a, str>, String> {
        let mut at = 0;
        loop {
            let Some(quote) = text[at..].find('"') else { return Err("a quote is not closed".into()) };
            let end = at + quote;
            if text[end + 1..].starts_with('"') {
                at = end + 2;
                continue;
            }
            self.line += text[..end].matches('\n').count();
            self.rest = &text[end + 1..];
            let field = &text[..end];
            return Ok(match field.contains('"') {
                true => Cow::Owned(field.replace("\"\"", "\"")),
                false => Cow::Borrowed(field),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Vec<String>> {
        let mut rows = Rows::new(text, separator(text));
        let mut out = Vec::new();
        while let Some((_, row)) = rows.next() {
            out.push(row.unwrap().into_iter().map(Cow::into_owned).collect());
        }
        out
    }

    #[test]
    fn rows_and_fields() {
        assert_eq!(all("1,2\r\n3,4"), [["1", "2"], ["3", "4"]]);
        assert_eq!(all("\n\na;b\n\n \n"), [["a", "b"]]);
        assert_eq!(all("\"x, y\"\t\"say \"\"hi\"\"\"\n1\t\n"), [["x, y", "say \"hi\""], ["1", ""]]);
        assert_eq!(all("\"a\nb\",1"), [["a\nb", "1"]]);
        assert_eq!(separator("5\n6"), ',');
    }

    #[test]
    fn faults_name_their_line() {
        let mut rows = Rows::new("1\n\"2\n3", ',');
        rows.next();
        assert!(matches!(rows.next(), Some((2, Err(_)))));
        assert!(matches!(Rows::new("\"a\"b,c", ',').next(), Some((1, Err(_)))));
    }
}
