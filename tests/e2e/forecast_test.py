#!/usr/bin/env python3
"""`fensi forecast` against reality on real servers: for an index of eight files in deploy/examples, a source table with skewed content, the
forecast from the default sample, a backfill, and a major compaction. Each figure that was forecast is counted by HBase's own client, or
read from the files of HBase. A forecast from another table is noticed."""
import collections
import glob
import json
import os
import random
import re
import tempfile
import time
import unittest

from lib import stack
from lib.captured import Captured
from lib.program import fensi, fensi_ok
from lib.stream import Stream
from lib.wait import until

BEGIN_MS, DAYS_MS = 1_782_864_000_000, 60 * 86_400_000
ROWS_PER_SECOND = 500  # of the backfills whose time is forecast
NEAR = 0.15             # of the value that was forecast
HOTTEST = 10
PROVINCES = ["anhui", "beijing", "fujian", "gansu", "guangdong", "guizhou", "hainan", "hebei", "henan", "hubei", "hunan", "jiangsu",
             "jilin", "liaoning", "ningxia", "qinghai", "shaanxi", "shandong", "shanghai", "shanxi", "sichuan", "tianjin", "yunnan"]


class Draw(random.Random):
    """Random content, of which little is frequent and most is rare."""

    def __init__(self, seed):
        super().__init__(seed)
        sounds = [first + then for first in "bdfghjklmnprstwz" for then in ("a", "ei", "o", "un", "i")]
        self.words = ["".join(self.choices(sounds, k=self.choice((1, 2, 2, 3, 4)))) for _ in range(3000)]
        self._long = " ".join(self.words[self.skewed(3000)] for _ in range(100_000))

    def skewed(self, many):
        """From 1 to many - 1; each about as often as its inverse."""
        return int(many ** self.random())

    def text(self, middle, most):
        size = min(most, int(middle * self.lognormvariate(0, 0.9)) + 1)
        begin = self.randrange(len(self._long) - size)
        return self._long[begin:begin + size]

    def time_ms(self):
        return BEGIN_MS + self.randrange(DAYS_MS)


def follows(draw, _):
    return {"f:u%06d" % draw.skewed(50_000): "follows" for _ in range(1 + min(300, int(draw.lognormvariate(0.8, 1))))}


def visits(draw, _):
    return {"p:" + PROVINCES[draw.skewed(len(PROVINCES))]: str(draw.skewed(100_000)) for _ in range(1 + draw.skewed(12))}


def order(draw, number):
    return {"o:seller": "seller%d" % draw.skewed(20_000), "o:buyer": "b%06d" % draw.randrange(100_000), "o:time": str(draw.time_ms()),
            "o:no": "N%09d" % (number * 7919), "o:customer": draw.words[draw.skewed(3000)] + str(draw.skewed(9)),
            "o:total": "%.2f" % draw.lognormvariate(3, 1)}


def article(draw, _):
    tags = ",".join(draw.words[draw.skewed(800)] for _ in range(draw.skewed(9)))
    state = {} if draw.random() < 0.9 else {"a:state": "draft"}
    return {"a:tags": tags, "a:time": str(draw.time_ms()), "a:title": draw.text(40, 200), "a:body": draw.text(3000, 40_000), **state}


def message(draw, _):
    return {"m:from": "user%d" % draw.skewed(5000), "m:to": ",".join("user%d" % draw.skewed(5000) for _ in range(draw.skewed(8))),
            "m:text": draw.text(60, 2000)}


def document(draw, _):
    return {"d:title": draw.text(30, 1000), "d:author": draw.words[draw.skewed(500)]}


def user_row(number):
    return "u%06d" % number


def day_row(number):
    return "201610%02dwww.site%d.com/%x" % (number % 31 + 1, number % 977, number)


def hash_row(number):
    return "%08x" % (number * 2654435761 % 2**32)


def until_zeros(row, _):
    return row.split(b"\0\0")[0]


def behind_salt(row, _):
    return row[1:].split(b"\0\0")[0]


def whole_row(row, _):
    return row


def mentioned(row, cells):
    return cells[row, b"m", b"to"]


def behind_hash(row, _):
    return row[5:]


class Example:
    """An index of a file in deploy/examples. `first`: the first value that a reader gives, from row key and cells of the index. `more`: lines
    of its mapping."""

    def __init__(self, file, index, rows, row, content, first, splits=(), more=""):
        self.file, self.index, self.rows, self.first, self.splits, self._more = file, index, rows, first, splits, more
        self._row, self._content = row, content

    def mapping(self):
        """For a Stream."""
        with open(os.path.join(stack.ROOT, "deploy", "examples", self.file), encoding="utf-8") as lines:
            text = lines.read().split("\ntests:")[0].replace("%", "%%")
        [block] = [block for block in re.split(r"(?m)^(?=  \S+:$)", text) if block.startswith("  %s:\n" % self.index)]
        block = re.sub(r"\A  \S+:\n    table: \S+", "  %(index)s:\n    table: %(index)s", block)
        return "source: %(source)s\nindexes:\n" + block.rstrip("\n") + "\n" + self._more

    def families(self):
        return sorted({column.split(":")[0] for column in self._content(Draw(1), 0)})

    def cells(self):
        draw = Draw(self.file + self.index)
        for number in range(self.rows):
            row, timestamp = self._row(number), draw.time_ms()
            for column, value in sorted(self._content(draw, number).items()):
                yield row, column, timestamp, value


