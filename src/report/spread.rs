//! Times of repeated runs, in a few numbers.

/// Nanoseconds of the runs of one thing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub p90: f64,
    pub max: f64,
}

impl Spread {
    /// Sorts the times. Of no times at all: zeros.
    pub fn of(times: &mut [f64]) -> Spread {
        times.sort_by(f64::total_cmp);
        let at = |i: usize| times.get(i.min(times.len().saturating_sub(1))).copied().unwrap_or(0.0);
        let half = times.len() / 2;
        let median =
            if times.len().is_multiple_of(2) { (at(half.saturating_sub(1)) + at(half)) / 2.0 } else { at(half) };
        Spread { median, min: at(0), p90: at(times.len() * 9 / 10), max: at(usize::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_sorted_times() {
        let spread = Spread::of(&mut [3.0, 1.0, 2.0]);
        assert_eq!(spread, Spread { median: 2.0, min: 1.0, p90: 3.0, max: 3.0 });
        let mut ten: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!(Spread::of(&mut ten), Spread { median: 5.5, min: 1.0, p90: 10.0, max: 10.0 });
        assert_eq!(Spread::of(&mut []), Spread { median: 0.0, min: 0.0, p90: 0.0, max: 0.0 });
    }
}
