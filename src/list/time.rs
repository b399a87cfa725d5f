//! Points in time, as messages and web archives write them.

use std::fmt;
use std::ops::Range;

use jiff::civil::{Date, DateTime};
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan, Zoned};

/// A point in time, with the offset from UTC of the clock that showed it. It is displayed as in RFC
/// 3339: `1994-12-01T12:00:00-08:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Time {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    pub microseconds: i64,
    /// How far the clock was ahead of UTC; `None` if unknown.
    offset: Option<Offset>,
}

impl Time {
    /// Returns the point in time that is so many microseconds after the start of 1970, in UTC.
    #[must_use]
    pub fn of_unix(microseconds: i64) -> Time {
        Time {
            microseconds,
            offset: Some(Offset::UTC),
        }
    }

    /// Parses a date as documents have it: that of a message (RFC 5322, section 3.3), also in nonstandard forms, with a
    /// named zone, without seconds, with a two-digit year, or as `asctime` writes it; of RFC 3339, as in WARC, in UTC if
    /// it has no offset; 14 digits in UTC, `19941201120000`, as in ARC; or seconds or milliseconds since the start of
    /// 1970. Returns `None` if it is not a date.
    ///
    /// ```
    /// use urlint::list::Time;
    ///
    /// let shown = |date: &str| Time::parse(date).map(|time| time.to_string());
    /// let expected = Some("1994-12-01T12:00:00-08:00".to_owned());
    /// assert_eq!(shown("Thu, 1 Dec 1994 12:00:00 -0800"), expected);
    /// assert_eq!(shown("1 Dec 94 12:00 PST"), expected);
    /// assert_eq!(shown("Thu Dec  1 12:00:00 PST 1994"), expected);
    /// assert_eq!(shown("2016-01-11T23:24:05.5Z").as_deref(), Some("2016-01-11T23:24:05.5+00:00"));
    /// assert_eq!(shown("20160111232405").as_deref(), Some("2016-01-11T23:24:05+00:00"));
    /// assert_eq!(shown("1452554645").as_deref(), Some("2016-01-11T23:24:05+00:00"));
    /// assert_eq!(shown("yesterday"), None);
    /// ```
    #[must_use]
    pub fn parse(date: &str) -> Option<Time> {
        let of_message = rfc2822::DateTimeParser::new().relaxed_weekday(true);
        if let Ok(zoned) = of_message.parse_zoned(date) {
            let mut time = Time::of_zoned(&zoned);
            // `-0000` means that the offset is unknown.
            time.offset = time.offset.filter(|_| !date.contains("-0000"));
            return Some(time);
        }
        if let Ok(timestamp) = date.parse::<Timestamp>() {
            return Some(Time::of_unix(timestamp.as_microsecond()));
        }
        let in_utc = |date: DateTime| Some(Time::of_zoned(&date.to_zoned(TimeZone::UTC).ok()?));
        // Some archives write more digits, which mean nothing.
        if let Some(digits) = date.get(..14)
            && date.bytes().all(|byte| byte.is_ascii_digit())
        {
            return in_utc(DateTime::strptime("%Y%m%d%H%M%S", digits).ok()?);
        }
        if let Ok(number) = date.parse::<f64>() {
            let micros = if number < 1e11 { 1e6 } else { 1e3 };
            let is_time = (1e8..1e13).contains(&number);
            return is_time.then(|| Time::of_unix((number * micros) as i64));
        }
        date.parse().map_or_else(|_| lenient(date), in_utc)
    }

