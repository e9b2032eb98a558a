//! Tests of `play` in a pseudo-terminal: it takes over the screen, plays, and restores the terminal.

#![cfg(unix)]
#![allow(missing_docs, reason = "a test")]

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Our end of the pseudo-terminal, and the program at the other end.
struct Session {
    ours: File,
    /// Kept open, so that the terminal can be inspected after the program has exited.
    theirs: File,
    before: Termios,
    child: Child,
    heard: Receiver<Vec<u8>>,
    text: String,
    /// The folder for saved games.
    state: TempDir,
}

impl Session {
    fn new(arguments: &[&str]) -> Self {
        let state = tempfile::tempdir().unwrap();
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        tcsetwinsize(&theirs, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let end = || Stdio::from(theirs.try_clone().unwrap());
        let before = tcgetattr(&theirs).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
            .args(arguments)
            .env("TERM", "xterm-256color")
            .env("XDG_STATE_HOME", state.path())
            .env_remove("NO_COLOR")
            // A group of its own, so that Ctrl-Z stops the program and not the test.
            .process_group(0)
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let ours = File::from(ours);
        let mut reader = ours.try_clone().unwrap();
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { ours, theirs, before, child, heard, text: String::new(), state }
    }

    /// Waits until the program has printed this text.
    fn see(&mut self, wanted: &str) {
        let start = Instant::now();
        while !self.text.contains(wanted) {
            match self.heard.recv_timeout(Duration::from_millis(100)) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => assert!(start.elapsed() < Duration::from_secs(40), "no {wanted:?} in {:?}", self.text),
            }
        }
    }

    /// Clears the captured output and types a text.
    fn type_keys(&mut self, keys: &str) {
        self.text.clear();
        self.ours.write_all(keys.as_bytes()).unwrap();
    }

    fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(40), "it does not end: {:?}", self.text);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the kernel reports this state of the program, such as T for stopped.
    fn wait_for_state(&mut self, wanted: char) {
        let start = Instant::now();
        let path = format!("/proc/{}/stat", self.child.id());
        let state = || std::fs::read_to_string(&path).unwrap().rsplit(") ").next().and_then(|rest| rest.chars().next());
        while state() != Some(wanted) {
            assert!(start.elapsed() < Duration::from_secs(40), "state {:?} instead of {wanted}", state());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal).unwrap();
    }

    /// Checks that the terminal is restored: main screen, mouse released, cursor shown, line editing and echo on.
    fn is_restored(&mut self) {
        for code in ["\u{1b}[?1049l", "\u{1b}[?1000l", "\u{1b}[?25h"] {
            self.see(code);
        }
        let after = tcgetattr(&self.theirs).unwrap();
        assert!(after.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG));
        assert_eq!(after.local_modes, self.before.local_modes);
        assert_eq!(after.input_modes, self.before.input_modes);
        assert_eq!(after.output_modes, self.before.output_modes);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A failed test must not leave the program running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn ultimate_tic_tac_toe_takes_the_terminal_and_gives_it_back() {
    let mut session = Session::new(&["uttt", "play", "--time", "50ms", "--memory", "16M"]);
    session.see("\u{1b}[?1049h");
    session.see("q quit");
    assert!(!tcgetattr(&session.theirs).unwrap().local_modes.contains(LocalModes::ICANON));
    session.type_keys("\u{1b}[A\u{1b}[C\r");
    session.see("played");
    session.type_keys("?");
    session.see("Help:");
    session.type_keys(" q");
    assert_eq!(session.end().code(), Some(0));
    session.is_restored();
}

#[test]
fn triple_triad_is_played_with_the_mouse() {
    let mut session = Session::new(&["triad", "play", "--seed", "7"]);
    session.see("q quit");
    // The third card, then the centre, in the terminal's coordinates from 1.
    session.type_keys("\u{1b}[<0;5;9M\u{1b}[<0;5;9m\u{1b}[<0;40;10M\u{1b}[<0;40;10m");
    session.see("played");
    session.see("\u{1b}[0m");
    session.type_keys("q");
    assert_eq!(session.end().code(), Some(0));
    session.is_restored();
}

