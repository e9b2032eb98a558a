//! A saved game: one line of JSON in a file. `--load` reads it, and also the last game in a file that `match` wrote.
//!
//! ```text
//! {"version":1,"game":"uttt","options":{"rule":"standard"},"humans":"first","level":10,
//!  "history":[{"position":"X;........."},{"move":"ee","position":"O;....@...."}]}
//! ```
//!
//! The positions are stored beside the moves, because a move does not tell what luck did after it: the card that Chaos
//! draws, or the deal of the next game in Sudden Death. Loading checks every move against its position.

use super::Humans;
use crate::failure::Failure;
use crate::protocol::command;
use api::{GameName, PositionQuestion, STRONGEST};
use grid::simd::Isa;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 1;
/// The most bytes of a file that are read. A match of thousands of games is smaller.
const LARGEST: u64 = 64 << 20;

/// A saved game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    version: u32,
    pub(super) game: GameName,
    /// The rules and how the engine plays.
    pub(crate) options: api::Options,
    pub(super) humans: Humans,
    pub(super) level: u32,
    /// Triple Triad: the numbers of the cards, because cards of different names can have the same sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) cards: Vec<u16>,
    /// The start, and each move with the position after it.
    pub(super) history: Vec<Step>,
}

/// A position, and the move that led to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// None for the first position of a game.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<String>,
    pub(super) position: String,
}

/// The fields of a game of `match` that are needed to show it.
#[derive(Deserialize)]
struct MatchGame {
    terms: String,
    opening: String,
    moves: Vec<String>,
}

/// A record and the file it came from.
pub(crate) struct Loaded {
    pub(crate) record: Record,
    /// Where the game is saved again; `None` for a file of `match`, which is left as it is.
    pub(super) path: Option<PathBuf>,
}

impl Record {
    pub(super) fn new(game: GameName, options: api::Options, humans: Humans, level: u32, history: Vec<Step>) -> Self {
        Self { version: VERSION, game, options, humans, level, cards: Vec::new(), history }
    }
}

/// Reads the last game of a file.
pub(super) fn load(path: &Path, game: GameName) -> Result<Loaded, Failure> {
    let failed = |error: io::Error| Failure::Run(format!("{}: {error}", path.display()));
    let wrong = |why: &str| Failure::Usage(format!("{}: {why}", path.display()));
    let mut text = String::new();
    File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text)).map_err(failed)?;
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).ok_or_else(|| wrong("the file is empty"))?;
    let (record, own) = read(line).map_err(|why| wrong(&why))?;
    if record.game != game {
        let name = record.game.name();
        return Err(wrong(&format!("this is a game of {name}; load it with `ninefold {name} play --load`")));
    }
    Ok(Loaded { record, path: own.then(|| path.to_owned()) })
}

/// Reads a line. The second value is true for a game of `play`, false for one of `match`.
fn read(line: &str) -> Result<(Record, bool), String> {
    let not_ours = |error: serde_json::Error| format!("not the record of a game: {error}");
    let value: serde_json::Value = serde_json::from_str(line).map_err(not_ours)?;
    if value.get("opening").is_some() {
        let game: MatchGame = serde_json::from_value(value).map_err(not_ours)?;
        return Ok((of_match(&game)?, false));
    }
    let record: Record = serde_json::from_value(value).map_err(not_ours)?;
    if record.version != VERSION {
        return Err(format!("the record has version {}, this program reads {VERSION}", record.version));
    }
    if record.history.is_empty() || !(1..=STRONGEST).contains(&record.level) {
        return Err("the record has no position, or a level that does not exist".to_owned());
    }
    Ok((record, true))
}

