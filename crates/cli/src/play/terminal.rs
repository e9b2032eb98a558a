//! The terminal: taken over for the length of a game, and given back whatever happens.

use super::app::{App, Flow};
use super::screen;
use crate::failure::Failure;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::prelude::{CrosstermBackend, Terminal};
use std::io::{Stdout, stdout};
use std::time::Duration;

/// How long to wait for a key before looking after the engine again.
const WHILE_THINKING: Duration = Duration::from_millis(30);
const WHILE_IDLE: Duration = Duration::from_millis(500);

/// The terminal in our hands; dropping it gives it back.
struct Taken {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Taken {
    fn new() -> Result<Self, Failure> {
        // Before anything is changed, so that whatever fails from here on is put right.
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

/// Nothing can be done about a terminal that is gone.
fn give_back() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, ratatui::crossterm::cursor::Show);
    let _ = disable_raw_mode();
}

/// Plays on the full screen until it is left.
pub(super) fn run(mut app: App) -> Result<(), Failure> {
    let mut taken = Taken::new()?;
    loop {
        taken.terminal.draw(|frame| screen::draw(&mut app, frame))?;
        let wait = if app.is_thinking() { WHILE_THINKING } else { WHILE_IDLE };
        let mut waiting = event::poll(wait)?;
        // All that has come in since is done before the next picture.
        while waiting {
            match app.update(&event::read()?)? {
                Flow::Stay => {}
                Flow::Quit => return Ok(()),
                Flow::Interrupted => return Err(Failure::Interrupted),
            }
            waiting = event::poll(Duration::ZERO)?;
        }
        app.listen()?;
    }
}
