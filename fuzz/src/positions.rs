//! The text of positions and moves, and the rules against the naive models.

use crate::{Input, deals};
use cephalopods::rectangle::Rectangle;
use cephalopods::{Aim, Contest, Duel};
use grid::simd::Isa;
use grid::{Game, Notation, Rng, TextError, Versus};
use ninefold_triad::{Deal, notation};
use oracle::laws::{Model, position_text};
use oracle::{cephalopods as naive_dice, rectangle as naive_rectangle, triad as naive_cards, uttt as naive};
use std::fmt::Debug;
use uttt::{Accept, CodinGame, Open, Position, Rule, Standard, Uttt};

/// What a reader accepts reads back from the text that is written for it. An error is at a character of the text.
fn round_trip<T: PartialEq + Debug>(
    text: &str,
    read: impl Fn(&str) -> Result<T, TextError>,
    write: impl FnOnce(&T) -> String,
) -> Option<T> {
    match read(text) {
        Ok(found) => {
            let written = write(&found);
            assert_eq!(read(&written).as_ref(), Ok(&found), "{text:?} is written as {written:?}");
            Some(found)
        }
        Err(fault) => {
            assert!(text.is_char_boundary(fault.at), "{text:?}: {fault:?}");
            assert!(!fault.pointing_into(text).to_string().is_empty());
            None
        }
    }
}

fn read_position<G: Notation>(game: &G, text: &str) -> Option<G::Position> {
    round_trip(text, |text| game.read_position(text), |position| position_text(game, position))
}

fn move_text<G: Notation>(game: &G, position: &G::Position, mv: G::Move) -> String {
    let mut text = String::new();
    game.write_move(position, mv, &mut text).expect("writing to a string never fails");
    text
}

/// Reads a move; one that is accepted is legal.
fn read_move<G: Notation>(game: &G, position: &G::Position, text: &str) {
    let read = |text: &str| game.read_move(position, text);
    if let Some(mv) = round_trip(text, read, |mv| move_text(game, position, *mv)) {
        assert!(game.is_legal(position, mv), "{text:?} in {}", position_text(game, position));
    }
}

/// Plays up to `most` moves, one byte each, and then reads a move from the rest.
fn play_and_read_move<G: Notation>(game: &G, start: G::Position, most: usize, mut input: Input<'_>) {
    let plies = input.below(most);
    let mut position = start;
    for _ in 0..plies {
        let mut moves = game.moves(&position);
        let count = moves.len();
        let Some(mv) = (count > 0).then(|| moves.nth(input.below(count))).flatten() else { break };
        position = game.play_unchecked(&position, mv);
    }
    read_move(game, &position, &input.text());
}

/// Plays one move per byte. Moves, positions, texts and results are those of the naive model.
fn play_against<M: Model, G: Notation>(
    game: &G,
    start: G::Position,
    input: &mut Input<'_>,
    result: impl Fn(&G, &G::Position) -> Option<i32>,
) -> (G::Position, M) {
    let mut position = start;
    let mut model = M::read(&position_text(game, &position));
    loop {
        let shown = position_text(game, &position);
        assert_eq!(model.write(), shown);
        assert_eq!(game.read_position(&shown), Ok(position), "{shown}");
        let moves: Vec<_> = game.moves(&position).collect();
        let mut fast: Vec<_> = moves.iter().map(|&mv| move_text(game, &position, mv)).collect();
        let mut slow = model.moves();
        fast.sort();
        slow.sort();
        assert_eq!(fast, slow, "{shown}");
        assert_eq!(result(game, &position), model.result(), "{shown}");
        if moves.is_empty() || input.is_empty() {
            return (position, model);
        }
        let mv = moves[input.below(moves.len())];
        model = model.play(&move_text(game, &position, mv));
        position = game.play_unchecked(&position, mv);
    }
}

fn read_uttt<R: Rule, const RULE: usize>(text: &str, accept: Accept) {
    let game = Uttt::<R>::GAME;
    let read = |text: &str| Position::read::<R>(text, accept);
    let fen = |position: &Position| {
        let mut text = String::new();
        position.write_fen(&mut text).expect("writing to a string never fails");
        text
    };
    if let Some(position) = round_trip(text, read, |position| position_text(game, position)) {
        round_trip(&fen(&position), read, fen).expect("a FEN of our own");
        let model = naive::Ruled::<RULE>::read(&position_text(game, &position));
        assert_eq!(game.moves(&position).len(), model.moves().len(), "{text}");
        assert_eq!(game.result(&position), model.result(), "{text}");
    }
}

fn uttt_text(data: &[u8], is_compact: bool) {
    let mut input = Input(data);
    let rule = input.below(3);
    let accept = if input.below(2) == 0 { Accept::Reachable } else { Accept::Playable };
    let text = input.text();
    if (text.as_bytes().get(1) == Some(&b';')) != is_compact {
        return;
    }
    match rule {
        0 => read_uttt::<Standard, 0>(&text, accept),
        1 => read_uttt::<CodinGame, 1>(&text, accept),
        _ => read_uttt::<Open, 2>(&text, accept),
    }
}

/// The compact text of a position of Ultimate Tic-Tac-Toe.
pub fn uttt_position(data: &[u8]) {
    uttt_text(data, true);
}

/// The FEN of a position of Ultimate Tic-Tac-Toe.
pub fn uttt_fen(data: &[u8]) {
    uttt_text(data, false);
}

