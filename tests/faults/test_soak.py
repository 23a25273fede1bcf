"""A steady load runs for a long time at half of the possible rate. Afterwards keys, memory and descriptors are as they were before."""

import collections
import os
import threading
import time
import unittest

from clients import report_of
from rig import Client, Rig, until
from test_redis import resident_mib, sanitized
from tier import LONG, row, span_s

SECONDS = float(os.environ.get("JUNBAN_SOAK_S") or span_s(6, 1800))
WARM_S = span_s(3, 60)
WORKERS = 4
BATCH = 20
DAILY = ("st", "ser")  # statistics and series have keys for each day
PASSING = ("nonce", "owner", "probe", "rcp", "shared")  # Redis drops these by itself

KINDS = """
local kinds = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
    local kind = string.match(key, '}:([a-z_]+)') or key
    kinds[#kinds + 1] = kind
end
return kinds
"""


class Steady:
    """Pushes at a pace and works as fast as jobs come, with a failure and a fetched result now and then."""

    def __init__(self, ports, per_second):
        self.ports, self.per_second = ports, per_second
        self.stop, self.drained = threading.Event(), threading.Event()
        self.pushed, self.done, self.trips, self.wrong = 0, 0, [], []
        self.open = collections.Counter()  # for each job: 1 when acknowledged, minus its accepted successes
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.guard, args=(self.push,), daemon=True)]
        self.threads += [threading.Thread(target=self.guard, args=(self.work, n), daemon=True) for n in range(WORKERS)]

    def guard(self, run, *words):
        try:
            run(*words)
        except Exception as error:  # pylint: disable=broad-except
            self.wrong.append(f"{type(error).__name__}: {error}")
            self.drained.set()  # so that no thread waits for ever

    def push(self):
        client, begun = Client(self.ports[0]), time.monotonic()
        kept = []
        while not self.stop.is_set():
            jobs = [{"name": f"soak{n % 3}", "argument": bytes(200), "keep_result": n == 0, "max_retry": 1, "backoff": {"base": 0},
                     "group": f"group{n % 2}"} for n in range(BATCH)]
            results = client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]
            kept.append(results[0]["id"])
            with self.lock:
                self.tell((result["id"] for result in results), 1)
                self.pushed += BATCH
            if len(kept) > 50:
                client.ok("GET", f"/v1/jobs/{kept.pop(0)}/result?wait=30")
            if self.per_second:
                time.sleep(max(0, begun + self.pushed / self.per_second - time.monotonic()))
            elif self.pushed - self.done > 2000:
                time.sleep(0.01)
        for identity in kept:
            client.ok("GET", f"/v1/jobs/{identity}/result?wait=30")
        until(lambda: self.done >= self.pushed, 60, "all is done")
        self.drained.set()

    def work(self, number):
        client, reports = Client(self.ports[number % len(self.ports)]), []
        while not self.drained.is_set() or reports:
            begun = time.monotonic()
            body = {"worker": f"w{number}", "outcomes": reports, "claim": {"limit": BATCH, "wait": 0.5}}
            answer = client.ok("POST", "/v1/outcomes", body)
            if reports and len(answer["jobs"]) == BATCH:
                self.trips.append(time.monotonic() - begun)
            with self.lock:
                done = [report["id"] for report, result in zip(reports, answer["results"]) if result["state"] == "succeeded"]
                self.tell(done, -1)
                self.done += len(done)
            reports = [self.report(job, at)["body"] for at, job in enumerate(answer["jobs"])]

    def tell(self, ids, step):
        """Counts for each job. It may go below 0 for a moment: a success can be known before the acknowledgement of its job."""
        for identity in ids:
            self.open[identity] += step
            if not self.open[identity]:
                del self.open[identity]

    def report(self, job, at):
        if job["attempt"] == 1 and at == 7:
            return report_of(job, "failure", at, should_retry=True)
        return report_of(job, "success", at)

    def run(self, seconds):
        for thread in self.threads:
            thread.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.wrong:
            time.sleep(0.1)
        self.stop.set()
        for thread in self.threads:
            thread.join(120)
            if thread.is_alive():
                self.wrong.append("a client hangs")
        return self.done

    def p99_ms(self):
        return 1000 * sorted(self.trips)[int(len(self.trips) * 0.99)] if self.trips else 0.0


class Soak(unittest.TestCase):
    def kinds(self, rig):
        counted = collections.Counter(rig.redis.cli("EVAL", KINDS, "0").split())
        return {kind: count for kind, count in counted.items() if kind not in DAILY + PASSING}

    def descriptors(self, master):
        return len(os.listdir(f"/proc/{master.process.pid}/fd"))

    def settled(self, rig):
        """Waits until no job and no result is left. Returns how many keys of each kind there are."""
        def look():
            kinds = self.kinds(rig)
            return "j" not in kinds and "res" not in kinds and kinds
        return until(look, 150, "all is purged")

    def memory(self, rig):
        rig.redis.cli("MEMORY", "PURGE")
        return int(next(line for line in rig.redis.cli("INFO", "memory").splitlines() if line.startswith("used_memory:")).split(":")[1])

    def test_l2_after_a_steady_load_all_is_as_before(self):
        with Rig(2, settings=("save", "")) as rig:
            client = Client(rig.ports[0])
            client.ok("PUT", "/v1/retention", {state: {"age": 1} for state in ("succeeded", "failed", "cancelled")})
            warm = Steady(rig.ports, None)
            capacity = warm.run(WARM_S) / WARM_S
            self.assertEqual(warm.wrong, [])
            before = self.settled(rig)
            memory, descriptors = self.memory(rig), [self.descriptors(master) for master in rig.masters]
            resident = [resident_mib(master) for master in rig.masters]
            steady = Steady(rig.ports, capacity / 2)
            with row("L2 soak", jobs=0, lost="not counted", half_of=f"{capacity:.0f} jobs/s for {SECONDS:.0f} s") as told:
                done = steady.run(SECONDS)
                told.update(jobs=done, operations=2 * done, lost=sum(step for step in steady.open.values() if step > 0),
                            duplicates=sum(-step for step in steady.open.values() if step < 0))
                self.assertEqual(steady.wrong, [])
                after = self.settled(rig)
                grown = [resident_mib(master) - was for master, was in zip(rig.masters, resident)]
                more = self.memory(rig) - memory
                told.update(keys=f"{sum(before.values())} before, {sum(after.values())} after", redis=f"{more / 1024:+.0f} KiB",
                            masters=f"{max(grown):+.1f} MiB")
                told["p99 of a trip"] = f"{steady.p99_ms():.1f} ms, flat out {warm.p99_ms():.1f} ms"
            self.assertEqual(steady.open, {})
            # A cause of failure that is met late keeps its group for 30 days.
            self.assertEqual(*({kind: count for kind, count in kinds.items() if not kind.startswith("fg")} for kinds in (after, before)))
            # Masters close the connections of clients that have gone, so no descriptor is left open.
            until(lambda: [self.descriptors(master) for master in rig.masters] <= descriptors, 100, "descriptors are closed")
            if LONG:
                self.assertLess(more, 0.01 * memory + 256 * 1024)  # it may have become less: what the load before had left is gone
            if LONG and not sanitized():
                self.assertLess(max(grown), 0.5 + SECONDS / 3600)  # 1 MiB an hour, and some pages
            rig.stop_masters()


if __name__ == "__main__":
    unittest.main()
