//! Documents of each kind: the URLs found are in the source, in order, however the source arrives and
//! whichever thread reads its parts.

use std::borrow::Cow;
use std::io::Error;

use urlint::document::{Depth, Kind, Link, Notice};
use urlint::read::Segment;
use urlint::text::Position;
use urlint::{Candidate, Event, Reader, Settings};

use super::arrival::Chunked;

/// The first byte chooses the kind of document for the rest and how it is read, the second how it arrives.
pub(super) fn documents(input: &[u8]) {
    let [how, size, source @ ..] = input else {
        return;
    };
    let reader = reader(*how, *size);
    let settings = Settings::default();
    let mut reported = Reported::default();
    let mut last = 0;
    let read = reader.read(b"a", source, &mut |event| {
        if let Event::Found(found) = &event {
            let outer = found.candidate.outer;
            assert!(last <= outer.start && outer.start <= outer.end);
            assert!(outer.end <= source.len() as u64);
            last = outer.start;
            for diagnostic in urlint::lint::Checker::new(&settings)
                .judge(found)
                .into_reported()
            {
                assert!(diagnostic.spans.end() <= source.len() as u64);
            }
        }
        reported.event(&event);
        Ok::<(), Error>(())
    });
    assert!(read.is_ok());
    assert_eq!(
        read_in_chunks(&reader, source, usize::from(*size)),
        reported
    );
    assert_eq!(read_on_other_threads(&reader, source), reported);
}

/// The reader that two bytes describe.
pub(super) fn reader(how: u8, more: u8) -> Reader {
    let depth = Depth::default();
    let depth = depth
        .with_deep(how & 0x20 != 0)
        .with_skip_code(how & 0x40 != 0);
    let reader = Reader::default()
        .with_kind(Kind::ALL[usize::from(how % 32) % Kind::ALL.len()])
        .with_depth(depth)
        .with_positions(how & 0x80 != 0)
        .with_links(more & 0x80 != 0);
    if more & 0x40 == 0 {
        reader
    } else {
        let reader = reader.with_json_fields(["a", "a.a"]);
        reader.with_base(*b"http://a.example/b/c?d")
    }
}

/// The URLs and notices that a reader reported about a source.
#[derive(Debug, Default, PartialEq)]
struct Reported {
    found: Vec<Seen>,
    /// The notices, each with the number of URLs found before it.
    notices: Vec<(usize, Notice)>,
}

#[derive(Debug, PartialEq)]
struct Seen {
    candidate: Candidate<'static>,
    position: Option<Position>,
    member: Option<u64>,
    kind: Kind,
    link: Option<Link>,
    subject: Option<Vec<u8>>,
}

impl Reported {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Found(found) => self.found.push(Seen {
                candidate: found.candidate.clone().into_owned(),
                position: found.position,
                member: found.member,
                kind: found.kind,
                link: found.link().cloned(),
                subject: found
                    .message()
                    .and_then(|message| message.field("subject").map(Cow::into_owned)),
            }),
            Event::Notice(notice) => self.notices.push((self.found.len(), notice.clone())),
            _ => {}
        }
    }
}

fn read_in_chunks(reader: &Reader, source: &[u8], size: usize) -> Reported {
    let mut reported = Reported::default();
    let read = reader.read(b"a", &mut Chunked(source, 1 + size % 64), &mut |event| {
        reported.event(&event);
        Ok::<(), Error>(())
    });
    assert!(read.is_ok());
    reported
}

/// Returns the reports if the documents of the source are passed on, as they are to other threads.
fn read_on_other_threads(reader: &Reader, source: &[u8]) -> Reported {
    let mut reported = Reported::default();
    let read = reader.documents(b"a", source, &mut |segment| {
        match segment {
            Segment::Document(document) => {
                let text = document.text().to_vec();
                reader.document(&document.with_text(&text), &mut |event| {
                    reported.event(&event);
                    Ok::<(), Error>(())
                })?;
            }
            Segment::Event(event) => reported.event(&event),
            _ => {}
        }
        Ok::<(), Error>(())
    });
    assert!(read.is_ok());
    reported
}
