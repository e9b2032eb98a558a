//! The playing engine: a search chosen by the request, the solver near the end, one answer.

use super::evaluation::HandMade;
use super::solve::{Limits, Solver};
use super::{Rules, Value};
use grid::simd::Isa;
use grid::{Game, Rng};
use search::alphabeta::Entry;
use search::playout::Policy;
use search::{AlphaBeta, Budget, Hashed, Mcts, OutOfMemory, Stop, Table};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use uttt::kernel::Lanes;
use uttt::{Move, Position, Rule, Uttt};

/// Which search looks for the move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Monte-Carlo tree search that proves what it can.
    #[default]
    Mcts,
    /// The same without proofs and without the solver: the yardstick.
    Uct,
    /// Alpha-beta with the hand-made evaluation.
    AlphaBeta,
}

impl Method {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Self); 3] =
        [("mcts", Self::Mcts), ("uct", Self::Uct), ("alphabeta", Self::AlphaBeta)];
}

/// What is asked.
///
/// ```
/// use ninefold_engine::uttt::play::Request;
/// let request: Request = serde_json::from_str(r#"{"time_ms": 250, "lines": 3}"#)?;
/// assert_eq!((request.time.unwrap().as_millis(), request.lines, request.level), (250, 3, 10));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Which search.
    pub method: Method,
    /// Wall clock for the answer.
    #[serde(rename = "time_ms", with = "milliseconds")]
    pub time: Option<Duration>,
    /// Positions or playouts.
    pub nodes: Option<u64>,
    /// Moves looked ahead: by the last iteration of alpha-beta, by the longest line of a tree search. A request with no
    /// other limit leaves the solver out, which knows no depth.
    pub depth: Option<u32>,
    /// How many moves are told, best first.
    pub lines: usize,
    /// From 1 (a beginner) to 10 (all it has): below 10 the search may look at `20 * 3^level` positions.
    pub level: u32,
    /// Raised from outside to stop.
    #[serde(skip)]
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Request {
    /// The strongest level.
    pub const STRONGEST: u32 = 10;
}

impl Default for Request {
    fn default() -> Self {
        let time = Some(Duration::from_secs(1));
        Self {
            method: Method::default(),
            time,
            nodes: None,
            depth: None,
            lines: 1,
            level: Self::STRONGEST,
            cancel: None,
        }
    }
}

/// Times as whole milliseconds.
mod milliseconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

/// A move and what is thought of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The expected result for the side to move, from -1 to 1; exact where there is a value.
    pub score: f32,
    /// The proved value for the side to move.
    pub value: Option<Value>,
    /// How play may go on, the move included.
    pub line: Vec<String>,
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// The move to make; `None` when the game is over.
    pub best: Option<String>,
    /// The proved value of the position for the side to move.
    pub value: Option<Value>,
    /// Moves, best first.
    pub lines: Vec<Line>,
    /// Positions and playouts of all searches.
    pub nodes: u64,
    /// Alpha-beta: moves looked ahead. Tree search: the longest line looked at.
    pub depth: u32,
    /// Milliseconds since the question.
    pub time_ms: u64,
}

/// No position with more empty squares is given to the solver.
const SOLVER_EMPTIES: u32 = 45;
/// The solver gets this share of the time before the search: one part in so many.
const SOLVER_SHARE: u32 = 4;
/// What the solver gets of a request without end, some seconds: the search must come to its turn before somebody stops it.
const SOLVER_NODES: u64 = 1 << 22;

/// A player with a memory: its tree, its tables.
pub struct Engine {
    rules: Rules,
    isa: Isa,
    solver: Solver,
    /// Taken up when first needed, by the rule's type.
    player: Player,
}

enum Player {
    Standard(Searches<uttt::Standard>),
    CodinGame(Searches<uttt::CodinGame>),
    Open(Searches<uttt::Open>),
}

