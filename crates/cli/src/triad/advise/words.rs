//! The answer of the adviser for people: a table of the moves and the reason for the first.

use crate::count::count;
use crate::failure::Failure;
use crate::output::Output;
use api::Outcome;
use api::triad::{AdviseAnswer, ModelChances, MoveMeasures, PositionMeasures};

/// Moves of the table; the rest is counted.
const SHOWN: usize = 12;

/// Moves of each card, while the card is still to be drawn.
const SHOWN_OF_CARD: usize = 3;

/// Prints the answer.
pub(super) fn show(output: &mut Output, answer: &AdviseAnswer) -> Result<(), Failure> {
    let hands = count(answer.worlds as u64, "possible hand", "possible hands");
    if let Some(result) = answer.result {
        return output.line(format_args!("the game is over: you {}", ["lost", "drew", "won"][result as usize]));
    }
    if answer.moves.is_empty() {
        output.line(format_args!("the opponent is to move; {hands}"))?;
        return output.line(format_args!("as it stands: {}", sentence(&answer.position, answer.worlds)));
    }
    let width = answer.moves.iter().map(|mv| mv.mv.chars().count()).max().unwrap_or(0).max(4);
    let has = |of: fn(&PositionMeasures) -> bool| answer.moves.iter().any(|mv| of(&mv.measures));
    let table = Table { width, careful: has(|it| it.careful.is_some()), greedy: has(|it| it.greedy.is_some()) };
    match &answer.best {
        Some(_) => {
            output.line(format_args!("{hands}; your moves, best first:"))?;
            table.head(output)?;
            for (number, mv) in answer.moves.iter().take(SHOWN).enumerate() {
                table.row(output, number + 1, mv, answer.worlds)?;
            }
            if answer.moves.len() > SHOWN {
                output.line(format_args!("      and {} more", answer.moves.len() - SHOWN))?;
            }
            let best = &answer.moves[0];
            let reason = sentence(&best.measures, answer.worlds);
            output.line(format_args!("{}: {reason}{}", best.mv, apart(&answer.moves)))?;
        }
        None => {
            output.line(format_args!("{hands}; your card is still to be drawn; the best moves of each card:"))?;
            table.head(output)?;
            let card = |mv: &MoveMeasures| mv.mv.rsplit_once('@').map(|(card, _)| card.to_owned());
            for moves in answer.moves.chunk_by(|one, other| card(one) == card(other)) {
                for (number, mv) in moves.iter().take(SHOWN_OF_CARD).enumerate() {
                    table.row(output, number + 1, mv, answer.worlds)?;
                }
            }
            output.line(format_args!("before the draw: {}", sentence(&answer.position, answer.worlds)))?;
        }
    }
    if table.careful {
        output.line("certain, wins in and holds in are true whatever is drawn for both of you; careful: his card is drawn, and he")?;
        output.line("places it where it costs you most, knowing no more than you do")?;
    }
    if !answer.complete {
        output.line("not everything is exact yet: a < marks an upper bound, a ~ an estimate")?;
    }
    output.line(format_args!("{}, {:.2} s", count(answer.nodes, "node", "nodes"), answer.seconds))
}

/// The table of the moves.
struct Table {
    width: usize,
    careful: bool,
    greedy: bool,
}

impl Table {
    fn head(&self, output: &mut Output) -> Result<(), Failure> {
        let Self { width, .. } = *self;
        let careful = if self.careful { "  careful          " } else { "" };
        let greedy = if self.greedy { "  greedy play" } else { "" };
        let line = format!("      {:width$}  certain  wins in   holds in{careful}  random: win (draw){greedy}", "move");
        output.line(line.trim_end())
    }

