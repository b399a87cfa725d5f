//! Messages of the editor that have not been handled, and what they say of one another: which
//! requests are cancelled, and which documents change.

use std::collections::{HashMap, HashSet, VecDeque};

use lsp_server::{Message, Notification, RequestId};

#[derive(Debug, Default)]
pub(super) struct Queue {
    messages: VecDeque<Message>,
    /// How many of them change or close a document, by its URI.
    changing: HashMap<String, usize>,
    /// Requests among them that the editor has cancelled.
    cancelled: HashSet<RequestId>,
}

impl Queue {
    pub(super) fn push(&mut self, message: Message) {
        if let Some(uri) = changed_uri(&message) {
            *self.changing.entry(uri.to_owned()).or_default() += 1;
        }
        self.messages.push_back(message);
    }

    pub(super) fn pop(&mut self) -> Option<Message> {
        let message = self.messages.pop_front()?;
        if let Some(uri) = changed_uri(&message)
            && let Some(count) = self.changing.get_mut(uri)
        {
            *count -= 1;
            if *count == 0 {
                self.changing.remove(uri);
            }
        }
        Some(message)
    }

    /// Notes that a request is cancelled; returns whether it waits.
    pub(super) fn cancel(&mut self, id: &RequestId) -> bool {
        let is_it =
            |message: &Message| matches!(message, Message::Request(request) if request.id == *id);
        let waits = self.messages.iter().any(is_it);
        if waits {
            self.cancelled.insert(id.clone());
        }
        waits
    }

    /// Returns whether a request that has just been taken was cancelled.
    pub(super) fn was_cancelled(&mut self, id: &RequestId) -> bool {
        self.cancelled.remove(id)
    }

    /// Returns whether a message changes or closes a document.
    pub(super) fn changes(&self, uri: &str) -> bool {
        self.changing.contains_key(uri)
    }
}

/// Returns the document that a message changes or closes.
fn changed_uri(message: &Message) -> Option<&str> {
    let Message::Notification(Notification { method, params }) = message else {
        return None;
    };
    let changes = matches!(
        method.as_str(),
        "textDocument/didChange" | "textDocument/didClose"
    );
    let uri = params.pointer("/textDocument/uri")?;
    uri.as_str().filter(|_| changes)
}
