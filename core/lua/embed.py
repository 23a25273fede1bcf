"""Assembles the scripts: joins the verbs of a library with the pieces that they include, and replaces the words of schema.lua by the stored
names.

    embed.py scripts OUTPUT    writes all scripts as one C++ file
    embed.py names OUTPUT      writes the stored names as a C++ header

A verb's first line is `#!lua`, with the library that it belongs to (`library=NAME`, else `common`) and its flags (`flags=…`).
`-- include NAME` includes that piece, `-- include kinds/*` all files there; each file comes once in a library. The code after `-- nest`
becomes an inner function, because Lua allows no more than 200 locals in one."""

import fnmatch
import pathlib
import re
import sys

LUA = pathlib.Path(__file__).resolve().parent
TOKEN = re.compile(r"\s+|--[^\n]*|'((?:\\.|[^'\\])*)'|(\w+)|([{}=,])")
LIFE = {"ever": 1, "time": 2, "message": 3, "either": 4}


class Unknown(Exception):
    """A word that schema.lua does not have."""


def read_table(text):
    """Reads a Lua table of texts, words and tables into dictionaries; a value without a name gets its place, from 0, as its name."""
    tokens = [found for found in TOKEN.finditer(text) if found.lastindex]
    at = 0

    def value():
        nonlocal at
        token = tokens[at]
        at += 1
        if token.group(1) is not None:
            return token.group(1)
        if token.group(2):
            return {"true": True, "false": False}[token.group(2)]
        table = {}
        while tokens[at].group(3) != "}":
            word = len(table)
            if tokens[at].group(2) and tokens[at + 1].group(3) == "=":
                word = tokens[at].group(2)
                at += 2
            if word in table:
                raise Unknown(f"schema.lua has {word} twice in one table")
            table[word] = value()
            if tokens[at].group(3) == ",":
                at += 1
        at += 1
        return table

    at = 1  # behind `return`
    return value()


class Schema:
    def __init__(self, text):
        self.families = read_table(text)
        self.check()

    def check(self):
        """Refuses a stored name with two meanings, among the keys or within one hash."""
        names = [family["name"] for family in self.families.values()]
        for family in self.families.values():
            stored = [field[0] for field in self.fields(family).values()]
            for among in (names, stored):
                twice = {name for name in among if among.count(name) > 1}
                if twice:
                    raise Unknown(f"schema.lua gives the stored name {', '.join(twice)} two meanings")

    def key(self, word):
        if word not in self.families:
            raise Unknown(f"schema.lua has no key {word}")
        return self.families[word]["name"]

    @staticmethod
    def fields(family):
        """The fields of a hash, or of a table that is packed in a value."""
        return family.get("fields", family.get("packed", {}))

    def field(self, *words):
        family, word = ("state", *words) if len(words) == 1 else words
        fields = self.fields(self.families.get(family, {}))
        if word not in fields:
            raise Unknown(f"schema.lua has no field {word} of {family}")
        return fields[word][0]

    def table(self, what):
        """The Lua table for schema.words, {stored name: word}, or schema.lives, {stored name: how long its keys live}."""
        if what not in ("words", "lives"):
            raise Unknown(f"there is no schema.{what}")
        rows = []
        for word, family in self.families.items():
            if family["type"] != "channel":
                rows.append(f"['{family['name']}'] = " + (f"'{word}'" if what == "words" else str(LIFE[family["lives"]])))
        return "{ " + ", ".join(rows) + " }"


WORD = re.compile(r"""--[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"
    |(?<![\w.])(?:(key|bare|schema)\.([a-z]\w*)|field\.(\w+)(?:\.(\w+))?|(s|b\.f|(?:b\.)?con|own|o)\.([a-z]\w*))(?!\w)""", re.X)
# Tables whose name is the same in all scripts, and the family whose fields they hold.
TABLES = {"s": "state", "b.f": "bucket", "con": "constraints", "b.con": "constraints", "own": "constraints", "o": "after"}


def with_names(text, schema, file):
    """The text of a file with its words replaced by stored names, except in comments and texts."""
    def put(found):
        kind, word, first, second, table, field = found.groups()
        if table:
            return f"{table}.{schema.field(TABLES[table], field)}"
        if first:
            return "'" + (schema.field(first, second) if second else schema.field(first)) + "'"
        if kind == "key":
            return f"P .. '{schema.key(word)}'"
        if kind == "bare":
            return f"'{schema.key(word)}'"
        return schema.table(word) if kind else found.group()

    try:
        return WORD.sub(put, text)
    except Unknown as unknown:
        raise Unknown(f"{file}: {unknown}") from None


def sources():
    """The text of every verb and every piece, by its path in this folder."""
    return {path.relative_to(LUA).as_posix(): path.read_text(encoding="utf-8") for path in sorted(LUA.rglob("*.lua"))}


