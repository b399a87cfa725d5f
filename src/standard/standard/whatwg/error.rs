//! The validation errors of the URL Standard.

use crate::standard::{Part, Problem, ProblemKind};
use crate::text::named::named;

// In the order in which the standard lists them.
named! {
    /// The validation errors of the URL Standard, by its own names. The parser continues after
    /// some, and fails after others: see [`Problem::is_failure`].
    ///
    /// ```
    /// use urlint::standard::whatwg::ValidationError;
    ///
    /// assert_eq!(ValidationError::HostMissing.name(), "host-missing");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum ValidationError {
        /// A domain is not valid by Unicode TS 46.
        DomainToAscii = "domain-to-ASCII",
        /// A domain has an escape.
        DomainPercentEncoded = "domain-percent-encoded",
        /// The host of a scheme that is not special has a character that no host may have.
        HostInvalidCodePoint = "host-invalid-code-point",
        /// An IPv4 address ends with a dot.
        Ipv4EmptyPart = "IPv4-empty-part",
        /// An IPv4 address has fewer than four parts.
        Ipv4TooFewParts = "IPv4-too-few-parts",
        /// An IPv4 address has more than four parts.
        Ipv4TooManyParts = "IPv4-too-many-parts",
        /// A part of an IPv4 address is not a number.
        Ipv4NonNumericPart = "IPv4-non-numeric-part",
        /// A part of an IPv4 address is hexadecimal or octal.
        Ipv4NonDecimalPart = "IPv4-non-decimal-part",
        /// A part of an IPv4 address is greater than 255.
        Ipv4OutOfRangePart = "IPv4-out-of-range-part",
        /// The brackets of an IPv6 address are not closed where the host ends.
        Ipv6Unclosed = "IPv6-unclosed",
        /// An IPv6 address begins with a single colon.
        Ipv6InvalidCompression = "IPv6-invalid-compression",
        /// An IPv6 address has more than eight pieces.
        Ipv6TooManyPieces = "IPv6-too-many-pieces",
        /// An IPv6 address has `::` twice.
        Ipv6MultipleCompression = "IPv6-multiple-compression",
        /// An IPv6 address has a character that is not allowed there, or ends too early.
        Ipv6InvalidCodePoint = "IPv6-invalid-code-point",
        /// An IPv6 address has fewer than eight pieces, and no `::`.
        Ipv6TooFewPieces = "IPv6-too-few-pieces",
        /// A piece of an IPv6 address has leading zeros.
        Ipv6PieceLeadingZero = "IPv6-piece-leading-zero",
        /// An IPv6 address has too many pieces before its IPv4 address.
        Ipv4InIpv6TooManyPieces = "IPv4-in-IPv6-too-many-pieces",
        /// The IPv4 address in an IPv6 address has something other than numbers and dots, or leading
        /// zeros.
        Ipv4InIpv6InvalidCodePoint = "IPv4-in-IPv6-invalid-code-point",
        /// A part of the IPv4 address in an IPv6 address is greater than 255.
        Ipv4InIpv6OutOfRangePart = "IPv4-in-IPv6-out-of-range-part",
        /// The IPv4 address in an IPv6 address has fewer than four parts.
        Ipv4InIpv6TooFewParts = "IPv4-in-IPv6-too-few-parts",
        /// A character that is not a URL code point, or a `%` without two hexadecimal digits.
        InvalidUrlUnit = "invalid-URL-unit",
        /// A special scheme is not followed by exactly two slashes.
        SpecialSchemeMissingFollowingSolidus = "special-scheme-missing-following-solidus",
        /// There is no scheme.
        MissingSchemeNonRelativeUrl = "missing-scheme-non-relative-URL",
        /// A special URL has a `\` instead of a `/`.
        InvalidReverseSolidus = "invalid-reverse-solidus",
        /// There is a user name or password.
        InvalidCredentials = "invalid-credentials",
        /// The host is missing.
        HostMissing = "host-missing",
        /// The port is greater than 65535.
        PortOutOfRange = "port-out-of-range",
        /// The port is not a number.
        PortInvalid = "port-invalid",
        /// A file URL has a drive letter instead of a host.
        FileInvalidWindowsDriveLetterHost = "file-invalid-Windows-drive-letter-host",
        /// A name that becomes an IPv4 address through IDNA. The parser accepts it without an error,
        /// but it is not a valid host string by the standard's section "Host writing".
        HostWriting = "host writing",
    }
}

impl ValidationError {
    /// A problem with this error at `part`; `is_failure` says whether the parser fails on it.
    pub(super) fn at(self, kind: ProblemKind, part: Part, is_failure: bool) -> Problem {
        Problem {
            kind,
            part,
            is_failure,
            error: Some(self),
        }
    }
}
