//! The opening book: what long searches found about positions near the start.
//!
//! ```text
//! ninefold-uttt-book 1 standard                         the version of the format, the rule
//! X;.........;........./[...]/......... 1000000 ee:+0.116 ea:+0.088
//! position                              visits  moves with their values for the side to move, best first
//! ```
//!
//! Symmetric positions share a line: the position is the smallest of its eight images, and the moves are turned back. A value
//! is between -1 (lost) and 1 (won), or `win`, `draw` or `loss` if it is proved. Empty lines and lines that begin with `#` are
//! left out.
//!
//! A book is built breadth first, for an engine that plays either side: it plays its best move, the opponent every move that
//! is nearly as good as his best one. At the start of the game the opponent plays any move.
//!
//! ```text
//!          start                 the engine is X: one move          the engine is O: all moves
//!            |                        ee                               aa ab ac ae af ba ...
//!        replies of O            those within the margin            the best one for each
//! ```

use super::player::{Player, SearchKind, Settings};
use super::{Evaluation, Rules};
use crate::analysis::Analysis;
use crate::error::Error;
use crate::value::Outcome;
use grid::simd::Isa;
use grid::{Symmetric, TextError};
use search::{Control, Stop};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt;
use std::sync::LazyLock;
use uttt::{Accept, Move, Position, Uttt};

/// What the book says about a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side that makes it, from -1 to 1, in thousandths.
    pub score: f64,
    /// The result with best play, if it is proved.
    pub outcome: Option<Outcome>,
}

/// What the book says about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct BookEntry {
    /// Visits of the search.
    pub visits: u64,
    /// The moves that are nearly as good as the best one, best first. Never empty.
    pub moves: Vec<BookMove>,
}

/// A line of a book that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {}: expected {}", error.at + 1, error.expected)]
pub struct BookError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong in it.
    pub error: TextError,
}

/// An opening book for one rule.
///
/// ```
/// use ninefold_engine::uttt::{Book, Position, Rules};
/// let book = Book::built_in(Rules::Standard);
/// let first = book.find(&Position::START).unwrap().moves[0].mv;
/// assert!(Rules::Standard.moves(&Position::START).contains(&first));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    rules: Rules,
    /// By the smallest image of the position.
    entries: BTreeMap<Position, BookEntry>,
}

/// The first word of a book.
const NAME: &str = "ninefold-uttt-book";
const VERSION: u32 = 1;

impl Book {
    /// A book without positions.
    #[must_use]
    pub const fn new(rules: Rules) -> Self {
        Self { rules, entries: BTreeMap::new() }
    }

    /// The book that comes with the program. For the rule `open` it is empty: no network knows that rule.
    ///
    /// # Panics
    /// If the file was damaged before the program was compiled.
    #[must_use]
    pub fn built_in(rules: Rules) -> &'static Self {
        static STANDARD: LazyLock<Book> =
            LazyLock::new(|| shipped(Rules::Standard, include_str!("../../data/uttt/book-standard.txt")));
        static CODINGAME: LazyLock<Book> =
            LazyLock::new(|| shipped(Rules::CodinGame, include_str!("../../data/uttt/book-codingame.txt")));
        static OPEN: Book = Book::new(Rules::Open);
        match rules {
            Rules::Standard => &STANDARD,
            Rules::CodinGame => &CODINGAME,
            Rules::Open => &OPEN,
        }
    }

    /// Reads a book of this rule.
    ///
    /// # Errors
    /// If it is of another version or rule, or a line is wrong.
    pub fn read(rules: Rules, text: &str) -> Result<Self, BookError> {
        let mut lines = text.lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line);
        if head != Self::new(rules).head() {
            let error = TextError::new(0, "the first line of a book of this rule, version 1");
            return Err(BookError { line: 1, error });
        }
        let mut book = Self::new(rules);
        for (number, line) in lines {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |error| BookError { line: number + 1, error };
            let (position, entry) = read_line(rules, line).map_err(wrong)?;
            if book.entries.insert(position, entry).is_some() {
                return Err(wrong(TextError::new(0, "a position that is not in the book yet")));
            }
        }
        Ok(book)
    }

    /// The rule.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Number of positions, up to symmetry.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the book says about a position.
    #[must_use]
    pub fn find(&self, position: &Position) -> Option<BookEntry> {
        with_rule!(self.rules, R => {
            let (smallest, sym) = Uttt::<R>::GAME.canonical(position);
            let mut entry = self.entries.get(&smallest)?.clone();
            for known in &mut entry.moves {
                known.mv = Uttt::<R>::GAME.map_move(known.mv, sym.inverse());
            }
            Some(entry)
        })
    }

    /// Its positions, one image of each, earlier ones first.
    #[must_use]
    pub fn entries(&self) -> Vec<(Position, &BookEntry)> {
        let mut entries: Vec<_> = self.entries.iter().map(|(position, entry)| (*position, entry)).collect();
        entries.sort_by_key(|(position, _)| position.ply());
        entries
    }

    fn head(&self) -> String {
        format!("{NAME} {VERSION} {}", self.rules.name())
    }

    fn smallest(&self, position: &Position) -> Position {
        with_rule!(self.rules, R => Uttt::<R>::GAME.canonical(position).0)
    }
}

