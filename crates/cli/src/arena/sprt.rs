//! The sequential probability ratio test: ends a match as soon as it is decided which of two differences in Elo fits.
//!
//! The two hypotheses are that the mean score of a pair is `s0 = s(elo0)` or `s1 = s(elo1)`, with logistic Elo:
//! `s(e) = 1 / (1 + 10^(-e / 400))`. The distribution of the five scores is not known, so each hypothesis is represented
//! by its most likely distribution (a generalised test, as in fastchess and fishtest with the logistic model). With
//! observed shares `p` of the scores `x`, the most likely distribution with mean `s` is
//!
//! ```text
//! q(s) = p / (1 + t (x - s)),  where t solves  sum(p (x - s) / (1 + t (x - s))) = 0
//! LLR  = n sum(p ln(q(s1) / q(s0)))
//! ```
//!
//! The match ends when the LLR leaves `ln(beta / (1 - alpha)) .. ln((1 - beta) / alpha)`: below, elo0 is accepted; above,
//! elo1. `alpha` and `beta` bound the probabilities of accepting elo1 although elo0 is true, and of the reverse. A score
//! that has not occurred counts as 1/1000 of a pair, because otherwise no distribution might have the mean `s`.

use super::elo::{Pairs, SCORES};
use serde::Serialize;

/// The pairs that a score counts if it has not occurred.
const UNSEEN: f64 = 1e-3;

/// The parameters of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Which hypothesis a test has accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum Hypothesis {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

/// The state of a sequential probability ratio test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SprtState {
    /// The difference in Elo under the hypothesis H0 (logistic Elo).
    pub(super) elo0: f64,
    /// The difference under H1.
    pub(super) elo1: f64,
    /// The log-likelihood ratio of H1 to H0.
    pub(super) llr: f64,
    /// H0 is accepted at or below this ratio.
    pub(super) lower: f64,
    /// H1 is accepted at or above this ratio.
    pub(super) upper: f64,
    /// The hypothesis that was accepted; null while the test is not decided.
    pub(super) accepted: Option<Hypothesis>,
}

/// Reads `elo0=0,elo1=10[,alpha=0.05,beta=0.05]`.
pub(super) fn read(text: &str) -> Result<Sprt, String> {
    let [elo0, elo1, alpha, beta] = super::spec::numbers(text, ["elo0", "elo1", "alpha", "beta"])?;
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return Err("expected elo0=NUMBER,elo1=NUMBER".to_owned()) };
    let (alpha, beta) = (alpha.unwrap_or(0.05), beta.unwrap_or(0.05));
    if elo0 >= elo1 {
        return Err("elo0 must be less than elo1".to_owned());
    }
    if elo0.abs().max(elo1.abs()) > 1000.0 {
        return Err("elo0 and elo1 must be from -1000 to 1000".to_owned());
    }
    if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
        return Err("alpha and beta must be above 0 and less than 1 together".to_owned());
    }
    Ok(Sprt { elo0, elo1, alpha, beta })
}

impl Sprt {
    /// Whether a player is much stronger than another, in few games: it takes about a dozen pairs if it wins them all.
    pub(crate) const BEATS: Self = Self { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };

    /// The state after these pairs.
    pub(super) fn state(self, pairs: Pairs) -> SprtState {
        let Self { elo0, elo1, alpha, beta } = self;
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        let llr = if pairs.count() == 0 { 0.0 } else { ratio(pairs, score(elo0), score(elo1)) };
        let accepted = match llr {
            _ if llr >= upper => Some(Hypothesis::H1),
            _ if llr <= lower => Some(Hypothesis::H0),
            _ => None,
        };
        SprtState { elo0, elo1, llr, lower, upper, accepted }
    }
}

/// The expected score of a player who is stronger by this.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The log-likelihood ratio of the mean `s1` to the mean `s0`.
fn ratio(pairs: Pairs, s0: f64, s1: f64) -> f64 {
    let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
    let (slope0, slope1) = (slope(&counts, s0), slope(&counts, s1));
    let log = |score: f64| ((1.0 + slope0 * (score - s0)) / (1.0 + slope1 * (score - s1))).ln();
    counts.iter().zip(SCORES).map(|(count, score)| count * log(score)).sum()
}

