//! Schemes and their properties: one table, from which everything else is derived.
//!
//! To add a scheme, add a row to `SCHEMES`, sorted by name. All that is derived from the table is
//! computed when the library is compiled.

use crate::standard::rfc1738::SCHEME;

/// The properties of a scheme.
pub struct Scheme {
    /// The name, in lower case.
    pub name: &'static str,
    /// The condition for a URL of the scheme in free text without `//`; `None` if the finder does
    /// not know the scheme's name, and accepts it only before `//`, like any other word.
    without_slashes: Option<WithoutSlashes>,
    /// Whether it is one of the most common schemes. Such a scheme begins a new URL after a comma
    /// or in a list of URLs, and `http:/host` counts as a URL that lacks a slash.
    pub is_web: bool,
    /// Whether the slashes may be on the line after the colon.
    slashes_may_break: bool,
    /// The default port, if ports of the scheme are judged and normalized.
    pub port: Option<u16>,
    /// Whether an empty path is the same as `/`.
    pub is_rooted: bool,
    /// Normalization of the text after `//`, if that begins with a login and a host.
    pub(crate) normal: Option<Normal>,
    /// Whether browsers read it like `http`: a special scheme of the URL Standard. `file` is
    /// special there as well, but has no login and no port.
    pub is_special: bool,
    /// Whether a URL of the scheme may have a user and a password even if its slashes are missing.
    logs_in: bool,
    /// Whether the user and the password may contain a `?` (RFC 1738, section 3.1).
    question_in_login: bool,
    /// Whether everything is sent in clear text, and if so, an alternative.
    pub cleartext: Option<Cleartext>,
    /// Whether the scheme is still in use.
    pub use_today: Use,
}

/// The text that must follow the colon of a known scheme without `//`, so that `data: none`, `Tel:`
/// in a signature or `cid:` in a program do not count as URLs.
#[derive(Clone, Copy)]
enum WithoutSlashes {
    /// The scheme requires slashes.
    Never,
    /// Anything.
    Any,
    /// The name of a newsgroup, which has a dot, or the identifier of an article; anything where a
    /// link expects a URL.
    Group,
    /// Something that contains one of these characters.
    With(&'static [u8]),
    /// A namespace, a colon and a name: `urn:isbn:` alone is the beginning of URNs that a text or a grammar is about.
    Name,
    /// A path.
    Path,
    /// Something that begins with a digit, or with `+` and a digit, after a lower-case name: `TEL:`
    /// is a label, also in vCards (RFC 2426).
    Digits,
    /// Something that begins with `+` and a digit, after a lower-case name: without the `+` it is a
    /// label in nearly every signature.
    PlusDigits,
}

use WithoutSlashes::{Any, Digits, Group, Name, Never, Path, PlusDigits, With};

/// Normalization of the text after `//`, besides the host and the port.
#[derive(Clone, Copy)]
pub(crate) struct Normal {
    /// The bytes that end the part in which needless escapes are decoded; `None` if none are
    /// decoded.
    pub(crate) decoded_until: Option<&'static [u8]>,
}

/// A scheme that sends everything in clear text.
#[derive(Clone, Copy)]
pub struct Cleartext {
    /// The scheme that sends the same data encrypted, if any.
    pub instead: Option<&'static str>,
}

/// Whether a scheme is still in use.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum Use {
    /// It is in use, or no one advises against it.
    Current,
    /// Few programs know it today.
    Rare,
    /// It is historic.
    Historic,
}

