//! The productions that several schemes share: login, host, port, and the characters.

use super::chars::{HOST, UCHAR, USER, code_point_len, is_reserved, is_unsafe};
use super::{Hostport, Judge, Login, Part, Problem, ProblemKind};
use crate::text::byteset::ByteSet;

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// ip-schemepart  = "//" login [ "/" urlpath ]
    /// ```
    /// What follows the two slashes, split into what stands before the first of `ends` and the
    /// rest, that character included.
    pub(super) fn ip_schemepart(&self, rest: Part, ends: &[u8]) -> (Part, Part) {
        let end = self.url[rest.clone()]
            .iter()
            .position(|byte| ends.contains(byte))
            .map_or(rest.end, |at| rest.start + at);
        (rest.start..end, end..rest.end)
    }

    /// ```text
    /// login          = [ user [ ":" password ] "@" ] hostport
    /// ```
    pub(super) fn login(&mut self, part: Part) -> Login {
        let Some(at) = memchr::memrchr(b'@', &self.url[part.clone()]) else {
            return Login::without_user(self.hostport(part));
        };
        let userinfo = part.start..part.start + at;
        let (user, password) = match self.split(userinfo.clone(), b':') {
            Some((user, password)) => (user, Some(password)),
            None => (userinfo, None),
        };
        self.user(user.clone());
        if let Some(password) = &password {
            self.password(password.clone());
        }
        Login {
            user: Some(user),
            password,
            hostport: self.hostport(part.start + at + 1..part.end),
        }
    }

    /// `hostport` for the schemes whose production has no `login`, at the start of `rest`; returns
    /// what follows it, the first of `/` and `?` included.
    pub(super) fn hostport_without_login(&mut self, rest: Part) -> (Hostport, Part) {
        let (part, rest) = self.ip_schemepart(rest, b"/?");
        let part = self.refuse_userinfo(part);
        (self.hostport(part), rest)
    }

    /// Reports user and password where the grammar has none; returns what follows them.
    pub(super) fn refuse_userinfo(&mut self, part: Part) -> Part {
        let Some(at) = memchr::memrchr(b'@', &self.url[part.clone()]) else {
            return part;
        };
        let after = part.start + at + 1;
        self.problem(ProblemKind::UserinfoNotAllowed, part.start..after);
        self.xchars(part.start..after);
        after..part.end
    }

    /// ```text
    /// hostport       = host [ ":" port ]
    /// ```
    pub(super) fn hostport(&mut self, part: Part) -> Hostport {
        let (host, colon) = self.split_port(part.clone());
        self.host(host.clone());
        let port = colon.map(|colon| {
            self.port(colon, part.end);
            colon + 1..part.end
        });
        Hostport { host, port }
    }

    /// The host, and where the colon before the port stands; the colons of an IPv6 address in
    /// brackets are no such colon.
    pub(super) fn split_port(&self, part: Part) -> (Part, Option<usize>) {
        let literal = self.ip_literal(part.clone()).unwrap_or(0);
        match memchr::memchr(b':', &self.url[part.start + literal..part.end]) {
            Some(at) => {
                let colon = part.start + literal + at;
                (part.start..colon, Some(colon))
            }
            None => (part, None),
        }
    }

    /// How long the address in brackets is with which `part` begins, if it does.
    fn ip_literal(&self, part: Part) -> Option<usize> {
        let text = &self.url[part];
        if text.first() != Some(&b'[') {
            return None;
        }
        memchr::memchr(b']', text).map(|close| close + 1)
    }

    /// ```text
    /// host           = hostname | hostnumber
    /// ```
    pub(super) fn host(&mut self, part: Part) {
        if part.is_empty() {
            self.problem(ProblemKind::EmptyHost, part);
            return;
        }
        if let Some(len) = self.ip_literal(part.clone()) {
            self.problem(ProblemKind::IpLiteral, part.start..part.start + len);
            self.host_characters(part.start + len..part.end);
            return;
        }
        if self.host_characters(part.clone()) && !self.hostnumber(part.clone()) {
            self.hostname(part);
        }
    }

    /// ```text
    /// hostname       = *[ domainlabel "." ] toplabel
    /// domainlabel    = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
    /// toplabel       = alpha | alpha *[ alphadigit | "-" ] alphadigit
    /// ```
    fn hostname(&mut self, part: Part) {
        let host = &self.url[part.clone()];
        let mut last_dot = None;
        let mut start = 0;
        for end in 0..=host.len() {
            if host.get(end).is_some_and(|&byte| byte != b'.') {
                continue;
            }
            let label = &host[start..end];
            let top = end == host.len();
            let fault = match label {
                // The dot before an empty label; a dot in front has only itself.
                [] => {
                    let dot = start.saturating_sub(1);
                    let again = last_dot.replace(dot) == Some(dot);
                    (!again).then_some(dot..dot + 1)
                }
                [first, ..] => {
                    let hyphen_at_edge = *first == b'-' || label.ends_with(b"-");
                    let faulty = hyphen_at_edge || (top && !first.is_ascii_alphabetic());
                    faulty.then_some(start..end)
                }
            };
            if let Some(fault) = fault {
                self.problem(
                    ProblemKind::BadHost,
                    part.start + fault.start..part.start + fault.end,
                );
            }
            start = end + 1;
        }
    }

    /// ```text
    /// hostnumber     = digits "." digits "." digits "." digits
    /// ```
    fn hostnumber(&self, part: Part) -> bool {
        if !self.url[part.start].is_ascii_digit() {
            return false;
        }
        let mut count = 0;
        let digits =
            |label: &[u8]| !label.is_empty() && label.iter().all(|&byte| byte.is_ascii_digit());
        self.url[part].split(|&byte| byte == b'.').all(|label| {
            count += 1;
            digits(label)
        }) && count == 4
    }

    /// ```text
    /// port           = digits
    /// ```
    fn port(&mut self, colon: usize, end: usize) {
        let port = colon + 1..end;
        if port.is_empty() {
            self.problem(ProblemKind::EmptyPort, colon..end);
        } else {
            self.digits(port, ProblemKind::BadPort);
        }
    }

    /// ```text
    /// digits         = 1*digit
    /// ```
    pub(super) fn digits(&mut self, part: Part, kind: ProblemKind) {
        let digits = self.url[part.clone()]
            .iter()
            .all(|&byte| byte.is_ascii_digit());
        if !digits && self.xchars(part.clone()) {
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
        let mut clean = true;
        let mut at = part.start;
        loop {
            at = class.skip(&self.url[..part.end], at);
            if at == part.end {
                return clean;
            }
            let (kind, len) = self.character(at, part.end);
            if kind != Misfit::Escape {
                clean = false;
                self.problem(kind.problem(), at..at + len);
            }
            at += len;
        }
    }

    /// The same for the components that admit no escapes, and hosts.
    pub(super) fn host_characters(&mut self, part: Part) -> bool {
        self.characters_without_escapes(part, &HOST)
    }

    pub(super) fn characters_without_escapes(&mut self, part: Part, class: &ByteSet) -> bool {
        let mut clean = true;
        let mut at = part.start;
        loop {
            at = class.skip(&self.url[..part.end], at);
            if at == part.end {
                return clean;
            }
            let (kind, len) = self.character(at, part.end);
            clean = false;
            self.problem(kind.problem(), at..at + len);
            at += len;
        }
    }

    /// What the character at `at` is, given that its component does not admit it as it stands,
    /// and how many bytes it takes.
    pub(super) fn character(&self, at: usize, end: usize) -> (Misfit, usize) {
        let text = &self.url[at..end];
        match text {
            [b'%', rest @ ..] => match rest {
                [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                    (Misfit::Escape, 3)
                }
                [high, ..] if high.is_ascii_hexdigit() => (Misfit::BadEscape, 2),
                _ => (Misfit::BadEscape, 1),
            },
            [b' ', ..] => (Misfit::Space, 1),
            [0..=0x1F | 0x7F, ..] => (Misfit::Control, 1),
            [0x80..=0xFF, ..] => (Misfit::NonAscii, code_point_len(text)),
            [byte, ..] if is_unsafe(*byte) => (Misfit::Unsafe, 1),
            [byte, ..] if is_reserved(*byte) => (Misfit::Reserved, 1),
            _ => (Misfit::Unreserved, 1),
        }
    }

    /// Judges the characters of `part` up to the first `byte`, which is not in `class`; returns
    /// what stands before and behind it.
    pub(super) fn characters_up_to(
        &mut self,
        byte: u8,
        part: Part,
        class: &ByteSet,
    ) -> (Part, Option<Part>) {
        let clean = class.skip(&self.url[..part.end], part.start);
        let mut end = clean;
        if clean < part.end && self.url[clean] != byte {
            let found = memchr::memchr(byte, &self.url[clean..part.end]);
            end = found.map_or(part.end, |at| clean + at);
            self.characters(clean..end, class);
        }
        let behind = (end < part.end).then(|| end + 1..part.end);
        (part.start..end, behind)
    }

    /// Splits `part` at the first `byte`, which goes with neither side.
    pub(super) fn split(&self, part: Part, byte: u8) -> Option<(Part, Part)> {
        let at = part.start + memchr::memchr(byte, &self.url[part.clone()])?;
        Some((part.start..at, at + 1..part.end))
    }
}

