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
        let _ = head;
        Kind::Plain
    }
}

/// Extensions and what they tell. `txt` tells nothing: messages are often kept under it.
const EXTENSIONS: &[(&str, Kind)] = &[("mbox", Kind::Mbox), ("mbx", Kind::Mbox)];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
