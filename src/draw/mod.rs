//! Ink for diagnostics: the frame with the source lines, the operands underlined and named.
//!
//! Drawn here rather than by a crate: the contract shows the report to the character, and lines of any length, spans
//! anywhere and text of any kind must come out whole.

mod line;
mod paint;

use crate::base::{Diag, Source, SourceId, SourceMap, Span};
use line::{Mark, visible};
use paint::{Paint, Row};

/// Labels drawn at most; a report of more is no help.
const MOST_LABELS: usize = 32;

/// The report for one fault, lines ended by newlines. `width` is that of the terminal, in columns: longer source lines
/// are cut around what is marked. Spans need not fit their source.
pub fn draw(d: &Diag, map: &SourceMap, color: bool, width: usize) -> String {
    let mut out = String::new();
    let mut head = Row::default();
    let what = if d.code.starts_with('W') { "warning" } else { "error" };
    head.push(&format!("{what}[{}]", d.code), Paint::Error);
    head.push(&format!(": {}", clean(&d.message)), Paint::Bold);
    head.write(color, &mut out);

    let blocks = blocks(d, map);
    let digits = blocks.iter().flat_map(|b| b.lines.iter().map(|l| l.number)).max().unwrap_or(0).to_string().len();
    let frame = Frame { digits, width: width.saturating_sub(digits + 4).clamp(40, 500), color };
    for (i, block) in blocks.iter().enumerate() {
        frame.block(block, i == 0, &mut out);
    }
    let margin = if blocks.is_empty() { Row::default() } else { frame.gutter("│") };
    for (text, paint) in facts(d) {
        let mut row = margin.clone();
        row.push(if blocks.is_empty() { "  " } else { " " }, Paint::Plain);
        row.push(&text, paint);
        row.write(color, &mut out);
    }
    if !blocks.is_empty() {
        let mut end = Row::default();
        end.push(&format!("{}╯", "─".repeat(digits + 2)), Paint::Frame);
        end.write(color, &mut out);
    }
    out
}

fn facts(d: &Diag) -> Vec<(String, Paint)> {
    let notes = d.notes.iter().flat_map(|n| n.lines()).map(|n| (clean(n), Paint::Plain));
    let hint = d.hint.iter().map(|h| (format!("help: {}", clean(h)), Paint::Help));
    notes.chain(hint).collect()
}

/// Text for a terminal: one line, no control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { visible(c) }).collect()
}

/// One source with the lines that are shown.
struct Block<'a> {
    source: &'a Source,
    /// Line and column of the first label, from 1; columns count characters.
    place: (usize, usize),
    lines: Vec<Line<'a>>,
}

struct Line<'a> {
    number: usize,
    text: &'a str,
    marks: Vec<Mark>,
}

/// The labels by source, sources in the order in which they first appear. Labels in the library's own texts are left
/// out where there is another one: nobody can mend those.
fn blocks<'a>(d: &Diag, map: &'a SourceMap) -> Vec<Block<'a>> {
    let known = |span: &Span| map.get(span.source).map(|s| &**s);
    let own = d.labels.iter().any(|l| known(&l.span).is_some_and(|s| !s.internal));
    let mut order: Vec<(SourceId, Block)> = Vec::new();
    for (i, label) in d.labels.iter().enumerate().take(MOST_LABELS) {
        let Some(source) = known(&label.span).filter(|s| !(own && s.internal)) else { continue };
        let (start, end) = clamp(&source.text, label.span);
        let index = order.iter().position(|(id, _)| *id == label.span.source).unwrap_or_else(|| {
            let block = Block { source, place: place(&source.text, start), lines: Vec::new() };
            order.push((label.span.source, block));
            order.len() - 1
        });
        order[index].1.mark(start, end, clean(&label.text), Paint::Label(i));
    }
    let mut blocks: Vec<Block> = order.into_iter().map(|(_, block)| block).collect();
    blocks.iter_mut().for_each(|b| b.lines.sort_by_key(|l| l.number));
    blocks
}

/// The span within the text, at character boundaries. An empty span behind the last word moves to its end, so that
/// "something is missing here" points at a line with text on it.
fn clamp(text: &str, span: Span) -> (usize, usize) {
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let end = text.ceil_char_boundary((span.end as usize).clamp(start, text.len()));
    let last = text.trim_end().len();
    if start >= last { (last, last) } else { (start, end) }
}

fn line_number(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count()
}

/// Where the line that holds `at` starts and ends, without its line break.
fn line_bounds(text: &str, at: usize) -> (usize, usize) {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let trimmed = text[start..end].trim_end_matches('\r').len();
    (start, start + trimmed)
}

fn place(text: &str, at: usize) -> (usize, usize) {
    let (start, _) = line_bounds(text, at);
    (line_number(text, at), 1 + text[start..at].chars().count())
}

impl<'a> Block<'a> {
    /// Marks `start..end`. Of a mark over several lines the first and the last one are shown, the text at the last.
    fn mark(&mut self, start: usize, end: usize, text: String, paint: Paint) {
        let source: &'a str = &self.source.text;
        let (_, first_end) = line_bounds(source, start);
        // A line break at the end of the span is not a line of its own.
        let end = if end > first_end { source[..end].trim_end().len().max(start) } else { end };
        if end <= first_end {
            self.part(start, end, text, paint);
            return;
        }
        self.part(start, first_end, String::new(), paint);
        let (last_start, _) = line_bounds(source, end);
        let indent = source[last_start..end].len() - source[last_start..end].trim_start().len();
        self.part(last_start + indent, end, text, paint);
    }

    /// Marks bytes of one line.
    fn part(&mut self, start: usize, end: usize, text: String, paint: Paint) {
        let source: &'a str = &self.source.text;
        let (from, to) = line_bounds(source, start);
        let number = line_number(source, start);
        let index = self.lines.iter().position(|l| l.number == number).unwrap_or_else(|| {
            self.lines.push(Line { number, text: &source[from..to], marks: Vec::new() });
            self.lines.len() - 1
        });
        let within = |at: usize| at.clamp(from, to) - from;
        self.lines[index].marks.push(Mark { start: within(start), end: within(end), text, paint });
    }
}

/// How wide the margin with the line numbers is, and the rest.
struct Frame {
    digits: usize,
    width: usize,
    color: bool,
}

impl Frame {
    /// The margin of a row without a line number.
    fn gutter(&self, edge: &str) -> Row {
        let mut row = Row::default();
        row.push(&" ".repeat(self.digits + 2), Paint::Plain);
        row.push(edge, Paint::Frame);
        row
    }

    fn block(&self, block: &Block, first: bool, out: &mut String) {
        let (line, column) = block.place;
        let mut head = self.gutter(if first { "╭─" } else { "├─" });
        head.push(&format!("[ {}:{line}:{column} ]", clean(&block.source.name)), Paint::Frame);
        head.write(self.color, out);
        let mut before = None;
        for line in &block.lines {
            if before.is_some_and(|n| line.number > n + 1) {
                self.gutter("┆").write(self.color, out);
            }
            before = Some(line.number);
            for (i, content) in line::rows(line.text, &line.marks, self.width).into_iter().enumerate() {
                let mut row = self.gutter("│");
                if i == 0 {
                    row = Row::default();
                    row.push(&format!(" {:>1$} │", line.number, self.digits), Paint::Frame);
                }
                row.push(" ", Paint::Plain);
                row.append(content);
                row.write(self.color, out);
            }
        }
    }
}

#[cfg(test)]
mod tests;
