"""Compares where URLs come from, as urlint tells it, with what other libraries say of the same files.

Reads rows of `urlint extract --output-format json-lines` and prints a line for each field that differs:
the name of the file, the member, the field. The argument says what is compared: `mail`, `html`, `warc` or
`resolve`. With `pages` it reads nothing, and prints a web archive of made-up pages for `resolve`.
"""

import datetime
import email
import email.header
import email.utils
import json
import mailbox
import io
import os
import random
import re
import sys
import urllib.parse


def differs(row, field, ours, theirs):
    if ours != theirs:
        name = os.path.basename(row["path"])
        sys.stdout.write(f"{name} {row['member']} {field} {ours!r} {theirs!r}\n")


def folded(text):
    return None if text is None else " ".join(text.split())


def decoded(value):
    """The value of a header field, as `email` decodes it."""
    parts = email.header.decode_header(str(value))
    text = "".join(
        part.decode(charset or "latin-1", "replace") if isinstance(part, bytes) else part
        for part, charset in parts
    )
    return folded(text)


def seconds(date):
    return None if date is None else datetime.datetime.fromisoformat(date).timestamp()


def mail(rows):
    boxes, seen = {}, set()
    for row in rows:
        path, member = row["path"], row["member"]
        if row["kind"] not in ("mail", "mbox") or (path, member) in seen:
            continue
        seen.add((path, member))
        if member is None:
            with open(path, "rb") as file:
                message = email.message_from_binary_file(file)
        else:
            box = boxes.setdefault(path, mailbox.mbox(path, create=False))
            message = box[int(member) - 1]
        for field in ("message-id", "from", "to", "subject", "list-id"):
            value = message.get(field)
            differs(row, field, folded(row[field]), None if value is None else decoded(value))
        date = email.utils.parsedate_tz(message.get("date") or "")
        theirs = email.utils.mktime_tz(date) if date else None
        differs(row, "date", seconds(row["date"]), theirs)
    print(len(seen), "messages", file=sys.stderr)


def text_of(element):
    """The text in an element, without that of scripts and styles."""
    if not isinstance(element.tag, str):
        return ""
    text = "" if element.tag in ("script", "style") else element.text or ""
    return text + "".join(text_of(child) + (child.tail or "") for child in element)


def html(rows):
    import html5lib

    pages = {}
    for row in rows:
        path = row["path"]
        if row["delimiter"] != "target" or row["kind"] != "html":
            continue
        if path not in pages:
            links = pages[path] = {}
            with open(path, "rb") as file:
                page = html5lib.parse(file.read(), namespaceHTMLElements=False)
            for element in page.iter():
                if not isinstance(element.tag, str):
                    continue
                anchor = None
                if element.tag == "a":
                    anchor = folded(text_of(element))
                elif element.tag in ("img", "area"):
                    anchor = folded(element.attrib.get("alt"))
                title, rel = (folded(element.attrib.get(name)) for name in ("title", "rel"))
                for attribute, value in element.attrib.items():
                    link = (element.tag, attribute, anchor, title, rel)
                    links.setdefault(value.strip(), []).append(link)
        ours = tuple(row[name] for name in ("element", "attribute", "anchor", "title", "rel"))
        theirs = pages[path].get(row["url"], [])
        if ours not in theirs:
            differs(row, row["url"], ours, theirs[:1])
    print(len(pages), "pages", file=sys.stderr)


def warc(rows):
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    archives = {}
    for row in rows:
        path = row["path"]
        if path not in archives:
            records = archives[path] = []
            try:
                with open(path, "rb") as file:
                    for record in ArchiveIterator(file):
                        header, http = record.rec_headers, record.http_headers
                        is_response = record.rec_type == "response"
                        records.append((
                            header.get_header("WARC-Target-URI") or header.get_header("uri"),
                            header.get_header("WARC-Date") or header.get_header("archive-date"),
                            header.get_header("WARC-Type"),
                            http.get_statuscode() if http and is_response else None,
                        ))
            except ArchiveLoadFailed as error:
                # What it does not read cannot be compared.
                print(os.path.basename(path), str(error).split("\n")[0], file=sys.stderr)
        number = int((row["member"] or "0").split("!")[0])
        if not 0 < number <= len(archives[path]):
            continue
        target, date, kind, status = archives[path][number - 1]
        differs(row, "warc-target", row["warc-target"], target)
        if date is not None and date.isdigit():
            date = datetime.datetime.strptime(date[:14] + "Z", "%Y%m%d%H%M%S%z").isoformat()
        date = date and date.replace("Z", "+00:00")
        differs(row, "warc-date", seconds(row["warc-date"]), seconds(date))
        differs(row, "warc-type", row["warc-type"], kind)
        # The header of a record is read before that of HTTP.
        ours = row["status"]
        differs(row, "status", None if ours is None else str(ours), status)


