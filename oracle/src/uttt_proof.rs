//! Checks a certificate of Ultimate Tic-Tac-Toe with the naive rules only.
//!
//! A certificate has a strategy for each claim. Its format, text followed by bytes:
//!
//! ```text
//! rule standard
//! position X;@........;........./...
//! claim X draw 120        X does not lose; the strategy has 120 moves
//! claim O draw 98         O does not lose; the strategy has 98 moves
//! moves                   then one byte per move: 9 * board + square, first claim first
//! ```
//!
//! A won position has one claim, the mover's; a lost one the opponent's; a drawn one both, the mover's first. There is one way to
//! write a certificate: no other separators, letters, leading zeros or further claims.
//!
//! The checker walks the game tree from the position. Where the claimant is to move, it reads the next byte; where the
//! opponent is to move, it tries every legal move. A position is walked only once; closed boards compare by their owner alone,
//! because nothing in them can change or matter again. A branch ends when the game is over, or when the opponent cannot win
//! enough boards any more: a board that the claimant has won, or in which he has a stone in every line, is lost for the
//! opponent. Every walk ends, because every move adds a mark.

use crate::uttt::{Local, Rule, State, Uttt};
use grid::{Notation, Player, Versus};
use std::collections::HashSet;
use std::fmt;

/// The statement that a valid certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The rule.
    pub rule: Rule,
    /// The position.
    pub position: String,
    /// The proved value for the side to move: 1, 0 or -1.
    pub value: i32,
    /// Number of positions checked.
    pub positions: u64,
}

/// Why a certificate is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The byte offset of the error.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at byte {}: {}", self.at, self.reason)
    }
}

impl std::error::Error for Refusal {}

/// A claim: the player achieves at least this result with a strategy of this many moves.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Claim {
    player: Player,
    at_least: i32,
    moves: usize,
}

/// A certificate that was read but not checked. There is one way to write it: every byte means something.
#[derive(Clone, Debug)]
pub struct Proof<'a> {
    game: Uttt,
    state: State,
    claims: Vec<Claim>,
    moves: &'a [u8],
}

impl<'a> Proof<'a> {
    /// Reads a certificate.
    ///
    /// # Errors
    /// With the first byte that is wrong, if it is not exactly what [`write`](Self::write) makes of its content.
    pub fn read(body: &'a [u8]) -> Result<Self, Refusal> {
        let mut reader = Reader { body, at: 0 };
        let (at, name) = reader.field("rule")?;
        let rule = RULES.into_iter().find(|(known, _)| *known == name).ok_or_else(|| refusal(at, "no such rule"))?.1;
        let game = Uttt(rule);
        let (at, position) = reader.field("position")?;
        let state = game.read_position(position).map_err(|fault| refusal(at + fault.at, fault.expected))?;
        if !is_consistent(&game, &state) {
            return Err(refusal(at, "the boards are not what their squares say"));
        }
        let mut claims = Vec::new();
        while let Ok((at, words)) = reader.field("claim") {
            claims
                .push(read_claim(words).ok_or_else(|| refusal(at, "a claim is a player, win or draw, and a number"))?);
        }
        if reader.line() != Some("moves") {
            return Err(refusal(reader.at, "the line 'moves' is missing"));
        }
        let (head, moves) = body.split_at(reader.at);
        let proof = Self { game, state, claims, moves };
        let expected = proof.head();
        if head != expected.as_bytes() {
            let same = head.iter().zip(expected.as_bytes()).take_while(|(found, expected)| found == expected);
            return Err(refusal(same.count(), "not written in the one way"));
        }
        Ok(proof)
    }

