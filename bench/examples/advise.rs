//! The adviser against real opponents with ten possible hands, and the rival that people use: solve each hand by itself and
//! vote. `cargo run --release -p ninefold-bench --example advise [-- DEALS [THREADS]]`.
//!
//! All figures but those of chance rules are wall-clock milliseconds, the mean and the worst of the deals, all in one run. Hands of mine are random
//! decks of one five-star, one four-star and three three-star cards. "Wrong" counts the votes for a move that guarantees
//! fewer wins than another.

use engine::Control;
use engine::triad::advise::{Advice, HiddenDeal, HiddenPosition, HiddenSetup, Query, Side, advise};
use engine::triad::cards::{Book, NpcBook};
use engine::triad::{Lines, Solver};
use grid::{Game, Player, Rng};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use triad::{Card, Deal, Edition, Rules, Setup};

/// An opponent with ten hands, and a random deck of mine.
fn deal(number: usize, rules: Rules) -> HiddenDeal {
    let book = Book::built_in(Edition::Ff14);
    let npcs: Vec<_> = NpcBook::built_in().npcs().iter().filter(|npc| npc.hand_count() == 10).collect();
    let npc = npcs[number * 17 % npcs.len()];
    let card = |id: u16| book.by_id(id).expect("a card of the list").card;
    let mut rng = Rng::new(grid::mix(number as u64));
    let hand = [5, 4, 3, 3, 3].map(|stars| {
        let cards: Vec<Card> = book.cards().iter().filter(|card| card.grade == stars).map(|card| card.card).collect();
        cards[rng.below(cards.len() as u32) as usize]
    });
    let worlds = npc.hands().into_iter().map(|ids| ids.map(card)).collect();
    let setup = HiddenSetup { rules, elements: [None; 9], hand, worlds, first: Side::Me, known_order: false };
    HiddenDeal::new(&setup).expect("cards of the list")
}

/// A position with so many empty cells, by random play.
fn position(deal: &HiddenDeal, left: usize, number: usize) -> HiddenPosition {
    let mut rng = Rng::new(grid::mix(1 << 32 | number as u64));
    let mut position = deal.start();
    while position.free().len() > left {
        let mv = rng.pick(deal.moves(&position).into_iter()).expect("a move");
        position = deal.play(&position, mv).expect("a legal move");
    }
    position
}

#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn add(&mut self, since: Instant) {
        self.0.push(since.elapsed().as_secs_f64() * 1e3);
    }

    fn show(&self) -> String {
        let mean = self.0.iter().sum::<f64>() / self.0.len().max(1) as f64;
        format!("{mean:8.1} {:8.1}", self.0.iter().copied().fold(0.0, f64::max))
    }
}

/// The move with which I win in the most worlds if each is solved by itself, from the empty board.
fn vote(deal: &HiddenDeal) -> (u8, grid::Cell) {
    let setup = deal.setup();
    let mut votes = std::collections::BTreeMap::new();
    let mut solver = Solver::default();
    for world in &setup.worlds {
        let hands = [setup.hand, *world];
        let open = Setup { rules: setup.rules, elements: setup.elements, hands, first: Player::First };
        let open = Deal::new(&open).expect("a legal deal");
        for line in solver.analyse(&open, &open.start(), Lines::All, &Control::new()).lines {
            *votes.entry((line.mv.card(), line.mv.cell())).or_insert(0) +=
                line.value.outcome.map_or(0, |o| o.sign() + 1);
        }
    }
    votes.into_iter().max_by_key(|(_, votes)| *votes).expect("a move").0
}

/// Whether no other move can be better than the first by what is guaranteed.
fn is_settled(advice: &Advice) -> bool {
    let Some(best) = advice.moves.first() else { return true };
    best.certain.is_exact() && best.win.is_exact() && advice.moves.iter().all(|mv| mv.win.high <= best.win.low)
}

/// When the first partial answer came, and the first with chances of the best move, from the empty board. The search is
/// cancelled then.
fn first_answers(deal: &HiddenDeal, threads: usize) -> [Instant; 2] {
    let cancel = Arc::new(AtomicBool::new(false));
    let times = Mutex::new([None; 2]);
    let listener = |progress: &engine::Progress<'_>| {
        let Some(advice) = progress.partial::<Advice>() else { return };
        let mut times = times.lock().expect("no panic");
        times[0].get_or_insert_with(Instant::now);
        if advice.moves.first().is_some_and(|best| best.random.is_some()) {
            times[1].get_or_insert_with(Instant::now);
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let control = Control::new().threads(threads).cancel(cancel.clone()).progress(&listener);
    let _ = advise(deal, &deal.start(), &Query::default(), &control);
    times.into_inner().expect("no panic").map(|time| time.unwrap_or_else(Instant::now))
}

/// Processor milliseconds of this program so far, in steps of 10, where the system tells them.
fn processor_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    [11, 12].iter().filter_map(|at: &usize| fields.get(*at)?.parse::<f64>().ok()).sum::<f64>() * 10.0
}

