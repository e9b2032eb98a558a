//! Triple Triad on plain arrays, in the order of the rule text: placement, Same, Plus, the basic rule, combos.
//!
//! Both games share the code. Where they differ, a switch in [`Rules`] decides.

pub mod deck;
pub mod hidden;
mod text;

pub use text::Table;

/// A card: what is printed on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    /// Top, right, bottom, left; an A is 10.
    pub sides: [i32; 4],
    /// The element of a Final Fantasy VIII card: 0 for none, else one of 1, 2, 4, 8, 16, 32, 64, 128.
    pub element: u8,
    /// The type of a Final Fantasy XIV card: 0 none, 1 Society, 2 Primal, 3 Scion, 4 Garlean.
    pub kind: usize,
}

/// A card on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The card.
    pub card: Card,
    /// 'a' or 'b'.
    pub owner: char,
}

/// The active rules, and a switch for each point in which the two games differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the rules")]
pub struct Rules {
    pub same: bool,
    pub same_wall: bool,
    pub plus: bool,
    pub elemental: bool,
    pub reverse: bool,
    pub fallen_ace: bool,
    pub ascension: bool,
    pub descension: bool,
    /// Same captures every enemy neighbour whose facing rank is equal or lower, not only the equal ones.
    pub same_takes_weaker: bool,
    /// Plus captures for one sum only.
    pub plus_one_sum: bool,
    /// When Same or Plus fires, cards captured by the basic rule attack their neighbours too.
    pub basic_chains: bool,
    /// Fallen Ace also applies inside a combo.
    pub ace_chains: bool,
    /// Cards captured by Same or Plus attack their neighbours.
    pub combo: bool,
}

impl Rules {
    /// Final Fantasy VIII without any optional rule.
    pub const FF8: Self = Self {
        same: false,
        same_wall: false,
        plus: false,
        elemental: false,
        reverse: false,
        fallen_ace: false,
        ascension: false,
        descension: false,
        same_takes_weaker: true,
        plus_one_sum: true,
        basic_chains: true,
        ace_chains: false,
        combo: true,
    };

    /// Final Fantasy XIV without any optional rule.
    pub const FF14: Self = Self { same_takes_weaker: false, plus_one_sum: false, basic_chains: false, ..Self::FF8 };

    /// Switches on a rule by its name.
    ///
    /// # Panics
    /// If no capture rule has this name.
    #[must_use]
    pub fn with(mut self, name: &str) -> Self {
        match name {
            "Same" => self.same = true,
            "Same Wall" => self.same_wall = true,
            "Plus" => self.plus = true,
            "Elemental" => self.elemental = true,
            "Reverse" => self.reverse = true,
            "Fallen Ace" => self.fallen_ace = true,
            "Ascension" => self.ascension = true,
            "Descension" => self.descension = true,
            _ => panic!("no rule is called {name}"),
        }
        self
    }
}

/// Why a card was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the rules")]
pub enum Cause {
    Same,
    Plus,
    Basic,
    Combo,
}

/// Up, right, down, left, as on the card.
const STEPS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
const UP: usize = 0;
const RIGHT: usize = 1;
const DOWN: usize = 2;
const LEFT: usize = 3;

/// The board with its elements and rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// The element of each cell, 0 for none.
    pub elements: [u8; 9],
    /// The card on each cell.
    pub cells: [Option<Placed>; 9],
}

fn neighbour(cell: usize, direction: usize) -> Option<usize> {
    let (row, column) = (cell as i32 / 3 + STEPS[direction].0, cell as i32 % 3 + STEPS[direction].1);
    if (0..3).contains(&row) && (0..3).contains(&column) { Some((row * 3 + column) as usize) } else { None }
}

fn opposite(direction: usize) -> usize {
    (direction + 2) % 4
}

impl Board {
    /// Number of cards of this type on the board.
    fn cards_of_type(&self, kind: usize) -> i32 {
        self.cells.iter().flatten().filter(|placed| placed.card.kind == kind).count() as i32
    }

    /// The rank that Same and Plus compare: the printed rank, changed by Ascension and Descension.
    fn rank(&self, card: Card, direction: usize, counted: &[i32; 5]) -> i32 {
        let mut rank = card.sides[direction];
        if card.kind != 0 && self.rules.ascension {
            rank = (rank + counted[card.kind]).min(10);
        }
        if card.kind != 0 && self.rules.descension {
            rank = (rank - counted[card.kind]).max(1);
        }
        rank
    }

    /// The bonus or malus of the cell's element for a card.
    fn element_bonus(&self, card: Card, cell: usize) -> i32 {
        if !self.rules.elemental || self.elements[cell] == 0 {
            0
        } else if card.element == self.elements[cell] {
            1
        } else {
            -1
        }
    }

    /// Whether the card on `cell` beats its neighbour in that direction by the basic comparison.
    fn beats(&self, cell: usize, direction: usize, counted: &[i32; 5], fallen_ace: bool) -> bool {
        let Some(there) = neighbour(cell, direction) else { return false };
        let (Some(me), Some(other)) = (self.cells[cell], self.cells[there]) else { return false };
        let mine = self.rank(me.card, direction, counted) + self.element_bonus(me.card, cell);
        let theirs = self.rank(other.card, opposite(direction), counted) + self.element_bonus(other.card, there);
        if self.rules.reverse {
            mine < theirs || fallen_ace && mine == 10 && theirs == 1
        } else {
            mine > theirs || fallen_ace && mine == 1 && theirs == 10
        }
    }

