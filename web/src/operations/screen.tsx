import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { place, write } from "../base/address";
import { api, take } from "../base/api";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t, word, type Key } from "../base/text";
import { ListPage, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";
import { undoOperation } from "./bulk";
import { operations, type Operation } from "./source";

type Step = "pause" | "resume" | "stop";
const paths = {
    pause: "/v1/operations/{operation}/pause",
    resume: "/v1/operations/{operation}/resume",
    stop: "/v1/operations/{operation}/stop",
} as const;

function step(operation: Operation, what: Step): void {
    const call = () => take(api.POST(paths[what], { params: { path: { operation: operation.operation }, header: reasonHeader() } }));
    void act(`${what} ${operation.operation}`, () => call().then(operations.ask));
}

function selectionText({ selection }: Operation): string {
    if (!selection) return t("operations.all");
    const parts = [
        selection.trash ? t("jobs.trash") : "",
        selection.state ? word("state", selection.state) : "",
        selection.name ?? "",
        selection.tag ?? "",
        selection.match ?? "",
        selection.signature ? t("operations.cause") : "",
        selection.ids ? t("operations.ids") : "",
    ];
    return parts.filter(Boolean).join(" · ") || t("operations.all");
}

function Steps({ operation }: { operation: Operation }): JSX.Element {
    const button = (what: Step) => (
        <button type="button" onClick={() => step(operation, what)}>
            {t(`do.${what}` as Key)}
        </button>
    );
    return (
        <span class="actions">
            {operation.state === "running" && button("pause")}
            {operation.state === "paused" && button("resume")}
            {(operation.state === "running" || operation.state === "paused") && button("stop")}
            {operation.undoable && (
                <button
                    type="button"
                    onClick={() =>
                        void act(
                            `undo ${operation.operation}`,
                            () => undoOperation(operation.operation).then(operations.ask),
                            t("bulk.undoing"),
                        )
                    }
                >
                    {t("undo")}
                </button>
            )}
        </span>
    );
}

export function OperationsScreen(): JSX.Element {
    const columns: ListColumn<Operation>[] = [
        {
            key: "what",
            title: t("operations.what"),
            cell: (o) => <a href={write({ screen: "operations", id: o.operation })}>{t(`do.${o.action}` as Key)}</a>,
        },
        { key: "jobs", title: t("operations.jobs"), wide: true, cell: (o) => selectionText(o) },
        {
            key: "progress",
            title: t("operations.progress"),
            cell: (o) => (
                <span class="progress">
                    <progress value={o.position} max={Math.max(1, o.count)} aria-label={t("operations.progress")} />
                    {show.percent(o.count > 0 ? o.position / o.count : 1)}
                </span>
            ),
        },
        { key: "done", title: t("operations.done"), number: true, cell: (o) => show.count(o.done) },
        {
            key: "skipped",
            title: t("operations.skipped"),
            number: true,
            cell: (o) => <span title={o.skipped_by.map((each) => `${each.reason}: ${each.jobs}`).join("\n")}>{show.count(o.skipped)}</span>,
        },
        {
            key: "state",
            title: t("column.state"),
            cell: (o) => (o.undone_by ? t("operations.undone") : word("operation", o.state)),
        },
        { key: "by", title: t("operations.by"), cell: (o) => o.by ?? "", least: true },
        { key: "why", title: t("reason"), cell: (o) => o.reason ?? "", least: true },
        { key: "at", title: t("operations.at"), cell: (o) => show.time(show.at(o.started_at ?? o.prepared_at)), least: true, whole: true },
        ...(mayOperate.value
            ? [
                  {
                      key: "do",
                      title: t("column.actions"),
                      cell: (o: Operation) => <Steps operation={o} />,
                  } satisfies ListColumn<Operation>,
              ]
            : []),
    ];
    return (
        <ListPage
            title={t("screen.operations")}
            source={operations}
            rows={(list) => list.operations.filter((each) => each.state !== "prepared")}
            columns={columns}
            keyOf={(each) => each.operation}
            current={place.value.id}
            empty={
                <Empty icon="operations" title={t("operations.none")}>
                    <p>{t("operations.none.hint")}</p>
                </Empty>
            }
        />
    );
}
