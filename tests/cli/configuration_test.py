"""docs/configuration.md: where flags come from, what counts in the end, and secrets, which are never shown."""
import os
import re
import shutil
import signal
import subprocess
import unittest

import harness
from follow import MAPPING, follow
from refusing_kafka import RefusingKafka

ROOT = os.environ["FENSI_ROOT"]
NOBODY = "127.0.0.1:1"
STRANGER = 65534
CANARY = "kanarienvogel"
CREDENTIALS = "CREDENTIALS_DIRECTORY"


def variables(**flags):
    return {"FENSI_" + name.upper(): value for name, value in flags.items()}


class Settings(harness.CliTest):
    def conf(self, *lines, name="fensi.conf", mode=0o600):
        self.file(name, "".join(line + "\n" for line in lines))
        os.chmod(os.path.join(self.dir, name), mode)
        return name

    def printed(self, *words, command="run", **given):
        """{flag: (value, origin)}; what nobody set has the origin "default"."""
        flags, origin = {}, None
        for line in self.succeeds(command, "--print_flags", *words, **given).lines:
            if line.startswith("# "):
                origin = line[2:]
            else:
                name, value = re.fullmatch(r"#?--(\w+)=(.*)", line).groups()
                self.assertEqual(line.startswith("#"), origin == "default", line)
                flags[name] = (value, origin)
        return flags


class Precedence(Settings):
    def test_the_command_line_goes_before_a_variable_and_that_before_a_file(self):
        conf = self.conf("--workers=1", "--connections=1", "--max_queued_mb=1")
        flags = self.printed("--workers=3", f"--flagfile={conf}", variables=variables(workers="2", connections="2"))
        self.assertEqual(flags["workers"], ("3", "command line"))
        self.assertEqual(flags["connections"], ("2", "FENSI_" + "CONNECTIONS"))
        self.assertEqual(flags["max_queued_mb"], ("1", "fensi.conf:3"))
        self.assertEqual(flags["state_cache_mb"], ("64", "default"))

    def test_they_are_what_the_command_works_with(self):
        self.file("m.yaml", MAPPING)
        self.file("events.jsonl", follow("a", "b", 10))
        conf = self.conf("--store=embedded:of-the-file", "--source=file:events.jsonl")
        self.succeeds("run", "m.yaml", "--flagfile", conf, variables=variables(store="embedded:of-the-variable"))
        self.assertFalse(os.path.exists(os.path.join(self.dir, "of-the-file")))
        self.assertEqual(self.succeeds("scan", "fensi", variables=variables(store="embedded:of-the-variable")).lines[0].split()[0], "b")

    def test_a_list_of_one_place_is_joined_and_goes_before_that_of_another(self):
        conf = self.conf("--index=a", "# between", "--index=b,c")
        self.assertEqual(self.printed(f"--flagfile={conf}")["index"], ("a,b,c", "fensi.conf:1, fensi.conf:3"))
        flags = self.printed("--index=d", "--index=e", f"--flagfile={conf}", variables=variables(index="f"))
        self.assertEqual(flags["index"], ("d,e", "command line"))

    def test_switches_are_set_and_taken_back(self):
        conf = self.conf("--until_end", "--noscrub_repair", "--admin-control=true")
        flags = self.printed(f"--flagfile={conf}", "--nountil_end", variables=variables(admin_control="false"))
        self.assertEqual([flags[name][0] for name in ("until_end", "scrub_repair", "admin_control")], ["false"] * 3)

    def test_what_turns_a_plan_into_the_deed_is_typed_each_time(self):
        self.file("m.yaml", MAPPING)
        line = ("create", "m.yaml", "--store=embedded:made")
        self.refuses(64, *line, variables=variables(execute="true"), says="_EXECUTE: type this flag in the command line")
        self.refuses(64, *line, f"--flagfile={self.conf('--execute')}", says=":1: --execute: type this flag in the command line")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "made")))

    def test_what_is_set_for_another_command_does_not_disturb(self):
        conf = self.conf("--zookeeper=h:1", "--overwrite", "--execute=false", "--max_rows=5")
        self.assertNotIn("zookeeper", self.printed(f"--flagfile={conf}", variables=variables(prefix="x", wait_s="nonsense")))

    def test_what_is_set_for_another_form_of_the_command_does_not_disturb(self):
        """On the command line it does: 'fensi dead-letters list' has no --wait_s."""
        self.file("m.yaml", MAPPING)
        line = ("dead-letters", "list", "m.yaml", "fensi", "--dead_letters=file:absent")
        self.refuses(64, *line, "--wait_s=5", says="has no --wait_s")
        self.assertNotIn("has no", self.fensi(*line, variables=variables(wait_s="5")).err)

    def test_help_and_version_do_not_read_the_environment(self):
        for words in (("help",), ("version",), ("run", "--help")):
            self.succeeds(*words, variables=variables(wokers="1", workers="x"))


