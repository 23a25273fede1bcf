"""The exit statuses of junbanctl: the table in the manual and in the help, and each verb that ends with them."""

import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from ctlcase import CtlCase
from harness import PROGRAMS, until
from test_ctl import VERBS

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOWHERE = "http://127.0.0.1:1"
NOBODY = "0192f0c1-2222-7333-8444-555555555555"
ALONE = ("export", "import", "cel", "audit verify", "audit last")


def helped(*verb):
    return subprocess.run([PROGRAMS / "junbanctl", *verb, "--help"], capture_output=True, text=True, timeout=60).stdout


def tables(text):
    """The blocks of a help: {title: {status: (word, meaning)}}."""
    found = {}
    for title, rows in re.findall(r"^(Exit statuses[^\n]*):\n((?:  \d+ .*\n?)+)", text, re.M):
        found[title] = {int(status): (word, meaning) for status, word, meaning in re.findall(r"^  (\d+) +(\S+) +(.*)$", rows, re.M)}
    return found


class Table(unittest.TestCase):
    def test_the_manual_has_the_table_of_the_help(self):
        manual = (ROOT / "docs/ctl.md").read_text().split("## Exit statuses")[1].split("\n## ")[0]
        plain, own = [], {}
        for block in re.findall(r"\| status \| word \| meaning \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", manual):
            plain.append({int(status): (word, meaning) for status, word, meaning in re.findall(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", block, re.M)})
        for verb, status, word, meaning in re.findall(r"^\| `([^`]+)` \| (\d+) \| `(\w+)` \| (.*) \|$", manual, re.M):
            own.setdefault(f"Exit statuses of '{verb}', besides", {})[int(status)] = (word, meaning)
        said = tables(helped())
        self.assertEqual(said.pop("Exit statuses of every verb"), plain[0])
        self.assertEqual(said.pop("Exit statuses of 'push --wait' and 'result'"), plain[1])
        self.assertEqual(said, own)

    def test_each_verb_has_the_statuses_of_all_and_its_own(self):
        whole = tables(helped())
        common = whole["Exit statuses of every verb"]
        ends = whole["Exit statuses of 'push --wait' and 'result'"]
        for verb in VERBS:
            (_, mine), = tables(helped(*verb.split())).items()
            own = ends if verb in ("push", "result") else whole.get(f"Exit statuses of '{verb}', besides", {})
            expected = {**common, **own}
            if verb == "push":
                expected[0] = common[0]
            self.assertEqual(mine, expected, verb)
        self.assertEqual(len({word for word, _ in ends.values()}), len(ends))


class Verbs(CtlCase):
    """Every verb with the statuses of all verbs."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="junban-exits-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_wrong_use_is_2(self):
        for verb in VERBS:
            self.assertEqual(self.run_ctl(*verb.split(), "--nonsense").returncode, 2, verb)

    def test_a_full_disk_is_3(self):
        for verb in ("", *VERBS):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAMS / "junbanctl", *verb.split(), "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (3, "junbanctl: standard output cannot be written: No space left on device\n"), verb)

    def words(self):
        """A use of each verb that succeeds, in an order in which all of them do."""
        master, numbers = self.client, itertools.count()
        push = lambda **fields: master.ok("POST", "/v1/jobs", {"name": "n", **fields})["id"]

        def fail(message):
            name = f"bad{next(numbers)}"  # one that is retried is not met again
            identity = push(name=name)
            job, = master.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": 20})["jobs"]
            master.ok("POST", f"/v1/jobs/{identity}/outcome", {"lease": job["lease"], "type": "failure", "finished_at": "2026-01-02T03:04:05Z",
                                                               "reason": "other", "should_retry": False, "message": message})
            return identity

        def succeed():
            identity = push(name="good", keep_result=True)
            job, = master.ok("POST", "/v1/claims", {"worker": "w", "names": ["good"], "wait": 20})["jobs"]
            master.ok("POST", f"/v1/jobs/{identity}/outcome", {"lease": job["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": 1})
            return identity

        def handed_off():
            identity = push(name="off")
            job, = master.ok("POST", "/v1/claims", {"worker": "w", "names": ["off"], "wait": 20})["jobs"]
            master.ok("POST", f"/v1/jobs/{identity}/handoff", {"lease": job["lease"], "key": "key", "timeout": 60})

        signature = lambda: master.ok("GET", "/v1/failures")["groups"][0]["signature"]
        operation = lambda: master.ok("GET", "/v1/operations")["operations"][0]["operation"]

        file = self.folder / "file"
        audit = self.folder / "audit"
        audit.touch()
        cases = self.folder / "cases"
        cases.write_text("[]")
        schedule, matcher = self.folder / "schedule", self.folder / "matcher"
        schedule.write_text('{"every": 3600, "job": {"name": "n"}}')
        matcher.write_text("id: m\ntitle: t\nexpression: job.name == \"held\"\nconstraints:\n  - kind: breaker\n    open_for: 600\n    by: [job.argument]\n")
        redis = ["--redis", f"unix://{self.master.directory}/redis.sock"]
        return {
            "push": lambda: ["n"], "jobs": lambda: [], "job": lambda: [push()], "result": lambda: [succeed()], "cancel": lambda: [push()],
            "retry": lambda: [fail("x")], "edit": lambda: [push(), "--priority", "1"], "message": lambda: (handed_off(), ["key"])[1], "group": lambda: ["g", "--open"],
            "explain": lambda: [push()], "duplicate": lambda: [push()], "delete": lambda: [push()],
            "restore": lambda: (lambda one: (master.ok("DELETE", f"/v1/jobs/{one}"), [one])[1])(push()), "track": lambda: [push()], "untrack": lambda: [push()],
            "work": lambda: ["n", "--once", "--exec", "true", "--json"], "workers": lambda: [], "workers list": lambda: [],
            "workers drain": lambda: ["w"], "workers resume": lambda: ["w"], "workers forget": lambda: ["w", "--yes"],
            "pause": lambda: ["--reason", "so", "--match", "job.name == 'paused'"], "pauses": lambda: [], "resume": lambda: ["--all"],
            "matchers apply": lambda: [str(matcher), "--yes"], "matchers": lambda: [], "matchers list": lambda: [], "matchers get": lambda: [],
            "matchers preview": lambda: [str(matcher)], "matchers revisions": lambda: ["m"], "matchers revert": lambda: ["m", "1"],
            "constraints": lambda: [], "constraints list": lambda: [], "constraints buckets": lambda: ["m.breaker1"],
            "constraints override": lambda: ["m.breaker1", "7", "--set", '{"open_for": 60}'], "held": lambda: [], "trip": lambda: ["m.breaker1"],
            "reset": lambda: ["m.breaker1"], "matchers delete": lambda: ["m", "--yes"],
            "failures": lambda: (fail("y"), [])[1], "failures show": lambda: [signature()], "failures resolve": lambda: [signature()],
            "failures mute": lambda: [signature(), "--until", "2099-01-02T03:04:05Z"], "failures retry": lambda: [signature(), "--yes"],
            "results": lambda: [], "results list": lambda: [], "results discard": lambda: [succeed(), "--yes"], "results extend": lambda: [succeed()],
            "stats": lambda: [], "series": lambda: ["enqueued"], "retention": lambda: [], "retention show": lambda: [],
            "retention set": lambda: ["--failed-age", "86400", "--yes"], "retention clear": lambda: ["--yes"],
            "operations start": lambda: (push(name="one"), ["cancel", "--name", "one", "--yes"])[1],
            "operations": lambda: [], "operations list": lambda: [], "operations show": lambda: [operation()], "operations skipped": lambda: [operation()],
            "operations undo": lambda: [self.ended()], "operations pause": lambda: [self.running(push)], "operations resume": lambda: [self.paused()],
            "operations stop": lambda: [self.running(push)],
            "schedules put": lambda: ["s", str(schedule)], "schedules": lambda: [], "schedules list": lambda: [], "schedules show": lambda: ["s"],
            "schedules run": lambda: ["s"], "schedules pause": lambda: ["s"], "schedules resume": lambda: ["s"], "schedules delete": lambda: ["s", "--yes"],
            "audit": lambda: [], "audit list": lambda: [], "audit verify": lambda: [str(audit)], "audit last": lambda: [str(audit)],
            "status": lambda: [], "overview": lambda: [], "names": lambda: [], "doctor": lambda: [], "fsck": lambda: [],
            "export": lambda: [str(file), *redis], "import": lambda: [str(file), *redis, "--namespace", "copy" + os.urandom(4).hex()],
            "cel": lambda: ["--cases", str(cases)], "tokens": lambda: [], "tokens list": lambda: [],
        }

    def running(self, push):
        """An operation that has something left to do."""
        for _ in range(5):
            push(name="slow")
        started = json.loads(self.ctl("operations", "start", "cancel", "--name", "slow", "--state", "ready", "--rate", "1", "--yes", "--json"))
        return started["operation"]

    def paused(self):
        operations = self.client.ok("GET", "/v1/operations")["operations"]
        return next((one["operation"] for one in operations if one["state"] == "paused"), operations[0]["operation"])

    def ended(self):
        self.client.ok("POST", "/v1/jobs", {"name": "ended"})
        started = json.loads(self.ctl("operations", "start", "delete", "--name", "ended", "--yes", "--json"))["operation"]
        until(lambda: self.client.ok("GET", f"/v1/operations/{started}")["state"] == "done", what="the end of the operation")
        return started

    def undisturbed(self, call):
        """Calls again while an export finds that the namespace was changed under it: an operation may still be at work."""
        done = call()
        while "changed while it was read" in done.stderr:
            done = call()
        return done

    def test_what_is_done_is_0_and_without_a_master_1_and_on_a_full_disk_3(self):
        uses = self.words()
        for verb, words in uses.items():
            with self.subTest(verb):
                done = self.undisturbed(lambda: self.run_ctl(*verb.split(), *words()))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for verb, words in uses.items():
            if verb == "audit verify" or verb == "work":
                continue  # they have no word more to print
            with self.subTest(verb, output="full"), open("/dev/full", "wb") as full:
                done = self.undisturbed(lambda: subprocess.run(
                    [PROGRAMS / "junbanctl", *verb.split(), *words()], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True,
                    env={**os.environ, "JUNBAN_URL": self.url}, timeout=60))
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("standard output cannot be written: No space left on device", done.stderr)
        for verb, words in {**uses, "matchers revert": lambda: ["m", "1"], "changes": lambda: [], "tokens create": lambda: ["--role", "admin"],
                            "tokens revoke": lambda: ["t", "--yes"]}.items():
            if verb in ALONE or verb == "work":
                continue
            with self.subTest(verb, master="away"):
                done = self.run_ctl(*verb.split(), *words(), url=NOWHERE)
                self.assertEqual(done.returncode, 2 if verb == "fsck" else 1, done.stdout + done.stderr)

    def test_verbs_with_their_own_meanings(self):
        self.assertEqual(self.run_ctl("export", str(self.folder / "x"), "--redis", "redis://127.0.0.1:1").returncode, 2)
        self.assertEqual(self.run_ctl("import", str(self.folder / "none"), "--redis", "redis://127.0.0.1:1").returncode, 2)
        redis = ["--redis", f"unix://{self.master.directory}/redis.sock"]
        self.assertEqual(self.run_ctl("export", str(self.folder / "x"), *redis, "--namespace", "none").returncode, 1)
        broken = self.folder / "broken"
        broken.write_text("nothing of the kind\n")
        self.assertEqual(self.run_ctl("import", str(broken), *redis, "--namespace", "copy").returncode, 1)
        self.assertEqual(self.run_ctl("fsck", "--redis", "redis://127.0.0.1:1").returncode, 2)
        self.assertEqual(self.run_ctl("audit", "verify", str(broken)).returncode, 1)
        self.assertEqual(self.run_ctl("audit", "verify", str(self.folder / "none")).returncode, 2)
        self.assertEqual(self.run_ctl("audit", "last", str(self.folder / "none")).returncode, 2)
        for content, expected in (('[{"id": "a", "expr": "1", "value": {"int": "2"}}]', 1), ("{", 2)):
            broken.write_text(content)
            self.assertEqual(self.run_ctl("cel", "--cases", str(broken)).returncode, expected)
        broken.write_text("id: a\ntitle: t\nexpression: job.name ==\n")
        self.assertEqual(self.run_ctl("matchers", "apply", str(broken), "--yes").returncode, 1)
        self.assertEqual(self.asked("n\n", "retention", "clear")[0], 1)
        self.assertEqual(self.run_ctl("retention", "clear").returncode, 2)

    def test_an_operation_that_is_stopped_is_40(self):
        for _ in range(3):
            identity = self.ctl("push", "bad").strip()
            job, = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["bad"], "wait": 20})["jobs"]
            self.client.ok("POST", f"/v1/jobs/{identity}/outcome", {"lease": job["lease"], "type": "failure", "finished_at": "2026-01-02T03:04:05Z",
                                                                    "reason": "other", "should_retry": False, "message": "so"})
        signature = self.client.ok("GET", "/v1/failures")["groups"][0]["signature"]
        retry = subprocess.Popen([PROGRAMS / "junbanctl", "failures", "retry", signature, "--rate", "1", "--yes"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, env={**os.environ, "JUNBAN_URL": self.url})
        self.addCleanup(lambda: (retry.kill(), retry.communicate()))
        until(lambda: self.client.ok("GET", "/v1/operations")["operations"], what="the operation")
        self.ctl("operations", "stop", self.client.ok("GET", "/v1/operations")["operations"][0]["operation"])
        self.assertEqual(retry.wait(60), 40)


class Ends(CtlCase):
    """How a job ended, for `push --wait` and `result`."""

    def waiting(self, *words):
        waiting = subprocess.Popen([PROGRAMS / "junbanctl", "push", *words, "--wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "JUNBAN_URL": self.url})
        self.addCleanup(lambda: (waiting.kill(), waiting.communicate()))
        name = words[0]
        until(lambda: self.of(name), what="the job")
        return waiting, self.of(name)[-1]["id"]

    def of(self, name):
        return self.client.ok("GET", f"/v1/jobs?name={name}")["jobs"]

    def report(self, name, **outcome):
        job, = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": [name], "wait": 20})["jobs"]
        self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome", {"lease": job["lease"], "finished_at": "2026-01-02T03:04:05Z", **outcome})

    def ends(self, waiting, identity, status, word, printed=""):
        told, said = waiting.communicate(timeout=90)
        self.assertEqual((waiting.returncode, told), (status, printed), said)
        if status:
            self.assertRegex(said, rf"(?m)^(junbanctl: )?{word}: ")
        done = self.run_ctl("result", identity)
        # A failure was consumed with its outcome; the job still says how it ended.
        self.assertEqual((done.returncode, done.stdout), (status or 30, ""), done.stderr)
        self.assertRegex(done.stderr, rf"(?m)^junbanctl: {word if status else 'gone'}: ")

    def test_only_a_success_is_0_also_one_with_null(self):
        for name, result, printed in (("null", None, "null\n"), ("text", "null", '"null"\n'), ("list", [1], "[1]\n")):
            waiting, identity = self.waiting(name)
            self.report(name, type="success", result=result)
            self.ends(waiting, identity, 0, "success", printed)

    def test_a_failure_has_the_status_of_its_reason(self):
        waiting, identity = self.waiting("failed")
        self.report("failed", type="failure", reason="other", should_retry=False, message="no\nroute")
        told, said = waiting.communicate(timeout=60)
        self.assertEqual((waiting.returncode, told, said), (10, "", "failed: no\nroute\n"))
        waiting, identity = self.waiting("timeout", "--timeout", "1")
        self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["timeout"], "wait": 20})
        self.ends(waiting, identity, 11, "timeout")
        waiting, identity = self.waiting("reported")
        self.report("reported", type="failure", reason="timeout", should_retry=False)
        self.ends(waiting, identity, 11, "timeout")
        waiting, identity = self.waiting("expired", "--expires-in", "1")
        self.ends(waiting, identity, 13, "expired")
        waiting, identity = self.waiting("poison", "--timeout", "60", "--max-retry", "9")
        for _ in range(3):
            self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["poison"], "wait": 30, "lease": 1})
        self.ends(waiting, identity, 12, "poison")
        for word in ("fail", "cancel"):
            first = self.client.ok("POST", "/v1/jobs", {"name": "first"})["id"]
            waiting, identity = self.waiting(f"after-{word}", "--depends-on", first, "--on-dependency-failure", word)
            self.ctl("cancel", first)
            self.ends(waiting, identity, 14, "dependency")

    def test_who_ends_a_job_before_its_worker_does_is_told_apart(self):
        waiting, identity = self.waiting("cancelled")
        self.ctl("cancel", identity)
        self.ends(waiting, identity, 20, "cancelled")
        waiting, identity = self.waiting("forced")
        self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["forced"], "wait": 20})
        self.ctl("cancel", identity, "--force")
        self.ends(waiting, identity, 20, "cancelled")
        waiting, identity = self.waiting("replaced", "--unique-key", "k", "--on-conflict", "replace")
        self.client.ok("POST", "/v1/jobs", {"name": "replaced", "unique": {"key": "k", "on_conflict": "replace"}})
        self.ends(waiting, identity, 21, "replaced")
        matcher = {"title": "t", "expression": 'job.name == "dropped"', "constraints": [{"kind": "backlog", "max_ready": 1, "overflow": "drop_oldest"}]}
        self.assertEqual(self.client.request("PUT", "/v1/matchers/m", matcher, fields={"If-None-Match": "*"})[0], 201)
        waiting, identity = self.waiting("dropped")
        self.client.ok("POST", "/v1/jobs", {"name": "dropped"})
        self.ends(waiting, identity, 22, "dropped")
        waiting, identity = self.waiting("deleted")
        self.ctl("delete", identity)
        self.ends(waiting, identity, 23, "deleted")

    def test_no_result_is_no_success(self):
        self.assertEqual(self.run_ctl("result", NOBODY).returncode, 32)
        identity = self.ctl("push", "unkept").strip()
        self.assertEqual(self.run_ctl("result", identity).returncode, 31)
        self.assertEqual(self.run_ctl("result", identity, "--wait").returncode, 31)
        self.report("unkept", type="success", result=1)
        for words in ([], ["--wait"], ["--peek"]):
            done = self.run_ctl("result", identity, *words)
            self.assertEqual((done.returncode, done.stdout), (30, ""), done.stderr)
        self.assertEqual(self.run_ctl("result", identity, "--json").stdout, "null\n")
        identity = self.ctl("push", "discarded", "--keep-result").strip()
        self.report("discarded", type="success", result=1)
        self.ctl("results", "discard", identity, "--yes")
        self.assertEqual(self.run_ctl("result", identity).returncode, 30)

    def test_json_says_how_a_job_without_an_outcome_ended(self):
        identity = self.ctl("push", "one", "--keep-result").strip()
        done = self.run_ctl("result", identity, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (31, {"state": "ready"}))
        self.ctl("cancel", identity)
        done = self.run_ctl("result", identity, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (20, {"state": "cancelled", "reason": "cancelled"}))
        identity = self.ctl("push", "two", "--keep-result").strip()
        self.report("two", type="failure", reason="other", should_retry=False, message="so")
        for words in (["--peek"], ["--peek", "--json"], ["--json"]):
            done = self.run_ctl("result", identity, *words)
            self.assertEqual((done.returncode, json.loads(done.stdout)["message"]), (10, "so"))
        done = self.run_ctl("result", identity, "--json")  # consumed
        self.assertEqual((done.returncode, json.loads(done.stdout)), (10, {"state": "failed", "reason": "other"}))


if __name__ == "__main__":
    unittest.main()
