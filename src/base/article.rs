/// A word with its article: `a list`, `an integer`, `an f32[2]`, `a u8[2]`.
pub fn a(what: impl std::fmt::Display) -> String {
    let what = what.to_string();
    let mut chars = what.chars();
    let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
    // The letter before a number is read by its name.
    let vowel = if second.is_ascii_digit() { "aefhilmnorsx" } else { "aeiou" };
    format!("{} {what}", if vowel.contains(first) { "an" } else { "a" })
}

#[test]
fn articles_go_by_sound() {
    let all = ["integer", "list of 2", "f32[2]", "u8[2]", "i64[]", "bf16[3]", "c64[1]", "archive", "unknown"].map(a);
    let want = [
        "an integer",
        "a list of 2",
        "an f32[2]",
        "a u8[2]",
        "an i64[]",
        "a bf16[3]",
        "a c64[1]",
        "an archive",
        "an unknown",
    ];
    assert_eq!(all, want);
}
