//! Solves one position or many. The fields of edition 0.1 stay beside the common ones, because scripts use them.

use super::deal::{DealQuestion, move_label, player_letter, position_text};
use crate::analysis::{Analysis, LegacyValue};
use crate::fault::{Fault, FaultKind};
use crate::limits::Limits;
use engine::triad::{Lines, NamedDeal, Replays, Solver, best_of_each_card, default_replays, solve_each};
use engine::{Control, Outcome, Progress};
use grid::Player;
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
use triad::{HAND, Move, Position};

/// What is the proved value of a deal?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SolveDealQuestion {
    /// The deal and the moves made so far.
    pub deal: DealQuestion,
    /// What the proof may spend.
    #[serde(default)]
    pub limits: Limits,
    /// Whether every move gets its value, and not only the best moves.
    #[serde(default)]
    pub all_moves: bool,
    /// Whether the best move gets its principal variation.
    #[serde(default)]
    pub line: bool,
    /// How many replays of a draw to look ahead; five under Sudden Death if left out, otherwise none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replays: Option<u32>,
}

/// What to compute for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveWanted {
    /// Which moves to list. The value alone is several times as fast as all moves.
    pub moves: Lines,
    /// Whether the best move gets its principal variation.
    pub line: bool,
    /// How many replays of a draw to look ahead; five under Sudden Death if left out, otherwise none.
    pub replays: Option<u32>,
}

impl SolveWanted {
    pub(super) fn new(all_moves: bool, line: bool, replays: Option<u32>) -> Self {
        Self { moves: if all_moves { Lines::All } else { Lines::Optimal }, line, replays }
    }

    fn replays_of(&self, game: &NamedDeal) -> Option<u32> {
        self.replays.or(default_replays(game.deal.setup().rules))
    }
}

/// Converts an analysis of the engine into the answer.
pub(super) fn write(game: &NamedDeal, position: &Position, found: &engine::Analysis<Move>, seconds: f64) -> Analysis {
    let mover = player_letter(game.deal.turn(position)).to_string();
    let text = position_text(game, position);
    let mut analysis = Analysis::write(text, &mover, found, seconds, |mv| mv.to_string(), |mv| move_label(game, mv));
    if game.deal.setup().rules.has_chaos() && found.complete {
        let best = best_of_each_card(&game.deal, position, &found.lines);
        analysis.optimal = best.into_iter().map(|mv| mv.to_string()).collect();
    }
    analysis
}

/// Runs a call under a part of the control. The progress callback gets its partial answers as text.
pub(super) fn with_progress<R>(
    game: &NamedDeal,
    position: &Position,
    control: &Control<'_>,
    call: impl FnOnce(&Control<'_>) -> R,
) -> R {
    let translate = |progress: &Progress<'_>| {
        let found = progress.partial::<engine::Analysis<Move>>();
        let partial = found.map(|found| write(game, position, found, progress.time.as_secs_f64()));
        control.pass_on(progress, partial.as_ref());
    };
    call(&control.part().progress(&translate))
}

/// Solves a position. With replays, values are those of the present game, while the best moves and the principal
/// variation are for the outcome with replays.
pub(super) fn solve(
    solver: &mut Solver,
    isa: Isa,
    game: &NamedDeal,
    position: &Position,
    wanted: SolveWanted,
    control: &Control<'_>,
) -> Result<Analysis, Fault> {
    let (deal, begun) = (&game.deal, control.elapsed());
    let seconds = || (control.elapsed().saturating_sub(begun)).as_secs_f64();
    let is_over = position.free().is_empty();
    let rounds = wanted.replays_of(game);
    // A decided game is not replayed.
    let open_rounds = rounds.filter(|_| !is_over || position.score() == 5);
    let replays = open_rounds.map(|rounds| Replays::new(isa, deal, rounds, control)).transpose()?;
    if deal.setup().rules.has_chaos() && !is_over {
        let mut found = solver.solve(deal, position, wanted.moves, control);
        // Moves that are not finished are left out.
        found.lines.retain(|line| line.value.chances.is_some());
        return Ok(write(game, position, &found, seconds()));
    }
    let lines = wanted.moves;
    let again = replays.as_ref().map(|replays| solver.solve_with(deal, position, replays, lines, control));
    // With replays, the best moves can have any value in the present game.
    let is_for_replays = again.is_some() && lines != Lines::None;
    let mut found = solver.solve(deal, position, if is_for_replays { Lines::All } else { lines }, control);
    let first_moves = (lines == Lines::All && found.complete).then(|| first_moves(game, position, &found));
    if let Some(again) = &again {
        let outcome = |mv: Move| again.lines.iter().find(|line| line.mv == mv).and_then(|line| line.value.outcome);
        found.lines.retain(|line| outcome(line.mv).is_some());
        found.lines.sort_by_key(|line| std::cmp::Reverse((outcome(line.mv), again.best() == Some(line.mv))));
        for line in &mut found.lines {
            line.line.truncate(1);
        }
        if let (Some(first), Some(best)) = (found.lines.first_mut(), again.lines.first()) {
            first.line.clone_from(&best.line);
        }
        found.complete &= again.complete;
        found.nodes += again.nodes;
    }
    if !wanted.line {
        for line in &mut found.lines {
            line.line.truncate(1);
        }
    }
    let mut analysis = write(game, position, &found, seconds());
    if let Some(again) = &again {
        analysis.best = again.best().map(|mv| mv.to_string());
        analysis.optimal = again.optimal().map(|mv| mv.to_string()).collect();
        analysis.sudden_death = again.value.outcome;
    } else if rounds.is_some() {
        analysis.sudden_death = analysis.outcome;
    }
    Ok(with_legacy(analysis, game, position, first_moves))
}

