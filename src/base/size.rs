/// `1.5 GB`, in powers of ten.
pub fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// `500`, `500k`, `500M`, `8G`, `1.5GiB`: powers of 1000, or of 1024 with `i`.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| "expected a number of bytes, e.g. 500M or 8G".to_owned())?;
    let unit = unit.trim().trim_end_matches(['b', 'B']).to_lowercase();
    let (letter, base) = match unit.strip_suffix('i') {
        Some(letter) => (letter, 1024.0f64),
        None => (unit.as_str(), 1000.0),
    };
    let power = match letter {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(format!("unknown unit `{unit}`: k, M, G or T")),
    };
    Ok((number * base.powi(power)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_units() {
        assert_eq!(parse_size("500"), Ok(500));
        assert_eq!(parse_size("1.5k"), Ok(1500));
        assert_eq!(parse_size("8GiB"), Ok(8 << 30));
        assert_eq!(parse_size("20MB"), Ok(20_000_000));
        assert!(parse_size("x").is_err());
        assert!(parse_size("5q").is_err());
    }
}
