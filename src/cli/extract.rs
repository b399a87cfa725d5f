//! `urlint extract`: link lists.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read, Write};

use clap::ValueEnum;
use urlint::{Found, Rule, Span};

use super::configured::show;
use super::output::{Output, Stream};
use super::pick::Pick;
use super::read::Reader;
use super::{Error, Exit, complain};
use crate::config::Configuration;
use crate::input::Inputs;
use crate::report::json;
use crate::show;
use crate::source::Part;

#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    reader: Reader,

    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    pick: Pick,

    /// How to print URLs
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    output_format: Format,

    /// End each URL with NUL instead of a line break; for `text` only
    #[arg(long, short = '0', help_heading = "Output")]
    null: bool,

    /// Print each URL once, where it comes first
    #[arg(long, help_heading = "Output")]
    unique: bool,

    /// Show passwords as `***`
    #[arg(long, help_heading = "Output")]
    redact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A URL on each line, with its fragment
    Text,
    /// A JSON object on each line; bytes that are not UTF-8 are shown as U+FFFD
    JsonLines,
    /// Comma-separated values, the first row naming the columns
    Csv,
}

/// The columns of CSV, and the keys of JSON.
const COLUMNS: [&str; 14] = [
    "path",
    "member",
    "url",
    "fragment",
    "alternatives",
    "scheme",
    "delimiter",
    "start",
    "end",
    "line",
    "column",
    "pieces",
    "valid",
    "problems",
];

impl Extract {
    pub(crate) fn run(&self, output: &mut Output, quiet: bool) -> Result<Exit, Error> {
        if self.null && self.output_format != Format::Text {
            return Err(Error::Null);
        }
        let configs = self.configuration.configs(self.reader.keys())?;
        if let Some(shown) = show(
            &self.configuration,
            &configs,
            &self.inputs,
            &self.reader,
            output,
        ) {
            return shown;
        }
        // The text alone needs no lines, so none are counted.
        let positions = self.output_format != Format::Text;
        let mut list = self.list(output);
        list.begin().map_err(Error::Write)?;
        let tally = self.inputs.each(
            &configs,
            self.reader.show_skipped,
            &mut |input, reader: &mut dyn Read| {
                self.reader
                    .read(input, reader, positions, &mut |found| match self
                        .pick
                        .takes(&found.candidate)
                    {
                        true => list
                            .add(input.file, input.part(found.member), found)
                            .map_err(Error::Write),
                        false => Ok(()),
                    })
            },
        )?;
        if tally.read == 0 && tally.failed == 0 && !quiet {
            complain("no files read");
        }
        Ok(if tally.failed > 0 {
            Exit::Failed
        } else {
            Exit::Done
        })
    }

    fn list<'o>(&self, output: &'o mut Output) -> List<'o> {
        List {
            format: self.output_format,
            end: if self.null { b"\0" } else { b"\n" },
            redact: self.redact,
            harmless: output.terminal,
            seen: self.unique.then(HashSet::new),
            out: &mut output.stream,
            line: Vec::new(),
        }
    }
}

/// The list that is being written.
struct List<'o> {
    format: Format,
    end: &'static [u8],
    redact: bool,
    /// Whether control characters must not go out as they are.
    harmless: bool,
    seen: Option<HashSet<Box<[u8]>>>,
    out: &'o mut Stream,
    line: Vec<u8>,
}

