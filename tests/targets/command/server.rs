//! The language server: whatever an editor sends, each request is answered exactly once and without
//! a panic, and a document that was edited is the same as one opened with its text.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Once;
use std::{panic, thread};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use urlint::config::{Configs, Options};
use urlint_lsp::serve_connection;

/// The folders of documents that are edited, and of those that are opened with the same text.
const EDITED: &str = "/nowhere/";
const OPENED: &str = "/elsewhere/";

const URIS: [&str; 6] = [
    "untitled:a",
    "file:///nowhere/a.md",
    "file:///nowhere/a.html",
    "file:///nowhere/urlint.toml",
    "file:///nowhere/a.json",
    "file:///nowhere/a.eml",
];

/// The number of units in a character.
type Width = fn(char) -> usize;

/// The units of positions, and the number of them in a character.
const ENCODINGS: [(&str, Width); 3] = [
    ("utf-8", char::len_utf8),
    ("utf-16", char::len_utf16),
    ("utf-32", |_| 1),
];

/// Requests about a document.
const ABOUT: [&str; 4] = [
    "textDocument/hover",
    "textDocument/codeAction",
    "textDocument/documentLink",
    "textDocument/diagnostic",
];

const OTHERS: [&str; 8] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "textDocument/hover",
    "textDocument/codeAction",
    "textDocument/unknown",
];

/// The input is a program of messages: see [`Script`].
pub(super) fn server(input: &[u8]) {
    let Some((first, input)) = input.split_first() else {
        return;
    };
    count_panics();
    let mut script = Script {
        input,
        encoding: usize::from(*first) % ENCODINGS.len(),
        messages: vec![
            (initialize(*first), true),
            (notification("initialized", json!({})), false),
        ],
        asked: 1,
        versions: BTreeMap::new(),
        texts: BTreeMap::new(),
    };
    while script.step() {}
    let pairs = script.end();
    let Script {
        messages, asked, ..
    } = script;
    let mut answers = vec![Vec::new(); asked as usize + 1];
    for response in serve(messages) {
        let result = response.response_result.map_err(|error| error.code);
        assert_ne!(result, Err(ErrorCode::InternalError as i32));
        let id: usize = response.id.to_string().parse().unwrap();
        answers[id].push(result);
    }
    // The last answer is to `shutdown`.
    assert!(answers.iter().skip(1).all(|answers| answers.len() == 1));
    for (edited, opened) in pairs {
        let edited = answers[edited][0].as_ref().expect("an answer");
        let opened = answers[opened][0].as_ref().expect("an answer");
        assert!(!edited.is_null());
        // The answers may contain the name of the document.
        let [edited, opened] = [edited, opened].map(|answer| {
            let answer = answer.to_string().replace(OPENED, EDITED);
            answer.replace("untitled:b", "untitled:a")
        });
        assert_eq!(edited, opened);
    }
}

/// Returns the server's answers to these messages. Each is sent without waiting for the previous
/// answer, unless it says so.
fn serve(messages: Vec<(Message, bool)>) -> Vec<Response> {
    let (server, editor) = Connection::memory();
    let serving = thread::spawn(move || {
        let isolated = |options| Configs::fixed(options, Path::new(OPENED));
        let configure = move |editor| Some(isolated(editor));
        let is_shut_down =
            serve_connection(&server, isolated(Options::default()), Box::new(configure));
        (is_shut_down, PANICS.get())
    });
    let mut answers = Vec::new();
    for (message, waits) in messages {
        let asked = match &message {
            Message::Request(request) if waits => Some(request.id.clone()),
            _ => None,
        };
        assert!(editor.sender.send(message).is_ok());
        while asked.is_some()
            && asked.as_ref() != answers.last().map(|answer: &Response| &answer.id)
        {
            let message = editor.receiver.recv().expect("an answer");
            answers.extend(answer(message));
        }
    }
    let (has_been_shut_down, panics) = serving.join().unwrap();
    answers.extend(editor.receiver.into_iter().filter_map(answer));
    assert_eq!(panics, 0, "a panic that the server has caught");
    let is_shut_down = answers
        .last()
        .is_some_and(|last| last.response_result.is_ok());
    assert_eq!(has_been_shut_down, is_shut_down);
    answers
}

fn answer(message: Message) -> Option<Response> {
    match message {
        Message::Response(response) => Some(response),
        _ => None,
    }
}

thread_local! {
    /// The number of panics in this thread, caught or not.
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

/// Counts panics from now on.
fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICS.set(PANICS.get() + 1);
            before(info);
        }));
    });
}

fn request(id: i32, method: &str, params: Value) -> Message {
    Message::Request(Request::new(RequestId::from(id), method.to_owned(), params))
}

fn notification(method: &str, params: Value) -> Message {
    Message::Notification(Notification::new(method.to_owned(), params))
}

/// Returns an `initialize` request with the capabilities given by the bits of a byte.
fn initialize(bits: u8) -> Message {
    let encoding = ENCODINGS[usize::from(bits) % ENCODINGS.len()].0;
    let mut text_document = json!({
        "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
    });
    if bits & 4 != 0 {
        text_document["diagnostic"] = json!({});
    }
    let capabilities = json!({
        "general": { "positionEncodings": [encoding] },
        "textDocument": text_document,
    });
    request(1, "initialize", json!({ "capabilities": capabilities }))
}

