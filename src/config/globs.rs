//! Patterns of paths, in the syntax of .gitignore.

use std::path::{Component, Path};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns of paths in the syntax of `.gitignore`, relative to a folder. A pattern without a slash,
/// except for one at its end, matches at any depth. If several match, the last one decides.
#[derive(Clone, Debug)]
pub(super) struct Globs {
    /// The folder, an absolute path.
    folder: Box<Path>,
    inside: Gitignore,
    /// The patterns that match at any depth, for paths outside the folder.
    outside: Gitignore,
}

impl Globs {
    /// Compiles patterns, all of which [`check`] has accepted.
    pub(super) fn new(texts: &[&str], folder: &Path) -> Self {
        let inside = matcher(texts.iter());
        let at_any_depth = |text: &&&str| {
            let name = text.strip_prefix('!').unwrap_or(text);
            !name.strip_suffix('/').unwrap_or(name).contains('/')
        };
        let outside = matcher(texts.iter().filter(at_any_depth));
        Globs {
            folder: folder.into(),
            inside,
            outside,
        }
    }

    /// Returns whether the absolute path `path`, or a folder that it is in, matches. `is_folder` says
    /// whether it is itself a folder.
    pub(super) fn contain(&self, path: &Path, is_folder: bool) -> bool {
        let (matcher, path) = match path.strip_prefix(&self.folder) {
            Ok(path) => (&self.inside, path),
            Err(_) => (&self.outside, path),
        };
        let named = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let path: std::path::PathBuf = path.components().filter(named).collect();
        let matched = matcher.matched_path_or_any_parents(path, is_folder);
        matched.is_ignore()
    }
}

fn matcher<'t>(texts: impl Iterator<Item = &'t &'t str>) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for text in texts {
        // The patterns have been checked.
        let _ = builder.add_line(None, text);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The most bytes of a pattern. Deeper nesting could overflow the stack.
const MOST_BYTES: usize = 1024;

/// Returns the mistake in a pattern.
pub(super) fn check(text: &str) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("`{text}` is not a pattern of paths: {why}"));
    if text.len() > MOST_BYTES {
        return wrong(&format!("it is longer than {MOST_BYTES} bytes"));
    }
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    let added = builder.add_line(None, text).map(drop);
    match added.and_then(|()| builder.build()) {
        Ok(built) if built.is_empty() => wrong("it matches nothing"),
        Ok(_) => Ok(()),
        Err(ignore::Error::Glob { err, .. }) => wrong(&err),
        Err(error) => wrong(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_like_gitignore() {
        let cases: &[(&[&str], &str, bool)] = &[
            (&["*.txt"], "/a/b.txt", true),
            (&["*.txt"], "/a/c/b.txt", true),
            (&["*.txt"], "/z/b.txt", true),
            (&["/*.txt"], "/a/c/b.txt", false),
            (&["c"], "/a/c/b.txt", true),
            (&["c/"], "/a/c/b.txt", true),
            (&["c/*.txt"], "/a/c/b.txt", true),
            (&["c/*.txt"], "/a/d/c/b.txt", false),
            (&["c/*.txt"], "/z/c/b.txt", false),
            (&["**/c/*.txt"], "/a/d/c/b.txt", true),
            (&["*.txt", "!b.txt"], "/a/b.txt", false),
            (&["b.txt"], "/a", false),
            (&["b.{txt,md}"], "/a/b.md", true),
            (&[], "/a/b.txt", false),
        ];
        for (texts, path, expected) in cases {
            let globs = Globs::new(texts, Path::new("/a"));
            let contains = globs.contain(Path::new(path), false);
            assert_eq!(contains, *expected, "{globs:?} {path}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("*.txt", Ok(())),
            ("", Err("it matches nothing")),
            ("# a comment", Err("it matches nothing")),
            (
                "{a,b",
                Err("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"),
            ),
            ("[a", Err("unclosed character class; missing ']'")),
            ("a[z-a]", Err("invalid range; 'z' > 'a'")),
        ];
        for (text, expected) in cases {
            let wrong = |why| format!("`{text}` is not a pattern of paths: {why}");
            assert_eq!(check(text), expected.map_err(wrong), "{text}");
        }
    }
}
