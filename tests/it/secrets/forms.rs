//! Texts that have a password in them, in every way of writing one.

/// A text with a password.
pub(super) struct Form {
    /// The name of the file, unique, whose extension says what kind of document it is.
    pub(super) file: String,
    pub(super) text: Vec<u8>,
}

/// The letters of passwords: none of `http`, of vowels or of hexadecimal digits, so that four of them
/// in a row are nowhere else.
const LETTERS: &[u8] = b"GHJKMNPQRSVWXYZ";

/// How many letters of a password in a row are never shown.
pub(super) const LEAK: usize = 4;

/// How long each of the two halves of a password is.
const HALF: usize = 5;

/// How long a password is.
pub(super) const PASSWORD: usize = 2 * HALF;

/// Returns each run of [`LEAK`] letters once: the sequence of de Bruijn. Each password is a slice of it,
/// so that any four letters of one tell which it is.
pub(super) fn sequence() -> Vec<u8> {
    fn extend(word: &mut [usize], sequence: &mut Vec<u8>, at: usize, period: usize) {
        if at > LEAK {
            if LEAK.is_multiple_of(period) {
                sequence.extend(word[1..=period].iter().map(|&letter| LETTERS[letter]));
            }
            return;
        }
        word[at] = word[at - period];
        extend(word, sequence, at + 1, period);
        for letter in word[at - period] + 1..LETTERS.len() {
            word[at] = letter;
            extend(word, sequence, at + 1, at);
        }
    }
    let mut sequence = Vec::new();
    extend(&mut [0; LEAK + 1], &mut sequence, 1, 1);
    sequence
}

/// Logins, their passwords in two halves.
const LOGINS: &[&str] = &[
    "joe:{a}{b}@a.example",
    "joe:{a}-{b}@a.example:8080",
    ":{a}{b}@a.example",
    "joe:{a}@{b}@a.example",
    "joe:{a}/{b}@a.example",
    "joe:{a}?{b}@a.example",
    "joe:{a}#{b}@a.example",
    "joe:{a}:{b}@a.example",
    "joe:{a}%40{b}@a.example",
    "joe:12/{a}{b}@a.example",
    "joe:{a}%2F{b}@a.example",
    "joe:{a}{b}@[2001:db8::1]:8080",
    "joe%40a.example:{a}{b}@b.example",
    "joe@a.example:{a}{b}@b.example",
    "joe:{a}{b}@localhost",
    "joe:{a}&{b}@a.example",
    "joe:{a}\\{b}@a.example",
    "joe:{a}${b}!@a.example",
    "joe:{a}é{b}@a.example",
    "joe:{a}%{b}@a.example",
    "joe;type=a:{a}{b}@a.example",
    "a.example\\joe:{a}{b}@b.example",
    "joe:{a}[{b}]@a.example",
    "joe:{a}'{b}@a.example",
    "joe:{a}({b})@a.example",
];

/// The logins that nothing is odd about but the way that they are written.
const PLAIN: &[&str] = &[
    "joe:{a}{b}@a.example",
    "joe:{a}-{b}@a.example:8080",
    ":{a}{b}@a.example",
    "joe:{a}%21{b}@[2001:db8::1]",
];

const SCHEMES: &[&str] = &["http", "ftp", "https", "telnet", "HTTP", "ssh"];

const ODD_SCHEMES: &[&str] = &[
    "jdbc:postgresql",
    "jdbc:mysql",
    "svn+ssh",
    "git+https",
    "s3",
    "s3a",
    "sftp",
    "ftps",
    "redis",
    "rediss",
    "mongodb",
    "mongodb+srv",
    "amqp",
    "postgres",
    "mysql",
    "ldap",
    "imap",
    "pop",
    "smtp",
    "rtsp",
    "socks5",
    "ws",
    "wss",
    "nntp",
    "gopher",
    "prospero",
    "x-unknown",
    "view-source:http",
    "URL:http",
    "url:ftp",
    "feed:http",
    "docker",
    "bolt",
    "clickhouse",
    "smb",
    "dav",
];

/// What delimits a URL from its text.
const WRAPPERS: &[(&str, &str)] = &[
    ("", ""),
    ("<URL:", ">"),
    ("<", ">"),
    ("\"", "\""),
    ("'", "'"),
    ("(", ")"),
    ("`", "`"),
    ("[", "]"),
    ("URL:", ""),
    ("{", "}"),
    ("a=", ""),
    ("a,", ","),
    ("x:", ";"),
    ("|", "|"),
    ("*", "*"),
    ("“", "”"),
];

