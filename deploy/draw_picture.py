#!/usr/bin/env python3
"""Draws docs/picture.svg, the picture of README.md, out of what fensi does with the events that stand there.

    deploy/draw_picture.py FENSI           writes docs/picture.svg
    deploy/draw_picture.py FENSI --check   ends with 1 unless it is there as it would be written
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PICTURE = os.path.join(ROOT, "docs", "picture.svg")
MAPPING = os.path.join(ROOT, "deploy", "examples", "followers.yaml")
WIDTH = 960

# Two palettes of the same names; a viewer that knows neither takes the light one.
STYLE = """
  .page { fill: #ffffff; stroke: #d0d7de; }
  .box { fill: #f6f8fa; stroke: #8c959f; }
  .ours { fill: #ddf4ff; stroke: #0969da; }
  .row { fill: #f6f8fa; stroke: #d0d7de; }
  .new { fill: #dafbe1; stroke: #1a7f37; }
  .gone { fill: #ffebe9; stroke: #cf222e; stroke-dasharray: 4 3; }
  text { fill: #1f2328; font: 15px sans-serif; }
  .code { font: 14px monospace; }
  .small { fill: #59636e; font-size: 13px; }
  .head { font-weight: bold; }
  .wire { stroke: #59636e; stroke-width: 1.6; fill: none; marker-end: url(#tip); }
  .tip { fill: #59636e; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #3d444d; }
    .box { fill: #151b23; stroke: #9198a1; }
    .ours { fill: #10243e; stroke: #4493f8; }
    .row { fill: #151b23; stroke: #3d444d; }
    .new { fill: #12261e; stroke: #3fb950; }
    .gone { fill: #25171c; stroke: #f85149; }
    text { fill: #f0f6fc; }
    .small { fill: #9198a1; }
    .wire { stroke: #9198a1; }
    .tip { fill: #9198a1; }
  }
"""


def events():
    """Those that README.md lets a reader write."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as page:
        return re.findall(r"^echo '(\{.*\})' >>? /tmp/fensi-events.jsonl$", page.read(), re.M)


def index_after(fensi, lines):
    """(row, column, value) of the index table, as `fensi scan` tells them."""
    with tempfile.TemporaryDirectory() as folder:
        store = "embedded:" + os.path.join(folder, "store")
        path = os.path.join(folder, "events.jsonl")
        with open(path, "w", encoding="utf-8") as out:
            out.write("".join(line + "\n" for line in lines))
        quiet = {"check": True, "stderr": subprocess.DEVNULL}
        subprocess.run([fensi, "run", MAPPING, "--source", "file:" + path, "--store", store], **quiet)
        out = subprocess.run([fensi, "scan", "followers", "--json", "--store", store], stdout=subprocess.PIPE, **quiet).stdout
    return [(cell["row"], cell["column"], cell["value"]) for cell in map(json.loads, out.decode().splitlines())]


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{html.escape(words, quote=False)}</text>'


def box(x, y, width, height, kind, *lines):
    """Lines of (words, kind), in the middle of the box."""
    parts = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" class="{kind}"/>']
    first = y + height / 2 - 9 * (len(lines) - 1) + 5
    return parts + [text(x + width // 2, round(first + 18 * i), words, its_kind, "middle")
                    for i, (words, its_kind) in enumerate(lines)]


def wire(x, y, to, words=""):
    line = [f'<path d="M{x} {y} H{to}" class="wire"/>']
    return line + ([text((x + to) // 2, y - 8, words, "small", "middle")] if words else [])


def stations(rule):
    """The way of a change, from table to table, and who runs each part."""
    at, parts = 62, []
    parts += box(24, at, 138, 62, "box", ("follows", "head"), ("your HBase table", "small"))
    parts += wire(162, at + 31, 216, "log")
    parts += box(220, at, 138, 62, "ours", ("fensi capture", "head"), ("a replication peer", "small"))
    parts += wire(358, at + 31, 412)
    parts += box(416, at, 126, 62, "box", ("Kafka", "head"), ("topic follows", "small"))
    parts += wire(542, at + 31, 596)
    parts += box(600, at, 134, 62, "ours", ("fensi run", "head"), (rule, "code"))
    parts += wire(734, at + 31, 798, "Thrift2")
    return parts + box(802, at, 134, 62, "box", ("followers", "head"), ("the index table", "small"))


def step(y, event, before, after):
    """One event, and what it makes of the index: what is new, and what is gone."""
    put = event["cells"][0]
    line = f"put '{event['table']}', '{event['row']}', '{put['column']}', '{put['value']}'"
    parts = box(24, y, 340, 44, "row", (line, "code"))
    parts += wire(364, y + 22, 414)
    changes = [("new", cell) for cell in after if cell not in before] + [("gone", cell) for cell in before if cell not in after]
    for i, (kind, (row, column, value)) in enumerate(changes):
        x = 418 + i * 268
        parts += box(x, y, 250, 44, kind, (f"row {row}, {column} = {value}", "code"))
        parts.append(text(x + 125, y + 62, "the new entry" if kind == "new" else "removed, after the put", "small", "middle"))
    return parts


def draw(fensi):
    with open(MAPPING, encoding="utf-8") as mapping:
        rule = re.search(r"^    row: '(.*)'$", mapping.read(), re.M).group(1)
    lines = events()
    if len(lines) < 2:
        sys.exit("README.md has no events to draw; this script must follow it")
    parts = [text(24, 40, "From a put in follows to an entry of followers. Blue: fensi. Grey: your HBase and Kafka.", "head")]
    parts += stations("row: " + rule)
    parts += [text(24, 176, "an application writes", "small"), text(418, 176, "the index table changes", "small")]
    before = []
    for i, line in enumerate(lines):
        after = index_after(fensi, lines[:i + 1])
        parts += step(192 + 90 * i, json.loads(line), before, after)
        before = after
    bottom = 192 + 90 * len(lines)
    parts.append(text(24, bottom + 16, "Duplicates, late events and crashes do not change the result. 'fensi verify' compares both tables.", "small"))
    tip = '<marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0 L8 4 L0 8 z" class="tip"/></marker>'
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 40}" width="{WIDTH}" height="{bottom + 40}" '
            'role="img" aria-label="A put into the table follows passes fensi capture, Kafka and fensi run, and becomes an entry of the index table followers">')
    page = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{bottom + 38}" rx="12" class="page"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", f"<defs>{tip}</defs>", page, *parts, "</svg>", ""])


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    picture = draw(sys.argv[1])
    if sys.argv[2:]:
        with open(PICTURE, encoding="utf-8") as there:
            if there.read() == picture:
                return
        sys.exit("docs/picture.svg is not what README.md and fensi make of it: run deploy/draw_picture.py FENSI")
    with open(PICTURE, "w", encoding="utf-8") as out:
        out.write(picture)


if __name__ == "__main__":
    main()
