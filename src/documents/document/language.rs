//! The languages whose files are plain text: one table of their extensions, and of how they
//! write strings and comments.

use urlint_find::Syntax;

/// A programming language, or a format of data or configuration; similar ones share a row.
pub(super) struct Language {
    /// File extensions, in lower case, and the names that editors use for the language.
    pub(super) extensions: &'static [&'static str],
    /// Whether strings write white space as `\n`, `\r` and `\t`.
    pub(super) is_code: bool,
    /// The properties of its lines and strings that decide where a URL continues.
    pub(super) syntax: Syntax,
    /// How a comment is written, in languages where a simple check shows which lines begin outside
    /// of strings.
    pub(super) comments: Option<LineComments>,
}

/// The notation of comments that end with their line, and of constructs in which the sign would be
/// content.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct LineComments {
    /// The sign that begins a comment.
    pub sign: &'static str,
    /// The quotes of strings that may span lines.
    pub quotes: &'static str,
    /// The openers of anything else that may span lines, or that makes strings hard to recognize.
    pub openers: &'static [&'static str],
    /// Whether a line without a key may continue the text of the line before it.
    pub needs_key: bool,
}

/// To add a language, add a row: `code` if its strings write white space as `\n`, else `text`.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[Language] = &[
    code(&["rs", "rust"])
        .comments("//", "\"", &["r#", "'\"'", "\\\"", "/*"]),
    code(&["py", "pyi", "pyx", "python"])
        .comments("#", "", &["\"\"\"", "'''"]),
    code(&["toml"])
        .comments("#", "", &["\"\"\"", "'''"]),
    code(&["yaml", "yml"])
        .comments("#", "\"'", &[" |", " >"])
        .before_keys(),
    code(&["sh", "bash", "zsh", "shellscript"])
        .comments("#", "\"'", &["<<", "\"$(", "\\\"", "\\'"]),
    code(&["c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "m", "mm"])
        .comments("//", "", &["R\""]),
    code(&["js", "mjs", "cjs", "ts", "javascript", "typescript"])
        .comments("//", "", &["`"]),
    code(&["java", "kt", "kts", "scala", "swift", "dart"])
        .comments("//", "", &["\"\"\"", "'''"]),
    code(&["cs", "csharp"])
        .comments("//", "", &["\"\"\"", "@\"", "@$\""]),
    code(&["go"])
        .comments("//", "", &["`"]),
    code(&["jsx", "tsx", "vue", "svelte", "javascriptreact", "typescriptreact"]),
    code(&["fs", "groovy", "gradle", "rb", "ruby", "php", "pl", "pm", "perl"]),
    code(&["tcl", "lua", "nse", "r", "jl", "fish", "awk", "sed"]),
    code(&["zig", "d", "v", "graphql", "proto", "thrift"]),
    code(&["hs", "haskell", "ml", "mli", "erl", "hrl", "ex", "exs"]),
    code(&["el", "scm", "clj", "cljs", "rkt"]),
    code(&["asm", "s", "mk", "makefile", "cmake", "nix", "tf", "hcl"]),
    code(&["sql"]),
    text(&["bat", "cmd", "ps1", "vb", "lisp"]),
    text(&["pas", "ada", "adb", "ads", "f", "f90"]),
    text(&["css", "scss", "sass", "less"]),
    text(&["ini", "cfg", "conf", "env"]),
    text(&["lock"]).lines(Syntax::Entries),
    text(&["diff", "patch"]).lines(Syntax::Diff),
];

const fn code(extensions: &'static [&'static str]) -> Language {
    Language {
        is_code: true,
        ..text(extensions)
    }
}

const fn text(extensions: &'static [&'static str]) -> Language {
    Language {
        extensions,
        is_code: false,
        syntax: Syntax::Text,
        comments: None,
    }
}

impl Language {
    const fn lines(self, syntax: Syntax) -> Self {
        Language { syntax, ..self }
    }

    /// Sets the notation of comments, and of constructs that may span lines.
    const fn comments(
        self,
        sign: &'static str,
        quotes: &'static str,
        openers: &'static [&'static str],
    ) -> Self {
        let comments = LineComments {
            sign,
            quotes,
            openers,
            needs_key: false,
        };
        Language {
            comments: Some(comments),
            ..self
        }
    }

    /// Allows comments only before lines that have a key.
    const fn before_keys(mut self) -> Self {
        if let Some(comments) = &mut self.comments {
            comments.needs_key = true;
        }
        self
    }
}
