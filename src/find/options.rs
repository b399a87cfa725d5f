//! How candidates are found.

use crate::schemes::Schemes;
use urlint_standard::standard::Standard;
use urlint_standard::text::named::named;

/// How candidates are found. [`find`](crate::find()) uses the default.
///
/// A finder is cheap to clone: its [schemes](Schemes) are compiled once and shared.
///
/// ```
/// use urlint::Finder;
/// use urlint::find::Rejoin;
///
/// let text = b"at http://a.example/rfc-\nindex.html";
/// let urls = |finder: Finder| -> Vec<_> { finder.find(text).map(|found| found.text).collect() };
///
/// let finder = Finder::default();
/// assert_eq!(urls(finder), [&b"http://a.example/rfc-index.html"[..]]);
/// let finder = Finder::default().with_rejoin(Rejoin::Never);
/// assert_eq!(urls(finder), [&b"http://a.example/rfc-"[..]]);
///
/// let finder = Finder::default().with_schemes(["x-own"]);
/// let found = finder.find(b"see x-own:thing.").next().unwrap();
/// assert_eq!(found.url(), b"x-own:thing");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finder {
    /// When a URL is joined over a line break.
    pub rejoin: Rejoin,
    /// How a hyphen at a line break is treated.
    pub hyphen: Hyphen,
    /// Whether hosts that start with `www.` or `ftp.` are found without a scheme.
    pub schemeless: bool,
    /// Whether a misspelled `http://` or `https://` is found too, such as `http//` and `https;//`: in running
    /// text before a host, in the target of a link always. If so, a word without a space before `http://` is
    /// found as a part of the URL, and not left out.
    ///
    /// ```
    /// use urlint::Finder;
    ///
    /// let finder = Finder::default().with_mistakes(true);
    /// let found = finder.find(b"see https;//www.a.example/ there").next().unwrap();
    /// assert_eq!(found.url(), b"https;//www.a.example/");
    /// ```
    pub mistakes: bool,
    /// Schemes that are found without `//`, like the known ones.
    pub schemes: Schemes,
    /// Whether the text is source code: inside quotes `\n`, `\r` and `\t` are white space and end a
    /// URL, and `/:id` is a [placeholder](crate::Flag::Placeholder).
    /// `Reader::for_path` sets this by the file extension.
    ///
    /// ```
    /// use urlint::Finder;
    ///
    /// let text = br#"print("http://a.example/x\nand so on")"#;
    /// let found = Finder::default().with_code(true).find(text).next().unwrap();
    /// assert_eq!(found.url(), b"http://a.example/x");
    /// ```
    pub code: bool,
    /// The syntax of the source's lines, according to its file name.
    #[doc(hidden)]
    pub syntax: Syntax,
    /// The standard by which the readings of a broken URL are judged. Whether a line break or a
    /// hyphen belongs to the URL may depend on which reading is valid. It makes no difference for
    /// URLs in one piece.
    pub standard: Standard,
}

impl Finder {
    /// Sets [`rejoin`](Self::rejoin): when a URL is joined over a line break.
    #[must_use]
    pub fn with_rejoin(self, rejoin: Rejoin) -> Self {
        Finder { rejoin, ..self }
    }

    /// Sets [`hyphen`](Self::hyphen): how a hyphen at a line break is treated.
    #[must_use]
    pub fn with_hyphen(self, hyphen: Hyphen) -> Self {
        Finder { hyphen, ..self }
    }

    /// Sets [`schemeless`](Self::schemeless): whether `www.example.com` is found without a scheme.
    #[must_use]
    pub fn with_schemeless(self, schemeless: bool) -> Self {
        Finder { schemeless, ..self }
    }

    /// Sets [`mistakes`](Self::mistakes): whether `http//` and the like are found.
    #[must_use]
    pub fn with_mistakes(self, mistakes: bool) -> Self {
        Finder { mistakes, ..self }
    }

    /// Sets [`schemes`](Self::schemes), which are found without `//`, like the known ones:
    /// `["x-own"]`.
    #[must_use]
    pub fn with_schemes<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.schemes = Schemes::new(names);
        self
    }

    /// Sets [`code`](Self::code): whether the text is source code.
    #[must_use]
    pub fn with_code(self, code: bool) -> Self {
        Finder { code, ..self }
    }

    /// Sets [`standard`](Self::standard), by which the readings of a broken URL are judged.
    #[must_use]
    pub fn with_standard(self, standard: Standard) -> Self {
        Finder { standard, ..self }
    }
}

/// The syntax of the lines of a text, as far as it decides where a URL continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Prose, or a language that is not known.
    #[default]
    Text,
    /// Each line is an entry of its own, as in lock files.
    Entries,
    /// A diff: the first column says which version a line belongs to.
    Diff,
}

named! {
    /// When a URL is joined over a line break.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Rejoin {
        /// Only inside `<URL:…>` and `<http:…>`.
        Never = "never": "Only inside `<URL:...>` and `<http:...>`",
        /// Also where the grammar or a hyphen requires it, and up to a closing quote or bracket.
        Judged = "judged": "As `never`, and where the grammar or a hyphen requires it",
        /// Also where the way in which the lines are broken suggests it.
        #[default]
        Likely = "likely": "As `judged`, and where the line breaks suggest it",
    }
}

named! {
    /// How a hyphen at a line break is treated. It may belong to the URL, or have been inserted when the line
    /// was broken. Either way, the other readings are kept as [alternatives](crate::Candidate::alternatives).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Hyphen {
        /// Drop it in typeset text, such as magazines, in which many lines end in a hyphen; keep it in other
        /// text.
        #[default]
        Auto = "auto": "Drop it in typeset text, where many lines end in a hyphen, else keep it",
        /// Keep it, unless it makes the URL invalid: software that breaks lines inserts no hyphens.
        Keep = "keep": "Keep it, unless the URL is invalid with it",
        /// Drop it, unless the URL is invalid without it: for typeset and scanned text.
        Drop = "drop": "Drop it, unless the URL is invalid without it: for typeset and scanned text",
    }
}
