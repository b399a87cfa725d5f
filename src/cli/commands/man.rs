//! `urlint man`: the command line for `man`.

use clap::Command;
use urlint_manual::PAGES;

use crate::error::{Error, Exit};
use crate::output::print;
use crate::stdout::Output;

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The subcommand to describe instead of urlint as a whole
    command: Option<String>,
}

impl Man {
    /// Writes the manual page of `cli`, or of one of its subcommands.
    pub(crate) fn run(&self, mut cli: Command, output: &mut Output) -> Result<Exit, Error> {
        cli.build();
        let described = match &self.command {
            None => cli,
            Some(name) => {
                let unknown =
                    || Error::Usage(format!("no such command: `{name}`; see `urlint --help`"));
                let found = cli.find_subcommand(name).cloned();
                found
                    .ok_or_else(unknown)?
                    .display_name(format!("urlint-{name}"))
            }
        };
        let examples = described
            .get_before_help()
            .map(|help| roff(&help.to_string()));
        // mangen leaves out the help of these, as if it were the short one.
        let described = described.mut_args(|arg| arg.hide_short_help(false));
        let mut page = Vec::new();
        let written = clap_mangen::Man::new(described).render(&mut page);
        if let Some((_, examples)) = examples.as_deref().and_then(|help| help.split_once('\n')) {
            page.extend(format!(".SH EXAMPLES\n.nf\n{examples}\n.fi\n").bytes());
        }
        if self.command.is_none() {
            let pages: Vec<_> = PAGES.iter().map(|page| page.name).collect();
            let pages = pages.join(", ");
            page.extend(
                format!(".SH MANUAL\n\\fBurlint help PAGE\\fR prints a page: {pages}.\n").bytes(),
            );
        }
        written.map_err(Error::Write)?;
        print(output, page)
    }
}

/// Returns `text`, none of whose lines begins with a dot, as roff.
fn roff(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}
