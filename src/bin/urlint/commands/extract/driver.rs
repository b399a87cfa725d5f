//! Going through what is to be read, and giving out the work.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::Read;
use std::sync::{Arc, OnceLock};

use urlint::Reader;
use urlint::find::Chunk;
use urlint::read::{Document, Share};

use super::crew::{Crew, Work, io_error};
use super::job::{FileFrom, Job, Large, Named};
use super::outlet::{Outlet, Piece};
use crate::error::Error;
use crate::walk::{Entry, Input, Message, Totals, Visitor};

/// How many bytes of files and documents make a unit.
const ENOUGH: u64 = 256 << 10;

/// What a file costs beside its bytes, in bytes.
const COST: u64 = 8 << 10;

/// What a smaller job costs, in bytes.
const COST_OF_JOB: u64 = 512;

/// The longest file or document that is left to another thread, in bytes: what is longer would take
/// too much memory, or could be given out in parts.
const SMALL: u64 = 4 << 20;

/// How long a stretch of a large file is, in bytes.
const STRETCH: u64 = 4 << 20;

/// The same where lines are counted, and rows are longer.
const STRETCH_OF_LINES: u64 = 1 << 20;

/// Gives out the work.
pub(super) struct Driver {
    crew: Crew,
    /// The unit that is being put together, and how many bytes it has.
    jobs: Vec<Job>,
    weight: u64,
    /// The unit that is being done here.
    own: Option<Outlet<'static>>,
}

impl Driver {
    pub(super) fn new(crew: Crew) -> Self {
        Driver {
            crew,
            jobs: Vec::new(),
            weight: 0,
            own: None,
        }
    }

    /// Goes through all that is to be read.
    pub(super) fn run(self) -> Result<(), Error> {
        let office = self.crew.office;
        let driver = RefCell::new(self);
        let mut visitor = Leaving { driver: &driver };
        let waits = || {
            driver.borrow_mut().flush().map_err(io_error)?;
            Ok(office.interrupt.wait_for_stdin())
        };
        office
            .asked
            .inputs
            .walk(&office.opening, &waits, &mut visitor)?;
        let mut driver = driver.into_inner();
        driver.end_unit()?;
        driver.end_own()
    }

    /// Gives out the unit that has been put together, and hands on what has been done here.
    fn flush(&mut self) -> Result<(), Error> {
        self.end_unit()?;
        match &mut self.own {
            Some(outlet) => outlet.flush(),
            None => Ok(()),
        }
    }

    fn end_unit(&mut self) -> Result<(), Error> {
        self.weight = 0;
        match std::mem::take(&mut self.jobs) {
            jobs if jobs.is_empty() => Ok(()),
            jobs => self.crew.give_out(Work::Jobs(jobs)),
        }
    }

    fn end_own(&mut self) -> Result<(), Error> {
        match self.own.take() {
            Some(outlet) => outlet.end(0),
            None => Ok(()),
        }
    }

    /// Adds to the unit that is being put together.
    fn add(&mut self, job: Job, weight: u64) -> Result<(), Error> {
        self.end_own()?;
        self.jobs.push(job);
        self.weigh(weight)
    }

    fn weigh(&mut self, weight: u64) -> Result<(), Error> {
        self.weight += weight;
        match self.weight >= ENOUGH {
            true => self.end_unit(),
            false => Ok(()),
        }
    }

