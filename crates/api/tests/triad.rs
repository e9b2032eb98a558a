//! The session of Triple Triad answers what the rules and the solver say, and names the field of every fault.

use engine::triad::Solver;
use engine::triad::cards::Book;
use grid::simd::Isa;
use grid::{Game, Rng, mix};
use ninefold_api::triad::{
    CardRef, CardsQuestion, DealQuestion, Lines, MoveText, NpcsQuestion, ReplayQuestion, Session as TriadSession,
    SolveDealQuestion, SolveWanted, cards, deal, npcs, position_text, read_games, read_position, replay, rules,
    solve_many,
};
use ninefold_api::{
    AnalyseQuestion, Analysis, BoardView, Certainty, ChooseQuestion, Control, ExplainQuestion, FaultKind, LegacyValue,
    Options, Outcome, PerftQuestion, PositionQuestion, Progress, Session, SolveQuestion, Stop, View,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;
use triad::{Deal, Edition, Position, Rule};

const RULES: [(&str, &str); 5] =
    [("ff8", "-"), ("ff8", "same,plus,elemental"), ("ff14", "reverse,ascension"), ("ff14", "order"), ("ff14", "chaos")];

fn options(edition: &str, rules: &str, seed: u64) -> Options {
    let mut options = Options::default();
    options.set("edition", edition).unwrap();
    options.set("rules", rules).unwrap();
    options.set("seed", &seed.to_string()).unwrap();
    options
}

fn session(edition: &str, rules: &str, seed: u64) -> TriadSession {
    let mut session = TriadSession::new(Isa::detect());
    session.set_base(&options(edition, rules, seed)).unwrap();
    session
}

fn look(session: &mut TriadSession, position: &str) -> View {
    session.look(&PositionQuestion::at(position)).unwrap()
}

fn analyse(session: &mut TriadSession, position: &str, lines: Option<usize>) -> Analysis {
    let mut question = AnalyseQuestion::at(position);
    question.lines = lines;
    session.analyse(&question, &Control::new()).unwrap()
}

/// The principal variation of the best move.
fn line(analysis: &Analysis) -> Vec<String> {
    analysis.lines.first().map_or_else(Vec::new, |line| line.line.clone())
}

/// The positions of a random game, from the first to the last.
fn random_game(session: &mut TriadSession, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(mix(seed));
    let mut history = vec![session.look(&PositionQuestion::default()).unwrap().position];
    while let Some(mv) = rng.pick(look(session, history.last().unwrap()).moves.into_iter()) {
        let mut question = PositionQuestion::at(history.last().unwrap());
        question.moves = vec![mv.mv];
        history.push(session.play(&question).unwrap().view.position);
    }
    history
}

/// An answer is the same after a way through JSON.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    assert_eq!(&serde_json::from_str::<T>(&serde_json::to_string(value).unwrap()).unwrap(), value);
}

fn owner(board: &BoardView, cell: usize) -> Option<u32> {
    let BoardView::Triad { cells, cards, .. } = board else { panic!("a board of Triple Triad") };
    cells[cell].map(|card| cards[usize::from(card)].owner)
}

#[test]
fn a_game_can_be_played_to_its_end_by_text_alone() {
    for (number, (edition, rules)) in RULES.into_iter().enumerate() {
        let mut session = session(edition, rules, 3);
        for game in 0..10 {
            let mut rng = Rng::new(mix(number as u64 * 100 + game));
            let mut view = session.look(&PositionQuestion::default()).unwrap();
            let (start, mut moves) = (view.position.clone(), Vec::new());
            loop {
                round_trip(&view);
                assert_eq!(look(&mut session, &view.position), view, "a position reads as it is written");
                assert_eq!(view.moves.is_empty(), view.result.is_some());
                let Some(mv) = rng.pick(view.moves.iter()) else { break };
                assert!(!mv.mv.contains(char::is_whitespace));
                let mut explain = ExplainQuestion::default();
                (explain.position, explain.mv) = (Some(view.position.clone()), mv.mv.clone());
                let played = session.explain(&explain).unwrap();
                assert_eq!((&played.mv, &played.label), (&mv.mv, &mv.label));
                explain.mv.clone_from(&mv.label);
                assert_eq!(session.explain(&explain).unwrap(), played, "a label reads like the move");
                let after = look(&mut session, &played.position);
                for flip in &played.flips {
                    assert_ne!(owner(&view.board, flip.cell), owner(&after.board, flip.cell));
                }
                moves.push(mv.mv.clone());
                view = after;
            }
            assert_eq!(moves.len(), 9);
            // The whole game at once.
            let mut question = PositionQuestion::default();
            question.moves = moves;
            let answer = session.play(&question).unwrap();
            assert_eq!((answer.start, answer.played.len()), (start, 9));
            assert_eq!(answer.view, view);
        }
    }
}

