//! A network that fits into a source file of 100,000 characters: one byte per number, for the CodinGame rule alone.
//!
//! The network has 32 factors for each of 11,096 local boards. These boards are the images of 1,585 under the eight
//! symmetries, so a board borrows the factors of the first of its images. The factors come in groups of eight that the
//! symmetries exchange. With one learned function `F` of a board for each group:
//!
//! ```text
//! stored      F(g(first)), for the first board of each orbit and the eight symmetries g
//! factor h    F(h(board)) = F(h(s(first))), where s takes the first board to this one: stored as g = s, then h
//! ```
//!
//! So a network of this kind is a network with equal numbers in many places: [`Compact::weights`] writes it out. That costs
//! next to nothing in loss (`bench/LOG.md`), because training sees every position in all eight images anyway.

use super::local::{LOCAL_BOARDS, Numbering};
use super::{FACTORS, HEADS, OUTPUT_UNIT, UNIT, WIDTH, Weights};
use crate::store::{self, Kind, StoreError};
use grid::Sym;
use std::path::Path;
use std::sync::LazyLock;

/// Local boards that no symmetry makes equal.
pub const ORBITS: usize = 1585;

/// The value 1 of a factor of a board and of a place; both divide the unit of [`Weights`].
const BOARD_UNIT: i32 = 32;
const PLACE_UNIT: i32 = 128;

/// The network on disk.
pub const KIND: Kind = Kind { name: *b"NFUTTCGN", words: "compact network of Ultimate Tic-Tac-Toe", version: 1 };

const BUILT_IN: &[u8] = include_bytes!("../../../data/uttt/compact.bin");

/// The heads of the CodinGame rule: the second half.
const OWN_HEADS: usize = HEADS / 2;

/// The numbers of a compact network. The file is these lists, one after another, little-endian.
#[derive(Clone, PartialEq, Debug)]
pub struct Compact {
    /// [`FACTORS`] numbers of the first board of each orbit, then as many for its part as the forced board; in units of 1/32.
    boards: Vec<i8>,
    /// The matrices of the places, as in [`Weights::places`]; in units of 1/128.
    places: Vec<i8>,
    /// As in [`Weights`].
    any: Vec<i16>,
    /// As in [`Weights`], for the heads of the CodinGame rule.
    output: Vec<i16>,
    /// The same.
    output_bias: Vec<i32>,
}

const BOARDS: usize = 2 * ORBITS * FACTORS;
const PLACES: usize = 18 * FACTORS * WIDTH;
const ANY: usize = 2 * WIDTH;
const OUTPUT: usize = OWN_HEADS * WIDTH;

/// For a number of the full network that the compact one lacks: the heads of the standard rule.
const NOWHERE: u32 = u32::MAX;

/// For each number of the full network, in the order of [`Weights::quantised`], its place in the compact one.
static PLACE_OF: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let numbers = Numbering::get();
    // By board: the number of its orbit, and the symmetry that takes the first board of the orbit to it.
    let mut orbit_of = vec![None; LOCAL_BOARDS];
    let mut orbits = 0;
    for board in 0..LOCAL_BOARDS {
        if orbit_of[board].is_none() {
            for sym in Sym::ALL {
                orbit_of[usize::from(numbers.image(board as u16, sym))].get_or_insert((orbits, sym));
            }
            orbits += 1;
        }
    }
    assert_eq!(orbits, ORBITS, "the orbits of the local boards");
    let mut places = Vec::with_capacity(Weights::COUNT);
    for part in 0..2 {
        for (orbit, sym) in orbit_of.iter().flatten() {
            let stored = |factor: usize| factor & !7 | sym.then(Sym::ALL[factor & 7]).index();
            places.extend((0..FACTORS).map(|factor| ((part * ORBITS + orbit) * FACTORS + stored(factor)) as u32));
        }
    }
    let mut next = BOARDS as u32;
    let mut as_many = |places: &mut Vec<u32>, count: usize| {
        places.extend(next..next + count as u32);
        next += count as u32;
    };
    as_many(&mut places, PLACES + ANY);
    for count in [OUTPUT, OWN_HEADS] {
        places.extend([NOWHERE].repeat(count));
        as_many(&mut places, count);
    }
    places
});

impl Compact {
    /// Numbers of a compact network.
    pub const COUNT: usize = BOARDS + PLACES + ANY + OUTPUT + OWN_HEADS;

    const BYTES: usize = BOARDS + PLACES + 2 * (ANY + OUTPUT) + 4 * OWN_HEADS;

    /// The network that comes with the program.
    #[must_use]
    pub fn built_in() -> Self {
        Self::of_bytes(BUILT_IN, Path::new("compact.bin")).unwrap_or_else(|error| panic!("the built-in {error}"))
    }

