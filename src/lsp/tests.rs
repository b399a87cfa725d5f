//! The server with an editor in memory, which sends all its messages before the server starts, so that
//! the contents of the queue do not depend on time.

use std::path::Path;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::{Configs, Options, serve_connection};

const URI: &str = "untitled:Untitled-1";

fn request(id: i32, method: &str, params: Value) -> Message {
    Message::Request(Request::new(RequestId::from(id), method.to_owned(), params))
}

fn notification(method: &str, params: Value) -> Message {
    Message::Notification(Notification::new(method.to_owned(), params))
}

fn initialize(capabilities: &Value) -> [Message; 2] {
    [
        request(0, "initialize", json!({ "capabilities": capabilities })),
        notification("initialized", json!({})),
    ]
}

fn open(text: &str) -> Message {
    let document = json!({ "uri": URI, "languageId": "plaintext", "version": 1, "text": text });
    notification("textDocument/didOpen", json!({ "textDocument": document }))
}

fn change(version: i32, text: &str) -> Message {
    notification(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": URI, "version": version },
            "contentChanges": [{ "text": text }],
        }),
    )
}

fn about(id: i32, method: &str) -> Message {
    request(id, method, json!({ "textDocument": { "uri": URI } }))
}

fn end() -> [Message; 2] {
    [
        request(99, "shutdown", Value::Null),
        notification("exit", Value::Null),
    ]
}

/// Returns the messages of the server, and whether it was shut down.
fn serve(messages: impl IntoIterator<Item = Message>) -> (Vec<Message>, bool) {
    let (server, editor) = Connection::memory();
    for message in messages {
        assert!(editor.sender.send(message).is_ok());
    }
    drop(editor.sender);
    let isolated = |editor| Some(Configs::fixed(editor, Path::new("/")));
    let configs = Configs::fixed(Options::default(), Path::new("/"));
    let is_shut_down = serve_connection(&server, configs, Box::new(isolated));
    drop(server);
    (editor.receiver.into_iter().collect(), is_shut_down)
}

/// Returns the answers to requests: the number of the request, and the result or the error's code.
fn answers(sent: &[Message]) -> Vec<(String, Result<Value, i32>)> {
    let answers = sent.iter().filter_map(|message| match message {
        Message::Response(Response {
            id,
            response_result,
        }) => {
            let result = response_result.clone().map_err(|error| error.code);
            Some((id.to_string(), result))
        }
        _ => None,
    });
    answers.collect()
}

fn code(sent: &[Message], id: i32) -> Option<i32> {
    let answers = answers(sent);
    let mut own = answers.iter().filter(|(other, _)| *other == id.to_string());
    let answer = own.next();
    assert!(own.next().is_none(), "{id} is answered twice");
    answer.and_then(|(_, result)| result.as_ref().err().copied())
}

#[test]
fn the_exit_code_follows_the_protocol() {
    let start = || initialize(&json!({})).into_iter();
    assert!(serve(start().chain(end())).1);
    let exit = || [notification("exit", Value::Null)];
    assert!(!serve(start().chain(exit())).1);
    assert!(!serve(exit()).1);
    assert!(!serve(start()).1, "the editor has gone");
}

#[test]
fn requests_out_of_turn_are_refused() {
    let early = about(1, "textDocument/hover");
    let again = request(2, "initialize", json!({}));
    let unknown = request(3, "textDocument/rename", json!({}));
    let late = about(4, "textDocument/hover");
    let [shutdown, exit] = end();
    let messages = std::iter::once(early)
        .chain(initialize(&json!({})))
        .chain([again, unknown, shutdown, late, exit]);
    let (sent, exit) = serve(messages);
    assert_eq!(code(&sent, 1), Some(-32002));
    assert_eq!(code(&sent, 2), Some(-32600));
    assert_eq!(code(&sent, 3), Some(-32601));
    assert_eq!(code(&sent, 4), Some(-32600));
    assert!(exit);
}

#[test]
fn each_request_is_answered_once_also_when_cancelled_or_outdated() {
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    let cancel = |id| notification("$/cancelRequest", json!({ "id": id }));
    let messages = initialize(&capabilities).into_iter().chain([
        open("http://a.example/^"),
        about(1, "textDocument/documentLink"),
        about(2, "textDocument/diagnostic"),
        cancel(3),
        change(2, "http://b.example/^"),
        about(3, "textDocument/documentLink"),
        about(4, "textDocument/documentLink"),
        about(5, "textDocument/hover"),
        cancel(4),
        cancel(77),
    ]);
    let (sent, _) = serve(messages.chain(end()));
    assert_eq!(code(&sent, 1), Some(-32801), "outdated");
    assert_eq!(code(&sent, 2), Some(-32802), "the editor asks again");
    // It was cancelled before it was asked.
    assert_eq!(code(&sent, 3), None);
    assert_eq!(code(&sent, 4), Some(-32800), "cancelled");
    assert_eq!(code(&sent, 5), Some(-32602), "without a position");
    let links = answers(&sent).into_iter().find(|(id, _)| id == "3");
    let target = links.and_then(|(_, links)| links.ok()?.pointer("/0/target").cloned());
    assert_eq!(target, Some(json!("http://b.example/%5E")));
    assert_eq!(answers(&sent).len(), 7);
}

#[test]
fn changes_in_the_queue_are_checked_once() {
    let messages = initialize(&json!({})).into_iter().chain([open("x")]);
    let changes = (2..50).map(|version| change(version, "http://a.example/^"));
    let (sent, _) = serve(messages.chain(changes));
    let published = sent.iter().filter_map(|message| match message {
        Message::Notification(notification) => Some(&notification.params),
        _ => None,
    });
    let versions: Vec<_> = published.map(|params| params["version"].clone()).collect();
    assert_eq!(versions, [json!(49)]);
}

#[test]
fn a_panic_ends_only_the_request_or_the_notification() {
    let messages = initialize(&json!({})).into_iter().chain([
        open("http://a.example/"),
        request(1, "test/panic", json!({})),
        notification("test/panic", json!({})),
        about(2, "textDocument/documentLink"),
    ]);
    let (sent, exit) = serve(messages.chain(end()));
    assert_eq!(code(&sent, 1), Some(-32603));
    assert_eq!(code(&sent, 2), None);
    assert!(exit);
}
