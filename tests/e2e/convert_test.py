#!/usr/bin/env python3
"""Two indexes that were begun with states are moved to mirrors by the lines of docs/redefinition.md, while HBase's own client changes
their table in every way: their daemon was killed, and so is the move, after each of its changes. In the end each index is exactly the source."""
import os
import tempfile
import unittest

from lib import changes, shown, stack
from lib.captured import Captured
from lib.deadly import DeadlyGateway
from lib.program import fensi
from lib.proxy import Proxy
from lib.wait import until

SESSION = ("--kafka_session_timeout_ms", "6000")
CHANGES = ("checkAndPut", "putMultiple", "deleteMultiple")
ROWS, PER_SECOND, EVENTS = 2000, 500, 6000
MIRROR, STATES = "mode: stateless", "mode: stateful"


class ConvertTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        mapping = changes.MAPPING + (changes.MIRROR + changes.WIDE_MIRROR).replace(MIRROR, STATES)
        self.table = Captured(scratch.name, "convert", watermark_interval_ms=1000, mapping=mapping)
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.moved = [self.table.index + kind for kind in ("_m", "_e")]

    def lines(self, index, url):
        """Words of the page's lines: what is to do, and that it be done."""
        with open(os.path.join(stack.ROOT, "docs", "redefinition.md"), encoding="utf-8") as page:
            [(script, _)] = shown.blocks(page.read(), "sh convert")
        here = {"fans.yaml": self.table.mapping, "fans": index, "hbase://127.0.0.1:2181/hbase": url,
                "127.0.0.1:9092": os.environ["FENSI_TEST_KAFKA"]}
        return [[here.get(word, word) for word in line.split()[1:]] for line in script.splitlines()]

    def die_in_the_middle(self, clients):
        with Proxy() as proxy, self.table.daemon("victim", *SESSION, store=proxy.url()) as victim:
            until("there are some", lambda: clients.count() >= EVENTS and self.table.committed() > 0, 300)
            proxy.hold_a_write()
            look, _ = self.lines(self.moved[0], stack.hbase_url())
            self.say_mirror()
            refused = fensi(*look)
            self.assertEqual(refused.returncode, 78, refused.stdout)
            self.assertIn("has 1 member", refused.stderr)
            victim.kill()

    def say_mirror(self):
        with open(self.table.mapping, encoding="utf-8") as before:
            text = before.read()
        with open(self.table.mapping, "w", encoding="utf-8") as out:
            out.write(text.replace(STATES, MIRROR))

    def refuse_another_group(self, index):
        """One that a person wrote into the mapping beside the scheme: it has no members, whoever runs the index."""
        look, _ = self.lines(index, stack.hbase_url())
        with open(self.table.mapping, encoding="utf-8") as mapping:
            text = mapping.read()
        other = os.path.join(os.path.dirname(self.table.mapping), "other.yaml")
        with open(other, "w", encoding="utf-8") as out:
            out.write(text.replace("  %s:\n" % index, "  %s:\n    group: nobody\n" % index))
        done = fensi(*(other if word == self.table.mapping else word for word in look))
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("group nobody has committed no offset of topic", done.stderr)

    def refused(self, says, index):
        done = fensi("run", *self.table.run_words("--until_end", "--index", index))
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn(says, done.stderr)

    def move(self, index, gateway):
        """Gives back after which changes it died."""
        deaths = []
        self.refused("move it (fensi convert", index)
        while True:
            code, said = gateway.run(*self.lines(index, gateway.url())[1], spared=len(deaths))
            self.assertIn(code, (None, 0), "after the deaths at %s: %s" % (deaths, said))
            if code == 0:
                return deaths
            deaths.append(said)
            if len(deaths) == 1:
                self.refused("is being converted to stateless", index)

    def test_indexes_with_states_become_mirrors_beside_a_writer(self):
        with self.table.capture():
            clients = changes.ChangingClients(self.table.source, ROWS, PER_SECOND)
            try:
                self.die_in_the_middle(clients)
                with DeadlyGateway(CHANGES) as gateway:
                    for index in self.moved:
                        look, _ = self.lines(index, stack.hbase_url())
                        until("the group is empty", lambda look=look: fensi(*look).returncode == 0, 60)
                        self.refuse_another_group(index)
                        print("%s: %s" % (index, ", ".join(self.move(index, gateway))))
                        self.assertIn("nothing to do", fensi(*look).stderr)
                with self.table.daemon("after", *SESSION) as after:
                    until("more", lambda before=clients.count(): clients.count() >= before + EVENTS, 300)
                    clients.stop()
                    print("%d changes, entries: %s" % (clients.count(), changes.assert_exact(self.table)))
                    self.assertEqual(after.stop(), 0)
            finally:
                clients.stop()


if __name__ == "__main__":
    unittest.main(verbosity=2)
