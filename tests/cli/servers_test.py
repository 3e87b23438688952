"""The commands beside a real HBase and Kafka (FENSI_TEST_HBASE, FENSI_TEST_KAFKA)."""
import json
import math
import os
import random
import re
import signal
import socket
import subprocess
import time

import harness
from follow import MAPPING, cell, event, follow, unfollow


class ServersTest(harness.CliTest):
    """Every test has tables, topics and a group of its own."""

    def setUp(self):
        super().setUp()
        self.kafka = os.environ["FENSI_TEST_KAFKA"]
        self.store = "--store=hbase://%s/hbase" % os.environ["FENSI_TEST_ZOOKEEPER"]
        self.source = "--source=kafka://" + self.kafka
        self.name = f"cli{os.getpid()}_{time.monotonic_ns()}"
        text = MAPPING.replace("guanzhu", "g" + self.name).replace("  fensi:", f"  {self.name}:")
        self.mapping = self.file("m.yaml", text.replace("table: fensi", f"table: {self.name}"))

    @property
    def topic(self):
        return "g" + self.name

    def create(self, *flags):
        return self.fensi("create", self.mapping, self.store, f"--kafka={self.kafka}", *flags)

    def publish(self, *events, code=0):
        text = "".join(events).replace("guanzhu", self.topic)
        outcome = self.fensi("publish", self.topic, f"--kafka={self.kafka}", stdin=text)
        self.assertEqual(outcome.code, code, outcome.err)
        return outcome

    def run_arguments(self, *flags):
        return ("run", self.mapping, self.source, self.store, *flags)

    def run_until_end(self, code=0):
        return self.refuses(code, *self.run_arguments("--until_end"))

    def admin(self, *commands):
        host, port = os.environ["FENSI_TEST_ADMIN"].split(":")
        with open(os.path.join(os.environ["FENSI_TEST_STACK"], "run", "admin.secret"), encoding="ascii") as source:
            secret = source.read().strip()
        for command in commands:
            with socket.create_connection((host, int(port)), harness.DEADLINE_S) as admin:
                admin.sendall(f"{secret}\n{command}\n".encode())
                self.assertEqual(admin.makefile().readline().strip(), "ok")

    def drop(self, *tables):
        self.admin(*(f"drop {table}" for table in tables))

    def entries(self):
        lines = self.succeeds("scan", self.name, self.store, "--json").lines
        return [(cell["row"], cell["column"]) for cell in map(json.loads, lines)]

    def replay(self, *flags):
        return self.fensi("replay", self.mapping, self.name, self.source, self.store, *flags)


class Create(ServersTest):
    def test_shows_the_plan_and_does_nothing(self):
        for _ in range(2):
            outcome = self.create()
            self.assertEqual(outcome.code, 0, outcome.err)
            self.assertIn(f"table {self.name}: to be created with 1 region\n", outcome.out)
            self.assertIn("hbase.hstore.time.to.purge.deletes 86400000", outcome.out)
            self.assertIn(f"topic {self.topic}: to be created with 4 partitions, 1 replica\n", outcome.out)
            self.assertIn("nothing was changed", outcome.err)

    def test_makes_everything_and_finds_it_as_wanted(self):
        self.assertEqual(self.create("--execute", "--partitions=2").code, 0)
        outcome = self.create()
        for text in (f"table {self.name}: exists as wanted", f"table {self.name}_state: exists as wanted",
                     f"topic {self.topic}: exists with 2 partitions",
                     f"topic {self.name}.dead: exists with 1 partition",
                     f"topic {self.name}.requests: exists with 2 partitions"):
            self.assertIn(text, outcome.out)
        self.assertIn("nothing is missing", outcome.err)

    def test_refuses_an_existing_table_that_would_lose_entries(self):
        self.assertEqual(self.create("--execute").code, 0)
        changed = self.read("m.yaml") + "    create: { families: { f1: { ttl: 60s } } }\n"
        self.file("m.yaml", changed)
        outcome = self.refuses(78, "create", self.mapping, self.store, says="1 difference")
        self.assertIn("family f1: TTL is for ever, wanted is 60 s", outcome.out)


    def test_says_what_was_asked_of_a_topic_that_exists_without_it(self):
        self.create("--execute", "--partitions=2")
        for flag, words in (("--partitions=5", "--partitions 5 was given"), ("--replication=3", "--replication 3 was")):
            outcome = self.create(flag)
            self.assertEqual(outcome.code, 78, outcome.err)
            self.assertIn(words, outcome.out)
            self.assertNotIn("nothing is missing", outcome.err)


