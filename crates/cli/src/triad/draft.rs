//! `triad draft`: which of the offered cards to take.

use super::book;
use super::opponent::{OpponentOptions, cards};
use crate::count::count;
use crate::failure::Failure;
use crate::interrupt;
use crate::options;
use crate::output::Output;
use crate::progress::watched;
use api::Limits;
use api::triad::card_lists::NpcBook;
use api::triad::{DraftQuestion, draft};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `draft`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cards to choose from, separated by commas: names, #numbers, or sides as in 8A32
    #[arg(value_name = "CARDS")]
    offered: String,
    /// The cards that you took before
    #[arg(long, value_name = "CARDS", default_value = "")]
    taken: String,
    /// Which edition: ff8 or ff14
    #[arg(long = "edition", alias = "game", value_name = "EDITION", default_value = "ff14")]
    game: String,
    #[command(flatten)]
    opponent: OpponentOptions,
    /// Rules, separated by commas, besides those of the opponent
    #[arg(long, default_value = "")]
    rules: String,
    /// Games that each card plays
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Seed of the games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Time limit, such as 5s; the games until then count
    #[arg(long, value_parser = options::time)]
    time: Option<Duration>,
    /// Card file to use instead of the built-in list
    #[arg(long)]
    cards: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = book(&arguments.game, arguments.cards.as_ref())?;
    let list = |text: &str| if text.trim().is_empty() { Vec::new() } else { cards(&book, text) };
    let mut question = DraftQuestion::default();
    question.game = Some(arguments.game.clone());
    question.rules = arguments.rules.split(',').map(str::to_owned).collect();
    (question.taken, question.offered) = (list(&arguments.taken), list(&arguments.offered));
    question.opponent = arguments.opponent.is_given().then(|| arguments.opponent.question(&book)).transpose()?;
    (question.games, question.seed) = (Some(arguments.games), arguments.seed);
    question.limits = arguments.time.map_or_else(Limits::default, Limits::time);
    let own_book = arguments.cards.is_some().then_some(&*book);
    let answer = watched(&question.limits, |control| draft(&question, own_book, Some(NpcBook::built_in()), control))?;
    let mut output = Output::new();
    if arguments.json {
        output.json(&answer)?;
    } else {
        let width = answer.picks.iter().map(|pick| pick.card.chars().count()).max().unwrap_or(0).max(4);
        output.line(format_args!("      {:width$}  points           win    draw   loss", "card"))?;
        for (number, pick) in answer.picks.iter().enumerate() {
            let error = pick.error.map_or_else(|| "       ".to_owned(), |error| format!("+-{error:.3}"));
            let [win, draw, loss] = [pick.win, pick.draw, pick.loss].map(|share| format!("{:.1}%", 100.0 * share));
            let number = number + 1;
            output.line(format!(
                "{number:4}  {:width$}  {:.3} {error}  {win:>6} {draw:>6} {loss:>6}",
                pick.card, pick.points
            ))?;
        }
        let games = count(answer.games.into(), "game", "games");
        output.line(if answer.exact {
            format!("exact: {games} for each card, every hand and both starts, hands open, perfect play")
        } else {
            format!(
                "{games} for each card; later picks: the highest sum of three random cards; hands open, perfect play"
            )
        })?;
    }
    if answer.complete { Ok(()) } else { interrupt::check() }
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  ninefold triad draft 'Titan,Garuda,Ifrit' --taken 'Dodo,Tonberry' --games 20
  ninefold triad draft 'Titan,Garuda' --taken '#1,#2,#3,#30' --npc Flichoirel";
