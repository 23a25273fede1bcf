// Failures in groups of one cause.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { changed, go, parameter, place, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { serverNow } from "../base/clock";
import { Icon } from "../base/icon";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { matchOf, quoted } from "../jobs/filter";
import { attemptsPossible } from "../jobs/columns";
import { ListFilter, NoMatch } from "../jobs/listfilter";
import { asked } from "../operations/asked";
import { ListPage, More, Page, Segments, Spark, type ListColumn } from "../widgets/list";
import { Empty, Shown } from "../widgets/states";

type Group = Schemas["FailureGroup"];
const windows = ["1h", "3h", "24h", "3d", "7d"] as const;
const kinds = ["open", "resolved", "muted", "all"] as const;
const ways = ["signature", "name", "reason", "worker"] as const;
type By = (typeof ways)[number];
const mute_ms = 3_600_000;

const one = (signature: string) => ({ params: { path: { signature }, header: reasonHeader() } });

function Actions({ group }: { group: Group }): JSX.Element | null {
    if (!mayOperate.value) return null;
    const { signature } = group;
    const resolve = (resolved: boolean) => take(api.POST("/v1/failures/{signature}/resolve", { ...one(signature), body: { resolved } }));
    const mute = (until?: string) => take(api.POST("/v1/failures/{signature}/mute", { ...one(signature), body: until ? { until } : {} }));
    const muted = show.at(group.muted_until) > serverNow();
    return (
        <div class="actions">
            <button
                type="button"
                disabled={group.failed === 0}
                onClick={() => (asked.value = { action: "retry", selection: { signature } })}
            >
                <Icon name="refresh" />
                {t("do.retry.n", { n: group.failed })}
            </button>
            <button
                type="button"
                onClick={() =>
                    void act(
                        `resolve ${signature}`,
                        () => resolve(group.state === "open"),
                        t(group.state === "open" ? "done.resolve" : "done.reopen"),
                        { act: () => resolve(group.state !== "open") },
                    )
                }
            >
                {t(group.state === "open" ? "do.resolve" : "do.reopen")}
            </button>
            <button
                type="button"
                onClick={() =>
                    void act(
                        `mute messages ${signature}`,
                        () => mute(muted ? undefined : new Date(serverNow() + mute_ms).toISOString()),
                        t(muted ? "done.unmute" : "done.mute"),
                    )
                }
            >
                {t(muted ? "do.unmute" : "do.mute")}
            </button>
            <span class="grow" />
            <button
                type="button"
                class="danger"
                disabled={group.failed === 0}
                onClick={() => (asked.value = { action: "delete", selection: { signature } })}
            >
                <Icon name="bin" />
                {t("do.delete.n", { n: group.failed })}
            </button>
        </div>
    );
}

function Detail({ signature }: { signature: string }): JSX.Element {
    const query = { window: parameter("window") as (typeof windows)[number] };
    const page = usePages(
        `failure ${signature} ${query.window}`,
        (cursor, signal) =>
            take(
                api.GET("/v1/failures/{signature}", {
                    params: { path: { signature }, query: { ...(query.window ? query : {}), ...(cursor && { cursor }) } },
                    signal,
                }),
            ),
        ({ jobs }) => jobs,
        { kinds: ["jobs"], every_ms: 10_000, least_ms: 2000 },
    );
    const back = write({ screen: "failures", parameters: place.value.parameters });
    return (
        <Page
            title={t("screen.failures")}
            aside={
                <a class="button" href={back}>
                    {t("failures.back")}
                </a>
            }
        >
            <Shown data={page.data.value} title={t("panel.failed")} again={page.ask}>
                {({ group, rows: jobs, total }) => (
                    <div class="detail">
                        <h2>{group.title || t("no.message")}</h2>
                        <p class="facts">
                            <span>{group.name}</span>
                            <span>{word("reason", group.reason)}</span>
                            <span>{t("failures.count", { n: group.count })}</span>
                            <span>{t("failures.final", { n: group.final })}</span>
                            <span>{t("failures.first", { at: show.time(show.at(group.first_seen)) })}</span>
                            <span>{t("failures.last", { at: show.time(show.at(group.last_seen)) })}</span>
                            {group.resolved_at && <span>{t("failures.resolved.at", { at: show.time(show.at(group.resolved_at)) })}</span>}
                            {show.at(group.muted_until) > serverNow() && (
                                <span>{t("failures.muted.until", { at: show.time(show.at(group.muted_until)) })}</span>
                            )}
                        </p>
                        <Actions group={group} />
                        {group.workers.length > 0 && (
                            <p class="facts">
                                {t("failures.workers")}
                                {group.workers.map(({ worker, count }) => (
                                    <span key={worker}>
                                        <a href={write({ screen: "workers", id: worker })}>{worker}</a> ({show.count(count)})
                                    </span>
                                ))}
                            </p>
                        )}
                        <h2>{t("failures.jobs", { n: total })}</h2>
                        {jobs.length === 0 ? (
                            <p class="faint">{t("failures.jobs.none")}</p>
                        ) : (
                            <ul class="lines">
                                {jobs.map((job) => (
                                    <li key={job.id}>
                                        <a href={changed({ job: job.id })}>
                                            <code>{job.id}</code>
                                        </a>{" "}
                                        <span class="faint">{job.finished_at && show.time(show.at(job.finished_at))}</span>{" "}
                                        <span class="faint">
                                            {t("head.attempt", { attempt: job.attempt, possible: attemptsPossible(job) })}
                                        </span>{" "}
                                        {job.worker && <span class="faint">{job.worker}</span>}{" "}
                                        <span>{job.message}</span>
                                    </li>
                                ))}
                            </ul>
                        )}
                        <More of={page} shown={jobs.length} />
                    </div>
                )}
            </Shown>
        </Page>
    );
}

