//! Reports in XML: JUnit.

use std::io::{self, Write};

use urlint_standard::standard::Standard;
use urlint_standard::text::Position;

use super::{PlacedDiagnostic, Report};
use crate::terminal;

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// A test suite for each file with diagnostics, and a failed test case for each diagnostic. All are held,
/// since their number comes first.
#[derive(Default)]
pub(crate) struct Junit {
    suites: Vec<Suite>,
}

/// The test suite of a file.
struct Suite {
    file: Vec<u8>,
    /// The standard by which its URLs are judged.
    standard: Standard,
    cases: String,
    failures: u64,
}

impl Report for Junit {
    fn report(&mut self, _: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let (path, diagnostic) = (placed.path, placed.diagnostic);
        let Position { line, column } = placed.start();
        let (rule, severity) = (diagnostic.rule.name(), diagnostic.severity);
        let file = escaped(&terminal::line(path));
        let message = escaped(&placed.message_with_url());
        let url = escaped(&diagnostic.shown_url().unwrap_or_default());
        let case = format!(
            "    <testcase name=\"{rule} at {line}:{column}\" classname=\"{file}\" file=\"{file}\" line=\"{line}\">\n      \
             <failure type=\"{severity}\" message=\"{message}\">{file}:{line}:{column}: {message}\n{url}</failure>\n    \
             </testcase>\n",
        );
        match self.suites.last_mut() {
            Some(suite) if suite.file == path => {
                suite.cases.push_str(&case);
                suite.failures += 1;
            }
            _ => self.suites.push(Suite {
                file: path.to_vec(),
                standard: diagnostic.standard,
                cases: case,
                failures: 1,
            }),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.suites.is_empty() {
            // Some tools take a report without test cases for a failed run.
            return writeln!(
                out,
                "{DECLARATION}\n<testsuites name=\"urlint\" tests=\"1\" failures=\"0\" errors=\"0\">\n  \
                 <testsuite name=\"urlint\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n    \
                 <testcase name=\"nothing to report\" classname=\"urlint\"/>\n  </testsuite>\n</testsuites>"
            );
        }
        let all: u64 = self.suites.iter().map(|suite| suite.failures).sum();
        writeln!(
            out,
            "{DECLARATION}\n<testsuites name=\"urlint\" tests=\"{all}\" failures=\"{all}\" errors=\"0\">"
        )?;
        for suite in &self.suites {
            let (name, count) = (escaped(&terminal::line(&suite.file)), suite.failures);
            let (standard, cases) = (suite.standard, &suite.cases);
            writeln!(
                out,
                "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{count}\" errors=\"0\" skipped=\"0\">\n    \
                 <properties>\n      <property name=\"standard\" value=\"{standard}\"/>\n    </properties>\n{cases}  </testsuite>"
            )?;
        }
        writeln!(out, "</testsuites>")
    }
}

/// Escapes `text` for XML and HTML; characters that XML does not allow become U+FFFD.
pub fn escaped(text: &str) -> String {
    let shown = terminal::line(text.as_bytes());
    let shown = shown.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    let escaped = quick_xml::escape::escape(&*shown);
    let reference = |byte| if byte == b'#' { "&#35;" } else { "&#58;" };
    terminal::replaced(&escaped, reference).into_owned()
}
