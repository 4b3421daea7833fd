//! Columns of text, plain or as Markdown.

use super::data::Style;
use unicode_width::UnicodeWidthStr;

/// Rows of fields under a head. Columns named in `right` are set to the right.
pub struct Table {
    head: Vec<&'static str>,
    right: Vec<usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&'static str], right: &[usize]) -> Table {
        Table { head: head.to_vec(), right: right.to_vec(), rows: Vec::new() }
    }

    pub fn row(&mut self, fields: Vec<String>) {
        self.rows.push(fields.into_iter().map(|f| visible(&f)).collect());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Lines ended by newlines; nothing of an empty table.
    pub fn text(&self, style: Style) -> String {
        match style {
            _ if self.rows.is_empty() => String::new(),
            Style::Markdown => self.markdown(),
            _ => self.plain(),
        }
    }

    fn plain(&self) -> String {
        let width = |c: usize| {
            let fields = self.rows.iter().map(|r| r[c].width());
            fields.chain([self.head[c].width()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let head: Vec<String> = self.head.iter().map(|h| (*h).to_owned()).collect();
        let head = self.head.iter().any(|h| !h.is_empty()).then_some(&head);
        let mut out = String::new();
        for row in head.into_iter().chain(&self.rows) {
            let mut line = String::new();
            for (c, field) in row.iter().enumerate() {
                let pad = " ".repeat(widths[c] - field.width());
                let (before, behind) = if self.right.contains(&c) { (pad.as_str(), "") } else { ("", pad.as_str()) };
                line.push_str(&format!("  {before}{field}{behind}"));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    fn markdown(&self) -> String {
        let line = |fields: Vec<String>| format!("| {} |\n", fields.join(" | "));
        let mut out = line(self.head.iter().map(|h| (*h).to_owned()).collect());
        let rule = |c: usize| if self.right.contains(&c) { "---:".to_owned() } else { "---".to_owned() };
        out.push_str(&line((0..self.head.len()).map(rule).collect()));
        for row in &self.rows {
            out.push_str(&line(row.iter().map(|f| f.replace('\\', "\\\\").replace('|', "\\|")).collect()));
        }
        out
    }
}

/// Names come from files: control characters must not reach the terminal.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_their_width() {
        let mut table = Table::new(&["name", "n"], &[1]);
        table.row(vec!["größe".into(), "7".into()]);
        table.row(vec!["漢字|\u{1b}[1m".into(), "1000".into()]);
        assert_eq!(table.text(Style::Text), "  name          n\n  größe         7\n  漢字|\u{fffd}[1m  1000\n");
        let markdown = "| name | n |\n| --- | ---: |\n| größe | 7 |\n| 漢字\\|\u{fffd}[1m | 1000 |\n";
        assert_eq!(table.text(Style::Markdown), markdown);
        assert_eq!(Table::new(&["a"], &[]).text(Style::Text), "");
    }
}
