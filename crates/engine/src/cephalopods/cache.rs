//! The `cache` engine, as in the contest's write-up: depth first with two explicit stacks, nine sums of digits that a symmetry
//! can permute, and a table in which new entries evict old ones.
//!
//! ```text
//! key     bits 26..0 the canonical board   31..27 the low five bits of the moves to go
//! slots   eight in a row are compared at once; a new key takes an empty one, else the first with a smaller key
//! ```
//!
//! The table doubles when it is half full, up to 168 MB: that holds every pair of board and moves to go of the hardest
//! questions (about 2.8 million). A table that evicts too much is useless: what it forgets is searched again, and everything
//! below that too. With 10 MB the hardest question did not end in nine minutes.
//!
//! Five bits are enough: in one question a board occurs at numbers of captures at most 30 apart. A key is zero only for the
//! empty board, which can only be the root and is never looked up.

use super::{MODULUS, zeroed};
use crate::error::Error;
use cephalopods::kernel::published;
use cephalopods::{Board, LONGEST};
use grid::simd::fearless_simd::Simd;
use grid::simd::{Isa, dispatch};
use grid::{Cell, Sym};
use search::{Control, OutOfMemory, Stop};

/// The logarithms of the first and of the largest number of slots.
const FIRST_BITS: u32 = 14;
const MOST_BITS: u32 = 22;
const WAY: usize = 8;

/// The engine.
#[derive(Debug)]
pub struct Cache {
    isa: Isa,
    bits: u32,
    keys: Vec<u32>,
    /// The slots that hold a key, so that a small question does not clear the whole table.
    taken: Vec<u32>,
    sums: Vec<[u32; 9]>,
}

/// A board whose children are being summed.
struct Frame {
    key: u32,
    moves: u32,
    /// The symmetry that takes the board to its canonical form.
    sym: Sym,
    /// Its children are on the other stack from here on.
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
    /// An engine for that instruction set, with no memory yet. Its table takes 0.7 MB at first and up to 168 MB.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { isa, bits: FIRST_BITS, keys: Vec::new(), taken: Vec::new(), sums: Vec::new() }
    }

    /// The bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * 4 + self.taken.capacity() * 4 + self.sums.capacity() * 36
    }

    /// The sum of the values of all final boards after at most `depth` moves, modulo 2^30. A node of the control is a board
    /// whose children are made.
    ///
    /// # Errors
    /// If the control stops the call or there is no memory.
    pub fn sum(&mut self, board: Board, depth: u32, control: &Control<'_>) -> Result<u32, Error> {
        let digits = if depth == 0 || board.is_full() {
            board.cells().map(u32::from)
        } else {
            if self.keys.is_empty() {
                (self.keys, self.sums) = Self::slots(self.bits)?;
            }
            self.taken.drain(..).for_each(|slot| self.keys[slot as usize] = 0);
            dispatch!(self.isa.level(), simd => simd.vectorize(
                #[inline(always)]
                || self.walk(simd, board, depth.min(LONGEST), control),
            ))?
        };
        Ok(digits.iter().fold(0u32, |sum, digit| sum.wrapping_mul(10).wrapping_add(*digit)) % MODULUS)
    }

    fn slots(bits: u32) -> Result<(Vec<u32>, Vec<[u32; 9]>), OutOfMemory> {
        let slots = (1 << bits) + WAY;
        Ok((zeroed(slots)?, zeroed(slots)?))
    }

    #[inline(always)]
    fn walk<S: Simd>(&mut self, simd: S, root: Board, depth: u32, control: &Control<'_>) -> Result<[u32; 9], Error> {
        let mut meter = control.meter();
        let mut children: Vec<u32> = Vec::new();
        let mut parents: Vec<Frame> = Vec::new();
        let open = |board: Board, sym, moves: u32, children: &mut Vec<u32>| {
            let mut out = [0; 20];
            let children_from = children.len();
            let count = published::children(simd, board, &mut out);
            children.extend_from_slice(&out[..count]);
            Frame { key: board.bits() | moves << 27, moves, sym, children_from, sums: [0; 9] }
        };
        parents.push(open(root, Sym::IDENTITY, depth, &mut children));
        while let Some(frame) = parents.last_mut() {
            if children.len() == frame.children_from {
                let Some(done) = parents.pop() else { break };
                let Some(parent) = parents.last_mut() else { return Ok(done.sums) };
                parent.add_seen(&done.sums, done.sym);
                if self.taken.len() * 2 > self.keys.len() && self.bits < MOST_BITS {
                    self.grow(simd)?;
                }
                self.store(simd, done.key, done.sums);
                continue;
            }
            let Some(child) = children.pop().map(Board::from_bits_unchecked) else { break };
            let moves = frame.moves - 1;
            if moves == 0 || child.is_full() {
                frame.add(&child.cells().map(u32::from));
                continue;
            }
            let (canonical, sym) = published::canonical(simd, child);
            match self.slot(simd, canonical.bits() | moves << 27) {
                Ok(slot) => frame.add_seen(&self.sums[slot], sym),
                Err(_) if meter.pay() => parents.push(open(canonical, sym, moves, &mut children)),
                Err(_) => return Err(meter.stopped_by().unwrap_or(Stop::Nodes).into()),
            }
        }
        unreachable!("the root returns its sums")
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, simd: S, key: u32, sums: [u32; 9]) {
        let slot = self.slot(simd, key).unwrap_or_else(|free| free);
        if self.keys[slot] == 0 {
            self.taken.push(slot as u32);
        }
        self.keys[slot] = key;
        self.sums[slot] = sums;
    }

    #[inline(always)]
    fn grow<S: Simd>(&mut self, simd: S) -> Result<(), OutOfMemory> {
        let larger = Self::slots(self.bits + 1)?;
        self.bits += 1;
        let keys = std::mem::replace(&mut self.keys, larger.0);
        let sums = std::mem::replace(&mut self.sums, larger.1);
        for slot in std::mem::take(&mut self.taken) {
            self.store(simd, keys[slot as usize], sums[slot as usize]);
        }
        Ok(())
    }

    /// The slot that holds the key, or the one it may take.
    #[inline(always)]
    fn slot<S: Simd>(&self, simd: S, key: u32) -> Result<usize, usize> {
        let home = (key.wrapping_mul(2_654_435_761) >> (32 - self.bits)) as usize;
        match self.keys[home..].first_chunk() {
            Some(keys) => published::probe(simd, keys, key).map(|place| home + place).map_err(|place| home + place),
            None => {
                debug_assert!(false, "{WAY} slots follow every home");
                Err(home)
            }
        }
    }
}
