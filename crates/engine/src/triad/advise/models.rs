//! How well a model explains what an opponent played: the likelihood of his moves.
//!
//! The hand is hidden, so the chance of a move is the mean over the worlds, each with the weight that the moves before it
//! give it. A model that forbids a move would explain nothing any more, so one move in twenty is taken to be a slip: a
//! random move.
//!
//! Under Chaos the card is drawn, so a model only explains the cell. Perfect play is then one of the best cells of the card as
//! the open solver values them, which estimates above [`CHAOS_CELLS`](crate::triad::CHAOS_CELLS) empty cells.

use super::deal::{HiddenDeal, Side};
use super::open::open_game;
use super::position::{HiddenMove, HiddenPosition, THEIRS};
use crate::analysis::Line;
use crate::error::Error;
use crate::triad::best_of_each_card;
use crate::triad::solve::{Lines, Solver};
use ::search::Control;
use grid::Cell;
use triad::{Card, HAND, Move};

/// The share of random moves in the models of greedy and perfect play.
pub const SLIPS: f64 = 0.05;

/// The models of an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// A random card on a random cell.
    Random,
    /// One of the moves that leave him the most cards now.
    Greedy,
    /// One of the moves that keep the best result, as if both hands were open.
    Perfect,
}

impl Model {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Random, Self::Greedy, Self::Perfect];
}

/// The natural logarithm of the chance of the opponent's moves under each model, in the order of [`Model::ALL`], and the
/// number of his moves that were not forced.
///
/// # Errors
/// If a move is not legal, or the control stops the call.
pub fn likelihoods(
    deal: &HiddenDeal,
    start: &HiddenPosition,
    moves: &[HiddenMove],
    control: &Control<'_>,
) -> Result<([f64; 3], u32), Error> {
    let worlds: Vec<usize> = deal.worlds_left(start).collect();
    let mut weights = Model::ALL.map(|_| vec![1.0; worlds.len()]);
    let (mut logs, mut free_moves) = ([0.0; 3], 0);
    let (mut position, mut solver) = (*start, Solver::default());
    for mv in moves {
        control.check()?;
        let next = deal.play(&position, *mv)?;
        if deal.turn(&position) == Side::Opponent {
            free_moves += u32::from(deal.moves(&position).len() > 1);
            for (at, model) in Model::ALL.into_iter().enumerate() {
                let before: f64 = weights[at].iter().sum();
                for (weight, world) in weights[at].iter_mut().zip(&worlds).filter(|(weight, _)| **weight > 0.0) {
                    *weight *= chance(&mut solver, deal, &position, *world, *mv, model, control)?;
                }
                logs[at] += (weights[at].iter().sum::<f64>() / before).ln();
            }
        }
        position = next;
    }
    Ok((logs, free_moves))
}

