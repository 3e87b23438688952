"""What Prometheus makes of us. The alerts that are shipped: each names metrics that there are, has a case that it is heard in,
and a section that says what to do.

The dashboard asks for what there is, in panels that stand beside one another. What promtool says of rules and metrics is left out where
there is none (tests/support/prometheus_tools.py). What a living Prometheus finds: tests/e2e/monitoring_test.py."""
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

ROOT = os.environ["FENSI_ROOT"]
sys.path.append(os.path.join(ROOT, "tests", "support"))
import monitoring_files  # noqa: E402
import prometheus_tools  # noqa: E402

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


def dashboard_faults():
    table = set(re.findall(r'\{"((?:fensi|process)_\w+)"', read("metrics/table.cc")))
    board = monitoring_files.dashboard()
    ids = [panel["id"] for panel in board["panels"]]
    if len(set(ids)) != len(ids):
        yield "two panels of the dashboard have one id"
    taken = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        if cells & taken or place["x"] + place["w"] > 24:
            yield f"{panel['title']} stands where another panel is, or out of the board"
        taken |= cells
    variables = {each["name"] for each in board["templating"]["list"]} | {"__rate_interval"}
    for panel in monitoring_files.panels():
        if not panel["description"] or not panel["targets"]:
            yield f"{panel['title']} does not say what it shows, or asks for nothing"
        for source in [panel["datasource"], *(target["datasource"] for target in panel["targets"])]:
            if source["uid"] != "${datasource}":
                yield f"{panel['title']} asks a data source of its own"
        for target in panel["targets"]:
            for metric in monitoring_files.metrics_of(target["expr"]):
                if re.sub("_(bucket|sum|count)$", "", metric) not in table and metric not in table:
                    yield f"{panel['title']} asks for {metric}, which metrics/table.cc does not have"
            for variable in re.findall(r"\$(\w+)", target["expr"]):
                if variable not in variables:
                    yield f"{panel['title']} has a variable {variable}, which the dashboard does not"


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
    found = [*faults(), *dashboard_faults()]
    print("\n".join(found) or "alerts, cases, sections and dashboard fit")
    if found:
        sys.exit(1)
    tool = prometheus_tools.tool("promtool")
    if tool is None:
        print("there is no promtool, and apt cannot bring it: what it says of the rules was not asked")
        sys.exit(SKIPPED)
    subprocess.run([tool, "check", "rules", RULES], check=True)
    subprocess.run([tool, "test", "rules", CASES], check=True)
    metrics = metrics_of_a_run()
    subprocess.run([tool, "check", "metrics"], input=metrics, check=True)
    print("%d lines of metrics are as promtool wants them" % len(metrics.splitlines()))


main()
