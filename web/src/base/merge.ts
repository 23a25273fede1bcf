// Two edits of one thing: what only one side changed is taken from it; what both changed otherwise is asked.
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

export function differences(before: Parts, after: Parts): { key: string; before: unknown; after: unknown }[] {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .filter((key) => !same(before[key], after[key]))
        .map((key) => ({ key, before: before[key], after: after[key] }));
}
