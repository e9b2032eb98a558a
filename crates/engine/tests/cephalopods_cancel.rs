//! Every long call of Cephalopods returns soon after the cancel flag is raised.
#![cfg(target_os = "linux")]

use cephalopods::{Aim, Board, rectangle::Rectangle};
use grid::Game;
use grid::simd::Isa;
use ninefold_engine::cephalopods::{
    Cache, PathSum, SumEngine, Table, bundle, duel::Solver, exact, heat, rectangle, table,
};
use ninefold_engine::{Control, Error, Stop};
use std::time::Duration;

/// Repeats a call until its flag is raised, and checks that it then ends soon.
fn cancelled<T>(name: &str, delay: Duration, mut call: impl FnMut(&Control<'_>) -> Result<T, Error>) {
    let result = oracle::cancel::cancelled(name, delay, |flag| {
        let control = Control::new().cancel(flag);
        loop {
            match call(&control) {
                Ok(_) if !control.is_cancelled() => {}
                other => break other.map(drop),
            }
        }
    });
    match result {
        Ok(()) | Err(Error::Stopped(Stop::Cancelled)) => {}
        Err(error) => panic!("{name}: {error}"),
    }
}

const EARLY: Duration = Duration::from_millis(40);
const LATER: Duration = Duration::from_millis(150);

fn hardest() -> Board {
    Board::from_cells([0, 0, 0, 0, 1, 0, 1, 1, 0]).unwrap()
}

#[test]
fn sums_and_counts() {
    let isa = Isa::detect();
    for delay in [EARLY, LATER] {
        let mut path_sum = PathSum::new(isa);
        cancelled("path sum", delay, |control| path_sum.sum(hardest(), 40, control));
        let mut cache = Cache::new(isa);
        cancelled("cache", delay, |control| cache.sum(hardest(), 40, control));
        cancelled("exact count", delay, |control| exact::count(Board::EMPTY, 61, 1000, control));
        let mut engine = SumEngine::Scratch(PathSum::new(isa));
        let questions = vec![(hardest(), 40); 100];
        cancelled("sums", delay, |control| engine.sums(&questions, control));
        let plan = heat::Plan { last_rank: 18, depths: (6..=40).collect(), boards: 3, seed: 1 };
        cancelled("heat", delay, |control| heat::measure(&mut engine, &plan, control));
    }
}

#[test]
fn tables_and_bundles() {
    let isa = Isa::detect();
    let folder = std::env::temp_dir().join(format!("ninefold-cancel-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("table");
    for delay in [EARLY, LATER, Duration::from_millis(900), Duration::from_millis(2500)] {
        cancelled("table", delay, |control| table::write(&path, isa, table::ALL_RANKS, control));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no file is left");
        cancelled("bundle", delay, |control| bundle::bundle(bundle::Request::default(), control));
    }
    table::write(&path, isa, 1 << 40, &Control::new()).unwrap();
    let table = Table::open(&path).unwrap();
    cancelled("verify", EARLY, |control| table.verify(control));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_two_player_game() {
    let isa = Isa::detect();
    for delay in [EARLY, LATER] {
        for aim in Aim::ALL {
            cancelled("solver", delay, |control| {
                let mut solver = Solver::new(aim, isa);
                let start = solver.duel().start();
                solver.analyse(&start, control)
            });
        }
        let game = Rectangle::new(5, 5, Aim::Majority).unwrap();
        cancelled("tree search", delay, |control| rectangle::analyse(&game, &game.start(), control, 1, isa));
        cancelled("alpha-beta", delay, |control| rectangle::solve(&game, &game.start(), control, isa));
    }
}
