//! The records and openings of matches. The command line is a program and not a library, so its files are included here.

#[allow(dead_code, reason = "the targets read openings and play no match")]
#[path = "../../crates/cli/src/arena/openings.rs"]
mod openings;
#[allow(dead_code, reason = "the targets read records and play no match")]
#[path = "../../crates/cli/src/arena/record.rs"]
mod record;

use crate::Input;
use crate::failure::Failure;
use crate::files::scratch_file;
use crate::protocol::command::PositionText;
use crate::questions::with_session;
use api::{GameName, Session};
use openings::Openings;
use record::{Log, Plan};

/// A file of openings. What was read can be written and read again.
pub fn openings(data: &[u8]) {
    let mut input = Input(data);
    let game = GameName::ALL[input.below(3)];
    with_session(game, |session| {
        if let Ok(Openings::Listed(listed)) = Openings::read(&input.text(), session) {
            let text: String = listed.iter().map(|place| openings::text(place) + "\n").collect();
            let again = Openings::read(&text, session);
            assert!(matches!(again, Ok(Openings::Listed(again)) if again == listed), "{text}");
        }
    });
}

/// A record file of a match. Records that are accepted can be added to a file and read again.
pub fn match_record(data: &[u8]) {
    let mut input = Input(data);
    let game = GameName::ALL[input.below(3)];
    // A last line without its end would be reported on standard error.
    let text = [input.0, b"\n"].concat();
    let plan = |game: u64, _: &mut dyn Session| -> Result<Plan, Failure> {
        let opening = PositionText { text: None, moves: Vec::new() };
        let [terms, a, b] = ["terms", "a", "b"].map(str::to_owned);
        Ok(Plan { game, terms, a, b, a_first: game % 2 == 1, opening })
    };
    let path = scratch_file("record");
    let read = |text: &[u8], session: &mut dyn Session| {
        std::fs::write(&path, text).expect("a temporary file");
        Log::open(&path, session, plan)
    };
    with_session(game, |session| {
        let Ok((_, records)) = read(&text, session) else { return };
        let text: Vec<_> =
            records.iter().map(|record| serde_json::to_string(record).expect("a record") + "\n").collect();
        let (_, again) = read(text.concat().as_bytes(), session).expect("records of our own");
        assert_eq!(again, records);
    });
}
