//! `ninefold match`: plays two engines against each other, each opening once with each colour.

mod adjudication;
mod elo;
mod game;
pub(crate) mod gate;
mod openings;
mod player;
mod process;
mod record;
mod report;
mod spec;
mod sprt;
mod tally;
mod timer;

use crate::count::count;
use crate::failure::Failure;
use crate::input;
use crate::options::{self, IsaOption};
use crate::output::Output;
use crate::uttt::network;
use crate::{interrupt, protocol};
use api::uttt::Network;
use api::{GameName, Session};
use game::Referee;
use indicatif::{ProgressBar, ProgressStyle};
use openings::Openings;
use player::{Pace, Terms};
use record::{Log, Plan, Record};
use spec::{Kind, Spec};
pub(crate) use sprt::Sprt;
use std::collections::HashSet;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
#[cfg(feature = "schema")]
use tally::Summary;
use tally::Tally;
pub(crate) use timer::Timer;

const AFTER_HELP: &str = "\
Players:
  builtin:search=alphabeta,level=7    this program's own engine, with its options
  builtin:search=bestfirst,network=F  the same with the network of the file F (uttt)
  ugi:COMMAND ARGUMENTS               a program that speaks the Universal Game Interface
  ugi,Hash=64:COMMAND ARGUMENTS       the same, with options set at the start
  codingame:COMMAND ARGUMENTS         a bot of CodinGame's Ultimate Tic-Tac-Toe

Examples:
  ninefold match --game uttt builtin builtin:search=alphabeta --time 100ms --games 40
  ninefold match --game uttt builtin 'ugi:./other-engine' --clock 10s+100ms --record games.jsonl
  ninefold match --game uttt builtin:search=bestfirst builtin:search=mcts --timer cpu --games 40 --concurrency 2
  ninefold match --game triad builtin:level=10 builtin:level=5 --nodes 100000
  ninefold match --game uttt builtin 'ugi:./new-version' --sprt elo0=0,elo1=10 --clock 10+0.1 --concurrency 2
  ninefold match --game uttt builtin 'ugi:./engine' --resign moves=3,score=950 --draw moves=5,score=20,after=40";

/// Games of a match without `--games`.
const GAMES: u64 = 20;
/// Games after which a sequential test ends undecided, without `--games`.
const SPRT_GAMES: u64 = 100_000;
/// Games between two lines with the score, without `--every`.
const EVERY: u64 = 10;

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
    /// Number of games; even, because each opening is played with both colours; 20, or at most 100000 with --sprt
    #[arg(long, value_parser = games)]
    games: Option<u64>,
    /// End the match when a sequential probability ratio test is decided: elo0=0,elo1=10[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", value_parser = sprt::read, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Time per move, such as 100ms; 100ms unless there is another limit
    #[arg(long, value_parser = options::time, group = "limit")]
    time: Option<Duration>,
    /// Time for the game and increment per move, such as 10s+100ms
    #[arg(long, value_parser = clock, group = "limit")]
    clock: Option<(Duration, Duration)>,
    /// Node limit per move; games are then reproducible
    #[arg(long, group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// What measures the time: wall, or cpu: the processor time of the player's thread, which a busy machine does not shorten.
    /// Only built-in players have the latter: another program watches a clock of its own
    #[arg(long, default_value = Timer::Wall.name(), value_name = "CLOCK", value_parser = timer::read)]
    timer: Timer,
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
    /// A player resigns after this number of moves in a row with minus this score or less: moves=3,score=950
    #[arg(long, value_name = "RULE", value_parser = adjudication::resign)]
    resign: Option<adjudication::Resign>,
    /// A game is drawn after this number of moves in a row by each player with a score of plus or minus this or nearer to
    /// zero, but not before `after` moves of the game: moves=5,score=20,after=40
    #[arg(long, value_name = "RULE", value_parser = adjudication::draw)]
    draw: Option<adjudication::Draw>,
    /// Save the games to this file, one JSON object per line; games of this match that are already in it are not played
    /// again
    #[arg(long)]
    record: Option<PathBuf>,
    /// Number of games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    concurrency: u64,
    /// Print the score after every N games; 10 unless standard output is a terminal
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "json")]
    every: Option<u64>,
    /// One JSON object per game, then one for the match
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isa: IsaOption,
}

