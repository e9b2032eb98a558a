//! Triple Triad at the desk: open hands, solved exactly, one move after another so that it can be stopped.

use super::view::{BoardView, CardView, Flip, MoveView, Played, View};
use super::{Analysis, Desk, Fault, GameName, Line, Outcome, Request, Setting, choice, count, number};
use crate::triad::answer::{counters_text, tell};
use crate::triad::cards::{Book, Dealer, Hand, HandCard, Holder};
use crate::triad::request::{Match, read_rules};
use crate::triad::{Solver, expected};
use grid::simd::Isa;
use grid::{Cell, Game, Notation, Player};
use std::time::Instant;
use triad::{Deal, Edition, Move, Position, Rule, Rules, Setup};

const EDITIONS: [(&str, Edition); 2] = [("ff8", Edition::Ff8), ("ff14", Edition::Ff14)];

/// With more empty cells the mean over the cards that Chaos draws takes too long; the moves are then judged as if the
/// later cards were chosen.
const CHAOS_CELLS: usize = 6;

/// Triple Triad.
pub struct Triad {
    edition: Edition,
    rules: Rules,
    seed: u64,
    solver: Solver,
    /// Cards that go by their own names, whatever the lists call their sides.
    named: Vec<HandCard>,
}

impl Triad {
    /// The eighth game without further rules.
    #[must_use]
    pub fn new(isa: Isa) -> Self {
        Self {
            edition: Edition::Ff8,
            rules: Rules::preset(Edition::Ff8),
            seed: 1,
            solver: Solver::new(isa),
            named: Vec::new(),
        }
    }

    /// From now on calls cards with the sides of these by their names.
    pub fn name_by(&mut self, cards: &[HandCard]) {
        self.named = cards.to_vec();
    }

    /// What there is to see of a position.
    #[must_use]
    pub fn view(game: &Match, position: &Position) -> View {
        look(game, position)
    }

    /// A position with its deal and the names of its cards.
    fn read(&self, text: &str) -> Result<(Match, Position), Fault> {
        let text = text.trim();
        let (setup, position) = triad::notation::read(text).map_err(|fault| Fault::text("position", &fault, text))?;
        let deal = Deal::new(&setup).map_err(|fault| Fault::new("position", fault))?;
        Ok((Match::named(deal, &self.named), position))
    }
}

/// `3@4`, or a move as people write it: `a:Squall@4`.
fn read_move(game: &Match, position: &Position, text: &str) -> Result<Move, Fault> {
    let text = text.trim();
    if text.contains(':') {
        let legal = game.deal.moves(position);
        let mut named = legal.filter(|mv| game.move_text(*mv).eq_ignore_ascii_case(text));
        return named.next().ok_or_else(|| Fault::new("move", format_args!("`{text}` is not a legal move")));
    }
    game.deal.read_move(position, text).map_err(|fault| Fault::text("move", &fault, text))
}

fn is_chaotic(deal: &Deal) -> bool {
    let rules = deal.setup().rules;
    rules.is_chaotic(Player::First) || rules.is_chaotic(Player::Second)
}

/// What elements and the counters of types add to the sides of a card.
fn change(game: &Match, position: &Position, card: u8, cell: Option<Cell>) -> i8 {
    let setup = game.deal.setup();
    let own = setup.card(card.into());
    if let (Some(cell), true) = (cell, setup.rules.has(Rule::Elemental)) {
        return match setup.elements[cell.index()] {
            None => 0,
            Some(element) if own.element == Some(element) => 1,
            Some(_) => -1,
        };
    }
    let unit = i8::from(setup.rules.has(Rule::Ascension)) - i8::from(setup.rules.has(Rule::Descension));
    let lies = |cell: Cell| position.card_at(cell).map(|card| setup.card(card.into()).kind);
    match own.kind {
        Some(kind) if unit != 0 => unit * Cell::ALL.into_iter().filter(|c| lies(*c) == Some(Some(kind))).count() as i8,
        _ => 0,
    }
}

