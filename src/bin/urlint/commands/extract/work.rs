//! What the threads do: from candidates to rows.

use clap::ValueEnum;
use urlint::find::Witnesses;
use urlint::list::SourceInfo;
use urlint::{Found, Reader};

use super::batch::RowBatch;
use super::rows::Rows;
use crate::commands::extract::filter::FilterArgs;
use crate::error::Error;
use crate::jobs::{Context, Emitter, SharedSource, Work};
use crate::walk::Input;

/// Where relative targets of links are listed, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Resolve {
    /// In all documents that have a base
    Always,
    /// In records of web archives, by their URLs
    Archives,
    /// Nowhere
    Never,
}

/// What all threads share for the list.
pub(super) struct Extraction {
    pub(super) context: Context,
    /// The URLs that stand unbroken in the input, if it is more than one document.
    pub(super) witnesses: Option<Witnesses>,
    pub(super) filter: &'static FilterArgs,
    pub(super) resolve: Resolve,
    pub(super) rows: Rows,
    /// The limit of rows, if the first ones are enough: a batch with that many is sent at once.
    pub(super) enough: Option<u64>,
}

impl Work for Extraction {
    type Batch = RowBatch;
    type State = ();

    const START: usize = 0;

    fn context(&self) -> &Context {
        &self.context
    }

    fn reader(&self, input: &Input<'_>, _: bool) -> Reader {
        let positions = self.rows.are_placed() || self.filter.needs_rules();
        let mut reader = self.context.reader.reader(input, positions);
        if let Some(witnesses) = &self.witnesses {
            reader.finder = reader.finder.with_witnesses(witnesses.clone());
        }
        let target = input.record.and_then(|record| record.target.as_deref());
        reader = match (self.resolve, target) {
            (Resolve::Never, _) | (Resolve::Archives, None) => reader,
            (_, target) => reader.with_base(target.unwrap_or_default()),
        };
        reader
            .with_links(self.rows.fields.need_links() || self.filter.needs_links())
            .with_mistakes(false)
    }

    fn found(
        &self,
        source: &SharedSource<Self>,
        _: Option<&[u8]>,
        found: &Found<'_>,
        emitter: &mut Emitter<'_, Self>,
    ) -> Result<(), Error> {
        let settings = source.settings.lint();
        if !self.filter.accepts(found, settings) {
            return Ok(());
        }
        let info = SourceInfo::new(&source.name.file, source.name.member.as_deref());
        let info = info.with_record(source.record.as_deref());
        let info = info.with_witnesses(self.witnesses.as_ref());
        let batch = emitter.batch();
        self.rows.add(batch, info, found, settings);
        if self.enough.is_some_and(|enough| batch.count >= enough) {
            return emitter.flush();
        }
        emitter.flush_full()
    }
}
