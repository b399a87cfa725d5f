//! How sources are read and URLs are found in them.

use std::cell::Cell;

use urlint::config::{Configs, Keys};
use urlint::document::{Kind, Notice, NoticeKind};
use urlint::find::{Hyphen, Rejoin};
use urlint::read::Content;
use urlint::{Event, Found, Reader};

use crate::config::parser;
use crate::error::Error;
use crate::terminal::{Verbosity, complain};
use crate::walk::{Input, Opener, PathArgs};

/// The flags for reading sources and finding URLs.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Finding")]
pub(crate) struct ReadArgs {
    /// Read all files as this kind of document, whatever their names and first bytes suggest
    #[arg(long = "type", value_name = "KIND", value_parser = parser::<Kind>())]
    kind: Option<Kind>,

    /// When to rejoin a URL that is broken over lines [default: likely]
    #[arg(long, value_name = "WHEN", value_parser = parser::<Rejoin>())]
    rejoin: Option<Rejoin>,

    /// What to do with a hyphen at a line break that may or may not belong to the URL [default: keep]
    #[arg(long, value_name = "WHAT", value_parser = parser::<Hyphen>())]
    hyphen: Option<Hyphen>,

    /// Also find `www.example.com` and `ftp.example.com` without a scheme
    #[arg(long)]
    schemeless: bool,

    /// Also search comments, scripts and styles in HTML and XML
    #[arg(long)]
    deep: bool,

    /// Skip code spans and code blocks in Markdown
    #[arg(long)]
    skip_code: bool,

    /// Read files as JSON with a value on each line, and search only the strings with this name,
    /// such as `body` or `data.body`; may be repeated
    #[arg(long, value_name = "NAME")]
    json_field: Vec<String>,
}

impl ReadArgs {
    /// Reads a source, and passes its candidates to `visit` and its notices to `notices`.
    ///
    /// With `positions`, candidates come with their lines and columns.
    pub(crate) fn read(
        &self,
        input: &Input<'_>,
        content: Content<'_>,
        positions: bool,
        mut notices: NoticePrinter<'_>,
        visit: &mut dyn FnMut(&Found<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let reader = self.reader(input, positions);
        let done = reader.read(input.path, content, &mut |event| match event {
            Event::Found(found) => visit(&found),
            Event::Notice(notice) => {
                notices.print(&notice);
                Ok(())
            }
            _ => Ok(()),
        });
        notices.finish();
        done
    }

    /// Returns the reader for a source. With `positions`, it counts lines.
    pub(crate) fn reader(&self, input: &Input<'_>, positions: bool) -> Reader {
        let reader = input.settings.reader();
        reader
            .with_kind(self.kind(input))
            .with_positions(positions)
            .with_json_fields(&self.json_field)
            // Chunks of a file are searched by the finder alone, which does not know the path.
            .for_path(below_current_folder(input.path))
    }

    /// Returns the kind of a source if the flags, the configuration or the archive set it.
    pub(crate) fn kind(&self, input: &Input<'_>) -> Option<Kind> {
        self.kind.or(input.settings.kind).or(input.kind)
    }

    /// Sets the keys of the flags that were given.
    pub(crate) fn set(&self, keys: &mut Keys) {
        keys.rejoin = self.rejoin.into();
        keys.hyphen = self.hyphen.into();
        keys.schemeless = self.schemeless.then_some(true).into();
        keys.deep = self.deep.then_some(true).into();
        keys.skip_code = self.skip_code.then_some(true).into();
    }

    /// Returns what opens the files.
    pub(crate) fn opener<'i>(
        &self,
        inputs: &'i PathArgs,
        configs: &'i Configs,
        verbosity: Verbosity,
    ) -> Opener<'i> {
        Opener::new(inputs, configs, self.kind, verbosity.is_verbose())
    }
}

