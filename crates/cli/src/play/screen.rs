//! Draws the full screen: a title line, the board, a panel if there is room, and three lines at the bottom.

use super::app::{App, Places};
use super::session::HistoryEntry;
use crate::draw;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

/// Height of the title line and the three bottom lines.
const LINES: u16 = 4;
/// Smallest useful width and height of a panel.
const PANEL: (u16, u16) = (26, 3);

const KEYS: &str = "arrows move  Enter plays  u undo  r redo  i hint  e evaluate  ? help  q quit";

/// Draws the whole screen.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let picture = draw::picture(app.session.view(), &app.marks());
    let (width, height) = (picture.area.width, picture.area.height);
    app.places = Places::default();
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
    frame.render_widget(Paragraph::new(head(app)).style(Style::new().add_modifier(Modifier::BOLD)), row(0));
    let board = Rect::new(area.x, area.y + 1, width, height);
    for y in 0..height {
        for x in 0..width {
            frame.buffer_mut()[(board.x + x, board.y + y)] = picture[(x, y)].clone();
        }
    }
    app.places.board = board;
    let room = area.height - LINES;
    if area.width >= width + 2 + PANEL.0 {
        panel(app, frame, Rect::new(board.right() + 2, board.y, area.width - width - 2, room));
    } else if room >= height + PANEL.1 {
        panel(app, frame, Rect::new(area.x, board.bottom(), area.width, room - height));
    }
    frame.render_widget(Paragraph::new(status(app)), row(area.height - 3));
    frame.render_widget(Paragraph::new(message(app)), row(area.height - 2));
    frame.render_widget(Paragraph::new(KEYS).style(Style::new().add_modifier(Modifier::DIM)), row(area.height - 1));
    if app.help {
        help(app, frame);
    }
    if !crate::colour::enabled() && !cfg!(test) {
        for cell in &mut frame.buffer_mut().content {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
    }
}

fn head(app: &App) -> String {
    let session = &app.session;
    let players = &session.view().players;
    format!("{} · {} · level {}", session.title(), session.humans.words(players), app.strength.level)
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
            None if app.session.goes_on() => "; sudden death: Enter deals the next game".to_owned(),
            None => "; n for a new game".to_owned(),
        };
        spans.push(Span::raw(next));
    } else {
        spans[0].style = draw::player(view.mover);
    }
    if let Some(worth) = app.worth() {
        spans.push(Span::raw(format!("  ·  {worth}")));
    }
    if app.is_thinking() {
        let seconds = app.thinking_time().as_secs_f64();
        spans.push(Span::raw(format!("  ·  thinking {seconds:.1} s")));
    } else if app.paused {
        spans.push(Span::raw("  ·  Enter lets the engine go on"));
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
            format!(
                "capture {number} of {count}: {label}; Tab, a number or a click for another, Enter makes it, Esc leaves it"
            )
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
            let line = Line::from(format!("{sign} {} {}  {}", at + 1, mv.label, app.worth_of(mv).unwrap_or_default()));
            if at == chosen { line.style(Modifier::BOLD) } else { line }
        });
        let room = usize::from(area.height.saturating_sub(1));
        lines.extend(options.take(room));
        let shown = (lines.len() as u16 - 1).min(area.height.saturating_sub(1));
        app.places.choices = Rect::new(area.x, area.y + 1, area.width, shown);
    } else if let Some(found) = app.analysis.as_ref().filter(|_| app.evaluating) {
        lines.push(Line::from("best moves").bold());
        let moves = &app.session.view().moves;
        for line in found.lines.iter().take(3) {
            let label = moves.iter().find(|mv| mv.mv == line.mv).map_or(line.label.as_str(), |mv| mv.label.as_str());
            lines.push(Line::from(format!("  {label}  {}", draw::ValueText::from(line).words(draw::Tense::Move))));
        }
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
    for (number, stand) in past.iter().enumerate() {
        if let Some((played, who)) = &stand.played {
            let player = if *who == stand.view.players[0] { 1 } else { 2 };
            // The labels of Triple Triad already name the player.
            let label = played.label.strip_prefix(&format!("{who}:")).unwrap_or(&played.label);
            let text = format!("{number:>3} {who} {label}");
            lines.push(Line::styled(text, draw::player(player)));
        }
        lines.extend(stand.notes.iter().map(|note| Line::from(format!("      {note}"))));
    }
    lines
}

const HELP: &[&str] = &[
    "arrows, h j k l   move the cursor",
    "Enter, space      make the move (or let the engine go on)",
    "mouse             click a cell to play there, a card to take it",
    "Tab, 1 to 5       take another card, or another capture",
    "u / r             undo / redo",
    "i                 hint: the best move",
    "e                 evaluation of every legal move, on and off",
    "+ / -             engine strength, 1 to 10",
    "s                 who is human: first, second, both, none",
    "n                 new game",
    "q, Ctrl-C         quit",
];

fn help(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let mut lines: Vec<Line<'_>> = HELP.iter().map(|line| Line::from(*line)).collect();
    lines.push(Line::from(""));
    lines.push(Line::from(app.session.how_to_move()));
    let width = 68.min(area.width);
    let height = (lines.len() as u16 + 4).min(area.height);
    let place = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let block = Block::bordered().title(" Help: any key goes back ");
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), place);
}
