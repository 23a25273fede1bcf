"""junbanctl's verbs for matchers, constraints and pauses."""

import datetime
import json
import os
import pathlib
import pty
import subprocess
import unittest

import yaml

from ctlcase import CtlCase
from harness import PROGRAMS, until

VENDOR = """# Calls of the vendor
id: vendor
title: The vendor's API
expression: job.name == "call"
constraints:
  - kind: concurrency
    limit: 1
    by: [job.argument.key]
  - {kind: window, allow: [{from: 00:00, to: 24:00}]}
"""


class Matchers(CtlCase):
    def file(self, text, name="matchers.yaml"):
        path = pathlib.Path(self.master.directory, name)
        path.write_text(text)
        return str(path)

    def test_a_file_is_planned_applied_printed_and_applied_again_unchanged(self):
        path = self.file(VENDOR)
        self.ctl("push", "call", "--arg", '{"key": 1}')
        planned = self.ctl("matchers", "apply", path, "--dry-run")
        self.assertIn("create vendor  (matches 1 jobs now)", planned)
        self.assertIn("+ title: The vendor's API\n", planned)
        self.assertIn("1 to create, 0 to change, 0 to delete, 0 as they are", planned)
        self.assertEqual(json.loads(self.api("/v1/matchers"))["matchers"], [])
        self.assertIn("--yes or --dry-run is required", self.said("matchers", "apply", path, expect=2))
        self.assertIn("vendor is saved, revision 1\n", self.ctl("matchers", "apply", path, "--yes"))
        printed = self.ctl("matchers", "get", "vendor")
        self.assertEqual(yaml.safe_load(printed)["expression"], 'job.name == "call"')
        self.assertEqual(yaml.safe_load(printed)["constraints"][1]["allow"][0]["from"], "00:00")
        for again in (printed, self.ctl("matchers", "get"), self.ctl("matchers", "get", "--json"), self.ctl("matchers", "get", "vendor", "--json"), VENDOR):
            self.assertEqual(self.ctl("matchers", "apply", "-", "--yes", input=again), "0 to create, 0 to change, 0 to delete, 1 as they are\n")
        self.assertEqual(json.loads(self.api("/v1/matchers/vendor"))["revision"], 1)

    def test_a_change_is_shown_as_lines_and_saved_at_its_revision(self):
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR)
        told = self.ctl("matchers", "apply", "-", "--yes", input=VENDOR.replace("limit: 1", "limit: 20"))
        self.assertRegex(told, r"-\s+limit: 1\n\+\s+limit: 20\n")
        self.assertNotIn("- title", told)
        self.assertIn("vendor is saved, revision 2", told)
        self.assertEqual(json.loads(self.api("/v1/matchers/vendor"))["constraints"][0]["limit"], 20)
        plan = json.loads(self.ctl("matchers", "apply", "-", "--dry-run", "--json", input=VENDOR))
        self.assertEqual([(s["id"], s["action"], s["done"], s["revision"]) for s in plan["steps"]], [("vendor", "change", False, 2)])
        self.assertFalse(plan["applied"])

    def test_a_wrong_file_is_refused_with_the_place_and_changes_nothing(self):
        wrong = VENDOR.replace('"call"', '"call" &&')
        told = self.ctl("matchers", "apply", "-", "--yes", input=wrong + "---\n" + VENDOR.replace("vendor", "other"), expect=1)
        self.assertRegex(told, r"expression, line 1, column \d+: ")
        self.assertIn('    job.name == "call" &&\n', told)
        self.assertRegex(told, r"\n {5,}\^")
        self.assertEqual(json.loads(self.api("/v1/matchers"))["matchers"], [])
        plan = json.loads(self.ctl("matchers", "apply", "-", "--yes", "--json", input=wrong, expect=1))
        self.assertEqual((plan["applied"], plan["steps"][0]["error"]["code"], plan["steps"][0]["error"]["errors"][0]["field"]),
                         (False, "invalid_expression", "expression"))
        for text, said in (("a: [", "Line 2, column 1"), ("title: x\n", "Matcher 1 has no id"), (VENDOR + "---\n" + VENDOR, "twice"),
                           (VENDOR.replace("limit", "limt"), "Matcher 'vendor': 'constraints[0].limt'"), ('{"id": "a", "title": ', "JSON"),
                           (VENDOR.replace("vendor", "ven dor"), "id")):
            self.assertIn(said, self.said("matchers", "apply", "-", "--yes", input=text, expect=2), text)
        self.assertIn("cannot be read", self.said("matchers", "apply", "/nowhere", "--yes", expect=2))

    def test_on_a_terminal_it_asks(self):
        path = self.file(VENDOR)
        for answer, exit_code, revisions in (("n\n", 1, []), ("\n", 1, []), ("y\n", 0, [1])):
            code, told, errors = self.asked(answer, "matchers", "apply", path)
            self.assertEqual((code, errors), (exit_code, f"Change these on {self.url}? [y/N] "), told)
            self.assertEqual([m["revision"] for m in json.loads(self.api("/v1/matchers"))["matchers"]], revisions)

    def test_what_somebody_else_changed_meanwhile_is_refused(self):
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR)
        path = self.file(VENDOR.replace("limit: 1", "limit: 3") + "---\n" + VENDOR.replace("vendor", "z"))
        ours, its = pty.openpty()
        asked = subprocess.Popen([PROGRAMS / "junbanctl", "matchers", "apply", path, "--url", self.url], stdin=its, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(asked.stderr.read(6), "Change")  # the plan is complete, and the change below comes after it
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR.replace("limit: 1", "limit: 2"))
        os.write(ours, b"y\n")
        errors = asked.communicate(timeout=60)[1]
        os.close(ours)
        os.close(its)
        self.assertEqual(asked.returncode, 1)
        self.assertIn("'vendor': ", errors)
        found = json.loads(self.api("/v1/matchers"))["matchers"]
        self.assertEqual([(m["id"], m["revision"], m["constraints"][0]["limit"]) for m in found], [("vendor", 2, 2)])

    def test_prune_deletes_what_no_file_names_but_no_pause(self):
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR + "---\n" + VENDOR.replace("vendor", "other"))
        pause = self.ctl("pause", "--reason", "r", "--match", "false").strip()
        self.assertIn("delete other", self.ctl("matchers", "apply", "-", "--yes", "--prune", input=VENDOR))
        self.assertEqual([m["id"] for m in json.loads(self.api("/v1/matchers"))["matchers"]], sorted([pause, "vendor"]))

    def test_revisions_are_listed_with_differences_and_come_back(self):
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR)
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR.replace("limit: 1", "limit: 20"))
        listed = self.ctl("matchers", "revisions", "vendor")
        self.assertRegex(listed, r"revision 2, after 1:\n(?:.*\n)*-\s+limit: 1\n\+\s+limit: 20\n")
        self.assertIn("is as it was, revision 3", self.ctl("matchers", "revert", "vendor", "1"))
        self.assertEqual(json.loads(self.api("/v1/matchers/vendor"))["constraints"][0]["limit"], 1)
        self.assertIn("is deleted", self.ctl("matchers", "delete", "vendor", "--yes"))
        self.assertIn("It is deleted", self.ctl("matchers", "revisions", "vendor"))
        self.ctl("matchers", "get", "vendor", expect=1)
        self.ctl("matchers", "revert", "vendor", "2")
        self.assertEqual(json.loads(self.api("/v1/matchers/vendor"))["constraints"][0]["limit"], 20)
        self.assertEqual(self.ctl("matchers", "revisions", "vendor", "--json"), self.api("/v1/matchers/vendor/revisions"))
        self.assertIn("vendor", self.ctl("matchers"))
        self.assertEqual(self.ctl("matchers", "--json"), self.api("/v1/matchers"))
        self.ctl("matchers", "revert", "vendor", "x", expect=2)
        self.ctl("matchers", "delete", "nobody", "--yes", expect=1)

    def test_a_preview_says_what_a_matcher_would_do(self):
        identity = self.ctl("push", "call", "--arg", '{"key": 1}').strip()
        told = self.ctl("matchers", "preview", self.file(VENDOR), "--job", identity)
        self.assertRegex(told, r"(?m)^ready +1 +1 of 1$")
        self.assertIn("the job matches", told)
        self.assertIn(identity, told)
        states = json.loads(self.ctl("matchers", "preview", "-", "--json", input=VENDOR))["states"]
        self.assertEqual([state["matched"] for state in states if state["state"] == "ready"], [1])
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR)
        told = self.ctl("matchers", "preview", "-", input=VENDOR.replace('"call"', '"other"'))
        self.assertIn("newly matched 0, no longer matched 1", told)
        self.assertIn("^", self.said("matchers", "preview", "-", input=VENDOR.replace('"call"', '"call" ||')))
        self.assertIn("one matcher, not 2", self.said("matchers", "preview", "-", input=VENDOR + "---\n" + VENDOR.replace("vendor", "b"), expect=2))

    def test_control_characters_of_matchers_do_not_reach_the_terminal(self):
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR.replace("The vendor's API", '"safe\\u202Etxt 日本"'))
        for words in (["matchers"], ["matchers", "get", "vendor"], ["matchers", "revisions", "vendor"]):
            self.assertNotIn("\u202e", self.ctl(*words), words)
        self.assertEqual(yaml.safe_load(self.ctl("matchers", "get", "vendor"))["title"], "safe\u202etxt 日本")


