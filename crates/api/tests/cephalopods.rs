//! The front door of Cephalopods against the naive models, the vectors and the solver.

use grid::Rng;
use grid::simd::Isa;
use ninefold_api::cephalopods::{
    BundleQuestion, Contest, CountAnswer, CountQuestion, EngineName, HeatAnswer, HeatQuestion, MovesQuestion, Session,
    SumAnswer, SumQuestion,
};
use ninefold_api::{
    AnalyseQuestion, Analysis, BoardView, Certainty, ChooseQuestion, Control, Fault, FaultKind, LegacyValue, Outcome,
    PerftQuestion, PositionQuestion, Progress, Session as _, SolveQuestion,
};
use oracle::cephalopods::{self as naive, vectors};
use oracle::laws::Model;
use oracle::rectangle::Rectangle;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A question with some fields changed.
fn with<T>(mut question: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut question);
    question
}

fn session(rule: &str, size: &str) -> Session {
    let mut session = Session::new(Isa::detect());
    let options = with(session.base().clone(), |options| {
        (options.rule, options.size) = (Some(rule.into()), Some(size.into()));
    });
    session.set_base(&options).unwrap();
    session
}

fn sum(board: &str, depth: u32) -> SumQuestion {
    with(SumQuestion::default(), |question| (question.board, question.depth) = (board.to_owned(), depth))
}

fn perft(text: &str, depth: u32) -> PerftQuestion {
    with(PerftQuestion::at(text), |question| question.depth = depth)
}

/// Random games by the naive model: the session agrees about every position and move.
fn against_model<M: Model>(rule: &str, size: &str, seed: u64, games: u32) {
    let (mut session, mut rng) = (session(rule, size), Rng::new(seed));
    let columns: usize = size.split_once('x').unwrap().1.parse().unwrap();
    let name = |cell: usize| match size {
        "3x3" => cell.to_string(),
        _ => format!("{}{}", char::from(b'a' + (cell % columns) as u8), cell / columns + 1),
    };
    for _ in 0..games {
        let start = session.look(&PositionQuestion::default()).unwrap();
        let (mut model, mut played) = (M::read(&start.position), Vec::new());
        loop {
            let question = with(PositionQuestion::default(), |question| question.moves.clone_from(&played));
            let answer = session.play(&question).unwrap();
            assert_eq!((&answer.start, answer.played.len()), (&start.position, played.len()));
            let view = answer.view;
            assert_eq!((&view.position, view.result), (&model.write(), model.result()), "seed {seed}");
            let mut texts: Vec<String> = view.moves.iter().map(|mv| mv.mv.clone()).collect();
            let mut expected = model.moves();
            texts.sort();
            expected.sort();
            assert_eq!(texts, expected, "seed {seed}: {}", view.position);
            let BoardView::Cephalopods { dice, .. } = &view.board else { panic!("another game") };
            let symbols = view.position.split(':').next().unwrap().replace('/', "");
            assert_eq!(symbols.len(), dice.len());
            for (symbol, die) in symbols.bytes().zip(dice) {
                let expected = match symbol {
                    b'1'..=b'6' => Some((1, symbol - b'0')),
                    b'a'..=b'f' => Some((2, symbol - b'a' + 1)),
                    _ => None,
                };
                assert_eq!(die.map(|die| (die.owner, die.pips)), expected);
            }
            for mv in &view.moves {
                let captured: String = mv.captures.iter().map(|&cell| name(cell)).collect();
                let cross = if captured.is_empty() { "" } else { "x" };
                assert_eq!(mv.mv, format!("{}{cross}{captured}", name(mv.cell)));
            }
            if let Some(last) = answer.played.last() {
                assert_eq!(last.position, view.position);
                let (_, captured) = last.mv.split_once('x').unwrap_or((&last.mv, ""));
                assert_eq!(last.flips.iter().map(|flip| name(flip.cell)).collect::<String>(), captured);
                assert!(last.flips.iter().all(|flip| flip.cause.starts_with("captured: ")));
            }
            let Some(mv) = rng.pick(view.moves.into_iter()) else { break };
            model = model.play(&mv.mv);
            played.push(mv.mv);
        }
    }
}

