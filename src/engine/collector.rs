//! A run, and its results in the order of the sources.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::dispatcher::{Unit, Units};
use super::out::Results;
use super::parallel::{self, Failure, Limits, Sender, Stopped};
use super::reading::{read_on, walk, work_on};
use super::witnesses::Then;
use super::{Batch, Error, Gathering, Inputs, Work, stdin};

/// How many units may wait for each thread.
const UNITS: usize = 4;

/// Threads that read sources. Dropping it ends them.
pub struct Run<W: Work> {
    inputs: Arc<Inputs>,
    work: Arc<W>,
    results: Ordered<W>,
    /// Where standard input begins if it is a file.
    position: Option<u64>,
}

/// The results of all units.
type Ordered<W> = parallel::Results<Results<<W as Work>::Batch>, Error, Result<(), Error>>;

/// The next output of a [`Run`].
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Next<B> {
    /// Results.
    Results(Results<B>),
    /// Nothing came in the time given, or results wait for the last source.
    TimedOut,
    /// All results have come, or the run was asked to end and has no more of them.
    Done,
}

impl<W: Work> Run<W> {
    /// Starts to do `work` with the sources of `inputs`.
    ///
    /// Fails if no thread can be started.
    pub fn start(inputs: Arc<Inputs>, work: Arc<W>) -> Result<Self, Error> {
        let position = inputs.has_stdin().then(stdin::position).flatten();
        Ok(Run {
            results: start(&inputs, &work, walk)?,
            inputs,
            work,
            position,
        })
    }

    /// Returns the next results, in the order of the sources, waiting at most for `timeout` for each.
    ///
    /// Fails if no thread can be started, or if a thread panics.
    pub fn next(&mut self, timeout: Duration) -> Result<Next<W::Batch>, Error> {
        loop {
            let stop = &self.inputs.stop;
            let is_stopped = stop.is_requested() && !stop.ends_soon();
            if is_stopped {
                self.results.stop();
            }
            let timeout = if is_stopped { Duration::ZERO } else { timeout };
            match self.results.next(timeout) {
                parallel::Next::Item(results) => match self.work.gathering() {
                    Some(gathering) if gathering.is_on() => {
                        gathering.wait(results);
                        return Ok(Next::TimedOut);
                    }
                    _ => return Ok(Next::Results(results)),
                },
                parallel::Next::UnitEnd => {}
                parallel::Next::Failed(Failure::Error(error)) => return Err(error),
                parallel::Next::Failed(Failure::Panic) => return Err(Error::Panicked),
                parallel::Next::TimedOut if !is_stopped => return Ok(Next::TimedOut),
                parallel::Next::TimedOut | parallel::Next::Failed(Failure::Stopped) => {
                    return Ok(Next::Done);
                }
                parallel::Next::Done => {
                    self.walked()?;
                    if self.inputs.stop.is_requested() || !self.go_on()? {
                        return Ok(Next::Done);
                    }
                }
            }
        }
    }

    /// Starts to read the texts that waited for the last source; returns whether there are results.
    fn go_on(&mut self) -> Result<bool, Error> {
        match self.work.gathering().and_then(Gathering::end) {
            None => return Ok(false),
            Some(Then::Kept(kept)) => {
                let read_on = |inputs: &_, _: &W, units: &mut _| read_on(inputs, kept, units);
                self.results = start(&self.inputs, &self.work, read_on)?;
            }
            Some(Then::All) => {
                self.inputs.bytes_read.store(0, Ordering::Relaxed);
                self.position.map_or(Ok(()), stdin::go_back)?;
                self.results = start(&self.inputs, &self.work, walk)?;
            }
        }
        Ok(true)
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

/// Starts threads that do `work` with the units that `produce` puts together.
fn start<W: Work>(
    inputs: &Arc<Inputs>,
    work: &Arc<W>,
    produce: impl FnOnce(&Inputs, &W, &mut Units<W>) -> Result<(), Error> + Send + 'static,
) -> Result<Ordered<W>, Error> {
    let limits = Limits {
        threads: inputs.threads,
        units: UNITS * inputs.threads,
        results: W::Batch::WAITING,
    };
    let (walked, walking) = (inputs.clone(), work.clone());
    let produce = move |units: &mut _| produce(&walked, &*walking, units);
    let (read, doing) = (inputs.clone(), work.clone());
    let do_unit = move |unit: Unit<W>, sender: &Sender<_, _>| work_on(&read, &*doing, unit, sender);
    parallel::start(limits, produce, do_unit).map_err(Error::NoThread)
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Cancelled => Error::Stopped,
            Stopped::NoThread(error) => Error::NoThread(error),
        }
    }
}
