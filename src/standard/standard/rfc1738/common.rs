//! The productions that several schemes share: login, host, port, and the characters.

use super::chars::{HOST, UCHAR, USER, VISIBLE};
use super::{Components, Judge, NamedPart, Part, Problem, ProblemKind};
use crate::standard::disallowed::Disallowed;
use crate::text::byteset::ByteSet;

impl<'u, F: FnMut(Problem), N: FnMut(&[NamedPart])> Judge<'u, F, N> {
    /// ```text
    /// ip-schemepart  = "//" login [ "/" urlpath ]
    /// ```
    /// Splits the text after the two slashes before the first of `ends`.
    pub(super) fn ip_schemepart(&self, rest: Part, ends: &[u8]) -> (Part, Part) {
        rest.split_before(self.url, |byte| ends.contains(&byte))
    }

    /// ```text
    /// login          = [ user [ ":" password ] "@" ] hostport
    /// ```
    pub(super) fn login(&mut self, part: Part) -> Components {
        let Some(at) = part.rfind(self.url, b'@') else {
            return self.hostport(part);
        };
        let (user, password) = part.before(at).cut(self.url, b':');
        self.user(user);
        if let Some(password) = password {
            self.password(password);
        }
        Components {
            user: Some(user),
            password,
            ..self.hostport(part.starting_at(at + 1))
        }
    }

    /// Reads `hostport` at the start of `rest`, for the schemes whose production has no `login`;
    /// also returns the text after it, from the first `/` or `?` on.
    pub(super) fn hostport_without_login(&mut self, rest: Part) -> (Components, Part) {
        let (part, rest) = self.ip_schemepart(rest, b"/?");
        let part = self.refuse_userinfo(part);
        (self.hostport(part), rest)
    }

    /// Reports user and password in schemes that have neither; returns the text after them.
    pub(super) fn refuse_userinfo(&mut self, part: Part) -> Part {
        let Some(at) = part.rfind(self.url, b'@') else {
            return part;
        };
        let (userinfo, rest) = part.split_at(at + 1);
        self.problem(ProblemKind::UserinfoNotAllowed, userinfo);
        self.xchars(userinfo);
        rest
    }

    /// ```text
    /// hostport       = host [ ":" port ]
    /// ```
    pub(super) fn hostport(&mut self, part: Part) -> Components {
        let (host, port) = self.split_port(part);
        self.host(host);
        if let Some(port) = port {
            self.port(port);
        }
        Components::at_host(host, port)
    }

    /// Splits host and port at the colon between them. Colons inside brackets belong to the
    /// address.
    pub(super) fn split_port(&self, part: Part) -> (Part, Option<Part>) {
        let host = self
            .ip_literal(part)
            .map_or(part.start, |literal| literal.end);
        let (rest, port) = part.starting_at(host).cut(self.url, b':');
        (part.before(rest.end), port)
    }

    /// Returns the address in brackets that `part` begins with, if any.
    fn ip_literal(&self, part: Part) -> Option<Part> {
        if part.of(self.url).first() != Some(&b'[') {
            return None;
        }
        Some(part.before(part.find(self.url, b']')? + 1))
    }

    /// ```text
    /// host           = hostname | hostnumber
    /// ```
    pub(super) fn host(&mut self, part: Part) {
        if part.is_empty() {
            self.problem(ProblemKind::EmptyHost, part);
            return;
        }
        if let Some(literal) = self.ip_literal(part) {
            self.problem(ProblemKind::IpLiteral, literal);
            self.disallowed_characters(part.starting_at(literal.end), &HOST, false);
            return;
        }
        if self.disallowed_characters(part, &HOST, false) && !self.hostnumber(part) {
            self.hostname(part);
        }
    }

    /// ```text
    /// hostname       = *[ domainlabel "." ] toplabel
    /// domainlabel    = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
    /// toplabel       = alpha | alpha *[ alphadigit | "-" ] alphadigit
    /// ```
    fn hostname(&mut self, part: Part) {
        let host = part.of(self.url);
        let mut last_dot = None;
        let mut start = 0;
        for end in 0..=host.len() {
            if host.get(end).is_some_and(|&byte| byte != b'.') {
                continue;
            }
            let label = &host[start..end];
            let top = end == host.len();
            let bad = match label {
                // The dot before an empty label; for an empty label in front, its own dot.
                [] => {
                    let dot = start.saturating_sub(1);
                    let again = last_dot.replace(dot) == Some(dot);
                    (!again).then_some(Part::new(dot, dot + 1))
                }
                [first, ..] => {
                    let hyphen_at_edge = *first == b'-' || label.ends_with(b"-");
                    let is_bad = hyphen_at_edge || (top && !first.is_ascii_alphabetic());
                    is_bad.then_some(Part::new(start, end))
                }
            };
            if let Some(bad) = bad {
                self.problem(ProblemKind::BadHost, part.within(bad));
            }
            start = end + 1;
        }
    }

