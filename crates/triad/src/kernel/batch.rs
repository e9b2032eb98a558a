//! Playouts: 32 games of one deal at once, one game per lane. The games share the order of the cells; their cards differ.
//!
//! ```text
//! sides[cell][direction]   32 bytes: the rank in each game
//! owner[cell]              32 bytes: 0xff if A owns the card
//!
//! play: look up the sides of the 32 cards; for each occupied neighbour: owner = mine > theirs ? mover : owner
//! ```
//!
//! The cells are the same in all lanes, so the control flow is scalar: only ranks and owners differ between lanes. Elements,
//! Reverse and Fallen Ace cost almost nothing. Same, Plus, combos, Ascension and Descension use masks in the same lanes: a
//! combo repeats until no lane captures a card.
//!
//! Measured, instructions per card under the basic rule (`triad/place(batch)` in `bench/counts.txt`): 31.42 scalar, 22.64 sse2,
//! 3.68 v2, 2.84 v3. One game at a time on [`fast`](super::fast) needs 29.13 at v3.

use crate::Deal;
use crate::rules::{Rule, Rules};
use crate::tables::bonus;
use grid::simd::Simd;
use grid::simd::fearless_simd::{mask8x32, prelude::*, u8x32};
use grid::{Cell, CellSet, Direction, Player};

/// Number of games played at once.
pub const LANES: usize = 32;

/// The cards of a deal as shuffle tables. Each table has 16 entries, twice, because a shuffle works within 16 bytes.
#[derive(Clone, Debug)]
pub struct Batch {
    rules: Rules,
    first: Player,
    /// By cell and direction: the rank of each card, including the element bonus.
    ranks: [[[u8; LANES]; 4]; 9],
    /// By direction: the printed rank.
    printed: [[u8; LANES]; 4],
    /// By cell: the element bonus.
    bonus: [[u8; LANES]; 9],
    /// The type, 1 to 4; 0 for none.
    kinds: [u8; LANES],
}

impl Batch {
    /// The tables of a deal.
    #[must_use]
    pub fn new(deal: &Deal) -> Self {
        let setup = deal.setup();
        let mut batch = Self {
            rules: setup.rules,
            first: setup.first,
            ranks: [[[0; LANES]; 4]; 9],
            printed: [[0; LANES]; 4],
            bonus: [[0; LANES]; 9],
            kinds: [0; LANES],
        };
        for lane in (0..LANES).filter(|lane| lane % 16 < 10) {
            let card = setup.card(lane % 16);
            batch.kinds[lane] = card.kind.map_or(0, |kind| kind as u8 + 1);
            for direction in Direction::ALL {
                let side = card.sides[direction as usize];
                batch.printed[direction as usize][lane] = side;
                for cell in Cell::ALL {
                    let bonus = bonus(setup, lane % 16, cell) as u8;
                    batch.bonus[cell.index()][lane] = bonus;
                    batch.ranks[cell.index()][direction as usize][lane] = side.wrapping_add(bonus);
                }
            }
        }
        batch
    }

    /// Plays 32 games to the end and returns the number of cards that A owns in each. `order` is the order of the cells.
    /// `cards[turn]` is the card that each game plays in that turn; it must be a card of the mover.
    #[inline(always)]
    pub fn play<S: Simd>(&self, simd: S, order: &[Cell; 9], cards: &[[u8; LANES]; 9]) -> [u8; LANES] {
        debug_assert!(
            cards.iter().flatten().all(|card| *card < 10) && order.iter().copied().collect::<CellSet>() == CellSet::ALL
        );
        let more = [Rule::Same, Rule::Plus, Rule::Ascension, Rule::Descension];
        if more.iter().any(|rule| self.rules.has(*rule)) {
            self.play_fully(simd, order, cards)
        } else {
            self.play_basic(simd, order, cards)
        }
    }

    #[inline(always)]
    fn play_basic<S: Simd>(&self, simd: S, order: &[Cell; 9], cards: &[[u8; LANES]; 9]) -> [u8; LANES] {
        let zero = u8x32::splat(simd, 0);
        let ones = u8x32::splat(simd, 0xff);
        let mut sides = [[zero; 4]; 9];
        let mut owner = [zero; 9];
        let mut lying = CellSet::EMPTY;
        let mut mover = self.first;
        for turn in 0..9 {
            let cell = order[turn];
            let cards = u8x32::from_slice(simd, &cards[turn]);
            let me = if mover == Player::First { ones } else { zero };
            let at = cell.index();
            owner[at] = me;
            for direction in Direction::ALL {
                let ranks = u8x32::from_slice(simd, &self.ranks[at][direction as usize]);
                let mine = ranks.swizzle_dyn_within_blocks(cards);
                sides[at][direction as usize] = mine;
                let Some(there) = beside(cell, direction, lying) else { continue };
                let theirs = sides[there][direction.opposite() as usize];
                let taken = beats(simd, mine, theirs, self.rules.has(Rule::Reverse), self.rules.has(Rule::FallenAce));
                owner[there] = taken.select(me, owner[there]);
            }
            lying |= CellSet::of(cell);
            mover = mover.other();
        }
        self.scores(simd, &owner)
    }

