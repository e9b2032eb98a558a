//! Open deals solved exactly: the value, every move's value, the best line.

use super::captures::{Captures, Changing, Fixed};
use super::search::{Memory, Node, Outcome, Search};
use super::sudden::Replays;
use grid::simd::{Isa, dispatch};
use grid::{Game, Player};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use triad::{Deal, Move, Position, Rule};

/// The value of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// How many of the ten cards A owns at the end if it is played.
    pub value: u32,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// How many of the ten cards A owns at the end when both play as well as can be: 6 and more A wins, 5 is a draw.
    pub value: u32,
    /// The value of every legal move, in the order of the rules.
    pub moves: Vec<MoveValue>,
    /// A line of best play to the end.
    pub line: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
}

impl Solution {
    /// The moves that keep the value.
    pub fn best(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().filter(|mv| mv.value == self.value).map(|mv| mv.mv)
    }
}

/// An exact solver of open deals. It keeps its table between calls, but no result depends on what was asked before.
///
/// Luck is not its business: a deal under Chaos is solved as if the mover chose his card.
pub struct Solver {
    isa: Isa,
    memory: Memory,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Isa::detect())
    }
}

/// What is asked about the moves of a position.
#[derive(Clone, Copy)]
struct Asked<'a> {
    /// About what the first is worth to A.
    guess: u32,
    /// The worth to A at which to stop.
    until: Option<u32>,
    outcome: Option<&'a Outcome>,
}

impl Default for Asked<'_> {
    fn default() -> Self {
        Self { guess: 5, until: None, outcome: None }
    }
}

impl Solver {
    /// A solver for an instruction set; the answers and the nodes are the same for each.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { isa, memory: Memory::new() }
    }

    /// Positions looked at since this solver was made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.memory.nodes
    }

    /// How many cards A owns at the end.
    pub fn value(&mut self, deal: &Deal, position: &Position) -> u32 {
        self.memory.clear();
        self.value_for(deal, position, 5, None)
    }

    /// The value of every legal move.
    pub fn moves(&mut self, deal: &Deal, position: &Position) -> Vec<MoveValue> {
        self.memory.clear();
        self.moves_kept(deal, position, Asked::default())
    }

    /// Value, every move's value and the best line.
    pub fn solve(&mut self, deal: &Deal, position: &Position) -> Solution {
        self.solve_for(deal, position, None)
    }

    /// The same when draws are played again: values are 10 for a win of A, 5 for a draw, 0 for a loss, and the line is that
    /// of the game at hand.
    pub fn solve_with(&mut self, deal: &Deal, position: &Position, replays: &Replays) -> Solution {
        self.solve_for(deal, position, Some(&replays.outcome))
    }

    fn solve_for(&mut self, deal: &Deal, position: &Position, outcome: Option<&Outcome>) -> Solution {
        let before = self.memory.nodes;
        self.memory.clear();
        let moves = self.moves_kept(deal, position, Asked { outcome, ..Asked::default() });
        let wanted = |moves: &[MoveValue]| match deal.turn(position) {
            Player::First => moves.iter().map(|mv| mv.value).max(),
            Player::Second => moves.iter().map(|mv| mv.value).min(),
        };
        let own = usize::from(position.own());
        let value = wanted(&moves).unwrap_or_else(|| outcome.map_or(position.score(), |outcome| outcome[own].into()));
        let mut line = Vec::new();
        let mut position = *position;
        let mut known = moves.clone();
        while let Some(best) = known.iter().find(|mv| mv.value == value) {
            line.push(best.mv);
            position = deal.play_unchecked(&position, best.mv);
            known = self.moves_kept(deal, &position, Asked { guess: value, until: Some(value), outcome });
        }
        Solution { value, moves, line, nodes: self.memory.nodes - before }
    }

    /// The result for A when draws are played again: 10 a win, 5 a draw, 0 a loss.
    pub fn result_with(&mut self, deal: &Deal, position: &Position, replays: &Replays) -> u32 {
        self.worth(deal, position, &replays.outcome)
    }

    /// What the position is worth to A when the end is worth what `outcome` says.
    pub(super) fn worth(&mut self, deal: &Deal, position: &Position, outcome: &Outcome) -> u32 {
        self.memory.clear();
        self.value_for(deal, position, 5, Some(outcome))
    }

    fn value_for(&mut self, deal: &Deal, position: &Position, guess: u32, outcome: Option<&Outcome>) -> u32 {
        let rules = deal.setup().rules;
        if rules.has(Rule::Ascension) || rules.has(Rule::Descension) {
            self.run(deal, position, guess, outcome, Changing::new(deal, position))
        } else if rules.is_basic() {
            self.run(deal, position, guess, outcome, Fixed::<false>::new(deal, position))
        } else {
            self.run(deal, position, guess, outcome, Fixed::<true>::new(deal, position))
        }
    }

    /// The value of each move, with what the table knows of this deal.
    fn moves_kept(&mut self, deal: &Deal, position: &Position, asked: Asked<'_>) -> Vec<MoveValue> {
        let rules = deal.setup().rules;
        if rules.has(Rule::Ascension) || rules.has(Rule::Descension) {
            self.run_moves(deal, position, asked, Changing::new(deal, position))
        } else if rules.is_basic() {
            self.run_moves(deal, position, asked, Fixed::<false>::new(deal, position))
        } else {
            self.run_moves(deal, position, asked, Fixed::<true>::new(deal, position))
        }
    }

    /// The tables of a deal cost as much as a small search, so they are made once for all moves.
    fn run_moves<C: Captures>(
        &mut self,
        deal: &Deal,
        position: &Position,
        asked: Asked<'_>,
        captures: C,
    ) -> Vec<MoveValue> {
        let level = self.isa.level();
        let mut search = Search::new(deal, position, captures, &mut self.memory).with_outcome(asked.outcome);
        let node = Node::new(deal, position);
        let relative = |value: i32| if deal.turn(position) == Player::First { value } else { 10 - value };
        let mut guess = relative(asked.guess as i32);
        let mut known = Vec::new();
        for mv in deal.moves(position) {
            let flips = deal.flips(position, mv);
            guess = dispatch!(level, simd => search.value_of(simd, node, mv, flips, guess));
            let value = relative(guess) as u32;
            known.push(MoveValue { mv, value });
            if asked.until == Some(value) {
                break;
            }
        }
        known
    }

    fn run<C: Captures>(
        &mut self,
        deal: &Deal,
        position: &Position,
        guess: u32,
        outcome: Option<&Outcome>,
        captures: C,
    ) -> u32 {
        let mut search = Search::new(deal, position, captures, &mut self.memory).with_outcome(outcome);
        let node = Node::new(deal, position);
        let relative = |value: i32| if deal.turn(position) == Player::First { value } else { 10 - value };
        let guess = relative(guess as i32);
        relative(dispatch!(self.isa.level(), simd => search.value(simd, node, guess))) as u32
    }
}

