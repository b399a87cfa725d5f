//! The table of rules, in order, by group.
//!
//! A rule's doc comment is its documentation everywhere: in rustdoc, in `urlint rule NAME`, in the
//! manual's list. A row has that comment, the variant, its name, its severities at the [places](super::Place) of a URL, each
//! with the useful ones of the reports on labelled texts, its detector, and the section that covers it, if need be also a section of RFC 3986 (`uri`) and of
//! the URL Standard (`web`), and other names (`shares`). The detector is a check, with the standards that it runs under, the judge of a
//! standard, or something that knows the text around the URL. For rules of a judge,
//! the section comes from the standard.
//!
//! The function that checks comes after `=>`. Rules do not know it: the table is a macro that hands
//! its rows to another macro. The macro here takes the rules, the one in `checks` the functions.

use super::{Detector, Group, Severity};
use urlint_standard::standard::Standard;

const ALL: &[Standard] = Standard::ALL;
const URI: &[Standard] = &[Standard::Rfc3986, Standard::Rfc3987];
const RFCS: &[Standard] = &[Standard::Rfc1738, Standard::Rfc3986, Standard::Rfc3987];

macro_rules! rules {
    ($($group:ident {$(
        $(#[doc = $doc:literal])+
        $variant:ident = $name:literal, [$($severity:ident $($useful:literal / $all:literal)?),+],
            $detector:ident $(($($what:tt)+))?
            $(, $section:literal)? $(, uri $uri:literal)? $(, web $web:literal)?
            $(, shares $shared:literal)?
            $(=> $check:path)?;
    )+})+) => {
        /// Everything that urlint can report.
        ///
        /// ```
        /// use urlint::lint::Group;
        /// use urlint::{Rule, Severity};
        ///
        /// let rule = Rule::from_name("unsafe-character").unwrap();
        /// assert_eq!(rule, Rule::UnsafeCharacter);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.group(), Group::Encoding);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($($(#[doc = $doc])+ $variant,)+)+
        }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Rule] = &[$($(Rule::$variant),+),+];

            /// Returns the rule's name, in kebab-case: its only identifier.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Rule::$variant => $name,)+)+ }
            }

            /// Returns the group that the rule belongs to.
            #[must_use]
            pub const fn group(self) -> Group {
                match self { $($(Rule::$variant)|+ => Group::$group,)+ }
            }

            /// Returns the severities of the rule in the order of [`Place`](super::Place), each with its record: the
            /// numbers of useful reports and of all reports on labelled texts. The last one holds for all further places.
            #[doc(hidden)]
            pub const fn records(self) -> &'static [(Severity, [usize; 2])] {
                match self {
                    $($(Rule::$variant => {
                        &[$((Severity::$severity, [0 $(+ $useful)?, 0 $(+ $all)?])),+]
                    },)+)+
                }
            }

            /// Returns the names of kinds of problems and flags that the rule reports, beyond its own, and of
            /// former rules, whose checks it has.
            pub(super) const fn shared(self) -> &'static str {
                match self { $($(Rule::$variant => concat!($($shared)?),)+)+ }
            }

            /// Returns the sections in the rule's row: of RFC 1738, of RFC 3986 and of the URL
            /// Standard, each empty if there is none.
            pub(super) const fn sections(self) -> [&'static str; 3] {
                match self {
                    $($(Rule::$variant => {
                        [concat!($($section)?), concat!($($uri)?), concat!($($web)?)]
                    },)+)+
                }
            }

            /// Returns the rule's documentation, as Markdown.
            #[must_use]
            pub const fn documentation(self) -> &'static str {
                match self { $($(Rule::$variant => concat!($($doc, "\n"),+),)+)+ }
            }
        }

        /// The detector of each rule, in the order of the table.
        pub(super) static DETECTORS: [Detector; Rule::ALL.len()] =
            [$($(Detector::$detector $(($($what)+))?),+),+];
    };
}

rule_table!(rules);

