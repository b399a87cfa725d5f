//! Kinds of document: one table of their names, extensions and media types.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::language::{LANGUAGES, Language};
use super::path::extension;
use super::{Parts, Scope};
use super::{asciidoc, calendar, csv, head, html, json, mail, markdown, mediawiki, po};
use super::{program, properties, roff, rst, rtf, tex, urls, xml};
use urlint_standard::text::ascii;
use urlint_standard::text::named::named;
use urlint_view::{Layer, View};

/// The facts about a kind of document.
struct Facts {
    description: &'static str,
    /// File extensions, in lower case.
    extensions: &'static [&'static str],
    /// Media types, in lower case. `*` stands for anything, at the start or at the end.
    media_types: &'static [&'static str],
    /// See [`Kind::memory_of_mark`].
    memory: usize,
    /// Adds the parts of a document.
    parts: for<'s> fn(&'s [u8], Scope, &mut Parts<'s>),
}

/// Makes the enum and its table from one row for each kind.
macro_rules! kinds {
    ($(
        $(#[$attribute:meta])*
        $kind:ident {
            name: $name:literal,
            description: $description:literal,
            extensions: $extensions:expr,
            media_types: $media_types:expr,
            memory: $memory:literal,
            $(begins: $begins:expr,)?
            parts: $parts:expr,
        }
    )+) => {
        /// A kind of document.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $(
                #[doc = concat!($description, ".")]
                $(#[$attribute])*
                $kind,
            )+
        }

        named! { Kind { $($kind = $name,)+ } }

        impl Kind {
            /// The kinds that an expression tells by the first bytes. White space in it is for the reader, and `%C`
            /// stands for comments and processing instructions of markup.
            pub(super) const BEGINNINGS: &[(Kind, &str)] = &[$($((Kind::$kind, $begins),)?)+];

            fn facts(self) -> &'static Facts {
                match self {
                    $(Kind::$kind => const {
                        &Facts {
                            description: $description,
                            extensions: $extensions,
                            media_types: $media_types,
                            memory: $memory,
                            parts: $parts,
                        }
                    })+
                }
            }
        }
    };
}