    #[inline(always)]
    fn play_fully<S: Simd>(&self, simd: S, order: &[Cell; 9], cards: &[[u8; LANES]; 9]) -> [u8; LANES] {
        let zero = u8x32::splat(simd, 0);
        let ones = u8x32::splat(simd, 0xff);
        let mut boards = Boards { sides: [[zero; 4]; 9], bonus: [zero; 9], kind: [zero; 9], counted: [zero; 5] };
        let mut owner = [zero; 9];
        let mut lying = CellSet::EMPTY;
        let mut mover = self.first;
        for turn in 0..9 {
            let cell = order[turn];
            let at = cell.index();
            let cards = u8x32::from_slice(simd, &cards[turn]);
            let me = if mover == Player::First { ones } else { zero };
            for direction in 0..4 {
                boards.sides[at][direction] =
                    u8x32::from_slice(simd, &self.printed[direction]).swizzle_dyn_within_blocks(cards);
            }
            boards.bonus[at] = u8x32::from_slice(simd, &self.bonus[at]).swizzle_dyn_within_blocks(cards);
            boards.kind[at] = u8x32::from_slice(simd, &self.kinds).swizzle_dyn_within_blocks(cards);
            owner[at] = me;
            self.capture(simd, &boards, &mut owner, cell, lying, me);
            for kind in 1..5 {
                let same = boards.kind[at].simd_eq(u8x32::splat(simd, kind as u8));
                boards.counted[kind] = same.select(boards.counted[kind] + u8x32::splat(simd, 1), boards.counted[kind]);
            }
            lying |= CellSet::of(cell);
            mover = mover.other();
        }
        self.scores(simd, &owner)
    }

    /// The captures of the card on `cell`, including combos.
    #[inline(always)]
    fn capture<S: Simd>(
        &self,
        simd: S,
        boards: &Boards<S>,
        owner: &mut [u8x32<S>; 9],
        cell: Cell,
        lying: CellSet,
        me: u8x32<S>,
    ) {
        let zero = u8x32::splat(simd, 0);
        let none = zero.simd_gt(zero);
        let caught = self.caught(simd, boards, cell, lying);
        let mut attackers = [none; 9];
        let mut special = none;
        for direction in Direction::ALL {
            let Some(there) = beside(cell, direction, lying) else { continue };
            let taken = caught[direction as usize] & !owner[there].simd_eq(me);
            attackers[there] = taken;
            special |= taken;
            owner[there] = taken.select(me, owner[there]);
        }
        for direction in Direction::ALL {
            let Some(there) = beside(cell, direction, lying) else { continue };
            let beaten = self.fight(simd, boards, cell.index(), direction, there, self.rules.has(Rule::FallenAce));
            let taken = beaten & !owner[there].simd_eq(me);
            if self.rules.has(Rule::BasicChains) {
                attackers[there] |= taken & special;
            }
            owner[there] = taken.select(me, owner[there]);
        }
        if !self.rules.has(Rule::Combo) || !special.any_true() {
            return;
        }
        let ace = self.rules.has(Rule::FallenAce) && self.rules.has(Rule::AceChains);
        loop {
            let mut fresh = none;
            for from in lying {
                let attacker = attackers[from.index()];
                attackers[from.index()] = none;
                if !attacker.any_true() {
                    continue;
                }
                for direction in Direction::ALL {
                    let Some(there) = beside(from, direction, lying) else { continue };
                    let beaten = self.fight(simd, boards, from.index(), direction, there, ace);
                    let taken = beaten & attacker & !owner[there].simd_eq(me);
                    attackers[there] |= taken;
                    fresh |= taken;
                    owner[there] = taken.select(me, owner[there]);
                }
            }
            if !fresh.any_true() {
                return;
            }
        }
    }

