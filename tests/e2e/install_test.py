#!/usr/bin/env python3
"""What `cmake --install` puts into a folder works from there, without the tree it was built from."""
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="fensi-install-")
        done = subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr"], text=True, capture_output=True, check=False,
                              env=dict(os.environ, DESTDIR=cls.scratch.name))
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.usr = os.path.join(cls.scratch.name, "usr")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def fensi(self, *words):
        done = subprocess.run([os.path.join(self.usr, "bin", "fensi"), *words], cwd="/", text=True, env={"PATH": "/usr/bin:/bin"},
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def files(self):
        return {os.path.relpath(os.path.join(folder, name), self.usr) for folder, _, names in os.walk(self.usr) for name in names}

    def test_the_program_runs(self):
        self.assertRegex(self.fensi("version"), r"^fensi \d+\.\d+\.\d+\n$")
        self.assertIn("run", self.fensi("help"))

    def test_the_examples_are_beside_it(self):
        examples = os.path.join(self.usr, "share", "fensi", "examples")
        self.fensi("test", os.path.join(examples, "guanzhu-wide-from.yaml"))
        self.fensi("check", os.path.join(examples, "packed-visitors.yaml"))

    def test_pages_and_the_messages_of_the_stream_are_beside_it_and_nothing_else(self):
        files = self.files()
        for name in ("share/doc/fensi/README.md", "share/doc/fensi/LICENSE", "share/doc/fensi/CHANGELOG.md",
                     "share/doc/fensi/docs/mapping.md", "share/doc/fensi/docs/decisions/README.md",
                     "share/man/man1/fensi.1", "share/bash-completion/completions/fensi", "share/zsh/vendor-completions/_fensi",
                     "share/fish/vendor_completions.d/fensi.fish", "share/fensi/proto/change_event.proto", "share/fensi/proto/dead_letter.proto"):
            self.assertIn(name, files)
        self.assertEqual({name for name in files if not name.startswith("share/")}, {"bin/fensi"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
