"""The examples of openapi/master.yaml are right: a live master accepts every request, and every example fits its schema.

test_a_master_takes_every_request first makes what each request refers to. It replaces the ids, leases and revisions of the examples by live
ones, and sends everything else as it is in the document.
"""

import contextlib
import copy
import json
import re
import unittest
import urllib.parse

import msgpack

from document import DOCUMENT, NOWHERE, UPGRADE, ContractCase, now, operations, resolve, until, validator, wrong_reasons

JOB = DOCUMENT["components"]["parameters"]["Id"]["example"]
LEASE = DOCUMENT["components"]["schemas"]["Lease"]["examples"][0]
PAUSE = "pause-1v5z0k2m4c7e"
OPERATION = DOCUMENT["components"]["parameters"]["Operation"]["example"]
NEW = {"If-None-Match": "*"}


def examples_of(media):
    """The examples of a media type, by name."""
    named = {name: resolve(each)["value"] for name, each in media.get("examples", {}).items()}
    return {"": media["example"]} if "example" in media else named


def request_examples(described):
    content = resolve(described.get("requestBody", {})).get("content", {})
    return examples_of(content.get("application/json", {}))


def contents():
    """(place, type, described content) of every request and every answer."""
    for operation, _, _, described in operations():
        yield from ((f"{operation}, request", kind, media) for kind, media in resolve(described.get("requestBody", {})).get("content", {}).items())
        for status, response in described["responses"].items():
            yield from ((f"{operation}, {status}", kind, media) for kind, media in resolve(response).get("content", {}).items())


def faults(where, media):
    """The faults of the examples of a media type, as sentences."""
    for name, value in examples_of(media).items():
        for error in validator(media["schema"]).iter_errors(value):
            yield f"{where} {name}: {'.'.join(map(str, error.absolute_path))}: {error.message}"
        yield from (f"{where} {name}: {wrong}" for wrong in wrong_reasons(value))


