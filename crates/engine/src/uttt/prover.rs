//! Depth-first proof-number search (df-pn) for one question: does the attacker win?
//!
//! Each position has two goals: the mover's (win, if the mover is the attacker; otherwise stop the attack) and the other
//! side's. Two numbers estimate how much is left to prove:
//!
//! ```text
//! phi    until the mover reaches the goal: min over children of their delta
//! delta  until the other side does:        sum over children of their phi
//! ```
//!
//! A visit stays below its position until phi or delta reaches its limit. A child may use half more than the second-best
//! child needs (the `1 + epsilon` rule), so that near ties do not make the search jump between them. Every move adds a stone,
//! so no path returns to a position, and numbers stored for a position are valid on every path to it.
//!
//! A position that was never visited gets numbers from its safe moves and from the global lines that each side can still
//! complete (`first_numbers`): the more lines the attacker has, the harder it is to stop the attack. This halves the positions
//! visited. The table knows positions by their class ([`Lanes::key_of_class`]), so equivalent positions are proved once.
//!
//! What makes it fast, all of it exact (see `judge`): masks judge a position two plies deep before it is ever visited; boards
//! that can still be won show when the attack is hopeless; only safe moves are opened. A node costs about 2,500
//! instructions (`uttt/solve` in `bench/counts.txt`), 0.3 to 0.5 us.
//!
//! Threads at the same question share the table, and each runs the same search from the root. Near the root a thread inside
//! a child makes that child look a quarter harder to the others (`busy`), so they spread over children that are about as
//! good, but not to one that is clearly worse. After a long visit a thread reads again what others have found, and it leaves
//! a position that another thread has decided. Nothing else is exchanged. Deeper down it would not pay: touching a
//! counter that another core has written costs as much as a node. So only the first plies are shared (half of all visits are
//! less than twelve plies below the root, one in a hundred less than six), and none while a thread is alone.

use super::table::{INFINITE, Numbers, Shared};
use super::work_queue::Notice;
use fearless_simd_macros::simd;
use grid::CellSet;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};
use search::Meter;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use uttt::kernel::Lanes;
use uttt::{Move, Rule};

/// Makes the second player's attack a different question about the same position.
const SECOND_ATTACKS: u64 = grid::mix(0x6174_7461);

/// Plies below the root in which threads avoid each other.
const SHARED_PLIES: u32 = 6;
/// No ply.
const NEVER: u32 = u32::MAX;
/// After a visit of this number of nodes, a thread reads what others have found.
const LONG_VISIT: u64 = 128;

/// How many threads are inside a position, by the low bits of its key. A collision only makes a choice less good.
pub(super) struct Busy(Vec<AtomicU8>);

impl Busy {
    const SLOTS: usize = 1 << 14;

    pub(super) fn new() -> Self {
        Self((0..Self::SLOTS).map(|_| AtomicU8::new(0)).collect())
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU8 {
        &self.0[key as usize % Self::SLOTS]
    }
}

/// One thread's search.
pub(super) struct Prover<'a, R: Rule, const THREADS: bool> {
    table: Shared<'a>,
    meter: Meter<'a>,
    notice: &'a Notice,
    busy: &'a Busy,
    attacker: usize,
    /// The children of all open positions, one above the other: no position allocates.
    stack: Vec<Child>,
    /// The keys of the open positions from the root on, as far down as threads share.
    path: Vec<u64>,
    /// Visits at this ply and deeper are given up.
    leave: u32,
    rule: PhantomData<R>,
}

#[derive(Clone, Copy)]
struct Child {
    key: u64,
    numbers: Numbers,
    mv: Move,
}

/// What masks say about a position.
enum Verdict {
    /// Decided: whether the attacker wins.
    Decided(bool),
    /// Open, with this number of moves that do not lose at once.
    Open(u32),
}

/// What can be said without a search. Each step is a theorem:
///
/// 1. A finished game has its result.
/// 2. A mover who can complete a global line wins.
/// 3. The attacker never wins a board in which every line has a stone of the defender, or which the defender has won.
///    So the attacker's boards at the end are among those `alive`. Without a global line among these there is no line
///    for the attacker; and where boards are counted, the attacker ends with at most that many, the defender with at
///    least those won already. With the sides exchanged this gives a sure win on boards.
/// 4. If every move lets the opponent complete a global line (`safe_squares` is exact), the opponent wins.
#[inline(always)]
fn judge<R: Rule>(position: &Lanes, attacker: usize) -> Verdict {
    let (us, defender) = (position.mover(), 1 - attacker);
    if position.is_over() {
        let sign = 1 - 2 * attacker as i32;
        return Verdict::Decided(position.result::<R>() * sign > 0);
    }
    if position.winning_move::<R>().is_some() {
        return Verdict::Decided(us == attacker);
    }
    let alive = position.alive(attacker);
    if !alive.has_line() && (!R::MORE_BOARDS_WIN || alive.len() <= position.won(defender).len()) {
        return Verdict::Decided(false);
    }
    if R::MORE_BOARDS_WIN {
        let alive = position.alive(defender);
        if !alive.has_line() && position.won(attacker).len() > alive.len() {
            return Verdict::Decided(true);
        }
    }
    let critical = position.critical::<R>(1 - us);
    let safe: usize =
        position.playable().into_iter().map(|board| position.safe_squares::<R>(board, critical).len()).sum();
    if safe == 0 { Verdict::Decided(us != attacker) } else { Verdict::Open(safe as u32) }
}

