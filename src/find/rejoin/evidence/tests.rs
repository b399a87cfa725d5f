use std::cell::Cell;
use std::collections::BTreeMap;

use super::{TESTS, VETOES};
use crate::Finder;

thread_local! {
    /// The name of the evidence or veto that is left out.
    static LEFT_OUT: Cell<&'static str> = const { Cell::new("") };
}

pub(super) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.get() == name
}

/// Texts as people write them, each with its first URL.
const TEXTS: &[(&str, &str)] = &[
    (
        "see http://www.a.example/reports-\n2004/index.html for more",
        "http://www.a.example/reports-2004/index.html",
    ),
    (
        "see http://www.a-\nb.example/ for more",
        "http://www.a-b.example/",
    ),
    (
        "Tutorial, http://stan\u{AD}\n  dards.a.example/x.html.",
        "http://standards.a.example/x.html",
    ),
    (
        "registry at http://\n   www.a.example/assignments/x.",
        "http://www.a.example/assignments/x",
    ),
    (
        "http://www.a.example/search?q=100%2\n5&lang=en",
        "http://www.a.example/search?q=100%25&lang=en",
    ),
    (
        "Location: https://client.a.example/cb?code=SplxlO\n          &state=xyz",
        "https://client.a.example/cb?code=SplxlO&state=xyz",
    ),
    (
        "ldap://a.example/uid=7,o=x\n   ??one?(objectClass=y)",
        "ldap://a.example/uid=7,o=x??one?(objectClass=y)",
    ),
    (
        "ftp://ftp.a.example/pub/papers\n/transport.ps.gz",
        "ftp://ftp.a.example/pub/papers/transport.ps.gz",
    ),
    (
        "http://www.a.example/archive/dl?thread\n=The+Bill&after=1795",
        "http://www.a.example/archive/dl?thread=The+Bill&after=1795",
    ),
    (
        "it is at http://www.a.example/lists/1995/199508081922.MAA20209\n.html",
        "http://www.a.example/lists/1995/199508081922.MAA20209.html",
    ),
    (
        ">> http://news.a.example/headlines/ts/story.html?s=v/nm/19981107/ts/guns\n_3.html\n",
        "http://news.a.example/headlines/ts/story.html?s=v/nm/19981107/ts/guns_3.html",
    ),
    (
        "from git://git.a.example/pub/scm/linux/kernel/git/viro/vfs\n/home/joe/linux/obj-compiletest",
        "git://git.a.example/pub/scm/linux/kernel/git/viro/vfs",
    ),
    (
        "    http://www.a.example/dir\n/other/x",
        "http://www.a.example/dir",
    ),
    (
        "http://www.a.example/international/privacy/europe/directives/internationa\nl_laws/directive_1995.txt",
        "http://www.a.example/international/privacy/europe/directives/international_laws/directive_1995.txt",
    ),
    (
        "http://git.a.example/?p=linux.git;a=commitdiff;h=df9ee29270c11dba7d0fe0b\n83ce47a4d8e8d2101",
        "http://git.a.example/?p=linux.git;a=commitdiff;h=df9ee29270c11dba7d0fe0b83ce47a4d8e8d2101",
    ),
    (
        "> http://www.a.example/articles/2004/politics/parliament/elections-result.ht\n> ml\n",
        "http://www.a.example/articles/2004/politics/parliament/elections-result.html",
    ),
    (
        "> http://www.a.example/articles/2004/politics/parliament/elections-result\ns/2.html\n",
        "http://www.a.example/articles/2004/politics/parliament/elections-results/2.html",
    ),
    (
        "   http://www.a.example/articles/2004/politics/parliament/elections.html\nnext/page/3\n",
        "http://www.a.example/articles/2004/politics/parliament/elections.html",
    ),
    (
        "HTTP_REFERER=http://www.a.example/cgi-bin/premail?question1=Yes&question2=Yes\nQUERY_STRING=question1=Yes\n",
        "http://www.a.example/cgi-bin/premail?question1=Yes&question2=Yes",
    ),
    (
        "Write-up:\n   http://www.a.example/documents/response/\n   shepherdwriteup/\n",
        "http://www.a.example/documents/response/shepherdwriteup/",
    ),
    (
        "   Syntax: https://a.example/.well-known/looking-glass/v1/show/route/bgp/\n   summary\n\n   Next",
        "https://a.example/.well-known/looking-glass/v1/show/route/bgp/summary",
    ),
    (
        "   Syntax: https://a.example/.well-known/looking-glass/v1/show/route/bgp/\n   summary of\n",
        "https://a.example/.well-known/looking-glass/v1/show/route/bgp/",
    ),
    (
        "MIB Location: http://www.a.example/3/1/public/mib_modules/2013/20130411/\n802dot3dot1C11mib.txt",
        "http://www.a.example/3/1/public/mib_modules/2013/20130411/802dot3dot1C11mib.txt",
    ),
    (
        "http://www.a.example/scripts-df/filter_results.asp?product=12&strOSs=\n39&strTypes=DRV%2CUTL",
        "http://www.a.example/scripts-df/filter_results.asp?product=12&strOSs=39&strTypes=DRV%2CUTL",
    ),
    (
        "   granting the read privilege to the principal http://www.a.example/u/\n   256432.  That is, a client has no way.",
        "http://www.a.example/u/256432",
    ),
    (
        "      http://www.a.example/0100400/categories/ppsInstructionalTechnology/\n    Education/Tech2 and more of it",
        "http://www.a.example/0100400/categories/ppsInstructionalTechnology/",
    ),
    (
        "Michael B. Writer   (MB683)  | Writer, Analyst     http://www.a.example/x/\n     555.Main\nNext",
        "http://www.a.example/x/",
    ),
    (
        "A list of what is in the folder of reports, see http://www.a.example/x/\nREADME.1st    what to read first",
        "http://www.a.example/x/",
    ),
    (
        "One of your free web sites can be registered at http://www.a.example/xy/\n.I am enjoying it",
        "http://www.a.example/xy/",
    ),
    (
        "The author of all this can be reached as said at http://www.a.example/x/\njoe@b.example or by post",
        "http://www.a.example/x/",
    ),
    (
        "The author of all this can be reached as said at http://www.a.example/x/\n555-0123-456 by day or by night",
        "http://www.a.example/x/",
    ),
    (
        "Published in the series of reports of the group, http://www.a.example/x/\nJ.R. Writer, editor",
        "http://www.a.example/x/",
    ),
    (
        "The pages have moved to a place that is better, http://www.a.example/xy/\nwww.b.example keeps a copy",
        "http://www.a.example/xy/",
    ),
    (
        "What I have compiled is what was pulled today of git://git.a.example/xy/\n/home/joe/linux/obj/2 is where",
        "git://git.a.example/xy/",
    ),
    (
        "Prices are to fall, as one could read yesterday: http://www.a.example/x/\n12.5% in a year",
        "http://www.a.example/x/",
    ),
    (
        "See the page of the blue ribbon of the campaign: http://www.a.example/x/\ndec96 issue of it",
        "http://www.a.example/x/",
    ),
    (
        "HAVE YOU EXPORTED IT TODAY, AS ALL THE OTHERS? -> http://www.a.example/x/\n--rsa--------------------8<----",
        "http://www.a.example/x/",
    ),
    (
        "Text of the reports, all in the same place:\nhttp://www.a.example/reports/1996/documents/archive/1996-12-\nX-HTML-Source: x",
        "http://www.a.example/reports/1996/documents/archive/1996-12-",
    ),
    (
        "xyz http://www.a.example/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/\n12. The next item",
        "http://www.a.example/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/",
    ),
    (
        "-=http://www.a.example/~users/joe=-\n-----BEGIN",
        "http://www.a.example/~users/joe",
    ),
];

