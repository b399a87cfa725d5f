//! A row: the values of its fields for a URL.

use std::borrow::Cow;

use super::{Field, Time, domain};
use crate::document::{Link, Message, WebRecord};
use crate::find::{Evidence, Flag, Witnesses};
use crate::lint::rule::Rule;
use crate::lint::settings::Settings;
use crate::read::Found;
use crate::standard::{Parsed, ProblemKind, Standard};
use crate::text::span::Spans;
use crate::text::words::beginning;
use crate::url::host;
use crate::url::password::{hidden_in_url, redacted, redacted_part, redacted_text};

/// Takes the cells of a row, in the order of its fields. Each output format implements this.
pub trait Cells {
    /// Takes the cell of a field that is absent.
    fn absent(&mut self);

    /// Takes a text.
    fn text(&mut self, text: &[u8]);

    /// Takes an identifier of lower-case letters, digits and hyphens, which no format has to
    /// escape.
    #[inline]
    fn name(&mut self, name: &'static str) {
        self.text(name.as_bytes());
    }

    /// Takes a list of texts.
    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>);

    /// Takes a number.
    fn number(&mut self, number: u64);

    /// Takes a yes or no.
    fn flag(&mut self, flag: bool);

    /// Takes a point in time.
    fn time(&mut self, time: Time);

    /// Takes a list of byte ranges.
    fn ranges(&mut self, ranges: &Spans);

    /// Takes a text that may be absent.
    #[inline]
    fn optional(&mut self, text: Option<impl AsRef<[u8]>>) {
        match text {
            Some(text) => self.text(text.as_ref()),
            None => self.absent(),
        }
    }
}

/// Which fields a row has, and how URLs are written in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fields {
    /// The fields, in their order.
    pub fields: Vec<Field>,
    /// Whether passwords are hidden.
    pub redact: bool,
    /// Whether URLs are [normalized](crate::url::normalize_under).
    pub normalize: bool,
    /// The greatest number of characters of [context](Field::Context) on either side of the URL, up
    /// to [`MAX_CONTEXT`](Self::MAX_CONTEXT).
    pub context_chars: usize,
}

/// What is known about the source of a URL.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SourceInfo<'p> {
    /// The file.
    pub path: &'p [u8],
    /// The member of an archive.
    pub member: Option<&'p [u8]>,
    /// What the web archive says about it.
    pub record: Option<&'p WebRecord>,
    /// The URLs that stand unbroken in other sources, and where.
    pub witnesses: Option<&'p Witnesses>,
}

impl<'p> SourceInfo<'p> {
    /// Describes the file `path`, or a member of it if it is an archive.
    #[must_use]
    pub fn new(path: &'p [u8], member: Option<&'p [u8]>) -> Self {
        SourceInfo {
            path,
            member,
            ..SourceInfo::default()
        }
    }

