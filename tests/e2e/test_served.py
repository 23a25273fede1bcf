"""Workers that are seen, and workers that serve HTTP and are called: real masters, real HTTP servers that are slow, lie, refuse, are
stopped and killed."""

import datetime
import gzip
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

import msgpack

from harness import MSGPACK, PROGRAMS, Client, Master, in_own_network, until
from test_transport import Certificates, ctl
from test_transport import Served as MasterServed

SECRET = "a secret of twenty bytes"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "examples"


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


class Served:
    """A worker written from openapi/worker.yaml: an HTTP server in this process. `answer` gets the job and says status and body."""

    def __init__(self, answer=None, port=0, secret=None, health=None, fields=None, address="127.0.0.1"):
        self.answer = answer or (lambda job: (200, {"type": "success", "finished_at": now(), "result": job["argument"]}))
        self.secret = secret
        self.lock = threading.Lock()
        self.runs, self.cancels, self.healths, self.unsigned = [], [], 0, 0
        self.now, self.most = 0, 0
        self.asked = set() # content codings
        worker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                worker.healths += 1
                self.say((health() if health else 200) if self.path.endswith("/v1/health") else 404, {"status": "ok"})

            def do_POST(self):
                worker.asked.add(self.headers["Accept-Encoding"])
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if worker.secret and not self.is_signed(body):
                    worker.unsigned += 1
                    return self.say(401, {})
                if self.path.endswith("/cancel"):
                    worker.cancels.append(self.path.split("/")[-2])
                    return self.say(200, {})
                job = json.loads(body)
                with worker.lock:
                    worker.runs.append((job["id"], job["lease"]))
                    worker.now += 1
                    worker.most = max(worker.most, worker.now)
                try:
                    status, answer = worker.answer(job)
                finally:
                    with worker.lock:
                        worker.now -= 1
                self.say(status, answer)

            def is_signed(self, body):
                text = f"{self.command}\n{self.path}\n{self.headers['Junban-Time']}\n".encode() + body
                code = hmac.new(worker.secret.encode(), text, hashlib.sha256).hexdigest()
                return hmac.compare_digest(code, self.headers.get("Junban-Signature", ""))

            def say(self, status, answer):
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                for name, value in (fields or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256
            allow_reuse_address = True

            def handle_error(self, *_):
                pass

        self.server = Server((address, port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def answers(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/health", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Case(unittest.TestCase):
    """The tests of a class share a master. Each has jobs with a name of its own, and workers that it deletes."""
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.master = cls.enterClassContext(Master(arguments=cls.arguments))

    def setUp(self):
        self.client = Client(self.master.port)
        self.jobs = self.id().rsplit(".", 1)[-1][:100]
        self.own = "of-" + self.jobs # what was heard of a worker may be written after it was deleted
        self.registered = []
        self.addCleanup(self.forget)

    def forget(self):
        for worker in self.registered:
            self.client.request("DELETE", f"/v1/workers/{worker}")

    def served(self, answer=None, **more):
        worker = Served(answer, **more)
        self.addCleanup(worker.close)
        return worker

    def register(self, worker, name=None, slots=2, client=None, **more):
        name = name or self.own
        port = worker if isinstance(worker, int) else worker.port
        body = {"url": f"http://127.0.0.1:{port}", "slots": slots, "encoding": "json", "names": [self.jobs], **more}
        self.registered.append(name)
        return (client or self.client).ok("PUT", f"/v1/workers/{name}", body)

    def push(self, count=1, **fields):
        jobs = [{"name": self.jobs, "argument": n, **fields} for n in range(count)]
        return [result["id"] for result in self.client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]

    def state(self, job):
        return self.client.ok("GET", f"/v1/jobs/{job}")["state"]

    def ended(self, jobs, state="succeeded", seconds=60):
        until(lambda: all(self.state(job) == state for job in jobs), seconds, f"all jobs {state}")

    def row(self, name):
        rows = self.client.ok("GET", "/v1/workers")["workers"]
        return next((row for row in rows if row["worker"] == name), None)


class Seen(Case):
    """Workers that ask for jobs."""

    def test_a_worker_is_listed_with_what_it_says_and_what_it_does(self):
        jobs = self.push(3, max_retry=0)
        claim = {"worker": "puller", "names": [self.jobs], "limit": 3, "labels": ["region=eu"], "version": "2.4.1"}
        claimed = self.client.ok("POST", "/v1/claims", claim)["jobs"]
        row = until(lambda: self.row("puller"), what="the worker in the list")
        self.assertEqual((row["kind"], row["state"], row["names"], row["labels"], row["version"]),
                         ("pull", "up", [self.jobs], ["region=eu"], "2.4.1"))
        self.assertEqual((row["running"], sorted(row["jobs"])), (3, sorted(jobs)))
        good, bad = ({"type": "success", "result": None}, {"type": "failure", "reason": "other", "should_retry": False})
        self.client.ok("POST", "/v1/outcomes", {"worker": "puller", "outcomes": [
            {"id": job["id"], "lease": job["lease"], "finished_at": now(), **end} for job, end in zip(claimed[:2], (good, bad))]})
        self.client.ok("POST", f"/v1/jobs/{claimed[2]['id']}/outcome", {"lease": claimed[2]["lease"], "finished_at": now(), **good})
        row = until(lambda: (row := self.row("puller")) and row["succeeded"] == 2 and row, what="the counts")
        self.assertEqual((row["succeeded"], row["failed"], row["running"]), (2, 1, 0))
        self.assertGreaterEqual(row["p95"], row["p50"])

    def test_the_same_report_again_is_counted_once(self):
        self.push()
        job, = self.client.ok("POST", "/v1/claims", {"worker": "repeating", "names": [self.jobs]})["jobs"]
        for _ in range(3):
            self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome",
                           {"lease": job["lease"], "type": "success", "finished_at": now(), "result": 1})
        row = until(lambda: (row := self.row("repeating")) and row["succeeded"] and row, what="the count")
        self.assertEqual(row["succeeded"], 1)

    def test_a_draining_worker_gets_nothing_until_it_is_resumed(self):
        self.client.ok("POST", "/v1/claims", {"worker": "draining", "names": [self.jobs]})
        until(lambda: self.row("draining"), what="the worker in the list")
        self.client.ok("POST", "/v1/workers/draining/drain")
        self.push()
        self.assertEqual(self.row("draining")["state"], "draining")
        self.assertEqual(self.client.ok("POST", "/v1/claims", {"worker": "draining", "names": [self.jobs]})["jobs"], [])
        self.assertEqual(self.client.ok("POST", "/v1/outcomes", {"worker": "draining", "outcomes": [], "claim": {"names": [self.jobs]}})["jobs"], [])
        self.client.ok("POST", "/v1/workers/draining/resume")
        self.assertEqual(len(self.client.ok("POST", "/v1/claims", {"worker": "draining", "names": [self.jobs]})["jobs"]), 1)

    def open_poll(self, path, body, master=None):
        """Sends a request, and returns the list that its answer, or error, comes into."""
        connection, answers = http.client.HTTPConnection("127.0.0.1", (master or self.master).port, timeout=90), []
        connection.request("POST", path, msgpack.packb(body), {"Accept": MSGPACK, "Content-Type": MSGPACK})

        def wait():
            try:
                answer = connection.getresponse()
                answers.append((answer.status, msgpack.unpackb(answer.read(), strict_map_key=False)))
            except (OSError, http.client.HTTPException) as fault:
                answers.append(fault)
            connection.close()

        thread = threading.Thread(target=wait)
        thread.start()
        self.addCleanup(thread.join)
        return answers

    def test_a_poll_that_was_open_when_its_worker_was_drained_gets_no_job_and_is_answered_by_resume(self):
        claim = {"names": [self.jobs], "wait": 60}
        opened = self.open_poll("/v1/claims", {"worker": "polling", **claim})
        until(lambda: self.row("polling"), what="the worker in the list")
        self.client.ok("POST", "/v1/workers/polling/drain")
        job, = self.push()
        reporting = self.open_poll("/v1/outcomes", {"worker": "polling", "outcomes": [], "claim": claim})
        claimed, = self.client.ok("POST", "/v1/claims", {"worker": "other", **claim})["jobs"]
        self.assertEqual((claimed["id"], opened, reporting), (job, [], []))
        self.client.ok("POST", "/v1/workers/polling/resume")
        for answers in (opened, reporting):
            status, answer = until(lambda: answers, 30, "the answer")[0]
            self.assertEqual((status, answer["jobs"]), (200, []))

    def test_a_draining_worker_is_told_at_once_what_became_of_its_reports(self):
        self.push()
        job, = self.client.ok("POST", "/v1/claims", {"worker": "ending", "names": [self.jobs]})["jobs"]
        until(lambda: self.row("ending"), what="the worker in the list")
        self.client.ok("POST", "/v1/workers/ending/drain")
        report = {"id": job["id"], "lease": job["lease"], "type": "success", "finished_at": now(), "result": 1}
        answers = self.open_poll("/v1/outcomes", {"worker": "ending", "outcomes": [report], "claim": {"names": [self.jobs], "wait": 60}})
        status, answer = until(lambda: answers, 30, "the answer")[0]
        self.assertEqual((status, answer), (200, {"results": [{"state": "succeeded"}], "jobs": []}))

    def test_a_master_that_stops_answers_the_polls_of_draining_workers(self):
        with Master() as master:
            client = Client(master.port)
            self.addCleanup(client.close)

            def contacts():
                return {row["worker"]: row["last_contact"] for row in client.ok("GET", "/v1/workers")["workers"]}

            for name in ("claiming", "reporting"):
                client.ok("POST", "/v1/claims", {"worker": name})
                until(lambda: name in contacts(), what="the worker in the list")
                client.ok("POST", f"/v1/workers/{name}/drain")
            before = contacts()
            polls = [self.open_poll("/v1/claims", {"worker": "claiming", "wait": 60}, master),
                     self.open_poll("/v1/outcomes", {"worker": "reporting", "outcomes": [], "claim": {"wait": 60}}, master)]
            until(lambda: all(at > before[name] for name, at in contacts().items()), what="both have asked")
            self.assertEqual(master.kill(signal.SIGTERM), 0)
            for answers in polls:
                status, answer = until(lambda: answers, 30, "the answer")[0]
                self.assertEqual((status, answer["jobs"]), (200, []))

    def test_a_worker_that_is_not_there_cannot_be_steered(self):
        for verb in ("drain", "resume"):
            status, answer = self.client.request("POST", f"/v1/workers/nobody/{verb}")
            self.assertEqual((status, answer["code"]), (404, "not_found"))
        self.assertEqual(self.client.request("DELETE", "/v1/workers/nobody")[0], 404)


class Called(Case):
    """Workers that serve HTTP."""

    def test_a_registered_worker_runs_jobs_and_its_answer_is_the_outcome(self):
        worker = self.served(secret=SECRET)
        self.register(worker, secret=SECRET)
        jobs = self.push(20, keep_result=True)
        self.ended(jobs)
        for n, job in enumerate(jobs):
            self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}/result")["result"], n)
        self.assertEqual((len(worker.runs), worker.unsigned), (20, 0))
        self.assertLessEqual(worker.most, 2)
        row = until(lambda: (row := self.row(self.own))["succeeded"] == 20 and row, what="the counts")
        self.assertEqual((row["kind"], row["state"], row["slots"], row["signed"]), ("served", "up", 2, True))
        self.assertNotIn("secret", row)

    def test_a_job_reaches_a_waiting_worker_without_a_polling_delay(self):
        """The time from a push to its run, beside that of a worker that asks. It is printed; only a look once a second would fail."""
        ran = []

        def answer(_):
            ran.append(time.monotonic())
            return 200, {"type": "success", "finished_at": now(), "result": None}

        worker = self.served(answer)
        self.register(worker)
        self.ended(self.push())
        called = self.pushes(ran)
        self.client.ok("DELETE", f"/v1/workers/{self.own}")
        stop = threading.Event()

        def ask():
            client, outcomes = Client(self.master.port), []
            while not stop.is_set():
                claim = {"worker": "puller", "outcomes": outcomes, "claim": {"names": [self.jobs], "wait": 1}}
                jobs = client.ok("POST", "/v1/outcomes", claim)["jobs"]
                ran.extend(time.monotonic() for _ in jobs)
                outcomes = [{"id": job["id"], "lease": job["lease"], "type": "success", "finished_at": now(), "result": None} for job in jobs]

        asking = threading.Thread(target=ask)
        asking.start()
        self.ended(self.push())
        asked = self.pushes(ran)
        stop.set()
        asking.join()
        print(f"\npush to run: {called * 1000:.2f} ms (median) where the worker is called, {asked * 1000:.2f} ms where it asks")
        self.assertLess(max(called, asked), 0.5)

    def pushes(self, ran, count=60):
        """The median time from a push to its run."""
        took = []
        for _ in range(count):
            before, begin = len(ran), time.monotonic()
            self.client.ok("POST", "/v1/jobs", {"name": self.jobs})
            while len(ran) == before:
                time.sleep(0.0005)
            took.append(ran[-1] - begin)
            time.sleep(0.01) # it waits again
        return sorted(took)[count // 2]

    def test_garbage_and_errors_are_failures_that_are_tried_again(self):
        answers = [(200, b"\xff\xff no outcome"), (200, {"type": "success"}), (500, {}), None]

        def answer(job):
            given = answers.pop(0) if len(answers) > 1 else None
            return given or (200, {"type": "success", "finished_at": now(), "result": None})

        worker = self.served(answer)
        self.register(worker, slots=1)
        job, = self.push(max_retry=5, backoff={"base": 0.1, "max": 0.1})
        self.ended([job])
        shown = self.client.ok("GET", f"/v1/jobs/{job}")
        self.assertEqual((shown["attempt"], shown["failures"], len(worker.runs)), (4, 3, 4))
        self.assertEqual(self.row(self.own)["failed"], 3)

    def test_an_encoded_answer_is_a_failure_that_says_so_and_is_not_expanded(self):
        bomb = gzip.compress(bytes(1 << 26))
        worker = self.served(lambda job: (200, bomb), fields={"Content-Encoding": "gzip"})
        self.register(worker, slots=1)
        job, = self.push(max_retry=0)
        until(lambda: self.client.ok("GET", f"/v1/jobs/{job}")["state"] == "failed", what="the failure")
        shown = self.client.ok("GET", f"/v1/jobs/{job}")
        self.assertIn("Content-Encoding: gzip", shown["message"])
        self.assertEqual(worker.asked, {"identity"})

    def test_busy_answers_and_dead_addresses_are_no_failures(self):
        port = free_port()
        self.register(port)
        job, = self.push(max_retry=0)
        row = until(lambda: (row := self.row(self.own)).get("trouble") and row, what="the trouble")
        self.assertIn("refused", row["trouble"])
        until(lambda: self.row(self.own)["state"] == "unreachable", what="shown as unreachable")
        self.assertIn(self.state(job), ("ready", "running"))
        answers = [(429, {}), (503, {})]
        worker = self.served(lambda given: answers.pop(0) if answers else
                             (200, {"type": "success", "finished_at": now(), "result": None}), port=port)
        self.ended([job])
        self.assertEqual(len(worker.runs), 3)
        until(lambda: self.row(self.own)["state"] == "up", what="shown as up again")
        shown = self.client.ok("GET", f"/v1/jobs/{job}")
        self.assertEqual((shown.get("failures", 0), [each["ended"] for each in shown["attempts"]]), (0, ["success"])) # nor releases
        self.assertGreater(worker.healths, 0)

    def test_an_answer_of_health_that_was_asked_before_does_not_end_a_rest(self):
        refused = []

        def answer(_):
            refused.append(time.monotonic())
            return 429, {}

        def health():
            if not refused:
                self.push() # and the worker is asked how it is, meanwhile
                until(lambda: refused, what="the refusal")
                time.sleep(0.3)
            return 200

        worker = self.served(answer, health=health, fields={"Retry-After": "5"})
        self.register(worker)
        until(lambda: refused, what="the refusal")
        time.sleep(3)
        self.assertEqual(len(refused), 1)

    def test_an_accepted_job_keeps_its_slot_until_it_is_reported(self):
        held = []

        def answer(job):
            held.append(job)
            return 202, {}

        worker = self.served(answer)
        self.register(worker, slots=2)
        jobs = self.push(5)
        until(lambda: len(held) == 2, what="two accepted jobs")
        time.sleep(0.7)
        self.assertEqual(len(held), 2)
        for n in range(5):
            until(lambda: len(held) > n, what="the next job")
            self.client.ok("POST", f"/v1/jobs/{held[n]['id']}/outcome",
                           {"lease": held[n]["lease"], "type": "success", "finished_at": now(), "result": None})
        self.ended(jobs)
        self.assertEqual(len(worker.runs), 5)

    def test_a_connection_that_breaks_leaves_the_job_to_its_lease(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        runs = []

        def accept():
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                request = peer.recv(65536)
                if request.startswith(b"POST /v1/run"):
                    runs.append(time.monotonic())
                peer.close()

        threading.Thread(target=accept, daemon=True).start()
        self.register(listener.getsockname()[1], slots=1)
        job, = self.push(timeout=1, max_retry=0)
        self.ended([job], "failed")
        self.assertEqual(len(runs), 1)
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}")["outcome"]["reason"], "timeout")

    def test_a_cancel_is_forwarded(self):
        go_on = threading.Event()
        self.addCleanup(go_on.set)

        def answer(_):
            go_on.wait(30)
            return 200, {"type": "failure", "finished_at": now(), "reason": "other", "should_retry": True}

        worker = self.served(answer)
        self.register(worker)
        job, = self.push()
        until(lambda: worker.runs, what="the run")
        self.client.ok("POST", f"/v1/jobs/{job}/cancel", {})
        until(lambda: worker.cancels == [job], what="the cancel at the worker")
        go_on.set()
        self.ended([job], "cancelled")

    def test_a_late_answer_does_not_count_for_the_attempt_after_it(self):
        again = threading.Event()

        def answer(job):
            late = job["attempt"] == 1
            if late:
                again.wait(30)
            else:
                again.set()
                time.sleep(0.3) # the late answers come first
            return 200, {"type": "success", "finished_at": now(), "result": "late" if late else "in time"}

        worker = self.served(answer)
        self.register(worker, slots=16, lease=1)
        jobs = self.push(6, keep_result=True, max_retry=5, backoff={"base": 0.01, "max": 0.01})
        until(lambda: len(worker.runs) == 6, what="the first attempts")
        self.master.process.send_signal(signal.SIGSTOP)
        time.sleep(1.2) # beyond the leases
        self.master.process.send_signal(signal.SIGCONT)
        self.ended(jobs)
        for job in jobs:
            self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}/result")["result"], "in time")

    def test_a_drained_worker_gets_nothing_and_a_deleted_one_neither(self):
        worker = self.served()
        self.register(worker)
        self.ended(self.push())
        self.client.ok("POST", f"/v1/workers/{self.own}/drain")
        job, = self.push()
        time.sleep(1.2) # a look once a second would find it
        self.assertEqual((self.state(job), self.row(self.own)["state"]), ("ready", "draining"))
        self.client.ok("POST", f"/v1/workers/{self.own}/resume")
        self.ended([job])
        self.client.ok("DELETE", f"/v1/workers/{self.own}")
        job, = self.push()
        time.sleep(1.2)
        self.assertEqual(self.state(job), "ready")
        self.assertEqual(len(worker.runs), 2)

    def test_a_full_worker_does_not_keep_jobs_from_one_that_asks(self):
        go_on = threading.Event()
        self.addCleanup(go_on.set)

        def answer(_):
            go_on.wait(30)
            return 200, {"type": "success", "finished_at": now(), "result": None}

        worker = self.served(answer)
        self.register(worker, slots=1)
        self.push()
        until(lambda: worker.runs, what="the run")
        answers = []
        asking = threading.Thread(target=lambda: answers.append(
            Client(self.master.port).ok("POST", "/v1/claims", {"worker": "puller", "names": [self.jobs], "wait": 20})["jobs"]))
        asking.start()
        time.sleep(0.3)
        begin = time.monotonic()
        self.push()
        asking.join(30)
        self.assertEqual(len(answers[0]), 1)
        self.assertLess(time.monotonic() - begin, 5)


class Refused(Case):
    """What is not called."""

    def test_addresses_beyond_this_machine_are_not_called(self):
        listener = socket.create_server(("0.0.0.0", 0))
        self.addCleanup(listener.close)
        listener.settimeout(0.2)
        urls = ["http://169.254.169.254/latest", "http://[::ffff:169.254.169.254]/", "http://192.0.2.1:80/", "http://0.0.0.0:%d/",
                "http://[fe80::1]/", "http://[fd00:ec2::254]/"]
        for n, url in enumerate(urls):
            url = url.replace("%d", str(listener.getsockname()[1]))
            self.client.ok("PUT", f"/v1/workers/w{n}", {"url": url, "slots": 1, "names": [self.jobs]})
            self.registered.append(f"w{n}")
        self.push()
        for n in range(len(urls)):
            row = until(lambda: (row := self.row(f"w{n}")).get("trouble") and row, what=f"the trouble with {urls[n]}")
            self.assertIn("may not call", row["trouble"])
        with self.assertRaises(TimeoutError):
            listener.accept()

    def test_a_worker_whose_token_is_revoked_is_not_called_any_more(self):
        with Master() as master:
            client = Client(master.port)
            self.addCleanup(client.close)

            def ask(method, path, body=None, by=None):
                status, answer = client.request(method, path, body, fields={"Authorization": f"Bearer {by}"} if by else None)
                self.assertLess(status, 300, answer)
                return answer

            admin = ask("POST", "/v1/tokens", {"roles": ["admin", "operator", "pusher"]})["token"]
            token = ask("POST", "/v1/tokens", {"roles": ["worker"]}, admin)
            worker = self.served()
            body = {"url": f"http://127.0.0.1:{worker.port}", "slots": 1, "encoding": "json", "names": [self.jobs]}
            ask("PUT", f"/v1/workers/{self.own}", body, token["token"])
            first = ask("POST", "/v1/jobs", {"name": self.jobs}, admin)["id"]
            until(lambda: ask("GET", f"/v1/jobs/{first}", by=admin)["state"] == "succeeded", what="the first job's end")
            ask("DELETE", f"/v1/tokens/{token['id']}", by=admin)
            second = ask("POST", "/v1/jobs", {"name": self.jobs}, admin)["id"]
            until(lambda: "revoked" in ask("GET", "/v1/workers", by=admin)["workers"][0].get("trouble", ""), what="the trouble")
            healths = worker.healths
            time.sleep(2) # it would be asked how it is within the first
            self.assertEqual((worker.healths, len(worker.runs)), (healths, 1))
            self.assertEqual(ask("GET", f"/v1/jobs/{second}", by=admin)["state"], "ready")

    def test_redirects_are_not_followed(self):
        other = self.served()

        class Redirecting(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(307)
                self.send_header("Location", f"http://127.0.0.1:{other.port}/v1/run")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirecting)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.register(server.server_address[1])
        job, = self.push()
        row = until(lambda: (row := self.row(self.own)).get("trouble") and row, what="the trouble")
        self.assertIn("307", row["trouble"])
        self.assertEqual(other.runs, [])
        self.assertNotEqual(self.state(job), "succeeded")

    def test_a_registration_that_makes_no_sense_is_refused_with_its_field(self):
        good = {"url": "http://127.0.0.1:1", "slots": 1}
        for field, value in (("url", "ftp://127.0.0.1"), ("url", "http://user:word@127.0.0.1"), ("url", "http://"), ("slots", 0),
                             ("slots", 257), ("names", []), ("secret", "short"), ("encoding", "xml"), ("more", 1)):
            status, answer = self.client.request("PUT", "/v1/workers/w", {**good, field: value})
            self.assertEqual((status, answer["field"]), (400, field), value)


def pulling(directory):
    """(name, command) of the workers in docs/examples that ask for jobs."""
    built = os.path.join(directory, "pull-go")  # `go run` does not hand the signal on
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
    subprocess.run(["go", "build", "-o", built, "pull.go"], cwd=EXAMPLES, env=environment, check=True, timeout=300)
    return [("pull.py", ["python3", "-B", "pull.py"]), ("pull.mjs", ["node", "pull.mjs"]), ("pull.go", [built]),
            ("pull.php", ["php", "pull.php"]), ("pull.cpp", [str(PROGRAMS / "example_pull")])]


class Samples(Case):
    """The workers of docs/examples."""

    def test_each_runs_jobs_and_refuses_what_is_not_signed(self):
        samples = [("served.py", ["python3", "-B", "served.py", "PORT"]), ("served.mjs", ["node", "served.mjs", "PORT"]),
                   ("served.go", ["go", "run", "served.go", "PORT"]), ("served.php", ["php", "-S", "127.0.0.1:PORT", "served.php"]),
                   ("served.cpp", [str(PROGRAMS / "example_served"), "PORT"])]
        for _, command in samples:
            self.assertIsNotNone(shutil.which(command[0]), f"{command[0]} is needed (scripts/deps)")
        ports = [self.begin_sample(command) for _, command in samples] # some are compiled first: all at once
        for (name, _), port in zip(samples, ports):
            with self.subTest(sample=name):
                self.try_sample(name, port)

    def begin_sample(self, command):
        port = free_port()
        environment = {**os.environ, "JUNBAN_SECRET": SECRET, "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
        process = subprocess.Popen([word.replace("PORT", str(port)) for word in command], cwd=EXAMPLES, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        return port

    def try_sample(self, name, port):
        until(lambda: answers(port), 120, f"{name} serving")
        status, _ = self.client.request("PUT", f"/v1/workers/{name}", {
            "url": f"http://127.0.0.1:{port}", "slots": 2, "encoding": "json", "secret": SECRET, "names": [name]})
        self.assertEqual(status, 200)
        jobs = [self.client.ok("POST", "/v1/jobs", {"name": name, "argument": argument, "keep_result": True, "max_retry": 0})["id"]
                for argument in ({"pages": 4}, {"sheets": 4})]
        self.ended(jobs[:1])
        self.ended(jobs[1:], "failed")
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{jobs[0]}/result")["result"], {"pages": 8})
        forged = urllib.request.Request(f"http://127.0.0.1:{port}/v1/run", b"{}", {"Content-Type": "application/json"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(forged, timeout=10)
        self.assertEqual(refused.exception.code, 401)
        self.client.ok("DELETE", f"/v1/workers/{name}")

    def test_each_asks_for_jobs_reports_them_and_ends_when_it_is_told(self):
        url = f"http://127.0.0.1:{self.master.port}"
        samples = pulling(self.master.directory)
        processes = {}
        for name, command in samples:
            processes[name] = subprocess.Popen([*command, url, name], cwd=EXAMPLES, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.addCleanup(processes[name].stderr.close)
            self.addCleanup(processes[name].wait)
            self.addCleanup(processes[name].kill)
        for name, process in processes.items():
            with self.subTest(sample=name):
                good, bad = [self.client.ok("POST", "/v1/jobs", {"name": name, "argument": argument, "keep_result": True, "max_retry": 0})["id"]
                             for argument in ({"pages": 4}, {"sheets": 4})]
                self.ended([good])
                self.ended([bad], "failed")
                self.assertEqual(self.client.ok("GET", f"/v1/jobs/{good}/result")["result"], {"pages": 8})
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
        for name, process in processes.items(): # the claim under way ends within its 5 s
            self.assertEqual((process.wait(30), process.stderr.read()), (0, b""), name)


class SamplesElsewhere(MasterServed):
    """The workers of docs/examples that ask for jobs, as on another machine: with TLS and a token."""

    def test_each_takes_its_token_from_a_file_and_says_that_a_certificate_is_not_believed(self):
        made = Certificates(self.directory)
        made.authority("ca")
        made.signed("server", "ca", "subjectAltName=IP:127.0.0.1\n")
        _, url = self.serving("--listen", "127.0.0.1:0", "--tls-certificate", made.path("server.pem"), "--tls-key", made.path("server.key"))
        asked = {"JUNBAN_URL": url, "JUNBAN_CA": made.path("ca.pem")}
        admin = {**asked, "JUNBAN_TOKEN": ctl("tokens", "create", "--role", "admin", "--role", "operator", **asked)[0].strip()}
        tokens = pathlib.Path(self.directory, "worker.token")
        tokens.write_text(ctl("tokens", "create", "--role", "worker", **admin)[0])
        for name, command in pulling(self.directory):
            with self.subTest(sample=name):
                job = ctl("push", name, "--arg", '{"pages": 4}', **admin)[0].strip()
                stranger = self.begin(command, url, name, JUNBAN_TOKEN_FILE=tokens)
                said = stranger.stderr.readline()
                while "certificate" not in said.lower():
                    self.assertTrue(said, "it ended without a word of the certificate")
                    said = stranger.stderr.readline()
                self.assertEqual(json.loads(ctl("job", job, "--json", **admin)[0])["state"], "ready")
                # Its own variable alone: the others' libraries may read it, too.
                variable = {"pull.mjs": "NODE_EXTRA_CA_CERTS", "pull.go": "SSL_CERT_FILE"}.get(name, "JUNBAN_CA")
                self.begin(command, url, name, JUNBAN_TOKEN_FILE=tokens, **{variable: made.path("ca.pem")})
                until(lambda: json.loads(ctl("job", job, "--json", **admin)[0])["state"] == "succeeded", what=f"{name} has run its job")

    def begin(self, command, *words, **environment):
        process = subprocess.Popen([*command, *words], cwd=EXAMPLES, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process


class Secure(Case):
    """Workers that serve https: `--worker-ca` says whose certificates are believed."""

    @classmethod
    def setUpClass(cls):
        directory = tempfile.mkdtemp(prefix="junban-e2e-")
        cls.addClassCleanup(shutil.rmtree, directory, ignore_errors=True)
        cls.made = Certificates(directory)
        for authority in ("workers", "strangers"):
            cls.made.authority(authority)
        cls.made.signed("good", "workers", "subjectAltName=IP:127.0.0.1\n")
        cls.made.signed("elsewhere", "workers", "subjectAltName=DNS:other.example\n")
        cls.made.signed("forged", "strangers", "subjectAltName=IP:127.0.0.1\n")
        cls.arguments = ("--worker-ca", cls.made.path("workers.pem"))
        super().setUpClass()

    def serve(self, certificate, **more):
        worker = self.served(**more)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.made.path(certificate + ".pem"), self.made.path(certificate + ".key"))
        worker.server.socket = context.wrap_socket(worker.server.socket, server_side=True, do_handshake_on_connect=False)
        return worker

    def test_a_worker_whose_certificate_is_the_authoritys_runs_jobs(self):
        worker = self.serve("good", secret=SECRET)
        self.register(worker, secret=SECRET, url=f"https://127.0.0.1:{worker.port}")
        self.ended(self.push(8))
        self.assertEqual((len(worker.runs), worker.unsigned), (8, 0))
        self.assertLessEqual(worker.most, 2)

    def test_another_certificate_is_not_believed_and_nothing_is_sent(self):
        workers = {name: self.serve(name) for name in ("elsewhere", "forged")}
        for name, worker in workers.items():
            self.register(worker, name, url=f"https://127.0.0.1:{worker.port}")
        job, = self.push(max_retry=0)
        for name in workers:
            row = until(lambda: (row := self.row(name)) and row.get("trouble") and row, what="the trouble")
            self.assertRegex(row["trouble"], "certificate|host name")
        self.assertEqual([worker.runs for worker in workers.values()], [[], []])
        good = self.serve("good")
        self.register(good, "good", url=f"https://127.0.0.1:{good.port}")
        self.ended([job])
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}").get("failures", 0), 0)

    def test_without_the_option_the_machines_authorities_are_believed(self):
        worker = self.serve("good")
        with Master() as master:
            client = Client(master.port)
            self.register(worker, client=client, url=f"https://127.0.0.1:{worker.port}")
            client.ok("POST", "/v1/jobs", {"name": self.jobs})
            row = until(lambda: (rows := client.ok("GET", "/v1/workers")["workers"]) and rows[0].get("trouble"), what="the trouble")
            self.assertIn("certificate", row)
        self.assertEqual(worker.runs, [])


class Together(Case):
    """Two masters of one Redis with two threads each, a served worker, workers that ask, and everything that goes wrong."""
    arguments = ("--threads", "2")

    def test_slots_hold_over_all_masters(self):
        redis = self.master.directory
        other = self.enterContext(Master(arguments=["--threads", "2", "--redis", f"unix://{redis}/redis.sock"]))
        worker = self.served(lambda job: (time.sleep(0.02), (200, {"type": "success", "finished_at": now(), "result": None}))[1])
        self.register(worker, slots=3)
        clients = [self.client, Client(other.port)]
        ids = []
        for n in range(10):
            jobs = [{"name": self.jobs, "argument": n} for _ in range(20)]
            ids += [result["id"] for result in clients[n % 2].ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
        self.ended(ids, seconds=120)
        self.assertEqual(worker.most, 3)
        self.assertEqual(sorted(job for job, _ in worker.runs), sorted(ids)) # each once


    def test_nothing_is_lost_when_workers_are_killed_and_stopped_beside_one_that_asks(self):
        port = free_port()
        log = pathlib.Path(self.master.directory, "runs")
        ids = []
        process = self.start_serving(port, log)
        self.register(port, slots=4, lease=1)
        stop = threading.Event()
        asking = threading.Thread(target=self.ask, args=(stop,))
        asking.start()
        try:
            for n in range(4):
                jobs = [{"name": self.jobs, "argument": n, "max_retry": 100, "backoff": {"base": 0.1, "max": 0.1}} for _ in range(40)]
                ids += [result["id"] for result in self.client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
                time.sleep(0.3)
                if n % 2:
                    process.kill()
                    process.wait()
                    process = self.start_serving(port, log)
                else:
                    process.send_signal(signal.SIGSTOP)
                    time.sleep(1.5) # beyond the lease
                    process.send_signal(signal.SIGCONT)
            self.ended(ids, seconds=120)
        finally:
            stop.set()
            asking.join()
        runs = log.read_text().split()
        self.assertGreater(len(runs), 10) # the asking one takes the more, the slower the machine is
        self.assertEqual(len(runs), len(set(runs))) # no attempt was sent twice
        row = self.row(self.own)
        self.assertGreater(row["succeeded"], 0)

    def ask(self, stop):
        client = Client(self.master.port)
        outcomes = []
        while not stop.is_set():
            answer = client.ok("POST", "/v1/outcomes", {"worker": "puller", "outcomes": outcomes, "claim": {"names": [self.jobs], "wait": 0.2}})
            time.sleep(0.02 * len(answer["jobs"]))
            outcomes = [{"id": job["id"], "lease": job["lease"], "type": "success", "finished_at": now(), "result": None}
                        for job in answer["jobs"]]
        client.ok("POST", "/v1/outcomes", {"worker": "puller", "outcomes": outcomes})

    def start_serving(self, port, log):
        here = str(pathlib.Path(__file__).parent)
        process = subprocess.Popen([sys.executable, "-B", "-c", f"import sys; sys.path.insert(0, {here!r}); import test_served;"
                                    f" test_served.serve({port}, {str(log)!r})"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until(lambda: answers(port), what="the worker serving")
        return process


def serve(port, log):
    """A worker in a process of its own, which writes each attempt down before it runs it."""
    def answer(job):
        with open(log, "a", encoding="utf-8") as runs:
            runs.write(f"{job['id']}/{job['lease']}\n")
        time.sleep(0.05)
        return 200, {"type": "success", "finished_at": now(), "result": None}

    Served(answer, port=port)
    threading.Event().wait()


class Names(unittest.TestCase):
    def test_in_a_network_where_a_name_has_several_addresses(self):
        with tempfile.NamedTemporaryFile("w", suffix=".hosts") as hosts:
            hosts.write("127.0.0.1 localhost\n" + "".join(f"127.0.0.{n} {Addresses.HOST}\n" for n in (2, 3, 4)))
            hosts.flush()
            done = in_own_network(f"mount --bind {hosts.name} /etc/hosts; exec {sys.executable} -B {__file__} Addresses", "--mount")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Ran 2 tests", done.stderr)


class Addresses(Case):
    """Run by the test above."""

    HOST = "worker.example"

    def silent(self, address, port):
        """A socket that answers no SYN: its queue is full."""
        listener = socket.socket()
        listener.bind((address, port))
        listener.listen(0)
        self.addCleanup(listener.close)
        for _ in range(8):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex((address, listener.getsockname()[1]))
            self.addCleanup(filler.close)
        time.sleep(0.2)
        probe = socket.socket()
        probe.settimeout(1)
        self.addCleanup(probe.close)
        with self.assertRaises(TimeoutError):
            probe.connect((address, listener.getsockname()[1]))
        return listener.getsockname()[1]

    def addresses(self):
        """In the order in which this machine gives them."""
        found = socket.getaddrinfo(self.HOST, None, proto=socket.IPPROTO_TCP)
        return list(dict.fromkeys(entry[4][0] for entry in found))

    def test_a_silent_address_does_not_keep_a_worker_from_its_jobs(self):
        first, second, third = self.addresses()
        port = self.silent(first, 0)
        self.silent(second, port)
        worker = self.served(address=third, port=port)
        self.register(port, url=f"http://{self.HOST}:{port}")
        jobs = self.push(4)
        self.ended(jobs)
        self.assertEqual(len(worker.runs), 4)
        until(lambda: self.row(self.own)["state"] == "up", what="up")
        self.assertEqual([self.client.ok("GET", f"/v1/jobs/{job}")["attempt"] for job in jobs], [1] * 4)

    def test_a_worker_without_an_address_that_answers_is_unreachable(self):
        first, second, third = self.addresses()
        port = self.silent(first, 0)
        self.silent(second, port)
        self.register(port, url=f"http://{self.HOST}:{port}")
        job, = self.push()
        row = until(lambda: (row := self.row(self.own))["state"] == "unreachable" and row, what="unreachable")
        for address in (first, second, third):
            self.assertIn(address, row["trouble"])
        self.assertIn(self.state(job), ("ready", "running"))
        self.served(address=third, port=port)
        self.ended([job])
        until(lambda: self.row(self.own)["state"] == "up", what="up")


def load_tests(loader, tests, _pattern):
    """All but those that run in a network of their own."""
    return unittest.TestSuite(each for each in tests if not any(isinstance(test, Addresses) for test in each))


if __name__ == "__main__":
    unittest.main()
