//! Takes a URL apart without judging it.
//!
//! Standards agree on how a URL is split into parts, except for the differences in [`Syntax`]. Only
//! this module and the transcribed grammars know about the brackets of an IP address.

use crate::standard::rfc1738::SCHEME;
use crate::standard::{Part, Standard, Syntax};

/// The parts of a URL, valid or not. An absent part is `None`; one that is present but empty is an
/// empty [`Part`].
///
/// ```
/// use urlint::url::Split;
///
/// let url = b"ftp://joe:secret@[2001:db8::1]:21/pub/x?y#top";
/// let split = Split::of(url);
/// assert_eq!(split.scheme.map(|part| part.of(url)), Some(&b"ftp"[..]));
/// assert_eq!(split.user.map(|part| part.of(url)), Some(&b"joe"[..]));
/// assert_eq!(split.password.map(|part| part.of(url)), Some(&b"secret"[..]));
/// assert_eq!(split.host.map(|part| part.of(url)), Some(&b"[2001:db8::1]"[..]));
/// assert_eq!(split.port.map(|part| part.of(url)), Some(&b"21"[..]));
/// assert_eq!(split.path.of(url), b"/pub/x");
/// assert_eq!(split.query.map(|part| part.of(url)), Some(&b"y"[..]));
/// assert_eq!(split.fragment.map(|part| part.of(url)), Some(&b"top"[..]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use]
pub struct Split {
    /// The text before the first colon, if it consists of letters, digits, `+`, `-` and `.`.
    /// Without a scheme, all of the text up to the query is the path.
    pub scheme: Option<Part>,
    /// The text between the slashes after the scheme and the path.
    pub authority: Option<Part>,
    /// The text before the last `@` of the authority.
    pub userinfo: Option<Part>,
    /// The userinfo up to its first colon.
    pub user: Option<Part>,
    /// The userinfo after its first colon.
    pub password: Option<Part>,
    /// The host, including any brackets. Every authority has a host, which may be empty.
    pub host: Option<Part>,
    /// The text after the colon that follows the host.
    pub port: Option<Part>,
    /// The text after the authority, or else after the scheme's colon, including a leading slash.
    pub path: Part,
    /// The text after the first `?` that follows the authority.
    pub query: Option<Part>,
    /// The text after the first `#`.
    pub fragment: Option<Part>,
}

impl Split {
    /// Takes `url` apart by [`Syntax::Generic`]. Takes any bytes, in time linear in their number;
    /// bytes after the first [`Part::MAX`] belong to no part.
    pub fn of(url: &[u8]) -> Split {
        Split::by(Syntax::Generic, url)
    }

    /// Takes `url` apart as `standard` does for URLs of its scheme.
    ///
    /// ```
    /// use urlint::standard::Standard;
    /// use urlint::url::Split;
    ///
    /// let url = b"ftp://a.example/x?y";
    /// let split = Split::under(Standard::Rfc1738, url);
    /// assert_eq!(split.path.of(url), b"/x?y");
    /// assert_eq!(split.query, None);
    /// ```
    pub fn under(standard: Standard, url: &[u8]) -> Split {
        let scheme = scheme(url);
        let name = scheme.unwrap_or_default().of(url);
        Split::after(scheme, standard.syntax(name), url)
    }

    /// Takes `url` apart by `syntax`, as [`Split::of`] does by the generic one.
    ///
    /// ```
    /// use urlint::standard::Syntax;
    /// use urlint::url::Split;
    ///
    /// let url = br"https:\\a.example\x";
    /// assert_eq!(Split::of(url).host, None);
    /// let split = Split::by(Syntax::Special, url);
    /// assert_eq!(split.host.unwrap().of(url), b"a.example");
    /// assert_eq!(split.path.of(url), br"\x");
    /// ```
    pub fn by(syntax: Syntax, url: &[u8]) -> Split {
        Split::after(scheme(url), syntax, url)
    }

    /// Takes apart `url`, whose scheme is `scheme`.
    #[inline]
    fn after(scheme: Option<Part>, syntax: Syntax, url: &[u8]) -> Split {
        let mut split = Split {
            scheme,
            ..Split::default()
        };
        let url = url.get(..Part::MAX).unwrap_or(url);
        let mut rest = Part::all(url);
        if let Some(scheme) = scheme {
            rest.start = scheme.end + 1;
            if let Some(start) = authority_start(syntax, rest.of(url)) {
                rest = rest.skip(start);
                rest.start = split.set_authority(syntax, url, rest);
            }
        }
        split.set_rest(syntax, url, rest);
        split
    }

