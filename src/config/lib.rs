//! Configuration files: which one applies to a file, its settings, and its mistakes. The page
//! [`configuration`](urlint_manual) of the manual has all keys.
//!
//! The nearest file wins, searching upwards from the folder of each file that is read:
//! `.urlint.toml`, then `urlint.toml`, then a `pyproject.toml` with `[tool.urlint]`. Files are not
//! merged, unless one extends another.
//!
//! A file that was found may come with a stranger's checkout. It can name only files of its folder, and
//! extend those of its repository; one that a person names, as in [`Options::from_file`], any file.
//!
//! [`Keys`] are the settings of one file or one text, and [`Options`] are layers of them. From those follow
//! the settings of the files of a folder, [`Resolved`], and those of one file, [`FileSettings`]: how it is
//! read and which diagnostics it gets. [`Configs`] searches for the files. A mistake in a configuration is
//! a [`BadConfig`].
//!
//! ```
//! use std::path::Path;
//! use urlint::config::{Options, Source};
//!
//! let source = Source::new("the example", Path::new("/folder"));
//! let text = "schemeless = true\nper-file-ignores = { '*.log' = ['ALL'] }";
//! let settings = Options::from_toml(text, &source)?.resolve();
//!
//! let rules = |path: &str| {
//!     let settings = settings.for_file(Path::new(path));
//!     urlint::check(b"www.a.example/^", settings.lint()).len()
//! };
//! assert_eq!((rules("/folder/a.txt"), rules("/folder/a.log")), (1, 0));
//! # Ok::<(), urlint::config::BadConfig>(())
//! ```

mod format;
mod globs;
mod keys;
mod layer;
mod load;
mod mistake;
mod names;
mod options;
mod parse;
mod reach;
mod resolved;
mod search;
mod source;
mod url_rules;
mod values;

pub use format::{OutputFormat, OutputSpec, Outputs};
pub use keys::{Keys, Setting};
pub use layer::Layer;
pub use mistake::{BadConfig, Mistake};
pub use names::RuleName;
pub use options::Options;
pub use resolved::{FileSettings, Resolved};
pub use search::Configs;
pub use source::Source;
pub use url_rules::{Examples, Hosts, UrlList, UrlRuleKeys};
pub use values::{
    Entries, Exclusion, Glob, IgnoredUrl, Level, Name, Profile, Scheme, Show, UrlRuleName, quoted,
};

// Only the command needs these.
#[doc(hidden)]
pub use search::{file_above, file_here, real_path};

#[cfg(test)]
mod tests;
