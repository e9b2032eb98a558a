//! Hash keys of equivalent positions: positions with the same continuations and results get the same key.
//!
//! # A local board
//!
//! What happens in an open board from now on depends on three things: its empty squares, and for each player the squares that
//! would complete a line. A line with a stone of the other player is dead. A live line still needs its empty squares, and no
//! more than these count: who owns a stone that lies on no live line is forgotten. Of two live lines of one player, one that
//! needs all squares of the other and more is never completed first, so it does not count either.
//!
//! ```text
//! X O X     O X O
//! . . .  ~  . . .    the same empty squares, and only the middle row is alive, for both players
//! O X O     X O X
//! ```
//!
//! So a class is the set of empty squares and two sets of live lines. The 11,093 open boards have **8,626** classes; the test
//! plays every continuation of every board and compares.
//!
//! # The decided boards
//!
//! A won board counts only while some line through it can still be completed, that is while all three boards of the line
//! are live for its owner. Otherwise it is the same as a drawn one. That holds unless boards are counted at the end.
//!
//! # The price
//!
//! The key of a board is two look-ups, and a move changes one board. Against the hash of [`Position`](crate::Position),
//! which keeps every stone of an open board, the solver visits a tenth fewer positions (`bench/LOG.md`).

use crate::kernel::Lanes;
use crate::{Move, Rule};
use grid::{Cell, CellSet, LINES, mix};

/// A set of squares as a number with a digit of base three per square: 0 or 1.
static TERNARY: [u16; 512] = {
    let mut table = [0; 512];
    let mut set = 1;
    while set < 512_usize {
        let lowest = set.trailing_zeros();
        table[set] = table[set & (set - 1)] + 3_u16.pow(lowest);
        set += 1;
    }
    table
};

/// The number of a local board by its stones: a digit of base three per square, 1 for the first set, 2 for the second. Below
/// 3^9, and different for all pairs of disjoint sets.
#[inline(always)]
#[must_use]
pub fn board_number(first: CellSet, second: CellSet) -> usize {
    usize::from(TERNARY[first.index()] + 2 * TERNARY[second.index()])
}

const BOARDS: usize = 19_683;

/// The hash keys of the classes, by the digits of a board: 0 empty, 1 first player, 2 second player.
static KEYS: [u64; BOARDS] = {
    let mut table = [0; BOARDS];
    let mut first = 0;
    while first < 512_usize {
        // The subsets of the squares that are left.
        let left = 0x1ff & !first;
        let mut second = left;
        loop {
            let class = class(first as u16, second as u16);
            table[TERNARY[first] as usize + 2 * TERNARY[second] as usize] = mix(0x636c_6173_7300_0000 + class as u64);
            if second == 0 {
                break;
            }
            second = (second - 1) & left;
        }
        first += 1;
    }
    table
};

/// The class of a board as a number: the empty squares, the live lines of the first player, those of the second.
const fn class(first: u16, second: u16) -> u32 {
    (!(first | second) & 0x1ff) as u32 | live_lines(first, second) << 9 | live_lines(second, first) << 17
}

/// The lines as plain numbers: a call per use would take the compiler seconds.
const MASKS: [u16; 8] = {
    let mut masks = [0; 8];
    let mut number = 0;
    while number < 8 {
        masks[number] = LINES[number].bits();
        number += 1;
    }
    masks
};

/// The lines that a player can still complete, without those that need more than another one does. Of all lines that need
/// the same squares, dead ones included, the first stands for them.
const fn live_lines(ours: u16, theirs: u16) -> u32 {
    let empty = !(ours | theirs) & 0x1ff;
    let mut lines = 0;
    let mut number = 0;
    while number < 8 {
        if MASKS[number] & theirs == 0 {
            let needed = MASKS[number] & empty;
            let (mut least, mut first) = (true, number);
            let mut other = 8;
            while other > 0 {
                other -= 1;
                let less = MASKS[other] & empty;
                least &= MASKS[other] & theirs != 0 || less & needed != less || less == needed;
                if less == needed {
                    first = other;
                }
            }
            lines |= (least as u32) << first;
        }
        number += 1;
    }
    lines
}

