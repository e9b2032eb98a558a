//! The learned evaluation: a network in integers whose inputs are whole local boards.
//!
//! ```text
//! nine local boards, each one of 11,096        the forced board once more, or "any"
//!        |  one row of 64 numbers each                |  one row
//!        +---------------------> sum + bias <---------+
//!                                   | each of the 64 clipped to 0..=255
//!              64 weights by rule and forced board  ->  logit  ->  share of a win
//! ```
//!
//! A network that sees single stones must learn what a line is. This one is told which of 11,096 boards each local board is, so
//! 64 hidden units know more than 256 on stones (`bench/LOG.md`). A row is not stored: it is the product of 32 numbers of its
//! local board, the same for all nine places, and a matrix of its place. The file holds these factors (1.5 MB); the rows are
//! multiplied out when the network is loaded (26 MB).
//!
//! A move changes one local board, so all children of a position come from one sum: `sum - old row + new row + forced row`.
//! Everything up to the logit is computed in integers, so every instruction set gives the same digits.

pub mod compact;
mod estimate;
mod judge;
pub mod local;

use crate::store::{self, Kind, StoreError};
use grid::simd::{Isa, Simd, dispatch};
use local::LOCAL_BOARDS;
use std::path::Path;
use std::sync::{Arc, LazyLock};

pub(super) use estimate::NetworkEstimate;
pub use judge::NetworkJudge;

/// Hidden units.
pub const WIDTH: usize = 64;
/// Numbers of a local board from which its rows are made.
pub const FACTORS: usize = 32;
/// Output heads: rule (standard, CodinGame) times forced board (nine, or any).
pub const HEADS: usize = 20;

/// The value 1 of a hidden unit, of an output weight, and of a factor. A row is a product of two factors.
const UNIT: i32 = 255;
const OUTPUT_UNIT: i32 = 256;
const FACTOR_UNIT: i32 = 1024;

/// The network on disk.
pub const KIND: Kind = Kind { name: *b"NFUTTNET", words: "network of Ultimate Tic-Tac-Toe", version: 1 };

const BUILT_IN: &[u8] = include_bytes!("../../../data/uttt/network.bin");

/// The numbers of a network as they are trained and stored: the file is these lists, one after another, as 16-bit integers,
/// and the output bias as 32-bit integers.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// [`FACTORS`] numbers of each local board, then as many for its part as the forced board; in units of 1/1024.
    pub boards: Vec<i16>,
    /// For each of the nine places a matrix of [`FACTORS`] times [`WIDTH`], then the same for the forced board; in units of
    /// 1/1024.
    pub places: Vec<i16>,
    /// The row for a free choice of the board, and the bias; in units of 1/255.
    pub any: Vec<i16>,
    /// For each head [`WIDTH`] numbers, in units of 1/256.
    pub output: Vec<i16>,
    /// For each head one number, in units of the product of both.
    pub output_bias: Vec<i32>,
}

impl Weights {
    const BOARDS: usize = 2 * LOCAL_BOARDS * FACTORS;
    const PLACES: usize = 18 * FACTORS * WIDTH;
    const ANY: usize = 2 * WIDTH;
    const OUTPUT: usize = HEADS * WIDTH;
    const BYTES: usize = 2 * (Self::BOARDS + Self::PLACES + Self::ANY + Self::OUTPUT) + 4 * HEADS;

    /// From the numbers that the trainer uses: the same lists in the same order, not scaled.
    ///
    /// # Panics
    /// If there are more or fewer numbers than [`Self::COUNT`].
    #[must_use]
    pub fn quantised(numbers: &[f32]) -> Self {
        assert_eq!(numbers.len(), Self::COUNT, "the numbers of one network");
        let scaled = |unit: i32| move |number: &f32| (number * unit as f32).round().clamp(-32767.0, 32767.0) as i16;
        let (boards, rest) = numbers.split_at(Self::BOARDS);
        let (places, rest) = rest.split_at(Self::PLACES);
        let (any, rest) = rest.split_at(Self::ANY);
        let (output, output_bias) = rest.split_at(Self::OUTPUT);
        Self {
            boards: boards.iter().map(scaled(FACTOR_UNIT)).collect(),
            places: places.iter().map(scaled(FACTOR_UNIT)).collect(),
            any: any.iter().map(scaled(UNIT)).collect(),
            output: output.iter().map(scaled(OUTPUT_UNIT)).collect(),
            output_bias: output_bias
                .iter()
                .map(|number| (number * (UNIT * OUTPUT_UNIT) as f32).round() as i32)
                .collect(),
        }
    }

    /// Numbers of a network.
    pub const COUNT: usize = Self::BOARDS + Self::PLACES + Self::ANY + Self::OUTPUT + HEADS;

