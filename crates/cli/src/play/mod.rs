//! Playing any of the games of two in the terminal: full-screen, or line by line where there is no terminal.
//!
//! | file | holds |
//! |---|---|
//! | `session` | one game: its positions so far, undo and redo, who is human |
//! | `thinker` | the engine on a thread of its own |
//! | `app`, `screen` | the full screen: what a key does, what is drawn |
//! | `terminal` | the terminal itself: taken, read, and given back whatever happens |
//! | `plain`, `event` | line by line, for people or as JSON |
//!
//! A game builds a [`Start`] from its arguments. Beyond the session it knows what happens around a game: the deal before it,
//! luck between moves, what follows the end. That is its [`Table`].

mod app;
pub(crate) mod event;
mod plain;
mod screen;
mod session;
mod terminal;
mod thinker;

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use api::{Limits, PositionQuestion, STRONGEST, View};
use session::Session;
use std::io::IsTerminal;
use thinker::Thinker;

/// What every `play` takes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Which player you are, by its letter; or both, or none
    #[arg(long, value_name = "PLAYER")]
    you: Option<String>,
    /// How well the engine plays, from 1 (a beginner) to 10 (full strength)
    #[arg(long, default_value_t = STRONGEST, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Line by line, as when there is no terminal
    #[arg(long)]
    plain: bool,
}

impl Options {
    /// Who is human, in a game whose players have these letters.
    pub(crate) fn humans(&self, players: [&str; 2]) -> Result<Humans, Failure> {
        self.you.as_ref().map_or(Ok(Humans::First), |you| Humans::read(you, players))
    }
}

/// Which sides people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Humans {
    First,
    Second,
    Both,
    Nobody,
}

impl Humans {
    /// By the letter of a player, in any case; `both` or `none`.
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
            Self::First => format!("you are {}", players[0]),
            Self::Second => format!("you are {}", players[1]),
            Self::Both => "you play both".to_owned(),
            Self::Nobody => "the engine plays itself".to_owned(),
        }
    }
}

/// How well the engine plays.
#[derive(Clone, Debug)]
struct Strength {
    limits: Limits,
    level: u32,
    seed: u64,
}

impl Strength {
    /// Which move does it make?
    fn choose(&self, position: &str) -> api::ChooseQuestion {
        let mut question = api::ChooseQuestion::at(position);
        (question.limits, question.level, question.seed) = (self.limits.clone(), self.level, self.seed);
        question
    }

    /// What is each move worth at full strength?
    fn analyse(&self, position: &str, lines: Option<usize>) -> api::AnalyseQuestion {
        let mut question = api::AnalyseQuestion::at(position);
        (question.limits, question.lines) = (self.limits.clone(), lines);
        question
    }
}

/// A position that comes about without a move, and what there is to say about it.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    pub(crate) position: String,
    pub(crate) notes: Vec<String>,
}

/// What follows the end of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aftermath {
    pub(crate) notes: Vec<String>,
    /// Another game that decides.
    pub(crate) next: Option<Dealt>,
    /// What a person may choose.
    pub(crate) choice: Option<Choice>,
}

/// Things of which a person takes some.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// What is said of a thing that is taken, before its name: `trade one: a takes`.
    pub(crate) verb: String,
    pub(crate) among: Vec<String>,
    /// How many are still to be taken.
    pub(crate) count: usize,
}

impl Choice {
    /// What is to be chosen, the things numbered from 1.
    fn question(&self) -> String {
        let among: Vec<String> = self.among.iter().enumerate().map(|(at, name)| format!("{} {name}", at + 1)).collect();
        format!("choose {} of: {}", self.count, among.join("  "))
    }
}

/// What happens around the moves of a game.
pub(crate) trait Table {
    /// The session that knows the rules.
    fn session(&mut self) -> &mut dyn api::Session;

    /// The game and its rules, for the head of the screen.
    fn title(&self) -> String;

    /// The position a game begins with.
    fn begin(&mut self) -> Result<Dealt, Failure>;

    /// What chance decides before the next move.
    fn luck(&mut self, _position: &str) -> Option<Dealt> {
        None
    }

    /// What follows the end of the game number `round`, counted from 0.
    fn after(&mut self, _position: &str, _round: u32, _humans: Humans) -> Aftermath {
        Aftermath::default()
    }

    /// A move as a person types it, in the form the session takes.
    fn read_move(&self, _view: &View, text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    /// How a person types a move.
    fn how_to_move(&self) -> &'static str;
}

/// A game whose position says all there is to it.
pub(crate) struct Simple {
    pub(crate) session: Box<dyn api::Session>,
    pub(crate) title: String,
    /// Where to begin if not at the start.
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

/// All that is needed to begin.
pub(crate) struct Start {
    pub(crate) table: Box<dyn Table>,
    /// A session for the engine alone, so that it can think while the other one answers.
    pub(crate) engine: Box<dyn api::Session>,
    /// Who is human.
    pub(crate) humans: Humans,
    /// What the engine may spend on a position.
    pub(crate) limits: Limits,
    /// The seed of its mistakes below full strength.
    pub(crate) seed: u64,
    /// For a program: line by line, an object each.
    pub(crate) json: bool,
}

impl Start {
    /// Plays until the game is over or left.
    pub(crate) fn run(self, options: &Options) -> Result<(), Failure> {
        let session = Session::new(self.table, self.humans)?;
        let strength = Strength { limits: self.limits, level: options.level, seed: self.seed };
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if self.json || options.plain || dumb || !terminal {
            return plain::run(session, self.engine, strength, self.json);
        }
        terminal::run(app::App::new(session, Thinker::new(self.engine)?, strength))
    }
}