    /// Reads the authority at the start of `rest`; returns where it ends.
    #[inline]
    fn set_authority(&mut self, syntax: Syntax, url: &[u8], rest: Part) -> u32 {
        let ends = |byte: u8| match byte {
            b'/' | b'#' => true,
            b'?' => syntax != Syntax::NoQuery,
            b'\\' => syntax == Syntax::Special,
            _ => false,
        };
        let (part, _) = rest.split_before(url, ends);
        let authority = Authority::of(url, part);
        self.authority = Some(part);
        self.userinfo = authority.userinfo;
        self.user = authority.user;
        self.password = authority.password;
        self.host = Some(authority.host);
        self.port = authority.port;
        part.end
    }

    /// Reads path, query and fragment.
    #[inline]
    fn set_rest(&mut self, syntax: Syntax, url: &[u8], rest: Part) {
        let text = rest.of(url);
        let end = if syntax == Syntax::NoQuery {
            memchr::memchr(b'#', text)
        } else {
            memchr::memchr2(b'?', b'#', text)
        };
        let Some(end) = end else {
            self.path = rest;
            return;
        };
        let (path, tail) = rest.split_at(rest.start + end as u32);
        self.path = path;
        if text[end] == b'#' {
            self.fragment = Some(tail.skip(1));
            return;
        }
        let (query, fragment) = tail.skip(1).cut(url, b'#');
        self.query = Some(query);
        self.fragment = fragment;
    }

    /// Returns the text after the authority, or else after the scheme's colon: path and query.
    pub fn rest(&self) -> Part {
        let end = self.query.map_or(self.path.end, |query| query.end);
        Part { end, ..self.path }
    }
}

/// The parts of an authority, valid or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Authority {
    /// The text before the last `@`.
    pub userinfo: Option<Part>,
    /// The userinfo up to its first colon.
    pub user: Option<Part>,
    /// The userinfo after its first colon.
    pub password: Option<Part>,
    /// The host, including any brackets.
    pub host: Part,
    /// The text after the colon that follows the host.
    pub port: Option<Part>,
}

impl Authority {
    /// Takes apart the authority at `part` of `url`. It may be any bytes.
    ///
    /// ```
    /// use urlint::standard::Part;
    /// use urlint::url::Authority;
    ///
    /// let text = b"joe@www.a.example:80";
    /// let authority = Authority::of(text, Part::all(text));
    /// assert_eq!(authority.host.of(text), b"www.a.example");
    /// ```
    #[must_use]
    pub fn of(url: &[u8], part: Part) -> Authority {
        let mut authority = Authority::default();
        let mut hostport = part;
        if let Some(at) = part.rfind(url, b'@') {
            let (user, password) = part.before(at).cut(url, b':');
            authority.userinfo = Some(part.before(at));
            authority.user = Some(user);
            authority.password = password;
            hostport = part.starting_at(at + 1);
        }
        (authority.host, authority.port) = host_and_port(url, hostport);
        authority
    }
}

/// Splits the host and port at `part` of `url` at the colon between them. A colon inside the
/// brackets of an IP address does not count, unless the brackets are not closed.
///
/// ```
/// use urlint::standard::Part;
/// use urlint::url::split::host_and_port;
///
/// let text = b"[::1]:80";
/// let (host, port) = host_and_port(text, Part::all(text));
/// assert_eq!(host.of(text), b"[::1]");
/// assert_eq!(port.unwrap().of(text), b"80");
/// ```
pub fn host_and_port(url: &[u8], part: Part) -> (Part, Option<Part>) {
    let text = part.of(url);
    let literal = if text.first() == Some(&b'[') {
        memchr::memchr(b']', text).unwrap_or(0)
    } else {
        0
    };
    let (rest, port) = part.starting_at(part.start + literal as u32).cut(url, b':');
    (part.before(rest.end), port)
}

/// Returns the scheme of `url`: the text before the first colon, if it is made of letters, digits,
/// `+`, `-` and `.`.
#[must_use]
pub fn scheme(url: &[u8]) -> Option<Part> {
    let url = url.get(..Part::MAX).unwrap_or(url);
    let scheme = Part::new(0, SCHEME.skip(url, 0));
    let is_scheme = !scheme.is_empty() && url.get(scheme.len()) == Some(&b':');
    is_scheme.then_some(scheme)
}