#[test]
fn analyse_gives_the_values_of_the_solver() {
    let mut solver = Solver::default();
    for seed in 0..15 {
        let (edition, rules) = RULES[seed as usize % 4];
        let mut session = session(edition, rules, seed);
        let history = random_game(&mut session, seed);
        // From the start only once for each rule mix: that takes as long as all the others.
        let first = if seed < 4 { 0 } else { 2 };
        for text in &history[first..] {
            let (game, position) = read_position(text, &[]).unwrap();
            let analysis = analyse(&mut session, text, None);
            round_trip(&analysis);
            assert!(analysis.complete && analysis.certainty == Certainty::Proved, "{text}");
            check_values(&mut solver, &game.deal, &position, &analysis);
            // One move alone is the first of all.
            let one = analyse(&mut session, text, Some(1));
            assert_eq!((&one.best, one.margin), (&analysis.best, analysis.margin));
            assert!(one.lines.len() <= 1 && one.nodes <= analysis.nodes + 10, "{} {}", one.nodes, analysis.nodes);
            assert_eq!(line(&one).len(), position.free().len());
        }
    }
}

/// Each value is that of the solver, and the moves are sorted by margin, then in the order of the rules.
fn check_values(solver: &mut Solver, deal: &Deal, position: &Position, analysis: &Analysis) {
    let mut margin = |position: &Position| {
        let cards = solver.value(deal, position, &Control::new()).unwrap();
        f64::from(2 * cards as i32 - 10)
    };
    assert_eq!(analysis.margin, Some(margin(position)), "{}", analysis.position);
    assert_eq!(analysis.outcome, analysis.margin.map(|margin| Outcome::of(margin as i32)));
    let moves: Vec<_> = deal.moves(position).collect();
    assert_eq!(analysis.lines.len(), moves.len());
    let mut last = None;
    for line in &analysis.lines {
        let order = moves.iter().position(|mv| mv.to_string() == line.mv).unwrap();
        assert_eq!(line.margin, Some(-margin(&deal.play_unchecked(position, moves[order]))), "{}", line.mv);
        assert_eq!(line.outcome.map(Outcome::score), Some(line.score));
        let key = (-line.margin.unwrap() as i32, order);
        assert!(last < Some(key), "{}", analysis.position);
        last = Some(key);
    }
    let best = analysis.lines.iter().filter(|line| line.margin == analysis.margin).map(|line| &line.mv);
    assert!(analysis.optimal.iter().eq(best));
    if let Some(first) = analysis.lines.first() {
        assert_eq!((Some(&first.mv), first.line.len()), (analysis.best.as_ref(), position.free().len()));
    }
}

#[test]
fn solve_keeps_the_fields_of_the_first_edition() {
    for (edition, rules) in [("ff8", "same,plus"), ("ff14", "descension")] {
        let mut session = session(edition, rules, 5);
        for text in &random_game(&mut session, 5)[3..] {
            let whole = analyse(&mut session, text, None);
            let mut question = SolveQuestion::at(text);
            question.line = true;
            let solved = session.solve(&question, &Control::new()).unwrap();
            round_trip(&solved);
            assert_eq!((solved.margin, &solved.optimal, &solved.best), (whole.margin, &whole.optimal, &whole.best));
            assert_eq!((line(&solved).len(), solved.first_moves.is_none()), (line(&whole).len(), true));
            assert_eq!(solved.lines.len(), solved.optimal.len());
            let of_a = if solved.mover == "a" { solved.margin } else { solved.margin.map(|margin| -margin) }.unwrap();
            assert_eq!(solved.value, Some(LegacyValue::Cards((of_a as i32 + 10) as u32 / 2)));
            assert_eq!(solved.result, Some(Outcome::of(of_a as i32)));
            (question.all_moves, question.line) = (true, false);
            let all = session.solve(&question, &Control::new()).unwrap();
            assert_eq!(all.lines.len(), whole.lines.len());
            let listed = all.first_moves.unwrap().iter().flatten().flatten().count();
            assert_eq!(listed, whole.lines.len());
            assert!(all.lines.iter().all(|line| line.line.len() == 1));
        }
    }
}

