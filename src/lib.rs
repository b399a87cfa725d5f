//! urlint finds URLs in free text, rejoins those that a line break has torn apart, and reports what
//! is wrong with each according to RFC 1738, down to the exact bytes of the source.
//!
//! This is the library behind the command `urlint`. Except for reading configuration files, and all
//! that the engine reads, it does no I/O of its own, and it holds no global state. Data flows one way,
//! and this page follows it.
//!
//! With `default-features = false` it is the finder and the judge by RFC 1738 and 3986 alone, and
//! needs six crates. Each feature adds whole modules, and includes the features that it needs:
//!
//! | feature | adds | includes |
//! |---|---|---|
//! | `whatwg` | [`Standard::Whatwg`] and [`standard::whatwg`] | |
//! | `documents` | [`document`], [`view`] and [`read`] | `whatwg` |
//! | `lint` | [`lint`], [`mod@fix`], [`check`] and [`check_as`] | `documents` |
//! | `archives` | [`archive`] | `documents` |
//! | `lists` | [`list`]; the feature `arrow` adds columns of Apache Arrow | `lint` |
//! | `config` | `config`: configuration files | `lint` |
//! | `engine` | `engine`: many files, read with several threads | `archives`, `config` |
//!
//! # Find
//!
//! [`find()`] takes bytes, since text comes in any encoding, and yields [`Candidate`]s in order. A
//! [`Finder`] says how URLs are found: when they are joined over a line break, what happens to
//! hyphens there, and whether `www.example.com` is one.
//!
//! ```
//! let text = b"In <URL:http://www-\n  archive.example.org/>, and (ftp://b.example/c).";
//! let urls: Vec<_> = urlint::find(text).map(|found| found.text).collect();
//! assert_eq!(urls, [&b"http://www-archive.example.org/"[..], b"ftp://b.example/c"]);
//! ```
//!
//! [`find_str`] takes a `str`. What linkify writes as on the left is here as on the right:
//!
//! | linkify | urlint |
//! |---|---|
//! | `LinkFinder::new().links(text)` | `urlint::find_str(text)`, or `finder.find(text.as_bytes())` |
//! | `link.as_str()` | [`found.as_str()`](Candidate::as_str), an `Option` as a text may be any bytes |
//! | `finder.spans(text)` | [`finder.spans(text)`](Finder::spans), the text and its URLs in turn |
//! | `link.start()`, `link.end()` | [`found.range()`](Candidate::range), `None` for a URL over several lines |
//! | `url_must_have_scheme(false)` | `with_schemeless(true)`: hosts that begin with `www.` or `ftp.` |
//! | a URL ends with its line | `with_rejoin(Rejoin::Never)`, though `<URL:…>` and `<…>` may span lines |
//! | `LinkKind::Email` | none: of addresses, only `mailto:` is found |
//! | only `http:`, `https:` and the like | **any scheme**, `data:` and `javascript:` too: test [`found.scheme()`](Candidate::scheme) |
//!
//! A URL that becomes an `href` passes such a test first, or whoever writes the text runs scripts in your page:
//!
//! ```
//! let text = "See www.a.example & (http://b.example/ä), not javascript://c/%0Aalert(1).";
//! let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
//! let mut html = String::new();
//! for (part, found) in urlint::Finder::default().with_schemeless(true).spans(text) {
//!     let part = escaped(part);
//!     let url = found.as_ref().and_then(|found| found.as_str()).map(escaped).unwrap_or_default();
//!     html += &match found.as_ref().map(|found| found.scheme()) {
//!         Some(Some("http" | "https")) => format!("<a href=\"{url}\">{part}</a>"),
//!         Some(None) => format!("<a href=\"https://{url}\">{part}</a>"),
//!         _ => part,
//!     };
//! }
//! assert_eq!(
//!     html,
//!     "See <a href=\"https://www.a.example\">www.a.example</a> &amp; (<a href=\"http://b.example/ä\">\
//!      http://b.example/ä</a>), not javascript://c/%0Aalert(1)."
//! );
//! ```
//!
//! # Candidate
//!
//! A [`Candidate`] is a URL as it was read, with its [`Delimiter`](find::Delimiter), the [`Span`]s of
//! its bytes in the source, its other readings, and [`Flags`](find::Flags) for its peculiarities. A
//! fragment is part of its text, but not of its URL.
//!
//! ```
//! use urlint::find::Delimiter;
//!
//! let text = b"In <http://www-\n  archive.example.org/#top>.";
//! let found = urlint::find(text).next().unwrap();
//! assert_eq!(found.delimiter, Delimiter::Angle);
//! assert_eq!(found.url(), b"http://www-archive.example.org/");
//! assert_eq!(found.fragment(), Some(&b"top"[..]));
//!
//! let pieces: Vec<_> = found.pieces.iter().map(|span| (span.start, span.end)).collect();
//! assert_eq!(pieces, [(4, 15), (18, 42)]);
//! assert_eq!(found.alternatives[0].text, b"http://wwwarchive.example.org/#top"[..]);
//! ```
//!
//! # Judge
//!
//! [`rfc1738::parse`](standard::rfc1738::parse) takes a URL apart and reports every place where it
//! departs from the grammar of section 5; [`rfc1738::is_valid`](standard::rfc1738::is_valid) only
//! says whether there is one. Nothing else here knows the grammar.
//!
//! ```
//! use urlint::standard::rfc1738::{ProblemKind, parse};
//!
//! let parsed = parse(b"http://a.example:port/~joe");
//! assert_eq!(parsed.host(), Some(&b"a.example"[..]));
//! let kinds: Vec<_> = parsed.problems.iter().map(|problem| problem.kind).collect();
//! assert_eq!(kinds, [ProblemKind::BadPort, ProblemKind::UnsafeCharacter]);
//! ```
//!
//! # Lint
//!
//! A [`Rule`] is something that can be reported: a problem of the grammar, a flag of the finder, or
//! a lint of its own, which never makes a URL invalid. [`lint::lint`] applies the rules that are in
//! the [`lint::Selection`] of the [`Settings`] to a candidate.
//!
//! ```
//! use urlint::Settings;
//! use urlint::lint::{Group, Selection, Selector};
//!
//! let mut selection = Selection::none();
//! selection.add(Selector::Group(Group::Style));
//! let settings = Settings::default().with_selection(selection);
//!
//! let found = urlint::find(b"HTTP://www.ietf.org/").next().unwrap();
//! let diagnostics = urlint::lint::lint(&found, &settings);
//! assert_eq!(diagnostics[0].rule.name(), "not-normal");
//! ```
//!
//! # Diagnostics
//!
//! A [`Diagnostic`] is one report: a rule, a severity, a message, the source bytes at fault, and
//! often a [`lint::Fix`], which is a set of edits of source bytes. [`check`] goes all the way
//! from bytes to diagnostics; [`check_as`] does so for Markdown, HTML, mail and other documents.
//!
//! ```
//! use urlint::{Settings, Severity};
//! use urlint::lint::Applicability;
//!
//! let diagnostics = urlint::check(b"<URL:http://a.example/\"joe>", &Settings::default());
//! let diagnostic = &diagnostics[0];
//! assert_eq!(diagnostic.severity, Severity::Error);
//! assert_eq!(diagnostic.message, "`\"` must be encoded in `http://a.example/\"joe`");
//!
//! let fix = diagnostic.fix.as_ref().unwrap();
//! assert_eq!(fix.applicability, Applicability::Safe);
//! assert_eq!(fix.edits[0].replacement, "%22");
//! ```
//!
//! # Fix
//!
//! [`fix::apply`] applies fixes, and [`fix::mend`] applies them until none are left, without
//! harming any URL.
//!
//! ```
//! let source = b"<URL:http://a.example/~joe>";
//! let diagnostics = urlint::check(source, &urlint::Settings::default());
//! let fixed = urlint::fix::apply(source, diagnostics[0].fix.as_ref());
//! assert_eq!(fixed.bytes, b"<URL:http://a.example/%7Ejoe>");
//! ```
//!
//! # Configuration
//!
//! With the feature `config`, the module `config` reads `urlint.toml`, from a text or from the file
//! that applies to a path, and makes a [`Reader`] and [`Settings`] from it. What is wrong with a
//! configuration is returned as data and as a line of text.
//!
//! # Stream
//!
//! [`Stream`](find::Stream) finds the same candidates in any reader, in bounded memory. With
//! [context](find::StreamOptions::context) it counts lines and keeps the text around each
//! candidate.
//!
//! ```
//! use urlint::Finder;
//! use urlint::find::StreamOptions;
//! use urlint::text::Position;
//!
//! let reader = &b"first line\nsee http://a.example/"[..];
//! let options = StreamOptions::default().with_context();
//! let mut stream = Finder::default().stream_with(reader, options);
//! let found = stream.next_found()?.unwrap();
//! assert_eq!(found.candidate.url(), b"http://a.example/");
//! assert_eq!(found.position.unwrap(), Position { line: 2, column: 5 });
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Documents, archives and lists
//!
//! A [`Reader`] takes documents of any [`document::Kind`] apart, and reports each URL with
//! its place in the source; an [`archive::Opener`] passes it the members of archives.
//! [`list::Fields`] writes what is known of a URL, from its host to the message or link that it
//! comes from, to the columns of a list.
//!
// With fewer features, names that may be absent lead to the table above.
#![cfg_attr(
    not(all(feature = "archives", feature = "lists")),
    doc = include_str!("absent.md")
)]

