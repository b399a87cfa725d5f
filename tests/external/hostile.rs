//! The output for hostile inputs, read by other programs, and on a terminal.

use crate::needs::{answer, script};
use crate::support::command::URLINT;
use crate::support::hostile::Hostile;

pub(crate) fn outputs_are_read_strictly() {
    let hostile = Hostile::new();
    let mut command = script("hostile.py");
    command.arg(URLINT).arg(hostile.folder.path());
    assert_eq!(answer(command, b""), "True True\n");
}
