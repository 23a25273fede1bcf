"""Masters, Redis and workers are killed in mid-work: nothing acknowledged is lost, and everything ends up done."""

import collections
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

from harness import Client, IN_MEMORY, Master, PROGRAMS, success, until
from tier import LONG, end, row

JOBS = 6000 if LONG else 600


class Load:
    """A pusher and workers that repeat a request until it is answered, and remember what was acknowledged. With a `name` there is a row in
    the table."""

    def __init__(self, port, jobs, name=None):
        self.port = port
        self.name = name
        self.jobs = jobs
        self.acknowledged = []
        self.executions = collections.Counter()
        self.accepted = collections.Counter()
        self.lock = threading.Lock()
        self.pushed = threading.Event()

    def push(self):
        client, over = Client(self.port), end()
        for number in range(self.jobs):
            if number >= 200 and time.monotonic() > over:
                self.jobs = number
                break
            job = {"name": "crash", "argument": number, "keep_result": True, "max_retry": 20, "timeout": 20, "idempotency_key": f"k{number}",
                   "backoff": {"base": 0.1, "max": 1}}
            status, answer = client.insist("POST", "/v1/jobs", job)
            assert status in (200, 201), answer
            self.acknowledged.append(answer["id"])
        self.pushed.set()

    def work(self, number):
        client = Client(self.port)
        done = []
        while True:
            body = {"worker": f"w{number}", "outcomes": done, "claim": {"limit": 5, "wait": 1, "lease": 2}}
            _, answer = client.insist("POST", "/v1/outcomes", body)
            with self.lock:
                for report, result in zip(done, answer["results"]):
                    if result.get("state") == "succeeded":
                        self.accepted[report["id"]] += 1
                for job in answer["jobs"]:
                    self.executions[job["id"]] += 1
            done = [success(job, job["argument"]) for job in answer["jobs"]]
            if not done and self.pushed.is_set() and len(self.accepted) >= self.jobs:
                return

    def run(self, disturb):
        if not self.name:
            self.run_threads(disturb)
            return
        with row(self.name, jobs=0, lost="not counted") as told:
            try:
                self.run_threads(disturb)
            finally:
                told.update(jobs=len(self.acknowledged), lost=len(set(self.acknowledged) - set(self.accepted)),
                            duplicates=sum(self.accepted.values()) - len(self.accepted))

    def run_threads(self, disturb):
        threads = [threading.Thread(target=self.push)] + [threading.Thread(target=self.work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.daemon = True
            thread.start()
        disturb()
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive(), f"{len(self.accepted)} of {self.jobs} accepted"


class Crashes(unittest.TestCase):
    def check(self, load, client):
        self.assertEqual(len(set(load.acknowledged)), load.jobs)
        self.assertEqual(set(load.accepted), set(load.acknowledged))
        for number, identity in enumerate(load.acknowledged):
            outcome = client.ok("GET", f"/v1/jobs/{identity}/result")
            self.assertEqual(outcome["result"], number)
            self.assertIsNone(client.ok("GET", f"/v1/jobs/{identity}/result"))
        states = until(lambda: (s := client.overview()["states"])["running"] == 0 and s, what="nothing runs")
        self.assertEqual((states["ready"], states["scheduled"], states["failed"]), (0, 0, 0))

    def test_masters_killed_again_and_again_lose_nothing(self):
        with Master() as master:
            load = Load(master.port, JOBS, "F1 masters killed, insisting clients")

            def disturb():
                for _ in range(5):
                    time.sleep(random.uniform(0.2, 0.8))
                    master.kill()
                    master.start()

            load.run(disturb)
            self.check(load, Client(master.port))

    def test_redis_killed_comes_back_with_what_was_acknowledged(self):
        with Master() as master:
            load = Load(master.port, JOBS // 2)

            def disturb():
                load.pushed.wait(60)
                until(lambda: len(load.accepted) >= load.jobs, 60, "all done")

            load.run(disturb)
            time.sleep(2.5)  # everysec: what is older than two seconds is on the disk
            before = master.redis_pid()
            master.kill_redis()
            after = until(master.redis_pid, what="a new Redis")
            self.assertNotEqual(before, after)
            client = Client(master.port)
            client.insist("POST", "/v1/jobs", {"name": "after"})
            self.assertEqual(client.ok("POST", "/v1/claims", {"worker": "w", "wait": 5})["jobs"][0]["name"], "after")
            with row("F2 Redis killed at the end, insisting clients", jobs=load.jobs, lost="not counted") as told:
                answers = [client.request("GET", f"/v1/jobs/{identity}/result") for identity in load.acknowledged]
                lost = [number for number, (status, answer) in enumerate(answers) if status != 200 or answer["result"] != number]
                told.update(lost=len(lost), duplicates=sum(load.accepted.values()) - len(load.accepted))
            self.assertEqual(lost, [])

    def test_a_killed_workers_job_is_run_again(self):
        worker = (
            "import sys; sys.path.insert(0, sys.argv[1]); from harness import Client; import time\n"
            "c = Client(int(sys.argv[2])); print(c.ok('POST', '/v1/claims', {'worker': 'doomed', 'lease': 1, 'wait': 20})['jobs'][0]['id'], flush=True)\n"
            "time.sleep(60)\n"
        )
        with Master() as master:
            client = Client(master.port)
            job = client.ok("POST", "/v1/jobs", {"name": "a", "keep_result": True, "max_retry": 1, "backoff": {"base": 0}})
            doomed = subprocess.Popen([sys.executable, "-c", worker, os.path.dirname(__file__), str(master.port)], stdout=subprocess.PIPE, text=True)
            self.assertEqual(doomed.stdout.readline().strip(), job["id"])
            doomed.kill()
            doomed.wait()
            again = client.ok("POST", "/v1/claims", {"worker": "other", "wait": 20})["jobs"][0]
            self.assertEqual((again["id"], again["attempt"]), (job["id"], 2))
            client.ok("POST", "/v1/outcomes", {"worker": "other", "outcomes": [success(again, 1)]})
            self.assertEqual(client.ok("GET", f"/v1/jobs/{job['id']}/result")["result"], 1)
            attempts = client.ok("GET", f"/v1/jobs/{job['id']}")["attempts"]
            self.assertEqual([a["ended"] for a in attempts], ["timeout", "success"])

    def test_eight_workers_in_two_languages_finish_everything_though_one_is_killed(self):
        with Master() as master:
            client = Client(master.port)
            jobs = [{"name": "square", "argument": n, "keep_result": True, "max_retry": 3, "backoff": {"base": 0}} for n in range(1000)]
            ids = [r["id"] for r in client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
            python = (
                "import sys; sys.path.insert(0, sys.argv[1]); from harness import Client, success\n"
                "c, done = Client(int(sys.argv[2])), []\n"
                "while True:\n"
                "    jobs = c.ok('POST', '/v1/outcomes', {'worker': sys.argv[3], 'outcomes': done, 'claim': {'wait': 1, 'lease': 1}})['jobs']\n"
                "    done = [success(job, job['argument'] ** 2) for job in jobs]\n"
            )
            environment = {**os.environ, "JUNBAN_URL": f"http://127.0.0.1:{master.port}"}
            shell = [PROGRAMS / "junbanctl", "work", "square", "--lease", "1", "--concurrency", "4", "--exec", "read n; echo $((n * n))"]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
            workers = [subprocess.Popen([sys.executable, "-c", python, os.path.dirname(__file__), str(master.port), f"p{n}"], **quiet)
                       for n in range(4)] + [subprocess.Popen(shell, **quiet) for _ in range(4)]
            try:
                until(lambda: client.overview()["states"]["succeeded"] > 50, what="work under way")
                workers[0].kill()
                workers[7].kill()
                for number, identity in enumerate(ids):
                    self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}/result?wait=60")["result"], number * number)
                    self.assertIsNone(client.ok("GET", f"/v1/jobs/{identity}/result"))
            finally:
                for worker in workers:
                    worker.kill()
                    worker.wait()

    @unittest.skipIf(IN_MEMORY, "one master serves a namespace of the engine in memory")
    def test_two_masters_share_one_redis_and_wake_each_others_waiters(self):
        with Master() as first, Master(directory=first.directory) as second:
            time.sleep(2.5)  # until both have swept, and so know of each other
            claimed = []
            waiting = threading.Thread(
                target=lambda: claimed.extend(Client(second.port).ok("POST", "/v1/claims", {"worker": "w", "wait": 30})["jobs"])
            )
            waiting.start()
            time.sleep(0.3)
            job = Client(first.port).ok("POST", "/v1/jobs", {"name": "a"})
            waiting.join(10)
            self.assertEqual(claimed[0]["id"], job["id"])
            # The master that stops first leaves its Redis running for the other.
            self.assertEqual(first.kill(signal.SIGTERM), 0)
            self.assertEqual(Client(second.port).ok("POST", "/v1/jobs", {"name": "b"})["state"], "ready")


if __name__ == "__main__":
    unittest.main()
