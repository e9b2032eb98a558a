//! Checks the laws of `oracle`, the naive model and the perft suite, for every rule, layout and instruction set.

use grid::simd::{Isa, dispatch};
use grid::{Cell, Game, LINES, Notation, Player, Rng, Versus};
use ninefold_uttt::kernel::published::endgame_vectors;
use ninefold_uttt::kernel::{Lanes, Layout, Playout, one_by_one, perft, playouts};
use ninefold_uttt::{Accept, CodinGame, Move, Open, Position, Rule, Setup, Standard, Uttt};
use oracle::laws::{self, Model, Plan};
use oracle::perft::Suite;
use oracle::uttt::{self as naive, Ruled};

const PLAN: Plan = Plan { seed: 0x9_2026, games: 60 };

fn obeys<R: Rule, const RULE: usize>() {
    let (game, plan) = (Uttt::<R>::default(), PLAN.scaled());
    laws::rules(&game, plan);
    laws::versus(&game, plan);
    laws::symmetry(&game, Plan { games: plan.games.div_ceil(6), ..plan });
    laws::symmetric_result(&game, plan);
    laws::against_model::<_, Ruled<RULE>>(&game, Plan { games: plan.games * 5, ..plan }, Uttt::result);
}

#[test]
fn the_standard_rule_obeys() {
    obeys::<Standard, 0>();
}

#[test]
fn the_codingame_rule_obeys() {
    obeys::<CodinGame, 1>();
}

#[test]
fn the_open_rule_obeys() {
    obeys::<Open, 2>();
}

/// The lanes agree with the position after every move of random games, and both text forms round-trip.
fn lanes_and_fen<R: Rule>() {
    let game = Uttt::<R>::default();
    for seed in 0..u64::from(Plan { games: 300, ..PLAN }.scaled().games) {
        let mut rng = Rng::new(seed);
        let mut position = game.start();
        let mut lanes = Lanes::new::<R>(&position);
        loop {
            assert_eq!(lanes, Lanes::new::<R>(&position), "seed {seed}: {position:?}");
            assert_eq!(lanes.position(), position, "seed {seed}");
            assert_eq!(lanes.empties(), position.empties::<R>(), "seed {seed}: {position:?}");
            let mut fen = String::new();
            position.write_fen(&mut fen).unwrap();
            assert_eq!(Position::read::<R>(&fen, Accept::Reachable), Ok(position), "seed {seed}: {fen}");
            assert_eq!(Setup::from(&position).position::<R>(Accept::Reachable), Ok(position), "seed {seed}");
            let wins = game.moves(&position).find(|&mv| {
                let after = game.play_unchecked(&position, mv);
                after.won(position.mover()).has_line()
            });
            assert_eq!(lanes.winning_move::<R>().is_some(), wins.is_some(), "seed {seed}: {position:?}");
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            let algebraic = mv.algebraic().to_string();
            assert_eq!(game.read_move(&position, &algebraic), Ok(mv));
            position = game.play_unchecked(&position, mv);
            lanes = lanes.after::<R>(mv);
        }
        assert_eq!(Some(lanes.result::<R>()), game.result(&position), "seed {seed}");
    }
}

#[test]
fn all_81_moves_have_two_names_that_are_read_back() {
    let mut names = std::collections::BTreeSet::new();
    for (board, square) in (0..9).flat_map(|board| (0..9).map(move |square| (board, square))) {
        let mv = Move::new(Cell::ALL[board], Cell::ALL[square]);
        let (letters, algebraic) = (mv.to_string(), mv.algebraic().to_string());
        assert_eq!(algebraic, oracle::uttt::square_name(board, square));
        for text in [letters, algebraic] {
            assert_eq!(text.parse(), Ok(mv), "{text}");
            assert!(names.insert(text), "no text means two moves");
        }
    }
    assert_eq!(names.len(), 162);
}

