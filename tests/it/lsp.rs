//! The language server over pipes, as an editor talks to it.

mod password_leaks;

use std::cell::RefCell;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use serde_json::{Value, json};

use crate::support::command::{Folder, urlint};
use crate::support::lsp::{read_message, write_message};
use urlint_testing::tries;

/// An editor. A message that no test asks for is a failure.
pub(crate) struct Editor {
    server: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    sent: i32,
    /// The answer to `initialize`.
    capabilities: Value,
}

/// The capabilities of the editor, besides `more`.
fn capable(more: Value) -> Value {
    let mut all = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true, "codeDescriptionSupport": true },
            "codeAction": { "codeActionLiteralSupport": {} },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
        },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    });
    merge(&mut all, more);
    all
}

fn merge(all: &mut Value, more: Value) {
    match (all, more) {
        (Value::Object(all), Value::Object(more)) => {
            for (key, value) in more {
                merge(all.entry(key).or_insert(Value::Null), value);
            }
        }
        (all, more) => *all = more,
    }
}

pub(crate) fn pulling() -> Value {
    capable(json!({ "textDocument": { "diagnostic": {} } }))
}

impl Editor {
    pub(crate) fn new(folder: &Path, capabilities: Value) -> Editor {
        Editor::with(folder, json!({ "capabilities": capabilities }))
    }

    /// An editor that says this when it starts.
    fn with(folder: &Path, params: Value) -> Editor {
        let mut editor = Editor::start(folder);
        let answer = editor.ask("initialize", params);
        editor.capabilities = answer["capabilities"].clone();
        editor.tell("initialized", json!({}));
        editor
    }

    /// An editor that has said nothing.
    fn start(folder: &Path) -> Editor {
        let mut command = urlint(&["lsp"]);
        let command = command.current_dir(folder);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        Editor {
            stdin: server.stdin.take(),
            stdout: BufReader::new(server.stdout.take().unwrap()),
            server,
            sent: 0,
            capabilities: Value::Null,
        }
    }

    fn send(&mut self, message: &Value) {
        write_message(self.stdin.as_mut().unwrap(), message);
    }

    fn send_raw(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn read(&mut self) -> Value {
        let message = read_message(&mut self.stdout).expect("it has ended");
        serde_json::from_slice(&message).unwrap()
    }

    /// Sends a request; returns its number.
    fn request(&mut self, method: &str, params: Value) -> i32 {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Returns the answer to a request, which is the next message.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], id, "nobody has asked for {answer}");
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    fn about(&mut self, method: &str, uri: &str, more: Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": uri } });
        merge(&mut params, more);
        self.ask(method, params)
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, version: i32, changes: &Value) {
        self.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": changes,
            }),
        );
    }

    fn close(&mut self, uri: &str) {
        let document = json!({ "uri": uri });
        self.tell("textDocument/didClose", json!({ "textDocument": document }));
    }

    /// Returns the next message, which has to be diagnostics.
    fn published(&mut self) -> Value {
        let message = self.read();
        assert_eq!(
            message["method"], "textDocument/publishDiagnostics",
            "{message}"
        );
        message["params"].clone()
    }

    pub(crate) fn pulled(&mut self, uri: &str) -> Value {
        let report = self.about("textDocument/diagnostic", uri, json!({}));
        assert_eq!(report["kind"], "full");
        assert!(report.get("resultId").is_none());
        report["items"].clone()
    }

    fn links(&mut self, uri: &str) -> Value {
        self.about("textDocument/documentLink", uri, json!({}))
    }

    /// Returns the actions for the whole document.
    fn actions(&mut self, uri: &str, only: Option<&str>) -> Vec<Value> {
        let mut context = json!({ "diagnostics": [{ "no": "diagnostic" }] });
        if let Some(only) = only {
            context["only"] = json!([only]);
        }
        let range = json!({ "start": place(0, 0), "end": place(99, 0) });
        let params = json!({ "range": range, "context": context });
        let actions = self.about("textDocument/codeAction", uri, params);
        actions.as_array().unwrap().clone()
    }

    /// Says goodbye; nothing more may come.
    pub(crate) fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "nobody has asked for this");
        assert_eq!(self.server.wait().unwrap().code(), Some(0));
    }
}

fn place(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

pub(crate) fn rules(items: &Value) -> Vec<&str> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item["code"].as_str().unwrap()).collect()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    let titles = actions.iter().map(|action| action["title"].as_str());
    titles.map(Option::unwrap).collect()
}

