//! The settings that apply to the files of a folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use urlint_documents::Reader;
use urlint_documents::document::{Depth, Kind};
use urlint_find::Finder;
use urlint_lint::{IgnoredUrls, Rule, Selection, Selector, Settings, Severity, UrlRule};
use urlint_standard::standard::Standard;

use super::globs::Globs;
use super::keys::Keys;
use super::names::RuleName;
use super::options::Options;
use super::values::{Glob, IgnoredUrl, Level, Show};

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
/// assert_eq!(settings.lint().standard, Standard::Whatwg);
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
    lint: Arc<Settings>,
    exclude: Option<Globs>,
    /// The kinds that `types` gives; the last match decides.
    types: Vec<(Globs, Kind)>,
    /// The rules that `per-file-ignores` names.
    ignored: Vec<(Globs, Vec<Selector>)>,
    /// The rules of one's own, and the files to which each applies.
    url_rules: Vec<(Option<Globs>, UrlRule)>,
    /// Whether a profile is chosen.
    pub has_profile: bool,
    /// Which parts of documents are read.
    pub depth: Depth,
    /// The lowest severity that is reported.
    pub min_severity: Severity,
}

/// The settings that apply to one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileSettings {
    /// The settings that apply to all files of its folder.
    pub resolved: Arc<Resolved>,
    /// The kind that `types` gives it or, for Markdown, the program that reads the files of its folder.
    pub kind: Option<Kind>,
    /// The settings of the linter, if they differ from the other files of the folder.
    own: Option<Arc<Settings>>,
}

impl Options {
    /// Returns the settings that these options make, with the default of each that is not set. No file
    /// is read.
    #[must_use]
    pub fn resolve(self) -> Arc<Resolved> {
        Arc::new(Resolved::new(self))
    }
}

impl FileSettings {
    /// Returns the settings of the linter: the finder, the standard, the rules that report,
    /// and the URLs about which nothing is reported.
    pub fn lint(&self) -> &Settings {
        self.shared_lint()
    }

    /// Returns [`lint`](Self::lint), to be kept.
    pub fn shared_lint(&self) -> &Arc<Settings> {
        self.own.as_ref().unwrap_or(&self.resolved.lint)
    }

    /// Returns the reader for the file, with the kind from `types`, if any.
    pub fn reader(&self) -> Reader {
        self.resolved.reader().with_kind(self.kind)
    }
}

impl Resolved {
    pub(super) fn new(options: Options) -> Self {
        let options = options.with_profile();
        let standard = options.get(|keys| &keys.standard).0;
        let patterns = options.get(|keys| &keys.ignore_urls);
        // They were compiled when they were read.
        let patterns: Vec<_> = patterns.iter().flat_map(IgnoredUrl::pattern).collect();
        let ignored = IgnoredUrls::new(&patterns).unwrap_or_default();
        let schemes = options.get(|keys| &keys.schemes);
        // Whether a source is code follows from its name.
        let finder = Finder::default()
            .with_mistakes(true)
            .with_rejoin(options.get(|keys| &keys.rejoin).0)
            .with_hyphen(options.get(|keys| &keys.hyphen).0)
            .with_schemeless(options.get(|keys| &keys.schemeless))
            .with_schemes(schemes.iter().map(|scheme| &*scheme.0));
        let exclude = options.first(|keys| keys.exclude.0.as_ref());
        let types = options.entries(|keys| &keys.types).into_iter();
        let ignores = options.entries(|keys| &keys.per_file_ignores).into_iter();
        let globs = |glob: &Glob, folder: &Path| Globs::new(&[&glob.0], folder);
        let lists = options.get(|keys| &keys.url_lists);
        let listed = lists.iter().flat_map(|list| list.0.rules()).cloned();
        let own = options.entries(|keys| &keys.url_rules).into_iter();
        // They were tried when they were read.
        let own = own.filter_map(|(name, keys, layer)| {
            let patterns: Vec<_> = keys.files.iter().map(|glob| &*glob.0).collect();
            let files = (!patterns.is_empty()).then(|| Globs::new(&patterns, &layer.folder));
            Some((files, keys.rule(&name.0).ok().flatten()?))
        });
        let url_rules: Vec<_> = listed.map(|rule| (None, rule)).chain(own).collect();
        let for_all = url_rules.iter().filter(|(files, _)| files.is_none());
        Resolved {
            lint: Settings::default()
                .with_url_rules(for_all.map(|(_, rule)| rule.clone()))
                .with_finder(finder)
                .with_standard(standard)
                .with_selection(select(standard, &options))
                .with_ignored(ignored)
                .into(),
            exclude: exclude.map(|(patterns, layer)| {
                let patterns: Vec<_> = patterns.iter().map(|pattern| &*pattern.0).collect();
                Globs::new(&patterns, &layer.folder)
            }),
            types: types
                .map(|(glob, kind, layer)| (globs(glob, &layer.folder), kind.0))
                .collect(),
            ignored: ignores
                .map(|(glob, rules, layer)| {
                    (globs(glob, &layer.folder), selectors(rules).collect())
                })
                .collect(),
            url_rules,
            has_profile: options.first(|keys| keys.profile.0.as_ref()).is_some(),
            depth: Depth::default()
                .with_deep(options.get(|keys| &keys.deep))
                .with_skip_code(options.get(|keys| &keys.skip_code)),
            min_severity: options.get(|keys| &keys.min_severity).0,
            options,
        }
    }

