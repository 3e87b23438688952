"""`fensi status`: what running daemons say of themselves, put together."""
import contextlib
import json
import os
import socket
import subprocess
import threading

import harness
from follow import MAPPING, follow


class StatusTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)

    def start(self, name, *flags, source="file:-"):
        """A daemon that is asked at unix:NAME."""
        process = subprocess.Popen([harness.FENSI, "run", "guanzhu.yaml", "--source=" + source, "--store=embedded:data-" + name,
                                    "--admin=unix:" + name, *flags], cwd=self.dir, stdin=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        self.wait_for_admin(process, name)
        return process

    def end(self, process):
        process.kill()
        process.stdin.close()
        process.wait()

    def row(self, out, index="fensi"):
        return next(line.split() for line in out.splitlines() if line.startswith(index + " "))

    def events(self, *daemons):
        said = self.fensi("status", "--json", "--daemon=" + ",".join("unix:" + each for each in daemons)).lines
        return [json.loads(line)["indexes"][0]["events"] for line in said]


class OfRuns(StatusTest):
    def test_shows_each_index_once_for_all_daemons(self):
        daemons = [self.start(name) for name in ("one", "two")]
        for process in daemons:
            process.stdin.write((follow("a", "b", 10) + "no json\n").encode())
            process.stdin.flush()
        self.wait_for(lambda: self.events("one", "two") == [2, 2])
        shown = lambda: self.succeeds("status", "--daemon=unix:one,unix:two").out
        self.assertEqual(self.row(shown())[:3], ["fensi", "running", "2"])
        self.assertEqual(shown().count("fensi  "), 1)
        self.wait_for(lambda: self.row(shown())[-1] == "1")  # both refused the same line, which lies in their file once

    def test_dead_letters_are_those_that_are_open_whichever_process_wrote_them(self):
        self.file("events.jsonl", "no json\n")
        self.refuses(1, "run", "guanzhu.yaml", "--source=file:events.jsonl", "--store=embedded:data-one")
        self.start("one")
        shown = lambda: self.row(self.succeeds("status", "--daemon=unix:one").out)[-1]
        self.wait_for(lambda: shown() == "1")
        told = json.loads(self.succeeds("status", "--daemon=unix:one", "--json").out)["indexes"][0]
        self.assertEqual((told["open_dead_letters"], sum(told["dead_letters"].values())), ({"undecodable": 1}, 0))

    def test_json_has_a_line_for_each_daemon_with_its_place(self):
        process = self.start("one")
        told = json.loads(self.succeeds("status", "--daemon=unix:one", "--json").out)
        self.assertEqual((told["daemon"], told["format"], told["process"]["pid"]), ("unix:one", 1, process.pid))

    def test_is_shown_again_and_again_and_survives_a_daemon_that_is_away(self):
        daemon = self.start("one")
        watch = subprocess.Popen([harness.FENSI, "status", "--daemon=unix:one", "--watch", "--interval_s=1"], cwd=self.dir,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)
        shown = lambda: next(line for line in iter(watch.stdout.readline, "") if line.startswith("fensi "))
        self.assertEqual([shown().split()[1], shown().split()[1]], ["running", "running"])
        daemon.kill()
        self.assertIn("status: ", watch.stderr.readline())
        daemon.wait()
        os.unlink(os.path.join(self.dir, "one"))
        self.start("one")
        self.assertEqual(shown().split()[1], "running")
        self.refuses(64, "status", "--daemon=unix:one", "--interval_s=3", says="--interval_s requires --watch")

    def test_an_index_that_does_not_work_is_late_and_says_what_it_waits_for(self):
        self.start("one", source="kafka://127.0.0.1:1")
        outcome = self.succeeds("status", "--daemon=unix:one")
        self.assertIn("the index has not reached its tables, its state or its topic yet: the log of this process names the server, at unix:one", outcome.out)
        self.refuses(1, "status", "--daemon=unix:one", "--max_lag_s=5", says="index fensi is late: it is starting")

    def test_asks_daemons_of_this_machine_unasked(self):
        process = subprocess.Popen([harness.FENSI, "run", "guanzhu.yaml", "--source=kafka://127.0.0.1:1",
                                    "--store=embedded:data"], cwd=self.dir, stderr=subprocess.PIPE, text=True)
        with process.stderr:
            place = next(line for line in process.stderr if "http://127.0.0.1:" in line).split("http://")[1].split("/")[0]
            self.assertIn(place, self.fensi("status").out)
            process.kill()
            process.wait()


class OfStrangers(StatusTest):
    def stranger(self, says):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            client, _ = listener.accept()
            with client:
                client.recv(4096)
                client.sendall(says)
        threading.Thread(target=serve, daemon=True).start()
        return "127.0.0.1:%d" % listener.getsockname()[1]

    def body(self, text):
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text)

    def test_an_index_that_stopped_is_told_by_code_and_words(self):
        index = {"name": "fensi", "state": "stopped", "reason": "gap", "remedy": "the log says it", "events": 1, "dead_letters": {},
                 "topic_partitions": 1, "assigned_partitions": 0, "partitions": []}
        place = self.stranger(self.body(json.dumps({"format": 1, "process": {}, "indexes": [index]}).encode()))
        outcome = self.refuses(1, "status", "--daemon=" + place)
        self.assertIn("fensi: stopped, gap: the log says it, at " + place, outcome.out)

    def test_one_that_was_named_and_is_away_is_told_beside_the_others(self):
        self.start("one")
        outcome = self.refuses(69, "status", "--daemon=unix:one,unix:absent", says="unix:absent: no process listens there")
        self.assertEqual(self.row(outcome.out)[0], "fensi")

    def test_nobody_at_all(self):
        self.refuses(69, "status", "--daemon=127.0.0.1:1", says="127.0.0.1:1: no process listens there")

    def test_what_is_no_fensi_or_a_newer_one(self):
        for says, words in ((b"SSH-2.0-x\r\n", "no 'fensi run'"), (self.body(b"<html>"), "no 'fensi run'"),
                            (self.body(b'{"a":1}'), "no 'fensi run'"), (self.body(b'{"format":2,"process":{}}'), "newer version of fensi"),
                            (self.body(b'{"format":1,"process":{},"indexes":[{"name":7}]}'), "reports no status of"),
                            (self.body(b"[" * 1000000), "no 'fensi run'")):
            self.refuses(78, "status", "--daemon=" + self.stranger(says), says=words)

    def flood(self, length, begin, unit):
        """As stranger, of bytes that are never held at once: the memory of this process would count as that of its child."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        left = int(length.split()[1]) if length else 60 << 20

        def serve():
            client, _ = listener.accept()
            with client, contextlib.suppress(OSError):
                client.recv(4096)
                client.sendall(b"HTTP/1.1 200 OK\r\n" + length + b"\r\n" + begin)
                chunk = unit * (100_000 // len(unit))
                for at in range(len(begin), left, len(chunk)):
                    client.sendall(chunk[:left - at])
        threading.Thread(target=serve, daemon=True).start()
        return "127.0.0.1:%d" % listener.getsockname()[1]

    def cost(self, *arguments):
        """Exit code, MiB at most and seconds of the processor."""
        process = subprocess.Popen([harness.FENSI, *arguments], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime

    def test_who_answers_without_a_bound_costs_neither_memory_nor_time(self):
        mebibyte = 1 << 20
        endless, long, most = b"", b"Content-Length: %d\r\n" % (60 * mebibyte), b"Content-Length: %d\r\n" % (31 * mebibyte)
        for length, begin, unit in ((endless, b"[", b"["), (long, b"[", b"["), (most, b"[", b"["), (most, b"[0", b",0"),
                                    (most, b'{"":0', b',"":0'), (most, b'"', b"x")):
            for command in ("status", "reload"):
                code, mebibytes, seconds = self.cost(command, "--daemon=" + self.flood(length, begin, unit))
                self.assertEqual(code, 78, (command, length, unit))
                self.assertLess(mebibytes, 50 + 10 * 31, (command, length, unit))
                self.assertLess(seconds, 10, (command, length, unit))

    def test_the_token_is_wanted(self):
        self.file("token", "sesame\n")
        os.chmod(os.path.join(self.dir, "token"), 0o600)
        self.start("one", "--admin_token_file=token")
        self.refuses(77, "status", "--daemon=unix:one", says="--admin_token_file")
        self.succeeds("status", "--daemon=unix:one", "--admin_token_file=token")

    def test_places_where_nobody_can_be(self):
        for place in ("none", "127.0.0.1:0", "localhost:16180", "127.0.0.1", "unix:", ","):
            self.refuses(64, "status", "--daemon=" + place, says="--daemon")


harness.main()
