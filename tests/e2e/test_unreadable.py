"""What is stored and cannot be read any more, as its time zone is gone or its record is damaged: that one matcher, schedule or job is held
and named, everything else goes on, and a request mends it."""

import itertools
import os
import pathlib
import re
import shutil
import socket
import struct
import tempfile
import time
import unittest

import msgpack
from harness import Client, Master, success, until

DATABASE = pathlib.Path("/usr/share/zoneinfo")
ALWAYS = [{"from": "00:00", "to": "24:00"}]
GARBAGE = [b"garbage", b"", b"\xc1\xff\x00", b"\xff", msgpack.packb({"title": 5}), msgpack.packb([1, 2, 3])]


class Redis:
    """Commands to the embedded Redis, to damage what is in it."""

    def __init__(self, directory):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(os.path.join(directory, "redis.sock"))
        self.file = self.socket.makefile("rb")

    def close(self):
        self.file.close()
        self.socket.close()

    def __call__(self, *words):
        words = [word.encode() if isinstance(word, str) else word for word in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        return self.reply()

    def reply(self):
        line = self.file.readline()[:-2]
        kind, rest = line[:1], line[1:]
        assert kind != b"-", line
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest


class Stored(unittest.TestCase):
    """A master with a database of time zones of its own, which has only what a test leaves in it."""

    ZONES = ("Asia/Tokyo", "Europe/Berlin", "America/Los_Angeles", "US/Pacific")

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="junban-unreadable-")
        self.zones = pathlib.Path(self.directory, "zoneinfo")
        for name in self.ZONES:
            (self.zones / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(DATABASE / name, self.zones / name)
        self.master = Master(self.directory, environment={"TZDIR": str(self.zones)})
        self.master.start()
        self.addCleanup(self.clean)
        self.client = Client(self.master.port)
        self.got = []

    def clean(self):
        self.master.kill()
        self.master.kill_redis()
        shutil.rmtree(self.directory, ignore_errors=True)

    def restart(self, without=None, damage=None):
        """Starts the master again, without a zone, or after something was damaged in its Redis."""
        self.master.kill()
        if without:
            (self.zones / without).rename(self.zones / "kept")
        if damage:
            redis = Redis(self.directory)
            damage(redis)
            redis.close()
        self.master.start()
        self.client = Client(self.master.port)

    def matcher(self, identity, expression, *constraints, **fields):
        body = {"title": identity, "expression": expression, "constraints": list(constraints), **fields}
        status, answer = self.client.request("PUT", f"/v1/matchers/{identity}", body, fields=self.as_it_is(identity))
        self.assertIn(status, (200, 201), answer)
        return answer

    def as_it_is(self, identity):
        status, answer = self.client.request("GET", f"/v1/matchers/{identity}")
        return {"If-None-Match": "*"} if status == 404 else {"If-Match": f'"{answer["revision"]}"'}

    def delete_matcher(self, identity):
        status, answer = self.client.request("DELETE", f"/v1/matchers/{identity}", fields=self.as_it_is(identity))
        self.assertEqual(status, 200, answer)

    def push(self, name, **fields):
        return self.client.ok("POST", "/v1/jobs", {"name": name, **fields})["id"]

    def claim(self, *names):
        return self.client.ok("POST", "/v1/claims", {"worker": "w", "names": list(names), "limit": 10, "wait": 0})["jobs"]

    def claimed(self, *names):
        """The ids of all jobs that were claimed so far."""
        self.got += [job["id"] for job in self.claim(*names)]
        return sorted(self.got)

    def gates(self, job):
        return {gate["gate"]: gate for gate in self.client.ok("GET", f"/v1/jobs/{job}/explain")["gates"]}

    def unreadable(self):
        return {(row["what"], row["id"]): row["why"]["detail"] for row in self.client.overview().get("unreadable", [])}

    def held(self, job, word=""):
        gate = until(lambda: self.gates(job).get("unreadable"), what="held")
        self.assertEqual(gate["status"], "holding")
        self.assertIn(word, gate["why"]["detail"])
        self.assertTrue(gate["why"]["reason"])
        return gate

    def others_go_on(self):
        job = self.push("other")
        [claimed] = self.claim("other")
        self.assertEqual(claimed["id"], job)
        self.client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(claimed, 1)]})
        for path in ("jobs", "matchers", "constraints", "held", "schedules", "overview", "names", "pauses", "tokens"):
            self.client.ok("GET", f"/v1/{path}")


