//! Boxes: sets of decks that one bound excludes together.
//!
//! The cards of each class of stars form a tree of clusters. A box takes a number of cards out of each of some disjoint
//! clusters:
//!
//! ```text
//! box   2 of {Titan, Ifrit, Garuda}, 1 of {Moogle}, 2 of {...}
//! ```
//!
//! A cluster stands for a *two-faced card*: its strong face has the best side of any of its cards on each side, its weak face
//! the worst. The deck of these cards does at least as well in every game as any deck of the box ([`Deal::two_faced`]). If its
//! points are too few, the whole box is refuted. Otherwise the box is split at the cluster whose cards differ most: `k` cards
//! of a cluster are `i` of its left half and `k - i` of its right half. So the boxes of a split never share a deck, and
//! together they have all decks of the box.
//!
//! Under the other rules only a box of one deck has a bound, and the search is a plain enumeration.
//!
//! Strong faces alone are no bound, and a card that is better on every side may be the worse one: B can capture it, and then
//! it is harder to take back. So no card is left out because another one is better.
//!
//! [`Deal::two_faced`]: triad::Deal::two_faced

use super::opponent::Opponent;
use super::pool::{CLASSES, Picks, Pool};
use super::state::Open;
use triad::{Card, HAND};

/// A cluster of cards.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The cards, by their numbers in the pool.
    pub(super) cards: Vec<u16>,
    /// How many cards can be taken out of it.
    pub(super) copies: u32,
    /// The best and the worst side of any card, on each side.
    strong: Card,
    weak: Card,
    /// How much the cards differ: the spread of the four sides.
    spread: u32,
    /// The two halves; none if it is one card.
    pub(super) halves: Option<[u32; 2]>,
}

/// A set of decks: how many cards are taken out of which cluster.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct DeckBox(pub(super) Vec<(u32, u8)>);

/// The clusters of a pool against an opponent. The same pool and rules give the same clusters.
pub(super) struct Clusters {
    clusters: Vec<Cluster>,
    roots: [Option<u32>; CLASSES],
    has_bounds: bool,
}

impl Clusters {
    pub(super) fn new(pool: &Pool, opponent: &Opponent) -> Self {
        let mut tree = Self { clusters: Vec::new(), roots: [None; CLASSES], has_bounds: opponent.has_bounds() };
        let patterns = pool.patterns();
        for class in 0..CLASSES {
            let places = patterns.iter().map(|pattern| usize::from(pattern[class])).max().unwrap_or(0);
            let of_class = |card: &u16| pool.free(*card) > 0 && pool.class(*card) == class;
            let cards: Vec<u16> = (0..pool.cards().len() as u16).filter(of_class).collect();
            if places > 0 && !cards.is_empty() {
                tree.roots[class] = Some(tree.grow(pool, opponent, cards));
            }
        }
        tree
    }

    fn grow(&mut self, pool: &Pool, opponent: &Opponent, cards: Vec<u16>) -> u32 {
        let sides = |card: &u16| pool.cards()[usize::from(*card)].card.sides;
        let halves = (cards.len() > 1).then(|| split(&cards, sides));
        let halves = halves.map(|halves| halves.map(|half| self.grow(pool, opponent, half)));
        let mut strong = pool.cards()[usize::from(cards[0])].card;
        let mut weak = strong;
        for card in &cards {
            for (side, value) in sides(card).into_iter().enumerate() {
                if opponent.is_better(value, strong.sides[side]) {
                    strong.sides[side] = value;
                }
                if opponent.is_better(weak.sides[side], value) {
                    weak.sides[side] = value;
                }
            }
        }
        let spread = strong.sides.iter().zip(weak.sides).map(|(one, other)| u32::from(one.abs_diff(other))).sum();
        let copies = cards.iter().map(|card| u32::from(pool.free(*card))).sum();
        self.clusters.push(Cluster { cards, copies, strong, weak, spread, halves });
        self.clusters.len() as u32 - 1
    }

    pub(super) fn cluster(&self, number: u32) -> &Cluster {
        &self.clusters[number as usize]
    }

    /// Whether a box of several decks has a bound.
    pub(super) fn has_bounds(&self) -> bool {
        self.has_bounds
    }

    /// The number of clusters.
    pub(super) fn len(&self) -> usize {
        self.clusters.len()
    }