    /// Reads a file that is in memory; the path is for the error.
    ///
    /// # Errors
    /// If it is not a compact network of this version, or damaged.
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, StoreError> {
        let body = store::open(path, KIND, bytes, true)?;
        if body.len() != Self::BYTES {
            let (found, expected) = (body.len() as u64, Self::BYTES as u64);
            return Err(StoreError::Length { path: path.to_owned(), found, expected });
        }
        let (boards, rest) = body.split_at(BOARDS);
        let (places, rest) = rest.split_at(PLACES);
        let (words, bias) = rest.split_at(2 * (ANY + OUTPUT));
        let words: Vec<i16> = words.as_chunks::<2>().0.iter().map(|word| i16::from_le_bytes(*word)).collect();
        Ok(Self {
            boards: boards.iter().map(|&byte| byte as i8).collect(),
            places: places.iter().map(|&byte| byte as i8).collect(),
            any: words[..ANY].to_vec(),
            output: words[ANY..].to_vec(),
            output_bias: bias.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word)).collect(),
        })
    }

    /// The body of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.boards.iter().chain(&self.places).map(|&number| number as u8).collect();
        bytes.extend(self.any.iter().chain(&self.output).flat_map(|word| word.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// Any error of the system.
    #[cfg(feature = "files")]
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        store::write_whole(path, KIND, |out| out.write_all(&self.bytes()))
    }

    /// From the numbers that the trainer uses, not scaled: boards, places, `any`, output, output bias.
    ///
    /// # Panics
    /// If there are more or fewer numbers than [`Self::COUNT`].
    #[must_use]
    pub fn quantised(numbers: &[f32]) -> Self {
        assert_eq!(numbers.len(), Self::COUNT, "the numbers of one network");
        let byte = |unit: i32| move |number: &f32| (number * unit as f32).round().clamp(-127.0, 127.0) as i8;
        let word = |unit: i32| move |number: &f32| (number * unit as f32).round().clamp(-32767.0, 32767.0) as i16;
        let (boards, rest) = numbers.split_at(BOARDS);
        let (places, rest) = rest.split_at(PLACES);
        let (any, rest) = rest.split_at(ANY);
        let (output, output_bias) = rest.split_at(OUTPUT);
        Self {
            boards: boards.iter().map(byte(BOARD_UNIT)).collect(),
            places: places.iter().map(byte(PLACE_UNIT)).collect(),
            any: any.iter().map(word(UNIT)).collect(),
            output: output.iter().map(word(OUTPUT_UNIT)).collect(),
            output_bias: output_bias.iter().map(|bias| (bias * (UNIT * OUTPUT_UNIT) as f32).round() as i32).collect(),
        }
    }

    /// The numbers of the full network from those of a compact one, not scaled. The heads of the standard rule are 0.
    #[must_use]
    pub fn written_out(numbers: &[f32]) -> Vec<f32> {
        PLACE_OF.iter().map(|&place| numbers.get(place as usize).copied().unwrap_or(0.0)).collect()
    }

    /// The numbers of a compact network from those of a full one: for each its last place there.
    #[must_use]
    pub fn chosen(numbers: &[f32]) -> Vec<f32> {
        let mut chosen = vec![0.0; Self::COUNT];
        for (&place, &number) in PLACE_OF.iter().zip(numbers) {
            if place != NOWHERE {
                chosen[place as usize] = number;
            }
        }
        chosen
    }

    /// The gradient of the compact numbers from that of the full ones: a number that stands in many places has the sum.
    #[must_use]
    pub fn gathered(gradient: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; Self::COUNT];
        for (&place, &slope) in PLACE_OF.iter().zip(gradient) {
            if place != NOWHERE {
                sums[place as usize] += slope;
            }
        }
        sums
    }

    /// The same network in the full form.
    #[must_use]
    pub fn weights(&self) -> Weights {
        let numbers: Vec<f32> = [
            self.boards.iter().map(|&number| f32::from(number) / BOARD_UNIT as f32).collect::<Vec<_>>(),
            self.places.iter().map(|&number| f32::from(number) / PLACE_UNIT as f32).collect(),
            self.any.iter().map(|&number| f32::from(number) / UNIT as f32).collect(),
            self.output.iter().map(|&number| f32::from(number) / OUTPUT_UNIT as f32).collect(),
            self.output_bias.iter().map(|&number| number as f32 / (UNIT * OUTPUT_UNIT) as f32).collect(),
        ]
        .concat();
        Weights::quantised(&Self::written_out(&numbers))
    }
}
