//! The command `urlint`. Each module uses only those that are listed above it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, Parser, Subcommand};

use commands::{check, completions, extract, help, init, man, parse, rule, schema};
use error::{Error, Exit};
use output::closed::is_closed;
use stdout::{Output, Stream};
use urlint_report::terminal::{self, Verbosity, complain, complain_rendered, without_commands};
use urlint_standard::text::named::nearest;

// Why a command fails, and the exit codes.
mod error;

// Standard output, also above a progress bar.
mod stdout;

// The flags about configuration, and how configuration errors and settings are printed.
mod config;

// The progress of a run, on standard error.
mod progress;

// Signals that end a run.
mod interrupt;

// A run of the engine, with its messages and its progress.
mod session;

// Flags that several commands have.
mod flags;

// Files that are written whole, and the summary.
mod output;

// Suppression comments, added to a text.

// `check`, `extract`, `parse` and the other commands.
mod commands;

/// The reader of the format, for tests.
#[cfg(feature = "tables")]
#[doc(hidden)]
pub use parquet;

/// How rows of lists are written, for the fuzzer.
#[doc(hidden)]
pub mod rows {
    pub use crate::commands::extract::Format;
    pub use crate::commands::extract::cells::{Column, Layout};
}

/// Finds URLs in free text, rejoins broken ones, and lints them by RFC 1738, RFC 3986 or the URL
/// Standard
#[derive(Debug, Parser)]
#[command(
    name = "urlint",
    version,
    propagate_version = true,
    disable_help_flag = true,
    disable_help_subcommand = true,
    disable_version_flag = true,
    before_help = include_str!("examples/urlint.txt"),
    next_help_heading = "General"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    color: colorchoice_clap::Color,

    /// Print no summary, only results and errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// List skipped files and folders, and warnings about documents
    ///
    /// Each skipped file, folder and part of a file is listed with the reason. Without this flag, skipped
    /// files and warnings are only counted.
    #[arg(long, short, global = true)]
    verbose: bool,

    /// Print help; `--help` prints more than `-h`
    #[arg(long, short, global = true, action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the version
    #[arg(long, short = 'V', global = true, action = ArgAction::Version)]
    version: Option<bool>,
}

impl Cli {
    /// Chooses the input if no path is given.
    fn choose_inputs(&mut self) {
        match &mut self.command {
            Command::Check(check) => check.choose_inputs(),
            Command::Extract(extract) => extract.choose_inputs(),
            _ => {}
        }
    }

    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lint the URLs in files
    ///
    /// Exits with 0 if there are no diagnostics, or only hints; with 1 if there are errors or
    /// warnings; with 2 if the command line or the configuration is wrong or a file could not be
    /// read.
    #[command(
        before_help = include_str!("examples/check.txt"),
        after_long_help = flags::rules::all_rules()
    )]
    Check(check::Check),
    /// List the URLs in files
    #[command(before_help = include_str!("examples/extract.txt"))]
    Extract(extract::Extract),
    /// Judge URLs by a standard, or by all, and show their components
    #[command(before_help = include_str!("examples/parse.txt"))]
    Parse(parse::Parse),
    /// List and explain rules
    #[command(before_help = include_str!("examples/rule.txt"))]
    Rule(rule::RuleCommand),
    /// Write a commented urlint.toml for this folder
    ///
    /// It sets the profile `ietf` if there are Internet-Drafts, and nothing else; no file is replaced.
    Init(init::Init),
    /// Serve an editor by the Language Server Protocol, on standard input and output
    ///
    /// Exits with 0 if the editor says `shutdown` before `exit`, otherwise with 1.
    Lsp(commands::lsp::Lsp),
    /// Print a page of the manual, or the help of a command
    Help(help::Help),
    /// Print the JSON Schema of urlint.toml, for editors
    Schema(schema::Schema),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Print a manual page, in roff
    Man(man::Man),
}

