"""What operators see of the past, for test_contract.py: every operation once, with answers that fit each other."""

from document import NOWHERE, now
from harness import until


class Past:
    def failed(self, call, name, message):
        """A job of this name that failed for good, and its path."""
        identity = call("enqueueJob", "/v1/jobs", {"name": name, "tags": ["r"]})[1]["id"]
        job = call("claimJobs", "/v1/claims", {"worker": "w", "names": [name]})[1]["jobs"][0]
        failure = {"lease": job["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": True, "message": message}
        self.assertEqual(call("reportOutcome", f"/v1/jobs/{identity}/outcome", failure)[1]["state"], "failed")
        return identity, f"/v1/jobs/{identity}"

    def saved_filters(self, call, encoding):
        """A filter is saved, replaced and deleted by its revision."""
        path, body = f"/v1/filters/mail%2Ffailed%20{encoding}", {"screen": "jobs", "kind": "pattern", "text": "mail.*"}
        status, made = call("putFilter", path, body, {"If-None-Match": "*"})
        self.assertEqual((status, made["name"], made["text"]), (201, f"mail/failed {encoding}", "mail.*"))
        status, refused = call("putFilter", path, body, {"If-None-Match": "*"})
        self.assertEqual((status, refused["code"], refused["reason"]), (412, "revision_mismatch", "filter_changed"))
        first = {"If-Match": f'"{made["revision"]}"'}
        status, changed = call("putFilter", path, {"screen": "jobs", "kind": "text", "text": ""}, first)
        self.assertEqual((status, changed["kind"], made["revision"] < changed["revision"] < 2**53), (200, "text", True))
        self.assertEqual(call("putFilter", path, body, first)[0], 412)
        for wrong, field in (({**body, "kind": "sql"}, "kind"), ({**body, "screen": "overview"}, "screen"), ({**body, "text": "é" * 2049}, "text"),
                             ({**body, "more": 1}, "more"), ({"screen": "jobs", "kind": "text"}, "text")):
            status, refused = call("putFilter", path, wrong)
            self.assertEqual((status, refused["field"]), (400, field))
        for name in ("%20mail", "mail%20", "ma%0Ail", "m" * 201):
            self.assertEqual(call("putFilter", f"/v1/filters/{name}", body)[0], 400, name)
        self.assertIn(changed, call("listFilters", "/v1/filters")[1]["filters"])
        self.assertEqual(call("deleteFilter", path, None, first)[0], 412)
        last = call("putFilter", path, {**body, "text": "é" * 2048})[1]  # without a revision the last write wins
        self.assertEqual(call("deleteFilter", path), (200, last))
        status, refused = call("deleteFilter", path)
        self.assertEqual((status, refused["reason"]), (404, "filter_not_found"))

    def records(self, call, encoding):
        """What operators see of the past."""
        name = f"past {encoding}"
        identity, path = self.failed(call, name, "No route to 10.0.0.7 after 31 s")
        self.failed(call, name, "No route to 10.0.0.8 after 4 s")
        group = next(g for g in call("listFailures", "/v1/failures?window=1h&state=open")[1]["groups"] if g["name"] == name)
        self.assertEqual((group["title"], group["count"], group["failed"], group["final"]), ("No route to <ip> after <n> s", 2, 2, 2))
        self.assertEqual((sum(group["trend"]), group["in_window"], group["workers"]), (2, 2, [{"worker": "w", "count": 2}]))
        self.assertIn(identity, group["samples"])
        of_group = f"/v1/failures/{group['signature']}"
        page = call("getFailures", f"{of_group}?limit=1&window=7d")[1]
        self.assertEqual((page["total"], len(page["jobs"])), (2, 1))
        self.assertEqual(call("getFailures", f"{of_group}?limit=1&cursor={page['next']}")[1]["jobs"][0]["id"], identity)
        self.assertEqual(call("getFailures", f"/v1/failures/{'0' * 32}")[0], 404)
        for by in ("name", "reason", "worker"):
            sums = call("listFailures", f"/v1/failures?group_by={by}")[1]["sums"]
            self.assertEqual(next(s for s in sums if s["key"] == {"name": name, "reason": "other", "worker": "w"}[by])["count"] >= 2, True)
        self.assertEqual(call("resolveFailures", f"{of_group}/resolve")[1]["state"], "resolved")
        self.assertNotIn(name, [g["name"] for g in call("listFailures", "/v1/failures?state=open")[1]["groups"]])
        self.assertIn("muted_until", call("muteFailures", f"{of_group}/mute", {"until": "2099-01-01T00:00:00Z"})[1])
        self.assertEqual(len(call("listFailures", "/v1/failures?state=muted&limit=1")[1]["groups"]), 1)
        self.assertNotIn("muted_until", call("muteFailures", f"{of_group}/mute")[1])
        self.failed(call, name, "No route to 10.0.0.9 after 2 s")
        self.assertEqual(call("getFailures", of_group)[1]["group"]["state"], "open")
        self.assertEqual(call("resolveFailures", f"/v1/failures/{'0' * 32}/resolve", {"resolved": False})[0], 404)
        first = call("retryFailures", f"{of_group}/retry", {"limit": 2})[1]
        self.assertEqual((first["retried"], first["left"]), (2, 1))
        self.assertEqual(call("retryFailures", f"{of_group}/retry", {"cursor": first["next"]})[1], {"retried": 1, "left": 0})
        self.assertEqual(call("retryFailures", f"{of_group}/retry", {"cursor": "zero"})[0], 400)
        self.assertEqual(call("trackJob", f"{path}/tracked")[1], {"done": True})
        self.assertEqual(call("trackJob", f"/v1/jobs/{NOWHERE}/tracked")[0], 404)
        self.assertEqual([j["tracked"] for j in call("listJobs", f"/v1/jobs?tracked=true&tag=r&name=past%20{encoding}")[1]["jobs"]], [True])
        self.assertEqual(call("untrackJob", f"{path}/tracked")[1], {"done": True})
        self.assertEqual(call("duplicateJob", f"{path}/duplicate")[0], 201)
        self.assertEqual(call("duplicateJob", f"/v1/jobs/{NOWHERE}/duplicate")[0], 404)
        self.assertEqual(call("deleteJob", path)[1]["state"], "cancelled")
        self.assertIn("deleted_at", call("getJob", path)[1])
        self.assertEqual(call("listJobs", "/v1/jobs?trash=true&limit=1")[1]["jobs"][0]["id"], identity)
        self.assertEqual(call("restoreJob", f"{path}/restore")[1]["state"], "ready")
        self.assertEqual(call("restoreJob", f"{path}/restore")[0], 409)
        self.assertEqual(call("deleteJob", f"/v1/jobs/{NOWHERE}")[0], 404)
        self.kept_results(call, name)
        self.saved_filters(call, encoding)
        day = call("getStats", f"/v1/stats?name=past%20{encoding}")[1]
        self.assertEqual((day["stats"][0]["failures"], day["stats"][0]["run"]["count"]), (3, 5))
        self.assertEqual(len(call("getStats", "/v1/stats?limit=1&day=" + day["day"])[1]["stats"]), 1)
        self.assertEqual(call("getStats", "/v1/stats?day=2020-01-01")[1]["stats"], [])
        self.assertEqual(call("getStats", "/v1/stats?day=2020-13-01")[0], 400)
        for span, step, values in (("10m", 1, 600), ("1h", 60, 60), ("3d", 300, 864), ("691200", 600, 1152)):
            series = call("getSeries", f"/v1/series?metric=enqueued&range={span}")[1]
            self.assertEqual((series["step"], len(series["values"])), (step, values))
        self.assertEqual(call("getSeries", "/v1/series?metric=failed_jobs")[1]["metric"], "failed_jobs")
        own = call("getSeries", f"/v1/series?metric=failures&range=10m&name=past%20{encoding}")[1]
        self.assertEqual((own["metric"], own["step"], len(own["values"])), ("failures", 60, 10))
        self.assertEqual(call("getSeries", "/v1/series?metric=started&name=a")[1]["field"], "metric")
        for bad in ("metric=x", "metric=ready_jobs&name=a", "metric=enqueued&name=", "range=1h", "metric=enqueued&range=9d",
                    "metric=enqueued&range=0", "metric=enqueued&range=-1h"):
            self.assertEqual(call("getSeries", f"/v1/series?{bad}")[0], 400, bad)
        self.assertEqual(call("getRetention", "/v1/retention")[1]["failed"], {"age": 2592000, "count": 100000})
        own = call("setNameRetention", f"/v1/retention/past%20{encoding}", {"succeeded": {"count": 3}, "failed": {"age": 0.5}})[1]
        self.assertEqual(own["names"], [{"name": name, "succeeded": {"count": 3}, "failed": {"age": 0.5}, "cancelled": {}}])
        self.assertEqual(call("setRetention", "/v1/retention", {"succeeded": {"age": 60}})[1]["succeeded"], {"age": 60, "count": 100000})
        self.assertEqual(call("setRetention", "/v1/retention", {})[1]["succeeded"], {"age": 86400, "count": 100000})
        self.guarded(call, f"/v1/retention/past%20{encoding}")
        self.assertEqual(call("clearNameRetention", f"/v1/retention/past%20{encoding}")[1]["names"], [])
        self.broken(call, encoding)
        until(lambda: self.redis("EXISTS", "jq:{default}:replace") == ":0", what="the settings applied to what is there")

    def guarded(self, call, path):
        """A revision of the retention stands for all of its settings, and for nothing else."""
        call("getRetention", "/v1/retention")
        first = {"If-Match": self.tag}
        changed = {"cancelled": {"count": 7}}
        self.assertEqual(call("setRetention", "/v1/retention", changed, first)[0], 200)
        second = {"If-Match": self.tag}
        self.assertEqual(call("setRetention", "/v1/retention", {}, first)[0], 412)
        self.assertEqual(call("setNameRetention", path, {}, first)[0], 412)
        self.assertEqual(call("clearNameRetention", path, None, first)[0], 412)
        self.assertEqual(call("getRetention", "/v1/retention")[1]["cancelled"]["count"], 7)
        self.assertEqual(call("setRetention", "/v1/retention", {}, second)[0], 200)
        self.assertEqual({"If-Match": self.tag}, first)

    def broken(self, call, encoding):
        """fsck over the API: it finds a stray key, repairs it, and finds nothing then."""
        self.redis("SET", "jq:{default}:stray" + encoding, "1")
        found = call("checkNamespace", "/v1/fsck", {"repair": False})[1]
        while "next" in found:
            part = call("checkNamespace", "/v1/fsck", {"cursor": found.pop("next")})[1]
            found = {**part, "violations": found["violations"] + part["violations"]}
        stray = {"invariant": "I17", "key": "stray" + encoding, "text": "a key outside the schema",
                 "reason": "fsck_key_unknown", "repaired": False}
        self.assertEqual(found["violations"], [stray])
        repaired = call("checkNamespace", "/v1/fsck", {"repair": True})[1]
        self.assertEqual([repaired["violations"], repaired["repaired"]], [[{**stray, "repaired": True}], 1])
        self.assertEqual(call("checkNamespace", "/v1/fsck")[1]["found"], 0)
        self.assertEqual(call("checkNamespace", "/v1/fsck", {"cursor": "x"})[0], 400)

    def kept_results(self, call, name):
        for number in range(2):
            identity = call("enqueueJob", "/v1/jobs", {"name": name, "keep_result": True, "priority": -9})[1]["id"]
            job = call("claimJobs", "/v1/claims", {"worker": "w", "names": [name]})[1]["jobs"][0]
            success = {"lease": job["lease"], "type": "success", "finished_at": now(), "result": number}
            call("reportOutcome", f"/v1/jobs/{identity}/outcome", success)
        path = f"/v1/jobs/{identity}/result"
        page = call("listResults", "/v1/results?limit=1")[1]
        self.assertEqual(call("searchResults", "/v1/results/search", {"limit": 1})[1]["results"], page["results"])
        self.assertEqual(call("searchFailures", "/v1/failures/search", {"state": "muted"})[1]["groups"], [])
        others = call("listResults", f"/v1/results?cursor={page['next']}")[1]
        self.assertEqual(page["total"], 1 + len(others["results"]))
        self.assertIn((identity, name), [(r["id"], r["name"]) for r in page["results"] + others["results"]])
        self.assertEqual(call("extendResult", path, {"ttl": 7200})[1]["id"], identity)
        self.assertEqual(call("discardResult", path)[1], {"done": True})
        self.assertEqual(call("discardResult", path)[0], 404)
        self.assertEqual(call("extendResult", path, {"ttl": 7200})[0], 404)
        self.assertIsNone(call("getResult", path)[1])
