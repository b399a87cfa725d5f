"""Prints the documents of HTML below a folder, and the URLs in their attributes as html.parser has
them: for each document a line `document`, its name and its bytes in hexadecimal, then a line
`value` and the bytes for each URL."""

import email
import html.parser
import os
import re
import sys
import zlib

URLS = {
    "href", "src", "action", "formaction", "cite", "data", "poster", "background", "longdesc",
    "codebase", "manifest", "profile", "icon", "lowsrc", "dynsrc", "xlink:href",
}
NAMES = {"itemtype", "vocab", "prefix", "xmlns", "style"}
ABSOLUTE = re.compile(r"[A-Za-z0-9+.-]+://|(mailto|mid|news):", re.ASCII)
SPACE = "".join(map(chr, range(33)))


class Values(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            value = (value or "").strip(SPACE)
            if name in ("srcset", "imagesrcset"):
                urls = [part.split()[0] for part in value.split(", ") if part.split()]
            elif name == "content" and re.match(r"[\s\d.]*[;,\s]*url\s*=", value, re.I):
                urls = [value.split("=", 1)[1].strip().strip("'\"")]
            elif name in URLS or not re.search(r"\s", value):
                known = name in NAMES or name.startswith(("xmlns:", "on"))
                alone = name not in URLS and re.search("^[^:]*:/*$", value)
                urls = [] if known or alone else [value]
            else:
                urls = []
            self.found += [re.sub(r"[\t\r\n]", "", url) for url in urls if ABSOLUTE.match(url)]


def messages(path, raw):
    if path.endswith(".mbox"):
        for part in raw.split(b"\nFrom "):
            yield b"From " + part
    else:
        yield raw


def records(raw):
    if raw[:2] == b"\x1f\x8b":
        members = []
        while raw[:2] == b"\x1f\x8b":
            member = zlib.decompressobj(31)
            try:
                members.append(member.decompress(raw))
            except zlib.error:
                break
            raw = member.unused_data
        raw = b"".join(members)
    for record in re.split(rb"\r?\n\r?\nWARC/1|\nhttp://\S+ [0-9.]+ ", raw):
        start = record.lower().find(b"<html")
        if start >= 0:
            yield record[start:]


def documents(path, raw):
    if "/warc/" in path:
        yield from records(raw)
    elif "/mail/" in path:
        for message in messages(path, raw):
            for part in email.message_from_bytes(message).walk():
                if part.get_content_type() == "text/html":
                    yield part.get_payload(decode=True) or b""
    elif path.endswith((".html", ".htm")):
        yield raw


# As browsers read the names of these charsets.
WIDER = {"euc-kr": "cp949", "gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "shift_jis": "cp932"}


def decoded(document):
    try:
        return document.decode("utf-8")
    except UnicodeDecodeError:
        label = re.search(rb"charset\s*=\s*[\"']?([\w-]+)", document[:1024])
        label = label[1].decode().lower() if label else "utf-8"
        return document.decode(WIDER.get(label, label), "surrogateescape" if label == "utf-8" else "replace")


for folder, _, names in os.walk(sys.argv[1]):
    for name in sorted(names):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            raw = file.read()
        for document in documents(path, raw):
            parser = Values()
            parser.feed(decoded(document))
            parser.close()
            print("document", name.replace(" ", "_"), document.hex())
            for url in parser.found:
                print("value", url.encode("utf-8", "surrogateescape").hex())
