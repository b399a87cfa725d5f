//! What the fixtures cannot show: fixes, notes, severities that depend on settings, passwords, and
//! flags that a candidate is given by hand.
