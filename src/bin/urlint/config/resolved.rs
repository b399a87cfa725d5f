//! The settings that apply to the files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlint::document::{Depth, Kind};
use urlint::lint::{IgnoredUrls, Selection, Selector};
use urlint::standard::Standard;
use urlint::{Finder, Rule, Severity};

use super::names::RuleName;
use super::options::{Options, Origin, RuleOptions, Set};
use crate::report::OutputSpec;

/// The origin of what is not set anywhere.
pub(crate) const DEFAULT: &str = "default";

/// The settings that apply to the files of a folder. All that is left to decide depends on the name
/// of a file.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// The options that the settings come from.
    pub(super) options: Options,
    /// The last decision about each rule, in the order of [`Rule::ALL`].
    pub(super) decisions: Vec<Decision>,
    lint: urlint::Settings,
    pub(crate) depth: Depth,
    pub(crate) min_severity: Severity,
}

/// Where it was decided whether a rule reports.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) origin: Origin,
    /// Whether the rule was ignored, and not just left out of a selection.
    pub(super) ignored: bool,
}

/// The settings that apply to one file.
#[derive(Clone, Debug)]
pub(crate) struct FileSettings {
    pub(crate) resolved: Arc<Resolved>,
    /// The kind that `types` gives it.
    pub(crate) kind: Option<Kind>,
    /// The rules that `per-file-ignores` names for it.
    ignored: Vec<Selector>,
    /// What to lint, if it differs from the other files of the folder.
    own: Option<urlint::Settings>,
}

impl FileSettings {
    /// Returns what to look for and what to report.
    pub(crate) fn lint(&self) -> &urlint::Settings {
        self.own.as_ref().unwrap_or(&self.resolved.lint)
    }

    /// Returns what is settled for this file and not for all of its folder.
    pub(crate) fn own(&self) -> impl std::fmt::Debug + '_ {
        (&self.kind, &self.ignored, &self.own)
    }

    /// Returns what to report under another standard, with the same choice of rules.
    pub(crate) fn lint_by(&self, standard: Standard) -> urlint::Settings {
        let (mut selection, _) = select(standard, &self.resolved.options.rules);
        (self.ignored.iter()).for_each(|selector| selection.remove(*selector));
        let lint = self.lint().clone().with_standard(standard);
        lint.with_selection(selection)
    }
}

impl Resolved {
    pub(super) fn new(options: Options) -> Self {
        let standard = options.chosen_standard();
        let (selection, decisions) = select(standard, &options.rules);
        let patterns: Vec<_> = options
            .ignore_urls()
            .into_iter()
            .map(|url| url.pattern)
            .collect();
        // Whether a source is code follows from its name.
        let mut finder = Finder::default()
            .with_rejoin(options.rejoin())
            .with_hyphen(options.hyphen())
            .with_schemeless(options.schemeless());
        finder.schemes = options.schemes();
        // They were compiled when they were read.
        let ignored = IgnoredUrls::new(&patterns).unwrap_or_default();
        let lint = urlint::Settings::default()
            .with_finder(finder)
            .with_standard(standard)
            .with_selection(selection)
            .with_ignored(ignored);
        Resolved {
            lint,
            depth: Depth::default()
                .with_deep(options.deep())
                .with_skip_code(options.skip_code()),
            min_severity: options.min_severity(),
            decisions,
            options,
        }
    }

    /// Returns the settings for the file at the absolute path `path`.
    pub(super) fn for_file(self: &Arc<Self>, path: &Path) -> FileSettings {
        let types = self.options.types.iter().rev();
        let mut matching = types.filter(|entry| entry.value.0.contain(path, false));
        let ignored = self.ignored_in(path);
        let own = (!ignored.is_empty()).then(|| {
            let mut own = self.lint.clone();
            (ignored.iter()).for_each(|selector| own.selection.remove(*selector));
            own
        });
        FileSettings {
            resolved: self.clone(),
            kind: matching.next().map(|entry| entry.value.1),
            ignored,
            own,
        }
    }

    /// Returns the rules that `per-file-ignores` names for the file at the absolute path `path`.
    fn ignored_in(&self, path: &Path) -> Vec<Selector> {
        let entries = self.options.per_file_ignores.iter();
        let entries = entries.filter(|entry| entry.value.0.contain(path, false));
        entries
            .flat_map(|entry| selectors(&entry.value.1))
            .collect()
    }