pub(crate) fn games(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number > 0 && number % 2 == 0);
    number.ok_or_else(|| "the number of games is even and not zero".to_owned())
}

fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok((options::time(base)?, options::time(increment)?))
}

/// What `--json` prints: a game, or at the end the result.
#[cfg(feature = "schema")]
#[derive(serde::Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it describes two types")]
pub(crate) enum Printed<'a> {
    /// A game that was played.
    Game(Record),
    /// The result of the match.
    Result(Summary<'a>),
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
        let is_program = |spec: &Spec| !matches!(spec.kind, Kind::Builtin(_));
        if self.timer == Timer::Cpu && (is_program(&self.a) || is_program(&self.b)) {
            let why = "--timer cpu is for built-in players: another program watches a clock of its own";
            return Err(Failure::Usage(why.to_owned()));
        }
        let mut networks = [None, None];
        for (network, spec) in networks.iter_mut().zip([&self.a, &self.b]) {
            let Some(name) = spec.network() else { continue };
            if self.game != GameName::Uttt {
                return Err(Failure::Usage(format!("`{}`: only uttt has networks", spec.text)));
            }
            *network = Some(network::named(name)?);
        }
        // Not the flag of the program: a decided test raises it to end this match, and the gate goes on with the next.
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        interrupt::on_first(move || stopped.store(true, Ordering::Relaxed));
        let (game, timer) = (self.game, self.timer);
        Ok(Terms { game, options, isa: self.isa.get(), timer, networks, interrupt: stop })
    }

    /// The game, rules and limits, as in the records.
    fn text(&self, terms: &Terms) -> String {
        let named: Vec<String> = terms.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let adjudicated = if self.adjudicate { " adjudicated" } else { "" };
        let timer = if self.timer == Timer::Cpu { " cpu" } else { "" };
        // The file of a network may have another one tomorrow.
        let print = |(side, network): (char, &Option<Arc<Network>>)| {
            network.as_ref().map(|network| format!(" network-{side}={:016x}", network.fingerprint()))
        };
        let networks: String = ['a', 'b'].into_iter().zip(&terms.networks).filter_map(print).collect();
        let (game, pace, rules) = (self.game.name(), self.pace(), self.rules().text());
        format!("{game}{} {pace:?}{timer}{networks}{adjudicated}{rules}", named.concat())
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

    fn rules(&self) -> adjudication::Rules {
        adjudication::Rules { resign: self.resign, draw: self.draw }
    }

    fn games(&self) -> u64 {
        self.games.unwrap_or(if self.sprt.is_some() { SPRT_GAMES } else { GAMES })
    }
}

/// Everything that the threads of a match share.
struct Match<'a> {
    arguments: &'a Arguments,
    terms: Arc<Terms>,
    /// The game, rules and limits, as in the records.
    text: String,
    openings: Openings,
    /// Games that are in the record file.
    done: HashSet<u64>,
    /// The next game to play, unless it is done.
    next: AtomicU64,
}