/// The schemes, sorted by name.
static SCHEMES: &[Scheme] = &[
    known("acct", With(b"@")),
    known("afp", Never),
    known("afs", With(b"/")),
    // What a page keeps in memory, by the origin of the page.
    known("blob", With(b"/")),
    known("cid", With(b"@")),
    known("coap", Never),
    known("coaps", Never),
    known("data", With(b",")),
    other("dns"),
    known("doi", With(b"/")),
    known("fax", PlusDigits),
    other("feed"),
    known("file", Path).slashes_may_break().normal(Some(b"")),
    // A file that the command of Amazon's services reads as bytes.
    other("fileb"),
    other("fsp"),
    known("ftp", Never)
        .web(21)
        // The type may follow a semicolon.
        .normal(Some(b";"))
        .question_in_login()
        .cleartext(None),
    known("ftps", Never),
    known("geo", Digits),
    known("git", Never),
    known("gopher", Never)
        .port(70)
        .normal(None)
        .cleartext(None)
        .use_today(Use::Rare),
    known("hdl", Never),
    known("http", Never)
        .web(80)
        .rooted()
        .normal(Some(b""))
        .cleartext(Some("https")),
    known("https", Never).web(443).rooted().normal(Some(b"")),
    other("httpu"),
    other("httpx"),
    known("im", With(b"@")),
    known("imap", Never),
    known("ipfs", Never),
    known("irc", Never),
    known("ircs", Never),
    known("ldap", Never),
    known("ldaps", Never),
    known("magnet", With(b"?")),
    known("mailserver", With(b"@")).use_today(Use::Historic),
    known("mailto", Any),
    known("mid", With(b"@")),
    known("news", Group).use_today(Use::Rare),
    known("nfs", Never),
    known("nntp", Never)
        .port(119)
        .normal(None)
        .cleartext(None)
        .use_today(Use::Rare),
    other("nntps"),
    other("ntp"),
    known("pop", Never),
    known("pres", With(b"@")),
    known("prospero", Never)
        .port(1525)
        .normal(None)
        .use_today(Use::Historic),
    known("redis", Never),
    known("rsync", Never),
    known("rtmp", Never),
    other("rtp"),
    known("rtsp", Never),
    known("sftp", Never).logs_in(),
    other("shttp"),
    known("sip", With(b"@")),
    known("sips", With(b"@")),
    known("smb", Never),
    known("sms", Digits),
    other("smtp"),
    known("snews", Never),
    known("ssh", Never).logs_in(),
    known("svn", Never),
    known("tag", With(b",")),
    other("tcp"),
    known("tel", Digits),
    known("telnet", Never)
        .port(23)
        .normal(None)
        .logs_in()
        .question_in_login()
        .cleartext(None),
    other("telnets"),
    known("tftp", Never),
    known("tn3270", Never),
    other("udp"),
    known("urn", Name),
    known("vemmi", Never),
    known("wais", Never)
        .port(210)
        .normal(None)
        .cleartext(None)
        .use_today(Use::Historic),
    known("ws", Never).special(),
    known("wss", Never).special().slashes_may_break(),
    known("xmpp", With(b"@")),
    other("z39.50").use_today(Use::Historic),
    known("z39.50r", Never),
    known("z39.50s", Never),
];

/// A scheme that the user has configured: anything may follow its colon.
#[doc(hidden)]
pub static OWN: Scheme = known("", Any);

/// `http` and `https`, for code that finds them without looking in the table.
#[doc(hidden)]
pub static HTTP: &Scheme = &SCHEMES[row(b"http")];
#[doc(hidden)]
pub static HTTPS: &Scheme = &SCHEMES[row(b"https")];

/// Makes a scheme whose name the finder knows.
const fn known(name: &'static str, without_slashes: WithoutSlashes) -> Scheme {
    Scheme {
        without_slashes: Some(without_slashes),
        ..other(name)
    }
}

/// Makes a scheme that exists, but whose name the finder does not know.
const fn other(name: &'static str) -> Scheme {
    Scheme {
        name,
        without_slashes: None,
        is_web: false,
        slashes_may_break: false,
        port: None,
        is_rooted: false,
        normal: None,
        is_special: false,
        logs_in: false,
        question_in_login: false,
        cleartext: None,
        use_today: Use::Current,
    }
}

impl Scheme {
    /// Makes it one of the most common schemes, which are read alike.
    const fn web(self, port: u16) -> Self {
        Scheme {
            is_web: true,
            is_special: true,
            slashes_may_break: true,
            logs_in: true,
            port: Some(port),
            ..self
        }
    }

    /// Returns the default port of RFC 1738, or of RFC 6455, section 3.
    #[doc(hidden)]
    pub fn port_of_uri(&self) -> Option<u16> {
        match self.name {
            "ws" => Some(80),
            "wss" => Some(443),
            _ => self.port,
        }
    }