impl Engine {
    /// An engine that takes at most about `memory` bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(rules: Rules, memory: usize, isa: Isa, seed: u64) -> io::Result<Self> {
        let solver = Solver::new(rules, Limits { memory: memory / 4, isa, ..Limits::default() })?;
        let no_memory = |error: OutOfMemory| io::Error::new(io::ErrorKind::OutOfMemory, error);
        let player = match rules {
            Rules::Standard => Player::Standard(Searches::new(memory / 2, seed).map_err(no_memory)?),
            Rules::CodinGame => Player::CodinGame(Searches::new(memory / 2, seed).map_err(no_memory)?),
            Rules::Open => Player::Open(Searches::new(memory / 2, seed).map_err(no_memory)?),
        };
        Ok(Self { rules, isa, solver, player })
    }

    /// Sets how much the tree search favours a rarely tried move; [`EXPLORATION`] unless set.
    pub fn set_exploration(&mut self, exploration: f32) {
        match &mut self.player {
            Player::Standard(searches) => searches.exploration = exploration,
            Player::CodinGame(searches) => searches.exploration = exploration,
            Player::Open(searches) => searches.exploration = exploration,
        }
    }

    /// Takes up the solver's memory now, so that no answer waits for the system to clear it.
    pub fn prepare(&mut self) {
        self.solver.prepare();
    }

    /// Looks for the best moves.
    pub fn analyse(&mut self, position: &Position, request: &Request) -> Analysis {
        self.analyse_with(position, request, &mut |_| {})
    }

    /// The same; `progress` hears how the answer stands: after each iteration of alpha-beta, else every 100 ms, and at the
    /// end.
    pub fn analyse_with(
        &mut self,
        position: &Position,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let (isa, solver) = (self.isa, &mut self.solver);
        match &mut self.player {
            Player::Standard(searches) => searches.analyse(isa, solver, position, request, progress),
            Player::CodinGame(searches) => searches.analyse(isa, solver, position, request, progress),
            Player::Open(searches) => searches.analyse(isa, solver, position, request, progress),
        }
    }

    /// The move to make, if the game is not over.
    pub fn choose(&mut self, position: &Position, request: &Request) -> Option<Move> {
        self.analyse(position, request).best.and_then(|text| text.parse().ok())
    }

    /// The rule.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }
}

/// Random games on the layout for search; with `TAKE_WINS` a move that wins the game is taken where there is one.
#[derive(Clone, Copy, Default, Debug)]
struct QuickGames<const TAKE_WINS: bool>;

impl<R: Rule, const TAKE_WINS: bool> Policy<Uttt<R>> for QuickGames<TAKE_WINS> {
    #[inline]
    fn choose(&self, game: &Uttt<R>, position: &Position, rng: &mut Rng) -> Option<Move> {
        let win = if TAKE_WINS { Lanes::new::<R>(position).winning_move::<R>() } else { None };
        win.map(|(board, square)| Move::new(board, square)).or_else(|| rng.pick(game.moves(position)))
    }

    #[inline]
    fn play_to_result(&self, _: &Uttt<R>, position: &Position, rng: &mut Rng) -> i32 {
        Lanes::bare::<R>(position).play_out::<R, TAKE_WINS>(rng).result::<R>()
    }
}

/// How much a rarely tried move is favoured, found by matches of equal playouts (`bench/LOG.md`).
pub const EXPLORATION: f32 = 0.9;

struct Searches<R: Rule> {
    tree: Option<Mcts<'static, Uttt<R>, QuickGames<true>, true>>,
    plain: Option<Mcts<'static, Uttt<R>, QuickGames<false>, false>>,
    table: Option<Table<Hashed, Entry>>,
    memory: usize,
    seed: u64,
    exploration: f32,
}

/// What is thought of a move.
#[derive(Clone)]
struct Judged {
    mv: Move,
    score: f32,
    value: Option<Value>,
    /// How play may go on, the move included.
    line: Vec<Move>,
}

/// What a search found: moves, best first, and the cost.
struct Found {
    moves: Vec<Judged>,
    nodes: u64,
    depth: u32,
}

/// What the solver proved: the value, and of some moves their values and lines.
struct Solved {
    value: Value,
    moves: Vec<(Move, Value, Option<Vec<Move>>)>,
}

