//! `ninefold engine`: the games behind the Universal Game Interface (UGI), a dialect of UCI. See `docs/protocol.md`.
//!
//! ```text
//! standard input -> reader ---lines---+
//!                                     v
//!                    one loop: state, standard output <---progress, moves--- worker: the session that searches
//!                                     |                                        ^
//!                                     +------------- jobs, cancel flag --------+
//! ```
//!
//! Only the loop writes, and it never waits for a search. If a search does not react to the cancel flag in time, the
//! loop answers with the best move so far and ignores the later result. So `stop` is answered within 50 ms whatever the
//! engine does.

pub(crate) mod clock;
pub(crate) mod command;
mod options;
pub(crate) mod output;
mod reached;
mod reader;
mod worker;

use crate::failure::Failure;
use crate::interrupt;
use crate::options::IsaOption;
use crate::output::Output;
use api::{Analysis, Fault, GameName, Limits, MoveLeaves, PositionQuestion, Session, View};
use command::{Command, Go, PositionText};
use options::{Change, Options};
pub(crate) use reached::reached;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, sync_channel};
use std::time::{Duration, Instant};
use worker::{Job, Search};

const AFTER_HELP: &str = "\
Examples:
  ninefold engine --game uttt
  ninefold engine --game uttt --option rule=codingame --option level=5
  ninefold engine --game triad --option edition=ff14 --option seed=7

Type `ugi` to be introduced, `d` to see the board, `go movetime 1000` for a move, `quit` to leave.";

/// Arguments of `engine`.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The game: uttt, triad or cephalopods
    #[arg(long, value_parser = game)]
    pub(crate) game: GameName,
    /// Set an option before the first line is read, such as level=3; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = assignment)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    isa: IsaOption,
}

/// Reads the name of a game.
pub(crate) fn game(name: &str) -> Result<GameName, String> {
    GameName::named(name).ok_or_else(|| "the games are uttt, triad and cephalopods".to_owned())
}

/// Reads `NAME=VALUE`.
pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// An event for the loop.
enum Event {
    /// A line of standard input.
    Line(Vec<u8>),
    /// A line that exceeds the length limit.
    TooLong,
    /// Standard input has ended.
    End,
    /// A partial answer of a search.
    Progress { number: u64, analysis: Box<Analysis> },
    /// The result of a search.
    Found { number: u64, result: Result<(Option<String>, Option<Box<Analysis>>), Fault> },
    /// The number of leaves in total and below each move; `None` if the count was stopped.
    Counted { number: u64, result: Result<Option<(u64, Vec<MoveLeaves>)>, Fault> },
    /// The worker has ended unexpectedly.
    WorkerGone,
    /// A signal asks the program to end.
    Signal,
}

/// Maximum number of waiting events. A driver that sends more blocks on its pipe.
const QUEUE: usize = 256;
/// Time for a search to answer by itself after `stop`.
const GRACE: Duration = Duration::from_millis(15);
/// Time by which a search may exceed its time limit before its cancel flag is raised.
const OVERRUN: Duration = Duration::from_millis(2);
/// The protocol's word for "no move".
const NO_MOVE: &str = "0000";
const REFUSED: &str = "the last position was refused: send another one";

/// Runs until `quit`, the end of the input, or a signal.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let isa = arguments.isa.get();
    let (sender, events) = sync_channel(QUEUE);
    let game = arguments.game;
    let jobs = worker::start(move || game.open(isa), sender.clone())?;
    let mut engine = Engine::new(game.open(isa), jobs)?;
    for (name, value) in &arguments.options {
        engine.set(name, value).map_err(|fault| Failure::Usage(fault.message))?;
    }
    reader::start(sender.clone())?;
    interrupt::on_first(move || {
        // On its own thread: the queue may be full, and a second signal must still end the program.
        let _ = std::thread::Builder::new().spawn(move || sender.send(Event::Signal));
    });
    engine.listen(&events)?;
    interrupt::check()
}

