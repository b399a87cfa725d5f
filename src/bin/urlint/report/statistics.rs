//! How often each rule reported.

use std::collections::BTreeMap;
use std::io::{self, Write};

use urlint::{Diagnostic, Rule};

use super::excerpt::Place;
use super::{Report, json};

/// Counts the diagnostics, and prints the counts instead of them.
#[derive(Default)]
pub(crate) struct Statistics {
    pub(crate) json: bool,
    pub(crate) counts: BTreeMap<Rule, u64>,
}

impl Report for Statistics {
    fn report(
        &mut self,
        _out: &mut dyn Write,
        _path: &[u8],
        _place: &Place<'_>,
        diagnostic: &Diagnostic,
    ) -> io::Result<()> {
        *self.counts.entry(diagnostic.rule).or_default() += 1;
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut counts: Vec<_> = self.counts.iter().collect();
        counts.sort_by_key(|&(rule, count)| (std::cmp::Reverse(count), rule.name()));
        let width = counts
            .first()
            .map_or(0, |(_, count)| count.to_string().len());
        for (rule, count) in counts {
            if self.json {
                let mut line = Vec::new();
                json::object(&mut line, |object| {
                    object.string("rule", rule.name().as_bytes());
                    object.number("count", *count);
                });
                line.push(b'\n');
                out.write_all(&line)?;
            } else {
                writeln!(out, "{count:width$} {rule}")?;
            }
        }
        Ok(())
    }
}
