//! The severity of a rule at a place, which its record on other people's documents decides.

use super::{Rule, Severity};

/// The place of a URL in its document. The more is certain there, the more of its faults are mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub enum Place {
    /// The target of a link, an attribute, a wrapper or an angle; or the URL is the whole text.
    #[default]
    Link,
    /// A sentence or a list, or a setting.
    Text,
    /// Source code, or text in which the URL is part of something else.
    Code,
    /// Code that a document shows, or a login that is an example.
    Shown,
    /// Test data.
    Tested,
}

impl Rule {
    /// Returns the severity of a report of the rule at `place`. In test data, the fault may be part of the test.
    pub(crate) fn severity_at(self, place: Place) -> Severity {
        let row = self.records();
        match row.get(place as usize).or(row.last()) {
            Some((severity, _)) if place < Place::Tested => *severity,
            _ => Severity::Hint,
        }
    }

    /// Returns the highest severity that the rule itself gives its diagnostics: that in a link.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.records()[0].0
    }

    /// Returns the severities with their records, for people: `warning 12/14, hint 2/14`.
    #[doc(hidden)]
    pub fn record(self) -> String {
        let same_severity = self.records().chunk_by(|a, b| a.0 == b.0);
        let columns = same_severity.map(|columns| {
            let severity = columns[0].0;
            let sum = |number: usize| columns.iter().map(|column| column.1[number]).sum::<usize>();
            match sum(1) {
                0 => severity.to_string(),
                all => format!("{severity} {}/{all}", sum(0)),
            }
        });
        columns.collect::<Vec<_>>().join(", ")
    }
}