    /// Returns the settings of the lint, without `per-file-ignores`: the finder, the standard, the rules
    /// that report, and the URLs to ignore.
    pub fn lint(&self) -> &Settings {
        &self.lint
    }

    /// Returns the reader for sources of any kind, without [mistakes](Reader::with_mistakes).
    pub fn reader(&self) -> Reader {
        Reader::default()
            .with_finder(self.lint.finder.clone().with_mistakes(false))
            .with_depth(self.depth)
            .with_links(self.lint.selection.least(Rule::LinkText).is_some())
    }

    /// Returns the options that the settings come from.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the settings for the file at the absolute path `path`, which need not exist, by
    /// `types` and `per-file-ignores`.
    #[must_use]
    pub fn for_file(self: &Arc<Self>, path: &Path) -> FileSettings {
        let applies = |globs: &Globs| globs.contain(path, false);
        let mut kinds = self.types.iter().rev();
        let kind = kinds
            .find(|(globs, _)| applies(globs))
            .map(|(_, kind)| *kind);
        let ignored = self.ignored.iter().filter(|(globs, _)| applies(globs));
        let ignored: Vec<_> = ignored.flat_map(|(_, rules)| rules).copied().collect();
        let is_for = |files: &Option<Globs>| files.as_ref().is_none_or(applies);
        let mut for_some = self.url_rules.iter().filter(|(files, _)| files.is_some());
        let has_own = !ignored.is_empty() || for_some.any(|(files, _)| is_for(files));
        let own = has_own.then(|| {
            let mut own = Settings::clone(&self.lint);
            (ignored.iter()).for_each(|selector| own.selection.remove(*selector));
            let rules = self.url_rules.iter().filter(|(files, _)| is_for(files));
            Arc::new(own.with_url_rules(rules.map(|(_, rule)| rule.clone())))
        });
        FileSettings {
            resolved: self.clone(),
            kind,
            own,
        }
    }

    /// Returns whether the file or folder at the absolute path `path` is excluded, or a folder that it is
    /// in. `is_folder` says whether it is itself a folder.
    pub fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let exclude = self.exclude.as_ref();
        exclude.is_some_and(|globs| globs.contain(path, is_folder))
    }

    /// Returns whether unsafe fixes are applied too.
    pub fn unsafe_fixes(&self) -> bool {
        self.options.get(|keys| &keys.unsafe_fixes)
    }
}

fn selectors<'n>(names: impl IntoIterator<Item = &'n RuleName>) -> impl Iterator<Item = Selector> {
    names.into_iter().map(|name| name.selector)
}

/// Returns which rules report under `standard` after all layers.
fn select(standard: Standard, options: &Options) -> Selection {
    let mut selection = Selection::of(standard);
    for layer in options.layers().rev() {
        add_layer(&mut selection, &layer.keys);
    }
    if options.get(|keys| &keys.show).0 == Show::All {
        selection.name(Selector::All);
    }
    selection
}

fn add_layer(selection: &mut Selection, keys: &Keys) {
    if let Some(select) = &keys.select {
        selection.remove(Selector::All);
        selectors(select).for_each(|selector| selection.add(selector));
    }
    let levels = levels(keys);
    for &(rule, level) in &levels {
        let rule = Selector::Rule(rule);
        if let Some(severity) = level.severity() {
            selection.set_severity(rule, severity);
            // A rule whose severity is set is wanted; but `select` in the same layer means only
            // the rules that it names.
            if keys.select.is_none() {
                selection.add(rule);
            }
        }
    }
    selectors(keys.extend_select.0.iter().flatten()).for_each(|selector| selection.add(selector));
    selectors(keys.ignore.0.iter().flatten()).for_each(|selector| selection.remove(selector));
    for (rule, level) in levels {
        if level == Level::Off {
            selection.remove(Selector::Rule(rule));
        }
    }
}

/// Returns the levels that a layer sets. An entry for a rule wins over one for its group.
fn levels(keys: &Keys) -> Vec<(Rule, Level)> {
    let breadth = |selector: Selector| match selector {
        Selector::All => 0,
        Selector::Group(_) => 1,
        _ => 2,
    };
    let mut levels = BTreeMap::new();
    let entries = keys.severity.0.iter().flat_map(|table| &table.0);
    let mut entries: Vec<_> = entries
        .map(|(name, level)| (name.selector, level))
        .collect();
    entries.sort_by_key(|(selector, _)| breadth(*selector));
    for (selector, level) in entries {
        levels.extend(selector.rules().map(|rule| (rule, level.0)));
    }
    levels.into_iter().collect()
}
