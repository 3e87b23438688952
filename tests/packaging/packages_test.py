#!/usr/bin/env python3
"""What deploy/package makes: a .deb that comes, goes on and goes without a trace, and a tarball that needs nothing of the machine."""
import glob
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.environ["FENSI_ROOT"]
PERSON = 65532
EXAMPLE = "guanzhu-wide-from.yaml"
EVENTS = "".join('{"table":"guanzhu","row":"a","seq":%d,"cells":[{"type":"put","column":"f1:from","ts":%d,"value":"%s"}]}\n' % (ts, ts, to)
                 for ts, to in ((1, "b"), (2, "c")))
OUT = None
PROGRAM = {}  # when and where it was written, before and behind the packaging


def setUpModule():  # pylint: disable=invalid-name
    """One build of each kind; below build/, so that hard links and large files stay on one disk."""
    global OUT
    OUT = tempfile.mkdtemp(prefix="packages-", dir=os.path.join(ROOT, "build"))
    PROGRAM["before"] = written()
    said(os.path.join(ROOT, "deploy/package"), "deb", "tarball", "--out", OUT)
    PROGRAM["behind"] = written()


def tearDownModule():  # pylint: disable=invalid-name
    shutil.rmtree(OUT)


def written():
    there = os.stat(os.path.join(ROOT, "build/release/bin/fensi"))
    return there.st_ino, there.st_mtime_ns


def said(*command, code=0, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **{"stdin": subprocess.DEVNULL, **more})
    if done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def made(pattern):
    (path,) = glob.glob(os.path.join(OUT, pattern))
    return path


def dead_links(folder):
    """Of the pages there: a path that is written in one and leads nowhere, or out of the folder."""
    for page in sorted(glob.glob(os.path.join(folder, "**/*.md"), recursive=True)):
        with open(page, encoding="utf-8") as text:
            prose = re.sub(r"^( {4}|```).*?$", "", text.read(), flags=re.MULTILINE)
        for target in re.findall(r"\]\((?!\w+:)([^)#\s]+)", prose):
            path = os.path.realpath(os.path.join(os.path.dirname(page), target))
            if not path.startswith(os.path.realpath(folder) + "/") or not os.path.exists(path):
                yield f"{os.path.relpath(page, folder)}: {target}"


