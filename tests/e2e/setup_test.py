#!/usr/bin/env python3
"""The set-up on other people's machines, without servers: deploy/quickstart under a user without rights, in a folder with a
blank and Chinese letters, in the C locale, moved after building, interrupted and repeated; deploy/install without rights.

The compiler is replaced by one that copies the program under test, the package manager by one that has everything, and the
graph by its beginning; all scripts and the program are real."""
import gzip
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.environ["FENSI_ROOT"]
FENSI = os.environ["FENSI_BIN"]
NOBODY = 65534
ODD_NAME = "a b'中文 $(touch x)"
FOLLOWS = 30_000

CMAKE = """#!/bin/sh
echo "cmake $*" >>"{top}/built"
case "$1" in
  --preset) mkdir -p build/release && touch build/release/build.ninja &&
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\\nCMAKE_CACHEFILE_DIR:INTERNAL=%s/build/release\\n' "$PWD" "$PWD" >build/release/CMakeCache.txt ;;
  *) mkdir -p build/release/bin && cp "{fensi}" build/release/bin/fensi ;;
esac
"""
HAS_ALL = "#!/bin/sh\necho installed\n"
HAS_NONE = "#!/bin/sh\nexit 1\n"
# Programs for `--real` without servers: daemons say who they are and wait, everything else succeeds.
DAEMONS = """#!/bin/sh
case "$1" in
  capture|run) echo $$ >"{top}/$1.pid"; exec sleep 600 ;;
  lookup) printf '1049\\tf1:7\\t1\\t\\n1049\\tf1:8\\t1\\t\\n' ;;
esac
"""
DEVSTACK = """#!/bin/sh
case "$1 $2" in
  env*) for name in HBASE KAFKA ADMIN ZOOKEEPER STACK; do echo "export FENSI_TEST_$name=x"; done ;;
  "admin lag") echo 0 1 1 ;;
  client*) cat >/dev/null ;;
esac
"""


class SetUp(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="fensi-setup-")
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.clone = os.path.join(self.top, ODD_NAME)
        self.copy_tree()
        os.mkdir(os.path.join(self.top, "bin"))
        shutil.copy(FENSI, os.path.join(self.top, "fensi"))
        self.program("cmake", CMAKE.format(top=self.top, fensi=os.path.join(self.top, "fensi")))
        self.program("dpkg-query", HAS_ALL)

    def copy_tree(self):
        """What quickstart needs of the tree."""
        shutil.copytree(os.path.join(ROOT, "deploy"), os.path.join(self.clone, "deploy"),
                        ignore=shutil.ignore_patterns("__pycache__"))
        data = os.path.join("tests", "data", "slashdot-follow.csv.gz")
        os.makedirs(os.path.dirname(os.path.join(self.clone, data)))
        with gzip.open(os.path.join(ROOT, data)) as whole, gzip.open(os.path.join(self.clone, data), "wb") as begin:
            title, *lines = itertools.islice(whole, 1 + FOLLOWS)
            follows = [b"%d,1049\n" % number for number in range(1, 5)]
            begin.writelines([title, *follows, *lines])

    def program(self, name, text):
        path = os.path.join(self.top, "bin", name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o755)

    def start(self, *words, clone=None):
        """As somebody without rights who shows nobody anything, in the C locale and a zone of half hours, with a process
        group of its own as a terminal gives it."""
        for folder, _, files in os.walk(self.top):
            for path in [folder, *(os.path.join(folder, name) for name in files)]:
                if os.getuid() == 0 and not os.path.islink(path):
                    os.chown(path, NOBODY, NOBODY)
        stranger = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        environment = {"PATH": os.path.join(self.top, "bin") + ":/usr/bin:/bin", "HOME": "/nowhere", "LANG": "C",
                       "TZ": "Asia/Kolkata"}
        return subprocess.Popen(words, cwd=clone or self.clone, env=environment, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True,
                                umask=0o077, **stranger)

    def run_to_end(self, *words, code=0, **options):
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=200)
        self.assertEqual(process.returncode, code, err)
        self.assertNotIn("Traceback", err)
        return out, err

    def quickstart(self, *words, **options):
        return self.run_to_end("deploy/quickstart", *words, **options)

    def assert_answers(self, out):
        self.assertIn("followers of ", out)
        self.assertIn("quickstart\tf1:", out)

    def until(self, condition, process):
        deadline = time.monotonic() + 100
        while not condition():
            self.assertIsNone(process.poll(), "it ended")
            self.assertLess(time.monotonic(), deadline, "waited too long")
            time.sleep(0.01)


