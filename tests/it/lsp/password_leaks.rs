//! No part of a password is in the messages of the language server, but for edits and the targets of links,
//! which are for the editor and not for people.

use std::collections::BTreeSet;

use super::*;
use crate::password_leaks::Finder;

#[test]
fn the_language_server_shows_no_part_of_a_password() {
    let mut finder = Finder::new();
    let folder = Folder::new();
    let capabilities = capable(json!({ "textDocument": {
        "diagnostic": {},
        "codeAction": { "disabledSupport": true },
        "documentLink": { "tooltipSupport": true },
    } }));
    let options = json!({ "select": ["ALL"], "schemeless": true });
    let params = json!({ "capabilities": capabilities, "initializationOptions": options });
    let mut editor = Editor::with(folder.path(), params);
    let mut said = BTreeSet::new();
    for (file, text) in finder.forms() {
        let uri = format!("file:///forms/{file}");
        editor.open(&uri, "", text);
        said.insert(editor.pulled(&uri).to_string());
        for action in editor.actions(&uri, None) {
            said.extend(["title", "diagnostics", "disabled"].map(|key| action[key].to_string()));
        }
        for link in editor.links(&uri).as_array().unwrap() {
            said.insert(link["tooltip"].to_string());
        }
        for (line, text) in (0..).zip(text.split(['\n', '\r'])) {
            for character in (0..text.len() as u32).step_by(16) {
                let position = json!({ "position": place(line, character) });
                let hover = editor.about("textDocument/hover", &uri, position);
                said.insert(hover.to_string());
            }
        }
        editor.close(&uri);
    }
    editor.end();
    let hidden = said.iter().filter(|said| said.contains("***"));
    assert!(hidden.count() * 2 > said.len());
    said.iter().for_each(|said| finder.look_at(said));
    finder.assert_hidden();
}
