//! A program that plays: its lines with a time limit, and its end, whatever it does.

use super::player::Lapse;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How often someone who waits looks whether the match was interrupted.
const LOOK: Duration = Duration::from_millis(20);
/// So long a program may take to end by itself when its input ends.
const FAREWELL: Duration = Duration::from_millis(300);
/// Lines that wait to be read; a program that floods us waits in its pipe.
const QUEUE: usize = 1024;

/// A running program. It ends with this value.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts it in a process group of its own, so that whatever it starts can be ended with it.
    pub(super) fn start(words: &[String], complaints: Stdio) -> Result<Self, String> {
        let (program, arguments) = words.split_first().ok_or("no program")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("cannot start `{program}`: {error}"))?;
        let (sender, lines) = sync_channel(QUEUE);
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                    if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                        return;
                    }
                    line.clear();
                }
            });
        }
        Ok(Self { input: child.stdin.take(), child, lines })
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
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if interrupt.load(Ordering::Relaxed) => return Err(Lapse::Interrupted),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Lapse::Time),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Says how it ended.
    fn ended(&mut self) -> Lapse {
        // Its output may close a moment before it is gone.
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

    /// Ends it at once, and all it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(number) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(number)
        {
            // Gone already, as a rule.
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
    }
}
