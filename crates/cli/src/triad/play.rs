//! `triad play`: what happens around the moves: the deal, luck between moves, Sudden Death, and the trade at the end.

use super::{DealArguments, book};
use crate::failure::Failure;
use crate::input::Lines;
use crate::output::Output;
use crate::play::event::Event;
use crate::play::{Aftermath, Choice, Dealt, Humans, Options, Start, Table};
use api::triad::card_lists::{Book, Collection, Dealer, Hand, HandCard, Holder, NpcBook, read_hand};
use api::triad::trade::{Settlement, Trade, npc_choice};
use api::triad::{
    CardRef, Deal, Edition, HAND, MoveText, NamedDeal, Position, Rule, Rules, Session, Setup, player_letter,
    position_text, read_edition, read_player, read_position, read_rules,
};
use api::{GameName, Limits, View};
use grid::Player;
use grid::simd::Isa;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str =
    "In the game: arrows or the mouse, Tab or 1 to 5 for the card, ? for all keys; without a terminal, `1 4` or
`Squall@4` plays a card on a cell, and help lists the rest.

Examples:
  ninefold triad play --seed 7
  ninefold triad play --rules same,plus,elemental --card-level 5 --trade diff --level 6
  ninefold triad play --hand-a 'Squall,Ifrit,Shiva,Zell,#12' --hand-b '8A32,7777,1A1A,Rinoa,Seifer'
  ninefold triad play --edition ff14 --npc Baderon --owned mine.csv";

/// Arguments that describe the deal.
#[derive(clap::Args, Clone)]
struct Deals {
    #[command(flatten)]
    deal: DealArguments,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Highest level (or stars) of randomly dealt cards
    #[arg(long, default_value_t = 10)]
    card_level: u8,
    /// Deal your hand from the cards you own
    #[arg(long)]
    owned: Option<PathBuf>,
    /// Play against an opponent of ff14, with its hand and rules
    #[arg(long)]
    npc: Option<String>,
    /// Trade rule of ff8: none, one, diff, direct or all
    #[arg(long, default_value = "none")]
    trade: String,
}

/// Arguments of `play`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    deals: Deals,
    #[command(flatten)]
    options: Options,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Maximum number of replays under Sudden Death in ff14; ff8 has no limit.
const MOST_REPLAYS: u32 = 5;

fn usage(fault: impl std::fmt::Display) -> Failure {
    Failure::Usage(fault.to_string())
}

/// The deal, with notes on what was random.
fn deal(arguments: &Deals, you: Player, dealer: &mut Dealer) -> Result<(NamedDeal, Vec<String>), Failure> {
    let mut notes = Vec::new();
    let given = &arguments.deal;
    let edition = read_edition(if arguments.npc.is_some() { "ff14" } else { &given.game })?;
    let book = book(edition.name(), given.cards.as_ref())?;
    if book.edition() != edition {
        return Err(usage(format_args!("the game is {edition}, but the cards are those of {}", book.edition())));
    }
    let mut rules = read_rules(&given.rules.split(',').map(str::to_owned).collect::<Vec<_>>(), edition)?;
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
        notes.push(format!("roulette: {name}"));
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
            (None, _) if rules.has(Rule::Draft) => dealer.drafted(&book, 1..=arguments.card_level, &[]).map_err(usage),
            (None, _) => match owned.as_ref().filter(|_| player == you) {
                Some(owned) => dealer.owned(edition, owned).map_err(usage),
                None => dealer.hand(&book, 1..=arguments.card_level, Holder::Player).map_err(usage),
            },
        }
    };
    let mut hands = [hand(Player::First, &given.hand_a)?, hand(Player::Second, &given.hand_b)?];
    if let Some(owned) = owned.as_ref().filter(|_| !rules.has(Rule::Draft)) {
        owned.check(&hands[usize::from(you == Player::Second)]).map_err(usage)?;
    }
    if rules.has(Rule::Swap) {
        let [of_a, of_b] = dealer.swap(&mut hands);
        let (to_b, to_a) = (hands[1][of_b].name(), hands[0][of_a].name());
        notes.push(format!("swap: A gives {to_b}, B gives {to_a}"));
    }
    let elements = match &given.elements {
        Some(text) => super::elements_of(text)?,
        None if rules.has(Rule::Elemental) => dealer.elements(),
        None => [None; 9],
    };
    let setup = Setup {
        rules,
        elements,
        hands: hands.each_ref().map(|hand| hand.each_ref().map(|card| card.card)),
        first: read_player(&given.first)?,
    };
    Ok((NamedDeal::deal(setup, hands)?, notes))
}

