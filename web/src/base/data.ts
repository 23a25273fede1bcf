// What a screen shows of the master: asked for when the screen opens, when something of its kinds was changed, and every so often.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Failure } from "./api";
import { spread } from "./backoff";
import { changes, isWatching, seesAll, signedOut, type Kind } from "./live";

export interface Data<T> {
    value: T | undefined;
    error: Failure | undefined; // why the last try failed; the value is of the one before
    // By this browser's clock; 0: there is none.
    at_ms: number; // when the value came
    since_ms: number; // when the first of the tries failed that failed since
    retry_ms: number; // when the next try is
}

export interface Source<T> {
    readonly data: ReadonlySignal<Data<T>>;
    ask(): void; // also when the next try after a failure is not due yet
    hurry(): void; // asks without a wait: a person wants it
    stop(): void;
}

export interface Options {
    kinds?: readonly Kind[];
    every_ms?: number;
    least_ms?: number; // between two requests
    all?: boolean; // of all jobs: not for a token for some of them
}

const waits_ms = [2000, 4000, 8000, 15_000];

// When a request that failed is tried again, after `failures` others in a row; 0: the same request fails at any time.
export function waitAfter(error: Failure, failures: number): number {
    const passes = error.isUnreachable || error.status === 429 || error.status >= 500;
    return passes ? spread(waits_ms[Math.min(failures, waits_ms.length - 1)] ?? 0) : 0;
}

// One request at a time: what is to be asked meanwhile is asked after it, and a slower answer never wins.
export function source<T>(fetcher: (signal: AbortSignal) => Promise<T>, options: Options): Source<T> {
    const { kinds = [], every_ms = 0, least_ms = 500, all = false } = options;
    const data = signal<Data<T>>({ value: undefined, error: undefined, at_ms: 0, since_ms: 0, retry_ms: 0 });
    const control = new AbortController();
    let running = false;
    let wanted = false;
    let began_ms = 0;
    let timer = 0;
    let retry = 0;
    let failures = 0;
    let beat = 0;

    async function run(): Promise<void> {
        running = true;
        wanted = false;
        began_ms = Date.now();
        clearTimeout(retry);
        try {
            const value = await fetcher(control.signal);
            failures = 0;
            if (!control.signal.aborted) data.value = { value, error: undefined, at_ms: Date.now(), since_ms: 0, retry_ms: 0 };
        } catch (error) {
            if (control.signal.aborted) return;
            if (!(error instanceof Failure)) throw error;
            if (error.status === 401) ++signedOut.value;
            const wait = waitAfter(error, failures++);
            if (wait > 0) retry = window.setTimeout(ask, wait);
            const was = data.peek();
            data.value = { ...was, error, since_ms: was.since_ms || Date.now(), retry_ms: wait > 0 ? Date.now() + wait : 0 };
        } finally {
            running = false;
            if (wanted && !control.signal.aborted) ask();
        }
    }

    function ask(): void {
        if (!isWatching() || (all && !seesAll.peek())) return;
        if (control.signal.aborted || document.hidden) {
            wanted = true;
            return;
        }
        if (running) {
            wanted = true;
            return;
        }
        clearTimeout(timer);
        const wait = Math.max(0, began_ms + least_ms - Date.now());
        if (wait > 0) timer = window.setTimeout(() => void run(), wait);
        else void run();
    }

    const seen = () => {
        if (!document.hidden && wanted) ask();
    };
    document.addEventListener("visibilitychange", seen);
    const unwatch = effect(() => {
        for (const kind of kinds) void changes[kind].value;
        queueMicrotask(ask);
    });
    if (every_ms > 0) beat = window.setInterval(ask, every_ms);
    return {
        data,
        ask,
        hurry() {
            began_ms = 0;
            ask();
        },
        stop() {
            control.abort();
            unwatch();
            clearTimeout(timer);
            clearTimeout(retry);
            clearInterval(beat);
            document.removeEventListener("visibilitychange", seen);
        },
    };
}

// A source that lives as long as the component, and begins anew when `key` changes.
export function useSource<T>(key: string, fetcher: (signal: AbortSignal) => Promise<T>, options: Options): Source<T> {
    const made = useMemo(() => source(fetcher, options), [key]);
    useEffect(() => () => made.stop(), [made]);
    return made;
}
