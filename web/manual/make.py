"""Makes a C++ file with the manual: make.py OUTPUT.cpp

Each page of docs/ is there as HTML (/manual/NAME) and as it is written (/manual/NAME.md); besides them /manual/search.json, the page's
style and script, and /llms.txt, which lists the shelves for programs that read."""

import gzip
import hashlib
import html
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from build import literal  # noqa: E402

DOCS = HERE.parents[1] / "docs"
PAGES = sorted(path.stem for path in DOCS.glob("*.md"))
START = "README"


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def path_of(name):
    return "/manual" if name == START else f"/manual/{name}"


def address(target):
    """Where a link of the sources leads here; nothing for what is not served."""
    if re.match(r"https?://", target):
        return target
    page, _, place = target.removeprefix("../docs/").partition("#")
    if page and not page.endswith(".md"):
        return ""
    name = pathlib.PurePath(page).stem
    if page and (page != f"{name}.md" or name not in PAGES):
        return ""
    return (path_of(name) if page else "") + (f"#{place}" if place else "")


def inline(text):
    """Code, links, emphasis of one paragraph; everything else is text."""
    kept = []

    def keep(markup):
        kept.append(markup)
        return f"\0{len(kept) - 1}\0"

    def link(found):
        aim = address(found[2])
        return keep(f'<a href="{html.escape(aim)}">') + found[1] + keep("</a>") if aim else found[1]

    text = re.sub(r"(`+)(.+?)\1", lambda found: keep(f"<code>{html.escape(found[2].strip())}</code>"), text)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", lambda found: found[1], text)
    text = re.sub(r"<(https?://[^>\s]+)>", lambda found: keep(f'<a href="{html.escape(found[1])}">{html.escape(found[1])}</a>'), text)
    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, text)
    text = html.escape(text, quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])", r"<em>\1</em>", text)
    return re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], re.sub("\0(\\d+)\0", lambda found: kept[int(found[1])], text))


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def table(lines):
    head, body = cells(lines[0]), [cells(line) for line in lines[2:]]
    out = '<table tabindex="0">'
    if any(head):
        out += "<thead><tr>" + "".join(f"<th>{inline(cell)}</th>" if cell else "<td></td>" for cell in head) + "</tr></thead>"
    rows = ("".join(f"<td>{inline(cell)}</td>" for cell in row) for row in body)
    return out + "<tbody>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</tbody></table>"


def listed(lines):
    """A list, with its lists inside and the paragraphs and code of its items."""
    ordered = bool(re.match(r"\d", lines[0]))
    items, item = [], []
    for line in lines:
        start = re.match(r"(\* |\d+\. )(.*)", line)
        if start:
            item = [start[2]]
            items.append(item)
        else:
            item.append(re.sub(r"^ {1,4}", "", line))
    tag = "ol" if ordered else "ul"
    return f"<{tag}>" + "".join(f"<li>{blocks(item)}</li>" for item in items) + f"</{tag}>"


def blocks(lines):
    """Markdown as the pages of docs/ have it, as HTML."""
    out, at = [], 0
    while at < len(lines):
        line = lines[at]
        begin = at
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            at = next(end for end in range(at + 1, len(lines)) if lines[end].startswith("```")) + 1
            kind = ' class="output"' if line.endswith(" output") else ""
            out.append(f'<pre{kind} tabindex="0"><code>' + html.escape("\n".join(lines[begin + 1:at - 1])) + "</code></pre>")
        elif heading := re.match(r"(#+) (.+)", line):
            level = len(heading[1])
            out.append(f'<h{level} id="{anchor(heading[2])}">{inline(heading[2])}</h{level}>')
            at += 1
        elif line.startswith("|") and at + 1 < len(lines) and re.match(r"\|[-|: ]+$", lines[at + 1]):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            out.append(table(lines[begin:at]))
        elif re.match(r"\* |\d+\. ", line):
            at += 1
            after = [*lines[1:], ""]
            while at < len(lines) and (re.match(r"\* |\d+\. | +\S", lines[at])
                                       or (not lines[at].strip() and re.match(r"\* |\d+\. | {2,}\S", after[at]))):
                at += 1
            out.append(listed(lines[begin:at]))
        elif line.startswith("    "):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            code = "\n".join(each[4:] for each in lines[begin:at]).rstrip()
            out.append(f'<pre tabindex="0"><code>{html.escape(code)}</code></pre>')
        else:
            at += 1
            while at < len(lines) and lines[at].strip() and not re.match(r"```|#+ |\* |\d+\. |\|", lines[at]):
                at += 1
            out.append(f"<p>{inline(' '.join(each.strip() for each in lines[begin:at]))}</p>")
    return "\n".join(out)


