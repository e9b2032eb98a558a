//! Answers before the first card, kept in a folder: the same deck against the same opponent under the same rules gets its
//! exact answer at once.
//!
//! ```text
//! file of a question   sealed; named by a hash of the question
//! line 1               the whole question; another question with the same hash is a miss
//! line 2               position: measures
//! then                 one line per move, best first: card, cell, measures
//! ```
//!
//! Measures are `certain win not_lose`, then `win draw loss error` for each of random, careful and greedy, or `-`.

use super::answer::{Advice, Bounds, Chances, Measures, MoveAdvice, Query};
use super::deal::HiddenDeal;
use super::plan::advise;
use super::position::{HiddenMove, HiddenPosition};
use crate::store::{self, Kind};
use crate::value::Outcome;
use grid::Cell;
use search::Control;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::str::SplitWhitespace;
use std::time::Duration;

const KIND: Kind = Kind { name: *b"nf-first", words: "kept answer", version: 1 };

/// An answer that came faster is not kept.
const LEAST: Duration = Duration::from_secs(1);

/// The answer to a question, from the folder if it was given before. A complete answer before the first card that took longer
/// than a second is kept there. A file that cannot be read or written costs time, not the answer.
pub fn advise_kept(
    folder: &Path,
    deal: &HiddenDeal,
    position: &HiddenPosition,
    query: &Query,
    control: &Control<'_>,
) -> Advice {
    if position.free().len() < Cell::ALL.len() {
        return advise(deal, position, query, control);
    }
    let question = question(deal, position, query);
    let file = file_of(folder, &question);
    if let Some(known) = std::fs::read(&file).ok().and_then(|bytes| read(&file, &bytes, &question)) {
        return known;
    }
    let begun = control.elapsed();
    let found = advise(deal, position, query, control);
    if found.complete && control.elapsed().saturating_sub(begun) > LEAST {
        keep(folder, &file, &question, &found);
    }
    found
}

/// Everything that the answer depends on, in one line. Another version of the program asks anew.
fn question(deal: &HiddenDeal, position: &HiddenPosition, query: &Query) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} {:?} {} {position:?} {query:?}", deal.setup(), deal.replays())
}

fn file_of(folder: &Path, question: &str) -> PathBuf {
    let mut hash = DefaultHasher::new();
    hash.write(question.as_bytes());
    folder.join(format!("{:016x}.advice", hash.finish()))
}

fn keep(folder: &Path, file: &Path, question: &str, found: &Advice) {
    let text = write(question, found);
    let written = std::fs::create_dir_all(folder)
        .map_err(|source| store::StoreError::io(folder, source))
        .and_then(|()| store::write_whole(file, KIND, |out| out.write_all(text.as_bytes())));
    // The next question computes it again.
    drop(written);
}

fn write(question: &str, found: &Advice) -> String {
    let mut text = format!("{question}\n{}", found.worlds);
    write_measures(&mut text, &found.position);
    for MoveAdvice { mv, measures } in &found.moves {
        let _ = write!(text, "\n{} {}", mv.card, mv.cell.index());
        write_measures(&mut text, measures);
    }
    text
}

fn write_measures(text: &mut String, measures: &Measures) {
    let Measures { certain, win, not_lose, random, careful, greedy } = measures;
    let _ = write!(text, " {} {} {}", certain.low as u8, win.low, not_lose.low);
    for chances in [random, careful, greedy] {
        let _ = match chances {
            // Debug writes as many digits as it takes to read the same number back.
            Some(Chances { win, draw, loss, error }) => {
                write!(text, " {win:?} {draw:?} {loss:?} {:?}", error.unwrap_or(0.0))
            }
            None => write!(text, " -"),
        };
    }
}

