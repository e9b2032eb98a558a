//! **Search algorithms for any game.** Each works for any game that implements the traits of `grid`, reports its cost,
//! and says whether its result is proved.
//!
//! ```
//! use grid::{Game, simd::Isa};
//! use ninefold_search::{AlphaBeta, Control, Exact, Mcts, Playouts, Table, Unguided, perft, playout::Uniform};
//! use oracle::tictactoe::TicTacToe;
//!
//! let (game, start, isa) = (&TicTacToe, TicTacToe.start(), Isa::detect());
//!
//! // Alpha-beta: the value for the player to move, and the principal variation.
//! let table = Table::<Exact, _>::with_mib(1)?;
//! let found = AlphaBeta::new(game, Unguided, &table).solve(&start, &Control::new(), isa);
//! assert!(found.value == 0 && found.report.proved && found.line.len() == 9);
//!
//! // Monte-Carlo tree search: bounds that meet when the root is solved.
//! let mut tree = Mcts::<_, _, true>::new(game, Playouts(Uniform), start, 1 << 20, 7)?;
//! let found = tree.search(&Control::new(), isa);
//! assert!((found.lower, found.upper) == (0, 0) && found.report.proved);
//!
//! // Perft.
//! assert_eq!(perft::bulk(game, &start, 9, isa), 127_872);
//! # Ok::<(), ninefold_search::OutOfMemory>(())
//! ```
//!
//! | wanted | use | because |
//! |---|---|---|
//! | the value and the principal variation, or every move's value | [`alphabeta`] | prunes most, guided by an evaluator |
//! | a good move in a game too large to solve | [`mcts`] | needs no evaluation; proves what it can on the way |
//! | the same with a good evaluation of all children at once | [`best_first`] | no playouts; several threads on one tree |
//! | another evaluation, with state and priors | [`evaluate`] | search and evaluation are chosen separately |
//! | a limit, a cancel flag, progress | [`control`] | one value for every long call |
//! | whether a move generator is right, and how fast | [`perft`] | counts |
//! | the end of a game by random moves | [`playout`] | seeded |
//!
//! **This room** holds the searches, written against the traits of `grid`, and the [`table`] they share. Each selects
//! its instruction set once, at the root. A search has no state except its own and the table passed to it, so it can
//! run on any thread. With a seed, a node limit and a table of its own it is reproducible.
//! **It may not know** any game, any file, or how a result is shown. It starts no thread, and only [`control`] reads a
//! clock.
//! **Go next** to `engine` for the games that use these searches, to `oracle::negamax` for the naive search they are
//! tested against.

pub mod alphabeta;
pub mod best_first;
pub mod control;
pub mod evaluate;
pub mod mcts;
pub mod perft;
pub mod playout;
pub mod table;
pub mod word;

pub use alphabeta::{AlphaBeta, Bound};
pub use control::{Clock, Control, Meter, Progress, Report, Stop};
pub use evaluate::{Evaluated, Evaluator, Leaf, Playouts, Unguided};
pub use mcts::Mcts;
pub use table::{Exact, Hashed, OutOfMemory, Table};
