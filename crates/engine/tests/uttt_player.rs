//! The player: what it reports during the search and at the end, and that it never gives away what is proved.

use grid::{Game, Rng};
use ninefold_engine::uttt::{
    Accept, Evaluation, Level, Move, Player, Position, Rules, STRONGEST, SearchKind, Settings, Solver,
};
use ninefold_engine::{Analysis, Certainty, Control, Outcome, Progress};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use uttt::{CodinGame, Open, Rule, Standard, Uttt};

/// Drawn, four moves, one of which keeps the draw.
const DRAWN: &str =
    "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";

/// Every search with every evaluation that it can use.
const PLAYERS: [(SearchKind, Evaluation); 7] = [
    (SearchKind::Mcts, Evaluation::Playouts),
    (SearchKind::Mcts, Evaluation::HandMade),
    (SearchKind::Uct, Evaluation::Playouts),
    (SearchKind::Uct, Evaluation::HandMade),
    (SearchKind::AlphaBeta, Evaluation::HandMade),
    (SearchKind::BestFirst, Evaluation::Auto),
    (SearchKind::AlphaBeta, Evaluation::Auto),
];

fn player(rules: Rules, (search, evaluation): (SearchKind, Evaluation)) -> Player {
    Player::new(Settings { rules, search, evaluation, seed: 1 }, 32 << 20).unwrap()
}

fn drawn() -> Position {
    Rules::Standard.read(DRAWN, Accept::Reachable).unwrap()
}

fn hard(ending: &str) -> Position {
    let mut lines = include_str!("../../../oracle/data/uttt_hard.txt").lines();
    let text = lines.find_map(|line| line.strip_suffix(ending)).unwrap();
    Rules::Standard.read(text, Accept::Reachable).unwrap()
}

/// Every line is a game that can be played, and begins with its move.
fn check_lines(position: &Position, analysis: &Analysis<Move>) {
    let game = Uttt::<Standard>::GAME;
    for line in &analysis.lines {
        assert_eq!(line.line.first(), Some(&line.mv), "{position:?}");
        let end = line.line.iter().fold(*position, |position, &mv| game.play(&position, mv).unwrap());
        assert!(line.line.len() > 1 || game.is_over(&end), "{line:?} goes on");
        assert!((-1.0..=1.0).contains(&line.value.score), "{line:?}");
    }
}

#[test]
fn every_legal_move_has_a_score_and_a_continuation() {
    for kind in PLAYERS {
        let mut player = player(Rules::Standard, kind);
        let control = || Control::new().node_limit(60_000);
        let start = Position::START;
        let analysis = player.analyse(&start, 81, &control());
        assert_eq!((analysis.lines.len(), analysis.complete, analysis.nodes), (81, false, 60_000), "{kind:?}");
        check_lines(&start, &analysis);
        for line in &analysis.lines {
            assert!(matches!(line.value.certainty, Certainty::Estimated { visits: 1.., .. }), "{kind:?} {line:?}");
        }
        let drawn = drawn();
        let analysis = player.analyse(&drawn, 81, &control());
        assert_eq!(analysis.lines.len(), 4, "{kind:?}");
        check_lines(&drawn, &analysis);
        if kind.0 != SearchKind::Uct {
            assert_eq!(analysis.best().map(|mv| mv.to_string()).as_deref(), Some("ig"), "{kind:?}");
            assert_eq!((analysis.value.outcome, analysis.complete), (Some(Outcome::Draw), true), "{kind:?}");
            let outcomes: Vec<_> = analysis.lines.iter().map(|line| line.value.outcome).collect();
            assert_eq!(outcomes, [Outcome::Draw, Outcome::Loss, Outcome::Loss, Outcome::Loss].map(Some), "{kind:?}");
        }
    }
}

/// The tree proves without a hash; the solver and alpha-beta have a table.
#[test]
fn certainty_tells_the_tree_from_the_tables() {
    // A limit of depth alone leaves the solver out.
    let whole_game = || Control::new().depth_limit(81);
    let analyse = |kind, control: &Control<'_>| player(Rules::Standard, kind).analyse(&drawn(), 1, control).value;
    let by_tree = analyse(PLAYERS[0], &whole_game());
    assert_eq!((by_tree.outcome, by_tree.certainty), (Some(Outcome::Draw), Certainty::Proved));
    for by_table in [analyse(PLAYERS[0], &Control::new()), analyse(PLAYERS[4], &whole_game())] {
        assert_eq!(by_table.outcome, Some(Outcome::Draw));
        assert!(
            matches!(by_table.certainty, Certainty::Hashed { error } if error > 0.0 && error < 1e-6),
            "{by_table:?}"
        );
    }
}

