// When a recurrence fires next, while one types it: the master computes it, as it fires by the same rules.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, Failure, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { sentence } from "../base/failure";
import * as show from "../base/show";
import { t, tongue } from "../base/text";

const pause_ms = 250;
export type Recurrence = Schemas["Recurrence"];

// By the clock of a zone; "" where the browser does not know the zone.
export function momentThere(at: string, tz: string): string {
    try {
        return new Intl.DateTimeFormat(tongue(), { dateStyle: "medium", timeStyle: "medium", timeZone: tz }).format(Date.parse(at));
    } catch {
        return "";
    }
}

export interface Next {
    runs?: readonly string[];
    error?: Failure;
}

// Asks a while after the last key. A slower answer never wins, and what was known last stays until the next one comes.
export function useNextRuns(body: Recurrence | undefined): Next {
    const [found, setFound] = useState<Next & { of: string }>({ of: "" });
    const text = body ? JSON.stringify(body) : "";
    useEffect(() => {
        if (!body) return;
        const control = new AbortController();
        const timer = setTimeout(() => {
            take(api.POST("/v1/schedules/preview", { body, signal: control.signal })).then(
                (preview) => !control.signal.aborted && setFound({ runs: preview.next_runs, of: text }),
                (error: unknown) => {
                    if (error instanceof Failure && !control.signal.aborted) setFound({ error, of: text });
                },
            );
        }, pause_ms);
        return () => {
            control.abort();
            clearTimeout(timer);
        };
    }, [text]);
    if (!body) return {};
    return found.of === text ? found : { runs: found.runs };
}

// By the clock of the schedule, where it has one, and by the reader's.
export function NextRuns({ next, tz }: { next: Next; tz?: string }): JSX.Element {
    const now = nowEachSecond();
    return (
        <section class="next-runs" aria-label={t("schedules.next")}>
            <strong>{t("schedules.next")}</strong>
            {next.error && (
                <p class="red" role="alert">
                    {sentence(next.error)}
                </p>
            )}
            {next.runs?.length === 0 && <p class="amber">{t("schedules.never")}</p>}
            <ol>
                {next.runs?.map((at) => {
                    const there = tz ? momentThere(at, tz) : "";
                    const here = show.time(show.at(at));
                    return (
                        <li key={at}>
                            <span>{there ? t("pair", { a: there, b: tz ?? "" }) : here}</span>
                            {there && <span class="faint">{here}</span>}
                            <span class="faint">{t("in", { span: show.duration(Math.max(0, show.at(at) - now)) })}</span>
                        </li>
                    );
                })}
            </ol>
        </section>
    );
}