    /// The neighbours that Same and Plus capture if the enemy owns them.
    #[inline(always)]
    fn caught<S: Simd>(&self, simd: S, boards: &Boards<S>, cell: Cell, lying: CellSet) -> [mask8x32<S>; 4] {
        let zero = u8x32::splat(simd, 0);
        let (one, two) = (u8x32::splat(simd, 1), u8x32::splat(simd, 2));
        let none = zero.simd_gt(zero);
        let mut caught = [none; 4];
        let (mut mine, mut theirs, mut there) = ([zero; 4], [zero; 4], [false; 4]);
        for direction in Direction::ALL {
            let at = direction as usize;
            mine[at] = self.rank(simd, boards, cell.index(), at);
            if let Some(beside) = beside(cell, direction, lying) {
                theirs[at] = self.rank(simd, boards, beside, direction.opposite() as usize);
                there[at] = true;
            }
        }
        if self.rules.has(Rule::Same) {
            let mut matches = zero;
            for direction in Direction::ALL {
                let at = direction as usize;
                let wall = self.rules.has(Rule::SameWall) && cell.neighbour(direction).is_none();
                if there[at] || wall {
                    let wanted = if wall { u8x32::splat(simd, 10) } else { theirs[at] };
                    matches = mine[at].simd_eq(wanted).select(matches + one, matches);
                }
            }
            let fires = matches.simd_ge(two);
            for at in 0..4 {
                if there[at] {
                    let weaker = self.rules.has(Rule::SameTakesWeaker);
                    let taken = if weaker { theirs[at].simd_le(mine[at]) } else { theirs[at].simd_eq(mine[at]) };
                    caught[at] = fires & taken;
                }
            }
        }
        if self.rules.has(Rule::Plus) {
            // For each neighbour, how many others have the same sum.
            let mut fellows = [zero; 4];
            let mut with_right = [none; 4];
            for at in 0..4 {
                for other in 0..4 {
                    if at != other && there[at] && there[other] {
                        let equal = (mine[at] + theirs[at]).simd_eq(mine[other] + theirs[other]);
                        fellows[at] = equal.select(fellows[at] + one, fellows[at]);
                        if other == Direction::Right as usize {
                            with_right[at] = equal;
                        }
                    }
                }
            }
            let right = Direction::Right as usize;
            with_right[right] = fellows[right].simd_ge(one);
            let three = fellows[0].max(fellows[1]).max(fellows[2]).max(fellows[3]).simd_ge(two);
            let all = fellows[0].min(fellows[1]).min(fellows[2]).min(fellows[3]).simd_ge(one);
            for at in 0..4 {
                let mut taken = fellows[at].simd_ge(one);
                if self.rules.has(Rule::PlusOneSum) {
                    // Of two pairs, the one without the right neighbour counts.
                    taken &= !(all & !three & with_right[at]);
                }
                caught[at] |= taken;
            }
        }
        caught
    }

    /// The rank that Same and Plus compare.
    #[inline(always)]
    fn rank<S: Simd>(&self, simd: S, boards: &Boards<S>, cell: usize, direction: usize) -> u8x32<S> {
        let (up, down) = (self.rules.has(Rule::Ascension), self.rules.has(Rule::Descension));
        let side = boards.sides[cell][direction];
        if !up && !down {
            return side;
        }
        let mut moved = u8x32::splat(simd, 0);
        for kind in 1..5 {
            moved = boards.kind[cell].simd_eq(u8x32::splat(simd, kind as u8)).select(boards.counted[kind], moved);
        }
        if up {
            (side + moved).min(u8x32::splat(simd, 10))
        } else {
            side.saturating_sub(moved).max(u8x32::splat(simd, 1))
        }
    }

    /// Whether a card beats its neighbour by the basic rule.
    #[inline(always)]
    fn fight<S: Simd>(
        &self,
        simd: S,
        boards: &Boards<S>,
        from: usize,
        direction: Direction,
        there: usize,
        ace: bool,
    ) -> mask8x32<S> {
        let mine = self.rank(simd, boards, from, direction as usize) + boards.bonus[from];
        let theirs = self.rank(simd, boards, there, direction.opposite() as usize) + boards.bonus[there];
        beats(simd, mine, theirs, self.rules.has(Rule::Reverse), ace)
    }

    #[inline(always)]
    fn scores<S: Simd>(&self, simd: S, owner: &[u8x32<S>; 9]) -> [u8; LANES] {
        // An owner of 0xff is -1. The card that stays in hand belongs to the player who moved second.
        let mut score = u8x32::splat(simd, u8::from(self.first == Player::Second));
        for owner in owner {
            score -= *owner;
        }
        let mut scores = [0; LANES];
        score.store_slice(&mut scores);
        scores
    }
}

/// The cards on the board, without their owners.
struct Boards<S: Simd> {
    sides: [[u8x32<S>; 4]; 9],
    bonus: [u8x32<S>; 9],
    kind: [u8x32<S>; 9],
    /// Number of cards of each type on the board.
    counted: [u8x32<S>; 5],
}

/// The neighbour in a direction, if its cell is occupied.
#[inline(always)]
fn beside(cell: Cell, direction: Direction, lying: CellSet) -> Option<usize> {
    match cell.neighbour(direction) {
        Some(there) if lying.contains(there) => Some(there.index()),
        _ => None,
    }
}

#[inline(always)]
fn beats<S: Simd>(simd: S, mine: u8x32<S>, theirs: u8x32<S>, reverse: bool, ace: bool) -> mask8x32<S> {
    let (strong, weak) = if reverse { (theirs, mine) } else { (mine, theirs) };
    let mut taken = strong.simd_gt(weak);
    if ace {
        let (one, ten) = (u8x32::splat(simd, 1), u8x32::splat(simd, 10));
        taken |= strong.simd_eq(one) & weak.simd_eq(ten);
    }
    taken
}
