"""Reads the catalogue of reasons (core/base/reasons/*.yaml) and makes what the build needs of it.

    catalogue.py cpp OUTPUT           writes the whole catalogue as one C++ file
    catalogue.py header THEME OUTPUT  writes a C++ header with a function for each reason of THEME.yaml
    catalogue.py json OUTPUT          writes the catalogue with its English sentences for the consoles

A theme's file has its reasons by their code: the `code` of the refusals that are made of them (core/base/result.h), or another of CODES:
`invalid_expression` for faults of an expression, `explanation` for what is no refusal by itself. A reason is its stable name and its English sentence. A
sentence names a value as {name:type}, once with its type and then as {name}; {name|job|jobs} puts one of two words, by the number. The
types and what C++ takes for each are in TYPES."""

import json
import pathlib
import re
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
# code: (its name in ErrorCode, or none when no Error has it; the HTTP status)
CODES = {"invalid_field": ("InvalidField", 400), "malformed": ("Malformed", 400), "not_found": ("NotFound", 404), "conflict": ("Conflict", 409),
         "lease_lost": ("LeaseLost", 409), "idempotency_mismatch": ("IdempotencyMismatch", 422), "revision_mismatch": ("RevisionMismatch", 412),
         "too_large": ("TooLarge", 413), "backlog_full": ("BacklogFull", 429), "store_unavailable": ("StoreUnavailable", 503),
         "store_full": ("StoreFull", 507), "store_readonly": ("StoreReadOnly", 503), "ambiguous": ("Ambiguous", 503), "cancelled": ("Cancelled", 503),
         "unauthorized": ("Unauthorized", 401), "forbidden": ("Forbidden", 403), "unreachable": ("Unreachable", 503), "internal": ("Internal", 500)}
CODES |= {code: (None, status) for code, status in {
    "set_by_matcher": 409, "too_many_attempts": 429, "not_acceptable": 406, "unsupported_media_type": 415, "method_not_allowed": 405,
    "precondition_required": 428, "unknown_host": 421, "request_timeout": 408, "too_many_connections": 503, "handler_timeout": 504, "target_too_long": 414,
    "expectation_failed": 417, "upgrade_required": 426, "head_too_large": 431, "not_implemented": 501, "version_not_supported": 505,
    "invalid_expression": 422, "explanation": 500}.items()}  # an explanation is no refusal by itself
# type: (what a function takes, how the value is made of it, what it is on the wire and how it is shown)
TEXT, NUMBER, LIST = ("QByteArrayView", "textValue"), ("ReasonNumber", None), ("const QByteArrayList &", "listValue")
TYPES = {
    "field": (*TEXT, "the path of a field, such as jobs[3].priority; empty: the whole request"),
    "name": (*TEXT, "a name, an id or another short text"),
    "text": (*TEXT, "a text of a user"),
    "foreign": (*TEXT, "a sentence of another program, in its language"),
    "word": (*TEXT, "a word of the catalogue, such as day_of_month"),
    "number": (*NUMBER, "a number"),
    "digits": (*NUMBER, "a whole number that is written without separators, such as a status or a version"),
    "seconds": (*NUMBER, "a length of time, in seconds"),
    "bytes": (*NUMBER, "a size, in bytes"),
    "time": ("qint64", "timeValue", "a time in ISO 8601"),
    "list": (*LIST, "a list of names"),
    "choice": (*LIST, "a list of names of which one is allowed"),
    "reason": ("const Reason &", None, "another reason: its `reason`, `values` and `detail`"),
}
PART = re.compile(r"\{([a-z][a-z0-9_]*)(?::([a-z]+)|(\|[^{}|]*\|[^{}|]*))?\}")


class Wrong(Exception):
    """A fault of the catalogue."""


class Reason:
    def __init__(self, theme, code, name, sentence):
        self.theme, self.code, self.name = theme, code, name
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
            raise Wrong(f"{theme}.yaml: '{name}' is not a name like timeout_out_of_range")
        self.values = {}
        for part in PART.finditer(sentence):
            value, kind = part[1], part[2]
            if kind and kind not in TYPES:
                raise Wrong(f"{theme}.yaml: {name} has the type '{kind}', which is none of {', '.join(TYPES)}")
            if (value in self.values) == bool(kind):
                raise Wrong(f"{theme}.yaml: {name} gives the type of '{value}' {'twice' if kind else 'nowhere before it is used'}")
            if kind:
                self.values[value] = kind
        self.text = PART.sub(lambda part: "{" + part[1] + (part[3] or "") + "}", sentence)

    @property
    def function(self):
        head, *rest = self.name.split("_")
        return head + "".join(word.capitalize() for word in rest)

    @property
    def refusal(self):
        return CODES[self.code][0] is not None

    def signature(self):
        parameters = ", ".join(f"{TYPES[kind][0]}{'' if TYPES[kind][0].endswith('&') else ' '}{variable(value)}" for value, kind in self.values.items())
        return f"{'Error' if self.refusal else 'Reason'} {self.function}({parameters})"


def variable(name):
    head, *rest = name.split("_")
    made = head + "".join(word.capitalize() for word in rest)
    return made + "Value" if made in {"default", "class", "new", "template", "this", "namespace", "operator"} else made


def words():
    return yaml.safe_load((HERE / "words.yaml").read_text(encoding="utf-8"))


def themes():
    return sorted(path.stem for path in HERE.glob("*.yaml") if path.stem != "words")


