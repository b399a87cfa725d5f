//! From sources to diagnostics: what the threads do.

use std::cell::{OnceCell, RefCell};
use std::convert::Infallible;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urlint::lint::{Applicability, Suppressions};
use urlint::read::Seen;
use urlint::standard::Standard;
use urlint::text::{Locator, Window};
use urlint::{Diagnostic, Event, Found, Reader, Settings, Severity, Span};

use super::MAX_MARKED;
use super::batch::Batch;
use crate::commands::fix::least_made;
use crate::commands::jobs;
use crate::commands::jobs::{Context, Emitter, Item, Name, Work};
use crate::error::Error;
use crate::report::excerpt::Place;
use crate::report::{Finding, Render};
use crate::walk::Input;

/// How far back passwords are remembered, in bytes: no excerpt reaches further back.
const REMEMBERED: u64 = 1024;

/// What all threads know about the checking.
pub(super) struct Checking {
    pub(super) context: Context,
    /// For each report what renders diagnostics for it; `None` if that is done on the main thread.
    pub(super) renderers: Vec<Option<Box<dyn Render>>>,
    /// Whether no more diagnostics are printed, however many there are.
    pub(super) has_enough: AtomicBool,
}

impl Checking {
    /// Writes what the reports print of a diagnostic; returns where, for each report.
    fn render(
        &self,
        out: &mut Vec<u8>,
        path: &[u8],
        place: &Place<'_>,
        (diagnostic, least): (&Diagnostic, Option<Applicability>),
    ) -> Vec<Range<usize>> {
        let has_enough = self.has_enough.load(Ordering::Relaxed);
        let finding = Finding {
            path,
            place,
            diagnostic,
            least,
        };
        let render = |renderer: &Option<Box<dyn Render>>| {
            let start = out.len();
            if let Some(renderer) = renderer.as_ref().filter(|_| !has_enough) {
                // Writing to memory does not fail.
                let _ = renderer.render(out, &finding);
            }
            start..out.len()
        };
        self.renderers.iter().map(render).collect()
    }

    /// Whether a report is rendered on the main thread, which asks for places.
    fn is_placed(&self) -> bool {
        self.renderers.iter().any(Option::is_none)
    }
}

impl Work for Checking {
    type Batch = Batch;
    type Part = Infallible;
    type Chunk = Infallible;
    type Scratch = ();

    fn context(&self) -> &Context {
        &self.context
    }

    fn is_for_workers(&self, _: u64) -> bool {
        true
    }

    fn source(
        &self,
        input: &Input<'_>,
        content: &mut dyn Read,
        emitter: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error> {
        let reader = self.context.reader.reader(input, true);
        let mut source = Source {
            checking: self,
            input,
            emitter,
            name: None,
            passwords: Vec::new(),
            seen: Seen::default(),
            suppressions: Suppressions::default(),
            later: None,
            bytes: None,
            locator: Locator::default(),
        };
        let read = source.read(&reader, content);
        if source.name.is_some() {
            emitter.borrow_mut().write(Batch::end_source)?;
        }
        if !reader.json_fields.is_empty() {
            let end = Item::SourceEnd(input.name.to_vec());
            emitter.borrow_mut().send(end)?;
        }
        read
    }

    fn part(
        &self,
        part: Infallible,
        _: &mut (),
        _: &RefCell<Emitter<'_, Self>>,
    ) -> Result<(), Error> {
        match part {}
    }

    fn search_again(
        &self,
        chunk: &Infallible,
        _: u64,
        _: &RefCell<Emitter<'_, Self>>,
    ) -> Result<bool, Error> {
        match *chunk {}
    }
}

/// A source that is being checked.
struct Source<'s, 'e> {
    checking: &'s Checking,
    input: &'s Input<'s>,
    emitter: &'s RefCell<Emitter<'e, Checking>>,
    /// What it is called, once it has diagnostics.
    name: Option<Arc<Name>>,
    /// Where the passwords of the last candidates are.
    passwords: Vec<Span>,
    seen: Seen,
    suppressions: Suppressions,
    /// What to report by RFC 3986, once that is asked.
    later: Option<Settings>,
    /// All its bytes, if they are in memory. Then lines are counted only up to diagnostics: most
    /// files have none.
    bytes: Option<&'s [u8]>,
    locator: Locator,
}

impl<'s> Source<'s, '_> {
    fn read(&mut self, reader: &Reader, content: &mut dyn Read) -> Result<(), Error> {
        if let Some(bytes) = self.input.bytes {
            self.bytes = Some(bytes);
            let reader = reader.clone().with_positions(false);
            return self.read_bytes(&reader, bytes);
        }
        let mut start = Vec::new();
        let limit = MAX_MARKED as u64 + 1;
        (&mut *content).take(limit).read_to_end(&mut start)?;
        if start.len() <= MAX_MARKED {
            return self.read_bytes(reader, &start);
        }
        self.suppressions = Suppressions::of(&start);
        reader.read(self.input.path, start.chain(content), &mut |event| {
            self.event(event)
        })
    }

