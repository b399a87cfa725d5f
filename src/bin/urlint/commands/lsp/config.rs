//! The settings of documents: those of the configuration file that applies to the file's folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use urlint::config::{BadConfig, Configs, FileSettings, Options, Resolved};
use urlint::document::Kind;
use urlint::lint::Selector;
use urlint::{Rule, Settings};

use super::settings;
use crate::config::ConfigArgs;
use crate::error::Error;

/// Finds settings, and forgets them when files have changed.
#[derive(Debug)]
pub(crate) struct Config {
    flags: ConfigArgs,
    /// What the editor has set, which overrides the files.
    editor: Options,
    /// Whether the editor is to ask for the diagnostics of all files, all the time.
    pub(super) checks_workspace: bool,
    configs: Configs,
    /// The folder of documents without a file: that of the workspace, or the current one.
    root: PathBuf,
    /// The last settings of each folder whose configuration was right.
    good: HashMap<PathBuf, Arc<Resolved>>,
    /// The messages about mistakes that were told.
    told: Vec<String>,
}

/// How a document is read, and what is reported of it.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) settings: FileSettings,
    /// The same, and the hyphens at line breaks that may be read in two ways, among which one may
    /// choose even if the settings report none.
    pub(super) choices: Settings,
    /// Whether anything is reported: the document is not excluded.
    pub(super) reports: bool,
}

/// The rules about hyphens at line breaks.
pub(super) const HYPHENS: [Rule; 2] = [Rule::AmbiguousHyphen, Rule::HyphenResolved];

impl Rules {
    pub(super) fn new(settings: FileSettings, reports: bool) -> Rules {
        let mut choices = settings.lint().clone();
        for rule in HYPHENS {
            choices.selection.add(Selector::Rule(rule));
        }
        Rules {
            settings,
            choices,
            reports,
        }
    }
}

impl Config {
    /// Fails if a flag or the file that it names is wrong.
    pub(crate) fn new(flags: ConfigArgs) -> Result<Config, Error> {
        let configs = flags.configs(Options::default())?;
        let root = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Ok(Config {
            flags,
            editor: Options::default(),
            checks_workspace: false,
            configs,
            root,
            good: HashMap::new(),
            told: Vec::new(),
        })
    }

    pub(super) fn set_root(&mut self, root: PathBuf) {
        self.root = root;
    }

    /// Forgets what was read of configuration files. If a flag is wrong now, nothing changes.
    pub(super) fn reload(&mut self) {
        if let Ok(configs) = self.flags.configs(self.editor.clone()) {
            self.configs = configs;
        }
    }

    /// Takes what the editor has set; returns what is wrong with it, if something is. If it says
    /// nothing, nothing changes.
    pub(super) fn set(&mut self, settings: Option<&Value>) -> Option<String> {
        let settings = settings::read(settings?, &self.root)?;
        self.editor = settings.options;
        self.checks_workspace = settings.checks_workspace;
        self.reload();
        let wrong = settings.wrong;
        (!wrong.is_empty()).then(|| format!("settings of the editor: {}", wrong.join("\n")))
    }

    /// Returns what finds the settings of files, for another thread.
    pub(super) fn configs(&self) -> Configs {
        self.configs.clone()
    }

    /// Forgets which mistakes were told.
    pub(super) fn tell_again(&mut self) {
        self.told.clear();
    }

    /// Returns the rules for the document with this path, or without one, under this name; and what
    /// is wrong with the configuration. While it is wrong, the last one that was right applies, or the
    /// defaults if there was none.
    pub(super) fn rules(&mut self, path: Option<&Path>, name: &str) -> (Rules, Option<BadConfig>) {
        let unsaved = self.root.join(name);
        let path = path.unwrap_or(&unsaved);
        let folder = path.parent().unwrap_or(path);
        match self.configs.for_file(path) {
            Ok(settings) => {
                let reports = !self.configs.excludes(path, false);
                let good = settings.resolved.clone();
                self.good.insert(folder.to_owned(), good);
                (Rules::new(settings, reports), None)
            }
            Err(wrong) => {
                // What is being written in a configuration file stops nothing.
                let mut above = folder.ancestors();
                let good = above.find_map(|folder| self.good.get(folder)).cloned();
                let good = good.unwrap_or_else(|| self.editor.clone().resolve());
                let reports = !good.excludes(path, false);
                (Rules::new(good.for_file(path), reports), Some(wrong))
            }
        }
    }

    /// Returns what is wrong with a configuration, if that has not been told.
    pub(super) fn wrong(&mut self, wrong: &BadConfig) -> Option<String> {
        let message = format!("the configuration is wrong: {wrong}");
        if self.told.contains(&message) {
            return None;
        }
        self.told.push(message.clone());
        Some(message)
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

/// Returns the name by which a document is read: its own, or one with the extension of the language
/// that the editor has set, if its own says nothing.
pub(super) fn name_for_reading(name: &str, language: &str) -> String {
    if Kind::from_path(name.as_bytes()).is_some() {
        return name.to_owned();
    }
    match extension(language) {
        Some(extension) => format!("{name}.{extension}"),
        None => name.to_owned(),
    }
}

/// Returns the extension of files in the language that an editor calls `id`.
fn extension(id: &str) -> Option<&'static str> {
    const EXTENSIONS: &[(&str, &str)] = &[
        ("asciidoc", "adoc"),
        ("bibtex", "bib"),
        ("c", "c"),
        ("cpp", "cpp"),
        ("csharp", "cs"),
        ("css", "css"),
        ("diff", "diff"),
        ("eml", "eml"),
        ("go", "go"),
        ("groff", "man"),
        ("haskell", "hs"),
        ("html", "html"),
        ("java", "java"),
        ("javascript", "js"),
        ("javascriptreact", "jsx"),
        ("json", "json"),
        ("jsonc", "jsonc"),
        ("jsonl", "jsonl"),
        ("latex", "tex"),
        ("lua", "lua"),
        ("mail", "eml"),
        ("makefile", "mk"),
        ("markdown", "md"),
        ("nroff", "man"),
        ("perl", "pl"),
        ("php", "php"),
        ("po", "po"),
        ("python", "py"),
        ("r", "r"),
        ("restructuredtext", "rst"),
        ("rst", "rst"),
        ("ruby", "rb"),
        ("rust", "rs"),
        ("shellscript", "sh"),
        ("sh", "sh"),
        ("sql", "sql"),
        ("svg", "svg"),
        ("tex", "tex"),
        ("toml", "toml"),
        ("typescript", "ts"),
        ("typescriptreact", "tsx"),
        ("xhtml", "xhtml"),
        ("xml", "xml"),
        ("xsl", "xsl"),
        ("yaml", "yaml"),
    ];
    let known = EXTENSIONS.iter().find(|(name, _)| *name == id);
    known.map(|(_, extension)| *extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_more_than_the_language() {
        for (name, language, expected) in [
            ("a.md", "html", "a.md"),
            ("Untitled-1", "markdown", "Untitled-1.md"),
            ("notes.txt", "mail", "notes.txt.eml"),
            ("notes.txt", "plaintext", "notes.txt"),
            ("Untitled-1", "", "Untitled-1"),
        ] {
            assert_eq!(name_for_reading(name, language), expected);
        }
    }
}
