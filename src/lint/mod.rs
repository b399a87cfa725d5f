//! From a candidate to diagnostics.

use crate::candidate::Candidate;
use crate::diagnostic::Diagnostic;
use crate::rfc1738::parse;
use crate::rule::Rule;
use crate::settings::Settings;

/// All that the rules have to say about the URLs of `source`.
pub fn check(source: &[u8], settings: &Settings) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for candidate in settings.finder.find(source) {
        lint(&candidate, settings, &mut |diagnostic| {
            diagnostics.push(diagnostic)
        });
    }
    diagnostics
}

/// All that the rules have to say about `candidate`.
pub fn lint(candidate: &Candidate<'_>, settings: &Settings, report: &mut dyn FnMut(Diagnostic)) {
    for problem in parse(candidate.url()).problems {
        let rule = Rule::from(problem.kind);
        let diagnostic = Diagnostic {
            rule,
            severity: rule.severity(),
            spans: candidate.pieces.slice(problem.range),
            message: rule.summary().to_owned(),
            label: String::new(),
            notes: Vec::new(),
            fix: None,
            url: String::from_utf8_lossy(&candidate.text).into_owned(),
            alternatives: Vec::new(),
            outer: candidate.outer,
            pieces: candidate.pieces.clone(),
            password: None,
        };
        if settings.selection.allows(&diagnostic) {
            report(diagnostic);
        }
    }
}