/// The numbers of an open position before its first visit, from its safe moves and the global lines that are left.
///
/// The attacker has one of the moves to find when he moves, and all of them to answer when the defender does. That times a
/// weight: an attack with more lines left is harder to stop, and one is harder to win against more lines of the defender. The
/// weights were found by trial (`bench/LOG.md`).
#[inline(always)]
fn first_numbers(position: &Lanes, attacker: usize, moves: u32) -> Numbers {
    let (ours, theirs) = (position.live_lines(attacker), position.live_lines(1 - attacker));
    let (win, stop) = (8 + theirs * theirs, 2 + 4 * ours);
    if position.mover() == attacker {
        Numbers { phi: win, delta: moves * stop }
    } else {
        Numbers { phi: stop, delta: moves * win }
    }
}

/// What masks alone say: whether the attacker wins.
pub(super) fn by_masks<R: Rule>(position: &Lanes, attacker: usize) -> Option<bool> {
    match judge::<R>(position, attacker) {
        Verdict::Decided(wins) => Some(wins),
        Verdict::Open(_) => None,
    }
}

impl<'a, R: Rule, const THREADS: bool> Prover<'a, R, THREADS> {
    pub(super) fn new(
        table: Shared<'a>,
        meter: Meter<'a>,
        notice: &'a Notice,
        busy: &'a Busy,
        attacker: usize,
    ) -> Self {
        let (stack, path) = (Vec::with_capacity(1 << 10), Vec::new());
        Self { table, meter, notice, busy, attacker, stack, path, leave: NEVER, rule: PhantomData }
    }

    /// Whether the attacker wins; `None` if the meter stopped the search.
    pub(super) fn prove(&mut self, isa: Isa, position: &Lanes) -> Option<bool> {
        // Probe again at the end: if we stopped because another thread finished, its result is in the table.
        self.known(position).or_else(|| self.prove_again(isa, position)).or_else(|| self.known(position))
    }

    /// What masks or the table say.
    pub(super) fn known(&self, position: &Lanes) -> Option<bool> {
        match judge::<R>(position, self.attacker) {
            Verdict::Decided(wins) => Some(wins),
            Verdict::Open(_) => self.answer(position, self.table.probe(self.key(position, position.open_key::<R>()))?),
        }
    }

    /// Searches although the answer may be known; leaves the children that decide it in the table.
    pub(super) fn prove_again(&mut self, isa: Isa, position: &Lanes) -> Option<bool> {
        if let Some(wins) = by_masks::<R>(position, self.attacker) {
            return Some(wins);
        }
        let numbers =
            dispatch!(isa.level(), simd => self.visit(simd, position, position.open_key::<R>(), INFINITE, INFINITE, 0));
        self.leave = NEVER;
        self.answer(position, numbers)
    }

    fn answer(&self, position: &Lanes, numbers: Numbers) -> Option<bool> {
        let mover_reaches_goal = match numbers {
            Numbers { phi: 0, .. } => true,
            Numbers { delta: 0, .. } => false,
            _ => return None,
        };
        Some(mover_reaches_goal == (position.mover() == self.attacker))
    }

    #[inline(always)]
    fn key(&self, position: &Lanes, open_key: u64) -> u64 {
        position.key_of_class::<R>(open_key) ^ if self.attacker == 0 { 0 } else { SECOND_ATTACKS }
    }

