// The overview is asked for once and serves the strip, the side list, the status line and its own screen.
import { computed } from "@preact/signals";
import { api, take, type Schemas } from "../base/api";
import { learnTime } from "../base/clock";
import { source } from "../base/data";
import { at } from "../base/show";

export type Overview = Schemas["Overview"];
export type Worker = Schemas["Worker"];

export const overview = source<{ overview: Overview; trip_ms: number }>(
    async (signal) => {
        const began = performance.now();
        const value = await take(api.GET("/v1/overview", { signal }));
        const trip_ms = performance.now() - began;
        learnTime(at(value.now) + trip_ms / 2);
        return { overview: value, trip_ms };
    },
    { kinds: ["jobs", "matchers"], every_ms: 2000, least_ms: 1000, all: true },
);

export const now = computed<Overview | undefined>(() => overview.data.value.value?.overview);

export const workers = source<{ workers: Worker[]; next?: string }>(
    (signal) => take(api.GET("/v1/workers", { params: { query: { limit: 200 } }, signal })),
    { every_ms: 5000, least_ms: 2000, all: true },
);
