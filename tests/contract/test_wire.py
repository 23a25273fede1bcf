"""What every request has in common, on a live master: times, names, compressed and special bodies, searches with a body."""

import base64
import datetime
import gzip
import json
import unicodedata
import unittest
import urllib.parse
import zlib

from document import ContractCase, now, until

FAR = ("0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00+00:01", "9999-12-31T23:59:59.999-00:01")
NO_TIMES = ("2026-01-02T03:04:05", "2026-01-02", "2026-02-30T00:00:00Z", "2026-01-02T25:00:00Z", "2026-01-02T24:00:01Z",
            "2016-12-31T23:59:60Z", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+01:60", "10000-01-01T00:00:00Z", "-2026-01-02T03:04:05Z",
            "2026-01-02T03:04:05Z ", "", "now", 0, 1767322800, None, True, [], {})


def seconds(text):
    return datetime.datetime.fromisoformat(text).timestamp()


class Wire(ContractCase):
    def problem(self, operation, path, body=None, field=None, status=400, **more):
        answered, problem = self.call(operation, path, body, **more)
        self.assertEqual((answered, problem.get("field")), (status, field), (body, problem))
        return problem

    def pushed(self, **job):
        return self.call("enqueueJob", "/v1/jobs", {"name": "wire", **job})[1]["id"]

    def leased(self):
        identity = self.pushed(name="leased")
        job = self.call("claimJobs", "/v1/claims", {"worker": "w", "names": ["leased"]})[1]["jobs"][0]
        self.assertEqual(job["id"], identity)
        return identity, job["lease"]

    def now(self):
        return seconds(self.call("getOverview", "/v1/overview")[1]["now"])

    def takers(self, value):
        """Each place that takes a time: operation, path, body, field."""
        identity = self.pushed(delay=1000)
        leased, lease = self.leased()
        matcher = {"title": "t", "expression": "true"}
        report = {"lease": lease, "type": "success", "result": 1, "finished_at": value}
        yield "enqueueJob", "/v1/jobs", {"name": "n", "run_at": value}, "run_at"
        yield "enqueueJob", "/v1/jobs", {"name": "n", "then": [{"name": "m", "run_at": value}]}, "then[0].run_at"
        yield "editJob", f"/v1/jobs/{identity}", {"run_at": value}, "run_at"
        yield "reportOutcome", f"/v1/jobs/{leased}/outcome", report, "finished_at"
        yield "putSchedule", "/v1/schedules/s", {"every": 60, "anchor": value, "job": {"name": "n"}}, "anchor"
        yield "pause", "/v1/pause", {"reason": "r", "match": 'job.name == "none"', "until": value}, "until"
        yield "putMatcher", "/v1/matchers/m", {**matcher, "constraints": [{"kind": "pause", "until": value}]}, "constraints[0].until"
        yield ("putMatcher", "/v1/matchers/m", {**matcher, "constraints": [{"kind": "backlog", "max_ready": 9, "expires_at": value}]},
               "constraints[0].expires_at")
        yield "previewMatcher", "/v1/matchers/preview", {"expression": "true", "constraints": [{"kind": "pause", "until": value}]}, "constraints[0].until"
        yield "muteFailures", f"/v1/failures/{'0' * 32}/mute", {"until": value}, "until"
        yield "createToken", "/v1/tokens", {"roles": ["admin"], "expires_at": value}, "expires_at"
        yield "createOperation", "/v1/operations", {"action": "set", "name": "none", "fields": {"run_at": value}, "dry_run": True}, "fields.run_at"

    def test_a_time_outside_of_the_range_is_refused_by_name(self):
        for encoding in ("json", "msgpack"):
            for value in FAR:
                for operation, path, body, field in self.takers(value):
                    problem = self.problem(operation, path, body, field, encoding=encoding, fields=self.new(operation))
                    self.assertIn("1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z", problem["detail"], operation)
        for value in FAR:
            self.problem("listAudit", "/v1/audit?since=" + urllib.parse.quote(value), field="since")

    def test_what_is_no_time_is_refused_by_name(self):
        loose = ("2026-01-02T03:04:05", "2026-01-02", "2016-12-31T23:59:60Z")  # `finished_at` is only kept, and may have any form of ISO 8601
        for value in NO_TIMES:
            for operation, path, body, field in self.takers(value):
                if operation == "reportOutcome" and value in loose:
                    self.assertEqual(self.call(operation, path, body)[0], 200)
                else:
                    self.problem(operation, path, body, field, fields=self.new(operation))
        for value in (value for value in NO_TIMES if isinstance(value, str)):
            self.problem("listAudit", "/v1/audit?since=" + urllib.parse.quote(value), field="since")

    @staticmethod
    def new(operation):
        return {"If-None-Match": "*"} if operation in ("putMatcher", "putSchedule") else None

    def test_times_in_every_usual_form_are_the_same(self):
        identity = self.pushed(delay=1000)
        at = int(self.now()) + 86_400
        utc = datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
        zones = [datetime.timezone(datetime.timedelta(hours=hours, minutes=minutes)) for hours, minutes in ((0, 0), (14, 0), (-12, 0), (5, 45), (23, 59))]
        forms = [utc.astimezone(zone).isoformat() for zone in zones] + [utc.strftime("%Y-%m-%dT%H:%M:%SZ"), utc.strftime("%Y-%m-%dT%H:%M:%S.000000Z"),
                                                                        utc.strftime("%Y-%m-%dt%H:%M:%Sz"), utc.strftime("%Y-%m-%d %H:%M:%S-00:00")]
        for form in forms:
            self.assertEqual(seconds(self.call("editJob", f"/v1/jobs/{identity}", {"run_at": form})[1]["run_at"]), at, form)
        midnight = utc.replace(hour=0, minute=0, second=0)
        text = (midnight - datetime.timedelta(days=1)).strftime("%Y-%m-%dT24:00:00Z")
        self.assertEqual(seconds(self.call("editJob", f"/v1/jobs/{identity}", {"run_at": text})[1]["run_at"]), midnight.timestamp())

    def test_the_ends_of_the_range_are_times(self):
        identity = self.pushed(delay=1000)
        self.assertEqual(self.call("editJob", f"/v1/jobs/{identity}", {"run_at": "1970-01-01T00:00:00Z"})[1]["state"], "ready")
        status, made = self.call("pause", "/v1/pause", {"reason": "r", "match": 'job.name == "none"', "until": "9999-12-31T23:59:59.999Z"})
        self.assertEqual((status, made["until"]), (201, "9999-12-31T23:59:59.999Z"))
        self.call("resume", "/v1/resume", {"id": made["id"]})

    def near(self, text, after):
        self.assertAlmostEqual(seconds(text) - self.now(), after, delta=30)

    def test_relative_times_are_counted_by_the_master(self):
        for encoding in ("json", "msgpack"):
            call = lambda operation, path, body=None, fields=None: self.call(operation, path, body, encoding, fields=fields)  # noqa: E731
            identity = self.pushed()
            edited = call("editJob", f"/v1/jobs/{identity}", {"delay": 600.5})[1]
            self.assertEqual(edited["state"], "scheduled")
            self.near(edited["run_at"], 600.5)
            self.assertEqual(call("editJob", f"/v1/jobs/{identity}", {"delay": 0})[1]["state"], "ready")
            pause = call("pause", "/v1/pause", {"reason": "r", "match": 'job.name == "none"', "for": 600})[1]
            self.near(pause["until"], 600)
            call("resume", "/v1/resume", {"id": pause["id"]})
            constraints = [{"kind": "pause", "for": 600, "expires_in": 1200}, {"kind": "backlog", "max_ready": 9, "expires_in": 0.5}]
            body = {"title": "t", "expression": 'job.name == "none"', "constraints": constraints}
            self.assertEqual(call("previewMatcher", "/v1/matchers/preview", {key: body[key] for key in ("expression", "constraints")})[0], 200)
            made = call("putMatcher", f"/v1/matchers/relative-{encoding}", body, {"If-None-Match": "*"})[1]
            self.near(made["constraints"][0]["until"], 600)
            self.near(made["constraints"][0]["expires_at"], 1200)
            self.assertEqual(set(made["constraints"][0]) & {"for", "expires_in"}, set())
            until(lambda: [each["kind"] for each in call("getMatcher", f"/v1/matchers/relative-{encoding}")[1]["constraints"]] == ["pause"],
                  what="the end of the constraint")
            with self.admin() as fields:
                token = call("createToken", "/v1/tokens", {"roles": ["viewer"], "expires_in": 600}, fields)[1]
                self.assertAlmostEqual(seconds(token["expires_at"]) - seconds(token["created_at"]), 600, delta=1)
                self.assertNotIn("expires_in", token)
                call("revokeToken", f"/v1/tokens/{token['id']}", None, fields)

    def test_many_jobs_are_moved_by_a_delay(self):
        identity = self.pushed(name="moved")
        asked = {"action": "set", "name": "moved", "fields": {"delay": 600}, "dry_run": True}
        token = self.call("createOperation", "/v1/operations", asked)[1]["token"]
        self.call("createOperation", "/v1/operations", {"token": token})
        until(lambda: self.call("getJob", f"/v1/jobs/{identity}")[1]["state"] == "scheduled", what="the moved job")
        self.near(self.call("getJob", f"/v1/jobs/{identity}")[1]["run_at"], 600)

    def test_a_group_is_muted_for_a_while(self):
        identity, lease = self.leased()
        self.call("reportOutcome", f"/v1/jobs/{identity}/outcome", {"lease": lease, "type": "failure", "reason": "other", "should_retry": False,
                                                                     "finished_at": now(), "message": "muted for a while"})
        group = next(each for each in self.call("listFailures", "/v1/failures")[1]["groups"] if each["title"] == "muted for a while")
        path = f"/v1/failures/{group['signature']}/mute"
        self.near(self.call("muteFailures", path, {"for": 600})[1]["muted_until"], 600)
        self.problem("muteFailures", path, {"until": "2020-01-01T00:00:00Z"}, "until")
        self.assertIn("muted_until", self.call("getFailures", f"/v1/failures/{group['signature']}")[1]["group"])
        self.assertNotIn("muted_until", self.call("muteFailures", path, {})[1])

    def test_a_time_and_a_length_exclude_each_other(self):
        identity = self.pushed()
        matcher = {"title": "t", "expression": "false"}
        later = "2099-01-01T00:00:00Z"
        for operation, path, body, field in (
                ("editJob", f"/v1/jobs/{identity}", {"run_at": now(), "delay": 0}, "run_at"),
                ("pause", "/v1/pause", {"reason": "r", "until": later, "for": 1}, "until"),
                ("muteFailures", f"/v1/failures/{'0' * 32}/mute", {"until": later, "for": 1}, "until"),
                ("createToken", "/v1/tokens", {"roles": ["admin"], "expires_at": later, "expires_in": 1}, "expires_at"),
                ("putMatcher", "/v1/matchers/m", {**matcher, "constraints": [{"kind": "pause", "until": later, "for": 1}]}, "constraints[0].until"),
                ("putMatcher", "/v1/matchers/m", {**matcher, "constraints": [{"kind": "pause", "expires_at": later, "expires_in": 1}]},
                 "constraints[0].expires_at")):
            self.problem(operation, path, body, field, fields=self.new(operation))
        self.problem("listAudit", "/v1/audit?last=60&since=" + urllib.parse.quote(later), field="since")
        for value in (0, -1, 1e12, "600", None):
            self.problem("pause", "/v1/pause", {"reason": "r", "for": value}, "for")
        self.problem("editJob", f"/v1/jobs/{identity}", {"delay": -1}, "delay")

    def test_what_is_over_when_it_is_set_is_refused(self):
        matcher = {"title": "t", "expression": "false"}
        for past in ("1970-01-01T00:00:00Z", "2020-01-01T00:00:00Z"):
            self.problem("pause", "/v1/pause", {"reason": "r", "until": past}, "until")
            self.problem("createToken", "/v1/tokens", {"roles": ["admin"], "expires_at": past}, "expires_at")
            for constraint, field in (({"kind": "pause", "until": past}, "until"), ({"kind": "pause", "expires_at": past}, "expires_at"),
                                      ({"kind": "pause", "by": ["job.name"], "overrides": {"a": {"until": past}}}, "overrides.a.until")):
                self.problem("putMatcher", "/v1/matchers/over", {**matcher, "constraints": [constraint]}, "constraints[0]." + field,
                             fields=self.new("putMatcher"))
        self.assertEqual(self.call("listPauses", "/v1/pauses")[1]["pauses"], [])
        # A pause that is over does not hinder other changes of its matcher.
        soon = {**matcher, "constraints": [{"kind": "pause", "for": 0.05}]}
        made = self.call("putMatcher", "/v1/matchers/over", soon, fields=self.new("putMatcher"))[1]
        until(lambda: self.now() > seconds(made["constraints"][0]["until"]), what="the end of the pause")
        status, again = self.call("putMatcher", "/v1/matchers/over", {**made, "title": "u"}, fields={"If-Match": '"1"'})
        self.assertEqual((status, again["title"]), (200, "u"))

    def test_a_job_that_ends_before_it_starts_is_refused(self):
        for job, field in (({"delay": 60, "expires_in": 60}, "expires_in"), ({"delay": 600, "expires_in": 60}, "expires_in"),
                           ({"run_at": "2099-01-01T00:00:00Z"}, "run_at"), ({"then": [{"name": "m", "delay": 9, "expires_in": 5}]}, "then[0].expires_in")):
            self.problem("enqueueJob", "/v1/jobs", {"name": "n", **job}, field)
        run_at = datetime.datetime.fromtimestamp(self.now() + 3600, datetime.timezone.utc).isoformat()
        self.problem("enqueueJob", "/v1/jobs", {"name": "n", "run_at": run_at, "expires_in": 600}, "expires_in")
        self.assertEqual(self.call("enqueueJob", "/v1/jobs", {"name": "n", "run_at": run_at, "expires_in": 7200})[0], 201)
        self.problem("putSchedule", "/v1/schedules/s", {"every": 60, "job": {"name": "n", "delay": 9, "expires_in": 5}}, "job.expires_in",
                     fields=self.new("putSchedule"))

    def test_a_job_is_not_moved_behind_its_end(self):
        identity = self.pushed(expires_in=600)
        path = f"/v1/jobs/{identity}"
        later = datetime.datetime.fromtimestamp(self.now() + 1200, datetime.timezone.utc).isoformat()
        self.problem("editJob", path, {"delay": 600}, "delay")
        self.problem("editJob", path, {"run_at": later}, "run_at")
        self.assertEqual(self.call("editJob", path, {"delay": 60})[1]["state"], "scheduled")
        run = self.pushed(name="leased", expires_in=600, max_retry=3)
        job = self.call("claimJobs", "/v1/claims", {"worker": "w", "names": ["leased"]})[1]["jobs"][0]
        self.assertEqual(job["id"], run)
        self.call("release", f"/v1/jobs/{run}/release", {"lease": job["lease"]})
        self.assertEqual(self.call("editJob", f"/v1/jobs/{run}", {"run_at": later})[1]["state"], "scheduled")  # it has started once
        self.call("cancelJob", f"/v1/jobs/{run}/cancel")

    def test_a_replacement_that_waits_is_explained_by_the_job_that_it_waits_for(self):
        unique = {"unique": {"key": "replaced", "on_conflict": "replace"}}
        first = self.pushed(name="leased", **unique)
        job = self.call("claimJobs", "/v1/claims", {"worker": "w", "names": ["leased"]})[1]["jobs"][0]
        second = self.pushed(name="leased", **unique)
        third = self.pushed(name="leased", **unique)  # takes the place of the second one
        self.assertEqual(self.call("getJob", f"/v1/jobs/{second}")[1]["state"], "cancelled")
        gate = self.call("explainJob", f"/v1/jobs/{third}/explain")[1]["gates"][0]
        self.assertEqual((gate["gate"], gate["status"], gate["holders"]), ("state", "holding", [first]))
        self.assertIn("waits for its end", gate["why"]["detail"])
        report = {"lease": job["lease"], "type": "success", "result": 1, "finished_at": now()}
        self.call("reportOutcome", f"/v1/jobs/{first}/outcome", report)
        gate = self.call("explainJob", f"/v1/jobs/{third}/explain")[1]["gates"][0]
        self.assertEqual((gate["status"], "holders" in gate), ("pass", False))
        self.call("cancelJob", f"/v1/jobs/{third}/cancel")

    def test_a_day_outside_of_the_range_is_refused_by_name(self):
        matcher = {"title": "t", "expression": "false"}
        for day in ("0001-01-01", "1969-12-31", "10000-01-01", "2026-02-30", "2026-1-01", "20260101", "2026-W01-1", "today"):
            self.problem("getStats", "/v1/stats?day=" + day, field="day")
            window = {**matcher, "constraints": [{"kind": "window", "deny": [{"dates": [day]}]}]}
            status, problem = self.call("putMatcher", "/v1/matchers/days", window, fields=self.new("putMatcher"))
            self.assertEqual((status, problem["field"].startswith("constraints[0].deny[0]")), (400, True), problem)

    def test_names_that_look_the_same_are_the_same(self):
        apart = unicodedata.normalize("NFD", "é")
        unseen = ("a\u200bb", "a\u200d", "\ufeffa", "a\u202eb", "\u2066a\u2069", "a\u00adb", "a\u2028b", "\u3164", "a\ufe0f", "a\U000e0041", " ", "\u3000", "\u2800",
                  apart, "e" + apart, " a", "a ", "\u3000a", "a\u00a0")
        for name in unseen:
            quoted = urllib.parse.quote(name)
            for operation, path, body, field in (
                    ("enqueueJob", "/v1/jobs", {"name": name}, "name"), ("enqueueJob", "/v1/jobs", {"name": "n", "tags": ["a", name]}, "tags[1]"),
                    ("enqueueJob", "/v1/jobs", {"name": "n", "unique": {"key": name}}, "unique.key"),
                    ("enqueueJob", "/v1/jobs", {"name": "n", "idempotency_key": name}, "idempotency_key"),
                    ("enqueueJob", "/v1/jobs", {"name": "n", "group": name}, "group"),
                    ("claimJobs", "/v1/claims", {"worker": name}, "worker"), ("claimJobs", "/v1/claims", {"worker": "w", "names": [name]}, "names[0]"),
                    ("putGroup", f"/v1/groups/{quoted}", {}, "group"),
                    ("createToken", "/v1/tokens", {"roles": ["admin"], "names": [name]}, "names[0]"),
                    ("putSchedule", f"/v1/schedules/{quoted}", {"every": 60, "job": {"name": "n"}}, "schedule")):
                self.problem(operation, path, body, field, fields=self.new(operation))
        for name in ("é", "Ünïcode", "日本語", "メール 送信", "한국어", "naïve café", "a b", "😀", "עברית", "हिन्दी"):
            self.assertEqual(self.call("enqueueJob", "/v1/jobs", {"name": name, "tags": [name]})[0], 201, name)
            self.assertEqual(len(self.call("listJobs", "/v1/jobs?name=" + urllib.parse.quote(name))[1]["jobs"]), 1, name)
        # A reason is no name.
        made = self.call("pause", "/v1/pause", {"reason": f"caf{apart} 👩\u200d💻", "match": "false"})
        self.assertEqual(made[0], 201)
        self.call("resume", "/v1/resume", {"id": made[1]["id"]})

    def test_special_values_of_json_are_read_exactly(self):
        argument = lambda value: {"name": "special", "argument": {"a": [1, value]}}  # noqa: E731
        good = ({"$bin": ""}, {"$bin": "YQ=="}, {"$bin": "YWI"}, {"$bin": base64.b64encode(bytes(range(256))).decode()}, {"$float": "-Infinity"},
                {"$ext": [-128, "YQ=="]}, {"$str": "/w=="}, {"$map": [[1, 2], ["$x", None]]})
        for value in good:
            identity = self.call("enqueueJob", "/v1/jobs", argument(value))[1]["id"]
            back = self.call("getJob", f"/v1/jobs/{identity}")[1]["argument"]["a"][1]
            self.assertEqual(back, {"$bin": "YWI="} if value == {"$bin": "YWI"} else value)
        bad = {"$bin": ("!!!!", "YQ", "YQ=", "YR==", "Y", "YQ==YQ==", "YQ==\n", " YQ==", "YQ-_", "é", 1, None, ["YQ=="], {}),
               "$str": ("!!", "Y", 7), "$float": ("nan", "1.5", "inf", "+Infinity", "", 1.5, None),
               "$ext": ([128, "YQ=="], [-129, "YQ=="], [1], [1, "YQ==", 2], ["1", "YQ=="], [1.5, "YQ=="], [1, "!"], [1, 2], "YQ==", {}),
               "$map": ({}, "a", [1], [[1]], [[1, 2, 3]], [{}], None)}
        for key, values in bad.items():
            for value in values:
                if key == "$bin" and value == "YQ":
                    continue  # whole without its padding
                problem = self.problem("enqueueJob", "/v1/jobs", argument({key: value}), f"argument.a[1].{key}")
                self.assertIn("must be", problem["detail"])
        for value in ({"$bin": "YQ==", "x": 1}, {"$unknown": 1}):
            self.problem("enqueueJob", "/v1/jobs", argument(value), f"argument.a[1].{next(iter(value))}")

    def sent(self, body, **fields):
        """A raw request. Returns status, Accept-Encoding and the problem."""
        self.client.connection or self.client.request("GET", "/healthz")
        self.client.connection.request("POST", "/v1/jobs", body, {"Content-Type": "application/json", "Accept": "application/json", **fields})
        answer = self.client.connection.getresponse()
        return answer.status, answer.getheader("Accept-Encoding"), json.loads(answer.read())

    def test_a_compressed_body_is_refused_with_what_is_taken(self):
        plain = json.dumps({"name": "compressed"}).encode()
        for coding, body in (("gzip", gzip.compress(plain)), ("x-gzip", gzip.compress(plain)), ("deflate", zlib.compress(plain)), ("br", b"\x0b"),
                             ("zstd", b"\x28\xb5\x2f\xfd"), ("GZIP", gzip.compress(plain)), ("gzip, identity", gzip.compress(plain)), ("gzip", plain),
                             ("nonsense", plain), ("gzip", gzip.compress(bytes(1 << 28)))):
            status, accepted, problem = self.sent(body, **{"Content-Encoding": coding})
            self.assertEqual((status, accepted, problem["code"]), (415, "identity", "unsupported_media_type"), (coding, problem))
            self.assertIn("Content-Encoding", problem["detail"])
        for coding in ("identity", "Identity", "", "identity, identity"):
            self.assertEqual(self.sent(plain, **{"Content-Encoding": coding})[0], 201, coding)

    def test_a_long_expression_goes_by_a_body(self):
        identity = self.pushed(name="送信", argument={"text": "接続が拒否されました" * 7})
        self.pushed(name="other")
        expression = 'job.argument.text.contains("' + "接続が拒否されました" * 7 + '") && (' + " || ".join(f'job.name == "{n:03}{"送信" * 20}"' for n in range(20)) + ' || job.name == "送信")'
        self.assertGreater(len(urllib.parse.quote(expression)), 4096)
        self.assertLess(len(expression.encode()), 4096)
        for encoding in ("json", "msgpack"):
            status, found = self.call("searchJobs", "/v1/jobs/search", {"match": expression, "limit": 5, "state": "ready"}, encoding)
            self.assertEqual(status, 200, found)
            self.assertEqual([job["id"] for job in found["jobs"]], [identity])
            counts = self.call("searchJobCounts", "/v1/jobs/counts", {"match": expression}, encoding)[1]
            self.assertEqual(counts["states"]["ready"], 1)
            self.assertEqual(self.call("searchFailures", "/v1/failures/search", {"match": 'job.name == "' + "送" * 1000 + '"'}, encoding)[1]["groups"], [])
            self.assertEqual(self.call("searchResults", "/v1/results/search", {"match": expression}, encoding)[1]["results"], [])
        self.assertEqual(self.call("searchJobs", "/v1/jobs/search")[0], 200)

    def test_a_search_with_a_body_is_read_as_the_one_with_a_query(self):
        for body, field in (({"limit": 0}, "limit"), ({"limit": "5"}, "limit"), ({"limit": 1.5}, "limit"), ({"limit": True}, "limit"),
                            ({"state": "gone"}, "state"), ({"state": 1}, "state"), ({"tracked": "true"}, "tracked"), ({"matches": ""}, "matches"),
                            ({"order": "reversed"}, "order"), ({"name": ""}, "name"), ({"match": None}, "match"), ({"cursor": "x"}, "cursor")):
            self.problem("searchJobs", "/v1/jobs/search", body, field)
        self.problem("searchJobs", "/v1/jobs/search?limit=5", {}, "limit")
        problem = self.call("searchJobs", "/v1/jobs/search", {"match": "job.name = 1"})
        self.assertEqual((problem[0], problem[1]["errors"][0]["field"]), (422, "match"))
        self.problem("searchJobs", "/v1/jobs/search", [])

    def test_a_search_knows_the_time(self):
        identity, lease = self.leased()
        self.call("reportOutcome", f"/v1/jobs/{identity}/outcome", {"lease": lease, "type": "success", "result": 1, "finished_at": now()})
        count = lambda expression: self.call("searchJobCounts", "/v1/jobs/counts", {"match": expression, "name": "leased", "state": "succeeded"})[1]["states"]["succeeded"]  # noqa: E731
        done = count("true")
        self.assertGreater(done, 0)
        self.assertEqual(count('job.finished_at < now - duration("3600s")'), 0)
        self.assertEqual(count('job.finished_at > now - duration("3600s") && job.finished_at <= now + duration("5s")'), done)
        status, problem = self.call("putMatcher", "/v1/matchers/now", {"title": "t", "expression": 'now > timestamp("2026-01-01T00:00:00Z")'},
                                    fields=self.new("putMatcher"))
        self.assertEqual((status, problem["errors"][0]["field"]), (422, "expression"), problem)

    def test_views_are_listed(self):
        made = self.call("createView", "/v1/views", {"name": "none"})[1]
        found = {view["view"]: view for view in self.call("listViews", "/v1/views")[1]["views"]}
        self.assertEqual(found[made["view"]]["selection"], {"name": "none"})
        self.call("deleteView", f"/v1/views/{made['view']}")
        self.assertNotIn(made["view"], [view["view"] for view in self.call("listViews", "/v1/views")[1]["views"]])


if __name__ == "__main__":
    unittest.main()
