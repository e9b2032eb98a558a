//! Plays any two-player game in the terminal: full-screen, or line by line where there is no terminal.
//!
//! | file | holds |
//! |---|---|
//! | `session` | one game: its history, undo and redo, which sides people play |
//! | `thinker` | the engine on its own thread |
//! | `app`, `screen` | the full screen: what a key does, what is drawn |
//! | `terminal` | the terminal itself: taken over, read, and always restored |
//! | `plain`, `event` | line by line, for people or as JSON |
//! | `record` | the saved game |
//! | `help` | the help of each game |
//!
//! A game creates a [`Start`] from its arguments. Its [`Table`] handles what happens around the moves: the deal, luck
//! between moves, and what follows the end.

mod app;
pub(crate) mod event;
mod help;
mod plain;
pub(crate) mod record;
mod screen;
mod session;
mod terminal;
mod thinker;

#[cfg(test)]
mod tests;

use crate::draw::{Tense, ValueText};
use crate::failure::Failure;
use api::{Analysis, GameName, Limits, PositionQuestion, STRONGEST, View};
use record::{Loaded, Record};
use serde::{Deserialize, Serialize};
use session::Session;
use std::io::IsTerminal;
use std::path::PathBuf;
use thinker::Thinker;

/// Arguments that every `play` has.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The player you are, by its letter; or both, or none
    #[arg(long, value_name = "PLAYER")]
    you: Option<String>,
    /// Strength of the engine, from 1 (a beginner) to 10 (full strength, the default)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: Option<u32>,
    /// Load a saved game and continue: a file that `play` saved, or the last game of a `match --record` file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Play line by line, as when there is no terminal
    #[arg(long)]
    plain: bool,
}

impl Options {
    /// The sides that people play, in a game whose players have these letters; by default those of the loaded game.
    pub(crate) fn humans(&self, players: [&str; 2], loaded: Option<&Loaded>) -> Result<Humans, Failure> {
        let usual = loaded.map_or(Humans::First, |loaded| loaded.record.humans);
        self.you.as_ref().map_or(Ok(usual), |you| Humans::read(you, players))
    }

    /// The game to load, if one is given.
    pub(crate) fn load(&self, game: GameName) -> Result<Option<Loaded>, Failure> {
        self.load.as_ref().map(|path| record::load(path, game)).transpose()
    }
}

/// Which sides people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Humans {
    First,
    Second,
    Both,
    #[serde(rename = "none")]
    Nobody,
}

impl Humans {
    /// Reads the letter of a player, in upper or lower case, or `both` or `none`.
    fn read(text: &str, players: [&str; 2]) -> Result<Self, Failure> {
        let named =
            [(players[0], Self::First), (players[1], Self::Second), ("both", Self::Both), ("none", Self::Nobody)];
        let found = named.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim()));
        found.map(|(_, humans)| *humans).ok_or_else(|| {
            let [first, second] = players;
            Failure::Usage(format!("no player is called \"{text}\": there are {first} and {second}, both, and none"))
        })
    }

    /// Whether a person plays for this player, 1 or 2.
    pub(crate) const fn plays(self, player: u32) -> bool {
        match self {
            Self::First => player == 1,
            Self::Second => player == 2,
            Self::Both => true,
            Self::Nobody => false,
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::Both,
            Self::Both => Self::Nobody,
            Self::Nobody => Self::First,
        }
    }

    fn words(self, players: &[String; 2]) -> String {
        match self {
            Self::First => format!("you are {}", players[0].to_uppercase()),
            Self::Second => format!("you are {}", players[1].to_uppercase()),
            Self::Both => "you play both".to_owned(),
            Self::Nobody => "the engine plays itself".to_owned(),
        }
    }
}

/// The strength of the engine.
#[derive(Clone, Debug)]
struct Strength {
    limits: Limits,
    level: u32,
    seed: u64,
    /// Whether the engine plays from the opening book at full strength.
    book: bool,
}

impl Strength {
    /// The question for the engine's move.
    fn choose(&self, position: &str) -> api::ChooseQuestion {
        let mut question = api::ChooseQuestion::at(position);
        (question.limits, question.level, question.seed) = (self.limits.clone(), self.level, self.seed);
        question
    }

    /// The move of the opening book, if the engine plays from it and the position is there.
    fn book_move(&self, session: &mut dyn api::Session, position: &str) -> Option<String> {
        let may = self.book && self.level == STRONGEST;
        may.then(|| session.book_move(&api::PositionQuestion::at(position)).ok().flatten()).flatten()
    }

    /// The question for the value of each move at full strength.
    fn analyse(&self, position: &str, lines: Option<usize>) -> api::AnalyseQuestion {
        let mut question = api::AnalyseQuestion::at(position);
        (question.limits, question.lines) = (self.limits.clone(), lines);
        question
    }
}

/// A position that was not reached by a move (a deal, a drawn card), with notes for the player.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    pub(crate) position: String,
    pub(crate) notes: Vec<String>,
}

/// What follows the end of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aftermath {
    pub(crate) notes: Vec<String>,
    /// The next game, if the result does not count.
    pub(crate) next: Option<Dealt>,
    /// A choice that a person has to make.
    pub(crate) choice: Option<Choice>,
}

/// A choice of some items from a list.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The text before the name of a chosen item, such as `trade one: a takes`.
    pub(crate) verb: String,
    pub(crate) among: Vec<String>,
    /// The number of items still to choose.
    pub(crate) count: usize,
}

impl Choice {
    /// The list to choose from, numbered from 1.
    fn question(&self) -> String {
        let among: Vec<String> = self.among.iter().enumerate().map(|(at, name)| format!("{} {name}", at + 1)).collect();
        format!("choose {} of: {}", self.count, among.join("  "))
    }
}

