"""--source_store: the source table is in one HBase, and the index in another one. Both are fakes in this process (cluster/): each notes
the tables that fensi calls it about. The index's HBase has a table of the source's name with other rows, which no command may read."""
import re

import harness
from cluster.gateway import WRITES, Gateway, Seat, Table
from cluster.thrift_wire import I32, LIST, STRING, STRUCT, get
from cluster.world import ROWS, World

SOURCE = b"guanzhu"
FAR, STORE, KAFKA, STREAM = "--source_store FAR", "--store STORE", "--kafka KAFKA", "--source kafka://KAFKA"
TABLES = FAR + " " + STORE
RUN = "run m.yaml --index %s " + STREAM + " " + TABLES + " --until_end --admin none --kafka_session_timeout_ms 6000"
VERIFY = "verify m.yaml fensi " + TABLES + " --recheck_s 0 "
# Names of tables in arguments: bytes, or a structure of namespace and name.
WITHOUT_TABLE = ("getTableDescriptorsByNamespace", "getTableNamesByPattern", "getTableNamesByNamespace", "getThriftServerType", "getClusterId",
                 "closeScanner", "getScannerRows", "createNamespace", "getNamespaceDescriptor", "listNamespaceDescriptors", "listNamespaces")


def source_table():
    return Table({1: (STRUCT, {2: (STRING, SOURCE)}), 2: (LIST, (STRUCT, [{1: (STRING, b"f1"), 10: (I32, 1)}]))}, [b"r3"])


def table_of(name, arguments):
    """The table of a call; absent: it is about none."""
    if name in WITHOUT_TABLE:
        return None
    said = get(arguments, 1)
    if isinstance(said, dict) and name == "createTable":
        said = get(said, 1)
    return said if isinstance(said, bytes) else get(said, 2)


class TwoClusters(World):
    """The world's own HBase has the indexes."""

    def __init__(self):
        super().__init__()
        self.source = Gateway()
        self.far = Seat(self.source)
        self.source.locked(lambda tables: tables.update({SOURCE: source_table()}))
        self.calls = {"index": set(), "source": set()}
        self._note(self._seat, "index")
        self._note(self.far, "source")
        decoy = self.gateway.tables[SOURCE]
        for number in range(4):
            decoy.put(b"decoy%d" % number, b"f1", b"from", 1000, b"decoyed")

    def _note(self, seat, place):
        def on_call(name, arguments):
            self.calls[place].add((name, table_of(name, arguments)))
            return True
        seat.begin(None, on_call)

    def words(self, words, victim=None):
        return [word.replace("FAR", self.far.url) for word in super().words(words, victim)]

    def close(self):
        self.far.close()
        super().close()

    def put_rows(self):
        for row, followed, ts in ROWS:
            self.source.locked(lambda tables, r=row, t=ts, v=followed: tables[SOURCE].put(r.encode(), b"f1", b"from", t, v.encode()))

    def daemon(self, index):
        process = self.begin("run m.yaml --index %s %s %s --kafka_session_timeout_ms 6000 --admin none" % (index, STREAM, TABLES))
        self.await_("the daemon of " + index, lambda: self.broker.groups.is_stable("fensi-" + index) or not process.runs())
        return process

    def publish(self, *lines):
        self.file("some", "".join(line + "\n" for line in lines))
        self.publish_file("some")

    def make(self):
        self.succeeds("create m.yaml --partitions 2 --execute %s %s" % (TABLES, KAFKA))
        self.put_rows()

    def cells(self, table):
        def shown(tables):
            return sorted({(row, name) for row in tables[table].rows for _, name, _, _, _ in tables[table].cells(row, False)})
        return self.gateway.locked(shown)


ENTRIES = sorted((followed.encode(), row.encode()) for row, followed, _ in ROWS)


def put(row, followed, ts):
    return '{"table":"guanzhu","row":"%s","cells":[{"type":"put","column":"f1:from","ts":%d,"value":"%s"}]}' % (row, ts, followed)


def delete_version(row, ts):
    return '{"table":"guanzhu","row":"%s","cells":[{"type":"delete","column":"f1:from","ts":%d}]}' % (row, ts)


