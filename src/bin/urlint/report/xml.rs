//! Reports in XML: JUnit and Checkstyle.

use std::io::{self, Write};

use urlint::Severity;
use urlint::standard::Standard;

use super::{PlacedDiagnostic, Report};
use crate::terminal;

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// A test suite for each file with diagnostics, and a failed test case for each diagnostic.
#[derive(Default)]
pub(crate) struct Junit {
    suites: String,
    /// The file, and the standard by which its URLs are judged.
    file: Option<(Vec<u8>, Standard)>,
    /// The test cases of the file.
    cases: String,
    failures: u64,
    all: u64,
}

impl Report for Junit {
    fn report(&mut self, _: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let PlacedDiagnostic {
            path, diagnostic, ..
        } = *placed;
        let is_same = |(file, _): &(Vec<u8>, _)| file == path;
        if !self.file.as_ref().is_some_and(is_same) {
            self.end_suite();
            self.file = Some((path.to_vec(), diagnostic.standard));
        }
        let start = placed.start();
        let (rule, severity) = (diagnostic.rule.name(), diagnostic.severity);
        let file = escaped(&terminal::line(path));
        let message = escaped(&placed.message_with_url());
        let url = escaped(&diagnostic.shown_url().unwrap_or_default());
        let (line, column) = (start.line, start.column);
        self.cases.push_str(&format!(
            "    <testcase name=\"{rule} at {line}:{column}\" classname=\"{file}\" file=\"{file}\" line=\"{line}\">\n      \
             <failure type=\"{severity}\" message=\"{message}\">{file}:{line}:{column}: {message}\n{url}</failure>\n    \
             </testcase>\n",
        ));
        self.failures += 1;
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.end_suite();
        if self.all == 0 {
            // Some tools take a report without test cases for a failed run.
            return writeln!(
                out,
                "{DECLARATION}\n<testsuites name=\"urlint\" tests=\"1\" failures=\"0\" errors=\"0\">\n  \
                 <testsuite name=\"urlint\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n    \
                 <testcase name=\"nothing to report\" classname=\"urlint\"/>\n  </testsuite>\n</testsuites>"
            );
        }
        let all = self.all;
        writeln!(
            out,
            "{DECLARATION}\n<testsuites name=\"urlint\" tests=\"{all}\" failures=\"{all}\" errors=\"0\">\n{}</testsuites>",
            self.suites
        )
    }
}

impl Junit {
    fn end_suite(&mut self) {
        let Some((file, standard)) = self.file.take() else {
            return;
        };
        let (name, count) = (escaped(&terminal::line(&file)), self.failures);
        self.suites.push_str(&format!(
            "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{count}\" errors=\"0\" skipped=\"0\">\n    \
             <properties>\n      <property name=\"standard\" value=\"{standard}\"/>\n    </properties>\n{}  </testsuite>\n",
            self.cases
        ));
        self.all += count;
        self.failures = 0;
        self.cases.clear();
    }
}

/// A `file` for each file with diagnostics, and an `error` for each diagnostic.
#[derive(Default)]
pub(crate) struct Checkstyle {
    file: Option<Vec<u8>>,
}

impl Report for Checkstyle {
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let PlacedDiagnostic {
            path, diagnostic, ..
        } = *placed;
        if self.file.as_deref() != Some(path) {
            self.begin(out)?;
            writeln!(out, "  <file name=\"{}\">", escaped(&terminal::line(path)))?;
            self.file = Some(path.to_vec());
        }
        let start = placed.start();
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "info",
        };
        writeln!(
            out,
            "    <error line=\"{}\" column=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"urlint.{}\"/>",
            start.line,
            start.column,
            escaped(&placed.message_with_url()),
            diagnostic.rule,
        )
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        writeln!(out, "</checkstyle>")
    }
}

impl Checkstyle {
    /// Writes what precedes a file: the end of the previous file, or the beginning of the report.
    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.file {
            Some(_) => writeln!(out, "  </file>"),
            None => writeln!(out, "{DECLARATION}\n<checkstyle version=\"4.3\">"),
        }
    }
}

/// Escapes `text` for XML; what XML does not allow becomes U+FFFD.
fn escaped(text: &str) -> String {
    let shown = terminal::line(text.as_bytes());
    let shown = shown.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    let escaped = quick_xml::escape::escape(&*shown);
    let reference = |byte| if byte == b'#' { "&#35;" } else { "&#58;" };
    terminal::replaced(&escaped, reference).into_owned()
}
