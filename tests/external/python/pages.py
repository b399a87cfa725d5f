"""Opens the pages of URLINT about the hostile files of FOLDER in Chromium, which chromedriver steers."""

import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

urlint, folder = sys.argv[1], pathlib.Path(sys.argv[2])
OWN = "window.owned = document.title = 'owned'"
(folder / "script.html").write_text(
    f'<p><a href="http://user:secret@a.example/`<script>{OWN}</script>" title="x">'
    f'&lt;/td>&lt;script>{OWN}&lt;/script>&lt;img src=x onerror="{OWN}"></a> '
    f"http://b.example/'onload='{OWN}' &lt;style>*{{display:none}}&lt;/style> http://c.example/?a?b</p>\n"
)
(folder / "<img src=x onerror=window.owned=1>.txt").write_text("see <URL:http://d.example/`</pre><script>x>\n")

OPTIONS = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync"


class Browser:
    def __init__(self, scratch):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.address = f"http://127.0.0.1:{int(line.split()[-1].rstrip('.'))}/session"
                break
        arguments = [f"--{option}" for option in OPTIONS.split()] + [f"--user-data-dir={scratch}/profile"]
        options = {"goog:chromeOptions": {"args": arguments}}
        session = self.send("", {"capabilities": {"alwaysMatch": options}})["sessionId"]
        self.address += f"/{session}"

    def send(self, path, body):
        request = urllib.request.Request(self.address + path, json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, page):
        self.send("/url", {"url": page.as_uri()})

    def run(self, script):
        return self.send("/execute/async", {"script": f"const done = arguments[0]; {script}", "args": []})


# The data of the page is unpacked.
LOADED = """
    const wait = () => document.querySelector("output").textContent ? done(performance.now()) : setTimeout(wait, 10);
    wait();
"""


def measure(browser, page):
    """Fails unless a page of very many links can be used soon, on a screen and on a phone."""
    for width in 1280, 390:
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.send("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": size})
        browser.open(page)
        # Two seconds on an idle machine, and this may be a busy one.
        assert browser.run(LOADED) < 10_000
        state = browser.run("""
            const seen = () => Array.from(document.querySelectorAll(".rows tbody tr")).filter(row => {
                const { top, bottom } = row.getBoundingClientRect();
                return bottom > 0 && top < innerHeight;
            });
            const host = Array.from(document.querySelectorAll(".chart")).find(chart => chart.tFoot);
            const before = host.tBodies[0].rows.length;
            host.tFoot.querySelector("button").click();
            const hosts = host.tBodies[0].rows.length - before;
            document.querySelector(".rows").scrollIntoView();
            setTimeout(() => {
                const [first] = seen(), drawn = document.querySelectorAll(".rows tbody tr").length;
                const top = [first.textContent, first.getBoundingClientRect().height, seen().length];
                // The rows that are drawn may be higher than they were taken to be.
                const end = () => scrollTo(0, document.documentElement.scrollHeight);
                end();
                setTimeout(end, 500);
                setTimeout(end, 1000);
                setTimeout(() => {
                    const last = seen().pop().textContent;
                    const search = document.querySelector("input");
                    search.value = "/49999.html";
                    search.dispatchEvent(new Event("input"));
                    setTimeout(() => done({
                        drawn, top, last, hosts, found: document.querySelector("output").textContent,
                        width: document.documentElement.scrollWidth,
                    }), 2000);
                }, 2000);
            }, 1000);
        """)
        text, height, rows = state["top"]
        assert text.startswith("3http://often.example/") and height < 120 and rows > 4, state
        assert "49999.html" in state["last"] and state["drawn"] < 2_000 and state["hosts"] == 100, state
        assert state["found"] == "1 of 50,001" and state["width"] <= width, state


