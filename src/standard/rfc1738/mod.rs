//! The judge: RFC 1738, section 5, production by production.
//!
//! Function names are the nonterminals of the grammar, the production stands above each, and they
//! come in the RFC's order, so that a person with the RFC in hand can check them. A URL is valid
//! when it can be derived from `genericurl` with three decisions:
//!
//! * **O1** the slash of `gopherurl` is a literal (erratum 5118);
//! * **O2** `otherurl` is for schemes other than the ten predefined ones;
//! * **O3** a scheme in upper case is the same scheme (section 2.1).
//!
//! Judging does not stop at the first problem: a URL with five faults gets five problems.

mod chars;
mod common;
mod components;
mod schemes;
mod survey;

use std::fmt;
use std::ops::Range;

use chars::XCHAR;
pub(crate) use chars::{SCHEME, code_point_len};
pub(crate) use common::{is_host, is_unreserved, judge_fragment};
pub use components::{Components, Hostport, Login};
use survey::survey;

/// A byte range of a URL's own text.
pub type Part = Range<usize>;

/// What [`parse`] makes of a URL: its components, and where it departs from the grammar.
///
/// ```
/// use urlint::rfc1738::{ProblemKind, parse};
///
/// let parsed = parse(b"http://a.example/~joe");
/// assert_eq!(parsed.scheme(), Some("http"));
/// assert_eq!(parsed.host(), Some(&b"a.example"[..]));
/// assert!(!parsed.is_valid());
/// assert_eq!(parsed.problems[0].kind, ProblemKind::UnsafeCharacter);
/// assert_eq!(parsed.problems[0].range, 17..18);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'u> {
    /// The bytes that were judged.
    pub url: &'u [u8],
    /// What stands before the first colon, where that is a scheme.
    pub scheme: Option<Scheme<'u>>,
    /// The parts of the scheme part.
    pub components: Components,
    /// Where the URL departs from the grammar, in the order of their places.
    pub problems: Vec<Problem>,
}

/// A scheme name as section 2.1 has it: in lower case, whatever the case it was written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme<'u> {
    /// One of the ten schemes that have a grammar of their own.
    Predefined(Predefined),
    /// Any other, as written.
    Other(&'u str),
}

/// The ten schemes that have a production of their own, in the order of section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the schemes")]
pub enum Predefined {
    Ftp,
    File,
    Http,
    Gopher,
    Mailto,
    News,
    Nntp,
    Telnet,
    Wais,
    Prospero,
}

impl Predefined {
    /// The scheme's name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Predefined::Ftp => "ftp",
            Predefined::File => "file",
            Predefined::Http => "http",
            Predefined::Gopher => "gopher",
            Predefined::Mailto => "mailto",
            Predefined::News => "news",
            Predefined::Nntp => "nntp",
            Predefined::Telnet => "telnet",
            Predefined::Wais => "wais",
            Predefined::Prospero => "prospero",
        }
    }

    /// The section of RFC 1738 that describes the scheme.
    pub fn section(self) -> &'static str {
        match self {
            Predefined::Ftp => "3.2",
            Predefined::Http => "3.3",
            Predefined::Gopher => "3.4",
            Predefined::Mailto => "3.5",
            Predefined::News => "3.6",
            Predefined::Nntp => "3.7",
            Predefined::Telnet => "3.8",
            Predefined::Wais => "3.9",
            Predefined::File => "3.10",
            Predefined::Prospero => "3.11",
        }
    }

    /// Looks `name` up, in any case.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        use Predefined::{File, Ftp, Gopher, Http, Mailto, News, Nntp, Prospero, Telnet, Wais};
        let of_that_length: &[Predefined] = match name.len() {
            3 => &[Ftp],
            4 => &[Http, News, File, Nntp, Wais],
            6 => &[Mailto, Telnet, Gopher],
            8 => &[Prospero],
            _ => &[],
        };
        of_that_length
            .iter()
            .copied()
            .find(|scheme| scheme.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

/// One place where a URL departs from the grammar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Where, in bytes of the URL's own text. An empty range says that something is missing there.
    pub range: Part,
}