/// What happens around the moves of a game.
pub(crate) trait Table {
    /// The session of the game.
    fn session(&mut self) -> &mut dyn api::Session;

    /// The game and its rules, for the title line.
    fn title(&self) -> String;

    /// The start of a new game.
    fn begin(&mut self) -> Result<Dealt, Failure>;

    /// Triple Triad: the numbers of the cards in play, as far as they have one.
    fn cards(&self) -> Vec<u16> {
        Vec::new()
    }

    /// Prepares for a saved game that starts with this position and has these cards.
    fn resume(&mut self, _position: &str, _cards: &[u16]) -> Result<(), Failure> {
        Ok(())
    }

    /// A random event before the next move.
    fn luck(&mut self, _position: &str) -> Option<Dealt> {
        None
    }

    /// What follows the end of game `round`, counted from 0.
    fn after(&mut self, _position: &str, _round: u32, _humans: Humans) -> Aftermath {
        Aftermath::default()
    }

    /// Converts a move that a person typed into the form of the session.
    fn read_move(&self, _view: &View, text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    /// Help text: how to type a move.
    fn how_to_move(&self) -> &'static str;
}

/// A game without deals, luck or choices.
pub(crate) struct Simple {
    pub(crate) session: Box<dyn api::Session>,
    pub(crate) title: String,
    /// The position to start from; the start of the game if `None`.
    pub(crate) position: Option<String>,
    pub(crate) how_to_move: &'static str,
}

impl Table for Simple {
    fn session(&mut self) -> &mut dyn api::Session {
        self.session.as_mut()
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn begin(&mut self) -> Result<Dealt, Failure> {
        let position = match &self.position {
            Some(position) => position.clone(),
            None => self.session.look(&PositionQuestion::default())?.position,
        };
        Ok(Dealt { position, notes: Vec::new() })
    }

    fn how_to_move(&self) -> &'static str {
        self.how_to_move
    }
}

/// Everything needed to start playing.
pub(crate) struct Start {
    pub(crate) table: Box<dyn Table>,
    /// A separate session for the engine, so that it can search while the other one answers.
    pub(crate) engine: Box<dyn api::Session>,
    /// The sides that people play.
    pub(crate) humans: Humans,
    /// The limits of the engine per position.
    pub(crate) limits: Limits,
    /// Whether it plays from the opening book at full strength.
    pub(crate) book: bool,
    /// The seed of its mistakes below full strength.
    pub(crate) seed: u64,
    /// Whether to print events as JSON.
    pub(crate) json: bool,
    /// A saved game to continue.
    pub(crate) loaded: Option<Loaded>,
}

impl Start {
    /// Plays until the game ends or the user quits.
    pub(crate) fn run(self, options: &Options) -> Result<(), Failure> {
        let Self { table, engine, humans, limits, book, seed, json, loaded } = self;
        let saved_level = loaded.as_ref().map_or(STRONGEST, |loaded| loaded.record.level);
        let strength = Strength { limits, level: options.level.unwrap_or(saved_level), seed, book };
        let (session, path) = match loaded {
            None => (Session::new(table, humans)?, None),
            Some(Loaded { record, path }) => (Session::load(table, humans, &record.history, &record.cards)?, path),
        };
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let person = std::io::stdin().is_terminal();
        if json || options.plain || dumb || !person || !std::io::stdout().is_terminal() {
            let mut plain = plain::Plain::new(session, engine, strength, json);
            let outcome = plain.run();
            // A program that plays through pipes keeps its own record.
            if person && !json {
                save(&mut plain.session, plain.strength.level, path);
            }
            return outcome;
        }
        let mut app = app::App::new(session, Thinker::new(engine)?, strength);
        let outcome = terminal::run(&mut app);
        save(&mut app.session, app.strength.level, path);
        outcome
    }
}

/// Saves a game in which at least one move was made, and prints how to resume it.
fn save(session: &mut Session, level: u32, path: Option<PathBuf>) {
    let (game, options) = session.game();
    let history = session.steps();
    if history.iter().all(|step| step.mv.is_none()) {
        return;
    }
    let mut record = Record::new(game, options, session.humans, level, history);
    record.cards = session.cards();
    match record::save(&record, path) {
        Ok(path) => crate::output::note(format_args!(
            "The game is saved. To resume it: {}",
            record::resume_command(game, &path)
        )),
        Err(error) => crate::output::note(format_args!("The game is not saved: {error}")),
    }
}

/// The name of the side to move, for people.
fn mover(view: &View) -> String {
    view.players[view.mover as usize - 1].to_uppercase()
}

/// A move of Triple Triad for people names its card and cell; whose card it is needs no saying.
fn without_player(label: &str) -> &str {
    label.strip_prefix("a:").or_else(|| label.strip_prefix("b:")).unwrap_or(label)
}

/// The best move in words. Among equal moves, says that they are equal.
fn hint(view: &View, found: &Analysis) -> Option<String> {
    let best = found.best.as_ref()?;
    let label = view.moves.iter().find(|mv| mv.mv == *best).map_or(best.as_str(), |mv| without_player(&mv.label));
    let (value, equal) = (ValueText::from(found), found.optimal.len());
    Some(if all_moves_are_equal(view, found) && found.outcome.is_some() {
        format!("hint: all {equal} moves {}", value.words(Tense::Moves))
    } else if equal > 1 {
        format!("hint: {label}, one of {equal} equal moves; {} {}", mover(view), value.words(Tense::Side))
    } else {
        format!("hint: {label}; {} {}", mover(view), value.words(Tense::Side))
    })
}

/// Whether every legal move is certain to be equally good.
fn all_moves_are_equal(view: &View, found: &Analysis) -> bool {
    view.moves.len() > 1 && found.optimal.len() == view.moves.len()
}
