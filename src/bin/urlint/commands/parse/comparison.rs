//! What several standards say about a URL, side by side.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urlint::standard::Part;

use super::difference::difference;
use crate::report::judgement::{Judgement, put};
use crate::terminal;

/// The most characters of a component that are shown, so that the columns fit.
const WIDTH: usize = 32;

/// The judgements of one URL by several standards; there is at least one.
pub(super) struct Comparison<'j>(pub(super) &'j [Judgement<'j>]);

impl Comparison<'_> {
    /// Writes a table with a column for each standard, how they differ, and all problems.
    pub(super) fn text(&self, out: &mut Vec<u8>) {
        let Comparison(all) = self;
        if let Some(first) = all.first() {
            put(out, &first.shown(Part::all(first.parsed.url)));
        }
        let hosts = all.iter().map(|by| cell(by, by.parsed.components.host));
        let paths = all.iter().map(|by| cell(by, by.parsed.components.path));
        let rows = [
            (
                "",
                all.iter()
                    .map(|by| by.parsed.standard.to_string())
                    .collect(),
            ),
            (
                "verdict",
                all.iter().map(|by| by.verdict().to_owned()).collect(),
            ),
            ("host", hosts.collect()),
            ("path", paths.collect::<Vec<_>>()),
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
            put(out, &line);
        }
        if let Some(href) = all.iter().find_map(|by| by.href.as_ref()) {
            let href = terminal::line(href.as_bytes());
            put(out, &format!("  {:<11} {href}", "href"));
        }
        if let Some(difference) = difference(all) {
            put(out, &format!("  {difference}"));
        }
        for by in *all {
            for problem in by.said() {
                let line = problem.line(true);
                put(out, &format!("  {}: {line}", by.parsed.standard));
            }
        }
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

impl Serialize for Comparison<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        let Comparison(all) = self;
        if let Some(first) = all.first() {
            object.serialize_entry("url", &first.text_of(Part::all(first.parsed.url)))?;
        }
        for by in *all {
            object.serialize_entry(by.parsed.standard.name(), &by.row(false))?;
        }
        object.serialize_entry("difference", &difference(all))?;
        object.end()
    }
}