#[test]
fn replays_decide_draws_and_their_best_moves() {
    let mut session = session("ff14", "order,sudden-death", 1);
    let mut changed = 0;
    for seed in 0..8 {
        let history = random_game(&mut session, seed);
        for text in [&history[4], &history[7]] {
            let mut question = SolveQuestion::at(text);
            (question.all_moves, question.line, question.replays) = (true, true, Some(1));
            let solved = session.solve(&question, &Control::new().threads(2)).unwrap();
            round_trip(&solved);
            let outcome = solved.sudden_death.unwrap();
            if solved.outcome != Some(Outcome::Draw) {
                assert_eq!(Some(outcome), solved.outcome, "replays decide only draws");
            }
            changed += u32::from(Some(outcome) != solved.outcome);
            assert_eq!(solved.optimal.first(), solved.best.as_ref());
            assert_eq!(solved.lines[0].mv, solved.optimal[0]);
            assert_eq!(solved.lines.len(), look(&mut session, text).moves.len());
            question.all_moves = false;
            let best = session.solve(&question, &Control::new()).unwrap();
            assert_eq!((&best.optimal, best.lines.len()), (&solved.optimal, solved.optimal.len()));
        }
    }
    assert!(changed > 0, "replays change nothing");
    let end = random_game(&mut session, 1).pop().unwrap();
    let mut question = SolveQuestion::at(&end);
    question.replays = Some(1);
    let solved = session.solve(&question, &Control::new().threads(2)).unwrap();
    assert!(solved.complete && solved.lines.is_empty() && solved.sudden_death.is_some());
}

#[test]
fn chaos_is_chances_near_the_end_and_an_estimate_before() {
    let mut session = session("ff14", "chaos", 4);
    let history = random_game(&mut session, 4);
    let early = analyse(&mut session, &history[0], None);
    assert!(!early.complete && early.lines.len() == 45 && early.outcome.is_none() && early.optimal.is_empty());
    assert!(matches!(early.certainty, Certainty::Estimated { error: 1.0, .. }));
    let late = analyse(&mut session, &history[5], None);
    assert!(late.complete && late.certainty == Certainty::Proved && late.chances.is_some());
    assert!(late.lines.iter().all(|line| line.chances.is_some() && line.certainty == Certainty::Proved));
    assert!(late.optimal.contains(late.best.as_ref().unwrap()));
    let cards: BTreeSet<_> = late.optimal.iter().map(|mv| mv.split('@').next().unwrap()).collect();
    assert_eq!(cards.len(), 3, "the best cells of each of the three cards: {:?}", late.optimal);
    let solved = session.solve(&SolveQuestion::at(&history[5]), &Control::new()).unwrap();
    assert_eq!((solved.chances, &solved.optimal), (late.chances, &late.optimal));
    assert_eq!((solved.value, solved.result), (None, None));
}

#[test]
fn a_finished_position_is_not_an_error() {
    for (edition, rules) in RULES {
        let mut session = session(edition, rules, 2);
        let end = random_game(&mut session, 2).pop().unwrap();
        let view = look(&mut session, &end);
        let sign = if view.mover == 1 { 1 } else { -1 };
        let analysis = analyse(&mut session, &end, None);
        assert!(analysis.complete && analysis.lines.is_empty() && analysis.best.is_none());
        if rules != "chaos" {
            assert_eq!(analysis.outcome, view.result.map(|result| Outcome::of(result * sign)));
        }
        assert_eq!(analysis.margin.map(|margin| (margin as i32).signum()), view.result.map(|result| result * sign));
        assert_eq!(session.choose(&ChooseQuestion::at(&end), &Control::new()).unwrap().mv, None);
        for depth in [0, 1, 5] {
            let mut question = PerftQuestion::at(&end);
            question.depth = depth;
            let answer = session.perft(&question, &Control::new()).unwrap();
            assert_eq!((answer.leaves, answer.moves.len()), (u64::from(depth == 0), 0));
        }
    }
}

