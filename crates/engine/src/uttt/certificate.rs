//! Writes down a proof so that another program can check it: a strategy for each side that claims something.
//!
//! The checker is `oracle::uttt_proof`, where the format is described; it knows the naive rules and none of the searches. A
//! value needs one claim (won: the mover wins; lost: the other side wins) or two (drawn: neither loses).

use super::Solver;
use super::proof::ProofSearch;
use crate::error::Error;
#[cfg(feature = "files")]
use crate::store::{self, Kind, StoreError};
use crate::value::Outcome;
use grid::{CellSet, Game, Player};
use search::{Control, Meter, Stop};
use std::collections::HashSet;
use std::fmt::Write as _;
#[cfg(feature = "files")]
use std::path::Path;
use uttt::kernel::Lanes;
use uttt::{Position, Rule, Uttt};

/// The files of certificates.
#[cfg(feature = "files")]
pub const KIND: Kind = Kind { name: *b"utttcert", words: "proof of Ultimate Tic-Tac-Toe", version: 1 };

/// A proof of a position's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What is proved, for the side to move.
    pub outcome: Outcome,
    /// The text and the bytes of the format.
    pub body: Vec<u8>,
}

#[cfg(feature = "files")]
impl Certificate {
    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        Ok(store::write_whole(path, KIND, |out| out.write_all(&self.body))?)
    }
}

/// Reads the body of a certificate file, if it is whole. Whether it proves anything is for the checker to say.
///
/// # Errors
/// If the file is missing or damaged.
#[cfg(feature = "files")]
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = std::fs::read(path).map_err(|source| StoreError::io(path, source))?;
    Ok(store::open(path, KIND, &bytes, true)?.to_vec())
}

impl Solver {
    /// Proves the value and writes the proof down. What the table has lost is proved again.
    ///
    /// # Errors
    /// If the control stops it, or if the proof has more positions than fit into as much memory as the table takes.
    pub fn certify(&mut self, position: &Position, control: &Control<'_>) -> Result<Certificate, Error> {
        let rules = self.rules();
        let most = self.table.bytes() / BYTES_PER_POSITION;
        with_rule!(rules, R => {
            let mut search = self.search::<R>(control);
            let outcome = search.value(&Lanes::new::<R>(position))?.outcome.ok_or(Error::Stopped(Stop::Memory))?;
            let (us, them) = (position.mover(), position.mover().other());
            let claims = match outcome {
                Outcome::Win => vec![(us, Claim::Win)],
                Outcome::Loss => vec![(them, Claim::Win)],
                Outcome::Draw => vec![(us, Claim::Draw), (them, Claim::Draw)],
            };
            let mut head = String::new();
            let mut moves = Vec::new();
            // Writing to a string does not fail.
            let _ = writeln!(head, "rule {}\nposition {position:?}", rules.name());
            for (player, claim) in claims {
                let before = moves.len();
                let (meter, met) = (search.control().meter(), HashSet::new());
                let mut writer = Writer { search: &mut search, meter, player, claim, met, most, moves: &mut moves };
                writer.go(position)?;
                let letter = ['X', 'O'][player as usize];
                let name = if claim == Claim::Win { "win" } else { "draw" };
                let _ = writeln!(head, "claim {letter} {name} {}", moves.len() - before);
            }
            head.push_str("moves\n");
            let mut body = head.into_bytes();
            body.append(&mut moves);
            Ok(Certificate { outcome, body })
        })
    }
}

/// Memory per position while the certificate is written: 44 bytes, in a table that doubles when it is full.
const BYTES_PER_POSITION: usize = 160;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Win,
    Draw,
}

/// Walks through the game as the checker will, and writes the claimant's moves. A position is a node of the control.
struct Writer<'w, 'a, R: Rule> {
    search: &'w mut ProofSearch<'a, R>,
    meter: Meter<'a>,
    player: Player,
    claim: Claim,
    met: HashSet<[u32; 11]>,
    /// The largest number of positions.
    most: usize,
    moves: &'w mut Vec<u8>,
}

impl<R: Rule> Writer<'_, '_, R> {
    fn go(&mut self, position: &Position) -> Result<(), Error> {
        let game = Uttt::<R>::default();
        if game.is_over(position) || self.is_settled(position) || !self.met.insert(summary::<R>(position)) {
            return Ok(());
        }
        if self.met.len() > self.most {
            return Err(Error::CertificateTooLarge { positions: self.most });
        }
        if !self.meter.pay() {
            return Err(Error::Stopped(self.meter.stopped_by().unwrap_or(Stop::Nodes)));
        }
        if position.mover() != self.player {
            return position.moves::<R>().try_for_each(|mv| self.go(&game.play_unchecked(position, mv)));
        }
        let attacker = if self.claim == Claim::Win { self.player } else { self.player.other() };
        let mv = self.search.reply(position, attacker as usize)?;
        self.moves.push((9 * mv.board().index() + mv.square().index()) as u8);
        self.go(&game.play_unchecked(position, mv))
    }

    /// Where the checker needs no more moves: too few boards are alive for the other side.
    fn is_settled(&self, position: &Position) -> bool {
        let lanes = Lanes::new::<R>(position);
        let alive = lanes.alive(self.player.other() as usize);
        let won: CellSet = position.won(self.player);
        let enough = match self.claim {
            Claim::Draw => !R::MORE_BOARDS_WIN || alive.len() <= won.len(),
            Claim::Win => R::MORE_BOARDS_WIN && alive.len() < won.len(),
        };
        enough && !alive.has_line()
    }
}

/// The same classes of positions as the checker's.
fn summary<R: Rule>(position: &Position) -> [u32; 11] {
    let open = position.open_boards::<R>();
    let mut summary = [0; 11];
    for board in open {
        let [first, second] = [Player::First, Player::Second].map(|player| position.stones(player, board).bits());
        summary[board.index()] = u32::from(first) << 9 | u32::from(second);
    }
    let [first, second] = [Player::First, Player::Second].map(|player| position.won(player).bits());
    summary[9] = u32::from(first) << 18 | u32::from(second) << 9 | u32::from(position.drawn().bits());
    summary[10] = match position.next() {
        uttt::Next::Board(board) => board.index() as u32,
        uttt::Next::Any | uttt::Next::Over => 9,
    } << 1
        | position.mover() as u32;
    summary
}
