//! Cephalopods on a plain array, from the rule text: captures, the sum over all sequences of moves, and the two-player game by
//! plain negamax.

use crate::laws::Model;
use std::collections::HashMap;

/// The pips of each cell; 0 if it is empty.
pub type Board = [u8; 9];

/// A move: the cell that gets the new die, and the cells whose dice it captures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The cell of the new die.
    pub cell: usize,
    /// The captured neighbours in ascending order: none, or at least two.
    pub captured: Vec<usize>,
    /// The board after the move.
    pub after: Board,
}

/// The neighbours of a cell in ascending order.
#[must_use]
pub fn neighbours(cell: usize) -> Vec<usize> {
    let (row, column) = (cell / 3, cell % 3);
    (0..9usize).filter(|&other| (other / 3).abs_diff(row) + (other % 3).abs_diff(column) == 1).collect()
}

/// Every legal move, ordered by cell, then by the captured cells as a set of bits.
#[must_use]
pub fn moves(board: &Board) -> Vec<Placement> {
    let mut moves = Vec::new();
    for cell in (0..9).filter(|&cell| board[cell] == 0) {
        let beside: Vec<usize> = neighbours(cell).into_iter().filter(|&other| board[other] > 0).collect();
        let mut captures = Vec::new();
        for choice in 0..1 << beside.len() {
            let captured: Vec<usize> =
                (0..beside.len()).filter(|place| choice >> place & 1 == 1).map(|place| beside[place]).collect();
            let pips: u8 = captured.iter().map(|&other| board[other]).sum();
            if captured.len() >= 2 && pips <= 6 {
                let mut after = *board;
                captured.iter().for_each(|&other| after[other] = 0);
                after[cell] = pips;
                captures.push(Placement { cell, captured, after });
            }
        }
        if captures.is_empty() {
            let mut after = *board;
            after[cell] = 1;
            moves.push(Placement { cell, captured: Vec::new(), after });
        } else {
            moves.append(&mut captures);
        }
    }
    moves
}

/// The nine digits as one decimal number.
#[must_use]
pub fn value(board: &Board) -> u32 {
    board.iter().fold(0, |number, &digit| 10 * number + u32::from(digit))
}

/// The task of the contest by plain recursion: the sum of the values of all final boards modulo 2^30.
#[must_use]
pub fn sum(board: &Board, depth: u32) -> u32 {
    let moves = moves(board);
    if depth == 0 || moves.is_empty() {
        return value(board);
    }
    moves.iter().fold(0, |total: u32, mv| total.wrapping_add(sum(&mv.after, depth - 1))) % (1 << 30)
}

/// Sums over all sequences of moves up to a depth limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of sequences.
    pub games: u128,
    /// For each cell, the sum of its digit over the final boards.
    pub digits: [u128; 9],
}

impl Tally {
    /// The sum of the values modulo 2^30.
    #[must_use]
    pub fn sum(&self) -> u32 {
        let number = self.digits.iter().fold(0u128, |number, digit| number.wrapping_mul(10).wrapping_add(*digit));
        (number % (1 << 30)) as u32
    }
}

/// The exact tally, by recursion with memoisation.
pub fn tally(board: &Board, depth: u32, seen: &mut HashMap<(Board, u32), Tally>) -> Tally {
    let moves = moves(board);
    if depth == 0 || moves.is_empty() {
        return Tally { games: 1, digits: board.map(u128::from) };
    }
    if let Some(known) = seen.get(&(*board, depth)) {
        return *known;
    }
    let mut total = Tally::default();
    for mv in moves {
        let part = tally(&mv.after, depth - 1, seen);
        total.games += part.games;
        (0..9).for_each(|cell| total.digits[cell] += part.digits[cell]);
    }
    seen.insert((*board, depth), total);
    total
}

/// The winning condition of the two-player game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// The owner of more squares wins.
    Majority,
    /// The owner of more sixes wins.
    Sixes,
    /// The owner of more squares loses.
    Misere,
}

