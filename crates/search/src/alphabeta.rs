//! Principal-variation alpha-beta with iterative deepening over a shared transposition table.
//!
//! ```text
//! deepen 1, 2, 3 ...:  visit(root, depth, -worst .. best)
//! visit:  over? -> result      horizon? -> estimate   deep enough entry? -> table (not on the principal variation)
//!         first move: full window; the others: null window, and the full window only if they beat it
//!
//! with a selective evaluator:
//!         aspiration   a root window around the last value, opened on the side where it fails
//!         reductions   late moves one to three plies less deep, again at full depth if they beat alpha
//!         extensions   a position with at most two moves costs no depth
//!         history      moves that cut off elsewhere come earlier
//! ```
//!
//! A value is *resolved* when it does not depend on any estimate of the evaluator. A cutoff needs one resolved move;
//! any other result needs all moves resolved. Resolved bounds hold at any depth, so the table ranks them above every
//! depth, and deepening stops when the root is resolved. Nodes on the principal variation never use a value from the
//! table, so the line is never cut short. Players need not alternate: a value changes sign only when the mover changes.

use crate::control::{Control, Meter, Report, Stop};
use crate::evaluate::{Evaluator, HISTORY};
use crate::table::{Keying, Record, Table};
use fearless_simd_macros::simd;
use grid::Versus;
use grid::simd::{Isa, Simd, dispatch, fearless_simd};

/// How a value relates to the true value (to the depth searched).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Equal to it.
    Exact,
    /// A lower bound.
    AtLeast,
    /// An upper bound.
    AtMost,
}

/// One table entry, packed into 48 bits:
///
/// ```text
/// bits  0..32  value (two's complement)
///      32..34  bound
///      34..48  index of the best move, as generated
/// ```
///
/// ```
/// use ninefold_search::{Bound, alphabeta::Entry, table::Record};
/// let entry = Entry { value: -3, bound: Bound::AtMost, best: 17 };
/// assert_eq!(entry.pack(), 17 << 34 | 2 << 32 | 0xffff_fffd);
/// assert_eq!(Entry::unpack(entry.pack()), entry);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// For the player who moves.
    pub value: i32,
    /// How `value` relates to the true value.
    pub bound: Bound,
    /// Index of the best move, as generated; below 2^14.
    pub best: u16,
}

impl Record for Entry {
    #[inline]
    fn pack(self) -> u64 {
        u64::from(self.value as u32) | (self.bound as u64) << 32 | u64::from(self.best & 0x3fff) << 34
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        let bound = match word >> 32 & 3 {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        Self { value: word as u32 as i32, bound, best: (word >> 34) as u16 & 0x3fff }
    }
}

/// Replacement priority of a resolved entry. Other entries have their depth as priority, which is always lower.
const RESOLVED: u8 = u8::MAX;

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<M> {
    /// For the player who moves, in the evaluator's units: a proved value is `SCALE` times the result.
    pub value: i32,
    /// [`Bound::AtLeast`] if a limit stopped an iteration after it had found a better move.
    pub bound: Bound,
    /// The principal variation, to the horizon or the end of the game.
    pub line: Vec<M>,
    /// Every move, best first; empty if only one line was requested. The first `lines` moves have their own values. The
    /// others are no better than the last of these.
    pub moves: Vec<RootMove<M>>,
    /// The cost, and whether the value is proved.
    pub report: Report,
}

/// A root move with its own value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// For the player who makes it, in the evaluator's units.
    pub value: i32,
    /// Whether the value is proved.
    pub proved: bool,
    /// The principal variation, starting with the move.
    pub line: Vec<M>,
}

/// An alpha-beta search. Several searches may share one table.
pub struct AlphaBeta<'a, G: Versus, E, K> {
    /// The rules.
    pub game: &'a G,
    /// Estimates and move ordering.
    pub evaluator: E,
    /// The transposition table.
    pub table: &'a Table<K, Entry>,
    /// Depth of the first iteration: 1, or more if the shallow iterations are useless.
    pub first_depth: u32,
}