    /// Returns the start and the end of a year, a month or a day, `2001-06-30`, or of a point in time, in
    /// microseconds.
    #[doc(hidden)]
    pub fn period(text: &str) -> Option<Range<i64>> {
        let (first, span) = match text.len() {
            4 => (format!("{text}-01-01"), 1.years()),
            7 => (format!("{text}-01"), 1.months()),
            10 => (text.to_owned(), 1.days()),
            _ => (text.to_owned(), 1.microseconds()),
        };
        let zoned = first
            .parse::<Date>()
            .map(|date| date.to_zoned(TimeZone::UTC));
        let start = match (text.len(), zoned) {
            (..=10, zoned) => zoned.ok()?.ok()?,
            _ => first.parse::<Timestamp>().ok()?.to_zoned(TimeZone::UTC),
        };
        let micros = |zoned: Zoned| zoned.timestamp().as_microsecond();
        Some(micros(start.clone())..micros(start.checked_add(span).ok()?))
    }

    fn of_zoned(zoned: &Zoned) -> Time {
        Time {
            microseconds: zoned.timestamp().as_microsecond(),
            offset: Some(zoned.offset()),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timestamp = Timestamp::from_microsecond(self.microseconds).map_err(|_| fmt::Error)?;
        match self.offset {
            Some(offset) => timestamp.display_with_offset(offset).fmt(f),
            // RFC 3339, section 4.3.
            None => write!(f, "{}-00:00", Offset::UTC.to_datetime(timestamp)),
        }
    }
}

/// Parses a date word by word, in any order.
fn lenient(date: &str) -> Option<Time> {
    let (mut day, mut month, mut year, mut time, mut offset) = (None, None, None, None, None);
    let is_between = |c: char| c.is_whitespace() || c == ',';
    // A comment may follow the offset: `+0100 (MET)`.
    let date = date.split('(').next().unwrap_or_default();
    for word in date
        .split(is_between)
        .filter(|word| !word.is_empty())
        .take(12)
    {
        // `1-Dec-94`, `Dec-01-1994`
        for word in pieces(word) {
            let number = word.parse::<i16>().ok();
            if word.contains(':') {
                time = time.or_else(|| time_of(word));
            } else if let Some(found) = offset_of(word).filter(|_| time.is_some()) {
                offset = offset.or(Some(found));
            } else if let Some(found) = month_of(word) {
                month = month.or(Some(found));
            } else if let Some(number) = number.filter(|number| *number >= 0) {
                if day.is_none() && word.len() <= 2 {
                    day = i8::try_from(number).ok();
                } else {
                    year = year.or_else(|| year_of(number, word.len()));
                }
            }
        }
    }
    let (hour, minute, second) = time?;
    let date = DateTime::new(year?, month?, day?, hour, minute, second, 0).ok()?;
    let timestamp = offset.unwrap_or(Offset::UTC).to_timestamp(date).ok()?;
    Some(Time {
        microseconds: timestamp.as_microsecond(),
        offset,
    })
}

/// Returns the pieces of a word between hyphens, unless it begins with one.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let is_cut = !word.starts_with('-') && word.matches('-').count() == 2;
    let separators: &[char] = if is_cut { &['-'] } else { &[] };
    word.split(separators)
}

/// `12:00`, `12:00:00`, or `12:00:00.5`, whose fraction is dropped.
fn time_of(word: &str) -> Option<(i8, i8, i8)> {
    let mut numbers = word.split(':').map(|number| {
        let whole = number.split('.').next().unwrap_or_default();
        whole.parse::<i8>().ok()
    });
    let (hour, minute) = (numbers.next()??, numbers.next()??);
    let second = match numbers.next() {
        // A leap second counts as the last second of its minute.
        Some(second) => second?.min(59),
        None => 0,
    };
    Some((hour, minute, second))
}

/// Returns the number of a named month, from 1.
fn month_of(word: &str) -> Option<i8> {
    strtime::parse("%b", word.get(..3)?).ok()?.month()
}

/// Returns the year, which may be written with two or three digits (RFC 5322, section 4.3).
fn year_of(number: i16, digits: usize) -> Option<i16> {
    match digits {
        4 => Some(number),
        2 if number < 50 => Some(2000 + number),
        2 | 3 => Some(1900 + number),
        _ => None,
    }
}