/// The value of the two-player game for the side to move: 1 win, 0 draw, -1 loss. `mine[cell]`: the die belongs to the mover.
pub fn negamax(aim: Aim, board: &Board, mine: &[bool; 9], seen: &mut HashMap<(Board, [bool; 9]), i32>) -> i32 {
    if let Some(known) = seen.get(&(*board, *mine)) {
        return *known;
    }
    let moves = moves(board);
    let value = if moves.is_empty() {
        let counted = |cell: &usize| aim != Aim::Sixes || board[*cell] == 6;
        let ours = (0..9).filter(counted).filter(|&cell| mine[cell]).count();
        let theirs = (0..9).filter(counted).filter(|&cell| !mine[cell]).count();
        let result = ours.cmp(&theirs) as i32;
        if aim == Aim::Misere { -result } else { result }
    } else {
        let results = moves.iter().map(|mv| {
            let mut theirs: [bool; 9] = std::array::from_fn(|cell| mv.after[cell] > 0 && !mine[cell]);
            theirs[mv.cell] = false;
            -negamax(aim, &mv.after, &theirs, seen)
        });
        results.max().unwrap_or(0)
    };
    seen.insert((*board, *mine), value);
    value
}

/// The game of the contest as a [`Model`]: nine digits; a move is the cell, then `x` and the captured cells if any.
#[derive(Clone, Debug)]
pub struct Contest(pub Board);

fn step_text(mv: &Placement) -> String {
    let captured: String = mv.captured.iter().map(usize::to_string).collect();
    if captured.is_empty() { mv.cell.to_string() } else { format!("{}x{captured}", mv.cell) }
}

impl Model for Contest {
    fn read(text: &str) -> Self {
        let digits: Vec<u8> = text.bytes().map(|digit| digit - b'0').collect();
        Self(digits.try_into().expect("nine digits"))
    }

    fn write(&self) -> String {
        self.0.iter().map(u8::to_string).collect()
    }

    fn moves(&self) -> Vec<String> {
        moves(&self.0).iter().map(step_text).collect()
    }

    fn play(&self, text: &str) -> Self {
        Self(moves(&self.0).into_iter().find(|mv| step_text(mv) == text).expect("a legal move").after)
    }

    fn result(&self) -> Option<i32> {
        None
    }
}

/// The two-player game as a [`Model`]: A's dice are `1` to `6`, B's `a` to `f`, then a colon and the side to move.
#[derive(Clone, Debug)]
pub struct Duel<const AIM: usize> {
    board: Board,
    is_first: [bool; 9],
    first_moves: bool,
}

impl<const AIM: usize> Model for Duel<AIM> {
    fn read(text: &str) -> Self {
        let cells = &text.as_bytes()[..9];
        let pips = |symbol: u8| match symbol {
            b'1'..=b'6' => symbol - b'0',
            b'a'..=b'f' => symbol - b'a' + 1,
            _ => 0,
        };
        Self {
            board: std::array::from_fn(|cell| pips(cells[cell])),
            is_first: std::array::from_fn(|cell| cells[cell].is_ascii_digit()),
            first_moves: text.ends_with(":A"),
        }
    }

    fn write(&self) -> String {
        let cell = |cell: usize| match (self.board[cell], self.is_first[cell]) {
            (0, _) => '.',
            (pips, true) => char::from(b'0' + pips),
            (pips, false) => char::from(b'a' + pips - 1),
        };
        (0..9).map(cell).chain([':', if self.first_moves { 'A' } else { 'B' }]).collect()
    }

    fn moves(&self) -> Vec<String> {
        moves(&self.board).iter().map(step_text).collect()
    }

    fn play(&self, text: &str) -> Self {
        let mv = moves(&self.board).into_iter().find(|mv| step_text(mv) == text).expect("a legal move");
        let mut is_first: [bool; 9] = std::array::from_fn(|cell| mv.after[cell] > 0 && self.is_first[cell]);
        is_first[mv.cell] = self.first_moves;
        Self { board: mv.after, is_first, first_moves: !self.first_moves }
    }

    fn result(&self) -> Option<i32> {
        let aim = [Aim::Majority, Aim::Sixes, Aim::Misere][AIM];
        let over = self.board.iter().all(|&pips| pips > 0);
        over.then(|| negamax(aim, &self.board, &self.is_first, &mut HashMap::new()))
    }
}

/// The test vectors of the data folder.
pub mod vectors {
    use serde::Deserialize;
    use std::collections::BTreeMap;

