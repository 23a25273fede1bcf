"""junbanctl as a shell user has it."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from harness import Client, Master, PROGRAMS, until


class Ctl(unittest.TestCase):
    def setUp(self):
        self.master = Master()
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.workers = []
        self.addCleanup(lambda: [(w.kill(), w.wait(), w.stdout.close(), w.stderr.close()) for w in self.workers])

    def ctl(self, *words, input=None, expect=0):
        environment = {**os.environ, "JUNBAN_URL": f"http://127.0.0.1:{self.master.port}"}
        done = subprocess.run([PROGRAMS / "junbanctl", *words], input=input, capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def worker(self, *words):
        environment = {**os.environ, "JUNBAN_URL": f"http://127.0.0.1:{self.master.port}"}
        command = [PROGRAMS / "junbanctl", "work", *words]
        worker = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.workers.append(worker)
        return worker

    def test_a_pushed_job_is_worked_by_a_shell_command_and_its_result_printed(self):
        self.worker("sum", "--exec", "/usr/bin/python3 -c 'import json,sys; print(sum(json.load(sys.stdin)))'", "--concurrency", "3")
        self.assertEqual(self.ctl("push", "sum", "--arg", "[1, 2, 18446744073709551612]", "--wait"), "18446744073709551615\n")
        self.assertEqual(self.ctl("push", "sum", "-", "--wait", input="[4, 5]"), "9\n")
        self.ctl("push", "sum", "--arg", '"no list"', "--wait", expect=1)

    def test_exit_statuses_say_whether_to_try_again(self):
        self.worker("try", "--exec", "echo attempt $JUNBAN_JOB_ATTEMPT >&2; exit $([ $JUNBAN_JOB_ATTEMPT = 1 ] && echo 75 || echo 100)")
        self.ctl("push", "try", "--max-retry", "5", "--wait", expect=1)
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
        self.assertEqual(self.ctl("result", identity), "null\n")

    def test_a_cancel_reaches_the_running_command(self):
        self.worker("long", "--exec", "sleep 60", "--lease", "1")
        identity = self.ctl("push", "long").strip()
        client = Client(self.master.port)
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "running", what="running")
        self.assertIn("asked to stop", self.ctl("cancel", identity))
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "cancelled", what="cancelled")

    def test_a_stopped_worker_lets_its_command_finish(self):
        worker = self.worker("slow", "--exec", "sleep 1; echo '\"finished\"'")
        identity = self.ctl("push", "slow", "--keep-result").strip()
        client = Client(self.master.port)
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "running", what="running")
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(20), 0)
        self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}/result")["result"], "finished")

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
        self.assertIn("deleted", self.ctl("schedules", "delete", "night ly/1"))
        self.assertNotIn("night", self.ctl("schedules"))
        self.ctl("schedules", "delete", "night ly/1", expect=1)
        self.ctl("schedules", "put", "x", "-", input='{"cron": "nonsense", "job": {"name": "n"}}', expect=1)
        self.ctl("schedules", "put", "x", "-", input="{", expect=2)
        self.ctl("schedules", "put", "x", expect=2)
        self.ctl("schedules", "nonsense", expect=2)

    def test_the_past_is_seen_and_changed(self):
        self.worker("fail", "--exec", "echo no file /tmp/$JUNBAN_JOB_ID >&2; exit 100")
        identity = self.ctl("push", "fail", "--keep-result").strip()
        client = Client(self.master.port)
        until(lambda: client.ok("GET", f"/v1/jobs/{identity}")["state"] == "failed", what="failed")
        listed = self.ctl("failures")
        self.assertIn("no file <path>", listed)
        signature = listed.split("\n")[1].split()[0]
        self.assertIn(identity, self.ctl("failures", "show", signature))
        self.assertIn(identity, self.ctl("results"))
        self.assertIn("fail", self.ctl("stats", "fail"))
        self.assertIn("tracked", self.ctl("track", identity))
        self.assertIn("not tracked", self.ctl("untrack", identity))
        self.assertIn("deleted", self.ctl("delete", identity))
        self.assertIn("failed", self.ctl("restore", identity))
        self.assertIn("1 run again, 0 left", self.ctl("failures", "retry", signature))
        self.assertIn("resolved", self.ctl("failures", "resolve", signature))
        self.ctl("failures", "show", expect=2)
        self.ctl("failures", "show", "0" * 32, expect=1)
        self.ctl("stats", "--day", "yesterday", expect=1)
        self.ctl("delete", "0192f0c1-2222-7333-8444-555555555555", expect=1)

    def test_names_cannot_play_with_the_terminal(self):
        Client(self.master.port).ok("POST", "/v1/jobs", {"name": "safe\u202etxt", "tags": ["t"]})
        listed = self.ctl("jobs", "--tag", "t")
        self.assertIn("safe\\u202etxt", listed)
        self.assertNotIn("\u202e", listed)

    def test_it_says_what_is_wrong(self):
        self.assertIn("ready", self.ctl("status"))
        self.ctl("nonsense", expect=2)
        self.ctl("job", "no-id", expect=2)
        self.ctl("push", "x", "--arg", "{", expect=2)
        self.ctl("job", "0192f0c1-2222-7333-8444-555555555555", expect=1)
        self.ctl("status", "--url", "http://127.0.0.1:1", expect=1)


class CtlAlone(unittest.TestCase):
    """What needs no master."""

    def cel(self, cases, expect):
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            file.write(cases)
            file.flush()
            environment = {**os.environ, "JUNBAN_URL": "http://127.0.0.1:9"}
            done = subprocess.run([PROGRAMS / "junbanctl", "cel", "--cases", file.name], capture_output=True, text=True, env=environment,
                timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout.splitlines()

    def test_conformance_cases_are_run_and_failures_told_by_id(self):
        holds = {"id": "a/b/c", "expr": "x + 1", "bindings": {"x": {"int": "1"}}, "value": {"int": "2"}}
        self.assertEqual(self.cel(json.dumps([holds]), 0), ["1 passed, 0 failed"])
        lines = self.cel(json.dumps([holds, {**holds, "id": "a/b/d", "value": {"int": "3"}}, {**holds, "id": "a/b/e", "expr": "1 +"}]), 1)
        self.assertEqual([line.split(":")[0] for line in lines], ["a/b/d", "a/b/e", "1 passed, 2 failed"])
        self.assertEqual(self.cel("{", 2), [])


if __name__ == "__main__":
    unittest.main()