fn read(book: &Book, text: &str, holder: Holder, name: char) -> Result<Hand, Failure> {
    read_hand(book, text, holder).map_err(|fault| usage(format_args!("hand {name}: {fault}")))
}

/// The table of Triple Triad.
struct Cards {
    deals: Deals,
    you: Player,
    trade: Trade,
    dealer: Dealer,
    session: Session,
    rules: Rules,
    /// The ten cards of the match, used to name the cards of positions.
    cards: Vec<HandCard>,
    /// Number of games started.
    begun: u64,
}

impl Cards {
    /// Reads a position, with its deal and the names of its cards.
    fn read(&self, text: &str) -> Option<(NamedDeal, Position)> {
        read_position(text, &self.cards).ok()
    }
}

impl Table for Cards {
    fn session(&mut self) -> &mut dyn api::Session {
        &mut self.session
    }

    fn title(&self) -> String {
        let rules = self.rules.to_string();
        let rules = if rules == "-" { "no special rules".to_owned() } else { rules.replace(',', ", ") };
        let seed = match self.begun {
            0 => String::new(),
            begun => format!(" · seed {}", self.deals.seed.wrapping_add(begun - 1)),
        };
        format!("Triple Triad {} · {rules}{seed}", self.rules.edition())
    }

    /// Each new game uses the next seed.
    fn begin(&mut self) -> Result<Dealt, Failure> {
        self.dealer = Dealer::new(self.deals.seed.wrapping_add(self.begun));
        self.begun += 1;
        let (game, notes) = deal(&self.deals, self.you, &mut self.dealer)?;
        self.rules = game.deal.setup().rules;
        if self.trade != Trade::None && self.rules.edition() == Edition::Ff14 {
            return Err(usage("ff14 has no trade rules"));
        }
        self.cards = game.cards.to_vec();
        self.session.name_by(&self.cards);
        let mut position = grid::Game::start(&game.deal);
        for (number, mv) in super::moves(&self.deals.deal.moves)?.iter().enumerate() {
            let mv = mv.read(&game, &position).map_err(|error| usage(format_args!("move {}: {error}", number + 1)))?;
            position = grid::Game::play_unchecked(&game.deal, &position, mv);
        }
        Ok(Dealt { position: position_text(&game, &position), notes })
    }

    fn cards(&self) -> Vec<u16> {
        self.cards.iter().filter_map(|card| card.known.as_ref()).map(|known| known.id).collect()
    }

    /// A number that is not in the list only loses its name.
    fn resume(&mut self, position: &str, cards: &[u16]) -> Result<(), Failure> {
        let edition = read_position(position, &[])?.0.deal.setup().rules.edition();
        let book = book(edition.name(), self.deals.deal.cards.as_ref())?;
        let named: Vec<HandCard> = cards.iter().filter_map(|id| book.numbered(*id).ok()).collect();
        let (game, _) = read_position(position, &named)?;
        self.rules = game.deal.setup().rules;
        self.cards = game.cards.to_vec();
        self.session.name_by(&self.cards);
        Ok(())
    }

    /// Under Chaos, draws the card that must be played.
    fn luck(&mut self, position: &str) -> Option<Dealt> {
        let (game, position) = self.read(position)?;
        let mover = game.deal.turn(&position);
        let over = position.free().is_empty();
        if over || !game.deal.setup().rules.is_chaotic(mover) || position.drawn().is_some() {
            return None;
        }
        let card = self.dealer.draw(game.deal.hand(&position, mover))?;
        let drawn = game.deal.draw(&position, card)?;
        let note =
            format!("chaos: {} must play {}", player_letter(mover).to_ascii_uppercase(), game.names[usize::from(card)]);
        Some(Dealt { position: position_text(&game, &drawn), notes: vec![note] })
    }

