"""Workers that are seen, and workers that serve HTTP and are called: real masters, real HTTP servers that are slow, lie, refuse, are
stopped and killed."""

import datetime
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

from harness import Client, Master, until

SECRET = "a secret of twenty bytes"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "examples"


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


class Served:
    """A worker written from openapi/worker.yaml: an HTTP server in this process. `answer` gets the job and says status and body."""

    def __init__(self, answer=None, port=0, secret=None):
        self.answer = answer or (lambda job: (200, {"type": "success", "finished_at": now(), "result": job["argument"]}))
        self.secret = secret
        self.lock = threading.Lock()
        self.runs, self.cancels, self.healths, self.unsigned = [], [], 0, 0
        self.now, self.most = 0, 0
        worker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                worker.healths += 1
                self.say(200 if self.path.endswith("/v1/health") else 404, {"status": "ok"})

            def do_POST(self):
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

        self.server = Server(("127.0.0.1", port), Handler)
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
    arguments = ()

    def setUp(self):
        self.master = self.enterContext(Master(arguments=self.arguments))
        self.client = Client(self.master.port)

    def served(self, answer=None, **more):
        worker = Served(answer, **more)
        self.addCleanup(worker.close)
        return worker

    def register(self, worker, name="served-1", slots=2, client=None, **more):
        port = worker if isinstance(worker, int) else worker.port
        body = {"url": f"http://127.0.0.1:{port}", "slots": slots, "encoding": "json", **more}
        return (client or self.client).ok("PUT", f"/v1/workers/{name}", body)

    def push(self, count=1, **fields):
        jobs = [{"name": "print", "argument": n, **fields} for n in range(count)]
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
        claim = {"worker": "puller", "names": ["print"], "limit": 3, "labels": ["region=eu"], "version": "2.4.1"}
        claimed = self.client.ok("POST", "/v1/claims", claim)["jobs"]
        row = until(lambda: self.row("puller"), what="the worker in the list")
        self.assertEqual((row["kind"], row["state"], row["names"], row["labels"], row["version"]),
                         ("pull", "up", ["print"], ["region=eu"], "2.4.1"))
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
        job, = self.client.ok("POST", "/v1/claims", {"worker": "puller"})["jobs"]
        for _ in range(3):
            self.client.ok("POST", f"/v1/jobs/{job['id']}/outcome",
                           {"lease": job["lease"], "type": "success", "finished_at": now(), "result": 1})
        row = until(lambda: (row := self.row("puller")) and row["succeeded"] and row, what="the count")
        self.assertEqual(row["succeeded"], 1)

    def test_a_draining_worker_gets_nothing_until_it_is_resumed(self):
        self.client.ok("POST", "/v1/claims", {"worker": "puller"})
        until(lambda: self.row("puller"), what="the worker in the list")
        self.client.ok("POST", "/v1/workers/puller/drain")
        self.push()
        self.assertEqual(self.row("puller")["state"], "draining")
        self.assertEqual(self.client.ok("POST", "/v1/claims", {"worker": "puller"})["jobs"], [])
        self.assertEqual(self.client.ok("POST", "/v1/outcomes", {"worker": "puller", "outcomes": [], "claim": {}})["jobs"], [])
        self.client.ok("POST", "/v1/workers/puller/resume")
        self.assertEqual(len(self.client.ok("POST", "/v1/claims", {"worker": "puller"})["jobs"]), 1)

    def test_a_worker_that_is_not_there_cannot_be_steered(self):
        for verb in ("drain", "resume"):
            status, answer = self.client.request("POST", f"/v1/workers/nobody/{verb}")
            self.assertEqual((status, answer["code"]), (404, "not_found"))
        self.assertEqual(self.client.request("DELETE", "/v1/workers/nobody")[0], 404)


