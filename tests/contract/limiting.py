"""Matchers and constraints, for test_contract.py: every operation once, with answers that fit each other."""

import time
from datetime import datetime

from document import NOWHERE, ContractCase, now, until

EVERY_KIND = [
    {"kind": "rate", "limit": 500, "period": 60.0, "algorithm": "sliding", "by": ["job.argument.vendor"], "on_missing": "exempt"},
    {"kind": "rate", "limit": 5, "period": 3600.0, "algorithm": "fixed", "tz": "Asia/Tokyo", "cost": "job.argument.size"},
    {"kind": "concurrency", "limit": 3, "cost": 2, "reserve_after": 30.0, "by": ["job.argument.user"], "overrides": {"7": {"limit": 9}}},
    {"kind": "share", "capacity": 10, "by": ["job.argument.region"], "shares": {"eu": {"percent": 40}, "us": {"min": 3, "max": 5}},
     "default": {"max": 3}, "borrow": True},
    {"kind": "window", "deny": [{"from": "22:00", "to": "06:00", "days": ["mon", "tue"]}], "tz": "Europe/Berlin", "on_close": "finish"},
    {"kind": "breaker", "window": 60.0, "min_samples": 10, "failure_rate": 0.5, "open_for": 30.0, "factor": 2.0, "max_open": 600.0, "probes": 1},
    {"kind": "cooldown", "max": 3600.0, "by": ["job.argument.tenant"]},
    {"kind": "backlog", "max_ready": 1000, "overflow": "reject", "mode": "observe"},
    {"kind": "fair", "by": ["job.argument.user"], "weight": "job.argument.weight"},
    {"kind": "set", "priority": 5, "timeout": 60.0, "max_retry": 3, "backoff": {"base": 1, "factor": 2, "max": 60, "jitter": 0.1}},
]
NEW = {"If-None-Match": "*"}


def revision(matcher):
    return {"If-Match": f'"{matcher["revision"]}"'}


