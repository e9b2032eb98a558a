//! The session of Ultimate Tic-Tac-Toe says what the rules and the engines say, and names what is wrong with a question.

use grid::Rng;
use grid::simd::Isa;
use ninefold_api::uttt::{
    MOST_PUZZLES, MovesQuestion, PuzzlesQuestion, Rules, Session, VerifyAnswer, check_puzzles, puzzles,
    shipped_puzzles, verify, verify_sealed,
};
use ninefold_api::{
    AnalyseQuestion, Analysis, Certainty, ChooseQuestion, Control, FaultKind, LegacyValue, Letter, Options, Outcome,
    PerftQuestion, PositionQuestion, Progress, STRONGEST, Session as _, SolveQuestion,
};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Drawn, four moves, one of which keeps the draw.
const DRAWN: &str =
    "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
/// A middle game of 41 empty squares that takes some ten thousand nodes.
const MIDDLE: &str =
    "X;..@OOXO..;...X.X.XO/O....OX.O/..O.X.X../.O.XOO.OO/O.OO..O../.X.XX.XX./X.OXXOOOO/O...XOX../.X.XX.X..";

fn session(rule: &str) -> Session {
    let mut session = Session::new(Isa::detect());
    session.set_base(&options(&[("rule", rule)])).unwrap();
    session
}

fn options(values: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    values.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    options
}

/// No limit but memory: small tables are made quickly.
fn control() -> Control<'static> {
    Control::new().memory_limit(16 << 20)
}

fn after(position: &str, mv: &str) -> PositionQuestion {
    let mut question = PositionQuestion::at(position);
    question.moves.push(mv.to_owned());
    question
}

/// The positions of a random game, as text.
fn random_game(session: &mut Session, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(grid::mix(seed));
    let mut game = vec![session.play(&PositionQuestion::default()).unwrap().start];
    loop {
        let position = game.last().unwrap().clone();
        let Some(mv) = rng.pick(session.look(&PositionQuestion::at(&position)).unwrap().moves.into_iter()) else {
            return game;
        };
        game.push(session.play(&after(&position, &mv.mv)).unwrap().view.position);
    }
}

#[test]
fn a_game_can_be_played_to_its_end_by_text_alone() {
    for rule in ["standard", "codingame", "open"] {
        let mut session = session(rule);
        for seed in 0..20 {
            let mut rng = Rng::new(grid::mix(seed));
            let mut moves: Vec<String> = Vec::new();
            loop {
                let mut question = PositionQuestion::default();
                question.moves.clone_from(&moves);
                let answer = session.play(&question).unwrap();
                let view = answer.view;
                assert_eq!(answer.played.len(), moves.len());
                assert_eq!(session.look(&PositionQuestion::at(&view.position)).unwrap(), view);
                let fen = view.fen.clone().unwrap();
                assert_eq!(session.look(&PositionQuestion::at(fen)).unwrap().board, view.board);
                assert_eq!(view.moves.is_empty(), view.result.is_some(), "{}", view.position);
                let Some(mv) = rng.pick(view.moves.iter()) else { break };
                let played = session.play(&after(&view.position, &mv.mv)).unwrap().played;
                assert_eq!((&played[0].mv, &played[0].label), (&mv.mv, &mv.label));
                moves.push(mv.mv.clone());
            }
            assert!(moves.len() >= 17);
        }
    }
}

#[test]
fn moves_are_written_in_both_notations_and_read_in_both() {
    let mut session = session("standard");
    let mut question = MovesQuestion::default();
    question.position = Some(DRAWN.to_owned());
    assert_eq!(session.moves(&question).unwrap().moves, ["if", "ig", "ih", "ii"]);
    question.algebraic = true;
    let algebraic = session.moves(&question).unwrap().moves;
    assert_eq!(algebraic, ["i2", "g1", "h1", "i1"]);
    for mv in algebraic {
        assert_eq!(session.play(&after(DRAWN, &mv)).unwrap().played.len(), 1);
    }
}

