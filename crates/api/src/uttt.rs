//! Ultimate Tic-Tac-Toe at the desk: the playing engine, or the solver when a proof is wanted.

use super::view::{BoardView, MoveView, Played, View};
use super::{Analysis, Desk, Fault, GameName, Line, Outcome, Request, Setting, choice, number};
use crate::uttt::play::{self, Engine, Method};
use crate::uttt::solve::{Limits, Progress, Solver};
use crate::uttt::{Accept, Move, Position, Rules, Value, ask};
use grid::simd::Isa;
use grid::{Cell, Player};
use std::time::{Duration, Instant};
use uttt::{Local, Next};

/// Ultimate Tic-Tac-Toe.
pub struct Uttt {
    isa: Isa,
    rules: Rules,
    accept: Accept,
    method: Method,
    /// Bytes.
    memory: usize,
    threads: usize,
    seed: u64,
    /// Taken up when first needed, and kept: its tree serves the next move.
    engine: Option<Engine>,
    solver: Option<Solver>,
}

const MEBIBYTE: usize = 1 << 20;

impl Uttt {
    /// The standard rule.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self {
            isa,
            rules: Rules::Standard,
            accept: Accept::Reachable,
            method: Method::default(),
            memory: 256 * MEBIBYTE,
            threads: 1,
            seed: 1,
            engine: None,
            solver: None,
        }
    }

    /// Also takes positions that cannot arise, if they can be played from.
    #[must_use]
    pub fn accepting(self, accept: Accept) -> Self {
        Self { accept, ..self }
    }

    /// What there is to see of a position under a rule.
    #[must_use]
    pub fn view(rules: Rules, position: &Position) -> View {
        look(rules, position)
    }

    fn read(&self, text: &str) -> Result<Position, Fault> {
        let text = text.trim();
        self.rules.read(text, self.accept).map_err(|fault| Fault::text("position", &fault, text))
    }

    fn engine(&mut self) -> Result<&mut Engine, Fault> {
        if self.engine.is_none() {
            self.engine = Some(Engine::new(self.rules, self.memory, self.isa, self.seed).map_err(Fault::run)?);
        }
        self.engine.as_mut().ok_or_else(|| Fault::run("no engine"))
    }

    fn forget(&mut self) {
        (self.engine, self.solver) = (None, None);
    }

    /// The value by proof, then the value of every other move as far as the time goes.
    fn prove(
        &mut self,
        position: &Position,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, Fault> {
        let start = Instant::now();
        let budget = request.budget();
        let limits = Limits {
            memory: self.memory,
            threads: self.threads,
            time: budget.time,
            nodes: budget.nodes,
            cancel: budget.cancel.clone(),
            isa: self.isa,
        };
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => Solver::new(self.rules, limits).map_err(Fault::run)?,
        };
        let text = ask::text(position);
        let mut tell = |at: Progress| {
            let known = Analysis::in_order(text.clone(), Vec::new());
            progress(&Analysis { nodes: at.nodes, seconds: start.elapsed().as_secs_f64(), ..known });
        };
        solver.set_budget(budget.time, budget.nodes, budget.cancel.clone());
        let solution = solver.solve(position, &mut tell);
        let mut nodes = solution.nodes;
        let mut lines: Vec<Line> = Vec::new();
        for mv in ask::moves(self.rules, position) {
            let text = mv.to_string();
            let keeps = solution.optimal.contains(&text);
            let outcome = match (solution.value, solution.proved) {
                (Some(value), true) if keeps => Some(outcome(value)),
                // Not won: every other move loses.
                (Some(Value::D), true) => Some(Outcome::Loss),
                _ => None,
            };
            lines.push(line_of(text, 0.0, outcome, Vec::new()));
        }
        let every = request.lines.is_none_or(|lines| lines > 1);
        if every && solution.proved {
            for line in &mut lines {
                let left = budget.time.map(|time| time.saturating_sub(start.elapsed()));
                let out_of_nodes = budget.nodes.is_some_and(|most| nodes >= most);
                if left == Some(Duration::ZERO) || out_of_nodes || request.is_cancelled() {
                    break;
                }
                if line.outcome.is_some() {
                    continue;
                }
                solver.set_budget(left, budget.nodes.map(|most| most - nodes), budget.cancel.clone());
                let Ok((_, after)) = ask::play(self.rules, position, &line.mv) else { continue };
                let value = match ask::result(self.rules, &after) {
                    Some(result) => Some(Outcome::of(result * position.mover().sign())),
                    None => {
                        let solved = solver.solve(&after, &mut tell);
                        nodes += solved.nodes;
                        solved.value.map(|value| Outcome::of(-(outcome(value).score() as i32)))
                    }
                };
                *line = line_of(line.mv.clone(), 0.0, value, Vec::new());
            }
        }
        self.solver = Some(solver);
        let value = solution.value.map(outcome);
        let mut analysis = Analysis::of_lines(text, lines, request.lines);
        analysis.outcome = value;
        analysis.exact = value.is_some();
        analysis.score = value.map_or(0.0, Outcome::score);
        analysis.best = analysis.best.filter(|_| solution.proved);
        analysis.nodes = nodes;
        analysis.seconds = start.elapsed().as_secs_f64();
        Ok(analysis)
    }
}

