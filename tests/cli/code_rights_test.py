"""Generated readers of a user who gets the right to one table after another, on a real HBase that checks rights. For Python HBase's
Thrift server of version 1 runs as that user."""
import os
import re
import subprocess
import sys
import unittest

ROOT = os.environ["FENSI_ROOT"]
sys.path[:0] = [os.path.join(ROOT, "tests", folder) for folder in ("cli", "cli/code", "e2e")]

import world
from code_happybase_test import python_with_happybase
from code_java_test import HERE, class_path
from lib import secured
from lib.wait import until

CONTROLLER = "org.apache.hadoop.hbase.security.access.AccessController"
MAPPING = """source: follows
indexes:
  followers:
    table: followers
    row: '{f:to | terminated}{row}'
    columns: { 'f:since': '{f:since}' }
"""
PROGRAM = """import happybase
import followers
try:
    page = followers.Reader(followers.HappyBase(happybase.Connection("127.0.0.1", %d))).page(followers.prefix("b"), source=True)
    print([(entry.parts["row"], entry.holds) for entry in page.entries])
except followers.MissingRight as error:
    print(error)
"""


class RightsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = secured.place_of(cls, "hbase")
        cls.hbase = secured.HBase(cls.place)
        cls.hbase.properties = {"hbase.security.authorization": "true",
                                **{f"hbase.coprocessor.{of}.classes": CONTROLLER for of in ("master", "region", "regionserver")}}
        cls.hbase.begin(cls.place.ports["master"])
        cls.addClassCleanup(cls.hbase.end)

    def setUp(self):
        self.world = world.World(self)
        self.world.write("m.yaml", MAPPING)
        for language, file in (("java", "FollowersIndex.java"), ("python", "followers.py")):
            code, out, err = self.world.call("code", language, "m.yaml")
            self.assertEqual(code, 0, err)
            self.world.write(file, out)
        self.path = self.world.folder + ":" + class_path()
        self.run_program("javac", "-proc:none", "-cp", self.path, "-d", self.world.folder, os.path.join(HERE, "Rights.java"),
                         os.path.join(self.world.folder, "FollowersIndex.java"))

    def run_program(self, *words, **options):
        done = subprocess.run(words, cwd=self.world.folder, capture_output=True, text=True, timeout=300, check=False, **options)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout.strip()

    def rights(self, *words):
        return self.run_program("java", "-cp", self.path, "Rights", str(self.place.ports["zookeeper"]), *words)

    def refusal(self, table):
        return re.compile(re.escape(f"index followers: HBase refuses to let this user read table {table}: an administrator grants it in "
                                    f"HBase's shell by: grant '<user>', 'R', '{table}' (") + ".*Insufficient permissions.*")

    def test_each_missing_right_is_named_until_all_are_there(self):
        until("HBase takes tables", lambda: "rights" in self.made(), 180)
        python, server = python_with_happybase(), self.thrift1()
        ask = lambda: (self.rights("read"), self.run_program(python, "-c", PROGRAM % server))
        for table in ("fensi_meta", "followers", "follows"):
            for answer in ask():
                self.assertRegex(answer, self.refusal(table))
            if table == "followers":
                self.rights("grant", table, "other")
                self.assertEqual(ask(), ("[]", "[]"), "a right to one column hides the others")
            self.rights("grant", table)
        self.assertEqual(ask(), ("[a=true]", "[(b'a', True)]"))

    def made(self):
        done = subprocess.run(["java", "-cp", self.path, "Rights", str(self.place.ports["zookeeper"]), "plant"], capture_output=True,
                              text=True, timeout=300, check=False)
        return "rights" if done.returncode == 0 else done.stderr

    def thrift1(self):
        """The port of a Thrift server of version 1 that is the user `reader`."""
        gateway = secured.Gateway(self.place, "thrift1")
        line = [word.replace("thrift2.ThriftServer", "thrift.ThriftServer") for word in gateway.command_line()]
        line = line[:-1] + ["start", "-p", str(gateway.port)]
        log = os.path.join(self.world.folder, "thrift1.log")
        with open(log, "wb") as out:
            process = subprocess.Popen(["java", *line], cwd=self.place.path(), stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       env=dict(os.environ, HADOOP_USER_NAME="reader"))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until("the Thrift server", lambda: secured.listens(gateway.port) or process.poll() is not None, 120)
        with open(log, encoding="utf-8") as text:
            self.assertIsNone(process.poll(), text.read()[-3000:])
        return gateway.port


if __name__ == "__main__":
    unittest.main()
