//! The work of the threads: from candidates to rows.

use std::sync::Arc;

use clap::ValueEnum;
use urlint_documents::Found;
use urlint_engine::{Error, Inputs, Opened, Out, Reading, Source, Text, Work};
use urlint_lint::{Checker, Judged, Settings, Suppressions};
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
    pub(super) inputs: Arc<Inputs>,
    pub(super) filter: FilterArgs,
    pub(super) resolve: Resolve,
    pub(super) rows: Rows,
    /// The limit of rows, if the first ones are enough: a batch with that many is sent at once.
    pub(super) enough: Option<u64>,
}

impl Extraction {
    /// Returns whether it matters which rules report something.
    fn needs_rules(&self) -> bool {
        needs_rules(&self.filter, &self.rows)
    }
}

/// Returns whether it matters which rules report something.
pub(super) fn needs_rules(filter: &FilterArgs, rows: &Rows) -> bool {
    !filter.rule.is_empty() || rows.fields.need_rules()
}

impl Work for Extraction {
    type Batch = RowBatch;
    type State = Checker<Arc<Settings>>;

    fn whole_up_to(&self) -> usize {
        if self.needs_rules() {
            Suppressions::MAX_SOURCE
        } else {
            0
        }
    }

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, Error> {
        let checker = if self.needs_rules() {
            self.inputs.checker(source)
        } else {
            Checker::new(source.settings.shared_lint().clone())
        };
        if self.needs_rules() {
            checker.begin(start);
        }
        let mut reader = source.reader();
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
        Ok(Reading::Urls(reader, checker))
    }

    fn read(&self, text: Text<'_, Self>, out: &Out<'_, RowBatch>) -> Result<(), Error> {
        let opened = text.opened;
        text.each_url(self, out, &mut |found| self.found(opened, found, out))
    }
}

impl Extraction {
    /// Lists a URL.
    fn found(
        &self,
        opened: &Opened<Self>,
        found: &Found<'_>,
        out: &Out<'_, RowBatch>,
    ) -> Result<(), Error> {
        let Opened {
            source,
            state: checker,
            ..
        } = opened;
        let info = SourceInfo::new(source.name().file(), source.name().member())
            .with_record(source.record.as_deref());
        // Before any filter: which of several equal diagnostics is known depends on all before them.
        let judged = if self.needs_rules() {
            checker.judge(found)
        } else {
            Judged::unlinted(found, checker.settings())
        };
        if !self.filter.accepts(info, &judged) {
            return Ok(());
        }
        let mut batch = out.batch();
        self.rows.add(&mut batch, info, &judged);
        let has_enough = self.enough.is_some_and(|enough| batch.count >= enough);
        drop(batch);
        if has_enough {
            out.flush()
        } else {
            out.flush_full()
        }
    }
}
