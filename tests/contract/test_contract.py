"""openapi/master.yaml against a live master: every operation is exercised, every answer fits its schema, bad input is refused."""

import json
import pathlib
import re
import socket
import sys
import time
import unittest

import jsonschema
import msgpack
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from past import NOWHERE, Past  # noqa: E402
from harness import MSGPACK, Client, Master, now  # noqa: E402

DOCUMENT = yaml.safe_load((ROOT / "openapi" / "master.yaml").read_text(encoding="utf-8"))
METHODS = ("get", "post", "put", "patch", "delete")


def resolve(node):
    while isinstance(node, dict) and "$ref" in node:
        target = DOCUMENT
        for part in node["$ref"][2:].split("/"):
            target = target[part]
        node = target
    return node


def operations():
    for path, item in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in item:
                yield item[method]["operationId"], method.upper(), path, item[method]


def limits():
    """The numbers of core/limits.h by name."""
    text = (ROOT / "core" / "limits.h").read_text(encoding="utf-8")
    found = {}
    for name, value in re.findall(r"inline constexpr \w+ (\w+) = ([^;]+);", text):
        found[name] = eval(value.replace("'", ""), {}, dict(found))  # noqa: S307 - our own header
    return found


class Contract(Past, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.master = Master()
        cls.master.start()
        cls.client = Client(cls.master.port)
        cls.covered = {}

    @classmethod
    def tearDownClass(cls):
        cls.master.__exit__()

    def call(self, operation, path, body=None, encoding="json", accept=None, fields=None):
        """One request; its answer is checked against the document and returned."""
        _, method, template, described = next(o for o in operations() if o[0] == operation)
        kind = "application/json" if encoding == "json" else MSGPACK
        headers = {"Accept": accept or kind, **(fields or {})}
        data = None
        if body is not None:
            headers["Content-Type"] = kind
            data = json.dumps(body).encode() if encoding == "json" else msgpack.packb(body)
        self.client.connection or self.client.request("GET", "/healthz")
        connection = self.client.connection
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        content = answer.read()
        self.check(operation, described, answer, content)
        return answer.status, self.decoded(answer, content)

    @staticmethod
    def decoded(answer, content):
        kind = answer.getheader("Content-Type", "").split(";")[0]
        if kind == MSGPACK:
            return msgpack.unpackb(content, strict_map_key=False)
        return json.loads(content) if kind.endswith("json") else content.decode()

    def check(self, operation, described, answer, content):
        responses = described["responses"]
        response = resolve(responses.get(str(answer.status), responses.get("default")))
        self.assertIsNotNone(response, f"{operation}: status {answer.status} is not in the document")
        if str(answer.status) not in responses:
            self.assertGreaterEqual(answer.status, 400, f"{operation}: {answer.status} is only there by default")
        kind = answer.getheader("Content-Type", "").split(";")[0]
        self.assertIn(kind, response["content"], f"{operation}: type {kind} is not in the document")
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": DOCUMENT["components"],
                  **response["content"][kind]["schema"]}
        if kind not in ("text/html",):
            jsonschema.Draft202012Validator(schema).validate(self.decoded(answer, content))
        for name in response.get("headers", {}):
            header = resolve(response["headers"][name])
            jsonschema.validate(answer.getheader(name), header["schema"])
        self.covered.setdefault(operation, set()).add(answer.status)

    def claimed(self, **job):
        self.call("enqueueJob", "/v1/jobs", {"name": "contract", **job})
        return self.call("claimJobs", "/v1/claims", {"worker": "w", "names": ["contract"]})[1]["jobs"][0]

    def test_1_every_operation_answers_as_described_in_both_encodings(self):
        for encoding in ("json", "msgpack"):
            call = lambda operation, path, body=None: self.call(operation, path, body, encoding)  # noqa: E731
            full = {"name": "contract", "argument": [1, {"a": None}], "priority": -3, "max_retry": 2, "keep_result": True, "timeout": 1.5,
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
            names = call("listNames", "/v1/names?limit=1")[1]
            self.assertEqual(call("listNames", f"/v1/names?limit=1&after={names['next']}")[1]["names"][0]["name"], "later")
            self.schedules(call, f"/v1/schedules/nightly%20{encoding}")
            self.records(call, encoding)
        self.call("getHealth", "/healthz")
        self.call("getReadiness", "/readyz")
        self.call("getDocs", "/docs")
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

    def redis(self, *words):
        """One command to the master's embedded Redis; the first line of its reply."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(pathlib.Path(self.master.directory, "redis.sock")))
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in map(str.encode, words)))
            return connection.makefile("rb").readline().strip().decode()

    def jobs_and_keys(self):
        overview = self.client.overview()
        return overview["totals"], overview["states"], self.redis("DBSIZE")

    def test_4_bad_input_is_refused_by_name_and_changes_nothing(self):
        before = self.jobs_and_keys()
        self.assertRegex(before[2], r"^:[1-9]")
        count = 0
        for encoding in ("json", "msgpack"):
            for operation, _, path, described in operations():
                target = re.sub(r"{\w+}", NOWHERE, path.replace("{signature}", "0" * 32))
                for bad, field in self.bad_requests(operation, described):
                    status, answer = self.call(operation, target, bad, encoding)
                    count += 1
                    if operation in ("enqueueJobs", "reportOutcomes") and status == 200:
                        answer = answer["results"][0]["error"]
                        status = answer["status"]
                    self.assertIn(status, (400, 413), (operation, bad, answer))
                    if field:
                        self.assertIn(field, answer.get("field", ""), (operation, bad, answer))
                for query, field in self.bad_queries(described):
                    status, answer = self.call(operation, f"{target}?{query}", None, encoding)
                    count += 1
                    self.assertEqual((status, answer["field"]), (400, field), (operation, query))
        self.assertGreater(count, 2000)
        self.assertEqual(self.jobs_and_keys(), before)

    def bad_requests(self, operation, described):
        body = resolve(described.get("requestBody", {}))
        if not body or operation in ("retryJob", "pauseSchedule", "resumeSchedule", "restoreJob", "duplicateJob", "trackJob"):
            return
        yield from self.bad_bodies(operation, resolve(body["content"]["application/json"]["schema"]))

    def bad_queries(self, described):
        if not described["x-roles"]:
            return  # pages and health, which have no problem documents
        yield "unknown=1", "unknown"
        for parameter in map(resolve, described.get("parameters", [])):
            schema, name = resolve(parameter["schema"]), parameter["name"]
            kind = schema["type"]
            bad = {"integer": ["", "x", "1.5", "1e400", "-1"], "number": ["", "x", "nan", "inf", "-1"], "boolean": ["", "1", "TRUE"],
                   "string": ["%FF"]}[kind]
            bad += [str(schema[bound] + step) for bound, step in (("minimum", -1), ("maximum", 1)) if bound in schema]
            if "enum" in schema:
                bad.append("nothing")
            if schema.get("maxLength"):
                bad += ["x" * (schema["maxLength"] + 1), "a%07"]
            for value in bad:
                yield f"{name}={value}", name
            yield f"{name}={bad[-1]}&{name}={bad[-1]}", name

    def good(self, operation):
        """A body that is right, to be spoilt in one place."""
        report = {"lease": "1.x", "type": "success", "finished_at": now(), "result": 1}
        return {"enqueueJob": {"name": "n"}, "enqueueJobs": {"jobs": [{"name": "n"}]}, "claimJobs": {"worker": "w"}, "reportOutcome": report,
                "reportOutcomes": {"worker": "w", "outcomes": [{"id": NOWHERE, **report}]}, "heartbeat": {"lease": "1.x"},
                "heartbeats": {"worker": "w", "leases": []}, "release": {"lease": "1.x"}, "cancelJob": {},
                "putSchedule": {"every": 60, "job": {"name": "n"}}, "runSchedule": {}, "extendResult": {"ttl": 5},
                "resolveFailures": {}, "muteFailures": {}, "retryFailures": {}, "setRetention": {}, "setNameRetention": {}}[operation]

    def bad_bodies(self, operation, schema):
        good = self.good(operation)
        for nothing in ([], "text", 7, True, [good]):
            yield nothing, None
        yield {**good, "unknown_field": 1}, "unknown_field"
        yield {**good, "": 1}, None
        for name in schema.get("required", []):
            yield {key: value for key, value in good.items() if key != name}, name
        for name, property_ in schema["properties"].items():
            for value in self.bad_values(resolve(property_), good.get(name)):
                yield {**good, name: value}, name

    def bad_values(self, schema, good=None):
        """Values the schema refuses. `good` is one that is right, to be spoilt inside."""
        kind = schema.get("type")
        yield from {"string": [1, None, [], {}, True, 1.5], "integer": ["1", 1.5, None, True, [], {}], "number": ["1", None, True, [], {}],
                    "boolean": [0, 1, "true", None, []], "array": [{}, "x", 1, None], "object": [[], 1, "x", None]}.get(kind, [])
        if kind in ("integer", "number"):
            for bound, sign in (("minimum", -1), ("maximum", 1)):
                for step in (1, 2**40) + ((0.001,) if kind == "number" and schema[bound] < 1e12 else ()):
                    yield schema[bound] + sign * step
            yield from (-(2**63), 2**63, 2**64 - 1, 1e300, -1e300)
        if kind == "string":
            if "enum" in schema:
                yield from ("nothing of these", "", schema["enum"][0].upper())
            if schema.get("format") == "uuid":
                yield from ("", "x", NOWHERE[:-1], NOWHERE.replace("-", ""), "g" + NOWHERE[1:])
            if schema.get("minLength"):
                yield ""
            if schema.get("maxLength") and schema.get("maxLength") <= 512 and schema.get("minLength"):
                yield from ("x" * (schema["maxLength"] + 1), "\u00e4" * (schema["maxLength"] // 2 + 1), "control\u0007", "\u0085", "\0", "x" * 100_000)
        if kind == "array":
            if schema.get("minItems"):
                yield []
            item = resolve(schema["items"])
            if schema.get("maxItems"):
                yield [item.get("type") == "string" and f"t{n}" or {} for n in range(schema["maxItems"] + 1)]
            for value in self.bad_values(item, good[0] if good else None):
                yield [value]
        if kind == "object":
            right = good or {name: {"total": 1}.get(name, 1) for name in schema.get("required", [])}
            for name, inner in schema.get("properties", {}).items():
                for value in self.bad_values(resolve(inner)):
                    yield {**right, name: value}
            for name in schema.get("required", []):
                yield {key: value for key, value in right.items() if key != name}
            yield {**right, "unknown_field": 1}

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
        self.assertEqual(self.call("putSchedule", "/v1/schedules/" + "x" * 201, {"every": 5, "job": job})[0], 400)
        self.assertEqual(self.call("getSchedule", "/v1/schedules/senseless")[0], 404)

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

    def test_6_what_is_not_there_is_said_so(self):
        for method, path, headers, status in (
            ("GET", "/nothing", {}, 404), ("DELETE", "/v1/jobs", {}, 405), ("GET", "/v1/claims", {}, 405), ("GET", "/v1/jobs/x", {}, 404),
            ("GET", "/v1/overview", {"Accept": "image/png"}, 406), ("GET", "/v1/overview?x=1", {}, 400),
            ("GET", "/v1/overview", {"Host": "evil.example"}, 421), ("GET", "/v1/overview", {"Host": "localhost.evil.example"}, 421),
            ("POST", "/v1/jobs", {"Origin": "http://evil.example", "Content-Type": "application/json"}, 403),
            ("POST", "/v1/jobs", {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"}, 403),
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

    def test_6_a_form_without_a_body_changes_nothing(self):
        job = self.call("enqueueJob", "/v1/jobs", {"name": "form"})[1]["id"]
        connection = self.client.connection
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
            connection.request("POST", f"/v1/jobs/{job}/cancel", b"", {"Content-Type": kind})
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, 415, kind)
        self.assertEqual(self.call("getJob", f"/v1/jobs/{job}")[1]["state"], "ready")

    def test_6_no_start_is_put_off_for_ever(self):
        def ahead(days):
            return {"name": "far", "run_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + days * 86400))}

        self.assertEqual(self.call("enqueueJob", "/v1/jobs", ahead(365))[0], 201)
        self.assertEqual(self.call("enqueueJob", "/v1/jobs", {"name": "past", "run_at": "1970-01-01T00:00:00Z"})[1]["state"], "ready")
        status, problem = self.call("enqueueJob", "/v1/jobs", ahead(367))
        self.assertEqual((status, problem["field"]), (400, "run_at"))
        results = self.call("enqueueJobs", "/v1/jobs/batch", {"jobs": [{"name": "b"}, ahead(367)]})[1]["results"]
        self.assertEqual([r.get("error", {}).get("field") for r in results], [None, "jobs[1].run_at"])

    def test_6_a_problem_is_text_whatever_it_repeats(self):
        connection = self.client.connection
        for method, path, body in (("POST", "/v1/jobs", b"\x82\xa4name\xa1n\xa2\xff\x07\x01"), ("GET", "/v1/overview?%FF%07=1", None)):
            connection.request(method, path, body, {"Content-Type": MSGPACK} if body else {})
            answer = connection.getresponse()
            self.assertEqual(answer.status, 400)
            self.assertEqual(msgpack.unpackb(answer.read())["field"], "\ufffd\ufffd")

    def test_7_the_documents_numbers_are_the_programs(self):
        bounds = limits()
        job = DOCUMENT["components"]["schemas"]["NewJob"]["properties"]
        backoff = DOCUMENT["components"]["schemas"]["Backoff"]["properties"]
        claim = DOCUMENT["components"]["schemas"]["ClaimBody"]["properties"]
        schedule = DOCUMENT["components"]["schemas"]["NewSchedule"]["properties"]
        shown = DOCUMENT["components"]["schemas"]["Schedule"]["properties"]
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
            (DOCUMENT["paths"]["/v1/jobs/batch"]["post"], "x-body-bytes", "http_batch_body_bytes_max"),
        ):
            self.assertEqual(schema[key], bounds[name], name)
        self.assertIn("262,144", job["argument"]["description"])
        self.assertEqual(bounds["argument_bytes_max"], 262144)

    def test_8_the_document_is_sound(self):
        text = json.dumps(DOCUMENT)
        for reference in set(re.findall(r'"\$ref": "([^"]+)"', text)):
            self.assertTrue(reference.startswith("#/"))
            resolve({"$ref": reference})
        names = [name for name, *_ in operations()]
        self.assertEqual(len(names), len(set(names)))
        for name, _, path, described in operations():
            self.assertTrue(described["summary"] and described["tags"], name)
            self.assertIn("x-roles", described, name)
            parameters = [resolve(p)["name"] for p in DOCUMENT["paths"][path].get("parameters", []) if resolve(p)["in"] == "path"]
            self.assertEqual(parameters, re.findall(r"{(\w+)}", path), name)
        for schema in DOCUMENT["components"]["schemas"].values():
            jsonschema.Draft202012Validator.check_schema(schema)


if __name__ == "__main__":
    unittest.main()
