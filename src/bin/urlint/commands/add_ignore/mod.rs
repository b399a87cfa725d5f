//! `urlint check --add-ignore`: adds suppression comments for all diagnostics, where a comment changes
//! nothing else.

mod code;
mod places;
mod structure;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::ops::Range;

use urlint::lint::Suppressions;
use urlint::{Event, Reader, Severity};

use super::check::MAX_MARKED;
use super::read::ReadArgs;
use super::replace::{Replaced, replace};
use crate::config::Configs;
use crate::error::{Error, Exit};
use crate::terminal::{Verbosity, complain, count, say};
use crate::walk::{Input, Origin, PathArgs};
use places::{Gap, Places};

/// The longest source that comments are added to, in bytes. They would not be found further on.
const MAX_SOURCE: usize = MAX_MARKED;

/// The comments that a source needs: the names of rules, by the offset of the line.
type Comments = BTreeMap<usize, BTreeSet<&'static str>>;

/// What is found in a source.
struct Findings {
    /// The URLs, which comments must not change.
    urls: Vec<Vec<u8>>,
    /// The comments that would suppress what is reported.
    comments: Comments,
}

/// Adds comments to the files, and prints how many.
pub(super) fn run(
    inputs: &PathArgs,
    configs: &Configs,
    reader: &ReadArgs,
    verbosity: Verbosity,
) -> Result<Exit, Error> {
    let (mut added, mut files, mut failed) = (0, 0, 0);
    let opener = reader.opener(inputs, configs, verbosity);
    let tally = inputs.each(&opener, &mut |input, source| {
        match add(input, reader, source)? {
            Ok(0) => {}
            Ok(comments) => {
                added += comments;
                files += 1;
            }
            Err(reason) => {
                let name = String::from_utf8_lossy(input.name);
                complain(&format!("{name}: no suppression comments added: {reason}"));
                failed += 1;
            }
        }
        Ok(())
    })?;
    if !verbosity.is_quiet() {
        say(&match added {
            0 => "No suppression comments added.".to_owned(),
            _ => format!(
                "Added {} to {}.",
                count(added, "suppression comment"),
                count(files, "file")
            ),
        });
    }
    Ok(match tally.failed + failed {
        0 => Exit::Done,
        _ => Exit::Failed,
    })
}

