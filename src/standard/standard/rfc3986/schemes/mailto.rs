//! mailto: RFC 6068, section 2.

use super::super::chars::{ADDRESS, ATEXT, PATH, QCHAR};
use super::super::{Components, Judge, Part, Problem, ProblemKind};
use crate::standard::escape::decoded;

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// mailtoURI      = "mailto:" [ to ] [ hfields ]
    /// ```
    pub(super) fn mailto_uri(&mut self, scheme: Part, rest: Part) -> Components {
        let (components, path) = self.split(scheme, rest);
        if components.host.is_some() {
            self.refuse_authority(rest.before(path.start));
            self.characters(path, &PATH);
        } else {
            self.to(path);
        }
        if let Some(query) = components.query {
            self.hfields(query);
        }
        self.fragment(components.fragment);
        components
    }

    /// ```text
    /// to             = addr-chars *( "," addr-chars )
    /// ```
    fn to(&mut self, part: Part) {
        let mut next = (!part.is_empty()).then_some(part);
        while let Some(rest) = next {
            let (address, after) = rest.cut(self.url, b',');
            self.address(address);
            next = after;
        }
    }

    /// ```text
    /// addr-chars     = 1*( unreserved / pct-encoded / addr-delims / ":" / "@" )
    /// addr-delims    = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / ";" / "="
    /// ```
    /// and, after decoding, `addr-spec`. `& ; =` are allowed by erratum 7919.
    fn address(&mut self, part: Part) {
        if part.is_empty() {
            self.problem(ProblemKind::MissingComponent, part);
        } else if self.characters(part, &ADDRESS) && !is_addr_spec(&decoded(part.of(self.url))) {
            self.problem(ProblemKind::MailtoAddrSpec, part);
        }
    }

    /// ```text
    /// hfields        = "?" hfield *( "&" hfield )
    /// ```
    fn hfields(&mut self, part: Part) {
        let mut next = Some(part);
        while let Some(rest) = next {
            let (field, after) = rest.cut(self.url, b'&');
            self.hfield(field);
            next = after;
        }
    }

    /// ```text
    /// hfield         = hfname "=" hfvalue
    /// hfname         = *qchar
    /// hfvalue        = *qchar
    /// qchar          = unreserved / pct-encoded / some-delims
    /// some-delims    = "!" / "$" / "'" / "(" / ")" / "*"
    ///                / "+" / "," / ";" / ":" / "@"
    /// ```
    fn hfield(&mut self, part: Part) {
        if part.is_empty() {
            let separator = part.starting_at(part.start - 1);
            self.problem(ProblemKind::BadField, separator);
            return;
        }
        let (name, value) = part.cut(self.url, b'=');
        let clean = self.characters(name, &QCHAR);
        match value {
            Some(value) => {
                self.characters(value, &QCHAR);
            }
            None if clean => self.problem(ProblemKind::BadField, part),
            None => {}
        }
    }
}

/// ```text
/// addr-spec      = local-part "@" domain
/// local-part     = dot-atom-text / quoted-string
/// domain         = dot-atom-text / "[" *dtext-no-obs "]"
/// dtext-no-obs   = %d33-90 / %d94-126
/// ```
/// `text` is decoded; characters outside ASCII must be UTF-8.
fn is_addr_spec(text: &[u8]) -> bool {
    if str::from_utf8(text).is_err() {
        return false;
    }
    let domain = if let Some(quoted) = text.strip_prefix(b"\"") {
        after_quoted_string(quoted).and_then(|rest| rest.strip_prefix(b"@"))
    } else {
        let at = memchr::memchr(b'@', text);
        let (local, rest) = text.split_at(at.unwrap_or(text.len()));
        is_dot_atom(local, is_atext)
            .then(|| rest.strip_prefix(b"@"))
            .flatten()
    };
    match domain {
        Some([b'[', literal @ .., b']']) => literal
            .iter()
            .all(|byte| matches!(byte, 33..=90 | 94..=126)),
        Some(name) => is_dot_atom(name, is_atext),
        None => false,
    }
}

/// RFC 5322, section 3.2.3:
/// ```text
/// dot-atom-text  = 1*atext *( "." 1*atext )
/// ```
pub(super) fn is_dot_atom(text: &[u8], is_atext: impl Fn(u8) -> bool) -> bool {
    text.split(|&byte| byte == b'.')
        .all(|atom| !atom.is_empty() && atom.iter().all(|&byte| is_atext(byte)))
}

/// `atext` of RFC 5322, and `UTF8-non-ascii`.
fn is_atext(byte: u8) -> bool {
    !byte.is_ascii() || ATEXT.has(byte)
}

/// RFC 5322, section 3.2.4, without folding white space:
/// ```text
/// quoted-string  = DQUOTE *( qtext / quoted-pair ) DQUOTE
/// qtext          = %d33 / %d35-91 / %d93-126 / UTF8-non-ascii
/// quoted-pair    = "\" ( VCHAR / WSP )
/// ```
/// `text` follows the first quotation mark; returns the text after the last.
fn after_quoted_string(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = match text {
            [b'"', rest @ ..] => return Some(rest),
            [b'\\', b' '..=b'~' | b'\t', rest @ ..] => rest,
            [33 | 35..=91 | 93..=126 | 0x80.., rest @ ..] => rest,
            _ => return None,
        };
    }
}
