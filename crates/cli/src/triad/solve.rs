//! `triad solve`: one position told by flags or by its line, or the games of a file, solved exactly.
//!
//! Ctrl-C and `--time` end it with what is finished: the first games of a file, the first moves under Chaos.

use super::{DealArguments, book};
use crate::draw::{self, Marks};
use crate::failure::Failure;
use crate::interrupt;
use crate::options::{self, IsaOption, ThreadsOption};
use crate::output::Output;
use crate::progress;
use engine::desk::Triad;
use engine::triad::answer::{self, ChanceAnswer, SolveAnswer, Wanted};
use engine::triad::request::{GameText, Match, read_games, read_player};
use engine::triad::rules::{Deal, Position, read_line};
use engine::triad::{Replays, RequestError, Solver, chances, default_replays, solve_each};
use grid::simd::Isa;
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What `solve` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A JSON file with "games": [...], each with rules, hand_a, hand_b and perhaps game, cell_elements, first, moves
    #[arg(conflicts_with_all = ["hand_a", "hand_b", "position"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    deal: DealArguments,
    /// A position in one line, as `solve --json` and `replay` print it; - reads one per line from standard input
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
    /// Stop after this time with what is finished, as in 30s: chaos from the empty board and large files take long
    #[arg(long, value_parser = options::time)]
    time: Option<Duration>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    isa: IsaOption,
    /// One JSON object per line
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

/// The flag that is raised by Ctrl-C and when the time is up.
fn stop(time: Option<Duration>) -> Arc<AtomicBool> {
    let interrupted = interrupt::flag();
    let Some(time) = time else { return interrupted };
    let (stop, start) = (Arc::new(AtomicBool::new(false)), Instant::now());
    let raised = stop.clone();
    std::thread::spawn(move || {
        while start.elapsed() < time && !interrupted.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5).min(time));
        }
        raised.store(true, Ordering::Relaxed);
    });
    stop
}

/// How a command ends that was stopped, once it has told what it knows.
fn stopped(what: impl std::fmt::Display) -> Failure {
    match interrupt::check() {
        Err(interrupted) => interrupted,
        Ok(()) => Failure::Run(format!("time is up: {what}")),
    }
}

/// Solves one position and tells the answer.
fn one(arguments: &Arguments, isa: Isa, game: &Match, position: &Position, output: &mut Output) -> Result<(), Failure> {
    check_decks(arguments, game)?;
    let stop = stop(arguments.time);
    let replays = replays(arguments, isa, game, &stop)?;
    if is_chaotic(game) {
        let answer = chance(arguments, isa, game, position, &stop, &progress::bar(0));
        if arguments.json {
            output.json(&answer)?;
        } else {
            show_chances(output, game, position, &answer)?;
        }
        return finished(&answer);
    }
    let wanted = Wanted { best: true, all_moves: arguments.all_moves };
    let answer = answer::solve(&mut Solver::new(isa), game, position, wanted, replays.as_ref());
    if arguments.json { output.json(&answer) } else { show(output, game, position, &answer) }
}