    /// Returns whether an empty path is the same as `/`: RFC 9110, section 4.2.3, and RFC 6455,
    /// section 3.
    #[doc(hidden)]
    pub fn is_rooted_uri(&self) -> bool {
        self.is_rooted || matches!(self.name, "ws" | "wss")
    }
}

/// Defines the methods that set the columns of a row.
macro_rules! setters {
    ($($name:ident($($argument:ident: $type:ty)?) => $column:ident: $value:expr;)*) => {
        impl Scheme {
            $(const fn $name(self $(, $argument: $type)?) -> Self {
                Scheme { $column: $value, ..self }
            })*
        }
    };
}

setters! {
    slashes_may_break() => slashes_may_break: true;
    port(port: u16) => port: Some(port);
    rooted() => is_rooted: true;
    normal(decoded_until: Option<&'static [u8]>) => normal: Some(Normal { decoded_until });
    special() => is_special: true;
    logs_in() => logs_in: true;
    question_in_login() => question_in_login: true;
    cleartext(instead: Option<&'static str>) => cleartext: Some(Cleartext { instead });
    use_today(use_today: Use) => use_today: use_today;
}

/// Queries of a row.
impl Scheme {
    /// Returns whether `rest`, which follows the colon, makes a URL without `//`; `name` is the
    /// scheme as it was written.
    #[doc(hidden)]
    pub fn accepts(&self, name: &[u8], rest: &[u8]) -> bool {
        // `Tel:5550123` and `News:none` are labels, and `Mailto:` is none.
        let is_label = name.first().is_some_and(u8::is_ascii_uppercase)
            && name.iter().skip(1).any(u8::is_ascii_lowercase);
        if is_label && self.name != "mailto" {
            return false;
        }
        let is_upper = name.first().is_some_and(u8::is_ascii_uppercase);
        match self.without_slashes {
            None | Some(Never) => false,
            Some(Any) => true,
            Some(Group) => is_group_or_article(rest),
            // RFC 8089, section 2.
            Some(Path) => matches!(rest, [b'/', b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z', ..]),
            // The name of a member in a program.
            Some(With(_)) if self.name == "tag" && rest.starts_with(b"{") => false,
            Some(Name) => memchr::memchr(b':', rest).is_some_and(|colon| {
                let name = rest.get(colon + 1);
                name.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"%-_.+$*:".contains(byte))
            }),
            Some(With(needed)) => rest.iter().any(|byte| needed.contains(byte)),
            Some(Digits | PlusDigits) if is_upper => false,
            Some(Digits) => matches!(rest, [b'0'..=b'9', ..] | [b'+', b'0'..=b'9', ..]),
            Some(PlusDigits) => matches!(rest, [b'+', b'0'..=b'9', ..]),
        }
    }

    /// Returns whether `rest`, which follows the colon, makes a URL where a link expects one.
    /// `name` is the scheme as it was written.
    #[doc(hidden)]
    pub fn accepts_as_target(&self, name: &[u8], rest: &[u8]) -> bool {
        self.accepts(name, rest)
            || (matches!(self.without_slashes, Some(Group | Name)) && !rest.is_empty())
    }

    /// Returns whether the colon alone may begin a URL: no slash need follow it on its line.
    const fn may_lack_slashes(&self) -> bool {
        self.slashes_may_break || !matches!(self.without_slashes, None | Some(Never))
    }
}

/// Returns whether `text` begins with `*`, with the name of a newsgroup that has a dot, or with the
/// identifier of an article.
fn is_group_or_article(text: &[u8]) -> bool {
    let is_end = |byte: &u8| *byte <= b' ' || b"<>\"'`,;|()[]{}".contains(byte);
    let word = &text[..text.iter().position(is_end).unwrap_or(text.len())];
    let is_inside = |sign: u8| {
        let after = |at: usize| word.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        memchr::memchr_iter(sign, word).any(|at| at > 0 && after(at))
    };
    match word {
        [b'*', ..] => true,
        [first, ..] if first.is_ascii_alphanumeric() => is_inside(b'@') || is_inside(b'.'),
        _ => is_inside(b'@'),
    }
}

/// The maximum length of a scheme name that the finder looks back for, in bytes.
#[doc(hidden)]
pub const MAX_SCHEME: usize = 64;

/// The length of the longest scheme name that the finder knows, in bytes.
#[doc(hidden)]
pub const MAX_KNOWN: usize = {
    let mut longest = 0;
    let mut i = 0;
    while i < SCHEMES.len() {
        if SCHEMES[i].without_slashes.is_some() && SCHEMES[i].name.len() > longest {
            longest = SCHEMES[i].name.len();
        }
        i += 1;
    }
    longest
};

/// For each first byte, the rows of the names that begin with it.
static BY_FIRST: [(u8, u8); 256] = {
    let mut table = [(0, 0); 256];
    let mut i = 0;
    while i < SCHEMES.len() {
        let first = SCHEMES[i].name.as_bytes()[0] as usize;
        if table[first].1 == 0 {
            table[first].0 = i as u8;
        }
        table[first].1 = i as u8 + 1;
        i += 1;
    }
    table
};

/// The last two letters of `URL` and of each scheme whose colon alone may begin a URL: for each
/// last letter, one bit for each letter before it.
#[doc(hidden)]
pub static ENDINGS: [u32; 26] = {
    let mut table = [0; 26];
    add_ending(&mut table, b"url");
    let mut i = 0;
    while i < SCHEMES.len() {
        if SCHEMES[i].may_lack_slashes() {
            add_ending(&mut table, SCHEMES[i].name.as_bytes());
        }
        i += 1;
    }
    table
};

const fn add_ending(table: &mut [u32; 26], name: &[u8]) {
    let (before, last) = (name[name.len() - 2], name[name.len() - 1]);
    table[(last - b'a') as usize] |= 1 << (before - b'a');
}

/// Returns the index of `name` in the table.
const fn row(name: &[u8]) -> usize {
    let mut i = 0;
    while !is_same(SCHEMES[i].name.as_bytes(), name) {
        i += 1;
    }
    i
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if one[i] != other[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Looks up `name` in the table, ignoring case.
#[doc(hidden)]
pub fn lookup(name: &[u8]) -> Option<&'static Scheme> {
    let (start, end) = BY_FIRST[usize::from(name.first()?.to_ascii_lowercase())];
    SCHEMES[usize::from(start)..usize::from(end)]
        .iter()
        .find(|scheme| scheme.name.as_bytes().eq_ignore_ascii_case(name))
}

/// Looks up `name` among the schemes that the finder knows, ignoring case.
#[doc(hidden)]
pub fn lookup_known(name: &[u8]) -> Option<&'static Scheme> {
    lookup(name).filter(|scheme| scheme.without_slashes.is_some())
}

/// Returns the schemes, sorted by name.
#[doc(hidden)]
pub fn all() -> impl Iterator<Item = &'static Scheme> {
    SCHEMES.iter()
}

/// Returns the names of the schemes that pass `test`, as alternatives of a regular expression.
pub(super) fn names(test: fn(&[u8]) -> bool) -> String {
    let names = all().map(|scheme| scheme.name);
    let names: Vec<_> = names.filter(|name| test(name.as_bytes())).collect();
    names.join("|")
}

/// Returns whether `name` is an experimental scheme (RFC 1738, section 4).
#[doc(hidden)]
pub fn is_experimental(name: &[u8]) -> bool {
    let start = name.get(..2);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"x-"))
}

