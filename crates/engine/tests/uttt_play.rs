//! The playing engine: what it tells, while it thinks and at the end, and that it never throws away what is proved.

use grid::simd::Isa;
use grid::{Game, Rng};
use ninefold_engine::uttt::play::{Analysis, Engine, Method, Request};
use ninefold_engine::uttt::solve::{Limits, Solver};
use ninefold_engine::uttt::{Rules, Value, ask};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use uttt::{Accept, CodinGame, Open, Position, Rule, Standard, Uttt};

/// Drawn, four moves, one of which keeps the draw.
const DRAWN: &str =
    "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";

fn engine(rules: Rules) -> Engine {
    Engine::new(rules, 32 << 20, Isa::detect(), 1).unwrap()
}

/// Every line is a game that can be played, and begins with its move.
fn check_lines(position: &Position, analysis: &Analysis) {
    let game = Uttt::<Standard>::GAME;
    for line in &analysis.lines {
        assert_eq!(line.line.first(), Some(&line.mv), "{position:?}");
        let mut position = *position;
        for mv in &line.line {
            (_, position) = ask::play(Rules::Standard, &position, mv).unwrap();
        }
        assert!(line.line.len() > 1 || game.is_over(&position), "{line:?} goes on");
        assert!((-1.0..=1.0).contains(&line.score), "{line:?}");
    }
}

#[test]
fn every_legal_move_has_a_score_and_a_continuation() {
    for method in [Method::Mcts, Method::Uct, Method::AlphaBeta] {
        let request = Request { method, time: None, nodes: Some(60_000), lines: 81, ..Request::default() };
        let mut engine = engine(Rules::Standard);
        let start = Position::START;
        let analysis = engine.analyse(&start, &request);
        assert_eq!(analysis.lines.len(), 81, "{method:?}");
        check_lines(&start, &analysis);
        let drawn = Rules::Standard.read(DRAWN, Accept::Reachable).unwrap();
        let analysis = engine.analyse(&drawn, &request);
        assert_eq!(analysis.lines.len(), 4, "{method:?}");
        check_lines(&drawn, &analysis);
        if method != Method::Uct {
            assert_eq!((analysis.best.as_deref(), analysis.value), (Some("ig"), Some(Value::D)), "{method:?}");
            let values: Vec<_> = analysis.lines.iter().map(|line| line.value).collect();
            assert_eq!(values, [Value::D, Value::L, Value::L, Value::L].map(Some), "{method:?}");
        }
    }
}

#[test]
fn a_search_stops_at_its_depth() {
    let hard = include_str!("../../../oracle/data/uttt_hard.txt").lines().find(|line| line.ends_with(" L")).unwrap();
    let hard = Rules::Standard.read(hard.strip_suffix(" L").unwrap(), Accept::Reachable).unwrap();
    for method in [Method::Mcts, Method::Uct, Method::AlphaBeta] {
        for position in [Position::START, hard] {
            for depth in [1, 4] {
                let request = Request { method, time: None, depth: Some(depth), ..Request::default() };
                let analysis = engine(Rules::Standard).analyse(&position, &request);
                assert_eq!((analysis.depth, analysis.value), (depth, None), "{method:?} {position:?}");
                assert!(analysis.best.is_some() && analysis.nodes < 1_000_000, "{method:?} {analysis:?}");
            }
        }
        let nothing = Request { method, time: None, depth: Some(0), ..Request::default() };
        assert!(engine(Rules::Standard).analyse(&hard, &nothing).best.is_some(), "{method:?}");
    }
}

/// A search too short for a progress, and one that needs no search at all, still tell their end.
#[test]
fn a_short_search_tells_its_end() {
    let drawn = Rules::Standard.read(DRAWN, Accept::Reachable).unwrap();
    for method in [Method::Mcts, Method::Uct, Method::AlphaBeta] {
        for (position, level) in [(Position::START, 1), (Position::START, 3), (drawn, 10)] {
            let request = Request { method, level, ..Request::default() };
            let mut told: Vec<Analysis> = Vec::new();
            let answer =
                engine(Rules::Standard).analyse_with(&position, &request, &mut |analysis| told.push(analysis.clone()));
            assert_eq!(told.last(), Some(&answer), "{method:?} level {level}");
        }
    }
}

