//! The exact value of a position: "does the mover win?", and if not, "does the other?".

use super::prover::{Busy, Meter, Prover};
use super::questions::{Answers, Enough, Notice, Question, Questions};
use super::table::{ProofTable, Shared};
use super::{Rules, Value, with_rule};
use crate::store::{self, Kind, StoreError};
use grid::Game;
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use uttt::kernel::Lanes;
use uttt::{Move, Position, Rule, Uttt};

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of the table. Everything else takes kilobytes.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
    /// Wall clock for each call.
    pub time: Option<Duration>,
    /// Positions visited in each call, all proofs together.
    pub nodes: Option<u64>,
    /// Raised from outside to stop.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The instruction set.
    pub isa: Isa,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 256 << 20, threads: 1, time: None, nodes: None, cancel: None, isa: Isa::detect() }
    }
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// For the side to move; `None` when a limit came first.
    pub value: Option<Value>,
    /// Every legal move that keeps the value; empty when a limit came first.
    pub optimal: Vec<String>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether all of it is proved.
    pub proved: bool,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions visited in this call.
    pub nodes: u64,
    /// Since the call.
    pub time: Duration,
}

/// A limit came first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Solves positions of one rule; what it finds out about one helps with the next.
///
/// ```
/// use ninefold_engine::uttt::{Rules, Value, solve::{Limits, Solver}};
/// use uttt::{Accept, Position};
/// let limits = Limits { memory: 1 << 20, ..Limits::default() };
/// let mut solver = Solver::new(Rules::Standard, limits)?;
/// let text = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
/// let position = Rules::Standard.read(text, Accept::Reachable).unwrap();
/// let solution = solver.solve(&position, &mut |_| {});
/// assert_eq!((solution.value, solution.optimal), (Some(Value::D), vec!["ig".to_owned()]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Solver {
    rules: Rules,
    limits: Limits,
    table: ProofTable,
    /// Where what is known is written while a search goes on, and how often.
    autosave: Option<(PathBuf, Duration)>,
}

const STATE: Kind = Kind { name: *b"utttproo", words: "state of a search for proofs", version: 1 };

