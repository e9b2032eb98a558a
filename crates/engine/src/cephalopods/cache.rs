//! The `cache` engine: the contest write-up's. Depth first with two explicit stacks, nine sums of digits that a symmetry
//! can permute, and a table of fixed size in which newcomers evict.
//!
//! ```text
//! key     bits 26..0 the canonical board   31..27 the low five bits of the moves to go
//! slots   eight in a row are compared at once; a newcomer takes an empty one, else the first with a smaller key
//! ```
//!
//! Five bits are enough: in one question a board occurs at numbers of captures at most 30 apart. Keys are never zero
//! but for the empty board, which only ever is the root and is never looked up.

use cephalopods::kernel::writeup;
use cephalopods::{Board, LONGEST};
use grid::simd::fearless_simd::{Simd, prelude::*, u32x8};
use grid::simd::{Isa, dispatch};
use grid::{Cell, Sym};

const SLOTS_BITS: u32 = 18;
const WAY: usize = 8;

/// The engine.
#[derive(Debug)]
pub struct Cache {
    isa: Isa,
    keys: Vec<u32>,
    /// The slots that hold a key, so that a small question does not pay for the whole table.
    taken: Vec<u32>,
    sums: Vec<[u32; 9]>,
}

/// A board whose children are being summed.
struct Frame {
    key: u32,
    moves: u32,
    /// What takes the board as it was met to its canonical form.
    sym: Sym,
    /// Its children lie on the other stack from here up.
    children_from: usize,
    sums: [u32; 9],
}

impl Frame {
    fn add(&mut self, digits: &[u32; 9]) {
        (0..9).for_each(|cell| self.sums[cell] = self.sums[cell].wrapping_add(digits[cell]));
    }

    /// Adds the sums of a child's canonical form.
    fn add_seen(&mut self, sums: &[u32; 9], sym: Sym) {
        self.add(&Cell::ALL.map(|cell| sums[sym.cell(cell).index()]));
    }
}

impl Cache {
    /// An engine for that instruction set. Its table takes 10 MB.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        let slots = (1 << SLOTS_BITS) + WAY;
        Self { isa, keys: vec![0; slots], taken: Vec::new(), sums: vec![[0; 9]; slots] }
    }

    /// The sum of the values of all final boards, modulo 2^30.
    pub fn sum(&mut self, board: Board, depth: u32) -> u32 {
        let digits = if depth == 0 || board.is_full() {
            board.cells().map(u32::from)
        } else {
            self.taken.drain(..).for_each(|slot| self.keys[slot as usize] = 0);
            dispatch!(self.isa.level(), simd => simd.vectorize(
                #[inline(always)]
                || self.walk(simd, board, depth.min(LONGEST)),
            ))
        };
        digits.iter().fold(0u32, |sum, digit| sum.wrapping_mul(10).wrapping_add(*digit)) & ((1 << 30) - 1)
    }

    #[inline(always)]
    fn walk<S: Simd>(&mut self, simd: S, root: Board, depth: u32) -> [u32; 9] {
        let mut children: Vec<u32> = Vec::new();
        let mut parents: Vec<Frame> = Vec::new();
        let open = |board: Board, sym, moves: u32, children: &mut Vec<u32>| {
            let mut out = [0; 20];
            let children_from = children.len();
            let count = writeup::children(simd, board, &mut out);
            children.extend_from_slice(&out[..count]);
            Frame { key: board.bits() | moves << 27, moves, sym, children_from, sums: [0; 9] }
        };
        parents.push(open(root, Sym::IDENTITY, depth, &mut children));
        while let Some(frame) = parents.last_mut() {
            if children.len() == frame.children_from {
                let Some(done) = parents.pop() else { break };
                let Some(parent) = parents.last_mut() else { return done.sums };
                parent.add_seen(&done.sums, done.sym);
                let slot = self.slot(simd, done.key).unwrap_or_else(|free| free);
                if self.keys[slot] == 0 {
                    self.taken.push(slot as u32);
                }
                self.keys[slot] = done.key;
                self.sums[slot] = done.sums;
                continue;
            }
            let Some(child) = children.pop().and_then(Board::from_bits) else { break };
            let moves = frame.moves - 1;
            if moves == 0 || child.is_full() {
                frame.add(&child.cells().map(u32::from));
                continue;
            }
            let (canonical, sym) = writeup::canonical(simd, child);
            match self.slot(simd, canonical.bits() | moves << 27) {
                Ok(slot) => frame.add_seen(&self.sums[slot], sym),
                Err(_) => parents.push(open(canonical, sym, moves, &mut children)),
            }
        }
        [0; 9]
    }

    /// The slot that holds the key, or the one it may take.
    #[inline(always)]
    fn slot<S: Simd>(&self, simd: S, key: u32) -> Result<usize, usize> {
        let home = (key.wrapping_mul(2_654_435_761) >> (32 - SLOTS_BITS)) as usize;
        let keys = u32x8::from_slice(simd, &self.keys[home..home + WAY]);
        let wanted = u32x8::splat(simd, key);
        let found = keys.simd_eq(wanted).to_bitmask();
        if found != 0 {
            return Ok(home + found.trailing_zeros() as usize);
        }
        let free = keys.simd_eq(u32x8::splat(simd, 0)).to_bitmask();
        let smaller = keys.simd_lt(wanted).to_bitmask();
        let taken = if free != 0 { free } else { smaller | 1 << 31 };
        Err(home + taken.trailing_zeros() as usize % 31)
    }
}
