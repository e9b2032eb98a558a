//! The exact value of a position: "does the mover win?", and if not, "does the other?".

use super::prover::{Busy, Meter, Prover};
use super::table::{ProofTable, Shared};
use super::{Rules, Value, with_rule};
use crate::store::{self, Kind, StoreError};
use grid::Game;
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
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

const STATE: Kind = Kind { name: *b"utttproo", version: 1 };

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
        let (rule, entries) = body.split_at_checked(16).ok_or_else(|| wrong("utttproo"))?;
        if rule.trim_ascii_end() != self.rules.name().as_bytes() || entries.len() % 16 != 0 {
            return Err(wrong(&format!("utttproo ({} rule)", self.rules.name())));
        }
        self.table.share().read(entries);
        Ok(())
    }

    pub(super) fn search<'a, R: Rule>(&'a mut self, progress: &'a mut dyn FnMut(Progress)) -> Search<'a, R> {
        Search {
            rules: self.rules,
            table: self.table.share(),
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
    table: Shared<'a>,
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

impl<R: Rule> Search<'_, R> {
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the attacker wins.
    pub(super) fn wins(&mut self, position: &Lanes, attacker: usize) -> Result<bool, Stopped> {
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        if left == 0 || self.limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Relaxed)) {
            return Err(Stopped);
        }
        let deadline = self.limits.time.and_then(|time| self.start.checked_add(time));
        let cancel = self.limits.cancel.as_deref();
        let meter =
            |node_limit| Meter { stop: AtomicBool::new(false), nodes: AtomicU64::new(0), node_limit, deadline, cancel };
        let small = meter(left.min(SMALL));
        let answer = Prover::<R, false>::new(self.table, &small, &self.busy, attacker).prove(self.limits.isa, position);
        self.nodes += small.nodes.load(Relaxed);
        if let Some(wins) = answer {
            return Ok(wins);
        }
        loop {
            let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
            if left == 0 {
                return Err(Stopped);
            }
            let pause = self.autosave.and_then(|(_, interval)| self.saved.checked_add(*interval));
            let meter = Meter { deadline: deadline.into_iter().chain(pause).min(), ..meter(left) };
            let answer = self.run(&meter, position, attacker);
            self.nodes += meter.nodes.load(Relaxed);
            if let Some(wins) = answer {
                return Ok(wins);
            }
            let now = Instant::now();
            let is_time_up = deadline.is_some_and(|deadline| now >= deadline);
            let is_cancelled = cancel.is_some_and(|cancel| cancel.load(Relaxed));
            let Some((path, _)) = self.autosave.filter(|_| !is_time_up && !is_cancelled) else { return Err(Stopped) };
            // The threads have stopped, so no entry is half written. The search goes on from the table.
            if pause.is_some_and(|pause| now >= pause) {
                let _ = write_state(path, self.rules, self.table);
                self.saved = Instant::now();
            }
        }
    }

    /// Runs the provers until they have the answer or the meter stops them.
    fn run(&mut self, meter: &Meter<'_>, position: &Lanes, attacker: usize) -> Option<bool> {
        let (table, isa, busy, before) = (self.table, self.limits.isa, &self.busy, self.nodes);
        let tick = |nodes| (self.progress)(Progress { nodes: before + nodes, time: self.start.elapsed() });
        match self.limits.threads {
            0 | 1 => {
                watch(meter, 1, tick, || Prover::<R, false>::new(table, meter, busy, attacker).prove(isa, position))
            }
            threads => watch(meter, threads, tick, || {
                Prover::<R, true>::new(table, meter, busy, attacker).prove(isa, position)
            }),
        }
    }

    pub(super) fn value(&mut self, position: &Lanes) -> Result<Value, Stopped> {
        let us = position.mover();
        Ok(if self.wins(position, us)? {
            Value::W
        } else if self.wins(position, 1 - us)? {
            Value::L
        } else {
            Value::D
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
        let mut optimal = Vec::new();
        for mv in position.moves::<R>() {
            let next = lanes.after::<R>(mv);
            let keeps = match value {
                Value::W => self.wins(&next, us)?,
                Value::D => !self.wins(&next, 1 - us)?,
                Value::L => true,
            };
            if keeps {
                optimal.push(mv);
            }
        }
        Ok(optimal)
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
        let meter = Meter::unlimited();
        let mut prover = Prover::<R, false>::new(self.table, &meter, &self.busy, attacker);
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

/// Runs so many provers, tells the progress until one of them is done, then stops the others.
fn watch(
    meter: &Meter<'_>,
    threads: usize,
    mut tick: impl FnMut(u64),
    prove: impl Fn() -> Option<bool> + Sync,
) -> Option<bool> {
    std::thread::scope(|scope| {
        let (done, answers) = mpsc::channel();
        for _ in 0..threads {
            let (done, prove) = (done.clone(), &prove);
            // Nobody listens any more only if this function has panicked.
            scope.spawn(move || {
                let _ = done.send(prove());
            });
        }
        drop(done);
        let mut answer = None;
        loop {
            match answers.recv_timeout(TICK) {
                Ok(found) => {
                    answer = answer.or(found);
                    meter.stop.store(true, Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => tick(meter.nodes.load(Relaxed)),
                Err(RecvTimeoutError::Disconnected) => break answer,
            }
        }
    })
}
