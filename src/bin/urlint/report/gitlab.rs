//! GitLab's report of code quality.

use std::io::{self, Write};

use urlint::{Diagnostic, Severity};

use super::excerpt::Place;
use super::{Fingerprints, Report, json};

#[derive(Default)]
pub(crate) struct Gitlab {
    items: json::Items,
    line: Vec<u8>,
    fingerprints: Fingerprints,
}

impl Report for Gitlab {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        let start = place.locate(diagnostic.spans.start());
        let fingerprint = self.fingerprints.next(path, diagnostic);
        self.line.clear();
        json::object(&mut self.line, |object| {
            object.string("description", diagnostic.message.as_bytes());
            object.string("check_name", diagnostic.rule.name().as_bytes());
            object.string("fingerprint", fingerprint.as_bytes());
            object.string("severity", severity(diagnostic.severity));
            json::object(object.field("location"), |location| {
                location.string("path", path);
                json::object(location.field("lines"), |lines| {
                    lines.number("begin", start.line);
                });
            });
        });
        self.items.next(out, b"[")?;
        out.write_all(&self.line)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.items.end(out, b"[", b"]\n")
    }
}

fn severity(severity: Severity) -> &'static [u8] {
    match severity {
        Severity::Error => b"major",
        Severity::Warning => b"minor",
        Severity::Hint => b"info",
    }
}
