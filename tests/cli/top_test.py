"""`fensi top` on a pseudo-terminal: keys, another size, a daemon that goes, and the terminal as it was, whatever ends it."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import harness
from fake_daemon import FakeDaemon

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"


class Screen:
    """Keeps what stands on a terminal, of the sequences that `fensi top` uses; any other one is a fault."""
    SEQUENCE = re.compile(r"\x1b\[(\??)([\d;]*)([A-Za-z])")

    UNFINISHED = re.compile(r"\x1b(\[[?\d;]*)?\Z")

    def __init__(self):
        self.lines, self.row, self.column, self.rows = {}, 0, 0, 0
        self.own_page = False
        self._decoder, self._rest = codecs.getincrementaldecoder("utf-8")(), ""

    def feed(self, data):
        text, at = self._rest + self._decoder.decode(data), 0
        cut = self.UNFINISHED.search(text)
        text, self._rest = (text[:cut.start()], cut.group()) if cut else (text, "")
        while at < len(text):
            match = self.SEQUENCE.match(text, at)
            if match:
                self.obey(*match.groups())
                at = match.end()
            else:
                self.put(text[at])
                at += 1

    def obey(self, private, numbers, verb):
        if private:
            self.own_page = (verb == "h") if numbers == "1049" else self.own_page
        elif verb == "H":
            self.row, self.column = 0, 0
        elif verb == "K":
            self.lines[self.row] = self.lines.get(self.row, "")[:self.column]
        elif verb == "J":
            assert numbers == "2"
            self.lines = {}
        else:
            assert verb == "m", "unknown: " + verb

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
        else:
            assert character >= " ", repr(character)
            line = self.lines.get(self.row, "").ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    def picture(self):
        return [re.sub(r"\d\d:\d\d:\d\dZ", "TIME", self.lines.get(row, "").rstrip()) for row in range(min(self.rows, 1 + max(self.text_rows(), default=-1)))]

    def text_rows(self):
        return [row for row, line in self.lines.items() if line.strip()]


def told(indexes):
    return {"format": 1, "process": {"pid": 1}, "indexes": indexes}


def index(name, events, lags, state="running"):
    partitions = [{"partition": number, "lag_records": lag, "lag_seconds": lag / 10, "queue_full": False} for number, lag in enumerate(lags)]
    return {"name": name, "state": state, "waits_for": "", "events": events, "open_dead_letters": {"rejected": 3}, "topic_partitions": 2,
            "assigned_partitions": 2, "partitions": partitions}


class TopTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.daemon = FakeDaemon(told([index("fensi", 10, [5, 0]), index("guanzhu", 20, [70, 30])]))
        self.addCleanup(lambda: self.daemon and self.daemon.end())
        self.screen = Screen()
        self.said = b""

    def start(self, rows=24, columns=80):
        self.master, terminal = pty.openpty()
        self.addCleanup(os.close, self.master)
        self.resize(rows, columns)
        self.before = termios.tcgetattr(terminal)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen([harness.FENSI, "top", "--daemon=" + self.daemon.place], cwd=self.dir, stdin=terminal, stdout=terminal,
                                        stderr=subprocess.PIPE, preexec_fn=own_terminal, env={**os.environ, "TERM": "xterm"})
        self.terminal = terminal
        self.addCleanup(os.close, terminal)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.end)
        self.until(lambda: self.line("guanzhu"))

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.rows = rows

    def look(self):
        while select.select([self.master], [], [], 0.02)[0]:
            data = os.read(self.master, 65536)
            self.said += data
            self.screen.feed(data)

    def until(self, condition):
        deadline = time.monotonic() + harness.DEADLINE_S
        while True:
            self.look()
            answer = condition()
            if answer:
                return answer
            self.assertLess(time.monotonic(), deadline, "\n".join(self.screen.picture()))
            self.assertIsNone(self.process.poll(), "it has ended")

    def line(self, begin):
        return next((line for line in self.screen.picture() if line.startswith(begin)), "")

    def keys(self, text):
        os.write(self.master, text.encode())

    def ended(self, code=0):
        """It has, with that code, and the terminal is what it was."""
        self.assertEqual(self.process.wait(harness.DEADLINE_S), code, self.process.stderr.read().decode())
        self.look()
        self.assertFalse(self.screen.own_page)
        self.assertTrue(self.said.endswith(LEAVE), self.said[-40:])
        self.assertIn(b"\x1b[?25h", self.said[-40:])
        self.assertEqual(termios.tcgetattr(self.terminal), self.before)


class Pictures(TopTest):
    def test_of_indexes_partitions_help_and_another_size(self):
        self.start()
        self.assertTrue(self.screen.own_page)
        self.until(lambda: "?" not in self.line("fensi  "))  # the rate is known from the second answer
        self.assertEqual(self.screen.picture()[:2], [
            "fensi top  TIME  1 daemon, 2 indexes, by events behind  ?: help",
            "INDEX    STATE       PARTITIONS  EVENTS/S    BEHIND    OLDEST  LETTERS LAST 60 S"])
        rows = [line[:70] for line in self.screen.picture()[2:]]
        self.assertEqual(rows, ["guanzhu  running            2/2         0       100     7.0 s        3",
                                "fensi    running            2/2         0         5     0.5 s        3"])
        self.keys("sss")
        self.until(lambda: self.screen.picture()[2].startswith("fensi"))
        self.assertIn(", by name", self.screen.picture()[0])
        self.keys("\x1b[Bp")
        self.until(lambda: self.line("guanzhu: running, 2 of the 2 partitions owned here are behind"))
        self.assertEqual(self.screen.picture()[2:], ["PARTITION       BEHIND     OLDEST  QUEUE   DAEMON",
                                                     "        0           70      7.0 s          " + self.daemon.place,
                                                     "        1           30      3.0 s          " + self.daemon.place])
        self.keys("?")
        self.until(lambda: self.line("  Any key goes back."))
        self.keys("xi")
        self.keys("i")
        self.until(lambda: self.line("INDEX"))
        self.resize(5, 42)
        self.until(lambda: self.line("INDEX").endswith("EVENTS/S"))
        self.assertLessEqual(max(map(len, self.screen.picture())), 42)
        self.assertLessEqual(len(self.screen.picture()), 5)
        self.keys("q")
        self.ended()

    def test_a_daemon_that_goes_is_named_and_comes_back(self):
        self.start()
        place = self.daemon.place
        self.daemon.end()
        self.daemon = None
        self.until(lambda: self.line(place + " is unreachable for"))
        self.assertIn(" unreachable ", self.line("fensi  "))
        self.keys("q")
        self.ended()


class Ends(TopTest):
    def test_by_signals_and_ctrl_c_the_terminal_is_as_it_was(self):
        for end in (lambda: self.keys("\x03"), lambda: self.process.send_signal(signal.SIGTERM), lambda: self.process.send_signal(signal.SIGHUP),
                    lambda: self.keys("\x1c")):
            self.screen, self.said = Screen(), b""
            self.start()
            end()
            self.ended()

    def test_a_stop_gives_the_terminal_back_until_it_goes_on(self):
        self.start()
        self.keys("\x1a")
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        self.look()
        self.assertFalse(self.screen.own_page)
        self.assertEqual(termios.tcgetattr(self.terminal), self.before)
        self.process.send_signal(signal.SIGCONT)
        self.until(lambda: self.screen.own_page and self.line("guanzhu"))
        self.assertNotEqual(termios.tcgetattr(self.terminal), self.before)
        self.keys("q")
        self.ended()


class Refusals(harness.CliTest):
    def test_without_a_terminal_it_names_the_command_that_needs_none(self):
        self.refuses(64, "top", says="fensi status")

    def test_a_terminal_that_cannot_be_drawn_on_is_none(self):
        master, terminal = pty.openpty()
        done = subprocess.run([harness.FENSI, "top"], stdin=terminal, stdout=terminal, stderr=subprocess.PIPE, check=False,
                              env={**os.environ, "TERM": "dumb"}, timeout=harness.DEADLINE_S)
        os.close(master)
        os.close(terminal)
        self.assertEqual((done.returncode, b"fensi status" in done.stderr), (64, True))

    def test_nobody_to_ask_is_said_before_anything_is_drawn(self):
        master, terminal = pty.openpty()
        done = subprocess.run([harness.FENSI, "top", "--daemon=127.0.0.1:1"], stdin=terminal, stdout=terminal, stderr=subprocess.PIPE, check=False,
                              env={**os.environ, "TERM": "xterm"}, timeout=harness.DEADLINE_S)
        drawn = select.select([master], [], [], 0)[0]
        os.close(master)
        os.close(terminal)
        self.assertEqual((done.returncode, b"no process listens there" in done.stderr, drawn), (69, True, []))


harness.main()
