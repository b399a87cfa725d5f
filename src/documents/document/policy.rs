//! The facts that the name of a source tells besides its kind: how its URLs are reported, and whether they are fixed.

use super::Kind;
use super::kind::language;
use super::language::LineComments;
use super::path::{extension, names, split};
use super::role::Role;
use urlint_find::Syntax;
use urlint_standard::text::ascii::WordList;

/// Returns whether `path` has the extension of source code whose strings write white space as `\n`,
/// `\r` and `\t`.
pub(crate) fn is_code(path: &[u8]) -> bool {
    language(path).is_some_and(|language| language.is_code)
}

/// Returns how comments are written in the language of the file `path`, if it is a language where a
/// simple check is enough to find them.
#[doc(hidden)]
pub fn line_comments(path: &[u8]) -> Option<&'static LineComments> {
    language(path)?.comments.as_ref()
}

/// The syntax of the lines of a source, according to its name.
pub(crate) fn syntax(path: &[u8]) -> Syntax {
    const LOCKS: WordList = WordList(
        "go.sum go.work.sum pnpm-lock.yaml conda-lock.yml package.resolved \
        .terraform.lock.hcl gradle.lockfile",
    );
    let name = names(path).next();
    if name.is_some_and(|name| LOCKS.contains(name)) {
        return Syntax::Entries;
    }
    language(path).map_or(Syntax::Text, |language| language.syntax)
}

/// Extensions of message catalogues, which have their own escapes and must match the text they
/// translate, and of templates, from which programs make documents.
const MADE_BY_PROGRAMS: WordList = WordList(
    "po pot xlf xliff resx arb ftl strings properties j2 jinja jinja2 erb ejs \
    tmpl tpl mustache hbs handlebars gotmpl liquid php jsp asp aspx cshtml twig njk haml slim pug in",
);

/// Extensions of free text.
const TEXT: WordList = WordList("txt text msg nfo");

/// Returns whether `path` is in a folder of tests, whose URLs may be wrong on purpose, or is called
/// a test itself.
fn is_test_path(path: &[u8]) -> bool {
    const FOLDERS: WordList = WordList(
        "t test tests testing testdata test-data test_data testcases test-cases test_cases caddytest httptest \
        unittest unittests selftest selftests _tests __tests__ intruder fuzz fuzzing wordlists",
    );
    const TESTED: WordList = WordList("c cc cpp py");
    // Texts that a program is attacked with.
    let has_word =
        |name: &[u8], word: &[u8]| memchr::memmem::find(&name.to_ascii_lowercase(), word).is_some();
    let is_attack = |name: &[u8]| has_word(name, b"payload") || has_word(name, b"wordlist");
    let mut names = names(path);
    let (file, extension) = names.next().and_then(split).unwrap_or_default();
    let is_test = |end: &[u8]| file.ends_with(end);
    let is_text = TEXT.iter().any(|text| extension == text.as_bytes());
    [&b"_test"[..], b".test", b".spec"].into_iter().any(is_test)
        || (file.len() > 4 && file.starts_with(b"test") && TESTED.contains(extension))
        || (is_text && is_attack(file))
        || names.any(|name| {
            FOLDERS.contains(name)
                // A folder `spec` has the tests of a program, or the text of a standard; and free text
                // may be a sample for people.
                || (name.eq_ignore_ascii_case(b"spec") && is_code(path))
                || (name.eq_ignore_ascii_case(b"fixtures") && !is_text)
        })
}

/// Returns whether `path` is the text of a licence: `COPYING.LESSER`, `LICENSE-MIT`, `LICENSES/GPL-2.0-only.txt`.
fn is_licence(path: &[u8]) -> bool {
    const NAMES: WordList = WordList("copying copying3 licence license");
    let mut names = names(path);
    let file = names.next().unwrap_or_default();
    let name = file.split(|byte| b".-_".contains(byte)).next();
    name.is_some_and(|name| NAMES.contains(name)) || names.next() == Some(b"LICENSES")
}

/// Returns `path`, or only the name of the file if it is absolute: an absolute path does not show where the
/// project begins.
fn within_project(path: &[u8]) -> &[u8] {
    let is_end = |&byte: &u8| byte == b'/' || byte == b'\\';
    let is_absolute = path.first().is_some_and(is_end) || path.get(1) == Some(&b':');
    let name = path.iter().rposition(|byte| is_absolute && is_end(byte));
    &path[name.map_or(0, |at| at + 1)..]
}

/// The policy for reports and fixes in a source, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilePolicy {
    /// Whether it must not be fixed.
    pub read_only: bool,
    /// Whether it is source code.
    is_code: bool,
    /// Whether it is test data.
    is_test: bool,
    /// Whether it may have minified lines.
    pub may_be_minified: bool,
    /// Whether it is a template of catalogues.
    pub is_template: bool,
}

impl FilePolicy {
    /// Returns the policy for a source with the name `path`. `kind` is used if the name does not tell the kind.
    pub(crate) fn of(path: &[u8], kind: Option<Kind>) -> FilePolicy {
        let extension = extension(path);
        let is = |names: &[&[u8]]| extension.is_some_and(|own| names.contains(&own));
        let is_code = is_code(path);
        FilePolicy {
            read_only: is_read_only(path, extension, is_code, kind),
            is_code,
            // The lines of a patch belong to another file, and must stay; so must the text of a licence.
            is_test: is_test_path(within_project(path))
                || is(&[b"patch", b"diff"])
                || is_licence(path),
            may_be_minified: is(&[b"js", b"mjs", b"cjs", b"css"]),
            is_template: is(&[b"pot"]),
        }
    }

