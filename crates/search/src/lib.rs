//! **Algorithms that know no game.** Each answers for any game that keeps the promises of `grid`, says what it cost, and
//! says whether its answer is proved.
//!
//! ```
//! use grid::{Game, Player, simd::Isa};
//! use ninefold_search::{AlphaBeta, BestFirst, Budget, DepthFirst, Exact, Mcts, Question, Table};
//! use ninefold_search::{alphabeta::Unguided, perft, playout::Uniform, proof::{Mobility, value_by_questions}};
//! use oracle::tictactoe::TicTacToe;
//!
//! let (game, start, isa) = (&TicTacToe, TicTacToe.start(), Isa::detect());
//! let everything = Budget::default();
//!
//! // Alpha-beta: the value for the player to move, and best play of both.
//! let table = Table::<Exact, _>::with_mib(1)?;
//! let answer = AlphaBeta::new(game, Unguided, &table).solve(&start, &everything, isa);
//! assert!(answer.value == 0 && answer.report.proved && answer.line.len() == 9);
//!
//! // Monte-Carlo tree search: bounds that meet when the root is solved.
//! let mut tree = Mcts::<_, _, true>::new(game, Uniform, start, 1 << 20, 7)?;
//! let answer = tree.search(&everything, isa);
//! assert!((answer.lower, answer.upper) == (0, 0) && answer.report.proved);
//!
//! // Proof-number search: yes or no. Two questions tell win, draw or loss.
//! let table = Table::<Exact, _>::with_mib(1)?;
//! let search = DepthFirst { game, hint: Mobility, table: &table };
//! let ask = |at_least| search.ask(&start, Question { player: Player::First, at_least }, &everything, isa).answer;
//! assert_eq!(value_by_questions(1, ask), Some(0));
//!
//! let table = Table::<Exact, _>::with_mib(1)?;
//! let search = BestFirst { game, hint: Mobility, table: &table, pool_bytes: 1 << 20 };
//! let win = search.ask(&start, Question { player: Player::First, at_least: 1 }, &everything, isa)?;
//! assert!(win.answer == Some(false) && win.report.proved);
//!
//! // And counting.
//! assert_eq!(perft::bulk(game, &start, 9, isa), 127_872);
//! assert_eq!(perft::games(game, &start, isa), 255_168);
//! # Ok::<(), ninefold_search::OutOfMemory>(())
//! ```
//!
//! | wanted | use | because |
//! |---|---|---|
//! | the value and the best line, or every move's value | [`alphabeta`] | prunes most, guided by what a game knows |
//! | a good move in a game too large to solve | [`mcts`] | needs no evaluation; proves what it can on the way |
//! | yes or no, with very uneven branching | [`proof`] | goes where least is missing |
//! | whether a move generator is right, and how fast | [`perft`] | counts |
//! | the end of a game nobody thinks about | [`playout`] | seeded |
//!
//! **This room** holds the searches, written against the traits of `grid`, and the [`table`] they share. Each takes its
//! instruction set once, at the root. A search keeps all its state to itself and in the table it was given, so it can run on
//! any thread; for one seed and a budget without a clock, and a table of its own, it repeats to the digit.
//! **It may not know** any game, any file, or how a result is shown; it starts no thread, and its one clock is in [`budget`].
//! **Go next** to `engine` for the games that use these searches, to `oracle::negamax` for what they are held to.

pub mod alphabeta;
pub mod budget;
pub mod mcts;
pub mod perft;
pub mod playout;
pub mod proof;
pub mod table;

pub use alphabeta::{AlphaBeta, Bound};
pub use budget::{Budget, Report, Stop};
pub use mcts::Mcts;
pub use proof::{BestFirst, DepthFirst, Question};
pub use table::{Exact, Hashed, OutOfMemory, Table};