impl List<'_> {
    fn begin(&mut self) -> io::Result<()> {
        match self.format {
            Format::Csv => writeln!(self.out, "{}", COLUMNS.join(",")),
            Format::Text | Format::JsonLines => Ok(()),
        }
    }

    fn add(&mut self, path: &[u8], part: Part<'_>, found: &Found<'_>) -> io::Result<()> {
        let url = &*found.candidate.text;
        if let Some(seen) = &mut self.seen {
            if seen.contains(url) {
                return Ok(());
            }
            seen.insert(url.into());
        }
        match self.format {
            Format::Text => self.text(url),
            Format::JsonLines => self.json(path, part, found),
            Format::Csv => self.csv(path, part, found),
        }
    }

    fn text(&mut self, url: &[u8]) -> io::Result<()> {
        if self.redact || self.harmless {
            let url = self.shown(url);
            self.out.write_all(&url)?;
        } else {
            self.out.write_all(url)?;
        }
        self.out.write_all(self.end)
    }

    fn json(&mut self, path: &[u8], part: Part<'_>, found: &Found<'_>) -> io::Result<()> {
        let candidate = &found.candidate;
        let parsed = urlint::rfc1738::parse(candidate.url());
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        json::object(&mut line, |object| {
            object.string("path", path);
            object.optional("member", part.name().as_deref());
            object.string("url", &self.redacted(&candidate.text));
            object.optional("fragment", candidate.fragment());
            let alternatives = candidate.alternatives.iter();
            object.strings(
                "alternatives",
                alternatives.map(|other| self.redacted(&other.text)),
            );
            object.optional("scheme", scheme(&parsed).as_deref());
            object.string("delimiter", candidate.delimiter.name().as_bytes());
            object.number("start", candidate.outer.start);
            object.number("end", candidate.outer.end);
            object.number("line", found.position.line);
            object.number("column", found.position.column);
            json::list(object.field("pieces"), candidate.pieces.iter(), json::pair);
            object.boolean("valid", parsed.is_valid());
            object.strings("problems", problems(&parsed));
        });
        line.push(b'\n');
        self.line = line;
        self.out.write_all(&self.line)
    }

    fn csv(&mut self, path: &[u8], part: Part<'_>, found: &Found<'_>) -> io::Result<()> {
        let candidate = &found.candidate;
        let parsed = urlint::rfc1738::parse(candidate.url());
        let alternatives: Vec<_> = candidate
            .alternatives
            .iter()
            .map(|other| self.shown(&other.text))
            .collect();
        let pieces: Vec<_> = candidate.pieces.iter().map(range).collect();
        let number = |number: u64| number.to_string().into_bytes();
        let row: [Vec<u8>; COLUMNS.len()] = [
            self.tamed(path).into_owned(),
            self.tamed(&part.name().unwrap_or_default()).into_owned(),
            self.shown(&candidate.text).into_owned(),
            self.shown(candidate.fragment().unwrap_or_default())
                .into_owned(),
            alternatives.join(&b' '),
            scheme(&parsed).unwrap_or_default(),
            candidate.delimiter.name().into(),
            number(candidate.outer.start),
            number(candidate.outer.end),
            number(found.position.line),
            number(found.position.column),
            pieces.join(" ").into(),
            parsed.is_valid().to_string().into(),
            problems(&parsed).join(" ").into(),
        ];
        let mut writer = csv::Writer::from_writer(std::mem::take(&mut self.line));
        writer.write_record(&row).map_err(io::Error::from)?;
        self.line = writer
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        self.out.write_all(&self.line)?;
        self.line.clear();
        Ok(())
    }

    fn redacted<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        if self.redact {
            show::redact(url)
        } else {
            Cow::Borrowed(url)
        }
    }

    /// The URL as it goes out where control characters are not escaped.
    fn shown<'u>(&self, url: &'u [u8]) -> Cow<'u, [u8]> {
        match self.redacted(url) {
            Cow::Borrowed(url) => self.tamed(url),
            Cow::Owned(url) => Cow::Owned(self.tamed(&url).into_owned()),
        }
    }

    /// `bytes`, fit for a terminal if they go to one.
    fn tamed<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if !self.harmless {
            return Cow::Borrowed(bytes);
        }
        Cow::Owned(show::line(bytes).into_owned().into_bytes())
    }
}

/// The scheme in lower case.
pub(crate) fn scheme(parsed: &urlint::rfc1738::Parsed<'_>) -> Option<Vec<u8>> {
    Some(parsed.scheme()?.to_ascii_lowercase().into_bytes())
}

/// The names of the problems, each once, in the order of their places.
fn problems(parsed: &urlint::rfc1738::Parsed<'_>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for problem in &parsed.problems {
        let name = Rule::from(problem.kind).name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn range(span: Span) -> String {
    format!("{}-{}", span.start, span.end)
}
