//! What is reported: a rule, its place in the source, and what may be done about it.

use super::rule::{Rule, Severity};
use crate::text::names::named;
use crate::text::span::{Span, Spans};

/// One report on one URL, self-contained: nothing of the source is needed to print it but the
/// lines that it points at.
///
/// No password of a URL is in any of its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule reports.
    pub rule: Rule,
    /// How grave it is here; never graver than [`Rule::severity`].
    pub severity: Severity,
    /// The source bytes that are at fault; an empty span says where something is missing.
    pub spans: Spans,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// A few words to stand beside the mark under the source bytes.
    pub label: String,
    /// Further facts, a sentence each; the standard's section is not among them, it comes from
    /// [`Rule::reference`].
    pub notes: Vec<String>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// The URL as it was read, its fragment included, passwords shown as `***`.
    pub url: String,
    /// Other readings of the URL, likewise.
    pub alternatives: Vec<String>,
    /// From the first to the last byte of the candidate, delimiters included.
    pub outer: Span,
    /// Where the URL's own bytes stand.
    pub pieces: Spans,
    /// Where its password stands, if it has one: not to be shown.
    pub password: Option<Spans>,
}

/// Edits of source bytes that would mend what a diagnostic reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, as an imperative: `encode it`.
    pub message: String,
    /// Whether they may be applied unasked.
    pub applicability: Applicability,
    /// The edits, in order and disjoint.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be applied unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// To be shown only.
    Display,
    /// May change which resource the URL denotes.
    Unsafe,
    /// Denotes the same resource under RFC 1738 and RFC 3986.
    Safe,
}

named!(Applicability, "applicability", {
    Display => "display",
    Unsafe => "unsafe",
    Safe => "safe",
});

/// Source bytes and what to put in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; an empty span is a place to insert at.
    pub span: Span,
    /// What to put there; empty to delete.
    pub replacement: String,
}
