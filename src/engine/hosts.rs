//! The hosts of all sources, with which some rules compare a URL.

use std::sync::{Arc, Mutex, OnceLock};

use super::{Error, Inputs, Reading, Source, Work, lock};
use urlint_lint::{Checker, Settings, Tree};

/// The hosts of all sources, which are read for them once a rule asks.
#[derive(Debug, Default)]
pub struct Hosts(OnceLock<Option<Arc<Tree>>>);

impl Hosts {
    /// Returns the checker of `source`. It knows the hosts of all `inputs`, if rules that compare URLs with
    /// these are named and the inputs can be read twice.
    ///
    /// Fails as [`Inputs::gather`] does.
    pub fn checker(
        &self,
        source: &Source,
        inputs: &Arc<Inputs>,
    ) -> Result<Checker<Arc<Settings>>, Error> {
        let mut settings = source.settings.shared_lint().clone();
        let mut rules = Tree::RULES.iter();
        if rules.any(|&rule| settings.selection.is_named(rule)) {
            let tree = match self.0.get() {
                Some(tree) => tree,
                None => {
                    let tree = hosts(inputs)?;
                    self.0.get_or_init(|| tree)
                }
            };
            if let Some(tree) = tree {
                settings = Arc::new(Settings::clone(&settings).with_tree(tree.clone()));
            }
        }
        Ok(Checker::new(settings).with_min_severity(source.settings.resolved.min_severity))
    }
}

fn hosts(inputs: &Arc<Inputs>) -> Result<Option<Arc<Tree>>, Error> {
    // A rule may ask when standard input has been read already.
    if inputs.has_stdin() || !inputs.are_readable_twice() {
        return Ok(None);
    }
    let gathering = Arc::new(Gathering::default());
    inputs.gather(&gathering)?;
    let trees = std::mem::take(&mut *lock(&gathering.0));
    let all = trees.into_iter().reduce(Tree::united).unwrap_or_default();
    Ok(Some(Arc::new(all.compared())))
}

/// Counts hosts, on several threads: a tree for each thread that does not count at the moment.
#[derive(Default)]
struct Gathering(Mutex<Vec<Tree>>);

impl Work for Gathering {
    type Batch = ();
    type State = ();

    fn begin(&self, _: &Source, _: &[u8]) -> Result<Reading<Self>, Error> {
        Ok(Reading::Lines)
    }

    fn lines(&self, _: &Source, lines: &[u8], _: u64) {
        let tree = lock(&self.0).pop();
        let mut tree = tree.unwrap_or_default();
        tree.add(lines);
        lock(&self.0).push(tree);
    }
}
