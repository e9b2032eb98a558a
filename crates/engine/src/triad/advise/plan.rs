//! What the adviser computes, in which order: cheap bounds first, then the moves that may be the best.
//!
//! ```text
//! open         each world by itself: who wins after each move           upper bounds of everything else
//! certain      one search per move and target, where no world is lost openly
//! guaranteed   first whether a move can be as good as the best known, then the exact number of every move
//! random       each move; from more than seven empty cells reply by reply, with an error until all are solved
//! careful      the same under Chaos, card by card
//! greedy       the same as random
//! ```
//!
//! From more than seven empty cells the chances against random play of the best few moves begin between the two rounds of
//! guaranteed numbers; under Chaos all careful ones are there, because little is guaranteed against all draws. Each step takes its moves from the control's threads, best bound first. After each result a partial
//! answer goes out.

use super::super::parallel::in_order;
use super::super::solve::Solver;
use super::answer::{Advice, Bounds, Chances, EXACT_CELLS, Measures, MoveAdvice, Query};
use super::beliefs::Beliefs;
use super::certain::{Certain, Proofs};
use super::deal::{HiddenDeal, Side};
use super::estimate::{Estimate, drawn};
use super::greedy::{Greedy, Weighted};
use super::guaranteed::{Fronts, Guaranteed};
use super::last_three::bits;
use super::node::{Danger, Node, Table};
use super::open;
use super::position::{HiddenMove, HiddenPosition};
use super::random::{Counts, Random, Reply};
use super::replays::Replays;
use super::subject::{Goal, Sample, Subject, tasks, valued};
use crate::error::Error;
use crate::value::Outcome;
use ::search::Control;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use triad::Move;

/// The measures of a position and of each of my moves.
///
/// If the control stops it, what is not known yet has bounds, and chances that were not reached are missing.
#[must_use]
pub fn advise(deal: &HiddenDeal, position: &HiddenPosition, query: &Query, control: &Control<'_>) -> Advice {
    if deal.setup().rules.is_basic() {
        Context::<false>::new(deal, position, query, control).run()
    } else {
        Context::<true>::new(deal, position, query, control).run()
    }
}

/// How many moves get chances before the guaranteed numbers of all moves are known, and from how many replies each.
const EARLY: (usize, usize) = (5, 2);

/// Bytes for the table of one thread, if no limit is given.
const TABLE_BYTES: usize = 8 << 20;

/// A step that runs between two others.
type Step<'b> = dyn FnMut(&mut [Subject]) -> Result<(), Error> + 'b;

/// What all steps share. `SPECIAL`: Same or Plus is on.
struct Context<'a, const SPECIAL: bool> {
    deal: &'a HiddenDeal,
    position: &'a HiddenPosition,
    query: &'a Query,
    control: &'a Control<'a>,
    danger: Danger,
    /// For all worlds left.
    beliefs: Beliefs,
    /// If draws are replayed; or why their results are not known.
    replays: Result<Option<Replays<'a>>, Error>,
    /// Nodes that the control had counted before.
    counted: u64,
}

impl<'a, const SPECIAL: bool> Context<'a, SPECIAL> {
    fn new(deal: &'a HiddenDeal, position: &'a HiddenPosition, query: &'a Query, control: &'a Control<'a>) -> Self {
        let (danger, beliefs) = (Danger::new(deal), Beliefs::new(deal, position));
        let counted = control.nodes();
        let replays = Replays::new(deal, position, control);
        Self { deal, position, query, control, danger, beliefs, replays, counted }
    }

    fn run(&self) -> Advice {
        let mut subjects = self.subjects();
        let complete = self.replays.is_ok() && self.steps(&mut subjects).is_ok();
        self.advice(&subjects, complete)
    }

    /// My moves, or the position itself.
    fn subjects(&self) -> Vec<Subject> {
        let is_mine = self.deal.turn(self.position) == Side::Me && !self.position.free().is_empty();
        let mut moves: Vec<Option<HiddenMove>> =
            if is_mine { self.deal.moves(self.position).into_iter().map(Some).collect() } else { vec![None] };
        if is_mine && self.is_drawn_later() {
            moves.push(None);
        }
        let worlds = Bounds { low: 0, high: self.most() };
        let certain = Bounds { low: Outcome::Loss, high: Outcome::Win };
        let measures = Measures { certain, win: worlds, not_lose: worlds, random: None, careful: None, greedy: None };
        let new = Estimate::default;
        let subject = |mv| Subject { mv, open: [0; 2], measures, random: new(), careful: new(), greedy: new() };
        moves.into_iter().map(subject).collect()
    }