/// `t` of the most likely distribution with mean `s`. The sum falls from infinity to minus infinity between the limits,
/// so bisection finds its only zero.
fn slope(counts: &[f64; 5], s: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let sum: f64 = counts.iter().zip(SCORES).map(|(n, x)| n * (x - s) / (1.0 + middle * (x - s))).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::elo::tests::Model;
    use super::*;
    use grid::Rng;

    /// The most likely distribution with mean `s` by direct search: moves probability between scores as long as the
    /// likelihood grows.
    fn most_likely(counts: &[f64; 5], s: f64) -> [f64; 5] {
        let mut best = [0.0, 0.02, 0.02, 0.02, s - 0.03];
        best[0] = 1.0 - best.iter().sum::<f64>();
        let likelihood = |q: &[f64; 5]| {
            if q.iter().any(|chance| *chance <= 0.0) {
                return f64::NEG_INFINITY;
            }
            counts.iter().zip(q).map(|(count, chance)| count * chance.ln()).sum::<f64>()
        };
        // These moves keep the sum and the mean.
        let moves = [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]];
        let mut step = 0.1;
        while step > 1e-13 {
            let mut improved = false;
            for a in -2..=2 {
                for b in -2..=2 {
                    for c in -2..=2 {
                        let weights = [a, b, c].map(|weight| f64::from(weight) * step);
                        let mut next = best;
                        for (weight, shift) in weights.iter().zip(&moves) {
                            next.iter_mut().zip(shift).for_each(|(chance, by)| *chance += weight * by);
                        }
                        if likelihood(&next) > likelihood(&best) {
                            (best, improved) = (next, true);
                        }
                    }
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }

    #[test]
    fn the_ratio_is_that_of_the_most_likely_distributions() {
        for pairs in [[3, 11, 30, 14, 6], [44, 241, 590, 413, 71], [1, 5, 9, 5, 1], [2, 0, 7, 0, 5]] {
            let counts = pairs.map(|count: u32| if count == 0 { UNSEEN } else { f64::from(count) });
            for (elo0, elo1) in [(0.0, 10.0), (-5.0, 40.0)] {
                let (s0, s1) = (score(elo0), score(elo1));
                let (q0, q1) = (most_likely(&counts, s0), most_likely(&counts, s1));
                let direct: f64 = (0..5).map(|at| counts[at] * (q1[at] / q0[at]).ln()).sum();
                let found = ratio(Pairs(pairs), s0, s1);
                assert!((found - direct).abs() < 1e-6 * (1.0 + found.abs()), "{pairs:?}: {found} is not {direct}");
            }
        }
    }

    /// How often the test accepts H1, and the mean number of pairs.
    fn accepts(sprt: Sprt, model: &Model, matches: u32, rng: &mut Rng) -> (f64, f64) {
        let (mut accepted, mut pairs) = (0, 0);
        for _ in 0..matches {
            let mut found = Pairs::default();
            let hypothesis = loop {
                found.add(model.pair(rng));
                if let Some(hypothesis) = sprt.state(found).accepted {
                    break hypothesis;
                }
            };
            accepted += u32::from(hypothesis == Hypothesis::H1);
            pairs += found.count();
        }
        (f64::from(accepted) / f64::from(matches), f64::from(pairs) / f64::from(matches))
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let sprt = read("elo0=0,elo1=60").unwrap();
        let mut rng = Rng::new(9);
        for (draws, bias) in [(0.0, 0.0), (150.0, 0.0), (150.0, 200.0)] {
            let (wrong, _) = accepts(sprt, &Model::with_elo(0.0, draws, bias), 600, &mut rng);
            let (right, pairs) = accepts(sprt, &Model::with_elo(60.0, draws, bias), 600, &mut rng);
            // The standard error of a share of 0.05 in 600 matches is 0.009.
            assert!(wrong < 0.075 && right > 0.925, "{draws} {bias}: {wrong} {right} {pairs}");
            assert!((5.0..500.0).contains(&pairs), "{pairs} pairs");
        }
    }

    #[test]
    fn a_test_is_read_and_decides() {
        let sprt = read("elo0=0,elo1=10,alpha=0.05,beta=0.1").unwrap();
        let state = sprt.state(Pairs::default());
        assert!(state.llr == 0.0 && state.accepted.is_none());
        assert!((state.lower - (0.1_f64 / 0.95).ln()).abs() < 1e-12 && (state.upper - 18_f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.state(Pairs([50, 200, 500, 300, 150])).accepted, Some(Hypothesis::H1));
        assert_eq!(sprt.state(Pairs([150, 300, 500, 200, 50])).accepted, Some(Hypothesis::H0));
        // All pairs equal: finite, and few of them decide nothing.
        for pairs in [[4, 0, 0, 0, 0], [0, 0, 4, 0, 0], [0, 0, 0, 0, 4]] {
            let state = sprt.state(Pairs(pairs));
            assert!(state.llr.is_finite() && state.accepted.is_none(), "{state:?}");
        }
        for wrong in [
            "",
            "elo0=0",
            "elo0=5,elo1=5",
            "elo0=0,elo1=x",
            "elo0=0,elo1=nan",
            "elo0=0,elo1=inf",
            "elo0=0,elo1=5000",
            "elo0=0,elo1=5,alpha=0",
            "elo0=0,elo1=5,alpha=0.5,beta=0.5",
            "elo0=0,elo1=5,gamma=1",
            "elo0=0,elo0=1,elo1=5",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
