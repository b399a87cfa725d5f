//! Normalization: a single way to write all URLs that mean the same.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use super::escape::{Escape, escapes, is_in_dot_segment, is_needless};
use super::schemes::{Normal, Scheme, lookup};
use super::split::{Split, scheme};
#[cfg(feature = "whatwg")]
use crate::standard::whatwg;
use crate::standard::{Part, Standard};

/// Returns `url` in its normal form, the same for all URLs that mean the same by both RFC 1738 and
/// RFC 3986, sections 6.2.2 and 6.2.3:
///
/// * the scheme is in lower case;
/// * in http, https, ftp, file, gopher, nntp, telnet, wais and prospero the host is in lower case,
///   and the port has no leading zeros, or is dropped if it is the scheme's default;
/// * after that, escapes are in upper case; in http, https, ftp and file, letters, digits, `-`, `.`
///   and `_` are decoded, except dots that would turn a segment into `.` or `..`;
/// * in http and https an empty path is `/`.
///
/// Everything else stays as it is: user and password, the order of a query, dots, a trailing slash,
/// `%7E` (a raw `~` is not valid by RFC 1738), the fragment, other schemes. Normalizing twice is
/// the same as normalizing once, and a valid URL stays valid. Takes any bytes; borrows a URL
/// that is already normal.
///
/// ```
/// use urlint::url::normalize;
///
/// let url = normalize(b"HTTP://A.Example:80/%7ejoe/%61#Top");
/// assert_eq!(*url, *b"http://a.example/%7Ejoe/a#Top");
/// assert_eq!(*normalize(b"http://a.example"), *b"http://a.example/");
/// assert_eq!(*normalize(b"MAILTO:Joe@A.Example"), *b"mailto:Joe@A.Example");
/// ```
pub fn normalize(url: &[u8]) -> Cow<'_, [u8]> {
    normalize_under(Standard::Rfc1738, url)
}

/// Returns `url` in its normal form, the same for all URLs that mean the same by `standard`.
///
/// By RFC 1738 this is the result of [`normalize`]. By RFC 3986 and RFC 3987, following sections
/// 6.2.2 and 6.2.3 of the former:
///
/// * scheme and host are in lower case, in any scheme;
/// * escapes are in upper case, and those of letters, digits, `-`, `.`, `_` and `~` are decoded,
///   except dots that would turn a segment into `.` or `..`, and except in URNs (RFC 8141, section
///   3.1);
/// * an IPv6 address has the form of RFC 5952, unless it ends in an IPv4 address;
/// * a port has no leading zeros; a default port, and a colon without a port, are dropped;
/// * an empty path is `/` in http, https, ws and wss.
///
/// The fragment is part of the URL there. Segments that are `.` or `..` stay. By the URL Standard
/// the normal form is the one that browsers show, [`whatwg::href`]; a URL that they do not follow
/// stays as it is.
///
/// ```
/// use urlint::standard::Standard;
/// use urlint::url::normalize_under;
///
/// let url = b"HTTP://a.example:/%7Ejoe/../x?#%61";
/// assert_eq!(*normalize_under(Standard::Rfc3986, url), *b"http://a.example/~joe/../x?#a");
/// assert_eq!(*normalize_under(Standard::Whatwg, url), *b"http://a.example/x?#%61");
/// assert_eq!(*normalize_under(Standard::Rfc1738, url), *b"http://a.example:/%7Ejoe/../x?#%61");
/// ```
#[must_use]
pub fn normalize_under(standard: Standard, url: &[u8]) -> Cow<'_, [u8]> {
    #[cfg(feature = "whatwg")]
    if standard == Standard::Whatwg {
        return match whatwg::href(url) {
            Some(href) if href.as_bytes() != url => Cow::Owned(href.into_bytes()),
            _ => Cow::Borrowed(url),
        };
    }
    // Rewritten from the first byte that changes.
    let (mut out, mut same) = (Vec::new(), 0);
    normal_edits(standard, url, &mut |part, by| {
        out.extend_from_slice(&url[same..part.range().start]);
        out.extend_from_slice(by);
        same = part.range().end;
    });
    if same == 0 && out.is_empty() {
        return Cow::Borrowed(url);
    }
    out.extend_from_slice(&url[same..]);
    Cow::Owned(out)
}