/// How many bytes precede the authority in `text`, which follows the colon after the scheme; `None` if
/// there is no authority.
#[inline]
fn authority_start(syntax: Syntax, text: &[u8]) -> Option<u32> {
    let is_slash = |byte: &&u8| matches!(byte, b'/' | b'\\');
    match syntax {
        Syntax::Special => Some(text.iter().take_while(is_slash).count() as u32),
        Syntax::Generic | Syntax::NoQuery => text.starts_with(b"//").then_some(2),
        Syntax::NoAuthority => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use urlint_testing::tries;

    /// Returns the parts that are present, in the order of the fields.
    fn shown(syntax: Syntax, url: &str) -> String {
        let split = Split::by(syntax, url.as_bytes());
        let part = |name: &str, part: Option<Part>| {
            let part = part?.of(url.as_bytes());
            Some(format!("{name}={}", String::from_utf8_lossy(part)))
        };
        let parts = [
            part("scheme", split.scheme),
            part("authority", split.authority),
            part("user", split.user),
            part("password", split.password),
            part("host", split.host),
            part("port", split.port),
            part("path", Some(split.path)),
            part("query", split.query),
            part("fragment", split.fragment),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn parts() {
        let cases = [
            ("", "path="),
            ("x", "path=x"),
            (":x", "path=:x"),
            ("a_b://h/x", "path=a_b://h/x"),
            ("a/b:c?d", "path=a/b:c query=d"),
            ("a#b:c", "path=a fragment=b:c"),
            ("mailto:joe@h", "scheme=mailto path=joe@h"),
            ("x:", "scheme=x path="),
            ("x:/y", "scheme=x path=/y"),
            ("x://", "scheme=x authority= host= path="),
            ("x://?y", "scheme=x authority= host= path= query=y"),
            (
                "x://u@h:1/p?q?r#f#g",
                "scheme=x authority=u@h:1 user=u host=h port=1 path=/p query=q?r fragment=f#g",
            ),
            (
                "x://u:p:q@r@h:",
                "scheme=x authority=u:p:q@r@h: user=u password=p:q@r host=h port= path=",
            ),
            (
                "x://:@:",
                "scheme=x authority=:@: user= password= host= port= path=",
            ),
            (
                "x://h:1:2/",
                "scheme=x authority=h:1:2 host=h port=1:2 path=/",
            ),
            ("x://[::1]/", "scheme=x authority=[::1] host=[::1] path=/"),
            (
                "x://[::1]y:2/",
                "scheme=x authority=[::1]y:2 host=[::1]y port=2 path=/",
            ),
            ("x://[a:b/", "scheme=x authority=[a:b host=[a port=b path=/"),
            (r"x://h\i/", r"scheme=x authority=h\i host=h\i path=/"),
        ];
        for (url, expected) in cases {
            assert_eq!(shown(Syntax::Generic, url), expected, "{url}");
        }
    }

    #[test]
    fn differences_between_standards() {
        assert_eq!(
            shown(Syntax::NoAuthority, "news://h/x?y"),
            "scheme=news path=//h/x query=y"
        );
        assert_eq!(
            shown(Syntax::NoQuery, "ftp://j?k:l@h/x?y#z"),
            "scheme=ftp authority=j?k:l@h user=j?k password=l host=h path=/x?y fragment=z"
        );
        for slashes in ["", "/", "//", r"\\", r"/\//"] {
            assert_eq!(
                shown(Syntax::Special, &format!(r"http:{slashes}h:1\x?y")),
                r"scheme=http authority=h:1 host=h port=1 path=\x query=y",
                "{slashes}"
            );
        }
    }

    proptest! {
        #![proptest_config(tries(20_000))]

        #[test]
        fn parts_put_together_are_the_url(
            url in prop_oneof![
                proptest::collection::vec(prop::sample::select(&b"a0:/?#@[]\\.%"[..]), 0..30),
                "(http|x)://[a@:\\[\\]]{0,9}[/?a]{0,5}(#[a#]{0,3})?".prop_map(String::into_bytes),
                proptest::collection::vec(any::<u8>(), 0..20),
            ],
        ) {
            for syntax in [Syntax::Generic, Syntax::NoQuery, Syntax::NoAuthority, Syntax::Special] {
                let split = Split::by(syntax, &url);
                let mut whole = Vec::new();
                if let Some(scheme) = split.scheme {
                    whole.extend_from_slice(scheme.of(&url));
                    whole.push(b':');
                }
                if let Some(authority) = split.authority {
                    prop_assert!(split.scheme.is_some());
                    whole.extend_from_slice(&url[whole.len()..authority.start as usize]);
                    let start = whole.len();
                    if let (Some(userinfo), Some(user)) = (split.userinfo, split.user) {
                        whole.extend_from_slice(user.of(&url));
                        if let Some(password) = split.password {
                            whole.push(b':');
                            whole.extend_from_slice(password.of(&url));
                        }
                        prop_assert_eq!(userinfo.of(&url), &whole[start..]);
                        whole.push(b'@');
                    }
                    whole.extend_from_slice(split.host.unwrap_or_default().of(&url));
                    if let Some(port) = split.port {
                        whole.push(b':');
                        whole.extend_from_slice(port.of(&url));
                    }
                    prop_assert_eq!(authority.of(&url), &whole[start..]);
                }
                let start = whole.len();
                whole.extend_from_slice(split.path.of(&url));
                if let Some(query) = split.query {
                    whole.push(b'?');
                    whole.extend_from_slice(query.of(&url));
                }
                prop_assert_eq!(split.rest().of(&url), &whole[start..]);
                if let Some(fragment) = split.fragment {
                    whole.push(b'#');
                    whole.extend_from_slice(fragment.of(&url));
                }
                prop_assert_eq!(&whole, &url);
            }
        }
    }
}
