//! Questions about an archive: where links are, and who posted them when.

use crate::support::command::Folder;

const MAILBOX: &str = "From a Mon Jan  1 00:00:00 2008\nFrom: Ann <ann@a.example>\n\
    Subject: =?utf-8?q?a=09tab?= http://joe:secret@s.example/\nDate: Mon, 31 Dec 2007 23:30:00 -0500\n\
    List-Id: L <l.a.example>\nList-Unsubscribe: <mailto:leave@a.example>\n\n\
    http://x.example/ http://y.example/\n\n\
    From b Mon Jan  1 00:00:00 2008\nFrom: Bob <bob@a.example>\nSubject: two\n\
    Date: Sun, 1 Jul 2001 00:30:00 +0200\nList-Unsubscribe: <mailto:leave@a.example>\n\
    Content-Type: text/html\n\n<a href=http://x.example/>x</a> <img src=http://i.example/>\n\n";

const ARC: &str = "filedesc://a.arc 0.0.0.0 20010101000000 text/plain 0\n\n\
    http://w.example/ 192.0.2.1 20010203040506 text/plain 17\nhttp://x.example/\n";

/// Lists a mailbox, a text and a web archive.
fn list(args: &[&str]) -> Vec<String> {
    let text = "http://x.example/ <http://n.example/>\n";
    let folder = Folder::of(&[("a.mbox", MAILBOX), ("b.txt", text), ("c.arc", ARC)]);
    let ran = folder.run(&[&["extract"], args, &["."]].concat(), b"");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{args:?}");
    ran.text().lines().map(str::to_owned).collect()
}

#[test]
fn urls_are_filtered_by_where_they_stand() {
    let (s, m) = ("http://joe:secret@s.example/", "mailto:leave@a.example");
    let (x, y, i) = (
        "http://x.example/",
        "http://y.example/",
        "http://i.example/",
    );
    let cases: &[(&[&str], &[&str])] = &[
        (&["--where", "body"], &[x, y, x, i]),
        (&["--where", "Header"], &[s, m, m]),
        (&["--where", "subject,list-id"], &[s]),
        (
            &["--where", "list-unsubscribe", "--where", "body", "-u"],
            &[m, x, y, i],
        ),
        (&["--element", "A"], &[x]),
        (&["--element", "a,img", "--where", "body"], &[x, i]),
    ];
    for (args, expected) in cases {
        assert_eq!(list(args), *expected, "{args:?}");
    }
}

#[test]
fn filters_that_no_url_passes_are_named() {
    let folder = Folder::of(&[("a.mbox", MAILBOX)]);
    let cases: [(&[&str], &str); 5] = [
        (
            &["--element", "img", "--where", "header"],
            "--where header --element img",
        ),
        (
            &["--host", "*.a.example", "--scheme", "http"],
            "--scheme http --host a.example",
        ),
        (&["--match", "nothing"], "--match"),
        (&["--only", "placeholder", "--match", "x"], "--match --only"),
        (&["--since", "2009"], "--since"),
    ];
    for (args, flags) in cases {
        let ran = folder.run(&[&["extract"], args, &["."]].concat(), b"");
        let said = format!("urlint: no URL passes `{flags}`\n");
        assert_eq!(
            (ran.code, &*ran.stderr, &*ran.text()),
            (Some(0), &*said, ""),
            "{args:?}"
        );
    }
    let ran = folder.run(&["extract", "--since", "2005", "--until", "2001", "."], b"");
    let said = "urlint: --since is after --until, so no date is between them\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(2), said));
}

#[test]
fn urls_are_grouped_by_who_gave_them_and_when() {
    let cases: &[(&str, &[&str])] = &[
        (
            "date",
            &["4 2008-01-01", "3 2001-06-30", "2 (none)", "2 2001-02-03"],
        ),
        (
            "month",
            &["4 2008-01", "3 2001-06", "2 (none)", "2 2001-02"],
        ),
        ("year", &["4 2008", "5 2001", "2 (none)"]),
        (
            "from",
            &["4 Ann <ann@a.example>", "3 Bob <bob@a.example>", "4 (none)"],
        ),
        ("list-id", &["4 L <l.a.example>", "7 (none)"]),
        ("element", &["9 (none)", "1 a", "1 img"]),
    ];
    for (key, expected) in cases {
        let rows = list(&["--group-by", key]);
        let rows: Vec<_> = rows.iter().map(|row| row.replace('\t', " ")).collect();
        assert_eq!(rows, *expected, "{key}");
    }
}

