"""Compares where URLs come from, as urlint tells it, with what other libraries say of the same files.

Reads rows of `urlint extract --output-format json-lines` and prints a line for each field that differs:
the name of the file, the member, the field. The argument says what is compared: `mail`, `html` or `warc`.
"""

import datetime
import email
import email.header
import email.utils
import json
import mailbox
import os
import sys


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


{"mail": mail, "html": html, "warc": warc}[sys.argv[1]]([json.loads(line) for line in sys.stdin])
