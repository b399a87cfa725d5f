//! How often each rule reported.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use urlint::Rule;

use super::{PlacedDiagnostic, Report, json};

/// Counts the diagnostics, and writes the counts instead of them.
pub(crate) struct Statistics {
    json: bool,
    counts: BTreeMap<Rule, u64>,
}

#[derive(Serialize)]
struct RuleCount<'r> {
    rule: &'r str,
    count: u64,
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
        let rows = self.counts.iter().map(|(rule, &count)| RuleCount {
            rule: rule.name(),
            count,
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|row| (Reverse(row.count), row.rule));
        let width = rows.first().map_or(0, |row| row.count.to_string().len());
        for row in rows {
            if self.json {
                json::write_line(&mut *out, &row)?;
            } else {
                writeln!(out, "{:width$} {}", row.count, row.rule)?;
            }
        }
        Ok(())
    }
}
