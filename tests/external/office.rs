//! Office documents and books as the libraries read them that people use for them.

use std::collections::BTreeSet;

use crate::needs::{answer, script};
use crate::support::command::Folder;

pub(crate) fn urls_are_those_that_libraries_read() {
    let folder = Folder::new();
    let mut write = script("office.py");
    write.arg(folder.path());
    let theirs = answer(write, b"");
    let listed = folder.run(&["extract", "--isolated", "--fields", "path,url"], b"");
    let ours = listed.text().replace('\t', " ");
    let [theirs, ours] = [&theirs, &ours].map(|text| text.lines().collect::<BTreeSet<_>>());
    assert!(theirs.len() > 800, "{}", theirs.len());
    let differences: Vec<_> = theirs.symmetric_difference(&ours).collect();
    assert!(differences.is_empty(), "{differences:#?}");
}
