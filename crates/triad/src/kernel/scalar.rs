//! The plain board: nine cards with owners, and one `if` per neighbour. It also reports the cause of each capture.
//!
//! ```text
//! put the card on its cell
//! for each of the four directions: if an enemy card is there and its facing rank is lower than mine, capture it
//! ```
//!
//! This is also the first board of the article "Branchless Triple Triad". Measured: 100.70 instructions per card
//! (`triad/place(published,scalar)` in `bench/counts.txt`). It is the reference for the other boards.

use crate::Deal;
use crate::explain::Cause;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{Rule, Rules};
use crate::tables::bonus;
use grid::{Cell, Direction, Player};

/// Receives every capture. `()` ignores them and costs nothing.
pub trait Witness {
    /// Called for each captured card.
    fn taken(&mut self, cell: Cell, cause: Cause);
}

impl Witness for () {
    #[inline(always)]
    fn taken(&mut self, _: Cell, _: Cause) {}
}

/// A card on the board. Owner 0 means an empty cell.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    owner: i16,
    sides: [i16; 4],
    /// The bonus of the cell's element.
    bonus: i16,
    /// The type, 1 to 4; 0 for none.
    kind: u8,
}

/// The board.
#[derive(Clone, Debug)]
pub struct Board<'a> {
    deal: &'a Deal,
    /// Whether the only rule is the comparison of printed sides.
    plain: bool,
    slots: [[Slot; 3]; 3],
    /// Number of cards of each type on the board. Index 0 counts cards without type and is never read.
    counted: [i16; 5],
}

const fn number(player: Player) -> i16 {
    match player {
        Player::First => 1,
        Player::Second => 2,
    }
}

/// Whether the only rule is the comparison of printed sides, as in the article.
pub(crate) fn is_plain(rules: Rules) -> bool {
    let more =
        [Rule::Elemental, Rule::Reverse, Rule::FallenAce, Rule::Ascension, Rule::Descension, Rule::Same, Rule::Plus];
    more.iter().all(|rule| !rules.has(*rule))
}

impl<'a> Board<'a> {
    /// The board of a position.
    #[must_use]
    pub fn new(deal: &'a Deal, position: &Position) -> Self {
        let plain = is_plain(deal.setup().rules);
        let mut board = Self { deal, plain, slots: Default::default(), counted: [0; 5] };
        for cell in Cell::ALL {
            if let Some(card) = position.card_at(cell) {
                *board.slot_mut(cell) = board.slot_of(Move::new(card, cell), position.owner(card));
                board.counted[usize::from(board.slot(cell).kind)] += 1;
            }
        }
        board
    }

    fn slot_of(&self, mv: Move, owner: Player) -> Slot {
        let card = self.deal.setup().card(mv.card().into());
        Slot {
            owner: number(owner),
            sides: card.sides.map(i16::from),
            bonus: bonus(self.deal.setup(), mv.card().into(), mv.cell()).into(),
            kind: card.kind.map_or(0, |kind| kind as u8 + 1),
        }
    }

    #[inline(always)]
    fn slot(&self, cell: Cell) -> &Slot {
        &self.slots[cell.row()][cell.column()]
    }

    #[inline(always)]
    fn slot_mut(&mut self, cell: Cell) -> &mut Slot {
        &mut self.slots[cell.row()][cell.column()]
    }

    /// Who owns the card on a cell.
    #[must_use]
    pub fn owner(&self, cell: Cell) -> Option<Player> {
        match self.slot(cell).owner {
            1 => Some(Player::First),
            2 => Some(Player::Second),
            _ => None,
        }
    }

    /// Plays a card and makes its captures.
    #[inline]
    pub fn place<W: Witness>(&mut self, mv: Move, mover: Player, witness: &mut W) {
        if self.plain { self.place_plain(mv, mover, witness) } else { self.place_fully(mv, mover, witness) }
    }

    /// The method of the article.
    #[inline(always)]
    fn place_plain<W: Witness>(&mut self, mv: Move, mover: Player, witness: &mut W) {
        let card = Slot {
            owner: number(mover),
            sides: self.deal.setup().card(mv.card().into()).sides.map(i16::from),
            ..Slot::default()
        };
        let (row, column) = (mv.cell().row(), mv.cell().column());
        self.slots[row][column] = card;
        let mut fight = |row: usize, column: usize, direction: Direction| {
            let other = &mut self.slots[row][column];
            let facing = other.sides[direction.opposite() as usize];
            if other.owner != 0 && other.owner != card.owner && facing < card.sides[direction as usize] {
                other.owner = card.owner;
                let (mine, theirs) = (card.sides[direction as usize] as i8, facing as i8);
                witness.taken(Cell::at(row, column), Cause::Basic { direction, mine, theirs });
            }
        };
        if row > 0 {
            fight(row - 1, column, Direction::Up);
        }
        if column < 2 {
            fight(row, column + 1, Direction::Right);
        }
        if row < 2 {
            fight(row + 1, column, Direction::Down);
        }
        if column > 0 {
            fight(row, column - 1, Direction::Left);
        }
    }

