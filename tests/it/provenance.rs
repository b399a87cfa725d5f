//! The fields that tell where URLs come from.

use crate::support::command::Folder;
use crate::support::packing::{record, response};

/// The rows of `extract` with these fields for a file of that name, cells separated by `|`.
fn rows(name: &str, source: impl AsRef<[u8]>, fields: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.write(name, source);
    let threads = ["1", "2", "8"].map(|threads| {
        let args = ["extract", "--threads", threads, "--fields", fields, name];
        let ran = folder.run(&args, b"");
        assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
        ran.text()
    });
    assert_eq!(threads[0], threads[1]);
    assert_eq!(threads[0], threads[2]);
    threads[0]
        .lines()
        .map(|row| row.replace('\t', "|"))
        .collect()
}

const LINK: &str = "url,element,attribute,anchor,title,rel";

#[test]
fn links_of_html() {
    let page = "<p>see <a href='http://a.example/' title=\"a &amp; b\" REL=nofollow>the\n <b>one</b></a>\
        <a href=http://b.example/>two<a href=http://c.example/>three</a> and http://d.example/\
        <img alt='a  picture' src=http://e.example/e.png><pre><a href=http://f.example/>in pre</a></pre>\
        <form action='http://g.example/'></form><a\nhref\n=\n'http://h.example/'></a>\
        <a href=http://i.example/>never closed";
    let expected = [
        "http://a.example/|a|href|the one|a & b|nofollow",
        "http://b.example/|a|href|two||",
        "http://c.example/|a|href|three||",
        "http://d.example/|||||",
        "http://e.example/e.png|img|src|a picture||",
        "http://f.example/|a|href|in pre||",
        "http://g.example/|form|action|||",
        "http://h.example/|a|href|||",
        "http://i.example/|a|href|never closed||",
    ];
    assert_eq!(rows("a.html", page, LINK), expected);
}

#[test]
fn links_of_xml() {
    let feed = "<feed xmlns:x='y'><link rel='self' title='T' href='http://a.example/'/>\
        <x:loc>http://b.example/</x:loc><t>at <eref target='http://c.example/'>a\n<em>page</em></eref>\
        </t><description>&lt;a href='http://d.example/'>in&lt;/a></description></feed>";
    let expected = [
        "http://a.example/|link|href||T|self",
        "http://b.example/|loc||||",
        "http://c.example/|eref|target|a page||",
        "http://d.example/|a|href|in||",
    ];
    assert_eq!(rows("a.xml", feed, LINK), expected);
}

#[test]
fn links_of_lightweight_markup() {
    let markdown = "See [the *first* `one`](http://a.example/ \"a title\"), ![a\npicture](http://b.example/)\n\
        and [![icon](http://c.example/)](http://d.example/), <http://e.example/>.\n\n\
        <a href='http://f.example/'>in HTML</a>\n\n[ref]: http://g.example/ 'its title'\n";
    let expected = [
        "http://a.example/|a|href|the first one|a title|",
        "http://b.example/|img|src|a picture||",
        "http://c.example/|img|src|icon||",
        "http://d.example/|a|href|icon||",
        "http://e.example/|||||",
        "http://f.example/|a|href|||",
        "http://g.example/|a|href|ref|its title|",
    ];
    assert_eq!(rows("a.md", markdown, LINK), expected);
    let rst = "See `the\none <http://a.example/>`_.\n\n.. _a label: http://b.example/\n\
        .. image:: http://c.example/\n\n__ http://d.example/\n";
    let expected = [
        "http://a.example/|a|href|the one||",
        "http://b.example/|a|href|a label||",
        "http://c.example/|img|src|||",
        "http://d.example/|a|href|||",
    ];
    assert_eq!(rows("a.rst", rst, LINK), expected);
}

