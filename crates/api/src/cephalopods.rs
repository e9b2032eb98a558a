//! Cephalopods for two at the desk: 3x3 by its complete solution, other sizes by search.

use super::view::{BoardView, Die, Flip, MoveView, Played, View};
use super::{Analysis, Desk, Fault, GameName, Line, Outcome, Request, Setting, choice, count, number};
use crate::cephalopods::analysis::Analyst;
use crate::cephalopods::duel::Solver;
use crate::cephalopods::rectangle::Searcher;
use cephalopods::Aim;
use cephalopods::rectangle::Rectangle;
use grid::simd::Isa;
use grid::{Game, Notation, Player, Versus};

const RULES: [(&str, Aim); 3] = [("majority", Aim::Majority), ("sixes", Aim::Sixes), ("misere", Aim::Misere)];

/// The sizes that are offered by name; any `RxC` of at most 8 a side and 32 cells will do.
const SIZE: &str = "rows x columns such as 3x5, at most 8 a side and 32 cells";

/// Farther than any search comes.
const FARTHEST: u32 = 1000;

/// Cephalopods for two.
pub struct Cephalopods {
    isa: Isa,
    aim: Aim,
    size: (usize, usize),
    seed: u64,
    /// The solution of 3x3 under `aim`, as far as it is known.
    solver: Solver,
}

impl Cephalopods {
    /// The 3x3 board, most squares win.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { isa, aim: Aim::Majority, size: (3, 3), seed: 1, solver: Solver::new(Aim::Majority, isa) }
    }

    fn searcher(&self, request: &Request) -> Option<Searcher> {
        let game = Rectangle::new(self.size.0, self.size.1, self.aim)?;
        let mut budget = request.budget();
        if request.prove {
            // Alpha-beta values every move; the tree search is content when the position is proved.
            budget.depth = budget.depth.or(Some(FARTHEST));
        }
        Some(Searcher { game, budget, seed: self.seed, isa: self.isa })
    }

    fn rectangle(&self) -> Rectangle {
        let fallback = || Rectangle::new(3, 3, self.aim).expect("3x3 is a size");
        Rectangle::new(self.size.0, self.size.1, self.aim).unwrap_or_else(fallback)
    }
}

/// Does one thing with whichever rules are in force: `with_rules!(desk, rules => expression)`.
macro_rules! with_rules {
    ($desk:expr, $rules:ident => $body:expr) => {
        if $desk.size == (3, 3) {
            let $rules = $desk.solver.duel();
            $body
        } else {
            let $rules = &$desk.rectangle();
            $body
        }
    };
}

fn read<G: Notation>(rules: &G, text: &str) -> Result<G::Position, Fault> {
    let text = text.trim();
    rules.read_position(text).map_err(|fault| Fault::text("position", &fault, text))
}

fn position_text<G: Notation>(rules: &G, position: &G::Position) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = rules.write_position(position, &mut text);
    text
}

fn move_text<G: Notation>(rules: &G, position: &G::Position, mv: G::Move) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = rules.write_move(position, mv, &mut text);
    text
}

/// The cells of a move: the one it is made on, then the captured ones. On 3x3 they are digits, elsewhere a letter and a
/// number each.
fn cells(mv: &str, columns: usize) -> Vec<usize> {
    let symbols: Vec<usize> = mv.bytes().filter(|byte| *byte != b'x').map(usize::from).collect();
    if symbols.first().is_some_and(|symbol| *symbol < usize::from(b'a')) {
        return symbols.iter().map(|symbol| symbol - usize::from(b'0')).collect();
    }
    let cell = |pair: &[usize]| (pair[1] - usize::from(b'1')) * columns + pair[0] - usize::from(b'a');
    symbols.chunks_exact(2).map(cell).collect()
}

fn dice(position: &str) -> Vec<Option<Die>> {
    let cells = position.split(':').next().unwrap_or_default();
    let die = |symbol: u8| match symbol {
        b'1'..=b'6' => Some(Die { owner: 1, pips: symbol - b'0' }),
        b'a'..=b'f' => Some(Die { owner: 2, pips: symbol - b'a' + 1 }),
        _ => None,
    };
    cells.bytes().filter(|symbol| *symbol != b'/').map(die).collect()
}

const PLAYERS: [&str; 2] = ["A", "B"];

fn look<G: Notation + Versus>(rules: &G, text: &str, (rows, columns): (usize, usize)) -> Result<View, Fault> {
    let position = read(rules, text)?;
    let text = position_text(rules, &position);
    let mover = rules.mover(&position);
    let move_view = |mv| {
        let mv = move_text(rules, &position, mv);
        let mut cells = cells(&mv, columns).into_iter();
        MoveView { label: mv.clone(), cell: cells.next().unwrap_or(0), card: None, captures: cells.collect(), mv }
    };
    let result = rules.result(&position).map(i32::signum);
    let status = match result {
        None => format!("{} to move", PLAYERS[mover as usize]),
        Some(0) => "drawn".to_owned(),
        Some(result) => format!("{} has won", PLAYERS[usize::from(result < 0)]),
    };
    let dice = dice(&text);
    Ok(View {
        // Captures take dice away, so the number of dice does not tell how many moves were made; whose turn it is does
        // not either. Ply counts the dice.
        ply: dice.iter().flatten().count() as u32,
        board: BoardView::Cephalopods { rows, columns, dice },
        position: text,
        fen: None,
        mover: View::number(mover),
        players: PLAYERS,
        moves: rules.moves(&position).map(move_view).collect(),
        result,
        status,
    })
}

