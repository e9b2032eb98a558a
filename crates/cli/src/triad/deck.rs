//! `triad deck`, `triad decks` and `triad verify-deck`: the best deck against an opponent, and what is known about it.

use super::advise::words::{percent, sentence};
use super::book;
use super::opponent::{OpponentOptions, cards};
use crate::count::count;
use crate::failure::Failure;
use crate::interrupt;
use crate::options::{self, IsaOption, ThreadsOption};
use crate::output::Output;
use crate::progress::watched;
use api::triad::card_lists::{Book, Collection, DeckRow, DeckTable, Hand, HandCard, Npc, NpcBook, Standing};
use api::triad::{
    DeckAnswer, DeckFiles, DeckQuestion, DeckStatus, DeckWorth, ExpectedPoints, NpcsQuestion, TriadError, rate_deck,
    verify_deck,
};
use api::{Chances, Limits, Outcome};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `deck`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which edition: ff8 or ff14
    #[arg(long = "edition", alias = "game", value_name = "EDITION", default_value = "ff14")]
    game: String,
    #[command(flatten)]
    opponent: OpponentOptions,
    /// The cards to choose from: `all`, or a file with a list of names or #numbers, a table with commas, JSON or TOML
    #[arg(long, value_name = "FILE|all")]
    owned: PathBuf,
    /// Rules, separated by commas; with --npc they are added to his own
    #[arg(long, default_value = "")]
    rules: String,
    /// Cards that must be in the deck, separated by commas
    #[arg(long, value_name = "CARDS")]
    lock: Option<String>,
    /// A deck that the result must not be worse than, five cards separated by commas
    #[arg(long, value_name = "CARDS")]
    deck: Option<String>,
    /// Time limit, such as 30s or 10m; 0s for none
    #[arg(long, value_parser = options::time, default_value = "60s")]
    time: Duration,
    /// A file with the state of the search: read if it is there, written at the end
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write a proof that `verify-deck` checks
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Put the result into a table of decks, and start from the deck that is there; needs --npc
    #[arg(long, value_name = "FILE", requires = "npc")]
    save: Option<PathBuf>,
    /// How many of the decks with equal points are compared for a hidden hand, which takes seconds; 0 for none
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=64))]
    finalists: u32,
    /// The number that chooses the random restarts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn limits(&self) -> Limits {
        let mut limits = if self.time.is_zero() { Limits::default() } else { Limits::time(self.time) };
        limits.threads = u32::try_from(self.threads.get().get()).ok();
        limits
    }

    fn question(&self, book: &Book) -> Result<DeckQuestion, Failure> {
        let mut question = DeckQuestion::default();
        question.opponent = self.opponent.question(book)?;
        (question.game, question.seed) = (Some(self.game.clone()), self.seed);
        question.finalists = Some(self.finalists);
        question.rules = self.rules.split(',').map(str::to_owned).collect();
        question.locked = self.lock.as_deref().map_or_else(Vec::new, |text| cards(book, text));
        question.deck = self.deck.as_deref().map(|text| cards(book, text));
        Ok(question)
    }
}

/// Finds the best deck.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = book(&arguments.game, arguments.cards.as_ref())?;
    let question = arguments.question(&book)?;
    let table = arguments.save.as_ref().map(|path| saved(path)).transpose()?;
    if let (Some(path), Some((npc, rules, reason))) = (&arguments.save, question.unranked()?) {
        let mut table = table.unwrap_or_default();
        table.put(DeckRow { npc, rules: rules.to_string(), standing: Standing::Unranked(reason) });
        api::files::write(path, table.write().as_bytes())?;
        return Output::new().line(format_args!("not ranked: {reason}"));
    }
    let is_all = arguments.owned == Path::new("all");
    let owned = if is_all { None } else { Some(Collection::load(&arguments.owned, &book)?) };
    let mut task = question.read(Some(&book), None, owned.as_ref())?;
    let rules = task.rules.to_string();
    if let (Some(table), Some(npc)) = (&table, task.npc)
        && let Some(Standing::Deck { deck, .. } | Standing::Expected { deck, .. }) =
            table.row(npc, &rules).map(|row| &row.standing)
    {
        task.start_from(hand(*deck)?);
    }
    let files = DeckFiles { resume: arguments.resume.as_deref(), proof: arguments.proof.as_deref() };
    let answer = watched(&arguments.limits(), |control| task.solve(arguments.isa.get(), files, control))
        .map_err(Failure::from)?;
    if let (Some(path), Some(mut table), Some(npc)) = (&arguments.save, table, task.npc) {
        let standing = standing(&answer)?;
        let before = table.row(npc, &rules).map(|row| &row.standing);
        // An estimate does not replace exact expected points.
        let is_exact = |standing: &Standing| matches!(standing, Standing::Expected { error: None, .. });
        if is_exact(&standing) || !before.is_some_and(is_exact) {
            table.put(DeckRow { npc, rules, standing });
            api::files::write(path, table.write().as_bytes())?;
        }
    }
    let mut output = Output::new();
    if arguments.json {
        output.json(&answer)?;
    } else {
        show(&mut output, &answer)?;
    }
    interrupt::check()
}

