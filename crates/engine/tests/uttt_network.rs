//! The network: children judged at once are the children judged one by one, on every instruction set; files; the tree search.

use grid::simd::{Isa, dispatch};
use grid::{Game, Player, Rng, Sym, Symmetric};
use ninefold_engine::uttt::network::local::Numbering;
use ninefold_engine::uttt::network::{KIND, Network, NetworkJudge};
use ninefold_engine::uttt::{Position, Rules, Settings, Solver};
use ninefold_engine::{Control, Outcome};
use search::best_first::{Judge, Judged};
use std::path::Path;
use uttt::{CodinGame, Rule, Standard, Uttt};

fn children<R: Rule>(judge: &NetworkJudge, isa: Isa, position: &Position) -> Vec<Judged> {
    let mut list = Vec::new();
    dispatch!(isa.level(), simd => Judge::<Uttt<R>>::judge(judge, simd, Uttt::<R>::GAME, position, &mut list));
    list
}

/// Calls `check` on every position of random games.
fn random_games<R: Rule>(games: u64, mut check: impl FnMut(&Position)) {
    let game = Uttt::<R>::GAME;
    for seed in 0..games {
        let (mut rng, mut position) = (Rng::new(seed), Position::START);
        while grid::Versus::result(game, &position).is_none() {
            check(&position);
            position = game.play_unchecked(&position, rng.pick(game.moves(&position)).unwrap());
        }
    }
}

fn children_are_judged_as_positions<R: Rule>() {
    let (game, judge) = (Uttt::<R>::GAME, NetworkJudge(Network::built_in()));
    let (mut over, mut freed) = (0, 0);
    random_games::<R>(300, |position| {
        let expected: Vec<Judged> = game
            .moves(position)
            .map(|mv| {
                let next = game.play_unchecked(position, mv);
                let result = grid::Versus::result(game, &next);
                let result = result.map(|result| (result.signum() * position.mover().sign()) as i8);
                let value = match result {
                    Some(sign) => f32::from(sign + 1) / 2.0,
                    None => 1.0 - judge.0.value::<R>(&next),
                };
                let frees = result.is_none() && next.next() == uttt::Next::Any;
                over += u32::from(result.is_some());
                freed += u32::from(frees);
                Judged { mv: Judge::<Uttt<R>>::pack(&judge, mv), value, result, frees }
            })
            .collect();
        for isa in Isa::available() {
            assert_eq!(children::<R>(&judge, isa, position), expected, "{isa} {position:?}");
        }
    });
    assert!(over > 100 && freed > 1000, "{over} {freed}");
}

#[test]
fn all_children_at_once_are_the_children_one_by_one() {
    children_are_judged_as_positions::<Standard>();
    children_are_judged_as_positions::<CodinGame>();
}

#[test]
fn local_boards_turn_with_the_position() {
    let (game, numbers) = (Uttt::<Standard>::GAME, Numbering::get());
    random_games::<Standard>(20, |position| {
        for sym in Sym::ALL {
            let image = game.map(position, sym);
            for player in [Player::First, Player::Second] {
                let (boards, images) = (numbers.boards(position, player), numbers.boards(&image, player));
                for place in grid::Cell::ALL {
                    let turned = numbers.image(boards[place.index()], sym);
                    assert_eq!(images[sym.cell(place).index()], turned, "{position:?} {sym:?}");
                }
            }
        }
    });
}

#[test]
fn a_damaged_network_is_refused() {
    let good = include_bytes!("../data/uttt/network.bin");
    let path = Path::new("net.bin");
    assert!(Network::of_bytes(good, path).is_ok());
    let refused = |bytes: &[u8], words: &str| {
        let error = Network::of_bytes(bytes, path).unwrap_err().to_string();
        assert!(error.starts_with("net.bin: ") && error.contains(words), "{error}");
    };
    refused(&good[..good.len() - 1], "damaged");
    refused(b"", "not a network of Ultimate Tic-Tac-Toe");
    let mut bytes = good.to_vec();
    bytes[good.len() / 2] ^= 1;
    refused(&bytes, "checksum of the body");
    let mut bytes = good.to_vec();
    bytes[8] = KIND.version as u8 + 1;
    refused(&bytes, "checksum of the header");
}

/// Endings of random games, with the value by the solver.
fn endings(rules: Rules, count: usize) -> Vec<(Position, Outcome)> {
    let mut solver = Solver::new(rules, 16 << 20).unwrap();
    let (mut rng, mut found) = (Rng::new(5), Vec::new());
    while found.len() < count {
        let mut position = Position::START;
        for _ in 0..38 + rng.below(14) {
            let Some(mv) = rng.pick(rules.moves(&position).into_iter()) else { break };
            position = rules.play_unchecked(&position, mv);
        }
        if rules.result(&position).is_none() {
            let value = solver.value(&position, &Control::new()).unwrap();
            found.push((position, value.outcome.unwrap()));
        }
    }
    found
}

#[test]
fn what_the_tree_proves_is_true() {
    for rules in [Rules::Standard, Rules::CodinGame] {
        let settings = Settings { rules, ..Settings::default() };
        let mut player = ninefold_engine::uttt::Player::new(settings, 16 << 20).unwrap();
        let mut proved = [0; 3];
        for (position, outcome) in endings(rules, 60) {
            for threads in [1, 2] {
                let control = Control::new().threads(threads).node_limit(60_000);
                let found = player.analyse(&position, 1, &control);
                if let Some(value) = found.value.outcome {
                    assert_eq!(value, outcome, "{position:?} {threads}");
                    proved[(value.sign() + 1) as usize] += 1;
                }
            }
        }
        assert!(proved.iter().all(|&count| count > 5), "{rules:?}: {proved:?}");
    }
}