    fn is_enemy(&self, cell: usize, owner: char) -> bool {
        self.cells[cell].is_some_and(|placed| placed.owner != owner)
    }

    fn take(&mut self, cell: usize, owner: char) {
        if let Some(placed) = &mut self.cells[cell] {
            placed.owner = owner;
        }
    }

    /// Plays a card on an empty cell and makes its captures. Returns the captured cells in order, with their causes.
    pub fn place(&mut self, cell: usize, card: Card, owner: char) -> Vec<(usize, Cause)> {
        // Ascension and Descension count the cards that were on the board before this one.
        let counted: [i32; 5] = std::array::from_fn(|kind| self.cards_of_type(kind));
        self.cells[cell] = Some(Placed { card, owner });
        let mut taken = Vec::new();
        if self.rules.same {
            self.same(cell, owner, &counted, &mut taken);
        }
        if self.rules.plus {
            self.plus(cell, owner, &counted, &mut taken);
        }
        let special = !taken.is_empty();
        for direction in 0..4 {
            if let Some(there) = neighbour(cell, direction)
                && self.is_enemy(there, owner)
                && self.beats(cell, direction, &counted, self.rules.fallen_ace)
            {
                self.take(there, owner);
                taken.push((there, Cause::Basic));
            }
        }
        if special && self.rules.combo {
            self.combo(owner, &counted, &mut taken);
        }
        taken
    }

    fn same(&mut self, cell: usize, owner: char, counted: &[i32; 5], taken: &mut Vec<(usize, Cause)>) {
        let card = self.cells[cell].expect("the card was placed").card;
        let mut equal = 0;
        for direction in 0..4 {
            let mine = self.rank(card, direction, counted);
            match neighbour(cell, direction) {
                Some(there) => {
                    if let Some(other) = self.cells[there]
                        && self.rank(other.card, opposite(direction), counted) == mine
                    {
                        equal += 1;
                    }
                }
                None => {
                    if self.rules.same_wall && mine == 10 {
                        equal += 1;
                    }
                }
            }
        }
        if equal < 2 {
            return;
        }
        for direction in 0..4 {
            let Some(there) = neighbour(cell, direction) else { continue };
            let Some(other) = self.cells[there] else { continue };
            let (mine, theirs) =
                (self.rank(card, direction, counted), self.rank(other.card, opposite(direction), counted));
            if self.is_enemy(there, owner) && (theirs == mine || self.rules.same_takes_weaker && theirs < mine) {
                self.take(there, owner);
                taken.push((there, Cause::Same));
            }
        }
    }

    fn plus(&mut self, cell: usize, owner: char, counted: &[i32; 5], taken: &mut Vec<(usize, Cause)>) {
        let card = self.cells[cell].expect("the card was placed").card;
        // Each sum with its neighbours; `best` is the sum that reached the largest number first.
        let mut sums: Vec<(i32, Vec<usize>)> = Vec::new();
        let mut best: (i32, usize) = (0, 0);
        for direction in [UP, DOWN, LEFT, RIGHT] {
            let Some(there) = neighbour(cell, direction) else { continue };
            let Some(other) = self.cells[there] else { continue };
            let sum = self.rank(card, direction, counted) + self.rank(other.card, opposite(direction), counted);
            let at = sums.iter().position(|(known, _)| *known == sum).unwrap_or(sums.len());
            if at == sums.len() {
                sums.push((sum, Vec::new()));
            }
            sums[at].1.push(there);
            if sums[at].1.len() > best.1 {
                best = (sum, sums[at].1.len());
            }
        }
        for (sum, cells) in sums {
            if cells.len() < 2 || self.rules.plus_one_sum && sum != best.0 {
                continue;
            }
            for there in cells {
                if self.is_enemy(there, owner) {
                    self.take(there, owner);
                    taken.push((there, Cause::Plus));
                }
            }
        }
    }

    fn combo(&mut self, owner: char, counted: &[i32; 5], taken: &mut Vec<(usize, Cause)>) {
        let mut attackers: Vec<usize> = taken
            .iter()
            .filter(|(_, cause)| self.rules.basic_chains || *cause != Cause::Basic)
            .map(|(there, _)| *there)
            .collect();
        while let Some(cell) = attackers.pop() {
            for direction in 0..4 {
                let fallen_ace = self.rules.fallen_ace && self.rules.ace_chains;
                if let Some(there) = neighbour(cell, direction)
                    && self.is_enemy(there, owner)
                    && self.beats(cell, direction, counted, fallen_ace)
                {
                    self.take(there, owner);
                    taken.push((there, Cause::Combo));
                    attackers.push(there);
                }
            }
        }
    }

    /// The owner of each cell; '.' for an empty cell.
    #[must_use]
    pub fn owners(&self) -> String {
        self.cells.iter().map(|placed| placed.map_or('.', |placed| placed.owner)).collect()
    }
}