/// How many of the ten cards A owns at the end, from the margin of the side to move.
fn cards_of_a(margin: f64, mover: Player) -> u32 {
    (10 + margin as i32 * mover.sign()) as u32 / 2
}

/// Fills in the fields of edition 0.1. Their values are for A.
fn with_legacy(
    analysis: Analysis,
    game: &NamedDeal,
    position: &Position,
    first_moves: Option<Vec<[Option<u32>; 9]>>,
) -> Analysis {
    let mover = game.deal.turn(position);
    let cards = analysis.margin.map(|margin| cards_of_a(margin, mover));
    let result = cards.map(|cards| Outcome::of(cards as i32 - 5));
    Analysis { value: cards.map(LegacyValue::Cards), result, first_moves, ..analysis }
}

/// The number of cards A owns at the end, by card of the mover's hand and by cell.
fn first_moves(game: &NamedDeal, position: &Position, found: &engine::Analysis<Move>) -> Vec<[Option<u32>; 9]> {
    let mover = game.deal.turn(position);
    let first = NamedDeal::dealt_to(mover).start;
    let mut table = vec![[None; 9]; HAND];
    for line in &found.lines {
        let place = usize::from(line.mv.card() - first);
        table[place][line.mv.cell().index()] = line.value.margin.map(|margin| cards_of_a(margin, mover));
    }
    table
}

/// Solves many positions and passes the answers to `each` in order, until it returns false. Positions without luck and
/// replays are solved in parallel, one per thread of the control. Each of the others uses all threads.
///
/// # Errors
/// At the first position that cannot be solved. The field is `games[n]`, counted from 0. If a limit is reached, the
/// kind is [`FaultKind::Stopped`].
pub fn solve_many(
    isa: Isa,
    games: &[(NamedDeal, Position)],
    wanted: SolveWanted,
    control: &Control<'_>,
    mut each: impl FnMut(Analysis) -> bool,
) -> Result<(), Fault> {
    let is_alone = |game: &NamedDeal| game.deal.setup().rules.has_chaos() || wanted.replays_of(game).is_some();
    let in_game = |number: usize| {
        move |fault: Fault| match fault.kind {
            FaultKind::Question => Fault { field: format!("games[{number}]"), ..fault },
            _ => fault,
        }
    };
    let (mut done, mut wants_more) = (0, true);
    for run in games.chunk_by(|(one, _), (other, _)| !is_alone(one) && !is_alone(other)) {
        let (game, position) = &run[0];
        if is_alone(game) {
            let answer = solve(&mut Solver::new(isa), isa, game, position, wanted, control).map_err(in_game(done))?;
            if !answer.complete {
                control.check().map_err(engine::Error::from)?;
            }
            wants_more = each(answer);
        } else {
            let work = |solver: &mut Solver, (game, position): &(NamedDeal, Position)| {
                let answer = solve(solver, isa, game, position, wanted, control);
                match answer {
                    // The answer is incomplete only if the control has stopped.
                    Ok(answer) if !answer.complete => control.check().map(|()| Ok(answer)).map_err(Into::into),
                    answer => Ok(answer),
                }
            };
            let mut failed = None;
            solve_each(isa, run, control, work, |answer| {
                match answer {
                    Ok(answer) => wants_more = each(answer),
                    Err(fault) => failed = Some(fault),
                }
                wants_more && failed.is_none()
            })?;
            if let Some(fault) = failed {
                return Err(in_game(done)(fault));
            }
        }
        if !wants_more {
            break;
        }
        done += run.len();
    }
    Ok(())
}
