"""The admin server of `fensi run` from outside: what was counted of a known stream, probes, and what it never tells."""
import http.client
import json
import os
import re
import socket
import subprocess
import sys

import harness
from follow import MAPPING, cell, event, follow, unfollow

sys.path.append(os.path.join(os.environ["FENSI_ROOT"], "tests", "support"))
from over_unix import OverUnix  # noqa: E402

CANARY = "canary7213"


def series(text):
    """{'name{labels}': value}; a line that is neither that nor a comment, and a series that comes twice, are faults."""
    found, kinds, helps = {}, {}, set()
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            name, kind = line.split()[2:]
            assert name not in kinds, "two types: " + line
            kinds[name] = kind
        elif line.startswith("# HELP "):
            helps.add(line.split()[2])
        else:
            match = re.fullmatch(r'([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)*\})? (\S+)', line)
            assert match, "no series: " + line
            family = re.sub("_(bucket|sum|count)$", "", match.group(1))
            name = match.group(1) if match.group(1) in kinds else family
            assert name in kinds and name in helps, "no type or help: " + line
            assert line.split(" ")[0] not in found, "twice: " + line
            found[match.group(1) + (match.group(2) or "")] = float(match.group(3))
    return found


class AdminTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("guanzhu.yaml", MAPPING)

    def start(self, *flags, admin="unix:admin.sock"):
        self.process = subprocess.Popen(
            [harness.FENSI, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=" + admin, *flags],
            cwd=self.dir, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end)
        self.wait_for_admin(self.process)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.stdin.close()
        self.process.stderr.close()
        self.process.wait()

    def feed(self, *events):
        self.process.stdin.write("".join(events).encode())
        self.process.stdin.flush()

    def ask(self, target, method="GET", **headers):
        connection = OverUnix(os.path.join(self.dir, "admin.sock"))
        connection.request(method, target, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def metrics(self):
        code, text = self.ask("/metrics")
        self.assertEqual(code, 200)
        return series(text)

    def wait_for_events(self, number):
        self.wait_for(lambda: self.metrics()['fensi_events_total{index="fensi"}'] == number)
        return self.metrics()


class Counts(AdminTest):
    def test_what_a_known_stream_does_is_counted_exactly(self):
        self.start()
        first = self.metrics()
        self.assertEqual(first['fensi_events_total{index="fensi"}'], 0)
        for reason in ("undecodable", "unmappable", "rejected", "source_required", "outside_retention"):
            self.assertEqual(first['fensi_dead_letters_total{index="fensi",reason="%s"}' % reason], 0)
        lines = [follow("a", "b", 10), follow("a", "c", 11), follow("x", "b", 12), unfollow("a", 20),
                 event("z", cell("put", "f1:from", 1, "q"), table="other"), "no json\n"]
        for number, line in enumerate(lines, 1):  # a batch each: within one, what is put and removed again is not written
            self.feed(line)
            now = self.wait_for_events(number)
        self.assertEqual(now['fensi_mutations_total{index="fensi",op="put"}'], 3)
        self.assertEqual(now['fensi_mutations_total{index="fensi",op="delete"}'], 2)
        self.assertEqual(now['fensi_skipped_events_total{index="fensi"}'], 1)
        self.assertEqual(now['fensi_dead_letters_total{index="fensi",reason="undecodable"}'], 1)
        lookups = [now['fensi_state_lookups_total{index="fensi",outcome="%s"}' % how] for how in ("cache", "skipped", "read")]
        self.assertGreater(sum(lookups), 0)
        self.assertGreater(now['fensi_consumed_bytes_total{index="fensi"}'], 0)
        self.assertEqual(now['fensi_index_state{index="fensi",state="running"}'], 1)
        self.assertEqual(sum(value for name, value in now.items() if name.startswith("fensi_index_state{")), 1)

    def test_phases_of_all_batches_are_counted_once_each(self):
        self.start()
        self.feed(follow("a", "b", 10))
        self.wait_for_events(1)
        self.feed(follow("a", "c", 11))
        now = self.wait_for_events(2)
        batches = now['fensi_batches_total{index="fensi"}']
        phases = {name: value for name, value in now.items() if name.startswith("fensi_phase_seconds_count")}
        self.assertEqual(len(phases), 10)
        self.assertEqual(set(phases.values()), {batches})
        self.assertGreater(now['fensi_phase_seconds_sum{index="fensi",phase="write_puts"}'], 0)
        self.assertEqual(now['fensi_event_delay_seconds_count{index="fensi",since="append"}'], 0)

    def test_a_letter_of_each_kind_of_row_has_its_reason(self):
        self.mapping = self.file("strict.yaml", "source: guanzhu\nindexes:\n  fensi:\n    table: fensi\n"
                                                "    row: '{f1:from | int | decimal}'\n    columns:\n      'f1:{row}': ''\n")
        self.start()
        self.feed(follow("a", "not a number", 10), follow("b", "7", 11))
        now = self.wait_for_events(2)
        self.assertEqual(now['fensi_dead_letters_total{index="fensi",reason="unmappable"}'], 1)
        self.assertEqual(now['fensi_mutations_total{index="fensi",op="put"}'], 1)

    def test_three_indexes_keep_the_bound_of_series(self):
        indexes = "".join("  %s:\n    table: %s\n    row: '{f1:from}'\n    columns:\n      'f1:{row}': ''\n" % (name, name)
                          for name in ("one", "two", "three"))
        self.mapping = self.file("three.yaml", "source: guanzhu\nindexes:\n" + indexes)
        self.file("events.jsonl", follow("a", "b", 10))
        os.mkfifo(os.path.join(self.dir, "pipe"))
        self.process = subprocess.Popen([harness.FENSI, "run", self.mapping, "--source=file:pipe", "--store=embedded:data",
                                         "--admin=unix:admin.sock"], cwd=self.dir, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end)
        with open(os.path.join(self.dir, "pipe"), "w", encoding="utf-8"):
            self.wait_for_admin(self.process)
            of_two = [name for name in self.metrics() if 'index="two"' in name]
        self.assertGreater(len(of_two), 150)
        self.assertLessEqual(len(of_two), 330)


class Control(AdminTest):
    """What daemons do of it: tests/e2e/rest_test.py."""
    WISH = "/indexes/fensi/pause?reason=canary"

    def test_nothing_may_be_changed_unless_it_is_allowed(self):
        self.start()
        code, text = self.ask(self.WISH, "POST", **{"X-Fensi": "1"})
        self.assertEqual((code, "--admin_control" in text), (403, True))
        self.assertFalse(json.loads(self.ask("/status")[1])["control"])

    def test_what_cannot_be_done_is_answered_with_its_reason(self):
        self.start("--admin_control")
        self.assertTrue(json.loads(self.ask("/status")[1])["control"])
        code, text = self.ask(self.WISH, "POST", **{"X-Fensi": "1"})
        self.assertEqual((code, "cannot be paused" in text), (409, True))
        self.assertEqual(self.ask(self.WISH, "POST")[0], 403)

    def test_it_is_refused_where_others_of_the_network_could_ask(self):
        for place in ("0.0.0.0:0", "[::]:0", "10.1.2.3:1"):
            self.refuses(78, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=" + place, "--admin_control",
                         says="without TLS, others could read the token")
            self.file("token", "t\n")
            os.chmod(os.path.join(self.dir, "token"), 0o600)
            self.refuses(78, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=" + place, "--admin_control",
                         "--admin_token_file=token", says="--admin_tls_cert_file")
        self.refuses(64, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=none", "--admin_control",
                     says="--admin_control")


class Probes(AdminTest):
    def test_healthy_and_ready_while_it_works(self):
        self.start()
        self.assertEqual(self.ask("/-/healthy"), (200, "ok\n"))
        self.wait_for(lambda: self.ask("/-/ready")[0] == 200)
        self.assertEqual(self.ask("/-/ready?verbose"), (200, "[+]index fensi\n"))
        self.assertEqual(self.ask("/-/ready", "HEAD"), (200, ""))

    def test_status_is_json_of_facts(self):
        self.start()
        self.feed(follow("a", "b", 10))
        self.wait_for_events(1)
        code, text = self.ask("/status")
        status = json.loads(text)
        self.assertEqual((code, status["format"], status["process"]["pid"]), (200, 1, self.process.pid))
        index = status["indexes"][0]
        self.assertEqual((index["name"], index["state"], index["events"], index["puts"]), ("fensi", "running", 1, 1))
        self.assertEqual(status["servers"], [{"server": "store", "address": "embedded:data", "reachable": True, "trouble": "", "since_ms": None}])
        self.assertEqual((index["lag_records"], index["partitions"]), (None, []))
        self.assertEqual((len(index["phases"]), len(index["store_calls"])), (10, 5))

    def test_version_says_of_what_it_was_built_and_what_its_libraries_can(self):
        self.start()
        version = json.loads(self.ask("/version")[1])
        self.assertIn("librdkafka", version["librdkafka"])
        self.assertLessEqual({"sasl_plain", "ssl"}, set(version["librdkafka_features"]))
        self.assertRegex(version["thrift"], r"^\d+\.\d+\.\d+$")
        known = subprocess.run(["git", "-C", os.environ["FENSI_ROOT"], "cat-file", "-e", version["revision"] + "^{commit}"], stderr=subprocess.DEVNULL,
                               check=False).returncode == 0
        self.assertTrue(known or version["revision"] == "unknown", version)
        self.assertEqual(self.metrics()['fensi_build_info{version="%s",revision="%s",librdkafka="%s"}' % (
            version["version"], version["revision"], version["librdkafka"])], 1)

    def test_history_has_a_value_for_each_second(self):
        self.start()
        self.feed(follow("a", "b", 10), follow("b", "c", 11))
        self.wait_for_events(2)
        self.wait_for(lambda: json.loads(self.ask("/history")[1])["indexes"])
        self.feed(follow("c", "d", 12))
        self.wait_for(lambda: sum(rate or 0 for index in json.loads(self.ask("/history")[1])["indexes"] for rate in index["events_per_s"]) > 0)
        history = json.loads(self.ask("/history")[1])
        self.assertEqual((history["format"], history["step_ms"]), (1, 1000))
        (index,) = history["indexes"]
        self.assertEqual(index["name"], "fensi")
        steps = len(index["times_ms"])
        lists = [index[key] for key in ("events_per_s", "lag_records", "lag_seconds", "fresh_until_ms", "open_dead_letters")]
        lists += list(index["phases"].values()) + [each for call in index["store"].values() for each in call.values()]
        self.assertEqual({len(each) for each in lists}, {steps})
        self.assertEqual((len(index["phases"]), sorted(index["store"])), (10, ["admin", "delete", "get", "put", "scan"]))
        self.assertEqual(index["times_ms"], sorted(index["times_ms"]))

    def test_flags_are_those_that_count_with_their_origins_and_without_secrets(self):
        self.file("flags.conf", "--workers=3\n--kafka_property=sasl.password=%s,client.id=c\n" % CANARY)
        os.chmod(os.path.join(self.dir, "flags.conf"), 0o600)
        self.start("--flagfile=flags.conf")
        code, text = self.ask("/flags")
        self.assertEqual(code, 200)
        self.assertIn("# command line\n--source=file:-\n", text)
        self.assertIn("# flags.conf:1\n--workers=3\n", text)
        self.assertIn("--kafka_property=sasl.password=***,client.id=c\n", text)
        self.assertIn("# default\n", text)
        self.assertNotIn(CANARY, text)


class Secrets(AdminTest):
    def test_no_row_value_or_token_is_in_any_answer(self):
        token = self.file("token", CANARY + "token\n")
        os.chmod(os.path.join(self.dir, token), 0o600)
        self.start("--admin_token_file=token")
        self.assertEqual(self.ask("/metrics")[0], 401)
        self.assertEqual(self.ask("/-/healthy")[0], 200)
        bearer = {"Authorization": "Bearer " + CANARY + "token"}
        self.feed(follow(CANARY, CANARY + "value", 10), event(CANARY, cell("put", "f1:from", -5, CANARY)), CANARY + "\n")
        self.wait_for(lambda: 'fensi_events_total{index="fensi"} 3' in self.ask("/metrics", **bearer)[1])
        for target in ("/metrics", "/status", "/history", "/flags", "/version", "/-/ready?verbose", "/-/healthy?verbose", "/", "/" + CANARY):
            code, text = self.ask(target, **bearer)
            self.assertIn(code, (200, 404, 503))
            self.assertNotIn(CANARY, text)

    def test_a_token_that_others_may_read_is_refused(self):
        self.file("token", "t\n")
        os.chmod(os.path.join(self.dir, "token"), 0o644)
        self.refuses(78, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=unix:s",
                     "--admin_token_file=token", says="chmod 600")
        self.refuses(78, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=unix:s",
                     "--admin_token_file=missing", says="--admin_token_file")

    def test_a_token_that_no_client_could_send_is_refused(self):
        for text in ("t \n", " t\n", "a b\n", "t\t\r\n", "   \n", "\n", "t\n\n"):
            self.file("token", text)
            os.chmod(os.path.join(self.dir, "token"), 0o600)
            outcome = self.refuses(78, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=unix:s",
                                   "--admin_token_file=token", says="--admin_token_file: token")
            self.assertRegex(outcome.err, "which a client cannot send|has several lines|the file is empty")


class Place(AdminTest):
    def test_a_place_that_cannot_be_had_ends_the_run(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.refuses(78, "run", self.mapping, "--source=file:-", "--store=embedded:data", f"--admin=127.0.0.1:{port}",
                         says=f"127.0.0.1:{port}")
            self.assertFalse(os.path.exists(os.path.join(self.dir, "data")), "a start that fails makes no store")

    def test_a_word_that_is_no_place_is_refused(self):
        for word in ("localhost:80", "127.0.0.1", "unix:", "yes"):
            self.refuses(64, "run", self.mapping, "--source=file:-", "--store=embedded:data", "--admin=" + word, says="--admin")

    def test_a_run_that_ends_by_itself_serves_nobody_unasked(self):
        self.file("events.jsonl", follow("a", "b", 10))
        outcome = self.succeeds("run", self.mapping, "--source=file:events.jsonl", "--store=embedded:data")
        self.assertNotIn("metrics", outcome.err)

    def test_a_daemon_serves_on_loopback_unasked_and_the_next_one_beside_it(self):
        daemons = []
        for folder in ("one", "two"):
            daemons.append(subprocess.Popen([harness.FENSI, "run", self.mapping, "--source=kafka://127.0.0.1:1",
                                             "--store=embedded:" + folder], cwd=self.dir, stderr=subprocess.PIPE, text=True))
        try:
            places = []
            for daemon in daemons:
                for line in daemon.stderr:
                    match = re.search(r"http://127.0.0.1:(161[89]\d)/metrics", line)
                    if match:
                        places.append(int(match.group(1)))
                        break
            self.assertEqual(len(set(places)), 2)
            connection = http.client.HTTPConnection("127.0.0.1", places[0], timeout=30)
            connection.request("GET", "/-/ready?verbose")
            answer = connection.getresponse()
            self.assertEqual(answer.status, 503)
            self.assertIn("[-]index fensi: the index has not reached its tables", answer.read().decode())
            connection.request("GET", "/-/healthy")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
        finally:
            for daemon in daemons:
                daemon.kill()
                daemon.stderr.close()
                daemon.wait()


harness.main()
