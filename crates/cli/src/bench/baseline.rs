//! Compares the figures of this run with those of an earlier one: `ninefold bench --json > FILE`, later `--baseline FILE`.

use super::{FORMAT, Figure, machine};
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Differences below this are not shown as such, however small the spread is.
const LEAST_MARGIN: f64 = 0.01;

/// What the comparison says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// This run is faster.
    Faster,
    /// This run is slower.
    Slower,
    /// The difference is within the spread.
    NoDifference,
}

/// A figure next to the same figure of the baseline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Comparison {
    /// The median speed of the baseline.
    pub(super) median_per_second: f64,
    /// The median speed of this run divided by that of the baseline.
    pub(super) ratio: f64,
    /// A natural logarithm of the ratio within plus or minus this is no difference: twice the spread of both runs together.
    pub(super) margin: f64,
    /// What the comparison says.
    pub(super) verdict: Verdict,
}

/// The figures of an earlier run.
pub(super) struct Baseline(Vec<Figure>);

impl Baseline {
    /// Reads the file. Figures of another format, machine or instruction set are refused.
    pub(super) fn read(path: &Path, isa: &str) -> Result<Self, Failure> {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| Failure::Run(format!("{name}: {error}")))?;
        let mut figures = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |why: String| Failure::Run(format!("{name}, line {}: {why}", number + 1));
            figures.push(figure(line, isa).map_err(wrong)?);
        }
        if figures.is_empty() {
            return Err(Failure::Run(format!("{name}: no figures; write them with `ninefold bench --json`")));
        }
        Ok(Self(figures))
    }

    /// Compares a figure; `None` if the baseline does not have it.
    pub(super) fn compare(&self, figure: &Figure) -> Option<Comparison> {
        let key = |figure: &Figure| (figure.game.clone(), figure.items.clone(), figure.name.clone());
        let earlier = self.0.iter().find(|earlier| key(earlier) == key(figure))?;
        Some(compared((earlier.median_per_second, earlier.spread), (figure.median_per_second, figure.spread)))
    }
}

fn figure(line: &str, isa: &str) -> Result<Figure, String> {
    const AGAIN: &str = "write the file again with `ninefold bench --json`";
    let value: serde_json::Value = serde_json::from_str(line).map_err(|_| format!("not a figure; {AGAIN}"))?;
    if value["format"] != FORMAT {
        return Err(format!("not a figure of format {FORMAT}; {AGAIN}"));
    }
    let figure: Figure = serde_json::from_value(value).map_err(|error| format!("{error}; {AGAIN}"))?;
    if figure.machine != machine() {
        return Err(format!(
            "measured on another machine ({}; this is {}); speeds of two machines cannot be compared",
            figure.machine,
            machine()
        ));
    }
    if figure.isa != isa {
        return Err(format!("measured with {}, not with {isa}; use --isa {}", figure.isa, figure.isa));
    }
    if !(figure.median_per_second > 0.0 && figure.spread >= 0.0) {
        return Err("the speed is not above zero".to_owned());
    }
    Ok(figure)
}

/// Compares two medians, each with its spread. The spread is that of single rounds: the median itself is more exact
/// within a run, but between two runs the load and the clock rate of the machine change as well.
fn compared(earlier: (f64, f64), now: (f64, f64)) -> Comparison {
    let ratio = now.0 / earlier.0;
    let margin = (2.0 * earlier.1.hypot(now.1)).max(LEAST_MARGIN);
    let verdict = match ratio.ln() {
        difference if difference > margin => Verdict::Faster,
        difference if difference < -margin => Verdict::Slower,
        _ => Verdict::NoDifference,
    };
    Comparison { median_per_second: earlier.0, ratio, margin, verdict }
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match self.verdict {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::NoDifference => "no difference",
        };
        write!(out, "{:.2}x (+-{:.1} %) {verdict}", self.ratio, 100.0 * self.margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_within_the_spread_is_none() {
        for (earlier, now, verdict, text) in [
            ((100.0, 0.03), (105.0, 0.04), Verdict::NoDifference, "1.05x (+-10.0 %) no difference"),
            ((100.0, 0.03), (95.0, 0.04), Verdict::NoDifference, "0.95x (+-10.0 %) no difference"),
            ((100.0, 0.03), (120.0, 0.04), Verdict::Faster, "1.20x (+-10.0 %) faster"),
            ((100.0, 0.03), (80.0, 0.04), Verdict::Slower, "0.80x (+-10.0 %) slower"),
            ((100.0, 0.0), (100.5, 0.0), Verdict::NoDifference, "1.00x (+-1.0 %) no difference"),
            ((100.0, 0.0), (102.0, 0.0), Verdict::Faster, "1.02x (+-1.0 %) faster"),
        ] {
            let found = compared(earlier, now);
            assert_eq!(found.verdict, verdict, "{earlier:?} {now:?}");
            assert_eq!(found.to_string(), text);
        }
    }
}