fn cards(game: &Match, position: &Position) -> Vec<CardView> {
    let setup = game.deal.setup();
    let playable = if position.free().is_empty() { 0 } else { game.deal.playable(position) };
    let view = |number: u8| {
        let card = setup.card(number.into());
        let cell = Cell::ALL.into_iter().find(|cell| position.card_at(*cell) == Some(number));
        let owner = match (cell, number < 5) {
            (Some(_), _) => position.owner(number),
            (None, true) => Player::First,
            (None, false) => Player::Second,
        };
        CardView {
            name: game.names[usize::from(number)].clone(),
            sides: card.sides,
            change: change(game, position, number, cell),
            kind: card.element.map(|element| element.name()).or(card.kind.map(|kind| kind.name())),
            grade: game.cards[usize::from(number)].known.as_ref().map(|known| known.grade),
            owner: View::number(owner),
            laid: cell.is_some(),
            playable: playable >> number & 1 != 0,
        }
    };
    (0..10).map(view).collect()
}

/// The line of one move, its value known.
fn line(game: &Match, mv: Move, cards_of_a: f64, mover: Player, exact: bool) -> Line {
    let margin = (2.0 * cards_of_a - 10.0) * f64::from(mover.sign());
    let whole = exact && margin.fract() == 0.0 && !is_chaotic(&game.deal);
    let outcome = whole.then(|| Outcome::of(margin as i32));
    Line {
        mv: mv.to_string(),
        label: game.move_text(mv),
        outcome,
        exact,
        // Won by more is better, but any win is nearer to the best than any draw.
        score: outcome.map_or(margin / 10.0, Outcome::score),
        margin: Some(margin),
        line: vec![mv.to_string()],
    }
}

/// Best first: by the margin, which says more than who wins.
fn in_order(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| b.margin.unwrap_or(0.0).total_cmp(&a.margin.unwrap_or(0.0)));
    lines
}

fn look(game: &Match, position: &Position) -> View {
    let setup = game.deal.setup();
    let mover = game.deal.turn(position);
    let over = position.free().is_empty();
    let score = position.score();
    let status = match score {
        _ if !over => {
            let counted = counters_text(game, position).map_or(String::new(), |counted| format!("; {counted}"));
            format!("{} to move, {score} to {}{counted}", ["a", "b"][mover as usize], 10 - score)
        }
        5 => "drawn, 5 to 5".to_owned(),
        6.. => format!("a has won, {score} to {}", 10 - score),
        _ => format!("b has won, {} to {score}", 10 - score),
    };
    let move_view = |mv: Move| MoveView {
        mv: mv.to_string(),
        label: game.move_text(mv),
        cell: mv.cell().index(),
        card: Some(mv.card()),
        captures: Vec::new(),
    };
    let names = setup.rules.to_string();
    View {
        position: game.position_text(position),
        fen: None,
        mover: View::number(mover),
        players: ["a", "b"],
        ply: 9 - position.free().len() as u32,
        moves: game.deal.moves(position).map(move_view).collect(),
        result: over.then(|| (score as i32 - 5).signum()),
        status,
        board: BoardView::Triad {
            edition: setup.rules.edition().name(),
            rules: names.split(',').filter(|name| *name != "-").map(str::to_owned).collect(),
            elements: setup.elements.map(|element| element.map(|element| element.name())),
            cells: Cell::ALL.map(|cell| position.card_at(cell)),
            cards: cards(game, position),
            score,
        },
    }
}

impl Desk for Triad {
    fn game(&self) -> GameName {
        GameName::Triad
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::choice("edition", self.edition.name(), &EDITIONS.map(|(name, _)| name)),
            Setting { name: "rules", value: self.rules.to_string(), kind: super::SettingKind::Text },
            Setting::number("seed", self.seed, 0, u64::MAX),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match name {
            "edition" => {
                self.edition = choice("edition", value, &EDITIONS)?;
                self.rules = Rules::preset(self.edition);
            }
            "rules" => {
                let names: Vec<String> = value.split(',').map(str::to_owned).collect();
                self.rules = read_rules(&names, self.edition).map_err(|fault| Fault::new("rules", fault))?;
            }
            "seed" => self.seed = number("seed", value, 0, u64::MAX)?,
            _ => return Err(Fault::new("option", format_args!("no option is called `{name}`: edition, rules, seed"))),
        }
        Ok(())
    }

