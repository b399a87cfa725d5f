//! Taking documents apart never panics, and what is found stands in the source: the input's first
//! byte says what kind of document the rest is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlint::{Event, Reader, Settings};
use urlint::document::{Depth, Kind};

fuzz_target!(|input: &[u8]| {
    let Some((&how, source)) = input.split_first() else {
        return;
    };
    let reader = Reader::default()
        .with_kind(Kind::ALL[usize::from(how & 15) % Kind::ALL.len()])
        .with_depth(
            Depth::default()
                .with_deep(how & 16 != 0)
                .with_skip_code(how & 32 != 0),
        )
        .with_positions(how & 64 != 0);
    let settings = Settings::default();
    let mut last = 0;
    let read = reader.read(b"", source, &mut |event| {
        if let Event::Found(found) = event {
            let outer = found.candidate.outer;
            assert!(last <= outer.start && outer.start <= outer.end);
            assert!(outer.end <= source.len() as u64);
            last = outer.start;
            found.lint(&settings, &mut |diagnostic| {
                assert!(diagnostic.spans.end() <= source.len() as u64);
            });
        }
        Ok::<(), std::io::Error>(())
    });
    assert!(read.is_ok());
});
