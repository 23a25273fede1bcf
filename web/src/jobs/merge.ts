// How a list that follows the master takes up a new page. Rows that somebody points at do not move: then jobs change in place, those that
// left the list stay as ghosts, and new ones are counted until the pointer has gone.
import type { Schemas } from "../base/api";

export type Job = Schemas["Job"];
export interface Row {
    readonly job: Job;
    readonly ghost: boolean; // it is no longer in this list
}
export interface Merged {
    readonly rows: readonly Row[];
    readonly waiting: number; // new rows that are not shown yet
}

export function merge(before: readonly Row[], jobs: readonly Job[], kept: ReadonlySet<string>, hold: boolean): Merged {
    const incoming = new Map(jobs.map((job) => [job.id, job]));
    if (hold && before.length > 0) {
        const rows = before.map((row) => {
            const job = incoming.get(row.job.id);
            return job ? { job, ghost: false } : row.ghost ? row : { job: row.job, ghost: true };
        });
        const known = new Set(before.map((row) => row.job.id));
        return { rows, waiting: [...incoming.keys()].filter((id) => !known.has(id)).length };
    }
    // A ghost that is kept stays below the row that was above it.
    const behind = new Map<string, Row[]>();
    let last = "";
    for (const row of before) {
        if (incoming.has(row.job.id)) last = row.job.id;
        else if (kept.has(row.job.id)) behind.set(last, [...(behind.get(last) ?? []), { job: row.job, ghost: true }]);
    }
    const rows = [...(behind.get("") ?? [])];
    for (const job of incoming.values()) rows.push({ job, ghost: false }, ...(behind.get(job.id) ?? []));
    return { rows, waiting: 0 };
}
