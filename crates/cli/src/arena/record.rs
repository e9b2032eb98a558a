//! The record of a game, as one line of JSON, and the file from which a match resumes.

use crate::failure::Failure;
use crate::protocol::command::PositionText;
use crate::protocol::reached;
use api::{PositionQuestion, Session};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

/// The version of the format.
const VERSION: u32 = 1;

/// Why a game ended as it did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum Reason {
    /// By the rules.
    Board,
    /// The solver proved the result.
    Proved,
    /// The loser took too long.
    Time,
    /// The loser made an illegal move.
    Illegal,
    /// The loser's program ended or failed.
    Crash,
    /// The loser resigned, by its scores.
    Resign,
    /// A draw, because the scores of both players were even.
    Agreed,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// The version of this format.
    version: u32,
    /// The number of the game, from 1.
    pub(super) game: u64,
    /// The game, rules and limits, so that a file is not mistaken for that of another match.
    pub(super) terms: String,
    /// The first player.
    pub(super) a: String,
    /// The second player.
    pub(super) b: String,
    /// The player who moved first: `a` or `b`.
    pub(super) first: char,
    /// The opening: `startpos` or `fen`, and its moves.
    pub(super) opening: String,
    /// The moves after the opening.
    pub(super) moves: Vec<String>,
    /// `p1win`, `draw` or `p2win`.
    pub(super) result: String,
    /// The points of A: 1, 0.5 or 0.
    pub(super) points: f64,
    /// Why it ended.
    pub(super) reason: Reason,
    /// Details of the reason, if there are any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) detail: String,
    /// Total thinking time of A and B, in seconds.
    pub(super) seconds: [f64; 2],
}

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    pub(super) game: u64,
    pub(super) terms: String,
    pub(super) a: String,
    pub(super) b: String,
    pub(super) a_first: bool,
    pub(super) opening: PositionText,
}

impl Plan {
    /// The record of the played game. `result` is 1, 0 or -1 for the player who moved first.
    pub(super) fn played(
        &self,
        moves: Vec<String>,
        result: i32,
        reason: Reason,
        detail: String,
        seconds: [f64; 2],
    ) -> Record {
        let for_a = if self.a_first { result } else { -result };
        Record {
            version: VERSION,
            game: self.game,
            terms: self.terms.clone(),
            a: self.a.clone(),
            b: self.b.clone(),
            first: if self.a_first { 'a' } else { 'b' },
            opening: super::openings::text(&self.opening),
            moves,
            result: ["p2win", "draw", "p1win"][(result + 1) as usize].to_owned(),
            points: f64::from(for_a + 1) / 2.0,
            reason,
            detail,
            seconds,
        }
    }

    /// Checks that a record belongs to this game and that its result fits its moves.
    fn check(&self, record: &Record, session: &mut dyn Session) -> Result<(), String> {
        let blank = self.played(Vec::new(), 0, Reason::Board, String::new(), [0.0; 2]);
        let key = |record: &Record| {
            let Record { version, game, terms, a, b, first, opening, .. } = record.clone();
            (version, game, terms, a, b, first, opening)
        };
        if key(record) != key(&blank) {
            return Err("it belongs to another match".to_owned());
        }
        let mut place = self.opening.clone();
        place.moves.extend(record.moves.iter().cloned());
        let (position, _) = reached(session, &place).map_err(|fault| fault.message)?;
        let ended = session.look(&PositionQuestion::at(position)).map_err(|fault| fault.message)?.result;
        let result = match record.result.as_str() {
            "p1win" => 1,
            "draw" => 0,
            "p2win" => -1,
            other => return Err(format!("`{other}` is no result")),
        };
        let points = self.played(Vec::new(), result, Reason::Board, String::new(), [0.0; 2]).points;
        if points != record.points || (record.reason == Reason::Board) != (ended == Some(result)) {
            return Err("the result is not that of the moves".to_owned());
        }
        Ok(())
    }
}

/// The record file of a match.
pub(super) struct Log {
    file: File,
    path: String,
}

impl Log {
    /// Opens or creates the file and returns the games in it. An incomplete last line is removed.
    pub(super) fn open(
        path: &Path,
        session: &mut dyn Session,
        mut plan: impl FnMut(u64, &mut dyn Session) -> Result<Plan, Failure>,
    ) -> Result<(Self, Vec<Record>), Failure> {
        let name = path.display().to_string();
        let failed = |error: std::io::Error| Failure::Run(format!("{name}: {error}"));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            crate::output::note(format_args!("{name}: the last line was cut short; that game is played again"));
            file.set_len(whole as u64).map_err(failed)?;
            file.seek(std::io::SeekFrom::End(0)).map_err(failed)?;
        }
        let (mut records, mut seen): (Vec<Record>, HashSet<u64>) = Default::default();
        for (number, line) in
            text[..whole].split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty())
        {
            let wrong = |why: String| Failure::Run(format!("{name}, line {}: {why}", number + 1));
            let record: Record =
                api::read_json(line).map_err(|fault| wrong(fault.message.replacen("line 1, ", "", 1)))?;
            if !seen.insert(record.game) {
                return Err(wrong(format!("game {} is there twice", record.game)));
            }
            plan(record.game, session)?.check(&record, session).map_err(wrong)?;
            records.push(record);
        }
        Ok((Self { file, path: name }, records))
    }

    /// Appends a game as one line and flushes it to disk.
    pub(super) fn add(&mut self, record: &Record) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(record).map_err(|error| Failure::Run(error.to_string()))?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|error| Failure::Run(format!("{}: {error}", self.path)))
    }
}
