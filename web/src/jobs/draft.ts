// A job as it stands in a form: texts, as they are typed. What is not touched is not sent, so it stays as it is, byte for byte.
import { exactJson, faultIn, Raw } from "../base/json";
import { indented } from "../base/tree";
import { parseNumber, parseSpan, spanText } from "../base/typed";
import type { Job } from "./merge";

export interface Draft {
    name: string;
    argument: string; // JSON; "": none
    priority: string;
    retries: string;
    timeout: string;
    tags: string;
    start: "unchanged" | "once" | "after" | "at";
    after: string;
    at: string | undefined; // as the API has times
    group: string;
    keep: boolean;
    expires: string;
    others: string; // JSON of the fields that have no input of their own
}
export type Part = keyof Draft;

export const emptyDraft: Draft = {
    name: "",
    argument: "",
    priority: "0",
    retries: "0",
    timeout: "30 s",
    tags: "",
    start: "once",
    after: "1 m",
    at: undefined,
    group: "",
    keep: false,
    expires: "",
    others: "",
};

// What a copy takes over as it is: neither start, idempotency key nor unique key (`duplicateJob` of the API).
const others = ["backoff", "windows", "depends_on", "on_dependency_failure", "then", "trace", "result_ttl"] as const;
const usual: Readonly<Record<string, string>> = {
    backoff: '{"base":2,"factor":2,"max":3600,"jitter":0.2}',
    result_ttl: "3600",
    windows: "[]",
    depends_on: "[]",
    then: "[]",
    on_dependency_failure: '"fail"',
};

export function argumentOf(job: Job): string {
    const { argument } = job as { argument?: unknown };
    return argument instanceof Raw ? indented(argument.text) : "";
}

export function draftOf(job: Job): Draft {
    const rest = others.flatMap((key) => {
        const text = exactJson((job as Record<string, unknown>)[key]);
        return text === undefined || text === usual[key] ? [] : [`${JSON.stringify(key)}:${text}`];
    });
    return {
        ...emptyDraft,
        name: job.name,
        argument: argumentOf(job),
        priority: String(job.priority),
        retries: String(job.max_retry),
        timeout: spanText(job.timeout),
        tags: job.tags.join(", "),
        group: job.group ?? "",
        keep: job.keep_result,
        expires: job.expires_in === undefined ? "" : spanText(job.expires_in),
        others: rest.length > 0 ? indented(`{${rest.join(",")}}`) : "",
    };
}

// The same value, token by token.
export function sameJson(one: string, other: string): boolean {
    return one === other || indented(one) === indented(other);
}

const tagsOf = (text: string) => [...new Set(text.split(/[,、]/).flatMap((tag) => (tag.trim() ? [tag.trim()] : [])))];

export type Fault = "name" | "json" | "map" | "whole" | "span" | "time";

// What is wrong with what is typed, before anybody is asked.
export function faultsOf(draft: Draft, isNew: boolean): Partial<Record<Part, Fault>> {
    const found: Partial<Record<Part, Fault>> = {};
    const span = (part: "timeout" | "after" | "expires", least: number) => {
        if (!(parseSpan(draft[part]) >= least)) found[part] = "span";
    };
    if (isNew && draft.name.trim() === "") found.name = "name";
    if ((draft.argument.trim() !== "" || !isNew) && faultIn(draft.argument)) found.argument = "json";
    for (const part of ["priority", "retries"] as const) if (!Number.isInteger(parseNumber(draft[part]))) found[part] = "whole";
    span("timeout", 0);
    if (draft.start === "after") span("after", 0);
    if (draft.start === "at" && draft.at === undefined) found.at = "time";
    if (isNew && draft.expires.trim() !== "") span("expires", 0);
    if (isNew && draft.others.trim() !== "") {
        if (faultIn(draft.others)) found.others = "json";
        else if (!draft.others.trim().startsWith("{")) found.others = "map";
    }
    return found;
}

type Body = Record<string, unknown>;

function startOf(draft: Draft): Body {
    if (draft.start === "after") return { delay: parseSpan(draft.after) };
    return draft.start === "at" ? { run_at: draft.at } : {};
}

// The JSON of a new job.
export function newJob(draft: Draft, idempotencyKey: string): string {
    const body = exactJson({
        name: draft.name.trim(),
        ...(draft.argument.trim() !== "" && { argument: new Raw(draft.argument.trim()) }),
        priority: parseNumber(draft.priority),
        max_retry: parseNumber(draft.retries),
        timeout: parseSpan(draft.timeout),
        ...startOf(draft),
        ...(tagsOf(draft.tags).length > 0 && { tags: tagsOf(draft.tags) }),
        ...(draft.group.trim() !== "" && { group: draft.group.trim() }),
        ...(draft.keep && { keep_result: true }),
        ...(draft.expires.trim() !== "" && { expires_in: parseSpan(draft.expires) }),
        idempotency_key: idempotencyKey,
    });
    const rest = draft.others.trim().slice(1, -1).trim();
    return rest === "" ? body : `${body.slice(0, -1)},${rest}}`;
}

// The parts of an edit that somebody changed.
export function changedParts(before: Draft, now: Draft): Part[] {
    const parts = (["priority", "retries", "timeout", "tags"] as const).filter((part) => now[part].trim() !== before[part].trim());
    return [
        ...(sameJson(before.argument, now.argument) ? [] : (["argument"] as const)),
        ...parts,
        ...(now.start === "unchanged" ? [] : (["start"] as const)),
    ];
}

export function editOf(parts: readonly Part[], draft: Draft): Body {
    const body: Body = {};
    for (const part of parts) {
        if (part === "argument") body["argument"] = new Raw(draft.argument.trim());
        else if (part === "priority") body["priority"] = parseNumber(draft.priority);
        else if (part === "retries") body["max_retry"] = parseNumber(draft.retries);
        else if (part === "timeout") body["timeout"] = parseSpan(draft.timeout);
        else if (part === "tags") body["tags"] = tagsOf(draft.tags);
        else Object.assign(body, draft.start === "once" ? { delay: 0 } : startOf(draft));
    }
    return body;
}

// Which part of the form a field of a refusal belongs to.
export function partOf(field: string): Part {
    const root = field.replace(/^job\./, "").split(/[.[]/)[0] ?? "";
    const parts: Record<string, Part> = {
        name: "name",
        argument: "argument",
        priority: "priority",
        max_retry: "retries",
        timeout: "timeout",
        tags: "tags",
        delay: "after",
        run_at: "at",
        group: "group",
        keep_result: "keep",
        expires_in: "expires",
    };
    return parts[root] ?? "others";
}