impl<'a, G: Versus<Move: 'static>, E: Evaluator<G>, K: Keying<G>> AlphaBeta<'a, G, E, K> {
    /// A search whose first iteration has depth 1.
    pub fn new(game: &'a G, evaluator: E, table: &'a Table<K, Entry>) -> Self {
        Self { game, evaluator, table, first_depth: 1 }
    }

    /// The value and the principal variation.
    pub fn solve(&self, position: &G::Position, control: &Control<'_>, isa: Isa) -> Found<G::Move> {
        self.solve_lines(position, 1, control, isa)
    }

    /// The same with the exact value of every move. This costs more: a move is never cut off because another one is
    /// better.
    pub fn solve_every_move(&self, position: &G::Position, control: &Control<'_>, isa: Isa) -> Found<G::Move> {
        self.solve_lines(position, usize::MAX, control, isa)
    }

    /// The same for the best `lines` moves. The cost grows with `lines`. After each iteration the progress callback of
    /// the control gets a partial [`Found`].
    pub fn solve_lines(&self, position: &G::Position, lines: usize, control: &Control<'_>, isa: Isa) -> Found<G::Move> {
        dispatch!(isa.level(), simd => self.deepen(simd, position, lines, control))
    }

    fn deepen<S: Simd>(&self, simd: S, root: &G::Position, lines: usize, control: &Control<'_>) -> Found<G::Move> {
        self.table.next_search();
        let several = lines > 1;
        let longest = G::FACTS.longest_game;
        let plies = longest as usize + 2;
        let mut run = Run {
            game: self.game,
            evaluator: &self.evaluator,
            table: self.table,
            meter: control.meter(),
            stack: Vec::new(),
            killers: vec![[None; 2]; plies],
            lines: vec![Vec::new(); plies],
            states: vec![self.evaluator.state(self.game, root); plies],
            history: if E::SELECTIVE { vec![[0; HISTORY]; 2] } else { Vec::new() },
            urgencies: Vec::new(),
            root_first: None,
        };
        let here = run.leaf(root).unwrap_or_else(|| run.guess(root, 0));
        let mut answer = Found {
            value: here.value,
            bound: Bound::Exact,
            line: Vec::new(),
            moves: Vec::new(),
            report: run.meter.report(0, here.resolved),
        };
        let (mut reached, mut proved) = (0, here.resolved);
        if several && !proved {
            let moves = self.game.moves(root);
            answer.moves = moves.map(|mv| RootMove { mv, value: 0, proved: false, line: vec![mv] }).collect();
        }
        let last = control.max_depth().unwrap_or(longest).min(longest);
        let mut depth = self.first_depth.clamp(1, last.max(1));
        while !proved && depth <= last {
            let mut moves = answer.moves.clone();
            let found = if several {
                run.best_moves(simd, root, depth, lines, &mut moves)
            } else {
                run.root_first = answer.line.first().copied();
                run.lines[0].clear();
                let aim = (E::SELECTIVE && depth > self.first_depth).then_some(answer.value);
                run.aspire(simd, root, depth, aim)
            };
            let stopped = run.meter.stopped_by().is_some();
            if stopped && (several || run.lines[0].is_empty()) {
                break;
            }
            answer.value = found.value;
            answer.line.clone_from(if several { &moves[0].line } else { &run.lines[0] });
            answer.moves = moves;
            if stopped {
                // The previous best move was searched first, so a move that raised the window since then is at least as
                // good.
                answer.bound = Bound::AtLeast;
                break;
            }
            (reached, proved) = (depth, found.resolved);
            answer.report = run.meter.report(reached, proved);
            control.report_partial(|| answer.clone());
            depth += 1;
        }
        answer.report = run.meter.report(reached, proved);
        if !proved && answer.report.stopped_by.is_none() {
            answer.report.stopped_by = Some(Stop::Depth);
        }
        answer
    }
}

/// A value for the mover, and whether it is resolved.
#[derive(Clone, Copy)]
struct Judged {
    value: i32,
    resolved: bool,
}

/// A generated move that is not searched yet. Higher ranks are searched first.
struct Waiting<M> {
    rank: i64,
    index: u16,
    mv: M,
}

/// What a doubling of a move's history is worth in urgency.
const HISTORY_WEIGHT: u32 = 8;

/// How many plies less deep the move at this place of the order is searched.
#[inline(always)]
const fn reduction(depth: u32, place: usize, principal: bool) -> u32 {
    if depth < 3 || place < 2 {
        return 0;
    }
    let late = (place >= 4) as u32 + (place >= 10) as u32;
    let less = 1 + late - if principal && late > 0 { 1 } else { 0 };
    if less < depth { less } else { depth - 1 }
}

/// The state of one search.
struct Run<'a, G: Versus, E: Evaluator<G>, K> {
    game: &'a G,
    evaluator: &'a E,
    table: &'a Table<K, Entry>,
    meter: Meter<'a>,
    /// The moves of all open nodes on one stack, so that no node allocates.
    stack: Vec<Waiting<G::Move>>,
    /// Per ply, the last two moves that caused a cutoff.
    killers: Vec<[Option<G::Move>; 2]>,
    /// Per ply, the principal variation from there.
    lines: Vec<Vec<G::Move>>,
    /// Per ply, the evaluator's state.
    states: Vec<E::State>,
    /// Per player and move, how often it caused a cutoff, weighted by depth; of a selective evaluator.
    history: Vec<[u32; HISTORY]>,
    /// A buffer.
    urgencies: Vec<i32>,
    root_first: Option<G::Move>,
}

