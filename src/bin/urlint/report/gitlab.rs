//! GitLab's code quality report.

use std::io::{self, Write};

use serde::Serialize;
use urlint::Severity;

use super::json::{self, Text};
use super::{Fingerprints, PlacedDiagnostic, Report};

#[derive(Default)]
pub(crate) struct Gitlab {
    items: json::Items,
    fingerprints: Fingerprints,
}

#[derive(Serialize)]
struct Issue<'d> {
    description: String,
    check_name: &'d str,
    fingerprint: String,
    severity: &'d str,
    location: Location<'d>,
}

#[derive(Serialize)]
struct Location<'d> {
    path: Text<&'d [u8]>,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u64,
}

impl Report for Gitlab {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let diagnostic = placed.diagnostic;
        let issue = Issue {
            description: placed.message_with_url(),
            check_name: diagnostic.rule.name(),
            fingerprint: self.fingerprints.next(placed.path, diagnostic),
            severity: match diagnostic.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Hint => "info",
            },
            location: Location {
                path: Text(placed.path),
                lines: Lines {
                    begin: placed.start().line,
                },
            },
        };
        self.items.add(out, b"[", &issue)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, b"[", b"]\n")
    }
}
