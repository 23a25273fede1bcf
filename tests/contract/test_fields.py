"""Compares each field table of the program with its schema in openapi/master.yaml: names, required fields, types, ranges and defaults.

The schema of a request (ASKED) has the table's ranges and defaults. The schema of an answer says which fields are always there.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from document import DOCUMENT, resolve

# Redocly finds no use of a component in `x-messages`, so what a client may say over its WebSocket is there itself.
SCHEMAS = {**DOCUMENT["components"]["schemas"], "SinceBody": DOCUMENT["paths"]["/v1/live"]["get"]["x-messages"]["client"][0]}
# Schemas of request bodies and of their parts. All others are of answers only.
ASKED = {
    "NewJob", "Backoff", "Unique", "Progress", "Batch", "ClaimBody", "Claim", "Message", "Report", "ReportWithId", "OutcomesBody",
    "HeartbeatBody", "HeartbeatsBody", "HeartbeatsBody.leases", "ReleaseBody", "CancelBody", "HandoffBody", "Nothing", "JobEdit", "GroupBody",
    "FsckBody", "SinceBody", "ResolveBody", "MuteBody", "GroupRetryBody", "ResultPatch", "Retention", "Kept", "NewSchedule", "Recurrence", "RunSchedule",
    "NewMatcher", "RevertMatcher", "TripBreaker", "ResetBreaker", "NewPause", "Resume", "PreviewMatcher", "TestedJob",
    "NewToken", "NewView", "NewOperation",
}
# FieldsSeen (core/msgpack/fieldtable.h) has a bit for each field.
FIELDS_MAX = 64
# Schemas that no table describes: single values, objects that are kept as they were sent, and lists of results that can be problems.
VALUES = {"Id", "Name", "Lease", "Tags", "MatcherId", "ConstraintId", "MaskPlace", "RevisionTag", "Time", "Any", "State", "Role", "Durability", "Window", "Days", "Trend",
          "ListOrder", "Signature", "GovernedProblem", "Metric", "Outcome", "SuccessOutcome", "FailureOutcome", "OutcomeOrNull", "EnqueuedOrAnswered", "ItemError",
          "BatchResults", "OutcomesResults", "HeartbeatsResults", "Done",
          # Bodies of searches, which are read as the queries of their GETs.
          "JobSearch", "JobCountSearch", "FailureSearch", "ResultSearch", "ReasonName", "ReasonValues"}
# Jobs that other requests contain: NewJob without some of its fields.
NARROWED = {"FollowingJob", "CallbackJob", "RecurringJob"}
# A constraint's windows and overrides are read by the kind's table.
LIMITING = {"Constraint", "Override", "ConstraintWindow"}
KINDS = {kind: ref.rsplit("/", 1)[1] for kind, ref in SCHEMAS["Constraint"]["discriminator"]["mapping"].items()}
OVERRIDES = {kind: name.replace("Constraint", "Override") for kind, name in KINDS.items() if kind != "set"}
# A pause of one key ends at a time.
UNTOLD_OVERRIDES = {"for"}
# Fields that all kinds have. `share` and `fair` need keys, because they divide among keys; `set` has none.
COMMON = {"id", "kind", "by", "on_missing", "overrides", "mode", "expires_at", "expires_in", "revision"}
KEYED, UNKEYED = {"share", "fair"}, {"set": {"by", "overrides"}}
TYPES = {
    "integer": "integer", "number": "number", "duration": "number", "boolean": "boolean", "name": "string", "text": "string", "time": "string",
    "word": "string", "id": "string", "state": "string", "object": "object", "windows": "array",
    "boolean or text": ["boolean", "string"],
}
BOUNDED = ("integer", "number", "duration")


def tables():
    program = pathlib.Path(os.environ["JUNBAN_BIN"], "showfields")
    return json.loads(subprocess.run([program], check=True, capture_output=True).stdout)


def schema_named(name):
    node = SCHEMAS
    for part in name.split("."):
        node = resolve(node.get(part) or node["properties"][part])
        if node.get("type") == "array":
            node = resolve(node["items"])
    return node


def branches(schema):
    """All branches of a union, also of unions in it. A schema that is no union is its own only branch."""
    schema = resolve(schema)
    return [branch for each in schema["oneOf"] for branch in branches(each)] if "oneOf" in schema else [schema]


def whole(schema):
    """A union of objects as one object, as a table describes it. It has every branch's fields, and requires what all branches require."""
    parts = branches(schema)
    if len(parts) == 1:
        return parts[0]
    properties = {}
    for part in parts:
        for key, described in part["properties"].items():
            earlier = properties.get(key, described)
            if described.get("enum") != earlier.get("enum"):
                described = {**described, "enum": earlier["enum"] + described["enum"]}
            properties[key] = described
    return {"type": "object", "properties": properties, "required": sorted(set.intersection(*(set(part.get("required", [])) for part in parts)))}


