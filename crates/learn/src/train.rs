//! The trainer: Adam on random batches with random symmetries, a learning rate that falls like a cosine, checkpoints.
//!
//! With one seed, one plan and the same shards the result is the same: the batch is split into a fixed number of parts,
//! whatever number of threads computes them, and a run that goes on from a checkpoint ends where an uninterrupted one does.

use crate::LearnError;
use crate::model::{self, Sample, Workspace};
use crate::shard::Record;
use engine::store::{self, Kind, StoreError};
use engine::uttt::network::Weights;
use engine::uttt::network::compact::Compact;
use engine::uttt::network::local::Numbering;
use grid::{Rng, Sym};
use search::Control;
use std::borrow::Cow;
use std::path::Path;

/// Which network is trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// The network of the engine, for both rules.
    #[default]
    Full,
    /// The network of the bundle, for the CodinGame rule: a full network with equal numbers in many places.
    Compact,
}

impl Shape {
    /// Whether a record is of a rule that this network knows.
    fn learns_from(self, record: &Record) -> bool {
        self == Self::Full || record.rule == 1
    }

    /// The numbers of an untrained network.
    #[must_use]
    pub fn untrained(self, seed: u64) -> Vec<f32> {
        let numbers = model::untrained(seed);
        match self {
            Self::Full => numbers,
            Self::Compact => Compact::chosen(&numbers),
        }
    }

    /// The numbers of the full network.
    #[must_use]
    pub fn written_out(self, numbers: &[f32]) -> Cow<'_, [f32]> {
        match self {
            Self::Full => numbers.into(),
            Self::Compact => Compact::written_out(numbers).into(),
        }
    }

    /// The gradient of its numbers from the gradient of the full network.
    #[must_use]
    pub fn gathered(self, gradient: &[f32]) -> Cow<'_, [f32]> {
        match self {
            Self::Full => gradient.into(),
            Self::Compact => Compact::gathered(gradient).into(),
        }
    }
}

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Which network.
    pub shape: Shape,
    /// How often each record is seen, on average.
    pub epochs: f32,
    /// Records of a step.
    pub batch: usize,
    /// The highest learning rate.
    pub rate: f32,
    /// The share of the search's value in the target; the rest is the result of the game.
    pub trust_in_search: f32,
    /// The seed of the start and of the order.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { shape: Shape::Full, epochs: 8.0, batch: 4096, rate: 0.004, trust_in_search: 0.7, seed: 1 }
    }
}

/// One record in this number is held out of the training, to measure the loss on what was never seen.
const HELD_OUT: usize = 50;
/// At most so many of them are measured.
const MEASURED: usize = 30_000;
/// The parts of a batch.
const PARTS: usize = 4;
/// Steps in which the learning rate rises.
const WARM_UP: usize = 100;
/// Measurements of a run.
const MEASUREMENTS: usize = 20;
/// Adam's memory of the gradient and of its square.
const MEMORY: [f32; 2] = [0.9, 0.999];

/// A point of the loss curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Steps done.
    pub step: usize,
    /// Mean loss of the batches since the last point.
    pub training: f64,
    /// Loss on records that were held out.
    pub held_out: f64,
}

/// A training run.
#[derive(Debug)]
pub struct Training {
    plan: Plan,
    training: Vec<Record>,
    held_out: Vec<Sample>,
    numbers: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    step: usize,
    /// The sum of the losses since the last point, and of how many steps.
    running: (f64, usize),
    curve: Vec<Point>,
}

impl Training {
    /// A run from the start.
    #[must_use]
    pub fn new(plan: Plan, records: Vec<Record>) -> Self {
        let (mut training, mut held_out) = (Vec::with_capacity(records.len()), Vec::new());
        for (place, record) in records.into_iter().filter(|record| plan.shape.learns_from(record)).enumerate() {
            if place % HELD_OUT == HELD_OUT - 1 {
                held_out.push(Sample::new(&record, plan.trust_in_search));
            } else {
                training.push(record);
            }
        }
        held_out.truncate(MEASURED);
        let numbers = plan.shape.untrained(plan.seed);
        let empty = vec![0.0; numbers.len()];
        let (means, squares) = (empty.clone(), empty);
        Self { plan, training, held_out, numbers, means, squares, step: 0, running: (0.0, 0), curve: Vec::new() }
    }

    /// Steps of the whole run.
    #[must_use]
    pub fn steps(&self) -> usize {
        ((self.plan.epochs * self.training.len() as f32 / self.plan.batch as f32) as usize).max(1)
    }

