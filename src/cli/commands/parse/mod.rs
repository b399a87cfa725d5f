//! `urlint parse`: judges URLs and shows their components.

mod comparison;

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlint_find::Candidate;
use urlint_standard::standard::Standard;
use urlint_standard::text::named::Named;

use crate::error::{Error, Exit};
use crate::stdout::Output;
use comparison::Comparison;
use urlint_report::json;
use urlint_report::judgement::Judgement;

#[derive(Debug, clap::Args)]
pub(crate) struct Parse {
    /// URLs to judge; `-`, or no URL, reads them from standard input, one on each line
    ///
    /// Nothing but the line break is trimmed.
    #[arg(value_name = "URL")]
    urls: Vec<OsString>,

    /// The standard by which URLs are judged
    #[arg(long, value_name = "STANDARD", default_value = "rfc1738", value_parser = standards())]
    standard: Standards,

    /// URLs on standard input end with NUL instead of a line break
    #[arg(long, short = '0')]
    null: bool,

    /// The output format
    #[arg(
        long,
        short = 'f',
        visible_alias = "format",
        value_name = "FORMAT",
        default_value = "text"
    )]
    output_format: Format,

    /// Show passwords as `***`
    #[arg(long)]
    redact: bool,

    /// Exit with 1 if a URL is not valid, even if its problems are only hints
    #[arg(long)]
    strict: bool,
}

/// The standards that a value chooses.
#[derive(Clone, Debug)]
struct Standards(Vec<Standard>);

/// Returns the parser of the name of a standard, or of `all`.
fn standards() -> impl TypedValueParser<Value = Standards> {
    let each = Standard::ALL.iter();
    let each = each.map(|one| PossibleValue::new(one.name()).help(one.meaning()));
    let all =
        PossibleValue::new("all").help("RFC 1738, RFC 3986 and the URL Standard side by side");
    PossibleValuesParser::new(each.chain([all])).map(|name| match Standard::from_name(&name) {
        Some(one) => Standards(vec![one]),
        None => Standards(vec![Standard::Rfc1738, Standard::Rfc3986, Standard::Whatwg]),
    })
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
            flags: self,
            out: &mut output.stream,
            line: Vec::new(),
            is_first: true,
            any_wrong: false,
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
        Ok(if judged.any_wrong {
            Exit::Found
        } else {
            Exit::Done
        })
    }

    fn stdin(&self, judged: &mut Judged<'_>) -> Result<(), Error> {
        let end = if self.null { b'\0' } else { b'\n' };
        let mut stdin = io::stdin().lock();
        let mut record = Vec::new();
        // One byte more than a URL may have shows that it is too long.
        let most = Candidate::MAX_LEN as u64 + 3;
        while (stdin.by_ref().take(most))
            .read_until(end, &mut record)
            .map_err(Error::Read)?
            > 0
        {
            if !record.ends_with(&[end]) {
                stdin.skip_until(end).map_err(Error::Read)?;
            }
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
    flags: &'o Parse,
    out: &'o mut dyn Write,
    line: Vec<u8>,
    is_first: bool,
    any_wrong: bool,
}

impl Judged<'_> {
    fn add(&mut self, url: &[u8]) -> Result<(), Error> {
        let (flags, format) = (self.flags, self.flags.output_format);
        let by = |standard: &Standard| Judgement::new(url, *standard, flags.redact);
        let judgements: Vec<_> = flags.standard.0.iter().map(by).collect();
        self.any_wrong |= judgements.iter().any(|judgement| {
            if flags.strict {
                !judgement.is_valid()
            } else {
                judgement.has_errors_or_warnings()
            }
        });
        self.line.clear();
        let is_first = std::mem::take(&mut self.is_first);
        if !is_first && format == Format::Text {
            self.line.push(b'\n');
        }
        let out = &mut self.line;
        match (format, &judgements[..]) {
            (Format::Text, [judgement]) => judgement.text(out),
            (Format::Text, all) => Comparison(all).text(out),
            (Format::JsonLines, all) => {
                let row = match all {
                    [judgement] => judgement.row(true),
                    all => Comparison(all).row(),
                };
                json::write_line(out, &row).map_err(Error::Write)?;
            }
        }
        self.out.write_all(&self.line).map_err(Error::Write)
    }
}
