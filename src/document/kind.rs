//! What kind of document a source is.

use super::head;
use crate::text::names::named;

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
    /// JSON, one value or one on each line.
    Json,
    /// A list of URLs, one on each line.
    Urls,
}

named!(Kind, "kind of document", {
    Plain => "plain",
    Mail => "mail",
    Mbox => "mbox",
    Html => "html",
    Xml => "xml",
    Markdown => "markdown",
    Rst => "rst",
    Asciidoc => "asciidoc",
    Roff => "roff",
    Tex => "tex",
    Json => "json",
    Urls => "urls",
});

impl Kind {
    /// The kind that the extension of `path` tells, in any case; `None` if it tells none, as that
    /// of `notes.txt`.
    ///
    /// ```
    /// use urlint::Kind;
    ///
    /// assert_eq!(Kind::of_path(b"lists/March.MBOX"), Some(Kind::Mbox));
    /// assert_eq!(Kind::of_path(b"src/lib.rs"), Some(Kind::Plain));
    /// assert_eq!(Kind::of_path(b"lists/March"), None);
    /// ```
    pub fn of_path(path: &[u8]) -> Option<Kind> {
        let extension = extension(path)?;
        let mut kinds = EXTENSIONS.iter();
        let found = kinds.find(|(_, extensions)| is_among(&extension, extensions));
        found.map(|&(kind, _)| kind)
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
        head::kind(head)
    }
}

/// Extensions and what they tell. Others tell nothing, `txt` and `msg` among them, under which
/// messages are often kept, and the sections of the manual, which are numbers.
const EXTENSIONS: &[(Kind, &str)] = &[
    (Kind::Mail, "eml nws mht mhtml"),
    (Kind::Mbox, "mbox mbx"),
    (Kind::Html, "html htm xhtml xht shtml"),
    (
        Kind::Xml,
        "xml svg rss atom rdf xsl xslt xsd wsdl opml dbk docbook",
    ),
    (Kind::Markdown, "md markdown mkd mkdn mdown mdx"),
    (Kind::Rst, "rst rest"),
    (Kind::Asciidoc, "adoc asciidoc"),
    (Kind::Roff, "roff troff man ms me mdoc"),
    (Kind::Tex, "tex ltx latex sty cls dtx bib"),
    (
        Kind::Json,
        "json jsonl ndjson json5 jsonc jsonld geojson ipynb har webmanifest",
    ),
    (Kind::Urls, "uris"),
    (Kind::Plain, CODE),
    (
        Kind::Plain,
        "bat cmd ps1 vb css scss sass less sql lisp pas ada adb ads f f90 \
         ini cfg conf properties env lock csv tsv diff patch",
    ),
];

/// Extensions of what has strings in which a backslash and a letter stand for white space.
const CODE: &str = "rs py pyi pyx rb pl pm php tcl lua r jl sh bash zsh fish awk sed \
    c h cc hh cpp hpp cxx hxx m mm cs fs java kt kts scala groovy go swift dart zig d v \
    js mjs cjs ts jsx tsx vue svelte graphql proto thrift \
    hs ml mli el scm clj cljs rkt erl hrl ex exs asm s \
    toml yaml yml mk cmake gradle nix tf hcl";

/// Extensions of what has been compressed, in front of which the document's own stands.
const COMPRESSED: [&[u8]; 7] = [b"gz", b"bz2", b"xz", b"zst", b"lzma", b"lz4", b"z"];

/// Whether the extension of `path` is that of source code with strings in which `\n`, `\r` and `\t`
/// are white space.
pub(crate) fn is_code(path: &[u8]) -> bool {
    extension(path).is_some_and(|extension| is_among(&extension, CODE))
}

/// The extension of a document that goes by `path`, in lower case.
fn extension(path: &[u8]) -> Option<Vec<u8>> {
    let name = path.rsplit(|&byte| byte == b'/' || byte == b'\\').next()?;
    if is_of_maildir(name) {
        return None;
    }
    let (stem, extension) = split(name)?;
    match COMPRESSED.contains(&&*extension) {
        true => Some(split(stem)?.1),
        false => Some(extension),
    }
}

fn is_among(extension: &[u8], extensions: &str) -> bool {
    let mut extensions = extensions.split_ascii_whitespace();
    extensions.any(|known| known.as_bytes() == extension)
}

/// What stands before and behind the last dot of a file's name, the extension in lower case.
fn split(name: &[u8]) -> Option<(&[u8], Vec<u8>)> {
    let dot = memchr::memrchr(b'.', name).filter(|&dot| dot > 0)?;
    Some((&name[..dot], name[dot + 1..].to_ascii_lowercase()))
}

/// Whether `name` is that of a message in a maildir, `1049000000.M5P6.host.example`: what follows
/// its last dot is a host's.
fn is_of_maildir(name: &[u8]) -> bool {
    let mut parts = name.split(|&byte| byte == b'.');
    let is_time = |part: &[u8]| part.len() >= 9 && part.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_time) && parts.count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions() {
        let cases = [
            ("a/letter.eml", Some(Kind::Mail)),
            ("index.HTML", Some(Kind::Html)),
            ("feed.rss", Some(Kind::Xml)),
            ("README.md", Some(Kind::Markdown)),
            ("docs/index.rst", Some(Kind::Rst)),
            ("guide.adoc", Some(Kind::Asciidoc)),
            ("tool.man", Some(Kind::Roff)),
            ("refs.bib", Some(Kind::Tex)),
            ("src\\main.rs", Some(Kind::Plain)),
            ("Cargo.toml", Some(Kind::Plain)),
            ("list.mbox.gz", Some(Kind::Mbox)),
            ("notes.gz", None),
            ("notes.txt", None),
            ("mail.msg", None),
            ("tool.1", None),
            ("alt.atheism-51145", None),
            ("cur/1049000000.M5P6.host.example:2,S", None),
            ("new/1049000000.M5P6.mail.firm.pl", None),
            ("1049000000.pl", Some(Kind::Plain)),
            (".md", None),
            ("a.b/README", None),
            ("17", None),
            ("x.", None),
            ("", None),
        ];
        for (path, kind) in cases {
            assert_eq!(Kind::of_path(path.as_bytes()), kind, "{path}");
        }
    }

    #[test]
    fn code() {
        for (path, expected) in [
            ("src/main.rs", true),
            ("tool.PY.gz", true),
            ("ci.yml", true),
            ("run.bat", false),
            ("notes.txt", false),
            ("README.md", false),
            ("Makefile", false),
        ] {
            assert_eq!(is_code(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn every_extension_tells_one_kind() {
        let mut all: Vec<_> = EXTENSIONS
            .iter()
            .flat_map(|(_, extensions)| extensions.split_ascii_whitespace())
            .collect();
        all.sort_unstable();
        for pair in all.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }
}
