"""Waiting for a condition, never for luck."""
import time


def until(what, condition, seconds=120, pause=0.1):
    """Returns the first true answer of `condition`; fails the test after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < deadline, "waited %d s for: %s" % (seconds, what)
        time.sleep(pause)
