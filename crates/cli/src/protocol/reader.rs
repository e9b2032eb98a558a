//! The thread that reads standard input: complete lines of limited length.

use super::Event;
use crate::input::{RawLine, raw_line};
use std::sync::mpsc::SyncSender;

/// Starts the thread. It sends every line, then the end of the input.
pub(super) fn start(events: SyncSender<Event>) -> std::io::Result<()> {
    let read = move || {
        let mut input = std::io::stdin().lock();
        while let Ok(Some(line)) = raw_line(&mut input) {
            let event = match line {
                RawLine::Bytes(line) => Event::Line(line),
                RawLine::TooLong => Event::TooLong,
            };
            if events.send(event).is_err() {
                return;
            }
        }
        // Fails only if the loop has ended.
        let _ = events.send(Event::End);
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}