fn value_of(lower: i32, upper: i32) -> Option<Value> {
    (lower == upper).then(|| [Value::L, Value::D, Value::W][(lower.signum() + 1) as usize])
}

impl<R: Rule> Searches<R> {
    fn new(memory: usize, seed: u64) -> Result<Self, OutOfMemory> {
        Ok(Self { tree: None, plain: None, table: None, memory, seed, exploration: EXPLORATION })
    }

    fn analyse(
        &mut self,
        isa: Isa,
        solver: &mut Solver,
        position: &Position,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let start = Instant::now();
        if Uttt::<R>::GAME.is_over(position) {
            return Analysis { best: None, value: None, lines: Vec::new(), nodes: 0, depth: 0, time_ms: 0 };
        }
        let mut request = request.clone();
        request.lines = request.lines.max(1);
        if request.level < Request::STRONGEST {
            let most = 20 * 3_u64.pow(request.level);
            request.nodes = Some(request.nodes.map_or(most, |nodes| nodes.min(most)));
        }
        let mut nodes = 0;
        let mut solved = None;
        let strong = request.level == Request::STRONGEST && request.method != Method::Uct;
        let to_a_depth = request.depth.is_some() && request.time.is_none() && request.nodes.is_none();
        if strong && !to_a_depth && position.empties::<R>() <= SOLVER_EMPTIES {
            (solved, nodes) = ask_solver::<R>(solver, position, &request);
        }
        let answer = |mut found: Found| {
            if let Some(solved) = &solved {
                found.take_solution(position.moves::<R>(), solved);
            }
            if found.moves.is_empty() {
                // Stopped before the first look: any move is better than none.
                found.moves.extend(position.moves::<R>().next().map(Judged::unknown));
            }
            let value = solved.as_ref().map(|solved| solved.value).or_else(|| found.value());
            let lines: Vec<Line> = found.moves.into_iter().take(request.lines).map(Judged::told).collect();
            Analysis {
                best: lines.first().map(|line| line.mv.clone()),
                value,
                lines,
                nodes: nodes + found.nodes,
                depth: found.depth,
                time_ms: start.elapsed().as_millis() as u64,
            }
        };
        // A won game needs no further thought, only a move that wins; with more lines the others are still to be judged.
        if request.lines == 1 && solved.as_ref().is_some_and(|solved| solved.value == Value::W) {
            let analysis = answer(Found { moves: Vec::new(), nodes: 0, depth: 0 });
            progress(&analysis);
            return analysis;
        }
        let budget = || Budget {
            time: request.time.map(|time| time.saturating_sub(start.elapsed())),
            nodes: request.nodes,
            depth: request.depth,
            cancel: request.cancel.clone(),
        };
        let found = self.search(isa, position, &request, &budget, &mut |found| progress(&answer(found)));
        let analysis = answer(found);
        progress(&analysis);
        analysis
    }

    /// `budget` tells what is left: going to the position in a large tree takes its time, too.
    fn search(
        &mut self,
        isa: Isa,
        position: &Position,
        request: &Request,
        budget: &dyn Fn() -> Budget,
        tell: &mut dyn FnMut(Found),
    ) -> Found {
        let game = Uttt::<R>::GAME;
        let several = request.lines > 1;
        // No memory for a search: the first legal move is still an answer.
        let nothing = || Found { moves: position.moves::<R>().map(Judged::unknown).collect(), nodes: 0, depth: 0 };
        match request.method {
            Method::Mcts => {
                if self.tree.is_none() {
                    self.tree = Mcts::new(game, QuickGames, *position, self.memory, self.seed).ok();
                }
                let Some(tree) = &mut self.tree else { return nothing() };
                (tree.exploration, tree.every_move) = (self.exploration, several);
                go_to(tree, position);
                grow(tree, &budget(), isa, tell)
            }
            Method::Uct => {
                if self.plain.is_none() {
                    self.plain = Mcts::new(game, QuickGames, *position, self.memory, self.seed).ok();
                }
                let Some(tree) = &mut self.plain else { return nothing() };
                tree.set_root(*position);
                grow(tree, &budget(), isa, tell)
            }
            Method::AlphaBeta => {
                if self.table.is_none() {
                    self.table = Table::with_bytes(self.memory).ok();
                }
                let Some(table) = &self.table else { return nothing() };
                let search = AlphaBeta::new(game, HandMade, table);
                let found = |answer: &search::alphabeta::Answer<Move>| found_by_alpha_beta::<R>(position, answer);
                let mut tell = |answer: &search::alphabeta::Answer<Move>| tell(found(answer));
                found(&search.solve_lines(position, request.lines, &budget(), isa, &mut tell))
            }
        }
    }
}

