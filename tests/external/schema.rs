//! The JSON Schema of configuration files in the package `jsonschema`: it accepts the same files as urlint.

use std::process::Stdio;

use crate::needs::python;
use crate::support::command::{Folder, feed};

const GOOD: &[&str] = &[
    "",
    include_str!("../../src/config/parse/every-key.toml"),
    "select = ['bad-port', 'style', 'ALL', 'empty-port']",
    "severity = { bad-port = 'off', ALL = 'hint', style = 'warning' }",
    "types = { '*.x' = 'markdown' }",
    "per-file-ignores = { 'a/*.txt' = [] }",
    "output-format = 'json'",
    "output-format = 'sarif=out.sarif'",
    "output-format = ['full', 'json=x']",
    "ignore-urls = ['x', { regex = '^a' }]",
    "schemes = ['x-a.b+c']",
    "exclude = ['!a', 'b']",
    "standard = 'rfc3987'",
    "baseline = 'x.json'",
];

/// Each is wrong for itself.
const BAD: &[&str] = &[
    "selct = []",
    "select = 'style'",
    "select = ['bad-prt']",
    "select = ['all']",
    "ignore = [1]",
    "severity = { bad-prt = 'off' }",
    "severity = { bad-port = 'of' }",
    "severity = []",
    "types = { '*.x' = 'html5' }",
    "types = { '!x' = 'html' }",
    "types = { '' = 'html' }",
    "per-file-ignores = { 'x' = 'style' }",
    "per-file-ignores = { 'x' = ['no'] }",
    "output-format = 'json='",
    "output-format = 'yaml'",
    "output-format = ['full=x', 'yaml=x']",
    "output-format = 1",
    "ignore-urls = [{}]",
    "ignore-urls = [{ glob = 'x' }]",
    "ignore-urls = [1]",
    "ignore-urls = [{ regex = 1 }]",
    "schemes = ['a:']",
    "schemes = ['']",
    "exclude = ['']",
    "exclude = 'x'",
    "standard = 'rfc2396'",
    "rejoin = true",
    "hyphen = 'burn'",
    "deep = 1",
    "schemeless = 'true'",
    "min-severity = 'off'",
    "baseline = ''",
    "extend = ''",
    "extend = 1",
];

const SCRIPT: &str = "
import json, sys, tomllib
from jsonschema import Draft7Validator
schema, texts = json.load(sys.stdin)
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
print(json.dumps([validator.is_valid(tomllib.loads(text)) for text in texts]))
";

pub(crate) fn it_takes_what_is_taken() {
    let folder = Folder::of(&[("base.toml", "")]);
    let schema: serde_json::Value = {
        let printed = folder.run(&["schema"], b"");
        serde_json::from_slice(&printed.stdout).unwrap()
    };
    let texts = [GOOD, BAD].concat();
    let input = serde_json::to_vec(&(schema, &texts)).unwrap();
    let mut python = python();
    let judged = feed(python.args(["-c", SCRIPT]).stderr(Stdio::inherit()), &input);
    let judged: Vec<bool> = serde_json::from_slice(&judged.stdout).unwrap();
    assert_eq!(judged.len(), texts.len());
    for (index, (text, judged)) in texts.iter().zip(judged).enumerate() {
        folder.write("x.toml", text);
        let args = ["check", "--config", "x.toml", "--show-settings", "."];
        let is_read = folder.run(&args, b"").code == Some(0);
        assert_eq!(
            (is_read, judged),
            (index < GOOD.len(), index < GOOD.len()),
            "{text}"
        );
    }
}
