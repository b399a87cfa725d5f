//! What holds for the files of a folder.

use std::path::Path;
use std::sync::Arc;

use urlint::find::Schemes;
use urlint::{Depth, Finder, IgnoredUrls, Kind, Rule, Selection, Selector, Severity};

use super::keys::{Keys, Named, Origin, Rules, Set};

/// Where what nobody has set comes from.
pub(crate) const DEFAULT: &str = "default";

/// What holds for the files of a folder: plain values, nothing left to decide but what depends on
/// the name of a file.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What the values come from.
    pub(super) keys: Keys,
    /// For each rule, in the table's order, what was last decided about it.
    pub(super) decided: Vec<Decision>,
    lint: urlint::Settings,
    pub(crate) depth: Depth,
    pub(crate) min_severity: Severity,
}

/// Who has decided whether a rule reports.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) origin: Origin,
    /// Whether it was ignored by name, and not just left out.
    pub(super) ignored: bool,
}

/// What holds for one file.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub(crate) settings: Arc<Settings>,
    /// The kind that its name has been given.
    pub(crate) kind: Option<Kind>,
    /// What is linted, if that is not the same as for the other files of the folder.
    own: Option<urlint::Settings>,
}

impl Holding {
    /// What to look for and what to report.
    pub(crate) fn lint(&self) -> &urlint::Settings {
        self.own.as_ref().unwrap_or(&self.settings.lint)
    }
}

impl Settings {
    pub(super) fn new(keys: Keys) -> Self {
        let (selection, decided) = selection(&keys.rules);
        let patterns = value(&keys.ignore_urls, Vec::new());
        let patterns: Vec<_> = patterns.into_iter().map(|url| url.pattern).collect();
        // Whether a source is code follows from its name.
        let mut finder = Finder::default()
            .with_rejoin(value(&keys.rejoin, Default::default()))
            .with_hyphen(value(&keys.hyphen, Default::default()))
            .with_schemeless(value(&keys.schemeless, false));
        finder.schemes = value(&keys.schemes, Schemes::default());
        // The reader of the configuration has reported patterns that do not compile.
        let ignored = IgnoredUrls::new(&patterns).unwrap_or_default();
        let lint = urlint::Settings::default().with_finder(finder);
        Settings {
            lint: lint.with_selection(selection).with_ignored(ignored),
            depth: Depth::default()
                .with_deep(value(&keys.deep, false))
                .with_skip_code(value(&keys.skip_code, false)),
            min_severity: value(&keys.min_severity, Severity::Hint),
            decided,
            keys,
        }
    }

    /// What holds for the file of the absolute path `path`.
    pub(super) fn for_file(self: &Arc<Self>, path: &Path) -> Holding {
        let types = self.keys.types.iter().rev();
        let mut matching = types.filter(|entry| entry.value.0.contain(path, false));
        Holding {
            settings: self.clone(),
            kind: matching.next().map(|entry| entry.value.1),
            own: self.without_ignored(path),
        }
    }

    fn without_ignored(&self, path: &Path) -> Option<urlint::Settings> {
        let mut own = None;
        for Set { value, .. } in &self.keys.per_file_ignores {
            let (globs, rules) = value;
            if globs.contain(path, false) {
                let own = own.get_or_insert_with(|| self.lint.clone());
                for selector in all(rules) {
                    own.selection.remove(selector);
                }
            }
        }
        own
    }

    /// Whether the file or folder of the absolute path `path` is passed over.
    pub(super) fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let exclude = self.keys.exclude.as_ref();
        exclude.is_some_and(|exclude| exclude.value.contain(path, is_folder))
    }

    /// The formats that are asked for, if any are.
    pub(crate) fn output_format(&self) -> Option<&[crate::commands::Asked]> {
        self.keys
            .output_format
            .as_ref()
            .map(|set| set.value.as_slice())
    }

    /// The file of diagnostics that are known.
    pub(crate) fn baseline(&self) -> Option<&Path> {
        self.keys.baseline.as_ref().map(|set| &*set.value)
    }

    /// Whether unsafe fixes are applied too.
    pub(crate) fn unsafe_fixes(&self) -> bool {
        value(&self.keys.unsafe_fixes, false)
    }

    pub(crate) fn selection(&self) -> &Selection {
        &self.lint.selection
    }
}

fn value<T: Clone>(set: &Option<Set<T>>, default: T) -> T {
    set.as_ref().map_or(default, |set| set.value.clone())
}

fn all(named: &[Named]) -> impl Iterator<Item = Selector> {
    named.iter().flat_map(|named| named.selectors.clone())
}

/// Which rules report after all layers, and who has decided it.
fn selection(layers: &[Set<Rules>]) -> (Selection, Vec<Decision>) {
    let by_default = Decision {
        origin: DEFAULT.into(),
        ignored: false,
    };
    let mut deciding = Deciding {
        selection: Selection::default(),
        decided: vec![by_default; Rule::ALL.len()],
    };
    for layer in layers {
        deciding.layer(&layer.value, &layer.origin);
    }
    (deciding.selection, deciding.decided)
}

struct Deciding {
    selection: Selection,
    decided: Vec<Decision>,
}

impl Deciding {
    fn layer(&mut self, rules: &Rules, origin: &Origin) {
        let severities = severities(rules);
        if let Some(select) = &rules.select {
            self.selection.remove(Selector::All);
            self.note(&Selector::All, origin, false);
            all(select).for_each(|selector| self.add(selector, origin));
        }
        for &(rule, severity) in &severities {
            let rule = Selector::Rule(rule);
            if let Some(severity) = severity {
                self.selection.set_severity(*rule, severity);
                // To say how grave something is, is to want to hear of it; but where rules are
                // selected by name, only those are.
                if rules.select.is_none() {
                    self.add(rule, origin);
                }
            }
        }
        all(&rules.extend_select).for_each(|selector| self.add(selector, origin));
        all(&rules.ignore).for_each(|selector| self.ignore(selector, origin));
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
            self.decided[rule as usize] = Decision {
                origin: origin.clone(),
                ignored,
            };
        }
    }
}

/// The severities that a layer sets, `None` being `off`; the one that names a rule wins over the
/// one that names its group.
fn severities(rules: &Rules) -> Vec<(Rule, Option<Severity>)> {
    let mut severities = vec![None; Rule::ALL.len()];
    let breadth = |selector: &Selector| match selector {
        Selector::All => 0,
        Selector::Group(_) => 1,
        _ => 2,
    };
    let mut entries: Vec<_> = rules
        .severity
        .iter()
        .flat_map(|(named, severity)| named.selectors.iter().map(move |of| (of, *severity)))
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