impl Solver {
    /// A solver with an empty table.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(rules: Rules, limits: Limits) -> std::io::Result<Self> {
        let table = ProofTable::new(limits.memory)?;
        Ok(Self { rules, limits, table, autosave: None })
    }

    /// The rule.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Bytes of the table.
    pub(super) fn memory(&self) -> usize {
        self.limits.memory
    }

    /// Takes up the memory of the table now; else the system gives it, and clears it, page by page under the search.
    /// Call it before the first search: what is known is forgotten.
    pub fn prepare(&mut self) {
        self.table.clear();
    }

    /// What the next calls may spend.
    pub fn set_budget(&mut self, time: Option<Duration>, nodes: Option<u64>, cancel: Option<Arc<AtomicBool>>) {
        (self.limits.time, self.limits.nodes, self.limits.cancel) = (time, nodes, cancel);
    }

    /// Writes what is known to that file every so often while a search goes on, so that little is lost if the program is
    /// killed. A save that fails is tried again the next time; who wants to know calls [`save`](Self::save) at the end.
    pub fn save_every(&mut self, path: &Path, interval: Duration) {
        self.autosave = Some((path.to_owned(), interval));
    }

    /// The value and every move that keeps it.
    pub fn solve(&mut self, position: &Position, progress: &mut dyn FnMut(Progress)) -> Solution {
        with_rule!(self.rules, R => {
            let mut search = self.search::<R>(progress);
            let lanes = Lanes::new::<R>(position);
            let value = search.value(&lanes);
            let optimal = value.and_then(|value| search.optimal(position, value));
            Solution {
                value: value.ok(),
                proved: optimal.is_ok(),
                optimal: optimal.unwrap_or_default().iter().map(Move::to_string).collect(),
                nodes: search.nodes(),
            }
        })
    }

    /// The value alone.
    ///
    /// # Errors
    /// If a limit came first.
    pub fn value(&mut self, position: &Position, progress: &mut dyn FnMut(Progress)) -> Result<Value, Stopped> {
        with_rule!(self.rules, R => self.search::<R>(progress).value(&Lanes::new::<R>(position)))
    }

    /// What a legal move is worth to the mover, unless a limit came first, and the positions that took.
    pub fn worth(&mut self, position: &Position, mv: Move) -> (Option<Value>, u64) {
        with_rule!(self.rules, R => {
            let mut quiet = |_| {};
            let mut search = self.search::<R>(&mut quiet);
            let next = Lanes::new::<R>(position).after::<R>(mv);
            let result = next.is_over().then(|| next.result::<R>() * position.mover().sign());
            let worth = match result {
                Some(result) => Some([Value::L, Value::D, Value::W][(result + 1) as usize]),
                None => search.value(&next).ok().map(Value::for_the_other),
            };
            (worth, search.nodes())
        })
    }

    /// A line of play to the end in which neither side ever gives away anything, unless a limit came first, and the
    /// positions that took. Of several such moves the first.
    pub fn line(
        &mut self,
        position: &Position,
        progress: &mut dyn FnMut(Progress),
    ) -> (Result<Vec<Move>, Stopped>, u64) {
        with_rule!(self.rules, R => {
            let mut search = self.search::<R>(progress);
            let line = search.line(position);
            (line, search.nodes())
        })
    }

    /// Writes what is known, so that a later run can go on from there.
    ///
    /// # Errors
    /// If the file cannot be written; an older one is then left as it was.
    pub fn save(&mut self, path: &Path) -> Result<(), StoreError> {
        write_state(path, self.rules, self.table.share())
    }

    /// Takes over what an earlier run knew.
    ///
    /// # Errors
    /// If the file is not there, not whole, or of another rule.
    pub fn resume(&mut self, path: &Path) -> Result<(), StoreError> {
        let bytes = std::fs::read(path).map_err(|source| StoreError::io(path, source))?;
        let body = store::open(path, STATE, &bytes, true)?;
        let wrong = |expected: &str| StoreError::Kind { path: path.to_owned(), expected: expected.to_owned() };
        let (rule, entries) = body.split_at_checked(16).ok_or_else(|| wrong(STATE.words))?;
        if rule.trim_ascii_end() != self.rules.name().as_bytes() || entries.len() % 16 != 0 {
            return Err(wrong(&format!("{} under the {} rule", STATE.words, self.rules.name())));
        }
        self.table.make_room(u64::MAX);
        self.table.share().read(entries);
        Ok(())
    }

    pub(super) fn search<'a, R: Rule>(&'a mut self, progress: &'a mut dyn FnMut(Progress)) -> Search<'a, R> {
        Search {
            rules: self.rules,
            table: &mut self.table,
            limits: &self.limits,
            autosave: self.autosave.as_ref(),
            saved: Instant::now(),
            busy: Busy::new(),
            progress,
            start: Instant::now(),
            nodes: 0,
            rule: std::marker::PhantomData,
        }
    }
}

fn write_state(path: &Path, rules: Rules, table: Shared<'_>) -> Result<(), StoreError> {
    store::write_whole(path, STATE, |out| {
        write!(out, "{:16}", rules.name())?;
        table.write(out)
    })
}

/// Positions visited to solve three fixed endgames under both closed rules: the same on every instruction set, and different as
/// soon as rules, order of moves, static tests or search change.
///
/// # Panics
/// If there is no memory for a table of 1 MiB.
#[must_use]
pub fn signature(isa: Isa) -> u64 {
    const ENDGAMES: [&str; 3] = [
        "X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..",
        "O;X.XOOX..O;..X..X..X/O.X....X./..XOOX..X/.XO..O..O/OOO.X..../X.X.XOO.X/O..X..X../......O../..OX.O..O",
        "X;@X.XOX.X.;....XO.OX/...O.OXXX/O.OOXX.../XX.OX...X/OOO....O./.O.XXX.OX/X.....O../.X..XO.X./.OXO.O..O",
    ];
    let mut nodes = 0;
    for rules in [Rules::Standard, Rules::CodinGame] {
        let mut solver = Solver::new(rules, Limits { memory: 1 << 20, isa, ..Limits::default() }).expect("1 MiB");
        for text in ENDGAMES {
            let position = rules.read(text, uttt::Accept::Reachable);
            nodes += position.map_or(0, |position| solver.solve(&position, &mut |_| {}).nodes);
        }
    }
    nodes
}

