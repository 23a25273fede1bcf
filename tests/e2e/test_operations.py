"""Frozen views and operations with real masters: each job of a view is acted on once, whoever is killed, and no other one."""

import csv
import io
import json
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

import msgpack

from harness import Client, Master, now, until
from tier import LONG, row

FAILED = 12_000 if LONG else 400
OTHERS = 986_000 if LONG else 500
BESIDE = 2_000 if LONG else 100 # that failed too, and are not of the view
RATE = 200


class Case(unittest.TestCase):
    """The tests of a class share its masters. Each has jobs with names of its own."""
    MASTERS = 1

    @classmethod
    def setUpClass(cls):
        directories = [tempfile.mkdtemp(prefix="junban-operations-") for _ in range(cls.MASTERS)]
        for directory in directories:
            cls.addClassCleanup(shutil.rmtree, directory, ignore_errors=True)
        # The first one's Redis lives on when it is killed; the others are guests of it.
        cls.masters = [Master(directories[0])]
        cls.addClassCleanup(cls.masters[0].kill_redis)
        cls.masters += [Master(guest, ["--redis", f"unix://{directories[0]}/redis.sock"]) for guest in directories[1:]]
        for master in cls.masters:
            cls.addClassCleanup(master.kill)
            master.start()

    def client(self):
        return Client(next(m for m in self.masters if m.process.poll() is None).port)

    def push(self, name, count, **fields):
        """Pushes so many jobs, and returns their ids."""
        client, ids = self.client(), []
        for first in range(0, count, 1000):
            jobs = [{"name": name, "max_retry": 0, **fields} for _ in range(min(1000, count - first))]
            ids += [result["id"] for result in client.ok("POST", "/v1/jobs/batch", {"jobs": jobs})["results"]]
        return ids

    def run_badly(self, name, message="smtp timeout"):
        """Runs all ready jobs with the name; each of them fails."""
        client, outcomes = self.client(), []
        while True:
            body = {"worker": "w", "outcomes": outcomes, "claim": {"names": [name], "limit": 100}}
            jobs = client.ok("POST", "/v1/outcomes", body)["jobs"]
            outcomes = [{"id": job["id"], "lease": job["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": True,
                         "message": message} for job in jobs]
            if not jobs:
                return

    def frozen(self, **fields):
        """A view when it has got all its ids, which may take longer than the answer waits."""
        view = self.client().ok("POST", "/v1/views", fields)["view"]
        until(lambda: not self.client().ok("GET", f"/v1/views/{view}?limit=0").get("building"), 300, "the view")
        return self.client().ok("GET", f"/v1/views/{view}?limit=0")

    def prepare(self, **fields):
        return self.client().ok("POST", "/v1/operations", {"dry_run": True, **fields})

    def start(self, **fields):
        return self.client().ok("POST", "/v1/operations", {"token": self.prepare(**fields)["token"]})["operation"]

    def operation(self, name):
        return self.client().insist("GET", f"/v1/operations/{name}")[1]

    def ended(self, name, seconds=60):
        until(lambda: self.operation(name)["state"] in ("done", "stopped"), seconds, "the operation's end")
        return self.operation(name)

    def states(self, ids):
        client = self.client()
        return [client.ok("GET", f"/v1/jobs/{each}")["state"] for each in ids]


class Operations(Case):
    def test_a_dry_run_says_what_would_be_done_and_its_token_does_it(self):
        failed = self.push("mail", 30)
        self.run_badly("mail")
        others = self.push("mail", 5)
        preview = self.prepare(action="retry", name="mail", rate=500)
        self.assertEqual(preview["counts"], {"failed": 30, "ready": 5})
        self.assertEqual(preview["excluded"], {"ready": 5})
        self.assertEqual((preview["jobs"], len(preview["samples"]), preview["complete"]), (30, 10, True))
        self.assertLessEqual({job["id"] for job in preview["samples"]}, set(failed))
        self.assertEqual(set(self.states(failed)), {"failed"})
        started = self.client().ok("POST", "/v1/operations", {"token": preview["token"]})
        self.assertEqual(started["operation"], preview["token"])
        done = self.ended(preview["token"])
        self.assertEqual((done["state"], done["done"], done["skipped"], done["skipped_by"]), ("done", 30, 5, [{"reason": "ready", "jobs": 5}]))
        self.assertEqual(set(self.states(failed)), {"ready"})
        skipped = self.client().ok("GET", f"/v1/operations/{preview['token']}/skipped")
        self.assertEqual({entry["id"] for entry in skipped["skipped"]}, set(others))
        again = self.client().ok("POST", "/v1/operations", {"token": preview["token"]})
        self.assertEqual(again["done"], 30)


    def test_a_view_stays_as_it_was_and_is_read_at_any_place(self):
        ids = self.push("frozen", 1234)
        view = self.client().ok("POST", "/v1/views", {"name": "frozen", "state": "ready"})
        self.assertEqual((view["count"], view["complete"]), (1234, True))
        self.push("frozen", 5)
        self.client().ok("DELETE", f"/v1/jobs/{ids[700]}")
        page = self.client().ok("GET", f"/v1/views/{view['view']}?offset=600&limit=300")
        self.assertEqual((page["count"], page["ids"]), (1234, ids[600:900]))
        self.assertEqual([job["id"] for job in page["jobs"]], ids[600:900])
        self.assertEqual(page["jobs"][100]["state"], "cancelled")
        self.assertEqual(self.client().ok("GET", f"/v1/views/{view['view']}?offset=1230")["ids"], ids[1230:])
        self.assertEqual(self.client().request("GET", "/v1/views/none")[0], 404)

    def export(self, view, form):
        """Type, whether it came in parts, and the whole of it."""
        answer = urllib.request.urlopen(f"http://127.0.0.1:{self.masters[0].port}/v1/views/{view}/export?format={form}", timeout=60)
        return answer.headers["Content-Type"], answer.headers["Transfer-Encoding"], answer.read()

    def test_a_view_is_exported_whole_in_three_forms(self):
        ids = self.push("exported", 1203, argument={"to": "a,\"b\""}, tags=["=1+1"])
        view = self.client().ok("POST", "/v1/views", {"name": "exported", "state": "ready"})["view"]
        self.client().ok("POST", f"/v1/jobs/{ids[3]}/cancel", {})
        kind, coding, text = self.export(view, "ndjson")
        self.assertEqual((kind, coding), ("application/x-ndjson", "chunked"))
        rows = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([row["id"] for row in rows], ids)
        self.assertEqual((rows[3]["state"], rows[4]["state"], rows[4]["argument"]), ("cancelled", "ready", {"to": "a,\"b\""}))
        packed = list(msgpack.Unpacker(io.BytesIO(self.export(view, "msgpack")[2]), strict_map_key=False))
        self.assertEqual([row["id"] for row in packed], ids)
        kind, _, text = self.export(view, "csv")
        self.assertTrue(kind.startswith("text/csv"))
        table = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
        self.assertEqual([row["id"] for row in table], ids)
        self.assertEqual((table[3]["state"], json.loads(table[4]["argument"]), table[4]["tags"]), ("cancelled", {"to": "a,\"b\""}, '["=1+1"]'))
        self.push("=cmd()", 1)
        view = self.client().ok("POST", "/v1/views", {"name": "=cmd()"})["view"]
        self.assertIn(b",'=cmd(),", self.export(view, "csv")[2])
        for path, expected in ((f"{view}/export?format=xml", 400), ("none/export", 404)):
            self.assertEqual(self.client().request("GET", f"/v1/views/{path}")[0], expected)

    def test_a_text_that_a_spreadsheet_would_run_is_marked(self):
        formulas = [lead + sign + "cmd|' /C calc'!A0" for sign in "=+-@＝＋－＠" for lead in ("", " ", "\n", "\u3000", "\u00a0 ", "\r\n", "\ufeff")]
        formulas += ["\tx", "\rx", "\nx", "-1+1", "+1 2", "=1"]
        harmless = ["a=1", "-1.5", "+7", "1-2", "'=1", "#=1", "x\ty", "a\n=1"]
        for name, texts in (("formulas", formulas), ("harmless", harmless)):
            for text in texts:
                self.push(name, 1)
                self.run_badly(name, text)
            view = self.frozen(name=name, state="failed")["view"]
            rows = list(csv.DictReader(io.StringIO(self.export(view, "csv")[2].decode(), newline="")))
            self.assertEqual(sorted(row["message"] for row in rows), sorted("'" * (name == "formulas") + text for text in texts))

    def test_csv_begins_with_a_mark_where_that_is_asked_for(self):
        self.push("marked", 3)
        view = self.frozen(name="marked", state="ready")["view"]
        plain, marked = self.export(view, "csv")[2], self.export(view, "csv&bom=true")[2]
        self.assertEqual((plain[:3], marked), (b"id,", b"\xef\xbb\xbf" + plain))
        for query in ("format=ndjson&bom=true", "bom=true", "format=csv&bom=yes"):
            self.assertEqual(self.client().request("GET", f"/v1/views/{view}/export?{query}")[0], 400)

    def test_an_export_waits_for_a_slow_reader_and_is_given_up_with_it(self):
        ids = self.push("long", 1000, argument="x" * 8000)
        view = self.client().ok("POST", "/v1/views", {"ids": ids})["view"]

        def memory():
            status = pathlib.Path(f"/proc/{self.masters[0].process.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

        self.push("long", 9000, argument="x" * 8000)
        large = self.frozen(name="long", state="ready")
        self.assertEqual(large["count"], 10_000)
        before = memory()
        slow = []
        for view in (view, large["view"], large["view"], large["view"]): # 8 and three times 80 MB, of which nothing is read
            reader = socket.create_connection(("127.0.0.1", self.masters[0].port))
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
            reader.sendall(f"GET /v1/views/{view}/export HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            slow.append(reader)
        for reader in slow:
            self.assertTrue(reader.recv(100).startswith(b"HTTP/1.1 200"))
        time.sleep(0.5)
        self.assertLess(memory() - before, 150_000, self.masters[0].log()[-2000:]) # the sanitizer keeps for a while what was freed
        for reader in slow[1:]:
            reader.close()
        rest = b""
        slow[0].settimeout(30)
        while not rest.endswith(b"\r\n0\r\n\r\n"):
            got = slow[0].recv(1 << 20)
            self.assertTrue(got)
            rest += got
        slow[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") # the connection goes on
        self.assertTrue(slow[0].recv(1000).startswith(b"HTTP/1.1 200"))
        slow[0].close()

    def test_an_export_breaks_off_when_its_view_is_gone(self):
        ids = self.push("broken.off", 1000, argument="x" * 8000)
        view = self.client().ok("POST", "/v1/views", {"ids": ids})["view"]
        reader = socket.create_connection(("127.0.0.1", self.masters[0].port))
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        reader.sendall(f"GET /v1/views/{view}/export HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.assertTrue(reader.recv(100).startswith(b"HTTP/1.1 200"))
        self.assertEqual(self.client().request("DELETE", f"/v1/views/{view}")[0], 204)
        reader.settimeout(30)
        rest = b""
        while got := reader.recv(1 << 20):
            rest += got
        self.assertFalse(rest.endswith(b"\r\n0\r\n\r\n"))
        reader.close()
        self.assertRegex(self.masters[0].log(), f"export: view {view} broke off after [1-9][0-9]* jobs: There is no such view")

    def slow_export(self, view):
        """A connection over which an export comes, of which little has been read."""
        reader = socket.socket()
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        reader.connect(("127.0.0.1", self.masters[0].port))
        reader.sendall(f"GET /v1/views/{view}/export HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.assertTrue(reader.recv(20).startswith(b"HTTP/1.1 200"))
        reader.settimeout(90)
        self.addCleanup(reader.close)
        return reader

    def test_an_export_waits_for_a_redis_that_is_away_for_a_moment(self):
        ids = self.push("goes.on", 1000, argument="x" * 8000)
        view = self.client().ok("POST", "/v1/views", {"ids": ids})["view"]
        reader, rest = self.slow_export(view), b""
        self.masters[0].kill_redis()
        while not rest.endswith(b"\r\n0\r\n\r\n"): # the master starts it again
            got = reader.recv(1 << 20)
            self.assertTrue(got, self.masters[0].log()[-2000:])
            rest += got
        self.assertEqual(sorted(re.findall(rb'"id":"([^"]+)"', rest)), sorted(each.encode() for each in ids))

    def test_an_export_whose_ids_are_gone_does_not_end_as_if_it_were_whole(self):
        ids = self.push("no.ids", 1000, argument="x" * 8000)
        view = self.client().ok("POST", "/v1/views", {"ids": ids})["view"]
        reader, rest = self.slow_export(view), b""
        redis = ["redis-cli", "-s", f"{self.masters[0].directory}/redis.sock"]
        keys = subprocess.run([*redis, "--scan", "--pattern", f"*:vi:{view}|*"], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(len(keys), 1)
        subprocess.run([*redis, "del", *keys], check=True, capture_output=True)
        while got := reader.recv(1 << 20):
            rest += got
        self.assertFalse(rest.endswith(b"\r\n0\r\n\r\n"))
        self.assertIn(f"export: view {view} broke off", self.masters[0].log())

    def test_a_view_is_deleted_unless_an_operation_runs_over_it(self):
        ids = self.push("dropped", 60)
        view = self.client().ok("POST", "/v1/views", {"ids": ids})["view"]
        prepared = self.prepare(action="cancel", view=view)["token"]
        name = self.start(action="cancel", view=view, rate=5)
        self.assertEqual(self.client().request("DELETE", f"/v1/views/{view}")[0], 409)
        self.client().ok("POST", f"/v1/operations/{name}/stop")
        self.assertEqual(self.client().request("DELETE", f"/v1/views/{view}")[0], 204)
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/export")):
            self.assertEqual(self.client().request(method, f"/v1/views/{view}{path}")[0], 404)
        self.assertEqual(self.client().request("POST", "/v1/operations", {"token": prepared})[0], 404)

    def test_a_view_has_the_order_that_is_asked_for(self):
        ids = self.push("ordered", 700)
        for fields in ({"state": "ready"}, {"state": "ready", "match": "job.name == 'ordered'"}):
            natural, reversed_ = ([row["id"] for row in map(json.loads, self.export(self.client().ok(
                "POST", "/v1/views", {"name": "ordered", "order": order, **fields})["view"], "ndjson")[2].splitlines())]
                for order in ("natural", "reversed"))
            self.assertEqual(natural, ids)
            self.assertEqual(reversed_, ids[::-1])
        self.ended(self.start(action="cancel", name="ordered"))
        natural, reversed_ = ([row["id"] for row in map(json.loads, self.export(self.client().ok(
            "POST", "/v1/views", {"state": "cancelled", "order": order})["view"], "ndjson")[2].splitlines())] # copied by Redis
            for order in ("natural", "reversed"))
        self.assertEqual(natural, reversed_[::-1])
        self.assertLessEqual(set(ids), set(natural))
        for fields in ({}, {"state": "failed", "trash": True}, {"state": "failed", "ids": ids[:1]}):
            status, problem = self.client().request("POST", "/v1/views", {"order": "reversed", **fields})
            self.assertEqual((status, problem["field"]), (400, "order"))

    def test_what_is_not_prepared_is_not_started(self):
        def refused(body, field):
            status, problem = self.client().request("POST", "/v1/operations", body)[:2]
            self.assertEqual((status, problem.get("field")), (400, field), body)
        refused({"action": "retry", "state": "failed"}, "dry_run")
        refused({"state": "failed", "dry_run": True}, "action")
        refused({"action": "retry", "dry_run": True}, "view")
        refused({"action": "retry", "view": "v", "state": "failed", "dry_run": True}, "view")
        refused({"action": "set", "state": "ready", "dry_run": True}, "fields")
        refused({"action": "set", "state": "ready", "fields": {"timeout": 5}, "dry_run": True}, "fields")
        refused({"action": "retry", "state": "ready", "fields": {"priority": 5}, "dry_run": True}, "fields")
        refused({"token": "t", "action": "retry"}, "token")
        self.assertEqual(self.client().request("POST", "/v1/operations", {"token": "none"})[0], 404)
        self.assertEqual(self.client().request("POST", "/v1/operations", {"action": "retry", "view": "none", "dry_run": True})[0], 404)

    def test_a_rate_spreads_it_and_it_can_be_paused_and_stopped(self):
        jobs = self.push("slow", 300)
        name = self.start(action="cancel", ids=jobs, rate=100)
        until(lambda: self.operation(name)["done"] > 20, what="some")
        paused = self.client().ok("POST", f"/v1/operations/{name}/pause")
        self.assertEqual(paused["state"], "paused")
        self.assertTrue(20 < paused["done"] < 220, paused)
        time.sleep(0.5)
        self.assertEqual(self.operation(name)["done"], paused["done"])
        self.client().ok("POST", f"/v1/operations/{name}/resume")
        until(lambda: self.operation(name)["done"] > paused["done"], what="more")
        stopped = self.client().ok("POST", f"/v1/operations/{name}/stop")
        self.assertEqual(stopped["state"], "stopped")
        time.sleep(0.5)
        self.assertEqual(self.states(jobs).count("cancelled"), self.operation(name)["done"])
        self.assertEqual(self.client().request("POST", f"/v1/operations/{name}/resume")[0], 409)
        self.assertEqual(self.client().request("POST", f"/v1/operations/{name}/undo")[0], 409)

    def test_a_retry_is_taken_back_where_nothing_has_started(self):
        jobs = self.push("taken.back", 20)
        self.run_badly("taken.back")
        waiting = self.push("taken.back", 1)
        name = self.start(action="retry", name="taken.back")
        self.ended(name)
        begun = self.client().ok("POST", "/v1/claims", {"worker": "w", "names": ["taken.back"], "limit": 5})["jobs"]
        undo = self.client().ok("POST", f"/v1/operations/{name}/undo")
        done = self.ended(undo["operation"])
        self.assertEqual((done["undoes"], done["done"]), (name, 15 + sum(job["id"] in waiting for job in begun)))
        self.assertEqual(self.operation(name)["undone_by"], undo["operation"])
        self.assertEqual(self.states(jobs).count("cancelled"), done["done"])
        self.assertNotIn("cancelled", self.states(waiting))
        self.assertEqual(self.client().request("POST", f"/v1/operations/{name}/undo")[0], 409)

    def test_a_deletion_is_taken_back(self):
        jobs = self.push("gone", 150)
        kept = self.client().ok("DELETE", f"/v1/jobs/{jobs[7]}")
        self.assertEqual(kept["state"], "cancelled")
        name = self.start(action="delete", ids=jobs)
        done = self.ended(name)
        self.assertEqual((done["done"], done["skipped_by"]), (149, [{"reason": "trash", "jobs": 1}]))
        undo = self.client().ok("POST", f"/v1/operations/{name}/undo")["operation"]
        self.assertEqual(self.ended(undo)["done"], 149)
        self.assertEqual(self.states(jobs).count("ready"), 149)

    def test_fields_are_set_where_they_may_be(self):
        jobs = self.push("set", 120)
        running = self.client().ok("POST", "/v1/claims", {"worker": "w", "names": ["set"], "limit": 3})["jobs"]
        name = self.start(action="set", ids=jobs, fields={"priority": -7, "tags": ["night"]})
        done = self.ended(name)
        self.assertEqual((done["done"], done["skipped_by"]), (117, [{"reason": "running", "jobs": 3}]))
        for job in jobs:
            shown = self.client().ok("GET", f"/v1/jobs/{job}")
            expected = (0, []) if job in {each["id"] for each in running} else (-7, ["night"])
            self.assertEqual((shown["priority"], shown["tags"]), expected)

    def test_running_jobs_are_taken_back_from_their_workers(self):
        self.push("held", 10)
        running = self.client().ok("POST", "/v1/claims", {"worker": "w", "names": ["held"], "limit": 4})["jobs"]
        done = self.ended(self.start(action="release", name="held"))
        self.assertEqual((done["done"], done["skipped"]), (4, 6))
        body = {"lease": running[0]["lease"], "type": "success", "finished_at": now(), "result": 1}
        self.assertEqual(self.client().request("POST", f"/v1/jobs/{running[0]['id']}/outcome", body)[0], 409)

    def test_a_group_of_failures_is_retried_once_and_not_chased(self):
        self.push("group", 50)
        self.run_badly("group")
        self.push("beside", 3)
        self.run_badly("beside", "another cause")
        group = next(each for each in self.client().ok("GET", "/v1/failures")["groups"] if each["name"] == "group")
        preview = self.prepare(action="retry", signature=group["signature"], rate=25)
        self.assertEqual((preview["jobs"], preview["counts"]), (50, {"failed": 50}))
        name = self.client().ok("POST", "/v1/operations", {"token": preview["token"]})["operation"]
        end = time.monotonic() + 30
        while self.operation(name)["state"] != "done" and time.monotonic() < end:
            self.run_badly("group")  # they fail again while it runs
        self.run_badly("group")
        self.assertEqual(self.operation(name)["done"], 50)
        page = self.client().ok("GET", "/v1/jobs?state=failed&limit=500")["jobs"]
        self.assertEqual({job["attempt"] for job in page if job["name"] == "group"}, {2})
        self.assertEqual({job["attempt"] for job in page if job["name"] == "beside"}, {1})

    def test_a_dry_run_names_the_limits_that_the_jobs_will_meet(self):
        matcher = {"title": "Vendor", "expression": 'job.name == "limited"', "constraints": [{"kind": "rate", "limit": 20, "period": 1}]}
        status, *_ = self.client().request("PUT", "/v1/matchers/vendor", matcher, fields={"If-None-Match": "*"})
        self.assertEqual(status, 201)
        self.push("limited", 40, tags=["here"])
        self.push("free", 40, tags=["here"])
        self.assertEqual(self.ended(self.start(action="cancel", tag="here"))["done"], 80)
        preview = self.prepare(action="retry", state="cancelled", tag="here")
        self.assertEqual([(met["matcher"], met["kind"], met["share"], met["per_second"]) for met in preview["limits"]],
                         [("vendor", "rate", 0.5, 20)])
        self.assertAlmostEqual(preview["drain"], 2)


class Takeover(Case):
    MASTERS = 3

    def test_masters_are_killed_and_each_job_is_run_again_once(self):
        others = self.push("mail.old", OTHERS)
        beside = self.push("mail.beside", BESIDE)
        self.run_badly("mail.beside")
        failed = self.push("mail", FAILED)
        self.run_badly("mail")
        self.push("mail", 100)
        view = self.frozen(state="failed", name="mail")
        self.assertEqual((view["count"], view["complete"]), (FAILED, True))
        with row("Operations: retried twice, never, or besides", jobs=OTHERS + BESIDE + FAILED, retried=FAILED, kills=0, lost=0,
                 duplicates=0) as figures:
            name = self.start(action="retry", view=view["view"], rate=RATE)
            began = time.monotonic()
            while self.operation(name)["state"] == "running":
                victim = self.masters[figures["kills"] % 2]
                time.sleep(0.7)
                victim.kill()
                figures["kills"] += 1
                time.sleep(0.3)
                victim.start()
            took = time.monotonic() - began
            self.assertGreater(figures["kills"], 1)
            self.assertGreater(took, FAILED / RATE - 2)
            done = self.operation(name)
            self.assertEqual((done["state"], done["done"], done["skipped"]), ("done", FAILED, 0))
            for job in failed:
                times = self.retried(job)
                figures["lost"] += times == 0
                figures["duplicates"] += times > 1
            for job in beside + others[:: max(1, OTHERS // 500)]:
                figures["duplicates"] += self.retried(job)
            self.assertEqual((figures["lost"], figures["duplicates"]), (0, 0))
            states = self.client().overview()["states"]
            self.assertEqual((states["ready"], states["failed"]), (OTHERS + FAILED + 100, BESIDE))

    def retried(self, job):
        return sum(event["what"] == "retried" for event in self.client().ok("GET", f"/v1/jobs/{job}")["history"])


if __name__ == "__main__":
    unittest.main()
