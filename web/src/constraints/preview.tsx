// What a matcher would do, while one types.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, Failure, take, type Schemas } from "../base/api";
import { changed } from "../base/address";
import { sentence } from "../base/failure";
import { Raw } from "../base/json";
import * as show from "../base/show";
import { states, StateMark } from "../base/states";
import { listed, t, word } from "../base/text";
import { worded } from "../base/wording";
import { Spark } from "../widgets/list";

type Preview = Schemas["MatcherPreview"];
const pause_ms = 300;
export type Asked = Schemas["PreviewMatcher"];

// Asks a while after the last key; a slower answer never wins. `body` undefined: there is nothing to ask.
export function usePreview(body: Asked | undefined): { preview: Preview | undefined; error: Failure | undefined; busy: boolean } {
    const [found, setFound] = useState<{ preview?: Preview; error?: Failure; of: string }>({ of: "" });
    const text = body ? JSON.stringify(body) : "";
    useEffect(() => {
        if (!body) return;
        const control = new AbortController();
        const timer = setTimeout(() => {
            take(api.POST("/v1/matchers/preview", { body, signal: control.signal })).then(
                (preview) => !control.signal.aborted && setFound({ preview, of: text }),
                (error: unknown) => {
                    if (error instanceof Failure && !control.signal.aborted) setFound((was) => ({ ...was, error, of: text }));
                },
            );
        }, pause_ms);
        return () => {
            control.abort();
            clearTimeout(timer);
        };
    }, [text]);
    const busy = text !== "" && found.of !== text;
    return { preview: body ? found.preview : undefined, error: busy ? undefined : found.error, busy };
}

export function Problem({ error }: { error: Failure }): JSX.Element {
    const [first] = error.problem?.errors ?? [];
    return (
        <p class="red" role="alert">
            {first ? t("matcher.problem", { field: first.field, column: String(first.column), text: first.message }) : sentence(error)}
        </p>
    );
}

function Samples({ title, jobs }: { title: string; jobs: Preview["samples"] }): JSX.Element | null {
    if (jobs.length === 0) return null;
    return (
        <details>
            <summary>{title}</summary>
            <ul class="samples">
                {jobs.map((job) => (
                    <li key={job.id}>
                        <StateMark state={job.state} /> {job.name}{" "}
                        <a href={changed({ job: job.id })}>
                            <code>{job.id}</code>
                        </a>
                    </li>
                ))}
            </ul>
        </details>
    );
}

function drainText({ drain }: Preview): string {
    if (!drain) return t("preview.drain.never");
    const after = show.duration(drain.after * 1000);
    return drain.before === undefined ? after : t("preview.drain.from", { after, before: show.duration(drain.before * 1000) });
}

function Forecast({ preview }: { preview: Preview }): JSX.Element | null {
    const ready = preview.states.find((each) => each.state === "ready")?.matched ?? 0;
    const { arrivals, replay } = preview;
    const facts: [string, string, boolean?][] = [];
    if (arrivals.per_second > 0 || arrivals.starts_per_second > 0)
        facts.push([
            t("preview.arrivals"),
            t("preview.rates", { come: show.rate(arrivals.per_second), start: show.rate(arrivals.starts_per_second) }),
        ]);
    if (arrivals.growth > 0) facts.push([t("preview.growth"), show.rate(arrivals.growth), true]);
    if (ready > 0) facts.push([t("preview.drain"), drainText(preview), !preview.drain]);
    if (replay.starts > 0)
        facts.push([
            t("preview.replay"),
            t("preview.delayed", {
                delayed: replay.delayed,
                starts: replay.starts,
                most: show.duration(replay.max_delay * 1000),
            }),
        ]);
    for (const each of preview.keys)
        if (each.distinct > 0 && each.top.some((top) => top.key !== ""))
            facts.push([
                t("preview.keys", { kind: word("kind", each.kind) }),
                t("preview.keys.of", {
                    n: each.distinct,
                    top: listed(each.top.slice(0, 4).map((top) => `${top.key} (${show.count(top.jobs)})`)),
                }),
            ]);
    if (preview.overlaps.length > 0)
        facts.push([
            t("preview.overlaps"),
            listed(preview.overlaps.map((each) => `${each.matcher} (${t("preview.jobs", { n: each.jobs })})`)),
        ]);
    for (const { cause, jobs } of preview.faults)
        facts.push([t("preview.fault"), `${word("cause", cause)} (${t("preview.jobs", { n: jobs })})`, true]);
    if (facts.length === 0) return null;
    const charts: [string, readonly number[]][] =
        replay.starts > 0 ? [[t("preview.as_it_was"), replay.as_it_was], [t("preview.limited"), replay.limited]] : [];
    const top = Math.max(0, ...charts.flatMap(([, values]) => values));
    return (
        <dl class="forecast">
            {facts.map(([title, text, warns]) => (
                <div key={title + text}>
                    <dt>{title}</dt>
                    <dd class={warns ? "amber" : ""}>{text}</dd>
                </div>
            ))}
            {charts.map(([title, values]) => (
                <div key={title}>
                    <dt>{title}</dt>
                    <dd>
                        <Spark
                            values={values}
                            top={top}
                            label={t("preview.chart", { title, most: Math.max(0, ...values), step: show.duration(replay.step * 1000) })}
                        />
                    </dd>
                </div>
            ))}
        </dl>
    );
}

