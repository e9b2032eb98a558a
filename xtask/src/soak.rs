//! Mixed traffic on the release build for minutes: well-behaved clients, wrong questions, clients that vanish, slow readers.
//!
//! No request may fail, the memory must stay level, and after the last client has gone the server must be idle, have closed all
//! connections, and stop in order. Everything runs on the loopback address, with a fixed seed, and is limited in time.

mod traffic;

use crate::process::{Outcome, run as start};
use crate::program::{self, Server};
use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use traffic::{CLIENTS, Manner, Random};

/// The time of the step of `cargo xtask test`.
const SHORT: Duration = Duration::from_secs(20);

/// The first part of the run, in which the sessions of the server fill: its memory is not compared.
const WARM_UP: f64 = 0.25;

/// The memory at the end may exceed that after the warm-up by a tenth and by this, since searches come and go.
const TOLERANCE_KIB: u64 = 24 * 1024;

/// A short run is all warm-up. The sessions that this traffic can fill take less than this.
const SHORT_KIB: u64 = 640 * 1024;

/// A bound on the visits of one client, beside the time.
const MOST_VISITS: usize = 1_000_000;

/// What the clients have seen.
#[derive(Default)]
struct Tally {
    visits: usize,
    answers: usize,
    /// Microseconds of small questions.
    small: Vec<u32>,
    failures: Vec<String>,
}

/// The short form.
pub(crate) fn step() -> Outcome {
    soak(SHORT, |_| SHORT_KIB)
}

/// Soaks for this number of minutes.
pub(crate) fn minutes(text: &str) -> Outcome {
    let minutes = text.parse::<u64>().ok().filter(|minutes| (1..=24 * 60).contains(minutes));
    soak(Duration::from_secs(60 * minutes.ok_or("--minutes takes a number from 1 to 1440")?), level_limit)
}

/// The limit of the memory at the end of a long run, by the memory after the warm-up.
fn level_limit(warm: u64) -> u64 {
    warm + warm / 10 + TOLERANCE_KIB
}

/// `limit` gives the limit of the memory at the end.
fn soak(time: Duration, limit: fn(u64) -> u64) -> Outcome {
    let mut server = Server::start(&program::release()?)?;
    let address = server.address.trim_start_matches("http://").trim_end_matches('/');
    let address: SocketAddr = address.parse().map_err(|_| format!("`{address}` is no address"))?;
    let process = server.child.id();
    let before = open_files(process)?;
    println!("{} clients for {} s", CLIENTS.len(), time.as_secs());
    let tally = Mutex::new(Tally::default());
    let deadline = Instant::now() + time;
    let mut memory = Vec::new();
    thread::scope(|scope| {
        for (number, &manner) in CLIENTS.iter().enumerate() {
            let tally = &tally;
            scope.spawn(move || drive(manner, address, Random(number as u64), deadline, tally));
        }
        while Instant::now() < deadline {
            thread::sleep(Duration::from_millis(200));
            memory.push(memory_kib(process));
        }
    });
    let memory = memory.into_iter().collect::<Outcome<Vec<u64>>>()?;
    let tally = tally.into_inner().map_err(|_| "a client panicked")?;
    let level = report(tally, &memory, limit);
    let quiet = becomes_quiet(process, before);
    start(Command::new("kill").args(["-TERM", &process.to_string()]))?;
    let status = server.child.wait().map_err(|error| error.to_string())?;
    level?;
    quiet?;
    if status.success() { Ok(()) } else { Err(format!("the server ended with {status}")) }
}

/// One client after the other, of one manner, until the time is over.
fn drive(manner: Manner, address: SocketAddr, mut random: Random, deadline: Instant, tally: &Mutex<Tally>) {
    for _ in 0..MOST_VISITS {
        if Instant::now() >= deadline {
            return;
        }
        let outcome = traffic::visit(manner, address, &mut random);
        let Ok(mut tally) = tally.lock() else { return };
        tally.visits += 1;
        match outcome {
            Ok(times) => {
                tally.answers += times.len();
                if manner == Manner::Small {
                    tally.small.extend(times.iter().map(|time| time.as_micros() as u32));
                }
            }
            Err(fault) => tally.failures.push(fault),
        }
    }
}

