//! Scheme names: which are known, and which one ends at a colon.

use crate::find::schemes::Schemes;

/// A scheme that is recognised by name.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// What makes a URL of it in free text where no `//` follows.
    without_slashes: WithoutSlashes,
}

/// What must follow the colon of a known scheme without `//`, so that `data: none`, `Tel:` in a
/// signature or `cid:` in a program are not taken for URLs.
#[derive(Clone, Copy)]
enum WithoutSlashes {
    /// The scheme needs them.
    Never,
    /// Anything.
    Any,
    /// Something with one of these characters in it.
    With(&'static [u8]),
    /// Something that begins with a digit or with `+` and a digit, behind a name in small letters:
    /// `TEL:` is a label, and what cards have (RFC 2426).
    Digits,
    /// The same with a `+`: without one it is a label in nearly every signature.
    PlusDigits,
}

use WithoutSlashes::{Any, Digits, Never, PlusDigits, With};

/// The schemes that are known, in the order of their names.
static KNOWN: &[Known] = &[
    known_scheme("acct", With(b"@")),
    known_scheme("afp", Never),
    known_scheme("afs", With(b"/")),
    known_scheme("cid", With(b"@")),
    known_scheme("coap", Never),
    known_scheme("coaps", Never),
    known_scheme("data", With(b",")),
    known_scheme("doi", With(b"/")),
    known_scheme("fax", PlusDigits),
    known_scheme("file", Never),
    known_scheme("ftp", Never),
    known_scheme("ftps", Never),
    known_scheme("geo", Digits),
    known_scheme("git", Never),
    known_scheme("gopher", Never),
    known_scheme("hdl", Never),
    known_scheme("http", Never),
    known_scheme("https", Never),
    known_scheme("im", With(b"@")),
    known_scheme("imap", Never),
    known_scheme("ipfs", Never),
    known_scheme("irc", Never),
    known_scheme("ircs", Never),
    known_scheme("ldap", Never),
    known_scheme("ldaps", Never),
    known_scheme("magnet", With(b"?")),
    known_scheme("mailserver", With(b"@")),
    known_scheme("mailto", Any),
    known_scheme("mid", With(b"@")),
    known_scheme("news", Any),
    known_scheme("nfs", Never),
    known_scheme("nntp", Never),
    known_scheme("pop", Never),
    known_scheme("pres", With(b"@")),
    known_scheme("prospero", Never),
    known_scheme("redis", Never),
    known_scheme("rsync", Never),
    known_scheme("rtmp", Never),
    known_scheme("rtsp", Never),
    known_scheme("sftp", Never),
    known_scheme("sip", With(b"@")),
    known_scheme("sips", With(b"@")),
    known_scheme("smb", Never),
    known_scheme("sms", Digits),
    known_scheme("snews", Never),
    known_scheme("ssh", Never),
    known_scheme("svn", Never),
    known_scheme("tag", With(b",")),
    known_scheme("tel", Digits),
    known_scheme("telnet", Never),
    known_scheme("tftp", Never),
    known_scheme("tn3270", Never),
    known_scheme("urn", With(b":")),
    known_scheme("vemmi", Never),
    known_scheme("wais", Never),
    known_scheme("ws", Never),
    known_scheme("wss", Never),
    known_scheme("xmpp", With(b"@")),
    known_scheme("z39.50r", Never),
    known_scheme("z39.50s", Never),
];

static HTTP: Known = known_scheme("http", Never);

/// Any scheme of somebody's own: what they ask for they mean.
static OWN: Known = known_scheme("", Any);

/// The last two letters, in lower case, of the schemes that may be found without slashes, of those
/// whose slashes may stand in the next line or be mistaken, and of `URL`.
pub(super) const ENDINGS: [[u8; 2]; 24] = [
    *b"rl", *b"tp", *b"ps", *b"to", *b"ws", *b"id", *b"ip", *b"pp", *b"ct", *b"im", *b"es", *b"er",
    *b"rn", *b"ta", *b"ag", *b"et", *b"oi", *b"fs", *b"el", *b"ms", *b"ax", *b"eo", *b"le", *b"ss",
];

const fn known_scheme(name: &'static str, without_slashes: WithoutSlashes) -> Known {
    Known {
        name,
        without_slashes,
    }
}

/// The longest scheme name that is looked back for.
pub(crate) const MAX_SCHEME: usize = 64;

/// The longest name of a known scheme.
pub(crate) const MAX_KNOWN: usize = 10;

/// For each first byte, where the names that begin with it stand in the table.
static BY_FIRST: [(u8, u8); 256] = {
    let mut table = [(0, 0); 256];
    let mut i = 0;
    while i < KNOWN.len() {
        let first = KNOWN[i].name.as_bytes()[0] as usize;
        if table[first].1 == 0 {
            table[first].0 = i as u8;
        }
        table[first].1 = i as u8 + 1;
        i += 1;
    }
    table
};

/// Looks `name` up, in any case.
pub(crate) fn known(name: &[u8]) -> Option<&'static Known> {
    if name.len() > MAX_KNOWN || name.len() < 2 {
        return None;
    }
    let mut lower = [0; MAX_KNOWN];
    let lower = &mut lower[..name.len()];
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    let first = usize::from(lower[0]);
    let (start, end) = BY_FIRST[first];
    KNOWN[usize::from(start)..usize::from(end)]
        .iter()
        .find(|known| known.name.as_bytes() == lower)
}

