//! Diagnostics: a rule, its message, the place in the source, and a fix.

use std::borrow::Cow;

use super::rule::{Place, Rule, Severity};
use urlint_standard::standard::{Part, ProblemKind, Standard};
use urlint_standard::text::ascii::begins;
use urlint_standard::text::named::named;
use urlint_standard::text::shown::with_commas;
use urlint_standard::text::{Span, Spans};

/// One report on one URL, or on a suppression comment.
///
/// It is self-contained: printing it needs only those lines of the source that it points at. None of
/// its texts contains a password of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule that reports.
    pub rule: Rule,
    /// The kind of problem, if the judge of the standard has found it: several kinds may share a rule.
    pub kind: Option<ProblemKind>,
    /// The standard by which the URL was judged.
    pub standard: Standard,
    /// The severity, which is at most [`Rule::severity`] unless the selection
    /// [sets](crate::Selection::set_severity) another.
    pub severity: Severity,
    /// The place whose severity it has; `None` if it is a hint everywhere.
    #[doc(hidden)]
    pub place: Option<Place>,
    /// The source bytes that are reported, at all places in the URL. An empty span is a place where
    /// something is missing.
    pub spans: Spans,
    /// The reported bytes as parts of the URL's own text, fragment included: one for each place, in
    /// order. Empty if the diagnostic is about how the URL is set in the source, or about a
    /// suppression comment.
    pub parts: Vec<Part>,
    /// The message, one sentence without a full stop. A URL in it is
    /// [shortened](Diagnostic::shown_url).
    pub message: String,
    /// A few words to print next to the reported bytes.
    pub label: String,
    /// Further facts, one sentence each. They do not include the section of the standard: see
    /// [`Diagnostic::reference`].
    pub notes: Vec<String>,
    /// The fix, if there is one.
    pub fix: Option<Fix>,
    /// The URL as it was read, fragment included, with `***` for passwords. `None` if the
    /// diagnostic is about a suppression comment. A `data:` URL of more than 120 characters, or
    /// another one of more than 2,000, is cut after its beginning and followed by its length, as in
    /// `data:image/png;base64,iVBOR…(48,216 bytes)`.
    pub url: Option<String>,
    /// Other readings of the URL, with `***` for passwords, shortened like `url`.
    pub alternatives: Vec<String>,
    /// From the first to the last byte of the candidate, delimiters included.
    pub outer: Span,
    /// The source bytes of the URL itself.
    pub pieces: Spans,
    /// The source bytes of the URL's passwords, which must not be shown.
    pub password: Option<Spans>,
}

impl Diagnostic {
    /// The greatest number of places in a URL that a rule reports. If it is reached, there is no fix:
    /// text that is wrong everywhere was not meant as a URL.
    pub const MAX_PLACES: usize = 1000;

    /// A diagnostic of the rule's own severity about the source bytes at `spans`, with nothing else
    /// filled in.
    #[must_use]
    pub fn new(rule: Rule, spans: Spans, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            kind: None,
            standard: Standard::default(),
            severity: rule.severity(),
            place: None,
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

    /// Returns the section that covers the problem, such as `RFC 1738, section 2.2`; empty if there
    /// is none. See [`Rule::reference`].
    pub fn reference(&self) -> &'static str {
        // A typecode is none that RFC 3986 knows, but RFC 1738 still covers ftp.
        let by = |standard: Standard| standard.reference(self.kind?);
        let of_kind = by(self.standard).or_else(|| by(Standard::Rfc1738));
        let of_rule = || self.rule.reference(self.standard);
        of_kind.or_else(of_rule).unwrap_or_default()
    }

    /// The URL for people to read: if it has more than 120 characters, it is shortened and followed
    /// by its length.
    ///
    /// ```
    /// use urlint::Settings;
    ///
    /// let text = format!("see <http://a.example/~{}>", "x".repeat(500));
    /// let diagnostics = urlint::check(text.as_bytes(), &Settings::default());
    /// assert!(diagnostics[0].shown_url().unwrap().ends_with("xxx…(518 bytes)"));
    /// ```
    pub fn shown_url(&self) -> Option<Cow<'_, str>> {
        self.url.as_deref().map(shortened)
    }

    /// The first reported place, from its first byte to its last, for callers that show only one
    /// place.
    pub fn first_place(&self) -> Span {
        let whole = Span::new(self.spans.start(), self.spans.end());
        match self.parts.as_slice() {
            [_, _, ..] => self.spans.iter().next().unwrap_or(whole),
            _ => whole,
        }
    }
}