    /// Returns the name of a part of the file: the member, the message with the number `message`,
    /// or both; `None` for the whole file.
    ///
    /// ```
    /// use urlint::list::SourceInfo;
    ///
    /// let info = SourceInfo::new(b"lists.tar", Some(b"march.mbox"));
    /// assert_eq!(info.part(Some(17)).as_deref(), Some(&b"march.mbox!17"[..]));
    /// assert_eq!(SourceInfo::new(b"march.mbox", None).part(None), None);
    /// ```
    #[must_use]
    pub fn part(&self, message: Option<u64>) -> Option<Cow<'p, [u8]>> {
        let message = message.map(|number| number.to_string().into_bytes());
        match (self.member, message) {
            (Some(member), Some(message)) => Some([member, b"!", &message].concat().into()),
            (Some(member), None) => Some(member.into()),
            (None, message) => Some(message?.into()),
        }
    }

    /// Sets what the [web archive](WebRecord) says about the source.
    #[must_use]
    pub fn with_record(self, record: Option<&'p WebRecord>) -> Self {
        SourceInfo { record, ..self }
    }

    /// Sets the URLs that stand unbroken in other sources, and where.
    #[must_use]
    pub fn with_witnesses(self, witnesses: Option<&'p Witnesses>) -> Self {
        SourceInfo { witnesses, ..self }
    }
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
    #[must_use]
    pub fn with_redact(self, redact: bool) -> Self {
        Fields { redact, ..self }
    }

    /// Sets whether URLs are [normalized](Self::normalize).
    #[must_use]
    pub fn with_normalize(self, normalize: bool) -> Self {
        Fields { normalize, ..self }
    }

    /// The greatest number of characters of [context](Self::context_chars).
    pub const MAX_CONTEXT: usize = 120;

    /// Sets [`context_chars`](Self::context_chars).
    #[must_use]
    pub fn with_context_chars(self, context_chars: usize) -> Self {
        Fields {
            context_chars,
            ..self
        }
    }

    /// Returns whether lines and columns have to be counted, or text kept: see
    /// [`Reader::positions`](crate::Reader::positions).
    #[must_use]
    pub fn need_positions(&self) -> bool {
        let is_it = |field| {
            matches!(
                field,
                Field::Line | Field::Column | Field::Context | Field::Rules
            )
        };
        self.fields.iter().copied().any(is_it)
    }

    /// Returns whether the records of web archives have to be kept: see [`SourceInfo::with_record`].
    #[must_use]
    pub fn need_records(&self) -> bool {
        let is_of_record = |field| {
            matches!(
                field,
                Field::WarcTarget | Field::WarcDate | Field::WarcType | Field::Status
            )
        };
        self.fields.iter().copied().any(is_of_record)
    }

    /// Returns whether what markup says about links has to be kept: see
    /// [`Reader::links`](crate::Reader::links).
    #[must_use]
    pub fn need_links(&self) -> bool {
        let is_of_link = |field| {
            matches!(
                field,
                Field::Element
                    | Field::Attribute
                    | Field::Anchor
                    | Field::Title
                    | Field::Rel
                    | Field::Context
            )
        };
        self.fields.iter().copied().any(is_of_link)
    }

    /// Writes the fields of `found`, a URL of the source `info`, to `cells`. `settings` choose the standard
    /// that judges it, and the rules.
    ///
    /// ```
    /// use urlint::list::{Cells, Field, Fields, SourceInfo, Time};
    /// use urlint::text::Spans;
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
    /// Reader::default().read(b"a.txt", &b"see http://a.example/~joe"[..], &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         fields.write(&mut cells, SourceInfo::new(b"a.txt", None), &found, &Settings::default());
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(cells.0, ["a.txt", "a.example", "-", "false"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(
        &self,
        cells: &mut impl Cells,
        info: SourceInfo<'_>,
        found: &Found<'_>,
        settings: &Settings,
    ) {
        let standard = settings.standard;
        let row = Row {
            fields: self,
            info,
            found,
            settings,
            url: self.url(&found.candidate.text, found, standard),
            judgement: self
                .need_judgement()
                .then(|| standard.parse(found.candidate.judged_by(standard))),
        };
        for field in &self.fields {
            row.cell(*field, cells);
        }
    }

    /// Returns `url`, a reading of `found`, as it is listed. A placeholder is not normalized.
    #[must_use]
    pub fn url<'u>(&self, url: &'u [u8], found: &Found<'_>, standard: Standard) -> Cow<'u, [u8]> {
        let hidden = self.redacted(url);
        if !self.normalize || found.candidate.flags.has(Flag::Placeholder) {
            return hidden;
        }
        // Hidden before normalizing, since what browsers read as a path may belong to a password,
        // and again after, since the normal form may reveal another.
        match crate::url::normalize_under(standard, &hidden) {
            Cow::Borrowed(_) => hidden,
            Cow::Owned(url) => Cow::Owned(self.redacted(&url).into_owned()),
        }
    }

    /// Returns `url` without passwords, if they are hidden.
    fn redacted<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        if self.redact {
            redacted(url)
        } else {
            Cow::Borrowed(url)
        }
    }

    fn need_judgement(&self) -> bool {
        let is_judged =
            |field: &Field| matches!(field, Field::Scheme | Field::Valid | Field::Problems);
        self.fields.iter().any(is_judged)
    }
}

/// The values that a row is written from.
struct Row<'r, 'w> {
    fields: &'r Fields,
    info: SourceInfo<'r>,
    found: &'r Found<'w>,
    settings: &'r Settings,
    /// The URL as it is listed.
    url: Cow<'r, [u8]>,
    /// The judgement, if a field needs it.
    judgement: Option<Parsed<'r>>,
}

