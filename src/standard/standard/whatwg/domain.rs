//! Domains: names, and IPv4 addresses, which are names that end in a number (the standard's
//! sections "IDNA" and "Host parsing").
//!
//! The crate `idna` rejects names without a reason or a place, so those are found label by label.

use std::borrow::Cow;
use std::iter;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::chars::{DOMAIN, disallowed_ascii, is_forbidden_in_domain};
use super::{Judge, Part, Problem, ProblemKind, ValidationError, ipv4};
use crate::standard::escape::{Escape, decoded, escape_at};
use crate::text::utf8::code_point_len;

/// What separates labels: a dot, also of other scripts.
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];
/// The maximum length of a label, in bytes.
const LABEL: usize = 63;
/// The maximum length of a name without a dot at its end, in bytes.
const NAME: usize = 253;

/// The verdict on a decoded domain.
enum Verdict {
    Valid,
    /// It ends in a number: an address, or a failure.
    Number(Option<ValidationError>),
    NotStrict,
    Failure,
}

impl Judge<'_> {
    pub(super) fn domain(&mut self, part: Part) {
        let host = part.of(self.url);
        if DOMAIN.skip(host, 0) == host.len() && is_plain_name(host) {
            return;
        }
        // An escape in a domain is a problem in itself.
        let mut name = Vec::with_capacity(host.len());
        let mut starts = Vec::with_capacity(host.len() + 1);
        let mut is_escaped = false;
        let host = kept_apart(host);
        let mut at = 0;
        while let Some(&byte) = host.get(at) {
            let escape = escape_at(&host, at);
            let len = escape.map_or(1, |_| Escape::LEN as usize);
            let place = part.within(Part::new(at, at + len));
            if escape.is_some() {
                let error = ValidationError::DomainPercentEncoded;
                self.error(error, ProblemKind::MisplacedCharacter, place);
                is_escaped = true;
            }
            name.push(escape.unwrap_or(byte));
            starts.push(place.start);
            at += len;
        }
        starts.push(part.end);
        let text = String::from_utf8_lossy(&name);
        let verdict = verdict(&text);
        let is_failure = matches!(verdict, Verdict::Failure);
        match verdict {
            Verdict::Valid => {}
            Verdict::Number(_) if text.is_ascii() => {
                ipv4::parse(&name, |problem| {
                    let range = problem.part.range();
                    let (start, end) = (starts[range.start], starts[range.end]);
                    let part = Part { start, end };
                    self.problem(Problem { part, ..problem });
                });
            }
            // Only after IDNA mapping.
            Verdict::Number(Some(error)) => self.failure(error, ProblemKind::BadHost, part),
            Verdict::Number(None) => {
                self.error(ValidationError::HostWriting, ProblemKind::BadHost, part);
            }
            // The decoded name has no places of its own.
            _ if is_escaped => self.bad_domain(is_failure, ProblemKind::BadHost, part),
            _ => {
                let is_failure = is_failure && !text.is_ascii();
                if !self.domain_characters(part, is_failure) {
                    self.labels(part, is_failure);
                }
            }
        }
    }

    fn bad_domain(&mut self, is_failure: bool, kind: ProblemKind, part: Part) {
        self.problem(ValidationError::DomainToAscii.at(kind, part, is_failure));
    }

    /// Reports the characters that no name has. The parser fails on each that is a forbidden domain
    /// code point, and on the others if `is_failure`. Returns whether there were any.
    fn domain_characters(&mut self, part: Part, is_failure: bool) -> bool {
        let host = part.of(self.url);
        // In other names, `<` may be one character with the next: the mapping decides.
        let is_ascii = host.is_ascii();
        let mut any = false;
        let mut at = 0;
        loop {
            at = DOMAIN.skip(host, at);
            let Some(&byte) = host.get(at) else {
                return any;
            };
            let mut len = code_point_len(&host[at..]);
            let kind = match byte {
                0x80.. if len > 1 => None,
                0x80.. => Some(ProblemKind::NonAscii),
                b'%' => {
                    let next = host.get(at + 1);
                    len += usize::from(next.is_some_and(u8::is_ascii_hexdigit));
                    Some(ProblemKind::BadEscape)
                }
                _ => Some(disallowed_ascii(byte)),
            };
            if let Some(kind) = kind {
                let is_failure = is_failure || (is_ascii && is_forbidden_in_domain(byte));
                self.bad_domain(is_failure, kind, part.within(Part::new(at, at + len)));
                any = true;
            }
            at += len;
        }
    }

    /// Reports the labels of a name that is invalid for another reason than its characters, or of
    /// an ASCII name.
    fn labels(&mut self, part: Part, is_failure: bool) {
        // Bytes that are not UTF-8 have been reported.
        let host = std::str::from_utf8(part.of(self.url)).unwrap_or_default();
        let dots = host.match_indices(DOTS);
        let dots: Vec<_> = dots
            .map(|(at, dot)| Part::new(at, at + dot.len()))
            .collect();
        let ends = dots.iter().map(|dot| dot.start).chain([host.len() as u32]);
        let starts = iter::once(0).chain(dots.iter().map(|dot| dot.end));
        let labels: Vec<_> = starts
            .zip(ends)
            .map(|(start, end)| Part { start, end })
            .collect();
        let too_long = |label: &&Part| ascii_len(&host[label.range()]) > LABEL;
        let mut bad: Vec<_> = labels.iter().filter(too_long).copied().collect();
        if bad.is_empty() && ascii_len(host.strip_suffix('.').unwrap_or(host)) > NAME {
            bad.push(Part::all(host.as_bytes()));
        }
        let mut kind = ProblemKind::HostLength;
        if bad.is_empty() {
            kind = ProblemKind::BadHost;
            bad.extend(labels.iter().enumerate().filter_map(|(i, label)| {
                if label.is_empty() {
                    // The dot before it, or after the first.
                    return dots.get(i.saturating_sub(1)).copied();
                }
                (!is_label(&host[label.range()])).then_some(*label)
            }));
            bad.dedup();
            // The rules for text written from right to left apply to the whole name.
            if bad.is_empty() && (is_failure || !is_strict(host)) {
                bad.push(Part::all(host.as_bytes()));
            }
        }
        for bad in bad {
            self.bad_domain(is_failure, kind, part.within(bad));
        }
    }
}

