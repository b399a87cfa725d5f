//! Whole commands, timed side by side on files made of the corpora.

use std::env::consts::EXE_EXTENSION;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Instant;

/// How often each command of a table is run.
const RUNS: usize = 5;

/// Returns the files of `folders` of the corpora, in order; none if the folders do not exist.
pub(crate) fn texts(folders: &[&str]) -> Vec<Vec<u8>> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(corpora.join(folder)).ok())
        .flat_map(|entries| entries.map(|entry| entry.unwrap().path()))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Returns the messages and mailboxes of the corpora.
pub(crate) fn messages() -> Vec<Vec<u8>> {
    texts(&["mail", "mail/mime", "mail/maildir", "mail/spam"])
}

/// Writes `texts` to `path`, repeatedly up to `size` bytes, each between `before` and `behind`.
pub(crate) fn repeat(path: &Path, texts: &[Vec<u8>], size: usize, [before, behind]: [&[u8]; 2]) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut written = 0;
    for text in texts.iter().cycle() {
        if written >= size {
            break;
        }
        for piece in [before, text, behind] {
            file.write_all(piece).unwrap();
        }
        written += text.len();
    }
    file.flush().unwrap();
}

/// Writes a mailbox of `messages`, repeatedly up to `size` bytes.
pub(crate) fn mailbox(path: &Path, messages: &[Vec<u8>], size: usize) {
    // A text that is already a mailbox keeps its own first line.
    let postmark = b"From joe@a.example Mon Mar  3 12:00:00 2003\n";
    repeat(path, messages, size, [postmark, b"\n\n"]);
}

/// Builds the command and returns its path; or the path in the environment variable `URLINT`.
pub(crate) fn urlint() -> &'static str {
    static URLINT: LazyLock<String> = LazyLock::new(|| {
        if let Ok(path) = std::env::var("URLINT") {
            return path;
        }
        // A benchmark is in `release/deps` or `dist/deps`.
        let bench = std::env::current_exe().unwrap();
        let folder = bench.ancestors().nth(2).unwrap();
        let profile = folder.file_name().unwrap().to_str().unwrap();
        let cargo = [
            "build",
            "--profile",
            profile,
            "--package",
            "urlint",
            "--features",
            "lsp",
        ];
        let build = Command::new(env!("CARGO")).args(cargo).status();
        assert!(build.unwrap().success());
        let urlint = folder.join("urlint").with_extension(EXE_EXTENSION);
        urlint.to_str().unwrap().to_owned()
    });
    &URLINT
}

/// The command that is measured, for listing URLs.
pub(crate) fn extract(arguments: &[&str]) -> Command {
    command(urlint(), &["extract", "--quiet"], arguments)
}

/// The command `program`, with all these arguments.
pub(crate) fn command(program: &str, first: &[&str], then: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(first).args(then).env("LC_ALL", "C");
    command
}

/// Returns the seconds that a command takes; its output goes to a file that is discarded.
pub(crate) fn seconds(command: &mut Command) -> f64 {
    let out = tempfile::tempfile().unwrap();
    let start = Instant::now();
    let status = command.stdout(out).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
    start.elapsed().as_secs_f64()
}

/// A row of a table: the name of a command, and the command.
pub(crate) type Row<'r> = (&'r str, Command);

/// Prints the speed of each command over `size` bytes, in megabytes per second, and its ratio to
/// each other one. They take turns, so that a disturbance affects all of them.
pub(crate) fn table(title: &str, size: u64, mut rows: Vec<Row<'_>>) {
    for (_, command) in &mut rows {
        seconds(command); // into the page cache
    }
    let mut runs = vec![Vec::new(); rows.len()];
    for _ in 0..RUNS {
        for ((_, command), runs) in rows.iter_mut().zip(&mut runs) {
            runs.push(seconds(command));
        }
    }
    let speeds: Vec<f64> = runs
        .iter_mut()
        .map(|runs| size as f64 / 1e6 / median(runs))
        .collect();
    print!("\n{title:32} {:>8}   times", "MB/s");
    for (name, _) in &rows {
        print!(" {name:>12.12}");
    }
    println!();
    for ((name, _), speed) in rows.iter().zip(&speeds) {
        print!("{name:32} {speed:8.0}        ");
        for other in &speeds {
            print!(" {:12.2}", speed / other);
        }
        println!();
    }
}

/// Returns the median of `figures`.
pub(crate) fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
