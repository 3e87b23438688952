"""What a slow machine leaves out of all tests fails, and says so (tests/in_time)."""
import os
import subprocess
import time
import unittest

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "in_time")


def run(percent, *command, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FENSI_")}
    more = {"FENSI_" + name: str(value) for name, value in environment.items()}
    return subprocess.run([PATH, str(percent), *command], env={**kept, **more}, capture_output=True, text=True, check=False)


class InTime(unittest.TestCase):
    def test_without_a_deadline_all_is_run(self):
        self.assertEqual(run(100, "sh", "-c", "exit 3", BUILD_SECONDS=10_000).returncode, 3)

    def test_what_ends_in_time_is_run_and_its_failure_is_one(self):
        done = run(50, "sh", "-c", "echo it ran; exit 3", BUILD_SECONDS=1000, DEADLINE=int(time.time()) + 600)
        self.assertEqual((done.returncode, done.stdout), (3, "it ran\n"))

    def test_what_would_not_fails_in_so_many_words(self):
        done = run(50, "echo", "it ran", BUILD_SECONDS=1000, DEADLINE=int(time.time()) + 400)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not run: it would take some 500 s on this machine", done.stdout)

    def test_a_deadline_alone_is_a_fault(self):
        self.assertNotEqual(run(50, "true", DEADLINE=int(time.time())).returncode, 0)

    def test_a_wrong_number_of_minutes_is_refused_before_the_build(self):
        for minutes in ("abc", "1.5", "010", "-1"):
            done = subprocess.run([os.path.join(os.path.dirname(PATH), "run")], env={**os.environ, "FENSI_MINUTES": minutes},
                                  capture_output=True, text=True, check=False, timeout=20)
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn("FENSI_MINUTES=%s is no number of minutes" % minutes, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
