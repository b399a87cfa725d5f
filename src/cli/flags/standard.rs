//! The flag that chooses the standard by which URLs are judged.

use urlint_config::Keys;
use urlint_core::standard::Standard;

use crate::config::parser;

/// The flag that chooses a standard.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Standard")]
pub(crate) struct StandardArgs {
    /// The standard by which URLs are judged [default: rfc1738]
    #[arg(long, value_name = "STANDARD", value_parser = parser::<Standard>())]
    standard: Option<Standard>,
}

impl StandardArgs {
    /// Sets the key of the flag.
    pub(crate) fn set(&self, keys: &mut Keys) {
        keys.standard = self.standard.into();
    }
}
