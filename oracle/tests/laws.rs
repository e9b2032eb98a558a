//! Tic-tac-toe satisfies all laws, and each game that breaks one law is caught.

use grid::{Cell, ExactKey, Facts, Game, Notation, Player, Sym, Symmetric, TextError, Versus};
use ninefold_oracle::laws::{self, Model, Plan};
use ninefold_oracle::perft::{self, Suite};
use ninefold_oracle::tictactoe::{Board, TicTacToe};
use std::fmt;

const PLAN: Plan = Plan { seed: 20261115, games: 200 };

#[test]
fn tictactoe_obeys() {
    laws::rules(&TicTacToe, PLAN);
    laws::versus(&TicTacToe, PLAN);
    laws::exact_key(&TicTacToe, PLAN);
    laws::symmetry(&TicTacToe, PLAN);
    laws::symmetric_result(&TicTacToe, PLAN);
    laws::against_model::<_, Strings>(&TicTacToe, PLAN, TicTacToe::result);
}

#[test]
fn tictactoe_has_the_known_counts() {
    let suite = Suite::parse(include_str!("../perft/tictactoe.perft")).unwrap();
    assert_eq!(Suite::parse(&suite.to_string()), Ok(suite.clone()));
    let mut compared = 0;
    for entry in suite.within(u64::MAX) {
        let position = TicTacToe.read_position(&entry.position).unwrap();
        for (depth, count) in entry.counts {
            assert_eq!(perft::count(&TicTacToe, &position, depth), count, "depth {depth}");
            compared += 1;
        }
    }
    assert_eq!(compared, 9);
}

#[test]
fn the_suites_of_the_games_can_be_read() {
    let suite = Suite::parse(include_str!("../perft/uttt.perft")).unwrap();
    assert_eq!(suite.entries.len(), 17);
    assert!(suite.entries.iter().all(|entry| entry.counts.len() >= 8));
}

#[test]
fn a_bad_suite_is_refused_with_its_line() {
    let refusals = [
        ("perft 1 9", 1),
        ("position .........\nperft one 9", 2),
        ("position .........\nperft 1", 2),
        ("position .........\n\nperft 1 nine", 3),
        ("# fine\nponder", 2),
    ];
    for (text, line) in refusals {
        assert_eq!(Suite::parse(text).unwrap_err().line, line, "{text}");
    }
}

/// Another tic-tac-toe, on strings only.
#[derive(Clone)]
struct Strings(String);

impl Strings {
    fn winner(&self) -> Option<char> {
        let at = |cell: usize| self.0.chars().nth(cell).unwrap();
        let lines = ["012", "345", "678", "036", "147", "258", "048", "246"];
        ['x', 'o'].into_iter().find(|&side| {
            lines.iter().any(|line| line.chars().all(|digit| at(digit.to_digit(10).unwrap() as usize) == side))
        })
    }
}

impl Model for Strings {
    fn read(text: &str) -> Self {
        Self(text.into())
    }

    fn write(&self) -> String {
        self.0.clone()
    }

    fn moves(&self) -> Vec<String> {
        let free = self.0.char_indices().filter(|&(_, symbol)| symbol == '.' && self.winner().is_none());
        free.map(|(cell, _)| cell.to_string()).collect()
    }

    fn play(&self, mv: &str) -> Self {
        let cell: usize = mv.parse().unwrap();
        let side = if self.0.matches('.').count() % 2 == 1 { "x" } else { "o" };
        let mut text = self.0.clone();
        text.replace_range(cell..=cell, side);
        Self(text)
    }

    fn result(&self) -> Option<i32> {
        match self.winner() {
            Some('x') => Some(1),
            Some(_) => Some(-1),
            None => (!self.0.contains('.')).then_some(0),
        }
    }
}

/// Ways in which a game can be wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    MoveTwice,
    MoveMissing,
    LegalEverywhere,
    TooManyMoves,
    HashOfHistory,
    TextOfMove,
    TextOfPosition,
    ResultEarly,
    ResultTooGood,
    KeyCollides,
    MapWrong,
    MapMoveWrong,
    CanonicalOutside,
    MoverMapped,
}

#[derive(Clone, Copy)]
struct Broken(Fault);

impl Game for Broken {
    type Position = Board;
    type Move = Cell;
    type Moves = std::vec::IntoIter<Cell>;
    const FACTS: Facts = TicTacToe::FACTS;

    fn start(&self) -> Board {
        TicTacToe.start()
    }

    fn moves(&self, board: &Board) -> Self::Moves {
        let mut moves: Vec<_> = TicTacToe.moves(board).collect();
        match self.0 {
            Fault::MoveTwice if moves.len() == 5 => moves.push(moves[0]),
            Fault::MoveMissing if moves.len() == 5 => drop(moves.pop()),
            Fault::TooManyMoves if moves.len() == 9 => moves.extend(Cell::ALL),
            _ => {}
        }
        moves.into_iter()
    }

    fn is_legal(&self, board: &Board, cell: Cell) -> bool {
        self.0 == Fault::LegalEverywhere || self.moves(board).any(|legal| legal == cell)
    }

