//! Requests about the whole workspace.

use std::path::Path;

use serde_json::{Value, json};

use super::{Editor, capable, merge, pulling, rules};
use crate::support::command::Folder;

/// A diagnostic: its file, rule, line and column.
type Reported = (String, String, u64, u64);

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.canonicalize().unwrap().display())
}

/// An editor that has the folder open, and counts in code points as `urlint check` does.
fn editor(folder: &Folder, mut capabilities: Value) -> Editor {
    let path = folder.path().canonicalize().unwrap();
    capabilities["general"]["positionEncodings"] = json!(["utf-32"]);
    let folders = json!([{ "uri": uri(&path, ""), "name": "x" }]);
    let params = json!({ "capabilities": capabilities, "workspaceFolders": folders });
    Editor::with(&path, params)
}

/// Returns what `urlint check` reports of the folder.
fn checked(folder: &Folder) -> Vec<Reported> {
    let ran = folder.run(&["check", "--output-format", "json-lines", "."], b"");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let reported = ran.json().into_iter().map(|line| {
        let place = (&line["line"], &line["column"]);
        let mut place = (place.0.as_u64().unwrap(), place.1.as_u64().unwrap());
        // An editor does not show a byte order mark.
        place.1 -= u64::from(line["path"] == "bom.txt");
        (text(&line["path"]), text(&line["rule"]), place.0, place.1)
    });
    let mut reported: Vec<_> = reported.collect();
    reported.sort();
    reported
}

/// Returns what the editor is told of the files of a folder: reports with `uri` and `key`.
fn told(folder: &Folder, reports: &[Value], key: &str) -> Vec<Reported> {
    let start = uri(folder.path(), "");
    let mut told = Vec::new();
    for report in reports {
        let path = report["uri"]
            .as_str()
            .unwrap()
            .strip_prefix(&start)
            .unwrap();
        for item in report[key].as_array().unwrap() {
            let start = &item["range"]["start"];
            let mut place = (
                start["line"].as_u64().unwrap() + 1,
                start["character"].as_u64().unwrap() + 1,
            );
            // What is packed says its place in words.
            if path.ends_with(".gz") {
                let mut words = item["message"].as_str().unwrap().split(':');
                let mut number = || words.next().unwrap().parse().unwrap();
                place = (number(), number());
            }
            let rule = item["code"].as_str().unwrap().to_owned();
            told.push((path.to_owned(), rule, place.0, place.1));
        }
    }
    told.sort();
    told
}

/// A folder of files that are read in many ways.
fn folder() -> Folder {
    let bad = "x http://a.example:x/^ and\n<URL:http://a.\n example:y/>\n";
    let mail = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\
                \nsee <http://a.ex=\nample:x/=7E>\n";
    let from = "From joe@a.example Sat Jan  3 01:05:34 1998\n";
    let folder = Folder::of(&[
        ("a.txt", bad.as_bytes()),
        ("sub/b.md", b"# x\n\n`http://a.example:x/`\r\rhttp://b.example:y/\n"),
        ("sub/ok.txt", b"http://a.example/\n"),
        ("sub/mail.eml", mail.as_bytes()),
        ("sub/box.mbox", format!("{from}{mail}\n{from}{mail}\n").as_bytes()),
        ("sub/deep/c.note", b"<a href='http://a.example:x/&amp;'>"),
        ("sub/deep/urlint.toml", b"types = { '*.note' = 'html' }"),
        ("bom.txt", b"\xEF\xBB\xBFx http://a.example:x/"),
        ("latin.txt", b"\xE9\xE9 http://a.example:x/\n"),
        ("emoji.txt", "é😀 http://a.example:x/".as_bytes()),
        ("ignored.txt", bad.as_bytes()),
        (".gitignore", b"ignored.txt"),
        (".hidden.txt", bad.as_bytes()),
        ("out/a.txt", bad.as_bytes()),
        ("a.log", bad.as_bytes()),
        ("quiet.py", b"# http://a.example:x/ # urlint: ignore[bad-port]\n"),
        ("binary.bin", b"\x7fELF\0\0\0http://a.example:x/\0"),
        (
            "urlint.toml",
            b"exclude = ['out']\nmin-severity = 'warning'\nper-file-ignores = { '*.log' = ['bad-port'] }",
        ),
    ]);
    #[cfg(feature = "archives")]
    {
        use std::io::Write;

        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(bad.as_bytes()).unwrap();
        folder.write("packed.txt.gz", packed.finish().unwrap());
    }
    folder
}

