//! The player: a search with its memory, and the solver beside it.

use super::alphabeta::TableSearch;
use super::best_first::{NetworkTree, TUNING};
use super::evaluation::HandMade;
use super::levels::{Level, Strength};
use super::network::Network;
use super::strategy;
use super::tree::{QuickGames, Tree};
use super::{Rules, Solver};
use crate::analysis::Analysis;
use crate::error::Error;
use crate::value::Certainty;
use grid::simd::Isa;
use search::{Control, Evaluated, OutOfMemory, Playouts};
use std::sync::Arc;
use uttt::{Move, Position, Rule};

/// Which search looks for the move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SearchKind {
    /// Best-first tree search with the network. No network knows the rule in which won boards stay open:
    /// there it plays as [`Mcts`](Self::Mcts).
    #[default]
    BestFirst,
    /// Monte-Carlo tree search that proves what it can.
    Mcts,
    /// The same without proofs and without the solver: a baseline for comparison.
    Uct,
    /// Alpha-beta. It evaluates by the network or by [`HandMade`].
    AlphaBeta,
}

impl SearchKind {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Self); 4] =
        [("bestfirst", Self::BestFirst), ("mcts", Self::Mcts), ("uct", Self::Uct), ("alphabeta", Self::AlphaBeta)];

    /// The search of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMED.into_iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// How a search judges a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Evaluation {
    /// As suits the search: best-first and alpha-beta by the network, where it knows the rule, the others by random games.
    #[default]
    Auto,
    /// By a random game; alpha-beta by [`HandMade`].
    Playouts,
    /// By [`HandMade`].
    HandMade,
}

impl Evaluation {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("playouts", Self::Playouts), ("handmade", Self::HandMade)];
}

/// How a player plays.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// The rule.
    pub rules: Rules,
    /// The search.
    pub search: SearchKind,
    /// How the search judges a leaf.
    pub evaluation: Evaluation,
    /// The seed of the playouts.
    pub seed: u64,
}

/// How much the tree search favours a rarely tried move, found by matches at equal playouts (`bench/LOG.md`).
pub const EXPLORATION: f32 = 0.9;

/// A search for good moves that keeps its memory between calls.
pub(super) trait MoveSearch: Send {
    /// The moves, best first, and what the search knows of the position. At least the best `lines` moves get their own
    /// value. The control hears partial analyses.
    fn search(&mut self, position: &Position, lines: usize, control: &Control<'_>, isa: Isa) -> Analysis<Move>;
}

/// A player with a memory: tree or transposition table, and the solver's table.
///
/// ```
/// use ninefold_engine::uttt::{Player, Position, Rules, Settings};
/// use ninefold_engine::Control;
/// let mut player = Player::new(Settings::default(), 16 << 20)?;
/// let analysis = player.analyse(&Position::START, 3, &Control::new().node_limit(2_000));
/// assert!(analysis.lines.len() == 3 && Rules::Standard.moves(&Position::START).contains(&analysis.lines[0].mv));
/// # Ok::<(), ninefold_engine::Error>(())
/// ```
pub struct Player {
    settings: Settings,
    isa: Isa,
    memory: usize,
    solver: Solver,
    /// None: the built-in one.
    network: Option<Arc<Network>>,
    search: Box<dyn MoveSearch>,
}

impl Player {
    /// A player that takes at most about this number of bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(settings: Settings, memory: usize) -> Result<Self, Error> {
        Self::with_network(settings, None, memory)
    }