impl<G: Versus, E: Evaluator<G>, K: Keying<G>> Run<'_, G, E, K> {
    /// The value of a win by the largest margin.
    const MOST: i32 = G::BEST * E::SCALE;

    #[inline(always)]
    fn leaf(&self, position: &G::Position) -> Option<Judged> {
        let result = self.game.result(position)?;
        Some(Judged { value: result * self.game.mover(position).sign() * E::SCALE, resolved: true })
    }

    #[inline(always)]
    fn guess(&self, position: &G::Position, ply: usize) -> Judged {
        let value =
            self.evaluator.evaluate(self.game, position, &self.states[ply]).clamp(1 - Self::MOST, Self::MOST - 1);
        Judged { value, resolved: false }
    }

    /// Plays a move and updates the evaluator's state for the next ply.
    #[inline(always)]
    fn step(&mut self, position: &G::Position, mv: G::Move, ply: usize) -> G::Position {
        let next = self.game.play_unchecked(position, mv);
        self.states[ply + 1] = self.evaluator.state_after(self.game, &self.states[ply], position, mv, &next);
        next
    }

    /// Searches the root moves in list order, then sorts them, best first. A move gets its own value only while it may
    /// be among the best `lines`.
    fn best_moves<S: Simd>(
        &mut self,
        simd: S,
        root: &G::Position,
        depth: u32,
        lines: usize,
        moves: &mut [RootMove<G::Move>],
    ) -> Judged {
        let mover = self.game.mover(root);
        let mut resolved = true;
        // Values found in this iteration, in descending order.
        let mut values: Vec<i32> = Vec::with_capacity(moves.len());
        for root_move in moves.iter_mut() {
            if !root_move.proved {
                let next = self.step(root, root_move.mv, 0);
                let same = self.game.mover(&next) == mover;
                let alpha = values.get(lines - 1).map_or(-Self::MOST - 1, |&value| value);
                let (low, high) = if same { (alpha, Self::MOST + 1) } else { (-Self::MOST - 1, -alpha) };
                let found = self.visit(simd, &next, depth - 1, low, high, 1);
                if self.meter.stopped_by().is_some() {
                    break;
                }
                root_move.value = if same { found.value } else { -found.value };
                root_move.proved = found.resolved && (root_move.value > alpha || root_move.value == -Self::MOST);
                resolved &= found.resolved;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(&self.lines[1]);
            }
            let place = values.partition_point(|&value| value >= root_move.value);
            values.insert(place, root_move.value);
        }
        moves.sort_by_key(|root_move| -root_move.value);
        Judged { value: moves[0].value, resolved }
    }

    /// The value of the root: within a narrow window around the last value, if there is one, opened on the side where it
    /// fails.
    fn aspire<S: Simd>(&mut self, simd: S, root: &G::Position, depth: u32, aim: Option<i32>) -> Judged {
        let (lowest, highest) = (-Self::MOST - 1, Self::MOST + 1);
        let narrow = E::SCALE / 40;
        let (mut low, mut high) = aim.map_or((lowest, highest), |aim| (aim - narrow, aim + narrow));
        loop {
            let found = self.visit(simd, root, depth, low.max(lowest), high.min(highest), 0);
            if self.meter.stopped_by().is_some() {
                return found;
            }
            if found.value <= low && low > lowest {
                low = lowest;
            } else if found.value >= high && high < highest {
                high = highest;
            } else {
                return found;
            }
        }
    }

    /// The value of a position for its mover if it lies between `alpha` and `beta`, otherwise a bound outside them.
    /// Meaningless once the meter has stopped.
    #[simd]
    fn visit<S: Simd>(
        &mut self,
        simd: S,
        position: &G::Position,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Judged {
        const NOTHING: Judged = Judged { value: 0, resolved: false };
        if !self.meter.pay() {
            return NOTHING;
        }
        let principal = beta - alpha > 1;
        if principal {
            self.lines[ply].clear();
        }
        if let Some(over) = self.leaf(position) {
            return over;
        }
        if depth == 0 {
            return self.guess(position, ply);
        }
        let key = K::key(self.game, position);
        let known = self.table.probe(key);
        if let (Some((entry, priority)), false) = (known, principal)
            && (priority == RESOLVED || u32::from(priority) >= depth)
            && match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => entry.value >= beta,
                Bound::AtMost => entry.value <= alpha,
            }
        {
            return Judged { value: entry.value, resolved: priority == RESOLVED };
        }

        let base = self.stack.len();
        self.push_moves(position, ply, known.map(|(entry, _)| entry.best));
        let end = self.stack.len();
        let mover = self.game.mover(position);
        let floor = alpha;
        let mut best = (NOTHING, 0);
        let mut all_resolved = true;
        let full = if E::SELECTIVE && end - base <= 2 { depth } else { depth - 1 };
        for at in base..end {
            let Waiting { mv, index, .. } = *self.next_move(at);
            let next = self.step(position, mv, ply);
            let same = self.game.mover(&next) == mover;
            let mut ask = |depth: u32, alpha: i32, beta: i32| {
                let (low, high) = if same { (alpha, beta) } else { (-beta, -alpha) };
                let found = self.visit(simd, &next, depth, low, high, ply + 1);
                if same { found } else { Judged { value: -found.value, ..found } }
            };
            let less = if E::SELECTIVE { reduction(full, at - base, principal) } else { 0 };
            let reduced = (less > 0).then(|| ask(full - less, alpha, alpha + 1));
            let mut found = match reduced {
                Some(found) if found.value <= alpha || found.resolved && !principal => found,
                _ if at == base || !principal => ask(full, alpha, beta),
                _ => ask(full, alpha, alpha + 1),
            };
            if at != base && principal && found.value > alpha && found.value < beta {
                found = ask(full, alpha, beta);
            }
            if self.meter.stopped_by().is_some() {
                self.stack.truncate(base);
                return best.0;
            }
            all_resolved &= found.resolved;
            if at == base || found.value > best.0.value {
                best = (found, index);
            }
            if found.value > alpha {
                alpha = found.value;
                if principal {
                    self.extend_line(ply, mv);
                }
            }
            if alpha >= beta {
                let killers = &mut self.killers[ply];
                if killers[0] != Some(mv) {
                    *killers = [Some(mv), killers[0]];
                }
                if let Some(history) = self.history.get_mut(mover as usize) {
                    let times = &mut history[self.evaluator.history(mv) % HISTORY];
                    *times = times.saturating_add(depth * depth);
                }
                break;
            }
            if found.value >= Self::MOST {
                break;
            }
        }
        self.stack.truncate(base);

        let (Judged { value, resolved }, best) = best;
        let (bound, resolved) = if value >= Self::MOST {
            (Bound::Exact, resolved)
        } else if value >= beta {
            (Bound::AtLeast, resolved)
        } else if value > floor {
            (Bound::Exact, all_resolved)
        } else {
            (Bound::AtMost, all_resolved)
        };
        // An estimate must not replace a resolved entry.
        if resolved || known.is_none_or(|(_, priority)| priority != RESOLVED) {
            let priority = if resolved { RESOLVED } else { depth.min(u32::from(RESOLVED) - 1) as u8 };
            self.table.store(key, priority, Entry { value, bound, best });
        }
        Judged { value, resolved }
    }

    /// Pushes the moves, ranked: the table's move, then by urgency, then killer moves, then in generation order.
    #[inline(always)]
    fn push_moves(&mut self, position: &G::Position, ply: usize, known_best: Option<u16>) {
        let killers = self.killers[ply];
        if E::SELECTIVE {
            self.evaluator.urgencies(self.game, position, &mut self.urgencies);
        }
        let history = self.history.get(self.game.mover(position) as usize);
        for (index, mv) in self.game.moves(position).enumerate() {
            let killer = if killers[0] == Some(mv) { 2 } else { i64::from(killers[1] == Some(mv)) };
            let urgency = match history {
                Some(history) => {
                    let times = history[self.evaluator.history(mv) % HISTORY];
                    self.urgencies[index] + (HISTORY_WEIGHT * (u32::BITS - times.leading_zeros())) as i32
                }
                None => self.evaluator.urgency(self.game, position, mv),
            };
            let urgency = i64::from(urgency);
            let first = match self.root_first {
                Some(best) if ply == 0 => best == mv,
                _ => known_best == Some(index as u16),
            };
            let rank = if first { i64::MAX } else { urgency << 18 | killer << 16 | (0xffff - index as i64) };
            self.stack.push(Waiting { rank, index: index as u16, mv });
        }
    }

    /// Moves the highest-ranked move from `at` on to `at`. Most nodes are cut off after one or two moves, so selection
    /// is cheaper than sorting.
    #[inline(always)]
    fn next_move(&mut self, at: usize) -> &Waiting<G::Move> {
        let waiting = &mut self.stack[at..];
        let mut top = 0;
        for place in 1..waiting.len() {
            if waiting[place].rank > waiting[top].rank {
                top = place;
            }
        }
        waiting.swap(0, top);
        &waiting[0]
    }

    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let [line, rest] = &mut self.lines[ply..ply + 2] else { unreachable!("two lines") };
        line.clear();
        line.push(mv);
        line.append(rest);
    }
}
