//! The progress of a long command, shown on a terminal only.

use crate::interrupt;
use api::{Control, Limits, Progress};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

/// Runs a long call within these limits. Ctrl-C stops it, and a terminal shows its progress.
pub(crate) fn watched<T>(limits: &Limits, call: impl FnOnce(&Control<'_>) -> T) -> T {
    let steps = bar(0);
    let nodes = search(limits.time_ms.map(Duration::from_millis));
    let listener = |progress: &Progress<'_>| {
        if progress.total > 0 {
            steps.set_length(progress.total);
            steps.set_position(progress.done);
        } else {
            nodes.set_position(progress.nodes);
        }
    };
    let control = limits.apply(Control::new().cancel(interrupt::flag()).progress(&listener));
    let result = call(&control);
    steps.finish_and_clear();
    nodes.finish_and_clear();
    result
}

/// A progress bar with rate and time left. It is drawn on standard error, only if that is a terminal.
fn bar(steps: u64) -> ProgressBar {
    styled(ProgressBar::new(steps), "{bar:30} {human_pos} of {human_len}, {rate}{left}")
}

/// A spinner for a search without a known end: nodes and time.
fn search(limit: Option<Duration>) -> ProgressBar {
    let limit = limit.map_or_else(String::new, |limit| format!(" of {} s", limit.as_secs_f32()));
    let bar = styled(ProgressBar::no_length(), "{spinner} {looked}{elapsed}{msg}").with_message(limit);
    // Most searches end before the first tick and show nothing.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}/s", short(state.per_sec()));
    };
    let left = |state: &ProgressState, out: &mut dyn Write| {
        if state.pos() > 0 {
            let _ = write!(out, ", {} s left", state.eta().as_secs());
        }
    };
    let looked = |state: &ProgressState, out: &mut dyn Write| {
        if state.pos() > 0 {
            let _ = write!(out, "{} nodes, {}/s, ", short(state.pos() as f64), short(state.per_sec()));
        }
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.with_key("rate", rate).with_key("left", left).with_key("looked", looked)),
        Err(_) => bar,
    }
}

/// Formats a number with about three digits.
fn short(number: f64) -> String {
    match number {
        number if number >= 1e9 => format!("{:.2} G", number / 1e9),
        number if number >= 1e6 => format!("{:.1} M", number / 1e6),
        number if number >= 1e3 => format!("{:.1} k", number / 1e3),
        number => format!("{number:.1}"),
    }
}
