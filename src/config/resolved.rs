//! The settings that apply to the files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::{Depth, Kind};
use crate::find::Finder;
use crate::lint::Settings;
use crate::lint::rule::{Rule, Severity};
use crate::lint::{IgnoredUrls, Selection, Selector};
use crate::read::Reader;
use crate::standard::Standard;

use super::format::OutputSpec;
use super::names::RuleName;
use super::options::{Options, RuleOptions, Set};

/// The origin of what is not set anywhere.
pub const DEFAULT: &str = "default";

/// The settings that apply to the files of a folder. All that is left to decide depends on the name
/// of a file.
///
/// ```
/// use std::path::Path;
/// use urlint::config::{Options, Source};
/// use urlint::{Event, Standard};
///
/// let source = Source::new("the example", Path::new("/folder"));
/// let settings = Options::from_toml("schemeless = true\nstandard = 'whatwg'", &source)?.resolve();
/// assert_eq!(settings.standard(), Standard::Whatwg);
///
/// let mut urls = Vec::new();
/// settings.reader().read(b"note.txt", &b"see www.a.example"[..], &mut |event| {
///     if let Event::Found(found) = event {
///         urls.push(found.candidate.text.to_vec());
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(urls, [b"www.a.example"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resolved {
    /// The options that the settings come from.
    options: Options,
    /// The last decision about each rule, in the order of [`Rule::ALL`].
    decisions: Vec<Decision>,
    lint: Settings,
    /// Which parts of documents are read.
    pub depth: Depth,
    /// The lowest severity that is reported.
    pub min_severity: Severity,
}

/// Where it was decided whether a rule reports.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Where, for people.
    pub origin: Arc<str>,
    /// Whether the rule was ignored, and not just left out of a selection.
    pub ignored: bool,
}

/// The settings that apply to one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileSettings {
    /// The settings that apply to all files of its folder.
    pub resolved: Arc<Resolved>,
    /// The kind that `types` gives it.
    pub kind: Option<Kind>,
    /// The rules that `per-file-ignores` names for it.
    ignored: Vec<Selector>,
    /// What to lint, if it differs from the other files of the folder.
    own: Option<Settings>,
}

impl FileSettings {
    /// Returns what to look for and what to report: the finder, the standard, the rules that report,
    /// and the URLs about which nothing is reported.
    #[must_use]
    pub fn lint(&self) -> &Settings {
        self.own.as_ref().unwrap_or(&self.resolved.lint)
    }

    /// Returns what reads the file, as the kind that `types` gives it, if it does.
    #[must_use]
    pub fn reader(&self) -> Reader {
        self.resolved.reader().with_kind(self.kind)
    }

    /// Returns what is settled for this file and not for all of its folder.
    #[doc(hidden)]
    pub fn own(&self) -> impl std::fmt::Debug + '_ {
        (&self.kind, &self.ignored, &self.own)
    }

    /// Returns what to report under another standard, with the same choice of rules.
    #[must_use]
    pub fn lint_by(&self, standard: Standard) -> Settings {
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
        let lint = Settings::default()
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

    /// Returns what to look for and what to report, but for what `per-file-ignores` says of a file: the
    /// finder, the standard, the rules that report, and the URLs about which nothing is reported.
    #[must_use]
    pub fn lint(&self) -> &Settings {
        &self.lint
    }

    /// Returns how URLs are found.
    #[must_use]
    pub fn finder(&self) -> &Finder {
        &self.lint.finder
    }

    /// Returns what reads sources of any kind.
    #[must_use]
    pub fn reader(&self) -> Reader {
        Reader::default()
            .with_finder(self.finder().clone())
            .with_depth(self.depth)
    }

    /// Returns the options that the settings come from.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the last decision about a rule.
    #[doc(hidden)]
    #[must_use]
    pub fn decision(&self, rule: Rule) -> &Decision {
        &self.decisions[rule as usize]
    }

    /// Returns the settings for the file at the absolute path `path`, which need not exist: what
    /// `types` and `per-file-ignores` say of it.
    #[must_use]
    pub fn for_file(self: &Arc<Self>, path: &Path) -> FileSettings {
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

    /// Returns whether the file or folder at the absolute path `path` is excluded, or a folder that it is
    /// in. `is_folder` says whether it is itself a folder.
    #[must_use]
    pub fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let exclude = self.options.exclude.as_ref();
        exclude.is_some_and(|exclude| exclude.value.contain(path, is_folder))
    }

    /// Returns the output formats of `urlint check`.
    #[must_use]
    pub fn output_format(&self) -> Vec<OutputSpec> {
        self.options.output_format()
    }

    /// Returns the file of known diagnostics, if there is one.
    #[must_use]
    pub fn baseline(&self) -> Option<PathBuf> {
        self.options.baseline()
    }

    /// Returns whether unsafe fixes are applied too.
    #[must_use]
    pub fn unsafe_fixes(&self) -> bool {
        self.options.unsafe_fixes()
    }

    /// Returns the standard by which URLs are judged.
    #[must_use]
    pub fn standard(&self) -> Standard {
        self.lint.standard
    }

    /// Returns which rules report, but for what `per-file-ignores` says of a file.
    #[must_use]
    pub fn selection(&self) -> &Selection {
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
    fn layer(&mut self, rules: &RuleOptions, origin: &Arc<str>) {
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

    fn add(&mut self, selector: Selector, origin: &Arc<str>) {
        self.note(&selector, origin, false);
        self.selection.add(selector);
    }

    fn ignore(&mut self, selector: Selector, origin: &Arc<str>) {
        self.note(&selector, origin, true);
        self.selection.remove(selector);
    }

    fn note(&mut self, selector: &Selector, origin: &Arc<str>, ignored: bool) {
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
