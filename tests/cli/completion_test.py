"""What shells and man(1) are told: made from the command tables, so whatever a command takes is in it."""
import os
import re
import subprocess

import harness
from follow import MAPPING


class Completion(harness.CliTest):
    def script(self, shell):
        return self.file("fensi." + shell, self.succeeds("completion", shell).out)

    def run_in(self, *words):
        environment = dict(os.environ, PATH=os.path.dirname(harness.FENSI) + ":" + os.environ["PATH"], HOME=self.dir)
        done = subprocess.run(words, cwd=self.dir, env=environment, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def in_bash(self, *words):
        quoted = " ".join("'%s'" % word for word in words)
        return self.run_in("bash", "-c", "source ./%s; COMP_WORDS=(%s); COMP_CWORD=%d; _fensi; echo \"${COMPREPLY[@]}\""
                           % (self.script("bash"), quoted, len(words) - 1)).split()

    def in_fish(self, line):
        lines = self.run_in("fish", "-c", "source ./%s; complete -C '%s'" % (self.script("fish"), line)).splitlines()
        return [line.split("\t")[0] for line in lines]

    def test_bash_completes_commands_flags_and_topics(self):
        self.assertEqual(self.in_bash("fensi", "rep"), ["repair", "replay"])
        self.assertEqual(self.in_bash("fensi", "run", "--sta"), ["--state_cache_mb"])
        self.assertIn("--store_qop", self.in_bash("fensi", "run", "--st"))
        self.assertEqual(self.in_bash("fensi", "help", "exit"), ["exit-codes"])
        self.assertEqual(self.in_bash("fensi", "run", "x"), [])  # files, by the shell itself
        self.assertEqual(self.in_bash("fensi", "nonsense", "--st"), [])

    def test_values_verbs_and_indexes_are_completed(self):
        self.assertEqual(self.in_bash("fensi", "scan", "t", "--format", "js"), ["json", "jsonl"])
        self.assertEqual(self.in_bash("fensi", "scan", "t", "--format", "=", "ts"), ["tsv"])
        self.assertEqual(self.in_bash("fensi", "scan", "t", "--format", "="), ["table", "tsv", "json", "jsonl", "shell"])
        self.assertEqual(self.in_bash("fensi", "dead-letters", ""), ["list", "show", "retry", "discard"])
        self.file("m.yaml", MAPPING)
        self.assertEqual(self.in_bash("fensi", "verify", "m.yaml", ""), ["fensi"])
        self.assertEqual(self.in_bash("fensi", "dead-letters", "list", "m.yaml", "f"), ["fensi"])
        self.assertEqual(sorted(self.in_fish("fensi verify --method ")), ["digest", "lookup"])

    def test_values_are_those_that_the_program_takes(self):
        script = self.read(self.script("bash"))
        for flag, known in re.findall(r"^    --(\w+)\) values='([^']*)'", script, re.M):
            command = next(line.split()[0] for line in self.succeeds("help").lines
                           if line.startswith("  ") and "\n  --%s" % flag in self.succeeds("help", line.split()[0]).out)
            for value in known.split():
                if value[-1] not in "/:":
                    self.assertNotIn("--%s=" % flag, self.fensi(command, "--%s=%s" % (flag, value)).err)

    def test_fish_completes_the_same(self):
        self.assertEqual(self.in_fish("fensi rep"), ["repair", "replay"])
        self.assertEqual(sorted(self.in_fish("fensi run --store_")), ["--store_allow_simple_auth", "--store_kerberos_masters",
                                                                     "--store_kerberos_service", "--store_qop", "--store_tls_ca_file",
                                                                     "--store_tls_cert_file", "--store_tls_key_file"])
        self.assertEqual(self.in_fish("fensi help exit"), ["exit-codes"])

    def test_zsh_reads_its_script(self):
        self.run_in("zsh", "-f", "-n", self.script("zsh"))

    def test_every_flag_of_every_command_is_in_all_of_them(self):
        scripts = [self.read(self.script(shell)) for shell in ("bash", "fish", "zsh")] + [self.succeeds("help", "man").out]
        commands = [line.split()[0] for line in self.succeeds("help").lines if line.startswith("  ")]
        self.assertGreater(len(commands), 10)
        for command in commands:
            for flag in re.findall(r"^  --(\w+)", self.succeeds("help", command).out, re.M):
                for script in scripts:
                    self.assertIn(flag, script)

    def test_another_shell_is_refused(self):
        self.refuses(64, "completion", "bahs", says="did you mean 'bash'?")
        self.refuses(64, "completion", says="bash|fish|zsh")

    def test_each_command_has_a_manual_page_without_faults(self):
        self.refuses(64, "help", "man", "nonsense")
        for command in [line.split()[0] for line in self.succeeds("help").lines if line.startswith("  ")]:
            page = self.file("fensi-%s.1" % command, self.succeeds("help", "man", command).out)
            done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", page], cwd=self.dir, text=True, capture_output=True, check=False)
            self.assertEqual([line for line in done.stdout.splitlines() if "missing date" not in line], [], command)

    def test_the_manual_page_has_no_faults(self):
        page = self.file("fensi.1", self.succeeds("help", "man").out)
        done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", page], cwd=self.dir, text=True, capture_output=True, check=False)
        faults = [line for line in done.stdout.splitlines() if "missing date" not in line]  # it has a version instead
        self.assertEqual(faults, [])
        shown = subprocess.run(["mandoc", "-Tutf8", page], cwd=self.dir, text=True, capture_output=True, check=True).stdout
        self.assertIn("--state_cache_mb", re.sub(r".\x08", "", shown))


harness.main()
