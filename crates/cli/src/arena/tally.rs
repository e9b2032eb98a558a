//! The running result of a match.

use super::elo::{Elo, Pairs};
use super::record::{Reason, Record};
use super::sprt::{Sprt, SprtState};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Games that a player lost other than by the rules of the game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Forfeits {
    /// It exceeded its time.
    pub(super) time: u64,
    /// It made an illegal move.
    pub(super) illegal: u64,
    /// Its program ended or failed.
    pub(super) crash: u64,
}

/// The forfeits of both players.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct BothForfeits {
    /// Those of A.
    pub(super) a: Forfeits,
    /// Those of B.
    pub(super) b: Forfeits,
}

/// The result of a match, for A.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Summary<'a> {
    /// The first player.
    pub(super) a: &'a str,
    /// The second player.
    pub(super) b: &'a str,
    /// Number of games.
    pub(super) games: u64,
    /// Games that A won.
    pub(super) wins: u64,
    /// Drawn games.
    pub(super) draws: u64,
    /// Games that A lost.
    pub(super) losses: u64,
    /// The share of points.
    pub(super) score: f64,
    /// The share of drawn games.
    pub(super) draw_ratio: f64,
    /// Pairs in which A got 0, 1/2, 1, 3/2 and 2 points.
    pub(super) pairs: [u32; 5],
    #[serde(flatten)]
    pub(super) elo: Elo,
    /// The sequential probability ratio test, with `--sprt`. Once it is decided, it stays as it was then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sprt: Option<SprtState>,
    /// How the games ended.
    pub(super) reasons: BTreeMap<Reason, u64>,
    /// Games lost by time, by an illegal move or by a failed program.
    pub(super) forfeits: BothForfeits,
}

/// The games so far.
#[derive(Default)]
pub(super) struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: Pairs,
    /// The points of A in pairs of which one game is played.
    halves: HashMap<u64, f64>,
    reasons: BTreeMap<Reason, u64>,
    forfeits: BothForfeits,
    test: Option<Sprt>,
    sprt: Option<SprtState>,
}

impl Tally {
    pub(super) fn new(test: Option<Sprt>) -> Self {
        Self { test, sprt: test.map(|test| test.state(Pairs::default())), ..Self::default() }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, record: &Record) {
        let won = record.points;
        let count = match won {
            1.0 => &mut self.wins,
            0.5 => &mut self.draws,
            _ => &mut self.losses,
        };
        *count += 1;
        let loser = if won == 1.0 { &mut self.forfeits.b } else { &mut self.forfeits.a };
        match record.reason {
            Reason::Time => loser.time += 1,
            Reason::Illegal => loser.illegal += 1,
            Reason::Crash => loser.crash += 1,
            Reason::Board | Reason::Proved | Reason::Resign | Reason::Agreed => {}
        }
        *self.reasons.entry(record.reason).or_insert(0) += 1;
        let pair = record.game.saturating_sub(1) / 2;
        match self.halves.remove(&pair) {
            None => {
                self.halves.insert(pair, won);
            }
            Some(other) => {
                self.pairs.add((2.0 * (won + other)) as usize);
                if !self.is_decided() {
                    self.sprt = self.test.map(|test| test.state(self.pairs));
                }
            }
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Whether the sequential test has accepted a hypothesis.
    pub(super) fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.accepted.is_some())
    }

    pub(super) fn summary<'a>(&self, a: &'a str, b: &'a str) -> Summary<'a> {
        let games = self.games();
        let share = |points: f64| points / games.max(1) as f64;
        Summary {
            a,
            b,
            games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            score: share(self.wins as f64 + self.draws as f64 / 2.0),
            draw_ratio: share(self.draws as f64),
            pairs: self.pairs.0,
            elo: self.pairs.elo(),
            sprt: self.sprt,
            reasons: self.reasons.clone(),
            forfeits: self.forfeits,
        }
    }
}
