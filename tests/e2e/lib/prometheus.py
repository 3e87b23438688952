"""A Prometheus beside the servers of a test, with the alerts that are shipped."""
import contextlib
import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request

from . import stack
from .program import free_address
from .wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
import monitoring_files  # noqa: E402
import prometheus_tools  # noqa: E402

UNITS = {"s": 1, "m": 60, "h": 3600}


def sooner(rules, faster):
    """Every length of time in the text, and the age of 300 s from which an index is called stale, divided by `faster`."""
    def shorter(found):
        return "%s%ds" % (found.group(1), max(1, int(found.group(2)) * UNITS[found.group(3)] // faster))
    rules = re.sub(r"(for: |\[|:(?=\d+m\]))(\d+)([smh])\b", shorter, rules)
    return rules.replace(" > 300 ", " > %d " % (300 // faster))


class Prometheus:
    """It asks its targets (job: address) once a second. `faster`: the times of the alerts are so many times shorter."""

    def __init__(self, folder, targets, faster=1):
        self._place = free_address()
        rules = os.path.join(folder, "fensi.rules.yml")
        with open(monitoring_files.RULES, encoding="utf-8") as source, open(rules, "w", encoding="utf-8") as out:
            out.write(sooner(source.read(), faster))
        config = {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [rules],
                  "scrape_configs": [{"job_name": job, "static_configs": [{"targets": [place]}]} for job, place in targets.items()]}
        path = os.path.join(folder, "prometheus.yml")
        with open(path, "w", encoding="utf-8") as out:
            json.dump(config, out)  # which is YAML, too
        with open(os.path.join(folder, "prometheus.log"), "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [prometheus_tools.tool("prometheus"), "--config.file=" + path, "--storage.tsdb.path=" + os.path.join(folder, "tsdb"), "--web.listen-address=" + self._place],
                stdout=log, stderr=subprocess.STDOUT)

    def __enter__(self):
        until("Prometheus is ready", self._is_ready, 120)
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    def _is_ready(self):
        assert self._process.poll() is None, "Prometheus has ended; see prometheus.log"
        with contextlib.suppress(OSError):
            return bool(self.ask("query", query="up")["result"])
        return False

    def ask(self, what, **words):
        url = "http://%s/api/v1/%s?%s" % (self._place, what, urllib.parse.urlencode(words))
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)["data"]

    def series(self, expression):
        """How many it gives."""
        return len(self.ask("query", query=expression)["result"])

    def firing(self):
        """{(name, index, server)} of the alerts that fire, "" for what an alert does not name."""
        return self._alerts('ALERTS{alertstate="firing"}')

    def fired(self):
        """The same of all that fired within the last hour."""
        return self._alerts('count_over_time(ALERTS{alertstate="firing"}[1h])')

    def _alerts(self, expression):
        found = [series["metric"] for series in self.ask("query", query=expression)["result"]]
        return {(each["alertname"], each.get("index", ""), each.get("server", "")) for each in found}
