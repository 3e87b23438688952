"""What deploy/monitoring asks Prometheus for: the expressions of the alerts and of the dashboard, and the parts of them that must
give a series at any time."""
import json
import os
import re

import yaml

ROOT = os.environ["FENSI_ROOT"]
RULES = os.path.join(ROOT, "deploy/monitoring/fensi.rules.yml")
DASHBOARD = os.path.join(ROOT, "deploy/monitoring/fensi-dashboard.json")
# What decides whether there is an answer at all: on both of its sides there must be one.
DECIDES = re.compile(r" (?:and|unless|or)(?: (?:on|ignoring) \([\w, ]*\))? | (?:>|<|==|!=|>=|<=) ")


def alerts():
    """(name, expression)"""
    with open(RULES, encoding="utf-8") as text:
        rules = yaml.safe_load(text)["groups"]
    return [(rule["alert"], rule["expr"]) for group in rules for rule in group["rules"]]


def dashboard():
    with open(DASHBOARD, encoding="utf-8") as text:
        return json.load(text)


def panels():
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def expressions():
    """(where it stands, expression): of all alerts and panels, one for each."""
    yield from alerts()
    for panel in panels():
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def _depths(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        yield depth


def parts(expression):
    """The expression without what compares and combines: each has a series as soon as there is a daemon."""
    expression = expression.strip()
    depths = list(_depths(expression))
    if expression.startswith("(") and depths.index(0) == len(expression) - 1:
        return parts(expression[1:-1])
    cuts = [match for match in DECIDES.finditer(expression) if depths[match.start()] == 0]
    if not cuts:
        return [] if re.fullmatch(r"[\d.e]+", expression) else [expression]
    begins = [0] + [match.end() for match in cuts]
    ends = [match.start() for match in cuts] + [len(expression)]
    return [part for begin, end in zip(begins, ends) for part in parts(expression[begin:end])]


def metrics_of(expression):
    return set(re.findall(r"\b(?:fensi|process)_\w+", expression))