class Online(ServersTest):
    AUDIT = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint"

    def check(self, *flags):
        return self.fensi("check", self.mapping, "--online", self.store, f"--kafka={self.kafka}", *flags)

    def test_finds_nothing_in_what_create_made_for_a_replicated_source(self):
        self.admin(f"create {self.topic} f1,REPLICATION_SCOPE=1")
        self.assertEqual(self.create("--execute").code, 0)
        outcome = self.check()
        found = [line for line in outcome.lines if line.startswith("online")]
        self.assertEqual(outcome.code, 0)
        self.assertRegex("\n".join(found), r"^online note: HBase: version 2[.0-9]+, cluster id [-0-9a-f]+, 1 region server$")
        self.drop(self.topic)

    def test_names_coprocessors_of_source_and_index_table(self):
        self.assertEqual(self.create("--execute").code, 0)
        self.admin(f"create {self.topic} f1,REPLICATION_SCOPE=1")
        for table in (self.topic, self.name):
            self.admin(f"alter {table} - coprocessor$1 |{self.AUDIT}|1001|")
        outcome = self.check()
        self.assertEqual(outcome.code, 0, outcome.err)
        for table in (f"source table {self.topic}", f"table {self.name}"):
            self.assertIn(f"online warning: index {self.name}, {table}: has the coprocessor {self.AUDIT}", outcome.out)
        self.drop(self.topic)

    def test_warns_of_a_topic_that_forgets_soon_and_takes_small_messages(self):
        self.admin(f"topic {self.topic} 4 retention.ms=3600000 retention.bytes=1000000 max.message.bytes=100000")
        self.assertEqual(self.create("--execute").code, 0)
        outcome = self.check()
        self.assertEqual(outcome.code, 0, outcome.err)
        for text in ("keeps events for 1 h 0 m (retention.ms)", "keeps 1,000,000 bytes of a partition (retention.bytes)",
                     "takes messages of 100,000 bytes (max.message.bytes)"):
            self.assertIn(f"online warning: topic {self.topic}: {text}", outcome.out)
        self.assertNotIn("max.message.bytes", self.check("--message_kb=100").out)


class Init(ServersTest):
    def test_writes_a_mapping_of_a_live_table_that_passes_check(self):
        self.admin(f"create {self.topic} f1", f"fill {self.topic} f1 20")
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "mapping.md"), encoding="utf-8") as page:
            (line,) = re.findall(r"^    fensi (init orders .* --output orders.yaml)$", page.read(), re.M)
        line = line.replace("init orders", "init " + self.topic).replace("--store hbase://127.0.0.1:2181/hbase", self.store)
        self.succeeds(*line.split())
        self.assertEqual(self.succeeds("check", "orders.yaml").err, "")
        self.succeeds("test", "orders.yaml")
        self.drop(self.topic)


class Run(ServersTest):
    def test_refuses_missing_tables_and_names_the_command_that_makes_them(self):
        self.refuses(78, *self.run_arguments("--until_end"),
                     says=(f"table {self.name} is missing", "fensi create m.yaml", "--execute"))

    def test_refuses_a_missing_topic_and_names_the_command_that_makes_it(self):
        self.succeeds("create", self.mapping, self.store, "--execute")
        self.refuses(78, *self.run_arguments("--until_end"), says=(self.topic, "fensi create m.yaml", "--kafka"))

    def test_indexes_what_was_published(self):
        self.create("--execute")
        self.publish(follow("a", "b", 10), follow("c", "b", 11), follow("a", "d", 12), unfollow("c", 13))
        self.run_until_end()
        self.assertEqual(self.entries(), [("d", "f1:a")])
        self.assertEqual(self.succeeds("lookup", self.mapping, self.name, "d", self.store).out, "d\tf1:a\t12\t\n")

    def test_goes_on_where_it_stopped(self):
        self.create("--execute")
        self.publish(follow("a", "b", 10))
        self.run_until_end()
        self.publish(follow("a", "c", 11))
        outcome = self.run_until_end()
        self.assertIn(": 1 event in ", outcome.err)
        self.assertEqual(self.entries(), [("c", "f1:a")])

    def test_a_stop_before_the_end_is_no_success_and_one_of_a_daemon_is(self):
        self.create("--execute")
        self.publish(*(follow(f"r{i}", "b", 10) for i in range(1, 3000)))
        for flags, code in ((("--until_end",), 75), ((), 0)):
            slow = ("--unlock_faults", "--fault=put:*=delay:1000")  # three puts, one after the other
            daemon = subprocess.Popen([harness.FENSI, *self.run_arguments(*flags, *slow)], cwd=self.dir, stderr=subprocess.PIPE)
            time.sleep(1)  # any moment before the end is one to be tried
            daemon.send_signal(signal.SIGINT)
            _, err = daemon.communicate(timeout=harness.DEADLINE_S)
            self.assertEqual(daemon.returncode, code, err)
        self.run_until_end()
        self.assertEqual(len(self.entries()), 2999)

    def test_dead_letters_go_to_their_topic(self):
        self.create("--execute")
        self.publish(follow("a", "", 10), follow("c", "d", 11))
        outcome = self.run_until_end(code=1)
        self.assertIn(f"1 dead letter in topic {self.name}.dead", outcome.err)
        self.assertEqual(self.entries(), [("d", "f1:c")])


