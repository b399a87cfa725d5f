//! The loop of the server: one thread, which owns all documents, takes messages in their order and
//! answers each request once.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use gen_lsp_types as lsp;
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::Actions;
use super::analysis::{Analysis, Subject};
use super::capabilities::{self, Client};
use super::config::{Config, Rules, is_config};
use super::document::{Document, MAX_CHECKED, path_of};
use super::positions::Text;
use super::{completion, config_file, diagnostics, hover, links, symbols};
use crate::error::Exit;

/// Why a request has no result.
struct Refusal {
    code: ErrorCode,
    message: String,
    data: Option<Value>,
}

impl Refusal {
    fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The document has changed since this was asked.
    fn outdated(method: &str) -> Refusal {
        let message = "the document has changed";
        if method != DIAGNOSTIC {
            return Refusal::new(ErrorCode::ContentModified, message);
        }
        // The editor asks again after its change, without being told to.
        Refusal {
            data: Some(json!({ "retriggerRequest": false })),
            ..Refusal::new(ErrorCode::ServerCancelled, message)
        }
    }
}

const DIAGNOSTIC: &str = "textDocument/diagnostic";

/// The state of the server.
pub(super) struct Server<'c> {
    connection: &'c Connection,
    config: Config,
    /// What the editor can do, once it has said so.
    client: Option<Client>,
    is_shut_down: bool,
    documents: BTreeMap<String, Document>,
    /// Messages that have not been handled.
    queue: VecDeque<Message>,
    /// How many of them change or close a document, by its URI.
    changing: HashMap<String, usize>,
    /// Requests among them that the editor has cancelled.
    cancelled: HashSet<RequestId>,
    /// How many requests were sent to the editor.
    sent: i32,
}

impl<'c> Server<'c> {
    pub(super) fn new(connection: &'c Connection, config: Config) -> Self {
        Server {
            connection,
            config,
            client: None,
            is_shut_down: false,
            documents: BTreeMap::new(),
            queue: VecDeque::new(),
            changing: HashMap::new(),
            cancelled: HashSet::new(),
            sent: 0,
        }
    }

