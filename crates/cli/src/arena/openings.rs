//! Where the games of a match begin: each opening serves a pair of games.

use crate::failure::Failure;
use crate::protocol::reached;
use crate::protocol::words::{self, Place};
use engine::desk::{Desk, GameName};
use grid::{Rng, mix};

/// Where openings come from.
pub(super) enum Openings {
    /// From a file; begun again when it is used up.
    Listed(Vec<Place>),
    /// So many random moves, by the seed. Every deal of Triple Triad is its own.
    Random { plies: u32, seed: u64 },
}

impl Openings {
    /// Reads one position a line, as after `position` in the protocol; `fen` may be left out, and `#` begins a comment.
    pub(super) fn read(text: &str, desk: &dyn Desk) -> Result<Self, Failure> {
        let mut listed = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let named = line.starts_with("startpos") || line.starts_with("fen ");
            let words = if named { None } else { Some("fen") }.into_iter().chain(line.split_whitespace());
            let wrong = |why: &str| Failure::Usage(format!("line {} of the openings: {why}", number + 1));
            let place = words::place(words).map_err(|why| wrong(&why))?;
            let (position, moves) = reached(desk, &place).map_err(|fault| wrong(&fault.message))?;
            let over = desk.look(&position).map_err(|fault| wrong(&fault.message))?.result.is_some();
            if over {
                return Err(wrong("the game is over"));
            }
            listed.push(Self::known(desk, Place { moves, ..place }).map_err(|fault| wrong(&fault.message))?);
        }
        if listed.is_empty() {
            return Err(Failure::Usage("the file of openings has none".to_owned()));
        }
        Ok(Self::Listed(listed))
    }

    /// Only the start of Ultimate Tic-Tac-Toe is the same for every program.
    fn known(desk: &dyn Desk, place: Place) -> Result<Place, engine::desk::Fault> {
        let text = match (&place.text, desk.game()) {
            (None, GameName::Uttt) => None,
            (None, _) => Some(desk.start()?),
            // Other programs read the FEN.
            (Some(text), _) => {
                let view = desk.look(text)?;
                Some(view.fen.unwrap_or(view.position))
            }
        };
        Ok(Place { text, ..place })
    }

    /// The opening of a pair.
    pub(super) fn of(&self, pair: u64, desk: &mut dyn Desk) -> Result<Place, Failure> {
        let failed = |fault: engine::desk::Fault| Failure::Usage(fault.message);
        let (plies, seed) = match self {
            Self::Listed(places) => return Ok(places[(pair % places.len() as u64) as usize].clone()),
            Self::Random { plies, seed } => (*plies, mix(seed ^ mix(pair))),
        };
        if desk.game() == GameName::Triad {
            desk.set("seed", &seed.to_string()).map_err(failed)?;
        }
        let start = Self::known(desk, Place { text: None, moves: Vec::new() }).map_err(failed)?;
        let mut rng = Rng::new(seed);
        // A game that ends within its opening is none: another one then.
        for _ in 0..100 {
            let mut place = start.clone();
            let mut position = reached(desk, &place).map_err(failed)?.0;
            for _ in 0..plies {
                let moves = desk.look(&position).map_err(failed)?.moves;
                let Some(mv) = rng.pick(moves.into_iter()) else { break };
                position = desk.play(&position, &mv.mv).map_err(failed)?.position;
                place.moves.push(mv.mv);
            }
            if desk.look(&position).map_err(failed)?.result.is_none() {
                return Ok(place);
            }
        }
        Err(Failure::Usage(format!("{plies} random moves are a whole game")))
    }
}

/// An opening in one line.
pub(super) fn text(place: &Place) -> String {
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
            let mut desk = game.desk(Isa::detect());
            let openings = Openings::Random { plies: 3, seed: 9 };
            let some: Vec<Place> = (0..4).map(|pair| openings.of(pair, desk.as_mut()).unwrap()).collect();
            assert!(some.iter().all(|place| place.moves.len() == 3));
            assert!((1..4).any(|pair| some[pair] != some[0]), "{some:?}");
            assert_eq!(openings.of(2, desk.as_mut()).unwrap(), some[2], "by its number alone");
            let file: String = some.iter().map(|place| text(place) + "\n").collect();
            let Openings::Listed(listed) = Openings::read(&format!("# four\n\n{file}"), desk.as_ref()).unwrap() else {
                panic!("a file is listed")
            };
            assert_eq!(listed, some);
            for wrong in ["", "# none", "nonsense", "startpos moves zz", "fen"] {
                assert!(Openings::read(wrong, desk.as_ref()).is_err(), "{wrong}");
            }
        }
    }
}
