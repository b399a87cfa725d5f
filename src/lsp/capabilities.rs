//! The capabilities of the editor, and those of the server.

use serde_json::{Value, json};

use super::answer::field;
use super::positions::Encoding;

/// The capabilities of the editor. The server sends only messages that it understands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    pub(super) encoding: Encoding,
    /// The editor pulls diagnostics. Otherwise they are pushed to it, never both.
    pub(super) pulls: bool,
    /// The editor can be asked to pull diagnostics again.
    pub(super) refreshes: bool,
    pub(super) has_related: bool,
    pub(super) has_code_descriptions: bool,
    pub(super) has_versioned_edits: bool,
    pub(super) has_action_literals: bool,
    pub(super) has_markdown: bool,
    pub(super) watches_files: bool,
}

impl Client {
    /// Reads the parameters of `initialize`. A malformed capability counts as missing, so that the others
    /// still apply.
    pub(super) fn of(params: &Value) -> Client {
        let at = |path: &str| params.pointer(&format!("/capabilities{path}"));
        let has = |path: &str| {
            at(path).is_some_and(|value| value != &Value::Bool(false) && !value.is_null())
        };
        let strings = |path: &str| -> Vec<String> {
            field(params, &format!("/capabilities{path}")).unwrap_or_default()
        };
        let pulls = has("/textDocument/diagnostic");
        let of_diagnostics = |name: &str| {
            // Editors that pull diagnostics declare this for only one of the two ways.
            has(&format!("/textDocument/diagnostic/{name}"))
                || has(&format!("/textDocument/publishDiagnostics/{name}"))
        };
        let formats = strings("/textDocument/hover/contentFormat");
        Client {
            encoding: Encoding::best(&strings("/general/positionEncodings")),
            pulls,
            refreshes: has("/workspace/diagnostics/refreshSupport"),
            has_related: of_diagnostics("relatedInformation"),
            has_code_descriptions: of_diagnostics("codeDescriptionSupport"),
            has_versioned_edits: has("/workspace/workspaceEdit/documentChanges"),
            has_action_literals: has("/textDocument/codeAction/codeActionLiteralSupport"),
            has_markdown: formats.iter().any(|format| format == "markdown"),
            watches_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}

/// The kinds of code actions: those about one diagnostic, and those that make all safe fixes.
pub(super) const QUICK_FIX: &str = "quickfix";
pub(super) const FIX_ALL: &str = "source.fixAll.urlint";

/// Returns the answer to `initialize`.
pub(super) fn answer(client: &Client) -> Value {
    let mut answer = json!({
        "capabilities": {
            "positionEncoding": client.encoding.name(),
            // The editor sends only what changes.
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "hoverProvider": true,
            "codeActionProvider": { "codeActionKinds": [QUICK_FIX, FIX_ALL] },
            "documentLinkProvider": {},
        },
        "serverInfo": { "name": "urlint", "version": env!("CARGO_PKG_VERSION") },
    });
    if client.pulls {
        answer["capabilities"]["diagnosticProvider"] = json!({
            "identifier": "urlint",
            "interFileDependencies": false,
            "workspaceDiagnostics": false,
        });
    }
    answer
}

/// Returns the parameters that ask the editor to report changes of configuration files.
pub(super) fn watching() -> Value {
    let pattern = "**/{.urlint,urlint,pyproject}.toml";
    json!({ "registrations": [{
        "id": "urlint-configuration",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": { "watchers": [{ "globPattern": pattern }] },
    }] })
}
