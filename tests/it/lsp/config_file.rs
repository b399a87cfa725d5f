//! Configuration files in the editor.

use serde_json::json;

use super::{Editor, place, pulling};
use crate::support::command::Folder;

/// Opens a file of this name and text, and returns its URI.
fn open(editor: &mut Editor, folder: &Folder, name: &str, text: &str) -> String {
    let root = folder.path().canonicalize().unwrap();
    let uri = format!("file://{}/{name}", root.display());
    editor.open(&uri, "toml", text);
    uri
}

/// Returns the labels of what may be written at `|`, and the first of the texts that are inserted.
fn proposed(name: &str, marked: &str) -> (Vec<String>, String) {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let (before, after) = marked.split_once('|').unwrap();
    let uri = open(&mut editor, &folder, name, &format!("{before}{after}"));
    let line = before.matches('\n').count() as u32;
    let character = before.rsplit('\n').next().unwrap().len() as u32;
    let position = json!({ "position": place(line, character) });
    let items = editor.about("textDocument/completion", &uri, position);
    editor.end();
    let items = items.as_array().unwrap();
    let labels = items.iter().map(|item| item["label"].as_str().unwrap());
    let first = items.first();
    let new = first.map(|item| item["textEdit"]["newText"].as_str().unwrap());
    (
        labels.map(str::to_owned).collect(),
        new.unwrap_or_default().to_owned(),
    )
}

#[test]
fn all_mistakes_are_told_of_the_text_in_the_editor() {
    let folder = Folder::of(&[("urlint.toml", ""), ("base.toml", "dep = true\n")]);
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "selct = 1\nignore = ['bad-prt']\nextend = 'base.toml'\n";
    let uri = open(&mut editor, &folder, "urlint.toml", text);
    let items = editor.pulled(&uri);
    let items = items.as_array().unwrap();
    let told: Vec<_> = items
        .iter()
        .map(|item| (item["range"].clone(), item["message"].as_str().unwrap()))
        .collect();
    let range = |line, start, end| json!({ "start": place(line, start), "end": place(line, end) });
    let there = "this file is wrong:\nbase.toml:1:1: unknown key `dep`; did you mean `deep`?";
    assert_eq!(
        told,
        [
            (
                range(0, 0, 5),
                "unknown key `selct`; did you mean `select`?"
            ),
            (
                range(1, 10, 19),
                "unknown rule or group `bad-prt`; did you mean `bad-port`?"
            ),
            (range(2, 9, 20), there),
        ]
    );
    assert!(items.iter().all(|item| item["code"] == "configuration"));
    assert!(items.iter().all(|item| item["severity"] == 1));
    editor.change(&uri, 2, &json!([{ "text": "deep = " }]));
    let items = editor.pulled(&uri);
    assert_eq!(items[0]["message"], "expected a value");
    editor.change(&uri, 3, &json!([{ "text": "deep = true" }]));
    assert_eq!(editor.pulled(&uri), json!([]));
    editor.end();
}

#[test]
fn a_pyproject_is_read_where_it_is_about_urlint() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "[tool.other]\nselct = 1\n";
    let uri = open(&mut editor, &folder, "pyproject.toml", text);
    assert_eq!(editor.pulled(&uri), json!([]));
    let text = format!("{text}[tool.urlint]\nselct = 1\n");
    editor.change(&uri, 2, &json!([{ "text": text }]));
    let items = editor.pulled(&uri);
    assert_eq!(items[0]["range"]["start"], place(3, 0));
    editor.end();
    assert!(proposed("pyproject.toml", "[tool.other]\n|").0.is_empty());
    let (keys, _) = proposed("pyproject.toml", "[tool.urlint]\n|");
    assert!(keys.contains(&"select".to_owned()));
}