/// The chance that the opponent makes this move if he holds the hand of this world.
fn chance(
    solver: &mut Solver,
    deal: &HiddenDeal,
    position: &HiddenPosition,
    world: usize,
    mv: HiddenMove,
    model: Model,
    control: &Control<'_>,
) -> Result<f64, Error> {
    let mut possible: Vec<HiddenMove> =
        deal.moves(position).into_iter().filter(|mv| deal.play_unchecked(position, *mv).holds(world)).collect();
    // Equal cards are one card here.
    let same = |one: &HiddenMove| deal.opponent_cards()[usize::from(one.card)];
    let is_it = |one: &HiddenMove| one.cell == mv.cell && same(one) == same(&mv);
    if !possible.iter().any(is_it) {
        return Ok(0.0);
    }
    let mut drawn = 1.0;
    if deal.is_drawn(Side::Opponent) {
        let hand = &deal.setup().worlds[world];
        let laid = (position.lying() & THEIRS).count_ones() as usize;
        let equal = |card: &&Card| **card == same(&mv);
        let laid_equal = Cell::ALL
            .into_iter()
            .filter_map(|cell| position.at(cell))
            .filter(|laid| laid.from == Side::Opponent && deal.opponent_cards()[usize::from(laid.card)] == same(&mv));
        drawn = (hand.iter().filter(equal).count() - laid_equal.count()) as f64 / (HAND - laid) as f64;
        possible.retain(|one| same(one) == same(&mv));
    }
    let random = 1.0 / possible.len() as f64;
    let best: Vec<HiddenMove> = match model {
        Model::Random => return Ok(drawn * random),
        Model::Greedy => {
            let mine = |mv: &HiddenMove| deal.play_unchecked(position, *mv).score();
            let least = possible.iter().map(mine).min();
            possible.into_iter().filter(|mv| Some(mine(mv)) == least).collect()
        }
        Model::Perfect => {
            let (open, mut start) = open_game(deal, position, world)?;
            if deal.is_drawn(Side::Opponent) {
                let is_it = |card: &u8| open.setup().card((*card).into()) == same(&mv);
                start = (HAND as u8..10).filter(is_it).find_map(|card| open.draw(&start, card)).unwrap_or(start);
            }
            let analysis = solver.analyse(&open, &start, Lines::All, control);
            if !analysis.complete {
                control.check()?;
                // Estimates are not complete either.
                if !deal.setup().rules.has_chaos() {
                    return Err(::search::Stop::Nodes.into());
                }
            }
            let best: Vec<Move> = if deal.setup().rules.has_chaos() {
                best_of_each_card(&open, &start, &analysis.lines)
            } else {
                let keeps = |line: &&Line<Move>| line.value.outcome == analysis.value.outcome;
                analysis.lines.iter().filter(keeps).map(|line| line.mv).collect()
            };
            let keeps = |mv: &HiddenMove| {
                best.iter().any(|best| {
                    let card = usize::from(best.card()) - HAND;
                    best.cell() == mv.cell && deal.setup().worlds[world][card] == same(mv)
                })
            };
            possible.into_iter().filter(keeps).collect()
        }
    };
    let share = if best.iter().any(is_it) { 1.0 / best.len() as f64 } else { 0.0 };
    Ok(drawn * ((1.0 - SLIPS) * share + SLIPS * random))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triad::advise::HiddenSetup;
    use crate::triad::cards::{Book, HandCard};
    use grid::Rng;
    use triad::{Edition, Rules};

    fn deal(seed: u64, rules: &str) -> HiddenDeal {
        let mut rng = Rng::new(seed);
        let book = Book::built_in(Edition::Ff14);
        let mut card = || HandCard::of(&book.cards()[rng.below(400) as usize]).card;
        let hand = std::array::from_fn(|_| card());
        let pool: Vec<_> = (0..6).map(|_| card()).collect();
        let worlds = (0..6).map(|out| {
            let hand: Vec<_> = (0..6).filter(|at| *at != out).map(|at| pool[at]).collect();
            hand.try_into().unwrap()
        });
        let rules = Rules::read(rules, Edition::Ff14).unwrap();
        let setup = HiddenSetup {
            rules,
            elements: [None; 9],
            hand,
            worlds: worlds.collect(),
            first: Side::Me,
            known_order: false,
        };
        HiddenDeal::new(&setup).unwrap()
    }

    /// A game in which I play at random and the opponent holds the first hand and plays by a model.
    fn game(deal: &HiddenDeal, model: Model, seed: u64) -> Vec<HiddenMove> {
        let (mut rng, mut position, mut moves) = (Rng::new(seed), deal.start(), Vec::new());
        let mut solver = Solver::default();
        while !position.free().is_empty() {
            let legal = deal.moves(&position);
            let mv = if deal.turn(&position) == Side::Me {
                rng.pick(legal.into_iter()).unwrap()
            } else {
                let chances: Vec<f64> = legal
                    .iter()
                    .map(|mv| chance(&mut solver, deal, &position, 0, *mv, model, &Control::new()).unwrap())
                    .collect();
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "chances of all moves sum to 1");
                let mut draw = f64::from(rng.below(1 << 20)) / f64::from(1 << 20);
                let at = chances.iter().position(|chance| {
                    draw -= chance;
                    draw < 0.0
                });
                legal[at.unwrap_or(legal.len() - 1)]
            };
            position = deal.play(&position, mv).unwrap();
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn games_are_explained_best_by_the_model_that_played_them() {
        for (at, model) in Model::ALL.into_iter().enumerate() {
            let mut sums = [0.0; 3];
            for seed in 0..6 {
                let deal = deal(seed, "-");
                let moves = game(&deal, model, seed ^ 99);
                let (logs, count) = likelihoods(&deal, &deal.start(), &moves, &Control::new()).unwrap();
                assert_eq!(count, 4);
                (0..3).for_each(|at| sums[at] += logs[at]);
            }
            let best = (0..3).max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap();
            assert_eq!(best, at, "{model:?}: {sums:?}");
        }
    }

    #[test]
    fn under_chaos_the_chances_of_all_moves_sum_to_one() {
        // Checked by `game` at every move of the opponent.
        for model in [Model::Random, Model::Greedy] {
            let deal = deal(3, "chaos");
            let moves = game(&deal, model, 5);
            let (logs, _) = likelihoods(&deal, &deal.start(), &moves[..4], &Control::new()).unwrap();
            assert!(logs.iter().all(|log| log.is_finite() && *log < 0.0), "{logs:?}");
        }
    }

    #[test]
    fn an_illegal_move_is_an_error() {
        let deal = deal(1, "-");
        let moves = [HiddenMove { card: 0, cell: Cell::CENTRE }; 2];
        assert!(likelihoods(&deal, &deal.start(), &moves, &Control::new()).is_err());
    }
}
