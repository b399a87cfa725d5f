//! What configuration can say: each key, where it was set, and what wins.

use std::path::PathBuf;
use std::sync::Arc;

use urlint::find::Schemes;
use urlint::{Hyphen, Kind, Rejoin, Selector, Severity, UrlPattern};

use super::globs::Globs;
use crate::commands::Asked;

/// Where something was set, for people: a file, a flag.
pub(crate) type Origin = Arc<str>;

/// A value that was set.
#[derive(Clone, Debug)]
pub(crate) struct Set<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

impl<T> Set<T> {
    /// A value that a flag sets.
    pub(crate) fn by_flag(value: T) -> Self {
        Set {
            value,
            origin: "the command line".into(),
        }
    }
}

/// What a file, or the command line, says. What it does not speak of is left to others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    /// Which rules report: each layer changes what those before it have left.
    pub(crate) rules: Vec<Set<Rules>>,
    pub(crate) per_file_ignores: Vec<Set<(Globs, Vec<Named>)>>,
    pub(crate) ignore_urls: Option<Set<Vec<IgnoredUrl>>>,
    pub(crate) schemes: Option<Set<Schemes>>,
    pub(crate) exclude: Option<Set<Globs>>,
    pub(crate) types: Vec<Set<(Globs, Kind)>>,
    pub(crate) rejoin: Option<Set<Rejoin>>,
    pub(crate) hyphen: Option<Set<Hyphen>>,
    pub(crate) schemeless: Option<Set<bool>>,
    pub(crate) deep: Option<Set<bool>>,
    pub(crate) skip_code: Option<Set<bool>>,
    pub(crate) min_severity: Option<Set<Severity>>,
    pub(crate) output_format: Option<Set<Vec<Asked>>>,
    pub(crate) baseline: Option<Set<PathBuf>>,
    pub(crate) unsafe_fixes: Option<Set<bool>>,
}

/// What a layer says about rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// These and no others; what earlier layers said is forgotten.
    pub(crate) select: Option<Vec<Named>>,
    pub(crate) extend_select: Vec<Named>,
    /// `None` is `off`.
    pub(crate) severity: Vec<(Named, Option<Severity>)>,
    pub(crate) ignore: Vec<Named>,
}

/// A name of a rule, of a group or of several rules, and what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) selectors: Vec<Selector>,
}

/// A pattern of URLs as it was written.
#[derive(Clone, Debug)]
pub(crate) struct IgnoredUrl {
    pub(crate) text: String,
    pub(crate) is_regex: bool,
    pub(crate) pattern: UrlPattern,
}

/// All keys, by name.
pub(crate) const NAMES: [&str; 19] = [
    "baseline",
    "deep",
    "exclude",
    "extend",
    "extend-select",
    "hyphen",
    "ignore",
    "ignore-urls",
    "min-severity",
    "output-format",
    "per-file-ignores",
    "rejoin",
    "schemeless",
    "schemes",
    "select",
    "severity",
    "skip-code",
    "types",
    "unsafe-fixes",
];

impl Keys {
    /// What holds if `self` wins over `base`: key by key, entry by entry in tables, while rules are
    /// selected layer by layer.
    pub(crate) fn over(self, base: &Keys) -> Keys {
        let base = base.clone();
        Keys {
            rules: [base.rules, self.rules].concat(),
            per_file_ignores: entries(base.per_file_ignores, self.per_file_ignores),
            ignore_urls: self.ignore_urls.or(base.ignore_urls),
            schemes: self.schemes.or(base.schemes),
            exclude: self.exclude.or(base.exclude),
            types: entries(base.types, self.types),
            rejoin: self.rejoin.or(base.rejoin),
            hyphen: self.hyphen.or(base.hyphen),
            schemeless: self.schemeless.or(base.schemeless),
            deep: self.deep.or(base.deep),
            skip_code: self.skip_code.or(base.skip_code),
            min_severity: self.min_severity.or(base.min_severity),
            output_format: self.output_format.or(base.output_format),
            baseline: self.baseline.or(base.baseline),
            unsafe_fixes: self.unsafe_fixes.or(base.unsafe_fixes),
        }
    }
}

/// The entries of `over` behind those of `base` that they leave.
fn entries<T>(mut base: Vec<Set<(Globs, T)>>, over: Vec<Set<(Globs, T)>>) -> Vec<Set<(Globs, T)>> {
    base.retain(|entry| {
        let texts = &entry.value.0.texts;
        over.iter().all(|other| other.value.0.texts != *texts)
    });
    base.extend(over);
    base
}