    fn read_bytes(&mut self, reader: &Reader, bytes: &[u8]) -> Result<(), Error> {
        self.suppressions = Suppressions::of(&bytes[..bytes.len().min(MAX_MARKED + 1)]);
        reader.read_bytes(self.input.path, bytes, &mut |event| self.event(event))?;
        if bytes.len() <= MAX_MARKED {
            return self.unused(bytes);
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), Error> {
        match event {
            Event::Found(found) => self.check(&found),
            Event::Notice(notice) => {
                let emitter = &mut self.emitter.borrow_mut();
                let context = &self.checking.context;
                jobs::notice(context, self.input.name, &notice, emitter)
            }
            _ => Ok(()),
        }
    }

    /// Reports the suppression comments of `text` that suppress nothing.
    fn unused(&mut self, text: &[u8]) -> Result<(), Error> {
        let mut locator = Locator::default();
        let window = Window {
            start: 0,
            bytes: text,
        };
        let selection = &self.input.settings.lint().selection;
        let suppressions = std::mem::take(&mut self.suppressions);
        for diagnostic in suppressions.unused(text, selection) {
            let at = locator.advance(window, diagnostic.outer.start);
            let place = Place {
                outer: diagnostic.outer,
                position: at.position,
                line_start: at.line_start,
                window,
                part: self.input.part(None),
                passwords: &[],
                remembered: None,
            };
            self.report(&place, (diagnostic, false))?;
        }
        Ok(())
    }

    fn check(&mut self, found: &Found<'_>) -> Result<(), Error> {
        let outer = found.candidate.outer;
        let mut passwords = std::mem::take(&mut self.passwords);
        passwords.retain(|span: &Span| span.end + REMEMBERED > outer.start);
        // Of most URLs nobody asks what is around them.
        let mut is_near = found.may_begin_login();
        if is_near {
            passwords.extend(found.passwords_nearby(&mut self.seen));
        }
        let mut reported = Ok(());
        // Most URLs have no errors, and are not judged twice.
        let mut is_right_later = None;
        let remembered = OnceCell::new();
        found.lint(self.input.settings.lint(), &mut |diagnostic| {
            if reported.is_err() || self.suppressions.suppresses(&diagnostic) {
                return;
            }
            if !std::mem::replace(&mut is_near, true) {
                passwords.extend(found.passwords_nearby(&mut self.seen));
            }
            let known = passwords.len();
            let own = diagnostic
                .password
                .iter()
                .flat_map(urlint::text::Spans::iter);
            passwords.extend(own);
            let at = match self.bytes {
                Some(bytes) => self
                    .locator
                    .advance(Window { start: 0, bytes }, outer.start),
                None => found.place.unwrap_or_default(),
            };
            let place = Place {
                outer,
                position: at.position,
                line_start: at.line_start,
                window: found.window,
                part: self.input.part(found.member),
                passwords: &passwords,
                remembered: Some(&remembered),
            };
            let is_outdated = diagnostic.severity == Severity::Error
                && *is_right_later.get_or_insert_with(|| self.is_without_errors_later(found));
            reported = self.report(&place, (diagnostic, is_outdated));
            passwords.truncate(known);
        });
        self.passwords = passwords;
        reported
    }

    /// Returns whether RFC 1738 applies, and `found` has no errors by RFC 3986.
    fn is_without_errors_later(&mut self, found: &Found<'_>) -> bool {
        let settings = &self.input.settings;
        if settings.lint().standard != Standard::Rfc1738 {
            return false;
        }
        let later = || settings.lint_by(Standard::Rfc3986);
        let later = self.later.get_or_insert_with(later);
        let mut has_errors = false;
        found.lint(later, &mut |diagnostic| {
            has_errors |= diagnostic.severity == Severity::Error;
        });
        !has_errors
    }

    /// Hands a diagnostic on, and whether it is an error of a URL that has none by RFC 3986.
    fn report(
        &mut self,
        place: &Place<'_>,
        (diagnostic, is_outdated): (Diagnostic, bool),
    ) -> Result<(), Error> {
        let (checking, input) = (self.checking, self.input);
        if diagnostic.severity < input.settings.resolved.min_severity {
            return Ok(());
        }
        let name = self.name.get_or_insert_with(|| Name::of(input)).clone();
        let least = input.is_fixable().then(|| least_made(input));
        self.emitter.borrow_mut().write(|batch| {
            let place = (place, checking.is_placed());
            let diagnostic = (diagnostic, is_outdated);
            batch.add((name, least), place, diagnostic, |out, diagnostic| {
                checking.render(out, input.file, place.0, (diagnostic, least))
            });
        })
    }
}
