//! `urlint init`: writes a configuration file for the current folder.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use ignore::WalkBuilder;
use urlint_config::{file_above, file_here, quoted};

use crate::error::{Error, Exit};
use urlint_report::terminal::{Verbosity, say};

/// The file that is written.
const NAME: &str = "urlint.toml";

/// Its text: the keys that most folders need, none of which is set.
const TEMPLATE: &str = include_str!("init.toml");

/// The command has no flags: the file that it writes has them all.
#[derive(Debug, clap::Args)]
pub(crate) struct Init {}

impl Init {
    pub(crate) fn run(&self, verbosity: Verbosity) -> Result<Exit, Error> {
        let exists = |name: &str| {
            let problem = format!("{name} exists already; nothing was written");
            Err(Error::Usage(problem))
        };
        let current = Path::new(".");
        if let Some(name) = file_here(current) {
            return exists(name);
        }
        // It no longer applies once there is a file here.
        let above = file_above(current);
        // Files for ignoring files may come with a stranger's checkout, so none is read.
        let mut walk = WalkBuilder::new(current);
        let mut entries = walk.standard_filters(false).hidden(true).build().flatten();
        let has_drafts = entries.any(|entry| is_draft(entry.path().as_os_str().as_encoded_bytes()));
        let mut text = TEMPLATE.to_owned();
        if let Some(above) = &above {
            let above = quoted(above.to_string_lossy());
            text.push_str(&format!(
                "\n# Keys of a file that applied here before.\n# extend = {above}\n"
            ));
        }
        if has_drafts {
            text = text.replacen("# profile = ", "profile = ", 1);
        }
        match File::create_new(NAME).and_then(|mut file| file.write_all(text.as_bytes())) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return exists(NAME),
            written => written.map_err(|error| Error::File(NAME.into(), error))?,
        }
        if !verbosity.is_quiet() {
            say(&if has_drafts {
                format!("Wrote {NAME} with the profile ietf: there are Internet-Drafts.")
            } else {
                format!("Wrote {NAME}, which sets nothing yet.")
            });
            if let Some(above) = above {
                let above = above.display();
                say(&format!(
                    "{above} no longer applies here, unless {NAME} extends it."
                ));
            }
        }
        Ok(Exit::Done)
    }
}

/// Returns whether `path` is named as an Internet-Draft is: `draft-joe-urls.md`.
fn is_draft(path: &[u8]) -> bool {
    stem(path).is_some_and(|stem| stem.starts_with(b"draft-"))
}

/// Returns whether `path` is named as an Internet-Draft or an RFC is: `rfc1738.txt`.
pub(crate) fn is_of_ietf(path: &[u8]) -> bool {
    let number = stem(path).and_then(|stem| stem.strip_prefix(b"rfc"));
    is_draft(path)
        || number.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// Returns the name of the file at `path` without its extension, if that is one of drafts.
fn stem(path: &[u8]) -> Option<&[u8]> {
    let name = path.rsplit(|byte| b"/\\".contains(byte)).next()?;
    let kinds: [&[u8]; 4] = [b".md", b".mkd", b".xml", b".txt"];
    kinds.iter().find_map(|kind| name.strip_suffix(*kind))
}
