//! How often each rule reported.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use urlint_lint::Rule;

use super::json::Value::{Number, Object, Text};
use super::{PlacedDiagnostic, Report, json};

/// Counts the diagnostics, and writes the counts instead of them.
pub(crate) struct Statistics {
    json: bool,
    counts: BTreeMap<Rule, u64>,
}

impl Statistics {
    /// With `json`, it writes a JSON object for each rule instead of a table.
    pub(crate) fn new(json: bool) -> Self {
        Statistics {
            json,
            counts: BTreeMap::new(),
        }
    }
}

impl Report for Statistics {
    fn report(&mut self, _: &mut dyn Write, placed: &PlacedDiagnostic<'_>) -> io::Result<()> {
        *self.counts.entry(placed.diagnostic.rule).or_default() += 1;
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self
            .counts
            .iter()
            .map(|(rule, &count)| (rule.name(), count));
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|&(rule, count)| (Reverse(count), rule));
        let width = rows.first().map_or(0, |(_, count)| count.to_string().len());
        for (rule, count) in rows {
            if self.json {
                let row = Object(vec![("rule", Text(rule.into())), ("count", Number(count))]);
                json::write_line(&mut *out, &row)?;
            } else {
                writeln!(out, "{count:width$} {rule}")?;
            }
        }
        Ok(())
    }
}
