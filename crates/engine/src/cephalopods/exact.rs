//! Exact counts: how many sequences of moves there are, how long they are, where they end, and their sum without a modulus.
//!
//! Layer by layer: after each move, the canonical boards reached and, in 128 bits, the number of ways into each image of them.
//! The empty board has 4 * 10^34 games, so counts and sums of single digits fit into 128 bits. The sum of the values needs about
//! 145 bits and is composed in decimal.
//!
//! Price: the empty board at depth 61 takes 1.7 s.

use super::MODULUS;
use crate::error::Error;
use cephalopods::kernel::ORDER;
use cephalopods::{Board, Contest, LONGEST, MOST, tables};
use grid::{Game, Sym};
use search::{Control, OutOfMemory, Stop};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// Everything about the sequences of moves up to a depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The number of sequences.
    pub games: u128,
    /// The sum of the values of their final boards modulo 2^30: the contest's answer.
    pub sum_modulo: u32,
    /// The sum of each cell's digit over the final boards.
    pub digits: [u128; 9],
    /// The number of sequences of each length, from 0 moves on.
    pub lengths: Vec<u128>,
    /// The number of different final boards.
    pub final_boards: u64,
    /// Final boards and the number of sequences that end there, most first, equal ones by board; cut to the number asked for.
    pub finals: Vec<(Board, u128)>,
}

impl Exact {
    /// The sum of the values of all final boards in decimal: `digits[0] * 10^8 + ... + digits[8]`.
    #[must_use]
    pub fn sum(&self) -> String {
        decimal(&self.digits)
    }
}

/// A board's bits times a constant. A layer has at most some hundred thousand boards, and nobody chooses them with malice.
#[derive(Default)]
struct Product(u64);

impl Hasher for Product {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, bits: u32) {
        self.0 = (self.0 ^ u64::from(bits)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// Canonical boards, and the number of ways into each of their images.
type Layer = HashMap<u32, [u128; 8], BuildHasherDefault<Product>>;

/// Counts everything. `finals` is the number of final boards to list. A node of the control is a board of a layer.
///
/// # Errors
/// If the control stops the call or there is no memory.
pub fn count(board: Board, depth: u32, finals: usize, control: &Control<'_>) -> Result<Exact, Error> {
    let mut meter = control.meter();
    let mut ends = Ends::default();
    let (root, sym) = board.canonical();
    let mut one = [0; 8];
    one[sym.inverse().index()] = 1;
    let mut layer = Layer::default();
    layer.insert(root.bits(), one);
    let last = depth.min(LONGEST);
    for made in 0..=last {
        control.report(made.into(), last.into());
        let mut next = Layer::default();
        for (&bits, counts) in &layer {
            if !meter.pay() {
                return Err(meter.stopped_by().unwrap_or(Stop::Nodes).into());
            }
            let board = Board::from_bits_unchecked(bits);
            if made == depth || board.is_full() {
                reserve(&mut ends.boards, Sym::ALL.len())?;
                for image in Sym::ALL {
                    ends.add(board.map(image), made, counts[image.index()]);
                }
                continue;
            }
            reserve(&mut next, MOST)?;
            for mv in Contest.moves(&board) {
                let (child, sym) = Contest.play_unchecked(&board, mv).canonical();
                let into = next.entry(child.bits()).or_default();
                for (&image, count) in ORDER.0[sym.index()].iter().zip(counts) {
                    into[image as usize] += count;
                }
            }
        }
        layer = next;
    }
    Ok(ends.into_exact(finals))
}

fn reserve<K: Eq + Hash, V, S: BuildHasher>(map: &mut HashMap<K, V, S>, additional: usize) -> Result<(), OutOfMemory> {
    let bytes = (map.len() + additional) * size_of::<(K, V)>();
    map.try_reserve(additional).map_err(|_| OutOfMemory { bytes })
}

#[derive(Default)]
struct Ends {
    boards: HashMap<u32, u128>,
    lengths: Vec<u128>,
}

impl Ends {
    fn add(&mut self, board: Board, length: u32, ways: u128) {
        if ways > 0 {
            *self.boards.entry(board.bits()).or_default() += ways;
            self.lengths.resize(self.lengths.len().max(length as usize + 1), 0);
            self.lengths[length as usize] += ways;
        }
    }

    fn into_exact(self, finals: usize) -> Exact {
        let (mut games, mut digits) = (0, [0; 9]);
        for (&bits, &ways) in &self.boards {
            games += ways;
            let cells = Board::from_bits_unchecked(bits).cells();
            (0..9).for_each(|cell| digits[cell] += ways * u128::from(cells[cell]));
        }
        let sum_modulo = self.boards.iter().fold(0u32, |sum, (&bits, &ways)| {
            sum.wrapping_add((ways as u32).wrapping_mul(tables::value_images(bits)[0]))
        });
        let final_boards = self.boards.len() as u64;
        let mut list: Vec<_> =
            self.boards.into_iter().map(|(bits, ways)| (Board::from_bits_unchecked(bits), ways)).collect();
        let order = |a: &(Board, u128), b: &(Board, u128)| b.1.cmp(&a.1).then_with(|| a.0.value().cmp(&b.0.value()));
        if finals < list.len() {
            list.select_nth_unstable_by(finals, order);
            list.truncate(finals);
        }
        list.sort_unstable_by(order);
        Exact { games, sum_modulo: sum_modulo % MODULUS, digits, lengths: self.lengths, final_boards, finals: list }
    }
}

/// Schoolbook addition of decimals, each shifted by the place of its cell.
fn decimal(digits: &[u128; 9]) -> String {
    let mut places = vec![0u32; 64];
    for (cell, digit) in digits.iter().enumerate() {
        let mut rest = *digit;
        let mut place = 8 - cell;
        while rest > 0 {
            places[place] += (rest % 10) as u32;
            rest /= 10;
            place += 1;
        }
    }
    for place in 0..places.len() - 1 {
        places[place + 1] += places[place] / 10;
        places[place] %= 10;
    }
    let text: String = places.iter().rev().map(|place| char::from(b'0' + *place as u8)).collect();
    let shown = text.trim_start_matches('0');
    if shown.is_empty() { "0".into() } else { shown.into() }
}
