//! The branchless board of the article "Branchless Triple Triad". Kept to teach and to compare; no engine uses it.
//!
//! Twelve empty slots surround the nine cells, so every cell has four neighbours. They are compared at once in the 16-bit
//! lanes of one vector.
//!
//! ```text
//! put the card on its slot
//! owners = the owners of the four neighbours     0 for an empty slot, 1, 2
//! result = my sides > the facing sides           four lanes at once
//! select = result & (owners > 0)
//! owners = select ? me : owners                  and store them back to the slots
//! ```
//!
//! The upper four of the eight lanes are unused. Same and Plus use the same four lanes with another comparison. A combo
//! repeats the last three lines for each captured card.
//!
//! Measured, instructions per card (`bench/counts.txt`): 118.48 scalar, 119.59 sse2, 112.70 v2, 109.81 v3. The plain
//! board with four `if`s needs 100.70, the tables of [`fast`](super::fast) 29.13 at v3.

use super::scalar::is_plain;
use crate::Deal;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rule;
use crate::tables::bonus;
use grid::simd::Simd;
use grid::simd::fearless_simd::{i16x8, mask16x8, prelude::*};
use grid::{BORDERED, BORDERED_SLOTS, Cell, Player};

/// A slot: the card of the article.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    owner: i16,
    sides: [i16; 4],
}

/// The board.
#[derive(Clone, Debug)]
pub struct Board<'a> {
    deal: &'a Deal,
    plain: bool,
    slots: [Slot; BORDERED_SLOTS],
    /// The bonus of the slot's element for its card.
    bonus: [i16; BORDERED_SLOTS],
    /// The type, 1 to 4; 0 for none.
    kind: [u8; BORDERED_SLOTS],
    /// The change of rank by Ascension or Descension, by type.
    counted: [i16; 5],
}

const fn number(player: Player) -> i16 {
    match player {
        Player::First => 1,
        Player::Second => 2,
    }
}

#[inline(always)]
fn lanes<S: Simd>(simd: S, four: [i16; 4]) -> i16x8<S> {
    let [up, right, down, left] = four;
    i16x8::from_slice(simd, &[up, right, down, left, 0, 0, 0, 0])
}

/// The four lanes of a mask as bits.
#[inline(always)]
fn four<S: Simd>(mask: mask16x8<S>) -> u32 {
    mask.to_bitmask() as u32 & 15
}

impl<'a> Board<'a> {
    /// The board of a position.
    #[must_use]
    pub fn new(deal: &'a Deal, position: &Position) -> Self {
        let mut board = Self {
            deal,
            plain: is_plain(deal.setup().rules),
            slots: [Slot::default(); BORDERED_SLOTS],
            bonus: [0; BORDERED_SLOTS],
            kind: [0; BORDERED_SLOTS],
            counted: [0; 5],
        };
        for cell in Cell::ALL {
            if let Some(card) = position.card_at(cell) {
                board.put(Move::new(card, cell), position.owner(card));
                board.count(cell.index());
            }
        }
        board
    }

    fn put(&mut self, mv: Move, owner: Player) {
        let card = self.deal.setup().card(mv.card().into());
        let slot = mv.cell().index();
        self.slots[slot] = Slot { owner: number(owner), sides: card.sides.map(i16::from) };
        self.bonus[slot] = bonus(self.deal.setup(), mv.card().into(), mv.cell()).into();
        self.kind[slot] = card.kind.map_or(0, |kind| kind as u8 + 1);
    }

    fn count(&mut self, slot: usize) {
        let rules = self.deal.setup().rules;
        let kind = usize::from(self.kind[slot]);
        let step = i16::from(rules.has(Rule::Ascension)) - i16::from(rules.has(Rule::Descension));
        self.counted[kind] += if kind == 0 { 0 } else { step };
    }

    /// Who owns the card on a cell.
    #[must_use]
    pub fn owner(&self, cell: Cell) -> Option<Player> {
        match self.slots[cell.index()].owner {
            1 => Some(Player::First),
            2 => Some(Player::Second),
            _ => None,
        }
    }

    /// Plays a card and makes its captures.
    #[inline(always)]
    pub fn place<S: Simd>(&mut self, simd: S, mv: Move, mover: Player) {
        if self.plain { self.place_plain(simd, mv, mover) } else { self.place_fully(simd, mv, mover) }
    }

    /// The method of the article.
    #[inline(always)]
    fn place_plain<S: Simd>(&mut self, simd: S, mv: Move, mover: Player) {
        let card = Slot { owner: number(mover), sides: self.deal.setup().card(mv.card().into()).sides.map(i16::from) };
        self.slots[mv.cell().index()] = card;
        let at = BORDERED[mv.cell().index()].map(usize::from);
        let owners = lanes(simd, at.map(|slot| self.slots[slot].owner));
        let result = lanes(simd, card.sides).simd_gt(lanes(simd, self.facing(at)));
        let select = result & owners.simd_gt(i16x8::splat(simd, 0));
        let selected = select.select(i16x8::splat(simd, card.owner), owners);
        for direction in 0..4 {
            self.slots[at[direction]].owner = selected[direction];
        }
    }

    #[inline(always)]
    fn facing(&self, at: [usize; 4]) -> [i16; 4] {
        let [up, right, down, left] = at;
        [self.slots[up].sides[2], self.slots[right].sides[3], self.slots[down].sides[0], self.slots[left].sides[1]]
    }

