//! **Very fast, exact engines for games on a 3x3 grid**: Triple Triad, Ultimate Tic-Tac-Toe and Cephalopods.
//!
//! A nine-cell board fits in a register. So rules become a few bitwise or vector instructions, symmetry becomes a permutation,
//! and search becomes fast enough to be exact.
//!
//! ```
//! use ninefold::{Control, Outcome, cephalopods, uttt};
//!
//! // The contest's question: the sum of the values of all final boards.
//! assert_eq!(cephalopods::path_sum("051000401".parse()?, 20), 738_691_369);
//!
//! // An endgame of Ultimate Tic-Tac-Toe, solved.
//! let text = "O;.#XOX...@;XXOX.OO.X/OOXXXOOOX/O.XO.X..X/OXOOOX.OO/.O....XXX/.X.X..OO./OX.XO.X../XX.X....O/XOOXO....";
//! let found = uttt::solve(&text.parse()?, &Control::new())?;
//! assert_eq!(found.value.outcome, Some(Outcome::Draw));
//! assert_eq!(found.optimal().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["ig"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | [`grid`] | cells, sets of cells, lines, symmetries, instruction-set levels, the traits that a game implements |
//! | [`uttt`], [`triad`], [`cephalopods`] | a game: its rules, its engines, and a short way to the common things |
//! | [`api`] | the questions and answers of the command line and the server, as serde types |
//!
//! # Limits, cancel, progress
//!
//! Every long call takes a [`Control`]: time, nodes, depth, memory, threads, a cancel flag, a clock and a progress callback.
//!
//! # How sure is a value?
//!
//! A [`Value`] is for the side to move and carries its [`Certainty`]: proved, certified by a checked certificate, hashed with a
//! stated chance of error, or estimated with visits and error.
//!
//! # Features
//!
//! | feature | default | without it |
//! |---|---|---|
//! | `files` | on | no tables, certificates or states on disk; nothing is mapped |
//! | `threads` | on | every engine works on the thread of its caller |
//!
//! **This room** is the face of the library: re-exports, and the shortest way to the common things.
//! **It may not** have an engine or a rule of its own.
//! **Go next** to `examples/` for one program per game, to `engine` for everything else that can be asked.

pub use api;
pub use engine::{
    Analysis, Certainty, Chances, Clock, Control, Error, Line, OutOfMemory, Outcome, Progress, Stop, Value,
};
pub use grid;

/// Ultimate Tic-Tac-Toe.
///
/// ```
/// use ninefold::{Control, uttt};
/// let position = uttt::Position::START.play("e5")?.play("d4")?;
/// assert_eq!(position.moves::<uttt::Standard>().len(), 9);
/// let found = uttt::analyse(&position, &Control::new().node_limit(2_000))?;
/// assert!(found.best().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod uttt {
    pub use ::uttt::{Accept, CodinGame, Local, Move, MoveSet, Next, Open, Position, Rule, Setup, Standard, Uttt};
    pub use engine::uttt::{Certificate, Evaluation, Player, Rules, SearchKind, Settings, Solver};

    use crate::{Analysis, Control, Error};

    /// Memory of a solver or player, unless the control says otherwise.
    const MEMORY: usize = 64 << 20;

    /// Proves the value of a position under the standard rule, and every best move. [`Solver`] has the other rules, and keeps
    /// what it knows for the next position.
    ///
    /// # Errors
    /// If there is not enough memory. A proof that a limit stopped is not an error: then the analysis is not complete.
    pub fn solve(position: &Position, control: &Control<'_>) -> Result<Analysis<Move>, Error> {
        let memory = control.memory().unwrap_or(MEMORY);
        Ok(Solver::new(Rules::Standard, memory)?.solve(position, control))
    }

    /// The moves under the standard rule, best first, as well as they can be judged within the control. [`Player`] has the
    /// other rules and searches, and keeps its tree for the next move.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn analyse(position: &Position, control: &Control<'_>) -> Result<Analysis<Move>, Error> {
        let memory = control.memory().unwrap_or(MEMORY);
        Ok(Player::new(Settings::default(), memory)?.analyse(position, usize::MAX, control))
    }
}

/// Triple Triad.
///
/// ```
/// use ninefold::{Control, Outcome, grid::Game, triad};
/// let hand = |text: &str| triad::hand(triad::Edition::Ff8, text);
/// let rules = triad::Rules::read("same,plus", triad::Edition::Ff8)?;
/// let (a, b) = (hand("Squall,Ifrit,Shiva,Geezard,Bite Bug")?, hand("Quistis,Zell,Red Bat,Blobra,Gayla")?);
/// let deal = triad::Deal::new(&triad::Setup::new(rules, a, b))?;
/// let found = triad::solve(&deal, &deal.start(), &Control::new());
/// assert_eq!(found.value.outcome, Some(Outcome::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod triad {
    pub use ::triad::{
        Card, Deal, Edition, Element, HAND, Kind, Move, Moves, Position, Rule, RuleFault, Rules, Setup, SetupFault,
    };
    pub use engine::triad::{Lines, NamedDeal, Replays, Solver, TriadError, cards};

    use crate::{Analysis, Control};

    /// Five cards by name, `#number` or sides, separated by commas.
    ///
    /// # Errors
    /// If a card is unknown, or they are not five.
    pub fn hand(edition: Edition, text: &str) -> Result<[Card; HAND], TriadError> {
        let hand = cards::read_hand(cards::Book::built_in(edition), text, cards::Holder::Npc)?;
        Ok(hand.map(|card| card.card))
    }

    /// The exact value of a position of open hands, every best move, and the principal variation. If the control stops it,
    /// the analysis is not complete.
    #[must_use]
    pub fn solve(deal: &Deal, position: &Position, control: &Control<'_>) -> Analysis<Move> {
        Solver::new(grid::simd::Isa::detect()).solve(deal, position, Lines::Optimal, control)
    }
}

/// Cephalopods.
///
/// ```
/// use ninefold::cephalopods;
/// let board: cephalopods::Board = "060222161".parse()?;
/// assert_eq!(cephalopods::path_sum(board, 2), 322_444_322);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod cephalopods {
    pub use ::cephalopods::{Aim, Board, Contest, Duel, DuelPosition, LONGEST, Move, Moves, Setup};
    pub use engine::cephalopods::{Cache, PathSum, Rectangle, SumEngine, Table, duel, exact, rectangle};

    use crate::Control;

    /// The sum of the values of all boards that end a sequence of at most `depth` moves, modulo 2^30. [`PathSum`] keeps its
    /// memory for the next question, takes limits, and reports a lack of memory.
    ///
    /// # Panics
    /// If there are not 64 MB of memory.
    #[must_use]
    pub fn path_sum(board: Board, depth: u32) -> u32 {
        let sum = PathSum::new(grid::simd::Isa::detect()).sum(board, depth, &Control::new());
        sum.expect("64 MB of memory, and nothing that stops the call")
    }
}