    /// Two hands dealt by the seed, under the rules that are set.
    fn start(&self) -> Result<String, Fault> {
        let mut dealer = Dealer::new(self.seed);
        let book = Book::built_in(self.edition);
        let mut hand = || dealer.hand(book, 1..=10, Holder::Player).map_err(Fault::run);
        let hands: [Hand; 2] = [hand()?, hand()?];
        let mut setup = Setup::new(
            self.rules,
            hands[0].each_ref().map(|card| card.card),
            hands[1].each_ref().map(|card| card.card),
        );
        if self.rules.has(Rule::Elemental) {
            setup.elements = dealer.elements();
        }
        let deal = Deal::new(&setup).map_err(|fault| Fault::new("rules", fault))?;
        let start = deal.start();
        Ok(Match::unnamed(deal).position_text(&start))
    }

    fn look(&self, position: &str) -> Result<View, Fault> {
        let (game, position) = self.read(position)?;
        Ok(look(&game, &position))
    }

    fn play(&self, position: &str, mv: &str) -> Result<Played, Fault> {
        let (game, position) = self.read(position)?;
        let mv = read_move(&game, &position, mv)?;
        let told = tell(&game, &position, mv);
        Ok(Played {
            mv: mv.to_string(),
            label: told.mv,
            flips: told.flips.into_iter().map(|flip| Flip { cell: flip.cell, cause: flip.cause }).collect(),
            position: game.position_text(&game.deal.play_unchecked(&position, mv)),
        })
    }

    fn analyse(
        &mut self,
        position: &str,
        request: &Request,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, Fault> {
        let start = Instant::now();
        let before = self.solver.nodes();
        let (game, position) = self.read(position)?;
        let deal = &game.deal;
        let text = game.position_text(&position);
        let mover = deal.turn(&position);
        if position.free().is_empty() {
            let margin = 2 * position.score() as i32 - 10;
            let for_mover = f64::from(margin * mover.sign());
            return Ok(Analysis::over(text, margin, mover, Some(for_mover)));
        }
        let chance = is_chaotic(deal);
        let exact = !chance || position.free().len() <= CHAOS_CELLS;
        let mut lines: Vec<Line> = Vec::new();
        let budget = request.budget();
        for mv in deal.moves(&position) {
            // The first move is valued in any case: there must be an answer.
            let spent = || budget.time.is_some_and(|time| start.elapsed() >= time);
            let paid = |nodes: u64| budget.nodes.is_some_and(|most| nodes >= most);
            if !lines.is_empty() && (request.is_cancelled() || spent() || paid(self.solver.nodes() - before)) {
                break;
            }
            let after = deal.play_unchecked(&position, mv);
            let value =
                if chance && exact { expected(deal, &after) } else { f64::from(self.solver.value(deal, &after)) };
            lines.push(line(&game, mv, value, mover, exact));
            let so_far = Analysis { exact: false, ..Analysis::in_order(text.clone(), in_order(lines.clone())) };
            progress(&so_far);
        }
        let complete = lines.len() == deal.moves(&position).len();
        let mut lines = in_order(lines);
        if let Some(first) = lines.first_mut().filter(|_| complete && !chance) {
            first.line = self.solver.solve(deal, &position).line.iter().map(Move::to_string).collect();
            // Of several best moves the line may begin with another: it then leads the list.
            let leader = first.line.first().cloned();
            let line = std::mem::take(&mut first.line);
            first.line = vec![first.mv.clone()];
            if let Some(at) = lines.iter().position(|line| Some(&line.mv) == leader.as_ref()) {
                lines[..=at].rotate_right(1);
                lines[0].line = line;
            }
        }
        if let Some(wanted) = request.lines {
            lines.truncate(wanted.max(1));
        }
        let analysis = Analysis::in_order(text, lines);
        let analysis = Analysis {
            exact: complete && exact,
            outcome: analysis.outcome.filter(|_| complete),
            nodes: self.solver.nodes() - before,
            seconds: start.elapsed().as_secs_f64(),
            ..analysis
        };
        progress(&analysis);
        Ok(analysis)
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, Fault> {
        let (game, position) = self.read(position)?;
        Ok(count(&game.deal, &position, depth))
    }
}
