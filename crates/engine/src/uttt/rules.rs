//! The rules by name, for callers that choose the rule at run time.

use grid::simd::Isa;
use grid::{Game, Notation, TextError, Versus};
use search::{Control, Meter, Stop};
use uttt::{Accept, Move, Position, Rule, Uttt, kernel};

/// The rule of a game.
///
/// ```
/// use ninefold_engine::uttt::{Position, Rules};
/// let rules = Rules::named("standard").unwrap();
/// let mv = rules.read_move(&Position::START, "ee").unwrap();
/// let position = rules.play_unchecked(&Position::START, mv);
/// assert_eq!((rules.moves(&position).len(), rules.result(&position)), (8, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Rules {
    /// [`uttt::Standard`].
    #[default]
    Standard,
    /// [`uttt::CodinGame`].
    CodinGame,
    /// [`uttt::Open`].
    Open,
}

/// One call of the perft kernel counts at most this many plies, some 10 ms: the control is looked at between two calls.
const KERNEL_DEPTH: u32 = 6;

impl Rules {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Standard, Self::CodinGame, Self::Open];

    /// The name, one lower-case word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => uttt::Standard::NAME,
            Self::CodinGame => uttt::CodinGame::NAME,
            Self::Open => uttt::Open::NAME,
        }
    }

    /// The rule of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Reads a position in either notation.
    ///
    /// # Errors
    /// With the character that is wrong.
    pub fn read(self, text: &str, accept: Accept) -> Result<Position, TextError> {
        with_rule!(self, R => Position::read::<R>(text, accept))
    }

    /// Reads a legal move in either notation.
    ///
    /// # Errors
    /// With the character that is wrong, or if the move is not legal.
    pub fn read_move(self, position: &Position, text: &str) -> Result<Move, TextError> {
        with_rule!(self, R => Uttt::<R>::GAME.read_move(position, text))
    }

    /// The legal moves; none when the game is over.
    #[must_use]
    pub fn moves(self, position: &Position) -> Vec<Move> {
        with_rule!(self, R => position.moves::<R>().collect())
    }

    /// The position after a move. The caller promises that the move is legal.
    #[must_use]
    pub fn play_unchecked(self, position: &Position, mv: Move) -> Position {
        with_rule!(self, R => Uttt::<R>::GAME.play_unchecked(position, mv))
    }

    /// The result for the first player (1, 0 or -1), if the game is over.
    #[must_use]
    pub fn result(self, position: &Position) -> Option<i32> {
        with_rule!(self, R => Uttt::<R>::GAME.result(position))
    }

    /// How many sequences of `depth` moves there are.
    ///
    /// # Errors
    /// If the control stops the count. A node is one call of the kernel.
    pub fn perft(self, isa: Isa, position: &Position, depth: u32, control: &Control<'_>) -> Result<u64, Stop> {
        with_rule!(self, R => count::<R>(isa, position, depth, control, &mut control.meter()))
    }

    /// The same below each move, in the order of the rules; empty for depth 0.
    ///
    /// # Errors
    /// If the control stops the count.
    pub fn divide(
        self,
        isa: Isa,
        position: &Position,
        depth: u32,
        control: &Control<'_>,
    ) -> Result<Vec<(Move, u64)>, Stop> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let moves = self.moves(position);
        let mut counts = Vec::with_capacity(moves.len());
        for (done, &mv) in moves.iter().enumerate() {
            control.report(done as u64, moves.len() as u64);
            counts.push((mv, self.perft(isa, &self.play_unchecked(position, mv), below, control)?));
        }
        Ok(counts)
    }
}

fn count<R: Rule>(
    isa: Isa,
    position: &Position,
    depth: u32,
    control: &Control<'_>,
    meter: &mut Meter<'_>,
) -> Result<u64, Stop> {
    if depth > KERNEL_DEPTH {
        let below = |mv| count::<R>(isa, &Uttt::<R>::GAME.play_unchecked(position, mv), depth - 1, control, meter);
        return position.moves::<R>().map(below).sum();
    }
    control.check()?;
    if !meter.pay() {
        return Err(meter.stopped_by().unwrap_or(Stop::Nodes));
    }
    Ok(kernel::perft::<R>(isa, position, depth))
}
