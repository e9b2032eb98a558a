//! Games of an engine against itself, as training data.
//!
//! A shard is a number of games, made from the seed and the shard's number alone: shards can be made on any number of
//! threads, and a run that was stopped goes on with the shards that are missing.
//!
//! | what | how |
//! |---|---|
//! | opening variety | random moves first: up to 8, in one game of four up to 23 |
//! | variety after that | until ply 14 any move within 2 % of the best one |
//! | value of a position | the search; proved by the tree or by the solver near the end |
//! | more positions | tree nodes with enough visits, with their value but without a result |
//! | both rules | in turn |

use crate::LearnError;
use crate::shard::{self, EXTENSION, Record};
use engine::uttt::network::local::Numbering;
use engine::uttt::network::{Network, NetworkJudge};
use engine::uttt::{Evaluation, Player, Rules, SearchKind, Settings, Solver, TUNING};
use grid::simd::Isa;
use grid::{Game, Rng, Versus};
use search::Control;
use search::best_first::{BestFirst, Grown, RootMove};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use uttt::{CodinGame, Move, Next, Position, Rule, Standard, Uttt};

/// Who plays.
#[derive(Clone, Debug)]
pub enum Teacher {
    /// Alpha-beta with the hand-made evaluation: the first generation, when there is no network.
    HandMade,
    /// Best-first tree search with a network.
    Network(Arc<Network>),
}

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where the shards go.
    pub folder: PathBuf,
    /// How many shards there shall be.
    pub shards: u32,
    /// Games of a shard.
    pub games: u32,
    /// Visits of a move; alpha-beta gets three nodes for each.
    pub visits: u32,
    /// A tree node with so many visits becomes a record too; none do if this is 0.
    pub harvest: u32,
    /// The seed.
    pub seed: u64,
    /// Who plays.
    pub teacher: Teacher,
}

/// What a run made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// Shards written by this run.
    pub shards: u32,
    /// Shards that were there before.
    pub kept: u32,
    /// Records written.
    pub records: u64,
}

/// Plays until all shards are there. The control hears how many are done.
///
/// # Errors
/// If a file cannot be written, there is no memory, or the control stops the run: complete shards stay.
pub fn run(plan: &Plan, control: &Control<'_>) -> Result<Played, LearnError> {
    std::fs::create_dir_all(&plan.folder).map_err(|error| engine::store::StoreError::io(&plan.folder, error))?;
    let (next, done, records, written) = (AtomicU32::new(0), AtomicU32::new(0), AtomicU64::new(0), AtomicU32::new(0));
    let work = || -> Result<(), LearnError> {
        let mut players = Players::new(plan)?;
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= plan.shards {
                return Ok(());
            }
            let path = plan.folder.join(format!("{number:06}.{EXTENSION}"));
            if !path.exists() {
                let mut made = players.shard(plan, number, control)?;
                shard::merge(&mut made);
                shard::write(&path, &made)?;
                records.fetch_add(made.len() as u64, Relaxed);
                written.fetch_add(1, Relaxed);
            }
            control.report(u64::from(done.fetch_add(1, Relaxed) + 1), plan.shards.into());
        }
    };
    std::thread::scope(|scope| {
        let others = (1..control.thread_count()).map(|_| std::thread::Builder::new().spawn_scoped(scope, work));
        let others: Vec<_> = others.filter_map(Result::ok).collect();
        let own = work();
        let join = |other: std::thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        others.into_iter().map(join).fold(own, Result::and)
    })?;
    let shards = written.load(Relaxed);
    Ok(Played { shards, kept: plan.shards - shards, records: records.load(Relaxed) })
}

/// Memory of the searches of one thread.
const TREE_BYTES: usize = 16 << 20;
const SOLVER_BYTES: usize = 16 << 20;
/// Positions with more empty squares are not given to the solver.
const SOLVER_EMPTIES: u32 = 34;

/// The players of one thread, one for each rule.
struct Players(Side<Standard>, Side<CodinGame>);

impl Players {
    fn new(plan: &Plan) -> Result<Self, LearnError> {
        Ok(Self(Side::new(plan, Rules::Standard)?, Side::new(plan, Rules::CodinGame)?))
    }

    fn shard(&mut self, plan: &Plan, number: u32, control: &Control<'_>) -> Result<Vec<Record>, LearnError> {
        let mut rng = Rng::new(grid::mix(plan.seed).wrapping_add(number.into()));
        let mut records = Vec::new();
        for game in 0..plan.games {
            control.check()?;
            if game % 2 == 0 {
                self.0.game(plan, &mut rng, &mut records);
            } else {
                self.1.game(plan, &mut rng, &mut records);
            }
        }
        Ok(records)
    }
}

/// The player of one rule.
struct Side<R: Rule> {
    searcher: Searcher<R>,
    solver: Solver,
}

