"""docs/exit-codes.md, example by example: each is tried here, or names the file of the test that does and what it says."""
import bz2
import contextlib
import gzip
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import harness
from follow import MAPPING, follow

NOBODY = "127.0.0.1:1"  # no service listens on port 1
ROOT = os.environ["FENSI_ROOT"]
STRANGER = 65534


def documented():
    """{(code, condition)} of the section of each code."""
    with open(os.path.join(ROOT, "docs", "exit-codes.md"), encoding="utf-8") as text:
        sections = re.findall(r"^## (\d+): .*\n((?:(?!## ).*\n)*)", text.read(), re.M)
    return {(int(code), condition) for code, section in sections
            for condition in re.findall(r"^\| (?!condition \|)([^-|].*?) \| [^|]+ \|$", section, re.M)}


def summary():
    """The codes of the table above the sections."""
    with open(os.path.join(ROOT, "docs", "exit-codes.md"), encoding="utf-8") as text:
        return {int(code) for code in re.findall(r"^\| (\d+) \|", text.read(), re.M)}


class ExitCodes(harness.CliTest):
    RUN = ("run", "guanzhu.yaml", "--source=file:events.jsonl", "--store=embedded:data")

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("events.jsonl", follow("a", "b", 10))

    def code(self, *arguments, stdin="", **options):
        with tempfile.TemporaryFile() as given:
            given.write(stdin.encode())
            given.seek(0)
            options = {"stdin": given, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
            return subprocess.run([harness.FENSI, *arguments], cwd=self.dir, timeout=harness.DEADLINE_S, check=False,
                                  **options).returncode

    def codes(self, *lines):
        """The one code of several command lines."""
        (code,) = {self.code(*line) for line in lines}
        return code

    def failed_example(self):
        self.file("guanzhu.yaml", MAPPING + "tests:\n  - name: wrong\n    given: [{put: a, 'f1:from': b, ts: 1}]\n    expect: {fensi: {}}\n")
        return self.code("test", "guanzhu.yaml")

    def dead_letters(self):
        self.file("events.jsonl", "no event\n")
        return self.code(*self.RUN)

    def store_in_use(self):
        writer = subprocess.Popen([harness.FENSI, *self.RUN[:2], "--source=file:-", self.RUN[3]], cwd=self.dir,
                                  stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with writer:
            writer.stdin.write(follow("a", "b", 10).encode())
            writer.stdin.flush()
            self.wait_for(lambda: "b" in self.fensi("scan", "fensi", self.RUN[3]).out)
            try:
                return self.code(*self.RUN)
            finally:
                writer.kill()

    def output_that_cannot_be_written(self):
        self.code(*self.RUN)
        self.file("bad.jsonl", "no event\n")
        letters = self.code(*self.RUN[:2], "--source=file:bad.jsonl", self.RUN[3], "--dead_letters=file:/dev/full")
        with open("/dev/full", "wb") as full:
            (code,) = {letters, self.code("scan", "fensi", self.RUN[3], stdout=full),
                       self.code("init", "fensi", self.RUN[3], "--output=/dev/full", "--overwrite")}
        return code

    def stopped_before_the_end(self):
        process = subprocess.Popen([harness.FENSI, *self.RUN[:2], "--source=file:-", self.RUN[3]], cwd=self.dir,
                                   stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.wait_for(lambda: os.path.exists(os.path.join(self.dir, "data", "CURRENT")))
        process.send_signal(signal.SIGTERM)
        with process.stdin:
            return process.wait(harness.DEADLINE_S)

    def of_another_user(self):
        """A store that is not ours, and an event file that we may not read. Root may everything: it becomes a stranger."""
        self.code(*self.RUN)
        os.chmod(self.dir, 0o755)
        program = shutil.copy(harness.FENSI, self.dir)
        paths = [os.path.join(self.dir, "data"), os.path.join(self.dir, "events.jsonl")]
        for path in paths:
            os.chmod(path, 0)
        stranger = {"user": STRANGER, "group": STRANGER, "extra_groups": []} if os.getuid() == 0 else {}

        def code(*words):
            return subprocess.run([program, *words], cwd=self.dir, stderr=subprocess.DEVNULL, check=False, **stranger).returncode
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            (result,) = {code("scan", "fensi", "--store=embedded:data"),
                         code("run", "guanzhu.yaml", "--source=file:/dev/null", "--store=embedded:data"),
                         code("run", "guanzhu.yaml", "--source=file:events.jsonl", f"--store=embedded:{folder}/data")}
        for path in paths:
            os.chmod(path, 0o700)
        return result

    def damaged_store(self):
        """By the next run, the one after it, and a reader, each with another damage."""
        self.code(*self.RUN)
        whole, store = os.path.join(self.dir, "whole"), os.path.join(self.dir, "data")
        os.rename(store, whole)
        (log,) = (name for name in os.listdir(whole) if name.endswith(".log"))

        def flip(path):
            with open(path, "r+b") as file:
                file.seek(os.path.getsize(path) // 2)
                byte = file.read(1)
                file.seek(-1, os.SEEK_CUR)
                file.write(bytes([byte[0] ^ 1]))
        codes = set()
        for name, damage in ((log, flip), (log, os.remove), ("CURRENT", os.remove)):
            shutil.rmtree(store, ignore_errors=True)
            shutil.copytree(whole, store)
            damage(os.path.join(store, name))
            codes |= {self.code(*self.RUN), self.code(*self.RUN), self.code("scan", "fensi", self.RUN[3])}
        (result,) = codes
        return result

    def foreign_folder(self):
        return self.codes((*self.RUN[:3], "--store=embedded:."), (*self.RUN[:3], "--store=embedded:."))

    def gateway_for_hbase(self):
        """Whoever connects to it is answered as a Thrift2 gateway does."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer(client):
            with client:
                while client.recv(4096):
                    client.sendall(b"\x80\x01\x00\x03\x00\x00\x00\x05fensi\x00\x00\x00\x01\x00")

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()
        threading.Thread(target=serve, daemon=True).start()
        return self.code("tables", f"--store=hbase://127.0.0.1:{listener.getsockname()[1]}", "--connect_timeout_s=3")

    def changed_definition(self):
        self.code(*self.RUN)
        self.file("guanzhu.yaml", MAPPING.replace("'{f1:from}'", "'x{f1:from}'"))
        return self.code(*self.RUN)

    def no_event_file(self):
        os.mkdir(os.path.join(self.dir, "folder"))
        with bz2.open(os.path.join(self.dir, "packed"), "wb") as out:
            out.write(b"{}\n")
        return self.codes(*((*self.RUN[:2], f"--source=file:{name}", self.RUN[3]) for name in ("absent", "folder", "packed")))

    def damaged_packed_file(self):
        whole = gzip.compress(follow("a", "b", 10).encode() * 100)
        for name, data in (("cut.gz", whole[:-9]), ("broken.gz", whole[:20] + b"x" * 20 + whole[40:])):
            with open(os.path.join(self.dir, name), "wb") as out:
                out.write(data)
        return self.codes(*((*command, f"--source=file:{name}") for name in ("cut.gz", "broken.gz")
                            for command in ((*self.RUN[:2], self.RUN[3]), ("explain", "guanzhu.yaml"), ("init", "guanzhu"))))

    def no_place_for_dead_letters(self):
        self.file("events.jsonl", "no event\n")
        return self.codes((*self.RUN, "--dead_letters=file:absent/x"), (*self.RUN, "--dead_letters=file:."))

    def mapping_with_errors(self):
        self.file("guanzhu.yaml", "source: guanzhu\n")
        return self.code("check", "guanzhu.yaml")

    TRIED = {
        (0, "`fensi run` came to the end of its source"): lambda self: self.code(*self.RUN),
        (1, "`fensi test`: an example failed"): failed_example,
        (1, "`fensi run` to the end of its source: some events became dead letters"): dead_letters,
        (1, "`fensi run` to the end of its files: no event is of a table of the mappings"): lambda self: (
            self.file("events.jsonl", follow("a", "b", 10).replace("guanzhu", "other")), self.code(*self.RUN))[1],
        (64, "an unknown command"): lambda self: self.code("rnu"),
        (64, "an unknown flag"): lambda self: self.code("version", "--x"),
        (64, "a value out of range"): lambda self: self.code(*self.RUN, "--workers=0"),
        (64, "an index that no mapping file has"): lambda self: self.code(*self.RUN, "--index=no"),
        (64, "a name in the command line that HBase or Kafka would refuse"): lambda self: self.codes(
            ("scan", "bad name", f"--store=thrift://{NOBODY}"), ("scan", "", "--store=embedded:data"),
            ("publish", "bad topic!", f"--kafka={NOBODY}"), ("tail", "t" * 250, f"--kafka={NOBODY}")),
        (64, "a flag that is given twice in one place"): lambda self: self.code(*self.RUN, "--workers=1", "--workers=1"),
        (64, "a secret in the command line"): lambda self: self.code(*self.RUN, "--kafka_property=sasl.password=x"),
        (78, "the file of `--flagfile` is missing"): lambda self: self.code(*self.RUN, "--flagfile=absent"),
        (69, "a command that is no daemon: it could not reach a server within `--connect_timeout_s`"): lambda self: self.code(
            "scan", "t", f"--store=thrift://{NOBODY}", "--connect_timeout_s=1"),
        (69, "another process writes to the embedded store"): store_in_use,
        (70, "standard output, dead letters, `--output` or `--report` cannot be written: the disk is full, or the reader has closed it"): output_that_cannot_be_written,
        (70, "a file of an embedded store is damaged or missing"): damaged_store,
        (75, "SIGTERM or SIGINT before the end of a finite source"): stopped_before_the_end,
        (77, "a store or a file belongs to another user"): of_another_user,
        (78, "a mapping file with errors"): mapping_with_errors,
        (78, "a missing table or topic"): lambda self: (self.code(*self.RUN), self.code("scan", "absent", self.RUN[3]))[1],
        (78, "the directory that `embedded:` names has files, but they are not an embedded store"): foreign_folder,
        (78, "a changed definition"): changed_definition,
        (78, "`hbase://` for a gateway, or `thrift://` for HBase itself"): gateway_for_hbase,
        (78, "an event file that is missing, is a directory, is not text in UTF-8, or is packed by a program other than gzip and zstd"): no_event_file,
        (78, "a packed event file that is cut or broken"): damaged_packed_file,
        (78, "CSV without the header that `--csv_row` needs, or with a quote that does not end within 16 MiB"): lambda self: (self.file("events.csv", "a,b\n"), self.code(
            *self.RUN[:2], "--source=file:events.csv", self.RUN[3], "--csv_row=id"))[1],
        (78, "a place for dead letters that is missing or is a directory"): no_place_for_dead_letters,
    }

    ELSEWHERE = {
        (78, "an index name that another index has in `--meta_table`"):
            ("tests/cli/wait_test.py", "test_a_mark_of_another_index_of_that_name_is_refused_with_both_definitions"),
        (78, "an index that was dropped and recreated under a daemon, a `fensi backfill` or a `fensi repair`"):
            ("tests/indexer/index_meta_test.cc", "WhoOpened"),
        (69, "`fensi status`: only a `fensi capture` answers on this machine"):
            ("tests/operations/status/standing_test.cc", "ACaptureThatLivesIsNoDaemonThatRuns"),
        (69, "a server that accepts the connection and does not answer"):
            ("tests/cli/silent_gateway_test.py", 'self.refuses(69, "scan", "t", "--store=" + gateway.url'),
        (70, "the disk under an embedded store is full"):
            ("tests/cli/full_disk_test.py", "first 70\\nagain 70\\n"),
        (78, "a table without a family of the index"):
            ("tests/e2e/refusing_table_test.py", "test_a_table_made_again_with_another_family_needs_a_person"),
        (0, "SIGTERM or SIGINT ended a daemon: reading stopped, work in flight finished, offsets committed"):
            ("tests/e2e/stop_test.py", "self.assertEqual(daemon.stop(), 0)"),
        (1, "`fensi publish`: a line was no event, or larger than the topic takes"):
            ("tests/cli/servers_test.py", "test_an_event_above_the_limit_of_the_topic_is_named_and_the_others_are_published"),
        (1, "`fensi verify`: source and index differ"):
            ("tests/cli/verify_test.py", "test_what_differs_is_named_and_ends_with_1"),
        (2, "`fensi verify`: a source row changed during each attempt to compare it"):
            ("tests/sweep/compare/judge_test.cc", "ARowThatNeverStandsStillIsUndecidedAfterFiveTries"),
        (2, "`fensi verify` of some rows: the key of an index cell does not contain its source row"):
            ("tests/cli/verify_test.py", "test_cells_of_unknown_source_rows_make_a_part_not_comparable"),
        (2, "`fensi verify`: too many cells whose key does not contain the source row may be orphans"):
            ("tests/sweep/compare/backward_test.cc", "TooManyEndItAndAreNotCalledEqual"),
        (2, "`fensi verify`: there are more differences than `--distributed` keeps"):
            ("tests/sweep/compare/verify_worker_test.cc", "WhenTooMuchDiffersItEndsAndSaysSo"),
        (2, "`fensi verify`: all rows are younger than `--as_of`"):
            ("tests/cli/verify_test.py", "test_an_as_of_before_everything_compares_nothing"),
        (2, "`fensi verify`: `--prefix`, `--start_row` or `--stop_row` select no row"):
            ("tests/cli/verify_test.py", "test_rows_of_the_source_are_chosen"),
        (75, "`fensi backfill` or `fensi verify --distributed` was cancelled"): ("tests/sweep/jobs/backfill_worker_test.cc", "ACancelledJobEnds"),
        (78, "`fensi backfill` before `fensi run` has begun, or without a watermark and `--skip_watermark_check`"):
            ("tests/e2e/backfill_test.py", "test_a_table_with_rows_gets_a_live_and_proven_index"),
        (78, "a backfill, or a `fensi verify --distributed`, with other arguments than the running one"):
            ("tests/e2e/backfill_test.py", "test_a_table_with_rows_gets_a_live_and_proven_index"),
        (78, "`--admin_control` on an address of the network without a token and TLS"):
            ("tests/cli/admin_test.py", "test_it_is_refused_where_others_of_the_network_could_ask"),
        (78, "a certificate of the admin server that has expired or is wrong"): ("tests/cli/admin_tls_test.py", "test_before_anything_listens"),
        (78, "an HBase gateway without the functions that fensi needs"):
            ("tests/store/hbase/calls/server_check_test.cc", "EverythingThatAGatewayCannotDoIsNamedAtOnce"),
        (78, "a daemon whose certificate no authority in `--daemon_ca_file` has signed"):
            ("tests/cli/admin_tls_test.py", "test_who_trusts_another_authority_or_another_name_does_not_take_it"),
        (78, "`fensi forecast`: the source has no row that the index watches"):
            ("tests/operations/forecast/forecast_test.cc", "AnEmptyTableHasNone"),
        (78, "`fensi forecast`: most sampled rows cannot be mapped"):
            ("tests/operations/forecast/forecast_test.cc", "RowsThatCannotBeMappedHaveNone"),
        (78, "`fensi forecast`: the store knows no sizes, and the table has more than a million rows"):
            ("tests/operations/forecast/forecast_test.cc", "ALargeTableOfAStoreWithoutSizesNeedsItsRows"),
        (78, "`fensi forecast`: a sampled row has more than 64 MiB in watched columns"):
            ("tests/operations/forecast/forecast_test.cc", "ARowThatIsTooLargeIsNamed"),
        (78, "a paused backfill in an embedded store"):
            ("tests/operations/backfill/backfill_wish_test.cc", "APausedOneIsToldAtOnceWhereNobodyCouldWakeIt"),
        (78, "a job whose row in the meta table was deleted"):
            ("tests/sweep/jobs/backfill_worker_test.cc", "ABoardThatSomebodyDeletedEndsItWithTheReason"),
        (75, "`fensi wait`: the index was not complete enough within `--timeout_s`"):
            ("tests/cli/wait_test.py", "test_one_that_is_not_ends_with_75_and_says_how_far_it_is"),
        (78, "`fensi wait` or `fensi verify --as_of=watermark` of an index without a watermark"):
            ("tests/cli/wait_test.py", "test_an_index_without_marks_ends_with_78_and_the_remedy"),
        (78, "`fensi wait --until now`, `fensi verify` or `fensi repair` on a machine whose clock is behind the servers'"):
            ("tests/cli/wait_test.py", "test_a_clock_that_is_ten_minutes_behind_the_servers_proves_nothing"),
        (78, "`fensi switch` to an index that is not live, verified and complete"):
            ("tests/cli/switch_test.py", "test_all_that_is_missing_is_named_at_once"),
        (64, "`fensi drop --expired` of an index without period tables"):
            ("tests/cli/expired_test.py", "test_without_periods_it_says_why_and_what_to_do"),
        (78, "`fensi drop --expired` of an index that is not begun, or of another definition"):
            ("tests/cli/expired_test.py", "test_another_definition_is_refused"),
        (78, "`fensi drop` of an index with an alias, a daemon or a shared table, or with tables that the index did not begin with"):
            ("tests/e2e/switch_test.py", 'self.assertIn("has 1 member", self.drop("--execute", code=78))'),
        (78, "`fensi convert` of an index with running daemons, or that cannot become a stateless index"):
            ("tests/cli/convert_test.py", "test_what_cannot_be_moved_is_refused_with_the_reason"),
        (78, "an index whose `fensi convert` is incomplete"):
            ("tests/indexer/conversion_test.cc", "AMoveThatHasBegunIsRunByNobodyAndGoesOn"),
        (78, "`fensi run` that ends by itself, for a paused index"):
            ("tests/cli/pause_test.py", "test_a_run_of_a_file_does_not_begin_until_it_is_resumed"),
        (78, "an index that is being dropped"):
            ("tests/cli/switch_test.py", "test_what_a_dropped_one_left_in_the_middle_is_ended_by_the_same_line_and_not_run"),
        (78, "an alias that does not exist"):
            ("tests/cli/switch_test.py", "test_lookup_names_what_is_missing"),
        (1, "`fensi reload`: accepted, and a setting takes effect only after a restart"): ("tests/e2e/reload_test.py", "needs a restart: --workers"),
        (69, "`fensi reload`: no daemon answers, or another change is in progress"):
            ("tests/cli/reload_test.py", "test_without_a_daemon_there_is_nobody_to_ask"),
        (77, "`fensi reload` of a daemon without `--admin_control`"):
            ("tests/cli/reload_test.py", "test_needs_a_daemon_that_may_be_changed"),
        (78, "`fensi reload` of files that are refused"): ("tests/e2e/reload_test.py", "its definition has changed"),
        (78, "another daemon has taken the `--instance` of this one"):
            ("tests/e2e/instance_test.py", "self.assertEqual(one.process.wait(60), 78)"),
        (1, "`fensi repair`: differences are left"):
            ("tests/operations/repair/repair_test.cc", "WhatNothingCanBePutAboveIsLeftAndNamed"),
        (1, "`fensi run` to the end of its source: the table of an index was recreated, and is not verified since"):
            ("tests/cli/servers_test.py", "test_says_that_an_index_emptied_without_its_state_is_not_rebuilt"),
        (78, "`fensi wait` or `fensi switch` of an index whose table was recreated"):
            ("tests/e2e/table_again_test.py", "look_everywhere"),
        (1, "`fensi status`: an index is stopped or `mismatch`, or lags by more than `--max_lag_s`"):
            ("tests/cli/status_test.py", "test_an_index_that_stopped_is_told_by_code_and_words"),
        (1, "`fensi status` of mapping files: no daemon has an index, or the index differs from its file"):
            ("tests/e2e/status_test.py", "test_without_any_daemon_kafka_and_hbase_tell"),
        (69, "`fensi status`: no daemon answers, or a daemon of `--daemon` does not"):
            ("tests/cli/status_test.py", "test_one_that_was_named_and_is_away_is_told_beside_the_others"),
        (69, "`fensi top`: no daemon answers"):
            ("tests/cli/top_test.py", "test_nobody_to_ask_is_said_before_anything_is_drawn"),
        (64, "`fensi top` without a terminal"):
            ("tests/cli/top_test.py", "test_without_a_terminal_it_names_the_command_that_needs_none"),
        (2, "`fensi repair`: the daemons did not finish in time"):
            ("tests/e2e/verify_test.py", "asked.returncode, 2"),
        (75, "`fensi repair` was stopped"):
            ("tests/cli/repair_test.py", "test_a_silent_server_does_not_keep_it_from_stopping"),
        (78, "a report that is incomplete or broken, or belongs to another index or incarnation"):
            ("tests/cli/repair_test.py", "test_a_report_of_something_else_is_refused"),
        (78, "`fensi repair` or `fensi dead-letters retry` of an index without a daemon"):
            ("tests/e2e/verify_test.py", "refused.returncode, \"has no members\" in refused.stderr), (78, True)"),
        (75, "`fensi verify` was stopped"):
            ("tests/cli/verify_test.py", "test_a_stop_ends_with_75_and_a_summary_that_says_so"),
        (1, "`fensi dead-letters retry`: fensi did not retry all chosen dead letters, or they became dead letters again"):
            ("tests/e2e/dead_letters_test.py", "comes_back_and_is_ended"),
        (75, "`fensi dead-letters retry`: the daemons did not finish within `--wait_s`"):
            ("tests/e2e/dead_letters_test.py", "is_not_done_in_time"),
        (1, "`fensi dead-letters show`: there is no such dead letter"):
            ("tests/cli/dead_letters_test.py", "test_a_letter_that_is_not_there_ends_with_1"),
        (1, "`fensi tail`: a message was no event"):
            ("tests/cli/servers_test.py", "test_a_message_that_is_no_event_is_named_and_the_exit_code_is_1"),
        (69, "`fensi run`: no server answered within 30 s of the start. A running daemon waits without end"):
            ("tests/cli/unreachable_test.py", "test_run_gives_up_only_when_nothing_was_reached_for_30_seconds"),
        (70, "a row that the server never accepts"):
            ("base/status.cc", "case StatusCode::kRejected:\n    case StatusCode::kFenced:\n    case StatusCode::kInternal:\n      return 70;"),
        (70, "lack of memory"):
            ("base/status.cc", "dynamic_cast<const std::bad_alloc*>(&error)"),
        (70, "an internal error"):
            ("base/status.cc", "case StatusCode::kInternal:\n      return 70;"),
        (75, "`fensi publish` was stopped"):
            ("tests/cli/servers_test.py", "test_a_stop_says_where_to_go_on"),
        (75, "a second SIGTERM or SIGINT while `fensi run` was finishing"):
            ("tests/cli/run_test.py", "test_a_second_signal_ends_at_once"),
        (77, "HBase or ZooKeeper refuses the user"):
            ("base/status.cc", "case StatusCode::kPermission:\n      return 77;"),
        (78, "a file with a secret is missing or empty, or other users may read it"):
            ("tests/cli/configuration_test.py", "test_a_file_that_is_no_secret_of_ours_ends_the_command"),
        (64, "a variable of the environment that was meant as a flag"):
            ("tests/cli/configuration_test.py", "test_a_misspelt_variable_is_named_with_the_flag_that_was_meant"),
        (78, "znodes that further users may write, not only the user of `--zookeeper_auth_file`"):
            ("tests/capture/zookeeper/registration_test.cc", "ZnodesThatOthersMayWriteAreNamedWithTheRemedy"),
        (78, "states or an embedded store of a newer fensi"):
            ("tests/formats/embedded_format_test.cc", "EXPECT_EQ(Open().code(), StatusCode::kConfiguration);"),
        (64, "flags for TLS or Kerberos on a connection without it"):
            ("tests/cli/store_security_test.py", "test_what_would_protect_nothing_is_refused"),
        (77, "the gateway does not accept fensi's certificate or ticket"):
            ("tests/store/hbase/tls_gateway_test.cc", "ThatDemandsACertificateTakesOnlyOneOfItsAuthority"),
        (77, "no Kerberos ticket can be obtained"):
            ("tests/store/hbase/kerberos_gateway_test.cc", "IsRefusedWithoutATicketOrKeytab"),
        (78, "the TLS handshake with the store fails: the store's certificate is of another authority or host, or not valid now"):
            ("tests/store/hbase/tls_gateway_test.cc", "IsRefusedWhenItsCertificateIsOfAnotherAuthorityHostOrTime"),
        (78, "another `--store_qop` than the server's"):
            ("tests/store/hbase/kerberos_gateway_test.cc", "IsToldOfTheOtherWayOfProtectionByBothNames"),
        (78, "a keytab without a key of `--rpc_principal`"):
            ("tests/cli/capture_test.py", "test_a_keytab_that_is_not_right_is_named_before_any_server_is_asked"),
        (77, "Kafka refuses the user, password or certificate"):
            ("tests/cli/kafka_secrets_test.py", "test_a_wrong_password_is_told_in_kafkas_words"),
        (78, "the TLS handshake with Kafka fails: the broker's certificate is of another authority, or the client certificate is missing"):
            ("tests/cli/kafka_secrets_test.py", "test_a_certificate_of_an_unknown_authority_is_a_wrong_configuration"),
        (78, "a wrong `--kafka_property_file`"):
            ("tests/cli/kafka_secrets_test.py", "test_all_faulty_lines_are_named_and_none_is_shown"),
        (78, "a listener of Kafka without SASL, or without the `sasl.mechanism` that is set"):
            ("tests/consumer/kafka/client/refusal_test.cc", "OfAMechanismSaysWhatTheListenerOffers"),
        (78, "a topic name in the mapping that the broker refuses"):
            ("tests/consumer/kafka/real_topic_test.cc", "ANameThatCollidesWithAnotherTopicIsAPersonsToChange"),
        (78, "a capture whose changes would go to a topic of requests or dead letters"):
            ("tests/cli/capture_test.py", "test_a_topic_of_an_index_is_refused"),
        (78, "a gap in the change stream"):
            ("tests/e2e/lost_stream_test.py", "78"),
        (78, "a topic that was deleted and created again while an index read it"):
            ("tests/consumer/kafka/log_identity_test.cc", "AStreamThatIsAnotherEndsBeforeAnythingMoreIsCommitted"),
        (78, "a topic of requests with other partitions than its stream"):
            ("tests/consumer/kafka/requests_test.cc", "OtherPartitionsThanTheStreamsEndTheIndex"),
        (78, "the directory of an embedded store was removed, moved, unmounted or replaced during the run"):
            ("tests/cli/run_test.py", "test_a_store_that_is_removed_under_a_run_ends_it"),
    }

    def test_every_documented_example_is_tried_and_every_tried_one_is_documented(self):
        self.assertEqual(documented(), set(self.TRIED) | set(self.ELSEWHERE))

    def test_every_example_ends_with_its_code(self):
        for (code, example), attempt in self.TRIED.items():
            with self.subTest(example=example):
                shutil.rmtree(self.dir)
                os.mkdir(self.dir)
                self.file("guanzhu.yaml", MAPPING)
                self.file("events.jsonl", follow("a", "b", 10))
                self.assertEqual(attempt(self), code)

    def test_what_is_tried_elsewhere_is(self):
        for (_, example), (path, words) in self.ELSEWHERE.items():
            with self.subTest(example=example), open(os.path.join(ROOT, path), encoding="utf-8") as text:
                self.assertTrue(words in text.read(), path + " has no " + words)

    def test_no_code_is_documented_that_the_program_never_returns(self):
        returned = {0, 1, 2}
        with open(os.path.join(ROOT, "base", "status.cc"), encoding="utf-8") as text:
            returned |= {int(code) for code in re.findall(r"return (\d+);", text.read())}
        self.assertEqual({code for code, _ in documented()}, returned)
        self.assertEqual(summary(), returned)


harness.main()
