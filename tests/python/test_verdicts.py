"""What is reported is decided once: Python reports what the command does, as the table in ``fixtures`` says."""

import json

import pytest
import urlint
from conftest import ROOT

CASES = json.loads((ROOT / "fixtures" / "verdicts.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_check_and_fields_report_the_same(case, tmp_path):
    for name, text in case["files"].items():
        (tmp_path / name).write_text(text)
    config = tmp_path / "urlint.toml" if "urlint.toml" in case["files"] else None
    # Hosts of other files are not known to a call about one text.
    expected = case["reported"]
    takes_all = "unsafe-fixes = true" in case["files"].get("urlint.toml", "")
    makeable = {"safe", "unsafe"} if takes_all else {"safe"}
    found = []
    for name, text in case["files"].items():
        if name == "urlint.toml":
            continue
        reported = urlint.check(text, path=name, config=config)
        found += [f"{name} {one.rule}" for one in reported]
        made = [one for one in reported if one.fix and one.fix.applicability in makeable and one.severity != "hint"]
        assert (urlint.fix(text, path=name, config=config) != text) == bool(made)
    assert sorted(found) == expected