fn play<G: Notation>(rules: &G, text: &str, mv: &str, columns: usize) -> Result<Played, Fault> {
    let position = read(rules, text)?;
    let mv = mv.trim();
    let legal = rules.read_move(&position, mv).map_err(|fault| Fault::text("move", &fault, mv))?;
    let mv = move_text(rules, &position, legal);
    let dice = dice(&position_text(rules, &position));
    let taken: Vec<usize> = cells(&mv, columns)[1..].to_vec();
    let pips = |cell: &usize| dice.get(*cell).copied().flatten().map_or(0, |die| die.pips);
    let sum: u8 = taken.iter().map(pips).sum();
    let addends: Vec<String> = taken.iter().map(|cell| pips(cell).to_string()).collect();
    let cause = format!("captured: {} = {sum}", addends.join(" + "));
    Ok(Played {
        label: mv.clone(),
        mv,
        flips: taken.into_iter().map(|cell| Flip { cell, cause: cause.clone() }).collect(),
        position: position_text(rules, &rules.play_unchecked(&position, legal)),
    })
}

impl Desk for Cephalopods {
    fn game(&self) -> GameName {
        GameName::Cephalopods
    }

    fn settings(&self) -> Vec<Setting> {
        let size =
            Setting { name: "size", value: format!("{}x{}", self.size.0, self.size.1), kind: super::SettingKind::Text };
        vec![
            Setting::choice("rule", self.aim.name(), &RULES.map(|(name, _)| name)),
            size,
            Setting::number("seed", self.seed, 0, u64::MAX),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match name {
            "rule" => {
                let aim = choice("rule", value, &RULES)?;
                if aim != self.aim {
                    self.aim = aim;
                    self.solver = Solver::new(aim, self.isa);
                }
            }
            "size" => {
                let wrong = || Fault::new("size", format_args!("size is {SIZE}, not `{value}`"));
                let sides = value.trim().split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                let (rows, columns) = sides.ok_or_else(wrong)?;
                Rectangle::new(rows, columns, self.aim).ok_or_else(wrong)?;
                self.size = (rows, columns);
            }
            "seed" => self.seed = number("seed", value, 0, u64::MAX)?,
            _ => return Err(Fault::new("option", format_args!("no option is called `{name}`: rule, size, seed"))),
        }
        Ok(())
    }

    fn prepare(&mut self) {
        if self.size == (3, 3) {
            let start = self.solver.duel().start();
            self.solver.value(&start);
        }
    }

    fn start(&self) -> Result<String, Fault> {
        Ok(with_rules!(self, rules => position_text(rules, &rules.start())))
    }

    fn look(&self, position: &str) -> Result<View, Fault> {
        with_rules!(self, rules => look(rules, position, self.size))
    }

    fn play(&self, position: &str, mv: &str) -> Result<Played, Fault> {
        with_rules!(self, rules => play(rules, position, mv, self.size.1))
    }

    fn analyse(
        &mut self,
        position: &str,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, Fault> {
        let found = if self.size == (3, 3) {
            let stand = read(self.solver.duel(), position)?;
            Analyst::analyse(&mut self.solver, &stand)
        } else {
            let mut searcher = self.searcher(request).ok_or_else(|| Fault::new("size", SIZE))?;
            let area = read(&searcher.game, position)?;
            searcher.analyse(&area)
        };
        let mut found = found.map_err(Fault::run)?;
        let view = self.look(position)?;
        if view.result.is_some() {
            let mover = if found.mover == 'A' { Player::First } else { Player::Second };
            return Ok(Analysis::over(found.position, found.value as i32 * mover.sign(), mover, None));
        }
        if found.best.is_none() {
            // Stopped before the first look: any move is better than none.
            found.best = view.moves.first().map(|mv| mv.mv.clone());
        }
        let line = |mv: &crate::cephalopods::analysis::MoveValue| Line {
            mv: mv.text.clone(),
            label: mv.text.clone(),
            outcome: mv.exact.then(|| Outcome::of(mv.value as i32)),
            exact: mv.exact,
            score: mv.value,
            margin: None,
            line: if Some(&mv.text) == found.best.as_ref() { found.line.clone() } else { vec![mv.text.clone()] },
        };
        // Of several moves of the same worth the engine's own choice comes first.
        let mut moves: Vec<_> = found.moves.iter().collect();
        moves.sort_by_key(|mv| Some(&mv.text) != found.best.as_ref());
        let lines = moves.into_iter().map(line).collect();
        let analysis = Analysis {
            outcome: found.exact.then(|| Outcome::of(found.value as i32)),
            exact: found.exact,
            score: found.value,
            best: found.best.clone(),
            nodes: found.nodes,
            seconds: found.seconds,
            ..Analysis::of_lines(found.position, lines, request.lines)
        };
        progress(&analysis);
        Ok(analysis)
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, Fault> {
        with_rules!(self, rules => Ok(count(rules, &read(rules, position)?, depth)))
    }
}
