"""The goals of fensi's speed, beside what the benchmarks measured: which are met, which missed, and which nobody measured."""
import dataclasses
import typing

from comparison import AGAIN, COLUMNS, COPROCESSOR, RAW, ROWS, fensi_name, plain_name
from growth_table import KINDS, RAW_PUTS, Row, flatness, groups

MET, MISSED, UNKNOWN = "met", "missed", "not measured"


@dataclasses.dataclass
class Goal:
    """`measured`: None when there is no figure. `note`: what has to be known beside the figure."""
    name: str
    measured: typing.Optional[float]
    bound: float
    at_most: bool = False
    unit: str = ""
    note: str = ""

    def verdict(self):
        if self.measured is None:
            return UNKNOWN
        kept = self.measured <= self.bound if self.at_most else self.measured >= self.bound
        return MET if kept else MISSED


def ratio(above, below):
    return above / below if above is not None and below else None


class Compared:
    """What tests/bench/compare wrote: {"shuffled", "edges", "runs": {name: {"rate", "cpu_us": {process: ...}}}}."""

    def __init__(self, figures):
        self._runs = figures["runs"]
        self.order = "shuffled" if figures["shuffled"] else "file order"

    def rate(self, name):
        return self._runs[name]["rate"] if name in self._runs else None

    def own_us(self, *names):
        """The most that one of them takes."""
        found = [self._runs[name]["cpu_us"]["own"] for name in names if name in self._runs]
        return max(found) if found else None


def of_compare(figures):
    """Several files of figures, one for each order."""
    return [goal for of_it in figures for goal in of_order(Compared(of_it))]


def of_order(compared):
    """A goal for all ways of keeping follows counts the worst of them."""
    goals = []
    for kind in (COLUMNS, ROWS):
        mirror = compared.rate(fensi_name("stateless", kind))
        goals += [Goal("stateless, %s, %s: of raw putMultiple" % (kind, compared.order), ratio(mirror, compared.rate(RAW % 1)), 0.75),
                  Goal("stateless, %s, %s: of the plain Java consumer" % (kind, compared.order),
                       ratio(mirror, compared.rate(plain_name(kind))), 1.5, unit="x")]
    for when, words, bound in (("", "new index", 1.0), (AGAIN, "after a restart", 0.85)):
        goals.append(Goal("stateful, value-derived, %s, %s: of the plain Java consumer" % (words, compared.order),
                          ratio(compared.rate(fensi_name("stateful", ROWS, when)), compared.rate(plain_name(ROWS, when))), bound, unit="x"))
    for mode, bound in (("stateless", 3), ("stateful", 5)):
        goals.append(Goal("CPU of the daemon for an event, %s, %s" % (mode, compared.order),
                          compared.own_us(*(fensi_name(mode, kind) for kind in (COLUMNS, ROWS))), bound, True, "us"))
    goals.append(Goal("beside the prePut coprocessor, %s: events/s of its puts/s" % compared.order,
                      ratio(compared.rate(fensi_name("stateful", COLUMNS)), compared.rate(COPROCESSOR)), 30, unit="x",
                      note="source writes wait for nothing of fensi's"))
    return goals


def of_servers(found, store):
    """What the servers lose by themselves."""
    left = flatness(found[store, RAW_PUTS, KINDS[0]]) if (store, RAW_PUTS, KINDS[0]) in found else None
    return "" if left is None else "raw putMultiple: %.2f" % left


def of_growth(rows):
    goals, found = [], groups([Row(**row) for row in rows])
    for group, of_it in found.items():
        store, mode, kind = group
        if mode == RAW_PUTS:
            continue
        name = "growth, %s, %s, %s" % group
        least, most = of_it[0].events, of_it[-1].events
        goals += [Goal("%s: rate at %s rows of that at %s" % (name, "{:,}".format(most), "{:,}".format(least)), flatness(of_it), 0.85,
                       note=of_servers(found, store) if kind == KINDS[0] else ""),
                  Goal("%s: peak memory at %s rows" % (name, "{:,}".format(most)), of_it[-1].peak_mib, 256, True, "MiB")]
    return goals


def of_embedded(figures):
    return [Goal("embedded store, end to end", figures.get("rate"), 200_000, unit="events/s")]


def of_capture(figures):
    """{"visible": {"p50": ms, "p99": ms}, "settings": words}"""
    visible = figures.get("visible", {})
    note = figures.get("settings", "")
    return [Goal("put acknowledged to visible through capture, p50", visible.get("p50"), 7, True, "ms", note),
            Goal("put acknowledged to visible through capture, p99", visible.get("p99"), 25, True, "ms", note)]


def of_capacity(figures):
    """{"one", "both": events/s, "limit": words}"""
    return [Goal("two daemons of one worker each: of the rate of one", ratio(figures.get("both"), figures.get("one")), 1.7, unit="x",
                 note=figures.get("limit", ""))]


SOURCES = {"compare": of_compare, "growth": of_growth, "capture": of_capture, "capacity": of_capacity, "embedded": of_embedded}


def goals_of(figures):
    """`figures`: what each of SOURCES wrote; one that failed is absent, and its goals are not measured."""
    absent = {"compare": [{"runs": {}, "shuffled": False}], "growth": []}
    return [goal for name, goals in SOURCES.items() for goal in goals(figures.get(name) or absent.get(name, {}))]


def number(value, unit):
    text = "{:,.0f}".format(value) if value >= 1000 else "%.2f" % value if value < 100 else "%.0f" % value
    return (text + " " + unit).strip()


def table(goals):
    """Lines, of Markdown."""
    lines = ["| goal | measured | bound | |", "|---|---|---|---|"]
    for goal in goals:
        measured = "-" if goal.measured is None else number(goal.measured, goal.unit)
        verdict = goal.verdict() + ("; " + goal.note if goal.note else "")
        lines.append("| %s | %s | %s %s | %s |" % (goal.name, measured, "at most" if goal.at_most else "at least",
                                                  number(goal.bound, goal.unit), verdict))
    return lines
