"""Words that stand in rows, values, mappings, tokens and passwords alone: while a daemon works, fails, is changed and ends, they are in
nothing that it says to anybody, nor in what every user of the machine can see of it."""
import json
import os
import subprocess
import sys
import time

import harness
from follow import event, follow

sys.path.append(os.path.join(os.environ["FENSI_ROOT"], "tests", "support"))
from over_unix import OverUnix  # noqa: E402

ROW, VALUE, LITERAL, OTHER_LITERAL, TOKEN, PASSWORD = (
    "zaunkoenig", "rotkehlchen", "kanarienvogel", "wiedehopf", "buntspecht", "feldlerche")
ROWS = (ROW, VALUE, LITERAL, OTHER_LITERAL)
MAPPING = """source: guanzhu
indexes:
  fensi:
    table: fensi
    row: '%s{f1:from | int | decimal}'
    columns:
      'f1:{row}': ''
    ignore_warnings: [unpadded-number, growing-key]
tests:
  - name: a number
    given: [{put: r, 'f1:from': '7', ts: 1}]
    expect: {fensi: {'%s7': {'f1:r': ''}}}
"""


class Canary(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING % (LITERAL, LITERAL))
        self.file("events.jsonl", "")
        for name, text in (("token", TOKEN + "\n"), ("fensi.conf", f"--kafka_property=sasl.password={PASSWORD}\n--admin_token_file=token\n")):
            self.file(name, text)
            os.chmod(os.path.join(self.dir, name), 0o600)
        self.said = {}  # by who says it

    def start(self, form):
        with open(os.path.join(self.dir, "log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [harness.FENSI, "run", "guanzhu.yaml", "--source=file:events.jsonl", "--follow", "--store=embedded:data", "--flagfile=fensi.conf",
                 "--admin=unix:admin.sock", "--admin_control", "--log_format=" + form, "--log_level=debug"], cwd=self.dir, stdout=log, stderr=log)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.wait_for_admin(self.process)

    def feed(self, *lines):
        with open(os.path.join(self.dir, "events.jsonl"), "a", encoding="utf-8") as out:
            out.writelines(lines)

    def ask(self, target, method="GET", **headers):
        connection = OverUnix(os.path.join(self.dir, "admin.sock"))
        connection.request(method, target, headers={"Authorization": "Bearer " + TOKEN, **{name.replace("_", "-"): word for name, word in headers.items()}})
        answer = connection.getresponse()
        text = str(answer.getheaders()) + answer.read().decode()
        connection.close()
        return answer.status, text

    def events(self):
        return json.loads(self.body("/status"))["indexes"][0]["events"]

    def body(self, target):
        connection = OverUnix(os.path.join(self.dir, "admin.sock"))
        connection.request("GET", target, headers={"Authorization": "Bearer " + TOKEN})
        return connection.getresponse().read().decode()

    def look(self, when):
        for target in ("/", "/status", "/history", "/flags", "/metrics", "/version", "/-/healthy?verbose", "/-/ready?verbose", "/" + ROW):
            self.said[f"{target} {when}"] = self.ask(target)[1]
        self.said[f"/status without a token {when}"] = self.ask("/status", Authorization="Bearer " + ROW)[1]
        daemon = ("--daemon=unix:admin.sock", "--admin_token_file=token")
        for words in (("status", *daemon), ("status", *daemon, "--json")):
            outcome = self.succeeds(*words)
            self.said[f"fensi {words[0]} {words[-1]} {when}"] = outcome.out + outcome.err
        with open("/proc/%d/cmdline" % self.process.pid, "rb") as line:
            self.said[f"cmdline {when}"] = line.read().decode()

    def change(self):
        """A reload that is refused, a pause, and its end. Who may change what is run may read the files: the answer quotes them."""
        self.file("guanzhu.yaml", MAPPING % (OTHER_LITERAL, LITERAL))
        self.assertEqual(self.ask("/-/reload", "POST", X_Fensi="1")[0], 422)
        for verb in ("pause?reason=upgrade", "resume"):
            code, self.said[verb] = self.ask("/indexes/fensi/" + verb, "POST", X_Fensi="1")
            self.assertEqual(code, 200, self.said[verb])

    def run_all(self, form):
        self.start(form)
        self.feed(follow(ROW, "7", 10), follow("r2", VALUE, 11), event(ROW, {"type": VALUE}), f'"{LITERAL}"\n', f"{ROW} {VALUE}\n")
        self.wait_for(lambda: self.events() == 5)
        time.sleep(1.2)  # a second of it is remembered
        self.look("at work")
        self.change()
        self.look("changed")
        self.process.terminate()
        self.assertEqual(self.process.wait(60), 0)
        self.said["the log"] = self.read("log")
        self.assertIn("reload", self.said["the log"])
        letters = self.read("fensi.dead.jsonl")
        self.assertIn(VALUE, letters, "what is to be mended is kept")
        for who, said in self.said.items():
            for word in (*ROWS, TOKEN, PASSWORD):
                self.assertNotIn(word, said, who)

    def test_with_a_log_of_text(self):
        self.run_all("text")

    def test_with_a_log_of_json(self):
        self.run_all("json")


harness.main_side_by_side(2)
