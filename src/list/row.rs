//! A row: the values of its fields for a URL.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::unwrapped::unwrapped;
use super::{Cell, Field, Fields, Time, domain};
use urlint_documents::Found;
use urlint_documents::document::{Kind, Link, Message, WebRecord};
use urlint_find::Flag;
use urlint_lint::Judged;
use urlint_standard::standard::{Parsed, ProblemKind, Standard};
use urlint_standard::text::Position;
use urlint_standard::text::beginning::beginning;
use urlint_standard::url::password::{hidden_in_url, redacted, redacted_part, redacted_text};
use urlint_standard::url::{host, normalize_under};

/// Facts about the source of a URL.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
#[must_use]
pub struct SourceInfo<'p> {
    /// The file.
    pub path: &'p [u8],
    /// The member of an archive.
    pub member: Option<&'p [u8]>,
    /// The record of it in the web archive.
    pub record: Option<&'p WebRecord>,
}

impl<'p> SourceInfo<'p> {
    /// Describes the file `path`, or a member of it if it is an archive.
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
    pub fn part(&self, message: Option<u64>) -> Option<Cow<'p, [u8]>> {
        let message = message.map(|number| number.to_string().into_bytes());
        match (self.member, message) {
            (Some(member), Some(message)) => Some([member, b"!", &message].concat().into()),
            (Some(member), None) => Some(member.into()),
            (None, message) => Some(message?.into()),
        }
    }

    /// Returns the page of a PDF that the source is, from 1.
    pub(super) fn page(&self) -> Option<u64> {
        let name = self.member?.rsplit(|byte| b"!/".contains(byte)).next()?;
        str::from_utf8(name)
            .ok()?
            .strip_prefix("page ")?
            .parse()
            .ok()
    }

    /// Sets the [record](WebRecord) of the source in the web archive.
    pub fn with_record(self, record: Option<&'p WebRecord>) -> Self {
        SourceInfo { record, ..self }
    }

    /// Returns the message that the URL is in, or that the source is attached to.
    #[doc(hidden)]
    pub fn message<'f>(&self, found: &'f Found<'_>) -> Option<Message<'f>>
    where
        'p: 'f,
    {
        let letter = || Some(self.record?.letter.as_ref()?.message());
        found.message().or_else(letter)
    }

    /// Returns the date of the message that the URL is in, of the entry, or of the record, by the clock of who
    /// wrote it.
    #[doc(hidden)]
    pub fn date(&self, found: &Found<'_>) -> Option<Time> {
        let letter = || self.message(found)?.field("date");
        let record = || Some(Cow::Borrowed(self.record?.date.as_deref()?));
        let date = match found.message() {
            Some(message) => message.field("date"),
            None => (found.date().map(Cow::Borrowed))
                .or_else(letter)
                .or_else(record),
        };
        Time::parse(str::from_utf8(&date?).ok()?)
    }
}

/// A row of a list: the values of its fields for a URL.
pub struct Row<'r, 'w> {
    pub(super) fields: &'r Fields,
    pub(super) info: SourceInfo<'r>,
    pub(super) found: &'r Found<'w>,
    /// The standard by which the URL is judged.
    pub(super) standard: Standard,
    /// The diagnostics about the URL.
    pub(super) judged: &'r Judged<'r, 'w>,
    /// The URL as it is listed.
    pub(super) url: Cow<'r, [u8]>,
    /// The standard by which URLs are normalized, if they are.
    pub(super) normalize: Option<Standard>,
    /// The judgement, once a field needs it.
    pub(super) judgement: OnceCell<Parsed<'r>>,
}

/// Returns `url` as it is listed: without passwords if `redact`, and normalized by a standard if one is
/// given.
pub(super) fn listed(url: &[u8], redact: bool, standard: Option<Standard>) -> Cow<'_, [u8]> {
    let hidden = without_password(url, redact);
    let Some(standard) = standard else {
        return hidden;
    };
    // Hidden before normalizing, since what browsers read as a path may belong to a password,
    // and again after, since the normal form may reveal another.
    match normalize_under(standard, &hidden) {
        Cow::Borrowed(_) => hidden,
        Cow::Owned(url) => Cow::Owned(without_password(&url, redact).into_owned()),
    }
}

fn without_password(url: &[u8], redact: bool) -> Cow<'_, [u8]> {
    if redact {
        redacted(url)
    } else {
        Cow::Borrowed(url)
    }
}

