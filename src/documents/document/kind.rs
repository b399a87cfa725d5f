//! Kinds of document: one table of their names, extensions and media types.

use std::sync::LazyLock;

use super::language::{LANGUAGES, Language, LineComments};
use super::role::Role;
use super::{Parts, Scope};
use super::{asciidoc, calendar, csv, head, html, json, mail, markdown, mediawiki, po};
use super::{properties, roff, rst, rtf, tex, urls, xml};
use urlint_find::Syntax;
use urlint_standard::text::ascii::{self, WordList};
use urlint_standard::text::named::named;
use urlint_view::View;

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
            parts: $parts:path,
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
        extensions: &["eml", "mail", "nws", "mht", "mhtml"],
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
        parts: mail::parts,
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
            "docbook",
        ],
        media_types: &["*/xml", "*+xml"],
        memory: 50,
        begins: r"(?i: \s*<\?xml |
            %C <(?:!doctype|rss|feed|svg|rdf:RDF|urlset|rfc|Relationships|package|xml)(?:[^a-z0-9]|$))",
        parts: xml::parts,
    }
    Markdown {
        name: "markdown",
        description: "Markdown: CommonMark and kramdown-rfc",
        extensions: &["md", "markdown", "mkd", "mkdn", "mdown", "mdx"],
        media_types: &["text/markdown", "text/x-markdown", "text/x-web-markdown"],
        memory: 120,
        parts: markdown::parts,
    }
    Rst {
        name: "rst",
        description: "reStructuredText",
        extensions: &["rst", "rest", "restructuredtext"],
        media_types: &["text/x-rst", "text/prs.fallenstein.rst"],
        memory: 70,
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
        description: "TeX and LaTeX",
        extensions: &["tex", "ltx", "latex", "sty", "cls", "dtx", "bib", "bibtex", "rd"],
        media_types: &[
            "text/x-tex", "text/x-latex", "application/x-tex", "application/x-latex",
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
        extensions: &["csv", "tsv"],
        media_types: &["text/csv", "application/csv", "text/tab-separated-values"],
        memory: 60,
        parts: csv::parts,
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

/// Extensions of compressed files; the document's own extension comes before them.
const COMPRESSED: WordList = WordList("gz bz2 xz zst lzma lz4 z");

/// Adds a text that is read as it is.
fn plain<'s>(source: &'s [u8], _: Scope, parts: &mut Parts<'s>) {
    parts.lines(View::borrowed(source, 0));
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
        Some(known(extension)?.1)
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

/// An extension in lower case, its kind, and its language if it has one.
type Known = (&'static str, Kind, Option<&'static Language>);

/// The extensions of all kinds and languages, sorted: many files have little more than their name.
static EXTENSIONS: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let kinds = Kind::ALL
        .iter()
        .map(|kind| (*kind, kind.facts().extensions, None));
    let languages = LANGUAGES
        .iter()
        .map(|language| (Kind::Plain, language.extensions, Some(language)));
    let of_row = |(kind, extensions, language): (Kind, &'static [&str], _)| {
        extensions
            .iter()
            .map(move |extension| (*extension, kind, language))
    };
    let mut all: Vec<Known> = kinds.chain(languages).flat_map(of_row).collect();
    all.sort_unstable_by_key(|(extension, ..)| *extension);
    all
});

/// The length of the longest extension.
const LONGEST: usize = 16;

/// Returns what is known of an extension, in upper or lower case.
fn known(extension: &[u8]) -> Option<&'static Known> {
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..extension.len())?;
    lower.copy_from_slice(extension);
    lower.make_ascii_lowercase();
    let found = EXTENSIONS.binary_search_by_key(&&*lower, |(known, ..)| known.as_bytes());
    EXTENSIONS.get(found.ok()?)
}

/// Returns the language of the file `path`, if it is one that is known.
fn language(path: &[u8]) -> Option<&'static Language> {
    known(extension(path)?)?.2
}

/// Returns whether `path` has the extension of source code whose strings write white space as `\n`,
/// `\r` and `\t`.
pub(crate) fn is_code(path: &[u8]) -> bool {
    language(path).is_some_and(|language| language.is_code)
}

/// Returns how comments are written in the language of the file `path`, if it is a language where a
/// simple check is enough to find them.
#[doc(hidden)]
pub fn line_comments(path: &[u8]) -> Option<&'static LineComments> {
    language(path)?.comments.as_ref()
}

/// The syntax of the lines and strings of a source, according to its name.
pub(crate) fn syntax(path: &[u8]) -> Syntax {
    const LOCKS: WordList = WordList(
        "go.sum go.work.sum pnpm-lock.yaml conda-lock.yml package.resolved \
        .terraform.lock.hcl gradle.lockfile",
    );
    let name = path.rsplit(|&byte| byte == b'/' || byte == b'\\').next();
    if name.is_some_and(|name| LOCKS.contains(name)) {
        return Syntax::Entries;
    }
    language(path).map_or(Syntax::Text, |language| language.syntax)
}

