//! `triad solve`: one position told by flags or by its line, or the games of a file, solved exactly.

use super::{DealArguments, book};
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::options::{IsaOption, ThreadsOption};
use crate::output::Output;
use engine::desk::Triad;
use engine::triad::answer::{self, ChanceAnswer, SolveAnswer, Wanted};
use engine::triad::request::{GameText, Match, read_games, read_player};
use engine::triad::rules::{Deal, Kind, Position, Rule, read_line};
use engine::triad::{RequestError, Solver, default_replays, solve_many, sudden_death};
use grid::Cell;
use grid::simd::Isa;
use std::path::{Path, PathBuf};

/// What `solve` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A JSON file with "games": [...], each with rules, hand_a, hand_b and perhaps game, cell_elements, first, moves
    #[arg(conflicts_with_all = ["hand_a", "hand_b", "position"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    deal: DealArguments,
    /// A position in one line, as `solve --json` and `replay` print it; - reads one a line from standard input
    #[arg(long, conflicts_with_all = ["hand_a", "hand_b"])]
    position: Option<String>,
    /// The value of every move
    #[arg(long)]
    all_moves: bool,
    /// How many replays of a draw to look ahead; five under sudden-death if left out (ff14 plays five, ff8 any number)
    #[arg(long, value_name = "NUMBER")]
    replays: Option<u32>,
    /// Hold the hands of these players to the limits of decks by stars: a, b or ab
    #[arg(long, value_name = "PLAYERS")]
    legal_decks: Option<String>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Solves.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let isa = arguments.isa.get();
    if let Some(path) = &arguments.file {
        return file(arguments, isa, path);
    }
    let mut output = Output::new();
    match arguments.position.as_deref() {
        Some("-") => {
            for (number, line) in std::io::stdin().lines().enumerate() {
                let line = line.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
                if !line.trim().is_empty() {
                    let (game, position) = read_position(line.trim(), &format!("line {}", number + 1))?;
                    one(arguments, isa, &game, &position, &mut output)?;
                }
            }
            Ok(())
        }
        Some(line) => {
            let (game, position) = read_position(line, "--position")?;
            one(arguments, isa, &game, &position, &mut output)
        }
        None => {
            let (game, moves) = arguments.deal.read()?;
            let position = game.after(&moves)?;
            one(arguments, isa, &game, &position, &mut output)
        }
    }
}

/// A position in one line; `place` is where it stood.
fn read_position(line: &str, place: &str) -> Result<(Match, Position), Failure> {
    let (setup, position) =
        read_line(line).map_err(|fault| Failure::Usage(format!("{place}: {}", fault.pointing_into(line))))?;
    let deal = Deal::new(&setup).map_err(|fault| Failure::Usage(format!("{place}: {fault}")))?;
    Ok((Match::unnamed(deal), position))
}

/// Solves one position and tells the answer.
fn one(arguments: &Arguments, isa: Isa, game: &Match, position: &Position, output: &mut Output) -> Result<(), Failure> {
    check_decks(arguments, game)?;
    if is_chaotic(game) {
        replays(arguments, isa, game, position)?;
        let answer = answer::solve_chances(isa, Some(arguments.threads.get()), game, position, arguments.all_moves);
        return if arguments.json { output.json(&answer) } else { show_chances(output, game, position, &answer) };
    }
    let wanted = Wanted { best: true, all_moves: arguments.all_moves };
    let mut answer = answer::solve(&mut Solver::new(isa), game, position, wanted);
    answer.sudden_death = replays(arguments, isa, game, position)?;
    if arguments.json { output.json(&answer) } else { show(output, game, position, &answer) }
}

fn check_decks(arguments: &Arguments, game: &Match) -> Result<(), RequestError> {
    for letter in arguments.legal_decks.as_deref().unwrap_or("").chars() {
        game.check_deck(read_player(&letter.to_string())?)?;
    }
    Ok(())
}

fn is_chaotic(game: &Match) -> bool {
    let rules = game.deal.setup().rules;
    [grid::Player::First, grid::Player::Second].iter().any(|player| rules.is_chaotic(*player))
}

/// The result when draws are played again, under Sudden Death or if a number of replays was asked for.
fn replays(
    arguments: &Arguments,
    isa: Isa,
    game: &Match,
    position: &Position,
) -> Result<Option<&'static str>, RequestError> {
    let Some(replays) = arguments.replays.or(default_replays(game.deal.setup().rules)) else { return Ok(None) };
    let worth = sudden_death(isa, Some(arguments.threads.get()), &game.deal, position, replays);
    let worth = worth.map_err(|luck| RequestError(format!("{luck}; leave sudden-death and --replays out")))?;
    Ok(Some(answer::result_word(worth)))
}

/// What Ascension or Descension adds to each type by now, if either is in force.
fn counters(game: &Match, position: &Position) -> Option<String> {
    let setup = game.deal.setup();
    let (name, sign) = match setup.rules {
        rules if rules.has(Rule::Ascension) => ("ascension", '+'),
        rules if rules.has(Rule::Descension) => ("descension", '-'),
        _ => return None,
    };
    let lying = |kind: Kind| {
        let cards = Cell::ALL.into_iter().filter_map(|cell| position.card_at(cell));
        cards.filter(|card| setup.card((*card).into()).kind == Some(kind)).count()
    };
    let counted = Kind::ALL.into_iter().filter(|kind| lying(*kind) > 0);
    let counted: Vec<String> = counted.map(|kind| format!("{} {sign}{}", kind.name(), lying(kind))).collect();
    Some(format!("{name}: {}", if counted.is_empty() { "nothing yet".to_owned() } else { counted.join(", ") }))
}

