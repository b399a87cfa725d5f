//! Requests about the whole workspace. While its files are read on another thread, the server
//! handles other messages; it takes what has been read step by step.

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

/// The requests that are answered here.
pub(super) const METHODS: [&str; 3] = [DIAGNOSTIC, SYMBOL, COMMAND];

/// How many requests may be at work at once.
const MOST_RUNS: usize = 8;

/// How many symbols are found at most.
const MOST_SYMBOLS: usize = 1000;

/// How many steps may wait until the server takes them.
const STEPS: usize = 64;

/// The folders of the workspace, and the requests about all of it that are at work.
pub(super) struct Workspace {
    pub(super) folders: Vec<PathBuf>,
    runs: Vec<Run>,
    /// How many runs there have been.
    started: u64,
    /// What the threads that read for them send.
    pub(super) steps: Receiver<(u64, Step)>,
    sender: Sender<(u64, Step)>,
    /// The files that are not open whose diagnostics the editor has, with their URIs.
    pub(super) told: BTreeMap<PathBuf, String>,
    /// Whether an editor that says when files change knows all diagnostics.
    is_told_all: bool,
    /// Requests for diagnostics that wait until files change, with their parameters: some editors ask
    /// again and again.
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
            told: BTreeMap::new(),
            is_told_all: false,
            held: Vec::new(),
        }
    }
}

