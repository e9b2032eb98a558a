//! The players of a match: the built-in engine, a UGI program, or a CodinGame bot.

use super::process::{Complaints, Process, shown};
use super::spec::{Kind, Spec};
use super::timer::Timer;
use crate::protocol::clock;
use crate::protocol::command::PositionText;
use crate::protocol::output::Style;
use api::uttt::Network;
use api::{AnalyseQuestion, ChooseQuestion, Control, Fault, GameName, Limits, Options, STRONGEST, Session, View};
use grid::simd::Isa;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Why a player returned no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Lapse {
    /// It exceeded its time.
    Time,
    /// Its program ended, or cannot continue.
    Crash(String),
    /// The match was interrupted.
    Interrupted,
}

/// The time control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Pace {
    /// Time per move.
    Move(Duration),
    /// Time for the game, and increment per move.
    Clock(Duration, Duration),
    /// Nodes per move, without a time limit.
    Nodes(u64),
}

/// A player that is silent for this long counts as hung.
const HUNG: Duration = Duration::from_secs(60);

/// A request for a move.
pub(super) struct Turn<'a> {
    /// The opening and the moves so far.
    pub(super) place: &'a PositionText,
    pub(super) view: &'a View,
    pub(super) pace: Pace,
    /// Time left for the first and the second player.
    pub(super) clocks: [Duration; 2],
    /// How much a player may exceed its time.
    pub(super) margin: Duration,
}

