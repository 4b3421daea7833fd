/// Which colour a piece of a report has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Paint {
    #[default]
    Plain,
    Bold,
    Error,
    Frame,
    Faint,
    Help,
    /// The n-th label; the first one has the colour of the error.
    Label(usize),
}

impl Paint {
    /// The escape sequence that starts the colour; empty for none.
    fn start(self) -> &'static str {
        const LABELS: [&str; 5] = ["\x1b[31m", "\x1b[36m", "\x1b[33m", "\x1b[35m", "\x1b[32m"];
        match self {
            Paint::Plain => "",
            Paint::Bold => "\x1b[1m",
            Paint::Error => "\x1b[1;31m",
            Paint::Frame => "\x1b[34m",
            Paint::Faint => "\x1b[2m",
            Paint::Help => "\x1b[32m",
            Paint::Label(0) => LABELS[0],
            Paint::Label(n) => LABELS[1 + (n - 1) % 4],
        }
    }
}

/// One row of a report: characters with their colours.
#[derive(Clone, Default)]
pub(super) struct Row {
    cells: Vec<(char, Paint)>,
}

impl Row {
    pub fn push(&mut self, text: &str, paint: Paint) {
        self.cells.extend(text.chars().map(|c| (c, paint)));
    }

    /// Writes over the character at `column` of a row whose characters are all one column wide.
    pub fn set(&mut self, column: usize, c: char, paint: Paint) {
        if self.cells.len() <= column {
            self.cells.resize(column + 1, (' ', Paint::Plain));
        }
        self.cells[column] = (c, paint);
    }

    pub fn append(&mut self, mut other: Row) {
        self.cells.append(&mut other.cells);
    }

    /// Adds the row and a line break to `out`, without blanks at its end.
    pub fn write(&self, color: bool, out: &mut String) {
        let used = self.cells.iter().rposition(|(c, _)| !c.is_whitespace()).map_or(0, |at| at + 1);
        let mut now = Paint::Plain;
        for &(c, paint) in &self.cells[..used] {
            if color && paint != now {
                out.push_str(if now == Paint::Plain { "" } else { RESET });
                out.push_str(paint.start());
                now = paint;
            }
            out.push(c);
        }
        if now != Paint::Plain {
            out.push_str(RESET);
        }
        out.push('\n');
    }
}

const RESET: &str = "\x1b[0m";