/// A position under Chaos, with a bar of its moves.
fn chance(
    arguments: &Arguments,
    isa: Isa,
    game: &Match,
    position: &Position,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> ChanceAnswer {
    let told = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let solution = chances(isa, Some(arguments.threads.get()), &game.deal, position, stop, told);
    bar.finish_and_clear();
    answer::tell_chances(game, position, &solution, arguments.all_moves)
}

/// Whether all moves were valued.
fn finished(answer: &ChanceAnswer) -> Result<(), Failure> {
    let ChanceAnswer { finished, legal, .. } = answer;
    if finished == legal { Ok(()) } else { Err(stopped(format_args!("{finished} of {legal} moves are finished"))) }
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

/// What draws are worth when they are played again, under Sudden Death or if a number of replays was asked for.
fn replays(arguments: &Arguments, isa: Isa, game: &Match, stop: &AtomicBool) -> Result<Option<Replays>, Failure> {
    let Some(replays) = arguments.replays.or(default_replays(game.deal.setup().rules)) else { return Ok(None) };
    match Replays::new(isa, Some(arguments.threads.get()), &game.deal, replays, stop) {
        Ok(Some(replays)) => Ok(Some(replays)),
        Ok(None) => Err(stopped("the replays of draws are not finished")),
        Err(luck) => Err(Failure::Usage(format!("{luck}; leave sudden-death and --replays out"))),
    }
}

fn show_table(output: &mut Output, game: &Match, position: &Position) -> Result<(), Failure> {
    let view = Triad::view(game, position);
    output.line(draw::text(&draw::picture(&view, &Marks::default())))?;
    answer::counters_text(game, position).map_or(Ok(()), |counters| output.line(counters))
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
        output.line(format_args!("with replays of draws: {result} for a; best moves and line are for this"))?;
    }
    output.line(format_args!("{} nodes", answer.nodes))
}

/// Under Chaos the answer is a mean, not a number of cards.
fn show_chances(output: &mut Output, game: &Match, position: &Position, answer: &ChanceAnswer) -> Result<(), Failure> {
    show_table(output, game, position)?;
    match answer.expected {
        Some(expected) => {
            output
                .line(format_args!("a owns {expected:.3} of 10 cards in the end on average, over the cards drawn"))?;
        }
        None => output.line(format_args!("{} of {} moves are finished", answer.finished, answer.legal))?,
    }
    let of = if answer.expected.is_some() { "" } else { " of these" };
    output.line(format_args!("best{of} for {}: {}", answer.mover, answer.best.join("  ")))?;
    for mv in answer.moves.iter().flatten() {
        output.line(format_args!("  {:>6.3}  {}", mv.expected, mv.mv))?;
    }
    output.line(format_args!("{} nodes", answer.nodes))
}

/// Reads the games of a file; an error names the file and the game.
pub(crate) fn read_file(path: &Path, cards: Option<&PathBuf>) -> Result<Vec<(GameText, Match)>, Failure> {
    let named = |fault: &dyn std::fmt::Display| Failure::Usage(format!("{}: {fault}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => named(&"this is not text in UTF-8"),
        _ => Failure::Run(format!("{}: {error}", path.display())),
    })?;
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
    let stop = stop(arguments.time);
    let bar = progress::bar(positions.len() as u64);
    bar.enable_steady_tick(Duration::from_millis(200));
    // A game of luck or with replays keeps all cores busy by itself; the others go side by side.
    let alone =
        |game: &Match| is_chaotic(game) || arguments.replays.or(default_replays(game.deal.setup().rules)).is_some();
    for run in positions.chunk_by(|(_, one, _), (_, other, _)| !alone(one) && !alone(other)) {
        let (number, game, position) = &run[0];
        if alone(game) {
            let again = replays(arguments, isa, game, &stop).map_err(|fault| match fault {
                Failure::Usage(fault) => Failure::Usage(format!("{}: game {}: {fault}", path.display(), number + 1)),
                other => other,
            })?;
            if is_chaotic(game) {
                let answer = chance(arguments, isa, game, position, &stop, &ProgressBar::hidden());
                finished(&answer)?;
                bar.suspend(|| output.json(&answer))?;
            } else {
                let answer = answer::solve(&mut Solver::new(isa), game, position, wanted, again.as_ref());
                bar.suspend(|| output.json(&answer))?;
            }
            bar.inc(1);
            continue;
        }
        let mut failure = None;
        let work = |solver: &mut Solver, (_, game, position): &(usize, &Match, Position)| {
            answer::solve(solver, game, position, wanted, None)
        };
        solve_each(isa, Some(arguments.threads.get()), run, &stop, work, |answer| {
            failure = bar.suspend(|| output.json(&answer)).err();
            bar.inc(1);
            failure.is_none()
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let (done, all) = (bar.position(), positions.len());
    bar.finish_and_clear();
    if done == all as u64 { Ok(()) } else { Err(stopped(format_args!("{done} of {all} games are finished"))) }
}
