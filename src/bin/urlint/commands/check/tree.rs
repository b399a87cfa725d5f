//! The hosts of all sources, with which some rules compare a URL.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use urlint::config::{Configs, FileSettings};
use urlint::lint::Tree;
use urlint::{Rule, Settings};

use crate::error::Error;
use crate::jobs::{Context, Gather, gather, is_readable_twice};
use crate::walk::Input;

/// Returns the hosts of all sources, if a rule of the current folder asks for them and the sources can be
/// read twice.
pub(super) fn tree(context: &Context, configs: &Configs) -> Result<Option<Arc<Tree>>, Error> {
    // The configuration of the current folder has been read.
    let Ok(settings) = configs.current() else {
        return Ok(None);
    };
    let selection = &settings.lint().selection;
    let rules = [Rule::HttpsElsewhere, Rule::RareHost];
    if rules.iter().all(|&rule| selection.least(rule).is_none()) || !is_readable_twice(context) {
        return Ok(None);
    }
    let hosts = Hosts::default();
    gather(context, &hosts)?;
    let tree = hosts.0.into_inner().unwrap_or_default();
    Ok(Some(Arc::new(tree.compared())))
}

/// Returns what is reported in a source, with the hosts of all sources if there are any.
pub(super) fn settings<'s>(own: &'s FileSettings, tree: Option<&Arc<Tree>>) -> Cow<'s, Settings> {
    match tree {
        Some(tree) => Cow::Owned(own.lint().clone().with_tree(tree.clone())),
        None => Cow::Borrowed(own.lint()),
    }
}

#[derive(Default)]
struct Hosts(Mutex<Tree>);

impl Gather for Hosts {
    fn begins(&self, _: &Input<'_>, _: &[u8]) -> bool {
        true
    }

    fn add(&self, _: &Input<'_>, lines: &[u8], line: u64) -> u64 {
        if let Ok(mut tree) = self.0.lock() {
            tree.add(lines);
        }
        line
    }
}
