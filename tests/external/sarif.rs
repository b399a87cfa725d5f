//! SARIF against the models of the package `sarif-pydantic`.

use crate::needs::python;
use crate::support::command::Folder;

/// Three diagnostics, one of them in a broken URL.
const TEXT: &str = "\u{dc}ber <URL:http://a.example/~x> and <URL:http://www-\n  b.example.org/c> <URL:http://a.example/%zz>\n";

pub(crate) fn is_accepted_by_others() {
    let folder = Folder::of(&[("a file.txt", TEXT)]);
    let args = [
        "check",
        "--extend-select",
        "ambiguous-hyphen",
        "--output-format",
        "sarif",
    ];
    let ran = folder.run(&[&args[..], &["a file.txt"]].concat(), b"");
    let path = folder.write("log.sarif", ran.stdout);
    let script = "import json, sys; from sarif_pydantic import Sarif; \
                  log = Sarif.model_validate(json.load(open(sys.argv[1]))); \
                  print(len(log.runs[0].results))";
    let output = python().args(["-c", script]).arg(path).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3\n", "{output:?}");
}