/// A request without end that is stopped after a while has looked at the moves, although the solver comes first.
#[test]
fn the_solver_does_not_keep_an_endless_search_from_its_turn() {
    let hard = include_str!("../../../oracle/data/uttt_hard.txt").lines().find(|line| line.ends_with(" D")).unwrap();
    let hard = Rules::Standard.read(hard.strip_suffix(" D").unwrap(), Accept::Reachable).unwrap();
    let cancel = Arc::new(AtomicBool::new(false));
    let request = Request { time: None, cancel: Some(cancel.clone()), ..Request::default() };
    let answer = engine(Rules::Standard).analyse_with(&hard, &request, &mut |_| cancel.store(true, Relaxed));
    assert!(answer.lines[0].line.len() > 1, "{answer:?}");
}

#[test]
fn progress_is_told_and_ends_in_the_answer() {
    for method in [Method::Mcts, Method::Uct, Method::AlphaBeta] {
        let request = Request { method, time: Some(Duration::from_millis(450)), lines: 3, ..Request::default() };
        let mut told: Vec<Analysis> = Vec::new();
        let answer = engine(Rules::Standard)
            .analyse_with(&Position::START, &request, &mut |analysis| told.push(analysis.clone()));
        assert!(told.len() >= 2, "{method:?}: {}", told.len());
        told.push(answer);
        assert!(told.is_sorted_by_key(|analysis| (analysis.nodes, analysis.time_ms)), "{method:?}");
        assert!(told.iter().all(|analysis| analysis.lines.len() == 3 && analysis.depth > 0), "{method:?}");
    }
}

#[test]
fn a_limit_of_nodes_repeats_to_the_digit() {
    for method in [Method::Mcts, Method::Uct, Method::AlphaBeta] {
        let request = Request { method, time: None, nodes: Some(100_000), lines: 5, ..Request::default() };
        let answers =
            [(); 2].map(|()| Analysis { time_ms: 0, ..engine(Rules::Open).analyse(&Position::START, &request) });
        assert_eq!(answers[0], answers[1]);
        assert!((90_000..=100_000).contains(&answers[0].nodes), "{}", answers[0].nodes);
    }
}

/// Games of the engine against itself from random middle games and endgames. The solver knows what every move is worth:
/// whatever the engine says is proved is so; a position whose value it has proved keeps its value; and it never plays a
/// move it knows to lose in a position that is not lost.
fn never_gives_away<R: Rule>(method: Method, games: u64) -> [u32; 3] {
    let game = Uttt::<R>::GAME;
    let rules = Rules::named(R::NAME).unwrap();
    let mut solver = Solver::new(rules, Limits { memory: 32 << 20, ..Limits::default() }).unwrap();
    let mut seen = [0; 3];
    for seed in 0..games {
        let mut rng = Rng::new(grid::mix(seed ^ 0x6a3e));
        let mut position = game.start();
        let empties = 8 + rng.below(24);
        while position.empties::<R>() > empties
            && let Some(mv) = rng.pick(game.moves(&position))
        {
            position = game.play_unchecked(&position, mv);
        }
        // Few nodes, so that some positions are proved by the solver, some by the tree, some not at all.
        let nodes = [60, 400, 3000][rng.below(3) as usize];
        let request = Request { method, time: None, nodes: Some(nodes), ..Request::default() };
        let mut engine = engine(rules);
        while !game.is_over(&position) {
            let analysis = engine.analyse(&position, &request);
            let shown = format!("{method:?} {} seed {seed}, {nodes} nodes: {position:?} {analysis:?}", R::NAME);
            let (mv, next) = ask::play(rules, &position, analysis.best.as_deref().unwrap()).unwrap();
            let worth = solver.worth(&position, mv).0.unwrap();
            if let Some(value) = analysis.lines[0].value {
                assert_eq!(value, worth, "what is proved is so: {shown}");
            }
            let best = solver.value(&position, &mut |_| {}).unwrap();
            if let Some(value) = analysis.value {
                assert_eq!((value, worth), (best, best), "a proved value is kept: {shown}");
                seen[value as usize] += 1;
            }
            if analysis.lines[0].value == Some(Value::L) {
                assert_eq!(best, Value::L, "no move known to lose while another might not: {shown}");
            }
            position = next;
        }
    }
    seen
}

#[test]
fn no_move_that_is_known_to_lose_when_another_is_not() {
    for method in [Method::Mcts, Method::AlphaBeta] {
        for seen in [never_gives_away::<Standard>(method, 60), never_gives_away::<CodinGame>(method, 60)] {
            assert!(seen.iter().all(|&seen| seen > 20), "{method:?} proved won, drawn and lost positions: {seen:?}");
        }
        never_gives_away::<Open>(method, 20);
    }
}
