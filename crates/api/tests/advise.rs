//! The front door of the adviser: questions as people and programs write them, answers with every legal move.

use api::triad::{AdviseAnswer, AdviseQuestion, DealQuestion, Lines, advise};
use engine::triad::Solver;
use engine::{Control, Outcome};
use ninefold_api as api;
use serde_json::{Value, json};

const HAND: [&str; 5] = ["Zeromus", "#269", "Roundrox", "Tioman", "#93"];

fn ask(question: &Value) -> Result<AdviseAnswer, api::Fault> {
    let question: AdviseQuestion = serde_json::from_value(question.clone()).unwrap();
    advise(&question, None, None, None, &Control::new().threads(2))
}

/// A game of five cards played, with what is told in `with`.
fn late(with: Value) -> Value {
    let mut question = json!({
        "hand": HAND,
        "opponent": {"npc": "Flichoirel"},
        "first": "me",
        "moves": ["me:Tioman@2", "opponent:Vidofnir@4", "me:Roundrox@0", "opponent:Byblos@1", "me:Zeromus@8", "opponent:Griffin@7"],
    });
    question.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
    question
}

#[test]
fn every_legal_move_is_in_the_answer_and_names_its_card_as_the_question_did() {
    let answer = ask(&late(json!({}))).unwrap();
    // Byblos and Griffin are two of the three variable cards: three hands are left.
    assert_eq!((answer.worlds, answer.turn.as_str(), answer.moves.len(), answer.complete), (3, "me", 6, true));
    let mut moves: Vec<&str> = answer.moves.iter().map(|mv| mv.mv.as_str()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["#269@3", "#269@5", "#269@6", "#93@3", "#93@5", "#93@6"]);
    assert_eq!(answer.best.as_deref(), Some(answer.moves[0].mv.as_str()));
    for mv in &answer.moves {
        let measures = mv.measures;
        let random = measures.random.unwrap();
        assert!(measures.at_most.is_none() && random.exact && random.error.is_none());
        assert!((random.win + random.draw + random.loss - 1.0).abs() < 1e-9);
        assert!(measures.guaranteed.win <= measures.guaranteed.not_lose && measures.guaranteed.not_lose <= 3);
        assert_eq!(measures.certain == Outcome::Win, measures.guaranteed.win == 3);
        assert_eq!(measures.certain >= Outcome::Draw, measures.guaranteed.not_lose == 3);
    }
    let text = serde_json::to_value(&answer).unwrap();
    let first = &text["moves"][0];
    assert!(first["move"].is_string() && first["certain"].is_string() && first["guaranteed"]["win"].is_number());
    assert!(first["random"]["exact"] == true && first.get("at_most").is_none(), "{first}");
}

#[test]
fn the_three_ways_to_name_an_opponent_agree() {
    let by_name = ask(&late(json!({}))).unwrap();
    let (fixed, variable) =
        (["Nael van Darnus", "Vidofnir"], ["Byblos", "Behemoth", "Griffin", "Haurchefant", "Godbert Manderville"]);
    let drawn = ask(&late(json!({"opponent": {"fixed": fixed, "variable": variable}}))).unwrap();
    let mut hands = Vec::new();
    for one in 0..5 {
        for two in one + 1..5 {
            for three in two + 1..5 {
                hands.push([fixed[0], fixed[1], variable[one], variable[two], variable[three]]);
            }
        }
    }
    let listed = ask(&late(json!({"opponent": {"hands": hands}}))).unwrap();
    assert_eq!(by_name.moves, drawn.moves);
    assert_eq!(by_name.moves, listed.moves);
}

