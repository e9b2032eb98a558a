//! Depth-first proof-number search (df-pn) for one question: does the attacker win?
//!
//! ```text
//! phi    what the mover needs to get his way: min over children of their delta
//! delta  what the other needs:                sum over children of their phi
//! ```
//!
//! A visit stays below its position until phi or delta reaches its limit; a child may use a quarter more than the
//! second-best needs (the `1 + epsilon` rule), so that near ties do not send the search to and fro. Every move adds a
//! stone, so no path returns to a position and numbers kept under a position are true whichever path leads there.
//!
//! What makes it fast here, each exact (see `judge`): a position is judged two plies deep by masks before it is ever
//! visited; boards still alive tell when the attack is hopeless; only safe moves are opened.
//!
//! Threads that are at the same question share the table and each runs the same search from the root. Near the root a thread
//! that is inside a child makes it look a quarter harder to the others (`busy`), so they spread over children that are about
//! as good, but not to one that is clearly worse. After a long visit what others have found meanwhile is read again, and who
//! is below a position that another has decided leaves it; nothing else is exchanged. Deeper down there is nothing to avoid:
//! each touch of a counter that another core has written costs as much as a position. So few plies are shared (half of all
//! visits are less than twelve plies below the root, one in a hundred less than six), and none while a thread is alone.

use super::questions::Notice;
use super::table::{INFINITE, Numbers, Shared};
use fearless_simd_macros::simd;
use grid::CellSet;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use uttt::kernel::Lanes;
use uttt::{Move, Rule};

/// Makes the second player's attack a different question about the same position.
const SECOND_ATTACKS: u64 = grid::mix(0x6174_7461);

/// What a search may spend, and what all its threads have spent.
pub(super) struct Meter<'a> {
    /// Raised to stop: by the caller, or when the limits are reached.
    pub(super) stop: AtomicBool,
    pub(super) nodes: AtomicU64,
    pub(super) node_limit: u64,
    pub(super) deadline: Option<Instant>,
    /// Raised by the caller.
    pub(super) cancel: Option<&'a AtomicBool>,
}

impl Meter<'_> {
    /// No limit at all.
    pub(super) fn unlimited() -> Self {
        let (stop, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        Self { stop, nodes, node_limit: u64::MAX, deadline: None, cancel: None }
    }

    /// Positions between two looks at the limits.
    const STRIDE: u64 = 1024;

    #[cold]
    fn look(&self) -> bool {
        let nodes = self.nodes.fetch_add(Self::STRIDE, Relaxed) + Self::STRIDE;
        if nodes >= self.node_limit
            || self.cancel.is_some_and(|cancel| cancel.load(Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.stop.store(true, Relaxed);
        }
        self.stop.load(Relaxed)
    }
}

/// Plies below the root in which threads keep out of each other's way.
const SHARED_PLIES: u32 = 6;
/// Not any ply.
const NEVER: u32 = u32::MAX;
/// After a visit of so many positions, what other threads have found is read again.
const LONG_VISIT: u64 = 128;

/// How many threads are inside a position, by the low bits of its key. A collision only misleads a choice.
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
    meter: &'a Meter<'a>,
    notice: &'a Notice,
    busy: &'a Busy,
    attacker: usize,
    /// The children of all open positions, one above the other: no position allocates.
    stack: Vec<Child>,
    /// The keys of the open positions from the root on, as far down as threads share.
    path: Vec<u64>,
    /// Visits from this ply on are given up.
    leave: u32,
    nodes: u64,
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
    /// Open; so many moves do not lose at once.
    Open(u32),
}

impl<'a, R: Rule, const THREADS: bool> Prover<'a, R, THREADS> {
    pub(super) fn new(
        table: Shared<'a>,
        meter: &'a Meter<'a>,
        notice: &'a Notice,
        busy: &'a Busy,
        attacker: usize,
    ) -> Self {
        let (stack, path) = (Vec::with_capacity(1 << 10), Vec::new());
        Self { table, meter, notice, busy, attacker, stack, path, leave: NEVER, nodes: 0, rule: PhantomData }
    }

    /// Whether the attacker wins; `None` if the meter stopped the search.
    pub(super) fn prove(&mut self, isa: Isa, position: &Lanes) -> Option<bool> {
        // Known at the end, too: who leaves because another thread has the answer finds it in the table.
        self.known(position).or_else(|| self.prove_again(isa, position)).or_else(|| self.known(position))
    }

    /// What masks or the table say.
    pub(super) fn known(&self, position: &Lanes) -> Option<bool> {
        match self.judge(position) {
            Verdict::Decided(wins) => Some(wins),
            Verdict::Open(_) => self.answer(position, self.table.probe(self.key(position))?),
        }
    }

    /// Searches although the answer may be known; leaves the children that decide it in the table.
    pub(super) fn prove_again(&mut self, isa: Isa, position: &Lanes) -> Option<bool> {
        if let Verdict::Decided(wins) = self.judge(position) {
            return Some(wins);
        }
        let numbers = dispatch!(isa.level(), simd => self.visit(simd, position, INFINITE, INFINITE, 0));
        self.meter.nodes.fetch_add(self.nodes % Meter::STRIDE, Relaxed);
        self.nodes = 0;
        self.leave = NEVER;
        self.answer(position, numbers)
    }