    /// Returns the policy for the members of an archive with the name `path`, besides that by their own names.
    pub(crate) fn of_members(path: &[u8]) -> FilePolicy {
        FilePolicy {
            is_test: is_test_path(within_project(path)),
            ..FilePolicy::default()
        }
    }

    /// Returns the stricter of both in each point.
    pub(crate) fn or(self, other: FilePolicy) -> FilePolicy {
        FilePolicy {
            read_only: self.read_only || other.read_only,
            is_code: self.is_code || other.is_code,
            is_test: self.is_test || other.is_test,
            may_be_minified: self.may_be_minified || other.may_be_minified,
            is_template: self.is_template || other.is_template,
        }
    }

    /// Returns the role of URLs anywhere in the source.
    pub(crate) fn role(self) -> Role {
        if self.is_test {
            Role::Tested
        } else if self.is_code {
            Role::Code
        } else {
            Role::Used
        }
    }
}

/// Returns whether the document at `path` must not be fixed. That holds where the syntax around its
/// URLs is unknown: in source code, configuration, message catalogues, templates, and files whose
/// extension says nothing. It also holds for test data in JSON, XML or HTML. `kind` is used if the
/// name does not tell the kind.
fn is_read_only(path: &[u8], extension: Option<&[u8]>, is_code: bool, kind: Option<Kind>) -> bool {
    let Some(extension) = extension else {
        let name = names(path).next().unwrap_or_default().to_ascii_lowercase();
        return kind.is_none() && (name.starts_with(b".") || name.ends_with(b"file"));
    };
    if is_code || extension == b"ipynb" || MADE_BY_PROGRAMS.contains(extension) {
        return true;
    }
    match kind.or_else(|| Kind::from_extension(extension)) {
        Some(Kind::Plain) => !TEXT.contains(extension),
        Some(Kind::Json | Kind::Xml | Kind::Html) => is_test_path(path),
        Some(_) => false,
        // A section of the manual, or a name that says nothing.
        None => !TEXT.contains(extension) && !extension.iter().any(u8::is_ascii_digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code() {
        for (path, expected) in [
            ("src/main.rs", true),
            ("tool.PY.gz", true),
            ("ci.yml", true),
            ("run.bat", false),
            ("notes.txt", false),
            ("README.md", false),
            ("Makefile", false),
        ] {
            assert_eq!(is_code(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn where_no_fix_is_made() {
        for (path, expected) in [
            ("src/main.rs", true),
            ("po/de.po", true),
            ("config/site.conf", true),
            ("a/tests/urls.json", true),
            ("testdata/feed.xml", true),
            ("a\\Test\\page.html", true),
            ("data/urls.json", false),
            ("data/urls.ipynb", true),
            ("latest/urls.json", false),
            ("tests/README.md", false),
            ("tests.json", false),
            ("notes.txt", false),
            ("README", false),
        ] {
            let is_read_only = FilePolicy::of(path.as_bytes(), None).read_only;
            assert_eq!(is_read_only, expected, "{path}");
        }
    }

    #[test]
    fn test_data() {
        for (path, expected) in [
            ("t/t0001.sh", true),
            ("a/tests/README.md", true),
            ("fixtures\\urls.json", true),
            ("fixtures/sample.txt", false),
            ("net/url_test.go", true),
            ("url.test.ts", true),
            ("a/testurl.c", true),
            ("a/testimony.js", false),
            ("lists/xss-payloads.txt", true),
            ("payloads.md", false),
            ("Wordlists/urls.txt", true),
            ("data/TestCases/links.txt", true),
            ("fuzz/disabled/crash-1", true),
            ("docs/latest/links.txt", false),
            ("COPYING", true),
            ("a/LICENSE-MIT.txt", true),
            ("LICENSES/GPL-2.0-only.txt", true),
            ("docs/licensing.md", false),
            ("licenses.md", false),
            ("fuzzy/links.txt", false),
            ("spec/url_spec.rb", true),
            ("spec/urls.md", false),
            ("latest/url.go", false),
            ("url_test", false),
            ("t.sh", false),
            ("/home/joe/test/url.go", false),
            ("C:\\test\\url.go", false),
            ("/home/joe/url_test.go", true),
        ] {
            let is_test = FilePolicy::of(path.as_bytes(), None).is_test;
            assert_eq!(is_test, expected, "{path}");
        }
    }

    #[test]
    fn syntaxes() {
        for (path, expected) in [
            ("src/main.rs", Syntax::Text),
            ("notes", Syntax::Text),
            ("a/go.sum", Syntax::Entries),
            ("Cargo.lock", Syntax::Entries),
            ("pnpm-lock.yaml", Syntax::Entries),
            ("compose.yaml", Syntax::Text),
            ("0001-x.patch", Syntax::Diff),
            ("x.diff.gz", Syntax::Diff),
            ("tool.py", Syntax::Text),
        ] {
            assert_eq!(syntax(path.as_bytes()), expected, "{path}");
        }
    }
}
