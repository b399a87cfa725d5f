//! Random editing for a chosen time, in each encoding, with all requests mixed in.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::editor::{Editor, position};
use crate::made::{self, Random};

const ENCODINGS: [&str; 3] = ["utf-8", "utf-16", "utf-32"];

/// The languages of documents; one of each is open at a time.
const LANGUAGES: [&str; 6] = ["plaintext", "markdown", "html", "mail", "python", "json"];

/// The maximum length of a document, in bytes.
const LONGEST: usize = 60_000;

/// The number of steps between two checks of a document.
const STEPS: usize = 200;

/// The texts that are typed.
const PIECES: [&str; 32] = [
    "http://a.example/",
    "http://a.example:x/~é",
    "<URL:http://www-\n  db.example/x>",
    "> <URL:http://a.example/\r\n> archive/\r\n> 2003>",
    "ftp://joe:pass@a.example/",
    "mailto:joe@a.example",
    "<a href=\"http://a.example/&amp;x\">",
    "[x](http://a.example/^)",
    "# urlint: ignore[bad-port]",
    "<!-- urlint: ignore -->",
    "Content-Transfer-Encoding: quoted-printable\n",
    "=3D=\n",
    "\r\n",
    "\n",
    "\r",
    "\n\n",
    "> ",
    "é",
    "e\u{301}",
    "😀",
    "\u{feff}",
    "\u{202e}",
    " ",
    "x",
    "-",
    "^",
    "`",
    "\"",
    "{",
    "/",
    ":",
    "x y z ",
];

const REQUESTS: [&str; 4] = [
    "textDocument/diagnostic",
    "textDocument/documentLink",
    "textDocument/codeAction",
    "textDocument/hover",
];

/// Edits at random for `time`. Fails if the server ends, leaves a request unanswered, or reports
/// something else about an edited text than about the same text newly opened; and if its memory
/// grows.
pub(crate) fn soak(urlint: &str, time: Duration) {
    let start = Instant::now();
    let mut sessions: Vec<Session> = ENCODINGS.map(|name| Session::new(urlint, name)).into();
    let mut printed = Duration::ZERO;
    while start.elapsed() < time {
        for session in &mut sessions {
            session.round();
            session.memory.push(session.editor.memory("VmRSS"));
        }
        if start.elapsed() > printed {
            printed += (time / 10).max(Duration::from_secs(1));
            for session in &sessions {
                session.print_progress(start.elapsed());
            }
        }
    }
    for session in sessions {
        session.print_progress(start.elapsed());
        session.end();
    }
}

/// A server with its documents.
struct Session {
    encoding: &'static str,
    editor: Editor,
    random: Random,
    documents: Vec<Document>,
    /// The requests that have no answer yet, and whether they are cancelled.
    pending: HashMap<u64, bool>,
    /// The number of requests that were answered, and the number that were refused.
    answered: u64,
    refused: u64,
    edits: u64,
    compared: u64,
    /// The server's memory after each round.
    memory: Vec<u64>,
}

struct Document {
    uri: String,
    language: &'static str,
    version: u64,
    text: String,
}

impl Session {
    fn new(urlint: &str, encoding: &'static str) -> Session {
        let mut session = Session {
            encoding,
            editor: Editor::new(urlint, encoding, true),
            random: Random(encoding.bytes().map(u64::from).sum()),
            documents: Vec::new(),
            pending: HashMap::new(),
            answered: 0,
            refused: 0,
            edits: 0,
            compared: 0,
            memory: Vec::new(),
        };
        for (number, language) in LANGUAGES.into_iter().enumerate() {
            let document = Document {
                uri: format!("untitled:Untitled-{number}"),
                language,
                version: 1,
                text: made::TEXTS[number % 2].1(20_000),
            };
            session
                .editor
                .open(&document.uri, document.language, &document.text);
            session.documents.push(document);
        }
        session
    }

    fn print_progress(&self, elapsed: Duration) {
        let memory = self.memory.last().copied().unwrap_or_default();
        println!(
            "{:6.0} s {:7} {:8} changes, {:8} answers, {:7} refusals, {:6} comparisons, {:5.1} MB",
            elapsed.as_secs_f64(),
            self.encoding,
            self.edits,
            self.answered,
            self.refused,
            self.compared,
            memory as f64 / 1e6
        );
    }

    fn round(&mut self) {
        for _ in 0..STEPS {
            let index = self.random.below(self.documents.len());
            match self.random.below(100) {
                0..40 => self.edit(index),
                40..41 => self.replace_all(index),
                41..42 => self.open_again(index),
                42..45 => self.drain(),
                _ => self.request(index),
            }
        }
        self.drain();
        let index = self.random.below(self.documents.len());
        self.compare(index);
    }

    /// Returns an offset that a cursor may be at.
    fn place(&mut self, index: usize) -> usize {
        let text = &self.documents[index].text;
        let mut at = self.random.below(text.len() + 1);
        while !text.is_char_boundary(at)
            || text[..at].ends_with('\r') && text[at..].starts_with('\n')
        {
            at -= 1;
        }
        at
    }

    fn position(&self, index: usize, at: usize) -> Value {
        position(&self.documents[index].text, at, self.encoding)
    }

