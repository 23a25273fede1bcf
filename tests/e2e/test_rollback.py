"""Redis comes back with less than it had answered, and the masters report it. After an ordinary restart they report nothing."""

import os
import shutil
import signal
import subprocess
import threading
import time
import unittest

from harness import PROGRAMS, Client, Master, until
from redisserver import Redis
from test_crashes import Load
from tier import row, turns

AOF = ("--appendonly", "yes", "--appendfsync", "everysec")


def serving(redis, directory=None):
    return Master(directory=directory, arguments=["--redis", redis.url])


class Rollbacks(unittest.TestCase):
    def push(self, client, count):
        for number in range(count):
            self.assertIn(client.insist("POST", "/v1/jobs", {"name": "a", "argument": number})[0], (200, 201))

    def copy_files(self, redis):
        files = os.path.join(redis.directory, "appendonlydir")
        kept = os.path.join(redis.directory, "kept")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(files, kept)
        return files, kept

    def test_an_older_copy_is_noticed_by_a_master_that_runs(self):
        with Redis(*AOF) as redis, serving(redis) as master:
            client = Client(master.port)
            self.push(client, 20)
            redis.kill(signal.SIGTERM)
            files, kept = self.copy_files(redis)
            redis.start()
            before = int(until(lambda: redis.cli("GET", "jq:{default}:tx"), what="a count"))
            self.push(client, 50)
            self.assertNotIn("rollback", client.overview())
            redis.kill(signal.SIGTERM)
            last = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
            shutil.rmtree(files)
            os.rename(kept, files)
            redis.start()
            client.insist("POST", "/v1/jobs", {"name": "a"})
            rollback = until(lambda: client.overview().get("rollback"), 60, "the rollback")
            self.assertGreaterEqual(rollback["transactions_lost"], 40, before)
            self.assertGreaterEqual(rollback["seen_at"], last)
            self.assertIn("came back without", master.log())

    def test_an_older_copy_is_noticed_by_a_master_that_starts(self):
        with Redis(*AOF) as redis, serving(redis) as master:
            client = Client(master.port)
            self.push(client, 20)
            redis.kill(signal.SIGTERM)
            files, kept = self.copy_files(redis)
            redis.start()
            self.push(client, 50)
            time.sleep(2.5)
            self.assertEqual(master.kill(signal.SIGTERM), 0)
            # Nothing was lost, so a new start reports nothing.
            master.start()
            time.sleep(1.5)
            self.assertNotIn("rollback", Client(master.port).overview())
            self.assertEqual(master.kill(signal.SIGTERM), 0)
            redis.kill(signal.SIGTERM)
            shutil.rmtree(files)
            os.rename(kept, files)
            redis.start()
            master.start()
            rollback = until(lambda: Client(master.port).overview().get("rollback"), 60, "the rollback")
            self.assertGreaterEqual(rollback["transactions_lost"], 40)

    def test_another_dataset_in_its_place_is_noticed(self):
        with Redis(*AOF) as redis, serving(redis) as master:
            client = Client(master.port)
            self.push(client, 20)
            time.sleep(2.5)
            self.assertNotIn("rollback", client.overview())
            redis.cli("FLUSHALL")
            self.push(client, 1)
            self.assertGreaterEqual(until(lambda: client.overview().get("rollback"), 60, "the rollback")["transactions_lost"], 20)

    def test_kills_of_redis_lose_nothing_or_are_reported(self):
        """With everysec there is a report exactly when jobs are lost. With always no job is lost."""
        for fsync in ("everysec", "always"):
            with Redis("--appendonly", "yes", "--appendfsync", fsync) as redis, serving(redis) as master:
                acknowledged, over = [], threading.Event()

                def push(number):
                    client = Client(master.port)
                    while not over.is_set():
                        acknowledged.append(client.insist("POST", "/v1/jobs", {"name": f"n{number}"})[1]["id"])

                threads = [threading.Thread(target=push, args=(n,), daemon=True) for n in range(4)]
                for thread in threads:
                    thread.start()
                kills = 0
                for _ in turns(4, 50):
                    time.sleep(0.7)
                    redis.restart()
                    kills += 1
                over.set()
                for thread in threads:
                    thread.join(60)
                client = Client(master.port)
                time.sleep(1.5)
                lost = [identity for identity in acknowledged if client.insist("GET", f"/v1/jobs/{identity}")[0] != 200]
                told = "rollback" in client.overview()
                with row(f"F2 Redis killed, {fsync}", enqueued=len(acknowledged), kills=kills, lost=len(lost), told="yes" if told else "no"):
                    pass
                self.assertEqual(bool(lost), told)
                if fsync == "always":
                    self.assertEqual(lost, [])

    def test_killed_masters_report_no_rollback(self):
        with Master() as master:
            load = Load(master.port, 200)

            def disturb():
                for _ in range(3):
                    time.sleep(0.5)
                    master.kill()
                    master.start()

            load.run(disturb)
            time.sleep(1.5)
            self.assertNotIn("rollback", Client(master.port).overview())


class Doctors(unittest.TestCase):
    def words(self, client):
        # A master that has just started may not have reached Redis yet, so it insists. `slow` is left out: the machine may be busy.
        status, answer = client.insist("GET", "/v1/doctor")
        self.assertEqual(status, 200, answer)
        return {finding["word"] for finding in answer["findings"]} - {"slow"}

    def test_the_doctor_sees_what_changes_while_a_master_runs(self):
        with Redis(*AOF) as redis, serving(redis) as master:
            client = Client(master.port)
            self.assertEqual(self.words(client), {"no_maxmemory"})
            for begin, end, word in (
                (("maxmemory-policy", "allkeys-lru"), ("maxmemory-policy", "noeviction"), "evicting"),
                (("appendfsync", "no"), ("appendfsync", "everysec"), "no_fsync"),
                (("appendonly", "no"), ("appendonly", "yes"), "not_durable"),
                (("maxmemory", redis.info("memory", "used_memory")), ("maxmemory", "0"), "memory_near"),
                (("client-output-buffer-limit", "pubsub 1000 0 0"), ("client-output-buffer-limit", "pubsub 33554432 8388608 60"),
                 "small_pubsub_buffer"),
            ):
                self.assertEqual(redis.cli("CONFIG", "SET", *begin), "OK")
                self.assertIn(word, self.words(client))
                self.assertEqual(redis.cli("CONFIG", "SET", *end), "OK")
                self.assertNotIn(word, self.words(client))
            control = [PROGRAMS / "junbanctl", "doctor", "--url", f"http://127.0.0.1:{master.port}"]
            done = subprocess.run(control, capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("warning no_maxmemory:", done.stdout)
            redis.cli("CONFIG", "SET", "maxmemory", "1gb")
            done = subprocess.run(control, capture_output=True, text=True, timeout=30)
            self.assertIn((done.returncode, done.stdout.split(":")[0]), ((0, "nothing found\n"), (1, "warning slow")))


if __name__ == "__main__":
    unittest.main()
