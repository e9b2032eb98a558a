//! A position as the searches see it, and the board on which they play and undo moves.

use super::beliefs::{Belief, Beliefs};
use super::deal::{HiddenDeal, Side};
use super::last_three::bits;
use super::position::{HiddenPosition, MINE, THEIRS};
use super::replays::Replays;
use ::search::{Meter, Stop};
use grid::{Cell, CellSet, Direction};
use triad::kernel::fast::{Board, Rank};
use triad::{HAND, Move};

/// Everything about a position that changes from ply to ply, but for the board.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The nine cells, four bits each.
    cells: u64,
    /// The cards that I own, those in my hand included.
    pub(super) own: u16,
    /// The cards in my hand.
    hand: u16,
    /// The number of the belief.
    pub(super) belief: u16,
    /// The counters of Ascension and Descension.
    level: u16,
    pub(super) free: CellSet,
}

impl Node {
    pub(super) fn new(deal: &HiddenDeal, position: &HiddenPosition) -> Self {
        Self {
            cells: position.cells(),
            own: position.own(),
            hand: MINE & !position.lying(),
            belief: 0,
            level: deal.level(position),
            free: position.free(),
        }
    }

    /// The number of empty cells.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.free.len()
    }

    /// The cards on the board, as bits.
    pub(super) fn lying(&self) -> u16 {
        let card = |cell: usize| 1u16 << (self.cells >> (4 * cell) & 15);
        (0..9).fold(0, |cards, cell| cards | card(cell)) & (MINE | THEIRS)
    }

    /// An exact key of 61 bits: cells, owners, belief.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.cells | u64::from(self.own) << 36 | u64::from(self.belief) << 51
    }
}

/// A move with the cards it captures and its priority, sorted by priority.
///
/// ```text
/// bits  0..16  the captured cards    16..24  the move    24..32  priority
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate(u32);

impl Candidate {
    const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn mv(self) -> Move {
        Move::new((self.0 >> 20 & 15) as u8, Cell::ALL[(self.0 >> 16 & 15) as usize])
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u8 {
        (self.0 >> 16) as u8
    }

    #[inline(always)]
    pub(super) fn flips(self) -> u16 {
        self.0 as u16
    }
}

/// The moves of a node: at most ten cards on nine cells.
pub(super) struct Candidates {
    list: [Candidate; 90],
    count: usize,
}

impl Candidates {
    pub(super) fn as_slice(&self) -> &[Candidate] {
        &self.list[..self.count]
    }
}

/// A priority above that of every other move, for the move that was best before.
const FIRST: u32 = 255;

/// The board of a search, with what every search needs. `SPECIAL`: Same or Plus is on.
pub(super) struct Table<'a, const SPECIAL: bool> {
    pub(super) deal: &'a HiddenDeal,
    pub(super) beliefs: &'a Beliefs,
    board: Board,
    pub(super) meter: Meter<'a>,
    /// Whether I move when the number of empty cells is odd.
    first: bool,
    /// Whether I play in order.
    ordered: bool,
    /// Whether Chaos draws my cards.
    pub(super) drawn: bool,
    /// Whether the last three cards can be played as [`LastThree`](super::last_three::LastThree): nobody plays in order,
    /// ranks do not change during the game, and draws are not replayed.
    pub(super) at_once: bool,
    /// If draws are replayed.
    pub(super) replays: Option<&'a Replays<'a>>,
    danger: &'a Danger,
}

impl<'a, const SPECIAL: bool> Table<'a, SPECIAL> {
    pub(super) fn new(
        deal: &'a HiddenDeal,
        position: &HiddenPosition,
        beliefs: &'a Beliefs,
        danger: &'a Danger,
        replays: Option<&'a Replays<'a>>,
        meter: Meter<'a>,
    ) -> Self {
        let ordered = deal.is_ordered(Side::Me);
        Self {
            deal,
            beliefs,
            board: Board::of(|cell| position.card_at(cell)),
            meter,
            first: deal.setup().first == Side::Me,
            ordered,
            drawn: deal.is_drawn(Side::Me),
            at_once: !deal.is_changing() && !ordered && !deal.is_ordered(Side::Opponent) && replays.is_none(),
            replays,
            danger,
        }
    }

    /// Why the search stopped, if it did.
    pub(super) fn stopped_by(&self) -> Option<Stop> {
        self.meter.stopped_by()
    }

    /// Whether I am to move.
    #[inline(always)]
    pub(super) fn is_mine(&self, node: &Node) -> bool {
        (node.left() & 1 == 1) == self.first
    }