impl Match<'_> {
    fn plan(&self, game: u64, session: &mut dyn Session) -> Result<Plan, Failure> {
        self.arguments.plan(&self.text, &self.openings, game, session)
    }

    fn next_game(&self) -> Option<u64> {
        loop {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            if game > self.arguments.games() {
                return None;
            }
            if !self.done.contains(&game) {
                return Some(game);
            }
        }
    }

    /// Plays games until none are left, or the match is stopped.
    fn play(&self, results: &mpsc::Sender<Result<Record, Failure>>) -> Result<(), Failure> {
        let Self { arguments, terms, .. } = self;
        let mut session = terms.session()?;
        if arguments.adjudicate {
            // Solves 3x3 Cephalopods completely, once.
            session.prepare(&api::Control::new());
        }
        let mut referee = Referee {
            session,
            pace: arguments.pace(),
            clock: terms.timer.clock(),
            margin: arguments.margin,
            adjudicates: arguments.adjudicate,
            rules: arguments.rules(),
        };
        // The deals of Triple Triad change the options of their session.
        let mut dealer = terms.session()?;
        let player = |spec, side| terms.player(spec, side).map_err(Failure::Run);
        let mut players = [player(&arguments.a, 0)?, player(&arguments.b, 1)?];
        while let Some(game) = self.next_game() {
            let plan = self.plan(game, dealer.as_mut())?;
            let Some(record) = referee.play(&plan, &mut players).map_err(Failure::Run)? else { return Ok(()) };
            if results.send(Ok(record)).is_err() || terms.interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Prints the games, the running score and the result.
struct Printer<'a> {
    arguments: &'a Arguments,
    /// Whether every game is printed, and not only the score.
    prints_games: bool,
    output: Output,
    /// The score on a terminal, in one line that is updated. Hidden if standard error is no terminal.
    line: ProgressBar,
    /// Games between two lines with the score.
    every: Option<u64>,
}

impl<'a> Printer<'a> {
    fn new(arguments: &'a Arguments) -> Self {
        let line = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            line.set_style(style);
        }
        let usual = (!arguments.json && !std::io::stdout().is_terminal()).then_some(EVERY);
        Self { arguments, prints_games: true, output: Output::new(), line, every: arguments.every.or(usual) }
    }

    fn game(&mut self, record: &Record, tally: &Tally) -> Result<(), Failure> {
        let Self { arguments, prints_games, output, line, every } = self;
        let score = report::score(&tally.summary(&arguments.a.text, &arguments.b.text));
        let games = tally.games();
        line.suspend(|| {
            match (*prints_games, arguments.json) {
                (true, true) => return output.json(record),
                (true, false) => output.line(report::game(record))?,
                (false, _) => {}
            }
            match every {
                Some(every) if games.is_multiple_of(*every) => output.line(&score),
                _ => Ok(()),
            }
        })?;
        line.set_message(score);
        Ok(())
    }

    fn result(&mut self, tally: &Tally) -> Result<(), Failure> {
        let summary = tally.summary(&self.arguments.a.text, &self.arguments.b.text);
        if self.arguments.json {
            return self.output.json(&summary);
        }
        self.output.line(report::summary(&summary, self.arguments.game.name(), self.arguments.pace()))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut printer = Printer::new(arguments);
    let tally = play(arguments, &mut printer)?;
    printer.result(&tally)?;
    interrupt::check()
}

/// Plays the match, or what is left of it.
fn play(arguments: &Arguments, printer: &mut Printer<'_>) -> Result<Tally, Failure> {
    let terms = Arc::new(arguments.terms()?);
    let mut session = terms.session()?;
    for (side, spec) in [&arguments.a, &arguments.b].into_iter().enumerate() {
        if matches!(spec.kind, Kind::Builtin(_)) {
            terms.player(spec, side).map_err(Failure::Usage)?;
        }
    }
    let openings = arguments.openings(session.as_mut())?;
    let text = arguments.text(&terms);
    let (done, next) = (HashSet::new(), AtomicU64::new(1));
    let mut played = Match { arguments, terms: Arc::clone(&terms), text, openings, done, next };
    // An opening that is a whole game fails here.
    played.plan(1, session.as_mut())?;
    let mut tally = Tally::new(arguments.sprt);
    let mut log = None;
    if let Some(path) = &arguments.record {
        let (opened, records) = Log::open(path, session.as_mut(), |game, session| played.plan(game, session))?;
        log = Some(opened);
        for record in records.iter().filter(|record| record.game <= arguments.games()) {
            tally.add(record);
            played.done.insert(record.game);
        }
        if tally.games() > 0 && !arguments.json {
            printer.output.line(format_args!("{} already played", count(tally.games(), "game", "games")))?;
        }
    }
    let left = if tally.is_decided() { 0 } else { arguments.games() - tally.games() };
    let outcome: Result<(), Failure> = std::thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..arguments.concurrency.min(left) {
            let (sender, played) = (sender.clone(), &played);
            let (play, failed) = (sender.clone(), sender);
            let play = move || {
                if let Err(failure) = played.play(&play) {
                    // Sending fails only if the match has failed already.
                    let _ = play.send(Err(failure));
                }
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, play) {
                let _ = failed.send(Err(error.into()));
            }
        }
        drop(sender);
        for result in results {
            let added = result.and_then(|record| {
                tally.add(&record);
                log.as_mut().map_or(Ok(()), |log| log.add(&record))?;
                printer.game(&record, &tally)
            });
            if added.is_err() || tally.is_decided() {
                // The other threads stop; their games are discarded.
                terms.interrupt.store(true, Ordering::Relaxed);
            }
            added?;
        }
        Ok(())
    });
    printer.line.finish_and_clear();
    outcome.map(|()| tally)
}
