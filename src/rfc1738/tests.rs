//! A table of cases: a URL, and the problems it has.

use super::*;

#[test]
fn x() {}