#[test]
fn leaves_are_counted() {
    let counts = |edition, rules| -> Vec<u64> {
        let mut session = session(edition, rules, 1);
        let count = |depth| {
            let mut question = PerftQuestion::default();
            question.depth = depth;
            let answer = session.perft(&question, &Control::new()).unwrap();
            assert_eq!(answer.leaves, answer.moves.iter().map(|mv| mv.leaves).sum::<u64>().max(u64::from(depth == 0)));
            answer.leaves
        };
        (0..4).map(count).collect()
    };
    assert_eq!(counts("ff8", "-"), [1, 45, 45 * 40, 45 * 40 * 28]);
    assert_eq!(counts("ff14", "order"), [1, 9, 72, 504]);
    let mut question = PerftQuestion::default();
    question.depth = 9;
    let fault = session("ff8", "-", 1).perft(&question, &Control::new().node_limit(1000)).unwrap_err();
    assert_eq!((fault.kind, fault.message), (FaultKind::Stopped, Stop::Nodes.to_string()));
}

#[test]
fn a_weaker_player_errs_by_its_seed() {
    let mut session = session("ff8", "same,plus", 1);
    let position = random_game(&mut session, 1)[3].clone();
    let legal: Vec<String> = look(&mut session, &position).moves.into_iter().map(|mv| mv.mv).collect();
    let mut choose = |level, seed| {
        let mut question = ChooseQuestion::at(&position);
        (question.level, question.seed) = (level, seed);
        session.choose(&question, &Control::new()).unwrap().mv.unwrap()
    };
    let (mut weak, mut strong) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..30 {
        let mv = choose(2, seed);
        assert!(legal.contains(&mv));
        assert_eq!(choose(2, seed), mv, "the same seed gives the same move");
        weak.insert(mv);
        strong.insert(choose(10, seed));
    }
    assert!(weak.len() > 3, "different seeds give different moves");
    assert_eq!(strong.len(), 1, "full strength does not depend on the seed");
    assert_eq!(strong.pop_first(), analyse(&mut session, &position, None).best);
}

/// Raises the cancel flag in the middle of a call.
fn cancelled<R>(call: impl FnOnce(&Control<'_>) -> R) -> R {
    oracle::cancel::cancelled("the call", Duration::from_millis(15), |flag| call(&Control::new().cancel(flag)))
}

#[test]
fn a_raised_flag_stops_a_long_call_and_leaves_a_move() {
    let mut slow = session("ff14", "ascension,same,plus", 1);
    let analysis = cancelled(|control| slow.analyse(&AnalyseQuestion::default(), control)).unwrap();
    assert!(!analysis.complete && analysis.best.is_some());
    let chosen = cancelled(|control| slow.choose(&ChooseQuestion::default(), control)).unwrap();
    assert!(chosen.mv.is_some());
    let mut chaos = session("ff14", "chaos", 1);
    let analysis = cancelled(|control| chaos.solve(&SolveQuestion::default(), control)).unwrap();
    assert!(!analysis.complete && analysis.lines.iter().all(|line| line.margin.is_some()), "only finished moves");
    let mut question = SolveQuestion::default();
    question.replays = Some(5);
    let fault = cancelled(|control| slow.solve(&question, control)).unwrap_err();
    assert_eq!((fault.kind, fault.field.as_str()), (FaultKind::Stopped, ""));
}

#[test]
fn a_listener_hears_partial_answers_as_text() {
    let heard = Mutex::new(Vec::new());
    let listener = |progress: &Progress<'_>| {
        if let Some(partial) = progress.partial::<Analysis>() {
            heard.lock().unwrap().push(partial.clone());
        }
    };
    let control = Control::new().progress(&listener);
    let mut session = session("ff14", "ascension,same,plus", 1);
    let whole = session.analyse(&AnalyseQuestion::default(), &control).unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(!heard.is_empty());
    for partial in &heard {
        assert!(!partial.complete && partial.position == whole.position && !partial.lines.is_empty());
        for line in &partial.lines {
            let known = whole.lines.iter().find(|known| known.mv == line.mv).unwrap();
            assert_eq!((&line.label, line.margin), (&known.label, known.margin));
        }
    }
}

fn hand(names: [&str; 5]) -> Vec<CardRef> {
    names.map(|name| CardRef::Text(name.to_owned())).to_vec()
}

fn squalls() -> DealQuestion {
    let mut question = DealQuestion::default();
    question.hand_a = hand(["Squall", "Ifrit", "Shiva", "Zell", "#12"]);
    question.hand_b = hand(["Geezard", "Geezard", "8A32", "Rinoa", "Seifer"]);
    question
}

fn text(player: &str, card: &str, cell: u32) -> MoveText {
    MoveText { player: player.to_owned(), card: CardRef::Text(card.to_owned()), cell }
}