class Limiting:
    def matchers(self, call, encoding):
        identity, name = f"m.{encoding}", f"limited.{encoding}"
        path = f"/v1/matchers/{identity}"
        text = {"title": "One at a time", "expression": f'job.name == "{name}"', "note": "why", "rank": 3, "exempts": ["nobody"],
                "constraints": [{"kind": "concurrency", "limit": 1, "by": ["job.argument"]}]}
        self.assertEqual(call("putMatcher", path, text)[0], 428)
        status, made = call("putMatcher", path, text, NEW)
        self.assertEqual((status, made["revision"], made["constraints"][0]["id"]), (201, 1, f"{identity}.concurrency1"))
        self.assertEqual(made["names"], {"class": "names", "names": [name]})
        self.assertEqual(call("putMatcher", path, text, NEW)[0], 412)
        self.assertEqual(call("putMatcher", path, made, {"If-Match": '"9"'})[0], 412)
        self.assertEqual(call("getMatcher", path), (200, made))
        self.assertEqual(call("getMatcher", "/v1/matchers/missing")[0], 404)
        self.assertIn(made, call("listMatchers", "/v1/matchers?limit=500")[1]["matchers"])
        first = call("enqueueJob", "/v1/jobs", {"name": name, "argument": "k"})[1]["id"]
        second = call("enqueueJob", "/v1/jobs", {"name": name, "argument": "k"})[1]["id"]
        jobs = call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 5})[1]["jobs"]
        self.assertEqual([job["id"] for job in jobs], [first])
        told = call("explainJob", f"/v1/jobs/{second}/explain")[1]
        gate = next(g for g in told["gates"] if g["gate"] == "concurrency")
        self.assertEqual((told["would_run"], gate["status"], gate["key"], gate["used"], gate["limit"], gate["holders"]),
                         (False, "holding", "k", 1, 1, [first]))
        self.assertEqual(call("explainJob", f"/v1/jobs/{NOWHERE}/explain")[0], 404)
        later = call("enqueueJob", "/v1/jobs", {"name": name, "argument": "k", "depends_on": [second]})[1]["id"]
        self.assertEqual(call("explainJob", f"/v1/jobs/{later}/explain")[1]["gates"][0], {"gate": "state", "status": "holding"})
        call("cancelJob", f"/v1/jobs/{later}/cancel")
        held = next(h for h in call("listHeld", "/v1/held")[1]["held"] if h["matcher"] == identity)
        self.assertEqual((held["kind"], held["key"], held["jobs"]), ("concurrency", "k", 1))
        row = next(j for j in call("listJobs", f"/v1/jobs?state=ready&name={name}")[1]["jobs"] if j["id"] == second)
        self.assertEqual((row["held_by"]["matcher"], row["held_by"]["kind"], row["held_by"]["key"]), (identity, "concurrency", "k"))
        live = next(c for c in call("listConstraints", "/v1/constraints?limit=100")[1]["constraints"] if c["matcher"] == identity)
        self.assertEqual((live["used"], live["waiting"], live["closed"], live["complete"]), (1, 1, 1, True))
        buckets = call("listBuckets", f"/v1/constraints/{identity}.concurrency1/buckets")[1]["buckets"]
        self.assertEqual([(b["key"], b["open"], b["holders"]) for b in buckets], [("k", False, [first])])
        self.assertEqual(call("listBuckets", "/v1/constraints/missing/buckets")[0], 404)
        self.previews(call, identity, name, first, second)
        self.trials(call, name, waiting=second)
        self.overriding(call, encoding)
        self.set_fields(call, encoding)
        self.given_ids(call, encoding)
        self.breakers(call, encoding)
        self.pauses(call, name, second)
        self.paced(call, encoding)
        self.paced_smoothly(call, encoding)
        self.paced_by_periods(call, encoding)
        self.editing(call, path, made)
        done = {"lease": jobs[0]["lease"], "type": "success", "finished_at": now(), "result": None}
        self.assertEqual(call("reportOutcome", f"/v1/jobs/{first}/outcome", done)[0], 200)
        self.assertEqual(call("claimJobs", "/v1/claims", {"worker": "w", "names": [name]})[1]["jobs"][0]["id"], second)

    def previews(self, call, identity, name, running, waiting):
        expression = f'job.name == "{name}" && job.argument.size() < 9 || job.name == "first" && job.argument.x'
        preview = call("previewMatcher", "/v1/matchers/preview", {"expression": expression, "constraints": [{"kind": "fair", "by": ["job.argument"]}]})[1]
        states = {s["state"]: s for s in preview["states"]}
        self.assertEqual([(states[s]["matched"], states[s]["complete"]) for s in ("ready", "running", "failed")], [(1, True), (1, True), (0, True)])
        call("enqueueJob", "/v1/jobs", {"name": f"{name}.other"})  # of a name that cannot match, so nobody looks at it
        ready = call("previewMatcher", "/v1/matchers/preview", {"expression": expression})[1]["states"][0]
        self.assertEqual((ready["state"], ready["total"]), ("ready", call("getOverview", "/v1/overview")[1]["states"]["ready"]))
        self.assertEqual({s["id"] for s in preview["samples"]}, {running, waiting})
        self.assertEqual(preview["keys"], [{"kind": "fair", "distinct": 1, "top": [{"key": "k", "jobs": 2}]}])
        self.assertEqual(preview["overlaps"], [{"matcher": identity, "jobs": 2}])
        self.assertEqual((preview["names"]["class"], preview["newly_matched"]), ("names", []))
        self.assertEqual(preview["replay"], {"starts": 1, "delayed": 0, "mean_delay": 0, "max_delay": 0, "seconds": preview["replay"]["seconds"], "complete": True,
                                             "step": 30, "as_it_was": [0] * 29 + [1], "limited": [0] * 29 + [1]})
        self.assertAlmostEqual(preview["drain"]["before"], 60, delta=60)  # one start and one that waits, of jobs that are new
        shut = call("previewMatcher", "/v1/matchers/preview", {"expression": expression, "constraints": [{"kind": "concurrency", "limit": 0}]})[1]
        self.assertNotIn("drain", shut)
        self.assertEqual((preview["arrivals"]["starts_per_second"], preview["arrivals"]["growth"]), (1 / 60, 0))
        self.assertAlmostEqual(preview["arrivals"]["per_second"], 2 / 900, delta=1e-6)  # of the time until now, to the millisecond
        slow = call("previewMatcher", "/v1/matchers/preview", {"expression": expression, "constraints": [{"kind": "rate", "limit": 1, "period": 3600}]})[1]
        self.assertEqual(slow["arrivals"]["growth"], 0)  # two at once are a burst, not a rate
        self.assertIn("drain", slow)
        self.raised(call, name)
        changed = call("previewMatcher", "/v1/matchers/preview", {"id": identity, "expression": f'job.name == "{name}" && job.argument > 1'})[1]
        self.assertEqual((changed["no_longer_matched_count"], changed["newly_matched_count"]), (2, 0))
        self.assertEqual([f["jobs"] for f in changed["faults"]], [2])
        status, problem = call("previewMatcher", "/v1/matchers/preview", {"expression": "job.name == "})
        self.assertEqual((status, problem["errors"][0]["line"]), (422, 1))

    def raised(self, call, name):
        """A limit that set the pace and is raised may shorten the backlog; one that did not leaves the pace to the workers."""
        identity, name = f"raised.{name}", f"{name}.raised"
        matcher = {"title": "x", "expression": f'job.name == "{name}"', "constraints": [{"kind": "rate", "limit": 1, "period": 60}]}
        made = call("putMatcher", f"/v1/matchers/{identity}", matcher, NEW)[1]
        for _ in range(3):
            call("enqueueJob", "/v1/jobs", {"name": name})
        self.assertEqual(len(call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 4})[1]["jobs"]), 1)

        def drain(*constraints):
            preview = {"id": identity, "expression": matcher["expression"], "constraints": list(constraints)}
            return call("previewMatcher", "/v1/matchers/preview", preview)[1]["drain"]

        rate = {"id": made["constraints"][0]["id"], "kind": "rate", "limit": 60, "period": 60}
        self.assertEqual(drain(rate | {"limit": 1}), {"before": 120, "after": 120, "at_least": 120})
        self.assertEqual(drain(rate), {"before": 120, "after": 2, "at_least": 2})
        self.assertEqual(drain(), {"before": 120, "after": 0, "at_least": 0})
        self.assertEqual(drain(rate | {"limit": 1, "period": 120}), {"before": 120, "after": 240, "at_least": 240})
        call("putMatcher", f"/v1/matchers/{identity}", matcher | {"constraints": [rate]}, {"If-Match": '"1"'})
        self.assertEqual(drain(rate | {"limit": 600}), {"before": 120, "after": 120, "at_least": 0.2})

    def trials(self, call, name, waiting):
        path = "/v1/matchers/preview"
        expression = f'(job.name == "{name}" &&\n job.argument.vendor == "acme") || "hot" in job.tags'
        tried = call("previewMatcher", path, {"expression": expression, "test": {"name": name, "argument": {"vendor": 7}, "tags": ["cold"]}})[1]["test"]
        self.assertEqual((tried["matches"], "fault" in tried, tried["complete"]), (False, False, True))
        self.assertEqual([(t["line"], t["column"], t["text"], t["result"]) for t in tried["terms"]],
                         [(1, 2, f'job.name == "{name}"', True), (2, 2, 'job.argument.vendor == "acme"', False), (2, 36, '"hot" in job.tags', False)])
        self.assertEqual(tried["terms"][1]["reads"], [{"text": "job.argument.vendor", "type": "int", "value": "7", "expected": "string"}])
        kept = call("previewMatcher", path, {"expression": f'job.name == "{name}" && job.argument.vendor == "acme"', "test": {"job": waiting}})[1]["test"]
        self.assertEqual((kept["matches"], [type(t["result"]) for t in kept["terms"]]), (False, [bool, str]))
        self.assertEqual(kept["fault"], kept["terms"][1]["result"])
        self.assertTrue(call("previewMatcher", path, {"expression": 'job.argument == "k"', "test": {"job": waiting}})[1]["test"]["matches"])
        for status, field, test in ((404, "test.job", {"job": NOWHERE}), (400, "test.job", {"job": "x"}), (400, "test.name", {}),
                                    (400, "test.name", {"job": waiting, "name": "n"}), (400, "test.delay", {"name": "n", "delay": 1}),
                                    (400, "test.tags", {"name": "n", "tags": 1})):
            code, problem = call("previewMatcher", path, {"expression": "true", "test": test})
            self.assertEqual((code, problem["field"]), (status, field))

    def overriding(self, call, encoding):
        """Gives single keys of a constraint, which the path names, other parameters than the rest."""
        identity, name = f"o.{encoding}", f"overridden.{encoding}"
        constraint = f"/v1/constraints/{identity}.concurrency1"
        text = {"title": "t", "expression": f'job.name == "{name}"',
                "constraints": [{"kind": "concurrency", "limit": 1, "by": ["job.argument"]}, {"kind": "pause", "reason": "r", "mode": "off"}]}
        matcher = call("putMatcher", f"/v1/matchers/{identity}", text, NEW)[1]
        self.assertEqual(call("overrideBucket", f"{constraint}/buckets/k", {"limit": 2})[0], 428)
        self.assertEqual(call("overrideBucket", f"{constraint}/buckets/k", {"limit": 2}, {"If-Match": '"7"'})[0], 412)
        self.assertEqual(call("overrideBucket", "/v1/constraints/nothing/buckets/k", {"limit": 2}, revision(matcher))[0], 404)
        for field, override in (("limit", {"limit": -1}), ("unknown", {"unknown": 1}), ("", [])):
            status, problem = call("overrideBucket", f"{constraint}/buckets/a.b", override, revision(matcher))
            self.assertEqual((status, problem.get("field", "")), (400, field))
        for bad in ("%C3%28", "x" * 201):
            status, problem = call("overrideBucket", f"{constraint}/buckets/{bad}", {"limit": 1}, revision(matcher))
            self.assertEqual((status, problem["field"]), (400, "key"))
        status, problem = call("overrideBucket", f"/v1/constraints/{identity}.pause1/buckets/k", {"reason": "x"}, revision(matcher))
        self.assertEqual((status, problem["field"]), (400, "constraints[1].overrides"))  # it has one bucket only
        keys = {"a%2Fb%20%25": "a/b %", "7": 7, "%C3%A9": "\u00e9", "%5B%22x%22%5D": '["x"]'}
        for encoded in keys:
            status, matcher = call("overrideBucket", f"{constraint}/buckets/{encoded}", {"limit": 2}, revision(matcher))
            self.assertEqual(status, 200)
        self.assertEqual(set(matcher["constraints"][0]["overrides"]), {str(key) for key in keys.values()})
        self.assertEqual(call("getMatcher", f"/v1/matchers/{identity}"), (200, matcher))
        for argument in [*keys.values(), "plain"]:
            for _ in range(3):
                call("enqueueJob", "/v1/jobs", {"name": name, "argument": argument})
        jobs = call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 100})[1]["jobs"]
        self.assertEqual([[job["argument"] for job in jobs].count(key) for key in [*keys.values(), "plain"]], [2] * len(keys) + [1])
        for encoded in keys:
            matcher = call("overrideBucket", f"{constraint}/buckets/{encoded}", {}, revision(matcher))[1]
        self.assertNotIn("overrides", matcher["constraints"][0])
        self.assertEqual(call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 100})[1]["jobs"], [])

    def set_fields(self, call, encoding):
        identity, name = f"s.{encoding}", f"set.{encoding}"
        text = {"title": "Important", "expression": f'job.name == "{name}"', "constraints": [{"kind": "set", "priority": 7}]}
        made = call("putMatcher", f"/v1/matchers/{identity}", text, NEW)[1]
        path = f"/v1/jobs/{call('enqueueJob', '/v1/jobs', {'name': name, 'priority': 1})[1]['id']}"
        status, problem = call("editJob", path, {"priority": 2, "tags": ["t"]})
        self.assertEqual((status, problem["code"], problem["field"], problem["matcher"]),
                         (409, "set_by_matcher", "priority", {"id": identity, "title": "Important"}))
        shown = call("getJob", path)[1]
        self.assertEqual((shown["priority"], shown["tags"]), (7, []))
        edited = call("editJob", path, {"priority": 7, "timeout": 9, "tags": ["t"]})[1]  # nothing that the matcher would undo
        self.assertEqual((edited["priority"], edited["timeout"], edited["tags"]), (7, 9, ["t"]))
        call("deleteMatcher", f"/v1/matchers/{identity}", None, revision(made))
        self.assertEqual(call("editJob", path, {"priority": 2})[1]["priority"], 2)

    def given_ids(self, call, encoding):
        """A master never gives a constraint an id that another one has. Only ids of pauses begin with `pause-`."""
        identity = f"g.{encoding}"
        constraint = {"kind": "concurrency", "limit": 1}
        other = call("putMatcher", f"/v1/matchers/other.{encoding}", {"title": "t", "expression": "false", "constraints": [
            {**constraint, "id": f"{identity}.concurrency1"}]}, NEW)[1]
        status, made = call("putMatcher", f"/v1/matchers/{identity}", {"title": "t", "expression": "false", "constraints": [constraint]}, NEW)
        self.assertEqual((status, made["constraints"][0]["id"]), (201, f"{identity}.concurrency2"))
        for matcher in (made, other):
            call("deleteMatcher", f"/v1/matchers/{matcher['id']}", None, revision(matcher))
        status, problem = call("putMatcher", f"/v1/matchers/pause-{encoding}", {"title": "t", "expression": "false", "constraints": [
            {"kind": "pause"}]}, NEW)
        self.assertEqual((status, problem["field"]), (400, "id"))
        pause = call("pause", "/v1/pause", {"reason": "r", "match": "false"})[1]
        self.assertEqual([p["id"] for p in call("listPauses", "/v1/pauses")[1]["pauses"]], [pause["id"]])
        call("resume", "/v1/resume", {"id": pause["id"]})

    def breakers(self, call, encoding):
        identity, name = f"b.{encoding}", f"broken.{encoding}"
        constraint = f"/v1/constraints/{identity}.breaker1"
        text = {"title": "t", "expression": f'job.name == "{name}"',
                "constraints": [{"kind": "breaker", "open_for": 600, "by": ["job.argument"]}, {"kind": "concurrency", "limit": 100}]}
        call("putMatcher", f"/v1/matchers/{identity}", text, NEW)
        for argument in ("a/b", 7, "7"):
            call("enqueueJob", "/v1/jobs", {"name": name, "argument": argument})
        def claim():
            jobs = call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 9})[1]["jobs"]
            return [job["argument"] for job in jobs]

        def states():
            buckets = call("listBuckets", f"{constraint}/buckets")[1]["buckets"]
            return sorted((bucket["key"], bucket["breaker"], bucket["open"]) for bucket in buckets)

        def trips():
            return len(call("listAudit", "/v1/audit?action=tripBreaker")[1]["entries"])
        self.assertEqual(states(), [("7", "closed", True), ("7", "closed", True), ("a/b", "closed", True)])
        told = trips()
        status, tripped = call("tripBreaker", f"{constraint}/trip", {"key": "7"})
        self.assertEqual((status, tripped["buckets"], "opens_at" in tripped), (200, 2, True))  # the keys 7 and "7"
        self.assertEqual(states(), [("7", "open", False), ("7", "open", False), ("a/b", "closed", True)])
        self.assertEqual(claim(), ["a/b"])
        self.assertEqual(call("resetBreaker", f"{constraint}/reset", {"key": "7"}), (200, {"buckets": 2}))
        self.assertEqual(claim(), [7, "7"])
        self.assertEqual(call("tripBreaker", f"{constraint}/trip", {"open_for": 1000})[1]["buckets"], 3)
        until(lambda: trips() >= told + 2, what="the entries of the audit, which are written after the answers")
        self.assertEqual(trips(), told + 2)  # one for each call, however many buckets it tripped
        self.assertEqual(call("tripBreaker", f"{constraint}/trip")[1]["buckets"], 3)
        self.assertEqual(call("resetBreaker", f"{constraint}/reset"), (200, {"buckets": 3}))
        for verb in ("trip", "reset"):
            for status, to in ((404, "/v1/constraints/nothing"), (409, f"/v1/constraints/{identity}.concurrency1")):
                self.assertEqual(call(f"{verb}Breaker", f"{to}/{verb}")[0], status)
            status, problem = call(f"{verb}Breaker", f"{constraint}/{verb}", {"key": "nobody's"})
            self.assertEqual((status, problem["field"]), (404, "key"))

    def editing(self, call, path, made):
        status, problem = call("putMatcher", path, {"title": "x", "expression": "job.name ==\n  job.state && job.x"}, revision(made))
        self.assertEqual((status, problem["code"], problem["errors"][0]["line"]), (422, "invalid_expression", 2))
        status, problem = call("putMatcher", path, {"title": "x", "expression": "true", "constraints": [{"kind": "rate", "limit": -1, "period": 1}]}, NEW)
        self.assertEqual((status, problem["field"]), (400, "constraints[0].limit"))
        changed = call("putMatcher", path, {**made, "constraints": EVERY_KIND}, revision(made))[1]
        self.assertEqual(changed["revision"], 2)
        for given, kept in zip(EVERY_KIND, changed["constraints"]):
            self.assertEqual({key: kept[key] for key in given}, given)
        self.assertEqual(call("putMatcher", path, changed, revision(changed))[1]["constraints"], changed["constraints"])
        self.assertEqual([r["revision"] for r in call("listRevisions", f"{path}/revisions")[1]["revisions"]], [3, 2, 1])
        self.assertEqual(call("listRevisions", "/v1/matchers/missing/revisions")[0], 404)
        self.assertEqual(call("deleteMatcher", path, None, revision(changed))[0], 412)
        self.assertEqual(call("deleteMatcher", path, None, {"If-Match": '"3"'})[0], 200)
        self.assertEqual(call("deleteMatcher", path, None, {"If-Match": '"3"'})[0], 404)
        self.assertTrue(call("listRevisions", f"{path}/revisions")[1]["deleted"])
        self.assertEqual(call("revertMatcher", f"{path}/revert", {"revision": 99}, NEW)[0], 404)
        status, back = call("revertMatcher", f"{path}/revert", {"revision": 1}, NEW)
        self.assertEqual((status, back["revision"], back["title"], back["constraints"][0]["limit"]), (201, 5, "One at a time", 1))

    def paced(self, call, encoding):
        """A job that others come before starts after them, as the rate lets them."""
        identity, name = f"paced.{encoding}", f"paced.{encoding}"
        rate = {"kind": "rate", "limit": 1, "period": 60}
        call("putMatcher", f"/v1/matchers/{identity}", {"title": "x", "expression": f'job.name == "{name}"', "constraints": [rate]}, NEW)
        jobs = [call("enqueueJob", "/v1/jobs", {"name": name})[1]["id"] for _ in range(4)]
        self.assertEqual(len(call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 4})[1]["jobs"]), 1)
        told = [call("explainJob", f"/v1/jobs/{job}/explain")[1] for job in jobs[1:]]
        self.assertEqual([each["position"] for each in told], [0, 1, 2])
        rates = [gate for gate in told[0]["gates"] if gate["gate"] == "rate"]
        self.assertEqual([(gate["status"], gate["limit"], gate["period"]) for gate in rates], [("holding", 1, 60)])
        first, *later = [datetime.fromisoformat(each["estimate"].replace("Z", "+00:00")) for each in told]
        self.assertEqual([(each - first).total_seconds() for each in later], [60, 120])
        call("deleteMatcher", f"/v1/matchers/{identity}", None, {"If-Match": '"1"'})
        told = call("explainJob", f"/v1/jobs/{jobs[3]}/explain")[1]  # without the rate nothing paces it
        self.assertLess(datetime.fromisoformat(told["estimate"].replace("Z", "+00:00")), first)

    def paced_smoothly(self, call, encoding):
        """In the second in which a rate admits the next job, it holds those behind that one."""
        identity, name = f"smooth.{encoding}", f"smooth.{encoding}"
        rate = {"kind": "rate", "limit": 1, "period": 2}
        call("putMatcher", f"/v1/matchers/{identity}", {"title": "x", "expression": f'job.name == "{name}"', "constraints": [rate]}, NEW)
        jobs = [call("enqueueJob", "/v1/jobs", {"name": name})[1]["id"] for _ in range(12)]

        def told(job):
            explained = call("explainJob", f"/v1/jobs/{job}/explain")[1]
            return explained["would_run"], next(gate["status"] for gate in explained["gates"] if gate["gate"] == "rate")

        begun = 0

        def starts():
            nonlocal begun
            begun = time.monotonic()
            return call("claimJobs", "/v1/claims", {"worker": "w", "names": [name], "limit": 1})[1]["jobs"]

        for following, behind in zip(jobs[1:8], jobs[4:]):  # a machine that is too slow for the second gets others
            until(starts, 10, "a start")
            until(lambda job=following: told(job)[0], 10, "the next opening")
            later = told(behind)
            if time.monotonic() - begun < 2.9:
                break
        else:
            self.fail("no explanation came in time")
        self.assertEqual(later, (False, "holding"))
        call("deleteMatcher", f"/v1/matchers/{identity}", None, {"If-Match": '"1"'})

    def paced_by_periods(self, call, encoding):
        """A whole limit starts at once. Fixed periods are aligned. A job that costs more than the limit has a period for itself."""
        hour, near = 3600, 60

        def estimates(number, **rate):
            identity = name = f"periods{number}.{encoding}"
            rate = {"kind": "rate", "limit": 2, "period": hour, **rate}
            call("putMatcher", f"/v1/matchers/{identity}", {"title": "x", "expression": f'job.name == "{name}"', "constraints": [rate]}, NEW)
            jobs = [call("enqueueJob", "/v1/jobs", {"name": name})[1]["id"] for _ in range(4)]
            told = [call("explainJob", f"/v1/jobs/{job}/explain")[1]["estimate"] for job in jobs]
            return [datetime.fromisoformat(each.replace("Z", "+00:00")).timestamp() for each in told]

        first, second, third, _ = estimates(1, algorithm="fixed")
        self.assertLess(second - first, near)
        self.assertEqual(third % hour, 0)
        self.assertLess(third - first, hour + near)
        first, second, third, _ = estimates(2, algorithm="fixed", tz="Asia/Tokyo")
        self.assertLess(third - first, near)  # when its periods begin is not known here
        for number, cost, periods in ((3, 1, [0, 0, 1, 1]), (4, 2, [0, 1, 2, 3]), (5, 3, [0, 1, 2, 3])):
            told = estimates(number, algorithm="sliding", cost=cost)
            self.assertEqual([round((each - told[0]) / hour) for each in told], periods)

    def pauses(self, call, name, waiting):
        status, paused = call("pause", "/v1/pause", {"match": f'job.name == "{name}"', "reason": "lunch", "until": "2099-01-01T00:00:00.000Z"})
        self.assertEqual((status, paused["reason"], paused["until"]), (201, "lunch", "2099-01-01T00:00:00.000Z"))
        self.assertEqual(call("listPauses", "/v1/pauses")[1]["pauses"], [paused])
        gates = call("explainJob", f"/v1/jobs/{waiting}/explain")[1]["gates"]
        self.assertEqual([(g["status"], g["reason"]) for g in gates if g["gate"] == "pause"], [("holding", "lunch")])
        status, problem = call("pause", "/v1/pause", {"match": "job.name = 1", "reason": "r"})
        self.assertEqual((status, problem["errors"][0]["field"]), (422, "match"))
        self.assertEqual(call("resume", "/v1/resume", {"id": "pause-nothing"})[0], 404)
        self.assertEqual(call("resume", "/v1/resume", {"id": paused["id"]})[1]["pauses"], [paused])
        everything = call("pause", "/v1/pause", {"reason": "all"})[1]
        self.assertEqual(call("claimJobs", "/v1/claims", {"worker": "w"})[1]["jobs"], [])
        self.assertEqual(call("resume", "/v1/resume")[1]["pauses"], [everything])
        self.assertEqual(call("listPauses", "/v1/pauses")[1]["pauses"], [])


