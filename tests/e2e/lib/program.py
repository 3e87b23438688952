"""Runs the program under test: short commands to their end, and the daemon beside the test."""
import contextlib
import os
import signal
import socket
import subprocess
import threading
import time

FENSI = os.environ.get("FENSI_BIN", "build/release/bin/fensi")


def free_address():
    """On loopback, where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return "127.0.0.1:%d" % free.getsockname()[1]


def fensi(*words, stdin=None, timeout_s=600):
    """Runs a command to its end; gives back the finished process with stdout and stderr as text."""
    return subprocess.run([FENSI, *words], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=timeout_s, check=False)


def fensi_ok(*words, stdin=None, timeout_s=600):
    """As fensi(), and fails the test unless the exit code is 0."""
    done = fensi(*words, stdin=stdin, timeout_s=timeout_s)
    assert done.returncode == 0, "fensi %s: exit code %d\n%s" % (" ".join(words), done.returncode, done.stderr[-4000:])
    return done


class Daemon:
    """`fensi run …`, or another command that goes on, in the background. Its messages go to a file; leaving the `with` block
    kills what still runs. `program`: another build of it."""

    def __init__(self, folder, name, *words, command="run", program=FENSI):
        self.log_file = os.path.join(folder, name + ".log")
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen([program, command, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.kill()
        if kind is not None:
            print("==== %s\n%s" % (self.log_file, self.messages()[-6000:]))

    def messages(self):
        with open(self.log_file, encoding="utf-8", errors="replace") as source:
            return source.read()

    def is_up(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self, seconds=120):
        """SIGTERM; gives back the exit code."""
        self.process.terminate()
        return self.process.wait(seconds)


class Feed:
    """The given lines until enough() was called, but `at_least` so many: a load that lasts as long as a test needs it,
    however slow the machine is."""

    def __init__(self, lines, at_least):
        self._lines, self._at_least = iter(lines), at_least
        self._enough = threading.Event()
        self.count = 0

    def enough(self):
        self._enough.set()

    def __iter__(self):
        while self.count < self._at_least or not self._enough.is_set():
            self.count += 1
            yield next(self._lines)


class Load(threading.Thread):
    """`fensi publish` fed at a steady rate in the background; finish() waits for its end and fails the test if it failed."""

    def __init__(self, topic, lines, events_per_second):
        super().__init__(daemon=True)
        self._topic, self._lines, self._rate = topic, lines, events_per_second
        self._problem = None
        self.start()

    def run(self):
        # Patient, because the tests stop Kafka under it.
        words = [FENSI, "publish", self._topic, "--kafka", os.environ["FENSI_TEST_KAFKA"], "--kafka_property",
                 "message.timeout.ms=300000"]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            self._feed(process.stdin)
        except BrokenPipeError:
            pass  # it ended early; its message says why
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        messages = process.stderr.read()
        process.stderr.close()
        process.wait()
        if process.returncode != 0:
            self._problem = "%s: exit code %d\n%s" % (" ".join(words), process.returncode, messages)

    def _feed(self, stdin):
        begin = time.monotonic()
        for count, line in enumerate(self._lines):
            stdin.write(line)
            if count % 100 == 0:
                stdin.flush()
                time.sleep(max(0, begin + count / self._rate - time.monotonic()))

    def finish(self):
        self.join()
        assert self._problem is None, self._problem