    /// The bytes of the certificate.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut body = self.head().into_bytes();
        body.extend_from_slice(self.moves);
        body
    }

    fn head(&self) -> String {
        let name = RULES.into_iter().find(|(_, rule)| *rule == self.game.0).map_or("", |(name, _)| name);
        let mut head = format!("rule {name}\nposition {}\n", self.position());
        for Claim { player, at_least, moves } in &self.claims {
            let player = if *player == Player::First { 'X' } else { 'O' };
            let at_least = if *at_least == 1 { "win" } else { "draw" };
            head.push_str(&format!("claim {player} {at_least} {moves}\n"));
        }
        head + "moves\n"
    }

    fn position(&self) -> String {
        let mut text = String::new();
        self.game.write_position(&self.state, &mut text).map(|()| text).unwrap_or_default()
    }

    /// The value for the mover that the claims settle: each value has one list of claims.
    fn value(&self) -> Option<i32> {
        let (us, them) = (self.state.mover, self.state.mover.other());
        let claims: Vec<(Player, i32)> = self.claims.iter().map(|claim| (claim.player, claim.at_least)).collect();
        match claims.as_slice() {
            [(player, 1)] => Some(if *player == us { 1 } else { -1 }),
            [(first, 0), (second, 0)] if (*first, *second) == (us, them) => Some(0),
            _ => None,
        }
    }
}

const RULES: [(&str, Rule); 3] = [("standard", Rule::Standard), ("codingame", Rule::CodinGame), ("open", Rule::Open)];

fn refusal(at: usize, reason: &str) -> Refusal {
    Refusal { at, reason: reason.to_owned() }
}

/// Checks a certificate.
///
/// # Errors
/// With the first byte at which it fails to prove a claim.
pub fn verify(body: &[u8]) -> Result<Verified, Refusal> {
    verify_while(body, &mut |_| true)
}

/// Positions between two calls of `go_on`.
const STRIDE: u64 = 1024;

/// Checks a certificate as long as `go_on` returns true; it gets the number of positions checked so far.
///
/// # Errors
/// With the first byte at which it fails to prove a claim, or at which it was stopped.
pub fn verify_while(body: &[u8], go_on: &mut dyn FnMut(u64) -> bool) -> Result<Verified, Refusal> {
    let proof = Proof::read(body)?;
    let value = proof.value().ok_or_else(|| refusal(0, "the claims do not settle the value"))?;
    let mut positions = 0;
    let mut at = body.len() - proof.moves.len();
    for claim in &proof.claims {
        let end = at.checked_add(claim.moves).filter(|&end| end <= body.len());
        let end = end.ok_or_else(|| refusal(body.len(), "the moves end too early"))?;
        let (moves, met) = (&body[..end], HashSet::new());
        let mut walk = Walk { game: proof.game, claim, moves, at, met, before: positions, go_on };
        walk.go(&proof.state)?;
        if walk.at != end {
            return Err(refusal(walk.at, "moves are left over"));
        }
        positions += walk.met.len() as u64;
        at = end;
    }
    if at != body.len() {
        return Err(refusal(at, "bytes are left over"));
    }
    Ok(Verified { rule: proof.game.0, position: proof.position(), value, positions })
}

fn read_claim(words: &str) -> Option<Claim> {
    let mut words = words.split(' ');
    let player = match words.next()? {
        "X" => Player::First,
        "O" => Player::Second,
        _ => return None,
    };
    let at_least = match words.next()? {
        "win" => 1,
        "draw" => 0,
        _ => return None,
    };
    let moves = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Claim { player, at_least, moves })
}

/// Whether the state of each board agrees with its squares, and the forced board is open.
fn is_consistent(game: &Uttt, state: &State) -> bool {
    let board_is_right = |board: usize| {
        let squares = &state.squares[board];
        let full = squares.iter().all(Option::is_some);
        let line = |player| crate::uttt::has_line(player, squares);
        match state.boards[board] {
            Local::Undecided => !full && !line(Player::First) && !line(Player::Second),
            Local::Won(player) => line(player),
            Local::Drawn => full && !line(Player::First) && !line(Player::Second),
        }
    };
    let forced_is_open = state.forced.is_none_or(|board| game.is_playable(state, board));
    (0..9).all(board_is_right) && forced_is_open
}