    /// My ranks and the facing ranks, as Same and Plus compare them.
    #[inline(always)]
    fn ranks<S: Simd>(&self, simd: S, slot: usize, at: [usize; 4]) -> (i16x8<S>, i16x8<S>) {
        let moved = |slot: usize| self.counted[usize::from(self.kind[slot])];
        let (one, ten) = (i16x8::splat(simd, 1), i16x8::splat(simd, 10));
        let mine = lanes(simd, self.slots[slot].sides) + i16x8::splat(simd, moved(slot));
        let theirs = lanes(simd, self.facing(at)) + lanes(simd, at.map(moved));
        (mine.max(one).min(ten), theirs.max(one).min(ten))
    }

    /// The adjacent enemies that a slot captures by the basic comparison, as four bits.
    #[inline(always)]
    fn beaten<S: Simd>(&self, simd: S, slot: usize, mover: Player, fallen_ace: bool) -> u32 {
        let at = BORDERED[slot].map(usize::from);
        let (mine, theirs) = self.ranks(simd, slot, at);
        let mine = mine + i16x8::splat(simd, self.bonus[slot]);
        let theirs = theirs + lanes(simd, at.map(|slot| self.bonus[slot]));
        let reverse = self.deal.setup().rules.has(Rule::Reverse);
        let (strong, weak) = if reverse { (theirs, mine) } else { (mine, theirs) };
        let mut result = strong.simd_gt(weak);
        if fallen_ace {
            let (one, ten) = (i16x8::splat(simd, 1), i16x8::splat(simd, 10));
            result |= strong.simd_eq(one) & weak.simd_eq(ten);
        }
        four(result & self.enemies(simd, at, mover))
    }

    #[inline(always)]
    fn enemies<S: Simd>(&self, simd: S, at: [usize; 4], mover: Player) -> mask16x8<S> {
        lanes(simd, at.map(|slot| self.slots[slot].owner)).simd_eq(i16x8::splat(simd, number(mover.other())))
    }

    /// Gives the chosen neighbours to the mover and returns their slots as bits.
    #[inline(always)]
    fn take(&mut self, slot: usize, chosen: u32, mover: Player) -> u32 {
        let mut taken = 0;
        for direction in (0..4).filter(|direction| chosen >> direction & 1 != 0) {
            let there = usize::from(BORDERED[slot][direction]);
            self.slots[there].owner = number(mover);
            taken |= 1 << there;
        }
        taken
    }

    #[inline(always)]
    fn place_fully<S: Simd>(&mut self, simd: S, mv: Move, mover: Player) {
        let rules = self.deal.setup().rules;
        let slot = mv.cell().index();
        self.put(mv, mover);
        let at = BORDERED[slot].map(usize::from);
        let caught =
            if rules.has(Rule::Same) || rules.has(Rule::Plus) { self.caught(simd, slot, at, mover) } else { 0 };
        let mut attackers = self.take(slot, caught, mover);
        let beaten = self.beaten(simd, slot, mover, rules.has(Rule::FallenAce));
        let basic = self.take(slot, beaten, mover);
        if caught != 0 && rules.has(Rule::Combo) {
            attackers |= if rules.has(Rule::BasicChains) { basic } else { 0 };
            let fallen_ace = rules.has(Rule::FallenAce) && rules.has(Rule::AceChains);
            while attackers != 0 {
                let from = attackers.trailing_zeros() as usize;
                attackers &= attackers - 1;
                let beaten = self.beaten(simd, from, mover, fallen_ace);
                attackers |= self.take(from, beaten, mover);
            }
        }
        self.count(slot);
    }

    /// The adjacent enemies that Same and Plus capture, as four bits.
    #[inline(always)]
    fn caught<S: Simd>(&self, simd: S, slot: usize, at: [usize; 4], mover: Player) -> u32 {
        let rules = self.deal.setup().rules;
        let (mine, theirs) = self.ranks(simd, slot, at);
        let enemies = four(self.enemies(simd, at, mover));
        let occupied = four(lanes(simd, at.map(|slot| self.slots[slot].owner)).simd_gt(i16x8::splat(simd, 0)));
        let mut caught = 0;
        if rules.has(Rule::Same) {
            let equal = four(mine.simd_eq(theirs));
            let walls = at.iter().enumerate().fold(0, |bits, (at, slot)| bits | u32::from(*slot >= 9) << at);
            let aces = four(mine.simd_eq(i16x8::splat(simd, 10)));
            let matched = equal & occupied | if rules.has(Rule::SameWall) { aces & walls } else { 0 };
            if matched.count_ones() >= 2 {
                let weaker = rules.has(Rule::SameTakesWeaker);
                caught = enemies & if weaker { four(theirs.simd_le(mine)) } else { equal };
            }
        }
        if rules.has(Rule::Plus) {
            let sums = mine + theirs;
            let mut best: u32 = 0;
            // Every pair has a member in one of these three directions.
            for direction in [0, 2, 3] {
                if occupied >> direction & 1 == 0 {
                    continue;
                }
                let group = four(sums.simd_eq(i16x8::splat(simd, sums[direction]))) & occupied;
                let (size, most) = (group.count_ones(), best.count_ones());
                if size < 2 {
                    continue;
                }
                if !rules.has(Rule::PlusOneSum) {
                    best |= group;
                } else if size > most || size == most && group & 0b0010 == 0 {
                    best = group;
                }
            }
            caught |= best & enemies;
        }
        caught
    }
}