impl Known {
    /// Whether `rest`, which follows the colon, makes a URL without `//`; `name` is the scheme as
    /// it was written.
    pub(crate) fn takes(&self, name: &[u8], rest: &[u8]) -> bool {
        // `Tel:5550123` and `News:none` are labels; `Mailto:` is seldom one.
        let label = name[0].is_ascii_uppercase() && name[1..].iter().any(u8::is_ascii_lowercase);
        if label && self.name != "mailto" {
            return false;
        }
        match self.without_slashes {
            Never => false,
            Any => true,
            With(needed) => rest.iter().any(|byte| needed.contains(byte)),
            Digits | PlusDigits if name[0].is_ascii_uppercase() => false,
            Digits => matches!(rest, [b'0'..=b'9', ..] | [b'+', b'0'..=b'9', ..]),
            PlusDigits => matches!(rest, [b'+', b'0'..=b'9', ..]),
        }
    }
}

/// Where the scheme begins that ends at `colon`: the longest known name that starts at a word
/// boundary (a `+` is none, it makes one scheme of two), or behind the letter of what is written
/// `\n`, else the whole word, if that has a letter.
/// Those of `own` are known too. `word` is what [`word_start`] says.
pub(crate) fn start(
    text: &[u8],
    word: usize,
    colon: usize,
    own: &Schemes,
) -> Option<(usize, Option<&'static Known>)> {
    let known = |name: &[u8]| known(name).or_else(|| own.contains(name).then_some(&OWN));
    let name = &text[word..colon];
    if let Some(known) = known(name) {
        return Some((word, Some(known)));
    }
    // `\nhttp:` is a line break and a scheme where a program writes it.
    let written = word > 0 && text[word - 1] == b'\\';
    if written
        && let [b'n' | b'r' | b't' | b'f' | b'v' | b'0', rest @ ..] = name
        && let Some(known) = known(rest)
    {
        return Some((word + 1, Some(known)));
    }
    let boundaries = (word + 1..colon).filter(|at| matches!(text[at - 1], b'.' | b'-'));
    for at in boundaries {
        if let Some(known) = known(&text[at..colon]) {
            return Some((at, Some(known)));
        }
    }
    if name.len() >= MAX_SCHEME {
        return None;
    }
    let first = name.iter().position(u8::is_ascii_alphanumeric)?;
    let has_letter = name.iter().any(u8::is_ascii_alphabetic);
    (has_letter && name.len() - first > 1).then_some((word + first, None))
}