#[test]
fn one_possible_hand_is_the_open_game() {
    let hand = ["Nael van Darnus", "Vidofnir", "Byblos", "Griffin", "Behemoth"];
    let hidden = ask(&late(json!({"opponent": {"hands": [hand]}}))).unwrap();
    let told = ask(&late(json!({"seen": ["Behemoth"]}))).unwrap();
    assert_eq!(hidden.moves, told.moves, "seeing the last card leaves one hand");
    let open = json!({
        "game": "ff14", "hand_a": HAND, "hand_b": hand,
        "moves": [
            {"player": "a", "card": "Tioman", "cell": 2}, {"player": "b", "card": "Vidofnir", "cell": 4},
            {"player": "a", "card": "Roundrox", "cell": 0}, {"player": "b", "card": "Byblos", "cell": 1},
            {"player": "a", "card": "Zeromus", "cell": 8}, {"player": "b", "card": "Griffin", "cell": 7},
        ],
    });
    let open: DealQuestion = serde_json::from_value(open).unwrap();
    let (game, position) = open.read(None).unwrap();
    let analysis = Solver::default().analyse(&game.deal, &position, Lines::All, &Control::new());
    for line in &analysis.lines {
        let name = format!("{}@{}", HAND[usize::from(line.mv.card())], line.mv.cell().index());
        let advised = hidden.moves.iter().find(|mv| mv.mv == name).unwrap();
        assert_eq!(Some(advised.measures.certain), line.value.outcome, "{name}");
    }
}

#[test]
fn what_luck_did_before_the_game_must_be_told() {
    let fault = |with: Value| {
        let fault = ask(&late(with)).unwrap_err();
        format!("{}: {}", fault.field, fault.message)
    };
    assert_eq!(fault(json!({"rules": ["swap"]})), "swap: Swap is in force: say which card you gave and which you got");
    assert_eq!(fault(json!({"rules": ["roulette"]})), "roulette: say which rule Roulette brought, 1 in all; 0 given");
    assert!(ask(&late(json!({"rules": ["roulette"], "roulette": ["plus"]}))).is_ok());
    assert_eq!(fault(json!({"roulette": ["plus"]})), "roulette: roulette is not in force, so it brought no rule");
    assert!(fault(json!({"rules": ["roulette"], "roulette": ["pluss"]})).starts_with("roulette: "));
    // Behemoth came to me and Zeromus went to him: the hands without Behemoth are excluded.
    let swapped = json!({
        "rules": ["swap"], "swap": {"gave": "Zeromus", "got": "Behemoth"},
        "moves": ["me:Behemoth@2", "opponent:Zeromus@4", "me:Roundrox@0", "opponent:Byblos@1"],
    });
    let answer = ask(&late(swapped.clone())).unwrap();
    assert_eq!((answer.worlds, answer.turn.as_str()), (3, "me"));
    let mut other = swapped;
    other["swap"]["got"] = json!("Titan");
    assert_eq!(fault(other), "swap.got: no possible hand holds Titan");
}

#[test]
fn under_chaos_the_drawn_card_is_told_or_every_card_is_answered() {
    let all = ask(&late(json!({"rules": ["chaos"]}))).unwrap();
    assert_eq!((all.moves.len(), all.best.clone(), all.complete), (6, None, true));
    let card = |mv: &str| mv.split('@').next().unwrap().to_owned();
    let cards: Vec<String> = all.moves.iter().map(|mv| card(&mv.mv)).collect();
    assert_eq!(cards, ["#269", "#269", "#269", "#93", "#93", "#93"], "grouped by card");
    let mut careful = 0.0;
    for drawn in ["#269", "#93"] {
        let told = ask(&late(json!({"rules": ["chaos"], "drawn": drawn}))).unwrap();
        let same: Vec<_> = all.moves.iter().filter(|mv| card(&mv.mv) == drawn).cloned().collect();
        assert_eq!(told.moves, same);
        assert_eq!(told.best.as_ref(), Some(&same[0].mv));
        careful += told.position.careful.unwrap().win / 2.0;
        let random = same[0].measures.random.unwrap();
        let least = same[0].measures.careful.unwrap();
        assert!(
            random.win + random.draw / 2.0 >= least.win + least.draw / 2.0,
            "careful placing costs at least as much"
        );
    }
    assert!((careful - all.position.careful.unwrap().win).abs() < 1e-9, "the mean of the two draws");
    let fault = |with: Value| {
        let fault = ask(&late(with)).unwrap_err();
        format!("{}: {}", fault.field, fault.message)
    };
    assert_eq!(
        fault(json!({"drawn": "#93"})),
        "drawn: no card is drawn for you now: that happens under chaos, on your turn"
    );
    assert!(fault(json!({"rules": ["chaos"], "drawn": "Titan"})).starts_with("drawn: Titan is not in your hand"));
    assert!(fault(json!({"rules": ["chaos"], "drawn": "Zeromus"})).starts_with("drawn: Zeromus was played already"));
    assert!(fault(json!({"rules": ["chaos"], "replays": 1})).starts_with("replays: "));
}