    /// Serves until the editor says `exit`, or goes. Exits with 0 if it has said `shutdown` before,
    /// else with 1, as the protocol has it.
    pub(super) fn run(mut self) -> Exit {
        loop {
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.enqueue(message);
            }
            match self.queue.pop_front() {
                Some(message) => {
                    if self.handle(message) {
                        break;
                    }
                }
                // Only what no message changes is checked.
                None if self.publish_one() => {}
                None => match self.connection.receiver.recv() {
                    Ok(message) => self.enqueue(message),
                    Err(_) => break,
                },
            }
        }
        if self.is_shut_down {
            Exit::Done
        } else {
            Exit::Found
        }
    }

    fn enqueue(&mut self, message: Message) {
        if let Message::Notification(notification) = &message {
            if notification.method == "$/cancelRequest" {
                self.cancel(&notification.params);
                return;
            }
            if let Some(uri) = changed_uri(notification) {
                *self.changing.entry(uri.to_owned()).or_default() += 1;
            }
        }
        self.queue.push_back(message);
    }

    /// Notes that a request needs no answer, if it has none yet.
    fn cancel(&mut self, params: &Value) {
        let Some(id) = field::<RequestId>(params, "/id") else {
            return;
        };
        let is_it =
            |message: &Message| matches!(message, Message::Request(request) if request.id == id);
        if self.queue.iter().any(is_it) {
            self.cancelled.insert(id);
        }
    }

    /// Handles a message; returns whether it is the last.
    fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => {
                if notification.method == "exit" {
                    return true;
                }
                if let Some(uri) = changed_uri(&notification)
                    && let Some(count) = self.changing.get_mut(uri)
                {
                    *count -= 1;
                    if *count == 0 {
                        self.changing.remove(uri);
                    }
                }
                // A panic is printed, and the other documents are still served.
                let handled = AssertUnwindSafe(|| self.notification(notification));
                drop(catch_unwind(handled));
            }
            // The answers to what is sent say nothing.
            Message::Response(_) => {}
        }
        false
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = if self.cancelled.remove(&id) {
            Err(Refusal::new(ErrorCode::RequestCanceled, "cancelled"))
        } else {
            let answered = AssertUnwindSafe(|| self.answer(&method, &params));
            catch_unwind(answered).unwrap_or_else(|_| {
                let message = format!("{method} has failed; this is a fault of urlint");
                Err(Refusal::new(ErrorCode::InternalError, message))
            })
        };
        let response = match answer {
            Ok(result) => Response::new_ok(id, result),
            Err(refusal) => Response {
                id,
                response_result: Err(ResponseError {
                    code: refusal.code as i32,
                    message: refusal.message,
                    data: refusal.data,
                }),
            },
        };
        self.send(response);
    }

    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Refusal> {
        if self.is_shut_down {
            return Err(Refusal::new(ErrorCode::InvalidRequest, "shut down"));
        }
        let Some(client) = self.client else {
            if method == "initialize" {
                return self.initialize(params);
            }
            let message = "expected `initialize`";
            return Err(Refusal::new(ErrorCode::ServerNotInitialized, message));
        };
        match method {
            "initialize" => {
                let message = "`initialize` was sent before";
                Err(Refusal::new(ErrorCode::InvalidRequest, message))
            }
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            DIAGNOSTIC
            | "textDocument/documentLink"
            | "textDocument/documentSymbol"
            | "textDocument/codeAction"
            | "textDocument/completion"
            | "textDocument/hover" => self.about_document(method, params, &client),
            #[cfg(test)]
            "test/panic" => {
                #[allow(clippy::panic, reason = "that is what is tested")]
                {
                    panic!("asked for by a test")
                }
            }
            _ => {
                let message = format!("{method} is not known");
                Err(Refusal::new(ErrorCode::MethodNotFound, message))
            }
        }
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, Refusal> {
        let folder = params
            .pointer("/workspaceFolders/0/uri")
            .and_then(Value::as_str);
        let root = params.pointer("/rootUri").and_then(Value::as_str);
        if let Some(root) = folder.or(root).and_then(path_of) {
            self.config.set_root(root);
        }
        let client = Client::of(params);
        self.client = Some(client);
        value(&capabilities::answer(&client))
    }

    /// Answers a request about an open document.
    fn about_document(
        &mut self,
        method: &str,
        params: &Value,
        client: &Client,
    ) -> Result<Value, Refusal> {
        let uri: String = required(params, "/textDocument/uri")?;
        if self.changing.contains_key(&uri) {
            return Err(Refusal::outdated(method));
        }
        let Some((analysis, rules)) = self.analysis(&uri) else {
            // It may have been closed since; other documents are none of ours.
            return match method {
                DIAGNOSTIC => Ok(json!({ "kind": "full", "items": [] })),
                _ => Ok(Value::Null),
            };
        };
        let Some(document) = self.documents.get(&uri) else {
            return Ok(Value::Null);
        };
        match method {
            DIAGNOSTIC => {
                let items = published(&analysis, document, client);
                Ok(json!({ "kind": "full", "items": value(&items)? }))
            }
            "textDocument/documentLink" => value(&links::of(&analysis, document)),
            "textDocument/documentSymbol" if client.has_tree => {
                value(&symbols::tree(&analysis, document))
            }
            "textDocument/documentSymbol" => Ok(symbols::list(&analysis, document)),
            "textDocument/completion" => {
                let position: lsp::Position = required(params, "/position")?;
                value(&completion::at(position, document))
            }
            "textDocument/hover" => {
                let position: lsp::Position = required(params, "/position")?;
                let standard = rules.settings.lint().standard;
                value(&hover::at(position, &analysis, document, standard, client))
            }
            _ if !client.has_action_literals => Ok(Value::Null),
            _ => {
                let range: lsp::Range = required(params, "/range")?;
                let kinds: Option<Vec<lsp::CodeActionKind>> = field(params, "/context/only");
                let actions = Actions {
                    document,
                    analysis: &analysis,
                    subject: Subject {
                        rules: &rules,
                        name: &document.name,
                    },
                    client,
                };
                value(&actions.all(range, kinds.as_deref()))
            }
        }
    }

    /// Returns what is found in an open document, and the rules for it.
    fn analysis(&mut self, uri: &str) -> Option<(Rc<Analysis>, Rules)> {
        let document = self.documents.get_mut(uri)?;
        let (rules, wrong) = self.config.rules(document.path.as_deref(), &document.name);
        let is_left = document.is_left();
        let analysis = document.analysis.get_or_insert_with(|| {
            let subject = Subject {
                rules: &rules,
                name: &document.name,
            };
            Rc::new(if is_left {
                Analysis::default()
            } else {
                subject.analysis(document.text.bytes())
            })
        });
        let analysis = analysis.clone();
        if let Some(wrong) = wrong {
            self.show(lsp::MessageType::Error, &wrong);
        }
        Some((analysis, rules))
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let Some(client) = self.client.filter(|_| !self.is_shut_down) else {
            return;
        };
        match method.as_str() {
            "initialized" if client.watches_files => {
                self.ask("client/registerCapability", capabilities::watching());
            }
            "textDocument/didOpen" => self.open(&params, &client),
            "textDocument/didChange" => self.change(&params, &client),
            "textDocument/didClose" => self.close(&params, &client),
            "textDocument/didSave" => {
                let uri: Option<String> = field(&params, "/textDocument/uri");
                let path = uri.and_then(|uri| path_of(&uri));
                if path.is_some_and(|path| is_config(&path)) {
                    self.reload();
                }
            }
            "workspace/didChangeWatchedFiles" | "workspace/didChangeConfiguration" => self.reload(),
            _ => {}
        }
    }

    fn open(&mut self, params: &Value, client: &Client) {
        let uri: Option<String> = field(params, "/textDocument/uri");
        let text: Option<String> = field(params, "/textDocument/text");
        let (Some(uri), Some(text)) = (uri, text) else {
            return;
        };
        let language: Option<String> = field(params, "/textDocument/languageId");
        let language = language.unwrap_or_default();
        let version = field(params, "/textDocument/version").unwrap_or_default();
        if !client.watches_files {
            // Nobody says whether a configuration file has changed.
            self.config.reload();
        }
        let text = Text::new(text, client.encoding);
        let document = Document::new(&uri, &language, version, text);
        self.documents.insert(uri, document);
    }

    fn change(&mut self, params: &Value, client: &Client) {
        let uri: Option<String> = field(params, "/textDocument/uri");
        let version: Option<i32> = field(params, "/textDocument/version");
        let changes = field(params, "/contentChanges");
        let document = uri.and_then(|uri| self.documents.get_mut(&uri));
        let (Some(document), Some(changes)) = (document, changes) else {
            return;
        };
        let was_left = document.is_left();
        let version = version.unwrap_or(document.version);
        document.change(version, changes, client.encoding);
        if document.is_left() && !was_left {
            let message = format!(
                "{}: longer than {} MiB, and checked only when it is opened",
                document.name,
                MAX_CHECKED >> 20
            );
            self.show(lsp::MessageType::Warning, &message);
        }
    }

    fn close(&mut self, params: &Value, client: &Client) {
        let uri: Option<String> = field(params, "/textDocument/uri");
        let Some(document) = uri.and_then(|uri| self.documents.remove(&uri)) else {
            return;
        };
        if !client.pulls {
            let params = lsp::PublishDiagnosticsParams {
                uri: document.uri,
                version: None,
                diagnostics: Vec::new(),
            };
            self.publish(&params);
        }
    }

    /// Reads the configuration anew.
    fn reload(&mut self) {
        self.config.reload();
        self.config.tell_again();
        self.recheck_all();
        if let Some(client) = self.client
            && client.pulls
            && client.refreshes
        {
            self.ask("workspace/diagnostic/refresh", Value::Null);
        }
    }

    fn recheck_all(&mut self) {
        self.documents.values_mut().for_each(Document::forget);
    }

    /// Sends the diagnostics of a document that has changed; returns whether there was one.
    fn publish_one(&mut self) -> bool {
        let Some(client) = self
            .client
            .filter(|client| !client.pulls && !self.is_shut_down)
        else {
            return false;
        };
        let due = self
            .documents
            .iter_mut()
            .find(|(_, document)| document.is_due);
        let Some((uri, document)) = due else {
            return false;
        };
        document.is_due = false;
        let uri = uri.clone();
        let published = AssertUnwindSafe(|| {
            let (analysis, _) = self.analysis(&uri)?;
            let document = self.documents.get(&uri)?;
            Some(lsp::PublishDiagnosticsParams {
                uri: document.uri.clone(),
                version: Some(document.version),
                diagnostics: published(&analysis, document, &client),
            })
        });
        if let Ok(Some(params)) = catch_unwind(published) {
            self.publish(&params);
        }
        true
    }

    fn publish(&self, params: &lsp::PublishDiagnosticsParams) {
        let method = "textDocument/publishDiagnostics".to_owned();
        self.send(Notification::new(method, params));
    }

    fn show(&self, kind: lsp::MessageType, message: &str) {
        let params = lsp::ShowMessageParams {
            kind,
            message: message.to_owned(),
        };
        self.send(Notification::new("window/showMessage".to_owned(), params));
    }

    /// Sends a request whose answer is of no interest.
    fn ask(&mut self, method: &str, params: Value) {
        self.sent += 1;
        let id = RequestId::from(format!("urlint-{}", self.sent));
        self.send(Request::new(id, method.to_owned(), params));
    }

    fn send(&self, message: impl Into<Message>) {
        // An editor that has gone takes no messages; its end of the connection says so soon.
        drop(self.connection.sender.send(message.into()));
    }
}

