//! The character classes of Appendix A, and which class a character is in that its component does
//! not admit.

use super::iri::Beyond;
use super::{Judge, Part, Problem, ProblemKind};
use crate::standard::survey::Charset;
use crate::text::byteset::{ByteSet, find};
use crate::text::utf8::code_point_len;

/// What one component admits.
pub(super) struct Class {
    /// The US-ASCII characters that it admits raw.
    raw: ByteSet,
    /// Whether it admits `pct-encoded`.
    escapes: bool,
    /// What it admits raw beyond US-ASCII, if the URL is an IRI.
    beyond: Beyond,
}

impl Class {
    /// Letters, digits, `others` and escapes; in an IRI `ucschar` too, as nearly everywhere.
    const fn new(others: &[u8]) -> Class {
        Class {
            raw: ByteSet::alphanumeric_and(others),
            escapes: true,
            beyond: Beyond::Ucschar,
        }
    }

    const fn beyond(self, beyond: Beyond) -> Class {
        Class { beyond, ..self }
    }

    const fn without_escapes(self) -> Class {
        Class {
            escapes: false,
            ..self
        }
    }
}

/// ALPHA, DIGIT, `+ - .`; the first must be a letter.
pub(super) static SCHEME: ByteSet = ByteSet::alphanumeric_and(b"+-.");
/// `unreserved`.
pub(super) static UNRESERVED: ByteSet = ByteSet::alphanumeric_and(b"-._~");
/// IPvFuture: unreserved, sub-delims, `:`.
pub(super) static IPVFUTURE: ByteSet = ByteSet::alphanumeric_and(b"-._~!$&'()*+,;=:");
/// userinfo: unreserved, sub-delims, `:`.
pub(super) static USERINFO: Class = Class::new(b"-._~!$&'()*+,;=:");
/// reg-name: unreserved, sub-delims.
pub(super) static REG_NAME: Class = Class::new(b"-._~!$&'()*+,;=");
/// path: pchar and `/`, where pchar is unreserved, sub-delims, `: @`.
pub(super) static PATH: Class = Class::new(b"-._~!$&'()*+,;=:@/");
/// query: pchar `/ ?`; in an IRI also `iprivate`.
pub(super) static QUERY: Class =
    Class::new(b"-._~!$&'()*+,;=:@/?").beyond(Beyond::UcscharAndIprivate);
/// fragment: pchar `/ ?`.
pub(super) static FRAGMENT: Class = Class::new(b"-._~!$&'()*+,;=:@/?");
/// Every character that some component admits: unreserved and reserved.
pub(super) static ANY: Class =
    Class::new(b"-._~:/?#[]@!$&'()*+,;=").beyond(Beyond::UcscharAndIprivate);
/// The same, where there is nothing beyond US-ASCII in an IRI either.
pub(super) static ANY_ASCII: Class = Class::new(b"-._~:/?#[]@!$&'()*+,;=").beyond(Beyond::Nothing);
/// mailto, an address: unreserved, addr-delims, `: @`.
pub(super) static ADDRESS: Class = Class::new(b"-._~!$&'()*+;=:@");
/// mailto, qchar: unreserved, some-delims. What they are in is a query.
pub(super) static QCHAR: Class = Class::new(b"-._~!$'()*+,;:@").beyond(Beyond::UcscharAndIprivate);
/// nntp, group: group-char.
pub(super) static GROUP: Class = Class::new(b"-+_.");
/// news, newsgroups: group-char and `*`.
pub(super) static NEWSGROUPS: Class = Class::new(b"-+_.*");
/// news, article: mid-char and `@`. RFC 5536, section 3.1.3, has nothing beyond US-ASCII in it.
pub(super) static ARTICLE: Class = Class::new(b"-._~!$&'()*+,;=:@").beyond(Beyond::Nothing);
/// urn, NID: alphanum and `-`.
pub(super) static NID: Class = Class::new(b"-").without_escapes().beyond(Beyond::Nothing);
/// pchar, as a URN demands it at the start of its components.
pub(super) static PCHAR: Class = Class::new(b"-._~!$&'()*+,;=:@");
/// atext of RFC 5322, section 3.2.3, as far as it is US-ASCII.
pub(super) static ATEXT: ByteSet = ByteSet::alphanumeric_and(b"!#$%&'*+-/=?^_`{|}~");

