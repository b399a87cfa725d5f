//! The rows of a list: how a URL is written.

use std::borrow::Cow;

use urlint::find::Flag;
use urlint::standard::{Components, Problem, Standard};
use urlint::url::password::redacted;
use urlint::{Found, Rule, Settings};

use super::Format;
use super::batch;
use super::batch::{Batch, Layout};
use super::field::{Field, Value, comma_separated, tab_separated};
use super::shape::{Key, Shape};
use crate::commands::filter::host;
use crate::commands::standard::judged;
use crate::report::excerpt::Part;
use crate::report::json;
use crate::terminal;

/// How rows are written.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) format: Format,
    pub(super) end: &'static [u8],
    pub(super) redact: bool,
    pub(super) normalize: bool,
    /// Whether control characters must not go out as they are.
    pub(super) harmless: bool,
    /// The columns, by their names.
    pub(super) columns: Vec<(Field, String)>,
    /// What the list asks for beside the row.
    pub(super) shape: Shape,
    /// Whether a row is a URL and nothing else.
    pub(super) is_bare: bool,
    /// Whether a record is the URL as it was found, and what ends it.
    pub(super) is_raw: bool,
}

/// What rows are written of.
struct Subject<'r, 'w> {
    path: &'r [u8],
    part: Part<'r>,
    found: &'r Found<'w>,
    settings: &'r Settings,
    /// The URL as it is listed.
    url: Cow<'r, [u8]>,
    /// What the judge says, if a column asks for it.
    judgement: Option<Judgement<'r>>,
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
        let url = judged(&found.candidate, standard);
        let mut problems = Vec::new();
        let components = standard.judge(url, |problem| problems.push(problem));
        problems.sort_by_key(|problem| (problem.part, problem.kind));
        Judgement {
            url,
            components,
            problems,
        }
    }

    /// The scheme in lower case.
    fn scheme(&self) -> Option<Vec<u8>> {
        let scheme = self.components.scheme?;
        Some(scheme.of(self.url).to_ascii_lowercase())
    }
}

impl Rows {
    /// What stands above the rows.
    pub(super) fn heading(&self) -> Vec<u8> {
        let names = match self.shape.counts {
            Some(_) if self.shape.is_compared => {
                super::differences::COLUMNS.map(str::to_owned).to_vec()
            }
            Some(_) => super::counts::COLUMNS.map(str::to_owned).to_vec(),
            None => self.columns.iter().map(|(_, name)| name.clone()).collect(),
        };
        match self.format {
            Format::Csv => (names.join(",") + "\n").into_bytes(),
            Format::Tsv => (names.join("\t") + "\n").into_bytes(),
            Format::Text | Format::JsonLines => Vec::new(),
        }
    }

    /// Adds the row of `found`, in that part of the file `path`, where `settings` hold.
    pub(super) fn add(
        &self,
        batch: &mut Batch,
        (path, part): (&[u8], Part<'_>),
        found: &Found<'_>,
        settings: &Settings,
    ) {
        batch.begin_row();
        if self.is_raw {
            batch.text.extend_from_slice(&found.candidate.text);
            batch.text.extend_from_slice(self.end);
            if self.shape.has_rows() {
                batch.end_row();
            }
            return;
        }
        let url = self.listed(&found.candidate.text, found);
        if let Some(key) = self.shape.counts {
            batch.set_document(path, part);
            let counted = self.key(key, path, (found, settings.standard), &url);
            let is_missing = counted.is_empty() && matches!(key, Key::Host | Key::Domain);
            let counted = if is_missing { NO_HOST.into() } else { counted };
            batch.text.extend_from_slice(&counted);
            batch.end_row();
            return;
        }
        if self.shape.unique == Some(Layout::Before) {
            batch::put(&mut batch.text, &url);
        }
        if let Some((key, Layout::Before)) = self.shape.sort {
            batch::put(
                &mut batch.text,
                &self.key(key, path, (found, settings.standard), &url),
            );
        }
        if let Some(key) = self.shape.split {
            batch::put(
                &mut batch.text,
                &self.key(key, path, (found, settings.standard), &url),
            );
        }
        self.row(&mut batch.text, (path, part), found, settings, url);
        if self.shape.has_rows() {
            batch.end_row();
        }
    }

    /// What a URL is counted or sorted by.
    fn key<'k>(
        &self,
        key: Key,
        path: &'k [u8],
        (found, standard): (&Found<'_>, Standard),
        url: &'k [u8],
    ) -> Cow<'k, [u8]> {
        let none = Cow::Borrowed(&b""[..]);
        match key {
            Key::Url => Cow::Borrowed(url),
            Key::File => Cow::Borrowed(path),
            Key::Host => host(url).map_or(none, |host| Cow::Owned(host.to_ascii_lowercase())),
            Key::Domain => host(url).map_or(none, |host| Cow::Owned(domain(host))),
            Key::Scheme => {
                let scheme = Judgement::new(found, standard).scheme();
                scheme.map_or(none, Cow::Owned)
            }
        }
    }

