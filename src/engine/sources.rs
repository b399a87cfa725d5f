//! Takes the sources in files: reads them on this thread, or gives them to workers.

use std::cell::RefCell;
use std::io::{self, Read};
use std::sync::Arc;

use super::dispatcher::Dispatcher;
use super::message::Message;
use super::out::Out;
use super::text::{Form, Text};
use super::text_batch::Part;
use super::{Error, Gathering, Inputs, Opened, Reading, Source, Totals, Work, blocks};
use urlint_documents::read::{Content, Reader, Segment};

/// The longest document that a worker gets as a whole, in bytes; a longer one would take too much memory.
pub(super) const SMALL: usize = 4 << 20;

/// Takes sources for a work.
pub(super) struct Sources<'t, 'u, W: Work> {
    pub(super) inputs: &'t Inputs,
    pub(super) work: &'t W,
    pub(super) to: To<'t, 'u, W>,
}

/// Where sources are read.
pub(super) enum To<'t, 'u, W: Work> {
    /// On this thread.
    Here(&'t Out<'u, W::Batch>),
    /// By workers, or on this thread if they are long.
    Workers(&'t RefCell<Dispatcher<'u, W>>),
}

impl<W: Work> Clone for To<'_, '_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Work> Copy for To<'_, '_, W> {}

impl<W: Work> Clone for Sources<'_, '_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Work> Copy for Sources<'_, '_, W> {}

impl<W: Work> To<'_, '_, W> {
    /// Sends the results so far.
    pub(super) fn flush(self) -> Result<(), Error> {
        match self {
            To::Here(out) => out.flush(),
            To::Workers(dispatcher) => dispatcher.borrow_mut().flush(),
        }
    }

    /// Does something on this thread.
    fn here(self, read: impl FnOnce(&Out<'_, W::Batch>) -> Result<(), Error>) -> Result<(), Error> {
        match self {
            To::Here(out) => read(out),
            To::Workers(dispatcher) => {
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
            To::Here(out) => out.note(message, totals),
            To::Workers(dispatcher) => dispatcher.borrow_mut().note(message, totals),
        }
    }

    /// Takes a source. Fails with [`Error::Read`] if the source cannot be read to its end.
    pub(super) fn source(self, source: Source, mut content: Content<'_>) -> Result<(), Error> {
        if let Some(gathering) = self.work.gathering().filter(|gathering| gathering.is_on()) {
            return self.gathered(gathering, source, content);
        }
        let mut buffer = Vec::new();
        let (start, rest) = start_of(self.work, content.reborrow(), &mut buffer)?;
        match rest {
            Some(rest) => self.long(source, start, &mut start.chain(rest)),
            None => self.part(Part::Source(source), start),
        }
    }

    /// Takes a source whose URLs are gathered: as a text that can be kept, if that is possible.
    fn gathered(
        self,
        gathering: &Gathering<W>,
        mut source: Source,
        mut content: Content<'_>,
    ) -> Result<(), Error> {
        if let Some(bytes) = content.in_memory() {
            source.gathered = gathering.begin(&source, bytes);
            return self.part(Part::Source(source), bytes);
        }
        let (mut text, head) = (Vec::new(), self.work.whole_up_to().max(Reader::HEAD) as u64);
        let start = content.by_ref().take(head + 1).read_to_end(&mut text);
        let mut read = start.map(drop);
        source.gathered = gathering.begin(&source, &text);
        if read.is_ok() && text.len() as u64 > head {
            // Of mail, each message can be kept.
            if source.is_mail() || !gathering.is_on() {
                return self.long(source, &text, &mut text.chain(content));
            }
            if !gathering.has_given_up() {
                read = read_pieces(&mut content, &mut text);
            }
            if gathering.has_given_up() || text.len() >= SMALL {
                gathering.give_up();
                return blocks::each_block(text.chain(content), &mut |lines, line| {
                    gathering.add(&source, lines, line);
                    Ok(())
                });
            }
        }
        // The text before an error counts.
        self.part(Part::Source(source), &text)?;
        Ok(read?)
    }

    /// Takes a source that begins with `start`, and goes on.
    fn long(self, source: Source, start: &[u8], all: &mut impl Read) -> Result<(), Error> {
        let Sources { inputs, work, to } = self;
        let gathers = work.gathering().is_some_and(Gathering::is_on);
        let reading = work.begin(&source, start)?;
        let is_split = gathers || matches!((&reading, to), (Reading::Urls(..), To::Workers(_)));
        match reading {
            Reading::Urls(reader, state) | Reading::InOrder(reader, state) if is_split => {
                let opened = Arc::new(Opened::new(inputs, source, reader, state));
                self.documents(&opened, Content::from(all))
            }
            Reading::Urls(reader, state) | Reading::InOrder(reader, state) => {
                let opened = Opened::new(inputs, source, reader, state);
                let text = Text::new(&opened, Form::Stream(Content::from(all)));
                to.here(|out| work.read(text, out))
            }
            Reading::Lines(state) => {
                let opened = Arc::new(Opened::new(inputs, source, Reader::default(), state));
                blocks::each_block(all, &mut |lines, line| {
                    self.part(Part::Lines(opened.clone(), line), lines)
                })
            }
            Reading::Done(results) => to.here(|out| out.send(results)),
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
                to.here(|out| work.read(Text::new(opened, Form::Event(event)), out))
            }
            _ => Ok(()),
        })
    }

