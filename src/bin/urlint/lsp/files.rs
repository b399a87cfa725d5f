//! Reads the files of the workspace on another thread, as `urlint check` reads them.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::Sender;
use gen_lsp_types as lsp;
use serde_json::{Value, json};
use urlint::config::{BadConfig, Configs};
use urlint::read::Content;

use super::analysis::Subject;
use super::capabilities::Client;
use super::config::Rules;
use super::document::{Document, MAX_CHECKED};
use super::positions::Text;
use super::uri::uri_of;
use super::{diagnostics, symbols};
use crate::error::Error;
use crate::terminal;
use crate::walk::{Entry, Input, Message, Opener, PathArgs, Walked};

/// The most bytes of files that are searched for symbols.
const MOST_SEARCHED: usize = 64 << 20;

/// The most diagnostics or symbols of one file: an archive may have any number.
const MOST_ITEMS: usize = 10_000;

/// What to find in the files.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Diagnostics,
    /// Symbols that match this.
    Symbols(String),
}

/// A message from the thread.
#[derive(Debug)]
pub(super) enum Step {
    File {
        path: PathBuf,
        uri: String,
        /// Diagnostics or symbols.
        items: Vec<Value>,
    },
    /// Something could not be read.
    Message(String),
    /// The configuration of a file is wrong.
    BadConfig(BadConfig),
    /// The last step. `is_done` is false after a panic.
    End { is_done: bool },
}

/// The files to read.
pub(super) struct Files {
    /// The folders that they are in.
    pub(super) folders: Vec<PathBuf>,
    pub(super) configs: Configs,
    pub(super) client: Client,
    pub(super) wanted: Wanted,
}

impl Files {
    /// Reads the files on another thread, until `stop` is set. All steps come with `number`.
    pub(super) fn start(self, number: u64, steps: Sender<(u64, Step)>, stop: Arc<AtomicBool>) {
        thread::spawn(move || {
            let read = AssertUnwindSafe(|| self.read(number, &steps, &stop));
            let is_done = catch_unwind(read).is_ok();
            drop(steps.send((number, Step::End { is_done })));
        });
    }

    fn read(&self, number: u64, steps: &Sender<(u64, Step)>, stop: &AtomicBool) {
        let inputs = PathArgs::of(self.folders.clone());
        let opener = Opener::new(&inputs, &self.configs, None, false);
        let mut reading = Reading {
            files: self,
            number,
            steps,
            stop,
            path: PathBuf::new(),
            items: Vec::new(),
            searched: 0,
        };
        // It fails only if it is stopped.
        let mut visit = |walked: Walked<'_>| reading.walked(&opener, walked);
        drop(inputs.walk(&opener, &|| Ok(true), &mut visit));
    }
}

/// Reads files, and sends steps.
struct Reading<'r> {
    files: &'r Files,
    number: u64,
    steps: &'r Sender<(u64, Step)>,
    stop: &'r AtomicBool,
    /// The current file, and its results.
    path: PathBuf,
    items: Vec<Value>,
    /// How many bytes have been searched.
    searched: usize,
}

