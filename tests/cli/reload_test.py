"""`fensi reload` where no server is needed: who is asked and refuses, and folders of mapping files. Daemons: tests/e2e/reload_test.py."""
import os
import subprocess

import harness
from fake_daemon import FakeDaemon
from follow import MAPPING

EVENT = '{"table":"guanzhu","row":"a","seq":1,"cells":[{"type":"put","column":"f1:from","ts":1,"value":"b"}]}\n'
OTHER = MAPPING.replace("fensi", "fans")


class FolderTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.dir, "m"))

    def test_stands_for_its_yaml_files_by_name(self):
        self.file("m/b.yaml", MAPPING)
        self.file("m/a.yaml", OTHER)
        self.file("m/.a.yaml.swp", "no mapping")
        self.file("m/.hidden.yaml", "no mapping")
        self.file("m/README", "no mapping")
        os.mkdir(os.path.join(self.dir, "m", "older.yaml"))
        for name in ("m", "m/", "./m"):
            lines = [line for line in self.succeeds("check", name).lines if line.startswith("index ")]
            self.assertEqual(lines, ["index fans", "index fensi"])

    def test_as_kubernetes_mounts_one(self):
        os.mkdir(os.path.join(self.dir, "m", "..2026_01"))
        self.file("m/..2026_01/a.yaml", MAPPING)
        os.symlink("..2026_01", os.path.join(self.dir, "m", "..data"))
        os.symlink("..data/a.yaml", os.path.join(self.dir, "m", "a.yaml"))
        self.assertIn("index fensi\n", self.succeeds("check", "m").out)

    def test_that_has_none_is_refused(self):
        self.refuses(64, "check", "m", says="m: the folder has no mapping file (*.yaml, *.yml)")

    def test_may_call_them_yml(self):
        self.file("m/a.yaml", MAPPING)
        self.file("m/b.yml", OTHER)
        lines = [line for line in self.succeeds("check", "m").lines if line.startswith("index ")]
        self.assertEqual(lines, ["index fensi", "index fans"])

    def test_with_a_broken_link_is_refused(self):
        self.file("m/a.yaml", MAPPING)
        os.symlink("nowhere", os.path.join(self.dir, "m", "b.yaml"))
        self.refuses(78, "check", "m", says="m/b.yaml: No such file or directory")

    def test_does_not_hold_a_file_that_is_named_beside_it(self):
        self.file("m/a.yaml", MAPPING)
        self.refuses(64, "check", "m", "m/a.yaml", says="m/a.yaml is given twice")


