"""junbanctl work: how long a command runs, and how it ends."""

import json
import os
import pathlib
import signal
import tempfile
import time
import unittest

from ctlcase import CtlCase, Recorder
from harness import until


def is_there(pid):
    """Whether a process runs; one that only nobody has waited for does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):  # the second: it ended between the opening and the reading
        return False


class Work(CtlCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="junban-work-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def state(self, identity):
        return self.client.ok("GET", f"/v1/jobs/{identity}")["state"]

    def job(self, identity):
        return self.client.ok("GET", f"/v1/jobs/{identity}")

    def push(self, name, **fields):
        return self.client.ok("POST", "/v1/jobs", {"name": name, **fields})["id"]

    def pids(self, name="pids", count=1):
        """The process numbers that a command has written, once they are there."""
        file = self.folder / name
        until(lambda: file.exists() and len(file.read_text().split()) >= count, what=f"{count} process numbers")
        pids = [int(pid) for pid in file.read_text().split()]
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in pids if is_there(pid)])
        return pids

    def gone(self, pids):
        until(lambda: not any(map(is_there, pids)), what="the end of the command's processes")

    def deaf(self, text):
        """A shell command that does not heed SIGTERM, writes its process number, and does this."""
        return f"trap '' TERM; echo $$ >> {self.folder}/pids; {text}"

    def test_what_a_command_said_before_its_timeout_is_kept(self):
        identity = self.push("late", timeout=2)
        self.worker("late", "--exec", "echo reading the file >&2; sleep 60", "--once").wait(60)
        job = self.job(identity)
        self.assertEqual((job["state"], job["reason"]), ("failed", "timeout"))
        self.assertEqual(job["message"], "The command took longer than the job's timeout.\nreading the file")

    def test_a_command_whose_lease_cannot_be_renewed_ends_before_another_attempt(self):
        identity = self.push("alone", timeout=600, max_retry=1)
        self.worker("alone", "--exec", self.deaf(f"sleep 300 & echo $! >> {self.folder}/pids; wait; sleep 300"), "--lease", "3")
        pids = self.pids(count=2)
        self.assertTrue(all(map(is_there, pids)))
        self.master.process.send_signal(signal.SIGSTOP)
        try:
            self.gone(pids)
        finally:
            self.master.process.send_signal(signal.SIGCONT)
        until(lambda: self.job(identity)["attempts"][0].get("ended_at"), what="the end of the first attempt")

    def test_a_worker_that_stands_still_leaves_no_command_beside_another_attempt(self):
        self.push("still", timeout=600)
        worker = self.worker("still", "--exec", self.deaf("sleep 300"), "--lease", "3")
        pids = self.pids()
        worker.send_signal(signal.SIGSTOP)
        try:
            self.gone(pids)
        finally:
            worker.send_signal(signal.SIGCONT)

    def test_a_result_that_is_done_is_reported_also_when_a_cancel_came(self):
        identity = self.push("done", keep_result=True)
        self.worker("done", "--exec", f"trap '' TERM; echo $$ >> {self.folder}/pids; while [ ! -e {self.folder}/go ]; do sleep 0.05; done; echo 7",
                    "--lease", "1", "--grace", "60")
        self.pids()
        self.client.ok("POST", f"/v1/jobs/{identity}/cancel", {})
        until(lambda: any(event["what"] == "cancel_requested" for event in self.job(identity)["history"]), what="the cancel")
        time.sleep(1)  # in which the worker hears of it
        (self.folder / "go").touch()
        until(lambda: self.state(identity) != "running", what="the end")
        self.assertEqual(self.state(identity), "succeeded")
        self.assertEqual(self.ctl("result", identity), "7\n")

    def test_a_command_that_does_not_heed_sigterm_is_killed_after_the_grace_with_all_that_it_started(self):
        identity = self.push("deaf")
        # The shell itself heeds it, what it started does not.
        deaf = f"sh -c \"trap '' TERM; echo \\$\\$ >> {self.folder}/pids; while :; do sleep 0.1; done\""
        self.worker("deaf", "--exec", f"echo $$ >> {self.folder}/pids; {deaf}; true", "--lease", "1", "--grace", "1")
        pids = self.pids(count=2)
        self.client.ok("POST", f"/v1/jobs/{identity}/cancel", {})
        self.gone(pids)
        until(lambda: self.state(identity) == "cancelled", what="cancelled")

    def test_a_command_ends_with_its_worker_however_that_ends(self):
        for number, ends in enumerate(((signal.SIGKILL,), (signal.SIGINT, signal.SIGINT), (signal.SIGHUP,), (signal.SIGTERM, signal.SIGTERM))):
            with self.subTest(ends=ends):
                self.push("kept", timeout=600)
                name = f"pids{number}"
                command = f"trap '' TERM INT HUP; echo $$ >> {self.folder}/{name}; sleep 300 & echo $! >> {self.folder}/{name}; wait; sleep 300"
                worker = self.worker("kept", "--exec", command)
                pids = self.pids(name, 2)
                for how in ends:
                    worker.send_signal(how)
                    time.sleep(0.3)
                self.assertNotEqual(worker.wait(20), 0)
                self.gone(pids)
                self.assertEqual(worker.communicate(timeout=20)[0], "")  # nobody else holds its output

    def test_an_output_that_is_no_result_is_reported_at_once(self):
        outputs = {"numbers": "import json; print(json.dumps([1] * 70000))", "levels": "print('[' * 33 + ']' * 33)",
                   "bytes": "print('x' * 1048576, end='')", "most": "print('x' * 1048571, end='')", "latin": "import sys; sys.stdout.buffer.write(b'caf\\xe9')"}
        for name, code in outputs.items():
            (self.folder / name).write_text(code)
        ids = {name: self.push("print", argument=name, keep_result=True, max_retry=5, timeout=600) for name in outputs}
        worker = self.worker("print", "--exec", f"/usr/bin/python3 {self.folder}/$(tr -d '\"\\n')", "--once")
        self.assertEqual(worker.communicate(timeout=60)[1].count("refused"), 0)
        self.assertEqual({name: (self.state(identity), len(self.job(identity)["attempts"])) for name, identity in ids.items()},
                         {"numbers": ("succeeded", 1), "levels": ("succeeded", 1), "bytes": ("failed", 1), "most": ("succeeded", 1), "latin": ("succeeded", 1)})
        self.assertEqual(json.loads(json.loads(self.ctl("result", ids["numbers"]))), [1] * 70000)
        self.assertEqual(json.loads(self.ctl("result", ids["levels"])).strip(), "[" * 33 + "]" * 33)
        self.assertEqual(len(json.loads(self.ctl("result", ids["most"]))), 1048571)
        self.assertEqual(json.loads(self.ctl("result", ids["latin"])), {"$bin": "Y2Fm6Q=="})
        self.assertIn("more than the 1,048,571 bytes that a result may have", self.job(ids["bytes"])["message"])

    def test_a_refusal_that_stays_ends_the_worker_with_a_reason(self):
        admin = self.folder / "admin"
        admin.write_text(self.ctl("tokens", "create", "--role", "admin"))
        viewer, unknown = self.folder / "viewer", self.folder / "unknown"
        viewer.write_text(self.ctl("tokens", "create", "--role", "viewer", "--token-file", str(admin)))
        unknown.write_text("jt_" + "x" * 40)
        for token, said in ((unknown, "token"), (viewer, "role")):
            for once in ([], ["--once"]):
                worker = self.worker("any", "--exec", "true", "--token-file", str(token), *once)
                told = worker.communicate(timeout=60)[1]
                self.assertEqual(worker.returncode, 1, told)
                self.assertIn(f"claim at {self.url}: ", told)
                self.assertIn(said, told)
        self.assertIn("--lease must be 1 to 86,400 seconds, not '0.5'.", self.said("work", "any", "--exec", "true", "--lease", "0.5", expect=2))

    def test_a_refusal_that_passes_does_not_end_the_worker(self):
        busy = Recorder()
        self.addCleanup(busy.stop)
        claims = lambda: sum(path == "/v1/claims" for _, path, _ in busy.asked)
        busy.reply = lambda path: (200, b"\x81\xa4jobs\x90") if path == "/v1/claims" and claims() > 2 else (503, b"busy")
        worker = self.worker("any", "--exec", "true", "--once", "--url", busy.url)
        told = worker.communicate(timeout=60)[1]
        self.assertEqual((worker.returncode, claims()), (0, 3), told)
        self.assertEqual((told.count("It is asked again."), told.count("answers again")), (1, 1), told)


if __name__ == "__main__":
    unittest.main()
