//! Layers of keys, and the value that wins where several set the same one.

use std::hash::Hash;
use std::path::Path;
use std::sync::Arc;

use super::keys::{Keys, Setting};
use super::layer::{Layer, NO_FILE};
use super::mistake::{BadConfig, Mistake};
use super::source::Source;
use super::values::{Entries, Profile};

/// Layers of keys, each from a file or from a call. The value of a key is that of the first layer that
/// sets it, or the default. Tables are combined entry by entry, and rules are selected layer by layer.
///
/// ```
/// use std::path::Path;
/// use urlint::Rule;
/// use urlint::config::{Options, Source};
///
/// let source = Source::new("the example", Path::new("/folder"));
/// let base = Options::from_toml("deep = true\nselect = ['syntax']", &source)?;
/// let over = Options::from_toml("deep = false\nignore = ['bad-port']", &source)?;
/// let settings = over.over(&base).resolve();
/// assert!(!settings.depth.deep);
/// assert!(settings.lint().selection.least(Rule::BadPort).is_none());
/// assert!(settings.lint().selection.least(Rule::EmptyHost).is_some());
/// # Ok::<(), urlint::config::BadConfig>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Options {
    layers: Vec<Arc<Layer>>,
}

impl Options {
    /// Creates options of one layer, from `keys` that a call sets. Paths and patterns of paths are relative to the
    /// folder of `source`.
    ///
    /// # Errors
    ///
    /// Fails if a regular expression or a rule is wrong, or with `extend`, which has a meaning only in a file.
    ///
    /// ```
    /// use std::path::Path;
    /// use urlint::config::{Keys, Options, Setting, Source};
    ///
    /// let mut keys = Keys::default();
    /// keys.deep = Setting(Some(true));
    /// let options = Options::new(keys, &Source::new("the example", Path::new("/folder")))?;
    /// assert!(options.resolve().depth.deep);
    /// # Ok::<(), urlint::config::BadConfig>(())
    /// ```
    pub fn new(keys: Keys, source: &Source<'_>) -> Result<Options, BadConfig> {
        let layer = match keys.extend {
            Some(_) => Err(("extend", NO_FILE.to_owned())),
            None => Layer::new(keys, source),
        };
        layer.map(Options::of).map_err(|(_, message)| {
            BadConfig::mistaken(source.name.clone(), "", Mistake::new(0..0, message))
        })
    }

    pub(super) fn of(layer: Layer) -> Options {
        let layers = vec![Arc::new(layer)];
        Options { layers }
    }

    /// Combines options, of which `self` wins.
    pub fn over(mut self, base: &Options) -> Options {
        self.layers.extend_from_slice(&base.layers);
        self
    }

    /// Adds the keys of the profile that the layers choose, below them all.
    pub(super) fn with_profile(self) -> Options {
        let profile = self.get(|keys| &keys.profile).0;
        if profile == Profile::Default {
            return self;
        }
        let source = Source::new(format!("the profile {}", profile.name()), Path::new("/"));
        // The texts of all profiles are tested.
        let keys = Options::from_toml(profile.keys(), &source).unwrap_or_default();
        self.over(&keys)
    }

    /// Returns the layers, of which the first wins.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        self.layers.iter().map(|layer| &**layer)
    }

    /// Returns the first value that `key` finds in the layers, and its layer.
    pub fn first<'o, T: ?Sized>(
        &'o self,
        key: impl Fn(&'o Keys) -> Option<&'o T>,
    ) -> Option<(&'o T, &'o Layer)> {
        let mut layers = self.layers();
        layers.find_map(|layer| Some((key(&layer.keys)?, layer)))
    }

    /// Returns the value of a key, or its default if it is not set.
    pub fn get<T: Clone + Default>(&self, key: impl Fn(&Keys) -> &Setting<T>) -> T {
        let first = self.first(|keys| key(keys).0.as_ref());
        first.map(|(value, _)| value.clone()).unwrap_or_default()
    }

    /// Returns the entries of a table with the layers that set them, those of the first layer last. An
    /// entry takes the place of one with the same key in a layer below.
    pub fn entries<'o, K: Hash + Eq, V>(
        &'o self,
        table: impl Fn(&'o Keys) -> &'o Setting<Entries<K, V>>,
    ) -> Vec<(&'o K, &'o V, &'o Layer)> {
        let mut entries: Vec<(&K, &V, &Layer)> = Vec::new();
        for layer in self.layers().rev() {
            let Some(Entries(over)) = &table(&layer.keys).0 else {
                continue;
            };
            entries.retain(|(key, ..)| !over.contains_key(*key));
            entries.extend(over.iter().map(|(key, value)| (key, value, layer)));
        }
        entries
    }

    /// Returns how many entries the lists and tables have.
    pub(super) fn count(&self) -> usize {
        self.layers().map(|layer| layer.entries).sum()
    }
}
