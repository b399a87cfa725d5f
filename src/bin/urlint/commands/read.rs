//! How sources are read, and URLs found in them.

use std::io::Read;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use urlint::{Event, Found, Kind, Notice, NoticeKind};

use super::{Error, complain};
use crate::config::{Keys, Set};
use crate::walk::Input;

/// The flags that say how sources are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Finding")]
pub(crate) struct Reader {
    /// What the files are, instead of what their names and first bytes tell
    #[arg(long = "type", value_name = "KIND")]
    kind: Option<Named>,

    /// When to join a URL over a line break; `likely` unless configured otherwise
    #[arg(long, value_name = "WHEN")]
    rejoin: Option<Rejoin>,

    /// What becomes of a hyphen at a line break that may belong to the URL or not; `keep` unless
    /// configured otherwise
    #[arg(long, value_name = "WHAT")]
    hyphen: Option<Hyphen>,

    /// Also find `www.example.com` and `ftp.example.com`, without a scheme
    #[arg(long)]
    schemeless: bool,

    /// Also read comments, scripts and styles of HTML and XML
    #[arg(long)]
    deep: bool,

    /// Do not read code spans and code blocks of Markdown
    #[arg(long)]
    skip_code: bool,

    /// Read files as JSON, a value on each line, and of it only the strings under this name, `body`
    /// or `data.body`; may be given several times
    #[arg(long, value_name = "NAME")]
    json_field: Vec<String>,

    /// Tell on standard error which files and parts are passed over
    #[arg(long)]
    pub(crate) show_skipped: bool,
}

/// A kind of document, by its name.
#[derive(Clone, Copy, Debug)]
struct Named(Kind);

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Named; Kind::ALL.len()] = {
            let mut all = [Named(Kind::Plain); Kind::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = Named(Kind::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rejoin {
    /// Only inside `<URL:...>` and `<http:...>`
    Never,
    /// Also where the grammar or a hyphen asks for it
    Judged,
    /// Also where the line breaks suggest it
    Likely,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Hyphen {
    /// It belongs to the URL, unless it makes it invalid
    Keep,
    /// It does not, unless that makes the URL invalid: for typeset and scanned text
    Drop,
}

impl Reader {
    /// Reads a source and hands its candidates to `visit`; what else there is to say goes to
    /// standard error.
    pub(crate) fn read(
        &self,
        input: &Input<'_>,
        source: &mut dyn Read,
        positions: bool,
        visit: &mut dyn FnMut(&Found<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut notices = Notices::new(self, input);
        let reader = self.reader(input, positions);
        let done = reader.read(input.path, source, &mut |event| match event {
            Event::Found(found) => visit(&found),
            Event::Notice(notice) => {
                notices.tell(&notice);
                Ok(())
            }
            _ => Ok(()),
        });
        notices.end();
        done
    }

    /// The reader of a source, which counts lines if `positions`.
    pub(super) fn reader(&self, input: &Input<'_>, positions: bool) -> urlint::Reader {
        let holding = input.holding;
        urlint::Reader::default()
            .with_finder(holding.lint().finder.clone())
            .with_kind(self.kind(input))
            .with_depth(holding.settings.depth)
            .with_positions(positions)
            .with_json_fields(&self.json_field)
            // Chunks of a file are searched by the finder alone, which does not see the path.
            .for_path(input.path)
    }

    /// The kind that a source has been given, if it has.
    pub(crate) fn kind(&self, input: &Input<'_>) -> Option<Kind> {
        let named = self.kind.map(|Named(kind)| kind);
        named.or(input.holding.kind).or(input.kind)
    }

    /// What the flags say.
    pub(crate) fn keys(&self) -> Keys {
        let on = |flag: bool| flag.then(|| Set::by_flag(true));
        Keys {
            rejoin: self.rejoin.map(|rejoin| {
                Set::by_flag(match rejoin {
                    Rejoin::Never => urlint::Rejoin::Never,
                    Rejoin::Judged => urlint::Rejoin::Judged,
                    Rejoin::Likely => urlint::Rejoin::Likely,
                })
            }),
            hyphen: self.hyphen.map(|hyphen| {
                Set::by_flag(match hyphen {
                    Hyphen::Keep => urlint::Hyphen::Keep,
                    Hyphen::Drop => urlint::Hyphen::Drop,
                })
            }),
            schemeless: on(self.schemeless),
            deep: on(self.deep),
            skip_code: on(self.skip_code),
            ..Keys::default()
        }
    }

    /// What is said of a notice about the source `path`, if it is to be told.
    pub(super) fn told(&self, path: &[u8], notice: &Notice) -> Option<String> {
        let what = match notice.kind {
            NoticeKind::Skipped if self.show_skipped => "skipped ",
            NoticeKind::Skipped => return None,
            _ => "warning: ",
        };
        let path = String::from_utf8_lossy(path);
        let member = notice.member.map(|member| format!("!{member}"));
        let member = member.unwrap_or_default();
        let (message, at) = (&notice.message, notice.span.start);
        Some(format!("{path}{member}: {what}{message} (at byte {at})"))
    }
}

/// Tells standard error what there is to say about a source beside its candidates.
pub(super) struct Notices<'n> {
    reader: &'n Reader,
    name: &'n [u8],
    lines: BadLines,
}

impl<'n> Notices<'n> {
    /// Nothing told yet.
    pub(super) fn new(reader: &'n Reader, input: &Input<'n>) -> Self {
        Notices {
            reader,
            name: input.name,
            lines: BadLines::default(),
        }
    }

    pub(super) fn tell(&mut self, notice: &Notice) {
        if (notice.kind != NoticeKind::Line || self.lines.add(notice.span.start))
            && let Some(message) = self.reader.told(self.name, notice)
        {
            complain(&message);
        }
    }

    /// Tells what could not be told before the source's end.
    pub(super) fn end(mut self) {
        if let Some(message) = self.lines.end(self.name) {
            complain(&message);
        }
    }
}

/// The lines of a source that are not as they should be: the first is told, since a whole file may
/// be something else, and then how many more there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BadLines {
    is_told: bool,
    /// How many lines have not been told, and where the last of them begins.
    pub(super) more: u64,
    pub(super) last: u64,
}

impl BadLines {
    /// Takes note of a line that begins at the offset `at`; whether it is to be told.
    pub(super) fn add(&mut self, at: u64) -> bool {
        let is_first = !std::mem::replace(&mut self.is_told, true);
        if !is_first {
            self.add_more(1, at);
        }
        is_first
    }

    /// Takes note of lines that were counted behind one that was told.
    pub(super) fn add_more(&mut self, count: u64, last: u64) {
        self.more += count;
        self.last = last;
    }

    /// What is said at the end of the source `path`, if anything is, and begins anew.
    pub(super) fn end(&mut self, path: &[u8]) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_bad_lines_are_counted() {
        let told = |more: u64| {
            let mut lines = BadLines::default();
            assert!(lines.add(0));
            (1..=more).for_each(|line| assert!(!lines.add(line * 10)));
            lines.end(b"a.jsonl")
        };
        assert_eq!(told(0), None);
        let one = "a.jsonl: warning: 1 more such line (at byte 10)";
        assert_eq!(told(1).as_deref(), Some(one));
        let two = "a.jsonl: warning: 2 more such lines, the last (at byte 20)";
        assert_eq!(told(2).as_deref(), Some(two));
    }
}
