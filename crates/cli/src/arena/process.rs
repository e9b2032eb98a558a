//! A player's process: reads its lines with a time limit, and ends it in every case.
//!
//! What a program prints may be endless, and may contain control characters that a terminal would obey. So its lines are
//! bounded and cleaned where they are read.

use super::player::Lapse;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How often a waiting thread checks the interrupt flag.
const LOOK: Duration = Duration::from_millis(20);
/// How long a program may take to exit after its input is closed.
const FAREWELL: Duration = Duration::from_millis(300);
/// Maximum length of a line in bytes. A program that prints a longer one has failed.
const LONGEST_LINE: usize = 1 << 20;
/// Maximum number of unread lines. A program that prints more blocks on its pipe. Together with the length this bounds
/// the memory to 64 MiB.
const QUEUE: usize = 64;
/// Maximum number of characters of a line that are shown to people.
const SHOWN: usize = 200;

/// Where the standard error of a program goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Complaints {
    /// To our standard error, with the name of the player.
    Shown(char),
    /// Nowhere.
    Dropped,
}

/// A running program. Dropping this value ends it.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    /// An error means that a line was too long.
    lines: Receiver<Result<String, TooLong>>,
    /// Disconnected when the standard error has been shown to its end.
    complaints: Option<Receiver<()>>,
}

struct TooLong;

/// Reads a line of at most [`LONGEST_LINE`] bytes; `None` at the end. Control characters are replaced.
fn read_line(source: &mut impl BufRead) -> Option<Result<String, TooLong>> {
    let mut line = Vec::new();
    source.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line).ok().filter(|length| *length > 0)?;
    if line.len() > LONGEST_LINE {
        return Some(Err(TooLong));
    }
    let clean = |symbol: char| match symbol {
        '\t' => ' ',
        _ if symbol.is_control() => '\u{fffd}',
        _ => symbol,
    };
    Some(Ok(String::from_utf8_lossy(&line).trim().chars().map(clean).collect()))
}

/// The start of a line, for messages.
pub(super) fn shown(line: &str) -> String {
    let mut text: String = line.chars().take(SHOWN).collect();
    if text.len() < line.len() {
        text.push('\u{2026}');
    }
    text
}

/// Starts a thread that reads what a program writes.
fn thread(read: impl FnOnce() + Send + 'static) -> Result<(), String> {
    std::thread::Builder::new().spawn(read).map(drop).map_err(|error| format!("cannot start a thread: {error}"))
}

impl Process {
    /// Starts the program in its own process group, so that its child processes can be ended with it.
    pub(super) fn start(words: &[String], complaints: Complaints) -> Result<Self, String> {
        let (program, arguments) = words.split_first().ok_or("no program")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if complaints == Complaints::Dropped { Stdio::null() } else { Stdio::piped() });
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("cannot start `{program}`: {error}"))?;
        let (sender, lines) = sync_channel(QUEUE);
        if let Some(output) = child.stdout.take() {
            thread(move || {
                let mut output = BufReader::new(output);
                while let Some(line) = read_line(&mut output) {
                    let failed = line.is_err();
                    if sender.send(line).is_err() || failed {
                        return;
                    }
                }
            })?;
        }
        let complaints = child.stderr.take().zip(match complaints {
            Complaints::Shown(name) => Some(name),
            Complaints::Dropped => None,
        });
        let show = |(errors, name)| {
            let (done, ended) = sync_channel(0);
            thread(move || {
                // Dropped at the end of this thread.
                let _done = done;
                let mut errors = BufReader::new(errors);
                while let Some(line) = read_line(&mut errors) {
                    let line = line.unwrap_or_else(|TooLong| "(a line longer than 1 MiB)".to_owned());
                    crate::output::note(format_args!("{name}: {}", shown(&line)));
                }
            })?;
            Ok::<_, String>(ended)
        };
        let complaints = complaints.map(show).transpose()?;
        Ok(Self { input: child.stdin.take(), child, lines, complaints })
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Lapse> {
        let sent = self.input.as_mut().map(|input| input.write_all(format!("{line}\n").as_bytes()).and(input.flush()));
        if matches!(sent, Some(Ok(()))) { Ok(()) } else { Err(self.ended()) }
    }

    /// The next line.
    pub(super) fn line(&mut self, until: Instant, interrupt: &AtomicBool) -> Result<String, Lapse> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Ok(line)) => return Ok(line),
                Ok(Err(TooLong)) => return Err(Lapse::Crash("it printed a line longer than 1 MiB".to_owned())),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if interrupt.load(Ordering::Relaxed) => return Err(Lapse::Interrupted),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Lapse::Time),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Describes how the program ended.
    fn ended(&mut self) -> Lapse {
        // Its output may close shortly before it exits.
        let status = self.wait(FAREWELL);
        Lapse::Crash(status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string()))
    }

    fn wait(&mut self, most: Duration) -> Option<std::process::ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if start.elapsed() < most => std::thread::sleep(Duration::from_millis(2)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    /// Kills the program and all its child processes.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(number) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(number)
        {
            // Usually it has already exited.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        self.wait(FAREWELL);
        self.kill();
        // Its last words explain why it failed. A process of another group may keep the pipe open, so the wait is
        // bounded.
        if let Some(complaints) = &self.complaints {
            let _ = complaints.recv_timeout(FAREWELL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_clean() {
        let mut text = b"\x1b[31mred\x07\tend\r\n\nbad \xff\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', LONGEST_LINE - 1));
        text.push(b'\n');
        text.extend(std::iter::repeat_n(b'y', LONGEST_LINE + 1));
        let mut source = BufReader::new(&text[..]);
        let mut next = || read_line(&mut source).unwrap();
        assert_eq!(next().ok().unwrap(), "\u{fffd}[31mred\u{fffd} end");
        assert_eq!(next().ok().unwrap(), "");
        assert_eq!(next().ok().unwrap(), "bad \u{fffd}");
        assert_eq!(next().ok().unwrap().len(), LONGEST_LINE - 1);
        assert!(next().is_err());
        assert!(read_line(&mut source).is_none());
        assert_eq!(shown(&"z".repeat(1000)).chars().count(), SHOWN + 1);
    }
}
