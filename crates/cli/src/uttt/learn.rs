//! `selfplay` and `train`: how a network is made.

use super::network::{self, BUILT_IN};
use crate::count::count;
use crate::failure::Failure;
use crate::interrupt;
use crate::options::ThreadsOption;
use crate::output::{Output, note};
use crate::progress::watched;
use api::Limits;
use learn::LearnError;
use learn::selfplay::{self, Teacher};
use learn::shard;
use learn::train::{Plan, Point, Shape, Training};
use std::path::{Path, PathBuf};

/// Arguments of `selfplay`.
#[derive(clap::Args)]
pub(super) struct Selfplay {
    /// The folder of the shards. Those that are there already are kept, so the same command goes on after a stop
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Number of shards; each has 200 games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: u32,
    /// Visits per move
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    visits: u32,
    /// Tree nodes with so many visits become training data too; 0: none do
    #[arg(long, default_value_t = 48)]
    harvest: u32,
    /// Who plays: `built-in` (the network that comes with the program), `none` (alpha-beta without a network), or a file
    #[arg(long, default_value = BUILT_IN, value_name = "NETWORK")]
    network: String,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
}

/// Games of a shard.
const GAMES: u32 = 200;

impl Selfplay {
    /// Games of alpha-beta with the hand-made evaluation.
    pub(super) fn without_network(
        folder: PathBuf,
        shards: u32,
        visits: u32,
        seed: u64,
        threads: ThreadsOption,
    ) -> Self {
        Self { folder, shards, visits, harvest: 0, network: "none".to_owned(), seed, threads }
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        let teacher = match self.network.as_str() {
            "none" => Teacher::HandMade,
            name => Teacher::Network(network::named(name)?),
        };
        let &Self { shards, visits, harvest, seed, .. } = self;
        let plan = selfplay::Plan { folder: self.folder.clone(), shards, games: GAMES, visits, harvest, seed, teacher };
        let played = watched(&limits(self.threads), |control| selfplay::run(&plan, control));
        interrupt::check()?;
        let played = played?;
        let (written, kept) = (count(played.shards.into(), "shard", "shards"), played.kept);
        Output::new().line(format!("{written} written with {} positions; {kept} were there", played.records))
    }
}

/// Arguments of `train`.
#[derive(clap::Args)]
pub(super) struct Train {
    /// Folders of shards
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The network file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Who plays with it: `engine`, or `bundle` (the small network of `uttt bundle`, for the CodinGame rule alone)
    #[arg(long = "for", value_name = "PLAYER", default_value = "engine", value_parser = shape)]
    shape: Shape,
    /// How often each position is seen, on average
    #[arg(long, default_value_t = Plan::default().epochs)]
    epochs: f32,
    /// Positions of a step
    #[arg(long, default_value_t = Plan::default().batch as u32, value_parser = clap::value_parser!(u32).range(4..=1 << 20))]
    batch: u32,
    /// The highest learning rate
    #[arg(long, default_value_t = Plan::default().rate)]
    rate: f32,
    /// The share of the search's value in what is learned, from 0 to 1; the rest is the result of the game
    #[arg(long, default_value_t = Plan::default().trust_in_search)]
    trust: f32,
    /// Seed of the start and of the order
    #[arg(long, default_value_t = Plan::default().seed)]
    seed: u64,
    /// Checkpoint: go on from it if it exists; saved at every point of the loss curve and when the run is stopped
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write the loss curve: FILE.csv as a table, FILE.svg as a drawing
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
}

