//! Mark Steere's game for two: every die has an owner, and the board decides when it is full.

use crate::{Board, LONGEST, Move, Moves, moves::MOST};
use grid::{CellSet, ExactKey, Facts, Game, Player, Sym, Symmetric, Versus, lanes, mix};

/// How the full board is judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Aim {
    /// Who owns most squares wins: the original rule.
    #[default]
    Majority,
    /// Who owns most dice that show six wins: what the contest's text says.
    Sixes,
    /// Who owns most squares loses.
    Misere,
}

impl Aim {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Majority, Self::Sixes, Self::Misere];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Majority => "majority",
            Self::Sixes => "sixes",
            Self::Misere => "misere",
        }
    }

    /// What a full board is worth to the owner of `ours`: 1 won, 0 drawn, -1 lost.
    #[inline]
    #[must_use]
    pub const fn judge(self, board: Board, ours: CellSet) -> i32 {
        let counted = match self {
            Self::Majority | Self::Misere => CellSet::ALL,
            // The lanes in which nothing differs from six.
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
    /// How the full board is judged.
    pub aim: Aim,
}

/// A position: the board, who owns each die, and who moves.
///
/// ```text
/// board   27 bits, see Board
/// first   9 bits: the dice of the first player, a subset of the occupied cells
/// mover   who moves next
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
pub struct Stand {
    board: Board,
    first: CellSet,
    mover: Player,
}

const _: () = assert!(size_of::<Stand>() == 8);

impl Stand {
    /// The position of those parts; dice that nobody of `first` owns are the second player's.
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

    /// Who moves next.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// The cells of the player to move.
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
    type Position = Stand;
    type Move = Move;
    type Moves = Moves;

    const FACTS: Facts = Facts { name: "Cephalopod", longest_game: LONGEST, most_moves: MOST as u32 };

    fn start(&self) -> Stand {
        Stand { board: Board::EMPTY, first: CellSet::EMPTY, mover: Player::First }
    }

    #[inline]
    fn moves(&self, stand: &Stand) -> Moves {
        Moves::of(stand.board)
    }

    #[inline]
    fn play_unchecked(&self, stand: &Stand, mv: Move) -> Stand {
        let kept = stand.first - mv.captured();
        let first = match stand.mover {
            Player::First => kept.with(mv.cell()),
            Player::Second => kept.without(mv.cell()),
        };
        Stand { board: mv.played(stand.board), first, mover: stand.mover.other() }
    }

    #[inline]
    fn hash(&self, stand: &Stand) -> u64 {
        mix(self.key(stand))
    }

    #[inline]
    fn is_over(&self, stand: &Stand) -> bool {
        stand.board.is_full()
    }
}

impl Versus for Duel {
    const BEST: i32 = 1;

    #[inline]
    fn mover(&self, stand: &Stand) -> Player {
        stand.mover
    }

    #[inline]
    fn result(&self, stand: &Stand) -> Option<i32> {
        stand.board.is_full().then(|| self.aim.judge(stand.board, stand.first))
    }
}

impl ExactKey for Duel {
    const KEY_BITS: u32 = 37;

    #[inline]
    fn key(&self, stand: &Stand) -> u64 {
        u64::from(stand.board.bits()) | (stand.first.bits() as u64) << 27 | (stand.mover as u64) << 36
    }
}

impl Symmetric for Duel {
    #[inline]
    fn map(&self, stand: &Stand, sym: Sym) -> Stand {
        Stand { board: stand.board.map(sym), first: sym.set(stand.first), mover: stand.mover }
    }

    #[inline]
    fn map_move(&self, mv: Move, sym: Sym) -> Move {
        Move::new(sym.cell(mv.cell()), sym.set(mv.captured()))
    }
}