    /// After a draw under Sudden Death, each player plays the cards he owns. Otherwise cards are traded.
    fn after(&mut self, position: &str, round: u32, humans: Humans) -> Aftermath {
        let Some((game, position)) = self.read(position) else { return Aftermath::default() };
        let setup = game.deal.setup();
        let is_last = setup.rules.edition() == Edition::Ff14 && round == MOST_REPLAYS;
        if position.score() != 5 || !setup.rules.has(Rule::SuddenDeath) || is_last {
            return settle(&game, self.trade, position, humans);
        }
        let owned = |player: Player| {
            let cards = (0..10u8).filter(|card| position.owner(*card) == player);
            let cards: Vec<_> = cards.map(|card| setup.card(card.into())).collect();
            cards.try_into().ok()
        };
        let (Some(a), Some(b)) = (owned(Player::First), owned(Player::Second)) else { return Aftermath::default() };
        let mut again = Setup { hands: [a, b], first: setup.first.other(), ..*setup };
        if setup.rules.has(Rule::Elemental) {
            again.elements = self.dealer.elements();
        }
        let Ok(deal) = Deal::new(&again) else { return Aftermath::default() };
        let start = grid::Game::start(&deal);
        let position = position_text(&NamedDeal::named_by(deal, &self.cards), &start);
        let note = format!("sudden death, game {}: each player plays the cards he owns", round + 2);
        Aftermath { next: Some(Dealt { position, notes: vec![note] }), ..Aftermath::default() }
    }

    /// Reads `card cell` or `card@cell`, the card by its place in the hand (from 1) or by name. Also reads
    /// `a:Squall@4`.
    fn read_move(&self, view: &View, text: &str) -> Result<String, String> {
        if view.moves.iter().any(|mv| mv.label.eq_ignore_ascii_case(text)) {
            return Ok(text.to_owned());
        }
        let form = || format!("\"{text}\" is not a card and a cell, as in 1 4 or Squall@4; see help");
        let (card, cell) = text.rsplit_once(['@', ' ']).ok_or_else(form)?;
        let card = card.trim().trim_end_matches('@').trim();
        let cell = cell.trim().parse().map_err(|_| form())?;
        let player = view.players[view.mover as usize - 1].to_owned();
        let prefixes = [format!("{player}:"), format!("{}:", player.to_uppercase())];
        let card = prefixes.iter().find_map(|prefix| card.strip_prefix(prefix)).unwrap_or(card);
        let place = card.parse::<u16>().ok().filter(|place| (1..=5).contains(place));
        let card = place.map_or_else(|| CardRef::Text(card.to_owned()), |place| CardRef::Number(place - 1));
        let (game, position) = self.read(&view.position).ok_or_else(form)?;
        let mv = MoveText::new(&player, card, cell).read(&game, &position);
        mv.map(|mv| mv.to_string()).map_err(|fault| fault.to_string())
    }

    fn how_to_move(&self) -> &'static str {
        "card cell, as in `1 4` or `Squall@4`: plays a card of your hand, by place or name, on a cell from 0 to 8"
    }
}

/// The trade. If a person wins a choice of cards, he makes it.
fn settle(game: &NamedDeal, trade: Trade, position: Position, humans: Humans) -> Aftermath {
    let name = |card: &u8| game.cards[usize::from(*card)].name();
    let takes = |to: Player| format!("trade {}: {} takes", trade.name(), player_letter(to).to_ascii_uppercase());
    let goes = |cards: &[u8], to: Player| {
        let names = cards.iter().map(name).collect::<Vec<_>>().join(", ");
        (!cards.is_empty()).then(|| format!("{} {names}", takes(to)))
    };
    let (notes, choice) = match trade.settle(position.own()) {
        Settlement::Fixed { to_a, to_b } => {
            ([goes(&to_a, Player::First), goes(&to_b, Player::Second)].into_iter().flatten().collect(), None)
        }
        Settlement::Choice { winner, count, among } if humans.plays(winner as u32 + 1) => {
            let among = among.iter().map(name).collect();
            (Vec::new(), Some(Choice { verb: takes(winner), among, count }))
        }
        Settlement::Choice { winner, count, among } => {
            let power = |card: u8| game.cards[usize::from(card)].known.as_ref().map_or(0, |known| known.power);
            (goes(&npc_choice(among, count, power), winner).into_iter().collect(), None)
        }
    };
    Aftermath { notes, next: None, choice }
}

