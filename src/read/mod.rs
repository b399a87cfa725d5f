//! Reading a source as a document of its kind: one way in for whatever is read.

pub(crate) mod batch;
mod json;
mod records;

use std::io::{self, Cursor, Read};

use crate::document::mail::mbox;
use crate::document::mail::mbox::Mbox;
use crate::document::{Depth, Kind, Look, MAX_DOCUMENT, Notice, NoticeKind, Parts};
use crate::find::Finder;
use crate::find::candidate::Candidate;
use crate::find::stream::{Found, Window};
use crate::lint::diagnostic::Diagnostic;
use crate::lint::lint;
use crate::lint::settings::Settings;
use crate::read::batch::{Document, Form};
use crate::text::position::Locator;
use crate::text::span::{Span, Spans};
use crate::view::{Line, View, charset};
use records::{Members, Records};

/// How many bytes of a source are looked at to tell its kind.
const HEAD: usize = 4096;

/// How sources are read. The default takes each for what it looks like and reads all that people
/// would read.
///
/// ```
/// use urlint::{Event, Reading};
///
/// let source: &[u8] = b"see <URL:http://a.example/>";
/// let mut urls = Vec::new();
/// Reading::default().read(b"note.txt", source, &mut |event| {
///     if let Event::Found(found) = event {
///         urls.push(found.candidate.text.to_vec());
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(urls, [b"http://a.example/"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading<'f> {
    /// How candidates are found in the text of a document.
    pub finder: Finder,
    /// The kind of all sources; without it each is told by its name, or else its first bytes.
    pub kind: Option<Kind>,
    /// What of a document is read.
    pub depth: Depth,
    /// Whether lines and columns are counted, and the text around candidates is kept.
    pub positions: bool,
    /// If there are any, sources are JSON, a value on each line, of which only the strings under
    /// these names are read: the names of nested objects joined by dots, `data.body` say. The number
    /// of the line is the `member`.
    pub json_fields: &'f [String],
}

/// What comes up while a source is read.
#[derive(Debug)]
pub enum Event<'w> {
    /// A candidate.
    Found(Found<'w>),
    /// Something about the source itself.
    Notice(Notice),
}

/// What comes up while a source is read that others help to read.
#[derive(Debug)]
pub enum Share<'w> {
    /// A document to be read, by [`Reading::document`].
    Document(Document<'w>),
    /// What came up where text was read at once.
    Event(Event<'w>),
}

/// What a source is taken apart into.
enum Piece<'w> {
    /// A document, to be read by itself.
    Document(Document<'w>),
    /// A document that has been read, since what is in it depends on what came before.
    Parts(Document<'w>, Parts<'w>),
    /// What came up where text was read at once.
    Event(Event<'w>),
}

/// Takes what a source is taken apart into.
type Take<'v, E> = dyn FnMut(Piece<'_>) -> Result<(), E> + 'v;

/// Takes what comes up; may end the reading with an error of its own.
type Visit<'v, E> = dyn FnMut(Event<'_>) -> Result<(), E> + 'v;

/// Where a candidate of a document was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'w> {
    pub(crate) view: &'w View<'w>,
    /// The candidate, its spans in the view.
    pub(crate) candidate: &'w Candidate<'w>,
}

impl Found<'_> {
    /// All that the rules have to say about the candidate, as [`lint`](crate::lint()) does; spans
    /// and edits are of source bytes, whatever encoding the URL was found under.
    pub fn lint(&self, settings: &Settings, report: &mut dyn FnMut(Diagnostic)) {
        match self.origin {
            None => lint(&self.candidate, settings, report),
            Some(origin) => {
                let mut line = Line::default();
                lint(origin.candidate, settings, &mut |diagnostic| {
                    let mut diagnostic = origin.view.diagnostic(diagnostic);
                    if let Some(fix) = &mut diagnostic.fix {
                        origin.view.fold(fix, self.window, &mut line);
                    }
                    report(diagnostic);
                });
            }
        }
    }

    /// Where the bytes `range` of the candidate's text stand in the source.
    pub fn spans(&self, range: std::ops::Range<usize>) -> Spans {
        match self.origin {
            None => self.candidate.pieces.slice(range),
            Some(origin) => origin.view.spans(&origin.candidate.pieces.slice(range)),
        }
    }
}

