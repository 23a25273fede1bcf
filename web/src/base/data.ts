// What a screen shows of the master: asked for when the screen opens, when something of its kinds was changed, and every so often.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Failure } from "./api";
import { changes, isWatching, signedOut, type Kind } from "./live";

export interface Data<T> {
    value: T | undefined;
    error: Failure | undefined; // why the last try failed; the value is of the one before
    at_ms: number; // by this browser's clock: when the value came
}

export interface Source<T> {
    readonly data: ReadonlySignal<Data<T>>;
    ask(): void;
    stop(): void;
}

interface Options {
    kinds?: readonly Kind[];
    every_ms?: number;
    least_ms?: number; // between two requests
}

// One request at a time: what is to be asked meanwhile is asked after it, and a slower answer never wins.
export function source<T>(fetcher: (signal: AbortSignal) => Promise<T>, { kinds = [], every_ms = 0, least_ms = 500 }: Options): Source<T> {
    const data = signal<Data<T>>({ value: undefined, error: undefined, at_ms: 0 });
    const control = new AbortController();
    let running = false;
    let wanted = false;
    let began_ms = 0;
    let timer = 0;
    let beat = 0;

    async function run(): Promise<void> {
        running = true;
        wanted = false;
        began_ms = Date.now();
        try {
            const value = await fetcher(control.signal);
            if (!control.signal.aborted) data.value = { value, error: undefined, at_ms: Date.now() };
        } catch (error) {
            if (control.signal.aborted) return;
            if (!(error instanceof Failure)) throw error;
            if (error.status === 401) ++signedOut.value;
            data.value = { ...data.peek(), error };
        } finally {
            running = false;
            if (wanted && !control.signal.aborted) ask();
        }
    }

    function ask(): void {
        if (!isWatching()) return;
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
        stop() {
            control.abort();
            unwatch();
            clearTimeout(timer);
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
