#!/usr/bin/env python3
"""The status page in a headless Chromium, of a daemon under load: rows, partitions and drawn lines; figures as /status has them; a pause with its
reason; both languages; what a daemon might plant stays text; a daemon that is killed greys the page; nothing in the console, and no question to
another host. FENSI_TEST_PICTURES: a folder for pictures of it."""
import base64
import contextlib
import http.server
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

from lib import stack
from lib.mixed import MixedLoad
from lib.program import free_address
from lib.wait import until

PER_SECOND = 1500
ROW = "#index_table > tbody > tr:not(.below) > "  # what is opened below has rows of its own
PLANTED = "<img src=x onerror=document.title='planted'>"


class Browser:
    """Chromium by the W3C's WebDriver protocol, as chromedriver speaks it."""

    def __init__(self, language="en", dark=False, width=1280, height=900):
        address = free_address()
        self.base = "http://" + address
        self.process = subprocess.Popen(["chromedriver", "--port=" + address.split(":")[1], "--silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        until("chromedriver answers", self._answers, 60)
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=" + language,
                            "--window-size=%d,%d" % (width, height), "--disable-background-networking"],
                   "prefs": {"intl.accept_languages": language}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        told = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + told["sessionId"]
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._ask("DELETE", self.session)
        os.killpg(self.process.pid, signal.SIGKILL)  # of our own group, with what it has started
        self.process.wait()

    def _answers(self):
        with contextlib.suppress(OSError):
            return self._ask("GET", "/status")["ready"]
        return False

    def _ask(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as fault:
            raise AssertionError("%s %s: %s" % (method, path, fault.read().decode()[:1000])) from None

    def devtools(self, command, **given):
        return self._ask("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": given})

    def open(self, url):
        self._ask("POST", self.session + "/url", {"url": url})

    def script(self, text, *words):
        return self._ask("POST", self.session + "/execute/sync", {"script": text, "args": list(words)})

    def text(self, selector):
        return self.script("return [...document.querySelectorAll(arguments[0])].filter(n => n.checkVisibility()).map(n => n.textContent)", selector)

    def click(self, selector):
        self.script("document.querySelector(arguments[0]).click()", selector)

    def log(self, kind="browser"):
        return self._ask("POST", self.session + "/se/log", {"type": kind})

    def hosts(self):
        """Of all requests so far: host and port."""
        events = [json.loads(each["message"])["message"] for each in self.log("performance")]
        urls = [each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"]
        return {re.match(r"https?://([^/]*)", url).group(1) for url in urls if not url.startswith("data:")}

    def picture(self, name):
        folder = os.environ.get("FENSI_TEST_PICTURES")
        if folder:
            height = self.script("return document.documentElement.scrollHeight")
            shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip={
                "x": 0, "y": 0, "width": self.script("return innerWidth"), "height": height, "scale": 1})
            with open(os.path.join(folder, name + ".png"), "wb") as out:
                out.write(base64.b64decode(shot["data"]))


# Of each canvas: the number of its pixels that are not transparent, in colours that are no shade of grey.
DRAWN = """return [...document.querySelectorAll('canvas')].map(canvas => {
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let lines = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b, a] = pixels.slice(i, i + 4);
    lines += a > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 60;
  }
  return lines;
});"""


# The widest gap between two columns of a plot's line, in pixels.
HOLE = """const canvas = document.querySelectorAll('canvas')[arguments[0]];
const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
let last = -1, widest = 0;
for (let x = 0; x < canvas.width; ++x) {
  for (let y = 0; y < canvas.height; ++y) {
    const [r, g, b, a] = pixels.slice(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 4);
    if (a <= 128 || Math.max(r, g, b) - Math.min(r, g, b) <= 60) continue;
    if (last >= 0) widest = Math.max(widest, x - last);
    last = x;
    break;
  }
}
return widest;"""


def number(text):
    return int(re.sub(r"\D", "", text) or -1)


class OfADaemon(unittest.TestCase):
    def setUp(self):
        exits = contextlib.ExitStack()
        self.addCleanup(exits.close)
        self.exits = exits
        self.folder = exits.enter_context(tempfile.TemporaryDirectory())
        self.load = MixedLoad(self.folder, "page", PER_SECOND)
        exits.callback(self.load.feed.enough)
        self.stream = self.load.stream
        self.place = free_address()
        self.daemon = exits.enter_context(self.stream.daemon("one", "--admin=" + self.place, "--admin_control", store=stack.hbase_url()))
        until("it works", lambda: self.index().get("events", 0) > 3000, 300)

    def index(self):
        with contextlib.suppress(OSError):
            with urllib.request.urlopen("http://%s/status" % self.place, timeout=30) as answer:
                return json.load(answer)["indexes"][0]
        return {}

    def browser(self, **given):
        browser = self.exits.enter_context(Browser(**given))
        browser.open("http://%s/" % self.place)
        until("a row", lambda: browser.text("#index_table tbody tr:not(.below)"), 60)
        return browser

    def test_shows_what_status_says_draws_it_and_steers(self):
        browser = self.browser()
        name = self.stream.index
        self.assertEqual(browser.text(".opener"), [name])
        self.assertEqual(browser.text(ROW + "td.state"), ["running"])
        until("what was before the page is drawn at once", lambda: len(drawn := browser.script(DRAWN)) > 0 and drawn[0] > 30, 5)
        asked = "return performance.getEntriesByType('resource').filter(each => each.name.endsWith('/history')).length"
        self.assertEqual(browser.script(asked), 1)
        until("ten seconds of it", lambda: browser.script("return document.querySelectorAll('canvas').length === 7") and time.sleep(10) is None, 60)
        drawn = until("seven plots", lambda: (lambda lines: min(lines) > 30 and lines)(browser.script(DRAWN)), 60)
        self.assertGreater(drawn[5], 3 * drawn[0], "phases are areas")
        self.assertIn("plan", browser.text("figure:nth-child(6) .legend li"))
        shorts = "return import('/page/text.js').then(text => [0.02, 0.05, 0.1, 1500].map(text.short))"
        self.assertEqual(browser.script(shorts), ["0.02", "0.05", "0.1", "1.5K"], "steps of an axis")
        self.assertLess(browser.script(HOLE, 0), 5, "the line of the rate has holes")
        until("a rate near the load's", lambda: 500 < number(browser.text(ROW + "td:nth-child(3)")[0].split(".")[0]) < 3 * PER_SECOND, 60)

        browser.click(".opener")
        until("its partitions", lambda: len(browser.text(".below table tbody tr")) == self.index()["topic_partitions"], 60)
        self.same_as_status(browser, within=4 * PER_SECOND)
        browser.picture("light")
        self.pause(browser)
        # But for what Chromium says of this test, which reads the pixels.
        self.assertEqual([each for each in browser.log() if each["level"] in ("SEVERE", "WARNING")
                          and "willReadFrequently" not in each["message"]], [])
        self.assertEqual(browser.hosts(), {self.place})
        self.greys(browser)

    def same_as_status(self, browser, within):
        """What is shown lies between two answers of the daemon, or a step from them."""
        before = self.index()
        shown = until("figures", lambda: browser.text(".below dd"), 30)
        after = self.index()
        self.assertGreaterEqual(number(shown[0]), before["events"] - within)
        self.assertLessEqual(number(shown[0]), after["events"])
        applied = [number(each) for each in browser.text(".below tbody td:nth-child(2)")]
        last = {each["partition"]: each["applied"] for each in self.index()["partitions"]}
        for partition, offset in enumerate(applied):
            self.assertLessEqual(last[partition] - within, offset)
            self.assertLessEqual(offset, last[partition])

    def pause(self, browser):
        until("a button", lambda: browser.text(ROW + "td:last-child button") == ["Pause"], 30)
        browser.click(ROW + "td:last-child button")
        browser.script("document.getElementById('wish_reason').value = arguments[0]", "升级 & <b>more</b>")
        browser.picture("wish")
        browser.click("#wish_do")
        until("it is paused", lambda: browser.text(ROW + "td.state") == ["paused"], 60)
        self.assertEqual(self.index()["state"], "paused")
        self.assertTrue(self.index()["paused"].endswith(": 升级 & <b>more</b>"))
        until("why it is", lambda: any(each == self.index()["paused"] for each in browser.text(".below dd")), 30)
        self.assertEqual(browser.text("dialog"), [])
        self.assertEqual(browser.script("return document.querySelectorAll('dd b').length"), 0)
        still = self.index()
        until("all is as /status says", lambda: [number(each) for each in browser.text(".below tbody td:nth-child(2)")] ==
              [each["applied"] for each in still["partitions"]], 60)
        self.assertEqual(number(browser.text(".below dd")[1]), still["events"])
        browser.picture("paused")
        browser.click(ROW + "td:last-child button")
        until("the question", lambda: browser.text("#wish_title") == ["Resume " + self.stream.index], 30)
        browser.click("#wish_do")
        until("it goes on", lambda: browser.text(ROW + "td.state") == ["running"], 60)

    def greys(self, browser):
        self.daemon.kill()
        until("it is grey", lambda: browser.script("return document.body.className") == "gone", 60)
        self.assertIn("has not answered since", browser.text("#banner")[0])
        self.assertIn("grayscale(1)", browser.script("return getComputedStyle(document.querySelector('main')).filter"))
        browser.picture("gone")

    def test_in_chinese_in_the_dark_and_on_a_telephone(self):
        browser = self.browser(language="zh-CN", dark=True)
        self.assertEqual(browser.text(ROW + "td.state"), ["运行中"])
        self.assertEqual(browser.script("return document.documentElement.lang"), "zh-CN")
        browser.click(".opener")
        time.sleep(10)
        browser.picture("dark-chinese")
        browser.click("#language")
        self.assertEqual(browser.text(ROW + "td.state"), ["running"])
        browser.picture("dark")
        light = browser.script("return getComputedStyle(document.body).backgroundColor")
        self.assertEqual(light, "rgb(16, 20, 24)")
        browser.devtools("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
        until("nothing is wider than the screen", lambda: browser.script("return document.documentElement.scrollWidth") <= 400, 30)
        time.sleep(2)
        browser.picture("narrow")
        self.assertEqual([each for each in browser.log() if each["level"] == "SEVERE"], [])


class OfAnything(unittest.TestCase):
    """The page with the words of a daemon that is none."""

    def serve(self, status, token=""):
        """Where; asks for the token as a daemon does."""
        folder = os.path.join(stack.ROOT, "admin", "page")

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = "index.html" if self.path == "/" else os.path.basename(self.path)
                told = {"status": status, "history": {"format": 1, "step_ms": 1000, "indexes": []}}
                welcome = name not in told or not token or self.headers["Authorization"] == "Bearer " + token
                body = json.dumps(told.get(name)).encode() if welcome else b"{}"
                if name not in told:
                    with open(os.path.join(folder, name), "rb") as page:
                        body = page.read()
                kind = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}.get(os.path.splitext(name)[1], "text/plain")
                self.send_response(200 if welcome else 401)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return "http://127.0.0.1:%d/" % server.server_address[1]

    def test_what_a_daemon_says_is_text_and_a_thousand_rows_are_smooth(self):
        partition = {"partition": 0, "applied": 1, "committed": None, "log_end": 9, "lag_records": 8, "lag_seconds": None, "queue_full": True}
        index = {"name": PLANTED, "state": PLANTED, "paused": PLANTED, "waits_for": PLANTED, "reason": PLANTED, "remedy": PLANTED, "events": 1,
                 "puts": 1, "deletes": 0, "dead_letters": {PLANTED: 1}, "open_dead_letters": {PLANTED: 1}, "fresh_until_ms": None, "held_bytes": 1, "topic_partitions": 2000,
                 "assigned_partitions": 2000, "partitions": [{**partition, "partition": each} for each in range(2000)]}
        status = {"format": 1, "process": {"version": PLANTED, "pid": 1, "start_s": 1}, "control": True,
                  "indexes": [index] + [{**index, "name": "i%d" % each, "partitions": []} for each in range(20)]}
        with Browser() as browser:
            browser.open(self.serve(status))
            until("rows", lambda: len(browser.text(".opener")) == 21, 60)
            self.assertIn(PLANTED, browser.text(".opener"))
            browser.script("[...document.querySelectorAll('.opener')].find(n => n.textContent === arguments[0]).click()", PLANTED)
            until("its partitions", lambda: len(browser.text(".below table tbody tr")) == 1000, 60)
            browser.script("[...document.querySelectorAll('#index_table button')].find(n => n.textContent === 'Resume').click()")
            time.sleep(2)
            self.assertEqual(browser.script("return [document.title, document.images.length]"), ["fensi", 0])
            slow = browser.script("const at = performance.now(); document.querySelector('.below th button').click(); return performance.now() - at")
            self.assertLess(slow, 1000)
            browser.picture("planted")
            self.assertEqual([each for each in browser.log() if each["level"] == "SEVERE"], [])

    def test_of_a_capture_and_behind_a_token(self):
        now = time.time()
        capture = {"registered": False, "connections": 2, "calls": 7, "refused_calls": 1, "events": 1234567, "cells": 5, "alarms": 3,
                   "newest_write_ms": int(now * 1000) - 65000}
        status = {"format": 1, "now_ms": int(now * 1000), "process": {"version": "1", "pid": 1, "start_s": now}, "capture": capture}
        with Browser() as browser:
            browser.open(self.serve(status, token="sesame"))
            until("it asks for the token", lambda: browser.text("#token button") == ["Send"], 60)
            self.assertEqual((browser.text("#banner"), browser.text("section")), ([], []))
            asked = "return performance.getEntriesByType('resource').filter(each => each.name.endsWith('/status')).length"
            for word, shown in (("wrong", 0), ("sesame", 1)):
                before = browser.script(asked)
                browser.script("document.getElementById('token_text').value = arguments[0]", word)
                browser.click("#token button")
                until("it has asked with it", lambda: browser.script(asked) > before, 30)
                until("the form, or what it was for", lambda: (len(browser.text("#token button")), len(browser.text("#capture"))) == (1 - shown, shown), 30)
            said = until("all of it", lambda: browser.text("#capture_list dd"), 30)
            self.assertEqual(said[:2] + said[3:], ["may not find it", "2", "1,234,567", "5", "1 m 5 s ago", "7", "1", "3"])
            until("its lines", lambda: len(browser.text("figure")) == 4, 30)
            self.assertEqual(browser.text("#indexes"), [])
            time.sleep(3)
            browser.picture("capture")
            kept = browser.script("return JSON.stringify([Object.values(localStorage), Object.values(sessionStorage), document.cookie])")
            self.assertNotIn("sesame", kept)
            self.assertEqual({each["message"].split(" - ")[1].split(" of ")[0] for each in browser.log() if each["level"] == "SEVERE"},
                             {"Failed to load resource: the server responded with a status"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
