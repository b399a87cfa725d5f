//! Whether a URL is understood, so that its fixes may be made. To encode a fault that is not understood is to bury it.

use core::net::Ipv6Addr;

use super::diagnostic::Fix;
use super::url::Url;
use urlint_documents::document::Kind;
use urlint_find::Delimiter;
use urlint_standard::standard::Part;
use urlint_standard::text::ascii::WordList;
use urlint_standard::url::schemes::lookup;

/// Returns whether `url` is a notation for URLs and not one, in a document of `kind`: its authority has a character that
/// no host and no login may have (`ftp://[user@]host`), or a reference that the document does not define. Where markup
/// names it as a target, it is meant to be a URL.
pub(super) fn is_notation(url: &Url<'_>, kind: Kind) -> bool {
    let is_markup = matches!(
        kind,
        Kind::Html | Kind::Markdown | Kind::Rst | Kind::Asciidoc | Kind::Mediawiki
    );
    if is_markup && url.candidate.delimiter == Delimiter::Target {
        return false;
    }
    let authority = url.split.authority.map(|part| part.of(url.text));
    let authority = authority.unwrap_or_default();
    let is_sign = |byte: &u8| matches!(byte, b'(' | b')' | b'{' | b'}' | b'`');
    let may_be = |byte: &u8| is_sign(byte) || matches!(byte, b'[' | b'&');
    // Nearly all URLs end here.
    if kind != Kind::Xml && !authority.iter().any(may_be) {
        return false;
    }
    // A damaged address has colons or a version.
    let in_brackets = authority.split(|&byte| byte == b'[').skip(1);
    let mut names = in_brackets.map(|part| {
        let is_version = matches!(part, [b'v' | b'V', digit, ..] if digit.is_ascii_digit());
        !is_version && memchr::memchr_iter(b':', part).count() < 2
    });
    authority.iter().any(is_sign)
        || (authority.contains(&b'[') && !is_understood(url) && names.all(|is_name| is_name))
        || entities(authority).next().is_some()
        || is_cut_in_reference(url, authority)
        || (kind == Kind::Xml && entities(url.text).any(|name| !PREDEFINED.contains(name)))
}

/// The entities of XML, whose references are rather encoded twice.
const PREDEFINED: WordList = WordList("amp apos gt lt quot");

/// Returns the names of the entities that `text` refers to: `&name-of-host;`.
fn entities(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    memchr::memchr_iter(b'&', text).filter_map(move |at| {
        let name = &text[at + 1..];
        let end = name.iter().position(|byte| !is_of_name(byte))?;
        let is_reference = end > 0 && name[end] == b';' && name[0].is_ascii_alphabetic();
        is_reference.then(|| &name[..end])
    })
}

/// Returns whether `authority` ends in the `&` of a numeric reference, whose `#` seems to begin the fragment: the
/// notation of RFC 3987, section 1.4, for a letter.
fn is_cut_in_reference(url: &Url<'_>, authority: &[u8]) -> bool {
    let fragment = url.candidate.fragment().unwrap_or_default();
    authority.ends_with(b"&") && entities(&[b"&", fragment].concat()).next().is_some()
}

/// Returns whether the authority of `url` is one: it has no bracket but those of an address, as notations do
/// (`ftp://[user@]host[:port]/`), and it is not a scheme that was written twice (`http://http:/x`).
pub(super) fn is_understood(url: &Url<'_>) -> bool {
    let Some(part) = url.split.authority else {
        return true;
    };
    let authority = part.of(url.text);
    let host = authority.rsplit(|&byte| byte == b'@').next();
    let host = host.unwrap_or_default();
    let is_bracket = |byte: &u8| matches!(byte, b'[' | b']');
    let brackets = authority.iter().filter(|byte| is_bracket(byte)).count();
    if brackets > 0 {
        return brackets == 2 && is_address(host);
    }
    let rest = url.text.get(part.end as usize..).unwrap_or_default();
    let name = host.strip_suffix(b":").and_then(lookup);
    name.is_none() || rest.starts_with(b"//")
}

