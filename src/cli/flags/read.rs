//! How sources are read, and URLs are found in them and judged.

use urlint_config::Keys;
use urlint_documents::document::Kind;
use urlint_engine::Inputs;
use urlint_find::{Hyphen, Rejoin};
use urlint_standard::standard::Standard;

use crate::config::parser;

/// The flags for reading sources, and for finding and judging URLs.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Finding")]
pub(crate) struct ReadArgs {
    /// Read all files as documents of this kind
    ///
    /// By default, the name and the first bytes of a file decide.
    #[arg(long = "type", value_name = "KIND", value_parser = parser::<Kind>())]
    kind: Option<Kind>,

    /// When to rejoin a URL over several lines [default: likely]
    #[arg(long, value_name = "WHEN", value_parser = parser::<Rejoin>())]
    rejoin: Option<Rejoin>,

    /// Keep or drop a hyphen at a line break that may or may not belong to the URL [default: auto]
    #[arg(long, value_name = "WHAT", value_parser = parser::<Hyphen>(), hide_short_help = true)]
    hyphen: Option<Hyphen>,

    /// Also find `www.example.com` and `ftp.example.com`
    #[arg(long)]
    schemeless: bool,

    /// Also search comments, scripts and styles in HTML and XML
    #[arg(long, hide_short_help = true)]
    deep: bool,

    /// Skip code spans and code blocks in Markdown
    #[arg(long, hide_short_help = true)]
    skip_code: bool,

    /// Read files as JSON with a value on each line, and search only the strings with this key, such as
    /// `body` or `data.body`; may be repeated
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    json_field: Vec<String>,

    /// The standard by which URLs are judged [default: rfc1738]
    #[arg(long, value_name = "STANDARD", value_parser = parser::<Standard>(), help_heading = "Standard")]
    standard: Option<Standard>,
}

impl ReadArgs {
    /// Sets how the files of `inputs` are read.
    pub(crate) fn set_inputs(&self, inputs: &mut Inputs) {
        inputs.kind = self.kind;
        inputs.json_fields = self.json_field.clone().into();
    }

    /// Sets the keys of the flags that were given.
    pub(crate) fn set(&self, keys: &mut Keys) {
        keys.rejoin = self.rejoin.into();
        keys.hyphen = self.hyphen.into();
        keys.schemeless = self.schemeless.then_some(true).into();
        keys.deep = self.deep.then_some(true).into();
        keys.skip_code = self.skip_code.then_some(true).into();
        keys.standard = self.standard.into();
    }
}