# What has one target. That of `base` is none.
TARGETS = {
    "href", "src", "action", "formaction", "cite", "data", "poster", "background", "longdesc", "codebase",
    "manifest", "lowsrc", "dynsrc",
}


def resolve(rows):
    import html5lib
    from warcio.archiveiterator import ArchiveIterator

    ours = {}
    for row in rows:
        links = ours.setdefault(row["path"], {}).setdefault(row["member"], set())
        if row["resolved"] and row["attribute"] in TARGETS:
            links.add(row["url"])
    theirs = 0
    for path, members in ours.items():
        with open(path, "rb") as file:
            for number, record in enumerate(ArchiveIterator(file), 1):
                if str(number) not in members or record.rec_type != "response":
                    continue
                page = html5lib.parse(record.content_stream().read(), namespaceHTMLElements=False)
                base = record.rec_headers.get_header("WARC-Target-URI")
                bases = [each.attrib["href"] for each in page.iter("base") if "href" in each.attrib]
                if bases:
                    base = urllib.parse.urljoin(base, target(bases[0]))
                links = set()
                for element in page.iter():
                    if not isinstance(element.tag, str) or element.tag == "base":
                        continue
                    values = (target(element.attrib[name]) for name in TARGETS & set(element.attrib))
                    relative = (value for value in values if value and not re.match(r"[A-Za-z][\w+.-]*:", value))
                    links.update(urllib.parse.urljoin(base, value) for value in relative)
                theirs += len(links)
                found = members[str(number)]
                row = {"path": path, "member": number}
                differs(row, "resolve", sorted(found - links), sorted(links - found))
    print(theirs, "relative links")


def target(value):
    return re.sub("[\t\r\n]", "", value).strip(" ")


def pages():
    """Prints pages with bases and links that `urljoin` takes as RFC 3986, section 5.2, does.

    It drops the `/` of `//` within a path, keeps the dots after `//a.example/`, and drops a `?` or `#` at the
    end, so there are none of these.
    """
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    draw = random.Random(1)
    segments = ["a", "b.html", ".", "..", "...", ".c", "c;x=1", ";y", "%2E%2E", "d=e", "f,g"]

    def path():
        return "/".join(draw.choices(segments, k=draw.randint(1, 6))) + draw.choice(["", "", "/"])

    def rest():
        return draw.choice(["", "", "?q", "?q=../r/./s&amp;t", "?u?v"]) + draw.choice(["", "", "#w", "#w/../x?y"])

    def reference():
        start = draw.choice(["", "./", "/", "/"])
        references = [start + path(), "./h:i/" + path(), "", "//b.example/z"]
        return draw.choice(references) + rest() or "z"

    archive = io.BytesIO()
    writer = WARCWriter(archive, gzip=False)
    for _ in range(300):
        url = draw.choice(["http://a.example", "https://u@a.example:8080/" + path() + rest().replace("&amp;", "&")])
        second = "<base target=x><base href=//c.example/d/e><base href=f>"
        base = draw.choice(["", "", f"<base href=' {reference()}\n'>", second])
        links = [f"<a href='{reference()}'>x</a><img alt=y\nsrc=\"\t{reference()} \">" for _ in range(5)]
        page = f"<!DOCTYPE html><head>{base}</head><body>{''.join(links)}"
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        body = io.BytesIO(page.encode())
        writer.write_record(writer.create_warc_record(url, "response", payload=body, http_headers=http))
    print(archive.getvalue().decode(), end="")


if sys.argv[1] == "pages":
    pages()
else:
    compare = {"mail": mail, "html": html, "warc": warc, "resolve": resolve}[sys.argv[1]]
    compare([json.loads(line) for line in sys.stdin])