// The extensions `txt` and `msg` belong to no kind, since messages are often kept under them, and
// neither do the sections of the manual, which are numbers.
kinds! {
    #[default]
    Plain {
        name: "plain",
        description: "Free text, source code, configuration: everything that is read as it is",
        // The languages in the table of `language.rs` add theirs.
        extensions: &[],
        media_types: &[
            "text/plain", "text/*", "application/ecmascript", "application/javascript",
            "application/sql", "application/toml", "application/x-csh", "application/x-diff",
            "application/x-httpd-php", "application/x-javascript", "application/x-patch",
            "application/x-perl", "application/x-python", "application/x-sh",
            "application/x-shellscript", "application/x-yaml", "application/yaml",
        ],
        memory: 30,
        parts: plain,
    }
    Mail {
        name: "mail",
        description: "A mail or news message",
        extensions: &["eml", "emlx", "mail", "nws", "mht", "mhtml"],
        media_types: urlint_mail::entity::MESSAGES,
        memory: 140,
        parts: mail::parts_of_message,
    }
    Mbox {
        name: "mbox",
        description: "A mailbox: messages that each follow a line with `From `, or a batch of Usenet",
        extensions: &["mbox", "mbx"],
        media_types: &["application/mbox"],
        memory: 140,
        parts: |source, scope, parts| mail::message(source, scope, 0, parts),
    }
    Html {
        name: "html",
        description: "HTML",
        // Handlebars is a language of templates of HTML.
        extensions: &["html", "htm", "xhtml", "xht", "shtml", "hbs", "handlebars"],
        media_types: &["text/html", "text/x-html", "application/xhtml+xml"],
        memory: 50,
        begins: r"(?i: %C <(?:!doctype\ html|html|head|body)(?:[^a-z0-9]|$))",
        parts: html::parts,
    }
    Xml {
        name: "xml",
        description: "XML, including RFCXML",
        extensions: &[
            "xml", "svg", "rss", "atom", "rdf", "xsl", "xslt", "xsd", "wsdl", "opml", "dbk",
            "docbook", "csproj", "vbproj", "fsproj", "vcxproj", "props", "targets", "nuspec", "xaml", "kml", "gpx", "ui",
            "fxml", "dita", "ditamap",
        ],
        media_types: &["*/xml", "*+xml"],
        memory: 50,
        begins: r"(?i: \s*<\?xml |
            %C <(?:!doctype|rss|feed|svg|rdf:RDF|urlset|rfc|Relationships|package|xml)(?:[^a-z0-9]|$) |
            %C <[a-z0-9]+(?:[:.-][a-z0-9]*)*\s[^>]*\bxmlns(?::[^=>]*)?\s*=)",
        parts: xml::parts,
    }
    Markdown {
        name: "markdown",
        description: "Markdown: CommonMark and kramdown-rfc",
        extensions: &["md", "markdown", "mkd", "mkdn", "mdown", "rmd", "qmd"],
        media_types: &["text/markdown", "text/x-markdown", "text/x-web-markdown"],
        memory: 120,
        parts: |source, scope, parts| markdown::parts(Kind::Markdown, source, scope, parts),
    }
    Mdx {
        name: "mdx",
        description: "MDX: Markdown with components",
        extensions: &["mdx"],
        media_types: &["text/mdx"],
        memory: 120,
        parts: |source, scope, parts| markdown::parts(Kind::Mdx, source, scope, parts),
    }
    Kramdown {
        name: "kramdown",
        description: "Markdown as kramdown reads it, and Jekyll",
        extensions: &[],
        media_types: &[],
        memory: 120,
        parts: |source, scope, parts| markdown::parts(Kind::Kramdown, source, scope, parts),
    }
    Rst {
        name: "rst",
        description: "reStructuredText",
        extensions: &["rst", "rest", "restructuredtext"],
        media_types: &["text/x-rst", "text/prs.fallenstein.rst"],
        memory: 120,
        parts: rst::parts,
    }
    Asciidoc {
        name: "asciidoc",
        description: "AsciiDoc",
        // Signatures and keys of PGP have the last one as well; they begin with its armour.
        extensions: &["adoc", "asciidoc", "asc"],
        media_types: &["text/asciidoc", "text/x-asciidoc"],
        memory: 60,
        parts: asciidoc::parts,
    }
    Mediawiki {
        name: "mediawiki",
        description: "MediaWiki, and the links of other wikis",
        extensions: &["mediawiki", "wiki", "wikitext", "creole", "dokuwiki"],
        media_types: &["text/x-wiki", "text/mediawiki"],
        memory: 60,
        parts: mediawiki::parts,
    }
    Roff {
        name: "roff",
        description: "roff: manual pages",
        extensions: &["roff", "troff", "groff", "nroff", "man", "ms", "me", "mdoc"],
        media_types: &["text/troff"],
        memory: 60,
        begins: r#"[\r\n]*[.'](?: '' | [\ \t]*\\" | (?:TH|Dd|so|de|ds|nr|if|ie|pl|nh|ad|tr|ll)[\ \t] | mso\b)"#,
        parts: roff::parts,
    }
    Tex {
        name: "tex",
        description: "TeX, LaTeX and Texinfo",
        extensions: &["tex", "ltx", "latex", "sty", "cls", "dtx", "bib", "bibtex", "rd", "texi", "texinfo", "txi"],
        media_types: &[
            "text/x-tex", "text/x-texinfo", "text/x-latex", "application/x-tex", "application/x-latex",
        ],
        memory: 60,
        begins: r"(?: \s*%[^\r\n]* )* \s*
            \\(?:documentclass|documentstyle|NeedsTeXFormat|RequirePackage|ProvidesPackage)",
        parts: tex::parts,
    }
    Json {
        name: "json",
        description: "JSON, one value or one on each line",
        extensions: &[
            "json", "jsonl", "ndjson", "json5", "jsonc", "jsonld", "geojson", "ipynb", "har",
            "webmanifest", "map",
        ],
        media_types: &["*json"],
        memory: 30,
        parts: json::parts,
    }
    Csv {
        name: "csv",
        description: "A table of values separated by commas, semicolons or tabs",
        extensions: &["csv"],
        media_types: &["text/csv", "application/csv"],
        memory: 60,
        parts: |source, scope, parts| csv::parts(b",;\t", source, scope, parts),
    }
    Tsv {
        name: "tsv",
        description: "A table of values separated by tabs",
        extensions: &["tsv"],
        media_types: &["text/tab-separated-values"],
        memory: 60,
        parts: |source, scope, parts| csv::parts(b"\t", source, scope, parts),
    }
    Po {
        name: "po",
        description: "A message catalogue of gettext",
        extensions: &["po", "pot"],
        media_types: &["text/x-gettext-translation", "text/x-po", "application/x-gettext"],
        memory: 60,
        begins: r#"(?: \s*\#[^\r\n]* )* \s*(?:msgid|msgctxt)\ ""#,
        parts: po::parts,
    }
    Calendar {
        name: "calendar",
        description: "Calendars (iCalendar) and cards of contacts (vCard)",
        // Files of genome variants have the extension `vcf`, too; they begin otherwise.
        extensions: &["ics", "ical", "ifb", "vcf", "vcard"],
        media_types: &["text/calendar", "text/vcard", "text/x-vcard", "application/ics"],
        memory: 140,
        begins: r"(?i: [\ \t]*BEGIN:V(?:CALENDAR|CARD)[\ \t]*(?:[\r\n]|$) )",
        parts: calendar::parts,
    }
    Properties {
        name: "properties",
        description: "Properties of Java",
        extensions: &["properties"],
        media_types: &["text/x-java-properties"],
        memory: 60,
        parts: properties::parts,
    }
    Rtf {
        name: "rtf",
        description: "Rich Text Format",
        extensions: &["rtf"],
        media_types: &["text/rtf", "application/rtf"],
        memory: 60,
        begins: r"\{\\rtf",
        parts: rtf::parts,
    }
    Urls {
        name: "urls",
        description: "A list of URLs, one on each line",
        extensions: &["uris"],
        media_types: &["text/uri-list"],
        memory: 60,
        parts: urls::parts,
    }
}

