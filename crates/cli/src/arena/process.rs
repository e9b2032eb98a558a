//! A player's process: reads its lines with a time limit, and ends it in every case.

use super::player::Lapse;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How often a waiting thread checks the interrupt flag.
const LOOK: Duration = Duration::from_millis(20);
/// How long a program may take to exit after its input is closed.
const FAREWELL: Duration = Duration::from_millis(300);
/// Maximum number of unread lines. A program that prints more blocks on its pipe.
const QUEUE: usize = 1024;

/// A running program. Dropping this value ends it.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts the program in its own process group, so that its child processes can be ended with it.
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
    }
}
