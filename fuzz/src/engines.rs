//! Path sums and solvers against each other and against the naive models.

use crate::{Input, deals};
use cephalopods::{Aim, Board, DuelPosition};
use engine::cephalopods::{Cache, PathSum, Table, duel, table};
use engine::triad::{Lines, Solver as TriadSolver};
use engine::uttt::{Rules, Solver};
use engine::{Control, Outcome};
use grid::simd::Isa;
use grid::{Cell, CellSet, Game, Notation, Player, Rng};
use ninefold_triad::Deal;
use oracle::laws::{Model, position_text};
use oracle::uttt_endgame::Endgame;
use oracle::{cephalopods as naive_dice, triad as naive_cards, uttt as naive, uttt_proof};
use std::cell::RefCell;
use std::collections::HashMap;
use uttt::Position;

/// The three engines of path sums, and the naive recursion where it is small.
pub fn path_sums(data: &[u8]) {
    struct Engines {
        scratch: PathSum,
        cache: Cache,
        table: Table,
        above: PathSum,
    }
    thread_local! {
        static ENGINES: RefCell<Engines> = RefCell::new({
            let (isa, path) = (Isa::detect(), crate::files::scratch_file("sums"));
            // Most questions start below this rank, so the table stops them on their way.
            table::write(&path, isa, 1 << 44, &Control::new()).expect("a temporary file");
            let table = Table::open(&path).expect("the file that was written");
            let _ = std::fs::remove_file(path);
            Engines { scratch: PathSum::new(isa), cache: Cache::new(isa), table, above: PathSum::new(isa) }
        });
    }
    let mut input = Input(data);
    let cells = std::array::from_fn(|_| input.below(7) as u8);
    let board = Board::from_cells(cells).expect("cells of 0 to 6");
    // With few dice the number of boards grows fast with the depth.
    let dice = cells.iter().filter(|&&pips| pips > 0).count();
    let most = [4, 4, 4, 5, 6, 8, 12, 41, 41, 41][dice];
    let depth = input.below(most) as u32;
    ENGINES.with_borrow_mut(|engines| {
        let control = Control::new();
        let sum = engines.scratch.sum(board, depth, &control).expect("no limit");
        assert_eq!(engines.cache.sum(board, depth, &control).expect("no limit"), sum, "cache: {board} {depth}");
        let by_table = engines.table.sum(&mut engines.above, board, depth, &control).expect("no limit");
        assert_eq!(by_table, sum, "table: {board} {depth}");
        if board.rank() >= 30 || depth <= 2 {
            let slow = naive_dice::tally(&cells, depth, &mut HashMap::new()).sum();
            assert_eq!(slow, sum, "naive: {board} {depth}");
        }
    });
}

/// Plays one move per byte until `most` squares are left.
fn endgame(rules: Rules, most: usize, input: &mut Input<'_>) -> Position {
    let mut position = Position::START;
    let mut rng = Rng::new(input.word());
    loop {
        let moves = rules.moves(&position);
        let empties: usize = match rules {
            Rules::Standard => position.empties::<uttt::Standard>(),
            Rules::CodinGame => position.empties::<uttt::CodinGame>(),
            Rules::Open => position.empties::<uttt::Open>(),
        } as usize;
        if moves.is_empty() || empties <= most {
            return position;
        }
        let choice = if input.is_empty() { rng.below(moves.len() as u32) as usize } else { input.below(moves.len()) };
        position = rules.play_unchecked(&position, moves[choice]);
    }
}

