//! The two-player game Cephalopod on a board of any size, on plain lists, from the rule text.

use crate::laws::Model;

/// A die and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Die {
    pips: u32,
    first: bool,
}

/// The game on `ROWS` x `COLUMNS` cells. `AIM`: 0 more squares wins, 1 more sixes wins, 2 fewer squares wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rectangle<const ROWS: usize, const COLUMNS: usize, const AIM: usize> {
    cells: Vec<Vec<Option<Die>>>,
    first_moves: bool,
}

/// A move: the cell of the new die and the captured cells, as (row, column).
#[derive(Clone, PartialEq, Eq, Debug)]
struct Placement {
    cell: (usize, usize),
    captured: Vec<(usize, usize)>,
}

impl Placement {
    fn text(&self) -> String {
        let name = |&(row, column): &(usize, usize)| format!("{}{}", char::from(b'a' + column as u8), row + 1);
        let captured: String = self.captured.iter().map(name).collect();
        if captured.is_empty() { name(&self.cell) } else { format!("{}x{captured}", name(&self.cell)) }
    }
}

impl<const ROWS: usize, const COLUMNS: usize, const AIM: usize> Rectangle<ROWS, COLUMNS, AIM> {
    fn dice_beside(&self, row: usize, column: usize) -> Vec<((usize, usize), Die)> {
        let mut beside = Vec::new();
        for (other_row, cells) in self.cells.iter().enumerate() {
            for (other_column, &cell) in cells.iter().enumerate() {
                if let (1, Some(die)) = (other_row.abs_diff(row) + other_column.abs_diff(column), cell) {
                    beside.push(((other_row, other_column), die));
                }
            }
        }
        beside
    }

    fn placements(&self) -> Vec<Placement> {
        let mut placements = Vec::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                if self.cells[row][column].is_some() {
                    continue;
                }
                let beside = self.dice_beside(row, column);
                let mut captures = Vec::new();
                for choice in 0..1 << beside.len() {
                    let chosen: Vec<_> =
                        (0..beside.len()).filter(|place| choice >> place & 1 == 1).map(|place| beside[place]).collect();
                    let pips: u32 = chosen.iter().map(|(_, die)| die.pips).sum();
                    if chosen.len() >= 2 && pips <= 6 {
                        let captured = chosen.iter().map(|&(cell, _)| cell).collect();
                        captures.push(Placement { cell: (row, column), captured });
                    }
                }
                if captures.is_empty() {
                    captures.push(Placement { cell: (row, column), captured: Vec::new() });
                }
                placements.append(&mut captures);
            }
        }
        placements
    }
}

impl<const ROWS: usize, const COLUMNS: usize, const AIM: usize> Model for Rectangle<ROWS, COLUMNS, AIM> {
    fn read(text: &str) -> Self {
        let (rows, mover) = text.split_once(':').expect("a mover");
        let die = |symbol: char| match symbol {
            '1'..='6' => Some(Die { pips: symbol as u32 - '0' as u32, first: true }),
            'a'..='f' => Some(Die { pips: symbol as u32 - 'a' as u32 + 1, first: false }),
            _ => None,
        };
        let cells = rows.split('/').map(|row| row.chars().map(die).collect()).collect();
        Self { cells, first_moves: mover == "A" }
    }

    fn write(&self) -> String {
        let symbol = |cell: &Option<Die>| match cell {
            None => '.',
            Some(Die { pips, first: true }) => char::from(b'0' + *pips as u8),
            Some(Die { pips, first: false }) => char::from(b'a' + *pips as u8 - 1),
        };
        let rows: Vec<String> = self.cells.iter().map(|row| row.iter().map(symbol).collect()).collect();
        format!("{}:{}", rows.join("/"), if self.first_moves { "A" } else { "B" })
    }

    fn moves(&self) -> Vec<String> {
        self.placements().iter().map(Placement::text).collect()
    }

    fn play(&self, text: &str) -> Self {
        let mv = self.placements().into_iter().find(|mv| mv.text() == text).expect("a legal move");
        let mut next = self.clone();
        let mut pips = 0;
        for &(row, column) in &mv.captured {
            pips += next.cells[row][column].take().expect("a die").pips;
        }
        let pips = if mv.captured.is_empty() { 1 } else { pips };
        next.cells[mv.cell.0][mv.cell.1] = Some(Die { pips, first: self.first_moves });
        next.first_moves = !self.first_moves;
        next
    }

    fn result(&self) -> Option<i32> {
        let dice: Option<Vec<Die>> = self.cells.iter().flatten().copied().collect();
        let dice: Vec<Die> = dice?.into_iter().filter(|die| AIM != 1 || die.pips == 6).collect();
        let first = dice.iter().filter(|die| die.first).count();
        let second = dice.iter().filter(|die| !die.first).count();
        let most = if first > second {
            1
        } else if first < second {
            -1
        } else {
            0
        };
        Some(if AIM == 2 { -most } else { most })
    }
}