/// The table of a file; an empty one if there is no file yet.
fn saved(path: &Path) -> Result<DeckTable, Failure> {
    if path.exists() { Ok(DeckTable::load(path)?) } else { Ok(DeckTable::default()) }
}

/// The built-in cards of these numbers.
fn hand(ids: [u16; 5]) -> Result<Hand, Failure> {
    let book = book("ff14", None)?;
    let cards = ids.iter().map(|id| book.numbered(*id)).collect::<Result<Vec<HandCard>, TriadError>>()?;
    Hand::try_from(cards).map_err(|cards| TriadError::HandSize { found: cards.len() }.into())
}

fn standing(answer: &DeckAnswer) -> Result<Standing, Failure> {
    let book = book("ff14", None)?;
    let mut deck = [0; 5];
    for (id, name) in deck.iter_mut().zip(&answer.deck) {
        let known = book.by_name(name);
        *id = known.ok_or_else(|| Failure::Usage(format!("{name} has no number, so the deck cannot be saved")))?.id;
    }
    if let Some(expected) = &answer.expected {
        let thousandths = |points: f64| (1000.0 * points).round() as u32;
        let (points, error) = (thousandths(answer.points), expected.error.map(thousandths));
        return Ok(Standing::Expected { deck, points, of: answer.of, error });
    }
    let half = |points: f64| (2.0 * points) as u32;
    let (points, bound) = (half(answer.points), half(answer.bound));
    Ok(Standing::Deck { deck, points, most: 2 * answer.of, bound, status: answer.status })
}

fn show(output: &mut Output, answer: &DeckAnswer) -> Result<(), Failure> {
    output.line(answer.deck.join(", "))?;
    if let Some(expected) = &answer.expected {
        return show_expected(output, answer, expected);
    }
    let points = format!("{} of {}", answer.points, count(answer.of.into(), "point", "points"));
    let known = match answer.status {
        DeckStatus::Perfect => "perfect: it wins every game against perfect play".to_owned(),
        DeckStatus::Proved => "proved: no deck of the collection is better".to_owned(),
        DeckStatus::BestKnown if answer.no_exchange_is_better => {
            format!("best known: no exchange of one card is better; no deck has more than {}", answer.bound)
        }
        DeckStatus::BestKnown => format!("best known: no deck has more than {}", answer.bound),
    };
    output.line(format_args!("{points}; {known}"))?;
    for (first, who) in STARTS {
        let games = answer.games.iter().filter(|game| game.first == first);
        let of = |result| games.clone().filter(|game| game.result == Some(result)).count();
        let (wins, draws, losses) = (of(Outcome::Win), of(Outcome::Draw), of(Outcome::Loss));
        output.line(format_args!("{who}: {wins} won, {draws} drawn, {losses} lost"))?;
    }
    if let Some(hidden) = &answer.hidden {
        let hands = answer.of as usize / 2;
        for (measures, (_, who)) in [&hidden.me, &hidden.opponent].into_iter().zip(STARTS) {
            output.line(format_args!("{who} and his hand is hidden: {}", sentence(measures, hands)))?;
        }
    }
    for missing in &answer.missing {
        let from = if missing.npcs.is_empty() { String::new() } else { format!("; from {}", missing.npcs.join(", ")) };
        let (card, replaces, points) = (&missing.card, &missing.replaces, missing.points);
        output.line(format_args!("with {card} in place of {replaces}: {points} points{from}"))?;
    }
    Ok(())
}