    fn answer(&self, position: &Lanes, numbers: Numbers) -> Option<bool> {
        let his_way = match numbers {
            Numbers { phi: 0, .. } => true,
            Numbers { delta: 0, .. } => false,
            _ => return None,
        };
        Some(his_way == (position.mover() == self.attacker))
    }

    #[inline(always)]
    fn key(&self, position: &Lanes) -> u64 {
        position.hash() ^ if self.attacker == 0 { 0 } else { SECOND_ATTACKS }
    }

    /// What can be said without a search. Each step is a theorem:
    ///
    /// 1. A finished game has its result.
    /// 2. A mover who can complete a global line wins.
    /// 3. A board in which every line has a stone of the other side, or which the other side has won, is never the
    ///    attacker's; so his boards at the end are among those `alive`. Without a global line among these he makes none,
    ///    and where boards are counted he ends with at most that many, the defender with at least those he has now.
    ///    The same for the defender, turned round, gives a sure win on boards.
    /// 4. If every move lets the opponent complete a global line (`safe_squares` is exact), the opponent wins.
    #[inline(always)]
    fn judge(&self, position: &Lanes) -> Verdict {
        let (us, attacker, defender) = (position.mover(), self.attacker, 1 - self.attacker);
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

    /// Searches below an open position until one of its numbers reaches its limit.
    #[simd]
    fn visit<S: Simd>(&mut self, simd: S, position: &Lanes, phi_limit: u32, delta_limit: u32, ply: u32) -> Numbers {
        const UNKNOWN: Numbers = Numbers { phi: 1, delta: 1 };
        self.nodes += 1;
        if self.nodes.is_multiple_of(Meter::STRIDE) && self.must_leave() {
            return UNKNOWN;
        }
        let before = self.nodes;
        let base = self.stack.len();
        if self.open(position) {
            self.stack.truncate(base);
            self.table.store(self.key(position), Numbers::REACHED, 1);
            return Numbers::REACHED;
        }
        let shared = THREADS && ply < SHARED_PLIES;
        if shared {
            self.path.push(self.key(position));
        }
        let numbers = loop {
            let shared = shared && self.notice.threads.load(Relaxed) > 1;
            let (best, second, numbers) = self.look(base, shared);
            if numbers.phi >= phi_limit || numbers.delta >= delta_limit {
                break numbers;
            }
            let Child { key, numbers: child, mv } = self.stack[base + best];
            // What the siblings already cost the other side is not the child's to spend. With threads, a child may be
            // chosen although it is not the least: it gets something to spend in any case.
            let share = (delta_limit - numbers.delta).saturating_add(child.phi).min(INFINITE);
            let ahead = phi_limit.min(second.saturating_add(second / 4 + 1)).max(child.delta + 1);
            let next = position.after::<R>(mv);
            if shared {
                self.busy.slot(key).fetch_add(1, Relaxed);
            }
            let entered = self.nodes;
            let mut found = self.visit(simd, &next, share, ahead, ply + 1);
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
            if THREADS && self.nodes - entered > LONG_VISIT {
                self.refresh(base);
            }
        };
        self.stack.truncate(base);
        if shared {
            self.path.pop();
        }
        if self.leave == NEVER {
            self.table.store(self.key(position), numbers, self.nodes - before + 1);
        }
        numbers
    }

    /// Whether the visit has to be given up: nothing may be spent any more, nobody needs the answer, or another thread has
    /// decided a position above.
    #[cold]
    fn must_leave(&mut self) -> bool {
        let decided = |&key: &u64| {
            let numbers = self.table.probe(key);
            numbers.is_some_and(|numbers| numbers.phi == 0 || numbers.delta == 0)
        };
        if self.meter.look() || self.notice.closed.load(Relaxed) {
            self.leave = 0;
        } else if let Some(ply) = self.path.iter().position(decided) {
            self.leave = ply as u32;
        }
        self.leave != NEVER
    }

    /// Puts the safe moves on the stack with their numbers; those known to lose are left out. True if one is known to
    /// reach what the mover wants.
    #[inline(always)]
    fn open(&mut self, position: &Lanes) -> bool {
        let us = position.mover();
        let base = self.stack.len();
        let critical: CellSet = position.critical::<R>(1 - us);
        for board in position.playable() {
            for square in position.safe_squares::<R>(board, critical) {
                let mv = Move::new(board, square);
                let next = position.after::<R>(mv);
                match self.judge(&next) {
                    Verdict::Decided(wins) if wins == (us == self.attacker) => return true,
                    Verdict::Decided(_) => {}
                    Verdict::Open(moves) => {
                        let (key, numbers) = (self.key(&next), Numbers { phi: 1, delta: moves });
                        self.table.prefetch(key);
                        self.stack.push(Child { key, numbers, mv });
                    }
                }
            }
        }
        // A loop of its own: the lines asked for come while the other children are judged.
        for child in &mut self.stack[base..] {
            if let Some(numbers) = self.table.probe(child.key) {
                child.numbers = numbers;
            }
        }
        false
    }

    /// What other threads have found out since.
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

    /// The child to go on with, what the next best needs, and the numbers of the position.
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
        // Who is inside matters for the choice only: how far the child may go is a matter of what the others need.
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
