//! The rules of the group `encoding`: characters that must be encoded, and escapes.

macro_rules! encoding {
    ($then:ident! $($before:tt)*) => { $then! { $($before)* Encoding {

    /// A control character is not encoded.
    ///
    /// A control character cannot be printed, and programs cut the URL at it, drop it or send it to
    /// a server as it is. If it is meant it must be encoded; most often it was copied by accident.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/one<U+0007>two
    /// ```
    ///
    /// Write `http://a.example/onetwo`, or `%07` if the character is meant.
    ControlCharacter = "control-character", Error, Problem;

    /// A space is not encoded.
    ///
    /// Spaces come and go when text is typeset or wrapped, so a space must be encoded; programs
    /// that look for URLs end them at one. The fix is safe where browsers encode it as well.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/my file
    /// ```
    ///
    /// Write `http://a.example/my%20file`.
    RawSpace = "raw-space", Error, Problem;

    /// A character outside US-ASCII is not encoded.
    ///
    /// URLs are written in US-ASCII only: which bytes such a character stands for depends on the
    /// encoding of the text around it. Encode the bytes that the server expects, today nearly
    /// always those of UTF-8. A host cannot have escapes; it has an ASCII form of its own, which
    /// begins with `xn--`. A character that RFC 3987 allows is a hint, since browsers encode it
    /// themselves. The fix is unsafe: other programs may have encoded it in another way.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/café
    /// ```
    ///
    /// Write `http://a.example/caf%C3%A9`.
    NonAscii = "non-ascii", Error, Problem;

    /// An unsafe character is not encoded.
    ///
    /// The characters `<`, `>`, `"`, `#`, `{`, `}`, `|`, `\`, `^`, `~`, `[`, `]` and the grave
    /// accent delimit URLs in text, or are known to be changed by gateways and other agents. They
    /// must always be encoded. A `#` is reported only after the one that begins a fragment. A `~` is
    /// a hint, since RFC 3986 allows it everywhere.
    ///
    /// The fix is safe for `<`, `>`, `"` and the grave accent where browsers encode them as well, in a
    /// wrapper, in angle brackets or in the target of a link. All others are different characters to
    /// browsers raw and encoded, `{` and `}` may be a placeholder, and so the fix is unsafe. Nothing is
    /// encoded in a fragment with a text directive, `:~:`.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/~joe
    /// ```
    ///
    /// Write `http://a.example/%7Ejoe`.
    UnsafeCharacter = "unsafe-character", Error, Problem;

    /// A `%` is not followed by two hexadecimal digits.
    ///
    /// Servers disagree about what a lone `%` means: some reject it, some take it literally. It may
    /// also be the rest of an escape that was cut off.
    ///
    /// ## Example
    ///
    /// ```text
    /// http://a.example/100%
    /// ```
    ///
    /// Write `http://a.example/100%25`.
    BadEscape = "bad-escape", Error, Problem;

    }}};
}