class Asking(CtlCase):
    """What takes something away asks, and does it when the answer is yes."""

    def test_each_asks_on_a_terminal_and_is_refused_where_nobody_can_be_asked(self):
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR)
        self.ctl("schedules", "put", "nightly", "-", input='{"every": 3600, "job": {"name": "n"}}')
        self.client.ok("POST", "/v1/claims", {"worker": "w"})
        until(lambda: self.client.ok("GET", "/v1/workers")["workers"], what="the worker in the list")
        job = self.ctl("push", "kept", "--keep-result").strip()
        claimed, = self.client.ok("POST", "/v1/claims", {"worker": "w"})["jobs"]
        self.client.ok("POST", f"/v1/jobs/{job}/outcome", {"lease": claimed["lease"], "type": "success", "finished_at": "2026-01-02T03:04:05Z", "result": 1})
        self.ctl("push", "many")
        for words, question, path, there in (
                (["matchers", "delete", "vendor"], "Delete the matcher vendor", "/v1/matchers", "vendor"),
                (["schedules", "delete", "nightly"], "Delete the schedule nightly", "/v1/schedules", "nightly"),
                (["workers", "forget", "w"], "Forget the worker w", "/v1/workers", '"w"'),
                (["results", "discard", job], f"Discard the result of {job}", "/v1/results", job),
                (["operations", "start", "cancel", "--name", "many"], "Start this", "/v1/jobs?state=ready", "many")):
            for nobody in (words, [*words, "--json"]):
                self.assertIn("--yes ", self.said(*nobody, expect=2), words)
            for answer, code in (("n\n", 1), ("\n", 1), ("y\n", 0)):
                self.assertIn(there, self.api(path), words)
                self.assertEqual(self.asked(answer, *words)[::2], (code, f"{question} on {self.url}? [y/N] "), words)
            until(lambda: there not in self.api(path), what=f"the end of {words}")
        before = self.api("/v1/retention")
        for words, purged, question in (
                (["retention", "set", "kept", "--succeeded-age", "0", "--failed-count", "5"], "1 succeeded", "Set how long jobs that ended are kept"),
                (["retention", "set", "--succeeded-count", "0", "--cancelled-count", "1"], "1 succeeded", "Set how long jobs that ended are kept"),
                (["retention", "set", "--succeeded-count", "9", "--failed-age", "0"], "no jobs", "Set how long jobs that ended are kept"),
                (["retention", "clear", "kept"], "no jobs", "Keep the jobs of kept as all others"),
                (["retention", "clear"], "no jobs", "Keep jobs as without settings")):
            self.assertIn("--yes ", self.said(*words, expect=2), words)
            code, _, told = self.asked("n\n", *words)
            self.assertEqual((code, told), (1, f"junbanctl: purges at once: {purged}\n{question} on {self.url}? [y/N] "), words)
        self.assertEqual(self.api("/v1/retention"), before)
        self.assertEqual(self.asked("y\n", "retention", "set", "kept", "--succeeded-age", "0")[0], 0)
        until(lambda: "kept" not in self.api("/v1/jobs?state=succeeded"), what="the job is purged")
        self.assertEqual(self.asked("y\n", "retention", "clear", "kept")[0], 0)
        self.assertEqual(self.api("/v1/retention"), before)
        token = self.ctl("tokens", "create", "--role", "admin", "--json")
        identity, secret = json.loads(token)["id"], json.loads(token)["token"]
        os.environ["JUNBAN_TOKEN"] = secret
        self.addCleanup(os.environ.pop, "JUNBAN_TOKEN", None)
        self.assertRegex(self.ctl("tokens"), rf"(?m)^{identity} .* \(no token yet\) ")
        self.assertIn("--yes ", self.said("tokens", "revoke", identity, expect=2))
        self.assertEqual(self.asked("n\n", "tokens", "revoke", identity)[::2], (1, f"Revoke the token {identity} on {self.url}? [y/N] "))
        self.assertEqual(self.asked("y\n", "tokens", "revoke", identity)[0], 0)
        del os.environ["JUNBAN_TOKEN"]
        self.assertEqual(json.loads(self.ctl("tokens", "--json"))["tokens"], [])


