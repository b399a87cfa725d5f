//! Placeholder until the vectors are written.
