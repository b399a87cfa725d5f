//! The URL parser, reduced to recording errors: the states of the standard's section "URL parsing",
//! with one function for the states of each component.
//!
//! The parser reads one code point after another and moves its pointer back; here a component is
//! found first and then read, with the same result. The parser ends at a failure. Judging continues
//! after it, with the components that can still be distinguished: path, query and fragment.

use super::chars::{SCHEME, URL, disallowed, is_forbidden_in_host};
use super::{Components, Part, Problem, ProblemKind, ValidationError, ipv6};

/// The URL to judge, without the characters that the parser drops, and the function that each problem
/// is passed to.
pub(super) struct Judge<'j> {
    pub(super) url: &'j [u8],
    /// Whether the parser has failed.
    pub(super) has_failed: bool,
    pub(super) report: &'j mut dyn FnMut(Problem),
}

/// The kinds of schemes that the parser distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    /// A special scheme other than file, with its default port.
    Special(u16),
    Other,
}

impl Kind {
    /// Looks up `scheme`, ignoring case.
    pub(super) fn of(scheme: &[u8]) -> Kind {
        let is = |name: &str| scheme.eq_ignore_ascii_case(name.as_bytes());
        match scheme.len() {
            2 if is("ws") => Kind::Special(80),
            3 if is("wss") => Kind::Special(443),
            3 if is("ftp") => Kind::Special(21),
            4 if is("http") => Kind::Special(80),
            4 if is("file") => Kind::File,
            5 if is("https") => Kind::Special(443),
            _ => Kind::Other,
        }
    }

    pub(super) fn is_special(self) -> bool {
        self != Kind::Other
    }

    /// Returns whether `byte` is a slash in URLs of this kind.
    pub(super) fn is_slash(self, byte: u8) -> bool {
        byte == b'/' || byte == b'\\' && self.is_special()
    }
}

impl<'j> Judge<'j> {
    pub(super) fn new(url: &'j [u8], report: &'j mut dyn FnMut(Problem)) -> Self {
        Judge {
            url,
            has_failed: false,
            report,
        }
    }

    /// Scheme start state, scheme state, no scheme state.
    pub(super) fn url(&mut self) -> Components {
        let url = self.url;
        let mut name = Part::at(0);
        if url.first().is_some_and(u8::is_ascii_alphabetic) {
            name.end = SCHEME.skip(url, 0) as u32;
        }
        if name.is_empty() || url.get(name.len()) != Some(&b':') {
            self.no_scheme();
            return Components::default();
        }
        let mut components = Components {
            scheme: Some(name),
            ..Components::default()
        };
        let rest = Part::all(url).starting_at(name.end + 1);
        let kind = Kind::of(name.of(self.url));
        let rest = match kind {
            Kind::File => self.file(rest, &mut components),
            Kind::Special(_) => {
                let rest = self.slashes(rest);
                self.authority(kind, rest, &mut components)
            }
            Kind::Other if rest.of(self.url).starts_with(b"//") => {
                self.authority(kind, rest.skip(2), &mut components)
            }
            Kind::Other => rest,
        };
        self.path(kind, rest, &mut components);
        components
    }

    fn no_scheme(&mut self) {
        let url = self.url;
        let end = url.iter().position(|byte| b":/?#".contains(byte));
        let error = ValidationError::MissingSchemeNonRelativeUrl;
        let all = Part::all(url);
        match end {
            Some(0) if url[0] == b':' => self.failure(error, ProblemKind::NoScheme, Part::at(0)),
            Some(end) if url[end] == b':' => {
                for character in Part::new(0, end).characters(url) {
                    let byte = character.of(url)[0];
                    let is_first = character.start == 0;
                    if !SCHEME.has(byte) || is_first && !byte.is_ascii_alphabetic() {
                        self.failure(error, ProblemKind::BadScheme, character);
                    }
                }
            }
            _ => self.failure(error, ProblemKind::NoScheme, all),
        }
    }