#[test]
fn control_c_leaves_a_thinking_engine_at_once() {
    let mut session = Session::new(&["uttt", "play", "--you", "O", "--time", "10m", "--memory", "16M"]);
    session.see("thinking");
    session.type_keys("\u{3}");
    let start = Instant::now();
    assert_eq!(session.end().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(10));
    session.is_restored();
}

#[test]
fn a_signal_from_outside_gives_the_terminal_back_too() {
    let mut session = Session::new(&["cephalopods", "play", "--you", "both"]);
    session.see("q quit");
    session.type_keys("j\r");
    session.see("1 A 7");
    session.signal(rustix::process::Signal::TERM);
    assert_eq!(session.end().code(), Some(128 + 15));
    session.is_restored();
}

#[test]
fn plain_is_plain_on_a_terminal_too_and_colours_are_a_matter_of_choice() {
    let mut session = Session::new(&["uttt", "play", "--plain", "--color", "never", "--time", "20ms"]);
    session.see("your move, X:");
    session.type_keys("e5\nquit\n");
    session.see("engine: ");
    session.see("To resume it: ninefold uttt play --load ");
    assert_eq!(session.end().code(), Some(0));
    assert!(!session.text.contains('\u{1b}'), "{:?}", session.text);
    let mut session = Session::new(&["uttt", "show"]);
    assert_eq!(session.end().code(), Some(0));
    session.see("\u{1b}[0;2m");
}

/// `/proc` tells when the program is stopped.
#[cfg(target_os = "linux")]
#[test]
fn control_z_suspends_and_returns_to_the_same_screen() {
    let mut session = Session::new(&["uttt", "play", "--you", "both"]);
    session.see("q quit");
    session.type_keys("\r");
    session.see("1 X e5");
    for _ in 0..2 {
        session.type_keys("\u{1a}");
        session.wait_for_state('T');
        session.is_restored();
        session.text.clear();
        session.signal(rustix::process::Signal::CONT);
        session.see("\u{1b}[?1049h");
        // The whole screen is drawn again.
        session.see("1 X e5");
        session.see("q quit");
        assert!(!tcgetattr(&session.theirs).unwrap().local_modes.contains(LocalModes::ICANON));
    }
    session.type_keys("q");
    assert_eq!(session.end().code(), Some(0));
    session.is_restored();
}

#[test]
fn quitting_saves_the_game_and_prints_how_to_resume() {
    let mut session = Session::new(&["uttt", "play", "--you", "both", "--rule", "open"]);
    session.see("q quit");
    session.type_keys("\r");
    session.see("1 X e5");
    session.type_keys("q");
    assert_eq!(session.end().code(), Some(0));
    session.see("To resume it: ninefold uttt play --load ");
    let file = session.state.path().join("ninefold/uttt-1.jsonl");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.ends_with("}\n") && saved.contains(r#""move":"ee""#), "{saved}");

    let mut again = Session::new(&["uttt", "play", "--load", file.to_str().unwrap()]);
    again.see("open rule");
    again.see("you play both");
    again.see("1 X e5");
    again.type_keys("\r");
    again.see("2 O ");
    again.type_keys("q");
    assert_eq!(again.end().code(), Some(0));
    again.see("To resume it");
    assert_eq!(std::fs::read_to_string(&file).unwrap().matches("\"move\"").count(), 2, "saved to the same file");
    assert_eq!(std::fs::read_dir(again.state.path()).unwrap().count(), 0, "and to no other");

    // Nothing was played, so nothing is saved.
    let mut idle = Session::new(&["cephalopods", "play"]);
    idle.see("q quit");
    idle.type_keys("q");
    assert_eq!(idle.end().code(), Some(0));
    assert_eq!(std::fs::read_dir(idle.state.path()).unwrap().count(), 0);
}

#[test]
fn a_match_updates_its_score_in_one_line() {
    let players = ["match", "--game", "cephalopods", "builtin:level=5", "builtin:level=5"];
    let mut session = Session::new(&[&players[..], &["--nodes", "50", "--games", "12"]].concat());
    session.see("score after 2 games: +");
    // The line is cleared before the result is printed.
    session.see("\u{1b}[2KA  builtin");
    session.see("Forfeits: A none; B none");
    assert!(session.end().success());
}