/// Returns whether URLs of the scheme `name`, in any case, have logins even if their slashes are
/// missing.
pub(super) fn logs_in(name: &[u8]) -> bool {
    lookup(name).is_some_and(|scheme| scheme.logs_in)
}

/// Returns whether URLs of the scheme `name`, in any case, have an `@` that no login ends with, as in
/// `mailto:joe@a.example`.
pub(super) fn has_address(name: &[u8]) -> bool {
    lookup(name)
        .is_some_and(|scheme| matches!(scheme.without_slashes, Some(Any | Group | With(b"@"))))
}

/// Returns whether a scheme whose name ends with this one may have a `?` in its login: `ftp` and
/// `telnet`, but also `sftp`.
pub(super) fn has_question_in_login(name: &[u8]) -> bool {
    let ends = |scheme: &Scheme| {
        let start = name.len().checked_sub(scheme.name.len());
        start.is_some_and(|start| name[start..].eq_ignore_ascii_case(scheme.name.as_bytes()))
    };
    all().any(|scheme| scheme.question_in_login && ends(scheme))
}

/// Returns whether a scheme name may contain `byte`: a letter, a digit, `+`, `-` or `.` (RFC 1738,
/// section 2.1; case is ignored).
#[inline]
#[doc(hidden)]
pub fn is_scheme_character(byte: u8) -> bool {
    SCHEME.has(byte)
}

