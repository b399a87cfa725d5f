//! Requests about the whole workspace. Its files are read on another thread, whose results the server
//! takes step by step, between other messages.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crossbeam_channel::{Receiver, Sender};
use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, RequestId, Response};
use serde_json::{Value, json};

use super::answer::{Refusal, required, response};
use super::capabilities::{CHECK_WORKSPACE, Client};
use super::files::{Files, Step, Wanted};
use super::run::{COMMAND, DIAGNOSTIC, Run, SYMBOL};
use super::server::Server;
use super::symbols;
use super::uri::path_of;

/// The requests about the whole workspace.
pub(super) const METHODS: [&str; 3] = [DIAGNOSTIC, SYMBOL, COMMAND];

/// The most requests that are in progress at once.
const MOST_RUNS: usize = 8;

/// The most symbols that are returned.
const MOST_SYMBOLS: usize = 1000;

/// The most steps that wait for the server.
const STEPS: usize = 64;

/// The folders of the workspace, and the requests about the whole workspace that are in progress.
pub(super) struct Workspace {
    pub(super) folders: Vec<PathBuf>,
    runs: Vec<Run>,
    /// How many runs have been started.
    started: u64,
    /// The steps that the threads of the runs send.
    pub(super) steps: Receiver<(u64, Step)>,
    sender: Sender<(u64, Step)>,
    /// The files that are not open and whose diagnostics the editor has, with their URIs.
    pub(super) published: BTreeMap<PathBuf, String>,
    /// Whether the editor has all diagnostics and will say when files change.
    has_published_all: bool,
    /// Requests for diagnostics that are answered once files change, with their parameters: some editors
    /// ask again and again.
    held: Vec<(RequestId, Value)>,
}

impl Default for Workspace {
    fn default() -> Self {
        let (sender, steps) = crossbeam_channel::bounded(STEPS);
        Workspace {
            folders: Vec::new(),
            runs: Vec::new(),
            started: 0,
            steps,
            sender,
            published: BTreeMap::new(),
            has_published_all: false,
            held: Vec::new(),
        }
    }
}

impl Workspace {
    /// Sets the folders that the editor has open when it starts.
    pub(super) fn open(&mut self, params: &Value) {
        self.folders = folders_of(params.get("workspaceFolders"));
        if self.folders.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str);
            self.folders.extend(root.and_then(path_of));
        }
    }

    /// Applies a change of the folders.
    pub(super) fn change(&mut self, params: &Value) {
        let removed = folders_of(params.pointer("/event/removed"));
        self.folders.retain(|folder| !removed.contains(folder));
        let added = folders_of(params.pointer("/event/added"));
        self.folders.extend(added);
    }
}

/// Returns the paths of workspace folders.
fn folders_of(folders: Option<&Value>) -> Vec<PathBuf> {
    let folders = folders.and_then(Value::as_array).into_iter().flatten();
    let uris = folders.filter_map(|folder| folder.get("uri")?.as_str());
    uris.filter_map(path_of).collect()
}