    /// The number of worlds left.
    fn most(&self) -> u32 {
        self.position.worlds().count_ones()
    }

    /// Whether it is my turn and my card is still to be drawn.
    fn is_drawn_later(&self) -> bool {
        self.deal.is_drawn(Side::Me) && self.position.drawn().is_none()
    }

    /// Bytes for the table of one thread.
    fn table_bytes(&self) -> usize {
        self.control.memory().map_or(TABLE_BYTES, |memory| memory / self.control.thread_count().max(1))
    }

    fn steps(&self, subjects: &mut [Subject]) -> Result<(), Error> {
        self.open(subjects)?;
        self.certain(subjects)?;
        if self.position.free().len() <= EXACT_CELLS {
            self.guaranteed(subjects, None)?;
            if self.query.random {
                self.chances(subjects, Reply::Random)?;
                if self.deal.is_drawn(Side::Opponent) {
                    self.chances(subjects, Reply::Careful)?;
                }
            }
            return if self.query.greedy { self.greedy(subjects) } else { Ok(()) };
        }
        let mut rest = Vec::new();
        let mut begin_chances = |subjects: &mut [Subject]| {
            if !self.query.random {
                return Ok(());
            }
            let early: Vec<usize> = valued(subjects).into_iter().take(EARLY.0).collect();
            let is_early = |sample: &Sample| sample.round < EARLY.1 && early.contains(&sample.subject);
            let (first, others) = self.random_samples(subjects).into_iter().partition(is_early);
            rest = others;
            self.random_replies(subjects, &first)?;
            if self.deal.is_drawn(Side::Opponent) { self.careful_cards(subjects) } else { Ok(()) }
        };
        self.guaranteed(subjects, Some(&mut begin_chances))?;
        self.random_replies(subjects, &rest)?;
        if self.query.greedy { self.greedy_replies(subjects) } else { Ok(()) }
    }

    fn open(&self, subjects: &mut [Subject]) -> Result<(), Error> {
        let worlds: Vec<usize> = self.deal.worlds_left(self.position).collect();
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let is_plain = !self.deal.setup().rules.has_chaos() && matches!(self.replays, Ok(None));
        let work = |state: &mut (Solver, Option<Proofs>), world: &usize| {
            if is_plain {
                return open::outcomes(&mut state.0, self.deal, self.position, *world, &moves, self.control);
            }
            self.open_outcomes(state.1.get_or_insert_with(Proofs::new), *world, &moves)
        };
        self.each(&worlds, Default::default, work, subjects, |subjects, world, outcomes| {
            for (subject, outcome) in subjects.iter_mut().zip(outcomes) {
                for (goal, open) in Goal::BOTH.into_iter().zip(&mut subject.open) {
                    if outcome >= goal.outcome() {
                        *open |= 1 << world;
                    } else {
                        goal.of_mut(&mut subject.measures).high -= 1;
                    }
                }
                let high = &mut subject.measures.certain.high;
                *high = outcome.min(*high);
            }
        })
    }

    /// The result for me in one world whatever is drawn, if draws may be replayed: the certain result if there is no other
    /// world.
    fn open_outcomes(
        &self,
        proofs: &mut Proofs,
        world: usize,
        moves: &[Option<HiddenMove>],
    ) -> Result<Vec<Outcome>, Error> {
        let position = self.position.in_worlds(1 << world);
        let beliefs = Beliefs::new(self.deal, &position);
        proofs.clear();
        let outcome = |mv: &Option<HiddenMove>| {
            for goal in Goal::BOTH {
                let (mut table, node) = self.table_of(&position, &beliefs, *mv);
                let reached = Certain { table: &mut table, proofs }.reaches(&node, goal.target());
                if let Some(stop) = table.stopped_by() {
                    return Err(stop.into());
                }
                if reached {
                    return Ok(goal.outcome());
                }
            }
            Ok(Outcome::Loss)
        };
        moves.iter().map(outcome).collect()
    }

