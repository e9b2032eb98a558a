//! Every long call of Cephalopods returns soon after the cancel flag is raised: within 100 ms of its thread's CPU time.

use cephalopods::{Aim, Board, rectangle::Rectangle};
use grid::Game;
use grid::simd::Isa;
use ninefold_engine::cephalopods::{
    Cache, PathSum, SumEngine, Table, bundle, duel::Solver, exact, heat, rectangle, table,
};
use ninefold_engine::{Control, Error, Stop};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// CPU time of the calling thread.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Runs a call that would take much longer, raises its flag after `delay` from a second thread, and checks how much CPU time
/// the call still spends. The call is repeated until it is interrupted, for calls that take less than the delay.
fn cancelled<T>(name: &str, delay: Duration, mut call: impl FnMut(&Control<'_>) -> Result<T, Error>) {
    let flag = Arc::new(AtomicBool::new(false));
    let control = Control::new().cancel(flag.clone());
    let (result, spent) = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(delay);
            flag.store(true, Relaxed);
        });
        let started = cpu();
        let result = loop {
            match call(&control) {
                Ok(_) if !control.is_cancelled() => {}
                other => break other.map(drop),
            }
        };
        (result, cpu() - started)
    });
    match result {
        Ok(()) | Err(Error::Stopped(Stop::Cancelled)) => {}
        Err(error) => panic!("{name}: {error}"),
    }
    // The thread cannot have had more CPU time than wall-clock time before the flag was raised.
    assert!(spent < delay + Duration::from_millis(100), "{name}: {spent:?} of CPU time");
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
