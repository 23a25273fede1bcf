// One operation: what it has done, the jobs that it was for, and those that it left as they were.
import type { JSX } from "preact";
import { changed, write } from "../base/address";
import { api, take } from "../base/api";
import { useSource } from "../base/data";
import * as show from "../base/show";
import { StateMark } from "../base/states";
import { t, word } from "../base/text";
import { List, Page } from "../widgets/list";
import { Shown } from "../widgets/states";
import { actionText, Bar, bySkipped, selectionText, skippedText, stateText, Steps, undoText } from "./parts";
import type { Operation } from "./source";

const rows_max = 100;

function Jobs({ operation }: { operation: Operation }): JSX.Element {
    const { view, count } = operation;
    const list = useSource(
        `jobs of ${view}`,
        (signal) => take(api.GET("/v1/views/{view}", { params: { path: { view }, query: { limit: rows_max } }, signal })),
        { kinds: ["jobs"], least_ms: 2000 },
    );
    const isGone = list.data.value.error?.status === 404;
    return (
        <section class="panel">
            <header>
                <h2>{t("operations.its")}</h2>
            </header>
            {isGone ? (
                <p class="faint">{t("operations.its.none")}</p>
            ) : (
                <Shown data={list.data.value} title={t("panel.failed")} again={list.ask} rows={2}>
                    {({ jobs }) => (
                        <>
                            <List
                                rows={jobs}
                                keyOf={(job) => job.id}
                                label={t("operations.its")}
                                columns={[
                                    { key: "state", title: t("column.state"), cell: (job) => <StateMark state={job.state} /> },
                                    { key: "name", title: t("column.name"), cell: (job) => job.name },
                                    {
                                        key: "id",
                                        title: t("column.id"),
                                        wide: true,
                                        cell: (job) => (
                                            <a href={changed({ job: job.id })}>
                                                <code>{job.id}</code>
                                            </a>
                                        ),
                                    },
                                ]}
                            />
                            {count > rows_max && <p class="faint">{t("operations.first", { n: rows_max, total: count })}</p>}
                        </>
                    )}
                </Shown>
            )}
        </section>
    );
}

function Skipped({ operation }: { operation: Operation }): JSX.Element | null {
    const list = useSource(
        `skipped of ${operation.operation}`,
        (signal) => {
            const params = { path: { operation: operation.operation }, query: { limit: rows_max } };
            return take(api.GET("/v1/operations/{operation}/skipped", { params, signal }));
        },
        { kinds: ["operations"], least_ms: 2000 },
    );
    return (
        <section class="panel">
            <header>
                <h2>{t("operations.skipped")}</h2>
                <span class="faint">{bySkipped(operation)}</span>
            </header>
            <Shown data={list.data.value} title={t("panel.failed")} again={list.ask} rows={2}>
                {({ skipped, total }) =>
                    skipped.length === 0 ? (
                        <p class="faint">{t("operations.skipped.none")}</p>
                    ) : (
                        <>
                            <List
                                rows={skipped}
                                keyOf={({ id }) => id}
                                label={t("operations.skipped")}
                                columns={[
                                    { key: "why", title: t("operations.why"), cell: ({ reason }) => skippedText(reason) },
                                    {
                                        key: "id",
                                        title: t("column.id"),
                                        wide: true,
                                        cell: ({ id }) => (
                                            <a href={changed({ job: id })}>
                                                <code>{id}</code>
                                            </a>
                                        ),
                                    },
                                ]}
                            />
                            {total > rows_max && <p class="faint">{t("operations.first", { n: rows_max, total })}</p>}
                        </>
                    )
                }
            </Shown>
        </section>
    );
}

export function OperationDetail({ id }: { id: string }): JSX.Element {
    const source = useSource(
        `operation ${id}`,
        (signal) => take(api.GET("/v1/operations/{operation}", { params: { path: { operation: id } }, signal })),
        { kinds: ["operations"], every_ms: 15_000, least_ms: 700 },
    );
    const { value, error } = source.data.value;
    const isGone = error?.status === 404 && value === undefined;
    return (
        <Page
            title={t("screen.operations")}
            aside={
                <a class="button" href={write({ screen: "operations" })}>
                    {t("operations.back")}
                </a>
            }
        >
            {isGone && (
                <p class="amber note" role="alert">
                    {t("list.gone")} <code>{id}</code>
                </p>
            )}
            {!isGone && (
                <Shown data={source.data.value} title={t("panel.failed")} again={source.ask}>
                    {(operation) => {
                        const began = operation.started_at ?? operation.prepared_at;
                        const ended = operation.ended_at;
                        return (
                            <div class="detail">
                                <h2>{actionText(operation)}</h2>
                                <p class="facts">
                                    <code>{operation.operation}</code>
                                    <span>{selectionText(operation)}</span>
                                    <span>{stateText(operation)}</span>
                                </p>
                                <p class="facts">
                                    <Bar operation={operation} />
                                    <span>{t("pair", { a: t("operations.done"), b: show.count(operation.done) })}</span>
                                    <span>{t("pair", { a: t("operations.skipped"), b: show.count(operation.skipped) })}</span>
                                    {operation.rate !== undefined && (
                                        <span>{t("operations.pace", { rate: show.rate(operation.rate) })}</span>
                                    )}
                                </p>
                                <p class="facts">
                                    {operation.by && <span>{t("pair", { a: t("operations.by"), b: word("actor", operation.by) })}</span>}
                                    <span>{t("pair", { a: t("operations.at"), b: show.time(show.at(began)) })}</span>
                                    {ended && (
                                        <span>
                                            {t("operations.took", { span: show.duration(show.at(ended) - show.at(began)) })}
                                        </span>
                                    )}
                                    {operation.reason && <span>{t("pair", { a: t("reason"), b: operation.reason })}</span>}
                                </p>
                                <Steps operation={operation} changed={source.ask} />
                                <p class="faint">{undoText(operation)}</p>
                                <Jobs operation={operation} />
                                <Skipped operation={operation} />
                            </div>
                        );
                    }}
                </Shown>
            )}
        </Page>
    );
}
