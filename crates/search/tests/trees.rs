//! Every search against plain negamax on pseudo-random trees: many ties, many transpositions, sides that alternate and
//! sides that do not. A failure prints the tree's seed.

use grid::simd::Isa;
use grid::{Game, Versus};
use ninefold_search::alphabeta;
use ninefold_search::playout::{Policy, TakeWins, Uniform};
use ninefold_search::{AlphaBeta, Bound, Control, Evaluated, Evaluator, Exact, Hashed, Mcts, Playouts, Stop, Table};
use ninefold_search::{Clock, Leaf, Progress, Unguided};
use oracle::negamax;
use oracle::tree::{Node, Tree};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const TREES: u64 = 3000;

/// Both kinds of trees.
fn trees(count: u64) -> impl Iterator<Item = Tree> {
    (0..count).flat_map(|seed| [true, false].map(|alternates| Tree { seed, alternates }))
}

/// Guesses that mislead, and an order that is as good as random.
struct Misguided;

impl Misguided {
    const LIMIT: i32 = 2 * <Self as Evaluator<Tree>>::SCALE - 1;
}

impl Evaluator<Tree> for Misguided {
    /// The position itself and how it came about: a search that mixes up its plies is caught.
    type State = (Node, Vec<u8>);
    const SCALE: i32 = 3;
    const HAS_PRIORS: bool = true;

    fn state(&self, _: &Tree, node: &Node) -> Self::State {
        (*node, Vec::new())
    }

    fn state_after(&self, tree: &Tree, state: &Self::State, before: &Node, mv: u8, after: &Node) -> Self::State {
        assert_eq!((state.0, tree.play_unchecked(before, mv)), (*before, *after));
        (*after, [state.1.as_slice(), &[mv]].concat())
    }

    fn evaluate(&self, tree: &Tree, node: &Node, state: &Self::State) -> i32 {
        assert_eq!(state.0, *node);
        tree.guess(node, Self::LIMIT) * tree.mover(node).sign()
    }

    fn priors(&self, tree: &Tree, node: &Node, state: &Self::State, priors: &mut Vec<f32>) {
        assert_eq!(state.0, *node);
        let count = tree.moves(node).len() as f32;
        priors.extend(tree.moves(node).enumerate().map(|(at, _)| 2.0 * (at as f32 + 1.0) / (count * (count + 1.0))));
    }

    fn urgency(&self, tree: &Tree, node: &Node, mv: u8) -> i32 {
        tree.guess(&tree.play_unchecked(node, mv), 1)
    }
}

/// Plays a line: every move must be legal. The end of it.
fn follow(tree: &Tree, line: &[u8]) -> Node {
    line.iter().fold(tree.start(), |node, &mv| tree.play(&node, mv).expect("a legal line"))
}

#[test]
fn alpha_beta_finds_the_value_and_a_line_that_shows_it() {
    for tree in trees(TREES) {
        let table = Table::<Exact, _>::with_bytes(1 << 13).unwrap();
        let answer = AlphaBeta::new(&tree, Unguided, &table).solve(&tree.start(), &Control::new(), Isa::detect());
        let value = negamax::value(&tree, &tree.start());
        assert_eq!((answer.value, answer.bound), (value, Bound::Exact), "{tree:?}");
        assert!(answer.report.proved && answer.report.stopped_by.is_none(), "{tree:?}");
        let end = follow(&tree, &answer.line);
        assert_eq!(tree.result(&end).map(|r| r * tree.mover(&tree.start()).sign()), Some(value), "{tree:?}");
    }
}

#[test]
fn alpha_beta_to_a_depth_is_negamax_to_that_depth_whatever_the_guide_says() {
    for tree in trees(TREES / 3) {
        // A table of one bucket forgets nearly everything and must not matter.
        for bytes in [64, 1 << 13] {
            let table = Table::<Hashed, _>::with_bytes(bytes).unwrap();
            let search = AlphaBeta::new(&tree, Misguided, &table);
            for depth in 0..=8 {
                let guess = |node: &Node| tree.guess(node, Misguided::LIMIT);
                let expected = negamax::value_to_depth(&tree, &tree.start(), depth, 3, &guess);
                let answer = search.solve(&tree.start(), &Control::new().depth_limit(depth), Isa::detect());
                assert_eq!(answer.value, expected, "{tree:?} depth {depth}");
                if answer.report.proved {
                    assert_eq!(answer.value, 3 * negamax::value(&tree, &tree.start()), "{tree:?} depth {depth}");
                } else {
                    assert_eq!((answer.report.depth, answer.report.stopped_by), (depth, Some(Stop::Depth)));
                }
            }
        }
    }
}

