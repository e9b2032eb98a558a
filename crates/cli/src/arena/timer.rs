//! How the time of a player is measured.

use api::Clock;

/// The clock of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    /// The time that passes for everybody.
    Wall,
    /// The time that the player's thread has computed. Other programs on the machine do not shorten it.
    Cpu,
}

impl Timer {
    /// The best clock for a match of two built-in players: that of the thread, where the system has one.
    pub(crate) const FAIREST: Self = if cfg!(unix) { Self::Cpu } else { Self::Wall };

    /// The name, as in `--timer`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }

    /// The clock. That of the processor counts only on the thread that reads it.
    pub(super) fn clock(self) -> Clock {
        match self {
            Self::Wall => Clock::default(),
            #[cfg(unix)]
            Self::Cpu => Clock::new(|| {
                let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
                std::time::Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
            }),
            #[cfg(not(unix))]
            Self::Cpu => Clock::default(),
        }
    }
}

/// Reads `wall` or `cpu`.
pub(crate) fn read(name: &str) -> Result<Timer, String> {
    match name {
        "wall" => Ok(Timer::Wall),
        "cpu" if cfg!(unix) => Ok(Timer::Cpu),
        "cpu" => Err("this system has no clock for one thread; use --timer wall".to_owned()),
        _ => Err("the timers are wall and cpu".to_owned()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn the_clock_of_the_thread_stands_while_it_sleeps_and_runs_while_it_works() {
        let clock = Timer::Cpu.clock();
        let before = clock.now();
        std::thread::sleep(Duration::from_millis(200));
        assert!(clock.now() - before < Duration::from_millis(100), "it slept");
        let (before, start) = (clock.now(), Instant::now());
        let mut word = 1;
        while clock.now() - before < Duration::from_millis(20) {
            word = std::hint::black_box(grid::mix(word));
            assert!(start.elapsed() < Duration::from_secs(60), "it stands");
        }
        // The two clocks of a virtual machine tick apart by some milliseconds.
        assert!(start.elapsed() >= Duration::from_millis(10), "a thread cannot compute more than the time that passes");
    }
}
