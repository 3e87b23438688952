"""SIGTERM ends every command that changes something within 5 s, whatever it waits for: a store or a Kafka that falls silent at a call of each
kind that the command makes, or an index that is paused. On a cluster in this process (cluster/)."""
import re
import signal
import threading
import time

import harness
from cluster.commands import COMMANDS, PAUSE, prepare
from cluster.world import PATIENCE_S, Victim, World

LONGEST_STOP_S = 5
SLACK_S = 5  # a busy machine; who waits for the end of a call waits for 30 s and more
# It had begun nothing; a daemon, or one that had just ended; Kafka did not answer a daemon's farewell; it was stopped.
ENDS = (-signal.SIGTERM, 0, 69, 75)
LEAVE_GROUP = 13  # of Kafka's API keys
UNTOLD = (18, 22)  # Kafka's questions for versions and for a producer's number: part of others
_at = {}


def prepare_stages():
    world, at = prepare()
    world.close()
    _at.update(at)


class Silence:
    """From the first call of one kind on the victim's server answers nothing."""

    def __init__(self, victim, server, kind):
        self.met, self._over = threading.Event(), threading.Event()
        self.kinds = {"store": [], "kafka": []}
        victim.store.begin(None, lambda name, _: self._passes("store", name, (server, kind)))
        victim.kafka.begin(None, lambda key, _: self._passes("kafka", key, (server, kind)))

    def _passes(self, server, name, silent):
        if name not in self.kinds[server] and name not in UNTOLD:
            self.kinds[server].append(name)
        if self.met.is_set() and server == silent[0] or (server, name) == silent:
            self.met.set()
            self._over.wait(PATIENCE_S)
            return False
        return True

    def end(self):
        self._over.set()


class Stops(harness.CliTest):
    def stops(self, world, command, server, kind):
        """The kinds of calls that were made."""
        world.restore(_at[command.stage])
        victim = Victim(world)
        daemon = world.daemon(command.daemon) if command.daemon else None
        silence = Silence(victim, server, kind)
        process = world.begin(command.words, victim, command.stdin)
        try:
            farewell = kind == LEAVE_GROUP and command.until is not None  # a daemon makes this call when it is stopped
            world.await_("the silence of %s" % kind, lambda: silence.met.is_set() or not process.runs()
                         or ((kind is None or farewell) and command.until and command.until(world)))
            if kind is not None and (silence.met.is_set() or farewell):
                time.sleep(0.3)  # others of its threads come to their waits, too
                self.ends_in_time(process, "%s, silent from %s on" % (command.words, kind))
            return silence.kinds
        finally:
            silence.end()
            if process.runs():
                process.stop()
            if daemon:
                daemon.stop()
            victim.close()

    def ends_in_time(self, process, what):
        begin = time.monotonic()
        process.signal(signal.SIGTERM)
        ended = process.end()
        self.assertLess(time.monotonic() - begin, LONGEST_STOP_S + SLACK_S, "%s: %r" % (what, ended))
        self.assertIn(ended.code, ENDS, "%s: %r" % (what, ended))
        if ended.code > 0:
            self.assertRegex(ended.text, "stopped" if ended.code == 75 else "did not leave group", what)

    def at_each_kind(self, command):
        world = World()
        try:
            kinds = self.stops(world, command, None, None)
            for server, names in kinds.items():
                for kind in names:
                    self.stops(world, command, server, kind)
        finally:
            world.close()
        print("%s: %s" % (re.sub(r" --.*", "", command.words), kinds), flush=True)

    def on_a_paused_index(self, command):
        world = World()
        try:
            world.restore(_at[command.stage])
            with world.daemon(command.daemon):
                world.succeeds(PAUSE)
                time.sleep(6)  # every daemon heeds a pause within 5 s
                process = world.begin(command.words)
                time.sleep(2)
                self.assertTrue(process.runs(), process.said())
                self.ends_in_time(process, command.words + ", the index is paused")
        finally:
            world.close()


def add_tests():
    for n, command in enumerate(COMMANDS):
        def silent(self, command=command):
            self.at_each_kind(command)

        def paused(self, command=command):
            self.on_a_paused_index(command)
        setattr(Stops, "test_%02d_%s_of_silent_servers" % (n, command.name), silent)
        if command.daemon:
            setattr(Stops, "test_%02d_%s_of_a_paused_index" % (n, command.name), paused)


add_tests()
prepare_stages()
harness.main_side_by_side(8)
