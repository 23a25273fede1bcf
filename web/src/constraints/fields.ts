// The fields of each kind of constraint, as the forms show them. What has no field here is in the JSON of the constraint.
import type { Schemas } from "../base/api";
import type { Key } from "../base/text";

export type Constraint = Schemas["Constraint"];
export type Kind = Constraint["kind"];
// A constraint while somebody edits it. A number that is not one yet is NaN.
export type Draft = { readonly kind: Kind } & Readonly<Record<string, unknown>>;
type Line = "whole" | "number" | "span" | "percent" | "choice" | "text" | "flag" | "cost" | "time" | "lines";
export type Input = Line | "windows" | "shares" | "backoff";

export interface Field {
    readonly key: string;
    readonly label: Key;
    readonly input: Input;
    readonly options?: readonly string[]; // the first is the default
    readonly fallback?: string; // what counts while nothing is typed
    readonly required?: boolean;
    readonly only?: (draft: Draft) => boolean;
}

const field = (key: string, label: Key, input: Input, more: Omit<Field, "key" | "label" | "input"> = {}): Field => ({
    key,
    label,
    input,
    ...more,
});
const cost = field("cost", "limitfield.cost", "cost", { fallback: "1" });

const own: Readonly<Record<Kind, readonly Field[]>> = {
    rate: [
        field("limit", "limitfield.limit", "whole", { required: true }),
        field("period", "limitfield.period", "span", { required: true }),
        field("algorithm", "limitfield.algorithm", "choice", { options: ["gcra", "sliding", "fixed"] }),
        field("burst", "limitfield.burst", "whole", { fallback: "1", only: (each) => (each["algorithm"] ?? "gcra") === "gcra" }),
        field("tz", "limitfield.zone", "text", { fallback: "UTC", only: (each) => each["algorithm"] === "fixed" }),
        cost,
    ],
    concurrency: [
        field("limit", "limitfield.together", "whole", { required: true }),
        field("reserve_after", "limitfield.reserve", "span"),
        cost,
    ],
    share: [
        field("capacity", "limitfield.capacity", "whole", { required: true }),
        field("borrow", "limitfield.borrow", "flag"),
        field("shares", "limitfield.shares", "shares"),
    ],
    window: [
        field("tz", "limitfield.zone", "text", { fallback: "UTC" }),
        field("on_close", "limitfield.close", "choice", { options: ["finish", "cancel"] }),
        field("windows", "limitfield.windows", "windows"),
    ],
    pause: [field("until", "limitfield.until", "time"), field("reason", "reason", "text")],
    breaker: [
        field("failure_rate", "limitfield.failures", "percent", { fallback: "50" }),
        field("window", "limitfield.within", "span", { fallback: "1 m" }),
        field("min_samples", "limitfield.samples", "whole", { fallback: "10" }),
        field("open_for", "limitfield.open", "span", { fallback: "30 s" }),
        field("factor", "limitfield.factor", "number", { fallback: "2" }),
        field("max_open", "limitfield.longest", "span", { fallback: "10 m" }),
        field("probes", "limitfield.probes", "whole", { fallback: "1" }),
    ],
    cooldown: [field("max", "limitfield.longest", "span", { fallback: "1 h" })],
    backlog: [
        field("max_ready", "limitfield.ready", "whole", { required: true }),
        field("overflow", "limitfield.overflow", "choice", { options: ["reject", "drop_oldest", "coalesce"] }),
    ],
    fair: [field("weight", "limitfield.weight", "cost", { fallback: "1" })],
    set: [
        field("priority", "column.priority", "number"),
        field("timeout", "limitfield.timeout", "span"),
        field("max_retry", "field.retries", "whole"),
        field("backoff", "field.backoff", "backoff"),
    ],
};

const common: readonly Field[] = [
    field("by", "limitfield.by", "lines", { only: (each) => each.kind !== "set" }),
    field("on_missing", "limitfield.missing", "choice", { options: ["share", "exempt"], only: (each) => "by" in each }),
    field("mode", "limitfield.mode", "choice", { options: ["enforce", "observe", "off"] }),
    field("expires_at", "limitfield.expires", "time"),
];

export const kinds = Object.keys(own) as Kind[];

export function fieldsOf(draft: Draft): readonly Field[] {
    return [...own[draft.kind], ...common].filter((each) => each.only?.(draft) ?? true);
}

// What one key may have otherwise than the constraint.
export function overridable(kind: Kind): readonly Field[] {
    return own[kind].filter((each) => each.key !== "windows" && each.key !== "shares");
}

export function fresh(kind: Kind): Draft {
    const first: Partial<Record<Kind, object>> = {
        rate: { limit: 20, period: 1 },
        concurrency: { limit: 1 },
        share: { capacity: 20, by: ["job.argument.region"] },
        window: { deny: [{ from: "22:00", to: "06:00" }] },
        backlog: { max_ready: 1000 },
        fair: { by: ["job.argument.customer"] },
        set: { priority: 0 },
    };
    return { kind, ...first[kind] };
}

export function withField(draft: Draft, key: string, value: unknown): Draft {
    const { [key]: _, ...rest } = draft;
    return { ...(rest as Draft), ...(value !== undefined && { [key]: value }) };
}

// What is sent: the master refuses fields that belong to another algorithm, or to a constraint with keys.
export function sent(draft: Draft): Constraint {
    const { revision: _, burst, tz, on_missing, overrides, ...rest } = draft;
    const smooth = draft.kind !== "rate" || (draft["algorithm"] ?? "gcra") === "gcra";
    const zoned = draft.kind !== "rate" || draft["algorithm"] === "fixed";
    return {
        ...rest,
        ...(smooth && burst !== undefined && { burst }),
        ...(zoned && tz !== undefined && { tz }),
        ...("by" in draft && on_missing !== undefined && { on_missing }),
        ...("by" in draft && overrides !== undefined && { overrides }),
    } as unknown as Constraint;
}

// A number that is not one yet, or a field that is needed and is missing.
export function isFaulty(value: unknown): boolean {
    if (typeof value === "number") return Number.isNaN(value);
    return typeof value === "object" && value !== null && Object.values(value).some(isFaulty);
}

export function isWhole(draft: Draft): boolean {
    return !isFaulty(draft) && fieldsOf(draft).every((each) => !each.required || draft[each.key] !== undefined);
}
