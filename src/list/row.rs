//! A row: what its fields tell about a URL.

use std::borrow::Cow;

use super::{Field, domain};
use crate::find::{Evidence, Flag};
use crate::lint::rule::Rule;
use crate::lint::settings::Settings;
use crate::read::Found;
use crate::standard::{Components, Problem, Standard};
use crate::text::span::Spans;
use crate::url::host;
use crate::url::password::redacted;

/// Takes the cells of a row in the order of its fields, as a format writes them.
pub trait Cells {
    /// Takes the cell of a field that is absent.
    fn absent(&mut self);

    /// Takes a text.
    fn text(&mut self, text: &[u8]);

    /// Takes a list of texts.
    fn texts<T: AsRef<[u8]>>(&mut self, texts: impl IntoIterator<Item = T>);

    /// Takes a number.
    fn number(&mut self, number: u64);

    /// Takes a yes or no.
    fn flag(&mut self, flag: bool);

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
}

/// Where a source comes from.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Place<'p> {
    /// The file.
    pub path: &'p [u8],
    /// The member of an archive.
    pub member: Option<&'p [u8]>,
}

impl<'p> Place<'p> {
    /// The place of the file `path`, or of a member of it if it is an archive.
    #[must_use]
    pub fn new(path: &'p [u8], member: Option<&'p [u8]>) -> Self {
        Place { path, member }
    }
}

impl Fields {
    /// Fields in this order.
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

    /// Returns whether lines and columns have to be counted: see
    /// [`Reader::positions`](crate::Reader::positions).
    #[must_use]
    pub fn need_positions(&self) -> bool {
        let is_position = |field: &Field| matches!(field, Field::Line | Field::Column);
        self.fields.iter().any(is_position)
    }

    /// Writes what the fields tell about `found`, a URL at `place`, to `cells`. `settings` say by
    /// which standard it is judged, and which rules there are.
    ///
    /// ```
    /// use urlint::list::{Cells, Field, Fields, Place};
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
    ///     fn ranges(&mut self, ranges: &Spans) {
    ///         self.0.push(format!("{ranges:?}"));
    ///     }
    /// }
    ///
    /// let fields = Fields::new([Field::Path, Field::Host, Field::Fragment, Field::Valid]);
    /// let mut cells = Shown::default();
    /// Reader::default().read(b"a.txt", &b"see http://a.example/~joe"[..], &mut |event| {
    ///     if let Event::Found(found) = event {
    ///         fields.write(&mut cells, Place::new(b"a.txt", None), &found, &Settings::default());
    ///     }
    ///     Ok::<(), std::io::Error>(())
    /// })?;
    /// assert_eq!(cells.0, ["a.txt", "a.example", "-", "false"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(
        &self,
        cells: &mut impl Cells,
        place: Place<'_>,
        found: &Found<'_>,
        settings: &Settings,
    ) {
        let row = Row {
            fields: self,
            place,
            found,
            settings,
            url: self.url(&found.candidate.text, found, settings.standard),
            judgement: self
                .need_judgement()
                .then(|| Judgement::new(found, settings.standard)),
        };
        for field in &self.fields {
            row.cell(*field, cells);
        }
    }

    /// Returns `url`, a reading of `found`, as it is listed. The name of a placeholder is not
    /// normalized.
    #[must_use]
    pub fn url<'u>(&self, url: &'u [u8], found: &Found<'_>, standard: Standard) -> Cow<'u, [u8]> {
        if !self.normalize || found.candidate.flags.has(Flag::Placeholder) {
            return self.redacted(url);
        }
        match crate::url::normalize_under(standard, url) {
            Cow::Borrowed(url) => self.redacted(url),
            Cow::Owned(url) => Cow::Owned(self.redacted(&url).into_owned()),
        }
    }

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

/// What a row is written of.
struct Row<'r, 'w> {
    fields: &'r Fields,
    place: Place<'r>,
    found: &'r Found<'w>,
    settings: &'r Settings,
    /// The URL as it is listed.
    url: Cow<'r, [u8]>,
    /// What the judge says, if a field asks for it.
    judgement: Option<Judgement<'r>>,
}