/// Runs the command with the arguments of the process, on its standard streams. Returns its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(mut cli) => {
            cli.choose_inputs();
            cli
        }
        Err(mut error) => {
            if let Some((name, command)) = meant_for_command(&error) {
                complain(&format!(
                    "`{name}` is not a command; did you mean: urlint {command} {name}"
                ));
                return Exit::Failed.into();
            }
            propose(&mut error);
            if std::env::args_os().any(|arg| is_harmful(&arg)) {
                complain_rendered(&escape_controls(&error.render().to_string()));
            } else {
                // There is nowhere left to report a failure.
                let _ = error.print();
            }
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    // An empty `TMPDIR` would be the current folder.
    if std::env::temp_dir().as_os_str().is_empty() {
        let _ = tempfile::env::override_temp_dir(Path::new("/tmp"));
    }
    cli.color.write_global();
    let mut output = Output::new(cli.color.as_choice(), cli.verbosity());
    if is_closed() {
        // Writing to a file that is open for reading fails as writing to a closed one does.
        let unwritable = File::open("/dev/null").map(|file| Stream::new(Box::new(file)));
        output.stream = unwritable.unwrap_or(output.stream);
    }
    let ran = match &cli.command {
        Command::Check(check) => check.run(&mut output),
        Command::Extract(extract) => extract.run(&mut output),
        Command::Parse(parse) => parse.run(&mut output),
        Command::Rule(rule) => rule.run(&mut output),
        Command::Init(init) => init.run(output.verbosity),
        Command::Lsp(lsp) => lsp.run(&mut output),
        Command::Help(help) => help.run(&Cli::command(), &mut output),
        Command::Schema(schema) => schema.run(&mut output),
        Command::Completions(completions) => completions.run(Cli::command(), &mut output),
        Command::Man(man) => man.run(Cli::command(), &mut output),
    };
    let ran = ran.and_then(|exit| output.finish().map(|()| exit).map_err(Error::Write));
    match ran {
        Ok(exit) => exit.into(),
        // The reader of the results has read enough.
        Err(Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done.into(),
        Err(Error::Configuration(rendered)) => {
            complain_rendered(&rendered);
            Exit::Failed.into()
        }
        Err(error) => {
            complain(&error.to_string());
            Exit::Failed.into()
        }
    }
}

/// Returns the path or the URL that was given in place of a command, if `error` is about one, and the command
/// for it.
fn meant_for_command(error: &clap::Error) -> Option<(&str, &str)> {
    let name = match error.get(ContextKind::InvalidSubcommand)? {
        ContextValue::String(name) => name,
        _ => return None,
    };
    match name {
        _ if name == "-" || Path::new(name).exists() => Some((name, "check")),
        _ => name.contains("://").then_some((name, "parse")),
    }
}

/// Names that other programs use for a command, and the name of that command.
const COMMANDS_OF_OTHERS: [(&str, &str); 5] = [
    ("explain", "rule"),
    ("find", "extract"),
    ("fix", "check --fix"),
    ("lint", "check"),
    ("list", "extract"),
];

/// Makes `error` propose the intended command or flag, if it is known. Clap proposes names with similar
/// letters.
fn propose(error: &mut clap::Error) {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) {
        let mut all = COMMANDS_OF_OTHERS.iter();
        let of_others = all.find(|(other, _)| other == name);
        let command = Cli::command();
        let known = command.get_subcommands().map(clap::Command::get_name);
        let meant = of_others.map(|(_, meant)| *meant);
        if let Some(meant) = meant.or_else(|| nearest(name, known)) {
            let meant = ContextValue::Strings(vec![meant.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
    } else if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && let Some(meant) = format_flag(flag, &std::env::args_os().collect::<Vec<_>>())
    {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(meant));
        // They show the proposal of clap.
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::Usage);
    } else if let Some(tip) = tip(error) {
        use ContextKind::{Suggested, SuggestedArg, SuggestedValue, Usage};
        let _ = [SuggestedArg, SuggestedValue, Usage].map(|kind| error.remove(kind));
        error.insert(Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Returns the alternative to a flag or a format of other programs.
fn tip(error: &clap::Error) -> Option<&'static str> {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => ContextKind::InvalidValue,
    };
    let Some(ContextValue::String(word)) = error.get(kind) else {
        return None;
    };
    if word.contains(',') {
        return Some(
            "counts have one key at a time: a program counts several in `--fields host,date -f csv`",
        );
    }
    let mut tips = include_str!("tips.txt").lines();
    tips.find_map(|line| {
        let (words, tip) = line.split_once(": ")?;
        words.split(' ').any(|one| one == word).then_some(tip)
    })
}

/// Returns the right way to choose the format that `flag` in `args` means, such as `--json`; `None` if
/// the command has no such format, or if the arguments have another mistake.
fn format_flag(flag: &str, args: &[OsString]) -> Option<String> {
    let name = flag.strip_prefix("--")?;
    let is_json = matches!(name, "json" | "jsonl");
    let names = [Some(name), is_json.then_some("json-lines")];
    names.into_iter().flatten().find_map(|format| {
        let meant = OsString::from(format!("--output-format={format}"));
        let meant = args
            .iter()
            .map(|arg| if arg == flag { &meant } else { arg });
        Cli::try_parse_from(meant).ok()?;
        Some(format!("--output-format {format}"))
    })
}

/// Returns whether an argument, such as a file name that a shell or a hook passes, has characters that
/// must not be shown.
fn is_harmful(arg: &OsStr) -> bool {
    let bytes = arg.as_encoded_bytes();
    without_commands(&terminal::line(bytes)).as_bytes() != bytes
}

/// Returns `message` with its control characters escaped, except for line breaks.
fn escape_controls(message: &str) -> String {
    let lines = message.lines();
    let lines = lines.map(|text| terminal::line(text.as_bytes()) + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn help_begins_with_examples() {
        let cli = super::Cli::command();
        for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
            let Some(help) = command.get_before_help() else {
                continue;
            };
            let help = help.to_string();
            let lines = help.lines().skip(1);
            assert_eq!(lines.clone().count(), 3, "{help}");
            for line in lines {
                assert!(line.chars().count() <= 80, "{line}");
                let words = line.trim_start().split("   ").next().unwrap_or_default();
                // Each command of a pipe is parsed by itself.
                for words in words.split(" | ") {
                    let parsed = super::Cli::try_parse_from(words.split_ascii_whitespace());
                    assert!(parsed.is_ok(), "{words}");
                }
            }
        }
    }

    #[test]
    fn flags_that_are_formats() {
        let cases = [
            ("check --json", Some("json")),
            ("check --quiet a.md --sarif", Some("sarif")),
            ("extract --json .", Some("json-lines")),
            ("extract --jsonl", Some("json-lines")),
            ("extract --csv --count", Some("csv")),
            ("parse --json x:y", Some("json-lines")),
            ("rule --json --all", Some("json-lines")),
            ("extract --json --cuont", None),
            ("extract --sarif", None),
            ("init --json", None),
        ];
        for (line, expected) in cases {
            let args = ["urlint"].into_iter().chain(line.split(' '));
            let args: Vec<_> = args.map(Into::into).collect();
            let flags = ["--json", "--jsonl", "--sarif", "--csv"];
            let mut flags = flags
                .iter()
                .filter(|flag| args.iter().any(|arg| arg == *flag));
            let meant = flags
                .next()
                .and_then(|flag| super::format_flag(flag, &args));
            let expected = expected.map(|format| format!("--output-format {format}"));
            assert_eq!(meant, expected, "{line}");
        }
    }
}
