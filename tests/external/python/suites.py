"""Prints the cases in the tests of a Python package, whose source distribution is the path given: a line of JSON
for each, with the text, the URLs in it, and the extension of such a text.

The tests are read, not run: a case is a call or a row of a table, all of whose values are literals.
"""

import ast
import html
import json
import pathlib
import re
import sys
import tarfile


def modules(path, *names):
    """The syntax trees of the modules with one of these names."""
    with tarfile.open(path) as archive:
        for member in archive:
            if member.name.endswith(names):
                yield ast.parse(archive.extractfile(member).read())


def literal(node):
    """The value of a literal, or of the sum of literals; `None` if it is another expression."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = literal(node.left), literal(node.right)
        return "".join(parts) if all(isinstance(part, str) for part in parts) else None
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def calls(tree, name):
    """The calls of `name`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) == name:
            yield node


def tables(tree):
    """The rows of parameters of each test, by its name."""
    for test in ast.walk(tree):
        if isinstance(test, ast.FunctionDef):
            for decorator in test.decorator_list:
                for call in calls(decorator, "parametrize"):
                    for row in getattr(call.args[1], "elts", []):
                        row = literal(row)
                        if isinstance(row, tuple):
                            yield test.name, row


def comparisons(tree, name):
    """Each text that `name` is called with, whether it is HTML, and the value that the result is compared with."""
    for node in ast.walk(tree):
        sides = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "assertEqual":
            sides = node.args
        match sides:
            case [ast.Call(func=ast.Name(id=called), args=[argument], keywords=keywords), value] if called == name:
                text, result = literal(argument), literal(value)
                names = [keyword.arg for keyword in keywords]
                if isinstance(text, str) and isinstance(result, str) and names in ([], ["autoescape"]):
                    yield text, bool(names), result


def linked(text):
    """The URLs that are links in HTML, as they are in its text."""
    return [html.unescape(url) for url in re.findall(r"<a [^>]*>([^<]*)</a>", text)]


def django(path):
    for tree in modules(path, "filter_tests/test_urlize.py"):
        for text, is_html, result in comparisons(tree, "urlize"):
            yield text, linked(result), "html" if is_html else "txt"
    for tree in modules(path, "tests/validators/tests.py"):
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id="VALID_URLS")], value=value):
                    yield from ((url, [url], "txt") for url in map(literal, value.elts) if url)


def bleach(path):
    for tree in modules(path, "tests/test_linkify.py"):
        for text, _, result in comparisons(tree, "linkify"):
            # The targets of links are listed besides their text.
            if "<a " not in text:
                yield text, linked(result), "html"
        for name, row in tables(tree):
            match row:
                case (str(text), str(result)) if name in ("test_naughty_unescaping", "test_linkify_filter"):
                    yield text, linked(result), "html"
                case (str(text), {"text": url}):
                    yield text, [url], "html"
                case (str(text), str(url), str(_)) if name == "test_ports":
                    yield text, [url], "html"


def urlextract(path):
    # Others change how it is set up, or leave out what has been found before.
    names = ["test_find_urls", "test_find_urls_multiple_protocol", "test_find_urls_with_indices"]
    for tree in modules(path, "test_find_urls.py", "test_enclosure.py", "test_ipv4.py", "test_markdown.py"):
        for name, row in tables(tree):
            match row:
                case (str(text), list(urls)) if name in names:
                    yield text, [url[0] if isinstance(url, tuple) else url for url in urls], "txt"


def uritools(path):
    for tree in modules(path, "tests/test_join.py"):
        for call in calls(tree, "check"):
            base = "http://a/b/c/d;p?q" if isinstance(call.args[0], ast.Attribute) else literal(call.args[0])
            # Unless it is strict, urijoin reads `http:g` as `g`.
            is_strict = len(call.args) > 3 and literal(call.args[3]) or bool(call.keywords)
            if ":" in base and (is_strict or "http:" not in literal(call.args[1]).lower()):
                yield f"{literal(call.args[1])} in {base}", [literal(call.args[2])], "uri"


def warcio(path):
    for tree in modules(path, "test/test_writer.py"):
        for node in ast.walk(tree):
            match node:
                case ast.Assign(value=ast.Constant(value=str(record))) if record.startswith("WARC/"):
                    yield record, re.findall(r"^WARC-Target-URI: (.*)\r$", record, re.M), "warc"


path = pathlib.Path(sys.argv[1])
for case in globals()[path.name.split(".")[0].lower()](path):
    print(json.dumps(case))
