//! The rules of the group `style`: valid, but better written otherwise.

macro_rules! style {
    ($then:ident! $($before:tt)*) => { $then! { $($before)* Style {

    /// The scheme has capital letters.
    ///
    /// Schemes are written in small letters. Programs should treat capital letters alike, but not
    /// all do.
    ///
    /// ## Example
    ///
    /// ```text
    /// HTTP://a.example/
    /// ```
    ///
    /// Write `http://a.example/`.
    SchemeUppercase = "scheme-uppercase", Warning, Check(scheme::uppercase), "RFC 1738, section 2.1";

    /// The scheme does not begin with a letter.
    ///
    /// RFC 1738 allows it; since RFC 2396 a scheme must begin with a letter.
    ///
    /// ## Example
    ///
    /// ```text
    /// 3com://a.example/
    /// ```
    ///
    /// Choose a name that begins with a letter.
    SchemeNonletter = "scheme-nonletter", Warning, Check(scheme::nonletter), "RFC 2396, section 3.1";

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
    SchemeExperimental = "scheme-experimental", Hint, Check(scheme::experimental), "RFC 1738, section 4";

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
    /// Link to where the resource is now.
    SchemeDeprecated = "scheme-deprecated", Hint, Check(scheme::deprecated), "RFC 1738, section 4";

    /// The port is the scheme's default.
    ///
    /// Without it the URL denotes the same resource and is shorter.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:80/
    /// ```
    ///
    /// Write `http://a.example/`.
    PortDefault = "port-default", Hint, Check(port::default), "RFC 1738, section 3.1";

    /// The port is not the scheme's default.
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
    PortNondefault = "port-nondefault", Hint, Check(port::nondefault), "RFC 1738, section 6";

    /// The port begins with a zero.
    ///
    /// The grammar allows it, and the number is the same; but programs that compare URLs as text
    /// see two.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example:0080/
    /// ```
    ///
    /// Write `http://a.example:80/`.
    PortZeros = "port-zeros", Warning, Check(port::zeros), "RFC 3986, section 6.2.3";

    /// A character is encoded that need not be.
    ///
    /// Letters, digits, `-`, `.` and `_` mean the same with and without encoding; programs that
    /// compare URLs as text, as browsers do, see two. So the fix is unsafe. An escape whose decoding would make a segment `.` or `..` is
    /// left alone.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/%61bc
    /// ```
    ///
    /// Write `http://a.example/abc`.
    NeedlessEscape = "needless-escape", Hint, Check(escapes::needless), "RFC 3986, section 6.2.2.2";

    /// An escape has small letters.
    ///
    /// Both cases mean the same; the usual form has capital letters. The fix is unsafe, since browsers
    /// compare escapes as they are written.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/%c3%a9
    /// ```
    ///
    /// Write `http://a.example/%C3%A9`.
    HexLowercase = "hex-lowercase", Hint, Check(escapes::lowercase), "RFC 3986, section 6.2.2.1";

    /// A delimiter is encoded.
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
    EncodedDelimiter = "encoded-delimiter", Hint, Check(escapes::delimiter), "RFC 1738, section 2.2";

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
    NotUtf8 = "not-utf8", Error, Check(escapes::not_utf8), "RFC 3986, section 2.5";

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
    HostUnqualified = "host-unqualified", Hint, Check(host::unqualified), "RFC 1738, section 3.1";

    /// The host has capital letters.
    ///
    /// Hosts are the same in both cases; the usual form has small letters. The fix is safe in `http`,
    /// `https`, `ftp` and the other schemes in which browsers write small letters themselves.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://A.Example/
    /// ```
    ///
    /// Write `http://a.example/`.
    HostCase = "host-case", Hint, Check(host::case), "RFC 3986, section 6.2.2.1";

    /// The host is a name for examples and tests.
    ///
    /// The names `example`, `test`, `invalid` and `localhost`, and `example.com`, `.net` and
    /// `.org`, are reserved. Outside of documentation and tests they may be a forgotten
    /// placeholder.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://www.example.com/
    /// ```
    ///
    /// Write the host that is meant, unless it is an example.
    HostExample = "host-example", Hint, Check(host::example), "RFC 2606";

    /// The URL ends with its host.
    ///
    /// Section 3.3 allows it, and it denotes the same as with a slash; the usual form has the
    /// slash. In running text the fix is unsafe, since it may speak of an origin, which has none.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example
    /// ```
    ///
    /// Write `http://a.example/`.
    HttpEmptyPath = "http-empty-path", Hint, Check(path::http_empty), "RFC 3986, section 6.2.3";

    /// The text of a mailto URL is not an address.
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
    MailtoAddrSpec = "mailto-addr-spec", Error, Check(schemes::mailto_addr_spec), "RFC 1738, section 3.5";

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
    MailtoHeaders = "mailto-headers", Hint, Check(schemes::mailto_headers), "RFC 6068, section 2";

    /// The gopher type is encoded or unknown.
    ///
    /// The first character after the slash says what kind of item it is: a digit, `+`, `T`, `g`,
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
    GopherType = "gopher-type", Warning, Check(schemes::gopher_type), "RFC 1738, section 3.4.1";

    /// An nntp URL does not give the number of an article.
    ///
    /// The grammar allows it, while the text of section 3.7 asks for the number.
    ///
    /// ## Example
    ///
    /// ```text
    /// nntp://a.example/comp.risks
    /// ```
    ///
    /// Write `news:comp.risks`, if the newsgroup is meant.
    NntpNoArticle = "nntp-no-article", Hint, Check(schemes::nntp_no_article), "RFC 1738, section 3.7";

    /// A part of a wais URL is empty.
    ///
    /// The grammar allows it, but no server can find a database, type or path without a name.
    ///
    /// ## Example
    ///
    /// ```text
    /// wais://a.example/
    /// ```
    ///
    /// Write `wais://a.example/base`.
    WaisEmpty = "wais-empty", Hint, Check(schemes::wais_empty), "RFC 1738, section 3.9";

    /// A part of a prospero URL is empty.
    ///
    /// The grammar allows it, but an object or a field without a name denotes nothing.
    ///
    /// ## Example
    ///
    /// ```text
    /// prospero://a.example/
    /// ```
    ///
    /// Write `prospero://a.example/name`.
    ProsperoEmpty = "prospero-empty", Hint, Check(schemes::prospero_empty), "RFC 1738, section 3.11";

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
    NewsSlashArticle = "news-slash-article", Hint, Check(schemes::news_slash_article), "RFC 1738, section 3.6";

    /// An IPv6 address is not written in its usual form.
    ///
    /// RFC 5952 has one form for each address, so that addresses can be compared and searched: small
    /// letters, no leading zeros, and `::` for the longest run of zeros. To the URL Standard leading
    /// zeros are an error.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://[2001:0DB8::1]/
    /// ```
    ///
    /// Write `http://[2001:db8::1]/`.
    Ipv6Form = "ipv6-form", Warning, Check(ipv6::form), "RFC 5952, section 4";


    }}};
}
