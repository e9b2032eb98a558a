//! `ninefold uttt gate`: a match that decides whether a new network replaces an old one.

use super::spec::{Kind, Spec};
use super::sprt::{self, Hypothesis, Sprt};
use super::tally::Summary;
use super::timer::{self, Timer};
use super::{Arguments, EVERY, Printer, games, play, report};
use crate::failure::Failure;
use crate::interrupt;
use crate::options::{self, IsaOption, ThreadsOption};
use crate::output::Output;
use crate::uttt::network::BUILT_IN;
use api::GameName;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `gate`.
#[derive(clap::Args)]
pub(crate) struct Gate {
    /// The file of the new network
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// The file of the old network; by default the one that comes with the program
    #[arg(value_name = "OLD")]
    pub(crate) old: Option<PathBuf>,
    /// The rule: standard, codingame, or both: a match for each, and the new network must be better in both
    #[arg(long, default_value = "both", value_parser = rules)]
    pub(crate) rule: Rule,
    /// Time per move, such as 100ms; 100ms unless there is another limit
    #[arg(long, value_parser = options::time, conflicts_with = "nodes")]
    pub(crate) time: Option<Duration>,
    /// Node limit per move; games are then reproducible
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// The sequential probability ratio test: accepted if the difference is rather elo1, refused if it is rather elo0
    #[arg(long, value_name = "TEST", value_parser = sprt::read, allow_hyphen_values = true, default_value = "elo0=0,elo1=10")]
    pub(crate) sprt: Sprt,
    /// Most games for each rule; the gate is undecided after that. Even: each opening is played with both colours
    #[arg(long, default_value_t = 2000, value_parser = games)]
    pub(crate) games: u64,
    /// What measures the time: wall, or cpu: the processor time of the player's thread, which a busy machine does not shorten
    #[arg(long, default_value = Timer::FAIREST.name(), value_name = "CLOCK", value_parser = timer::read)]
    pub(crate) timer: Timer,
    /// Save the games in this folder, one file for each rule; the same command goes on after a stop
    #[arg(long, value_name = "FOLDER")]
    pub(crate) record: Option<PathBuf>,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) threads: ThreadsOption,
    #[command(flatten)]
    pub(crate) isa: IsaOption,
}

/// The rules of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// One rule.
    One(&'static str),
    /// Both rules that a network knows.
    Both,
}

const STANDARD: &str = "standard";
const CODINGAME: &str = "codingame";

fn rules(name: &str) -> Result<Rule, String> {
    match name {
        STANDARD => Ok(Rule::One(STANDARD)),
        CODINGAME => Ok(Rule::One(CODINGAME)),
        "both" => Ok(Rule::Both),
        _ => Err("a network plays standard, codingame or both".to_owned()),
    }
}

/// What a gate decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// The new network is better.
    Accepted,
    /// It is not.
    Refused,
    /// The games were too few to tell.
    Undecided,
}

impl Verdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Undecided => "undecided",
        }
    }

    fn of(summary: &Summary<'_>) -> Self {
        match summary.sprt.and_then(|sprt| sprt.accepted) {
            Some(Hypothesis::H1) => Self::Accepted,
            Some(Hypothesis::H0) => Self::Refused,
            None => Self::Undecided,
        }
    }
}

/// The match under one rule.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RuleResult {
    /// The rule.
    rule: &'static str,
    /// The verdict under this rule.
    verdict: Verdict,
    /// The result of the match; A is the new network.
    #[serde(flatten)]
    summary: Summary<'static>,
}

/// What `uttt gate` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct GateAnswer {
    /// `accepted` if every rule accepts, `refused` if one refuses, or else `undecided`.
    verdict: Verdict,
    /// The new network.
    new: String,
    /// The old network.
    old: String,
    /// The matches, one for each rule. A refusal under the first rule ends the gate.
    matches: Vec<RuleResult>,
}

/// How much a player may exceed its time. A gate compares networks; it does not punish a slow machine.
const MARGIN: Duration = Duration::from_secs(1);
/// Random moves before each pair of games.
const RANDOM_PLIES: u32 = 4;
fn player(network: &str) -> Spec {
    let options = [("search", "bestfirst"), ("network", network)];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    Spec { text: format!("builtin:search=bestfirst,network={network}"), kind: Kind::Builtin(None), options }
}

impl Gate {
    /// The match under a rule.
    fn arguments(&self, rule: &str) -> Arguments {
        let old = self.old.as_deref().map_or_else(|| BUILT_IN.to_owned(), path_text);
        Arguments {
            game: GameName::Uttt,
            a: player(&path_text(&self.new)),
            b: player(&old),
            games: Some(self.games),
            sprt: Some(self.sprt),
            time: self.time,
            clock: None,
            nodes: self.nodes,
            timer: self.timer,
            margin: MARGIN,
            options: vec![("rule".to_owned(), rule.to_owned())],
            openings: None,
            random_plies: Some(RANDOM_PLIES),
            seed: self.seed,
            adjudicate: false,
            resign: None,
            draw: None,
            record: self.record.as_ref().map(|folder| folder.join(format!("{rule}.jsonl"))),
            concurrency: self.threads.get().get() as u64,
            every: (!self.json).then_some(EVERY),
            json: self.json,
            isa: self.isa,
        }
    }

    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.decide().map(drop)
    }

    /// Plays, prints, and returns the verdict.
    pub(crate) fn decide(&self) -> Result<Verdict, Failure> {
        if let Some(folder) = &self.record {
            let failed = |error| Failure::Run(format!("{}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let rules = match self.rule {
            Rule::One(rule) => vec![rule],
            Rule::Both => vec![STANDARD, CODINGAME],
        };
        let mut output = Output::new();
        let mut matches: Vec<RuleResult> = Vec::new();
        for rule in rules {
            let arguments = self.arguments(rule);
            let mut printer = Printer { prints_games: false, ..Printer::new(&arguments) };
            if !self.json {
                output.line(format_args!("{rule} rule, {}", arguments.pace()))?;
            }
            let tally = play(&arguments, &mut printer)?;
            let summary = tally.summary("new", "old");
            let verdict = Verdict::of(&summary);
            if !self.json {
                output.line(format_args!("{}, {}", verdict.word(), report::score(&summary)))?;
            }
            matches.push(RuleResult { rule, verdict, summary });
            if verdict == Verdict::Refused || interrupt::check().is_err() {
                break;
            }
        }
        let has = |verdict| matches.iter().any(|it: &RuleResult| it.verdict == verdict);
        let verdict = match () {
            () if has(Verdict::Refused) => Verdict::Refused,
            () if has(Verdict::Undecided) || interrupt::check().is_err() => Verdict::Undecided,
            () => Verdict::Accepted,
        };
        let new = path_text(&self.new);
        let old = self.old.as_deref().map_or_else(|| BUILT_IN.to_owned(), path_text);
        if self.json {
            output.json(&GateAnswer { verdict, new, old, matches })?;
        } else {
            output.line(format_args!("{}: {new} against {old}", verdict.word()))?;
        }
        interrupt::check().map(|()| verdict)
    }
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}
