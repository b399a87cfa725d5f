//! The keys of a configuration file: what each takes, and what the manual, the JSON Schema and editors
//! say of it.

use super::file::OFF;
use super::format::OutputFormat;
use super::names::Choice;
use super::options::Options;
use super::values::Toml;
use crate::document::Kind;
use crate::lint::rule::Severity;

/// A key of a configuration file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub shape: Shape,
    /// Its default in TOML, or `None` if there is none or if that depends on other keys.
    pub default: Option<String>,
    /// What it is for, in a few words of Markdown. The name of a page of the manual in square brackets
    /// refers to that page.
    pub meaning: &'static str,
    /// What more there is to know, in sentences; may be empty.
    pub more: &'static str,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// `true` or `false`.
    Boolean,
    /// One of these strings.
    Choice(Vec<&'static str>),
    /// The name of a kind of documents.
    Kind,
    /// The name of a rule or a group, or `ALL`.
    Rule,
    /// A path, which is not empty.
    Path,
    /// A pattern of paths; whether `!` may begin it.
    Pattern(bool),
    /// A scheme without its colon.
    Scheme,
    /// A URL, or a table with a regular expression.
    Url,
    /// An output format, with `=FILE` or without.
    Format,
    /// An array.
    Array(Box<Shape>),
    /// An array, or the only item of it.
    OneOrMore(Box<Shape>),
    /// A table: the keys and the values.
    Table(Box<Shape>, Box<Shape>),
}

impl Shape {
    pub(super) fn choice<T: Choice>() -> Shape {
        Shape::Choice(T::ALL.iter().map(|value| value.name()).collect())
    }

    pub(super) fn array(item: Shape) -> Shape {
        Shape::Array(Box::new(item))
    }

    fn table(key: Shape, value: Shape) -> Shape {
        Shape::Table(Box::new(key), Box::new(value))
    }

    /// Returns the names among which is chosen, of the values that are strings of a few.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Shape::Choice(names) => names.clone(),
            Shape::Kind => Kind::ALL.iter().map(|kind| kind.name()).collect(),
            Shape::Format => OutputFormat::ALL
                .iter()
                .map(|format| format.name())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Returns what the manual says of the values.
    #[must_use]
    pub fn described(&self) -> String {
        match self {
            Shape::Boolean => "boolean".to_owned(),
            Shape::Choice(names) => {
                let names: Vec<_> = names.iter().map(|name| format!("`\"{name}\"`")).collect();
                match names.split_last() {
                    Some((last, [])) => last.clone(),
                    Some((last, others)) => format!("{} or {last}", others.join(", ")),
                    None => String::new(),
                }
            }
            Shape::Kind => "kind".to_owned(),
            Shape::Rule => "rule or group".to_owned(),
            Shape::Path => "path".to_owned(),
            Shape::Pattern(_) => "pattern".to_owned(),
            Shape::Scheme => "scheme".to_owned(),
            Shape::Url => "URL or `{ regex = \"...\" }`".to_owned(),
            Shape::Format => "format, with `=FILE` or without".to_owned(),
            Shape::Array(item) | Shape::OneOrMore(item) => match &**item {
                Shape::Rule => "list of rules, groups, `\"ALL\"`".to_owned(),
                Shape::Pattern(_) => "list of patterns".to_owned(),
                Shape::Scheme => "list of schemes".to_owned(),
                Shape::Url => "list of URLs or `{ regex = \"...\" }`".to_owned(),
                Shape::Format => "list of formats, each with `=FILE` or without".to_owned(),
                other => format!("list: {}", other.described()),
            },
            Shape::Table(key, value) => {
                format!("table: {} = {}", key.described(), value.described())
            }
        }
    }
}

