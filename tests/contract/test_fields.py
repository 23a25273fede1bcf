"""Each field table of the program against its schema in openapi/master.yaml, both ways: names, what is required, types, ranges, defaults.

A schema that is asked of a master (ASKED) has the tables' ranges and defaults; one that a master answers says which fields are always there.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from document import DOCUMENT, resolve

SCHEMAS = DOCUMENT["components"]["schemas"]
# Bodies of requests, and what stands in them; everything else is only answered.
ASKED = {
    "NewJob", "Backoff", "Unique", "Progress", "Batch", "ClaimBody", "Claim", "Message", "Report", "ReportWithId", "OutcomesBody",
    "HeartbeatBody", "HeartbeatsBody", "HeartbeatsBody.leases", "ReleaseBody", "CancelBody", "HandoffBody", "Nothing", "JobEdit", "GroupBody",
    "FsckBody", "ResolveBody", "MuteBody", "GroupRetryBody", "ResultPatch", "Retention", "Kept", "NewSchedule", "RunSchedule",
    "NewMatcher", "RevertMatcher", "TripBreaker", "ResetBreaker", "NewPause", "Resume", "PreviewMatcher", "TestedJob",
    "NewToken",
}
# What a client reads though no master says it yet.
FOREKNOWN = {"NameList.names": {"scheduled", "running"}}
# Schemas that no table describes: values of one field, unions, objects that are kept as they were sent, and lists of results each of which
# may be a problem.
VALUES = {"Id", "Name", "Time", "Any", "State", "Role", "Durability", "Window", "Trend", "Signature", "Metric", "Outcome", "OutcomeOrNull",
          "EnqueuedOrAnswered", "Problem", "ItemError", "BatchResults", "OutcomesResults", "HeartbeatsResults", "Done"}
# A constraint is compared kind by kind; its windows and overrides are read by the kind's table, and a preview is still written by hand.
LIMITING = {"Constraint", "Override", "ConstraintWindow", "MatcherPreview", "TestedTerms", "PreviewJob", "MatcherProblem"}
KINDS = SCHEMAS["Constraint"]["properties"]["kind"]["enum"]
TYPES = {
    "integer": "integer", "number": "number", "duration": "number", "boolean": "boolean", "name": "string", "text": "string", "time": "string",
    "word": "string", "id": "string", "state": "string", "object": "object", "windows": "array",
}


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


def type_of(node):
    return node.get("type") or ("object" if "properties" in node else None)


def compare(table):
    """What table and schema do not agree on, as sentences."""
    name = table["schema"]
    schema = schema_named(name)
    asked = name in ASKED
    fields = {field["name"]: field for field in table["fields"]}
    properties = schema.get("properties", {})
    found = [f"{name}: the document alone has '{key}'" for key in properties.keys() - fields.keys()]
    found += [f"{name}: the table alone has '{key}'" for key in fields.keys() - properties.keys() - FOREKNOWN.get(name, set())]
    wanted = {key for key, field in fields.items() if field["presence"] == "needed" or (not asked and field["presence"] == "always")}
    required = set(schema.get("required", []))
    found += [f"{name}.{key}: needed by {'the table' if key in wanted else 'the document'} alone" for key in wanted ^ required]
    for key in properties.keys() & fields.keys():
        found += [f"{name}.{key}: {what}" for what in compare_field(fields[key], properties[key], asked)]
    return found


def compare_kind(table):
    """A kind's fields are some of Constraint's; what they are by default stands in its descriptions, as "breaker: default 10."."""
    kind = table["schema"].split(":")[1]
    properties = SCHEMAS["Constraint"]["properties"]
    for field in table["fields"]:
        described = properties.get(field["name"])
        if described is None:
            yield f"{kind}.{field['name']}: the table alone has it"
            continue
        for what in compare_field(field, described, False):
            yield f"{kind}.{field['name']}: {what}"
        said = re.match(r"([\w, ]+)[:.].*?(?:default ([\w.-]+?)\.?$|$)", described.get("description", ""))
        parameter = said and re.split(r", | ", said.group(1))[0] in KINDS
        if parameter and kind not in re.split(r", | ", said.group(1)):
            yield f"{kind}.{field['name']}: the document gives it to {said.group(1)}"
        if parameter and said.group(2) and str(field["default"]) not in (said.group(2), said.group(2) + ".0"):
            yield f"{kind}.{field['name']}: by default {field['default']} in the table, {said.group(2)} in the document"
        if "default" in described and described["default"] != field["default"]:
            yield f"{kind}.{field['name']}: by default {field['default']} in the table, {described['default']} in the document"


def compare_field(field, described, asked):
    node = resolve(described)
    if field["list"]:
        if type_of(node) != "array":
            yield f"a list in the table, {type_of(node)} in the document"
            return
        if (asked or "maxItems" in node) and node.get("maxItems", 2**31 - 1) != field["count_max"]:
            yield f"at most {field['count_max']} elements in the table, {node.get('maxItems')} in the document"
        items = node.get("items", {})
        yield from compare_value(field, items, asked)
    else:
        yield from compare_value(field, described, asked)
        yield from compare_default(field, node, asked)


def compare_value(field, described, asked):
    node = resolve(described)
    if field["type"] in TYPES and type_of(node) != TYPES[field["type"]]:
        yield f"{field['type']} in the table, {type_of(node)} in the document"
    if field["type"] == "any" and type_of(node) not in (None, "object"):
        yield f"any value in the table, {type_of(node)} in the document"
    if field["type"] == "object" and field["table"] and "$ref" in described and described["$ref"].rsplit("/", 1)[1] != field["table"]:
        yield f"described by {field['table']} in the table, by {described['$ref']} in the document"
    if field["words"] and node.get("enum") != field["words"]:
        yield f"one of {field['words']} in the table, of {node.get('enum')} in the document"
    if field["type"] in ("integer", "number", "duration"):
        for bound, key in (("min", "minimum"), ("max", "maximum")):
            if (asked or key in node) and node.get(key) != field[bound]:
                yield f"{key} {field[bound]} in the table, {node.get(key)} in the document"
    if field["type"] in ("name", "text") and (asked or "maxLength" in node) and node.get("maxLength") != field["max"]:
        yield f"at most {field['max']} bytes in the table, {node.get('maxLength')} in the document"
    if asked and field["type"] == "name" and node.get("minLength") != 1:
        yield "not empty in the table alone"


def compare_default(field, node, asked):
    """Without a default in the document a field that is left out is empty, or its members have theirs."""
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

    def test_every_table_is_its_schema(self):
        found = [sentence for table in self.tables.values() for sentence in compare(table)]
        self.assertEqual(found, [], "\n".join(found))
        print(f"{len(self.tables)} tables, {sum(len(t['fields']) for t in self.tables.values())} fields")

    def test_every_schema_has_a_table(self):
        named = {name.split(".")[0] for name in self.tables}
        self.assertEqual(SCHEMAS.keys() - named, VALUES | LIMITING)

    def test_the_kinds_of_constraints_are_those_of_the_document(self):
        self.assertEqual(list(self.kinds), KINDS)
        named = {field["name"] for table in self.kinds.values() for field in table["fields"]}
        self.assertEqual(named, set(SCHEMAS["Constraint"]["properties"]))
        found = [sentence for table in self.kinds.values() for sentence in compare_kind(table)]
        self.assertEqual(found, [], "\n".join(found))
        for key, changes, said in (("window", {"default": 61}, "by default 61"), ("mode", {"default": "off"}, "by default off"),
                                   ("probes", {"name": "limit"}, "gives it to rate"), ("factor", {"name": "power"}, "alone has"),
                                   ("open_for", {"type": "name"}, "number in the document")):
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