fn first(text: &str) -> String {
    let found = Finder::default().find(text.as_bytes()).next();
    found.map_or_else(String::new, |found| {
        String::from_utf8_lossy(&found.text).into_owned()
    })
}

#[test]
fn urls_go_on_or_end() {
    let mut wrong = Vec::new();
    for (text, url) in TEXTS {
        let found = first(text);
        if found != *url {
            wrong.push(format!("{text:?}\n  is     {found}\n  wanted {url}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Counts the URLs that are read wrongly without each piece of evidence, and without each veto. The
/// table in the documentation of the module repeats the numbers.
#[test]
fn nothing_can_be_left_out() {
    let names = TESTS.iter().map(|(evidence, _)| evidence.name());
    let names = names.chain(VETOES.iter().map(|(name, _)| *name));
    let mut wrong = BTreeMap::new();
    for name in names {
        LEFT_OUT.set(name);
        let is_wrong = |(text, url): &&(&str, &str)| first(text) != *url;
        wrong.insert(name, TEXTS.iter().filter(is_wrong).count());
    }
    LEFT_OUT.set("");
    let documentation = include_str!("../evidence.rs");
    let rows = wrong
        .iter()
        .map(|(name, count)| format!("//! | {name} | {count} |"));
    let missing: Vec<_> = rows.filter(|row| !documentation.contains(row)).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(wrong.values().all(|&count| count > 0));
}