    /// Steps done.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// The loss curve so far.
    #[must_use]
    pub fn curve(&self) -> &[Point] {
        &self.curve
    }

    /// The network so far, as it plays.
    #[must_use]
    pub fn weights(&self) -> Weights {
        match self.plan.shape {
            Shape::Full => Weights::quantised(&self.numbers),
            Shape::Compact => Compact::quantised(&self.numbers).weights(),
        }
    }

    /// Writes the network so far, whole or not at all.
    ///
    /// # Errors
    /// Any error of the system.
    pub fn write(&self, path: &Path) -> Result<(), LearnError> {
        Ok(match self.plan.shape {
            Shape::Full => Weights::quantised(&self.numbers).write(path),
            Shape::Compact => Compact::quantised(&self.numbers).write(path),
        }?)
    }

    /// Trains to the end, or until the control stops it; `at_point` is called at each point of the curve.
    ///
    /// # Errors
    /// If the control stops the run, or `at_point` fails. The state is then that after the last complete step.
    pub fn run(
        &mut self,
        control: &Control<'_>,
        at_point: &mut dyn FnMut(&Self) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        let steps = self.steps();
        let every = (steps / MEASUREMENTS).max(1);
        let mut parts: Vec<Part> = (0..PARTS).map(|_| Part::new(Weights::COUNT)).collect();
        while self.step < steps {
            control.check()?;
            let loss = self.one_step(&mut parts, control.thread_count());
            self.running = (self.running.0 + loss, self.running.1 + 1);
            if self.step.is_multiple_of(every) || self.step == steps {
                let training = self.running.0 / self.running.1 as f64;
                self.curve.push(Point { step: self.step, training, held_out: self.loss() });
                self.running = (0.0, 0);
                at_point(self)?;
            }
            control.report(self.step as u64, steps as u64);
        }
        Ok(())
    }

    /// The loss on the records that were held out.
    #[must_use]
    pub fn loss(&self) -> f64 {
        let answers = Workspace::default().answers(&self.plan.shape.written_out(&self.numbers), &self.held_out);
        let losses =
            answers.iter().zip(&self.held_out).map(|(&answer, sample)| model::cross_entropy(answer, sample.target()));
        losses.sum::<f64>() / self.held_out.len().max(1) as f64
    }

    /// One step of Adam. Returns the mean loss of the batch.
    fn one_step(&mut self, parts: &mut [Part], threads: usize) -> f64 {
        let size = (self.plan.batch / PARTS).max(1);
        let seed = grid::mix(self.plan.seed).wrapping_add((self.step * PARTS) as u64);
        let share = PARTS.div_ceil(threads.clamp(1, PARTS));
        let (records, plan) = (&self.training, &self.plan);
        let numbers = &*plan.shape.written_out(&self.numbers);
        let work = |(place, parts): (usize, &mut [Part])| {
            for (part, number) in parts.iter_mut().zip(place * share..) {
                part.compute(numbers, records, plan, seed.wrapping_add(number as u64), size);
            }
        };
        std::thread::scope(|scope| {
            let mut shares = parts.chunks_mut(share).enumerate();
            let own = shares.next();
            for other in shares {
                scope.spawn(move || work(other));
            }
            own.into_iter().for_each(work);
        });
        self.step += 1;
        self.adjust(parts, 1.0 / (size * PARTS) as f32);
        parts.iter().map(|part| part.loss).sum::<f64>() / (size * PARTS) as f64
    }

    /// Moves every number against its gradient, which is then cleared.
    fn adjust(&mut self, parts: &mut [Part], scale: f32) {
        let done = self.step as f32 / self.steps() as f32;
        let warm = (self.step as f32 / WARM_UP as f32).min(1.0);
        let rate = self.plan.rate * warm * (0.5 * (1.0 + (std::f32::consts::PI * done).cos())).max(0.01);
        let [unbiased, unbiased_square] = MEMORY.map(|memory| 1.0 - memory.powi(self.step.min(100_000) as i32));
        let (first, rest) = parts.split_at_mut(1);
        for part in rest {
            for (sum, more) in first[0].gradient.iter_mut().zip(&mut part.gradient) {
                *sum += std::mem::take(more);
            }
        }
        let gradients = self.plan.shape.gathered(&first[0].gradient);
        let numbers = self.numbers.iter_mut().zip(&*gradients);
        for ((number, &gradient), (mean, square)) in numbers.zip(self.means.iter_mut().zip(&mut self.squares)) {
            let gradient = gradient * scale;
            *mean += (1.0 - MEMORY[0]) * (gradient - *mean);
            *square += (1.0 - MEMORY[1]) * (gradient * gradient - *square);
            *number -= rate * (*mean / unbiased) / ((*square / unbiased_square).sqrt() + 1e-8);
        }
        first[0].gradient.fill(0.0);
    }

