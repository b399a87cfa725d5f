//! The character classes of Appendix A, and which class a character is in that its component does
//! not admit.

use super::iri::Beyond;
use super::{Judge, Part, Problem};
use crate::standard::misfit::{Misfit, Visible};
use crate::standard::survey::Charset;
use crate::text::byteset::ByteSet;

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

/// `reserved`, which is the `gen-delims` and `sub-delims`, and what is not even that.
const VISIBLE: Visible = Visible {
    never_legal: b"\"<>\\^`{|}",
    reserved: b":/?#[]@!$&'()*+,;=",
};

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
        rest.split_before(self.url, |byte| ends.contains(&byte))
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
        let (misfit, len) = VISIBLE.misfit(self.bytes(part));
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
    use crate::standard::misfit::check_classes;

    #[test]
    fn every_byte_is_in_exactly_one_of_the_outer_classes() {
        check_classes(&VISIBLE, |byte| UNRESERVED.has(byte));
        for byte in 0..=255 {
            let legal = UNRESERVED.has(byte) || VISIBLE.reserved.contains(&byte);
            assert_eq!(ANY.raw.has(byte), legal, "byte {byte:#x}");
        }
    }
}