/// Returns `text` after an action; positions count in UTF-8.
fn after(text: &str, action: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let offset = |place: &Value| {
        let line = place["line"].as_u64().unwrap() as usize;
        starts[line] + place["character"].as_u64().unwrap() as usize
    };
    let edits = &action["edit"]["documentChanges"][0]["edits"];
    let edits = edits.as_array().unwrap().iter();
    let mut edits: Vec<_> = edits
        .map(|edit| {
            let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
            (range, edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut new = text.to_owned();
    for (range, replacement) in edits.into_iter().rev() {
        new.replace_range(range, replacement);
    }
    new
}

const URI: &str = "untitled:Untitled-1";

#[test]
fn diagnostics_are_sent_to_an_editor_that_does_not_ask() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), capable(json!({})));
    assert!(editor.capabilities.get("diagnosticProvider").is_none());
    editor.open(URI, "markdown", "x\n<http://a.example:x/~joe>\n");
    let sent = editor.published();
    assert_eq!(sent["uri"], URI);
    assert_eq!(sent["version"], 1);
    let first = &sent["diagnostics"][0];
    assert_eq!(first["code"], "bad-port");
    assert_eq!(first["severity"], 1);
    assert_eq!(first["source"], "urlint");
    assert_eq!(
        first["range"],
        json!({ "start": place(1, 18), "end": place(1, 19) })
    );
    let href = first["codeDescription"]["href"].as_str().unwrap();
    assert!(href.starts_with("https://www.rfc-editor.org/rfc/rfc1738#"));
    // A hint is shown as information.
    assert_eq!(sent["diagnostics"][1]["severity"], 3);

    let change = json!([{ "range": { "start": place(1, 18), "end": place(1, 19) }, "text": "8" }]);
    editor.change(URI, 2, &change);
    let sent = editor.published();
    assert_eq!(sent["version"], 2);
    assert_eq!(rules(&sent["diagnostics"]), ["unsafe-character"]);

    editor.close(URI);
    assert_eq!(editor.published(), json!({ "uri": URI, "diagnostics": [] }));
    editor.end();
}

#[test]
fn an_editor_that_asks_is_sent_nothing() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    assert_eq!(
        editor.capabilities["diagnosticProvider"]["interFileDependencies"],
        false
    );
    editor.open(URI, "plaintext", "http://a.example:x/");
    assert_eq!(rules(&editor.pulled(URI)), ["bad-port"]);
    editor.change(URI, 2, &json!([{ "text": "http://a.example/" }]));
    assert_eq!(rules(&editor.pulled(URI)), [""; 0]);
    editor.close(URI);
    assert_eq!(rules(&editor.pulled(URI)), [""; 0]);
    editor.end();
}

#[test]
fn related_places_are_the_pieces_and_the_other_readings() {
    let folder = Folder::of(&[("urlint.toml", "extend-select = ['ambiguous-hyphen']")]);
    let mut editor = Editor::new(folder.path(), pulling());
    editor.open(URI, "plaintext", "<URL:http://www-\n  db.a.example/x>\n");
    let items = editor.pulled(URI);
    assert_eq!(rules(&items), ["ambiguous-hyphen"]);
    let related = items[0]["relatedInformation"].as_array().unwrap();
    let messages: Vec<_> = related
        .iter()
        .map(|related| related["message"].as_str().unwrap())
        .collect();
    let reading = "may also be read as http://wwwdb.a.example/x";
    assert_eq!(
        messages,
        ["piece 1 of the URL", "piece 2 of the URL", reading]
    );
    assert_eq!(related[1]["location"]["range"]["start"], place(1, 2));
    editor.end();
}

#[test]
fn a_password_is_never_shown() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "ftp://joe:hun~ter@a.example:x/ and <URL:ftp://joe:hun-\nter@a.example/~x>";
    editor.open(URI, "plaintext", text);
    let items = editor.pulled(URI);
    assert!(rules(&items).contains(&"password"));
    let hover = editor.about(
        "textDocument/hover",
        URI,
        json!({ "position": place(0, 3) }),
    );
    let hovers = editor.about(
        "textDocument/hover",
        URI,
        json!({ "position": place(1, 3) }),
    );
    let actions = editor.actions(URI, None);
    let titles = titles(&actions).join("\n");
    let links = editor.links(URI);
    let tooltips: Vec<_> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| &link["tooltip"])
        .collect();
    for shown in [
        items.to_string(),
        hover.to_string(),
        hovers.to_string(),
        titles,
        format!("{tooltips:?}"),
    ] {
        assert!(!shown.contains("hun") && !shown.contains("ter@"), "{shown}");
    }
    assert!(hover.to_string().contains("joe:***@a.example"), "{hover}");
    editor.end();
}

