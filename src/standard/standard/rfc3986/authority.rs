//! Section 3.2: user information, host and port.

use super::chars::{ANY, ANY_ASCII, REG_NAME, USERINFO};
use super::ip::in_brackets;
use super::{Components, Judge, Part, Problem, ProblemKind};

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// Splits the authority at the start of `rest`, if two slashes precede it; also returns the
    /// rest after it. It ends before the first `/`, `?` or `#` (Appendix B).
    pub(super) fn before_authority(&self, rest: Part) -> (Components, Part) {
        if !rest.of(self.url).starts_with(b"//") {
            return (Components::default(), rest);
        }
        let (authority, rest) = self.before_any(b"/?#", rest.skip(2));
        (self.split_authority(authority), rest)
    }

    /// ```text
    /// authority      = [ userinfo "@" ] host [ ":" port ]
    /// ```
    /// Judges the authority of `components`, if they have one.
    pub(super) fn authority(&mut self, components: &Components) {
        if let Some(userinfo) = components.userinfo() {
            self.userinfo(userinfo);
        }
        if let Some(host) = components.host {
            self.host(host);
        }
        if let Some(port) = components.port {
            self.port(port);
        }
    }

    /// Splits an authority at the last `@`, and at the first colon after it; the text before the `@`
    /// at its first colon (section 3.2.1). Colons inside brackets belong to the address.
    fn split_authority(&self, part: Part) -> Components {
        let mut bytes = part.of(self.url).iter();
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
        let (user, password) = match userinfo.map(|userinfo| userinfo.cut(self.url, b':')) {
            Some((user, password)) => (Some(user), password),
            None => (None, None),
        };
        Components {
            user,
            password,
            ..Components::at_host(hostport.before(rest_of_host.end), port)
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
        if part.of(self.url).first() != Some(&b'[') {
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
        if in_brackets(literal.of(self.url)).is_none() {
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
        let digits = part.of(self.url).iter().all(u8::is_ascii_digit);
        if !digits && self.characters(part, &ANY_ASCII) {
            self.problem(ProblemKind::BadPort, part);
        }
    }
}
