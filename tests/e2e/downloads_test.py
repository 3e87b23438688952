#!/usr/bin/env python3
"""What Maven brings for the development stack is what its repository says: from a repository on this disk."""
import hashlib
import os
import shutil
import socket
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
<repositories><repository><id>disk</id><url>%s</url></repository></repositories>
<dependencies><dependency><groupId>%s</groupId><artifactId>thing</artifactId><version>${kafka.version}</version></dependency></dependencies>"""


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

    def fetch(self, version="1", url=None):
        with open(self.path("pom.xml"), "w", encoding="utf-8") as out:
            out.write(POM % (self.group, "needs", NEEDS % (url or "file://" + self.path("repository"), self.group)))
        jars._copy("kafka", version, self.path("pom.xml"), self.path("jars"))

    def test_a_download_with_its_checksum_is_taken(self):
        self.publish(lambda content: hashlib.sha1(content).hexdigest())
        self.fetch()
        self.assertEqual(os.listdir(self.path("jars")), ["thing-1.jar"])

    def test_a_download_with_a_wrong_checksum_is_refused(self):
        self.publish(lambda content: hashlib.sha1(content + b"x").hexdigest())
        with self.assertRaisesRegex(StackError, "(?i)checksum validation failed"):
            self.fetch()
        self.assertFalse(os.path.exists(self.path("jars")))

    def test_a_version_that_was_never_published_is_named_in_one_sentence_and_again_when_maven_remembers(self):
        self.publish(lambda content: hashlib.sha1(content).hexdigest())
        for version in ("10", "10", "1.0"):
            with self.assertRaises(StackError) as raised:
                self.fetch(version)
            self.assertEqual(str(raised.exception),
                             "Maven knows no Kafka %s; name a version that was published: --kafka VERSION" % version)
        self.assertFalse(os.path.exists(self.path("jars")))

    def test_a_repository_that_does_not_answer_is_no_missing_version(self):
        with socket.socket() as taken:  # nobody listens there
            taken.bind(("127.0.0.1", 0))
            with self.assertRaisesRegex(StackError, "is the network reachable"):
                self.fetch(url="http://127.0.0.1:%d/" % taken.getsockname()[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
