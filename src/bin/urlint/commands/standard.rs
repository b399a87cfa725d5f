//! The flags that choose the standard by which URLs are judged.

use urlint::config::{Configs, Options};
use urlint::standard::Standard;

use crate::config::{by_flag, parser};
use crate::error::Error;

/// The flags that choose a standard.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Standard")]
pub(crate) struct StandardArgs {
    /// The standard by which URLs are judged [default: rfc1738]
    #[arg(long, value_name = "STANDARD", value_parser = parser::<Standard>())]
    standard: Option<Standard>,

    /// Also allow characters beyond US-ASCII, as RFC 3987 does; requires the standard `rfc3986`
    #[arg(long)]
    iri: bool,
}

impl StandardArgs {
    /// Returns what the flags set.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::default();
        options.standard = self.standard.map(by_flag);
        options.iri = self.iri.then(|| by_flag(true));
        options
    }

    /// Returns an error if `--iri` is given where another standard applies.
    pub(crate) fn check(&self, configs: &Configs) -> Result<(), Error> {
        if !self.iri || configs.current()?.standard() == Standard::Rfc3987 {
            return Ok(());
        }
        Err(Error::Usage(NEEDS_RFC3986.into()))
    }
}

/// What is wrong if `--iri` is given with another standard.
pub(crate) const NEEDS_RFC3986: &str = "--iri needs --standard rfc3986";