impl Train {
    /// A training run with the usual plan, on the games of one folder.
    pub(super) fn new(
        folder: PathBuf,
        out: PathBuf,
        epochs: f32,
        seed: u64,
        checkpoint: PathBuf,
        curve: PathBuf,
        threads: ThreadsOption,
    ) -> Self {
        let Plan { shape, batch, rate, trust_in_search: trust, .. } = Plan::default();
        let (checkpoint, curve) = (Some(checkpoint), Some(curve));
        Self {
            shape,
            folders: vec![folder],
            out,
            epochs,
            batch: batch as u32,
            rate,
            trust,
            seed,
            checkpoint,
            curve,
            threads,
        }
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let plan = Plan {
            shape: self.shape,
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            trust_in_search: self.trust,
            seed: self.seed,
        };
        let fault = if !(plan.epochs > 0.0 && plan.epochs <= 1000.0) {
            Some("--epochs is a number above 0, at most 1000")
        } else if !(plan.rate > 0.0 && plan.rate <= 1.0) {
            Some("--rate is a number above 0, at most 1")
        } else if !(0.0..=1.0).contains(&plan.trust_in_search) {
            Some("--trust is a number from 0 to 1")
        } else {
            None
        };
        fault.map_or(Ok(plan), |fault| Err(Failure::Usage(fault.to_owned())))
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        let plan = self.plan()?;
        let draws = self.curve.as_deref().map(curve_kind).transpose()?;
        let mut records = Vec::new();
        for folder in &self.folders {
            for path in shard::list(folder)? {
                records.extend(shard::read(&path)?);
                interrupt::check()?;
            }
        }
        let before = records.len();
        let merged = shard::merge(&mut records);
        let mut output = Output::new();
        output.line(format!("{before} positions, {merged} of them the same as others"))?;
        let mut run = Training::new(plan, records);
        if let Some(path) = self.checkpoint.as_deref().filter(|path| path.exists()) {
            run.resume(path)?;
            output.line(format!("goes on from {}: {} of {} steps", path.display(), run.step(), run.steps()))?;
        }
        let mut failed = None;
        let trained = watched(&limits(self.threads), |control| {
            run.run(control, &mut |run| {
                if let (Some(point), None) = (run.curve().last(), &failed) {
                    failed = output.line(words(point, run.steps())).err();
                }
                self.checkpoint.as_deref().map_or(Ok(()), |path| run.save(path))
            })
        });
        if let (Err(LearnError::Stopped(_)), Some(path)) = (&trained, &self.checkpoint) {
            run.save(path)?;
            note(format_args!("saved: run the same command again to resume from {}", path.display()));
        }
        interrupt::check()?;
        trained?;
        failed.map_or(Ok(()), Err)?;
        run.write(&self.out)?;
        if let (Some(path), Some(draw)) = (&self.curve, draws) {
            api::files::write(path, draw(run.curve()).as_bytes())?;
        }
        output.line(format!("network written: {}", self.out.display()))
    }
}

fn shape(name: &str) -> Result<Shape, String> {
    match name {
        "engine" => Ok(Shape::Full),
        "bundle" => Ok(Shape::Compact),
        _ => Err("the players are engine and bundle".to_owned()),
    }
}

fn limits(threads: ThreadsOption) -> Limits {
    let mut limits = Limits::default();
    limits.threads = u32::try_from(threads.get().get()).ok();
    limits
}

fn words(point: &Point, steps: usize) -> String {
    let Point { step, training, held_out } = point;
    format!("step {step} of {steps}: loss {training:.5}, on positions never seen {held_out:.5}")
}

/// How to write a curve, by the end of the file's name.
fn curve_kind(path: &Path) -> Result<fn(&[Point]) -> String, Failure> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("csv") => Ok(csv),
        Some("svg") => Ok(svg),
        _ => Err(Failure::Usage(format!("--curve {}: the name ends in .csv or .svg", path.display()))),
    }
}

fn csv(curve: &[Point]) -> String {
    let rows = curve.iter().map(|it| format!("{},{:.6},{:.6}\n", it.step, it.training, it.held_out));
    std::iter::once("step,training,held_out\n".to_owned()).chain(rows).collect()
}

/// Width and height of the drawing, and the space around the curves.
const SIZE: (f64, f64) = (640.0, 400.0);
const EDGE: f64 = 60.0;

/// Two lines: the loss on what is learned, and on what was never seen.
fn svg(curve: &[Point]) -> String {
    let last = curve.last().map_or(1.0, |it| it.step as f64);
    let losses = curve.iter().flat_map(|it| [it.training, it.held_out]);
    let (low, high) = losses.fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let span = (high - low).max(1e-9);
    let at = |step: usize, loss: f64| {
        let x = EDGE + (SIZE.0 - 2.0 * EDGE) * step as f64 / last;
        let y = EDGE + (SIZE.1 - 2.0 * EDGE) * (high - loss) / span;
        format!("{x:.1},{y:.1}")
    };
    let line = |colour: &str, loss: fn(&Point) -> f64| {
        let points: Vec<String> = curve.iter().map(|it| at(it.step, loss(it))).collect();
        format!("<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n", points.join(" "))
    };
    let (width, height) = SIZE;
    let (right, bottom) = (width - EDGE, height - EDGE);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <path fill=\"none\" stroke=\"black\" d=\"M{EDGE} {EDGE}V{bottom}H{right}\"/>\n\
         <text x=\"{EDGE}\" y=\"30\">loss: on what is learned (blue), on positions never seen (red)</text>\n\
         <text x=\"6\" y=\"{EDGE}\">{high:.4}</text><text x=\"6\" y=\"{bottom}\">{low:.4}</text>\n\
         <text x=\"{right}\" y=\"{}\" text-anchor=\"end\">step {last}</text>\n{}{}</svg>\n",
        height - 36.0,
        line("steelblue", |it| it.training),
        line("firebrick", |it| it.held_out)
    )
}

impl From<LearnError> for Failure {
    fn from(error: LearnError) -> Self {
        Self::Run(error.to_string())
    }
}