    /// Boxes that together have every legal deck.
    pub(super) fn roots(&self, pool: &Pool) -> Vec<DeckBox> {
        let root = |pattern: [u8; CLASSES]| {
            let mut groups = Vec::new();
            for (class, count) in pattern.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                let cluster = self.roots[class]?;
                if self.cluster(cluster).copies < u32::from(count) {
                    return None;
                }
                groups.push((cluster, count));
            }
            Some(DeckBox(groups))
        };
        pool.patterns().into_iter().filter_map(root).collect()
    }

    /// The deck of the box, if it has only one.
    pub(super) fn single(&self, pool: &Pool, of: &DeckBox) -> Option<Picks> {
        let mut picks = pool.locked().to_vec();
        for (cluster, count) in &of.0 {
            let cluster = self.cluster(*cluster);
            if cluster.halves.is_some() {
                return None;
            }
            picks.extend(vec![cluster.cards[0]; usize::from(*count)]);
        }
        picks.try_into().ok()
    }

    /// A deck that does at least as well in every game as any deck of the box: strong faces and weak faces. None if no bound
    /// is known.
    pub(super) fn faces(&self, pool: &Pool, of: &DeckBox) -> Option<[[Card; HAND]; 2]> {
        if !self.has_bounds && self.single(pool, of).is_none() {
            return None;
        }
        let locked = pool.locked().iter().map(|card| pool.cards()[usize::from(*card)].card);
        let (mut strong, mut weak): (Vec<Card>, Vec<Card>) = locked.map(|card| (card, card)).unzip();
        for (cluster, count) in &of.0 {
            let cluster = self.cluster(*cluster);
            strong.extend(vec![cluster.strong; usize::from(*count)]);
            weak.extend(vec![cluster.weak; usize::from(*count)]);
        }
        Some([strong.try_into().ok()?, weak.try_into().ok()?])
    }

    /// How much the sides of its cards differ in all.
    pub(super) fn spread(&self, of: &DeckBox) -> u32 {
        of.0.iter().map(|(cluster, count)| self.cluster(*cluster).spread * u32::from(*count)).sum()
    }

    /// An open box.
    pub(super) fn open(&self, of: DeckBox, bounds: Vec<u8>) -> Open {
        Open { spread: self.spread(&of), of, bounds }
    }

    /// The boxes of a split; none if the box has one deck.
    pub(super) fn split(&self, of: &DeckBox) -> Vec<DeckBox> {
        let groups = of.0.iter().enumerate().filter(|(_, (cluster, _))| self.cluster(*cluster).halves.is_some());
        let widest = groups.max_by_key(|(at, (cluster, _))| {
            let cluster = self.cluster(*cluster);
            (cluster.spread, cluster.cards.len(), *at)
        });
        let Some((at, &(cluster, count))) = widest else { return Vec::new() };
        let Some([left, right]) = self.cluster(cluster).halves else { return Vec::new() };
        let mut boxes = Vec::new();
        for of_left in 0..=count {
            let parts = [(left, of_left), (right, count - of_left)];
            if parts.iter().any(|(half, taken)| u32::from(*taken) > self.cluster(*half).copies) {
                continue;
            }
            let mut groups = of.0.clone();
            groups.splice(at..=at, parts.into_iter().filter(|(_, taken)| *taken > 0));
            boxes.push(DeckBox(groups));
        }
        boxes
    }
}

/// Splits cards at the side and rank that leave the least difference within the halves.
fn split(cards: &[u16], sides: impl Fn(&u16) -> [u8; 4]) -> [Vec<u16>; 2] {
    let looseness = |half: &[u16]| -> u32 {
        let of_side = |side: usize| {
            let values = half.iter().map(|card| u32::from(sides(card)[side]));
            let most = values.clone().max().unwrap_or(0);
            values.map(|value| most - value).sum::<u32>()
        };
        (0..4).map(of_side).sum()
    };
    let cuts = (0..4).flat_map(|side| (1..10).map(move |rank| (side, rank)));
    let halves = cuts.map(|(side, rank): (usize, u8)| {
        let (low, high): (Vec<u16>, Vec<u16>) = cards.iter().partition(|card| sides(card)[side] <= rank);
        [low, high]
    });
    let proper = halves.filter(|[low, high]| !low.is_empty() && !high.is_empty());
    // Equal cards are split in the middle.
    let (low, high) = cards.split_at(cards.len() / 2);
    proper.min_by_key(|[low, high]| looseness(low) + looseness(high)).unwrap_or([low.to_vec(), high.to_vec()])
}
