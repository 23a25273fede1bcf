// How long jobs that ended are kept: settings in parts, and what other settings purge at once.
import { api, take, takeTagged, type Schemas } from "../base/api";
import type { Parts } from "../base/merge";

export type Settings = Schemas["RetentionSettings"];
export const ends = ["succeeded", "failed", "cancelled"] as const;
export type End = (typeof ends)[number];
export type PartKey = `${End}.${"age" | "count"}`;
export type Draft = Readonly<Partial<Record<PartKey, number>>>;
export interface Opened {
    value: Settings;
    etag: string;
}

// What the master takes where nothing is set (openapi/master.yaml, Retention).
export const defaults: Draft = {
    "succeeded.age": 86_400,
    "succeeded.count": 100_000,
    "failed.age": 2_592_000,
    "failed.count": 100_000,
    "cancelled.age": 604_800,
    "cancelled.count": 10_000,
};

export const keys = ends.flatMap((end) => [`${end}.age`, `${end}.count`] as const);

export function readRetention(signal?: AbortSignal): Promise<Opened> {
    return takeTagged(api.GET("/v1/retention", { signal }));
}

// Of all names (""), or a name's own; a part that is not set is missing.
export function draftOf(settings: Settings, name: string): Draft {
    const own: Schemas["Retention"] = name === "" ? settings : (settings.names.find((each) => each.name === name) ?? {});
    const draft: Partial<Record<PartKey, number>> = {};
    for (const end of ends) {
        const { age, count } = own[end] ?? {};
        if (age !== undefined) draft[`${end}.age`] = age;
        if (count !== undefined) draft[`${end}.count`] = count;
    }
    return draft;
}

export function bodyOf(parts: Parts): Schemas["Retention"] {
    const body: Record<string, Record<string, unknown>> = {};
    for (const [key, value] of Object.entries(parts)) {
        const [end = "", part = ""] = key.split(".");
        if (value !== undefined) (body[end] ??= {})[part] = value;
    }
    return body;
}

const most = 200; // answers that are added up; each looks at a bounded number of jobs
const longest = 4000; // of an expression

async function count(body: Schemas["JobCountSearch"] & { state: End }, signal: AbortSignal): Promise<{ jobs: number; whole: boolean }> {
    let jobs = 0;
    let cursor: string | undefined;
    for (let page = 0; page < most; ++page) {
        const found = await take(api.POST("/v1/jobs/counts", { body: { ...body, ...(cursor !== undefined && { cursor }) }, signal }));
        jobs += found.states[body.state] ?? 0;
        cursor = found.next;
        if (cursor === undefined) return { jobs, whole: true };
    }
    return { jobs, whole: false };
}

export interface Purged {
    readonly jobs: Readonly<Record<End, number>>;
    readonly whole: boolean; // false: there may be more
}

// How many jobs end with these settings at once, by the master's clock. Starred ones, which stay, are counted too. A name's own age stands
// in place of the general one; the general number goes on to apply.
export async function purgedBy(settings: Settings, name: string, draft: Draft, signal: AbortSignal): Promise<Purged> {
    const jobs = { succeeded: 0, failed: 0, cancelled: 0 };
    let whole = true;
    const scope = name === "" ? {} : { name };
    for (const end of ends) {
        const otherwise = name === "" ? defaults : draftOf(settings, "");
        const age = draft[`${end}.age`] ?? otherwise[`${end}.age`] ?? 0;
        const kept = draft[`${end}.count`] ?? (name === "" ? defaults[`${end}.count`] : undefined);
        const others = name === "" ? settings.names.flatMap((each) => (each[end]?.age === undefined ? [] : [each.name])) : [];
        const old = `job.finished_at < now - duration("${age.toFixed(3)}s")`;
        const match = others.length > 0 ? `${old} && !(job.name in ${JSON.stringify(others)})` : old;
        const aged = await count({ state: end, ...scope, match: match.length > longest ? old : match }, signal);
        whole &&= aged.whole;
        jobs[end] = aged.jobs;
        if (kept !== undefined) {
            const all = await count({ state: end, ...scope }, signal);
            const many = Math.max(0, all.jobs - kept);
            // Both take the oldest jobs, but the number also those of names with an age of their own.
            whole &&= all.whole && (others.length === 0 || aged.jobs === 0 || many === 0);
            jobs[end] = Math.max(aged.jobs, many);
        }
    }
    return { jobs, whole };
}
