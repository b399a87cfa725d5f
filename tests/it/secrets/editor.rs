//! No part of a password is in what the language server says, but for edits and the targets of links,
//! which are for the editor and not for people.

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::thread;

use serde_json::{Value, json};

use super::forms::{Form, forms};
use super::{Finder, LEFT_IN_EDITORS, assert_hidden};
use crate::support::command::{Folder, urlint};
use crate::support::lsp::{read_message, write_message};

struct Server {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    sent: i32,
    /// All that it has said.
    said: String,
}

impl Server {
    fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        write_message(&mut self.stdin, &message);
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.sent, "method": method, "params": params });
        write_message(&mut self.stdin, &message);
        loop {
            let answer = read_message(&mut self.stdout).expect("the server still runs");
            let mut answer: Value = serde_json::from_slice(&answer).unwrap();
            if answer["id"] == self.sent && answer.get("method").is_none() {
                assert_eq!(answer.get("error"), None, "{method}");
                let result = answer.get_mut("result").expect("an answer has a result");
                let result = result.take();
                // What is beside the result is said as well.
                self.said += &answer.to_string();
                return result;
            }
            self.said += &answer.to_string();
        }
    }

    /// Opens the form, asks for everything, and returns what is said: `None` if an editor cannot have such
    /// a text open, which is not UTF-8.
    fn said_of(&mut self, form: &Form) -> Option<String> {
        let text = std::str::from_utf8(&form.text).ok()?;
        let uri = format!("file:///forms/{}", form.file);
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        let about = |more: Value| {
            let mut params = json!({ "textDocument": { "uri": uri } });
            for (key, value) in more.as_object().unwrap() {
                params[key] = value.clone();
            }
            params
        };
        let diagnostics = self.ask("textDocument/diagnostic", about(json!({})));
        self.said += &diagnostics.to_string();
        let symbols = self.ask("textDocument/documentSymbol", about(json!({})));
        self.said += &symbols.to_string();
        let mut hovers = BTreeSet::new();
        for (line, text) in text.split(['\n', '\r']).enumerate() {
            for character in (0..text.len()).step_by(16) {
                let position = json!({ "line": line, "character": character });
                let hover = self.ask("textDocument/hover", about(json!({ "position": position })));
                hovers.insert(hover.to_string());
            }
        }
        self.said.extend(hovers);
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let context = json!({ "diagnostics": [] });
        let params = about(json!({ "range": range, "context": context }));
        let actions = self.ask("textDocument/codeAction", params);
        for action in actions.as_array().expect("a list of actions") {
            for shown in ["title", "diagnostics", "disabled"] {
                self.said += &action[shown].to_string();
            }
        }
        let links = self.ask("textDocument/documentLink", about(json!({})));
        for link in links.as_array().expect("a list of links") {
            self.said += &link["tooltip"].to_string();
        }
        self.tell("textDocument/didClose", about(json!({})));
        Some(std::mem::take(&mut self.said))
    }
}

#[test]
fn the_language_server_shows_no_part_of_a_password() {
    let (forms, finder) = (forms(), Finder::new());
    let folder = Folder::of(&[("urlint.toml", "select = ['ALL']")]);
    let mut command = urlint(&["lsp", "-v"]);
    let command = command.current_dir(folder.path()).stderr(Stdio::piped());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut server = Server {
        stdin: child.stdin.take().unwrap(),
        stdout: BufReader::new(child.stdout.take().unwrap()),
        sent: 0,
        said: String::new(),
    };
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": {
            "diagnostic": {},
            "publishDiagnostics": { "relatedInformation": true },
            "codeAction": { "codeActionLiteralSupport": {}, "disabledSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "documentLink": { "tooltipSupport": true },
        },
    });
    let root = format!("file://{}", folder.path().display());
    let params = json!({
        "capabilities": capabilities,
        "rootUri": root,
        "trace": "verbose",
        "initializationOptions": { "select": ["ALL"], "schemeless": true },
    });
    // What it says there is read meanwhile, so that it never waits for that.
    let mut stderr = child.stderr.take().unwrap();
    let errors = thread::spawn(move || {
        let mut errors = Vec::new();
        stderr.read_to_end(&mut errors).unwrap();
        errors
    });
    server.ask("initialize", params);
    server.tell("initialized", json!({}));
    let mut leaks = BTreeSet::new();
    let mut about_urls = 0;
    for form in &forms {
        if let Some(said) = server.said_of(form) {
            about_urls += usize::from(said.contains("hidden") || said.contains("***"));
            finder.find(said.as_bytes(), &mut leaks);
        }
    }
    assert!(about_urls * 2 > forms.len(), "{about_urls}");
    server.ask("shutdown", Value::Null);
    server.tell("exit", Value::Null);
    let errors = errors.join().unwrap();
    let status = child.wait().unwrap();
    assert!(
        status.success(),
        "{status}: {}",
        String::from_utf8_lossy(&errors)
    );
    finder.find(&errors, &mut leaks);
    assert_hidden(&forms, &leaks, LEFT_IN_EDITORS);
}
