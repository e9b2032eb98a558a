//! All of tic-tac-toe: every reachable position, every search, against plain negamax and the known counts.

use grid::simd::Isa;
use grid::{Game, Rng, Versus};
use ninefold_search::playout::{Policy, TakeWins, Uniform};
use ninefold_search::{AlphaBeta, Control, Exact, Hashed, Mcts, Playouts, Table, Unguided, perft};
use oracle::negamax;
use oracle::tictactoe::{Board, TicTacToe};
use std::collections::HashMap;

const GAME: &TicTacToe = &TicTacToe;

/// Every reachable position with its value for the player to move.
fn positions() -> HashMap<Board, i32> {
    let mut values = HashMap::new();
    let mut waiting = vec![GAME.start()];
    while let Some(board) = waiting.pop() {
        if values.contains_key(&board) {
            continue;
        }
        values.insert(board, negamax::value(GAME, &board));
        waiting.extend(GAME.moves(&board).map(|cell| GAME.play_unchecked(&board, cell)));
    }
    assert_eq!(values.len(), 5478);
    values
}

#[test]
fn perft_counts_are_the_known_ones_with_and_without_bulk_on_every_level() {
    let known = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
    for isa in Isa::available() {
        for (depth, &count) in (0..).zip(&known) {
            assert_eq!(perft::every(GAME, &GAME.start(), depth, isa), count, "depth {depth} on {isa}");
            assert_eq!(perft::bulk(GAME, &GAME.start(), depth, isa), count, "depth {depth} on {isa}");
        }
        assert_eq!(perft::games(GAME, &GAME.start(), isa), 255_168);
    }
    let by_move = perft::divide(GAME, &GAME.start(), 9, Isa::detect());
    assert_eq!((by_move.len(), by_move.iter().map(|(_, count)| count).sum()), (9, 127_872_u64));
}

#[test]
fn alpha_beta_solves_every_position_with_an_exact_or_a_hashed_table() {
    let exact = Table::<Exact, _>::with_mib(1).unwrap();
    let hashed = Table::<Hashed, _>::with_bytes(1 << 12).unwrap();
    let (exact, hashed) = (AlphaBeta::new(GAME, Unguided, &exact), AlphaBeta::new(GAME, Unguided, &hashed));
    for (board, value) in positions() {
        let answer = exact.solve(&board, &Control::new(), Isa::detect());
        assert_eq!((answer.value, answer.report.proved), (value, true), "{board:?}");
        let end = answer.line.iter().fold(board, |board, &cell| GAME.play(&board, cell).expect("a legal line"));
        assert_eq!(GAME.result(&end).map(|result| result * GAME.mover(&board).sign()), Some(value), "{board:?}");
        let answer = hashed.solve(&board, &Control::new(), Isa::detect());
        assert_eq!((answer.value, answer.report.proved), (value, true), "{board:?}");
    }
}

#[test]
fn monte_carlo_solves_every_position() {
    let mut tree = Mcts::<_, _, true>::new(GAME, Playouts(Uniform), GAME.start(), 8 << 20, 11).unwrap();
    for (board, value) in positions() {
        tree.set_root(board);
        let answer = tree.search(&Control::new(), Isa::detect());
        assert_eq!((answer.lower, answer.upper, answer.report.proved), (value, value, true), "{board:?}");
    }
}

#[test]
fn playouts_end_repeat_for_a_seed_and_take_wins_when_told_to() {
    let mut results = [[0; 3]; 2];
    for seed in 0..2000 {
        let end = Uniform.play_out(GAME, &GAME.start(), &mut Rng::new(seed));
        assert_eq!(end, Uniform.play_out(GAME, &GAME.start(), &mut Rng::new(seed)), "seed {seed}");
        let greedy = TakeWins.play_out(GAME, &GAME.start(), &mut Rng::new(seed));
        for (counts, end) in results.iter_mut().zip([end, greedy]) {
            counts[(GAME.result(&end).expect("a finished game") + 1) as usize] += 1;
        }
    }
    let [uniform, greedy] = results;
    // The known shares of random play: the first player wins 58.5 %, the second 28.8 %, 12.7 % are drawn.
    assert!((1100..1240).contains(&uniform[2]) && (510..640).contains(&uniform[0]), "{uniform:?}");
    assert!(greedy[1] < uniform[1], "taking wins leaves fewer draws: {results:?}");
    let one_from_a_win = GAME.play_unchecked(&GAME.start(), grid::Cell::ALL[0]);
    let board = [3, 1, 4].iter().fold(one_from_a_win, |b, &c| GAME.play_unchecked(&b, grid::Cell::ALL[c]));
    assert_eq!(TakeWins.choose(GAME, &board, &mut Rng::new(1)), Some(grid::Cell::ALL[2]));
}
