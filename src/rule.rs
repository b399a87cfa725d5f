//! The table of rules: everything that urlint can report.
//!
//! A rule's doc comment is its documentation everywhere: in rustdoc, in `urlint rule NAME`, in the
//! README's list. A row is that comment, the variant, its name, its group, the gravest severity it
//! has, and where the standard speaks of it.

use std::fmt;

use crate::candidate::Flag;
use crate::rfc1738::ProblemKind;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth a look; does not make `urlint check` fail.
    Hint,
    /// Likely a fault.
    Warning,
    /// Certainly a fault.
    Error,
}

impl Severity {
    /// The severity's name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a rule is about; rules can be selected by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Characters that must be encoded, and escapes.
    Encoding,
    /// The structure that the grammar asks for.
    Syntax,
    /// How the URL stands in its text.
    Context,
    /// What can be used to deceive or to attack.
    Security,
    /// Valid, but better written otherwise.
    Style,
}

impl Group {
    /// All groups, in the order of the table.
    pub const ALL: [Group; 5] = [
        Group::Encoding,
        Group::Syntax,
        Group::Context,
        Group::Security,
        Group::Style,
    ];

    /// The group's name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Group::Encoding => "encoding",
            Group::Syntax => "syntax",
            Group::Context => "context",
            Group::Security => "security",
            Group::Style => "style",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

macro_rules! rules {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident = $name:literal, $group:ident, $severity:ident, $reference:literal;
    )+) => {
        /// Everything that urlint can report.
        ///
        /// ```
        /// use urlint::{Rule, Severity};
        ///
        /// let rule = Rule::from_name("unsafe-character").unwrap();
        /// assert_eq!(rule, Rule::UnsafeCharacter);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.reference(), "RFC 1738, section 2.2");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),+];

            /// The rule's name, in kebab-case: the only identifier it has.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name,)+ }
            }

            /// What the rule is about.
            pub fn group(self) -> Group {
                match self { $(Rule::$variant => Group::$group,)+ }
            }

            /// The gravest severity that the rule's diagnostics have.
            pub fn severity(self) -> Severity {
                match self { $(Rule::$variant => Severity::$severity,)+ }
            }

            /// Where the standard speaks of it.
            pub fn reference(self) -> &'static str {
                match self { $(Rule::$variant => $reference,)+ }
            }

            /// The rule's documentation, as Markdown.
            pub fn documentation(self) -> &'static str {
                match self { $(Rule::$variant => concat!($($doc, "\n"),+),)+ }
            }
        }
    };
}

rules! {
    /// A control character stands raw in the URL.
    ControlCharacter = "control-character", Encoding, Error, "RFC 1738, section 2.2";
    /// A space stands raw in the URL.
    RawSpace = "raw-space", Encoding, Error, "RFC 1738, section 2.2";
    /// A character outside US-ASCII stands raw in the URL.
    NonAscii = "non-ascii", Encoding, Error, "RFC 1738, section 2.2";
    /// An unsafe character stands raw in the URL.
    UnsafeCharacter = "unsafe-character", Encoding, Error, "RFC 1738, section 2.2";
    /// A `%` is not followed by two hexadecimal digits.
    BadEscape = "bad-escape", Encoding, Error, "RFC 1738, section 2.2";
    /// A reserved character stands raw where its component does not admit it.
    ReservedCharacter = "reserved-character", Syntax, Error, "RFC 1738, section 2.2";
    /// A character or an escape stands where its component does not admit it.
    MisplacedCharacter = "misplaced-character", Syntax, Error, "RFC 1738, section 5";
    /// The URL has no scheme.
    NoScheme = "no-scheme", Syntax, Error, "RFC 1738, section 2.1";
    /// The scheme has a character that no scheme may have.
    BadScheme = "bad-scheme", Syntax, Error, "RFC 1738, section 2.1";
    /// The two slashes after the colon are missing.
    MissingSlashes = "missing-slashes", Syntax, Error, "RFC 1738, section 3.1";
    /// There is a user name or password, and the scheme has none.
    UserinfoNotAllowed = "userinfo-not-allowed", Syntax, Error, "RFC 1738, section 3.1";
    /// There is no host.
    EmptyHost = "empty-host", Syntax, Error, "RFC 1738, section 3.1";
    /// The host is neither a domain name nor an IPv4 address.
    BadHost = "bad-host", Syntax, Error, "RFC 1738, section 3.1";
    /// The host is an address in brackets.
    IpLiteral = "ip-literal", Syntax, Error, "RFC 1738, section 3.1";
    /// There is a colon but no port.
    EmptyPort = "empty-port", Syntax, Error, "RFC 1738, section 3.1";
    /// The port is not a number.
    BadPort = "bad-port", Syntax, Error, "RFC 1738, section 3.1";
    /// There is a port, and the scheme has none.
    PortNotAllowed = "port-not-allowed", Syntax, Error, "RFC 1738, section 3.10";
    /// The slash between the host and the rest is missing.
    MissingSlash = "missing-slash", Syntax, Error, "RFC 1738, section 3.3";
    /// The slash and what must follow it are missing.
    MissingPath = "missing-path", Syntax, Error, "RFC 1738, section 3.1";
    /// Something that the scheme asks for is empty or missing.
    MissingComponent = "missing-component", Syntax, Error, "RFC 1738, section 5";
    /// There is a path, and the scheme has none.
    PathNotAllowed = "path-not-allowed", Syntax, Error, "RFC 1738, section 3.8";
    /// The typecode is none of `a`, `i` and `d`.
    BadTypecode = "bad-typecode", Syntax, Error, "RFC 1738, section 3.2.2";
    /// The name of a newsgroup does not begin with a letter.
    BadGroup = "bad-group", Syntax, Error, "RFC 1738, section 3.6";
    /// The number of an article is not a number.
    BadArticle = "bad-article", Syntax, Error, "RFC 1738, section 3.7";
    /// A news URL names a server.
    AuthorityNotAllowed = "authority-not-allowed", Syntax, Error, "RFC 1738, section 3.6";
    /// A field of a prospero URL has no `=`.
    BadField = "bad-field", Syntax, Error, "RFC 1738, section 3.11";
    /// A `<URL:` is never closed.
    UnterminatedWrapper = "unterminated-wrapper", Context, Error, "RFC 1738, Appendix";
    /// There is nothing in a `<URL:>`.
    Empty = "empty", Context, Warning, "RFC 1738, Appendix";
    /// White space stands inside a `<URL:...>`.
    InteriorSpace = "interior-space", Context, Warning, "RFC 1738, Appendix";
    /// A hyphen at a line break may belong to the URL or not.
    AmbiguousHyphen = "ambiguous-hyphen", Context, Warning, "RFC 1738, Appendix";
    /// A hyphen at a line break was dropped, since only so the URL is valid.
    HyphenResolved = "hyphen-resolved", Context, Hint, "RFC 1738, Appendix";
    /// An `=` at a line break may be the mark of a quoted-printable soft break.
    PossibleQpSoftBreak = "possible-qp-soft-break", Context, Warning, "RFC 1738, Appendix";
    /// The URL may go on in the next line.
    BrokenUrl = "broken-url", Context, Hint, "RFC 1738, Appendix";
    /// The prefix of a wrapper is not written `URL:`.
    PrefixCase = "prefix-case", Context, Hint, "RFC 1738, Appendix";
    /// Quote marks at the start of a line were taken out of the URL.
    QuotePrefix = "quote-prefix", Context, Hint, "RFC 1738, Appendix";
    /// A URL goes on in a line of another quote depth.
    QuoteDepthChange = "quote-depth-change", Context, Hint, "RFC 1738, Appendix";
    /// A URL goes on behind a page break.
    PageBreak = "page-break", Context, Hint, "RFC 1738, Appendix";
    /// The URL goes on past the limit.
    TooLong = "too-long", Context, Warning, "RFC 1738, Appendix";
}

