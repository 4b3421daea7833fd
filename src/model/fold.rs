//! Names that differ in numbers only, folded into one line: `blk.{0..17}.attn_q.weight`.

use std::collections::HashMap;
use std::hash::Hash;

/// Names that were folded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The names' common text; sets of numbers in braces.
    pub pattern: String,
    /// Which of the given names belong to it, in their order.
    pub members: Vec<usize>,
}

/// Ranges that a set shows before it is cut.
const SHOWN: usize = 6;

/// The place of a name among those given, and the numbers in it.
type Member<'a> = (usize, Vec<&'a str>);

/// Folds names of one key (dtype and shape, say) whose numbers make full grids. Groups come in the order of their first
/// members.
pub fn fold<K: Hash + Eq>(names: &[(&str, K)]) -> Vec<Group> {
    let mut families: HashMap<(Vec<&str>, &K), Vec<Member>> = HashMap::new();
    for (i, (name, key)) in names.iter().enumerate() {
        let (texts, numbers) = parts(name);
        families.entry((texts, key)).or_default().push((i, numbers));
    }
    let mut groups = Vec::new();
    for ((texts, _), members) in families {
        split(&texts, members, &mut groups);
    }
    groups.sort_by_key(|g| g.members[0]);
    groups
}

/// The texts between the numbers of a name (one more than there are numbers), and the numbers.
fn parts(name: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut texts, mut numbers) = (Vec::new(), Vec::new());
    let mut rest = name;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let tail = &rest[start..];
        let len = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        texts.push(&rest[..start]);
        numbers.push(&tail[..len]);
        rest = &tail[len..];
    }
    texts.push(rest);
    (texts, numbers)
}

/// The distinct numbers at one place, rising.
fn distinct<'a>(members: &[Member<'a>], place: usize) -> Vec<&'a str> {
    let mut found: Vec<&str> = members.iter().map(|(_, numbers)| numbers[place]).collect();
    found.sort_unstable_by_key(|n| (n.len(), *n));
    found.dedup();
    found
}

/// One group where the numbers make a full grid, else one for each value of the number with the fewest values.
fn split(texts: &[&str], members: Vec<Member>, out: &mut Vec<Group>) {
    let sets: Vec<Vec<&str>> = (0..texts.len() - 1).map(|place| distinct(&members, place)).collect();
    let grid = sets.iter().try_fold(1_usize, |n, set| n.checked_mul(set.len()));
    // Names are distinct, so that a grid of their number is full.
    if grid == Some(members.len()) {
        let mut pattern = texts[0].to_owned();
        for (set, text) in sets.iter().zip(&texts[1..]) {
            pattern.push_str(&set_text(set));
            pattern.push_str(text);
        }
        out.push(Group { pattern, members: members.into_iter().map(|(i, _)| i).collect() });
        return;
    }
    let fewest = (0..sets.len()).filter(|&p| sets[p].len() > 1).min_by_key(|&p| sets[p].len());
    let Some(place) = fewest else { return };
    for value in &sets[place] {
        split(texts, members.iter().filter(|(_, n)| n[place] == *value).cloned().collect(), out);
    }
}

/// `7`, `{0..17}`, `{0..3,6}`.
fn set_text(set: &[&str]) -> String {
    if let [one] = set {
        return (*one).to_owned();
    }
    let mut ranges: Vec<(&str, &str)> = Vec::new();
    for &number in set {
        match ranges.last_mut() {
            Some((_, last)) if follows(last, number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let more = ranges.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = ranges[..ranges.len() - more]
        .iter()
        .map(|(first, last)| match first == last {
            true => (*first).to_owned(),
            false if follows(first, last) => format!("{first},{last}"),
            false => format!("{first}..{last}"),
        })
        .collect();
    if more > 0 {
        shown.push("…".to_owned());
    }
    format!("{{{}}}", shown.join(","))
}

/// Whether one number comes right behind the other, written alike.
fn follows(a: &str, b: &str) -> bool {
    let (Ok(x), Ok(y)) = (a.parse::<u64>(), b.parse::<u64>()) else { return false };
    let alike = a.len() == b.len() || (!a.starts_with('0') || a == "0") && !b.starts_with('0');
    x.checked_add(1) == Some(y) && alike
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(names: &[(&str, u8)]) -> Vec<String> {
        fold(names).into_iter().map(|g| format!("{} x{}", g.pattern, g.members.len())).collect()
    }

    #[test]
    fn layers_fold() {
        let names: Vec<String> = (0..18).flat_map(|i| [format!("blk.{i}.q"), format!("blk.{i}.k")]).collect();
        let keyed: Vec<(&str, u8)> = names.iter().map(|n| (n.as_str(), 0)).collect();
        assert_eq!(patterns(&keyed), ["blk.{0..17}.q x18", "blk.{0..17}.k x18"]);
    }

    #[test]
    fn keys_part_them_and_gaps_are_shown() {
        let keyed = [("b.0.q", 0), ("b.1.q", 1), ("b.2.q", 0), ("b.3.q", 0), ("b.4.q", 0), ("b.6.q", 0)];
        assert_eq!(patterns(&keyed), ["b.{0,2..4,6}.q x5", "b.1.q x1"]);
    }

    #[test]
    fn grids_of_experts_fold_and_ragged_ones_split_at_the_short_side() {
        let grid = |skip: &str| -> Vec<String> {
            let all = (0..3).flat_map(|l| (0..8).map(move |e| format!("l{l}.e.{e}")));
            all.filter(|n| n != skip).collect()
        };
        let (full, ragged) = (grid(""), grid("l1.e.7"));
        let keyed =
            |names: &'static [String]| -> Vec<(&'static str, u8)> { names.iter().map(|n| (n.as_str(), 0)).collect() };
        assert_eq!(patterns(&keyed(full.leak())), ["l{0..2}.e.{0..7} x24"]);
        assert_eq!(patterns(&keyed(ragged.leak())), ["l0.e.{0..7} x8", "l1.e.{0..6} x7", "l2.e.{0..7} x8"]);
    }

    #[test]
    fn numbers_are_compared_as_they_are_written() {
        assert_eq!(patterns(&[("a.08", 0), ("a.09", 0), ("a.10", 0)]), ["a.{08..10} x3"]);
        assert_eq!(patterns(&[("a.8", 0), ("a.9", 0), ("a.10", 0)]), ["a.{8..10} x3"]);
        assert_eq!(patterns(&[("a.1", 0), ("a.01", 0)]), ["a.{1,01} x2"]);
        assert_eq!(patterns(&[("x", 0), ("y", 0)]), ["x x1", "y x1"]);
        assert_eq!(patterns(&[("größe 1", 0), ("größe 2", 0)]), ["größe {1,2} x2"]);
        let long = "a.99999999999999999999999";
        assert_eq!(patterns(&[(long, 0)]), [format!("{long} x1")]);
    }

    #[test]
    fn long_sets_are_cut() {
        let names: Vec<String> = (0..40).map(|i| format!("a.{}", 3 * i)).collect();
        let keyed: Vec<(&str, u8)> = names.iter().map(|n| (n.as_str(), 0)).collect();
        assert_eq!(patterns(&keyed), ["a.{0,3,6,9,12,15,…} x40"]);
    }
}