/// The draft before the first game. People choose their cards, one of three at a time, and keep them for later games.
/// Returns false if the user quits.
fn draft(deals: &mut Deals, humans: Humans, json: bool) -> Result<bool, Failure> {
    let given = &deals.deal;
    let edition = read_edition(if deals.npc.is_some() { "ff14" } else { &given.game })?;
    let rules = read_rules(&given.rules.split(',').map(str::to_owned).collect::<Vec<_>>(), edition)?;
    if !rules.has(Rule::Draft) {
        return Ok(true);
    }
    let book = book(edition.name(), given.cards.as_ref())?;
    // Not the seed of the deal, or the opponent would be offered the same cards.
    let mut dealer = Dealer::new(grid::mix(deals.seed));
    let mut output = Output::new();
    let mut say = |event: &Event<'_>, text: &str| if json { output.json(event) } else { output.line(text) };
    for player in [Player::First, Player::Second] {
        let hand = if player == Player::First { &mut deals.deal.hand_a } else { &mut deals.deal.hand_b };
        if hand.is_some() || !humans.plays(player as u32 + 1) {
            continue;
        }
        let mut taken: Vec<HandCard> = Vec::new();
        while taken.len() < HAND {
            let offer = dealer.offer(&book, 1..=deals.card_level, &taken).map_err(usage)?;
            let (letter, number) = (player_letter(player).to_ascii_uppercase(), taken.len() + 1);
            let cards = offer.iter().enumerate().map(|(at, card)| format!("{} {} {}", at + 1, card.name(), card.card));
            let cards = cards.collect::<Vec<_>>().join("   ");
            let before = taken.len();
            while taken.len() == before {
                let text = format!("draft, {letter}, card {number} of {HAND}:  {cards}");
                say(&Event::Note { text: &text }, &text)?;
                let Some(line) = Lines::default().next()? else {
                    return Err(Failure::Run("no more input: the draft is not finished".to_owned()));
                };
                if ["quit", "exit", "q"].contains(&line.trim()) {
                    return Ok(false);
                }
                let number = line.trim().parse::<usize>().unwrap_or_default();
                match offer.get(number.wrapping_sub(1)) {
                    Some(card) => taken.push(card.clone()),
                    None => {
                        let text = format!("take one by its number, 1 to {}", offer.len());
                        say(&Event::Refused { text: &text }, &text)?;
                    }
                }
            }
        }
        let numbers = taken.iter().filter_map(|card| card.known.as_ref()).map(|known| format!("#{}", known.id));
        *hand = Some(numbers.collect::<Vec<_>>().join(","));
    }
    Ok(true)
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut deals = arguments.deals.clone();
    let trade = Trade::from_name(&deals.trade);
    let trade = trade.ok_or_else(|| usage("--trade is none, one, diff, direct or all"))?;
    let isa = Isa::detect();
    let loaded = arguments.options.load(GameName::Triad)?;
    let humans = arguments.options.humans(["A", "B"], loaded.as_ref())?;
    if loaded.is_none() && !draft(&mut deals, humans, arguments.json)? {
        return Ok(());
    }
    let table = Cards {
        // The deck limits apply to the hand of a person; if both are people, to that of a.
        you: if humans == Humans::Second { Player::Second } else { Player::First },
        trade,
        dealer: Dealer::new(deals.seed),
        session: Session::new(isa),
        rules: Rules::preset(Edition::Ff8),
        cards: Vec::new(),
        begun: 0,
        deals,
    };
    let seed = arguments.deals.seed;
    let (table, engine) = (Box::new(table), Box::new(Session::new(isa)));
    // No limits: open hands are solved exactly, however long it takes.
    let (limits, json) = (Limits::default(), arguments.json);
    Start { table, engine, humans, limits, book: false, seed, json, loaded }.run(&arguments.options)
}