/// The book as a file.
impl fmt::Display for Book {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.head())?;
        self.entries().into_iter().try_for_each(|(position, entry)| writeln!(out, "{}", line(&position, entry)))
    }
}

/// A position of the book as a line of its file.
#[must_use]
pub fn line(position: &Position, entry: &BookEntry) -> String {
    let value = |known: &BookMove| match known.outcome {
        Some(Outcome::Win) => "win".to_owned(),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Loss) => "loss".to_owned(),
        None => format!("{:+.3}", known.score),
    };
    let moves = entry.moves.iter().map(|known| format!(" {}:{}", known.mv, value(known)));
    format!("{position:?} {}{}", entry.visits, moves.collect::<String>())
}

fn shipped(rules: Rules, text: &str) -> Book {
    Book::read(rules, text).unwrap_or_else(|error| panic!("the built-in book: {error}"))
}

fn read_line(rules: Rules, line: &str) -> Result<(Position, BookEntry), TextError> {
    let offset = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let mut words = line.split_ascii_whitespace();
    let end = line.len();
    let text = words.next().unwrap_or_default();
    let position = rules.read(text, Accept::Reachable)?;
    if Book::new(rules).smallest(&position) != position {
        return Err(TextError::new(0, "the smallest of the eight images of a position"));
    }
    let text = words.next().ok_or(TextError::new(end, "the number of visits"))?;
    let visits = text.parse().map_err(|_| TextError::new(offset(text), "the number of visits"))?;
    let mut moves: Vec<BookMove> = Vec::new();
    for word in words {
        let at = offset(word);
        let (mv, value) = word.split_once(':').ok_or(TextError::new(at, "a move, a colon and its value"))?;
        let mv = rules.read_move(&position, mv).map_err(|error| error.shifted(at))?;
        if moves.iter().any(|known| known.mv == mv) {
            return Err(TextError::new(at, "another move"));
        }
        let outcome = match value {
            "win" => Some(Outcome::Win),
            "draw" => Some(Outcome::Draw),
            "loss" => Some(Outcome::Loss),
            _ => None,
        };
        let score = outcome.map(Outcome::score).or_else(|| value.parse().ok());
        let score = score.filter(|score: &f64| (-1.0..=1.0).contains(score));
        let score = score.ok_or(TextError::new(offset(value), "a value from -1 to 1, win, draw or loss"))?;
        moves.push(BookMove { mv, score, outcome });
    }
    if moves.is_empty() {
        return Err(TextError::new(end, "a move"));
    }
    Ok((position, BookEntry { visits, moves }))
}

