#!/usr/bin/env python3
"""deploy/devstack without any server: what it refuses, and that it removes only what it made."""
import hashlib
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
DEFAULT = {"hbase": "2.6.1", "kafka": "4.1.0"}
OLD = {"hbase": "2.4.17", "kafka": "3.3.2"}
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

    def test_what_is_no_version_is_refused_and_not_kept(self):
        for flag, value, says in (("--hbase", "2.6.1x;", "is not a version, as 2.6.1 is"), ("--hbase", "", "is not a version"),
                                  ("--hbase", "../2.6.1", "is not a version"), ("--kafka", "4", "is not a version, as 4.1.0 is"),
                                  ("--kafka", "latest", "is not a version"), ("--kafka", "4.1.0/..", "is not a version"),
                                  ("--kafka", "٤.1.0", "is not a version"), ("--kafka", "3.2.3", "Kafka 3.2.3 is too old"),
                                  ("--hbase", "1.7.2", "HBase 1.7.2 is too old; a stack can have 2.0 or newer")):
            self.refuses(says, "env", flag + "=" + value, code=2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_stack_remembers_its_versions(self):
        old = ("--hbase", OLD["hbase"], "--kafka", OLD["kafka"])
        self.devstack("env", "--dir", "stack", *old)
        self.devstack("env", "--dir", "beside")
        for name, versions in (("stack", OLD), ("beside", DEFAULT)):
            with open(self.path(name, "stack.json"), encoding="utf-8") as text:
                self.assertEqual(json.load(text)["versions"], versions)
        for words in ((), old, old[:2], old[2:]):
            self.assertEqual(self.devstack("env", "--dir", "stack", *words).returncode, 0, words)
        for words in (("--hbase", "2.6.1"), ("--kafka", "4.1.0"), old[:2] + ("--kafka", "3.5.2")):
            for verb in ("env", "up"):
                self.refuses("stack was made with HBase 2.4.17 and Kafka 3.3.2; remove it first: deploy/devstack down --wipe --dir %s, "
                             "or make another one" % os.path.realpath(self.path("stack")), verb, "--dir", "stack", *words)

    def test_a_stack_remembers_its_memory(self):
        for name, words in (("stack", ()), ("large", ("--large",))):
            self.devstack("env", "--dir", name, *words)
            with open(self.path(name, "stack.json"), encoding="utf-8") as text:
                self.assertEqual(json.load(text)["large"], name == "large")
        for words in ((), ("--large",)):
            self.assertEqual(self.devstack("env", "--dir", "large", *words).returncode, 0, words)
        self.refuses("stack was made with other ports, another number of region servers or less memory; remove it first: "
                     "deploy/devstack down --wipe --dir ", "env", "--dir", "stack", "--large")

    def test_a_stack_of_before_versions_has_the_default_ones_and_a_damaged_one_is_named(self):
        self.devstack("env", "--dir", "stack")
        with open(self.path("stack", "stack.json"), encoding="utf-8") as text:
            kept = json.load(text)
        for versions, fault in ((None, ""), ({"hbase": "../2"}, "is damaged"), ({"hbase": 2}, "is damaged"), ([], "is damaged"),
                                ({"hive": "2.6.1"}, "is damaged"), ("x", "is damaged")):
            fields = {name: kept[name] for name in kept if name != "versions"}
            with open(self.path("stack", "stack.json"), "w", encoding="utf-8") as out:
                json.dump(fields if versions is None else {**fields, "versions": versions}, out)
            done = self.devstack("env", "--dir", "stack", "--hbase", "2.6.1")
            self.assertIn(fault, done.stderr)
            self.assertEqual(done.returncode, 1 if fault else 0, versions)

    def test_servers_of_two_stacks_run_their_own_jars(self):
        self.fake_jars_and_java(ends="gateway", versions=OLD)
        self.fake_jars_and_java(ends="gateway")
        flags = ("--port_base", "free", "--hbase", OLD["hbase"], "--kafka", OLD["kafka"])
        for name, words, versions in (("old", flags, OLD), ("new", ("--port_base", "free"), DEFAULT)):
            self.refuses("gateway ended while starting", "up", "--dir", name, *words, JAVA_HOME=self.path("java"))
            for server, product in (("hbase", "hbase"), ("gateway", "hbase"), ("kafka", "kafka"), ("admin", "hbase"), ("admin", "kafka")):
                with open(self.path(name, "log", server + ".log"), encoding="utf-8") as text:
                    self.assertIn("/%s-%s-" % (product, versions[product]), text.read(), server)

    def extension(self, site="<configuration><property><name>a.b</name><value>c&amp;d</value></property></configuration>"):
        """A folder with an extension, and the folder where its jars would be."""
        os.makedirs(self.path("extension"), exist_ok=True)
        for name, content in (("pom.xml", "<project/>"), ("hbase-site.xml", site)):
            with open(self.path("extension", name), "w", encoding="utf-8") as out:
                out.write(content)
        jars = "hbase-%s-%s" % (DEFAULT["hbase"], hashlib.sha256(b"<project/>").hexdigest()[:16])
        os.makedirs(self.path("cache", "stack", jars), exist_ok=True)
        return jars

    def test_hbase_runs_its_extension_with_its_settings_and_other_stacks_do_not(self):
        self.fake_jars_and_java(ends="gateway")
        jars = self.extension()
        for name, words, has in (("with", ("--extension", "extension"), True), ("without", (), False)):
            self.refuses("gateway ended while starting", "up", "--dir", name, "--port_base", "free", *words, JAVA_HOME=self.path("java"))
            for server in ("hbase", "gateway", "admin"):
                with open(self.path(name, "log", server + ".log"), encoding="utf-8") as text:
                    self.assertEqual(jars in text.read(), has, server)
                with open(self.path(name, "conf", server, "hbase-site.xml"), encoding="utf-8") as text:
                    self.assertEqual("<name>a.b</name><value>c&amp;d</value>" in text.read(), has, server)

    def test_a_stack_remembers_its_extension(self):
        self.extension()
        self.devstack("env", "--dir", "stack", "--extension", "extension")
        self.devstack("env", "--dir", "bare")
        for words in ((), ("--extension", "./extension")):
            self.assertEqual(self.devstack("env", "--dir", "stack", *words).returncode, 0, words)
        shutil.copytree(self.path("extension"), self.path("other"))
        self.refuses("stack was made with the extension %s; remove it first" % os.path.realpath(self.path("extension")), "env", "--dir",
                     "stack", "--extension", "other")
        self.refuses("bare was made with no extension; remove it first", "env", "--dir", "bare", "--extension", "other")

    def test_what_is_no_extension_is_named_and_not_kept(self):
        self.extension()
        os.remove(self.path("extension", "hbase-site.xml"))
        self.refuses("extension has no hbase-site.xml; an extension is a folder with pom.xml and hbase-site.xml", "up", "--dir", "stack",
                     "--extension", "extension")
        for site in ("<configuration", "<configuration><property><value>1</value></property></configuration>"):
            self.extension(site)
            self.refuses("hbase-site.xml is not a file of HBase settings", "env", "--dir", "stack", "--extension", "extension")
        self.assertNotIn("stack.json", os.listdir(self.path("stack")))

    def mvn_without(self, artifact):
        """The PATH with a Maven that does not find it."""
        os.makedirs(self.path("bin"), exist_ok=True)
        with open(self.path("bin", "mvn"), "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\necho 'Could not find artifact org.apache.hbase:%s in central'; exit 1\n" % artifact)
        os.chmod(out.name, 0o755)
        return self.path("bin") + ":" + os.environ["PATH"]

    def test_versions_whose_jars_cannot_be_had_are_not_kept(self):
        """Else the next `up`, with the version set right, would be refused."""
        self.refuses("Maven knows no HBase 2.4.71; name a version that was published: --hbase VERSION\n", "up", "--dir", "stack",
                     "--hbase", "2.4.71", PATH=self.mvn_without("hbase-server:jar:2.4.71"))
        self.assertNotIn("stack.json", os.listdir(self.path("stack")))

    def test_a_version_without_a_gateway_names_the_way_out(self):
        path = self.mvn_without("hbase-thrift:jar:3.0.0-alpha-4")
        self.refuses("no Thrift2 gateway of HBase 3.0.0-alpha-4; leave the gateway out (--no_gateway)", "up", "--dir", "stack", "--hbase",
                     "3.0.0-alpha-4", PATH=path)
        self.assertNotIn("stack.json", os.listdir(self.path("stack")))

    def test_a_stack_remembers_that_it_has_no_gateway(self):
        self.devstack("env", "--dir", "alone", "--no_gateway")
        self.devstack("env", "--dir", "both")
        for words in ((), ("--no_gateway",)):
            self.assertEqual(self.devstack("env", "--dir", "alone", *words).returncode, 0, words)
        self.assertNotIn("gateway", self.devstack("status", "--dir", "alone").stdout)
        self.assertIn("gateway", self.devstack("status", "--dir", "both").stdout)
        self.refuses("both was made with a gateway; remove it first", "env", "--dir", "both", "--no_gateway")
        self.refuses("alone has no gateway", "start", "gateway", "--dir", "alone")

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

    def fake_jars_and_java(self, ends="nothing", versions=DEFAULT):
        """Folders where the jars would be, and a java that writes its words to the log and sleeps, or ends at once as server
        `ends`."""
        for product, version in versions.items():
            script = "import sys; sys.path.insert(0, %r); from stack import jars; import hashlib, os\n" % os.path.join(ROOT, "deploy")
            script += "pom = open(os.path.join(jars.HERE, %r, 'pom.xml'), 'rb').read()\n" % product
            script += "os.makedirs(os.path.join(%r, 'stack', '%s-%s-' + hashlib.sha256(pom).hexdigest()[:16]), exist_ok=True)" % (
                self.path("cache"), product, version)
            subprocess.run(["python3", "-c", script], check=True)
        os.makedirs(self.path("java", "bin"), exist_ok=True)
        with open(self.path("java", "bin", "java"), "w", encoding="utf-8") as out:
            out.write('#!/usr/bin/python3\nimport sys, time\nprint(*sys.argv, flush=True)\nif "StorageTool" in " ".join(sys.argv): sys.exit(0)\n'
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
