//! Elo difference and likelihood of superiority from the pairs of a match.
//!
//! Games come in pairs: each opening is played once with each colour. The two games of a pair are not independent,
//! because an unfair opening favours one colour. So the unit is the pair (the "pentanomial" model). A pair scores `x` =
//! 0, 1/4, 1/2, 3/4 or 1, and over `n` pairs
//!
//! ```text
//! mean      m  = sum(x) / n
//! variance  v  = sum((x - m)^2) / n
//! error     se = sqrt(v / n)
//! Elo       e(s) = 400 log10(s / (1 - s));   95 %: e(m - 1.96 se) .. e(m + 1.96 se)
//! LOS       P(the first is stronger) = Phi((m - 1/2) / se)
//! ```

use serde::{Deserialize, Serialize};

/// The two-sided 95 % point of the normal distribution.
const NINETY_FIVE: f64 = 1.959_963_985;

/// Number of pairs by score, in quarters.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pairs(pub(super) [u32; 5]);

/// The strength of the first player. A number is `None` if it is infinite (all pairs won) or needs more pairs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Elo {
    /// The difference in Elo.
    pub(super) elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub(super) elo_low: Option<f64>,
    /// The upper end.
    pub(super) elo_high: Option<f64>,
    /// The likelihood of superiority.
    pub(super) los: Option<f64>,
}

fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The normal distribution function `erfc(-x / sqrt 2) / 2`, by Abramowitz and Stegun 7.1.26 (error below 1.5e-7).
fn below(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = series * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

impl Pairs {
    /// Adds a pair in which the first player scored this number of half points, from 0 to 4.
    pub(super) fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The number of pairs.
    pub(super) fn count(self) -> u32 {
        self.0.iter().sum()
    }

    /// The statistics.
    pub(super) fn elo(self) -> Elo {
        let n = f64::from(self.count());
        let over = |f: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(quarters, count)| f64::from(*count) * f(quarters as f64 / 4.0)).sum::<f64>()
                / n
        };
        if n == 0.0 {
            return Elo { elo: None, elo_low: None, elo_high: None, los: None };
        }
        let mean = over(&|x| x);
        let error = (over(&|x| (x - mean).powi(2)) / n).sqrt();
        // If all pairs are equal, the variance is unknown, so there are no error bars.
        let known = error > 0.0;
        Elo {
            elo: elo(mean),
            elo_low: known.then(|| elo(mean - NINETY_FIVE * error)).flatten(),
            elo_high: known.then(|| elo(mean + NINETY_FIVE * error)).flatten(),
            los: known.then(|| below((mean - 0.5) / error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64, by: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < by, "{found} is not {expected}");
    }

    /// Elo and half the interval, as published with the results of engine tests.
    #[test]
    fn published_results_are_found_again() {
        for (pairs, expected, width) in [
            ([44, 241, 590, 413, 71], 28.96, 8.30),
            ([214, 8992, 19871, 9102, 235], 0.69, 1.25),
            ([5, 942, 2469, 1050, 5], 4.20, 3.43),
        ] {
            let found = Pairs(pairs).elo();
            close(found.elo, expected, 0.005);
            let half = (found.elo_high.unwrap() - found.elo_low.unwrap()) / 2.0;
            assert!((half - width).abs() < 0.03, "{half} is not {width}");
        }
    }

    #[test]
    fn the_formula_is_what_it_says() {
        close(elo(10.0 / 11.0), 400.0, 1e-9);
        close(elo(0.5), 0.0, 1e-9);
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.959_963_985, 0.025), (3.0, 0.998_650_102)] {
            assert!((below(x) - share).abs() < 2e-7, "{x}: {}", below(x));
        }
        // One pair of each extreme score: m = 1/2, v = 1/4, se = sqrt(1/8).
        let found = Pairs([1, 0, 0, 0, 1]).elo();
        close(found.elo, 0.0, 1e-9);
        close(found.los, 0.5, 1e-6);
        assert_eq!((found.elo_low, found.elo_high), (None, None), "two pairs say next to nothing");
        // Four pairs of 1/2 and four of 3/4: m = 5/8, v = 1/64, se = 1/8 / sqrt 8 = 0.044194; m - 1.96 se = 0.538381.
        let found = Pairs([0, 0, 4, 4, 0]).elo();
        close(found.elo, 88.7394, 1e-3);
        close(found.elo_low, 26.7226, 1e-2);
        close(found.los, 0.997_661, 1e-5);
    }

    #[test]
    fn what_cannot_be_said_is_not_said() {
        let nothing = Elo { elo: None, elo_low: None, elo_high: None, los: None };
        assert_eq!(Pairs::default().elo(), nothing);
        assert_eq!(Pairs([0, 0, 0, 0, 9]).elo(), nothing);
        assert_eq!(Pairs([0, 0, 9, 0, 0]).elo(), Elo { elo: Some(0.0), ..nothing });
    }
}
