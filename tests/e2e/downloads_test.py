#!/usr/bin/env python3
"""What Maven brings for the development stack is what its repository says: from a repository on this disk."""
import hashlib
import os
import shutil
import sys
import tempfile
import unittest
import uuid

ROOT = os.environ["FENSI_ROOT"]
sys.path.insert(0, os.path.join(ROOT, "deploy"))
from stack import jars  # noqa: E402
from stack.errors import StackError  # noqa: E402

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>%s</groupId><artifactId>%s</artifactId><version>1</version>%s</project>
"""
NEEDS = """<packaging>pom</packaging>
<repositories><repository><id>disk</id><url>file://%s</url></repository></repositories>
<dependencies><dependency><groupId>%s</groupId><artifactId>thing</artifactId><version>1</version></dependency></dependencies>"""


class Downloads(unittest.TestCase):
    def setUp(self):
        if shutil.which("mvn") is None:
            self.skipTest("Maven is not installed; deploy/install stack does it")
        self.folder = tempfile.mkdtemp(prefix="fensi-downloads-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.group = "fensi.test" + uuid.uuid4().hex  # nothing of it is known here
        kept = os.path.expanduser(os.path.join("~/.m2/repository", *self.group.split(".")))
        self.addCleanup(shutil.rmtree, kept, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def publish(self, checksum):
        """A jar in a repository, with the checksums that `checksum` makes of its bytes."""
        place = self.path("repository", *self.group.split("."), "thing", "1")
        os.makedirs(place)
        for ending, content in (("pom", POM % (self.group, "thing", "")), ("jar", "not really a jar")):
            with open(os.path.join(place, "thing-1." + ending), "wb") as out:
                out.write(content.encode())
            with open(os.path.join(place, "thing-1.%s.sha1" % ending), "w", encoding="ascii") as out:
                out.write(checksum(content.encode()))

    def fetch(self):
        with open(self.path("pom.xml"), "w", encoding="utf-8") as out:
            out.write(POM % (self.group, "needs", NEEDS % (self.path("repository"), self.group)))
        jars._copy("thing", self.path("pom.xml"), self.path("jars"))

    def test_a_download_with_its_checksum_is_taken(self):
        self.publish(lambda content: hashlib.sha1(content).hexdigest())
        self.fetch()
        self.assertEqual(os.listdir(self.path("jars")), ["thing-1.jar"])

    def test_a_download_with_a_wrong_checksum_is_refused(self):
        self.publish(lambda content: hashlib.sha1(content + b"x").hexdigest())
        with self.assertRaisesRegex(StackError, "(?i)checksum validation failed"):
            self.fetch()
        self.assertFalse(os.path.exists(self.path("jars")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