class Zones(Stored):
    def test_a_matcher_whose_zone_is_gone_holds_its_jobs_until_it_is_mended(self):
        zoned = {"kind": "window", "allow": ALWAYS, "tz": "Asia/Tokyo"}
        self.matcher("tokyo", "job.name == 'fax'", zoned)
        before = self.push("fax")
        self.restart(without="Asia/Tokyo")
        after = self.push("fax")
        self.others_go_on()
        for job in (before, after):
            self.assertEqual(self.held(job, "'Asia/Tokyo'")["matcher"], "tokyo")
        until(lambda: [(by["kind"], by["matcher"], by["jobs"]) for by in self.client.overview()["held"]["by"]] == [("unreadable", "tokyo", 2)],
              what="both are held")
        self.assertEqual(self.claim("fax"), [])
        self.assertIn("Asia/Tokyo", self.unreadable()["matcher", "tokyo"])
        why = self.client.ok("GET", "/v1/matchers/tokyo")["unreadable"]
        self.assertEqual((why["reason"], why["values"]), ("time_zone_lost", {"zone": "Asia/Tokyo"}))
        self.assertIn("'Asia/Tokyo'", why["detail"])
        for row in self.client.ok("GET", "/v1/jobs?name=fax")["jobs"]:
            self.assertEqual((row["held_by"]["kind"], row["held_by"]["matcher"]), ("unreadable", "tokyo"))
        self.assertIn("'tokyo' cannot be read any more", self.master.log())
        found = self.client.ok("GET", "/v1/doctor")
        self.assertIn("Asia/Tokyo", str(found))
        self.matcher("tokyo", "job.name == 'fax'", {**zoned, "tz": "Europe/Berlin"})
        until(lambda: self.claimed("fax") == sorted([before, after]), what="both are claimed")
        self.assertEqual(self.unreadable(), {})

    def test_a_zone_that_comes_back_opens_what_it_held(self):
        self.matcher("tokyo", "job.name == 'fax'", {"kind": "rate", "limit": 100, "period": 60, "algorithm": "fixed", "tz": "Asia/Tokyo"})
        self.restart(without="Asia/Tokyo")
        job = self.push("fax")
        self.held(job, "Asia/Tokyo")
        (self.zones / "kept").rename(self.zones / "Asia/Tokyo")
        self.restart()
        until(lambda: self.claimed("fax") == [job], what="claimed")

    def test_a_matcher_whose_zone_is_gone_can_be_deleted(self):
        self.matcher("tokyo", "job.name == 'fax'", {"kind": "window", "allow": ALWAYS, "tz": "Asia/Tokyo"})
        self.restart(without="Asia/Tokyo")
        job = self.push("fax")
        self.held(job, "Asia/Tokyo")
        self.delete_matcher("tokyo")
        until(lambda: self.claimed("fax") == [job], what="claimed")

    def test_an_expression_with_a_zone_that_is_gone_holds_the_jobs_that_it_may_match(self):
        self.matcher("night", "job.name == 'fax' && timestamp(job.argument.at).getHours('Asia/Tokyo') < 24", {"kind": "concurrency", "limit": 1})
        self.restart(without="Asia/Tokyo")
        job = self.push("fax", argument={"at": "2026-01-02T03:04:05Z"})
        self.held(job, "Asia/Tokyo")
        self.others_go_on()

    def test_old_names_go_on_working_where_only_the_new_ones_are(self):
        self.matcher("west", "job.name == 'fax'", {"kind": "window", "allow": ALWAYS, "tz": "US/Pacific"})
        self.client.ok("PUT", "/v1/schedules/west", {"cron": "0 0 1 1 *", "tz": "US/Pacific", "job": {"name": "x"}})
        due = self.client.ok("GET", "/v1/schedules/west")["next_runs"]
        job = self.push("fax", windows=[{**ALWAYS[0], "tz": "US/Pacific"}])
        self.restart(without="US/Pacific")
        until(lambda: self.claimed("fax") == [job], what="claimed")
        schedule = self.client.ok("GET", "/v1/schedules/west")
        self.assertEqual((schedule["next_runs"], schedule["tz"], schedule.get("unreadable")), (due, "US/Pacific", None))
        self.matcher("newer", "job.name == 'y'", {"kind": "window", "allow": ALWAYS, "tz": "US/Pacific"})
        self.assertEqual(self.unreadable(), {})

    def test_a_job_whose_zone_is_gone_waits_and_loses_no_attempt(self):
        job = self.push("fax", windows=[{**ALWAYS[0], "tz": "Asia/Tokyo"}], timeout=1, max_retry=0)
        self.restart(without="Asia/Tokyo")
        for _ in range(8):
            self.assertEqual(self.claim("fax"), [])
            time.sleep(0.3)
        self.others_go_on()
        self.held(job, "Asia/Tokyo")
        now = self.client.ok("GET", f"/v1/jobs/{job}")
        self.assertEqual((now["state"], now["failures"], now["attempts"]), ("scheduled", 0, []))
        [row] = self.client.ok("GET", "/v1/jobs?name=fax")["jobs"]
        self.assertEqual(row["held_by"]["kind"], "unreadable")
        self.assertIn("Asia/Tokyo", self.unreadable()["job", job])

    def test_a_schedule_whose_zone_is_gone_is_named_and_mended(self):
        self.client.ok("PUT", "/v1/schedules/tokyo", {"cron": "* * * * *", "tz": "Asia/Tokyo", "job": {"name": "tick"}})
        self.client.ok("PUT", "/v1/schedules/fine", {"every": 1, "job": {"name": "tock"}})
        self.restart(without="Asia/Tokyo")
        until(lambda: self.claim("tock"), what="the other schedule fires")
        for schedule in (self.client.ok("GET", "/v1/schedules/tokyo"), self.client.ok("GET", "/v1/schedules")["schedules"][1]):
            self.assertEqual((schedule["unreadable"]["reason"], schedule["unreadable"]["values"]), ("time_zone_lost", {"zone": "Asia/Tokyo"}))
        self.client.ok("POST", "/v1/schedules/tokyo/pause")
        self.assertEqual(self.client.request("POST", "/v1/schedules/tokyo/resume")[0], 409)
        self.client.ok("PUT", "/v1/schedules/tokyo", {"cron": "* * * * *", "tz": "Europe/Berlin", "job": {"name": "tick"}})
        self.assertNotIn("unreadable", self.client.ok("GET", "/v1/schedules/tokyo"))

    def test_names_that_are_no_zones_are_refused(self):
        window = {"kind": "window", "allow": ALWAYS}
        for name in ("localtime", "posixrules", "Factory", "posix/Europe/Berlin", "right/Europe/Berlin", "europe/berlin", "EUROPE/BERLIN",
                     "/usr/share/zoneinfo/Europe/Berlin", "../Europe/Berlin", "Europe", "", "UTC+3", "leapseconds", "Mars/City"):
            for method, path, body, field in (
                ("PUT", "/v1/schedules/s", {"cron": "* * * * *", "tz": name, "job": {"name": "x"}}, "tz"),
                ("PUT", "/v1/matchers/m", {"title": "m", "expression": "true", "constraints": [{**window, "tz": name}]}, "constraints[0].tz"),
                ("POST", "/v1/jobs", {"name": "x", "windows": [{**ALWAYS[0], "tz": name}]}, "windows[0].tz")):
                status, problem = self.client.request(method, path, body, fields={"If-None-Match": "*"} if method == "PUT" else None)
                self.assertEqual((status, problem.get("field")), (400, field), (name, problem))