/// The solver's part: the value and the moves that keep it; what the others are worth if they will be told; how play goes
/// on. It gets its share of the time or of the nodes, and tells how many it took.
fn ask_solver<R: Rule>(solver: &mut Solver, position: &Position, request: &Request) -> (Option<Solved>, u64) {
    let start = Instant::now();
    let time = request.time.map(|time| time / SOLVER_SHARE);
    let share = match request.nodes {
        Some(nodes) => Some(nodes / u64::from(SOLVER_SHARE)),
        None => time.is_none().then_some(SOLVER_NODES),
    };
    solver.set_budget(time, share, request.cancel.clone());
    let solution = solver.solve(position, &mut |_| {});
    let mut nodes = solution.nodes;
    let (Some(value), true) = (solution.value, solution.proved) else { return (None, nodes) };
    let left = |nodes: u64, solver: &mut Solver| {
        let time = time.map(|time| time.saturating_sub(start.elapsed()));
        solver.set_budget(time, share.map(|share| share.saturating_sub(nodes)), request.cancel.clone());
    };
    let keeps = |mv: &Move| solution.optimal.contains(&mv.to_string());
    let mut moves: Vec<_> = position.moves::<R>().filter(keeps).map(|mv| (mv, value, None)).collect();
    if request.lines > 1 {
        for mv in position.moves::<R>().filter(|mv| !keeps(mv)) {
            left(nodes, solver);
            // Less than a draw is a loss.
            let (worth, cost) = if value == Value::D { (Some(Value::L), 0) } else { solver.worth(position, mv) };
            nodes += cost;
            let Some(worth) = worth else { break };
            moves.push((mv, worth, None));
        }
    }
    for (mv, _, line) in moves.iter_mut().take(request.lines) {
        left(nodes, solver);
        let next = Uttt::<R>::GAME.play_unchecked(position, *mv);
        let (rest, cost) = solver.line(&next, &mut |_| {});
        nodes += cost;
        let Ok(rest) = rest else { break };
        *line = Some(std::iter::once(*mv).chain(rest).collect());
    }
    (Some(Solved { value, moves }), nodes)
}

/// How often a growing tree tells how it stands.
const TICK: Duration = Duration::from_millis(100);

/// Grows the tree by the budget, in slices: the tree after several slices is the tree after one that is as long as all.
fn grow<R: Rule, P: Policy<Uttt<R>>, const SOLVER: bool>(
    tree: &mut Mcts<'static, Uttt<R>, P, SOLVER>,
    budget: &Budget,
    isa: Isa,
    tell: &mut dyn FnMut(Found),
) -> Found {
    let start = Instant::now();
    // Without any limit the search must know that it has none, or a full pool would not end it.
    let limited = budget.time.is_some() || budget.nodes.is_some() || budget.cancel.is_some();
    let (mut nodes, mut depth) = (0, 0);
    loop {
        let left = budget.time.map(|time| time.saturating_sub(start.elapsed()));
        let slice = Budget {
            time: limited.then(|| left.map_or(TICK, |left| left.min(TICK))),
            nodes: budget.nodes.map(|limit| limit - nodes),
            ..budget.clone()
        };
        let answer = tree.search(&slice, isa);
        nodes += answer.report.nodes;
        depth = depth.max(answer.report.depth);
        let paused = answer.report.stopped_by == Some(Stop::Time) && left.is_none_or(|left| left > TICK);
        let mut moves = answer.moves;
        // The move of the tree's choice, then by what is proved, then by how often it was looked at.
        moves.sort_by_key(|it| (Some(it.mv) != answer.best, -it.lower, std::cmp::Reverse(it.visits)));
        let judged = |it: &search::mcts::RootMove<Move>| Judged {
            mv: it.mv,
            score: it.estimate,
            value: value_of(it.lower, it.upper),
            line: tree.line(it.mv),
        };
        let mut moves: Vec<_> = moves.iter().map(judged).collect();
        if moves.is_empty() {
            moves.extend(answer.best.map(Judged::unknown));
        }
        let found = Found { moves, nodes, depth };
        if !paused {
            return found;
        }
        tell(found);
    }
}

