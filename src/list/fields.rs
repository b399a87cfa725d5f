//! The fields that a row has, and how it is written.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::field::Need;
use super::row::{Row, listed};
use super::{Cells, Field, SourceInfo};
use urlint_documents::Found;
use urlint_find::Flag;
use urlint_lint::Judged;
use urlint_standard::standard::Standard;

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

    /// Sets whether passwords are [hidden](Self::redact).
    pub fn with_redact(self, redact: bool) -> Self {
        Fields { redact, ..self }
    }

    /// Sets whether URLs are [normalized](Self::normalize).
    pub fn with_normalize(self, normalize: bool) -> Self {
        Fields { normalize, ..self }
    }

    /// The greatest number of characters of [context](Self::context_chars).
    pub const MAX_CONTEXT: usize = 120;

    /// Sets [`context_chars`](Self::context_chars).
    pub fn with_context_chars(self, context_chars: usize) -> Self {
        Fields {
            context_chars,
            ..self
        }
    }

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

    /// Writes the fields of a URL of the source `info` to `cells`.
    ///
    /// ```
    /// use urlint::list::{Cells, Field, Fields, SourceInfo, Time};
    /// use urlint::text::Spans;
    /// use urlint::lint::Checker;
    /// use urlint::{Event, Reader, Settings};
    ///
    /// /// Cells as they would be written for debugging.
    /// #[derive(Default)]
    /// struct Shown(Vec<String>);
    ///
    /// impl Cells for Shown {
    ///     fn absent(&mut self) {
    ///         self.0.push("-".to_owned());
    ///     }
    ///     fn text(&mut self, text: &[u8]) {
    ///         self.0.push(String::from_utf8_lossy(text).into_owned());
    ///     }
    ///     fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>) {
    ///         texts.into_iter().for_each(|text| self.text(text.as_ref()));
    ///     }
    ///     fn number(&mut self, number: u64) {
    ///         self.0.push(number.to_string());
    ///     }
    ///     fn flag(&mut self, flag: bool) {
    ///         self.0.push(flag.to_string());
    ///     }
    ///     fn time(&mut self, time: Time) {
    ///         self.0.push(time.to_string());
    ///     }
    ///     fn ranges(&mut self, ranges: &Spans) {
    ///         self.0.push(format!("{ranges:?}"));
    ///     }
    /// }
    ///
    /// let fields = Fields::new([Field::Path, Field::Host, Field::Fragment, Field::Valid]);
    /// let mut cells = Shown::default();
    /// let settings = Settings::default();
    /// let checker = Checker::new(&settings);
    /// Reader::default().read(b"a.txt", &b"see http://a.example/~joe"[..], &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         let judged = checker.judge(&found);
    ///         fields.write(&mut cells, SourceInfo::new(b"a.txt", None), &judged);
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(cells.0, ["a.txt", "a.example", "-", "false"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(&self, cells: &mut impl Cells, info: SourceInfo<'_>, judged: &Judged<'_, '_>) {
        let (found, standard) = (judged.found, judged.settings.standard);
        let row = Row {
            info,
            found,
            standard,
            judged,
            url: self.url(&found.candidate.text, found, standard),
            redact: self.redact,
            normalize: self.normalizing(found, standard),
            context_chars: self.context_chars.min(Fields::MAX_CONTEXT),
            judgement: OnceCell::new(),
        };
        for field in &self.fields {
            field.write(&row, cells);
        }
    }

    /// Returns `url`, a reading of `found`, as it is listed. A placeholder is not normalized.
    #[must_use]
    pub fn url<'u>(&self, url: &'u [u8], found: &Found<'_>, standard: Standard) -> Cow<'u, [u8]> {
        listed(url, self.redact, self.normalizing(found, standard))
    }

    /// Returns `standard` if `found` is normalized by it.
    fn normalizing(&self, found: &Found<'_>, standard: Standard) -> Option<Standard> {
        let is_normalized = self.normalize && !found.candidate.flags.has(Flag::Placeholder);
        is_normalized.then_some(standard)
    }
}
