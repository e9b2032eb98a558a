//! The engine protocol. The command line is a program and not a library, so its files are included here.

#[allow(dead_code, reason = "the targets read the commands and do not run them")]
#[path = "../../crates/cli/src/protocol/command.rs"]
pub(crate) mod command;
#[path = "../../crates/cli/src/protocol/reached.rs"]
mod reached;

use command::Command;
pub(crate) use reached::reached;

/// A line of the engine protocol. Blanks do not matter, and a position that was read can be written and read again.
pub fn ugi_line(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    let words: Vec<&str> = line.split_whitespace().collect();
    let read = command::read(&line);
    assert_eq!(command::read(&words.join(" ")), read, "{line:?}");
    let again = match &read {
        Ok(Command::Position(place)) => {
            let start = place.text.as_ref().map_or("startpos".to_owned(), |text| format!("fen {text}"));
            format!("position {start} moves {}", place.moves.join(" "))
        }
        Ok(Command::SetOption { name, value }) => format!("setoption name {name} value {value}"),
        Ok(Command::Moves(moves)) => format!("moves {}", moves.join(" ")),
        Ok(Command::Unknown) => return,
        _ => line.to_string(),
    };
    assert_eq!(command::read(&again), read, "{line:?}");
}