class Damage(Stored):
    """Bytes that no master wrote."""

    def setUp(self):
        super().setUp()
        self.prefix = self.redis("KEYS", "*:meta")[0][:-4].decode()

    def redis(self, *words):
        redis = Redis(self.directory)
        self.addCleanup(redis.close)
        return redis(*words)

    def keys(self, family):
        return self.redis("KEYS", self.prefix.replace("[", "\\[") + family + "*")

    def test_a_damaged_matcher_holds_the_jobs_of_its_last_revision(self):
        for number, garbage in enumerate(GARBAGE):
            with self.subTest(garbage):
                self.matcher("hurt", "job.name == 'fax'", {"kind": "concurrency", "limit": 100})
                self.matcher("fine", "job.name == 'other'", {"kind": "concurrency", "limit": 100})
                before = self.push("fax")
                self.restart(damage=lambda redis: redis("HSET", self.prefix + "ma", "hurt", garbage))
                after = self.push("fax")
                self.others_go_on()
                for job in (before, after):
                    self.assertEqual(self.held(job)["matcher"], "hurt")
                self.assertEqual(list(self.unreadable()), [("matcher", "hurt")])
                self.assertTrue(self.client.ok("GET", "/v1/matchers/hurt")["unreadable"])
                self.assertIn("unreadable_matcher", str(self.client.ok("GET", "/v1/doctor")))
                self.assertIn("hurt", self.master.log())
                self.client.ok("GET", "/v1/matchers/hurt/revisions")
                self.got = []
                if number % 2:
                    self.delete_matcher("hurt")
                else:
                    self.matcher("hurt", "job.name == 'fax'", {"kind": "concurrency", "limit": 100})
                until(lambda: self.claimed("fax") == sorted([before, after]), what="both are claimed")
                self.assertEqual(self.unreadable(), {})
                for job in self.got:
                    self.client.ok("POST", f"/v1/jobs/{job}/cancel", {"force": True})

    def row(self, redis, identity):
        return msgpack.unpackb(redis("HGET", self.prefix + "ma", identity), raw=True)

    def test_a_matcher_of_a_newer_version_is_closed(self):
        def newer(**fields):
            def damage(redis):
                row = self.row(redis, "new")
                packed = {**msgpack.unpackb(row[0]), **fields}
                redis("HSET", self.prefix + "ma", "new", msgpack.packb([msgpack.packb(packed, use_bin_type=False), *row[1:]], use_bin_type=False))
            return damage
        for fields in ({"constraints": [{"kind": "lottery", "limit": 1}]}, {"weather": "fine"}, {"expression": "job.name == 'fax' && job.colour == 'red'"},
                       {"expression": "job.name == 'fax' && moonPhase(job.argument) > 1"}):
            with self.subTest(fields):
                self.matcher("new", "job.name == 'fax'", {"kind": "concurrency", "limit": 100})
                self.restart(damage=newer(**fields))
                job = self.push("fax")
                self.assertEqual(self.held(job)["matcher"], "new")
                self.others_go_on()
                self.delete_matcher("new")
                self.got = []
                until(lambda: self.claimed("fax") == [job], what="claimed")

    def test_a_damaged_history_keeps_no_matcher_from_being_saved(self):
        self.matcher("hurt", "job.name == 'fax'", {"kind": "concurrency", "limit": 1})

        def damage(redis):
            for key in redis("KEYS", self.prefix + "mar:*"):
                redis("HSET", key, "1", b"garbage")
            redis("HSET", self.prefix + "ma", "hurt", b"garbage")
        self.restart(damage=damage)
        self.others_go_on()
        self.client.ok("GET", "/v1/matchers/hurt/revisions")
        self.push("fax")
        self.matcher("hurt", "job.name == 'fax'", {"kind": "concurrency", "limit": 1})
        self.assertNotIn("unreadable", self.client.ok("GET", "/v1/matchers/hurt"))

    def test_a_damaged_schedule_is_named_and_mended(self):
        for field, garbage in (("rc", b"garbage"), ("def", b"garbage"), ("ov", b"99"), ("mi", b"99"), ("def", None), ("rc", None)):
            with self.subTest(field=field, garbage=garbage):
                self.client.ok("PUT", "/v1/schedules/hurt", {"every": 1, "job": {"name": "tick"}})
                self.client.ok("PUT", "/v1/schedules/zz", {"every": 1, "job": {"name": "tock"}})

                def damage(redis):
                    for key in redis("KEYS", self.prefix + "sch:*"):
                        if redis("HGET", key, "id") == b"hurt":
                            redis(*(["HSET", key, field, garbage] if garbage else ["HDEL", key, field]))
                self.restart(damage=damage)
                until(lambda: self.claim("tock"), what="the other one fires")
                self.others_go_on()
                self.assertTrue(self.client.ok("GET", "/v1/schedules/hurt")["unreadable"])
                self.assertIn("unreadable_schedule", str(self.client.ok("GET", "/v1/doctor")))
                self.client.ok("PUT", "/v1/schedules/hurt", {"every": 1, "job": {"name": "tick"}})
                self.assertNotIn("unreadable", self.client.ok("GET", "/v1/schedules/hurt"))
                until(lambda: self.claim("tick"), what="it fires again")
                self.client.ok("DELETE", "/v1/schedules/hurt")

    def test_a_damaged_filter_is_named_and_mended(self):
        body = {"screen": "jobs", "kind": "text", "text": "fax"}
        for name in ("hurt", "fine", "other"):
            self.client.ok("PUT", f"/v1/filters/{name}", body)
        [[identity, pairs]] = self.redis("XRANGE", self.prefix + "filters", "-", "+")
        stored = dict(zip(pairs[::2], pairs[1::2]))
        revision = int(identity.split(b"-")[0])
        for garbage in (*GARBAGE, stored[b"fine"]):
            with self.subTest(garbage):
                revision += 10**9
                damaged = [word for pair in {**stored, b"hurt": garbage}.items() for word in pair]
                self.redis("XADD", self.prefix + "filters", "MAXLEN", "1", str(revision), *damaged)
                self.assertEqual([row["name"] for row in self.client.ok("GET", "/v1/filters")["filters"]], ["fine", "other"])
                self.assertEqual(list(self.unreadable()), [("filter", "hurt")])
                self.client.ok("PUT", "/v1/filters/other", body)
                for fields in ({"If-None-Match": "*"}, {"If-Match": '"1"'}):
                    self.assertEqual(self.client.request("PUT", "/v1/filters/hurt", body, fields=fields)[0], 412)
                status, refused = self.client.request("DELETE", "/v1/filters/hurt")
                self.assertEqual((status, refused["reason"], refused["values"]["name"]), (409, "filter_unreadable", "hurt"))
                self.client.ok("PUT", "/v1/filters/hurt", body)
                self.assertEqual([row["name"] for row in self.client.ok("GET", "/v1/filters")["filters"]], ["fine", "hurt", "other"])
                self.assertEqual(self.unreadable(), {})
        self.assertEqual(self.client.ok("POST", "/v1/fsck", {"repair": False})["found"], 0)
        self.redis("SET", self.prefix + "filters", "garbage")
        self.assertEqual(self.client.ok("GET", "/v1/filters")["filters"], [])
        self.others_go_on()
        self.client.ok("PUT", "/v1/filters/hurt", body)
        self.assertEqual([row["name"] for row in self.client.ok("GET", "/v1/filters")["filters"]], ["hurt"])

    def test_a_damaged_job_keeps_no_other_from_a_worker(self):
        for garbage in (b"garbage", b"\xff" * 40, b"\x01\x02" + b"\x00" * 10 + b"\x03fax",
                        struct.pack("<BBiIHB", 2, 0, 0, 60000, 0, 3) + b"faxrest",
                        struct.pack("<BBiIHB", 1, 2, 0, 60000, 0, 3) + b"fax" + b"\x00" * 28 + b"\xff\xff" + b"rest"):
            with self.subTest(garbage):
                hurt = self.push("fax")
                key = self.prefix.encode() + b"j:" + bytes.fromhex(hurt.replace("-", ""))
                self.restart(damage=lambda redis: self.assertEqual(redis("EXISTS", key), 1) or redis("SET", key, garbage))
                fine = self.push("fax")
                self.got = []
                until(lambda: fine in self.claimed("fax"), what="the other one is claimed")
                self.assertEqual(self.got, [fine])
                self.others_go_on()
                # A record without a readable head belongs to no name: the log has it, by its bytes.
                until(lambda: ("job", hurt) in self.unreadable() or hurt.replace("-", "") in self.master.log(), what="named")
                status, problem = self.client.request("GET", f"/v1/jobs/{hurt}")
                self.assertEqual((status, problem["reason"]), (500, "stored_job_unreadable"), problem)
                self.client.ok("POST", f"/v1/jobs/{hurt}/cancel", {})
                self.client.ok("DELETE", f"/v1/jobs/{hurt}")
                self.client.ok("POST", f"/v1/jobs/{fine}/cancel", {"force": True})

    def damage(self, family, field=None, job=None, garbage=b"\xc1garbage"):
        """Writes garbage into each key of a family, or into a field of each; of one job, if there is one."""
        redis = Redis(self.directory)
        ends = bytes.fromhex(job.replace("-", "")) if job else b""
        keys = [key for key in redis("KEYS", self.prefix + family + "*") if key.endswith(ends) and (field is None or redis("HEXISTS", key, field))]
        for key in keys:
            redis(*(["SET", key, garbage] if field is None else ["HSET", key, field, garbage]))
        redis.close()
        self.assertTrue(keys, (family, field))

    def test_a_damaged_state_of_a_job_keeps_no_other_from_its_end(self):
        self.matcher("limit", "job.name == 'fax'", {"kind": "concurrency", "limit": 100})
        for field in ("st", "bk", "dl", "t"):  # state, buckets, deadline, started
            with self.subTest(field):
                hurt = self.push("fax", timeout=1, max_retry=3)
                self.claim("fax")
                silent = self.push("silent", timeout=1, max_retry=0)
                self.claim("silent")
                self.damage("s:", field, hurt)
                until(lambda: self.client.ok("GET", f"/v1/jobs/{silent}")["state"] == "failed", what="the other one's timeout is noticed")
                self.others_go_on()
                until(lambda: self.client.request("POST", f"/v1/jobs/{hurt}/cancel", {"force": True})[0] in (200, 409), what="cancelled")
                until(lambda: self.client.ok("POST", "/v1/fsck", {"repair": True})["found"] == 0, what="all is in its place")

    def test_what_a_lane_carries_is_read_again_when_it_is_damaged(self):
        self.matcher("limit", "job.name == 'fax'", {"kind": "concurrency", "limit": 1})
        jobs = [self.push("fax") for _ in range(2)]
        self.damage("li:")
        self.others_go_on()
        until(lambda: len(self.claimed("fax")) == 1, what="one is claimed")
        until(lambda: self.gates(jobs[1]).get("concurrency", {}).get("status") == "holding", what="the other one is held")
        self.assertEqual(self.claimed("fax"), jobs[:1])

    def test_a_damaged_total_keeps_no_job_from_its_way(self):
        for family, field in (("count", "ready"), ("count", "enqueued"), ("count", "started"), ("count", "succeeded"), ("name:", "enq"), ("name:", "ok")):
            with self.subTest(family=family, field=field):
                self.others_go_on()
                self.damage(family, field)
                # The script that met the damage has failed in its middle; what it was asked for is surely done by the second request.
                until(lambda: self.client.request("POST", "/v1/jobs", {"name": "other"})[0] == 201, what="pushed")
                until(lambda: self.claim("other"), what="claimed")
                self.others_go_on()
        until(lambda: self.client.ok("POST", "/v1/fsck", {"repair": True})["found"] == 0, what="all is in its place")

    def test_a_damaged_constraint_holds_its_jobs_until_its_matcher_is_saved(self):
        limit = {"kind": "concurrency", "limit": 5}
        self.matcher("hosts", "job.name == 'fax'", limit)
        self.push("fax")
        for garbage in (b"garbage", b"\xc1\xff", b"\xff"):
            with self.subTest(garbage):
                [number] = self.redis("HKEYS", self.prefix + "con")
                self.redis("HSET", self.prefix + "con", number, garbage)
                until(lambda: self.client.request("GET", "/v1/constraints")[0] == 200, what="constraints are answered")
                self.others_go_on()
                self.assertEqual(self.claim("fax"), [])
                limit = {**limit, "limit": limit["limit"] + 1}
                self.matcher("hosts", "job.name == 'fax'", limit)
                [claimed] = until(lambda: self.claim("fax"), what="the limit counts again")
                self.client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(claimed, 1)]})
                self.push("fax")

    def test_a_damaged_start_of_a_rate_is_forgotten(self):
        self.matcher("slow", "job.name == 'fax'", {"kind": "rate", "algorithm": "sliding", "limit": 5, "period": 3600})
        self.push("fax")
        self.assertEqual(len(self.claim("fax")), 1)
        [starts] = self.keys("bs:")
        self.redis("ZADD", starts, "1", b"\xff")
        until(lambda: self.client.request("GET", "/v1/constraints")[0] == 200, what="constraints are answered")
        self.others_go_on()
        self.push("fax")
        self.assertEqual(len(self.claim("fax")), 1)

    def test_a_key_of_another_type_breaks_nothing_for_long(self):
        self.matcher("hosts", "job.name == 'fax'", {"kind": "concurrency", "limit": 1, "by": ["job.argument.host"]},
                     {"kind": "rate", "algorithm": "sliding", "limit": 5, "period": 3600})
        for host in (1, 1, 2):
            self.push("fax", argument={"host": host})
        self.claim("fax")
        self.push("later", delay=5000)
        self.client.ok("POST", "/v1/views", {"state": "ready"})
        families = {}
        for key in self.keys(""):
            families.setdefault(re.match(r"[^:]*:?", key.decode("latin1").split("}:", 1)[1])[0], key)
        for family, key in sorted(families.items()):
            with self.subTest(family):
                kind = self.redis("TYPE", key)
                self.redis("DEL", key)
                self.redis(*(("HSET", key, "x", "y") if kind == b"string" else ("SET", key, "x")))
                until(self.all_answer, what="everything answers")
                self.others_go_on()
        until(lambda: self.client.ok("POST", "/v1/fsck", {"repair": True})["found"] == 0, what="all is in its place")

    def saves(self, identity, limit):
        body = {"title": identity, "expression": "job.name == 'fax'", "constraints": [{"kind": "concurrency", "limit": limit}]}
        return self.client.request("PUT", f"/v1/matchers/{identity}", body, fields=self.as_it_is(identity))[0] == 200

    def all_answer(self):
        return all(self.client.request(method, f"/v1/{path}", body)[0] < 500 for method, path, body in (
            ("POST", "jobs", {"name": "other"}), ("POST", "claims", {"worker": "w", "names": ["other"], "limit": 10, "wait": 0}),
            ("GET", "jobs", None), ("GET", "constraints", None), ("GET", "held", None), ("GET", "views", None), ("GET", "overview", None),
            ("POST", "fsck", {"repair": True})))

    def test_a_counter_that_is_no_number_goes_on(self):
        self.matcher("hosts", "job.name == 'fax'", {"kind": "concurrency", "limit": 1, "by": ["job.argument.host"]})
        old = {name: self.push(name) for name in ("mail", "call")}
        self.push("held", timeout=3600)
        self.client.ok("POST", "/v1/claims", {"worker": "v", "names": ["held"], "lease": 600})
        counters = ("tx", "steering", "lane_last", "epoch", "version", "recharged", "mver", "con_last", "fair")
        for changes, (counter, garbage) in enumerate(zip(counters, itertools.cycle((b"garbage", b"", b"-5"))), 1):
            with self.subTest(counter):
                self.redis("SET", self.keys("meta")[0].replace(b"meta", counter.encode()), garbage)
                until(self.all_answer, what="everything answers")
                until(lambda changes=changes: self.saves("hosts", changes), what="saved")
                until(lambda: self.client.request("POST", "/v1/workers/v/drain")[0] == 200, what="drained")
                new = self.push(f"new-{changes}")
                self.assertEqual([job["id"] for job in self.claim(f"new-{changes}")], [new])
        self.assertEqual({name: [job["id"] for job in self.claim(name)] for name in old}, {name: [job] for name, job in old.items()})
        until(lambda: self.client.ok("POST", "/v1/fsck", {"repair": True})["found"] == 0, what="all is in its place")

    def test_a_damaged_field_of_a_sound_key_is_mended(self):
        self.matcher("hosts", "job.name == 'fax'", {"kind": "concurrency", "limit": 2})
        running, held = [self.push("fax", timeout=3600) for _ in range(2)], self.push("fax")
        claims = self.claim("fax")
        self.assertEqual(sorted(job["id"] for job in claims), sorted(running))
        ended = self.push("call")
        [call] = self.claim("call")
        self.client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(call, 1)]})
        self.redis("HSET", self.keys("b:")[0], "u", "garbage")  # what its running jobs cost
        self.damage("s:", "st", ended)
        for nonce in self.keys("nonce:"):
            self.redis("SET", nonce, b"\xc1")
        until(self.all_answer, what="everything answers")
        self.others_go_on()
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{ended}")["state"], "succeeded")
        self.assertEqual(self.claim("fax"), [])
        self.client.ok("POST", "/v1/outcomes", {"worker": "w", "outcomes": [success(claims[0], 1)]})
        self.assertEqual([job["id"] for job in self.claim("fax")], [held])
        until(lambda: self.client.ok("POST", "/v1/fsck", {"repair": True})["found"] == 0, what="all is in its place")

    def test_a_name_whose_number_is_none_gets_it_back(self):
        job = self.push("fax")
        self.push("mail")
        self.redis("HSET", self.keys("meta")[0].replace(b"meta", b"lanes"), "fax", b"garbage")
        until(lambda: self.client.request("POST", "/v1/fsck", {"repair": True})[0] == 200, what="fsck answers")
        self.assertEqual([each["id"] for each in self.claim("fax")], [job])
        until(lambda: self.client.ok("POST", "/v1/fsck", {"repair": True})["found"] == 0, what="all is in its place")

    def test_a_text_that_is_no_utf8_makes_no_answer_unreadable(self):
        job = self.push("fax")
        self.claim("fax")
        self.damage("s:", "w", job, garbage=b"w\xff\xc1")
        status, answer = self.client.request("GET", f"/v1/jobs/{job}")
        self.assertEqual((status, answer["worker"]), (200, "w\ufffd\ufffd"))

    def test_a_damaged_view_goes(self):
        self.push("fax")
        for field, garbage in (("n", b"garbage"), ("at", b"0x10"), ("st", b"\xff")):
            with self.subTest(field):
                hurt = self.client.ok("POST", "/v1/views", {"state": "ready"})["view"]
                until(lambda: self.client.ok("GET", f"/v1/views/{hurt}")["complete"], what="frozen")
                self.damage("vw:", field, garbage=garbage)
                fine = self.client.ok("POST", "/v1/views", {"state": "ready"})["view"]
                until(lambda: self.client.request("GET", f"/v1/views/{hurt}")[0] == 404, what="gone")
                until(lambda: [view["view"] for view in self.client.ok("GET", "/v1/views")["views"]] == [fine], what="the other one stays")
                self.assertEqual(self.client.request("DELETE", f"/v1/views/{fine}")[0], 204)

    def test_a_damaged_operation_waits_for_an_operator(self):
        for field in ("st", "no"):  # state, skipped
            with self.subTest(field):
                jobs = [self.push("fax") for _ in range(3)]
                token = self.client.ok("POST", "/v1/operations", {"dry_run": True, "action": "cancel", "match": "job.name == 'fax'",
                                                                   "rate": 0.01})["token"]
                self.client.ok("POST", "/v1/operations", {"token": token})
                self.damage("op:", field)
                state = lambda: self.client.request("GET", f"/v1/operations/{token}")[1].get("state")  # noqa: E731
                until(lambda: (self.client.request("GET", f"/v1/operations/{token}/skipped"), state())[1] == "paused", what="paused")
                self.others_go_on()
                self.client.ok("POST", f"/v1/operations/{token}/stop")
                for job in jobs:
                    self.client.request("POST", f"/v1/jobs/{job}/cancel", {})

    def test_a_damaged_operation_that_had_ended_does_not_run_again(self):
        job = self.push("fax")
        token = self.client.ok("POST", "/v1/operations", {"dry_run": True, "action": "cancel", "match": "job.name == 'fax'"})["token"]
        state = lambda: self.client.request("GET", f"/v1/operations/{token}")[1].get("state")  # noqa: E731
        self.client.ok("POST", "/v1/operations", {"token": token})
        until(lambda: state() == "done", what="done")
        self.client.ok("POST", f"/v1/jobs/{job}/retry", {})
        self.damage("op:", "st")
        until(lambda: (self.client.request("GET", f"/v1/operations/{token}/skipped"), state())[1] == "stopped", what="stopped")
        self.assertEqual(self.client.request("POST", f"/v1/operations/{token}/resume")[0], 409)
        self.assertEqual(self.client.ok("GET", f"/v1/jobs/{job}")["state"], "ready")


if __name__ == "__main__":
    unittest.main()
