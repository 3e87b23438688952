"""The table of docs/evidence.md, between its marks: what is finished as it came, and "not run" for all else."""
import os

from . import ROOT
from .figure import FAILED, MET, NOT_PROVEN, NOT_RUN, MISSED

PAGE = os.path.join(ROOT, "docs", "evidence.md")
SENTENCE = "<!-- sentence: written by tests/evidence -->", "<!-- end of the sentence -->"
TABLE = "<!-- figures: written by tests/evidence -->", "<!-- end of the figures -->"
HEADS = ("", "figure", "as it came", "target", "control", "verdict", "load")
VERDICTS = {MET: "the figure has reached its target, and the control has shown its faults", MISSED: "it has not", FAILED: "the run ended early",
            NOT_PROVEN: "the control did not run, or has shown nothing", NOT_RUN: "nothing was measured"}


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|") or "–"


def row_of(figure, entry):
    if not entry or "verdict" not in entry:
        return (figure.name, figure.title, NOT_RUN, figure.target, figure.control, NOT_RUN, "")
    again = " Begun %d times." % entry["begun"] if entry.get("begun", 1) > 1 else ""
    return (figure.name, figure.title, entry["text"] + again, figure.target, entry["control"] or figure.control, entry["verdict"], entry["load"])


def table(figures, entries):
    rows = [map(cell, row_of(figure, entries.get(figure.name))) for figure in figures]
    return "".join("| %s |\n" % " | ".join(row) for row in (HEADS, ("---",) * len(HEADS), *rows))


def sentence(figures, entries):
    """Of all that is finished, in one sentence."""
    count = {verdict: sum(entries.get(figure.name, {}).get("verdict", NOT_RUN) == verdict for figure in figures) for verdict in VERDICTS}
    found = ", ".join("%d %s" % (number, verdict) for verdict, number in count.items() if number)
    faults = [figure.name for figure in figures if entries.get(figure.name, {}).get("faults")]
    return "The table has %d figures: %s. %s" % (len(figures), found, "Faults were counted in %s." % ", ".join(faults) if faults else "No fault was counted.")


def about(text):
    """The lines that a reader needs to judge the figures."""
    if not any("verdict" in entry for entry in text["figures"].values()):
        return "There was no whole run yet.\n"
    machine = text["machine"]
    return ("Commit `%s`, seed %s. %s, %s cores, %s GiB of memory.\n"
            % (text["commit"][:12] + ("+changes" if "+changes" in text["commit"] else ""), text["seed"], machine["processor"] or "unknown processor",
               machine["cores"], machine["memory_gib"]))


def blocks(figures, text):
    """(the marks of a block, its lines)"""
    return [(SENTENCE, sentence(figures, text["figures"]) + "\n"), (TABLE, about(text) + "\n" + table(figures, text["figures"]))]


def between(page, figures, text):
    """The page with the blocks between their marks."""
    for (begin, end), lines in blocks(figures, text):
        head, begins, rest = page.partition(begin + "\n")
        _, ends, tail = rest.partition(end)
        if not begins or not ends:
            raise ValueError("the page has no lines %s and %s" % (begin, end))
        page = head + begins + "\n" + lines + "\n" + ends + tail
    return page


def write(figures, text, path=PAGE):
    with open(path, encoding="utf-8") as source:
        page = source.read()
    with open(path, "w", encoding="utf-8") as out:
        out.write(between(page, figures, text))
