//! How the name of a source affects the way it is read.

use super::Reader;
use crate::document::{FilePolicy, Kind, is_code, syntax};
use urlint_find::Syntax;

/// The facts in the name of a source, besides its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByName {
    /// Whether it is source code.
    code: bool,
    /// The syntax of its lines and strings.
    syntax: Syntax,
    pub(super) policy: FilePolicy,
}

impl ByName {
    /// Returns the facts in the name `path`. If the `kind` of all sources is given, names say less.
    pub(super) fn of(path: &[u8], kind: Option<Kind>) -> Self {
        let policy = FilePolicy::of(path, kind);
        match kind {
            Some(_) => ByName {
                policy,
                ..ByName::default()
            },
            None => ByName {
                code: is_code(path),
                syntax: syntax(path),
                policy,
            },
        }
    }
}

impl Reader {
    /// The reader for the members of an archive with the name `path`: they are test data if it is.
    #[doc(hidden)]
    pub fn within(mut self, path: &[u8]) -> Self {
        self.policy = self.policy.or(FilePolicy::of_members(path));
        self
    }

    /// Returns the facts in the name of the source.
    pub(super) fn by_name(&self) -> ByName {
        ByName {
            code: self.finder.code,
            syntax: self.finder.syntax,
            policy: self.policy,
        }
    }

    /// Applies the facts in the name of the source.
    pub(super) fn with_name_facts(mut self, by_name: ByName) -> Self {
        self.finder.code |= by_name.code;
        self.finder.syntax = by_name.syntax;
        self.policy = self.policy.or(by_name.policy);
        self
    }
}