class Called(Case):
    """Workers that serve HTTP."""

    def test_a_registered_worker_runs_jobs_and_its_answer_is_the_outcome(self):
        worker = self.served(secret=SECRET)
        self.register(worker, secret=SECRET, names=["print"])
        jobs = self.push(20, keep_result=True)
        self.ended(jobs)
        for n, job in enumerate(jobs):
            self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}/result")["result"], n)
        self.assertEqual((len(worker.runs), worker.unsigned), (20, 0))
        self.assertLessEqual(worker.most, 2)
        row = until(lambda: (row := self.row("served-1"))["succeeded"] == 20 and row, what="the counts")
        self.assertEqual((row["kind"], row["state"], row["slots"], row["signed"]), ("served", "up", 2, True))
        self.assertNotIn("secret", row)

    def test_a_job_reaches_a_waiting_worker_without_a_polling_delay(self):
        worker = self.served()
        self.register(worker)
        self.ended(self.push())
        took = []
        for _ in range(40):
            begin = time.monotonic()
            before = len(worker.runs)
            self.client.ok("POST", "/v1/jobs", {"name": "print"})
            while len(worker.runs) == before:
                time.sleep(0.0005)
            took.append(time.monotonic() - begin)
        self.assertLess(sorted(took)[20], 0.5, took) # a look once a second would take half of one

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
        self.assertEqual(self.row("served-1")["failed"], 3)

    def test_busy_answers_and_dead_addresses_are_no_failures(self):
        port = free_port()
        self.register(port)
        job, = self.push(max_retry=0)
        row = until(lambda: (row := self.row("served-1")).get("trouble") and row, what="the trouble")
        self.assertIn("refused", row["trouble"])
        self.assertIn(self.state(job), ("ready", "running"))
        answers = [(429, {}), (503, {})]
        worker = self.served(lambda given: answers.pop(0) if answers else
                             (200, {"type": "success", "finished_at": now(), "result": None}), port=port)
        self.ended([job])
        self.assertEqual(len(worker.runs), 3)
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}").get("failures", 0), 0)
        self.assertGreater(worker.healths, 0)

    def test_an_accepted_job_keeps_its_slot_until_it_is_reported(self):
        held = []

        def answer(job):
            held.append(job)
            return 202, {}

        worker = self.served(answer)
        self.register(worker, slots=2)
        jobs = self.push(5)
        until(lambda: len(held) == 2, what="two accepted jobs")
        time.sleep(1.5)
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
        job, = self.push(timeout=2, max_retry=0)
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

    def test_a_drained_worker_gets_nothing_and_a_deleted_one_neither(self):
        worker = self.served()
        self.register(worker)
        self.ended(self.push())
        self.client.ok("POST", "/v1/workers/served-1/drain")
        job, = self.push()
        time.sleep(2)
        self.assertEqual((self.state(job), self.row("served-1")["state"]), ("ready", "draining"))
        self.client.ok("POST", "/v1/workers/served-1/resume")
        self.ended([job])
        self.client.ok("DELETE", "/v1/workers/served-1")
        job, = self.push()
        time.sleep(1.5)
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
            Client(self.master.port).ok("POST", "/v1/claims", {"worker": "puller", "wait": 20})["jobs"]))
        asking.start()
        time.sleep(0.5)
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
        listener.settimeout(3)
        urls = ["http://169.254.169.254/latest", "http://[::ffff:169.254.169.254]/", "http://192.0.2.1:80/", "http://0.0.0.0:%d/",
                "http://[fe80::1]/", "http://[fd00:ec2::254]/"]
        for n, url in enumerate(urls):
            url = url.replace("%d", str(listener.getsockname()[1]))
            self.client.ok("PUT", f"/v1/workers/w{n}", {"url": url, "slots": 1})
        self.push()
        for n in range(len(urls)):
            row = until(lambda: (row := self.row(f"w{n}")).get("trouble") and row, what=f"the trouble with {urls[n]}")
            self.assertIn("may not call", row["trouble"])
        with self.assertRaises(TimeoutError):
            listener.accept()

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
        row = until(lambda: (row := self.row("served-1")).get("trouble") and row, what="the trouble")
        self.assertIn("307", row["trouble"])
        self.assertEqual(other.runs, [])
        self.assertNotEqual(self.state(job), "succeeded")

    def test_a_registration_that_makes_no_sense_is_refused_with_its_field(self):
        good = {"url": "http://127.0.0.1:1", "slots": 1}
        for field, value in (("url", "ftp://127.0.0.1"), ("url", "http://user:word@127.0.0.1"), ("url", "http://"), ("slots", 0),
                             ("slots", 257), ("names", []), ("secret", "short"), ("encoding", "xml"), ("more", 1)):
            status, answer = self.client.request("PUT", "/v1/workers/w", {**good, field: value})
            self.assertEqual((status, answer["field"]), (400, field), value)


class Samples(Case):
    """The workers of docs/examples."""

    def test_each_runs_jobs_and_refuses_what_is_not_signed(self):
        samples = [("served.py", ["python3", "-B", "served.py", "PORT", SECRET]), ("served.mjs", ["node", "served.mjs", "PORT", SECRET]),
                   ("served.go", ["go", "run", "served.go", "PORT", SECRET]), ("served.php", ["php", "-S", "127.0.0.1:PORT", "served.php"])]
        for name, command in samples:
            with self.subTest(sample=name):
                self.assertIsNotNone(shutil.which(command[0]), f"{command[0]} is needed (scripts/deps)")
                self.try_sample(name, command)

    def try_sample(self, name, command):
        port = free_port()
        environment = {**os.environ, "JUNBAN_SECRET": SECRET, "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
        process = subprocess.Popen([word.replace("PORT", str(port)) for word in command], cwd=EXAMPLES, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
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
            jobs = [{"name": "print", "argument": n} for _ in range(20)]
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
            for n in range(8):
                jobs = [{"name": "print", "argument": n, "max_retry": 100, "backoff": {"base": 0.1, "max": 0.1}} for _ in range(40)]
                ids += [result["id"] for result in self.client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
                time.sleep(0.5)
                if n % 2:
                    process.kill()
                    process.wait()
                    time.sleep(0.5)
                    process = self.start_serving(port, log)
                else:
                    process.send_signal(signal.SIGSTOP)
                    time.sleep(2.5) # beyond the lease
                    process.send_signal(signal.SIGCONT)
            self.ended(ids, seconds=120)
        finally:
            stop.set()
            asking.join()
        runs = log.read_text().split()
        self.assertGreater(len(runs), 50)
        self.assertEqual(len(runs), len(set(runs))) # no attempt was sent twice
        row = self.row("served-1")
        self.assertGreater(row["succeeded"], 0)

    def ask(self, stop):
        client = Client(self.master.port)
        outcomes = []
        while not stop.is_set():
            answer = client.ok("POST", "/v1/outcomes", {"worker": "puller", "outcomes": outcomes, "claim": {"wait": 0.2}})
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


if __name__ == "__main__":
    unittest.main()
