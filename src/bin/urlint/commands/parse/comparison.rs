//! What several standards say about a URL, side by side.

use std::net::Ipv4Addr;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urlint::standard::{Part, Standard};
use urlint::url::Split;

use crate::report::judgement::{Judgement, Web};
use crate::terminal;

/// The most characters of a component that are shown, so that the columns fit.
const WIDTH: usize = 32;

/// The judgements of one URL by several standards; there is at least one.
pub(super) struct Comparison<'j>(pub(super) &'j [Judgement<'j>]);

impl Comparison<'_> {
    /// Writes a table with a column for each standard, how they differ, and all problems.
    pub(super) fn text(&self, out: &mut Vec<u8>) {
        let Comparison(all) = self;
        let mut put = |line: &str| {
            let line = terminal::without_commands(line.trim_end());
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        };
        if let Some(first) = all.first() {
            put(&first.shown(Part::all(first.url)));
        }
        let component = |name| all.iter().map(move |by| cell(by, by.component(name)));
        let rows = [
            ("", all.iter().map(|by| by.standard.to_string()).collect()),
            (
                "verdict",
                all.iter().map(|by| by.verdict().to_owned()).collect(),
            ),
            ("host", component("host").collect()),
            ("path", component("path").collect::<Vec<_>>()),
        ];
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|(_, cells)| cells.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..all.len()).map(width).collect();
        for (name, cells) in &rows {
            let mut line = format!("  {name:<11}");
            for (cell, width) in cells.iter().zip(&widths) {
                line.push_str(&format!(" {cell:<width$} "));
            }
            put(&line);
        }
        if let Some(href) = self.web().and_then(|web| web.href.as_ref()) {
            put(&format!(
                "  {:<11} {}",
                "href",
                terminal::line(href.as_bytes())
            ));
        }
        if let Some(difference) = self.difference() {
            put(&format!("  {difference}"));
        }
        for by in *all {
            for problem in by.said() {
                put(&format!(
                    "  {}: {}",
                    by.standard,
                    by.problem_line(problem, true)
                ));
            }
        }
    }

    /// Returns a sentence about how the standards differ; `None` if they agree.
    fn difference(&self) -> Option<String> {
        self.hosts()
            .or_else(|| self.paths())
            .or_else(|| self.verdicts())
    }

    /// Returns which hosts they read, if these differ.
    fn hosts(&self) -> Option<String> {
        let [older, uri, web] = self.0 else {
            return None;
        };
        let is_same = |one: Option<&[u8]>, other: Option<&[u8]>| match (one, other) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            // A standard that does not know the scheme's authority does not disagree.
            _ => true,
        };
        let is_older_same = is_same(older.host(), uri.host());
        let is_web_same = match self.web() {
            Some(read) if read.parses => is_same(uri.host(), web.host()),
            _ => true,
        };
        let number = self.browsers_host().filter(|number| {
            number.parse::<Ipv4Addr>().is_ok() && web.host() != Some(number.as_bytes())
        });
        if is_older_same && is_web_same && number.is_none() {
            return None;
        }
        let mut readings = Vec::new();
        for by in [older, uri] {
            if let Some(part) = by.component("host")
                && !(is_older_same && by.standard == older.standard)
            {
                let host = by.shown(part);
                let read = if host.is_empty() {
                    "an empty host".to_owned()
                } else {
                    format!("the host `{host}`")
                };
                readings.push(format!("{} reads {read}", reader(by.standard)));
            }
        }
        let is_followed = self.web().is_some_and(|web| web.parses);
        let written = web.component("host").filter(|_| is_followed);
        let gone_to = self.browsers_host();
        readings.push(
            match gone_to.or_else(|| written.map(|part| web.shown(part))) {
                Some(host) => format!("browsers go to `{host}`"),
                None => "browsers follow it nowhere".to_owned(),
            },
        );
        Some(readings.join(", "))
    }

    /// Returns which paths they read, if these differ.
    fn paths(&self) -> Option<String> {
        let [_, uri, web] = self.0 else {
            return None;
        };
        let href = self.web()?.href.as_ref()?;
        let (path, read) = (uri.component("path")?, web.component("path")?);
        let asked = Split::of(href.as_bytes()).path.of(href.as_bytes());
        let raw = read.of(web.url);
        let is_repaired = raw.contains(&b'\\') && !asked.contains(&b'\\') && asked != raw;
        if path == read && !is_repaired {
            return None;
        }
        let asked = terminal::line(asked);
        let path = uri.shown(path);
        Some(format!(
            "{} reads the path `{path}`, browsers ask for `{asked}`",
            reader(uri.standard),
        ))
    }

    /// Returns by which standards the URL is valid, if by some and not by others.
    fn verdicts(&self) -> Option<String> {
        let named = |is_valid: bool| {
            let those = self.0.iter().filter(|by| by.is_valid() == is_valid);
            those.map(|by| reader(by.standard)).collect::<Vec<_>>()
        };
        let (valid, invalid) = (named(true), named(false));
        if valid.is_empty() || invalid.is_empty() {
            return None;
        }
        let valid = valid.join(" and ");
        Some(if self.web().is_some_and(|web| !web.parses) {
            format!("It is valid by {valid}, but browsers follow it nowhere")
        } else {
            format!(
                "It is valid by {valid}, but not by {}",
                invalid.join(" and ")
            )
        })
    }

    fn web(&self) -> Option<&Web> {
        self.0.iter().find_map(|by| by.web.as_ref())
    }

    /// Returns the host that browsers go to.
    fn browsers_host(&self) -> Option<String> {
        let href = self.web()?.href.as_ref()?.as_bytes();
        let host = Split::of(href).host?.of(href);
        Some(terminal::line(host).into_owned())
    }
}

/// Returns what a column shows for a component.
fn cell(by: &Judgement<'_>, part: Option<Part>) -> String {
    let Some(part) = part else {
        return "-".to_owned();
    };
    let shown = by.shown(part);
    match shown.char_indices().nth(WIDTH) {
        Some(_) => shown.chars().take(WIDTH - 1).chain(['…']).collect(),
        None => shown,
    }
}

/// Returns the name of `standard` in a sentence.
fn reader(standard: Standard) -> &'static str {
    match standard {
        Standard::Rfc3986 => "RFC 3986",
        Standard::Rfc3987 => "RFC 3987",
        Standard::Whatwg => "the URL Standard",
        _ => "RFC 1738",
    }
}

impl Serialize for Comparison<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        if let Some(first) = self.0.first() {
            object.serialize_entry("url", &first.text_of(Part::all(first.url)))?;
        }
        for by in self.0 {
            object.serialize_entry(by.standard.name(), &by.row(false))?;
        }
        object.serialize_entry("difference", &self.difference())?;
        object.end()
    }
}
