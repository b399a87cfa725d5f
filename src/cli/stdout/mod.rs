//! Standard output, locked once and buffered.

mod above_bar;

use std::io::{self, BufWriter, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};

use urlint_report::terminal::{Style, Verbosity};

use above_bar::{AboveBar, SharedBar};

/// The buffered stream of an [`Output`].
pub(crate) type Stream = BufWriter<Box<dyn Write>>;

/// Where results go: usually standard output.
pub(crate) struct Output {
    /// Where they are written.
    pub(crate) stream: Stream,
    /// Whether it is a terminal.
    pub(crate) terminal: bool,
    /// Whether they are in colour.
    pub(crate) color: bool,
    choice: ColorChoice,
    /// How much is printed to standard error.
    pub(crate) verbosity: Verbosity,
    /// The bar that shows the progress on the terminal to which the results go.
    pub(crate) bar: SharedBar,
}

impl Output {
    /// Locks standard output. `choice` says whether to use colour.
    pub(crate) fn new(choice: ColorChoice, verbosity: Verbosity) -> Self {
        Output::over(io::stdout().lock(), choice, verbosity)
    }

    /// Returns an output for standard error with the same choices. It holds no lock: a thread that fails says so there.
    pub(crate) fn errors(&self) -> Self {
        Output::over(io::stderr(), self.choice, self.verbosity)
    }

    fn over(
        stream: impl RawStream + AsLockedWrite + 'static,
        choice: ColorChoice,
        verbosity: Verbosity,
    ) -> Self {
        let (resolved, terminal) = (resolve(choice, &stream), stream.is_terminal());
        let color = resolved != ColorChoice::Never;
        let stream: Box<dyn Write> = if color {
            Box::new(AutoStream::new(stream, resolved))
        } else {
            Box::new(stream)
        };
        let bar = SharedBar::default();
        let stream: Box<dyn Write> = Box::new(AboveBar {
            stream,
            bar: bar.clone(),
        });
        Output {
            stream: BufWriter::with_capacity(64 * 1024, stream),
            bar,
            terminal,
            color,
            choice,
            verbosity,
        }
    }

    /// Returns the capabilities of the terminal.
    pub(crate) fn style(&self) -> Style {
        let size = terminal_size::terminal_size().filter(|_| self.terminal);
        Style {
            color: self.color,
            width: size.map(|(width, _)| usize::from(width.0)),
            hyperlinks: self.color && self.terminal && supports_hyperlinks::supports_hyperlinks(),
        }
    }

    /// Writes the rest of the buffer.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Decides whether to use colour on `stream`.
fn resolve(choice: ColorChoice, stream: &impl RawStream) -> ColorChoice {
    match choice {
        ColorChoice::Auto if is_forced() => ColorChoice::Always,
        ColorChoice::Auto => AutoStream::choice(stream),
        choice => choice,
    }
}

/// Returns whether `FORCE_COLOR` asks for colour and `NO_COLOR` does not forbid it.
fn is_forced() -> bool {
    let is_set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    is_set("NO_COLOR").is_none() && is_set("FORCE_COLOR").is_some_and(|value| value != "0")
}
