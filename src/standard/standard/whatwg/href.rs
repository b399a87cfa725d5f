//! How the parser serializes a URL (the standard's section "URL serializing").

use std::fmt::Write;

use super::chars::{
    C0_CONTROL, EncodeSet, FRAGMENT, PATH, QUERY, SPECIAL_QUERY, USERINFO, is_tab_or_newline,
};
use super::domain::to_ascii;
use super::input::Input;
use super::judge::{Judge, Kind, inside_brackets, is_drive_letter, port_number};
use super::{Components, Part, ipv4, ipv6};
use crate::standard::escape::dots;

/// Returns the URL that browsers make of `url`, as shown by the `href` attribute of a link; `None`
/// if they do not follow it. Browsers treat two URLs with the same href as one.
///
/// Takes any bytes; those that are not UTF-8 are read as U+FFFD. Takes time linear in their number.
///
/// ```
/// use urlint::standard::whatwg::href;
///
/// let found = href(br"HTTP:\\A.Example:80/x/../{y}").unwrap();
/// assert_eq!(found, "http://a.example/%7By%7D");
/// assert_eq!(href(b"http://a.example:x/"), None);
/// ```
#[must_use]
pub fn href(url: &[u8]) -> Option<String> {
    let url = url.get(..Part::MAX).unwrap_or(url);
    let text = String::from_utf8_lossy(url);
    let text = text.as_bytes().get(..Part::MAX).unwrap_or(text.as_bytes());
    serialized(&Input::of(text, |_, _| {}).text)
}

fn serialized(url: &[u8]) -> Option<String> {
    debug_assert!(!url.iter().any(|&byte| is_tab_or_newline(byte)));
    let mut report = |_| {};
    let mut judge = Judge::new(url, &mut report);
    let components = judge.url();
    if judge.has_failed {
        return None;
    }
    let scheme = components.scheme?.of(url);
    let mut out = Serializer {
        url,
        kind: Kind::of(scheme),
        out: String::with_capacity(url.len() + 8),
    };
    out.out.extend(
        scheme
            .iter()
            .map(|byte| char::from(byte.to_ascii_lowercase())),
    );
    out.out.push(':');
    out.authority(&components)?;
    out.path(&components);
    if let Some(query) = components.query {
        out.out.push('?');
        let set = if out.kind.is_special() {
            SPECIAL_QUERY
        } else {
            QUERY
        };
        out.encoded(query.of(url), set);
    }
    if let Some(fragment) = components.fragment {
        out.out.push('#');
        out.encoded(fragment.of(url), FRAGMENT);
    }
    Some(out.out)
}

/// A URL that parses, and the part of it that has been written.
struct Serializer<'u> {
    url: &'u [u8],
    kind: Kind,
    out: String,
}

impl Serializer<'_> {
    /// Writes credentials, host and port, with the slashes before them.
    fn authority(&mut self, components: &Components) -> Option<()> {
        let host = match components.host {
            Some(host) => host.of(self.url),
            // In a file URL the host is empty even if there is none.
            None if self.kind == Kind::File => &[],
            None => return Some(()),
        };
        self.out.push_str("//");
        let text = |part: Option<Part>| part.unwrap_or_default().of(self.url);
        let (user, password) = (text(components.user), text(components.password));
        self.encoded(user, USERINFO);
        if !password.is_empty() {
            self.out.push(':');
            self.encoded(password, USERINFO);
        }
        if !user.is_empty() || !password.is_empty() {
            self.out.push('@');
        }
        self.host(host)?;
        if let Some(port) = components.port.filter(|port| !port.is_empty()) {
            let port = port_number(port.of(self.url))?;
            if self.kind != Kind::Special(port) {
                // Writing to a string cannot fail.
                let _ = write!(self.out, ":{port}");
            }
        }
        Some(())
    }

    fn host(&mut self, host: &[u8]) -> Option<()> {
        if host.is_empty() {
            return Some(());
        }
        if let Some(address) = inside_brackets(host) {
            self.out.push('[');
            ipv6::write(ipv6::parse(address, |_| {}).ok()?, &mut self.out);
            self.out.push(']');
            return Some(());
        }
        if !self.kind.is_special() {
            self.encoded(host, C0_CONTROL);
            return Some(());
        }
        let name = to_ascii(host)?;
        if ipv4::ends_in_number(name.as_bytes()) {
            let [a, b, c, d] = ipv4::parse(name.as_bytes(), |_| {})?.to_be_bytes();
            let _ = write!(self.out, "{a}.{b}.{c}.{d}");
        } else if self.kind != Kind::File || name != "localhost" {
            self.out.push_str(&name);
        }
        Some(())
    }

    fn path(&mut self, components: &Components) {
        let path = components.path.unwrap_or_default().of(self.url);
        let is_opaque =
            !self.kind.is_special() && components.host.is_none() && !path.starts_with(b"/");
        if is_opaque {
            let is_last = components.query.is_none() && components.fragment.is_none();
            self.opaque_path(path, is_last);
            return;
        }
        if path.is_empty() && !self.kind.is_special() {
            return;
        }
        let start = self.out.len();
        let first = path.first();
        let path = if first.is_some_and(|&byte| self.kind.is_slash(byte)) {
            &path[1..]
        } else {
            path
        };
        let kind = self.kind;
        let mut segments = path.split(|&byte| kind.is_slash(byte)).peekable();
        while let Some(segment) = segments.next() {
            self.segment(start, segment, segments.peek().is_none());
        }
        let has_authority = components.host.is_some() || self.kind == Kind::File;
        if !has_authority && self.out[start..].starts_with("//") {
            self.out.insert_str(start, "/.");
        }
    }

    /// Writes a segment of the path that begins at `start` in the output; a slash precedes each
    /// segment.
    fn segment(&mut self, start: usize, segment: &[u8], is_last: bool) {
        match dots(segment) {
            2 => {
                self.shorten(start);
                if is_last {
                    self.out.push('/');
                }
            }
            1 if is_last => self.out.push('/'),
            1 => {}
            _ => {
                let is_first = self.out.len() == start;
                self.out.push('/');
                if self.kind == Kind::File && is_first && is_drive_letter(segment) {
                    self.out.push(segment[0].into());
                    self.out.push(':');
                } else {
                    self.encoded(segment, PATH);
                }
            }
        }
    }

    /// Removes the last segment, unless it is a drive letter.
    fn shorten(&mut self, start: usize) {
        let path = &self.out[start..];
        let is_drive = self.kind == Kind::File
            && matches!(path.as_bytes(), [b'/', letter, b':'] if letter.is_ascii_alphabetic());
        if !is_drive {
            let last = path.rfind('/').unwrap_or(0);
            self.out.truncate(start + last);
        }
    }

    /// Of the spaces before a query or fragment, only the last is encoded, as the standard does.
    fn opaque_path(&mut self, path: &[u8], is_last: bool) {
        match path.strip_suffix(b" ") {
            Some(before) if !is_last => {
                self.encoded(before, C0_CONTROL);
                self.out.push_str("%20");
            }
            _ => self.encoded(path, C0_CONTROL),
        }
    }

    /// Writes `text`, which is UTF-8, percent-encoded.
    fn encoded(&mut self, text: &[u8], set: EncodeSet) {
        for &byte in text {
            if byte.is_ascii() && !byte.is_ascii_control() && !set.contains(&byte) {
                self.out.push(byte.into());
            } else {
                // Writing to a string cannot fail.
                let _ = write!(self.out, "%{byte:02X}");
            }
        }
    }
}
