//! Texts that a work reads: sources, and parts of them.

use super::sources::{Sources, To};
use super::{Error, Opened, Out, Work};
use urlint_documents::read::{Content, Document, Event, Found};

/// A text for a [`Work`] to read: a source, or a part of it.
pub struct Text<'t, W: Work> {
    /// The source.
    pub opened: &'t Opened<W>,
    form: Form<'t>,
}

/// The form of a text.
pub(super) enum Form<'t> {
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
    pub(super) fn new(opened: &'t Opened<W>, form: Form<'t>) -> Self {
        Text { opened, form }
    }

    /// Returns the same source with other bytes.
    #[must_use]
    pub fn with<'b>(&self, bytes: &'b [u8]) -> Text<'b, W>
    where
        't: 'b,
    {
        Text::new(self.opened, Form::Whole(bytes))
    }

    /// Returns the source, if the text is all of it and in memory.
    pub fn whole(&self) -> Option<&'t [u8]> {
        match self.form {
            Form::Whole(bytes) => Some(bytes),
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
                let to = To::Here(out);
                let inputs = out.inputs;
                inputs.open_attachment(source, &attachment, Sources { inputs, work, to })
            }
            _ => Ok(()),
        };
        match self.form {
            Form::Whole(bytes) => reader.read(source.path(), bytes, take),
            Form::Stream(content) => reader.read(source.path(), content, take),
            Form::Document(document) => reader.document(&document, take),
            Form::Event(event) => take(event),
        }
    }
}
