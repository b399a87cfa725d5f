//! The fields that a row has, and how it is written.

use std::cell::OnceCell;

use super::field::Need;
use super::row::{Row, listed};
use super::{Field, SourceInfo};
use urlint_find::Flag;
use urlint_lint::Judged;

/// Which fields a row has, and how URLs are written in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Fields {
    /// The fields, in their order.
    pub fields: Vec<Field>,
    /// Whether passwords are hidden.
    pub redact: bool,
    /// Whether URLs are [normalized](urlint_standard::url::normalize_under).
    pub normalize: bool,
    /// The greatest number of characters of [context](Field::Context) on either side of the URL, up
    /// to [`MAX_CONTEXT`](Self::MAX_CONTEXT).
    pub context_chars: usize,
}

impl Fields {
    /// Makes rows of these fields, in this order.
    pub fn new(fields: impl Into<Vec<Field>>) -> Self {
        Fields {
            fields: fields.into(),
            ..Fields::default()
        }
    }

    /// The greatest number of characters of [context](Self::context_chars).
    pub const MAX_CONTEXT: usize = 120;

    /// Returns whether lines and columns have to be counted, or text kept: see
    /// [`Reader::positions`](urlint_documents::Reader::positions).
    pub fn need_positions(&self) -> bool {
        self.need(Need::Positions)
    }

    /// Returns whether the rules that report something are listed: then the checker has to
    /// [begin](urlint_lint::Checker::begin) the source.
    pub fn need_rules(&self) -> bool {
        self.fields.contains(&Field::Rules)
    }

    /// Returns whether the records of web archives, and the headers of messages for their attachments, have to be
    /// kept: see [`SourceInfo::with_record`].
    pub fn need_records(&self) -> bool {
        self.need(Need::Record)
    }

    /// Returns whether what markup says about links has to be kept: see
    /// [`Reader::links`](urlint_documents::Reader::links).
    pub fn need_links(&self) -> bool {
        self.need(Need::Links)
    }

    fn need(&self, need: Need) -> bool {
        (self.fields.iter()).any(|field| field.needs().contains(&need))
    }

    /// Returns the row of a URL of the source `info`.
    ///
    /// ```
    /// use urlint::list::{Cell, Field, Fields, SourceInfo};
    /// use urlint::lint::Checker;
    /// use urlint::{Event, Reader, Settings};
    ///
    /// let fields = Fields::new([Field::Path, Field::Host, Field::Fragment, Field::Valid]);
    /// let settings = Settings::default();
    /// let checker = Checker::new(&settings);
    /// Reader::default().read(b"a.txt", &b"see http://a.example/~joe"[..], &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         let judged = checker.judge(&found);
    ///         let row = fields.row(SourceInfo::new(b"a.txt", None), &judged);
    ///         let [path, host] = [b"a.txt", &b"a.example"[..]].map(Cell::from);
    ///         assert!(row.cells().eq([path, host, Cell::Absent, Cell::Flag(false)]));
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn row<'r, 'w>(&'r self, info: SourceInfo<'r>, judged: &'r Judged<'r, 'w>) -> Row<'r, 'w> {
        let (found, standard) = (judged.found, judged.settings.standard);
        let normalize = self.normalize && !found.candidate.flags.has(Flag::Placeholder);
        let normalize = normalize.then_some(standard);
        Row {
            fields: self,
            info,
            found,
            standard,
            judged,
            url: listed(&found.candidate.text, self.redact, normalize),
            normalize,
            judgement: OnceCell::new(),
        }
    }
}
