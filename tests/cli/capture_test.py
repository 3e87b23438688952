"""What 'fensi capture' refuses and prints without any server."""
import harness

ZOOKEEPER = "--zookeeper=127.0.0.1:1"


class Capture(harness.CliTest):
    def test_plan_prints_the_lines_for_the_shell(self):
        plan = self.succeeds("capture", "guanzhu", "--plan", ZOOKEEPER, "--znode=/f", "--peer=p").out
        self.assertIn("add_peer 'p', CLUSTER_KEY => \"127.0.0.1:1:/f\", TABLE_CFS => {\"guanzhu\" => []}", plan)

    def test_bad_values_are_refused_all_at_once(self):
        outcome = self.refuses(64, "capture", "t", "--znode=fensi", "--listen=localhost:1,1.2.3.4", "--topic=a b",
                               "--announce=h:1", "--message_kb=1")
        for text in ("--znode=fensi: a znode is /NAME", "'localhost:1' is not an address of this machine in numbers",
                     "--topic=a b: 'a b' is no topic's name", "--announce=h:1: 'h:1' is not a host",
                     "--message_kb=1: must be from 64 to 99000", "--zookeeper is missing"):
            self.assertIn(text, outcome.err)

    def test_kafka_is_needed_without_plan(self):
        self.refuses(64, "capture", "t", ZOOKEEPER, says="--kafka is missing")

    def test_a_heartbeat_needs_a_store(self):
        self.refuses(64, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=h", says="--heartbeat_table needs")

    def test_a_heartbeat_into_a_captured_table_is_refused(self):
        self.refuses(64, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=t", "--store=embedded:x",
                     says="--heartbeat_table t is captured")

    def test_bad_tables_are_refused(self):
        self.refuses(64, "capture", "a b", ZOOKEEPER, "--plan", says="'a b' is no table name of HBase")
        for name in ("", ":t", "ns:", "a:b:c", "-t", "n.s:t", "x" * 201):
            self.refuses(64, "capture", name, ZOOKEEPER, "--plan")
        self.refuses(64, "capture", "t", "t", ZOOKEEPER, "--plan", says="table t is named twice")
        self.refuses(64, "capture", "t", "default:t", ZOOKEEPER, "--plan", says="table t is named twice")

    def test_the_default_namespace_is_not_written(self):
        plan = self.succeeds("capture", "default:guanzhu", "--plan", ZOOKEEPER).out
        self.assertIn("TABLE_CFS => {\"guanzhu\" => []}", plan)
        self.refuses(78, "capture", "default:fensi_state", ZOOKEEPER, "--plan", says="by its name a state table of fensi")
        self.refuses(64, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--heartbeat_table=default:t",
                     "--store=embedded:x", says="is captured")

    def test_own_tables_are_refused(self):
        self.refuses(78, "capture", "fensi_state", ZOOKEEPER, "--plan", says="by its name a state table of fensi")
        mapping = self.file("m.yaml", "source: guanzhu\nindexes:\n  fensi:\n    table: fensi\n    row: '{f1:from}'\n"
                                      "    columns:\n      'f1:{row}': '{f1:from@ts | decimal}'\n")
        self.refuses(78, "capture", "fensi", ZOOKEEPER, "--plan", "--mapping", mapping,
                     says="table fensi is the table of index fensi of fensi")

    def test_a_kafka_that_is_away_is_named(self):
        self.refuses(69, "capture", "t", ZOOKEEPER, "--kafka=127.0.0.1:1", "--connect_timeout_s=1",
                     says="broker 127.0.0.1:1 cannot be reached")


harness.main()
