//! Explains a move: every capture with its cause, in the order in which the game makes them.

use crate::Deal;
use crate::card::rank_symbol;
use crate::kernel::scalar::{Board, Witness};
use crate::moves::Move;
use crate::position::Position;
use core::fmt;
use grid::{Cell, Direction};

/// Why a card was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// By Same: the equal rank of each matching direction. A direction without a neighbour is the wall.
    Same {
        /// By direction: up, right, down, left.
        equal: [Option<i8>; 4],
    },
    /// By Plus: the sum, and the directions that share it.
    Plus {
        /// My rank plus the facing rank.
        sum: i8,
        /// Up, right, down, left.
        directions: [bool; 4],
    },
    /// By the comparison of the placed card with its neighbour.
    Basic {
        /// The direction of the neighbour.
        direction: Direction,
        /// My rank, including the element bonus.
        mine: i8,
        /// The facing rank.
        theirs: i8,
    },
    /// By a card that was captured earlier in the same turn.
    Combo {
        /// The cell of that card.
        from: Cell,
        /// Its rank.
        mine: i8,
        /// The facing rank.
        theirs: i8,
    },
}

const WORDS: [&str; 4] = ["up", "right", "down", "left"];

struct Symbol(i8);

impl fmt::Display for Symbol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1..=10 => fmt::Write::write_char(out, rank_symbol(self.0 as u8)),
            rank => write!(out, "{rank}"),
        }
    }
}

fn compared(mine: i8, theirs: i8) -> impl fmt::Display {
    struct Compared(i8, i8);
    impl fmt::Display for Compared {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            let sign = if self.0 > self.1 { '>' } else { '<' };
            write!(out, "{}{sign}{}", Symbol(self.0), Symbol(self.1))
        }
    }
    Compared(mine, theirs)
}

impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same { equal } => {
                out.write_str("Same")?;
                let mut before = None;
                for (direction, rank) in equal.iter().enumerate() {
                    let Some(rank) = rank else { continue };
                    let separator = if before.is_some() { "," } else { "" };
                    if before == Some(*rank) {
                        write!(out, "{separator} {}", WORDS[direction])?;
                    } else {
                        write!(out, "{separator} {0}={0} {1}", Symbol(*rank), WORDS[direction])?;
                    }
                    before = Some(*rank);
                }
                Ok(())
            }
            Self::Plus { sum, directions } => {
                write!(out, "Plus {sum}")?;
                let mut separator = "";
                for (word, _) in WORDS.iter().zip(directions).filter(|(_, there)| **there) {
                    write!(out, "{separator} {word}")?;
                    separator = ",";
                }
                Ok(())
            }
            Self::Basic { direction, mine, theirs } => {
                write!(out, "{} {}", compared(*mine, *theirs), WORDS[*direction as usize])
            }
            Self::Combo { from, mine, theirs } => write!(out, "Combo from cell {from}, {}", compared(*mine, *theirs)),
        }
    }
}

/// A card that changed hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flip {
    /// The cell of the card.
    pub cell: Cell,
    /// Why it was captured.
    pub cause: Cause,
}

/// The flips of one move, at most eight.
#[derive(Clone, Copy, Debug)]
pub struct Flips {
    flips: [Option<Flip>; 8],
}

impl Flips {
    /// The flips in order.
    pub fn iter(&self) -> impl Iterator<Item = Flip> {
        self.flips.iter().flatten().copied()
    }
}

impl Witness for Flips {
    fn taken(&mut self, cell: Cell, cause: Cause) {
        if let Some(free) = self.flips.iter_mut().find(|flip| flip.is_none()) {
            *free = Some(Flip { cell, cause });
        }
    }
}

/// Every flip of a move with its cause. The move must be legal.
///
/// ```
/// use grid::{Cell, Game};
/// use ninefold_triad::{Card, Deal, Edition, Move, Rules, Setup, explain};
/// let hand = |cards: [&str; 5]| cards.map(|card| Card::read(card, Edition::Ff8).unwrap());
/// let rules = Rules::read("same", Edition::Ff8).unwrap();
/// let (a, b) = (["1171", "7117", "1111", "1111", "1111"], ["1711", "1111", "1111", "1111", "1111"]);
/// let deal = Deal::new(&Setup::new(rules, hand(a), hand(b))).unwrap();
/// let moves = [Move::new(0, Cell::at(0, 1)), Move::new(5, Cell::at(1, 0))];
/// let position = moves.iter().fold(deal.start(), |position, mv| deal.play_unchecked(&position, *mv));
/// let flips = explain::explain(&deal, &position, Move::new(1, Cell::CENTRE));
/// let flip = flips.iter().next().unwrap();
/// assert_eq!(flip.cell, Cell::at(1, 0));
/// assert_eq!(flip.cause.to_string(), "Same 7=7 up, left");
/// ```
#[must_use]
pub fn explain(deal: &Deal, position: &Position, mv: Move) -> Flips {
    let mut flips = Flips { flips: [None; 8] };
    Board::new(deal, position).place(mv, deal.turn(position), &mut flips);
    flips
}
