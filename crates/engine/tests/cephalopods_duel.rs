//! The solved two-player game against plain negamax where that is possible, and against its own moves everywhere else.

use cephalopods::{Aim, Board, Duel, DuelPosition};
use engine::cephalopods::duel::Solver;
use engine::{Control, Outcome};
use grid::simd::Isa;
use grid::{Cell, CellSet, Game, Notation, Player, Rng};
use ninefold_engine as engine;
use oracle::cephalopods as naive;
use std::collections::HashMap;

fn naive_aim(aim: Aim) -> naive::Aim {
    match aim {
        Aim::Majority => naive::Aim::Majority,
        Aim::Sixes => naive::Aim::Sixes,
        Aim::Misere => naive::Aim::Misere,
    }
}

fn value_of(solver: &mut Solver, stand: &DuelPosition) -> i32 {
    solver.value(stand, &Control::new()).unwrap().sign()
}

/// Any position with at least this number of pips: the more pips, the fewer boards are below it.
fn any_stand(rng: &mut Rng, pips: u32) -> DuelPosition {
    loop {
        let cells = std::array::from_fn(|_| rng.below(7) as u8);
        let board = Board::from_cells(cells).unwrap();
        if board.rank() >= pips {
            let mover = if rng.below(2) == 0 { Player::First } else { Player::Second };
            return DuelPosition::new(board, CellSet::from_bits(rng.below(512) as u16), mover);
        }
    }
}

#[test]
fn the_three_games_are_what_the_analysis_says() {
    for (aim, value) in [(Aim::Majority, 1), (Aim::Sixes, 0), (Aim::Misere, -1)] {
        let mut solver = Solver::new(aim, Isa::detect());
        let start = Duel { aim }.start();
        assert_eq!(value_of(&mut solver, &start), value, "{aim:?}");
        assert_eq!(solver.boards(), 532_354);
        assert!(solver.bytes() < if aim == Aim::Sixes { 160 << 20 } else { 96 << 20 }, "{}", solver.bytes());
        let moves = solver.moves(&start, &Control::new()).unwrap();
        if aim == Aim::Majority {
            assert!(moves.iter().all(|&(_, value)| value == Outcome::Win), "every first move wins: {moves:?}");
        }
        assert_eq!(moves.iter().map(|&(_, value)| value.sign()).max(), Some(value));
    }
}

#[test]
fn random_positions_have_the_value_of_plain_negamax() {
    let (seed, wanted) = (1906, if std::env::var_os("NINEFOLD_EMULATED").is_some() { 50 } else { 2000 });
    for aim in Aim::ALL {
        let (mut rng, mut solver, mut seen) = (Rng::new(seed), Solver::new(aim, Isa::detect()), HashMap::new());
        for _ in 0..wanted {
            let stand = any_stand(&mut rng, 25);
            let mine = Cell::ALL.map(|cell| stand.ours().contains(cell));
            let expected = naive::negamax(naive_aim(aim), &stand.board().cells(), &mine, &mut seen);
            assert_eq!(value_of(&mut solver, &stand), expected, "{aim:?}, seed {seed}: {stand:?}");
        }
    }
}

#[test]
fn every_value_follows_from_its_moves_on_every_instruction_set() {
    let (seed, wanted) = (73, if std::env::var_os("NINEFOLD_EMULATED").is_some() { 20 } else { 1000 });
    for isa in Isa::available() {
        for aim in Aim::ALL {
            let (mut rng, duel, mut solver) = (Rng::new(seed), Duel { aim }, Solver::new(aim, isa));
            for _ in 0..wanted {
                let stand = any_stand(&mut rng, 16);
                let moves = solver.moves(&stand, &Control::new()).unwrap();
                let best = moves.iter().map(|&(_, value)| value.sign()).max();
                let full = || aim.judge(stand.board(), stand.ours());
                assert_eq!(
                    value_of(&mut solver, &stand),
                    best.unwrap_or_else(full),
                    "{isa:?} {duel:?} seed {seed}: {stand:?}"
                );
            }
        }
    }
}

#[test]
fn every_line_is_played_out_and_keeps_the_value() {
    for aim in Aim::ALL {
        let (duel, mut solver) = (Duel { aim }, Solver::new(aim, Isa::detect()));
        let start = duel.read_position("1.a.3..5.:B").unwrap();
        let analysis = solver.analyse(&start, &Control::new()).unwrap();
        assert!(analysis.complete && analysis.lines.len() == duel.moves(&start).len());
        assert_eq!(analysis.lines[0].value, analysis.value);
        for line in &analysis.lines {
            let (mut at, mut value) = (start, line.value.outcome.unwrap());
            for &mv in &line.line {
                at = duel.play(&at, mv).unwrap();
                value = value.reversed();
                assert_eq!(solver.value(&at, &Control::new()).unwrap(), value, "{mv}");
            }
            assert!(duel.is_over(&at));
        }
    }
}
