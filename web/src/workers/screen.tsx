import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { place, write } from "../base/address";
import { api, root, take } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { listed, t, word } from "../base/text";
import { quoted } from "../jobs/filter";
import { asked } from "../operations/asked";
import { workers, type Worker } from "../shell/overviewsource";
import { ask } from "../widgets/ask";
import { Copy } from "../widgets/copy";
import { ListPage, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";

const firstClaim = `curl -X POST ${root}/v1/claims -H 'Content-Type: application/json' -d '{"worker": "w-1", "wait": 30}'`;
const order: Record<Worker["state"], number> = { lost: 0, unreachable: 1, late: 2, draining: 3, up: 4 };

function steer(worker: Worker, changed: () => void): JSX.Element {
    const drains = worker.state === "draining";
    const call = (drain: boolean) => {
        const parameters = { params: { path: { worker: worker.worker }, header: reasonHeader() } };
        return take(drain ? api.POST("/v1/workers/{worker}/drain", parameters) : api.POST("/v1/workers/{worker}/resume", parameters)).then(
            changed,
        );
    };
    const done = t(drains ? "done.resume.worker" : "done.drain", { worker: worker.worker });
    return (
        <button
            type="button"
            onClick={() =>
                void act(
                    `steer worker ${worker.worker}`,
                    () => call(!drains),
                    done,
                    { act: () => call(drains) },
                )
            }
        >
            {t(drains ? "do.resume" : "do.drain")}
        </button>
    );
}

// A worker that is called is called no more. One that asks for jobs comes back when it asks again.
async function forget({ worker, kind }: Worker, changed: () => void): Promise<void> {
    const text = t(kind === "served" ? "workers.forget.text" : "workers.forget.lost");
    const question = { title: t("workers.forget.title", { worker }), text, go: t("do.forget"), danger: kind === "served" };
    if (!(await ask(question))) return;
    const call = () => take(api.DELETE("/v1/workers/{worker}", { params: { path: { worker }, header: reasonHeader() } }));
    await act(`forget worker ${worker}`, () => call().then(changed), t("done.forget", { worker }));
}

const ofWorker = (worker: string) => `has(job.worker) && job.worker == ${quoted(worker)}`;

function Actions({ worker, changed }: { worker: Worker; changed: () => void }): JSX.Element {
    const release = () => (asked.value = { action: "release", selection: { state: "running", match: ofWorker(worker.worker) } });
    return (
        <span class="actions">
            {worker.state !== "lost" && steer(worker, changed)}
            {worker.running > 0 && (
                <button type="button" title={t("workers.release.tip")} onClick={release}>
                    {t("workers.release")}
                </button>
            )}
            {(worker.kind === "served" || worker.state === "lost") && (
                <button type="button" onClick={() => void forget(worker, changed)}>
                    {t("do.forget")}
                </button>
            )}
        </span>
    );
}

export function WorkersScreen(): JSX.Element {
    const at = nowEachSecond();
    const list = usePages(
        "workers",
        (after, signal) => take(api.GET("/v1/workers", { params: { query: { limit: 200, ...(after && { after }) } }, signal })),
        (page) => page.workers,
        { every_ms: 5000, least_ms: 2000 },
    );
    const changed = () => {
        list.ask();
        workers.ask();
    };
    const jobsOf = (worker: Worker) =>
        write({
            screen: "jobs",
            parameters: { state: "running", filter: ofWorker(worker.worker) },
        });
    // Also of jobs that others have taken since.
    const failures = (worker: Worker) =>
        worker.failed === 0 ? (
            "0"
        ) : (
            <a
                href={write({ screen: "failures", parameters: { filter: ofWorker(worker.worker), show: "all" } })}
                title={t("workers.failures")}
            >
                {show.count(worker.failed)}
            </a>
        );
    const names = (worker: Worker) => {
        if (!worker.names) return t("workers.all.names");
        const all = listed(worker.names);
        return (
            <span class="clamped" title={all}>
                {all}
            </span>
        );
    };
    const isTrouble = list.data.value.value?.rows.some(({ trouble }) => trouble);
    const every: ListColumn<Worker>[] = [
        {
            key: "worker",
            title: t("column.worker"),
            wide: true,
            cell: (w) => <a href={write({ screen: "workers", id: w.worker })}>{w.worker}</a>,
        },
        {
            key: "state",
            title: t("column.state"),
            cell: (w) => <span class={`worker-${w.state}`}>{word("worker", w.state)}</span>,
        },
        { key: "kind", title: t("workers.kind"), cell: (w) => word("workerkind", w.kind), least: true },
        { key: "names", title: t("workers.names"), cell: names, least: true, text: true },
        {
            key: "running",
            title: t("workers.running"),
            number: true,
            cell: (w) => <a href={jobsOf(w)}>{w.slots === undefined ? show.count(w.running) : `${w.running}/${w.slots}`}</a>,
        },
        {
            key: "heard",
            title: t("workers.heard"),
            number: true,
            cell: (w) => (
                <span title={t("workers.seen", { at: show.exact(show.at(w.first_seen)) })}>
                    {t("ago", { span: show.age(at - show.at(w.last_contact)) })}
                </span>
            ),
        },
        { key: "succeeded", title: t("names.succeeded"), number: true, cell: (w) => show.count(w.succeeded), least: true },
        { key: "failed", title: t("names.failures"), number: true, cell: failures, least: true },
        {
            key: "took",
            title: t("workers.took"),
            number: true,
            least: true,
            whole: true,
            cell: (w) => (w.p50 === undefined ? "" : `${show.duration(w.p50 * 1000)} / ${show.duration((w.p95 ?? 0) * 1000)}`),
        },
        {
            key: "trouble",
            title: t("workers.trouble"),
            least: true,
            text: true,
            cell: (w) => (w.trouble ? <span class="red">{w.trouble}</span> : ""),
        },
        { key: "version", title: t("workers.version"), cell: (w) => w.version ?? "", least: true, rare: true },
        ...(mayOperate.value
            ? [
                  {
                      key: "do",
                      title: t("column.actions"),
                      cell: (w: Worker) => <Actions worker={w} changed={changed} />,
                  } satisfies ListColumn<Worker>,
              ]
            : []),
    ];
    // What was wrong is a column where something was.
    const columns = every.filter(({ key }) => key !== "trouble" || isTrouble);
    return (
        <ListPage
            title={t("screen.workers")}
            source={list}
            rows={({ rows }) => [...rows].sort((a, b) => order[a.state] - order[b.state] || (a.worker < b.worker ? -1 : 1))}
            columns={columns}
            keyOf={(worker) => worker.worker}
            current={place.value.id}
            empty={
                <Empty icon="workers" title={t("panel.workers.none")}>
                    <p>{t("workers.first")}</p>
                    <pre class="command">
                        <code>{firstClaim}</code>
                        <Copy text={firstClaim} label={t("copy.command")} />
                    </pre>
                </Empty>
            }
        />
    );
}