impl Row<'_, '_> {
    #[inline]
    fn cell(&self, field: Field, cells: &mut impl Cells) {
        let candidate = &self.found.candidate;
        let judgement = self.judgement.as_ref();
        let position = self.found.place.unwrap_or_default().position;
        match field {
            Field::Path => cells.text(self.info.path),
            Field::Member => cells.optional(self.info.part(self.found.member)),
            Field::Url => cells.text(&self.url),
            Field::Found => {
                cells.text(&match self.found.relative() {
                    Some(target) => self.relative(target),
                    None => self.fields.redacted(&candidate.text),
                });
            }
            Field::Resolved => cells.flag(self.found.relative().is_some()),
            Field::Fragment => {
                let fragment = candidate.fragment();
                cells.optional(fragment.map(|fragment| self.part_at_end(fragment)));
            }
            Field::Alternatives => {
                let standard = self.settings.standard;
                let others = candidate.alternatives.iter();
                cells.texts(others.map(|other| self.fields.url(&other.text, self.found, standard)));
            }
            Field::Scheme => cells.optional(judgement.and_then(|judged| {
                let scheme = judged.components.scheme?;
                Some(lower_case(judged.slice(scheme)))
            })),
            Field::Host => cells.optional(host(&self.url).map(lower_case)),
            Field::Domain => match host(&self.url).map(lower_case) {
                Some(host) => cells.optional(domain(&host)),
                None => cells.absent(),
            },
            Field::Delimiter => cells.name(candidate.delimiter.name()),
            Field::Start => cells.number(candidate.outer.start),
            Field::End => cells.number(candidate.outer.end),
            Field::Line => cells.number(position.line),
            Field::Column => cells.number(position.column),
            Field::Pieces => cells.ranges(&candidate.pieces),
            Field::Placeholder => cells.flag(self.is_placeholder()),
            Field::Evidence => cells.texts(candidate.evidence().map(Evidence::name)),
            Field::Witness => cells.optional(self.witness()),
            Field::Ending => cells.name(self.found.ending().name()),
            Field::Valid if self.is_placeholder() => cells.absent(),
            Field::Valid => {
                cells.flag(judgement.is_some_and(Parsed::is_valid));
            }
            Field::Problems => {
                let judged = judgement.filter(|_| !self.is_placeholder());
                let kinds = judged.map(Parsed::kinds).unwrap_or_default();
                cells.texts(kinds.into_iter().map(ProblemKind::name));
            }
            Field::Standard => cells.name(self.settings.standard.name()),
            Field::Rules => {
                let diagnostics = self.found.lint(self.settings).into_iter();
                cells.texts(names(diagnostics.map(|diagnostic| diagnostic.rule)));
            }
            Field::Verdicts => cells.texts(self.verdicts()),
            Field::Kind => cells.name(self.found.kind.name()),
            Field::Context => {
                let chars = self.fields.context_chars.min(Fields::MAX_CONTEXT);
                let words = self.found.words(chars, self.fields.redact);
                cells.text(words.as_bytes());
            }
            Field::Element => cells.optional(self.of_link(|link| Some(&link.element))),
            Field::Attribute => cells.optional(self.of_link(|link| link.attribute.as_deref())),
            Field::Anchor => cells.optional(self.text_of_link(|link| link.anchor.as_deref())),
            Field::Title => cells.optional(self.text_of_link(|link| link.title.as_deref())),
            Field::Rel => cells.optional(self.of_link(|link| link.rel.as_deref())),
            Field::MessageId => cells.optional(self.message().and_then(|message| message.id())),
            Field::Date => match self.date() {
                Some(time) => cells.time(Time::of_unix(time.microseconds)),
                None => cells.absent(),
            },
            Field::DateLocal => cells.optional(self.date().map(|time| time.to_string())),
            Field::From => cells.optional(self.message().and_then(|message| message.from())),
            Field::To => cells.optional(self.message().and_then(|message| message.to())),
            Field::Subject => cells.optional(
                self.message()
                    .and_then(|message| self.redacted(message.subject())),
            ),
            Field::ListId => cells.optional(self.message().and_then(|message| message.list_id())),
            Field::Part => cells.optional(self.message().and_then(|message| message.part())),
            Field::Where => match self.message().map(|message| message.header_field()) {
                Some(Some(name)) => cells.optional(beginning(name).map(lower_case)),
                Some(None) => cells.text(b"body"),
                None => cells.absent(),
            },
            Field::WarcTarget => {
                let target = self.info.record.and_then(|record| record.target.as_deref());
                cells.optional(self.redacted(target.map(Cow::Borrowed)));
            }
            Field::WarcDate => {
                let date = self.info.record.and_then(|record| record.date.as_deref());
                let date = date.and_then(|date| Time::of_archive(str::from_utf8(date).ok()?));
                match date {
                    Some(time) => cells.time(time),
                    None => cells.absent(),
                }
            }
            Field::WarcType => {
                cells.optional(self.info.record.and_then(|record| record.kind.as_deref()));
            }
            Field::Status => match self.info.record.and_then(|record| record.status) {
                Some(status) => cells.number(status.into()),
                None => cells.absent(),
            },
        }
    }

