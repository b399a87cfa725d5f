//! Messages of the editor that wait to be handled. The queue knows which requests among them are
//! cancelled, and which documents they change.

use std::collections::{HashSet, VecDeque};

use lsp_server::{Message, Notification, RequestId};

#[derive(Debug, Default)]
pub(super) struct Queue {
    messages: VecDeque<Message>,
    /// Requests among them that the editor has cancelled.
    cancelled: HashSet<RequestId>,
}

impl Queue {
    pub(super) fn push(&mut self, message: Message) {
        self.messages.push_back(message);
    }

    pub(super) fn pop(&mut self) -> Option<Message> {
        self.messages.pop_front()
    }

    /// Cancels a request if it is in the queue.
    pub(super) fn cancel(&mut self, id: RequestId) {
        let is_it =
            |message: &Message| matches!(message, Message::Request(request) if request.id == id);
        if self.messages.iter().any(is_it) {
            self.cancelled.insert(id);
        }
    }

    /// Returns whether a request that was just taken from the queue is cancelled.
    pub(super) fn was_cancelled(&mut self, id: &RequestId) -> bool {
        self.cancelled.remove(id)
    }

    /// Returns whether a message in the queue changes or closes a document.
    pub(super) fn changes(&self, uri: &str) -> bool {
        let mut changed = self.messages.iter().filter_map(changed_uri);
        changed.any(|changed| changed == uri)
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