fn outcome(value: Value) -> Outcome {
    match value {
        Value::W => Outcome::Win,
        Value::D => Outcome::Draw,
        Value::L => Outcome::Loss,
    }
}

fn line_of(mv: String, score: f64, outcome: Option<Outcome>, line: Vec<String>) -> Line {
    Line {
        line: if line.is_empty() { vec![mv.clone()] } else { line },
        label: mv.clone(),
        mv,
        exact: outcome.is_some(),
        score: outcome.map_or(score, Outcome::score),
        outcome,
        margin: None,
    }
}

/// The engine's own order: its choice first.
fn told(text: &str, found: &play::Analysis, seconds: f64) -> Analysis {
    let line =
        |line: &play::Line| line_of(line.mv.clone(), f64::from(line.score), line.value.map(outcome), line.line.clone());
    let analysis = Analysis::in_order(text.to_owned(), found.lines.iter().map(line).collect());
    let value = found.value.map(outcome);
    Analysis {
        outcome: value,
        exact: value.is_some(),
        score: value.map_or(analysis.score, Outcome::score),
        depth: found.depth,
        nodes: found.nodes,
        seconds,
        ..analysis
    }
}

/// Boards in words: the terminal has letters for them, the page numbers.
const PLACES: [&str; 9] =
    ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

fn look(rules: Rules, position: &Position) -> View {
    let shown = ask::show(rules, position);
    let result = ask::result(rules, position);
    let square = |cell: usize| {
        let has = |player, mv: Move| position.stones(player, mv.board()).contains(mv.square());
        match Move::at(cell / 9, cell % 9) {
            Some(mv) if has(Player::First, mv) => 'X',
            Some(mv) if has(Player::Second, mv) => 'O',
            _ => '.',
        }
    };
    let board = |board: Cell| match position.board(board) {
        Local::Undecided => '.',
        Local::Won(Player::First) => 'X',
        Local::Won(Player::Second) => 'O',
        Local::Drawn => '#',
    };
    let moves = ask::moves(rules, position);
    let mut open: Vec<usize> = moves.iter().map(|mv| mv.board().index()).collect();
    open.dedup();
    let status = match (result, position.next()) {
        (Some(0), _) => "drawn".to_owned(),
        (Some(result), _) => format!("{} has won", if result > 0 { "X" } else { "O" }),
        (None, Next::Board(board)) => format!("{} to move in the {} board", shown.mover, PLACES[board.index()]),
        (None, _) => format!("{} to move in any open board", shown.mover),
    };
    let move_view = |mv: &Move| {
        let (row, column) = mv.row_and_column();
        MoveView { mv: mv.to_string(), label: mv.to_string(), cell: row * 9 + column, card: None, captures: Vec::new() }
    };
    View {
        fen: Some(shown.fen),
        mover: View::number(position.mover()),
        players: ["X", "O"],
        ply: position.ply(),
        moves: moves.iter().map(move_view).collect(),
        result,
        status,
        board: BoardView::Uttt {
            squares: (0..81).map(square).collect(),
            boards: Cell::ALL.map(board).iter().collect(),
            open,
        },
        position: shown.position,
    }
}