#[test]
fn a_finished_game_has_its_result() {
    let text = "O;XXXO.O...;XXX....../XXX....../XXX....../OOO....../........./OOO....../........./........./.........";
    let over = Rules::Standard.read(text, Accept::Playable).unwrap();
    assert_eq!(Rules::Standard.result(&over), Some(1));
    let mut player = player(Rules::Standard, PLAYERS[0]);
    let analysis = player.analyse(&over, 3, &Control::new());
    assert_eq!((analysis.value.outcome, analysis.complete, analysis.best()), (Some(Outcome::Loss), true, None));
    assert_eq!(player.choose(&over, 3, 1, &Control::new()).unwrap(), None);
}

#[test]
fn a_search_stops_at_its_depth() {
    let hard = hard(" L");
    for kind in PLAYERS {
        for position in [Position::START, hard] {
            for depth in [1, 4] {
                let analysis = player(Rules::Standard, kind).analyse(&position, 1, &Control::new().depth_limit(depth));
                assert_eq!((analysis.depth, analysis.value.outcome), (depth, None), "{kind:?} {position:?}");
                assert!(analysis.best().is_some() && analysis.nodes < 1_000_000, "{kind:?} {analysis:?}");
            }
        }
        let nothing = Control::new().depth_limit(0);
        assert!(player(Rules::Standard, kind).analyse(&hard, 1, &nothing).best().is_some(), "{kind:?}");
    }
}

/// An analysis without a limit that is cancelled after a while has looked at the moves, although the solver comes first.
#[test]
fn the_solver_does_not_keep_an_endless_search_from_its_turn() {
    let cancel = Arc::new(AtomicBool::new(false));
    let stop = |progress: &Progress<'_>| {
        if progress.partial::<Analysis<Move>>().is_some() {
            cancel.store(true, Relaxed);
        }
    };
    let control = Control::new().cancel(cancel.clone()).progress(&stop);
    let answer = player(Rules::Standard, PLAYERS[0]).analyse(&hard(" D"), 1, &control);
    assert!(answer.lines[0].line.len() > 1, "{answer:?}");
}

#[test]
fn progress_has_the_form_of_the_answer() {
    for kind in PLAYERS {
        let heard: Mutex<Vec<Analysis<Move>>> = Mutex::default();
        let listener = |progress: &Progress<'_>| heard.lock().unwrap().extend(progress.partial().cloned());
        let control = Control::new().time_limit(Duration::from_millis(450)).progress(&listener);
        let answer = player(Rules::Standard, kind).analyse(&Position::START, 3, &control);
        let mut heard = heard.into_inner().unwrap();
        assert!(heard.len() >= 2, "{kind:?}: {}", heard.len());
        heard.push(answer);
        assert!(heard.is_sorted_by_key(|analysis| analysis.nodes), "{kind:?}");
        assert!(heard.iter().all(|analysis| analysis.lines.len() == 3 && analysis.depth > 0), "{kind:?}");
    }
}

#[test]
fn a_limit_of_nodes_repeats_to_the_digit() {
    for kind in PLAYERS {
        let control = || Control::new().node_limit(100_000);
        let answers = [(); 2].map(|()| player(Rules::Open, kind).analyse(&Position::START, 5, &control()));
        assert_eq!(answers[0], answers[1]);
        assert!((90_000..=100_000).contains(&answers[0].nodes), "{}", answers[0].nodes);
    }
}

