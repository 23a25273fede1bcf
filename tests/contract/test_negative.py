"""Thousands of wrong requests made from openapi/master.yaml: each is refused with the field at fault, and none leaves a key in Redis."""

import re
import unittest

from document import NOWHERE, ContractCase, now, operations, resolve, validator
from tier import LONG, row

NEW = {"If-None-Match": "*"}  # changes must have it; other requests ignore it


# The keys in one line, in which their ids can be read. A worker was heard of also when an item of its report was refused; charts go on.
KEYS = "return redis.status_reply((string.gsub(table.concat(redis.call('KEYS', '*'), ' '), '[^%w%p ]', '?')))"


class Negative(ContractCase):
    def jobs_and_keys(self):
        self.redis("DEL", "jq:{default}:probe")  # Redis drops it after a while, perhaps between two counts
        overview = self.client.overview()
        keys = self.redis("EVAL", KEYS, "0").removeprefix("+").split()
        # Some keys are not of the requests: the callers, the series, and the libraries that the master notes once all are loaded.
        return overview["totals"], overview["states"], sorted(key for key in keys if not re.search("}:(wk:|workers$|ser:|libraries$)", key))

    def test_bad_input_is_refused_by_name_and_changes_nothing(self):
        # overrideBucket needs an existing constraint. It is saved before the jobs are pushed, so that none is read again meanwhile.
        self.call("putMatcher", "/v1/matchers/m", {"title": "t", "expression": "false", "constraints": [{"kind": "cooldown", "by": ["1"]}]},
                  fields=NEW)
        for job in ({"name": "n"}, {"name": "later", "delay": 1000}, {"name": "waits", "group": "g", "then": [{"name": "next"}]}):
            self.call("enqueueJob", "/v1/jobs", job)
        before = self.jobs_and_keys()
        self.assertTrue(before[2])
        with row("N1 wrong requests", operations=0) as told:
            self.refuse_all(told)
        self.assertGreater(told["operations"], 10_000 if LONG else 2_000)
        self.assertEqual(self.jobs_and_keys(), before)

    def refuse_all(self, told):
        for encoding in ("json", "msgpack"):
            for operation, _, path, described in operations():
                path = path.replace("{constraint}/buckets/{key}", "m.cooldown1/buckets/k").replace("{signature}", "0" * 32)
                target = re.sub(r"{\w+}", NOWHERE, path)
                for bad, field in self.bad_requests(operation, described):
                    status, answer = self.call(operation, target, bad, encoding, fields=NEW)
                    told["operations"] += 1
                    if operation in ("enqueueJobs", "reportOutcomes", "heartbeats") and status == 200:
                        answer = answer["results"][0]["error"]
                        status = answer["status"]
                    self.assertIn(status, (400, 413, 422), (operation, bad, answer))  # 422: an invalid expression
                    if field:
                        self.assertIn(field, answer.get("field", ""), (operation, bad, answer))
                for query, field in self.bad_queries(described):
                    status, answer = self.call(operation, f"{target}?{query}", None, encoding, fields=NEW)
                    told["operations"] += 1
                    self.assertEqual((status, answer["field"]), (400, field), (operation, query))

    def bad_requests(self, operation, described):
        body = resolve(described.get("requestBody", {}))
        if body:
            yield from self.bad_bodies(operation, resolve(body["content"]["application/json"]["schema"]))

    def bad_queries(self, described):
        if not described["x-roles"]:
            return  # pages and health, which answer no problem documents
        yield "unknown=1", "unknown"
        for parameter in map(resolve, described.get("parameters", [])):
            if parameter["in"] != "query":
                continue
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

    def good(self, operation, schema):
        """A valid body, to be spoilt in one place."""
        report = {"lease": "1.x", "type": "success", "finished_at": now(), "result": 1}
        special = {"enqueueJobs": {"jobs": [{"name": "n"}]}, "reportOutcome": report, "takeMessage": {k: v for k, v in report.items() if k != "lease"},
                   "reportOutcomes": {"worker": "w", "outcomes": [{"id": NOWHERE, **report}]}, "editJob": {"priority": 1}, "extendResult": {"ttl": 5},
                   "putMatcher": {"title": "t", "expression": "false", "constraints": [{"kind": "pause", "reason": "r"}]},
                   "previewMatcher": {"expression": "false"}, "createToken": {"roles": ["admin"]},
                   "putSchedule": {"every": 60, "job": {"name": "n"}}, "previewSchedule": {"every": 60}}
        return special[operation] if operation in special else right(schema)

    def bad_bodies(self, operation, schema):
        good = self.good(operation, schema)
        for nothing in ([], "text", 7, True, [good]):
            yield nothing, None
        yield {**good, "unknown_field": 1}, "unknown_field"
        yield {**good, "": 1}, None
        if schema.get("minProperties"):
            yield {}, None
        schema = branch(schema, good)
        for name in schema.get("required", []):
            # A schedule has `cron` or `every`. When both are missing, the answer names `cron`.
            yield {key: value for key, value in good.items() if key != name}, {"every": "cron"}.get(name, name)
        for name, property_ in schema.get("properties", {}).items():
            for value in bad_values(property_, good.get(name), (id(schema),)):
                yield {**good, name: value}, name


