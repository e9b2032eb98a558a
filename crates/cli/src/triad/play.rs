//! `triad play`: a game in the terminal against the exact engine, with open hands.

use super::{DealArguments, board, book};
use crate::failure::Failure;
use crate::output::Output;
use engine::triad::answer::{self, result_word};
use engine::triad::cards::{Book, CardRef, Collection, Dealer, Hand, HandCard, Holder, NpcBook};
use engine::triad::request::{Match, MoveText, player_letter, read_edition, read_player, read_rules};
use engine::triad::rules::{Deal, Edition, Element, Move, Position, Rule, Rules};
use engine::triad::trade::{Settlement, Trade, npc_choice};
use engine::triad::{RequestError, Solver};
use grid::{Game, Player};
use std::io::{BufRead, Lines, StdinLock};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "In the game: `0 4` or `Squall@4` lays a card on a cell; hint, undo, help, quit.

Examples:
  ninefold triad play --seed 7
  ninefold triad play --rules same,plus,elemental --level 5 --trade diff
  ninefold triad play --hand-a 'Squall,Ifrit,Shiva,Zell,#12' --hand-b '8A32,7777,1A1A,Rinoa,Seifer'
  ninefold triad play --game ff14 --npc Baderon --owned mine.csv";

/// What `play` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    deal: DealArguments,
    /// Which player you are
    #[arg(long, default_value = "a")]
    you: String,
    /// The seed of all that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The highest level (or stars) of cards dealt at random
    #[arg(long, default_value_t = 10)]
    level: u8,
    /// Deal your hand from the cards you own
    #[arg(long)]
    owned: Option<PathBuf>,
    /// Play against the hand and the rules of an opponent of ff14
    #[arg(long)]
    npc: Option<String>,
    /// What the winner takes, in ff8: none, one, diff, direct or all
    #[arg(long, default_value = "none")]
    trade: String,
}

/// How often a drawn game is played again under Sudden Death in ff14; ff8 knows no limit.
const MOST_REPLAYS: usize = 5;

/// A game before its first card.
struct Table {
    rules: Rules,
    hands: [Hand; 2],
    elements: [Option<Element>; 9],
    first: Player,
}

impl Table {
    fn game(&self) -> Result<Match, Failure> {
        let cards: Vec<HandCard> = self.hands.iter().flatten().cloned().collect();
        let cards: [HandCard; 10] = cards.try_into().map_err(|_| Failure::Usage("ten cards".to_owned()))?;
        let setup = engine::triad::rules::Setup {
            rules: self.rules,
            elements: self.elements,
            hands: self.hands.each_ref().map(|hand| hand.each_ref().map(|card| card.card)),
            first: self.first,
        };
        Ok(Match::new(Deal::new(&setup).map_err(|fault| Failure::Usage(fault.to_string()))?, cards))
    }
}

fn usage(fault: impl std::fmt::Display) -> Failure {
    Failure::Usage(fault.to_string())
}

fn deal(arguments: &Arguments, you: Player, dealer: &mut Dealer, output: &mut Output) -> Result<Table, Failure> {
    let told = &arguments.deal;
    let edition = read_edition(if arguments.npc.is_some() { "ff14" } else { &told.game })?;
    let book = book(edition.name(), told.cards.as_ref())?;
    if book.edition() != edition {
        return Err(usage(format_args!("the game is {edition}, but the cards are those of {}", book.edition())));
    }
    let mut rules = read_rules(&told.rules.split(',').map(str::to_owned).collect::<Vec<_>>(), edition)?;
    if rules.has(Rule::Draft) {
        return Err(usage("play does not offer cards for draft: give the hands"));
    }
    let npc = match &arguments.npc {
        None => None,
        Some(name) => Some(NpcBook::built_in().npc(name).ok_or_else(|| {
            let nearest = NpcBook::built_in().nearest_names(name).join(", ");
            usage(format_args!("no opponent is called \"{name}\"; nearest: {nearest}"))
        })?),
    };
    for name in npc.iter().flat_map(|npc| &npc.rules) {
        rules = rules.apply(name).map_err(usage)?;
    }
    if rules.has(Rule::Roulette)
        && let Some(name) = dealer.roulette(&mut rules)
    {
        output.line(format_args!("roulette: {name}"))?;
    }
    let owned = arguments.owned.as_ref().map(|path| Collection::load(path, &book)).transpose()?;
    let mut hand = |player: Player, text: &Option<String>| -> Result<Hand, Failure> {
        let name = player_letter(player);
        let holder = if player == you { Holder::Player } else { Holder::Npc };
        match (text, npc) {
            (Some(text), _) => read(&book, text, holder, name),
            (None, Some(npc)) if player != you => {
                dealer.npc_hand(&book, npc).ok_or_else(|| usage("the cards of the opponent are not in this list"))
            }
            (None, _) => match owned.as_ref().filter(|_| player == you) {
                Some(owned) => dealer.owned(edition, owned).map_err(usage),
                None => dealer.hand(&book, 1..=arguments.level, Holder::Player).map_err(usage),
            },
        }
    };
    let mut hands = [hand(Player::First, &told.hand_a)?, hand(Player::Second, &told.hand_b)?];
    if let Some(owned) = &owned {
        owned.check(&hands[usize::from(you == Player::Second)]).map_err(usage)?;
    }
    if rules.has(Rule::Swap) {
        let [of_a, of_b] = dealer.swap(&mut hands);
        let (to_b, to_a) = (hands[1][of_b].name(), hands[0][of_a].name());
        output.line(format_args!("swap: a gives {to_b}, b gives {to_a}"))?;
    }
    let elements = match &told.elements {
        Some(text) => super::elements_of(text)?,
        None if rules.has(Rule::Elemental) => dealer.elements(),
        None => [None; 9],
    };
    Ok(Table { rules, hands, elements, first: read_player(&told.first)? })
}

