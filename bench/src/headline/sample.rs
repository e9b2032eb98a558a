//! The times of one method over all rounds, summed up.

use std::time::Duration;

/// The least and the median time of a round, and how much the rounds differ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Number of rounds.
    pub rounds: usize,
    /// The time of the fastest round, in seconds. Other programs on the machine only add time, so this is the closest to
    /// the true price.
    pub least: f64,
    /// The median time of a round, in seconds.
    pub median: f64,
    /// The robust standard deviation of a round relative to the median: 1.4826 times the median absolute deviation,
    /// which is the standard deviation if the times are normally distributed.
    pub spread: f64,
}

/// The middle of the values, or the mean of the two in the middle; zero if there are none.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.len() / 2, values.len() % 2) {
        (0, 0) => 0.0,
        (half, 0) => (values[half - 1] + values[half]) / 2.0,
        (half, _) => values[half],
    }
}

impl Sample {
    /// Sums up the times of the rounds. A clock may return zero for a short round; then one nanosecond is assumed.
    #[must_use]
    pub fn new(times: &[Duration]) -> Self {
        let mut seconds: Vec<f64> = times.iter().map(|time| time.as_secs_f64().max(1e-9)).collect();
        let middle = median(&mut seconds);
        let least = seconds.first().copied().unwrap_or(0.0);
        let mut deviations: Vec<f64> = seconds.iter().map(|time| (time - middle).abs()).collect();
        let spread = if middle > 0.0 { 1.4826 * median(&mut deviations) / middle } else { 0.0 };
        Self { rounds: times.len(), least, median: middle, spread }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_summed_up() {
        let sample = |millis: &[u64]| {
            let times: Vec<Duration> = millis.iter().map(|time| Duration::from_millis(*time)).collect();
            Sample::new(&times)
        };
        // Deviations from 12: 0, 1, 2, 2, 88; one slow round changes nothing.
        let odd = sample(&[12, 11, 100, 10, 14]);
        assert_eq!((odd.rounds, odd.least, odd.median), (5, 0.010, 0.012));
        assert!((odd.spread - 1.4826 * 2.0 / 12.0).abs() < 1e-9, "{odd:?}");
        let even = sample(&[10, 20, 30, 60]);
        assert!((even.median - 0.025).abs() < 1e-12 && (even.spread - 1.4826 * 10.0 / 25.0).abs() < 1e-9, "{even:?}");
        assert_eq!(sample(&[5, 5, 5]).spread, 0.0);
        assert_eq!(sample(&[]), Sample { rounds: 0, least: 0.0, median: 0.0, spread: 0.0 });
        assert!(Sample::new(&[Duration::ZERO]).least > 0.0);
    }
}