impl Workspace {
    /// Takes the folders that the editor has open at first.
    pub(super) fn open(&mut self, params: &Value) {
        self.folders = folders_of(params.get("workspaceFolders"));
        if self.folders.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str);
            self.folders.extend(root.and_then(path_of));
        }
    }

    /// Takes a change of the folders.
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
        (id, method): (RequestId, &str),
        params: &Value,
        client: Client,
    ) -> Result<(), Refusal> {
        let wanted = wanted(method, params)?;
        if method == COMMAND && client.pulls_workspace {
            // It has the diagnostics of all files by asking.
            self.files_have_changed();
            self.refresh();
            self.send(response(id, Ok(Value::Null)));
            return Ok(());
        }
        if method == DIAGNOSTIC && self.workspace.is_told_all {
            self.workspace.held.push((id, params.clone()));
            return Ok(());
        }
        if self.workspace.runs.len() >= MOST_RUNS {
            let message = "too many requests about the workspace at once";
            return Err(Refusal::new(ErrorCode::RequestFailed, message));
        }
        self.workspace.started += 1;
        let mut run = Run::new(self.workspace.started, (id, method), params);
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
        self.workspace.is_told_all = false;
        for run in &mut self.workspace.runs {
            run.is_outdated = true;
        }
        let Some(client) = self.client else {
            return;
        };
        for (id, params) in std::mem::take(&mut self.workspace.held) {
            if let Err(refusal) = self.begin_run((id.clone(), DIAGNOSTIC), &params, client) {
                self.send(response(id, Err(refusal)));
            }
        }
    }

    /// Takes the answer of the editor to a request, which may have been to show progress.
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

    /// Takes a step of a run, if that has not ended.
    pub(super) fn step(&mut self, number: u64, step: Step) {
        let Some(mut run) = self.take_run(|run| run.number == number) else {
            return;
        };
        let taken = catch_unwind(AssertUnwindSafe(|| match step {
            Step::Message(message) => {
                let params = json!({ "type": lsp::MessageType::Warning, "message": message });
                self.tell("window/logMessage", params);
                Ok(false)
            }
            Step::BadConfig(wrong) => {
                self.tell_wrong(&wrong);
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

    /// Takes what a file has. A document that is open wins over its file.
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
                // When it is closed, the file counts, which may have none.
                self.workspace.told.insert(path.clone(), own.clone());
                run.items.push(report(&own, Some(version), json!(items)));
            }
        } else {
            run.found += items.len();
            self.tell_file(run, &path, uri, items);
        }
        run.seen.insert(path);
    }

    /// Tells the editor of the diagnostics of a file, unless there are none and have been none.
    fn tell_file(&mut self, run: &mut Run, path: &Path, uri: String, items: Vec<Value>) {
        let was_told = self.workspace.told.contains_key(path);
        if !items.is_empty() {
            self.workspace.told.insert(path.to_owned(), uri.clone());
        } else if was_told {
            run.cleared.push(path.to_owned());
        } else {
            return;
        }
        if run.method == DIAGNOSTIC {
            run.items.push(report(&uri, None, Value::Array(items)));
        } else {
            let params = json!({ "uri": uri, "diagnostics": items });
            self.tell("textDocument/publishDiagnostics", params);
        }
    }

    /// Has the editor forget the diagnostics of a file, which it is sent no more.
    pub(super) fn untell(&mut self, path: &Path) {
        if let Some(uri) = self.workspace.told.remove(path) {
            let params = json!({ "uri": uri, "diagnostics": [] });
            self.tell("textDocument/publishDiagnostics", params);
        }
    }

    /// Tells the editor from time to time how far a run is.
    fn tick(&mut self, run: &mut Run) {
        if !run.is_time() {
            return;
        }
        self.send_partial(run);
        let message = run.summary();
        self.tell_progress(run, json!({ "kind": "report", "message": message }));
    }

    fn send_partial(&mut self, run: &mut Run) {
        if run.partial.is_some() && !run.items.is_empty() {
            let items = std::mem::take(&mut run.items);
            let params = json!({ "token": run.partial, "value": run.results(items) });
            self.tell("$/progress", params);
        }
    }

    /// Answers when all files have been read.
    fn end_run(&mut self, mut run: Run) {
        if !run.is_search() {
            let is_gone = |(path, _): &(&PathBuf, &String)| !run.seen.contains(*path);
            let gone = self.workspace.told.iter().filter(is_gone);
            let gone: Vec<_> = gone
                .map(|(path, uri)| (path.clone(), uri.clone()))
                .collect();
            for (path, uri) in gone {
                self.tell_file(&mut run, &path, uri, Vec::new());
            }
            for path in &run.cleared {
                self.workspace.told.remove(path);
            }
        }
        self.send_partial(&mut run);
        let items = std::mem::take(&mut run.items);
        let results = run.results(items);
        let is_all = run.method == DIAGNOSTIC && !run.is_outdated;
        if is_all && self.client.is_some_and(|client| client.tells_of_files()) {
            self.workspace.is_told_all = true;
        }
        self.finish_run(run, Ok(results));
    }

    fn finish_run(&mut self, run: Run, answer: Result<Value, Refusal>) {
        let message = match &answer {
            Ok(_) => run.summary(),
            Err(_) => "stopped".to_owned(),
        };
        self.tell_progress(&run, json!({ "kind": "end", "message": message }));
        self.send(response(run.id.clone(), answer));
    }

    /// Ends the runs that the editor does not want any more.
    fn cancel_runs(&mut self, is_unwanted: impl Fn(&Run) -> bool) {
        while let Some(run) = self.take_run(&is_unwanted) {
            self.finish_run(run, Err(Refusal::cancelled()));
        }
    }

    /// Ends the run for this request, if there is one, or its waiting.
    pub(super) fn cancel_request(&mut self, id: &RequestId) {
        self.cancel_runs(|run| run.id == *id);
        self.cancel_held(|held| held == id);
    }

    /// Ends everything.
    pub(super) fn cancel_all(&mut self) {
        self.cancel_runs(|_| true);
        self.cancel_held(|_| true);
    }

    fn cancel_held(&mut self, is_unwanted: impl Fn(&RequestId) -> bool) {
        let held = std::mem::take(&mut self.workspace.held);
        let (unwanted, held) = held.into_iter().partition(|(id, _)| is_unwanted(id));
        self.workspace.held = held;
        let unwanted: Vec<(RequestId, Value)> = unwanted;
        for (id, _) in unwanted {
            self.send(response(id, Err(Refusal::cancelled())));
        }
    }

    /// Ends the run whose progress the editor has been asked to stop.
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
        self.tell_progress(run, begin);
    }

    fn tell_progress(&self, run: &Run, value: Value) {
        if let Some(token) = &run.token {
            self.tell("$/progress", json!({ "token": token, "value": value }));
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

/// Adds as many symbols to the results as there may be.
fn take_symbols(run: &mut Run, mut symbols: Vec<Value>) {
    symbols.truncate(MOST_SYMBOLS.saturating_sub(run.found));
    run.found += symbols.len();
    run.items.extend(symbols);
}

/// Returns the report of a document in the answer to a request for diagnostics.
fn report(uri: &str, version: Option<i32>, items: Value) -> Value {
    json!({ "kind": "full", "uri": uri, "version": version, "items": items })
}

/// Returns the folders that are in no other.
fn outermost(folders: &[PathBuf]) -> Vec<PathBuf> {
    let is_within = |folder: &PathBuf, at: usize| {
        let mut others = folders.iter().enumerate();
        others.any(|(other_at, other)| {
            let is_same = folder == other;
            folder.starts_with(other) && (!is_same || other_at < at)
        })
    };
    let all = folders.iter().enumerate();
    let outer = all.filter(|(at, folder)| !is_within(folder, *at));
    outer.map(|(_, folder)| folder.clone()).collect()
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