/// The greatest number of characters of a URL that is shown to people, or that contains data.
const MOST_SHOWN: usize = 120;

/// The greatest number of characters of any other URL.
const MOST_KEPT: usize = 2000;

/// Returns `url` for people to read: if it has more than 120 characters, it is cut and followed by
/// its length.
///
/// ```
/// let url = format!("data:image/png;base64,{}", "iVBORw0KGgo".repeat(100));
/// assert_eq!(urlint::lint::shortened(&url), "data:image/png;base64,iVBOR…(1,122 bytes)");
/// assert_eq!(urlint::lint::shortened("http://a.example/"), "http://a.example/");
/// ```
#[must_use]
pub fn shortened(url: &str) -> Cow<'_, str> {
    if url.ends_with(" bytes)") && url.contains("…(") {
        // It has already been shortened.
        return Cow::Borrowed(url);
    }
    cut(url, MOST_SHOWN)
}

/// Returns `url` for programs, which identify diagnostics by it.
pub(super) fn within_limit(url: String) -> String {
    let most = if begins(url.as_bytes(), "data:") {
        MOST_SHOWN
    } else {
        MOST_KEPT
    };
    match cut(&url, most) {
        Cow::Borrowed(_) => url,
        Cow::Owned(short) => short,
    }
}

/// Returns `url` if it has at most `most` characters, otherwise its beginning and its length.
fn cut(url: &str, most: usize) -> Cow<'_, str> {
    if url.len() <= most || url.chars().nth(most).is_none() {
        return Cow::Borrowed(url);
    }
    // The text before the data describes the data best.
    let head = match url.find(',').filter(|_| begins(url.as_bytes(), "data:")) {
        Some(comma) if comma < MOST_SHOWN / 2 => comma + "12345".len() + 1,
        _ => MOST_SHOWN * 2 / 3,
    };
    let mut short: String = url.chars().take(head).collect();
    short.push_str(&format!("…({} bytes)", with_commas(url.len() as u64)));
    Cow::Owned(short)
}

/// Edits of source bytes that resolve a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The effect of the edits, as an imperative: `encode it`.
    pub message: String,
    /// Whether the fix may be made without asking.
    pub applicability: Applicability,
    /// The edits of the source, in order and disjoint.
    pub edits: Vec<Edit>,
    /// The same change as edits of the URL's own text, fragment included, in order and disjoint.
    /// Empty if the fix changes only how the URL is set in the source.
    pub url_edits: Vec<UrlEdit>,
}

impl Fix {
    /// A fix that does not change the text of URLs.
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

named! {
    /// Whether a fix may be made without asking.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Applicability {
        /// Only displayed, never made.
        DisplayOnly = "display",
        /// May change which resource the URL denotes to some program.
        Unsafe = "unsafe",
        /// The URL denotes the same resource as before to every program and by each of RFC 1738, RFC
        /// 3986 and the URL Standard, and is not less valid by any of them.
        Safe = "safe",
    }
}

impl Applicability {
    /// Returns the greatest applicability of a fix of a URL in `pieces`: unsafe if there are several.
    pub(crate) fn most_in(pieces: &Spans) -> Applicability {
        match pieces.single() {
            Some(_) => Applicability::Safe,
            None => Applicability::Unsafe,
        }
    }

    /// Returns the least applicability of the fixes that are made.
    #[doc(hidden)]
    pub fn least(with_unsafe: bool) -> Applicability {
        if with_unsafe {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        }
    }
}

/// Source bytes and their replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes to replace. An empty span is a place to insert at.
    pub span: Span,
    /// The replacement; empty to delete.
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

/// A part of a URL's own text and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrlEdit {
    /// The bytes to replace. An empty part is a place to insert at.
    pub part: Part,
    /// The replacement; empty to delete.
    pub replacement: String,
}