    /// A player with another network than the built-in one.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn with_network(settings: Settings, network: Option<Arc<Network>>, memory: usize) -> Result<Self, Error> {
        let solver = Solver::new(settings.rules, memory / 4)?;
        let search = new_search(&settings, network.clone(), memory / 2)?;
        Ok(Self { settings, isa: Isa::detect(), memory, solver, network, search })
    }

    /// Uses this instruction set instead of the machine's best.
    #[must_use]
    pub fn with_isa(self, isa: Isa) -> Self {
        Self { isa, solver: self.solver.with_isa(isa), ..self }
    }

    /// How it plays.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Writes the solver's table now, so that no answer waits for the system to clear it.
    pub fn prepare(&mut self) {
        self.solver.prepare();
    }

    /// The best `lines` moves, at least one unless the game is over.
    pub fn analyse(&mut self, position: &Position, lines: usize, control: &Control<'_>) -> Analysis<Move> {
        let solver = (self.settings.search != SearchKind::Uct).then_some(&mut self.solver);
        let rules = self.settings.rules;
        with_rule!(rules, R => {
            strategy::analyse::<R>(self.search.as_mut(), solver, position, lines, control, self.isa)
        })
    }

    /// The move of a player of this [level](super::LEVELS), from 1 to [`STRONGEST`](super::STRONGEST); none when the game is
    /// over.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn choose(
        &mut self,
        position: &Position,
        level: u32,
        seed: u64,
        control: &Control<'_>,
    ) -> Result<Option<Move>, Error> {
        match Level::of(level).strength {
            Some(strength) => self.choose_with(position, strength, seed, control),
            None => Ok(self.analyse(position, 1, control).best()),
        }
    }

    /// The move of a player of this strength. It has no solver and starts from an empty memory: the same seed gives the same
    /// move.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn choose_with(
        &mut self,
        position: &Position,
        strength: Strength,
        seed: u64,
        control: &Control<'_>,
    ) -> Result<Option<Move>, Error> {
        let seed = grid::mix(self.settings.seed).wrapping_add(seed);
        let settings = Settings { seed, ..self.settings };
        let memory = (self.memory / 2).min(strength.nodes as usize * WEAK_BYTES_PER_NODE);
        let mut search = new_search(&settings, self.network.clone(), memory)?;
        let weak = control.part().node_limit(strength.nodes).threads(1);
        let (rules, lines) = (settings.rules, if strength.noise > 0.0 { 81 } else { 1 });
        let analysis = with_rule!(rules, R => {
            strategy::analyse::<R>(search.as_mut(), None, position, lines, &weak, self.isa)
        });
        // The seed of a game must not misjudge every turn alike.
        Ok(strength.choose(&analysis, seed ^ grid::mix(position.ply().into())))
    }
}

/// The visits of every root move after 5,000 nodes, folded into one number: the same on every instruction set, and different as
/// soon as the network or the search changes.
///
/// # Panics
/// If there is no memory for a tree of 4 MiB.
#[must_use]
pub fn player_signature(isa: Isa) -> u64 {
    let mut folded = 0;
    for rules in [Rules::Standard, Rules::CodinGame] {
        let settings = Settings { rules, ..Settings::default() };
        let mut player = Player::new(settings, 8 << 20).expect("8 MiB").with_isa(isa);
        let analysis = player.analyse(&Position::START, 81, &Control::new().node_limit(5_000));
        for line in analysis.lines {
            if let Certainty::Estimated { visits, .. } = line.value.certainty {
                folded = grid::mix(folded ^ visits);
            }
        }
    }
    // Short enough to read.
    folded >> 32
}

/// More than a tree takes for a node: 81 moves of 24 bytes.
const WEAK_BYTES_PER_NODE: usize = 2048;

fn new_search(
    settings: &Settings,
    network: Option<Arc<Network>>,
    memory: usize,
) -> Result<Box<dyn MoveSearch>, OutOfMemory> {
    with_rule!(settings.rules, R => new_search_of::<R>(settings, network, memory))
}

fn new_search_of<R: Rule>(
    settings: &Settings,
    network: Option<Arc<Network>>,
    memory: usize,
) -> Result<Box<dyn MoveSearch>, OutOfMemory> {
    let seed = settings.seed;
    Ok(match (settings.search, settings.evaluation) {
        (SearchKind::BestFirst, _) if !R::WON_BOARDS_STAY_OPEN => {
            let network = network.unwrap_or_else(Network::built_in);
            Box::new(NetworkTree::<R>::new(network, TUNING, memory)?)
        }
        (SearchKind::BestFirst | SearchKind::Mcts, Evaluation::Auto | Evaluation::Playouts) => {
            Box::new(Tree::<R, _, true>::new(Playouts(QuickGames::<true>), memory, seed)?)
        }
        (SearchKind::BestFirst | SearchKind::Mcts, Evaluation::HandMade) => {
            Box::new(Tree::<R, _, true>::new(Evaluated(HandMade), memory, seed)?)
        }
        (SearchKind::Uct, Evaluation::Auto | Evaluation::Playouts) => {
            Box::new(Tree::<R, _, false>::new(Playouts(QuickGames::<false>), memory, seed)?)
        }
        (SearchKind::Uct, Evaluation::HandMade) => {
            Box::new(Tree::<R, _, false>::new(Evaluated(HandMade), memory, seed)?)
        }
        (SearchKind::AlphaBeta, evaluation) => {
            let by_network = evaluation == Evaluation::Auto && !R::WON_BOARDS_STAY_OPEN;
            let network = by_network.then(|| network.unwrap_or_else(Network::built_in));
            Box::new(TableSearch::<R>::new(network, memory)?)
        }
    })
}
