// The list of jobs: live, its first rows as they are now; frozen, all jobs of a view of the master, of which any part can be read.
import { signal, type Signal } from "@preact/signals";
import { api, Failure, take, type Schemas } from "../base/api";
import { waitAfter } from "../base/data";
import { changes, signedOut } from "../base/live";
import { serverNow } from "../base/clock";
import * as show from "../base/show";
import type { State } from "../base/states";
import { merge, type Job, type Row } from "./merge";

export interface Filter {
    readonly state: State | "";
    readonly match: string;
    readonly name: string;
    readonly tag: string;
    readonly kind: "" | "tracked" | "trash";
    readonly reversed: boolean;
    readonly view: string; // a frozen one; "": live
}

export interface Shown {
    readonly phase: "loading" | "shown" | "failed";
    readonly rows: readonly Row[];
    readonly waiting: number;
    readonly error?: Failure;
    readonly goesOn: boolean; // there are more than these rows
    readonly searching: boolean;
    readonly coverage: Schemas["Coverage"];
    readonly at_ms: number;
    // By this browser's clock; 0: there is none.
    readonly since_ms: number; // when the first of the tries failed that failed since
    readonly retry_ms: number; // when the next try is
}

export const liveRows_max = 500;
const firstRows = 100;
const pages_max = 40; // of a search that finds little, before it asks whether to go on
const costlyScan = 2000;
const followed_max = 20;

const nothing: Shown = {
    phase: "loading",
    rows: [],
    waiting: 0,
    goesOn: false,
    searching: false,
    coverage: { scanned: 0, total: 0, complete: true },
    at_ms: 0,
    since_ms: 0,
    retry_ms: 0,
};

type Query = { state?: State; match?: string; name?: string; tag?: string; tracked?: boolean; trash?: boolean; order?: "reversed" };

export function queryOf(filter: Filter): Query {
    return {
        ...(filter.state && { state: filter.state }),
        ...(filter.match && { match: filter.match }),
        ...(filter.name && { name: filter.name }),
        ...(filter.tag && { tag: filter.tag }),
        ...(filter.kind && { [filter.kind]: true }),
        ...(filter.reversed && filter.state && !filter.kind && { order: "reversed" }),
    };
}

// One live list. `hold` says whether somebody points at it; `kept` which rows stay when they leave it.
export class LiveList {
    readonly shown: Signal<Shown> = signal(nothing);
    private readonly control = new AbortController();
    private readonly unwatch: () => void;
    private limit = firstRows;
    private pages = pages_max;
    private timer = 0;
    private retry = 0;
    private failures = 0;
    private running = false;
    private wanted = false;
    private began_ms = 0;
    private jobs: readonly Job[] = [];

    constructor(
        private readonly filter: Filter,
        private readonly hold: () => boolean,
        private readonly kept: () => ReadonlySet<string>,
    ) {
        this.unwatch = changes.jobs.subscribe(() => queueMicrotask(() => this.ask()));
        document.addEventListener("visibilitychange", this.seen);
    }

    private readonly seen = () => {
        if (!document.hidden && this.wanted) this.ask();
    };

    stop(): void {
        this.control.abort();
        this.unwatch();
        clearTimeout(this.timer);
        clearTimeout(this.retry);
        document.removeEventListener("visibilitychange", this.seen);
    }

    ask(): void {
        if (this.control.signal.aborted) return;
        if (this.running || document.hidden) {
            this.wanted = true;
            return;
        }
        clearTimeout(this.timer);
        const pause = this.shown.peek().coverage.scanned > costlyScan ? 5000 : 1000;
        const wait = Math.max(0, this.began_ms + pause - Date.now());
        if (wait > 0) this.timer = window.setTimeout(() => void this.run(), wait);
        else void this.run();
    }

    // More rows, as far as a live list goes.
    more(): void {
        if (this.limit < liveRows_max && this.shown.peek().goesOn && !this.running) {
            this.limit = Math.min(liveRows_max, this.limit * 2);
            this.began_ms = 0;
            this.ask();
        }
    }

