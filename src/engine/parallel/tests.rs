#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use urlint_testing::tries;

/// A unit: how long it takes, and how many results it sends.
#[derive(Clone, Copy, Debug)]
struct Unit {
    micros: u64,
    items: usize,
    /// Whether the scheduler runs it itself.
    is_own: bool,
}

fn unit() -> impl Strategy<Value = Unit> {
    (0..300_u64, 0..6_usize, prop::bool::weighted(0.2)).prop_map(|(micros, items, is_own)| Unit {
        micros,
        items,
        is_own,
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    (1..=8_usize, 1..6_usize, 0..8_usize).prop_map(|(threads, units, results)| Limits {
        threads,
        units,
        results,
    })
}

type Failed = &'static str;
type Work = (usize, Unit);
type Item = (usize, usize);

fn wait(micros: u64) {
    std::thread::sleep(Duration::from_micros(micros));
}

/// How a unit of work ends.
type End = fn() -> Result<(), Failed>;

/// Starts running `units`; the unit whose number is in `failing` ends as given there.
fn run(
    units: Vec<Unit>,
    limits: Limits,
    failing: Option<(usize, End)>,
) -> Results<Item, Failed, Result<(), Stopped>> {
    let produce = move |scheduler: &mut Scheduler<Work, Item, Failed>| {
        for (number, unit) in units.into_iter().enumerate() {
            if unit.is_own {
                let sender = scheduler.open()?;
                for item in 0..unit.items {
                    // The unit may have been skipped.
                    if sender.send((number, item)).is_err() {
                        break;
                    }
                }
            } else {
                scheduler.submit((number, unit))?;
            }
        }
        Ok(())
    };
    let work = move |(number, unit): Work, sender: &Sender<Item, Failed>| {
        wait(unit.micros);
        for item in 0..unit.items {
            if sender.send((number, item)).is_err() {
                return Ok(());
            }
            wait(unit.micros / 8);
        }
        match failing {
            Some((failing, fail)) if failing == number => fail(),
            _ => Ok(()),
        }
    };
    start(limits, produce, work).unwrap()
}

/// Returns the results of each unit, and the failure that ended them, if any.
fn all<R>(results: &mut Results<Item, Failed, R>) -> (Vec<Vec<Item>>, Option<String>) {
    let mut units = vec![Vec::new()];
    loop {
        match results.next(Duration::from_secs(20)) {
            Next::Item(item) => units.last_mut().unwrap().push(item),
            Next::UnitEnd => units.push(Vec::new()),
            Next::Failed(Failure::Error(error)) => return (units, Some(error.to_owned())),
            Next::Failed(Failure::Panic) => return (units, Some("panic".to_owned())),
            Next::Failed(Failure::Stopped) => panic!("it was not stopped"),
            Next::Done => return (units, None),
            Next::TimedOut => panic!("it hangs"),
        }
    }
}

fn expected(units: &[Unit]) -> Vec<Vec<Item>> {
    let items =
        |(number, unit): (usize, &Unit)| (0..unit.items).map(move |i| (number, i)).collect();
    let mut expected: Vec<_> = units.iter().enumerate().map(items).collect();
    expected.push(Vec::new());
    expected
}

proptest! {
    #![proptest_config(tries(64))]

    #[test]
    fn results_come_in_order(
        units in prop::collection::vec(unit(), 0..60),
        limits in limits(),
    ) {
        let mut results = run(units.clone(), limits, None);
        let (all, failed) = all(&mut results);
        prop_assert_eq!(failed, None);
        prop_assert_eq!(all, expected(&units));
        prop_assert!(results.join().unwrap().unwrap().is_ok());
    }

    #[test]
    fn a_unit_that_fails_ends_them(
        mut units in prop::collection::vec(unit(), 1..60),
        limits in limits(),
        failing in any::<prop::sample::Index>(),
        panics: bool,
    ) {
        let failing = failing.index(units.len());
        units[failing].is_own = false;
        let fail: fn() -> Result<(), Failed> = if panics {
            || std::panic::resume_unwind(Box::new("it is tired"))
        } else {
            || Err("it is tired")
        };
        let mut results = run(units.clone(), limits, Some((failing, fail)));
        let (all, failed) = all(&mut results);
        let expected_failure = if panics { "panic" } else { "it is tired" };
        prop_assert_eq!(failed.as_deref(), Some(expected_failure));
        prop_assert_eq!(&all[..], &expected(&units)[..=failing]);
        prop_assert!(matches!(results.next(Duration::ZERO), Next::Done));
        // No one waits for room any more.
        drop(results.join());
    }
}

/// Counts the values of this type that are alive.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn dropping_the_results_stops_all_threads() {
    for threads in [1, 2, 8] {
        let alive = Arc::new(AtomicUsize::new(0));
        let count = {
            let alive = alive.clone();
            move || {
                alive.fetch_add(1, Ordering::SeqCst);
                Counted(alive.clone())
            }
        };
        let limits = Limits {
            threads,
            units: 4,
            results: 2,
        };
        let in_work = count.clone();
        let produce = move |scheduler: &mut Scheduler<Counted, usize, ()>| {
            let _running = count();
            loop {
                if let Err(stopped) = scheduler.submit(count()) {
                    return stopped;
                }
            }
        };
        let work = move |_: Counted, sender: &Sender<usize, ()>| {
            let _running = in_work();
            // Until the results are no longer wanted.
            while sender.send(0).is_ok() {}
            Ok(())
        };
        let mut results = start(limits, produce, work).unwrap();
        for _ in 0..100 {
            assert!(matches!(results.next(Duration::MAX), Next::Item(0)));
        }
        drop(results);
        let mut waits = 0;
        while alive.load(Ordering::SeqCst) > 0 {
            wait(1000);
            waits += 1;
            assert!(waits < 20_000, "a thread goes on");
        }
    }
}

#[test]
fn no_more_results_are_held_than_allowed() {
    let limits = Limits {
        threads: 4,
        units: 6,
        results: 10,
    };
    let held = Arc::new(AtomicUsize::new(0));
    let produce = |scheduler: &mut Scheduler<(), Counted, ()>| {
        while scheduler.submit(()).is_ok() {}
    };
    let work = {
        let held = held.clone();
        move |(): (), sender: &Sender<Counted, ()>| {
            for _ in 0..100 {
                held.fetch_add(1, Ordering::SeqCst);
                if sender.send(Counted(held.clone())).is_err() {
                    break;
                }
            }
            Ok(())
        }
    };
    let mut results = start(limits, produce, work).unwrap();
    for _ in 0..2000 {
        // The results of all units, and those that each thread is about to send.
        assert!(held.load(Ordering::SeqCst) <= 6 * 10 + 4 + 1);
        let _ = results.next(Duration::MAX);
    }
}

#[test]
fn a_panic_of_the_scheduler_is_reported() {
    let limits = Limits {
        threads: 2,
        units: 2,
        results: 2,
    };
    let produce = |scheduler: &mut Scheduler<(), u8, ()>| {
        scheduler.submit(()).unwrap();
        std::panic::resume_unwind(Box::new("no more"));
    };
    let work = |(): (), sender: &Sender<u8, ()>| {
        let _ = sender.send(1);
        Ok(())
    };
    let mut results = start::<_, _, _, ()>(limits, produce, work).unwrap();
    assert!(matches!(results.next(Duration::MAX), Next::Item(1)));
    assert!(matches!(results.next(Duration::MAX), Next::UnitEnd));
    assert!(matches!(results.next(Duration::MAX), Next::Done));
    assert!(results.join().unwrap().is_err());
    assert!(results.join().is_none());
}

#[test]
fn no_unit_is_begun_once_they_are_stopped() {
    let limits = Limits {
        threads: 1,
        units: 3,
        results: 1,
    };
    let (release, wait) = std::sync::mpsc::sync_channel(0);
    let wait = std::sync::Mutex::new(wait);
    let (submitted, all_submitted) = std::sync::mpsc::channel();
    let produce = move |scheduler: &mut Scheduler<u8, u8, ()>| {
        for unit in 0..3 {
            scheduler.submit(unit).unwrap();
        }
        submitted.send(()).unwrap();
    };
    let work = move |unit: u8, sender: &Sender<u8, ()>| {
        let _ = sender.send(unit);
        wait.lock().unwrap().recv().unwrap();
        Ok(())
    };
    let mut results = start(limits, produce, work).unwrap();
    assert!(matches!(results.next(Duration::MAX), Next::Item(0)));
    // Units that are submitted later are refused.
    all_submitted.recv().unwrap();
    results.stop();
    assert!(matches!(results.next(Duration::ZERO), Next::TimedOut));
    release.send(()).unwrap();
    assert!(matches!(results.next(Duration::MAX), Next::UnitEnd));
    let stopped = results.next(Duration::MAX);
    assert!(matches!(stopped, Next::Failed(Failure::Stopped)));
    assert!(matches!(results.next(Duration::MAX), Next::Done));
}
