//! A request for which the files of the workspace are read, from its beginning to its answer.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lsp_server::RequestId;
use serde_json::{Value, json};

use super::answer::field;
use crate::terminal::count;

pub(super) const DIAGNOSTIC: &str = "workspace/diagnostic";
pub(super) const SYMBOL: &str = "workspace/symbol";
pub(super) const COMMAND: &str = "workspace/executeCommand";

/// How often the editor is told at most how far the work is.
const TICK: Duration = Duration::from_millis(100);

pub(super) struct Run {
    pub(super) number: u64,
    pub(super) id: RequestId,
    pub(super) method: String,
    /// Ends the thread that reads.
    pub(super) stop: Arc<AtomicBool>,
    /// The token of the progress that the editor shows.
    pub(super) token: Option<Value>,
    /// The request by which the editor is asked to show it.
    pub(super) asked: Option<RequestId>,
    /// The token with which results are sent before the answer.
    pub(super) partial: Option<Value>,
    /// What has been found and not been sent.
    pub(super) items: Vec<Value>,
    /// The files that have been taken, and how many diagnostics or symbols they have.
    pub(super) seen: HashSet<PathBuf>,
    pub(super) found: usize,
    /// Those that had diagnostics before, and have none now. Until the answer is sent, the editor may
    /// not know.
    pub(super) cleared: Vec<PathBuf>,
    /// Whether files have changed since it began.
    pub(super) is_outdated: bool,
    /// When the editor was told how far it is.
    told: Instant,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Run {
    pub(super) fn new(number: u64, (id, method): (RequestId, &str), params: &Value) -> Run {
        let token = |path: &str| field(params, path).filter(|token: &Value| !token.is_null());
        Run {
            number,
            id,
            method: method.to_owned(),
            stop: Arc::default(),
            token: token("/workDoneToken"),
            asked: None,
            partial: token("/partialResultToken"),
            items: Vec::new(),
            seen: HashSet::new(),
            found: 0,
            cleared: Vec::new(),
            is_outdated: false,
            told: Instant::now(),
        }
    }

    pub(super) fn is_search(&self) -> bool {
        self.method == SYMBOL
    }

    /// Returns the token of progress that the editor is asked to show.
    pub(super) fn own_token(&self) -> Value {
        json!(format!("urlint-workspace-{}", self.number))
    }

    /// Returns what the editor shows above its progress.
    pub(super) fn title(&self) -> &'static str {
        if self.is_search() {
            "Searching for URLs"
        } else {
            "Checking URLs"
        }
    }

    /// Returns what there is to say of it so far.
    pub(super) fn summary(&self) -> String {
        let files = count(self.seen.len() as u64, "file");
        if self.is_search() {
            return files;
        }
        format!("{files}, {}", count(self.found as u64, "diagnostic"))
    }

    /// Returns whether it is time to say that.
    pub(super) fn is_time(&mut self) -> bool {
        let is_time = self.told.elapsed() >= TICK;
        if is_time {
            self.told = Instant::now();
        }
        is_time
    }

    /// Returns results as the editor expects them.
    pub(super) fn results(&self, items: Vec<Value>) -> Value {
        match self.method.as_str() {
            DIAGNOSTIC => json!({ "items": items }),
            SYMBOL => Value::Array(items),
            _ => Value::Null,
        }
    }
}
