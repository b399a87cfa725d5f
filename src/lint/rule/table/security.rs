//! The rules of the group `security`: what can be used to deceive or to attack.

macro_rules! security {
    ($then:ident! $($before:tt)*) => { $then! { $($before)* Security {

    /// What precedes the colon looks like something other than a scheme.
    ///
    /// A host with a port and no scheme is read as a URL of an unknown scheme; so is a scheme with
    /// a typing error, and a second `URL:`.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:htpp://a.example/>
    /// ```
    ///
    /// Write `<URL:http://a.example/>`.
    SchemeLookalike = "scheme-lookalike", Warning, Check(scheme::lookalike), "RFC 1738, section 2.1";

    /// The port is reserved for another service.
    ///
    /// Ports below 1024 belong to other services. A URL that names one can make a program talk to a
    /// service that does not expect it; section 6 asks for care, and browsers refuse many of them.
    /// Those that browsers refuse are errors. The others are hints: later standards allow them, and
    /// many servers have no other port.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:25/
    /// ```
    ///
    /// Write `http://a.example/`, or a port from 1024 on.
    PortReserved = "port-reserved", Error, Check(port::reserved), "RFC 1738, section 6";

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
    PortRange = "port-range", Error, Check(port::range), "RFC 1738, section 3.1";

    /// The URL has an encoded line break.
    ///
    /// Where a program decodes the URL and sends it to a server line by line, `%0D` and `%0A` begin
    /// a new command. In a path of `http` this is a warning, since the escape is usually sent as it
    /// is; in a search it is a hint.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/x%0D%0ADELE%20y
    /// ```
    ///
    /// Write nothing that ends a line: `ftp://a.example/x`.
    EncodedCrlf = "encoded-crlf", Error, Check(escapes::crlf), "RFC 1738, section 6";

    /// The URL has a line break and a port that is not the scheme's default.
    ///
    /// Together they let the author of the URL speak another protocol in the reader's name: section
    /// 6 shows mail that is sent by following a `gopher` link.
    ///
    /// ## Example
    ///
    /// ```text
    /// gopher://a.example:25/0HELO%0D%0AQUIT
    /// ```
    ///
    /// Do not follow it.
    ProtocolSmuggling = "protocol-smuggling", Error, Check(escapes::smuggling), "RFC 1738, section 6";

    /// The URL has an encoded NUL.
    ///
    /// Programs written in C end a string at the NUL, others do not, so a check and the access that
    /// follows it may see different names.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/secret%00.png
    /// ```
    ///
    /// Write `http://a.example/secret.png`.
    EncodedNul = "encoded-nul", Error, Check(escapes::nul), "RFC 1738, section 2.2";

    /// The URL has an encoded control character.
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
    EncodedControl = "encoded-control", Warning, Check(escapes::control), "RFC 1738, section 2.2";

    /// The URL carries a password.
    ///
    /// Anyone who reads the text, the log or the browser's history can use it. `urlint check` never
    /// prints the password. The usual password of the users `anonymous` and `ftp` is only a hint, and so
    /// is a word for a password at a host for examples: `user:password@www.example.com`.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://joe:secret@a.example/
    /// ```
    ///
    /// Write `ftp://joe@a.example/`, and change the password.
    Password = "password", Error, Check(userinfo::password), "RFC 1738, section 3.1";

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
    EmptyUser = "empty-user", Warning, Check(userinfo::empty_user), "RFC 1738, section 3.1";

    /// User name, password or path can be mistaken for the host.
    ///
    /// What precedes the `@` is not the host, but it is what people read first. The same is true of
    /// an `@` in the first segment of the path, which some programs take for the end of a password.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://www.bank.example@a.example/
    /// ```
    ///
    /// Write `ftp://a.example/`.
    UserinfoConfusion = "userinfo-confusion", Warning, Check(userinfo::confusion), "RFC 1738, section 3.1";

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
    ParseDifferential = "parse-differential", Error, Check(differential::hosts), "RFC 3986, Appendix B";

    /// An escape was encoded once more.
    ///
    /// `%25` is an encoded `%`, and with the two digits after it it would make another escape.
    /// Usually a program encoded what was encoded already; a check that decodes once will not see
    /// what a second decoding makes of it.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/a%2520b
    /// ```
    ///
    /// Write `http://a.example/a%20b`, if a space is meant.
    DoubleEncoding = "double-encoding", Warning, Check(escapes::double), "RFC 3986, section 2.4";

    /// A segment of the path is `.` or `..`.
    ///
    /// By RFC 1738 each segment is a name like any other, and an FTP client sends `CWD ..`; by RFC
    /// 3986 it is removed before anything is sent. So programs arrive at different things. It is a hint
    /// since what reads documents today follows RFC 3986, and there such a path is merely long-winded.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/pub/../etc/passwd
    /// ```
    ///
    /// Write `ftp://a.example/etc/passwd`.
    DotSegments = "dot-segments", Warning, Check(path::dot_segments), "RFC 1738, section 3.2.2";

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
    Ipv4Range = "ipv4-range", Error, Check(host::ipv4_range), "RFC 1738, section 3.1";

    /// A number of the IPv4 address begins with a zero.
    ///
    /// RFC 1738 reads decimal numbers; many programs read a number with a leading zero as octal, so
    /// that `010` is 8.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://10.0.0.010/
    /// ```
    ///
    /// Write `http://10.0.0.10/`.
    Ipv4LeadingZero = "ipv4-leading-zero", Warning, Check(host::ipv4_leading_zero), "RFC 3986, section 7.4";

    /// The IPv4 address is not on the public network.
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
    Ipv4Special = "ipv4-special", Warning, Check(host::ipv4_special), "RFC 6890";

    /// The host is longer than a domain name can be.
    ///
    /// A label has at most 63 characters and a name at most 253. A longer one cannot be looked up,
    /// and has overflowed buffers before. In a domain for examples it is a hint: there it is shown what
    /// a long name looks like, and nobody looks it up.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com/
    /// ```
    ///
    /// Write the host's real name.
    HostLength = "host-length", Error, Check(host::length), "RFC 1034, section 3.1";

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
    PunycodeMixed = "punycode-mixed", Warning, Check(unicode::punycode_mixed), "UTS 39, section 5";

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
    Homograph = "homograph", Error, Check(unicode::homograph), "UTS 39, section 4";

    /// The URL has an invisible character or one that changes the direction of text.
    ///
    /// Such a character is invisible, or displays others in another order than they are stored in.
    /// What is shown is not what is followed. They are also copied by accident where lines were
    /// broken.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/<U+202E>gpj.exe
    /// ```
    ///
    /// Remove the character.
    BidiInvisible = "bidi-invisible", Error, Check(unicode::bidi_invisible), "RFC 3987, section 4.1";

    /// A component mixes letters of both directions, or does not begin and end in its own.
    ///
    /// Text from right to left is shown in another order than it is written, so that a reader cannot
    /// tell where such a component begins and ends (RFC 3987, section 4.2).
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/\u{5D0}b
    /// ```
    ///
    /// Keep to one direction in each label and segment, or encode: `http://a.example/%D7%90b`.
    BidiComponent = "bidi-component", Warning, Check(unicode::bidi_component), "RFC 3987, section 4.2";


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
    GopherSelectorOctet = "gopher-selector-octet", Error, Check(schemes::gopher_selector_octet), "RFC 1738, section 3.4.1";

    /// A file URL names a host.
    ///
    /// No protocol belongs to `file`, so there is no sure way to get a file from another host. Some
    /// programs open a network share, and send the reader's credentials there.
    ///
    /// ## Example
    ///
    /// ```text
    /// file://a.example/etc/motd
    /// ```
    ///
    /// Write `file:///etc/motd`, or a scheme that can be fetched.
    FileRemoteHost = "file-remote-host", Hint, Check(schemes::file_remote_host), "RFC 1738, section 3.10";

    /// A `?` in the path is read as the start of a query by later standards.
    ///
    /// By section 5 a `?` belongs to the name of a file in `ftp` and `file` URLs; RFC 1808
    /// considers that an error, and RFC 3986 takes the rest for a query. It is a hint since nearly all
    /// who write one mean a query.
    ///
    /// ## Example
    ///
    /// ```text
    /// ftp://a.example/what?
    /// ```
    ///
    /// Write `ftp://a.example/what%3F`.
    QuestionInPath = "question-in-path", Hint, Check(path::question), "RFC 1808, section 2.3";

    /// What follows the two slashes is not of the common form.
    ///
    /// Schemes without a production of their own allow anything; but `//` should be followed by
    /// user, password, host and port as section 3.1 has them.
    ///
    /// ## Example
    ///
    /// ```text
    /// app://my_host/x
    /// ```
    ///
    /// Write `app://my-host/x`.
    GenericAuthority = "generic-authority", Hint, Check(authority::generic), "RFC 1738, section 3.1";

    /// A `%` of the address forms an escape by accident.
    ///
    /// Addresses that route by `%` must encode it. Here two hexadecimal digits happen to follow it,
    /// and it decodes to something that no address has.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:mailto:joe%beef@a.example>
    /// ```
    ///
    /// Write `<URL:mailto:joe%25beef@a.example>`.
    MailtoAccidentalEscape = "mailto-accidental-escape", Hint, Check(schemes::mailto_accidental_escape), "RFC 1738, section 3.5";

    /// The scheme sends everything in clear text.
    ///
    /// What is fetched can be read and changed on its way. Many servers offer the same by `https`,
    /// but not all, and nothing guarantees that it is the same.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.w3.org/
    /// ```
    ///
    /// Write `https://www.w3.org/`, if the server offers it.
    SchemeCleartext = "scheme-cleartext", Hint, Check(scheme::cleartext), "RFC 1738, section 6";

    }}};
}