impl Reading<'_> {
    /// Handles what the walk yields.
    fn walked(&mut self, opener: &Opener<'_>, walked: Walked<'_>) -> Result<(), Error> {
        match walked {
            Walked::File(entry) => self.file(opener, &entry),
            Walked::Source(input, content) => self.source(input, content),
            Walked::Message(Message::Line(line)) => self.send(Step::Message(line)),
            Walked::Message(Message::BadConfig(wrong)) => self.send(Step::BadConfig(wrong)),
            Walked::Count(_) => Ok(()),
        }
    }

    fn file(&mut self, opener: &Opener<'_>, entry: &Entry<'_>) -> Result<(), Error> {
        entry.path.clone_into(&mut self.path);
        self.items.clear();
        self.go_on()?;
        opener.file(entry, 1, &mut |walked| self.walked(opener, walked))?;
        self.items.truncate(MOST_ITEMS);
        let step = Step::File {
            uri: uri_of(&self.path),
            path: std::mem::take(&mut self.path),
            items: std::mem::take(&mut self.items),
        };
        self.send(step)
    }

    fn source(&mut self, input: &Input<'_>, content: Content<'_>) -> Result<(), Error> {
        self.go_on()?;
        let mut own = Vec::new();
        let bytes = match content.in_memory() {
            Some(bytes) => bytes,
            None => {
                content.take(MAX_CHECKED as u64 + 1).read_to_end(&mut own)?;
                &own
            }
        };
        if bytes.len() > MAX_CHECKED {
            let name = String::from_utf8_lossy(input.name);
            let message = format!("{name}: left out, longer than {} MiB", MAX_CHECKED >> 20);
            return self.send(Step::Message(message));
        }
        self.searched += bytes.len();
        let had_all = self.items.len() <= MOST_ITEMS;
        if had_all {
            self.take(input, bytes);
        }
        if had_all && self.items.len() > MOST_ITEMS {
            let name = String::from_utf8_lossy(input.file);
            let message = format!("{name}: only the first {MOST_ITEMS} results are sent");
            return self.send(Step::Message(message));
        }
        Ok(())
    }

    /// Fails if the reading is stopped.
    fn go_on(&self) -> Result<(), Error> {
        let is_search = matches!(self.files.wanted, Wanted::Symbols(_));
        if self.stop.load(Ordering::Relaxed) || is_search && self.searched > MOST_SEARCHED {
            return Err(stopped());
        }
        Ok(())
    }

    fn send(&self, step: Step) -> Result<(), Error> {
        self.steps.send((self.number, step)).map_err(|_| stopped())
    }

    /// Adds the results of a source.
    fn take(&mut self, input: &Input<'_>, bytes: &[u8]) {
        let Files { client, wanted, .. } = self.files;
        let mut settings = input.settings.clone();
        settings.kind = settings.kind.or(input.kind);
        let rules = Rules::new(settings, true);
        let subject = Subject {
            rules: &rules,
            name: &String::from_utf8_lossy(input.path),
        };
        let analysis = subject.analysis(bytes);
        let is_empty = match wanted {
            Wanted::Diagnostics => analysis.diagnostics.is_empty(),
            // A symbol in an archive cannot be shown in an editor.
            Wanted::Symbols(_) => analysis.urls.is_empty() || !input.is_fixable(),
        };
        if is_empty {
            return;
        }
        let text = Text::of_file(bytes, client.encoding);
        let document = Document::new(&uri_of(&self.path), "", 0, text);
        match wanted {
            Wanted::Diagnostics => {
                for diagnostic in &analysis.diagnostics {
                    let mut diagnostic = diagnostics::of(diagnostic, &document, client);
                    if !input.is_fixable() {
                        diagnostic = within(diagnostic, input);
                    }
                    self.items.push(json!(diagnostic));
                }
            }
            Wanted::Symbols(query) => {
                self.items
                    .extend(symbols::matching(&analysis, &document, query));
            }
        }
    }
}

/// Returns a diagnostic of a source in an archive: the editor can only point at the file.
fn within(diagnostic: lsp::Diagnostic, input: &Input<'_>) -> lsp::Diagnostic {
    let start = diagnostic.range.start;
    let position = format!(
        "{}:{}",
        u64::from(start.line) + 1,
        u64::from(start.character) + 1
    );
    let member = input
        .member
        .map(|member| format!("{}:", terminal::line(member)));
    let place = format!("{}{position}", member.unwrap_or_default());
    let message = match diagnostic.message {
        lsp::Message::String(message) => lsp::Message::String(format!("{place}: {message}")),
        other => other,
    };
    lsp::Diagnostic {
        range: lsp::Range::default(),
        message,
        related_information: None,
        ..diagnostic
    }
}

/// The error that ends a walk.
fn stopped() -> Error {
    Error::Write(io::ErrorKind::Interrupted.into())
}
