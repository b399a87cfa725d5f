"""Prints the text parts of messages as Python's `email` package decodes them.

Takes paths, one a line; prints a line of JSON for each part: the path, where its message begins and
ends in the file, the number of the part among the text parts of the message, its media type, its
charset, its bytes (a character each), and its text if the charset is known.
"""

import email
import json
import mailbox
import os
import sys

# What the Encoding Standard takes these for, since software that wrote them did.
BROADER = {
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
}
MESSAGES = {"message/rfc822", "message/global", "message/news"}
# Read as they are, whatever is in them.
AS_THEY_ARE = {"us-ascii", "ascii", "utf-8", "utf8"}


def messages(path):
    """Where the messages of a file begin and end."""
    with open(path, "rb") as file:
        is_mailbox = file.read(5) == b"From "
    if not is_mailbox:
        return [(0, os.path.getsize(path))]
    box = mailbox.mbox(path, create=False)
    box._generate_toc()
    return [box._toc[key] for key in sorted(box._toc)]


def text_of(payload, charset):
    """What the bytes say in their charset; nothing for charsets that are read as they are."""
    if charset in AS_THEY_ARE:
        return None
    try:
        return payload.decode(BROADER.get(charset, charset), "replace")
    except (LookupError, UnicodeError):
        return None


def leaves(part):
    """The parts that are not made of others. Reports of machines, such as those of deliveries (RFC
    3464), are none: Python takes them for messages."""
    type = part.get_content_type()
    if type.startswith("message/") and type not in MESSAGES:
        return
    if not part.is_multipart():
        yield part
        return
    for inner in part.get_payload():
        yield from leaves(inner)


def text_parts(message):
    return [part for part in leaves(message) if part.get_content_maintype() == "text"]


def print_parts(path):
    with open(path, "rb") as file:
        source = file.read()
    for start, end in messages(path):
        message = source[start:end]
        if message.startswith(b"From "):
            message = message.partition(b"\n")[2]
        for number, part in enumerate(text_parts(email.message_from_bytes(message))):
            charset = str(part.get_content_charset("us-ascii"))
            payload = part.get_payload(decode=True) or b""
            line = {
                "path": path,
                "start": start,
                "end": end,
                "part": number,
                "media": part.get_content_type(),
                "charset": charset,
                "bytes": payload.decode("latin-1"),
                "text": text_of(payload, charset),
            }
            print(json.dumps(line))


for line in sys.stdin:
    print_parts(line.rstrip("\n"))
