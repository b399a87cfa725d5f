//! Reading sources of any kind: documents are split into parts by their kind, and their text is
//! searched.

mod by_name;
mod content;
mod dates;
#[doc(hidden)]
pub mod found;
mod json;
mod merge;
mod parts;
mod piece;
mod records;
#[doc(hidden)]
pub mod room;
mod shortened;
mod unread;

use std::io::{self, Cursor, Read};
use std::sync::Arc;

pub use content::Content;
pub use found::Found;
#[doc(hidden)]
pub use piece::Document;

use crate::document::json::notebook::is_notebook;
use crate::document::{
    Attachment, Depth, FilePolicy, Kind, MAX_DOCUMENT, Notice, Parts, Scope, program,
};
use by_name::ByName;
use piece::Form;
use records::Records;
use urlint_find::{Finder, StreamOptions, mistake};
use urlint_mail::mbox::{self, Mbox, Separator};
use urlint_standard::text::utf8::utf_16;
use urlint_standard::text::{Locator, Span, Window};
use urlint_view::{View, charset};

/// How many bytes of a document are requested from the reader at once.
const READ_SIZE: usize = 256 * 1024;

/// Reads sources. The default reader detects the kind of each source by its name and first bytes,
/// and reads everything that is shown to people.
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
#[must_use]
pub struct Reader {
    /// How candidates are found in the text of a document.
    pub finder: Finder,
    /// The kind of all sources. If `None`, the kind of each source is detected by its name, or else
    /// by its first bytes.
    pub kind: Option<Kind>,
    /// Which parts of a document are read.
    pub depth: Depth,
    /// Whether lines and columns are counted, and the text around candidates in plain text is kept.
    pub positions: bool,
    /// Whether the descriptions of links are kept: see [`Found::link`].
    pub links: bool,
    /// If not empty, sources are JSON with a value on each line, and only the strings under these
    /// names are read. The names of nested objects are joined by dots: `data.body`.
    pub json_fields: Arc<[String]>,
    /// If not `None`, relative targets of links are found, too, resolved by the base that their
    /// document names (`<base href>` of HTML, `Content-Location` of mail), or else by this URL of all
    /// sources, which is empty if it is not known. Without a base they are left out. See
    /// [`Found::relative`].
    pub base: Option<Arc<[u8]>>,
    /// Whether notices count the places with `://` that are not read, such as those in comments.
    pub unread: bool,
    /// The policy for reports and fixes in sources, by their names.
    policy: FilePolicy,
}

/// An event in the reading of a source.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'w> {
    /// A candidate.
    Found(Found<'w>),
    /// A notice about the source itself.
    Notice(Notice),
    /// A part of a message that is not text, after the candidates of the message.
    Attachment(Attachment<'w>),
}

/// A document or an event that a source is split into, for callers that read its documents elsewhere.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub enum Segment<'w> {
    /// A document, to be read by [`Reader::document`].
    Document(Document<'w>),
    /// An event in text that was read immediately.
    Event(Event<'w>),
}

/// Receives the documents and events of a source; may stop the reading with an error of its own.
type Take<'v, E> = dyn FnMut(Segment<'_>) -> Result<(), E> + 'v;

/// Receives the events; may stop the reading with an error of its own.
type Visit<'v, E> = dyn FnMut(Event<'_>) -> Result<(), E> + 'v;

impl Reader {
    /// How many of the first bytes of a source its kind may depend on.
    pub const HEAD: usize = Kind::HEAD;

    /// Sets [`finder`](Self::finder), how candidates are found in the text of a document.
    pub fn with_finder(self, finder: Finder) -> Self {
        Reader { finder, ..self }
    }

    /// Sets [`kind`](Self::kind), the kind of all sources.
    pub fn with_kind(mut self, kind: impl Into<Option<Kind>>) -> Self {
        self.kind = kind.into();
        self
    }

    /// Sets whether the finder finds [mistakes](Finder::mistakes) in `http://`, which are reported
    /// but not listed.
    pub fn with_mistakes(mut self, mistakes: bool) -> Self {
        self.finder.mistakes = mistakes;
        self
    }

    /// Sets [`depth`](Self::depth), which parts of a document are read.
    pub fn with_depth(self, depth: Depth) -> Self {
        Reader { depth, ..self }
    }

