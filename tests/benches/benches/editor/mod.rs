//! A headless editor, which talks to `urlint lsp` over pipes.

#[path = "../../../it/support/lsp.rs"]
mod messages;

use std::io::BufReader;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use messages::{read_message, write_message};

/// How long an answer may take before the server counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Editor {
    server: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Vec<u8>>,
    requests: u64,
}

impl Editor {
    /// Starts the server for an editor that requests diagnostics if `pulls`, with positions in
    /// `encoding`.
    pub(crate) fn new(urlint: &str, encoding: &str, pulls: bool) -> Editor {
        let mut server = Command::new(urlint)
            .args(["lsp", "--isolated"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = server.stdin.take();
        let mut stdout = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor {
            server,
            stdin,
            messages,
            requests: 0,
        };
        let mut capabilities = json!({
            "general": { "positionEncodings": [encoding] },
            "textDocument": {
                "publishDiagnostics": { "relatedInformation": true, "codeDescriptionSupport": true },
                "codeAction": { "codeActionLiteralSupport": {} },
            },
            "workspace": { "workspaceEdit": { "documentChanges": true } },
        });
        if pulls {
            capabilities["textDocument"]["diagnostic"] = json!({});
        }
        let id = editor.ask("initialize", &json!({ "capabilities": capabilities }));
        assert_eq!(editor.message()["id"], id);
        editor.notify("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        write_message(self.stdin.as_mut().unwrap(), message);
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and returns its number.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    pub(crate) fn close(&mut self, uri: &str) {
        let document = json!({ "uri": uri });
        self.notify(
            "textDocument/didClose",
            &json!({ "textDocument": document }),
        );
    }

    pub(crate) fn change(&mut self, uri: &str, version: u64, changes: &[Value]) {
        let document = json!({ "uri": uri, "version": version });
        self.notify(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// Waits for the next message, and returns its bytes.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        match self.messages.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(error) => panic!("{error}: {:?}", self.server.try_wait()),
        }
    }

    pub(crate) fn message(&mut self) -> Value {
        let bytes = self.bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Returns the server's memory in bytes, if Linux reports it: the current amount (`VmRSS`) or
    /// the peak (`VmHWM`).
    pub(crate) fn memory(&self, figure: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(figure));
        let digits = line.and_then(|line| line.split_ascii_whitespace().nth(1));
        digits.map_or(0, |digits| digits.parse::<u64>().unwrap() << 10)
    }

    /// Shuts the server down.
    pub(crate) fn end(mut self) {
        let id = self.ask("shutdown", &Value::Null);
        assert_eq!(self.message()["id"], id);
        self.notify("exit", &Value::Null);
        assert_eq!(self.server.wait().unwrap().code(), Some(0));
    }
}

/// Returns the position of an offset, as an editor counts it: lines end with LF, CRLF or CR.
pub(crate) fn position(text: &str, offset: usize, encoding: &str) -> Value {
    let bytes = text.as_bytes();
    let (mut line, mut start) = (0, 0);
    for at in memchr::memchr2_iter(b'\n', b'\r', &bytes[..offset]) {
        if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
            line += 1;
            start = at + 1;
        }
    }
    let before = &text[start..offset];
    let character = match encoding {
        "utf-8" => before.len(),
        "utf-16" => before.encode_utf16().count(),
        _ => before.chars().count(),
    };
    json!({ "line": line, "character": character })
}