#[test]
fn each_piece_of_a_url_opens_the_whole() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "> <URL:http://www-\n>   a.example/é x>\n\ncommand:x javascript:alert(1) file:///etc/x\n\
                mailto:joe@a.example http://a.example/{user}/x ssh://a.example/";
    editor.open(URI, "plaintext", text);
    let links = editor.links(URI);
    let links: Vec<_> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            (
                link["target"].as_str().unwrap(),
                link["range"]["start"].clone(),
            )
        })
        .collect();
    let url = "http://www-a.example/%C3%A9x";
    assert_eq!(links[0], (url, place(0, 7)));
    assert_eq!(links[1], (url, place(1, 4)));
    let last = links.last().unwrap();
    assert_eq!(*last, ("mailto:joe@a.example", place(4, 0)));
    assert!(
        links
            .iter()
            .all(|(target, _)| *target == url || target.starts_with("mailto:")),
        "{links:?}"
    );
    editor.end();
}

#[test]
fn hovering_tells_how_a_url_was_read() {
    let folder = Folder::new();
    folder.write("urlint.toml", "standard = 'rfc3986'");
    let mut editor = Editor::new(folder.path(), pulling());
    editor.open(URI, "plaintext", "x http://a.example:x/rfc-\nindex.html, y");
    let hover = editor.about(
        "textDocument/hover",
        URI,
        json!({ "position": place(0, 10) }),
    );
    let text = hover["contents"]["value"].as_str().unwrap();
    for expected in [
        "http://a.example:***/rfc-index.html\n",
        "host_kind   reg-name",
        "Joined from 2 pieces: the line ends in a hyphen",
        "Ends: punctuation of the text follows",
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    assert!(!text.contains("bad-port"), "the diagnostic says it: {text}");
    assert_eq!(hover["range"]["end"], place(0, 25));
    let nothing = editor.about(
        "textDocument/hover",
        URI,
        json!({ "position": place(0, 0) }),
    );
    assert_eq!(nothing, Value::Null);
    editor.end();
}

#[test]
fn where_no_action_mends_the_diagnostic_says_how() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "http://www.p\u{430}ypal.com/x http://joe:secret@a.example/ http://a.example:/";
    editor.open(URI, "plaintext", text);
    let said = editor.pulled(URI).to_string();
    for expected in [
        "By hand: write its ASCII form: xn--pypal-4ve\"",
        "By hand: delete it; this changes the login\"",
        "there is a colon without a port\"",
    ] {
        assert!(said.contains(expected), "{expected} is not in {said}");
    }
    // The look-alike is told apart.
    let links = editor.links(URI);
    let tooltip = "http://www.p\u{430}ypal.com/x (www.xn--pypal-4ve.com)";
    assert_eq!(links[0]["tooltip"], tooltip);
    editor.end();
}

#[test]
fn fixes_are_offered_one_by_one_and_together() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "# x\n\n<http://a.example:/\"x> é <http://a.example/~joe> `http://a.example/\"x`\n";
    editor.open("file:///nowhere/a.md", "markdown", text);
    let actions = editor.actions("file:///nowhere/a.md", Some("quickfix"));
    let first = &actions[0];
    assert_eq!(first["kind"], "quickfix");
    assert_eq!(first["isPreferred"], true);
    let document = json!({ "uri": "file:///nowhere/a.md", "version": 1 });
    assert_eq!(
        first["edit"]["documentChanges"][0]["textDocument"],
        document
    );
    let fixed: Vec<_> = actions
        .iter()
        .filter(|action| !action["title"].as_str().unwrap().starts_with("Ignore"))
        .collect();
    for action in &fixed {
        let title = action["title"].as_str().unwrap();
        assert_eq!(
            title.contains("unsafe]"),
            action.get("isPreferred").is_none(),
            "{title}"
        );
        assert_ne!(after(text, action), text);
    }
    assert!(fixed.len() >= 3, "{:?}", titles(&actions));

    let all = editor.actions("file:///nowhere/a.md", Some("source.fixAll"));
    let [all] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(all["kind"], "source.fixAll.urlint");
    let now = after(text, all);
    let folder = Folder::of(&[("a.md", text)]);
    folder.run(&["check", "--fix", "--isolated", "a.md"], b"");
    assert_eq!(now, folder.read("a.md"));
    assert_ne!(now, text);
    assert!(
        editor
            .actions("file:///nowhere/a.md", Some("refactor"))
            .is_empty()
    );
    editor.end();
}

