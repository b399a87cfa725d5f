//! The table of rules.
//!
//! A rule's doc comment is its documentation everywhere: in rustdoc, in `urlint rule NAME`, in the
//! README's list. A row is that comment, the variant, its name, its group, the gravest severity it
//! has, and where the standard speaks of it.

use super::{Group, Severity};

macro_rules! rules {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident = $name:literal, $group:ident, $severity:ident, $reference:literal;
    )+) => {
        /// Everything that urlint can report.
        ///
        /// ```
        /// use urlint::{Rule, Severity};
        ///
        /// let rule = Rule::from_name("unsafe-character").unwrap();
        /// assert_eq!(rule, Rule::UnsafeCharacter);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.reference(), "RFC 1738, section 2.2");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),+];

            /// The rule's name, in kebab-case: the only identifier it has.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name,)+ }
            }

            /// What the rule is about.
            pub fn group(self) -> Group {
                match self { $(Rule::$variant => Group::$group,)+ }
            }

            /// The gravest severity that the rule's diagnostics have.
            pub fn severity(self) -> Severity {
                match self { $(Rule::$variant => Severity::$severity,)+ }
            }

            /// Where the standard speaks of it.
            pub fn reference(self) -> &'static str {
                match self { $(Rule::$variant => $reference,)+ }
            }

            /// The rule's documentation, as Markdown.
            pub fn documentation(self) -> &'static str {
                match self { $(Rule::$variant => concat!($($doc, "\n"),+),)+ }
            }
        }
    };
}

