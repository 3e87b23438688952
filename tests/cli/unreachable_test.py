"""Servers that are not there: exit code 69, the address, and never a stack trace."""
import socket
import subprocess
import time

import harness
from follow import MAPPING

NOBODY = "127.0.0.1:1"  # no service listens on port 1
PATIENCE = "--connect_timeout_s=1"


class Unreachable(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("guanzhu.yaml", MAPPING)

    def unreachable(self, *arguments, stdin=""):
        self.refuses(69, *arguments, says=NOBODY, stdin=stdin)

    def test_readers_of_a_store_give_up(self):
        self.unreachable("scan", "fensi", f"--store=thrift://{NOBODY}", PATIENCE)
        self.unreachable("lookup", self.mapping, "fensi", "b", f"--store=thrift://{NOBODY}", PATIENCE)
        self.unreachable("explain", self.mapping, "--row=a", f"--store=thrift://{NOBODY}", PATIENCE)

    def test_a_zookeeper_that_is_away_or_silent_is_given_up_once(self):
        """Not once for each look-up of the first call, which a command would repeat."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            for zookeeper in (NOBODY, "127.0.0.1:%d" % silent.getsockname()[1]):
                begin = time.monotonic()
                self.refuses(69, "scan", "fensi", f"--store=hbase://{zookeeper}/hbase", "--connect_timeout_s=5", says=zookeeper)
                self.assertLess(time.monotonic() - begin, 9.9)  # twice takes 10 s

    def test_a_gateway_with_an_ipv6_address_is_reached(self):
        with socket.socket(socket.AF_INET6) as gateway:
            try:
                gateway.bind(("::1", 0))
            except OSError as problem:
                self.skipTest(f"this machine has no IPv6: {problem}")
            gateway.listen()
            gateway.settimeout(harness.DEADLINE_S)
            address = f"[::1]:{gateway.getsockname()[1]}"
            scan = subprocess.Popen([harness.FENSI, "scan", "t", f"--store=thrift://{address}", PATIENCE], cwd=self.dir,
                                    stderr=subprocess.PIPE)
            connection, _ = gateway.accept()
            connection.close()
            gateway.close()
            _, err = scan.communicate(timeout=harness.DEADLINE_S)
            self.assertEqual(scan.returncode, 69, err)
            self.assertIn(address.split("]:")[1], err.decode())
            self.assertNotIn("resolve", err.decode())

    def test_create_gives_up(self):
        self.unreachable("create", self.mapping, f"--store=thrift://{NOBODY}", PATIENCE)
        self.unreachable("create", self.mapping, "--store=embedded:data", f"--kafka={NOBODY}", PATIENCE)

    def test_publish_and_tail_give_up(self):
        line = '{"table":"t","row":"a","cells":[{"type":"put","column":"f:a","ts":1,"value":"b"}]}\n'
        self.unreachable("publish", "t", f"--kafka={NOBODY}", PATIENCE, stdin=line)
        self.unreachable("tail", "t", f"--kafka={NOBODY}", PATIENCE)

    def test_publish_obeys_a_signal_before_kafka_has_answered(self):
        self.obeys_a_stop(75, "written no message", lambda kafka: ("publish", "t", "--kafka=" + kafka, "--connect_timeout_s=60"))

    def test_replay_gives_up(self):
        self.unreachable("replay", self.mapping, "fensi", f"--source=kafka://{NOBODY}", "--store=embedded:data",
                         "--from=earliest", PATIENCE)

    def test_run_gives_up_only_when_nothing_was_reached_for_30_seconds(self):
        self.file("events.jsonl", "")
        begin = time.monotonic()
        self.unreachable("run", self.mapping, "--source=file:events.jsonl", f"--store=thrift://{NOBODY}")
        self.assertGreaterEqual(time.monotonic() - begin, 29)

    def test_run_names_the_broker_it_waited_for(self):
        self.unreachable("run", self.mapping, f"--source=kafka://{NOBODY}", "--store=embedded:data")


harness.main_side_by_side(4)
