//! Follows the moves of a `position` line.

use super::command::PositionText;
use api::{Fault, PositionQuestion, Session};

/// The position after the moves, and these moves in their one-word form.
pub(crate) fn reached(session: &mut dyn Session, place: &PositionText) -> Result<(String, Vec<String>), Fault> {
    let mut question = PositionQuestion::default();
    (question.position, question.moves) = (place.text.clone(), place.moves.clone());
    let answer = session.play(&question).map_err(|fault| {
        let number = fault.field.strip_prefix("moves[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
        let Some((number, mv)) = number.and_then(|number| Some((number, place.moves.get(number)?))) else {
            return fault;
        };
        let why = fault.message.lines().next().unwrap_or_default();
        Fault::question("move", format_args!("move {} `{mv}`: {why}", number + 1))
    })?;
    Ok((answer.view.position, answer.played.into_iter().map(|played| played.mv).collect()))
}