/// How a book is built.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookPlan {
    /// Visits of the search of a position.
    pub visits: u64,
    /// The opponent plays every move whose value is at most so much less than that of his best one.
    pub margin: f64,
    /// Memory of the search, in bytes.
    pub memory: usize,
}

/// Builds a book, or goes on with one. The book alone is the state: a later builder goes on where this one stopped.
pub struct BookBuilder {
    book: Book,
    plan: BookPlan,
    player: Player,
    /// Positions to look at, and whether the engine is to move there.
    waiting: VecDeque<(Position, bool)>,
    met: HashSet<(Position, bool)>,
}

impl BookBuilder {
    /// Goes on with a book, which may be empty.
    ///
    /// # Errors
    /// If there is no memory for the search.
    pub fn new(book: Book, plan: BookPlan, isa: Isa) -> Result<Self, Error> {
        let (rules, search, evaluation) = (book.rules, SearchKind::BestFirst, Evaluation::Playouts);
        let player = Player::new(Settings { rules, search, evaluation, seed: 1 }, plan.memory)?.with_isa(isa);
        let waiting = VecDeque::from([(Position::START, true), (Position::START, false)]);
        Ok(Self { book, plan, player, waiting, met: HashSet::new() })
    }

    /// The book so far.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Adds the next position and returns it; nothing if no position is left.
    ///
    /// # Errors
    /// If the control stops the search. The position is then not added.
    pub fn add_next(&mut self, control: &Control<'_>) -> Result<Option<Position>, Error> {
        while let Some((position, is_ours)) = self.waiting.pop_front() {
            let is_new = !self.book.entries.contains_key(&position);
            if is_new && let Err(error) = self.search(&position, control) {
                self.waiting.push_front((position, is_ours));
                return Err(error);
            }
            self.follow(&position, is_ours);
            if is_new {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    fn search(&mut self, position: &Position, control: &Control<'_>) -> Result<(), Error> {
        let part = control.part().node_limit(self.plan.visits);
        let found = self.player.analyse(position, usize::MAX, &part);
        // The limit of the part is no failure, a limit of the whole call is.
        if !found.complete && part.stop() != Some(Stop::Nodes) {
            control.check()?;
        }
        let visits = found.nodes;
        self.book.entries.insert(*position, BookEntry { visits, moves: self.good_moves(position, &found) });
        Ok(())
    }

    /// The best move and those within the margin; at the start of the game one move of each kind.
    fn good_moves(&self, position: &Position, found: &Analysis<Move>) -> Vec<BookMove> {
        let thousandths = |score: f64| (score * 1000.0).round() / 1000.0;
        let margin = if position.ply() == 0 { f64::INFINITY } else { self.plan.margin };
        let least = found.lines.first().map_or(0.0, |line| line.value.score) - margin;
        let mut images = HashSet::new();
        let lines = found.lines.iter().enumerate();
        let lines = lines.filter(|(place, line)| *place == 0 || line.value.score >= least);
        let good = lines.filter(|(_, line)| {
            let next = self.book.rules.play_unchecked(position, line.mv);
            images.insert(self.book.smallest(&next))
        });
        let entry = |(_, line): (usize, &crate::analysis::Line<Move>)| {
            let outcome = line.value.outcome;
            let score = outcome.map_or_else(|| thousandths(line.value.score), Outcome::score);
            BookMove { mv: line.mv, score, outcome }
        };
        good.map(entry).collect()
    }

    /// Puts the positions after the moves of a position on the list.
    fn follow(&mut self, position: &Position, is_ours: bool) {
        let entry = &self.book.entries[position];
        let known = if is_ours { &entry.moves[..1] } else { &entry.moves[..] };
        for known in known {
            let next = self.book.rules.play_unchecked(position, known.mv);
            let next = (self.book.smallest(&next), !is_ours);
            if self.book.rules.result(&next.0).is_none() && self.met.insert(next) {
                self.waiting.push_back(next);
            }
        }
    }
}
