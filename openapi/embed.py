"""Makes a C++ file with the OpenAPI document as JSON: embed.py master.yaml output.cpp"""

import json
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as source:
    text = json.dumps(yaml.safe_load(source), ensure_ascii=False, separators=(",", ":"))
# String literals are cut short of what compilers must take; adjacent ones are one.
pieces = [text[at : at + 8000] for at in range(0, len(text), 8000)]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write("// Made from openapi/master.yaml by embed.py.\nnamespace junban::api {\n\n")
    out.write("extern const char openApiDocument[];\nconst char openApiDocument[] =\n")
    out.write("\n".join(f'    R"JUNBAN({piece})JUNBAN"' for piece in pieces))
    out.write(";\n\n} // namespace junban::api\n")
