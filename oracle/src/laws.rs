//! The laws that every game must satisfy, checked on seeded random games.
//!
//! `tests/laws.rs` of a game calls what applies: [`rules`] for any game with a text form, then [`versus`], [`exact_key`] and
//! [`symmetry`] for games that implement these traits, and [`against_model`] to compare with the naive model. A violation
//! panics with the seed, the number of the game and the position, so that it can be reproduced.
//!
//! ```
//! use ninefold_oracle::{laws::{self, Plan}, tictactoe::TicTacToe};
//! let plan = Plan { seed: 1, games: 20 };
//! laws::rules(&TicTacToe, plan);
//! laws::versus(&TicTacToe, plan);
//! laws::symmetry(&TicTacToe, plan);
//! ```

use grid::{ExactKey, Game, Notation, Rng, Sym, Symmetric, Versus, mix};
use std::collections::HashMap;
use std::fmt::Write;

/// The number of random games and their seed.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed. Each game derives its own seed from it.
    pub seed: u64,
    /// Number of games.
    pub games: u32,
}

impl Plan {
    /// The plan for this machine: under emulation one twentieth of the games, at least one.
    #[must_use]
    pub fn scaled(self) -> Self {
        let emulated = std::env::var_os("NINEFOLD_EMULATED").is_some();
        if emulated { Self { games: self.games.div_ceil(20), ..self } } else { self }
    }
}

/// A naive model of a game. It exchanges only text with the fast game. See [`against_model`].
pub trait Model: Clone {
    /// Reads a position. The text comes from the fast game, so it is valid.
    fn read(text: &str) -> Self;
    /// The text of the position.
    fn write(&self) -> String;
    /// The text of every legal move, in any order.
    fn moves(&self) -> Vec<String>;
    /// The position after a legal move.
    #[must_use]
    fn play(&self, mv: &str) -> Self;
    /// The result for the first player if the game is over; `None` for games without a winner.
    fn result(&self) -> Option<i32>;
}

/// A position of a random game, with the data to report it.
struct Met<'a, G: Game> {
    game: &'a G,
    plan: Plan,
    number: u32,
    ply: u32,
    position: G::Position,
}

impl<G: Notation> Met<'_, G> {
    #[track_caller]
    fn law(&self, holds: bool, law: &str) {
        let Met { plan, number, ply, .. } = self;
        assert!(holds, "{law}\n  seed {}, game {number}, ply {ply}: {}", plan.seed, self.text());
    }

    fn text(&self) -> String {
        position_text(self.game, &self.position)
    }

    fn moves(&self) -> Vec<G::Move> {
        self.game.moves(&self.position).collect()
    }

    fn move_text(&self, mv: G::Move) -> String {
        let mut text = String::new();
        let written = self.game.write_move(&self.position, mv, &mut text);
        self.law(written.is_ok(), "a move can be written");
        text
    }
}

/// The one-line text of a position.
///
/// # Panics
/// If the game fails to write it.
pub fn position_text<G: Notation>(game: &G, position: &G::Position) -> String {
    let mut text = String::new();
    game.write_position(position, &mut text).expect("writing to a string never fails");
    text
}