/// Chaos and replays: processor milliseconds for every measure of a position with so many empty cells.
fn chance_rules(deals: usize) {
    for (names, replays, cells) in [
        ("chaos", 0, &[5, 7][..]),
        ("chaos,same,plus", 0, &[5, 7]),
        ("sudden-death", 1, &[3, 5, 7]),
        ("sudden-death,same,plus", 1, &[3, 5]),
    ] {
        let rules = Rules::read(names, Edition::Ff14).expect("rules of the game");
        for left in cells {
            let mut times = Times::default();
            for number in 0..deals {
                let deal = deal(number, rules).replaying(replays).expect("no luck in the replays");
                let position = position(&deal, *left, number);
                let before = processor_ms();
                let advice = advise(&deal, &position, &Query::default(), &Control::new());
                assert!(advice.complete);
                times.0.push(processor_ms() - before);
            }
            println!("{names:22} {left} empty, {replays} replays: all measures, processor ms  {}", times.show());
        }
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse().ok());
    let deals: usize = numbers.next().unwrap_or(10);
    let threads: usize = numbers.next().unwrap_or(2);
    println!("{deals} deals, {threads} threads; milliseconds: mean, worst");
    chance_rules(deals);
    for names in ["-", "same,plus"] {
        let rules = Rules::read(names, Edition::Ff14).expect("rules of the game");
        let (mut voting, mut settled, mut exact) = (Times::default(), Times::default(), Times::default());
        let mut early = [Times::default(), Times::default()];
        let mut wrong = 0;
        let perfect = Query { random: false, ..Query::default() };
        for number in 0..deals {
            let deal = deal(number, rules);
            let begun = Instant::now();
            let voted = vote(&deal);
            voting.add(begun);
            let begun = Instant::now();
            for (times, at) in early.iter_mut().zip(first_answers(&deal, threads)) {
                times.0.push((at - begun).as_secs_f64() * 1e3);
            }
            let begun = Instant::now();
            let first = Mutex::new(Times::default());
            let listener = |progress: &engine::Progress<'_>| {
                let mut first = first.lock().expect("no panic");
                if first.0.is_empty() && progress.partial::<Advice>().is_some_and(is_settled) {
                    first.add(begun);
                }
            };
            let control = Control::new().threads(threads).progress(&listener);
            let advice = advise(&deal, &deal.start(), &perfect, &control);
            exact.add(begun);
            let at = first.into_inner().expect("no panic").0.first().copied();
            settled.0.extend(at.or(exact.0.last().copied()));
            let of_vote = advice.moves.iter().find(|mv| (mv.mv.card, mv.mv.cell) == voted).expect("a legal move");
            wrong += usize::from(of_vote.win.low < advice.position.win.low);
        }
        println!("{names:10} first move: voting over worlds, one thread  {}  wrong {wrong}", voting.show());
        println!("{names:10} first move: first partial answer              {}", early[0].show());
        println!("{names:10} first move: first chances of the best move    {}", early[1].show());
        println!("{names:10} first move: best move settled               {}", settled.show());
        println!("{names:10} first move: all 45 moves exact              {}", exact.show());
        for left in [7, 8] {
            let (mut all, mut random) = (Times::default(), Times::default());
            for number in 0..deals {
                let mut deal = deal(number, rules);
                if left == 8 {
                    deal = HiddenDeal::new(&HiddenSetup { first: Side::Opponent, ..deal.setup().clone() })
                        .expect("the same cards");
                }
                let position = position(&deal, left, number);
                let control = Control::new().threads(threads);
                let begun = Instant::now();
                let advice = advise(&deal, &position, &perfect, &control);
                all.add(begun);
                let begun = Instant::now();
                let full = advise(&deal, &position, &Query::default(), &control);
                random.add(begun);
                assert!(advice.complete && full.complete);
            }
            println!("{names:10} {left} empty: certain and guaranteed, all      {}", all.show());
            println!("{names:10} {left} empty: the same and random play, exact  {}", random.show());
        }
    }
}
