"""Prints what Python makes of archives, for paths that come one a line: a line of JSON for each
record of a web archive (`warcio`), each message of a mailbox or of a maildir (`mailbox`).
"""

import json
import mailbox
import os
import sys

from warcio.archiveiterator import ArchiveIterator


def records(path):
    """The number, type, target and payload (a character a byte) of each record, encodings undone."""
    with open(path, "rb") as file:
        for number, record in enumerate(ArchiveIterator(file), 1):
            header = record.rec_headers.get_header
            payload = record.content_stream().read()
            yield {
                "number": number,
                "type": record.rec_type,
                "uri": header("WARC-Target-URI") or header("uri"),
                "bytes": payload.decode("latin-1"),
            }


def messages(path):
    """Where the messages of a mailbox begin and end; the names of those of a maildir."""
    if os.path.isdir(path):
        box = mailbox.Maildir(path, create=False)
        for key in sorted(box.keys()):
            yield {"name": box._lookup(key)}
        return
    box = mailbox.mbox(path, create=False)
    box._generate_toc()
    for number, key in enumerate(sorted(box._toc), 1):
        start, end = box._toc[key]
        yield {"number": number, "start": start, "end": end}


for path in map(str.rstrip, sys.stdin):
    is_mail = os.path.isdir(path) or path.endswith(".mbox")
    try:
        for line in messages(path) if is_mail else records(path):
            print(json.dumps({"path": path, **line}))
    except Exception as error:
        print(json.dumps({"path": path, "error": type(error).__name__}))
