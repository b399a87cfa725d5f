//! Tells the tests where the command is: Cargo names it only to the tests of its own package.

use std::env;
use std::path::PathBuf;

fn main() {
    // `target/PROFILE/build/urlint-external-HASH/out`.
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let built = out.ancestors().nth(3).unwrap_or(&out);
    let command = built
        .join("urlint")
        .with_extension(env::consts::EXE_EXTENSION);
    println!(
        "cargo::rustc-env=CARGO_BIN_EXE_urlint={}",
        command.display()
    );
    println!("cargo::rerun-if-changed=build.rs");
}