impl Turn<'_> {
    fn mover(&self) -> usize {
        usize::from(self.view.mover == 2)
    }

    /// The time after which the player loses.
    pub(super) fn allowed(&self) -> Duration {
        match self.pace {
            Pace::Move(time) => time + self.margin,
            Pace::Clock(..) => self.clocks[self.mover()] + self.margin,
            Pace::Nodes(_) => HUNG,
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A chosen move.
pub(super) struct Choice {
    pub(super) mv: String,
    /// From -1000 (lost) to 1000 (won) for the player, if it reports a score.
    pub(super) score: Option<i32>,
}

pub(super) trait Player {
    /// Prepares for the game with this number.
    fn new_game(&mut self, number: u64) -> Result<(), Lapse>;

    /// The chosen move. The referee checks whether it is legal.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Lapse>;
}

/// What all players of a match share.
pub(super) struct Terms {
    pub(super) game: GameName,
    /// The options that set the rules.
    pub(super) options: Vec<(String, String)>,
    pub(super) isa: Isa,
    pub(super) timer: Timer,
    /// The networks of A and B, if they are built-in players with one of their own.
    pub(super) networks: [Option<Arc<Network>>; 2],
    /// Raised when the match shall stop.
    pub(super) interrupt: Arc<AtomicBool>,
}

impl Terms {
    /// A session under the rules of the match.
    pub(super) fn session(&self) -> Result<Box<dyn Session>, Fault> {
        self.under_rules(self.game.open(self.isa))
    }

    fn under_rules(&self, mut session: Box<dyn Session>) -> Result<Box<dyn Session>, Fault> {
        let mut options = Options::default();
        for (name, value) in &self.options {
            options.set(&name.to_ascii_lowercase(), value)?;
        }
        session.set_base(&options)?;
        Ok(session)
    }

    /// Creates the player A (0) or B (1).
    pub(super) fn player(self: &Arc<Self>, spec: &Spec, side: usize) -> Result<Box<dyn Player>, String> {
        let (terms, options) = (Arc::clone(self), spec.options.clone());
        Ok(match &spec.kind {
            Kind::Builtin(_) => Box::new(Builtin::new(terms, &options, side)?),
            Kind::Ugi(command) => {
                let name = if side == 0 { 'A' } else { 'B' };
                let mut player = Ugi { terms, name, command: command.clone(), options, process: None };
                // A program that is no engine is a usage error, not a lost game.
                match player.start() {
                    Ok(()) | Err(Lapse::Interrupted | Lapse::Time) => Box::new(player),
                    Err(Lapse::Crash(why)) => return Err(format!("player `{}`: {why}", spec.text)),
                }
            }
            Kind::Codingame(command) => {
                let started = Process::start(command, Complaints::Dropped);
                started.map_err(|why| format!("player `{}`: {why}", spec.text))?;
                Box::new(Codingame { terms, command: command.clone(), process: None })
            }
        })
    }
}

/// The built-in engine.
struct Builtin {
    terms: Arc<Terms>,
    session: Box<dyn Session>,
    /// Memory and threads.
    limits: Limits,
    level: u32,
    seed: u64,
    /// The seed of the current game.
    game_seed: u64,
}

impl Builtin {
    fn new(terms: Arc<Terms>, options: &[(String, String)], side: usize) -> Result<Self, String> {
        let network = terms.networks[side].clone();
        let has_network = network.is_some();
        let session = match network {
            Some(network) => terms.under_rules(Box::new(api::uttt::Session::new(terms.isa).with_network(network))),
            None => terms.session(),
        };
        let session = session.map_err(|fault| fault.message)?;
        let mut base = session.base().clone();
        let side = side as u64;
        let mut player = Self { session, terms, limits: Limits::default(), level: STRONGEST, seed: side, game_seed: 0 };
        for (name, value) in options {
            let number = || value.parse::<u64>().map_err(|_| format!("`{value}` is not a number for {name}"));
            let small = || number().map(|number| Some(u32::try_from(number).unwrap_or(u32::MAX)));
            match name.to_ascii_lowercase().as_str() {
                "level" => player.level = small()?.unwrap_or(0),
                // Not the base option: in Triple Triad that seed deals the cards, and the match does that.
                "seed" => player.seed = grid::mix(number()?) ^ side,
                "hash" | "memory" => player.limits.memory_mib = small()?,
                "threads" => player.limits.threads = small()?,
                // Read already: one network serves all games.
                "network" => {}
                name => base.set(name, value).map_err(|fault| fault.message)?,
            }
        }
        player.session.set_base(&base).map_err(|fault| fault.message)?;
        if !(1..=STRONGEST).contains(&player.level) {
            return Err(format!("level is a number from 1 to {STRONGEST}"));
        }
        if player.terms.timer == Timer::Cpu && player.limits.threads.is_some_and(|threads| threads > 1) {
            return Err("--timer cpu measures one thread: leave out the option threads".to_owned());
        }
        let is = |name: &str, value: &str| {
            player.session.settings().iter().any(|setting| setting.name == name && setting.value == value)
        };
        if has_network && (is("search", "mcts") || is("search", "uct")) {
            return Err("the searches mcts and uct use no network; bestfirst and alphabeta do".to_owned());
        }
        if has_network && is("rule", "open") {
            return Err("no network knows the rule open".to_owned());
        }
        Ok(player)
    }
}

impl Player for Builtin {
    /// The seed of a game depends only on its number, so a match gives the same games when it is resumed or played on
    /// several threads.
    fn new_game(&mut self, number: u64) -> Result<(), Lapse> {
        self.game_seed = grid::mix(self.seed ^ grid::mix(number));
        let mut base = self.session.base().clone();
        base.seed = Some(self.game_seed);
        self.session.set_base(&base).map_err(|fault| Lapse::Crash(fault.message))?;
        self.session.prepare(&self.limits.apply(Control::new()));
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Lapse> {
        let (time, nodes) = match turn.pace {
            Pace::Move(time) => (Some(millis(time)), None),
            Pace::Clock(_, increment) => {
                let left = i64::try_from(turn.clocks[turn.mover()].as_millis()).unwrap_or(i64::MAX);
                let increment = i64::try_from(increment.as_millis()).unwrap_or(i64::MAX);
                let moves = clock::moves_left(self.terms.game, turn.view.ply);
                (Some(clock::share(left, increment, moves, clock::OVERHEAD_MS)), None)
            }
            Pace::Nodes(nodes) => (None, Some(nodes)),
        };
        let position = turn.view.position.as_str();
        let mut limits = self.limits.clone();
        (limits.time_ms, limits.nodes) = (time, nodes);
        let clock = self.terms.timer.clock();
        let control = limits.apply(Control::new().clock(clock).cancel(Arc::clone(&self.terms.interrupt)));
        let start = clock.now();
        let found = if self.level == STRONGEST {
            let mut question = AnalyseQuestion::at(position);
            (question.limits, question.lines) = (limits, Some(1));
            let analysed = self.session.analyse(&question, &control);
            analysed.map(|analysis| (analysis.best, Some((analysis.score * 1000.0).round() as i32)))
        } else {
            // A weaker player has no score: the analysis would be that of the full engine.
            let mut question = ChooseQuestion::at(position);
            (question.level, question.seed, question.limits) = (self.level, self.game_seed, limits);
            self.session.choose(&question, &control).map(|answer| (answer.mv, None))
        };
        let (mv, score) = found.map_err(|fault| Lapse::Crash(fault.message))?;
        if clock.now().saturating_sub(start) > turn.allowed() {
            return Err(Lapse::Time);
        }
        if self.terms.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Lapse::Interrupted);
        }
        mv.map(|mv| Choice { mv, score }).ok_or_else(|| Lapse::Crash("no move".to_owned()))
    }
}

/// A program that speaks the Universal Game Interface.
struct Ugi {
    terms: Arc<Terms>,
    /// `A` or `B`.
    name: char,
    command: Vec<String>,
    options: Vec<(String, String)>,
    /// `None` if it must be restarted.
    process: Option<Process>,
}

impl Ugi {
    /// Time limit for the answer to `ugi`.
    const GREETING: Duration = Duration::from_secs(10);

    /// Starts the program. Fails with a message that says what it did instead of answering.
    fn start(&mut self) -> Result<(), Lapse> {
        let mut process = Process::start(&self.command, Complaints::Shown(self.name)).map_err(Lapse::Crash)?;
        let mut first_line = None;
        let mut keep = |line: &str| {
            first_line.get_or_insert_with(|| shown(line));
        };
        // A program that has already ended cannot be sent anything, but it may have printed why.
        let _ = process.send("ugi");
        let greeted = wait_for(&mut process, "ugiok", Self::GREETING, &self.terms.interrupt, &mut keep);
        if let Err(lapse) = greeted {
            let printed =
                first_line.map_or_else(|| "it printed nothing".to_owned(), |line| format!("it printed `{line}`"));
            let seconds = Self::GREETING.as_secs();
            return Err(match lapse {
                Lapse::Interrupted => lapse,
                Lapse::Time => Lapse::Crash(format!(
                    "not a UGI engine: it did not answer `ugi` with `ugiok` within {seconds} s; {printed}"
                )),
                Lapse::Crash(why) => Lapse::Crash(format!(
                    "not a UGI engine: it failed before it answered `ugi` with `ugiok` ({why}); {printed}"
                )),
            });
        }
        for (name, value) in self.terms.options.iter().chain(&self.options) {
            process.send(&format!("setoption name {name} value {value}"))?;
        }
        self.process = Some(process);
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Lapse> {
        if self.process.is_none() {
            self.start()?;
        }
        let process = self.process.as_mut().ok_or_else(|| Lapse::Crash("not started".to_owned()))?;
        process.send("uginewgame")?;
        process.send("isready")?;
        wait_for(process, "readyok", HUNG, &self.terms.interrupt, &mut |_| ()).map(drop)
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Choice, Lapse> {
        let process = self.process.as_mut().ok_or_else(|| Lapse::Crash("not started".to_owned()))?;
        let game = self.terms.game;
        let mut position = match &turn.place.text {
            None if game == GameName::Uttt => "position startpos".to_owned(),
            None => return Err(Lapse::Crash("only one game has a start that all programs know".to_owned())),
            Some(text) => format!("position fen {text}"),
        };
        for (number, mv) in turn.place.moves.iter().enumerate() {
            position += if number == 0 { " moves " } else { " " };
            position += &Style::Algebraic.write(game, mv);
        }
        let go = match turn.pace {
            Pace::Move(time) => format!("go movetime {}", millis(time)),
            Pace::Clock(_, increment) => {
                let ([first, second], increment) = (turn.clocks.map(millis), millis(increment));
                format!("go p1time {first} p2time {second} p1inc {increment} p2inc {increment}")
            }
            Pace::Nodes(nodes) => format!("go nodes {nodes}"),
        };
        process.send(&position)?;
        process.send(&go)?;
        let mut last_score = None;
        let mut keep = |line: &str| last_score = score(line).or(last_score);
        let answer = wait_for(process, "bestmove", turn.allowed(), &self.terms.interrupt, &mut keep)?;
        let mv = answer.split_whitespace().nth(1).unwrap_or_default().to_owned();
        Ok(Choice { mv, score: last_score })
    }
}

/// The score of the best move in an `info` line, if it has one.
fn score(line: &str) -> Option<i32> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let mut found = None;
    while let Some(word) = words.next() {
        match word {
            "multipv" if words.next() != Some("1") => return None,
            "score" if words.next() == Some("cp") => found = words.next()?.parse().ok(),
            // Text follows, not fields.
            "string" | "pv" => break,
            _ => {}
        }
    }
    found
}

/// Waits for a line that starts with this word. Other lines go to `other`.
fn wait_for(
    process: &mut Process,
    word: &str,
    most: Duration,
    interrupt: &AtomicBool,
    other: &mut dyn FnMut(&str),
) -> Result<String, Lapse> {
    let until = Instant::now() + most;
    loop {
        let line = process.line(until, interrupt)?;
        if line.split_whitespace().next() == Some(word) {
            return Ok(line);
        }
        other(&line);
        // A program that keeps printing other lines has not answered.
        if Instant::now() >= until {
            return Err(Lapse::Time);
        }
        if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Lapse::Interrupted);
        }
    }
}

