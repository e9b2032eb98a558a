//! Draws the full screen: a title line, the board, a panel if there is room, and three lines at the bottom.

use super::app::{App, Places};
use super::session::HistoryEntry;
use super::{help, without_player};
use crate::draw::{self, Marks, Tense, ValueText};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

/// Height of the title line and the three bottom lines.
const LINES: u16 = 4;
/// Smallest useful width and height of a panel.
const PANEL: (u16, u16) = (26, 3);

const FEW_KEYS: &str = "Enter plays  i hint  ? help  q quit";
const KEYS: &str = "arrows move  Enter plays  u undo  r redo  i hint  e evaluate  ? help  q quit";

/// Draws the whole screen.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let marks = app.marks();
    let mut picture = draw::picture(app.session.view(), &marks);
    app.places = Places::default();
    if area.height < picture.area.height + LINES {
        picture = draw::picture(app.session.view(), &Marks { compact: true, ..marks });
        app.places.compact = true;
    }
    let (width, height) = (picture.area.width, picture.area.height);
    if area.width < width || area.height < height + LINES {
        let text = format!(
            "This terminal has {} columns and {} lines; the board needs {width} and {}. Make it larger, or press q to quit and use --plain.",
            area.width,
            area.height,
            height + LINES
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let row = |y: u16| Rect::new(area.x, area.y + y, area.width, 1);
    let head = head(app, area.width, area.height - height - LINES);
    for (y, line) in head.iter().enumerate() {
        let style = Style::new().add_modifier(Modifier::BOLD);
        frame.render_widget(Paragraph::new(line.as_str()).style(style), row(y as u16));
    }
    // The title has one line in `LINES`.
    let top = head.len() as u16;
    let board = Rect::new(area.x, area.y + top, width, height);
    for y in 0..height {
        for x in 0..width {
            frame.buffer_mut()[(board.x + x, board.y + y)] = picture[(x, y)].clone();
        }
    }
    app.places.board = board;
    let room = area.height - LINES - (top - 1);
    if area.width >= width + 2 + PANEL.0 {
        panel(app, frame, Rect::new(board.right() + 2, board.y, area.width - width - 2, room));
    } else if room >= height + PANEL.1 {
        panel(app, frame, Rect::new(area.x, board.bottom(), area.width, room - height));
    }
    frame.render_widget(Paragraph::new(status(app)), row(area.height - 3));
    frame.render_widget(Paragraph::new(message(app)), row(area.height - 2));
    let keys = if KEYS.len() <= usize::from(area.width) { KEYS } else { FEW_KEYS };
    frame.render_widget(Paragraph::new(keys).style(Style::new().add_modifier(Modifier::DIM)), row(area.height - 1));
    if app.help {
        draw_help(app, frame);
    }
    if !crate::colour::enabled() && !cfg!(test) {
        for cell in &mut frame.buffer_mut().content {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
    }
}

/// The title: on one line, on two if it is too long and there is a line to spare, otherwise cut before the players.
fn head(app: &App, width: u16, spare: u16) -> Vec<String> {
    let (width, title) = (usize::from(width), app.session.title());
    let who = format!("{} · level {}", app.session.humans.words(&app.session.view().players), app.strength.level);
    let both = format!("{title} · {who}");
    if both.chars().count() <= width {
        return vec![both];
    }
    if spare > 0 && title.chars().count() <= width {
        return vec![title, who];
    }
    let kept: String = title.chars().take(width.saturating_sub(who.chars().count() + 4)).collect();
    vec![format!("{}… · {who}", kept.trim_end_matches([' ', '·']))]
}

/// Who moves or how the game ended, the value of the position, and what the engine is doing.
fn status(app: &App) -> Line<'static> {
    let view = app.session.view();
    let mut spans = vec![Span::raw(view.status.clone())];
    if let Some(result) = view.result {
        spans[0].style = match result {
            0 => Style::new(),
            result => draw::player(if result > 0 { 1 } else { 2 }),
        };
        let next = match app.session.question() {
            Some(question) => format!("; {question}"),
            None if app.session.is_followed() => "; sudden death: Enter deals the next game".to_owned(),
            None => "; n for a new game".to_owned(),
        };
        spans.push(Span::raw(next));
    } else {
        spans[0].style = draw::player(view.mover);
    }
    if let Some(value) = app.value() {
        spans.push(Span::raw(format!("  ·  {value}")));
    }
    if app.is_thinking() {
        let seconds = app.thinking_time().as_secs_f64();
        spans.push(Span::raw(format!("  ·  thinking {seconds:.1} s")));
    } else if app.paused {
        spans.push(Span::raw("  ·  Enter: the engine continues"));
    }
    Line::from(spans)
}

/// The last message, or the capture to choose.
fn message(app: &App) -> String {
    let moves = app.moves_at(app.cursor);
    match app.choosing.and_then(|at| Some((at, moves.get(at)?))) {
        None => app.message.clone(),
        Some((at, mv)) => {
            let (number, count, label) = (at + 1, moves.len(), &mv.label);
            format!("capture {number} of {count}: {label}  (Tab: next, Enter: play, Esc: cancel)")
        }
    }
}

/// The captures to choose from, the best moves, and the moves so far.
fn panel(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let mut lines: Vec<Line<'static>> = Vec::new();
    if let Some(chosen) = app.choosing {
        lines.push(Line::from("which capture?").bold());
        let moves = app.moves_at(app.cursor);
        let options = moves.iter().enumerate().map(|(at, mv)| {
            let sign = if at == chosen { '▸' } else { ' ' };
            let line = Line::from(format!("{sign} {} {}  {}", at + 1, mv.label, app.value_of(mv).unwrap_or_default()));
            if at == chosen { line.style(Modifier::BOLD) } else { line }
        });
        let room = usize::from(area.height.saturating_sub(1));
        lines.extend(options.take(room));
        let shown = (lines.len() as u16 - 1).min(area.height.saturating_sub(1));
        app.places.choices = Rect::new(area.x, area.y + 1, area.width, shown);
    } else if let Some(found) = app.analysis.as_ref().filter(|_| app.evaluating) {
        lines.push(Line::from("best moves").bold());
        // The search lists the moves it prefers first, which is not always the order of their values.
        let mut best: Vec<(ValueText, &str)> =
            found.lines.iter().take(3).map(|line| (line.into(), without_player(&line.label))).collect();
        best.sort_by(|(left, _), (right, _)| right.order(left));
        let label_and_value = |(value, label): (ValueText, &str)| format!("  {label}  {}", value.words(Tense::Move));
        lines.extend(best.into_iter().map(label_and_value).map(Line::from));
    }
    let left = usize::from(area.height).saturating_sub(lines.len());
    let log = log(app.session.past());
    if left > 1 {
        lines.push(Line::from("so far").bold());
        lines.extend(log.into_iter().rev().take(left - 1).rev());
    }
    frame.render_widget(Paragraph::new(lines), area);
}

fn log(past: &[HistoryEntry]) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (number, entry) in past.iter().enumerate() {
        if let Some((played, who)) = &entry.played {
            let player = if who.eq_ignore_ascii_case(&entry.view.players[0]) { 1 } else { 2 };
            let text = format!("{number:>3} {who} {}", without_player(&played.label));
            lines.push(Line::styled(text, draw::player(player)));
        }
        lines.extend(entry.notes.iter().map(|note| Line::from(format!("      {note}"))));
    }
    lines
}

/// The help lies over the board: the rules, the keys, and the title in full.
fn draw_help(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let board = &app.session.view().board;
    let mut lines = vec![Line::from(app.session.title()).bold(), Line::from(help::rules(board)), Line::from("")];
    lines.extend(help::keys(board).iter().map(|(key, what)| Line::from(format!("{key:<17} {what}"))));
    let width = 74.min(area.width);
    let inner = usize::from(width.saturating_sub(2)).max(1);
    let rows: usize = lines.iter().map(|line| line.width().div_ceil(inner).max(1)).sum();
    // One more line, because wrapping at words can take more than wrapping at characters.
    let height = (rows as u16 + 3).min(area.height);
    let place = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let block = Block::bordered().title(" Help: any key goes back ");
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), place);
}
