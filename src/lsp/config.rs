//! The settings of documents: those of the configuration file that applies to the file's folder.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use urlint_config::{BadConfig, Configs, FileSettings, Options, Resolved};
use urlint_documents::document::Kind;

use super::{Configure, settings};

/// Finds settings, and reads them again when files have changed.
pub(crate) struct Config {
    configure: Configure,
    /// The settings of the editor, which override the files.
    editor: Options,
    configs: Configs,
    /// The folder for documents without a file: the folder of the workspace, or the current one.
    pub(super) root: PathBuf,
    /// The last settings of each folder without a configuration error.
    good: HashMap<PathBuf, Arc<Resolved>>,
    /// The messages about the configuration that were shown.
    pub(super) shown: HashSet<String>,
}

/// The settings for reading and linting a document.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) settings: FileSettings,
    /// Whether anything is reported: the document is not excluded.
    pub(super) reports: bool,
}

impl Config {
    /// Returns settings that are `configs` until files have changed.
    pub(crate) fn new(configs: Configs, configure: Configure) -> Config {
        let root = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Config {
            configure,
            editor: Options::default(),
            configs,
            root,
            good: HashMap::new(),
            shown: HashSet::new(),
        }
    }

    /// Forgets the configuration files that were read. If a flag is wrong now, nothing changes.
    pub(super) fn reload(&mut self) {
        if let Some(configs) = (self.configure)(self.editor.clone()) {
            self.configs = configs;
        }
    }

    /// Applies the settings of the editor; returns the mistake in them, if there is one. Without settings,
    /// nothing changes.
    pub(super) fn set(&mut self, settings: Option<&Value>) -> Option<String> {
        let settings = settings::read(settings?, &self.root)?;
        self.editor = settings.options;
        self.reload();
        let wrong = settings.wrong;
        (!wrong.is_empty()).then(|| format!("settings of the editor: {}", wrong.join("\n")))
    }

    /// Returns the rules for a document with this name and, if it is a file, this path; and the
    /// configuration error, if any. With an error, the last configuration without one applies, or the
    /// defaults.
    pub(super) fn rules(&mut self, path: Option<&Path>, name: &str) -> (Rules, Option<BadConfig>) {
        let unsaved = self.root.join(name);
        let path = path.unwrap_or(&unsaved);
        let folder = path.parent().unwrap_or(path);
        match self.configs.for_file(path) {
            Ok(settings) => {
                let reports = !self.configs.excludes(path, false);
                let good = settings.resolved.clone();
                self.good.insert(folder.to_owned(), good);
                (Rules { settings, reports }, None)
            }
            Err(wrong) => {
                // Checking goes on while a configuration file is being edited.
                let mut above = folder.ancestors();
                let good = above.find_map(|folder| self.good.get(folder)).cloned();
                let good = good.unwrap_or_else(|| self.editor.clone().resolve());
                let reports = !good.excludes(path, false);
                let settings = good.for_file(path);
                (Rules { settings, reports }, Some(wrong))
            }
        }
    }
}

/// Returns whether this file may be a configuration file.
pub(super) fn is_config(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    matches!(
        name,
        Some(".urlint.toml" | "urlint.toml" | "pyproject.toml")
    )
}

/// Returns the name by which a document is read: its own name or, if that does not tell its kind, with the
/// language that the editor has set as its extension.
pub(super) fn name_for_reading(name: &str, language: &str) -> String {
    let with_language = format!("{name}.{language}");
    let says = |name: &str| Kind::from_path(name.as_bytes()).is_some();
    if !says(name) && says(&with_language) {
        with_language
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_more_than_the_language() {
        for (name, language, expected) in [
            ("a.md", "html", "a.md"),
            ("Untitled-1", "markdown", "Untitled-1.markdown"),
            ("Untitled-1", "python", "Untitled-1.python"),
            ("notes.txt", "mail", "notes.txt.mail"),
            ("notes.txt", "plaintext", "notes.txt"),
            ("Untitled-1", "", "Untitled-1"),
        ] {
            assert_eq!(name_for_reading(name, language), expected);
        }
    }
}
