"""A primary with two replicas under three Sentinels: masters find it, follow it when it changes, and go on in time."""

import collections
import itertools
import os
import subprocess
import threading
import time
import unittest

from harness import IN_MEMORY, PROGRAMS, Client, Master, until
from redisserver import Group
from test_crashes import Load

LONG = bool(os.environ.get("JUNBAN_LONG"))


class Outages:
    """Pushes all the time and notes how long it had to wait for an answer."""

    def __init__(self, port):
        self.client = Client(port)
        self.longest = 0.0
        self.over = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.over:
            began = time.monotonic()
            self.client.insist("POST", "/v1/jobs", {"name": "outage"})
            self.longest = max(self.longest, time.monotonic() - began)
            time.sleep(0.02)

    def take(self):
        longest, self.longest = self.longest, 0.0
        return longest

    def end(self):
        self.over = True
        self.thread.join()


class Sentinels(unittest.TestCase):
    def serving(self, group, *words):
        return Master(arguments=["--redis", group.url, "--force", *words])

    def test_everything_goes_on_after_a_failover_however_it_comes(self):
        ways = ["asked", "killed", "stopped"] * (5 if LONG else 1)
        with Group() as group, self.serving(group) as master:
            outages = Outages(master.port)
            for way in ways:
                old = group.settled()
                outages.take()
                if way == "asked":
                    self.assertEqual(group.sentinels[1].cli("SENTINEL", "FAILOVER", "main"), "OK")
                elif way == "killed":
                    old.kill()
                else:
                    old.pause()
                group.primary_other_than(old)
                time.sleep(group.DOWN_AFTER_S + 5)
                answered = Client(master.port).request("POST", "/v1/jobs", {"name": "after"})[0]
                self.assertEqual(answered, 201, way)
                print(f"\n| F8 failover, {way} | failovers 1 | {outages.take():.2f} s without an answer |")
                if way == "killed":
                    old.start()
                old.resume()
            outages.end()
            # The primary that the Sentinels name is the one with the jobs.
            self.assertGreater(int(group.settled().cli("DBSIZE")), 0)

    def test_work_survives_asked_failovers(self):
        with Group() as group, self.serving(group, *(() if IN_MEMORY else ("--threads", "2"))) as master:
            load = Load(master.port, 3000 if LONG else 600)

            def disturb():
                for _ in range(10 if LONG else 2):
                    old = group.settled()
                    # Sentinels promote a replica without waiting until it has every write. So there are no writes meanwhile.
                    old.cli("CLIENT", "PAUSE", "20000", "WRITE")
                    time.sleep(0.5)
                    group.sentinels[0].cli("SENTINEL", "FAILOVER", "main")
                    group.primary_other_than(old)

            load.run(disturb)
            self.assertEqual(len(set(load.acknowledged)), load.jobs)

    def replicated(self, how, disturb, rounds):
        """Pushes all the time while `disturb` takes the primary away. Jobs that were answered as replicated are there afterwards."""
        with Group("--appendonly", "yes") as group, self.serving(group, "--durability", "replicated") as master:
            kept, levels, over = [], collections.Counter(), threading.Event()

            def push(number):
                client = Client(master.port)
                for count in itertools.count():
                    if over.is_set():
                        return
                    job = {"name": "a", "argument": count, "idempotency_key": f"{number}-{count}"}
                    _, answer = client.insist("POST", "/v1/jobs", job)
                    levels[answer["durability"]] += 1
                    if answer["durability"] == "replicated":
                        kept.append(answer["id"])

            threads = [threading.Thread(target=push, args=(n,), daemon=True) for n in range(6)]
            for thread in threads:
                thread.start()
            for _ in range(rounds):
                old, had = group.settled(), len(kept)
                until(lambda: len(kept) > had + 50, 60, "replicated jobs")
                time.sleep(0.5)
                disturb(group, old)
            group.settled()
            over.set()
            for thread in threads:
                thread.join(60)
            client = Client(master.port)
            lost = [identity for identity in kept if client.insist("GET", f"/v1/jobs/{identity}")[0] != 200]
            print(f"\n| F8 replicated, {how} | enqueued {sum(levels.values())} | failovers {rounds} | lost {len(lost)} "
                  f"| answered {dict(levels)} |")
            self.assertEqual(lost, [])
            self.assertGreater(len(kept), 100)

    def test_replicated_jobs_survive_the_death_of_the_primary(self):
        def kill(group, old):
            old.kill()
            group.primary_other_than(old)
            old.start()

        self.replicated("killed", kill, 8 if LONG else 2)

    def test_replicated_jobs_survive_an_asked_failover(self):
        """The old primary lives on, and learns late that it is a primary no longer."""
        def ask(group, old):
            until(lambda: group.sentinels[0].cli("SENTINEL", "FAILOVER", "main") == "OK", 60, "the failover is accepted")
            group.primary_other_than(old)

        self.replicated("asked", ask, 16 if LONG else 4)

    def test_passwords_are_used_and_a_dead_sentinel_is_passed_over(self):
        with Group(password="s3cret") as group:
            group.sentinels[0].kill()
            with self.serving(group) as master:
                self.assertEqual(Client(master.port).insist("POST", "/v1/jobs", {"name": "a"})[0], 201)
                self.assertIn(f"redis sentinel://127.0.0.1:{group.sentinels[0].port}", master.log())
                self.assertNotIn("s3cret", master.log())

    def test_the_doctor_names_why_a_failover_could_lose_jobs(self):
        with Group() as group, self.serving(group) as master:
            client = Client(master.port)

            def findings():
                return {finding["word"]: finding["message"] for finding in client.insist("GET", "/v1/doctor")[1]["findings"]}

            self.assertIn("Sentinels choose the primary, and min-replicas-to-write is 0", findings()["not_fenced"])
            self.assertNotIn("replica_missing", findings())
            group.servers[0].cli("CONFIG", "SET", "min-replicas-to-write", "1")
            self.assertNotIn("not_fenced", findings())
            away = f"127.0.0.1:{group.servers[2].port}"

            def missing():
                message = findings().get("replica_missing", "")
                return message if "may become the primary" in message and away in message.split(" By the addresses")[0] else None

            group.servers[2].pause()
            # Redis still lists it, but it does not follow.
            self.assertNotIn(away, until(missing, 60, "a finding").split("By the addresses")[1])
            group.servers[2].resume()
            until(lambda: not missing(), 60, "it follows again")
            group.servers[2].kill()
            until(missing, 60, "a finding")

    def test_the_doctor_says_when_no_server_may_take_over(self):
        with Group() as group, self.serving(group) as master:
            client = Client(master.port)
            for priority, none in ("0", True), ("100", False):
                for server in group.servers[1:]:
                    server.cli("CONFIG", "SET", "replica-priority", priority)

                def says():
                    findings = client.insist("GET", "/v1/doctor")[1]["findings"]
                    return "no_successor" in [finding["word"] for finding in findings]

                until(lambda none=none: says() == none, 60, "what the Sentinels hear")

    def test_a_name_that_no_sentinel_knows_is_reported(self):
        with Group() as group:
            words = ["--redis", group.url.replace("/main", "/other"), "--listen", "127.0.0.1:0"]
            done = subprocess.run([PROGRAMS / "junband", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn('no primary called "other"', done.stderr)


if __name__ == "__main__":
    unittest.main()