/// Extensions of message catalogues, which have their own escapes and must match the text they
/// translate, and of templates, from which programs make documents.
const MADE_BY_PROGRAMS: WordList = WordList(
    "po pot xlf xliff resx arb ftl strings properties j2 jinja jinja2 erb ejs \
    tmpl tpl mustache hbs handlebars gotmpl liquid php jsp asp aspx cshtml twig njk haml slim pug in",
);

/// Extensions of free text.
const TEXT: WordList = WordList("txt text msg nfo");

/// Returns whether `path` is in a folder of tests, whose URLs may be wrong on purpose, or is called
/// a test itself.
fn is_test_path(path: &[u8]) -> bool {
    const FOLDERS: WordList = WordList(
        "t test tests testing testdata test-data test_data _tests __tests__ intruder fuzzing wordlists",
    );
    const TESTED: WordList = WordList("c cc cpp py");
    // What a program is attacked with.
    let has_word =
        |name: &[u8], word: &[u8]| memchr::memmem::find(&name.to_ascii_lowercase(), word).is_some();
    let is_attack = |name: &[u8]| has_word(name, b"payload") || has_word(name, b"wordlist");
    let mut names = path.rsplit(|&byte| byte == b'/' || byte == b'\\');
    let (file, extension) = names.next().and_then(split).unwrap_or_default();
    let is_test = |end: &[u8]| file.ends_with(end);
    let is_text = TEXT.iter().any(|text| extension == text.as_bytes());
    [&b"_test"[..], b".test", b".spec"].into_iter().any(is_test)
        || (file.len() > 4 && file.starts_with(b"test") && TESTED.contains(extension))
        || (is_text && is_attack(file))
        || names.any(|name| {
            FOLDERS.contains(name)
                // A folder `spec` has the tests of a program, or the text of a standard; and free text
                // may be a sample for people.
                || (name.eq_ignore_ascii_case(b"spec") && is_code(path))
                || (name.eq_ignore_ascii_case(b"fixtures") && !is_text)
        })
}

/// Returns `path`, or only the name of the file if it is absolute: an absolute path does not show where the
/// project begins.
fn within_project(path: &[u8]) -> &[u8] {
    let is_end = |&byte: &u8| byte == b'/' || byte == b'\\';
    let is_absolute = path.first().is_some_and(is_end) || path.get(1) == Some(&b':');
    let name = path.iter().rposition(|byte| is_absolute && is_end(byte));
    &path[name.map_or(0, |at| at + 1)..]
}

/// The policy for reports and fixes in a source, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilePolicy {
    /// Whether it must not be fixed.
    pub read_only: bool,
    /// Whether it is source code.
    is_code: bool,
    /// Whether it is test data.
    is_test: bool,
    /// Whether it may have minified lines.
    pub may_be_minified: bool,
    /// Whether it is a template of catalogues.
    pub is_template: bool,
}

impl FilePolicy {
    /// Returns the policy for a source with the name `path`. `kind` is used if the name does not tell the kind.
    pub(crate) fn of(path: &[u8], kind: Option<Kind>) -> FilePolicy {
        let extension = extension(path);
        let is = |names: &[&[u8]]| extension.is_some_and(|own| names.contains(&own));
        let is_code = is_code(path);
        FilePolicy {
            read_only: is_read_only(path, extension, is_code, kind),
            is_code,
            // The lines of a patch belong to another file, and must stay.
            is_test: is_test_path(within_project(path)) || is(&[b"patch", b"diff"]),
            may_be_minified: is(&[b"js", b"mjs", b"cjs", b"css"]),
            is_template: is(&[b"pot"]),
        }
    }

    /// Returns the policy for the members of an archive with the name `path`, besides that by their own names.
    pub(crate) fn of_members(path: &[u8]) -> FilePolicy {
        FilePolicy {
            is_test: is_test_path(within_project(path)),
            ..FilePolicy::default()
        }
    }

    /// Returns the stricter of both in each point.
    pub(crate) fn or(self, other: FilePolicy) -> FilePolicy {
        FilePolicy {
            read_only: self.read_only || other.read_only,
            is_code: self.is_code || other.is_code,
            is_test: self.is_test || other.is_test,
            may_be_minified: self.may_be_minified || other.may_be_minified,
            is_template: self.is_template || other.is_template,
        }
    }

    /// Returns the role of URLs anywhere in the source.
    pub(crate) fn role(self) -> Role {
        if self.is_test {
            Role::Tested
        } else if self.is_code {
            Role::Code
        } else {
            Role::Used
        }
    }
}

