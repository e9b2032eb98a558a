//! `pipeline`: from nothing to a network, by one command: self-play, training, and a gate against the untrained network.
//!
//! Every part goes on where it stopped, so the same command goes on too.

use super::learn::{Selfplay, Train};
use crate::arena::gate::{Gate, Rule};
use crate::arena::{Sprt, Timer};
use crate::failure::Failure;
use crate::options::{self, IsaOption, ThreadsOption};
use crate::output::Output;
use learn::LearnError;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `pipeline`.
#[derive(clap::Args)]
pub(super) struct Pipeline {
    /// The folder of the games, the network and all that is in between. The same command goes on after a stop
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// A run of about ten minutes on two cores; the full one takes hours
    #[arg(long)]
    small: bool,
    /// Number of shards of self-play; each has 200 games
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: Option<u32>,
    /// Visits per move of self-play
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    visits: Option<u32>,
    /// How often each position is seen in training, on average
    #[arg(long)]
    epochs: Option<f32>,
    /// Time per move of the gate, such as 20ms
    #[arg(long, value_parser = options::time)]
    time: Option<Duration>,
    /// Most games of the gate for each rule
    #[arg(long, value_parser = crate::arena::games)]
    games: Option<u64>,
    /// Seed of the games, of the training and of the untrained network
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
}

/// How much work a pipeline does.
struct Size {
    shards: u32,
    visits: u32,
    epochs: f32,
}

/// The first generation as it was made for this program (`bench/LOG.md`).
const FULL: Size = Size { shards: 700, visits: 500, epochs: 8.0 };
/// Ten minutes on two cores (`bench/LOG.md`).
const SMALL: Size = Size { shards: 400, visits: 400, epochs: 6.0 };
/// Time per move of the gate. The untrained network is so weak that a few milliseconds tell.
const TIME: Duration = Duration::from_millis(20);
const GAMES: u64 = 200;

impl Pipeline {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let size = if self.small { SMALL } else { FULL };
        let mut output = Output::new();
        let folder = |name: &str| self.folder.join(name);
        let (games, network, untrained) = (folder("games"), folder("network.bin"), folder("untrained.bin"));

        output.line("1. Self-play: alpha-beta without a network")?;
        let (shards, visits) = (self.shards.unwrap_or(size.shards), self.visits.unwrap_or(size.visits));
        Selfplay::without_network(games.clone(), shards, visits, self.seed, self.threads).run()?;

        output.line("2. Training")?;
        let epochs = self.epochs.unwrap_or(size.epochs);
        let (checkpoint, curve) = (folder("training.checkpoint"), folder("loss.svg"));
        Train::new(games, network.clone(), epochs, self.seed, checkpoint, curve, self.threads).run()?;

        output.line("3. Gate: the new network against an untrained one")?;
        learn::network::untrained(self.seed).write(&untrained).map_err(LearnError::from)?;
        let gate = Gate {
            new: network,
            old: Some(untrained),
            rule: Rule::Both,
            time: Some(self.time.unwrap_or(TIME)),
            nodes: None,
            sprt: Sprt::BEATS,
            games: self.games.unwrap_or(GAMES),
            timer: Timer::FAIREST,
            record: Some(folder("gate")),
            seed: self.seed,
            json: false,
            threads: self.threads,
            isa: self.isa,
        };
        gate.run()
    }
}