    fn read(body: &[u8]) -> Option<Self> {
        if body.len() != Self::BYTES {
            return None;
        }
        let mut rest = body;
        let mut words = |count: usize| {
            let (now, after) = rest.split_at(2 * count);
            rest = after;
            now.chunks_exact(2).map(|word| i16::from_le_bytes([word[0], word[1]])).collect::<Vec<_>>()
        };
        let (boards, places, any, output) =
            (words(Self::BOARDS), words(Self::PLACES), words(Self::ANY), words(Self::OUTPUT));
        let (bias, _) = rest.as_chunks::<4>();
        Some(Self {
            boards,
            places,
            any,
            output,
            output_bias: bias.iter().map(|word| i32::from_le_bytes(*word)).collect(),
        })
    }

    /// Writes a network file, whole or not at all.
    ///
    /// # Errors
    /// Any error of the system.
    #[cfg(feature = "files")]
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        store::write_whole(path, KIND, |out| {
            for list in [&self.boards, &self.places, &self.any, &self.output] {
                let bytes: Vec<u8> = list.iter().flat_map(|word| word.to_le_bytes()).collect();
                out.write_all(&bytes)?;
            }
            self.output_bias.iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))
        })
    }
}

type Row = [i16; WIDTH];

/// A network that is ready to judge.
#[derive(Debug)]
pub struct Network {
    /// For each place and local board.
    rows: Vec<Row>,
    /// For each forced board and local board.
    forced: Vec<Row>,
    any: Row,
    bias: Row,
    output: [Row; HEADS],
    output_bias: [i32; HEADS],
}

impl Network {
    /// The network that comes with the program.
    #[must_use]
    pub fn built_in() -> Arc<Self> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::of_bytes(BUILT_IN, Path::new("network.bin"));
            Arc::new(network.unwrap_or_else(|error| panic!("the built-in {error}")))
        });
        NETWORK.clone()
    }

    /// Reads a network file that is in memory; the path is for the error.
    ///
    /// # Errors
    /// If it is not a network of this version and shape, or damaged.
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, StoreError> {
        let body = store::open(path, KIND, bytes, true)?;
        let wrong =
            || StoreError::Length { path: path.to_owned(), found: body.len() as u64, expected: Weights::BYTES as u64 };
        Weights::read(body).map(|weights| Self::new(&weights)).ok_or_else(wrong)
    }

    /// A number that tells networks apart: equal networks have the same one.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let rows = self.rows.iter().chain(&self.forced).chain([&self.any, &self.bias]).chain(&self.output);
        let words = rows.flatten().map(|&word| i64::from(word)).chain(self.output_bias.iter().map(|&word| word.into()));
        words.fold(0, |sum, word| grid::mix(sum ^ word as u64))
    }

    /// Multiplies the factors out.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let row = |list: &[i16], at: usize| -> Row { std::array::from_fn(|unit| list[at * WIDTH + unit]) };
        let (boards, forced_boards) = weights.boards.split_at(LOCAL_BOARDS * FACTORS);
        let (places, forced_places) = weights.places.split_at(9 * FACTORS * WIDTH);
        Self {
            rows: rows(boards, places),
            forced: rows(forced_boards, forced_places),
            any: row(&weights.any, 0),
            bias: row(&weights.any, 1),
            output: std::array::from_fn(|head| row(&weights.output, head)),
            output_bias: std::array::from_fn(|head| weights.output_bias[head]),
        }
    }
}

/// The largest factor that counts, eight units: the sum of 32 products of two of them fits in 32 bits.
const LARGEST: i16 = 8191;

/// For each place and local board the product of its factors and the matrix of the place. 410 million products: a program that
/// answers one question waits for them, so they are computed with the machine's best instructions.
fn rows(boards: &[i16], places: &[i16]) -> Vec<Row> {
    let bounded = |list: &[i16]| list.iter().map(|factor| (*factor).clamp(-LARGEST, LARGEST)).collect::<Vec<_>>();
    let (boards, places) = (bounded(boards), bounded(places));
    dispatch!(Isa::detect().level(), simd => rows_by(simd, &boards, &places))
}

#[inline(always)]
fn rows_by<S: Simd>(simd: S, boards: &[i16], places: &[i16]) -> Vec<Row> {
    simd.vectorize(
        #[inline(always)]
        || multiplied(boards, places),
    )
}

#[inline(always)]
fn multiplied(boards: &[i16], places: &[i16]) -> Vec<Row> {
    let mut rows = Vec::with_capacity(9 * LOCAL_BOARDS);
    for place in places.chunks_exact(FACTORS * WIDTH) {
        for board in boards.chunks_exact(FACTORS) {
            let mut sums = [0_i32; WIDTH];
            for (factor, matrix) in board.iter().zip(place.as_chunks::<WIDTH>().0) {
                for (sum, &weight) in sums.iter_mut().zip(matrix) {
                    *sum = sum.wrapping_add(i32::from(*factor).wrapping_mul(i32::from(weight)));
                }
            }
            // A square of the factors' unit becomes the unit of a hidden unit.
            let scale = |sum: i32| (i64::from(sum) * i64::from(UNIT) + (1 << 19)) >> 20;
            rows.push(sums.map(|sum| scale(sum).clamp(-32767, 32767) as i16));
        }
    }
    rows
}