#[test]
fn every_move_of_the_root_gets_its_own_value() {
    for tree in trees(TREES / 3) {
        let table = Table::<Exact, _>::with_bytes(1 << 13).unwrap();
        let search = AlphaBeta::new(&tree, Misguided, &table);
        let answer = search.solve_every_move(&tree.start(), &Control::new(), Isa::detect());
        let start = tree.start();
        assert_eq!(answer.moves.len(), tree.moves(&start).len());
        for root_move in &answer.moves {
            let next = tree.play_unchecked(&start, root_move.mv);
            let expected = negamax::value(&tree, &next) * tree.mover(&next).sign() * tree.mover(&start).sign();
            assert_eq!(root_move.value, 3 * expected, "{tree:?} {root_move:?}");
            assert!(root_move.proved && root_move.line[0] == root_move.mv);
            let end = follow(&tree, &root_move.line);
            assert_eq!(tree.result(&end).map(|r| r * tree.mover(&start).sign()), Some(expected), "{tree:?}");
        }
        assert!(answer.moves.is_sorted_by_key(|root_move| -root_move.value));
        assert_eq!(answer.value, 3 * negamax::value(&tree, &start));
        assert!(answer.report.proved);
    }
}

#[test]
fn the_best_lines_have_their_own_values_and_the_others_are_no_better() {
    for tree in trees(TREES / 3) {
        let start = tree.start();
        let value = |mv| {
            let next = tree.play_unchecked(&start, mv);
            3 * negamax::value(&tree, &next) * tree.mover(&next).sign() * tree.mover(&start).sign()
        };
        let mut values: Vec<_> = tree.moves(&start).map(value).collect();
        values.sort_by_key(|value| -value);
        for lines in 2..5 {
            let table = Table::<Exact, _>::with_bytes(1 << 13).unwrap();
            let search = AlphaBeta::new(&tree, Misguided, &table);
            let answer = search.solve_lines(&start, lines, &Control::new(), Isa::detect());
            assert!(answer.report.proved);
            assert_eq!(answer.moves.len(), values.len());
            for (place, root_move) in answer.moves.iter().enumerate() {
                if place < lines {
                    assert_eq!(root_move.value, value(root_move.mv), "{tree:?} {lines} {root_move:?}");
                    assert_eq!(root_move.value, values[place], "{tree:?} {lines}");
                    let end = follow(&tree, &root_move.line);
                    let result = tree.result(&end).map(|result| 3 * result * tree.mover(&start).sign());
                    assert_eq!(result, Some(root_move.value), "{tree:?}");
                } else {
                    assert!(value(root_move.mv) <= root_move.value && root_move.value <= values[lines - 1]);
                }
            }
        }
    }
}

#[test]
fn a_table_shared_by_searches_of_every_depth_and_position_stays_right() {
    for tree in trees(TREES / 10) {
        let table = Table::<Exact, _>::with_bytes(1 << 10).unwrap();
        let search = AlphaBeta::new(&tree, Misguided, &table);
        for depth in [3, 1, 8, 2, 5] {
            for mv in tree.moves(&tree.start()) {
                let next = tree.play_unchecked(&tree.start(), mv);
                let answer = search.solve(&next, &Control::new().depth_limit(depth), Isa::detect());
                if answer.report.proved {
                    assert_eq!(answer.value, 3 * negamax::value(&tree, &next), "{tree:?} {next:?} depth {depth}");
                }
                assert!(answer.report.proved || depth < 8, "{tree:?} {next:?}: the whole tree was in reach");
            }
        }
    }
}

#[test]
fn a_budget_of_nodes_is_kept_and_what_is_claimed_then_holds() {
    for tree in trees(TREES / 10) {
        for nodes in [0, 1, 7, 40, 200] {
            let table = Table::<Exact, _>::with_bytes(1 << 13).unwrap();
            let search = AlphaBeta::new(&tree, Unguided, &table);
            let answer = search.solve(&tree.start(), &Control::new().node_limit(nodes), Isa::detect());
            assert!(answer.report.nodes <= nodes);
            follow(&tree, &answer.line);
            match answer.report.stopped_by {
                None => assert_eq!(answer.value, negamax::value(&tree, &tree.start()), "{tree:?} {nodes}"),
                Some(stop) => assert_eq!((stop, answer.report.proved), (Stop::Nodes, false)),
            }
        }
    }
}

