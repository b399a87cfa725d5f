//! Where options come from.

use std::path::Path;
use std::sync::Arc;

use super::reach::Reach;

/// Where the text of options comes from.
#[derive(Clone, Debug)]
#[must_use]
pub struct Source<'s> {
    pub(super) origin: Arc<str>,
    pub(super) name: Option<String>,
    /// The folder from which patterns of paths start.
    pub(super) folder: &'s Path,
    /// The folder from which paths start.
    pub(super) base: &'s Path,
    /// Which files it may name.
    pub(super) reach: Reach,
}

impl<'s> Source<'s> {
    /// Creates a source without a name. `origin` says to people where the options
    /// [were set](crate::Layer::origin). Paths and patterns of paths are relative to `folder`, an
    /// absolute path.
    pub fn new(origin: impl Into<Arc<str>>, folder: &'s Path) -> Self {
        Source {
            origin: origin.into(),
            name: None,
            folder,
            base: folder,
            reach: Reach::Everywhere,
        }
    }

    /// Sets the name with which mistakes are told, with their lines and columns.
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}
