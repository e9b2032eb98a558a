//! The answer of the adviser for people: a table of the moves and the reason for the first.

use crate::count::count;
use crate::failure::Failure;
use crate::output::Output;
use api::Outcome;
use api::triad::{AdviseAnswer, ModelChances, MoveMeasures, PositionMeasures};

/// Moves of the table; the rest is counted.
const SHOWN: usize = 12;

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
    output.line(format_args!("{hands}; your moves, best first:"))?;
    let width = answer.moves.iter().take(SHOWN).map(|mv| mv.mv.chars().count()).max().unwrap_or(0).max(4);
    let greedy = answer.moves.iter().any(|mv| mv.measures.greedy.is_some());
    let header = if greedy { "  greedy play" } else { "" };
    output.line(format_args!("      {:width$}  certain  wins in   holds in  random: win (draw){header}", "move"))?;
    for (number, mv) in answer.moves.iter().take(SHOWN).enumerate() {
        let measures = &mv.measures;
        let row = format!(
            "  {:2}  {:width$}  {:7}  {:8}  {:8}  {:17}  {}",
            number + 1,
            mv.mv,
            certain(measures),
            share(measures, answer.worlds, |it| it.win),
            share(measures, answer.worlds, |it| it.not_lose),
            measures.random.as_ref().map_or("-".to_owned(), chances),
            if greedy { measures.greedy.as_ref().map_or("-".to_owned(), chances) } else { String::new() },
        );
        output.line(row.trim_end())?;
    }
    if answer.moves.len() > SHOWN {
        output.line(format_args!("      and {} more", answer.moves.len() - SHOWN))?;
    }
    let best = &answer.moves[0];
    output.line(format_args!("{}: {}{}", best.mv, sentence(&best.measures, answer.worlds), apart(&answer.moves)))?;
    if !answer.complete {
        output.line("not everything is exact yet: a < marks an upper bound, a ~ an estimate")?;
    }
    output.line(format_args!("{}, {:.2} s", count(answer.nodes, "node", "nodes"), answer.seconds))
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
    format!("; {} is as safe, but worse against random play", second.mv)
}