#[test]
fn all_fixes_are_called_safe_only_if_they_are() {
    let text = "see <URL:http://a.example/%zz> end\n";
    for (keys, fixable, expected) in [
        ("", text, None),
        (
            "unsafe-fixes = true",
            text,
            Some("Make all fixes of URLs, unsafe ones too"),
        ),
        (
            "unsafe-fixes = true",
            "see <URL:ftp://a.example:/x> end\n",
            Some("Make all safe fixes of URLs"),
        ),
    ] {
        let folder = Folder::of(&[("urlint.toml", keys)]);
        let mut editor = Editor::new(folder.path(), pulling());
        editor.open(URI, "plaintext", fixable);
        let actions = editor.actions(URI, Some("source.fixAll"));
        assert_eq!(
            titles(&actions).first().copied(),
            expected,
            "{keys} {fixable}"
        );
        editor.end();
    }
}

#[test]
fn a_url_that_is_broken_after_a_hyphen_is_joined_as_it_is_read() {
    let folder = Folder::of(&[("urlint.toml", "extend-select = ['ambiguous-hyphen']")]);
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "see <URL:http://www-\n    db.a.example/x>\n";
    editor.open(URI, "plaintext", text);
    let actions = editor.actions(URI, None);
    let results: Vec<_> = actions.iter().map(|action| after(text, action)).collect();
    let read = ["see <URL:http://www-db.a.example/x>\n"];
    assert_eq!(results, read, "{:?}", titles(&actions));
    editor.end();
}

#[test]
fn ignore_here_adds_a_suppression() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    for (name, text) in [
        (
            "a.md",
            "# x\n\nsee <http://a.example:x/^> and\nhttp://b.example:y/\n",
        ),
        ("a.py", "x = 1\nurl = 'http://a.example:x/'\n"),
        ("a.html", "<p>\nhttp://a.example:x/\n</p>\n"),
    ] {
        let uri = format!("file:///nowhere/{name}");
        editor.open(&uri, "", text);
        let before = editor.pulled(&uri);
        let actions = editor.actions(&uri, Some("quickfix"));
        let ignoring: Vec<_> = actions
            .iter()
            .filter(|action| action["title"].as_str().unwrap().starts_with("Ignore here"))
            .collect();
        assert_eq!(ignoring.len(), rules(&before).len(), "{name}");
        for (index, action) in ignoring.iter().enumerate() {
            editor.change(&uri, 2, &json!([{ "text": after(text, action) }]));
            let now = editor.pulled(&uri);
            let rule = rules(&before)[index];
            let count = |items: &Value| rules(items).iter().filter(|other| **other == rule).count();
            assert!(count(&now) < count(&before), "{name}: {action}");
            assert!(rules(&now).len() < rules(&before).len());
            editor.change(&uri, 1, &json!([{ "text": text }]));
        }
    }
    // Plain text has no comments.
    editor.open(URI, "plaintext", "http://a.example:x/");
    assert!(editor.actions(URI, Some("quickfix")).is_empty());
    editor.end();
}

#[test]
fn the_configuration_of_the_folder_applies() {
    let folder = Folder::of(&[
        (
            "urlint.toml",
            "ignore-urls = ['http://ignored.example:x']\nmin-severity = 'warning'\nexclude = ['out']\n[per-file-ignores]\n'*.log' = ['ALL']",
        ),
        ("sub/urlint.toml", "types = { '*.x' = 'html' }"),
    ]);
    let root = folder.path().canonicalize().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", root.display());
    let watching = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true }, "diagnostics": { "refreshSupport": true } } });
    let mut all = pulling();
    merge(&mut all, watching);
    let mut editor = Editor::new(&root, all);
    let register = editor.read();
    assert_eq!(register["method"], "client/registerCapability");
    let text = "http://a.example:x/ http://a.example/~x http://ignored.example:x/";
    for (name, expected) in [
        ("a.txt", 1),
        ("a.log", 0),
        ("out/a.txt", 0),
        ("sub/a.txt", 3),
    ] {
        editor.open(&uri(name), "plaintext", text);
        let items = editor.pulled(&uri(name));
        assert_eq!(rules(&items).len(), expected, "{name}");
    }
    editor.open(
        &uri("sub/b.x"),
        "plaintext",
        "<a href='http://a.example/&amp;y'>",
    );
    assert_eq!(
        editor.links(&uri("sub/b.x"))[0]["target"],
        "http://a.example/&y"
    );

    // A configuration error is reported once, and the configuration applies again once it is corrected.
    folder.write("urlint.toml", "min-severity = 'no such thing'");
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(editor.read()["method"], "workspace/diagnostic/refresh");
    editor.tell("x/y", json!({}));
    editor.send(&json!({ "jsonrpc": "2.0", "id": 500, "method": "textDocument/diagnostic", "params": { "textDocument": { "uri": uri("a.txt") } } }));
    let message = editor.read();
    assert_eq!(message["method"], "window/showMessage");
    assert_eq!(message["params"]["type"], 1);
    let told = message["params"]["message"].as_str().unwrap();
    assert!(told.contains("urlint.toml:1:16: "), "{told}");
    // The last one that was right applies.
    let answer = editor.read();
    assert_eq!(answer["id"], 500);
    assert_eq!(rules(&answer["result"]["items"]).len(), 1);
    assert_eq!(rules(&editor.pulled(&uri("a.log"))), [""; 0]);
    // An open configuration file is reported like any other when it is saved.
    let saved = json!({ "textDocument": { "uri": uri("urlint.toml") } });
    folder.write("urlint.toml", "selct = 1");
    editor.open(&uri("urlint.toml"), "toml", "selct = 1");
    editor.tell("textDocument/didSave", saved.clone());
    assert_eq!(editor.read()["method"], "workspace/diagnostic/refresh");
    editor.send(&json!({ "jsonrpc": "2.0", "id": 501, "method": "textDocument/diagnostic", "params": { "textDocument": { "uri": uri("urlint.toml") } } }));
    let message = editor.read();
    let told = message["params"]["message"].as_str().unwrap();
    assert!(told.contains("unknown key `selct`"), "{told}");
    assert_eq!(editor.read()["id"], 501);
    folder.write("urlint.toml", "");
    editor.tell("textDocument/didSave", saved);
    assert_eq!(editor.read()["method"], "workspace/diagnostic/refresh");
    assert_eq!(rules(&editor.pulled(&uri("a.txt"))).len(), 3);
    editor.end();
}