def type_of(node):
    if "oneOf" in node:
        kinds = {type_of(branch) for branch in branches(node)}
        return kinds.pop() if len(kinds) == 1 else None
    if "allOf" in node and "type" not in node:
        return type_of(resolve(node["allOf"][0]))
    return node.get("type") or ("object" if "properties" in node else None)


def names_of(described):
    """The name of the schema that a field refers to, and of the one that this narrows."""
    name = described["$ref"].rsplit("/", 1)[1]
    return {name} | ({SCHEMAS[name]["allOf"][0]["$ref"].rsplit("/", 1)[1]} if name in NARROWED else set())


def compare(table):
    """The differences between table and schema, as sentences."""
    name = table["schema"]
    return list(compare_object(name, table["fields"], whole(schema_named(name)), name in ASKED))


def compare_object(name, fields, schema, asked, untold=frozenset(), needed=frozenset()):
    """`untold`: fields that only the table has. `needed`: fields that the kind's check requires."""
    fields = {field["name"]: field for field in fields if field["name"] not in untold}
    properties = schema.get("properties", {})
    yield from (f"{name}: the document alone has '{key}'" for key in properties.keys() - fields.keys())
    yield from (f"{name}: the table alone has '{key}'" for key in fields.keys() - properties.keys())
    wanted = {key for key, field in fields.items() if field["presence"] == "needed" or (not asked and field["presence"] == "always")} | needed
    required = set(schema.get("required", []))
    yield from (f"{name}.{key}: needed by {'the table' if key in wanted else 'the document'} alone" for key in wanted ^ required)
    for key in properties.keys() & fields.keys():
        yield from (f"{name}.{key}: {what}" for what in compare_field(fields[key], properties[key], asked))


def compare_kind(table):
    """Compares a kind of constraint, and those of its fields that can be overridden for single keys."""
    kind = table["schema"].split(":")[1]
    needed = {"by"} if kind in KEYED else set()
    yield from compare_object(KINDS[kind], table["fields"], SCHEMAS[KINDS[kind]], True, UNKEYED.get(kind, set()), needed)
    if kind in OVERRIDES:  # an override takes missing fields from the constraint
        own = [{**field, "presence": "rare", "default": None, "type": "integer" if field["type"] == "amount" else field["type"]}
               for field in table["fields"] if field["name"] not in COMMON | UNTOLD_OVERRIDES]
        yield from compare_object(OVERRIDES[kind], own, SCHEMAS[OVERRIDES[kind]], True)


def compare_field(field, described, asked):
    node = resolve(described)
    if field["list"] or field["type"] == "windows":
        if type_of(node) != "array":
            yield f"a list in the table, {type_of(node)} in the document"
            return
        if (asked or "maxItems" in node) and node.get("maxItems", 2**31 - 1) != field["count_max"]:
            yield f"at most {field['count_max']} elements in the table, {node.get('maxItems')} in the document"
    if field["list"]:
        yield from compare_value(field, node.get("items", {}), asked)
    else:
        yield from compare_value(field, described, asked)
        yield from compare_default(field, node, asked)


def compare_value(field, described, asked):
    node = resolve(described)
    if field["type"] == "amount":  # a number or an expression
        yield from compare_bounds(field, node["oneOf"][0], asked)
    if field["type"] in TYPES and type_of(node) != TYPES[field["type"]]:
        yield f"{field['type']} in the table, {type_of(node)} in the document"
    if field["type"] == "any" and type_of(node) not in (None, "object"):
        yield f"any value in the table, {type_of(node)} in the document"
    if field["type"] == "object" and field["table"] and "$ref" in described and field["table"] not in names_of(described):
        yield f"described by {field['table']} in the table, by {described['$ref']} in the document"
    if field["words"] and node.get("enum") != field["words"]:
        yield f"one of {field['words']} in the table, of {node.get('enum')} in the document"
    if field["type"] in BOUNDED:
        yield from compare_bounds(field, node, asked)
    # A text without a bound in the table gets one from the code that reads it.
    if field["type"] in ("name", "text") and field["max"] is not None and (asked or "maxLength" in node) and node.get("maxLength") != field["max"]:
        yield f"at most {field['max']} bytes in the table, {node.get('maxLength')} in the document"
    if asked and field["type"] == "name" and node.get("minLength") != 1:
        yield "not empty in the table alone"


