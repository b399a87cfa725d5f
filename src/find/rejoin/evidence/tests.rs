use std::cell::Cell;
use std::collections::BTreeMap;

use super::{TESTS, VETOES, VETOES_AFTER_SLASH, WORDS};
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
        "words of [it](https://tools.a.example/html/rfc5280#se\n        ction-4.1) or a word\n",
        "https://tools.a.example/html/rfc5280#section-4.1",
    ),
    (
        "https://doc.a.example/book/ch19-03-traits.html#syntax-for-calls-of-methods-with-the-same-name\n241\n242 x\n",
        "https://doc.a.example/book/ch19-03-traits.html#syntax-for-calls-of-methods-with-the-same-name",
    ),
    (
        "   Web Page of It:  http://www.a.example/of-its-own/with/all-there-is/\n   Mailing List of It:  joe@a.example\n\x0C",
        "http://www.a.example/of-its-own/with/all-there-is/",
    ),
    (
        "   Repository-URI:http://www.a.example/prints/\n   Print-Identifier:joe\n\x0C",
        "http://www.a.example/prints/",
    ),
    (
        "see http://www.a.example/from-here-\nThe next line is text",
        "http://www.a.example/from-here-",
    ),
    (
        "   See Also|     |http://www.a.example/show\n           |     |_bug.cgi?id=110572\n   Severity|x|y",
        "http://www.a.example/show_bug.cgi?id=110572",
    ),
    (
        "   See Also|     |http://www.a.example/show\n           |     |more about it",
        "http://www.a.example/show",
    ),
    (
        "   See Also|     |http://www.a.example/show\n   Severity|     |x_2",
        "http://www.a.example/show",
    ),
    (
        "the page https://www.a.example/redirect/to/the-address/?\u{a0}\nurl=https%3A%2F%2Fb.example",
        "https://www.a.example/redirect/to/the-address/?url=https%3A%2F%2Fb.example",
    ),
    (
        "https://www.a.example/a/b/c/download/package-of-things/file-1.2.3.zip!/\n/14345 kB of text",
        "https://www.a.example/a/b/c/download/package-of-things/file-1.2.3.zip!/",
    ),
    (
        "see http://www.a.example/From-Here-\nThere and more",
        "http://www.a.example/From-Here-There",
    ),
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
        "The author of all this can be reached as said at http://www.a.example/x/\njoe@b.example or by post",
        "http://www.a.example/x/",
    ),
    (
        "What I have compiled is what was pulled today of git://git.a.example/xy/\n/home/joe/linux/obj/2 is where",
        "git://git.a.example/xy/",
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
    // A soft line break of quoted-printable text, in column 76, and an `=` elsewhere.
    (
        "The archive of all that was ever said about it is at http://www.a.example/a=\nrchive and see=20\n",
        "http://www.a.example/archive",
    ),
    (
        "The archive of all that was ever said about it is at http://a.example/?k=3D=\n7, and=20\n",
        "http://a.example/?k=7",
    ),
    (
        "The archive of all that was ever said about it is at http://a.example/?key=\n=7&x=8\n",
        "http://a.example/?key==7&x=8",
    ),
    (
        "The archive of all that was ever said about it is at http://a.example/?k=3D=\nrchive and=20\n",
        "http://a.example/?k=rchive",
    ),
    // Vetoes after anything.
    (
        "from the schema $id: http://a.example/schemas/core/of/the/whole/tree.yaml#\n/builds/joe/x.yaml: properties: compatible",
        "http://a.example/schemas/core/of/the/whole/tree.yaml#",
    ),
    (
        "reference not found: http://a.example/docs/that/are/long/ago/moved/ellipses\n/src/x/Main.java:63: warning",
        "http://a.example/docs/that/are/long/ago/moved/ellipses",
    ),
    (
        "11.02.29 #       <Joe> It should all be on the page http://www.a.example/x/\n11.02.55 #       <Ann> thanks",
        "http://www.a.example/x/",
    ),
    (
        "This was said in the group of the users of it: http://www.a.example/news/\n12/05/96 Joe wrote",
        "http://www.a.example/news/",
    ),
    (
        "Reading http://www.a.example/projects/core/\nReading?http://www.a.example/\n",
        "http://www.a.example/projects/core/",
    ),
    (
        "The maintainer of all these pages; see http://www.a.example/doc/man-pages/\nCourses/Training in all of it",
        "http://www.a.example/doc/man-pages/",
    ),
    (
        "   _/ |/   mail: joe@a.example, WWW: http://www.a.example/users/joe/and/ann/\n-o-o-o-o-o-o-o-o-o-o-o-o-\n",
        "http://www.a.example/users/joe/and/ann/",
    ),
    // Full lines.
    (
        "http://www.a.example/archive/of/all/the/lists/and/all/the/messages/of/it-9.h\ntml\n",
        "http://www.a.example/archive/of/all/the/lists/and/all/the/messages/of/it-9.html",
    ),
    (
        "http://www.a.example/exec/obidos/tg/detail/-/1556154844/sr=1-1/ref=sr/1002-4\n664586-4076060\n",
        "http://www.a.example/exec/obidos/tg/detail/-/1556154844/sr=1-1/ref=sr/1002-4664586-4076060",
    ),
    (
        "> http://www.a.example/archive/of/all/lists/specification.html#message-names\n> pace\n",
        "http://www.a.example/archive/of/all/lists/specification.html#message-namespace",
    ),
    (
        "> http://www.a.example/archive/of/all/lists/specification.html#message-names\n> Thanks\n",
        "http://www.a.example/archive/of/all/lists/specification.html#message-names",
    ),
    (
        "A line that is wider than the one with the URL on it, so that nothing was cut off\nhttp://www.a.example/exec/obidos/tg/detail/-/1556154844/sr=1-1/ref=sr/1002-4\n664586-4076060\n",
        "http://www.a.example/exec/obidos/tg/detail/-/1556154844/sr=1-1/ref=sr/1002-4",
    ),
    (
        "A narrow text, which a program has broken at\nthe same column everywhere, and the URLs in\nit were cut there as well, as one can see:\nhttp://www.a.example/exec/obidos/tg/detail/-/1556154844/xyz\nx664586-x\n",
        "http://www.a.example/exec/obidos/tg/detail/-/1556154844/xyz",
    ),
    (
        "http://www.a.example/?u=1%3d2&data=04%7C01%7Cxyz%40a.example%7Ccbc719c5057040f\n05403%7C1&amp;reserved=0.  For more",
        "http://www.a.example/?u=1%3d2&data=04%7C01%7Cxyz%40a.example%7Ccbc719c5057040f05403%7C1&amp;reserved=0",
    ),
    (
        "http://www.a.example/cgi-bin/bookmgr/bookmgr.cmd/BOOKS/IGYLR200/of/them/6.1.8\n..9.1\n",
        "http://www.a.example/cgi-bin/bookmgr/bookmgr.cmd/BOOKS/IGYLR200/of/them/6.1.8.9.1",
    ),
    (
        "cannot load http://192.0.2.1:81/servos\n.rpy?value=100P. No header",
        "http://192.0.2.1:81/servos.rpy?value=100P",
    ),
    (
        "http://www.a.example/lem/docs/FAQ/\ncomputer_music.html\n",
        "http://www.a.example/lem/docs/FAQ/computer_music.html",
    ),
    (
        "<\nhttp://www.a.example/archive/of/all/the/lists/and/all/the/messages/of/them-1\n0.html >.\n",
        "http://www.a.example/archive/of/all/the/lists/and/all/the/messages/of/them-10.html",
    ),
    // More and fewer quote marks.
    (
        "> https://www.a.example/joe/userspace/blob/1482cec74f2d9472f81dd4f1234567890a\n> > 533484bd0c26decd/lib/x.c#L805\n",
        "https://www.a.example/joe/userspace/blob/1482cec74f2d9472f81dd4f1234567890a533484bd0c26decd/lib/x.c#L805",
    ),
    (
        "> > the page of this is at https://old-\n> example.org/of/joe/and/others/or/none_of_them/\n",
        "https://old-example.org/of/joe/and/others/or/none_of_them/",
    ),
    (
        "> > the page of this is at https://www.a.example/joe-\n> thanks\n",
        "https://www.a.example/joe-",
    ),
    // Full lines may be more than a few.
    (
        "http://a.example/?k=00000000000000000000000000000000000000000000000000\n1111111111111111111111111111111111111111111111111111111111111111\n2222222222222222222222222222222222222222222222222222222222222222\n3333333333333333333333333333333333333333333333333333333333333333\n4&x=1\n",
        "http://a.example/?k=000000000000000000000000000000000000000000000000001111111111111111111111111111111111111111111111111111111111111111222222222222222222222222222222222222222222222222222222222222222233333333333333333333333333333333333333333333333333333333333333334&x=1",
    ),
    (
        "see https://patc\nhes.example.org/x for more",
        "https://patches.example.org/x",
    ),
    (
        "What was meant is at https://git.a.example/tree/src/drivers/net/main.c#L123\n?a=1 is set",
        "https://git.a.example/tree/src/drivers/net/main.c#L123",
    ),
    // The address of a message, and the text after it.
    (
        "[1] https://lists.a.example/r/20240102.3-1-joe\n@b.example/\n[2]",
        "https://lists.a.example/r/20240102.3-1-joe@b.example/",
    ),
    (
        "https://lists.a.example/r/20240102.3-1-joe@mail1\n7.b.example/\n",
        "https://lists.a.example/r/20240102.3-1-joe@mail17.b.example/",
    ),
    (
        "at https://lists.a.example/of/all/20240102.3-1-j.\njoe@b.example/\n",
        "https://lists.a.example/of/all/20240102.3-1-j.joe@b.example/",
    ),
    (
        "What it was is said in https://lists.a.example/r/20240102.3-1-x@b.example/\na-controller.yaml describes it\n",
        "https://lists.a.example/r/20240102.3-1-x@b.example/",
    ),
    (
        "What it was is said in https://lists.a.example/r/20240102.3-1-x@b.example/\nT/#u\n",
        "https://lists.a.example/r/20240102.3-1-x@b.example/T/#u",
    ),
    (
        "https://lists.a.example/r/20240102.3-1-x@b.example/\nv3 :\n - one word\n",
        "https://lists.a.example/r/20240102.3-1-x@b.example/",
    ),
    (
        "What it was is said in https://lists.a.example/r/x\n@b.example is who said it\n",
        "https://lists.a.example/r/x",
    ),
    // Revisions.
    (
        "> to be pulled from\n> https://git.a.example/custodians/x.git/\n> x-y-board32-20220520\n",
        "https://git.a.example/custodians/x.git/",
    ),
    // Keys, runs of characters, and URLs that filters of mail wrote.
    (
        "* Info: http://a.example/report.aspx?md\n5=6ee4e08e6ab5\n",
        "http://a.example/report.aspx?md5=6ee4e08e6ab5",
    ),
    (
        "* Info: http://a.example/report.aspx?wsdl\nname=joe\n",
        "http://a.example/report.aspx?wsdl",
    ),
    (
        "https://links.a.example/?url=https%3A%2F%2Fb.example%2F&x=TWF\npbGZsb3d8eyJWIjoiMC4wLjAwMDAiLCJQIjoiV2luMzIiLCJBTiI6Ik1haWwiLCJXVCI\n6Mn0%3D%7C1000&amp\n;reserved=0\nas.said/there\n",
        "https://links.a.example/?url=https%3A%2F%2Fb.example%2F&x=TWFpbGZsb3d8eyJWIjoiMC4wLjAwMDAiLCJQIjoiV2luMzIiLCJBTiI6Ik1haWwiLCJXVCI6Mn0%3D%7C1000&amp;reserved=0",
    ),
    (
        "https://links.a.example/?url=https%3A%2F%2Fgithub.c\nom%2Fof%2Fall%2Fof%2Fthem%2F1\n",
        "https://links.a.example/?url=https%3A%2F%2Fgithub.c",
    ),
    (
        "https://links.a.example/?url=https%3A%2F%2Fof-all-the-world.github.c\nom%2Fof%2Fall%2Fof%2Fthem%2F1\n",
        "https://links.a.example/?url=https%3A%2F%2Fof-all-the-world.github.com%2Fof%2Fall%2Fof%2Fthem%2F1",
    ),
    (
        "https://urldefense.com/v3/__https://a.example/x__;!!ACW! \nMulRvlOtC3JAON$ ---\n",
        "https://urldefense.com/v3/__https://a.example/x__;!!ACW!MulRvlOtC3JAON$",
    ),
    (
        "https://urldefense.com/v3/__https://a.example/x__;!!ACW!MulRvlOtC3JAON$\nMul/x\n",
        "https://urldefense.com/v3/__https://a.example/x__;!!ACW!MulRvlOtC3JAON$",
    ),
    (
        "look here: https://example.com/of/all/the/many/things/__x!\nMul/x\n",
        "https://example.com/of/all/the/many/things/__x",
    ),
    (
        "to be seen on the web at https://a.example/4fZa-vqkT%2BFj1TLE3Q \n4Qrs%40mail.a.example\n",
        "https://a.example/4fZa-vqkT%2BFj1TLE3Q4Qrs%40mail.a.example",
    ),
    (
        "write to all at ftp://ftp.a.example--\none of the keys\n",
        "ftp://ftp.a.example--",
    ),
    (
        "--b99\n\nhttp://a.example/x/\n--b100--\n--b99--\n",
        "http://a.example/x/",
    ),
    (
        "https://links.a.example/?url=https%3A%2F%2Fb.example%2F&data=0&reserved=0\nb.example%2Fx\n",
        "https://links.a.example/?url=https%3A%2F%2Fb.example%2F&data=0&reserved=0",
    ),
    // Text from PDF.
    (
        "\n\u{c}  5 It is at <http://a.example/reports/\n\nof-all-of-us.pdf>\n",
        "http://a.example/reports/of-all-of-us.pdf",
    ),
    (
        "\n\u{c}  5 It is at <http://a.example/reports/\n\nof all of us>\n",
        "http://a.example/reports/",
    ),
    (
        "http://a.example/questions/52100/\nthe-rest-of-the-page\n",
        "http://a.example/questions/52100/the-rest-of-the-page",
    ),
    (
        "http://a.example/questions/52100/\nwell-known\n",
        "http://a.example/questions/52100/",
    ),
    (
        "[5] J. Writer. The algorithms bundle, August 2009. http://www.a.example/pkg/\nalgorithms.\n[6] A",
        "http://www.a.example/pkg/algorithms",
    ),
    (
        "[5] J. Writer. The algorithms bundle, August 2009. http://www.a.example/pkg/\nalgorithms.\n\nA",
        "http://www.a.example/pkg/",
    ),
    (
        "  and 50 pages in all. https://doi.example/10.1145/1219092.1219093\n453\n  [11] Bruce",
        "https://doi.example/10.1145/1219092.1219093",
    ),
    (
        "in http://a.example/x-12345678\n166\n\n\u{C}The next page",
        "http://a.example/x-12345678",
    ),
    (
        "see http://a.example/list/of/all/the/many/things/that/are/there/x-12\n166\n\nThe next",
        "http://a.example/list/of/all/the/many/things/that/are/there/x-12166",
    ),
    (
        "as in https://a.example/abs/\n1509.06344.\n\u{C}[26] The next",
        "https://a.example/abs/1509.06344",
    ),
    (
        "as in https://a.example/abs/\n1509.06344.\n",
        "https://a.example/abs/",
    ),
    (
        "as in https:\n//a.example/~joe/x.html. Some",
        "https://a.example/~joe/x.html",
    ),
    (
        "> (as in https:\n> //a.example/x) and",
        "https://a.example/x",
    ),
    ("a label http:\n//www is no host", ""),
    ("a label file:\n//a.example/ is not broken", ""),
    (
        "as in https://doi.a.example/abs/10.\n5555/1529995 and",
        "https://doi.a.example/abs/10.5555/1529995",
    ),
    (
        "as in https://doi.org/10.5281/zenodo.\n5773480\nThe next",
        "https://doi.org/10.5281/zenodo.5773480",
    ),
    (
        "as in https://doi.org/10.5281/zenodo.\n2024 was a year",
        "https://doi.org/10.5281/zenodo",
    ),
    (
        "as in https://a.example/abs/1808.\n01876\n\u{C}",
        "https://a.example/abs/1808.01876",
    ),
    (
        "as in https://a.example/abs/1808.\n01876\n",
        "https://a.example/abs/1808",
    ),
    (
        "as in https://github.com/joe/\nwhich is his\n\u{C}",
        "https://github.com/joe/",
    ),
    (
        "as in https://github.com/joe/\nxyz. The next\n",
        "https://github.com/joe/",
    ),
    (
        "as in https://a.example/docs/\nof-all-things. The next\n\u{C}",
        "https://a.example/docs/of-all-things",
    ),
    (
        "as  in  this      https://a.example/docs/\n  x-1.html\n\u{C}",
        "https://a.example/docs/x-1.html",
    ),
    (
        "as in https://a.example/?package=\nstatnet.\n",
        "https://a.example/?package=",
    ),
    (
        "The archive of all of it is the file http://a.example/contrib/aip.\ntds.zip. Some more of it",
        "http://a.example/contrib/aip.tds.zip",
    ),
    (
        "The archive of all of it is the file http://a.example/contrib/aip.\npdf (see page 2)",
        "http://a.example/contrib/aip.pdf",
    ),
    (
        "The archive of all of it is the file http://a.example/contrib/aip.\ntar is needed",
        "http://a.example/contrib/aip",
    ),
    (
        "at http://a.example/byproduct.\naffx?cat=arrays. And",
        "http://a.example/byproduct.affx?cat=arrays",
    ),
    (
        "URL https://doi.org/10.18637/jss.\nv063.i15.\n",
        "https://doi.org/10.18637/jss.v063.i15",
    ),
    (
        "can be found at http://qvalue.a.\nedu.\n",
        "http://qvalue.a.edu",
    ),
    (
        "if x; then open https://a.example/xy-\nfi",
        "https://a.example/xy-",
    ),
    (
        "They are at https://www.lists.\nexample.org/archive/1.html for all",
        "https://www.lists.example.org/archive/1.html",
    ),
    (
        "They are at https://www.example.org.\nexample.com/x is another",
        "https://www.example.org",
    ),
    (
        "at https://a.example/items.\nmd#kinds there",
        "https://a.example/items.md#kinds",
    ),
    (
        "at https://a.example/items.\nmd is short for Markdown",
        "https://a.example/items",
    ),
    (
        "URL https://doi.org/10.\n1115/1.4042912.",
        "https://doi.org/10.1115/1.4042912",
    ),
    (
        "# Compare: https://a.example/x\n# ?v=3.4.3",
        "https://a.example/x?v=3.4.3",
    ),
    (
        "at https://a.example/ser‐\nvices there",
        "https://a.example/services",
    ),
    (
        "at <https://savan‐\n nah.example/> or",
        "https://savannah.example/",
    ),
    (
        "-=http://www.a.example/~users/joe=-\n-----BEGIN",
        "http://www.a.example/~users/joe",
    ),
    (
        "at https://git.a.example/?id=0123456789abcdef0123456789\nabcdef01234567 has no effect",
        "https://git.a.example/?id=0123456789abcdef0123456789abcdef01234567",
    ),
    (
        "at https://git.a.example/?id=0123456789abcdef0123456789\nabcdef0123456 has no effect",
        "https://git.a.example/?id=0123456789abcdef0123456789",
    ),
    (
        "at https://git.a.example/?id=0123456789abcdef0123456789\nabcdef01234567th time",
        "https://git.a.example/?id=0123456789abcdef0123456789",
    ),
    (
        "See https://www.a.example/2015/preventing-timing-attacks-on-keys\nwell-known and others",
        "https://www.a.example/2015/preventing-timing-attacks-on-keys",
    ),
    (
        "See https://www.a.example/2015/preventing-timing-attacks-on-keys\nDouble-Keys\n",
        "https://www.a.example/2015/preventing-timing-attacks-on-keys",
    ),
    (
        "See https://www.a.example/2015/preventing-timing-attacks-on-keys\n- well-known\n",
        "https://www.a.example/2015/preventing-timing-attacks-on-keys",
    ),
    (
        "See https://www.a.example/2015/lists/of/preventing/timing/attacks\nwell-known.\n",
        "https://www.a.example/2015/lists/of/preventing/timing/attacks",
    ),
    (
        "See https://www.a.example/2015/preventing-timing-attacks.html\nwell-known-keys.\n",
        "https://www.a.example/2015/preventing-timing-attacks.html",
    ),
    (
        "[3] Joe. The guide. https://mirrors.a.example/macros/latex/contr\nib/guide.pdf (p. 3)\n\u{C}",
        "https://mirrors.a.example/macros/latex/contrib/guide.pdf",
    ),
    (
        "[3] Joe. The guide. https://mirrors.a.example/macros/latex/contr\nib/guide.pdf (p. 3)\n",
        "https://mirrors.a.example/macros/latex/contr",
    ),
    (
        "[3] Joe. The guide. https://mirrors.a.example/macros/latex/a.pdf\nand guide.pdf (p. 3)\n\u{C}",
        "https://mirrors.a.example/macros/latex/a.pdf",
    ),
    (
        "Joe. The guide. https://github.com/\njoe/guide, 2024.",
        "https://github.com/joe/guide",
    ),
    (
        "from https://github.com/\nand/or elsewhere",
        "https://github.com/",
    ),
    (
        "from https://github.com/\nor other hosts",
        "https://github.com/",
    ),
    (
        "at https://a.example/guide.html#\nuse-the-keys. The next\n\u{C}",
        "https://a.example/guide.html#use-the-keys",
    ),
    (
        "at https://a.example/guide.html#\nuse-the-keys. The next\n",
        "https://a.example/guide.html#",
    ),
    (
        "at https://a.example/guide.html#\nThe next\n\u{C}",
        "https://a.example/guide.html#",
    ),
    (
        "at http://www.a.example/papers/\n\n\nDoe    [Page 1]\n\u{C}\nRFC 1    A    May 1996\n\nx2.html",
        "http://www.a.example/papers/",
    ),
    (
        "  --> https://bugs.a.example/attachment.cgi?id=2993&action=edit\nout.c\n",
        "https://bugs.a.example/attachment.cgi?id=2993&action=edit",
    ),
    (
        "  --> https://bugs.a.example/attachment.cgi?id=2993\n&action=edit\n",
        "https://bugs.a.example/attachment.cgi?id=2993&action=edit",
    ),
    (
        "at https://git.a.example/joe/boot.git/\nboot-2021.09-rc1\n",
        "https://git.a.example/joe/boot.git/",
    ),
    (
        "at https://git.a.example/pub/scm/kernel/of/the/people/joe/boot.git/\ncommit/?id=2021\n",
        "https://git.a.example/pub/scm/kernel/of/the/people/joe/boot.git/commit/?id=2021",
    ),
    (
        "at https://git.kernel.example/pub/scm/linux/kernel/git/joe/drivers-x86\nreview-joe\n",
        "https://git.kernel.example/pub/scm/linux/kernel/git/joe/drivers-x86",
    ),
    (
        "at https://git.kernel.example/pub/scm/linux/kernel/git/joe/drive\nrs-x86.git/commit/?id=1\n",
        "https://git.kernel.example/pub/scm/linux/kernel/git/joe/drivers-x86.git/commit/?id=1",
    ),
    (
        "> +# https://docs.a.example/driver-api/thermal/\n> +thermal_events x\n",
        "https://docs.a.example/driver-api/thermal/",
    ),
    (
        "> +# The guide is at https://docs.a.example/driver-api/next/thermal/\n> +# thermal_events.html\n",
        "https://docs.a.example/driver-api/next/thermal/thermal_events.html",
    ),
    (
        "> +https://mails.filter.a.example/links/?url=https%3A%2F%2Fdevice\n> +tree.example%2Fmeta\n",
        "https://mails.filter.a.example/links/?url=https%3A%2F%2Fdevicetree.example%2Fmeta",
    ),
    (
        "+/// [x]: https://docs.a.example/driver/basics.html#c.wmi_device_id\n+#[repr(x)]\n",
        "https://docs.a.example/driver/basics.html#c.wmi_device_id",
    ),
    (
        "+ https://docs.a.example/driver-api/thermal/\n+ thermal.html\n",
        "https://docs.a.example/driver-api/thermal/",
    ),
    (
        "x = 1 # see https://\ngit.a.example/linux\n",
        "https://git.a.example/linux",
    ),
    (
        "\t* demos/hello:\thttps://wiki.a.example/page/exec+magic-and-more-of-it\n\t* library/demos/rmt\n",
        "https://wiki.a.example/page/exec+magic-and-more-of-it",
    ),
    (
        "/*\n * See the tests at https://wiki.a.example/page/exec+magic-and-m\n * ore/of/it.html\n */",
        "https://wiki.a.example/page/exec+magic-and-more/of/it.html",
    ),
    (
        "/* see https://www.a.example/a.html*/\n#define SEC 2\n",
        "https://www.a.example/a.html",
    ),
    (
        "files in https://www.a.example/*/\n",
        "https://www.a.example/*/",
    ),
    (
        "at\nhttps://www.a.example/port/\n\u{C}1686 nlminb\n",
        "https://www.a.example/port/",
    ),
    (
        "f@resource://pdf.js/Convert.jsm:705:5\nConvert.on/proxy.go/\n",
        "resource://pdf.js/Convert.jsm:705:5",
    ),
    (
        "at https://a.example/engine/src/main/java/org/a/Engine.java#L954-L955\nengine/src/Engine.java\n",
        "https://a.example/engine/src/main/java/org/a/Engine.java#L954-L955",
    ),
    (
        "at https://a.example/engine/src/main/java/org/a/Engine.java#L954-L9\n55\n",
        "https://a.example/engine/src/main/java/org/a/Engine.java#L954-L955",
    ),
    (
        "All of the thread is at https://lore.a.example/lkml/20240102-1-joe@a.example/\n#regzbot later\n",
        "https://lore.a.example/lkml/20240102-1-joe@a.example/",
    ),
    (
        "History: https://qa.a.example/next/build/next-20250210/suite/history/\nJuno-r2 lava log:\n",
        "https://qa.a.example/next/build/next-20250210/suite/history/",
    ),
    (
        "History: https://qa.a.example/next/build/next-20250210/suite/history/\njuno-r2.html for the log:\n",
        "https://qa.a.example/next/build/next-20250210/suite/history/juno-r2.html",
    ),
    (
        "at http://www.a.example/-\n     prep/index.html, and\n\u{C}",
        "http://www.a.example/prep/index.html",
    ),
    (
        "at http://www.a.example/x/-\n     /jobs/1, and\n\u{C}",
        "http://www.a.example/x/-/jobs/1",
    ),
    (
        "at https://git.a.example/joe/linux/commit/bb5444811772d30b2e3bbaa44baeb8a4b3f03cec\n#21199\n",
        "https://git.a.example/joe/linux/commit/bb5444811772d30b2e3bbaa44baeb8a4b3f03cec",
    ),
    (
        "> https://nam06.safelinks.protection.outlook.com/?url=https%3A%2F%2Fb.\n> a.example%2Flist%2F\n> x&data=05%7CT\n> WFpbGZsb3d8eyJF\n> aW4zMiIs&sdata=75\n> N%3D&reserved=0\n> more2.html\n",
        "https://nam06.safelinks.protection.outlook.com/?url=https%3A%2F%2Fb.a.example%2Flist%2Fx&data=05%7CTWFpbGZsb3d8eyJFaW4zMiIs&sdata=75N%3D&reserved=0",
    ),
    (
        "> https://nam06.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F\n> Thanks\n",
        "https://nam06.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F",
    ),
    (
        "at https://urldefense.com/v3/__https://lore.a.example/2025.FP2-yxc@a.example/\n__;!!G3vK!U-wdsv$\n",
        "https://urldefense.com/v3/__https://lore.a.example/2025.FP2-yxc@a.example/__;!!G3vK!U-wdsv$",
    ),
    (
        "at http://a.example/db/?\nf=871881 they\n",
        "http://a.example/db/?f=871881",
    ),
    (
        "at http://a.example/db/?\nfoo is what\n",
        "http://a.example/db/",
    ),
    (
        "> https://lore.a.example/devel/20210903023811.3458-1-joe@kernel.\n> org/T/#u\n",
        "https://lore.a.example/devel/20210903023811.3458-1-joe@kernel.org/T/#u",
    ),
    (
        "at https://f.a.example/?u=https%3A%2F%2Fa%2Fjoe%40amd.\ncom%7Cabc7 and\n",
        "https://f.a.example/?u=https%3A%2F%2Fa%2Fjoe%40amd.com%7Cabc7",
    ),
    (
        "It was said by https://a.example/joe%40amd.\ncom/x is not\n",
        "https://a.example/joe%40amd.com/x",
    ),
    (
        "> see\n> https://git.a.example/pub/scm/linux/kernel/git/joe/linux-next.git/tree/s\n> ound/soc/ti/mcasp.c for the reason that there is none.\n> It goes on here.\n",
        "https://git.a.example/pub/scm/linux/kernel/git/joe/linux-next.git/tree/sound/soc/ti/mcasp.c",
    ),
    (
        "> see the tree at\n> https://git.a.example/pub/scm/linux/kernel/git/joe/linux/tree\n> sound/soc/ti/mcasp.c for the reason that there is none, and it goes on.\n> It goes on here.\n",
        "https://git.a.example/pub/scm/linux/kernel/git/joe/linux/tree",
    ),
    (
        "Somehow I missed the latest report of all this here: https://lore.kern\nel.example/patch/674684/.  This patch\n",
        "https://lore.kernel.example/patch/674684/",
    ),
    (
        "Somehow I missed the latest report of all this here: https://a.example\nel.example/patch/674684/.  This patch\n",
        "https://a.example",
    ),
    (
        "at https://github.com/joe/\nguide/issues/3058 but",
        "https://github.com/joe/guide/issues/3058",
    ),
    (
        "at https://github.com/joe/\nguide/lines in all",
        "https://github.com/joe/",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more of the rules that are used at https://a.example/Bugs/\nReporting, and so on.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/Bugs/Reporting",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more of the rules that are at https://a.example/\nsoftware/hurd, and so on.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/software/hurd",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more of the rules that are at https://a.example/\ncopyright and so on.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/copyright",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more of the rules that are at https://a.example/\nfor all of it and so on.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more of the rules that are at https://a.example/\nIf there is one, it is one.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more at https://a.example/\nReporting, and so on.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nYou find more of the rules that are used at https://a.example/Bugs/\nReporting, and so on.\nThe words of this line are as many as those of the others are.\n",
        "https://a.example/Bugs/",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\n• https://a.example/files-of-the-project/\nReporting, and so on.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\n\n\x0C",
        "https://a.example/files-of-the-project/",
    ),
    (
        "The words of this line are as many as those of the others are.\n[25] You find more of the rules at https://git.a.example/joe/muta\ngen\n[26] The words of this line are as many as those of the others are.\n\n\x0C",
        "https://git.a.example/joe/mutagen",
    ),
    (
        "The words of this line are as many as those of the others are.\n[25] You find more of the rules at https://git.a.example/joe/muta\nthis\n[26] The words of this line are as many as those of the others are.\n\n\x0C",
        "https://git.a.example/joe/muta",
    ),
    (
        "see https://a.example/wiki/Hash_\ntable.\n\x0C",
        "https://a.example/wiki/Hash_table",
    ),
    (
        "see https://a.example/wiki/\nCategory:Files in it.\n\x0C",
        "https://a.example/wiki/Category:Files",
    ),
    (
        "see https://a.example/wiki/\nNote: it is.\n\x0C",
        "https://a.example/wiki/",
    ),
    (
        "see https://a.example/std/\nsd-6-test-of-it: it is.\n\x0C",
        "https://a.example/std/sd-6-test-of-it",
    ),
    (
        "FirstURL=https://a.example/the/page/\nSecondURL=https://a.example/the/other/\n",
        "https://a.example/the/page/",
    ),
    (
        "see https://www.a.example/redirect/to/the-address?x=1&\nurl=https://b.example/\n",
        "https://www.a.example/redirect/to/the-address?x=1&url=https://b.example/",
    ),
    (
        "see https://web.archive.org/web/20110523225828/\nhttp://a.example/meth.html\n",
        "https://web.archive.org/web/20110523225828/http://a.example/meth.html",
    ),
    (
        "(https://web.archive.org/web/20110523225828/\nhttp://a.example/meth.html)\n",
        "https://web.archive.org/web/20110523225828/http://a.example/meth.html",
    ),
    (
        "see https://web.a.example/web/23/\nhttp://a.example/meth.html\n",
        "https://web.a.example/web/23/",
    ),
    (
        "The file and all that is said of it are at https://db.a.example/forward.\nhtml for it\n\x0C",
        "https://db.a.example/forward.html",
    ),
    (
        "The file and all that is said of it are at https://a.example/doc/v2.\n22/changes/ It\n\x0C",
        "https://a.example/doc/v2.22/changes/",
    ),
    (
        "The file and all that is said of it are at https://a.example/gf-8.\n2-Mojave.dmg. It\n\x0C",
        "https://a.example/gf-8.2-Mojave.dmg",
    ),
    (
        "The file and all that is said of it are at https://a.example/gf-8.\n2-valued ones. It\n\x0C",
        "https://a.example/gf-8",
    ),
    (
        "at https://doi.org/10.1016/0263-7855(96)\n00018-5\nIt\n",
        "https://doi.org/10.1016/0263-7855(96)00018-5",
    ),
    (
        "at https://lists.a.example/20140211193904.GX24404@\nrz.a.example and it\n",
        "https://lists.a.example/20140211193904.GX24404@rz.a.example",
    ),
    (
        "It stands, as all know,    at    https://pubs.a.example/\nonlinepubs/99/pax.html#tag for it.\n\x0C",
        "https://pubs.a.example/onlinepubs/99/pax.html#tag",
    ),
    (
        "at (http://a.example/-\n~joe/guide.html)\n\x0C",
        "http://a.example/~joe/guide.html",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nhttps://a.example/tree/contracts/of/the/whole/tree/Fut\nuresPool.sol#L6 is one.\n\x0C",
        "https://a.example/tree/contracts/of/the/whole/tree/FuturesPool.sol#L6",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nhttps://a.example/tree/contracts\nuresPool.sol#L6 is one.\n\x0C",
        "https://a.example/tree/contracts",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nhttps://a.example/tree/contracts/Fut/fd9b/the-number-#L1\n29-L133\n\x0C",
        "https://a.example/tree/contracts/Fut/fd9b/the-number-#L129-L133",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nhttps://a.example/tree/contracts/Fut/fd9b/the-page#pol\nicy\n\x0C",
        "https://a.example/tree/contracts/Fut/fd9b/the-page#policy",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nhttps://a.example/tree/contracts/Fut/fd9b/pull/57\nzobront\n\x0C",
        "https://a.example/tree/contracts/Fut/fd9b/pull/57",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\na=control:rtsp://a.example/tree/contracts/Fut/fd9b/one\nm=video/audio 0 x\n\x0C",
        "rtsp://a.example/tree/contracts/Fut/fd9b/one",
    ),
    (
        "see\nhttps://a.example/tree/contracts/\nAcme53, Berlin 7/9\n\x0C",
        "https://a.example/tree/contracts/",
    ),
    (
        "see\nhttps://a.example/tree/contracts/of/the/whole/tree/of-them/x.html#L\n12\n\x0C",
        "https://a.example/tree/contracts/of/the/whole/tree/of-them/x.html#L12",
    ),
    (
        "see\nhttps://a.example/tree/contracts/x\n7/9\n\x0C",
        "https://a.example/tree/contracts/x",
    ),
    (
        "v2-draft 1 of it, p. 2\n\x0Csee https://a.example/tree/con.\nv2-draft 1 of it, p. 3\n\x0Cx",
        "https://a.example/tree/con",
    ),
    (
        "see https://a.example/tree/con.\nv2-draft 1 of it, p. three\n\x0Cx",
        "https://a.example/tree/con",
    ),
    (
        "see https://a.example/tree/NIST.\nSP.800-204.pdf for it\n\x0C",
        "https://a.example/tree/NIST.SP.800-204.pdf",
    ),
    (
        "see https://a.example/tree/NIST.\nThe 800 of them\n\x0C",
        "https://a.example/tree/NIST",
    ),
    (
        "see https://a.example/tree/NIST.\n1.5 Conventions\n\x0C",
        "https://a.example/tree/NIST",
    ),
    (
        "Doe, J. Bundle, 2009. http://www.a.example/pkg/\nalgorithms.\n[6] Next\n\x0C",
        "http://www.a.example/pkg/algorithms",
    ),
    (
        "The words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe words of this line are as many as those of the others are.\nThe next of all these pages are: https://a.example/pages/\nVersion 2 of it.\n\x0C",
        "https://a.example/pages/",
    ),
    (
        "voir http://www.a.example/talks/1994-\n05-12.html : on y trouve",
        "http://www.a.example/talks/1994-05-12.html",
    ),
    (
        "see http://www.a.example/talks/\n2005.html = x",
        "http://www.a.example/talks/",
    ),
    (
        "at\nhttps://a.example/joe/x.git/commit\n/?id=34db0cd60f8a\nand",
        "https://a.example/joe/x.git/commit/?id=34db0cd60f8a",
    ),
    (
        "at\nimap://joe@a.example/outbox\n ;uid=25",
        "imap://joe@a.example/outbox;uid=25",
    ),
    ("From: sip:joe@a.example\n ;tag=25", "sip:joe@a.example"),
    (
        "> https://lore.a.example/r/20190606021145.12604-1-sean\n> @intel.example\n",
        "https://lore.a.example/r/20190606021145.12604-1-sean@intel.example",
    ),
    (
        "# see https://a.example/badge/vertical\n# -allrepos/x.svg?version=3.4\n",
        "https://a.example/badge/vertical-allrepos/x.svg?version=3.4",
    ),
    (
        "cc https://a.example/badge/vertical\n-I/usr/include/x -o=x.o\n",
        "https://a.example/badge/vertical",
    ),
    (
        "The words of this line are as many as those of the others are.\nIt is mended in https://git.a.example/joe/contracts/pull/15\n10xhash\n\x0C",
        "https://git.a.example/joe/contracts/pull/15",
    ),
    (
        "It is mended in https://git.a.example/c/0123456789abcdef0123456789abcdef01234567.\npanprog\n\x0C",
        "https://git.a.example/c/0123456789abcdef0123456789abcdef01234567",
    ),
    (
        "see\nhttps://a.example/tree/contracts/\nAcme53, Berlin 7/9/25\n1/31\n\x0C",
        "https://a.example/tree/contracts/",
    ),
    (
        "https://a.example/x1\n// the next comment/line\n",
        "https://a.example/x1",
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
    let names = TESTS.iter().map(|(name, ..)| *name);
    let others = WORDS.iter().chain(VETOES).chain(VETOES_AFTER_SLASH);
    let names = names.chain(others.map(|(name, _)| *name));
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