#[test]
fn an_unsaved_document_is_read_as_its_language_says() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "<a href=\"http://a.example/&amp;x\">";
    for (language, expected) in [
        ("html", "http://a.example/&x"),
        ("plaintext", "http://a.example/&amp;x"),
    ] {
        editor.open(URI, language, text);
        assert_eq!(editor.links(URI)[0]["target"], expected);
    }
    editor.end();
}

/// An edit: where it begins and ends, the text that it inserts, and whether the editor then sends the whole
/// text.
type Edit = (usize, usize, String, bool);

/// A line that is too long to be counted anew for each position in it.
static LONG: LazyLock<String> = LazyLock::new(|| "é😀a".repeat(300));

fn pieces() -> impl Strategy<Value = String> {
    let pieces = [
        "http://a.example/",
        "http://a.example:x/~é",
        "<URL:http://www-\n  db.example/x>",
        "\r\n",
        "\n",
        "\r",
        "> ",
        "é",
        "e\u{301}",
        "😀",
        LONG.as_str(),
        " ",
        "x",
        "-",
        "^",
        "`",
        "ftp://joe:pass@a.example/",
        "# urlint: ignore[bad-port]",
    ];
    let piece = prop::sample::select(pieces.to_vec()).prop_map(str::to_owned);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Returns where lines begin after the first.
fn breaks(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let is_break = move |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(is_break).map(|at| at + 1)
}

/// Returns the position of an offset, as an editor counts.
fn position(text: &str, offset: usize, encoding: &str) -> Value {
    let (mut number, mut start) = (0, 0);
    for at in breaks(text).take_while(|at| *at <= offset) {
        number += 1;
        start = at;
    }
    let line = &text[start..offset];
    let character = match encoding {
        "utf-8" => line.len(),
        "utf-16" => line.encode_utf16().count(),
        _ => line.chars().count(),
    };
    place(number, character as u32)
}

/// Returns an answer whose positions count in UTF-8 with positions that count in another encoding.
fn translated(said: &Value, text: &str, starts: &[usize], encoding: &str) -> Value {
    match said {
        Value::Object(fields) if fields.contains_key("character") => {
            let number = |field: &str| fields[field].as_u64().unwrap() as usize;
            let offset = starts[number("line")] + number("character");
            position(text, offset, encoding)
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let value = translated(value, text, starts, encoding);
                (name.clone(), value)
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => {
            let items = items.iter();
            items
                .map(|item| translated(item, text, starts, encoding))
                .collect()
        }
        other => other.clone(),
    }
}

#[test]
fn random_edits_give_what_the_whole_text_gives() {
    let folder = Folder::new();
    let start = |encoding: &str| {
        let mut all = pulling();
        all["general"]["positionEncodings"] = json!([encoding]);
        let editor = Editor::new(folder.path(), all);
        assert_eq!(editor.capabilities["positionEncoding"], encoding);
        editor
    };
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let editors = RefCell::new((start(encoding), start("utf-8")));
        let is_whole = prop::bool::weighted(0.2);
        let edit = (any::<usize>(), any::<usize>(), pieces(), is_whole);
        let edits = prop::collection::vec(edit, 0..7);
        let language = prop::sample::select(vec!["plaintext", "markdown", "python"]);
        let run = TestRunner::new(tries(1000)).run(
            &(pieces(), edits, language),
            |(text, edits, language)| {
                let (editor, other) = &mut *editors.borrow_mut();
                let (text, said) = said_in_the_end(editor, encoding, language, text, &edits)?;
                // The first may be wrong about positions in all that it says.
                other.open(URI, language, &text);
                let expected = json!([other.pulled(URI), other.links(URI)]);
                other.close(URI);
                let starts: Vec<_> = std::iter::once(0).chain(breaks(&text)).collect();
                prop_assert_eq!(said, translated(&expected, &text, &starts, encoding));
                Ok(())
            },
        );
        if let Err(TestError::Fail(reason, input)) = run {
            panic!("{encoding}: {reason}: {input:?}");
        }
        let (editor, other) = editors.into_inner();
        editor.end();
        other.end();
    }
}

/// Returns the text after the edits, and the answers of the server about it. They are the same as for the
/// whole text.
fn said_in_the_end(
    editor: &mut Editor,
    encoding: &str,
    language: &str,
    mut text: String,
    edits: &[Edit],
) -> Result<(String, Value), TestCaseError> {
    editor.open(URI, language, &text);
    // The diagnostics from before the changes are forgotten.
    editor.pulled(URI);
    let mut changes = Vec::new();
    for (start, end, new, is_whole) in edits {
        // An editor has no cursor within a line break.
        let is_place = |at: &usize| {
            text.is_char_boundary(*at)
                && !(text[..*at].ends_with('\r') && text[*at..].starts_with('\n'))
        };
        let places: Vec<_> = (0..=text.len()).filter(is_place).collect();
        let (start, end) = (places[start % places.len()], places[end % places.len()]);
        let (start, end) = (start.min(end), start.max(end));
        let range = json!({
            "start": position(&text, start, encoding),
            "end": position(&text, end, encoding),
        });
        text.replace_range(start..end, new);
        // A change without a range is the whole text.
        changes.push(if *is_whole {
            json!({ "text": text })
        } else {
            json!({ "range": range, "text": new })
        });
    }
    // Some in one message, some in the next.
    let (first, second) = changes.split_at(changes.len() / 2);
    editor.change(URI, 2, &json!(first));
    editor.links(URI);
    editor.change(URI, 3, &json!(second));
    let found = json!([editor.pulled(URI), editor.links(URI)]);
    editor.change(URI, 4, &json!([{ "text": "x" }, { "text": text }]));
    let synced = json!([editor.pulled(URI), editor.links(URI)]);
    editor.close(URI);
    editor.open(URI, language, &text);
    let whole = json!([editor.pulled(URI), editor.links(URI)]);
    editor.close(URI);
    prop_assert_eq!(&found, &whole);
    prop_assert_eq!(&synced, &whole);
    Ok((text, whole))
}

#[test]
fn settings_of_the_editor_override_the_files() {
    let folder = Folder::of(&[("urlint.toml", "ignore = ['bad-port']\nschemeless = true")]);
    let settings = json!({
        "select": ["bad-port", "unsafe-character", "no-scheme"],
        "severity": { "unsafe-character": "hint" },
        "rejoin": "nevr",
    });
    let params = json!({ "capabilities": pulling(), "initializationOptions": settings });
    let mut editor = Editor::start(folder.path());
    let id = editor.request("initialize", params);
    let told = editor.read();
    assert_eq!(told["method"], "window/showMessage");
    assert_eq!(
        told["params"]["message"],
        "settings of the editor: `rejoin`: unknown value `nevr`; did you mean `never`?"
    );
    assert_eq!(editor.read()["id"], id);
    editor.tell("initialized", json!({}));
    let text = "http://a.example:x/^ www.b.example/";
    let uri = format!(
        "file://{}/a.txt",
        folder.path().canonicalize().unwrap().display()
    );
    editor.open(&uri, "plaintext", text);
    let items = editor.pulled(&uri);
    assert_eq!(rules(&items), ["bad-port", "unsafe-character", "no-scheme"]);
    assert_eq!(items[1]["severity"], 3);

    let change = |settings: Value| json!({ "settings": settings });
    editor.tell(
        "workspace/didChangeConfiguration",
        change(json!({ "urlint": { "schemeless": false, "rejoin": null } })),
    );
    assert_eq!(rules(&editor.pulled(&uri)), ["unsafe-character"]);
    // Nothing is said, and nothing changes.
    editor.tell("workspace/didChangeConfiguration", change(json!({})));
    assert_eq!(rules(&editor.pulled(&uri)), ["unsafe-character"]);
    editor.end();
}

#[test]
fn fixes_in_decoded_text_are_edits_of_the_source() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let text = "Content-Type: text/plain; charset=utf-8\n\
                Content-Transfer-Encoding: quoted-printable\n\n\
                f=C3=BCr <http://a.exam=\nple/=C3=BC~x> =3D\nand http://b.example/=22x\n\n";
    let uri = "file:///nowhere/a.eml";
    editor.open(uri, "", text);
    let links = editor.links(uri);
    assert_eq!(links[0]["target"], "http://a.example/%C3%BC~x");
    assert_eq!(links[0]["range"]["start"], place(3, 10));
    assert_eq!(
        links[1]["range"],
        json!({ "start": place(4, 0), "end": place(4, 12) })
    );
    let before = rules(&editor.pulled(uri)).len();
    let actions = editor.actions(uri, Some("quickfix"));
    assert!(!actions.is_empty());
    for action in &actions {
        let now = after(text, action);
        let title = &action["title"];
        // The text around the URLs has not changed.
        let (head, tail) = text.split_once("<").unwrap();
        assert!(now.starts_with(head), "{title}: {now}");
        assert!(
            now.ends_with("\n\n") && now.contains("> =3D\nand "),
            "{title}: {now}"
        );
        assert!(!tail.is_empty());
        editor.change(uri, 2, &json!([{ "text": now }]));
        assert!(rules(&editor.pulled(uri)).len() < before, "{title}: {now}");
        editor.change(uri, 1, &json!([{ "text": text }]));
    }
    let all = editor.actions(uri, Some("source.fixAll"));
    let folder = Folder::of(&[("a.eml", text)]);
    folder.run(&["check", "--fix", "--isolated", "a.eml"], b"");
    let fixed = all.first().map_or(text.to_owned(), |all| after(text, all));
    assert_eq!(fixed, folder.read("a.eml"));
    editor.end();
}

