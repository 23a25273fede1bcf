"""The network splits. Jobs that a cut-off primary loses are reported, and what was answered as replicated is not lost."""

import collections
import random
import threading
import time
import unittest

from clients import iso
from rig import Client, Master, fresh_seed, now_ms, until
from tier import turns
from wall import WalledGroup

PUSHERS = 4


class Pushing:
    """Pushers that repeat a push until it is answered. Keeps each id with the durability that the answer named."""

    def __init__(self, port):
        self.port, self.over = port, threading.Event()
        self.acknowledged, self.levels, self.gap_s, self.last = [], collections.Counter(), 0.0, time.monotonic()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.push, args=(n,), daemon=True) for n in range(PUSHERS)]
        for thread in self.threads:
            thread.start()

    def push(self, number):
        client, count = Client(self.port), 0
        while not self.over.is_set():
            count += 1
            _, answer = client.insist("POST", "/v1/jobs", {"name": "a", "idempotency_key": f"{number}-{count}"}, seconds=120)
            level = answer.get("durability", "default")
            with self.lock:
                self.levels[level] += 1
                self.acknowledged.append((answer["id"], level))
                self.gap_s = max(self.gap_s, time.monotonic() - self.last)
                self.last = time.monotonic()
            time.sleep(0.01)

    def take(self):
        with self.lock:
            taken, gap_s = self.acknowledged, self.gap_s
            self.acknowledged, self.gap_s = [], 0.0
        return taken, gap_s

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(130)
            assert not thread.is_alive(), "a pusher hangs"


class Partition(unittest.TestCase):
    def lost_of(self, master, acknowledged):
        client = Client(master.port)
        return [(identity, level) for identity, level in acknowledged if client.insist("GET", f"/v1/jobs/{identity}")[0] == 404]

    def split(self, durability):
        """Cuts the primary off from its peers, or also from the masters, until there is another primary. Returns for each time how many
        jobs were acknowledged, at which levels, and which were lost."""
        seed = fresh_seed()
        source = random.Random(seed)
        losses, gaps = [], []
        with WalledGroup("--appendonly", "no") as group, Master(arguments=["--redis", group.url, "--force",
                                                                           "--durability", durability]) as master:
            for turn in turns(2, 20):
                old = group.settled()
                pushing = Pushing(master.port)
                time.sleep(source.uniform(0.5, 1.5))
                until(lambda: pushing.levels[durability] > 30, 60, "acknowledged jobs")
                begun = iso(now_ms())
                group.walls[old].shut("peers", *(("masters",) if turn % 2 else ()))
                until(lambda: group.primary() is not old, 60, "another primary")
                time.sleep(source.uniform(0.2, 1.5))
                group.walls[old].open()
                group.settled()
                time.sleep(0.5)
                pushing.end()
                acknowledged, gap_s = pushing.take()
                gaps.append(gap_s)
                lost = self.lost_of(master, acknowledged)
                losses.append((len(acknowledged), pushing.levels, lost))
                if lost:
                    rollback = until(lambda: Client(master.port).overview().get("rollback"), 60, "the rollback")
                    self.assertGreaterEqual(rollback["seen_at"], begun, f"an older rollback; seed {seed}")
            self.assertEqual(master.kill(15), 0)
        levels = sum((levels for _, levels, _ in losses), collections.Counter())
        print(f"\n| F8 partition, {durability} | enqueued {sum(count for count, _, _ in losses)} | failovers {len(losses)} "
              f"| lost {sum(len(lost) for _, _, lost in losses)} | of them replicated {sum(l == 'replicated' for _, _, lost in losses for _, l in lost)} "
              f"| answered {dict(levels)} | longest without an answer {max(gaps):.1f} s | seed {seed} |", flush=True)
        return losses

    def test_f8_what_a_primary_that_was_cut_off_loses_is_said(self):
        losses = self.split("default")
        self.assertGreater(sum(count for count, _, _ in losses), 50)

    def test_f8_what_was_answered_as_replicated_survives_a_split(self):
        losses = self.split("replicated")
        self.assertEqual([lost for _, _, lost in losses for lost in lost if lost[1] == "replicated"], [])
        self.assertGreater(sum(levels["replicated"] for _, levels, _ in losses), 50)

    def test_f8_masters_that_are_cut_off_say_so_and_go_on(self):
        with WalledGroup() as group, Master(arguments=["--redis", group.url, "--force"]) as master:
            client, primary = Client(master.port), group.settled()
            made = client.ok("POST", "/v1/jobs", {"name": "a"})["id"]
            group.walls[primary].shut("masters")
            status, answer = client.request("POST", "/v1/jobs", {"name": "a"})
            self.assertEqual((status, answer["code"]), (503, "store_unavailable"))
            until(lambda: client.request("GET", "/readyz")[0] == 503, 60, "not ready")
            self.assertIs(group.primary(), primary)  # its peers still reach it
            group.walls[primary].open()
            until(lambda: client.request("GET", "/readyz")[0] == 200, 60, "ready")
            self.assertEqual(client.insist("GET", f"/v1/jobs/{made}")[0], 200)
            self.assertNotIn("rollback", client.overview())
            self.assertEqual(master.kill(15), 0)


if __name__ == "__main__":
    unittest.main()