    #[inline(always)]
    pub(super) fn belief(&self, node: &Node) -> &'a Belief {
        self.beliefs.get(node.belief)
    }

    /// Between how many cards the opponent chooses when this many cells are empty and he is to move.
    pub(super) fn choices(&self, left: usize) -> usize {
        // Who plays first also plays last and then has no choice; the other keeps a card.
        if self.deal.is_ordered(Side::Opponent) { 1 } else { (left + 1 + usize::from(self.first)) / 2 }
    }

    /// From how many cards Chaos draws when this many cells are empty and I am to move; 1 if nothing is drawn.
    pub(super) fn draws(&self, left: usize) -> usize {
        if self.drawn { (left + 1 + usize::from(!self.first)) / 2 } else { 1 }
    }

    /// The cards of a set one by one if each may be drawn, or all of them together.
    #[inline(always)]
    pub(super) fn groups(cards: u16, one_by_one: bool) -> impl Iterator<Item = u16> + use<SPECIAL> {
        let mut left = cards;
        std::iter::from_fn(move || {
            let group = if one_by_one { left & left.wrapping_neg() } else { left };
            left ^= group;
            (group != 0).then_some(group)
        })
    }

    /// The moves of these cards, in the order of the rules.
    #[inline(always)]
    pub(super) fn moves(node: &Node, cards: u16) -> impl Iterator<Item = Move> + use<SPECIAL> {
        let free = node.free;
        bits(cards).flat_map(move |card| free.into_iter().map(move |cell| Move::new(card, cell)))
    }

    /// The node after a move. The board is changed by [`lay`](Self::lay).
    #[inline(always)]
    pub(super) fn next(&self, node: &Node, mv: Move, is_mine: bool) -> Node {
        self.after(node, mv, self.flips(node, mv, is_mine), is_mine)
    }

    /// The worlds in which I do not reach the target at the end: 6 cards win, 5 draw.
    pub(super) fn falls_short(&mut self, end: &Node, target: u32) -> u64 {
        let worlds = self.belief(end).worlds;
        match (end.own.count_ones(), self.replays) {
            (5, Some(replays)) => replays.below(end.own, worlds, target, &mut self.meter),
            (own, _) if own >= target => 0,
            _ => worlds,
        }
    }

    /// The cards that the mover may play, as bits.
    #[inline(always)]
    pub(super) fn playable(&self, node: &Node, is_mine: bool) -> u16 {
        if !is_mine {
            self.belief(node).playable
        } else if self.ordered {
            node.hand & node.hand.wrapping_neg()
        } else {
            node.hand
        }
    }

    /// The cards that a move captures.
    #[inline(always)]
    pub(super) fn flips(&self, node: &Node, mv: Move, is_mine: bool) -> u16 {
        let rank = Rank::of(self.deal.tables(), node.level);
        if SPECIAL {
            self.flips_of(&rank, mv, node.own, is_mine)
        } else {
            rank.takes(&self.board, mv, if is_mine { !node.own & (MINE | THEIRS) } else { node.own })
        }
    }

    /// The captures, if ranks do not change during the game.
    #[inline(always)]
    pub(super) fn rank(&self) -> Rank<'a> {
        Rank::of(self.deal.tables(), 0)
    }

    /// The cards that a move beats by the basic rule, whoever owns them.
    #[inline(always)]
    pub(super) fn takes(&self, rank: &Rank<'_>, mv: Move) -> u16 {
        rank.takes(&self.board, mv, MINE | THEIRS)
    }

    /// The neighbours of a cell on the board.
    #[inline(always)]
    pub(super) fn neighbours(&self, cell: Cell) -> u64 {
        self.board.neighbours(cell)
    }

    /// The cards for which Same or Plus may fire on a cell.
    #[inline(always)]
    pub(super) fn fires(&self, cell: Cell) -> u16 {
        self.deal.firing().map_or(u16::MAX, |firing| firing.cards(self.board.neighbours(cell)))
    }

    /// The cards that a move captures under all rules.
    #[inline(never)]
    pub(super) fn flips_of(&self, rank: &Rank<'_>, mv: Move, own: u16, is_mine: bool) -> u16 {
        let enemy = if is_mine { !own & (MINE | THEIRS) } else { own };
        rank.flips(self.deal.special(), &self.board, mv, self.board.neighbours(mv.cell()), enemy)
    }

    /// The node after a move that captures `flips`. The board is changed by [`lay`](Self::lay).
    #[inline(always)]
    pub(super) fn after(&self, node: &Node, mv: Move, flips: u16, is_mine: bool) -> Node {
        let (card, cell) = (mv.card(), mv.cell());
        Node {
            // An empty cell is 15, so subtracting what is missing leaves the card.
            cells: node.cells - (u64::from(15 - card) << (4 * cell.index())),
            own: node.own ^ flips,
            hand: node.hand & !(1 << card),
            belief: if is_mine { node.belief } else { self.belief(node).after(card) },
            level: node.level + self.deal.tables().step(card),
            free: node.free.without(cell),
        }
    }

    /// Plays a move for good.
    pub(super) fn play(&mut self, node: &Node, mv: Move, is_mine: bool) -> Node {
        let next = self.next(node, mv, is_mine);
        self.lay(mv);
        next
    }

    #[inline(always)]
    pub(super) fn lay(&mut self, mv: Move) {
        self.board.lay(mv);
    }

    #[inline(always)]
    pub(super) fn lift(&mut self, mv: Move) {
        self.board.lift(mv);
    }

    /// Every move of these cards, the most promising first: captures count, and ways to be recaptured count against. `best`
    /// is tried first of all.
    #[inline(always)]
    pub(super) fn candidates(&self, node: &Node, is_mine: bool, playable: u16, best: u8) -> Candidates {
        let mut found = Candidates { list: [Candidate::NONE; 90], count: 0 };
        let rank = Rank::of(self.deal.tables(), node.level);
        let enemy = if is_mine { !node.own & (MINE | THEIRS) } else { node.own };
        for cell in node.free {
            let open = open_sides(node.free, cell);
            let fires = if SPECIAL { self.fires(cell) } else { 0 };
            let mut cards = playable;
            while cards != 0 {
                let mv = Move::new(cards.trailing_zeros() as u8, cell);
                cards &= cards - 1;
                let flips = if SPECIAL && fires >> mv.card() & 1 != 0 {
                    self.flips_of(&rank, mv, node.own, is_mine)
                } else {
                    rank.takes(&self.board, mv, enemy)
                };
                let priority = if mv.bits() == best {
                    FIRST
                } else {
                    32 * flips.count_ones() + 100 - u32::from(self.danger.of(mv, open))
                };
                let candidate = priority.min(FIRST) << 24 | u32::from(mv.bits()) << 16 | u32::from(flips);
                debug_assert!(found.count < 90);
                found.list[found.count % 90] = Candidate(candidate);
                found.count += 1;
            }
        }
        found.list[..found.count].sort_unstable_by(|one, other| other.cmp(one));
        found
    }
}

