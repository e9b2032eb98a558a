//! **The front door**: one question and one answer for every verb of every game.
//!
//! ```text
//! text -> Position (typed) -> engine(typed question, Control) -> typed result -> Answer (serde)
//! ```
//!
//! The command line, the engine protocol, the terminal, matches and the server only translate: their JSON **is** these
//! types. Questions refuse unknown fields. Values are for the side to move and state their certainty.
//!
//! **This room** reads text into types, calls the engine, and writes types into text, each once.
//! **It may not know** HTTP, flags, the terminal, or any file format of its own.
//! **Go next** to `engine` for the engines, to `cli` and `server` for the callers.

mod analysis;
pub mod cephalopods;
mod fault;
#[cfg(feature = "files")]
pub mod files;
mod json;
mod limits;
mod options;
mod question;
mod session;
pub mod triad;
pub mod uttt;
mod view;

pub use analysis::{Analysis, LegacyValue, Letter, Line};
pub use engine::{Certainty, Chances, Clock, Control, Error as EngineError, Outcome, Progress, Stop, Value};
pub use fault::{Fault, FaultKind};
pub use json::{did_you_mean, json_fault, read_json};
pub use limits::Limits;
pub use options::{Options, Setting, SettingKind};
pub use question::{
    AnalyseQuestion, ChooseAnswer, ChooseQuestion, ExplainQuestion, MoveLeaves, PerftAnswer, PerftQuestion, PlayAnswer,
    PositionQuestion, STRONGEST, SolveQuestion,
};
pub use session::{GameName, Session};
pub use view::{BoardView, CardView, Die, Flip, MoveView, Played, View};
