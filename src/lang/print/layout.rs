//! Where long lines break: inside brackets, behind commas.

use super::WIDTH;

/// Text with the places where it may break.
#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    Text(String),
    /// Inside a bracket: a newline may follow. `fill`: as many items a line as fit (numbers in a list).
    Open {
        fill: bool,
    },
    /// Behind a comma
    Break,
    Close,
}

/// All on one line.
pub fn flat(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Break => out.push(' '),
            Piece::Open { .. } | Piece::Close => {}
        }
    }
    out
}

fn width(pieces: &[Piece]) -> usize {
    let of = |p: &Piece| match p {
        Piece::Text(text) => text.chars().count(),
        Piece::Break => 1,
        _ => 0,
    };
    pieces.iter().map(of).sum()
}

/// The end of the group that opens at `open`.
fn group_end(pieces: &[Piece], open: usize) -> usize {
    let mut depth = 0usize;
    for (i, piece) in pieces.iter().enumerate().skip(open) {
        match piece {
            Piece::Open { .. } => depth += 1,
            Piece::Close if depth == 1 => return i,
            Piece::Close => depth -= 1,
            _ => {}
        }
    }
    pieces.len()
}

/// The pieces broken to the page width; lines after the first are indented by `indent` characters and more.
/// `reserved` characters follow on the last line.
pub fn fit(pieces: &[Piece], indent: usize, first: usize, reserved: usize) -> String {
    let mut out = String::new();
    let mut column = first;
    // For each open group: is it broken, does it fill, its indent.
    let mut groups: Vec<(bool, bool, usize)> = Vec::new();
    let newline = |out: &mut String, column: &mut usize, to: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', to));
        *column = to;
    };
    for (i, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => {
                out.push_str(text);
                column += text.chars().count();
            }
            Piece::Open { fill } => {
                let end = group_end(pieces, i);
                let broken = groups.last().is_none_or(|g| g.0)
                    && end > i + 1
                    && column + width(&pieces[i..end]) + tail_width(&pieces[end..]) + reserved > WIDTH;
                let inner = groups.last().map_or(indent, |g| g.2) + if broken { 2 } else { 0 };
                groups.push((broken, *fill, inner));
                if broken {
                    newline(&mut out, &mut column, inner);
                }
            }
            Piece::Break => match groups.last() {
                Some((true, fill, inner)) => {
                    let item = pieces[i + 1..].iter().position(|p| matches!(p, Piece::Break | Piece::Close));
                    let end = item.map_or(pieces.len(), |n| i + 1 + n);
                    if *fill && column + 2 + width(&pieces[i + 1..end]) <= WIDTH {
                        out.push(' ');
                        column += 1;
                    } else {
                        let inner = *inner;
                        newline(&mut out, &mut column, inner);
                    }
                }
                _ => {
                    out.push(' ');
                    column += 1;
                }
            },
            Piece::Close => {
                if let Some((true, _, inner)) = groups.pop() {
                    newline(&mut out, &mut column, inner - 2);
                }
            }
        }
    }
    out
}

/// What follows a group before the next place to break.
fn tail_width(pieces: &[Piece]) -> usize {
    let end = pieces.iter().skip(1).position(|p| !matches!(p, Piece::Text(_))).map_or(pieces.len(), |n| n + 1);
    width(&pieces[..end])
}