    /// Special authority slashes state, special authority ignore slashes state. Returns the rest
    /// after the slashes.
    fn slashes(&mut self, rest: Part) -> Part {
        let error = ValidationError::SpecialSchemeMissingFollowingSolidus;
        let text = rest.of(self.url);
        let count = text.iter().take_while(|byte| b"/\\".contains(byte)).count();
        let slashes = Part::new(0, count);
        if text.starts_with(b"//") {
            for (at, &slash) in text.iter().enumerate().take(count).skip(2) {
                let kind = if slash == b'/' {
                    ProblemKind::ExtraSlash
                } else {
                    ProblemKind::UnsafeCharacter
                };
                self.error(error, kind, rest.within(Part::new(at, at + 1)));
            }
        } else {
            self.error(error, ProblemKind::MissingSlashes, rest.within(slashes));
        }
        rest.skip(count as u32)
    }

    /// Authority state, host state, port state: reads the authority at the start of `rest`. Returns
    /// the text after it.
    fn authority(&mut self, kind: Kind, rest: Part, components: &mut Components) -> Part {
        let (authority, rest) = self.split_authority(kind, rest);
        let mut hostport = authority;
        if let Some(at) = authority.rfind(self.url, b'@') {
            let (userinfo, after) = authority.split_at(at + 1);
            let error = ValidationError::InvalidCredentials;
            self.error(error, ProblemKind::UserinfoNotAllowed, userinfo);
            let (user, password) = authority.before(at).cut(self.url, b':');
            components.user = Some(user);
            components.password = password;
            hostport = after;
        }
        let (host, port) = self.split_port(hostport);
        components.host = Some(host);
        components.port = port;
        let must_have_host = kind.is_special() || port.is_some() || components.user.is_some();
        if !host.is_empty() {
            self.host(kind, host);
        } else if must_have_host {
            self.failure(ValidationError::HostMissing, ProblemKind::EmptyHost, host);
        }
        if let Some(port) = port.filter(|_| !self.has_failed) {
            self.port(port);
        }
        rest
    }

    /// Splits `rest` at the end of the authority that it begins with.
    fn split_authority(&self, kind: Kind, rest: Part) -> (Part, Part) {
        rest.split_before(self.url, |byte| {
            matches!(byte, b'?' | b'#') || kind.is_slash(byte)
        })
    }

    /// Splits host and port at the first colon outside of brackets.
    fn split_port(&self, hostport: Part) -> (Part, Option<Part>) {
        let mut is_inside = false;
        let colon = hostport.of(self.url).iter().position(|&byte| {
            match byte {
                b'[' => is_inside = true,
                b']' => is_inside = false,
                _ => {}
            }
            byte == b':' && !is_inside
        });
        match colon {
            None => (hostport, None),
            Some(at) => {
                let (host, rest) = hostport.split_at(hostport.start + at as u32);
                (host, Some(rest.skip(1)))
            }
        }
    }

    /// Host parsing, for a host that is not empty.
    fn host(&mut self, kind: Kind, host: Part) {
        if host.of(self.url).starts_with(b"[") {
            self.ip_literal(host);
        } else if kind.is_special() {
            self.domain(host);
        } else {
            self.opaque_host(host);
        }
    }

    /// Host parsing, for a host that begins with a bracket.
    fn ip_literal(&mut self, host: Part) {
        let address = inside_brackets(host.of(self.url));
        let result = match address {
            None => Err(ValidationError::Ipv6Unclosed),
            Some(address) => ipv6::parse(address, |piece| {
                let error = ValidationError::Ipv6PieceLeadingZero;
                let piece = host.skip(1).within(piece);
                self.error(error, ProblemKind::Ipv6Form, piece);
            }),
        };
        if let Err(error) = result {
            self.failure(error, ProblemKind::BadIpLiteral, host);
        }
    }

    /// The opaque-host parser.
    fn opaque_host(&mut self, host: Part) {
        let text = host.of(self.url);
        match text.iter().position(|&byte| is_forbidden_in_host(byte)) {
            Some(at) => {
                let (Some(kind), len) = disallowed(&text[at..]) else {
                    return;
                };
                let character = host.within(Part::new(at, at + len));
                self.failure(ValidationError::HostInvalidCodePoint, kind, character);
            }
            None => self.url_units(host),
        }
    }

    /// Port state.
    fn port(&mut self, port: Part) {
        let text = port.of(self.url);
        if !text.iter().all(u8::is_ascii_digit) {
            self.failure(ValidationError::PortInvalid, ProblemKind::BadPort, port);
        } else if port_number(text).is_none() {
            self.failure(
                ValidationError::PortOutOfRange,
                ProblemKind::PortRange,
                port,
            );
        }
    }

