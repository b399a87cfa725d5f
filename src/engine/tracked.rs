//! Asks Git for files that it tracks although `.gitignore` matches them: the walk skips them, which a user
//! may not expect. If Git is missing, fails, takes long or says too much, nothing is reported.
//!
//! The repository may be a stranger's, and its configuration may name programs. Git starts none of them:
//!
//! - `git ls-files` writes, compares and checks out nothing, so that it starts no hook, filter, driver or
//!   editor, and an alias cannot replace it. It would start `core.fsmonitor` when it reads the index, and
//!   the pager on a terminal: both are off.
//! - In a repository that claims to be a partial clone, Git fetches missing objects, such as the text of a
//!   `.gitignore` that is only in the index. That would start `core.sshCommand`, `remote.*.uploadpack` or
//!   the program of `remote.*.vcs`. So Git must not fetch, and for versions before that setting no protocol
//!   is allowed.
//! - A folder that looks like a bare repository may come with a checkout. It is not taken for one.
//!
//! Git itself refuses the repository of another user, unless `safe.directory` names it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::Inputs;
use super::listing::Listing;
use super::walk::inside;

/// About how many folders Git is asked.
const MOST_FOLDERS: usize = 8;

/// The most bytes of an answer.
const MOST_BYTES: u64 = 16 << 20;

/// How long to wait for answers when a run has ended. Git has usually ended long before.
const PATIENCE: Duration = Duration::from_secs(2);

/// Git, while it is asked about the folders of a run.
#[derive(Debug)]
pub struct Tracked(Vec<(Child, Receiver<Vec<PathBuf>>)>);

impl Tracked {
    /// Begins to ask about the folders of `inputs` that are in repositories.
    pub fn ask(inputs: &Arc<Inputs>) -> Self {
        let has_git = |folder: &Path| folder.join(".git").exists();
        let is_in_repository = |path: &&PathBuf| {
            let real = path.is_dir().then(|| fs::canonicalize(path).ok()).flatten();
            !inputs.no_ignore && real.is_some_and(|real| real.ancestors().any(has_git))
        };
        let folders = inputs.paths.iter().filter(is_in_repository);
        let asked = folders.filter_map(|folder| ask(inputs.clone(), folder.clone()));
        Tracked(asked.take(MOST_FOLDERS).collect())
    }

    /// Returns the texts that Git tracks in the folders, and that a walk would find if it did not use
    /// `.gitignore`, and the other files that say which files Git ignores. Their names are those in the results.
    pub fn skipped(self) -> Vec<PathBuf> {
        let end = Instant::now() + PATIENCE;
        let skipped = self.0.into_iter().map(|(mut git, skipped)| {
            let skipped = skipped.recv_timeout(end.saturating_duration_since(Instant::now()));
            // It may have ended.
            let _ = git.kill().and_then(|()| git.wait());
            skipped.unwrap_or_default()
        });
        skipped.flatten().collect()
    }
}

/// Starts Git, and a thread that takes its answer.
fn ask(inputs: Arc<Inputs>, folder: PathBuf) -> Option<(Child, Receiver<Vec<PathBuf>>)> {
    let mut git = Command::new("git")
        // In a hook of Git, these name the repository of the hook.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "")
        .env("GIT_OPTIONAL_LOCKS", "0")
        // For older versions, `false` is a program.
        .args("--no-pager -c core.fsmonitor= -c safe.bareRepository=explicit -C".split(' '))
        .arg(&folder)
        .args("ls-files -z --cached --ignored --exclude-standard".split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut answer = git.stdout.take()?.take(MOST_BYTES);
    let (sender, receiver) = mpsc::sync_channel(1);
    let take = move || {
        let mut names = Vec::new();
        let is_read = answer.read_to_end(&mut names).is_ok();
        let is_whole = is_read && answer.limit() > 0;
        // Perhaps nobody waits any more.
        is_whole.then(|| sender.send(skipped(&inputs, &folder, &names)))
    };
    thread::Builder::new().spawn(take).ok()?;
    Some((git, receiver))
}

/// Returns those of the `names`, which end with NUL, that [`Tracked::skipped`] returns.
fn skipped(inputs: &Inputs, folder: &Path, names: &[u8]) -> Vec<PathBuf> {
    let mut own = Listing::new(inputs, true);
    let mut without = Listing::new(inputs, false);
    let names = names.split(|&byte| byte == 0).map(str::from_utf8);
    let paths = names.flatten().map(Path::new).filter(|name| {
        // An index may have any names.
        name.components()
            .all(|part| matches!(part, Component::Normal(_)))
            && !own.finds(folder, name, false)
            && without.finds(folder, name, false)
    });
    let paths = paths.map(|name| inside(&folder.join(name)).to_owned());
    paths.filter(|path| is_text(path)).collect()
}

/// Returns whether there is a file at `path` without a NUL at its beginning.
fn is_text(path: &Path) -> bool {
    let mut start = Vec::new();
    // Opening a pipe would wait for somebody to write to it.
    let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten();
    let read = file.and_then(|file| file.take(8 << 10).read_to_end(&mut start).ok());
    read.is_some() && !start.contains(&0)
}