    fn row(
        &self,
        out: &mut Vec<u8>,
        (path, part): (&[u8], Part<'_>),
        found: &Found<'_>,
        settings: &Settings,
        url: Cow<'_, [u8]>,
    ) {
        if self.is_bare {
            out.extend_from_slice(&self.tamed(url));
            out.extend_from_slice(self.end);
            return;
        }
        let is_judged = |(field, _): &(Field, String)| {
            matches!(field, Field::Scheme | Field::Valid | Field::Problems)
        };
        let is_asked_for = self.columns.iter().any(is_judged);
        let subject = Subject {
            path,
            part,
            found,
            settings,
            url,
            judgement: is_asked_for.then(|| Judgement::new(found, settings.standard)),
        };
        let values = self.columns.iter();
        let values = values.map(|(field, name)| (self.value(*field, &subject), name));
        match self.format {
            Format::JsonLines => {
                // Writing to memory never fails.
                let _ = json::write_fields(out, values.map(|(value, name)| (&**name, value)));
            }
            Format::Csv => {
                comma_separated(
                    out,
                    values.map(|(value, _)| self.tamed(utf_8(value.cell()))),
                );
            }
            Format::Tsv => {
                let cells = values.map(|(value, _)| self.tamed(utf_8(value.cell())));
                tab_separated(out, cells, self.end);
            }
            Format::Text => {
                let cells = values.map(|(value, _)| self.tamed(value.cell()));
                tab_separated(out, cells, self.end);
            }
        }
    }

    /// Whether lines have to be counted.
    pub(super) fn are_placed(&self) -> bool {
        let is_place = |(field, _): &(Field, String)| matches!(field, Field::Line | Field::Column);
        self.shape.counts.is_none() && self.columns.iter().any(is_place)
    }

    fn value<'s>(&self, field: Field, subject: &'s Subject<'_, '_>) -> Value<'s> {
        let candidate = &subject.found.candidate;
        let judgement = subject.judgement.as_ref();
        let place = subject.found.place.unwrap_or_default();
        match field {
            Field::Path => Value::Text(subject.path.into()),
            Field::Member => Value::optional(subject.part.name()),
            Field::Url => Value::Text((&*subject.url).into()),
            Field::Found => Value::Text(self.redacted(&candidate.text)),
            Field::Fragment => {
                Value::optional(candidate.fragment().map(|text| self.redacted(text)))
            }
            Field::Alternatives => {
                let others = candidate.alternatives.iter();
                Value::Texts(
                    others
                        .map(|other| self.listed(&other.text, subject.found))
                        .collect(),
                )
            }
            Field::Scheme => Value::optional(judgement.and_then(Judgement::scheme)),
            Field::Host => Value::optional(host(&subject.url).map(<[u8]>::to_ascii_lowercase)),
            Field::Delimiter => Value::Text(candidate.delimiter.name().as_bytes().into()),
            Field::Start => Value::Number(candidate.outer.start),
            Field::End => Value::Number(candidate.outer.end),
            Field::Line => Value::Number(place.position.line),
            Field::Column => Value::Number(place.position.column),
            Field::Pieces => Value::Ranges(&candidate.pieces),
            Field::Placeholder => Value::Flag(candidate.flags.has(Flag::Placeholder)),
            Field::Valid if candidate.flags.has(Flag::Placeholder) => Value::Absent,
            Field::Evidence => {
                let evidence = candidate.evidence();
                Value::Texts(
                    evidence
                        .map(|evidence| evidence.name().as_bytes().into())
                        .collect(),
                )
            }
            Field::Ending => Value::Text(subject.found.ending().name().as_bytes().into()),
            Field::Valid => {
                Value::Flag(judgement.is_some_and(|judgement| judgement.problems.is_empty()))
            }
            Field::Problems => {
                let judged = judgement.filter(|_| !candidate.flags.has(Flag::Placeholder));
                let problems = judged.iter().flat_map(|judgement| &judgement.problems);
                names(problems.map(|problem| Rule::from(problem.kind)))
            }
            Field::Standard => Value::Text(subject.settings.standard.name().as_bytes().into()),
            Field::Rules => {
                let mut rules = Vec::new();
                let found = subject.found;
                found.lint(subject.settings, &mut |diagnostic| {
                    rules.push(diagnostic.rule);
                });
                names(rules)
            }
        }
    }

    /// The URL of `found` as it is listed. The name of a placeholder is not normalized.
    fn listed<'u>(&self, url: &'u [u8], found: &Found<'_>) -> Cow<'u, [u8]> {
        if !self.normalize || found.candidate.flags.has(Flag::Placeholder) {
            return self.redacted(url);
        }
        match urlint::url::normalize(url) {
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

    /// `bytes`, fit for a terminal if they go to one.
    fn tamed<'b>(&self, bytes: Cow<'b, [u8]>) -> Cow<'b, [u8]> {
        if !self.harmless {
            return bytes;
        }
        Cow::Owned(terminal::line(&bytes).into_owned().into_bytes())
    }
}

/// What is counted of URLs without a host.
const NO_HOST: &[u8] = b"(none)";

/// Returns `bytes` as UTF-8: what is not UTF-8 becomes U+FFFD.
pub(super) fn utf_8(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match String::from_utf8_lossy(&bytes) {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Returns the domain in lower case that was registered and `host` is in, or else the host.
fn domain(host: &[u8]) -> Vec<u8> {
    let host = host.to_ascii_lowercase();
    let is_address = host.first() == Some(&b'[') || host.last().is_some_and(u8::is_ascii_digit);
    let name = host.strip_suffix(b".").unwrap_or(&host);
    let found = psl::domain(name).filter(|_| !is_address);
    found.map_or(host.clone(), |domain| domain.as_bytes().to_vec())
}

/// The names of rules, each once, in the order of their places.
fn names(rules: impl IntoIterator<Item = Rule>) -> Value<'static> {
    let mut names: Vec<Cow<'static, [u8]>> = Vec::new();
    for rule in rules {
        let name = Cow::Borrowed(rule.name().as_bytes());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Value::Texts(names)
}