def assembled(texts):
    """The assembled libraries, {name: (verbs, text)}; `verbs` are the names of its verbs, each with a colon and its flags behind it, with spaces
    between them. `texts` is what sources() returns."""
    schema = Schema(texts["schema.lua"])
    named = {file: with_texts(with_names(text, schema, file)) for file, text in texts.items() if file != "schema.lua"}

    def whole(text, seen):
        """A file with each include line replaced by the files it names, unless they are in the library already."""
        def put(found):
            fitting = [file for file in named if fnmatch.fnmatch(file, f"{found.group(1)}.lua" if "/" in found.group(1) else f"pieces/{found.group(1)}.lua")]
            if not fitting:
                raise Unknown(f"there is no piece {found.group(1)}")
            parts = []
            for file in fitting:
                if file not in seen:
                    seen.add(file)
                    parts.append(whole(named[file], seen))
            return "".join(parts)

        return INCLUDE.sub(put, text)

    functions = {name for file, text in named.items() if not file.startswith("verbs/") for name in FUNCTION.findall(text)}
    verbs = {}
    for file, text in named.items():
        if file.startswith("verbs/"):
            head = HEAD.match(text)
            if not head:
                raise Unknown(f"{file} does not begin with #!lua")
            verbs.setdefault(head.group(1) or "common", []).append((pathlib.PurePath(file).stem, head.group(2) or "", text[head.end():]))
    libraries = {}
    for name, its in verbs.items():
        seen = set()
        pieces = "".join(whole("".join(found.group() for found in INCLUDE.finditer(text)), seen) for _, _, text in its)
        libraries[name] = (" ".join(f"{verb}:{flags}" for verb, flags, _ in its),
                           library(name, {verb: INCLUDE.sub("", text) for verb, _, text in its}, pieces, functions))
    return libraries


INCLUDE = re.compile(r"^-- include ([\w/*]+)\n", re.M)
FUNCTION = re.compile(r"^(?:local )?function (\w+)\(", re.M)
STATEMENT = re.compile(r"^(?=--|(?!end\b)[A-Za-z_])", re.M)
LOCAL = re.compile(r"local ((?:\w+, )*\w+)(?: = (.*))?\Z", re.S)
SET = re.compile(r"(?:[\w.]+, )*[\w.]+(?:\[.*\])? = ")
PER_CALL = re.compile(r"\bP \.\.|\b(?:KEYS|ARGV|redis)\b")
MARK = re.compile(r"-- nest$|--@")
HEAD = re.compile(r"#!lua(?: library=(\w+))?(?: flags=([\w,-]+))?\n")


def without_comments(text):
    """The text without its lines of comments and the comments behind code; marks stay."""
    lines = [line if MARK.match(line) else re.sub(r"""^((?:[^'"-]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|-(?!-))*)--.*$""", r"\1", line).rstrip()
             for line in text.split("\n")]
    return "".join(line + "\n" for line in lines if line)


def library(name, verbs, pieces, functions):
    """The text of a library: the pieces, then a function of Main for each verb. At the marks --@head and --@call, core/redis/scripts.cpp puts
    in how Redis is told of them. `verbs`: the text of each.

    A call must not see what the call before it left. So there are two sorts of statements in the pieces. Made once, with the library, are
    functions, tables of functions, and constants, whose names begin with a capital. All others are repeated by each call, in their order:
    Begin has them. `functions`: the names of all functions of all pieces."""
    lines, begin = [], []

    def flush():
        if begin:
            lines.append("Begin[#Begin + 1] = function()\n" + "".join(begin) + "end\n")
            begin.clear()

    for statement in STATEMENT.split(without_comments(pieces))[1:]:
        local = LOCAL.match(statement.rstrip())
        if statement.startswith("-- nest"):
            flush()
            lines.append("return (function()\n")
        elif statement.startswith("--@now"):
            lines.append("local now\n")
            begin.append(statement)
        elif "function" in statement:
            if not re.match(r"(?:local )?(?:function\b|[A-Z])", statement):
                raise Unknown(f"{name}: what has functions in it is made once, so its name begins with a capital: {statement}")
            lines.append(statement)
        elif local and local.group(2) is None:
            if not all(one in functions for one in local.group(1).split(", ")):
                raise Unknown(f"{name}: a local that each call sets anew needs a value: {statement}")
            lines.append(statement)
        elif not local and not SET.match(statement):
            raise Unknown(f"{name}: a piece has a statement that is no definition: {statement}")
        elif local and statement[len("local ")].isupper() and not PER_CALL.search(statement):
            lines.append(statement)
        else:
            if local:
                lines.append(f"local {local.group(1)}\n")
            begin.append(statement.replace("local ", "", 1) if local else statement)
    flush()
    mains = "".join(f"function Main.{verb}()\n{without_comments(text)}end\n" for verb, text in verbs.items())
    return ("--@head\nlocal Begin, Main = {}, {}\n" + "".join(lines) + mains + "--@call\n" + "end)()\n" * pieces.count("-- nest\n"))


