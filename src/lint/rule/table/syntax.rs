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
    ReservedCharacter = "reserved-character", Error, Problem;

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
    MisplacedCharacter = "misplaced-character", Error, Problem;

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
    NoScheme = "no-scheme", Error, Problem;

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
    BadScheme = "bad-scheme", Error, Problem;

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
    MissingSlashes = "missing-slashes", Error, Problem;

    /// There is a user name or password where none is allowed.
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
    UserinfoNotAllowed = "userinfo-not-allowed", Error, Check(userinfo::deprecated), "RFC 9110, section 4.2.4";

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
    EmptyHost = "empty-host", Error, Problem;

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
    BadHost = "bad-host", Error, Problem;

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
    IpLiteral = "ip-literal", Error, Problem;

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
    EmptyPort = "empty-port", Error, Check(port::empty), "RFC 3986, section 6.2.3";

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
    BadPort = "bad-port", Error, Problem;

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
    PortNotAllowed = "port-not-allowed", Error, Problem;

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
    MissingSlash = "missing-slash", Error, Problem;

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
    MissingPath = "missing-path", Error, Problem;

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
    MissingComponent = "missing-component", Error, Check(schemes::news_empty), "RFC 5538, section 4";

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
    PathNotAllowed = "path-not-allowed", Error, Problem;

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
    BadTypecode = "bad-typecode", Error, Check(path::typecode), "RFC 1738, section 3.2.2";

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
    BadGroup = "bad-group", Error, Problem;

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
    BadArticle = "bad-article", Error, Problem;

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
    AuthorityNotAllowed = "authority-not-allowed", Error, Problem;

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
    BadField = "bad-field", Error, Problem;

    /// Brackets in place of a host hold no IP address, or are not closed.
    ///
    /// RFC 3986 and the URL Standard allow brackets around an IPv6 address, and RFC 3986 also around
    /// an address of a later version; no program knows where anything else leads.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://[2001:db8::g]/
    /// ```
    ///
    /// Write the address, such as `http://[2001:db8::1]/`.
    BadIpLiteral = "bad-ip-literal", Error, Problem;

    /// There are more slashes than the standard allows.
    ///
    /// Browsers drop the slashes of `http:///a.example/` that are too many; other programs see an
    /// empty host. The path of a file URL without a host cannot begin with two slashes by RFC 8089.
    ///
    /// ## Example
    ///
    /// ```text
    /// http:///a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    ExtraSlash = "extra-slash", Error, Problem;

    /// A scheme that has no query has one.
    ///
    /// RFC 8089 (file), RFC 4248 (telnet) and RFC 5538 (news, nntp) know no query: programs drop it
    /// or take it for a part of the name.
    ///
    /// ## Example
    ///
    /// ```text
    /// file:///home/joe/a.txt?x
    /// ```
    ///
    /// Encode a `?` that belongs to the name: `file:///home/joe/a.txt%3Fx`.
    QueryNotAllowed = "query-not-allowed", Error, Problem;

    /// A scheme that has no fragments has one.
    ///
    /// RFC 6455 forbids fragments in ws and wss: nothing that could be a part of anything is behind
    /// them.
    ///
    /// ## Example
    ///
    /// ```text
    /// ws://a.example/chat#top
    /// ```
    ///
    /// Encode a `#` that belongs to the name: `ws://a.example/chat%23top`.
    FragmentNotAllowed = "fragment-not-allowed", Error, Problem;

    /// The namespace of a URN is not one.
    ///
    /// RFC 8141 has it made of 2 to 32 letters, digits and hyphens, without a hyphen at its ends.
    ///
    /// ## Example
    ///
    /// ```text
    /// urn:x-:a
    /// ```
    ///
    /// Write `urn:example:a`, or the namespace that is meant.
    BadNamespace = "bad-namespace", Error, Problem;

    /// The letter of a drive stands where a host belongs.
    ///
    /// In `file://c:/x` the letter is a host by RFC 8089, and its colon begins a port. Browsers mend
    /// it; other programs look for a host called `c`.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://c:/x
    /// ```
    ///
    /// Write `file:///c:/x`.
    DriveLetter = "drive-letter", Warning, Problem;

    /// The host of a scheme whose hosts are those of the DNS is no name of the DNS.
    ///
    /// By the grammar of RFC 3986 nearly anything is a host, but section 3.2.2 asks for the names of
    /// the DNS where they are looked up there: labels of letters, digits and hyphens, and no escapes
    /// of US-ASCII. `_` alone is a hint, since some servers have such names.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a..example/
    /// ```
    ///
    /// Write `http://a.example/`.
    HostNotDns = "host-not-dns", Warning, Check(dns::not_dns), "RFC 3986, section 3.2.2";

    /// An IPv6 address has a zone identifier.
    ///
    /// RFC 6874 allows it and RFC 9844 has withdrawn that; no browser knows it, and it means nothing
    /// on another machine.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://[fe80::1%25en0]/
    /// ```
    ///
    /// Write the address without it, if one link is enough: `http://[fe80::1]/`.
    ZoneId = "zone-id", Warning, Check(ipv6::zone_id), "RFC 6874, section 4; RFC 9844";


    }}};
}