/// The binary logarithm of the number of entries of a table: at most `most`, and at most so many bytes if that is at least a
/// thousand entries.
pub(super) fn table_bits<T>(memory: usize, most: u32) -> u32 {
    (memory / size_of::<T>()).checked_ilog2().unwrap_or(0).clamp(10, most)
}

/// The empty neighbours of a cell, one bit per direction.
#[inline(always)]
fn open_sides(free: CellSet, cell: Cell) -> usize {
    let mut open = 0;
    for direction in Direction::ALL {
        if let Some(there) = cell.neighbour(direction) {
            open |= usize::from(free.contains(there)) << direction as usize;
        }
    }
    open
}

/// How exposed a card is on a cell: the share of the other side's cards that could capture it from each empty side, 0 to 96.
/// Only the order of moves depends on it, so the counters of Ascension and Descension are ignored.
pub(super) struct Danger(Box<[[u8; 16]; 256]>);

impl Danger {
    pub(super) fn new(deal: &HiddenDeal) -> Self {
        let rank = Rank::of(deal.tables(), 0);
        let count = deal.card_count();
        let mut table = Box::new([[0; 16]; 256]);
        for card in 0..count {
            let is_mine = card < HAND as u8;
            let others = if is_mine { HAND as u8..count } else { 0..HAND as u8 };
            for cell in Cell::ALL {
                let mut takers = [0; 4];
                for direction in Direction::ALL {
                    let Some(there) = cell.neighbour(direction) else { continue };
                    let lane = 16 * direction.opposite() as u32 + u32::from(card);
                    let taking = others.clone().filter(|other| rank.beats(Move::new(*other, there)) >> lane & 1 != 0);
                    takers[direction as usize] = 20 * taking.count() / others.len();
                }
                for open in 0..16 {
                    let sides = (0..4).filter(|side| open >> side & 1 != 0);
                    let sum: usize = sides.map(|side: usize| takers[side]).sum();
                    let exposed = if sum == 0 { 0 } else { 16 };
                    table[usize::from(Move::new(card, cell).bits())][open] = (sum + exposed) as u8;
                }
            }
        }
        Self(table)
    }

    #[inline(always)]
    fn of(&self, mv: Move, open: usize) -> u8 {
        self.0[usize::from(mv.bits())][open & 15]
    }
}
