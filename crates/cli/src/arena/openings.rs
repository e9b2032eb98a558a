//! The openings of a match. Each opening is used for a pair of games.

use crate::failure::Failure;
use crate::protocol::command::{self, PositionText};
use crate::protocol::reached;
use api::{Fault, GameName, PositionQuestion, Session};
use grid::{Rng, mix};

/// The source of the openings.
pub(super) enum Openings {
    /// From a file; reused from the start when it runs out.
    Listed(Vec<PositionText>),
    /// This number of random moves, by the seed. In Triple Triad every pair has its own deal.
    Random { plies: u32, seed: u64 },
}

impl Openings {
    /// Reads one position per line, as after `position` in the protocol. `fen` may be left out, and `#` starts a
    /// comment.
    pub(super) fn read(text: &str, session: &mut dyn Session) -> Result<Self, Failure> {
        let mut listed = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let named = line.starts_with("startpos") || line.starts_with("fen ");
            let words = if named { None } else { Some("fen") }.into_iter().chain(line.split_whitespace());
            let wrong = |why: &str| Failure::Usage(format!("line {} of the openings: {why}", number + 1));
            let place = command::place(words).map_err(|why| wrong(&why))?;
            let (position, moves) = reached(session, &place).map_err(|fault| wrong(&fault.message))?;
            let over = session
                .look(&PositionQuestion::at(position.as_str()))
                .map_err(|fault| wrong(&fault.message))?
                .result
                .is_some();
            if over {
                return Err(wrong("the game is over"));
            }
            listed.push(Self::known(session, PositionText { moves, ..place }).map_err(|fault| wrong(&fault.message))?);
        }
        if listed.is_empty() {
            return Err(Failure::Usage("the file of openings has none".to_owned()));
        }
        Ok(Self::Listed(listed))
    }

    /// Writes the position so that every program can read it. Only the start of Ultimate Tic-Tac-Toe needs no text.
    fn known(session: &mut dyn Session, place: PositionText) -> Result<PositionText, Fault> {
        let text = match (&place.text, session.game()) {
            (None, GameName::Uttt) => None,
            (None, _) => Some(session.look(&PositionQuestion::default())?.position),
            // Other programs read the FEN.
            (Some(text), _) => {
                let view = session.look(&PositionQuestion::at(text.as_str()))?;
                Some(view.fen.unwrap_or(view.position))
            }
        };
        Ok(PositionText { text, ..place })
    }

    /// The opening of a pair.
    pub(super) fn of(&self, pair: u64, session: &mut dyn Session) -> Result<PositionText, Failure> {
        let failed = |fault: Fault| Failure::Usage(fault.message);
        let (plies, seed) = match self {
            Self::Listed(places) => return Ok(places[(pair % places.len() as u64) as usize].clone()),
            Self::Random { plies, seed } => (*plies, mix(seed ^ mix(pair))),
        };
        if session.game() == GameName::Triad {
            let mut base = session.base().clone();
            base.seed = Some(seed);
            session.set_base(&base).map_err(failed)?;
        }
        let start = Self::known(session, PositionText { text: None, moves: Vec::new() }).map_err(failed)?;
        let mut rng = Rng::new(seed);
        // An opening must not end the game; if it does, try again.
        for _ in 0..100 {
            let mut place = start.clone();
            let mut position = reached(session, &place).map_err(failed)?.0;
            for _ in 0..plies {
                let moves = session.look(&PositionQuestion::at(position.as_str())).map_err(failed)?.moves;
                let Some(mv) = rng.pick(moves.into_iter()) else { break };
                place.moves.push(mv.mv);
                position = reached(session, &place).map_err(failed)?.0;
            }
            if session.look(&PositionQuestion::at(position.as_str())).map_err(failed)?.result.is_none() {
                return Ok(place);
            }
        }
        Err(Failure::Usage(format!("{plies} random moves are a whole game")))
    }
}

/// An opening as one line.
pub(super) fn text(place: &PositionText) -> String {
    let mut text = place.text.as_ref().map_or_else(|| "startpos".to_owned(), |text| format!("fen {text}"));
    if !place.moves.is_empty() {
        text += " moves ";
        text += &place.moves.join(" ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::simd::Isa;

    #[test]
    fn openings_are_by_the_seed_and_can_be_read_again() {
        for game in GameName::ALL {
            let mut session = game.open(Isa::detect());
            let openings = Openings::Random { plies: 3, seed: 9 };
            let some: Vec<PositionText> = (0..4).map(|pair| openings.of(pair, session.as_mut()).unwrap()).collect();
            assert!(some.iter().all(|place| place.moves.len() == 3));
            assert!((1..4).any(|pair| some[pair] != some[0]), "{some:?}");
            assert_eq!(openings.of(2, session.as_mut()).unwrap(), some[2], "by its number alone");
            let file: String = some.iter().map(|place| text(place) + "\n").collect();
            let Openings::Listed(listed) = Openings::read(&format!("# four\n\n{file}"), session.as_mut()).unwrap()
            else {
                panic!("a file is listed")
            };
            assert_eq!(listed, some);
            for wrong in ["", "# none", "nonsense", "startpos moves zz", "fen"] {
                assert!(Openings::read(wrong, session.as_mut()).is_err(), "{wrong}");
            }
        }
    }
}
