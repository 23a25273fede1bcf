// When what failed is tried again.

const there_ms = [500, 1000, 2000, 4000, 8000, 15_000];
const gone_ms = [500, 1000, 2000, 4000];

// Many tabs that lost a master in the same moment do not come back in the same moment.
export function spread(wait_ms: number, random = Math.random()): number {
    return wait_ms * (0.75 + random / 2);
}

// The wait of a page after `failures` tries in a row. A master that does not answer costs nothing to ask, and only tabs that are seen ask;
// so they find soon that one is there again. One that answers, and refuses, is spared.
export function liveWait(isGone: boolean, failures: number, random = Math.random()): number {
    const waits_ms = isGone ? gone_ms : there_ms;
    return spread(waits_ms[Math.min(failures, waits_ms.length - 1)] ?? 0, random);
}
