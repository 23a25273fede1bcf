// The words of an expression, and what can stand where one types. The master has the grammar; this is for the eye alone.
import { Raw } from "../base/json";
import { treeOf, type Node } from "../base/tree";

export interface Word {
    readonly from: number;
    readonly to: number;
    readonly kind: "comment" | "string" | "number" | "keyword" | "function" | "variable";
}

const text = /[rRbB]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)/;
const word = new RegExp(`(?<comment>//[^\\n]*)|(?<string>${text.source})|(?<number>\\b\\d[\\w.]*)|(?<name>[A-Za-z_]\\w*)`, "g");

export function wordsOf(text: string): Word[] {
    const found: Word[] = [];
    for (const match of text.matchAll(word)) {
        const from = match.index;
        const to = from + match[0].length;
        const { comment, string, number, name = "" } = match.groups ?? {};
        if (comment) found.push({ from, to, kind: "comment" });
        else if (string) found.push({ from, to, kind: "string" });
        else if (number) found.push({ from, to, kind: "number" });
        else if (/^(true|false|null|in)$/.test(name)) found.push({ from, to, kind: "keyword" });
        else if (/^\s*\(/.test(text.slice(to))) found.push({ from, to, kind: "function" });
        else found.push({ from, to, kind: "variable" });
    }
    return found;
}

// A word that can be completed; `of` is the field whose value it is. `note` says what it is and how many of the jobs have it.
export interface Suggestion {
    readonly text: string;
    readonly of: string;
    readonly note: string;
}

const compared = /([A-Za-z_][\w.]*)\s*[=!]=\s*("[^"]*|-?[\w.]*)$/;

// What is typed at the end of a text: a part of a word, or the value of a field whose values are known.
export function typedAt(before: string, all: readonly Suggestion[]): { text: string; of: string } {
    const match = compared.exec(before);
    if (match?.[1] && all.some((each) => each.of === match[1])) return { text: match[2] ?? "", of: match[1] };
    return { text: /[\w.]*$/.exec(before)?.[0] ?? "", of: "" };
}

export type Of = "matchers" | "searches";

const unchanging = ["name", "argument", "priority", "max_retry", "keep_result", "timeout", "tags", "pusher"];
const times = ["enqueued_at", "run_at", "started_at", "finished_at"];
const changing = [...times, "id", "state", "attempt", "failures", "age", "worker", "reason", "message"];
const functions = ["has", "size", "startsWith", "endsWith", "contains", "matches", "exists", "all", "int", "string", "double", "duration"];

const depth_max = 4;
const paths_max = 200;
const values_max = 20; // of one path; with more of them it has no choice of values
const text_max = 60;

interface Seen {
    kind: string;
    jobs: number;
    values: Map<string, number> | undefined;
}

function literal(node: Node): string | undefined {
    if ("children" in node) return undefined;
    if (node.kind === "text") return node.text.length <= text_max && !/["\\\p{Cc}]/u.test(node.text) ? `"${node.text}"` : undefined;
    return node.kind === "integer" || node.kind === "float" || node.kind === "boolean" ? node.text : undefined;
}

function note(paths: Map<string, Seen>, path: string, node: Node): void {
    const seen = paths.get(path) ?? { kind: node.kind, jobs: 0, values: new Map<string, number>() };
    if (!paths.has(path) && paths.size >= paths_max) return;
    paths.set(path, seen);
    ++seen.jobs;
    const value = literal(node);
    if (value === undefined || !seen.values) return;
    seen.values.set(value, (seen.values.get(value) ?? 0) + 1);
    if (seen.values.size > values_max) seen.values = undefined;
}

function walk(paths: Map<string, Seen>, path: string, node: Node, depth: number): void {
    note(paths, path, node);
    if (node.kind !== "map" || depth >= depth_max) return;
    for (const child of node.children) if (/^[A-Za-z_]\w*$/.test(child.key)) walk(paths, `${path}.${child.key}`, child.node, depth + 1);
}

export interface Sample {
    readonly [field: string]: unknown;
}

// From jobs as the master lists them. `text` words a kind and how many of the jobs have it.
export function suggestionsOf(jobs: readonly Sample[], of: Of, text: (kind: string, jobs: number, all: number) => string): Suggestion[] {
    const variables = [...unchanging, ...(of === "searches" ? changing : [])];
    const paths = new Map<string, Seen>();
    for (const job of jobs) {
        for (const field of ["name", "state", "worker", "reason", "message", "pusher"]) {
            const value = job[field];
            if (variables.includes(field) && typeof value === "string" && value !== "")
                note(paths, `job.${field}`, { kind: "text", text: value });
        }
        const { argument } = job;
        if (argument instanceof Raw) walk(paths, "job.argument", treeOf(argument.text), 0);
    }
    const found: Suggestion[] = [];
    for (const field of [...variables].sort()) if (!paths.has(`job.${field}`)) found.push({ text: `job.${field}`, of: "", note: "" });
    if (of === "searches") found.push({ text: "now", of: "", note: "" });
    for (const [path, seen] of [...paths].sort(([one], [other]) => (one < other ? -1 : 1))) {
        found.push({ text: path, of: "", note: text(seen.kind, seen.jobs, jobs.length) });
        for (const [value, n] of [...(seen.values ?? [])].sort((one, other) => other[1] - one[1]))
            found.push({ text: value, of: path, note: text("", n, jobs.length) });
    }
    for (const name of functions) found.push({ text: `${name}(`, of: "", note: text("function", 0, 0) });
    return found;
}

// Where a fault is in the text: the master counts characters to it, and bytes of it.
export function rangeOf(text: string, fault: { line: number; column: number; length: number }): { from: number; to: number } {
    const lines = text.split("\n");
    let from = lines.slice(0, fault.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    from += [...(lines[fault.line - 1] ?? "")].slice(0, fault.column - 1).join("").length;
    let to = from;
    let bytes = 0;
    for (const sign of text.slice(from)) {
        if (bytes >= fault.length) break;
        bytes += new TextEncoder().encode(sign).length;
        to += sign.length;
    }
    return { from, to };
}