#[test]
fn a_weak_player_plays_by_its_seed() {
    let mut player = player(Rules::Standard, PLAYERS[0]);
    let moves: Vec<Move> = (0..12)
        .map(|seed| {
            let mut choose = || player.choose(&Position::START, 2, seed, &Control::new()).unwrap().unwrap();
            let mv = choose();
            assert_eq!(choose(), mv, "seed {seed}");
            mv
        })
        .collect();
    assert!(moves.iter().any(|mv| *mv != moves[0]), "different seeds differ somewhere: {moves:?}");
    for level in 1..STRONGEST {
        let control = Control::new();
        player.choose(&Position::START, level, 1, &control).unwrap();
        let nodes = Level::of(level).strength.unwrap().nodes;
        assert!((1..=nodes).contains(&control.nodes()), "level {level}");
    }
}

/// Games of the player against itself from random middle games and endgames. The solver knows the value of every move:
/// whatever the player says is certain is true; a position whose value it knows keeps its value; and it never plays a move
/// that it knows to lose in a position that is not lost.
fn never_gives_away<R: Rule>(kind: (SearchKind, Evaluation), games: u64) -> [u32; 3] {
    let game = Uttt::<R>::GAME;
    let rules = Rules::named(R::NAME).unwrap();
    let mut solver = Solver::new(rules, 32 << 20).unwrap();
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
        let mut player = player(rules, kind);
        while !game.is_over(&position) {
            let analysis = player.analyse(&position, 1, &Control::new().node_limit(nodes));
            let shown = format!("{kind:?} {} seed {seed}, {nodes} nodes: {position:?} {analysis:?}", R::NAME);
            let mv = analysis.best().unwrap();
            let next = game.play(&position, mv).unwrap();
            let best = solver.value(&position, &Control::new()).unwrap().outcome.unwrap();
            let played = solver.value(&next, &Control::new()).unwrap().outcome.unwrap().reversed();
            if let Some(outcome) = analysis.lines[0].value.outcome {
                assert_eq!(outcome, played, "what is certain is true: {shown}");
            }
            if let Some(outcome) = analysis.value.outcome {
                assert_eq!((outcome, played), (best, best), "a certain value is kept: {shown}");
                seen[outcome as usize] += 1;
            }
            if analysis.lines[0].value.outcome == Some(Outcome::Loss) {
                assert_eq!(best, Outcome::Loss, "no move known to lose while another might not: {shown}");
            }
            position = next;
        }
    }
    seen
}

#[test]
fn no_move_that_is_known_to_lose_when_another_is_not() {
    for kind in [PLAYERS[0], PLAYERS[1], PLAYERS[4], PLAYERS[6]] {
        for seen in [never_gives_away::<Standard>(kind, 60), never_gives_away::<CodinGame>(kind, 60)] {
            assert!(seen.iter().all(|&seen| seen > 20), "{kind:?} knew won, drawn and lost positions: {seen:?}");
        }
        never_gives_away::<Open>(kind, 20);
    }
}

/// The default player, on a thousand endings in all.
#[test]
fn the_default_player_gives_nothing_away() {
    for seen in [never_gives_away::<Standard>(PLAYERS[5], 500), never_gives_away::<CodinGame>(PLAYERS[5], 500)] {
        assert!(seen.iter().all(|&seen| seen > 100), "won, drawn and lost positions were known: {seen:?}");
    }
}

/// With two threads the solver works beside the search, and the answers are the same.
#[test]
fn two_threads_know_what_one_knows() {
    for kind in [PLAYERS[5], PLAYERS[0], PLAYERS[6]] {
        let mut player = player(Rules::Standard, kind);
        for lines in [1, 81] {
            let control = Control::new().threads(2).time_limit(Duration::from_secs(60));
            let analysis = player.analyse(&drawn(), lines, &control);
            assert_eq!((analysis.value.outcome, analysis.complete), (Some(Outcome::Draw), true), "{kind:?}");
            assert_eq!(analysis.best().map(|mv| mv.to_string()).as_deref(), Some("ig"), "{kind:?}");
            check_lines(&drawn(), &analysis);
        }
        // Neither the solver nor the search spends more than is there.
        let control = Control::new().threads(2).node_limit(20_000);
        let analysis = player.analyse(&hard(" D"), 1, &control);
        assert!(analysis.best().is_some() && control.nodes() <= 20_000, "{kind:?}: {}", control.nodes());
        // The flag of the call stops both.
        let flag = Arc::new(AtomicBool::new(true));
        let control = Control::new().threads(2).cancel(flag);
        assert!(player.analyse(&hard(" D"), 1, &control).best().is_some());
    }
}