    /// Sets [`positions`](Self::positions), whether lines and columns are counted.
    pub fn with_positions(self, positions: bool) -> Self {
        Reader { positions, ..self }
    }

    /// Sets [`links`](Self::links), whether the descriptions of links are kept.
    pub fn with_links(self, links: bool) -> Self {
        Reader { links, ..self }
    }

    /// Sets [`unread`](Self::unread), whether notices count the places with `://` that are not read.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let page: &[u8] = b"<p>See <!-- http://a.example/ -->";
    /// let mut messages = Vec::new();
    /// Reader::default().with_unread(true).read(b"a.html", page, &mut |event| {
    ///     if let Event::Notice(notice) = event {
    ///         messages.push(notice.message);
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(messages, ["not read: `://` in a comment, a script or the like"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_unread(self, unread: bool) -> Self {
        Reader { unread, ..self }
    }

    /// Sets [`json_fields`](Self::json_fields), the strings of JSON that are read: `["data.body"]`.
    pub fn with_json_fields<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.json_fields = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`base`](Self::base), by which relative targets of links are resolved.
    ///
    /// ```
    /// use urlint::{Event, Reader};
    ///
    /// let page: &[u8] = b"<p>See <a href='../x.html'>the page</a>.";
    /// let reader = Reader::default().with_base(&b"http://a.example/b/c"[..]);
    /// let mut urls = Vec::new();
    /// reader.read(b"a.html", page, &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         urls.push(found.candidate.text.to_vec());
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(urls, [b"http://a.example/x.html"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_base(mut self, base: impl Into<Arc<[u8]>>) -> Self {
        self.base = Some(base.into());
        self
    }

    /// The reader for a source with the name `path`. Its [finder](Self::finder) is one for source
    /// code if the extension says so, and fixes are for display only if the syntax around the URLs
    /// is unknown, or if a program made the source. [`read`](Self::read) does this itself. If the
    /// reader has a [kind](Self::kind) for all sources, the name decides only whether fixes are for
    /// display only.
    ///
    /// ```
    /// use urlint::Reader;
    ///
    /// assert!(Reader::default().for_path(b"src/lib.rs").finder.code);
    /// ```
    pub fn for_path(self, path: &[u8]) -> Self {
        let by_name = ByName::of(path, self.kind);
        self.with_name_facts(by_name)
    }

    /// Returns the kind as which a source with the name `path` is read: the reader's own
    /// [kind](Self::kind), or else the kind for the extension, or else the kind of the first
    /// [`HEAD`](Self::HEAD) bytes of `source`, which are read only if needed.
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
        let mut head = Vec::new();
        if self.named_kind(path).is_none() {
            source.take(Self::HEAD as u64).read_to_end(&mut head)?;
        }
        Ok(self.kind_with_head(path, &head))
    }

    /// Returns the kind as which a source with the name `path` is read, if its first bytes do not matter.
    fn named_kind(&self, path: &[u8]) -> Option<Kind> {
        let is_certain = |kind: &Kind| !matches!(kind, Kind::Asciidoc | Kind::Calendar);
        self.kind.or(Kind::from_path(path).filter(is_certain))
    }

    fn kind_with_head(&self, path: &[u8], head: &[u8]) -> Kind {
        if let Some(kind) = self.named_kind(path) {
            return kind;
        }
        let decoded = utf_16(head).and_then(|label| charset::decode(head, label.as_bytes()).ok());
        let head = decoded.as_ref().map_or(head, View::text);
        let others: [&[u8]; 2] = [b"-----BEGIN PGP", b"##fileformat=VCF"];
        match Kind::from_path(path) {
            Some(_) if others.iter().any(|other| head.starts_with(other)) => Kind::Plain,
            Some(kind) => kind,
            None => Kind::from_head(head),
        }
    }

    /// Reads a source to its end and passes events to `visit`, with candidates in the order in
    /// which they begin. `path` is the name of the source, whose extension decides the kind.
    /// `content` is a slice or a `&mut` of a reader.
    ///
    /// Bytes in memory are not copied. From a stream, plain text and JSON are read in bounded
    /// memory, and a mailbox message by message. Other documents are held as a whole, up to
    /// [`MAX_DOCUMENT`] bytes; a longer one is read as plain text.
    ///
    /// Fails when the reader or `visit` fails, or when there is no memory for a document.
    pub fn read<'c, E: From<io::Error>>(
        &self,
        path: &[u8],
        content: impl Into<Content<'c>>,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        let own = self.clone().for_path(path);
        own.split(path, content.into(), &mut |segment| match segment {
            Segment::Document(document) => own.document(&document, visit),
            Segment::Event(event) => visit(event),
        })
    }

    /// Reads a source as [`read`](Self::read) does, but passes its documents to `visit` without
    /// reading them, so that other threads can. Plain text from a stream is read immediately.
    ///
    /// Fails when the reader or `visit` fails.
    #[doc(hidden)]
    pub fn documents<'c, E: From<io::Error>>(
        &self,
        path: &[u8],
        content: impl Into<Content<'c>>,
        visit: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let own = self.clone().for_path(path);
        own.split(path, content.into(), visit)
    }

