//! The rules of the group `syntax`: the structure that the grammar asks for.

macro_rules! syntax {
    ($then:ident! $($before:tt)*) => { $then! { $($before)* Syntax {

    /// A reserved character is not encoded where its component does not allow it.
    ///
    /// Each of `;`, `/`, `?`, `:`, `@`, `=` and `&` may have a special meaning in a scheme. Where
    /// the grammar gives it none it must be encoded, or programs will split the URL in different
    /// places. In paths and searches it is a hint: RFC 3986 allows all of them there.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/find?path=/etc
    /// ```
    ///
    /// Write `http://a.example/find?path=%2Fetc`.
    ReservedCharacter = "reserved-character", Error, Problem(ProblemKind::ReservedCharacter);

    /// A character or an escape is not allowed in its component.
    ///
    /// Hosts, ports and the names of newsgroups allow few characters and no escapes. A host is made
    /// of letters, digits, hyphens and dots; `_` is not among them, but it is only a warning, since
    /// RFC 3986 allows it and some servers have such names.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://my_host.example/
    /// ```
    ///
    /// Write `http://my-host.example/`, if that is the host's name.
    MisplacedCharacter = "misplaced-character", Error, Problem(ProblemKind::MisplacedCharacter);

    /// The URL has no scheme.
    ///
    /// A URL begins with the name of its scheme and a colon; without them nothing says how to read
    /// the rest.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:www.example.com/x>
    /// ```
    ///
    /// Write `<URL:http://www.example.com/x>`.
    NoScheme = "no-scheme", Error, Problem(ProblemKind::NoScheme);

    /// The scheme has a character that no scheme may have.
    ///
    /// A scheme is made of letters, digits, `+`, `-` and `.`; no program knows one with anything
    /// else.
    ///
    /// ## Example
    ///
    /// ```text
    /// my_app://a.example/
    /// ```
    ///
    /// Write `my-app://a.example/`.
    BadScheme = "bad-scheme", Error, Problem(ProblemKind::BadScheme);

    /// The two slashes after the colon are missing.
    ///
    /// Schemes that name a host put `//` before it. Without it some programs guess the host, others
    /// read a path. `file:/x` is a hint, since RFC 8089 allows it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:a.example/x
    /// ```
    ///
    /// Write `http://a.example/x`.
    MissingSlashes = "missing-slashes", Error, Problem(ProblemKind::MissingSlashes);

    /// There is a user name or password, and the scheme has none.
    ///
    /// Only `ftp` and `telnet` log in. In a URL of another scheme what precedes the `@` is not sent
    /// to the server, and mostly serves to make another host look like the one that is visited. It is
    /// a warning: RFC 3986 allows it, RFC 9110 forbids to write it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://joe@a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    UserinfoNotAllowed = "userinfo-not-allowed", Warning, Problem(ProblemKind::UserinfoNotAllowed);

    /// There is no host.
    ///
    /// The scheme requires a host, and there is none between the slashes and what follows.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:///index.html
    /// ```
    ///
    /// Write `http://a.example/index.html`.
    EmptyHost = "empty-host", Error, Problem(ProblemKind::EmptyHost);

    /// The host is neither a domain name nor an IPv4 address.
    ///
    /// Labels of a domain name begin and end with a letter or a digit, the last one begins with a
    /// letter, and none is empty, not even after a dot at the end. Hosts that end in a dot have
    /// their own cookies and certificates; that is a hint, since later standards allow the dot.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example./
    /// ```
    ///
    /// Write `http://a.example/`.
    BadHost = "bad-host", Error, Problem(ProblemKind::BadHost);

    /// The host is an address in brackets.
    ///
    /// Brackets around IPv6 addresses came with RFC 2732; by RFC 1738 a host is a domain name or an
    /// IPv4 address, and programs of its time stop at the first colon. An IPv6 address is a hint, and
    /// anything else in brackets an error.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://[2001:db8::1]/
    /// ```
    ///
    /// Write a host name, such as `http://six.a.example/`.
    IpLiteral = "ip-literal", Error, Problem(ProblemKind::IpLiteral);

    /// There is a colon but no port.
    ///
    /// If the port is left out the colon is left out as well. Removing it is always safe. It is a
    /// warning, since later standards allow it, and an error where `//` follows: then a second scheme
    /// was taken for the host.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:/
    /// ```
    ///
    /// Write `http://a.example/`.
    EmptyPort = "empty-port", Error, Problem(ProblemKind::EmptyPort);

    /// The port is not a number.
    ///
    /// A port is made of decimal digits. What is there instead is often a placeholder, or the
    /// beginning of a password with a character that had to be encoded.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:port/
    /// ```
    ///
    /// Write `http://a.example:8080/`.
    BadPort = "bad-port", Error, Problem(ProblemKind::BadPort);

    /// There is a port, and the scheme has none.
    ///
    /// A `file` URL says on which host a file is, but not how to get it, and so it has no port.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example:80/etc/motd
    /// ```
    ///
    /// Write `file://a.example/etc/motd`.
    PortNotAllowed = "port-not-allowed", Error, Problem(ProblemKind::PortNotAllowed);

    /// The slash between the host and the rest is missing.
    ///
    /// The `/` after the host may be left out only if neither a path nor a search follows.
    /// Inserting it does not change what the URL denotes. In `http` and `https` it is a hint, since
    /// later standards allow it to be missing.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example?q=x
    /// ```
    ///
    /// Write `http://a.example/?q=x`.
    MissingSlash = "missing-slash", Error, Problem(ProblemKind::MissingSlash);

    /// The slash and what must follow it are missing.
    ///
    /// The scheme requires a path, a newsgroup or a database after the host.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example
    /// ```
    ///
    /// Write `file://a.example/etc/motd`.
    MissingPath = "missing-path", Error, Problem(ProblemKind::MissingPath);

    /// Something that the scheme requires is empty or missing.
    ///
    /// A `mailto` URL needs an address, a `news` URL a newsgroup or an article; without it there is
    /// nothing that the URL denotes. In `mailto` it is a hint, since RFC 6068 allows it.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto:>
    /// ```
    ///
    /// Write `<URL:mailto:joe@a.example>`.
    MissingComponent = "missing-component", Error, Problem(ProblemKind::MissingComponent);

    /// There is a path, and the scheme has none.
    ///
    /// A `telnet` URL denotes an interactive service, not something that the service offers; it
    /// ends with the host and an optional slash.
    ///
    /// ## Example
    ///
    /// ```text
    /// telnet://a.example/menu
    /// ```
    ///
    /// Write `telnet://a.example/`.
    PathNotAllowed = "path-not-allowed", Error, Problem(ProblemKind::PathNotAllowed);

    /// The typecode is not `a`, `i` or `d`.
    ///
    /// `;type=` says how an FTP server sends a file: `a` as text, `i` as it is, `d` as the list of
    /// a directory.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/x.zip;type=z
    /// ```
    ///
    /// Write `ftp://a.example/x.zip;type=i`.
    BadTypecode = "bad-typecode", Error, Problem(ProblemKind::BadTypecode);

    /// The name of a newsgroup does not begin with a letter.
    ///
    /// By section 5 a newsgroup's name begins with a letter; a digit is a hint, since RFC 5538 allows
    /// it.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:news:3com.talk>
    /// ```
    ///
    /// Write `<URL:news:comp.talk>`, or whatever the name is.
    BadGroup = "bad-group", Error, Problem(ProblemKind::BadGroup);

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
    BadArticle = "bad-article", Error, Problem(ProblemKind::BadArticle);

    /// A news URL names a server.
    ///
    /// `news` URLs do not depend on a place: each reader asks its own server. Servers are named by
    /// `nntp`. It is a hint, since RFC 5538 allows it.
    ///
    /// ## Example
    ///
    /// ```text
    /// news://a.example/comp.risks
    /// ```
    ///
    /// Write `nntp://a.example/comp.risks` or `news:comp.risks`.
    AuthorityNotAllowed = "authority-not-allowed", Hint, Problem(ProblemKind::AuthorityNotAllowed);

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
    BadField = "bad-field", Error, Problem(ProblemKind::BadField);

    }}};
}