/// The value of a position and that of the position after its best move are the same thing seen from two sides.
#[test]
fn best_moves_keep_the_value() {
    for rule in ["standard", "codingame", "open"] {
        let mut session = session(rule);
        for position in random_game(&mut session, 7).iter().rev().take(12) {
            let mut question = SolveQuestion::at(position);
            (question.all_moves, question.line) = (true, true);
            let answer = session.solve(&question, &control()).unwrap();
            let view = session.look(&PositionQuestion::at(position)).unwrap();
            assert!(answer.complete && answer.certainty.is_certain() && answer.proved == Some(true), "{answer:?}");
            assert_eq!(answer.lines.len(), view.moves.len());
            let letter = answer.outcome.map(|outcome| LegacyValue::Letter(outcome.into()));
            assert_eq!(answer.value, letter);
            if let Some(result) = view.result {
                let sign = if view.mover == 1 { 1 } else { -1 };
                assert_eq!((answer.outcome, answer.best), (Some(Outcome::of(result * sign)), None));
                assert_eq!(answer.certainty, Certainty::Proved);
                continue;
            }
            assert_eq!(answer.best.as_ref(), answer.optimal.first());
            let mut end = PositionQuestion::at(position);
            end.moves.clone_from(&answer.lines[0].line);
            let end = session.look(&end).unwrap();
            let sign = if view.mover == 1 { 1 } else { -1 };
            assert_eq!(end.result.map(|result| Outcome::of(result * sign)), answer.outcome, "{position}");
            for line in &answer.lines {
                assert_eq!(answer.optimal.contains(&line.mv), line.outcome == answer.outcome, "{position}");
                let next = session.play(&after(position, &line.mv)).unwrap().view.position;
                let reply = session.solve(&SolveQuestion::at(next), &control()).unwrap();
                assert_eq!(line.outcome, reply.outcome.map(Outcome::reversed), "{position} {}", line.mv);
            }
            let chosen = session.choose(&ChooseQuestion::at(position), &control()).unwrap();
            assert!(answer.optimal.contains(&chosen.mv.unwrap()), "{position}");
        }
    }
}

#[test]
fn a_solution_has_the_fields_of_the_first_edition() {
    let mut session = session("standard");
    let answer = session.solve(&SolveQuestion::at(DRAWN), &control()).unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!((&json["value"], &json["proved"]), (&"D".into(), &true.into()));
    assert_eq!(json["optimal"], serde_json::json!(["ig"]));
    assert_eq!(json["certainty"]["kind"], "hashed");
    assert_eq!(serde_json::from_value::<Analysis>(json).unwrap(), answer);

    let stopped = session.solve(&SolveQuestion::at(MIDDLE), &control().node_limit(100)).unwrap();
    assert_eq!((stopped.proved, stopped.complete, stopped.nodes), (Some(false), false, 100));
    assert_eq!((stopped.outcome, stopped.value, stopped.best), (None, None, None));
}

#[test]
fn what_the_solver_knows_stays_until_the_rule_changes() {
    let mut session = session("standard");
    let mut nodes = |values: &[(&str, &str)]| {
        let mut question = SolveQuestion::at(MIDDLE);
        question.options = options(values);
        session.solve(&question, &control()).unwrap().nodes
    };
    let first = nodes(&[]);
    assert!(first > 1000);
    assert_eq!((nodes(&[]), nodes(&[("seed", "9")])), (0, 0));
    assert!(nodes(&[("rule", "open")]) > 1000);
    assert_eq!(nodes(&[]), first);
    assert_eq!(*session.base(), options(&[("rule", "standard")]), "a question's options are its own");
}

#[test]
fn a_weak_player_plays_by_its_seed() {
    let mut session = session("standard");
    let mut choose = |level: u32, seed: u64| {
        let mut question = ChooseQuestion::default();
        (question.level, question.seed) = (level, seed);
        session.choose(&question, &control()).unwrap().mv.unwrap()
    };
    let moves: Vec<String> = (0..12).map(|seed| choose(2, seed)).collect();
    assert_eq!(moves, (0..12).map(|seed| choose(2, seed)).collect::<Vec<_>>(), "the same seed, the same move");
    assert!(moves.iter().any(|mv| *mv != moves[0]), "different seeds differ somewhere: {moves:?}");
    let mut wrong = ChooseQuestion::default();
    wrong.level = STRONGEST + 1;
    assert_eq!(session.choose(&wrong, &control()).unwrap_err().field, "level");
}

