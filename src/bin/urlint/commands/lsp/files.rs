//! The files of the workspace, read on a thread of their own as `urlint check` reads them.

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

use super::analysis::Subject;
use super::capabilities::Client;
use super::config::Rules;
use super::document::{Document, MAX_CHECKED};
use super::positions::Text;
use super::uri::uri_of;
use super::{diagnostics, symbols};
use crate::error::Error;
use crate::terminal;
use crate::walk::{Entry, Input, Message, Opener, PathArgs, Shows, Totals, Visitor};

/// The most bytes of files that are searched for symbols.
const MOST_SEARCHED: usize = 64 << 20;

/// The most diagnostics or symbols of one file: what is in an archive may have any number.
const MOST_ITEMS: usize = 10_000;

/// What is wanted of the files.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Diagnostics,
    /// Symbols that match this.
    Symbols(String),
}

/// What comes from the thread.
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
    /// The last step; whether it has come without a panic.
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
        let opener = Opener::new(&inputs, &self.configs, None, Shows::Nothing);
        let mut reading = Reading {
            files: self,
            number,
            steps,
            stop,
            path: PathBuf::new(),
            items: Vec::new(),
            searched: 0,
        };
        // It fails only when it is to stop.
        drop(inputs.walk(&opener, &|| Ok(true), &mut reading));
    }
}

/// Makes steps of what is read.
struct Reading<'r> {
    files: &'r Files,
    number: u64,
    steps: &'r Sender<(u64, Step)>,
    stop: &'r AtomicBool,
    /// The current file, and what it has.
    path: PathBuf,
    items: Vec<Value>,
    /// How many bytes have been searched.
    searched: usize,
}

impl Visitor for Reading<'_> {
    fn begins(&mut self, entry: &Entry<'_>) -> Result<bool, Error> {
        entry.path.clone_into(&mut self.path);
        self.items.clear();
        self.go_on()?;
        Ok(true)
    }

    fn source(&mut self, input: &Input<'_>, reader: &mut dyn Read) -> Result<(), Error> {
        self.go_on()?;
        let mut own = Vec::new();
        let bytes = match input.bytes {
            Some(bytes) => bytes,
            None => {
                reader.take(MAX_CHECKED as u64 + 1).read_to_end(&mut own)?;
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

    fn message(&mut self, message: Message) -> Result<(), Error> {
        self.send(match message {
            Message::Line(line) => Step::Message(line),
            Message::BadConfig(wrong) => Step::BadConfig(wrong),
        })
    }

    fn count(&mut self, _: Totals) -> Result<(), Error> {
        Ok(())
    }

    fn ends(&mut self) -> Result<(), Error> {
        self.items.truncate(MOST_ITEMS);
        let step = Step::File {
            uri: uri_of(&self.path),
            path: std::mem::take(&mut self.path),
            items: std::mem::take(&mut self.items),
        };
        self.send(step)
    }
}

impl Reading<'_> {
    /// Fails if it is to stop.
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

    /// Notes what a source has.
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
            // There is nothing to point at in what an editor does not show.
            Wanted::Symbols(_) => analysis.urls.is_empty() || !input.is_fixable(),
        };
        if is_empty {
            return;
        }
        let text = Text::of_file(bytes, client.encoding);
        let document = Document::new(&uri_of(&self.path), "", 0, text);
        match wanted {
            Wanted::Diagnostics => {
                let all = analysis.diagnostics.iter();
                let all = all.map(|diagnostic| diagnostics::of(diagnostic, &document, client));
                let all = all.map(|diagnostic| {
                    if input.is_fixable() {
                        diagnostic
                    } else {
                        within(diagnostic, input)
                    }
                });
                self.items.extend(all.map(|diagnostic| json!(diagnostic)));
            }
            Wanted::Symbols(query) => {
                self.items
                    .extend(symbols::matching(&analysis, &document, query));
            }
        }
    }
}

/// Returns a diagnostic of a source that is packed: an editor can only point at the file.
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
    let nowhere = lsp::Position {
        line: 0,
        character: 0,
    };
    lsp::Diagnostic {
        range: lsp::Range {
            start: nowhere,
            end: nowhere,
        },
        message,
        related_information: None,
        ..diagnostic
    }
}

/// The error that ends a walk.
fn stopped() -> Error {
    Error::Write(io::ErrorKind::Interrupted.into())
}