/// Returns all keys, in the order of the manual.
#[must_use]
pub fn all() -> Vec<Key> {
    let mut defaults = Vec::new();
    Options::default().each(&mut |name, value, _| {
        let value = match value {
            Toml::Absent => None,
            Toml::Value(value) => Some(value),
            Toml::Array(items) => Some(format!("[{}]", items.join(", "))),
        };
        defaults.push((name.to_owned(), value));
    });
    let keys = TEXTS.iter().filter_map(|&(name, meaning, more)| {
        let shape = Options::shape(name).or_else(|| other(name))?;
        let known = defaults.iter().find(|(key, _)| key == name);
        let default = match (known, &shape) {
            (Some((_, value)), _) => value.clone(),
            (None, Shape::Table(..)) => Some("{}".to_owned()),
            (None, Shape::Array(_)) if name != "select" => Some("[]".to_owned()),
            _ => None,
        };
        Some(Key {
            name,
            shape,
            default,
            meaning,
            more,
        })
    });
    keys.collect()
}

/// Returns what the key takes, which is more than an option.
fn other(key: &str) -> Option<Shape> {
    Some(match key {
        "select" | "extend-select" | "ignore" => Shape::array(Shape::Rule),
        "severity" => {
            let levels = Severity::ALL.iter().map(|level| level.name());
            let levels = levels.chain([OFF]).collect();
            Shape::table(Shape::Rule, Shape::Choice(levels))
        }
        "per-file-ignores" => Shape::table(Shape::Pattern(false), Shape::array(Shape::Rule)),
        "types" => Shape::table(Shape::Pattern(false), Shape::Kind),
        "extend" => Shape::Path,
        _ => return None,
    })
}

/// Each key with what it is for, and what more there is to know.
const TEXTS: [(&str, &str, &str); 21] = [
    ("select", "the rules that report", ""),
    ("extend-select", "rules to add to those", ""),
    (
        "ignore",
        "rules that do not report, whatever selects them",
        "",
    ),
    (
        "severity",
        "the severity of diagnostics",
        "setting it also selects a rule, unless the same file has a `select` without that rule. `\"off\"` ignores the rule.",
    ),
    (
        "per-file-ignores",
        "rules that do not report in some files",
        "",
    ),
    (
        "standard",
        "the standard by which URLs are judged, see [standards]",
        "",
    ),
    (
        "iri",
        "with `rfc3986`, also allow characters beyond US-ASCII",
        "",
    ),
    (
        "ignore-urls",
        "URLs about which nothing is reported",
        "a URL stands for itself and for everything below it. `http://a.example/x` includes what \
         continues with `/`, `?`, `#`, `&` or `;`, but not `http://a.example/xy` or \
         `http://a.example:80/x`. `*` stands for any characters except `/`, `**` for any characters, \
         and `?` for one character other than `/`. Fragments are not considered. Regular expressions \
         have the syntax of [regex](https://docs.rs/regex) and match anywhere in the URL.",
    ),
    ("exclude", "files and folders to skip in folders", ""),
    (
        "types",
        "the kinds of files, see [documents]; the last match wins",
        "",
    ),
    ("rejoin", "when to join lines, see [rejoining]", ""),
    ("hyphen", "what happens to a hyphen at a line break", ""),
    (
        "schemeless",
        "also find `www.example.com` and `ftp.example.com`",
        "",
    ),
    (
        "schemes",
        "schemes to find without slashes, like `mailto:`",
        "",
    ),
    (
        "deep",
        "also read comments, scripts and styles of HTML and XML",
        "",
    ),
    ("skip-code", "skip code in Markdown", ""),
    (
        "output-format",
        "how `check` prints diagnostics, see [formats]",
        "",
    ),
    ("min-severity", "the lowest severity that is reported", ""),
    ("unsafe-fixes", "include unsafe fixes, see [fixing]", ""),
    ("baseline", "known diagnostics, see [suppression]", ""),
    (
        "extend",
        "a file that says what this one does not",
        "for each key this file takes precedence over the file that it extends, and for tables so does \
         each entry. Rules are selected in layers: `select` discards what the extended file has selected \
         and ignored, while `extend-select` and `ignore` change it.",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::options::keys;
    use super::*;

    #[test]
    fn every_key_that_is_read_is_described() {
        let mut names: Vec<_> = all().iter().map(|key| key.name).collect();
        names.sort_unstable();
        assert_eq!(names, keys());
    }
}