impl Desk for Uttt {
    fn game(&self) -> GameName {
        GameName::Uttt
    }

    fn settings(&self) -> Vec<Setting> {
        let method = Method::NAMED.into_iter().find(|(_, method)| *method == self.method);
        vec![
            Setting::choice("rule", self.rules.name(), &Rules::ALL.map(Rules::name)),
            Setting::choice("search", method.map_or("mcts", |(name, _)| name), &Method::NAMED.map(|(name, _)| name)),
            Setting::number("memory", (self.memory / MEBIBYTE) as u64, 1, 1 << 20),
            Setting::number("threads", self.threads as u64, 1, 256),
            Setting::number("seed", self.seed, 0, u64::MAX),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match name {
            "rule" => self.rules = choice("rule", value, &Rules::ALL.map(|rules| (rules.name(), rules)))?,
            "search" => self.method = choice("search", value, &Method::NAMED)?,
            "memory" => self.memory = number("memory", value, 1, 1 << 20)? as usize * MEBIBYTE,
            "threads" => self.threads = number("threads", value, 1, 256)? as usize,
            "seed" => self.seed = number("seed", value, 0, u64::MAX)?,
            _ => {
                let known = "rule, search, memory, threads, seed";
                return Err(Fault::new("option", format_args!("no option is called `{name}`: {known}")));
            }
        }
        self.forget();
        Ok(())
    }

    fn prepare(&mut self) {
        // What is known stays; a lack of memory is told by the first question.
        if self.engine.is_none()
            && let Ok(engine) = self.engine()
        {
            engine.prepare();
        }
    }

    fn start(&self) -> Result<String, Fault> {
        Ok(ask::text(&Position::START))
    }

    fn look(&self, position: &str) -> Result<View, Fault> {
        Ok(look(self.rules, &self.read(position)?))
    }

    fn play(&self, position: &str, mv: &str) -> Result<Played, Fault> {
        let position = self.read(position)?;
        let mv = mv.trim();
        let (mv, after) = ask::play(self.rules, &position, mv).map_err(|fault| Fault::text("move", &fault, mv))?;
        Ok(Played { mv: mv.to_string(), label: mv.to_string(), flips: Vec::new(), position: ask::text(&after) })
    }

    fn analyse(
        &mut self,
        position: &str,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, Fault> {
        let start = Instant::now();
        let position = self.read(position)?;
        let text = ask::text(&position);
        if let Some(result) = ask::result(self.rules, &position) {
            return Ok(Analysis::over(text, result, position.mover(), None));
        }
        if request.prove {
            return self.prove(&position, request, progress);
        }
        let budget = request.budget();
        let asked = play::Request {
            method: self.method,
            time: budget.time,
            nodes: budget.nodes,
            depth: budget.depth,
            lines: request.lines.unwrap_or(81),
            level: request.level,
            cancel: budget.cancel,
        };
        let mut seconds = 0.0;
        let mut tell = |so_far: &play::Analysis| {
            seconds = start.elapsed().as_secs_f64();
            progress(&told(&text, so_far, seconds));
        };
        let found = self.engine()?.analyse_with(&position, &asked, &mut tell);
        // The answer is the last thing told, to the same moment: who shows both sees that they are one.
        Ok(told(&text, &found, seconds))
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, Fault> {
        Ok(ask::perft(self.rules, self.isa, &self.read(position)?, depth))
    }

    /// The levels of this engine are its own: a weaker player looks at fewer positions.
    fn choose(&mut self, position: &str, request: &Request) -> Result<Option<String>, Fault> {
        let request = Request { lines: Some(1), ..request.clone() };
        Ok(self.analyse(position, &request, &mut |_| {})?.best)
    }
}