    searchOn(): void {
        this.pages += pages_max;
        this.began_ms = 0;
        this.ask();
    }

    // The pointer has gone: what waited is shown.
    settle(): void {
        const now = this.shown.peek();
        if (now.phase === "shown" && (now.waiting > 0 || now.rows.some((row) => row.ghost)))
            this.shown.value = { ...now, ...merge(now.rows, this.jobs, this.kept(), false) };
    }

    private async run(): Promise<void> {
        this.running = true;
        this.wanted = false;
        this.began_ms = Date.now();
        clearTimeout(this.retry);
        try {
            await this.read();
            this.failures = 0;
            await this.follow();
        } catch (error) {
            if (this.control.signal.aborted) return;
            if (!(error instanceof Failure)) throw error;
            if (error.status === 401) ++signedOut.value;
            const now = this.shown.peek();
            const wait = waitAfter(error, this.failures++);
            if (wait > 0) this.retry = window.setTimeout(() => this.ask(), wait);
            this.shown.value = {
                ...now,
                since_ms: now.since_ms || Date.now(),
                retry_ms: wait > 0 ? Date.now() + wait : 0,
                phase: now.phase === "shown" && error.status !== 422 ? "shown" : "failed",
                error,
                searching: false,
            };
        } finally {
            this.running = false;
            if (this.wanted) this.ask();
        }
    }

    // What has become of the jobs that left the list and are still in sight.
    private async follow(): Promise<void> {
        const left = this.shown.peek().rows.filter((row) => row.ghost);
        if (left.length === 0) return;
        const found = new Map<string, Job>();
        const ask = async ({ job }: Row) => {
            try {
                const now = await take(api.GET("/v1/jobs/{id}", { params: { path: { id: job.id } }, signal: this.control.signal }));
                // A list has no long arguments.
                const { argument: _, ...rest } = now;
                found.set(job.id, { ...rest, ...("argument" in job && { argument: job.argument }) } as Job);
            } catch (error) {
                if (!(error instanceof Failure) || error.status !== 404) throw error; // it is purged: as it was last
            }
        };
        await Promise.all(left.slice(0, followed_max).map(ask));
        const now = this.shown.peek();
        const rows = now.rows.map((row) => (row.ghost ? { ...row, job: found.get(row.job.id) ?? row.job } : row));
        this.shown.value = { ...now, rows };
    }

    private async read(): Promise<void> {
        const jobs: Job[] = [];
        let cursor: string | undefined;
        let scanned = 0;
        for (let page = 0; page < this.pages; ++page) {
            const query = { ...queryOf(this.filter), limit: this.limit - jobs.length, ...(cursor !== undefined && { cursor }) };
            const came = await take(api.GET("/v1/jobs", { params: { query }, signal: this.control.signal }));
            jobs.push(...came.jobs);
            scanned += came.coverage.scanned;
            cursor = came.next;
            const done = jobs.length >= this.limit || cursor === undefined;
            const coverage = {
                scanned: Math.min(scanned, came.coverage.total),
                total: came.coverage.total,
                complete: cursor === undefined,
            };
            // What is searched for a while is shown as it comes, unless there is more of the time before.
            if (done || page + 1 === this.pages || this.shown.peek().rows.length <= jobs.length) {
                this.jobs = jobs;
                this.shown.value = {
                    phase: "shown",
                    ...merge(this.shown.peek().rows, jobs, this.kept(), this.hold()),
                    goesOn: cursor !== undefined,
                    searching: !done && page + 1 < this.pages,
                    coverage,
                    at_ms: serverNow(),
                    since_ms: 0,
                    retry_ms: 0,
                };
            }
            if (done) return;
        }
    }
}

// A frozen list: rows are read when they come into sight.
const chunk = 100;
const chunks_max = 64; // that are kept
const aging_ms = 1500;