#[test]
fn faults_of_a_position_name_their_field() {
    let mut session = session("ff8", "-", 1);
    let start = session.look(&PositionQuestion::default()).unwrap().position;
    for wrong in ["", "nonsense", "\u{0}", "........", &start[1..], &format!("{start}x"), "X;é"] {
        let fault = session.look(&PositionQuestion::at(wrong)).unwrap_err();
        assert_eq!((fault.field.as_str(), fault.kind), ("position", FaultKind::Question), "{wrong}");
        assert_eq!(session.analyse(&AnalyseQuestion::at(wrong), &Control::new()).unwrap_err(), fault);
        assert_eq!(session.solve(&SolveQuestion::at(wrong), &Control::new()).unwrap_err(), fault);
        assert_eq!(session.perft(&PerftQuestion::at(wrong), &Control::new()).unwrap_err(), fault);
        assert_eq!(session.choose(&ChooseQuestion::at(wrong), &Control::new()).unwrap_err(), fault);
    }
    for wrong in ["", "zz", "9@9", "a:Nobody@3", "aaaaaaaa", "é", "4x4"] {
        let mut question = PositionQuestion::default();
        question.moves = vec!["0@0".to_owned(), wrong.to_owned()];
        assert_eq!(session.play(&question).unwrap_err().field, "moves[1]", "{wrong}");
        let mut question = ExplainQuestion::default();
        question.mv = wrong.to_owned();
        assert_eq!(session.explain(&question).unwrap_err().field, "move", "{wrong}");
    }
    let set = |name: &str, value: &str| {
        let mut options = Options::default();
        options.set(name, value).map(|()| options)
    };
    for (name, value) in [("edition", "ff9"), ("rules", "reverse"), ("rules", "nonsense"), ("rule", "open")] {
        let options = set(name, value).unwrap();
        let fault = session.set_base(&options).unwrap_err();
        assert_eq!(fault.field, format!("options.{name}"));
        let mut question = PositionQuestion::default();
        question.options = options;
        assert_eq!(session.look(&question).unwrap_err(), fault);
    }
    assert_eq!(session.look(&PositionQuestion::default()).unwrap().position, start, "a refused option changes nothing");
    assert_eq!(set("seed", "x").unwrap_err().field, "options.seed");
    let mut question = ChooseQuestion::default();
    question.level = 11;
    assert_eq!(session.choose(&question, &Control::new()).unwrap_err().field, "level");
    // Luck in the replays: the field is the one that asked for them.
    let mut question = SolveQuestion::default();
    question.options = options("ff8", "elemental", 1);
    question.replays = Some(2);
    assert_eq!(session.solve(&question, &Control::new()).unwrap_err().field, "replays");
    question.options = options("ff8", "elemental,sudden-death", 1);
    question.replays = None;
    assert_eq!(session.solve(&question, &Control::new()).unwrap_err().field, "options.rules");
}

#[test]
fn a_question_may_choose_another_game_than_the_session() {
    let mut session = session("ff8", "elemental", 1);
    let mut question = PositionQuestion::default();
    question.options.set("edition", "ff14").unwrap();
    let view = session.look(&question).unwrap();
    assert!(view.position.starts_with("ff14 - "), "{}", view.position);
    assert!(session.look(&PositionQuestion::default()).unwrap().position.starts_with("ff8 elemental "));
}

