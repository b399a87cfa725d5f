//! Reading sources and parts of them, each on the thread that has it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::Ordering;

use super::dispatcher::{Item, Job, Unit};
use super::message::Message;
use super::open::Sources;
use super::out::Out;
use super::parallel::Sender;
use super::text_batch::BatchedText;
use super::{Error, Inputs, Opened, Reading, Source, Totals, Work, blocks};
use urlint_documents::read::{Content, Event};

/// The longest document that a worker gets as a whole, in bytes; a longer one would take too much memory.
pub(super) const SMALL: usize = 4 << 20;

/// Does the jobs of a unit.
pub(super) fn work_on<W: Work>(
    inputs: &Inputs,
    work: &W,
    unit: Unit<W>,
    sender: &Sender<Item<W>, Error>,
) -> Result<(), Error> {
    let out = Out::new(inputs, |results| Ok(sender.send(Item::Results(results))?));
    for job in unit {
        match job {
            Job::File(entry) => inputs.open(&entry, 1, &mut Here { work, out: &out })?,
            Job::Texts(texts) => {
                let bytes = texts.each(|text, bytes| read_text(work, text, bytes, &out))?;
                inputs.buffers.give(bytes);
            }
            Job::Chunk(chunk, next_line) => {
                let reached = chunk.search(inputs, work, Some(next_line), 0, &out)?;
                let length = chunk.length();
                inputs.bytes_read.fetch_add(length, Ordering::Relaxed);
                out.flush()?;
                sender.send(Item::Reached(reached))?;
            }
            Job::Send(results) => out.send(results)?,
        }
    }
    out.flush()
}

/// Reads sources on this thread.
pub(super) struct Here<'h, 's, W: Work> {
    pub(super) work: &'h W,
    pub(super) out: &'h Out<'s, W::Batch>,
}

impl<W: Work> Sources for Here<'_, '_, W> {
    fn source(
        &mut self,
        source: Source,
        mut content: Content<'_>,
        _: Option<&File>,
    ) -> Result<(), Error> {
        let (work, out) = (self.work, self.out);
        let mut buffer = Vec::new();
        let (start, rest) = start_of(work, content.reborrow(), &mut buffer)?;
        let Some(rest) = rest else {
            return work.whole(source, start, out);
        };
        let mut all = start.chain(rest);
        match work.begin(&source, start)? {
            Reading::Urls(reader, state) | Reading::InOrder(reader, state) => {
                let opened = Opened::new(source, reader, state);
                read(work, &opened, Content::from(&mut all), None, out)
            }
            Reading::Lines => blocks::each_block(&mut all, &mut |lines, line| {
                work.lines(&source, lines, line);
                Ok(())
            }),
            Reading::Done(results) => out.send(results),
        }
    }

    fn note(&mut self, message: Option<Message>, totals: Totals) -> Result<(), Error> {
        self.out.note(message, totals)
    }
}

/// Reads a text that is in memory, on this thread.
pub(super) fn read_text<W: Work>(
    work: &W,
    text: BatchedText<W>,
    bytes: &[u8],
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    let name;
    let read = match text {
        BatchedText::Source(source) => {
            name = source.name.clone();
            work.whole(source, bytes, out)
        }
        BatchedText::Document(opened, document) => {
            name = opened.source.name.clone();
            let document = document.with_text(bytes);
            opened.reader.document(&document, &mut |event| {
                take(work, &opened, None, event, out)
            })
        }
        BatchedText::Lines(source, line) => {
            work.lines(&source, bytes, line);
            return Ok(());
        }
    };
    match read {
        Err(Error::Read(error)) => out.note(
            Message::failed_source(name.whole(), &error),
            Totals::failed(),
        ),
        read => read,
    }
}

/// Reads a source that is all in memory, and passes its URLs to [`Work::found`].
pub fn read_whole<W: Work>(
    work: &W,
    source: Source,
    bytes: &[u8],
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    match work.begin(&source, bytes)? {
        Reading::Urls(reader, state) | Reading::InOrder(reader, state) => {
            let opened = Opened::new(source, reader, state);
            read(work, &opened, bytes.into(), Some(bytes), out)?;
            work.end(&opened, bytes, out)
        }
        Reading::Lines => {
            work.lines(&source, bytes, 1);
            Ok(())
        }
        Reading::Done(results) => out.send(results),
    }
}

/// Reads a source on this thread. `whole` is the source, if all of it is in memory.
pub(super) fn read<W: Work>(
    work: &W,
    opened: &Opened<W>,
    content: Content<'_>,
    whole: Option<&[u8]>,
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    let path = opened.source.path();
    opened.reader.read(path, content, &mut |event| {
        take(work, opened, whole, event, out)
    })
}

/// Takes an event of a source.
pub(super) fn take<W: Work>(
    work: &W,
    opened: &Opened<W>,
    whole: Option<&[u8]>,
    event: Event<'_>,
    out: &Out<'_, W::Batch>,
) -> Result<(), Error> {
    match event {
        Event::Found(found) => work.found(opened, whole, &found, out),
        Event::Notice(notice) => out.notice(&opened.source.name, notice),
        Event::Attachment(attachment) => {
            let to = &mut Here { work, out };
            out.inputs.open_attachment(&opened.source, &attachment, to)
        }
        _ => Ok(()),
    }
}

/// Returns the start of a source, and the rest unless the start is all of it.
pub(super) fn start_of<'c, W: Work>(
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