rules! {
    /// A control character stands raw in the URL.
    ///
    /// A control character cannot be printed, and programs cut the URL at it, drop it or hand it on
    /// to a server as it is. If it is meant it must be encoded; most often it slipped in with a
    /// copy.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/one<U+0007>two
    /// ```
    ///
    /// Write `http://a.example/onetwo`, or `%07` if the character is meant.
    ControlCharacter = "control-character", Encoding, Error, "RFC 1738, section 2.2";

    /// A space stands raw in the URL.
    ///
    /// Spaces come and go when text is typeset or wrapped, so a space must be encoded; programs
    /// that look for URLs end them at one.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/my file
    /// ```
    ///
    /// Write `http://a.example/my%20file`.
    RawSpace = "raw-space", Encoding, Error, "RFC 1738, section 2.2";

    /// A character outside US-ASCII stands raw in the URL.
    ///
    /// URLs are written in US-ASCII only: what bytes such a character stands for depends on the
    /// encoding of the text around it. Encode the bytes that the server expects, today nearly
    /// always those of UTF-8. A host takes no escapes; it has an ASCII form of its own, which
    /// begins with `xn--`.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/café
    /// ```
    ///
    /// Write `http://a.example/caf%C3%A9`.
    NonAscii = "non-ascii", Encoding, Error, "RFC 1738, section 2.2";

    /// An unsafe character stands raw in the URL.
    ///
    /// The characters `<`, `>`, `"`, `#`, `{`, `}`, `|`, `\`, `^`, `~`, `[`, `]` and the grave
    /// accent delimit URLs in text, or are known to be changed by gateways and other agents. They
    /// must always be encoded. A `#` is judged only behind the one that begins a fragment. The fix
    /// is safe inside a wrapper or angles, where the character cannot belong to the text.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/~joe
    /// ```
    ///
    /// Write `http://a.example/%7Ejoe`.
    UnsafeCharacter = "unsafe-character", Encoding, Error, "RFC 1738, section 2.2";

    /// A `%` is not followed by two hexadecimal digits.
    ///
    /// Servers disagree about what a lone `%` means: some refuse it, some take it as it stands. It
    /// may also be the rest of an escape that was cut off.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/100%
    /// ```
    ///
    /// Write `http://a.example/100%25`.
    BadEscape = "bad-escape", Encoding, Error, "RFC 1738, section 2.2";

    /// A reserved character stands raw where its component does not admit it.
    ///
    /// Each of `;`, `/`, `?`, `:`, `@`, `=` and `&` may have a meaning of its own in a scheme.
    /// Where the grammar gives it none it must be encoded, or programs will split the URL in
    /// different places.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/find?path=/etc
    /// ```
    ///
    /// Write `http://a.example/find?path=%2Fetc`.
    ReservedCharacter = "reserved-character", Syntax, Error, "RFC 1738, section 2.2";

    /// A character or an escape stands where its component does not admit it.
    ///
    /// Hosts, ports and the names of newsgroups admit few characters and no escapes. A host is made
    /// of letters, digits, hyphens and dots; `_` is not among them.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://my_host.example/
    /// ```
    ///
    /// Write `http://my-host.example/`, if that is the host's name.
    MisplacedCharacter = "misplaced-character", Syntax, Error, "RFC 1738, section 5";

    /// The URL has no scheme.
    ///
    /// A URL begins with the name of its scheme and a colon; without it nothing says how the rest
    /// is to be read.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:www.example.com/x>
    /// ```
    ///
    /// Write `<URL:http://www.example.com/x>`.
    NoScheme = "no-scheme", Syntax, Error, "RFC 1738, section 2.1";

    /// The scheme has a character that no scheme may have.
    ///
    /// A scheme is made of letters, digits, `+`, `-` and `.`; with anything else no program knows
    /// it.
    ///
    /// ## Example
    ///
    /// ```text
    /// my_app://a.example/
    /// ```
    ///
    /// Write `my-app://a.example/`.
    BadScheme = "bad-scheme", Syntax, Error, "RFC 1738, section 2.1";

    /// The two slashes after the colon are missing.
    ///
    /// Schemes that name a host put `//` before it. Some programs guess the host without it, others
    /// read a path.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:a.example/x
    /// ```
    ///
    /// Write `http://a.example/x`.
    MissingSlashes = "missing-slashes", Syntax, Error, "RFC 1738, section 3.1";

    /// There is a user name or password, and the scheme has none.
    ///
    /// Only `ftp` and `telnet` log in. In a URL of another scheme what stands before the `@` is
    /// sent to nobody, and mostly serves to make another host look like the one that is visited.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://joe@a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    UserinfoNotAllowed = "userinfo-not-allowed", Syntax, Error, "RFC 1738, section 3.1";

    /// There is no host.
    ///
    /// The scheme asks for a host, and none stands between the slashes and what follows.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:///index.html
    /// ```
    ///
    /// Write `http://a.example/index.html`.
    EmptyHost = "empty-host", Syntax, Error, "RFC 1738, section 3.1";

    /// The host is neither a domain name nor an IPv4 address.
    ///
    /// Labels of a domain name begin and end with a letter or a digit, the last one begins with a
    /// letter, and none is empty, not even behind a dot at the end. Hosts that end in a dot have
    /// their own cookies and certificates.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example./
    /// ```
    ///
    /// Write `http://a.example/`.
    BadHost = "bad-host", Syntax, Error, "RFC 1738, section 3.1";

    /// The host is an address in brackets.
    ///
    /// Brackets around IPv6 addresses came with RFC 2732; by RFC 1738 a host is a domain name or an
    /// IPv4 address, and programs of its time stop at the first colon.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://[2001:db8::1]/
    /// ```
    ///
    /// Write a host name, as `http://six.a.example/`.
    IpLiteral = "ip-literal", Syntax, Error, "RFC 1738, section 3.1";

    /// There is a colon but no port.
    ///
    /// If the port is left out the colon is left out as well. Dropping it is always safe.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:/
    /// ```
    ///
    /// Write `http://a.example/`.
    EmptyPort = "empty-port", Syntax, Error, "RFC 1738, section 3.1";

    /// The port is not a number.
    ///
    /// A port is made of decimal digits. What stands in its place is often a placeholder, or the
    /// beginning of a password with a character that had to be encoded.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:port/
    /// ```
    ///
    /// Write `http://a.example:8080/`.
    BadPort = "bad-port", Syntax, Error, "RFC 1738, section 3.1";

    /// There is a port, and the scheme has none.
    ///
    /// A `file` URL says on which host a file is, but no way to get at it, and so no port.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example:80/etc/motd
    /// ```
    ///
    /// Write `file://a.example/etc/motd`.
    PortNotAllowed = "port-not-allowed", Syntax, Error, "RFC 1738, section 3.10";

    /// The slash between the host and the rest is missing.
    ///
    /// The `/` behind the host may be left out only if neither a path nor a search follows.
    /// Inserting it does not change what the URL denotes.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example?q=x
    /// ```
    ///
    /// Write `http://a.example/?q=x`.
    MissingSlash = "missing-slash", Syntax, Error, "RFC 1738, section 3.3";

    /// The slash and what must follow it are missing.
    ///
    /// The scheme asks for a path, a newsgroup or a database behind the host.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example
    /// ```
    ///
    /// Write `file://a.example/etc/motd`.
    MissingPath = "missing-path", Syntax, Error, "RFC 1738, section 3.1";

    /// Something that the scheme asks for is empty or missing.
    ///
    /// A `mailto` URL needs an address, a `news` URL a newsgroup or an article; without it there is
    /// nothing that the URL denotes.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto:>
    /// ```
    ///
    /// Write `<URL:mailto:joe@a.example>`.
    MissingComponent = "missing-component", Syntax, Error, "RFC 1738, section 5";

    /// There is a path, and the scheme has none.
    ///
    /// A `telnet` URL denotes an interactive service, not a thing that it holds; it ends with the
    /// host and an optional slash.
    ///
    /// ## Example
    ///
    /// ```text
    /// telnet://a.example/menu
    /// ```
    ///
    /// Write `telnet://a.example/`.
    PathNotAllowed = "path-not-allowed", Syntax, Error, "RFC 1738, section 3.8";

    /// The typecode is none of `a`, `i` and `d`.
    ///
    /// `;type=` says how an FTP server is to send a file: `a` as text, `i` as it is, `d` as a list
    /// of a directory.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/x.zip;type=z
    /// ```
    ///
    /// Write `ftp://a.example/x.zip;type=i`.
    BadTypecode = "bad-typecode", Syntax, Error, "RFC 1738, section 3.2.2";

    /// The name of a newsgroup does not begin with a letter.
    ///
    /// By section 5 a newsgroup's name begins with a letter; later standards admit a digit too.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:news:3com.talk>
    /// ```
    ///
    /// Write `<URL:news:comp.talk>`, or whatever the name is.
    BadGroup = "bad-group", Syntax, Error, "RFC 1738, section 3.6";

    /// The number of an article is not a number.
    ///
    /// An `nntp` URL gives the number that an article has in its newsgroup on that one server. To
    /// name an article everywhere use its identifier in a `news` URL.
    ///
    /// ## Example
    ///
    /// ```text
    /// nntp://a.example/comp.risks/latest
    /// ```
    ///
    /// Write `nntp://a.example/comp.risks/1234`.
    BadArticle = "bad-article", Syntax, Error, "RFC 1738, section 3.7";

    /// A news URL names a server.
    ///
    /// `news` URLs do not depend on a place: each reader asks the server of its own. Servers are
    /// named by `nntp`.
    ///
    /// ## Example
    ///
    /// ```text
    /// news://a.example/comp.risks
    /// ```
    ///
    /// Write `nntp://a.example/comp.risks` or `news:comp.risks`.
    AuthorityNotAllowed = "authority-not-allowed", Syntax, Error, "RFC 1738, section 3.6";

    /// A field of a prospero URL has no `=`.
    ///
    /// What follows a `;` in a `prospero` URL is a name, `=` and a value.
    ///
    /// ## Example
    ///
    /// ```text
    /// prospero://a.example/x;version
    /// ```
    ///
    /// Write `prospero://a.example/x;version=2`.
    BadField = "bad-field", Syntax, Error, "RFC 1738, section 3.11";

    /// A `<URL:` is never closed.
    ///
    /// Without the `>` nobody can tell where the URL ends, so it is read only up to the first white
    /// space.
    ///
    /// ## Example
    ///
    /// ```text
    /// See <URL:http://a.example/x and then more.
    /// ```
    ///
    /// Write `<URL:http://a.example/x>`.
    UnterminatedWrapper = "unterminated-wrapper", Context, Error, "RFC 1738, Appendix";

    /// There is nothing in a `<URL:>`.
    ///
    /// A wrapper that is empty, or holds nothing but a fragment, denotes nothing. A URL may have
    /// been lost when the text was edited.
    ///
    /// ## Example
    ///
    /// ```text
    /// See <URL:>.
    /// ```
    ///
    /// Put the URL in, or take the wrapper out.
    Empty = "empty", Context, Warning, "RFC 1738, Appendix";

    /// White space stands inside a line of a `<URL:...>`.
    ///
    /// White space in a wrapper is to be ignored, since it may come from a line break. Inside a
    /// line it was typed, and may stand for a space of the name, which must be encoded.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/my file>
    /// ```
    ///
    /// Write `my%20file` or `myfile`, whichever is meant.
    InteriorSpace = "interior-space", Context, Warning, "RFC 1738, Appendix";

    /// A hyphen at a line break may belong to the URL or not.
    ///
    /// Some programs insert a hyphen when they break a line, others break behind one that was
    /// there. Both readings are valid here; the URL is read with its hyphens, and the other
    /// readings are named.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/well-
    /// known>
    /// ```
    ///
    /// Break the line elsewhere, best after a slash.
    AmbiguousHyphen = "ambiguous-hyphen", Context, Warning, "RFC 1738, Appendix";

    /// A hyphen at a line break was dropped, since only so the URL is valid.
    ///
    /// With the hyphen the URL cannot be derived from the grammar, and without it it can; so the
    /// hyphen was inserted when the line was broken.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.inter-
    /// .example/>
    /// ```
    ///
    /// Break the line without a hyphen.
    HyphenResolved = "hyphen-resolved", Context, Hint, "RFC 1738, Appendix";

    /// An `=` at a line break may be the mark of a quoted-printable soft break.
    ///
    /// In a message in quoted-printable an `=` at a line's end says that the line goes on. Where
    /// the message's header does not say which encoding it has, the `=` may just as well belong to
    /// the URL.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/long=
    /// name>
    /// ```
    ///
    /// Decode the message first, or break the line elsewhere.
    PossibleQpSoftBreak = "possible-qp-soft-break", Context, Warning, "RFC 1738, Appendix";

    /// The URL may go on in the next line.
    ///
    /// The line ends where a URL is often broken, and the next one begins with what may be the
    /// rest; but nothing proves it, so the two were not joined.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/reports/
    /// 1994/index.html
    /// ```
    ///
    /// Put the URL in `<URL:` and `>`, inside which it may be broken anywhere.
    BrokenUrl = "broken-url", Context, Hint, "RFC 1738, Appendix";

    /// The prefix of a wrapper is not written `URL:`.
    ///
    /// The Appendix writes the prefix in capitals, and some programs look for nothing else.
    ///
    /// ## Example
    ///
    /// ```text
    /// <url:http://a.example/>
    /// ```
    ///
    /// Write `<URL:http://a.example/>`.
    PrefixCase = "prefix-case", Context, Hint, "RFC 1738, Appendix";

    /// Quote marks at the start of a line were taken out of the URL.
    ///
    /// The URL was broken over lines of a quoted message. Its lines begin with the mark that the
    /// first one begins with, which is no part of it.
    ///
    /// ## Example
    ///
    /// ```text
    /// > <URL:http://a.example/
    /// > x>
    /// ```
    ///
    /// Nothing needs to be done; the hint tells how the URL was read.
    QuotePrefix = "quote-prefix", Context, Hint, "RFC 1738, Appendix";

    /// A URL goes on in a line of another quote depth.
    ///
    /// A line of the URL has fewer quote marks than the one that it begins in. Often a program
    /// broke the line after it was quoted; sometimes two messages ran into one.
    ///
    /// ## Example
    ///
    /// ```text
    /// > <URL:http://a.example/
    /// x>
    /// ```
    ///
    /// Look whether the lines belong together, and quote them alike.
    QuoteDepthChange = "quote-depth-change", Context, Hint, "RFC 1738, Appendix";

    /// A URL goes on behind a page break.
    ///
    /// The foot of one page and the head of the next stand inside the wrapper. They were taken out.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/
    /// Joe                   [Page 7]
    /// x>
    /// ```
    ///
    /// Keep the URL on one page.
    PageBreak = "page-break", Context, Hint, "RFC 1738, Appendix";

    /// The URL goes on past the limit.
    ///
    /// URLs are read up to 65,536 bytes. What is longer is rarely a link that someone wrote; it may
    /// be data, or a wrapper that was never closed.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/?data=AAAAAAAA...
    /// ```
    ///
    /// Give the data a place of its own and point there.
    TooLong = "too-long", Context, Warning, "RFC 1738, Appendix";

    /// A mark in the text suppresses nothing.
    ///
    /// What it was put there for has been mended, or its rule is misspelt; left there it would hide
    /// the next fault of the kind. Rules that do not report anyway are not looked at.
    ///
    /// ## Example
    ///
    /// ```text
    /// # urlint: ignore[bad-prot] the port is filled in later
    /// http://a.example:PORT/
    /// ```
    ///
    /// Take the mark out, or name the rule as it is called.
    UnusedSuppression = "unused-suppression", Context, Warning, "";

    /// A fragment follows the URL.
    ///
    /// The `#` and what follows it are no part of the URL by RFC 1738: they are handed to whatever
    /// displays the thing that it denotes. The Appendix admits a fragment inside a wrapper.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/page.html#top>
    /// ```
    ///
    /// Nothing needs to be done, if a fragment is meant; a `#` of the name is written `%23`.
    FragmentPresent = "fragment-present", Context, Hint, "RFC 1738, Appendix";

    /// What stands before the colon looks like something else than a scheme.
    ///
    /// A host with a port and no scheme is read as a URL of a scheme that nobody knows; so is a
    /// scheme with a typing error, and a second `URL:`.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:htpp://a.example/>
    /// ```
    ///
    /// Write `<URL:http://a.example/>`.
    SchemeLookalike = "scheme-lookalike", Security, Warning, "RFC 1738, section 2.1";

    /// The port is another one of the reserved ports.
    ///
    /// Ports below 1024 belong to other services. A URL that names one can make a program talk to a
    /// service that does not expect it; section 6 asks for care, and browsers refuse many of them.
    /// Those that browsers refuse are errors, the others warnings.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:25/
    /// ```
    ///
    /// Write `http://a.example/`, or a port from 1024 on.
    PortReserved = "port-reserved", Security, Error, "RFC 1738, section 6";

    /// The port is not from 1 to 65535.
    ///
    /// There is no such port. Programs that keep only 16 bits connect to another one: 65616 becomes
    /// 80.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:65616/
    /// ```
    ///
    /// Write `http://a.example/`.
    PortRange = "port-range", Security, Error, "RFC 1738, section 3.1";

    /// A line break stands encoded in the URL.
    ///
    /// Where a program decodes the URL and sends it to a server line by line, `%0D` and `%0A` begin
    /// a new command. In a path of `http` this is a warning, since the escape is mostly sent as it
    /// is; in a search it is a hint.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/x%0D%0ADELE%20y
    /// ```
    ///
    /// Write nothing that ends a line: `ftp://a.example/x`.
    EncodedCrlf = "encoded-crlf", Security, Error, "RFC 1738, section 6";

    /// The URL has a line break and a port that is not the scheme's own.
    ///
    /// Together they let whoever wrote the URL speak another protocol in the reader's name: section
    /// 6 shows mail that is sent by following a `gopher` link.
    ///
    /// ## Example
    ///
    /// ```text
    /// gopher://a.example:25/0HELO%0D%0AQUIT
    /// ```
    ///
    /// Do not follow it.
    ProtocolSmuggling = "protocol-smuggling", Security, Error, "RFC 1738, section 6";

    /// A NUL stands encoded in the URL.
    ///
    /// Programs written in C end a string at the NUL, others do not, so a check and the access
    /// behind it may see different names.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/secret%00.png
    /// ```
    ///
    /// Write `http://a.example/secret.png`.
    EncodedNul = "encoded-nul", Security, Error, "RFC 1738, section 2.2";

    /// A control character stands encoded in the URL.
    ///
    /// Few names have control characters; in terminals and logs they hide what is there. The tab of
    /// a `gopher` URL is exempt, since there it separates the search.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/x%1B[2J
    /// ```
    ///
    /// Write `http://a.example/x`.
    EncodedControl = "encoded-control", Security, Warning, "RFC 1738, section 2.2";

    /// The URL carries a password.
    ///
    /// Whoever reads the text, the log or the browser's history can use it. The password is never
    /// shown in what urlint prints. The customary password of the users `anonymous` and `ftp` is
    /// only a hint.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://joe:secret@a.example/
    /// ```
    ///
    /// Write `ftp://joe@a.example/`, and change the password.
    Password = "password", Security, Error, "RFC 1738, section 3.1";

    /// The user name is present and empty.
    ///
    /// An empty user name is not the same as none: by section 3.1 `ftp://@a.example/` logs in with
    /// an empty name, while most programs take it for no name.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://@a.example/
    /// ```
    ///
    /// Write `ftp://a.example/`.
    EmptyUser = "empty-user", Security, Warning, "RFC 1738, section 3.1";

    /// User name, password or path can be mistaken for the host.
    ///
    /// What stands before the `@` is not the host, but it is what people read first. The same goes
    /// for an `@` in the first segment of the path, which some programs take for the end of a
    /// password.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://www.bank.example@a.example/
    /// ```
    ///
    /// Write `ftp://a.example/`.
    UserinfoConfusion = "userinfo-confusion", Security, Warning, "RFC 1738, section 3.1";

    /// Standards disagree about which host the URL names.
    ///
    /// RFC 1738, RFC 3986 and the WHATWG's standard split this URL in different places. Where one
    /// program checks the host and another one connects, the check is void.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a?z@b.example/x
    /// ```
    ///
    /// Write `ftp://a%3Fz@b.example/x`.
    ParseDifferential = "parse-differential", Security, Error, "RFC 3986, Appendix B";

    /// An escape was encoded once more.
    ///
    /// `%25` is an encoded `%`, and the two digits behind it would make another escape. Mostly a
    /// program encoded what was encoded already; a check that decodes once will not see what a
    /// second decoding makes of it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/a%2520b
    /// ```
    ///
    /// Write `http://a.example/a%20b`, if a space is meant.
    DoubleEncoding = "double-encoding", Security, Warning, "RFC 3986, section 2.4";

    /// A segment of the path is `.` or `..`.
    ///
    /// By RFC 1738 each segment is a name like any other, and an FTP client sends `CWD ..`; by RFC
    /// 3986 it is removed before anything is sent. So programs arrive at different things.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/pub/../etc/passwd
    /// ```
    ///
    /// Write `ftp://a.example/etc/passwd`.
    DotSegments = "dot-segments", Security, Warning, "RFC 1738, section 3.2.2";

    /// A number of the IPv4 address is greater than 255.
    ///
    /// There is no such address. Some programs keep the lowest eight bits, others look the name up.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://10.0.0.256/
    /// ```
    ///
    /// Write `http://10.0.0.255/`, or whatever the address is.
    Ipv4Range = "ipv4-range", Security, Error, "RFC 1738, section 3.1";

    /// A number of the IPv4 address begins with a zero.
    ///
    /// RFC 1738 reads decimal numbers; many programs read a leading zero as the mark of an octal
    /// one, so that `010` is 8.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://10.0.0.010/
    /// ```
    ///
    /// Write `http://10.0.0.10/`.
    Ipv4LeadingZero = "ipv4-leading-zero", Security, Warning, "RFC 3986, section 7.4";

    /// The IPv4 address is none of the public network.
    ///
    /// The address is private, of this host, of this link or of a group. It means another machine
    /// to each reader, and a server that follows it reaches into its own network. The address
    /// 169.254.169.254, at which clouds keep credentials, is a warning; the others are hints.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://169.254.169.254/latest
    /// ```
    ///
    /// Write the name of a public host.
    Ipv4Special = "ipv4-special", Security, Warning, "RFC 6890";

    /// The host is longer than a domain name can be.
    ///
    /// A label has at most 63 characters and a name at most 253. A longer one cannot be looked up,
    /// and has overflowed buffers before.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/
    /// ```
    ///
    /// Write the host's true name.
    HostLength = "host-length", Security, Error, "RFC 1034, section 3.1";

    /// The decoded host mixes scripts or passes for another one.
    ///
    /// A label that begins with `xn--` is shown decoded by some programs. Decoded it mixes scripts,
    /// or looks like a name in ASCII letters.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://xn--80ak6aa92e.example/
    /// ```
    ///
    /// Write the host that is meant.
    PunycodeMixed = "punycode-mixed", Security, Warning, "UTS 39, section 5";

    /// The host mixes scripts or passes for another one.
    ///
    /// Letters of different scripts look alike: a Cyrillic `а` cannot be told from a Latin `a`. The
    /// host is not the one it seems to be. Its ASCII form, which begins with `xn--`, shows what it
    /// is.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://pаypal.example/
    /// ```
    ///
    /// Write the host that is meant, in ASCII.
    Homograph = "homograph", Security, Error, "UTS 39, section 4";

    /// The URL has an invisible character or one that changes the direction of text.
    ///
    /// Such a character is not seen, or makes other characters stand in another order than they are
    /// stored. What is displayed is not what is followed. They also slip in where lines were
    /// broken.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/<U+202E>gpj.exe
    /// ```
    ///
    /// Take the character out.
    BidiInvisible = "bidi-invisible", Security, Error, "RFC 3987, section 4.1";

    /// A gopher selector has a line break.
    ///
    /// A selector is sent to the server as one line and has neither a tab nor a line break; what
    /// follows the break would be another request.
    ///
    /// ## Example
    ///
    /// ```text
    /// gopher://a.example/1x%0Ay
    /// ```
    ///
    /// Write `gopher://a.example/1x`.
    GopherSelectorOctet = "gopher-selector-octet", Security, Error, "RFC 1738, section 3.4.1";

    /// A file URL names a host.
    ///
    /// No protocol goes with `file`, so there is no sure way to get at a file of another host. Some
    /// programs open a network share, and send the reader's credentials there.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example/etc/motd
    /// ```
    ///
    /// Write `file:///etc/motd`, or a scheme that can be fetched.
    FileRemoteHost = "file-remote-host", Security, Hint, "RFC 1738, section 3.10";

    /// A `?` in the path is read as the start of a query by later standards.
    ///
    /// By section 5 a `?` belongs to the name of a file in `ftp` and `file` URLs; RFC 1808 believes
    /// that to be an error, and RFC 3986 takes the rest for a query.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/what?
    /// ```
    ///
    /// Write `ftp://a.example/what%3F`.
    QuestionInPath = "question-in-path", Security, Hint, "RFC 1808, section 2.3";

    /// What follows the two slashes is not of the common form.
    ///
    /// Schemes without a production of their own admit anything; but one that begins with `//`
    /// should go on with user, password, host and port as section 3.1 has them.
    ///
    /// ## Example
    ///
    /// ```text
    /// app://my_host/x
    /// ```
    ///
    /// Write `app://my-host/x`.
    GenericAuthority = "generic-authority", Security, Hint, "RFC 1738, section 3.1";

    /// A `%` of the address forms an escape by accident.
    ///
    /// Addresses that route by `%` must encode it. Here it happens to stand before two hexadecimal
    /// digits, and decodes to something that no address has.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto:joe%beef@a.example>
    /// ```
    ///
    /// Write `<URL:mailto:joe%25beef@a.example>`.
    MailtoAccidentalEscape = "mailto-accidental-escape", Security, Hint, "RFC 1738, section 3.5";

    /// The scheme sends everything in clear text.
    ///
    /// Whoever is on the way can read and change what is fetched. Many servers offer the same by
    /// `https`, but not all, and nothing says that it is the same.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.w3.org/
    /// ```
    ///
    /// Write `https://www.w3.org/`, if the server offers it.
    SchemeCleartext = "scheme-cleartext", Security, Hint, "RFC 1738, section 6";

    /// The scheme has capital letters.
    ///
    /// Schemes are written in small letters. Programs should be lenient and take capitals for the
    /// same, but not all are.
    ///
    /// ## Example
    ///
    /// ```text
    /// HTTP://a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    SchemeUppercase = "scheme-uppercase", Style, Warning, "RFC 1738, section 2.1";

    /// The scheme does not begin with a letter.
    ///
    /// RFC 1738 admits it; from RFC 2396 on a scheme must begin with a letter.
    ///
    /// ## Example
    ///
    /// ```text
    /// 3com://a.example/
    /// ```
    ///
    /// Choose a name that begins with a letter.
    SchemeNonletter = "scheme-nonletter", Style, Warning, "RFC 2396, section 3.1";

    /// The scheme begins with `x-`.
    ///
    /// Such names are for experiments and mean what those who use them agree on. Later practice
    /// (BCP 178) is to do without the prefix.
    ///
    /// ## Example
    ///
    /// ```text
    /// x-trial://a.example/
    /// ```
    ///
    /// Register a name.
    SchemeExperimental = "scheme-experimental", Style, Hint, "RFC 1738, section 4";

    /// The scheme is historic or fading.
    ///
    /// `wais`, `prospero`, `mailserver` and `z39.50` are historic, and few programs still know
    /// `gopher`, `nntp` and `news`.
    ///
    /// ## Example
    ///
    /// ```text
    /// wais://a.example/base
    /// ```
    ///
    /// Point to where the thing is now.
    SchemeDeprecated = "scheme-deprecated", Style, Hint, "RFC 1738, section 4";

    /// The port is the scheme's own.
    ///
    /// Without it the URL denotes the same and is shorter.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:80/
    /// ```
    ///
    /// Write `http://a.example/`.
    PortDefault = "port-default", Style, Hint, "RFC 1738, section 3.1";

    /// The port is not the scheme's own.
    ///
    /// Section 6 asks for care with any other port; firewalls may block it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:8080/
    /// ```
    ///
    /// Nothing needs to be done, if the service is there.
    PortNondefault = "port-nondefault", Style, Hint, "RFC 1738, section 6";

    /// The port begins with a zero.
    ///
    /// The grammar admits it, and the number is the same; but programs that compare URLs as text
    /// see two.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:0080/
    /// ```
    ///
    /// Write `http://a.example:80/`.
    PortZeros = "port-zeros", Style, Warning, "RFC 3986, section 6.2.3";

    /// A character is encoded that may stand raw.
    ///
    /// Letters, digits, `-`, `.` and `_` mean the same with and without encoding; programs that
    /// compare URLs as text see two. An escape whose decoding would make a segment `.` or `..` is
    /// left alone.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/%61bc
    /// ```
    ///
    /// Write `http://a.example/abc`.
    NeedlessEscape = "needless-escape", Style, Hint, "RFC 3986, section 6.2.2.2";

    /// An escape has small letters.
    ///
    /// Both cases mean the same; the customary form has capitals.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/%c3%a9
    /// ```
    ///
    /// Write `http://a.example/%C3%A9`.
    HexLowercase = "hex-lowercase", Style, Hint, "RFC 3986, section 6.2.2.1";

    /// A delimiter stands encoded.
    ///
    /// An encoded `/`, `;`, `?`, `:`, `@`, `&`, `=`, `#` or `%` is data, and a raw one is not: the
    /// URL changes its meaning when it is decoded. Some servers do decode it too early.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/AC%2FDC
    /// ```
    ///
    /// Nothing needs to be done; never decode it.
    EncodedDelimiter = "encoded-delimiter", Style, Hint, "RFC 1738, section 2.2";

    /// The escapes do not decode to UTF-8.
    ///
    /// They are in another encoding, which nothing names, and cannot be shown as text.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/caf%E9
    /// ```
    ///
    /// Write `http://a.example/caf%C3%A9`, if the server knows that name.
    NotUtf8 = "not-utf8", Style, Hint, "RFC 3986, section 2.5";

    /// The host is not fully qualified.
    ///
    /// Section 3.1 asks for the fully qualified domain name. A single label means another host in
    /// each network.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://intranet/
    /// ```
    ///
    /// Write `http://intranet.a.example/`.
    HostUnqualified = "host-unqualified", Style, Hint, "RFC 1738, section 3.1";

    /// The host has capital letters.
    ///
    /// Hosts are the same in both cases; the customary form has small letters.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://A.Example/
    /// ```
    ///
    /// Write `http://a.example/`.
    HostCase = "host-case", Style, Hint, "RFC 3986, section 6.2.2.1";

    /// The host is a name for examples and tests.
    ///
    /// The names `example`, `test`, `invalid` and `localhost`, and `example.com`, `.net` and
    /// `.org`, are set aside and belong to nobody. Outside of documentation and tests a placeholder
    /// may have been left.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.example.com/
    /// ```
    ///
    /// Write the host that is meant, unless an example is.
    HostExample = "host-example", Style, Hint, "RFC 2606";

    /// The URL ends with its host.
    ///
    /// Section 3.3 admits it, and it denotes the same as with a slash; the customary form has the
    /// slash.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example
    /// ```
    ///
    /// Write `http://a.example/`.
    HttpEmptyPath = "http-empty-path", Style, Hint, "RFC 3986, section 6.2.3";

    /// The text of a mailto URL is no address.
    ///
    /// It should be an address as RFC 822 has it, `local@domain`, without `//` before it.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto://joe@a.example>
    /// ```
    ///
    /// Write `<URL:mailto:joe@a.example>`.
    MailtoAddrSpec = "mailto-addr-spec", Style, Warning, "RFC 1738, section 3.5";

    /// A mailto URL has headers.
    ///
    /// By RFC 1738 the `?` and what follows belong to the address; since RFC 2368 they are headers
    /// of the message.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto:joe@a.example?subject=hello>
    /// ```
    ///
    /// Write `<URL:mailto:joe@a.example>`, to be understood by all.
    MailtoHeaders = "mailto-headers", Style, Hint, "RFC 6068, section 2";

    /// The gopher type is encoded or unknown.
    ///
    /// The first character behind the slash says what kind of thing it is: a digit, `+`, `T`, `g`,
    /// `I`, `h`, `i` or `s`. Often the type was left out, and the first letter of the name is taken
    /// for it.
    ///
    /// ## Example
    ///
    /// ```text
    /// gopher://a.example/pub/x.txt
    /// ```
    ///
    /// Write `gopher://a.example/0pub/x.txt`.
    GopherType = "gopher-type", Style, Warning, "RFC 1738, section 3.4.1";

    /// An nntp URL gives no number of an article.
    ///
    /// The grammar admits it, while the text of section 3.7 asks for the number.
    ///
    /// ## Example
    ///
    /// ```text
    /// nntp://a.example/comp.risks
    /// ```
    ///
    /// Write `news:comp.risks`, if the newsgroup is meant.
    NntpNoArticle = "nntp-no-article", Style, Hint, "RFC 1738, section 3.7";

    /// A part of a wais URL is empty.
    ///
    /// The grammar admits it, but no server can find a database, type or path without a name.
    ///
    /// ## Example
    ///
    /// ```text
    /// wais://a.example/
    /// ```
    ///
    /// Write `wais://a.example/base`.
    WaisEmpty = "wais-empty", Style, Hint, "RFC 1738, section 3.9";

    /// A part of a prospero URL is empty.
    ///
    /// The grammar admits it, but an object or a field without a name denotes nothing.
    ///
    /// ## Example
    ///
    /// ```text
    /// prospero://a.example/
    /// ```
    ///
    /// Write `prospero://a.example/name`.
    ProsperoEmpty = "prospero-empty", Style, Hint, "RFC 1738, section 3.11";

    /// The identifier of an article begins with slashes.
    ///
    /// Someone may have meant to name a server; by section 3.6 all of it is the article's
    /// identifier.
    ///
    /// ## Example
    ///
    /// ```text
    /// news://a.example/1234@b.example
    /// ```
    ///
    /// Write `news:1234@b.example`.
    NewsSlashArticle = "news-slash-article", Style, Hint, "RFC 1738, section 3.6";
}
