"""Reads URLs as strings of JSON, one a line, or arrays of a relative reference and its base, and writes for
each what Ada makes of it: its href as a string of JSON, or null if it does not parse."""

import json
import sys

from ada_url import URL


def href(url):
    try:
        return URL(*url).href if isinstance(url, list) else URL(url).href
    except ValueError:
        return None


for line in sys.stdin:
    print(json.dumps(href(json.loads(line))))
