//! Pages of HTML in a real browser.

use crate::needs::{answer, script};
use crate::support::command::URLINT;
use crate::support::hostile::Hostile;

pub(crate) fn only_the_script_of_urlint_runs() {
    let hostile = Hostile::new();
    let mut command = script("pages.py");
    command.arg(URLINT).arg(hostile.folder.path());
    assert_eq!(answer(command, b""), "links many months policy\n");
}
