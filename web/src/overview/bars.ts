// What the panels of the overview rank.
import { write } from "../base/address";
import type { Schemas } from "../base/api";
import { serverNow } from "../base/clock";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { namesFilter } from "../shell/strip";
import type { Overview, Worker } from "../shell/overviewsource";
import type { Bar } from "../widgets/panel";

type Live = Schemas["LiveConstraint"];
const old_ms = 60 * 60_000;

const title = (of: { title?: string; matcher?: string; kind?: string }) => of.title || of.matcher || word("kind", of.kind ?? "");

function ranked(bars: Bar[]): Bar[] {
    const most = Math.max(1, ...bars.map((bar) => bar.part));
    return bars.map((bar) => ({ ...bar, part: bar.part / most })).sort((a, b) => b.part - a.part);
}

// Ready jobs that no limit holds, that were read since the last change, and whose names workers ask for. How many are two of these at once
// is not known: none, unless more are counted than there are.
export function unhindered(now: Overview): number {
    const ready = now.states["ready"] ?? 0;
    const { jobs: held, reading } = now.held;
    const unasked = now.unasked.jobs;
    const all = held + unasked + reading;
    return Math.max(0, ready - (all <= ready ? all : Math.max(held, unasked, reading)));
}

export function reasonBars(now: Overview): Bar[] {
    const jobs = (parameters: Record<string, string>) => write({ screen: "jobs", parameters });
    const bars: Bar[] = now.held.by.map((by) => ({
        key: by.constraint ?? by.kind,
        text: t("pair", { a: word("kind", by.kind), b: title(by) }),
        value: show.count(by.jobs),
        part: by.jobs,
        href: by.matcher ? write({ screen: "constraints", id: by.matcher }) : jobs({ state: "ready" }),
    }));
    const [first] = now.unasked.names;
    if (first) {
        const names = now.unasked.names.length > 1 ? t("more.names", { name: first.name, n: now.unasked.names.length - 1 }) : first.name;
        bars.push({
            key: "unasked",
            text: t("unasked", { names }),
            value: show.count(now.unasked.jobs),
            part: now.unasked.jobs,
            alarm: true,
            href: jobs({ state: "ready", filter: namesFilter(now.unasked.names.map((each) => each.name)) }),
        });
    }
    const others: [string, number, string][] = [
        ["scheduled", now.states["scheduled"] ?? 0, t("wait.scheduled")],
        ["depends", now.states["depends"] ?? 0, t("wait.depends")],
        ["awaiting", now.states["awaiting"] ?? 0, t("wait.awaiting")],
        ["ready", now.held.reading, t("wait.reading")],
        ["ready", unhindered(now), t("wait.worker")],
    ];
    for (const [state, count, text] of others) {
        if (count > 0) bars.push({ key: text, text, value: show.count(count), part: count, href: jobs({ state }) });
    }
    return ranked(bars);
}

export function oldestBars(now: Overview): Bar[] {
    const at = serverNow();
    const ages = [...now.priorities]
        .sort((a, b) => show.at(a.oldest_at) - show.at(b.oldest_at))
        .slice(0, 8)
        .sort((a, b) => a.priority - b.priority);
    const most = Math.max(1, ...ages.map((each) => at - show.at(each.oldest_at)));
    return ages.map((each) => {
        const age = Math.max(0, at - show.at(each.oldest_at));
        return {
            key: String(each.priority),
            text: t("oldest.priority", { priority: String(each.priority), n: each.jobs }),
            value: show.age(age),
            part: age / most,
            alarm: age > old_ms,
            href: write({ screen: "jobs", parameters: { state: "ready", filter: `job.priority == ${each.priority}` } }),
        };
    });
}

function capacity(live: Live): number | undefined {
    const { constraint } = live;
    switch (constraint.kind) {
        case "concurrency":
            return constraint.limit * Math.max(1, live.buckets);
        case "share":
            return constraint.capacity;
        case "backlog":
            return constraint.max_ready * Math.max(1, live.buckets);
        default:
            return undefined;
    }
}

export function limitBars(constraints: readonly Live[], held: Overview["held"]): Bar[] {
    const bars: Bar[] = [];
    for (const live of constraints) {
        const { constraint } = live;
        if (
            !live.enabled ||
            ("mode" in constraint && constraint.mode !== undefined && constraint.mode !== "enforce") ||
            (live.used === 0 && live.waiting === 0)
        )
            continue;
        const most = capacity(live);
        const taken = constraint.kind === "backlog" ? live.waiting : live.used;
        const holds = held.by.find((each) => each.constraint === constraint.id)?.jobs;
        const n = holds ?? live.waiting;
        const part = most !== undefined ? (most > 0 ? taken / most : 1) : live.buckets > 0 ? live.closed / live.buckets : 0;
        const value =
            most !== undefined
                ? t("limit.of", { used: taken, limit: most })
                : live.closed > 0
                  ? t(constraint.kind === "breaker" ? "limit.tripped" : "limit.full", { n })
                  : holds !== undefined
                    ? t("limit.holds", { n })
                    : constraint.kind === "breaker"
                      ? t("limit.untripped")
                      : live.waiting > 0
                        ? t("limit.open.waiting", { n })
                        : t("limit.open");
        bars.push({
            key: constraint.id ?? live.matcher,
            text: t("pair", { a: word("kind", constraint.kind), b: live.matcher_title || live.matcher }),
            value,
            part,
            alarm: part >= 1,
            href: write({ screen: "constraints", id: live.matcher }),
        });
    }
    return bars.sort((a, b) => b.part - a.part);
}

export function workerBars(all: readonly Worker[], goesOn: boolean): Bar[] {
    const bars: Bar[] = [];
    for (const state of ["up", "draining", "late", "unreachable", "lost"] as const) {
        const some = all.filter((each) => each.state === state);
        if (some.length === 0) continue;
        const last = some.reduce((a, b) => (a.last_contact > b.last_contact ? a : b));
        const name = word("worker", state);
        const text =
            state !== "up" && state !== "draining"
                ? t("workers.lost", { state: name, age: show.age(serverNow() - show.at(last.last_contact)), worker: last.worker })
                : name;
        bars.push({
            key: state,
            text,
            value: goesOn ? t("or.more", { n: some.length }) : show.count(some.length),
            part: some.length / all.length,
            alarm: state !== "up" && state !== "draining",
            href: write({ screen: "workers" }),
        });
    }
    return bars;
}
