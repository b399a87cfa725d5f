//! XML that tools for tests and style read: JUnit and Checkstyle.

use std::io::{self, Write};

use urlint::{Diagnostic, Severity};

use super::Report;
use super::excerpt::Place;
use crate::terminal;

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// A test suite for each file with something to report, a failed test case for each diagnostic.
#[derive(Default)]
pub(crate) struct Junit {
    suites: String,
    file: Option<Vec<u8>>,
    /// The cases of the file.
    cases: String,
    failures: u64,
    all: u64,
}

impl Report for Junit {
    fn report(
        &mut self,
        _out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        if self.file.as_deref() != Some(path) {
            self.end_suite();
            self.file = Some(path.to_vec());
        }
        let start = place.locate(diagnostic.spans.start());
        let (rule, severity) = (diagnostic.rule.name(), diagnostic.severity);
        let file = escaped(&terminal::line(path));
        let message = escaped(&diagnostic.message);
        let url = escaped(diagnostic.url.as_deref().unwrap_or_default());
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
            // Some tools take a report without a test for a run that failed.
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
        let Some(file) = self.file.take() else {
            return;
        };
        let (name, count) = (escaped(&terminal::line(&file)), self.failures);
        self.suites.push_str(&format!(
            "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{count}\" errors=\"0\" skipped=\"0\">\n{}  </testsuite>\n",
            self.cases
        ));
        self.all += count;
        self.failures = 0;
        self.cases.clear();
    }
}

/// A `file` for each file with something to report, an `error` for each diagnostic.
#[derive(Default)]
pub(crate) struct Checkstyle {
    file: Option<Vec<u8>>,
}

impl Report for Checkstyle {
    fn report(
        &mut self,
        out: &mut dyn Write,
        path: &[u8],
        place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        if self.file.as_deref() != Some(path) {
            self.begin(out)?;
            writeln!(out, "  <file name=\"{}\">", escaped(&terminal::line(path)))?;
            self.file = Some(path.to_vec());
        }
        let start = place.locate(diagnostic.spans.start());
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
            escaped(&diagnostic.message),
            diagnostic.rule,
        )
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        writeln!(out, "</checkstyle>")
    }
}

impl Checkstyle {
    /// What stands before a file: the end of the last one, or the beginning of all.
    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.file {
            Some(_) => writeln!(out, "  </file>"),
            None => writeln!(out, "{DECLARATION}\n<checkstyle version=\"4.3\">"),
        }
    }
}

/// `text` as it stands in XML, without the characters that XML does not admit.
fn escaped(text: &str) -> String {
    let shown = terminal::line(text.as_bytes());
    let admitted = |c: &char| !matches!(c, '\u{fffe}' | '\u{ffff}');
    quick_xml::escape::escape(shown.chars().filter(admitted).collect::<String>()).into_owned()
}
