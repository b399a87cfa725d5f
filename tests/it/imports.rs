//! Imports between modules go one way: up in the list of modules in `lib.rs` or `main.rs`. What is only for
//! tests may import anything, and stands last in its file.

use std::fs;
use std::path::Path;

use regex::Regex;

#[test]
fn the_modules_import_one_way() {
    let listed = Regex::new(r"(?m)^(?:pub )?mod ([a-z_]+);").unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for main in [
        "src/lib.rs",
        "src/bin/urlint/main.rs",
        "src/python/native/lib.rs",
    ] {
        let list = fs::read_to_string(root.join(main)).unwrap();
        let found = listed.captures_iter(&list);
        let modules: Vec<_> = found.map(|found| found.extract::<1>().1[0]).collect();
        for (number, module) in modules.iter().enumerate() {
            let earlier = &modules[..=number];
            let folder = root.join(main).with_file_name(module);
            count += imports(&folder.with_extension("rs"), earlier) + imports(&folder, earlier);
        }
    }
    assert!(count > 500, "{count}");
}

/// Returns how many imports the file at `path` has, or the files below it, after comparing each with the
/// modules that they may use.
fn imports(path: &Path, allowed: &[&str]) -> usize {
    let name = path.file_stem().unwrap().to_str().unwrap();
    if ["tests", "testing"].contains(&name) {
        return 0;
    }
    if let Ok(entries) = fs::read_dir(path) {
        let paths = entries.map(|entry| entry.unwrap().path());
        return paths.map(|path| imports(&path, allowed)).sum();
    }
    let text = fs::read_to_string(path).unwrap_or_default();
    let code = text.split("\nmod tests").next().unwrap();
    let import = Regex::new(r"(?:^|[ (<&!:])crate::([A-Za-z_]+)").unwrap();
    let mut count = 0;
    for line in code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        for (_, [used]) in import.captures_iter(line).map(|found| found.extract()) {
            assert!(allowed.contains(&used), "{}: {line}", path.display());
            count += 1;
        }
    }
    count
}