class Quickstart(SetUp):
    def test_shows_its_answers_in_an_odd_folder_and_again(self):
        for _ in range(2):
            out, _ = self.quickstart()
            self.assert_answers(out)
        self.assertFalse(os.path.exists(os.path.join(self.clone, "x")))

    def test_ends_when_it_is_interrupted_and_shows_everything_when_it_is_repeated(self):
        store = os.path.join(self.clone, "build", "quickstart", "store", "CURRENT")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            shutil.rmtree(os.path.dirname(store), ignore_errors=True)
            process = self.start("deploy/quickstart")
            self.until(lambda: os.path.exists(store), process)
            os.killpg(process.pid, number)  # the terminal's Ctrl-C reaches the script and what it runs
            out, err = process.communicate(timeout=100)
            self.assertEqual(process.returncode, code, err)
            self.assertNotIn("The ten most followed", err)
            self.assertEqual(out, "")
        self.assert_answers(self.quickstart()[0])

    def test_a_build_that_fails_shows_its_end_where_the_rest_is_and_what_to_do(self):
        for said, hint in (("x.cc:1: error: no such thing", ""),
                           ("x.cc: fatal error: cannot write: No space left on device", "The disk is full: free some space"),
                           ("g++: fatal error: Killed signal terminated program cc1plus", "with FENSI_JOBS=1 in front of it")):
            self.program("cmake", CMAKE.format(top=self.top, fensi="/nonexistent") +
                         f"case \"$1\" in --build) echo '[3/120] x.cc'; echo '{said}' >&2; exit 1 ;; esac\n")
            _, err = self.quickstart(code=1)
            self.assertIn(said, err)
            self.assertIn("Compiling: failed (exit code 1); the whole output is in build/release.build.log", err)
            self.assertIn(hint, err)
            with open(os.path.join(self.clone, "build", "release.build.log"), encoding="utf-8") as text:
                self.assertIn("[3/120] x.cc", text.read())

    def test_shows_how_far_the_build_is(self):
        self.program("cmake", CMAKE.format(top=self.top, fensi=os.path.join(self.top, "fensi")) +
                     "case \"$1\" in --build) for i in 1 2 3; do echo \"[$((30 * i))/120] x.cc\"; sleep 6; done ;; esac\n")
        self.assertRegex(self.quickstart()[1], r"\nCompiling: 75 % after 1[56] s, about 5 s left\nCompiling: done in 1[89] s\n")

    def test_two_at_once_do_not_share_a_store(self):
        self.program("cmake", "#!/bin/sh\nsleep 600\n")
        first = self.start("deploy/quickstart")
        self.until(lambda: os.path.exists(os.path.join(self.clone, "build", "quickstart", "lock")), first)
        _, err = self.quickstart(code=75)
        self.assertIn("another one is at work in this clone", err)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()

    def test_a_signal_to_it_alone_ends_what_it_waits_for(self):
        """Half a build or half a run is nobody's wish; `kill PID` reaches no process group."""
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
            with open(os.path.join(self.top, "fensi"), "w", encoding="utf-8") as out:
                out.write(DAEMONS.format(top=self.top))
            process = self.start("deploy/quickstart")
            pid_file = os.path.join(self.top, "run.pid")
            self.until(lambda: os.path.exists(pid_file) and os.path.getsize(pid_file), process)
            with open(pid_file, encoding="utf-8") as text:
                child = text.read().strip()
            begin = time.monotonic()
            process.send_signal(number)
            process.communicate(timeout=100)
            self.assertEqual(process.returncode, code)
            self.assertLess(time.monotonic() - begin, 60)
            self.assertFalse(os.path.exists("/proc/" + child), "the run goes on")
            os.remove(pid_file)

    def test_ends_the_daemons_that_it_started(self):
        with open(os.path.join(self.top, "fensi"), "w", encoding="utf-8") as out:
            out.write(DAEMONS.format(top=self.top))
        with open(os.path.join(self.clone, "deploy", "devstack"), "w", encoding="utf-8") as out:
            out.write(DEVSTACK)
        self.quickstart("--real")
        for name in ("capture", "run"):
            with open(os.path.join(self.top, name + ".pid"), encoding="utf-8") as text:
                self.assertFalse(os.path.exists("/proc/" + text.read().strip()), name + " still runs")


class MovedClone(SetUp):
    def test_is_built_anew(self):
        self.quickstart()
        for move in (shutil.move, shutil.copytree):
            other = os.path.join(self.top, move.__name__)
            move(self.clone, other)
            before = self.built()
            _, err = self.quickstart(clone=other)
            self.assertIn("is created again", err)
            self.assertEqual(self.built() - before, 2)  # configured and compiled
            self.clone = other

    def built(self):
        with open(os.path.join(self.top, "built"), encoding="utf-8") as text:
            return len(text.readlines())

    def test_compiles_its_own_sources_with_the_real_cmake(self):
        os.remove(os.path.join(self.top, "bin", "cmake"))
        for name, text in (("CMakeLists.txt", 'cmake_minimum_required(VERSION 3.25)\nproject(toy LANGUAGES NONE)\n'
                                              'add_custom_target(say ALL COMMAND cat ${CMAKE_SOURCE_DIR}/word)\n'),
                           ("word", "first"),
                           ("CMakePresets.json", '{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja",'
                                                 '"binaryDir": "${sourceDir}/build/release"}]}')):
            with open(os.path.join(self.clone, name), "w", encoding="utf-8") as out:
                out.write(text)
        self.run_to_end("deploy/configure", "release")
        copy = os.path.join(self.top, "copy")
        shutil.copytree(self.clone, copy)
        with open(os.path.join(copy, "word"), "w", encoding="utf-8") as out:
            out.write("second")
        self.run_to_end("deploy/configure", "--once", "release", clone=copy)
        self.assertIn("second", self.run_to_end("cmake", "--build", "build/release", clone=copy)[0])

    def test_says_how_to_configure(self):
        self.assertIn("Configures build/PRESET", self.run_to_end("deploy/configure", "--help")[0])
        self.assertFalse(os.path.exists(os.path.join(self.clone, "build", "--help.configure.log")))

    def test_a_folder_that_was_configured_here_is_left_as_it_is(self):
        self.quickstart()
        link = os.path.join(self.top, "link")
        os.symlink(self.clone, link)
        before = self.built()
        _, err = self.quickstart(clone=link)
        self.assertNotIn("is created again", err)
        self.assertEqual(self.built() - before, 1)


