//! What is reported: a rule, a place in the source, and what may be done about it.

use std::borrow::Cow;

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
    /// The source bytes at fault, at all places that the rule reports in the URL. An empty span is a
    /// place where something is missing.
    pub spans: Spans,
    /// The bytes at fault as parts of the URL's own text, its fragment included: one for each place
    /// that the rule reports in the URL, in order. Empty if the report is about how the URL is set in
    /// the source, or about a suppression comment.
    pub parts: Vec<Part>,
    /// What is wrong, in one sentence without a full stop. A URL in it is
    /// [shortened](Diagnostic::shown_url).
    pub message: String,
    /// A few words to print beside the bytes at fault.
    pub label: String,
    /// Further facts, a sentence each. The section of the standard is not among them: see
    /// [`Rule::reference`].
    pub notes: Vec<String>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// The URL as it was read, its fragment included, with `***` for passwords. `None` if the report
    /// is about a suppression comment. If it is a `data:` URL of more than 120 characters, or any
    /// other of more than 2,000, there is only its beginning and its length, as in
    /// `data:image/png;base64,iVBOR…(48,216 bytes)`.
    pub url: Option<String>,
    /// Other readings of the URL, with `***` for passwords, shortened as `url` is.
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
            parts: Vec::new(),
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

    /// The URL for people to read: what has more than 120 characters is shortened, and followed by
    /// its length.
    ///
    /// ```
    /// use urlint::Settings;
    ///
    /// let text = format!("see <http://a.example/~{}>", "x".repeat(500));
    /// let diagnostics = urlint::check(text.as_bytes(), &Settings::default());
    /// assert!(diagnostics[0].shown_url().unwrap().ends_with("xxx…(518 bytes)"));
    /// ```
    #[must_use]
    pub fn shown_url(&self) -> Option<Cow<'_, str>> {
        self.url.as_deref().map(shortened)
    }

    /// The first place at fault, for what shows one place only: from its first byte to its last.
    #[must_use]
    pub fn first_place(&self) -> Span {
        let whole = Span::new(self.spans.start(), self.spans.end());
        match self.parts.as_slice() {
            [_, _, ..] => self.spans.iter().next().unwrap_or(whole),
            _ => whole,
        }
    }
}

/// The most characters of a URL that is shown to people, or holds data.
const MOST_SHOWN: usize = 120;

/// The most characters of any other URL.
const MOST_KEPT: usize = 2000;

/// Returns `url` for people to read: what has more than 120 characters is cut, and followed by its
/// length.
///
/// ```
/// let url = format!("data:image/png;base64,{}", "iVBORw0KGgo".repeat(100));
/// assert_eq!(urlint::lint::shortened(&url), "data:image/png;base64,iVBOR…(1,122 bytes)");
/// assert_eq!(urlint::lint::shortened("http://a.example/"), "http://a.example/");
/// ```
#[must_use]
pub fn shortened(url: &str) -> Cow<'_, str> {
    if url.ends_with(" bytes)") && url.contains("…(") {
        // It has been shortened.
        return Cow::Borrowed(url);
    }
    cut(url, MOST_SHOWN)
}

/// `url` for machines, which identify a diagnostic by it.
pub(super) fn within_limit(url: String) -> String {
    let most = match url.get(..5) {
        Some(scheme) if scheme.eq_ignore_ascii_case("data:") => MOST_SHOWN,
        _ => MOST_KEPT,
    };
    match cut(&url, most) {
        Cow::Borrowed(_) => url,
        Cow::Owned(short) => short,
    }
}

/// `url` if it has at most `most` characters, otherwise its beginning and its length.
fn cut(url: &str, most: usize) -> Cow<'_, str> {
    if url.len() <= most || url.chars().nth(most).is_none() {
        return Cow::Borrowed(url);
    }
    // What precedes the data says most about them.
    let data = url
        .get(..5)
        .filter(|head| head.eq_ignore_ascii_case("data:"));
    let head = match data.and_then(|_| url.find(',')) {
        Some(comma) if comma < MOST_SHOWN / 2 => comma + "12345".len() + 1,
        _ => MOST_SHOWN * 2 / 3,
    };
    let mut short: String = url.chars().take(head).collect();
    short.push_str(&format!("…({} bytes)", with_commas(url.len())));
    Cow::Owned(short)
}

/// `48216` as `48,216`.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.iter().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
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
    /// May change which resource the URL denotes, for some reader.
    Unsafe,
    /// Every reader of the document, and each of RFC 1738, RFC 3986 and the URL standard of the
    /// WHATWG, takes the URL for the same one as before, and none calls it worse.
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