/// A program that writes messages: a byte chooses the next one, and the bytes after it are its
/// content.
struct Script<'i> {
    input: &'i [u8],
    /// The index of the encoding.
    encoding: usize,
    /// The messages, each with whether its answer is waited for.
    messages: Vec<(Message, bool)>,
    /// The number of the last request.
    asked: i32,
    versions: BTreeMap<&'static str, i32>,
    /// The text of each open document, if it is known.
    texts: BTreeMap<&'static str, String>,
}

impl Script<'_> {
    /// Writes the next messages; returns whether there are more.
    fn step(&mut self) -> bool {
        let uri = URIS[usize::from(self.byte()) % URIS.len()];
        let document = json!({ "uri": uri });
        match self.byte() % 8 {
            0 => self.open(uri),
            1 | 2 => {
                let mut changes = Vec::new();
                for _ in 0..=self.byte() % 3 {
                    let range = self.range();
                    let text = self.text();
                    self.replace(uri, &range, &text);
                    changes.push(json!({ "range": range, "text": text }));
                }
                let version = self.version(uri);
                let document = json!({ "uri": uri, "version": version });
                let params = json!({ "textDocument": document, "contentChanges": changes });
                self.notify("textDocument/didChange", params);
            }
            3..=5 => {
                let method = ABOUT[usize::from(self.byte()) % ABOUT.len()];
                let position = self.position();
                let range = self.range();
                let context = json!({ "diagnostics": [] });
                let waits = self.byte() & 1 == 0;
                let params = json!({ "textDocument": document, "position": position, "range": range, "context": context });
                self.ask_and(waits, method, params);
            }
            6 if self.byte() & 1 == 0 => {
                let id = self.byte();
                self.notify("$/cancelRequest", json!({ "id": id }));
            }
            6 => {
                self.texts.remove(uri);
                self.notify("textDocument/didClose", json!({ "textDocument": document }));
            }
            // An arbitrary message.
            _ => {
                let method = OTHERS[usize::from(self.byte()) % OTHERS.len()];
                let text = self.text();
                self.texts.clear();
                let params = serde_json::from_str(&text).unwrap_or(json!({
                    "textDocument": { "uri": uri, "version": text, "text": 1 },
                    "settings": { "urlint": { text: true } },
                    "contentChanges": [{ "range": self.byte() }],
                }));
                if method.contains("did") {
                    self.notify(method, params);
                } else {
                    self.ask(method, params);
                }
            }
        }
        !self.input.is_empty()
    }

    /// Writes the last messages, which request the same of each document and of one opened with the
    /// same text; returns the numbers of these requests.
    fn end(&mut self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (uri, text) in std::mem::take(&mut self.texts) {
            let other = uri
                .replace(EDITED, OPENED)
                .replace("untitled:a", "untitled:b");
            let document =
                json!({ "uri": other, "languageId": "plaintext", "version": 1, "text": text });
            self.notify("textDocument/didOpen", json!({ "textDocument": document }));
            for method in ["textDocument/documentLink", "textDocument/diagnostic"] {
                self.ask(method, json!({ "textDocument": { "uri": uri } }));
                let edited = self.asked as usize;
                self.ask(method, json!({ "textDocument": { "uri": other } }));
                pairs.push((edited, edited + 1));
            }
        }
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        pairs
    }

    /// Replaces a range of a document's text, as the server should.
    fn replace(&mut self, uri: &str, range: &Value, new: &str) {
        let Some(text) = self.texts.get_mut(uri) else {
            return;
        };
        let width = ENCODINGS[self.encoding].1;
        let start = offset(text, &range["start"], width);
        let end = offset(text, &range["end"], width).max(start);
        text.replace_range(start..end, new);
    }

    fn open(&mut self, uri: &'static str) {
        let (version, text) = (self.version(uri), self.text());
        self.texts.insert(uri, text.clone());
        let document =
            json!({ "uri": uri, "languageId": "plaintext", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.messages.push((notification(method, params), false));
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.ask_and(false, method, params);
    }

    fn ask_and(&mut self, waits: bool, method: &str, params: Value) {
        self.asked += 1;
        self.messages
            .push((request(self.asked, method, params), waits));
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.input.split_first() else {
            return 0;
        };
        self.input = rest;
        *first
    }

    /// Takes a text whose length is given by the next byte, or 16 times the byte from 128 on.
    fn text(&mut self) -> String {
        let length = usize::from(self.byte());
        let length = if length < 128 {
            length
        } else {
            16 * (length - 128)
        };
        let (text, rest) = self.input.split_at(length.min(self.input.len()));
        self.input = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    fn position(&mut self) -> Value {
        let line = self.byte();
        let character = self.byte();
        json!({ "line": line, "character": character })
    }

    fn range(&mut self) -> Value {
        let start = self.position();
        let end = self.position();
        json!({ "start": start, "end": end })
    }

    fn version(&mut self, uri: &'static str) -> i32 {
        let version = self.versions.entry(uri).or_default();
        *version += 1;
        *version
    }
}

/// Returns the offset of a position, counted from the start of the text.
fn offset(text: &str, position: &Value, width: Width) -> usize {
    let number = |name: &str| position[name].as_u64().unwrap() as usize;
    let is_break = |c: char| c == '\n' || c == '\r';
    let mut start = 0;
    for _ in 0..number("line") {
        let Some(end) = text[start..].find(is_break) else {
            return text.len();
        };
        let end = start + end;
        start = end
            + if text[end..].starts_with("\r\n") {
                2
            } else {
                1
            };
    }
    let line = text[start..].split(is_break).next().unwrap_or_default();
    let mut units = 0;
    for (at, c) in line.char_indices() {
        units += width(c);
        if units > number("character") {
            return start + at;
        }
    }
    start + line.len()
}