    /// File state, file slash state, file host state. Returns where the path begins.
    fn file(&mut self, rest: Part, components: &mut Components) -> Part {
        let text = rest.of(self.url);
        if !text.starts_with(b"//") {
            let error = ValidationError::SpecialSchemeMissingFollowingSolidus;
            let missing = Part::at(rest.start);
            self.error(error, ProblemKind::MissingSlashes, missing);
        }
        let slashes = text.iter().take_while(|&&byte| Kind::File.is_slash(byte));
        if slashes.take(2).count() < 2 {
            return rest;
        }
        for (at, &slash) in text.iter().enumerate().take(2) {
            if slash == b'\\' {
                self.reverse_solidus(rest.within(Part::new(at, at + 1)));
            }
        }
        let (host, path) = self.split_authority(Kind::File, rest.skip(2));
        if is_drive_letter(host.of(self.url)) {
            let error = ValidationError::FileInvalidWindowsDriveLetterHost;
            self.error(error, ProblemKind::DriveLetter, host);
            components.host = Some(Part::at(host.start));
            return rest.starting_at(host.start);
        }
        components.host = Some(host);
        if !host.is_empty() {
            self.host(Kind::File, host);
        }
        path
    }

    /// Path start state, path state, opaque path state, query state, fragment state: reads all of
    /// `rest`.
    fn path(&mut self, kind: Kind, rest: Part, components: &mut Components) {
        let (rest, fragment) = rest.cut(self.url, b'#');
        let (path, query) = rest.cut(self.url, b'?');
        components.path = Some(path);
        components.query = query;
        components.fragment = fragment;
        // A drive letter where the host belongs has already been reported.
        let read = match components.host {
            Some(host) if kind == Kind::File && host.end == path.start => {
                let drive = path.of(self.url).get(..2).is_some_and(is_drive_letter);
                if drive { path.skip(2) } else { path }
            }
            _ => path,
        };
        if kind.is_special() {
            self.special_path(read);
        } else {
            self.url_units(read);
        }
        for part in [query, fragment].into_iter().flatten() {
            self.url_units(part);
        }
    }

    fn special_path(&mut self, path: Part) {
        let mut rest = path;
        while let Some(at) = rest.find(self.url, b'\\') {
            self.url_units(rest.before(at));
            self.reverse_solidus(Part {
                start: at,
                end: at + 1,
            });
            rest = rest.starting_at(at + 1);
        }
        self.url_units(rest);
    }

    fn reverse_solidus(&mut self, at: Part) {
        let error = ValidationError::InvalidReverseSolidus;
        self.error(error, ProblemKind::UnsafeCharacter, at);
    }

    /// Reports every character of `part` that is not a URL unit.
    pub(super) fn url_units(&mut self, part: Part) {
        let text = part.of(self.url);
        let mut at = 0;
        loop {
            at = URL.skip(text, at);
            if at == text.len() {
                return;
            }
            let (kind, len) = disallowed(&text[at..]);
            if let Some(kind) = kind {
                let character = part.within(Part::new(at, at + len));
                self.error(ValidationError::InvalidUrlUnit, kind, character);
            }
            at += len;
        }
    }

    /// Reports something that the parser repairs.
    pub(super) fn error(&mut self, error: ValidationError, kind: ProblemKind, part: Part) {
        self.problem(error.at(kind, part, false));
    }

    /// Reports something that the parser fails on.
    pub(super) fn failure(&mut self, error: ValidationError, kind: ProblemKind, part: Part) {
        self.problem(error.at(kind, part, true));
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.has_failed |= problem.is_failure;
        (self.report)(problem);
    }
}

/// Returns the text between the brackets of `host`, if it begins and ends with one.
pub(super) fn inside_brackets(host: &[u8]) -> Option<&[u8]> {
    host.strip_prefix(b"[")?.strip_suffix(b"]")
}

/// Returns the number that `port` is, which consists of digits, if it is small enough. An empty
/// port counts as 0 here.
pub(super) fn port_number(port: &[u8]) -> Option<u16> {
    port.iter().try_fold(0_u16, |number, digit| {
        number.checked_mul(10)?.checked_add((digit - b'0').into())
    })
}

/// Returns whether `text` is a Windows drive letter.
pub(super) fn is_drive_letter(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}
