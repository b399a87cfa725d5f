//! What kind of document a source is.

use std::fmt;

/// A kind of document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Free text, source code, configuration: whatever is read as it stands.
    #[default]
    Plain,
    /// A message of mail or news.
    Mail,
    /// A mailbox: messages one after the other, each behind a line that begins with `From `.
    Mbox,
    /// HTML.
    Html,
    /// XML, RFCXML among it.
    Xml,
    /// Markdown: CommonMark and kramdown-rfc.
    Markdown,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    Asciidoc,
    /// roff: manual pages.
    Roff,
    /// TeX and LaTeX.
    Tex,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 10] = [
        Kind::Plain,
        Kind::Mail,
        Kind::Mbox,
        Kind::Html,
        Kind::Xml,
        Kind::Markdown,
        Kind::Rst,
        Kind::Asciidoc,
        Kind::Roff,
        Kind::Tex,
    ];

    /// The kind's name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Mail => "mail",
            Kind::Mbox => "mbox",
            Kind::Html => "html",
            Kind::Xml => "xml",
            Kind::Markdown => "markdown",
            Kind::Rst => "rst",
            Kind::Asciidoc => "asciidoc",
            Kind::Roff => "roff",
            Kind::Tex => "tex",
        }
    }
}

impl Kind {
    /// The kind that the extension of `path` tells, in any case.
    ///
    /// ```
    /// use urlint::Kind;
    ///
    /// assert_eq!(Kind::of_path(b"lists/March.MBOX"), Some(Kind::Mbox));
    /// assert_eq!(Kind::of_path(b"lists/March"), None);
    /// ```
    pub fn of_path(path: &[u8]) -> Option<Kind> {
        let name = path.rsplit(|&byte| byte == b'/' || byte == b'\\').next()?;
        let dot = memchr::memrchr(b'.', name).filter(|&dot| dot > 0)?;
        let extension = name[dot + 1..].to_ascii_lowercase();
        let (_, kind) = EXTENSIONS
            .iter()
            .find(|(known, _)| known.as_bytes() == extension)?;
        Some(*kind)
    }

    /// The kind that the first bytes of a source tell, some kilobytes; [`Kind::Plain`] if nothing
    /// does.
    ///
    /// ```
    /// use urlint::Kind;
    ///
    /// assert_eq!(Kind::of_head(b"From joe@a.example Mon Mar  3 12:00:00 2003\nTo: "), Kind::Mbox);
    /// assert_eq!(Kind::of_head(b"From here on"), Kind::Plain);
    /// ```
    pub fn of_head(head: &[u8]) -> Kind {
        markup(head).unwrap_or_default()
    }
}

/// HTML or XML, as the first tag tells. What begins with `<?xml` may be HTML as well.
fn markup(head: &[u8]) -> Option<Kind> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let head = head.trim_ascii_start();
    let is_tag = |text: &[u8], tag: &[u8]| {
        let name = text.get(..tag.len());
        let behind = text.get(tag.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(tag))
            && behind.is_none_or(|byte| !byte.is_ascii_alphanumeric())
    };
    let is_html = |text: &[u8]| is_tag(text, b"<!DOCTYPE html") || is_tag(text, b"<html");
    if is_html(head) {
        return Some(Kind::Html);
    }
    let roots: [&[u8]; 6] = [
        b"<?xml",
        b"<!DOCTYPE",
        b"<rss",
        b"<feed",
        b"<svg",
        b"<rdf:RDF",
    ];
    roots.iter().find(|root| is_tag(head, root))?;
    let hides_html = memchr::memchr_iter(b'<', head).any(|at| is_html(&head[at..]));
    Some(if hides_html { Kind::Html } else { Kind::Xml })
}

/// Extensions and what they tell. `txt` tells nothing: messages are often kept under it.
const EXTENSIONS: &[(&str, Kind)] = &[
    ("mbox", Kind::Mbox),
    ("mbx", Kind::Mbox),
    ("html", Kind::Html),
    ("htm", Kind::Html),
    ("shtml", Kind::Html),
    ("xml", Kind::Xml),
    ("xhtml", Kind::Xml),
    ("svg", Kind::Xml),
    ("rss", Kind::Xml),
    ("atom", Kind::Xml),
    ("rdf", Kind::Xml),
    ("opml", Kind::Xml),
];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_told_by_its_first_tag() {
        let cases: [(&str, Kind); 12] = [
            ("<!doctype html>", Kind::Html),
            ("\u{FEFF}\n <HTML lang=en>", Kind::Html),
            ("<html>", Kind::Html),
            ("<htmlx>", Kind::Plain),
            ("<?xml version=\"1.0\"?><rfc>", Kind::Xml),
            (
                "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC>",
                Kind::Html,
            ),
            ("<!DOCTYPE rfc [", Kind::Xml),
            ("<rss version='2.0'>", Kind::Xml),
            ("<svg/>", Kind::Xml),
            ("<div>in Markdown, say</div>", Kind::Plain),
            ("<http://a.example/>", Kind::Plain),
            ("", Kind::Plain),
        ];
        for (head, kind) in cases {
            assert_eq!(Kind::of_head(head.as_bytes()), kind, "{head:?}");
        }
    }
}
