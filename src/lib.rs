//! urlint finds URLs in free text, puts those back together that a line break has torn apart, and
//! says what is wrong with each by RFC 1738, pointing at the exact bytes of the source.
//!
//! This is the library under the command `urlint`. It does no I/O of its own and holds no global
//! state; `default-features = false` leaves out what only the command needs. Data flows one way,
//! and this page goes along with it.
//!
//! # Find
//!
//! [`find()`] takes bytes, since text comes in any encoding, and gives [`Candidate`]s in order. A
//! [`Finder`] says how URLs are found: when to join them over a line break, what becomes of
//! hyphens there, and whether `www.example.com` is one.
//!
//! ```
//! let text = b"In <URL:http://www-\n  archive.example.org/>, and (ftp://b.example/c).";
//! let urls: Vec<_> = urlint::find(text).map(|found| found.text).collect();
//! assert_eq!(urls, [&b"http://www-archive.example.org/"[..], b"ftp://b.example/c"]);
//! ```
//!
//! # Candidate
//!
//! A [`Candidate`] is a URL as it was read, and where it stands: its [`Delimiter`], the [`Span`]s
//! of the source that it is made of, other readings of it, [`Flags`] for what was noteworthy. A
//! fragment is part of its text, but not of its URL.
//!
//! ```
//! use urlint::Delimiter;
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
//! [`rfc1738::parse`] takes a URL apart and reports every place where it departs from the grammar
//! of section 5; [`rfc1738::is_valid`] only says whether there is one. Nothing else here knows the
//! grammar.
//!
//! ```
//! use urlint::rfc1738::{ProblemKind, parse};
//!
//! let parsed = parse(b"http://a.example:port/~joe");
//! assert_eq!(parsed.host(), Some(&b"a.example"[..]));
//! let kinds: Vec<_> = parsed.problems.iter().map(|problem| problem.kind).collect();
//! assert_eq!(kinds, [ProblemKind::BadPort, ProblemKind::UnsafeCharacter]);
//! ```
//!
//! # Lint
//!
//! A [`Rule`] is what can be reported: a problem of the grammar, a flag of the finder, or a lint of
//! its own, which never makes a URL invalid. [`lint()`] applies to a candidate those rules that the
//! [`Selection`] of the [`Settings`] names.
//!
//! ```
//! use urlint::{Group, Selection, Selector, Settings};
//!
//! let mut selection = Selection::none();
//! selection.add(Selector::Group(Group::Style));
//! let settings = Settings { selection, ..Settings::default() };
//!
//! let found = urlint::find(b"HTTP://www.ietf.org/").next().unwrap();
//! let mut rules = Vec::new();
//! urlint::lint(&found, &settings, &mut |diagnostic| rules.push(diagnostic.rule.name()));
//! assert_eq!(rules, ["scheme-uppercase"]);
//! ```
//!
//! # Diagnostics
//!
//! A [`Diagnostic`] is one report: rule, severity, message, the source bytes at fault, and often a
//! [`Fix`], edits of source bytes. [`check`] goes the whole way from bytes to diagnostics.
//!
//! ```
//! use urlint::{Applicability, Settings, Severity};
//!
//! let diagnostics = urlint::check(b"<URL:http://a.example/~joe>", &Settings::default());
//! let diagnostic = &diagnostics[0];
//! assert_eq!(diagnostic.severity, Severity::Error);
//! assert_eq!(diagnostic.message, "`~` must be encoded in a URL");
//!
//! let fix = diagnostic.fix.as_ref().unwrap();
//! assert_eq!(fix.applicability, Applicability::Safe);
//! assert_eq!(fix.edits[0].replacement, "%7E");
//! ```
//!
//! # Fix
//!
//! [`fix::apply`] makes fixes, and [`fix::mend`] makes them until there are no more, without harm to
//! any URL.
//!
//! ```
//! let source = b"<URL:http://a.example/~joe>";
//! let diagnostics = urlint::check(source, &urlint::Settings::default());
//! let fixed = urlint::fix::apply(source, diagnostics[0].fix.as_ref());
//! assert_eq!(fixed.bytes, b"<URL:http://a.example/%7Ejoe>");
//! ```
//!
//! # Stream
//!
//! [`Stream`] finds the same candidates in whatever can be read, in bounded memory. Asked for
//! context it counts lines and keeps the text around each candidate, to be shown.
//!
//! ```
//! use urlint::{Position, Stream};
//!
//! let mut stream = Stream::new(&b"first line\nsee http://a.example/"[..]).with_context();
//! let found = stream.next_found()?.unwrap();
//! assert_eq!(found.candidate.url(), b"http://a.example/");
//! assert_eq!(found.position, Position { line: 2, column: 5 });
//! # Ok::<(), std::io::Error>(())
//! ```

// Sets of bytes, and how to get past their members quickly: beneath everything else.
mod byteset;

// Where something stands in a source.
mod span;

// Finding: what triggers, what marks a URL off, where it ends and why.
mod scan;

// Line breaks, hyphens, leaders and page breaks.
mod rejoin;

// What was found.
mod candidate;

// The ways in: bytes that are all there …
mod find;

// … and bytes that come one after another.
mod stream;

// … and bytes that several look through.
mod stretch;

// Texts decoded from a source, and where their bytes came from.
pub mod view;

// What a source is made of, part by part.
mod document;

// Mailboxes, message by message.
mod mbox;

// Records of JSON, line by line.
mod json_lines;

// Lines and columns.
mod position;

// Judging: the grammar.
pub mod rfc1738;

// One way of writing what can be written in several.
mod normalize;

// The table of what can be reported.
mod rule;

// Passwords, which are not to be shown.
pub mod redact;

// A report, and what would mend it.
mod diagnostic;

// URLs that nothing is reported about.
mod ignored;

// What to look for and what to report.
mod settings;

// From a candidate, its problems and its surroundings to diagnostics.
mod lint;

// Marks in the text that keep diagnostics back.
mod suppress;

// Documents to be read by others.
mod portion;

// All of it together, for a source of any kind.
mod reading;

// Making fixes.
pub mod fix;

pub use candidate::{Alternative, Candidate, Delimiter, Flag, Flags};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix};
pub use document::{Depth, Kind, MAX_DOCUMENT, Notice, NoticeKind};
pub use find::{Finder, Hyphen, Rejoin, find};
pub use ignored::{BadPattern, IgnoredUrls, UrlPattern};
pub use lint::{check, lint};
pub use normalize::normalize;
pub use portion::{Document, Portion};
pub use position::Position;
pub use reading::{Event, Reading, Share};
pub use rule::{Group, Rule, Severity};
pub use scan::MAX_URL;
pub use settings::{Selection, Selector, Settings};
pub use span::{Span, Spans};
pub use stream::{CONTEXT, Found, Stream, Window};
pub use stretch::{Rest, Stretch};
pub use suppress::Suppressions;

// How properties are tried.
#[cfg(test)]
#[path = "../tests/it/support/tries.rs"]
mod tries;

// The README's examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