    /// Whether one strategy reaches the goal in all worlds, for every move after which no world is lost openly.
    fn certain(&self, subjects: &mut [Subject]) -> Result<(), Error> {
        let is_open = |(at, goal): &(usize, Goal)| subjects[*at].open[*goal as usize] == self.position.worlds();
        let tasks: Vec<(usize, Goal)> = tasks(subjects).into_iter().filter(is_open).collect();
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let work = |proofs: &mut Proofs, (at, goal): &(usize, Goal)| {
            let (mut table, node) = self.table(moves[*at]);
            let reached = Certain { table: &mut table, proofs }.reaches(&node, goal.target());
            table.stopped_by().map_or(Ok(reached), |stop| Err(stop.into()))
        };
        self.each(&tasks, Proofs::new, work, subjects, |subjects, (at, goal), reached| {
            let measures = &mut subjects[*at].measures;
            if reached {
                goal.of_mut(measures).low = self.most();
                measures.certain.low = measures.certain.low.max(goal.outcome());
            } else {
                goal.of_mut(measures).high = self.most() - 1;
                let below = if *goal == Goal::Win { Outcome::Draw } else { Outcome::Loss };
                measures.certain.high = measures.certain.high.min(below);
            }
        })
    }

    /// The numbers of worlds: first of the moves that reach the best number known so far, while the others get an upper
    /// bound; then of all moves. `between` runs after the first round; without it both rounds share their tables.
    fn guaranteed(&self, subjects: &mut [Subject], between: Option<&mut Step<'_>>) -> Result<(), Error> {
        let is_open = |(at, goal): &(usize, Goal)| !goal.of(&subjects[*at].measures).is_exact();
        let tasks: Vec<(usize, Goal)> = tasks(subjects).into_iter().filter(is_open).collect();
        let round = |best_only: bool| tasks.iter().map(|(at, goal)| (*at, *goal, best_only)).collect::<Vec<_>>();
        let best = Goal::BOTH.map(|goal| {
            let known = subjects.iter().map(|subject| goal.of(&subject.measures).low).max();
            AtomicU32::new(known.unwrap_or(0))
        });
        let before = subjects.to_vec();
        // What the first round has found, so that the second does not ask again: an upper bound, or the exact number.
        const EXACT: u32 = 1 << 31;
        let high: Vec<[AtomicU32; 2]> = (subjects.iter())
            .map(|subject| Goal::BOTH.map(|goal| AtomicU32::new(goal.of(&subject.measures).high)))
            .collect();
        let work = |fronts: &mut Fronts, &(at, goal, best_only): &(usize, Goal, bool)| {
            let (mv, worlds) = (before[at].mv, before[at].open[goal as usize]);
            let (best, high) = (&best[goal as usize], &high[at][goal as usize]);
            let (mut table, node) = self.table(mv);
            let mut search = Guaranteed::new(&mut table, fronts, goal.target());
            let all = worlds.count_ones();
            let low = goal.of(&before[at].measures).low;
            loop {
                let at_most = high.load(Relaxed);
                if at_most & EXACT != 0 {
                    return Ok(Bounds::exact(at_most ^ EXACT));
                }
                if best_only && at_most < best.load(Relaxed) {
                    return Ok(Bounds { low, high: at_most });
                }
                if let Some(lost) = search.least_lost(&node, all - at_most, !worlds)? {
                    best.fetch_max(all - lost, Relaxed);
                    high.store((all - lost) | EXACT, Relaxed);
                    return Ok(Bounds::exact(all - lost));
                }
                high.store(at_most - 1, Relaxed);
            }
        };
        let take = |subjects: &mut [Subject], &(at, goal, _): &(usize, Goal, bool), bounds: Bounds<u32>| {
            let known = goal.of_mut(&mut subjects[at].measures);
            if !known.is_exact() {
                *known = bounds;
            }
        };
        let fronts = || Fronts::new(self.table_bytes());
        let result = match between {
            None => self.each(&[round(true), round(false)].concat(), fronts, work, subjects, take),
            Some(between) => self
                .each(&round(true), fronts, work, subjects, take)
                .and_then(|()| between(subjects))
                .and_then(|()| self.each(&round(false), fronts, work, subjects, take)),
        };
        // A search that was stopped has still proved upper bounds.
        for (subject, high) in subjects.iter_mut().zip(&high) {
            for goal in Goal::BOTH {
                let at_most = high[goal as usize].load(Relaxed) & !EXACT;
                let known = goal.of_mut(&mut subject.measures);
                known.high = known.high.min(at_most);
            }
        }
        result
    }