fn read(book: &Book, text: &str, holder: Holder, name: char) -> Result<Hand, Failure> {
    engine::triad::cards::read_hand(book, text, holder).map_err(|fault| usage(format_args!("hand {name}: {fault}")))
}

/// Plays until the board is full or the input ends.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let you = read_player(&arguments.you)?;
    let trade = Trade::from_name(&arguments.trade);
    let trade = trade.ok_or_else(|| usage("--trade is none, one, diff, direct or all"))?;
    let mut dealer = Dealer::new(arguments.seed);
    let mut output = Output::new();
    let mut table = deal(arguments, you, &mut dealer, &mut output)?;
    if trade != Trade::None && table.rules.edition() == Edition::Ff14 {
        return Err(usage("ff14 has no trade rules"));
    }
    let game = table.game()?;
    let mut lines = std::io::stdin().lock().lines();
    output.line(format_args!(
        "rules {}, seed {}; you are {}; help tells how to play",
        table.rules,
        arguments.seed,
        player_letter(you)
    ))?;
    let start = game.after(&super::moves(&arguments.deal.moves)?)?;
    let mut round = Round { game, positions: vec![start], solver: Solver::default(), you };
    let mut replays = 0;
    loop {
        if !round.play(&mut dealer, &mut output, &mut lines)? {
            return Ok(());
        }
        let position = round.position();
        let score = position.score();
        output.line(format_args!("a owns {score}, b owns {}: {} for a", 10 - score, result_word(score)))?;
        let is_last = table.rules.edition() == Edition::Ff14 && replays == MOST_REPLAYS;
        if score != 5 || !table.rules.has(Rule::SuddenDeath) || is_last {
            return settle(&mut output, &round.game, trade, position, you);
        }
        replays += 1;
        output.line(format_args!("sudden death, game {}: everybody plays the cards he owns", replays + 1))?;
        let cards = |own: bool| (0..10u8).filter(move |card| (position.owner(*card) == Player::First) == own);
        let hand =
            |own| -> Vec<HandCard> { cards(own).map(|card| round.game.cards[usize::from(card)].clone()).collect() };
        let (Ok(a), Ok(b)) = (Hand::try_from(hand(true)), Hand::try_from(hand(false))) else { return Ok(()) };
        table.hands = [a, b];
        table.first = table.first.other();
        if table.rules.has(Rule::Elemental) {
            table.elements = dealer.elements();
        }
        round.game = table.game()?;
        round.positions = vec![round.game.deal.start()];
    }
}

/// Tells which cards change hands.
fn settle(output: &mut Output, game: &Match, trade: Trade, position: Position, you: Player) -> Result<(), Failure> {
    let names =
        |cards: &[u8]| cards.iter().map(|card| game.names[usize::from(*card)].clone()).collect::<Vec<_>>().join(", ");
    let goes = |output: &mut Output, cards: &[u8], to: char| match cards {
        [] => Ok(()),
        cards => output.line(format_args!("trade {}: {to} takes {}", trade.name(), names(cards))),
    };
    match trade.settle(position.own()) {
        Settlement::Fixed { to_a, to_b } => {
            goes(output, &to_a, 'a')?;
            goes(output, &to_b, 'b')
        }
        Settlement::Choice { winner, count, among } if winner == you => {
            output.line(format_args!("trade {}: you take {count} of {}", trade.name(), names(&among)))
        }
        Settlement::Choice { winner, count, among } => {
            let power = |card: u8| game.cards[usize::from(card)].known.as_ref().map_or(0, |known| known.power);
            goes(output, &npc_choice(among, count, power), player_letter(winner))
        }
    }
}

/// One game, with all its positions so far.
struct Round {
    game: Match,
    positions: Vec<Position>,
    solver: Solver,
    you: Player,
}