#[test]
fn the_workspace_has_what_check_reports_of_its_folder() {
    let folder = folder();
    let expected = checked(&folder);
    assert!(expected.len() > 12, "{expected:?}");

    let mut asking = editor(&folder, pulling());
    let report = asking.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let reports = report["items"].as_array().unwrap();
    assert_eq!(told(&folder, reports, "items"), expected);
    for report in reports {
        assert_eq!(report["kind"], "full");
        assert_eq!(report["version"], Value::Null);
    }
    asking.end();

    // An editor that does not ask has a command.
    let mut editor = editor(&folder, capable(json!({})));
    assert_eq!(
        editor.capabilities["executeCommandProvider"]["commands"],
        json!(["urlint.checkWorkspace"])
    );
    let (sent, answer) = command(&mut editor);
    assert_eq!(answer["result"], Value::Null);
    assert_eq!(told(&folder, &sent, "diagnostics"), expected);

    // What has been put right is told too, and what has gone.
    folder.write("a.txt", "http://a.example/");
    std::fs::remove_file(folder.path().join("latin.txt")).unwrap();
    let expected = checked(&folder);
    let (sent, _) = command(&mut editor);
    assert_eq!(told(&folder, &sent, "diagnostics"), expected);
    let empty = sent.iter().filter(|sent| sent["diagnostics"] == json!([]));
    let mut empty: Vec<_> = empty.map(|sent| sent["uri"].as_str().unwrap()).collect();
    empty.sort_unstable();
    let gone = [uri(folder.path(), "a.txt"), uri(folder.path(), "latin.txt")];
    assert_eq!(empty, gone);
    editor.end();
}

/// Runs the command; returns the diagnostics that are published, and the answer.
fn command(editor: &mut Editor) -> (Vec<Value>, Value) {
    let params = json!({ "command": "urlint.checkWorkspace" });
    let id = editor.request("workspace/executeCommand", params);
    let mut sent = Vec::new();
    loop {
        let message = editor.read();
        if message["id"] == id {
            return (sent, message);
        }
        assert_eq!(message["method"], "textDocument/publishDiagnostics");
        sent.push(message["params"].clone());
    }
}

#[test]
fn an_open_document_wins_over_its_file() {
    let folder = Folder::of(&[
        ("a.txt", "http://a.example:x/"),
        ("b.txt", "http://b.example:x/"),
    ]);
    let own = uri(folder.path(), "a.txt");
    let mut asking = editor(&folder, pulling());
    asking.open(&own, "plaintext", "http://a.example/^ http://a.example:y/");
    let report = asking.ask("workspace/diagnostic", json!({}));
    let reports = report["items"].as_array().unwrap();
    let report = reports.iter().find(|report| report["uri"] == own.as_str());
    let report = report.unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(rules(&report["items"]), ["unsafe-character", "bad-port"]);
    assert_eq!(reports.len(), 2);
    asking.end();

    // It has its own diagnostics already.
    let mut editor = editor(&folder, capable(json!({})));
    editor.open(&own, "plaintext", "http://a.example/^");
    assert_eq!(editor.published()["uri"], own);
    let (sent, _) = command(&mut editor);
    let uris: Vec<_> = sent.iter().map(|sent| &sent["uri"]).collect();
    assert_eq!(uris, [&uri(folder.path(), "b.txt")]);
    editor.end();
}

#[test]
fn what_was_told_of_a_file_is_taken_back_when_it_is_opened_and_asked_about() {
    let folder = Folder::of(&[("a.txt", "http://a.example:x/")]);
    let own = uri(folder.path(), "a.txt");
    let mut editor = editor(&folder, pulling());
    assert_eq!(command(&mut editor).0.len(), 1);
    editor.open(&own, "plaintext", "http://a.example:x/");
    assert_eq!(editor.published(), json!({ "uri": own, "diagnostics": [] }));
    assert_eq!(rules(&editor.pulled(&own)), ["bad-port"]);
    editor.end();
}

#[test]
fn results_come_in_parts_with_progress() {
    let folder = folder();
    let mut editor = editor(&folder, pulling());
    let params = json!({ "workDoneToken": "w", "partialResultToken": 7 });
    let id = editor.request("workspace/diagnostic", params);
    let (mut reports, mut progress) = (Vec::new(), Vec::new());
    let answer = loop {
        let message = editor.read();
        if message["id"] == id {
            break message;
        }
        assert_eq!(message["method"], "$/progress");
        let params = &message["params"];
        if params["token"] == 7 {
            reports.extend(params["value"]["items"].as_array().unwrap().clone());
        } else {
            assert_eq!(params["token"], "w");
            progress.push(params["value"].clone());
        }
    };
    assert_eq!(answer["result"], json!({ "items": [] }));
    assert_eq!(told(&folder, &reports, "items"), checked(&folder));
    assert_eq!(progress[0]["kind"], "begin");
    let last = progress.last().unwrap();
    assert_eq!(last["kind"], "end");
    let message = last["message"].as_str().unwrap();
    assert!(message.contains("files, "), "{message}");
    editor.end();
}

