"""Redis is killed, frozen, full, or comes back with less than it had."""

import os
import random
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from clients import report_of
from load import Load, verdict
from rig import IN_MEMORY, PROGRAMS, Client, Redis, Rig, fresh_seed, until
from tier import LONG, row, turns

# Compares the indexes of a namespace with its jobs: each job is in the index of its state and in no other, and each indexed job exists.
PLACES = r"""
local P, wrong, places = 'jq:{default}:', {}, {}
local function bad(what, id)
    wrong[#wrong + 1] = what .. ' ' .. string.gsub(id, '.', function(c) return string.format('%02x', c:byte()) end)
end
local function place(id, where) places[id] = (places[id] or '') .. where end
for _, key in ipairs(redis.call('KEYS', P .. 'lane:*')) do
    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do place(id, '3') end
end
for set, state in pairs({ sched = '1', depends = '2', run = '4', await = '5', succeeded = '6', failed = '7', cancelled = '8' }) do
    if redis.call('TYPE', P .. set)['ok'] == 'zset' then
        for _, id in ipairs(redis.call('ZRANGE', P .. set, 0, -1)) do place(id, state) end
    end
end
local jobs = 0
for _, key in ipairs(redis.call('KEYS', P .. 'j:*')) do
    jobs = jobs + 1
    local id = string.sub(key, #P + 3)
    local state = redis.call('HGET', P .. 's:' .. id, 'st') or '3'
    if places[id] ~= state then bad('a job of state ' .. state .. ' stands at ' .. (places[id] or 'no place'), id) end
    places[id] = nil
end
for id, where in pairs(places) do bad('indexed at ' .. where .. ' but gone', id) end
wrong[#wrong + 1] = jobs .. ' jobs'
return table.concat(wrong, '\n')
"""


def newest_file(rig):
    """The append-only file to which Redis writes."""
    folder = os.path.join(rig.directory, "appendonlydir")
    return max((os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".incr.aof")), key=os.path.getmtime)


def told_again(rig, name):
    """How many answered batches the engine in memory has written again because Redis had lost them."""
    lost = [int(number) for master in rig.masters for number in re.findall(r"Redis had lost (\d+) answered batches", master.log())]
    if IN_MEMORY:
        print(f"\n| {name} | faults {len(lost)} | sent again {sum(lost)} batches |", flush=True)
    return sum(lost)