/// What a path and a query admit, and `%`, as a survey knows them.
pub(super) static CHARACTERS: Charset = Charset::new([
    (b" !  $%&'()*+,-./", &[2]),
    (b"@         :; = ?", &[3, 4]),
    (b"               _", &[5]),
    (b"              ~ ", &[7]),
]);

/// Returns whether `byte` is `reserved`: one of the `gen-delims` and `sub-delims`.
fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

/// Returns whether `byte` is a visible US-ASCII character that is neither reserved nor unreserved;
/// `%` is neither either, but has problems of its own.
fn is_unsafe(byte: u8) -> bool {
    b"\"<>\\^`{|}".contains(&byte)
}

/// A character that its component does not admit, or not raw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Misfit {
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
    fn problem(self) -> ProblemKind {
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
}

impl<'u, F: FnMut(Problem)> Judge<'u, F> {
    /// Reports every character of `part` that is not in `class`; returns whether all are.
    pub(super) fn characters(&mut self, part: Part, class: &Class) -> bool {
        let mut clean = true;
        let mut at = part.start;
        loop {
            at = self.skip(part.starting_at(at), class);
            if at == part.end {
                return clean;
            }
            let (misfit, found) = self.character(part.starting_at(at));
            let admitted = match misfit {
                Misfit::Escape => class.escapes,
                Misfit::NonAscii => self.admits(class.beyond, found),
                _ => false,
            };
            if !admitted {
                clean = false;
                self.problem(misfit.problem(), found);
            }
            at = found.end;
        }
    }

    /// Judges the characters at the start of `rest` up to the first of `ends`, none of which is in
    /// `class`; returns what lies before it and what from it on.
    pub(super) fn characters_up_to(
        &mut self,
        ends: &[u8],
        rest: Part,
        class: &Class,
    ) -> (Part, Part) {
        let end = self.skip(rest, class);
        let (part, after) = rest.split_at(end);
        match self.bytes(after).first() {
            Some(byte) if !ends.contains(byte) => {
                let (before, after) = self.before_any(ends, after);
                self.characters(before, class);
                (rest.before(before.end), after)
            }
            _ => (part, after),
        }
    }

    /// Splits `rest` before the first of `ends`.
    pub(super) fn before_any(&self, ends: &[u8], rest: Part) -> (Part, Part) {
        let mut bytes = self.bytes(rest).iter();
        let end = bytes.position(|byte| ends.contains(byte));
        rest.split_at(end.map_or(rest.end, |at| rest.start + at as u32))
    }

    /// What lies before and after the first `byte` of `part`.
    pub(super) fn cut(&self, part: Part, byte: u8) -> (Part, Option<Part>) {
        match find(byte, self.bytes(part)) {
            Some(at) => {
                let (before, after) = part.split_at(part.start + at as u32);
                (before, Some(after.skip(1)))
            }
            None => (part, None),
        }
    }

    /// Where the run of raw characters of `class` ends that `part` begins with.
    #[inline]
    fn skip(&self, part: Part, class: &Class) -> u32 {
        let text = Part { start: 0, ..part };
        class.raw.skip(text.of(self.url), part.start as usize) as u32
    }

    /// What the first character of `part` is, given that its component does not admit it raw, and
    /// where it is.
    fn character(&self, part: Part) -> (Misfit, Part) {
        let text = self.bytes(part);
        let (misfit, len) = match text {
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
        };
        (misfit, part.before(part.start + len as u32))
    }

    #[inline]
    pub(super) fn bytes(&self, part: Part) -> &'u [u8] {
        part.of(self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_in_exactly_one_of_the_outer_classes() {
        for byte in 0..=255u8 {
            let outer = [UNRESERVED.has(byte), is_reserved(byte), is_unsafe(byte)];
            let other = byte <= b' ' || byte >= 0x7F || byte == b'%';
            let count = outer.iter().filter(|&&within| within).count() + usize::from(other);
            assert_eq!(count, 1, "byte {byte:#x}");
            let legal = UNRESERVED.has(byte) || is_reserved(byte);
            assert_eq!(ANY.raw.has(byte), legal, "byte {byte:#x}");
        }
    }
}