impl Rule {
    /// Looks a rule up by its name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    /// The first line of the documentation, without its full stop.
    pub fn summary(self) -> &'static str {
        let documentation = self.documentation().trim_start();
        let first = documentation.split("\n\n").next().unwrap_or(documentation);
        first.trim().trim_end_matches('.')
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<ProblemKind> for Rule {
    fn from(kind: ProblemKind) -> Rule {
        match kind {
            ProblemKind::ControlCharacter => Rule::ControlCharacter,
            ProblemKind::RawSpace => Rule::RawSpace,
            ProblemKind::NonAscii => Rule::NonAscii,
            ProblemKind::UnsafeCharacter => Rule::UnsafeCharacter,
            ProblemKind::BadEscape => Rule::BadEscape,
            ProblemKind::ReservedCharacter => Rule::ReservedCharacter,
            ProblemKind::MisplacedCharacter => Rule::MisplacedCharacter,
            ProblemKind::NoScheme => Rule::NoScheme,
            ProblemKind::BadScheme => Rule::BadScheme,
            ProblemKind::MissingSlashes => Rule::MissingSlashes,
            ProblemKind::UserinfoNotAllowed => Rule::UserinfoNotAllowed,
            ProblemKind::EmptyHost => Rule::EmptyHost,
            ProblemKind::BadHost => Rule::BadHost,
            ProblemKind::IpLiteral => Rule::IpLiteral,
            ProblemKind::EmptyPort => Rule::EmptyPort,
            ProblemKind::BadPort => Rule::BadPort,
            ProblemKind::PortNotAllowed => Rule::PortNotAllowed,
            ProblemKind::MissingSlash => Rule::MissingSlash,
            ProblemKind::MissingPath => Rule::MissingPath,
            ProblemKind::MissingComponent => Rule::MissingComponent,
            ProblemKind::PathNotAllowed => Rule::PathNotAllowed,
            ProblemKind::BadTypecode => Rule::BadTypecode,
            ProblemKind::BadGroup => Rule::BadGroup,
            ProblemKind::BadArticle => Rule::BadArticle,
            ProblemKind::AuthorityNotAllowed => Rule::AuthorityNotAllowed,
            ProblemKind::BadField => Rule::BadField,
        }
    }
}

impl From<Flag> for Rule {
    fn from(flag: Flag) -> Rule {
        match flag {
            Flag::Unterminated => Rule::UnterminatedWrapper,
            Flag::Empty => Rule::Empty,
            Flag::InteriorSpace => Rule::InteriorSpace,
            Flag::AmbiguousHyphen => Rule::AmbiguousHyphen,
            Flag::HyphenResolved => Rule::HyphenResolved,
            Flag::PossibleQpSoftBreak => Rule::PossibleQpSoftBreak,
            Flag::BrokenUrl => Rule::BrokenUrl,
            Flag::PrefixCase => Rule::PrefixCase,
            Flag::QuotePrefix => Rule::QuotePrefix,
            Flag::QuoteDepthChange => Rule::QuoteDepthChange,
            Flag::PageBreak => Rule::PageBreak,
            Flag::TooLong => Rule::TooLong,
        }
    }
}
