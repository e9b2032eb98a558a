//! `analyse`, `play`, `codingame`: the engine at work.

use super::Common;
use crate::failure::Failure;
use crate::interrupt;
use crate::options;
use crate::output::Output;
use engine::uttt::play::{Analysis, Engine, Line, Method, Request};
use engine::uttt::{Move, Position, Rules, Value, ask};
use grid::simd::Isa;
use std::io::BufRead;
use std::time::{Duration, Instant};

/// How the engine thinks.
#[derive(clap::Args)]
struct Thinking {
    /// Time for each answer, such as 100ms or 2s
    #[arg(long, default_value = "1s", value_parser = options::time)]
    time: Duration,
    /// Positions or playouts for each answer
    #[arg(long)]
    nodes: Option<u64>,
    /// From 1 (a beginner) to 10 (all it has)
    #[arg(long, default_value_t = Request::STRONGEST, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// The search: mcts, alphabeta, or uct (mcts without proofs, for comparison)
    #[arg(long, default_value = "mcts", value_parser = method)]
    search: Method,
    /// Memory for trees and tables, such as 512M
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    /// Seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn method(name: &str) -> Result<Method, String> {
    let named = Method::NAMED.into_iter().find(|(known, _)| *known == name);
    named.map(|(_, method)| method).ok_or_else(|| "the searches are mcts, alphabeta and uct".to_owned())
}

impl Thinking {
    fn request(&self, lines: usize) -> Request {
        Request {
            method: self.search,
            time: Some(self.time),
            nodes: self.nodes,
            lines,
            level: self.level,
            cancel: None,
        }
    }

    fn engine(&self, rules: Rules, isa: Isa) -> Result<Engine, Failure> {
        Engine::new(rules, self.memory, isa, self.seed).map_err(|error| Failure::Run(error.to_string()))
    }
}

/// What `analyse` takes.
#[derive(clap::Args)]
pub(super) struct Analyse {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    thinking: Thinking,
    /// How many moves to tell, best first
    #[arg(long, default_value_t = 1)]
    lines: usize,
    /// Positions, or - for one a line from standard input; the start by default
    positions: Vec<String>,
}

#[derive(serde::Serialize)]
struct Analysed {
    position: String,
    #[serde(flatten)]
    analysis: Analysis,
}

impl Analyse {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        let mut engine = self.thinking.engine(self.common.rule, self.common.isa())?;
        self.common.each_position(&self.positions, |position| {
            if ask::result(self.common.rule, position).is_some() {
                return Err(Failure::Usage(format!("the game is over: {}", ask::text(position))));
            }
            let request = Request { cancel: Some(interrupt::flag()), ..self.thinking.request(self.lines) };
            let analysis = engine.analyse(position, &request);
            if self.common.json {
                output.json(&Analysed { position: ask::text(position), analysis })?;
                return interrupt::check();
            }
            for (number, line) in analysis.lines.iter().enumerate() {
                output.line(format_args!("{}. {}", number + 1, told(line)))?;
            }
            output.line(format_args!("{} positions", analysis.nodes))?;
            interrupt::check()
        })
    }
}

/// A line for people: exact where it is proved, an estimate where it is not.
fn told(line: &Line) -> String {
    let worth = match line.value {
        Some(Value::W) => "won (proved)".to_owned(),
        Some(Value::D) => "drawn (proved)".to_owned(),
        Some(Value::L) => "lost (proved)".to_owned(),
        None => format!("{:+.3} (estimated)", line.score),
    };
    format!("{}  {worth}  {}", line.mv, line.line.join(" "))
}

/// What `play` takes.
#[derive(clap::Args)]
pub(super) struct Play {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    thinking: Thinking,
    /// Play O: the engine moves first
    #[arg(long)]
    second: bool,
    /// The position to begin with; the start by default
    position: Option<String>,
}

