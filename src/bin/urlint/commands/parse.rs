//! `urlint parse`: judges URLs and shows their components.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::Range;

use clap::ValueEnum;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urlint::Rule;
use urlint::standard::rfc1738::{Components, Parsed, Part, Problem, parse};
use urlint::url::password::{passwords, redacted_part};

use super::extract::scheme;
use crate::error::{Error, Exit};
use crate::report::json::{self, Text};
use crate::terminal;
use crate::terminal::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Parse {
    /// URLs to judge; `-`, or no URL, reads them from standard input, one on each line
    ///
    /// Nothing but the line break is trimmed.
    #[arg(value_name = "URL")]
    urls: Vec<OsString>,

    /// URLs on standard input end with NUL instead of a line break
    #[arg(long, short = '0')]
    null: bool,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Format,

    /// Show passwords as `***`
    #[arg(long)]
    redact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// A JSON object on each line; bytes that are not UTF-8 become U+FFFD
    JsonLines,
}

impl Parse {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Exit, Error> {
        let mut judged = Judged {
            format: self.output_format,
            redact: self.redact,
            out: &mut output.stream,
            line: Vec::new(),
            is_first: true,
            any_invalid: false,
        };
        if self.urls.is_empty() {
            self.stdin(&mut judged)?;
        }
        for url in &self.urls {
            if url == "-" {
                self.stdin(&mut judged)?;
            } else {
                judged.add(url.as_encoded_bytes())?;
            }
        }
        Ok(if judged.any_invalid {
            Exit::Found
        } else {
            Exit::Done
        })
    }

    fn stdin(&self, judged: &mut Judged<'_>) -> Result<(), Error> {
        let end = if self.null { b'\0' } else { b'\n' };
        let mut stdin = io::stdin().lock();
        let mut record = Vec::new();
        while stdin.read_until(end, &mut record).map_err(Error::Read)? > 0 {
            let mut url = record.strip_suffix(&[end]).unwrap_or(&record);
            if !self.null && url.len() < record.len() {
                url = url.strip_suffix(b"\r").unwrap_or(url);
            }
            judged.add(url)?;
            record.clear();
        }
        Ok(())
    }
}

/// Writes the judgement of each URL.
struct Judged<'o> {
    format: Format,
    redact: bool,
    out: &'o mut dyn Write,
    line: Vec<u8>,
    is_first: bool,
    any_invalid: bool,
}

impl Judged<'_> {
    fn add(&mut self, url: &[u8]) -> Result<(), Error> {
        let parsed = parse(url);
        self.any_invalid |= !parsed.is_valid();
        let passwords = if self.redact {
            passwords(url)
        } else {
            Vec::new()
        };
        let judgement = Judgement { parsed, passwords };
        self.line.clear();
        let is_first = std::mem::take(&mut self.is_first);
        match self.format {
            Format::Text => {
                if !is_first {
                    self.line.push(b'\n');
                }
                judgement.text(&mut self.line);
            }
            Format::JsonLines => {
                judgement.json(&mut self.line).map_err(Error::Write)?;
            }
        }
        self.out.write_all(&self.line).map_err(Error::Write)
    }
}

struct Judgement<'u> {
    parsed: Parsed<'u>,
    passwords: Vec<Range<usize>>,
}

impl Judgement<'_> {
    fn json(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let is_known = self.parsed.components != Components::Unknown;
        let problems = self.parsed.problems.iter();
        let row = Row {
            url: self.text_of(Part::all(self.parsed.url)),
            valid: self.parsed.is_valid(),
            scheme: scheme(&self.parsed).map(Text),
            components: is_known.then_some(JsonComponents(self)),
            problems: problems.map(JsonProblem::from).collect(),
        };
        json::write_line(out, &row)
    }

    /// Writes the URL, its components, and its problems with the bytes that they concern.
    fn text(&self, out: &mut Vec<u8>) {
        let mut put = |line: String| {
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        };
        let verdict = if self.parsed.is_valid() {
            "valid"
        } else {
            "not valid"
        };
        put(format!(
            "{}: {verdict}",
            self.shown(Part::all(self.parsed.url))
        ));
        if let Some(scheme) = self.parsed.scheme() {
            put(format!(
                "  {:<11} {}",
                "scheme",
                scheme.to_ascii_lowercase()
            ));
        }
        for (name, part) in self.parsed.components.named_parts() {
            if let Some(part) = part {
                put(format!("  {name:<11} {}", self.shown(part))
                    .trim_end()
                    .to_owned());
            }
        }
        if let Components::Prospero { fields, .. } = &self.parsed.components {
            for (name, value) in fields {
                let (name, value) = (self.shown(*name), self.shown(*value));
                put(format!("  {:<11} {name}={value}", "field"));
            }
        }
        for problem in &self.parsed.problems {
            let Part { start, end } = problem.part;
            let rule = Rule::from(problem.kind);
            put(format!(
                "  error[{rule}] at {start}..{end}: {}",
                rule.summary()
            ));
        }
    }

    fn shown(&self, part: Part) -> String {
        terminal::line(&self.slice(part)).into_owned()
    }

    fn text_of(&self, part: Part) -> Text<Vec<u8>> {
        Text(self.slice(part))
    }

    /// Returns a part of the URL, with its passwords hidden if that is asked for.
    fn slice(&self, part: Part) -> Vec<u8> {
        redacted_part(self.parsed.url, part.range(), &self.passwords)
    }
}

/// A URL as a JSON object.
#[derive(Serialize)]
struct Row<'j> {
    url: Text<Vec<u8>>,
    valid: bool,
    scheme: Option<Text<Vec<u8>>>,
    components: Option<JsonComponents<'j>>,
    problems: Vec<JsonProblem>,
}

#[derive(Serialize)]
struct JsonProblem {
    rule: &'static str,
    start: u32,
    end: u32,
    message: &'static str,
}

impl From<&Problem> for JsonProblem {
    fn from(problem: &Problem) -> Self {
        let rule = Rule::from(problem.kind);
        JsonProblem {
            rule: rule.name(),
            start: problem.part.start,
            end: problem.part.end,
            message: rule.summary(),
        }
    }
}

/// The components that the scheme of a URL has, in order.
struct JsonComponents<'j>(&'j Judgement<'j>);

impl Serialize for JsonComponents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let judgement = self.0;
        let mut object = serializer.serialize_map(None)?;
        for (name, part) in judgement.parsed.components.named_parts() {
            object.serialize_entry(name, &part.map(|part| judgement.text_of(part)))?;
        }
        if let Components::Prospero { fields, .. } = &judgement.parsed.components {
            let fields = fields
                .iter()
                .map(|(name, value)| [name, value].map(|part| judgement.text_of(*part)));
            object.serialize_entry("fields", &fields.collect::<Vec<_>>())?;
        }
        object.end()
    }
}
