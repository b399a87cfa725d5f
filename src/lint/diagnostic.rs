//! What is reported: a rule, a place in the source, and what may be done about it.

use super::rule::{Rule, Severity};
use crate::standard::Part;
use crate::text::named::named;
use crate::text::span::{Span, Spans};

/// One report on one URL, or on a suppression comment.
///
/// It is self-contained: to print it takes nothing of the source but the lines that it points at.
/// No password of a URL is in any of its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule that reports.
    pub rule: Rule,
    /// The severity, which is at most [`Rule::severity`] unless the selection
    /// [sets](crate::lint::Selection::set_severity) another.
    pub severity: Severity,
    /// The source bytes at fault. An empty span is a place where something is missing.
    pub spans: Spans,
    /// The bytes at fault as a part of the URL's own text, its fragment included. `None` if the
    /// report is about how the URL is set in the source, or about a suppression comment.
    pub part: Option<Part>,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// A few words to print beside the bytes at fault.
    pub label: String,
    /// Further facts, a sentence each. The section of the standard is not among them: see
    /// [`Rule::reference`].
    pub notes: Vec<String>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// The URL as it was read, its fragment included, with `***` for passwords. `None` if the report
    /// is about a suppression comment.
    pub url: Option<String>,
    /// Other readings of the URL, with `***` for passwords.
    pub alternatives: Vec<String>,
    /// From the first to the last byte of the candidate, delimiters included.
    pub outer: Span,
    /// The source bytes of the URL itself.
    pub pieces: Spans,
    /// The source bytes of the URL's passwords, which are not to be shown.
    pub password: Option<Spans>,
}

impl Diagnostic {
    /// A diagnostic of the rule's own severity about the source bytes at `spans`, of which nothing
    /// else is known.
    #[must_use]
    pub fn new(rule: Rule, spans: Spans, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            severity: rule.severity(),
            part: None,
            message: message.into(),
            label: String::new(),
            notes: Vec::new(),
            fix: None,
            url: None,
            alternatives: Vec::new(),
            outer: Span::new(spans.start(), spans.end()),
            pieces: spans.clone(),
            spans,
            password: None,
        }
    }
}

/// Edits of source bytes that would mend what a diagnostic reports.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// What the edits do, as an imperative: `encode it`.
    pub message: String,
    /// Whether it may be made without asking.
    pub applicability: Applicability,
    /// The edits of the source, in order and disjoint.
    pub edits: Vec<Edit>,
    /// The same change as edits of the URL's own text, its fragment included, in order and disjoint.
    /// Empty if the fix leaves the URL as it is and changes only how it is set in the source.
    pub url_edits: Vec<UrlEdit>,
}

impl Fix {
    /// A fix that leaves the text of URLs as it is.
    #[must_use]
    pub fn new(message: impl Into<String>, applicability: Applicability, edits: Vec<Edit>) -> Fix {
        Fix {
            message: message.into(),
            applicability,
            edits,
            url_edits: Vec::new(),
        }
    }
}

/// Whether a fix may be made without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// To be shown only, never made.
    DisplayOnly,
    /// May change which resource the URL denotes.
    Unsafe,
    /// The URL denotes the same resource as before, by RFC 1738 and RFC 3986.
    Safe,
}

named! { Applicability {
    DisplayOnly = "display",
    Unsafe = "unsafe",
    Safe = "safe",
}}

/// Source bytes and what replaces them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes to replace. An empty span is a place to insert at.
    pub span: Span,
    /// What replaces them; empty to delete.
    pub replacement: String,
}

impl Edit {
    /// An edit that replaces the source bytes at `span`.
    #[must_use]
    pub fn new(span: Span, replacement: impl Into<String>) -> Edit {
        let replacement = replacement.into();
        Edit { span, replacement }
    }
}

/// A part of a URL's own text and what replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrlEdit {
    /// The bytes to replace. An empty part is a place to insert at.
    pub part: Part,
    /// What replaces them; empty to delete.
    pub replacement: String,
}
