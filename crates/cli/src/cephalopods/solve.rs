//! `ninefold cephalopods solve`: the value of a position and of every move, and the principal variation.

use super::rule::Choice;
use crate::count::count;
use crate::draw::{self, Marks, Tense, ValueText};
use crate::failure::Failure;
use crate::input::each_text;
use crate::interrupt;
use crate::output::Output;
use crate::progress::watched;
use api::{AnalyseQuestion, Analysis, LegacyValue, Limits, PositionQuestion, Session, SolveQuestion};

/// Arguments of `solve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position: A's dice 1 to 6, B's a to f, empty cells as points, row by row, then :A or :B, who moves; rows of other
    /// sizes than 3x3 are separated by slashes. - reads one per line from standard input; the empty board if not given
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    #[command(flatten)]
    choice: Choice,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut session, limits) = (arguments.choice.session()?, arguments.choice.limits()?);
    let mut output = Output::new();
    each_text(&arguments.positions, |position| arguments.answer(session.as_mut(), &limits, position, &mut output))
}

impl Arguments {
    fn answer(
        &self,
        session: &mut dyn Session,
        limits: &Limits,
        position: Option<&str>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        // 3x3 is solved. Other sizes are analysed: a value that is not proved within the limits is an estimate.
        let analysis = if limits.are_open() {
            let mut question = SolveQuestion::default();
            question.position = position.map(str::to_owned);
            (question.all_moves, question.line) = (true, true);
            watched(limits, |control| session.solve(&question, control))
        } else {
            let mut question = AnalyseQuestion::default();
            (question.position, question.limits) = (position.map(str::to_owned), limits.clone());
            watched(limits, |control| session.analyse(&question, control))
        };
        let mut analysis = analysis.map_err(Failure::or_interrupted)?;
        analysis.value = Some(LegacyValue::Score(analysis.score));
        if self.json {
            output.json(&analysis)?;
            return interrupt::check();
        }
        let view = session.look(&PositionQuestion::at(analysis.position.as_str()))?;
        output.line(draw::text(&draw::picture(&view, &Marks::default())))?;
        output.line(&analysis.position)?;
        match view.result {
            Some(_) => output.line(format_args!("the game is over: {}", view.status))?,
            None => show(&analysis, output)?,
        }
        interrupt::check()
    }
}

fn show(analysis: &Analysis, output: &mut Output) -> Result<(), Failure> {
    let value = ValueText::from(analysis);
    output.line(format_args!("{} to move {}", analysis.mover, value.words(Tense::Side)))?;
    if let Some(best) = &analysis.best {
        output.line(format_args!("best   {best}"))?;
    }
    for line in &analysis.lines {
        output.line(format_args!("  {:10} {}", line.mv, ValueText::from(line).words(Tense::Move)))?;
    }
    if let Some(line) = analysis.lines.first() {
        output.line(format_args!("line   {}", line.line.join(" ")))?;
    }
    output.line(format_args!("{}, {:.3} s", count(analysis.nodes, "node", "nodes"), analysis.seconds))
}