/// Replays a game of `match`. Its terms begin with the game, followed by options as `name=value`.
fn of_match(game: &MatchGame) -> Result<Record, String> {
    let mut words = game.terms.split_whitespace();
    let name = words.next().and_then(GameName::named).ok_or("the record names no game")?;
    let mut options = api::Options::default();
    for (option, value) in words.filter_map(|word| word.split_once('=')) {
        options.set(option, value).map_err(|fault| fault.message)?;
    }
    let place = command::place(game.opening.split_whitespace())?;
    let mut session = name.open(Isa::detect());
    session.set_base(&options).map_err(|fault| fault.message)?;
    let mut question = PositionQuestion::default();
    (question.position, question.moves) = (place.text, place.moves);
    question.moves.extend(game.moves.iter().cloned());
    let answer = session.play(&question).map_err(|fault| fault.message)?;
    let played = answer.played.into_iter().map(|played| Step { mv: Some(played.mv), position: played.position });
    let history = [Step { mv: None, position: answer.start }].into_iter().chain(played).collect();
    Ok(Record::new(name, options, Humans::Both, STRONGEST, history))
}

/// Writes a game to a file of the state folder, or back to the file it was loaded from. Returns the file.
pub(super) fn save(record: &Record, path: Option<PathBuf>) -> io::Result<PathBuf> {
    let path = match path {
        Some(path) => path,
        None => {
            let folder = folder(|name| std::env::var_os(name).map(PathBuf::from))
                .ok_or_else(|| io::Error::other("neither XDG_STATE_HOME nor HOME is set"))?;
            std::fs::create_dir_all(&folder)?;
            let name = record.game.name();
            let numbered = (1_u64..).map(|number| folder.join(format!("{name}-{number}.jsonl")));
            numbered.into_iter().find(|path| !path.exists()).unwrap_or(folder)
        }
    };
    let text = serde_json::to_string(record)? + "\n";
    api::files::write(&path, text.as_bytes()).map_err(|fault| io::Error::other(fault.message))?;
    Ok(path)
}

/// `$XDG_STATE_HOME/ninefold`, or `~/.local/state/ninefold`. A relative path is ignored, as the XDG standard says.
fn folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let given = variable("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = given.or_else(|| Some(variable("HOME").filter(|home| home.is_absolute())?.join(".local/state")))?;
    Some(state.join("ninefold"))
}

/// The command that resumes a saved game, for a shell.
pub(super) fn resume_command(game: GameName, path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = path.chars().all(|sign| sign.is_ascii_alphanumeric() || "/._-".contains(sign));
    let path = if is_plain { path } else { format!("'{}'", path.replace('\'', "'\\''")) };
    format!("ninefold {} play --load {path}", game.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_folder_is_absolute_or_none() {
        let at = |state: Option<&str>, home: Option<&str>| {
            folder(|name| if name == "HOME" { home } else { state }.map(PathBuf::from))
        };
        assert_eq!(at(Some("/s"), Some("/h")), Some(PathBuf::from("/s/ninefold")));
        for ignored in [None, Some(""), Some("relative")] {
            assert_eq!(at(ignored, Some("/h")), Some(PathBuf::from("/h/.local/state/ninefold")));
            assert_eq!(at(ignored, None), None);
        }
    }

    #[test]
    fn a_record_is_read_back_and_a_wrong_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it's a game.jsonl");
        let start = Step { mv: None, position: "X;...".to_owned() };
        let record = Record::new(GameName::Uttt, api::Options::default(), Humans::Second, 4, vec![start]);
        assert_eq!(save(&record, Some(path.clone())).unwrap(), path);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
        let loaded = load(&path, GameName::Uttt).unwrap();
        assert_eq!((&loaded.record, loaded.path.as_deref()), (&record, Some(path.as_path())));
        assert!(matches!(load(&path, GameName::Triad), Err(Failure::Usage(why)) if why.contains("ninefold uttt play")));
        assert!(resume_command(GameName::Uttt, &path).ends_with("it'\\''s a game.jsonl'"));
        let good = serde_json::to_string(&record).unwrap();
        for (from, to) in
            [("\"version\":1", "\"version\":2"), ("4", "11"), ("uttt", "chess"), ("}", ""), ("level", "x")]
        {
            std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
            assert!(matches!(load(&path, GameName::Uttt), Err(Failure::Usage(_))), "{from} -> {to}");
        }
        assert!(matches!(load(&folder.path().join("none"), GameName::Uttt), Err(Failure::Run(_))));
    }
}