impl Player for Ugi {
    fn new_game(&mut self, _: u64) -> Result<(), Lapse> {
        self.begin().inspect_err(|_| self.process = None)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Lapse> {
        self.ask(turn).inspect_err(|_| self.process = None)
    }
}

impl Drop for Ugi {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // Fails if the program has already ended.
            let _ = process.send("quit");
        }
    }
}

/// A CodinGame bot for Ultimate Tic-Tac-Toe. It can play only from the start of the game.
struct Codingame {
    terms: Arc<Terms>,
    command: Vec<String>,
    process: Option<Process>,
}

impl Codingame {
    /// CodinGame's time limit for the first answer.
    const FIRST: Duration = Duration::from_secs(1);

    fn ask(&mut self, turn: &Turn<'_>) -> Result<Choice, Lapse> {
        let process = self.process.as_mut().ok_or_else(|| Lapse::Crash("not started".to_owned()))?;
        let place = |mv: &str| mv.parse::<api::uttt::Move>().map(|mv| mv.row_and_column());
        match turn.place.moves.last().map(|mv| place(mv)) {
            Some(Ok((row, column))) => process.send(&format!("{row} {column}"))?,
            _ => process.send("-1 -1")?,
        }
        process.send(&turn.view.moves.len().to_string())?;
        for mv in &turn.view.moves {
            process.send(&format!("{} {}", mv.cell / 9, mv.cell % 9))?;
        }
        let first = turn.place.moves.len() < 2;
        let allowed = turn.allowed().max(if first { Self::FIRST + turn.margin } else { Duration::ZERO });
        let line = process.line(Instant::now() + allowed, &self.terms.interrupt)?;
        let mut numbers = line.split_whitespace().map_while(|word| word.parse::<usize>().ok());
        let mv = match (numbers.next(), numbers.next()) {
            (Some(row), Some(column)) if row < 9 && column < 9 => {
                format!("{}{}", char::from(b'a' + column as u8), 9 - row)
            }
            _ => line,
        };
        Ok(Choice { mv, score: None })
    }
}

impl Player for Codingame {
    fn new_game(&mut self, _: u64) -> Result<(), Lapse> {
        self.process = Some(Process::start(&self.command, Complaints::Dropped).map_err(Lapse::Crash)?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Lapse> {
        self.ask(turn).inspect_err(|_| self.process = None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_best_move() {
        assert_eq!(score("info depth 3 score cp -120 nodes 5 pv e5"), Some(-120));
        assert_eq!(score("info depth 3 multipv 1 score cp 1000 win nodes 5"), Some(1000));
        assert_eq!(score("info depth 3 multipv 2 score cp 7"), None);
        assert_eq!(score("info string score cp 7"), None);
        assert_eq!(score("info nodes 7 pv score cp 7"), None);
        assert_eq!(score("info score mate 3"), None);
        assert_eq!(score("info score cp"), None);
        assert_eq!(score("score cp 7"), None);
    }
}
