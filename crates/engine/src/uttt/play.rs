//! The playing engine: a search chosen by the request, the solver near the end, one answer.

use super::evaluation::HandMade;
use super::solve::{Limits, Solver};
use super::{Rules, Value, with_rule};
use grid::simd::Isa;
use grid::{Game, Rng};
use search::alphabeta::Entry;
use search::playout::Policy;
use search::{AlphaBeta, Budget, Hashed, Mcts, OutOfMemory, Table};
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
#[derive(Clone, Debug)]
pub struct Request {
    /// Which search.
    pub method: Method,
    /// Wall clock for the answer.
    pub time: Option<Duration>,
    /// Positions or playouts.
    pub nodes: Option<u64>,
    /// How many moves are told, best first.
    pub lines: usize,
    /// From 1 (a beginner) to 10 (all it has): below 10 the search may look at `20 * 3^level` positions.
    pub level: u32,
    /// Raised from outside to stop.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Request {
    /// The strongest level.
    pub const STRONGEST: u32 = 10;
}

impl Default for Request {
    fn default() -> Self {
        let time = Some(Duration::from_secs(1));
        Self { method: Method::default(), time, nodes: None, lines: 1, level: Self::STRONGEST, cancel: None }
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
}

/// No position with more empty squares is given to the solver.
const SOLVER_EMPTIES: u32 = 45;
/// The solver gets this share of the time before the search: one part in so many.
const SOLVER_SHARE: u32 = 4;

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