CALL = re.compile(r"redis\.p?call\(")
TEXT = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
NUMBER = re.compile(r"-?\d+|limit\.\w+")
WHOLE = re.compile(r"now|ST_[A-Z]+")


def arguments(text, at):
    """Where the arguments of a call begin and end; `at` is behind its bracket."""
    found, begin, depth = [], at, 0
    while True:
        quoted = TEXT.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        if depth == 0 and text[at] in ",)":
            found.append((begin, at))
            if text[at] == ")":
                return found
            begin = at + 1
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[at], 0)
        at += 1


def with_texts(text):
    """The text of a file whose commands get their numbers as texts, where these are constants or the time: Redis makes a text of a number far
    more slowly than whole() of pieces/base.lua does."""
    done, parts = 0, []
    for call in CALL.finditer(text):
        for begin, end in arguments(text, call.end()):
            number = text[begin:end].strip()
            quoted = f"'{number}'" if NUMBER.fullmatch(number) else f"whole({number})" if WHOLE.fullmatch(number) else None
            if quoted and begin >= done:
                parts += [text[done:begin], text[begin:end].replace(number, quoted)]
                done = end
    return "".join(parts) + text[done:]


def commands(texts):
    """The commands that the scripts call. The first argument of a call is a text, or an expression that picks one of some texts, or of a table
    of texts by its name."""
    found = set()
    for file, text in texts.items():
        text = re.sub(r"--[^\n]*", "", text)
        for call in CALL.finditer(text):
            begin, end = arguments(text, call.end())[0]
            first = text[begin:end]
            picked = re.match(r"(\w+)\[\w+\]$", first)
            if picked:
                first = re.search(rf"\b{picked.group(1)}\b[^{{}}]*= [^{{}}]*(\{{[^}}]*\}})", text).group(1)
            words = re.findall(r"'([A-Z_]{3,})'", first)
            if not words:
                raise Unknown(f"{file} calls a command that cannot be read: {first}")
            found.update(words)
    return sorted(found)


def literal(text):
    """A text as C++ reads it: in parts, because compilers need not take one of more than 64 KiB."""
    lines = text.split("\n")
    return " ".join('R"JUNBAN(' + "\n".join(lines[at: at + 500]) + ("\n" if at + 500 < len(lines) else "") + ')JUNBAN"' for at in range(0, len(lines), 500))


def scripts_file():
    rows = "".join(f'    {{"{name}", "{verbs}", {literal(text)}}},\n' for name, (verbs, text) in sorted(assembled(sources()).items()))
    called = "".join(f'"{command}", ' for command in commands(sources()))
    return ('// Made from core/lua by embed.py.\n#include "core/lua/embeddedscripts.h"\n\nnamespace junban::redis {\n\n'
            f"const EmbeddedLibrary embeddedLibraries[] = {{\n{rows}    {{nullptr, nullptr, nullptr}},\n}};\n\n"
            f"const char *const scriptCommands[] = {{{called}nullptr}};\n\n}} // namespace junban::redis\n")


def names_file():
    schema = Schema((LUA / "schema.lua").read_text(encoding="utf-8"))
    lines = ["// Made from core/lua/schema.lua by embed.py: the stored names of keys and of the fields of hashes.", "#pragma once", "",
             "namespace junban::redis {", "", "namespace key {"]
    lines += [f'constexpr char {word}[] = "{family["name"]}";' for word, family in schema.families.items()]
    lines += ["} // namespace key", ""]
    for word, family in schema.families.items():
        named = schema.fields(family)
        if named:
            space = "field" if word == "state" else f"field_of::{word}"
            lines += [f"namespace {space} {{", *(f'constexpr char {field}[] = "{stored[0]}";' for field, stored in named.items()),
                      f"}} // namespace {space}", ""]
    lines += ["// `type`: Redis' type of the keys. `lives`: how long keys of a family live: 1 until they are deleted, 2 for a time, 3 like message keys, 4 either.",
              "// `moves`: whether an export has them.",
              "struct Family {", "    const char *name;", "    const char *type;", "    int lives;", "    bool moves;", "};", "inline constexpr Family families[] = {"]
    lines += [f'    {{"{family["name"]}", "{family["type"]}", {LIFE[family["lives"]]}, {str(family.get("moves", True)).lower()}}},'
              for family in schema.families.values() if family["type"] != "channel"]
    lines += ["};", "", "} // namespace junban::redis"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    try:
        made = {"scripts": scripts_file, "names": names_file}[sys.argv[1]]()
    except Unknown as unknown_word:
        sys.exit(f"core/lua: {unknown_word}")
    pathlib.Path(sys.argv[2]).write_text(made, encoding="utf-8")
