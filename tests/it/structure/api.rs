//! The public names of the library, as a fixture lists them. `SNAPSHOTS=overwrite` rewrites it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{changes, code, files, indent, name, root};

const FIXTURE: &str = "fixtures/public-api.txt";

#[test]
fn the_public_names_are_those_of_the_fixture() {
    let api = Library::read(&root().join("src")).api();
    let path = root().join(FIXTURE);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &api).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    let changed: Vec<_> = changes(&expected, &api).collect();
    assert!(
        changed.is_empty(),
        "the public API has changed; if that is intended, run this test with \
         SNAPSHOTS=overwrite:\n{}",
        changed.join("\n")
    );
}

/// A public item of a file: how it is declared, and what belongs to it.
#[derive(Default)]
struct Item {
    declaration: String,
    members: Vec<String>,
}

/// The modules of the library by their files, which stand for `mod.rs` without it.
struct Library {
    src: PathBuf,
    /// The lines of code of each file.
    files: BTreeMap<PathBuf, Vec<String>>,
    /// What `impl` blocks add to a type, by the first folder and the type.
    added: BTreeMap<(String, String), Vec<String>>,
}

impl Library {
    fn read(src: &Path) -> Library {
        let mut library = Library {
            src: src.to_owned(),
            files: BTreeMap::new(),
            added: BTreeMap::new(),
        };
        for path in files(src) {
            if path.starts_with(src.join("bin")) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let lines = statements(&code(&text));
            library.add_impls(&library.top(&path), &lines);
            library.files.insert(path, lines);
        }
        library
    }

    /// The module at the root of the crate that a file is in.
    fn top(&self, path: &Path) -> String {
        let inner = path.strip_prefix(&self.src).unwrap();
        inner.iter().next().unwrap().to_str().unwrap().to_owned()
    }

    /// Notes what the `impl` blocks of a file add.
    fn add_impls(&mut self, top: &str, lines: &[String]) {
        let mut of: Option<(usize, String)> = None;
        for line in lines.iter().filter(|line| !line.is_empty()) {
            let (start, depth) = (line.trim_start(), indent(line));
            if let Some((at, subject)) = &of {
                if depth > *at {
                    if start.starts_with("pub fn ") || start.starts_with("pub const ") {
                        self.note(top, subject, declaration(start));
                    }
                    continue;
                }
                of = None;
            }
            if let Some(named) = start.strip_prefix("named!(") {
                for member in ["const ALL", "fn name(self)", "fn from_name(name: &str)"] {
                    self.note(top, name(named), format!("pub {member} (a table of names)"));
                }
                self.note(top, name(named), "impl Display".into());
            }
            let Some(block) = start.strip_prefix("impl") else {
                continue;
            };
            let (block, subject) = subject_of(block);
            match block {
                Some(implemented) => self.note(top, &subject, format!("impl {implemented}")),
                None => of = Some((depth, subject)),
            }
        }
    }

    fn note(&mut self, top: &str, subject: &str, member: String) {
        let key = (top.to_owned(), subject.to_owned());
        self.added.entry(key).or_default().push(member);
    }

    /// Every public path with its declaration, and the members of each item at its first path.
    fn api(&self) -> String {
        let mut paths = BTreeMap::new();
        self.export(&self.src.join("lib.rs"), "", &mut paths);
        let mut first: BTreeMap<(PathBuf, String), String> = BTreeMap::new();
        let by_length = |path: &&String| (path.matches("::").count(), (*path).clone());
        let mut order: Vec<_> = paths.keys().collect();
        order.sort_by_key(by_length);
        for path in order {
            let place = &paths[path];
            first.entry(place.clone()).or_insert_with(|| path.clone());
        }
        let mut api = String::new();
        for (path, place) in &paths {
            let canonical = &first[place];
            if canonical != path {
                api.push_str(&format!("{path} = {canonical}\n"));
                continue;
            }
            let item = self.item(&place.0, &place.1);
            api.push_str(&format!("{path}: {}\n", item.declaration));
            for member in item.members {
                api.push_str(&format!("    {member}\n"));
            }
        }
        api
    }

