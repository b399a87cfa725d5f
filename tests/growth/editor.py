"""An editor that opens one document and asks the language server everything about it."""

import json
import subprocess
import threading

EXTENSIONS = {
    "plain": "txt",
    "mail": "eml",
    "markdown": "md",
    "asciidoc": "adoc",
    "urls": "uris",
}
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8"]},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {}},
        "diagnostic": {},
    },
}


def edit(command, environment, kind, text, seconds):
    """Opens `text`, which is bytes, as a document of a kind. Returns whether that took fewer seconds."""
    server = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    timer = threading.Timer(seconds, server.kill)
    timer.start()
    try:
        talk(server, f"file:///a.{EXTENSIONS.get(kind, kind)}", text.decode("utf-8", "replace"))
        return server.wait() == 0
    except OSError:
        # It was too slow.
        server.wait()
        return False
    finally:
        timer.cancel()


def talk(server, uri, text):
    document = {"textDocument": {"uri": uri}}
    options = {"select": ["ALL"], "schemeless": True}
    ask(server, 1, "initialize", {"capabilities": CAPABILITIES, "initializationOptions": options})
    tell(server, {"method": "initialized", "params": {}})
    opened = {"uri": uri, "languageId": "", "version": 1, "text": text}
    tell(server, {"method": "textDocument/didOpen", "params": {"textDocument": opened}})
    for number, asked in enumerate(["diagnostic", "documentLink"], 2):
        ask(server, number, f"textDocument/{asked}", document)
    # What is offered at a place, and for the whole document.
    start = {"line": 0, "character": 0}
    for number, (line, asked) in enumerate([(0, {}), (text.count("\n"), {"only": ["source.fixAll"]})], 4):
        place = {"start": start, "end": {"line": line, "character": 30}}
        actions = {"range": place, "context": {"diagnostics": [], **asked}}
        ask(server, number, "textDocument/codeAction", {**document, **actions})
    ask(server, 6, "shutdown", None)
    tell(server, {"method": "exit"})
    server.stdin.close()


def tell(server, message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def ask(server, number, method, params):
    """Sends a request, and reads until its answer."""
    tell(server, {"id": number, "method": method, "params": params})
    while True:
        length = 0
        while (line := server.stdout.readline()) != b"\r\n":
            if not line:
                raise BrokenPipeError
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(server.stdout.read(length))
        if "method" not in message and message["id"] == number:
            assert "error" not in message, message
            return