const several_max = 10_000;

// The failed jobs of several causes become one operation.
async function retrySeveral(signatures: readonly string[]): Promise<void> {
    const ids: string[] = [];
    await act("collect", async () => {
        for (const signature of signatures) {
            let cursor: string | undefined;
            do {
                const query = { limit: 500, ...(cursor && { cursor }) };
                const page = await take(api.GET("/v1/failures/{signature}", { params: { path: { signature }, query } }));
                ids.push(...page.jobs.map((each) => each.id));
                cursor = page.next;
            } while (cursor !== undefined && ids.length < several_max);
        }
        if (ids.length > 0) asked.value = { action: "retry", selection: { ids: ids.slice(0, several_max) } };
    });
}

function Several({ groups, clear }: { groups: readonly Group[]; clear: () => void }): JSX.Element | null {
    if (groups.length === 0) return null;
    const n = groups.reduce((sum, each) => sum + each.failed, 0);
    return (
        <div class="bulk" role="region" aria-label={t("bulk.bar")}>
            <strong>{t("failures.several", { n: groups.length })}</strong>
            <button type="button" class="link" onClick={clear}>
                {t("bulk.clear")}
            </button>
            <span class="grow" />
            <button
                type="button"
                disabled={n === 0}
                title={n > several_max ? t("failures.several.most", { most: several_max }) : undefined}
                onClick={() => void retrySeveral(groups.map((each) => each.signature))}
            >
                <Icon name="refresh" />
                {t("do.retry.n", { n: Math.min(n, several_max) })}
            </button>
        </div>
    );
}

type Sum = Schemas["FailureSum"];

// What a sum is of: the causes that it sums up are found by it.
function filterOf(by: By, key: string): string {
    if (by === "name") return `job.name == ${quoted(key)}`;
    return by === "reason" ? `job.reason == ${quoted(key)}` : `has(job.worker) && job.worker == ${quoted(key)}`;
}

function sumColumns(by: By): ListColumn<Sum>[] {
    const text = (key: string) => (by === "reason" ? word("reason", key) : key);
    return [
        {
            key: "key",
            title: word("failuresby", by),
            wide: true,
            cell: (s) => <a href={changed({ by: undefined, filter: filterOf(by, s.key) })}>{text(s.key)}</a>,
        },
        { key: "groups", title: t("failures.cause"), cell: (s) => t("failures.groups", { n: s.groups }) },
        { key: "trend", title: t("failures.trend"), cell: (s) => <Spark values={s.trend} label={t("failures.trend")} />, least: true },
        { key: "window", title: t("failures.window"), number: true, cell: (s) => show.count(s.in_window) },
        { key: "hour", title: t("failures.hour"), number: true, cell: (s) => show.count(s.last_hour), least: true },
        { key: "failed", title: t("failures.now"), number: true, cell: (s) => show.count(s.failed) },
        { key: "last", title: t("failures.seen"), cell: (s) => show.time(show.at(s.last_seen)) },
    ];
}

