//! Tests of the control: limits are exact, flags and deadlines stop a call, progress is throttled.

use super::*;
use std::sync::Mutex;

#[test]
fn a_node_limit_is_exact() {
    for limit in [0, 1, 5, 1023, 1024, 1025, 5000] {
        let control = Control::new().node_limit(limit);
        let mut meter = control.meter();
        assert_eq!(meter.count_to(10_000), limit);
        assert_eq!((meter.nodes(), meter.stopped_by()), (limit, Some(Stop::Nodes)));
        drop(meter);
        assert_eq!((control.nodes(), control.nodes_left()), (limit, Some(0)));
    }
}

#[test]
fn threads_together_spend_exactly_the_limit() {
    let control = Control::new().node_limit(100_001).threads(4);
    let paid = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| paid.fetch_add(control.meter().count_to(1_000_000), Relaxed));
        }
    });
    assert_eq!(paid.into_inner(), 100_001);
}

#[test]
fn a_raised_flag_and_a_past_deadline_stop_at_the_next_look() {
    let flag = Arc::new(AtomicBool::new(false));
    let control = Control::new().cancel(flag.clone());
    let mut meter = control.meter();
    assert!(meter.pay());
    flag.store(true, Relaxed);
    assert!(meter.count_to(10_000) < Meter::STRIDE);
    assert_eq!((meter.stopped_by(), control.check()), (Some(Stop::Cancelled), Err(Stop::Cancelled)));

    // A part stops by its own flag and by that of the whole call.
    let [own, whole] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let control = Control::new().cancel(whole.clone());
    let part = control.part().cancel(own.clone());
    assert!(!part.part().is_cancelled());
    own.store(true, Relaxed);
    assert_eq!((part.part().stop(), control.stop()), (Some(Stop::Cancelled), None));
    own.store(false, Relaxed);
    whole.store(true, Relaxed);
    assert!(part.part().is_cancelled() && part.part().is_limited());

    let control = Control::new().time_limit(Duration::ZERO);
    let mut meter = control.meter();
    assert!(!meter.pay());
    assert_eq!((meter.stopped_by(), control.nodes()), (Some(Stop::Time), 0));
    assert!(Control::new().time_limit(Duration::MAX).meter().pay());
}

#[test]
fn a_part_spends_from_the_whole_and_never_more() {
    let control = Control::new().node_limit(1000);
    let part = control.part().node_limit(300);
    assert_eq!(part.meter().count_to(9999), 300);
    assert_eq!(control.nodes_left(), Some(700));
    let rest = control.part();
    assert_eq!(rest.meter().count_to(9999), 700);
    assert_eq!(control.stop(), Some(Stop::Nodes));
    let control = Control::new().time_limit(Duration::ZERO);
    assert_eq!(control.part().time_limit(Duration::from_secs(9)).stop(), Some(Stop::Time));
}

#[test]
fn the_threads_of_a_control_are_those_of_its_parts() {
    let control = Control::new().threads(3);
    assert_eq!((control.thread_count(), control.part().thread_count()), (3, 3));
}

#[test]
fn a_clock_can_be_supplied() {
    static NOW: AtomicU64 = AtomicU64::new(0);
    let clock = Clock::new(|| Duration::from_millis(NOW.load(Relaxed)));
    let control = Control::new().clock(clock).time_limit(Duration::from_millis(10));
    assert_eq!(control.stop(), None);
    NOW.store(10, Relaxed);
    assert_eq!((control.stop(), control.elapsed()), (Some(Stop::Time), Duration::from_millis(10)));
}

#[test]
fn progress_is_throttled_and_carries_what_is_known() {
    static NOW: AtomicU64 = AtomicU64::new(0);
    let clock = Clock::new(|| Duration::from_millis(NOW.load(Relaxed)));
    let events = Mutex::new(Vec::new());
    let listener = |progress: &Progress<'_>| {
        events.lock().unwrap().push((progress.nodes, progress.done, progress.partial::<u32>().copied()));
    };
    let control = Control::new().clock(clock).progress(&listener);
    control.report(1, 9);
    control.report(2, 9);
    NOW.store(60, Relaxed);
    // A part whose partial answers have another type.
    let translate = |progress: &Progress<'_>| {
        control.pass_on(progress, progress.partial::<String>().map(|text| text.len() as u32).as_ref());
    };
    let part = control.part().progress(&translate);
    part.report_partial(|| "seven__".to_owned());
    part.report_partial(|| -> String { panic!("not yet") });
    NOW.store(120, Relaxed);
    assert_eq!(part.meter().count_to(10), 10);
    assert_eq!(*events.lock().unwrap(), [(0, 1, None), (0, 0, Some(7)), (1024, 0, None)]);
}
