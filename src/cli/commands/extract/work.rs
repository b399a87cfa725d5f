//! The work of the threads: from candidates to rows.

use clap::ValueEnum;
use urlint_core::find::Witnesses;
use urlint_documents::Found;
use urlint_documents::read::Places;
use urlint_engine::{Error, Opened, Out, Reading, Source, Work};
use urlint_list::SourceInfo;

use super::batch::RowBatch;
use super::rows::Rows;
use crate::commands::extract::filter::FilterArgs;

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

/// The state that all threads share for the list.
pub(super) struct Extraction {
    /// The URLs that occur unbroken in the input, and where, if it is more than one document.
    pub(super) witnesses: Option<(Witnesses, Places)>,
    pub(super) filter: FilterArgs,
    pub(super) resolve: Resolve,
    pub(super) rows: Rows,
    /// The limit of rows, if the first ones are enough: a batch with that many is sent at once.
    pub(super) enough: Option<u64>,
}

impl Work for Extraction {
    type Batch = RowBatch;
    type State = ();

    fn begin(&self, source: &Source, _: &[u8]) -> Result<Reading<Self>, Error> {
        let mut reader = source.reader();
        if let Some((witnesses, _)) = &self.witnesses {
            reader.finder = reader.finder.with_witnesses(witnesses.clone());
        }
        let record = source.record.as_ref();
        let target = record.and_then(|record| record.target.as_deref());
        reader = match (self.resolve, target) {
            (Resolve::Never, _) | (Resolve::Archives, None) => reader,
            (_, target) => reader.with_base(target.unwrap_or_default()),
        };
        let reader = reader
            .with_positions(self.rows.are_placed() || !self.filter.rule.is_empty())
            .with_links(self.rows.fields.need_links() || !self.filter.element.is_empty())
            .with_mistakes(false);
        Ok(Reading::Urls(reader, ()))
    }

    fn found(
        &self,
        opened: &Opened<Self>,
        _: Option<&[u8]>,
        found: &Found<'_>,
        out: &Out<'_, RowBatch>,
    ) -> Result<(), Error> {
        let source = &opened.source;
        let settings = source.settings.lint();
        if !self.filter.accepts(found, settings) {
            return Ok(());
        }
        let info = SourceInfo::new(source.name().file(), source.name().member());
        let info = info.with_record(source.record.as_deref());
        let info = info.with_places(self.witnesses.as_ref().map(|(_, places)| places));
        let mut batch = out.batch();
        self.rows.add(&mut batch, info, found, settings);
        let has_enough = self.enough.is_some_and(|enough| batch.count >= enough);
        drop(batch);
        if has_enough {
            out.flush()
        } else {
            out.flush_full()
        }
    }
}