def title(text):
    return re.search(r"^# (.+)$", text, re.M)[1]


def page(text, up):
    """`up`: from the page's address to the master's, for links work under a proxy's prefix too."""
    made = (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
            f"<title>{html.escape(title(text))} – Junban</title>\n"
            '<link rel="stylesheet" href="/manual/manual.css"><script src="/manual/manual.js" defer></script></head>\n<body>\n'
            '<nav><a href="/manual">The manual</a> <a href="/docs">Endpoints</a> <a href="/">Console</a>\n'
            '<input id="search" type="search" placeholder="Search the manual" aria-label="Search the manual"></nav>\n'
            '<ol id="found" hidden></ol>\n'
            f"<main>\n{blocks(text.splitlines())}\n</main>\n</body></html>\n")
    return re.sub(r'\b(href|src)="/', rf'\1="{up}', made)


def sections(name, text):
    """What a search looks through: each section with its place."""
    fence, place, heading, lines = False, "", title(text), []
    for line in [*text.splitlines(), "# end"]:
        if line.startswith("```"):
            fence = not fence
        if not fence and (found := re.match(r"#+ (.+)", line)):
            if lines:
                at = path_of(name) + (f"#{place}" if place else "")
                yield {"page": title(text), "title": heading, "at": at, "text": " ".join(lines)}
            heading, place, lines = re.sub(r"[`*]", "", found[1]), anchor(found[1]), []
        elif line.strip() and not line.startswith("```"):
            lines.append(re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", line.strip()))


def shelves(text):
    """The manual's first page as a list of links, as llms.txt has it."""
    about = "A durable job queue over HTTP: limits on a question about a job, and an exact answer to why it is not running."
    out = ["# Junban", "", f"> {about}"]
    for line in text.splitlines():
        if line.startswith("## "):
            out += ["", line, ""]
        elif line.startswith("| ") and (links := re.findall(r"\[([^\]]+)\]\(([\w-]+\.md)\)", line)):
            about = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", cells(line)[-1])
            out += [f"- [{name}](/manual/{aim}): {about}" for name, aim in links]
    return "\n".join([*out, "", "## Every endpoint", "", "- [The API's document](/openapi.json): OpenAPI 3.1", ""])


def main():
    markdown, plain = "text/markdown; charset=utf-8", "text/html; charset=utf-8"
    files = {"/llms.txt": ("text/plain; charset=utf-8", shelves((DOCS / f"{START}.md").read_text(encoding="utf-8"))),
             "/manual/manual.css": ("text/css; charset=utf-8", (HERE / "manual.css").read_text(encoding="utf-8")),
             "/manual/manual.js": ("text/javascript; charset=utf-8", (HERE / "manual.js").read_text(encoding="utf-8"))}
    found = []
    for name in PAGES:
        text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        at = path_of(name)
        files[at] = (plain, page(text, "./" if name == START else "../"))
        files[f"/manual/{name}.md"] = (markdown, text)
        found += sections(name, text) if not re.match(r"endpoints-|reasons|redis-layout", name) else []
    files["/manual/search.json"] = ("application/json", json.dumps(found, ensure_ascii=False, separators=(",", ":")))
    with open(sys.argv[1], "w", encoding="ascii") as cpp:
        cpp.write('// Made from docs/ by web/manual/make.py.\n#include "web/files.h"\n\nusing namespace std::string_view_literals;\n\n'
                  "namespace {\n\nconstexpr junban::web::File all[] = {\n")
        for path, (kind, text) in files.items():
            content = text.encode()
            etag = '\\"' + hashlib.sha256(content).hexdigest()[:20] + '\\"'
            packed = gzip.compress(content, 9, mtime=0)
            cpp.write(f'    {{"{path}"sv, "{kind}"sv, "{etag}"sv, false,{literal(content)}sv,{literal(packed)}sv}},\n')
        cpp.write("};\n\n} // namespace\n\nstd::span<const junban::web::File> junban::web::manual()\n{\n    return all;\n}\n")


if __name__ == "__main__":
    main()