/// Adds comments to a file; returns how many, or why there are none.
fn add(
    input: &Input<'_>,
    args: &ReadArgs,
    source: &mut dyn Read,
) -> io::Result<Result<u64, String>> {
    if !input.is_fixable() {
        return Ok(Ok(0));
    }
    let Origin::File(path) = input.origin else {
        return Ok(Err("standard input cannot be changed".to_owned()));
    };
    let mut text = Vec::new();
    source.take(MAX_SOURCE as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_SOURCE {
        return Ok(Err(format!("longer than {} MiB", MAX_SOURCE >> 20)));
    }
    let reader = args.reader(input, false);
    let found = findings(input, &reader, &text)?;
    if found.comments.is_empty() {
        return Ok(Ok(0));
    }
    let kind = reader.kind_of(input.name, &text[..])?;
    let Some(places) = Places::of(kind, path, &text) else {
        return Ok(Err(format!("this kind of file has no comments; {INSTEAD}")));
    };
    let mut reason = format!("there is no safe place for a comment; {INSTEAD}");
    // A comment at the end of a line keeps the text together, but is not possible everywhere.
    for takes_ends in [true, false] {
        let Some((new, count)) = with_comments(&text, &found.comments, &places, takes_ends) else {
            continue;
        };
        let then = findings(input, &reader, &new)?;
        if then.urls != found.urls || !then.comments.is_empty() {
            reason = format!("a comment would change what is found; {INSTEAD}");
        } else if structure::of(kind, path, &new) != structure::of(kind, path, &text) {
            reason = format!("a comment would change the document; {INSTEAD}");
        } else {
            return Ok(match replace(path, &text, &new) {
                Ok(Replaced::Yes) => Ok(count),
                Ok(Replaced::No) => Err("changed by another program".to_owned()),
                Err(error) => Err(error.to_string()),
            });
        }
    }
    Ok(Err(reason))
}

/// What helps where no comment can be added.
const INSTEAD: &str = "use --baseline FILE --update-baseline, or `ignore-urls`";

/// Finds the URLs of `text`, and the comments that it would need.
fn findings(input: &Input<'_>, reader: &Reader, text: &[u8]) -> io::Result<Findings> {
    let mut suppressions = Suppressions::of(text);
    let mut findings = Findings {
        urls: Vec::new(),
        comments: Comments::new(),
    };
    let least: Severity = input.settings.resolved.min_severity;
    reader.read(input.name, text, &mut |event| {
        let Event::Found(found) = event else {
            return Ok(());
        };
        findings.urls.push(found.candidate.text.to_vec());
        found.lint(input.settings.lint(), &mut |diagnostic| {
            if diagnostic.severity >= least && !suppressions.suppresses(&diagnostic) {
                let at = (diagnostic.outer.start as usize).min(text.len());
                let line = memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
                let rules = findings.comments.entry(line).or_default();
                rules.insert(diagnostic.rule.name());
            }
        });
        Ok::<(), io::Error>(())
    })?;
    Ok(findings)
}

/// Returns `text` with comments for the lines of `comments`, and how many there are: each before its
/// line, or with `takes_ends` at the end of the line where that may be, or else a pair around it.
/// `None` if there is no place for one of them.
fn with_comments(
    text: &[u8],
    comments: &Comments,
    places: &Places,
    takes_ends: bool,
) -> Option<(Vec<u8>, u64)> {
    let mut inserted: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    // Pairs that touch are one pair.
    let mut pairs: Vec<(Range<usize>, BTreeSet<&'static str>)> = Vec::new();
    // They come after the pairs, since each is for the next line.
    let mut single = Vec::new();
    let mut count = 0;
    for (&at, rules) in comments {
        let line = places.line(at);
        if takes_ends && places.at_end[line] {
            let comment = places.comment("ignore", rules);
            let end = places.starts.get(line + 1).copied().unwrap_or(text.len());
            let length = text[places.starts[line]..end].trim_ascii_end().len();
            let end = places.starts[line] + length;
            inserted
                .entry(end)
                .or_default()
                .extend(format!(" {comment}").bytes());
            count += 1;
        } else if places.is_safe(line) {
            single.push((line, rules));
        } else {
            let around = places.around(line)?;
            match pairs.last_mut() {
                Some((last, all)) if around.start < last.end => {
                    last.end = last.end.max(around.end);
                    all.extend(rules);
                }
                _ => pairs.push((around, rules.clone())),
            }
        }
    }
    for (lines, rules) in &pairs {
        places.add(&mut inserted, text, lines.start, "disable", rules);
        if lines.end < places.starts.len() {
            places.add(&mut inserted, text, lines.end, "enable", rules);
        }
        count += 1;
    }
    for (line, rules) in single {
        let last = pairs.partition_point(|(lines, _)| lines.start <= line);
        let pair = last.checked_sub(1).map(|last| &pairs[last]);
        if pair.is_none_or(|(lines, all)| lines.end <= line || !rules.is_subset(all)) {
            places.add(&mut inserted, text, line, "ignore", rules);
            count += 1;
        }
    }
    let mut new = Vec::with_capacity(text.len() + 64 * comments.len());
    let mut from = 0;
    for (at, comment) in inserted {
        new.extend_from_slice(&text[from..at]);
        new.extend_from_slice(&comment);
        from = at;
    }
    new.extend_from_slice(&text[from..]);
    Some((new, count))
}

impl Places {
    fn comment(&self, keyword: &str, rules: &BTreeSet<&'static str>) -> String {
        let (opening, closing) = self.delimiters;
        let rules: Vec<_> = rules.iter().copied().collect();
        format!("{opening} urlint: {keyword}[{}]{closing}", rules.join(", "))
    }

    /// Adds a comment before a line, with the same indentation, or before what the line says where it
    /// takes no line of its own.
    fn add(
        &self,
        inserted: &mut BTreeMap<usize, Vec<u8>>,
        text: &[u8],
        line: usize,
        keyword: &str,
        rules: &BTreeSet<&'static str>,
    ) {
        let start = self.starts[line];
        let indent = text[start..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'));
        // A comment of roff has to begin its line, and in a makefile what begins with a tab is run.
        let is_at_margin = self.delimiters.0.starts_with('.') || text[start..].starts_with(b"\t");
        let indent = if is_at_margin { 0 } else { indent.count() };
        let line_end: &[u8] = match memchr::memchr(b'\n', text) {
            Some(end) if text[..end].ends_with(b"\r") => b"\r\n",
            _ => b"\n",
        };
        let gap = match self.gap {
            Gap::None => 0,
            Gap::Line => 1,
            Gap::Block => 2,
        };
        let (at, indent) = match self.gap {
            Gap::None => (start + indent, 0),
            _ => (start, indent),
        };
        let comments = inserted.entry(at).or_default();
        comments.extend_from_slice(&text[start..start + indent]);
        comments.extend_from_slice(self.comment(keyword, rules).as_bytes());
        comments.extend_from_slice(&line_end.repeat(gap));
    }
}
