//! Elo difference and likelihood of superiority from the pairs of a match.
//!
//! Games come in pairs: each opening is played once with each colour. The two games of a pair are not independent,
//! because an unfair opening favours one colour. So the unit is the pair (the "pentanomial" model). A pair scores `x` =
//! 0, 1/4, 1/2, 3/4 or 1. The difference in Elo is that of the mean score:
//!
//! ```text
//! Elo       e(s) = 400 log10(s / (1 - s)) = K ln(s / (1 - s)),  K = 400 / ln 10
//! estimate  e(sum(x) / n)
//! ```
//!
//! The usual interval `m +- 1.96 se` has no width if all pairs are equal, and is too narrow after few pairs. So the
//! interval is computed with one additional pair: half a pair that A lost 0-2, and half a pair that A won 2-0 (a Dirichlet
//! prior on the extreme scores, which gives the least certainty). It is symmetric in Elo, so it never leaves the possible
//! scores:
//!
//! ```text
//! N  = n + 1                       m = (sum(x) + 1/2) / N
//! v  = (sum((x - m)^2) + m^2 / 2 + (1 - m)^2 / 2) / N
//! se = K sqrt(v / N) / (m (1 - m))                 the slope of e at m is K / (m (1 - m))
//! 95 %: e(m) - 1.96 se .. e(m) + 1.96 se           LOS = Phi(e(m) / se)
//! ```
//!
//! If one player has won every game, no result speaks against a larger difference, so the interval is open on that side.
//! A test simulates matches. From 20 pairs on, the interval contains the true difference in 93 to 97 % of them; with
//! fewer pairs it is too wide rather than too narrow.

use serde::{Deserialize, Serialize};

/// The two-sided 95 % point of the normal distribution.
const NINETY_FIVE: f64 = 1.959_963_985;
/// The pairs that are added for each score.
const PRIOR: [f64; 5] = [0.5, 0.0, 0.0, 0.0, 0.5];
/// No added pairs.
const NONE: [f64; 5] = [0.0; 5];
/// Elo per unit of `ln(s / (1 - s))`.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// The scores of a pair.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Number of pairs by score, in quarters.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pairs(pub(super) [u32; 5]);

/// The strength of the first player. Everything is `None` before the first pair.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Elo {
    /// The difference in Elo; null if it is infinite (one player won every game) or no pair is complete.
    pub(super) elo: Option<f64>,
    /// The lower end of its 95 % interval; null if there is none.
    pub(super) elo_low: Option<f64>,
    /// The upper end; null if there is none.
    pub(super) elo_high: Option<f64>,
    /// The likelihood of superiority: the probability that A is stronger; null if no pair is complete.
    pub(super) los: Option<f64>,
}