/// A character that does not fit where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    Control,
    Space,
    NonAscii,
    Unsafe,
    BadEscape,
    Reserved,
    Unreserved,
    Escape,
}

impl Misfit {
    pub(super) fn problem(self) -> ProblemKind {
        match self {
            Misfit::Control => ProblemKind::ControlCharacter,
            Misfit::Space => ProblemKind::RawSpace,
            Misfit::NonAscii => ProblemKind::NonAscii,
            Misfit::Unsafe => ProblemKind::UnsafeCharacter,
            Misfit::BadEscape => ProblemKind::BadEscape,
            Misfit::Reserved => ProblemKind::ReservedCharacter,
            Misfit::Unreserved | Misfit::Escape => ProblemKind::MisplacedCharacter,
        }
    }

    /// Whether the character could stand in no component at all.
    pub(super) fn is_never_legal(self) -> bool {
        !matches!(self, Misfit::Reserved | Misfit::Unreserved | Misfit::Escape)
    }
}

/// Whether `host` is a `hostname` or a `hostnumber`.
pub(crate) fn is_host(host: &[u8]) -> bool {
    let mut valid = true;
    Judge {
        url: host,
        report: |_| valid = false,
    }
    .host(0..host.len());
    valid
}

/// Where `fragment` departs from RFC 1808's `fragment = *( uchar | reserved )`, the `#` before it
/// not included.
pub(crate) fn judge_fragment(fragment: &[u8], report: impl FnMut(Problem)) {
    Judge {
        url: fragment,
        report,
    }
    .xchars(0..fragment.len());
}

/// Whether `byte` may stand raw in some component: `unreserved`.
pub(crate) fn is_unreserved(byte: u8) -> bool {
    UCHAR.has(byte)
}
