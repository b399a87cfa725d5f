//! The judges: one folder for each standard.

pub mod rfc1738;