#[test]
fn the_command_asks_the_editor_to_show_progress() {
    let folder = Folder::of(&[("a.txt", "http://a.example:x/")]);
    let mut editor = editor(
        &folder,
        capable(json!({ "window": { "workDoneProgress": true } })),
    );
    let params = json!({ "command": "urlint.checkWorkspace" });
    let id = editor.request("workspace/executeCommand", params);
    let create = editor.read();
    assert_eq!(create["method"], "window/workDoneProgress/create");
    editor.send(&json!({ "jsonrpc": "2.0", "id": create["id"], "result": null }));
    // The work may end before the answer comes, and then shows nothing.
    let mut kinds = Vec::new();
    loop {
        let message = editor.read();
        if message["id"] == id {
            break;
        }
        if message["method"] == "$/progress" {
            assert_eq!(message["params"]["token"], create["params"]["token"]);
            kinds.push(message["params"]["value"]["kind"].clone());
        }
    }
    assert!(kinds.is_empty() || kinds == ["begin", "end"], "{kinds:?}");
    let wrong = json!({ "command": "urlint.other" });
    let id = editor.request("workspace/executeCommand", wrong);
    let answer = editor.read();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(id), &json!(-32602))
    );
    editor.end();
}

#[test]
fn a_search_finds_urls_of_documents_and_files() {
    let folder = Folder::of(&[
        ("a.txt", "http://www.a.example/x http://b.example/"),
        ("sub/b.txt", "see ftp://joe:hunter@a.example/x"),
        ("ignored.txt", "http://a.example/"),
        (".ignore", "ignored.txt"),
    ]);
    let mut editor = editor(&folder, pulling());
    let own = uri(folder.path(), "a.txt");
    editor.open(&own, "plaintext", "\nhttp://www.A.example/y");
    editor.open(
        super::URI,
        "plaintext",
        "mailto:joe@a.example http://c.example/",
    );
    let mut search = |query: &str| -> Vec<(String, String)> {
        let found = editor.ask("workspace/symbol", json!({ "query": query }));
        let found = found.as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut found: Vec<_> = found
            .map(|symbol| (text(&symbol["name"]), text(&symbol["containerName"])))
            .collect();
        found.sort();
        found
    };
    let pair = |name: &str, host: &str| (name.to_owned(), host.to_owned());
    let ftp = pair("ftp://joe:***@a.example/x", "a.example");
    let www = pair("http://www.A.example/y", "www.a.example");
    let mail = pair("mailto:joe@a.example", "mailto:");
    assert_eq!(search("A.EX"), [ftp.clone(), www.clone(), mail.clone()]);
    assert_eq!(search("wwwy"), [www]);
    assert_eq!(search("nothing like it"), []);
    assert_eq!(search("").len(), 4);
    editor.end();
}

#[test]
fn without_a_folder_there_is_nothing_to_check() {
    let folder = Folder::of(&[("a.txt", "http://a.example:x/")]);
    let mut editor = Editor::new(folder.path(), pulling());
    let report = editor.ask("workspace/diagnostic", json!({}));
    assert_eq!(report, json!({ "items": [] }));
    let root = json!({ "uri": uri(folder.path(), ""), "name": "x" });
    let event = json!({ "event": { "added": [root], "removed": [] } });
    editor.tell("workspace/didChangeWorkspaceFolders", event.clone());
    let report = editor.ask("workspace/diagnostic", json!({}));
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    editor.end();
}