def load():
    """All reasons, sorted by name."""
    found = {}
    for theme in themes():
        for code, reasons in yaml.safe_load((HERE / f"{theme}.yaml").read_text(encoding="utf-8")).items():
            if code not in CODES:
                raise Wrong(f"{theme}.yaml: '{code}' is no code")
            for name, sentence in reasons.items():
                if name in found:
                    raise Wrong(f"{theme}.yaml: {name} is in {found[name].theme}.yaml too")
                found[name] = Reason(theme, code, name, sentence)
    return [found[name] for name in sorted(found)]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def value_made(place, value, kind):
    maker = TYPES[kind][1]
    name = variable(value)
    if maker:
        return f"{maker}({place}, {name})"
    return f"ReasonValue{{{place}.name, {name if kind == 'reason' else name + '.content()'}}}"


def function_made(index, reason):
    places = [value_made(f"info.parameters[{at}]", value, kind) for at, (value, kind) in enumerate(reason.values.items())]
    made = f"made(info, {{{', '.join(places)}}})"
    if reason.refusal:
        field = "field.toByteArray()" if reason.values.get("field") == "field" else "{}"
        made = f"Error{{ErrorCode::{CODES[reason.code][0]}, {made}, {field}}}"
    return f"{reason.signature()}\n{{\n    [[maybe_unused]] const ReasonInfo &info = catalogue[{index}];\n    return {made};\n}}\n"


def cpp():
    reasons, other = load(), words()
    lines = ["// Made by core/base/reasons/catalogue.py.", *(f'#include "core/base/reasons/{theme}.h"' for theme in themes()), '#include "core/base/reasonwording.h"', "",
             "namespace junban {", "", "namespace {", ""]
    for reason in reasons:
        if reason.values:
            pairs = ", ".join(f'{{"{value}", ReasonType::{kind.capitalize()}}}' for value, kind in reason.values.items())
            lines.append(f"constexpr ReasonParameter {reason.function}Values[] = {{{pairs}}};")
    lines += ["", "constexpr ReasonInfo catalogue[] = {"]
    for reason in reasons:
        code = f"ErrorCode::{CODES[reason.code][0]}" if reason.refusal else "{}"
        values = f"{reason.function}Values" if reason.values else "{}"
        lines.append(f'    {{"{reason.name}", {code}, "{reason.code}", {CODES[reason.code][1]}, {values}, {quoted(reason.text)}}},')
    lines += ["};", "", "struct Code {", "    const char *word;", "    int status;", "};", "constexpr Code codes[] = { // by ErrorCode"]
    lines += [f'    {{"{code}", {status}}},' for code, (error, status) in CODES.items() if error]
    lines += ["};", "", "struct Pair {", "    const char *name, *text;", "};"]
    for what in ("words", "patterns"):
        lines += [f"constexpr Pair {what}[] = {{", *(f"    {{{quoted(name)}, {quoted(text)}}}," for name, text in other[what].items()), "};"]
    lines += ["", "QByteArray found(std::span<const Pair> among, QByteArrayView name)", "{", "    for (const Pair &pair : among) {",
              "        if (name == QByteArrayView(pair.name))", "            return pair.text;", "    }", "    return {};", "}", "",
              "} // namespace", ""]
    lines += [f"static_assert(int(ErrorCode::{error}) == {at});" for at, (error, _) in enumerate(CODES.values()) if error]
    lines += ["", "const char *errorWord(ErrorCode code)", "{", "    return codes[int(code)].word;", "}", "",
              "int httpStatus(ErrorCode code)", "{", "    return codes[int(code)].status;", "}", "",
              "std::span<const ReasonInfo> reasonCatalogue()", "{", "    return catalogue;", "}", "",
              "QByteArray englishSentence(ReasonWording::Of of, QByteArrayView name)", "{", "    if (of == ReasonWording::Of::Reason) {",
              "        const ReasonInfo *info = reasonInfo(name);", "        return info ? QByteArray(info->text) : QByteArray();", "    }",
              "    return of == ReasonWording::Of::Word ? found(words, name) : found(patterns, name);", "}", "", "namespace reasons {", ""]
    lines += [function_made(index, reason) for index, reason in enumerate(reasons)]
    return "\n".join(lines) + "\n} // namespace reasons\n\n} // namespace junban\n"


def header(theme):
    lines = [f"// Made of core/base/reasons/{theme}.yaml by catalogue.py.", "#pragma once", "", '#include "core/base/result.h"', "",
             "namespace junban::reasons {", ""]
    for reason in load():
        if reason.theme == theme:
            lines += [f"// {reason.text}", f"{reason.signature()};"]
    return "\n".join(lines) + "\n\n} // namespace junban::reasons\n"


def as_json():
    """What a console needs: as resources/i18n/reasons.ja.json, and in `values` the types of each reason's values."""
    reasons = load()
    return json.dumps({"language": "en", **words(), "reasons": {reason.name: reason.text for reason in reasons},
                       "values": {reason.name: reason.values for reason in reasons}}, ensure_ascii=False, indent=1) + "\n"


def main():
    what, *theme, output = sys.argv[1:]
    made = {"cpp": cpp, "header": header, "json": as_json}[what](*theme)
    path = pathlib.Path(output)
    if not path.exists() or path.read_text(encoding="utf-8") != made:
        path.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"core/base/reasons/{wrong}")
