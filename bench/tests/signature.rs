//! Checks the recorded signature of each game at every level of this machine, and the answer of every counted kernel.

use grid::Game;
use grid::simd::Isa;
use ninefold_bench::{KERNELS, SIGNATURES};
use oracle::tictactoe::TicTacToe;

#[test]
fn every_level_gives_the_recorded_signature() {
    let recorded: Vec<(&str, u64)> = include_str!("../signature.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').expect("a name and a count"))
        .map(|(name, count)| (name, count.parse().expect("a count")))
        .collect();
    for isa in Isa::available() {
        let counted: Vec<_> = SIGNATURES.iter().map(|line| (line.name, (line.count)(isa))).collect();
        assert_eq!(counted, recorded, "bench/signature.txt against {isa}");
    }
}

/// Recomputes the signature of tic-tac-toe from the naive rules.
#[test]
fn tic_tac_toe_agrees_with_its_naive_model() {
    fn positions<G: Game>(game: &G, position: &G::Position) -> u64 {
        1 + game.moves(position).map(|mv| positions(game, &game.play_unchecked(position, mv))).sum::<u64>()
    }
    let naive = positions(&TicTacToe, &TicTacToe.start());
    let line = SIGNATURES.iter().find(|line| line.name == TicTacToe::FACTS.name).expect("tic-tac-toe is listed");
    assert_eq!((line.count)(Isa::Scalar), naive);
}

#[test]
fn every_counted_kernel_answers_right_at_every_level() {
    for kernel in KERNELS.iter().copied().flatten() {
        for isa in kernel.levels() {
            assert!(kernel.run(isa, 2) > 0, "{} works on something", kernel.name);
        }
    }
}
