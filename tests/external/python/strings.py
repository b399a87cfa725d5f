"""Writes documents with the URLs of standard input, one a line: tables (`csv`), or strings with HTML (`html`). Each has
its name, its text, and the cells that Python's csv reads, or the URLs that html5lib reads: one a line. A NUL ends each."""

import csv
import io
import itertools
import json
import sys
import xml.etree.ElementTree
from xml.sax.saxutils import escape, quoteattr


def tables(urls):
    dialects = [("csv", ","), ("csv", ";"), ("csv", "\t"), ("tsv", "\t")]
    shapes = ["{url}", "{n}|{url}", "{url}|x, y; z", "{n}|see {url} there|{url}", "{n}|<{url}>|it's \"x\""]
    for (name, delimiter), quoting, shape, has_names in itertools.product(
        dialects, (csv.QUOTE_MINIMAL, csv.QUOTE_ALL), shapes, (True, False)
    ):
        if delimiter != "," and name == "csv" and "|" not in shape:
            continue  # Nothing tells the separator.
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, quoting=quoting)
        if has_names:
            writer.writerow(f"c{number}" for number, _ in enumerate(shape.split("|")))
        for number, url in enumerate(urls):
            writer.writerow(cell.format(n=number, url=url) for cell in shape.split("|"))
        rows = csv.reader(io.StringIO(out.getvalue()), delimiter=delimiter)
        yield "a." + name, out.getvalue(), [cell for row in rows for cell in row if "://" in cell]


def pages(urls):
    """Texts that are HTML, each with all URLs."""
    for link in ("<p>See <a href={0}>x</a>.</p>", "<div><img alt='' src={0}><br></div>", "<ul>\n<li><a\nhref={0}>é</a></ul>"):
        yield "".join(link.format(quoteattr(url)) for url in urls)


def containers(page):
    """Documents that hold the page, each with the page as its own reader has it."""
    for ascii in True, False:
        text = json.dumps({"content_html": page, "n": 1}, ensure_ascii=ascii)
        yield "a.json", text, json.loads(text)["content_html"]
        slashes = text.replace("/", "\\/")
        yield "a.json", slashes, json.loads(slashes)["content_html"]
    out = io.StringIO()
    csv.writer(out).writerows([["id", "body"], [1, page]])
    yield "a.csv", out.getvalue(), list(csv.reader(io.StringIO(out.getvalue())))[1][1]
    for text in (
        f"<posts><row><body>{escape(page)}</body></row></posts>",
        f"<posts><row><body><![CDATA[{page}]]></body></row></posts>",
        f"<posts><row Body={quoteattr(page)}/></posts>",
    ):
        row = xml.etree.ElementTree.fromstring(text)[0]
        yield "a.xml", "<?xml version='1.0'?>\n" + text, row.get("Body") or row[0].text
    value = page.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
    folded = "\r\n ".join(value[at : at + 60] for at in range(0, len(value), 60))
    yield "a.ics", f"BEGIN:VCALENDAR\r\nX-ALT-DESC;FMTTYPE=text/html:{folded}\r\nEND:VCALENDAR\r\n", page


def strings(urls):
    import html5lib

    for page in pages(urls):
        for name, text, inner in containers(page):
            elements = html5lib.parse(inner, namespaceHTMLElements=False).iter()
            values = [element.get(name) for element in elements for name in ("href", "src")]
            yield name, text, [value for value in values if value]


for document in {"csv": tables, "html": strings}[sys.argv[1]](sys.stdin.read().split()):
    name, text, read = document
    for part in name, text, "\n".join(read):
        sys.stdout.buffer.write(part.encode() + b"\0")