#[test]
fn a_replayed_draw_counts_as_the_replay() {
    let plain = ask(&late(json!({"rules": ["sudden-death"]}))).unwrap();
    let replayed = ask(&late(json!({"rules": ["sudden-death"], "replays": 1}))).unwrap();
    let random = |answer: &AdviseAnswer| answer.position.random.unwrap();
    assert!(replayed.complete && random(&replayed).draw <= random(&plain).draw);
    let none = ask(&late(json!({"rules": ["sudden-death"], "replays": 0}))).unwrap();
    assert_eq!(none.moves, plain.moves);
}

#[test]
fn contradictions_name_both_facts() {
    let fault = |with: Value| {
        let fault = ask(&late(with)).unwrap_err();
        format!("{}: {}", fault.field, fault.message)
    };
    for (with, words) in [
        (json!({"seen": ["Titan"]}), "seen[0]: seen: no possible hand of the opponent holds Titan; he may hold"),
        (json!({"seen": ["Behemoth", "Haurchefant"]}), "moves[5]: move 6: no possible hand holds "),
        (json!({"moves": ["opponent:Vidofnir@4"]}), "moves[0]: move 1: it is the turn of me, not of opponent"),
        (json!({"moves": ["me:Titan@4"]}), "moves[0]: move 1: Titan is not in your hand: Zeromus, #269"),
        (json!({"moves": ["me:Zeromus@9"]}), "moves[0]: move 1: there is no cell 9"),
        (
            json!({"moves": ["me:Zeromus@4", "opponent:Vidofnir@4"]}),
            "moves[1]: move 2: cell 4 is occupied: Zeromus lies there",
        ),
        (json!({"moves": ["me Zeromus 4"]}), "moves[0]: move 1, \"me Zeromus 4\": expected a move such as"),
        (json!({"hand": ["Zeromus"]}), "hand: "),
        (
            json!({"opponent": {"npc": "Flichorel"}}),
            "opponent.npc: no opponent is called \"Flichorel\"; did you mean Flichoirel",
        ),
        (json!({"first": "him"}), "first: \"him\" is neither me nor opponent"),
        (json!({"game": "ff9"}), "game: "),
    ] {
        assert!(fault(with.clone()).starts_with(words), "{with}: {}", fault(with.clone()));
    }
}

#[test]
fn sudden_death_goes_on_with_the_cards_each_player_owns() {
    let mut question = late(json!({"rules": ["sudden-death"]}));
    let mut seen = 0;
    for _ in 0..3 {
        let answer = ask(&question).unwrap();
        let mv = match answer.turn.as_str() {
            "me" => format!("me:{}", answer.best.unwrap()),
            _ => {
                let read: AdviseQuestion = serde_json::from_value(question.clone()).unwrap();
                let game = read.read(None, None).unwrap();
                let free = game.cells().iter().position(Option::is_none).unwrap();
                format!("opponent:{}@{free}", game.playable()[0])
            }
        };
        question["moves"].as_array_mut().unwrap().push(json!(mv));
        seen += 1;
    }
    let read: AdviseQuestion = serde_json::from_value(question).unwrap();
    let game = read.read(None, None).unwrap();
    assert_eq!((seen, game.result().is_some()), (3, true));
    match (game.result(), game.next_game()) {
        (Some(Outcome::Draw), Some(next)) => {
            assert_eq!((next.hand.len(), next.first.as_deref()), (5, Some("opponent")));
            assert!(next.opponent.hands.iter().all(|hand| hand.len() == 5));
            assert!(next.read(None, None).is_ok());
        }
        (Some(Outcome::Draw), None) => panic!("a draw is replayed"),
        (_, next) => assert!(next.is_none()),
    }
}
