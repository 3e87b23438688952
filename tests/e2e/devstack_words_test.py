#!/usr/bin/env python3
"""deploy/devstack without any server: what it refuses, and that it removes only what it made."""
import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import unittest

ROOT = os.environ["FENSI_ROOT"]
NOBODY = 65534
ODD_NAME = "a b,c'中文$(touch touched)"


class DevstackWords(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="fensi-devstack-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o777)

    def devstack(self, *words, cwd=None, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FENSI_TEST_")}
        done = subprocess.run([os.path.join(ROOT, "deploy", "devstack"), *words], cwd=cwd or self.folder, text=True,
                              capture_output=True, env={**environment, "FENSI_CACHE": self.path("cache"), **variables},
                              check=False, encoding="utf-8")
        self.assertNotIn("Traceback", done.stderr)
        return done

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def refuses(self, says, *words, code=1, **options):
        done = self.devstack(*words, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(says, done.stderr)

    def test_help_is_a_command(self):
        self.assertIn("deploy/devstack up", self.devstack("help").stdout)

    def test_what_a_person_has_in_a_folder_is_left_alone(self):
        for part in ("data", "conf", "run"):
            os.mkdir(self.path(part))
        self.refuses("is not empty and not a stack", "env", "--dir", ".")
        self.refuses("is not empty and not a stack", "up", "--dir", ".")
        self.refuses("there is no stack in", "down", "--wipe", "--dir", ".", code=0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["conf", "data", "run"])

    def test_an_empty_variable_is_no_value(self):
        self.devstack("env", FENSI_TEST_STACK="")
        self.assertEqual(os.listdir(self.folder), [".devstack"])
        self.refuses("the folder is missing", "env", "--dir", "", code=2)

    def test_wipe_leaves_the_logs_and_a_place_for_the_next_stack(self):
        stack = self.path("stack")
        self.devstack("env", "--dir", stack)
        for part in ("data", "conf", "run", "log"):
            os.mkdir(os.path.join(stack, part))
        self.assertEqual(self.devstack("down", "--wipe", "--dir", stack).returncode, 0)
        self.assertEqual(sorted(os.listdir(stack)), ["lock", "log"])
        self.assertEqual(self.devstack("env", "--dir", stack).returncode, 0)

    def test_a_damaged_stack_is_named_and_can_be_taken_down(self):
        for text in ('{"ports": {"gate', "{}", '{"ports": {"gateway": "x"}, "regionservers": 1}', ""):
            self.devstack("env", "--dir", self.path("stack"))
            with open(self.path("stack", "stack.json"), "w", encoding="utf-8") as out:
                out.write(text)
            self.refuses("stack.json is damaged; take the stack down", "status", "--dir", self.path("stack"))
            self.assertEqual(self.devstack("down", "--wipe", "--dir", self.path("stack")).returncode, 0)
            self.assertEqual(os.listdir(self.path("stack")), ["lock"])

    def test_a_file_of_another_program_that_has_the_same_name_is_no_stack(self):
        os.makedirs(self.path("stack", "data"))
        for text in ('{"services": {}}', "services:"):
            with open(self.path("stack", "stack.json"), "w", encoding="utf-8") as out:
                out.write(text)
            self.refuses("stack.json is another program's; nothing was removed", "down", "--wipe", "--dir", self.path("stack"))
        with open(self.path("stack", "stack.json"), "w", encoding="utf-8") as out:
            out.write('{"services": {}}')
        self.devstack("env", "--dir", self.path("stack"))
        self.refuses("nothing was removed", "down", "--wipe", "--dir", self.path("stack"))
        self.assertIn("data", os.listdir(self.path("stack")))

    def test_lines_for_the_shell_hold_any_folder_and_run_nothing(self):
        folder = self.path(ODD_NAME)
        lines = self.devstack("env", "--dir", folder, LC_ALL="C").stdout
        said = subprocess.run(["sh", "-c", lines + 'printf %s "$FENSI_TEST_STACK"'], cwd=self.folder, text=True,
                              capture_output=True, check=True, encoding="utf-8").stdout
        self.assertEqual(said, os.path.realpath(folder))
        self.assertFalse(os.path.exists(self.path("touched")))

    def test_numbers_out_of_range_are_refused_and_not_kept(self):
        for flag, value in (("--port_base", "70000"), ("--port_base", "-5"), ("--port_base", "0"), ("--port_base", "x"),
                            ("--port_base", "65530"), ("--regionservers", "0"), ("--regionservers", "-3"),
                            ("--regionservers", "99999999999999999999"), ("--regionservers", "")):
            self.refuses("is not a number from", "env", flag + "=" + value, code=2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_java_home_without_java_is_named(self):
        self.refuses("JAVA_HOME is /nowhere, where there is no bin/java", "up", JAVA_HOME="/nowhere")

    def test_java_home_is_obeyed_wherever_java_is_run(self):
        """No file of the stack names a java but java.py."""
        folder = os.path.join(ROOT, "deploy", "stack")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".py") and name != "java.py":
                with open(os.path.join(folder, name), encoding="utf-8") as text:
                    self.assertNotIn('"java"', text.read(), name)

    def test_a_taken_port_is_named_and_nothing_is_started(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            os.makedirs(self.path("cache", "stack"))
            self.fake_jars_and_java()
            base = str(port - 2)  # the third one is Kafka's
            self.refuses("127.0.0.1:%d (kafka)" % port, "up", "--dir", self.path("stack"), "--port_base", base,
                         JAVA_HOME=self.path("java"))
        self.assertFalse(os.path.exists(self.path("stack", "run")))

    def test_a_server_that_ends_at_once_takes_the_others_down(self):
        self.fake_jars_and_java(ends="kafka")
        self.refuses("kafka ended while starting", "up", "--dir", self.path("stack"), "--port_base", "free",
                     JAVA_HOME=self.path("java"))
        self.assertNotIn("running", self.devstack("status", "--dir", self.path("stack")).stdout)

    def fake_jars_and_java(self, ends="nothing"):
        """Folders where the jars would be, and a java that sleeps, or ends at once as server `ends`."""
        for product in ("hbase", "kafka"):
            script = "import sys; sys.path.insert(0, %r); from stack import jars; import hashlib, os\n" % os.path.join(ROOT, "deploy")
            script += "pom = open(os.path.join(jars.HERE, %r, 'pom.xml'), 'rb').read()\n" % product
            script += "os.makedirs(os.path.join(%r, 'stack', '%s-' + hashlib.sha256(pom).hexdigest()[:16]), exist_ok=True)" % (
                self.path("cache"), product)
            subprocess.run(["python3", "-c", script], check=True)
        os.makedirs(self.path("java", "bin"))
        with open(self.path("java", "bin", "java"), "w", encoding="utf-8") as out:
            out.write('#!/usr/bin/python3\nimport sys, time\nif "StorageTool" in " ".join(sys.argv): sys.exit(0)\n'
                      'if sys.argv[1].endswith(":%s"): sys.exit(3)\ntime.sleep(600)\n' % ends)
        os.chmod(out.name, 0o755)

    def test_the_id_of_a_new_kafka_may_begin_with_a_dash(self):
        """One random id in 64 does; Kafka's parser of words, like Python's, takes such a word for an option."""
        os.makedirs(self.path("java", "bin"))
        with open(self.path("java", "bin", "java"), "w", encoding="utf-8") as out:
            out.write('#!/usr/bin/python3\nimport argparse, sys\nwords = argparse.ArgumentParser()\n'
                      'words.add_argument("--cluster-id", required=True)\nwords.add_argument("-c")\n'
                      'with open("id", "w") as out:\n'
                      '    out.write(words.parse_args(sys.argv[sys.argv.index("format") + 1:]).cluster_id)\n')
        os.chmod(out.name, 0o755)
        script = ("import sys, types; sys.path.insert(0, %r)\nfrom stack import servers\n"
                  "servers.uuid = types.SimpleNamespace(uuid4=lambda: types.SimpleNamespace(bytes=b'\\xf8' + bytes(15)))\n"
                  "kafka = types.SimpleNamespace(settings=types.SimpleNamespace(directory='.'))\n"
                  "servers.Kafka._format(kafka, [], 'properties')" % os.path.join(ROOT, "deploy"))
        done = subprocess.run(["python3", "-c", script], cwd=self.folder, text=True, capture_output=True, check=False,
                              env={**os.environ, "JAVA_HOME": self.path("java")})
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("id"), encoding="ascii") as text:
            self.assertEqual(text.read(), "-" + "A" * 21)

    def test_the_secret_of_the_admin_process_is_for_its_owner(self):
        script = ("import os, sys; sys.path.insert(0, %r); from stack import admin, settings\nos.umask(0)\n"
                  "admin.make_secret(settings.Settings(%r, {}))" % (os.path.join(ROOT, "deploy"), self.folder))
        made = []
        for _ in range(2):
            subprocess.run(["python3", "-c", script], check=True)
            with open(self.path("run", "admin.secret"), encoding="ascii") as text:
                made.append(text.read())
        self.assertRegex(made[0], "^[0-9a-f]{32}\n$")
        self.assertEqual(made[0], made[1], "servers that run know the first one")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("run", "admin.secret")).st_mode), 0o600)
        self.assertEqual(os.listdir(self.path("run")), ["admin.secret"])

    def test_a_folder_that_cannot_be_written_is_said_in_words(self):
        self.devstack("env", "--dir", self.path("stack"))
        with open(self.path("stack", "stack.json"), encoding="utf-8") as text:
            self.assertIn("ports", json.load(text))
        os.mkdir(self.path("locked"))
        os.chmod(self.path("locked"), stat.S_IRUSR | stat.S_IXUSR)
        # The tree may lie where nobody else may look.
        shutil.copytree(os.path.join(ROOT, "deploy"), self.path("deploy"))
        stranger = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        for words in (("env", "--dir", self.path("locked", "stack")), ("down", "--dir", self.path("stack"))):
            if not stranger and words[0] == "down":
                continue  # without rights there is no second user to be
            done = subprocess.run(["python3", self.path("deploy", "devstack"), *words], cwd="/", text=True,
                                  capture_output=True, check=False, **stranger)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("Permission denied", done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
