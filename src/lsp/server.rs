//! The loop of the server: one thread owns all documents, takes messages in their order, and answers
//! each request once.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use serde_json::{Value, json};

use super::actions::Actions;
use super::analysis::Analysis;
use super::answer::{field, outdated_diagnostics, refusal, required};
use super::capabilities::{self, Client};
use super::config::{Config, Rules, is_config};
use super::document::{Document, MAX_CHECKED};
use super::positions::Text;
use super::queue::Queue;
use super::uri::path_of;
use super::{diagnostics, hover, links};

const DIAGNOSTIC: &str = "textDocument/diagnostic";

/// The kinds of messages to the user.
const ERROR: u8 = 1;
const WARNING: u8 = 2;

/// The state of the server.
pub(crate) struct Server<'c> {
    connection: &'c Connection,
    config: Config,
    /// The capabilities of the editor, once it has sent them.
    client: Option<Client>,
    is_shut_down: bool,
    documents: BTreeMap<String, Document>,
    queue: Queue,
    /// How many requests have been sent to the editor.
    sent: i32,
}

impl<'c> Server<'c> {
    pub(crate) fn new(connection: &'c Connection, config: Config) -> Self {
        Server {
            connection,
            config,
            client: None,
            is_shut_down: false,
            documents: BTreeMap::new(),
            queue: Queue::default(),
            sent: 0,
        }
    }

