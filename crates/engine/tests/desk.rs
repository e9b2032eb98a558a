//! The desk says of every game what the game's own engine and rules say.

use grid::simd::Isa;
use grid::{Rng, mix};
use ninefold_engine::desk::{BoardView, Desk, GameName, Outcome, Request};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn desks() -> Vec<Box<dyn Desk>> {
    let mut desks: Vec<Box<dyn Desk>> = Vec::new();
    let mut add = |game: GameName, settings: &[(&str, &str)]| {
        let mut desk = game.desk(Isa::detect());
        for (name, value) in settings {
            desk.set(name, value).unwrap();
        }
        desks.push(desk);
    };
    for rule in ["standard", "codingame", "open"] {
        add(GameName::Uttt, &[("rule", rule), ("memory", "16")]);
    }
    for rule in ["majority", "sixes", "misere"] {
        add(GameName::Cephalopods, &[("rule", rule)]);
    }
    add(GameName::Cephalopods, &[("size", "3x5")]);
    for (edition, rules) in
        [("ff8", "-"), ("ff8", "same,plus,elemental"), ("ff14", "reverse,ascension"), ("ff14", "chaos")]
    {
        for seed in ["1", "2"] {
            add(GameName::Triad, &[("edition", edition), ("rules", rules), ("seed", seed)]);
        }
    }
    desks
}

#[test]
fn any_game_can_be_played_to_its_end_by_text_alone() {
    for (number, desk) in desks().into_iter().enumerate() {
        for game in 0..20 {
            let mut rng = Rng::new(mix(number as u64 * 100 + game));
            let mut position = desk.start().unwrap();
            let mut moves = 0;
            loop {
                let view = desk.look(&position).unwrap();
                assert_eq!(view.position, position, "the text of a position is its own");
                if let Some(fen) = &view.fen {
                    assert_eq!(desk.look(fen).unwrap().board, view.board);
                }
                assert_eq!(view.moves.is_empty(), view.result.is_some(), "{position}");
                let Some(mv) = rng.pick(view.moves.iter()) else { break };
                assert!(!mv.mv.contains(char::is_whitespace));
                let played = desk.play(&position, &mv.mv).unwrap();
                assert_eq!((&played.mv, &played.label), (&mv.mv, &mv.label));
                assert_eq!(desk.play(&position, &mv.label).unwrap(), played, "a move reads as it is shown");
                let after = desk.look(&played.position).unwrap();
                for flip in &played.flips {
                    assert_ne!(owner(&view.board, flip.cell), owner(&after.board, flip.cell), "{position} {}", mv.mv);
                }
                position = played.position;
                moves += 1;
            }
            assert!(moves >= 9);
        }
    }
}

fn owner(board: &BoardView, cell: usize) -> Option<u32> {
    match board {
        BoardView::Cephalopods { dice, .. } => dice[cell].map(|die| die.owner),
        BoardView::Triad { cells, cards, .. } => cells[cell].map(|card| cards[usize::from(card)].owner),
        BoardView::Uttt { .. } => None,
    }
}

