//! Documents that end anywhere: a document that a download or a disk cut short is read to its end.

use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use urlint::document::{Depth, Kind};
use urlint::{Event, Reader};

/// Documents with many elements of their kinds.
const DOCUMENTS: [&str; 12] = [
    "<URL:http://a.exam-\n   ple/>, \"http://b.example/\\nand\" (http://c.example/\n> d) URL: \n",
    "From a@b Sat Jan  1 00:00:00 2000\nSubject: =?utf-8?q?http=3A//a.example/?= \
     =?iso-2022-jp?b?GyRCJUYbKEI=?=\nContent-Type: multipart/mixed; boundary=\"x\"\n\n--x\n\
     Content-Transfer-Encoding: quoted-printable\n\nhttp://b.exam=\nple/=3D\n--x\n\
     Content-Type: text/html; charset=utf-16\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0i\n\
     --x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n> http://c.example/ \n> d\n--x--\n",
    "<!doctype html><title>x</title><a href='http://a.example/&amp;b'>&lt;URL:http://b.example/&gt;\
     </a><!-- c --><script>d</script><img srcset=\"http://e.example/ 1x, f 2x\"><pre>http://g.ex\n\
     </pre><meta http-equiv=refresh content='0;url=http://h.example/'><textarea>&#x3a;",
    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a xmlns='http://d.example/' \
     href=\"http://e.example/\"><![CDATA[http://f.example/]]>&b;&#x3a;<!-- g --><?h i?></a>",
    "[a](<http://a.example/> 't') <http://b.example/>\n\n[c]: http://c.example/\\_ 't'\n\n```x\n\
     http://d.example/\n```\n&amp; \\* `http://e.example` | <a href=\"http://f.example\">\n",
    "`text <http://a.example/>`_ \\ .. x\n\n.. _x: http://b.example/\\_y\n   z\n\n\
     .. image:: http://c.example/\n   :target: http://d.example/\n\n__ http://e.example/\n",
    "link:++http://a.example/++[x] http://b.example[y] <<z>> image::http://c.example/[]\n\
     :url: http://d.example/\\\nlink:http://e.example/[`f`] pass:[http://g.example]\n",
    ".TH x\n.UR \"http://a.example/\\:x\\-y\"\ntext\n.UE .\n\\f[CR]http://b.example/\\fP \\*(lq \
     \\(ti \\[u00E9] \\s-1 \\h'1' \\\\*x \\n[y] \\f(CW\\\n.Lk https://c.example/ \"d\"\n",
    "\\url{http://a.example/\\%7e} \\href{http://b.example/\\~{}}{x} % http://c.example\n\
     \\verb|http://d.example/| url = {http://e.example/\\_f}, \\path{g}\n",
    "{\"a\": \"http:\\/\\/a.example\\/\\u00e9\\ud83d\\ude00\", // http://b.example/\n \"c\": \
     [1.5e3, null, \"d\\\\\"]} /* e */\n{\"f\": \"http://g.example/\"}\n",
    "#! rnews 29\nSubject: http://a.example/\n\nb\n#! rnews 12\nTo: c\n\nd\n",
    "http://a.example/ b\n# c\n<URL:http://d.example/>\nmailto:e@f\n",
];

/// A document takes a hundredth of this, even when the machine is busy.
const TOO_LONG: Duration = Duration::from_secs(20);

fn read(kind: Kind, deep: bool, source: &[u8]) {
    let reader = Reader::default()
        .with_kind(kind)
        .with_depth(Depth::default().with_deep(deep))
        .with_positions(true);
    let mut last = 0;
    let read = reader.read::<io::Error>(b"", source, &mut |event| {
        if let Event::Found(found) = event {
            let outer = found.candidate.outer;
            assert!(last <= outer.start && outer.start <= outer.end);
            assert!(outer.end <= source.len() as u64);
            last = outer.start;
        }
        Ok(())
    });
    read.unwrap();
}

#[test]
fn documents_may_end_anywhere() {
    let (done, waits) = mpsc::channel();
    for document in DOCUMENTS {
        let done = done.clone();
        thread::spawn(move || {
            for &kind in Kind::ALL {
                for end in 0..=document.len() {
                    read(kind, end % 2 == 0, &document.as_bytes()[..end]);
                }
            }
            done.send(document)
        });
    }
    drop(done);
    let mut left = DOCUMENTS.to_vec();
    while !left.is_empty() {
        // One that panics sends nothing; one that is never done sends nothing in time.
        let document = waits.recv_timeout(TOO_LONG);
        assert!(document.is_ok(), "one of {left:#?}");
        left.retain(|&other| Ok(other) != document);
    }
}