    fn plain_bytes<E>(&self, bytes: &[u8], visit: &mut Visit<'_, E>) -> Result<(), E> {
        let mut locator = Locator::default();
        let window = Window { start: 0, bytes };
        for candidate in self.finder.find(bytes) {
            let start = candidate.outer.start;
            let position = self.positions.then(|| locator.advance(window, start));
            let found = Found::in_plain_text(candidate, position, window);
            visit(Event::Found(found.with_policy(self.policy)))?;
        }
        Ok(())
    }

    /// Reads a document from [`documents`](Self::documents), and passes events to `visit`.
    ///
    /// Fails when `visit` fails, or when there is no memory for the document.
    #[doc(hidden)]
    pub fn document<E: From<io::Error>>(
        &self,
        document: &Document<'_>,
        visit: &mut Visit<'_, E>,
    ) -> Result<(), E> {
        if document.by_name == self.by_name() {
            return self.read_document(document, visit);
        }
        let own = self.clone().with_name_facts(document.by_name);
        own.read_document(document, visit)
    }

    /// Splits a source, and passes the results to `take`. If lines are counted, documents record how many precede them.
    fn split<E: From<io::Error>>(
        &self,
        path: &[u8],
        mut content: Content<'_>,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut head = Vec::new();
        let start = first(&mut content, &mut head, Self::HEAD)?;
        let kind = self.kind_with_head(path, start);
        let is_broken = std::str::from_utf8(start).is_err_and(|fault| fault.error_len().is_some());
        let mut is_encoded = utf_16(start).is_some();
        let is_notebook = kind == Kind::Json && self.json_fields.is_empty() && is_notebook(start);
        if is_broken && matches!(kind, Kind::Plain | Kind::Json) && self.json_fields.is_empty() {
            let start = first(&mut content, &mut head, charset::GUESSED)?;
            is_encoded |= charset::of(start, false).is_some();
        }
        let is_program = kind == Kind::Plain && self.finder.code && self.json_fields.is_empty();
        let has_escapes =
            is_program && program::has_escapes(first(&mut content, &mut head, charset::GUESSED)?);
        let is_one = is_encoded || is_notebook || has_escapes;
        if let Content::Bytes(text) = content
            && let Some(form) = self.form_of(kind, is_one, text.len())
        {
            return take(Segment::Document(self.whole_source(text, kind, form)));
        }
        let reader = Cursor::new(head).chain(content);
        match kind {
            kind if is_one => self.whole(kind, reader, take),
            _ if !self.json_fields.is_empty() => self.json_lines(reader, take),
            Kind::Plain => self.plain(reader, take),
            Kind::Mbox => self.mailbox(reader, take),
            Kind::Json => self.json(reader, take),
            kind => self.whole(kind, reader, take),
        }
    }

    /// Returns the form of a source in memory that is one document; `None` if it is read piece by
    /// piece.
    fn form_of(&self, kind: Kind, is_one: bool, length: usize) -> Option<Form> {
        let has_pieces = matches!(kind, Kind::Mbox | Kind::Json) || !self.json_fields.is_empty();
        if has_pieces && !is_one {
            None
        } else if kind == Kind::Plain && !is_one {
            Some(Form::Text)
        } else {
            (length <= MAX_DOCUMENT).then_some(Form::Whole)
        }
    }