class ReloadTest(harness.CliTest):
    PLACE = "--daemon=unix:admin.sock"

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)

    def start(self, *flags):
        process = subprocess.Popen([harness.FENSI, "run", "guanzhu.yaml", "--source=file:-", "--store=embedded:data",
                                    "--admin=unix:admin.sock", *flags], cwd=self.dir, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.wait_for(lambda: self.fensi("status", self.PLACE).code == 0)

    def test_without_a_daemon_there_is_nobody_to_ask(self):
        self.refuses(69, "reload", self.PLACE, says="unix:admin.sock: no process listens there")

    def test_a_run_that_ends_by_itself_reads_nothing_again(self):
        self.start("--admin_control")
        outcome = self.refuses(78, "reload", self.PLACE, says="unix:admin.sock: refused: nothing was changed")
        self.assertIn("unix:admin.sock: refused: this 'fensi run' ends at the end of its source", outcome.out)

    def test_needs_a_daemon_that_may_be_changed(self):
        self.start()
        self.refuses(77, "reload", self.PLACE, says="the daemon takes no changes, because it runs without --admin_control")


class TerminalTest(harness.CliTest):
    """Words of whoever answers there, and names of files, are shown on a terminal."""
    PLANTED = "\x1b]0;owned\x07\x1b[2J"
    SHOWN = r"\x1B]0;owned\x07\x1B[2J"

    def serve(self, verdict):
        daemon = FakeDaemon(verdict)
        self.addCleanup(daemon.end)
        return daemon.place

    def test_gets_no_commands(self):
        planted = self.PLANTED
        place = self.serve({"refused": [], "done": [planted + ": begins"], "needs_restart": [planted]})
        outcome = self.fensi("reload", "--daemon=" + place)
        self.assertEqual((outcome.code, outcome.lines), (1, [f"{place}: {self.SHOWN}: begins", f"{place}: needs a restart: {self.SHOWN}"]))
        place = self.serve({"refused": [planted], "done": [], "needs_restart": []})
        outcome = self.refuses(78, "reload", "--daemon=" + place, says="nothing was changed")
        self.assertEqual(outcome.lines, [f"{place}: refused: {self.SHOWN}"])


class FlagsTest(harness.CliTest):
    """What a reload of the file of flags must not take away."""
    ASKED = ("--daemon=unix:admin.sock", "--admin_token_file=token")

    def start(self, flagfile, **given):
        self.file("a.yaml", MAPPING)
        self.file("events.jsonl", EVENT)
        self.file("token", "word\n")
        os.chmod(os.path.join(self.dir, "token"), 0o600)
        words = ["run", "a.yaml", "--source=file:events.jsonl", "--follow", "--store=embedded:data", "--admin=unix:admin.sock",
                 "--flagfile=" + flagfile]
        # pylint: disable-next=consider-using-with
        daemon = subprocess.Popen([harness.FENSI, *words], cwd=self.dir, stderr=subprocess.PIPE, text=True, **given)
        self.addCleanup(daemon.communicate)
        self.addCleanup(daemon.kill)
        self.wait_for(lambda: self.fensi("status", *self.ASKED).code == 0)

    def test_a_token_while_the_daemon_may_be_changed(self):
        self.file("fensi.conf", "--admin_control\n--admin_token_file=token\n")
        self.start("fensi.conf")
        self.file("fensi.conf", "")
        outcome = self.refuses(78, "reload", *self.ASKED, says="nothing was changed")
        self.assertIn("keeps its token until the next start", outcome.out)
        self.refuses(77, "status", self.ASKED[0], says="token")

    def test_flags_of_a_pipe_that_was_read(self):
        conf, out = os.pipe()
        os.write(out, b"--admin_control\n--admin_token_file=token\n--log_level=warning\n")
        os.close(out)
        self.addCleanup(os.close, conf)
        self.start("/dev/fd/%d" % conf, pass_fds=(conf,))
        outcome = self.refuses(78, "reload", *self.ASKED, says="nothing was changed")
        self.assertIn("is no file that can be read again", outcome.out)


class FollowedFileTest(harness.CliTest):
    PLACE = "--daemon=unix:admin.sock"

    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.dir, "m"))
        self.file("m/a.yaml", MAPPING)
        self.file("events.jsonl", EVENT)
        words = ["run", "m", "--source=file:events.jsonl", "--follow", "--store=embedded:data", "--admin=unix:admin.sock",
                 "--admin_control"]
        # pylint: disable-next=consider-using-with
        self.daemon = subprocess.Popen([harness.FENSI, *words], cwd=self.dir, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.daemon.communicate)
        self.addCleanup(self.daemon.kill)
        self.wait_for(lambda: self.fensi("status", self.PLACE).code == 0)

    def ends(self):
        self.daemon.terminate()
        said = self.daemon.communicate(timeout=30)[1]
        self.assertEqual(self.daemon.returncode, 0, said)
        return said

    def test_feeds_an_index_that_comes_by_a_reload_from_its_first_line(self):
        self.file("m/b.yaml", OTHER)
        self.assertIn("index fans: begins", self.succeeds("reload", self.PLACE).out)
        self.wait_for(lambda: self.fensi("scan", "fans", "--store=embedded:data").out != "")
        self.ends()
        self.assertEqual(self.succeeds("scan", "fans", "--store=embedded:data").out,
                         self.succeeds("scan", "fensi", "--store=embedded:data").out)

    def test_goes_on_when_a_pipe_lies_among_the_mapping_files(self):
        os.mkfifo(os.path.join(self.dir, "m", "p.yaml"))
        outcome = self.refuses(78, "reload", self.PLACE, says="nothing was changed")
        self.assertIn("refused: m/p.yaml: is not a regular file", outcome.out)
        self.refuses(64, "check", "--each", "m", says="m/p.yaml: is not a regular file")
        os.remove(os.path.join(self.dir, "m", "p.yaml"))
        self.succeeds("reload", self.PLACE)
        self.assertIn("error: reload: refused, nothing was changed: m/p.yaml", self.ends())


harness.main()
