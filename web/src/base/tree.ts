// A payload as a tree, made of its JSON text: numbers stay as they were written, keys in their order, and what JSON does not have
// ({"$bin": …} and the like, openapi/master.yaml, "Encoding") becomes a leaf of its kind.
import { Reader } from "./json";

export type Leaf = { kind: "text" | "integer" | "float" | "boolean" | "null" | "bytes" | "extension"; text: string };
// `odd`: a map whose keys are no texts, which an expression does not reach.
export type Branch = { kind: "map" | "list"; children: { key: string; node: Node }[]; odd?: true };
export type Node = Leaf | Branch;

function isBranch(node: Node): node is Branch {
    return "children" in node;
}

function special(branch: Branch): Node {
    const only = branch.children.length === 1 ? branch.children[0] : undefined;
    if (!only) return branch;
    const { key, node } = only;
    if (key === "$bin" && node.kind === "text") return { kind: "bytes", text: node.text };
    if (key === "$str" && node.kind === "text") return { kind: "bytes", text: node.text };
    if (key === "$float" && node.kind === "text") return { kind: "float", text: node.text };
    if (key === "$ext" && isBranch(node))
        return { kind: "extension", text: node.children.map((each) => ("text" in each.node ? each.node.text : "")).join(" ") };
    if (key === "$map" && node.kind === "list") {
        const pairs = node.children.map(({ node: pair }) => {
            const [name, content] = isBranch(pair) ? pair.children : [];
            return name && content ? { key: written(name.node), node: content.node } : { key: "", node: pair };
        });
        return { kind: "map", children: pairs, odd: true };
    }
    return branch;
}

function read(reader: Reader): Node {
    const sign = reader.skip();
    if (sign === "{") {
        const branch: Branch = { kind: "map", children: [] };
        reader.elements("{", "}", () => branch.children.push({ key: reader.key(), node: read(reader) }));
        return special(branch);
    }
    if (sign === "[") {
        const branch: Branch = { kind: "list", children: [] };
        reader.elements("[", "]", () => branch.children.push({ key: String(branch.children.length), node: read(reader) }));
        return branch;
    }
    if (sign === '"') return { kind: "text", text: reader.string() };
    const text = reader.scalar();
    const kind = text === "null" ? "null" : text === "true" || text === "false" ? "boolean" : /[.eE]/.test(text) ? "float" : "integer";
    return { kind, text };
}

export function treeOf(json: string): Node {
    const reader = new Reader(json);
    const node = read(reader);
    reader.end();
    return node;
}

// In one line.
export function written(node: Node): string {
    if (isBranch(node)) {
        const parts = node.children.map(({ key, node: child }) => (node.kind === "map" ? `${JSON.stringify(key)}: ` : "") + written(child));
        return node.kind === "map" ? `{${parts.join(", ")}}` : `[${parts.join(", ")}]`;
    }
    return node.kind === "text" ? JSON.stringify(node.text) : node.text;
}

// JSON with line breaks; every token as it was written.
export function indented(json: string): string {
    let out = "";
    let depth = 0;
    const line = () => `\n${"  ".repeat(depth)}`;
    const tokens = json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
    let before = "";
    for (const [token] of tokens) {
        if (token === "}" || token === "]") {
            --depth;
            out += before === "{" || before === "[" ? token : line() + token;
        } else if (token === ",") {
            out += token + line();
        } else if (token === ":") {
            out += ": ";
        } else {
            if (before === "{" || before === "[") out += line();
            out += token;
            if (token === "{" || token === "[") ++depth;
        }
        before = token;
    }
    return out;
}