class Areas(ServersTest):
    """Of random places, most of them near Beijing, and some at the poles and on both sides of the meridian 180."""

    def setUp(self):
        super().setUp()
        r = random.Random(51)
        fixed = [(90, 0), (-90, 12), (89.9999, 179), (0, 180), (0, -180), (1, 179.9999), (1, -179.9999), (39.9087, 116.3975)]
        near = [(39.9 + r.gauss(0, 0.05), 116.4 + r.gauss(0, 0.05)) for _ in range(400)]
        self.places = {"s%03d" % i: (round(lat, 6), round(lon, 6)) for i, (lat, lon) in enumerate(fixed + near)}
        self.mapping = self.file("m.yaml", "source: %s\nindexes:\n  %s:\n    table: %s\n    row: '{row | salt 4}{({g:lat},{g:lon}) | geohash 9}{row}'\n"
                                 "    columns: { 'g:lat': '{g:lat}', 'g:lon': '{g:lon}' }\n    ignore_warnings: [salted]\n" % (self.topic, self.name, self.name))

    def found(self, *area):
        return {json.loads(line)["parts"]["row"] for line in self.succeeds("lookup", self.mapping, self.name, self.store, "--json", *area).lines}

    @staticmethod
    def metres(one, other):
        (lat, lon), (lat2, lon2) = (map(math.radians, place) for place in (one, other))
        h = math.sin((lat2 - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
        return 2 * 6371008.8 * math.asin(math.sqrt(min(1, h)))

    def test_lookups_by_area_find_what_is_in_it(self):
        self.assertEqual(self.create("--execute").code, 0)
        self.publish(*(event(row, cell("put", "g:lat", 1, str(lat)), cell("put", "g:lon", 1, str(lon)), table=self.topic)
                       for row, (lat, lon) in self.places.items()))
        self.run_until_end()
        counts = []
        for at, radius in (((39.909, 116.397), 500), ((39.909, 116.397), 5000), ((39.9, 116.4), 40000), ((90, 77), 20), ((0, 180), 1000),
                           ((1, 180), 20), ((-45, 0), 100)):
            expected = {row for row, place in self.places.items() if self.metres(at, place) <= radius}
            self.assertEqual(self.found("--near=%s,%s" % at, "--radius=%dm" % radius), expected, (at, radius))
            counts.append(len(expected))
        for south, west, north, east in ((39.85, 116.35, 39.95, 116.45), (-2, 179, 2, -179), (39.9, 116.4, 40, 117)):
            def inside(lat, lon):
                return south <= lat <= north and (west <= lon <= east if west <= east else lon >= west or lon <= east)
            expected = {row for row, place in self.places.items() if inside(*place)}
            self.assertEqual(self.found("--box=%s,%s,%s,%s" % (south, west, north, east)), expected)
            counts.append(len(expected))
        self.assertGreater(sum(counts), 700)
        self.assertIn(0, counts)


class PublishAndTail(ServersTest):
    def setUp(self):
        super().setUp()
        self.create("--execute", "--partitions=1")

    def tail(self, *flags):
        return self.fensi("tail", self.topic, f"--kafka={self.kafka}", "--until_end", *flags)

    def test_what_was_published_is_read_back_as_it_was(self):
        events = [follow("a", "b", 10), unfollow("a", 12)]
        self.publish(*events)
        wanted = [json.loads(event.replace("guanzhu", self.topic)) for event in events]
        self.assertEqual([json.loads(line) for line in self.tail().lines], wanted)

    def test_requests_are_published_and_read_back_as_they_were(self):
        lines = "".join(json.dumps(request, separators=(",", ":")) + "\n" for request in (
            {"kind": "recheck", "table": "t", "row": "a", "incarnation": "0123456789abcdef", "columns": ["f:k"]},
            {"kind": "image", "table": "t", "row": "b", "incarnation": "0123456789abcdef", "read_time": 7,
             "cells": [{"type": "put", "column": "f:k", "ts": 5, "value": "v"}]}))
        topic = self.name + ".requests"
        outcome = self.fensi("publish", topic, f"--kafka={self.kafka}", stdin=lines + '{"kind":"mark"}\n')
        self.assertEqual(outcome.code, 1, outcome.err)
        self.assertIn("publish: line 3 is left out: ", outcome.err)
        self.assertEqual(self.fensi("tail", topic, f"--kafka={self.kafka}", "--until_end").out, lines)

    def test_a_bad_line_is_named_and_the_others_are_published(self):
        outcome = self.publish(follow("a", "b", 10), "nonsense\n", follow("c", "d", 11), code=1)
        self.assertIn("publish: line 2 is left out: ", outcome.err)
        self.assertIn("2 events", outcome.err)
        self.assertIn("1 line refused", outcome.err)
        self.assertEqual(len(self.tail().lines), 2)

    def test_an_event_above_the_limit_of_the_topic_is_named_and_the_others_are_published(self):
        self.admin(f"topic {self.topic}_small 1 max.message.bytes=20000")
        lines = "".join([follow("a", "b", 10), follow("c", "x" * 30000, 11), *(follow(f"r{i}", "d", i) for i in range(1, 50))])
        outcome = self.fensi("publish", self.topic + "_small", f"--kafka={self.kafka}", stdin=lines)
        self.assertEqual(outcome.code, 1, outcome.err)
        self.assertRegex(outcome.err, r"publish: line 2 is left out: the event has 30,\d+ bytes, more than .*max.message.bytes is 20,000")
        self.assertIn("50 events", outcome.err)
        self.assertIn("1 line refused", outcome.err)
        tail = self.succeeds("tail", self.topic + "_small", f"--kafka={self.kafka}", "--until_end")
        self.assertEqual(len(tail.lines), 50)

    def test_a_stop_says_where_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            publish = subprocess.Popen([harness.FENSI, "publish", self.topic, f"--kafka={self.kafka}"], cwd=self.dir,
                                       stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            seen = len(self.tail().lines)
            publish.stdin.write((follow("a", "b", 1) * 3).encode())
            publish.stdin.flush()
            self.wait_for(lambda: len(self.tail().lines) == seen + 3)
            publish.send_signal(number)
            with publish.stderr as stream:
                err = stream.read().decode()
            self.assertEqual(publish.wait(harness.DEADLINE_S), 75, err)
            publish.stdin.close()
            self.assertIn("3 events", err)
            self.assertIn("stopped. All lines before line 4 are done. Continue with this line: 'tail -n +4 FILE", err)

    def test_a_message_that_is_no_event_is_named_and_the_exit_code_is_1(self):
        self.publish(follow("a", "b", 10), follow("c", "", 11))
        self.run_until_end(code=1)
        outcome = self.refuses(1, "tail", self.name + ".dead", f"--kafka={self.kafka}", "--until_end")
        self.assertIn("tail: partition 0, offset 0: ", outcome.err)

    def test_tail_tells_of_a_full_disk_though_the_topic_has_no_end(self):
        self.publish(follow("a", "b", 10))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([harness.FENSI, "tail", self.topic, f"--kafka={self.kafka}"], stdout=full,
                                  stderr=subprocess.PIPE, timeout=harness.DEADLINE_S)
        self.assertEqual(done.returncode, 70, done.stderr)
        self.assertIn(b"cannot write to standard output: No space left on device", done.stderr)

    def test_tail_starts_at_a_time(self):
        self.publish(follow("a", "b", 10))
        time.sleep(1.1)  # Kafka's own clock decides which side of a second a message is on
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.publish(follow("a", "c", 11))
        self.assertEqual([json.loads(line)["cells"][0]["value"] for line in self.tail(f"--from={now}").lines], ["c"])
        self.assertEqual(self.tail("--from=2099-01-01").lines, [])
        self.assertEqual(len(self.tail("--from=2001-01-01").lines), 2)

    def test_tail_starts_and_stops_where_it_is_told(self):
        self.publish(*[follow("a", value, ts) for ts, value in enumerate("bcde", 1)])
        lines = self.tail("--from=1", "--max_events=2").lines
        self.assertEqual([json.loads(line)["cells"][0]["value"] for line in lines], ["c", "d"])

    def test_an_unknown_topic_is_refused(self):
        self.refuses(78, "publish", "nosuch", f"--kafka={self.kafka}", stdin=follow("a", "b", 1), says="nosuch")
        self.refuses(78, "tail", "nosuch", f"--kafka={self.kafka}", says="nosuch")


class Replay(ServersTest):
    def setUp(self):
        super().setUp()
        self.create("--execute", "--partitions=1")
        self.publish(follow("a", "b", 10), follow("a", "c", 11))
        self.run_until_end()

    def test_shows_what_it_would_do(self):
        for _ in range(2):
            outcome = self.replay("--from=earliest")
            self.assertEqual(outcome.code, 0, outcome.err)
            self.assertIn("  partition 0: offset 2 -> 0 (2 events again)\n", outcome.out)
            self.assertIn("nothing was changed", outcome.err)

    def test_moves_the_group_and_changes_nothing_in_an_index_that_has_the_events(self):
        self.assertEqual(self.replay("--from=earliest", "--execute").code, 0)
        self.assertIn(": 2 events in ", self.run_until_end().err)
        self.assertEqual(self.entries(), [("c", "f1:a")])

    def test_rebuilds_an_index_that_was_emptied_with_its_state(self):
        self.drop(self.name, self.name + "_state")
        self.create("--execute")
        self.assertEqual(self.entries(), [])
        self.assertEqual(self.replay("--from=earliest", "--execute").code, 0)
        self.run_until_end()
        self.assertEqual(self.entries(), [("c", "f1:a")])

    def test_says_that_an_index_emptied_without_its_state_is_not_rebuilt(self):
        self.drop(self.name)
        self.create("--execute")
        replayed = self.replay("--from=earliest", "--execute")  # after a gap the index could not start without it
        self.assertEqual(replayed.code, 0, replayed.err)
        for words in (f"warning: index {self.name}: table {self.name} is empty, but its states", "Bring the entries back from the source with 'fensi verify"):
            self.assertIn(words, replayed.err)
        told = self.run_until_end(code=1).err
        self.assertIn(f"index {self.name}: Table {self.name} was dropped and created again, or truncated", told)
        self.assertNotIn("is empty, but", told, "one condition, one message")

    def test_says_that_an_index_whose_entries_somebody_deleted_is_not_rebuilt(self):
        self.run_until_end()
        subprocess.run([os.path.join(os.environ["FENSI_ROOT"], "deploy", "devstack"), "client", self.name], input="delete_row c\n", text=True,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=harness.DEADLINE_S)
        self.assertEqual(self.entries(), [])
        self.assertIn(f"table {self.name} is empty, but state table {self.name}_state has row states", self.run_until_end().err)

    def test_warns_of_events_that_are_skipped(self):
        self.publish(follow("a", "d", 12))
        self.assertIn("(1 event SKIPPED", self.replay("--from=latest").out)

    def test_counts_what_is_skipped_of_a_group_without_offsets_from_the_begin_of_the_log(self):
        with open(os.path.join(self.dir, "m.yaml"), "a", encoding="utf-8") as mapping:
            mapping.write("  x" + self.name + ":\n    table: x" + self.name + "\n    row: '{f1:from}'\n"
                          "    columns:\n      'f1:{row}': ''\n")
        for place in ("latest", "2099-01-01"):
            outcome = self.succeeds("replay", self.mapping, "x" + self.name, self.source, self.store, f"--from={place}")
            self.assertIn("partition 0: no offset -> 2 (2 events SKIPPED", outcome.out)
        outcome = self.succeeds("replay", self.mapping, "x" + self.name, self.source, self.store, "--from=earliest")
        self.assertNotIn("SKIPPED", outcome.out)

    def test_refuses_a_place_outside_the_topic(self):
        self.refuses(64, "replay", self.mapping, self.name, self.source, self.store, "--from=7",
                     says=("--from lies outside the topic", "partition 0 holds offsets 0 to 2"))

    def test_is_refused_while_the_group_is_active(self):
        daemon = subprocess.Popen([harness.FENSI, *self.run_arguments()], cwd=self.dir, stderr=subprocess.PIPE)
        try:
            self.wait_for(lambda: self.replay("--from=earliest", "--execute").code == 78)
            self.refuses(78, "replay", self.mapping, self.name, self.source, self.store, "--from=earliest", "--execute",
                         says=(f"group fensi-{self.name} has 1 member", "stop its 'fensi run'"))
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.communicate(timeout=harness.DEADLINE_S)
        self.assertEqual(daemon.returncode, 0)


harness.main()
