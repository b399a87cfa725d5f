//! A page of all diagnostics: how many there are of each kind, and the first of each severity as the terminal
//! shows them.

use std::io::{self, Write};

use urlint_lint::{Applicability, Severity};

use super::full::Full;
use super::page::{Figure, Page, TopCounts};
use super::{PlacedDiagnostic, Render, Report};
use crate::terminal::Style;

/// The most diagnostics of a severity that are shown with their excerpts.
const MOST_FINDINGS: u64 = 1_000;

/// How wide an excerpt is, in columns.
const WIDTH: usize = 110;

pub(crate) struct Html {
    full: Full,
    rules: TopCounts,
    files: TopCounts,
    hosts: TopCounts,
    /// How many there are of each severity.
    severities: [u64; 3],
    /// How many have a safe fix, and how many an unsafe one.
    fixes: [u64; 2],
    /// Those of each severity that are shown, as HTML.
    findings: [Vec<u8>; 3],
}

impl Default for Html {
    fn default() -> Self {
        Html {
            full: Full::new(Style {
                color: true,
                width: Some(WIDTH),
                hyperlinks: false,
            }),
            rules: TopCounts::default(),
            files: TopCounts::default(),
            hosts: TopCounts::default(),
            severities: [0; 3],
            fixes: [0; 2],
            findings: Default::default(),
        }
    }
}

impl Report for Html {
    fn report(&mut self, _: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        let diagnostic = placed.diagnostic;
        self.rules.add(diagnostic.rule.name());
        self.files.add(&String::from_utf8_lossy(placed.path));
        let url = diagnostic.url.as_deref().unwrap_or_default();
        if let Some(host) = urlint_core::url::host(url.as_bytes()) {
            let host = host.to_ascii_lowercase();
            self.hosts.add(&String::from_utf8_lossy(&host));
        }
        let severity = diagnostic.severity as usize;
        self.severities[severity] += 1;
        if let Some(fix) = &diagnostic.fix
            && !fix.edits.is_empty()
        {
            match fix.applicability {
                Applicability::Safe => self.fixes[0] += 1,
                Applicability::Unsafe => self.fixes[1] += 1,
                _ => {}
            }
        }
        if self.severities[severity] <= MOST_FINDINGS {
            let mut rendered = Vec::new();
            self.full.render(&mut rendered, placed)?;
            let rendered = String::from_utf8_lossy(&rendered);
            writeln!(
                self.findings[severity],
                "<li data-row class=\"{}\"><pre tabindex=\"0\">{}</pre></li>",
                diagnostic.severity.name(),
                styled(rendered.trim_end())
            )?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let all: u64 = self.severities.iter().sum();
        let about = match all {
            0 => "Nothing was reported.",
            _ => "The diagnostics of <code>urlint check</code>, by rule, host and file.",
        };
        let mut page = Page::new("Problems with URLs", about);
        let of = |severity: Severity| Figure::Number(self.severities[severity as usize]);
        page.figures(&[
            ("errors", of(Severity::Error)),
            ("warnings", of(Severity::Warning)),
            ("hints", of(Severity::Hint)),
            ("files with problems", Figure::Text(self.files.number())),
            ("with a safe fix", Figure::Share(self.fixes[0], all)),
            ("with an unsafe fix", Figure::Share(self.fixes[1], all)),
        ]);
        page.charts(&[
            ("Rules", &self.rules),
            ("Hosts", &self.hosts),
            ("Files", &self.files),
        ]);
        if all > 0 {
            let shown = self
                .severities
                .iter()
                .map(|&count| count.min(MOST_FINDINGS));
            let more = "<code>--output-format json</code> lists all";
            page.items("findings", shown.sum(), all, more);
            page.add("<ul class=\"findings\">\n");
            // The most severe first.
            for findings in self.findings.iter().rev() {
                page.add(&String::from_utf8_lossy(findings));
            }
            page.add("</ul>\n");
        }
        out.write_all(page.finish().as_bytes())
    }
}

/// Returns `text`, which is styled for a terminal, as HTML.
fn styled(text: &str) -> String {
    let (mut html, mut classes) = (String::new(), String::new());
    for part in format!("0m{text}").split("\x1b[") {
        let (code, text) = part.split_once('m').unwrap_or_default();
        match code.parse() {
            Ok(1..=97u8) => classes += &format!(" c{code}"),
            _ => classes.clear(),
        }
        let text = quick_xml::escape::escape(text);
        html += &match (&*classes, &*text) {
            (_, "") | ("", _) => text.into_owned(),
            _ => format!("<span class=\"{}\">{text}</span>", &classes[1..]),
        };
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_become_classes() {
        let text = "a<\x1b[1m\x1b[91merror&\x1b[0m: \x1b[92m+\x1b[0m\x1b[1mb\x1b[0m";
        let html = "a&lt;<span class=\"c1 c91\">error&amp;</span>: <span class=\"c92\">+</span><span class=\"c1\">b</span>";
        assert_eq!(styled(text), html);
    }
}