/// Where `http` or `https` begins that ends at `colon`, if it is a whole word: the schemes of most
/// URLs, found without a loop.
pub(crate) fn web(text: &[u8], floor: usize, colon: usize) -> Option<(usize, &'static Known)> {
    let word = |len: usize, name: &[u8]| {
        let start = colon.checked_sub(len).filter(|&start| start >= floor)?;
        let whole = start == floor || !is_scheme_character(text[start - 1]);
        (whole && text[start..colon] == *name).then_some((start, &HTTP))
    };
    word(4, b"http").or_else(|| word(5, b"https"))
}

/// Where the run of scheme characters begins that ends at `colon`.
pub(crate) fn word_start(text: &[u8], floor: usize, colon: usize) -> usize {
    let floor = floor.max(colon.saturating_sub(MAX_SCHEME));
    let mut at = colon;
    while at > floor && is_scheme_character(text[at - 1]) {
        at -= 1;
    }
    at
}

pub(crate) fn is_scheme_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_in(text: &[u8]) -> Option<(usize, Option<&'static Known>)> {
        let own = Schemes::new(["own"]);
        start(text, word_start(text, 0, text.len()), text.len(), &own)
    }

    #[test]
    fn the_endings_are_those_of_the_schemes() {
        for known in KNOWN {
            let ending = known.name.as_bytes().last_chunk().copied();
            let ending = ending.unwrap_or_default();
            let can_do_without = !matches!(known.without_slashes, Never);
            assert!(
                !can_do_without || ENDINGS.contains(&ending),
                "{}",
                known.name
            );
        }
    }

    #[test]
    fn what_makes_a_url_without_slashes() {
        let cases = [
            ("tel", "+1-555-0123", true),
            ("tel", "555-0123", true),
            ("tel", " 555-0123", false),
            ("Tel", "+1-555-0123", false),
            ("TEL", "+1-555-0123", false),
            ("GEO", "37.38;-122.08", false),
            ("geo", "37.38,-122.08", true),
            ("fax", "+1-555-0123", true),
            ("fax", "555-0123", false),
            ("news", "none", true),
            ("News", "none", false),
            ("NEWS", "a@b", true),
            ("http", "a", false),
        ];
        for (name, rest, expected) in cases {
            let scheme = known(name.as_bytes()).unwrap_or(&OWN);
            let takes = scheme.takes(name.as_bytes(), rest.as_bytes());
            assert_eq!(takes, expected, "{name}:{rest}");
        }
    }

    #[test]
    fn the_longest_known_name_at_a_word_boundary() {
        let cases: &[(&str, Option<&str>)] = &[
            ("see http", Some("http")),
            ("post.https", Some("https")),
            ("xhttp", Some("xhttp")),
            ("svn+ssh", Some("svn+ssh")),
            ("git+weird", Some("git+weird")),
            ("z39.50r", Some("z39.50r")),
            ("a\\nhttp", Some("http")),
            ("\\thttp", Some("http")),
            ("\\0ftp", Some("ftp")),
            ("\\telnet", Some("telnet")),
            ("\\nfs", Some("nfs")),
            ("\\nxyz", Some("nxyz")),
            ("nhttp", Some("nhttp")),
            ("...foo", Some("foo")),
            ("3com", Some("3com")),
            ("12", None),
            ("x", None),
            ("", None),
            ("網址http", Some("http")),
            ("(HTTP", Some("HTTP")),
            ("an own", Some("own")),
            ("post.OWN", Some("OWN")),
            ("unown", Some("unown")),
        ];
        for (text, expected) in cases {
            let found = start_in(text.as_bytes()).map(|(at, _)| &text[at..]);
            assert_eq!(found, *expected, "{text}");
        }
        assert!(
            KNOWN.is_sorted_by_key(|known| known.name),
            "in the order of their names"
        );
        let long = [b'a'; 100];
        assert!(start_in(&long).is_none());
    }
}
