#!/usr/bin/env python3
"""Who puts, waits until the index is complete up to now, and reads, finds what was put: also when the capture is killed in between,
and by the programs of docs/read-your-writes.md as they stand there."""
import json
import os
import re
import subprocess
import time
import unittest

from lib import stack
from lib.captured import captured
from lib.complete import wait_complete
from lib.program import fensi_ok, free_address
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))
# Around the page's method: puts, waits, and says whether the wait succeeded and whether the index has it.
JAVA = """
import org.apache.hadoop.hbase.*;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

public class Example {
%s
  public static void main(String[] words) throws Exception {
    byte[] family = Bytes.toBytes("f1"), row = Bytes.toBytes(words[2]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table source = connection.getTable(TableName.valueOf(words[0]));
        Table index = connection.getTable(TableName.valueOf(words[1]));
        Table meta = connection.getTable(TableName.valueOf("fensi_meta"))) {
      source.put(new Put(row).addColumn(family, Bytes.toBytes("b"), Bytes.toBytes("x")));
      boolean complete = awaitIndex(meta, words[1], 1000, 60_000);
      System.out.println(complete + " " + index.exists(new Get(Bytes.toBytes("b")).addColumn(family, row)));
      System.out.println(awaitIndex(meta, "nobody", 0, 300));
    }
  }
}
"""


def example(language):
    with open(os.path.join(stack.ROOT, "docs", "read-your-writes.md"), encoding="utf-8") as page:
        (block,) = re.findall(r"^```%s\n(.*?)^```" % language, page.read(), re.M | re.S)
    return block


def get_row(table, row):
    """As happybase's Table.row."""
    done = fensi_ok("scan", table.decode(), "--prefix", row.decode(), "--store", stack.hbase_url(), "--format", "jsonl")
    cells = [json.loads(line) for line in done.stdout.splitlines()]
    return {cell["column"].encode(): cell["value"].encode() for cell in cells if cell["row"] == row.decode()}


class WaitTest(unittest.TestCase):
    def setUp(self):
        self.table = captured(self, "wait", watermark_interval_ms=1000)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def wait(self, *words):
        return wait_complete(self.table.mapping, self.table.index, stack.hbase_url(), *words, source_of=self.table.transposed)

    def watermark(self, place):
        """What the daemon shows of it."""
        (index,) = json.loads(fensi_ok("status", "--daemon=" + place, "--json").stdout)["indexes"]
        return index["complete_ms"]

    def put(self, row):
        self.assertEqual(self.table.load([(row, "f1:b", int(time.time() * 1000), "x")]).wait(), 0)

    def wait_and_read(self, row):
        begin = time.monotonic()
        done = self.wait("--until", "now", "--timeout_s", "60")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = fensi_ok("lookup", self.table.mapping, self.table.index, "b", "--store", stack.hbase_url()).stdout
        self.assertIn("f1:" + row, found)
        return time.monotonic() - begin

    def by_java(self):
        path = os.path.join(self.table.folder, "Example.java")
        with open(path, "w", encoding="utf-8") as out:
            out.write(JAVA % example("java"))
        command, options = stack.java_command(path, self.table.source, self.table.index, "java")
        done = subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE, timeout=120, **options)
        self.assertEqual(done.stdout.splitlines()[-2:], ["true true", "false"])

    def by_python(self):
        program = {"time": time}
        exec(example("python"), program)  # pylint: disable=exec-used
        self.put("python")
        self.assertTrue(program["await_index"](get_row, self.table.index.encode()))
        found = fensi_ok("lookup", self.table.mapping, self.table.index, "b", "--store", stack.hbase_url()).stdout
        self.assertIn("f1:python", found)
        self.assertFalse(program["await_index"](get_row, b"nobody", timeout_s=0.3))

    def test_who_waits_reads_his_own_write(self):
        with self.table.daemon("run") as run:
            with self.table.capture("first") as first:
                self.put("first")  # HBase may need some seconds to find a new capture
                until("a watermark", lambda: "has no watermark" not in self.wait("--until", "now", "--timeout_s", "1").stderr, 60)
                for number in range(ROUNDS):
                    self.put("r%d" % number)
                    print("waited %.1f s" % self.wait_and_read("r%d" % number))
                self.by_java()
                self.by_python()
                self.put("killed")
                first.kill()
            # Five addresses: a batch is one call all the same.
            with self.table.capture("second"), self.table.capture("third", "--listen", ",".join(["127.0.0.1:0"] * 4)):
                self.wait_and_read("killed")
                self.put("shared")
                self.wait_and_read("shared")
                # An idle table stays as complete as a busy one.
                self.assertEqual(self.wait("--until", "now").returncode, 0)
            self.assertEqual(run.stop(), 0)

    def test_without_a_capture_nothing_is_promised(self):
        place = free_address()
        with self.table.daemon("run", "--admin=" + place) as run:
            done = self.wait("--until", "now", "--timeout_s", "2")
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn("has no watermark", done.stderr)
            self.assertIsNone(self.watermark(place))
            with self.table.capture("capture0"):
                until("there are marks", lambda: self.wait("--until", "0", "--timeout_s", "1").returncode == 0)
                begin = int(time.time() * 1000)
                until("the daemon shows the watermark", lambda: (self.watermark(place) or 0) >= begin, 60)
            late = self.wait("--until", "now", "--timeout_s", "2")
            self.assertEqual(late.returncode, 75, late.stderr)
            self.assertIn("the watermark of index", late.stderr)
            self.assertEqual(run.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