    /// One board and depth with the expected answer.
    #[derive(Deserialize, Clone, Debug)]
    #[allow(missing_docs, reason = "the data file explains its fields")]
    pub struct Vector {
        pub name: String,
        pub depth: u32,
        pub board: String,
        pub expected: u32,
        pub paths: Option<String>,
        pub exact_sum: Option<String>,
        pub unique_final: Option<u64>,
    }

    /// The file.
    #[derive(Deserialize, Clone, Debug)]
    #[allow(missing_docs, reason = "the data file explains its fields")]
    pub struct Vectors {
        pub official_public_tests: Vec<Vector>,
        pub extra_public: Vec<Vector>,
        pub empty_board_depth_0_40: Vec<Vector>,
        pub single_die_boards: SingleDie,
        pub hard_cases: Vec<Vector>,
        pub random_cases: Vec<Vector>,
        pub game_facts: GameFacts,
    }

    /// Boards with one die, depth 1 to 40.
    #[derive(Deserialize, Clone, Debug)]
    pub struct SingleDie {
        /// By board.
        pub values_depth_1_to_40: BTreeMap<String, Vec<u32>>,
    }

    /// Known facts about the game as a whole.
    #[derive(Deserialize, Clone, Debug)]
    #[allow(missing_docs, reason = "the data file explains its fields")]
    pub struct GameFacts {
        pub games_total_from_empty: String,
        pub games_by_length: BTreeMap<u32, String>,
        pub layers_from_empty: BTreeMap<u32, (u64, u64)>,
        pub max_remaining_length_by_rank_dice: Vec<[i32; 10]>,
    }

    impl Vectors {
        /// Every vector that has a board, a depth and an answer.
        #[must_use]
        pub fn all(&self) -> Vec<Vector> {
            let mut all = self.official_public_tests.clone();
            all.extend(self.extra_public.iter().cloned());
            all.extend(self.empty_board_depth_0_40.iter().cloned());
            all.extend(self.hard_cases.iter().cloned());
            all.extend(self.random_cases.iter().cloned());
            for (board, values) in &self.single_die_boards.values_depth_1_to_40 {
                all.extend(values.iter().zip(1..).map(|(&expected, depth)| Vector {
                    name: format!("one die {board}"),
                    depth,
                    board: board.clone(),
                    expected,
                    paths: None,
                    exact_sum: None,
                    unique_final: None,
                }));
            }
            all
        }
    }

    /// Reads the file.
    ///
    /// # Panics
    /// If the data folder is not as it was committed.
    #[must_use]
    pub fn load() -> Vectors {
        let text = include_str!("../data/cephalopods_vectors.json");
        serde_json::from_str(text).expect("the committed file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        Contest::read(text).0
    }

    #[test]
    fn a_capture_must_be_taken_where_there_is_one() {
        let shown: Vec<String> = moves(&board("111101000"))
            .iter()
            .filter(|mv| mv.cell == 4)
            .map(|mv| mv.after.map(|digit| digit.to_string()).concat())
            .collect();
        assert_eq!(shown, ["101021000", "101120000", "111020000", "101030000"].map(String::from));
        // On other cells a placement is still legal.
        assert!(moves(&board("111101000")).iter().any(|mv| mv.captured.is_empty()));
    }

    #[test]
    fn a_six_is_never_captured() {
        let captures = moves(&board("060606060")).iter().filter(|mv| !mv.captured.is_empty()).count();
        assert_eq!(captures, 0);
    }

    #[test]
    fn the_recursion_gives_the_small_vectors() {
        let mut checked = 0;
        for vector in vectors::load().all() {
            let few = vector.paths.as_ref().is_some_and(|paths| paths.len() <= 3);
            if few || vector.depth <= 3 {
                assert_eq!(sum(&board(&vector.board), vector.depth), vector.expected, "{vector:?}");
                checked += 1;
            }
        }
        assert!(checked > 200, "{checked}");
    }

    #[test]
    fn the_tally_gives_the_middling_vectors() {
        let mut checked = 0;
        for vector in vectors::load().all() {
            let Some(paths) = vector.paths.as_ref().filter(|paths| paths.len() <= 5) else { continue };
            let tally = tally(&board(&vector.board), vector.depth, &mut HashMap::new());
            assert_eq!((tally.sum(), tally.games.to_string()), (vector.expected, paths.clone()), "{vector:?}");
            checked += 1;
        }
        assert!(checked > 100, "{checked}");
    }
}