/// The state of the loop.
struct Engine {
    output: Output,
    /// For rules and options. The worker has another session, for searches.
    session: Box<dyn Session>,
    options: Options,
    jobs: Sender<Job>,
    /// The current position.
    position: String,
    /// Whether the driver's last position was refused, so that `position` is not what the driver means.
    refused: bool,
    running: Option<Running>,
    /// The number of the last question.
    last_number: u64,
    /// Number of questions that the worker has not finished, including those already answered without it.
    unfinished: u64,
}

/// An unanswered question.
struct Running {
    number: u64,
    cancel: Arc<AtomicBool>,
    /// The best move so far. Initially any legal move; `None` if the game is over.
    best: Option<String>,
    /// Whether this is a perft, which answers with a number.
    counts: bool,
    /// Whether the answer must wait for `stop`.
    endless: bool,
    /// Whether an answer is ready and waits for `stop`.
    held: bool,
    /// What `ponderhit` changes. Until then the answer must wait.
    pondering: Option<AfterHit>,
    /// The `info` lines that were printed last.
    printed: Vec<String>,
    /// When to raise the cancel flag.
    limit: Option<Instant>,
    /// When to answer without the search.
    patience: Option<Instant>,
}

/// What a search does after `ponderhit`.
struct AfterHit {
    /// The time limit in milliseconds, which begins then.
    time: Option<u64>,
    /// Whether the answer still waits for `stop`.
    endless: bool,
}

/// What to do after a line.
enum Next {
    Listen,
    Leave,
}

impl Engine {
    fn new(mut session: Box<dyn Session>, jobs: Sender<Job>) -> Result<Self, Failure> {
        let position = session.look(&PositionQuestion::default())?.position;
        let (output, options) = (Output::new(), Options::default());
        Ok(Self {
            output,
            session,
            options,
            jobs,
            position,
            refused: false,
            running: None,
            last_number: 0,
            unfinished: 0,
        })
    }