/// Passes to `replace`, in their order, the parts of `url` that are not in its [normal form](normalize_under) by
/// `standard`, each with what replaces it. By the URL Standard these are only scheme, host, port and an empty path.
#[doc(hidden)]
pub fn normal_edits(standard: Standard, url: &[u8], replace: &mut dyn FnMut(Part, &[u8])) {
    let Some(scheme) = scheme(url) else { return };
    let mut writer = Writer { url, replace };
    writer.lower(scheme);
    let scheme = scheme.of(url);
    match (standard, lookup(scheme)) {
        (Standard::Rfc3986 | Standard::Rfc3987, _) => writer.rest_of_uri(scheme),
        (Standard::Rfc1738, Some(facts)) => {
            if let Some(normal) = facts.normal {
                writer.rest(facts, normal);
            }
        }
        #[cfg(feature = "whatwg")]
        (Standard::Whatwg, Some(facts)) if facts.is_special || facts.name == "file" => {
            writer.of_browsers(facts);
        }
        _ => {}
    }
}

/// Rewrites the parts of a URL that are not normal.
struct Writer<'u, 'r> {
    url: &'u [u8],
    replace: &'r mut dyn FnMut(Part, &[u8]),
}

impl Writer<'_, '_> {
    fn replace(&mut self, part: Part, by: &[u8]) {
        (self.replace)(part, by);
    }

    fn lower(&mut self, part: Part) {
        let text = part.of(self.url);
        if text.iter().any(u8::is_ascii_uppercase) {
            self.replace(part, &text.to_ascii_lowercase());
        }
    }

    fn upper(&mut self, part: Part) {
        let text = part.of(self.url);
        if text.iter().any(u8::is_ascii_lowercase) {
            self.replace(part, &text.to_ascii_uppercase());
        }
    }

    /// Writes the text after the scheme.
    fn rest(&mut self, scheme: &Scheme, normal: Normal) {
        let split = Split::of(self.url);
        let (Some(authority), Some(host)) = (split.authority, split.host) else {
            return;
        };
        let rest = split.rest();
        if rest.of(self.url).starts_with(b"?") {
            // Some programs take it for part of the user name, others for the end of the host.
            let doubted = rest.before(rest.find(self.url, b'/').unwrap_or(rest.end));
            if !scheme.is_rooted || doubted.find(self.url, b'@').is_some() {
                return;
            }
        }
        if authority.find(self.url, b'\\').is_some() {
            return;
        }
        // An escape may stand for anything, such as a zone.
        if host.find(self.url, b'%').is_none() && !host.is_empty() {
            self.lower(host);
            if let (Some(own), Some(port)) = (scheme.port, split.port) {
                self.port(Some(own), port, false);
            }
        }
        if scheme.is_rooted && !host.is_empty() && !rest.of(self.url).starts_with(b"/") {
            self.replace(Part::at(rest.start), b"/");
        }
        let until = normal.decoded_until.map_or(rest.start, |until| {
            let mut bytes = rest.of(self.url).iter();
            let end = bytes.position(|byte| until.contains(byte));
            end.map_or(rest.end, |at| rest.start + at as u32)
        });
        self.escapes(rest, until, is_needless);
    }

    /// Writes the host, the port and the slash after them, of a scheme that is special to browsers.
    #[cfg(feature = "whatwg")]
    fn of_browsers(&mut self, scheme: &Scheme) {
        let split = Split::under(Standard::Whatwg, self.url);
        let Some(host) = split.host.filter(|host| !host.is_empty()) else {
            return;
        };
        self.lower(host);
        if let Some(port) = split.port.filter(|port| !port.is_empty()) {
            self.port(scheme.port_of_uri(), port, true);
        }
        if split.path.is_empty() {
            self.replace(Part::at(split.path.start), b"/");
        }
    }

    /// Writes the text after the scheme, by RFC 3986.
    fn rest_of_uri(&mut self, scheme: &[u8]) {
        let split = Split::of(self.url);
        let facts = lookup(scheme);
        let is_urn = scheme.eq_ignore_ascii_case(b"urn");
        let mut rest = Part::all(self.url).starting_at(split.path.start);
        if let (Some(authority), Some(host)) = (split.authority, split.host) {
            let userinfo = authority.before(host.start);
            self.escapes(userinfo, userinfo.end, is_unreserved);
            self.host(host);
            if let Some(port) = split.port {
                self.port(facts.and_then(Scheme::port_of_uri), port, true);
            }
            rest.start = authority.end;
            let is_empty = split.path.is_empty() && !host.is_empty();
            if is_empty && facts.is_some_and(Scheme::is_rooted_uri) {
                self.replace(Part::at(rest.start), b"/");
            }
        }
        let until = if is_urn { rest.start } else { rest.end };
        self.escapes(rest, until, is_unreserved);
    }

