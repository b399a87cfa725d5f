//! Places where a URL departs from a standard.

use super::Part;
#[cfg(feature = "whatwg")]
use super::whatwg::ValidationError;
use crate::text::named::named;

/// A place where a URL departs from a standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Problem {
    /// The kind of departure from the grammar.
    pub kind: ProblemKind,
    /// The bytes at fault. An empty part means that something is missing there.
    pub part: Part,
    /// Whether it makes the parser of the URL Standard fail: browsers do not follow such a URL, and
    /// repair everything else. By other standards nothing is a failure.
    pub is_failure: bool,
    /// The URL Standard's own name for it; `None` by other standards.
    #[cfg(feature = "whatwg")]
    pub error: Option<ValidationError>,
}

impl Problem {
    /// A problem that is not a failure and has no name of its own.
    #[inline]
    pub(super) fn new(kind: ProblemKind, part: Part) -> Problem {
        Problem {
            kind,
            part,
            is_failure: false,
            #[cfg(feature = "whatwg")]
            error: None,
        }
    }
}

named! {
    /// The kinds of [`Problem`] across all standards. A kind that several standards have means
    /// the same in each.
    ///
    /// ```
    /// use urlint::standard::ProblemKind;
    ///
    /// assert_eq!(ProblemKind::BadPort.name(), "bad-port");
    /// assert_eq!(ProblemKind::from_name("bad-port"), Some(ProblemKind::BadPort));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ProblemKind {
        /// A control character that is not encoded.
        ControlCharacter = "control-character",
        /// A space that is not encoded.
        RawSpace = "raw-space",
        /// A character outside ASCII that is not encoded.
        NonAscii = "non-ascii",
        /// A character that the standard allows nowhere unless encoded.
        UnsafeCharacter = "unsafe-character",
        /// A `%` that is not followed by two hexadecimal digits.
        BadEscape = "bad-escape",
        /// A reserved character that its component does not allow.
        ReservedCharacter = "reserved-character",
        /// An unreserved character, or an escape, that its component does not allow.
        MisplacedCharacter = "misplaced-character",
        /// There is no scheme.
        NoScheme = "no-scheme",
        /// A character that a scheme does not allow.
        BadScheme = "bad-scheme",
        /// The slashes after the scheme's colon are missing.
        MissingSlashes = "missing-slashes",
        /// A user name or password where the scheme, or the standard, has none.
        UserinfoNotAllowed = "userinfo-not-allowed",
        /// The host is missing.
        EmptyHost = "empty-host",
        /// The host is neither a name nor an address.
        BadHost = "bad-host",
        /// An IP address in brackets, where the standard has none.
        IpLiteral = "ip-literal",
        /// A colon without a port.
        EmptyPort = "empty-port",
        /// A port that is not a number.
        BadPort = "bad-port",
        /// A port in a scheme that has none.
        PortNotAllowed = "port-not-allowed",
        /// The slash after the host is missing.
        MissingSlash = "missing-slash",
        /// The path is missing.
        MissingPath = "missing-path",
        /// A component that the scheme requires is missing or empty.
        MissingComponent = "missing-component",
        /// A path in a scheme that has none.
        PathNotAllowed = "path-not-allowed",
        /// A typecode that does not exist.
        BadTypecode = "bad-typecode",
        /// The name of a newsgroup begins with the wrong character.
        BadGroup = "bad-group",
        /// An article that is not identified as the scheme requires.
        BadArticle = "bad-article",
        /// An authority in a scheme that has none.
        AuthorityNotAllowed = "authority-not-allowed",
        /// A field without `=`.
        BadField = "bad-field",
        /// Brackets that contain no IP address, or are not closed.
        BadIpLiteral = "bad-ip-literal": "Brackets around the host contain no IP address, or are not closed",
        /// More slashes than the standard allows.
        ExtraSlash = "extra-slash",
        /// A query in a scheme that has none.
        QueryNotAllowed = "query-not-allowed",
        /// A fragment in a scheme that has none.
        FragmentNotAllowed = "fragment-not-allowed",
        /// The namespace of a URN is not valid.
        BadNamespace = "bad-namespace",
        /// An address in a mailto URL is not valid.
        MailtoAddrSpec = "mailto-addr-spec": "The text of a mailto URL is not an address",
        /// A port that is too large.
        PortRange = "port-range",
        /// A host, or a label of it, that is too long.
        HostLength = "host-length",
        /// A part of an IPv4 address that is too large.
        Ipv4Range = "ipv4-range": "A number of the IPv4 address is greater than 255",
        /// A part of an IPv4 address that is not decimal, or has leading zeros.
        Ipv4LeadingZero = "ipv4-leading-zero": "A number of the IPv4 address is not decimal",
        /// An IPv6 address that is not in its usual form.
        Ipv6Form = "ipv6-form": "An IPv6 address is not written in its canonical form",
        /// A drive letter where a host belongs.
        DriveLetter = "drive-letter",
    }
}