    /// What tells this run from others: the plan and the data. The number of numbers tells the shape.
    fn identity(&self) -> [u64; 6] {
        let Plan { shape: _, epochs, batch, rate, trust_in_search, seed } = self.plan;
        let records = self.training.iter().fold(self.training.len() as u64, |sum, record| {
            grid::mix(sum ^ u64::from(record.value.to_bits()) ^ u64::from(record.boards[4]) << 32)
        });
        let bits = |number: f32| u64::from(number.to_bits());
        [bits(epochs), batch as u64, bits(rate), bits(trust_in_search), seed, records]
    }

    /// Writes the state of the run, whole or not at all.
    ///
    /// # Errors
    /// Any error of the system.
    pub fn save(&self, path: &Path) -> Result<(), LearnError> {
        let mut bytes = Vec::new();
        let words =
            self.identity().into_iter().chain([self.step, self.running.1, self.curve.len()].map(|word| word as u64));
        words.chain([self.running.0.to_bits()]).for_each(|word| bytes.extend(word.to_le_bytes()));
        for point in &self.curve {
            for word in [point.step as u64, point.training.to_bits(), point.held_out.to_bits()] {
                bytes.extend(word.to_le_bytes());
            }
        }
        for list in [&self.numbers, &self.means, &self.squares] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        Ok(store::write_whole(path, CHECKPOINT, |out| out.write_all(&bytes))?)
    }

    /// Goes on from a state that [`save`](Self::save) wrote for the same plan and data.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another run.
    pub fn resume(&mut self, path: &Path) -> Result<(), LearnError> {
        let bytes = std::fs::read(path).map_err(|error| StoreError::io(path, error))?;
        let body = store::open(path, CHECKPOINT, &bytes, true)?;
        let other = || LearnError::Checkpoint { path: path.to_owned() };
        let (words, _) = body.as_chunks::<8>();
        let word = |at: usize| words.get(at).map(|word| u64::from_le_bytes(*word)).ok_or_else(other);
        for (at, own) in self.identity().into_iter().enumerate() {
            if word(at)? != own {
                return Err(other());
            }
        }
        let (step, since, points) = (word(6)? as usize, word(7)? as usize, word(8)? as usize);
        let running = (f64::from_bits(word(9)?), since);
        let numbers_at = points.checked_mul(24).and_then(|curve| curve.checked_add(80)).ok_or_else(other)?;
        let rest = body.get(numbers_at..).filter(|rest| rest.len() == 3 * 4 * self.numbers.len()).ok_or_else(other)?;
        let mut curve = Vec::with_capacity(points);
        for at in (10..).step_by(3).take(points) {
            let [training, held_out] = [f64::from_bits(word(at + 1)?), f64::from_bits(word(at + 2)?)];
            curve.push(Point { step: word(at)? as usize, training, held_out });
        }
        let mut numbers = rest.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
        for list in [&mut self.numbers, &mut self.means, &mut self.squares] {
            list.iter_mut().zip(&mut numbers).for_each(|(to, from)| *to = from);
        }
        (self.step, self.running, self.curve) = (step, running, curve);
        Ok(())
    }
}

const CHECKPOINT: Kind = Kind { name: *b"NFUTTCKP", words: "checkpoint of a training run", version: 1 };

/// A part of a batch, computed by one thread.
struct Part {
    gradient: Vec<f32>,
    workspace: Workspace,
    samples: Vec<Sample>,
    loss: f64,
}

impl Part {
    fn new(numbers: usize) -> Self {
        Self { gradient: vec![0.0; numbers], workspace: Workspace::default(), samples: Vec::new(), loss: 0.0 }
    }

    /// The gradient of random records, each seen through a random symmetry.
    fn compute(&mut self, numbers: &[f32], records: &[Record], plan: &Plan, seed: u64, size: usize) {
        let (mut rng, boards) = (Rng::new(seed), Numbering::get());
        self.samples.clear();
        for _ in 0..size {
            let record = &records[(rng.next_word() % records.len() as u64) as usize];
            let image = record.image(boards, Sym::ALL[rng.below(8) as usize]);
            self.samples.push(Sample::new(&image, plan.trust_in_search));
        }
        self.loss = self.workspace.learn(numbers, &self.samples, &mut self.gradient);
    }
}
