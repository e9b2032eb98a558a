//! One node count per game. An unintended change of rules, move order or search shows here first.

use grid::CellSet;
use grid::simd::{self, Isa, Simd, dispatch};

/// A game and its count.
pub struct Signature {
    /// The name of the game, without spaces.
    pub name: &'static str,
    /// The count with the kernels of one level. It must be the same on every level.
    pub count: fn(Isa) -> u64,
}

/// One entry per game.
pub const SIGNATURES: &[Signature] = &[
    Signature { name: "tic-tac-toe", count: tic_tac_toe },
    Signature { name: "cephalopods", count: engine::cephalopods::signature },
    Signature { name: "triad", count: engine::triad::signature },
    Signature { name: "uttt", count: engine::uttt::signature },
    Signature { name: "uttt-player", count: engine::uttt::player_signature },
];

/// The number of nodes of the whole game tree, with the vector win test at every node.
fn tic_tac_toe(isa: Isa) -> u64 {
    dispatch!(isa.level(), simd => positions(simd, CellSet::EMPTY, CellSet::EMPTY))
}

fn positions<S: Simd>(simd: S, us: CellSet, them: CellSet) -> u64 {
    if simd::has_line(simd, them) {
        return 1;
    }
    let free = !(us | them);
    1 + free.into_iter().map(|cell| positions(simd, them, us.with(cell))).sum::<u64>()
}