    /// Returns whether the file or folder at the absolute path `path` is excluded.
    pub(super) fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let exclude = self.options.exclude.as_ref();
        exclude.is_some_and(|exclude| exclude.value.contain(path, is_folder))
    }

    /// Returns the output formats of `check`.
    pub(crate) fn output_format(&self) -> Vec<OutputSpec> {
        self.options.output_format()
    }

    /// Returns the file of the baseline.
    pub(crate) fn baseline(&self) -> Option<PathBuf> {
        self.options.baseline()
    }

    /// Returns whether unsafe fixes are applied too.
    pub(crate) fn unsafe_fixes(&self) -> bool {
        self.options.unsafe_fixes()
    }

    /// Returns the standard by which URLs are judged.
    pub(crate) fn standard(&self) -> Standard {
        self.lint.standard
    }

    /// Returns which rules report, but for what `per-file-ignores` says of a file.
    pub(crate) fn selection(&self) -> &Selection {
        &self.lint.selection
    }
}

fn selectors(names: &[RuleName]) -> impl Iterator<Item = Selector> {
    names.iter().flat_map(|name| name.selectors.clone())
}

/// Returns which rules report under `standard` after all layers, and where each was decided.
fn select(standard: Standard, layers: &[Set<RuleOptions>]) -> (Selection, Vec<Decision>) {
    let by_default = Decision {
        origin: DEFAULT.into(),
        ignored: false,
    };
    let mut selecting = Selecting {
        selection: Selection::of(standard),
        decisions: vec![by_default; Rule::ALL.len()],
    };
    for layer in layers {
        selecting.layer(&layer.value, &layer.origin);
    }
    (selecting.selection, selecting.decisions)
}

struct Selecting {
    selection: Selection,
    decisions: Vec<Decision>,
}

impl Selecting {
    fn layer(&mut self, rules: &RuleOptions, origin: &Origin) {
        let severities = severities(rules);
        if let Some(select) = &rules.select {
            self.selection.remove(Selector::All);
            self.note(&Selector::All, origin, false);
            selectors(select).for_each(|selector| self.add(selector, origin));
        }
        for &(rule, severity) in &severities {
            let rule = Selector::Rule(rule);
            if let Some(severity) = severity {
                self.selection.set_severity(rule, severity);
                // A rule whose severity is set is wanted; but `select` in the same layer means only
                // the rules that it names.
                if rules.select.is_none() {
                    self.add(rule, origin);
                }
            }
        }
        selectors(&rules.extend_select).for_each(|selector| self.add(selector, origin));
        selectors(&rules.ignore).for_each(|selector| self.ignore(selector, origin));
        for (rule, severity) in severities {
            if severity.is_none() {
                self.ignore(Selector::Rule(rule), origin);
            }
        }
    }

    fn add(&mut self, selector: Selector, origin: &Origin) {
        self.note(&selector, origin, false);
        self.selection.add(selector);
    }

    fn ignore(&mut self, selector: Selector, origin: &Origin) {
        self.note(&selector, origin, true);
        self.selection.remove(selector);
    }

    fn note(&mut self, selector: &Selector, origin: &Origin, ignored: bool) {
        for rule in selector.rules() {
            self.decisions[rule as usize] = Decision {
                origin: origin.clone(),
                ignored,
            };
        }
    }
}

/// Returns the severities that a layer sets, `None` being `off`. An entry for a rule wins over one
/// for its group.
fn severities(rules: &RuleOptions) -> Vec<(Rule, Option<Severity>)> {
    let mut severities = vec![None; Rule::ALL.len()];
    let breadth = |selector: &Selector| match selector {
        Selector::All => 0,
        Selector::Group(_) => 1,
        _ => 2,
    };
    let mut entries: Vec<_> = rules
        .severity
        .iter()
        .flat_map(|(name, severity)| name.selectors.iter().map(move |of| (of, *severity)))
        .collect();
    entries.sort_by_key(|(selector, _)| breadth(selector));
    for (selector, severity) in entries {
        for rule in selector.rules() {
            severities[rule as usize] = Some(severity);
        }
    }
    let all = Rule::ALL.iter().zip(severities);
    all.filter_map(|(&rule, severity)| Some((rule, severity?)))
        .collect()
}
