//! Writes down a proof so that another program can check it: a strategy for each side that claims something.
//!
//! The checker is `oracle::uttt_proof`, where the format is described; it knows the naive rules and none of the searches. A
//! value needs one claim (won: the mover wins; lost: the other side wins) or two (drawn: neither loses).

use super::Solver;
use super::proof::ProofSearch;
use super::visited::{Visited, fingerprint};
use crate::error::Error;
use crate::store::{self, Kind, StoreError};
use crate::value::Outcome;
use grid::{CellSet, Game, Player};
use search::{Control, Meter, Stop};
use std::fmt::Write as _;
#[cfg(feature = "files")]
use std::io;
use std::io::Write;
use std::path::Path;
use uttt::kernel::Lanes;
use uttt::{Position, Rule, Uttt};

/// The files of certificates.
pub const KIND: Kind = Kind { name: *b"utttcert", words: "proof of Ultimate Tic-Tac-Toe", version: 1 };

/// A proof of a position's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What is proved, for the side to move.
    pub outcome: Outcome,
    /// The text and the bytes of the format.
    pub body: Vec<u8>,
}

/// The body of a certificate file, if it is whole. Whether it proves anything is for the checker to say.
///
/// # Errors
/// If the file is damaged or of another kind. `path` is its name in the message.
pub fn open<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
    Ok(store::open(path, KIND, bytes, true)?)
}

impl Solver {
    /// Proves the value and returns the proof. What the table has lost is proved again.
    ///
    /// # Errors
    /// If the control stops it, or if the proof has more positions than fit into as much memory as the table takes.
    pub fn certify(&mut self, position: &Position, control: &Control<'_>) -> Result<Certificate, Error> {
        let (bytes, mut moves) = (self.table.bytes(), Vec::new());
        let mut sink = Sink { out: &mut moves, path: Path::new("") };
        let (outcome, head) = self.strategy(position, control, || Visited::new(bytes, None), &mut sink)?;
        let mut body = head.into_bytes();
        body.append(&mut moves);
        Ok(Certificate { outcome, body })
    }

    /// Proves the value and writes the proof to a file, whole or not at all. The moves go to disk as they are found. So do
    /// the positions met, if they need more memory than the table takes: the size is limited by the disk.
    ///
    /// # Errors
    /// If the control stops it, or those of the system.
    #[cfg(feature = "files")]
    pub fn certify_file(&mut self, position: &Position, path: &Path, control: &Control<'_>) -> Result<Outcome, Error> {
        use std::io::{BufWriter, Seek, SeekFrom};
        let io = |error: io::Error| StoreError::io(path, error);
        let (bytes, folder) = (self.table.bytes(), store::workshop(path));
        let mut spool = store::scratch(&folder).map_err(io)?;
        let mut moves = BufWriter::new(&spool);
        let visited = || Visited::new(bytes, Some(folder.clone()));
        let (outcome, head) = self.strategy(position, control, visited, &mut Sink { out: &mut moves, path })?;
        moves.flush().map_err(io)?;
        drop(moves);
        spool.seek(SeekFrom::Start(0)).map_err(io)?;
        store::write_whole(path, KIND, |out| {
            out.write_all(head.as_bytes())?;
            io::copy(&mut spool, out).map(drop)
        })?;
        Ok(outcome)
    }

    /// Writes the moves of every claim to the sink. Returns the outcome and the text that precedes the moves.
    fn strategy(
        &mut self,
        position: &Position,
        control: &Control<'_>,
        visited: impl Fn() -> Visited,
        sink: &mut Sink<'_>,
    ) -> Result<(Outcome, String), Error> {
        let rules = self.rules();
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
            // Writing to a string does not fail.
            let _ = writeln!(head, "rule {}\nposition {position:?}", rules.name());
            for (player, claim) in claims {
                let (meter, met) = (search.control().meter(), visited());
                let mut writer = Writer { search: &mut search, meter, player, claim, met, sink, moves: 0 };
                writer.go(position)?;
                let letter = ['X', 'O'][player as usize];
                let name = if claim == Claim::Win { "win" } else { "draw" };
                let _ = writeln!(head, "claim {letter} {name} {}", writer.moves);
            }
            head.push_str("moves\n");
            Ok((outcome, head))
        })
    }
}

/// Where the moves go.
struct Sink<'a> {
    out: &'a mut dyn Write,
    /// The file, for errors.
    path: &'a Path,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Win,
    Draw,
}

/// Walks through the game as the checker will, and writes the claimant's moves. A position is a node of the control.
struct Writer<'w, 's, 'a, R: Rule> {
    search: &'w mut ProofSearch<'a, R>,
    meter: Meter<'a>,
    player: Player,
    claim: Claim,
    met: Visited,
    sink: &'w mut Sink<'s>,
    /// Number of moves written.
    moves: u64,
}

impl<R: Rule> Writer<'_, '_, '_, R> {
    fn go(&mut self, position: &Position) -> Result<(), Error> {
        let game = Uttt::<R>::default();
        if game.is_over(position) || self.is_settled(position) {
            return Ok(());
        }
        if !self.met.insert(fingerprint(&summary::<R>(position)))? {
            return Ok(());
        }
        if !self.meter.pay() {
            return Err(Error::Stopped(self.meter.stopped_by().unwrap_or(Stop::Nodes)));
        }
        if position.mover() != self.player {
            return position.moves::<R>().try_for_each(|mv| self.go(&game.play_unchecked(position, mv)));
        }
        let attacker = if self.claim == Claim::Win { self.player } else { self.player.other() };
        let mv = self.search.reply(position, attacker as usize)?;
        self.write((9 * mv.board().index() + mv.square().index()) as u8)?;
        self.go(&game.play_unchecked(position, mv))
    }

    fn write(&mut self, mv: u8) -> Result<(), Error> {
        self.moves += 1;
        Ok(self.sink.out.write_all(&[mv]).map_err(|error| StoreError::io(self.sink.path, error))?)
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