#[test]
fn faults_of_a_deal_name_their_field() {
    let good = squalls();
    assert_eq!(deal(&good, None).unwrap().ply, 0);
    let mut cases: Vec<(DealQuestion, &str, &str)> = Vec::new();
    let mut case = |field, part, change: &dyn Fn(&mut DealQuestion)| {
        let mut question = good.clone();
        change(&mut question);
        cases.push((question, field, part));
    };
    case("game", "no game is called \"ff9\"", &|q| q.game = Some("ff9".into()));
    case("rules", "no rule is called \"samewall\"", &|q| q.rules = vec!["samewall".into()]);
    case("rules", "reverse is not a rule of ff8", &|q| q.rules = vec!["reverse".into()]);
    case("hand_a", "hand a: no card of ff8 is called \"Sqall\"; did you mean Squall?", &|q| {
        q.hand_a[0] = CardRef::Text("Sqall".into());
    });
    case("hand_b", "hand b: a hand has five cards; this one has 4", &|q| q.hand_b.truncate(4));
    case("hand_b", "no card of ff8 has the number #110", &|q| q.hand_b[0] = CardRef::Number(110));
    case("hand_a", "Squall is in the hand twice", &|q| q.hand_a[1] = CardRef::Text("squall".into()));
    case("hand_a", "1 is no type of this game", &|q| {
        q.hand_a[1] = CardRef::Printed { sides: [1, 2, 3, 4], element: 0, kind: 1 };
    });
    case("cell_elements", "there are nine cells", &|q| q.cell_elements = Some(vec![0; 8]));
    case("cell_elements", "no element has the mask 3", &|q| q.cell_elements = Some(vec![3; 9]));
    case("cell_elements", "the rule elemental is off", &|q| q.cell_elements = Some(vec![1; 9]));
    case("first", "no player is called \"c\"", &|q| q.first = Some("c".into()));
    case("moves[0]", "no player is called \"c\"", &|q| q.moves = vec![text("c", "Squall", 4)]);
    case("moves[1]", "move 2: cell 4 is occupied: Squall lies there", &|q| {
        q.moves = vec![text("a", "Squall", 4), text("b", "Rinoa", 4)];
    });
    case("moves[0]", "Rinoa is not in the hand of a", &|q| q.moves = vec![text("a", "Rinoa", 4)]);
    case("moves[0]", "there is no cell 9", &|q| q.moves = vec![text("a", "Squall", 9)]);
    case("moves[1]", "it is the other player's turn", &|q| {
        q.moves = vec![text("a", "Squall", 4), text("a", "Zell", 5)];
    });
    case("moves[2]", "move 3: Squall of a was played already", &|q| {
        q.moves = vec![text("a", "Squall", 4), text("b", "Rinoa", 5), text("a", "Squall", 6)];
    });
    case("moves[0]", "a hand has the places 0 to 4", &|q| {
        q.moves = vec![MoveText { player: "a".into(), card: CardRef::Number(5), cell: 0 }];
    });
    for (question, field, part) in cases {
        let fault = deal(&question, None).unwrap_err();
        assert_eq!((fault.field.as_str(), fault.kind), (field, FaultKind::Question), "{fault}");
        assert!(fault.message.contains(part), "{fault}");
        let mut nested = ReplayQuestion::default();
        nested.deal = question;
        assert_eq!(replay(&nested, None).unwrap_err().field, format!("deal.{field}"));
    }
    // A second copy of a card has a name of its own.
    let mut question = squalls();
    question.first = Some("b".into());
    let labels: Vec<String> = deal(&question, None).unwrap().moves.into_iter().map(|mv| mv.label).collect();
    assert!(labels.contains(&"b:Geezard@0".to_owned()) && labels.contains(&"b:Geezard (2)@0".to_owned()));
    assert_eq!(deal(&squalls(), Some(Book::built_in(Edition::Ff14))).unwrap_err().field, "game");
}

#[test]
fn questions_refuse_unknown_fields_and_cards_of_other_forms() {
    let good = serde_json::to_value(squalls()).unwrap();
    assert_eq!(serde_json::from_value::<DealQuestion>(good.clone()).unwrap(), squalls());
    let mut wrong = good.clone();
    wrong["rule"] = json!(["same"]);
    assert!(serde_json::from_value::<DealQuestion>(wrong).is_err());
    for (card, is_card) in [
        (json!(0), true),
        (json!("geezard"), true),
        (json!({"sides": [8, 10, 3, 2], "element": 1}), true),
        (json!({"sides": [8, 10, 3, 2], "colour": 1}), false),
        (json!({"sides": [8, 10, 3]}), false),
        (json!(null), false),
        (json!(1.5), false),
    ] {
        assert_eq!(serde_json::from_value::<CardRef>(card.clone()).is_ok(), is_card, "{card}");
    }
    let book = Book::built_in(Edition::Ff8);
    let printed = |sides, element| CardRef::Printed { sides, element, kind: 0 };
    let named = CardRef::Text("8A32f".into());
    assert_eq!(printed([8, 10, 3, 2], 1).resolve(book).unwrap(), named.resolve(book).unwrap());
    for (card, part) in [
        (printed([8, 11, 3, 2], 0), "side 2 of [8, 11, 3, 2]"),
        (printed([8, 1, 3, 0], 0), "side 4"),
        (printed([8, 1, 3, 2], 3), "3 is no element"),
    ] {
        assert!(card.resolve(book).unwrap_err().to_string().contains(part));
    }
    let file = json!({"about": "", "games": [good]}).to_string();
    assert_eq!(read_games(&file).unwrap(), [squalls()]);
    let fault = read_games(&file.replace("\"rules\"", "\"rule\"")).unwrap_err();
    assert!(
        fault.message.contains("there is no field `rule`; did you mean `rules`?") && fault.message.contains("line 1"),
        "{fault}"
    );
}