EXAMPLES = [
    Example("orders.yaml", "orders-by-seller", 30_000, hash_row, order, until_zeros, ("4", "8", "c")),
    Example("orders.yaml", "order-by-number", 20_000, hash_row, order, whole_row),
    Example("orders-by-day.yaml", "orders-by-day", 25_000, hash_row, order, behind_salt, ("8",)),
    Example("followers-wide.yaml", "followers", 20_000, user_row, follows, whole_row, ("u005000", "u010000", "u015000")),
    Example("by-province.yaml", "by-province", 20_000, day_row, visits, until_zeros),
    Example("tags.yaml", "articles-by-tag", 20_000, user_row, article, until_zeros, ("u008000",)),
    Example("mentions.yaml", "mentions", 20_000, hash_row, message, mentioned, ("8",)),
    Example("hashed-prefix.yaml", "hashed-prefix", 30_000, user_row, document, behind_hash, ("u015000",), "    mode: stateless\n"),
]
LARGE = {"articles-by-tag"}  # so large that its rows are not counted


class Table(Captured):
    """The source and its index; nothing follows the source."""

    def __init__(self, folder, number, example):
        super().__init__(folder, "forecast%d" % number, mapping=example.mapping())
        self.example = example

    def create(self):  # pylint: disable=arguments-differ
        stack.admin("create", self.source, *self.example.families(), *["@" + split.encode().hex() for split in self.example.splits])
        Stream.create(self)

    def forecast(self, *words, mapping=None):
        return json.loads(fensi_ok("forecast", mapping or self.mapping, "--store", stack.hbase_url(), "--format", "json", *words).stdout)

    def backfill(self, *words):
        """How long it took, from the moment at which the daemon was ready."""
        job = ("backfill", self.mapping, self.index, "--store", stack.hbase_url(), "--source", stack.kafka_url(), "--skip_watermark_check")
        with self.daemon("run") as daemon:
            until("the daemon is ready", lambda: fensi(*job).returncode == 0)
            begin = time.monotonic()
            fensi_ok(*job, "--execute", *words)
            seconds = time.monotonic() - begin
            assert daemon.stop() == 0, daemon.messages()
        return seconds


def stored(table, folder):
    """(row, family, qualifier) -> value, of all cells that HBase's own client reads."""
    path = os.path.join(folder, "dump")
    stack.admin("dump", table, path)
    with open(path, encoding="ascii") as lines:
        fields = [[bytes.fromhex(field) for field in (f[0], f[1], f[2], f[5])] for f in (line.rstrip("\n").split("\t") for line in lines)]
    return {(row, family, qualifier): value for row, family, qualifier, value in fields}


def key_value_bytes(cells):
    """As the reference of HBase defines a KeyValue, with one byte for the number of its write."""
    return sum(4 + 4 + 2 + len(row) + 1 + len(family) + len(qualifier) + 8 + 1 + len(value) + 1
               for (row, family, qualifier), value in cells.items())


def file_bytes(table):
    """After a major compaction a family of a region has one file. Older ones go later, so the newest counts."""
    stack.admin("compact", table)
    total = 0
    for family in glob.glob(os.path.join(os.environ["FENSI_TEST_STACK"], "data", "hbase", "data", "default", table, "*", "*")):
        files = [path for path in glob.glob(os.path.join(family, "*")) if os.path.isfile(path)]
        total += os.path.getsize(max(files, key=os.path.getmtime)) if files else 0
    return total


class Reality:
    """What the tables of an index have."""

    def __init__(self, table):
        cells = stored(table.index, table.folder)
        states = {cell: value for cell, value in stored(table.index + "_state", table.folder).items() if cell[1] != b"i"}
        keys = collections.Counter(table.example.first(row, cells).decode() for row, _, _ in cells)
        self.shares = {key: count / len(cells) for key, count in keys.items()}
        self.figures = {"source_rows": table.example.rows, "entries": len(cells), "index_rows": len({row for row, _, _ in cells}),
                        "index_bytes": key_value_bytes(cells), "index_file_bytes": file_bytes(table.index), "states": len(states),
                        "state_bytes": key_value_bytes(states), "state_file_bytes": file_bytes(table.index + "_state")}

    def hottest(self):
        return sorted(self.shares, key=lambda key: (-self.shares[key], key))[:HOTTEST]


