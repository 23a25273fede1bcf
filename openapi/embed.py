"""Makes a C++ file with the OpenAPI document as JSON and with the page /docs: embed.py master.yaml output.cpp

The page's parts stand beside the document, as docs.html, docs.css and docs.js.
"""

import json
import pathlib
import sys

import yaml

source = pathlib.Path(sys.argv[1])
texts = {"openApiDocument": json.dumps(yaml.safe_load(source.read_text(encoding="utf-8")), ensure_ascii=False, separators=(",", ":"))}
for kind in ("html", "css", "js"):
    texts[f"docsPage_{kind}"] = source.with_name(f"docs.{kind}").read_text(encoding="utf-8")
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write("// Made from openapi/ by embed.py.\nnamespace junban::api {\n")
    for name, text in texts.items():
        # String literals are cut short of what compilers must take; adjacent ones are one.
        pieces = [text[at : at + 8000] for at in range(0, len(text), 8000)]
        out.write(f"\nextern const char {name}[];\nconst char {name}[] =\n")
        out.write("\n".join(f'    R"JUNBAN({piece})JUNBAN"' for piece in pieces))
        out.write(";\n")
    out.write("\n} // namespace junban::api\n")