fn data(name: &str) -> (Vec<DealQuestion>, serde_json::Value) {
    let path = format!("{}/../../oracle/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    (read_games(&text).unwrap(), serde_json::from_str(&text).unwrap())
}

#[test]
fn solved_deals_have_their_recorded_values() {
    let (games, known) = data("triad_solved_deals.json");
    let games: Vec<_> = games.iter().map(|game| game.read(None).unwrap()).step_by(8).collect();
    let known: Vec<_> = known["games"].as_array().unwrap().iter().step_by(8).collect();
    let solve = |moves, control: &Control<'_>| {
        let mut answers = Vec::new();
        let wanted = SolveWanted { moves, line: false, replays: None };
        let each = |answer| {
            answers.push(answer);
            true
        };
        let result = solve_many(Isa::detect(), &games, wanted, control, each);
        (answers, result)
    };
    let (values, result) = solve(Lines::None, &Control::new().threads(2));
    let (moves, _) = solve(Lines::All, &Control::new().threads(2));
    assert_eq!((values.len(), moves.len(), result), (known.len(), known.len(), Ok(())));
    for ((value, all), known) in values.iter().zip(&moves).zip(known) {
        assert_eq!(serde_json::to_value(value.value).unwrap(), known["value"]);
        assert_eq!(serde_json::to_value(&all.first_moves).unwrap(), known["first_moves"]);
        assert!(value.lines.is_empty() && value.first_moves.is_none() && value.complete && value.nodes > 0);
        assert_eq!((all.value, all.result), (value.value, value.result));
    }
    // The limit falls in the middle: the first answers are the same, then the fault says why it stopped.
    let (first, result) = solve(Lines::None, &Control::new().node_limit(300_000));
    assert_eq!(result.unwrap_err().kind, FaultKind::Stopped);
    assert!(!first.is_empty() && first.iter().zip(&values).all(|(one, other)| one.value == other.value));
    assert!(first.iter().zip(&values).all(|(one, other)| one.nodes == other.nodes));
}

#[test]
fn many_games_of_all_kinds_come_back_in_their_order() {
    let mut games = Vec::new();
    for (number, rules) in ["-", "chaos", "plus", "order,sudden-death", "same"].into_iter().enumerate() {
        let mut session = session("ff14", rules, number as u64);
        games.push(read_position(&random_game(&mut session, 1)[5], &[]).unwrap());
    }
    let wanted = SolveWanted { moves: Lines::Optimal, line: true, replays: None };
    for threads in [1, 2] {
        let mut answers = Vec::new();
        let each = |answer| {
            answers.push(answer);
            true
        };
        solve_many(Isa::detect(), &games, wanted, &Control::new().threads(threads), each).unwrap();
        assert_eq!(answers.len(), games.len());
        for (answer, (game, position)) in answers.iter().zip(&games) {
            let mut session = TriadSession::new(Isa::detect());
            let alone = session.solve_position(game, position, wanted, &Control::new()).unwrap();
            assert_eq!((&answer.position, &answer.lines), (&alone.position, &alone.lines));
            assert_eq!(answer.sudden_death.is_some(), game.deal.setup().rules.has(Rule::SuddenDeath));
        }
    }
    let mut session = session("ff8", "elemental", 1);
    games.push(read_position(&random_game(&mut session, 1)[5], &[]).unwrap());
    let wanted = SolveWanted { replays: Some(1), ..wanted };
    let fault = solve_many(Isa::detect(), &games[5..], wanted, &Control::new(), |_| true).unwrap_err();
    assert_eq!(fault.field, "games[0]");
}

#[test]
fn a_deal_is_solved_like_its_position() {
    let mut question = SolveDealQuestion::default();
    question.deal = squalls();
    question.deal.moves = vec![text("a", "Squall", 4), text("b", "Rinoa", 0)];
    let mut session = TriadSession::new(Isa::detect());
    let solved = session.solve_deal(&question, None, &Control::new()).unwrap();
    let position = deal(&question.deal, None).unwrap().position;
    let again = session.solve(&SolveQuestion::at(&position), &Control::new()).unwrap();
    assert_eq!((solved.position, solved.optimal, solved.value), (again.position, again.optimal, again.value));
    question.deal.rules = vec!["elemental".into(), "sudden-death".into()];
    assert_eq!(session.solve_deal(&question, None, &Control::new()).unwrap_err().field, "deal.rules");
    question.deal.hand_a.clear();
    assert_eq!(session.solve_deal(&question, None, &Control::new()).unwrap_err().field, "deal.hand_a");
}

