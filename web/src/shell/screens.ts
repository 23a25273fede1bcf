import type { IconName } from "../base/icon";
import { seesAll } from "../base/live";
import { mayAdminister } from "../base/session";
import type { Key } from "../base/text";

export interface ScreenEntry {
    screen: string;
    title: Key;
    icon: IconName;
    admin?: boolean;
    some?: boolean; // also for a token for some jobs only
}

// In the order of the side list, which is that of Alt+1 and on.
const all: readonly ScreenEntry[] = [
    { screen: "overview", title: "screen.overview", icon: "overview" },
    { screen: "jobs", title: "screen.jobs", icon: "jobs", some: true },
    { screen: "failures", title: "screen.failures", icon: "warning" },
    { screen: "results", title: "screen.results", icon: "results" },
    { screen: "schedules", title: "screen.schedules", icon: "schedules" },
    { screen: "constraints", title: "screen.constraints", icon: "constraints" },
    { screen: "workers", title: "screen.workers", icon: "workers" },
    { screen: "operations", title: "screen.operations", icon: "operations", some: true },
    { screen: "retention", title: "screen.retention", icon: "hourglass" },
    { screen: "tokens", title: "screen.tokens", icon: "plug", admin: true },
    { screen: "audit", title: "screen.audit", icon: "search", admin: true },
];

// Those that the person may look at.
export function screens(): readonly ScreenEntry[] {
    return all.filter((each) => (!each.admin || mayAdminister.value) && (each.some || seesAll.value));
}