/// One call on a solver: its clock and its count.
pub(super) struct Search<'a, R: Rule> {
    rules: Rules,
    table: &'a mut ProofTable,
    limits: &'a Limits,
    autosave: Option<&'a (PathBuf, Duration)>,
    /// When the state was last written; at first, when the search began.
    saved: Instant,
    busy: Busy,
    progress: &'a mut dyn FnMut(Progress),
    start: Instant,
    nodes: u64,
    rule: std::marker::PhantomData<R>,
}

/// Proofs up to this size are not worth a thread.
const SMALL: u64 = 1 << 16;

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

impl<'a, R: Rule> Search<'a, R> {
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the attacker wins.
    fn wins(&mut self, position: &Lanes, attacker: usize) -> Result<bool, Stopped> {
        let question = Question { position: *position, attacker };
        let answers = self.ask(&[question], |answers| answers[0].is_some())?;
        answers[0].ok_or(Stopped)
    }

    /// Answers questions until they are enough: one thread in their order, several threads side by side.
    fn ask(&mut self, questions: &[Question], enough: Enough) -> Result<Answers, Stopped> {
        let mut answers: Answers = vec![None; questions.len()];
        while !enough(&answers) {
            let Some(first) = answers.iter().position(Option::is_none) else { break };
            let Question { position, attacker } = &questions[first];
            let small = self.meter(SMALL)?;
            let alone = Notice::default();
            self.table.make_room(SMALL);
            let mut prover = Prover::<R, false>::new(self.table.share(), &small, &alone, &self.busy, *attacker);
            answers[first] = prover.prove(self.limits.isa, position);
            let nodes = small.nodes.load(Relaxed);
            self.table.count(nodes);
            self.nodes += nodes;
            if answers[first].is_none() {
                let together = if self.limits.threads > 1 { questions.len() } else { first + 1 };
                let known = answers.split_off(together);
                answers = self.ask_at_length(&questions[..together], answers, enough)?;
                answers.extend(known);
            }
        }
        Ok(answers)
    }

    /// The same for proofs that may take long: with threads, and saving what is known from time to time.
    fn ask_at_length(&mut self, asked: &[Question], known: Answers, enough: Enough) -> Result<Answers, Stopped> {
        let questions = Questions::new(asked, known, enough);
        self.table.make_room(u64::MAX);
        loop {
            let limits = self.meter(u64::MAX)?;
            let (deadline, cancel) = (limits.deadline, limits.cancel);
            let pause = self.autosave.and_then(|(_, interval)| self.saved.checked_add(*interval));
            let meter = Meter { deadline: deadline.into_iter().chain(pause).min(), ..limits };
            let nodes = self.run(&meter, &questions);
            self.nodes += nodes;
            if questions.are_done() {
                return Ok(questions.into_answers());
            }
            let now = Instant::now();
            let is_time_up = deadline.is_some_and(|deadline| now >= deadline);
            let is_cancelled = cancel.is_some_and(|cancel| cancel.load(Relaxed));
            let Some((path, _)) = self.autosave.filter(|_| !is_time_up && !is_cancelled) else { return Err(Stopped) };
            // The threads have stopped, so no entry is half written. The search goes on from the table.
            if pause.is_some_and(|pause| now >= pause) {
                let _ = write_state(path, self.rules, self.table.share());
                self.saved = Instant::now();
            }
        }
    }