/// Adds a text that is read as it is, but for escapes in the strings of programs.
fn plain<'s>(source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
    parts.lines(if scope.is_code {
        program::ESCAPES.view(source, Layer::AsciiBut(b"\\"))
    } else {
        View::borrowed(source, 0)
    });
}

impl Kind {
    /// Adds the parts of `source`, a document of this kind in UTF-8 or in an unknown charset.
    pub(super) fn add_parts<'s>(self, source: &'s [u8], scope: Scope, parts: &mut Parts<'s>) {
        (self.facts().parts)(source, scope, parts);
    }

    /// How many bytes of memory a document may take for each byte other than a letter, digit or space: more
    /// than was measured with any text.
    pub(crate) fn memory_of_mark(self) -> usize {
        self.facts().memory
    }

    /// The kind that this one is a dialect of, or itself.
    #[doc(hidden)]
    #[must_use]
    pub fn family(self) -> Kind {
        match self {
            Kind::Mdx | Kind::Kramdown => Kind::Markdown,
            kind => kind,
        }
    }

    /// A description of the kind in a few words, without a full stop.
    pub fn description(self) -> &'static str {
        self.facts().description
    }

    /// The file extensions by which the kind is recognized, in lower case, including the names that
    /// editors use for the kind or a language.
    pub fn extensions(self) -> impl Iterator<Item = &'static str> {
        let languages: &[Language] = match self {
            Kind::Plain => LANGUAGES,
            _ => &[],
        };
        let of_languages = languages.iter().map(|language| language.extensions);
        let all = std::iter::once(self.facts().extensions).chain(of_languages);
        all.flatten().copied()
    }

    /// The kind that the extension of `path` belongs to, in upper or lower case. An extension of
    /// compressed files, as in `list.mbox.gz`, is ignored.
    ///
    /// Returns `None` if there is no extension, or if it says nothing about the kind, as in
    /// `notes.txt`.
    ///
    /// ```
    /// use urlint::document::Kind;
    ///
    /// assert_eq!(Kind::from_path(b"lists/March.MBOX"), Some(Kind::Mbox));
    /// assert_eq!(Kind::from_path(b"src/lib.rs"), Some(Kind::Plain));
    /// assert_eq!(Kind::from_path(b"lists/March"), None);
    /// ```
    pub fn from_path(path: &[u8]) -> Option<Kind> {
        Kind::from_extension(extension(path)?)
    }

    /// The kind that a file extension belongs to, in upper or lower case.
    pub(super) fn from_extension(extension: &[u8]) -> Option<Kind> {
        Some(known(extension)?.0)
    }

    /// How many first bytes of a source are enough to tell its kind.
    pub(crate) const HEAD: usize = 4096;

    /// The kind that the first bytes of a source look like, or [`Kind::Plain`]; 4096 bytes are
    /// enough.
    ///
    /// ```
    /// use urlint::document::Kind;
    ///
    /// let head = b"From joe@a.example Mon Mar  3 12:00:00 2003\nTo: ";
    /// assert_eq!(Kind::from_head(head), Kind::Mbox);
    /// assert_eq!(Kind::from_head(b"From here on"), Kind::Plain);
    /// ```
    pub fn from_head(head: &[u8]) -> Kind {
        head::kind(head)
    }

    /// The kind for a media type, in upper or lower case; parameters after a `;` are ignored.
    /// Returns `None` if the type is unknown, such as `image/png`, or may be anything, such as
    /// `application/octet-stream`.
    #[doc(hidden)]
    pub fn from_media_type(media_type: &[u8]) -> Option<Kind> {
        let name = media_type.split(|&byte| byte == b';').next()?.trim_ascii();
        if !name.contains(&b'/') {
            return None;
        }
        let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        let ends = |known: &str| {
            let end = known.strip_prefix('*').unwrap_or_default();
            !end.is_empty() && ascii::ends(name, end)
        };
        let begins = |known: &str| {
            let start = known.strip_suffix('*').unwrap_or_default();
            !start.is_empty() && ascii::begins(name, start)
        };
        // `application/xhtml+xml` is HTML, other types of XML are XML, in `text` as well.
        let matches: [&dyn Fn(&str) -> bool; 3] = [&is, &ends, &begins];
        let find = |matches: &&dyn Fn(&str) -> bool| {
            let mut kinds = Kind::ALL.iter().copied();
            kinds.find(|kind| kind.facts().media_types.iter().any(|known| matches(known)))
        };
        matches.iter().find_map(find)
    }
}

