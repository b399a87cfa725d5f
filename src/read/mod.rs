//! Reading sources of any kind: a document is taken apart as its kind demands, and its text searched.

pub(crate) mod batch;
mod by_name;
pub(crate) mod edits;
pub(crate) mod found;
mod json;
mod merge;
mod passwords;
mod records;
mod words;

use std::io::{self, Cursor, Read};
use std::sync::Arc;

#[doc(hidden)]
pub use batch::{Batch, Document};
pub use found::Found;
pub use passwords::Seen;

use crate::document::mail::mbox;
use crate::document::mail::mbox::{Mbox, Separator};
use crate::document::{Depth, Kind, MAX_DOCUMENT, Notice, NoticeKind, Parts, Scope};
use crate::find::{Finder, StreamOptions};
use crate::text::position::Locator;
use crate::text::span::Span;
use crate::text::window::Window;
use crate::view::{View, charset};
use batch::Form;
use by_name::ByName;
use found::{LazyOutline, Origin, Within};
use merge::Merged;
use records::{Members, Records};

/// Reads sources. The default reader takes each source for what its name and its first bytes say, and
/// reads all that is shown to people.
///
/// ```
/// use urlint::{Event, Reader};
///
/// let source: &[u8] = b"see <URL:http://a.example/>";
/// let mut urls = Vec::new();
/// Reader::default().read(b"note.txt", source, &mut |event| {
///     if let Event::Found(found) = event {
///         urls.push(found.candidate.text.to_vec());
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(urls, [b"http://a.example/"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reader {
    /// How candidates are found in the text of a document.
    pub finder: Finder,
    /// The kind of all sources. If it is `None`, the kind of each source follows from its name, or
    /// else from its first bytes.
    pub kind: Option<Kind>,
    /// Which parts of a document are read.
    pub depth: Depth,
    /// Whether lines and columns are counted, and the text around candidates in plain text is kept.
    pub positions: bool,
    /// Whether what markup says about links is kept: see [`Found::link`].
    pub links: bool,
    /// If this is not empty, sources are JSON with a value on each line, of which only the strings
    /// under these names are read. The names of nested objects are joined by dots: `data.body`.
    pub json_fields: Arc<[String]>,
    /// Whether no fix is made in the source that is read.
    read_only: bool,
}

/// What comes up while a source is read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'w> {
    /// A candidate.
    Found(Found<'w>),
    /// Something about the source itself.
    Notice(Notice),
}

/// What comes up while a source is read whose documents are left to others.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub enum Share<'w> {
    /// A document, to be read by [`Reader::document`].
    Document(Document<'w>),
    /// What came up in text that was read at once.
    Event(Event<'w>),
}

/// Takes what a source is taken apart into.
trait Sink<E> {
    /// Takes a document that can be read by itself.
    fn document(&mut self, document: &Document<'_>) -> Result<(), E>;

    /// Takes a document that has been taken apart, since its parts depend on what precedes it.
    fn parts(&mut self, document: &Document<'_>, parts: Parts<'_>) -> Result<(), E>;

    /// Takes what came up in text that was read at once.
    fn event(&mut self, event: Event<'_>) -> Result<(), E>;
}

/// Reads all documents.
struct ReadAll<'r, 'v, 'd, E> {
    reader: &'r Reader,
    locator: Locator,
    visit: &'v mut Visit<'d, E>,
}

impl<E> Sink<E> for ReadAll<'_, '_, '_, E> {
    fn document(&mut self, document: &Document<'_>) -> Result<(), E> {
        let (reader, locator) = (self.reader, &mut self.locator);
        reader.read_document(document, locator, self.visit)
    }

    fn parts(&mut self, document: &Document<'_>, parts: Parts<'_>) -> Result<(), E> {
        let (reader, locator) = (self.reader, &mut self.locator);
        reader.parts(document, parts, locator, self.visit)
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), E> {
        (self.visit)(event)
    }
}

/// Passes documents on without reading them, if they can be read by themselves.
struct PassOn<'r, 'v, 'd, E> {
    reader: &'r Reader,
    visit: &'v mut (dyn FnMut(Share<'_>) -> Result<(), E> + 'd),
}

impl<E> Sink<E> for PassOn<'_, '_, '_, E> {
    fn document(&mut self, document: &Document<'_>) -> Result<(), E> {
        (self.visit)(Share::Document(*document))
    }

    fn parts(&mut self, document: &Document<'_>, parts: Parts<'_>) -> Result<(), E> {
        let mut locator = document.locator;
        let visit = &mut |event: Event<'_>| (self.visit)(Share::Event(event));
        self.reader.parts(document, parts, &mut locator, visit)
    }

    fn event(&mut self, event: Event<'_>) -> Result<(), E> {
        (self.visit)(Share::Event(event))
    }
}

