//! Diagnostics about a candidate in its document, with spans and edits of the source.

use super::diagnostic::{Applicability, Diagnostic};
use super::edits;
use super::lint_in;
use super::rule::Rule;
use super::settings::Settings;
use super::standing::Surroundings;
use crate::document::{Kind, Standing};
use crate::find::StreamOptions;
use crate::read::Found;
use crate::read::found::Origin;

impl Found<'_> {
    /// Returns the diagnostics about the candidate, as [`lint`](crate::lint::lint) does. Spans and
    /// edits are of source bytes, even if the URL was decoded. In source code, message catalogues,
    /// templates, configuration and code in documents, fixes are for display only, and those of the
    /// user's own rules unsafe. Test data, and logins in code, have only hints; in minified lines, and
    /// in those strings of a catalogue that its translators do not write, nothing is reported, nor
    /// about [relative](Self::relative) targets.
    pub fn lint(&self, settings: &Settings) -> Vec<Diagnostic> {
        if self.relative().is_some() {
            return Vec::new();
        }
        let candidate = self
            .origin
            .map_or(&self.candidate, |origin| origin.candidate);
        let link = self.link().filter(|link| link.element == b"a");
        let anchor = link.and_then(|link| link.anchor.as_deref());
        let mut around = Surroundings {
            standing: self.standing,
            anchor,
            ..Surroundings::of(self.candidate.outer, self.window)
        };
        let mut diagnostics = lint_in(around, candidate, settings);
        if diagnostics.is_empty() {
            return diagnostics;
        }
        let standing = self.standing_by_line();
        if standing > self.standing {
            around.standing = standing;
            diagnostics = lint_in(around, candidate, settings);
        }
        if let Some(Origin { view, .. }) = self.origin {
            let mut line = edits::QuotedPrintableLine::default();
            let in_source = |found| edits::in_source(found, view, self.window, &mut line);
            diagnostics = diagnostics.into_iter().map(in_source).collect();
        }
        if self.care.read_only || self.is_identifier() {
            for found in &mut diagnostics {
                let is_users = found.rule == Rule::RestrictedUrl && !self.is_identifier();
                let most = match is_users {
                    true => Applicability::Unsafe,
                    false => Applicability::DisplayOnly,
                };
                if let Some(fix) = &mut found.fix {
                    fix.applicability = fix.applicability.min(most);
                }
            }
        }
        diagnostics
    }

    /// Returns what the line around the candidate says: it is minified, or a program asks for a
    /// password there.
    fn standing_by_line(&self) -> Standing {
        let Surroundings { before, after, .. } =
            Surroundings::of(self.candidate.outer, self.window);
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let before = before.rsplit(is_end).next().unwrap_or_default();
        let after = after.split(is_end).next().unwrap_or_default();
        if self.care.may_be_minified && before.len() + after.len() >= StreamOptions::CONTEXT {
            Standing::Elsewhere
        } else if before.ends_with(b"Password for ") && after.starts_with(b":") {
            Standing::Shown
        } else {
            Standing::Used
        }
    }

    /// Returns whether the candidate must stay as it is written: it is in an attribute of XML or HTML
    /// that has an identifier, such as the name of a namespace, or a text; in a document type; or in
    /// a code span of Markdown.
    fn is_identifier(&self) -> bool {
        const NAMES: [&[u8]; 14] = [
            b"xmlns",
            b"schemaLocation",
            b"targetNamespace",
            b"namespace",
            b"about",
            b"resource",
            b"datatype",
            b"itemtype",
            b"vocab",
            b"profile",
            b"SYSTEM",
            b"PUBLIC",
            b"alt",
            b"title",
        ];
        let end = self.candidate.outer.start.saturating_sub(self.window.start) as usize;
        let before = self.window.bytes.get(..end).unwrap_or_default();
        let before = &before[before.len().saturating_sub(512)..];
        match self.kind {
            // A code span.
            Kind::Markdown => return before.ends_with(b"`"),
            Kind::Xml | Kind::Html => {}
            _ => return false,
        }
        let Some(quote) = memchr::memrchr2(b'"', b'\'', before) else {
            return false;
        };
        if memchr::memchr2(b'<', b'>', &before[quote..]).is_some() {
            return false;
        }
        let name = before[..quote].trim_ascii_end();
        let name = name.strip_suffix(b"=").unwrap_or(name).trim_ascii_end();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
        let len = name.iter().rev().take_while(|byte| is_part(byte)).count();
        let mut parts = name[name.len() - len..].split(|&byte| byte == b':');
        // The second literal after `PUBLIC` has no name before it.
        len == 0 || parts.any(|part| NAMES.contains(&part))
    }
}