class SourceStore(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.world = TwoClusters()
        self.addCleanup(self.world.close)

    def each_store_has_its_tables(self):
        """The source's HBase is only read, and only the source table. The index's HBase is never asked about it."""
        source, index = self.world.calls["source"], self.world.calls["index"]
        self.assertEqual({table for _, table in source} - {None, b"fensi_probe"}, {SOURCE})
        self.assertEqual({name for name, _ in source} & set(WRITES), set())
        self.assertNotIn(SOURCE, {table for _, table in index})

    def says(self, code, words, *texts):
        ended = self.world.run(words)
        self.assertEqual(ended.code, code, ended)
        for text in texts:
            self.assertIn(text, ended.text.replace(self.world.far.url, "FAR").replace(self.world._seat.url, "STORE"))
        return ended

    def test_an_index_is_adopted_from_its_creation_to_its_end(self):
        world = self.world
        world.make()
        self.says(0, "init guanzhu " + TABLES, "source: guanzhu")
        self.says(0, "forecast m.yaml fensi " + TABLES, "index fensi")
        self.assertEqual(set(world.source.snapshot()[0]), {SOURCE}, "every table of fensi is beside the index")
        self.assertIn(b"r3", world.gateway.tables[b"third_state"].splits, "the state table is split as the far source")
        self.says(0, "check m.yaml --online " + TABLES)
        # Half of the rows come by the stream, with an event that only the source row answers: r1 has no older put there.
        world.publish(put("r0", "b0", 1000), put("r1", "old", 900), put("r1", "b1", 1001), put("r1", "gone", 1010), delete_version("r1", 1010))
        world.succeeds(RUN % "fensi")
        self.assertEqual(world.cells(b"fensi"), [(b"b0", b"r0"), (b"b1", b"r1")])
        with world.daemon("fensi"):
            self.says(0, "backfill m.yaml fensi --skip_watermark_check --execute %s %s" % (STREAM, TABLES), "6 rows of table guanzhu")
            self.assertEqual(world.cells(b"fensi"), ENTRIES)
            self.says(0, VERIFY, "0 differences among 6 source rows")
            self.says(0, VERIFY + "--method=digest", "0 differences")
            self.says(0, "status m.yaml --index fensi %s %s" % (STREAM, STORE), "fensi")
            world.gateway.locked(lambda tables: tables[b"fensi"].mark(b"b1", b"f1", b"r1", 2 ** 41, 12))
            world.gateway.locked(lambda tables: tables[b"fensi"].put(b"b9", b"f1", b"r1", 5, b""))
            self.says(1, VERIFY + "--report r.jsonl", "2 differences (1 missing, 1 orphan")
            self.says(0, "repair m.yaml fensi --from_report r.jsonl --execute --wait_s 60 --recheck_s 0 %s %s" % (STREAM, TABLES), "0 differences left")
        self.assertEqual(world.cells(b"fensi"), ENTRIES)
        self.says(0, VERIFY + "--distributed", "0 differences")
        self.says(0, "switch m.yaml fans --to fensi --skip_verification --execute " + STORE)
        found = self.says(0, "lookup m.yaml @fans b1 --source_rows --format tsv " + TABLES)
        self.assertEqual(re.findall("f1:(r[0-9])", found.text), ["r1", "r3", "r5"])
        self.assertNotIn("STALE", found.text)
        self.says(0, "explain m.yaml --index fensi --row r1 " + TABLES, "b1")
        self.says(0, "switch m.yaml fans --remove --execute " + STORE)
        self.says(0, "drop m.yaml fensi --execute %s %s" % (STORE, KAFKA))
        self.assertNotIn(b"fensi", world.gateway.tables)
        self.each_store_has_its_tables()

    def test_a_scrub_compares_with_the_far_source(self):
        world = self.world
        world.make()
        world.publish(*(put(row, followed, ts) for row, followed, ts in ROWS))
        process = world.begin("run m.yaml --index fensi --scrub_rows_per_second 1000 --admin none --kafka_session_timeout_ms 6000 %s %s" % (STREAM, TABLES))
        world.await_("a scrub", lambda: world.meta_cell(b"index:fensi", b"scrubbed/") or not process.runs())
        ended = process.stop()
        self.assertEqual(ended.code, 0, ended)
        self.assertRegex(world.meta_cell(b"index:fensi", b"scrubbed/").decode(), r"^\d+ \d+ 6 6 0 0 0 0 0$")
        self.each_store_has_its_tables()

    def test_a_stateless_index_asks_the_far_source_and_an_index_is_converted_to_one(self):
        world = self.world
        world.make()
        world.publish(put("r0", "b0", 1000), delete_version("r0", 999))
        world.succeeds(RUN % "third")
        world.succeeds("convert mirror.yaml third --execute %s %s" % (TABLES, KAFKA))
        world.publish(put("r1", "b1", 1001), delete_version("r1", 999))
        world.succeeds((RUN % "third").replace("m.yaml", "mirror.yaml"))
        self.assertEqual(world.cells(b"third"), [(b"from", b"r0"), (b"from", b"r1")])
        self.each_store_has_its_tables()

    def test_a_forgotten_flag_is_refused_by_everything_that_reads_the_source(self):
        world = self.world
        world.make()
        world.publish(put("r0", "b0", 1000))
        for index in ("fensi", "third"):
            world.succeeds(RUN % index)
        before = world.gateway.snapshot()
        for words in (RUN % "fensi", VERIFY, VERIFY + "--distributed",
                      "repair m.yaml fensi r0 --execute %s %s" % (STREAM, TABLES),
                      "backfill m.yaml fensi --skip_watermark_check --execute %s %s" % (STREAM, TABLES),
                      "lookup m.yaml fensi b0 --source_rows " + TABLES,
                      "convert mirror.yaml third %s %s" % (TABLES, KAFKA), "check m.yaml --online " + TABLES):
            with self.subTest(words):
                self.says(78, words.replace(FAR + " ", ""), "began with its source table guanzhu in another cluster than --store", "with --source_store")
        self.assertEqual(world.gateway.snapshot()[0].keys(), before[0].keys())
        self.assertEqual(world.cells(b"fensi"), [(b"b0", b"r0")])

    def test_a_flag_that_came_later_is_refused(self):
        world = self.world
        world.make()
        world.publish(put("decoy0", "decoyed", 1000))
        world.succeeds((RUN % "fensi").replace(FAR + " ", ""))
        self.says(78, RUN % "fensi", "began with its source table guanzhu in --store. Leave out --source_store", "fensi drop")
        self.says(78, VERIFY, "Leave out --source_store")
        self.says(0, VERIFY.replace(FAR + " ", "") + "--start_row decoy0 --stop_row decoy1", "0 differences")

    def test_a_source_that_is_in_neither_store(self):
        world = self.world
        world.make()
        world.source.locked(lambda tables: tables.pop(SOURCE))
        self.says(78, RUN % "fensi", "source table guanzhu is missing in FAR (--source_store)")
        self.says(78, VERIFY, "FAR (--source_store) has no table 'guanzhu'")
        self.says(78, "backfill m.yaml fensi %s %s" % (STREAM, TABLES), "FAR (--source_store) has no table 'guanzhu'")
        self.says(78, "check m.yaml --online " + TABLES, "source table guanzhu: is not in FAR", "--source_store")
        self.says(78, "explain m.yaml --row r0 " + TABLES, "FAR has no table 'guanzhu'")
        self.assertNotIn(SOURCE, {table for _, table in world.calls["index"]}, "the table of the same name is no substitute")

    def test_a_source_in_the_other_store_only_is_told_with_the_flag(self):
        world = self.world
        world.make()
        world.gateway.locked(lambda tables: tables.pop(SOURCE))
        for words in (VERIFY, "backfill m.yaml fensi %s %s" % (STREAM, TABLES), "forecast m.yaml fensi " + TABLES,
                      "repair m.yaml fensi r0 %s %s" % (STREAM, TABLES)):
            with self.subTest(words):
                self.says(78, words.replace(FAR + " ", ""), "STORE has no table 'guanzhu'. Check its name and --store. If the source table is in another cluster, "
                          "name that cluster by --source_store")
        checked = world.run("check m.yaml --online " + STORE)
        self.assertIn("If it is in another cluster, name that cluster by --source_store", checked.text)
        # Without the flag the index begins without its source, as ever, and stays so.
        world.succeeds((RUN % "fensi").replace(FAR + " ", ""))
        self.says(78, RUN % "fensi", "began without its source table")

    def test_tables_of_the_index_that_are_in_the_far_store_do_not_count(self):
        world = self.world
        world.make()
        world.source.tables.update({name: world.gateway.tables.pop(name) for name in (b"fensi", b"fensi_state")})
        self.says(78, RUN % "fensi", "create the missing tables and topics with: fensi create m.yaml --store STORE --source_store FAR --kafka")
        self.says(78, VERIFY, "STORE has no table 'fensi'")

    def test_stores_that_are_one_or_none(self):
        world = self.world
        for words in (RUN % "fensi", VERIFY, "create m.yaml --execute " + TABLES, "check m.yaml --online " + TABLES,
                      "backfill m.yaml fensi %s %s" % (STREAM, TABLES), "forecast m.yaml " + TABLES):
            with self.subTest(words):
                self.says(64, words.replace("FAR", "STORE"), "they are one store")
                self.says(64, words.replace("FAR", "embedded:data"), "Use two servers, or two embedded stores")
                self.says(64, words.replace(FAR, "--source_store_qop=auth"), "--source_store_qop requires --source_store")
                self.says(64, words.replace("FAR", "far:2181"), "--source_store=far:2181: write hbase://ZOOKEEPER:2181/hbase")
        self.says(64, "create m.yaml --format=shell " + FAR, "--source_store requires --store")
        self.says(64, "verify m.yaml fensi --store STORE/ --source_store STORE", "--store")
        self.says(78, "check m.yaml --online --meta_table guanzhu " + TABLES)

    def test_security_of_the_source_is_its_own(self):
        """What a connection would not use is refused for each store by itself."""
        words = "verify m.yaml fensi " + TABLES
        self.says(64, words + " --source_store_tls_ca_file pem", "require TLS, and thrift:// has none")
        self.says(64, words + " --source_store_tls_cert_file pem", "--source_store_tls_cert_file and --source_store_tls_key_file require each other")
        self.says(64, words + " --source_store_qop auth", "--source_store_qop requires --source_store_kerberos_service")
        world = self.world
        world.make()
        # A source without security beside a store with Kerberos: the store is what refuses here.
        plain = self.world.run(words + " --store_kerberos_service hbase --source_store_kerberos_service none --connect_timeout_s 1")
        self.assertNotIn("--source_store", plain.text)

    def test_one_store_is_away(self):
        world = self.world
        world.make()
        nowhere = "thrift://127.0.0.1:1"
        quick = " --connect_timeout_s 1"
        for words in (VERIFY, "forecast m.yaml " + TABLES, "backfill m.yaml fensi %s %s" % (STREAM, TABLES), "check m.yaml --online " + TABLES,
                      "repair m.yaml fensi r0 %s %s" % (STREAM, TABLES), "lookup m.yaml fensi b0 --source_rows " + TABLES):
            with self.subTest(words):
                self.says(69, words.replace("FAR", nowhere) + quick, "--source_store " + nowhere + ":", "127.0.0.1:1")
                away = self.says(69, words.replace("STORE", nowhere) + quick, "127.0.0.1:1")
                self.assertNotIn("--source_store", away.text)
        # Commands that need only the index do without the source.
        self.says(0, ("lookup m.yaml fensi b0 " + TABLES).replace("FAR", nowhere) + quick)

    def test_a_daemon_outlives_an_outage_of_the_source_alone(self):
        world = self.world
        world.make()
        with world.daemon("fensi") as daemon:
            world.publish(put("r0", "b0", 1000))
            world.await_("an entry", lambda: world.cells(b"fensi") == [(b"b0", b"r0")])
            asked = []
            world.far.begin(None, lambda name, _: asked.append(name))  # no answer, and the connection is closed
            world.publish(put("r1", "gone", 1010), delete_version("r1", 1010))
            world.await_("some attempts to read the source", lambda: len(asked) > 3 or not daemon.runs())
            self.assertTrue(daemon.runs(), daemon.said())
            self.assertNotIn((b"b1", b"r1"), world.cells(b"fensi"))
            world.far.begin(None)
            world.await_("what the source says of r1", lambda: world.cells(b"fensi") == [(b"b0", b"r0"), (b"b1", b"r1")])


harness.main_side_by_side(3)
