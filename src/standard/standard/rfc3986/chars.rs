//! The character classes of Appendix A, and the classification of characters that a component does
//! not allow.

use super::iri::Beyond;
use super::{Judge, Part, Problem};
use crate::standard::disallowed::{Disallowed, Visible};
use crate::text::byteset::ByteSet;

/// The characters that a component allows.
pub(super) struct Class {
    /// The ASCII characters that it allows raw.
    raw: ByteSet,
    /// Whether it allows `pct-encoded`.
    escapes: bool,
    /// The characters outside ASCII that it allows raw, if the URL is an IRI.
    beyond: Beyond,
}

impl Class {
    /// Makes a class of letters, digits, `others` and escapes; in an IRI also `ucschar`, which most
    /// components allow.
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
/// Every character that some component allows: unreserved and reserved.
pub(super) static ANY: Class =
    Class::new(b"-._~:/?#[]@!$&'()*+,;=").beyond(Beyond::UcscharAndIprivate);
/// The same, where an IRI has nothing outside ASCII either.
pub(super) static ANY_ASCII: Class = Class::new(b"-._~:/?#[]@!$&'()*+,;=").beyond(Beyond::Nothing);
/// mailto, an address: unreserved, addr-delims, `: @`.
pub(super) static ADDRESS: Class = Class::new(b"-._~!$&'()*+;=:@");
/// mailto, qchar: unreserved, some-delims. The component they are in is a query.
pub(super) static QCHAR: Class = Class::new(b"-._~!$'()*+,;:@").beyond(Beyond::UcscharAndIprivate);
/// nntp, group: group-char.
pub(super) static GROUP: Class = Class::new(b"-+_.");
/// news, newsgroups: group-char and `*`.
pub(super) static NEWSGROUPS: Class = Class::new(b"-+_.*");
/// news, article: mid-char and `@`. RFC 5536, section 3.1.3, allows nothing outside ASCII here.
pub(super) static ARTICLE: Class = Class::new(b"-._~!$&'()*+,;=:@").beyond(Beyond::Nothing);
/// urn, NID: alphanum and `-`.
pub(super) static NID: Class = Class::new(b"-").without_escapes().beyond(Beyond::Nothing);
/// pchar, which a URN requires at the start of its components.
pub(super) static PCHAR: Class = Class::new(b"-._~!$&'()*+,;=:@");
/// The ASCII characters in atext of RFC 5322, section 3.2.3.
pub(super) static ATEXT: ByteSet = ByteSet::alphanumeric_and(b"!#$%&'*+-/=?^_`{|}~");

/// `reserved`, which is `gen-delims` and `sub-delims`, and the characters that are neither reserved
/// nor unreserved.
const VISIBLE: Visible = Visible {
    never_legal: b"\"<>\\^`{|}",
    reserved: b":/?#[]@!$&'()*+,;=",
};

impl<'u, F: FnMut(Problem)> Judge<'u, F> {
    /// Reports every character of `part` that is not in `class`; returns whether there was none.
    pub(super) fn characters(&mut self, part: Part, class: &Class) -> bool {
        let mut clean = true;
        let mut at = part.start;
        loop {
            at = part.starting_at(at).past(self.url, &class.raw);
            if at == part.end {
                return clean;
            }
            let (disallowed, found) = VISIBLE.first_of(self.url, part.starting_at(at));
            let admitted = match disallowed {
                Disallowed::Escape => class.escapes,
                Disallowed::NonAscii => self.admits(class.beyond, found),
                _ => false,
            };
            if !admitted {
                clean = false;
                self.problem(disallowed.problem(), found);
            }
            at = found.end;
        }
    }

    /// Judges the characters at the start of `rest` up to the first of `ends`, none of which is in
    /// `class`; returns the text before it, and the rest from it on.
    pub(super) fn characters_up_to(
        &mut self,
        ends: &[u8],
        rest: Part,
        class: &Class,
    ) -> (Part, Part) {
        let end = rest.past(self.url, &class.raw);
        let (part, after) = rest.split_at(end);
        match after.of(self.url).first() {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::disallowed::check_classes;

    #[test]
    fn every_byte_is_in_exactly_one_of_the_outer_classes() {
        check_classes(&VISIBLE, |byte| UNRESERVED.has(byte));
        for byte in 0..=255 {
            let legal = UNRESERVED.has(byte) || VISIBLE.reserved.contains(&byte);
            assert_eq!(ANY.raw.has(byte), legal, "byte {byte:#x}");
        }
    }
}
