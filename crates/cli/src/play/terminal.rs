//! The terminal: taken over while a game runs, and restored in every case.

use super::app::{App, Flow};
use super::screen;
use crate::failure::Failure;
use crate::interrupt;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::prelude::{CrosstermBackend, Terminal};
use std::io::{Stdout, stdout};
use std::time::{Duration, Instant};

/// How long to wait for a key before polling the engine again.
const WHILE_THINKING: Duration = Duration::from_millis(30);
const WHILE_IDLE: Duration = Duration::from_millis(500);
/// How often the displayed thinking time is updated.
const CLOCK: Duration = Duration::from_millis(100);

/// The terminal in full-screen mode. Dropping it restores the terminal.
struct Taken {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Taken {
    fn new() -> Result<Self, Failure> {
        // Installed before anything changes, so that a later failure is undone too.
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            before(panic);
        }));
        force_color_output(crate::colour::enabled());
        enable_raw_mode()?;
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture);
        let terminal = entered.and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        terminal.map(|terminal| Self { terminal }).map_err(|error| {
            give_back();
            Failure::from(error)
        })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let _ = self.terminal.show_cursor();
        give_back();
    }
}

/// Errors are ignored: the terminal may be gone.
fn give_back() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, ratatui::crossterm::cursor::Show);
    let _ = disable_raw_mode();
}

/// Plays in full-screen mode until the user quits.
pub(super) fn run(mut app: App) -> Result<(), Failure> {
    let mut taken = Taken::new()?;
    // Ctrl-C is not a signal here: it arrives as a key.
    interrupt::on_first(|| {
        give_back();
        interrupt::end_now();
    });
    let mut drawn = Instant::now();
    let mut changed = true;
    loop {
        if changed || (app.is_thinking() && drawn.elapsed() >= CLOCK) {
            taken.terminal.draw(|frame| screen::draw(&mut app, frame))?;
            drawn = Instant::now();
        }
        let wait = if app.is_thinking() { WHILE_THINKING } else { WHILE_IDLE };
        let mut waiting = event::poll(wait)?;
        changed = waiting;
        // Process all waiting events before the next redraw.
        while waiting {
            match app.update(&event::read()?)? {
                Flow::Stay => {}
                Flow::Quit => return Ok(()),
                Flow::Interrupted => return Err(interrupt::by_key()),
            }
            waiting = event::poll(Duration::ZERO)?;
        }
        changed |= app.listen()?;
    }
}