class Files(Settings):
    def test_a_later_line_goes_before_an_earlier_one_across_files(self):
        os.mkdir(os.path.join(self.dir, "etc"))
        self.conf("--workers=1", "--connections=1", name="etc/common.conf")
        self.conf("--workers=2", "--flagfile=common.conf", "--connections=2", name="etc/own.conf")
        flags = self.printed("--flagfile=etc/own.conf")
        self.assertEqual(flags["workers"], ("1", "etc/common.conf:1"))
        self.assertEqual(flags["connections"], ("2", "etc/own.conf:3"))
        self.conf("--workers=9", name="last.conf")
        for line in (("--flagfile=etc/own.conf,last.conf",), ("--flagfile=etc/own.conf", "--flagfile=last.conf")):
            self.assertEqual(self.printed(*line)["workers"], ("9", "last.conf:1"))
        self.assertEqual(self.printed(variables=variables(flagfile="last.conf"))["workers"], ("9", "last.conf:1"))

    def test_four_files_deep_and_no_further(self):
        for depth in range(6):
            self.conf(f"--flagfile={depth + 1}.conf" if depth < 5 else "--workers=5", name=f"{depth}.conf")
        self.assertEqual(self.printed("--flagfile=1.conf")["workers"], ("5", "5.conf:1"))
        self.refuses(64, "run", "--flagfile=0.conf", says="4.conf:1: --flagfile: 5.conf is more than 4 files deep")

    def test_a_circle_is_named(self):
        self.conf("--flagfile=b.conf", name="a.conf")
        self.conf("--flagfile=./a.conf", name="b.conf")
        self.refuses(64, "run", "--flagfile=a.conf", says="b.conf:1: --flagfile: ./a.conf is being read already")

    def test_every_bad_line_is_named_by_its_place_and_none_is_shown(self):
        conf = self.conf(" # comment", "", "workers=1", f"--workers {CANARY}", f"{CANARY} --workers=1", "--", f"-w={CANARY}",
                         "--wokers=1", "--workers=0", "--connections", "--until_end=perhaps", "--index=", "--flagfile=",
                         "--max_queued_mb=1 # comment")
        outcome = self.refuses(64, "run", "m.yaml", f"--flagfile={conf}", says=(
            *(f"{conf}:{line}: the line is no flag; write --FLAG=VALUE or --SWITCH" for line in (3, 4, 5, 6, 7)),
            f"{conf}:8: --wokers: unknown flag; did you mean '--workers'?", f"{conf}:9: --workers=0: must be from 1 to 64",
            f"{conf}:10: --connections: a value is missing; write --connections=N", f"{conf}:11: --until_end=perhaps: a switch",
            f"{conf}:12: --index=: the name is missing", f"{conf}:13: --flagfile: the name is missing",
            f"{conf}:14: --max_queued_mb=1 # comment: not a whole number", "--store is missing", "--source is missing"))
        self.assertNotIn(CANARY, outcome.err)
        self.assertNotIn(f"{conf}:1:", outcome.err)

    def test_line_ends_of_windows_and_a_missing_last_one_are_no_part_of_a_value(self):
        self.file("dos.conf", "--workers=3\r\n\r\n\t--connections=5")
        flags = self.printed("--flagfile=dos.conf")
        self.assertEqual((flags["workers"], flags["connections"]), (("3", "dos.conf:1"), ("5", "dos.conf:3")))

    def test_a_flag_that_is_no_list_stands_once_in_a_file(self):
        conf = self.conf("--workers=1", "--connections=1", "--workers=1")
        self.refuses(64, "run", "m.yaml", f"--flagfile={conf}", says=f"{conf}:3: --workers: given twice, first in {conf}:1")

    def test_a_file_that_cannot_be_read_is_named_and_nothing_else_is_missed(self):
        os.mkdir(os.path.join(self.dir, "folder"))
        conf = self.conf("--flagfile=absent")
        for name, says in (("absent", "--flagfile: absent: No such file"), ("folder", "--flagfile: folder: Is a directory"),
                           (conf, f"{conf}:1: --flagfile: absent: No such file")):
            outcome = self.refuses(78, "run", "m.yaml", f"--flagfile={name}", says=says)
            self.assertNotIn("--store is missing", outcome.err)

    def test_a_required_flag_with_a_wrong_value_is_not_called_missing(self):
        conf = self.conf("--store=nowhere")
        outcome = self.refuses(64, "run", "m.yaml", f"--flagfile={conf}", variables=variables(source="nowhere"),
                               says=(f"{conf}:1: --store=nowhere: write hbase:", "FENSI_" + "SOURCE=nowhere: write kafka:"))
        self.assertNotIn("is missing", outcome.err)


