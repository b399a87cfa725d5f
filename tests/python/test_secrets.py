"""Passwords are not shown to somebody who prints a value for a look."""

from itertools import combinations, product

import pyarrow as pa
import pytest
import urlint

# No name has these letters.
SECRET = "QJQXQ"

# How a login may be written; the first is the usual way.
FORMS = {
    "scheme": ["ftp", "http", "https", "telnet", "imap", "redis", "postgres+x"],
    "slashes": ["://", ":/", ":", "//", ":\\\\", ":\\/\\/", "%3A%2F%2F"],
    "user": ["joe", "j.doe", "", "joe%20d"],
    "colon": [":", "%3A", "%3a", "&#58;", "\\u003a"],
    # Within the password.
    "break": ["", "\n", "\r\n  ", "\n> ", "=\n", "-\n", "/", "?", "#", "@", "%2F"],
    "sign": ["@", "%40", "&#64;", "\\u0040", "=40"],
    "before": ["", "<URL:", "<", '"', "(", '<a href="', "http://b.example/"],
    "kind": ["plain", "mail", "html", "markdown", "tex", "json", "urls"],
}
AFTER = {"<URL:": ">", "<": ">", '"': '"', "(": ")", '<a href="': '">'}


def texts():
    """Texts with a login of which two parts are unusual, each with its kind."""
    forms = set()
    for names in combinations(FORMS, 2):
        for values in product(*(FORMS[name] for name in names)):
            form = {name: values[0] for name, values in FORMS.items()} | dict(zip(names, values))
            forms.add(tuple(form.values()))
    for scheme, slashes, user, colon, within, sign, before, kind in sorted(forms):
        login = user + colon + SECRET + within + SECRET + sign
        yield f"see {before}{scheme}{slashes}{login}a.example/^x{AFTER.get(before, '')} there", kind


def shown(values):
    return "".join(repr(value) for value in values)


def test_repr():
    number, hidden = 0, 0
    for text, kind in texts():
        urls = urlint.find(text, kind=kind)
        parsed = [urlint.parse(url.url) for url in urls]
        problems = [problem for each in parsed for problem in each.problems]
        found = urlint.check(text, kind=kind, select=["ALL"])
        fixes = [each.fix for each in found if each.fix]
        edits = [edit for fix in fixes for edit in fix.edits]
        links = urlint.extract_arrow(pa.array([text]), kind=kind)
        messages = [str(each) for each in found] + [each.message for each in found]
        for values in (urls, parsed, problems, found, fixes, edits, [links], messages):
            assert SECRET not in shown(values), (text, kind)
        number += 1
        hidden += "***" in shown(urls)
    assert number > 800 and hidden > number / 2


@pytest.mark.parametrize("url", ["http://a.example:80/x", "mailto:joe@a.example", "news:comp.x", "urn:isbn:1", "http://a.example/a:b"])
def test_what_is_no_login_is_shown(url):
    [found] = urlint.find(f"<URL:{url}>")
    assert url in repr(found) and url in repr(urlint.parse(url))


@pytest.mark.parametrize("url", ["ftp://joe:sec", "ftp://joe:sec/x", "http://joe:80a"])
def test_what_may_be_cut_is_hidden(url):
    assert "***" in repr(urlint.parse(url))