/// Prints the figures. An error if a request failed or the memory grew.
fn report(mut tally: Tally, memory: &[u64], limit: fn(u64) -> u64) -> Outcome {
    tally.small.sort_unstable();
    let percentile = |percent: usize| {
        let micros = tally.small.get(tally.small.len() * percent / 100).copied().unwrap_or_default();
        f64::from(micros) / 1e3
    };
    println!("{} visits, {} answers, {} failures", tally.visits, tally.answers, tally.failures.len());
    println!("small questions: median {:.1} ms, p99 {:.1} ms", percentile(50), percentile(99));
    let [warm, middle, end] = levels(memory);
    let mib = |kib: u64| kib as f64 / 1024.0;
    println!(
        "memory: {:.0} MiB after the warm-up, {:.0} in the middle, {:.0} at the end",
        mib(warm),
        mib(middle),
        mib(end)
    );
    // Each message once.
    tally.failures.sort_unstable();
    tally.failures.dedup();
    tally.failures.truncate(10);
    if !tally.failures.is_empty() {
        return Err(format!("requests failed:\n  {}", tally.failures.join("\n  ")));
    }
    if tally.answers == 0 {
        return Err("there were no answers".to_owned());
    }
    if end > limit(warm) {
        return Err(format!("the memory grew from {:.0} to {:.0} MiB", mib(warm), mib(end)));
    }
    Ok(())
}

/// The highest memory in a quarter of the run: after the warm-up, in the middle, at the end. Searches make it go up and down, so
/// single values mean little.
fn levels(memory: &[u64]) -> [u64; 3] {
    let quarter = memory.len() / 4;
    let first = (memory.len() as f64 * WARM_UP) as usize;
    let starts = [first, (first + memory.len() - quarter) / 2, memory.len() - quarter];
    starts.map(|start| memory[start..start + quarter].iter().copied().max().unwrap_or_default())
}

/// Waits until no search runs and all connections are closed. Processor time does not depend on what else the machine does.
fn becomes_quiet(process: u32, files: usize) -> Outcome {
    // Longer than the server keeps an idle connection.
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut ticks = processor_ticks(process)?;
    loop {
        thread::sleep(Duration::from_secs(1));
        let (now, open) = (processor_ticks(process)?, open_files(process)?);
        // A tick is 10 ms.
        if now - ticks <= 5 && open <= files {
            println!("quiet after the last client: no search, no connection");
            return Ok(());
        }
        if Instant::now() > deadline {
            let busy = 10 * (now - ticks);
            return Err(format!(
                "without clients the server used {busy} ms of a second and had {open} files open, not {files}"
            ));
        }
        ticks = now;
    }
}

fn proc_file(process: u32, name: &str) -> Outcome<String> {
    let path = format!("/proc/{process}/{name}");
    fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
}

fn memory_kib(process: u32) -> Outcome<u64> {
    let status = proc_file(process, "status")?;
    let field = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    field.trim().trim_end_matches(" kB").parse().map_err(|_| "the server has ended".to_owned())
}

/// User and system time.
fn processor_ticks(process: u32) -> Outcome<u64> {
    let stat = proc_file(process, "stat")?;
    // The name of the program may contain spaces; it ends at the last parenthesis.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<u64>().ok());
    Ok(ticks(11).zip(ticks(12)).map(|(user, system)| user + system).ok_or("/proc has no times")?)
}

fn open_files(process: u32) -> Outcome<usize> {
    let path = format!("/proc/{process}/fd");
    Ok(fs::read_dir(&path).map_err(|error| format!("{path}: {error}"))?.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(failures: &[&str]) -> Tally {
        let failures = failures.iter().map(|fault| (*fault).to_owned()).collect();
        Tally { visits: 1, answers: 1, small: vec![1000], failures }
    }

    #[test]
    fn growth_and_failures_are_faults() {
        let level = [200_000; 100];
        let growing: Vec<u64> = (0..100).map(|second| 100_000 + 2000 * second).collect();
        // Memory that only the warm-up takes is no fault.
        let warming: Vec<u64> = (0..100).map(|second| if second < 20 { 10_000 * second } else { 200_000 }).collect();
        assert_eq!(report(tally(&[]), &level, level_limit), Ok(()));
        assert_eq!(report(tally(&[]), &warming, level_limit), Ok(()));
        assert!(report(tally(&[]), &growing, level_limit).is_err_and(|fault| fault.contains("the memory grew")));
        assert!(report(tally(&["cut off"]), &level, level_limit).is_err_and(|fault| fault.contains("cut off")));
        assert!(report(Tally::default(), &[], level_limit).is_err());
    }
}