const HELP: &str =
    "card cell, as in `0 4` or `Squall@4`: lay a card of your hand, by place or name, on a cell from 0 to 8
hint: the best moves and what they lead to; undo: take your last move back; quit: end the game";

impl Round {
    fn position(&self) -> Position {
        self.positions.last().copied().unwrap_or(self.game.deal.start())
    }

    /// Plays to the end of the board; false if somebody left before.
    fn play(
        &mut self,
        dealer: &mut Dealer,
        output: &mut Output,
        lines: &mut Lines<StdinLock<'_>>,
    ) -> Result<bool, Failure> {
        while !self.game.deal.is_over(&self.position()) {
            let mover = self.game.deal.turn(&self.position());
            if self.game.deal.setup().rules.is_chaotic(mover)
                && self.position().drawn().is_none()
                && let Some(card) = dealer.draw(self.game.deal.hand(&self.position(), mover))
                && let Some(drawn) = self.game.deal.draw(&self.position(), card)
                && let Some(last) = self.positions.last_mut()
            {
                *last = drawn;
                output.line(format_args!(
                    "chaos: {} must play {}",
                    player_letter(mover),
                    self.game.names[usize::from(card)]
                ))?;
            }
            let mv = if mover == self.you {
                self.show(output)?;
                match self.ask(output, lines)? {
                    Some(mv) => mv,
                    None => return Ok(false),
                }
            } else {
                let Some(mv) = self.best()?.first().copied() else { return Ok(false) };
                mv
            };
            let position = self.position();
            let told = answer::tell(&self.game, &position, mv);
            output.line(format_args!("{}", told.mv))?;
            for flip in told.flips {
                output.line(format_args!("  takes {} at {}: {}", flip.card, flip.cell, flip.cause))?;
            }
            self.positions.push(self.game.deal.play_unchecked(&position, mv));
        }
        self.show(output)?;
        Ok(true)
    }

    fn show(&self, output: &mut Output) -> Result<(), Failure> {
        let position = self.position();
        output.line(board::board(&self.game, &position))?;
        output.line(board::hand(&self.game, &position, Player::First))?;
        output.line(board::hand(&self.game, &position, Player::Second))
    }

    fn best(&mut self) -> Result<Vec<Move>, Failure> {
        let position = self.position();
        Ok(self.solver.solve(&self.game.deal, &position).best().collect())
    }

    /// Asks until there is a move; `None` when the player leaves.
    fn ask(&mut self, output: &mut Output, lines: &mut Lines<StdinLock<'_>>) -> Result<Option<Move>, Failure> {
        loop {
            output.line(format_args!("your move, {}:", player_letter(self.you)))?;
            let Some(line) = lines.next() else {
                output.line("no more input: the game ends here")?;
                return Ok(None);
            };
            match line?.trim() {
                "" => {}
                "quit" | "q" => return Ok(None),
                "help" => output.line(HELP)?,
                "undo" => {
                    let mine = |position: &Position| self.game.deal.turn(position) == self.you;
                    let before = self.positions[..self.positions.len() - 1].iter().rposition(mine);
                    match before {
                        Some(before) => {
                            self.positions.truncate(before + 1);
                            self.show(output)?;
                        }
                        None => output.line("there is no move of yours to take back")?,
                    }
                }
                "hint" => {
                    let position = self.position();
                    let solution = self.solver.solve(&self.game.deal, &position);
                    let best: Vec<String> = solution.best().map(|mv| self.game.move_text(mv)).collect();
                    let rules = self.game.deal.setup().rules;
                    let is_chance = rules.is_chaotic(Player::First) || rules.is_chaotic(Player::Second);
                    let sure = if is_chance { "if all later cards were chosen and not drawn, " } else { "" };
                    output.line(format_args!(
                        "{sure}a owns {} in the end; best: {}",
                        solution.value,
                        best.join("  ")
                    ))?;
                }
                text => match self.read(text) {
                    Ok(mv) => return Ok(Some(mv)),
                    Err(fault) => output.line(fault)?,
                },
            }
        }
    }

    /// `card cell` or `card@cell`, the card by its place in the hand or its name.
    fn read(&self, text: &str) -> Result<Move, RequestError> {
        let form =
            || RequestError(format!("\"{text}\" is not a card and a cell, as in 0 4 or Squall@4; help tells more"));
        let (card, cell) = text.rsplit_once(['@', ' ']).ok_or_else(form)?;
        let card = card.trim().trim_end_matches('@').trim();
        let cell = cell.trim().parse().map_err(|_| form())?;
        let place = card.parse().ok().filter(|place| card.len() == 1 && *place < 5);
        let card = place.map_or_else(|| CardRef::Text(card.to_owned()), CardRef::Number);
        self.game.read_move(&self.position(), &MoveText { player: player_letter(self.you).to_string(), card, cell })
    }
}
