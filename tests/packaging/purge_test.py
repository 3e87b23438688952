#!/usr/bin/env python3
"""What a purge of the .deb does with the data of the daemons, wherever an administrator has put them: deploy/debian/postrm in a tree."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["FENSI_ROOT"]
POSTRM = os.path.join(ROOT, "deploy/debian/postrm")
WANTS = "etc/systemd/system/multi-user.target.wants"
# Nobody sees its mounts but who runs in it.
APART = ("unshare", "--mount", "--map-root-user")
# $1: the folder. What the script leaves there is printed.
MOUNTED = """
mount -t tmpfs none "$1" && mkdir "$1/store" && echo kept > "$1/store/1.sst" && echo kept > "$1/.hidden" || exit 99
"$2" purge
code=$?
ls -A "$1"
exit $code
"""


def may_mount():
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*APART, "mount", "-t", "tmpfs", "none", folder], capture_output=True, check=False).returncode == 0


class PurgeTest(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp(prefix="purge-")
        self.addCleanup(shutil.rmtree, self.tree)
        self.data = self.path("var/lib/fensi")
        for folder in ("var/lib", "run/fensi", WANTS, "srv"):
            os.makedirs(self.path(folder))
        self.write("etc/passwd", f"root:x:0:0:root:/root:/bin/sh\nfensi:x:{os.getuid()}:999::/var/lib/fensi:/usr/sbin/nologin\n")
        for unit in ("fensi@a.service", "fensi-capture@a.service"):
            os.symlink("/lib/systemd/system/" + unit, self.path(WANTS, unit))
        self.write(f"{WANTS}/other.service", "")

    def path(self, *parts):
        return os.path.join(self.tree, *parts)

    def write(self, path, text="kept"):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), "w", encoding="utf-8") as out:
            out.write(text)

    def purge(self, *command, **more):
        """What it says; always the package is gone afterwards, and what enabled it."""
        done = subprocess.run(command or [POSTRM, "purge"], env={**os.environ, "DPKG_ROOT": self.tree, **more},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.path(WANTS)), ["other.service"])
        self.assertFalse(os.path.exists(self.path("run/fensi")))
        return done

    def test_a_folder_goes_with_all_that_is_in_it_but_not_with_what_links_in_it_lead_to(self):
        self.write("var/lib/fensi/store/1.sst")
        self.write("var/lib/fensi/.hidden")
        self.write("srv/else/1.sst")
        os.symlink(self.path("srv/else"), self.path("var/lib/fensi/else"))
        self.assertEqual(self.purge().stderr, "")
        self.assertFalse(os.path.lexists(self.data))
        self.assertTrue(os.path.exists(self.path("srv/else/1.sst")))

    def test_no_folder_is_no_fault(self):
        self.assertEqual(self.purge().stderr, "")
        os.mkdir(self.path("run/fensi"))
        os.symlink(self.path("srv/nothing"), self.data)
        for unit in ("fensi@a.service", "fensi-capture@a.service"):
            os.symlink("/lib/systemd/system/" + unit, self.path(WANTS, unit))
        self.assertEqual(self.purge().stderr, "")
        self.assertFalse(os.path.lexists(self.data))

    def test_what_is_behind_a_link_goes_and_the_link(self):
        self.write("srv/fensi/store/1.sst")
        os.symlink("../../srv/fensi", self.data)
        self.assertEqual(self.purge().stderr, "")
        self.assertFalse(os.path.lexists(self.data))
        self.assertEqual(os.listdir(self.path("srv/fensi")), [])

    def test_a_link_to_what_is_not_the_daemons_takes_nothing_along(self):
        self.write("srv/shared/theirs")
        os.symlink("../../srv/shared", self.data)
        self.write("etc/passwd", f"fensi:x:{os.getuid() + 1}:999::/var/lib/fensi:/usr/sbin/nologin\n")
        self.assertIn("does not belong to the user fensi", self.purge().stderr)
        self.assertTrue(os.path.exists(self.path("var/lib/fensi/theirs")))

    def test_a_link_out_of_the_root_takes_nothing_along(self):
        with tempfile.TemporaryDirectory(prefix="purge-outside-") as outside:
            self.write(os.path.join(outside, "theirs"))
            os.symlink(outside, self.data)
            self.assertIn(f"leads to {outside}", self.purge().stderr)
            self.assertEqual(os.listdir(outside), ["theirs"])

    def test_a_mount_point_is_emptied_and_stays_with_a_word(self):
        os.makedirs(self.data)
        if may_mount():
            done = self.purge(*APART, "sh", "-c", MOUNTED, "sh", self.data, POSTRM)
        else:
            done = self.purge_beside_a_busy_folder()
        self.assertIn(f"{self.data} stays", done.stderr)
        self.assertEqual(done.stdout, "", "something is left")

    def purge_beside_a_busy_folder(self):
        """Where nobody may mount: an rmdir and an rm that find the folder busy, as they do with a mount point."""
        self.write("var/lib/fensi/store/1.sst")
        for name in ("rmdir", "rm"):
            self.write(f"busy/{name}", f'#!/bin/sh\nfor last; do :; done\n[ "$last" != "{self.data}" ] || '
                                       f'{{ echo "{name}: busy" >&2; exit 1; }}\nexec {shutil.which(name)} "$@"\n')
            os.chmod(self.path("busy", name), 0o755)
        done = self.purge(PATH=self.path("busy") + ":" + os.environ["PATH"])
        done.stdout = "\n".join(os.listdir(self.data))
        return done

    def test_what_cannot_be_removed_is_told_and_no_reason_to_fail(self):
        self.write("var/lib/fensi/store/1.sst")
        self.write("busy/find", "#!/bin/sh\necho 'find: busy' >&2\nexit 1\n")
        os.chmod(self.path("busy/find"), 0o755)
        said = self.purge(PATH=self.path("busy") + ":" + os.environ["PATH"]).stderr
        self.assertIn("not all of " + self.data, said)
        self.assertIn(f"{self.data} stays", said)

    def test_a_removal_takes_nothing(self):
        self.write("var/lib/fensi/store/1.sst")
        subprocess.run([POSTRM, "remove"], env={**os.environ, "DPKG_ROOT": self.tree}, check=True)
        self.assertTrue(os.path.exists(self.path("var/lib/fensi/store/1.sst")))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