    /// What is left to be spent, but no more than so many positions.
    fn meter(&self, most: u64) -> Result<Meter<'a>, Stopped> {
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let cancel = self.limits.cancel.as_deref();
        if left == 0 || cancel.is_some_and(|cancel| cancel.load(Relaxed)) {
            return Err(Stopped);
        }
        let deadline = self.limits.time.and_then(|time| self.start.checked_add(time));
        Ok(Meter { node_limit: left.min(most), deadline, cancel, ..Meter::unlimited() })
    }

    /// Runs the provers until they have the answers or the meter stops them; tells how many positions that took.
    fn run(&mut self, meter: &Meter<'_>, questions: &Questions<'_>) -> u64 {
        let (table, isa, busy, before) = (self.table.share(), self.limits.isa, &self.busy, self.nodes);
        let tick = |nodes| (self.progress)(Progress { nodes: before + nodes, time: self.start.elapsed() });
        let threads = self.limits.threads.max(1);
        watch(meter, threads, tick, || {
            questions.work(|question, notice| {
                let Question { position, attacker } = question;
                if threads == 1 {
                    Prover::<R, false>::new(table, meter, notice, busy, *attacker).prove(isa, position)
                } else {
                    Prover::<R, true>::new(table, meter, notice, busy, *attacker).prove(isa, position)
                }
            });
        });
        meter.nodes.load(Relaxed)
    }

    pub(super) fn value(&mut self, position: &Lanes) -> Result<Value, Stopped> {
        let us = position.mover();
        let questions = [us, 1 - us].map(|attacker| Question { position: *position, attacker });
        // One of them wins, or neither does.
        let enough: Enough = |answers| answers.contains(&Some(true)) || !answers.contains(&None);
        let answers = self.ask(&questions, enough)?;
        Ok(match answers[..] {
            [Some(true), _] => Value::W,
            [_, Some(true)] => Value::L,
            _ => Value::D,
        })
    }

    fn line(&mut self, position: &Position) -> Result<Vec<Move>, Stopped> {
        let game = Uttt::<R>::GAME;
        let mut position = *position;
        let mut line = Vec::new();
        while !game.is_over(&position) {
            let value = self.value(&Lanes::new::<R>(&position))?;
            let mv = self.keeper(&position, value)?;
            line.push(mv);
            position = game.play_unchecked(&position, mv);
        }
        Ok(line)
    }

    /// Every move that keeps the value: one proof a move, and none where all moves lose.
    fn optimal(&mut self, position: &Position, value: Value) -> Result<Vec<Move>, Stopped> {
        let lanes = Lanes::new::<R>(position);
        let us = lanes.mover();
        let moves: Vec<Move> = position.moves::<R>().collect();
        let attacker = match value {
            Value::W => us,
            Value::D => 1 - us,
            Value::L => return Ok(moves),
        };
        let questions: Vec<_> = moves.iter().map(|&mv| Question { position: lanes.after::<R>(mv), attacker }).collect();
        let answers = self.ask(&questions, |answers| !answers.contains(&None))?;
        let keeps = |answer: &Option<bool>| *answer == Some(attacker == us);
        Ok(moves.into_iter().zip(&answers).filter(|(_, answer)| keeps(answer)).map(|(mv, _)| mv).collect())
    }

    /// A move that keeps a value which is known to be right.
    fn keeper(&mut self, position: &Position, value: Value) -> Result<Move, Stopped> {
        let us = position.mover() as usize;
        match value {
            Value::W => self.reply(position, us),
            Value::D => self.reply(position, 1 - us),
            Value::L => position.moves::<R>().next().ok_or(Stopped),
        }
    }

    /// A move with which the mover gets his way in the question whether the attacker wins; he is known to.
    pub(super) fn reply(&mut self, position: &Position, attacker: usize) -> Result<Move, Stopped> {
        let lanes = Lanes::new::<R>(position);
        let wanted = lanes.mover() == attacker;
        let (meter, alone) = (Meter::unlimited(), Notice::default());
        let mut prover = Prover::<R, false>::new(self.table.share(), &meter, &alone, &self.busy, attacker);
        let known = |prover: &Prover<'_, R, false>| {
            position.moves::<R>().find(|&mv| prover.known(&lanes.after::<R>(mv)) == Some(wanted))
        };
        if let Some(mv) = known(&prover) {
            return Ok(mv);
        }
        // The table has lost the answer: prove the position once more, which leaves its best move there.
        prover.prove_again(self.limits.isa, &lanes);
        self.nodes += meter.nodes.load(Relaxed);
        if let Some(mv) = known(&prover) {
            return Ok(mv);
        }
        for mv in position.moves::<R>() {
            if self.wins(&lanes.after::<R>(mv), attacker)? == wanted {
                return Ok(mv);
            }
        }
        Err(Stopped)
    }
}

/// Runs so many threads and tells the progress until they have ended.
fn watch(meter: &Meter<'_>, threads: usize, mut tick: impl FnMut(u64), work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        for _ in 0..threads {
            let (working, work) = (working.clone(), &work);
            scope.spawn(move || {
                work();
                drop(working);
            });
        }
        drop(working);
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            tick(meter.nodes.load(Relaxed));
        }
    });
}
