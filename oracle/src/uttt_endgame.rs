//! Endgames of Ultimate Tic-Tac-Toe by exhaustive search on the naive rules: fast enough for tens of thousands.
//!
//! It has only two shortcuts: a mover who has found a win stops searching, and a position is searched only once. Every value
//! comes from the end of the game.

use crate::uttt::{Local, State, Uttt};
use grid::{Player, Versus, mix};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The values of an endgame and of all positions after it.
pub struct Endgame {
    game: Uttt,
    root: State,
    /// `numbers[board][square]`: a number for each square that is empty at the root.
    numbers: [[u32; 9]; 9],
    known: HashMap<u64, i8, BuildHasherDefault<Mixer>>,
}

/// Hashes the exact key of a position.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers")
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(number);
    }
}

impl Endgame {
    /// The endgame that starts at this position.
    ///
    /// # Panics
    /// If more than 21 squares may still be marked.
    pub fn new(game: Uttt, root: State) -> Self {
        let mut numbers = [[0; 9]; 9];
        let mut count = 0;
        for board in (0..9).filter(|&board| game.is_playable(&root, board)) {
            for square in (0..9).filter(|&square| root.squares[board][square].is_none()) {
                numbers[board][square] = count;
                count += 1;
            }
        }
        assert!(count <= 21, "{count} empty squares are too many for a number of 64 bits");
        Self { game, root, numbers, known: HashMap::default() }
    }

    /// The value for the side to move: 1 win, 0 draw, -1 loss.
    pub fn value(&mut self) -> i32 {
        self.value_of(&self.root.clone(), 0).into()
    }

    /// Every legal move with its value for the side to move.
    pub fn moves(&mut self) -> Vec<((usize, usize), i32)> {
        let root = self.root;
        let moves = self.game.legal(&root).into_iter();
        moves.map(|(board, square)| ((board, square), self.after(&root, 0, board, square).into())).collect()
    }

    /// The value of a move for the player who makes it.
    fn after(&mut self, state: &State, marks: u64, board: usize, square: usize) -> i8 {
        let mark = (state.mover as u64 + 1) << (2 * self.numbers[board][square]);
        -self.value_of(&self.game.after(state, board, square), marks + mark)
    }

    /// `marks`: the marks made since the root, two bits per square. With the forced board and the won boards they identify the
    /// position.
    fn value_of(&mut self, state: &State, marks: u64) -> i8 {
        if let Some(result) = self.game.result(state) {
            return (result * state.mover.sign()) as i8;
        }
        let winners =
            state.boards.iter().fold(0, |set, board| set * 2 + u64::from(*board == Local::Won(Player::First)));
        let key = marks | winners << 42 | (state.forced.unwrap_or(9) as u64) << 51;
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mut best = -1;
        'search: for board in 0..9 {
            if state.forced.is_some_and(|forced| forced != board) || !self.game.is_playable(state, board) {
                continue;
            }
            for square in 0..9 {
                if state.squares[board][square].is_none() {
                    best = best.max(self.after(state, marks, board, square));
                    if best == 1 {
                        break 'search;
                    }
                }
            }
        }
        self.known.insert(key, best);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uttt::Rule;
    use grid::{Game, Rng};

    /// Compares with plain minimax on short endgames.
    #[test]
    fn short_endgames_have_the_value_of_their_definition() {
        for rule in [Rule::Standard, Rule::CodinGame, Rule::Open] {
            let game = Uttt(rule);
            let mut tried = 0;
            for seed in 0..150 {
                let mut rng = Rng::new(seed);
                let mut state = game.start();
                let few = |state: &State| {
                    let playable = (0..9).filter(|&board| game.is_playable(state, board));
                    playable.flat_map(|board| state.squares[board]).filter(Option::is_none).count() <= 9
                };
                while !few(&state)
                    && let Some(mv) = rng.pick(game.moves(&state))
                {
                    state = game.play_unchecked(&state, mv);
                }
                if game.is_over(&state) {
                    continue;
                }
                tried += 1;
                let mut endgame = Endgame::new(game, state);
                assert_eq!(endgame.value(), game.value(&state), "{rule:?} seed {seed}");
                for ((board, square), value) in endgame.moves() {
                    assert_eq!(value, -game.value(&game.after(&state, board, square)), "{rule:?} seed {seed}");
                }
            }
            assert!(tried > 20, "{rule:?}: {tried} short endgames");
        }
    }
}