    fn play_unchecked(&self, board: &Board, cell: Cell) -> Board {
        TicTacToe.play_unchecked(board, cell)
    }

    fn hash(&self, board: &Board) -> u64 {
        // The address of the board makes the hash differ for equal positions, like a hash that is not updated.
        TicTacToe.hash(board) ^ if self.0 == Fault::HashOfHistory { std::ptr::from_ref(board).addr() as u64 } else { 0 }
    }
}

impl Versus for Broken {
    const BEST: i32 = 1;

    fn mover(&self, board: &Board) -> Player {
        if self.0 == Fault::MoverMapped && board.0[0].is_some() { Player::First } else { TicTacToe.mover(board) }
    }

    fn result(&self, board: &Board) -> Option<i32> {
        match TicTacToe.result(board) {
            None if self.0 == Fault::ResultEarly && TicTacToe.moves(board).len() == 1 => Some(0),
            Some(1) if self.0 == Fault::ResultTooGood => Some(2),
            result => result,
        }
    }
}

impl ExactKey for Broken {
    const KEY_BITS: u32 = 15;

    fn key(&self, board: &Board) -> u64 {
        TicTacToe.key(board) / if self.0 == Fault::KeyCollides { 3 } else { 1 }
    }
}

impl Symmetric for Broken {
    fn map(&self, board: &Board, sym: Sym) -> Board {
        let wrong = self.0 == Fault::MapWrong && sym == Sym::TURN;
        TicTacToe.map(board, if wrong { Sym::BACK_TURN } else { sym })
    }

    fn map_move(&self, cell: Cell, sym: Sym) -> Cell {
        let wrong = matches!(self.0, Fault::MapMoveWrong | Fault::MapWrong) && sym == Sym::TURN;
        TicTacToe.map_move(cell, if wrong { Sym::BACK_TURN } else { sym })
    }

    fn canonical(&self, board: &Board) -> (Board, Sym) {
        if self.0 == Fault::CanonicalOutside { (*board, Sym::IDENTITY) } else { TicTacToe.canonical(board) }
    }
}

impl Notation for Broken {
    fn write_position(&self, board: &Board, out: &mut dyn fmt::Write) -> fmt::Result {
        TicTacToe.write_position(board, out)
    }

    fn read_position(&self, text: &str) -> Result<Board, TextError> {
        let swapped: String = text.chars().map(|symbol| if symbol == 'o' { 'x' } else { symbol }).collect();
        let wrong = self.0 == Fault::TextOfPosition && text.contains('o');
        TicTacToe.read_position(if wrong { &swapped } else { text })
    }

    fn write_move(&self, board: &Board, cell: Cell, out: &mut dyn fmt::Write) -> fmt::Result {
        let shown = if self.0 == Fault::TextOfMove && cell.index() == 8 { Cell::ALL[7] } else { cell };
        TicTacToe.write_move(board, shown, out)
    }

    fn read_move(&self, board: &Board, text: &str) -> Result<Cell, TextError> {
        TicTacToe.read_move(board, text)
    }
}

#[track_caller]
fn caught(fault: Fault, law: &str, check: impl Fn(&Broken) + std::panic::UnwindSafe) {
    let outcome = std::panic::catch_unwind(move || check(&Broken(fault)));
    let message = match outcome {
        Ok(()) => panic!("a broken law was not caught: {law}"),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    };
    assert!(message.contains(law), "expected «{law}», got «{message}»");
    assert!(message.contains(&format!("seed {}", PLAN.seed)), "the message has the seed: {message}");
}

#[test]
fn broken_games_are_caught() {
    let rules = |game: &Broken| laws::rules(game, PLAN);
    let symmetry = |game: &Broken| laws::symmetry(game, PLAN);
    let model = |game: &Broken| laws::against_model::<_, Strings>(game, PLAN, Broken::result);
    caught(Fault::MoveTwice, "no move is generated twice", rules);
    caught(Fault::TooManyMoves, "no position has more moves than the most", rules);
    caught(Fault::LegalEverywhere, "a move is legal exactly when it is generated", rules);
    caught(Fault::HashOfHistory, "a hash kept up to date is the hash computed anew", rules);
    caught(Fault::TextOfMove, "reads back as that move", rules);
    caught(Fault::TextOfPosition, "reads back as that position", rules);
    caught(Fault::MoveMissing, "the same moves are legal", model);
    caught(Fault::ResultEarly, "the result is the same", model);
    caught(Fault::ResultEarly, "a result exactly when nobody can move", |game| laws::versus(game, PLAN));
    caught(Fault::ResultTooGood, "no result is better than the best", |game| laws::versus(game, PLAN));
    caught(Fault::KeyCollides, "equal keys mean equal positions", |game| laws::exact_key(game, PLAN));
    caught(Fault::MapWrong, "one symmetry after another is their product", symmetry);
    caught(Fault::MapMoveWrong, "playing and mapping commute", symmetry);
    caught(Fault::CanonicalOutside, "the canonical form is", symmetry);
    caught(Fault::MoverMapped, "an image has the same mover", |game| laws::symmetric_result(game, PLAN));
}