/// For each set of boards, those that lie on a line within it.
static ON_A_LINE: [u16; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512_u16 {
        let mut number = 0;
        while number < 8 {
            if set & MASKS[number] == MASKS[number] {
                table[set as usize] |= MASKS[number];
            }
            number += 1;
        }
        set += 1;
    }
    table
};

/// For each set of boards, how many lines lie within it.
static LINE_COUNT: [u8; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512_u16 {
        let mut number = 0;
        while number < 8 {
            table[set as usize] += (set & MASKS[number] == MASKS[number]) as u8;
            number += 1;
        }
        set += 1;
    }
    table
};

impl Lanes {
    /// The key of an open board's class.
    #[inline(always)]
    fn class_key<R: Rule>(&self, board: Cell) -> u64 {
        let [first, second] = [0, 1].map(|player| self.stones(player, board));
        let turn = 7 * board.index() as u32;
        if R::WON_BOARDS_STAY_OPEN && (self.won(0) | self.won(1)).contains(board) {
            // Only the empty squares of a decided board matter.
            return mix(0x6f70_656e_0000 + u64::from((!(first | second)).bits())).rotate_left(turn);
        }
        KEYS[board_number(first, second)].rotate_left(turn)
    }

    /// The part of the key that a move changes in one board only: the classes of the open boards.
    #[must_use]
    pub fn open_key<R: Rule>(&self) -> u64 {
        self.open().into_iter().fold(0, |key, board| key ^ self.class_key::<R>(board))
    }

    /// The same without one of the open boards, given the whole.
    #[inline(always)]
    #[must_use]
    pub fn open_key_without<R: Rule>(&self, open_key: u64, board: Cell) -> u64 {
        open_key ^ self.class_key::<R>(board)
    }

    /// The same after a move in `board`, given the key without this board. `self` is the position after the move.
    #[inline(always)]
    #[must_use]
    pub fn open_key_with<R: Rule>(&self, without: u64, board: Cell) -> u64 {
        if self.open().contains(board) { without ^ self.class_key::<R>(board) } else { without }
    }

    /// The key of the position, given that of its open boards. Equivalent positions have the same key.
    #[inline(always)]
    #[must_use]
    pub fn key_of_class<R: Rule>(&self, open_key: u64) -> u64 {
        let won = [0, 1].map(|player| {
            let counts = if R::MORE_BOARDS_WIN { 0x1ff } else { ON_A_LINE[self.alive(player).index()] };
            u64::from(self.won(player).bits() & counts)
        });
        let (open, playable) = (u64::from(self.open().bits()), u64::from(self.playable().bits()));
        let boards = won[0] | won[1] << 9 | open << 18 | playable << 27;
        open_key ^ mix(boards | (self.mover() as u64) << 36)
    }

    /// How many global lines the player can still complete.
    #[inline(always)]
    #[must_use]
    pub fn live_lines(&self, player: usize) -> u32 {
        u32::from(LINE_COUNT[self.alive(player).index()])
    }

