//! The judgements of a URL by several standards, a row for each.

use urlint_standard::standard::Part;

use urlint_report::json::Value;
use urlint_report::judgement::{Judgement, put};
use urlint_report::terminal;

/// The judgements of one URL by several standards; there is at least one.
pub(super) struct Comparison<'j>(pub(super) &'j [Judgement<'j>]);

impl<'j> Comparison<'j> {
    /// Returns the URL with an object for each standard.
    pub(super) fn row(&self) -> Value<'j> {
        let Comparison(all) = self;
        let url = all.iter().take(1);
        let url = url.map(|first| ("url", first.text_of(Part::all(first.parsed.url))));
        let by = all
            .iter()
            .map(|by| (by.parsed.standard.name(), by.row(false)));
        Value::Object(url.chain(by).collect())
    }

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