/// Hands the rows to the macro `take`.
macro_rules! rule_table {
    ($take:ident) => {
        $take! {

Encoding {

    /// A control character is not encoded.
    ///
    /// A control character cannot be printed, and programs cut the URL at it, drop it or send it to
    /// a server as it is. If it is intended, it must be encoded; most often it was copied by
    /// accident.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/one<U+0007>two
    /// ```
    ///
    /// Write `http://a.example/onetwo`, or `%07` if the character is intended.
    ControlCharacter = "control-character", [Error, Error, Hint], Judge;

    /// A space is not encoded.
    ///
    /// Typesetting and wrapping add and remove spaces, so a space in a URL must be encoded;
    /// programs that look for URLs stop at one. The fix is safe where browsers encode the space as
    /// well.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/my file
    /// ```
    ///
    /// Write `http://a.example/my%20file`.
    RawSpace = "raw-space", [Warning 16/19], Judge;

    /// A character outside US-ASCII is not encoded.
    ///
    /// URLs are written in US-ASCII only: the bytes of such a character depend on the encoding of the
    /// text around it. Encode the bytes that the server expects, which today are nearly always UTF-8.
    /// A host cannot have escapes; it has an ASCII form instead, which begins with `xn--`. A character
    /// that RFC 3987 allows is a hint, since browsers encode it themselves, but not where a
    /// fullwidth form such as `？` has replaced a delimiter, or where a ligature or a sign has replaced letters,
    /// as `ﬂ` replaces `fl` in text from PDF and `©` replaces `&copy`. The fix is unsafe: other programs may
    /// have encoded the character in another way.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/café
    /// ```
    ///
    /// Write `http://a.example/caf%C3%A9`.
    NonAscii = "non-ascii", [Warning 2/2], Judge;

    /// An unsafe character is not encoded.
    ///
    /// The characters `<`, `>`, `"`, `#`, `{`, `}`, `|`, `\`, `^`, `~`, `[`, `]` and the grave
    /// accent delimit URLs in text, or are known to be changed by gateways and other agents. They
    /// must always be encoded. A `#` is reported only after the one that begins a fragment. A `~` is
    /// a hint, since RFC 3986 allows it everywhere; so are pairs of `[` and `]`, and `^` and `|` in a query,
    /// which browsers send and servers expect.
    ///
    /// The fix is safe for `<`, `>`, `"` and the grave accent where browsers encode them as well:
    /// in a wrapper, in angle brackets and in the target of a link. It is unsafe for the others,
    /// since browsers distinguish the raw from the encoded character, and since `{` and `}` may
    /// mark a placeholder. Nothing is encoded in a fragment with a text directive, `:~:`.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/~joe
    /// ```
    ///
    /// Write `http://a.example/%7Ejoe`.
    UnsafeCharacter = "unsafe-character", [Error 12/14, Hint 2/7], Judge;

    /// A `%` is not followed by two hexadecimal digits.
    ///
    /// Servers disagree about a lone `%`: some reject it, some take it literally. It may also be the
    /// rest of an escape that was cut off.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/100%
    /// ```
    ///
    /// Write `http://a.example/100%25`.
    BadEscape = "bad-escape", [Error, Error, Hint], Judge;

}

Syntax {

    /// A reserved character is not encoded where its component does not allow it.
    ///
    /// Each of `;`, `/`, `?`, `:`, `@`, `=` and `&` may have a special meaning in a scheme. Where
    /// the grammar gives it none, it must be encoded; otherwise programs split the URL in different
    /// places. It is a hint: RFC 3986 allows nearly all of them.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/find?path=/etc
    /// ```
    ///
    /// Write `http://a.example/find?path=%2Fetc`.
    ReservedCharacter = "reserved-character", [Hint 5/34], Judge;

    /// A character or an escape is not allowed in its component.
    ///
    /// Hosts, ports and the names of newsgroups allow few characters and no escapes. A host is made
    /// of letters, digits, hyphens and dots. An `_` is only a warning, since RFC 3986 allows it and
    /// some servers have such names.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://my_host.example/
    /// ```
    ///
    /// Write `http://my-host.example/`, if that is the host's name.
    MisplacedCharacter = "misplaced-character", [Error 4/4, Error, Hint 1/3], Judge;

    /// The URL has no scheme.
    ///
    /// A URL begins with the name of its scheme and a colon. Without them, programs do not know how to
    /// read the rest.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:www.example.com/x>
    /// ```
    ///
    /// Write `<URL:http://www.example.com/x>`.
    NoScheme = "no-scheme", [Error 28/30], Judge;

    /// The scheme has a character that no scheme may have.
    ///
    /// A scheme is made of letters, digits, `+`, `-` and `.`; no program knows a scheme with any
    /// other character.
    ///
    /// ## Example
    ///
    /// ```text
    /// my_app://a.example/
    /// ```
    ///
    /// Write `my-app://a.example/`.
    BadScheme = "bad-scheme", [Error, Error, Hint], Judge;

    /// The two slashes after the colon are missing.
    ///
    /// Schemes that name a host put `//` before it. Without it, some programs guess the host and
    /// others read a path. `file:/x` is a hint, since RFC 8089 allows it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:a.example/x
    /// ```
    ///
    /// Write `http://a.example/x`.
    MissingSlashes = "missing-slashes", [Error 7/7, Error 1/3, Hint 1/2], Judge;

    /// There is a user name or password where none is allowed.
    ///
    /// Only `ftp` and `telnet` URLs log in. In other schemes, the text before the `@` is not sent to the
    /// server, and mostly serves to disguise the host that is visited. RFC 3986 allows it, but RFC 9110 forbids
    /// writing it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://joe@a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    UserinfoNotAllowed = "userinfo-not-allowed", [Warning 7/7, Warning 3/3, Warning, Hint 0/2], Check(URI), "RFC 9110, section 4.2.4"
        => userinfo::deprecated;

    /// There is no host.
    ///
    /// The scheme requires a host, and there is none after the two slashes.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:///index.html
    /// ```
    ///
    /// Write `http://a.example/index.html`.
    EmptyHost = "empty-host", [Error 3/4, Error 3/3, Hint 2/5], Judge;

    /// The host is neither a domain name nor an IPv4 address.
    ///
    /// Labels of a domain name begin and end with a letter or a digit, the last one begins with a
    /// letter, and none is empty, not even after a dot at the end. A host with a dot at the end has
    /// separate cookies and certificates; the dot is a hint, since later standards allow it, except in the target of
    /// a link, where it mostly ended a sentence. A label has at most 63
    /// characters, and a name 253. The letter of a drive is no host.
    ///
    /// By the grammar of RFC 3986 nearly anything is a host, but its section 3.2.2 asks for names of the DNS where hosts
    /// are looked up there. The hosts of unknown schemes need not be such names.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example./
    /// ```
    ///
    /// Write `http://a.example/`.
    BadHost = "bad-host", [Error 3/4, Error 2/5, Hint 0/1], Check(RFCS), shares "host-length drive-letter host-not-dns"
        => host::name;

    /// The host is an address in brackets.
    ///
    /// Brackets around IPv6 addresses were introduced by RFC 2732. By RFC 1738 a host is a domain
    /// name or an IPv4 address, and programs of its time stop at the first colon. It is a hint, since later standards
    /// allow it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://[2001:db8::1]/
    /// ```
    ///
    /// Write a host name, such as `http://six.a.example/`.
    IpLiteral = "ip-literal", [Hint 0/1], Judge;

    /// There is a colon without a port.
    ///
    /// If the port is left out, the colon should be left out as well, and removing it is always
    /// safe. Later standards allow it. If `//` follows, a second scheme was taken for the host, which
    /// `scheme-lookalike` reports.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:/
    /// ```
    ///
    /// Write `http://a.example/`.
    EmptyPort = "empty-port", [Warning 2/5], Check(URI), "RFC 3986, section 6.2.3" => port::empty;

    /// The port is not a number from 1 to 65535.
    ///
    /// Something other than digits is often a placeholder, or the beginning of a password with a character that should
    /// have been encoded. The word `port` is not reported. Programs that keep only 16 bits of a number connect to a
    /// different port: 65616 becomes 80.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:80a/
    /// ```
    ///
    /// Write `http://a.example:80/`.
    BadPort = "bad-port", [Error 1/1, Error, Hint 1/1], Check(RFCS), shares "port-range" => port::range;

    /// There is a component that the scheme does not have.
    ///
    /// A `file` URL says which host a file is on, but not how to get it, so it has no port. A `telnet` URL denotes a
    /// service, and has no path. `news` URLs name no server, since each reader asks its own. By later RFCs, `file`, `telnet`, `news` and `nntp` have no query, and `ws` and `wss` no
    /// fragment.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example:80/etc/motd
    /// ```
    ///
    /// Write `file://a.example/etc/motd`; encode a `?` or `#` that belongs to a name.
    ComponentNotAllowed = "component-not-allowed", [Hint 0/2], Judge,
        shares "port-not-allowed path-not-allowed query-not-allowed fragment-not-allowed authority-not-allowed";

    /// The slash between the host and the rest is missing.
    ///
    /// The `/` after the host may be left out only if neither a path nor a search follows. With the
    /// slash, the URL denotes the same resource. It is a hint, since later standards allow leaving it out.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example?q=x
    /// ```
    ///
    /// Write `http://a.example/?q=x`.
    MissingSlash = "missing-slash", [Hint 1/8], Judge;

    /// Something that the scheme requires is empty or missing.
    ///
    /// A `file` URL needs a path, a `mailto` URL an address, and a `news` URL a newsgroup or an article; without it, the
    /// URL denotes nothing. It is a hint, since later RFCs allow most of it.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto:>
    /// ```
    ///
    /// Write `<URL:mailto:joe@a.example>`.
    MissingComponent = "missing-component", [Hint 0/2], Judge, shares "missing-path";

    /// A component does not have the form that its scheme asks for.
    ///
    /// The `;type=` of an `ftp` URL is `a`, `i` or `d`. The name of a newsgroup begins with a letter. The article of an `nntp` URL is a number. A field of a `prospero` or `mailto` URL has
    /// an `=`. The namespace of a URN has 2 to 32 letters, digits and hyphens, without a hyphen at either end.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/x.zip;type=z
    /// ```
    ///
    /// Write `ftp://a.example/x.zip;type=i`.
    BadComponent = "bad-component", [Hint], Check(URI), shares "bad-typecode bad-group bad-article bad-field bad-namespace"
        => path::typecode;

    /// There are more slashes than the standard allows.
    ///
    /// Browsers drop the extra slash of `http:///a.example/`; other programs see an empty host. By
    /// RFC 8089, the path of a file URL without a host cannot begin with two slashes.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:///a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    ExtraSlash = "extra-slash", [Error, Error, Hint], Judge;

}

Context {

    /// A `<URL:` is never closed.
    ///
    /// Without the `>` it is unclear where the URL ends, so it is read only up to the first white
    /// space.
    ///
    /// ## Example
    ///
    /// ```text
    /// See <URL:http://a.example/x and then more.
    /// ```
    ///
    /// Write `<URL:http://a.example/x>`.
    UnterminatedWrapper = "unterminated-wrapper", [Error], Text, "RFC 1738, Appendix", shares "unterminated";

    /// A `<URL:>` contains no URL.
    ///
    /// A wrapper that is empty, or contains only a fragment, denotes nothing. The URL may have been
    /// lost when the text was edited.
    ///
    /// ## Example
    ///
    /// ```text
    /// See <URL:>.
    /// ```
    ///
    /// Put the URL in, or remove the wrapper.
    Empty = "empty", [Warning], Text, "RFC 1738, Appendix";

    /// There is white space inside a line of a `<URL:...>`.
    ///
    /// White space in a wrapper is ignored, since it may come from a line break. Inside a line, it
    /// was typed, and may be part of a name, where it must be encoded.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/my file>
    /// ```
    ///
    /// Write `my%20file` or `myfile`, whichever is intended.
    InteriorSpace = "interior-space", [Warning], Text, "RFC 1738, Appendix";

    /// A hyphen at a line break may or may not belong to the URL.
    ///
    /// Some programs insert a hyphen when they break a line, others break after an existing one.
    /// Both readings are valid here; the URL is read with its hyphens, and the other readings are
    /// listed. It is a hint, since the hyphen nearly always belongs to the URL: programs that
    /// insert one have become rare.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/well-
    /// known>
    /// ```
    ///
    /// Break the line elsewhere, preferably after a slash.
    AmbiguousHyphen = "ambiguous-hyphen", [Hint], Text, "RFC 1738, Appendix";

    /// An `=` at a line break may be a quoted-printable soft line break.
    ///
    /// In a quoted-printable message, an `=` at the end of a line means that the line continues. If
    /// the message's header does not name its encoding, the `=` may just as well belong to the URL.
    /// In column 76, where encoders break lines, it is taken for a soft line break and left out, unless
    /// a query precedes it without an `=3D`.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/long=
    /// name>
    /// ```
    ///
    /// Decode the message first, or break the line elsewhere.
    PossibleQpSoftBreak = "possible-qp-soft-break", [Warning], Text, "RFC 1738, Appendix";

    /// The URL may continue on the next line.
    ///
    /// The line ends where URLs are often broken, and the beginning of the next one may be the rest.
    /// Since that is not certain, the two were not joined.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/reports/
    /// 1994/index
    /// ```
    ///
    /// Put the URL between `<URL:` and `>`, where it may be broken anywhere.
    BrokenUrl = "broken-url", [Hint], Text, "RFC 1738, Appendix";

    /// The prefix of a wrapper is not written `URL:`.
    ///
    /// The Appendix writes the prefix in capitals, and some programs look only for that form. The
    /// fix is safe, since the prefix is not part of the URL.
    ///
    /// ## Example
    ///
    /// ```text
    /// <url:http://a.example/>
    /// ```
    ///
    /// Write `<URL:http://a.example/>`.
    PrefixCase = "prefix-case", [Hint], Text, "RFC 1738, Appendix";

    /// Something between two lines of the URL was removed.
    ///
    /// The URL goes on after the quote marks of a message, on a line that has fewer of them, after the footer of a
    /// page and the header of the next one, or after a hyphen without which alone it is valid. The message says which
    /// of these was removed. On lines with fewer quote marks, usually a program broke the line after it was quoted;
    /// sometimes two messages were run together.
    ///
    /// ## Example
    ///
    /// ```text
    /// > <URL:http://a.example/
    /// > x>
    /// ```
    ///
    /// Nothing needs to be done; the hint says how the URL was read.
    Rejoined = "rejoined", [Hint], Text, "RFC 1738, Appendix",
        shares "hyphen-resolved quote-prefix quote-depth-change page-break";

    /// The URL is longer than the limit.
    ///
    /// URLs are read up to 65,536 bytes. A longer one is rarely a link that a person wrote; it may
    /// be data, or a wrapper that was never closed. `data:` URLs are not reported.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/?data=AAAAAAAA...
    /// ```
    ///
    /// Store the data elsewhere and link to it.
    TooLong = "too-long", [Warning], Text, "RFC 1738, Appendix";

    /// The URL contains a placeholder or a pattern.
    ///
    /// A program, a template or the reader will replace part of it: `{x}`, `{{ x }}`, `$X`, `%s`,
    /// `<x>`; or it is a regular expression. It is not a URL yet, so no other rule reports it, and
    /// nothing in it is fixed.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/{user}/profile
    /// ```
    ///
    /// Nothing needs to be done. If the characters are meant literally, encode them:
    /// `http://a.example/%7Buser%7D/profile`.
    Placeholder = "placeholder", [Hint 2/49], Text, "";

    /// A suppression comment suppresses nothing.
    ///
    /// The problem it was written for has been fixed, or its rule is misspelled. If it stays, it
    /// will hide the next problem of that kind. Names of rules that are not selected are not
    /// reported.
    ///
    /// ## Example
    ///
    /// ```text
    /// # urlint: ignore[bad-prot] the port is filled in later
    /// http://a.example:PORT/
    /// ```
    ///
    /// Remove the comment, or correct the name of the rule.
    UnusedSuppression = "unused-suppression", [Warning], Text, "";

    /// A fragment follows the URL.
    ///
    /// By RFC 1738, the `#` and the text after it are not part of the URL: they are for the program
    /// that displays the resource. The Appendix allows a fragment inside a wrapper.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/page.html#top>
    /// ```
    ///
    /// Nothing needs to be done if a fragment is intended; write a `#` in a name as `%23`.
    FragmentPresent = "fragment-present", [Hint 32/66], Check(ALL), "RFC 1738, Appendix", uri "RFC 3986, section 3.5",
        web "URL Standard, URL representation" => context::fragment_present;

    /// A link is broken, or leads nowhere.
    ///
    /// In Markdown, a space between `]` and `(`, a space or an unclosed bracket in the destination, or
    /// swapped brackets turn a link into running text: readers see its markup. In reStructuredText, a
    /// missing space before `<` and a missing `_` at the end do the same. In any markup, a target with a
    /// quotation mark, a bracket, `URL:` or `./` before the scheme is relative, and leads nowhere, as does an
    /// empty one after words of Markdown.
    ///
    /// ## Example
    ///
    /// ```text
    /// See [the page] (http://a.example/).
    /// ```
    ///
    /// Write `See [the page](http://a.example/)`.
    BrokenLink = "broken-link", [Warning 76/80], Text, "";

    /// The URL or its host is pasted into itself.
    ///
    /// The path contains the host of the URL again, or the query does so after a word:
    /// `?id=namehttps://a.example`. Or the URL is a whole `srcset`, with widths of images:
    /// `%20300w,%20https://`. Archives and proxies have URLs in their paths on purpose; these are left alone.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:https://a.example/shop/https://a.example/shop/x>
    /// ```
    ///
    /// Write `<URL:https://a.example/shop/x>`.
    PastedUrl = "pasted-url", [Warning 11/11], Check(ALL), "" => slip::pasted;

    /// A query has a second `?` in place of `&`, or begins with `&`.
    ///
    /// Parameters are separated by `&`. A second `?` is allowed in a query, but it is part of the value before
    /// it. Values that are URLs or patterns are left alone. Without a `?` parameters are a part of the path; those
    /// of a redirector, which stood before the URL, are left over.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/x?id=1?lang=en>
    /// ```
    ///
    /// Write `<URL:http://a.example/x?id=1&lang=en>`.
    SecondQuery = "second-query", [Warning 4/4], Check(ALL), "" => slip::second_query;

    /// The text of a mailto URL is no mail address.
    ///
    /// It has slashes before it, two `@`, or a `;` before the next address: no mail can be sent to it. Anything else that
    /// is not `local@domain`, as in RFC 822, is a hint by RFC 1738.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto://joe@a.example>
    /// ```
    ///
    /// Write `<URL:mailto:joe@a.example>`.
    MailAddress = "mail-address", [Warning 0/1], Check(ALL), "RFC 1738, section 3.5", uri "RFC 6068, section 2",
        shares "mailto-addr-spec"
        => schemes::mail_address;

    /// The path of an ssh URL follows a colon, as in the syntax of scp.
    ///
    /// In a URL, the colon begins the port. git accepts `git@a.example:org/repo`, without a scheme, and
    /// `ssh://git@a.example/org/repo`.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:ssh://git@a.example:org/repo>
    /// ```
    ///
    /// Write `<URL:ssh://git@a.example/org/repo>`.
    ScpPath = "scp-path", [Warning], Check(ALL), "RFC 3986, section 3.2.3" => slip::scp_path;

    /// The URL ends in an encoded space, or in an encoded bracket without its opening one.
    ///
    /// A program has encoded a `)` that followed the URL, or the space after a `#`. In the target of a
    /// link, `%5C`, `%60`, and `%20` after a word are reported too, unless they end a query. So is a second `.git`, everywhere.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/x%29>
    /// ```
    ///
    /// Write `<URL:http://a.example/x>`.
    StrayEnd = "stray-end", [Warning 3/3], Check(ALL), "" => slip::stray_end;

    /// The configuration asks to avoid the URL.
    ///
    /// A rule in the table `url-rules` of the configuration, or in a list that `url-lists` chooses,
    /// matches the host of the URL or another part of it. The rule's name is shown at the place, and the
    /// rule decides about the message, the severity and the fix.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://wiki.a.example/x
    /// ```
    ///
    /// Follow the advice of the message.
    RestrictedUrl = "restricted-url", [Error], Text, "";

}

Security {

    /// The text before the colon looks like something other than a scheme.
    ///
    /// A host with a port but no scheme is read as a URL with an unknown scheme; so is a misspelled
    /// scheme, a second `URL:`, a word without a space before `http`, or a scheme that was cut to one letter.
    /// `http//` and `https;//` do not begin a URL, and `http://https://` and `http://https//` have two schemes.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:htpp://a.example/>
    /// ```
    ///
    /// Write `<URL:http://a.example/>`.
    SchemeLookalike = "scheme-lookalike", [Warning 60/70], Check(ALL), "RFC 1738, section 2.1",
        uri "RFC 3986, section 7.6" => scheme::lookalike;

    /// The port is not the scheme's default.
    ///
    /// Ports below 1024 belong to other services. A URL that names one can make a program talk to a
    /// service that does not expect it; section 6 asks for care. Many servers have no other port.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:25/
    /// ```
    ///
    /// Write `http://a.example/`. Nothing needs to be done about a hint if the service uses this port.
    PortNondefault = "port-nondefault", [Hint 4/21], Check(ALL), "RFC 1738, section 6", uri "RFC 3986, section 7.2",
        shares "port-reserved"
        => port::nondefault;

    /// The URL has an encoded control character.
    ///
    /// If a program decodes the URL and sends it to a server line by line, `%0D` and `%0A` begin a new command; with
    /// a port that is not the scheme's default they let the author of the URL speak another protocol in the reader's
    /// name, as section 6 shows. In a search a line break is a hint. Programs written in C end a string at a NUL, others do not, so that
    /// a check and the access that follows may see different names. Other control characters hide text in
    /// terminals and logs. The tab of a `gopher` URL is exempt, since it separates the search.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/x%0D%0ADELE%20y
    /// ```
    ///
    /// Leave it out: `ftp://a.example/x`.
    EncodedControl = "encoded-control", [Warning 5/5, Hint 0/2], Check(ALL), "RFC 1738, section 6", uri "RFC 3986, section 7.3"
        => escapes::control;

    /// The URL carries a password.
    ///
    /// Anyone who reads the text, the log or the browser's history can use it. `urlint check` never
    /// prints the password. The customary password of the users `anonymous` and `ftp` is only a
    /// hint, and so are obvious examples: `user:password@www.example.com`, and any login in code of a document or
    /// in the prompt of a program, `Password for 'https://joe@a.example':`.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://joe:secret@a.example/
    /// ```
    ///
    /// Write `ftp://joe@a.example/`, and change the password.
    Password = "password", [Error, Error 0/5, Error 0/3, Hint 0/18], Check(ALL), "RFC 1738, section 3.1", uri "RFC 3986, section 7.5",
        web "URL Standard, security considerations" => userinfo::password;

    /// The user name is present and empty.
    ///
    /// An empty user name is not the same as none: by section 3.1, `ftp://@a.example/` logs in with
    /// an empty name, while most programs treat it as no name.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://@a.example/
    /// ```
    ///
    /// Write `ftp://a.example/`.
    EmptyUser = "empty-user", [Warning, Hint], Check(ALL), "RFC 1738, section 3.1", uri "RFC 3986, section 6.2.3",
        web "URL Standard, security considerations" => userinfo::empty_user;

    /// The user name, password or path can be mistaken for the host.
    ///
    /// The text before the `@` is not the host, but people read it first. An `@` in the first segment of
    /// the path deceives as well: some programs take it for the end of a password. Only schemes that browsers read
    /// are checked: in others, user names are mail addresses, and paths are accounts.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://www.bank.example@a.example/
    /// ```
    ///
    /// Write `ftp://a.example/`.
    UserinfoConfusion = "userinfo-confusion", [Warning, Warning, Warning, Hint], Check(ALL), "RFC 1738, section 3.1",
        uri "RFC 3986, section 7.6", web "URL Standard, security considerations" => userinfo::confusion;

    /// Standards disagree about which host the URL names.
    ///
    /// RFC 1738, RFC 3986 and the URL Standard split this URL in different places. If one program
    /// checks the host and another connects, the check is void.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a?z@b.example/x
    /// ```
    ///
    /// Write `ftp://a%3Fz@b.example/x`.
    ParseDifferential = "parse-differential", [Error, Error, Error, Hint], Check(ALL), "RFC 3986, Appendix B",
        uri "RFC 3986, section 7.6", web "URL Standard, URL parsing" => differential::hosts;

    /// An escape was encoded again.
    ///
    /// `%25` is an encoded `%`, which forms another escape with the two digits after it. Usually a
    /// program encoded an escape again; a check that decodes once does not see the result of decoding
    /// twice. Some sites answer to such names, so that is a hint. Before a key, markup writes `&` as `&amp;`. Outside
    /// of markup, or if markup encodes it again, `amp;` becomes a part of the key.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/?b=1&amp;c=2
    /// ```
    ///
    /// Write `http://a.example/?b=1&c=2`.
    DoubleEncoding = "double-encoding", [Warning 8/12], Check(ALL), "RFC 3986, section 2.4" => escapes::double;

    /// A segment of the path is `.` or `..`.
    ///
    /// By RFC 1738 such a segment is a name like any other, and an FTP client sends `CWD ..`; by
    /// RFC 3986 it is removed before anything is sent. So programs may reach different resources.
    /// Programs that read documents today follow RFC 3986, where such a path is merely longer than necessary.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/pub/../etc/passwd
    /// ```
    ///
    /// Write `ftp://a.example/etc/passwd`.
    DotSegments = "dot-segments", [Hint], Check(ALL), "RFC 1738, section 3.2.2",
        uri "RFC 3986, section 6.2.2.3", web "URL Standard, path state" => path::dot_segments;

    /// The host looks like an IP address but is not one, or programs disagree which.
    ///
    /// A number of an IPv4 address that is greater than 255 makes no address: some programs keep the lowest
    /// eight bits, others look the name up. Many programs read a number with a leading zero as octal, so that `010`
    /// is 8. Brackets must contain an IPv6 address, by RFC 3986 also one of a later version, and be closed.
    /// Browsers allow no leading zeros in it. They read numbers in hexadecimal and less than four of them as an address,
    /// while a filter of hosts may not. A zone was allowed by RFC 6874, which RFC 9844 withdrew; no
    /// browser supports it, and it means nothing on another machine.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://10.0.0.256/
    /// ```
    ///
    /// Write `http://10.0.0.255/`, or the intended address.
    BadIpAddress = "bad-ip-address", [Error, Hint 0/7], Check(ALL), "RFC 1738, section 3.1", web "URL Standard, IPv4 parser",
        shares "bad-ip-literal ipv4-range ipv4-leading-zero ipv6-form"
        => host::ip_address;

    /// The text of a link shows another URL than its target.
    ///
    /// Deceptive links look like that; more often, the target was changed and the text was not. A text shows a
    /// URL if that begins with `http://`, `https://` or `www.`, and not more than six other words stand around
    /// it. A target in the same registered domain is not reported. Neither is one that leads on to the shown
    /// URL: that of a proxy whose name has hyphens in place of the dots, as in `www-a-example.proxy.b.edu`, of
    /// the Internet Archive, archive.today and other public archives, of the caches, translations and notices of
    /// Google, YouTube and Facebook, of the filters of Outlook, Proofpoint, Symantec and Barracuda, and in the
    /// domains of universities. What they lead to must come first in their path or query.
    ///
    /// On the same host, paths are reported if names in the shorter one are missing from the longer one, but not
    /// in mail, where newsletters count their readers. Only documents have links: Markdown, reStructuredText,
    /// HTML and the like. A relative target is not compared, even if the `<base>` of its page names another host.
    ///
    /// ## Example
    ///
    /// ```text
    /// [https://www.rfc-editor.org/](https://a.example/)
    /// ```
    ///
    /// Show the URL that the link leads to.
    LinkText = "link-text", [Warning 2/3], Check(ALL), "" => link::text;

    /// A link in a message runs a program.
    ///
    /// A target that begins with `javascript:` or `vbscript:` is no place, but a program, which some readers of mail
    /// have run. In pages, where authors write such links to their own functions, they are not listed.
    ///
    /// ## Example
    ///
    /// ```text
    /// <a href="javascript:alert(1)">see</a>
    /// ```
    ///
    /// Link to a page.
    ScriptUrl = "script-url", [Warning], Check(ALL), "RFC 3986, section 7" => link::script;

    /// A host differs in one letter from a known domain.
    ///
    /// The last labels of the host are compared with some sixty domains that many documents name, such as
    /// `github.com`. One letter after the first is left out, added or changed, or two are swapped. A host that begins
    /// with `wwww.` is reported too.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.gihub.com/
    /// ```
    ///
    /// Write `http://www.github.com/`.
    RareHost = "rare-host", [Warning 2/2], Check(ALL), "" => elsewhere::rare_host;

    /// The host mixes scripts or looks like another host.
    ///
    /// Letters of different scripts look alike: a Cyrillic `а` is indistinguishable from a Latin
    /// `a`. The host is not the one it seems to be. Its ASCII form, which begins with `xn--`, makes
    /// that visible, but some programs decode it again. Scripts that write one language together
    /// are not reported: Latin with Han and kana, Bopomofo or Hangul.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://pаypal.example/
    /// ```
    ///
    /// Write the intended host, in ASCII.
    Homograph = "homograph", [Error], Check(ALL), "UTS 39, section 5.2", shares "punycode-mixed" => unicode::homograph;

    /// The URL has an invisible character or one that changes the direction of text.
    ///
    /// Such a character is invisible, or changes the displayed order of others, so the URL that is shown
    /// is not the one that is followed. These characters are also copied by accident where lines were
    /// broken.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/<U+202E>gpj.exe
    /// ```
    ///
    /// Remove the character.
    BidiInvisible = "bidi-invisible", [Error 8/8], Check(ALL), "RFC 3987, section 4.1", shares "bidi-component"
        => unicode::bidi_invisible;

    /// A file URL names a host.
    ///
    /// `file` has no protocol, so there is no reliable way to get a file from another host. Some
    /// programs open a network share, and send the reader's credentials there.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example/etc/motd
    /// ```
    ///
    /// Write `file:///etc/motd`, or a scheme that can be fetched.
    FileRemoteHost = "file-remote-host", [Hint 1/4], Check(ALL), "RFC 1738, section 3.10", uri "RFC 8089, section 2",
        web "URL Standard, file host state" => schemes::file_remote_host;

    /// A `?` is read as the start of a query by later standards.
    ///
    /// By section 5, a `?` belongs to the file name in `ftp` and `file` URLs, and to the address in `mailto` URLs. RFC
    /// 1808 considers that an error, and RFC 3986 takes the rest for a query, in `mailto` for headers of the message. It
    /// is a hint, since nearly everyone who writes one means a query.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/what?
    /// ```
    ///
    /// Write `ftp://a.example/what%3F`.
    QuestionInPath = "question-in-path", [Hint 1/4], Check(RFCS), "RFC 1808, section 2.3", uri "RFC 3986, section 3.4",
        shares "mailto-headers"
        => path::question;

    /// The scheme sends everything in clear text.
    ///
    /// Everything that is transferred can be read and changed on its way. Many servers offer the
    /// same resource over `https`, but not all do, and nothing guarantees that it is the same.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.w3.org/
    /// ```
    ///
    /// Write `https://www.w3.org/`, if the server offers it.
    SchemeCleartext = "scheme-cleartext", [Hint 80/181], Check(ALL), "RFC 1738, section 6", uri "RFC 9110, section 4.2.2",
        shares "https-elsewhere"
        => scheme::cleartext;

}

Style {

    /// The URL is not in its normal form.
    ///
    /// The scheme or the host has capital letters, the port has zeros at its beginning or is the default, the
    /// path of a URL that ends with its host lacks its `/`, an escape has small letters or stands for a letter, a
    /// digit, `-`, `.` or `_`, or an IPv6 address is not written as RFC 5952 has it. The normal form denotes
    /// the same, but programs that compare URLs as text see two different ones. Not all of it holds under each
    /// standard.
    ///
    /// Escapes are fixed apart, and their fix is unsafe, since browsers compare them as they are written. In
    /// running text so is a slash at the end, since the text may mean an origin, which has none.
    ///
    /// ## Example
    ///
    /// ```text
    /// HTTP://A.Example:80
    /// ```
    ///
    /// Write `http://a.example/`.
    NotNormal = "not-normal", [Hint 21/53], Check(ALL), "RFC 3986, section 6.2.2", web "URL Standard, URL serializing"
        => normal::not_normal;

    /// The scheme is historic, fading or an experiment.
    ///
    /// `wais`, `prospero`, `mailserver` and `z39.50` are historic, and few programs still know
    /// `gopher`, `nntp` and `news`. Names that begin with `x-` mean whatever their users agree on; BCP 178 recommends
    /// against them.
    ///
    /// ## Example
    ///
    /// ```text
    /// wais://a.example/base
    /// ```
    ///
    /// Link to the current location of the resource.
    SchemeDeprecated = "scheme-deprecated", [Hint 0/3], Check(ALL), "RFC 1738, section 4", uri "RFC 4156; RFC 4157",
        shares "scheme-experimental"
        => scheme::deprecated;

    /// A delimiter is encoded.
    ///
    /// An encoded `/`, `;`, `?`, `:`, `@`, `&`, `=`, `#` or `%` is data, and a raw one is not:
    /// decoding the URL changes its meaning. Some servers decode it too early.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/AC%2FDC
    /// ```
    ///
    /// Nothing needs to be done; never decode it.
    EncodedDelimiter = "encoded-delimiter", [Hint 0/17], Check(ALL), "RFC 1738, section 2.2",
        uri "RFC 3986, section 2.2" => escapes::delimiter;

    /// The escapes do not decode to UTF-8.
    ///
    /// They are in another encoding, which is not stated anywhere, and cannot be shown as text.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/caf%E9
    /// ```
    ///
    /// Write `http://a.example/caf%C3%A9`, if the server accepts that name.
    NotUtf8 = "not-utf8", [Hint 1/1], Check(ALL), "RFC 3986, section 2.5" => escapes::not_utf8;

    /// The host is not public.
    ///
    /// An address is private, loopback, link-local or multicast, or begins with 0, or a name has a single label: it
    /// means a different machine in each network, and a server that follows it reaches into its own one. The names
    /// `example`, `test`, `invalid` and `localhost`, and `example.com`, `.net` and `.org`, are reserved. Outside
    /// documentation and tests, they may be a forgotten placeholder.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://169.254.169.254/latest
    /// ```
    ///
    /// Write the name of a public host, unless it is an example.
    HostNotPublic = "host-not-public", [Hint 33/72], Check(ALL), "RFC 2606; RFC 6890",
        shares "host-example host-unqualified ipv4-special" => host::not_public;

    /// An example names a host or address that is not reserved for examples.
    ///
    /// RFC 2606 and RFC 6761 reserve `example`, `test`, `invalid`, `localhost` and `example.com`, `.net` and
    /// `.org`; RFC 5737, RFC 3849 and RFC 9637 reserve addresses. Other names have owners, who receive the
    /// requests of everyone who tries the example. The rule looks at artwork and source code in RFCXML, and
    /// at code in Markdown, HTML, reStructuredText and AsciiDoc; plain text does not mark its examples. In
    /// source code and configuration, only names that people invent are reported, such as `acme.com`. Hosts
    /// of the IETF, and names of XML namespaces, are left alone. The profile `ietf` has this rule.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.foo.com/x
    /// ```
    ///
    /// Write `http://www.example.com/x`.
    RealHostInExample = "real-host-in-example", [Warning 2/28], Check(ALL), "RFC 2606" => host::real_example;

    /// A reference has the URL of one RFC and the DOI or the label of another, or two revisions of a draft.
    ///
    /// An entry was copied and only part of it was changed. Text between blank lines is an entry, or between
    /// labels such as `[RFC1738]` and rows that begin lines, and so is a `reference` or `t` of RFCXML, or a `dd`,
    /// `li` or `td` of HTML. The number in `RFC 1738 (http://...)` counts as a label. The rule looks at no more
    /// than 500 bytes on either side of the URL. The profile `ietf` has this rule.
    ///
    /// ## Example
    ///
    /// ```text
    /// DOI 10.17487/RFC3986, <https://www.rfc-editor.org/info/rfc1738>
    /// ```
    ///
    /// Write `https://www.rfc-editor.org/info/rfc3986`, or the other DOI.
    ReferenceMismatch = "reference-mismatch", [Warning], Check(ALL), "" => reference::mismatch;

    /// A URL in a reference is not in angle brackets.
    ///
    /// RFC 7322 asks for them. The rule looks at lists of references in plain text, as RFCs and drafts
    /// have them: paragraphs with a label in brackets, indented by three columns; and at an `<eref>` of
    /// RFCXML that has no text and not `brackets="angle"`. The profile `ietf` has this rule.
    ///
    /// ## Example
    ///
    /// ```text
    ///    [URLS]  Joe, "URLs", http://a.example/urls
    /// ```
    ///
    /// Write `<http://a.example/urls>`.
    ReferenceBrackets = "reference-brackets", [Hint], Check(ALL), "RFC 7322, section 3.3" => reference::brackets;

    /// The abstract of a draft has a URL.
    ///
    /// An abstract is read without the rest of the document, and has no references. The rule looks at
    /// RFCXML, kramdown-rfc and plain text with a heading, at most 4,000 bytes before the URL. The profile
    /// `ietf` has this rule.
    ///
    /// ## Example
    ///
    /// ```text
    /// <abstract><t>See https://a.example/.</t></abstract>
    /// ```
    ///
    /// Name the document in the introduction.
    UrlInAbstract = "url-in-abstract", [Hint], Check(ALL), "RFC 7322, section 4.3" => reference::in_abstract;

    /// A component is valid, but hardly intended.
    ///
    /// The type of a `gopher` URL is unknown: often it was left out, and the first letter of the name is taken for it.
    /// The parts of a `wais` or `prospero` URL, or the number of the article in an `nntp` URL, are empty. The article of a
    /// `news` URL begins with slashes, as if a server followed. A `%` of a mail address forms an escape of a character
    /// that no address contains. A scheme without a grammar of its own begins with a digit, which no later RFC allows, or
    /// `//` is not followed by user, password, host and port.
    ///
    /// ## Example
    ///
    /// ```text
    /// gopher://a.example/pub/x.txt
    /// ```
    ///
    /// Write `gopher://a.example/0pub/x.txt`.
    UnusualComponent = "unusual-component", [Hint 0/8], Check(RFCS), "RFC 1738, section 3", uri "RFC 4266, section 2.1",
        shares "gopher-type nntp-no-article wais-empty prospero-empty news-slash-article mailto-accidental-escape generic-authority scheme-nonletter"
        => schemes::unusual;

}

        }
    };
}

pub(crate) use rule_table;
