//! Perft suites as text: the number of sequences of moves from a position.
//!
//! ```text
//! # a comment
//! rule standard              the rule of the positions below; optional
//! position x.o......         one position, in the game's own notation
//! perft 1 7                  depth, sequences
//! perft 2 42
//! ```
//!
//! ```
//! use ninefold_oracle::perft::Suite;
//! let suite = Suite::parse("position .........\nperft 1 9\nperft 2 72\n").unwrap();
//! assert_eq!(suite.entries[0].counts, [(1, 9), (2, 72)]);
//! assert_eq!(suite.within(50).next().unwrap().counts, [(1, 9)]);
//! assert_eq!(Suite::parse("perft 1 9").unwrap_err().to_string(), "line 1: a position comes before its counts");
//! ```

use grid::Game;
use std::fmt;

/// The counts of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The rule; empty if the suite names none.
    pub rule: String,
    /// The position, as text.
    pub position: String,
    /// Pairs of a depth and the number of sequences of that length.
    pub counts: Vec<(u32, u64)>,
}

/// A list of positions with their counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suite {
    /// The entries in the order of the text.
    pub entries: Vec<Entry>,
}

/// An error in a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: &'static str,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.fault)
    }
}

impl std::error::Error for SuiteError {}

impl Suite {
    /// Reads a suite.
    ///
    /// # Errors
    /// With the line that cannot be parsed.
    pub fn parse(text: &str) -> Result<Self, SuiteError> {
        let mut suite = Self::default();
        let mut rule = "";
        for (at, line) in text.lines().enumerate() {
            let fault = |fault| SuiteError { line: at + 1, fault };
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.trim();
            match word {
                "" => {}
                _ if word.starts_with('#') => {}
                "rule" => rule = rest,
                "position" => {
                    suite.entries.push(Entry { rule: rule.into(), position: rest.into(), counts: Vec::new() });
                }
                "perft" => {
                    let entry = suite.entries.last_mut().ok_or(fault("a position comes before its counts"))?;
                    let (depth, count) = rest.split_once(' ').ok_or(fault("a depth and a count belong here"))?;
                    let depth = depth.parse().map_err(|_| fault("the depth is not a number"))?;
                    let count = count.trim().parse().map_err(|_| fault("the count is not a number"))?;
                    entry.counts.push((depth, count));
                }
                _ => return Err(fault("a line is a rule, a position, a perft or a comment")),
            }
        }
        Ok(suite)
    }

    /// The entries without counts above `limit`: a budget for slow programs and quick tests.
    pub fn within(&self, limit: u64) -> impl Iterator<Item = Entry> {
        self.entries.iter().map(move |entry| {
            let counts = entry.counts.iter().copied().filter(|&(_, count)| count <= limit).collect();
            Entry { counts, ..entry.clone() }
        })
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rule = "";
        for entry in &self.entries {
            if entry.rule != rule {
                rule = &entry.rule;
                writeln!(out, "rule {rule}")?;
            }
            writeln!(out, "position {}", entry.position)?;
            entry.counts.iter().try_for_each(|(depth, count)| writeln!(out, "perft {depth} {count}"))?;
        }
        Ok(())
    }
}

/// Number of sequences of `depth` moves, counted one by one: the definition with which faster counts are compared.
pub fn count<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    game.moves(position).map(|mv| count(game, &game.play_unchecked(position, mv), depth - 1)).sum()
}