/// A move of Ultimate Tic-Tac-Toe in both notations.
pub fn uttt_move(data: &[u8]) {
    let mut input = Input(data);
    match input.below(3) {
        0 => play_and_read_move(Uttt::<Standard>::GAME, Position::START, 82, input),
        1 => play_and_read_move(Uttt::<CodinGame>::GAME, Position::START, 82, input),
        _ => play_and_read_move(Uttt::<Open>::GAME, Position::START, 82, input),
    }
}

fn play_uttt<R: Rule, const RULE: usize>(mut input: Input<'_>) {
    let game = Uttt::<R>::GAME;
    let (position, model) = play_against::<naive::Ruled<RULE>, _>(game, Position::START, &mut input, Uttt::<R>::result);
    let leaves = naive::Ruled::<RULE>::GAME.perft(&model.0, 2);
    for isa in Isa::available() {
        assert_eq!(uttt::kernel::perft::<R>(isa, &position, 2), leaves, "{isa} {position:?}");
    }
}

/// The rules of Ultimate Tic-Tac-Toe against the naive model, and perft on every instruction set.
pub fn uttt_rules(data: &[u8]) {
    let mut input = Input(data);
    match input.below(3) {
        0 => play_uttt::<Standard, 0>(input),
        1 => play_uttt::<CodinGame, 1>(input),
        _ => play_uttt::<Open, 2>(input),
    }
}

/// The text of a position of Triple Triad. What is accepted can be dealt.
pub fn triad_position(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let write = |(setup, position): &_| position_text(&Deal::new(setup).expect("a deal that was read"), position);
    if let Some((setup, position)) = round_trip(&text, notation::read, write) {
        let deal = Deal::new(&setup).expect("a deal that was read");
        let model = naive_cards::Table::read(&position_text(&deal, &position));
        assert_eq!(deal.moves(&position).len(), model.moves().len(), "{text}");
        assert_eq!(i32::try_from(position.score()), Ok(model.score()), "{text}");
    }
}

/// A random deal by a seed.
fn triad_deal(input: &mut Input<'_>) -> Deal {
    Deal::new(&deals::random_setup(&mut Rng::new(input.word()))).expect("a legal deal")
}

/// A move of Triple Triad.
pub fn triad_move(data: &[u8]) {
    let mut input = Input(data);
    let deal = triad_deal(&mut input);
    play_and_read_move(&deal, deal.start(), 10, input);
}

/// The rules of Triple Triad against the naive model, under all combinations of rules.
pub fn triad_rules(data: &[u8]) {
    let mut input = Input(data);
    let deal = triad_deal(&mut input);
    play_against::<naive_cards::Table, _>(&deal, deal.start(), &mut input, |deal, position| {
        deal.is_over(position).then(|| 2 * position.score() as i32 - 10)
    });
}

fn rectangle(input: &mut Input<'_>) -> Option<Rectangle> {
    let (rows, columns, aim) = (input.below(9), input.below(9), Aim::ALL[input.below(3)]);
    Rectangle::new(rows, columns, aim)
}

/// The text of a position of Cephalopods, of all three forms of the game.
pub fn cephalopods_position(data: &[u8]) {
    let mut input = Input(data);
    match input.below(3) {
        0 => drop(read_position(&Contest, &input.text())),
        1 => drop(read_position(&Duel { aim: Aim::Majority }, &input.text())),
        _ => drop(rectangle(&mut input).map(|game| read_position(&game, &input.text()))),
    }
}

/// A move of Cephalopods.
pub fn cephalopods_move(data: &[u8]) {
    let mut input = Input(data);
    match input.below(3) {
        0 => play_and_read_move(&Contest, Contest.start(), 41, input),
        1 => {
            let game = Duel { aim: Aim::Majority };
            play_and_read_move(&game, game.start(), 41, input);
        }
        _ => {
            if let Some(game) = rectangle(&mut input) {
                play_and_read_move(&game, game.start(), 64, input);
            }
        }
    }
}

fn play_rectangle<const ROWS: usize, const COLUMNS: usize, const AIM: usize>(input: &mut Input<'_>) {
    let game = Rectangle::new(ROWS, COLUMNS, Aim::ALL[AIM]).expect("a legal size");
    play_against::<naive_rectangle::Rectangle<ROWS, COLUMNS, AIM>, _>(&game, game.start(), input, Versus::result);
}

/// The rules of Cephalopods against the naive models: the contest, the game for two, rectangles.
pub fn cephalopods_rules(data: &[u8]) {
    let mut input = Input(data);
    let duel = |aim| Duel { aim };
    let start = duel(Aim::Majority).start();
    match input.below(8) {
        0 => drop(play_against::<naive_dice::Contest, _>(&Contest, Contest.start(), &mut input, |_, _| None)),
        1 => drop(play_against::<naive_dice::Duel<0>, _>(&duel(Aim::Majority), start, &mut input, Versus::result)),
        2 => drop(play_against::<naive_dice::Duel<1>, _>(&duel(Aim::Sixes), start, &mut input, Versus::result)),
        3 => drop(play_against::<naive_dice::Duel<2>, _>(&duel(Aim::Misere), start, &mut input, Versus::result)),
        4 => play_rectangle::<3, 5, 0>(&mut input),
        5 => play_rectangle::<5, 5, 1>(&mut input),
        6 => play_rectangle::<4, 8, 2>(&mut input),
        _ => play_rectangle::<8, 4, 0>(&mut input),
    }
}
