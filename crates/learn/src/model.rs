//! The network with real numbers: its answer, and the gradient of its loss.
//!
//! The numbers are in the order of [`Weights::quantised`]: factors of the local boards, then of the forced one; matrices of
//! the places, then of the forced one; the row for a free choice; the bias; the output weights; the output bias.
//!
//! A row of the network is a product, the same for every position in which that local board stands in that place. Positions
//! of one batch share most of their rows, so each row is multiplied out once per batch, and its gradient is collected before
//! it is carried back to the factors: about five times as fast as position by position (`bench/LOG.md`).
//!
//! A batch is computed on the best instruction set of the machine. No product is fused with its sum, so all give the same
//! digits; `mul_add` is a call of the mathematics library where the machine of the build has no such instruction.

use crate::shard::Record;
use engine::uttt::network::local::LOCAL_BOARDS;
use engine::uttt::network::{FACTORS, HEADS, WIDTH, Weights};
use grid::Rng;
use grid::simd::{Isa, dispatch};

const FORCED_BOARDS: usize = LOCAL_BOARDS * FACTORS;
const PLACES: usize = 2 * FORCED_BOARDS;
const FORCED_PLACES: usize = PLACES + 9 * FACTORS * WIDTH;
const ANY: usize = FORCED_PLACES + 9 * FACTORS * WIDTH;
const BIAS: usize = ANY + WIDTH;
const OUTPUT: usize = BIAS + WIDTH;
const OUTPUT_BIAS: usize = OUTPUT + HEADS * WIDTH;
const _: () = assert!(OUTPUT_BIAS + HEADS == Weights::COUNT);

type Row = [f32; WIDTH];

#[inline(always)]
fn row(numbers: &[f32], at: usize) -> &Row {
    numbers[at..].first_chunk().expect("the lists are long enough")
}

#[inline(always)]
fn row_mut(numbers: &mut [f32], at: usize) -> &mut Row {
    numbers[at..].first_chunk_mut().expect("the lists are long enough")
}

/// A number between -1 and 1.
fn uniform(rng: &mut Rng) -> f32 {
    (rng.next_word() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
}

/// The numbers of an untrained network.
#[must_use]
pub fn untrained(seed: u64) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    let mut numbers = vec![0.0; Weights::COUNT];
    numbers[..PLACES].fill_with(|| 0.5 * uniform(&mut rng));
    let scale = 0.5 / (FACTORS as f32).sqrt();
    numbers[PLACES..ANY].fill_with(|| scale * uniform(&mut rng));
    numbers[BIAS..OUTPUT].fill_with(|| 0.3 + 0.2 * uniform(&mut rng));
    numbers[OUTPUT..OUTPUT_BIAS].fill_with(|| 0.3 * uniform(&mut rng));
    numbers
}

/// A question to the network: the inputs, and what it shall answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    boards: [u16; 9],
    next: u8,
    head: u8,
    target: f32,
}

impl Sample {
    /// What the network shall learn from a record.
    #[must_use]
    pub fn new(record: &Record, trust_in_search: f32) -> Self {
        let head = 10 * record.rule + record.next;
        Self { boards: record.boards, next: record.next, head, target: record.target(trust_in_search) }
    }

    /// What the network shall answer.
    #[must_use]
    pub fn target(&self) -> f32 {
        self.target
    }

    /// The ten rows it takes, by place and local board; the last is none if no board is forced.
    fn rows(&self) -> [Option<usize>; 10] {
        std::array::from_fn(|place| {
            if place < 9 {
                return Some(place * LOCAL_BOARDS + usize::from(self.boards[place]));
            }
            let next = usize::from(self.next);
            self.boards.get(next).map(|&board| (9 + next) * LOCAL_BOARDS + usize::from(board))
        })
    }
}

/// Where the factors of a row are: those of the board, and the matrix of the place.
fn factors(row: usize) -> (usize, usize) {
    let (place, board) = (row / LOCAL_BOARDS, row % LOCAL_BOARDS);
    if place < 9 {
        (board * FACTORS, PLACES + place * FACTORS * WIDTH)
    } else {
        (FORCED_BOARDS + board * FACTORS, FORCED_PLACES + (place - 9) * FACTORS * WIDTH)
    }
}

/// Room for the rows of a batch, used again and again.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The batch that a row was last used in, and its place in that batch.
    seen: Vec<(u32, u32)>,
    batch: u32,
    used: Vec<usize>,
    rows: Vec<f32>,
    gradients: Vec<f32>,
    index: Vec<[u32; 10]>,
}

const NONE: u32 = u32::MAX;

impl Workspace {
    /// Multiplies out every row of a batch once.
    #[inline(always)]
    fn prepare(&mut self, numbers: &[f32], samples: &[Sample]) {
        self.seen.resize(18 * LOCAL_BOARDS, (0, 0));
        self.batch += 1;
        self.used.clear();
        self.index.clear();
        for sample in samples {
            let places = sample.rows().map(|row| {
                let Some(row) = row else { return NONE };
                if self.seen[row].0 != self.batch {
                    self.seen[row] = (self.batch, self.used.len() as u32);
                    self.used.push(row);
                }
                self.seen[row].1
            });
            self.index.push(places);
        }
        self.rows.clear();
        self.rows.resize(self.used.len() * WIDTH, 0.0);
        for (&used, out) in self.used.iter().zip(self.rows.as_chunks_mut::<WIDTH>().0) {
            let (board, place) = factors(used);
            for factor in 0..FACTORS {
                let weight = numbers[board + factor];
                for (sum, &number) in out.iter_mut().zip(row(numbers, place + factor * WIDTH)) {
                    *sum += number * weight;
                }
            }
        }
    }

