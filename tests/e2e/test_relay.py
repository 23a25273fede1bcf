"""Several masters with the engine in memory: one leads, and the others pass requests on to it, so every master serves everything."""

import http.client
import signal
import threading
import time
import unittest

from harness import Client, Master, success, until
from redisserver import Redis
from test_crashes import Load


def lead(redis):
    words = redis.cli("HGETALL", "jq:{default}mem:lead").split("\n")
    return dict(zip(words[::2], words[1::2]))


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
        for client in (here, there):
            self.assertEqual(client.request("GET", "/readyz")[0], 200)

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

        def status(port, value):
            return Client(port).request("GET", "/v1/overview", fields={"Junban-Hop": value})[0]

        self.assertEqual(status(first.port, "guess 127.0.0.1"), 421)
        self.assertEqual(status(second.port, "guess 127.0.0.1"), 421)
        self.assertEqual(status(first.port, "1"), 421)
        # A loop: it was passed on by another one, and this one does not lead. It says whom it believes in.
        code, said = Client(second.port).request("GET", "/v1/overview", fields={"Junban-Hop": f"{secret} 127.0.0.1"})
        self.assertEqual((code, said), (421, f"127.0.0.1:{first.port}\n".encode()))
        self.assertEqual(status(first.port, f"{secret} 127.0.0.1"), 200)
        # Who calls is judged by the address that the first master saw: without a token only this machine may.
        self.assertEqual(status(first.port, f"{secret} 192.0.2.1"), 401)
        self.assertEqual(status(first.port, f"{secret} nonsense"), 401)
        for master in (first, second):
            self.assertNotIn(secret, master.log())

    def test_a_master_with_the_logic_in_redis_passes_nothing_on(self):
        with Master() as master:
            self.assertEqual(Client(master.port).request("GET", "/v1/overview", fields={"Junban-Hop": "guess 192.0.2.1"})[0], 200)

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

    def test_requests_at_a_frozen_leader_go_to_the_next_one(self):
        first, second = self.pair()
        there = Client(second.port)
        job = there.ok("POST", "/v1/jobs", {"name": "a"})
        first.process.send_signal(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            self.assertEqual([each["id"] for each in there.insist("POST", "/v1/claims", {"worker": "w"})[1]["jobs"]], [job["id"]])
            self.assertLess(time.monotonic() - begun, 20)
            self.assertTrue(self.leads(second))
        finally:
            first.process.send_signal(signal.SIGCONT)
        # The one that woke up passes on to the next leader.
        here = Client(first.port)
        self.assertEqual(here.insist("POST", "/v1/jobs", {"name": "b"})[0], 201)
        self.assertEqual(there.overview()["states"]["ready"], 1)


if __name__ == "__main__":
    unittest.main()
