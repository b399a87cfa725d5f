//! Other programs take lists as `src/manual/integration.md` hands them over.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use crate::needs::python;
use crate::support::command::{Folder, URLINT};

/// Starts a server that has all pages except `/gone`, and returns its URL. It ends with the tests.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<_> = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .collect();
            let status = if head.concat().contains(" /gone ") {
                "404 Gone"
            } else {
                "200 OK"
            };
            let page = "<a href=next>more</a>";
            let body = if head.concat().starts_with("HEAD") {
                ""
            } else {
                page
            };
            let length = page.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
            // Who has heard enough may hang up.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    site
}

/// Returns the block of the page in which a line begins with `start`.
fn block(start: &str) -> &'static str {
    let page = include_str!("../../src/manual/integration.md");
    let blocks = page.split("```").skip(1).step_by(2);
    let mut blocks = blocks
        .filter_map(|block| block.split_once('\n'))
        .map(|(_, block)| block);
    let is_it = |block: &&str| {
        block
            .lines()
            .any(|line| line.trim_start().starts_with(start))
    };
    blocks
        .find(is_it)
        .unwrap_or_else(|| panic!("no block for {start}"))
}

/// Runs a block in the shell.
fn run(folder: &Folder, start: &str) -> Output {
    let own = Path::new(URLINT).parent().unwrap().to_path_buf();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)));
    let mut shell = Command::new("sh");
    let shell = shell.args(["-ec", block(start)]).env("PATH", path.unwrap());
    let shell = shell.env("no_proxy", "127.0.0.1");
    shell.current_dir(folder.path()).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the URL of a site, and a folder with texts about it and the list that the page begins with.
fn listed() -> (String, Folder) {
    let site = serve();
    let text =
        format!("<{site}/there';id;'?a&b*>, <{site}/gone>, <{site}/{{id}}>, <file:///etc/hosts>");
    let folder = Folder::of(&[("docs/a.txt", text)]);
    assert!(
        run(&folder, "urlint extract --unique --scheme")
            .status
            .success()
    );
    (site, folder)
}

pub(crate) fn curl() {
    let (site, folder) = listed();
    let printed = text(&run(&folder, "curl"));
    let mut lines: Vec<_> = printed.lines().collect();
    lines.sort_unstable();
    let there = format!("200 {site}/there';id;'?a&b*");
    assert_eq!(lines, [there, format!("404 {site}/gone")]);
}

pub(crate) fn git() {
    let folder = Folder::of(&[("docs/a.txt", "http://a.example/")]);
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@a.example"];
        let mut git = Command::new("git");
        let git = git.current_dir(folder.path()).args(identity).args(args);
        assert!(git.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init"]);
    run(&folder, "git");
    git(&["add", "."]);
    git(&["commit", "-m", "The list"]);
    assert_eq!(text(&run(&folder, "git")), "");
    folder.write("docs/a.txt", "http://b.example/");
    let changed = run(&folder, "git");
    assert_eq!(changed.status.code(), Some(1));
    let changed = text(&changed);
    assert!(
        changed.ends_with("\n-http://a.example/\n+http://b.example/\n"),
        "{changed}"
    );
}

pub(crate) fn lychee() {
    let (site, folder) = listed();
    let output = run(&folder, "lychee");
    assert_eq!(output.status.code(), Some(2));
    let printed = text(&output);
    let failed: Vec<_> = printed
        .lines()
        .filter(|line| line.contains(&site))
        .collect();
    assert_eq!(failed.len(), 1, "{printed}");
    assert!(
        failed[0].starts_with(&format!("[404] {site}/gone ")),
        "{printed}"
    );
    assert!(printed.contains("2 Total"), "{printed}");
}

pub(crate) fn spreadsheet() {
    let markdown = "[=1+2](http://a.example/ü) and [01.02](http://a.example/,)";
    let folder = Folder::of(&[("docs/a.md", markdown)]);
    assert!(run(&folder, "soffice").status.success());
    let list = folder.read("links.csv");
    assert!(list.contains(",=1+2\n") && list.contains("ü"), "{list}");
    let mut back = Command::new("soffice");
    back.args([
        "--headless",
        "--convert-to",
        "csv:Text - txt - csv (StarCalc):44,34,76",
        "links.xlsx",
    ]);
    assert!(
        back.current_dir(folder.path())
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(folder.read("links.csv"), list);
}

pub(crate) fn tables() {
    let folder = Folder::of(&[(
        "docs/a.txt",
        "<http://a.example/b^c>, <http://b.example/>, <http://c.example/{id}>",
    )]);
    let counts = text(&run(&folder, "duckdb"));
    assert!(
        counts.contains("│ a.example │     1 │") && !counts.contains("b.example"),
        "{counts}"
    );
    let mut pandas = python();
    let pandas = pandas
        .args(["-c", block("import pandas")])
        .current_dir(folder.path());
    let counts = text(&pandas.output().unwrap());
    assert!(
        counts.contains("\na.example    1\n") && !counts.contains("c.example"),
        "{counts}"
    );
}

pub(crate) fn wget() {
    let (site, folder) = listed();
    // Of the server: an error.
    assert_eq!(run(&folder, "wget").status.code(), Some(8));
    let links = folder.run(&["extract", "kept.warc.gz"], b"").text();
    assert!(links.contains(&format!("{site}/next\n")), "{links}");
}
