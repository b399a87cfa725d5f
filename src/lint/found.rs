//! Diagnostics about a candidate in its document, with spans and edits of the source.

use super::diagnostic::{Applicability, Diagnostic};
use super::fate::Fate;
use super::rule::Rule;
use super::settings::Settings;
use super::surroundings::Surroundings;
use super::{edits, lint_in};
use urlint_documents::document::{Kind, Link, Role};
use urlint_documents::read::Found;
use urlint_documents::read::found::Origin;
use urlint_standard::text::ascii::WordList;

/// Returns the diagnostics about the candidate, as [`lint_in`] does. Spans and
/// edits are of source bytes, even if the URL was decoded. In source code, message catalogues,
/// templates, configuration and code in documents, fixes are for display only, and fixes of the
/// user's own rules are unsafe. Test data, and logins in code, have only hints. Nothing is reported
/// in minified lines, in strings of a catalogue that its translators do not write, or about
/// [relative](Found::relative) targets.
pub(crate) fn lint_found(found: &Found<'_>, settings: &Settings) -> Vec<(Diagnostic, Fate)> {
    if found.relative().is_some() {
        return Vec::new();
    }
    let candidate = found
        .origin
        .map_or(&found.candidate, |origin| origin.candidate);
    // Other attributes, such as `ping`, do not say where a link leads.
    let is_href = |name: &Vec<u8>| name.ends_with(b"href");
    let leads = |link: &&Link| link.element == b"a" && link.attribute.as_ref().is_some_and(is_href);
    let link = found.link().filter(leads);
    let anchor = link.and_then(|link| link.anchor.as_deref());
    let mut around = Surroundings {
        role: found.role,
        kind: found.kind.family(),
        anchor,
        broken: found.broken_link(),
        ..Surroundings::of(found.candidate.outer, found.window)
    };
    if around.before.ends_with(b"Password for ") && around.after.starts_with(b":") {
        // The prompt of a program.
        around.role = around.role.max(Role::Shown);
    }
    let mut diagnostics = lint_in(around, candidate, settings);
    if diagnostics.is_empty() || is_minified(found, around) {
        return Vec::new();
    }
    if let Some(Origin { view, .. }) = found.origin {
        let mut line = edits::QuotedPrintableLine::default();
        let in_source = |(one, fate)| (edits::in_source(one, view, found.window, &mut line), fate);
        diagnostics = diagnostics.into_iter().map(in_source).collect();
    }
    if found.policy.read_only || is_identifier(found) {
        for (diagnostic, _) in &mut diagnostics {
            let is_users = diagnostic.rule == Rule::RestrictedUrl && !is_identifier(found);
            let most = if is_users {
                Applicability::Unsafe
            } else {
                Applicability::DisplayOnly
            };
            if let Some(fix) = &mut diagnostic.fix {
                fix.applicability = fix.applicability.min(most);
            }
        }
    }
    diagnostics
}

/// Returns whether the line of the candidate is minified.
fn is_minified(found: &Found<'_>, Surroundings { before, after, .. }: Surroundings<'_>) -> bool {
    const LEAST: usize = 512;
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    found.policy.may_be_minified && {
        let before = before.rsplit(is_end).next().unwrap_or_default();
        let after = after.split(is_end).next().unwrap_or_default();
        before.len() + after.len() >= LEAST
    }
}

/// Returns whether the candidate must stay as it is written: it is in an attribute of XML or HTML
/// for an identifier, such as the name of a namespace, or for a text; in a document type; or in a
/// code span of Markdown.
fn is_identifier(found: &Found<'_>) -> bool {
    const NAMES: WordList = WordList(
        "xmlns schemaLocation targetNamespace namespace about resource datatype itemtype vocab profile \
        SYSTEM PUBLIC alt title",
    );
    let end = found
        .candidate
        .outer
        .start
        .saturating_sub(found.window.start) as usize;
    let before = found.window.bytes.get(..end).unwrap_or_default();
    let before = &before[before.len().saturating_sub(512)..];
    match found.kind.family() {
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
    len == 0 || parts.any(|part| NAMES.iter().any(|name| name.as_bytes() == part))
}