#[test]
fn a_request_about_the_workspace_can_be_cancelled_and_outdated() {
    let folder = Folder::new();
    for number in 0..2000 {
        folder.write(
            &format!("{number}.txt"),
            "http://a.example:x/\n".repeat(100),
        );
    }
    let mut editor = editor(&folder, pulling());
    let first = editor.request("workspace/diagnostic", json!({}));
    let second = editor.request("workspace/diagnostic", json!({ "workDoneToken": "w" }));
    assert_eq!(editor.read()["params"]["value"]["kind"], "begin");
    // Other requests are answered meanwhile.
    editor.open(super::URI, "plaintext", "http://a.example:x/");
    assert_eq!(rules(&editor.pulled(super::URI)), ["bad-port"]);
    editor.tell("$/cancelRequest", json!({ "id": first }));
    let answer = editor.read();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(first), &json!(-32800))
    );
    editor.tell("window/workDoneProgress/cancel", json!({ "token": "w" }));
    assert_eq!(editor.read()["params"]["value"]["kind"], "end");
    let answer = editor.read();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(second), &json!(-32800))
    );

    let third = editor.request("workspace/diagnostic", json!({}));
    editor.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    let answer = editor.read();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(third), &json!(-32802))
    );
    assert_eq!(answer["error"]["data"], json!({ "retriggerRequest": true }));

    let fourth = editor.request("workspace/diagnostic", json!({}));
    let goodbye = editor.request("shutdown", Value::Null);
    let answer = editor.read();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(fourth), &json!(-32800))
    );
    assert_eq!(editor.read()["id"], goodbye);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn an_editor_that_asks_all_the_time_is_answered_when_files_change() {
    let folder = Folder::of(&[("a.txt", "http://a.example:x/")]);
    let path = folder.path().canonicalize().unwrap();
    let watching = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut capabilities = pulling();
    merge(&mut capabilities["workspace"], watching);
    let params = json!({
        "capabilities": capabilities,
        "workspaceFolders": [{ "uri": uri(&path, ""), "name": "x" }],
        "initializationOptions": { "workspace-diagnostics": true },
    });
    let mut editor = Editor::with(&path, params);
    let provider = &editor.capabilities["diagnosticProvider"];
    assert_eq!(provider["workspaceDiagnostics"], true);
    let register = editor.read();
    let watchers = &register["params"]["registrations"][0]["registerOptions"]["watchers"];
    assert_eq!(watchers, &json!([{ "globPattern": "**/*" }]));

    let report = editor.ask("workspace/diagnostic", json!({}));
    assert_eq!(rules(&report["items"][0]["items"]), ["bad-port"]);
    // The answer waits.
    let waits = editor.request("workspace/diagnostic", json!({}));
    assert_eq!(
        editor.ask("workspace/symbol", json!({ "query": "z" })),
        json!([])
    );
    folder.write("a.txt", "http://a.example/");
    let changes = json!([{ "uri": uri(&path, "a.txt"), "type": 2 }]);
    editor.tell(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": changes }),
    );
    let answer = editor.read();
    assert_eq!(answer["id"], waits);
    assert_eq!(answer["result"]["items"][0]["items"], json!([]));

    // Of a document that was open, the file counts again.
    let own = uri(&path, "a.txt");
    editor.open(&own, "plaintext", "http://a.example:y/");
    let waits = editor.request("workspace/diagnostic", json!({}));
    editor.tell(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": own } }),
    );
    let answer = editor.read();
    assert_eq!(answer["id"], waits);
    let items = &answer["result"]["items"][0]["items"];
    assert_eq!(rules(items), ["bad-port"]);
    let waits = editor.request("workspace/diagnostic", json!({}));
    editor.close(&own);
    let answer = editor.read();
    assert_eq!(answer["id"], waits);
    assert_eq!(answer["result"]["items"][0]["items"], json!([]));

    let waits = editor.request("workspace/diagnostic", json!({}));
    editor.tell("$/cancelRequest", json!({ "id": waits }));
    let answer = editor.read();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(waits), &json!(-32800))
    );
    editor.end();
}

#[test]
fn a_wrong_configuration_is_told_once() {
    let folder = Folder::of(&[
        ("a.txt", "http://a.example:x/"),
        ("sub/urlint.toml", "no such key"),
        ("sub/b.txt", "http://a.example:x/"),
        ("sub/c.txt", "http://a.example:x/"),
    ]);
    let mut editor = editor(&folder, pulling());
    let id = editor.request("workspace/diagnostic", json!({}));
    let told = editor.read();
    assert_eq!(told["method"], "window/showMessage");
    let answer = editor.read();
    assert_eq!(answer["id"], id);
    assert_eq!(answer["result"]["items"].as_array().unwrap().len(), 1);
    editor.end();
}

#[test]
fn what_is_too_much_is_left_out_and_said() {
    let folder = Folder::of(&[("b.txt", "http://a.example:x/\n".repeat(10_100))]);
    folder.write("a.txt", "x http://b.example:x/ y\n".repeat(1 << 20));
    let mut editor = editor(&folder, pulling());
    let id = editor.request("workspace/diagnostic", json!({}));
    for expected in [
        "a.txt: left out, longer than 16 MiB",
        "b.txt: only the first 10000 results are sent",
    ] {
        let said = editor.read();
        assert_eq!(said["method"], "window/logMessage");
        let message = said["params"]["message"].as_str().unwrap();
        assert!(message.ends_with(expected), "{message}");
    }
    let answer = editor.read();
    assert_eq!(answer["id"], id);
    let reports = answer["result"]["items"].as_array().unwrap();
    assert_eq!(reports.len(), 1);
    assert_eq!(reports[0]["items"].as_array().unwrap().len(), 10_000);
    std::fs::remove_file(folder.path().join("a.txt")).unwrap();
    folder.write("b.txt", "http://a.example/\n".repeat(600));
    folder.write("c.txt", "http://a.example/\n".repeat(600));
    let found = editor.ask("workspace/symbol", json!({ "query": "" }));
    assert_eq!(found.as_array().unwrap().len(), 1000);
    editor.end();
}