/// The value of a position and that of the position after its best move are the same thing seen from two sides.
#[test]
fn best_moves_keep_the_value() {
    for mut desk in desks() {
        let mut rng = Rng::new(7);
        let mut position = desk.start().unwrap();
        let request = Request { time: Some(300), prove: true, ..Request::default() };
        // Near the end every game is exact.
        let mut history = vec![position.clone()];
        while let Some(mv) = rng.pick(desk.look(&position).unwrap().moves.iter()) {
            position = desk.play(&position, &mv.mv).unwrap().position;
            history.push(position.clone());
        }
        for position in history.iter().rev().take(6) {
            let analysis = desk.analyse(position, &request, &mut |_| {}).unwrap();
            assert!(analysis.exact, "{position}: {analysis:?}");
            assert_eq!(analysis.lines.len(), desk.look(position).unwrap().moves.len());
            let Some(best) = &analysis.best else {
                let view = desk.look(position).unwrap();
                let sign = if view.mover == 1 { 1 } else { -1 };
                assert_eq!(analysis.outcome, view.result.map(|result| Outcome::of(result * sign)));
                continue;
            };
            let view = desk.look(position).unwrap();
            for line in &analysis.lines {
                assert!(line.exact && line.line[0] == line.mv && line.score <= analysis.score);
                let after = desk.play(position, &line.mv).unwrap().position;
                let mut reply = desk.analyse(&after, &request, &mut |_| {}).unwrap();
                if desk.look(&after).unwrap().mover == view.mover {
                    // Nobody moves twice in these games.
                    assert!(reply.best.is_none());
                    reply.score = -reply.score;
                }
                if desk.game() != GameName::Triad || line.outcome.is_some() {
                    assert_eq!(line.score, -reply.score, "{position} {}", line.mv);
                }
                assert_eq!(line.margin.is_some(), desk.game() == GameName::Triad);
            }
            assert_eq!(desk.choose(position, &request).unwrap().as_ref(), Some(best));
        }
    }
}

#[test]
fn a_weak_player_plays_legal_moves_by_its_seed() {
    for mut desk in desks() {
        let position = desk.start().unwrap();
        let legal: Vec<String> = desk.look(&position).unwrap().moves.into_iter().map(|mv| mv.mv).collect();
        let request = |seed| Request { time: Some(20), nodes: Some(500), level: 2, seed, ..Request::default() };
        let chosen: Vec<String> = (0..3).map(|seed| desk.choose(&position, &request(seed)).unwrap().unwrap()).collect();
        assert!(chosen.iter().all(|mv| legal.contains(mv)));
    }
}

#[test]
fn a_raised_flag_ends_any_analysis_soon() {
    for mut desk in desks() {
        desk.prepare();
        let position = desk.start().unwrap();
        let cancel = Arc::new(AtomicBool::new(true));
        let request = Request { cancel: Some(cancel), ..Request::default() };
        let start = Instant::now();
        let analysis = desk.analyse(&position, &request, &mut |_| {}).unwrap();
        assert!(start.elapsed() < Duration::from_secs(2), "{:?} {position}", start.elapsed());
        assert!(analysis.best.is_some(), "even then there is a move: {position}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    for mut desk in desks() {
        let start = desk.start().unwrap();
        for text in ["", "nonsense", "\u{0}", "........", &start[1..], &format!("{start}x"), "X;é"] {
            assert_eq!(desk.look(text).unwrap_err().field, "position", "{text}");
            assert_eq!(desk.analyse(text, &Request::default(), &mut |_| {}).unwrap_err().field, "position");
        }
        for mv in ["", "zz", "9@9", "a:Nobody@3", "aaaaaaaa", "é", "4x4"] {
            assert_eq!(desk.play(&start, mv).unwrap_err().field, "move", "{mv}");
        }
        assert_eq!(desk.set("colour", "blue").unwrap_err().field, "option");
        for setting in desk.settings() {
            desk.set(setting.name, &setting.value).unwrap();
            assert_eq!(desk.set(setting.name, "no such thing").unwrap_err().field, setting.name);
        }
    }
}

#[test]
fn leaves_are_counted() {
    let counts = |game: GameName, settings: &[(&str, &str)]| -> Vec<u64> {
        let mut desk = game.desk(Isa::detect());
        settings.iter().for_each(|(name, value)| desk.set(name, value).unwrap());
        let start = desk.start().unwrap();
        (0..4).map(|depth| desk.perft(&start, depth).unwrap()).collect()
    };
    assert_eq!(counts(GameName::Uttt, &[]), [1, 81, 720, 6336]);
    assert_eq!(counts(GameName::Triad, &[]), [1, 45, 45 * 40, 45 * 40 * 28]);
    assert_eq!(counts(GameName::Triad, &[("edition", "ff14"), ("rules", "order")]), [1, 9, 72, 504]);
    assert_eq!(counts(GameName::Cephalopods, &[])[..2], [1, 9]);
}