/// Returns the message for a notice about the source `path`.
pub(crate) fn message(path: &[u8], notice: &Notice) -> String {
    let what = match notice.kind {
        NoticeKind::Skipped => "skipped ",
        _ => "warning: ",
    };
    let path = String::from_utf8_lossy(path);
    let member = notice.member.map(|member| format!("!{member}"));
    let member = member.unwrap_or_default();
    let (message, at) = (&notice.message, notice.span.start);
    format!("{path}{member}: {what}{message} (at byte {at})")
}

/// Prints the notices about a source to standard error, or counts them.
pub(crate) struct NoticePrinter<'n> {
    name: &'n [u8],
    verbosity: Verbosity,
    /// How many notices were not printed.
    count: &'n Cell<u64>,
    lines: BadLines,
}

impl<'n> NoticePrinter<'n> {
    pub(crate) fn new(input: &Input<'n>, verbosity: Verbosity, count: &'n Cell<u64>) -> Self {
        NoticePrinter {
            name: input.name,
            verbosity,
            count,
            lines: BadLines::default(),
        }
    }

    /// Prints a notice, unless it is one of many about bad lines.
    pub(crate) fn print(&mut self, notice: &Notice) {
        if !self.verbosity.is_verbose() {
            let counted = u64::from(notice.kind != NoticeKind::Skipped);
            self.count.set(self.count.get() + counted);
        } else if notice.kind != NoticeKind::Line || self.lines.add(notice.span.start) {
            complain(&message(self.name, notice));
        }
    }

    /// Prints how many bad lines have not been printed.
    pub(crate) fn finish(mut self) {
        if let Some(message) = self.lines.end(self.name) {
            complain(&message);
        }
    }
}

/// Bad lines of a source. Only the first is reported, with the number of the others at the end: if the
/// file is of another kind, every line is bad.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BadLines {
    is_reported: bool,
    /// How many lines have not been reported, and the offset of the last of them.
    pub(crate) more: u64,
    pub(crate) last: u64,
}

impl BadLines {
    /// Adds a line that begins at the offset `at`; returns whether to report it.
    pub(crate) fn add(&mut self, at: u64) -> bool {
        let is_first = !std::mem::replace(&mut self.is_reported, true);
        if !is_first {
            self.add_more(1, at);
        }
        is_first
    }

    /// Adds lines that were counted after one that was reported.
    pub(crate) fn add_more(&mut self, count: u64, last: u64) {
        self.more += count;
        self.last = last;
    }

    /// Returns the message for the end of the source `path`, if there is one, and starts over.
    pub(crate) fn end(&mut self, path: &[u8]) -> Option<String> {
        let BadLines { more, last, .. } = std::mem::take(self);
        let what = match more {
            0 => return None,
            1 => "1 more such line".to_owned(),
            more => format!("{more} more such lines, the last"),
        };
        let path = String::from_utf8_lossy(path);
        Some(format!("{path}: warning: {what} (at byte {last})"))
    }
}

/// Returns `path` from the current folder on, if it is there: tests are known by their folders below.
fn below_current_folder(path: &[u8]) -> &[u8] {
    if !path.starts_with(b"/") {
        return path;
    }
    let current = std::env::current_dir().unwrap_or_default();
    let below = path.strip_prefix(current.as_os_str().as_encoded_bytes());
    below
        .and_then(|below| below.strip_prefix(b"/"))
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_bad_lines_are_counted() {
        let message = |more: u64| {
            let mut lines = BadLines::default();
            assert!(lines.add(0));
            (1..=more).for_each(|line| assert!(!lines.add(line * 10)));
            lines.end(b"a.jsonl")
        };
        assert_eq!(message(0), None);
        let one = "a.jsonl: warning: 1 more such line (at byte 10)";
        assert_eq!(message(1).as_deref(), Some(one));
        let two = "a.jsonl: warning: 2 more such lines, the last (at byte 20)";
        assert_eq!(message(2).as_deref(), Some(two));
    }
}
