//! The fields of a row: their names, their types, and what they contain.

use crate::text::named::named;

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

/// The table of fields: variant, name, type, whether every row has it, and what it contains.
macro_rules! fields {
    ($($variant:ident = $name:literal, $type:ident, $presence:ident, $summary:literal;)+) => {
        /// What a list can contain about a URL.
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
            #[must_use]
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
            #[must_use]
            pub const fn is_optional(self) -> bool {
                let presence = match self { $(Field::$variant => Presence::$presence,)+ };
                matches!(presence, Presence::Maybe)
            }

            /// Returns what the field contains, without a full stop.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Field::$variant => $summary,)+ }
            }
        }
    };
}

fields! {
    Path = "path", Text, Always, "The file";
    Member = "member", Text, Maybe,
        "The part of the file: the member of an archive, or the number of a message in a mailbox";
    Url = "url", Text, Always, "The URL with its fragment";
    Found = "found", Text, Always, "The URL as it was found, before `--normalize`";
    Resolved = "resolved", Flag, Always,
        "Whether the URL was relative; `found` is the target as it is written; see `--resolve`";
    Fragment = "fragment", Text, Maybe, "The fragment: what follows the first `#`";
    Alternatives = "alternatives", Texts, Always,
        "Other readings, if a hyphen may or may not belong to the URL";
    Scheme = "scheme", Text, Maybe, "The scheme in lower case";
    Host = "host", Text, Maybe, "The host in lower case";
    Domain = "domain", Text, Maybe,
        "The domain that was registered, by the public suffix list, such as `example.co.uk`";
    Delimiter = "delimiter", Text, Always, "How the URL is delimited in the text";
    Start = "start", Number, Always, "The offset of the first byte, including the delimiter";
    End = "end", Number, Always, "The offset after the last byte, including the delimiter";
    Line = "line", Number, Always, "The line of the start, from 1";
    Column = "column", Number, Always, "The column of the start in characters, from 1";
    Pieces = "pieces", Ranges, Always, "The byte ranges of the pieces of the URL";
    Evidence = "evidence", Texts, Always,
        "What says that the URL goes on after each line break at which it was joined";
    Witness = "witness", Text, Maybe,
        "The file and line where the URL stands unbroken, if that is the evidence; see `--rejoin`";
    Ending = "ending", Text, Always, "Why the URL ends where it does";
    Valid = "valid", Flag, Maybe,
        "Whether the URL is valid by the standard; nothing if it holds a placeholder";
    Problems = "problems", Texts, Always,
        "The rules of the grammar that the URL breaks; none if it holds a placeholder";
    Placeholder = "placeholder", Flag, Always, "Whether the URL holds a placeholder or a pattern";
    Standard = "standard", Text, Always, "The standard by which the URL is judged";
    Rules = "rules", Texts, Always,
        "The rules that report something about the URL, among those of `--rule` or the configuration";
    Verdicts = "verdicts", Texts, Always,
        "The standards by which the URL is valid; none if it holds a placeholder";
    Kind = "kind", Text, Always, "The kind of the document";
    Context = "context", Text, Always, "The words around the URL; see `--context-chars`";
    Element = "element", Text, Maybe,
        "The element of the link, as in HTML; in XML also that of a URL in text";
    Attribute = "attribute", Text, Maybe, "The attribute of the link, as in HTML";
    Anchor = "anchor", Text, Maybe, "The text of the link, or the description of the image";
    Title = "title", Text, Maybe, "The title of the link";
    Rel = "rel", Text, Maybe, "The types of the link, such as `nofollow`";
    MessageId = "message-id", Text, Maybe, "The `Message-ID` of the message";
    Date = "date", Time, Maybe, "The `Date` of the message, in UTC, as RFC 3339 writes it";
    DateLocal = "date-local", Text, Maybe,
        "The `Date` of the message, by the clock of who wrote it, as RFC 3339 writes it";
    From = "from", Text, Maybe, "The `From` of the message, decoded";
    To = "to", Text, Maybe, "The `To` of the message, decoded";
    Subject = "subject", Text, Maybe, "The `Subject` of the message, decoded";
    ListId = "list-id", Text, Maybe, "The `List-Id` of the message, decoded";
    Part = "part", Text, Maybe, "The part of the message, as in IMAP: `1.2`";
    Where = "where", Text, Maybe,
        "The field of the message's header that the URL is in, in lower case, or `body`";
    WarcTarget = "warc-target", Text, Maybe, "The URL of the record of a web archive";
    WarcDate = "warc-date", Time, Maybe, "When the record of a web archive was made, in UTC";
    WarcType = "warc-type", Text, Maybe, "The type of the record of a WARC, such as `response`";
    Status = "status", Number, Maybe, "The status code of HTTP in a web archive";
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