class Install(SetUp):
    def test_without_rights_says_what_somebody_with_rights_has_to_run(self):
        self.program("dpkg-query", HAS_NONE)
        self.program("sudo", "#!/bin/sh\necho 'sudo: a password is required' >&2; exit 1\n")
        for words in (("deploy/install", "build"), ("deploy/quickstart",)):
            _, err = self.run_to_end(*words, code=77)
            self.assertIn("apt-get install -y --no-install-recommends", err)
            self.assertIn("cmake", err)

    def test_takes_of_several_packages_the_first_that_the_release_has(self):
        self.program("sudo", "#!/bin/sh\n[ \"$1\" = -v ] || exec \"$@\"\n")
        self.program("id", "#!/bin/sh\necho 1\n")
        self.program("apt-get", f"#!/bin/sh\necho \"$*\" >>'{self.top}/asked'\n")
        self.program("dpkg-query", HAS_NONE)
        for known, taken in (("openjdk-17-jdk-headless openjdk-21-jdk-headless", "openjdk-17-jdk-headless"),
                             ("openjdk-21-jdk-headless openjdk-25-jdk-headless", "openjdk-21-jdk-headless"),
                             ("", "openjdk-17-jdk-headless")):
            self.program("apt-cache", f"#!/bin/sh\nfor each in {known}; do [ $each != $2 ] || echo Package: $2; done\n")
            self.run_to_end("deploy/install", "stack")
            with open(os.path.join(self.top, "asked"), encoding="utf-8") as text:
                update, install = text.read().splitlines()
            os.remove(os.path.join(self.top, "asked"))
            self.assertEqual(update, "update -qq")
            packages = install.split("--no-install-recommends ")[1].split()
            self.assertEqual(packages, ["maven", taken, "python3"])

    def test_what_apt_cannot_do_ends_with_a_remedy(self):
        self.program("sudo", "#!/bin/sh\n[ \"$1\" = -v ] || exec \"$@\"\n")
        self.program("id", "#!/bin/sh\necho 1\n")
        self.program("apt-cache", "#!/bin/sh\n")
        self.program("dpkg-query", HAS_NONE)
        for said, hint in (("W: Failed to fetch http://deb.debian.org  Temporary failure resolving 'deb.debian.org'", "connect this machine to the network"),
                           ("E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend)", "wait for its end, then repeat"),
                           ("E: You don't have enough free space in /var/cache/apt/archives/.", "The disk is full")):
            self.program("apt-get", f"#!/bin/sh\ncat <<'END'\n{said}\nEND\nexit 100\n")
            _, err = self.run_to_end("deploy/install", "stack", code=69)
            self.assertIn(said, err)
            self.assertIn(hint, err)

    def test_compiles_with_as_many_jobs_as_cores_and_memory_allow(self):
        self.program("nproc", "#!/bin/sh\necho 8\n")
        for megabytes, jobs in ((500, 1), (2_100, 2), (64_000, 8)):
            self.program("awk", "#!/bin/sh\nfor last in \"$@\"; do :; done\n"
                                f"echo 'MemAvailable: {megabytes * 1024} kB' | /usr/bin/awk \"$1\" \"$2\" \"$3\"\n")
            self.assertEqual(self.run_to_end("deploy/jobs")[0], f"{jobs}\n")

    def test_needs_nothing_where_another_of_several_packages_is_installed(self):
        self.program("dpkg-query", "#!/bin/sh\n[ $4 = openjdk-17-jdk-headless ] || echo installed\n")
        self.program("apt-get", "#!/bin/sh\nexit 3\n")
        self.run_to_end("deploy/install", "stack")

    def test_what_somebody_else_has_to_run_names_packages_that_exist(self):
        self.program("dpkg-query", HAS_NONE)
        self.program("sudo", "#!/bin/sh\nexit 1\n")
        self.program("apt-cache", "#!/bin/sh\n[ $2 = openjdk-17-jdk-headless ] || echo Package: $2\n")
        _, err = self.run_to_end("deploy/install", "stack", code=77)
        self.assertIn("recommends maven openjdk-21-jdk-headless python3\n", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