/// Returns the offset of a zone: `+0100`, `GMT+0100`, `EST`.
fn offset_of(word: &str) -> Option<Offset> {
    let hours = match word.to_ascii_uppercase().as_str() {
        "GMT" | "UT" | "UTC" | "Z" | "WET" => 0,
        "BST" | "CET" | "MET" | "MEZ" => 1,
        "CEST" | "MEST" | "MESZ" | "EET" => 2,
        "EEST" | "MSK" => 3,
        "JST" | "KST" => 9,
        "AST" | "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => {
            let number = word.trim_start_matches("GMT").trim_start_matches("UTC");
            return strtime::parse("%z", number).ok()?.offset();
        }
    };
    Some(Offset::constant(hours))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_entries() {
        for (date, expected) in [
            (
                "1355517523.000005",
                Some("2012-12-14T20:38:43.000005+00:00"),
            ),
            ("Infinity", None),
            ("1355517523000", Some("2012-12-14T20:38:43+00:00")),
            (
                "2012-12-14T20:38:43+01:00",
                Some("2012-12-14T19:38:43+00:00"),
            ),
            ("2012-12-14T20:38:43", Some("2012-12-14T20:38:43+00:00")),
            ("2012-12-14", Some("2012-12-14T00:00:00+00:00")),
            (
                "Wed Oct 10 20:19:24 +0000 2018",
                Some("2018-10-10T20:19:24+00:00"),
            ),
            ("20121214", None),
            ("201213140000000", None),
            ("12", None),
            ("null", None),
        ] {
            let shown = Time::parse(date).map(|time| time.to_string());
            assert_eq!(shown.as_deref(), expected, "{date}");
        }
    }

    #[test]
    fn periods() {
        for (text, start, end) in [
            ("2001", "2001-01-01", "2002-01-01"),
            ("2001-12", "2001-12-01", "2002-01-01"),
            ("2004-02-28", "2004-02-28", "2004-02-29"),
        ] {
            let at = |date| Time::parse(date).map_or(0, |time| time.microseconds);
            assert_eq!(Time::period(text), Some(at(start)..at(end)), "{text}");
        }
        let moment = Time::period("2001-06-30T12:00:00Z").map(|time| time.end - time.start);
        assert_eq!(moment, Some(1));
        for text in ["", "01", "2001-13", "2001-02-30", "9999-12-31", "yesterday"] {
            assert_eq!(Time::period(text), None, "{text}");
        }
    }

    #[test]
    fn dates_of_messages() {
        let cases = [
            (
                "Mon, 3 Mar 2003 12:00:00 +0100",
                "2003-03-03T12:00:00+01:00",
            ),
            (
                "Tue, 3 Mar 2003 12:00:00 +0100",
                "2003-03-03T12:00:00+01:00",
            ),
            ("3 Mar 2003 12:00 GMT (now)", "2003-03-03T12:00:00+00:00"),
            ("3 Mar 2003 12:00:00 -0000", "2003-03-03T12:00:00-00:00"),
            ("3 Mar 2003 12:00:00 -0030", "2003-03-03T12:00:00-00:30"),
            ("Mon,  3-Mar-03 12:00:00 MET", "2003-03-03T12:00:00+01:00"),
            ("3 Mar 103 12:00:00 +0000", "2003-03-03T12:00:00+00:00"),
            ("Mon Mar  3 12:00:00 2003", "2003-03-03T12:00:00-00:00"),
            ("Mar 3, 2003 9:05:61 EST", "2003-03-03T09:05:59-05:00"),
            ("3 Mar 2003 12:00:00 GMT+0200", "2003-03-03T12:00:00+02:00"),
        ];
        for (date, expected) in cases {
            let shown = Time::parse(date).map(|time| time.to_string());
            assert_eq!(shown.as_deref(), Some(expected), "{date}");
        }
        for date in [
            "",
            "Mon",
            "31 Feb 2003 12:00:00 +0000",
            "3 Mar 2003",
            "12:00",
            "a:b:c 1 2 3",
        ] {
            assert_eq!(Time::parse(date), None, "{date}");
        }
    }
}
