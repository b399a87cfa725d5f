//! IP addresses: `IPv4address`, and the content of brackets.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::chars::{IPVFUTURE, UNRESERVED};
use crate::text::named::named;

named! {
    /// The kind of a host by the grammar (section 3.2.2), where the first matching alternative counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum HostKind {
        /// `IPv4address`: four decimal numbers up to 255, without leading zeros.
        Ipv4 = "ipv4",
        /// `IPv6address` in brackets, with or without a zone identifier: see [`zone_id`].
        Ipv6 = "ipv6",
        /// `IPvFuture` in brackets.
        IpvFuture = "ipvfuture",
        /// `reg-name`: anything else, whether or not it is a host name; it may be empty.
        RegName = "reg-name",
    }
}

impl HostKind {
    /// Returns the kind of `host`; `None` if it begins with a bracket and is not an IP address.
    ///
    /// ```
    /// use urlint::standard::rfc3986::HostKind;
    ///
    /// assert_eq!(HostKind::of(b"192.0.2.1"), Some(HostKind::Ipv4));
    /// assert_eq!(HostKind::of(b"192.0.2.256"), Some(HostKind::RegName));
    /// assert_eq!(HostKind::of(b"[2001:db8::1]"), Some(HostKind::Ipv6));
    /// assert_eq!(HostKind::of(b"[v1.a:b]"), Some(HostKind::IpvFuture));
    /// assert_eq!(HostKind::of(b"[::1"), None);
    /// ```
    #[must_use]
    pub fn of(host: &[u8]) -> Option<HostKind> {
        if !host.starts_with(b"[") {
            let is_ipv4 = is_ipv4address(host);
            return Some(if is_ipv4 {
                HostKind::Ipv4
            } else {
                HostKind::RegName
            });
        }
        Some(match in_brackets(host)? {
            Literal::Ipv6 | Literal::Ipv6Zone(_) => HostKind::Ipv6,
            Literal::IpvFuture => HostKind::IpvFuture,
        })
    }
}

/// Returns the zone identifier of `host`, an IPv6 address in brackets, without the `%25` before it
/// (RFC 6874, section 2).
///
/// ```
/// use urlint::standard::rfc3986::zone_id;
///
/// assert_eq!(zone_id(b"[fe80::1%25en0]"), Some(&b"en0"[..]));
/// assert_eq!(zone_id(b"[fe80::1]"), None);
/// ```
#[must_use]
pub fn zone_id(host: &[u8]) -> Option<&[u8]> {
    match in_brackets(host)? {
        Literal::Ipv6Zone(zone) => Some(zone),
        _ => None,
    }
}

/// Returns the kind of `host`, if it is an address in brackets.
pub(super) fn in_brackets(host: &[u8]) -> Option<Literal<'_>> {
    ip_literal(host.strip_prefix(b"[")?.strip_suffix(b"]")?)
}

/// The content of the brackets of an `IP-literal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Literal<'u> {
    Ipv6,
    /// An IPv6 address with this zone identifier.
    Ipv6Zone(&'u [u8]),
    IpvFuture,
}

/// ```text
/// IP-literal     = "[" ( IPv6address / IPv6addrz / IPvFuture ) "]"
/// IPv6addrz      = IPv6address "%25" ZoneID
/// ```
/// `text` is the content of the brackets.
fn ip_literal(text: &[u8]) -> Option<Literal<'_>> {
    if is_ipvfuture(text) {
        return Some(Literal::IpvFuture);
    }
    let Some(at) = memchr::memchr(b'%', text) else {
        return is_ipv6address(text).then_some(Literal::Ipv6);
    };
    let (address, zone) = text.split_at(at);
    let zone = zone.strip_prefix(b"%25")?;
    (is_zone_id(zone) && is_ipv6address(address)).then_some(Literal::Ipv6Zone(zone))
}

/// ```text
/// ZoneID         = 1*( unreserved / pct-encoded )
/// ```
fn is_zone_id(mut text: &[u8]) -> bool {
    if text.is_empty() {
        return false;
    }
    loop {
        text = match text {
            [] => return true,
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest
            }
            [byte, rest @ ..] if UNRESERVED.has(*byte) => rest,
            _ => return false,
        };
    }
}

/// ```text
/// IPvFuture      = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
/// ```
fn is_ipvfuture(text: &[u8]) -> bool {
    let [b'v' | b'V', text @ ..] = text else {
        return false;
    };
    let is_digit = |byte: &&u8| byte.is_ascii_hexdigit();
    let version = text.iter().take_while(is_digit).count();
    match text.get(version..) {
        Some([b'.', address @ ..]) => {
            version > 0 && !address.is_empty() && address.iter().all(|&byte| IPVFUTURE.has(byte))
        }
        _ => false,
    }
}

/// ```text
/// IPv6address    =                            6( h16 ":" ) ls32
///                /                       "::" 5( h16 ":" ) ls32
///                / [               h16 ] "::" 4( h16 ":" ) ls32
///                / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
///                / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
///                / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
///                / [ *4( h16 ":" ) h16 ] "::"              ls32
///                / [ *5( h16 ":" ) h16 ] "::"              h16
///                / [ *6( h16 ":" ) h16 ] "::"
/// h16            = 1*4HEXDIG
/// ls32           = ( h16 ":" h16 ) / IPv4address
/// ```
/// The standard library reads exactly these.
pub(super) fn is_ipv6address(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// ```text
/// IPv4address    = dec-octet "." dec-octet "." dec-octet "." dec-octet
/// dec-octet      = DIGIT                 ; 0-9
///                / %x31-39 DIGIT         ; 10-99
///                / "1" 2DIGIT            ; 100-199
///                / "2" %x30-34 DIGIT     ; 200-249
///                / "25" %x30-35          ; 250-255
/// ```
/// The standard library reads exactly these.
fn is_ipv4address(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv4Addr>().is_ok())
}
