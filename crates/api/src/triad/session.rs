//! A session of Triple Triad. Hands are open, and positions are solved exactly.

use super::deal::{DealQuestion, position_text, read_move, read_position, read_rules};
use super::fault;
use super::replay::explained;
use super::solve::{SolveDealQuestion, SolveWanted, solve, with_progress, write};
use super::view::view;
use crate::analysis::Analysis;
use crate::fault::Fault;
use crate::options::{Options, Setting, choice};
use crate::question::{
    AnalyseQuestion, MoveLeaves, PerftAnswer, PerftQuestion, PlayAnswer, PositionPart, PositionQuestion, SolveQuestion,
};
use crate::session::{GameName, in_moves};
use crate::view::{Flip, Played};
use engine::Control;
use engine::triad::cards::{Book, Dealer, HandCard, Holder};
use engine::triad::{Lines, NamedDeal, Solver, perft};
use grid::Game;
use grid::simd::Isa;
use triad::{Edition, Move, Position, Rule, Rules, Setup};

/// The options as types.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Settings {
    edition: Edition,
    rules: Rules,
    seed: u64,
}

impl Settings {
    const DEFAULT: Self = Self { edition: Edition::Ff8, rules: Rules::preset(Edition::Ff8), seed: 1 };

    fn read(options: &Options) -> Result<Self, Fault> {
        options.only("triad", &["edition", "rules", "seed"])?;
        let editions = [(Edition::Ff8.name(), 0), (Edition::Ff14.name(), 1)];
        let edition = Edition::ALL[choice::<usize>("edition", options.edition.as_deref(), &editions)?];
        let names: Vec<&str> = options.rules.as_deref().unwrap_or_default().split(',').collect();
        let rules = read_rules(&names, edition).map_err(|error| Fault::question("options.rules", error))?;
        Ok(Self { edition, rules, seed: options.seed.unwrap_or(Self::DEFAULT.seed) })
    }
}

/// A session of Triple Triad. A position contains its rules, so the options affect only the start: two hands dealt by
/// the seed.
pub struct Session {
    isa: Isa,
    base: Options,
    settings: Settings,
    solver: Solver,
    /// Cards whose names take precedence over the built-in list.
    named: Vec<HandCard>,
}

impl Session {
    /// A session of Final Fantasy VIII without special rules.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self { isa, base: Options::default(), settings: Settings::DEFAULT, solver: Solver::new(isa), named: Vec::new() }
    }

    /// Uses the names of these cards from now on, for all cards with the same sides.
    pub fn name_by(&mut self, cards: &[HandCard]) {
        self.named = cards.to_vec();
    }

    /// The settings of a question. A question for another game does not inherit the base rules.
    fn settings_for(&self, options: &Options) -> Result<Settings, Fault> {
        let mut options = options.clone();
        let same_game = |name: &String| name.trim().eq_ignore_ascii_case(self.settings.edition.name());
        if options.rules.is_none() && !options.edition.as_ref().is_none_or(same_game) {
            options.rules = Some(String::new());
        }
        Settings::read(&options.over(&self.base))
    }

    /// Two hands dealt by the seed.
    fn start(settings: Settings) -> Result<(NamedDeal, Position), Fault> {
        let mut dealer = Dealer::new(settings.seed);
        let book = Book::built_in(settings.edition);
        let mut hand = || dealer.hand(book, 1..=10, Holder::Player).map_err(fault);
        let hands = [hand()?, hand()?];
        let cards = hands[0].each_ref().map(|card| card.card);
        let mut setup = Setup::new(settings.rules, cards, cards);
        if settings.rules.has(Rule::Elemental) {
            setup.elements = dealer.elements();
        }
        let game = NamedDeal::deal(setup, hands).map_err(|error| Fault::question("options.rules", error))?;
        let start = game.deal.start();
        Ok((game, start))
    }

    /// The position of a question before its moves.
    fn open(&self, place: PositionPart<'_>) -> Result<(NamedDeal, Position), Fault> {
        let settings = self.settings_for(place.options)?;
        match place.position {
            Some(text) => read_position(text, &self.named),
            None => Self::start(settings),
        }
    }

    /// The position of a question after its moves.
    fn read(&self, place: PositionPart<'_>) -> Result<(NamedDeal, Position), Fault> {
        let (game, mut position) = self.open(place)?;
        for (number, text) in place.moves.iter().enumerate() {
            let mv = read_move(&game, &position, text).map_err(in_moves(number))?;
            position = game.deal.play_unchecked(&position, mv);
        }
        Ok((game, position))
    }

    /// Solves a position that is already read.
    ///
    /// # Errors
    /// If luck decides the replays, or the control stops them.
    pub fn solve_position(
        &mut self,
        game: &NamedDeal,
        position: &Position,
        wanted: SolveWanted,
        control: &Control<'_>,
    ) -> Result<Analysis, Fault> {
        let (solver, isa) = (&mut self.solver, self.isa);
        with_progress(game, position, control, |inner| solve(solver, isa, game, position, wanted, inner))
    }

    /// Solves a deal. Uses the built-in cards if `book` is `None`.
    ///
    /// # Errors
    /// If the deal is wrong, or as for [`solve_position`](Self::solve_position).
    pub fn solve_deal(
        &mut self,
        question: &SolveDealQuestion,
        book: Option<&Book>,
        control: &Control<'_>,
    ) -> Result<Analysis, Fault> {
        let inside = |fault: Fault| Fault { field: format!("deal.{}", fault.field), ..fault };
        let read = |deal: &DealQuestion| deal.read(book).map_err(inside);
        let (game, position) = read(&question.deal)?;
        let wanted = SolveWanted::new(question.all_moves, question.line, question.replays);
        let blamed = if question.replays.is_some() { "replays" } else { "deal.rules" };
        self.solve_position(&game, &position, wanted, control).map_err(blame_replays(blamed))
    }
}