def branch(schema, good):
    """Of a union the branch that accepts the value, of a narrowed schema the wider one, and otherwise the schema itself."""
    schema = resolve(schema)
    if "properties" in schema:
        return schema
    if "allOf" in schema:
        return branch(schema["allOf"][0], good)
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return branch(next((each for each in schema[union] if validator(resolve(each)).is_valid(good)), schema[union][0]), good)
    return schema


def right(schema):
    """The smallest value that the schema accepts. Of a union it is one of the first branch."""
    schema = branch(schema, None)
    if "enum" in schema:
        return schema["enum"][0]
    if "default" in schema:
        return schema["default"]
    for example in schema.get("examples", []):
        return example
    if schema.get("pattern"):
        return "05:00"
    return {"string": NOWHERE if schema.get("format") == "uuid" else now() if "ISO" in schema.get("description", "") else "x",
            "integer": max(1, schema.get("minimum", 1)), "number": max(1, schema.get("minimum", 1)), "boolean": True, "array": [],
            "object": {name: right(schema["properties"][name]) for name in schema.get("required", [])}}.get(schema.get("type"), 1)


WRONG_KINDS = {"string": [1, None, [], {}, True, 1.5], "integer": ["1", 1.5, None, True, [], {}], "number": ["1", None, True, [], {}],
               "boolean": [0, 1, "true", None, []], "array": [{}, "x", 1, None], "object": [[], 1, "x", None]}


def bad_numbers(kind, schema):
    for bound, sign in (("minimum", -1), ("maximum", 1)):
        if bound in schema:
            for step in (1, 2**40) + ((0.001,) if kind == "number" and schema[bound] < 1e12 else ()):
                yield schema[bound] + sign * step
    yield from (-(2**63), 2**63, 2**64 - 1, 1e300, -1e300)


def bad_strings(schema):
    longest, shortest = schema.get("maxLength"), schema.get("minLength")
    if "enum" in schema:
        yield from ("nothing of these", "", schema["enum"][0].upper())
    if schema.get("format") == "uuid":
        yield from ("", "x", NOWHERE[:-1], NOWHERE.replace("-", ""), "g" + NOWHERE[1:])
    if "pattern" in schema:
        yield from (text for text in ("", "x", "24:01", "5:00", "05:60", "05:00:00", "-1:00", ".x", "a b", "a\u0007")
                    if not re.search(schema["pattern"], text))
    if shortest:
        yield ""
    if longest and longest <= 512 and shortest:
        yield from ("x" * (longest + 1), "\u00e4" * (longest // 2 + 1), "control\u0007", "\u0085", "\0", "x" * 100_000)


# Optional lists and maps: a master accepts an empty one as if it were left out.
EMPTIED = {"by", "allow", "deny"}


def bad_values(schema, good, within):
    """Values that the schema refuses. `good`: a valid value, to be spoilt inside. `within`: the schemas around this one."""
    schema = resolve(schema)
    if "type" not in schema and good is None and schema.get("oneOf"):  # each branch of the union
        for part in schema["oneOf"]:
            part = resolve(part)
            yield from bad_values(part, None, within) if part.get("type") == "object" else ()
        return
    schema = branch(schema, good)
    kind = schema.get("type")
    if isinstance(kind, list):
        return
    yield from WRONG_KINDS.get(kind, [])
    if kind in ("integer", "number"):
        yield from bad_numbers(kind, schema)
    elif kind == "string":
        yield from bad_strings(schema)
    elif kind == "array":
        item = resolve(schema["items"])
        if schema.get("minItems"):
            yield []
        if schema.get("maxItems"):
            yield [item.get("type") == "string" and f"t{n}" or {} for n in range(schema["maxItems"] + 1)]
        for value in bad_values(item, good[0] if good else None, within):
            yield [value]
    elif kind == "object" and within.count(id(schema)) < (3 if LONG else 1):
        yield from bad_objects(schema, good or right(schema), (*within, id(schema)))


def bad_objects(schema, whole, within):
    for name, inner in schema.get("properties", {}).items():
        for value in bad_values(inner, None, within):
            if value != [] or name not in EMPTIED:
                yield {**whole, name: value}
    for name in schema.get("required", []):
        yield {key: value for key, value in whole.items() if key != name}
    if "properties" in schema:  # others have any
        yield {**whole, "unknown_field": 1}


if __name__ == "__main__":
    unittest.main()
