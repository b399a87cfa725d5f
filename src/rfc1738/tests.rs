//! A table of cases: a URL, and the problems it has.

#[test]
fn x() {}
