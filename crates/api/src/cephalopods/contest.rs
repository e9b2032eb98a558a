//! The contest: sums and counts over all sequences of moves, tables, measured times and the source file.
//!
//! | verb | question | answer |
//! |---|---|---|
//! | sum | [`SumQuestion`] | [`SumAnswer`] |
//! | count | [`CountQuestion`] | [`CountAnswer`] |
//! | moves | [`MovesQuestion`] | [`MovesAnswer`] |
//! | heat | [`HeatQuestion`] | [`HeatAnswer`] |
//! | bundle | [`BundleQuestion`] | [`BundleAnswer`] |
//! | table | a path | [`TableInfo`] |

use crate::fault::Fault;
use crate::limits::Limits;
use engine::Control;
#[cfg(feature = "files")]
use engine::Error;
use engine::cephalopods::bundle;
use engine::cephalopods::heat::{self, Plan};
use engine::cephalopods::{Board, Cache, Contest as Rules, PathSum, SumEngine, exact};
#[cfg(feature = "files")]
use engine::cephalopods::{
    HIGHEST_RANK, Table,
    table::{self, ALL_RANKS, Ranks},
};
use grid::Game;
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
#[cfg(feature = "files")]
use std::path::Path;

/// Which engine computes a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EngineName {
    /// Every reachable board once.
    #[default]
    Scratch,
    /// Depth first with an evicting cache, as in the contest's write-up.
    Cache,
    /// The table that [`Contest::open_table`] opened. A question in JSON cannot ask for it, because it needs a file.
    #[serde(skip)]
    Table,
}

impl EngineName {
    /// The name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scratch => "scratch",
            Self::Cache => "cache",
            Self::Table => "table",
        }
    }
}

/// What is the sum of the values of all final boards, modulo 2^30?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SumQuestion {
    /// Nine digits from 0 to 6, row by row.
    pub board: String,
    /// Maximum number of moves.
    pub depth: u32,
    /// What the sum may cost.
    #[serde(default)]
    pub limits: Limits,
    /// Which engine computes it.
    #[serde(default)]
    pub engine: EngineName,
}

/// The sum of the values of all final boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SumAnswer {
    /// The board.
    pub board: String,
    /// Maximum number of moves.
    pub depth: u32,
    /// The sum modulo 2^30.
    pub sum: u32,
    /// The time it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// How many sequences of moves are there, and where do they end?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CountQuestion {
    /// Nine digits from 0 to 6, row by row.
    pub board: String,
    /// Maximum number of moves.
    pub depth: u32,
    /// Number of final boards to list, at most 100,000.
    #[serde(default)]
    pub finals: usize,
    /// What the count may cost.
    #[serde(default)]
    pub limits: Limits,
}

/// Upper limit of `finals`.
pub const MOST_FINALS: usize = 100_000;

/// All sequences of moves. The integers may be far beyond 2^53.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CountAnswer {
    /// The number of sequences.
    pub games: u128,
    /// The sum of the values of their final boards, in decimal.
    pub sum: String,
    /// That sum modulo 2^30: the contest's answer.
    pub sum_modulo: u32,
    /// The sum of each cell's digit over the final boards.
    pub digits: [u128; 9],
    /// The number of sequences of each length, from 0 moves on.
    pub lengths: Vec<u128>,
    /// The number of different final boards.
    pub final_boards: u64,
    /// Final boards and the number of sequences that end there, most first, equal ones by board; as many as were asked for.
    pub finals: Vec<(String, u128)>,
}

/// Which moves does a board have?
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MovesQuestion {
    /// Nine digits from 0 to 6, row by row.
    pub board: String,
}

/// The legal moves of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MovesAnswer {
    /// The board.
    pub board: String,
    /// The moves, in the order of the rules; empty if the board is full.
    pub moves: Vec<Step>,
}

/// A legal move and the board after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Step {
    /// The cell, then `x` and the captured cells if there are any.
    #[serde(rename = "move")]
    pub mv: String,
    /// The board after it.
    pub after: String,
}

/// How long does a sum take, by rank and by depth?
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct HeatQuestion {
    /// Measure the ranks (numbers of pips) from 0 to this, at most 48.
    pub last_rank: u32,
    /// The depths to measure, at most 61 each.
    pub depths: Vec<u32>,
    /// Number of random boards per rank, from 1 to 10,000.
    pub boards: u32,
    /// The seed of the boards.
    pub seed: u64,
    /// Which engine to measure.
    pub engine: EngineName,
    /// What the measurement may cost.
    pub limits: Limits,
}

impl Default for HeatQuestion {
    fn default() -> Self {
        Self {
            last_rank: 0,
            depths: Vec::new(),
            boards: 1,
            seed: 1,
            engine: EngineName::Scratch,
            limits: Limits::default(),
        }
    }
}

/// Measured times.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HeatAnswer {
    /// `scratch`, `cache` or `table`.
    pub engine: String,
    /// What was measured.
    pub plan: HeatPlan,
    /// The mean time in milliseconds by rank, then by depth.
    pub ms: Vec<Vec<f64>>,
}

