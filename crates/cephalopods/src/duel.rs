//! Mark Steere's game for two players: every die has an owner, and the full board decides the result.

use crate::{Board, LONGEST, Move, Moves, moves::MOST};
use grid::{CellSet, ExactKey, Facts, Game, Player, Sym, Symmetric, Versus, lanes, mix};

/// The winning condition on the full board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Aim {
    /// The owner of more squares wins: the original rule.
    #[default]
    Majority,
    /// The owner of more sixes wins: the rule in the contest's text.
    Sixes,
    /// The owner of more squares loses.
    Misere,
}

impl Aim {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Majority, Self::Sixes, Self::Misere];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Majority => "majority",
            Self::Sixes => "sixes",
            Self::Misere => "misere",
        }
    }

    /// The result of a full board for the owner of `ours`: 1 win, 0 draw, -1 loss.
    #[inline]
    #[must_use]
    pub const fn judge(self, board: Board, ours: CellSet) -> i32 {
        let counted = match self {
            Self::Majority | Self::Misere => CellSet::ALL,
            // The lanes whose xor with six is zero.
            Self::Sixes => lanes::cells_of::<3>(lanes::zero_mask::<3>(board.bits() as u64 ^ 0o666_666_666)),
        };
        let us = (ours.bits() & counted.bits()).count_ones() as i32;
        let lead = (2 * us - counted.len() as i32).signum();
        if matches!(self, Self::Misere) { -lead } else { lead }
    }
}

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duel {
    /// The winning condition.
    pub aim: Aim,
}

/// A position: the board, the owner of each die, and the side to move.
///
/// ```text
/// board   27 bits, see Board
/// first   9 bits: the dice of the first player, a subset of the occupied cells
/// mover   the side to move
/// ```
///
/// ```
/// use grid::{Notation, Player};
/// use ninefold_cephalopods::Duel;
/// let stand = Duel::default().read_position("1.b.6....:B").unwrap();
/// assert_eq!((stand.board().to_string(), stand.first().len()), ("102060000".into(), 2));
/// assert_eq!(stand.mover(), Player::Second);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DuelPosition {
    board: Board,
    first: CellSet,
    mover: Player,
}

const _: () = assert!(size_of::<DuelPosition>() == 8);

impl DuelPosition {
    /// The position with these parts. Dice outside `first` belong to the second player.
    #[must_use]
    pub fn new(board: Board, first: CellSet, mover: Player) -> Self {
        Self { board, first: first & board.occupied(), mover }
    }

    /// The dice.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The cells of the first player.
    #[inline]
    #[must_use]
    pub const fn first(&self) -> CellSet {
        self.first
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// The cells of the side to move.
    #[inline]
    #[must_use]
    pub fn ours(&self) -> CellSet {
        match self.mover {
            Player::First => self.first,
            Player::Second => self.board.occupied() - self.first,
        }
    }
}

impl Game for Duel {
    type Position = DuelPosition;
    type Move = Move;
    type Moves = Moves;

    const FACTS: Facts = Facts { name: "Cephalopod", longest_game: LONGEST, most_moves: MOST as u32 };

    fn start(&self) -> DuelPosition {
        DuelPosition { board: Board::EMPTY, first: CellSet::EMPTY, mover: Player::First }
    }

    #[inline]
    fn moves(&self, stand: &DuelPosition) -> Moves {
        Moves::of(stand.board)
    }

    #[inline]
    fn play_unchecked(&self, stand: &DuelPosition, mv: Move) -> DuelPosition {
        let kept = stand.first - mv.captured();
        let first = match stand.mover {
            Player::First => kept.with(mv.cell()),
            Player::Second => kept.without(mv.cell()),
        };
        DuelPosition { board: mv.played(stand.board), first, mover: stand.mover.other() }
    }

    #[inline]
    fn hash(&self, stand: &DuelPosition) -> u64 {
        mix(self.key(stand))
    }

    #[inline]
    fn is_over(&self, stand: &DuelPosition) -> bool {
        stand.board.is_full()
    }
}

impl Versus for Duel {
    const BEST: i32 = 1;

    #[inline]
    fn mover(&self, stand: &DuelPosition) -> Player {
        stand.mover
    }

    #[inline]
    fn result(&self, stand: &DuelPosition) -> Option<i32> {
        stand.board.is_full().then(|| self.aim.judge(stand.board, stand.first))
    }
}

impl ExactKey for Duel {
    const KEY_BITS: u32 = 37;

    #[inline]
    fn key(&self, stand: &DuelPosition) -> u64 {
        u64::from(stand.board.bits()) | (stand.first.bits() as u64) << 27 | (stand.mover as u64) << 36
    }
}

impl Symmetric for Duel {
    #[inline]
    fn map(&self, stand: &DuelPosition, sym: Sym) -> DuelPosition {
        DuelPosition { board: stand.board.map(sym), first: sym.set(stand.first), mover: stand.mover }
    }

    #[inline]
    fn map_move(&self, mv: Move, sym: Sym) -> Move {
        Move::new(sym.cell(mv.cell()), sym.set(mv.captured()))
    }
}
