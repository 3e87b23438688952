"""Every command that changes something, with what it needs, what is its contrary, and how one sees that it is done."""
import dataclasses
import re
from typing import Callable

from cluster.world import World

STORE, KAFKA, SOURCE = "--store STORE", "--kafka KAFKA", "--source kafka://KAFKA"
RUN = "run m.yaml --index %s " + SOURCE + " " + STORE + " --until_end --admin none --kafka_session_timeout_ms 6000"
VERIFY = "verify m.yaml %s " + STORE + " --recheck_s 0 --max_suspects 1000"


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    stage: str  # what must have happened before
    words: str
    contrary: str = ""  # what takes it back, or forbids it
    indexes: tuple = ("fensi",)  # that are right when it is done
    daemon: str = ""  # the index that is run beside it
    until: Callable = None  # of one that does not end by itself: what shows that it has done something
    done: Callable = None  # beside indexes that are right
    stdin: str = ""
    codes: tuple = (0,)  # of the line that ends the work


def bare(_):
    """A source table alone."""


def made(world):
    world.succeeds("create m.yaml --partitions 2 --execute %s %s" % (STORE, KAFKA))
    world.put_rows()
    world.publish_file("events")


def ran(world):
    for index in ("fensi", "fensi-2", "third"):
        world.succeeds(RUN % index)


def live(world):
    for index in ("fensi", "fensi-2"):
        with world.daemon(index):
            world.succeeds("backfill m.yaml %s --skip_watermark_check --execute %s %s" % (index, SOURCE, STORE))


def wrong(world):
    """A person deleted an entry."""
    def damage(tables):
        [row] = [row for row in tables[b"fensi"].rows if row == b"b1"]
        tables[b"fensi"].mark(row, b"f1", b"r1", 2 ** 41, 12)
        tables[b"fensi"].put(b"b9", b"f1", b"r1", 5, b"")
    world.gateway.locked(damage)


def aliased(world):
    world.succeeds("switch m.yaml fans --to fensi --skip_verification --execute " + STORE)


def paused(world):
    world.succeeds("pause m.yaml fensi --reason upgrade --execute " + STORE)


def parked(world):
    """A message that is no event, as a foreign producer puts it there."""
    world.broker.append_raw("guanzhu", 0, b"r0", b"no event")
    world.run(RUN % "fensi")


STAGES = {"bare": (None, bare), "made": ("bare", made), "ran": ("made", ran), "live": ("ran", live), "wrong": ("live", wrong),
          "aliased": ("live", aliased), "paused": ("live", paused), "parked": ("live", parked)}


def tables_gone(world):
    return not {b"fensi", b"fensi_state"} & set(world.gateway.snapshot()[0])


def alias_names(index):
    return lambda world: world.meta_cell(b"alias:fans", b"index") == index


def says_paused(wanted):
    def check(world):
        return world.run("pause m.yaml fensi --reason asked " + STORE).text.count("the pause was already requested") == wanted
    return check


def letters_ended(world):
    said = world.succeeds("dead-letters list m.yaml fensi " + SOURCE).text
    return not re.search(r"\b[1-9]\d* open", said)


EXECUTE = " --execute "
DROP = "drop m.yaml fensi" + EXECUTE + STORE + " " + KAFKA
CREATE = "create m.yaml --partitions 2" + EXECUTE + STORE + " " + KAFKA
PAUSE, RESUME = "pause m.yaml fensi --reason test" + EXECUTE + STORE, "resume m.yaml fensi" + EXECUTE + STORE
BACKFILL = "backfill m.yaml fensi --skip_watermark_check " + SOURCE + " " + STORE
JOB = VERIFY % "fensi" + " --distributed"
REPAIR = "repair m.yaml fensi --verify_first --recheck_s 0 --wait_s 20" + EXECUTE + SOURCE + " " + STORE
PARKED = "dead-letters %s m.yaml fensi --kind undecodable " + SOURCE
COMMANDS = (
    Command("create", "bare", CREATE, DROP, ()),
    Command("run", "made", RUN % "fensi", PAUSE),
    Command("run", "live", "run m.yaml --index fensi --scrub_rows_per_second 1000 --admin none --kafka_session_timeout_ms 6000 "
            + SOURCE + " " + STORE, PAUSE, until=lambda world: world.meta_cell(b"index:fensi", b"scrubbed/")),
    Command("publish", "made", "publish guanzhu " + KAFKA, DROP, (), stdin="events"),
    Command("backfill", "ran", BACKFILL + EXECUTE, BACKFILL + " --cancel", daemon="fensi"),
    Command("verify", "live", VERIFY % "fensi", DROP),
    Command("verify", "live", JOB, JOB + " --cancel"),
    Command("repair", "wrong", REPAIR, PAUSE, daemon="fensi"),
    Command("switch", "aliased", "switch m.yaml fans --to fensi-2 --skip_verification" + EXECUTE + STORE,
            "switch m.yaml fans --remove" + EXECUTE + STORE, done=alias_names(b"fensi-2")),
    Command("drop", "live", DROP, "switch m.yaml fans --to fensi --skip_verification" + EXECUTE + STORE, ("fensi-2",), done=tables_gone),
    Command("convert", "ran", "convert mirror.yaml third" + EXECUTE + STORE + " " + KAFKA, RUN % "third", ()),
    Command("pause", "live", PAUSE, RESUME, done=says_paused(1)),
    Command("resume", "paused", RESUME, PAUSE, done=says_paused(0)),
    Command("replay", "live", "replay m.yaml fensi --from earliest" + EXECUTE + SOURCE + " " + STORE, RUN % "fensi"),
    # The letter is no event after its replay, too, and is parked again.
    Command("dead-letters", "parked", PARKED % "retry" + EXECUTE + STORE + " --wait_s 20", PARKED % "discard" + EXECUTE + "--reason test",
            daemon="fensi", codes=(0, 1)),
    Command("dead-letters", "parked", PARKED % "discard" + EXECUTE + "--reason test", PARKED % "retry" + EXECUTE + STORE + " --wait_s 0",
            done=letters_ended),
)
# Commands that write no table and no topic.
READERS = {"status", "top", "check", "test", "explain", "lookup", "scan", "tables", "describe", "wait", "tail", "completion", "help", "version",
           "reload", "init", "forecast", "code"}
# Commands whose moments of death another test has.
ELSEWHERE = {"capture": "tests/e2e/capture_crash_test.py"}


def prepare():
    """A world, and what it was at each stage."""
    world, at = World(), {}
    for name, (before, make) in STAGES.items():
        if before:
            world.restore(at[before])
        make(world)
        at[name] = world.snapshot()
    return world, at
