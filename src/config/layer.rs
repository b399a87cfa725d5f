//! The keys of one file or one call, once they have been checked together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::keys::Keys;
use super::source::Source;
use super::url_rules::fit_together;

/// The mistake of a call or an editor that sets the key `extend`.
pub(super) const NO_FILE: &str = "only a file can extend another";

/// The keys of one file, or of one call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Layer {
    /// The keys that are set.
    pub keys: Keys,
    /// Where they are set, for people: the path of a file, or the name of a [`Source`].
    pub origin: Arc<str>,
    /// The folder from which patterns of paths start.
    pub(super) folder: PathBuf,
    /// How many entries the lists and tables of a file have.
    pub(super) entries: usize,
}

/// A mistake in the value of a key that its type does not show: the key, and a message.
pub(super) type Wrong = (&'static str, String);

impl Layer {
    /// Checks keys together, and resolves paths. The key `extend` is the caller's.
    pub(super) fn new(mut keys: Keys, source: &Source<'_>) -> Result<Layer, Wrong> {
        let ignored = keys.ignore_urls.0.as_deref().unwrap_or_default();
        let rules = keys.url_rules.0.iter().flat_map(|rules| rules.0.values());
        let key = match &keys.url_rules.0 {
            Some(_) => "url-rules",
            None => "ignore-urls",
        };
        fit_together(rules, ignored).map_err(|message| (key, message))?;
        if let Some(path) = &mut keys.baseline {
            *path = source.written("baseline", path)?;
        }
        for spec in keys.output_format.0.iter_mut().flat_map(|list| &mut list.0) {
            if let Some(path) = &mut spec.file {
                *path = source.written("output-format", path)?;
            }
        }
        Ok(Layer {
            keys,
            origin: source.origin.clone(),
            folder: source.folder.to_owned(),
            entries: 0,
        })
    }
}

impl Source<'_> {
    /// Returns the path of the file that `key` calls `path`.
    pub(super) fn path(&self, key: &'static str, path: &Path) -> Result<PathBuf, Wrong> {
        if path.as_os_str().is_empty() {
            Err((key, "expected a path".to_owned()))
        } else {
            Ok(self.base.join(path))
        }
    }

    /// Returns the path of a file to write; fails if it must not be written.
    fn written(&self, key: &'static str, path: &Path) -> Result<PathBuf, Wrong> {
        let (name, path) = (path.display(), self.path(key, path)?);
        let writable = self.reach.writable(&path);
        writable.map_err(|refused| (key, format!("`{name}`: {refused}")))?;
        Ok(path)
    }
}