fn elo(score: f64) -> f64 {
    SCALE * (score / (1.0 - score)).ln()
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
        let pairs = f64::from(self.count());
        if pairs == 0.0 {
            return Elo { elo: None, elo_low: None, elo_high: None, los: None };
        }
        let sum = |added: &[f64; 5], term: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self.0.iter().zip(added).zip(SCORES);
            terms.map(|((count, added), score)| (f64::from(*count) + added) * term(score)).sum()
        };
        let mean = sum(&NONE, &|score| score) / pairs;
        let weight = pairs + PRIOR.iter().sum::<f64>();
        let centre = sum(&PRIOR, &|score| score) / weight;
        let variance = sum(&PRIOR, &|score| (score - centre).powi(2)) / weight;
        let error = SCALE * (variance / weight).sqrt() / (centre * (1.0 - centre));
        let (lost_all, won_all) = (mean == 0.0, mean == 1.0);
        Elo {
            elo: (!lost_all && !won_all).then(|| elo(mean)),
            elo_low: (!lost_all).then(|| elo(centre) - NINETY_FIVE * error),
            elo_high: (!won_all).then(|| elo(centre) + NINETY_FIVE * error),
            los: Some(below(elo(centre) / error)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use grid::Rng;

    fn close(found: Option<f64>, expected: f64, by: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < by, "{found} is not {expected}");
    }

    /// The scores of pairs under a model of two players. `draws` makes draws more frequent, and `bias` is the advantage
    /// of moving first, both in Elo.
    pub(crate) struct Model {
        /// The probability of each score.
        pub(crate) chances: [f64; 5],
    }

    impl Model {
        pub(crate) fn new(elo: f64, draws: f64, bias: f64) -> Self {
            let share = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            let game = |elo: f64| {
                let (win, loss) = (share(elo - draws), share(-elo - draws));
                [loss, 1.0 - win - loss, win]
            };
            let mut chances = [0.0; 5];
            for (first, chance) in game(elo + bias).into_iter().enumerate() {
                for (second, other) in game(elo - bias).into_iter().enumerate() {
                    chances[first + second] += chance * other;
                }
            }
            Self { chances }
        }

        /// A model with this true difference in Elo, found by bisection.
        pub(crate) fn with_elo(wanted: f64, draws: f64, bias: f64) -> Self {
            let (mut low, mut high) = (-2000.0, 2000.0);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                if Self::new(middle, draws, bias).elo() < wanted { low = middle } else { high = middle }
            }
            Self::new(low, draws, bias)
        }

        fn elo(&self) -> f64 {
            elo(self.chances.iter().zip(SCORES).map(|(chance, score)| chance * score).sum())
        }

        /// The half points of a random pair.
        pub(crate) fn pair(&self, rng: &mut Rng) -> usize {
            let mut left = f64::from(rng.below(u32::MAX)) / f64::from(u32::MAX);
            let passed = |chance: &&f64| {
                left -= **chance;
                left >= 0.0
            };
            self.chances[..4].iter().take_while(passed).count()
        }
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        let mut rng = Rng::new(15);
        for (pairs, matches) in [(20, 2000), (100, 1000), (1000, 400)] {
            let (mut covered, mut all) = (0, 0);
            for draws in [0.0, 100.0, 300.0] {
                for (bias, difference) in [(0.0, 0.0), (0.0, 60.0), (250.0, 60.0), (0.0, -150.0), (250.0, 300.0)] {
                    let model = Model::new(difference, draws, bias);
                    let truth = model.elo();
                    let mut hits = 0;
                    for _ in 0..matches {
                        let mut found = Pairs::default();
                        (0..pairs).for_each(|_| found.add(model.pair(&mut rng)));
                        let Elo { elo, elo_low, elo_high, .. } = found.elo();
                        let low = elo_low.unwrap_or(f64::NEG_INFINITY);
                        let high = elo_high.unwrap_or(f64::INFINITY);
                        hits += u32::from((low..=high).contains(&truth));
                        assert!(elo.is_none_or(|elo| (low..=high).contains(&elo)), "{found:?}");
                    }
                    let share = f64::from(hits) / f64::from(matches);
                    assert!((0.92..=0.985).contains(&share), "{pairs} pairs, {draws} {bias} {difference}: {share}");
                    covered += hits;
                    all += matches;
                }
            }
            let share = f64::from(covered) / f64::from(all);
            assert!((0.93..=0.97).contains(&share), "{pairs} pairs: {share}");
        }
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
        close(Some(elo(10.0 / 11.0)), 400.0, 1e-9);
        close(Some(elo(0.5)), 0.0, 1e-9);
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.959_963_985, 0.025), (3.0, 0.998_650_102)] {
            assert!((below(x) - share).abs() < 2e-7, "{x}: {}", below(x));
        }
        // One pair of each extreme score: N = 3, m = 1/2, v = (2/4 + 1/4) / 3 = 1/4, se = K sqrt(1/12) / (1/4) = 200.59.
        let found = Pairs([1, 0, 0, 0, 1]).elo();
        close(found.elo, 0.0, 1e-9);
        close(found.los, 0.5, 1e-6);
        close(found.elo_high, 1.96 * 200.59, 0.1);
        close(found.elo_low, -1.96 * 200.59, 0.1);
    }

    #[test]
    fn few_or_equal_pairs_say_little() {
        let nothing = Elo { elo: None, elo_low: None, elo_high: None, los: None };
        assert_eq!(Pairs::default().elo(), nothing);
        // Four games, of which A won three and drew one: once "100.0 %".
        let found = Pairs([0, 0, 0, 1, 1]).elo();
        assert!(found.los.unwrap() < 0.95, "{found:?}");
        assert!(found.elo_low.unwrap() < -100.0 && found.elo_high.unwrap() > 400.0, "{found:?}");
        // All won: open above, and not certain to be stronger.
        let found = Pairs([0, 0, 0, 0, 2]).elo();
        assert!(found.elo.is_none() && found.elo_high.is_none() && found.elo_low.unwrap() < -100.0, "{found:?}");
        assert!(found.los.unwrap() < 0.95, "{found:?}");
        let found = Pairs([2, 0, 0, 0, 0]).elo();
        assert!(found.elo.is_none() && found.elo_low.is_none() && found.elo_high.unwrap() > 100.0, "{found:?}");
        // No variance: the interval has a width, and shrinks with the pairs.
        let half = |pairs| Pairs([0, 0, pairs, 0, 0]).elo().elo_high.unwrap();
        assert!(half(4) > 100.0 && half(9) > 50.0 && half(100) > 5.0 && half(100) < half(9));
    }
}