class DebTest(unittest.TestCase):
    """In an empty tree with a dpkg database of its own; the maintainer scripts run from outside, as DPKG_ROOT wants it."""

    def setUp(self):
        self.tree = tempfile.mkdtemp(prefix="tree-", dir=OUT)
        for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc", "run"):
            os.makedirs(os.path.join(self.tree, folder))
        for name in ("status", "available"):
            self.path("var/lib/dpkg", name, text="")
        self.path("etc/passwd", text="root:x:0:0:root:/root:/bin/sh\n")
        self.path("etc/group", text="root:x:0:\n")

    def path(self, *parts, text=None):
        path = os.path.join(self.tree, *parts)
        if text is not None:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return path

    def dpkg(self, *words):
        """What it depends on is not in the tree; apt sees to that on a machine."""
        return said("dpkg", "--root=" + self.tree, "--force-script-chrootless", "--force-depends", "--no-triggers", *words,
                    env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})

    def files(self):
        """Without what dpkg and the makers of users keep for themselves."""
        kept = re.compile(r"var/lib/dpkg|var/log|etc/(passwd|group|shadow|gshadow)-?$|etc/\.pwd\.lock$")
        there = {os.path.relpath(os.path.join(folder, name), self.tree)
                 for folder, folders, names in os.walk(self.tree) for name in folders + names}
        return {path for path in there if not kept.match(path)}

    def user(self):
        with open(self.path("etc/passwd"), encoding="utf-8") as users:
            return next(line.split(":") for line in users if line.startswith("fensi:"))

    def test_it_comes_goes_on_and_goes(self):
        before = self.files()
        self.dpkg("--install", made("*.deb"))
        self.look_at_folders()
        self.look_at_program()
        mine = self.path("etc/fensi/run/mine.conf", text="--workers=8\n")
        changed = self.path("etc/fensi/run/example.conf", text="--workers=9\n")
        store = self.path("var/lib/fensi/store", text="kept")
        self.dpkg("--install", made("*.deb"))
        self.dpkg("--remove", "fensi")
        self.assertFalse(os.path.exists(self.path("usr/bin/fensi")))
        for path, text in ((mine, "--workers=8\n"), (changed, "--workers=9\n"), (store, "kept")):
            with open(path, encoding="utf-8") as kept:
                self.assertEqual(kept.read(), text, path)
        wants = self.path("etc/systemd/system/multi-user.target.wants")
        os.makedirs(wants)
        os.symlink("/lib/systemd/system/fensi@.service", os.path.join(wants, "fensi@mine.service"))
        self.dpkg("--purge", "fensi")
        self.assertTrue(os.path.exists(mine), "what a person wrote is his")
        os.remove(mine)
        left = {path for path in self.files() - before if not os.path.isdir(os.path.join(self.tree, path))}
        self.assertEqual(left, set())
        self.assertFalse(os.path.exists(self.path("var/lib/fensi")))

    def look_at_folders(self):
        _, _, uid, gid, _, home, shell = self.user()
        self.assertEqual((home, shell.strip()), ("/var/lib/fensi", "/usr/sbin/nologin"))
        for folder in ("", "run", "capture", "mappings", "secrets"):
            there = os.stat(self.path("etc/fensi", folder))
            self.assertEqual((stat.S_IMODE(there.st_mode), there.st_uid, there.st_gid), (0o750, 0, int(gid)), folder)
        for folder in ("var/lib/fensi", "run/fensi"):
            there = os.stat(self.path(folder))
            self.assertEqual((stat.S_IMODE(there.st_mode), there.st_uid, there.st_gid), (0o750, int(uid), int(gid)), folder)

    def look_at_program(self):
        said(self.path("usr/bin/fensi"), "test", self.path("etc/fensi/mappings/example.yaml"))
        for command, flagfile in (("run", "run"), ("capture", "capture")):
            said(self.path("usr/bin/fensi"), command, "--print_flags", "--flagfile", self.path(f"etc/fensi/{flagfile}/example.conf"))
        for path in ("usr/share/man/man1/fensi.1.gz", "usr/share/man/man1/fensi-backfill.1.gz", "usr/share/doc/fensi/deploy/monitoring/fensi.rules.yml", "usr/share/bash-completion/completions/fensi",
                     "usr/share/zsh/vendor-completions/_fensi", "usr/share/fish/vendor_completions.d/fensi.fish",
                     "usr/share/doc/fensi/proto/change_event.proto", "usr/share/doc/fensi/copyright", "usr/share/doc/fensi/docs/installing.md",
                     "usr/share/fensi/monitoring/fensi.rules.yml", "usr/share/fensi/kubernetes/statefulset.yaml",
                     "usr/share/fensi/examples/guanzhu-wide-from.yaml"):
            self.assertTrue(os.path.exists(self.path(path)), path)

    def test_no_link_of_a_page_is_dead(self):
        said("dpkg-deb", "--extract", made("*.deb"), self.tree)
        self.assertGreater(len(glob.glob(self.path("usr/share/doc/fensi/**/*.md"), recursive=True)), 40)
        self.assertEqual([*dead_links(self.tree)], [])

    def test_a_dead_link_is_found(self):
        self.path("etc/there.md", text="[out](../../x.md) [none](none/none.md) [there](there.md#x) [web](https://a.example/) [own](#x)\n")
        self.assertEqual([*dead_links(self.tree)], ["etc/there.md: ../../x.md", "etc/there.md: none/none.md"])

    def test_what_it_says_of_itself(self):
        field = lambda name: said("dpkg-deb", "--field", made("*.deb"), name).strip()
        for package in ("libc6 ", "librdkafka1 ", "librocksdb", "libthrift", "libzookeeper-mt2", "tzdata"):
            self.assertIn(package, field("Depends") + " ")
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as text:
            self.assertIn(f"VERSION {field('Version')} ", text.read())
        rows = [line.split(None, 5) for line in said("dpkg-deb", "--contents", made("*.deb")).splitlines()]
        self.assertGreater(len(rows), 50)
        for rights, owner, _, _, _, path in rows:
            self.assertEqual(owner, "root/root", path)
            self.assertRegex(rights, r"^(d|-)rwxr-xr-x$|^-rw-r--r--$|^lrwxrwxrwx$", path)
            self.assertRegex(path, r"^\./($|usr/|lib/|etc/($|fensi/))")

    def test_systemd_takes_the_units_and_finds_them_closed(self):
        said("dpkg-deb", "--extract", made("*.deb"), self.tree)
        for unit in ("fensi@.service", "fensi-capture@.service"):
            path = self.path("lib/systemd/system", unit)
            said("systemd-analyze", "security", "--offline=true", "--threshold=15", path)
            # It looks for the program and the page at their places.
            with open(path, encoding="utf-8") as text:
                tried = text.read().replace("/usr/bin/fensi", self.path("usr/bin/fensi")).replace("man:fensi(1) ", "")
            done = subprocess.run(["systemd-analyze", "verify", self.path(unit, text=tried)], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_lintian_has_nothing_to_say(self):
        if shutil.which("lintian") is None:
            self.skipTest("there is no lintian; apt-get install lintian")
        said("lintian", "--fail-on", "error,warning", "--allow-root", made("*.deb"))


class TarballTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cell = os.path.join(OUT, "cell")
        os.makedirs(os.path.join(cls.cell, "opt"))
        said("tar", "-xzf", made("*.tar.gz"), "-C", os.path.join(cls.cell, "opt"))
        cls.home = os.path.join(cls.cell, "opt/fensi")
        cls.data = os.path.join(cls.cell, "data")
        os.makedirs(cls.data)
        os.chmod(cls.data, 0o777)
        with open(os.path.join(cls.data, "events.jsonl"), "w", encoding="utf-8") as out:
            out.write(EVENTS)

    def test_only_its_owner_may_write(self):
        names = said("tar", "-tvzf", made("*.tar.gz")).splitlines()
        for line in names:
            self.assertRegex(line, r"^([d-]...(r-x|r--)(r-x|r--)|l\S+) 0/0 .* fensi/")
        self.assertGreater(len(names), 100)

    def test_no_link_of_a_page_is_dead(self):
        self.assertGreater(len(glob.glob(os.path.join(self.home, "share/doc/fensi/**/*.md"), recursive=True)), 40)
        self.assertEqual([*dead_links(self.home)], [])

    def test_every_library_is_in_it_with_its_licence_and_in_the_bill(self):
        with open(made("*.spdx.json"), encoding="utf-8") as text:
            bill = json.load(text)
        packages = {package["name"]: package for package in bill["packages"]}
        taken = " ".join(package.get("comment", "") for package in packages.values())
        for path in [os.path.join(self.home, "bin/fensi"), *glob.glob(os.path.join(self.home, "lib/*"))]:
            for name in re.findall(r"NEEDED.*\[(.*)\]", said("readelf", "-dW", path)):
                self.assertTrue(os.path.exists(os.path.join(self.home, "lib", name)), f"{path} needs {name}")
                self.assertIn(name, taken)
        inside = [edge["relatedSpdxElement"] for edge in bill["relationships"] if edge["relationshipType"] == "CONTAINS"]
        self.assertGreater(len(inside), 20)
        for package in packages.values():
            if package["SPDXID"] in inside:
                self.assertTrue(os.path.exists(os.path.join(self.home, "share/licenses", package["name"], "copyright")), package["name"])
        ids = {package["SPDXID"] for package in packages.values()} | {"SPDXRef-DOCUMENT"}
        for edge in bill["relationships"]:
            self.assertLessEqual({edge["spdxElementId"], edge["relatedSpdxElement"]}, ids)

    def enter(self):
        os.chroot(self.cell)
        os.chdir("/data")
        os.setgroups([])
        os.setgid(PERSON)
        os.setuid(PERSON)

    def inside(self, *words):
        """In a folder with nothing but /opt/fensi and /data, as a user that nobody knows."""
        return said("/opt/fensi/bin/fensi", *words, env={}, preexec_fn=self.enter)

    @unittest.skipUnless(os.geteuid() == 0, "only root may enter an empty root")
    def test_it_runs_an_index_in_an_empty_root_as_a_stranger(self):
        mapping = f"/opt/fensi/share/fensi/examples/{EXAMPLE}"
        self.inside("check", mapping)
        self.inside("test", mapping)
        self.inside("run", mapping, "--source", "file:/data/events.jsonl", "--store", "embedded:/data/store")
        self.assertIn("f1:a", self.inside("lookup", mapping, "fensi", "c", "--store", "embedded:/data/store"))
        self.assertIn('"f1:a"', self.inside("scan", "fensi", "--store", "embedded:/data/store", "--json"))
        self.assertEqual(os.stat(os.path.join(self.data, "store")).st_uid, PERSON)

    @unittest.skipUnless(os.geteuid() == 0, "only root may enter an empty root")
    def test_nothing_of_the_machine_is_loaded(self):
        command = ["/opt/fensi/bin/fensi", "run", f"/opt/fensi/share/fensi/examples/{EXAMPLE}", "--source", "file:-",
                   "--store", "embedded:/data/maps", "--log_format=json"]
        with subprocess.Popen(command, env={}, preexec_fn=self.enter, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write(EVENTS.encode())
            process.stdin.flush()
            self.wait_for(lambda: glob.glob(os.path.join(self.data, "maps", "*.log")), process)
            with open(f"/proc/{process.pid}/maps", encoding="utf-8") as text:
                files = {line.split(None, 5)[5].strip() for line in text if len(line.split(None, 5)) == 6}
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        loaded = {path for path in files if path.startswith("/")}
        self.assertIn(os.path.join(self.home, "bin/fensi"), loaded)
        self.assertGreater(len(loaded), 30)
        self.assertEqual({path for path in loaded if not path.startswith(self.cell + "/")}, set())

    def wait_for(self, condition, process):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertIsNone(process.poll(), "it has ended")
            self.assertLess(time.monotonic(), deadline, "waited too long")
            time.sleep(0.05)


class CommandTest(unittest.TestCase):
    def test_what_is_built_is_not_built_again(self):
        """Other tests run the program meanwhile."""
        self.assertEqual(PROGRAM["behind"], PROGRAM["before"])

    def test_an_unknown_kind_is_refused_in_words(self):
        done = subprocess.run([os.path.join(ROOT, "deploy/package"), "rpm"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 64)
        self.assertIn("'rpm'", done.stderr)
        self.assertIn("deploy/package --help", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