interface Chunk {
    readonly ids: readonly string[];
    readonly jobs: ReadonlyMap<string, Job>;
    readonly age: number;
    asked: boolean; // again
}

export class FrozenList {
    readonly view: Signal<Schemas["View"] | undefined> = signal(undefined);
    readonly error: Signal<Failure | undefined> = signal(undefined);
    readonly read: Signal<number> = signal(0); // counts up when rows came
    private readonly control = new AbortController();
    private readonly chunks = new Map<number, "asked" | "failed" | Chunk>();
    private readonly unwatch: () => void;
    private age = 0; // counts up when jobs were changed; then what is in sight is read again
    private timer = 0;
    private aging = 0;
    private retry = 0;
    private failures = 0;

    constructor(readonly name: string) {
        void this.look();
        this.unwatch = changes.jobs.subscribe(() => {
            if (!this.view.peek() || this.aging !== 0) return;
            this.aging = window.setTimeout(() => {
                this.aging = 0;
                ++this.age;
                ++this.read.value;
            }, aging_ms);
        });
    }

    stop(): void {
        this.control.abort();
        this.unwatch();
        clearTimeout(this.aging);
        clearTimeout(this.timer);
        clearTimeout(this.retry);
    }

    get frozenAt_ms(): number {
        return show.at(this.view.value?.as_of);
    }

    // The row's id and its job as it is now; nothing while it is not read.
    row(at: number): { id: string; job: Job | undefined } | undefined {
        const found = this.chunks.get(Math.floor(at / chunk));
        if (found === undefined) {
            void this.load(Math.floor(at / chunk));
            return undefined;
        }
        if (typeof found === "string") return undefined;
        this.chunks.delete(Math.floor(at / chunk)); // what is looked at is the last to go
        this.chunks.set(Math.floor(at / chunk), found);
        if (found.age < this.age && !found.asked && !document.hidden) {
            found.asked = true;
            void this.load(Math.floor(at / chunk));
        }
        const id = found.ids[at % chunk];
        return id === undefined ? undefined : { id, job: found.jobs.get(id) };
    }

    private async look(): Promise<void> {
        await this.load(0);
        const now = this.view.peek();
        if (now?.building)
            this.timer = window.setTimeout(() => {
                this.chunks.delete(0);
                void this.look();
            }, 700);
    }

    private async load(at: number): Promise<void> {
        const before = this.chunks.get(at);
        const isKnown = typeof before === "object";
        if (!isKnown) this.chunks.set(at, "asked");
        const age = this.age;
        try {
            const page = await take(
                api.GET("/v1/views/{view}", {
                    params: { path: { view: this.name }, query: { offset: at * chunk, limit: chunk } },
                    signal: this.control.signal,
                }),
            );
            this.chunks.set(at, { ids: page.ids, jobs: new Map(page.jobs.map((job) => [job.id, job])), age, asked: false });
            for (const old of this.chunks.keys()) {
                if (this.chunks.size <= chunks_max) break;
                this.chunks.delete(old);
            }
            this.view.value = page;
            this.error.value = undefined;
            this.failures = 0;
            ++this.read.value;
        } catch (error) {
            if (this.control.signal.aborted) return;
            if (!(error instanceof Failure)) throw error;
            if (error.status === 401) ++signedOut.value;
            if (!isKnown) this.chunks.set(at, "failed"); // what is known stays
            this.error.value = error;
            clearTimeout(this.retry);
            const wait = waitAfter(error, this.failures++);
            if (wait > 0) this.retry = window.setTimeout(() => this.again(), wait);
        }
    }

    // What could not be read is asked for when it is in sight.
    private again(): void {
        for (const [at, found] of this.chunks) {
            if (found === "failed") this.chunks.delete(at);
            else if (found !== "asked") found.asked = false;
        }
        if (this.view.peek()) ++this.read.value;
        else void this.look();
    }
}