enum Searcher<R: Rule> {
    AlphaBeta(Box<Player>),
    Tree(Box<BestFirst<'static, Uttt<R>, NetworkJudge>>),
}

/// What a search says about a position.
struct Found {
    /// For the side to move, from -1 to 1.
    value: f32,
    proved: bool,
    /// The best move, then those that are nearly as good.
    good: Vec<Move>,
}

/// A move within this share of a win of the best one is nearly as good.
const NEARLY: f32 = 0.02;
/// Such moves are played until this ply.
const VARIED_PLIES: u32 = 14;

impl<R: Rule> Side<R> {
    fn new(plan: &Plan, rules: Rules) -> Result<Self, LearnError> {
        let searcher = match &plan.teacher {
            Teacher::HandMade => {
                let (search, evaluation) = (SearchKind::AlphaBeta, Evaluation::HandMade);
                let settings = Settings { rules, search, evaluation, seed: plan.seed };
                Searcher::AlphaBeta(Box::new(Player::new(settings, TREE_BYTES)?))
            }
            Teacher::Network(network) => {
                let judge = NetworkJudge(network.clone());
                Searcher::Tree(Box::new(BestFirst::new(Uttt::<R>::GAME, judge, Position::START, TUNING, TREE_BYTES)?))
            }
        };
        Ok(Self { searcher, solver: Solver::new(rules, SOLVER_BYTES)? })
    }

    fn game(&mut self, plan: &Plan, rng: &mut Rng, records: &mut Vec<Record>) {
        let game = Uttt::<R>::GAME;
        let mut position = Position::START;
        let opening = if rng.below(4) == 0 { rng.below(24) } else { rng.below(9) };
        for _ in 0..opening {
            let Some(mv) = rng.pick(game.moves(&position)) else { break };
            position = game.play_unchecked(&position, mv);
        }
        if let Searcher::Tree(tree) = &mut self.searcher {
            tree.set_root(position);
        }
        let mut movers = Vec::new();
        while game.result(&position).is_none() {
            let found = self.search(plan, &position, rng);
            records.push(record::<R>(&position, found.value, found.proved));
            movers.push((records.len() - 1, position.mover()));
            if let Searcher::Tree(tree) = &self.searcher
                && plan.harvest > 0
            {
                tree.each_known(plan.harvest, &mut |node, share, bounds| {
                    // Every second one: neighbours say nearly the same.
                    if rng.below(2) == 0 && node != &position {
                        records.push(record::<R>(node, 2.0 * share - 1.0, bounds.0 == bounds.1));
                    }
                });
            }
            let is_varied = !found.proved && position.ply() < VARIED_PLIES;
            let place = if is_varied { rng.below(found.good.len() as u32) as usize } else { 0 };
            let mv = found.good[place];
            position = game.play_unchecked(&position, mv);
            if let Searcher::Tree(tree) = &mut self.searcher {
                tree.advance(mv);
            }
        }
        let result = game.result(&position).unwrap_or(0).signum();
        for (place, mover) in movers {
            records[place].result = Some((result * mover.sign()) as i8);
        }
    }

    fn search(&mut self, plan: &Plan, position: &Position, rng: &mut Rng) -> Found {
        let mut found = match &mut self.searcher {
            Searcher::AlphaBeta(player) => {
                let control = Control::new().node_limit(3 * u64::from(plan.visits));
                let analysis = player.analyse(position, 1, &control);
                let mut good: Vec<Move> = analysis.best().into_iter().collect();
                // A random move now and then, since alpha-beta names only one.
                good.extend(rng.pick(position.moves::<R>()));
                let proved = analysis.value.outcome.is_some();
                Found { value: analysis.value.score as f32, proved, good }
            }
            Searcher::Tree(tree) => grown(tree, plan.visits),
        };
        if !found.proved && position.empties::<R>() <= SOLVER_EMPTIES {
            let solved = self.solver.solve(position, &Control::new().node_limit(2 * u64::from(plan.visits)));
            if let (Some(outcome), Some(best)) = (solved.value.outcome.filter(|_| solved.complete), solved.best()) {
                found = Found { value: outcome.sign() as f32, proved: true, good: vec![best] };
            }
        }
        found
    }
}

fn grown<R: Rule>(tree: &mut BestFirst<'static, Uttt<R>, NetworkJudge>, visits: u32) -> Found {
    // What was kept counts for at most half of the new visits, so that values of one game rest on similar numbers.
    let goal = tree.value().2.min(visits / 2) + visits;
    let control = Control::new().node_limit(u64::from(goal.saturating_sub(tree.value().2)));
    let mut meter = control.meter();
    while tree.grow(&mut meter, u32::MAX, Isa::detect()) == Grown::Full {
        tree.recycle();
    }
    let (share, (lower, upper), _) = tree.value();
    let moves = tree.moves();
    let top = moves.first().map_or(0.0, |it| it.value);
    let nearly = |it: &&RootMove<Move>| it.visits > 0 && it.value > top - NEARLY && it.bounds.1 > -1;
    let mut good: Vec<Move> = moves.iter().take(1).map(|it| it.mv).collect();
    good.extend(moves.iter().skip(1).filter(nearly).map(|it| it.mv));
    Found { value: (2.0 * share - 1.0).clamp(-1.0, 1.0), proved: lower == upper, good }
}

fn record<R: Rule>(position: &Position, value: f32, proved: bool) -> Record {
    let boards = Numbering::get().boards(position, position.mover());
    let next = match position.next() {
        Next::Board(board) => board.index() as u8,
        Next::Any | Next::Over => 9,
    };
    Record { boards, next, rule: R::MORE_BOARDS_WIN.into(), value, result: None, proved }
}