    /// Looks for the best moves.
    pub fn analyse(&mut self, position: &Position, request: &Request) -> Analysis {
        match &mut self.player {
            Player::Standard(searches) => searches.analyse(self.isa, &mut self.solver, position, request),
            Player::CodinGame(searches) => searches.analyse(self.isa, &mut self.solver, position, request),
            Player::Open(searches) => searches.analyse(self.isa, &mut self.solver, position, request),
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
    fn play_out(&self, _: &Uttt<R>, position: &Position, rng: &mut Rng) -> Position {
        let mut lanes = Lanes::new::<R>(position);
        lanes.play_out::<R, TAKE_WINS>(rng);
        lanes.position()
    }
}

/// How much a rarely tried move is favoured. Not tuned yet.
const EXPLORATION: f32 = 0.9;

struct Searches<R: Rule> {
    tree: Option<Mcts<'static, Uttt<R>, QuickGames<true>, true>>,
    plain: Option<Mcts<'static, Uttt<R>, QuickGames<false>, false>>,
    table: Option<Table<Hashed, Entry>>,
    memory: usize,
    seed: u64,
}

/// What a search found: moves with score and proved value, best first, the line of the first, the cost.
struct Found {
    moves: Vec<(Move, f32, Option<Value>)>,
    line: Vec<Move>,
    nodes: u64,
}

fn value_of(lower: i32, upper: i32) -> Option<Value> {
    (lower == upper).then(|| [Value::L, Value::D, Value::W][(lower.signum() + 1) as usize])
}

impl<R: Rule> Searches<R> {
    fn new(memory: usize, seed: u64) -> Result<Self, OutOfMemory> {
        Ok(Self { tree: None, plain: None, table: None, memory, seed })
    }

    fn analyse(&mut self, isa: Isa, solver: &mut Solver, position: &Position, request: &Request) -> Analysis {
        let start = Instant::now();
        if Uttt::<R>::GAME.is_over(position) {
            return Analysis { best: None, value: None, lines: Vec::new(), nodes: 0 };
        }
        let mut request = request.clone();
        if request.level < Request::STRONGEST {
            let most = 20 * 3_u64.pow(request.level);
            request.nodes = Some(request.nodes.map_or(most, |nodes| nodes.min(most)));
        }
        let mut nodes = 0;
        let mut solved = None;
        let strong = request.level == Request::STRONGEST && request.method != Method::Uct;
        if strong && position.empties::<R>() <= SOLVER_EMPTIES {
            solver.set_budget(
                request.time.map(|time| time / SOLVER_SHARE),
                request.nodes.map(|nodes| nodes / u64::from(SOLVER_SHARE)),
                request.cancel.clone(),
            );
            let solution = solver.solve(position, &mut |_| {});
            nodes += solution.nodes;
            solved = solution.value.filter(|_| solution.proved).map(|value| (value, solution.optimal));
        }
        let time = request.time.map(|time| time.saturating_sub(start.elapsed()));
        let budget = Budget { time, nodes: request.nodes, depth: None, cancel: request.cancel.clone() };
        // A won game needs no further thought, only a move that wins; with more lines the others are still to be judged.
        let decided = matches!(solved, Some((Value::W, _))) && request.lines <= 1;
        let mut found = if decided {
            Found { moves: Vec::new(), line: Vec::new(), nodes: 0 }
        } else {
            self.search(isa, position, request.method, &budget)
        };
        nodes += found.nodes;
        if let Some((value, optimal)) = &solved {
            found.take_solution(position.moves::<R>(), *value, optimal);
        }
        let mut lines: Vec<Line> = found
            .moves
            .iter()
            .map(|(mv, score, value)| Line {
                mv: mv.to_string(),
                score: value.map_or(*score, |value| [1.0, 0.0, -1.0][value as usize]),
                value: *value,
                line: vec![mv.to_string()],
            })
            .collect();
        if let (Some(first), Some(mv)) = (lines.first_mut(), found.line.first())
            && first.mv == mv.to_string()
        {
            first.line = found.line.iter().map(Move::to_string).collect();
        }
        lines.truncate(request.lines.max(1));
        let value = solved.map(|(value, _)| value).or_else(|| found.value());
        Analysis { best: lines.first().map(|line| line.mv.clone()), value, lines, nodes }
    }

    fn search(&mut self, isa: Isa, position: &Position, method: Method, budget: &Budget) -> Found {
        let game = Uttt::<R>::GAME;
        // No memory for a search: the first legal move is still an answer.
        let nothing =
            || Found { moves: position.moves::<R>().map(|mv| (mv, 0.0, None)).collect(), line: Vec::new(), nodes: 0 };
        match method {
            Method::Mcts => {
                if self.tree.is_none() {
                    self.tree = Mcts::new(game, QuickGames, *position, self.memory, self.seed).ok();
                }
                let Some(tree) = &mut self.tree else { return nothing() };
                tree.exploration = EXPLORATION;
                go_to(tree, position);
                Found::from_tree(tree.search(budget, isa))
            }
            Method::Uct => {
                if self.plain.is_none() {
                    self.plain = Mcts::new(game, QuickGames, *position, self.memory, self.seed).ok();
                }
                let Some(tree) = &mut self.plain else { return nothing() };
                tree.set_root(*position);
                Found::from_tree(tree.search(budget, isa))
            }
            Method::AlphaBeta => {
                if self.table.is_none() {
                    self.table = Table::with_bytes(self.memory).ok();
                }
                let Some(table) = &self.table else { return nothing() };
                let answer = AlphaBeta::new(game, HandMade, table).solve(position, budget, isa);
                let scale = <HandMade as search::alphabeta::Guide<Uttt<R>>>::SCALE;
                let value = answer.report.proved.then(|| answer.value / scale).and_then(|value| value_of(value, value));
                let first = answer.line.first().copied().or_else(|| position.moves::<R>().next());
                let score = answer.value as f32 / scale as f32;
                Found {
                    moves: first.map(|mv| (mv, score, value)).into_iter().collect(),
                    line: answer.line,
                    nodes: answer.report.nodes,
                }
            }
        }
    }
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

impl Found {
    fn from_tree(answer: search::mcts::Answer<Move>) -> Self {
        let mut moves: Vec<_> = answer.moves;
        // The move of the tree's choice, then by what is proved, then by how often it was looked at.
        moves.sort_by_key(|it| (Some(it.mv) != answer.best, -it.lower, std::cmp::Reverse(it.visits)));
        let moves = moves.iter().map(|it| (it.mv, it.estimate, value_of(it.lower, it.upper))).collect();
        Self { moves, line: answer.line, nodes: answer.report.nodes }
    }

    /// Puts the moves that keep a proved value first.
    fn take_solution(&mut self, legal: impl Iterator<Item = Move>, value: Value, optimal: &[String]) {
        for mv in legal {
            if !self.moves.iter().any(|(known, ..)| *known == mv) {
                self.moves.push((mv, 0.0, None));
            }
        }
        let keeps = |mv: &Move| optimal.contains(&mv.to_string());
        for (mv, _, known) in &mut self.moves {
            if keeps(mv) {
                *known = Some(value);
            } else if value == Value::D {
                *known = Some(Value::L);
            }
        }
        self.moves.sort_by_key(|(mv, ..)| !keeps(mv));
    }

    /// What the proved values of the moves prove about the position.
    fn value(&self) -> Option<Value> {
        if self.moves.iter().any(|(.., value)| *value == Some(Value::W)) {
            return Some(Value::W);
        }
        let mut best = Value::L;
        for (.., value) in &self.moves {
            match value {
                None => return None,
                Some(Value::D) => best = Value::D,
                Some(_) => {}
            }
        }
        (!self.moves.is_empty()).then_some(best)
    }
}

/// Plays `count` games between two requests, colours swapped, from random openings of four moves; the score of the first.
/// Each pair of games has the same opening and new engines.
///
/// # Errors
/// If there is no memory.
pub fn match_of(
    rules: Rules,
    [first, second]: [&Request; 2],
    count: u32,
    memory: usize,
    seed: u64,
    mut tell: impl FnMut(Tally),
) -> io::Result<Tally> {
    with_rule!(rules, R => {
        let game = Uttt::<R>::GAME;
        let mut tally = Tally::default();
        for number in 0..count {
            let mut rng = Rng::new(grid::mix(seed ^ u64::from(number / 2)));
            let mut position = game.start();
            for _ in 0..4 {
                if let Some(mv) = rng.pick(game.moves(&position)) {
                    position = game.play_unchecked(&position, mv);
                }
            }
            let mut engines = [
                Engine::new(rules, memory, Isa::detect(), u64::from(number))?,
                Engine::new(rules, memory, Isa::detect(), u64::from(number) + 1)?,
            ];
            let swapped = number % 2 == 1;
            while !game.is_over(&position) {
                let side = (position.mover() as usize) ^ usize::from(swapped);
                let request = [first, second][side];
                let Some(mv) = engines[side].choose(&position, request) else { break };
                position = game.play_unchecked(&position, mv);
            }
            let result = grid::Versus::result(game, &position).unwrap_or(0) * if swapped { -1 } else { 1 };
            match result {
                1 => tally.won += 1,
                0 => tally.drawn += 1,
                _ => tally.lost += 1,
            }
            tell(tally);
        }
        Ok(tally)
    })
}

/// What a match came to, for the first side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl Tally {
    /// The share of points.
    #[must_use]
    pub fn score(self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from((self.won + self.drawn + self.lost).max(1))
    }
}
