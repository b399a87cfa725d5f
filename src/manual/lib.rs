//! The manual of the command `urlint`: one page for each topic, in reading order.
//!
//! `urlint help` lists the pages, and `urlint help TOPIC` prints one. Start with the
//! [introduction]; the page about the [library] is for users of this crate.

/// A page of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The name of the page: a module of this one, and a topic of `urlint help`.
    pub name: &'static str,
    /// What the page is about, in one line without a full stop.
    pub summary: &'static str,
    /// The text in Markdown, which begins with a heading. The name of a page in square brackets
    /// refers to that page, whose file is named at the end.
    pub text: &'static str,
}

/// Links to the modules of pages. As the first of their names, they win over those to files at the end of a page.
macro_rules! links {
    ([$($name:ident)*]) => { concat!($("[", stringify!($name), "]: mod@", stringify!($name), "\n"),*) };
}

/// Makes each page a module with the page as its documentation, and an entry of [`PAGES`].
macro_rules! pages {
    ($($name:ident: $summary:literal,)*) => { pages! { [$($name)*] $($name: $summary,)* } };
    ($names:tt $($name:ident: $summary:literal,)*) => {
        $(
            #[doc = concat!($summary, ".\n\n", links!($names), "\n")]
            #[doc = include_str!(concat!(stringify!($name), ".md"))]
            pub mod $name {}
        )*

        /// All pages, in reading order.
        ///
        /// ```
        /// let page = &urlint::manual::PAGES[0];
        /// assert_eq!(page.name, "introduction");
        /// assert!(page.text.starts_with("# Introduction\n"));
        /// ```
        pub const PAGES: &[Page] = &[$(Page {
            name: stringify!($name),
            summary: $summary,
            text: include_str!(concat!(stringify!($name), ".md")),
        }),*];
    };
}

pages! {
    introduction: "The purpose of urlint, a first run, and the terms of this manual",
    checking: "Report faults of the URLs in files; suppression comments and baselines",
    fixing: "Fix URLs, and which fixes are safe",
    extracting: "List URLs: select, format, count and sort them",
    finding: "Which text is a URL, and where it ends",
    rejoining: "How URLs are joined that continue on the next line",
    documents: "Kinds of documents, and how each is read",
    files: "Which files are read, standard input, compressed files and archives",
    standards: "RFC 1738, RFC 3986 and the URL Standard: which to choose; single URLs",
    rules: "All rules, and which of them report by default",
    configuration: "Configuration files and their keys",
    formats: "Output formats, with the fields of JSON",
    editors: "Diagnostics, fixes and links in editors: the language server",
    integration: "Exit codes, pre-commit, CI, completions, and other programs for the list",
    library: "How to use urlint as a Rust library",
    python: "How to use urlint from Python, with columns in Arrow",
    engines: "The Python module on Spark, Ray, Dask, Polars, DuckDB and pandas",
    limits: "Bounds on input and work, and things that urlint does not do",
    speed: "Time and memory, also for large collections",
}