impl Row<'_, '_> {
    #[inline]
    fn cell(&self, field: Field, cells: &mut impl Cells) {
        let candidate = &self.found.candidate;
        let judgement = self.judgement.as_ref();
        let position = self.found.place.unwrap_or_default().position;
        match field {
            Field::Path => cells.text(self.place.path),
            Field::Member => cells.optional(self.member()),
            Field::Url => cells.text(&self.url),
            Field::Found => cells.text(&self.fields.redacted(&candidate.text)),
            Field::Fragment => {
                let fragment = candidate.fragment();
                cells.optional(fragment.map(|text| self.fields.redacted(text)));
            }
            Field::Alternatives => {
                let standard = self.settings.standard;
                let others = candidate.alternatives.iter();
                cells.texts(others.map(|other| self.fields.url(&other.text, self.found, standard)));
            }
            Field::Scheme => cells.optional(judgement.and_then(Judgement::scheme)),
            Field::Host => cells.optional(host(&self.url).map(lower_case)),
            Field::Domain => match host(&self.url).map(lower_case) {
                Some(host) => cells.optional(domain(&host)),
                None => cells.absent(),
            },
            Field::Delimiter => cells.text(candidate.delimiter.name().as_bytes()),
            Field::Start => cells.number(candidate.outer.start),
            Field::End => cells.number(candidate.outer.end),
            Field::Line => cells.number(position.line),
            Field::Column => cells.number(position.column),
            Field::Pieces => cells.ranges(&candidate.pieces),
            Field::Placeholder => cells.flag(self.is_placeholder()),
            Field::Evidence => cells.texts(candidate.evidence().map(Evidence::name)),
            Field::Ending => cells.text(self.found.ending().name().as_bytes()),
            Field::Valid if self.is_placeholder() => cells.absent(),
            Field::Valid => {
                cells.flag(judgement.is_some_and(|judgement| judgement.problems.is_empty()));
            }
            Field::Problems => {
                let judged = judgement.filter(|_| !self.is_placeholder());
                let problems = judged.iter().flat_map(|judgement| &judgement.problems);
                cells.texts(names(problems.map(|problem| Rule::from(problem.kind))));
            }
            Field::Standard => cells.text(self.settings.standard.name().as_bytes()),
            Field::Rules => {
                let mut rules = Vec::new();
                self.found.lint(self.settings, &mut |diagnostic| {
                    rules.push(diagnostic.rule);
                });
                cells.texts(names(rules));
            }
        }
    }

    fn is_placeholder(&self) -> bool {
        self.found.candidate.flags.has(Flag::Placeholder)
    }

    /// The part of the file.
    fn member(&self) -> Option<Cow<'_, [u8]>> {
        let message = self.found.member.map(|number| number.to_string());
        match (self.place.member, message) {
            (Some(member), Some(message)) => {
                Some([member, b"!", message.as_bytes()].concat().into())
            }
            (Some(member), None) => Some(member.into()),
            (None, message) => Some(message?.into_bytes().into()),
        }
    }
}

/// What the standard says of a URL.
struct Judgement<'u> {
    /// What was judged.
    url: &'u [u8],
    components: Components,
    /// Where the URL departs from the standard, in order.
    problems: Vec<Problem>,
}

impl<'u> Judgement<'u> {
    fn new(found: &'u Found<'_>, standard: Standard) -> Self {
        let url = found.candidate.judged_by(standard);
        let mut problems = Vec::new();
        let components = standard.judge(url, |problem| problems.push(problem));
        problems.sort_by_key(|problem| (problem.part, problem.kind));
        Judgement {
            url,
            components,
            problems,
        }
    }

    fn scheme(&self) -> Option<Cow<'u, [u8]>> {
        Some(lower_case(self.components.scheme?.of(self.url)))
    }
}

/// The names of rules, each once, in the order of their places.
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