#[test]
fn counts_have_the_first_and_the_last_date() {
    let (in_2001, in_2008) = ("2001-06-30T22:30:00+00:00", "2008-01-01T04:30:00+00:00");
    let in_archive = "2001-02-03T04:05:06+00:00";
    let row = |count, dates: [&str; 2], key: &str| {
        let [first, last] = dates;
        format!("{count}\t{first}\t{last}\t{key}")
    };
    let expected = [
        row(1, [in_2001, in_2001], "http://i.example/"),
        row(1, [in_2008, in_2008], "http://joe:secret@s.example/"),
        row(1, ["", ""], "http://n.example/"),
        row(1, [in_archive, in_archive], "http://w.example/"),
        row(4, [in_archive, in_2008], "http://x.example/"),
        row(1, [in_2008, in_2008], "http://y.example/"),
        row(2, [in_2001, in_2008], "mailto:leave@a.example"),
    ];
    // With little memory, counts go through temporary files.
    for memory in ["1", "1M"] {
        let rows = list(&["--count", "--dates", "--sort", "key", "--memory", memory]);
        assert_eq!(rows, expected);
    }
}

#[test]
fn urls_are_filtered_by_their_date() {
    let (s, m) = ("http://joe:secret@s.example/", "mailto:leave@a.example");
    let (x, y, i, w) = (
        "http://x.example/",
        "http://y.example/",
        "http://i.example/",
        "http://w.example/",
    );
    let folder = Folder::of(&[
        ("a.mbox", MAILBOX),
        ("b.txt", "http://n.example/"),
        ("c.arc", ARC),
    ]);
    let cases: [(&[&str], &[&str]); 7] = [
        (&["--since=2008"], &[s, m, x, y]),
        (&["--since", "2001-03", "--until=2007"], &[m, x, i]),
        (&["--until=2001-02-03"], &[w, x]),
        (&["--until", "2001-02-03T04:05:06Z"], &[w, x]),
        (&["--until", "2001-02-03T04:05:05Z"], &[]),
        (&["--since=2001-02-04", "--until=2001-06-29"], &[]),
        (
            &["--since", "2001-06-30T22:30:00Z", "--until", "2001"],
            &[m, x, i],
        ),
    ];
    for (args, expected) in cases {
        let ran = folder.run(&[&["extract"], args, &["."]].concat(), b"");
        let text = ran.text();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected, "{args:?}");
        let said = "urlint: URLs without a date, so left out: 1\n";
        assert!(
            ran.code == Some(0) && ran.stderr.starts_with(said),
            "{args:?}"
        );
        assert_eq!(ran.stderr == said, !expected.is_empty(), "{args:?}");
    }
    let ran = folder.run(&["extract", "--since=yesterday"], b"");
    assert!(ran.stderr.contains("expected a date"), "{}", ran.stderr);
}

#[test]
fn a_key_with_a_tab_is_one_column() {
    let args = ["--where=subject", "--redact", "--group-by=subject"];
    let subject = "a\ttab http://joe:***@s.example/";
    assert_eq!(list(&args), [format!("1\t{subject}")]);
    let rows = list(&[&args[..], &["-fcsv", "--dates"]].concat());
    let date = "2008-01-01T04:30:00+00:00";
    let expected = format!("1,{date},{date},{subject}");
    assert_eq!(rows, ["count,first,last,key", &expected]);
}

#[test]
fn invalid_questions_are_refused() {
    let folder = Folder::of(&[("a.txt", "http://a.example/")]);
    for (args, message) in [
        (&["--dates"][..], "--dates requires --count or --group-by"),
        (&["--group-by", "host,year"], "one key at a time"),
        (
            &["--group-by", "year", "--sort", "host"],
            "--sort must name the key that is counted",
        ),
        (&["--where", ""], "expected a name"),
        (&["--where", "boddy"], "did you mean `body`?"),
        (&["-o", "a.xlsx"], "known are .jsonl, .ndjson, .json, .csv"),
        (&["-o", "a.parquet.gz"], "a.parquet.gz: unknown extension"),
        (&["-o", "out.foo"], "out.foo: unknown extension"),
    ] {
        let ran = folder.run(&[&["extract"], args].concat(), b"");
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_page_counts_the_urls_that_are_joined_over_lines() {
    let text = "see <http://www.a.example/a/\nb.html> (http://b.example/abc\ndef.html) http://c.example/ <URL:http://d.example/>";
    let page = Folder::new()
        .run(&["extract", "-f", "html", "-"], text.as_bytes())
        .text();
    let (_, joined) = page.split_once("joined over lines").unwrap();
    assert!(joined.starts_with("</dt><dd>2 "), "{}", &joined[..80]);
}
