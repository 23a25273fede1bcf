// Two edits of one matcher: what only one side changed is taken from it; what both changed otherwise is asked.
export type Parts = Readonly<Record<string, unknown>>;

export interface Conflict {
    readonly key: string;
    readonly mine: unknown;
    readonly theirs: unknown;
}

// Keys in any order: the master sends them in its own.
export function canonical(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (typeof value === "object" && value !== null && !("toJSON" in value)) {
        const entries = Object.entries(value).filter(([, each]) => each !== undefined);
        return `{${entries
            .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
            .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
            .join(",")}}`;
    }
    return JSON.stringify(value) ?? "";
}

export const same = (a: unknown, b: unknown) => canonical(a) === canonical(b);

export function merged(base: Parts, mine: Parts, theirs: Parts): { parts: Parts; conflicts: readonly Conflict[] } {
    const parts: Record<string, unknown> = {};
    const conflicts: Conflict[] = [];
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)])) {
        const [was, my, their] = [base[key], mine[key], theirs[key]];
        const chosen = same(was, my) ? their : my;
        if (chosen !== undefined) parts[key] = chosen;
        if (!same(was, my) && !same(was, their) && !same(my, their)) conflicts.push({ key, mine: my, theirs: their });
    }
    return { parts, conflicts };
}

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

export function differences(before: Parts, after: Parts): { key: string; before: unknown; after: unknown }[] {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .filter((key) => !same(before[key], after[key]))
        .map((key) => ({ key, before: before[key], after: after[key] }));
}
