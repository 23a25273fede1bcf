"""Who did what: the audit in Redis and in its file, against a real master with tokens of several roles."""

import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest
import urllib.parse

from harness import Client, Master, PROGRAMS, until

CANARY = "canary-argument-5b1f"
GONE = "00000000-0000-7000-8000-000000000000"


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Audit(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory(prefix="junban-e2e-audit-")
        self.addCleanup(self.kept.cleanup)
        self.file = pathlib.Path(self.kept.name, "audit")
        self.master = Master(arguments=["--audit-file", str(self.file)])
        self.master.start()
        self.addCleanup(self.master.__exit__)
        self.client = Client(self.master.port)
        self.tokens = {}

    def token(self, role, **fields):
        """A token's text; the first one must be an admin's."""
        by = bearer(self.tokens["admin"]["token"]) if "admin" in self.tokens else {}
        status, made = self.client.request("POST", "/v1/tokens", {"roles": [role], **fields}, fields=by)
        self.assertEqual(status, 201, made)
        self.tokens[role] = made
        return made["token"]

    def ask(self, method, path, body=None, role=None, reason=None, expect=None):
        fields = bearer(self.tokens[role]["token"]) if role in self.tokens else bearer(role) if role else {}
        if reason:
            fields["Junban-Reason"] = reason
        status, answer = self.client.request(method, path, body, fields=fields)
        if expect:
            self.assertEqual(status, expect, answer)
        return answer

    def entries(self, role="admin", **query):
        return self.ask("GET", "/v1/audit?" + urllib.parse.urlencode(query), role=role if role in self.tokens else None, expect=200)["entries"]

    def ctl(self, *words, expect=0, token=None):
        environment = {**os.environ, "JUNBAN_URL": f"http://127.0.0.1:{self.master.port}", **({"JUNBAN_TOKEN": token} if token else {})}
        done = subprocess.run([PROGRAMS / "junbanctl", *words], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def redis(self, *words):
        socket = os.path.join(self.master.directory, "redis.sock")
        return subprocess.run(["redis-cli", "-s", socket, *words], capture_output=True, check=True).stdout

    def test_each_change_of_an_operator_has_its_entry(self):
        job = self.ask("POST", "/v1/jobs", {"name": "n", "argument": {"secret": CANARY}}, expect=201)["id"]
        self.assertEqual(self.entries(), [])  # a push is in the job's own history
        for role in ("admin", "operator", "pusher", "viewer"):
            self.token(role, note=f"{role}'s")
        operator = self.tokens["operator"]["id"]
        self.ask("PATCH", f"/v1/jobs/{job}", {"priority": 7, "argument": {"secret": CANARY + "2"}}, "operator", "more%20urgent: %E6%80%A5", 200)
        entry, = self.entries(target=job)
        self.assertRegex(entry.pop("at"), r"^20\d\d-.*Z$")
        self.assertEqual(entry, {"actor": operator, "note": "operator's", "address": "127.0.0.1", "roles": ["operator"], "action": "editJob", "target": job,
                                 "reason": "more urgent: 急", "before": {"priority": 0}, "after": {"priority": 7}, "result": 200})
        # A pusher's own cancel is only in the job's history; an operator's is audited. The history says why in any case.
        for role in ("pusher", "operator"):
            other = self.ask("POST", "/v1/jobs", {"name": "n"}, "pusher", expect=201)["id"]
            self.ask("POST", f"/v1/jobs/{other}/cancel", None, role, f"not needed by {role}", expect=200)
            last = self.ask("GET", f"/v1/jobs/{other}", role="operator")["history"][-1]
            self.assertEqual((last["what"], last["reason"]), ("cancelled", f"not needed by {role}"))
            self.assertRegex(last["actor"], rf"^{role}'s \([0-9a-f]{{16}}\)$")
            self.assertEqual([entry["note"] for entry in self.entries(target=other)], ["operator's"] if role == "operator" else [])
        # Failed and refused changes are audited, too.
        self.ask("POST", f"/v1/jobs/{GONE}/retry", None, "operator", expect=404)
        self.ask("POST", f"/v1/jobs/{GONE}/retry", None, "viewer", expect=403)
        self.ask("POST", f"/v1/jobs/{GONE}/retry", None, expect=401)
        self.ask("POST", f"/v1/jobs/{GONE}/retry", None, "jt_" + "x" * 43, expect=401)
        self.assertEqual([(entry["actor"], entry["roles"], entry["result"]) for entry in self.entries(target=GONE)],
                         [("unknown", [], 401), ("unknown", [], 401), (self.tokens["viewer"]["id"], ["viewer"], 403), (operator, ["operator"], 404)])
        made = self.entries(action="createToken")
        self.assertEqual([entry["actor"] for entry in made], [self.tokens["admin"]["id"]] * 3 + ["loopback"])
        self.assertEqual(made[0]["target"], self.tokens["viewer"]["id"])
        self.assertEqual((made[0]["after"]["roles"], "token" in made[0]["after"]), (["viewer"], False))
        self.ask("DELETE", "/v1/tokens/" + self.tokens["viewer"]["id"], role="admin", expect=204)
        entry, = self.entries(action="revokeToken")
        self.assertEqual((entry["target"], entry["before"]["note"], entry["result"]), (self.tokens["viewer"]["id"], "viewer's", 204))
        for role in ("operator", "pusher"):
            self.ask("GET", "/v1/audit", role=role, expect=403)
        self.assertIn("field", self.ask("POST", f"/v1/jobs/{job}/retry", None, "operator", "x" * 501, expect=400))

    def test_changes_at_the_same_time_each_say_what_they_replaced(self):
        self.ask("PUT", "/v1/schedules/s", {"every": 3600, "job": {"name": "n"}}, expect=201)

        def change(number):
            client = Client(self.master.port)
            for i in range(10):
                client.ok("PUT", "/v1/schedules/s", {"every": 3600, "title": f"{number}.{i}", "job": {"name": "n"}})
                client.ok("PUT", "/v1/retention/n", {"failed": {"count": 1 + 10 * number + i}})
            client.close()

        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            list(threads.map(change, range(8)))
        saved = self.entries(action="putSchedule", limit=100)
        self.assertEqual(len(saved), 81)
        self.assertEqual([entry["before"]["revision"] for entry in saved[:-1]], [entry["after"]["revision"] - 1 for entry in saved[:-1]])
        # What one replaced, another had set; only the last of all was not replaced.
        count = lambda entry, side: entry[side]["names"][0]["failed"]["count"] if entry[side].get("names") else None
        kept = self.entries(action="setNameRetention", limit=100)
        self.assertEqual(len(kept), 80)
        before, after = ({count(entry, side) for entry in kept} for side in ("before", "after"))
        self.assertEqual((len(before), len(before - after), len(after - before)), (80, 1, 1))

    def test_a_change_of_limits_has_what_there_was_before_and_after(self):
        matcher = {"title": "one", "expression": "job.name == 'n'", "constraints": [{"kind": "concurrency", "limit": 1, "by": ["job.priority"]}]}
        self.client.request("PUT", "/v1/matchers/m", matcher, fields={"If-None-Match": "*"})
        saved = {**matcher, "title": "two"}
        self.client.request("PUT", "/v1/matchers/m", saved, fields={"If-Match": '"1"'})
        second, first = self.entries(action="putMatcher", target="m")
        self.assertEqual((first["result"], first["after"]["title"], "before" in first), (201, "one", False))
        self.assertEqual((second["before"]["title"], second["after"]["title"], second["before"]["revision"], second["after"]["revision"]),
                         ("one", "two", 1, 2))
        self.assertNotIn("expression", second["after"])  # it did not change
        constraint = self.ask("GET", "/v1/matchers/m")["constraints"][0]["id"]
        self.client.request("PUT", f"/v1/constraints/{constraint}/buckets/7", {"limit": 5}, fields={"If-Match": '"2"'})
        entry, = self.entries(target=f"{constraint}/7")
        self.assertEqual((entry["action"], entry["after"]), ("overrideBucket", {"limit": 5}))
        pause = self.ask("POST", "/v1/pause", {"reason": "vendor"}, expect=201)["id"]
        self.ask("POST", "/v1/resume", {"id": pause}, expect=200)
        ended, begun = self.entries(target=pause)
        self.assertEqual((begun["action"], begun["after"]["reason"]), ("pause", "vendor"))
        self.assertEqual((ended["action"], ended["before"]["pauses"][0]["id"]), ("resume", pause))
        schedule = {"cron": "0 3 * * *", "job": {"name": "night", "argument": {"secret": CANARY}}}
        self.ask("PUT", "/v1/schedules/s", schedule, expect=201)
        self.ask("PUT", "/v1/schedules/s", {**schedule, "cron": "0 4 * * *"}, expect=200)
        self.ask("POST", "/v1/schedules/s/pause", expect=200)
        paused, changed, made = self.entries(target="s")
        self.assertEqual(made["after"]["job"], {"name": "night"})
        self.assertEqual((changed["before"]["cron"], changed["after"]["cron"]), ("0 3 * * *", "0 4 * * *"))
        self.assertEqual((paused["before"]["paused"], paused["after"]["paused"]), (False, True))
        self.ask("PUT", "/v1/retention/n", {"failed": {"count": 5}}, expect=200)
        entry, = self.entries(action="setNameRetention")
        self.assertEqual((entry["target"], entry["before"] != entry["after"]), ("n", True))
        self.ask("POST", "/v1/fsck", {}, expect=200)
        self.ask("POST", "/v1/fsck", {"repair": True}, expect=200)
        self.assertEqual(len(self.entries(action="checkNamespace")), 1)

    def test_the_history_of_a_job_says_who_it_was(self):
        def actors(job):
            return [(entry["what"], entry["actor"]) for entry in self.ask("GET", f"/v1/jobs/{job}", role="admin" if "admin" in self.tokens else None)["history"]]

        before = self.ask("POST", "/v1/jobs", {"name": "n"}, expect=201)["id"]
        self.ask("PATCH", f"/v1/jobs/{before}", {"priority": 1}, expect=200)
        self.assertEqual(actors(before), [("enqueued", "pusher"), ("edited", "loopback")])
        for role in ("admin", "operator", "pusher", "worker"):
            self.token(role, **({"note": "ann"} if role == "operator" else {}))
        ids = {role: made["id"] for role, made in self.tokens.items()}
        ann = f"ann ({ids['operator']})"
        job = self.ask("POST", "/v1/jobs", {"name": "n"}, "pusher", expect=201)["id"]
        for verb, role in (("cancel", "pusher"), ("retry", "operator")):
            self.ask("POST", f"/v1/jobs/{job}/{verb}", None, role, expect=200)
        self.ask("DELETE", f"/v1/jobs/{job}", None, "operator", expect=200)
        self.ask("POST", f"/v1/jobs/{job}/restore", None, "admin", expect=200)
        self.ask("PATCH", f"/v1/jobs/{job}", {"priority": -1}, "operator", expect=200)
        self.assertEqual(actors(job), [("enqueued", ids["pusher"]), ("cancelled", ids["pusher"]), ("retried", ann), ("deleted", ann),
                                       ("restored", ids["admin"]), ("edited", ann)])
        # One running job is cancelled by force; of the other the worker is asked.
        claimed = self.ask("POST", "/v1/claims", {"worker": "w", "names": ["n"], "limit": 2}, "worker", expect=200)["jobs"]
        for taken, body in zip(claimed, ({"force": True}, {})):
            self.ask("POST", f"/v1/jobs/{taken['id']}/cancel", body, "operator", expect=200)
        self.assertEqual(actors(claimed[0]["id"])[-2:], [("cancel_requested", ann), ("cancelled", ann)])
        self.ask("POST", f"/v1/jobs/{claimed[1]['id']}/release", {"lease": claimed[1]["lease"]}, "worker", expect=200)
        self.assertIn(("cancel_requested", ann), actors(claimed[1]["id"]))

    def test_a_reveal_of_hidden_values_is_audited(self):
        job = self.ask("POST", "/v1/jobs", {"name": "n", "argument": {"password": CANARY}}, expect=201)["id"]
        self.token("admin", note="ada")
        self.assertNotIn(CANARY, repr(self.ask("GET", f"/v1/jobs/{job}", role="admin")))
        self.assertEqual(self.entries(target=job), [])
        self.assertIn(CANARY, repr(self.ask("GET", f"/v1/jobs/{job}?reveal=true", role="admin")))
        entry, = self.entries(target=job)
        self.assertEqual((entry["action"], entry["note"], entry["result"]), ("getJob", "ada", 200))

    def test_pages_and_filters(self):
        self.token("admin")
        for number in range(7):
            self.ask("POST", f"/v1/jobs/{GONE}/{'retry' if number % 2 else 'cancel'}", None, "admin", expect=404)
        everything = self.entries()
        self.assertEqual([entry["action"] for entry in everything], ["cancelJob", "retryJob"] * 3 + ["cancelJob", "createToken"])
        seen, cursor = [], ""
        while True:
            page = self.ask("GET", "/v1/audit?limit=3" + (f"&cursor={cursor}" if cursor else ""), role="admin", expect=200)
            seen += page["entries"]
            self.assertLessEqual(len(page["entries"]), 3)
            cursor = page.get("next")
            if not cursor:
                break
        self.assertEqual(seen, everything)
        self.assertEqual(len(self.entries(action="retryJob")), 3)
        self.assertEqual(len(self.entries(actor="loopback")), 1)
        self.assertEqual(self.entries(since="2199-01-01T00:00:00Z"), [])
        self.assertEqual(self.entries(since=everything[0]["at"])[0], everything[0])
        for wrong in ("cursor=x", "since=yesterday", "limit=0"):
            self.assertEqual(self.ask("GET", "/v1/audit?" + wrong, role="admin", expect=400)["field"], wrong.partition("=")[0])

    def test_only_ten_refused_attempts_a_minute_are_audited_for_an_address(self):
        self.token("admin")
        for _ in range(25):
            self.ask("POST", f"/v1/jobs/{GONE}/retry", None, expect=401)
        self.assertIn(len(self.entries(action="retryJob")), (10, 20))  # 20 when the minute ended meanwhile
        self.ask("POST", f"/v1/jobs/{GONE}/retry", None, "admin", expect=404)
        self.assertEqual(self.entries()[0]["result"], 404)

    def test_the_stream_is_bounded_and_scripts_write_into_it_too(self):
        program = "for i = 1, 100500 do redis.call('XADD', KEYS[1], '*', 'actor', 'fsck', 'what', 'repair', 'invariant', 'I1', 'key', 'k', 'text', 't') end"
        self.redis("EVAL", program, "1", "jq:{default}:audit")
        self.ask("POST", f"/v1/jobs/{GONE}/retry", expect=404)
        own, other = self.entries(limit=2)
        self.assertLessEqual(int(self.redis("XLEN", "jq:{default}:audit")), 100_200)
        self.assertEqual(own["action"], "retryJob")
        self.assertEqual({**other, "at": ""}, {"at": "", "actor": "fsck", "roles": [], "action": "repair", "target": "I1", "after": {"key": "k", "text": "t"}})
        # A page looks at a bounded number of entries, also when few of them fit the filter.
        self.ask("POST", "/v1/pause", {"reason": "r"}, expect=201)
        page = self.ask("GET", "/v1/audit?action=nothing", expect=200)
        self.assertEqual(page["entries"], [])
        self.assertIn("next", page)

    def test_the_file_is_a_chain_that_shows_what_was_done_to_it(self):
        self.token("admin", note="ada")
        for _ in range(4):
            self.ask("POST", f"/v1/jobs/{GONE}/retry", None, "admin", expect=404)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        lines = [json.loads(line) for line in self.file.read_text().splitlines()]
        self.assertEqual([(line["n"], line["action"], line["result"]) for line in lines],
                         [(1, "createToken", 201)] + [(n, "retryJob", 404) for n in range(2, 6)])
        self.assertIn("5 lines, numbers 1 to 5, 0 faults", self.ctl("audit", "verify", str(self.file)))
        last = self.ctl("audit", "last", str(self.file)).strip()
        self.assertEqual(last, lines[-1]["hash"])
        # The chain goes on after a crash, a rotation and a restart.
        self.master.kill(signal.SIGKILL)
        with open(self.file, "ab") as torn:
            torn.write(b'{"at":"2026-')
        self.master.start()
        self.client.close()
        self.assertIn("not written to its end", self.master.log())
        self.assertIn("goes to line 6", self.master.log())
        old = self.file.with_name("audit.1")
        self.file.rename(old)
        self.ask("POST", f"/v1/jobs/{GONE}/retry", None, "admin", expect=404)
        self.assertIn("7 lines, numbers 1 to 7, 0 faults", self.ctl("audit", "verify", str(old), str(self.file), "--last", last))
        # A second master may not write the file. A changed byte is found, and so is a missing end.
        other = subprocess.run([PROGRAMS / "junband", "--data-dir", self.kept.name, "--listen", "127.0.0.1:0", "--audit-file", str(self.file), "--redis",
                                "unix://" + os.path.join(self.master.directory, "redis.sock")], capture_output=True, text=True, timeout=60)
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertIn("another master", other.stderr)
        text = old.read_text()
        old.write_text(text.replace('"action":"retryJob"', '"action":"cancelJb"', 2).replace('"action":"cancelJb"', '"action":"retryJob"', 1))
        self.assertIn("line 3 was changed", self.ctl("audit", "verify", str(old), str(self.file), expect=1))
        old.write_text(text)
        self.file.write_text("")
        self.assertIn("1 lines are missing at the end", self.ctl("audit", "verify", str(old), str(self.file), expect=1))
        old.write_text("".join(text.splitlines(True)[:-3]))
        self.assertIn("no line has the hash", self.ctl("audit", "verify", str(old), "--last", last, expect=1))
        self.assertIn("cannot be read", self.ctl("audit", "verify", "/nowhere", expect=2))

    def test_the_file_has_what_redis_misses_while_it_is_away(self):
        self.token("admin")
        os.kill(self.master.redis_pid(), signal.SIGSTOP)
        pid = self.master.redis_pid()
        self.addCleanup(lambda: os.path.exists(f"/proc/{pid}") and os.kill(pid, signal.SIGCONT))
        try:
            self.ask("POST", f"/v1/jobs/{GONE}/retry", None, expect=401)  # refused without asking Redis
            self.assertIn('"result":401', self.file.read_text().splitlines()[-1])
        finally:
            os.kill(pid, signal.SIGCONT)
        until(lambda: [entry["result"] for entry in self.entries(action="retryJob")][:1] == [401], 60, "the entry in Redis")

    def test_no_token_and_no_argument_can_be_read_anywhere(self):
        admin = self.token("admin", note="ada")
        secrets = [admin, self.token("operator"), CANARY]
        job = self.ask("POST", "/v1/jobs", {"name": "n", "argument": CANARY, "unique": {"key": "u"}}, "admin", expect=201)["id"]
        self.ask("PATCH", f"/v1/jobs/{job}", {"argument": CANARY + "x"}, "operator", admin, expect=200)
        self.ask("DELETE", "/v1/tokens/" + admin, role="admin", expect=404)  # as if somebody took the token for its id
        self.ask("PUT", "/v1/schedules/s", {"every": 3600, "job": {"name": "n", "argument": [CANARY], "then": [{"name": "m", "argument": CANARY}]}},
                 "admin", expect=201)
        self.ask("POST", "/v1/schedules/s/run", None, "admin", CANARY[:6], expect=201)
        taken = self.token("worker")
        claimed = self.ask("POST", "/v1/claims", {"worker": "w", "names": ["n"], "limit": 1}, "worker", expect=200)["jobs"][0]
        self.ask("POST", f"/v1/jobs/{claimed['id']}/cancel", {"force": True}, "operator", expect=200)
        pids = [str(self.master.process.pid), str(self.master.redis_pid())]
        places = {"file": self.file.read_bytes(), "log": self.master.log().encode(), "stream": self.redis("XRANGE", "jq:{default}:audit", "-", "+"),
                  "audit": repr(self.entries(limit=500)).encode(), "metrics": self.metrics(),
                  "processes": b"".join(pathlib.Path("/proc", pid, "cmdline").read_bytes() for pid in pids)}
        self.assertIn(b"editJob", places["file"])
        for secret in [*secrets, taken]:
            for place, text in places.items():
                self.assertNotIn(secret.encode(), text, place)
        self.assertIn(b"jt_****", places["file"])

    def metrics(self):
        status, text = self.client.request("GET", "/metrics", fields={**bearer(self.tokens["operator"]["token"]), "Accept": "text/plain"})
        self.assertEqual(status, 200)
        self.assertIn(b"junban_name_jobs", text)
        return text

    def test_junbanctl_lists_it_and_gives_reasons(self):
        token = self.token("admin", note="ada")
        self.ctl("schedules", "pause", "none", "--reason", "it's 100 % over: 終", expect=1, token=token)
        entry, = self.entries(action="pauseSchedule")
        self.assertEqual((entry["reason"], entry["target"], entry["result"]), ("it's 100 % over: 終", "none", 404))
        shown = self.ctl("audit", "--action", "pauseSchedule", token=token)
        self.assertIn("ada (" + self.tokens["admin"]["id"], shown)
        self.assertEqual(len(shown.splitlines()), 2)
        page = json.loads(self.ctl("audit", "--limit", "1", "--json", token=token))
        self.assertEqual([entry["action"] for entry in page["entries"]], ["pauseSchedule"])
        self.assertTrue(re.search(r"more: --cursor \d+-\d+", self.ctl("audit", "--limit", "1", token=token)))
        self.assertIn("createToken", self.ctl("audit", "list", "--cursor", page["next"], token=token))


if __name__ == "__main__":
    unittest.main()
