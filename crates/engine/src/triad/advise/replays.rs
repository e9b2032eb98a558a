//! Sudden Death: what a draw is worth if it is replayed.
//!
//! After a draw every card lies open but the opponent's last one, and a world knows that one too. So a draw in a world is
//! followed by a known open game, in which both play perfectly: everybody has the cards he owns, and the other player starts.
//! Its result counts in place of the draw, in every measure.
//!
//! Price: one open game for each draw that a search reaches, at most 252 per world. Each further replay solves all 252 games
//! of each world before the search begins.

use super::super::solve::Solver;
use super::super::sudden;
use super::deal::HiddenDeal;
use super::open::open_game;
use super::position::HiddenPosition;
use crate::error::Error;
use crate::value::Outcome;
use ::search::{Control, Meter};
use grid::simd::Isa;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use triad::{Deal, HAND, Setup};

/// The results of the replays of one world that are known.
struct World {
    setup: Setup,
    /// What draws of the first replay are worth.
    after: sudden::Replays,
    /// By the cards that I own, numbered as in the open deal: 0 if not known, otherwise the result plus one.
    known: Box<[AtomicU8; 1024]>,
}

/// The results of all replays, found when they are asked for.
pub(super) struct Replays<'a> {
    deal: &'a HiddenDeal,
    control: &'a Control<'a>,
    /// By world; none if the cards shown exclude it.
    worlds: Vec<Option<World>>,
    /// Solvers that no thread uses now.
    solvers: Mutex<Vec<Solver>>,
}

impl<'a> Replays<'a> {
    /// The replays of a position, at most `rounds` one after the other. None if draws are not replayed.
    ///
    /// # Errors
    /// If luck decides the replays, or if the control stops the call.
    pub(super) fn new(
        deal: &'a HiddenDeal,
        position: &HiddenPosition,
        control: &'a Control<'a>,
    ) -> Result<Option<Self>, Error> {
        let Some(later) = deal.replays().checked_sub(1) else { return Ok(None) };
        let mut worlds = Vec::new();
        for world in 0..deal.setup().worlds.len() {
            worlds.push(if position.holds(world) {
                let setup = *open_game(deal, position, world)?.0.setup();
                let replay = Deal::new(&Setup { first: setup.first.other(), ..setup })
                    .map_err(super::super::error::TriadError::Setup)?;
                let after = sudden::Replays::new(Isa::detect(), &replay, later, control)?;
                Some(World { setup, after, known: Box::new([const { AtomicU8::new(0) }; 1024]) })
            } else {
                None
            });
        }
        Ok(Some(Self { deal, control, worlds, solvers: Mutex::new(Vec::new()) }))
    }

    /// Those of the worlds in which the replay of a draw does not reach the target: 6 a win, 5 a draw. Stops the meter if the
    /// control stops a replay.
    pub(super) fn below(&self, own: u16, worlds: u64, target: u32, meter: &mut Meter<'_>) -> u64 {
        let wanted = if target > 5 { Outcome::Win } else { Outcome::Draw };
        let short = |world: &usize| worlds >> world & 1 != 0 && self.result(*world, own, meter) < wanted;
        (0..self.worlds.len()).filter(short).fold(0, |set, world| set | 1 << world)
    }

    /// The result for me of the replay after a draw with these cards. Meaningless once the meter has stopped.
    pub(super) fn result(&self, world: usize, own: u16, meter: &mut Meter<'_>) -> Outcome {
        let Some(Some(World { setup, after, known })) = self.worlds.get(world) else { return Outcome::Draw };
        let mut open = usize::from(own) & ((1 << HAND) - 1);
        for (place, card) in self.deal.world(world).iter().enumerate() {
            open |= usize::from(own >> card & 1) << (HAND + place);
        }
        match known[open].load(Relaxed) {
            0 => {}
            result => return Outcome::of(i32::from(result) - 2),
        }
        if meter.stopped_by().is_some() {
            return Outcome::Draw;
        }
        let mut solver = self.solvers.lock().ok().and_then(|mut free| free.pop()).unwrap_or_default();
        let payoff = after.of_draw(&mut solver, setup, open as u16, self.control);
        if let Ok(mut free) = self.solvers.lock() {
            free.push(solver);
        }
        let Ok(payoff) = payoff else {
            meter.stop(self.control.stop().unwrap_or(::search::Stop::Nodes));
            return Outcome::Draw;
        };
        let result = Outcome::of(i32::from(payoff) - 5);
        known[open].store((result.sign() + 2) as u8, Relaxed);
        result
    }
}