/// Returns the name that `host` becomes after decoding escapes and applying IDNA; `None` if the
/// parser fails.
pub(super) fn to_ascii(host: &[u8]) -> Option<String> {
    relaxed(&String::from_utf8_lossy(&decoded(host))).map(Cow::into_owned)
}

/// Returns `host`, changed so that bytes that are not UTF-8 do not become valid together with an
/// adjacent escape.
fn kept_apart(host: &[u8]) -> Cow<'_, [u8]> {
    if std::str::from_utf8(host).is_ok() {
        return Cow::Borrowed(host);
    }
    let mut apart = Vec::with_capacity(host.len());
    for chunk in host.utf8_chunks() {
        apart.extend_from_slice(chunk.valid().as_bytes());
        apart.extend(chunk.invalid().iter().map(|_| 0xFF));
    }
    Cow::Owned(apart)
}

/// Returns whether `host`, which consists of [`DOMAIN`] characters, is clearly a valid name: not an
/// address, without two adjacent hyphens, and short.
fn is_plain_name(host: &[u8]) -> bool {
    let mut words = host.split(|byte| b"-.".contains(byte));
    let top = memchr::memrchr(b'.', host).map_or(0, |dot| dot + 1);
    host.len() <= LABEL
        && words.all(|word| !word.is_empty())
        && host[top..].first().is_some_and(u8::is_ascii_alphabetic)
}

fn verdict(name: &str) -> Verdict {
    let Some(ascii) = relaxed(name) else {
        return Verdict::Failure;
    };
    if ipv4::ends_in_number(ascii.as_bytes()) {
        let mut error = None;
        ipv4::parse(ascii.as_bytes(), |problem| {
            if problem.is_failure {
                error = problem.error;
            }
        });
        return Verdict::Number(error);
    }
    if is_strict(name) {
        Verdict::Valid
    } else {
        Verdict::NotStrict
    }
}

/// Returns the name in ASCII by the rules of browsers; an ASCII name is only lowercased.
fn relaxed(name: &str) -> Option<Cow<'_, str>> {
    let ascii = if name.is_ascii() {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        let denied = AsciiDenyList::URL;
        by_idna(name.as_bytes(), denied, Hyphens::Allow, DnsLength::Ignore)?
    };
    let is_fine = !ascii.is_empty() && !ascii.bytes().any(is_forbidden_in_domain);
    is_fine.then_some(ascii)
}

/// Returns whether `name` is a domain by the rules of the registries.
fn is_strict(name: &str) -> bool {
    let (name, denied) = (name.as_bytes(), AsciiDenyList::STD3);
    by_idna(name, denied, Hyphens::Check, DnsLength::Verify).is_some()
}

/// Returns the name in ASCII by these rules of IDNA.
fn by_idna(
    name: &[u8],
    denied: AsciiDenyList,
    hyphens: Hyphens,
    length: DnsLength,
) -> Option<Cow<'_, str>> {
    Uts46::new().to_ascii(name, denied, hyphens, length).ok()
}

/// Returns whether `label`, which is not empty, is valid apart from its length.
fn is_label(label: &str) -> bool {
    let (label, denied) = (label.as_bytes(), AsciiDenyList::STD3);
    let ascii = by_idna(label, denied, Hyphens::Check, DnsLength::Ignore);
    ascii.is_some_and(|ascii| !ascii.is_empty())
}

/// Returns the length of a name or label in ASCII.
fn ascii_len(name: &str) -> usize {
    if name.is_ascii() {
        return name.len();
    }
    let (name, denied) = (name.as_bytes(), AsciiDenyList::EMPTY);
    let ascii = by_idna(name, denied, Hyphens::Allow, DnsLength::Ignore);
    ascii.map_or(0, |ascii| ascii.len())
}