class Examples(ContractCase):
    def setUp(self):
        self.sent = set()

    def live(self, value, **replaced):
        """The example with the ids and leases of live jobs."""
        text = json.dumps(value)
        for old, new in ((JOB, replaced.get("id")), (LEASE, replaced.get("lease")), (PAUSE, replaced.get("pause")),
                         (OPERATION, replaced.get("operation"))):
            text = text.replace(old, new) if new else text
        return json.loads(text)

    def send(self, operation, /, name="", encoding="json", fields=None, query="", **replaced):
        """Sends the example request of an operation, with the parameters' examples in its path. Returns the answer."""
        _, _, path, described = next(o for o in operations() if o[0] == operation)
        for parameter in map(resolve, DOCUMENT["paths"][path].get("parameters", [])):
            value = replaced.get(parameter["name"], parameter["example"])
            path = path.replace("{%s}" % parameter["name"], urllib.parse.quote(value, safe=""))
        examples = request_examples(described)
        body = self.live(examples[name], **replaced) if examples else None
        status, answer = self.call(operation, path + query, body, encoding, fields=fields)
        self.assertLess(status, 300, (operation, name, body, answer))
        self.sent.add((operation, name if examples else None))
        return answer

    def claim(self, names):
        body = {"worker": "mailer-1", "names": names, "limit": 100}
        return self.call("claimJobs", "/v1/claims", body)[1]["jobs"]

    def running(self, **job):
        """Makes a running job. Returns its id and its lease, which replace those of the examples."""
        made = self.call("enqueueJob", "/v1/jobs", {"name": "scene", **job})[1]
        taken = next(each for each in self.claim(["scene"]) if each["id"] == made["id"])
        return {"id": made["id"], "lease": taken["lease"]}

    def failed(self):
        scene = self.running()
        report = {"lease": scene["lease"], "type": "failure", "reason": "other", "finished_at": now(), "should_retry": False, "message": "No route."}
        self.call("reportOutcome", f"/v1/jobs/{scene['id']}/outcome", report)
        return scene["id"]

    def kept_result(self):
        scene = self.running(keep_result=True)
        self.call("reportOutcome", f"/v1/jobs/{scene['id']}/outcome", {"lease": scene["lease"], "type": "success", "finished_at": now(), "result": 1})
        return scene["id"]

    def test_a_master_takes_every_request(self):
        for encoding in ("json", "msgpack"):
            self.pushers(encoding)
            self.workers(encoding)
            self.operators(encoding)
            self.schedules(encoding)
            self.many(encoding)
            self.limits(encoding)
            self.past(encoding)
            self.tokens(encoding)
        every = {(operation, name) for operation, _, _, described in operations() for name in request_examples(described) or [None]}
        self.assertEqual(self.sent, every)

    def pushers(self, encoding):
        for name in ("plain", "followed", "at-night"):
            self.send("enqueueJob", name, encoding, query="?wait=0.01&receipt=r")
        answers = self.send("enqueueJobs", "", encoding)["results"]
        self.assertEqual(["error" in answer for answer in answers], [False, False])
        self.send("putGroup", "", encoding)
        self.send("getGroup", "", encoding)
        identity = self.call("enqueueJob", "/v1/jobs", {"name": "scene"})[1]["id"]
        edited = self.send("editJob", "tags", encoding, id=identity)
        self.assertEqual(self.send("editJob", "later", encoding, id=identity)["state"], "scheduled")
        self.assertEqual((edited["priority"], edited["tags"]), (-10, ["urgent"]))
        for operation in ("getJob", "getResult", "explainJob", "trackJob", "untrackJob", "duplicateJob", "cancelJob", "deleteJob", "restoreJob"):
            self.send(operation, "", encoding, id=identity)
        self.assertEqual(self.send("retryJob", "", encoding, id=self.failed())["state"], "ready")

    def workers(self, encoding):
        claimed = self.send("claimJobs", "", encoding)["jobs"]
        self.assertEqual([job["name"] for job in claimed], ["mail.send"])
        scene = self.running(max_retry=3)
        self.send("heartbeat", "", encoding, **scene)
        self.assertNotIn("error", self.send("heartbeats", "", encoding, **scene)["results"][0])
        self.assertEqual(self.send("reportOutcome", "failure", encoding, **scene)["state"], "scheduled")
        self.assertEqual(self.send("reportOutcome", "success", encoding, **self.running())["state"], "succeeded")
        self.send("release", "", encoding, **self.running())
        self.claim(["scene"])
        answer = self.send("reportOutcomes", "", encoding, **self.running())
        self.assertEqual((answer["results"], [job["name"] for job in answer["jobs"]]), ([{"state": "succeeded"}], ["mail.send"]))
        scene = self.running()
        self.assertEqual(self.send("handOff", "", encoding, **scene)["state"], "awaiting")
        self.assertEqual(self.send("takeMessage", "", encoding)["id"], scene["id"])
        # No job has this name, so nobody is called.
        self.send("registerWorker", "", encoding)
        self.assertIn("mailer-1", [row["worker"] for row in self.send("listWorkers", None, encoding)["workers"]])
        for operation in ("drainWorker", "resumeWorker"):
            self.send(operation, "", encoding)
        self.send("deleteWorker", None, encoding)

    def operators(self, encoding):
        match = next(p for p in DOCUMENT["paths"]["/v1/jobs"]["get"]["parameters"] if p.get("name") == "match")["example"]
        found = self.send("listJobs", None, encoding, query="?match=" + urllib.parse.quote(match))
        self.assertTrue(found["jobs"])
        match = next(p for p in DOCUMENT["paths"]["/v1/jobs/counts"]["get"]["parameters"] if p.get("name") == "match")["example"]
        counts = self.send("countJobs", None, encoding, query="?match=" + urllib.parse.quote(match))
        self.assertGreater(sum(counts["states"].values()), 0)
        for operation in ("searchJobs", "searchJobCounts", "searchFailures", "searchResults"):
            self.send(operation, "", encoding)
        for operation in ("getOverview", "listChanges", "listNames", "getDoctor", "getRetention", "getHealth", "getReadiness", "getOpenApi", "getDocs",
                          "getDocsStyle", "getDocsScript", "getMetrics"):
            self.send(operation, None, encoding)
        self.send("getLive", None, encoding, fields=UPGRADE)
        for operation in ("setRetention", "setNameRetention", "clearNameRetention", "checkNamespace"):
            self.send(operation, "", encoding)

    def prepared(self):
        """Prepares an operation without jobs. Returns its token."""
        return self.call("createOperation", "/v1/operations", {"action": "retry", "name": "none", "dry_run": True})[1]["token"]

    def many(self, encoding):
        view = self.send("createView", "", encoding)["view"]
        for operation in ("getView", "exportView", "listViews", "deleteView"):
            self.send(operation, None, encoding, view=view)
        self.assertEqual(self.send("createOperation", "dry-run", encoding)["action"], "retry")
        token = self.prepared()
        for operation in ("createOperation", "getOperation", "listSkipped", "listOperations"):
            self.send(operation, "start", encoding, operation=token)
        self.call("enqueueJobs", "/v1/jobs/batch", {"jobs": [{"name": "many"}] * 50})
        slow = self.call("createOperation", "/v1/operations", {"action": "delete", "name": "many", "rate": 5, "dry_run": True})[1]["token"]
        self.send("createOperation", "start", encoding, operation=slow)
        until(lambda: self.call("getOperation", f"/v1/operations/{slow}")[1]["done"] > 0)
        for operation in ("pauseOperation", "resumeOperation", "stopOperation", "undoOperation"):
            self.send(operation, "", encoding, operation=slow)

    def schedules(self, encoding):
        for name in ("interval", "cron"):
            self.send("previewSchedule", name, encoding)
            made = self.send("putSchedule", name, encoding)
        tag = {"If-Match": f'"{made["revision"]}"'}
        self.assertEqual(self.send("putSchedule", "cron", encoding, fields=tag)["revision"], made["revision"] + 1)
        for operation in ("listSchedules", "getSchedule", "runSchedule", "pauseSchedule", "resumeSchedule", "deleteSchedule"):
            self.send(operation, "", encoding)

    def limits(self, encoding):
        tag = {"If-Match": '"1"'}
        for name in ("quiet-hours", "shares", "limits"):
            made = self.send("putMatcher", name, encoding, fields=NEW if name == "quiet-hours" else tag)
            tag = {"If-Match": f'"{made["revision"]}"'}
        self.assertEqual([constraint["kind"] for constraint in made["constraints"]], ["rate", "concurrency"])
        made = self.send("overrideBucket", "", encoding, fields=tag)
        self.assertEqual(made["constraints"][1]["overrides"], {"ada": {"limit": 5}})
        tag = {"If-Match": f'"{made["revision"]}"'}
        for operation in ("getMatcher", "listMatchers", "previewMatcher", "listRevisions", "listConstraints", "listBuckets", "listHeld"):
            self.send(operation, "", encoding)
        made = self.send("revertMatcher", "", encoding, fields=tag)
        self.assertEqual([constraint["kind"] for constraint in made["constraints"]], ["window", "breaker"])
        key = request_examples(DOCUMENT["paths"]["/v1/constraints/{constraint}/trip"]["post"])[""]["key"]
        self.call("enqueueJob", "/v1/jobs", {"name": "scene", "tags": ["quiet"], "argument": {"host": key}})
        breaker = made["constraints"][1]["id"]
        for operation in ("tripBreaker", "resetBreaker"):
            self.assertEqual(self.send(operation, "", encoding, constraint=breaker)["buckets"], 1)
        self.send("deleteMatcher", None, encoding, fields={"If-Match": f'"{made["revision"]}"'})
        for name in ("all", "for", "some"):
            pause = self.send("pause", name, encoding)
            self.send("listPauses", None, encoding)
            self.assertEqual(self.send("resume", "", encoding, pause=pause["id"])["pauses"], [pause])

    def past(self, encoding):
        self.failed()
        group = next(each for each in self.send("listFailures", None, encoding)["groups"] if each["name"] == "scene")
        for operation in ("getFailures", "resolveFailures", "muteFailures", "retryFailures"):
            for name in ("until", "for") if operation == "muteFailures" else ("",):
                self.send(operation, name, encoding, signature=group["signature"])
        for operation in ("extendResult", "discardResult"):
            self.send(operation, "", encoding, id=self.kept_result())
        self.send("listResults", None, encoding)
        self.send("getStats", None, encoding, query="?day=" + now()[:10])
        self.send("getSeries", None, encoding, query="?metric=enqueued")
        self.send("putFilter", encoding=encoding, fields={"If-None-Match": "*"})
        self.send("listFilters", encoding=encoding)
        self.send("deleteFilter", encoding=encoding)

    def tokens(self, encoding):
        with self.admin() as fields:
            self.send("revokeToken", None, encoding, fields=fields, token=self.send("createToken", "for", encoding, fields=fields)["id"])
            made = self.send("createToken", "until", encoding, fields=fields)
            self.assertIn(made["id"], [row["id"] for row in self.send("listTokens", None, encoding, fields=fields)["tokens"]])
            status, _ = self.call("signIn", "/v1/session", {"token": fields["Authorization"].split()[1]}, encoding)
            self.assertEqual(status, 201)
            self.sent.add(("signIn", ""))
            self.send("getSession", None, encoding, fields=fields)
            self.send("signOut", None, encoding, fields=fields, query="?everywhere=true")
            self.assertIn(made["id"], [entry["target"] for entry in self.send("listAudit", None, encoding, fields=fields)["entries"]])
            self.send("revokeToken", None, encoding, fields=fields, token=made["id"])

    def test_every_example_fits_its_schema(self):
        found = [fault for where, _, media in contents() for fault in faults(where, media)]
        self.assertEqual(found, [], "\n".join(found))

    def test_every_body_and_every_answer_has_an_example(self):
        for where, kind, media in contents():
            if kind in ("application/json", "application/problem+json") and where != "getOpenApi, 200" and where != "getReadiness, 503":
                self.assertTrue(examples_of(media), where)

    def test_an_example_that_is_wrong_is_found(self):
        """Examples with an unknown field are found, and jobs with a missing or an invalid field. The master refuses a wrong example."""
        for where, kind, media in contents():
            schema = media["schema"]
            for value in examples_of(media).values():
                if not isinstance(value, dict):
                    continue
                self.assertTrue(list(faults(where, {"schema": schema, "example": {**value, "unknown_field": 1}})), where)
        taken = request_examples(DOCUMENT["paths"]["/v1/jobs"]["post"])["plain"]
        for wrong in ({**taken, "priority": "high"}, {key: value for key, value in taken.items() if key != "name"}, {**taken, "max_retry": 101}):
            self.assertTrue(list(faults("", {"schema": {"$ref": "#/components/schemas/NewJob"}, "example": wrong})), wrong)
        described = DOCUMENT["paths"]["/v1/jobs"]["post"]
        original = copy.deepcopy(described["requestBody"])
        described["requestBody"]["content"]["application/json"]["examples"]["plain"]["value"]["priority"] = "high"
        try:
            with self.assertRaises(AssertionError):
                self.send("enqueueJob", "plain")
        finally:
            described["requestBody"] = original

    def test_the_bytes_in_the_introduction_are_the_map_beside_them(self):
        text = DOCUMENT["info"]["description"]
        shown, count, hexadecimal = re.search(r"The body\n`(\{.*?\})` is these (\d+) bytes, in hexadecimal:\n`([0-9a-f]+)`", text).groups()
        self.assertEqual(msgpack.unpackb(bytes.fromhex(hexadecimal)), json.loads(shown))
        self.assertEqual(len(bytes.fromhex(hexadecimal)), int(count))