    fn listen(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        loop {
            let wake = self.running.as_ref().and_then(|running| running.patience.or(running.limit));
            let event = match wake {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wake) => events.recv_timeout(wake.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Line(line)) => {
                    if let Next::Leave = self.line(&line)? {
                        return Ok(());
                    }
                }
                Ok(Event::TooLong) => self.say("the line is too long")?,
                Ok(Event::End | Event::Signal) => return self.end(events),
                Ok(event) => self.handle(event)?,
                Err(RecvTimeoutError::Timeout) => self.time_is_up()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// At the end of the input or after a signal, stops the running search and answers it.
    fn end(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        self.stop()?;
        while let Some(patience) = self.running.as_ref().and_then(|running| running.patience) {
            match events.recv_timeout(patience.saturating_duration_since(Instant::now())) {
                Ok(event) => self.handle(event)?,
                Err(_) => self.time_is_up()?,
            }
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        self.output.line(output::message(text))
    }

    fn line(&mut self, line: &[u8]) -> Result<Next, Failure> {
        let Ok(line) = std::str::from_utf8(line) else {
            self.say("the line is not UTF-8")?;
            return Ok(Next::Listen);
        };
        match command::read(line) {
            Ok(Command::Quit) => return Ok(Next::Leave),
            Ok(command) => self.obey(command)?,
            Err(message) => {
                self.say(&message)?;
                // A driver waits for the answer to every `go`.
                if line.split_whitespace().next() == Some("go") && self.running.is_none() {
                    self.no_move()?;
                }
            }
        }
        Ok(Next::Listen)
    }

    fn obey(&mut self, command: Command) -> Result<(), Failure> {
        let done = match command {
            Command::Introduce(end) => return self.introduce(end),
            Command::IsReady => return self.ready(),
            Command::NewGame => self.new_game(),
            Command::SetOption { .. } | Command::Go(_) if self.running.is_some() => {
                Err(Fault::question("", "a search is running: stop it first"))
            }
            Command::SetOption { name, value } => self.set(&name, &value),
            Command::Position(place) => self.go_to(&place),
            Command::Moves(_) if self.refused => Err(Fault::question("", REFUSED)),
            Command::Moves(moves) => self.go_to(&PositionText { text: Some(self.position.clone()), moves }),
            Command::Go(_) if self.refused => {
                self.say(REFUSED)?;
                return self.no_move();
            }
            Command::Go(go) => return self.go(&go),
            Command::Stop => return self.stop(),
            Command::PonderHit => return self.ponder_hit(),
            Command::Query(question) => return self.query(&question),
            Command::Show => {
                let view = self.view()?;
                return self.output.line(output::board(&view, self.options.style));
            }
            Command::Quit | Command::Unknown => return Ok(()),
        };
        done.or_else(|fault| self.say(&fault.message))
    }

    /// `end` is the word that ends the introduction.
    fn introduce(&mut self, end: &str) -> Result<(), Failure> {
        let game = self.session.game().name();
        self.output.line(format_args!("id name Ninefold {} ({game})", env!("CARGO_PKG_VERSION")))?;
        self.output.line("id author the Ninefold authors")?;
        for line in self.options.lines(self.session.as_ref()) {
            self.output.line(line)?;
        }
        self.output.line(end)
    }

    /// Does the slow preparation now. If the worker is busy there is nothing to prepare.
    fn ready(&mut self) -> Result<(), Failure> {
        if self.unfinished == 0 {
            let (sender, done) = std::sync::mpsc::channel();
            self.job(Job::Prepare(self.limits(), sender))?;
            done.recv().map_err(|_| worker_failed())?;
        }
        self.output.line("readyok")
    }

    fn job(&self, job: Job) -> Result<(), Failure> {
        self.jobs.send(job).map_err(|_| worker_failed())
    }

    /// Memory and threads from the options.
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        (limits.memory_mib, limits.threads) = (Some(self.options.memory_mib), Some(self.options.threads));
        limits
    }

    /// The start of the game under the current options.
    fn start(&mut self) -> Result<String, Fault> {
        Ok(self.session.look(&PositionQuestion::default())?.position)
    }

    /// Stops and answers a running search, clears the search's memory, and goes back to the start.
    fn new_game(&mut self) -> Result<(), Fault> {
        self.stop().map_err(|_| Fault::question("", "the output is closed"))?;
        let _ = self.jobs.send(Job::Forget);
        self.position = self.start()?;
        self.refused = false;
        Ok(())
    }

    /// Sets an option. It may change the rules: if the game has not started, or cannot continue under them, it starts
    /// anew.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Change::Game(name) = self.options.change(self.session.as_ref(), name, value)? else { return Ok(()) };
        let begun = self.start()? != self.position;
        let mut base = self.session.base().clone();
        base.set(&name, value)?;
        if name == "edition" {
            // Rules belong to an edition, so another edition resets them.
            base.rules = None;
        }
        self.session.set_base(&base)?;
        let _ = self.jobs.send(Job::Set(base));
        if !begun || self.session.look(&PositionQuestion::at(self.position.as_str())).is_err() {
            self.position = self.start()?;
        }
        Ok(())
    }

    /// Sets the position, if every move is legal.
    fn go_to(&mut self, place: &PositionText) -> Result<(), Fault> {
        let reached = reached(self.session.as_mut(), place);
        self.refused = reached.is_err();
        self.position = reached?.0;
        Ok(())
    }

    /// Answers a `go` that was refused.
    fn no_move(&mut self) -> Result<(), Failure> {
        self.output.line(format_args!("bestmove {NO_MOVE}"))
    }

    /// The moves of `searchmoves` in their one-word form. Those that are not legal are left out and named.
    fn listed(&mut self, words: &[String]) -> Result<Vec<String>, Failure> {
        let mut listed = Vec::new();
        for word in words {
            let place = PositionText { text: Some(self.position.clone()), moves: vec![word.clone()] };
            match reached(self.session.as_mut(), &place) {
                Ok((_, moves)) => listed.extend(moves),
                Err(fault) => self.say(&format!("searchmoves: {}", fault.message))?,
            }
        }
        Ok(listed)
    }

    /// Never fails for a wrong position: the session has accepted it before.
    fn view(&mut self) -> Result<View, Failure> {
        Ok(self.session.look(&PositionQuestion::at(self.position.as_str()))?)
    }

    fn query(&mut self, question: &str) -> Result<(), Failure> {
        let view = self.view()?;
        let answer = match (question, view.result) {
            ("p1turn", _) => (view.mover == 1).to_string(),
            ("gameover", result) => result.is_some().to_string(),
            ("result", None) => "none".to_owned(),
            ("result", Some(result)) => ["p2win", "draw", "p1win"][(result.signum() + 1) as usize].to_owned(),
            _ => return self.say("the queries are p1turn, gameover and result"),
        };
        self.output.line(format_args!("response {answer}"))
    }

    fn go(&mut self, go: &Go) -> Result<(), Failure> {
        let start = Instant::now();
        let view = self.view()?;
        let listed = self.listed(&go.search_moves)?;
        if listed.is_empty() && !go.search_moves.is_empty() {
            return self.no_move();
        }
        self.last_number += 1;
        self.unfinished += 1;
        let (number, cancel) = (self.last_number, Arc::new(AtomicBool::new(false)));
        let first = || view.moves.first().map(|mv| mv.mv.clone());
        let mut running = Running {
            number,
            cancel: Arc::clone(&cancel),
            best: listed.first().cloned().or_else(first),
            counts: go.perft.is_some(),
            endless: false,
            held: false,
            pondering: None,
            printed: Vec::new(),
            limit: None,
            patience: None,
        };
        if let Some(depth) = go.perft {
            self.running = Some(running);
            return self.job(Job::Count { number, position: self.position.clone(), depth, cancel });
        }
        let time = self.time(go, &view);
        let limited = time.is_some() || go.nodes.is_some() || go.depth.is_some();
        let endless = go.infinite || !limited && !go.solve;
        running.endless = endless || go.ponder;
        let mut limits = self.limits();
        if go.ponder {
            running.pondering = Some(AfterHit { time, endless });
        } else if !go.infinite {
            running.limit = time.and_then(|time| deadline(start, time));
            limits.time_ms = time;
        }
        if !go.infinite {
            (limits.nodes, limits.depth) = (go.nodes, go.depth);
        }
        // The book has one move and no analysis: not what these questions ask for.
        let asks_more = running.endless || go.solve || !listed.is_empty() || self.options.lines > 1;
        let book = self.options.own_book && !asks_more;
        self.running = Some(running);
        self.job(Job::Search(Search {
            number,
            position: self.position.clone(),
            limits,
            level: self.options.level,
            seed: self.session.base().seed.unwrap_or(1),
            lines: self.options.lines,
            listed,
            solve: go.solve,
            book,
            cancel,
        }))
    }

    /// The time limit of a search in milliseconds: the time of the move without the overhead, or a share of the mover's
    /// clock.
    fn time(&self, go: &Go, view: &View) -> Option<u64> {
        let (mover, overhead) = (usize::from(view.mover == 2), self.options.overhead_ms);
        let share = go.clocks[mover].map(|left| {
            let moves = go.movestogo.unwrap_or_else(|| clock::moves_left(self.session.game(), view.ply));
            clock::share(left, go.increments[mover], moves, overhead)
        });
        match (go.movetime.map(|time| time.saturating_sub(overhead.into()).max(1)), share) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        }
        .filter(|_| !go.infinite)
    }