#[test]
fn lanes_are_the_position_and_fen_round_trips() {
    lanes_and_fen::<Standard>();
    lanes_and_fen::<CodinGame>();
    lanes_and_fen::<Open>();
}

/// The whole suite: by masks for up to `masks` leaves, leaf by leaf on every layout for up to `single` leaves.
fn suite<R: Rule>(rule: &str, masks: u64, single: u64) -> usize {
    let suite = Suite::parse(include_str!("../../../oracle/perft/uttt.perft")).unwrap();
    let mut compared = 0;
    for entry in suite.within(masks).filter(|entry| entry.rule == rule) {
        let position = Position::read::<R>(&entry.position, Accept::Reachable).unwrap();
        for (depth, leaves) in entry.counts {
            let shown = format!("{} depth {depth}", entry.position);
            for isa in Isa::available() {
                assert_eq!(perft::<R>(isa, &position, depth), leaves, "{isa} by masks: {shown}");
                compared += 1;
                if leaves > single {
                    continue;
                }
                for layout in Layout::ALL {
                    assert_eq!(one_by_one::<R>(isa, layout, &position, depth), leaves, "{isa} {layout:?}: {shown}");
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn the_whole_suite_on_every_layout_and_instruction_set() {
    let emulated = std::env::var_os("NINEFOLD_EMULATED").is_some();
    let (masks, single) = if emulated { (2_000_000, 50_000) } else { (500_000_000, 1_000_000) };
    let levels = Isa::available().count();
    assert!(suite::<Standard>("standard", masks, single) >= levels * if emulated { 100 } else { 300 });
    assert!(suite::<CodinGame>("standard", masks / 100, single / 10) >= levels * 100);
    assert!(suite::<Open>("open", masks, single) >= levels * if emulated { 10 } else { 20 });
}

/// Both notations of the suite describe the same positions.
#[test]
fn both_texts_of_the_suite_agree() {
    let data: serde_json::Value = serde_json::from_str(include_str!("../../../oracle/data/uttt_perft.json")).unwrap();
    let suite = data["suite"].as_array().unwrap();
    assert_eq!(suite.len(), 16);
    for entry in suite {
        let read = |field: &str| Position::read::<Standard>(entry[field].as_str().unwrap(), Accept::Reachable).unwrap();
        assert_eq!(read("fen"), read("pos"));
    }
}

/// Random games are the same on every level and have the known statistics: X wins 41.2 %, O wins 36.6 %, 58.9 moves.
#[test]
fn random_games_are_fair() {
    let games = u64::from(Plan { games: 200_000, ..PLAN }.scaled().games);
    let start = Uttt::<Standard>::default().start();
    let mut tallies =
        Isa::available().map(|isa| playouts::<Standard>(isa, Playout::Uniform, &start, games, &mut Rng::new(7)));
    let tally = tallies.next().unwrap();
    assert!(tallies.all(|other| other == tally));
    let share = |count: u64| count as f64 / games as f64;
    let slack = 3.0 / (games as f64).sqrt();
    assert!((share(tally.results[0]) - 0.4116).abs() < slack, "{tally:?}");
    assert!((share(tally.results[2]) - 0.3663).abs() < slack, "{tally:?}");
    assert!((share(tally.moves) - 58.9).abs() < 40.0 * slack, "{tally:?}");
    let open = playouts::<Open>(Isa::detect(), Playout::TakeWins, &start, games / 10, &mut Rng::new(7));
    assert_eq!(open.results.iter().sum::<u64>(), games / 10);
}

/// Checks live boards and safe moves against their definitions, on random games under every rule.
fn foresight<R: Rule>() {
    let game = Uttt::<R>::default();
    for seed in 0..u64::from(Plan { games: 400, ..PLAN }.scaled().games) {
        let mut rng = Rng::new(seed ^ 0x5afe);
        let mut position = game.start();
        loop {
            let lanes = Lanes::new::<R>(&position);
            for us in 0..2 {
                for board in Cell::ALL {
                    let mine = lanes.won(us).contains(board);
                    let theirs = lanes.won(1 - us).contains(board);
                    let line_left = LINES.iter().any(|&line| (line & lanes.stones(1 - us, board)).is_empty())
                        && lanes.open().contains(board);
                    assert_eq!(
                        lanes.alive(us).contains(board),
                        mine || !theirs && line_left,
                        "seed {seed}: {position:?}"
                    );
                }
            }
            let critical = lanes.critical::<R>(1 - lanes.mover());
            if lanes.winning_move::<R>().is_none() {
                for board in lanes.playable() {
                    let safe = lanes.safe_squares::<R>(board, critical);
                    for square in lanes.free(board) {
                        let after = lanes.after::<R>(Move::new(board, square));
                        let answer = after.winning_move::<R>();
                        assert_eq!(
                            safe.contains(square),
                            answer.is_none(),
                            "seed {seed}: {position:?} {board}{square}"
                        );
                    }
                }
            }
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            position = game.play_unchecked(&position, mv);
        }
    }
}

#[test]
fn two_plies_of_foresight_are_exact() {
    foresight::<Standard>();
    foresight::<CodinGame>();
    foresight::<Open>();
}

/// The endgame tests agree by vectors on every level, by masks and by the table of boards. The naive model confirms them by
/// trying: a threatened board is won with one move, and a dead game has no winner by a line.
fn endgame_tests<R: Rule, const RULE: usize>() {
    let game = Uttt::<R>::default();
    let mut dead = 0;
    for seed in 0..u64::from(Plan { games: 400, ..PLAN }.scaled().games) {
        let mut rng = Rng::new(seed ^ 0x9);
        let mut position = game.start();
        let mut was_dead = false;
        loop {
            let lanes = Lanes::new::<R>(&position);
            let shown = format!("{} seed {seed}: {position:?}", R::NAME);
            let (winnable, threatened) =
                (endgame_vectors::winnable_by_masks(&lanes), endgame_vectors::threatened_by_masks::<R>(&lanes));
            assert_eq!(endgame_vectors::both_by_boards(&lanes), [winnable, threatened], "{shown}");
            let is_dead = endgame_vectors::is_dead_by_masks(&lanes);
            for isa in Isa::available() {
                dispatch!(isa.level(), simd => {
                    assert_eq!(endgame_vectors::winnable(simd, &lanes), winnable, "{isa} {shown}");
                    assert_eq!(endgame_vectors::threatened(simd, &lanes), threatened, "{isa} {shown}");
                    assert_eq!(endgame_vectors::is_dead(simd, &lanes), is_dead, "{isa} {shown}");
                });
            }
            let naive = Ruled::<RULE>::read(&format!("{position:?}")).0;
            for board in 0..9 {
                for player in [Player::First, Player::Second] {
                    let wins = |square: usize| {
                        let state = naive::State { mover: player, forced: None, ..naive };
                        state.squares[board][square].is_none()
                            && Ruled::<RULE>::GAME.is_playable(&state, board)
                            && state.boards[board] == naive::Local::Undecided
                            && Ruled::<RULE>::GAME.after(&state, board, square).boards[board]
                                == naive::Local::Won(player)
                    };
                    let found = threatened[player as usize].contains(Cell::ALL[board]);
                    assert_eq!(found, (0..9).any(wins), "{shown}");
                }
            }
            assert!(!was_dead || is_dead && naive.global_line().is_none(), "{shown}");
            was_dead = is_dead;
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            position = game.play_unchecked(&position, mv);
        }
        dead += usize::from(was_dead);
    }
    assert!(dead > 20 || std::env::var_os("NINEFOLD_EMULATED").is_some(), "{dead} games were dead before their end");
}

#[test]
fn endgame_tests_on_nine_boards_agree_and_are_sound() {
    endgame_tests::<Standard, 0>();
    endgame_tests::<CodinGame, 1>();
    endgame_tests::<Open, 2>();
}
