//! A document is read by itself: its rows depend on no other file, and come while it is read.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::support::command::{Folder, Ran, piped, urlint};

/// Texts in which URLs are broken, and the same URLs whole in others.
const FILES: [(&str, &str); 5] = [
    (
        "a.txt",
        "see http://a.example/linux/\nguides for all\n\nand http://trans-\nlation.example/x there\n",
    ),
    (
        "b.txt",
        "I read http://a.example/linux/guides and <https://translation.example/>\n",
    ),
    (
        "c.eml",
        "From: joe@a.example\nSubject: x\n\nat http://a.example/linux/\nguides it says\n",
    ),
    (
        "d.mbox",
        "From a@b.example Mon Mar  3 12:00:00 2003\nFrom: a@b.example\nSubject: Re: x\n\nhttp://a.example/linux/guides is\n\n\
         From c@b.example Mon Mar  3 12:00:00 2003\nFrom: c@b.example\nSubject: x\n\nhttp://a.example/linux/\nguides it is\n",
    ),
    (
        "e.html",
        "<p>see <a href='http://a.example/linux/guides'>http://a.example/linux/<br>guides</a></p>\n",
    ),
];

#[test]
fn the_rows_of_a_folder_are_those_of_its_files() {
    let folder = Folder::of(&FILES);
    let rows = |args: &[&str]| {
        let fields = "path,member,url,evidence,alternatives,line,column";
        let extract = ["extract", "-f", "json-lines", "--fields", fields];
        let ran = folder.run(&[&extract[..], args].concat(), b"");
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        ran.text()
    };
    let each: String = FILES.iter().map(|(name, _)| rows(&[name])).collect();
    assert!(each.contains("guides\"") && each.contains("linux/\""));
    for threads in ["1", "2", "4"] {
        assert_eq!(rows(&["-j", threads, "."]).replace("\"./", "\""), each);
    }
}

/// Starts a list of a mailbox and standard input, and returns its first row while standard input is open.
fn first_row(mailbox: &[u8], threads: &str) -> (String, Ran) {
    let folder = Folder::of(&[("a.mbox", mailbox)]);
    let mut command = urlint(&["extract", "-j", threads, "a.mbox", "-"]);
    let mut child = piped(command.current_dir(folder.path()).stdin(Stdio::piped()));
    let input = child.stdin.take();
    let mut rows = BufReader::new(child.stdout.take().unwrap());
    let (sender, first) = mpsc::channel();
    let reading = thread::spawn(move || {
        let mut row = String::new();
        rows.read_line(&mut row).unwrap();
        sender.send(row).unwrap();
        // The rest is not read, as `head` leaves it.
    });
    let row = first.recv_timeout(Duration::from_secs(60));
    let mut input = input.unwrap();
    let more = b"and http://b.example/\n".repeat(10_000);
    // A command that has ended reads no more.
    let _ = input.write_all(&more);
    drop(input);
    reading.join().unwrap();
    (
        row.expect("a row comes while input is awaited"),
        child.wait_with_output().unwrap().into(),
    )
}

#[test]
fn rows_come_while_reading_and_no_more_than_are_wanted() {
    let message = "From a@b.example Mon Mar  3 12:00:00 2003\nSubject: x\n\nat http://a.example/linux/\nguides it says\n\n";
    let mailbox = message.repeat(30_000);
    for threads in ["1", "2"] {
        let (row, ran) = first_row(mailbox.as_bytes(), threads);
        assert_eq!(row, "http://a.example/linux/\n");
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{threads}");
    }
}
