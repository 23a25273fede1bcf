import type { Parts } from "../base/merge";

interface Content {
    readonly constraints?: readonly object[];
}

const fields = ["title", "expression", "enabled", "note", "rank", "exempts", "mask"] as const;
const limit = "limit ";

// A matcher in the parts that are merged: its fields, and each constraint by its id. New ones have none, and are told by their place.
export function partsOf(matcher: Content): Parts {
    const all = matcher as Readonly<Record<string, unknown>>;
    const parts: Record<string, unknown> = {};
    for (const key of fields) if (all[key] !== undefined) parts[key] = all[key];
    let fresh = 0;
    for (const constraint of matcher.constraints ?? []) {
        const { revision: _, ...content } = constraint as Record<string, unknown>;
        parts[limit + (typeof content["id"] === "string" ? content["id"] : `new ${++fresh}`)] = content;
    }
    return parts;
}

export function matcherOf(parts: Parts): Record<string, unknown> & { constraints: object[] } {
    const matcher: Record<string, unknown> & { constraints: object[] } = { constraints: [] };
    for (const [key, value] of Object.entries(parts)) {
        if (key.startsWith(limit)) matcher.constraints.push(value as object);
        else matcher[key] = value;
    }
    return matcher;
}

// Of a part that is a constraint: its id.
export function limitOf(key: string): string | undefined {
    return key.startsWith(limit) ? key.slice(limit.length) : undefined;
}