#[test]
fn recorded_games_replay_to_their_owners() {
    let (games, known) = data("triad_replays.json");
    for (game, known) in games.iter().zip(known["games"].as_array().unwrap()).step_by(7) {
        let mut question = ReplayQuestion::default();
        (question.deal, question.explain) = (game.clone(), true);
        let answer = replay(&question, None).unwrap();
        round_trip(&answer);
        assert_eq!(serde_json::to_value(&answer.owners_after_each_move).unwrap(), known["owners_after_each_move"]);
        assert_eq!(answer.moves.unwrap().len(), game.moves.len());
        question.explain = false;
        assert_eq!(replay(&question, None).unwrap().moves, None);
    }
}

#[test]
fn lists_of_cards_opponents_and_rules() {
    let ask = |game: Option<&str>, query: &str, most| {
        let mut question = CardsQuestion::default();
        (question.game, question.query, question.most) = (game.map(str::to_owned), query.to_owned(), most);
        cards(&question, None)
    };
    let squall = &ask(None, "squall", None).unwrap().cards[0];
    round_trip(squall);
    let wanted = concat!(
        r#"{"game":"ff8","id":109,"name":"Squall","level":10,"sides":[10,4,6,9],"#,
        r#""text":"A469","ai_power":116,"match":"exact"}"#
    );
    assert_eq!(serde_json::to_string(squall).unwrap(), wanted);
    assert_eq!(ask(Some("ff14"), "", Some(7)).unwrap().cards.len(), 7);
    assert_eq!(ask(Some("ff9"), "", None).unwrap_err().field, "game");
    assert_eq!(ask(None, "8032", None).unwrap_err().field, "query");
    let own = "ninefold-cards 1\ngame: ff8\nadds-to: built-in\n\nid,name,sides,element\n900,My Chocobo,8A32,Fire\n";
    let own = Book::read(own, "own cards").unwrap();
    let mut question = CardsQuestion::default();
    question.query = "my chocobo".to_owned();
    assert_eq!(cards(&question, Some(&own)).unwrap().cards[0].id, 900);
    let mut with_own = squalls();
    with_own.hand_a[0] = CardRef::Text("My Chocobo".into());
    assert!(deal(&with_own, None).is_err() && deal(&with_own, Some(&own)).is_ok());

    let mut question = NpcsQuestion::default();
    question.query = "baderon".to_owned();
    let found = npcs(&question, None, None).unwrap();
    round_trip(&found);
    assert_eq!((found.npcs[0].name.as_str(), found.npcs[0].hands), ("Baderon", 10));
    question.game = Some("ff8".to_owned());
    assert_eq!(npcs(&question, None, None).unwrap_err().field, "game");

    let rules = rules();
    round_trip(&rules);
    assert_eq!(rules.rules.len(), Rule::all().count());
    let combo = rules.rules.iter().find(|rule| rule.name == "combo").unwrap();
    assert!(combo.switch && combo.games == ["ff8", "ff14"] && combo.on == ["ff8", "ff14"]);
}

#[test]
fn given_cards_keep_their_names() {
    let book = Book::built_in(Edition::Ff14);
    // Two cards of the list have the same sides: the second gets its own name only if it is given.
    let twin = |at: usize| book.cards()[at + 1..].iter().find(|other| other.card == book.cards()[at].card);
    let other = (0..book.cards().len()).find_map(twin).unwrap();
    let mut question = DealQuestion::default();
    question.game = Some("ff14".to_owned());
    question.hand_a = [other.id, 1, 2, 3, 4].map(CardRef::Number).to_vec();
    question.hand_b = [5, 6, 7, 8, 9].map(CardRef::Number).to_vec();
    let (game, position) = question.read(None).unwrap();
    let text = position_text(&game, &position);
    let mut session = TriadSession::new(Isa::detect());
    let first = |session: &mut TriadSession| match look(session, &text).board {
        BoardView::Triad { cards, .. } => cards[0].name.clone(),
        _ => panic!("a board of Triple Triad"),
    };
    assert_ne!(first(&mut session), other.name);
    session.name_by(&game.cards);
    assert_eq!(first(&mut session), other.name);
}