/// What was measured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HeatPlan {
    /// The ranks are 0 to this.
    pub last_rank: u32,
    /// The depths.
    pub depths: Vec<u32>,
    /// Number of random boards per rank.
    pub boards: u32,
    /// The seed of the boards.
    pub seed: u64,
}

/// A table on disk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TableInfo {
    /// The file.
    pub file: String,
    /// The ranks (numbers of pips) that it covers.
    pub ranks: Vec<u32>,
    /// Number of canonical boards.
    pub boards: u64,
    /// Number of entries: one per board and number of moves.
    pub entries: u64,
    /// The size of the file.
    pub bytes: u64,
}

/// Write the contest's paste-ready source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct BundleQuestion {
    /// The number of pips of the boards whose results are hard-coded.
    pub rank: u32,
    /// The least number of moves to go for which they are.
    pub min_depth: u32,
    /// What the file may cost.
    pub limits: Limits,
}

impl Default for BundleQuestion {
    fn default() -> Self {
        let bundle::Request { rank, min_depth } = bundle::Request::default();
        Self { rank, min_depth, limits: Limits::default() }
    }
}

/// The contest's source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct BundleAnswer {
    /// The length of the source in UTF-16 units, as the contest counts.
    pub units: usize,
    /// The length that the contest allows.
    pub limit: usize,
    /// The number of hard-coded boards.
    pub boards: usize,
    /// Their number of pips.
    pub rank: u32,
    /// The number of values they take.
    pub values: usize,
    /// The source.
    pub source: String,
}

/// The engines of the contest. Their memory is reused from question to question.
///
/// ```
/// use ninefold_api::{Control, cephalopods::{Contest, SumQuestion}};
/// let mut contest = Contest::new(grid::simd::Isa::detect());
/// let mut question = SumQuestion::default();
/// (question.board, question.depth) = ("051000401".into(), 20);
/// assert_eq!(contest.sum(&question, &Control::new())?.sum, 738_691_369);
/// # Ok::<(), ninefold_api::Fault>(())
/// ```
#[derive(Debug)]
pub struct Contest {
    #[cfg(feature = "files")]
    isa: Isa,
    scratch: SumEngine,
    cache: SumEngine,
    table: Option<SumEngine>,
}

