import type { ComponentChildren } from "preact";
import { serverNow } from "../base/clock";
import { Raw } from "../base/json";
import * as show from "../base/show";
import { isFinal, StateMark, type State } from "../base/states";
import { t, word, type Key } from "../base/text";
import { treeOf, written } from "../base/tree";
import type { Job } from "./merge";

export interface Column {
    readonly key: string;
    readonly title: Key;
    readonly least: number; // its width in characters, at least
    readonly widest?: () => string[]; // texts that must fit, whose width depends on the language
    readonly share: number; // of what is left over
    readonly number?: boolean;
    readonly cell: (job: Job) => ComponentChildren;
    readonly tip?: (job: Job) => string;
}

// The number that the last attempt has if all others fail: an operator's retry gives a job its retries again, and attempts go on counting.
export function attemptsPossible(job: Job): number {
    if (isFinal(job.state)) return Math.max(job.attempt, job.max_retry + 1);
    const runs = job.state === "running" || job.state === "awaiting";
    return job.attempt + Math.max(runs ? 0 : 1, job.max_retry + (runs ? 0 : 1) - job.failures);
}

export function argumentText(job: Job): string {
    const { argument } = job as { argument?: unknown };
    if (argument instanceof Raw) return written(treeOf(argument.text));
    return t("argument.long", { size: show.bytes(job.argument_bytes) });
}

export function heldText(job: Job): string {
    const held = job.held_by;
    if (!held) return "";
    const title = held.title || held.matcher;
    const what =
        held.kind === "too_many" ? t("held.many") : title ? t("pair", { a: word("kind", held.kind), b: title }) : word("kind", held.kind);
    const key = held.key ? t("held.key", { what, key: held.key }) : what;
    const opens = show.at(held.opens_at) - serverNow();
    return opens > 0 ? t("held.again", { what: key, in: show.age(opens) }) : key;
}

function duration_ms(job: Job): number {
    const started = show.at(job.started_at);
    if (started === 0 || !(isFinal(job.state) || job.state === "running")) return -1;
    const ended = show.at(job.finished_at);
    return (ended || (job.state === "running" ? serverNow() : started)) - started;
}

function until(at: string | undefined): string {
    const rest = show.at(at) - serverNow();
    return at === undefined ? "" : rest > 0 ? t("in", { span: show.age(rest) }) : t("now");
}

// Spans of four digits and the longest units: a day or more steps by hours, which are as wide.
const longSpans = () => [50 * 60_000 + 50_000, 23 * 3_600_000 + 50 * 60_000, 100 * 86_400_000 + 23 * 3_600_000].map(show.duration);
const longWaits = () => longSpans().map((span) => t("in", { span }));

const exact = (at: string | undefined) => (at === undefined ? "" : show.exact(show.at(at)));
const column = (key: string, title: Key, least: number, share: number, cell: Column["cell"], more: Partial<Column> = {}): Column => ({
    key,
    title,
    least,
    share,
    cell,
    ...more,
});

export const columns = {
    state: column("state", "column.state", 13, 0, (job) => <StateMark state={job.state} cancelling={job.cancel_requested} />),
    name: column("name", "column.name", 18, 3, (job) => job.name, { tip: (job) => job.name }),
    priority: column("priority", "column.priority", 8, 0, (job) => String(job.priority), { number: true }),
    attempt: column("attempt", "column.attempt", 8, 0, (job) => `${job.attempt}/${attemptsPossible(job)}`, { number: true }),
    age: column("age", "column.age", 10, 0, (job) => show.age(serverNow() - show.at(job.created_at)), {
        number: true,
        widest: longSpans,
        tip: (job) => exact(job.created_at),
    }),
    next: column("next", "column.next", 11, 0, (job) => (job.state === "scheduled" ? until(job.run_at) : ""), {
        number: true,
        widest: longWaits,
        tip: (job) => exact(job.run_at),
    }),
    held: column("held", "column.held", 16, 4, heldText, { tip: heldText }),
    worker: column("worker", "column.worker", 10, 2, (job) => job.worker ?? "", { tip: (job) => job.worker ?? "" }),
    duration: column(
        "duration",
        "column.duration",
        10,
        0,
        (job) => (duration_ms(job) < 0 ? "" : job.state === "running" ? show.age(duration_ms(job)) : show.duration(duration_ms(job))),
        { number: true, widest: longSpans, tip: (job) => exact(job.started_at) },
    ),
    timeout: column("timeout", "column.timeout", 10, 0, (job) => until(job.deadline), {
        number: true,
        widest: longWaits,
        tip: (job) => exact(job.deadline),
    }),
    finished: column("finished", "column.finished", 17, 1, (job) => (job.finished_at ? show.time(show.at(job.finished_at)) : ""), {
        tip: (job) => exact(job.finished_at),
    }),
    message: column("message", "column.message", 20, 5, (job) => job.message ?? "", { tip: (job) => job.message ?? "" }),
    reason: column("reason", "column.reason", 12, 2, (job) => (job.reason ? word("reason", job.reason) : ""), {
        tip: (job) => job.reason ?? "",
    }),
    argument: column("argument", "column.argument", 26, 5, (job) => <code>{argumentText(job)}</code>, {
        tip: (job) => argumentText(job).slice(0, 500),
    }),
    failures: column("failures", "column.failures", 9, 0, (job) => String(job.failures), { number: true }),
    size: column("size", "field.size", 11, 0, (job) => show.bytes(job.argument_bytes), { number: true }),
    enqueued: column("enqueued", "field.enqueued", 17, 1, (job) => show.time(show.at(job.created_at)), {
        tip: (job) => exact(job.created_at),
    }),
    started: column("started", "field.started", 17, 1, (job) => (job.started_at ? show.time(show.at(job.started_at)) : ""), {
        tip: (job) => exact(job.started_at),
    }),
    group: column("group", "field.group", 10, 1, (job) => job.group ?? "", { tip: (job) => job.group ?? "" }),
    tags: column("tags", "column.tags", 10, 2, (job) => job.tags.join(", "), { tip: (job) => job.tags.join(", ") }),
    id: column("id", "column.id", 12, 1, (job) => <code>{job.id}</code>, { tip: (job) => job.id }),
} as const satisfies Record<string, Column>;