class Variables(Settings):
    def test_a_misspelt_variable_is_named_with_the_flag_that_was_meant(self):
        for name, meant in (("WOKERS", "WORKERS"), ("RUN_WORKERS", "WORKERS"), ("workers", "WORKERS"), ("MAX_QUEUED_MBS", "MAX_QUEUED_MB"),
                            ("MAX-QUEUED-MB", "MAX_QUEUED_MB"), ("NO_UNTIL_END", "UNTIL_END"), ("NOUNTIL_END", "UNTIL_END")):
            self.refuses(64, "check", "m.yaml", variables={"FENSI_" + name: "1"},
                         says=f"FENSI_{name}: no flag has this name; did you mean 'FENSI_{meant}'?")

    def test_what_kubernetes_makes_for_a_service_is_passed_over(self):
        made = {}
        for service in ("", "ADMIN_", "KAFKA_PROPERTY_", "A_B_"):
            made |= {"FENSI_" + service + name: "tcp://10.0.0.1:16180" for name in (
                "SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_16180_TCP", "PORT_16180_TCP_PROTO",
                "PORT_16180_TCP_PORT", "PORT_16180_TCP_ADDR", "PORT_53_UDP")}
        self.assertEqual(self.printed(variables=made), self.printed())

    def test_switches_of_the_builds_and_tests_are_passed_over(self):
        with open(os.path.join(ROOT, "tests", "README.md"), encoding="utf-8") as page:
            rows = [line.split("|")[1] for line in page if line.startswith("| `FENSI_")]
        switches = {name for row in rows for name in re.findall(r"FENSI_\w+", row)}
        self.assertGreater(len(switches), 40)
        self.assertEqual(self.printed(variables={name: os.environ.get(name, "x") for name in switches}), self.printed())

    def test_what_nobody_meant_as_a_flag_is_passed_over(self):
        self.assertEqual(self.printed(variables=variables(home="/opt", image="x", pod_name="y", q="z")), self.printed())

    def test_a_wrong_value_is_named_by_its_variable(self):
        self.refuses(64, "run", "m.yaml", variables=variables(workers=""), says="FENSI_" + "WORKERS=: not a whole number")


