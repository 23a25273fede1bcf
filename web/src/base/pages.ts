// A list that goes on: the first page, and as many more as a person asked for. All of them are read each time, because what was on the
// second page may be on the first one now.
import { useRef } from "preact/hooks";
import { useSource, type Options, type Source } from "./data";

export type Rows<P, R> = P & { rows: readonly R[] };

export interface Pages<T> extends Source<T> {
    more(): void;
}

export function usePages<P extends { next?: string }, R>(
    key: string,
    read: (next: string | undefined, signal: AbortSignal) => Promise<P>,
    rowsOf: (page: P) => readonly R[],
    options: Options,
): Pages<Rows<P, R>> {
    const wanted = useRef({ key, pages: 1 });
    if (wanted.current.key !== key) wanted.current = { key, pages: 1 };
    const source = useSource(
        key,
        async (signal) => {
            let page = await read(undefined, signal);
            const rows = [...rowsOf(page)];
            for (let pages = 1; pages < wanted.current.pages && page.next !== undefined; ++pages) {
                page = await read(page.next, signal);
                rows.push(...rowsOf(page));
            }
            return { ...page, rows };
        },
        options,
    );
    const more = () => {
        ++wanted.current.pages;
        source.hurry();
    };
    return { ...source, more };
}