    /// Serves until the editor sends `exit` or disconnects. Returns whether it has sent `shutdown` before.
    pub(crate) fn run(mut self) -> bool {
        loop {
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.enqueue(message);
            }
            match self.queue.pop() {
                Some(message) => {
                    if self.handle(message) {
                        break;
                    }
                }
                // Documents are checked only when no message waits that may change them.
                None if self.publish_one() => {}
                None => match self.connection.receiver.recv() {
                    Ok(message) => self.enqueue(message),
                    Err(_) => break,
                },
            }
        }
        self.is_shut_down
    }

    /// Queues a message. Only a cancellation takes effect at once.
    fn enqueue(&mut self, message: Message) {
        match message {
            Message::Notification(Notification { method, params })
                if method == "$/cancelRequest" =>
            {
                if let Some(id) = field(&params, "/id") {
                    self.queue.cancel(id);
                }
            }
            message => self.queue.push(message),
        }
    }

    /// Handles a message; returns whether it is the last.
    fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == "exit" => return true,
            // A panic is printed, and the other documents are still served.
            Message::Notification(notification) => {
                let handled = AssertUnwindSafe(|| self.notification(notification));
                let _ = catch_unwind(handled);
            }
            // Nothing depends on the editor's answer.
            Message::Response(_) => {}
        }
        false
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = if self.queue.was_cancelled(&id) {
            Err(refusal(ErrorCode::RequestCanceled, "cancelled"))
        } else {
            let answered = AssertUnwindSafe(|| self.answer(&method, &params));
            // The panic has been printed.
            catch_unwind(answered).unwrap_or_else(|_| {
                let message = format!("{method} has failed; this is a fault of urlint");
                Err(refusal(ErrorCode::InternalError, message))
            })
        };
        self.send(Response {
            id,
            response_result: answer,
        });
    }

    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, ResponseError> {
        if self.is_shut_down {
            return Err(refusal(ErrorCode::InvalidRequest, "shut down"));
        }
        let Some(client) = self.client else {
            if method == "initialize" {
                return self.initialize(params);
            }
            let message = "expected `initialize`";
            return Err(refusal(ErrorCode::ServerNotInitialized, message));
        };
        match method {
            "initialize" => {
                let message = "`initialize` was sent before";
                Err(refusal(ErrorCode::InvalidRequest, message))
            }
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            DIAGNOSTIC
            | "textDocument/documentLink"
            | "textDocument/codeAction"
            | "textDocument/hover" => self.about_document(method, params, &client),
            #[cfg(test)]
            "test/panic" => panics(),
            _ => {
                let message = format!("{method} is not known");
                Err(refusal(ErrorCode::MethodNotFound, message))
            }
        }
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, ResponseError> {
        let folder: Option<String> = field(params, "/workspaceFolders/0/uri");
        let folder = folder.or_else(|| field(params, "/rootUri"));
        if let Some(root) = folder.and_then(|folder| path_of(&folder)) {
            self.config.root = root;
        }
        self.configure(params.get("initializationOptions"));
        let client = Client::of(params);
        self.client = Some(client);
        Ok(capabilities::answer(&client))
    }

    /// Answers a request about an open document.
    fn about_document(
        &mut self,
        method: &str,
        params: &Value,
        client: &Client,
    ) -> Result<Value, ResponseError> {
        let uri: String = required(params, "/textDocument/uri")?;
        if self.queue.changes(&uri) {
            let message = "the document has changed";
            return Err(match method {
                // After its change, the editor asks again without being told to.
                DIAGNOSTIC => outdated_diagnostics(message),
                _ => refusal(ErrorCode::ContentModified, message),
            });
        }
        let Some((analysis, rules)) = self.analysis(&uri) else {
            // It may have been closed in the meantime; this is not an error.
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
                let mut report = json!({ "kind": "full" });
                report["items"] = published(&analysis, document, client);
                Ok(report)
            }
            "textDocument/documentLink" => Ok(links::of(&analysis, document).into()),
            "textDocument/hover" => {
                let position = required(params, "/position")?;
                let standard = rules.settings.lint().standard;
                Ok(hover::at(position, &analysis, document, standard, client).into())
            }
            _ if !client.has_action_literals => Ok(Value::Null),
            _ => {
                let range = required(params, "/range")?;
                let kinds: Option<Vec<String>> = field(params, "/context/only");
                let actions = Actions {
                    document,
                    analysis: &analysis,
                    subject: document.subject(&rules),
                    client,
                };
                Ok(actions.all(range, kinds.as_deref()).into())
            }
        }
    }

    /// Returns the URLs and diagnostics of an open document, and the rules for it.
    fn analysis(&mut self, uri: &str) -> Option<(Rc<Analysis>, Rules)> {
        let document = self.documents.get_mut(uri)?;
        let (rules, wrong) = self.config.rules(document.path.as_deref(), &document.name);
        let analysis = document.analysis.clone().unwrap_or_else(|| {
            Rc::new(if document.is_unchecked() {
                Analysis::default()
            } else {
                document.subject(&rules).analysis(document.text.bytes())
            })
        });
        document.analysis = Some(analysis.clone());
        if let Some(wrong) = wrong {
            let message = format!("the configuration is wrong: {wrong}");
            if self.config.shown.insert(message.clone()) {
                self.show(ERROR, &message);
            }
        }
        Some((analysis, rules))
    }

    /// Returns an open document with its diagnostics, as they are sent to an editor.
    fn diagnostics_of(&mut self, uri: &str) -> Option<Value> {
        let client = self.client?;
        let (analysis, _) = self.analysis(uri)?;
        let document = self.documents.get(uri)?;
        let mut params = json!({ "uri": uri, "version": document.version });
        params["diagnostics"] = published(&analysis, document, &client);
        Some(params)
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
            "workspace/didChangeConfiguration" => {
                self.configure(params.get("settings"));
                self.reload();
            }
            "workspace/didChangeWatchedFiles" => self.watched(&params),
            #[cfg(test)]
            "test/panic" => panics(),
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
            // The editor does not say when a configuration file has changed.
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
        let was_unchecked = document.is_unchecked();
        let version = version.unwrap_or(document.version);
        document.change(version, changes, client.encoding);
        if document.is_unchecked() && !was_unchecked {
            let message = format!(
                "{}: longer than {} MiB, and checked only when it is opened",
                document.name,
                MAX_CHECKED >> 20
            );
            self.show(WARNING, &message);
        }
    }

    fn close(&mut self, params: &Value, client: &Client) {
        let uri: Option<String> = field(params, "/textDocument/uri");
        let Some((uri, _)) = uri.and_then(|uri| self.documents.remove_entry(&uri)) else {
            return;
        };
        if !client.pulls {
            let params = json!({ "uri": uri, "diagnostics": [] });
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    /// Handles the notification that files have changed.
    fn watched(&mut self, params: &Value) {
        let changes = params.get("changes").and_then(Value::as_array);
        let changes = changes.map(Vec::as_slice).unwrap_or_default();
        let uris = changes
            .iter()
            .filter_map(|change| change.get("uri")?.as_str());
        let is_about_config = uris.filter_map(path_of).any(|path| is_config(&path));
        if is_about_config || changes.is_empty() {
            self.reload();
        }
    }

    /// Applies the settings of the editor, and shows the mistakes in them.
    fn configure(&mut self, settings: Option<&Value>) {
        if let Some(wrong) = self.config.set(settings) {
            self.show(ERROR, &wrong);
        }
    }

    /// Reads the configuration again.
    fn reload(&mut self) {
        self.config.reload();
        self.config.shown.clear();
        self.documents.values_mut().for_each(Document::forget);
        // An editor that pulls diagnostics is asked to pull them again.
        if let Some(client) = self.client
            && client.pulls
            && client.refreshes
        {
            self.ask("workspace/diagnostic/refresh", Value::Null);
        }
    }

    /// Sends the diagnostics of a document that has changed; returns whether there was one.
    fn publish_one(&mut self) -> bool {
        let sends = self.client.is_some_and(|client| !client.pulls);
        if !sends || self.is_shut_down {
            return false;
        }
        let due = self
            .documents
            .iter_mut()
            .find(|(_, document)| document.is_due);
        let Some((uri, document)) = due else {
            return false;
        };
        document.is_due = false;
        let uri = uri.clone();
        let published = AssertUnwindSafe(|| self.diagnostics_of(&uri));
        if let Ok(Some(params)) = catch_unwind(published) {
            self.notify("textDocument/publishDiagnostics", params);
        }
        true
    }

    /// Shows a message to the user.
    fn show(&self, kind: u8, message: &str) {
        let params = json!({ "type": kind, "message": message });
        self.notify("window/showMessage", params);
    }

    /// Sends a notification.
    fn notify(&self, method: &str, params: Value) {
        let method = method.to_owned();
        self.send(Notification { method, params });
    }

    /// Sends a request.
    fn ask(&mut self, method: &str, params: Value) {
        self.sent += 1;
        let id = RequestId::from(format!("urlint-{}", self.sent));
        let method = method.to_owned();
        self.send(Request { id, method, params });
    }

    fn send(&self, message: impl Into<Message>) {
        // If the editor has disconnected, the receiving side will notice soon.
        let _ = self.connection.sender.send(message.into());
    }
}

fn published(analysis: &Analysis, document: &Document, client: &Client) -> Value {
    let all = analysis.diagnostics.iter();
    all.map(|diagnostic| diagnostics::of(diagnostic, document, client))
        .collect()
}

#[cfg(test)]
#[allow(clippy::panic, reason = "that is what is tested")]
fn panics() -> ! {
    panic!("asked for by a test")
}
