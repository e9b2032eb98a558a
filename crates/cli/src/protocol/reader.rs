//! The thread that reads standard input: complete lines of limited length.

use super::Event;
use std::io::BufRead;
use std::sync::mpsc::SyncSender;

/// Longest line. No position with all its moves is as long.
const LONGEST: usize = 1 << 20;

/// Starts the thread. It sends every line, then the end of the input.
pub(super) fn start(events: SyncSender<Event>) {
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = line(&mut input) {
            if events.send(line.map_or(Event::TooLong, Event::Line)).is_err() {
                return;
            }
        }
        // Fails only if the loop has ended.
        let _ = events.send(Event::End);
    });
}

/// Reads the next line. `None` at the end of the input, `Some(None)` for a line that is too long; its bytes are not
/// kept.
fn line(input: &mut impl BufRead) -> Option<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut length = 0_usize;
    loop {
        let Ok(part) = input.fill_buf() else { return None };
        if part.is_empty() {
            return (length > 0).then(|| (length <= LONGEST).then_some(line));
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(part.len());
        length = length.saturating_add(taken);
        if length <= LONGEST {
            line.extend_from_slice(&part[..taken]);
        }
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Some((length <= LONGEST).then_some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_none_is_too_long() {
        let long = vec![b'x'; LONGEST + 1];
        let text = [b"one\r\n\ntwo\xff\n".as_slice(), &long, b"\n", &long[1..], b"\nlast"].concat();
        let mut input = std::io::BufReader::with_capacity(1000, &text[..]);
        let mut next = || line(&mut input);
        assert_eq!(next(), Some(Some(b"one\r".to_vec())));
        assert_eq!(next(), Some(Some(Vec::new())));
        assert_eq!(next(), Some(Some(b"two\xff".to_vec())));
        assert_eq!(next(), Some(None));
        assert_eq!(next(), Some(Some(long[1..].to_vec())));
        assert_eq!(next(), Some(Some(b"last".to_vec())));
        assert_eq!(next(), None);
    }
}