class Printed(Settings):
    def round_trip(self, *words, command="run", **given):
        first = self.printed(*words, command=command, **given)
        self.conf(*self.succeeds(command, "--print_flags", *words, **given).lines, name="printed.conf")
        again = self.printed("--flagfile=printed.conf", command=command)
        self.assertEqual({name: value for name, (value, _) in first.items()}, {name: value for name, (value, _) in again.items()})
        self.assertEqual({name for name, (_, origin) in first.items() if origin == "default"},
                         {name for name, (_, origin) in again.items() if origin == "default"})

    def test_it_means_the_same_as_a_file_of_flags(self):
        conf = self.conf("--connections=7", "--nountil_end")
        self.round_trip("--index=a,b", "--index=c", r"--kafka_property=client.id=a\,b,debug=all", "--source=kafka://h:1",
                        f"--flagfile={conf}", variables=variables(workers="9", dead_letters="file:/a b/#c = d "))
        self.round_trip(r"--prefix=a\x00 ", r"--stop_row= # '\x5C", "--json", command="verify")
        self.round_trip('--event={"a": "b=c, d"}', command="explain")

    def test_it_needs_no_arguments_and_does_nothing(self):
        flags = self.printed("--store=embedded:data")
        self.assertEqual(os.listdir(self.dir), [])
        self.assertEqual(flags["source"], ("", "default"))
        self.assertNotIn("fault", flags)
        self.assertFalse({"flagfile", "print_flags"} & set(flags))

    def test_every_flag_of_every_command_is_in_it(self):
        for command in ("run", "capture", "verify", "dead-letters", "status"):
            shown = set(re.findall(r"^  --(\w+)", self.succeeds("help", command).out, re.M))
            self.assertEqual(set(self.printed(command=command)), shown - {"flagfile", "print_flags"})

    def test_it_is_as_the_page_shows_it(self):
        with open(os.path.join(ROOT, "docs", "configuration.md"), encoding="utf-8") as page:
            own, servers, shown = re.findall(r"^```\n(.*?)^```$", page.read(), re.M | re.S)
        self.file("fensi.conf", own)
        self.file("servers.conf", servers)
        line, out = shown.split("\n", 1)
        _, variable, _, *words = line.split()
        self.assertTrue(self.succeeds(*words, variables=dict([variable.split("=")])).out.startswith(out))

    def test_faults_are_told_all_the_same(self):
        self.assertEqual(self.refuses(64, "run", "--print_flags", "--workers=0", says="--workers=0: must be").out, "")

    def test_a_value_that_no_line_can_hold_is_said_to_be_one(self):
        out = self.succeeds("explain", "--print_flags", "--event={\n}").out
        self.assertIn("# --event has a value of several lines", out)
        self.assertNotIn("}", out)

    def test_what_a_misspelt_property_holds_is_hidden(self):
        given = variables(kafka_property=f"client.id=a,sasl.pasword={CANARY},queued.min.messages=5,request.required.acks=all")
        self.assertEqual(self.printed(variables=given)["kafka_property"][0],
                         "client.id=a,sasl.pasword=***,queued.min.messages=5,request.required.acks=all")

    def test_what_may_be_a_piece_of_a_misspelt_secret_is_not_named(self):
        outcome = self.fensi("run", "--print_flags", variables=variables(kafka_property="sasl.pasword=abc,%s=h" % CANARY))
        self.assertEqual(outcome.code, 64)
        self.assertNotIn(CANARY, outcome.err.replace(outcome.out, ""))

    def test_a_pair_that_a_comma_made_a_part_of_a_value_is_hidden_with_it(self):
        flags = self.printed(variables=variables(kafka_property=r"sasl.username=a\\,sasl.password=" + CANARY))
        self.assertNotIn(CANARY, flags["kafka_property"][0])

    def test_one_file_serves_commands_of_which_each_takes_a_part(self):
        self.file("m.yaml", MAPPING)
        self.conf("--source=kafka://127.0.0.1:9", "--store=embedded:data", "--daemon=unix:nobody", "--wait_s=5", "--interval_s=5",
                  "--dead_letters=kafka")
        common = "--flagfile=fensi.conf"
        self.refuses(69, "status", common, says="unix:nobody")
        self.refuses(78, "pause", "m.yaml", "fensi", common, "--reason=why", says="embedded")
        self.refuses(78, "dead-letters", "list", "m.yaml", "fensi", common, "--dead_letters=file:none.jsonl", says="none.jsonl")
        self.succeeds("explain", "m.yaml", common, "--event", '{"table":"guanzhu","row":"a","seq":1,"cells":[{"type":"put",'
                      '"column":"f1:from","ts":1,"value":"b"}]}')
        self.refuses(78, "init", "guanzhu", common, says="embedded")

    def test_secrets_are_hidden_and_what_is_hidden_is_refused(self):
        given = variables(kafka_property=rf"client.id=a,sasl.password={CANARY}\,{CANARY},ssl.key.password=@/k,ssl.cipher.suites=b\,c")
        flags = self.printed(variables=given)
        self.assertEqual(flags["kafka_property"][0], r"client.id=a,sasl.password=***,ssl.key.password=@/k,ssl.cipher.suites=b\,c")
        self.conf(*self.succeeds("run", "--print_flags", variables=given).lines, name="printed.conf")
        self.refuses(64, "run", "--print_flags", "--flagfile=printed.conf", says=(
            "printed.conf:2: --kafka_property: sasl.password is ***", "sasl.password=@/PATH or sasl.password=@credential:NAME"))


