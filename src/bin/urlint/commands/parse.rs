//! `urlint parse`: judges URLs and shows their components.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::Range;

use clap::ValueEnum;
use urlint::Rule;
use urlint::rfc1738::{Components, Parsed, Part, Problem, parse};

use super::extract::scheme;
use super::output::Output;
use super::{Error, Exit};
use crate::report::json;
use crate::terminal;

#[derive(Debug, clap::Args)]
pub(crate) struct Parse {
    /// URLs; without any, or for `-`, those of standard input, one a line
    ///
    /// Nothing is trimmed but the line's end.
    #[arg(value_name = "URL")]
    urls: Vec<OsString>,

    /// URLs of standard input end with NUL instead of a line break
    #[arg(long, short = '0')]
    null: bool,

    /// How to print what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Format,

    /// Show passwords as `***`
    #[arg(long)]
    redact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// To be read
    Text,
    /// A JSON object on each line; bytes that are not UTF-8 are shown as U+FFFD
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
            terminal::passwords_of(url)
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
                judgement.json(&mut self.line);
                self.line.push(b'\n');
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
    fn json(&self, out: &mut Vec<u8>) {
        json::object(out, |object| {
            object.string("url", &self.slice(Part::all(self.parsed.url)));
            object.boolean("valid", self.parsed.is_valid());
            object.optional("scheme", scheme(&self.parsed).as_deref());
            if self.parsed.components == Components::Unknown {
                object.null("components");
            } else {
                json::object(object.field("components"), |object| self.components(object));
            }
            json::list(
                object.field("problems"),
                &self.parsed.problems,
                |out, problem| {
                    json::object(out, |object| fill_problem(object, problem));
                },
            );
        });
    }

    fn components(&self, object: &mut json::Object<'_>) {
        for (name, part) in self.parsed.components.named_parts() {
            object.optional(name, part.map(|part| self.slice(part)).as_deref());
        }
        if let Components::Prospero { fields, .. } = &self.parsed.components {
            json::list(object.field("fields"), fields, |out, (name, value)| {
                json::list(out, [name, value], |out, part| {
                    json::string(out, &self.slice(*part));
                });
            });
        }
    }

    /// The URL, its components, and its problems with the bytes that they concern.
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

    fn slice(&self, part: Part) -> Vec<u8> {
        terminal::redact_part(self.parsed.url, part.range(), &self.passwords)
    }
}

fn fill_problem(object: &mut json::Object<'_>, problem: &Problem) {
    let rule = Rule::from(problem.kind);
    object.string("rule", rule.name().as_bytes());
    object.number("start", problem.part.start.into());
    object.number("end", problem.part.end.into());
    object.string("message", rule.summary().as_bytes());
}
