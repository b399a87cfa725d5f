//! The components of a URL, named as the grammar names them.

use super::authority::Authority;
use super::ip::{Literal, ip_literal, is_ipv4address};
use super::{Parsed, Part};
use crate::standard;

/// The components of a URL (section 3).
///
/// An absent component is `None`; one that is present but empty is an empty [`Part`]. A URL with a
/// scheme always has a path. An invalid URL has the components that can still be distinguished;
/// without a scheme there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Components {
    /// The scheme, without its colon.
    pub scheme: Option<Part>,
    /// The text before the `@` of the authority: a user name, and perhaps more after a colon.
    pub userinfo: Option<Part>,
    /// The host, with the brackets of an IP address.
    pub host: Option<Part>,
    /// The port, without its colon.
    pub port: Option<Part>,
    /// The path, including the slash that it may begin with.
    pub path: Option<Part>,
    /// The query, without its `?`.
    pub query: Option<Part>,
    /// The fragment, without its `#`.
    pub fragment: Option<Part>,
}

impl Components {
    pub(super) fn with_authority(self, authority: Option<Authority>) -> Components {
        let Some(Authority {
            userinfo,
            host,
            port,
        }) = authority
        else {
            return self;
        };
        Components {
            userinfo,
            host: Some(host),
            port,
            ..self
        }
    }

    /// Returns every component with its name, in the order of the grammar; an absent one is `None`.
    ///
    /// ```
    /// use urlint::standard::rfc3986::parse;
    ///
    /// let parsed = parse(b"mailto:a@b.example");
    /// let parts = parsed.components.named_parts();
    /// let present = parts.iter().filter(|(_, part)| part.is_some());
    /// let names: Vec<_> = present.map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["scheme", "path"]);
    /// ```
    #[must_use]
    pub fn named_parts(&self) -> [(&'static str, Option<Part>); 7] {
        [
            ("scheme", self.scheme),
            ("userinfo", self.userinfo),
            ("host", self.host),
            ("port", self.port),
            ("path", self.path),
            ("query", self.query),
            ("fragment", self.fragment),
        ]
    }

    /// Returns the components that every standard has. `userinfo` is split at its first colon into
    /// user name and password (section 3.2.1).
    #[inline]
    pub(crate) fn in_common(self, url: &[u8]) -> standard::Components {
        let (user, password) = match self.userinfo {
            None => (None, None),
            Some(userinfo) => match userinfo.find(url, b':') {
                Some(at) => (
                    Some(userinfo.before(at)),
                    Some(userinfo.starting_at(at + 1)),
                ),
                None => (Some(userinfo), None),
            },
        };
        standard::Components {
            scheme: self.scheme,
            user,
            password,
            host: self.host,
            port: self.port,
            path: self.path,
            query: self.query,
            fragment: self.fragment,
        }
    }
}

/// What a host is by the grammar (section 3.2.2), where the first matching alternative counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostKind {
    /// `IPv4address`: four decimal numbers up to 255, without leading zeros.
    Ipv4,
    /// `IPv6address` in brackets, with or without a zone identifier: see [`Parsed::zone_id`].
    Ipv6,
    /// `IPvFuture` in brackets.
    IpvFuture,
    /// `reg-name`: anything else, whether or not it is a host name; it may be empty.
    RegName,
}

impl HostKind {
    /// Returns the name: `ipv4`, `ipv6`, `ipvfuture` or `reg-name`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HostKind::Ipv4 => "ipv4",
            HostKind::Ipv6 => "ipv6",
            HostKind::IpvFuture => "ipvfuture",
            HostKind::RegName => "reg-name",
        }
    }
}

impl<'u> Parsed<'u> {
    /// Returns the scheme's name, as written.
    #[must_use]
    pub fn scheme(&self) -> Option<&'u str> {
        str::from_utf8(self.slice(self.components.scheme?)).ok()
    }

    /// Returns the bytes of the host, with the brackets of an IP address.
    #[must_use]
    pub fn host(&self) -> Option<&'u [u8]> {
        self.components.host.map(|part| self.slice(part))
    }

    /// Returns what the host is; `None` if there is none, or if it begins with a bracket and is not
    /// an IP address.
    ///
    /// ```
    /// use urlint::standard::rfc3986::{HostKind, parse};
    ///
    /// let kind = |url: &'static str| parse(url.as_bytes()).host_kind();
    /// assert_eq!(kind("http://192.0.2.1/"), Some(HostKind::Ipv4));
    /// assert_eq!(kind("http://192.0.2.256/"), Some(HostKind::RegName));
    /// assert_eq!(kind("http://[2001:db8::1]/"), Some(HostKind::Ipv6));
    /// assert_eq!(kind("http://[v1.a:b]/"), Some(HostKind::IpvFuture));
    /// assert_eq!(kind("http://[::1/"), None);
    /// assert_eq!(kind("mailto:a@b.example"), None);
    /// ```
    #[must_use]
    pub fn host_kind(&self) -> Option<HostKind> {
        let host = self.host()?;
        if host.first() != Some(&b'[') {
            let ipv4 = is_ipv4address(host);
            return Some(if ipv4 {
                HostKind::Ipv4
            } else {
                HostKind::RegName
            });
        }
        Some(match self.literal()? {
            Literal::Ipv6 | Literal::Ipv6Zone(_) => HostKind::Ipv6,
            Literal::IpvFuture => HostKind::IpvFuture,
        })
    }

    /// Returns the zone identifier of an IPv6 address, without the `%25` before it (RFC 6874,
    /// section 2).
    ///
    /// ```
    /// use urlint::standard::rfc3986::parse;
    ///
    /// let parsed = parse(b"http://[fe80::1%25en0]/");
    /// let zone = parsed.zone_id().map(|part| parsed.slice(part));
    /// assert_eq!(zone, Some(&b"en0"[..]));
    /// assert_eq!(parse(b"http://[fe80::1]/").zone_id(), None);
    /// ```
    #[must_use]
    pub fn zone_id(&self) -> Option<Part> {
        let host = self.components.host?;
        match self.literal()? {
            Literal::Ipv6Zone(at) => Some(Part::new(
                host.range().start + "[".len() + at,
                host.range().end - "]".len(),
            )),
            _ => None,
        }
    }

    fn literal(&self) -> Option<Literal> {
        ip_literal(self.host()?.strip_prefix(b"[")?.strip_suffix(b"]")?)
    }
}