#[test]
fn messages() {
    let mailbox = "From a Mon Jan  1 00:00:00 2001\nMessage-ID: <1@a.example>\nFrom: =?utf-8?q?Jos=C3=A9?=\n \
        <jose@a.example>\nTo: all\nDate: Mon, 1 Jan 2001 00:00:00 PST\nSubject: a\n\tb\n\
        List-Id: L <l.a.example>\nList-Archive: <http://a.example/>\n\nhttp://b.example/\n\n\
        From b Mon Jan  1 00:00:00 2001\nDate: never\nContent-Type: multipart/mixed; boundary=x\n\n\
        --x\nContent-Type: text/html\n\n<a href='http://c.example/'>words</a>\n--x\n\n\
        http://d.example/\n--x--\n";
    let fields = "member,url,message-id,date,date-local,from,to,subject,list-id,part,where,anchor";
    let first = "<1@a.example>|2001-01-01T08:00:00+00:00|2001-01-01T00:00:00-08:00|José <jose@a.example>|\
        all|a b|L <l.a.example>";
    let expected = [
        format!("1|http://a.example/|{first}||list-archive|"),
        format!("1|http://b.example/|{first}|1|body|"),
        "2|http://c.example/||||||||1|body|words".to_owned(),
        "2|http://d.example/||||||||2|body|".to_owned(),
    ];
    assert_eq!(rows("a.mbox", mailbox, fields), expected);
}

#[test]
fn records_of_web_archives() {
    let archive = [
        response("Content-Type: text/plain\r\n", b"http://b.example/"),
        record("conversion", "text/plain", b"http://c.example/"),
    ];
    let expected = [
        "http://a.example/response|http://a.example/response|response|200",
        "http://b.example/|http://a.example/response|response|200",
        "http://a.example/conversion|http://a.example/conversion|conversion|",
        "http://c.example/|http://a.example/conversion|conversion|",
    ];
    let fields = "url,warc-target,warc-type,status";
    assert_eq!(rows("a.warc", archive.concat(), fields), expected);
    let arc = "filedesc://a.arc 0.0.0.0 20010101000000 text/plain 0\n\n\
        http://a.example/ 192.0.2.1 20010203040506 text/plain 17\nhttp://b.example/\n";
    let dated = "http://a.example/|2001-02-03T04:05:06+00:00|";
    let expected = ["http://a.example/", "http://b.example/"].map(|url| format!("{url}|{dated}"));
    assert_eq!(
        rows("a.arc", arc, "url,warc-target,warc-date,warc-type"),
        expected
    );
}

#[test]
fn words_around() {
    let fields = "url,kind,context,verdicts";
    let text = "alpha beta <URL:http://a.example/~x>, gamma\n\x07delta";
    let expected = "http://a.example/~x|plain|alpha beta <URL:http://a.example/~x>, gamma delta";
    let found = rows("a.txt", text, fields);
    assert_eq!(found, [format!("{expected}|rfc3986 rfc3987 whatwg")]);
    let page = "<p>see <a href=http://a.example/>this\n\n page</a> of ours</p>";
    let found = rows("a.html", page, "kind,context");
    assert_eq!(found, ["html|see this page of ours"]);
    let markdown = "before [it](http://a.example/), after";
    let found = rows("a.md", markdown, "context");
    assert_eq!(found, ["before it, after"]);
}

#[test]
fn passwords_are_hidden_everywhere() {
    let folder = Folder::new();
    let page = "<p>at ftp://u:Qsecret@a.example/ or <a href='ftp://u:Qsecret@b.example/' \
        title='ftp://u:Qsecret@c.example/'>ftp://u:Qsecret@d.example/</a>";
    let message = format!("Subject: ftp://u:Qsecret@e.example/\nContent-Type: text/html\n\n{page}");
    folder.write("a.html", page);
    folder.write("a.eml", message);
    folder.write("a.txt", "ftp://u:Qsec\nQret@f.example/ http://g.example/");
    for format in ["text", "json-lines", "csv"] {
        let args = [
            "extract",
            "--redact",
            "--fields",
            "all",
            "--output-format",
            format,
        ];
        let ran = folder.run(&[&args[..], &["a.html", "a.eml", "a.txt"]].concat(), b"");
        assert!(ran.code == Some(0) && ran.text().contains("g.example"));
        assert!(!ran.text().contains('Q'), "{}", ran.text());
    }
}
