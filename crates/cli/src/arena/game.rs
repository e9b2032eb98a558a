//! Plays one game of a match. The referee checks the rules and the clock.

use super::adjudication::Rules;
use super::player::{Choice, Lapse, Pace, Player, Turn};
use super::process::shown;
use super::record::{Plan, Reason, Record};
use crate::protocol::command::PositionText;
use crate::protocol::reached;
use api::{Clock, Control, PositionQuestion, Session, SolveQuestion};
use std::time::Duration;

/// Checks moves and time, and adjudicates.
pub(super) struct Referee {
    pub(super) session: Box<dyn Session>,
    pub(super) pace: Pace,
    /// Measures the time of both players. The players think on the thread of the referee, or are other programs.
    pub(super) clock: Clock,
    pub(super) margin: Duration,
    /// Whether a game ends as soon as its result is proved.
    pub(super) adjudicates: bool,
    pub(super) rules: Rules,
}

/// Node limit of the solver per position. A node limit, not a time limit, so that adjudication is the same on every
/// machine.
const PROOF_NODES: u64 = 50_000;

impl Referee {
    /// Plays a game between A and B; `None` if it was interrupted.
    pub(super) fn play(&mut self, plan: &Plan, players: &mut [Box<dyn Player>; 2]) -> Result<Option<Record>, String> {
        let mut place = plan.opening.clone();
        let mut position = reached(self.session.as_mut(), &place).map_err(|fault| fault.message)?.0;
        let given = place.moves.len();
        let base = if let Pace::Clock(base, _) = self.pace { base } else { Duration::ZERO };
        let (mut clocks, mut seconds) = ([base; 2], [0.0; 2]);
        // A loss that is not on the board: the loser, the reason, the detail.
        let mut lost: Option<(usize, Reason, String)> = None;
        let mut watch = self.rules.watch();
        // The result by the scores, for the first player.
        let mut by_scores: Option<(i32, Reason)> = None;
        // Index in `players` of the player to move: A is 0.
        let seat = |mover: usize| if plan.a_first { mover } else { 1 - mover };
        for mover in [0, 1] {
            match players[seat(mover)].new_game(plan.game) {
                Ok(()) => {}
                Err(Lapse::Interrupted) => return Ok(None),
                Err(lapse) => lost = lost.or(Some((mover, reason(&lapse), detail(&lapse)))),
            }
        }
        loop {
            let moves = || place.moves[given..].to_vec();
            if let Some((loser, reason, detail)) = lost {
                let result = if loser == 0 { -1 } else { 1 };
                return Ok(Some(plan.played(moves(), result, reason, detail, seconds)));
            }
            let view = self.session.look(&PositionQuestion::at(position.as_str())).map_err(|fault| fault.message)?;
            if let Some(result) = view.result {
                return Ok(Some(plan.played(moves(), result.signum(), Reason::Board, String::new(), seconds)));
            }
            if let Some((result, reason)) = by_scores {
                return Ok(Some(plan.played(moves(), result, reason, String::new(), seconds)));
            }
            // Only after both players have moved.
            if self.adjudicates
                && place.moves.len() >= given + 2
                && let Some(result) = self.proved(&position, view.mover)
            {
                return Ok(Some(plan.played(moves(), result, Reason::Proved, String::new(), seconds)));
            }
            let mover = usize::from(view.mover == 2);
            let turn = Turn { place: &place, view: &view, pace: self.pace, clocks, margin: self.margin };
            let start = self.clock.now();
            let chosen = players[seat(mover)].choose(&turn);
            let spent = self.clock.now().saturating_sub(start);
            seconds[seat(mover)] += spent.as_secs_f64();
            if let Pace::Clock(_, increment) = self.pace {
                clocks[mover] = clocks[mover].saturating_sub(spent) + increment;
            }
            match chosen {
                Err(Lapse::Interrupted) => return Ok(None),
                Err(lapse) => lost = Some((mover, reason(&lapse), detail(&lapse))),
                Ok(Choice { mv, score }) => match reached(
                    self.session.as_mut(),
                    &PositionText { text: Some(position.clone()), moves: vec![mv.clone()] },
                ) {
                    Ok((next, played)) => {
                        position = next;
                        place.moves.extend(played);
                        by_scores = watch.see(mover, score, view.ply + 1);
                    }
                    Err(_) => {
                        lost = Some((mover, Reason::Illegal, format!("`{}`", shown(&mv))));
                    }
                },
            }
        }
    }

    /// The result for the first player, if the solver can prove it.
    fn proved(&mut self, position: &str, mover: u32) -> Option<i32> {
        let control = Control::new().node_limit(PROOF_NODES);
        let analysis = self.session.solve(&SolveQuestion::at(position), &control).ok()?;
        let result = analysis.outcome?.sign();
        Some(if mover == 1 { result } else { -result })
    }
}

fn reason(lapse: &Lapse) -> Reason {
    if *lapse == Lapse::Time { Reason::Time } else { Reason::Crash }
}

fn detail(lapse: &Lapse) -> String {
    match lapse {
        Lapse::Crash(why) => why.clone(),
        Lapse::Time | Lapse::Interrupted => String::new(),
    }
}
