"""What Prometheus makes of us. The alerts that are shipped: each names metrics that there are, has a case that it is heard in,
and a section that says what to do.

What promtool says of them, and of the metrics of a living daemon, is asked of the promtool on the PATH, or of Debian's package,
which is unpacked below build/ and not installed: installed, it would start a Prometheus on port 9090, which is the gateway's.
Without either that part is skipped."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

ROOT = os.environ["FENSI_ROOT"]
RULES = os.path.join(ROOT, "deploy/monitoring/fensi.rules.yml")
CASES = os.path.join(ROOT, "tests/monitoring/rules_test.yml")
SKIPPED = 77


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


def faults():
    alerts = re.findall(r"- alert: (\w+)\n +expr: (.+)\n(?:.*\n)*? +runbook: (\S+)\n", read(RULES))
    table = set(re.findall(r'\{"((?:fensi|process)_\w+)"', read("metrics/table.cc")))
    heard = set(re.findall(r"alertname: (\w+)\n +eval_time: .+\n +exp_alerts: \[\{exp_labels", read(CASES)))
    sections = set(re.findall(r"^### (Fensi\w+)$", read("docs/operations.md"), re.MULTILINE))
    if len(alerts) != read(RULES).count("- alert:"):
        yield "an alert of deploy/monitoring/fensi.rules.yml has no expression, or no runbook"
    for name, expression, runbook in alerts:
        for metric in re.findall(r"\b(?:fensi|process)_\w+", expression):
            if metric not in table:
                yield f"{name} asks for {metric}, which metrics/table.cc does not have"
        if name not in heard:
            yield f"{name} has no case in tests/monitoring/rules_test.yml in which it is heard"
        if runbook != "docs/operations.md#" + name.lower():
            yield f"{name} does not name its section of docs/operations.md"
    names = {name for name, _, _ in alerts}
    yield from (f"docs/operations.md has no section {name}" for name in sorted(names - sections))
    yield from (f"docs/operations.md has a section {name}, and there is no such alert" for name in sorted(sections - names))


def promtool():
    """Its path, or None."""
    found = shutil.which("promtool")
    if found:
        return found
    folder = os.path.join(ROOT, "build/promtool")
    tool = os.path.join(folder, "usr/bin/promtool")
    if os.path.exists(tool):
        return tool
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as scratch:
        got = subprocess.run(["apt-get", "download", "prometheus"], cwd=scratch, capture_output=True, check=False)
        packages = [name for name in os.listdir(scratch) if name.endswith(".deb")]
        if got.returncode != 0 or not packages:
            return None
        subprocess.run(["dpkg", "-x", os.path.join(scratch, packages[0]), os.path.join(scratch, "x")], check=True)
        os.makedirs(os.path.dirname(tool), exist_ok=True)
        os.replace(os.path.join(scratch, "x/usr/bin/promtool"), tool)
    return tool


def metrics_of_a_run():
    """What /metrics of a living daemon answers."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as mapping:
            mapping.write("source: t\nindexes:\n  x:\n    table: x\n    row: '{f:q}'\n    columns:\n      'f:{row}': ''\n")
        words = [os.environ["FENSI_BIN"], "run", "m.yaml", "--source=file:-", "--store=embedded:d", "--admin=127.0.0.1:0"]
        with subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as daemon:
            place = next((match for match in (re.search(r"http://\S+/metrics", line) for line in daemon.stderr) if match), None)
            if place is None:
                sys.exit("the daemon does not say where its metrics are")
            with urllib.request.urlopen(place.group(0), timeout=60) as answer:
                text = answer.read()
            daemon.stdin.close()
            daemon.stderr.read()
        return text


def main():
    found = list(faults())
    print("\n".join(found) or "alerts, cases and sections fit")
    if found:
        sys.exit(1)
    tool = promtool()
    if tool is None:
        print("there is no promtool, and apt cannot bring it: what it says of the rules was not asked")
        sys.exit(SKIPPED)
    subprocess.run([tool, "check", "rules", RULES], check=True)
    subprocess.run([tool, "test", "rules", CASES], check=True)
    metrics = metrics_of_a_run()
    subprocess.run([tool, "check", "metrics"], input=metrics, check=True)
    print("%d lines of metrics are as promtool wants them" % len(metrics.splitlines()))


main()
