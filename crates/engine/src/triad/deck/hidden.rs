//! Decks of equal points, told apart by what they do when the opponent's hand is hidden: first what is certain, then in how
//! many hands one strategy wins and does not lose, then the chances against random play, then fewer rare cards.
//!
//! The adviser is the evaluator ([`advise`]), from the empty board, for both starts. Chances against random play cost
//! most, so only decks that are equal before get them. If I start, they are exact and those of the best first move. If the
//! opponent starts, some of his first moves are solved and the chances have an error.
//!
//! By the figures of the adviser (`bench/LOG.md`), a deck against ten hands costs about 1 s of processor time under the basic
//! rule and 8 s with Same and Plus, and its chances 3 s and 15 s more.

use super::judge::Rated;
use super::opponent::Opponent;
use super::pool::Pool;
use crate::triad::advise::{Advice, HiddenDeal, HiddenSetup, Measures, Query, Side, advise};
use ::search::Control;
use triad::{Card, HAND, Rule};

/// First moves of the opponent that are solved for the chances against random play.
const REPLIES: u32 = 4;

/// How many decks get chances against random play: of those that are equal before, the ones with the fewest rare cards.
const WITH_CHANCES: usize = 2;

/// What a deck does when the opponent's hand is hidden: if I start, and if he does.
pub type Hidden = [Measures; 2];

/// The best of decks with equal points, and its measures. None if the measures are not defined: under Swap every exchange
/// is another deal, and there may be too many hands for the adviser. If the control stops, the best of those measured.
pub(super) fn choose(
    opponent: &Opponent,
    pool: &Pool,
    decks: &[Rated],
    control: &Control<'_>,
) -> Option<(usize, Hidden)> {
    let mut measured: Vec<(usize, Subject, Hidden)> = Vec::new();
    for (at, deck) in decks.iter().enumerate() {
        if !measured.is_empty() && control.stop().is_some() {
            break;
        }
        let mut subject = Subject::new(opponent, &pool.printed(&deck.picks))?;
        let hidden = subject.guaranteed(control);
        measured.push((at, subject, hidden));
    }
    let best = measured.iter().map(|(.., hidden)| guarantees(hidden)).max()?;
    measured.retain(|(.., hidden)| guarantees(hidden) == best);
    measured.sort_by_key(|(at, ..)| pool.rarity(&decks[*at].picks));
    measured.truncate(WITH_CHANCES);
    for (_, subject, hidden) in &mut measured {
        if control.stop().is_none() {
            subject.add_random(hidden, control);
        }
    }
    let key = |(at, _, hidden): &(usize, Subject, Hidden)| (points(hidden), -pool.rarity(&decks[*at].picks));
    let (at, _, hidden) = measured.into_iter().rev().max_by_key(key)?;
    Some((at, hidden))
}

/// What is compared first: larger is better.
fn guarantees(hidden: &Hidden) -> [u32; 3] {
    let sum = |of: fn(&Measures) -> u32| hidden.iter().map(of).sum();
    [sum(|of| of.certain.low as u32), sum(|of| of.win.low), sum(|of| of.not_lose.low)]
}

/// The points against random play in millionths, of both starts; nothing if they are not known.
fn points(hidden: &Hidden) -> i64 {
    let of = |measures: &Measures| measures.random.map_or(0.0, |chances| chances.win + chances.draw / 2.0);
    (hidden.iter().map(of).sum::<f64>() * 1e6).round() as i64
}

/// A deck against an opponent, for both starts.
struct Subject {
    deals: [HiddenDeal; 2],
    /// What the adviser says of my first moves.
    advice: Option<Advice>,
}

impl Subject {
    fn new(opponent: &Opponent, deck: &[Card; HAND]) -> Option<Self> {
        if opponent.rules().has(Rule::Swap) {
            return None;
        }
        let deal = |first| {
            HiddenDeal::new(&HiddenSetup {
                rules: opponent.rules(),
                elements: [None; 9],
                hand: *deck,
                worlds: opponent.hands().to_vec(),
                first,
                known_order: false,
            })
        };
        let deals = [deal(Side::Me).ok()?, deal(Side::Opponent).ok()?];
        Some(Self { deals, advice: None })
    }

    fn guaranteed(&mut self, control: &Control<'_>) -> Hidden {
        let query = Query { random: false, ..Query::default() };
        let [mine, his] = self.deals.each_ref().map(|deal| advise(deal, &deal.start(), &query, &quiet(control)));
        let hidden = [mine.position, his.position];
        self.advice = Some(mine);
        hidden
    }

    fn add_random(&self, hidden: &mut Hidden, control: &Control<'_>) {
        let [mine, his] = &self.deals;
        if let Some(best) = self.advice.as_ref().and_then(|advice| advice.moves.first())
            && let Ok(next) = mine.play(&mine.start(), best.mv)
        {
            hidden[0].random = advise(mine, &next, &Query::default(), &quiet(control)).position.random;
        }
        let query = Query { replies: Some(REPLIES), ..Query::default() };
        hidden[1].random = advise(his, &his.start(), &query, &quiet(control)).position.random;
    }
}

/// The control without the partial answers of the adviser: they are not those of the optimiser.
fn quiet<'a>(control: &'a Control<'a>) -> Control<'a> {
    control.part().progress(&|_| {})
}
