"""Which keys of a catalogue some sources of the console use: as a string, or behind a prefix that a string or a template has."""

import re

PREFIXES = (r'\bword\(\s*"([^"]+)"', r"\bt\(`([a-z.]+)\.\$\{", r"\bt\([^)]*\?\s*\"[^\"]+\"\s*:\s*`([a-z.]+)\.\$\{")
IMPORTS = r'^(?:import|export) (?!type\b)[^;]*?from "(\.[^"]+)"|^import "(\.[^"]+)"'


def used(sources, keys):
    strings, prefixes = set(), set()
    for path in sources:
        source = path.read_text(encoding="utf-8")
        strings |= set(re.findall(r'"([a-zA-Z_0-9.]+)"', source))
        for pattern in PREFIXES:
            prefixes |= set(re.findall(pattern, source))
    return {key for key in keys if key in strings or any(key.startswith(prefix + ".") for prefix in prefixes)}


def loaded_with(entries):
    """The sources that are loaded with these: what they import, but for types and what they ask for later."""
    found, left = set(), list(entries)
    while left:
        path = left.pop()
        if path in found:
            continue
        found.add(path)
        for match in re.finditer(IMPORTS, path.read_text(encoding="utf-8"), re.MULTILINE):
            name = path.parent / (match[1] or match[2])
            left += [each for each in (name.with_name(name.name + ".ts"), name.with_name(name.name + ".tsx")) if each.is_file()]
    return {path.resolve() for path in found}
