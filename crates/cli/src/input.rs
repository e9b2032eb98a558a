//! Standard input, and files given by name: the one place where the program reads text.
//!
//! `-` stands for standard input. A line has a length limit, so an endless one never fills the memory. Text that is not UTF-8
//! and lines that are too long are usage errors, with the line number.

use crate::failure::Failure;
use crate::interrupt;
use std::io::{self, BufRead, BufReader, Read, Stdin};
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Longest line. No position with all its moves is as long.
const LONGEST_LINE: usize = 1 << 20;
/// Longest file that is read as a whole.
const LONGEST_FILE: u64 = 1 << 30;

/// A line as it was read.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum RawLine {
    /// A line without its end.
    Bytes(Vec<u8>),
    /// A line that exceeds the length limit; its bytes are not kept.
    TooLong,
}

/// Reads the next line; `None` at the end of the input.
pub(crate) fn raw_line(input: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    let mut line = Vec::new();
    let mut length = 0_usize;
    let whole = |line, length| if length <= LONGEST_LINE { RawLine::Bytes(line) } else { RawLine::TooLong };
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            return Ok((length > 0).then(|| whole(line, length)));
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(part.len());
        length = length.saturating_add(taken);
        if length <= LONGEST_LINE {
            line.extend_from_slice(&part[..taken]);
        }
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(whole(line, length)));
        }
    }
}

/// One buffer for the whole program: what one reader has taken in is not lost for the next.
static STDIN: LazyLock<Mutex<BufReader<Stdin>>> = LazyLock::new(|| Mutex::new(BufReader::new(io::stdin())));

fn stdin() -> MutexGuard<'static, BufReader<Stdin>> {
    STDIN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lines of standard input.
#[derive(Default)]
pub(crate) struct Lines {
    /// The number of the last line.
    number: usize,
}

impl Lines {
    /// The number of the line that was read last, from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Whether the next line has already arrived.
    pub(crate) fn is_waiting(&self) -> bool {
        stdin().buffer().contains(&b'\n')
    }

    /// The next line, without its end; `None` at the end of the input. A signal meanwhile ends the program.
    pub(crate) fn next(&mut self) -> Result<Option<String>, Failure> {
        let read = interrupt::while_waiting(|| raw_line(&mut *stdin()))?;
        self.number += usize::from(!matches!(read, Ok(None)));
        let wrong = |what: &str| Err(Failure::Usage(format!("standard input, line {}: {what}", self.number)));
        match read {
            Ok(None) => Ok(None),
            Ok(Some(RawLine::TooLong)) => wrong("longer than 1 MiB"),
            Ok(Some(RawLine::Bytes(mut bytes))) => {
                if bytes.last() == Some(&b'\r') {
                    bytes.pop();
                }
                String::from_utf8(bytes).map(Some).or_else(|_| wrong("not UTF-8"))
            }
            Err(error) => Err(Failure::Run(format!("standard input: {error}"))),
        }
    }

    /// The next line that is neither empty nor a comment, trimmed.
    pub(crate) fn next_text(&mut self) -> Result<Option<String>, Failure> {
        while let Some(line) = self.next()? {
            let text = line.trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(text.to_owned()));
            }
        }
        Ok(None)
    }
}

/// Passes each text to `each`, in order: the arguments, and for `-` one per line of standard input. Without arguments it
/// is called once with `None`. An error names the line.
pub(crate) fn each_text<T: AsRef<str>>(
    texts: &[T],
    mut each: impl FnMut(Option<&str>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if texts.is_empty() {
        return each(None);
    }
    for text in texts.iter().map(AsRef::as_ref) {
        if text != "-" {
            each(Some(text))?;
            continue;
        }
        let mut lines = Lines::default();
        while let Some(line) = lines.next_text()? {
            each(Some(&line)).map_err(|failure| failure.at_line(lines.number()))?;
        }
    }
    Ok(())
}

/// The name of a file in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a whole file; `-` is standard input.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = name_of(path);
    let mut bytes = Vec::new();
    let mut read = |input: &mut dyn Read| input.take(LONGEST_FILE + 1).read_to_end(&mut bytes);
    let read = if path == Path::new("-") {
        interrupt::while_waiting(|| read(&mut *stdin()))?
    } else {
        std::fs::File::open(path).and_then(|mut file| read(&mut file))
    };
    match read {
        Ok(length) if length as u64 > LONGEST_FILE => Err(Failure::Usage(format!("{name}: longer than 1 GiB"))),
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::Run(format!("{name}: {error}"))),
    }
}

/// Reads a whole text file; `-` is standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Failure::Usage(format!("{}, line {line}: not UTF-8", name_of(path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_none_is_too_long() {
        let long = vec![b'x'; LONGEST_LINE + 1];
        let text = [b"one\r\n\ntwo\xff\n".as_slice(), &long, b"\n", &long[1..], b"\nlast"].concat();
        let mut input = BufReader::with_capacity(1000, &text[..]);
        let mut next = || raw_line(&mut input).unwrap();
        let bytes = |text: &[u8]| Some(RawLine::Bytes(text.to_vec()));
        assert_eq!(next(), bytes(b"one\r"));
        assert_eq!(next(), bytes(b""));
        assert_eq!(next(), bytes(b"two\xff"));
        assert_eq!(next(), Some(RawLine::TooLong));
        assert_eq!(next(), bytes(&long[1..]));
        assert_eq!(next(), bytes(b"last"));
        assert_eq!(next(), None);
    }
}