impl Contest {
    /// Engines for this instruction set. Memory is allocated on first use.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        let (scratch, cache) = (SumEngine::Scratch(PathSum::new(isa)), SumEngine::Cache(Cache::new(isa)));
        Self {
            #[cfg(feature = "files")]
            isa,
            scratch,
            cache,
            table: None,
        }
    }

    fn engine(&mut self, name: EngineName) -> Result<&mut SumEngine, Fault> {
        match name {
            EngineName::Scratch => Ok(&mut self.scratch),
            EngineName::Cache => Ok(&mut self.cache),
            EngineName::Table => self.table.as_mut().ok_or_else(|| Fault::question("engine", "no table is open")),
        }
    }

    /// The sum of the values of all final boards.
    ///
    /// # Errors
    /// If the board is wrong, a limit is reached, there is not enough memory, or the table is damaged.
    pub fn sum(&mut self, question: &SumQuestion, control: &Control<'_>) -> Result<SumAnswer, Fault> {
        let board = read_board(&question.board)?;
        let started = control.elapsed();
        let sum = self.engine(question.engine)?.sum(board, question.depth, control)?;
        let ms = Some((control.elapsed() - started).as_secs_f64() * 1e3);
        Ok(SumAnswer { board: board.to_string(), depth: question.depth, sum, ms })
    }

    /// The sums of many boards by one engine. A table answers them together faster than one by one. The answers have no
    /// times of their own.
    ///
    /// # Errors
    /// As [`sum`](Self::sum). The field of a wrong board is `[3].board`.
    pub fn sums(
        &mut self,
        questions: &[SumQuestion],
        engine: EngineName,
        control: &Control<'_>,
    ) -> Result<Vec<SumAnswer>, Fault> {
        let read = |(number, question): (usize, &SumQuestion)| {
            let numbered = |fault: Fault| Fault { field: format!("[{number}].{}", fault.field), ..fault };
            Ok((read_board(&question.board).map_err(numbered)?, question.depth))
        };
        let boards = questions.iter().enumerate().map(read).collect::<Result<Vec<_>, Fault>>()?;
        let sums = self.engine(engine)?.sums(&boards, control)?;
        let answer = |(&(board, depth), sum)| SumAnswer { board: Board::to_string(&board), depth, sum, ms: None };
        Ok(boards.iter().zip(sums).map(answer).collect())
    }

    /// The number of sequences, their lengths and their final boards.
    ///
    /// # Errors
    /// If the board is wrong, a limit is reached, or there is not enough memory.
    pub fn count(&self, question: &CountQuestion, control: &Control<'_>) -> Result<CountAnswer, Fault> {
        let board = read_board(&question.board)?;
        if question.finals > MOST_FINALS {
            return Err(Fault::question("finals", format_args!("at most {MOST_FINALS} final boards can be listed")));
        }
        let found = exact::count(board, question.depth, question.finals, control)?;
        Ok(CountAnswer {
            sum: found.sum(),
            games: found.games,
            sum_modulo: found.sum_modulo,
            digits: found.digits,
            lengths: found.lengths,
            final_boards: found.final_boards,
            finals: found.finals.into_iter().map(|(board, count)| (board.to_string(), count)).collect(),
        })
    }

    /// The legal moves of a board.
    ///
    /// # Errors
    /// If the board is wrong.
    pub fn moves(&self, question: &MovesQuestion) -> Result<MovesAnswer, Fault> {
        let board = read_board(&question.board)?;
        let after = |mv| Rules.play_unchecked(&board, mv).to_string();
        let moves = Rules.moves(&board).map(|mv| Step { mv: mv.to_string(), after: after(mv) }).collect();
        Ok(MovesAnswer { board: board.to_string(), moves })
    }

    /// Measures times by rank and depth.
    ///
    /// # Errors
    /// If the question is wrong, a limit is reached, there is not enough memory, or the table is damaged.
    pub fn heat(&mut self, question: &HeatQuestion, control: &Control<'_>) -> Result<HeatAnswer, Fault> {
        let HeatQuestion { last_rank, boards, seed, engine, .. } = *question;
        let plan = Plan { last_rank, depths: question.depths.clone(), boards, seed };
        let ms = heat::measure(self.engine(engine)?, &plan, control)?;
        let plan = HeatPlan { last_rank, depths: plan.depths, boards, seed };
        Ok(HeatAnswer { engine: engine.name().to_owned(), plan, ms })
    }

    /// Generates the contest's source file.
    ///
    /// # Errors
    /// If it would be too long, a limit is reached, or there is not enough memory.
    pub fn bundle(&self, question: &BundleQuestion, control: &Control<'_>) -> Result<BundleAnswer, Fault> {
        let BundleQuestion { rank, min_depth, .. } = *question;
        let made = bundle::bundle(bundle::Request { rank, min_depth }, control)?;
        let bundle::Bundle { source, units, boards, values } = made;
        Ok(BundleAnswer { units, limit: bundle::LIMIT, boards, rank, values, source })
    }

    #[cfg(feature = "files")]
    /// Opens a table for questions that name the engine [`EngineName::Table`].
    ///
    /// # Errors
    /// If the file is missing, damaged, or of another kind or version.
    pub fn open_table(&mut self, path: &Path) -> Result<TableInfo, Fault> {
        let table = Table::open(path).map_err(Error::from)?;
        let info = info(path, &table);
        self.table = Some(SumEngine::Table(table, PathSum::new(self.isa)));
        Ok(info)
    }

    #[cfg(feature = "files")]
    /// Reads a whole table and compares its checksum.
    ///
    /// # Errors
    /// If the file is missing, damaged, or of another kind or version, or a limit is reached.
    pub fn verify_table(&self, path: &Path, control: &Control<'_>) -> Result<TableInfo, Fault> {
        let table = Table::open(path).map_err(Error::from)?;
        table.verify(control)?;
        Ok(info(path, &table))
    }

    #[cfg(feature = "files")]
    /// Builds a table for these ranks (numbers of pips), or for all, and writes it to a file. A stopped build leaves no
    /// file.
    ///
    /// # Errors
    /// If a rank is too high, a limit is reached, there is not enough memory, or the file cannot be written.
    pub fn build_table(&self, path: &Path, ranks: Option<&[u32]>, control: &Control<'_>) -> Result<TableInfo, Fault> {
        let ranks = ranks.map_or(Ok(ALL_RANKS), rank_set)?;
        table::write(path, self.isa, ranks, control)?;
        let table = Table::open(path).map_err(Error::from)?;
        Ok(info(path, &table))
    }
}

fn read_board(text: &str) -> Result<Board, Fault> {
    let text = text.trim();
    text.parse().map_err(|fault| Fault::text("board", &fault, text))
}

#[cfg(feature = "files")]
fn rank_set(ranks: &[u32]) -> Result<Ranks, Fault> {
    if let Some(rank) = ranks.iter().find(|rank| **rank > HIGHEST_RANK) {
        let message = format_args!("rank {rank}: a board with an empty cell has at most {HIGHEST_RANK} pips");
        return Err(Fault::question("ranks", message));
    }
    Ok(ranks.iter().fold(0, |set, rank| set | 1 << rank))
}

#[cfg(feature = "files")]
fn info(path: &Path, table: &Table) -> TableInfo {
    let table::Built { boards, entries } = table.size();
    let ranks = (0..Ranks::BITS).filter(|rank| table.ranks() >> rank & 1 == 1).collect();
    TableInfo { file: path.display().to_string(), ranks, boards, entries, bytes: table.bytes() }
}