# Fields that a master may refuse although they fit the schema: one bound depends on another, a job must exist, a key was used before,
# an id is in the path. The descriptions say so.
DEPENDENT = re.compile(r"^id$|\b(backoff|max_open|shares|min|depends_on\[0\]|idempotency_key|expires_in|expires_at|until|run_at)$")
# Fields that are not varied: texts with a grammar of their own, and waits, which would take too long.
WORDED = {"tz", "cron", "expression", "match", "finished_at", "anchor", "cursor", "wait", "dates", "trace", "url"}


class Accepted(ContractCase):
    """A master accepts what the schemas accept: each bound, each word and each branch of a union, with and without optional fields."""

    def test_a_master_takes_what_the_schemas_take(self):
        count = 0
        for operation, _, path, described in sorted(operations(), key=lambda each: each[0] != "previewMatcher"):  # it looks at all jobs
            target = re.sub(r"{\w+}", NOWHERE, path.replace("{signature}", "0" * 32))
            examples = request_examples(described)
            if operation in ("overrideBucket", "signIn"):
                continue  # the schema of one allows the fields of every kind; the other takes tokens that there are
            schema = resolve(described["requestBody"])["content"]["application/json"]["schema"] if examples else {}
            # Once there is a token, every request needs one.
            with self.admin() if operation == "createToken" else contextlib.nullcontext({}) as token:
                for example in examples.values():
                    for body in variants(schema, example, ()):
                        seen = operation == "previewMatcher" and body.get("constraints") != example["constraints"]  # putMatcher varies them
                        if seen or not validator(schema).is_valid(body):
                            continue
                        count += 1
                        self.take(operation, target, body, {**NEW, **token})
        self.assertGreater(count, 1_000)

    def take(self, operation, target, body, fields):
        _, answer = self.call(operation, target, body, fields=fields)
        for problem in (answer, *(result.get("error", {}) for result in answer.get("results", []))):
            refused = problem.get("status") in (400, 401, 403, 413, 415, 422, 500) and not DEPENDENT.search(problem.get("field", ""))
            self.assertFalse(refused, (operation, body, problem))


