#!/usr/bin/env python3
"""What docs/versions.md says of versions of the servers is what was tried. FENSI_ACCEPT=1 writes it."""
import os
import tempfile
import unittest
from unittest import mock

from lib import server_table


class ServerTableTest(unittest.TestCase):
    def test_the_tables_are_those_of_what_was_tried(self):
        for page in server_table.PAGES:
            if os.environ.get("FENSI_ACCEPT") == "1":
                server_table.write(page)
            self.assertEqual(server_table.shown(page), "\n" + server_table.table(page, server_table.kept()) + "\n", page)

    def test_what_was_not_tried_is_called_so_and_what_has_no_markers_too(self):
        tried = {"2.4.17/3.3.2": {"tried": "2000-01-01", "markers": False, "native": True},
                 "2.6.1/4.1.0": {"tried": "2000-01-02", "markers": True, "native": True}}
        rows = server_table.table("docs/versions.md", tried).splitlines()
        self.assertEqual(len(rows), 2 + len(server_table.PAIRS))
        self.assertEqual({row.count("|") for row in rows}, {len(server_table.PAGES["docs/versions.md"]["heads"]) + 1})
        self.assertTrue(rows[2].startswith("| 2.4.17 | 3.3.2 | 2000-01-01 | exact |"))
        self.assertTrue(rows[2].endswith("| exact, `--skip_watermark_check` | not available: HBase has no replication markers |"))
        self.assertEqual(rows[3], "| 2.5.8 | 3.5.2 | not yet | – | – | – | – | – | – | – |")
        self.assertEqual(rows[5], "| 2.6.1 | 4.1.0 | 2000-01-02 | exact | exact | exact | exact | exact | exact | exact |")

    def test_an_hbase_whose_gateway_maven_does_not_have_is_tried_without(self):
        pair = server_table.PAIRS[-1]
        self.assertIn(pair[0], server_table.ALONE)
        tried = {"/".join(pair): {"tried": "2000-01-02", "markers": False, "native": True}}
        rows = server_table.table("docs/versions.md", tried).splitlines()
        self.assertTrue(rows[-1].startswith("| %s | %s | 2000-01-02 | exact | Maven has no gateway | exact |" % pair))
        self.assertTrue(rows[-1].endswith("| not available: HBase keeps its queues in a table |"))

    def test_the_readme_names_the_versions_that_were_tried(self):
        with open(server_table.path_of(server_table.README), encoding="utf-8") as source:
            text = source.read()
        if os.environ.get("FENSI_ACCEPT") == "1":
            server_table.write_readme()
        else:
            self.assertEqual(text, server_table.in_readme(text, server_table.kept()))
        tried = {"2.4.17/3.3.2": {}, "2.5.8/3.5.2": {}, "2.6.1/4.1.0": {}}
        self.assertIn("| HBase | tested with 2.4.17, 2.5.8 and 2.6.1; ", server_table.in_readme(text, tried))
        self.assertIn("| Kafka | tested with 3.3.2 to 4.1.0; ", server_table.in_readme(text, tried))

    def test_a_pair_on_which_something_fails_again_is_called_untried(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(server_table, "KEPT", os.path.join(folder, "servers.json")):
            with open(server_table.KEPT, "w", encoding="utf-8") as out:
                out.write("{}")
            outcome = {"tried": "2000-01-01", "markers": True}
            for pair in server_table.PAIRS[:2]:
                server_table.keep(pair, outcome)
            server_table.keep(server_table.PAIRS[0], None)
            self.assertEqual(server_table.kept(), {"2.5.8/3.5.2": outcome})


if __name__ == "__main__":
    unittest.main(verbosity=2)
