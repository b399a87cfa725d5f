//! Standard output: locked once, written through one buffer.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};

/// Standard output, buffered.
pub(crate) type Stream = BufWriter<Box<dyn Write>>;

/// Where results go.
pub(crate) struct Output {
    pub(crate) stream: Stream,
    pub(crate) terminal: bool,
    pub(crate) color: bool,
    asked: ColorChoice,
}

impl Output {
    pub(crate) fn new(asked: ColorChoice) -> Self {
        let stdout = io::stdout();
        let choice = choice(asked, &stdout);
        let terminal = stdout.is_terminal();
        Output::over(stdout.lock(), asked, choice, terminal)
    }

    /// The same over standard error.
    pub(crate) fn errors(&self) -> Self {
        let stderr = io::stderr();
        let choice = choice(self.asked, &stderr);
        let terminal = stderr.is_terminal();
        Output::over(stderr.lock(), self.asked, choice, terminal)
    }

    fn over(
        stream: impl RawStream + AsLockedWrite + 'static,
        asked: ColorChoice,
        choice: ColorChoice,
        terminal: bool,
    ) -> Self {
        let color = choice != ColorChoice::Never;
        let stream: Box<dyn Write> = match color {
            true => Box::new(AutoStream::new(stream, choice)),
            false => Box::new(stream),
        };
        Output {
            stream: BufWriter::with_capacity(64 * 1024, stream),
            terminal,
            color,
            asked,
        }
    }

    /// The terminal's width, where there is one.
    pub(crate) fn width(&self) -> Option<usize> {
        let (width, _) = terminal_size::terminal_size().filter(|_| self.terminal)?;
        Some(usize::from(width.0))
    }

    /// Whether what reads the output makes links of what is marked as such.
    pub(crate) fn hyperlinks(&self) -> bool {
        self.color && self.terminal && supports_hyperlinks::supports_hyperlinks()
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn choice(asked: ColorChoice, stream: &impl RawStream) -> ColorChoice {
    match asked {
        ColorChoice::Auto if is_forced() => ColorChoice::Always,
        ColorChoice::Auto => AutoStream::choice(stream),
        asked => asked,
    }
}

/// Whether `FORCE_COLOR` asks for colour and `NO_COLOR` does not forbid it.
fn is_forced() -> bool {
    let is_set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    is_set("NO_COLOR").is_none() && is_set("FORCE_COLOR").is_some_and(|value| value != "0")
}