class Report:
    """Lines of the table that is printed, and what was forecast wrong."""

    def __init__(self):
        self.lines, self.wrong = [], []

    def figure(self, index, name, forecast, found):
        """Inside the interval, or near the value."""
        value, low, high = (forecast[key] for key in ("value", "low", "high"))
        right = low <= found <= high or abs(found - value) <= NEAR * value
        self._add(index, name, "%.6g" % value, "%.6g to %.6g" % (low, high), "%.6g" % found, "%.3f" % (found / value) if value else "-", right)

    def keys(self, index, forecast, reality):
        """The bounds of all keys hold at once: those that the forecast names, and those that are the hottest."""
        known = {key["key"]: key for key in forecast["hot_keys"]}
        most = forecast["any_other_key_at_most"]
        for key in sorted({*known, *reality.hottest()}):
            bounds, found = known.get(key, {"low": 0, "high": most}), reality.shares.get(key, 0)
            if not bounds["low"] <= found <= bounds["high"]:
                self.wrong.append("%s: key %s: %.4f to %.4f, found %.4f" % (index, key, bounds["low"], bounds["high"], found))
        first, hottest = forecast["hot_keys"][0], reality.hottest()
        self._add(index, "hottest key", "%.4f" % first["share"], "%.4f to %.4f" % (first["low"], first["high"]),
                  "%.4f" % reality.shares.get(first["key"], 0), "%d of %d" % (len(set(hottest) & set(known)), len(hottest)), True)

    def _add(self, index, name, value, interval, found, ratio, right):
        self.lines.append("| %s | %s | %s | %s | %s | %s |%s" % (index, name, value, interval, found, ratio, "" if right else " WRONG"))
        if not right:
            self.wrong.append("%s: %s: forecast %s (%s), found %s" % (index, name, value, interval, found))

    def of(self, index, forecast, reality):
        for name, found in reality.figures.items():
            self.figure(index, name, forecast[name], found)
        self.keys(index, forecast, reality)

    def text(self):
        return "\n".join(["", "| index | figure | forecast | interval | found | ratio |", "|---|---|---|---|---|---|", *self.lines])


class ForecastTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.report = Report()
        self.write_rate = 0

    def table(self, number, example):
        table = Table(self.folder, number, example)
        table.create()
        self.assertEqual(table.load(example.cells()).wait(), 0)
        stack.admin("flush", table.source)
        return table

    def made(self, number, example):
        """Forecast and reality of an index, in the report."""
        table = self.table(number, example)
        if example.index in LARGE:  # servers tell HBase's master once a second how large their regions are
            until("the size of %s is known" % table.source, lambda: not table.forecast()["counted"])
        rates = ("--scan_rate", str(ROWS_PER_SECOND), "--write_rate", str(self.write_rate)) if self.write_rate else ()
        forecast = table.forecast(*rates)
        self.assertEqual((forecast["counted"], forecast["whole_table"]), (example.index not in LARGE, False))
        self.assertLess(forecast["sampled_rows"], example.rows / 10)
        seconds = table.backfill(*(("--rows_per_second", str(ROWS_PER_SECOND)) if rates else ()))
        reality = Reality(table)
        self.report.of(example.index, forecast, reality)
        self.take_time(example.index, forecast, seconds, reality)
        self.check_compared(table, reality)
        return table, reality

    def take_time(self, index, forecast, seconds, reality):
        """The first backfill has no limit, and tells how many cells a second HBase takes."""
        if self.write_rate:
            slower = max(forecast["scan_seconds"], forecast["write_seconds"], key=lambda time: time["value"])
            self.report.figure(index, "backfill_seconds", slower, seconds)
            return
        cells = reality.figures["entries"] + reality.figures["states"]
        self.write_rate = int(cells / seconds)
        print("%s: a scan by one thread of %.1f s was forecast, and the backfill took %.1f s: %d cells/s" % (
            index, forecast["scan_seconds"]["value"], seconds, self.write_rate))

    def check_compared(self, table, reality):
        """What --compare counts is what HBase's own client counts, and it says truly what is inside."""
        compared = table.forecast("--compare")["compared"]
        for one in compared:
            forecast, found = one["forecast"], one["found"]
            self.assertEqual(found, reality.figures[one["figure"].replace(" ", "_")], one)
            self.assertEqual(one["inside"], forecast["low"] <= found <= forecast["high"], one)
        self.assertEqual([one["figure"] for one in compared], ["entries", "index bytes", "states", "state bytes"])

    def check_that_another_table_is_noticed(self, made, reality, other):
        """The forecast of an index from another table than its own is wrong, and --compare says so."""
        path = os.path.join(self.folder, "other.yaml")
        with open(made.mapping, encoding="utf-8") as own, open(path, "w", encoding="utf-8") as out:
            out.write(own.read().replace("source: " + made.source, "source: " + other.source))
        wrong = Report()
        wrong.of("other", made.forecast(mapping=path), reality)
        self.assertIn("other: entries: ", "\n".join(wrong.wrong))
        compared = made.forecast("--compare", mapping=path)["compared"]
        self.assertFalse(compared[0]["inside"], compared)

    def test_the_forecasts_of_eight_examples_come_true(self):
        try:
            made = [self.made(number, example) for number, example in enumerate(EXAMPLES)]
        finally:
            print(self.report.text())
        self.assertEqual(self.report.wrong, [])
        self.check_that_another_table_is_noticed(*made[0], made[1][0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
