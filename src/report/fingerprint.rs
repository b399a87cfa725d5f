//! Fingerprints: they identify a diagnostic even after its line has moved.

use std::collections::HashMap;

use urlint_lint::Diagnostic;

/// Makes fingerprints. A fingerprint depends on the file, the rule, the URL and the message, but not
/// on the line. Repeated diagnostics get different ones.
#[derive(Default)]
pub(crate) struct Fingerprints {
    /// How often each diagnostic has occurred.
    seen: HashMap<u64, u64>,
}

impl Fingerprints {
    /// Returns the fingerprint of the next diagnostic of the file `path`: 16 hexadecimal digits.
    pub(crate) fn next(&mut self, path: &[u8], diagnostic: &Diagnostic) -> String {
        let rule = diagnostic.rule.name().as_bytes();
        let url = diagnostic.url.as_deref().unwrap_or_default();
        let message = diagnostic.message.as_bytes();
        let fault = hash([path, rule, url.as_bytes(), message]);
        let times = self.seen.entry(fault).or_default();
        *times += 1;
        format!(
            "{:016x}",
            hash([&fault.to_le_bytes()[..], &times.to_le_bytes()])
        )
    }
}

/// Returns the FNV-1a hash of the parts, with a byte after each to mark its end. It must be the same on
/// every machine and in every release, since it is stored in files.
fn hash<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> u64 {
    let bytes = parts
        .into_iter()
        .flat_map(|part| part.iter().chain(&[0xFF]));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
