use super::paint::{Paint, Row};
use unicode_width::UnicodeWidthChar;

/// A label's part on one line; offsets are bytes within the line, at character boundaries.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub start: usize,
    pub end: usize,
    /// Empty: underlined only.
    pub text: String,
    pub paint: Paint,
}

/// Bytes looked at around the marks of a line, whatever its length.
const LOOK: usize = 4096;
const TAB: usize = 4;

/// One source line and the rows under it, at most `width` columns of the line.
pub(super) fn rows(line: &str, marks: &[Mark], width: usize) -> Vec<Row> {
    let window = Window::new(line, marks, width);
    let mut spots: Vec<Spot> = marks.iter().map(|m| window.spot(m)).collect();
    settle_anchors(&mut spots);
    let mut out = vec![window.text(), underline(&spots)];
    out.extend(messages(&spots));
    out
}

/// Where a mark lies in columns of the window: `from..to`, never empty.
struct Spot<'a> {
    from: usize,
    to: usize,
    anchor: usize,
    text: &'a str,
    paint: Paint,
}

struct Cell {
    /// Byte offset in the line.
    at: usize,
    column: usize,
    width: usize,
    glyph: char,
}

/// The part of a line that is shown.
struct Window {
    cells: Vec<Cell>,
    /// Columns `low..high` of the cells are shown.
    low: usize,
    high: usize,
    cut_left: bool,
    cut_right: bool,
}

impl Window {
    fn new(line: &str, marks: &[Mark], width: usize) -> Window {
        let first = marks.iter().map(|m| m.start).min().unwrap_or(0);
        let (begin, end) = if line.len() <= LOOK {
            (0, line.len())
        } else {
            let begin = line.floor_char_boundary(first.saturating_sub(LOOK / 4));
            (begin, line.floor_char_boundary((begin + LOOK).min(line.len())))
        };
        let cells = cells(&line[begin..end], begin);
        let total = cells.last().map_or(0, |c| c.column + c.width);
        let mut window = Window { cells, low: 0, high: total, cut_left: begin > 0, cut_right: end < line.len() };
        if total > width {
            window.narrow(marks, width, total);
        }
        window
    }

    /// Chooses `width` columns: all marks in the middle where they fit, else from the first mark on.
    fn narrow(&mut self, marks: &[Mark], width: usize, total: usize) {
        let from = marks.iter().map(|m| self.column(m.start)).min().unwrap_or(0);
        let to = marks.iter().map(|m| self.column(m.end)).max().unwrap_or(0).max(from + 1);
        let spare = width.saturating_sub(to - from);
        let context = if spare > 0 { spare / 2 } else { width / 8 };
        self.low = from.saturating_sub(context).min(total.saturating_sub(width));
        self.high = (self.low + width).min(total);
        self.cut_left |= self.low > 0;
        self.cut_right |= self.high < total;
    }

    /// The column of a byte offset; behind the text for one at its end.
    fn column(&self, at: usize) -> usize {
        let index = self.cells.partition_point(|c| c.at < at);
        match self.cells.get(index) {
            Some(cell) => cell.column,
            None => self.cells.last().map_or(0, |c| c.column + c.width),
        }
    }

    fn spot<'a>(&self, mark: &'a Mark) -> Spot<'a> {
        let shift = usize::from(self.cut_left);
        let clip = |column: usize| column.clamp(self.low, self.high) - self.low + shift;
        let from = clip(self.column(mark.start));
        let to = clip(self.column(mark.end)).max(from + 1);
        Spot { from, to, anchor: from + (to - from) / 2, text: &mark.text, paint: mark.paint }
    }

    fn text(&self) -> Row {
        let mut row = Row::default();
        if self.cut_left {
            row.push("…", Paint::Faint);
        }
        for cell in &self.cells {
            if cell.column < self.low || cell.column + cell.width > self.high {
                // A wide character that the edge cuts leaves blanks.
                let inside = (cell.column + cell.width).min(self.high).saturating_sub(cell.column.max(self.low));
                row.push(&" ".repeat(inside), Paint::Plain);
            } else if cell.glyph == '\t' {
                row.push(&" ".repeat(cell.width), Paint::Plain);
            } else {
                row.push(cell.glyph.encode_utf8(&mut [0; 4]), Paint::Plain);
            }
        }
        if self.cut_right {
            row.push("…", Paint::Faint);
        }
        row
    }
}

fn cells(text: &str, begin: usize) -> Vec<Cell> {
    let mut column = 0;
    let cell = |(at, c): (usize, char)| {
        let glyph = if c == '\t' { c } else { visible(c) };
        let width = if c == '\t' { TAB - column % TAB } else { glyph.width().unwrap_or(1) };
        column += width;
        Cell { at: begin + at, column: column - width, width, glyph }
    };
    text.char_indices().map(cell).collect()
}

/// Control characters and those that turn the writing direction must not reach a terminal.
pub(super) fn visible(c: char) -> char {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' => {
            '\u{fffd}'
        }
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Gives each text a column of its own within its mark, where there is one; narrow marks choose first.
fn settle_anchors(spots: &mut [Spot]) {
    let mut taken: Vec<usize> = Vec::new();
    let mut order: Vec<&mut Spot> = spots.iter_mut().filter(|s| !s.text.is_empty()).collect();
    order.sort_by_key(|s| s.to - s.from);
    for spot in order {
        let free = |column: &usize| !taken.contains(column);
        // Only so many columns can be taken, so that the search is short in a wide mark too.
        let near = (0..=taken.len()).flat_map(|d| [spot.anchor + d, spot.anchor.wrapping_sub(d)]);
        if let Some(column) = near.filter(|c| (spot.from..spot.to).contains(c)).find(free) {
            spot.anchor = column;
        }
        taken.push(spot.anchor);
    }
}

/// Wide marks first, so that a mark within another one stays visible.
fn underline(spots: &[Spot]) -> Row {
    let mut order: Vec<&Spot> = spots.iter().collect();
    order.sort_by_key(|s| std::cmp::Reverse(s.to - s.from));
    let mut row = Row::default();
    for spot in &order {
        for column in spot.from..spot.to {
            row.set(column, '─', spot.paint);
        }
    }
    for spot in order.iter().filter(|s| !s.text.is_empty()) {
        row.set(spot.anchor, '┬', spot.paint);
    }
    row
}

/// The texts, the rightmost first; a stem stands for each that comes later.
fn messages(spots: &[Spot]) -> Vec<Row> {
    let mut texts: Vec<&Spot> = spots.iter().filter(|s| !s.text.is_empty()).collect();
    texts.sort_by_key(|s| std::cmp::Reverse(s.anchor));
    let one = |(i, spot): (usize, &&Spot)| {
        let mut row = Row::default();
        let later = &texts[i + 1..];
        for stem in later {
            row.set(stem.anchor, '│', stem.paint);
        }
        let shared = later.iter().any(|s| s.anchor == spot.anchor);
        for (d, c) in (if shared { "├──" } else { "╰──" }).chars().enumerate() {
            row.set(spot.anchor + d, c, spot.paint);
        }
        row.push(" ", Paint::Plain);
        row.push(spot.text, spot.paint);
        row
    };
    texts.iter().enumerate().map(one).collect()
}
