//! Pseudo-random game trees, to test searches on: no search can guess their values.
//!
//! Every layer has only [`WIDTH`] positions, so there are many transpositions. Results take only five values, so there are
//! many ties. A position has zero to four moves, so games end at every depth. The players alternate, or the seed decides who
//! moves; the traits of `grid` allow both.

use grid::{ExactKey, Facts, Game, Player, Versus, mix};
use std::ops::Range;

/// Number of positions per layer.
pub const WIDTH: u64 = 24;
/// Maximum length of a game.
pub const LONGEST: u32 = 8;

/// The rules: everything follows from the seed.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// The seed of the tree.
    pub seed: u64,
    /// Whether the players alternate; otherwise the seed decides who moves.
    pub alternates: bool,
}

/// A position: ply and place within the layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    /// Number of moves made.
    pub ply: u32,
    /// Place within the layer.
    pub place: u64,
}

impl Tree {
    /// A pseudo-random number that depends on the tree, the position and the purpose.
    fn draw(&self, node: &Node, question: u64) -> u64 {
        mix(mix(mix(self.seed) ^ self.key(node)) ^ question)
    }

    /// A static evaluation in `-limit..=limit` for the first player. It is random, like the tree.
    pub fn guess(&self, node: &Node, limit: i32) -> i32 {
        (self.draw(node, 300) % (2 * limit as u64 + 1)) as i32 - limit
    }
}

impl Game for Tree {
    type Position = Node;
    type Move = u8;
    type Moves = Range<u8>;

    const FACTS: Facts = Facts { name: "pseudo-random tree", longest_game: LONGEST, most_moves: 4 };

    fn start(&self) -> Node {
        Node { ply: 0, place: 0 }
    }

    fn moves(&self, node: &Node) -> Range<u8> {
        let moves = if node.ply == 0 {
            1 + self.draw(node, 100) % 4
        } else if node.ply == LONGEST {
            0
        } else {
            self.draw(node, 100) % 5
        };
        0..moves as u8
    }

    fn play_unchecked(&self, node: &Node, mv: u8) -> Node {
        Node { ply: node.ply + 1, place: self.draw(node, u64::from(mv)) % WIDTH }
    }

    fn hash(&self, node: &Node) -> u64 {
        mix(self.key(node))
    }
}

impl Versus for Tree {
    const BEST: i32 = 2;

    fn mover(&self, node: &Node) -> Player {
        let second = if self.alternates { node.ply % 2 == 1 } else { self.draw(node, 200) % 2 == 1 };
        if second { Player::Second } else { Player::First }
    }

    fn result(&self, node: &Node) -> Option<i32> {
        self.is_over(node).then(|| (self.draw(node, 400) % 5) as i32 - 2)
    }
}

impl ExactKey for Tree {
    const KEY_BITS: u32 = 8;

    fn key(&self, node: &Node) -> u64 {
        u64::from(node.ply) * WIDTH + node.place
    }
}
