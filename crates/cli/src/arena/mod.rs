//! `ninefold match`: plays two engines against each other, each opening once with each colour.

mod elo;
mod game;
mod openings;
mod player;
mod process;
mod record;
mod spec;

use crate::failure::Failure;
use crate::input;
use crate::options::{self, IsaOption};
use crate::output::Output;
use crate::{interrupt, protocol};
use api::{GameName, Session};
use elo::{Elo, Pairs};
use game::Referee;
use openings::Openings;
use player::{Pace, Terms};
use record::{Log, Plan, Reason, Record};
use serde::Serialize;
use spec::{Kind, Spec};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

const AFTER_HELP: &str = "\
Players:
  builtin:search=alphabeta,level=7    this program's own engine, with its options
  ugi:COMMAND ARGUMENTS               a program that speaks the Universal Game Interface
  ugi,Hash=64:COMMAND ARGUMENTS       the same, with options set at the start
  codingame:COMMAND ARGUMENTS         a bot of CodinGame's Ultimate Tic-Tac-Toe

Examples:
  ninefold match --game uttt builtin builtin:search=alphabeta --time 100ms --games 40
  ninefold match --game uttt builtin 'ugi:./other-engine' --clock 10s+100ms --record games.jsonl
  ninefold match --game triad builtin:level=10 builtin:level=5 --nodes 100000";

/// Arguments of `match`.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The game: uttt, triad or cephalopods
    #[arg(long, value_parser = protocol::game)]
    game: GameName,
    /// The first player
    #[arg(value_parser = spec::read)]
    a: Spec,
    /// The second player
    #[arg(value_parser = spec::read)]
    b: Spec,
    /// Number of games; even, because each opening is played with both colours
    #[arg(long, default_value_t = 20, value_parser = games)]
    games: u64,
    /// Time per move, such as 100ms; 100ms unless there is another limit
    #[arg(long, value_parser = options::time, group = "limit")]
    time: Option<Duration>,
    /// Time for the game and increment per move, such as 10s+100ms
    #[arg(long, value_parser = clock, group = "limit")]
    clock: Option<(Duration, Duration)>,
    /// Node limit per move; games are then reproducible
    #[arg(long, group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How much a player may exceed its time
    #[arg(long, default_value = "50ms", value_parser = options::time)]
    margin: Duration,
    /// A rule of the game, such as rule=codingame; sent to both players; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = protocol::assignment)]
    options: Vec<(String, String)>,
    /// A file of openings: one position per line, as after `position` in the protocol
    #[arg(long, conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// Number of random moves before each pair of games: 4 for uttt, 2 for cephalopods, 0 for triad and CodinGame bots
    #[arg(long)]
    random_plies: Option<u32>,
    /// Seed of the openings and deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End a game as soon as its result is proved
    #[arg(long)]
    adjudicate: bool,
    /// Save the games to this file, one JSON object per line; games of this match that are already in it are not played
    /// again
    #[arg(long)]
    record: Option<PathBuf>,
    /// Number of games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    concurrency: u64,
    /// One JSON object per game, then one for the match
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

fn games(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number > 0 && number % 2 == 0);
    number.ok_or_else(|| "the number of games is even and not zero".to_owned())
}

fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok((options::time(base)?, options::time(increment)?))
}

/// What `--json` prints: a game, or at the end the result.
#[cfg(feature = "schema")]
#[derive(Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it describes two types")]
pub(crate) enum Printed<'a> {
    /// A game that was played.
    Game(Record),
    /// The result of the match.
    Result(Summary<'a>),
}

/// The result of a match, for A.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Summary<'a> {
    /// The first player.
    a: &'a str,
    /// The second player.
    b: &'a str,
    /// Number of games.
    games: u64,
    /// Games that A won.
    wins: u64,
    /// Drawn games.
    draws: u64,
    /// Games that A lost.
    losses: u64,
    /// The share of points.
    score: f64,
    /// Pairs in which A got 0, 1/2, 1, 3/2 and 2 points.
    pairs: [u32; 5],
    #[serde(flatten)]
    elo: Elo,
    /// How the games ended.
    reasons: BTreeMap<Reason, u64>,
}

impl Arguments {
    fn pace(&self) -> Pace {
        match (self.time, self.clock, self.nodes) {
            (_, Some((base, increment)), _) => Pace::Clock(base, increment),
            (_, _, Some(nodes)) => Pace::Nodes(nodes),
            (time, ..) => Pace::Move(time.unwrap_or(Duration::from_millis(100))),
        }
    }

