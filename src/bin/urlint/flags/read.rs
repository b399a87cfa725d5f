//! How sources are read and URLs are found in them.

use urlint::Reader;
use urlint::config::{Configs, Keys};
use urlint::document::{Kind, Notice, NoticeKind};
use urlint::find::{Hyphen, Rejoin};

use crate::config::parser;
use crate::terminal::Verbosity;
use crate::walk::{Input, Opener, PathArgs};

/// The flags for reading sources and finding URLs.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Finding")]
pub(crate) struct ReadArgs {
    /// Read all files as this kind of document, whatever their names and first bytes suggest
    #[arg(long = "type", value_name = "KIND", value_parser = parser::<Kind>())]
    kind: Option<Kind>,

    /// When to rejoin a URL that is broken over lines [default: corroborated]
    #[arg(long, value_name = "WHEN", value_parser = parser::<Rejoin>())]
    rejoin: Option<Rejoin>,

    /// What to do with a hyphen at a line break that may or may not belong to the URL [default: auto]
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
    /// Returns the reader for a source. With `positions`, it counts lines.
    pub(crate) fn reader(&self, input: &Input<'_>, positions: bool) -> Reader {
        let reader = input.settings.reader();
        reader
            .with_kind(self.kind(input))
            .with_mistakes(true)
            .with_positions(positions)
            .with_json_fields(&self.json_field)
            // Chunks of a file are searched by the finder alone, which does not know the path.
            .for_path(below_current_folder(input.path))
    }

    /// Returns whether a flag asks for lines to be joined without witnesses.
    pub(crate) fn needs_no_witnesses(&self) -> bool {
        self.rejoin
            .is_some_and(|rejoin| rejoin != Rejoin::Corroborated)
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