    fn message(&self) -> Option<Message<'_>> {
        self.found.message()
    }

    /// Returns the date of the message.
    fn date(&self) -> Option<Time> {
        let date = self.message()?.date()?;
        Time::of_message(str::from_utf8(&date).ok()?)
    }

    fn of_link(&self, of: impl Fn(&Link) -> Option<&[u8]>) -> Option<&[u8]> {
        self.found.link().and_then(of).and_then(beginning)
    }

    fn text_of_link(&self, of: impl Fn(&Link) -> Option<&[u8]>) -> Option<Cow<'_, [u8]>> {
        let text = self.of_link(of);
        self.redacted(text.map(Cow::Borrowed))
    }

    /// Returns `part`, the end of the candidate's text, without passwords that begin before or in
    /// it, if they are hidden.
    fn part_at_end<'u>(&self, part: &'u [u8]) -> Cow<'u, [u8]> {
        if !self.fields.redact {
            return Cow::Borrowed(part);
        }
        let text = &*self.found.candidate.text;
        let part = text.len() - part.len()..text.len();
        Cow::Owned(redacted_part(text, part, &hidden_in_url(text)))
    }

    /// Returns `text` without the passwords of the URLs in it, if they are hidden.
    fn redacted<'t>(&self, text: Option<Cow<'t, [u8]>>) -> Option<Cow<'t, [u8]>> {
        let text = text?;
        if !self.fields.redact {
            return Some(text);
        }
        Some(Cow::Owned(redacted_text(&text).into_owned()))
    }

    /// Returns a relative target without passwords, if they are hidden.
    fn relative<'t>(&self, target: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
        if !self.fields.redact {
            return target;
        }
        // Only `//user:password@host` has one.
        let scheme = b"http:";
        let whole = [scheme, &*target].concat();
        let hidden = redacted(&whole);
        Cow::Owned(hidden.get(scheme.len()..).unwrap_or_default().to_vec())
    }

    /// Returns the standards by which the URL is valid.
    fn verdicts(&self) -> impl Iterator<Item = &'static str> {
        let standards = Standard::ALL.iter().copied();
        let is_valid = |standard: &Standard| {
            let judged = self.found.candidate.judged_by(*standard);
            !self.is_placeholder() && standard.is_valid(judged)
        };
        standards.filter(is_valid).map(Standard::name)
    }

    /// Returns the file and line where the URL, or the most of it, stands unbroken, if it was joined
    /// because of that.
    fn witness(&self) -> Option<Vec<u8>> {
        let candidate = &self.found.candidate;
        let is_witness = |evidence| evidence == Evidence::Witness;
        let witnesses = self
            .info
            .witnesses
            .filter(|_| candidate.evidence().any(is_witness))?;
        let (file, line) = witnesses.place(&candidate.text)?;
        Some([file, b":", line.to_string().as_bytes()].concat())
    }

    fn is_placeholder(&self) -> bool {
        self.found.candidate.flags.has(Flag::Placeholder)
    }
}

/// Returns the names of rules, each once, in the order of their problems.
fn names(rules: impl IntoIterator<Item = Rule>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for rule in rules {
        let name = rule.name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn lower_case(text: &[u8]) -> Cow<'_, [u8]> {
    if text.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}
