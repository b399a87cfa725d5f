//! The hosts of all sources, with which some rules compare a URL.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Error, Inputs, Reading, Source, Work};
use urlint_lint::{Settings, Tree};

/// The hosts of all sources, which are read for them once a rule asks.
#[derive(Debug, Default)]
pub struct Hosts(OnceLock<Option<Arc<Tree>>>);

impl Hosts {
    /// Returns `settings` with the hosts of all `inputs`, if rules that compare URLs with these are named
    /// and the inputs can be read twice.
    ///
    /// Fails as [`Inputs::gather`] does.
    pub fn add_to(
        &self,
        settings: &Arc<Settings>,
        inputs: &Arc<Inputs>,
    ) -> Result<Arc<Settings>, Error> {
        let selection = &settings.selection;
        if !Tree::RULES.iter().any(|&rule| selection.is_named(rule)) {
            return Ok(settings.clone());
        }
        let tree = match self.0.get() {
            Some(tree) => tree,
            None => {
                let tree = hosts(inputs)?;
                self.0.get_or_init(|| tree)
            }
        };
        Ok(match tree {
            Some(tree) => Arc::new(Settings::clone(settings).with_tree(tree.clone())),
            None => settings.clone(),
        })
    }
}

fn hosts(inputs: &Arc<Inputs>) -> Result<Option<Arc<Tree>>, Error> {
    // A rule may ask when standard input has been read already.
    if inputs.has_stdin() || !inputs.are_readable_twice() {
        return Ok(None);
    }
    let gathering = Arc::new(Gathering {
        trees: Mutex::default(),
    });
    inputs.gather(&gathering)?;
    let mut trees = gathering.lock();
    let all = trees.drain(..).reduce(Tree::united).unwrap_or_default();
    Ok(Some(Arc::new(all.compared())))
}

/// Counts hosts, on several threads.
struct Gathering {
    /// A tree for each thread that does not count at the moment.
    trees: Mutex<Vec<Tree>>,
}

impl Gathering {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Tree>> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work for Gathering {
    type Batch = ();
    type State = ();

    fn begin(&self, _: &Source, _: &[u8]) -> Result<Reading<Self>, Error> {
        Ok(Reading::Lines)
    }

    fn lines(&self, _: &Source, lines: &[u8], _: u64) {
        let tree = self.lock().pop();
        let mut tree = tree.unwrap_or_default();
        tree.add(lines);
        self.lock().push(tree);
    }
}