fn found_by_alpha_beta<R: Rule>(position: &Position, answer: &search::alphabeta::Answer<Move>) -> Found {
    let scale = <HandMade as search::alphabeta::Guide<Uttt<R>>>::SCALE;
    let judged = |mv: Move, value: i32, proved: bool, line: &[Move]| Judged {
        mv,
        score: value as f32 / scale as f32,
        value: proved.then(|| value / scale).and_then(|value| value_of(value, value)),
        line: if line.is_empty() { vec![mv] } else { line.to_vec() },
    };
    let mut moves: Vec<_> = answer.moves.iter().map(|it| judged(it.mv, it.value, it.proved, &it.line)).collect();
    if moves.is_empty() {
        let first = answer.line.first().copied().or_else(|| position.moves::<R>().next());
        moves.extend(first.map(|mv| judged(mv, answer.value, answer.report.proved, &answer.line)));
    }
    Found { moves, nodes: answer.report.nodes, depth: answer.report.depth }
}

/// Brings the tree to a position: along one or two moves if it can, so that what it knows is kept; else anew.
fn go_to<R: Rule, P: Policy<Uttt<R>>, const SOLVER: bool>(
    tree: &mut Mcts<'static, Uttt<R>, P, SOLVER>,
    position: &Position,
) {
    let game = Uttt::<R>::GAME;
    let root = *tree.root();
    if root == *position {
        return;
    }
    for first in game.moves(&root) {
        let one = game.play_unchecked(&root, first);
        if one == *position {
            tree.advance(first);
            return;
        }
        if let Some(second) = game.moves(&one).find(|&second| game.play_unchecked(&one, second) == *position) {
            tree.advance(first);
            tree.advance(second);
            return;
        }
    }
    tree.set_root(*position);
}

impl Judged {
    fn unknown(mv: Move) -> Self {
        Self { mv, score: 0.0, value: None, line: vec![mv] }
    }

    fn told(self) -> Line {
        Line {
            mv: self.mv.to_string(),
            score: self.value.map_or(self.score, |value| [1.0, 0.0, -1.0][value as usize]),
            value: self.value,
            line: self.line.iter().map(Move::to_string).collect(),
        }
    }
}

impl Found {
    /// Puts the moves by what the solver proved of them; those it did not judge come after those that keep the value.
    fn take_solution(&mut self, legal: impl Iterator<Item = Move>, solved: &Solved) {
        for mv in legal {
            if !self.moves.iter().any(|known| known.mv == mv) {
                self.moves.push(Judged::unknown(mv));
            }
        }
        for judged in &mut self.moves {
            if let Some((_, value, line)) = solved.moves.iter().find(|(mv, ..)| *mv == judged.mv) {
                judged.value = Some(*value);
                if let Some(line) = line {
                    judged.line.clone_from(line);
                }
            }
        }
        self.moves.sort_by_key(|judged| (judged.value != Some(solved.value), judged.value == Some(Value::L)));
    }

    /// What the proved values of the moves prove about the position.
    fn value(&self) -> Option<Value> {
        if self.moves.iter().any(|judged| judged.value == Some(Value::W)) {
            return Some(Value::W);
        }
        let mut best = Value::L;
        for judged in &self.moves {
            match judged.value {
                None => return None,
                Some(Value::D) => best = Value::D,
                Some(_) => {}
            }
        }
        (!self.moves.is_empty()).then_some(best)
    }
}