impl Reading<'_> {
    /// Reads a source to its end and hands what comes up to `visit`, candidates in the order of
    /// their places. `path` is what the source goes by; its extension tells the kind.
    ///
    /// Plain text and JSON are read in bounded memory, a mailbox message by message, other documents
    /// are held whole, up to [`MAX_DOCUMENT`] bytes.
    ///
    /// Fails when the reader or `visit` fails.
    pub fn read<R: Read, E: From<io::Error>>(
        &self,
        path: &[u8],
        reader: R,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let own = self.of_path(path);
        let mut locator = Locator::default();
        own.take_apart(path, reader, false, &mut |piece| match piece {
            Piece::Document(document) => own.counted(&document, &mut locator, visit),
            Piece::Parts(document, parts) => own.parts(&document, parts, &mut locator, visit),
            Piece::Event(event) => visit(event),
        })
    }

    /// Reads a source that is in memory, as [`read`](Reading::read) does, but does not copy it.
    ///
    /// ```
    /// use urlint::{Event, Reading};
    ///
    /// let mut urls = Vec::new();
    /// Reading::default().read_bytes(b"note.txt", b"see http://a.example/", &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         urls.push(found.candidate.text.to_vec());
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(urls, [b"http://a.example/"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// Fails when `visit` fails.
    pub fn read_bytes<E: From<io::Error>>(
        &self,
        path: &[u8],
        bytes: &[u8],
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let own = self.of_path(path);
        let head = &bytes[..bytes.len().min(HEAD)];
        let is_encoded = charset::of_bom(head).is_some();
        match own.kind_of(path, head) {
            Kind::Plain if !is_encoded && self.json_fields.is_empty() => {
                own.plain_bytes(bytes, visit)
            }
            Kind::Plain | Kind::Mbox | Kind::Json if !is_encoded => self.read(path, bytes, visit),
            _ if bytes.len() > MAX_DOCUMENT => self.read(path, bytes, visit),
            _ if !is_encoded && !self.json_fields.is_empty() => self.read(path, bytes, visit),
            kind => {
                let document = Document {
                    text: bytes,
                    start: 0,
                    kind,
                    member: None,
                    form: Form::Whole,
                    code: own.finder.code,
                    locator: Locator::default(),
                };
                own.counted(&document, &mut Locator::default(), visit)
            }
        }
    }

    fn plain_bytes<E>(&self, bytes: &[u8], visit: &mut Visit<'_, E>) -> Result<(), E> {
        let mut locator = Locator::default();
        let window = Window { start: 0, bytes };
        for candidate in self.finder.find(bytes) {
            let position = if self.positions {
                locator.advance(bytes, 0, candidate.outer.start)
            } else {
                Default::default()
            };
            visit(Event::Found(Found {
                candidate,
                position,
                line_start: locator.line_start(),
                window,
                member: None,
                alternative: false,
                origin: None,
            }))?;
        }
        Ok(())
    }

    /// The same, but hands on the documents that were held without reading them, so that others
    /// can: see [`Portion`](crate::Portion). Plain text is read at once.
    pub fn share<R: Read, E: From<io::Error>>(
        &self,
        path: &[u8],
        reader: R,
        visit: &mut dyn FnMut(Share<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = self.of_path(path);
        own.take_apart(path, reader, own.positions, &mut |piece| match piece {
            Piece::Document(document) => visit(Share::Document(document)),
            Piece::Parts(document, parts) => {
                let mut locator = document.locator;
                let visit = &mut |event: Event<'_>| visit(Share::Event(event));
                own.parts(&document, parts, &mut locator, visit)
            }
            Piece::Event(event) => visit(Share::Event(event)),
        })
    }

    /// The same for a source that goes by `path`, as [`Finder::of_path`] has it; if all sources are
    /// of one kind, their names tell nothing.
    ///
    /// ```
    /// use urlint::Reading;
    ///
    /// assert!(Reading::default().of_path(b"src/lib.rs").finder.code);
    /// ```
    #[must_use]
    pub fn of_path(self, path: &[u8]) -> Self {
        match self.kind {
            Some(_) => self,
            None => Reading {
                finder: self.finder.of_path(path),
                ..self
            },
        }
    }

    /// Hands on documents and what comes up elsewhere. `counts`: the documents know the lines in
    /// front of them.
    fn take_apart<R: Read, E: From<io::Error>>(
        &self,
        path: &[u8],
        mut reader: R,
        counts: bool,
        visit: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut head = Vec::new();
        reader.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let kind = self.kind_of(path, &head);
        let is_encoded = charset::of_bom(&head).is_some();
        let reader = Cursor::new(head).chain(reader);
        match kind {
            kind if is_encoded => self.whole(kind, reader, visit),
            _ if !self.json_fields.is_empty() => self.json_lines(reader, counts, visit),
            Kind::Plain => self.plain(reader, visit),
            Kind::Mbox => self.mailbox(reader, counts, visit),
            Kind::Json => self.json(reader, counts, visit),
            kind => self.whole(kind, reader, visit),
        }
    }

    /// Whether a source is plain text, which may be searched [in stretches](crate::Stretch);
    /// `path` is what it goes by, `head` its first bytes, at least 4096 if it has so many.
    pub fn is_plain(&self, path: &[u8], head: &[u8]) -> bool {
        let head = &head[..head.len().min(HEAD)];
        let is_read_so = self.json_fields.is_empty() && charset::of_bom(head).is_none();
        is_read_so && self.kind_of(path, head) == Kind::Plain
    }

    fn kind_of(&self, path: &[u8], head: &[u8]) -> Kind {
        let told = self.kind.or_else(|| Kind::of_path(path));
        told.unwrap_or_else(|| {
            let label = charset::of_bom(head).map(str::as_bytes);
            let decoded = label.and_then(|label| charset::decode(head, label).ok());
            Kind::of_head(decoded.as_ref().map_or(head, View::text))
        })
    }

    fn plain<E: From<io::Error>>(
        &self,
        reader: impl Read,
        visit: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let stream = self.finder.stream(reader);
        let mut stream = match self.positions {
            true => stream.with_context(),
            false => stream,
        };
        while let Some(found) = stream.next_found()? {
            visit(Piece::Event(Event::Found(found)))?;
        }
        Ok(())
    }

    fn mailbox<E: From<io::Error>>(
        &self,
        reader: impl Read,
        counts: bool,
        visit: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut mbox = Mbox::new(reader);
        let mut locator = Locator::default();
        while let Some(message) = mbox.next_message()? {
            let kind = match message.piece {
                None => Kind::Mbox,
                Some(_) => Kind::Plain,
            };
            let document = Document {
                text: message.bytes,
                start: message.start,
                kind,
                member: Some(message.number),
                form: match message.piece {
                    Some(mbox::Piece::First) => Form::Piece,
                    _ => Form::Whole,
                },
                code: self.finder.code,
                locator,
            };
            if counts {
                let end = message.start + message.bytes.len() as u64;
                locator.advance(message.bytes, message.start, end);
            }
            visit(Piece::Document(document))?;
        }
        Ok(())
    }

    fn whole<E: From<io::Error>>(
        &self,
        kind: Kind,
        mut reader: impl Read,
        visit: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut text = Vec::new();
        let limit = MAX_DOCUMENT as u64 + 1;
        reader.by_ref().take(limit).read_to_end(&mut text)?;
        if text.len() > MAX_DOCUMENT {
            visit(Piece::Event(Event::Notice(too_long(kind.name(), 0))))?;
            return self.plain(Cursor::new(text).chain(reader), visit);
        }
        visit(Piece::Document(Document {
            text: &text,
            start: 0,
            kind,
            member: None,
            form: Form::Whole,
            code: self.finder.code,
            locator: Locator::default(),
        }))
    }

    /// Reads a document that was [shared](Reading::share), as this reading shared it, and hands
    /// what comes up to `visit`. What the path of its source tells, the document knows.
    ///
    /// Fails when `visit` fails.
    pub fn document<E>(&self, document: &Document<'_>, visit: &mut Visit<'_, E>) -> Result<(), E> {
        let mut own = *self;
        own.finder.code |= document.code;
        let mut locator = document.locator;
        own.counted(document, &mut locator, visit)
    }

    /// The same with what counts lines from document to document.
    fn counted<E>(
        &self,
        document: &Document<'_>,
        locator: &mut Locator,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let (start, member) = (document.start, document.member);
        if document.form == Form::Piece {
            let notice = too_long("mail", start);
            visit(Event::Notice(Notice { member, ..notice }))?;
        }
        let parts = match (document.form, member) {
            (Form::Records(end), Some(number)) => {
                let mut parts = Parts::default();
                Records::new(self, number).read(document, end, &mut parts);
                parts
            }
            _ => Parts::of(document.text, document.kind, self.look()),
        };
        self.parts(document, parts, locator, visit)
    }

    /// What is looked for in a document.
    fn look(&self) -> Look {
        Look {
            deep: self.depth.deep,
            skip_code: self.depth.skip_code,
            marks: self.finder.schemeless || !self.finder.schemes.is_empty(),
        }
    }

    /// Reads a document that has been taken apart.
    fn parts<E>(
        &self,
        document: &Document<'_>,
        parts: Parts<'_>,
        locator: &mut Locator,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let start = document.start;
        let Parts { mut parts, notices } = parts;
        for notice in notices {
            let span = Span::new(notice.span.start + start, notice.span.end + start);
            let member = match document.form {
                Form::Records(_) => notice.member,
                _ => document.member,
            };
            visit(Event::Notice(Notice {
                span,
                member,
                ..notice
            }))?;
        }
        parts.iter_mut().for_each(|part| part.view.shift(start));
        let mut candidates = Vec::new();
        for part in &parts {
            let found = part.find(&self.finder).into_iter();
            let mut run = 0;
            candidates.extend(found.map(|candidate| {
                let outer;
                (outer, run) = part.view.map_whole_near(run, candidate.outer);
                (outer.start, part, run, candidate)
            }));
        }
        candidates.sort_by_key(|&(place, ..)| place);
        let window = Window {
            start,
            bytes: document.text,
        };
        let mut members = Members::new(document);
        for (place, part, run, candidate) in &candidates {
            let view = &part.view;
            let position = match self.positions {
                true => locator.advance(window.bytes, window.start, *place),
                false => Default::default(),
            };
            visit(Event::Found(Found {
                candidate: view.candidate_near(*run, candidate.clone()),
                position,
                line_start: locator.line_start(),
                window,
                member: members.at(*place),
                alternative: part.alternative,
                origin: Some(Origin { view, candidate }),
            }))?;
        }
        if self.positions {
            locator.advance(window.bytes, start, start + window.bytes.len() as u64);
        }
        Ok(())
    }
}

fn too_long(kind: &str, start: u64) -> Notice {
    let limit = MAX_DOCUMENT >> 20;
    Notice {
        kind: NoticeKind::Warning,
        span: Span::new(start, start),
        message: format!("longer than {limit} MiB, so read as plain text and not as {kind}"),
        member: None,
    }
}

#[cfg(test)]
mod tests;