    /// The exact chances against random play, or against a careful opponent.
    fn chances(&self, subjects: &mut [Subject], reply: Reply) -> Result<(), Error> {
        let order = valued(subjects);
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let work = |counts: &mut Counts, at: &usize| {
            let (mut table, node) = self.table(moves[*at]);
            self.chances_of(&mut table, counts, reply, &node)
        };
        self.each(
            &order,
            || Counts::new(self.table_bytes()),
            work,
            subjects,
            |subjects, at, chances| {
                let measures = &mut subjects[*at].measures;
                match reply {
                    Reply::Random => measures.random = Some(chances),
                    Reply::Careful => measures.careful = Some(chances),
                }
            },
        )
    }

    fn chances_of(
        &self,
        table: &mut Table<'_, SPECIAL>,
        counts: &mut Counts,
        reply: Reply,
        node: &Node,
    ) -> Result<Chances, Error> {
        if self.deal.setup().rules.has_chaos() {
            Random::<SPECIAL, true>::new(table, counts, self.query.aim, reply).chances(node)
        } else {
            Random::<SPECIAL, false>::new(table, counts, self.query.aim, reply).chances(node)
        }
    }

    /// The replies of random play.
    fn random_samples(&self, subjects: &[Subject]) -> Vec<Sample> {
        self.samples(subjects, |table: &mut Table<'_, SPECIAL>, node| {
            let cells = node.left() as f64;
            let belief = table.belief(node);
            let all: f64 = f64::from(belief.weight) * cells * table.choices(node.left()) as f64;
            let reply = |mv: Move| (mv, f64::from(table.beliefs.get(belief.after(mv.card())).weight) / all, Vec::new());
            Table::<SPECIAL>::moves(node, belief.playable).map(reply).collect()
        })
    }

    /// The chances against random play, reply by reply.
    fn random_replies(&self, subjects: &mut [Subject], samples: &[Sample]) -> Result<(), Error> {
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let work = |counts: &mut Counts, sample: &Sample| {
            let (mut table, node) = self.table(moves[sample.subject]);
            let node = table.play(&node, sample.mv, false);
            self.chances_of(&mut table, counts, Reply::Random, &node)
        };
        self.each(
            samples,
            || Counts::new(self.table_bytes()),
            work,
            subjects,
            |subjects, sample, chances| {
                let subject = &mut subjects[sample.subject];
                subject.random.add(sample.probability, chances);
                subject.measures.random = subject.random.chances(sample.replies);
            },
        )
    }

    /// The chances against a careful opponent, card by card. He chooses the cell, so only the card is left to chance.
    fn careful_cards(&self, subjects: &mut [Subject]) -> Result<(), Error> {
        let samples = self.samples(subjects, |table: &mut Table<'_, SPECIAL>, node| {
            let belief = table.belief(node);
            let all = f64::from(belief.weight) * table.choices(node.left()) as f64;
            let Some(cell) = node.free.into_iter().next() else { return Vec::new() };
            let drawn =
                |card: u8| (Move::new(card, cell), f64::from(table.beliefs.get(belief.after(card)).weight) / all);
            bits(belief.playable).map(drawn).map(|(mv, probability)| (mv, probability, Vec::new())).collect()
        });
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let work = |counts: &mut Counts, sample: &Sample| {
            let (mut table, node) = self.table(moves[sample.subject]);
            let mut search = Random::<SPECIAL, true>::new(&mut table, counts, self.query.aim, Reply::Careful);
            search.chances_of_card(&node, sample.mv.card())
        };
        self.each(
            &samples,
            || Counts::new(self.table_bytes()),
            work,
            subjects,
            |subjects, sample, chances| {
                let subject = &mut subjects[sample.subject];
                subject.careful.add(sample.probability, chances);
                subject.measures.careful = subject.careful.chances(sample.replies);
            },
        )
    }

    /// The exact chances against greedy play.
    fn greedy(&self, subjects: &mut [Subject]) -> Result<(), Error> {
        let order = valued(subjects);
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let worlds = self.weighted();
        let work = |(): &mut (), at: &usize| {
            let (mut table, node) = self.table(moves[*at]);
            Greedy { table: &mut table, aim: self.query.aim }.chances(&node, &worlds)
        };
        self.each(
            &order,
            || (),
            work,
            subjects,
            |subjects, at, chances| {
                subjects[*at].measures.greedy = Some(chances);
            },
        )
    }

    /// The chances against greedy play, reply by reply.
    fn greedy_replies(&self, subjects: &mut [Subject]) -> Result<(), Error> {
        let worlds = self.weighted();
        let samples = self.samples(subjects, |table: &mut Table<'_, SPECIAL>, node| {
            let replies = Greedy { table, aim: self.query.aim }.replies(node, &worlds);
            let weight = |worlds: &[Weighted]| worlds.iter().map(|(_, weight)| weight).sum::<f64>();
            replies.into_iter().map(|reply| (reply.mv, weight(&reply.worlds), reply.worlds)).collect()
        });
        let moves: Vec<Option<HiddenMove>> = subjects.iter().map(|subject| subject.mv).collect();
        let work = |(): &mut (), sample: &Sample| {
            let (mut table, node) = self.table(moves[sample.subject]);
            let node = table.play(&node, sample.mv, false);
            Greedy { table: &mut table, aim: self.query.aim }.chances(&node, &sample.worlds)
        };
        self.each(
            &samples,
            || (),
            work,
            subjects,
            |subjects, sample, chances| {
                let subject = &mut subjects[sample.subject];
                subject.greedy.add(sample.probability, chances);
                subject.measures.greedy = subject.greedy.chances(sample.replies);
            },
        )
    }

    /// The worlds left, equally likely.
    fn weighted(&self) -> Vec<Weighted> {
        let each = 1.0 / f64::from(self.most());
        self.deal.worlds_left(self.position).map(|world| (world as u8, each)).collect()
    }

    /// The replies to solve: the first of every subject, then the second of every subject, and so on. `replies` lists the
    /// replies to a node with their probabilities and worlds.
    fn samples(
        &self,
        subjects: &[Subject],
        replies: impl Fn(&mut Table<'_, SPECIAL>, &Node) -> Vec<(Move, f64, Vec<Weighted>)>,
    ) -> Vec<Sample> {
        let wanted = self.query.replies.map_or(usize::MAX, |replies| replies.max(1) as usize);
        let mut samples: Vec<Sample> = Vec::new();
        for subject in valued(subjects) {
            let (mut table, node) = self.table(subjects[subject].mv);
            let list = replies(&mut table, &node);
            let weights: Vec<f64> = list.iter().map(|reply| reply.1).collect();
            let seed = grid::mix(self.query.seed) ^ subject as u64;
            for (round, at) in drawn(&weights, grid::mix(seed)).into_iter().take(wanted).enumerate() {
                let (mv, probability, worlds) = list[at].clone();
                samples.push(Sample { subject, round, replies: list.len(), probability, mv, worlds });
            }
        }
        // A stable sort: within a round the most promising moves come first.
        samples.sort_by_key(|sample| sample.round);
        samples
    }

    /// The board and the node after a move of mine, or of the position.
    fn table(&self, mv: Option<HiddenMove>) -> (Table<'_, SPECIAL>, Node) {
        self.table_of(self.position, &self.beliefs, mv)
    }

    /// The same with other worlds.
    fn table_of<'b>(
        &'b self,
        position: &HiddenPosition,
        beliefs: &'b Beliefs,
        mv: Option<HiddenMove>,
    ) -> (Table<'b, SPECIAL>, Node) {
        let replays = self.replays.as_ref().ok().and_then(Option::as_ref);
        let mut table = Table::new(self.deal, position, beliefs, &self.danger, replays, self.control.meter());
        let node = Node::new(self.deal, position);
        match mv {
            None => (table, node),
            Some(mv) => {
                let next = table.play(&node, Move::new(mv.card, mv.cell), true);
                (table, next)
            }
        }
    }

    /// Works on many items with the control's threads, takes each result into the subjects, and reports the partial answer.
    fn each<T: Sync, S, R: Send>(
        &self,
        items: &[T],
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &T) -> Result<R, Error> + Sync,
        subjects: &mut [Subject],
        take: impl Fn(&mut [Subject], &T, R),
    ) -> Result<(), Error> {
        let mut next = items.iter();
        in_order(items, self.control, state, work, |result| {
            if let Some(item) = next.next() {
                take(subjects, item, result);
                self.control.report_partial(|| self.advice(subjects, false));
            }
            true
        })
    }

    /// What is known now.
    fn advice(&self, subjects: &[Subject], complete: bool) -> Advice {
        let aim = |chances: Option<Chances>| chances.map_or((-1, -1), |chances| self.query.aim.rank(chances));
        let mut moves: Vec<MoveAdvice> = (subjects.iter())
            .filter_map(|subject| Some(MoveAdvice { mv: subject.mv?, measures: subject.measures }))
            .collect();
        let later = self.is_drawn_later();
        // A stable sort: equal moves stay in the order of the rules.
        moves.sort_by_key(|MoveAdvice { mv, measures }| {
            let Measures { certain, win, not_lose, random, careful, .. } = measures;
            let known = (certain.low, certain.high, win.low, win.high, not_lose.low, not_lose.high);
            (if later { mv.card } else { 0 }, Reverse((known, aim(*careful), aim(*random))))
        });
        let position = match subjects {
            [Subject { mv: None, measures, .. }] => *measures,
            [others @ .., Subject { mv: None, measures, .. }] if !others.is_empty() => self.mean_of(&moves, measures),
            _ => self.best_of(&moves),
        };
        let nodes = self.control.nodes().saturating_sub(self.counted);
        Advice { worlds: self.most() as usize, position, moves, complete, nodes }
    }

    /// The measures before my card is drawn: what holds whatever is drawn, and the mean of the chances.
    fn mean_of(&self, moves: &[MoveAdvice], whatever: &Measures) -> Measures {
        let cards: Vec<Measures> =
            moves.chunk_by(|one, other| one.mv.card == other.mv.card).map(|moves| self.best_of(moves)).collect();
        let mean = |of: fn(&Measures) -> Option<Chances>| {
            let known: Vec<Chances> = cards.iter().map(of).collect::<Option<_>>()?;
            let mean = |of: fn(&Chances) -> f64| known.iter().map(of).sum::<f64>() / known.len() as f64;
            // The errors of the cards are independent.
            let squares: f64 = known.iter().filter_map(|chances| chances.error).map(|error| error * error).sum();
            let error = known.iter().any(|chances| chances.error.is_some());
            let error = error.then(|| squares.sqrt() / known.len() as f64);
            Some(Chances { win: mean(|it| it.win), draw: mean(|it| it.draw), loss: mean(|it| it.loss), error })
        };
        Measures {
            random: mean(|measures| measures.random),
            careful: mean(|measures| measures.careful),
            greedy: mean(|measures| measures.greedy),
            ..*whatever
        }
    }

    /// The best of each measure over all moves: each with the strategy that suits it.
    fn best_of(&self, moves: &[MoveAdvice]) -> Measures {
        let most = |of: fn(&Measures) -> Bounds<u32>| {
            let (low, high) = moves
                .iter()
                .map(|mv| of(mv))
                .fold((0, 0), |(low, high), bounds: Bounds<u32>| (bounds.low.max(low), bounds.high.max(high)));
            Bounds { low, high }
        };
        let certain = moves.iter().fold(Bounds::exact(Outcome::Loss), |best, mv| Bounds {
            low: best.low.max(mv.certain.low),
            high: best.high.max(mv.certain.high),
        });
        let chances = |of: fn(&Measures) -> Option<Chances>| {
            let known: Option<Vec<Chances>> = moves.iter().map(|mv| of(mv)).collect();
            known?.into_iter().max_by_key(|chances| self.query.aim.rank(*chances))
        };
        Measures {
            certain,
            win: most(|measures| measures.win),
            not_lose: most(|measures| measures.not_lose),
            random: chances(|measures| measures.random),
            careful: chances(|measures| measures.careful),
            greedy: chances(|measures| measures.greedy),
        }
    }
}