export function FailuresScreen(): JSX.Element {
    const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
    const window = windows.find((each) => each === parameter("window")) ?? "24h";
    const state = kinds.find((each) => each === parameter("show")) ?? "open";
    const match = matchOf(parameter("filter"), "failures");
    const by = ways.find((each) => each === parameter("by")) ?? "signature";
    const query = { window, state, limit: 200, group_by: by, ...(match && { match }) };
    const page = usePages(
        `failures ${window} ${state} ${match} ${by}`,
        (cursor, signal) => take(api.GET("/v1/failures", { params: { query: { ...query, ...(cursor && { cursor }) } }, signal })),
        ({ groups }) => groups,
        { kinds: ["jobs"], every_ms: 10_000, least_ms: 2000 },
    );
    if (place.value.id) return <Detail key={place.value.id} signature={place.value.id} />;
    const link = (group: Group) => write({ screen: "failures", id: group.signature, parameters: place.value.parameters });
    const pick = (signature: string, on: boolean) =>
        setPicked((was) => new Set(on ? [...was, signature] : [...was].filter((each) => each !== signature)));
    const tick: ListColumn<Group> = {
        key: "tick",
        title: "",
        cell: (group) => (
            <input
                type="checkbox"
                aria-label={t("row.select", { name: group.title || t("no.message") })}
                checked={picked.has(group.signature)}
                onChange={(event) => pick(group.signature, event.currentTarget.checked)}
            />
        ),
    };
    const columns: ListColumn<Group>[] = [
        ...(mayOperate.value ? [tick] : []),
        { key: "title", title: t("failures.cause"), wide: true, cell: (g) => <a href={link(g)}>{g.title || t("no.message")}</a> },
        { key: "name", title: t("column.name"), cell: (g) => g.name },
        { key: "reason", title: t("column.reason"), cell: (g) => word("reason", g.reason), least: true, whole: true },
        { key: "trend", title: t("failures.trend"), cell: (g) => <Spark values={g.trend} label={t("failures.trend")} />, least: true },
        { key: "window", title: t("failures.window"), number: true, cell: (g) => show.count(g.in_window) },
        { key: "hour", title: t("failures.hour"), number: true, cell: (g) => show.count(g.last_hour), least: true },
        { key: "failed", title: t("failures.now"), number: true, cell: (g) => show.count(g.failed) },
        { key: "first", title: t("failures.since"), cell: (g) => show.time(show.at(g.first_seen)), least: true, rare: true },
        { key: "last", title: t("failures.seen"), cell: (g) => show.time(show.at(g.last_seen)) },
    ];
    const range = (
        <Segments
            label={t("panel.range")}
            options={windows.map((each) => ({
                text: t(`window.${each}`),
                href: changed({ window: each === "24h" ? undefined : each }),
                current: each === window,
            }))}
        />
    );
    const which = (
        <Segments
            label={t("failures.show")}
            options={kinds.map((each) => ({
                text: t(`failures.${each}`),
                href: changed({ show: each === "open" ? undefined : each }),
                current: each === state,
            }))}
        />
    );
    const grouping = (
        <label class="grouping">
            {t("failures.by")}{" "}
            <select
                value={by}
                onChange={({ currentTarget: { value } }) => go(changed({ by: value === "signature" ? undefined : value }))}
            >
                {ways.map((each) => (
                    <option key={each} value={each}>
                        {word("failuresby", each)}
                    </option>
                ))}
            </select>
        </label>
    );
    const empty = match ? (
        <NoMatch />
    ) : (
        <Empty icon="check" title={t("failures.none")}>
            <p>{t(`failures.none.${state}`, { window: t(`window.${window}`) })}</p>
            {window !== "7d" && <a href={changed({ window: "7d" })}>{t("failures.longer")}</a>}
        </Empty>
    );
    const aside = (
        <>
            {which}
            {range}
            {grouping}
        </>
    );
    if (by !== "signature")
        return (
            <ListPage
                title={t("screen.failures")}
                aside={aside}
                above={<ListFilter source={page} screen="failures" />}
                source={page}
                rows={({ sums }) => sums}
                columns={sumColumns(by)}
                keyOf={(sum) => sum.key}
                empty={empty}
                below={({ complete }) => (complete ? null : <p class="faint">{t("failures.partly")}</p>)}
            />
        );
    return (
        <ListPage
            title={t("screen.failures")}
            aside={aside}
            above={
                <>
                    <ListFilter source={page} screen="failures" />
                    <Several
                        groups={(page.data.value.value?.rows ?? []).filter((each) => picked.has(each.signature))}
                        clear={() => setPicked(new Set())}
                    />
                </>
            }
            source={page}
            rows={({ rows }) => rows}
            columns={columns}
            keyOf={(group) => group.signature}
            empty={empty}
        />
    );
}