#[test]
fn look_and_play_are_those_of_the_naive_models() {
    against_model::<naive::Duel<0>>("majority", "3x3", 1, 4);
    against_model::<naive::Duel<1>>("sixes", "3x3", 2, 4);
    against_model::<Rectangle<3, 5, 0>>("majority", "3x5", 3, 3);
    against_model::<Rectangle<2, 4, 2>>("misere", "2x4", 4, 4);
}

/// Any position of 3x3 with at least 25 pips and B to move: as text, and for the naive model.
fn any_position(rng: &mut Rng) -> (String, naive::Board, [bool; 9]) {
    loop {
        let cells: naive::Board = std::array::from_fn(|_| rng.below(7) as u8);
        if cells.iter().map(|&pips| u32::from(pips)).sum::<u32>() < 25 {
            continue;
        }
        let first: [bool; 9] = std::array::from_fn(|_| rng.below(2) == 0);
        let symbol = |cell: usize| match (cells[cell], first[cell]) {
            (0, _) => '.',
            (pips, true) => char::from(b'0' + pips),
            (pips, false) => char::from(b'a' + pips - 1),
        };
        let text: String = (0..9).map(symbol).collect();
        let mine = std::array::from_fn(|cell| cells[cell] > 0 && !first[cell]);
        return (format!("{text}:B"), cells, mine);
    }
}

fn placement_text(mv: &naive::Placement) -> String {
    let captured: String = mv.captured.iter().map(usize::to_string).collect();
    if captured.is_empty() { mv.cell.to_string() } else { format!("{}x{captured}", mv.cell) }
}