/// Returns whether `name` may be a scheme name: one or more letters, digits, `+`, `-` and `.` (RFC
/// 1738, section 2.1). Case is ignored.
///
/// ```
/// use urlint::url::schemes::is_scheme_name;
///
/// assert!(is_scheme_name(b"z39.50r"));
/// assert!(!is_scheme_name(b"http:"));
/// assert!(!is_scheme_name(b""));
/// ```
pub fn is_scheme_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&byte| is_scheme_character(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::rfc1738::Predefined;

    #[test]
    fn the_table_is_in_order_and_the_derived_tables_are_its_own() {
        assert!(SCHEMES.is_sorted_by_key(|scheme| scheme.name));
        assert_eq!((HTTP.name, HTTPS.name), ("http", "https"));
        for scheme in SCHEMES {
            let name = scheme.name.as_bytes();
            assert!(is_scheme_name(name) && name.to_ascii_lowercase() == name);
            for written in [scheme.name.to_owned(), scheme.name.to_ascii_uppercase()] {
                let found = lookup(written.as_bytes()).map(|scheme| scheme.name);
                assert_eq!(found, Some(scheme.name));
                let known = lookup_known(written.as_bytes()).map(|scheme| scheme.name);
                assert_eq!(known, found.filter(|_| scheme.without_slashes.is_some()));
            }
            assert!(name.len() < MAX_SCHEME);
            assert!(name.len() <= MAX_KNOWN || scheme.without_slashes.is_none());
            let instead = scheme.cleartext.and_then(|cleartext| cleartext.instead);
            assert!(instead.is_none_or(|instead| lookup(instead.as_bytes()).is_some()));
        }
        for name in ["", "x", "ftp2", "mailserver2", "http:"] {
            assert!(lookup(name.as_bytes()).is_none(), "{name}");
        }
    }

    #[test]
    fn the_endings_are_those_of_the_schemes() {
        let has = |before: u8, last: u8| {
            let ends = |name: &str| name.as_bytes().ends_with(&[before, last]);
            ends("url") || all().any(|scheme| scheme.may_lack_slashes() && ends(scheme.name))
        };
        for last in b'a'..=b'z' {
            for before in b'a'..=b'z' {
                let bit = ENDINGS[usize::from(last - b'a')] >> (before - b'a') & 1;
                assert_eq!(bit == 1, has(before, last), "{before} {last}");
            }
        }
    }

    #[test]
    fn the_schemes_with_a_grammar_are_in_the_table() {
        let names = [
            "ftp", "file", "http", "https", "gopher", "mailto", "news", "nntp", "telnet", "wais",
            "prospero",
        ];
        for name in names {
            let predefined = Predefined::of(name.as_bytes()).map(Predefined::name);
            let scheme = lookup_known(name.as_bytes());
            assert_eq!(scheme.map(|scheme| scheme.name), predefined);
        }
    }

    #[test]
    fn names() {
        assert!(logs_in(b"HTTPS") && !logs_in(b"mailto"));
        assert!(has_question_in_login(b"FTP") && has_question_in_login(b"sftp"));
        assert!(!has_question_in_login(b"http") && !has_question_in_login(b"tp"));
        assert!(is_experimental(b"X-own") && !is_experimental(b"x"));
    }

    #[test]
    fn urls_without_slashes() {
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
            ("news", "comp.risks", true),
            ("news", "comp.risks.", true),
            ("news", "*", true),
            ("news", "none", false),
            ("news", "_x", false),
            ("news", "x.", false),
            ("news", "<a.b>", false),
            ("News", "comp.risks", false),
            ("NEWS", "a@b", true),
            ("http", "a", false),
        ];
        for (name, rest, expected) in cases {
            let scheme = lookup_known(name.as_bytes()).unwrap_or(&OWN);
            let accepts = scheme.accepts(name.as_bytes(), rest.as_bytes());
            assert_eq!(accepts, expected, "{name}:{rest}");
        }
    }
}
