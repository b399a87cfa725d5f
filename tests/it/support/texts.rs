//! Texts to find URLs in: prose, mail and RFC pages with whole, broken and spoilt URLs.

use std::io::{self, Read};

use proptest::prelude::*;
use proptest::sample::select;

/// The Appendix of RFC 1738, its example of URLs broken over lines.
pub(crate) const APPENDIX: &str = "\
      Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
      type=d> but you can probably pick it up from <URL:ftp://ds.in
      ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
      net/instructions/overview.html#WARNING>.
";

const PAGE_BREAK: &str = "\n\n\nBerners-Lee, Masinter & McCahill                                [Page 9]\n\u{c}\n\
     RFC 1738            Uniform Resource Locators (URL)        December 1994\n\n\n";

const URLS: &[&str] = &[
    "http://a.example",
    "http://www-db.stanford.edu/~gravano/starts.html",
    "ftp://info.cern.ch/pub/www/doc;type=d",
    "https://trustee.ietf.org/license-info#top",
    "http://a.example/foo-bar/baz-2?q=a&r=b,c.",
    "http://[2001:db8::1]:80/x",
    "mailto:joe@a.example",
    "news:comp.infosystems.www.misc",
    "urn:ietf:rfc:1738",
    "xhttp://u:p@a.example:8080/(x)_y",
    "HTTPS://A.EXAMPLE/\u{e9}\u{20ac}",
    "www.example.com/x",
    "x-own:thing/a",
    "#fragment",
    "",
];

const WORDS: &[&str] = &[
    "see",
    "the",
    "overview.html",
    "note:",
    "std::x",
    "user@host",
    "a<b",
    "c>d",
    "http:",
    "://",
    "//x",
    "line wrapping per",
    "URL:",
    "<URL:",
    "<url:",
    "12:30",
    "e.g.",
    "-",
    "--",
    "=",
    "\u{fc}ber",
    "\u{2014}",
    "\u{300c}\u{300d}",
    "\u{65e5}\u{672c}",
    "&gt;",
    "[1]",
    "(",
    ")",
    "\"",
    "'",
    "`",
];

/// Texts for the end of one line and the start of the next.
const BREAKS: &[&str] = &[
    "\n",
    "\r\n",
    "\r",
    "\n      ",
    "\r\n\t",
    " \n",
    "-\n   ",
    "\n> ",
    "\n>> ",
    "\r\n> > ",
    "\n| ",
    "\n# ",
    "\n * ",
    "\n// ",
    "=\n",
    "=\r\n",
    "\n\n",
    "\n  \t\n",
    "\n-- \n",
    "\n\u{c}\n",
    "\n>",
    "\\\n  ",
    "\\\n \\",
    "\\\n",
    "\"\n\"",
    "' +\n  '",
    "\n+",
    "\n-",
    "\n@@ ",
    PAGE_BREAK,
    " ",
    "\t",
];

const WRAPS: &[(&str, &str)] = &[
    ("<URL:", ">"),
    ("<URL: ", " >"),
    ("<url:", ">"),
    ("<", ">"),
    ("\"", "\""),
    ("'", "'"),
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("\u{201c}", "\u{201d}"),
    ("URL:", ""),
    ("", ""),
    ("", "."),
    ("> <URL:", ">"),
    (">> (", ")"),
    ("# <", ">"),
    ("<URL:", ""),
    ("<", ""),
    ("(", ""),
];

/// A URL, perhaps broken over lines, perhaps marked off.
fn url() -> impl Strategy<Value = Vec<u8>> {
    let breaks = prop::collection::vec((any::<prop::sample::Index>(), select(BREAKS)), 0..3);
    (select(URLS), breaks, select(WRAPS)).prop_map(|(url, breaks, (open, close))| {
        let mut url = url.as_bytes().to_vec();
        for (at, text) in breaks {
            let at = at.index(url.len() + 1);
            url.splice(at..at, text.bytes());
        }
        [open.as_bytes(), &url, close.as_bytes()].concat()
    })
}

/// Bytes that no sensible text has.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let runs = (select(b"<>:/-=#(\"\r\n a\0\xff\xe9".to_vec()), 1..300usize);
    prop_oneof![
        8 => prop::collection::vec(any::<u8>(), 0..8),
        8 => runs.prop_map(|(byte, count)| vec![byte; count]),
        // Past the longest URL, and past any small buffer.
        1 => (select(URLS), 8000..9000usize)
            .prop_map(|(url, count)| [url.as_bytes(), &vec![b'x'; count]].concat()),
        1 => (select(WORDS), 1000..2000usize).prop_map(|(word, count)| word.repeat(count).into_bytes()),
    ]
}

/// Any of it in any order.
pub(crate) fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => url(),
        4 => select(WORDS).prop_map(|word| word.as_bytes().to_vec()),
        3 => select(BREAKS).prop_map(|text| text.as_bytes().to_vec()),
        3 => Just(b" ".to_vec()),
        1 => noise(),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// The same, far apart: longer than any window over a stream.
pub(crate) fn long_text() -> impl Strategy<Value = Vec<u8>> {
    let filler = select(
        &[
            "all work and no play\n",
            "all work, no play ",
            "x",
            "\n",
            "\u{e9}\r\n",
        ][..],
    );
    let stretch = (text(), filler, 1..400_000usize).prop_map(|(text, filler, len)| {
        [text, filler.repeat(len / filler.len()).into_bytes()].concat()
    });
    prop::collection::vec(stretch, 1..8).prop_map(|stretches| stretches.concat())
}

/// How a reader hands out its bytes: so many at a time, over and over; 0 stands for an
/// interruption.
pub(crate) fn chunks() -> impl Strategy<Value = Vec<usize>> {
    let size = prop_oneof![2 => 0..4usize, 2 => 0..64usize, 1 => 0..5000usize];
    prop::collection::vec(size, 0..6).prop_map(|mut sizes| {
        sizes.push(1 + sizes.len());
        sizes
    })
}

/// Reads `text` in chunks.
pub(crate) struct Chunked<'t> {
    text: &'t [u8],
    sizes: std::iter::Cycle<std::vec::IntoIter<usize>>,
}

impl<'t> Chunked<'t> {
    pub(crate) fn new(text: &'t [u8], sizes: Vec<usize>) -> Self {
        Chunked {
            text,
            sizes: sizes.into_iter().cycle(),
        }
    }
}

impl Read for Chunked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.next().unwrap_or(1);
        if size == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = size.min(buffer.len()).min(self.text.len());
        let (now, later) = self.text.split_at(len);
        buffer[..len].copy_from_slice(now);
        self.text = later;
        Ok(len)
    }
}
