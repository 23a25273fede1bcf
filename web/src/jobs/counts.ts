// The counts of the tabs: of all jobs by the overview, under a filter by the master's search, which may take several answers.
import { api, take } from "../base/api";
import type { Filter } from "./list";

export interface Counts {
    states: Readonly<Record<string, number>>;
    complete: boolean;
}

const pages_max = 60;

export async function countJobs(filter: Filter, signal: AbortSignal): Promise<Counts> {
    const states: Record<string, number> = {};
    let cursor: string | undefined;
    for (let page = 0; page < pages_max; ++page) {
        const query = {
            ...(filter.match && { match: filter.match }),
            ...(filter.name && { name: filter.name }),
            ...(filter.tag && { tag: filter.tag }),
            ...(cursor !== undefined && { cursor }),
        };
        const came = await take(api.GET("/v1/jobs/counts", { params: { query }, signal }));
        for (const [state, count] of Object.entries(came.states)) states[state] = (states[state] ?? 0) + count;
        cursor = came.next;
        if (cursor === undefined) return { states, complete: true };
    }
    return { states, complete: false };
}