    /// The hidden units of a sample, before they are clipped.
    #[inline(always)]
    fn units(&self, numbers: &[f32], places: &[u32; 10]) -> Row {
        let mut units = *row(numbers, BIAS);
        for &place in places {
            let more = if place == NONE { row(numbers, ANY) } else { row(&self.rows, place as usize * WIDTH) };
            for (unit, &more) in units.iter_mut().zip(more) {
                *unit += more;
            }
        }
        units
    }

    /// The answers to a batch, as shares of a win.
    pub fn answers(&mut self, numbers: &[f32], samples: &[Sample]) -> Vec<f32> {
        dispatch!(Isa::detect().level(), _simd => self.answers_here(numbers, samples))
    }

    #[inline(always)]
    fn answers_here(&mut self, numbers: &[f32], samples: &[Sample]) -> Vec<f32> {
        self.prepare(numbers, samples);
        let answer = |(sample, places): (&Sample, &[u32; 10])| {
            output(numbers, sample.head.into(), &self.units(numbers, places).map(clipped))
        };
        samples.iter().zip(&self.index).map(answer).collect()
    }

    /// Adds the gradient of the loss of a batch, and returns the loss: the cross entropy, summed.
    pub fn learn(&mut self, numbers: &[f32], samples: &[Sample], gradient: &mut [f32]) -> f64 {
        dispatch!(Isa::detect().level(), _simd => self.learn_here(numbers, samples, gradient))
    }

    #[inline(always)]
    fn learn_here(&mut self, numbers: &[f32], samples: &[Sample], gradient: &mut [f32]) -> f64 {
        self.prepare(numbers, samples);
        self.gradients.clear();
        self.gradients.resize(self.rows.len(), 0.0);
        let mut loss = 0.0;
        for (at, sample) in samples.iter().enumerate() {
            let places = self.index[at];
            let units = self.units(numbers, &places);
            let active = units.map(clipped);
            let head = usize::from(sample.head);
            let answer = output(numbers, head, &active);
            loss += cross_entropy(answer, sample.target);
            let error = answer - sample.target;
            gradient[OUTPUT_BIAS + head] += error;
            let weights = row(numbers, OUTPUT + head * WIDTH);
            let mut back = [0.0; WIDTH];
            for (unit, back) in back.iter_mut().enumerate() {
                let is_open = 0.0 < units[unit] && units[unit] < 1.0;
                *back = if is_open { error * weights[unit] } else { 0.0 };
            }
            for (sum, &unit) in row_mut(gradient, OUTPUT + head * WIDTH).iter_mut().zip(&active) {
                *sum += error * unit;
            }
            add(row_mut(gradient, BIAS), &back);
            for place in places {
                let sum = if place == NONE {
                    row_mut(gradient, ANY)
                } else {
                    row_mut(&mut self.gradients, place as usize * WIDTH)
                };
                add(sum, &back);
            }
        }
        self.carry_back(numbers, gradient);
        loss
    }

    /// The gradient of the factors from the gradient of their products.
    #[inline(always)]
    fn carry_back(&self, numbers: &[f32], gradient: &mut [f32]) {
        for (&used, back) in self.used.iter().zip(self.gradients.as_chunks::<WIDTH>().0) {
            let (board, place) = factors(used);
            for factor in 0..FACTORS {
                let matrix = place + factor * WIDTH;
                gradient[board + factor] += dot(row(numbers, matrix), back);
                let weight = numbers[board + factor];
                for (sum, &back) in row_mut(gradient, matrix).iter_mut().zip(back) {
                    *sum += back * weight;
                }
            }
        }
    }
}

#[inline(always)]
fn clipped(unit: f32) -> f32 {
    unit.clamp(0.0, 1.0)
}

#[inline(always)]
fn add(sum: &mut Row, more: &Row) {
    for (sum, &more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

/// In 16 sums side by side, so that the compiler can use vectors.
#[inline(always)]
fn dot(a: &Row, b: &Row) -> f32 {
    let mut sums = [0.0_f32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn output(numbers: &[f32], head: usize, active: &Row) -> f32 {
    let logit = numbers[OUTPUT_BIAS + head] + dot(row(numbers, OUTPUT + head * WIDTH), active);
    1.0 / (1.0 + (-logit).exp())
}

/// The loss of an answer.
#[must_use]
pub fn cross_entropy(answer: f32, target: f32) -> f64 {
    let (answer, target) = (f64::from(answer.clamp(1e-6, 1.0 - 1e-6)), f64::from(target));
    -(target * answer.ln() + (1.0 - target) * (1.0 - answer).ln())
}