/// The answer of a file; none if it is damaged or answers another question.
fn read(file: &Path, bytes: &[u8], question: &str) -> Option<Advice> {
    let text = std::str::from_utf8(store::open(file, KIND, bytes, true).ok()?).ok()?;
    let mut lines = text.lines();
    lines.next().filter(|found| *found == question)?;
    let mut words = lines.next()?.split_whitespace();
    let worlds = words.next()?.parse().ok()?;
    let position = read_measures(&mut words)?;
    let read_move = |line: &str| {
        let mut words = line.split_whitespace();
        let card = words.next()?.parse().ok()?;
        let cell = Cell::new(words.next()?.parse().ok()?)?;
        Some(MoveAdvice { mv: HiddenMove { card, cell }, measures: read_measures(&mut words)? })
    };
    let moves = lines.map(read_move).collect::<Option<_>>()?;
    Some(Advice { worlds, position, moves, complete: true, nodes: 0 })
}

fn read_measures(words: &mut SplitWhitespace<'_>) -> Option<Measures> {
    let certain = match words.next()? {
        "0" => Outcome::Loss,
        "1" => Outcome::Draw,
        "2" => Outcome::Win,
        _ => return None,
    };
    let [win, not_lose] = [words.next()?.parse().ok()?, words.next()?.parse().ok()?].map(Bounds::exact);
    let mut chances = || {
        let first = words.next()?;
        if first == "-" {
            return Some(None);
        }
        let win = first.parse().ok()?;
        let [draw, loss, error]: [f64; 3] =
            [words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?];
        Some(Some(Chances { win, draw, loss, error: (error > 0.0).then_some(error) }))
    };
    let (random, careful, greedy) = (chances()?, chances()?, chances()?);
    Some(Measures { certain: Bounds::exact(certain), win, not_lose, random, careful, greedy })
}

#[cfg(test)]
mod tests {
    use super::super::{HiddenSetup, Side};
    use super::*;
    use crate::triad::cards::Book;
    use triad::{Edition, Rules};

    fn deal(rules: &str) -> HiddenDeal {
        let card = |id| Book::built_in(Edition::Ff14).by_id(id).unwrap().card;
        let setup = HiddenSetup {
            rules: Rules::read(rules, Edition::Ff14).unwrap(),
            elements: [None; 9],
            hand: [1, 2, 3, 4, 5].map(card),
            worlds: vec![[6, 7, 8, 9, 10].map(card), [6, 7, 8, 9, 11].map(card)],
            first: Side::Me,
            known_order: false,
        };
        HiddenDeal::new(&setup).unwrap()
    }

    /// Some answer to a question before the first card, without the long search: the measures of a later position.
    fn answer(deal: &HiddenDeal, query: &Query) -> Advice {
        let mut position = deal.start();
        while position.free().len() > 3 {
            position = deal.play(&position, deal.moves(&position)[0]).unwrap();
        }
        Advice { nodes: 0, ..advise(deal, &position, query, &Control::new()) }
    }

    #[test]
    fn a_kept_answer_is_read_back_to_the_last_digit() {
        let folder = std::env::temp_dir().join(format!("ninefold-kept-{}", std::process::id()));
        for (rules, greedy) in [("", false), ("same,plus", true), ("chaos", false)] {
            let (deal, query) = (deal(rules), Query { greedy, ..Query::default() });
            let start = deal.start();
            let found = answer(&deal, &query);
            assert!(found.complete && !found.moves.is_empty());
            let question = question(&deal, &start, &query);
            let file = file_of(&folder, &question);
            keep(&folder, &file, &question, &found);
            // The budget of this call is spent, so the answer is the kept one.
            let spent = Control::new().node_limit(0);
            assert_eq!(advise_kept(&folder, &deal, &start, &query, &spent), found);
            // Another question has another file; in this one it finds nothing.
            let other = Query { greedy: !greedy, ..query };
            assert!(!advise_kept(&folder, &deal, &start, &other, &spent).complete);
            let bytes = std::fs::read(&file).unwrap();
            assert!(read(&file, &bytes, "another question").is_none());
            for at in [0, 20, bytes.len() / 2, bytes.len() - 1] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert!(read(&file, &damaged, &question).is_none(), "byte {at}");
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