fn show_table(output: &mut Output, game: &Match, position: &Position) -> Result<(), Failure> {
    let view = Triad::view(game, position);
    output.line(draw::text(&draw::picture(&view, &Marks::default())))?;
    counters(game, position).map_or(Ok(()), |counters| output.line(counters))
}

fn show(output: &mut Output, game: &Match, position: &Position, answer: &SolveAnswer) -> Result<(), Failure> {
    show_table(output, game, position)?;
    output.line(format_args!("a owns {} of 10 cards in the end: {} for a", answer.value, answer.result))?;
    if let Some(best) = &answer.best {
        output.line(format_args!("best for {}: {}", answer.mover, best.join("  ")))?;
    }
    if let Some(line) = &answer.line {
        output.line(format_args!("line: {}", line.join("  ")))?;
    }
    if let Some(table) = &answer.first_moves {
        output.line("value of every move, cells 0 to 8:")?;
        let base = if answer.mover == 'a' { 0 } else { 5 };
        for (card, row) in table.iter().enumerate().filter(|(_, row)| row.iter().any(Option::is_some)) {
            let values: Vec<String> = row.iter().map(|value| value.map_or(".".to_owned(), |v| v.to_string())).collect();
            output.line(format_args!("  {:>2}  {}", values.join(" "), game.names[base + card]))?;
        }
    }
    if let Some(result) = answer.sudden_death {
        output.line(format_args!("with replays of draws: {result} for a"))?;
    }
    output.line(format_args!("{} nodes", answer.nodes))
}

/// Under Chaos the answer is a mean, not a number of cards.
fn show_chances(output: &mut Output, game: &Match, position: &Position, answer: &ChanceAnswer) -> Result<(), Failure> {
    show_table(output, game, position)?;
    let expected = answer.expected;
    output.line(format_args!("a owns {expected:.3} of 10 cards in the end on average, over the cards drawn"))?;
    output.line(format_args!("best for {}: {}", answer.mover, answer.best.join("  ")))?;
    for mv in answer.moves.iter().flatten() {
        output.line(format_args!("  {:>6.3}  {}", mv.expected, mv.mv))?;
    }
    Ok(())
}

/// Reads the games of a file; an error names the file and the game.
pub(crate) fn read_file(path: &Path, cards: Option<&PathBuf>) -> Result<Vec<(GameText, Match)>, Failure> {
    let named = |fault: &dyn std::fmt::Display| Failure::Usage(format!("{}: {fault}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Run(format!("{}: {error}", path.display())))?;
    let games = read_games(&text).map_err(|fault| named(&fault))?;
    let mut matches = Vec::new();
    for (number, game) in games.into_iter().enumerate() {
        let of_game = |fault: RequestError| named(&format_args!("game {}: {fault}", number + 1));
        let edition = game.edition().map_err(of_game)?;
        let book = book(edition.name(), cards)?;
        let deal = game.deal(&book).map_err(of_game)?;
        matches.push((game, deal));
    }
    Ok(matches)
}

/// How many games are solved before their answers are written: enough for all cores, few enough to see them soon.
const CHUNK: usize = 256;

fn file(arguments: &Arguments, isa: Isa, path: &Path) -> Result<(), Failure> {
    let games = read_file(path, arguments.deal.cards.as_ref())?;
    let wanted = Wanted { best: false, all_moves: arguments.all_moves };
    let mut output = Output::new();
    let mut positions = Vec::new();
    for (number, (text, game)) in games.iter().enumerate() {
        let of_game = |fault: RequestError| Failure::Usage(format!("{}: game {}: {fault}", path.display(), number + 1));
        check_decks(arguments, game).map_err(of_game)?;
        let position = game.after(&text.moves).map_err(of_game)?;
        positions.push((number, game, position));
    }
    for chunk in positions.chunks(CHUNK) {
        // A game of luck or with replays keeps all cores busy by itself.
        let plain: Vec<_> = chunk.iter().filter(|(_, game, _)| !is_chaotic(game)).collect();
        let answers = solve_many(isa, Some(arguments.threads.get()), &plain, |solver, (_, game, position)| {
            answer::solve(solver, game, position, wanted)
        });
        let mut answers = answers.into_iter();
        for (number, game, position) in chunk {
            let again = replays(arguments, isa, game, position)
                .map_err(|fault| Failure::Usage(format!("{}: game {}: {fault}", path.display(), number + 1)))?;
            if is_chaotic(game) {
                output.json(&answer::solve_chances(
                    isa,
                    Some(arguments.threads.get()),
                    game,
                    position,
                    arguments.all_moves,
                ))?;
            } else if let Some(answer) = answers.next() {
                output.json(&SolveAnswer { sudden_death: again, ..answer })?;
            }
        }
    }
    Ok(())
}