export type ColumnKey = keyof typeof columns;

// In the order in which they matter: where there is little room, the last ones are left out.
const ofState: Record<State | "", ColumnKey[]> = {
    "": ["state", "name", "age", "held", "attempt", "argument", "next", "worker", "message", "priority", "duration", "id"],
    "depends": ["state", "name", "priority", "attempt", "age", "argument", "tags", "id"],
    "ready": ["state", "name", "priority", "held", "age", "attempt", "argument", "tags", "message", "id"],
    "scheduled": ["state", "name", "next", "priority", "attempt", "message", "argument", "age", "id"],
    "running": ["state", "name", "worker", "duration", "timeout", "attempt", "priority", "argument", "age", "id"],
    "awaiting": ["state", "name", "worker", "duration", "timeout", "attempt", "priority", "argument", "age", "id"],
    "succeeded": ["state", "name", "finished", "attempt", "duration", "worker", "argument", "tags", "id"],
    "failed": ["state", "name", "finished", "message", "attempt", "argument", "worker", "duration", "reason", "id"],
    "cancelled": ["state", "name", "finished", "message", "reason", "attempt", "argument", "worker", "duration", "id"],
};

const character_px = 7.6;
const gap_px = 16;
const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

// In the page's font, as bold as the title of the order.
function widthOf(text: string): number {
    let known = widths.get(text);
    if (known === undefined) {
        pen ??= document.createElement("canvas").getContext("2d");
        if (!pen) return 0;
        const { fontSize, fontFamily } = getComputedStyle(document.body);
        pen.font = `600 ${fontSize} ${fontFamily}`;
        widths.set(text, (known = Math.ceil(pen.measureText(text).width) + 1));
    }
    return known;
}

function leastOf(key: ColumnKey): number {
    const { least, title, widest }: Column = columns[key];
    return Math.max(Math.round(least * character_px), ...[`${t(title)} ▾`, ...(widest?.() ?? [])].map(widthOf));
}

export function columnsFor(state: State | "", width_px: number): ColumnKey[] {
    const fitting: ColumnKey[] = [];
    let used = 44;
    for (const key of ofState[state]) {
        used += leastOf(key) + gap_px;
        if (used > width_px && fitting.length >= 2) break;
        fitting.push(key);
    }
    return fitting;
}

// The column in whose order the master keeps the jobs of a state; none: in that in which they came, or all states together.
export function orderedBy(state: State | ""): ColumnKey | undefined {
    if (state === "ready") return "priority";
    if (state === "scheduled") return "next";
    return state !== "" && isFinal(state) ? "finished" : undefined;
}

export interface Placed {
    readonly key: ColumnKey;
    readonly width_px?: number; // as somebody made it; none: what it needs
}

export const leastWidth_px = 48;
const mostWidth_px = 1600;

export function bounded(width_px: number): number {
    return Math.round(Math.min(mostWidth_px, Math.max(leastWidth_px, width_px)));
}

const tick_px = 36;
const least_px = ({ key, width_px }: Placed) => width_px ?? leastOf(key);

// What all of them need, at least.
export function neededBy(all: readonly Placed[]): number {
    return all.reduce((sum, each) => sum + least_px(each) + gap_px, tick_px + 14);
}

export function template(all: readonly Placed[]): string {
    const widths = all.map((each) => {
        const { share } = columns[each.key];
        return share > 0 && each.width_px === undefined ? `minmax(${least_px(each)}px, ${share}fr)` : `${least_px(each)}px`;
    });
    return `${tick_px}px ${widths.join(" ")}`;
}