/// The solver of Ultimate Tic-Tac-Toe against exhaustive search: the value, every move, and the certificate.
pub fn uttt_solver(data: &[u8]) {
    thread_local! {
        static SOLVERS: RefCell<[Solver; 3]> =
            RefCell::new(Rules::ALL.map(|rules| Solver::new(rules, 1 << 20).expect("1 MiB")));
    }
    let mut input = Input(data);
    let number = input.below(3);
    let rules = Rules::ALL[number];
    let most = 1 + input.below(10);
    let position = endgame(rules, most, &mut input);
    if rules.result(&position).is_some() {
        return;
    }
    let game = naive::Uttt([naive::Rule::Standard, naive::Rule::CodinGame, naive::Rule::Open][number]);
    let shown = format!("{position:?}");
    let mut slow = Endgame::new(game, game.read_position(&shown).expect("a position"));
    let value = Outcome::of(slow.value());
    SOLVERS.with_borrow_mut(|solvers| {
        let solver = &mut solvers[number];
        let analysis = solver.analyse_moves(&position, &Control::new());
        assert_eq!((analysis.value.outcome, analysis.complete), (Some(value), true), "{shown}");
        let text =
            |(board, square): (usize, usize)| [board, square].map(|at| char::from(b'a' + at as u8)).iter().collect();
        let mut slow: Vec<(String, _)> =
            slow.moves().into_iter().map(|(mv, value)| (text(mv), Some(Outcome::of(value)))).collect();
        let mut fast: Vec<_> = analysis.lines.iter().map(|line| (line.mv.to_string(), line.value.outcome)).collect();
        slow.sort_by(|a, b| a.0.cmp(&b.0));
        fast.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(fast, slow, "{shown}");
        let line = solver.line(&position, &Control::new()).expect("no limit");
        let end = line.iter().fold(position, |position, &mv| rules.play_unchecked(&position, mv));
        let result = rules.result(&end).expect("the end of the game");
        assert_eq!(Outcome::of(result * position.mover().sign()), value, "{shown}");
        if let Ok(certificate) = solver.certify(&position, &Control::new()) {
            let verified = uttt_proof::verify(&certificate.body).expect("a proof of our own");
            assert_eq!(Outcome::of(verified.value), value, "{shown}");
        }
    });
}

/// The solver of Triple Triad against exhaustive search, from late positions under all combinations of rules.
pub fn triad_solver(data: &[u8]) {
    thread_local! {
        static SOLVERS: RefCell<Vec<TriadSolver>> = RefCell::new(Isa::available().map(TriadSolver::new).collect());
    }
    let mut input = Input(data);
    let deal = Deal::new(&deals::random_setup(&mut Rng::new(input.word()))).expect("a legal deal");
    let left = 1 + input.below(3);
    let mut position = deal.start();
    while position.free().len() > left {
        let moves: Vec<_> = deal.moves(&position).collect();
        position = deal.play_unchecked(&position, moves[input.below(moves.len())]);
    }
    let shown = position_text(&deal, &position);
    let slow = naive_cards::Table::read(&shown);
    let margin = |cards: i32| Some(f64::from((2 * cards - 10) * deal.turn(&position).sign()));
    SOLVERS.with_borrow_mut(|solvers| {
        for solver in solvers {
            let analysis = solver.analyse(&deal, &position, Lines::All, &Control::new());
            assert_eq!(analysis.value.margin, margin(slow.value()), "{shown}");
            for line in &analysis.lines {
                let after = slow.after(line.mv.card().into(), line.mv.cell().index());
                assert_eq!(line.value.margin, margin(after.value()), "{} in {shown}", line.mv);
            }
        }
    });
}

/// The solver of Cephalopods for two against exhaustive search, from boards with many pips.
pub fn duel_solver(data: &[u8]) {
    thread_local! {
        static SOLVERS: RefCell<[duel::Solver; 3]> =
            RefCell::new(Aim::ALL.map(|aim| duel::Solver::new(aim, Isa::detect())));
    }
    let mut input = Input(data);
    let number = input.below(3);
    let cells = std::array::from_fn(|_| 6 - input.below(10).min(6) as u8);
    let board = Board::from_cells(cells).expect("cells of 0 to 6");
    let first = CellSet::from_bits(input.byte().into());
    let mover = if input.below(2) == 0 { Player::First } else { Player::Second };
    if board.rank() < 25 {
        return;
    }
    let position = DuelPosition::new(board, first, mover);
    let mine = Cell::ALL.map(|cell| position.ours().contains(cell));
    let aim = [naive_dice::Aim::Majority, naive_dice::Aim::Sixes, naive_dice::Aim::Misere][number];
    let slow = naive_dice::negamax(aim, &cells, &mine, &mut HashMap::new());
    SOLVERS.with_borrow_mut(|solvers| {
        let value = solvers[number].value(&position, &Control::new()).expect("no limit");
        assert_eq!(value.sign(), slow, "{:?}: {board} {first:?} {mover:?}", Aim::ALL[number]);
    });
}