#[test]
fn mail_is_fixed_as_check_fixes_it() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let head = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding";
    let quoted =
        "quoted-printable\n\nsee <http://a.example/=22x> and <http://a.=\nexample:/y> =3D\n";
    let packed = "base64\n\nc2VlIDxodHRwOi8vYS5leGFtcGxlLyJ4PiBhbmQgaHR0cDovL2IuZXhhbXBsZS9vawo=\n";
    let from = "From joe@a.example Sat Jan  3 01:05:34 1998\n";
    let both = format!("{from}{head}: {quoted}\n{from}{head}: {packed}\n");
    for (name, text, is_fixed) in [
        ("a.eml", format!("{head}: {quoted}"), true),
        // An edit of the decoded text cannot be made in its source.
        ("b.eml", format!("{head}: {packed}"), false),
        ("c.mbox", both, true),
    ] {
        let folder = Folder::of(&[(name, &text)]);
        let uri = format!("file:///nowhere/{name}");
        editor.open(&uri, "", &text);
        let links = editor.links(&uri);
        assert!(links.as_array().unwrap().len() >= 2, "{name}: {links}");
        let items = editor.pulled(&uri);
        let ran = folder.run(
            &["check", "--isolated", "--output-format", "json-lines"],
            b"",
        );
        let reported: Vec<_> = ran.json().iter().map(|line| line["rule"].clone()).collect();
        assert_eq!(json!(rules(&items)), json!(reported), "{name}");
        folder.run(&["check", "--fix", "--isolated", name], b"");
        let all = editor.actions(&uri, Some("source.fixAll"));
        let fixed = all.first().map_or(text.clone(), |all| after(&text, all));
        assert_eq!(fixed, folder.read(name), "{name}");
        assert_eq!(fixed != text, is_fixed, "{name}");
    }
    editor.end();
}