/// The facts about an extension: its kind, and its language if it has one.
type Known = (Kind, Option<&'static Language>);

/// The extensions of all kinds and languages, in lower case.
static EXTENSIONS: LazyLock<HashMap<&[u8], Known>> = LazyLock::new(|| {
    let kinds = (Kind::ALL.iter()).map(|kind| (kind.facts().extensions, (*kind, None)));
    let languages = LANGUAGES.iter().map(|language| {
        let known = (Kind::Plain, Some(language));
        (language.extensions, known)
    });
    let of_row = |(extensions, known): (&'static [&'static str], Known)| {
        let names = extensions.iter().map(|extension| extension.as_bytes());
        names.map(move |extension| (extension, known))
    };
    kinds.chain(languages).flat_map(of_row).collect()
});

/// Returns the facts about an extension, in upper or lower case.
fn known(extension: &[u8]) -> Option<Known> {
    EXTENSIONS.get(&*extension.to_ascii_lowercase()).copied()
}

/// Returns the language of the file `path`, if it is one that is known.
pub(super) fn language(path: &[u8]) -> Option<&'static Language> {
    known(extension(path)?)?.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions() {
        let cases = [
            ("a/letter.eml", Some(Kind::Mail)),
            ("index.HTML", Some(Kind::Html)),
            ("page.hbs", Some(Kind::Html)),
            ("feed.rss", Some(Kind::Xml)),
            ("README.md", Some(Kind::Markdown)),
            ("docs/index.rst", Some(Kind::Rst)),
            ("guide.adoc", Some(Kind::Asciidoc)),
            ("Main.mediawiki", Some(Kind::Mediawiki)),
            ("tool.man", Some(Kind::Roff)),
            ("refs.bib", Some(Kind::Tex)),
            ("locale/tr.po", Some(Kind::Po)),
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
            assert_eq!(Kind::from_path(path.as_bytes()), kind, "{path}");
        }
    }

    #[test]
    fn media_types() {
        let cases = [
            ("text/plain", Some(Kind::Plain)),
            ("text/x-unknown", Some(Kind::Plain)),
            ("Text/HTML; charset=utf-8", Some(Kind::Html)),
            ("text/xml", Some(Kind::Xml)),
            ("application/rss+xml", Some(Kind::Xml)),
            ("image/svg+xml", Some(Kind::Xml)),
            ("application/xhtml+xml", Some(Kind::Html)),
            ("application/ld+json ; x=y", Some(Kind::Json)),
            ("text/json", Some(Kind::Json)),
            ("text/x-rst", Some(Kind::Rst)),
            ("application/x-latex", Some(Kind::Tex)),
            ("text/uri-list", Some(Kind::Urls)),
            ("message/news", Some(Kind::Mail)),
            ("message/delivery-status", None),
            ("application/octet-stream", None),
            ("image/png", None),
            ("xml", None),
            ("json", None),
            ("", None),
        ];
        for (media_type, kind) in cases {
            let found = Kind::from_media_type(media_type.as_bytes());
            assert_eq!(found, kind, "{media_type}");
        }
    }

    #[test]
    fn every_extension_and_media_type_belongs_to_one_kind() {
        let kinds = Kind::ALL.iter();
        let extensions = kinds.clone().flat_map(|kind| kind.extensions());
        let media_types = kinds.flat_map(|kind| kind.facts().media_types.iter().copied());
        let mut all: Vec<_> = extensions.chain(media_types).collect();
        assert!(all.iter().all(|name| *name == name.to_ascii_lowercase()));
        all.sort_unstable();
        for pair in all.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }
}