/// Returns whether the document at `path` must not be fixed. That holds where the syntax around its
/// URLs is unknown: in source code, configuration, message catalogues, templates, and files whose
/// extension says nothing. It also holds for test data in JSON, XML or HTML. `kind` is used if the
/// name does not tell the kind.
fn is_read_only(path: &[u8], extension: Option<&[u8]>, is_code: bool, kind: Option<Kind>) -> bool {
    let Some(extension) = extension else {
        let name = path.rsplit(|&byte| byte == b'/' || byte == b'\\').next();
        let name = name.unwrap_or_default().to_ascii_lowercase();
        return kind.is_none() && (name.starts_with(b".") || name.ends_with(b"file"));
    };
    if is_code || MADE_BY_PROGRAMS.contains(extension) {
        return true;
    }
    match kind.or_else(|| Kind::from_extension(extension)) {
        Some(Kind::Plain) => !TEXT.contains(extension),
        Some(Kind::Json | Kind::Xml | Kind::Html) => is_test_path(path),
        Some(_) => false,
        // A section of the manual, or a name that says nothing.
        None => !TEXT.contains(extension) && !extension.iter().any(u8::is_ascii_digit),
    }
}

/// Returns the extension of the document at `path`, without the extension of a compressed file.
fn extension(path: &[u8]) -> Option<&[u8]> {
    let name = path.rsplit(|&byte| byte == b'/' || byte == b'\\').next()?;
    if is_in_maildir(name) {
        return None;
    }
    let (stem, extension) = split(name)?;
    if COMPRESSED.contains(extension) {
        Some(split(stem)?.1)
    } else {
        Some(extension)
    }
}

/// The text before and after the last dot of the name of a file.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = memchr::memrchr(b'.', name).filter(|&dot| dot > 0)?;
    Some((&name[..dot], &name[dot + 1..]))
}

/// Returns whether `name` is the name of a message in a maildir, `1049000000.M5P6.host.example`,
/// which ends in a host name.
fn is_in_maildir(name: &[u8]) -> bool {
    let mut parts = name.split(|&byte| byte == b'.');
    let is_time = |part: &[u8]| part.len() >= 9 && part.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_time) && parts.count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlint_find::Strings;

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
    fn where_no_fix_is_made() {
        for (path, expected) in [
            ("src/main.rs", true),
            ("po/de.po", true),
            ("config/site.conf", true),
            ("a/tests/urls.json", true),
            ("testdata/feed.xml", true),
            ("a\\Test\\page.html", true),
            ("data/urls.json", false),
            ("latest/urls.json", false),
            ("tests/README.md", false),
            ("tests.json", false),
            ("notes.txt", false),
            ("README", false),
        ] {
            let is_read_only = FilePolicy::of(path.as_bytes(), None).read_only;
            assert_eq!(is_read_only, expected, "{path}");
        }
    }

    #[test]
    fn test_data() {
        for (path, expected) in [
            ("t/t0001.sh", true),
            ("a/tests/README.md", true),
            ("fixtures\\urls.json", true),
            ("fixtures/sample.txt", false),
            ("net/url_test.go", true),
            ("url.test.ts", true),
            ("a/testurl.c", true),
            ("a/testimony.js", false),
            ("lists/xss-payloads.txt", true),
            ("payloads.md", false),
            ("Wordlists/urls.txt", true),
            ("spec/url_spec.rb", true),
            ("spec/urls.md", false),
            ("latest/url.go", false),
            ("url_test", false),
            ("t.sh", false),
            ("/home/joe/test/url.go", false),
            ("C:\\test\\url.go", false),
            ("/home/joe/url_test.go", true),
        ] {
            let is_test = FilePolicy::of(path.as_bytes(), None).is_test;
            assert_eq!(is_test, expected, "{path}");
        }
    }

    #[test]
    fn syntaxes() {
        for (path, expected) in [
            ("src/main.rs", Syntax::Text),
            ("notes", Syntax::Text),
            ("a/go.sum", Syntax::Entries),
            ("Cargo.lock", Syntax::Entries),
            ("pnpm-lock.yaml", Syntax::Entries),
            ("compose.yaml", Syntax::Text),
            ("0001-x.patch", Syntax::Diff),
            ("x.diff.gz", Syntax::Diff),
            ("tool.C", Syntax::Strings(Strings::Adjacent)),
            ("tool.py", Syntax::Strings(Strings::LogicalLine)),
            ("tool.go", Syntax::Strings(Strings::Operator(b'+'))),
        ] {
            assert_eq!(syntax(path.as_bytes()), expected, "{path}");
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
        let longest = EXTENSIONS
            .iter()
            .map(|(extension, ..)| extension.len())
            .max();
        assert_eq!(longest, Some(LONGEST));
        all.sort_unstable();
        for pair in all.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }
}
