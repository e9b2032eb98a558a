//! `codingame`: a bot for CodinGame's arena, on standard input and output.
//!
//! Each turn reads the opponent's row and column (-1 -1 if there was none), the number of legal moves, and these moves.
//! The answer is a row and a column. The tree is kept from move to move.
//!
//! A bot that exits has lost. So if the input contradicts the rules, the bot plays a move from the list and explains
//! why on standard error.

use super::play;
use crate::failure::Failure;
use crate::input::Lines;
use crate::options;
use crate::output::Output;
use api::uttt::{Move, Position, Rules, SearchKind, Session};
use api::{ChooseQuestion, Control, Limits, Options, Session as _};
use grid::simd::Isa;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Examples:
  ninefold uttt codingame
  printf '-1 -1\\n0\\n' | ninefold uttt codingame --time 50ms";

/// Arguments of `codingame`.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Codingame {
    /// Time limit of the first answer; the arena allows 1s
    #[arg(long, default_value = "800ms", value_parser = options::time)]
    first_time: Duration,
    /// Time limit of each further answer; the arena allows 100ms
    #[arg(long, default_value = "85ms", value_parser = options::time)]
    time: Duration,
    /// Node limit per answer
    #[arg(long)]
    nodes: Option<u64>,
    /// The rule: standard, codingame (no line: more boards win) or open (won boards stay playable)
    #[arg(long, default_value = "codingame", value_parser = super::rule)]
    rule: Rules,
    /// The search: bestfirst (the network), alphabeta, mcts (random games), or uct (mcts without proofs, for comparison)
    #[arg(long, default_value = "bestfirst", value_parser = play::search_kind)]
    search: SearchKind,
    /// Memory for trees and tables, such as 512M
    #[arg(long, default_value = "256M", value_parser = options::bytes)]
    memory: usize,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The input of one turn.
struct Turn {
    opponent: Option<Move>,
    listed: Vec<Move>,
    /// When its first word was read: the clock starts there.
    since: Instant,
}

impl Codingame {
    /// Runs until the input ends.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let began = Instant::now();
        let mut output = Output::new();
        let mut session = Session::new(Isa::detect());
        let mut options = Options::default();
        options.rule = Some(self.rule.name().to_owned());
        (options.search, options.seed) = (Some(self.search.name().to_owned()), Some(self.seed));
        session.set_base(&options)?;
        let mut limits = Limits::default();
        (limits.nodes, limits.memory_mib) = (self.nodes, Some(options::mebibytes(self.memory)));
        session.prepare(&limits.apply(Control::new()));
        // The known position; `None` once it contradicts the input.
        let mut position = Some(Position::START);
        let mut words = Words::new();
        // The arena's clock may have started with the program.
        let mut time = self.first_time.saturating_sub(began.elapsed());
        while let Some(turn) = words.turn()? {
            position = position.and_then(|position| self.understood(&position, &turn));
            let left = time.saturating_sub(turn.since.elapsed());
            time = self.time;
            let chosen = match &position {
                Some(position) => {
                    let question = ChooseQuestion::at(format!("{position:?}"));
                    let answer = session.choose(&question, &limits.apply(Control::new().time_limit(left)))?;
                    answer.mv.and_then(|mv| mv.parse::<Move>().ok())
                }
                None => None,
            };
            // No legal move and none in the list: the game is over.
            let Some(mv) = chosen.or(turn.listed.first().copied()) else { return Ok(()) };
            let (row, column) = mv.row_and_column();
            output.line(format_args!("{row} {column}"))?;
            position = position.map(|position| self.rule.play_unchecked(&position, mv));
        }
        Ok(())
    }

    /// The position after the opponent's move, if its legal moves match the list.
    fn understood(&self, position: &Position, turn: &Turn) -> Option<Position> {
        let after = match turn.opponent {
            None => Some(*position),
            Some(mv) => {
                let legal = self.rule.moves(position).contains(&mv);
                legal.then(|| self.rule.play_unchecked(position, mv))
            }
        };
        let Some(after) = after else {
            crate::output::note(format_args!(
                "the opponent's move is not legal here: from now on moves are taken from the list"
            ));
            return None;
        };
        let legal = self.rule.moves(&after);
        // An empty list means that the list was left out.
        let agreed = turn.listed.is_empty()
            || turn.listed.len() == legal.len() && turn.listed.iter().all(|mv| legal.contains(mv));
        if !agreed {
            crate::output::note(format_args!(
                "the listed moves are not the legal ones: from now on moves are taken from the list"
            ));
        }
        agreed.then_some(after)
    }
}

fn square(row: i64, column: i64) -> Option<Move> {
    Move::at(usize::try_from(row).ok()?, usize::try_from(column).ok()?)
}

/// The numbers of standard input, with the line number for messages.
struct Words {
    lines: Lines,
    waiting: VecDeque<String>,
}

impl Words {
    fn new() -> Self {
        Self { lines: Lines::default(), waiting: VecDeque::new() }
    }

    fn wrong(&self, expected: &str) -> Failure {
        Failure::Usage(format!("line {} of the input: expected {expected}", self.lines.number()))
    }

    fn number(&mut self) -> Result<Option<i64>, Failure> {
        while self.waiting.is_empty() {
            let Some(line) = self.lines.next()? else { return Ok(None) };
            self.waiting.extend(line.split_whitespace().map(str::to_owned));
        }
        let word = self.waiting.pop_front().unwrap_or_default();
        word.parse().map(Some).map_err(|_| self.wrong("a number"))
    }

    fn needed(&mut self) -> Result<i64, Failure> {
        self.number()?.ok_or_else(|| self.wrong("another number"))
    }

    /// Reads a whole turn; `None` at the end of the input.
    fn turn(&mut self) -> Result<Option<Turn>, Failure> {
        let Some(row) = self.number()? else { return Ok(None) };
        let since = Instant::now();
        let column = self.needed()?;
        let squares = "a row and a column from 0 to 8";
        let opponent = match (row, column) {
            (-1, -1) => None,
            (row, column) => Some(square(row, column).ok_or_else(|| self.wrong(squares))?),
        };
        let count = self.needed()?;
        if !(0..=81).contains(&count) {
            return Err(self.wrong("the number of moves, from 0 to 81"));
        }
        let mut listed = Vec::new();
        for _ in 0..count {
            let (row, column) = (self.needed()?, self.needed()?);
            listed.push(square(row, column).ok_or_else(|| self.wrong(squares))?);
        }
        Ok(Some(Turn { opponent, listed, since }))
    }
}
