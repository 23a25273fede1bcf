#!/usr/bin/env python3
"""The rules of the scripts (core/lua): the comment on top of a verb has its purpose, keys, arguments and reply; functions are short; a name is
defined by one file only; a file includes the pieces whose names it uses, and no others.

Prints every breach as `file:line: rule` and exits with 1 when there is one. It also checks that known breaches are found.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "core" / "lua"))
import embed  # noqa: E402

LINES_MAX = 60
TOKEN = re.compile(r"#![^\n]*|--[^\n]*|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[A-Za-z_]\w*|\d[\w.]*|\.\.\.|\.\.|[<>=~]=|\S")
OPENS = {"function", "if", "do", "repeat"}  # `for` and `while` have a `do`
WORD = re.compile(r"[A-Za-z_]\w*$")
KEYWORDS = set("and break do else elseif end false for function if in local nil not or repeat return then true until while".split())


def tokens(text):
    """(token, line) of the code, without comments and strings."""
    line, counted = 1, 0
    for found in TOKEN.finditer(text):
        token = found.group()
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        if not token.startswith(("--", "#!")):
            yield ("''" if token[0] in "'\"" else token), line


def functions(code):
    """(name, first line, last line) of each function, also of inner ones; and the lines outside of all functions."""
    stack, outside = [], {line for _, line in code}
    for at, (token, line) in enumerate(code):
        if token in OPENS:
            name = None
            if token == "function":
                before = code[at - 2][0] if code[at - 1][0] == "=" else ""
                after = "".join(each for each, _ in code[at + 1: at + 4])
                name = re.match(r"(?:\w+(?:\.\w+)?)?", after).group() or before or "a function"
            stack.append((name, line))
        elif token in ("end", "until"):
            name, first = stack.pop()
            if name:
                yield name, first, line
                outside -= set(range(first, line + 1))
    yield "", 1, len(outside)


def defined(code):
    """Names that a piece defines for the files that include it: its top-level locals and the functions of its tables."""
    names, depth, at = {}, 0, 0
    while at < len(code):
        token, line = code[at]
        if depth == 0 and token == "local":
            at += 2 if code[at + 1][0] == "function" else 1
            if code[at - 1][0] == "function":
                depth += 1
            names.setdefault(code[at][0], line)
            while code[at + 1][0] == "," and depth == 0:
                at += 2
                names.setdefault(code[at][0], line)
        elif depth == 0 and token == "function" and WORD.match(code[at + 1][0]):
            name = code[at + 1][0]
            if code[at + 2][0] == ".":
                name += "." + code[at + 3][0]
            names.setdefault(name, line)
            depth += 1
        elif token in OPENS:
            depth += 1
        elif token in ("end", "until"):
            depth -= 1
        at += 1
    return names


def used(code):
    """Names and <table>.<function>s in the code that are not fields."""
    names = set()
    for at, (token, _) in enumerate(code):
        if WORD.match(token) and token not in KEYWORDS and (at == 0 or code[at - 1][0] not in (".", ":")):
            if at + 1 < len(code) and code[at + 1][0] == "=" and at and code[at - 1][0] in ("{", ","):
                continue  # a field of a table constructor
            names.add(token)
            if at + 2 < len(code) and code[at + 1][0] == ".":
                names.add(token + "." + code[at + 2][0])
    return names


BUILTIN = set("KEYS ARGV redis cmsgpack struct math string table tonumber tostring type ipairs pairs next unpack pcall limit".split())


def unknown(code):
    """(name, line) of each name that is used without a declaration. Redis refuses such a name only when the line runs."""
    scopes, blocks, braces = [set(BUILTIN)], [], 0
    at, loop, late = 0, [], None
    while at < len(code):
        token, line = code[at]
        behind = code[at + 1][0] if at + 1 < len(code) else ""
        braces += (token == "{") - (token == "}")
        if token == "local" and behind == "function":
            scopes[-1].add(code[at + 2][0])
        elif token == "local":
            at += 1
            scopes[-1].add(code[at][0])
            while code[at + 1][0] == ",":
                at += 2
                scopes[-1].add(code[at][0])
        elif token == "for":
            loop = []
            while code[at][0] not in ("in", "="):
                at += 1
                loop += [code[at][0]] if WORD.match(code[at][0]) and code[at][0] != "in" else []
        elif token == "function":
            scopes.append(set())
            blocks.append("function")
            name = at + 1
            while code[at][0] != "(":
                at += 1
            if name < at and not any(code[name][0] in scope for scope in scopes):
                yield code[name]
            while code[at][0] != ")":
                scopes[-1].add(code[at][0])
                at += 1
        elif token in ("then", "do", "repeat"):
            scopes.append(set(loop))
            loop = []
            blocks.append(token)
        elif token in ("else", "elseif", "end"):
            scopes.pop()
            blocks.pop()
            if token == "else":
                scopes.append(set())
                blocks.append(token)
        elif token == "until":
            late = scopes.pop()  # the condition of `until` sees the locals of the block
            blocks.pop()
            scopes[-1] |= late
        elif WORD.match(token) and token not in KEYWORDS and code[at - 1][0] not in (".", ":"):
            field = braces and behind == "=" and code[at - 1][0] in ("{", ",")
            if not field and not any(token in scope for scope in scopes):
                yield token, line
        at += 1


def declared(code):
    """Names that are local to functions and blocks of a file: parameters, loop variables and locals."""
    names = set()
    for at, (token, _) in enumerate(code):
        if token == "local" and code[at + 1][0] != "function":
            stop = next((i for i in range(at + 1, len(code)) if code[i][0] != "," and i % 2 != (at + 1) % 2), len(code))
        elif token == "for":
            stop = next(i for i in range(at, len(code)) if code[i][0] in ("in", "="))
        elif token == "function":
            stop = next(i for i in range(at, len(code)) if code[i][0] == ")")
            names |= {code[at + 1][0]} if code[at - 1][0] == "local" else set()
            at = next(i for i in range(at, stop) if code[i][0] == "(")
        else:
            continue
        names |= {word for word, _ in code[at + 1: stop] if WORD.match(word)}
    return names


# Names that embed.py replaces.
RESERVED = {"key", "field", "bare", "schema", "limit"}


def piece(file):
    """The name of a file in `-- include`. The kinds of constraints are included together, by pieces/kinds.lua."""
    return "kinds" if file.startswith("kinds/") else pathlib.PurePath(file).stem


def owners(codes):
    """{name: the piece that defines it}. For a local that another piece sets it is the piece that declares it."""
    own = {}
    for file, code in codes.items():
        if not file.startswith("verbs/"):
            locals_ = declared(code)
            for name in defined(code):
                if name not in own or name in locals_:
                    own[name] = piece(file)
    return own


def needs(file, code, own):
    """The pieces that define the names that a file uses or sets."""
    mine, names, sets = declared(code), used(code), set(defined(code))
    tables = {name.partition(".")[0] for name in names if "." in name}
    needed = set()
    for name in names | sets:
        table = name.partition(".")[0]
        if table in mine:
            continue
        if table != name and name in own:
            needed |= {own[name]} | ({own.get(table)} if name in sets else set())
        elif table != name or name not in tables:
            needed.add(own.get(table))
    return needed - {None, piece(file), "base"}


def of_header(text):
    """Faults in the comment at the top of a verb."""
    lines = text.split("\n")
    header = []
    for line in lines[1:]:
        if not line.startswith("--") or line.startswith("-- include"):
            break
        header.append(line)
    heads = [re.match(r"-- (KEYS\[1\]|ARGV\[(\d+)(…?)\]|Reply) \S", line) for line in header]
    order = [found.group(1) for found in heads if found]
    numbers = [int(found.group(2)) for found in heads if found and found.group(2)]
    rest = any(found.group(3) for found in heads if found)
    if not lines[0].startswith("#!lua"):
        yield 1, "a verb begins with #!lua"
    if not header or heads[0]:
        yield 2, "a verb says what it is for"
    if order[:1] != ["KEYS[1]"] or order[-1:] != ["Reply"] or len(order) != len(numbers) + 2:
        yield 2, "a verb says KEYS[1], each ARGV and its reply, in this order"
    if numbers != list(range(1, len(numbers) + 1)):
        yield 2, "the arguments are numbered from 1"
    most = max((int(number) for number in re.findall(r"\bARGV\[(\d+)\]", "\n".join(lines[1 + len(header):]))), default=0)
    if most > len(numbers) and not rest:
        yield 2, f"ARGV[{most}] is used and not told of"


# What is made once with a library has a name with a capital, and a call must leave it as it was.
SET_IN_FUNCTION = re.compile(r"^ +(?!local |for )([^=\n]*?[\w\]]) = (?!=)", re.M)
CHANGED = re.compile(r"\btable\.(?:insert|remove|sort)\(([A-Z]\w*)")
MADE_ONCE = re.compile(r"(?:^|, *)([A-Z]\w*)(?=[.\[,]|$)")


def kept(text):
    """(line, name) of each change of what is made once."""
    for found in [*SET_IN_FUNCTION.finditer(text), *CHANGED.finditer(text)]:
        for name in MADE_ONCE.findall(re.sub(r"\([^()]*\)", "", found.group(1))):
            yield text.count("\n", 0, found.start()) + 1, name


def breaches(texts):
    codes = {file: list(tokens(text)) for file, text in texts.items() if file != "schema.lua"}
    own = owners(codes)
    stems = {}
    for file, code in codes.items():
        text = texts[file]
        twin = stems.setdefault(pathlib.PurePath(file).stem, file)
        if twin != file:
            yield file, 1, f"{twin} has this name, too"
        if file.startswith("verbs/"):
            yield from ((file, line, what) for line, what in of_header(text))
        for name, first, last in functions(code):
            if last - first + 1 > LINES_MAX:
                what = f"{name} has" if name else "outside of its functions it has"
                yield file, first, f"{what} {last - first + 1} lines; {LINES_MAX} at most: cut it along its meaning"
        for found in re.finditer(r"\bP \.\. '", text):
            yield file, text.count("\n", 0, found.start()) + 1, "a key is spelt out: schema.lua names it"
        for name in sorted(RESERVED & declared(code)):
            yield file, 1, f"{name} is no variable: the build puts names in where it stands"
        for line, name in kept(text):
            yield file, line, f"{name} is made once: a call must not change it"
        includes = set(re.findall(r"^-- include (\w+)$", text, re.M)) - {"base"}
        needed = needs(file, code, own)
        for name in sorted(needed - includes - ({"kinds"} if file.startswith("kinds/") else set())):
            yield file, 1, f"it uses names of {name} and does not include it"
        behind = set(re.findall(r"^-- include (\w+)$", text[text.rfind("\nend"):], re.M))  # pieces that set the file's own locals
        for name in sorted(includes - needed - behind):
            yield file, 1, f"it includes {name} and uses no name of it"
    for library, (_, text) in embed.assembled(texts).items():
        for name in sorted({name for name, _ in unknown(list(tokens(text.replace("--@now", "now = 0"))))}):
            yield "verbs", 1, f"{name} of the library {library} is nowhere, or comes later"


PLANTED = {
    "a verb says what it is for": ("verbs/get.lua", "-- One job with everything that is known of it.\n", ""),
    "a verb says KEYS[1]": ("verbs/get.lua", "-- KEYS[1]", "-- Keys"),
    "the arguments are numbered": ("verbs/edit.lua", "-- ARGV[3]", "-- ARGV[4]"),
    "ARGV[7] is used": ("verbs/edit.lua", "-- ARGV[7] who\n", ""),
    "lines; 60 at most": ("pieces/claim.lua", "    local order = groupsOf()\n", "    local order = groupsOf()\n" + "    more = 1\n" * 60),
    "a key is spelt out": ("verbs/get.lua", "key.job .. id", "P .. 'j:' .. id"),
    "key is no variable": ("verbs/get.lua", "local id = ARGV[1]", "local id, key = ARGV[1], 1"),
    "and does not include it": ("verbs/cancel.lua", "-- include ends\n", ""),
    "and uses no name of it": ("verbs/get.lua", "-- include base\n", "-- include base\n-- include bulk\n"),
    "is nowhere, or comes later": ("verbs/get.lua", "return { now, false }", "return { now, flase }"),
    "Stats is made once": ("pieces/measures.lua", "        statsRows[nameNo] = row\n", "        Stats[nameNo] = row\n"),
    "has this name, too": ("pieces/get.lua", "", "local nothing = 0\n"),
}


def self_test(texts):
    missed = []
    for what, (file, old, new) in PLANTED.items():
        planted = {**texts, file: texts.get(file, "").replace(old, new, 1) or new}
        if not any(what in rule for _, _, rule in breaches(planted)):
            missed.append(what)
    for file, old, new in (("verbs/handoff.lua", "key.job", "key.jbo"), ("verbs/handoff.lua", "field.state", "field.stat"),
                           ("verbs/handoff.lua", "s.lease", "s.laese"), ("verbs/handoff.lua", "-- include base", "-- include bass"),
                           ("pieces/base.lua", "local opensFirst = nil", "local opensFirst"),
                           ("pieces/base.lua", "local AtCommit = {}", "local atCommit = { function() end }"),
                           ("pieces/base.lua", "local AtCommit = {}", "local AtCommit = {}\nredis.call('PING')")):
        try:
            embed.assembled({**texts, file: texts[file].replace(old, new)})
            missed.append(new)
        except embed.Unknown:
            pass
    try:
        embed.Schema(texts["schema.lua"].replace("releases = { 'r'", "releases = { 'x'"))
        missed.append("a stored name with two meanings")
    except embed.Unknown:
        pass
    return missed


def main():
    texts = embed.sources()
    found = list(breaches(texts))
    for file, line, rule in found:
        print(f"core/lua/{file}:{line}: {rule}")
    missed = self_test(texts)
    for what in missed:
        print(f"self-test: '{what}' was planted and not found")
    print(f"{len(texts)} files, {len(found)} breaches, self-test {'failed' if missed else 'passed'}")
    return int(bool(found or missed))


if __name__ == "__main__":
    sys.exit(main())