def check(browser, page):
    """Fails unless the page has nothing but what urlint writes, and can be filtered and sorted."""
    browser.open(page)
    browser.run(LOADED)
    state = browser.run("""
        const elements = document.querySelectorAll("*");
        const names = new Set(Array.from(elements, element => element.localName));
        const attributes = new Set(Array.from(elements).flatMap(element => element.getAttributeNames()));
        const search = document.querySelector("input");
        const before = document.querySelector("output").textContent;
        search.value = "d.example";
        search.dispatchEvent(new Event("input"));
        const button = document.querySelector(".rows th.url button");
        button?.click();
        button?.click();
        document.querySelector(".rows")?.scrollIntoView();
        const column = () => Array.from(document.querySelectorAll(".rows tbody td.url"), cell => cell.textContent);
        setTimeout(() => done({
            names: [...names], attributes: [...attributes], before, column: column(),
            title: document.title, owned: window.owned ?? null,
            after: document.querySelector("output").textContent,
            sort: button?.parentElement.ariaSort ?? null,
        }), 500);
    """)
    strange = set(state["names"]) & {"a", "img", "iframe", "object", "embed", "link", "form", "base"}
    assert not strange, strange
    assert not [name for name in state["attributes"] if name.startswith("on")], state["attributes"]
    assert not {"href", "src", "style"} & set(state["attributes"]), state["attributes"]
    assert state["owned"] is None and state["title"] == "Links", state
    shown, of, number = state["before"].replace(",", "").split()
    assert shown == number and int(number) > 2, state["before"]
    assert 0 < int(state["after"].split()[0]) < int(number), state["after"]
    return state


with tempfile.TemporaryDirectory() as scratch:
    pages = {name: pathlib.Path(scratch, f"{name}.html") for name in ("extract", "many", "months", "spoiled")}
    arguments = [urlint, "extract", "--isolated", "-q", str(folder), "-o", pages["extract"]]
    subprocess.run(arguments, stderr=subprocess.DEVNULL, timeout=120)
    assert "secret" not in pages["extract"].read_text()
    browser = Browser(scratch)
    try:
        state = check(browser, pages["extract"])
        assert state["sort"] == "descending", state["sort"]
        assert state["column"][0] > state["column"][-1], "not sorted"
        print("links", end=" ")
        # The words around a URL do not reach the next one.
        between = "and so on " * 15
        links = "".join(f"see http://h{number}.example/{number}.html or {between}\n" for number in range(50_000))
        arguments = [urlint, "extract", "--isolated", "-o", pages["many"], "-"]
        subprocess.run(arguments, input=links.encode() + b"http://often.example/ " * 3, timeout=120, check=True)
        measure(browser, pages["many"])
        print("many", end=" ")
        message = "From joe@a.example\nFrom: joe@a.example\nDate: 1 {} 2001 00:00:00 GMT\n\n" + "http://a.example/ " * 1200
        months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
        mailbox = "\n\n".join(map(message.format, months)) + "\n"
        arguments = [urlint, "extract", "--isolated", "-o", pages["months"], "-"]
        subprocess.run(arguments, input=mailbox.encode(), timeout=120, check=True)
        browser.open(pages["months"])
        widths = "const { scrollWidth, clientWidth } = document.querySelector('.scroll'); done([scrollWidth, clientWidth])"
        widths = browser.run(widths)
        assert widths[0] == widths[1] < 390, widths
        print("months", end=" ")
        # What got past the escaping would still not run.
        spoiled = pages["extract"].read_text().replace(
            "<main>", f"<main><script>{OWN}</script><img src=x onerror=\"{OWN}\"><style>main {{ display: none }}</style>"
        )
        pages["spoiled"].write_text(spoiled)
        browser.send("/goog/cdp/execute", {"cmd": "Emulation.clearDeviceMetricsOverride", "params": {}})
        browser.open(pages["spoiled"])
        state = browser.run("""setTimeout(() => done([
            window.owned ?? null, document.title, getComputedStyle(document.querySelector("main")).display,
        ]), 500)""")
        assert state == [None, "Links", "block"], state
        print("policy")
    finally:
        browser.send("/url", {"url": "about:blank"})
        urllib.request.urlopen(urllib.request.Request(browser.address, method="DELETE"), timeout=60)
        browser.driver.terminate()
        browser.driver.wait()
