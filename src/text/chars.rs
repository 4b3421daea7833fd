//! Python's classes of characters where Rust's differ.

/// The zeros of the decimal scripts; nine more digits follow each.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0,
    0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
    0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Digits that are not decimal: superscripts, circled ones and their kin (first and last).
const OTHER_DIGITS: [(u32, u32); 20] = [
    (0xb2, 0xb3),
    (0xb9, 0xb9),
    (0x1369, 0x1371),
    (0x19da, 0x19da),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247c),
    (0x2488, 0x2490),
    (0x24ea, 0x24ea),
    (0x24f5, 0x24fd),
    (0x24ff, 0x24ff),
    (0x2776, 0x277e),
    (0x2780, 0x2788),
    (0x278a, 0x2792),
    (0x10a40, 0x10a43),
    (0x10e60, 0x10e68),
    (0x11052, 0x1105a),
    (0x1f100, 0x1f10a),
];

pub(super) fn is_decimal(c: char) -> bool {
    let at = ZEROS.partition_point(|&zero| zero <= c as u32);
    at > 0 && c as u32 - ZEROS[at - 1] < 10
}

pub(super) fn is_digit(c: char) -> bool {
    let at = OTHER_DIGITS.partition_point(|&(first, _)| first <= c as u32);
    is_decimal(c) || (at > 0 && c as u32 <= OTHER_DIGITS[at - 1].1)
}

/// Also the four separators of ASCII, which Unicode does not count.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

pub(super) fn is_line_break(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Upper, lower or title case.
pub(super) fn is_cased(c: char) -> bool {
    c.is_uppercase() || c.is_lowercase() || is_title(c)
}

/// The letters that have a title case of their own.
pub(super) fn is_title(c: char) -> bool {
    matches!(c, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}')
        || matches!(c as u32, 0x1f88..=0x1f8f | 0x1f98..=0x1f9f | 0x1fa8..=0x1faf | 0x1fbc | 0x1fcc | 0x1ffc)
}

/// The title case of the four letter pairs is one letter; elsewhere it is the upper case.
pub(super) fn push_title(c: char, out: &mut String) {
    match c {
        '\u{1c4}'..='\u{1c6}' => out.push('\u{1c5}'),
        '\u{1c7}'..='\u{1c9}' => out.push('\u{1c8}'),
        '\u{1ca}'..='\u{1cc}' => out.push('\u{1cb}'),
        '\u{1f1}'..='\u{1f3}' => out.push('\u{1f2}'),
        'ß' => out.push_str("Ss"),
        'ﬁ' => out.push_str("Fi"),
        'ﬂ' => out.push_str("Fl"),
        _ => out.extend(c.to_uppercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_as_python() {
        assert!(is_decimal('0') && is_decimal('9') && is_decimal('٣') && is_decimal('𝟿'));
        assert!(!is_decimal('²') && !is_decimal('a') && !is_decimal('/') && !is_decimal('½'));
        assert!(is_digit('²') && is_digit('①') && is_digit('7') && !is_digit('½') && !is_digit('Ⅷ'));
        assert!(is_space('\u{1f}') && is_space('\u{a0}') && !is_space('\u{200b}'));
        assert!(is_line_break('\u{b}') && is_line_break('\u{1e}') && !is_line_break('\u{1f}'));
        assert!(ZEROS.is_sorted() && OTHER_DIGITS.is_sorted());
    }
}