/// The two starts, as answers and sentences name them.
const STARTS: [(&str, &str); 2] = [("me", "if I start"), ("opponent", "if the opponent starts")];

fn show_expected(output: &mut Output, answer: &DeckAnswer, expected: &ExpectedPoints) -> Result<(), Failure> {
    let error = expected.error.map_or("exact".to_owned(), |error| format!("estimated, error {error:.3}"));
    let games = count(answer.of.into(), "game", "games");
    output.line(format_args!("{:.3} points expected in {games} ({error}); best known", answer.points))?;
    output.line(format_args!(
        "model: {}; hands are open, and what luck brings is equally likely ({} of {} solved)",
        expected.model,
        expected.solved,
        count(expected.trials as u64, "game", "games")
    ))?;
    let line = |chances: &Chances| {
        let [win, draw, loss] = [chances.win, chances.draw, chances.loss].map(percent);
        format!("{win} % won, {draw} % drawn, {loss} % lost")
    };
    output.line(format_args!("a game: {}", line(&expected.chances)))?;
    for (first, who) in STARTS {
        let games: Vec<&Chances> =
            answer.games.iter().filter(|game| game.first == first).filter_map(|game| game.chances.as_ref()).collect();
        if !games.is_empty() {
            let mean =
                |of: fn(&Chances) -> f64| games.iter().map(|chances| of(chances)).sum::<f64>() / games.len() as f64;
            let chances = Chances { win: mean(|it| it.win), draw: mean(|it| it.draw), loss: mean(|it| it.loss) };
            output.line(format_args!("{who}: {}", line(&chances)))?;
        }
    }
    Ok(())
}

/// Arguments of `decks`.
#[derive(clap::Args)]
pub(crate) struct TableArguments {
    /// Only this opponent: a name, part of a name or #12
    #[arg(long, value_name = "NAME")]
    npc: Option<String>,
    /// A table of your own, as `deck --save` writes it
    #[arg(long)]
    file: Option<PathBuf>,
    /// Solve every game of every deck again, and fail if a deck has other points than the table says
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// A row of the table of decks.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TableLine {
    /// The opponent.
    npc: String,
    /// The rules in force.
    rules: String,
    /// The five cards; under Order in the order of play. Empty if decks are not ranked under the rules.
    deck: Vec<String>,
    /// 1 for a win, 1/2 for a draw, over all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
    /// The number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u32>,
    /// No deck has more points.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    /// What is known about the deck.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<DeckStatus>,
    /// Whether luck decides, so that the points are expected points: `exact` or `estimated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'static str>,
    /// One standard error of estimated points.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    /// Why decks are not ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    unranked: Option<String>,
}

/// Shows or checks the table of decks.
pub(crate) fn table(arguments: &TableArguments) -> Result<(), Failure> {
    let loaded = arguments.file.as_ref().map(|path| DeckTable::load(path)).transpose()?;
    let table = loaded.as_ref().unwrap_or_else(|| DeckTable::built_in());
    let query = arguments.npc.clone().unwrap_or_default();
    let mut question = NpcsQuestion::default();
    question.query.clone_from(&query);
    let found = api::triad::npcs(&question, None, None)?;
    let npcs = NpcBook::built_in().npcs();
    let is_found = |row: &&DeckRow| found.npcs.iter().any(|npc| npc.id == row.npc);
    let rows: Vec<&DeckRow> = table.rows().iter().filter(is_found).collect();
    if rows.is_empty() && arguments.npc.is_some() {
        return Err(Failure::Usage(format!("the table has no opponent like \"{query}\"")));
    }
    let mut output = Output::new();
    for row in rows {
        let Some(npc) = npcs.iter().find(|npc| npc.id == row.npc) else { continue };
        if arguments.verify {
            check(arguments, npc, row)?;
        }
        let line = line(npc, row)?;
        if arguments.json { output.json(&line)? } else { output.line(text(&line))? }
    }
    Ok(())
}