    /// The outlet of what is done here.
    fn own(&mut self) -> Result<&mut Outlet<'static>, Error> {
        self.end_unit()?;
        let outlet = match self.own.take() {
            Some(outlet) => outlet,
            None => Outlet::into(self.crew.enter(None)?),
        };
        Ok(self.own.insert(outlet))
    }

    /// Hands on something in its place.
    fn piece(&mut self, piece: Piece) -> Result<(), Error> {
        match &mut self.own {
            Some(outlet) => outlet.send(piece),
            None => self.add(Job::Piece(piece), COST_OF_JOB),
        }
    }

    fn document(
        &mut self,
        named: &Arc<Named>,
        reader: &Reader,
        document: &Document<'_>,
    ) -> Result<(), Error> {
        let length = document.len() as u64;
        if length > SMALL {
            let office = self.crew.office;
            let own = self.own()?;
            return reader.document(document, &mut |event| office.event(named, event, own));
        }
        if let Some(Job::Documents {
            named: last,
            documents,
            ..
        }) = self.jobs.last_mut()
            && Arc::ptr_eq(last, named)
        {
            documents.add(document);
            return self.weigh(length);
        }
        let mut documents = self.crew.batch();
        documents.add(document);
        let job = Job::Documents {
            named: named.clone(),
            reader: reader.clone(),
            documents,
        };
        self.add(job, length + COST_OF_JOB)
    }

    /// Gives out a large file of plain text stretch by stretch.
    fn stretches(&mut self, named: &Arc<Named>, reader: &Reader, file: &File) -> Result<(), Error> {
        self.end_own()?;
        self.end_unit()?;
        let length = match self.crew.office.positions {
            true => STRETCH_OF_LINES,
            false => STRETCH,
        };
        let file = Arc::new(file.try_clone()?);
        let mut start = 0;
        let mut line = Arc::new(OnceLock::from(1));
        loop {
            let next = boundary(&file, start + length);
            let next_line = Arc::new(OnceLock::new());
            self.crew.give_out(Work::Stretch(Arc::new(Large {
                named: named.clone(),
                file: file.clone(),
                reader: reader.clone(),
                start,
                end: next.unwrap_or(u64::MAX),
                line,
                next_line: next_line.clone(),
            })))?;
            match next {
                Some(next) => (start, line) = (next, next_line),
                None => return Ok(()),
            }
        }
    }
}

/// Where a stretch may begin behind the offset `from`; `None` if the file ends before, or cannot be
/// read there.
fn boundary(file: &File, from: u64) -> Option<u64> {
    let mut reader = FileFrom { file, at: from };
    let mut buffer = vec![0; 4096];
    loop {
        let start = reader.at;
        let count = reader.read(&mut buffer).ok().filter(|&count| count > 0)?;
        if let Some(at) = Chunk::boundary(&buffer[..count]) {
            return Some(start + at as u64);
        }
        buffer.resize(64 << 10, 0);
    }
}

/// Leaves what it can to the workers.
struct Leaving<'d> {
    driver: &'d RefCell<Driver>,
}

impl Visitor for Leaving<'_> {
    fn source(&mut self, input: &Input<'_>, source: &mut dyn Read) -> Result<(), Error> {
        let driver = self.driver;
        let office = driver.borrow().crew.office;
        let named = Arc::new(Named::of(input));
        let reader = office.asked.reader.reader(input, office.positions);
        if let Some(file) = input.whole
            && is_worth_cutting(file, input.path, &reader)
        {
            return driver.borrow_mut().stretches(&named, &reader, file);
        }
        let done = reader.share(input.path, source, &mut |share| match share {
            Share::Document(document) => {
                let mut driver = driver.borrow_mut();
                driver.document(&named, &reader, &document)
            }
            Share::Event(event) => office.event(&named, event, driver.borrow_mut().own()?),
            _ => Ok(()),
        });
        if let Some(end) = named.end(&reader) {
            driver.borrow_mut().piece(end)?;
        }
        done
    }

    fn message(&mut self, message: Message) -> Result<(), Error> {
        self.driver
            .borrow_mut()
            .piece(Piece::Message(vec![message]))
    }

    fn count(&mut self, tally: Totals) -> Result<(), Error> {
        self.driver.borrow_mut().piece(Piece::Count(tally))
    }

    fn defer(&mut self, found: &Entry<'_>) -> Result<bool, Error> {
        let data = fs::metadata(found.path);
        let length = data
            .ok()
            .filter(fs::Metadata::is_file)
            .map(|data| data.len());
        let Some(length) = length.filter(|&length| length <= SMALL) else {
            return Ok(false);
        };
        let job = Job::File {
            path: found.path.to_owned(),
            name: found.name.to_owned(),
            only_text: found.only_text,
        };
        self.driver.borrow_mut().add(job, length + COST)?;
        Ok(true)
    }
}

/// Whether the file is plain text and long enough to be searched in stretches.
fn is_worth_cutting(file: &File, path: &[u8], reader: &Reader) -> bool {
    let data = file.metadata();
    let is_large = data.is_ok_and(|data| data.is_file() && data.len() > SMALL);
    let mut head = Vec::new();
    let mut start = FileFrom { file, at: 0 }.take(Reader::HEAD as u64);
    cfg!(unix) && is_large && start.read_to_end(&mut head).is_ok() && reader.is_plain(path, &head)
}