    /// The position after a legal move, with the live boards but with the hash of the position before: for searches that use
    /// [`key_of_class`](Self::key_of_class) instead.
    #[inline(always)]
    #[must_use]
    pub fn after_without_hash<R: Rule>(&self, mv: Move) -> Self {
        if self.closing_squares::<R>(mv.board()).contains(mv.square()) {
            let mut next = *self;
            next.advance::<R, true, false>(mv.board().index(), mv.square().index());
            return next;
        }
        self.after_quiet::<R, true, false>(mv.board().index(), mv.square().index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodinGame, Open, Position, Standard, Uttt};
    use grid::{Game, Rng};
    use std::collections::HashMap;
    use std::{vec, vec::Vec};

    type Pair = [CellSet; 2];

    fn pairs() -> impl Iterator<Item = Pair> {
        let sets = || (0..512).map(CellSet::from_bits);
        sets().flat_map(move |first| sets().map(move |second| [first, second])).filter(|[x, o]| (*x & *o).is_empty())
    }

    fn is_open(pair: &Pair) -> bool {
        !pair[0].has_line_scalar() && !pair[1].has_line_scalar() && (pair[0] | pair[1]) != CellSet::ALL
    }

    /// The number of a board's future, by trying everything: both players may mark any empty square in any order. Boards
    /// have the same number exactly if every continuation is legal in both and ends in the same state.
    fn future(pair: Pair, known: &mut HashMap<Pair, usize>, futures: &mut HashMap<Vec<usize>, usize>) -> usize {
        if let Some(&number) = known.get(&pair) {
            return number;
        }
        let description = if is_open(&pair) {
            let mut after = Vec::new();
            for square in Cell::ALL {
                for player in 0..2 {
                    let mut next = pair;
                    next[player] = pair[player].with(square);
                    let free = !(pair[0] | pair[1]).contains(square);
                    // Numbers of futures begin at 1.
                    after.push(if free { future(next, known, futures) } else { 0 });
                }
            }
            after
        } else {
            vec![usize::from(pair[0].has_line_scalar()) + 2 * usize::from(pair[1].has_line_scalar())]
        };
        let next_number = futures.len() + 1;
        let number = *futures.entry(description).or_insert(next_number);
        known.insert(pair, number);
        number
    }

    /// Two open boards have the same class exactly if they have the same future.
    #[test]
    fn the_classes_are_the_futures_of_a_board() {
        let (mut known, mut futures) = (HashMap::new(), HashMap::new());
        let (mut class_of_future, mut future_of_class) = (HashMap::new(), HashMap::new());
        let mut boards = 0;
        for pair in pairs().filter(is_open) {
            let class = class(pair[0].bits(), pair[1].bits());
            let future = future(pair, &mut known, &mut futures);
            assert_eq!(*class_of_future.entry(future).or_insert(class), class, "same future, another class: {pair:?}");
            assert_eq!(*future_of_class.entry(class).or_insert(future), future, "same class, another future: {pair:?}");
            boards += 1;
        }
        assert_eq!((boards, class_of_future.len()), (11_093, 8_626));
    }

    #[test]
    fn the_keys_tell_the_classes_apart() {
        let mut classes = HashMap::new();
        for [first, second] in pairs() {
            let key = KEYS[board_number(first, second)];
            let class = class(first.bits(), second.bits());
            assert_eq!(*classes.entry(key).or_insert(class), class);
        }
    }

    /// The key kept move by move is the key computed anew, and apart from the hash both ways of playing a move agree.
    fn keys_are_kept<R: Rule>(seed: u64) {
        let (game, mut rng) = (Uttt::<R>::default(), Rng::new(seed));
        for _ in 0..300 {
            let mut position: Position = game.start();
            let mut lanes = Lanes::new::<R>(&position);
            let mut open_key = lanes.open_key::<R>();
            while let Some(mv) = rng.pick(position.moves::<R>()) {
                let next = lanes.after_without_hash::<R>(mv);
                open_key = next.open_key_with::<R>(lanes.open_key_without::<R>(open_key, mv.board()), mv.board());
                position = game.play_unchecked(&position, mv);
                let mut anew = Lanes::new::<R>(&position);
                assert_eq!(open_key, anew.open_key::<R>(), "{position:?}");
                anew.hash = next.hash;
                assert_eq!(next, anew, "{position:?}");
                lanes = next;
            }
        }
    }

    #[test]
    fn keys_kept_move_by_move_are_right() {
        keys_are_kept::<Standard>(1);
        keys_are_kept::<CodinGame>(2);
        keys_are_kept::<Open>(3);
    }

    #[test]
    fn live_lines_are_counted() {
        for set in 0..512 {
            let set = CellSet::from_bits(set);
            let within: Vec<CellSet> = LINES.into_iter().filter(|&line| line & set == line).collect();
            assert_eq!(usize::from(LINE_COUNT[set.index()]), within.len());
            assert_eq!(ON_A_LINE[set.index()], within.iter().fold(0, |all, line| all | line.bits()));
        }
    }
}