class Secrets(Settings):
    """Whatever goes wrong, the secret is in no message, no output and no command line of a process."""
    def secret(self, text=CANARY + "\n", mode=0o600, name="secret"):
        path = os.path.join(self.dir, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, mode)
        return path

    def fensi(self, *arguments, **given):
        outcome = super().fensi(*arguments, **given)
        self.assertNotIn(CANARY, outcome.out + outcome.err)
        return outcome

    def kafka(self):
        kafka = RefusingKafka()
        self.addCleanup(kafka.close)
        return kafka

    def tail(self, kafka, *words):
        return ("tail", "t", f"--kafka={kafka.address}", "--connect_timeout_s=2",
                "--kafka_property=security.protocol=sasl_plaintext,sasl.mechanism=PLAIN,sasl.username=anna", *words)

    def sends(self, secret, kafka, *words, **given):
        outcome = self.refuses(77, *self.tail(kafka, *words), says="Invalid username or password", **given)
        self.assertTrue(kafka.attempts and all(attempt.endswith(b"\0anna\0" + secret.encode()) for attempt in kafka.attempts), outcome.err)

    def test_a_secret_is_what_stands_in_its_file_without_the_last_newline(self):
        for text, secret in ((CANARY, CANARY), (CANARY + "\n", CANARY), (f"{CANARY} , = # \n\n", f"{CANARY} , = # \n")):
            self.sends(secret, self.kafka(), f"--kafka_property=sasl.password=@{self.secret(text)}")

    def test_it_is_fetched_wherever_it_is_named(self):
        place = "sasl.password=@" + self.secret()
        self.file("kafka.properties", place + "\n")
        for words in ((f"--kafka_property={place}",), ("--kafka_property_file=kafka.properties",)):
            self.sends(CANARY, self.kafka(), *words)
        kafka = self.kafka()
        settings = "security.protocol=sasl_plaintext,sasl.mechanism=PLAIN,sasl.username=anna," + place
        line = ("tail", "t", f"--kafka={kafka.address}", "--connect_timeout_s=2")
        self.refuses(77, *line, variables=variables(kafka_property=settings))
        self.refuses(77, *line, "--flagfile", self.conf("--kafka_property=" + settings, mode=0o644))
        self.assertTrue(all(attempt.endswith(b"\0" + CANARY.encode()) for attempt in kafka.attempts))

    def test_a_secret_stands_in_the_environment_and_in_files_of_flags(self):
        kafka = self.kafka()
        settings = rf"security.protocol=sasl_plaintext,sasl.mechanism=PLAIN,sasl.username=anna,sasl.password={CANARY}\,x"
        line = ("tail", "t", f"--kafka={kafka.address}", "--connect_timeout_s=2")
        self.refuses(77, *line, variables=variables(kafka_property=settings))
        self.refuses(77, *line, "--flagfile", self.conf("--kafka_property=" + settings))
        self.assertGreaterEqual(len(kafka.attempts), 2)
        self.assertTrue(all(attempt.endswith(f"\0{CANARY},x".encode()) for attempt in kafka.attempts))

    def test_a_credential_of_systemd_is_one(self):
        self.secret(mode=0o400, name="kafka")
        folder = {CREDENTIALS: self.dir}
        self.sends(CANARY, self.kafka(), "--kafka_property=sasl.password=@credential:kafka", variables=folder)
        for name, given, says in (("kafka", {CREDENTIALS: ""}, "the environment variable " + CREDENTIALS + " is not set"), ("absent", folder, "absent: No such file"),
                                  ("../kafka", folder, "Write a name without '/'"), ("..", folder, "Write a name without '/'"), ("", folder, "Write a name without '/'")):
            self.refuses(78, *self.tail(self.kafka(), "--kafka_property=sasl.password=@credential:" + name), variables=given,
                         says=("--kafka_property: sasl.password: ", says))

    def test_a_file_that_is_no_secret_of_ours_ends_the_command(self):
        big = CANARY * (65537 // len(CANARY) + 1)
        os.mkdir(os.path.join(self.dir, "folder"))
        for path, says in (("/absent", "/absent: No such file"), (self.secret("", name="empty"), "empty: the file is empty"),
                           (self.secret("\n", name="line"), "line: the file is empty"), (self.secret(big[:65537], name="big"), "has more than 65536 bytes"),
                           (self.secret(CANARY + "\0x", name="zero"), "has a zero byte"), (self.dir + "/folder", "is not a regular file"),
                           (self.secret(mode=0o604, name="read"), "other users may read or change it (mode 0604)"),
                           (self.secret(mode=0o640, name="group"), "other users may read or change it (mode 0640)"),
                           (self.secret(mode=0o602, name="write"), "other users may read or change it (mode 0602)")):
            for command in (("tail", "t", f"--kafka={NOBODY}"), ("run", "m.yaml", "--store=embedded:s", f"--source=kafka://{NOBODY}")):
                self.refuses(78, *command, f"--kafka_property=sasl.password=@{path}", says=("--kafka_property: sasl.password: ", says))
            self.file("kafka.properties", f"sasl.password=@{path}\n")
            self.refuses(78, "tail", "t", f"--kafka={NOBODY}", "--kafka_property_file=kafka.properties", says=("kafka.properties: sasl.password: ", says))
        self.sends(big[:65536], self.kafka(), "--kafka_property=sasl.password=@" + self.secret(big[:65536], name="largest"))

    @unittest.skipUnless(os.getuid() == 0, "only root can give files away")
    def test_a_file_is_lent_to_a_group_by_another_user_and_to_nobody_else(self):
        os.chmod(self.dir, 0o755)
        program = shutil.copy(harness.FENSI, self.dir)
        path = self.secret()
        words = [program, "tail", "t", f"--kafka={NOBODY}", "--connect_timeout_s=1", f"--kafka_property=sasl.password=@{path}"]

        def code(owner, owners_group, mode, **user):
            os.chown(path, owner, owners_group)
            os.chmod(path, mode)
            return subprocess.run(words, cwd=self.dir, capture_output=True, check=False, **user).returncode
        fensi = {"user": STRANGER, "group": STRANGER, "extra_groups": []}
        member = {"user": STRANGER, "group": STRANGER - 1, "extra_groups": [STRANGER - 2]}
        self.assertEqual(code(0, STRANGER, 0o640, **fensi), 69)
        self.assertEqual(code(0, STRANGER - 2, 0o440, **member), 69)
        self.assertEqual(code(STRANGER, STRANGER, 0o600, **fensi), 69)
        self.assertEqual(code(STRANGER, STRANGER, 0o640, **fensi), 78)  # his own, and others of his group read it
        self.assertEqual(code(0, STRANGER, 0o660, **fensi), 78)
        self.assertEqual(code(0, STRANGER, 0o644, **fensi), 78)
        self.assertEqual(code(0, STRANGER, 0o640, **member), 77)
        self.assertEqual(code(STRANGER, STRANGER - 1, 0o640, user=0, group=0, extra_groups=[]), 78)

    def test_a_secret_in_a_file_of_flags_that_others_may_read_is_refused(self):
        for mode in (0o644, 0o640, 0o606):
            conf = self.conf("--workers=1", f"--kafka_property=sasl.username=anna,sasl.password={CANARY}", mode=mode)
            self.refuses(78, "run", "--print_flags", f"--flagfile={conf}", says=("fensi.conf: holds a secret, and other users", "chmod 600"))
            self.refuses(78, "check", "m.yaml", f"--flagfile={conf}", says="fensi.conf: holds a secret, and other users")

    def test_a_secret_in_the_command_line_names_the_ways_that_nobody_sees(self):
        for name in ("sasl.password", "ssl.key.pem", "sasl.oauthbearer.client.secret"):
            outcome = self.refuses(64, "tail", "t", f"--kafka={NOBODY}", f"--kafka_property={name}={CANARY}",
                                   says=(f"{name} is a secret", f"{name}=@/PATH", f"{name}=@credential:NAME", "--kafka_property_file"))
            self.assertEqual(outcome.out, "")

    def test_messages_about_properties_name_them_and_not_their_values(self):
        line = ("tail", "t", f"--kafka={NOBODY}", "--connect_timeout_s=1")
        for value, says in ((f"sasl.password={CANARY},{CANARY}", "what follows sasl.password is not KEY=VALUE"),
                            (f"sasl.password={CANARY},{CANARY}=x", "what follows sasl.password is not KEY=VALUE"),
                            (CANARY, "the setting is not KEY=VALUE"), (f"={CANARY}", "the setting is not KEY=VALUE"),
                            (f"security.protocol={CANARY}", 'Invalid value for configuration property "security.protocol"'),
                            (f"security.protocol={CANARY * 60}", 'Invalid value for configuration property "security.protocol"'),
                            (f"socket.timeout.ms={CANARY}", '"socket.timeout.ms"'), (f"log.queue={CANARY}", '"log.queue"')):
            self.refuses(64, *line, variables=variables(kafka_property=value), says=says)
            conf = self.conf("--kafka_property=" + value)
            self.refuses(64, *line, f"--flagfile={conf}", says=says)
        said = self.refuses(64, *line, "--kafka_property=socket.timeout.ms=424242424").err
        self.assertNotIn("424242424", said)

    def test_a_running_process_shows_none(self):
        self.file("m.yaml", MAPPING)
        self.secret()
        conf = self.conf(f"--kafka_property=sasl.username=anna,sasl.password={CANARY},ssl.key.password=@{self.dir}/secret")
        process = subprocess.Popen([harness.FENSI, "run", "m.yaml", "--store=embedded:s", f"--source=kafka://{NOBODY}",
                                    "--admin=unix:admin", f"--flagfile={conf}"], cwd=self.dir, stderr=subprocess.PIPE, text=True)
        self.wait_for(lambda: self.fensi("status", "--daemon", "unix:admin", "--json").code == 0)  # the socket is there before it listens
        with open(f"/proc/{process.pid}/cmdline", encoding="utf-8") as line:
            self.assertNotIn(CANARY, line.read())
        process.send_signal(signal.SIGTERM)
        self.assertNotIn(CANARY, process.communicate(timeout=harness.DEADLINE_S)[1])


class Memory(Settings):
    def test_it_does_not_go_with_its_parts_wherever_they_are_set(self):
        self.file("m.yaml", MAPPING)
        conf = self.conf("--state_cache_mb=64")
        line = ("run", "m.yaml", "--store=embedded:s", "--source=file:/dev/null", "--memory_mb=64")
        self.refuses(64, *line, "--max_queued_mb=1", says="cannot be combined with --max_queued_mb")
        self.refuses(64, *line, f"--flagfile={conf}", says="cannot be combined with --state_cache_mb")
        self.succeeds(*line)

    def test_too_little_for_the_indexes_is_refused(self):
        self.file("m.yaml", MAPPING + MAPPING.split("indexes:\n")[1].replace("fensi", "second"))
        line = ("run", "m.yaml", "--store=embedded:s", "--source=file:/dev/null")
        self.refuses(64, *line, "--memory_mb=3", says="too little for 2 indexes, which need 2 MB each. Give --memory_mb=4 or more")
        self.succeeds(*line, "--memory_mb=4")


harness.main()