    /// The rules of the match; fails if the two players do not fit together.
    fn terms(&self) -> Result<Terms, Failure> {
        let mut options = self.options.clone();
        for spec in [&self.a, &self.b] {
            match &spec.kind {
                Kind::Builtin(Some(game)) if *game != self.game => {
                    let (theirs, ours) = (game.name(), self.game.name());
                    return Err(Failure::Usage(format!("`{}` plays {theirs}, the match is {ours}", spec.text)));
                }
                Kind::Codingame(_) => {
                    if self.game != GameName::Uttt {
                        return Err(Failure::Usage("CodinGame bots play uttt".to_owned()));
                    }
                    if self.openings.is_some() || self.random_plies.is_some_and(|plies| plies > 0) {
                        let why = "a CodinGame bot cannot be given an opening: leave out --openings and --random-plies";
                        return Err(Failure::Usage(why.to_owned()));
                    }
                    if self.nodes.is_some() {
                        return Err(Failure::Usage("a CodinGame bot counts no nodes: use --time".to_owned()));
                    }
                    if !options.iter().any(|(name, _)| name == "rule") {
                        options.push(("rule".to_owned(), "codingame".to_owned()));
                    }
                }
                Kind::Builtin(_) | Kind::Ugi(_) => {}
            }
        }
        Ok(Terms { game: self.game, options, isa: self.isa.get(), interrupt: interrupt::flag() })
    }

    fn openings(&self, session: &mut dyn Session) -> Result<Openings, Failure> {
        if let Some(path) = &self.openings {
            return Openings::read(&input::read_text(path)?, session);
        }
        let is_bot = |spec: &Spec| matches!(spec.kind, Kind::Codingame(_));
        let usual = match self.game {
            GameName::Uttt if is_bot(&self.a) || is_bot(&self.b) => 0,
            GameName::Uttt => 4,
            GameName::Cephalopods => 2,
            GameName::Triad => 0,
        };
        Ok(Openings::Random { plies: self.random_plies.unwrap_or(usual), seed: self.seed })
    }

    /// The plan of a game, counted from 1. The second game of a pair has the colours swapped.
    fn plan(&self, terms: &str, openings: &Openings, game: u64, session: &mut dyn Session) -> Result<Plan, Failure> {
        let opening = openings.of(game.saturating_sub(1) / 2, session)?;
        let (a, b) = (self.a.text.clone(), self.b.text.clone());
        Ok(Plan { game, terms: terms.to_owned(), a, b, a_first: game % 2 == 1, opening })
    }