/// Moves a fault about replays to the field that asked for them.
fn blame_replays(field: &str) -> impl Fn(Fault) -> Fault {
    move |fault| if fault.field == "replays" { Fault { field: field.to_owned(), ..fault } } else { fault }
}

impl crate::Session for Session {
    fn game(&self) -> GameName {
        GameName::Triad
    }

    fn settings(&self) -> Vec<Setting> {
        let Settings { edition, rules, seed } = self.settings;
        vec![
            Setting::choice("edition", edition.name(), &Edition::ALL.map(Edition::name)),
            Setting::text("rules", rules.to_string()),
            Setting::seed(seed),
        ]
    }

    fn base(&self) -> &Options {
        &self.base
    }

    fn set_base(&mut self, options: &Options) -> Result<(), Fault> {
        self.settings = Settings::read(options)?;
        self.base = options.clone();
        Ok(())
    }

    fn play(&mut self, question: &PositionQuestion) -> Result<PlayAnswer, Fault> {
        let (game, mut position) = self.open(question.place())?;
        let start = position_text(&game, &position);
        let mut played = Vec::new();
        for (number, text) in question.moves.iter().enumerate() {
            let mv = read_move(&game, &position, text).map_err(in_moves(number))?;
            let explained = explained(&game, &position, mv);
            position = game.deal.play_unchecked(&position, mv);
            played.push(Played {
                mv: mv.to_string(),
                label: explained.mv,
                flips: explained.flips.into_iter().map(|flip| Flip { cell: flip.cell, cause: flip.cause }).collect(),
                position: position_text(&game, &position),
            });
        }
        Ok(PlayAnswer { start, played, view: view(&game, &position) })
    }

    fn analyse(&mut self, question: &AnalyseQuestion, control: &Control<'_>) -> Result<Analysis, Fault> {
        let (game, position) = self.read(question.place())?;
        let begun = control.elapsed();
        let lines = if question.lines.is_some_and(|lines| lines <= 1) { Lines::Best } else { Lines::All };
        let solver = &mut self.solver;
        let analyse = |inner: &Control<'_>| solver.analyse(&game.deal, &position, lines, inner);
        let mut found = with_progress(&game, &position, control, analyse);
        found.lines.truncate(question.lines.unwrap_or(usize::MAX).max(1));
        let seconds = control.elapsed().saturating_sub(begun).as_secs_f64();
        Ok(write(&game, &position, &found, seconds))
    }

    fn solve(&mut self, question: &SolveQuestion, control: &Control<'_>) -> Result<Analysis, Fault> {
        let (game, position) = self.read(question.place())?;
        let wanted = SolveWanted::new(question.all_moves, question.line, question.replays);
        let blamed = match (question.replays, &question.position) {
            (Some(_), _) => "replays",
            (None, Some(_)) => "position",
            (None, None) => "options.rules",
        };
        self.solve_position(&game, &position, wanted, control).map_err(blame_replays(blamed))
    }

    fn perft(&mut self, question: &PerftQuestion, control: &Control<'_>) -> Result<PerftAnswer, Fault> {
        let (game, position) = self.read(question.place())?;
        let counts: Vec<(Move, u64)> = perft(&game.deal, &position, question.depth, control)?;
        let leaves = if question.depth == 0 { 1 } else { counts.iter().map(|(_, leaves)| leaves).sum() };
        let moves = counts.into_iter().map(|(mv, leaves)| MoveLeaves { mv: mv.to_string(), leaves }).collect();
        Ok(PerftAnswer { position: position_text(&game, &position), depth: question.depth, leaves, moves })
    }
}
