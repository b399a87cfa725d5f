//! The fields of a row: their names, their types, and their contents.

use super::refanged::refanged;
use super::row::Row;
use super::{Cell, Time};
use urlint_standard::text::named::named;

/// The type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataType {
    /// Bytes, usually UTF-8.
    Text,
    /// A list of texts.
    Texts,
    /// A number, not negative.
    Number,
    /// Yes or no.
    Flag,
    /// A point in time.
    Time,
    /// A list of byte ranges: the offsets of the first byte, and after the last byte.
    Ranges,
}

/// Whether every row has a value for a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// Every row has it. A list may be empty.
    Always,
    /// It may be absent.
    Maybe,
}

/// The facts about a URL, or the parts of a source, that a field needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Lines and columns, or the text around the URL.
    Positions,
    /// What markup says about links.
    Links,
    /// The record of a web archive, or the message that the source is attached to.
    Record,
}

/// The table of fields: variant, name, type, whether every row has it, the facts that it needs, the
/// expression of its value, and a description.
macro_rules! fields {
    (|$row:ident| $($variant:ident = $name:literal, $type:ident, $presence:ident,
        [$($need:ident)*], $value:expr, $summary:literal;)+) => {
        /// A field of a list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Field {
            $(#[doc = concat!($summary, ".")] $variant,)+
        }

        named! { Field { $($variant = $name,)+ } }

        impl Field {
            /// Returns the type of the field's value.
            ///
            /// ```
            /// use urlint::list::{DataType, Field};
            ///
            /// assert_eq!(Field::Line.data_type(), DataType::Number);
            /// ```
            pub const fn data_type(self) -> DataType {
                match self { $(Field::$variant => DataType::$type,)+ }
            }

            /// Returns whether the field may be absent from a row. Lists are empty instead.
            ///
            /// ```
            /// use urlint::list::Field;
            ///
            /// assert!(Field::Fragment.is_optional());
            /// assert!(!Field::Url.is_optional());
            /// ```
            pub const fn is_optional(self) -> bool {
                let presence = match self { $(Field::$variant => Presence::$presence,)+ };
                matches!(presence, Presence::Maybe)
            }

            /// Returns a description of the field, without a full stop.
            pub const fn summary(self) -> &'static str {
                match self { $(Field::$variant => $summary,)+ }
            }

            /// Returns the facts that the field needs.
            pub(super) const fn needs(self) -> &'static [Need] {
                match self { $(Field::$variant => &[$(Need::$need),*],)+ }
            }

            /// Returns the cell of the field in a row.
            #[inline]
            pub(super) fn cell<'c>(self, $row: &'c Row<'_, '_>) -> Cell<'c> {
                match self { $(Field::$variant => Cell::from($value),)+ }
            }
        }
    };
}

