//! Chances from some of the opponent's replies.
//!
//! The replies are drawn without replacement, each with its probability among those not yet drawn. After the k-th reply the
//! replies so far and the k-th in place of all the others give one estimate (Des Raj):
//!
//! ```text
//! t(k) = p(1) v(1) + ... + p(k-1) v(k-1) + (1 - p(1) - ... - p(k-1)) v(k)
//! ```
//!
//! Each t(k) is right on average and they are uncorrelated, so their mean is right on average too, and their spread gives
//! its error. When no reply is left the plain sum is exact.

use super::Chances;
use grid::Rng;

/// The order in which replies with these weights are drawn.
pub(super) fn drawn(weights: &[f64], seed: u64) -> Vec<usize> {
    let mut rng = Rng::new(seed);
    let mut left: Vec<usize> = (0..weights.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let all: f64 = left.iter().map(|at| weights[*at]).sum();
        let mut aim = all * (rng.next_word() >> 11) as f64 / (1u64 << 53) as f64;
        let mut place = 0;
        while place + 1 < left.len() && aim >= weights[left[place]] {
            aim -= weights[left[place]];
            place += 1;
        }
        order.push(left.remove(place));
    }
    order
}

/// The replies solved so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Estimate {
    /// The probability of each reply, and the chances of a win and a draw after it.
    solved: Vec<(f64, f64, f64)>,
}

impl Estimate {
    pub(super) fn add(&mut self, probability: f64, after: Chances) {
        self.solved.push((probability, after.win, after.draw));
    }

    /// The chances, if there are `replies` replies in all; none if no reply is solved.
    pub(super) fn chances(&self, replies: usize) -> Option<Chances> {
        let number = self.solved.len();
        if number == 0 {
            return None;
        }
        let sum =
            |of: &dyn Fn(&(f64, f64, f64)) -> f64| self.solved.iter().map(|reply| reply.0 * of(reply)).sum::<f64>();
        if number == replies {
            // The probabilities add up to 1 but for the last digits.
            let (win, draw) = (sum(&|reply| reply.1).min(1.0), sum(&|reply| reply.2).min(1.0));
            return Some(Chances { win, draw, loss: (1.0 - win - draw).max(0.0), error: None });
        }
        let rest = (1.0 - self.solved.iter().map(|reply| reply.0).sum::<f64>()).max(0.0);
        let (win, win_error) = self.mean(&|reply| reply.1, rest);
        let (draw, draw_error) = self.mean(&|reply| reply.2, rest);
        let (loss, loss_error) = self.mean(&|reply| 1.0 - reply.1 - reply.2, rest);
        let error = win_error.max(draw_error).max(loss_error);
        Some(Chances { win, draw, loss, error: Some(error) })
    }

    /// The mean of the estimates of one chance, and its standard error.
    fn mean(&self, of: &dyn Fn(&(f64, f64, f64)) -> f64, rest: f64) -> (f64, f64) {
        let number = self.solved.len() as f64;
        let (mut sum, mut covered) = (0.0, 0.0);
        let estimates: Vec<f64> = (self.solved.iter())
            .map(|reply| {
                let estimate = sum + (1.0 - covered) * of(reply);
                (sum, covered) = (sum + reply.0 * of(reply), covered + reply.0);
                estimate
            })
            .collect();
        let mean = estimates.iter().sum::<f64>() / number;
        let spread: f64 = estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum();
        // Replies that all agree do not make the others agree: one more reply may well be different.
        let unseen = rest / (2.0 * (number + 1.0));
        let error = if number > 1.0 { (spread / (number * (number - 1.0))).sqrt() } else { rest / 2.0 };
        (mean, error.max(unseen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean over all orders of drawing, each with its probability, is the true value.
    #[test]
    fn estimates_are_right_on_average() {
        let replies = [(0.5, 0.9, 0.1), (0.3, 0.2, 0.3), (0.2, 0.4, 0.0)];
        let truth: f64 = replies.iter().map(|reply| reply.0 * reply.1).sum();
        let mut mean = 0.0;
        for one in 0..3 {
            for other in (0..3).filter(|other| *other != one) {
                let chance = replies[one].0 * replies[other].0 / (1.0 - replies[one].0);
                let mut estimate = Estimate::default();
                for at in [one, other] {
                    let (probability, win, draw) = replies[at];
                    estimate.add(probability, Chances { win, draw, loss: 1.0 - win - draw, error: None });
                }
                let chances = estimate.chances(3).unwrap();
                assert!(
                    chances.error.unwrap() > 0.0 && (chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12
                );
                mean += chance * chances.win;
            }
        }
        assert!((mean - truth).abs() < 1e-12, "{mean} {truth}");
    }

    #[test]
    fn likely_replies_are_drawn_first() {
        let mut first = [0; 3];
        for seed in 0..3000 {
            let order = drawn(&[6.0, 3.0, 1.0], grid::mix(seed));
            first[order[0]] += 1;
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2]);
        }
        assert!((1700..1900).contains(&first[0]) && (800..1000).contains(&first[1]), "{first:?}");
    }
}
