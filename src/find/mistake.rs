//! Misspelled URLs of the web: mistakes in `http://`, such as `http//` and `https;//`, and spaces in a path.

use std::sync::LazyLock;

use memchr::memmem;

use urlint_standard::text::window::is_blank;

/// The ways in which `://` is mistaken.
const SEPARATORS: [&str; 11] = [
    "//:", "//", ";//", ".//", ":://", ": // ", ": //", ":// ", " ://", " : //", "：//",
];

/// The schemes after which it is looked for.
const NAMES: [&str; 2] = ["http", "https"];

/// The domains that most hosts are in, the oldest first.
const DOMAINS: [&[u8]; 6] = [b"com", b"org", b"net", b"edu", b"gov", b"io"];

/// How much of a target may be a host, in bytes.
const MAX_HOST: usize = 64;

/// The length of the longest mistaken beginning, `https：//`, in bytes.
pub(crate) const MAX_LEN: usize = 10;

/// Returns where the first mistaken beginning of a URL at or after `from` begins. Two slashes are
/// searched for, since few texts have many.
#[doc(hidden)]
pub fn find(text: &[u8], from: usize) -> Option<usize> {
    static SLASHES: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("//"));
    let rest = text.get(from..)?;
    SLASHES.find_iter(rest).find_map(|slashes| {
        let before = &rest[..slashes];
        let before = match before {
            [before @ .., b':'] if rest.get(slashes + 2).is_some_and(|&next| next == b' ') => {
                before
            }
            [before @ .., b' ', b':', b' '] => before,
            [before @ .., b':', b':' | b' '] | [before @ .., b';' | b'.'] => before,
            // A fullwidth colon.
            [before @ .., b' ', b':'] | [before @ .., 0xEF, 0xBC, 0x9A] => before,
            before => before,
        };
        let mut names = NAMES.into_iter();
        names.find_map(|name| {
            let start = before.len().checked_sub(name.len())?;
            let is_name = before[start..].eq_ignore_ascii_case(name.as_bytes());
            is_name.then_some(from + start)
        })
    })
}

/// A mistaken beginning of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Mistake {
    /// The length of the name of the scheme.
    pub name: usize,
    /// The length of the name and of the text in place of `://`.
    pub len: usize,
}

impl Mistake {
    /// Returns the mistake with which `text` begins, if a host may follow it.
    #[doc(hidden)]
    pub fn at_start(text: &[u8]) -> Option<Mistake> {
        let mut names = NAMES.into_iter().rev();
        let name = names.find(|name| {
            let start = text.get(..name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        })?;
        let rest = &text[name.len()..];
        if let [b':', b'/', b'/', next, ..] = rest
            && !is_blank(*next)
        {
            return None;
        }
        let mut separators = SEPARATORS.into_iter();
        let found = separators.find(|separator| rest.starts_with(separator.as_bytes()))?;
        let mistake = Mistake {
            name: name.len(),
            len: name.len() + found.len(),
        };
        let next = text.get(mistake.len)?;
        (next.is_ascii_alphanumeric() || *next >= 0x80).then_some(mistake)
    }

    /// The mistake that only a colon follows the `name` bytes of the scheme.
    pub(crate) fn without_slashes(name: usize) -> Mistake {
        let len = name + 1;
        Mistake { name, len }
    }

    /// Returns whether a host certainly follows the mistake at the start of `text`, which is running text.
    /// White space and a colon alone have other reasons, so more is required of a host after them.
    #[doc(hidden)]
    pub fn is_before_host(self, text: &[u8]) -> bool {
        let has_space = text[..self.len].iter().any(|byte| is_blank(*byte));
        let (name, _, rest) = split_host(&text[self.len..]);
        let host = name.strip_suffix(b".").unwrap_or(name);
        let mut labels = host.split(|&byte| byte == b'.');
        let last = labels.next_back().unwrap_or_default();
        let has_more = labels.clone().next().is_some() && labels.all(|label| !label.is_empty());
        let is_host = has_more && last.len() > 1 && last.iter().all(u8::is_ascii_alphabetic);
        let is_www = |host: &[u8]| {
            host.get(..4)
                .is_some_and(|start| start.eq_ignore_ascii_case(b"www."))
        };
        let has_path = rest.starts_with(b"/");
        let is_known = || DOMAINS.iter().any(|known| last.eq_ignore_ascii_case(known));
        is_host
            && (is_www(host)
                || match self.len - self.name {
                    1 => has_path && is_known(),
                    _ => !has_space || has_path || is_known(),
                })
    }
}

/// Returns whether `byte` may precede such a URL in running text.
pub(crate) fn may_precede(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"<([{\"'`=,>:@".contains(&byte)
}

/// Returns whether `text`, between quotes or angle brackets, is one URL of the web with raw spaces in the
/// name of a file: `http://a.example/my file.pdf`. In angle brackets, one space is enough.
#[doc(hidden)]
pub fn is_spaced(text: &[u8], is_angled: bool) -> bool {
    /// The most spaces that a name has.
    const MOST: usize = 3;
    let mut words = text.split(|&byte| byte == b' ');
    let first = words.next().unwrap_or_default();
    let path = first.splitn(4, |&byte| byte == b'/').nth(3);
    let path = path.filter(|path| !path.contains(&b'#'));
    let is_url = NAMES.iter().any(|name| {
        let rest = first.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| rest.starts_with(b"://"))
    });
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.%/()&+~".contains(byte);
    let is_word = |word: &[u8]| !word.is_empty() && word.iter().all(is_of_name);
    let spaces = words.clone().count();
    let last = words.clone().next_back().unwrap_or_default();
    let extension = last.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_file = extension.len() < last.len() && (2..=5).contains(&extension.len());
    is_url
        && path.is_some_and(|path| path.last().is_some_and(u8::is_ascii_alphanumeric))
        && (1..=MOST).contains(&spaces)
        && words.all(is_word)
        && (is_file && extension.iter().all(u8::is_ascii_alphanumeric)
            || is_angled && spaces == 1 && last.last().is_some_and(u8::is_ascii_alphanumeric))
}