/// Works on many items on all cores, `threads` of them or as many as there are, and gives the answers to `each` in the
/// order of the items as they come. Each thread has a solver of its own and takes the next item when it is done: deals
/// differ tenfold in cost. Ends early, with the answers of the first so many items, when `cancel` is raised or `each` says
/// that it wants no more.
pub fn solve_each<T: Sync, R: Send>(
    isa: Isa,
    threads: Option<NonZero<usize>>,
    items: &[T],
    cancel: &AtomicBool,
    work: impl Fn(&mut Solver, &T) -> R + Sync,
    mut each: impl FnMut(R) -> bool,
) {
    let available = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = threads.unwrap_or_else(available).get().min(items.len());
    let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
    let is_over = || cancel.load(Ordering::Relaxed) || enough.load(Ordering::Relaxed);
    std::thread::scope(|scope| {
        let (sender, answers) = std::sync::mpsc::channel();
        for _ in 0..threads {
            let (sender, next, work, is_over) = (sender.clone(), &next, &work, &is_over);
            scope.spawn(move || {
                let mut solver = Solver::new(isa);
                while !is_over() {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    // Nobody listens any more once enough is known.
                    let _ = sender.send((at, work(&mut solver, item)));
                }
            });
        }
        drop(sender);
        let (mut waiting, mut told) = (BTreeMap::new(), 0);
        for (at, answer) in answers {
            waiting.insert(at, answer);
            while let Some(answer) = waiting.remove(&told) {
                told += 1;
                if !enough.load(Ordering::Relaxed) && !each(answer) {
                    enough.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

/// The answers to all items; fewer if `cancel` was raised.
pub(super) fn solve_many<T: Sync, R: Send>(
    isa: Isa,
    threads: Option<NonZero<usize>>,
    items: &[T],
    cancel: &AtomicBool,
    work: impl Fn(&mut Solver, &T) -> R + Sync,
) -> Vec<R> {
    let mut answers = Vec::new();
    solve_each(isa, threads, items, cancel, work, |answer| {
        answers.push(answer);
        true
    });
    answers
}

/// The nodes of the solver over fixed deals of several rule mixes: the same number on every instruction set, and another
/// one whenever the search changes.
#[must_use]
pub fn signature(isa: Isa) -> u64 {
    use super::cards::{Book, CardRef, Dealer, Hand, Holder};
    use super::request::GameText;
    let mut solver = Solver::new(isa);
    let mixes = [
        ("ff8", ""),
        ("ff8", "same,plus"),
        ("ff8", "same,same-wall,plus"),
        ("ff14", "reverse,fallen-ace"),
        ("ff14", "ascension,same"),
        ("ff14", "order,plus"),
    ];
    for (seed, (game, rules)) in mixes.into_iter().enumerate() {
        let numbers = |hand: Hand| hand.into_iter().filter_map(|card| Some(CardRef::Number(card.known?.id))).collect();
        let Some(edition) = triad::Edition::from_name(game) else { continue };
        let book = Book::built_in(edition);
        let mut dealer = Dealer::new(seed as u64);
        let mut hand = || dealer.hand(book, 1..=10, Holder::Player).expect("the lists have more than five cards");
        let (hand_a, hand_b) = (hand(), hand());
        let asked = GameText {
            game: Some(game.to_owned()),
            rules: rules.split(',').map(str::to_owned).collect(),
            hand_a: numbers(hand_a),
            hand_b: numbers(hand_b),
            ..GameText::default()
        };
        let dealt = asked.deal(book).expect("fixed deals of the built-in cards");
        solver.value(&dealt.deal, &dealt.deal.start());
    }
    solver.nodes()
}
