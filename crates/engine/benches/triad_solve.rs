//! Exact values of random open deals of Final Fantasy VIII from the empty board: milliseconds per deal on one thread,
//! nodes and nodes per second. `cargo bench -p ninefold-engine --bench triad_solve [-- DEALS]`.
//!
//! Not criterion: deals differ tenfold, so the figure is the mean over many deals and not over repetitions of one. Each
//! deal is solved three times and the shortest time counts, because other work on the machine only adds time.

use grid::simd::Isa;
use grid::{Game, Rng};
use ninefold_engine::Control;
use ninefold_engine::triad::cards::Book;
use ninefold_engine::triad::{Lines, Solver};
use std::time::{Duration, Instant};
use triad::{Card, Deal, Edition, Element, Rule, Rules, Setup};

/// Ten different cards of the list, and elements as the game deals them where the rules ask for them.
fn deal(seed: u64, rules: Rules) -> Deal {
    let mut rng = Rng::new(grid::mix(seed));
    let mut cards: Vec<Card> = Book::built_in(Edition::Ff8).cards().iter().map(|card| card.card).collect();
    let mut hand = || std::array::from_fn(|_| cards.swap_remove(rng.below(cards.len() as u32) as usize));
    let mut setup = Setup::new(rules, hand(), hand());
    for element in setup.elements.iter_mut().filter(|_| rules.has(Rule::Elemental)) {
        *element = if rng.below(10) < 3 { rng.pick(Element::ALL.into_iter()) } else { None };
    }
    Deal::new(&setup).expect("cards of the list")
}

fn measure(name: &str, rules: &str, deals: u64, work: impl Fn(&mut Solver, &Deal, &Control<'_>) -> u32) {
    let rules = Rules::read(rules, Edition::Ff8).expect("rules of the game");
    let mut solver = Solver::new(Isa::detect());
    let (mut times, mut nodes, mut sum) = (Vec::new(), 0, 0);
    for seed in 0..deals {
        let deal = deal(seed, rules);
        let mut least = Duration::MAX;
        for _ in 0..3 {
            let (begun, control) = (Instant::now(), Control::new());
            let value = std::hint::black_box(work(&mut solver, std::hint::black_box(&deal), &control));
            least = least.min(begun.elapsed());
            nodes += control.nodes();
            sum += u64::from(value);
        }
        times.push(least.as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let nodes = nodes as f64 / (3 * deals) as f64;
    println!(
        "{name:28} mean {mean:7.2} ms  median {:7.2}  worst {:7.2}  nodes {nodes:10.0}  {:6.1} M nodes/s  (sum {sum})",
        times[times.len() / 2],
        times[times.len() - 1],
        nodes / mean / 1e3,
    );
}

fn main() {
    let deals = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(100);
    let value = |solver: &mut Solver, deal: &Deal, control: &Control<'_>| {
        solver.value(deal, &deal.start(), control).expect("no limit")
    };
    let cards = |margin: Option<f64>| margin.map_or(0, |margin| (margin as i32 + 10) as u32 / 2);
    let lines = |lines| {
        move |solver: &mut Solver, deal: &Deal, control: &Control<'_>| {
            let analysis = solver.analyse(deal, &deal.start(), lines, control);
            analysis.lines.iter().map(|line| cards(line.value.margin)).sum::<u32>()
        }
    };
    let all = "same,same-wall,plus,elemental";
    measure("value, basic", "-", deals, value);
    measure("value, elemental", "elemental", deals, value);
    measure("value, same and plus", "same,plus", deals.div_ceil(2), value);
    measure("value, all rules", all, deals.div_ceil(2), value);
    measure("45 first moves, basic", "-", deals.div_ceil(4), lines(Lines::All));
    measure("45 first moves, all rules", all, deals.div_ceil(10), lines(Lines::All));
    measure("one best move, basic", "-", deals.div_ceil(4), lines(Lines::Best));
    measure("one best move, all rules", all, deals.div_ceil(10), lines(Lines::Best));
    measure("the best moves, all rules", all, deals.div_ceil(10), lines(Lines::Optimal));
}