#[test]
fn unused_and_deprecated_are_tagged() {
    let folder = Folder::new();
    let settings = json!({ "extend-select": ["scheme-deprecated"] });
    let params = json!({ "capabilities": pulling(), "initializationOptions": settings });
    let mut editor = Editor::with(folder.path(), params);
    editor.open(
        "file:///nowhere/a.py",
        "python",
        "# wais://a.example/x\n# http://a.example:x/\nx = 1 # urlint: ignore[password]\n",
    );
    let items = editor.pulled("file:///nowhere/a.py");
    let tags: Vec<_> = items
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["tags"])
        .collect();
    let found = rules(&items);
    assert_eq!(
        found,
        ["scheme-deprecated", "bad-port", "unused-suppression"]
    );
    assert_eq!(tags, [&json!([2]), &Value::Null, &json!([1])]);
    editor.end();
}

/// Adds a header to the content of a message.
fn framed(content: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{content}", content.len())
}

#[test]
fn invalid_messages_do_not_end_the_session() {
    const PARSE: Option<i32> = Some(-32700);
    const INVALID: Option<i32> = Some(-32600);
    let deep = "[".repeat(100_000);
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    for (sent, code, id) in [
        // JSON.
        (framed(""), PARSE, json!(null)),
        (framed("{\"id\": 1, \"method\": "), PARSE, json!(null)),
        (framed(&deep), PARSE, json!(null)),
        (framed(r#"{"method": "\u"}"#), PARSE, json!(null)),
        // Messages.
        (framed("[]"), INVALID, json!(null)),
        (
            framed(r#"[{"id": 1, "method": "shutdown"}]"#),
            INVALID,
            json!(null),
        ),
        (framed("null"), INVALID, json!(null)),
        (framed("{}"), None, json!(null)),
        (framed(r#"{"method": 1}"#), INVALID, json!(null)),
        (
            framed(r#"{"id": [], "method": "shutdown"}"#),
            INVALID,
            json!(null),
        ),
        (framed(r#"{"id": 7, "method": 1}"#), INVALID, json!(7)),
        (
            framed(r#"{"id": 99999999999, "method": "shutdown"}"#),
            INVALID,
            json!(99_999_999_999_u64),
        ),
        // Answers are not answered.
        (framed(r#"{"jsonrpc": "2.0", "id": 99}"#), None, json!(null)),
        (
            framed(r#"{"id": null, "error": {"code": -32700, "message": ""}}"#),
            None,
            json!(null),
        ),
    ] {
        editor.send_raw(&sent);
        if let Some(code) = code {
            let answer = editor.read();
            assert_eq!(answer["error"]["code"], code, "{sent:.99}: {answer}");
            assert_eq!(answer.get("id"), Some(&id), "{sent:.99}: {answer}");
        }
        assert_eq!(editor.links("untitled:x"), Value::Null, "{sent:.99}");
    }
    editor.end();
}

#[test]
fn headers_are_read_in_any_spelling() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    let request = r#"{"jsonrpc": "2.0", "id": "a", "method": "textDocument/documentLink", "params": {"textDocument": {"uri": "x:y"}}}"#;
    let length = request.len();
    for header in [
        format!("content-length: {length}\r\n\r\n"),
        format!("CONTENT-LENGTH:{length}\r\nContent-Type: x; charset=utf-8\r\n\r\n"),
        format!("content-type:\r\nContent-Length:  {length} \r\n\r\n"),
        format!("Content-Length: {length}\n\n"),
    ] {
        editor.send_raw(&header);
        editor.send_raw(request);
        let answer = editor.read();
        assert_eq!(answer["id"], "a", "{header:?}: {answer}");
        assert_eq!(answer.get("result"), Some(&Value::Null), "{header:?}");
    }
    editor.end();
}

#[test]
fn half_a_surrogate_pair_is_replaced() {
    let folder = Folder::new();
    let mut editor = Editor::new(folder.path(), pulling());
    for (text, column) in [
        (r"\ud800", 3),
        (r"\uDFFF", 3),
        (r"\ud83d\ud83d\ude00", 7),
        (r"\ude00\ud83d", 6),
        (r"\ud83d\u0041", 4),
        (r"\ud83d\n", 0),
        (r"\\ud800\ud800", 9),
        (r"\ud800\\", 4),
    ] {
        let document = format!(
            r#"{{"uri": "x:y", "languageId": "plaintext", "version": 1, "text": "{text}<http://a.example/>"}}"#
        );
        editor.send_raw(&framed(&format!(
            r#"{{"method": "textDocument/didOpen", "params": {{"textDocument": {document}}}}}"#
        )));
        let links = editor.links("x:y");
        let start = &links[0]["range"]["start"]["character"];
        assert_eq!(start, column + 1, "{text}: {links}");
    }
    editor.end();
}

#[test]
fn the_server_ends_with_its_input() {
    for sent in [
        "",
        "Content-Length: 99\r\n\r\n{}",
        "Content-Length: 99999999999\r\n\r\n{}",
        "Content-Length: 268435457\r\n\r\n{}",
        "Content-Length: -1\r\n\r\n{}",
        "Content-Type: x\r\n\r\n{}",
        "Content-Le",
        "\r\n\r\n",
    ] {
        let folder = Folder::new();
        let ran = folder.run(&["lsp"], sent.as_bytes());
        assert_eq!(ran.code, Some(1), "{sent}");
    }
}
