//! The opening book of Ultimate Tic-Tac-Toe: the shipped ones and the builder.

#![allow(missing_docs, reason = "a test")]

use grid::simd::Isa;
use grid::{Game, Rng, Sym, Symmetric};
use ninefold_engine::uttt::{Book, BookBuilder, BookPlan, Position, Rules};
use ninefold_engine::{Control, Error, Stop};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use uttt::{CodinGame, Move, Rule, Standard, Uttt};

const RULES: [Rules; 2] = [Rules::Standard, Rules::CodinGame];

const PLAN: BookPlan = BookPlan { visits: 300, margin: 0.1, memory: 8 << 20 };

/// Builds a book with this number of positions.
fn built(rules: Rules, plan: BookPlan, positions: usize) -> Book {
    extended(Book::new(rules), plan, positions)
}

fn extended(book: Book, plan: BookPlan, positions: usize) -> Book {
    let mut builder = BookBuilder::new(book, plan, Isa::detect()).unwrap();
    while builder.book().len() < positions {
        builder.add_next(&Control::new()).unwrap().expect("the game is longer than this book");
    }
    builder.book().clone()
}

/// Every image of a position gets the image of its moves: the positions after them have the same images.
fn check<R: Rule>(book: &Book) {
    let game = Uttt::<R>::GAME;
    let after = |position: &Position, mv: Move| {
        assert!(game.moves(position).any(|legal| legal == mv), "{mv} in {position:?}");
        game.canonical(&game.play_unchecked(position, mv)).0
    };
    for (position, entry) in book.entries() {
        assert!(!entry.moves.is_empty() && entry.visits > 0, "{position:?}");
        assert!(entry.moves.iter().all(|known| known.score.abs() <= 1.0), "{position:?}");
        for sym in Sym::ALL {
            let image = game.map(&position, sym);
            let found = book.find(&image).unwrap_or_else(|| panic!("{image:?} is missing"));
            assert_eq!((found.visits, found.moves.len()), (entry.visits, entry.moves.len()));
            for (known, found) in entry.moves.iter().zip(&found.moves) {
                assert_eq!((known.score, known.outcome), (found.score, found.outcome));
                assert_eq!(after(&position, known.mv), after(&image, found.mv), "{image:?}");
            }
        }
    }
    assert_eq!(Book::read(book.rules(), &book.to_string()).as_ref(), Ok(book), "the text is the book");
}

#[test]
fn the_shipped_books_are_legal_and_symmetric() {
    for rules in RULES {
        let book = Book::built_in(rules);
        assert!(book.len() >= 100, "{} positions under the {} rule", book.len(), rules.name());
        // Every first move of the opponent has an answer.
        for mv in rules.moves(&Position::START) {
            assert!(book.find(&rules.play_unchecked(&Position::START, mv)).is_some(), "{mv}");
        }
    }
    check::<Standard>(Book::built_in(Rules::Standard));
    check::<CodinGame>(Book::built_in(Rules::CodinGame));
    assert!(Book::built_in(Rules::Open).is_empty());
}

#[test]
fn a_book_grows_from_the_start_and_goes_on() {
    for rules in RULES {
        let all = built(rules, PLAN, 40);
        assert!(
            rules == Rules::CodinGame || all.find(&Position::START).unwrap().moves.len() == 15,
            "15 kinds of moves"
        );
        // Ten positions, then the text is read again and the rest is added.
        let text = built(rules, PLAN, 10).to_string();
        assert_eq!(extended(Book::read(rules, &text).unwrap(), PLAN, 40).to_string(), all.to_string());
        // The start, and the answer to every first move.
        let plies: Vec<u32> = all.entries().iter().map(|(position, _)| position.ply()).collect();
        assert_eq!(plies.iter().filter(|ply| **ply <= 1).count(), 16, "{plies:?}");
        assert!(plies.is_sorted());
    }
    check::<Standard>(&built(Rules::Standard, PLAN, 30));
}

/// The engine plays its best move; the opponent every move within the margin.
#[test]
fn a_book_follows_one_move_of_ours_and_all_good_ones_of_the_opponent() {
    let rules = Rules::Standard;
    let (narrow, wide) =
        (built(rules, BookPlan { margin: 0.0, ..PLAN }, 40), built(rules, BookPlan { margin: 2.0, ..PLAN }, 40));
    for (position, entry) in narrow.entries().iter().filter(|(position, _)| position.ply() > 0) {
        let best = entry.moves[0].score;
        assert!(entry.moves.iter().all(|known| known.score >= best), "{position:?}: a move is worse than the best one");
    }
    let game = Uttt::<Standard>::GAME;
    let start = wide.find(&Position::START).unwrap();
    for (place, first) in start.moves.iter().enumerate() {
        let position = rules.play_unchecked(&Position::START, first.mv);
        let mut next: Vec<Position> =
            game.moves(&position).map(|mv| game.canonical(&rules.play_unchecked(&position, mv)).0).collect();
        next.sort();
        next.dedup();
        let followed = next.iter().filter(|next| wide.find(next).is_some()).count();
        // The engine as X makes the first of these moves, and O may reply anything. As O it has one reply to each.
        assert_eq!(followed, if place == 0 { next.len() } else { 1 }, "{}", first.mv);
    }
}

#[test]
fn a_stopped_search_adds_nothing() {
    let mut builder = BookBuilder::new(Book::new(Rules::Standard), PLAN, Isa::detect()).unwrap();
    let cancelled = Control::new().cancel(Arc::new(AtomicBool::new(true)));
    assert!(matches!(builder.add_next(&cancelled), Err(Error::Stopped(Stop::Cancelled))));
    assert!(builder.book().is_empty());
    assert_eq!(builder.add_next(&Control::new()).unwrap(), Some(Position::START), "and it can go on");
}

#[test]
fn a_damaged_book_is_refused() {
    let good = built(Rules::Standard, PLAN, 3).to_string();
    assert!(Book::read(Rules::Standard, &format!("{good}\n# a comment\n")).is_ok());
    assert!(Book::read(Rules::CodinGame, &good).is_err(), "another rule");
    let lines: Vec<&str> = good.lines().collect();
    let with = |line: &str| Book::read(Rules::Standard, &format!("{}\n{line}\n", lines[0]));
    assert!(with(lines[1]).is_ok());
    let (position, rest) = lines[2].split_once(' ').unwrap();
    let (visits, moves) = rest.split_once(' ').unwrap();
    let first = moves.split(' ').next().unwrap();
    let mv = first.split(':').next().unwrap();
    for wrong in [
        position.to_owned(),
        format!("{position} {visits}"),
        format!("{position} many {moves}"),
        format!("{position} {visits} {mv}"),
        format!("{position} {visits} {mv}:1.5"),
        format!("{position} {visits} {mv}:nan"),
        format!("{position} {visits} zz:+0.1"),
        format!("{position} {visits} {first} {first}"),
        format!("nonsense {visits} {moves}"),
    ] {
        let error = with(&wrong).unwrap_err();
        assert_eq!(error.line, 2, "{wrong}");
    }
    assert!(with(&format!("{}\n{}", lines[1], lines[1])).is_err(), "twice");
    // An image that is not the smallest one.
    let game = Uttt::<Standard>::GAME;
    let position = Rules::Standard.read(position, uttt::Accept::Reachable).unwrap();
    let mut rng = Rng::new(1);
    let other =
        (0..100).map(|_| game.map(&position, Sym::ALL[rng.below(8) as usize])).find(|it| *it != position).unwrap();
    assert!(with(&format!("{other:?} 5 {}:+0.1", Rules::Standard.moves(&other)[0])).is_err());
}