#[test]
fn keys_and_values_are_completed() {
    let has = |name: &str, marked: &str, label: &str, new: &str| {
        let (labels, first) = proposed(name, marked);
        assert!(
            labels.iter().any(|known| known == label),
            "{marked}: {labels:?}"
        );
        assert_eq!(first, new, "{marked}");
    };
    has("urlint.toml", "|", "rejoin", "select = ");
    has("urlint.toml", "rej|", "rejoin", "select = ");
    has(".urlint.toml", "r|ejoin = 1", "select", "select");
    has("urlint.toml", "rejoin = |", "judged", "\"never\"");
    has("urlint.toml", "rejoin = \"|\"", "judged", "never");
    has("urlint.toml", "rejoin = '|", "judged", "never'");
    has("urlint.toml", "deep = |", "false", "true");
    has("urlint.toml", "select = |", "bad-port", "[\"encoding\"]");
    has("urlint.toml", "select = ['|']", "bad-port", "encoding");
    has("urlint.toml", "schemes = [|]", "mailto", "\"acct\"");
    has("urlint.toml", "output-format = |", "sarif", "\"full\"");
    has("urlint.toml", "standard = '|'", "whatwg", "rfc1738");
    has(
        "urlint.toml",
        "types = { '*.x' = '|' }",
        "markdown",
        "plain",
    );
    has("urlint.toml", "[severity]\nstyle = '|'", "off", "error");
    has("urlint.toml", "[severity]\n|", "bad-port", "encoding = ");
    has("urlint.toml", "ignore-urls = [{ |", "regex", "regex = ");
    has("urlint.toml", "[|]", "types", "severity");
    // What is there is not proposed again.
    let (keys, _) = proposed("urlint.toml", "deep = true\n|\n[types]\n");
    assert!(!keys.contains(&"deep".to_owned()) && !keys.contains(&"types".to_owned()));
    for nothing in ["extend = '|'", "types = { '|' = 'xml' }", "# |", "x = |"] {
        assert!(proposed("urlint.toml", nothing).0.is_empty(), "{nothing}");
    }
    assert!(proposed("other.toml", "|").0.is_empty());
}

#[test]
fn keys_and_names_are_explained() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text =
        "rejoin = 'never'\nselect = ['bad-port', 'style', 'ALL']\n[severity]\npassword = 'off'\n";
    let uri = open(&mut editor, &folder, "urlint.toml", text);
    let mut hover = |line, character| {
        let position = json!({ "position": place(line, character) });
        let hover = editor.about("textDocument/hover", &uri, position);
        hover["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let key = hover(0, 2);
    assert!(
        key.starts_with("`rejoin`: `\"never\"`, `\"judged\"` or `\"likely\"`; the default"),
        "{key}"
    );
    assert!(
        key.contains("When to join lines, see `urlint help rejoining`."),
        "{key}"
    );
    assert_eq!(hover(0, 12), "Only inside `<URL:...>` and `<http:...>`.");
    assert!(hover(1, 13).starts_with("# bad-port\n"));
    assert!(hover(1, 25).starts_with("The group `style`: "));
    assert_eq!(hover(1, 33), "All rules.\n");
    assert!(hover(2, 3).starts_with("`severity`: table"));
    assert!(hover(3, 3).starts_with("# password\n"));
    assert_eq!(hover(3, 13), "");
    editor.end();
}

#[test]
fn while_the_configuration_is_wrong_the_last_one_applies() {
    let folder = Folder::of(&[("urlint.toml", "ignore = ['unsafe-character']")]);
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "http://a.example:x/ http://a.example/~x";
    let uri = open(&mut editor, &folder, "a.txt", text);
    assert_eq!(super::rules(&editor.pulled(&uri)), ["bad-port"]);
    folder.write("urlint.toml", "ignore = ");
    editor.tell("workspace/didChangeConfiguration", json!({}));
    editor.open("untitled:x", "plaintext", "");
    let params = json!({ "textDocument": { "uri": uri } });
    editor.send(&json!({ "jsonrpc": "2.0", "id": 99, "method": "textDocument/diagnostic", "params": params }));
    let told = editor.read();
    assert_eq!(told["method"], "window/showMessage");
    let message = told["params"]["message"].as_str().unwrap();
    assert!(
        message.contains("urlint.toml:1:10: expected a value"),
        "{message}"
    );
    let answer = editor.read();
    assert_eq!(super::rules(&answer["result"]["items"]), ["bad-port"]);
    // Nothing more is said than the diagnostics of the file, if that is open.
    let config = open(&mut editor, &folder, "urlint.toml", "ignore = ");
    folder.write("urlint.toml", "ignore =");
    editor.tell("workspace/didChangeConfiguration", json!({}));
    assert_eq!(super::rules(&editor.pulled(&uri)), ["bad-port"]);
    assert_eq!(super::rules(&editor.pulled(&config)), ["configuration"]);
    editor.end();
}