/// Returns whether `host`, with a port or without, is an address in brackets.
fn is_address(host: &[u8]) -> bool {
    let end = memchr::memchr(b']', host).map_or(0, |at| at + 1);
    let (literal, port) = host.split_at(end);
    is_ip_literal(literal) && matches!(port, [] | [b':', ..])
}

/// Returns whether `literal` is an address in brackets, of IPv6 or of a future version (RFC 3986, section 3.2.2).
pub(super) fn is_ip_literal(literal: &[u8]) -> bool {
    let version = literal.strip_prefix(b"[v").unwrap_or_default();
    let digits = version.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let len = digits.count();
    is_ipv6_literal(literal) || (len > 0 && version.get(len) == Some(&b'.'))
}

/// Returns whether `literal` is an IPv6 address in brackets, perhaps with a zone (RFC 6874).
pub(super) fn is_ipv6_literal(literal: &[u8]) -> bool {
    let inside = literal
        .strip_prefix(b"[")
        .and_then(|rest| rest.strip_suffix(b"]"));
    let address = inside.and_then(|inside| inside.split(|&byte| byte == b'%').next());
    address.is_some_and(is_ipv6)
}

/// Returns whether `text` is an IPv6 address.
pub(super) fn is_ipv6(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Returns whether all that `fix` replaces in `url` is surely a part of it, in a document of `kind`. Between other
/// delimiters than those of the Appendix, a raw `<`, a quotation mark or an ideographic space may end the URL.
/// White space is one of it only in a path, with text on both sides, and in reStructuredText it is dropped.
pub(super) fn replaces_url(kind: Kind, url: &Url<'_>, fix: &Fix) -> bool {
    let is_delimited = matches!(
        url.candidate.delimiter,
        Delimiter::Wrapper | Delimiter::Angle
    );
    fix.url_edits.iter().all(|edit| {
        let replaced = edit.part.of(&url.candidate.text);
        let may_end = replaced.iter().any(|byte| matches!(byte, b'<' | b'"'))
            || memchr::memmem::find(replaced, "\u{3000}".as_bytes()).is_some();
        let is_space = !replaced.is_empty() && replaced.iter().all(u8::is_ascii_whitespace);
        let is_kept = kind != Kind::Rst && is_inside_path(url, edit.part);
        (is_delimited || !may_end) && (!is_space || is_kept)
    })
}

/// Returns whether `part` of `url` is in its path, with text of the same segment on both sides.
fn is_inside_path(url: &Url<'_>, part: Part) -> bool {
    let path = url.split.path;
    let is_text = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b'/';
    let range = part.range();
    let before = url.text.get(..range.start).unwrap_or_default();
    let is_inside = path.start < part.start && part.end < path.end;
    is_inside && before.last().is_some_and(is_text) && url.text.get(range.end).is_some_and(is_text)
}

#[cfg(test)]
mod tests {
    use urlint_find::Candidate;
    use urlint_standard::standard::Standard;

    use super::*;

    #[test]
    fn notations_are_not_understood() {
        for (text, expected) in [
            ("http://a.example/", true),
            ("http://[::1]:/x", true),
            ("http://[2001:db8::1]/", true),
            ("http://joe@a.example:/", true),
            ("http://http://a.example/", true),
            ("mailto:joe@a.example", true),
            ("ftp://[user@]machine[[:#]port]/path", false),
            ("http://[host]:9200/", false),
            ("http://a.example[:port]/", false),
            ("http://a.example]/", false),
            ("http://http:/x", false),
        ] {
            let candidate = Candidate::whole(text.as_bytes());
            let url = Url::new(&candidate, Standard::Rfc1738);
            assert_eq!(is_understood(&url), expected, "{text}");
        }
    }
}