    /// Sends some changes in one message.
    fn edit(&mut self, index: usize) {
        let mut changes = Vec::new();
        for _ in 0..=self.random.below(4) {
            let start = self.place(index);
            let length = self.documents[index].text.len();
            let end = match self.random.below(10) {
                0..6 => start,
                6..9 => start + self.random.below(30),
                _ => start + self.random.below(3000),
            };
            let mut end = end.min(length);
            while !self.documents[index].text.is_char_boundary(end) {
                end += 1;
            }
            let text = &self.documents[index].text;
            if text[..end].ends_with('\r') && text[end..].starts_with('\n') {
                end += 1;
            }
            let mut new: String = (0..self.random.below(4))
                .map(|_| self.random.of(&PIECES))
                .collect();
            if self.random.rarely(30) && length < LONGEST {
                new.push_str(&made::TEXTS[self.random.below(3)].1(1500));
            }
            if length > LONGEST {
                end = length;
                new.clear();
            }
            let range = json!({
                "start": self.position(index, start), "end": self.position(index, end),
            });
            changes.push(json!({ "range": range, "text": new }));
            self.documents[index].text.replace_range(start..end, &new);
            if self.random.rarely(20) {
                let text = &self.documents[index].text;
                changes.push(json!({ "text": text }));
            }
        }
        self.change(index, &changes);
    }

    fn change(&mut self, index: usize, changes: &[Value]) {
        let document = &mut self.documents[index];
        document.version += 1;
        self.editor.change(&document.uri, document.version, changes);
        self.edits += changes.len() as u64;
    }

    fn replace_all(&mut self, index: usize) {
        let text = made::TEXTS[self.random.below(2)].1(1000 + self.random.below(20_000));
        let change = json!({ "text": text });
        self.documents[index].text = text;
        self.change(index, &[change]);
    }

    fn open_again(&mut self, index: usize) {
        let language = self.random.of(&LANGUAGES);
        let document = &mut self.documents[index];
        self.editor.close(&document.uri);
        document.language = language;
        document.version = 1;
        self.editor.open(&document.uri, language, &document.text);
    }

    /// Sends a request, and sometimes cancels it.
    fn request(&mut self, index: usize) {
        let method = self.random.of(&REQUESTS);
        let at = self.place(index);
        let position = self.position(index, at);
        let params = json!({
            "textDocument": { "uri": self.documents[index].uri },
            "position": position,
            "range": { "start": position, "end": position },
            "context": { "diagnostics": [] },
        });
        let id = self.editor.ask(method, &params);
        let is_cancelled = self.random.below(5) == 0;
        self.pending.insert(id, is_cancelled);
        if is_cancelled {
            self.editor.notify("$/cancelRequest", &json!({ "id": id }));
        }
        if self.random.rarely(20) {
            self.editor
                .notify("$/cancelRequest", &json!({ "id": id / 2 }));
            if let Some(cancelled) = self.pending.get_mut(&(id / 2)) {
                *cancelled = true;
            }
        }
    }

    /// Waits until all requests are answered.
    fn drain(&mut self) {
        while !self.pending.is_empty() {
            let answer = self.editor.message();
            let id = answer["id"].as_u64();
            let cancelled = id.and_then(|id| self.pending.remove(&id));
            let Some(cancelled) = cancelled else {
                panic!("nobody has asked for {answer}");
            };
            self.answered += 1;
            match answer["error"]["code"].as_i64() {
                None => {}
                Some(-32800) if cancelled => self.refused += 1,
                Some(-32801 | -32802) => self.refused += 1,
                Some(_) => panic!("{answer}"),
            }
        }
    }

    /// Returns the answer to a request, when no other is pending.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.editor.ask(method, params);
        let answer = self.editor.message();
        assert_eq!(answer["id"], id);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// Returns the reports of the server about a document.
    fn reported(&mut self, uri: &str, places: &[Value]) -> Vec<Value> {
        let mut reported = Vec::new();
        for method in &REQUESTS[..2] {
            reported.push(self.ask(method, &json!({ "textDocument": { "uri": uri } })));
        }
        for place in places {
            for method in &REQUESTS[2..] {
                let params = json!({
                    "textDocument": { "uri": uri },
                    "position": place,
                    "range": { "start": place, "end": place },
                    "context": { "diagnostics": [] },
                });
                reported.push(self.ask(method, &params));
            }
        }
        reported
    }

    /// Checks that the server reports the same about a document as about its text newly opened.
    fn compare(&mut self, index: usize) {
        let mut places = Vec::new();
        for _ in 0..4 {
            let at = self.place(index);
            places.push(self.position(index, at));
        }
        let uri = self.documents[index].uri.clone();
        let edited = self.reported(&uri, &places);
        // The name is the same, since the kind of a document may depend on it, and so is the
        // version, which is in the edits.
        let document = &self.documents[index];
        let (language, text, version) =
            (document.language, document.text.clone(), document.version);
        self.editor.close(&uri);
        self.editor.open(&uri, language, "");
        self.editor
            .change(&uri, version, &[json!({ "text": text })]);
        let whole = self.reported(&uri, &places);
        if edited != whole {
            let at = edited
                .iter()
                .zip(&whole)
                .position(|(one, other)| one != other);
            panic!("{} {language} {at:?}: {text:?}", self.encoding);
        }
        self.compared += 1;
    }

    /// Checks that the memory has not grown, and shuts the server down.
    fn end(self) {
        let quarter = self.memory.len() / 4;
        let middle = |rounds: &[u64]| {
            let mut rounds = rounds.to_vec();
            rounds.sort_unstable();
            rounds.get(rounds.len() / 2).copied().unwrap_or_default() as f64 / 1e6
        };
        let before = middle(&self.memory[quarter..2 * quarter]);
        let after = middle(&self.memory[3 * quarter..]);
        println!(
            "{}: {before:.1} MB of memory in the second quarter, {after:.1} MB in the last",
            self.encoding
        );
        assert!(after < 1.2 * before + 2.0, "the memory has grown");
        self.editor.end();
    }
}
