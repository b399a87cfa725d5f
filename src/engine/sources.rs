//! Takes the sources in files: reads them on this thread, or gives them to workers, as texts for a work.

use std::cell::RefCell;
use std::io::{self, Read};
use std::sync::Arc;

use super::dispatcher::Dispatcher;
use super::message::Message;
use super::out::Out;
use super::text_batch::Part;
use super::{Error, Inputs, Opened, Reading, Source, Totals, Work};
use urlint_documents::read::{Content, Document, Event, Found, Segment};

/// The longest document that a worker gets as a whole, in bytes; a longer one would take too much memory.
pub(super) const SMALL: usize = 4 << 20;

/// A text for a [`Work`] to read: a source, or a part of it.
pub struct Text<'t, W: Work> {
    /// The source.
    pub opened: &'t Opened<W>,
    kind: TextKind<'t>,
}

/// The form in which a text comes.
enum TextKind<'t> {
    /// A source that is all in memory.
    Whole(&'t [u8]),
    /// A source that is not.
    Stream(Content<'t>),
    /// A document of a source.
    Document(Document<'t>),
    /// An event in a source.
    Event(Event<'t>),
}

impl<'t, W: Work> Text<'t, W> {
    fn new(opened: &'t Opened<W>, kind: TextKind<'t>) -> Self {
        Text { opened, kind }
    }

    /// Returns the same source with other bytes.
    #[must_use]
    pub fn with<'b>(&self, bytes: &'b [u8]) -> Text<'b, W>
    where
        't: 'b,
    {
        Text::new(self.opened, TextKind::Whole(bytes))
    }

    /// Returns the source, if the text is all of it and in memory.
    pub fn whole(&self) -> Option<&'t [u8]> {
        match self.kind {
            TextKind::Whole(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Passes each URL of the text to `visit`, in order. Notices about the text go to `out`; attachments of
    /// messages are sources of their own, and read by `work`.
    ///
    /// Fails when the source cannot be read, and when `visit` fails.
    pub fn each_url(
        self,
        work: &W,
        out: &Out<'_, W::Batch>,
        visit: &mut dyn FnMut(&Found<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Opened { source, reader, .. } = self.opened;
        let take = &mut |event: Event<'_>| match event {
            Event::Found(found) => visit(&found),
            Event::Notice(notice) => out.notice(&source.name, notice),
            Event::Attachment(attachment) => {
                let to = Destination::Inline(out);
                let inputs = out.inputs;
                inputs.open_attachment(source, &attachment, Sources { inputs, work, to })
            }
            _ => Ok(()),
        };
        match self.kind {
            TextKind::Whole(bytes) => reader.read(source.path(), bytes, take),
            TextKind::Stream(content) => reader.read(source.path(), content, take),
            TextKind::Document(document) => reader.document(&document, take),
            TextKind::Event(event) => take(event),
        }
    }
}

/// Takes sources for a work.
pub(super) struct Sources<'t, 'u, W: Work> {
    pub(super) inputs: &'t Inputs,
    pub(super) work: &'t W,
    pub(super) to: Destination<'t, 'u, W>,
}

/// Where sources are read.
pub(super) enum Destination<'t, 'u, W: Work> {
    /// On this thread.
    Inline(&'t Out<'u, W::Batch>),
    /// By workers, or on this thread if they are long.
    Workers(&'t RefCell<Dispatcher<'u, W>>),
}

impl<W: Work> Clone for Destination<'_, '_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Work> Copy for Destination<'_, '_, W> {}

impl<W: Work> Clone for Sources<'_, '_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Work> Copy for Sources<'_, '_, W> {}

impl<W: Work> Destination<'_, '_, W> {
    /// Sends the results so far.
    pub(super) fn flush(self) -> Result<(), Error> {
        match self {
            Destination::Inline(out) => out.flush(),
            Destination::Workers(dispatcher) => dispatcher.borrow_mut().flush(),
        }
    }

    /// Does something on this thread.
    fn inline(
        self,
        read: impl FnOnce(&Out<'_, W::Batch>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self {
            Destination::Inline(out) => read(out),
            Destination::Workers(dispatcher) => {
                let out = dispatcher.borrow_mut().own()?;
                read(&out)
            }
        }
    }
}

impl<W: Work> Sources<'_, '_, W> {
    /// Takes a message, and the numbers of sources that were read, skipped, or could not be read.
    pub(super) fn note(self, message: Option<Message>, totals: Totals) -> Result<(), Error> {
        match self.to {
            Destination::Inline(out) => out.note(message, totals),
            Destination::Workers(dispatcher) => dispatcher.borrow_mut().note(message, totals),
        }
    }

    /// Takes a source. Fails with [`Error::Read`] if the source cannot be read to its end.
    pub(super) fn source(self, source: Source, mut content: Content<'_>) -> Result<(), Error> {
        let mut buffer = Vec::new();
        let (start, rest) = start_of(self.work, content.reborrow(), &mut buffer)?;
        match rest {
            Some(rest) => self.long(source, start, &mut start.chain(rest)),
            None => self.part(Part::Source(source), start),
        }
    }

    /// Takes a source that begins with `start`, and goes on.
    fn long(self, source: Source, start: &[u8], all: &mut impl Read) -> Result<(), Error> {
        let Sources { inputs, work, to } = self;
        match (work.begin(&source, start)?, to) {
            // Which of several equal diagnostics is known depends on their order.
            (Reading::Urls(reader, state), Destination::Workers(_))
                if inputs.known(&source).is_none() =>
            {
                let opened = Arc::new(Opened::new(inputs, source, reader, state));
                self.documents(&opened, Content::from(all))
            }
            (Reading::Urls(reader, state), _) => {
                let opened = Opened::new(inputs, source, reader, state);
                let text = Text::new(&opened, TextKind::Stream(Content::from(all)));
                to.inline(|out| work.read(text, out))
            }
            (Reading::Done(results), _) => to.inline(|out| out.send(results)),
        }
    }

    /// Takes the documents of a source one by one.
    fn documents(self, opened: &Arc<Opened<W>>, content: Content<'_>) -> Result<(), Error> {
        let Sources { work, to, .. } = self;
        let Opened { source, reader, .. } = &**opened;
        reader.documents(source.path(), content, &mut |segment| match segment {
            Segment::Document(document) => {
                let part = Part::Document(opened.clone(), document.with_text(&[]));
                self.part(part, document.text())
            }
            Segment::Event(event) => {
                to.inline(|out| work.read(Text::new(opened, TextKind::Event(event)), out))
            }
            _ => Ok(()),
        })
    }

    /// Gives a text to a worker, or reads it here if it is long.
    fn part(self, part: Part<W>, bytes: &[u8]) -> Result<(), Error> {
        match self.to {
            Destination::Inline(out) => read(self.work, part, bytes, out),
            Destination::Workers(dispatcher) if bytes.len() > SMALL => {
                let out = dispatcher.borrow_mut().own()?;
                read_apart(self.work, part, bytes, &out)
            }
            Destination::Workers(dispatcher) => dispatcher.borrow_mut().text(part, bytes),
        }
    }
}

/// Reads a text that is in memory, as [`read`] does. If that fails, there is a message.
pub(super) fn read_apart<W: Work>(
    work: &W,
    part: Part<W>,
    bytes: &[u8],
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    let name = part.source().name.clone();
    match read(work, part, bytes, out) {
        Err(Error::Read(error)) => out.note(
            Message::failed_source(name.whole(), &error),
            Totals::failed(),
        ),
        read => read,
    }
}

/// Reads a text that is in memory, on this thread.
fn read<W: Work>(
    work: &W,
    part: Part<W>,
    bytes: &[u8],
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    match part {
        Part::Document(opened, document) => {
            let kind = TextKind::Document(document.with_text(bytes));
            work.read(Text::new(&opened, kind), out)
        }
        Part::Source(source) => {
            let (reader, state) = match work.begin(&source, bytes)? {
                Reading::Urls(reader, state) => (reader, state),
                Reading::Done(results) => return out.send(results),
            };
            let opened = Opened::new(out.inputs, source, reader, state);
            work.read(Text::new(&opened, TextKind::Whole(bytes)), out)
        }
    }
}

/// Returns the start of a source, and the rest unless the start is all of it.
fn start_of<'c, W: Work>(
    work: &W,
    mut content: Content<'c>,
    buffer: &'c mut Vec<u8>,
) -> io::Result<(&'c [u8], Option<Content<'c>>)> {
    if let Some(bytes) = content.in_memory() {
        return Ok((bytes, None));
    }
    let whole = work.whole_up_to();
    if whole == 0 {
        return Ok((b"", Some(content)));
    }
    content
        .by_ref()
        .take(whole as u64 + 1)
        .read_to_end(buffer)?;
    let goes_on = buffer.len() > whole;
    Ok((buffer, goes_on.then_some(content)))
}
