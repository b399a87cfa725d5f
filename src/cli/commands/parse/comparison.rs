//! The judgements of a URL by several standards, a row for each.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use urlint_standard::standard::Part;

use urlint_report::judgement::{Judgement, put};
use urlint_report::terminal;

/// The judgements of one URL by several standards; there is at least one.
pub(super) struct Comparison<'j>(pub(super) &'j [Judgement<'j>]);

impl Comparison<'_> {
    /// Writes a row for each standard, with the verdict and the components, and then all problems.
    pub(super) fn text(&self, out: &mut Vec<u8>) {
        let Comparison(all) = self;
        if let Some(first) = all.first() {
            put(out, &first.shown(Part::all(first.parsed.url)));
        }
        for by in *all {
            let components = by.components().into_iter();
            let components = components.filter(|(name, _)| *name != "scheme");
            let components: Vec<_> = components
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let (standard, verdict) = (by.parsed.standard, by.verdict());
            let components = components.join(" ");
            put(out, &format!("  {standard:<8} {verdict:<25} {components}"));
        }
        if let Some(href) = all.iter().find_map(|by| by.href.as_ref()) {
            let href = terminal::line(href.as_bytes());
            put(out, &format!("  {:<8} {href}", "href"));
        }
        for by in *all {
            for problem in by.all() {
                let line = problem.line(true);
                put(out, &format!("  {}: {line}", by.parsed.standard));
            }
        }
    }
}

impl Serialize for Comparison<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Comparison(all) = self;
        let mut object = serializer.serialize_map(None)?;
        if let Some(first) = all.first() {
            object.serialize_entry("url", &first.text_of(Part::all(first.parsed.url)))?;
        }
        for by in *all {
            object.serialize_entry(by.parsed.standard.name(), &by.row(false))?;
        }
        object.end()
    }
}