#[test]
fn the_strongest_player_knows_the_opening_book() {
    for rule in ["standard", "codingame", "open"] {
        let mut session = session(rule);
        let mut chosen = |level: u32, book: bool, moves: &[&str]| {
            let mut question = ChooseQuestion::default();
            (question.level, question.book) = (level, book);
            question.moves = moves.iter().map(|&mv| mv.to_owned()).collect();
            session.choose(&question, &control().node_limit(200)).unwrap()
        };
        let has_book = rule != "open";
        let from_book = chosen(STRONGEST, true, &["ee"]);
        assert_eq!(from_book.book, has_book);
        assert!(!chosen(STRONGEST, false, &["ee"]).book && !chosen(STRONGEST - 1, true, &["ee"]).book);
        let (mut far, mut look) = (Vec::new(), PositionQuestion::default());
        for _ in 0..20 {
            far.push(session.look(&look).unwrap().moves[0].mv.clone());
            look.moves.clone_from(&far);
        }
        let mut question = ChooseQuestion::default();
        question.moves = far;
        assert!(!session.choose(&question, &control().node_limit(200)).unwrap().book, "far from the start");
        let mut asked = PositionQuestion::default();
        asked.moves = vec!["ee".to_owned()];
        let known = session.book(&asked).unwrap().map(|known| known.moves[0].mv.clone());
        assert_eq!(known.is_some(), has_book);
        assert!(known.is_none() || known == from_book.mv, "{known:?}");
        assert_eq!(session.book_move(&asked).unwrap(), known);
    }
}

/// None of these calls would end by itself for minutes.
#[test]
fn a_flag_raised_in_the_middle_ends_every_verb() {
    let mut session = session("standard");
    session.prepare(&control());
    let mut perft = PerftQuestion::default();
    perft.depth = 13;
    let flag = Arc::new(AtomicBool::new(false));
    let raise_during = |call: &mut dyn FnMut(&Control<'_>)| {
        flag.store(false, Relaxed);
        let raised = std::thread::scope(|scope| {
            let raiser = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                flag.store(true, Relaxed);
                Instant::now()
            });
            call(&control().cancel(flag.clone()));
            assert!(flag.load(Relaxed), "the call ended by itself");
            raiser.join().unwrap()
        });
        assert!(raised.elapsed() < Duration::from_secs(2), "{:?}", raised.elapsed());
    };
    raise_during(&mut |control| {
        let analysis = session.analyse(&AnalyseQuestion::default(), control).unwrap();
        assert!(analysis.best.is_some() && analysis.nodes > 1000 && !analysis.complete);
    });
    raise_during(&mut |control| {
        let solution = session.solve(&SolveQuestion::default(), control).unwrap();
        assert!(solution.nodes > 1000 && solution.proved == Some(false));
    });
    raise_during(&mut |control| {
        assert_eq!(session.perft(&perft, control).unwrap_err().kind, FaultKind::Stopped);
    });
    raise_during(&mut |control| {
        assert_eq!(session.certify(&SolveQuestion::default(), control).unwrap_err().kind, FaultKind::Stopped);
    });
    let mut searched = ChooseQuestion::default();
    searched.book = false;
    raise_during(&mut |control| {
        assert!(session.choose(&searched, control).unwrap().mv.is_some());
    });
}

#[test]
fn an_analysis_without_limits_takes_a_second_and_reports() {
    for (search, evaluation) in [("mcts", "playouts"), ("mcts", "handmade"), ("alphabeta", "handmade")] {
        let mut session = session("standard");
        session.set_base(&options(&[("search", search), ("evaluation", evaluation)])).unwrap();
        let heard: Mutex<Vec<Analysis>> = Mutex::default();
        let calls = AtomicU32::new(0);
        let listener = |progress: &Progress<'_>| {
            calls.fetch_add(1, Relaxed);
            heard.lock().unwrap().extend(progress.partial::<Analysis>().cloned());
        };
        let mut question = AnalyseQuestion::default();
        question.lines = Some(4);
        let answer = session.analyse(&question, &control().progress(&listener)).unwrap();
        assert!((0.9..5.0).contains(&answer.seconds), "{}", answer.seconds);
        let heard = heard.into_inner().unwrap();
        assert!(heard.len() >= 3 && calls.into_inner() >= 3, "{search}: {}", heard.len());
        for analysis in heard.iter().chain([&answer]) {
            assert_eq!((analysis.lines.len(), analysis.mover.as_str()), (4, "X"));
            assert_eq!(analysis.best.as_ref(), Some(&analysis.lines[0].mv));
            assert!(matches!(analysis.certainty, Certainty::Estimated { visits: 1.., .. }), "{analysis:?}");
        }
    }
}