    /// Writes a host in lower case, with the escapes that it needs.
    fn host(&mut self, host: Part) {
        if host.of(self.url).starts_with(b"[") {
            // The escape of a zone does not stand for a character (RFC 6874).
            let mut rest = host;
            if let Some((address, usual)) = usual_address(host, self.url) {
                self.replace(address, usual.as_bytes());
                rest = host.starting_at(address.end);
            }
            return self.lower(rest);
        }
        let mut plain = host;
        for escape in escapes(&self.url[..host.range().end], host) {
            self.lower(plain.before(escape.at));
            plain = escape.part().starting_at(escape.part().end);
            plain.end = host.end;
            if is_unreserved(escape.byte) && !completes(self.url, escape.at as usize) {
                self.replace(escape.part(), &[escape.byte.to_ascii_lowercase()]);
            } else {
                self.upper(escape.part());
            }
        }
        self.lower(plain);
    }

    /// Writes a port without leading zeros, or without the colon before it if it is the scheme's `own`. By
    /// RFC 3986, section 6.2.3, that also holds for an empty one.
    fn port(&mut self, own: Option<u16>, port: Part, is_uri: bool) {
        let digits = port.of(self.url);
        if !digits.iter().all(u8::is_ascii_digit) {
            return;
        }
        let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
        let is_own = own.is_some_and(|own| digits[zeros..] == *own.to_string().as_bytes());
        if is_own || is_uri && digits.is_empty() {
            self.replace(port.starting_at(port.start - 1), b"");
        } else {
            // The last digit stays.
            let zeros = zeros.min(digits.len().saturating_sub(1));
            if zeros > 0 {
                self.replace(port.before(port.start + zeros as u32), b"");
            }
        }
    }

    /// Writes the escapes in `part` in upper case. Before `until`, those that stand for a byte for
    /// which `is_plain` returns true are decoded.
    fn escapes(&mut self, part: Part, until: u32, is_plain: fn(u8) -> bool) {
        let text = &self.url[..part.range().end];
        for escape in escapes(text, part) {
            let Escape { at, byte } = escape;
            let is_dots = || byte == b'.' && is_in_dot_segment(text, at as usize);
            if at < until && is_plain(byte) && !completes(text, at as usize) && !is_dots() {
                self.replace(escape.part(), &[byte]);
            } else {
                self.upper(escape.part());
            }
        }
    }
}

/// Returns the IPv6 address in the brackets of `host` and its form by RFC 5952, section 4, if it has another. Whether its
/// end is written as an IPv4 address is up to the author, who knows the network.
fn usual_address(host: Part, url: &[u8]) -> Option<(Part, String)> {
    let inside = host.skip(1);
    let end = memchr::memchr2(b'%', b']', inside.of(url))?;
    let address = inside.before(inside.start + end as u32);
    let text = std::str::from_utf8(address.of(url)).ok()?;
    let parsed: Ipv6Addr = text.parse().ok().filter(|_| !text.contains('.'))?;
    let mut usual = parsed.to_string();
    if let Some((head, _)) = usual.rsplit_once(':').filter(|_| usual.contains('.')) {
        // The standard library writes an embedded IPv4 address as one.
        let [.., a, b] = parsed.segments();
        usual = format!("{head}:{a:x}:{b:x}");
    }
    (usual != text).then_some((address, usual))
}

/// Returns whether `byte` means the same with and without encoding (RFC 3986, section 2.3).
fn is_unreserved(byte: u8) -> bool {
    is_needless(byte) || byte == b'~'
}