    /// The search goes on with the limits of its `go`, and its time begins now.
    fn ponder_hit(&mut self) -> Result<(), Failure> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let Some(AfterHit { time, endless }) = running.pondering.take() else { return Ok(()) };
        running.endless = endless;
        running.limit = time.and_then(|time| Instant::now().checked_add(Duration::from_millis(time)));
        if running.held && !endless { self.answer() } else { Ok(()) }
    }

    fn stop(&mut self) -> Result<(), Failure> {
        let Some(running) = &mut self.running else { return Ok(()) };
        running.cancel.store(true, Ordering::Relaxed);
        running.endless = false;
        running.patience.get_or_insert(Instant::now() + GRACE);
        if running.held { self.answer() } else { Ok(()) }
    }

    /// First raises the cancel flag. If that does not help, answers without the search, and at once if the search has
    /// named a move.
    fn time_is_up(&mut self) -> Result<(), Failure> {
        match &mut self.running {
            Some(running) if running.patience.is_some() => self.answer(),
            Some(running) => {
                if !running.printed.is_empty() {
                    running.patience = Some(Instant::now() + OVERRUN);
                }
                self.stop()
            }
            None => Ok(()),
        }
    }

    /// Answers the current question with the best move so far.
    fn answer(&mut self) -> Result<(), Failure> {
        let Some(running) = self.running.take() else { return Ok(()) };
        if running.counts {
            return self.say("the count was stopped");
        }
        let game = self.session.game();
        let best = running.best.map_or_else(|| NO_MOVE.to_owned(), |best| self.options.style.write(game, &best));
        self.output.line(format_args!("bestmove {best}"))
    }

    /// Handles an event of the worker. Results of questions that are already answered are ignored.
    fn handle(&mut self, event: Event) -> Result<(), Failure> {
        let current = self.running.as_ref().map(|running| running.number);
        match event {
            Event::Progress { number, analysis } if Some(number) == current => self.progress(&analysis),
            Event::Found { number, result } => {
                self.unfinished -= 1;
                if Some(number) == current { self.found(result) } else { Ok(()) }
            }
            Event::Counted { number, result } => {
                self.unfinished -= 1;
                match result {
                    _ if Some(number) != current => Ok(()),
                    Ok(Some((leaves, moves))) => {
                        self.running = None;
                        for MoveLeaves { mv, leaves, .. } in moves {
                            let mv = self.options.style.write(self.session.game(), &mv);
                            self.output.line(format_args!("{mv}: {leaves}"))?;
                        }
                        self.output.line(format_args!("nodes {leaves}"))
                    }
                    Ok(None) => self.answer(),
                    Err(fault) => {
                        self.running = None;
                        self.say(&fault.message)
                    }
                }
            }
            Event::WorkerGone => Err(worker_failed()),
            _ => Ok(()),
        }
    }

    fn progress(&mut self, analysis: &Analysis) -> Result<(), Failure> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if let Some(best) = &analysis.best {
            running.best = Some(best.clone());
        }
        let lines = output::info(analysis, self.session.game(), self.options.lines, self.options.style);
        if running.printed == lines {
            return Ok(());
        }
        lines.iter().try_for_each(|line| self.output.line(line))?;
        running.printed = lines;
        Ok(())
    }

    fn found(&mut self, result: Result<(Option<String>, Option<Box<Analysis>>), Fault>) -> Result<(), Failure> {
        match result {
            Err(fault) => self.say(&fault.message)?,
            Ok((best, analysis)) => {
                if let Some(analysis) = &analysis {
                    self.progress(analysis)?;
                    if best.is_none() && self.running.as_ref().is_some_and(|running| running.best.is_some()) {
                        self.say("not solved within the limit; the move is any legal one")?;
                    }
                }
                if let (Some(running), Some(best)) = (&mut self.running, best) {
                    running.best = Some(best);
                }
            }
        }
        match &mut self.running {
            Some(running) if running.endless => {
                running.held = true;
                Ok(())
            }
            _ => self.answer(),
        }
    }
}

/// When to raise the cancel flag of a search that keeps its time limit itself, in milliseconds.
fn deadline(start: Instant, time: u64) -> Option<Instant> {
    start.checked_add(Duration::from_millis(time).saturating_add(OVERRUN))
}

fn worker_failed() -> Failure {
    Failure::Run("the search has failed".to_owned())
}