/// Takes what comes up; may end the reading with an error of its own.
type Visit<'v, E> = dyn FnMut(Event<'_>) -> Result<(), E> + 'v;

impl Reader {
    /// How many bytes of the beginning of a source its kind may depend on.
    pub const HEAD: usize = Kind::HEAD;

    /// Sets [`finder`](Self::finder), how candidates are found in the text of a document.
    #[must_use]
    pub fn with_finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// Sets [`kind`](Self::kind), the kind of all sources.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Into<Option<Kind>>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Sets [`depth`](Self::depth), which parts of a document are read.
    #[must_use]
    pub fn with_depth(mut self, depth: Depth) -> Self {
        self.depth = depth;
        self
    }

    /// Sets [`positions`](Self::positions), whether lines and columns are counted.
    #[must_use]
    pub fn with_positions(mut self, positions: bool) -> Self {
        self.positions = positions;
        self
    }

    /// Sets [`links`](Self::links), whether what markup says about links is kept.
    #[must_use]
    pub fn with_links(mut self, links: bool) -> Self {
        self.links = links;
        self
    }

    /// Sets [`json_fields`](Self::json_fields), the strings of JSON that are read: `["data.body"]`.
    #[must_use]
    pub fn with_json_fields<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.json_fields = names.into_iter().map(Into::into).collect();
        self
    }

    /// The reader for a source with the name `path`: with a [finder](Self::finder) for source code if
    /// that is what the extension says, and with fixes for display only if the syntax around the URLs
    /// is not known, or if a program made the source. [`read`](Self::read) does this itself. A reader
    /// with a [kind](Self::kind) for all sources takes only from their names whether fixes are for
    /// display only.
    ///
    /// ```
    /// use urlint::Reader;
    ///
    /// assert!(Reader::default().for_path(b"src/lib.rs").finder.code);
    /// ```
    #[must_use]
    pub fn for_path(self, path: &[u8]) -> Self {
        let by_name = ByName::of(path, self.kind);
        self.knowing(by_name)
    }

    /// Returns the kind as which a source with the name `path` is read: the reader's own
    /// [kind](Self::kind), that of the name's extension, or that of the first
    /// [`HEAD`](Self::HEAD) bytes of `source`, which are read only if they are needed.
    ///
    /// Fails when `source` fails.
    ///
    /// ```
    /// use urlint::Reader;
    /// use urlint::document::Kind;
    ///
    /// let html: &[u8] = b"<!DOCTYPE html><p>";
    /// assert_eq!(Reader::default().kind_of(b"page", html)?, Kind::Html);
    /// assert_eq!(Reader::default().kind_of(b"page.md", html)?, Kind::Markdown);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn kind_of(&self, path: &[u8], source: impl Read) -> io::Result<Kind> {
        if let Some(kind) = self.kind.or_else(|| Kind::from_path(path)) {
            return Ok(kind);
        }
        let mut head = Vec::new();
        source.take(Self::HEAD as u64).read_to_end(&mut head)?;
        let label = charset::from_bom(&head).map(str::as_bytes);
        let decoded = label.and_then(|label| charset::decode(&head, label).ok());
        Ok(Kind::from_head(decoded.as_ref().map_or(&head, View::text)))
    }

    /// Reads a source to its end and passes what comes up to `visit`, candidates in the order in which
    /// they begin. `path` is the name of the source; the kind follows from its extension.
    ///
    /// Plain text and JSON are read in bounded memory, a mailbox message by message. Other documents
    /// are held as a whole, up to [`MAX_DOCUMENT`] bytes; a longer one is read as plain text.
    ///
    /// Fails when the reader or `visit` fails.
    pub fn read<R: Read, E: From<io::Error>>(
        &self,
        path: &[u8],
        reader: R,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let own = self.clone().for_path(path);
        let mut sink = ReadAll {
            reader: &own,
            locator: Locator::default(),
            visit,
        };
        own.take_apart(path, reader, false, &mut sink)
    }

    /// Reads a source that is in memory as [`read`](Self::read) does, without copying it.
    ///
    /// Fails when `visit` fails.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let mut urls = Vec::new();
    /// Reader::default().read_bytes(b"note.txt", b"see http://a.example/", &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         urls.push(found.candidate.text.to_vec());
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(urls, [b"http://a.example/"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read_bytes<E: From<io::Error>>(
        &self,
        path: &[u8],
        bytes: &[u8],
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let own = self.clone().for_path(path);
        let head = &bytes[..bytes.len().min(Self::HEAD)];
        let kind = own.kind_of(path, head)?;
        let is_encoded = charset::from_bom(head).is_some();
        if own.has_pieces(kind, head) {
            return self.read(path, bytes, visit);
        }
        if kind == Kind::Plain && !is_encoded {
            return own.plain_bytes(bytes, visit);
        }
        if bytes.len() > MAX_DOCUMENT {
            return self.read(path, bytes, visit);
        }
        let document = Document {
            text: bytes,
            start: 0,
            kind,
            member: None,
            form: Form::Whole,
            by_name: own.by_name(),
            locator: Locator::default(),
        };
        own.read_document(&document, &mut Locator::default(), visit)
    }

    fn plain_bytes<E>(&self, bytes: &[u8], visit: &mut Visit<'_, E>) -> Result<(), E> {
        let mut locator = Locator::default();
        let window = Window { start: 0, bytes };
        for candidate in self.finder.find(bytes) {
            let start = candidate.outer.start;
            let place = self.positions.then(|| locator.advance(window, start));
            let found = Found::in_plain_text(candidate, place, window, true);
            visit(Event::Found(found.read_only(self.read_only)))?;
        }
        Ok(())
    }

    /// Reads a source as [`read`](Self::read) does, but passes the documents that are held on to
    /// `visit` without reading them, so that they can be read by other threads: see [`Batch`]. Plain
    /// text is read at once.
    ///
    /// Fails when the reader or `visit` fails.
    #[doc(hidden)]
    pub fn share<R: Read, E: From<io::Error>>(
        &self,
        path: &[u8],
        reader: R,
        visit: &mut dyn FnMut(Share<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = self.clone().for_path(path);
        let mut sink = PassOn {
            reader: &own,
            visit,
        };
        own.take_apart(path, reader, own.positions, &mut sink)
    }

    /// Reads a source that is in memory as [`share`](Self::share) does; plain text is a document too.
    ///
    /// Fails when `visit` fails.
    #[doc(hidden)]
    pub fn share_bytes<E: From<io::Error>>(
        &self,
        path: &[u8],
        bytes: &[u8],
        visit: &mut dyn FnMut(Share<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = self.clone().for_path(path);
        let head = &bytes[..bytes.len().min(Self::HEAD)];
        let kind = own.kind_of(path, head)?;
        if bytes.len() > MAX_DOCUMENT || own.has_pieces(kind, head) {
            return self.share(path, bytes, visit);
        }
        let is_encoded = charset::from_bom(head).is_some();
        visit(Share::Document(Document {
            text: bytes,
            start: 0,
            kind,
            member: None,
            form: if kind == Kind::Plain && !is_encoded {
                Form::Text
            } else {
                Form::Whole
            },
            by_name: own.by_name(),
            locator: Locator::default(),
        }))
    }

    /// Returns whether a source of this kind that begins with `head` is read piece by piece.
    fn has_pieces(&self, kind: Kind, head: &[u8]) -> bool {
        let is_encoded = charset::from_bom(head).is_some();
        !is_encoded && (matches!(kind, Kind::Mbox | Kind::Json) || !self.json_fields.is_empty())
    }

    /// Reads a document that this reader has [shared](Self::share), and passes what comes up to
    /// `visit`.
    ///
    /// Fails when `visit` fails.
    #[doc(hidden)]
    pub fn document<E>(&self, document: &Document<'_>, visit: &mut Visit<'_, E>) -> Result<(), E> {
        let mut locator = document.locator;
        if document.by_name == self.by_name() {
            return self.read_document(document, &mut locator, visit);
        }
        let own = self.clone().knowing(document.by_name);
        own.read_document(document, &mut locator, visit)
    }

    /// Returns whether a source with the name `path` is plain text, which may be searched in
    /// [chunks](crate::find::Chunk). `head` is the beginning of the source, [`HEAD`](Self::HEAD)
    /// bytes of it if there are so many.
    #[doc(hidden)]
    pub fn is_plain(&self, path: &[u8], head: &[u8]) -> bool {
        let is_read_so = self.json_fields.is_empty() && charset::from_bom(head).is_none();
        is_read_so
            && self
                .kind_of(path, head)
                .is_ok_and(|kind| kind == Kind::Plain)
    }

    /// Passes what a source is made of to `sink`. If `counts`, documents know how many lines precede
    /// them.
    fn take_apart<R: Read, E: From<io::Error>>(
        &self,
        path: &[u8],
        mut reader: R,
        counts: bool,
        sink: &mut dyn Sink<E>,
    ) -> Result<(), E> {
        let mut head = Vec::new();
        reader
            .by_ref()
            .take(Self::HEAD as u64)
            .read_to_end(&mut head)?;
        let kind = self.kind_of(path, &head[..])?;
        let is_encoded = charset::from_bom(&head).is_some();
        let reader = Cursor::new(head).chain(reader);
        match kind {
            kind if is_encoded => self.whole(kind, reader, sink),
            _ if !self.json_fields.is_empty() => self.json_lines(reader, counts, sink),
            Kind::Plain => self.plain(reader, sink),
            Kind::Mbox => self.mailbox(reader, counts, sink),
            Kind::Json => self.json(reader, counts, sink),
            kind => self.whole(kind, reader, sink),
        }
    }

    fn plain<E: From<io::Error>>(
        &self,
        reader: impl Read,
        sink: &mut dyn Sink<E>,
    ) -> Result<(), E> {
        let mut options = StreamOptions::default();
        options.context = self.positions;
        let mut stream = self.finder.stream_with(reader, options);
        // A candidate is made where it is passed on: moving it once more costs a tenth of the time on
        // lists of URLs.
        while let Some((found, place)) = stream.next_match()? {
            let window = stream.window();
            let candidate = found.candidate(window.bytes, window.start);
            let found = Found::in_plain_text(candidate, place, window, self.positions);
            sink.event(Event::Found(found.read_only(self.read_only)))?;
        }
        Ok(())
    }

    fn mailbox<E: From<io::Error>>(
        &self,
        reader: impl Read,
        counts: bool,
        sink: &mut dyn Sink<E>,
    ) -> Result<(), E> {
        let mut mbox = Mbox::new(reader);
        let mut locator = Locator::default();
        let mut by_name = self.by_name();
        // The articles of a batch are found by their length, which a fix would change.
        by_name.read_only |= mbox.separator()? == Separator::Rnews;
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
                by_name,
                locator,
            };
            if counts {
                locator.advance(document.window(), document.end());
            }
            sink.document(&document)?;
        }
        Ok(())
    }

    fn whole<E: From<io::Error>>(
        &self,
        kind: Kind,
        mut reader: impl Read,
        sink: &mut dyn Sink<E>,
    ) -> Result<(), E> {
        let mut text = Vec::new();
        let limit = MAX_DOCUMENT as u64 + 1;
        reader.by_ref().take(limit).read_to_end(&mut text)?;
        if text.len() > MAX_DOCUMENT {
            sink.event(Event::Notice(too_long(kind.name(), 0)))?;
            return self.plain(Cursor::new(text).chain(reader), sink);
        }
        sink.document(&Document {
            text: &text,
            start: 0,
            kind,
            member: None,
            form: Form::Whole,
            by_name: self.by_name(),
            locator: Locator::default(),
        })
    }

    /// Reads a document. `locator` has counted the lines before it, and counts those in it if lines
    /// are counted.
    fn read_document<E>(
        &self,
        document: &Document<'_>,
        locator: &mut Locator,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let (start, member) = (document.start, document.member);
        if document.form == Form::Text {
            return self.plain_bytes(document.text, visit);
        }
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
            _ => Parts::of(document.text, document.kind, self.scope()),
        };
        self.parts(document, parts, locator, visit)
    }

    /// What is looked for in a document.
    fn scope(&self) -> Scope {
        Scope {
            deep: self.depth.deep,
            skip_code: self.depth.skip_code,
            unknown_schemes: self.finder.schemeless || !self.finder.schemes.is_empty(),
            links: self.links,
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
        for mut notice in notices {
            notice.span = Span::new(notice.span.start + start, notice.span.end + start);
            if !matches!(document.form, Form::Records(_)) {
                notice.member = document.member;
            }
            visit(Event::Notice(notice))?;
        }
        parts.iter_mut().for_each(|part| part.view.shift(start));
        let window = document.window();
        let mut members = Members::new(document);
        let outline = LazyOutline::new(document);
        for located in Merged::new(&parts, &self.finder) {
            let part = &parts[located.part];
            let (view, candidate) = (&part.view, &located.candidate);
            let mut cursor = located.cursor;
            visit(Event::Found(Found {
                candidate: cursor.candidate(candidate.clone()),
                place: self
                    .positions
                    .then(|| locator.advance(window, located.start)),
                window,
                member: members.at(located.start),
                alternative: part.alternative,
                has_context: true,
                origin: Some(Origin { view, candidate }),
                within: Some(Within {
                    parts: &parts,
                    part: located.part,
                    outline: &outline,
                }),
                kind: document.kind,
                read_only: document.by_name.read_only
                    || located.is_example
                    || part.is_example(document.kind),
            }))?;
        }
        if self.positions {
            locator.advance(window, document.end());
        }
        Ok(())
    }
}

impl<'t> Document<'t> {
    /// The document's bytes, and where they are in the source.
    fn window(&self) -> Window<'t> {
        Window {
            start: self.start,
            bytes: self.text,
        }
    }

    /// Where the document ends in the source.
    fn end(&self) -> u64 {
        self.start + self.text.len() as u64
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
