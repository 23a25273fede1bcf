"""openapi/master.yaml against a live master: every operation is exercised, every answer fits its schema."""

import json
import re
import time
import unittest
import urllib.parse

import jsonschema
import msgpack

from document import DOCUMENT, MSGPACK, NOWHERE, UPGRADE, ContractCase, limits, now, operations, resolve, until
from limiting import Limiting, Workers  # noqa: F401
from past import Past


class Contract(Limiting, Past, ContractCase):
    def test_1_every_operation_answers_as_described_in_both_encodings(self):
        for encoding in ("json", "msgpack"):
            call = lambda operation, path, body=None, fields=None: self.call(operation, path, body, encoding, fields=fields)  # noqa: E731
            full = {"name": "contract", "argument": [1, {"a": None}], "priority": -3, "max_retry": 2, "keep_result": True, "timeout": 30.5,
                    "backoff": {"base": 0.5, "factor": 3, "max": 60, "jitter": 0}, "tags": ["a", "b"], "result_ttl": 60, "trace": "00-x",
                    "idempotency_key": encoding}
            self.assertEqual(call("enqueueJob", "/v1/jobs", full)[0], 201)
            status, again = call("enqueueJob", "/v1/jobs", full)
            self.assertEqual((status, again["duplicate"]), (200, True))
            self.assertEqual(call("enqueueJob", "/v1/jobs", {**full, "priority": 1})[0], 422)
            self.assertEqual(call("enqueueJob", "/v1/jobs", {"name": "later", "delay": 100})[1]["state"], "scheduled")
            results = call("enqueueJobs", "/v1/jobs/batch", {"jobs": [{"name": "b"}, {"name": ""}, {}]})[1]["results"]
            self.assertEqual([r.get("error", {}).get("field") for r in results], [None, "jobs[1].name", "jobs[2].name"])
            self.assertEqual(call("getResult", f"/v1/jobs/{again['id']}/result")[0], 202)
            job = call("claimJobs", "/v1/claims", {"worker": "w", "names": ["contract"], "limit": 100})[1]["jobs"][0]
            lease = {"lease": job["lease"]}
            path = f"/v1/jobs/{job['id']}"
            self.assertFalse(call("heartbeat", f"{path}/heartbeat", {**lease, "progress": {"done": 1, "total": 3, "message": "x"}})[1]["cancel"])
            beats = call("heartbeats", "/v1/heartbeats", {"worker": "w", "leases": [{"id": job["id"], **lease}, {"id": NOWHERE, "lease": "1.x"}]})
            self.assertEqual([("error" in b) for b in beats[1]["results"]], [False, True])
            # A malformed item gets an error of its own. The other items of the request are renewed.
            malformed = call("heartbeats", "/v1/heartbeats", {"worker": "w", "leases": [{"id": "no id", **lease}, {"id": job["id"], **lease}, {}]})
            self.assertEqual((malformed[0], [b.get("error", {}).get("field") for b in malformed[1]["results"]]),
                             (200, ["leases[0].id", None, "leases[2].id"]))
            self.assertIn("lease_expires_at", malformed[1]["results"][1])
            self.assertEqual(call("getJob", path)[1]["progress"]["total"], 3)
            self.assertEqual(call("getJob", f"/v1/jobs/{NOWHERE}")[0], 404)
            self.assertEqual(call("listJobs", "/v1/jobs?state=running&tag=a&limit=5")[1]["jobs"][0]["id"], job["id"])
            self.assertEqual(call("release", f"{path}/release", lease)[1]["state"], "ready")
            self.assertEqual(call("release", f"{path}/release", {"lease": "1.wrong"})[0], 409)
            job = call("claimJobs", "/v1/claims", {"worker": "w", "names": ["contract"]})[1]["jobs"][0]
            failure = {"lease": job["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": True, "error": {"e": 1},
                       "message": "m", "retry_after": 100}
            self.assertEqual(call("reportOutcome", f"{path}/outcome", failure)[1]["state"], "scheduled")
            self.assertEqual(call("reportOutcome", f"{path}/outcome", {**failure, "lease": "9.x"})[0], 409)
            self.assertEqual(call("getJob", path)[1]["outcome"]["error"], {"e": 1})
            self.assertEqual(call("cancelJob", f"{path}/cancel")[1]["state"], "cancelled")
            self.assertEqual(call("retryJob", f"{path}/retry")[1]["state"], "ready")
            self.assertEqual(call("retryJob", f"{path}/retry")[0], 409)
            job = call("claimJobs", "/v1/claims", {"worker": "w", "names": ["contract"]})[1]["jobs"][0]
            self.assertTrue(call("cancelJob", f"{path}/cancel", {"force": False})[1]["cancel_requested"])
            success = {"id": job["id"], "lease": job["lease"], "type": "success", "finished_at": now(), "result": [1]}
            answer = call("reportOutcomes", "/v1/outcomes", {"worker": "w", "outcomes": [success, {**success, "lease": "7.q"}], "claim": {"names": ["b"]}})
            self.assertEqual([r.get("state") for r in answer[1]["results"]], ["succeeded", None])
            self.assertEqual(answer[1]["jobs"][0]["name"], "b")
            self.assertEqual(call("getResult", f"{path}/result?peek=true")[1]["result"], [1])
            self.assertEqual(call("getResult", f"{path}/result?receipt=r")[1]["result"], [1])
            self.assertEqual(call("getResult", f"{path}/result?receipt=r")[1]["result"], [1])
            self.assertIsNone(call("getResult", f"{path}/result")[1])
            self.assertGreater(call("getOverview", "/v1/overview")[1]["totals"]["enqueued"], 0)
            call("getDoctor", "/v1/doctor")
            names = call("listNames", "/v1/names?limit=1")[1]
            self.assertEqual(call("listNames", f"/v1/names?limit=1&after={names['next']}")[1]["names"][0]["name"], "later")
            self.schedules(call, f"/v1/schedules/nightly%20{encoding}")
            self.many(call, f"many {encoding}")
            self.records(call, encoding)
            self.matchers(call, encoding)
            self.every_field_comes_back(call, encoding)
            self.waiting_pushers(call, encoding)
            self.hand_off_and_message(call, f"key {encoding}")
            self.groups(call, f"g/{encoding}")
            self.workers(call, f"served {encoding}")
            news = self.all_news(call)
            self.assertEqual(call("getLive", "/v1/live")[1]["code"], "upgrade_required")
            self.assertEqual(call("getLive", f"/v1/live?since={news['revision']}", fields=UPGRADE)[0], 101)
            self.tokens(call)
        self.call("getMetrics", "/metrics")
        self.call("getHealth", "/healthz")
        self.call("getReadiness", "/readyz")
        self.call("getDocs", "/docs")
        self.call("getDocsStyle", "/docs.css")
        self.call("getDocsScript", "/docs.js")
        self.assertEqual(self.call("getOpenApi", "/openapi.json")[1], json.loads(json.dumps(DOCUMENT)))

    def schedules(self, call, path):
        nightly = {"title": "Nightly", "cron": "30 2 * * MON-FRI", "tz": "Europe/Berlin", "overlap": "skip", "missed": "all", "missed_max": 7,
                   "job": {"name": "nightly", "argument": [1, {"a": None}], "delay": 500, "tags": ["t"]}}
        status, made = call("putSchedule", path, nightly)
        self.assertEqual((status, made["revision"], len(made["next_runs"])), (201, 1, 5))
        self.assertEqual({key: made[key] for key in nightly}, nightly)
        status, changed = call("putSchedule", path, {"every": 3600, "anchor": "2026-01-01T00:30:00Z", "job": {"name": "hourly"}, "paused": True})
        self.assertEqual((status, changed["revision"], changed["paused"], "next_run_at" in changed), (200, 2, True, False))
        self.assertEqual(changed["next_runs"][0][14:], "30:00.000Z")
        preview = call("previewSchedule", "/v1/schedules/preview", {"every": 3600, "anchor": "2026-01-01T00:30:00Z"})[1]
        self.assertEqual(preview["next_runs"], changed["next_runs"])
        self.assertEqual(call("previewSchedule", "/v1/schedules/preview", {key: nightly[key] for key in ("cron", "tz")})[1]["next_runs"],
                         made["next_runs"])
        self.assertEqual(call("resumeSchedule", f"{path}/resume")[1]["next_run_at"], changed["next_runs"][0])
        self.assertTrue(call("pauseSchedule", f"{path}/pause", {})[1]["paused"])
        self.assertEqual(call("putSchedule", path, nightly)[1]["paused"], True)
        status, run = call("runSchedule", f"{path}/run")
        self.assertEqual((status, run["state"]), (201, "scheduled"))
        self.assertEqual(call("runSchedule", f"{path}/run", {})[0], 409)
        self.assertEqual(call("runSchedule", f"{path}/run", {"overlap": "replace"})[0], 201)
        shown = call("getSchedule", path)[1]
        self.assertEqual([(r["outcome"], r["by_hand"]) for r in shown["runs"]], [("enqueued", True)] * 2)
        self.assertEqual((shown["fired"], shown["last_job_state"]), (2, "scheduled"))
        self.assertEqual(call("getJob", f"/v1/jobs/{run['id']}")[1]["reason"], "replaced")
        page = call("listSchedules", "/v1/schedules?limit=1")[1]
        self.assertNotIn("runs", page["schedules"][0])
        for operation, suffix in (("getSchedule", ""), ("pauseSchedule", "/pause"), ("resumeSchedule", "/resume"), ("runSchedule", "/run"),
                                  ("deleteSchedule", "")):
            self.assertEqual(call(operation, f"/v1/schedules/missing{suffix}")[0], 404)
        self.assertEqual(call("deleteSchedule", path)[1]["id"], made["id"])
        self.assertEqual(call("getSchedule", path)[0], 404)

    def many(self, call, name):
        call("enqueueJobs", "/v1/jobs/batch", {"jobs": [{"name": name}] * 30})
        view = call("createView", "/v1/views", {"name": name, "state": "ready"})[1]
        self.assertIn(view["view"], [each["view"] for each in call("listViews", "/v1/views")[1]["views"]])
        listed = call("searchJobs", "/v1/jobs/search", {"name": name, "state": "ready", "limit": 1})[1]
        self.assertEqual([job["name"] for job in listed["jobs"]], [name])
        self.assertEqual(call("searchJobCounts", "/v1/jobs/counts", {"name": name})[1]["states"]["ready"], view["count"])
        self.assertEqual((view["count"], view["complete"], view["selection"]), (30, True, {"name": name, "state": "ready"}))
        page = call("getView", f"/v1/views/{view['view']}?offset=25&limit=10")[1]
        self.assertEqual([job["id"] for job in page["jobs"]], page["ids"])
        self.assertEqual(len(page["ids"]), 5)
        self.assertEqual(call("createView", "/v1/views", {"match": "job.nothing"})[0], 422)
        preview = call("createOperation", "/v1/operations", {"action": "set", "view": view["view"], "fields": {"priority": 3}, "rate": 5,
                                                              "dry_run": True})[1]
        self.assertEqual((preview["jobs"], preview["counts"], preview["drain"]), (30, {"ready": 30}, 6))
        status, started = call("createOperation", "/v1/operations", {"token": preview["token"]})
        path = f"/v1/operations/{started['operation']}"
        self.assertEqual((status, started["fields"], started["state"]), (202, {"priority": 3}, "running"))
        self.assertEqual(started["selection"], view["selection"])
        ids = call("getView", f"/v1/views/{view['view']}?limit=12")[1]["ids"]
        self.assertEqual(call("createView", "/v1/views", {"ids": ids})[1]["selection"], {"ids": ids[:10]})
        self.assertEqual(call("pauseOperation", f"{path}/pause")[1]["state"], "paused")
        self.assertEqual(call("resumeOperation", f"{path}/resume", {})[1]["state"], "running")
        self.assertEqual(call("stopOperation", f"{path}/stop")[1]["state"], "stopped")
        self.assertEqual(call("resumeOperation", f"{path}/resume")[0], 409)
        self.assertEqual(call("undoOperation", f"{path}/undo")[0], 409)
        self.assertEqual(call("listSkipped", f"{path}/skipped?limit=1")[1], {"skipped": [], "total": 0})
        self.assertEqual(call("getOperation", path)[1]["state"], "stopped")
        self.assertIn(started["operation"], [each["operation"] for each in call("listOperations", "/v1/operations")[1]["operations"]])
        for operation, suffix in (("getOperation", ""), ("listSkipped", "/skipped"), ("stopOperation", "/stop"), ("undoOperation", "/undo")):
            self.assertEqual(call(operation, f"/v1/operations/missing{suffix}")[0], 404)
        path = f"/v1/views/{view['view']}"
        rows = call("exportView", f"{path}/export")[1].splitlines()
        self.assertEqual([json.loads(row)["id"] for row in rows][25:], page["ids"])
        self.assertEqual(call("exportView", f"{path}/export?format=csv")[1].count("\r\n"), 31)
        one = call("createView", "/v1/views", {"ids": page["ids"][:1], "order": "natural"})[1]["view"]
        self.assertEqual(call("exportView", f"/v1/views/{one}/export?format=msgpack")[1]["id"], page["ids"][0])
        self.assertEqual(call("deleteView", path)[0], 204)
        for operation, suffix in (("getView", ""), ("exportView", "/export"), ("deleteView", "")):
            self.assertEqual(call(operation, path + suffix)[0], 404)

    def every_field_comes_back(self, call, encoding):
        first = call("enqueueJob", "/v1/jobs", {"name": "first"})[1]["id"]
        pushed = {"name": "whole", "argument": [1], "windows": [{"from": "00:00", "to": "24:00", "tz": "Asia/Tokyo", "days": ["mon", "sun"]}],
                  "unique": {"key": encoding, "until": "started", "on_conflict": "reject"}, "depends_on": [first],
                  "on_dependency_failure": "run", "expires_in": 3600, "group": f"whole {encoding}",
                  "then": [{"name": "next", "argument": {"a": 1}, "delay": 2, "then": [{"name": "last", "priority": -1}]}]}
        made = call("enqueueJob", "/v1/jobs", pushed)[1]
        self.assertEqual(made["state"], "depends")
        path = f"/v1/jobs/{made['id']}"
        shown = call("getJob", path)[1]
        self.assertEqual({key: shown[key] for key in pushed if key != "then"}, {key: pushed[key] for key in pushed if key != "then"})
        self.assertEqual([shown["then"][0][key] for key in ("name", "argument", "delay")], ["next", {"a": 1}, 2])
        self.assertEqual([shown["then"][0]["then"][0][key] for key in ("name", "priority")], ["last", -1])
        self.assertEqual((shown["dependencies_left"], "expires_at" in shown), (1, True))
        self.assertEqual([h["what"] for h in shown["history"]], ["enqueued"])
        self.assertEqual(call("listJobs", "/v1/jobs?state=depends")[1]["jobs"][0]["id"], made["id"])
        self.assertEqual(call("enqueueJob", "/v1/jobs", pushed)[0], 409)
        status, problem = call("enqueueJob", "/v1/jobs", {"name": "x", "depends_on": [first, NOWHERE]})
        self.assertEqual((status, problem["field"]), (400, "depends_on[1]"))
        results = call("enqueueJobs", "/v1/jobs/batch", {"jobs": [{"name": "b"}, {"name": "x", "depends_on": [NOWHERE]}]})[1]["results"]
        self.assertEqual(results[1]["error"]["field"], "jobs[1].depends_on[0]")
        self.assertEqual(call("editJob", path, {"priority": 3})[0], 409)
        status, edited = call("editJob", f"/v1/jobs/{first}", {"priority": 3, "tags": ["t"], "max_retry": 2, "timeout": 5, "argument": {"b": [2]}})
        self.assertEqual((status, [edited[key] for key in ("priority", "tags", "max_retry", "timeout", "argument")]), (200, [3, ["t"], 2, 5, {"b": [2]}]))
        self.assertEqual(edited["history"][-1]["details"], {"priority": 0, "argument": None, "tags": [], "max_retry": 0, "timeout": 30.0})
        self.assertEqual(call("editJob", f"/v1/jobs/{first}", {"run_at": "2026-01-01T00:00:00Z"})[1]["state"], "ready")
        self.assertEqual(call("editJob", f"/v1/jobs/{first}", {"run_at": "2200-01-01T00:00:00Z"})[1]["field"], "run_at")
        self.assertEqual(call("editJob", f"/v1/jobs/{NOWHERE}", {"priority": 3})[0], 404)
        self.assertEqual(call("cancelJob", f"/v1/jobs/{first}/cancel")[1]["state"], "cancelled")
        self.assertIn([h["what"] for h in call("getJob", path)[1]["history"]], (["enqueued", "freed"], ["enqueued"]))
        call("cancelJob", f"{path}/cancel")

    def waiting_pushers(self, call, encoding):
        job = {"name": "waited", "idempotency_key": f"waited {encoding}"}
        status, made = call("enqueueJob", "/v1/jobs?wait=0.05", job)
        self.assertEqual((status, made["state"]), (201, "ready"))
        self.assertEqual(call("enqueueJob", "/v1/jobs?wait=0.05", job), (200, {"id": made["id"], "state": "ready", "duplicate": True}))
        claimed = call("claimJobs", "/v1/claims", {"worker": "w", "names": ["waited"]})[1]["jobs"][0]
        self.assertTrue(claimed["keep_result"])
        report = {"lease": claimed["lease"], "type": "success", "finished_at": now(), "result": [7]}
        call("reportOutcome", f"/v1/jobs/{made['id']}/outcome", report)
        for _ in range(2):
            status, answer = call("enqueueJob", "/v1/jobs?wait=9&receipt=r", job)
            self.assertEqual((status, answer["outcome"]["result"], answer["duplicate"]), (200, [7], True))
        self.assertIsNone(call("enqueueJob", "/v1/jobs?wait=9", job)[1]["outcome"])

    def hand_off_and_message(self, call, key):
        quoted = key.replace(" ", "%20")
        outcome = {"type": "failure", "reason": "other", "finished_at": now(), "should_retry": True, "message": "m"}
        call("enqueueJob", "/v1/jobs", {"name": "elsewhere", "max_retry": 1, "backoff": {"base": 100}})
        job = call("claimJobs", "/v1/claims", {"worker": "w", "names": ["elsewhere"]})[1]["jobs"][0]
        body = {"lease": job["lease"], "key": key, "timeout": 60}
        path = f"/v1/jobs/{job['id']}"
        self.assertEqual(call("takeMessage", f"/v1/messages/{quoted}", outcome)[0], 404)
        self.assertEqual(call("handOff", f"{path}/handoff", {**body, "lease": "1.wrong"})[0], 409)
        for _ in range(2):
            self.assertEqual(call("handOff", f"{path}/handoff", body), (200, {"state": "awaiting"}))
        self.assertEqual(call("listJobs", "/v1/jobs?state=awaiting")[1]["jobs"][0]["id"], job["id"])
        for _ in range(2):
            status, taken = call("takeMessage", f"/v1/messages/{quoted}", outcome)
            self.assertEqual((status, taken["id"], taken["state"], "run_at" in taken), (200, job["id"], "scheduled", True))
        self.assertEqual(call("handOff", f"{path}/handoff", body), (200, {"state": "awaiting"}))
        self.assertEqual([h["what"] for h in call("getJob", path)[1]["history"]], ["enqueued", "started", "handed_off", "message", "failed"])
        call("cancelJob", f"{path}/cancel")

    def groups(self, call, group):
        path = f"/v1/groups/{group.replace('/', '%2F')}"
        self.assertEqual(call("getGroup", path)[0], 404)
        self.assertTrue(call("putGroup", path, {"open": True})[1]["open"])
        job = call("enqueueJob", "/v1/jobs", {"name": "part", "group": group})[1]["id"]
        for _ in range(2):
            status, now_ = call("putGroup", path, {"open": False, "callback": {"name": "all-ended", "argument": 1}})
            self.assertEqual((status, now_["group"], now_["pending"], now_["has_callback"], "callback" in now_), (200, group, 1, True, False))
        call("cancelJob", f"/v1/jobs/{job}/cancel")
        ended = call("getGroup", path)[1]
        self.assertEqual([ended[key] for key in ("total", "pending", "cancelled")], [1, 0, 1])
        self.assertEqual(call("getJob", f"/v1/jobs/{ended['callback']}")[1]["name"], "all-ended")
        self.assertEqual(call("putGroup", path)[1]["callback"], ended["callback"])
        for field, value in (("unique", {}), ("depends_on", [job])):  # refused, because a callback must always be pushed
            status, problem = call("putGroup", path, {"callback": {"name": "n", field: value}})
            self.assertEqual((status, problem["field"]), (400, f"callback.{field}"))
        status, problem = call("putGroup", path, {"callback": {"name": "n", "run_at": "2200-01-01T00:00:00Z"}})
        self.assertEqual((status, problem["field"]), (400, "callback.run_at"))
        for field, value in (("unique", {}), ("depends_on", [NOWHERE]), ("idempotency_key", "k")):
            self.assertEqual(call("putGroup", path, {"callback": {"name": "n", field: value}})[1]["field"], f"callback.{field}")
        self.assertEqual(call("putGroup", "/v1/groups/" + "x" * 201, {})[0], 400)

    def workers(self, call, name):
        """Registers a worker that takes jobs which nobody pushes, drains it, resumes it and deletes it."""
        path = "/v1/workers/" + urllib.parse.quote(name)
        served = {"url": "http://127.0.0.1:1/", "names": ["served by none"], "slots": 3, "labels": ["a"], "version": "1", "secret": "s" * 16}
        for field, value in (("slots", 0), ("slots", 257), ("names", []), ("url", ""), ("url", "ftp://127.0.0.1/"), ("secret", "short")):
            self.assertEqual(call("registerWorker", path, {**served, field: value})[1]["field"], field, value)
        self.assertEqual(call("registerWorker", path, served)[0], 200)
        row = next(row for row in call("listWorkers", "/v1/workers?limit=500")[1]["workers"] if row["worker"] == name)
        self.assertEqual((row["kind"], row["slots"], row["labels"], "secret" in row), ("served", 3, ["a"], False))
        self.assertEqual([call(f"{verb}Worker", f"{path}/{verb}", {})[0] for verb in ("drain", "resume")], [200, 200])
        self.assertEqual([call("deleteWorker", path)[0] for _ in range(2)], [200, 404])

    def tokens(self, call):
        """Creates, lists and revokes tokens. In the end there is none, so that the other tests need none."""
        wanted = {"note": "n", "roles": ["admin", "worker"], "names": ["mail.*"], "expires_at": "2200-01-01T00:00:00.000Z"}
        self.assertEqual([call("createToken", "/v1/tokens", {**wanted, "roles": roles})[1]["field"] for roles in ([], ["viewer"] * 2)],
                         ["roles", "roles"])
        self.assertEqual(call("createToken", "/v1/tokens", {**wanted, "names": ["a*b"]})[1]["field"], "names[0]")
        self.assertEqual(call("createToken", "/v1/tokens", {**wanted, "match": "true"})[1]["field"], "match")
        self.assertEqual(call("createToken", "/v1/tokens", {"roles": ["pusher"], "match": "job.state == 1"})[1]["field"], "match")
        status, admin = call("createToken", "/v1/tokens", {"roles": ["admin"]})
        self.assertEqual((status, admin["created_by"]), (201, "open"))
        fields = {"Authorization": "Bearer " + admin["token"]}
        self.assertEqual(call("listTokens", "/v1/tokens")[0], 401)
        status, created = call("createToken", "/v1/tokens", wanted, fields=fields)
        self.assertEqual((status, {key: created[key] for key in wanted}), (201, wanted))
        rows = call("listTokens", "/v1/tokens", fields=fields)[1]["tokens"]
        self.assertEqual([row["id"] for row in rows], [admin["id"], created["id"]])
        self.assertEqual(rows[1]["created_by"], admin["id"])
        entries = call("listAudit", "/v1/audit?action=createToken&limit=2", fields=fields)[1]["entries"]
        self.assertEqual([(entry["actor"], entry["target"]) for entry in entries], [(admin["id"], created["id"]), ("loopback", admin["id"])])
        for parameter in ("since=now", "cursor=x", "limit=501", "target=" + "x" * 501):
            self.assertEqual(call("listAudit", "/v1/audit?" + parameter, fields=fields)[1]["field"], parameter.partition("=")[0])
        status, problem = call("revokeToken", "/v1/tokens/" + created["id"], fields={**fields, "Junban-Reason": "x" * 501})
        self.assertEqual((status, problem["field"]), (400, "Junban-Reason"))
        status, session = call("signIn", "/v1/session", {"token": admin["token"]})
        self.assertEqual((status, session["who"], session["signed_in"]), (201, admin["id"], True))
        self.assertEqual(call("signIn", "/v1/session", {"token": "jt_unknown"})[0], 401)
        self.assertEqual(call("getSession", "/v1/session", fields=fields)[1]["signed_in"], False)
        self.assertEqual([call("signOut", f"/v1/session?everywhere={word}", fields=fields)[0] for word in ("false", "true")], [404, 204])
        for token in (created, admin):
            self.assertEqual(call("revokeToken", "/v1/tokens/" + token["id"], fields=fields)[0], 204)
        self.assertEqual(call("revokeToken", "/v1/tokens/" + admin["id"])[0], 404)

    def all_news(self, call):
        """The answer when nothing more was changed: what the last requests did may be told a moment after their answers."""
        news = [call("listChanges", "/v1/changes")[1]]

        def nothing_more():
            news.append(call("listChanges", f"/v1/changes?since={news[-1]['revision']}&wait=0")[1])
            return news[-1]["changed"] == []

        until(nothing_more)
        return news[-1]

    def test_2_every_operation_was_exercised(self):
        self.assertEqual(set(self.covered), {name for name, *_ in operations()})

    def test_3_pages_follow_each_other(self):
        for number in range(7):
            self.call("enqueueJob", "/v1/jobs", {"name": "paged", "priority": number % 3})
        seen, cursor = [], ""
        while True:
            page = self.call("listJobs", f"/v1/jobs?state=ready&name=paged&limit=3{cursor}")[1]
            seen += [j["id"] for j in page["jobs"]]
            if "next" not in page:
                break
            cursor = f"&cursor={page['next']}"
        self.assertEqual(len(seen), 7)
        self.assertEqual(len(set(seen)), 7)

    def test_1_jobs_are_counted_by_state(self):
        for _ in range(3):
            self.call("enqueueJob", "/v1/jobs", {"name": "counted"})

        def counted():  # jobs of other tests may move from state to state meanwhile
            counts = self.call("countJobs", "/v1/jobs/counts?match=" + urllib.parse.quote('job.name == "counted"'))[1]
            return counts["coverage"]["scanned"] == counts["coverage"]["total"] and counts

        counts = until(counted, what="a count of all jobs")
        self.assertEqual({state: count for state, count in counts["states"].items() if count}, {"ready": 3})
        first = self.call("listJobs", "/v1/jobs?state=ready&name=counted")[1]["jobs"]
        last = self.call("listJobs", "/v1/jobs?state=ready&name=counted&order=reversed")[1]["jobs"]
        self.assertEqual([job["id"] for job in last], [job["id"] for job in reversed(first)])
        status, problem = self.call("listJobs", "/v1/jobs?order=reversed")
        self.assertEqual((status, problem["field"]), (400, "order"))

    def test_3_jobs_are_found_by_what_is_in_them(self):
        def search(expression, state="", limit=500):
            return self.call("listJobs", f"/v1/jobs?match={urllib.parse.quote(expression)}&limit={limit}{state}")

        def found(expression, **how):
            return [job["id"] for job in search(expression, **how)[1]["jobs"]]

        one, two, long = (self.call("enqueueJob", "/v1/jobs", {"name": "sought", "argument": argument, "tags": ["here"]})[1]["id"]
                          for argument in ({"order": {"id": 42}}, {"order": {"id": "42"}}, {"text": "x" * 20_000, "order": {"id": 43}}))
        self.assertEqual(found("job.argument.order.id == 42"), [one])  # an int, not a text
        self.assertEqual(found('job.argument.order.id == "42"'), [two])
        self.assertEqual(found('job.name == "sought" && job.state == "ready" && job.attempt == 0 && job.age < duration("1h") && !has(job.worker)'),
                         [one, two, long])
        self.assertEqual(found('job.name == "sought"', state="&state=running"), [])
        page = search("job.argument.order.id == 43 && size(job.argument.text) == 20000")[1]
        self.assertEqual([job["id"] for job in page["jobs"]], [long])
        self.assertEqual(("argument" in page["jobs"][0], page["jobs"][0]["argument_bytes"] > 20_000), (False, True))  # searched, not shown
        self.assertEqual(page["coverage"]["scanned"], page["coverage"]["total"])
        self.call("trackJob", f"/v1/jobs/{two}/tracked")
        self.assertEqual(found('"here" in job.tags', state="&tracked=true"), [two])
        self.call("untrackJob", f"/v1/jobs/{two}/tracked")
        first = search('job.name == "sought"', limit=2)[1]
        self.assertEqual([job["id"] for job in first["jobs"]], [one, two])
        self.assertEqual(found('job.name == "sought"', state=f"&cursor={first['next']}"), [long])
        for wrong, column in (("job.name = 1", 10), ("job.argumnt == 1", 1), ('"text"', 1), ("job.held_by == []", 1), ("", 1)):
            status, problem = search(wrong)
            self.assertEqual((status, problem["errors"][0]["field"], problem["errors"][0]["column"]), (422, "match", column), problem)

    def test_4_schedules_that_make_no_sense_are_refused_by_name(self):
        job = {"name": "n"}
        for body, field in (({"job": job}, "cron"), ({"cron": "* * * * *", "every": 5, "job": job}, "cron"), ({"every": 5}, "job"),
                            ({"cron": "0 0 30 2 *", "job": job}, "cron"), ({"cron": "61 * * * *", "job": job}, "cron"),
                            ({"cron": "* * * * *", "tz": "Europe/Nowhere", "job": job}, "tz"), ({"every": 5, "tz": "UTC", "job": job}, "tz"),
                            ({"cron": "* * * * *", "anchor": now(), "job": job}, "anchor"), ({"every": 5, "job": {**job, "run_at": now()}}, "job.run_at"),
                            ({"every": 5, "job": {**job, "idempotency_key": "k"}}, "job.idempotency_key"),
                            ({"every": 5, "job": {"name": "n", "backoff": {"factor": 0}}}, "job.backoff.factor")):
            status, answer = self.call("putSchedule", "/v1/schedules/senseless", body)
            self.assertEqual((status, answer.get("field")), (400, field), body)
            if not field.startswith("job"):
                status, answer = self.call("previewSchedule", "/v1/schedules/preview", {k: v for k, v in body.items() if k != "job"})
                self.assertEqual((status, answer.get("field")), (400, field), body)
        self.assertEqual(self.call("putSchedule", "/v1/schedules/" + "x" * 201, {"every": 5, "job": job})[0], 400)
        self.assertEqual(self.call("getSchedule", "/v1/schedules/senseless")[0], 404)

    def test_4_a_schedule_is_called_what_its_owner_likes(self):
        path, body = "/v1/schedules/preview", {"every": 3600, "job": {"name": "n"}}
        self.assertEqual(self.call("putSchedule", path, body)[0], 201)
        self.assertEqual(self.call("previewSchedule", path, {"every": 3600})[1]["next_runs"], self.call("getSchedule", path)[1]["next_runs"])
        self.assertEqual(self.call("deleteSchedule", path)[0], 200)

    def test_4_a_revision_guards_a_schedule(self):
        path, body = "/v1/schedules/guarded", {"every": 3600, "job": {"name": "n"}}
        put = lambda **fields: self.call("putSchedule", path, body, fields=fields)[0]  # noqa: E731
        self.assertEqual(put(**{"If-Match": '"1"'}), 412)
        self.assertEqual(put(**{"If-None-Match": "*"}), 201)
        self.assertEqual(put(**{"If-None-Match": "*"}), 412)
        self.assertEqual(put(**{"If-Match": '"1"'}), 200)
        self.assertEqual(put(**{"If-Match": '"1"'}), 412)
        self.assertEqual(put(), 200)
        for senseless in ('1', '"x"', '"1", "2"', '*'):
            self.assertEqual(put(**{"If-Match": senseless}), 400)
        delete = lambda **fields: self.call("deleteSchedule", path, fields=fields)[0]  # noqa: E731
        self.assertEqual(delete(**{"If-Match": '"2"'}), 412)
        self.assertEqual(delete(**{"If-Match": '"3"'}), 200)

    def test_5_bytes_that_are_no_value_are_refused(self):
        connection = self.client.connection
        for bad in ("", "c1", "81", "dfffffffff", "ddffffffff", "c97fffffff01", "81a46e616d65a16e00", "82a46e616d65a16ea46e616d65a16e",
                    "81a46e616d65a2c328", "82a46e616d65a16ea8617267756d656e74" + "91" * 40 + "c0"):
            connection.request("POST", "/v1/jobs", bytes.fromhex(bad), {"Content-Type": MSGPACK})
            answer = connection.getresponse()
            problem = msgpack.unpackb(answer.read())
            self.assertIn(answer.status, (400, 413), (bad, problem))
        connection.request("POST", "/v1/jobs", b"{}", {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        answer.read()
        self.assertEqual(answer.status, 415)

    def test_6_each_wrong_request_gets_its_status(self):
        for method, path, headers, status in (
            ("GET", "/nothing", {}, 404), ("DELETE", "/v1/jobs", {}, 405), ("GET", "/v1/claims", {}, 405), ("GET", "/v1/jobs/x", {}, 404),
            ("GET", "/v1/overview", {"Accept": "image/png"}, 406), ("GET", "/v1/overview?x=1", {}, 400),
            ("GET", "/v1/overview", {"Host": "evil.example"}, 421), ("GET", "/v1/overview", {"Host": "localhost.evil.example"}, 421),
            ("POST", "/v1/jobs", {"Origin": "http://evil.example", "Content-Type": "application/json"}, 403),
            ("POST", "/v1/jobs", {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"}, 403),
            ("GET", "/v1/live", {**UPGRADE, "Origin": "http://evil.example"}, 403), ("GET", "/v1/live", {**UPGRADE, "Sec-Fetch-Site": "cross-site"}, 403),
            ("GET", "/v1/live", {**UPGRADE, "Sec-WebSocket-Key": "short"}, 400), ("GET", "/v1/live", {**UPGRADE, "Sec-WebSocket-Version": "8"}, 426),
            ("POST", "/v1/jobs", {"Content-Type": "application/x-www-form-urlencoded"}, 415), ("POST", "/v1/jobs", {"Content-Type": "text/plain"}, 415),
            ("GET", "/v1/overview", {"Authorization": "Bearer wrong"}, 401), ("GET", f"/v1/jobs/{NOWHERE}/result?wait=61", {}, 400),
            ("GET", "/v1/jobs?state=nonsense", {}, 400), ("GET", "/v1/jobs?limit=501", {}, 400), ("GET", "/v1/jobs?cursor=zz", {}, 400),
        ):
            connection = self.client.connection
            connection.request(method, path, b'{"name": "x"}' if method == "POST" else None, {"Accept": "application/json", **headers})
            answer = connection.getresponse()
            problem = json.loads(answer.read())
            self.assertEqual(answer.status, status, (method, path, headers, problem))
            self.assertEqual(problem["status"], status)
            if status == 405:
                self.assertTrue(answer.getheader("Allow"))

    def test_6_the_documentation_page_loads_nothing_from_elsewhere(self):
        self.call("getDocs", "/docs")
        for path in ("/docs", "/docs.css", "/docs.js"):
            connection = self.client.connection
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode()
            policy = dict(rule.strip().split(" ", 1) for rule in answer.getheader("Content-Security-Policy").split(";"))
            self.assertEqual((policy["default-src"], policy["script-src"], policy["connect-src"], policy["require-trusted-types-for"]),
                             ("'none'", "'self'", "'self'", "'script'"))
            self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|https?://|<script>|\son\w+=|style=")

    def test_6_a_form_without_a_body_changes_nothing(self):
        job = self.call("enqueueJob", "/v1/jobs", {"name": "form"})[1]["id"]
        connection = self.client.connection
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
            connection.request("POST", f"/v1/jobs/{job}/cancel", b"", {"Content-Type": kind})
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, 415, kind)
        self.assertEqual(self.call("getJob", f"/v1/jobs/{job}")[1]["state"], "ready")

    def test_6_a_start_more_than_a_year_ahead_is_refused(self):
        def ahead(days):
            return {"name": "far", "run_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + days * 86400))}

        self.assertEqual(self.call("enqueueJob", "/v1/jobs", ahead(365))[0], 201)
        self.assertEqual(self.call("enqueueJob", "/v1/jobs", {"name": "past", "run_at": "1970-01-01T00:00:00Z"})[1]["state"], "ready")
        status, problem = self.call("enqueueJob", "/v1/jobs", ahead(367))
        self.assertEqual((status, problem["field"]), (400, "run_at"))
        results = self.call("enqueueJobs", "/v1/jobs/batch", {"jobs": [{"name": "b"}, ahead(367)]})[1]["results"]
        self.assertEqual([r.get("error", {}).get("field") for r in results], [None, "jobs[1].run_at"])

    def test_6_a_problem_is_valid_text_when_it_quotes_bad_bytes(self):
        connection = self.client.connection
        for method, path, body in (("POST", "/v1/jobs", b"\x82\xa4name\xa1n\xa2\xff\x07\x01"), ("GET", "/v1/overview?%FF%07=1", None)):
            connection.request(method, path, body, {"Accept": MSGPACK, **({"Content-Type": MSGPACK} if body else {})})
            answer = connection.getresponse()
            self.assertEqual(answer.status, 400)
            self.assertEqual(msgpack.unpackb(answer.read())["field"], "\ufffd\ufffd")

    def test_7_the_document_has_the_limits_of_the_program(self):
        bounds = limits()
        job = DOCUMENT["components"]["schemas"]["NewJob"]["properties"]
        backoff = DOCUMENT["components"]["schemas"]["Backoff"]["properties"]
        claim = DOCUMENT["components"]["schemas"]["ClaimBody"]["properties"]
        window = DOCUMENT["components"]["schemas"]["Window"]["properties"]
        handoff = DOCUMENT["components"]["schemas"]["HandoffBody"]["properties"]
        edit = DOCUMENT["components"]["schemas"]["JobEdit"]["properties"]
        schedule = {**DOCUMENT["components"]["schemas"]["NewCronSchedule"]["properties"],
                    **DOCUMENT["components"]["schemas"]["NewIntervalSchedule"]["properties"]}
        shown = DOCUMENT["components"]["schemas"]["CronSchedule"]["properties"]
        matcher = DOCUMENT["components"]["schemas"]["NewMatcher"]["properties"]
        rate = DOCUMENT["components"]["schemas"]["RateConstraint"]["properties"]
        for schema, key, name in (
            (job["max_retry"], "maximum", "max_retry_max"), (job["max_retry"], "default", "max_retry_default"),
            (job["timeout"], "minimum", "timeout_s_min"), (job["timeout"], "maximum", "timeout_s_max"), (job["timeout"], "default", "timeout_s_default"),
            (job["delay"], "maximum", "delay_s_max"), (job["tags"], "maxItems", "tags_max"), (job["result_ttl"], "default", "result_ttl_s_default"),
            (job["result_ttl"], "maximum", "result_ttl_s_max"), (job["trace"], "maxLength", "trace_bytes_max"),
            (backoff["base"], "default", "backoff_base_s_default"), (backoff["base"], "maximum", "backoff_base_s_max"),
            (backoff["factor"], "maximum", "backoff_factor_max"), (backoff["max"], "default", "backoff_max_s_default"),
            (backoff["max"], "maximum", "backoff_max_s_max"), (backoff["jitter"], "default", "backoff_jitter_default"),
            (schedule["cron"], "maxLength", "cron_bytes_max"), (schedule["tz"], "maxLength", "time_zone_bytes_max"),
            (schedule["every"], "minimum", "schedule_interval_s_min"), (schedule["every"], "maximum", "schedule_interval_s_max"),
            (schedule["missed_max"], "maximum", "schedule_catch_up_max"), (schedule["missed_max"], "default", "schedule_catch_up_default"),
            (shown["next_runs"], "maxItems", "schedule_next_runs"), (shown["runs"], "maxItems", "schedule_runs_kept_max"),
            (claim["limit"], "maximum", "claim_limit_max"), (claim["names"], "maxItems", "claim_names_max"), (claim["wait"], "maximum", "claim_wait_s_max"),
            (DOCUMENT["components"]["schemas"]["Batch"]["properties"]["jobs"], "maxItems", "enqueue_batch_max"),
            (DOCUMENT["components"]["schemas"]["OutcomesBody"]["properties"]["outcomes"], "maxItems", "outcomes_batch_max"),
            (DOCUMENT["components"]["schemas"]["Name"], "maxLength", "name_bytes_max"),
            (job["windows"], "maxItems", "windows_max"), (job["depends_on"], "maxItems", "depends_on_max"), (job["then"], "maxItems", "then_max"),
            (job["expires_in"], "minimum", "expires_in_s_min"), (job["expires_in"], "maximum", "expires_in_s_max"),
            (window["tz"], "maxLength", "time_zone_bytes_max"), (handoff["timeout"], "minimum", "handoff_s_min"),
            (handoff["timeout"], "maximum", "handoff_s_max"), (edit["max_retry"], "maximum", "max_retry_max"),
            (edit["timeout"], "maximum", "timeout_s_max"), (edit["tags"], "maxItems", "tags_max"),
            (matcher["title"], "maxLength", "matcher_title_bytes_max"), (matcher["expression"], "maxLength", "matcher_text_bytes_max"),
            (matcher["note"], "maxLength", "matcher_note_bytes_max"), (matcher["rank"], "maximum", "matcher_rank_max"),
            (matcher["exempts"], "maxItems", "matcher_exempts_max"), (matcher["constraints"], "maxItems", "constraints_max"),
            (rate["by"], "maxItems", "constraint_by_max"), (rate["limit"], "maximum", "constraint_limit_max"),
            (rate["period"], "maximum", "rate_period_s_max"), (rate["period"], "minimum", "rate_period_s_min"),
            (rate["cost"]["oneOf"][0], "maximum", "constraint_cost_max"), (rate["overrides"], "maxProperties", "constraint_overrides_max"),
            (DOCUMENT["components"]["schemas"]["RateConstraint"]["then"]["properties"]["limit"], "maximum", "rate_sliding_limit_max"),
            (DOCUMENT["components"]["schemas"]["WindowConstraint"]["properties"]["allow"], "maxItems", "constraint_windows_max"),
            (DOCUMENT["components"]["schemas"]["ConstraintWindow"]["properties"]["dates"], "maxItems", "constraint_dates_max"),
            (DOCUMENT["components"]["schemas"]["ShareConstraint"]["properties"]["shares"], "maxProperties", "share_keys_max"),
            (DOCUMENT["components"]["schemas"]["RevisionList"]["properties"]["revisions"], "maxItems", "matcher_revisions_max"),
            (DOCUMENT["components"]["schemas"]["Job"]["properties"]["attempts"], "maxItems", "attempts_kept_max"),
            (DOCUMENT["paths"]["/v1/jobs/batch"]["post"], "x-body-bytes", "http_batch_body_bytes_max"),
        ):
            self.assertEqual(resolve(schema)[key], bounds[name], name)
        self.assertIn("262,144", job["argument"]["description"])
        self.assertEqual(bounds["argument_bytes_max"], 262144)
        self.assertIn(f"at most {bounds['then_depth_max']} levels", job["then"]["description"])
        live = DOCUMENT["paths"]["/v1/live"]["get"]["description"]
        for text in (f"up to {bounds['socket_message_bytes_max']:,} bytes", f"ping every {bounds['socket_ping_ms'] // 1000} s",
                     f"no answer for {bounds['socket_pong_deadline_ms'] // 1000} s", f"up to {bounds['socket_connections_max']:,} of these sockets"):
            self.assertIn(text, live)

    def test_7_each_role_may_call_its_operations(self):
        """Pushers and workers may call only what they need. Retry, delete and restore are for operators."""
        by_role = {}
        for name, _, _, described in operations():
            for role in described["x-roles"]:
                by_role.setdefault(role, set()).add(name)
        self.assertEqual(by_role["pusher"], {"enqueueJob", "enqueueJobs", "getResult", "getJob", "explainJob", "cancelJob", "takeMessage", "putGroup",
                                             "getGroup"})
        self.assertEqual(by_role["worker"], {"claimJobs", "getJob", "reportOutcome", "reportOutcomes", "heartbeat", "heartbeats", "release", "handOff", "takeMessage",
                                             "registerWorker", "deleteWorker"})
        self.assertTrue({"editJob", "retryJob", "deleteJob", "restoreJob", "putSchedule"} <= by_role["operator"])
        self.assertEqual(by_role["admin"], {"getDoctor", "checkNamespace", "setRetention", "setNameRetention", "clearNameRetention", "createToken",
                                            "listTokens", "revokeToken", "listAudit"})
        self.assertFalse(by_role["admin"] & (by_role["operator"] | by_role["viewer"]))

    def test_7_what_operators_change_is_audited(self):
        """Reads are not audited. Pushes, claims and reports are not either: they are in the job's history."""
        unaudited = {"enqueueJob", "enqueueJobs", "putGroup", "takeMessage", "previewMatcher", "previewSchedule", "createView", "deleteView",
                     "searchJobs", "searchJobCounts", "searchFailures", "searchResults"}
        refused = {"registerWorker", "signIn"}  # workers alone may, and who signs in is known by the body; attempts of others are audited
        for name, method, _, described in operations():
            changes = method.upper() != "GET" and bool({"operator", "admin"} & set(described["x-roles"])) and name not in unaudited or name in refused
            self.assertEqual(described.get("x-audited", False), changes, name)
            takes = {"$ref": "#/components/parameters/Reason"} in described.get("parameters", [])
            self.assertEqual(takes, changes, name)

    def test_8_the_document_is_sound(self):
        text = json.dumps(DOCUMENT)
        for reference in set(re.findall(r'"\$ref": "([^"]+)"', text)):
            self.assertTrue(reference.startswith("#/"))
            resolve({"$ref": reference})
        names = [name for name, *_ in operations()]
        self.assertEqual(len(names), len(set(names)))
        for name, _, path, described in operations():
            self.assertTrue(described["summary"] and described["description"] and described["tags"], name)
            self.assertTrue(any(status[0] == "2" for status in described["responses"]) or "x-messages" in described, name)
            roles = [{"bearer": [role]} for role in described["x-roles"]]
            self.assertEqual(described["security"], [*roles, {}] if roles else [], name)
            parameters = [resolve(p)["name"] for p in DOCUMENT["paths"][path].get("parameters", []) if resolve(p)["in"] == "path"]
            self.assertEqual(parameters, re.findall(r"{(\w+)}", path), name)
            for parameter in map(resolve, [*described.get("parameters", []), *DOCUMENT["paths"][path].get("parameters", [])]):
                self.assertIn("description", parameter, name)
        for name, schema in DOCUMENT["components"]["schemas"].items():
            jsonschema.Draft202012Validator.check_schema(schema)
            self.assertIn("description", schema, name)
            self.every_property_is_described(name, schema)

    def every_property_is_described(self, path, schema):
        for name, inner in schema.get("properties", {}).items():
            self.assertIn("description", resolve(inner), f"{path}.{name}")
            self.every_property_is_described(f"{path}.{name}", inner)
        if "items" in schema:
            self.every_property_is_described(f"{path}[]", schema["items"])


if __name__ == "__main__":
    unittest.main()
