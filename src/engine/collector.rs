//! A run, and its results in the order of the sources.

use std::sync::Arc;
use std::time::Duration;

use super::dispatcher::Unit;
use super::out::Results;
use super::parallel::{self, Failure, Limits, Sender, Stopped};
use super::reading::{walk, work_on};
use super::{Batch, Error, Inputs, Work};

/// How many units may wait for each thread.
const UNITS: usize = 4;

/// Threads that read sources. Dropping it ends them.
pub struct Run<W: Work> {
    inputs: Arc<Inputs>,
    results: Ordered<W>,
}

/// The results of all units.
type Ordered<W> = parallel::Results<Results<<W as Work>::Batch>, Error, Result<(), Error>>;

/// The next output of a [`Run`].
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one is there at a time")]
pub enum Next<B> {
    /// Results.
    Results(Results<B>),
    /// Nothing came in the time given.
    TimedOut,
    /// All results have come, or the run was asked to end and has no more of them.
    Done,
}

impl<W: Work> Run<W> {
    /// Starts to do `work` with the sources of `inputs`.
    ///
    /// Fails if no thread can be started.
    pub fn start(inputs: Arc<Inputs>, work: Arc<W>) -> Result<Self, Error> {
        let limits = Limits {
            threads: inputs.threads,
            units: UNITS * inputs.threads,
            results: W::Batch::WAITING,
        };
        let (walked, walking) = (inputs.clone(), work.clone());
        let produce = move |units: &mut _| walk(&walked, &*walking, units);
        let read = inputs.clone();
        let do_unit =
            move |unit: Unit<W>, sender: &Sender<_, _>| work_on(&read, &*work, unit, sender);
        let results = parallel::start(limits, produce, do_unit).map_err(Error::NoThread)?;
        Ok(Run { inputs, results })
    }

    /// Returns the next results, in the order of the sources, waiting at most for `timeout` for each.
    ///
    /// Fails if a thread panics.
    pub fn next(&mut self, timeout: Duration) -> Result<Next<W::Batch>, Error> {
        loop {
            let stop = &self.inputs.stop;
            let is_stopped = stop.is_requested() && !stop.ends_soon();
            if is_stopped {
                self.results.stop();
            }
            let timeout = if is_stopped { Duration::ZERO } else { timeout };
            match self.results.next(timeout) {
                parallel::Next::Item(results) => return Ok(Next::Results(results)),
                parallel::Next::UnitEnd => {}
                parallel::Next::Failed(Failure::Error(error)) => return Err(error),
                parallel::Next::Failed(Failure::Panic) => return Err(Error::Panicked),
                parallel::Next::TimedOut if !is_stopped => return Ok(Next::TimedOut),
                parallel::Next::TimedOut | parallel::Next::Failed(Failure::Stopped) => {
                    return Ok(Next::Done);
                }
                parallel::Next::Done => return self.walked().map(|()| Next::Done),
            }
        }
    }

    /// Returns how the walk through the sources ended.
    fn walked(&mut self) -> Result<(), Error> {
        match self.results.join() {
            _ if self.inputs.stop.is_requested() => Ok(()),
            Some(Ok(walked)) => walked,
            Some(Err(_)) => Err(Error::Panicked),
            None => Ok(()),
        }
    }
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => Error::Stopped,
            Stopped::NoThread(error) => Error::NoThread(error),
        }
    }
}