#[test]
fn monte_carlo_proves_the_value_and_plays_a_move_that_reaches_it() {
    for tree in trees(TREES) {
        let mut search = Mcts::<_, _, true>::new(&tree, Playouts(Uniform), tree.start(), 1 << 16, tree.seed).unwrap();
        let answer = search.search(&Control::new(), Isa::detect());
        let value = negamax::value(&tree, &tree.start());
        assert_eq!((answer.lower, answer.upper, answer.report.proved), (value, value, true), "{tree:?}");
        let best = answer.best.expect("the root has moves");
        let next = tree.play_unchecked(&tree.start(), best);
        let after = negamax::value(&tree, &next) * tree.mover(&next).sign() * tree.mover(&tree.start()).sign();
        assert_eq!(after, value, "{tree:?}: {best} throws it away");
        assert!((answer.estimate * 2.0 - value as f32).abs() < 1e-6, "{tree:?}");
    }
}

#[test]
fn monte_carlo_bounds_hold_before_the_proof_and_after_moving_on() {
    for tree in trees(TREES / 3) {
        let mut search = Mcts::<_, _, true>::new(&tree, Playouts(TakeWins), tree.start(), 1 << 15, tree.seed).unwrap();
        while !tree.is_over(search.root()) {
            let answer = search.search(&Control::new().node_limit(20), Isa::detect());
            let root = *search.root();
            let value = negamax::value(&tree, &root);
            assert!(answer.lower <= value && value <= answer.upper, "{tree:?} {root:?}: {answer:?}, truth {value}");
            for root_move in &answer.moves {
                let next = tree.play_unchecked(&root, root_move.mv);
                let truth = negamax::value(&tree, &next) * tree.mover(&next).sign() * tree.mover(&root).sign();
                assert!(root_move.lower <= truth && truth <= root_move.upper, "{tree:?} {root:?} {root_move:?}");
            }
            let best = answer.moves.iter().find(|root_move| Some(root_move.mv) == answer.best).expect("a best move");
            let surest = answer.moves.iter().map(|root_move| root_move.lower).max().unwrap();
            assert!(
                best.upper > surest || best.lower == surest,
                "{tree:?}: a proved loss chosen over something better"
            );
            let visited: u32 = answer.moves.iter().map(|root_move| root_move.visits).sum();
            assert!(search.advance(best.mv) && !search.advance(99));
            assert!(visited > 0 || answer.report.proved);
        }
        let over = search.search(&Control::new(), Isa::detect());
        assert!(over.best.is_none() && over.report.proved);
        assert_eq!(over.lower, negamax::value(&tree, search.root()));
    }
}

#[test]
fn plain_uct_proves_nothing_and_ends() {
    for tree in trees(50) {
        let mut search = Mcts::<_, _, false>::new(&tree, Playouts(Uniform), tree.start(), 1 << 14, tree.seed).unwrap();
        let answer = search.search(&Control::new().node_limit(500), Isa::detect());
        assert!(!answer.report.proved && answer.best.is_some());
        assert_eq!((answer.lower, answer.upper, answer.report.nodes), (-2, 2, 500));
        assert_eq!(answer.moves.iter().map(|root_move| root_move.visits).sum::<u32>(), 500);
        assert!(search.search(&Control::new(), Isa::detect()).report.nodes > 0);
    }
}

#[test]
fn a_pool_too_small_ends_the_search_without_a_proof() {
    let tree = Tree { seed: 3, alternates: true };
    let mut search = Mcts::<_, _, true>::new(&tree, Playouts(Uniform), tree.start(), 100, 1).unwrap();
    let answer = search.search(&Control::new(), Isa::detect());
    assert_eq!((answer.report.proved, answer.report.stopped_by), (false, Some(Stop::Memory)));
}

#[test]
fn every_level_visits_the_same_nodes() {
    let fingerprint = |tree: &Tree, isa| {
        let start = tree.start();
        let table = Table::<Exact, alphabeta::Entry>::with_bytes(1 << 12).unwrap();
        let alpha_beta = AlphaBeta::new(tree, Misguided, &table).solve(&start, &Control::new(), isa);
        let mut mcts = Mcts::<_, _, true>::new(tree, Playouts(Uniform), start, 1 << 16, 5).unwrap();
        let mcts = mcts.search(&Control::new(), isa);
        ((alpha_beta.line, alpha_beta.report.nodes), (mcts.line, mcts.moves, mcts.report.nodes))
    };
    for tree in trees(200) {
        let scalar = fingerprint(&tree, Isa::Scalar);
        for isa in Isa::available() {
            assert_eq!(fingerprint(&tree, isa), scalar, "{tree:?} on {isa}");
        }
    }
}

