"""Makes mutants of the Lua scripts: one small change each, of the kinds in which a script may be wrong without being seen."""

import fnmatch
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core" / "lua"))
from embed import INCLUDE, Unknown, assembled, sources  # noqa: F401, E402: what run.py asks of this module, too

WRITES = ("SET|SETRANGE|DEL|UNLINK|HSET|HDEL|HINCRBY|HINCRBYFLOAT|HSETNX|ZADD|ZREM|ZREMRANGEBYSCORE|ZREMRANGEBYRANK|ZINCRBY|RPUSH|LPUSH"
          "|LTRIM|LREM|SADD|SREM|INCR|INCRBY|PEXPIRE|PEXPIREAT|PERSIST|XADD|XTRIM|PUBLISH|APPEND")

# (what, pattern, replacement): applied to code outside of comments and strings where the pattern says nothing else.
SWAPS = (
    ("== becomes ~=", r" == ", " ~= "),
    ("~= becomes ==", r" ~= ", " == "),
    ("< becomes <=", r" < ", " <= "),
    ("<= becomes <", r" <= ", " < "),
    ("> becomes >=", r" > ", " >= "),
    (">= becomes >", r" >= ", " > "),
    ("and becomes or", r" and ", " or "),
    ("or becomes and", r" or ", " and "),
    ("+ 1 becomes + 2", r" \+ 1\b", " + 2"),
    ("+ 1 is dropped", r" \+ 1\b", ""),
    ("- 1 is dropped", r" - 1\b", ""),
    ("+ becomes -", r" \+ (?=[a-zA-Z(])", " - "),
    ("- becomes +", r" - (?=[a-zA-Z(])", " + "),
    ("min becomes max", r"math\.min\(", "math.max("),
    ("max becomes min", r"math\.max\(", "math.min("),
    ("not is dropped", r"\bnot ", ""),
    ("true becomes false", r"\btrue\b", "false"),
    ("false becomes true", r"\bfalse\b", "true"),
    # limit.items bounds how much one call does. Another bound changes nothing but time.
    ("a limit is one more", r"\blimit\.(?!items\b)(?!\w*_ms\b)(\w+)", r"(limit.\1 + 1)"),
    ("a time limit is nothing", r"\blimit\.(\w+_ms)\b", r"(limit.\1 * 0)"),
    # The first word of a reply only tells a master what time it is.
    ("now becomes the next millisecond", r"(?<=[ (])(?<!return { )now(?=[,) ])", "(now + 1)"),
)
# What drops or swaps a write, or turns a guard round. Nearly all of these change what a script does. Of the finer ones many change only how
# much it does, such as a guard that always holds where there would be nothing to do.
DROPPED, TURNED_ROUND = "a statement is dropped", "a guard is turned round"
# The verbs that the random walks call beside a model.
WALKED = ("enqueue", "finish", "heartbeat", "release", "cancel", "retry", "handoff", "message", "edit", "group", "sweep", "take_result",
          "set_windows", "restore", "trash", "track", "set_constraints", "refresh_constraint", "switch_breaker", "recharge", "relane", "stale",
          "unread")
STATES = ("ST_SCHEDULED", "ST_DEPENDS", "ST_READY", "ST_RUNNING", "ST_AWAITING", "ST_SUCCEEDED", "ST_FAILED", "ST_CANCELLED")
KEYS = tuple("key." + word for word in ("scheduled", "running", "depends", "awaiting", "ready", "expiring"))


class Mutant:
    def __init__(self, file, number, what, line):
        self.file, self.number, self.what, self.line = file, number, what, line

    @property
    def is_coarse(self):
        return self.what in (DROPPED, TURNED_ROUND) or self.what.startswith(("ST_", "key."))

    @property
    def name(self):
        return f"{self.file}:{self.number} {self.what}"

    def text(self, sources):
        lines = sources[self.file].split("\n")
        lines[self.number - 1] = self.line
        return "\n".join(lines)


def code_end(line):
    """Where a line's comment begins."""
    quoted = None
    for at, letter in enumerate(line):
        if quoted:
            if letter == quoted and line[at - 1] != "\\":
                quoted = None
        elif letter in "'\"":
            quoted = letter
        elif line.startswith("--", at):
            return at
    return len(line)


def whole_statement(code):
    """A call that stands alone on its line."""
    stripped = code.strip()
    return (re.fullmatch(r"[\w.]+\(.*\)", stripped) and stripped.count("(") == stripped.count(")") and not stripped.startswith("function")
            and not stripped.startswith("return"))


def of_line(file, number, line):
    end = code_end(line)
    code, comment = line[:end], line[end:]
    if not code.strip():
        return
    if whole_statement(code) and (re.search(rf"redis\.call\('({WRITES})'", code) or not code.strip().startswith("redis.")):
        yield Mutant(file, number, DROPPED, "-- " + line)
    for what, pattern, swap in SWAPS:
        for index, found in enumerate(re.finditer(pattern, code)):
            if code[: found.start()].count("'") % 2:
                continue  # inside a string
            changed = code[: found.start()] + found.expand(swap) + code[found.end():] + comment
            yield Mutant(file, number, f"{what} ({index + 1})", changed)
    for among in (STATES, KEYS):
        for index, found in enumerate(re.finditer(r"\b(" + "|".join(map(re.escape, among)) + r")\b", code)):
            if code.lstrip().startswith("local ") and " = " in code and found.start() < code.index(" = "):
                continue  # its definition
            other = among[(among.index(found.group(1)) + 1) % len(among)]
            yield Mutant(file, number, f"{found.group(1)} becomes {other} ({index + 1})",
                         code[: found.start()] + other + code[found.end():] + comment)
    for index, found in enumerate(re.finditer(r"\bkey\.(\w+)(?= \.\.)", code)):
        other = "history" if found.group(1) != "history" else "state"
        yield Mutant(file, number, f"key.{found.group(1)} becomes key.{other} ({index + 1})",
                     code[: found.start(1)] + other + code[found.end(1):] + comment)
    found = re.match(r"(\s*(?:else)?if )(.+)( then)$", code)
    if found:
        yield Mutant(file, number, TURNED_ROUND, f"{found.group(1)}not ({found.group(2)}){found.group(3)}{comment}")
        yield Mutant(file, number, "a guard always holds", f"{found.group(1)}true{found.group(3)}{comment}")


def walked(texts):
    """The files that the verbs of WALKED consist of."""
    todo, files = [f"verbs/{verb}.lua" for verb in WALKED], set()
    while todo:
        file = todo.pop()
        if file not in files:
            files.add(file)
            for name in INCLUDE.findall(texts[file]):
                todo += [other for other in texts if fnmatch.fnmatch(other, f"{name}.lua" if "/" in name else f"pieces/{name}.lua")]
    return files


def every(texts):
    for file, text in texts.items():
        if file == "schema.lua":
            continue  # a name is as good as another
        for number, line in enumerate(text.split("\n"), 1):
            yield from of_line(file, number, line)