impl<'r> Row<'r, '_> {
    /// Returns the cells, in the order of the [fields](Fields::fields).
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        self.fields.fields.iter().map(|field| field.cell(self))
    }

    /// Returns the cell of a field, whether or not it is among those of the row.
    pub fn cell(&self, field: Field) -> Cell<'_> {
        field.cell(self)
    }

    /// Returns the URL as it is listed.
    pub fn url(&self) -> &[u8] {
        &self.url
    }

    pub(super) fn judgement(&self) -> &Parsed<'r> {
        let judge = || {
            self.standard
                .parse(self.found.candidate.judged_by(self.standard))
        };
        self.judgement.get_or_init(judge)
    }

    /// Returns whether the URL is valid, unless it is not judged.
    pub(super) fn is_valid(&self) -> Option<bool> {
        (!self.is_placeholder()).then(|| self.judgement().is_valid())
    }

    /// Returns the rules of the grammar that the URL breaks.
    pub(super) fn problems(&self) -> Vec<&'static str> {
        if self.is_placeholder() {
            return Vec::new();
        }
        let kinds = self.judgement().kinds().into_iter();
        kinds.map(ProblemKind::name).collect()
    }

    /// Returns the rules that report something about the URL, each once, in the order of their problems.
    pub(super) fn rules(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for diagnostic in self.judged.reported() {
            let name = diagnostic.rule.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the URL as it was found, or the target that it was resolved from.
    pub(super) fn as_found(&self) -> Cow<'_, [u8]> {
        match self.found.relative() {
            Some(target) => self.relative(target),
            None => without_password(&self.found.candidate.text, self.fields.redact),
        }
    }

    /// Returns where the URL leads, if that is through a service.
    pub(super) fn unwrapped(&self) -> Option<Vec<u8>> {
        let target = unwrapped(&self.found.candidate.text)?;
        Some(listed(&target, self.fields.redact, self.normalize).into_owned())
    }

    pub(super) fn fragment(&self) -> Option<Cow<'_, [u8]>> {
        let fragment = self.found.candidate.fragment()?;
        if !self.fields.redact {
            return Some(Cow::Borrowed(fragment));
        }
        // A password may begin before it.
        let text = &*self.found.candidate.text;
        let part = text.len() - fragment.len()..text.len();
        Some(redacted_part(text, part, &hidden_in_url(text)).into())
    }

    pub(super) fn alternatives(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        let candidate = &self.found.candidate;
        let others: Vec<_> = if self.fields.redact {
            candidate.redacted_alternatives()
        } else {
            let others = candidate.alternatives.iter();
            others.map(|other| other.text.to_vec()).collect()
        };
        let listed =
            |other: Vec<u8>| listed(&other, self.fields.redact, self.normalize).into_owned();
        others.into_iter().map(move |other| listed(other).into())
    }

    pub(super) fn host(&self) -> Option<Cow<'_, [u8]>> {
        host(&self.url).map(lower_case)
    }

    pub(super) fn domain(&self) -> Option<Cow<'_, [u8]>> {
        match self.host()? {
            Cow::Borrowed(host) => domain(host).map(Cow::Borrowed),
            Cow::Owned(host) => Some(domain(&host)?.to_vec().into()),
        }
    }

    /// Returns the name of the kind of the document: of the file, where urlint itself makes another document of it.
    pub(super) fn kind(&self) -> &'static str {
        let is_head = |member: &[u8]| member.ends_with(b"!head");
        match self.found.kind {
            Kind::Html if self.info.page().is_some() => "pdf",
            Kind::Urls if self.info.member.is_some_and(is_head) => "warc",
            kind => kind.name(),
        }
    }

    pub(super) fn position(&self) -> Position {
        self.found.position.unwrap_or_default()
    }

    pub(super) fn context(&self) -> String {
        let chars = self.fields.context_chars.min(Fields::MAX_CONTEXT);
        self.found.words(chars, self.fields.redact)
    }

    pub(super) fn date(&self) -> Option<Time> {
        self.info.date(self.found)
    }

    fn message(&self) -> Option<Message<'_>> {
        self.info.message(self.found)
    }

    pub(super) fn of_message(&self, field: &str) -> Option<Cow<'_, [u8]>> {
        self.message()?.field(field)
    }

    pub(super) fn part(&self) -> Option<String> {
        self.message()?.part()
    }

    pub(super) fn of_link(&self, of: impl Fn(&Link) -> Option<&[u8]>) -> Option<&[u8]> {
        self.found.link().and_then(of).and_then(beginning)
    }

    pub(super) fn text_of_link(
        &self,
        of: impl Fn(&Link) -> Option<&[u8]>,
    ) -> Option<Cow<'_, [u8]>> {
        self.redacted(self.of_link(of).map(Cow::Borrowed))
    }

    pub(super) fn subject(&self) -> Option<Cow<'_, [u8]>> {
        self.redacted(self.of_message("subject"))
    }

    /// Returns the field of the header that the URL is in, or `body`.
    pub(super) fn header_field(&self) -> Option<Cow<'_, [u8]>> {
        match self.message()?.header_field() {
            Some(name) => beginning(name).map(lower_case),
            None => Some(b"body".into()),
        }
    }

    pub(super) fn target_of_record(&self) -> Option<Cow<'_, [u8]>> {
        let target = self.info.record?.target.as_deref();
        self.redacted(target.map(Cow::Borrowed))
    }

    pub(super) fn date_of_record(&self) -> Option<Time> {
        let date = self.info.record?.date.as_deref()?;
        Time::parse(str::from_utf8(date).ok()?)
    }

    /// Returns `text` without the passwords of the URLs in it, if they are hidden.
    fn redacted<'t>(&self, text: Option<Cow<'t, [u8]>>) -> Option<Cow<'t, [u8]>> {
        if self.fields.redact {
            Some(Cow::Owned(redacted_text(&text?).into_owned()))
        } else {
            text
        }
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
    pub(super) fn verdicts(&self) -> impl Iterator<Item = &'static str> {
        let standards = Standard::ALL.iter().copied();
        let is_valid = |standard: &Standard| {
            let judged = self.found.candidate.judged_by(*standard);
            !self.is_placeholder() && standard.is_valid(judged)
        };
        standards.filter(is_valid).map(Standard::name)
    }

    pub(super) fn is_placeholder(&self) -> bool {
        self.found.candidate.flags.has(Flag::Placeholder)
    }
}

fn lower_case(text: &[u8]) -> Cow<'_, [u8]> {
    if text.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}