    /// ```text
    /// hostnumber     = digits "." digits "." digits "." digits
    /// ```
    fn hostnumber(&self, part: Part) -> bool {
        let host = part.of(self.url);
        if !host.first().is_some_and(u8::is_ascii_digit) {
            return false;
        }
        let digits = |label: &[u8]| !label.is_empty() && label.iter().all(u8::is_ascii_digit);
        let mut count = 0;
        host.split(|&byte| byte == b'.').all(|label| {
            count += 1;
            digits(label)
        }) && count == 4
    }

    /// ```text
    /// port           = digits
    /// ```
    fn port(&mut self, port: Part) {
        if port.is_empty() {
            self.problem(ProblemKind::EmptyPort, port.starting_at(port.start - 1));
        } else {
            self.digits(port, ProblemKind::BadPort);
        }
    }

    /// ```text
    /// digits         = 1*digit
    /// ```
    pub(super) fn digits(&mut self, part: Part, kind: ProblemKind) {
        let digits = part.of(self.url).iter().all(u8::is_ascii_digit);
        if !digits && self.xchars(part) {
            self.problem(kind, part);
        }
    }

    /// ```text
    /// user           = *[ uchar | ";" | "?" | "&" | "=" ]
    /// ```
    fn user(&mut self, part: Part) {
        self.characters(part, &USER);
    }

    /// ```text
    /// password       = *[ uchar | ";" | "?" | "&" | "=" ]
    /// ```
    fn password(&mut self, part: Part) {
        self.characters(part, &USER);
    }

    /// ```text
    /// uchar          = unreserved | escape
    /// xchar          = unreserved | reserved | escape
    /// ```
    /// Reports every character of `part` that is neither in `class` nor an escape; returns whether
    /// there was none.
    pub(super) fn characters(&mut self, part: Part, class: &ByteSet) -> bool {
        self.disallowed_characters(part, class, true)
    }

    /// Does the same, for a component without escapes unless `escapes`.
    #[inline(always)]
    pub(super) fn disallowed_characters(
        &mut self,
        part: Part,
        class: &ByteSet,
        escapes: bool,
    ) -> bool {
        let mut clean = true;
        let mut at = part.start;
        loop {
            at = part.starting_at(at).past(self.url, class);
            if at == part.end {
                return clean;
            }
            let (disallowed, found) = VISIBLE.first_of(self.url, part.starting_at(at));
            if !(escapes && disallowed == Disallowed::Escape) {
                clean = false;
                self.problem(disallowed.problem(), found);
            }
            at = found.end;
        }
    }

    /// Judges the characters of `part` up to the first `byte`, which is not in `class`; returns
    /// the text before and after it.
    pub(super) fn characters_up_to(
        &mut self,
        byte: u8,
        part: Part,
        class: &ByteSet,
    ) -> (Part, Option<Part>) {
        let mut end = part.past(self.url, class);
        let rest = part.starting_at(end);
        if rest
            .of(self.url)
            .first()
            .is_some_and(|&first| first != byte)
        {
            end = rest.find(self.url, byte).unwrap_or(rest.end);
            self.characters(rest.before(end), class);
        }
        let after = (end < part.end).then(|| part.starting_at(end + 1));
        (part.before(end), after)
    }
}

/// Returns whether `host` is a `hostname` or a `hostnumber`.
#[doc(hidden)]
pub fn is_host(host: &[u8]) -> bool {
    let mut valid = true;
    Judge::new(host, |_| valid = false, |_| {}).host(Part::all(host));
    valid
}

/// Reports where `fragment`, without the `#` before it, departs from RFC 1808: `fragment = *( uchar
/// | reserved )`. The parts are parts of `fragment`.
pub(in crate::standard) fn judge_fragment(fragment: &[u8], report: impl FnMut(Problem)) {
    Judge::new(fragment, report, |_| {}).xchars(Part::all(fragment));
}

/// Returns whether `byte` is `unreserved`.
#[doc(hidden)]
pub fn is_unreserved(byte: u8) -> bool {
    UCHAR.has(byte)
}
