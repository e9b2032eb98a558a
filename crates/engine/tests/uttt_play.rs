//! The playing engine: what it tells, while it thinks and at the end, and that it never throws away what is proved.

use grid::Game;
use grid::simd::Isa;
use ninefold_engine::uttt::play::{Analysis, Engine, Method, Request};
use ninefold_engine::uttt::{Rules, Value, ask};
use std::time::Duration;
use uttt::{Accept, Position, Standard, Uttt};

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