    /// Collects the public items of the module in `file`, with the file and the name of each.
    fn export(&self, file: &Path, prefix: &str, paths: &mut BTreeMap<String, (PathBuf, String)>) {
        for line in &self.files[file] {
            let Some(public) = line.trim_start().strip_prefix("pub ") else {
                continue;
            };
            if let Some(used) = public.strip_prefix("use ") {
                for (path, alias) in leaves(used.trim_end_matches(';')) {
                    self.reexport(file, &path, &format!("{prefix}{alias}"), paths);
                }
            } else if !is_top(&self.files[file], line) {
                continue;
            } else if let Some(module) = public.strip_prefix("mod ") {
                let module = name(module);
                let inner = self.child(file, module);
                let inner = inner.unwrap_or_else(|| panic!("{file:?} has no {module}"));
                self.export(&inner, &format!("{prefix}{module}::"), paths);
            } else if let Some(item) = defined(public) {
                paths.insert(
                    format!("{prefix}{item}"),
                    (file.to_owned(), item.to_owned()),
                );
            }
        }
    }

    fn reexport(
        &self,
        file: &Path,
        path: &[String],
        alias: &str,
        paths: &mut BTreeMap<String, (PathBuf, String)>,
    ) {
        let mut file = file.to_owned();
        for (index, part) in path.iter().enumerate() {
            match &**part {
                "self" => continue,
                "crate" => file = self.src.join("lib.rs"),
                "super" => {
                    let folder = file.parent().unwrap();
                    let folder = if file.ends_with("mod.rs") {
                        folder.parent().unwrap()
                    } else {
                        folder
                    };
                    file = folder.join(if folder == self.src {
                        "lib.rs"
                    } else {
                        "mod.rs"
                    });
                }
                part => match self.child(&file, part) {
                    Some(inner) => file = inner,
                    None => {
                        assert_eq!(index + 1, path.len(), "{path:?} is not found");
                        self.place(&file, part, alias, paths);
                        return;
                    }
                },
            }
        }
        self.export(&file, &format!("{alias}::"), paths);
    }

    /// Notes the item `item` of `file` under the path `alias`, wherever it is defined.
    fn place(
        &self,
        file: &Path,
        item: &str,
        alias: &str,
        paths: &mut BTreeMap<String, (PathBuf, String)>,
    ) {
        let lines = &self.files[file];
        let is_here = |line: &String| {
            let start = line.trim_start();
            let start = start
                .strip_prefix("pub(crate) ")
                .or(start.strip_prefix("pub "));
            is_top(lines, line) && start.and_then(defined) == Some(item)
        };
        if lines.iter().any(is_here) {
            paths.insert(alias.to_owned(), (file.to_owned(), item.to_owned()));
            return;
        }
        for line in lines {
            let start = line.trim_start();
            let used = start
                .strip_prefix("pub(crate) ")
                .or(start.strip_prefix("pub "));
            let used = used.unwrap_or(start).strip_prefix("use ");
            let leaves = used.map(|used| leaves(used.trim_end_matches(';')));
            for (path, name) in leaves.into_iter().flatten() {
                if name == item {
                    return self.reexport(file, &path, alias, paths);
                }
            }
        }
        panic!("{item} is not in {file:?}");
    }

    /// The file of the module `module` in that of `file`.
    fn child(&self, file: &Path, module: &str) -> Option<PathBuf> {
        let is_folder = file.ends_with("mod.rs") || file.ends_with("lib.rs");
        let folder = if is_folder {
            file.parent()?.to_owned()
        } else {
            file.with_extension("")
        };
        [format!("{module}.rs"), format!("{module}/mod.rs")]
            .iter()
            .map(|name| folder.join(name))
            .find(|path| self.files.contains_key(path))
    }

    fn item(&self, file: &Path, item: &str) -> Item {
        let mut found = Item::default();
        let mut attributes = String::new();
        let mut lines = self.files[file].iter();
        while let Some(line) = lines.next() {
            let start = line.trim_start();
            if start.starts_with("#[") {
                let kept = ["#[derive", "#[non_exhaustive", "#[must_use", "#[doc(hidden"];
                if kept.iter().any(|kept| start.starts_with(kept)) {
                    attributes.push_str(&format!("{start} "));
                }
                continue;
            }
            let public = start
                .strip_prefix("pub(crate) ")
                .or(start.strip_prefix("pub "));
            if is_top(&self.files[file], line) && public.and_then(defined) == Some(item) {
                found.declaration = format!("{attributes}{}", declaration(start));
                if start.ends_with('{') && !start.contains("fn ") {
                    let inside = lines
                        .by_ref()
                        .take_while(|next| indent(next) > indent(line));
                    let is_open = start.contains("enum ") || start.contains("trait ");
                    let is_member = |line: &&str| {
                        let is_shown = is_open || line.starts_with("pub ");
                        is_shown && !line.starts_with("#[") && !line.starts_with(['}', '$'])
                    };
                    let members = inside.map(|line| line.trim_start()).filter(is_member);
                    found.members = members.map(declaration).collect();
                }
                break;
            }
            attributes.clear();
        }
        let key = (self.top(file), item.to_owned());
        let added = self.added.get(&key).into_iter().flatten().cloned();
        let mut added: Vec<_> = added.collect();
        added.sort();
        added.dedup();
        found.members.extend(added);
        found
    }
}