class Workers(ContractCase):
    """With a master of their own, because workers of the other tests accept all names."""

    def test_a_job_says_whether_there_are_workers_for_it(self):
        for encoding in ("json", "msgpack"):
            def call(operation, path, body=None):
                status, answer = self.call(operation, path, body, encoding)
                self.assertLess(status, 300, answer)
                return answer
            identity = call("enqueueJob", "/v1/jobs", {"name": f"nobody.{encoding}", "delay": 1000})["id"]
            path = f"/v1/jobs/{identity}"
            told = call("explainJob", f"{path}/explain")
            self.assertEqual(told["gates"][-1], {"gate": "workers", "status": "holding", "waiting": 0})
            self.assertTrue("estimate" in told and not told["would_run"])
            call("editJob", path, {"run_at": now()})
            told = call("explainJob", f"{path}/explain")
            self.assertEqual([(g["gate"], g["status"]) for g in told["gates"]],
                             [("state", "pass"), ("due", "pass"), ("workers", "holding"), ("position", "pass")])
            self.assertTrue("estimate" in told and told["would_run"])  # that depends on limits only
            begun = now()
            self.assertEqual(call("claimJobs", "/v1/claims", {"worker": "w", "names": [f"nobody.{encoding}"]})["jobs"][0]["id"], identity)
            self.assertNotIn("workers", [g["gate"] for g in call("explainJob", f"{path}/explain")["gates"]])
            path = f"/v1/jobs/{call('enqueueJob', '/v1/jobs', {'name': f'nobody.{encoding}'})['id']}"
            gate = until(lambda: next((g for g in call("explainJob", f"{path}/explain")["gates"] if "asked_at" in g), None), 60, "word of a worker")
            self.assertEqual((gate["gate"], gate["status"]), ("workers", "pass"))
            self.assertTrue(begun[:16] <= gate["asked_at"][:16] <= now()[:16], (begun, gate))
            call("cancelJob", f"{path}/cancel")