def compare_bounds(field, node, asked):
    for bound, key in (("min", "minimum"), ("max", "maximum")):
        if (asked or key in node) and node.get(key) != field[bound]:
            yield f"{key} {field[bound]} in the table, {node.get(key)} in the document"


def compare_default(field, node, asked):
    """A field without a default in the document is empty when it is left out, or its members have their own defaults."""
    if not asked or field["presence"] == "needed" or field["type"] == "object":
        return
    if "default" in node:
        if node["default"] != field["default"]:
            yield f"by default {field['default']} in the table, {node['default']} in the document"
    elif field["presence"] != "when" and field["default"] not in (None, "", 0, [], "1970-01-01T00:00:00.000Z"):
        yield f"by default {field['default']} in the table, nothing in the document"


class Fields(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        every = {table["schema"]: table for table in tables()}
        cls.tables = {name: table for name, table in every.items() if ":" not in name}
        cls.kinds = {name.split(":")[1]: table for name, table in every.items() if ":" in name}

    def test_every_table_agrees_with_its_schema(self):
        found = [sentence for table in self.tables.values() for sentence in compare(table)]
        self.assertEqual(found, [], "\n".join(found))
        print(f"{len(self.tables)} tables, {sum(len(t['fields']) for t in self.tables.values())} fields")

    def test_no_table_has_more_fields_than_can_be_marked_as_seen(self):
        for name, table in (self.tables | self.kinds).items():
            self.assertLessEqual(len(table["fields"]), FIELDS_MAX, name)

    def test_every_schema_has_a_table(self):
        named = {name.split(".")[0] for name in self.tables}
        parts = {ref["$ref"].rsplit("/", 1)[1] for name in named for ref in SCHEMAS[name].get("oneOf", [])}
        kinds = set(KINDS.values()) | set(OVERRIDES.values())
        self.assertEqual(SCHEMAS.keys() - named, VALUES | NARROWED | LIMITING | parts | kinds)

    def test_the_kinds_of_constraints_are_those_of_the_document(self):
        self.assertEqual(list(self.kinds), list(KINDS))
        for schema, parts in (("Constraint", KINDS), ("Override", OVERRIDES)):
            union = SCHEMAS[schema].get("oneOf") or SCHEMAS[schema]["anyOf"]
            self.assertEqual([ref["$ref"].rsplit("/", 1)[1] for ref in union], list(parts.values()))
        for kind, schema in KINDS.items():
            self.assertEqual(SCHEMAS[schema]["properties"]["kind"]["enum"], [kind])
        found = [sentence for table in self.kinds.values() for sentence in compare_kind(table)]
        self.assertEqual(found, [], "\n".join(found))
        for key, changes, said in (("window", {"default": 61}, "by default 61"), ("mode", {"default": "off"}, "by default off"),
                                   ("probes", {"name": "limit"}, "document alone has 'probes'"), ("factor", {"name": "power"}, "table alone has 'power'"),
                                   ("open_for", {"type": "name"}, "number in the document"), ("min_samples", {"max": 7}, "BreakerOverride.min_samples: maximum")):
            fields = [{**field, **(changes if field["name"] == key else {})} for field in self.kinds["breaker"]["fields"]]
            sentences = list(compare_kind({**self.kinds["breaker"], "fields": fields}))
            self.assertTrue(any(said in sentence for sentence in sentences), f"{key} {changes}: {sentences}")

    def test_a_difference_of_each_kind_is_found(self):
        table = self.tables["NewJob"]
        for key, changes, said in (
            ("trace", {"name": "trail"}, "alone has"), ("priority", {"presence": "needed"}, "needed by the table"),
            ("priority", {"type": "name"}, "integer in the document"), ("timeout", {"max": 1}, "maximum 1"),
            ("max_retry", {"default": 7}, "by default 7"), ("tags", {"count_max": 3}, "at most 3"), ("group", {"max": 3}, "at most 3 bytes"),
            ("on_dependency_failure", {"words": ["fail"]}, "one of ['fail']"), ("then", {"table": "Job"}, "described by Job"),
        ):
            fields = [{**field, **(changes if field["name"] == key else {})} for field in table["fields"]]
            found = compare({**table, "fields": fields})
            self.assertTrue(any(said in sentence for sentence in found), f"{key} {changes}: {found}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
