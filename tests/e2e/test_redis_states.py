"""What clients see while Redis is full, read-only, busy, stopped, without scripts or badly connected, and that everything goes on later."""

import os
import random
import subprocess
import threading
import time
import unittest

from harness import IN_MEMORY, MSGPACK, Client, Master, success, until
from redisserver import Proxy, Redis, forget_libraries, free_port
from test_crashes import Load
from tier import LONG, row, span_s, turns

NO_DURABILITY = ("--appendonly", "no")


def is_unsure(answer):
    """The engine in memory decided it before Redis refused, and writes it later."""
    return IN_MEMORY and answer.get("reason") == "memory_engine_unsure"


def serving(redis, *words):
    return Master(arguments=["--redis", getattr(redis, "url", redis), "--force", *words])


class States(unittest.TestCase):
    def ready(self, master):
        return Client(master.port).request("GET", "/readyz")[0] == 200

    def refused(self, client, method, path, body, status, code):
        """Repeats a request until it is refused, and checks the refusal."""
        def look():
            got, answer = client.request(method, path, body)
            return got >= 300 and not is_unsure(answer) and (got, answer)
        got, answer = until(look, 60, f"a refusal with {status}")
        self.assertEqual((got, answer["code"]), (status, code), answer)
        self.assertGreater(answer["retry_after"], 0)

    def reads_go_on(self, client, acknowledged):
        """Memory is ahead of Redis by what was decided before the refusal, so its engine marks what it tells."""
        self.assertEqual(self.is_marked(client, f"/v1/jobs/{acknowledged[0]}"), IN_MEMORY)
        self.assertEqual(client.ok("GET", f"/v1/jobs/{acknowledged[0]}")["state"], "ready")
        self.assertEqual(self.is_marked(client, "/v1/jobs?state=ready&limit=2"), IN_MEMORY)
        self.assertGreaterEqual(client.overview()["states"]["ready"], len(acknowledged))

    def is_marked(self, client, path):
        """Whether the answer to a read says that Redis may not have all of it."""
        client.connection.request("GET", path, headers={"Accept": MSGPACK})
        answer = client.connection.getresponse()
        answer.read()
        self.assertEqual(answer.status, 200, path)
        return answer.getheader("Junban-Unsaved") == "true"

    def check(self, load, client):
        self.assertEqual(len(set(load.acknowledged)), load.jobs)
        self.assertEqual(set(load.accepted), set(load.acknowledged))
        for number, identity in enumerate(load.acknowledged):
            self.assertEqual(client.insist("GET", f"/v1/jobs/{identity}/result?peek=true")[1]["result"], number)
        states = until(lambda: (s := client.overview()["states"])["running"] == 0 and s, what="nothing runs")
        self.assertEqual((states["ready"], states["scheduled"], states["failed"]), (0, 0, 0))

    def test_a_full_redis_refuses_jobs_with_507_and_still_drains(self):
        with Redis(*NO_DURABILITY) as redis, serving(redis) as master:
            client = Client(master.port)
            ids = [client.ok("POST", "/v1/jobs", {"name": "a", "argument": "x" * 1000})["id"] for _ in range(100)]
            doomed, edited = (client.ok("POST", "/v1/jobs", {"name": "z", "argument": "x" * 1000})["id"] for _ in range(2))
            failed = client.ok("POST", "/v1/jobs", {"name": "f"})["id"]
            job = client.ok("POST", "/v1/claims", {"worker": "w", "names": ["f"]})["jobs"][0]
            client.ok("POST", f"/v1/jobs/{failed}/outcome", {"lease": job["lease"], "type": "failure", "reason": "other", "should_retry": False,
                                                             "finished_at": "2026-01-02T03:04:05Z"})
            redis.cli("CONFIG", "SET", "maxmemory", str(int(redis.info("memory", "used_memory")) + 400_000))
            big = {"name": "a", "argument": "x" * 60_000}
            self.refused(client, "POST", "/v1/jobs", big, 507, "store_full")
            redis.cli("CONFIG", "SET", "maxmemory", "1")
            statuses = {client.request("POST", "/v1/jobs", {"name": "a"})[0] for _ in range(100)}
            self.assertEqual(statuses, {507})
            status, batch = client.request("POST", "/v1/jobs/batch", {"jobs": [{"name": "a"}] * 3})
            self.assertTrue(status == 507 or all(r["error"]["code"] == "store_full" for r in batch["results"]), batch)
            self.assertFalse(self.ready(master))
            # Requests that free memory, or take hardly any, still succeed.
            self.assertEqual(client.ok("DELETE", f"/v1/jobs/{doomed}")["state"], "cancelled")
            self.assertEqual(client.ok("POST", f"/v1/jobs/{failed}/retry")["state"], "ready")
            self.assertEqual(client.ok("PATCH", f"/v1/jobs/{edited}", {"priority": 1, "argument": "y"})["priority"], 1)
            self.refused(client, "PATCH", f"/v1/jobs/{edited}", {"argument": "y" * 1000}, 507, "store_full")
            self.refused(client, "POST", f"/v1/jobs/{doomed}/restore", None, 507, "store_full")
            done = []
            finished = 0
            while True:
                answer = client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": done, "claim": {"limit": 20}})
                self.assertTrue(all(r.get("state") == "succeeded" for r in answer["results"]), answer["results"])
                finished += len(answer["results"])
                done = [success(job, None) for job in answer["jobs"]]
                if not done:
                    break
            self.assertGreaterEqual(finished, len(ids))
            self.assertEqual(client.overview()["states"]["ready"], 0)
            redis.cli("CONFIG", "SET", "maxmemory", "0")
            until(lambda: client.request("POST", "/v1/jobs", {"name": "a"})[0] == 201, 60, "jobs are taken again")
            until(lambda: self.ready(master), 60, "ready")

    def test_a_full_disk_is_503_and_passes_by_itself(self):
        with Redis("--appendonly", "yes", "--appendfsync", "everysec", file_bytes_max=5_000_000) as redis, serving(redis) as master:
            client = Client(master.port)
            acknowledged = []
            def fill():
                status, answer = client.request("POST", "/v1/jobs", {"name": "a", "argument": "x" * 50_000})
                if status == 201:
                    acknowledged.append(answer["id"])
                return status != 201 and not is_unsure(answer) and (status, answer["code"])
            self.assertEqual(until(fill, 60, "a refusal"), (503, "store_readonly"))
            self.refused(client, "POST", "/v1/claims", {"worker": "w"}, 503, "store_readonly")
            self.assertFalse(self.ready(master))
            self.reads_go_on(client, acknowledged)
            redis.make_room()
            until(lambda: self.ready(master), 60, "ready")
            self.assertFalse(self.is_marked(client, f"/v1/jobs/{acknowledged[0]}"))
            acknowledged.append(client.ok("POST", "/v1/jobs", {"name": "a"})["id"])
            redis.cli("CONFIG", "SET", "appendfsync", "always")
            acknowledged.append(client.ok("POST", "/v1/jobs", {"name": "a"})["id"])
            redis.restart()
            until(lambda: self.ready(master), 60, "ready")
            for identity in acknowledged:
                self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}")["state"], "ready")

    def test_a_full_disk_with_fsync_always_ends_redis_and_loses_nothing(self):
        with Redis("--appendonly", "yes", "--appendfsync", "always", file_bytes_max=4_000_000) as redis, serving(redis) as master:
            client = Client(master.port)
            acknowledged = []
            while redis.process.poll() is None:
                status, answer = client.request("POST", "/v1/jobs", {"name": "a", "argument": "x" * 20_000})
                if status == 201:
                    acknowledged.append(answer["id"])
            self.assertGreater(len(acknowledged), 10)
            self.refused(client, "POST", "/v1/jobs", {"name": "a"}, 503, "store_unavailable")
            redis.file_bytes_max = None
            redis.words += ["--aof-load-truncated", "yes"]
            redis.start()
            until(lambda: self.ready(master), 60, "ready")
            for identity in acknowledged:
                self.assertEqual(client.ok("GET", f"/v1/jobs/{identity}")["state"], "ready")

    def test_a_redis_that_refuses_is_503_and_passes_by_itself(self):
        with Redis(*NO_DURABILITY, "--busy-reply-threshold", "50") as redis, serving(redis) as master:
            client = Client(master.port)
            client.ok("POST", "/v1/jobs", {"name": "a"})
            for begin, end, code in (
                (("CONFIG", "SET", "min-replicas-to-write", "1"), ("CONFIG", "SET", "min-replicas-to-write", "0"), "store_unavailable"),
                (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE"), "store_readonly"),
                (("ACL", "SETUSER", "default", "-fcall"), ("ACL", "SETUSER", "default", "+fcall"), "store_unavailable"),
            ):
                self.assertEqual(redis.cli(*begin), "OK")
                self.refused(client, "POST", "/v1/jobs", {"name": "a"}, 503, code)
                until(lambda: not self.ready(master), what="not ready")
                self.assertEqual(client.request("GET", "/healthz")[0], 200)
                if IN_MEMORY and "min-replicas-to-write" in begin:  # otherwise lists need what Redis refuses to tell of other things
                    self.assertEqual(client.request("GET", "/v1/jobs?state=ready")[0], 200)
                self.assertEqual(redis.cli(*end), "OK")
                until(lambda: self.ready(master), 60, f"ready after {begin}")
                client.insist("POST", "/v1/jobs", {"name": "a"}, 5)
            with subprocess.Popen(["redis-cli", "-s", redis.path, "EVAL", "while true do end", "0"], stdout=subprocess.DEVNULL):
                self.refused(client, "POST", "/v1/jobs", {"name": "a"}, 503, "store_unavailable")
                self.assertFalse(self.ready(master))
                redis.cli("SCRIPT", "KILL")
            until(lambda: self.ready(master), 60, "ready after BUSY")
            self.assertEqual(client.request("POST", "/v1/jobs", {"name": "a"})[0], 201)

    def test_functions_flushed_and_deleted_ten_times_a_second_are_not_noticed(self):
        with Redis(*NO_DURABILITY) as redis, serving(redis) as master:
            over, ended = time.monotonic() + span_s(10, 60), threading.Event()
            seen, flushes, operations = set(), 0, [0]

            def traffic(number):
                client, done = Client(master.port), []
                while not ended.is_set():
                    status, _ = client.request("POST", "/v1/jobs/batch", {"jobs": [{"name": "a", "argument": number}] * 5})
                    seen.add(status)
                    status, answer = client.request("POST", "/v1/outcomes", {"worker": "w", "outcomes": done, "claim": {"limit": 5}})
                    seen.add(status)  # before what a refusal does not have
                    seen.update(500 for r in answer["results"] if "error" in r)
                    done = [success(job, job["argument"]) for job in answer["jobs"]]
                    operations[0] += 10

            threads = [threading.Thread(target=traffic, args=(n,)) for n in range(4)]
            for thread in threads:
                thread.start()
            try:
                while time.monotonic() < over or flushes < 20:
                    forget_libraries(redis, flushes)
                    flushes += 1
                    time.sleep(0.1)
            finally:
                ended.set()
                for thread in threads:
                    thread.join()
            with row("F7 FUNCTION FLUSH and DELETE, errors that a client saw", operations=operations[0], faults=flushes, violations=len(seen - {200})):
                pass
            self.assertEqual(seen, {200})

    def test_a_redis_that_stops_for_a_while_loses_nothing(self):
        with Redis(*NO_DURABILITY) as redis, serving(redis) as master:
            load = Load(master.port, 2000 if LONG else 400, "F5 Redis stops for a while")

            def disturb():
                for turn in turns(3, 25):
                    span = random.uniform(0.5, 20) if LONG else (0.5, 3, 6)[turn]
                    time.sleep(0.3)
                    redis.pause()
                    time.sleep(span)
                    redis.resume()
                    time.sleep(0.3)
                    redis.cli("DEBUG", "SLEEP", str(min(span, 4)))

            load.run(disturb)
            self.check(load, Client(master.port))
            self.assertTrue(self.ready(master))
            self.assertNotIn("read-only", master.log())

    def test_a_master_starts_over_connections_that_break(self):
        with Redis(*NO_DURABILITY, port=free_port()) as redis:
            for bytes_passed in (0, 60, 300, 700, 1500, 4000, 12_000):
                proxy = Proxy(redis.port, 1, first=[bytes_passed] * 2)
                try:
                    with serving(proxy) as master:
                        self.assertEqual(Client(master.port).insist("POST", "/v1/jobs", {"name": "n"})[0], 201)
                        self.assertEqual(proxy.counts["cut"], 2)
                finally:
                    proxy.close()

    def test_connections_that_break_anywhere_lose_nothing(self):
        seed = int(os.environ.get("JUNBAN_SEED", random.randrange(1 << 30)))
        with Redis(*NO_DURABILITY, port=free_port()) as redis:
            proxy = Proxy(redis.port, seed)
            try:
                with serving(proxy, "--threads", "2") as master:
                    proxy.harm()
                    load = Load(master.port, 6000 if LONG else 500, "F6 connections to Redis break anywhere")
                    load.run(lambda: (time.sleep(span_s(12, 600)), proxy.heal()))
                    print(f"seed {seed}: {proxy.counts}")
                    self.assertGreater(proxy.counts["cut"], 2)
                    self.check(load, Client(master.port))
            finally:
                proxy.close()


if __name__ == "__main__":
    unittest.main()
