"""Somebody deletes cells of a job in the meta table: what is not all there is not called done, and the way out that is told leads out."""
import harness
from cluster.commands import STORE, made, ran, wrong
from cluster.world import World

JOB = "verify m.yaml fensi %s --distributed --recheck_s 0" % STORE


class DeletedCells(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.world = World()
        self.addCleanup(self.world.close)
        made(self.world)
        ran(self.world)
        wrong(self.world)
        self.assertEqual(self.world.run(JOB).code, 1)

    def delete(self, row_begins, column_begins=b""):
        def delete(tables):
            table, gone = tables[b"fensi_meta"], 0
            for row in list(table.rows):
                for family, name, ts, _, _ in list(table.cells(row, False)) if row.startswith(row_begins) else ():
                    if name.startswith(column_begins):
                        table.mark(row, family, name, ts, 12)
                        gone += 1
            return gone
        self.assertGreater(self.world.gateway.locked(delete), 0)

    def way_out(self, says):
        ended = self.world.run(JOB)
        self.assertEqual(ended.code, 78, ended)
        self.assertIn(says, ended.text)
        self.assertIn("--restart", ended.text)
        again = self.world.run(JOB + " --restart")
        self.assertEqual(again.code, 1, again)

    def test_what_was_found(self):
        self.delete(b"job:fensi:verify:")
        self.way_out("table fensi_meta, rows that begin with job:fensi:verify: findings of this comparison are missing")

    def test_a_range(self):
        self.delete(b"job:fensi:verify", b"range/")
        self.way_out("somebody deleted the row. Enter the same command again, with --restart")


harness.main_side_by_side(2)