fields! { |row|
    Path = "path", Text, Always, [], row.info.path,
        "The file";
    Member = "member", Text, Maybe, [], row.info.part(row.found.member),
        "The part of the file: the member of an archive, or the number of a message in a mailbox";
    Page = "page", Number, Maybe, [], row.info.page(),
        "The page of a PDF";
    Url = "url", Text, Always, [], row.url(),
        "The URL with its fragment";
    Found = "found", Text, Always, [], row.as_found(),
        "The URL as it was found, before `--normalize`";
    Refanged = "refanged", Text, Maybe, [], refanged(&row.url),
        "The plain form of a defanged URL, such as `http://a.example/` of `hxxp://a[.]example/`";
    Unwrapped = "unwrapped", Text, Maybe, [], row.unwrapped(),
        "Where a link through SafeLinks, `urldefense.com`, Google's `/url?q=` and the like leads";
    Resolved = "resolved", Flag, Always, [], row.found.relative().is_some(),
        "Whether the URL was relative; `found` has the target as written; see `--resolve`";
    Fragment = "fragment", Text, Maybe, [], row.fragment(),
        "The fragment, after the first `#`";
    Alternatives = "alternatives", Texts, Always, [], Cell::texts(row.alternatives()),
        "Other readings, if the URL may or may not have a hyphen";
    Scheme = "scheme", Text, Maybe, [], row.judgement().scheme(),
        "The scheme in lower case";
    Host = "host", Text, Maybe, [], row.host(),
        "The host in lower case";
    Domain = "domain", Text, Maybe, [], row.domain(),
        "The registered domain, by the public suffix list, such as `example.co.uk`";
    Delimiter = "delimiter", Text, Always, [], row.found.candidate.delimiter.name(),
        "How the URL is delimited in the text";
    Start = "start", Number, Always, [], row.found.candidate.outer.start,
        "The offset of the first byte, including the delimiter";
    End = "end", Number, Always, [], row.found.candidate.outer.end,
        "The offset after the last byte, including the delimiter";
    Line = "line", Number, Always, [Positions], row.position().line,
        "The line of the start, from 1";
    Column = "column", Number, Always, [Positions], row.position().column,
        "The column of the start in characters, from 1";
    Pieces = "pieces", Ranges, Always, [], &row.found.candidate.pieces,
        "The byte ranges of the pieces of the URL";
    Evidence = "evidence", Texts, Always, [],
        Cell::names(row.found.candidate.evidence().map(urlint_find::Evidence::name)),
        "The evidence for each line break at which the URL was joined";
    Ending = "ending", Text, Always, [], row.found.ending().name(),
        "Why the URL ends where it does";
    Valid = "valid", Flag, Maybe, [], row.is_valid(),
        "Whether the URL is valid by the standard; nothing if it contains a placeholder";
    Problems = "problems", Texts, Always, [], Cell::names(row.problems()),
        "The rules of the grammar that the URL breaks; none if it contains a placeholder";
    Placeholder = "placeholder", Flag, Always, [], row.is_placeholder(),
        "Whether the URL contains a placeholder or a pattern";
    Standard = "standard", Text, Always, [], row.standard.name(),
        "The standard by which the URL is judged";
    Rules = "rules", Texts, Always, [Positions], Cell::names(row.rules()),
        "The rules that report something about the URL, among those of `--rule` or the configuration";
    Verdicts = "verdicts", Texts, Always, [], Cell::names(row.verdicts()),
        "The standards by which the URL is valid; none if it contains a placeholder";
    Kind = "kind", Text, Always, [], row.kind(),
        "The kind of the document";
    Context = "context", Text, Always, [Positions Links], row.context(),
        "The words around the URL; see `--context-chars`";
    Element = "element", Text, Maybe, [Links], row.of_link(|link| Some(&link.element)),
        "The element of the link, as in HTML; in XML also the element around a URL in text";
    Attribute = "attribute", Text, Maybe, [Links], row.of_link(|link| link.attribute.as_deref()),
        "The attribute of the link, as in HTML";
    Anchor = "anchor", Text, Maybe, [Links], row.text_of_link(|link| link.anchor.as_deref()),
        "The text of the link, or the description of the image";
    Title = "title", Text, Maybe, [Links], row.text_of_link(|link| link.title.as_deref()),
        "The title of the link";
    Rel = "rel", Text, Maybe, [Links], row.of_link(|link| link.rel.as_deref()),
        "The types of the link, such as `nofollow`";
    MessageId = "message-id", Text, Maybe, [Record], row.of_message("message-id"),
        "The `Message-ID` of the message";
    Date = "date", Time, Maybe, [Record], row.date().map(|date| Time::of_unix(date.microseconds)),
        "The date of the message, the record of a web archive, the entry of a feed, the bookmark or the object of \
         JSON, in UTC, in the format of RFC 3339";
    DateLocal = "date-local", Text, Maybe, [Record], row.date().map(|date| date.to_string()),
        "The date in the sender's time zone, in the format of RFC 3339";
    From = "from", Text, Maybe, [Record], row.of_message("from"),
        "The `From` of the message, decoded";
    To = "to", Text, Maybe, [Record], row.of_message("to"),
        "The `To` of the message, decoded";
    Subject = "subject", Text, Maybe, [Record], row.subject(),
        "The `Subject` of the message, decoded";
    ListId = "list-id", Text, Maybe, [Record], row.of_message("list-id"),
        "The `List-Id` of the message, decoded";
    Part = "part", Text, Maybe, [Record], row.part(),
        "The part of the message, as in IMAP: `1.2`";
    Where = "where", Text, Maybe, [Record], row.header_field(),
        "The header field that contains the URL, in lower case, or `body`";
    WarcTarget = "warc-target", Text, Maybe, [Record], row.target_of_record(),
        "The URL of the record of a web archive";
    WarcDate = "warc-date", Time, Maybe, [Record], row.date_of_record(),
        "When the record of a web archive was made, in UTC";
    WarcType = "warc-type", Text, Maybe, [Record],
        row.info.record.and_then(|record| record.kind.as_deref()),
        "The type of the record of a WARC, such as `response`";
    Status = "status", Number, Maybe, [Record],
        row.info.record.and_then(|record| record.status).map(u64::from),
        "The status code of HTTP in a web archive";
}

impl Field {
    /// The fields of a list by default.
    pub const USUAL: [Field; 16] = [
        Field::Path,
        Field::Member,
        Field::Url,
        Field::Fragment,
        Field::Alternatives,
        Field::Scheme,
        Field::Delimiter,
        Field::Start,
        Field::End,
        Field::Line,
        Field::Column,
        Field::Pieces,
        Field::Valid,
        Field::Problems,
        Field::Placeholder,
        Field::Standard,
    ];
}