/// Returns whether `text`, after a scheme of one letter and `://`, begins with a host. After a drive it does
/// not.
pub(crate) fn follows_letter(text: &[u8]) -> bool {
    let (name, last, rest) = split_host(text);
    let is_country = last.len() == 2 && last.iter().all(u8::is_ascii_lowercase);
    last.len() < name.len() && rest.starts_with(b"/") && (is_country || DOMAINS.contains(&last))
}

/// Returns the name of a host that `text` begins with, its last label, and the rest of `text`.
#[doc(hidden)]
pub fn split_host(text: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
    let len = text.iter().take(MAX_HOST).take_while(is_of_name).count();
    let (name, rest) = text.split_at(len);
    let last = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    (name, last, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes() {
        let cases = [
            ("http//www.a.example/x", Some("http//"), true),
            ("HTTPS;//a.example", Some("HTTPS;//"), true),
            ("https:://a.example", Some("https:://"), true),
            ("http: //www.a.example", Some("http: //"), true),
            ("http: //a.example/x", Some("http: //"), true),
            ("http: //see.this comment", Some("http: //"), false),
            ("http:// a.org", Some("http:// "), true),
            ("https: // a.org", Some("https: // "), true),
            ("https: // a comment", Some("https: // "), false),
            ("https ://www.a.example", Some("https ://"), true),
            ("https：//a.example", Some("https：//"), true),
            ("http// a", None, false),
            ("http//a/b", Some("http//"), false),
            ("http//1.2", Some("http//"), false),
            ("http://a.example", None, false),
            ("https:///a.example", None, false),
            ("httpx//a.example", None, false),
            ("https:www.a.example", None, false),
            ("http//:a.example/x", Some("http//:"), true),
            ("http", None, false),
        ];
        for (text, expected, is_sure) in cases {
            let found = Mistake::at_start(text.as_bytes());
            let beginning = found.map(|mistake| &text[..mistake.len]);
            assert_eq!(beginning, expected, "{text}");
            let before_host = found.is_some_and(|found| found.is_before_host(text.as_bytes()));
            assert_eq!(before_host, is_sure, "{text}");
        }
    }

    #[test]
    fn hosts_after_a_colon_alone() {
        for (text, expected) in [
            ("http:www.a.example", true),
            ("http:a.example.org/x", true),
            ("http:server.conf/x", false),
            ("http:java.io", false),
            ("http:x", false),
        ] {
            let mistake = Mistake::without_slashes("http".len());
            assert_eq!(mistake.is_before_host(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn names_with_spaces() {
        for (text, quoted, angled) in [
            ("http://a.example/my file.pdf", true, true),
            ("https://a.example/x/my long file name.html", true, true),
            ("http://a.example/a b", false, true),
            ("http://a.example/a b c", false, false),
            ("http://a.example/x#a b", false, false),
            ("http://a.example/x#a file.pdf", false, false),
            ("http://a.example/ see file.pdf", false, false),
            ("http://a.example/a, file.pdf", false, false),
            ("http://a.example file.pdf", false, false),
            ("http://a.example/a file.", false, false),
            ("http://a.example/a.pdf", false, false),
            ("ftp://a.example/my file.pdf", false, false),
        ] {
            assert_eq!(is_spaced(text.as_bytes(), false), quoted, "{text}");
            assert_eq!(is_spaced(text.as_bytes(), true), angled, "{text}");
        }
    }
}
