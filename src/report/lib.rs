//! The reports of diagnostics: a file for each output format, listed in `format`.

mod concise;
pub mod excerpt;
mod fingerprint;
pub mod folded;
pub mod format;
mod full;
mod github;
mod gitlab;
pub mod json;
mod json_lines;
pub mod judgement;
pub mod page;
mod sarif;
mod statistics;
pub mod terminal;
mod xml;

use std::io::{self, Write};

use urlint_lint::{Applicability, Diagnostic, Fix, Rule, Severity};
use urlint_standard::standard::{Standard, whatwg};
use urlint_standard::text::Position;
use urlint_standard::url::host;

use excerpt::Place;
use fingerprint::Fingerprints;
pub use full::with_place;
pub use sarif::related;
pub use xml::escaped;

/// A diagnostic and where it is.
#[derive(Clone, Copy)]
pub struct PlacedDiagnostic<'f> {
    /// The name of the file.
    pub path: &'f [u8],
    /// Its place in the source, with the lines to show.
    pub place: &'f Place<'f>,
    /// The diagnostic.
    pub diagnostic: &'f Diagnostic,
    /// The least applicability of fixes that are offered; `None` if no fix can be made.
    pub least: Option<Applicability>,
}

impl<'f> PlacedDiagnostic<'f> {
    /// Returns the line and column at which the diagnostic begins.
    fn start(&self) -> Position {
        self.place.locate(self.diagnostic.spans.start())
    }

    /// Returns the file, the line and the column for people: `path:line:column`.
    pub fn shown_place(&self) -> String {
        let (path, start) = (self.place.part.within(self.path), self.start());
        format!("{}:{}:{}", terminal::line(&path), start.line, start.column)
    }

    /// Returns the fix if programs may offer it: if it is safe, or unsafe fixes are requested.
    fn offered_fix(&self) -> Option<&'f Fix> {
        let fix = self.diagnostic.fix.as_ref()?;
        let is_offered = self.least.is_some_and(|least| fix.applicability >= least);
        (is_offered && !fix.edits.is_empty()).then_some(fix)
    }

    /// Returns the message with the URL, for formats that show no source lines.
    fn message_with_url(&self) -> String {
        let message = &self.diagnostic.message;
        match self.diagnostic.shown_url() {
            Some(url) if !url.is_empty() && !message.contains(&*url) => format!("{message}: {url}"),
            _ => message.clone(),
        }
    }
}

/// Returns one of the values for an error, a warning and a hint.
pub fn by_severity<T>(severity: Severity, [error, warning, hint]: [T; 3]) -> T {
    match severity {
        Severity::Error => error,
        Severity::Warning => warning,
        Severity::Hint => hint,
    }
}

/// Returns the message and the notes, each on a line of its own.
pub fn message_with_notes(diagnostic: &Diagnostic) -> String {
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.notes);
    let lines = texts.map(|text| terminal::line(text.as_bytes()));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the documentation of a rule without the space before each line of a doc comment.
pub fn documentation(rule: Rule) -> String {
    let lines = rule.documentation().trim_end().lines();
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the sections of the standards that `rule` refers to, each once.
pub fn references(rule: Rule) -> Vec<&'static str> {
    let mut references: Vec<&'static str> = Vec::new();
    for &standard in Standard::ALL {
        if let Some(reference) = rule.reference(standard)
            && !reference.is_empty()
            && !references.contains(&reference)
        {
            references.push(reference);
        }
    }
    references
}

/// Returns the URL of a section such as `RFC 1738, section 2.2`, or `None` if it is not of an RFC.
pub fn url_of_section(reference: &str) -> Option<String> {
    let (rfc, section) = reference.split_once([',', ';']).unwrap_or((reference, ""));
    let number: u32 = rfc.strip_prefix("RFC ")?.parse().ok()?;
    let section = section.split(';').next().unwrap_or_default().trim_start();
    let (kind, number_of_section) = section.split_once(' ').unwrap_or_default();
    let anchor = match kind {
        "section" => format!("#section-{number_of_section}"),
        "Appendix" => format!("#appendix-{number_of_section}"),
        _ => String::new(),
    };
    Some(format!(
        "https://www.rfc-editor.org/rfc/rfc{number}{anchor}"
    ))
}

/// Returns `written`, a host, in ASCII if it has other characters: where two hosts look the same, these differ.
pub fn ascii_host(written: &[u8]) -> Option<String> {
    if written.is_ascii() {
        return None;
    }
    let href = whatwg::href(&[b"http://", written].concat())?;
    Some(String::from_utf8_lossy(host(href.as_bytes())?).into_owned())
}

/// Writes diagnostics in one format.
pub trait Report {
    /// Writes the next diagnostic.
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()>;

    /// Writes the end of the report, after the last diagnostic.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// A function that writes each diagnostic by itself.
impl<F> Report for F
where
    F: FnMut(&mut dyn Write, &PlacedDiagnostic<'_>) -> io::Result<()>,
{
    fn report(&mut self, out: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        self(out, placed)
    }
}

#[cfg(test)]
mod tests;