#[doc(inline)]
pub use urlint_find as find;
#[doc(inline)]
pub use urlint_standard::{standard, text, url};

#[cfg(feature = "documents")]
#[doc(inline)]
pub use urlint_documents::{document, read};
#[cfg(feature = "documents")]
#[doc(inline)]
pub use urlint_view as view;

#[cfg(feature = "lint")]
#[doc(inline)]
pub use urlint_lint as lint;
#[cfg(feature = "lint")]
#[doc(inline)]
pub use urlint_lint::fix;

#[cfg(feature = "lists")]
#[doc(inline)]
pub use urlint_list as list;

#[cfg(feature = "config")]
#[doc(inline)]
pub use urlint_config as config;

#[cfg(feature = "archives")]
#[doc(inline)]
pub use urlint_archive as archive;

#[cfg(feature = "engine")]
#[doc(hidden)]
pub use urlint_engine as engine;

#[doc(inline)]
pub use urlint_manual as manual;

#[cfg(feature = "documents")]
#[doc(inline)]
pub use urlint_documents::{Event, Found, Reader};
#[doc(inline)]
pub use urlint_find::{Candidate, Finder, find, find_str};
#[cfg(feature = "lint")]
#[doc(inline)]
pub use urlint_lint::{Diagnostic, Rule, Settings, Severity, check, check_as};
#[doc(inline)]
pub use urlint_standard::{Span, Standard};

// Runs the README's examples as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