/// The kinds of [`Problem`]; [`ProblemKind::name`] is also the name of the rule that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the rules of the same names document them")]
pub enum ProblemKind {
    ControlCharacter,
    RawSpace,
    NonAscii,
    UnsafeCharacter,
    BadEscape,
    ReservedCharacter,
    MisplacedCharacter,
    NoScheme,
    BadScheme,
    MissingSlashes,
    UserinfoNotAllowed,
    EmptyHost,
    BadHost,
    IpLiteral,
    EmptyPort,
    BadPort,
    PortNotAllowed,
    MissingSlash,
    MissingPath,
    MissingComponent,
    PathNotAllowed,
    BadTypecode,
    BadGroup,
    BadArticle,
    AuthorityNotAllowed,
    BadField,
}

impl ProblemKind {
    /// The kind's name, in kebab-case.
    pub fn name(self) -> &'static str {
        crate::Rule::from(self).name()
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Judges `url` by RFC 1738, section 5. Nothing is trimmed or split off: a `#` is a problem here,
/// since a fragment is not part of the URL (set it aside before, as the Appendix does).
///
/// Takes any bytes and never fails; takes time linear in their number.
///
/// ```
/// use urlint::rfc1738::parse;
///
/// assert!(parse(b"ftp://info.cern.ch/pub/www/doc;type=d").is_valid());
/// assert!(!parse(b"ftp:info.cern.ch").is_valid());
/// ```
pub fn parse(url: &[u8]) -> Parsed<'_> {
    let mut problems = Vec::new();
    let components = judge(url, |problem| problems.push(problem));
    problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
    Parsed {
        url,
        scheme: scheme_of(url),
        components,
        problems,
    }
}

/// Whether `url` is valid by RFC 1738, section 5. Allocates nothing, but for the fields of a
/// prospero URL.
///
/// ```
/// assert!(urlint::rfc1738::is_valid(b"news:comp.infosystems.www.misc"));
/// assert!(!urlint::rfc1738::is_valid(b"news:"));
/// ```
pub fn is_valid(url: &[u8]) -> bool {
    let mut valid = true;
    judge(url, |_| valid = false);
    valid
}

/// Judges `url` as [`parse`] does, but hands each problem to `report` as it is met, which is not
/// always the order of their places. For those who count problems and keep none.
///
/// ```
/// let mut count = 0;
/// urlint::rfc1738::judge(b"http://a.example/{x}", |_| count += 1);
/// assert_eq!(count, 2);
/// ```
pub fn judge(url: &[u8], report: impl FnMut(Problem)) -> Components {
    Judge { url, report }.genericurl()
}

fn scheme_of(url: &[u8]) -> Option<Scheme<'_>> {
    let name = &url[..SCHEME.skip(url, 0)];
    if name.is_empty() || url.get(name.len()) != Some(&b':') {
        return None;
    }
    match Predefined::from_name(name) {
        Some(predefined) => Some(Scheme::Predefined(predefined)),
        None => std::str::from_utf8(name).ok().map(Scheme::Other),
    }
}