/// Returns whether decoding the escape at the offset `at` could complete an escape with a `%`
/// before it that does not begin one.
fn completes(text: &[u8], at: usize) -> bool {
    match text[..at] {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(url: &str) -> String {
        String::from_utf8_lossy(&normalize(url.as_bytes())).into_owned()
    }

    #[test]
    fn equivalent_urls_are_equal() {
        let cases = [
            ("HTTP://A.Example/X", "http://a.example/X"),
            ("http://a.example", "http://a.example/"),
            ("http://a.example#Top", "http://a.example/#Top"),
            ("http://a.example?Q", "http://a.example/?Q"),
            ("https://A.example:443", "https://a.example/"),
            ("http://a.example:0080/", "http://a.example/"),
            ("http://a.example:08080/", "http://a.example:8080/"),
            (
                "ftp://Joe:Geheim@A.example:21/x",
                "ftp://Joe:Geheim@a.example/x",
            ),
            (
                "http://a.example/%7ejoe/%61%2d",
                "http://a.example/%7Ejoe/a-",
            ),
            ("http://a.example/x?%61=%3d", "http://a.example/x?a=%3D"),
            ("http://a.example/%61#%61", "http://a.example/a#%61"),
            ("http://[::FFFF:1]:80/", "http://[::ffff:1]/"),
            ("ftp://a.example/%61;type=%61", "ftp://a.example/a;type=%61"),
            (
                "gopher://A.example:70/0%61%3a",
                "gopher://a.example/0%61%3A",
            ),
            ("file://LOCALHOST/C%3a", "file://localhost/C%3A"),
            ("MAILTO:Joe@A.example", "mailto:Joe@A.example"),
            ("X-Own://Host:80/%7e", "x-own://Host:80/%7e"),
        ];
        for (url, expected) in cases {
            assert_eq!(normal(url), expected, "{url}");
        }
    }

    #[test]
    fn ambiguous_parts_are_unchanged() {
        let cases = [
            "http://a.example/a/../%2E%2E/%2E",
            "http://a.example/%2E#Top",
            "http://a.example/%2F%3B%3F%3A%40%26%3D%23%25%24",
            "http://a.example/~joe",
            "http://a.example/x/",
            "http://a.example/?b&a",
            "http://a.example/#%61",
            "http://a.example:/",
            "http://a.example:0/",
            "http://a.example:x/",
            "http://a%2EExample:80/",
            "http://A\\@B.example:80/%61",
            "http:///x",
            "http:A.example",
            "ftp://A?B@C.example:21/%61",
            "https://A.example?b@C.example",
            "ftp://a.example",
            "http://a.example/%%31",
            "http://a.example/%2%35",
            "http://a.example/100%",
            "news:A%2ab@C.example",
            "www.A.example/x",
            ":x",
            "",
        ];
        for url in cases {
            assert_eq!(normal(url), url);
        }
    }

    #[test]
    fn equivalent_urls_are_equal_by_rfc_3986() {
        let cases = [
            (
                "HTTP://Joe@A.Example:/%7e?%7E#%7e",
                "http://Joe@a.example/~?~#~",
            ),
            ("ws://a.example:080?x", "ws://a.example/?x"),
            ("x-own://Host:080/%2d%2f", "x-own://host:80/-%2F"),
            ("http://a.example:00", "http://a.example:0/"),
            ("http://%41%2f.example/", "http://a%2F.example/"),
            ("http://[FE80::1%25En0]/", "http://[fe80::1%25en0]/"),
            ("http://[2001:0DB8:0::1]/", "http://[2001:db8::1]/"),
            ("http://[::FFFF:102:304]/", "http://[::ffff:102:304]/"),
            ("http://[::FFFF:1.2.3.4]/", "http://[::ffff:1.2.3.4]/"),
            ("http://a.example/.%2E/%2e/a", "http://a.example/.%2E/%2E/a"),
            ("http://a.example/%%37E", "http://a.example/%%37E"),
            ("http://a.example/%2%35", "http://a.example/%2%35"),
            ("http://a%#%2E", "http://a%/#."),
            ("urn:ab:%7e%61", "urn:ab:%7E%61"),
            ("MAILTO:%4aoe@A.example", "mailto:Joe@A.example"),
            ("ftp://a.example", "ftp://a.example"),
            ("/x", "/x"),
        ];
        for (url, expected) in cases {
            for standard in [Standard::Rfc3986, Standard::Rfc3987] {
                let normal = normalize_under(standard, url.as_bytes());
                assert_eq!(String::from_utf8_lossy(&normal), expected, "{url}");
                assert_eq!(normalize_under(standard, &normal), normal, "{url}");
            }
        }
    }

    #[cfg(feature = "whatwg")]
    #[test]
    fn normal_forms_to_browsers() {
        assert_eq!(*normalize_under(Standard::Whatwg, b"http:x"), *b"http://x/");
        assert_eq!(
            *normalize_under(Standard::Whatwg, b"http:x:y"),
            *b"http:x:y"
        );
    }

    #[test]
    fn normal_urls_are_borrowed() {
        let normal = normalize(b"http://a.example/%7Ex#y");
        assert!(matches!(normal, Cow::Borrowed(_)));
    }
}