struct Reader<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        let rest = &self.body[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        std::str::from_utf8(&rest[..end]).ok()
    }

    fn line(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        self.at += line.len() + 1;
        Some(line)
    }

    /// The rest of a line that starts with this word, and its byte offset.
    fn field(&mut self, word: &str) -> Result<(usize, &'a str), Refusal> {
        let rest = self.peek().and_then(|line| line.strip_prefix(word)?.strip_prefix(' '));
        let rest = rest.ok_or_else(|| Refusal { at: self.at, reason: format!("the line '{word}' is missing") })?;
        let at = self.at + word.len() + 1;
        self.at = at + rest.len() + 1;
        Ok((at, rest))
    }
}

/// The walk of the game tree for one claim.
struct Walk<'a> {
    game: Uttt,
    claim: &'a Claim,
    moves: &'a [u8],
    at: usize,
    met: HashSet<[u32; 11]>,
    /// Positions checked for earlier claims.
    before: u64,
    go_on: &'a mut dyn FnMut(u64) -> bool,
}

impl Walk<'_> {
    fn go(&mut self, state: &State) -> Result<(), Refusal> {
        let refuse = |at: usize, reason: String| Err(Refusal { at, reason });
        let text = || {
            let mut text = String::new();
            self.game.write_position(state, &mut text).map(|()| text).unwrap_or_default()
        };
        if let Some(result) = self.game.result(state) {
            if result * self.claim.player.sign() >= self.claim.at_least {
                return Ok(());
            }
            return refuse(self.at, format!("the game ends against the claim: {}", text()));
        }
        if self.is_settled(state) || !self.met.insert(summary(&self.game, state)) {
            return Ok(());
        }
        let checked = self.before + self.met.len() as u64;
        if checked.is_multiple_of(STRIDE) && !(self.go_on)(checked) {
            return refuse(self.at, "stopped".to_owned());
        }
        let legal = self.game.legal(state);
        if state.mover != self.claim.player {
            return legal.into_iter().try_for_each(|(board, square)| self.go(&self.game.after(state, board, square)));
        }
        let Some(&byte) = self.moves.get(self.at) else {
            return refuse(self.at, format!("no move is given for {}", text()));
        };
        let mv = (usize::from(byte) / 9, usize::from(byte) % 9);
        if !legal.contains(&mv) {
            return refuse(self.at, format!("move {byte} is not legal in {}", text()));
        }
        self.at += 1;
        self.go(&self.game.after(state, mv.0, mv.1))
    }

    /// Whether the opponent can no longer refute the claim, because too few boards are left for him.
    fn is_settled(&self, state: &State) -> bool {
        let (claimant, other) = (self.claim.player, self.claim.player.other());
        let within_reach: [Option<Player>; 9] = std::array::from_fn(|board| {
            let reachable = match state.boards[board] {
                Local::Won(player) => player == other,
                Local::Drawn => false,
                Local::Undecided => crate::uttt::LINES
                    .iter()
                    .any(|line| line.iter().all(|&square| state.squares[board][square] != Some(claimant))),
            };
            reachable.then_some(other)
        });
        if crate::uttt::has_line(other, &within_reach) {
            return false;
        }
        let most = within_reach.iter().flatten().count();
        match (self.game.0, self.claim.at_least) {
            (Rule::CodinGame, 0) => most <= state.boards_won(claimant),
            (Rule::CodinGame, _) => most < state.boards_won(claimant),
            (_, at_least) => at_least == 0,
        }
    }
}

/// Everything that can still matter: the squares of playable boards, the owners, the forced board and the mover.
fn summary(game: &Uttt, state: &State) -> [u32; 11] {
    let mut summary = [0; 11];
    for board in 0..9 {
        if game.is_playable(state, board) {
            summary[board] =
                state.squares[board].iter().fold(0, |sum, square| 3 * sum + square.map_or(0, |p| 1 + p as u32));
        }
        let owner = match state.boards[board] {
            Local::Undecided => 0,
            Local::Won(player) => 1 + player as u32,
            Local::Drawn => 3,
        };
        summary[9] = 4 * summary[9] + owner;
    }
    summary[10] = 10 * (state.mover as u32) + state.forced.map_or(9, |board| board as u32);
    summary
}