#[test]
fn a_proof_is_written_and_checked_and_a_state_is_resumed() {
    let folder = std::env::temp_dir().join(format!("ninefold-api-uttt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (proof, state) = (folder.join("proof"), folder.join("state"));
    let mut first = session("codingame");
    assert_eq!(first.save(&state).unwrap_err().kind, FaultKind::Question);
    first.save_every(&state, Duration::from_secs(60));
    let question = SolveQuestion::at(MIDDLE);
    let solution = first.solve(&question, &control()).unwrap();
    let certificate = first.certify(&question, &control()).unwrap();
    first.certify_file(&question, &proof, &control()).unwrap();
    let verify_file = |path: &Path| verify_sealed(path, &std::fs::read(path).unwrap(), &control());
    let verified: VerifyAnswer = verify_file(&proof).unwrap();
    assert_eq!((verified.position.as_str(), verified.rule.as_str()), (MIDDLE, "codingame"));
    assert_eq!((Some(verified.outcome), verified.certainty), (solution.outcome, Certainty::Certified));
    assert_eq!((verified.value, verified.verified), (Letter::from(verified.outcome), true));
    assert_eq!(verify(&certificate.body, &control()).unwrap(), verified);
    let few = control().node_limit(100);
    let stopped = verify(&certificate.body, &few).unwrap_err();
    assert_eq!(stopped.kind, FaultKind::Stopped, "{stopped}");
    let damaged = verify(&certificate.body[..certificate.body.len() - 1], &control()).unwrap_err();
    assert_eq!((damaged.kind, damaged.field.as_str()), (FaultKind::File, ""));

    first.save(&state).unwrap();
    assert_eq!(verify_file(&state).unwrap_err().kind, FaultKind::File);
    let mut second = session("codingame");
    second.resume(&state, &control()).unwrap();
    let again = second.solve(&question, &control()).unwrap();
    assert_eq!((again.outcome, again.optimal), (solution.outcome, solution.optimal));
    assert!(again.nodes * 10 < solution.nodes, "{} of {}", again.nodes, solution.nodes);
    assert_eq!(session("open").resume(&state, &control()).unwrap_err().kind, FaultKind::File);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_is_named() {
    let mut session = session("standard");
    let start = session.play(&PositionQuestion::default()).unwrap().start;
    for text in ["", "nonsense", "\u{0}", "........", &start[1..], &format!("{start}x"), "X;é"] {
        assert_eq!(session.look(&PositionQuestion::at(text)).unwrap_err().field, "position", "{text}");
        let fault = session.analyse(&AnalyseQuestion::at(text), &control()).unwrap_err();
        assert_eq!((fault.field.as_str(), fault.kind), ("position", FaultKind::Question));
    }
    for mv in ["", "zz", "9@9", "aaaaaaaa", "é", "4x4", "ba"] {
        let mut question = PositionQuestion::default();
        question.moves = vec!["ea".to_owned(), mv.to_owned()];
        let fault = session.play(&question).unwrap_err();
        assert_eq!(fault.field, "moves[1]", "{mv}: {fault}");
    }
}

#[test]
fn wrong_options_are_named_and_change_nothing() {
    let mut session = session("open");
    for setting in session.settings() {
        let mut same = session.base().clone();
        same.set(&setting.name, &setting.value).unwrap();
        session.set_base(&same).unwrap();
    }
    for name in ["rule", "search", "evaluation", "size"] {
        let fault = session.set_base(&options(&[(name, "no such thing")])).unwrap_err();
        assert_eq!(fault.field, format!("options.{name}"), "{fault}");
        assert_eq!(session.base().rule.as_deref(), Some("open"));
    }
    let short = Control::new().memory_limit(usize::MAX / 2);
    let fault = session.solve(&SolveQuestion::default(), &short).unwrap_err();
    assert_eq!((fault.field.as_str(), fault.kind), ("limits.memory_mib", FaultKind::Memory));
    assert!(serde_json::from_str::<MovesQuestion>(r#"{"algebra": true}"#).is_err());
}

#[test]
fn leaves_are_counted() {
    let mut session = session("standard");
    let mut count = |position: Option<&str>, depth: u32| {
        let mut question = PerftQuestion::default();
        (question.position, question.depth) = (position.map(str::to_owned), depth);
        let answer = session.perft(&question, &control()).unwrap();
        if depth > 0 {
            assert_eq!(answer.moves.iter().map(|mv| mv.leaves).sum::<u64>(), answer.leaves);
        }
        answer.leaves
    };
    assert_eq!([0, 1, 2, 3].map(|depth| count(None, depth)), [1, 81, 720, 6336]);
    // Deeper than one call of the kernel.
    assert_eq!(count(None, 8), 281_067_408);
    let over = "O;XXXO.O...;XXX....../XXX....../XXX....../OOO....../........./OOO....../........./........./.........";
    let mut lenient = Session::new(Isa::detect()).accepting(engine::uttt::Accept::Playable);
    let mut perft = PerftQuestion::at(over);
    assert_eq!(lenient.perft(&perft, &control()).unwrap().leaves, 1);
    perft.depth = 3;
    assert_eq!(lenient.perft(&perft, &control()).unwrap().leaves, 0);
    assert_eq!(lenient.analyse(&AnalyseQuestion::at(over), &control()).unwrap().outcome, Some(Outcome::Loss));
}

#[test]
fn the_value_alone_takes_less() {
    for rule in ["standard", "codingame", "open"] {
        let whole = session(rule).solve(&SolveQuestion::at(MIDDLE), &control()).unwrap();
        let mut question = SolveQuestion::at(MIDDLE);
        question.value_only = true;
        let value = session(rule).solve(&question, &control()).unwrap();
        assert_eq!((value.outcome, value.value, value.complete), (whole.outcome, whole.value, true), "{rule}");
        // All moves of a lost position lose: there is nothing more to prove.
        let takes_less = value.nodes < whole.nodes || whole.outcome == Some(Outcome::Loss);
        assert!(value.lines.is_empty() && value.best.is_none() && takes_less, "{rule}: {value:?}");
        let stopped = session(rule).solve(&question, &control().node_limit(50)).unwrap();
        assert_eq!((stopped.outcome, stopped.complete, stopped.proved), (None, false, Some(false)), "{rule}");
        for both in [|it: &mut SolveQuestion| it.line = true, |it: &mut SolveQuestion| it.all_moves = true] {
            let mut question = question.clone();
            both(&mut question);
            assert_eq!(session(rule).solve(&question, &control()).unwrap_err().field, "value_only");
        }
    }
}

#[test]
fn puzzles_are_made_as_asked() {
    let isa = Isa::detect();
    let mut question = PuzzlesQuestion::default();
    (question.count, question.seed) = (4, 9);
    let answer = puzzles(&question, isa, &control()).unwrap();
    assert_eq!((answer.puzzles.len(), answer.complete), (4, true));
    let text: String = answer.puzzles.iter().map(|puzzle| format!("{}\n", puzzle.text)).collect();
    assert_eq!(check_puzzles(Rules::Standard, &text, isa, &control()), Ok(4));
    let cut_short = puzzles(&question, isa, &control().node_limit(200)).unwrap();
    assert_eq!((cut_short.puzzles.len(), cut_short.complete), (0, false));
    let fault = |change: fn(&mut PuzzlesQuestion)| {
        let mut question = PuzzlesQuestion::default();
        change(&mut question);
        puzzles(&question, isa, &control()).unwrap_err().field
    };
    assert_eq!(fault(|question| question.count = 0), "count");
    assert_eq!(fault(|question| question.count = MOST_PUZZLES + 1), "count");
    assert_eq!(fault(|question| question.options.rule = Some("chess".to_owned())), "options.rule");
    assert_eq!(fault(|question| question.options.size = Some("3x3".to_owned())), "options.size");
    assert_eq!(shipped_puzzles().puzzles.len(), 500);
}
