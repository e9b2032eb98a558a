//! The boards that a walk over the graph has found and not expanded yet: their numbers, and a hash table from board to
//! number.
//!
//! A look-up compares eight boards at once, one cache line with their numbers. Each bucket has a table of its own, as large as
//! it needs, and all tables lie in one list, so that a place in it says all.

use super::graph::{Node, spread};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use std::hint::select_unpredictable;

/// How many canonical boards with so many dice have the same number of pips, at most.
const MOST_BOARDS: [u32; 9] = [1, 3, 36, 312, 2_394, 12_526, 45_900, 109_016, 153_661];

/// The number of the first board of a bucket, by parity of the pips, then by dice; the others follow. Boards of neighbouring
/// ranks have different numbers. None is 0.
pub(super) const FIRST: [[u32; 9]; 2] = {
    let (mut table, mut next, mut at) = ([[0; 9]; 2], 1, 0);
    while at < 18 {
        table[at / 9][at % 9] = next;
        next += MOST_BOARDS[at % 9];
        at += 1;
    }
    table
};

/// Boards of an odd number of pips have numbers from here on, the others below.
pub(crate) const ODD: usize = FIRST[1][0] as usize;
/// All numbers are below this.
pub(crate) const NUMBERS: usize = (FIRST[1][8] + MOST_BOARDS[8]) as usize;

const _: () = assert!(NUMBERS < 1 << 24);

/// Eight entries of a hash table, taken from the first on: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Group {
    /// Keys of canonical boards; 0 is a free entry. The empty board can only be the root, which nobody looks for.
    keys: [u32; 8],
    /// Their numbers; 0 in a free entry.
    numbers: [u32; 8],
}

const _: () = assert!(size_of::<Group>() == 64);

/// A bucket that is being filled: its part of the hash table, and its numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filling {
    /// Where its groups begin, and how many there are: a power of two, or none.
    pub(super) start: u32,
    groups: u32,
    /// `32 - log2` of the groups, for the multiplicative hash whose top bits are the good ones.
    pub(super) shift: u32,
    /// The numbers of the first board, and of the next that is found.
    first: u32,
    pub(super) next: u32,
}

/// The boards that are being found: those of two ranks.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By parity of the pips, then by dice.
    pub(super) filling: [[Filling; 9]; 2],
    pub(super) groups: Vec<Group>,
    /// By number, as the words of nodes: those found, and zeros.
    pub(super) nodes: Vec<u64>,
}

/// The least size of a table.
const FEWEST_GROUPS: usize = 16;
/// A table grows when there are more boards than this for each of its groups of eight.
const FULL: usize = 6;
/// What keys are multiplied by: 2^32 over the golden ratio.
pub(super) const HASH: u32 = 0x9e37_79b9;

impl Filling {
    /// The group where the search for a key begins.
    #[inline(always)]
    fn home(&self, key: u32) -> u32 {
        (key.wrapping_mul(HASH) >> (self.shift & 31)) + self.start
    }

    /// The number of the board of that key, which joins if it is new. There must be room.
    ///
    /// Whether it is new is not asked: the answer is as good as random, and a wrong guess of the processor costs as much as
    /// the look-up.
    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, simd: S, groups: &mut [Group], key: u32, home: u32) -> u32 {
        let mut at = home;
        loop {
            let group = &mut groups[at as usize];
            if let Some(lane) = group.lane(simd, key) {
                let known = group.numbers[lane];
                let number = select_unpredictable(known == 0, self.next, known);
                self.next += u32::from(known == 0);
                group.keys[lane] = key;
                group.numbers[lane] = number;
                return number;
            }
            at = (at + 1 - self.start) % self.groups + self.start;
        }
    }
}

impl Group {
    /// Where a key is or would be. Entries are taken in order, so an equal one comes before the free ones.
    #[inline(always)]
    fn lane<S: Simd>(&self, simd: S, key: u32) -> Option<usize> {
        let keys: u32x8<S> = self.keys.simd_into(simd);
        let equal_or_free = keys.simd_eq(u32x8::splat(simd, key)) | keys.simd_eq(u32x8::splat(simd, 0));
        let lanes = equal_or_free.to_bitmask();
        (lanes != 0).then_some(lanes.trailing_zeros() as usize % 8)
    }

    /// The number of a board, 0 if it is not here.
    #[inline(always)]
    pub(super) fn number<S: Simd>(&self, simd: S, key: u32) -> u32 {
        let keys: u32x8<S> = self.keys.simd_into(simd);
        let lanes = keys.simd_eq(u32x8::splat(simd, key)).to_bitmask();
        let number = self.numbers[lanes.trailing_zeros() as usize % 8];
        // One if there is one, computed so that no branch is made of it.
        number & ((lanes as u32 + 255) >> 8).wrapping_neg()
    }
}