def variants(schema, good, within):
    """Values that the schema accepts: a good one, with one place changed to each value that is allowed there."""
    schema = resolve(schema)
    if "allOf" in schema:
        schema = resolve(schema["allOf"][0])
    parts = [resolve(part) for part in schema.get("oneOf", schema.get("anyOf", []))]
    if parts:
        for part in parts:
            yield from variants(part, good if good is not None and validator(part).is_valid(good) else None, within)
        return
    good = right(schema) if good is None else good
    yield good
    yield from schema.get("enum", [])
    yield from (schema[bound] for bound in ("minimum", "maximum", "default") if bound in schema)
    if schema.get("type") == "boolean":
        yield from (True, False)
    elif schema.get("type") == "string" and "maxLength" in schema and not {"pattern", "examples"} & schema.keys():
        yield "x" * schema["maxLength"]
    elif schema.get("type") == "array":
        yield []
        for value in variants(schema["items"], good[0] if good else None, within):
            yield [value]
    elif schema.get("type") == "object" and within.count(id(schema)) < 1:
        for name, inner in schema.get("properties", {}).items():
            yield {key: value for key, value in good.items() if key != name}
            if name not in WORDED:
                yield from ({**good, name: value} for value in variants(inner, good.get(name), (*within, id(schema))))


def right(schema):
    """The smallest value that the schema accepts. Of a union it is one of the first branch."""
    schema = resolve(schema)
    for union in ("allOf", "oneOf", "anyOf"):
        if union in schema and "properties" not in schema:
            return right(schema[union][0])
    for example in schema.get("examples", schema.get("enum", [])):
        return example
    if schema.get("format") == "date-time":
        return now()
    if schema.get("type") == "array":
        return [right(schema["items"])] if schema.get("minItems") else []
    if schema.get("type") == "object":
        return {name: right(schema["properties"][name]) for name in schema.get("required", [])}
    least = {"string": "x", "integer": max(1, schema.get("minimum", 1)), "number": max(1, schema.get("minimum", 1)), "boolean": True}
    return least.get(schema.get("type"), 1)


if __name__ == "__main__":
    unittest.main()
