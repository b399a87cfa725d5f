"""Reads documents in the markup that is named, separated by NUL, and writes for each the targets of its links and
images as docutils, Asciidoctor or pandoc have them, one a line. A NUL ends each answer."""

import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile


class Targets(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [value for name, value in attributes if name in ("href", "src")]


def of_docutils(text):
    from docutils.core import publish_doctree
    from docutils.nodes import image, reference, target

    quiet = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False, "raw_enabled": False}
    tree = publish_doctree(text, settings_overrides=quiet)
    for node in tree.findall(lambda node: isinstance(node, (image, reference, target))):
        yield node.get("uri") or node.get("refuri") or ""


def of_asciidoctor(documents):
    """One process for all of them, since each takes half a second to start."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, f"{number}.adoc") for number in range(len(documents))]
        for file, text in zip(files, documents):
            file.write_text(text, "utf-8")
        subprocess.run(["asciidoctor", "--embedded", "--quiet", *files], check=True)
        for file in files:
            targets = Targets()
            targets.feed(file.with_suffix(".html").read_text("utf-8"))
            yield targets.found


def of_pandoc(name, text):
    command = ["pandoc", "--from", name, "--to", "json"]
    tree = subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    rest = [json.loads(tree.stdout)]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            if node.get("t") in ("Link", "Image"):
                yield node["c"][2][0]
            rest += node.values()
        elif isinstance(node, list):
            rest += node


markup = sys.argv[1]
documents = sys.stdin.read().split("\0")[:-1]
if markup == "rst":
    answers = map(of_docutils, documents)
elif markup == "asciidoc":
    answers = of_asciidoctor(documents)
else:
    answers = (of_pandoc(markup, document) for document in documents)
for found in answers:
    print("".join(f"{target}\n" for target in found), end="\0")