class Constraints(CtlCase):
    def setUp(self):
        super().setUp()
        self.ctl("matchers", "apply", "-", "--yes", input=VENDOR)
        self.first, self.second = (self.ctl("push", "call", "--arg", '{"key": "k"}').strip() for _ in range(2))
        self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["call"], "wait": 20})

    def test_live_use_buckets_and_what_is_held_are_shown(self):
        self.assertRegex(self.ctl("constraints"), r"(?m)^vendor\.concurrency1 +concurrency +enforce +1 +1 +1 ")
        self.assertRegex(self.ctl("constraints", "buckets", "vendor.concurrency1"), r"(?m)^k +1 +1 +1 +no ")
        self.assertRegex(self.ctl("held"), r"(?m)^1 +vendor\.concurrency1 +concurrency +k +1 +1 ")
        told = self.ctl("explain", self.second)
        # A worker counts as asking for a while after its claim.
        self.assertRegex(told, r"^ready: held by vendor\.concurrency1(, and no worker asks for jobs of its name)?\n")
        self.assertRegex(told, r"(?m)^concurrency +holding +vendor\.concurrency1 \"The vendor's API\"; key k; used 1 of 1; 1 wait; jobs that run "
                         + self.first + "$")
        self.assertRegex(self.ctl("constraints", "buckets", "vendor.concurrency1"), rf"(?m)^k .* {self.first}$")
        self.assertRegex(self.ctl("held"), r"(?m) vendor +The vendor's API$")
        self.assertRegex(self.ctl("constraints"), r"(?m)^vendor\.concurrency1 .* vendor +The vendor's API$")
        self.assertFalse(json.loads(self.ctl("explain", self.second, "--json"))["would_run"])
        for words, path in ((["constraints"], "/v1/constraints"), (["constraints", "buckets", "vendor.concurrency1"], "/v1/constraints/vendor.concurrency1/buckets"),
                            (["held"], "/v1/held")):
            self.assertEqual(self.ctl(*words, "--json"), self.api(path))
        for words in (["constraints", "buckets"], ["trip"], ["reset"]):
            self.assertIn("its constraints are vendor.concurrency1 and vendor.window1.", self.said(*words, "vendor"), words)
            self.assertIn("There is no constraint 'nobody'. The list of constraints has their ids", self.said(*words, "nobody"), words)
        self.assertIn("its constraints are vendor", self.said("constraints", "override", "vendor", "k", "--clear"))

    def test_an_explanation_says_one_thing_for_each_state(self):
        def told(identity):
            return self.ctl("explain", identity).splitlines()

        alone = self.ctl("push", "alone").strip()
        self.assertEqual(told(alone)[0], "ready: no limit holds it, but no worker asks for jobs of its name")
        behind = self.ctl("push", "alone").strip()
        self.assertEqual(told(behind)[0], "ready: no limit holds it, but no worker asks for jobs of its name; 1 job comes before it")
        tomorrow = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S")
        later = self.ctl("push", "alone", "--run-at", tomorrow + "Z").strip()
        self.assertEqual(told(later)[0], f"scheduled: due at {tomorrow}.000Z; no limit holds it, but no worker asks for jobs of its name")
        waits = self.ctl("push", "alone", "--depends-on", alone).strip()
        self.assertEqual(told(waits)[0], "depends: it waits until the jobs that it depends on have succeeded")
        pause = self.ctl("pause", "--reason", "r", "--match", 'job.name == "alone"').strip()
        self.assertRegex(told(alone)[0], f"^ready: held by {pause}\\S*, and no worker asks for jobs of its name$")
        self.ctl("resume", pause)
        job, = self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["alone"]})["jobs"]
        self.assertEqual(told(alone), ["running: a worker runs it"])
        until(lambda: told(behind)[0] == "ready: nothing holds it: the next worker that asks for its name gets it", what="the worker that asked")
        self.client.ok("POST", f"/v1/jobs/{alone}/handoff", {"lease": job["lease"], "key": "key of the message", "timeout": 60})
        self.assertEqual(told(alone), ["awaiting: its worker has handed it off, and it waits for a message"])
        self.ctl("cancel", behind)
        self.assertEqual(told(behind), ["cancelled: it has ended"])
        self.ctl("matchers", "apply", "-", "--yes", input='{"id": "o", "title": "t", "expression": "job.name == \\"seen\\"", "constraints": '
                 '[{"kind": "concurrency", "limit": 0, "mode": "observe"}]}')
        seen = told(self.ctl("push", "seen").strip())
        self.assertEqual(seen[0], "ready: no limit holds it, but no worker asks for jobs of its name")
        self.assertRegex("\n".join(seen), r"(?m)^concurrency +observed +o\.concurrency1")

    def test_a_key_gets_parameters_of_its_own_and_loses_them(self):
        self.assertIn("vendor is changed, revision 2", self.ctl("constraints", "override", "vendor.concurrency1", "k", "--set", '{"limit": 2}'))
        self.assertRegex(self.ctl("constraints", "buckets", "vendor.concurrency1"), r"(?m)^k +1 +2 \(its own\)")
        self.assertTrue(self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["call"], "wait": 20})["jobs"])
        self.ctl("constraints", "override", "vendor.concurrency1", "k", "--clear")
        self.assertNotIn("its own", self.ctl("constraints", "buckets", "vendor.concurrency1"))
        self.ctl("constraints", "override", "nobody", "k", "--clear", expect=1)
        self.ctl("constraints", "override", "vendor.concurrency1", "k", expect=2)

    def test_a_pause_holds_until_it_is_resumed(self):
        pause = self.ctl("pause", "--reason", "the vendor is down", "--match", 'job.name == "mail"', "--for", "600").strip()
        whole = json.loads(self.ctl("pause", "--reason", "all", "--until", "2099-01-02T03:04:05Z", "--json"))["id"]
        listed = self.ctl("pauses")
        self.assertRegex(listed, rf'(?m)^{pause} +job\.name == "mail" .* the vendor is down$')
        self.assertRegex(listed, rf"(?m)^{whole} +everything .* 2099-01-02T03:04:05.000Z .* all$")
        self.assertEqual(self.ctl("pauses", "--json"), self.api("/v1/pauses"))
        self.assertIn("pause", self.ctl("explain", self.second))
        self.assertEqual(self.ctl("resume", whole), f"{whole} is ended\n")
        self.assertIn(pause, self.ctl("resume", "--all"))
        self.assertEqual(self.ctl("resume", "--all"), "nothing was paused\n")
        self.ctl("resume", whole, expect=1)
        self.ctl("resume", expect=2)
        self.ctl("pause", expect=2)
        self.assertIn("^", self.said("pause", "--reason", "x", "--match", "job.name =="))

    def test_a_worker_sees_the_reset_of_a_breaker(self):
        self.ctl("matchers", "apply", "-", "--yes", input='{"id": "m", "title": "t", "expression": "job.name == \\"b\\"", "constraints": '
                 '[{"kind": "breaker", "open_for": 600}]}')
        identity = self.ctl("push", "b").strip()
        self.ctl("trip", "m.breaker1")
        self.worker("b", "--exec", "true")
        self.ctl("reset", "m.breaker1")
        until(lambda: self.client.ok("GET", f"/v1/jobs/{identity}")["state"] == "succeeded", what="succeeded")


if __name__ == "__main__":
    unittest.main()
