//! The game on rectangles obeys the laws of `oracle`, equals its naive model on every size, and on 3x3 equals [`Duel`].

use grid::{Game, Notation, Rng, Versus};
use ninefold_cephalopods::rectangle::Rectangle;
use ninefold_cephalopods::{Aim, Duel};
use oracle::laws::{self, Plan};
use oracle::rectangle as naive;

const PLAN: Plan = Plan { seed: 1_906, games: 40 };

fn obeys<const ROWS: usize, const COLUMNS: usize>() {
    let plan = PLAN.scaled();
    for aim in Aim::ALL {
        let game = Rectangle::new(ROWS, COLUMNS, aim).unwrap();
        laws::rules(&game, plan);
        laws::versus(&game, plan);
    }
    let game = |aim| Rectangle::new(ROWS, COLUMNS, aim).unwrap();
    laws::against_model::<_, naive::Rectangle<ROWS, COLUMNS, 0>>(&game(Aim::Majority), plan, Versus::result);
    laws::against_model::<_, naive::Rectangle<ROWS, COLUMNS, 1>>(&game(Aim::Sixes), plan, Versus::result);
    laws::against_model::<_, naive::Rectangle<ROWS, COLUMNS, 2>>(&game(Aim::Misere), plan, Versus::result);
}

#[test]
fn every_size_obeys() {
    obeys::<1, 1>();
    obeys::<1, 8>();
    obeys::<8, 1>();
    obeys::<2, 2>();
    obeys::<3, 3>();
    obeys::<3, 5>();
    obeys::<5, 3>();
    obeys::<5, 5>();
    obeys::<4, 8>();
    obeys::<8, 4>();
}

#[test]
fn on_three_by_three_it_is_the_game_of_nine_dice() {
    let seed = 9;
    let mut rng = Rng::new(seed);
    for aim in Aim::ALL {
        let (duel, game) = (Duel { aim }, Rectangle::new(3, 3, aim).unwrap());
        for _ in 0..300 {
            let (mut stand, mut area) = (duel.start(), game.start());
            while let Some(mv) = rng.pick(duel.moves(&stand)) {
                assert_eq!(duel.moves(&stand).len(), game.moves(&area).len(), "seed {seed}");
                let name = |cell: grid::Cell| format!("{}{}", char::from(b'a' + cell.column() as u8), cell.row() + 1);
                let captured: String = mv.captured().into_iter().map(name).collect();
                let text = name(mv.cell()) + if captured.is_empty() { "" } else { "x" } + &captured;
                area = game.play(&area, game.read_move(&area, &text).unwrap()).unwrap();
                stand = duel.play(&stand, mv).unwrap();
                assert_eq!(duel.result(&stand), game.result(&area), "seed {seed}");
                let (small, large) = (laws::position_text(&duel, &stand), laws::position_text(&game, &area));
                assert_eq!(small, large.replace('/', ""), "seed {seed}");
            }
        }
    }
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let game = Rectangle::new(3, 5, Aim::Majority).unwrap();
    let at = |text: &str| game.read_position(text).unwrap_err().at;
    assert_eq!(at(""), 0);
    assert_eq!(at("....../"), 5);
    assert_eq!(at("...7."), 3);
    assert_eq!(at("...../...../....."), 17);
    assert_eq!(at("...../...../.....:C"), 18);
    assert_eq!(at("...../...../.....:A "), 19);
    assert_eq!(at("...../...../..é..:A"), 14);
    let area = game.read_position("1..../.a.../.....:A").unwrap();
    let wrong = ["", "z1", "a", "a9", "a1", "b1", "b1y", "b1x", "b1xa1", "b1xb2a1", "c1xa1b2", "e3xe2d3", "é1"];
    let places = [0, 0, 1, 1, 0, 2, 2, 3, 3, 5, 2, 2, 0];
    for (text, at) in wrong.into_iter().zip(places) {
        assert_eq!(game.read_move(&area, text).unwrap_err().at, at, "{text}");
    }
    for (rows, columns) in [(0, 3), (3, 0), (9, 1), (1, 9), (6, 6), (usize::MAX, 2)] {
        assert!(Rectangle::new(rows, columns, Aim::Majority).is_none());
    }
}