impl Found {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.nodes.is_empty() {
            // Given zeroed by the system, page by page as they are used.
            self.nodes = vec![0; NUMBERS];
        }
        for (parity, dice) in (0..2).flat_map(|parity| (0..9).map(move |dice| (parity, dice))) {
            let first = FIRST[parity][dice];
            let old = std::mem::replace(
                &mut self.filling[parity][dice],
                Filling { first, next: first, ..Filling::default() },
            );
            self.nodes[old.first as usize..old.next as usize].fill(0);
        }
    }

    /// Moves the boards of a bucket to a list, and leaves an empty bucket with room in its table for as many.
    pub(super) fn take(&mut self, parity: usize, dice: usize, nodes: &mut Vec<Node>) {
        let Filling { first, next, .. } = self.filling[parity][dice];
        let words = &mut self.nodes[first as usize..next as usize];
        nodes.extend((0..words.len()).map(|at| Node(words[spread(at, words.len())])));
        words.fill(0);
        self.filling[parity][dice].next = first;
        self.clear_groups(parity, dice, (next - first) as usize);
    }

    fn clear_groups(&mut self, parity: usize, dice: usize, room: usize) {
        let groups = room.div_ceil(FULL).next_power_of_two().max(FEWEST_GROUPS);
        self.filling[parity][dice].groups = 0;
        let start = self.free(groups);
        if self.groups.len() < start + groups {
            self.groups.resize(start + groups, Group::default());
        }
        self.groups[start..start + groups].fill(Group::default());
        let filling = &mut self.filling[parity][dice];
        (filling.start, filling.groups, filling.shift) = (start as u32, groups as u32, 32 - groups.trailing_zeros());
    }

    /// The first place where so many groups are free.
    fn free(&self, groups: usize) -> usize {
        let mut taken = [(0, 0); 18];
        for (taken, filling) in taken.iter_mut().zip(self.filling.iter().flatten()) {
            *taken = (filling.start as usize, (filling.start + filling.groups) as usize);
        }
        taken.sort_unstable();
        let mut at = 0;
        for (start, end) in taken.into_iter().filter(|(start, end)| start < end) {
            if at + groups <= start {
                break;
            }
            at = end;
        }
        at
    }

    /// Makes room for so many more boards.
    #[inline(always)]
    pub(super) fn make_room<S: Simd>(&mut self, simd: S, (rank, dice): (usize, usize), more: usize) {
        let Filling { first, next, groups, .. } = self.filling[rank & 1][dice];
        let needed = (next - first) as usize + more;
        if needed > FULL * groups as usize {
            self.grow(simd, rank & 1, dice, 2 * needed);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow<S: Simd>(&mut self, simd: S, parity: usize, dice: usize, room: usize) {
        simd.vectorize(
            #[inline(always)]
            || {
                self.clear_groups(parity, dice, room);
                let filling = &mut self.filling[parity][dice];
                let end = std::mem::replace(&mut filling.next, filling.first);
                for word in &self.nodes[filling.first as usize..end as usize] {
                    let home = filling.home(*word as u32);
                    filling.add(simd, &mut self.groups, *word as u32, home);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::{Cell, Sym};

    /// Boards that a symmetry leaves as they are, by pips and dice, multiplied up cycle by cycle of its cells. Their mean over
    /// all symmetries is how many canonical boards there are.
    #[test]
    fn no_bucket_has_more_boards_than_numbers() {
        let mut fixed = [[0u64; 10]; 55];
        for sym in Sym::ALL {
            let mut boards = [[0u64; 10]; 55];
            boards[0][0] = 1;
            let mut seen = [false; 9];
            for cell in Cell::ALL {
                let mut length = 0;
                let mut at = cell;
                while !seen[at.index()] {
                    seen[at.index()] = true;
                    length += 1;
                    at = sym.cell(at);
                }
                if length == 0 {
                    continue;
                }
                let mut longer = boards;
                for (rank, dice) in (0..55).flat_map(|rank| (0..10).map(move |dice| (rank, dice))) {
                    for pips in (1..=6).filter(|pips| boards[rank][dice] > 0 && rank + pips * length < 55) {
                        longer[rank + pips * length][dice + length] += boards[rank][dice];
                    }
                }
                boards = longer;
            }
            (0..55).for_each(|rank| (0..10).for_each(|dice| fixed[rank][dice] += boards[rank][dice]));
        }
        let canonical = fixed.map(|rank| rank.map(|boards| boards / 8));
        assert_eq!(canonical.iter().flatten().sum::<u64>(), 5_105_212);
        let most: [u32; 9] =
            std::array::from_fn(|dice| canonical.iter().map(|rank| rank[dice] as u32).max().unwrap_or(0));
        assert_eq!(most, MOST_BOARDS);
    }
}
