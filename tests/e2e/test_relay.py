"""Several masters with the engine in memory: one leads, and the others pass requests on to it, so every master serves everything."""

import collections
import http.client
import json
import signal
import socket
import ssl
import tempfile
import threading
import time
import unittest

from harness import Client, Master, success, until
from redisserver import Redis
from test_crashes import Load
from test_transport import Certificates


def lead(redis):
    words = redis.cli("HGETALL", "jq:{default}mem:lead").split("\n")
    return dict(zip(words[::2], words[1::2]))


class Between:
    """Stands before a master and passes bytes on. After hold() the answers of the master go nowhere."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target, self.holds, self.held = 0, False, 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            for pair, answers in (((near, far), False), ((far, near), True)):
                threading.Thread(target=self.pump, args=(*pair, answers), daemon=True).start()

    def pump(self, source, sink, answers):
        try:
            while data := source.recv(65536):
                if answers and self.holds:
                    self.held += 1
                else:
                    sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            end.close()


class Relays(unittest.TestCase):
    def setUp(self):
        self.redis = Redis("--appendonly", "yes")
        self.redis.start()
        self.addCleanup(self.redis.__exit__)

    def master(self, *arguments):
        master = Master(arguments=["--redis", self.redis.url, "--force", "--engine", "memory", *arguments])
        self.addCleanup(master.__exit__)
        master.start()
        return master

    def pair(self):
        """The leader and a follower."""
        return self.master(), self.master()

    def leads(self, master):
        return lead(self.redis)["address"].startswith(f"127.0.0.1:{master.port}@")

    def test_every_master_serves_everything(self):
        first, second = self.pair()
        here, there = Client(first.port), Client(second.port)
        self.assertTrue(self.leads(first))
        job = there.ok("POST", "/v1/jobs", {"name": "a", "argument": {"n": 1}, "keep_result": True})
        self.assertEqual(here.ok("GET", f"/v1/jobs/{job['id']}")["argument"], {"n": 1})
        claimed = there.ok("POST", "/v1/claims", {"worker": "w", "limit": 1})["jobs"]
        self.assertEqual([each["id"] for each in claimed], [job["id"]])
        self.assertEqual(there.ok("POST", f"/v1/jobs/{job['id']}/heartbeat", {"lease": claimed[0]["lease"]})["cancel"], False)
        done = there.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(claimed[0], b"x" * 100_000)]})
        self.assertEqual(done["results"][0]["state"], "succeeded")
        self.assertEqual(there.ok("GET", f"/v1/jobs/{job['id']}/result")["result"], b"x" * 100_000)
        self.assertEqual(there.request("POST", "/v1/jobs", {"name": ""})[0], 400)
        self.assertEqual(there.request("GET", "/v1/jobs/01a227a0-21b8-7005-bc74-599f680cc025")[0], 404)
        self.assertEqual(there.overview()["states"]["succeeded"], 1)
        batch = there.ok("POST", "/v1/jobs/batch", {"jobs": [{"name": "b", "argument": n} for n in range(50)]})["results"]
        self.assertEqual(len({each["id"] for each in batch}), 50)
        found = there.ok("POST", "/v1/claims", {"worker": "w", "names": ["b"], "limit": 50})["jobs"]
        self.assertEqual([each["id"] for each in found], [each["id"] for each in batch])
        for client, leads in ((here, b"1"), (there, b"0")):
            self.assertEqual(client.request("GET", "/readyz")[0], 200)
            status, metrics = client.request("GET", "/metrics")
            self.assertEqual(status, 200)
            self.assertIn(b"\njunban_leads " + leads + b"\n", metrics)

    def test_a_long_poll_is_passed_on_and_ends_with_its_caller(self):
        first, second = self.pair()
        here, there = Client(first.port), Client(second.port)
        claimed = []
        waiting = threading.Thread(target=lambda: claimed.extend(there.ok("POST", "/v1/claims", {"worker": "w", "wait": 30})["jobs"]))
        waiting.start()
        time.sleep(0.5)
        job = here.ok("POST", "/v1/jobs", {"name": "a"})
        waiting.join(20)
        self.assertEqual([each["id"] for each in claimed], [job["id"]])
        # A caller that has left must not be given a job.
        gone = http.client.HTTPConnection("127.0.0.1", second.port)
        gone.request("POST", "/v1/claims", b'{"worker": "gone", "names": ["b"], "wait": 30}', {"Content-Type": "application/json"})
        time.sleep(0.5)
        gone.close()
        time.sleep(0.5)
        job = here.ok("POST", "/v1/jobs", {"name": "b"})
        time.sleep(0.5)
        self.assertEqual(here.ok("GET", f"/v1/jobs/{job['id']}")["state"], "ready")

    def test_a_hop_is_refused_unless_the_secret_is_that_of_this_leader(self):
        first, second = self.pair()
        secret = lead(self.redis)["secret"]
        draw = "0197a227a0217b8e805bc74599f680cc"

        def status(port, value):
            return Client(port).request("GET", "/v1/overview", fields={"Junban-Hop": value})[0]

        self.assertEqual(status(first.port, f"guess 127.0.0.1 {draw} 0"), 421)
        self.assertEqual(status(second.port, f"guess 127.0.0.1 {draw} 0"), 421)
        self.assertEqual(status(first.port, "1"), 421)
        # A loop: it was passed on by another one, and this one does not lead. It says whom it believes in.
        code, said = Client(second.port).request("GET", "/v1/overview", fields={"Junban-Hop": f"{secret} 127.0.0.1 {draw} 0"})
        self.assertEqual((code, said), (421, f"127.0.0.1:{first.port}\n".encode()))
        self.assertEqual(status(first.port, f"{secret} 127.0.0.1 {draw} 0"), 200)
        # Who calls is judged by the address that the first master saw: without a token only this machine may.
        self.assertEqual(status(first.port, f"{secret} 192.0.2.1 {draw} 0"), 401)
        self.assertEqual(status(first.port, f"{secret} nonsense {draw} 0"), 401)
        for master in (first, second):
            self.assertNotIn(secret, master.log())

    def test_a_master_with_the_logic_in_redis_passes_nothing_on(self):
        with Master() as master:
            self.assertEqual(Client(master.port).request("GET", "/v1/overview", fields={"Junban-Hop": "guess 192.0.2.1"})[0], 200)

    def test_the_same_request_again_makes_no_second_job_and_claims_the_same_jobs(self):
        first, _ = self.pair()
        secret, client = lead(self.redis)["secret"], Client(first.port)

        def pass_on(path, body, number, repeated):
            hop = f"{secret} 127.0.0.1 019b0000000070008000{number:012x} {repeated}"
            return client.request("POST", path, body, fields={"Junban-Hop": hop})[1]

        pushed = [pass_on("/v1/jobs", {"name": "a", "argument": 1}, 1, repeated) for repeated in (0, 1)]
        self.assertEqual(pushed[0], pushed[1])
        batch = {"jobs": [{"name": "a", "argument": n} for n in range(30)]}
        batches = [pass_on("/v1/jobs/batch", batch, 2, repeated)["results"] for repeated in (0, 1)]
        self.assertEqual(batches[0], batches[1])
        self.assertEqual(client.overview()["states"]["ready"], 31)
        claim = {"worker": "w", "limit": 5}
        claims = [pass_on("/v1/claims", claim, 3, repeated)["jobs"] for repeated in (0, 1)]
        self.assertEqual(len(claims[0]), 5)
        self.assertCountEqual(claims[0], claims[1])
        self.assertEqual(client.overview()["states"]["running"], 5)
        self.assertEqual(len({job["lease"] for job in claims[0]}), 5)
        report = {"worker": "w", "outcomes": [success(claims[0][0], None)], "claim": {"limit": 2}}
        reports = [pass_on("/v1/outcomes", report, 4, repeated) for repeated in (0, 1)]
        self.assertEqual(reports[0]["results"], reports[1]["results"])
        self.assertCountEqual(reports[0]["jobs"], reports[1]["jobs"])
        self.assertEqual(client.overview()["states"]["running"], 6)

    def test_nothing_is_lost_when_the_leader_is_killed_or_stopped_under_load(self):
        first, second = self.pair()
        load = Load(second.port, 400)

        def disturb():
            for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
                time.sleep(1)
                leader, follower = (first, second) if self.leads(first) else (second, first)
                load.port = follower.port
                leader.kill(how)
                until(lambda port=follower: self.leads(port), 30, "the other master leads")
                leader.start()

        load.run(disturb)
        client = Client(second.port)
        self.assertEqual(set(load.accepted), set(load.acknowledged))
        for number, identity in enumerate(load.acknowledged):
            self.assertEqual(client.insist("GET", f"/v1/jobs/{identity}/result?peek=true")[1]["result"], number)

    def test_a_follower_hides_the_death_of_the_leader_from_its_callers(self):
        """No request is sent again by its caller. So each answer counts, and no job may come twice or be claimed for nobody."""
        masters = [self.master() for _ in range(3)]
        follower = masters[2]
        pushed, claimed, answers = {}, collections.Counter(), collections.Counter()
        over = threading.Event()

        def push(first):
            client, number = Client(follower.port), first
            while not over.is_set():
                number += 1
                status, answer = client.request("POST", "/v1/jobs", {"name": "a", "argument": number, "timeout": 3600})
                answers[status] += 1
                if status == 201:
                    pushed[answer["id"]] = number
                time.sleep(0.005)

        def work():
            client, done = Client(follower.port), []
            while not (over.is_set() and not done and sum(claimed.values()) >= len(pushed)):
                body = {"worker": "w", "outcomes": done, "claim": {"limit": 3, "wait": 0.2}}
                status, answer = client.request("POST", "/v1/outcomes", body)
                answers[status] += 1
                self.assertEqual(status, 200, answer)
                self.assertEqual({result.get("state") for result in answer["results"]} - {"succeeded"}, set())
                claimed.update(job["argument"] for job in answer["jobs"])
                done = [success(job, None) for job in answer["jobs"]]

        threads = [threading.Thread(target=push, args=(n * 1_000_000,)) for n in range(2)] + [threading.Thread(target=work)]
        for thread in threads:
            thread.start()
        for _ in range(2):
            time.sleep(1.5)
            leader = next(master for master in masters[:2] if self.leads(master))
            other = masters[1 - masters.index(leader)]
            leader.kill()
            until(lambda old=leader: not self.leads(old) and lead(self.redis)["address"], 30, "another one leads")
            if self.leads(follower):
                break
            leader.start()
            self.assertTrue(self.leads(other))
        time.sleep(1)
        over.set()
        for thread in threads:
            thread.join(60)
            self.assertFalse(thread.is_alive(), f"a job was claimed for nobody: {len(pushed)} pushed, {sum(claimed.values())} claimed")
        self.assertEqual(set(answers), {200, 201})
        self.assertEqual(sorted(claimed), sorted(pushed.values()))
        self.assertEqual(set(claimed.values()), {1})

    def test_a_follower_that_becomes_the_leader_goes_on_with_what_it_had_passed_on(self):
        between = Between()
        self.addCleanup(between.listener.close)
        first = self.master("--advertise", f"127.0.0.1:{between.port}")
        between.target = first.port
        second = self.master()
        waiting = Client(second.port).ok("POST", "/v1/jobs", {"name": "waiting"})["id"]
        between.holds = True
        answers = {}

        def ask(path, body):
            answers[path] = Client(second.port).request("POST", path, body)

        requests = {"/v1/jobs": {"name": "pushed"}, "/v1/claims": {"worker": "w", "names": ["waiting"]}}
        callers = [threading.Thread(target=ask, args=request) for request in requests.items()]
        for caller in callers:
            caller.start()
        until(lambda: between.held == len(requests), 30, "the leader has done it")
        first.kill()
        for caller in callers:
            caller.join(60)
        self.assertEqual(answers["/v1/jobs"][0], 201, answers)
        job = answers["/v1/claims"][1]["jobs"][0]
        self.assertEqual(job["id"], waiting)
        client = Client(second.port)
        states = client.overview()["states"]
        self.assertEqual((states["ready"], states["running"]), (1, 1))  # each once
        done = client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(job, None)]})
        self.assertEqual(done["results"][0]["state"], "succeeded")

    def test_requests_at_a_frozen_leader_go_to_the_next_one(self):
        first, second = self.pair()
        there = Client(second.port)
        job = there.ok("POST", "/v1/jobs", {"name": "a"})
        first.process.send_signal(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            self.assertEqual([each["id"] for each in there.ok("POST", "/v1/claims", {"worker": "w"})["jobs"]], [job["id"]])
            self.assertLess(time.monotonic() - begun, 20)
            self.assertTrue(self.leads(second))
        finally:
            first.process.send_signal(signal.SIGCONT)
        # The one that woke up passes on to the next leader.
        here = Client(first.port)
        self.assertEqual(here.insist("POST", "/v1/jobs", {"name": "b"})[0], 201)
        self.assertEqual(there.overview()["states"]["ready"], 1)

    def test_a_leader_with_tls_is_known_by_its_certificate(self):
        with tempfile.TemporaryDirectory() as directory:
            made = Certificates(directory)
            made.authority("ca")
            made.signed("server", "ca", "subjectAltName=IP:127.0.0.1\n")
            words = ["--tls-certificate", made.path("server.pem"), "--tls-key", made.path("server.key")]
            self.tls_pair(words)

    def tls_pair(self, words):
        masters = [Tls(arguments=["--redis", self.redis.url, "--force", "--engine", "memory", *words]) for _ in range(2)]
        for master in masters:
            self.addCleanup(master.__exit__)
            master.start()
        here, there = masters
        self.assertEqual(len(lead(self.redis)["certificate"]), 64)
        job = there.ask("POST", "/v1/jobs", {"name": "a"})[1]
        self.assertEqual(here.ask("GET", f"/v1/jobs/{job['id']}")[1]["state"], "ready")
        self.redis.cli("HSET", "jq:{default}mem:lead", "certificate", "00" * 32)
        time.sleep(1.5)
        self.assertEqual(there.ask("GET", f"/v1/jobs/{job['id']}")[0], 503)


class Tls(Master):
    def ask(self, method, path, body=None):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=context)
        connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, json.loads(content)


if __name__ == "__main__":
    unittest.main()
