//! How URLs are split into parts.

/// How a URL of some scheme is split into parts, where standards differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// The authority reaches from `//` up to the first `/` or `?`, and a query follows the
    /// first `?`: RFC 3986, appendix B.
    #[default]
    Generic,
    /// Like `Generic`, but a `?` is an ordinary character and there is no query: ftp, file and
    /// telnet in RFC 1738, sections 3.1, 3.2 and 3.10.
    NoQuery,
    /// Like `Generic`, but everything between the colon and the query is the path, whatever it
    /// begins with: mailto and news in RFC 1738, sections 3.5 and 3.6.
    NoAuthority,
    /// Like `Generic`, but a `\` is a slash, and any number of slashes, even none, comes before the
    /// authority: special schemes in the URL Standard of the WHATWG.
    Special,
}
