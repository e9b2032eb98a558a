//! The terminal: taken over while a game runs, and restored in every case.

use super::app::{App, Flow};
use super::screen;
use crate::failure::Failure;
use crate::interrupt;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;
#[cfg(unix)]
use ratatui::crossterm::terminal;
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
        let terminal = take_over().and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        terminal.map(|terminal| Self { terminal }).map_err(|error| {
            give_back();
            Failure::from(error)
        })
    }

    /// Stops the program as Ctrl-Z does in other programs. Returns when the shell continues it.
    #[cfg(unix)]
    fn suspend(&mut self) -> Result<(), Failure> {
        self.terminal.show_cursor()?;
        give_back();
        let stopped = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP);
        stopped.map_err(std::io::Error::from)?;
        take_over()?;
        execute!(stdout(), terminal::Clear(terminal::ClearType::All))?;
        // A new terminal has nothing drawn yet, so the next frame is drawn whole. `Terminal::clear` would ask the
        // terminal for its cursor, which some do not answer.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

fn take_over() -> std::io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
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
pub(super) fn run(app: &mut App) -> Result<(), Failure> {
    let mut taken = Taken::new()?;
    // Signals from now on only raise the flag. Ctrl-C is not among them: it arrives as a key.
    let _ = interrupt::flag();
    let mut drawn = Instant::now();
    let mut changed = true;
    loop {
        if changed || (app.is_thinking() && drawn.elapsed() >= CLOCK) {
            taken.terminal.draw(|frame| screen::draw(app, frame))?;
            drawn = Instant::now();
        }
        let wait = if app.is_thinking() { WHILE_THINKING } else { WHILE_IDLE };
        let mut waiting = event::poll(wait)?;
        interrupt::check()?;
        changed = waiting;
        // Process all waiting events before the next redraw.
        while waiting {
            match app.update(&event::read()?)? {
                Flow::Stay => {}
                Flow::Quit => return Ok(()),
                Flow::Interrupted => return Err(interrupt::by_key()),
                #[cfg(unix)]
                Flow::Suspend => taken.suspend()?,
                #[cfg(not(unix))]
                Flow::Suspend => {}
            }
            waiting = event::poll(Duration::ZERO)?;
        }
        changed |= app.listen()?;
    }
}