/// Solves every game of a row again. Estimated points are not checked: they are not exact.
fn check(arguments: &TableArguments, npc: &Npc, row: &DeckRow) -> Result<(), Failure> {
    let (deck, points) = match row.standing {
        Standing::Deck { deck, points, .. } => (deck, DeckWorth::Points(points)),
        Standing::Expected { deck, points, error: None, .. } => (deck, DeckWorth::Expected(f64::from(points) / 1000.0)),
        Standing::Expected { .. } | Standing::Unranked(_) => return Ok(()),
    };
    if row.rules != npc.rules().to_string() {
        return Err(Failure::Usage(format!("{}: only decks under his own rules can be checked", npc.name)));
    }
    let mut limits = Limits::default();
    limits.threads = u32::try_from(arguments.threads.get().get()).ok();
    let found = watched(&limits, |control| rate_deck(arguments.isa.get(), npc, deck, control));
    let found = found.map_err(Failure::or_interrupted)?;
    let value = |worth| match worth {
        DeckWorth::Points(half) => f64::from(half) / 2.0,
        DeckWorth::Expected(points) => (1000.0 * points).round() / 1000.0,
    };
    let (found, points) = (value(found), value(points));
    if found != points {
        return Err(Failure::Run(format!("{}: the deck has {found} points, the table says {points}", npc.name)));
    }
    Ok(())
}

fn line(npc: &Npc, row: &DeckRow) -> Result<TableLine, Failure> {
    let mut line = TableLine {
        npc: npc.name.clone(),
        rules: row.rules.clone(),
        deck: Vec::new(),
        points: None,
        of: None,
        bound: None,
        status: None,
        expected: None,
        error: None,
        unranked: None,
    };
    let names = |deck: [u16; 5]| Ok::<_, Failure>(hand(deck)?.iter().map(HandCard::name).collect());
    match &row.standing {
        Standing::Deck { deck, points, most, bound, status } => {
            let half = |points: u32| Some(f64::from(points) / 2.0);
            (line.deck, line.points, line.of, line.bound) =
                (names(*deck)?, half(*points), Some(most / 2), half(*bound));
            line.status = Some(*status);
        }
        Standing::Expected { deck, points, of, error } => {
            let thousandths = |number: u32| f64::from(number) / 1000.0;
            (line.deck, line.points, line.of) = (names(*deck)?, Some(thousandths(*points)), Some(*of));
            (line.bound, line.status) = (Some(f64::from(*of)), Some(DeckStatus::BestKnown));
            line.expected = Some(if error.is_none() { "exact" } else { "estimated" });
            line.error = error.map(thousandths);
        }
        Standing::Unranked(reason) => line.unranked = Some(reason.to_string()),
    }
    Ok(line)
}

fn text(line: &TableLine) -> String {
    let rules = if line.rules == "-" { "no rules" } else { &line.rules };
    match (line.points, line.of, line.status) {
        (Some(points), Some(of), Some(status)) => {
            let status = status.name().replace('-', " ");
            let luck = match (line.expected, line.error) {
                (Some(_), Some(error)) => format!(" expected (error {error:.3})"),
                (Some(_), None) => " expected".to_owned(),
                (None, _) => String::new(),
            };
            format!("{} ({rules}): {points} of {of}{luck}, {status}\n    {}", line.npc, line.deck.join(", "))
        }
        _ => format!("{} ({rules}): not ranked: {}", line.npc, line.unranked.as_deref().unwrap_or_default()),
    }
}

/// Arguments of `verify-deck`.
#[derive(clap::Args)]
pub(crate) struct VerifyArguments {
    /// Files that `deck --proof` or `deck --resume` wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Checks proofs.
pub(crate) fn verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    let mut output = Output::new();
    let mut limits = Limits::default();
    limits.threads = u32::try_from(arguments.threads.get().get()).ok();
    for path in &arguments.files {
        let answer = watched(&limits, |control| verify_deck(arguments.isa.get(), path, control));
        let answer = answer.map_err(Failure::or_interrupted)?;
        if arguments.json {
            output.json(&answer)?;
            continue;
        }
        let known = match answer.status {
            DeckStatus::Perfect => "it wins every game".to_owned(),
            DeckStatus::Proved => "no deck of the collection is better".to_owned(),
            DeckStatus::BestKnown => format!("no deck of the collection has more than {}", answer.bound),
        };
        let boxes = count(answer.boxes as u64, "box", "boxes");
        output.line(answer.deck.join(", "))?;
        output.line(format_args!("{} of {}; checked: {known} ({boxes})", answer.points, answer.of))?;
    }
    Ok(())
}