/// Begins of lines.
const LEADERS: &[&str] = &[
    "\n",
    "\r\n",
    "\n> ",
    "\n>> ",
    "\n# ",
    "\n// ",
    "\n * ",
    "\n    ",
    "\n\t",
    "\n;; ",
    "\n-- ",
    "\n| ",
    "\n% ",
    "\n.\\\" ",
    "\n+ ",
    "\n\n",
    " \n",
    "\\\n",
    "\\\n  ",
    "-\n",
    "\r",
    "\u{ad}\n",
    "\" \\\n    \"",
    "\" +\n  \"",
    "=\n",
    "=\r\n",
    "\n/// ",
    "\n//! ",
    "\nREM ",
    "\n\" ",
    "\ndnl ",
    "\n!   ",
    "\n: ",
    "\njoe> ",
    "\n\u{b}\n",
    "\n\u{c}\n",
    " ",
    "\t",
    "\u{a0}",
    "\u{200b}",
];

/// Ways of writing a character: what it is, and as what it is written.
type Writing = (char, &'static str);

const REFERENCES: &[Writing] = &[
    (':', "&#58;"),
    (':', "&#x3a;"),
    (':', "&#x3A;"),
    (':', "&#0058;"),
    (':', "&colon;"),
    (':', "&#58"),
    ('@', "&#64;"),
    ('@', "&#x40;"),
    ('@', "&#x00040;"),
    ('@', "&commat;"),
    ('@', "&#64"),
    ('/', "&#47;"),
    ('/', "&#x2f;"),
    ('/', "&sol;"),
];

const ESCAPES: &[(&str, &[Writing])] = &[
    (
        "json",
        &[
            ('@', "\\u0040"),
            (':', "\\u003a"),
            (':', "\\u003A"),
            ('/', "\\/"),
            ('/', "\\u002f"),
        ],
    ),
    (
        "yaml",
        &[
            ('@', "\\x40"),
            (':', "\\x3a"),
            ('@', "\\u0040"),
            ('/', "\\/"),
            ('@', "\\U00000040"),
        ],
    ),
    (
        "toml",
        &[
            ('@', "\\u0040"),
            (':', "\\U0000003A"),
            (':', "\\x3A"),
            ('/', "\\u002F"),
        ],
    ),
    (
        "js",
        &[
            ('@', "\\x40"),
            (':', "\\u{3a}"),
            ('@', "\\u{40}"),
            ('/', "\\/"),
            ('@', "\\@"),
        ],
    ),
    (
        "py",
        &[
            ('@', "\\x40"),
            (':', "\\072"),
            ('@', "\\100"),
            ('@', "\\N{COMMERCIAL AT}"),
        ],
    ),
    (
        "c",
        &[
            ('@', "\\100"),
            (':', "\\x3a"),
            ('@', "\" \"@"),
            ('/', "/\" \"/"),
        ],
    ),
    ("sh", &[('@', "\\@"), (':', "\\:"), ('@', "'@'")]),
    (
        "properties",
        &[(':', "\\:"), ('@', "\\u0040"), ('=', "\\=")],
    ),
    ("css", &[(':', "\\3a "), ('@', "\\40 "), ('@', "\\000040")]),
    ("po", &[('@', "\\100"), ('/', "\\/"), ('@', "\"\n\"@")]),
    (
        "roff",
        &[
            (':', "\\::"),
            ('@', "\\:@"),
            ('/', "\\:/"),
            ('/', "/\\:"),
            ('@', "\\&@"),
            ('@', "\\(at"),
            ('@', "\\[at]"),
            (':', "\\&:"),
            (':', ":\\&"),
            ('@', "\\%@"),
            ('@', "\\c\n@"),
            (':', "\\fI:\\fP"),
            ('@', "\\fB@\\fR"),
            ('/', "\\(sl"),
        ],
    ),
    (
        "tex",
        &[
            (':', "{:}"),
            ('@', "{@}"),
            ('@', "\\@"),
            ('/', "\\slash "),
            ('/', "/\\allowbreak "),
            (':', ":\\-"),
            ('@', "\\char64 "),
            ('@', "\\symbol{64}"),
            ('@', "%\n@"),
            (':', "\\string:"),
        ],
    ),
    (
        "rst",
        &[(':', "\\:"), ('@', "\\@"), ('@', "\\ @"), ('/', "\\/")],
    ),
    (
        "md",
        &[
            (':', "\\:"),
            ('@', "\\@"),
            ('/', "\\/"),
            (':', "**:**"),
            ('@', "<!-- -->@"),
        ],
    ),
    (
        "adoc",
        &[
            (':', "{colon}"),
            ('@', "{at}"),
            ('@', "\\@"),
            (':', "++:++"),
        ],
    ),
    (
        "html",
        &[
            ('@', "<b>@</b>"),
            (':', "<b>:</b>"),
            ('@', "<wbr>@"),
            ('@', "&shy;@"),
            ('@', "&#8203;@"),
            ('@', "<br>@"),
            ('/', "/<wbr>"),
            ('@', "<!-- -->@"),
        ],
    ),
    (
        "xml",
        &[('@', "<![CDATA[@]]>"), (':', "<b>:</b>"), ('@', "&at;")],
    ),
    (
        "txt",
        &[
            ('@', "＠"),
            (':', "："),
            ('/', "／"),
            ('@', " at "),
            ('@', "(at)"),
            ('@', "[at]"),
        ],
    ),
];

const ENCODED: &[Writing] = &[
    (':', "%3A"),
    (':', "%3a"),
    ('@', "%40"),
    ('/', "%2F"),
    ('/', "%2f"),
    (':', "%253A"),
    ('@', "%2540"),
    ('/', "%252F"),
    (':', "%u003a"),
    ('@', "%u0040"),
];

const SLASHES: &[&str] = &[
    ":",
    ":/",
    ":///",
    "::///",
    ":////",
    ":\\\\",
    ":\\/\\/",
    ":\\",
    ":/\\",
    "//",
    ";//",
    ".//",
    " ://",
    ": //",
    ":// ",
    ":/ /",
    "::",
    "://://",
    ":://",
    ":\\\\\\\\",
    ":\\\\/\\\\/",
    "/",
    ":\n//",
    "://\n",
    "：//",
    ":⁄⁄",
];

/// Documents with a URL at `{}` and a fault in another URL near it.
const NEIGHBOURS: &[&str] = &[
    "see {} and so on",
    "see {} or http://b.example/^x",
    "see http://b.example/^x or {} instead",
    "{}\nhttp://b.example/^x\n",
    "http://b.example/^x\n{}\n",
    "see {},http://b.example/^x",
    "see http://b.example/^x,{}",
    "see http://b.example/^x;{}",
    "see http://b.example/^x|{}",
    "see <URL:http://b.example/^x {}>",
    "see <URL:{} http://b.example/^x>",
    "see <URL:http://b.example/^x\n{}>",
    "http://b.example/?u={}&x=^",
    "http://b.example/?u=^&x={}",
    "http://b.example/^#{}",
    "http://b.example/^/{}",
    "http://b.example/{}/^",
    "http://b.example{}/^",
    "http://b.example:{}/^",
    "http://joe@b.example/^{}",
    "http://web.example/20260101/{}^",
    "{}{}^",
    "{}http://b.example/^x",
    "<a href=\"http://b.example/^x\">{}</a>",
    "<a href=\"{}\">http://b.example/^x</a>",
    "[{}](http://b.example/^x)",
    "mailto:joe@b.example?body={}^",
    "http://b.example/^ {} mailto:joe@b.example",
    "joe@b.example {} http://b.example/^",
    "-----\t{}\thttp://b.example/^x",
    "http://b.example/login?next=http://c.example/?next={}^",
    "data:text/plain,{}^",
    "javascript:open('{}')^",
    "file:///x/{}^",
    "http://b.example/^\u{1b}{}",
    "news:{}^",
    "urn:x:{}^",
    "about:{}^",
    "http://[{}]/^",
    "http://{}@b.example/^",
];

/// All forms.
pub(super) fn forms() -> Vec<Form> {
    let mut making = Making {
        letters: sequence(),
        forms: Vec::new(),
    };
    making.wrapped();
    making.odd_schemes();
    making.slashes();
    making.neighbours();
    making.broken();
    making.shattered();
    making.references();
    making.escapes();
    making.encoded();
    making.mail();
    making.forms
}

struct Making {
    letters: Vec<u8>,
    forms: Vec<Form>,
}

impl Making {
    /// Returns how many forms there are, for taking the next row of a table in turn.
    fn turn(&self) -> usize {
        self.forms.len()
    }

    /// Returns `text` with the next password in it.
    fn secret(&self, text: &str) -> String {
        let start = self.turn() * PASSWORD;
        let half = |from: usize| {
            let letters = self.letters.get(from..from + HALF);
            std::str::from_utf8(letters.expect("letters are enough")).unwrap()
        };
        let text = text.replace("{a}", half(start));
        text.replace("{b}", half(start + HALF))
    }

    fn add(&mut self, family: &'static str, extension: &str, text: impl AsRef<[u8]>) {
        let text = text.as_ref();
        let text = match std::str::from_utf8(text) {
            Ok(text) => self.secret(text).into_bytes(),
            Err(_) => text.to_vec(),
        };
        let file = format!("{:04}-{family}.{extension}", self.turn());
        self.forms.push(Form { file, text });
    }

    /// A login in turn, and a path with a fault in every other.
    fn url(&self, logins: &[&str]) -> String {
        self.url_of(SCHEMES[self.turn() % SCHEMES.len()], "://", logins)
    }

    fn url_of(&self, scheme: &str, slashes: &str, logins: &[&str]) -> String {
        let turn = self.turn();
        let login = logins[turn % logins.len()];
        let path = ["/x", "/^x", "", "/%zz", "/x?y={z}"][turn / 2 % 5];
        format!("{scheme}{slashes}{login}{path}")
    }

    /// `url` in a text, alone or beside another URL.
    fn text(&self, url: &str) -> String {
        NEIGHBOURS[self.turn() % 5].replace("{}", url)
    }

    fn wrapped(&mut self) {
        for (before, after) in WRAPPERS {
            for _ in LOGINS {
                let url = format!("{before}{}{after}", self.url(LOGINS));
                self.add("wrapped", "txt", self.text(&url));
            }
        }
    }

    fn odd_schemes(&mut self) {
        for scheme in ODD_SCHEMES {
            for (before, after) in [("", ""), ("<URL:", ">"), ("\"", "\"")] {
                let url = self.url_of(scheme, "://", PLAIN);
                let url = format!("{before}{url}{after}");
                self.add("odd-scheme", "txt", self.text(&url));
            }
        }
    }

    fn slashes(&mut self) {
        for slashes in SLASHES {
            for scheme in ["http", "ftp", "https"] {
                for (before, after) in [("", ""), ("<URL:", ">"), ("<", ">"), ("'", "'")] {
                    let url = self.url_of(scheme, slashes, PLAIN);
                    let url = format!("{before}{url}{after}");
                    self.add("slashes", "txt", self.text(&url));
                }
            }
        }
    }

    fn neighbours(&mut self) {
        for text in NEIGHBOURS {
            for login in [LOGINS, PLAIN] {
                for extension in ["txt", "md", "html", "eml"] {
                    let head = match extension {
                        "eml" => "From: joe@a.example\n\n",
                        _ => "",
                    };
                    let text = text.replace("{}", &self.url(login));
                    self.add("neighbour", extension, format!("{head}{text}"));
                }
            }
        }
    }

    /// A line break, or what is taken for one, at every place of the login.
    fn broken(&mut self) {
        for leader in LEADERS {
            for at in 5..31 {
                let url = "http://joe:{a}{b}@a.example/^x";
                let url = self.secret(url);
                let url = match self.turn() % 3 {
                    0 => format!("<URL:{}{leader}{}>", &url[..at], &url[at..]),
                    1 => format!("{}{leader}{}", &url[..at], &url[at..]),
                    _ => format!("\"{}{leader}{}\"", &url[..at], &url[at..]),
                };
                let extension = match leader {
                    _ if leader.starts_with("\n>") => "eml",
                    _ if leader.contains("=") => "eml",
                    _ if leader.contains(" +") => "js",
                    _ if leader.contains("\"") => "c",
                    _ if leader.contains(".\\\"") => "roff",
                    _ if leader.contains("%") => "tex",
                    _ if leader.contains("//") => "rs",
                    _ if leader.contains("#") => "py",
                    _ => "txt",
                };
                let head = match (extension, leader.contains("=")) {
                    ("eml", true) => {
                        "From: joe@a.example\nMIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
                    }
                    ("eml", false) => "From: joe@a.example\n\n",
                    _ => "",
                };
                // The first line has the leader of the others.
                let first = leader.trim_start_matches(['\r', '\n', '\\', '"', '=']);
                let first = if first.trim().is_empty() { "" } else { first };
                let text = self
                    .text(&url)
                    .replace("\nhttp:", &format!("\n{first}http:"));
                let text = text.replace("x\n", &format!("x\n{first}"));
                self.add("broken", extension, format!("{head}{first}{text}\n"));
            }
        }
    }

    /// A line break after every few characters, or two ways of writing at once.
    fn shattered(&mut self) {
        const BREAKS: &[(&str, &str)] = &[
            ("\n", "txt"),
            ("\n> ", "eml"),
            ("\n# ", "py"),
            ("\n * ", "txt"),
            ("\\\n", "txt"),
            ("<br>", "html"),
            ("&#10;", "html"),
            ("\\n", "json"),
            ("%0A", "txt"),
        ];
        const WRITINGS: &[Writing] = &[
            ('@', "&#64;"),
            ('@', "\\u0040"),
            (':', "%3A"),
            (':', "&colon;"),
            ('@', "=40"),
            ('@', "\\@"),
        ];
        for &(line_break, extension) in BREAKS {
            for len in 4..12 {
                let url = self.secret("http://joe:{a}{b}@a.example/^x");
                let pieces: Vec<_> = url.as_bytes().chunks(len).collect();
                let pieces: Vec<_> = pieces.into_iter().map(String::from_utf8_lossy).collect();
                let (before, after) = match extension {
                    "html" => ("&lt;URL:", "&gt;"),
                    "json" => ("{\"a\": \"<URL:", ">\"}"),
                    _ => ("<URL:", ">"),
                };
                let url = pieces.join(line_break);
                let text = format!("{before}{url}{after} http://b.example/^x");
                self.add("shattered", extension, text);
            }
            for &(character, written) in WRITINGS {
                for at in [8, 12, 15, 20] {
                    let url = self.secret("http://joe:{a}{b}@a.example/^x");
                    let (head, tail) = url.split_at(at);
                    let (head, tail) = match (character, head.len() > 11) {
                        (':', true) => (
                            head.replace("joe:", &format!("joe{written}")),
                            tail.to_owned(),
                        ),
                        (character, _) => (head.to_owned(), tail.replace(character, written)),
                    };
                    let text = format!("see {head}{line_break}{tail} http://b.example/^x");
                    self.add("shattered", extension, text);
                }
            }
        }
    }

    fn references(&mut self) {
        for &(character, reference) in REFERENCES {
            for (extension, around) in [
                ("html", "<p>see {}</p>"),
                ("html", "<a href=\"{}\">http://b.example/^x</a>"),
                ("html", "<p title='{}'>http://b.example/^x</p>"),
                ("html", "<!-- {} --> http://b.example/^x"),
                (
                    "xml",
                    "<?xml version=\"1.0\"?><a>{} http://b.example/^x</a>",
                ),
                (
                    "xml",
                    "<?xml version=\"1.0\"?><a b=\"{}\" c=\"http://b.example/^x\"/>",
                ),
                ("md", "[x]({}) http://b.example/^x"),
                ("md", "<{}> http://b.example/^x"),
                ("txt", "{} http://b.example/^x"),
            ] {
                let url = self.url(PLAIN);
                let (head, tail) = url.split_once("://").unwrap();
                let written = match (character, self.turn() % 2) {
                    (':', 0) => format!("{head}{reference}//{tail}"),
                    ('/', _) => format!("{head}:{reference}{reference}{tail}"),
                    _ => format!("{head}://{}", tail.replacen(character, reference, 1)),
                };
                self.add("reference", extension, around.replace("{}", &written));
            }
        }
        let every = |url: &str, from: &str| -> String {
            let mut written = String::new();
            for c in url.chars() {
                match c {
                    c if from.contains(c) => written += &format!("&#{};", u32::from(c)),
                    c => written.push(c),
                }
            }
            written
        };
        for from in [":@", ":/@", "joe:@", "p:/@.", ":/@{}ab"] {
            for around in ["<p>{} x</p>", "<a href='{}'>http://b.example/^</a>"] {
                let url = self.secret(&self.url(PLAIN));
                self.add(
                    "reference",
                    "html",
                    around.replace("{}", &every(&url, from)),
                );
            }
        }
    }

    fn escapes(&mut self) {
        for &(extension, writings) in ESCAPES {
            let around: &[&str] = match extension {
                "json" => &[
                    "{\"a\": \"{}\", \"b\": \"http://b.example/^x\"}",
                    "[\"http://b.example/^x or {}\"]",
                ],
                "yaml" | "toml" | "properties" => &[
                    "a = \"{}\"\n",
                    "b = \"http://b.example/^x\" # {}\n",
                    "a: {}\n",
                ],
                "css" => &["a { b: url({}) } /* http://b.example/^x */"],
                "roff" => &[
                    ".TH A 1\n.SH B\nsee {} or http://b.example/^x\n",
                    ".TH A 1\n.UR {}\nx\n.UE\nhttp://b.example/^x\n",
                ],
                "tex" => &[
                    "\\documentclass{x}\n\\url{{}} http://b.example/^x\n",
                    "see {} http://b.example/^x\n",
                    "\\href{{}}{http://b.example/^x}\n",
                ],
                "rst" | "md" | "adoc" => &[
                    "see {} or http://b.example/^x\n",
                    "`{}` http://b.example/^x\n",
                    "<{}>^\n",
                ],
                "html" | "xml" => &["<p>see {} or http://b.example/^x</p>", "<p>{}</p>"],
                "po" => &["msgid \"\"\nmsgstr \"{} http://b.example/^x\"\n"],
                _ => &[
                    "x = \"{}\"; // http://b.example/^x\n",
                    "# {} http://b.example/^x\n",
                ],
            };
            for &(character, escape) in writings {
                for around in around {
                    for every in [false, true] {
                        let url = self.url(PLAIN);
                        let (head, tail) = url.split_once("://").unwrap();
                        let count = if every { 9 } else { 1 };
                        let written = match character {
                            '/' => {
                                let slashes = "//".replacen('/', escape, if every { 2 } else { 1 });
                                format!("{head}:{slashes}{tail}")
                            }
                            ':' if every => {
                                format!("{head}{escape}//{}", tail.replace(character, escape))
                            }
                            _ => format!("{head}://{}", tail.replacen(character, escape, count)),
                        };
                        self.add("escape", extension, around.replacen("{}", &written, 1));
                    }
                }
            }
        }
        // In all that is written the same in the text around it.
        for text in [
            ".. _a: {}\n\nhttp://b.example/^x",
            "[a]: {}\n\n[a] http://b.example/^x",
            ".Lk {} http://b.example/^x",
            "@misc{a, url = {{}}, note = {http://b.example/^x}}",
            "curl -u joe:{a}{b} http://b.example/^x",
            "curl -u joe:{a}{b}@a.example http://b.example/^x",
            "scp joe:{a}{b}@a.example:x http://b.example/^x",
            "http_proxy=joe:{a}{b}@a.example:3128 http://b.example/^x",
            "joe:{a}{b}@a.example/x http://b.example/^x",
            "ftp joe:{a}{b}@a.example http://b.example/^x",
            "http://b.example/joe:{a}{b}@a.example/^x",
            "http://b.example/?joe:{a}{b}@a.example/^x",
            "http://b.example/^;joe:{a}{b}@a.example/",
        ] {
            for extension in ["txt", "md", "rst", "tex", "html"] {
                let text = text.replacen("{}", &self.url(PLAIN), 1);
                self.add("bare-login", extension, text);
            }
        }
    }

    fn encoded(&mut self) {
        for &(character, escape) in ENCODED {
            for around in [
                "{} http://b.example/^x",
                "http://b.example/?u={}&x=^",
                "http://b.example/^?u={}",
                "http://b.example/^/{}",
                "<URL:http://b.example/x#{}^>",
                "http://b.example/?u=http%3A%2F%2Fc.example%2F%3Fu%3D{}^",
            ] {
                for every in [false, true] {
                    let url = self.url(PLAIN);
                    let (head, tail) = url.split_once("://").unwrap();
                    let written = match (character, every) {
                        ('/', _) => format!("{head}:{escape}{escape}{tail}"),
                        (_, false) => format!("{head}://{}", tail.replacen(character, escape, 1)),
                        (_, true) => {
                            let percent = if escape.len() == 5 { "%25" } else { "%" };
                            let mut all = url.clone();
                            for (raw, digits) in [(":", "3A"), ("/", "2F"), ("@", "40")] {
                                all = all.replace(raw, &format!("{percent}{digits}"));
                            }
                            all
                        }
                    };
                    self.add("encoded", "txt", around.replace("{}", &written));
                }
            }
        }
    }

    fn mail(&mut self) {
        let message = |encoding: &str, body: &str| {
            format!(
                "From: joe@a.example\nTo: ann@b.example\nMIME-Version: 1.0\nContent-Type: {encoding}\n\n{body}\n"
            )
        };
        let quoted = "text/plain\nContent-Transfer-Encoding: quoted-printable";
        let html = "text/html\nContent-Transfer-Encoding: quoted-printable";
        let encoded = "text/plain\nContent-Transfer-Encoding: base64";
        let flowed = "text/plain; format=flowed";
        let del_sp = "text/plain; format=flowed; delsp=yes";
        for (character, escape) in [
            (':', "=3A"),
            ('@', "=40"),
            ('/', "=2F"),
            ('@', "=\n@"),
            (':', ":=\n"),
        ] {
            for every in [false, true] {
                for (kind, around) in [
                    (quoted, "see {} or http://b.example/^x"),
                    (quoted, "{}\nhttp://b.example/^x"),
                    (html, "<a href=3D\"{}\">http://b.example/^x</a>"),
                ] {
                    let url = self.url(PLAIN);
                    let count = if every { 9 } else { 1 };
                    let (head, tail) = url.split_once("://").unwrap();
                    let written = match (character, every) {
                        ('/', _) => format!("{head}:{escape}{escape}{tail}"),
                        (':', true) => url.replace(':', escape),
                        _ => format!("{head}://{}", tail.replacen(character, escape, count)),
                    };
                    for extension in ["eml", "mbox"] {
                        let text = message(kind, &around.replace("{}", &written));
                        let from = "From joe@a.example Mon Mar  3 12:00:00 2003\n";
                        let from = if extension == "mbox" { from } else { "" };
                        self.add("mail", extension, format!("{from}{text}"));
                    }
                }
            }
        }
        for at in (5..31).step_by(2) {
            for (kind, joint) in [
                (flowed, " \n"),
                (del_sp, " \n"),
                (flowed, " \n> "),
                (quoted, "=\n"),
                (html, "=\r\n"),
            ] {
                let url = "http://joe:{a}{b}@a.example/^x";
                let url = self.secret(url);
                let quote = if joint.contains('>') { "> " } else { "" };
                let body = format!(
                    "{quote}{}",
                    self.text(&format!("{}{joint}{}", &url[..at], &url[at..]))
                );
                self.add("mail", "eml", message(kind, &body));
            }
        }
        for login in LOGINS {
            let url = self.secret(&self.url_of("http", "://", &[login]));
            let body = format!("see {url} or http://b.example/^x\n");
            let body = in_base64(&body);
            self.add("mail", "eml", message(encoded, &body));
            let word = self.secret(&self.url_of("http", "://", &[login]));
            let word = in_base64(&word);
            let subject = format!("Subject: =?utf-8?b?{word}?= http://b.example/^x\n\nx\n");
            self.add("mail", "eml", format!("From: joe@a.example\n{subject}"));
        }
        for word in [
            "=?utf-8?q?{}?=",
            "=?utf-8?q?{}_http=3A//b.example/=5Ex?=",
            "<{}>,\n <http://b.example/^x>",
            "{}\n\thttp://b.example/^x",
        ] {
            for header in ["Subject", "X-Url", "List-Post", "Content-Base", "From"] {
                for escape in ["@", "=40"] {
                    let url = self.url(PLAIN).replace('@', escape);
                    let value = word.replace("{}", &url);
                    let text =
                        format!("To: joe@a.example\n{header}: {value}\n\nhttp://b.example/^x\n");
                    self.add("mail", "eml", text);
                }
            }
        }
    }
}

fn in_base64(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for bytes in text.as_bytes().chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(*bytes.get(at).unwrap_or(&0))
        });
        for at in 0..4 {
            let digit = char::from(DIGITS[bits >> (18 - 6 * at) & 63]);
            written.push(if at <= bytes.len() { digit } else { '=' });
        }
    }
    written
}
