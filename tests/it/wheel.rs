//! The wheel that people build from a clone is optimised.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::command::Folder;

/// Runs `.ci/wheel` with these programs alone on the path, besides those of every system. Returns whether it
/// succeeded, and its output.
fn wheel(programs: &[(&str, &str)], arguments: &[&str]) -> (bool, String) {
    let folder = Folder::new();
    for (name, script) in programs {
        folder.write(name, format!("#!/bin/sh\n{script}\n"));
        let path = folder.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/wheel"));
    let output = command.arg(folder.path().join("out")).args(arguments);
    let output = output.env("PATH", path).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), said)
}

/// Names its arguments, and a command that is optimised as `$1` says.
fn cargo(level: &str) -> String {
    format!(
        "echo \"$@\" >&2\n\
         echo '{{\"target\":{{\"kind\":[\"bin\"]}},\"profile\":{{\"opt_level\":\"{level}\",\"debuginfo\":0,\"debug_assertions\":false}},\"executable\":\"/no/urlint\"}}'"
    )
}

#[test]
fn a_wheel_that_is_not_optimised_is_an_error() {
    let (is_built, said) = wheel(&[("cargo", &cargo("3"))], &[]);
    if !Path::new("/usr/bin/maturin").exists() {
        // It is missed before anything is built.
        assert!(!is_built && said.contains("pip install maturin"), "{said}");
        assert!(!said.contains("--locked"), "{said}");
    }
    let build = |level, arguments: &[&str]| {
        let programs = [("cargo", &*cargo(level)), ("maturin", "exit 3")];
        wheel(&programs, arguments).1
    };
    for (level, arguments, profile, is_enough) in [
        ("0", &[][..], "--profile dist", false),
        ("3", &[], "--profile dist", true),
        ("0", &["--profile", "dev"], "--profile dev", true),
        ("0", &["--release"], "json --release", false),
    ] {
        let said = build(level, arguments);
        assert!(said.contains(profile), "{arguments:?}: {said}");
        assert_eq!(
            !said.contains("is not optimised"),
            is_enough,
            "{arguments:?}: {said}"
        );
    }
}
