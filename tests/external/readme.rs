//! The picture of the README is the output of the command. `SNAPSHOTS=overwrite` draws it anew.

use snapbox::{Assert, Data, IntoData, data::DataFormat, file};

use crate::needs::root;
use crate::support::command::run;

pub(crate) fn picture() {
    let shown = ["check", "--color", "always", "--quiet", "--select"];
    let chosen = ["second-query,link-text", "fixtures/sample.txt"];
    let ran = run(&root(), &[&shown[..], &chosen].concat(), b"");
    let printed: Data = ran.stdout.into_data().coerce_to(DataFormat::TermSvg);
    Assert::new()
        .action_env("SNAPSHOTS")
        .eq(printed, file!["../../fixtures/diagnostic.svg": TermSvg]);
}