impl Play {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut output = Output::new();
        let mut engine = self.thinking.engine(self.common.rule, self.common.isa())?;
        let mut position = self.common.one_position(self.position.as_deref())?;
        let you = if self.second { grid::Player::Second } else { grid::Player::First };
        let mut history = Vec::new();
        let mut lines = std::io::stdin().lock().lines();
        output.line("Moves are two letters, board and square (ee), or file and rank (e5). Also: undo, hint, quit.")?;
        loop {
            let shown = ask::show(self.common.rule, &position);
            output.line(format_args!("\n{shown}"))?;
            if shown.result.is_some() {
                return Ok(());
            }
            if position.mover() != you {
                let Some(mv) = engine.choose(&position, &self.thinking.request(1)) else { return Ok(()) };
                output.line(format_args!("engine: {mv}"))?;
                position = self.played(&position, &mv.to_string())?;
                continue;
            }
            let Some(text) = lines.next() else { return Ok(()) };
            let text = text.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
            match text.trim() {
                "" => {}
                "quit" => return Ok(()),
                "undo" => match history.pop() {
                    Some(earlier) => position = earlier,
                    None => output.line("nothing to take back")?,
                },
                "hint" => {
                    for line in engine.analyse(&position, &self.thinking.request(3)).lines {
                        output.line(told(&line))?;
                    }
                }
                text => match ask::play(self.common.rule, &position, text) {
                    Ok((_, next)) => {
                        history.push(position);
                        position = next;
                    }
                    Err(fault) => output.line(fault.pointing_into(text))?,
                },
            }
        }
    }

    fn played(&self, position: &Position, mv: &str) -> Result<Position, Failure> {
        ask::play(self.common.rule, position, mv)
            .map(|(_, next)| next)
            .map_err(|fault| Failure::Run(format!("the engine chose {mv}: {fault}")))
    }
}

/// What `codingame` takes.
#[derive(clap::Args)]
pub(super) struct Codingame {
    #[command(flatten)]
    thinking: Thinking,
    /// Time for the first answer
    #[arg(long, default_value = "900ms", value_parser = options::time)]
    first_time: Duration,
}

impl Codingame {
    /// Each turn: the opponent's row and column (-1 -1 if there was none), how many moves there are, then these; answers
    /// with a row and a column. Ends with the input.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let rules = Rules::CodinGame;
        let mut output = Output::new();
        let mut engine = self.thinking.engine(rules, Isa::detect())?;
        let mut request = self.thinking.request(1);
        let mut words = Words::new();
        let mut position = rules
            .read("9/9/9/9/9/9/9/9/9 X 0 -", engine::uttt::Accept::Reachable)
            .map_err(|fault| Failure::Run(fault.to_string()))?;
        request.time = Some(self.first_time);
        while let Some(row) = words.number()? {
            let start = Instant::now();
            let column = words.needed()?;
            if (row, column) != (-1, -1) {
                let mv = square(row, column).ok_or_else(|| words.wrong("a row and a column from 0 to 8"))?;
                (_, position) = ask::play(rules, &position, &mv.to_string())
                    .map_err(|fault| words.wrong(&format!("a legal move of the opponent: {}", fault.expected)))?;
            }
            for _ in 0..words.needed()? {
                words.needed()?;
                words.needed()?;
            }
            request.time = request.time.map(|time| time.saturating_sub(start.elapsed()));
            let Some(mv) = engine.choose(&position, &request) else { return Ok(()) };
            let (row, column) = mv.row_and_column();
            output.line(format_args!("{row} {column}"))?;
            (_, position) =
                ask::play(rules, &position, &mv.to_string()).map_err(|fault| Failure::Run(fault.to_string()))?;
            request.time = Some(self.thinking.time);
        }
        Ok(())
    }
}

fn square(row: i64, column: i64) -> Option<Move> {
    Move::at(usize::try_from(row).ok()?, usize::try_from(column).ok()?)
}

/// The numbers of standard input, with the line for messages.
struct Words {
    lines: std::io::Lines<std::io::StdinLock<'static>>,
    waiting: std::collections::VecDeque<String>,
    line: usize,
}

impl Words {
    fn new() -> Self {
        Self { lines: std::io::stdin().lock().lines(), waiting: std::collections::VecDeque::new(), line: 0 }
    }

    fn wrong(&self, expected: &str) -> Failure {
        Failure::Usage(format!("line {} of the input: expected {expected}", self.line))
    }

    fn number(&mut self) -> Result<Option<i64>, Failure> {
        while self.waiting.is_empty() {
            let Some(line) = self.lines.next() else { return Ok(None) };
            let line = line.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
            self.line += 1;
            self.waiting.extend(line.split_whitespace().map(str::to_owned));
        }
        let word = self.waiting.pop_front().unwrap_or_default();
        word.parse().map(Some).map_err(|_| self.wrong("a number"))
    }

    fn needed(&mut self) -> Result<i64, Failure> {
        self.number()?.ok_or_else(|| self.wrong("another number"))
    }
}