    fn summary<'a>(&'a self, records: &[Record]) -> Summary<'a> {
        let count = |points: f64| records.iter().filter(|record| record.points == points).count() as u64;
        let mut pairs = Pairs::default();
        let points: BTreeMap<u64, f64> = records.iter().map(|record| (record.game, record.points)).collect();
        for (game, first) in points.iter().filter(|(game, _)| *game % 2 == 1) {
            if let Some(second) = points.get(&(game + 1)) {
                pairs.add((2.0 * (first + second)) as usize);
            }
        }
        let mut reasons = BTreeMap::new();
        records.iter().for_each(|record| *reasons.entry(record.reason).or_insert(0) += 1);
        let games = records.len() as u64;
        Summary {
            a: &self.a.text,
            b: &self.b.text,
            games,
            wins: count(1.0),
            draws: count(0.5),
            losses: count(0.0),
            score: records.iter().map(|record| record.points).sum::<f64>() / (games.max(1)) as f64,
            pairs: pairs.0,
            elo: pairs.elo(),
            reasons,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    let terms = Arc::new(arguments.terms()?);
    let pace = arguments.pace();
    let mut session = terms.session()?;
    for spec in [&arguments.a, &arguments.b].into_iter().filter(|spec| matches!(spec.kind, Kind::Builtin(_))) {
        terms.player(spec, 0).map_err(Failure::Usage)?;
    }
    let openings = arguments.openings(session.as_mut())?;
    let named: Vec<String> = terms.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let adjudicated = if arguments.adjudicate { " adjudicated" } else { "" };
    let text = format!("{}{} {pace:?}{adjudicated}", arguments.game.name(), named.concat());
    let plan = |game: u64, session: &mut dyn Session| arguments.plan(&text, &openings, game, session);
    let (mut log, mut records) = match &arguments.record {
        Some(path) => {
            let (log, records) = Log::open(path, session.as_mut(), plan)?;
            (Some(log), records)
        }
        None => (None, Vec::new()),
    };
    records.retain(|record| record.game <= arguments.games);
    let mut plans = Vec::new();
    for game in (1..=arguments.games).filter(|game| !records.iter().any(|record| record.game == *game)) {
        plans.push(plan(game, session.as_mut())?);
    }
    if !records.is_empty() && !arguments.json {
        output.line(format_args!("{} games are played already", records.len()))?;
    }
    let next = AtomicUsize::new(0);
    let outcome = std::thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..arguments.concurrency.min(plans.len() as u64) {
            let (sender, terms, plans, next) = (sender.clone(), Arc::clone(&terms), &plans, &next);
            scope.spawn(move || {
                if let Err(message) = play_some(arguments, &terms, plans, next, &sender) {
                    // Sending fails only if the match has failed already.
                    let _ = sender.send(Err(message));
                }
            });
        }
        drop(sender);
        for result in results {
            let added = result.map_err(Failure::Run).and_then(|record| {
                print_game(&mut output, &record, arguments.json)?;
                log.as_mut().map_or(Ok(()), |log| log.add(&record))?;
                records.push(record);
                Ok(())
            });
            if let Err(failure) = added {
                // The other threads stop; their games are discarded.
                terms.interrupt.store(true, Ordering::Relaxed);
                return Err(failure);
            }
        }
        Ok(())
    });
    outcome?;
    let summary = arguments.summary(&records);
    if arguments.json {
        output.json(&summary)?
    } else {
        output.line(summary_text(&summary))?
    }
    interrupt::check()
}

/// Plays games until none are left.
fn play_some(
    arguments: &Arguments,
    terms: &Arc<Terms>,
    plans: &[Plan],
    next: &AtomicUsize,
    results: &mpsc::Sender<Result<Record, String>>,
) -> Result<(), String> {
    let mut session = terms.session().map_err(|fault| fault.message)?;
    if arguments.adjudicate {
        // Solves 3x3 Cephalopods completely, once.
        session.prepare(&api::Control::new());
    }
    let mut referee =
        Referee { session, pace: arguments.pace(), margin: arguments.margin, adjudicates: arguments.adjudicate };
    let mut players = [terms.player(&arguments.a, 0)?, terms.player(&arguments.b, 1)?];
    while let Some(plan) = plans.get(next.fetch_add(1, Ordering::Relaxed)) {
        let Some(record) = referee.play(plan, &mut players)? else { return Ok(()) };
        if results.send(Ok(record)).is_err() || terms.interrupt.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
    Ok(())
}

fn print_game(output: &mut Output, record: &Record, json: bool) -> Result<(), Failure> {
    if json {
        return output.json(record);
    }
    let winner = match record.points {
        1.0 => "A won",
        0.5 => "drawn",
        _ => "B won",
    };
    let reason = match record.reason {
        Reason::Board => "",
        Reason::Proved => ", proved",
        Reason::Time => ", on time",
        Reason::Illegal => ", illegal move ",
        Reason::Crash => ", the other ended: ",
    };
    let (game, first) = (record.game, record.first.to_ascii_uppercase());
    output.line(format_args!(
        "game {game}: {first} first, {} moves, {winner}{reason}{}",
        record.moves.len(),
        record.detail
    ))
}

fn summary_text(summary: &Summary<'_>) -> String {
    let Summary { a, b, games, wins, draws, losses, score, .. } = summary;
    let number = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), |value| format!("{value:+.1}"));
    let Elo { elo, elo_low, elo_high, los } = summary.elo;
    let los = los.map_or_else(|| "?".to_owned(), |los| format!("{:.1} %", 100.0 * los));
    let pairs: u32 = summary.pairs.iter().sum();
    format!(
        "A  {a}\nB  {b}\n{games} games for A: +{wins} ={draws} -{losses}, {:.1} %\nElo {} (95 %: {} to {}) from {pairs} pairs {:?}, A is stronger: {los}",
        100.0 * score,
        number(elo),
        number(elo_low),
        number(elo_high),
        summary.pairs,
    )
}