/// The depth of the budget ends a tree search with the first line that long, unless it has its answer before.
#[test]
fn tree_search_stops_at_a_longest_line() {
    let mut stopped = 0;
    for tree in trees(TREES / 3) {
        for depth in 1..=4 {
            let mut search =
                Mcts::<_, _, true>::new(&tree, Playouts(Uniform), tree.start(), 1 << 16, tree.seed).unwrap();
            let report = search.search(&Control::new().depth_limit(depth), Isa::detect()).report;
            assert!(report.depth <= depth, "{tree:?} {report:?}");
            assert!(
                report.proved || (report.depth, report.stopped_by) == (depth, Some(Stop::Depth)),
                "{tree:?} {report:?}"
            );
            stopped += usize::from(!report.proved);
        }
    }
    assert!(stopped > TREES as usize / 3, "{stopped}");
}

#[test]
fn a_tree_with_an_evaluator_proves_the_value_however_wrong_its_estimates_and_priors_are() {
    for tree in trees(TREES / 3) {
        let mut search =
            Mcts::<_, _, true>::new(&tree, Evaluated(Misguided), tree.start(), 1 << 17, tree.seed).unwrap();
        let answer = search.search(&Control::new(), Isa::detect());
        let value = negamax::value(&tree, &tree.start());
        assert_eq!((answer.lower, answer.upper, answer.report.proved), (value, value, true), "{tree:?}");
    }
}

#[test]
fn the_estimate_of_a_tree_is_the_mean_of_its_leaves() {
    /// Every leaf is worth a quarter to the first player.
    struct Quarter;
    impl Leaf<Tree> for Quarter {
        type State = ();
        type Prior = ();
        fn state(&self, _: &Tree, _: &Node) {}
        fn state_after(&self, _: &Tree, (): &(), _: &Node, _: u8, _: &Node) {}
        fn value(&self, _: &Tree, _: &Node, (): &(), _: &mut grid::Rng) -> f32 {
            0.25
        }
    }
    for tree in trees(50) {
        let mut search = Mcts::<_, _, false>::new(&tree, Quarter, tree.start(), 1 << 14, 1).unwrap();
        let found = search.search(&Control::new().node_limit(300), Isa::detect());
        assert_eq!(found.estimate, 0.25 * tree.mover(&tree.start()).sign() as f32, "{tree:?}");
    }
}

#[test]
fn a_leaf_has_the_value_of_its_playout_or_of_its_evaluation() {
    let best = <Tree as Versus>::BEST as f32;
    for tree in trees(300) {
        let start = tree.start();
        let rng = || grid::Rng::new(tree.seed);
        let result = Uniform.play_to_result(&tree, &start, &mut rng()) as f32;
        assert_eq!(Playouts(Uniform).value(&tree, &start, &(), &mut rng()), result / best, "{tree:?}");
        let state = Misguided.state(&tree, &start);
        let expected = match tree.result(&start) {
            Some(result) => result as f32 / best,
            None => {
                let guess = Misguided.evaluate(&tree, &start, &state) * tree.mover(&start).sign();
                (guess as f32 / (3.0 * best)).clamp(-1.0, 1.0)
            }
        };
        assert_eq!(Evaluated(Misguided).value(&tree, &start, &state, &mut rng()), expected, "{tree:?}");
    }
}

#[test]
fn a_listener_hears_partial_results_of_alpha_beta() {
    // Every look at this clock takes 60 ms, so that nothing is throttled.
    static NOW: AtomicU64 = AtomicU64::new(0);
    let clock = Clock::new(|| Duration::from_millis(NOW.fetch_add(60, Relaxed)));
    for tree in trees(20) {
        let heard = Mutex::new(Vec::new());
        let listener = |progress: &Progress<'_>| {
            let partial = progress.partial::<alphabeta::Found<u8>>();
            heard.lock().unwrap().extend(partial.map(|found| found.report.depth));
        };
        let table = Table::<Exact, _>::with_bytes(1 << 13).unwrap();
        let control = Control::new().clock(clock).progress(&listener);
        let found = AlphaBeta::new(&tree, Misguided, &table).solve(&tree.start(), &control, Isa::detect());
        assert_eq!(heard.into_inner().unwrap(), (1..=found.report.depth).collect::<Vec<_>>(), "{tree:?}");
    }
}
