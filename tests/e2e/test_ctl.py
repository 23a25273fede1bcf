"""junbanctl as a shell user has it."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import unittest

import msgpack

from ctlcase import CtlCase, Recorder
from harness import PROGRAMS, Client, until


class Ctl(CtlCase):
    def test_a_pushed_job_is_worked_by_a_shell_command_and_its_result_printed(self):
        self.worker("sum", "--exec", "/usr/bin/python3 -c 'import json,sys; print(sum(json.load(sys.stdin)))'", "--concurrency", "3")
        self.assertEqual(self.ctl("push", "sum", "--arg", "[1, 2, 18446744073709551612]", "--wait"), "18446744073709551615\n")
        self.assertEqual(self.ctl("push", "sum", "-", "--wait", input="[4, 5]"), "9\n")
        self.ctl("push", "sum", "--arg", '"no list"', "--wait", expect=10)

    def test_exit_statuses_say_whether_to_try_again(self):
        self.worker("try", "--exec", "echo attempt $JUNBAN_JOB_ATTEMPT >&2; exit $([ $JUNBAN_JOB_ATTEMPT = 1 ] && echo 75 || echo 100)")
        self.ctl("push", "try", "--max-retry", "5", "--wait", expect=10)
        listed = self.ctl("jobs", "--state", "failed")
        self.assertIn("2/6", listed)
        self.assertIn("attempt 2", listed)
        identity = listed.split("\n")[1].split()[0]
        shown = self.ctl("job", identity)
        self.assertIn("attempt 1", shown)
        self.assertIn("failures 2 of 6", shown)
        self.assertIn("ready", self.ctl("retry", identity))

    def test_msgpack_goes_in_and_out_unchanged(self):
        self.worker("copy", "--exec", "cat", "--format", "msgpack")
        raw = pathlib.Path(self.master.directory, "argument.msgpack")
        raw.write_bytes(bytes.fromhex("93c403000102cfffffffffffffffffd6ff00000001"))
        identity = self.ctl("push", "copy", "--arg-file", str(raw), "--keep-result").strip()
        client = Client(self.master.port)
        status, body = client.request("GET", f"/v1/jobs/{identity}/result?wait=20")
        self.assertEqual(status, 200)
        self.assertEqual(body["result"][:2], [b"\x00\x01\x02", 2**64 - 1])
        self.assertEqual(self.ctl("result", identity, expect=30), "")

    def test_a_cancel_reaches_the_running_command(self):
        self.worker("long", "--exec", "sleep 60", "--lease", "1")
        identity = self.ctl("push", "long").strip()
        client = Client(self.master.port)
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "running", what="running")
        self.assertIn("asked to stop", self.ctl("cancel", identity))
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "cancelled", what="cancelled")

    def test_a_worker_prints_a_line_for_each_report(self):
        good, bad = self.ctl("push", "lines", "--arg", "0").strip(), self.ctl("push", "lines", "--arg", "3", "--priority", "9").strip()
        worker = self.worker("lines", "--exec", "echo told >&2; exit $(cat)", "--once", "--json")
        lines, said = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0)
        self.assertEqual([json.loads(line) for line in lines.splitlines()],
                         [{"id": good, "name": "lines", "attempt": 1, "state": "succeeded"}, {"id": bad, "name": "lines", "attempt": 1, "state": "failed"}])
        self.assertEqual(said.splitlines().count("told"), 2)
        job = self.ctl("push", "lines").strip()
        client = Client(self.master.port)
        worker = self.worker("lines", "--exec", "echo 0; sleep 2", "--once", "--json")
        until(lambda: client.ok("GET", f"/v1/jobs/{job}")["state"] == "running", what="running")
        self.ctl("cancel", job, "--force")
        line, = map(json.loads, worker.communicate(timeout=60)[0].splitlines())
        self.assertEqual((line["id"], line["attempt"], line["error"]["code"]), (job, 1, "lease_lost"))

    def test_a_stopped_worker_lets_its_command_finish(self):
        begun = pathlib.Path(self.master.directory, "begun")
        worker = self.worker("slow", "--exec", f"touch {begun}; sleep 1; echo '\"finished\"'")
        identity = self.ctl("push", "slow", "--keep-result").strip()
        client = Client(self.master.port)
        until(begun.exists, what="a command that runs")
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(20), 0)
        self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}/result")["result"], "finished")

    def test_a_job_is_pushed_with_its_special_options(self):
        client = Client(self.master.port)
        first = self.ctl("push", "build", "--unique", "--arg", "[1]").strip()
        self.assertEqual(self.ctl("push", "build", "--unique", "--arg", "[1]").strip(), first)
        self.assertNotEqual(self.ctl("push", "build", "--unique-key", "other", "--arg", "[1]").strip(), first)
        self.ctl("push", "build", "--unique", "--on-conflict", "reject", "--arg", "[1]", expect=1)
        after = self.ctl("push", "deploy", "--depends-on", first, "--on-dependency-failure", "cancel", "--group", "release",
                         "--then", '{"name": "mail", "argument": {"n": 18446744073709551615}, "delay": 5}', "--then", '{"name": "note"}').strip()
        job = client.ok("GET", f"/v1/jobs/{after}")
        self.assertEqual((job["state"], job["depends_on"], job["on_dependency_failure"], job["group"]), ("depends", [first], "cancel", "release"))
        self.assertEqual([(n["name"], n.get("argument"), n.get("delay", 0)) for n in job["then"]], [("mail", {"n": 2**64 - 1}, 5), ("note", None, 0)])
        late = self.ctl("push", "night", "--window", "22:00-06:00 Europe/Berlin sat,sun", "--window", "03:00-04:00", "--expires-in", "90000").strip()
        job = client.ok("GET", f"/v1/jobs/{late}")
        self.assertEqual([(w["from"], w["to"], w["tz"]) for w in job["windows"]], [("22:00", "06:00", "Europe/Berlin"), ("03:00", "04:00", "UTC")])
        self.assertEqual((job["windows"][0]["days"], job["expires_in"]), (["sat", "sun"], 90000))
        at = self.ctl("push", "later", "--run-at", "2026-12-31T23:59:59+01:00", "--durability", "default").strip()
        self.assertEqual(client.ok("GET", f"/v1/jobs/{at}")["state"], "scheduled")
        for wrong in (["--window", "22-06"], ["--window", "now"], ["--depends-on", "x"], ["--then", "{"], ["--expires-in", "soon"],
                      ["--durability", "eternal"], ["--on-conflict", "replace"], ["--run-at", "tomorrow"], ["--window", "22:00-06:00 Nowhere/Else"]):
            self.ctl("push", "wrong", *wrong, expect=2)
        self.ctl("push", "wrong", "--then", '{"nmae": "x"}', expect=1)

    def test_a_job_is_edited_handed_off_and_finished_by_a_message(self):
        client = Client(self.master.port)
        identity = self.ctl("push", "paid", "--tag", "old", "--keep-result").strip()
        self.assertEqual(self.ctl("edit", identity, "--priority", "-7", "--arg", "[5]", "--tag", "new", "--timeout", "60"), f"{identity} ready\n")
        job = client.ok("GET", f"/v1/jobs/{identity}")
        self.assertEqual((job["priority"], job["argument"], job["tags"], job["timeout"], job["max_retry"]), (-7, [5], ["new"], 60, 0))
        self.ctl("edit", identity, "--tag", "")
        self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}").get("tags", []), [])
        self.ctl("edit", identity, expect=1)
        self.ctl("edit", identity, "--priority", "high", expect=2)
        for key, words, state in (("k/1", ["--arg", "[1, 2]"], "succeeded"), ("k 2", ["--failure", "no money", "--arg", "402"], "failed")):
            identity = identity if state == "succeeded" else self.ctl("push", "paid", "--keep-result").strip()
            job = client.ok("POST", "/v1/claims", {"worker": "w", "names": ["paid"], "wait": 20})["jobs"][0]
            client.ok("POST", f"/v1/jobs/{identity}/handoff", {"lease": job["lease"], "key": key, "timeout": 60})
            self.assertEqual(self.ctl("message", key, *words), f"{identity} {state}\n")
            outcome = client.ok("GET", f"/v1/jobs/{identity}/result")
            self.assertEqual(outcome.get("result", outcome.get("error")), [1, 2] if state == "succeeded" else 402)
            self.assertEqual(outcome.get("message", ""), "" if state == "succeeded" else "no money")
        self.ctl("message", "unknown", expect=1)
        self.ctl("message", expect=2)

    def test_groups_are_made_shown_and_closed(self):
        self.assertIn("open", self.ctl("group", "batch", "--open", "--callback", '{"name": "batch-ended"}'))
        identity = self.ctl("push", "part", "--group", "batch").strip()
        self.assertIn("jobs 1, pending 1", self.ctl("group", "batch"))
        self.assertIn("callback when all have ended", self.ctl("group", "batch"))
        self.ctl("cancel", identity)
        self.assertIn("cancelled 1", self.ctl("group", "batch"))
        shown = self.ctl("group", "batch", "--close")
        callback = re.search("callback (\\S{36})\n", shown)
        self.assertIn("batch-ended", self.ctl("job", callback.group(1)))
        self.ctl("group", "other", expect=1)
        self.ctl("group", "batch", "--open", "--close", expect=2)
        self.ctl("group", expect=2)

    def test_recurring_jobs_are_made_shown_run_and_deleted(self):
        nightly = {"title": "Nightly", "cron": "30 2 * * *", "tz": "Europe/Berlin", "overlap": "skip", "job": {"name": "report", "argument": [2**64 - 1]}}
        made = self.ctl("schedules", "put", "night ly/1", "-", input=json.dumps(nightly))
        self.assertIn("30 2 * * * (Europe/Berlin), overlap skip, missed once", made)
        self.assertIn("[18446744073709551615]", made)
        self.assertEqual(len([line for line in made.split("\n") if re.fullmatch(r"20\S+T0[01]:30:00.000Z", line.strip())]), 5)
        listed = self.ctl("schedules").split("\n")
        self.assertEqual(listed[1].split()[:3], ["night", "ly/1", "30"])
        identity = self.ctl("schedules", "run", "night ly/1").strip()
        self.assertIn("ready", self.ctl("job", identity))
        self.ctl("schedules", "run", "night ly/1", expect=1)
        self.assertIn(f"enqueued  {identity}", self.ctl("schedules", "show", "night ly/1"))
        self.assertIn("paused", self.ctl("schedules", "pause", "night ly/1"))
        self.assertIn("paused", self.ctl("schedules"))
        self.assertNotIn("paused", self.ctl("schedules", "resume", "night ly/1"))
        self.assertIn("deleted", self.ctl("schedules", "delete", "night ly/1", "--yes"))
        self.assertNotIn("night", self.ctl("schedules"))
        self.ctl("schedules", "delete", "night ly/1", "--yes", expect=1)
        self.ctl("schedules", "put", "x", "-", input='{"cron": "nonsense", "job": {"name": "n"}}', expect=1)
        self.ctl("schedules", "put", "x", "-", input="{", expect=2)
        self.ctl("schedules", "put", "x", expect=2)
        self.ctl("schedules", "nonsense", expect=2)

    def test_many_jobs_are_deleted_after_a_dry_run_and_restored(self):
        many = [self.ctl("push", "many").strip() for _ in range(3)]
        other = self.ctl("push", "other").strip()
        said = self.ctl("operations", "start", "delete", "--name", "many", "--dry-run")
        self.assertIn("would delete 3 jobs\njobs 3 ready\nleft as they are none\n", said)
        self.assertEqual(self.ctl("operations").count("\n"), 1)
        started = json.loads(self.ctl("operations", "start", "delete", "--name", "many", "--yes", "--reason", "too old", "--json"))
        shown = lambda name: json.loads(self.ctl("operations", "show", name, "--json"))
        until(lambda: shown(started["operation"])["state"] == "done", what="the deletion")
        self.assertIn("because too old", self.ctl("operations", "show", started["operation"]))
        self.assertIn(" 100 %   ", self.ctl("operations"))
        self.assertEqual(self.ctl("jobs", "--trash", "--json").count('"name":"many"'), 3)
        self.assertRegex(self.ctl("job", many[0]), r"(?m)^20\S+Z +deleted +loopback +too old$")
        undo = json.loads(self.ctl("operations", "undo", started["operation"], "--json"))
        until(lambda: shown(undo["operation"])["done"] == 3, what="the restoration")
        self.assertIn("ID", self.ctl("operations", "skipped", undo["operation"]))
        self.assertIn("\nthrough 3 of 3 (100 %), done 3", self.ctl("operations", "show", undo["operation"]))
        edit = json.loads(self.ctl("operations", "start", "set", "--name", "other", "--yes", "--set-priority", "3", "--reason", "urgent", "--json"))
        until(lambda: shown(edit["operation"])["done"] == 1, what="the edit")
        self.assertRegex(self.ctl("job", other), r"(?m)^20\S+Z +edited +loopback +urgent$")
        self.assertIn("not 'eat'", self.said("operations", "start", "eat", "--name", "many", expect=2))

    def test_a_breaker_is_tripped_and_reset_while_a_worker_waits(self):
        client = Client(self.master.port)
        matcher = {"title": "t", "expression": 'job.name == "sum"', "constraints": [{"kind": "breaker", "open_for": 600, "by": ["job.argument"]}]}
        self.assertEqual(client.request("PUT", "/v1/matchers/m", matcher, fields={"If-None-Match": "*"})[0], 201)
        identity = self.ctl("push", "sum", "--arg", "7", "--keep-result").strip()
        self.assertRegex(self.ctl("trip", "m.breaker1", "--key", "7", "--for", "900"), "^1 bucket, open until 20")
        self.worker("sum", "--exec", "echo 8")
        self.assertFalse(client.ok("GET", f"/v1/jobs/{identity}/explain")["would_run"])
        self.assertEqual(self.ctl("reset", "m.breaker1"), "1 bucket\n")
        self.assertEqual(self.ctl("result", identity, "--wait"), "8\n")
        self.ctl("reset", "m.breaker1", "--key", "8", expect=1)
        self.ctl("reset", "m.breaker1", "--for", "9", expect=2)
        self.ctl("trip", expect=2)

    def test_the_past_is_seen_and_changed(self):
        self.worker("fail", "--exec", "echo no file /tmp/$JUNBAN_JOB_ID >&2; exit 100")
        identity = self.ctl("push", "fail", "--keep-result").strip()
        client = Client(self.master.port)
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "failed", what="failed")
        listed = self.ctl("failures")
        self.assertIn("no file <path>", listed)
        self.assertEqual(self.ctl("failures", "--window", "1h", "--limit", "1", "--json"), self.api("/v1/failures?window=1h&state=open&limit=1"))
        signature = listed.split("\n")[1].split()[0]
        self.assertIn(identity, self.ctl("failures", "show", signature))
        self.assertIn(identity, self.ctl("results"))
        self.assertIn("fail", self.ctl("stats", "fail"))
        self.assertIn("tracked", self.ctl("track", identity))
        self.assertIn("not tracked", self.ctl("untrack", identity))
        self.ctl("track", identity)
        self.assertIn(identity, self.ctl("jobs", "--tracked"))
        self.ctl("untrack", identity)
        self.assertNotIn(identity, self.ctl("jobs", "--tracked"))
        self.assertNotIn(identity, self.ctl("jobs", "--trash"))
        self.assertIn("deleted", self.ctl("delete", identity))
        self.assertIn(identity, self.ctl("jobs", "--trash"))
        self.ctl("jobs", "--trash", "--tracked", expect=2)
        self.assertIn("failed", self.ctl("restore", identity))
        preview = self.ctl("failures", "retry", signature, "--dry-run")
        self.assertIn("would retry 1 jobs", preview)
        self.assertIn("failed", self.ctl("job", identity))
        retried = self.ctl("failures", "retry", signature, "--rate", "50", "--yes")
        self.assertIn("would retry 1 jobs", retried)
        self.assertRegex(retried, r"retry  done\nthrough 1 of 1 \(100 %\), done 1, skipped 0\nof the jobs with signature [0-9a-f]{32}\nat 50 jobs")
        self.assertIn("resolved", self.ctl("failures", "resolve", signature))
        self.assertEqual(self.ctl("failures", "resolve", signature, "--reopen"), "open\n")
        self.assertEqual(self.ctl("failures", "mute", signature, "--until", "2099-01-02T03:04:05Z"), "muted\n")
        self.assertIn(signature, self.ctl("failures", "--state", "muted"))
        self.assertEqual(self.ctl("failures", "mute", signature, "--end"), "not muted\n")
        self.ctl("failures", "mute", signature, expect=2)
        self.ctl("failures", "--window", "2h", expect=2)
        self.ctl("failures", "show", expect=2)
        self.ctl("failures", "show", "0" * 32, expect=1)
        self.ctl("stats", "--day", "yesterday", expect=1)
        self.ctl("delete", "0192f0c1-2222-7333-8444-555555555555", expect=1)

    def test_results_wait_longer_or_are_thrown_away(self):
        self.worker("done", "--exec", "echo 7")
        identity = self.ctl("push", "done", "--keep-result").strip()
        until(lambda: self.client.ok("GET", f"/v1/jobs/{identity}")["state"] == "succeeded", what="succeeded")
        self.assertRegex(self.ctl("results", "extend", identity, "--ttl", "86400"), rf"^{identity} waits until 20")
        self.assertIn(identity, self.ctl("results", "list", "--limit", "1"))
        self.assertEqual(self.ctl("results", "discard", identity, "--yes"), f"{identity} discarded\n")
        self.assertNotIn(identity, self.ctl("results"))
        self.ctl("results", "discard", identity, "--yes", expect=1)

    def test_names_series_and_retention_are_shown_and_set(self):
        first = self.ctl("push", "b.name").strip()
        again = self.ctl("duplicate", first).strip()
        self.assertNotEqual(first, again)
        self.assertEqual(json.loads(self.ctl("job", again, "--json"))["name"], "b.name")
        self.ctl("push", "a.name")
        self.assertRegex(self.ctl("names"), r"(?m)^b\.name +2 +0 +2 ")
        self.assertEqual(self.ctl("names", "--json"), self.api("/v1/names"))
        one = self.run_ctl("names", "--limit", "1")
        self.assertEqual((len(one.stdout.splitlines()), one.stderr), (2, "junbanctl: more follow; raise --limit\n"))
        self.assertIn("ready", self.ctl("overview"))
        self.assertEqual(set(json.loads(self.ctl("overview", "--json"))), set(json.loads(self.api("/v1/overview"))))
        until(lambda: sum(json.loads(self.ctl("series", "enqueued", "--range", "10m", "--json"))["values"]) == 3, what="three in the series")
        rows = re.findall(r"(?m)^20\S+Z +(\d+)$", self.ctl("series", "enqueued", "--range", "1h"))
        self.assertEqual((len(rows), sum(map(int, rows))), (60, 3))  # two minutes have them if one ended meanwhile
        self.ctl("series", "nonsense", expect=2)
        self.ctl("series", "enqueued", "--range", "9d", expect=2)
        self.ctl("series", "enqueued", "--until", "yesterday", expect=2)
        before = json.loads(self.ctl("series", "enqueued", "--range", "1h", "--until", "2026-01-02T00:00:00Z", "--json"))
        self.assertEqual((before["from"], sum(before["values"])), ("2026-01-01T23:00:00.000Z", 0))
        before = json.loads(self.api("/v1/retention"))
        self.ctl("retention", "set", "--failed-age", "3600", "--failed-count", "5", "--yes")
        self.ctl("retention", "set", "a.name", "--succeeded-count", "7", "--yes")
        self.ctl("retention", "set", "a.name", "--succeeded-age", "60", "--yes")
        after = json.loads(self.api("/v1/retention"))
        self.assertEqual((after["failed"], after["succeeded"]), ({"age": 3600, "count": 5}, before["succeeded"]))
        self.assertEqual(after["names"], [{"name": "a.name", "succeeded": {"age": 60, "count": 7}, "failed": {}, "cancelled": {}}])
        self.assertRegex(self.ctl("retention"), r"(?m)^a\.name +60 s, 7 jobs +- +-$")
        self.ctl("retention", "clear", "a.name", "--yes")
        self.ctl("retention", "clear", "--yes")
        self.assertEqual(json.loads(self.ctl("retention", "--json")), before)
        self.ctl("retention", "set", expect=2)

    def test_hidden_values_are_shown_to_who_asks_for_them(self):
        self.worker("secret", "--exec", "echo '{\"password\": \"open sesame\"}'")
        identity = self.ctl("push", "secret", "--arg", '{"password": "swordfish"}', "--keep-result").strip()
        until(lambda: self.client.ok("GET", f"/v1/jobs/{identity}")["state"] == "succeeded", what="succeeded")
        self.assertNotIn("swordfish", self.ctl("job", identity))
        self.assertIn("swordfish", self.ctl("job", identity, "--reveal"))
        self.assertNotIn("sesame", self.ctl("result", identity, "--peek"))
        self.assertIn("sesame", self.ctl("result", identity, "--peek", "--reveal"))

    def test_jobs_are_found_by_what_is_in_them(self):
        sought = self.ctl("push", "mail", "--arg", '{"user": 7}').strip()
        other = self.ctl("push", "mail", "--arg", '{"user": "7"}').strip()
        listed = self.ctl("jobs", "--match", "job.argument.user == 7")
        self.assertTrue(sought in listed and other not in listed, listed)
        self.ctl("jobs", "--match", "job.argument.user ==", expect=1)

    def test_json_is_what_the_api_answers(self):
        client = Client(self.master.port)
        identity = self.ctl("push", "mail", "--arg", '{"user": 18446744073709551615}', "--tag", "t", "--keep-result", "--group", "g").strip()
        self.worker("fail", "--exec", "echo no file >&2; exit 100")
        failed = json.loads(self.ctl("push", "fail", "--keep-result", "--json"))["id"]
        until(lambda: client.ok("GET", f"/v1/jobs/{failed}")["state"] == "failed", what="failed")
        signature = json.loads(self.ctl("failures", "--json"))["groups"][0]["signature"]
        definition = '{"every": 3600, "job": {"name": "report", "argument": [1]}}'
        saved = self.ctl("schedules", "put", "s", "-", "--json", input=definition)
        self.assertEqual(json.loads(saved)["job"], {"name": "report", "argument": [1]})
        self.ctl("schedules", "pause", "s")  # otherwise its next runs change between two answers
        for words, path in ((["job", identity], f"/v1/jobs/{identity}"), (["jobs"], "/v1/jobs"),
                            (["jobs", "--state", "ready"], "/v1/jobs?state=ready"), (["group", "g"], "/v1/groups/g"),
                            (["schedules"], "/v1/schedules"), (["failures"], "/v1/failures?window=7d&state=open"),
                            (["failures", "show", signature], f"/v1/failures/{signature}"), (["results"], "/v1/results"),
                            (["stats"], "/v1/stats"), (["doctor"], "/v1/doctor")):
            with self.subTest(words):
                self.assertEqual(self.ctl(*words, "--json"), self.api(path))
        self.assertEqual(self.ctl("result", failed, "--peek", "--json", expect=10), self.api(f"/v1/jobs/{failed}/result?peek=true"))
        status = json.loads(self.ctl("status", "--json"))
        overview = json.loads(self.api("/v1/overview"))
        self.assertEqual(set(status) - set(overview), {"names", "complete"})
        self.assertEqual((status["states"], status["totals"], status["version"]), (overview["states"], overview["totals"], overview["version"]))
        self.assertEqual([name["name"] for name in status["names"]], ["mail", "fail"])
        self.assertEqual(json.loads(self.ctl("fsck", "--json")), {**json.loads(self.ctl("fsck", "--json")), "found": 0, "violations": []})

    def test_json_tells_of_what_was_changed(self):
        first, second = (self.ctl("push", "a", "--keep-result").strip() for _ in range(2))
        nobody = "0192f0c1-2222-7333-8444-555555555555"
        lines = {line["id"]: line for line in map(json.loads, self.ctl("cancel", first, nobody, "--json", expect=1).splitlines())}
        self.assertEqual(lines[first], {"id": first, "state": "cancelled"})
        self.assertEqual((lines[nobody]["error"]["code"], set(lines[nobody]["error"])), ("not_found", {"code", "detail", "reason", "values"}))
        for verb, told in (("retry", {"state": "ready"}), ("track", {"tracked": True}), ("untrack", {"tracked": False}),
                           ("delete", {"state": "cancelled"}), ("restore", {"state": "ready"})):
            self.assertEqual(json.loads(self.ctl(verb, first, "--json")), {"id": first, **told})
        self.assertEqual(json.loads(self.ctl("edit", second, "--priority", "3", "--json"))["priority"], 3)
        self.assertEqual(json.loads(self.ctl("result", second, "--json", expect=31)), {"state": "ready"})
        self.worker("a", "--exec", "echo '[7]'")
        outcome = json.loads(self.ctl("push", "a", "--wait", "--json"))
        self.assertEqual((outcome["type"], outcome["result"]), ("success", [7]))
        self.worker("bad", "--exec", "echo so >&2; exit 100")
        outcome = json.loads(self.ctl("push", "bad", "--wait", "--json", expect=10))
        self.assertEqual((outcome["type"], outcome["message"]), ("failure", "so"))
        unkept = json.loads(self.ctl("push", "a", "--json"))["id"]
        until(lambda: self.client.ok("GET", f"/v1/jobs/{unkept}")["state"] == "succeeded", what="succeeded")
        self.assertEqual(self.ctl("result", unkept, "--wait", "--json", expect=30), "null\n")
        self.ctl("schedules", "put", "s", "-", input='{"every": 3600, "job": {"name": "a"}}')
        self.assertEqual(json.loads(self.ctl("schedules", "run", "s", "--json"))["state"], "ready")
        self.assertEqual(json.loads(self.ctl("schedules", "delete", "s", "--yes", "--json"))["id"], "s")
        self.assertEqual(json.loads(self.ctl("group", "g", "--open", "--json"))["open"], True)
        matcher = {"title": "t", "expression": 'job.name == "b"', "constraints": [{"kind": "breaker", "open_for": 600}]}
        self.assertEqual(Client(self.master.port).request("PUT", "/v1/matchers/m", matcher, fields={"If-None-Match": "*"})[0], 201)
        self.assertEqual(json.loads(self.ctl("trip", "m.breaker1", "--json"))["buckets"], 1)

    def test_json_of_a_call_that_fails_as_a_whole_is_one_object_with_reason_and_values(self):
        nobody = "0192f0c1-2222-7333-8444-555555555555"
        for words, status, code, reason, values in (
                (["job", nobody], 1, "not_found", "job_not_found", {}),
                (["push", ""], 2, "invalid_field", "option_required", {"option": "NAME"}),
                (["push", "x", "--priority", "high"], 2, "invalid_field", "option_whole_expected", {"option": "--priority", "given": "high", "min": -2**31, "max": 2**31 - 1}),
                (["push", "--json", "x", "--tag"], 2, "invalid_field", "option_value_missing", {"option": "--tag"}),
                (["nonsense"], 2, "invalid_field", "verb_unknown", {"word": "nonsense"}),
                (["job", nobody, "--url", "127.0.0.1:1"], 1, "unreachable", "connection_failed", None),
                (["push", "x", "--arg-file", "/nowhere"], 2, "invalid_field", "input_unreadable", {"file": "/nowhere", "error": "No such file or directory"}),
                (["schedules", "delete", "s"], 2, "invalid_field", "option_required_unattended", {"option": "--yes"}),
                (["fsck", "--redis", "redis://127.0.0.1:1"], 2, "store_unavailable", "redis_unreachable", {}),
                (["pause", "--match", "job.", "--reason", "r"], 1, "invalid_expression", None, None),
                (["audit", "last", "/nowhere"], 2, "invalid_field", "input_unreadable", None),
                (["import", "/nowhere"], 2, "invalid_field", "input_unreadable", None),
                (["export", "/nowhere/else"], 2, "invalid_field", "output_not_written", None)):
            done = self.run_ctl(*words, *([] if "--json" in words else ["--json"]))
            self.assertEqual(done.returncode, status, (words, done.stderr))
            error = json.loads(done.stdout)["error"]
            self.assertEqual((error["code"], error["reason"] if reason else None), (code, reason), words)
            if values is not None:
                self.assertEqual(error.get("values", {}), values, words)
            self.assertIn(error["detail"], done.stderr, words)
        self.assertEqual(self.ctl("job", nobody, expect=1), "")

    def test_control_characters_of_names_do_not_reach_the_terminal(self):
        client = Client(self.master.port)
        client.ok("POST", "/v1/jobs", {"name": "n", "tags": ["t"]})
        job, = client.ok("POST", "/v1/claims", {"worker": "w", "names": ["n"], "wait": 20})["jobs"]
        client.ok("POST", f"/v1/jobs/{job['id']}/outcome", {"lease": job["lease"], "type": "failure", "finished_at": "2026-01-02T03:04:05Z", "reason": "other",
                                                            "should_retry": False, "message": "safe\u202etxt"})
        listed = self.ctl("jobs", "--tag", "t")
        self.assertIn("safe\\u202etxt", listed)
        self.assertNotIn("\u202e", listed)
        listed = self.ctl("jobs", "--tag", "t", "--json")
        self.assertNotIn("\u202e", listed)
        self.assertEqual(json.loads(listed)["jobs"][0]["message"], "safe\u202etxt")

    def test_values_may_look_like_flags_or_verbs(self):
        client = Client(self.master.port)
        identity = self.ctl("push", "status", "--priority", "-5", "--arg", "-1", "--tag", "--wait", "--tag=", expect=1).strip()
        self.assertEqual(identity, "")  # the master refuses the empty tag, so it was sent as such
        identity = self.ctl("push", "status", "--priority", "-5", "--arg", "-1", "--tag", "--wait", "--tag=[a,b]").strip()
        job = client.ok("GET", f"/v1/jobs/{identity}")
        self.assertEqual((job["name"], job["priority"], job["argument"], job["tags"]), ("status", -5, -1, ["--wait", "[a,b]"]))
        identity = self.ctl("push", "--priority", "1", "--priority=2", "--max-retry", "3", "--", "--odd").strip()
        job = client.ok("GET", f"/v1/jobs/{identity}")
        self.assertEqual((job["name"], job["priority"], job["max_retry"]), ("--odd", 2, 3))
        self.ctl("push", "[x,y]")
        self.ctl("push", "failures")
        worker = self.worker("--once", "--exec", "true", "[x,y]", "--", "failures")
        self.assertEqual(worker.wait(60), 0, worker.stderr.read())
        self.assertEqual(len(re.findall("succeeded", self.ctl("jobs", "--state", "succeeded"))), 2)

    def test_the_master_may_be_named_before_and_after_the_verb(self):
        here, nowhere = f"http://127.0.0.1:{self.master.port}", "http://127.0.0.1:1"

        def ask(*words):
            environment = {**os.environ, "JUNBAN_URL": nowhere}
            return subprocess.run([PROGRAMS / "junbanctl", *words], capture_output=True, text=True, env=environment, timeout=60).returncode

        self.assertEqual(ask("schedules"), 1)
        for words in (["--url", here, "schedules"], ["schedules", "--url", here], [f"--url={here}", "schedules", "list"],
                      ["schedules", "--url", here, "list"], ["schedules", "list", "--url", here],
                      ["--url", nowhere, "schedules", "--url", here]):
            self.assertEqual(ask(*words), 0, words)
        self.assertEqual(ask("--url", here, "schedules", "list", "--url", nowhere), 1)
        with tempfile.NamedTemporaryFile("w") as token:
            token.write("nobody-knows-it\n")
            token.flush()
            # A master without tokens refuses one, so it was sent.
            self.assertEqual(ask("--url", here, "--token-file", token.name, "status"), 1)
            self.assertEqual(ask("status", "--url", here, "--token-file", token.name), 1)
            self.assertEqual(ask("status", "--url", here), 0)
        for words in (["--token-file", "/nowhere", "status"], ["status", "--token-file", "/nowhere"], ["status", "--token-file="],
                      ["status", "--ca", "/nowhere"], ["status", "--ca="]):
            self.assertEqual(ask(*words, "--url", here), 2)

    def test_it_says_what_is_wrong(self):
        self.assertIn("ready", self.ctl("status"))
        self.ctl("nonsense", expect=2)
        self.ctl("job", "no-id", expect=2)
        self.ctl("push", "x", "--arg", "{", expect=2)
        self.ctl("job", "0192f0c1-2222-7333-8444-555555555555", expect=1)
        self.ctl("status", "--url", "http://127.0.0.1:1", expect=1)

    def test_a_refusal_says_which_master_which_state_and_what_is_possible(self):
        identity = self.ctl("push", "x").strip()
        here = f"The master is {self.url}.\n"
        done = self.run_ctl("retry", identity)
        self.assertEqual((done.returncode, done.stdout), (1, f"{identity} Job {identity} is ready; only failed and cancelled jobs can be retried.\n"))
        self.assertEqual(done.stderr, here)
        self.assertIn("only jobs in the trash can be restored", self.ctl("restore", identity, expect=1))
        self.ctl("cancel", identity)
        self.assertIn(f"Job {identity} is cancelled; only ready, scheduled and failed jobs can be edited", self.said("edit", identity, "--priority", "1"))
        self.ctl("delete", identity)
        self.assertIn(f"Job {identity} is in the trash; restore it first.", self.ctl("retry", identity, expect=1))
        running = self.ctl("push", "x").strip()
        self.client.ok("POST", "/v1/claims", {"worker": "w", "names": ["x"], "wait": 20})
        self.assertIn("cancel it first", self.ctl("delete", running, expect=1))
        unknown = "0192f0c1-2222-7333-8444-555555555555"
        self.assertIn(f"There is no job {unknown}", self.ctl("retry", unknown, expect=1))
        self.assertTrue(self.said("job", unknown).endswith(here))
        self.assertIn('write a map with such a key as {"$map": [["$ref", value]]}', self.said("push", "x", "--arg", '{"$ref": "#/a"}', expect=2))
        self.assertIn('[["$ref", value]]', self.said("push", "x", "--arg", '{"$ref": 1, "b": 2}', expect=2))

    def test_a_master_that_does_not_answer_is_named_with_what_to_do(self):
        said = self.said("status", url="http://127.0.0.1:1")
        self.assertEqual(said, "junbanctl: No master answers at http://127.0.0.1:1: The connection failed: Connection refused\n"
                               "Start one with 'junband', or name another one with --url or JUNBAN_URL.\n")
        self.assertNotIn("secret", self.said("status", url="http://user:secret@127.0.0.1:1"))
        self.assertIn("Start one with 'junband'", self.said("cancel", "0192f0c1-2222-7333-8444-555555555555", url="http://127.0.0.1:1"))

    def test_a_waiting_push_or_worker_hears_that_the_other_is_missing(self):
        waiting = subprocess.Popen([PROGRAMS / "junbanctl", "push", "lonely", "--wait", "--url", self.url], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            self.assertIn("no worker asks for jobs called 'lonely'", waiting.stderr.readline())
            self.worker("lonely", "--exec", "echo 7")
            self.assertEqual(waiting.communicate(timeout=60)[0], "7\n")
        finally:
            waiting.kill()
            waiting.wait()
        worker = self.worker("lonely", "lonley", "--exec", "echo 7")
        self.assertIn(f"no job called 'lonley' was ever pushed to {self.url}", worker.stderr.readline())

    def test_times_from_now_are_counted_by_the_master(self):
        recorder = Recorder()
        self.addCleanup(recorder.stop)
        identity = "0192f0c1-2222-7333-8444-555555555555"
        for words, path, key, value in (
                (["pause", "--for", "600", "--reason", "so"], "/v1/pause", "for", 600),
                (["push", "x", "--delay", "60", "--expires-in", "90"], "/v1/jobs", "delay", 60),
                (["edit", identity, "--delay", "60"], f"/v1/jobs/{identity}", "delay", 60),
                (["failures", "mute", "0" * 32, "--for", "60.5"], f"/v1/failures/{'0' * 32}/mute", "for", 60.5),
                (["tokens", "create", "--role", "viewer", "--expires-in", "3600"], "/v1/tokens", "expires_in", 3600),
                (["trip", "m.breaker1", "--for", "60"], "/v1/constraints/m.breaker1/trip", "open_for", 60),
                (["results", "extend", identity, "--ttl", "60"], f"/v1/jobs/{identity}/result", "ttl", 60)):
            recorder.asked.clear()
            self.assertEqual(self.run_ctl(*words, url=recorder.url).returncode, 1, words)
            asked = next(body for _, way, body in recorder.asked if way == path)
            self.assertEqual(asked[key], value)
            self.assertEqual({"until", "run_at", "expires_at"} & set(asked), set())
        self.run_ctl("operations", "start", "set", "--name", "x", "--set-delay", "60", "--yes", url=recorder.url)
        self.assertEqual(recorder.asked[-1][2]["fields"], {"delay": 60})
        self.run_ctl("audit", "--last", "60", url=recorder.url)
        self.assertIn("last=60", recorder.asked[-1][1])
        kept = {"age": 3600, "count": 10}
        settings = {"succeeded": kept, "failed": kept, "cancelled": kept, "names": []}
        recorder.reply = lambda path: (200, msgpack.packb(settings)) if path == "/v1/retention" else (503, b"busy")
        recorder.asked.clear()
        self.asked("n\n", "retention", "set", "--failed-age", "86400", url=recorder.url)
        self.assertIn("job.finished_at < now - duration('86400.000s')", str(recorder.asked))
        # What was saved between the look and the change is not overwritten.
        for words in (["set", "--failed-age", "60"], ["clear"], ["set", "x", "--failed-age", "60"], ["clear", "x"]):
            self.run_ctl("retention", *words, "--yes", url=recorder.url)
            self.assertEqual((recorder.asked[-1][0], recorder.expected[-1]), ("DELETE" if words == ["clear", "x"] else "PUT", '"7"'), words)
        for words, said in ((["edit", identity, "--run-at", "2099-01-02T03:04:05Z", "--delay", "1"], "--run-at and --delay exclude each other"),
                            (["pause", "--until", "2099-01-02T03:04:05Z", "--for", "1"], "--until and --for exclude each other"),
                            (["failures", "mute", "x", "--until", "2099-01-02T03:04:05Z", "--for", "1"], "exclude each other"),
                            (["audit", "--since", "2026-01-02T03:04:05Z", "--last", "1"], "--since and --last exclude each other")):
            self.assertIn(said, self.said(*words, expect=2))

    def test_times_are_shown_in_a_zone_and_json_has_utc(self):
        identity = self.ctl("push", "later", "--run-at", "2026-12-31T23:59:59+01:00").strip()
        self.assertIn("next run 2026-12-31T22:59:59.000Z", self.ctl("job", identity))
        self.assertIn("next run 2027-01-01T07:59:59.000+09:00", self.ctl("--tz", "Asia/Tokyo", "job", identity))
        self.assertIn("2026-12-31T22:59:59.000Z", self.ctl("job", identity, "--tz", "Asia/Tokyo", "--json"))
        self.ctl("job", identity, "--tz", "local")
        self.assertIn("--reveal needs --peek", self.said("result", identity, "--reveal", expect=2))
        self.assertIn("--tz must be a time zone", self.said("job", identity, "--tz", "Nowhere/Else", expect=2))

    def tail(self, *words):
        tail = subprocess.Popen([PROGRAMS / "junbanctl", "changes", *words, "--url", self.url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.workers.append(tail)
        patience = threading.Timer(60, tail.kill)  # else a line that never comes is waited for
        patience.start()
        self.addCleanup(patience.cancel)
        self.assertIn("changes after revision", tail.stderr.readline())
        return tail

    def test_changes_are_told_as_they_come_also_after_the_master_was_away(self):
        tail = self.tail("--json")

        def told_of_a_push():
            before = self.client.insist("GET", "/v1/changes")[1]["revision"]
            self.client.ok("POST", "/v1/jobs", {"name": "told"})
            news = next(news for news in map(json.loads, tail.stdout) if news["revision"] > before)
            self.assertEqual(news, {"revision": news["revision"], "changed": ["jobs"]})
            return before

        before = told_of_a_push()
        self.master.kill(signal.SIGTERM)
        self.assertIn(f"{self.url} does not answer: ", tail.stderr.readline())
        self.master.start()
        told_of_a_push()  # also when it comes before the master is asked again
        self.assertIn(f"{self.url} answers again", tail.stderr.readline())
        tail.send_signal(signal.SIGINT)
        self.assertEqual((tail.wait(60), tail.stdout.read()), (0, ""))
        tail = self.tail("--since", str(before))
        self.assertRegex(tail.stdout.readline(), r"^20\S+Z  \d+  jobs\n$")
        tail.stdout.close()  # as the end of a pipe does
        self.client.ok("POST", "/v1/jobs", {"name": "told"})
        self.assertEqual(tail.wait(60), 0)
        self.assertIn("--since must be a whole number, at least 0", self.said("changes", "--since", "-1", expect=2))
        self.assertIn("No master answers", self.said("changes", url="http://127.0.0.1:1"))

    def test_output_for_pipes_has_no_colours_no_wrapping_and_even_columns(self):
        for name in ("日本", "a" * 150, "é"):
            self.ctl("push", name)
        listed = self.ctl("names")
        self.assertNotIn("\x1b", listed)
        head, *rows = listed.splitlines()
        self.assertEqual(len(rows), 3)
        columns = [len(row[:row.index(" 1 ")]) + sum(2 if c in "日本" else 1 for c in row) - len(row) for row in rows]
        self.assertEqual(len(set(columns)), 1, listed)


# Each verb with its own options; the others are on every verb that asks a master.
VERBS = {
    "push": "arg arg-file wait priority max-retry timeout delay run-at window expires-in tag durability keep-result result-ttl unique "
            "unique-key unique-until on-conflict depends-on on-dependency-failure group idempotency-key then",
    "jobs": "state name tag match limit tracked trash", "job": "reveal", "result": "wait peek reveal", "retry": "", "cancel": "force",
    "edit": "priority max-retry timeout run-at delay arg arg-file tag", "message": "arg arg-file failure should-retry", "group": "open close share unshare callback",
    "explain": "", "duplicate": "", "delete": "", "restore": "", "track": "", "untrack": "",
    "operations": "", "operations list": "", "operations show": "", "operations skipped": "offset limit",
    "operations start": "state name tag match signature trash id view rate set-priority set-run-at set-delay set-tag dry-run yes",
    "operations pause": "", "operations resume": "", "operations stop": "", "operations undo": "",
    "work": "exec concurrency lease grace format worker once", "workers": "limit", "workers list": "limit", "workers drain": "",
    "workers resume": "", "workers forget": "yes",
    "pause": "match until for", "resume": "all", "pauses": "", "matchers": "limit", "matchers list": "limit", "matchers get": "",
    "matchers apply": "dry-run yes prune", "matchers preview": "job", "matchers revisions": "", "matchers revert": "", "matchers delete": "yes",
    "constraints": "limit", "constraints list": "limit", "constraints buckets": "limit", "constraints override": "set clear", "held": "limit",
    "trip": "for key", "reset": "key", "failures": "window state limit", "failures show": "window limit", "failures resolve": "reopen",
    "failures retry": "rate dry-run yes", "failures mute": "until for end", "results": "limit", "results list": "limit", "results discard": "yes",
    "results extend": "ttl", "stats": "day limit", "series": "range name until", "retention": "", "retention show": "",
    "retention set": "succeeded-age succeeded-count failed-age failed-count cancelled-age cancelled-count yes", "retention clear": "yes",
    "schedules": "limit", "schedules list": "limit", "schedules show": "", "schedules put": "", "schedules run": "",
    "schedules pause": "", "schedules resume": "", "schedules delete": "yes", "tokens": "", "tokens list": "",
    "tokens create": "role note names match expires expires-in", "tokens revoke": "yes", "audit": "since last actor action target limit cursor",
    "audit list": "since last actor action target limit cursor", "audit verify": "last", "audit last": "", "status": "watch", "overview": "",
    "changes": "since", "names": "limit", "doctor": "", "fsck": "repair redis namespace",
    "export": "redis namespace", "import": "redis namespace force", "cel": "cases",
}


class CtlAlone(unittest.TestCase):
    """What needs no master."""

    def ctl(self, *words):
        environment = {**os.environ, "JUNBAN_URL": "http://127.0.0.1:9"}
        return subprocess.run([PROGRAMS / "junbanctl", *words], capture_output=True, text=True, env=environment, timeout=60)

    def test_each_verb_has_a_help_with_its_own_flags(self):
        for verb, options in VERBS.items():
            helped = self.ctl(*verb.split(), "--help")
            self.assertEqual((helped.returncode, helped.stderr), (0, ""), verb)
            self.assertIn(f"Usage: junbanctl {verb} [options]", helped.stdout)
            alone = verb in ("export", "import", "cel", "audit verify", "audit last")
            common = ["json"] if alone else ["json", "url", "token-file", "reason", "ca", "cert", "cert-key", "tz"]
            self.assertEqual(sorted(re.findall(r"^  --(\S+)", helped.stdout, re.M)), sorted([*options.split(), *common, "help"]), verb)
            self.assertLess(max(len(line) for line in helped.stdout.splitlines()), 121, verb)
            self.assertEqual(re.findall(r"(?<![-\w])(\w+)[.;,]? \1\b", helped.stdout, re.I), [], verb)
            self.assertEqual(self.ctl("--help", *verb.split()).stdout, helped.stdout)

    def test_the_help_lists_every_verb_once(self):
        helped = self.ctl("--help")
        self.assertEqual(helped.returncode, 0)
        groups = {title: re.findall(r"^  ([a-z]\S*) +[A-Z].*\.$", verbs, re.M)
                  for title, verbs in re.findall(r"^([A-Z][a-z]+):\n((?:  .*\n)+)", helped.stdout, re.M)}
        self.assertEqual(list(groups), ["Options", "Jobs", "Workers", "Limits", "Past", "Schedules", "Upkeep"])
        self.assertEqual([verb for verbs in groups.values() for verb in verbs], [verb for verb in VERBS if " " not in verb])
        self.assertEqual((groups["Workers"], groups["Limits"], groups["Past"], groups["Schedules"]),
                         (["work", "workers"], ["pause", "resume", "pauses", "matchers", "constraints", "held", "trip", "reset"],
                          ["failures", "results", "stats", "series", "retention"], ["schedules"]))
        self.assertRegex(self.ctl("--version").stdout, r"^junbanctl \d+\.\d+\.\d+\n$")

    def test_a_wrong_use_is_named_with_a_way_to_the_help(self):
        for words, said, verb in (
                (["jobs", "--exec", "x"], "--exec", "jobs"), (["job", "ID", "--wait"], "--wait", "job"), (["push", "x", "--nonsense=1"], "--nonsense", "push"),
                (["export", "f", "--url", "u"], "--url", "export"), (["schedules", "run", "x", "--watch"], "--watch", "schedules run"),
                (["--wait", "push", "x"], "--wait must follow the verb", "push"), (["--nonsense"], "--nonsense", ""),
                (["nonsense"], "'nonsense'", ""), (["failures", "nonsense"], "'nonsense'", "failures"), ([], "A verb is missing.", ""),
                (["push"], "NAME", "push"), (["push", "-"], "NAME", "push"), (["push", "a", "b"], "'b'", "push"), (["push", ""], "NAME", "push"),
                (["message"], "KEY", "message"), (["group"], "GROUP", "group"), (["work", "x"], "--exec", "work"), (["cel"], "--cases", "cel"),
                (["trip"], "CONSTRAINT", "trip"), (["failures", "show"], "SIGNATURE", "failures show"), (["schedules", "put", "x"], "FILE", "schedules put"),
                (["job"], "ID", "job"), (["job", "x"], "'x'", "job"), (["cancel", "x", "y"], "'x'", "cancel"), (["job", "x", "y"], "'y'", "job"),
                (["push", "x", "--tag"], "--tag needs a value", "push"), (["push", "x", "--wait=no"], "--wait takes no value", "push"),
                (["push", "x", "--priority", "high"], "--priority must be a whole number from -2,147,483,648 to 2,147,483,647, not 'high'.", "push"),
                (["push", "x", "--max-retry", "101"], "--max-retry must be a whole number from 0 to 100, not '101'.", "push"),
                (["push", "x", "--max-retry", "1.5"], "--max-retry", "push"), (["edit", "x", "--timeout", "nan"], "'x'", "edit"),
                (["push", "x", "--timeout", "0.5"], "--timeout must be 1 to 86,400 seconds, not '0.5'.", "push"),
                (["push", "x", "--delay", "-1"], "--delay must be 0 to 31,622,400 seconds", "push"), (["push", "x", "--delay", "nan"], "--delay", "push"),
                (["jobs", "--limit", "0"], "--limit must be a whole number from 1 to 500", "jobs"), (["jobs", "--state", "lost"], "--state", "jobs"),
                (["work", "x", "--exec", "y", "--concurrency", "0"], "--concurrency must be a whole number from 1 to 100", "work"),
                (["work", "x", "--exec", "y", "--format", "xml"], '--format must be "json" or "msgpack", not', "work"),
                (["push", "x", "--durability", "eternal"], '--durability must be "default", "fsync" or "replicated"', "push"),
                (["trip", "c", "--for", "0"], "--for must be 0.001 to 2,592,000 seconds", "trip"), (["reset", "c", "--for", "9"], "--for", "reset"),
                (["push", "x", "--run-at", "tomorrow"], "--run-at", "push"), (["push", "x", "--then", "{"], "--then: The JSON is wrong at byte 2.", "push"),
                (["push", "x", "--arg-file", "/nowhere"], "/nowhere cannot be read", "push"), (["push", "x", "--on-conflict", "reject"], "needs --unique", "push"),
                (["group", "g", "--open", "--close"], "--close", "group"), (["group", "g", "--callback", "1", "--callback", "2"], "--callback", "group"),
                (["fsck", "--redis", "http://x"], "--redis", "fsck"), (["fsck", "--namespace", "a b"], "--namespace", "fsck")):
            answer = self.ctl(*words)
            self.assertEqual((answer.returncode, answer.stdout), (2, ""), (words, answer.stderr))
            self.assertIn(said, answer.stderr.splitlines()[0], words)
            self.assertEqual(answer.stderr.splitlines()[1:], [" ".join(["Try", "junbanctl", *verb.split(), "--help."])], words)

    def cel(self, cases, expect, *words):
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            file.write(cases)
            file.flush()
            environment = {**os.environ, "JUNBAN_URL": "http://127.0.0.1:9"}
            done = subprocess.run([PROGRAMS / "junbanctl", "cel", "--cases", file.name, *words], capture_output=True, text=True, env=environment,
                timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout.splitlines()

    def test_conformance_cases_are_run_and_failures_are_named_by_id(self):
        holds = {"id": "a/b/c", "expr": "x + 1", "bindings": {"x": {"int": "1"}}, "value": {"int": "2"}}
        self.assertEqual(self.cel(json.dumps([holds]), 0), ["1 passed, 0 failed"])
        lines = self.cel(json.dumps([holds, {**holds, "id": "a/b/d", "value": {"int": "3"}}, {**holds, "id": "a/b/e", "expr": "1 +"}]), 1)
        self.assertEqual([line.split(":")[0] for line in lines], ["a/b/d", "a/b/e", "1 passed, 2 failed"])
        self.assertEqual(self.cel("{", 2), [])
        report = json.loads(self.cel(json.dumps([holds, {**holds, "id": "a/b/d", "value": {"int": "3"}}]), 1, "--json")[0])
        self.assertEqual((report["passed"], report["failed"], report["failures"][0][:6]), (1, 1, "a/b/d:"))


if __name__ == "__main__":
    unittest.main()