def resident_mib(master):
    with open(f"/proc/{master.process.pid}/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


def sanitized():
    """Whether junband has sanitizers. They keep freed memory for a while, so growth says nothing then."""
    return "libasan" in subprocess.run(["ldd", PROGRAMS / "junband"], capture_output=True, text=True, check=True).stdout


class RedisFaults(unittest.TestCase):
    def kill_redis(self, fsync, shaky_ms):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(2, settings=("appendfsync", fsync)) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.004).start()
            for _ in turns(2, 50):
                time.sleep(source.uniform(3, 8) if LONG else source.uniform(1.5, 2.5))
                rig.redis.kill()
                rig.record.fault("kill redis", shaky_ms)
                time.sleep(source.uniform(0, 1))
                rig.redis.start()
            figures = verdict(self, f"F2 kill -9 Redis, {fsync}", load, load.settle())
            told_again(rig, f"F2 kill -9 Redis, {fsync}, healed")
            rig.stop_masters()
        return figures

    def test_f2_redis_is_killed_with_everysec(self):
        self.kill_redis("everysec", 0 if IN_MEMORY else 2000)  # the engine in memory writes again what Redis forgot

    def test_f2_redis_is_killed_with_always(self):
        self.kill_redis("always", 0)

    @unittest.skipUnless(IN_MEMORY, "with scripts what a file has lost is gone")
    def test_f3_a_file_that_is_cut_while_the_master_lives_is_healed(self):
        """Redis loses all that it wrote since a random byte; the master writes it again."""
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(1) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.004).start()
            for _ in turns(3, 50):
                increment = newest_file(rig)
                before = os.path.getsize(increment)
                time.sleep(source.uniform(1.5, 4))
                rig.redis.kill()
                rig.record.fault("cut file", 0)
                self.assertEqual(newest_file(rig), increment)
                os.truncate(increment, source.randrange(before, os.path.getsize(increment)))
                rig.redis.start()
            verdict(self, "F3 file cut under a living master", load, load.settle())
            self.assertGreater(told_again(rig, "F3 file cut under a living master, healed"), 0)
            rig.stop_masters()

    def test_f3_redis_starts_from_any_prefix_of_its_file(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(1) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.002, cancels=0.1).start()
            load.push_until(jobs=2000 if LONG else 300, seconds=60)
            rig.redis.kill()
            rig.record.fault("kill redis", 2000)
            with tempfile.TemporaryDirectory() as saved:
                folder = shutil.copytree(os.path.join(rig.directory, "appendonlydir"), os.path.join(saved, "appendonlydir"))
                rig.redis.start()
                verdict(self, "F3 after a restart", load, load.settle())
                rig.stop_masters()
                self.cut(folder, source, seed)

    def cut(self, folder, source, seed):
        """Starts a server from the saved file as it was at random moments, and checks the indexes each time."""
        increment = next(name for name in os.listdir(folder) if name.endswith(".incr.aof"))
        size = os.path.getsize(os.path.join(folder, increment))
        self.assertGreater(size, 100_000)
        found, counts = [], []
        with row("F3 AOF prefix", cuts=0, violations=0, seed=seed) as told:
            for _ in turns(12, 1000):
                cut = source.randrange(size)
                with tempfile.TemporaryDirectory() as directory:
                    shutil.copytree(folder, os.path.join(directory, "appendonlydir"))
                    os.truncate(os.path.join(directory, "appendonlydir", increment), cut)
                    redis = Redis(directory, "aof-load-truncated", "yes")
                    *wrong, jobs = redis.cli("EVAL", PLACES, "0").strip().split("\n")
                    redis.kill()
                counts.append(int(jobs.split()[0]))
                found += [f"cut at {cut} of {size}: {line}" for line in wrong]
                told.update(cuts=len(counts), jobs=f"{min(counts)} to {max(counts)}", violations=len(found))
        self.assertEqual(found[:20], [])
        self.assertGreater(max(counts), min(counts))

    def test_f5_redis_and_masters_are_frozen(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(2) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.01).start()
            load.push_until(jobs=50, seconds=30)
            before = [resident_mib(master) for master in rig.masters]
            for turn in turns(3, 200):
                time.sleep(source.uniform(0.3, 1))
                seconds = source.uniform(1, 20) if LONG else source.uniform(1, 3)
                if turn % 2:
                    rig.record.fault("freeze master")
                    master = source.choice(rig.masters).process
                    master.send_signal(19)
                    time.sleep(seconds)
                    master.send_signal(18)
                else:
                    rig.record.fault("freeze redis")
                    rig.redis.pause(seconds)
            verdict(self, "F5 SIGSTOP of Redis and masters", load, load.settle())
            grown = max(resident_mib(master) - was for master, was in zip(rig.masters, before))
            print(f"| F5 memory | a master grew by {grown:.0f} MiB at most |")
            if not sanitized():
                self.assertLess(grown, 64)
            for master in rig.masters:
                self.assertNotRegex(master.log(), re.compile("readonly|rollback", re.I))
            rig.stop_masters()

    def test_f11_the_disk_is_full_now_and_then(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(2) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.004).start()
            client = Client(rig.ports[0])
            for _ in turns(2, 40):
                time.sleep(source.uniform(0.5, 1.5))
                rig.redis.fill_disk()
                rig.record.fault("full disk")
                until(lambda: "aof_last_write_status:err" in rig.redis.cli("INFO", "persistence"), 60, "a write that failed")
                until(lambda: client.request("GET", "/readyz")[0] == 503, 60, "not ready")
                if IN_MEMORY:  # what was decided before the refusal is written later, so the push waits until the refusal is known
                    nothing = {"worker": "x", "names": ["x"]}
                    until(lambda: client.request("POST", "/v1/claims", nothing)[1].get("code") == "store_readonly", 60, "a refusal")
                status, answer = client.request("POST", "/v1/jobs", {"name": "x"})
                self.assertEqual((status, answer["code"]), (503, "store_readonly"))
                self.assertGreater(answer["retry_after"], 0)
                time.sleep(source.uniform(0, 2))
                rig.redis.make_room()
                until(lambda: client.request("GET", "/readyz")[0] == 200, 60, "ready")
            verdict(self, "F11 full disk, everysec", load, load.settle())
            rig.stop_masters()

    def test_f11_a_full_disk_ends_a_redis_that_always_writes(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(2, settings=("appendfsync", "always", "aof-load-truncated", "yes")) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.004).start()
            for _ in turns(2, 40):
                time.sleep(source.uniform(0.5, 1.5))
                rig.redis.fill_disk()
                rig.record.fault("full disk")
                until(lambda: rig.redis.process.poll() is not None, 60, "Redis has ended")
                time.sleep(source.uniform(0, 1))
                rig.redis.start()
            verdict(self, "F11 full disk, always", load, load.settle())
            rig.stop_masters()

    def test_f12_redis_is_slow_and_busy_with_foreign_scripts(self):
        seed = fresh_seed()
        source = random.Random(seed)
        with Rig(2, settings=("busy-reply-threshold", "50", "enable-debug-command", "local")) as rig:
            load = Load(rig, seed, pushers=2, workers=4, pace=0.01).start()
            for turn in turns(4, 60):
                time.sleep(source.uniform(0.2, 1))
                if turn % 2:
                    rig.record.fault("DEBUG SLEEP")
                    rig.redis.cli("DEBUG", "SLEEP", f"{source.uniform(0.2, 1.5):.2f}")
                else:
                    rig.record.fault("busy script")
                    foreign = threading.Thread(target=rig.redis.cli, args=("EVAL", "while true do end", "0"))
                    foreign.start()
                    time.sleep(source.uniform(0.3, 1.5))
                    until(lambda: rig.redis.cli("SCRIPT", "KILL").startswith("OK"), 60, "the foreign script ended")
                    foreign.join()
            verdict(self, "F12 slow and busy Redis", load, load.settle())
            rig.stop_masters()

    def test_f10_a_full_redis_refuses_and_drains(self):
        seed = fresh_seed()
        with row("F10 full Redis", enqueued=0, refused=0, lost="not counted") as told, Rig(1, settings=("maxmemory", "64mb")) as rig:
            client = Client(rig.ports[0])
            refused = acknowledged = finished = 0
            body = {"name": "big", "argument": bytes(200_000)}
            while refused < 20:
                status, answer = client.request("POST", "/v1/jobs", body)
                self.assertIn(status, (201, 507), answer)
                refused += status == 507
                acknowledged += status == 201
                if status == 507:
                    self.assertEqual(answer["code"], "store_full")
            told.update(enqueued=acknowledged, refused=f"{refused} with 507", lost=acknowledged)
            while finished < acknowledged:
                jobs = client.ok("POST", "/v1/claims", {"worker": "w", "limit": 10, "wait": 5})["jobs"]
                self.assertTrue(jobs)
                outcomes = [report_of(job, "success")["body"] for job in jobs]
                results = client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": outcomes})["results"]
                self.assertEqual({result.get("state") for result in results}, {"succeeded"})
                finished += len(results)
                told["lost"] = acknowledged - finished
            states = client.overview()["states"]
            self.assertEqual([states[name] for name in ("ready", "running", "scheduled")], [0, 0, 0])
            self.assertEqual(client.request("POST", "/v1/jobs", body)[0], 507)  # the finished jobs still fill it
            rig.redis.cli("CONFIG", "SET", "maxmemory", "128mb")
            begun = time.monotonic()
            until(lambda: client.request("POST", "/v1/jobs", body)[0] == 201, 60, "enqueues go on")
            told.update({"resumed after": f"{time.monotonic() - begun:.2f} s", "seed": seed})
            rig.stop_masters()


if __name__ == "__main__":
    unittest.main()