impl Server<'_> {
    /// Begins to answer a request about the workspace.
    pub(super) fn begin_run(
        &mut self,
        id: RequestId,
        method: &str,
        params: &Value,
        client: Client,
    ) -> Result<(), Refusal> {
        let wanted = wanted(method, params)?;
        if method == COMMAND && client.pulls_workspace {
            // It pulls the diagnostics of all files instead.
            self.files_have_changed();
            self.refresh();
            self.send(response(id, Ok(Value::Null)));
            return Ok(());
        }
        if method == DIAGNOSTIC && self.workspace.has_published_all {
            self.workspace.held.push((id, params.clone()));
            return Ok(());
        }
        if self.workspace.runs.len() >= MOST_RUNS {
            let message = "too many requests about the workspace at once";
            return Err(Refusal::new(ErrorCode::RequestFailed, message));
        }
        self.workspace.started += 1;
        let mut run = Run::new(self.workspace.started, id, method, params);
        if let Wanted::Symbols(query) = &wanted {
            take_symbols(&mut run, self.symbols_of_documents(query));
        }
        let files = Files {
            folders: outermost(&self.workspace.folders),
            configs: self.config.configs(),
            client,
            wanted,
        };
        files.start(run.number, self.workspace.sender.clone(), run.stop.clone());
        if run.token.is_some() {
            self.begin_progress(&run);
        } else if client.shows_progress && method == COMMAND {
            let params = json!({ "token": run.own_token() });
            run.asked = Some(self.ask("window/workDoneProgress/create", params));
        }
        self.workspace.runs.push(run);
        Ok(())
    }

    /// Answers the requests that wait until files have changed.
    pub(super) fn files_have_changed(&mut self) {
        self.workspace.has_published_all = false;
        for run in &mut self.workspace.runs {
            run.is_outdated = true;
        }
        let Some(client) = self.client else {
            return;
        };
        for (id, params) in std::mem::take(&mut self.workspace.held) {
            if let Err(refusal) = self.begin_run(id.clone(), DIAGNOSTIC, &params, client) {
                self.send(response(id, Err(refusal)));
            }
        }
    }

    /// Handles the editor's answer to a request, which may have been to show progress.
    pub(super) fn answered(&mut self, response: &Response) {
        let is_it = |run: &Run| run.asked.as_ref() == Some(&response.id);
        let Some(mut run) = self.take_run(is_it) else {
            return;
        };
        run.asked = None;
        if response.response_result.is_ok() {
            run.token = Some(run.own_token());
            self.begin_progress(&run);
        }
        self.workspace.runs.push(run);
    }

    /// Handles a step of a run, unless the run has ended.
    pub(super) fn step(&mut self, number: u64, step: Step) {
        let Some(mut run) = self.take_run(|run| run.number == number) else {
            return;
        };
        let taken = catch_unwind(AssertUnwindSafe(|| match step {
            Step::Message(message) => {
                let params = json!({ "type": lsp::MessageType::Warning, "message": message });
                self.notify("window/logMessage", params);
                Ok(false)
            }
            Step::BadConfig(wrong) => {
                self.show_config_error(&wrong);
                Ok(false)
            }
            Step::File { path, uri, items } => {
                self.take_file(&mut run, path, uri, items);
                self.tick(&mut run);
                Ok(run.is_search() && run.found >= MOST_SYMBOLS)
            }
            Step::End { is_done: true } => Ok(true),
            Step::End { is_done: false } => Err(Refusal::fault(&run.method)),
        }));
        match taken.unwrap_or_else(|_| Err(Refusal::fault(&run.method))) {
            Ok(false) => self.workspace.runs.push(run),
            Ok(true) => self.end_run(run),
            Err(refusal) => self.finish_run(run, Err(refusal)),
        }
    }

    /// Takes the results of a file. If it is open, the document's results are used instead.
    fn take_file(&mut self, run: &mut Run, path: PathBuf, uri: String, items: Vec<Value>) {
        let mut documents = self.documents.iter();
        let open = documents.find(|(_, document)| document.path.as_ref() == Some(&path));
        let open = open.map(|(uri, _)| uri.clone());
        if run.is_search() {
            if open.is_none() {
                take_symbols(run, items);
            }
        } else if let Some(own) = open {
            let (version, items) = self.diagnostics_of(&own).unwrap_or_default();
            run.found += items.len();
            if run.method == DIAGNOSTIC {
                // Once it is closed, the file's own diagnostics apply, and there may be none.
                self.workspace.published.insert(path.clone(), own.clone());
                run.items.push(report(&own, Some(version), json!(items)));
            }
        } else {
            run.found += items.len();
            self.publish_file(run, &path, uri, items);
        }
        run.seen.insert(path);
    }

    /// Sends the diagnostics of a file to the editor, unless there are none and were none before.
    fn publish_file(&mut self, run: &mut Run, path: &Path, uri: String, items: Vec<Value>) {
        let was_published = self.workspace.published.contains_key(path);
        if !items.is_empty() {
            self.workspace
                .published
                .insert(path.to_owned(), uri.clone());
        } else if was_published {
            run.cleared.push(path.to_owned());
        } else {
            return;
        }
        if run.method == DIAGNOSTIC {
            run.items.push(report(&uri, None, Value::Array(items)));
        } else {
            let params = json!({ "uri": uri, "diagnostics": items });
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    /// Removes the diagnostics of a file from the editor.
    pub(super) fn clear_diagnostics(&mut self, path: &Path) {
        if let Some(uri) = self.workspace.published.remove(path) {
            self.publish_none(&uri);
        }
    }

    pub(super) fn publish_none(&self, uri: &str) {
        let params = json!({ "uri": uri, "diagnostics": [] });
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// Reports the progress of a run from time to time.
    fn tick(&mut self, run: &mut Run) {
        if !run.is_time() {
            return;
        }
        self.send_partial(run);
        let message = run.summary();
        self.send_progress(run, json!({ "kind": "report", "message": message }));
    }

    fn send_partial(&mut self, run: &mut Run) {
        if run.partial.is_some() && !run.items.is_empty() {
            let items = std::mem::take(&mut run.items);
            let params = json!({ "token": run.partial, "value": run.results(items) });
            self.notify("$/progress", params);
        }
    }

    /// Answers the request of a run whose files have all been read.
    fn end_run(&mut self, mut run: Run) {
        if !run.is_search() {
            for (path, uri) in self.workspace.published.clone() {
                if !run.seen.contains(&path) {
                    self.publish_file(&mut run, &path, uri, Vec::new());
                }
            }
            for path in &run.cleared {
                self.workspace.published.remove(path);
            }
        }
        self.send_partial(&mut run);
        let items = std::mem::take(&mut run.items);
        let results = run.results(items);
        let hears = self.client.is_some_and(Client::reports_file_changes);
        if hears && run.method == DIAGNOSTIC && !run.is_outdated {
            self.workspace.has_published_all = true;
        }
        self.finish_run(run, Ok(results));
    }

    fn finish_run(&mut self, run: Run, answer: Result<Value, Refusal>) {
        let message = match &answer {
            Ok(_) => run.summary(),
            Err(_) => "stopped".to_owned(),
        };
        self.send_progress(&run, json!({ "kind": "end", "message": message }));
        self.send(response(run.id.clone(), answer));
    }

    /// Cancels the runs that the editor no longer wants.
    fn cancel_runs(&mut self, is_unwanted: impl Fn(&Run) -> bool) {
        while let Some(run) = self.take_run(&is_unwanted) {
            self.finish_run(run, Err(Refusal::cancelled()));
        }
    }

    /// Cancels the run or the waiting request with this id, if any.
    pub(super) fn cancel_request(&mut self, id: &RequestId) {
        self.cancel_runs(|run| run.id == *id);
        self.cancel_held(|held| held == id);
    }

    /// Cancels all runs and waiting requests.
    pub(super) fn cancel_all(&mut self) {
        self.cancel_runs(|_| true);
        self.cancel_held(|_| true);
    }

    fn cancel_held(&mut self, is_unwanted: impl Fn(&RequestId) -> bool) {
        let held = &mut self.workspace.held;
        let unwanted: Vec<_> = held.extract_if(.., |(id, _)| is_unwanted(id)).collect();
        for (id, _) in unwanted {
            self.send(response(id, Err(Refusal::cancelled())));
        }
    }

    /// Cancels the run whose progress the user has stopped.
    pub(super) fn cancel_progress(&mut self, params: &Value) {
        let token = params.get("token");
        self.cancel_runs(|run| run.token.is_some() && run.token.as_ref() == token);
    }

    /// Ends all runs, since the configuration has changed.
    pub(super) fn outdate_runs(&mut self) {
        let message = "the configuration has changed";
        while let Some(run) = self.take_run(|_| true) {
            let refusal = if run.method == DIAGNOSTIC {
                Refusal::outdated_diagnostics(message, true)
            } else {
                Refusal::outdated(message)
            };
            self.finish_run(run, Err(refusal));
        }
    }

    fn take_run(&mut self, is_it: impl Fn(&Run) -> bool) -> Option<Run> {
        let at = self.workspace.runs.iter().position(is_it)?;
        Some(self.workspace.runs.swap_remove(at))
    }

    fn symbols_of_documents(&mut self, query: &str) -> Vec<Value> {
        let uris: Vec<_> = self.documents.keys().cloned().collect();
        let mut found = Vec::new();
        for uri in uris {
            if let Some((analysis, _)) = self.analysis(&uri)
                && let Some(document) = self.documents.get(&uri)
            {
                found.extend(symbols::matching(&analysis, document, query));
            }
        }
        found
    }

    fn begin_progress(&self, run: &Run) {
        let begin = json!({ "kind": "begin", "title": run.title(), "cancellable": true });
        self.send_progress(run, begin);
    }

    fn send_progress(&self, run: &Run, value: Value) {
        if let Some(token) = &run.token {
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }
}

/// Returns what a request asks for.
fn wanted(method: &str, params: &Value) -> Result<Wanted, Refusal> {
    match method {
        SYMBOL => Ok(Wanted::Symbols(required(params, "/query")?)),
        COMMAND => {
            let command: String = required(params, "/command")?;
            if command == CHECK_WORKSPACE {
                Ok(Wanted::Diagnostics)
            } else {
                let message = format!("the command {command} is not known");
                Err(Refusal::new(ErrorCode::InvalidParams, message))
            }
        }
        _ => Ok(Wanted::Diagnostics),
    }
}

/// Adds symbols to the results, up to the limit.
fn take_symbols(run: &mut Run, mut symbols: Vec<Value>) {
    symbols.truncate(MOST_SYMBOLS.saturating_sub(run.found));
    run.found += symbols.len();
    run.items.extend(symbols);
}

/// Returns the report of a document in the answer to a request for diagnostics.
fn report(uri: &str, version: Option<i32>, items: Value) -> Value {
    json!({ "kind": "full", "uri": uri, "version": version, "items": items })
}

/// Returns the folders that are not inside another one.
fn outermost(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders = folders.to_vec();
    // A folder sorts before all that is in it, and what is in it before any other.
    folders.sort();
    folders.dedup_by(|folder, before| folder.starts_with(before));
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_is_read_twice() {
        let folders = |all: &[&str]| -> Vec<PathBuf> { all.iter().map(PathBuf::from).collect() };
        let given = folders(&["/a/b", "/a", "/ab", "/a"]);
        assert_eq!(outermost(&given), folders(&["/a", "/ab"]));
    }
}