    /// Gives a text to a worker, or reads it here if it is long.
    fn part(self, part: Part<W>, bytes: &[u8]) -> Result<(), Error> {
        match self.to {
            To::Here(out) => read(self.work, part, 0, bytes, out),
            To::Workers(dispatcher) if bytes.len() > SMALL => {
                let out = dispatcher.borrow_mut().own()?;
                read_apart(self.work, part, 0, bytes, &out)
            }
            To::Workers(dispatcher) => dispatcher.borrow_mut().text(part, 0, bytes),
        }
    }
}

/// Reads a text that is in memory, as [`read`] does. If that fails, there is a message.
pub(super) fn read_apart<W: Work>(
    work: &W,
    part: Part<W>,
    events: usize,
    bytes: &[u8],
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    let name = part.source().name.clone();
    match read(work, part, events, bytes, out) {
        Err(Error::Read(error)) => out.note(
            Message::failed_source(name.whole(), &error),
            Totals::failed(),
        ),
        read => read,
    }
}

/// Reads a text that is in memory, on this thread; without the first `events`, which have been passed on before.
fn read<W: Work>(
    work: &W,
    part: Part<W>,
    events: usize,
    bytes: &[u8],
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    let gathering = work.gathering().filter(|gathering| gathering.is_on());
    let is_mailbox = gathering.is_some_and(|gathering| gathering.text(&part, bytes));
    if !is_mailbox && gathering.is_some_and(Gathering::has_given_up) {
        return Ok(());
    }
    let (read, part) = match part {
        Part::Document(opened, document) => {
            let form = Form::Document(document.with_text(bytes));
            let read = work.read(Text::new(&opened, form).after(events), out);
            (read, Part::Document(opened, document))
        }
        Part::Lines(opened, line) => {
            return work.read(Text::new(&opened, Form::Lines(bytes, line)), out);
        }
        Part::Source(source) => {
            let (reader, state) = match work.begin(&source, bytes)? {
                Reading::Urls(reader, state) | Reading::InOrder(reader, state) => (reader, state),
                Reading::Lines(state) => (Reader::default(), state),
                Reading::Done(results) => return out.send(results),
            };
            let opened = Opened::new(out.inputs, source, reader, state);
            if is_mailbox {
                let (inputs, to) = (out.inputs, To::Here(out));
                let sources = Sources { inputs, work, to };
                return sources.documents(&Arc::new(opened), bytes.into());
            }
            let text = Text::new(&opened, Form::Whole(bytes)).after(events);
            (work.read(text, out), Part::Source(opened.source))
        }
    };
    match (read, gathering) {
        (Err(Error::Unanswered(events)), Some(gathering)) => {
            gathering.keep(part, events, bytes, out);
            Ok(())
        }
        (read, _) => read,
    }
}

/// Reads on until `text` is long or ends, in pieces as streams of text are read: damage in a piece loses it.
fn read_pieces(content: &mut Content<'_>, text: &mut Vec<u8>) -> io::Result<()> {
    const PIECE: usize = 64 << 10;
    while text.len() < SMALL {
        let len = text.len();
        text.resize(len + PIECE - len % PIECE, 0);
        let read = content.read(&mut text[len..]);
        text.truncate(len + read.as_ref().map_or(0, |&read| read));
        if read? == 0 {
            break;
        }
    }
    Ok(())
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