/// The URL that is being judged and whoever hears of its problems.
struct Judge<'u, F> {
    url: &'u [u8],
    report: F,
}

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// genericurl     = scheme ":" schemepart
    /// url            = httpurl | ftpurl | newsurl |
    ///                  nntpurl | telneturl | gopherurl |
    ///                  waisurl | mailtourl | fileurl |
    ///                  prosperourl | otherurl
    /// ```
    fn genericurl(&mut self) -> Components {
        // What most URLs are, told without a loop.
        if self.url.starts_with(b"http://") {
            return self.httpurl(b"http://".len()..self.url.len());
        }
        if self.url.starts_with(b"https://") {
            return self.otherurl(b"https:".len()..self.url.len());
        }
        if self.url.starts_with(b"ftp://") {
            return self.ftpurl(b"ftp://".len()..self.url.len());
        }
        let mut colon = SCHEME.skip(self.url, 0);
        if self.url.get(colon) != Some(&b':') {
            let Some(at) = memchr::memchr(b':', self.url) else {
                self.problem(ProblemKind::NoScheme, 0..self.url.len());
                return Components::Unknown;
            };
            colon = at;
        }
        if colon == 0 {
            self.problem(ProblemKind::NoScheme, 0..0);
            return Components::Unknown;
        }
        let schemepart = colon + 1..self.url.len();
        if !self.scheme(0..colon) {
            self.xchars(schemepart);
            return Components::Unknown;
        }
        match Predefined::from_name(&self.url[..colon]) {
            Some(scheme) => self.predefined(scheme, schemepart),
            None => self.otherurl(schemepart),
        }
    }

    /// ```text
    /// otherurl       = genericurl
    /// schemepart     = *xchar | ip-schemepart
    /// ```
    /// The second alternative derives nothing that the first does not.
    fn otherurl(&mut self, schemepart: Part) -> Components {
        if !survey(self.url, schemepart.start, 0).clean {
            self.xchars(schemepart.clone());
        }
        Components::Other { schemepart }
    }

    /// ```text
    /// scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ]
    /// ```
    fn scheme(&mut self, part: Part) -> bool {
        let mut clean = true;
        let mut at = part.start;
        while at < part.end {
            let width = code_point_len(&self.url[at..part.end]);
            if !SCHEME.has(self.url[at]) {
                self.problem(ProblemKind::BadScheme, at..at + width);
                clean = false;
            }
            at += width;
        }
        clean
    }

    fn predefined(&mut self, scheme: Predefined, schemepart: Part) -> Components {
        match scheme {
            Predefined::Mailto => return self.mailtourl(schemepart),
            Predefined::News => return self.newsurl(schemepart),
            _ => {}
        }
        let Some(rest) = self.url[schemepart.clone()].strip_prefix(b"//") else {
            self.problem(
                ProblemKind::MissingSlashes,
                schemepart.start..schemepart.start,
            );
            self.xchars(schemepart);
            return Components::Unknown;
        };
        let rest = schemepart.end - rest.len()..schemepart.end;
        match scheme {
            Predefined::Ftp => self.ftpurl(rest),
            Predefined::File => self.fileurl(rest),
            Predefined::Http => self.httpurl(rest),
            Predefined::Gopher => self.gopherurl(rest),
            Predefined::Nntp => self.nntpurl(rest),
            Predefined::Telnet => self.telneturl(rest),
            Predefined::Wais => self.waisurl(rest),
            Predefined::Prospero => self.prosperourl(rest),
            Predefined::Mailto | Predefined::News => Components::Unknown,
        }
    }

    fn xchars(&mut self, part: Part) -> bool {
        self.characters(part, &XCHAR)
    }

    fn problem(&mut self, kind: ProblemKind, range: Part) {
        (self.report)(Problem { kind, range });
    }
}

impl<'u> Parsed<'u> {
    /// Whether the URL can be derived from the grammar: there is no problem.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// The bytes of one part.
    pub fn slice(&self, part: &Part) -> &'u [u8] {
        self.url.get(part.clone()).unwrap_or_default()
    }

    /// The scheme's name: one of the ten in lower case, any other as it was written.
    pub fn scheme(&self) -> Option<&'u str> {
        match self.scheme {
            Some(Scheme::Predefined(predefined)) => Some(predefined.name()),
            Some(Scheme::Other(name)) => Some(name),
            None => None,
        }
    }

    /// Which of the ten schemes with a grammar of their own this is.
    pub fn predefined(&self) -> Option<Predefined> {
        match self.scheme {
            Some(Scheme::Predefined(predefined)) => Some(predefined),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