    /// The rank that Same and Plus compare.
    fn rank(&self, cell: Cell, direction: Direction) -> i8 {
        let rules = self.deal.setup().rules;
        let slot = self.slot(cell);
        let mut rank = slot.sides[direction as usize];
        if slot.kind != 0 && rules.has(Rule::Ascension) {
            rank = (rank + self.counted[usize::from(slot.kind)]).min(10);
        }
        if slot.kind != 0 && rules.has(Rule::Descension) {
            rank = (rank - self.counted[usize::from(slot.kind)]).max(1);
        }
        rank as i8
    }

    /// The captured cell, my rank and the facing rank, elements included, if an enemy is there and I capture it.
    fn fight(&self, cell: Cell, direction: Direction, mover: Player, fallen_ace: bool) -> Option<(Cell, i8, i8)> {
        let there = cell.neighbour(direction).filter(|&there| self.is_enemy(there, mover))?;
        let mine = self.rank(cell, direction) + self.slot(cell).bonus as i8;
        let theirs = self.rank(there, direction.opposite()) + self.slot(there).bonus as i8;
        let reverse = self.deal.setup().rules.has(Rule::Reverse);
        let (strong, weak) = if reverse { (theirs, mine) } else { (mine, theirs) };
        (strong > weak || fallen_ace && strong == 1 && weak == 10).then_some((there, mine, theirs))
    }

    fn is_enemy(&self, cell: Cell, mover: Player) -> bool {
        self.slot(cell).owner == number(mover.other())
    }

    #[inline(never)]
    fn place_fully<W: Witness>(&mut self, mv: Move, mover: Player, witness: &mut W) {
        let rules = self.deal.setup().rules;
        let cell = mv.cell();
        *self.slot_mut(cell) = self.slot_of(mv, mover);
        let mut caught = [None; 9];
        if rules.has(Rule::Same) {
            self.same(cell, mover, &mut caught);
        }
        if rules.has(Rule::Plus) {
            self.plus(cell, mover, &mut caught);
        }
        let mut attackers = [false; 9];
        let special = caught.iter().any(Option::is_some);
        for there in Cell::ALL {
            if let Some(cause) = caught[there.index()] {
                self.slot_mut(there).owner = number(mover);
                attackers[there.index()] = rules.has(Rule::Combo);
                witness.taken(there, cause);
            }
        }
        for direction in Direction::ALL {
            if let Some((there, mine, theirs)) = self.fight(cell, direction, mover, rules.has(Rule::FallenAce)) {
                self.slot_mut(there).owner = number(mover);
                attackers[there.index()] = special && rules.has(Rule::Combo) && rules.has(Rule::BasicChains);
                witness.taken(there, Cause::Basic { direction, mine, theirs });
            }
        }
        while let Some(from) = Cell::ALL.into_iter().find(|cell| attackers[cell.index()]) {
            attackers[from.index()] = false;
            for direction in Direction::ALL {
                let fallen_ace = rules.has(Rule::FallenAce) && rules.has(Rule::AceChains);
                if let Some((there, mine, theirs)) = self.fight(from, direction, mover, fallen_ace) {
                    self.slot_mut(there).owner = number(mover);
                    attackers[there.index()] = true;
                    witness.taken(there, Cause::Combo { from, mine, theirs });
                }
            }
        }
        self.counted[usize::from(self.slot(cell).kind)] += 1;
    }

    fn same(&self, cell: Cell, mover: Player, caught: &mut [Option<Cause>; 9]) {
        let rules = self.deal.setup().rules;
        let mut equal = [None; 4];
        for direction in Direction::ALL {
            let mine = self.rank(cell, direction);
            let matches = match cell.neighbour(direction) {
                None => rules.has(Rule::SameWall) && mine == 10,
                Some(there) => self.slot(there).owner != 0 && self.rank(there, direction.opposite()) == mine,
            };
            equal[direction as usize] = matches.then_some(mine);
        }
        if equal.iter().flatten().count() < 2 {
            return;
        }
        for direction in Direction::ALL {
            let Some(there) = cell.neighbour(direction).filter(|&there| self.is_enemy(there, mover)) else { continue };
            let (mine, theirs) = (self.rank(cell, direction), self.rank(there, direction.opposite()));
            if theirs == mine || rules.has(Rule::SameTakesWeaker) && theirs < mine {
                caught[there.index()] = Some(Cause::Same { equal });
            }
        }
    }

    fn plus(&self, cell: Cell, mover: Player, caught: &mut [Option<Cause>; 9]) {
        let mut sums = [None; 4];
        // Number of neighbours with each sum, and the sum that reached the largest number first.
        let (mut counted, mut best) = ([0; 21], 0);
        for direction in [Direction::Up, Direction::Down, Direction::Left, Direction::Right] {
            let Some(there) = cell.neighbour(direction).filter(|&there| self.slot(there).owner != 0) else { continue };
            let sum = self.rank(cell, direction) + self.rank(there, direction.opposite());
            sums[direction as usize] = Some(sum);
            counted[sum as usize] += 1;
            if counted[sum as usize] > counted[best as usize] {
                best = sum;
            }
        }
        for direction in Direction::ALL {
            let (Some(there), Some(sum)) = (cell.neighbour(direction), sums[direction as usize]) else { continue };
            let chosen = !self.deal.setup().rules.has(Rule::PlusOneSum) || sum == best;
            if chosen && counted[sum as usize] >= 2 && self.is_enemy(there, mover) && caught[there.index()].is_none() {
                let directions = sums.map(|other| other == Some(sum));
                caught[there.index()] = Some(Cause::Plus { sum, directions });
            }
        }
    }
}
