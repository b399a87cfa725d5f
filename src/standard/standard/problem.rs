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

/// Defines the kinds of problems. A row has the name, perhaps a meaning, and where each standard covers the kind:
/// a section of RFC 1738, a section of RFC 3986 or of the RFC of a scheme, and a section of the URL Standard by its
/// name, since their numbers change; states are in the section "URL parsing". A standard without a section has no
/// such problem.
macro_rules! kinds {
    ($(
        $(#[doc = $doc:literal])+
        $kind:ident = $name:literal $(: $meaning:literal)?
            $(, rfc1738 $rfc1738:literal)? $(, rfc3986 $rfc3986:literal)? $(, whatwg $whatwg:literal)?;
    )+) => {
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
                $($(#[doc = $doc])+ $kind = $name $(: $meaning)?,)+
            }
        }

        /// The sections in the row of `kind`: of RFC 1738, of RFC 3986 and of the URL Standard, each empty
        /// if there is none.
        pub(super) const fn sections(kind: ProblemKind) -> [&'static str; 3] {
            match kind {
                $(ProblemKind::$kind => [
                    concat!($("RFC 1738, section ", $rfc1738)?),
                    concat!($($rfc3986)?),
                    concat!($("URL Standard, ", $whatwg)?),
                ],)+
            }
        }
    };
}

kinds! {
    /// A control character that is not encoded.
    ControlCharacter = "control-character", rfc1738 "2.2", rfc3986 "RFC 3986, section 2.1", whatwg "URL writing";
    /// A space that is not encoded.
    RawSpace = "raw-space", rfc1738 "2.2", rfc3986 "RFC 3986, section 2.1", whatwg "URL writing";
    /// A character outside ASCII that is not encoded.
    NonAscii = "non-ascii", rfc1738 "2.2", rfc3986 "RFC 3986, section 2.1", whatwg "URL writing";
    /// A character that the standard allows nowhere unless encoded.
    UnsafeCharacter = "unsafe-character", rfc1738 "2.2", rfc3986 "RFC 3986, section 2", whatwg "URL writing";
    /// A `%` that is not followed by two hexadecimal digits.
    BadEscape = "bad-escape", rfc1738 "2.2", rfc3986 "RFC 3986, section 2.1", whatwg "URL writing";
    /// A reserved character that its component does not allow.
    ReservedCharacter = "reserved-character", rfc1738 "2.2", rfc3986 "RFC 3986, section 2.2", whatwg "URL writing";
    /// An unreserved character, or an escape, that its component does not allow.
    MisplacedCharacter = "misplaced-character", rfc1738 "5", rfc3986 "RFC 5538, section 3; RFC 8141, section 2", whatwg "host writing";
    /// There is no scheme.
    NoScheme = "no-scheme", rfc1738 "2.1", rfc3986 "RFC 3986, section 3.1", whatwg "scheme state";
    /// A character that a scheme does not allow.
    BadScheme = "bad-scheme", rfc1738 "2.1", rfc3986 "RFC 3986, section 3.1", whatwg "scheme state";
    /// The slashes after the scheme's colon are missing.
    MissingSlashes = "missing-slashes", rfc1738 "3.1", rfc3986 "RFC 9110, section 4.2.1", whatwg "special authority slashes state";
    /// A user name or password where the scheme, or the standard, has none.
    UserinfoNotAllowed = "userinfo-not-allowed", rfc1738 "3.1", rfc3986 "RFC 9110, section 4.2.4; RFC 6455, section 3", whatwg "authority state";
    /// The host is missing.
    EmptyHost = "empty-host", rfc1738 "3.1", rfc3986 "RFC 9110, section 4.2.1", whatwg "host state";
    /// The host is neither a name nor an address.
    BadHost = "bad-host", rfc1738 "3.1", rfc3986 "RFC 3986, section 3.2.2", whatwg "host writing";
    /// An IP address in brackets, where the standard has none.
    IpLiteral = "ip-literal", rfc1738 "3.1";
    /// A colon without a port.
    EmptyPort = "empty-port", rfc1738 "3.1";
    /// A port that is not a number.
    BadPort = "bad-port": "The port is not a number", rfc1738 "3.1", rfc3986 "RFC 3986, section 3.2.3", whatwg "port state";
    /// A port in a scheme that has none.
    PortNotAllowed = "port-not-allowed": "There is a port, but the scheme allows none", rfc1738 "3.10", rfc3986 "RFC 8089, section 2";
    /// The slash after the host is missing.
    MissingSlash = "missing-slash", rfc1738 "3.3", rfc3986 "RFC 8089, section 2";
    /// The path is missing.
    MissingPath = "missing-path": "The slash and the required part after it are missing", rfc1738 "3.1", rfc3986 "RFC 8089, section 2";
    /// A component that the scheme requires is missing or empty.
    MissingComponent = "missing-component", rfc1738 "5", rfc3986 "RFC 5538, section 3; RFC 6068, section 2; RFC 8141, section 2";
    /// A path in a scheme that has none.
    PathNotAllowed = "path-not-allowed": "There is a path, but the scheme allows none", rfc1738 "3.8", rfc3986 "RFC 4248, section 2";
    /// A typecode that does not exist.
    BadTypecode = "bad-typecode": "The typecode is not `a`, `i` or `d`", rfc1738 "3.2.2";
    /// The name of a newsgroup begins with the wrong character.
    BadGroup = "bad-group": "The name of a newsgroup does not begin with a letter", rfc1738 "3.6";
    /// An article that is not identified as the scheme requires.
    BadArticle = "bad-article": "The number of an article is not a number", rfc1738 "3.7", rfc3986 "RFC 5538, sections 3 and 4";
    /// An authority in a scheme that has none.
    AuthorityNotAllowed = "authority-not-allowed": "A URL names a server, but the scheme allows none", rfc1738 "3.6", rfc3986 "RFC 6068, section 2; RFC 8141, section 2";
    /// A field without `=`.
    BadField = "bad-field": "A field of a prospero URL has no `=`", rfc1738 "3.11", rfc3986 "RFC 6068, section 2";
    /// Brackets that contain no IP address, or are not closed.
    BadIpLiteral = "bad-ip-literal": "Brackets around the host contain no IP address, or are not closed", rfc3986 "RFC 3986, section 3.2.2", whatwg "IPv6 parser";
    /// More slashes than the standard allows.
    ExtraSlash = "extra-slash", rfc3986 "RFC 8089, section 2", whatwg "special authority ignore slashes state";
    /// A query in a scheme that has none.
    QueryNotAllowed = "query-not-allowed": "There is a query, but the scheme allows none", rfc3986 "RFC 8089, section 2";
    /// A fragment in a scheme that has none.
    FragmentNotAllowed = "fragment-not-allowed": "There is a fragment, but the scheme allows none", rfc3986 "RFC 6455, section 3";
    /// The namespace of a URN is not valid.
    BadNamespace = "bad-namespace": "The namespace of a URN is invalid", rfc3986 "RFC 8141, section 2";
    /// An address in a mailto URL is not valid.
    MailtoAddrSpec = "mailto-addr-spec": "The text of a mailto URL is not an address", rfc3986 "RFC 6068, section 2";
    /// A port that is too large.
    PortRange = "port-range": "The port is not between 1 and 65535", whatwg "port state";
    /// A host, or a label of it, that is too long.
    HostLength = "host-length": "The host is longer than a domain name can be", whatwg "IDNA";
    /// A part of an IPv4 address that is too large.
    Ipv4Range = "ipv4-range": "A number of the IPv4 address is greater than 255", whatwg "IPv4 parser";
    /// A part of an IPv4 address that is not decimal, or has leading zeros.
    Ipv4LeadingZero = "ipv4-leading-zero": "A number of the IPv4 address is not decimal", whatwg "IPv4 parser";
    /// An IPv6 address that is not in its usual form.
    Ipv6Form = "ipv6-form": "An IPv6 address is not written in its canonical form", whatwg "IPv6 parser";
    /// A drive letter where a host belongs.
    DriveLetter = "drive-letter": "The letter of a drive is in the place of the host", whatwg "file host state";
}
