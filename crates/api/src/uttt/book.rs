//! The opening book: shown, asked and built.

use super::text;
use crate::fault::Fault;
use engine::uttt::{Book, BookBuilder, BookPlan, Position, Rules, book};
use engine::{Control, Outcome};
use grid::simd::Isa;
use serde::{Deserialize, Serialize};

/// A move of the opening book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BookMove {
    /// The move, as `play` takes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move for people.
    pub label: String,
    /// Its value for the side that makes it, from -1 (lost) to 1 (won).
    pub score: f64,
    /// The result with best play, if it is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// What the opening book says about a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BookAnswer {
    /// The position.
    pub position: String,
    /// The moves that are nearly as good as the best one, best first.
    pub moves: Vec<BookMove>,
    /// Visits of the search that found them.
    pub visits: u64,
    /// The same as a line of a book: position, visits, moves with their values.
    pub text: String,
}

impl BookAnswer {
    pub(super) fn new(position: &Position, entry: &engine::uttt::BookEntry) -> Self {
        let write = |known: &engine::uttt::BookMove| BookMove {
            mv: known.mv.to_string(),
            label: known.mv.algebraic().to_string(),
            score: known.score,
            outcome: known.outcome,
        };
        let moves = entry.moves.iter().map(write).collect();
        Self { position: text(position), moves, visits: entry.visits, text: book::line(position, entry) }
    }
}

/// The opening book that comes with the program: one image of every position, earlier ones first. There is none for the rule
/// `open`.
#[must_use]
pub fn shipped_book(rules: Rules) -> Vec<BookAnswer> {
    let entries = Book::built_in(rules).entries();
    entries.iter().map(|(position, entry)| BookAnswer::new(position, entry)).collect()
}

/// Builds a book with this number of positions, or goes on with one: `text` is its file, empty for a new one. `save` gets the
/// file after every position.
///
/// # Errors
/// If the text is no book of this rule, the rule has no book, there is no memory, or the control stops the work. What was
/// saved is then a whole book.
pub fn build_book(
    rules: Rules,
    text: &str,
    positions: usize,
    plan: BookPlan,
    isa: Isa,
    control: &Control<'_>,
    save: &mut dyn FnMut(&str) -> Result<(), Fault>,
) -> Result<usize, Fault> {
    if rules == Rules::Open {
        return Err(Fault::question("options.rule", "there is no book for the rule open: no network knows it"));
    }
    let wrong = |error| Fault::question("book", format_args!("not a book of the {} rule: {error}", rules.name()));
    let book = if text.is_empty() { Book::new(rules) } else { Book::read(rules, text).map_err(wrong)? };
    let mut builder = BookBuilder::new(book, plan, isa)?;
    while builder.book().len() < positions && builder.add_next(control)?.is_some() {
        save(&builder.book().to_string())?;
        control.report(builder.book().len() as u64, positions as u64);
    }
    Ok(builder.book().len())
}
