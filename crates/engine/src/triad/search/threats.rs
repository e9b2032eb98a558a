//! Move ordering by safety: in how many ways the other hand can recapture the placed card, looked up for five cards at once.

use grid::simd::Simd;
use grid::simd::fearless_simd::{prelude::*, u8x16, u16x8, u64x2};
use grid::{Cell, CellSet, Direction, Player};
use triad::kernel::fast::Rank;
use triad::{Deal, HAND, Move, Rule};

/// The empty cells with a border around them, so that the four neighbours of any cell are at fixed distances:
///
/// ```text
/// bits  5  6  7     cell 0 is bit 5;  above it bit 1, to its right 6, below 9, to its left 4
///       9 10 11
///      13 14 15
/// ```
#[inline(always)]
pub(super) const fn padded(free: CellSet) -> u32 {
    let bits = free.bits() as u32;
    (bits & 0o007) << 5 | (bits & 0o070) << 6 | (bits & 0o700) << 7
}

/// The empty neighbours of a cell: bit 0 up, 1 right, 2 down, 3 left.
#[inline(always)]
fn open_sides(padded: u32, cell: usize) -> usize {
    debug_assert!(cell < 9);
    let above = [1, 2, 3, 5, 6, 7, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0][cell & 15];
    // Seen from the cell above: bit 0 is up, 3 left, 5 right, 8 down.
    let around = padded >> above;
    (around & 1 | around >> 4 & 2 | around >> 6 & 4 | around & 8) as usize
}

/// The priority of a move by its safety, for each card of a hand: 64 (so that no priority is negative), plus 8 if no card
/// can recapture it, minus 3 for each card and side that can. Rows by mover, cell (if cells differ), empty sides and the
/// other hand.
pub(super) struct Threats {
    table: Box<[[u8; 8]]>,
    by_cell: bool,
}

impl Threats {
    pub(super) fn new(deal: &Deal, level: u8) -> Self {
        let rank = Rank::new(deal, level);
        let by_cell = deal.setup().rules.has(Rule::Elemental);
        let cells = if by_cell { 9 } else { 1 };
        let mut table = vec![[0; 8]; 1024 * cells].into_boxed_slice();
        let opener = if deal.setup().first == Player::First { 0 } else { HAND as u8 };
        for mover in 0..2 {
            let (mine, theirs) = if mover == 1 { (opener, HAND as u8 - opener) } else { (HAND as u8 - opener, opener) };
            for number in 0..cells {
                let cell = if by_cell { Cell::ALL[number] } else { Cell::CENTRE };
                for card in 0..HAND {
                    // The cards of the other hand that take this one from each side, five bits.
                    let mut takers = [0u32; 4];
                    for direction in Direction::ALL {
                        let Some(there) = cell.neighbour(direction) else { continue };
                        let lane = 16 * direction.opposite() as u32 + u32::from(mine) + card as u32;
                        for other in 0..HAND as u8 {
                            let takes = rank.beats(Move::new(theirs + other, there)) >> lane & 1;
                            takers[direction as usize] |= (takes as u32) << other;
                        }
                    }
                    for open in 0..16 {
                        for hand in 0..32 {
                            let from = (0..4).filter(|side| open >> side & 1 != 0);
                            let threats: u32 = from.map(|side: usize| (takers[side] & hand).count_ones()).sum();
                            let row = ((number * 2 + mover) << 4 | open) << 5 | hand as usize;
                            table[row][card] = (64 + if threats == 0 { 8 } else { 0 } - 3 * threats as i32) as u8;
                        }
                    }
                }
            }
        }
        Self { table, by_cell }
    }

    #[inline(always)]
    pub(super) fn order<S: Simd>(&self, simd: S, mover: usize, cell: usize, padded: u32, theirs: u16) -> u16x8<S> {
        let number = if self.by_cell { cell } else { 0 };
        let row = ((number * 2 + mover) << 4 | open_sides(padded, cell)) << 5 | usize::from(theirs);
        debug_assert!(row < self.table.len());
        let bytes = u64::from_le_bytes(self.table.get(row).copied().unwrap_or_default());
        let bytes: u8x16<S> = u64x2::from_slice(simd, &[bytes, 0]).bitcast();
        bytes.zip_low(u8x16::splat(simd, 0)).bitcast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::cells;

    #[test]
    fn open_sides_are_the_empty_neighbours() {
        let free = cells! { . x . / . . x / . x . };
        assert_eq!(open_sides(padded(free), Cell::CENTRE.index()), 0b0111);
        assert_eq!(open_sides(padded(free), 0), 0b0010);
        assert_eq!(open_sides(padded(!free), 1), 0b1110);
        assert_eq!(open_sides(padded(CellSet::ALL), 6), 0b0011);
    }
}