/// Plays the games of the plan and passes every position to `each`, including the last.
fn play<G: Notation>(game: &G, plan: Plan, mut each: impl FnMut(&Met<'_, G>)) {
    for number in 0..plan.games {
        let mut rng = Rng::new(mix(plan.seed ^ u64::from(number)));
        let mut met = Met { game, plan, number, ply: 0, position: game.start() };
        loop {
            each(&met);
            let Some(mv) = rng.pick(game.moves(&met.position)) else { break };
            met.position = game.play_unchecked(&met.position, mv);
            met.ply += 1;
            met.law(met.ply <= G::FACTS.longest_game, "no game is longer than the longest");
        }
    }
}

/// Checks moves, play, constants, hash and notation.
///
/// # Panics
/// If a law is broken.
pub fn rules<G: Notation>(game: &G, plan: Plan) {
    let mut candidates: Vec<G::Move> = Vec::new();
    let mut rng = Rng::new(plan.seed);
    play(game, plan, |met| {
        let (position, moves) = (&met.position, met.moves());
        let generated = game.moves(position);
        met.law(generated.len() == moves.len(), "the number of moves announced is the number generated");
        met.law(moves.len() <= G::FACTS.most_moves as usize, "no position has more moves than the most");
        met.law(moves == met.moves(), "moves come in the same order each time");
        met.law(game.is_over(position) == moves.is_empty(), "a game is over exactly when nobody can move");
        for (at, mv) in moves.iter().enumerate() {
            met.law(!moves[..at].contains(mv), "no move is generated twice");
        }
        // Candidates come from this and earlier positions, so that most of them are illegal here.
        candidates.extend(&moves);
        for _ in 0..8 {
            let mv = rng.pick(candidates.iter().copied());
            let agrees = mv.is_none_or(|mv| game.is_legal(position, mv) == moves.contains(&mv));
            met.law(agrees, "a move is legal exactly when it is generated");
            let played =
                mv.and_then(|mv| game.play(position, mv).map(|next| next == game.play_unchecked(position, mv)));
            met.law(
                mv.is_none_or(|mv| played == moves.contains(&mv).then_some(true)),
                "checked play is unchecked play",
            );
        }
        candidates.truncate(4096);
        round_trip(met, &moves);
        damaged_text(met, &mut rng);
    });
}

fn round_trip<G: Notation>(met: &Met<'_, G>, moves: &[G::Move]) {
    let read = met.game.read_position(&met.text());
    met.law(read.as_ref() == Ok(&met.position), "the text of a position reads back as that position");
    let hash = read.map(|read| met.game.hash(&read));
    met.law(hash == Ok(met.game.hash(&met.position)), "a hash kept up to date is the hash computed anew");
    let mut texts: Vec<_> = moves.iter().map(|&mv| met.move_text(mv)).collect();
    for (text, mv) in texts.iter().zip(moves) {
        met.law(met.game.read_move(&met.position, text) == Ok(*mv), "the text of a move reads back as that move");
    }
    texts.sort();
    texts.dedup();
    met.law(texts.len() == moves.len(), "no two moves have the same text");
}

/// A text with one character changed or added, or cut short, is either rejected at a position inside the text or read as a
/// position that itself round-trips. It never panics.
fn damaged_text<G: Notation>(met: &Met<'_, G>, rng: &mut Rng) {
    const WRONG: [char; 12] = ['.', 'x', 'O', '0', '7', '/', ';', ' ', '@', 'é', '\0', '-'];
    let mut text: Vec<char> = met.text().chars().collect();
    let at = rng.below(text.len() as u32 + 1) as usize;
    let wrong = WRONG[rng.below(12) as usize];
    match rng.below(3) {
        0 => text.insert(at, wrong),
        1 if at < text.len() => text[at] = wrong,
        _ => text.truncate(at),
    }
    let text: String = text.into_iter().collect();
    match met.game.read_position(&text) {
        Err(fault) => met.law(fault.at <= text.len(), "a fault lies inside the text"),
        Ok(read) => {
            let again = met.game.read_position(&position_text(met.game, &read));
            met.law(again == Ok(read), "whatever can be read round-trips");
        }
    }
}

/// Checks the end of the game.
///
/// # Panics
/// If a law is broken.
pub fn versus<G: Notation + Versus>(game: &G, plan: Plan) {
    play(game, plan, |met| {
        let result = game.result(&met.position);
        met.law(result.is_some() == met.moves().is_empty(), "a game has a result exactly when nobody can move");
        met.law(result.is_none_or(|result| result.abs() <= G::BEST), "no result is better than the best");
    });
}

/// Checks that different positions have different keys.
///
/// # Panics
/// If a law is broken.
pub fn exact_key<G: Notation + ExactKey>(game: &G, plan: Plan) {
    let mut seen: HashMap<u64, G::Position> = HashMap::new();
    play(game, plan, |met| {
        let key = game.key(&met.position);
        met.law(G::KEY_BITS == 64 || key >> G::KEY_BITS == 0, "a key has no more bits than it says");
        let known = seen.entry(key).or_insert(met.position);
        met.law(*known == met.position, "equal keys mean equal positions");
    });
}

/// Checks that the symmetries act as a group, commute with the rules, and lead to one canonical form.
///
/// # Panics
/// If a law is broken.
pub fn symmetry<G: Notation + Symmetric>(game: &G, plan: Plan) {
    play(game, plan, |met| {
        let position = &met.position;
        let images = Sym::ALL.map(|sym| game.map(position, sym));
        met.law(images[0] == *position, "the identity changes nothing");
        let (least, to_least) = game.canonical(position);
        met.law(Some(&least) == images.iter().min(), "the canonical form is the least image");
        met.law(images[to_least.index()] == least, "the symmetry given leads to the canonical form");
        let moves = met.moves();
        for a in Sym::ALL {
            let image = images[a.index()];
            met.law(game.canonical(&image).0 == least, "the canonical form is the same for every image");
            for b in Sym::ALL {
                met.law(
                    game.map(&image, b) == images[a.then(b).index()],
                    "one symmetry after another is their product",
                );
            }
            let image_moves: Vec<_> = game.moves(&image).collect();
            met.law(image_moves.len() == moves.len(), "an image has as many moves");
            for &mv in &moves {
                let mapped = game.map_move(mv, a);
                met.law(image_moves.contains(&mapped), "the image of a move is a move of the image");
                let (there, here) = (game.play_unchecked(&image, mapped), game.play_unchecked(position, mv));
                met.law(there == game.map(&here, a), "playing and mapping commute");
            }
        }
    });
}

/// Checks that the symmetries preserve the mover and the result.
///
/// # Panics
/// If a law is broken.
pub fn symmetric_result<G: Notation + Symmetric + Versus>(game: &G, plan: Plan) {
    play(game, plan, |met| {
        for sym in Sym::ALL {
            let image = game.map(&met.position, sym);
            met.law(game.mover(&image) == game.mover(&met.position), "an image has the same mover");
            met.law(game.result(&image) == game.result(&met.position), "an image has the same result");
        }
    });
}

/// Checks that the fast game and its naive model agree on every move, position and result of random games.
///
/// # Panics
/// If they do not.
pub fn against_model<G: Notation, M: Model>(game: &G, plan: Plan, result: impl Fn(&G, &G::Position) -> Option<i32>) {
    for number in 0..plan.games {
        let mut rng = Rng::new(mix(plan.seed ^ u64::from(number)));
        let mut met = Met { game, plan, number, ply: 0, position: game.start() };
        let mut model = M::read(&met.text());
        loop {
            met.law(model.write() == met.text(), &format!("the naive model is at {}", model.write()));
            let moves = met.moves();
            let mut fast: Vec<_> = moves.iter().map(|&mv| met.move_text(mv)).collect();
            let mut naive = model.moves();
            fast.sort();
            naive.sort();
            let mut difference = String::new();
            let _ = write!(difference, "fast {fast:?}, naive {naive:?}");
            met.law(fast == naive, &format!("the same moves are legal: {difference}"));
            met.law(result(game, &met.position) == model.result(), "the result is the same");
            let Some(mv) = rng.pick(moves.into_iter()) else { break };
            model = model.play(&met.move_text(mv));
            met.position = game.play_unchecked(&met.position, mv);
            met.ply += 1;
        }
    }
}
