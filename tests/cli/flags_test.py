"""Every fault of a command line is named, all at once, with exit code 64."""
import os

import harness

GEO = os.path.join(os.environ["FENSI_ROOT"], "deploy", "examples", "geo-cells.yaml")
RUN = ("run", "m.yaml", "--source=file:e.jsonl", "--store=embedded:s")


class Flags(harness.CliTest):
    def test_an_unknown_command_suggests_the_nearest(self):
        self.refuses(64, "rnu", says="unknown command 'rnu'; did you mean 'run'?")

    def test_an_unknown_command_without_a_near_one_suggests_nothing(self):
        outcome = self.refuses(64, "wibblewobble", says=("unknown command 'wibblewobble'\n", "see 'fensi help'"))
        self.assertNotIn("did you mean", outcome.err)

    def test_what_was_typed_does_not_steer_the_terminal(self):
        for words in (("\x1b[2J",), ("check", "\x1b[2J.yaml"), ("version", "--\x1b[2J"), ("version", "\x1b]0;x\x07")):
            self.assertNotRegex(self.fensi(*words).err, "[\x00-\x08\x0b-\x1f\x7f]")

    def test_a_flag_in_front_of_the_command_is_explained(self):
        self.refuses(64, "--store=embedded:s", "run", says="the command comes first")

    def test_an_unknown_flag_suggests_the_nearest(self):
        self.refuses(64, *RUN, "--wokers=2", says="run: --wokers: unknown flag; did you mean '--workers'?")

    def test_a_flag_is_told_as_it_was_typed(self):
        for typed, says in (("-x", "run: -x: unknown flag\n"), ("-x=1", "run: -x: unknown flag\n"),
                            ("-wokers=2", "-wokers: unknown flag; did you mean '--workers'?"), ("--x", "run: --x: unknown flag"),
                            ("-prefix=a", "-prefix: not a flag of 'fensi run'"), ("--store-dir", "run: --store-dir: unknown flag")):
            self.refuses(64, *RUN, typed, says=says)

    def test_letters_stand_for_the_flags_that_are_typed_most(self):
        shown = self.succeeds(*RUN, "-q", "--print_flags").out
        self.assertIn("--log_level=warning\n", shown)
        self.assertIn("--log_level=debug\n", self.succeeds(*RUN, "-v", "--print_flags").out)
        scan = ("scan", "t", "--store=embedded:s", "--print_flags")
        for words in (("-n", "5", "-o", "json"), ("-n=5", "-o=json")):
            shown = self.succeeds(*scan, *words).out
            self.assertIn("--max_rows=5\n", shown)
            self.assertIn("--format=json\n", shown)
        self.assertIn("--max_events=7\n", self.succeeds("tail", "t", "--kafka=h:1", "-n", "7", "--print_flags").out)
        self.refuses(64, *RUN, "-q", "-v", says="--log_level: given twice")
        self.refuses(64, *RUN, "-q=yes", says="-q takes no value: write --log_level=warning")
        self.refuses(64, *scan[:-1], "-n", "many", says="--max_rows=many: not a whole number")
        self.refuses(64, *scan[:-1], "-n", says="-n: a value is missing (N)")
        self.refuses(64, *RUN, "-n", says="run: -n: unknown flag\n")
        self.assertIn("(short: -n)", self.succeeds("help", "scan").out)
        self.assertRegex(self.succeeds("help", "run").out, r"\(-q:\s+warning,\s+-v:\s+debug\)")

    def test_a_flag_of_another_command_says_whose_it_is(self):
        self.refuses(64, *RUN, "--prefix", "a", says="--prefix: not a flag of 'fensi run' (it belongs to scan, verify")

    def test_a_word_by_which_others_know_a_flag_leads_to_it(self):
        for words, says in ((("lookup", "m.yaml", "x", "--limit=5"), "--limit: unknown flag; write --max_rows=N"),
                            (("tail", "t", "--limit", "5", "--kafka=h:1"), "--limit: unknown flag; write --max_events=N"),
                            (("tail", "t", "--source=kafka://h:1"), "--source: not a flag of 'fensi tail'; write --kafka=HOST:PORT"),
                            ((*RUN, "--kafka=h:1"), "--kafka: not a flag of 'fensi run'; write --source=kafka://HOST:PORT"),
                            ((*RUN, "--bootstrap-server", "h:1"), "--bootstrap-server: unknown flag; write --source=kafka://HOST:PORT")):
            self.refuses(64, *words, says=says)

    def test_an_address_without_its_scheme_is_understood_or_told(self):
        self.refuses(64, "run", "m.yaml", "--source=h:9092", "--store=embedded:s", says="did you mean kafka://h:9092?")
        self.refuses(64, "run", "m.yaml", "--source=file:-", "--store=h:9090", says="did you mean thrift://h:9090?")
        hidden = self.refuses(64, "run", "m.yaml", "--source=file:-", "--store=me:secret@h:9090")
        self.assertNotIn("secret", hidden.err)
        for given in ("h:1,h:2", "kafka://h:1,h:2"):
            self.assertIn(f"--kafka={given}\n", self.succeeds("tail", "t", "--kafka=" + given, "--print_flags").out)
        self.refuses(64, "tail", "t", "--kafka=kafka://", says="the broker is missing")

    def test_an_argument_that_begins_with_a_minus_stands_behind_two(self):
        self.refuses(64, "lookup", "m.yaml", "x", "-100", says="-100: unknown flag. An argument that begins with '-' goes after '--'")
        self.refuses(78, "lookup", "none.yaml", "x", "--store=embedded:s", "--", "-100", says="none.yaml")

    def test_a_circle_has_a_radius_and_is_no_box(self):
        for flags, says in ((("--near=1,2",), "--near requires --radius"), (("--radius=5m",), "--radius requires --near"),
                            (("--near=1,2", "--radius=5m", "--box=1,2,3,4"), "--near cannot be combined with --box"),
                            (("--near=91,2", "--radius=5m"), "has a latitude that is not from -90 to 90"),
                            (("--near=1,2", "--radius=5"), '--radius=5: "5" is not a distance: write a distance such as 500m or 2km'),
                            (("--box=1,2,3",), "write S,W,N,E in degrees"), (("--box=3,2,1,4",), "is north of the north"),
                            (("--box=1,2,3,4", "--from=a"), "take the place of --from and --to")):
            self.refuses(64, "lookup", GEO, "shops-by-cell", *flags, "--print_scan", says=says)

    def test_a_flag_of_a_library_is_unknown(self):
        for flag in ("--fromenv=x", "--logtostderr", "--v=3", "--helpfull", "--tryfromenv=x", "--minloglevel=2"):
            self.refuses(64, *RUN, flag, says="unknown flag")

    def test_all_faults_are_reported_at_once(self):
        outcome = self.refuses(64, "run", "--workers=0", "--sorce=x", "--connections=many", "--until_end=perhaps")
        for text in ("--workers=0: must be from 1 to 64", "--sorce: unknown flag; did you mean '--source'?",
                     "--connections=many: not a whole number", "--until_end=perhaps: a switch is true or false",
                     "--store is missing", "--source is missing", "too few arguments: 'fensi run MAPPING…'",
                     "see 'fensi help run'"):
            self.assertIn(text, outcome.err)

    def test_a_value_out_of_range_is_refused_and_not_clipped(self):
        for value, reason in (("65", "must be from 1 to 64"), ("-1", "must be from 1 to 64"), 
                              ("", "not a whole number"),
                              ("1.5", "not a whole number"), ("4x", "not a whole number"),
                              ("99999999999999999999", "not a whole number")):
            self.refuses(64, *RUN, f"--workers={value}", says=f"--workers={value}: {reason}")

    def test_a_flag_given_twice_is_refused(self):
        self.refuses(64, *RUN, "--workers=1", "--workers=2", says="--workers: given twice")

    def test_a_missing_value_is_named(self):
        self.refuses(64, *RUN, "--workers", says="--workers: a value is missing (N)")

    def test_bad_source_urls_say_what_a_source_is(self):
        for url, reason in (("kafka", "write kafka://HOST:PORT, file:PATH or file:-"),
                            ("kafka://", "the broker is missing"), ("kafka://h", "'h' has no port"),
                            ("kafka://h:0", "'0' is not a port (1 to 65535)"),
                            ("kafka://a:1,b:99999", "'99999' is not a port"), ("kafka://:9092", "':9092' has no host"),
                            ("file:", "the path is missing")):
            self.refuses(64, "run", "m.yaml", "--store=embedded:s", f"--source={url}", says=f"--source={url}: {reason}")

    def test_bad_store_urls_say_what_a_store_is(self):
        for url, reason in (("hbase", "write hbase://ZOOKEEPER:2181/hbase, hbase://MASTER:16000, the same with hbases://, "
                             "thrift://HOST:PORT, thrifts://HOST:PORT, thrift+https://HOST:PORT/ or embedded:DIR"),
                            ("hbase://", "the host is missing; write hbase://ZOOKEEPER:2181/hbase"), ("hbase://h:x", "'x' is not a port"),
                            ("hbase://h:2181/", "the znode of HBase is missing"),
                            ("thrift://", "the host is missing"), ("thrift://h:x", "'x' is not a port"),
                            ("thrift://h:9090/x", "'9090/x' is not a port"), ("thrifts://", "the host is missing"),
                            ("thrift+https://h:x/y", "'x' is not a port"), ("embedded:", "the directory is missing")):
            self.refuses(64, "scan", "t", f"--store={url}", says=f"--store={url}: {reason}")
        for url in ("hbase://z:2181,y/hbase", "hbase://m:16000,n", "hbases://m", "thrift://h", "thrifts://h:1", "thrift+https://h:1/x"):
            self.succeeds("scan", "t", f"--store={url}", "--print_flags")

    def test_bad_dead_letter_places_are_refused(self):
        self.refuses(64, *RUN, "--dead_letters=elsewhere", says="write file:PATH, or kafka")

    def test_kafka_properties_need_a_key_and_a_value(self):
        self.refuses(64, *RUN, "--kafka_property=b,c", says="the setting is not KEY=VALUE")
        self.refuses(64, *RUN, "--kafka_property=a=b,c", says="what follows a is not KEY=VALUE")

    def test_a_comma_inside_a_value_is_escaped(self):
        self.refuses(64, *RUN, "--kafka_property=a=b,c", says="(a comma inside a value is written \\,)")
        outcome = self.refuses(69, "tail", "t", "--kafka=127.0.0.1:1", "--connect_timeout_s=1",
                               "--kafka_property", r"client.id=a\,b,ssl.cipher.suites=ECDHE-A\,ECDHE-B")
        self.assertNotIn("KEY=VALUE", outcome.err)
        self.refuses(78, "check", r"absent\,too.yaml", says="absent")  # arguments are not lists

    def test_a_secret_in_the_command_line_is_refused_and_not_shown(self):
        for name in ("sasl.password", "ssl.key.password", "ssl.key.pem", "ssl.keystore.password",
                     "sasl.oauthbearer.client.secret", "sasl.jaas.config"):
            for value in (f"{name}=hunter2,x", f"client.id=a,{name}=hunter2", f"{name}=,hunter2", f"{name},hunter2"):
                outcome = self.refuses(64, *RUN, f"--kafka_property={value}", says=(f"{name} is a secret", "--kafka_property_file"))
                self.assertNotIn("hunter2", outcome.err)

    def test_a_fault_of_a_longer_flag_hides_no_missing_one(self):
        self.refuses(64, "tail", "t", "--kafka_property=x", says="--kafka is missing")

    def test_a_prefix_with_a_bad_escape_is_refused(self):
        self.refuses(64, "scan", "t", "--store=embedded:s", r"--prefix=a\q", says=r"--prefix=a\q: ")

    def test_names_that_a_server_would_refuse_are_told_before_one_is_asked(self):
        nobody, store = "--kafka=127.0.0.1:1", "--store=thrift://127.0.0.1:1"
        for words, says in ((("publish", "bad topic!", nobody), "'bad topic!' is no topic's name"),
                            (("tail", "", nobody), "'' is no topic's name"),
                            (("tail", "..", nobody), "'..' is no topic's name"),
                            (("publish", "t" * 250, nobody), "it has 250 bytes, the limit is 249"),
                            (("scan", "bad name", store), "'bad name' is no table name"),
                            (("scan", "", store), "'' is no table name"),
                            (("scan", "t" * 300, store), "a table name has at most 200 bytes, and this name has 300")):
            self.refuses(64, *words, says=says)

    def test_an_empty_value_is_no_value(self):
        self.refuses(64, "tail", "t", "--kafka=h:1", "--from=", says="--from=: the value is empty")
        self.refuses(64, "explain", "m.yaml", "--event=", says="--event=: the event is missing")
        self.refuses(64, "explain", "m.yaml", "--row=", "--store=embedded:s", says="--row=: the value is empty")

    def test_dashes_in_flag_names_count_as_underscores(self):
        self.refuses(64, "scan", "t", "--store=embedded:s", "--connect-timeout-s=0",
                     says="--connect_timeout_s=0: must be from 1 to 3600")

    def test_too_many_arguments_are_named(self):
        self.refuses(64, "version", "now", says="version: unexpected argument 'now'")

    def test_after_two_dashes_everything_is_an_argument(self):
        self.refuses(64, "version", "--", "--json", says="unexpected argument '--json'")

    def test_stdout_stays_empty_when_a_line_is_refused(self):
        self.assertEqual(self.refuses(64, *RUN, "--wokers=2").out, "")


harness.main()