#[test]
fn analyse_and_solve_are_plain_negamax() {
    for (rule, aim) in
        [("majority", naive::Aim::Majority), ("sixes", naive::Aim::Sixes), ("misere", naive::Aim::Misere)]
    {
        let (mut session, mut rng, mut seen) = (session(rule, "3x3"), Rng::new(5), HashMap::new());
        for _ in 0..60 {
            let (text, cells, mine) = any_position(&mut rng);
            let expected = Outcome::of(naive::negamax(aim, &cells, &mine, &mut seen));
            let analysis = session.analyse(&AnalyseQuestion::at(&text), &Control::new()).unwrap();
            assert_eq!((analysis.outcome, analysis.certainty), (Some(expected), Certainty::Proved), "{rule} {text}");
            assert!(analysis.complete && analysis.mover == "B" && analysis.position == text);
            let placements = naive::moves(&cells);
            assert_eq!(analysis.lines.len(), placements.len());
            for line in &analysis.lines {
                let placement = placements.iter().find(|mv| placement_text(mv) == line.mv).expect("a legal move");
                let mut theirs: [bool; 9] = std::array::from_fn(|cell| placement.after[cell] > 0 && !mine[cell]);
                theirs[placement.cell] = false;
                let value = Outcome::of(-naive::negamax(aim, &placement.after, &theirs, &mut seen));
                assert_eq!(line.outcome, Some(value), "{rule} {text} {}", line.mv);
                assert_eq!(line.line[0], line.mv);
                assert_eq!(analysis.optimal.contains(&line.mv), value == expected);
            }
            let all = with(SolveQuestion::at(&text), |question| (question.all_moves, question.line) = (true, true));
            let solved = session.solve(&all, &Control::new()).unwrap();
            assert_eq!(solved.value, Some(LegacyValue::Score(expected.score())));
            assert_eq!((&solved.lines, &solved.optimal), (&analysis.lines, &analysis.optimal));
            let short = session.solve(&SolveQuestion::at(&text), &Control::new()).unwrap();
            assert!(short.lines.iter().all(|line| short.optimal.contains(&line.mv) && line.line.len() == 1));
            assert_eq!(short.lines.len(), short.optimal.len());
            let one = with(AnalyseQuestion::at(&text), |question| question.lines = Some(1));
            let one = session.analyse(&one, &Control::new()).unwrap();
            assert_eq!((one.lines.len(), &one.best), (analysis.lines.len().min(1), &analysis.best));
            let chosen = session.choose(&ChooseQuestion::at(&text), &Control::new()).unwrap();
            assert_eq!(chosen.mv, analysis.best);
        }
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_moves() {
    for (size, text) in [("3x3", "666ff6fff:B"), ("2x2", "6f/ff:B")] {
        let mut session = session("majority", size);
        let analysis = session.analyse(&AnalyseQuestion::at(text), &Control::new()).unwrap();
        assert_eq!((analysis.outcome, analysis.lines.len(), analysis.best), (Some(Outcome::Win), 0, None), "{size}");
        assert!(analysis.complete);
        let solved = session.solve(&SolveQuestion::at(text), &Control::new()).unwrap();
        assert_eq!(solved.value, Some(LegacyValue::Score(1.0)));
        assert_eq!(session.choose(&ChooseQuestion::at(text), &Control::new()).unwrap().mv, None);
        let view = session.look(&PositionQuestion::at(text)).unwrap();
        assert_eq!((view.result, view.moves.len(), view.status.as_str()), (Some(-1), 0, "B has won"));
        for (depth, leaves) in [(0, 1), (1, 0), (5, 0)] {
            assert_eq!(session.perft(&perft(text, depth), &Control::new()).unwrap().leaves, leaves);
        }
    }
}

fn naive_perft<M: Model>(model: &M, depth: u32) -> u64 {
    if depth == 0 { 1 } else { model.moves().iter().map(|mv| naive_perft(&model.play(mv), depth - 1)).sum() }
}

#[test]
fn perft_counts_what_the_naive_models_count() {
    let check = |size: &str, text: &str, expected: &dyn Fn(u32) -> u64| {
        let mut session = session("majority", size);
        for depth in 0..4 {
            let answer = session.perft(&perft(text, depth), &Control::new()).unwrap();
            assert_eq!(answer.leaves, expected(depth), "{size} {depth}");
            let below: u64 = answer.moves.iter().map(|mv| mv.leaves).sum();
            assert_eq!(below, if depth == 0 { 0 } else { answer.leaves });
        }
        let stopped = session.perft(&perft(text, 6), &Control::new().node_limit(9));
        assert_eq!(stopped.unwrap_err().kind, FaultKind::Stopped);
    };
    let (three, five) = ("1.a.3..5.:B", "1..../.a.../.....:A");
    check("3x3", three, &|depth| naive_perft(&naive::Duel::<0>::read(three), depth));
    check("3x5", five, &|depth| naive_perft(&Rectangle::<3, 5, 0>::read(five), depth));
}

#[test]
fn searches_say_how_sure_they_are_and_report_on_the_way() {
    let mut session = session("majority", "3x5");
    let heard = Mutex::new(Vec::new());
    let hear = |progress: &Progress<'_>| heard.lock().unwrap().extend(progress.partial::<Analysis>().cloned());
    let control = Control::new().time_limit(Duration::from_millis(600)).progress(&hear);
    let analysis = session.analyse(&AnalyseQuestion::default(), &control).unwrap();
    assert!(matches!(analysis.certainty, Certainty::Estimated { visits, error } if visits > 100 && error < 0.1));
    assert!(!analysis.complete && analysis.optimal.is_empty() && analysis.lines.len() == 15);
    let partial = heard.into_inner().unwrap();
    assert!(partial.len() >= 2, "{}", partial.len());
    assert!(partial.iter().all(|partial| partial.position == analysis.position && partial.lines.len() == 15));
    assert!(partial.is_sorted_by_key(|partial| partial.nodes));

    // An ending: alpha-beta proves it up to hash collisions.
    let solved = session.solve(&SolveQuestion::at("16a6f/f6666/ffff.:A"), &Control::new()).unwrap();
    assert!(matches!(solved.certainty, Certainty::Hashed { error } if error < 1e-6), "{solved:?}");
    assert!(solved.complete && solved.outcome.is_some());
    // The iterations of alpha-beta are heard.
    let heard = AtomicU64::new(0);
    let hear = |progress: &Progress<'_>| {
        heard.fetch_add(u64::from(progress.partial::<Analysis>().is_some()), Relaxed);
    };
    let control = Control::new().depth_limit(4).progress(&hear);
    let deep = session.analyse(&AnalyseQuestion::default(), &control).unwrap();
    assert_eq!(deep.depth, 4);
    assert!(heard.into_inner() > 0);
    // Without any limit an analysis takes a second.
    let control = Control::new();
    session.analyse(&AnalyseQuestion::default(), &control).unwrap();
    assert!(control.elapsed() >= Duration::from_millis(900), "{:?}", control.elapsed());
}

/// The kind and field of a fault.
fn fault<T>(result: Result<T, Fault>) -> (FaultKind, String) {
    let fault = result.err().expect("a fault");
    assert!(!fault.message.is_empty());
    (fault.kind, fault.field)
}

fn wrong(field: &str) -> (FaultKind, String) {
    (FaultKind::Question, field.to_owned())
}

#[test]
fn faults_of_a_session_name_their_field() {
    let mut session = session("majority", "3x3");
    let control = Control::new();
    assert_eq!(fault(session.look(&PositionQuestion::at("x........:A"))), wrong("position"));
    let played = with(PositionQuestion::default(), |question| {
        question.moves = ["4", "1", "1"].map(str::to_owned).to_vec();
    });
    assert_eq!(fault(session.play(&played)), wrong("moves[2]"));
    let analyse = with(AnalyseQuestion::default(), |question| question.moves.push("9".into()));
    assert_eq!(fault(session.analyse(&analyse, &control)), wrong("moves[0]"));
    for (name, value) in [("rule", "chess"), ("size", "9x9"), ("size", "3"), ("size", "0x3"), ("edition", "ff8")] {
        let question = with(PositionQuestion::default(), |question| question.options.set(name, value).unwrap());
        assert_eq!(fault(session.look(&question)), wrong(&format!("options.{name}")), "{value}");
        assert_eq!(fault(session.set_base(&question.options)), wrong(&format!("options.{name}")), "{value}");
    }
    let settings = session.settings();
    let values: Vec<&str> = settings.iter().map(|setting| setting.value.as_str()).collect();
    assert_eq!(values, ["majority", "3x3", "1"], "the old options stay");
    let replays = with(SolveQuestion::default(), |question| question.replays = Some(1));
    assert_eq!(fault(session.solve(&replays, &control)), wrong("replays"));
    let level = with(ChooseQuestion::default(), |question| question.level = 11);
    assert_eq!(fault(session.choose(&level, &control)), wrong("level"));
    let large = with(AnalyseQuestion::default(), |question| question.options.set("size", "5x5").unwrap());
    let memory = session.analyse(&large, &Control::new().node_limit(5).memory_limit(usize::MAX / 4));
    assert_eq!(fault(memory), (FaultKind::Memory, "limits.memory_mib".to_owned()));
}

#[test]
fn faults_of_the_contest_name_their_field() {
    let (mut contest, control) = (Contest::new(Isa::detect()), Control::new());
    assert_eq!(fault(contest.sum(&sum("05100040", 3), &control)), wrong("board"));
    assert_eq!(fault(contest.sum(&sum("051000407", 3), &control)), wrong("board"));
    let two = [sum("051000401", 3), sum("", 3)];
    assert_eq!(fault(contest.sums(&two, EngineName::Cache, &control)), wrong("[1].board"));
    let table = with(sum("051000401", 3), |question| question.engine = EngineName::Table);
    assert_eq!(fault(contest.sum(&table, &control)), wrong("engine"));
    assert_eq!(fault(contest.moves(&MovesQuestion::default())), wrong("board"));
    let count = with(CountQuestion::default(), |question| {
        (question.board, question.finals) = ("000000000".into(), 100_001);
    });
    assert_eq!(fault(contest.count(&count, &control)), wrong("finals"));
    let heat = |change: fn(&mut HeatQuestion)| with(HeatQuestion::default(), change);
    for (question, name) in [
        (heat(|question| question.last_rank = 49), "last_rank"),
        (heat(|question| question.depths = vec![62]), "depths"),
        (heat(|question| question.boards = 0), "boards"),
    ] {
        assert_eq!(fault(contest.heat(&question, &control)), wrong(name));
    }
    for (rank, min_depth, name) in [(49, 20, "rank"), (20, 40, "rank"), (5, 41, "min_depth"), (6, 1, "min_depth")] {
        let question =
            with(BundleQuestion::default(), |question| (question.rank, question.min_depth) = (rank, min_depth));
        assert_eq!(fault(contest.bundle(&question, &control)), wrong(name));
    }
    let missing = std::path::Path::new("no such folder/table");
    assert_eq!(fault(contest.open_table(missing)).0, FaultKind::File);
    assert_eq!(fault(contest.build_table(missing, Some(&[40, 49]), &control)), wrong("ranks"));
    assert_eq!(fault(contest.build_table(missing, Some(&[48]), &control)).0, FaultKind::File);
    let empty = std::env::temp_dir().join(format!("ninefold-api-empty-{}", std::process::id()));
    assert_eq!(fault(contest.build_table(&empty, Some(&[]), &control)), wrong("ranks"));
    assert!(!empty.exists());
    for text in [
        r#"{"board":"000000000"}"#,
        r#"{"board":"000000000","depth":3,"deep":1}"#,
        r#"{"board":"000000000","depth":3,"engine":"table"}"#,
    ] {
        assert!(serde_json::from_str::<SumQuestion>(text).is_err(), "{text}");
    }
}

#[test]
fn sums_and_counts_are_those_of_the_vectors() {
    let mut contest = Contest::new(Isa::detect());
    let official = vectors::load().official_public_tests;
    let folder = std::env::temp_dir().join(format!("ninefold-api-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("table");
    let built = contest.build_table(&path, Some(&[40, 44]), &Control::new().threads(2)).unwrap();
    assert_eq!((built.ranks.as_slice(), built.bytes), (&[40, 44][..], std::fs::metadata(&path).unwrap().len()));
    assert_eq!(contest.open_table(&path).unwrap(), built);
    assert_eq!(contest.verify_table(&path, &Control::new()).unwrap(), built);
    let questions: Vec<_> = official.iter().map(|vector| sum(&vector.board, vector.depth)).collect();
    let sums: Vec<u32> = official.iter().map(|vector| vector.expected).collect();
    for engine in [EngineName::Scratch, EngineName::Cache, EngineName::Table] {
        let answers = contest.sums(&questions, engine, &Control::new()).unwrap();
        assert_eq!(answers.iter().map(|answer| answer.sum).collect::<Vec<_>>(), sums);
        let question = with(questions[0].clone(), |question| question.engine = engine);
        let answer = contest.sum(&question, &Control::new()).unwrap();
        assert!(answer.sum == sums[0] && answer.ms.is_some_and(|ms| ms >= 0.0));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn answers_are_json_both_ways() {
    let mut contest = Contest::new(Isa::detect());
    let answer = contest.sum(&sum("051000401", 20), &Control::new()).unwrap();
    // The last digit of a time may differ.
    let same = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let back: SumAnswer = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
    assert!(same(back.ms.unwrap(), answer.ms.unwrap()));
    let untimed = with(answer, |answer| answer.ms = None);
    let text = serde_json::to_string(&untimed).unwrap();
    assert_eq!(serde_json::from_str::<SumAnswer>(&text).unwrap(), untimed);
    assert_eq!(text, r#"{"board":"051000401","depth":20,"sum":738691369}"#);
    let count: CountQuestion = serde_json::from_str(r#"{"board":"000000000","depth":40,"finals":3}"#).unwrap();
    let counted = contest.count(&count, &Control::new()).unwrap();
    assert!(counted.games > u128::from(u64::MAX) && counted.finals.len() == 3);
    let text = serde_json::to_string(&counted).unwrap();
    assert_eq!(serde_json::from_str::<CountAnswer>(&text).unwrap(), counted);
    let scratch = contest.sum(&sum("000000000", 40), &Control::new()).unwrap();
    assert_eq!(counted.sum_modulo, scratch.sum);
    let moves = contest.moves(&serde_json::from_str(r#"{"board":"600012300"}"#).unwrap()).unwrap();
    let expected = naive::moves(&[6, 0, 0, 0, 1, 2, 3, 0, 0]);
    assert_eq!(moves.moves.len(), expected.len());
    for (step, placement) in moves.moves.iter().zip(&expected) {
        assert_eq!(step.mv, placement_text(placement));
        assert_eq!(step.after, placement.after.map(|digit| digit.to_string()).concat());
    }
    let heat: HeatQuestion = serde_json::from_str(r#"{"last_rank":2,"depths":[1,9],"boards":2}"#).unwrap();
    let heat = contest.heat(&heat, &Control::new()).unwrap();
    assert!(heat.engine == "scratch" && heat.ms.len() == 3 && heat.ms.iter().all(|row| row.len() == 2));
    let back: HeatAnswer = serde_json::from_str(&serde_json::to_string(&heat).unwrap()).unwrap();
    assert_eq!((&back.engine, &back.plan), (&heat.engine, &heat.plan));
    assert!(back.ms.iter().flatten().zip(heat.ms.iter().flatten()).all(|(&a, &b)| same(a, b)));
}

/// Raises the flag of a call after 60 ms; the call must then end soon.
fn cancelled<T>(name: &str, call: impl FnOnce(&Control<'_>) -> Result<T, Fault>) -> Option<T> {
    let result = oracle::cancel::cancelled(name, Duration::from_millis(60), |flag| call(&Control::new().cancel(flag)));
    result.map_err(|fault| assert_eq!(fault.kind, FaultKind::Stopped, "{name}: {fault}")).ok()
}

#[test]
fn a_raised_flag_ends_every_verb() {
    let mut three = session("sixes", "3x3");
    let stopped = cancelled("3x3", |control| three.analyse(&AnalyseQuestion::default(), control)).unwrap();
    assert!(!stopped.complete && stopped.best.is_some() && stopped.outcome.is_none());
    let mut five = session("majority", "5x5");
    cancelled("5x5", |control| five.analyse(&AnalyseQuestion::default(), control)).unwrap();
    cancelled("5x5 proof", |control| five.solve(&SolveQuestion::default(), control)).unwrap();
    let deep = with(PerftQuestion::default(), |question| question.depth = 30);
    cancelled("perft", |control| five.perft(&deep, control));
    let mut contest = Contest::new(Isa::detect());
    let count = with(CountQuestion::default(), |question| {
        (question.board, question.depth) = ("000000000".into(), 61);
    });
    cancelled("count", |control| contest.count(&count, control));
    cancelled("bundle", |control| contest.bundle(&BundleQuestion::default(), control));
    let hard = with(sum("000010110", 40), |question| question.engine = EngineName::Cache);
    cancelled("sum by the cache", |control| contest.sum(&hard, control));
    let heat = with(HeatQuestion::default(), |question| {
        (question.last_rank, question.depths) = (18, (6..=40).collect());
    });
    cancelled("heat", |control| contest.heat(&heat, control));
}