    fn plain<E: From<io::Error>>(
        &self,
        reader: impl Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut options = StreamOptions::default();
        options.context = self.positions;
        let mut stream = self.finder.stream_with(reader, options);
        // The candidate is built where it is passed on: another move costs a tenth of the time on
        // lists of URLs.
        while let Some((found, position)) = stream.next_match()? {
            let window = stream.window();
            let candidate = found.candidate(window.bytes, window.start);
            let found = Found::in_plain_text(candidate, position, window);
            take(Segment::Event(Event::Found(found.with_policy(self.policy))))?;
        }
        Ok(())
    }

    fn mailbox<E: From<io::Error>>(
        &self,
        reader: impl Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut mbox = Mbox::new(reader, MAX_DOCUMENT);
        let mut locator = Locator::default();
        let mut by_name = self.by_name();
        // Articles of a batch are located by their length, which a fix would change.
        by_name.policy.read_only |= mbox.separator()? == Separator::Rnews;
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
            if self.positions {
                locator.advance(document.window(), document.end());
            }
            take(Segment::Document(document))?;
        }
        Ok(())
    }

    fn whole<E: From<io::Error>>(
        &self,
        kind: Kind,
        mut reader: impl Read,
        take: &mut Take<'_, E>,
    ) -> Result<(), E> {
        let mut text = Vec::new();
        // Read piece by piece, or as much memory again may be touched.
        while text.len() <= MAX_DOCUMENT {
            let wanted = READ_SIZE.min(MAX_DOCUMENT + 1 - text.len());
            let mut piece = reader.by_ref().take(wanted as u64);
            if piece.read_to_end(&mut text)? == 0 {
                break;
            }
        }
        if text.len() > MAX_DOCUMENT {
            take(Segment::Event(Event::Notice(too_long(kind.name(), 0))))?;
            return self.plain(Cursor::new(text).chain(reader), take);
        }
        take(Segment::Document(self.whole_source(
            &text,
            kind,
            Form::Whole,
        )))
    }

    /// Returns a source that is one document.
    fn whole_source<'t>(&self, text: &'t [u8], kind: Kind, form: Form) -> Document<'t> {
        Document {
            text,
            start: 0,
            kind,
            member: None,
            form,
            by_name: self.by_name(),
            locator: Locator::default(),
        }
    }

    /// Reads a document.
    fn read_document<E: From<io::Error>>(
        &self,
        document: &Document<'_>,
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
        let is_notebook = document.kind == Kind::Json && is_notebook(document.text);
        room::ensure(
            document.text,
            if is_notebook {
                Kind::Markdown
            } else {
                document.kind
            },
        )?;
        let parts = match (document.form, member) {
            (Form::Records(end), Some(number)) => {
                let mut parts = Parts::default();
                Records::new(self, number).read(document, end, &mut parts);
                parts
            }
            _ => Parts::of(document.text, document.kind, self.scope(document.text)),
        };
        self.parts(document, parts, visit)
    }

    /// Which parts of the document `text` are needed.
    fn scope(&self, text: &[u8]) -> Scope {
        let finder = &self.finder;
        let has_mistake = || finder.mistakes && mistake::find(text, 0).is_some();
        let has_own = finder.schemeless || !finder.schemes.is_empty();
        Scope {
            deep: self.depth.deep,
            skip_code: self.depth.skip_code,
            unknown_schemes: has_own || has_mistake(),
            mistakes: finder.mistakes,
            links: self.links,
            is_code: finder.code,
            template: self.policy.is_template,
            resolve: self.base.is_some(),
            is_nested: false,
        }
    }
}

/// Returns the first `len` bytes of `content`, which are read into `head` if they are not in memory.
fn first<'h, 'c: 'h>(
    content: &mut Content<'c>,
    head: &'h mut Vec<u8>,
    len: usize,
) -> io::Result<&'h [u8]> {
    if let Some(bytes) = content.in_memory() {
        return Ok(&bytes[..bytes.len().min(len)]);
    }
    let more = len.saturating_sub(head.len()) as u64;
    content.take(more).read_to_end(head)?;
    Ok(&head[..head.len().min(len)])
}

fn too_long(kind: &str, start: u64) -> Notice {
    let limit = MAX_DOCUMENT >> 20;
    let message = format!("longer than {limit} MiB, so read as plain text and not as {kind}");
    Notice::new(Span::new(start, start), message)
}

#[cfg(test)]
mod tests;