fn published(analysis: &Analysis, document: &Document, client: &Client) -> Vec<lsp::Diagnostic> {
    let all = analysis.diagnostics.iter();
    all.map(|diagnostic| diagnostics::of(diagnostic, document, client))
        .chain(config_file::diagnostics(document))
        .collect()
}

/// Returns the document that a notification changes or closes.
fn changed_uri(notification: &Notification) -> Option<&str> {
    let method = notification.method.as_str();
    let changes = matches!(method, "textDocument/didChange" | "textDocument/didClose");
    let uri = notification.params.pointer("/textDocument/uri")?;
    uri.as_str().filter(|_| changes)
}

/// Returns a field of the parameters, if it is what it should be. Nothing else of them is read, so
/// that what an editor does not get right elsewhere does no harm.
fn field<T: DeserializeOwned>(params: &Value, path: &str) -> Option<T> {
    T::deserialize(params.pointer(path)?).ok()
}

fn required<T: DeserializeOwned>(params: &Value, path: &str) -> Result<T, Refusal> {
    let missing = || {
        let message = format!(
            "expected {}",
            path.trim_start_matches('/').replace('/', ".")
        );
        Refusal::new(ErrorCode::InvalidParams, message)
    };
    field(params, path).ok_or_else(missing)
}

fn value(result: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(result)
        .map_err(|error| Refusal::new(ErrorCode::InternalError, error.to_string()))
}