export function PreviewText({ preview, error }: { preview: Preview | undefined; error: Failure | undefined }): JSX.Element | null {
    if (error) return <Problem error={error} />;
    if (!preview) return <p class="faint">{t("loading")}</p>;
    const matched = preview.states.filter((each) => each.matched > 0);
    const partly = preview.states.some((each) => !each.complete);
    return (
        <div class="preview">
            <p class="facts">
                <span>{t("matcher.matches")}</span>
                {states
                    .flatMap((state) => matched.filter((each) => each.state === state))
                    .map((each) => (
                        <span key={each.state}>
                            <StateMark state={each.state} /> {(each.complete ? "" : "≥ ") + show.count(each.matched)}
                        </span>
                    ))}
                {matched.length === 0 && (
                    <span class="amber">{t(preview.names.class === "never" ? "matcher.matches.never" : "matcher.matches.none")}</span>
                )}
                {partly && <span class="faint">{t("preview.partly")}</span>}
            </p>
            {(preview.newly_matched_count > 0 || preview.no_longer_matched_count > 0) && (
                <p>{t("matcher.changes", { more: preview.newly_matched_count, fewer: preview.no_longer_matched_count })}</p>
            )}
            <Forecast preview={preview} />
            <Samples title={t("preview.samples")} jobs={preview.samples} />
            <Samples title={t("preview.newly")} jobs={preview.newly_matched} />
            <Samples title={t("preview.nolonger")} jobs={preview.no_longer_matched} />
        </div>
    );
}

// A key `result` is kept as it was written, like that of a job (json.ts).
function resultOf(term: Schemas["TestedTerms"]["terms"][number]): typeof term {
    const given: unknown = term.result;
    const result = (given instanceof Raw ? given.toJSON() : given) as boolean | string;
    const { reason, values } = term;
    const words = typeof result === "string" ? show.reader() : undefined;
    return { ...term, result: (words && reason && values && worded(words, { reason, values })) ?? result };
}

// The expression on one job: one that is there, by its id, or one as it could be pushed.
export function TryPanel({ expression }: { expression: string }): JSX.Element {
    const [job, setJob] = useState("");
    const [argument, setArgument] = useState("{}");
    const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(job.trim());
    let value: unknown;
    let wrong = false;
    try {
        value = JSON.parse(argument.trim() || "null");
    } catch {
        wrong = true;
    }
    const ready = expression.trim() !== "" && job.trim() !== "" && (isId || !wrong);
    const { preview, error } = usePreview(
        ready
            ? {
                  expression,
                  test: isId ? { job: job.trim() } : { name: job.trim(), argument: value as Schemas["TestedNewJob"]["argument"] },
              }
            : undefined,
    );
    const test = preview?.test;
    return (
        <details class="try">
            <summary>{t("try.title")}</summary>
            <label>
                {t("try.job")}
                <input type="text" class="mono" value={job} spellcheck={false} onInput={(event) => setJob(event.currentTarget.value)} />
            </label>
            {job.trim() !== "" && !isId && (
                <label>
                    {t("try.argument")}
                    <textarea
                        class="mono"
                        rows={2}
                        spellcheck={false}
                        value={argument}
                        aria-invalid={wrong}
                        onInput={(event) => setArgument(event.currentTarget.value)}
                    />
                    {wrong && (
                        <span class="red" role="alert">
                            {t("try.json")}
                        </span>
                    )}
                </label>
            )}
            <div aria-live="polite">
                {error && <Problem error={error} />}
                {test && (
                    <>
                        <p class={test.matches ? "green" : "amber"}>
                            {t(test.matches ? "try.matches" : "try.matches.not")} {test.fault}
                        </p>
                        <ul class="terms">
                            {test.terms.map(resultOf).map((term) => (
                                <li key={`${term.line}:${term.column}`}>
                                    <span class={term.result === true ? "green" : term.result === false ? "red" : "amber"}>
                                        {term.result === true ? "✔" : term.result === false ? "✖" : "?"}
                                    </span>{" "}
                                    <code>{term.text}</code>{" "}
                                    <span class="faint">
                                        {typeof term.result === "string"
                                            ? term.result
                                            : listed(
                                                  term.reads.map((each) =>
                                                      each.expected
                                                          ? t("try.expected", {
                                                                text: each.text,
                                                                type: each.type,
                                                                expected: each.expected,
                                                            })
                                                          : `${each.text} = ${each.value} (${each.type})`,
                                                  ),
                                              )}
                                    </span>
                                </li>
                            ))}
                        </ul>
                    </>
                )}
            </div>
        </details>
    );
}