/// Lines of code as statements: a declaration that goes over several lines becomes one.
fn statements(code: &[&str]) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    for line in code {
        if let Some(statement) = &mut open {
            if !statement.ends_with(['(', '<', '{']) {
                statement.push(' ');
            }
            let line = line.trim_start();
            if line.starts_with([')', '>', '}']) {
                let end = statement.trim_end().trim_end_matches(',').len();
                statement.truncate(end);
            }
            statement.push_str(line);
        } else {
            open = Some((*line).to_owned());
        }
        let statement = open.as_deref().unwrap_or_default();
        let start = statement.trim_start();
        let is_declaration = ["pub ", "pub(crate) ", "impl", "fn ", "#[", "use "]
            .iter()
            .any(|keyword| start.starts_with(keyword));
        let is_use = start.contains("use ");
        let is_function = start.contains("fn ");
        let is_whole = !is_declaration
            || start.ends_with([';', ']', '}'])
            || (start.ends_with(',') && !is_function && !is_use)
            || (start.ends_with('{') && !is_use);
        if is_whole {
            statements.extend(open.take());
        }
    }
    statements.extend(open);
    statements
}

/// A declaration without its body or value.
fn declaration(line: &str) -> String {
    let line = match line.find(" = ") {
        Some(at) if line.contains("const ") => &line[..at],
        _ => line,
    };
    line.trim_end_matches(['{', ';', ',', ' ']).to_owned()
}

/// The name that `public` defines, which follows `pub`.
fn defined(public: &str) -> Option<&str> {
    let mut rest = public;
    while let Some(next) = [
        "const fn ",
        "unsafe fn ",
        "fn ",
        "struct ",
        "enum ",
        "trait ",
        "type ",
        "const ",
        "static ",
    ]
    .iter()
    .find_map(|keyword| rest.strip_prefix(keyword))
    {
        rest = next;
        if !rest.starts_with("fn ") {
            return Some(name(rest)).filter(|name| !name.is_empty());
        }
    }
    None
}

/// Whether `line` is outside of all blocks, or in a macro, whose items are those of the module.
fn is_top(lines: &[String], line: &String) -> bool {
    if indent(line) == 0 {
        return true;
    }
    let at = lines.iter().position(|other| std::ptr::eq(other, line));
    let mut before = lines[..at.unwrap_or(0)].iter().rev();
    let block = before.find(|other| indent(other) == 0 && !other.is_empty());
    indent(line) == 8 && block.is_some_and(|block| block.starts_with("macro_rules!"))
}

/// What `impl` implements, if that is a trait, and for which type.
fn subject_of(block: &str) -> (Option<String>, String) {
    let block = block.trim_end_matches(['{', ' ']);
    let block = match block.strip_prefix('<') {
        Some(generic) => {
            let mut depth = 1;
            let end = generic.find(|c| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                depth == 0
            });
            generic[end.map_or(0, |end| end + 1)..].trim_start()
        }
        None => block.trim_start(),
    };
    let block = block.split(" where ").next().unwrap_or(block);
    match block.split_once(" for ") {
        Some((implemented, subject)) => (
            Some(implemented.to_owned()),
            name(subject.trim_start_matches('&')).to_owned(),
        ),
        None => (None, name(block).to_owned()),
    }
}

/// The paths that a `use` names, each with the name that it gets.
fn leaves(used: &str) -> Vec<(Vec<String>, String)> {
    let (start, group) = match used.split_once("::{") {
        Some((start, group)) => (start, group.trim_end_matches('}')),
        None => ("", used),
    };
    let start = start.split("::").filter(|part| !part.is_empty());
    let start: Vec<_> = start.map(str::to_owned).collect();
    let mut leaves = Vec::new();
    for leaf in group
        .split(',')
        .map(str::trim)
        .filter(|leaf| !leaf.is_empty())
    {
        let (path, alias) = match leaf.split_once(" as ") {
            Some((path, alias)) => (path, Some(alias)),
            None => (leaf, None),
        };
        let mut whole = start.clone();
        whole.extend(
            path.split("::")
                .filter(|part| *part != "self")
                .map(str::to_owned),
        );
        let last = whole.last().cloned().unwrap_or_default();
        leaves.push((whole, alias.unwrap_or(&last).to_owned()));
    }
    leaves
}
