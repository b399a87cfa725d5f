//! Section 3.2: user information, host and port.

use super::chars::{ANY, ANY_ASCII, REG_NAME, USERINFO};
use super::ip::ip_literal;
use super::{Judge, Part, Problem, ProblemKind};

/// An authority taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Authority {
    /// The text before the last `@`.
    pub(super) userinfo: Option<Part>,
    /// The host, with its brackets if it has them.
    pub(super) host: Part,
    /// The text after the colon that follows the host.
    pub(super) port: Option<Part>,
}

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// Returns the authority at the start of `rest`, if two slashes precede it, and what follows
    /// it. It ends before the first `/`, `?` or `#` (Appendix B).
    pub(super) fn before_authority(&self, rest: Part) -> (Option<Part>, Part) {
        if !self.bytes(rest).starts_with(b"//") {
            return (None, rest);
        }
        let (authority, rest) = self.before_any(b"/?#", rest.skip(2));
        (Some(authority), rest)
    }

    /// ```text
    /// authority      = [ userinfo "@" ] host [ ":" port ]
    /// ```
    pub(super) fn authority(&mut self, part: Part) -> Authority {
        let authority = self.split_authority(part);
        if let Some(userinfo) = authority.userinfo {
            self.userinfo(userinfo);
        }
        self.host(authority.host);
        if let Some(port) = authority.port {
            self.port(port);
        }
        authority
    }

    /// Splits an authority at the last `@`, and at the first colon after it. Colons inside brackets
    /// belong to the address.
    pub(super) fn split_authority(&self, part: Part) -> Authority {
        let mut bytes = self.bytes(part).iter();
        let (userinfo, hostport) = match bytes.rposition(|&byte| byte == b'@') {
            Some(at) => {
                let (userinfo, rest) = part.split_at(part.start + at as u32);
                (Some(userinfo), rest.skip(1))
            }
            None => (None, part),
        };
        let after_literal = self
            .brackets(hostport)
            .map_or(hostport, |literal| hostport.starting_at(literal.end));
        let (rest_of_host, port) = after_literal.cut(self.url, b':');
        Authority {
            userinfo,
            host: hostport.before(rest_of_host.end),
            port,
        }
    }

    /// ```text
    /// userinfo       = *( unreserved / pct-encoded / sub-delims / ":" )
    /// ```
    pub(super) fn userinfo(&mut self, part: Part) {
        self.characters(part, &USERINFO);
    }

    /// Returns the brackets that `part` begins with, if any; up to its end if they are not closed.
    fn brackets(&self, part: Part) -> Option<Part> {
        if self.bytes(part).first() != Some(&b'[') {
            return None;
        }
        let end = part.find(self.url, b']').map_or(part.end, |at| at + 1);
        Some(part.before(end))
    }

    /// ```text
    /// host           = IP-literal / IPv4address / reg-name
    /// reg-name       = *( unreserved / pct-encoded / sub-delims )
    /// ```
    /// Every `IPv4address` is also a `reg-name`.
    pub(super) fn host(&mut self, part: Part) {
        let Some(literal) = self.brackets(part) else {
            self.characters(part, &REG_NAME);
            return;
        };
        let address = self.bytes(literal).strip_prefix(b"[");
        let address = address.and_then(|text| text.strip_suffix(b"]"));
        if address.and_then(ip_literal).is_none() {
            self.problem(ProblemKind::BadIpLiteral, literal);
        }
        let rest = part.starting_at(literal.end);
        if !rest.is_empty() && self.characters(rest, &ANY) {
            self.problem(ProblemKind::BadHost, rest);
        }
    }

    /// ```text
    /// port           = *DIGIT
    /// ```
    fn port(&mut self, part: Part) {
        let digits = self.bytes(part).iter().all(u8::is_ascii_digit);
        if !digits && self.characters(part, &ANY_ASCII) {
            self.problem(ProblemKind::BadPort, part);
        }
    }
}
