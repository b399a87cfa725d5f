//! A request about the whole workspace that is in progress.

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

/// The least time between two reports of progress.
const TICK: Duration = Duration::from_millis(100);

pub(super) struct Run {
    pub(super) number: u64,
    pub(super) id: RequestId,
    pub(super) method: String,
    /// Stops the thread that reads.
    pub(super) stop: Arc<AtomicBool>,
    /// The token of the progress that the editor shows.
    pub(super) token: Option<Value>,
    /// The request that asks the editor to show progress.
    pub(super) asked: Option<RequestId>,
    /// The token with which results are sent before the answer.
    pub(super) partial: Option<Value>,
    /// Results that have not been sent.
    pub(super) items: Vec<Value>,
    /// The files that have been read, and how many diagnostics or symbols they have.
    pub(super) seen: HashSet<PathBuf>,
    pub(super) found: usize,
    /// Files that had diagnostics before and have none now. The editor may not know before the answer is
    /// sent.
    pub(super) cleared: Vec<PathBuf>,
    /// Whether files have changed since it began.
    pub(super) is_outdated: bool,
    /// When progress was last reported.
    last_report: Instant,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Run {
    pub(super) fn new(number: u64, id: RequestId, method: &str, params: &Value) -> Run {
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
            last_report: Instant::now(),
        }
    }

    pub(super) fn is_search(&self) -> bool {
        self.method == SYMBOL
    }

    /// Returns the token for progress that the server starts.
    pub(super) fn own_token(&self) -> Value {
        json!(format!("urlint-workspace-{}", self.number))
    }

    /// Returns the title of the progress.
    pub(super) fn title(&self) -> &'static str {
        if self.is_search() {
            "Searching for URLs"
        } else {
            "Checking URLs"
        }
    }

    /// Returns a summary of the results so far.
    pub(super) fn summary(&self) -> String {
        let files = count(self.seen.len() as u64, "file");
        if self.is_search() {
            return files;
        }
        format!("{files}, {}", count(self.found as u64, "diagnostic"))
    }

    /// Returns whether to report progress now.
    pub(super) fn is_time(&mut self) -> bool {
        let is_time = self.last_report.elapsed() >= TICK;
        if is_time {
            self.last_report = Instant::now();
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