    fn row(&self, output: &mut Output, number: usize, mv: &MoveMeasures, worlds: usize) -> Result<(), Failure> {
        let (measures, width) = (&mv.measures, self.width);
        let text = |found: &Option<ModelChances>| found.as_ref().map_or("-".to_owned(), chances);
        let row = format!(
            "  {number:2}  {:width$}  {:7}  {:8}  {:8}{}  {:17}  {}",
            mv.mv,
            certain(measures),
            share(measures, worlds, |it| it.win),
            share(measures, worlds, |it| it.not_lose),
            if self.careful { format!("  {:17}", text(&measures.careful)) } else { String::new() },
            text(&measures.random),
            if self.greedy { text(&measures.greedy) } else { String::new() },
        );
        output.line(row.trim_end())
    }
}

fn word(outcome: Outcome) -> &'static str {
    ["loss", "draw", "win"][outcome as usize]
}

fn certain(measures: &PositionMeasures) -> String {
    match measures.at_most {
        Some(most) if most.certain != measures.certain => format!("<{}", word(most.certain)),
        _ => word(measures.certain).to_owned(),
    }
}

fn share(measures: &PositionMeasures, worlds: usize, of: fn(&api::triad::Guaranteed) -> u32) -> String {
    match measures.at_most.map(|most| of(&most.guaranteed)) {
        Some(most) if most != of(&measures.guaranteed) => format!("<{most} of {worlds}"),
        _ => format!("{} of {worlds}", of(&measures.guaranteed)),
    }
}

/// The chances to win and to draw in percent.
fn chances(chances: &ModelChances) -> String {
    let about = if chances.exact { "" } else { "~" };
    format!("{about}{}% ({})", percent(chances.win), percent(chances.draw))
}

/// A chance in percent. Only a certain result is 0 or 100.
pub(in crate::triad) fn percent(chance: f64) -> String {
    if chance == 0.0 || chance == 1.0 {
        return format!("{:.0}", 100.0 * chance);
    }
    format!("{:.2}", (100.0 * chance).clamp(0.01, 99.99))
}

/// What the measures say, in words.
pub(in crate::triad) fn sentence(measures: &PositionMeasures, worlds: usize) -> String {
    let (win, not_lose) = (measures.guaranteed.win as usize, measures.guaranteed.not_lose as usize);
    let least = if measures.at_most.is_some() { "at least " } else { "" };
    let of = |number: usize| match worlds {
        1 => "his hand".to_owned(),
        _ => format!("{least}{number} of {worlds} hands"),
    };
    let mut text = match measures.certain {
        Outcome::Win => "wins whatever hand he holds, however he plays".to_owned(),
        Outcome::Draw if win == 0 => "cannot lose, whatever hand he holds".to_owned(),
        Outcome::Draw => format!("cannot lose; one plan wins for sure against {}", of(win)),
        Outcome::Loss if not_lose == 0 => "no plan is safe against perfect play".to_owned(),
        Outcome::Loss if win == 0 => format!("one plan does not lose against {}", of(not_lose)),
        Outcome::Loss => {
            format!("one plan wins for sure against {}, one does not lose against {}", of(win), of(not_lose))
        }
    };
    if let Some(careful) = &measures.careful {
        text.push_str(&format!("; against careful placing it wins {} %", percent(careful.win)));
    }
    if let Some(random) = &measures.random {
        text.push_str(&format!("; against random play it wins {} %", percent(random.win)));
    }
    text
}

/// What tells the first move from the second.
fn apart(moves: &[MoveMeasures]) -> String {
    let [first, second, ..] = moves else { return String::new() };
    let (one, two) = (&first.measures, &second.measures);
    let equal = moves.iter().take_while(|mv| mv.measures == *one).count();
    if equal > 1 {
        return format!("; {} are equally good", count(equal as u64, "move", "moves"));
    }
    if one.certain != two.certain || one.guaranteed != two.guaranteed {
        return String::new();
    }
    let model = if one.careful == two.careful { "random play" } else { "careful placing" };
    format!("; {} is as safe, but worse against {model}", second.mv)
}