    /// Searches below an open position until one of its numbers reaches its limit. `open_key` is the key of its open boards.
    #[simd]
    fn visit<S: Simd>(
        &mut self,
        simd: S,
        position: &Lanes,
        open_key: u64,
        phi_limit: u32,
        delta_limit: u32,
        ply: u32,
    ) -> Numbers {
        const UNKNOWN: Numbers = Numbers { phi: 1, delta: 1 };
        if !self.meter.pay() {
            self.leave = 0;
            return UNKNOWN;
        }
        // The meter refills every STRIDE nodes: the time to look at what the other threads have done.
        if THREADS && self.meter.nodes() % Meter::STRIDE == 1 && self.must_leave() {
            return UNKNOWN;
        }
        let before = self.meter.nodes();
        let (base, key) = (self.stack.len(), self.key(position, open_key));
        if self.open(position, open_key) {
            self.stack.truncate(base);
            self.table.store(key, Numbers::REACHED, 1);
            return Numbers::REACHED;
        }
        let shared = THREADS && ply < SHARED_PLIES;
        if shared {
            self.path.push(key);
        }
        let numbers = loop {
            let shared = shared && self.notice.threads.load(Relaxed) > 1;
            let (best, second, numbers) = self.look(base, shared);
            if numbers.phi >= phi_limit || numbers.delta >= delta_limit {
                break numbers;
            }
            let Child { key, numbers: child, mv } = self.stack[base + best];
            // The siblings have used up a part of the delta limit; the child gets the rest. With threads the chosen child
            // may not be the least, so it always gets at least one more than it has.
            let share = (delta_limit - numbers.delta).saturating_add(child.phi).min(INFINITE);
            let ahead = phi_limit.min(second.saturating_add(second / 2 + 1)).max(child.delta + 1);
            let next = position.after_without_hash::<R>(mv);
            let without = position.open_key_without::<R>(open_key, mv.board());
            let next_open_key = next.open_key_with::<R>(without, mv.board());
            if shared {
                self.busy.slot(key).fetch_add(1, Relaxed);
            }
            let entered = self.meter.nodes();
            let mut found = self.visit(simd, &next, next_open_key, share, ahead, ply + 1);
            if shared {
                self.busy.slot(key).fetch_sub(1, Relaxed);
            }
            if self.leave <= ply {
                break UNKNOWN;
            }
            if self.leave == ply + 1 {
                self.leave = NEVER;
                found = self.table.probe(key).unwrap_or(child);
            }
            self.stack[base + best].numbers = found;
            if THREADS && self.meter.nodes() - entered > LONG_VISIT {
                self.refresh(base);
            }
        };
        self.stack.truncate(base);
        if shared {
            self.path.pop();
        }
        if self.leave == NEVER {
            self.table.store(key, numbers, self.meter.nodes() - before + 1);
        }
        numbers
    }

    /// Whether this thread has to give up the visit: nobody needs the answer any more, or another thread has decided a
    /// position above.
    #[cold]
    fn must_leave(&mut self) -> bool {
        let decided = |&key: &u64| {
            let numbers = self.table.probe(key);
            numbers.is_some_and(|numbers| numbers.phi == 0 || numbers.delta == 0)
        };
        if self.notice.closed.load(Relaxed) {
            self.leave = 0;
        } else if let Some(ply) = self.path.iter().position(decided) {
            self.leave = ply as u32;
        }
        self.leave != NEVER
    }

    /// Puts the safe moves on the stack with their numbers, without those known to fail. True if one is known to reach the
    /// mover's goal.
    #[inline(always)]
    fn open(&mut self, position: &Lanes, open_key: u64) -> bool {
        let us = position.mover();
        let base = self.stack.len();
        let critical: CellSet = position.critical::<R>(1 - us);
        for board in position.playable() {
            let without = position.open_key_without::<R>(open_key, board);
            for square in position.safe_squares::<R>(board, critical) {
                let mv = Move::new(board, square);
                let next = position.after_without_hash::<R>(mv);
                match judge::<R>(&next, self.attacker) {
                    Verdict::Decided(wins) if wins == (us == self.attacker) => return true,
                    Verdict::Decided(_) => {}
                    Verdict::Open(moves) => {
                        let key = self.key(&next, next.open_key_with::<R>(without, board));
                        let numbers = first_numbers(&next, self.attacker, moves);
                        self.table.prefetch(key);
                        self.stack.push(Child { key, numbers, mv });
                    }
                }
            }
        }
        // A loop of its own: the prefetched lines arrive while the other children are judged.
        for child in &mut self.stack[base..] {
            if let Some(numbers) = self.table.probe(child.key) {
                child.numbers = numbers;
            }
        }
        false
    }

    /// Reads what other threads have found meanwhile.
    fn refresh(&mut self, base: usize) {
        for child in &mut self.stack[base..] {
            if child.numbers.phi != 0
                && child.numbers.delta != 0
                && let Some(numbers) = self.table.probe(child.key)
            {
                child.numbers = numbers;
            }
        }
    }

    /// The child to visit next, what the second-best child needs, and the numbers of the position.
    #[inline(always)]
    fn look(&self, base: usize, shared: bool) -> (usize, u32, Numbers) {
        let (mut best, mut least, mut second) = (0, u32::MAX, INFINITE);
        let (mut phi, mut delta) = (INFINITE, 0_u32);
        for (place, child) in self.stack[base..].iter().enumerate() {
            delta += child.numbers.phi.min(INFINITE / 256);
            phi = phi.min(child.numbers.delta);
            let mut needs = child.numbers.delta;
            if shared && needs != 0 && needs != INFINITE {
                let inside = u32::from(self.busy.slot(child.key).load(Relaxed));
                needs = needs.saturating_add(inside.saturating_mul(needs / 4 + 1)).min(INFINITE - 1);
            }
            if needs < least {
                second = least.min(INFINITE);
                (best, least) = (place, needs);
            } else {
                second = second.min(needs);
            }
        }
        // Threads inside a child count for the choice only. How far the child may go depends on the true numbers.
        if shared {
            let others = self.stack[base..].iter().enumerate().filter(|&(place, _)| place != best);
            second = others.map(|(_, child)| child.numbers.delta).min().unwrap_or(INFINITE);
        }
        let numbers = match phi {
            0 => Numbers::REACHED,
            INFINITE => Numbers::REFUTED,
            _ => Numbers { phi, delta: delta.min(INFINITE - 1) },
        };
        (best, second, numbers)
    }
}
