#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| urlint_fuzz::run("pdf", input));
