//! The rules of the group `context`: how the URL stands in its text.

macro_rules! context {
    ($then:ident! $($before:tt)*) => { $then! { $($before)* Context {

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
    UnterminatedWrapper = "unterminated-wrapper", Error, Flag(Flag::Unterminated), "RFC 1738, Appendix";

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
    /// Put the URL in, or remove the wrapper.
    Empty = "empty", Warning, Flag(Flag::Empty), "RFC 1738, Appendix";

    /// There is white space inside a line of a `<URL:...>`.
    ///
    /// White space in a wrapper is ignored, since it may come from a line break. Inside a line it
    /// was typed, and may be a space of the name, which must be encoded.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/my file>
    /// ```
    ///
    /// Write `my%20file` or `myfile`, whichever is meant.
    InteriorSpace = "interior-space", Warning, Flag(Flag::InteriorSpace), "RFC 1738, Appendix";

    /// A hyphen at a line break may belong to the URL or not.
    ///
    /// Some programs insert a hyphen when they break a line, others break after one that was there.
    /// Both readings are valid here; the URL is read with its hyphens, and the other readings are
    /// listed. It is a hint since the hyphen nearly always belongs to the URL: programs that insert one
    /// have become rare.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/well-
    /// known>
    /// ```
    ///
    /// Break the line elsewhere, best after a slash.
    AmbiguousHyphen = "ambiguous-hyphen", Hint, Flag(Flag::AmbiguousHyphen), "RFC 1738, Appendix";

    /// A hyphen at a line break was removed, since the URL is valid only without it.
    ///
    /// With the hyphen the URL cannot be derived from the grammar, and without it it can, so the
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
    HyphenResolved = "hyphen-resolved", Hint, Flag(Flag::HyphenResolved), "RFC 1738, Appendix";

    /// An `=` at a line break may be a quoted-printable soft line break.
    ///
    /// In a message in quoted-printable an `=` at the end of a line says that the line continues.
    /// If the message's header does not say which encoding it has, the `=` may just as well belong
    /// to the URL.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/long=
    /// name>
    /// ```
    ///
    /// Decode the message first, or break the line elsewhere.
    PossibleQpSoftBreak = "possible-qp-soft-break", Warning, Flag(Flag::PossibleQpSoftBreak), "RFC 1738, Appendix";

    /// The URL may continue on the next line.
    ///
    /// The line ends where a URL is often broken, and the next one begins with what may be the
    /// rest; but that is not certain, so the two were not joined.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/reports/
    /// 1994/index.html
    /// ```
    ///
    /// Put the URL in `<URL:` and `>`, inside which it may be broken anywhere.
    BrokenUrl = "broken-url", Hint, Flag(Flag::BrokenUrl), "RFC 1738, Appendix";

    /// The prefix of a wrapper is not written `URL:`.
    ///
    /// The Appendix writes the prefix in capitals, and some programs look for that form only. The fix
    /// is safe, since the prefix is not part of the URL.
    ///
    /// ## Example
    ///
    /// ```text
    /// <url:http://a.example/>
    /// ```
    ///
    /// Write `<URL:http://a.example/>`.
    PrefixCase = "prefix-case", Hint, Flag(Flag::PrefixCase), "RFC 1738, Appendix";

    /// Quote marks at the start of a line were removed from the URL.
    ///
    /// The URL was broken over lines of a quoted message. Its lines begin with the quote mark that
    /// the first one begins with, which is not part of it.
    ///
    /// ## Example
    ///
    /// ```text
    /// > <URL:http://a.example/
    /// > x>
    /// ```
    ///
    /// Nothing needs to be done; the hint says how the URL was read.
    QuotePrefix = "quote-prefix", Hint, Flag(Flag::QuotePrefix), "RFC 1738, Appendix";

    /// The URL continues on a line of another quote depth.
    ///
    /// A line of the URL has fewer quote marks than the line that it begins in. Often a program
    /// broke the line after it was quoted; sometimes two messages were run together.
    ///
    /// ## Example
    ///
    /// ```text
    /// > <URL:http://a.example/
    /// x>
    /// ```
    ///
    /// Check whether the lines belong together, and quote them alike.
    QuoteDepthChange = "quote-depth-change", Hint, Flag(Flag::QuoteDepthChange), "RFC 1738, Appendix";

    /// The URL continues after a page break.
    ///
    /// The footer of one page and the header of the next are inside the wrapper. They were removed.
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
    PageBreak = "page-break", Hint, Flag(Flag::PageBreak), "RFC 1738, Appendix";

    /// The URL is longer than the limit.
    ///
    /// URLs are read up to 65,536 bytes. A longer one is rarely a link that someone wrote; it may
    /// be data, or a wrapper that was never closed. `data:` URLs are not reported.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/?data=AAAAAAAA...
    /// ```
    ///
    /// Store the data elsewhere and link to it.
    TooLong = "too-long", Warning, Flag(Flag::TooLong), "RFC 1738, Appendix";

    /// The URL holds a placeholder or a pattern.
    ///
    /// A program, a template or the reader puts something else in its place: `{x}`, `{{ x }}`, `$X`,
    /// `%s`, `<x>`, a regular expression. It is no URL yet, so no other rule reports anything about
    /// it, and nothing in it is fixed.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/{user}/profile
    /// ```
    ///
    /// Nothing needs to be done. Where the characters are meant as they are, encode them:
    /// `http://a.example/%7Buser%7D/profile`.
    Placeholder = "placeholder", Hint, Flag(Flag::Placeholder), "";

    /// A suppression comment suppresses nothing.
    ///
    /// What it was written for has been fixed, or its rule is misspelt; left there it would hide
    /// the next fault of that kind. Names of rules that are not selected are not reported.
    ///
    /// ## Example
    ///
    /// ```text
    /// # urlint: ignore[bad-prot] the port is filled in later
    /// http://a.example:PORT/
    /// ```
    ///
    /// Remove the comment, or correct the name of the rule.
    UnusedSuppression = "unused-suppression", Warning, Suppressions, "";

    /// A fragment follows the URL.
    ///
    /// By RFC 1738 the `#` and what follows it are not part of the URL: they are for the program
    /// that displays what the URL denotes. The Appendix allows a fragment inside a wrapper.
    ///
    /// ## Example
    ///
    /// ```text
    /// <URL:http://a.example/page.html#top>
    /// ```
    ///
    /// Nothing needs to be done, if a fragment is meant; a `#` of the name is written `%23`.
    FragmentPresent = "fragment-present", Warning, Check(lint::context::fragment_present), "RFC 1738, Appendix";

    }}};
}
