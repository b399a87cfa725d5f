//! The facts about all sources that decide what is reported about one: the hosts in them, and the diagnostics
//! that are known.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use super::{Error, Inputs, Next, Out, Reading, Run, Source, TICK, Text, Work, lock};
use urlint_lint::{Checker, Known, Settings, Tree};

/// Facts about all sources.
#[derive(Debug, Default)]
pub struct Facts {
    /// The known diagnostics, by the name of their source as it is seen from `folder`.
    pub known: HashMap<String, Arc<Known>>,
    /// The folder of the baseline.
    pub folder: PathBuf,
    /// The hosts, once a rule asks for them; `None` if the inputs cannot be read twice.
    hosts: Mutex<Option<Option<Arc<Tree>>>>,
}

impl Inputs {
    /// Returns the checker of `source`. It knows the hosts of all inputs, if rules that compare URLs with these
    /// are named and the inputs can be read twice.
    ///
    /// Fails if no thread can be started, or if a thread panics.
    pub fn checker(self: &Arc<Self>, source: &Source) -> Result<Checker<Arc<Settings>>, Error> {
        let mut settings = source.settings.shared_lint().clone();
        if Tree::is_needed(&settings.selection)
            && let Some(tree) = self.hosts()?
        {
            settings = Arc::new(Settings::clone(&settings).with_tree(tree));
        }
        let checker = Checker::new(settings);
        Ok(checker
            .with_min_severity(source.settings.resolved.min_severity)
            .with_known(self.known(source)))
    }

    /// Returns the hosts of all inputs, unless they cannot be read twice.
    ///
    /// Fails if no thread can be started, or if a thread panics.
    pub fn hosts(self: &Arc<Self>) -> Result<Option<Arc<Tree>>, Error> {
        // Others wait, rather than gather them too.
        let mut hosts = lock(&self.facts.hosts);
        if hosts.is_none() {
            *hosts = Some(self.gather_hosts()?);
        }
        Ok(hosts.clone().flatten())
    }

    /// Returns the known diagnostics of `source`, if there are any. Which of several equal ones is known depends
    /// on their order.
    pub fn known(&self, source: &Source) -> Option<Arc<Known>> {
        let Facts { known, folder, .. } = &self.facts;
        if known.is_empty() {
            return None;
        }
        let name = source.name().seen_from(folder, &self.current);
        known.get(&name).cloned()
    }

    fn gather_hosts(self: &Arc<Self>) -> Result<Option<Arc<Tree>>, Error> {
        // A rule may ask when standard input has been read already.
        if self.has_stdin() || !self.are_readable_twice() {
            return Ok(None);
        }
        // The run that reports says which sources cannot be read.
        let gathering = Arc::new(Gathering::default());
        let mut run = Run::start(self.clone(), gathering.clone())?;
        while !matches!(run.next(TICK)?, Next::Done) {}
        self.bytes_read.store(0, Ordering::Relaxed);
        let trees = std::mem::take(&mut *lock(&gathering.0));
        let all = trees.into_iter().reduce(Tree::united).unwrap_or_default();
        Ok(Some(Arc::new(all.compared())))
    }
}

/// Counts hosts, on several threads: a tree for each thread that does not count at the moment.
#[derive(Default)]
struct Gathering(Mutex<Vec<Tree>>);

impl Work for Gathering {
    type Batch = ();
    type State = ();

    fn begin(&self, _: &Source, _: &[u8]) -> Result<Reading<Self>, Error> {
        Ok(Reading::Lines(()))
    }

    fn read(&self, text: Text<'_, Self>, _: &Out<'_, ()>) -> Result<(), Error> {
        let tree = lock(&self.0).pop();
        let mut tree = tree.unwrap_or_default();
        tree.add(text.lines().0);
        lock(&self.0).push(tree);
        Ok(())
    }
}
