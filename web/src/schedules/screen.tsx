import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { changed, go, place, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { nowEachSecond } from "../base/clock";
import { usePages } from "../base/pages";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { StateMark } from "../base/states";
import { t } from "../base/text";
import { ListPage, type ListColumn } from "../widgets/list";
import { Empty } from "../widgets/states";
import { ScheduleDetail } from "./detail";
import { ScheduleEditor } from "./editor";

type Schedule = Schemas["Schedule"];

const title = (schedule: Schedule) => schedule.title || schedule.id;
const rule = (schedule: Schedule) =>
    "cron" in schedule ? `${schedule.cron} ${schedule.tz}` : show.interval(schedule.every);

function Actions({ schedule }: { schedule: Schedule }): JSX.Element {
    const parameters = { params: { path: { schedule: schedule.id }, header: reasonHeader() } };
    const pause = (on: boolean) =>
        take(on ? api.POST("/v1/schedules/{schedule}/pause", parameters) : api.POST("/v1/schedules/{schedule}/resume", parameters));
    const values = { title: title(schedule) };
    return (
        <span class="actions">
            <button
                type="button"
                onClick={() =>
                    void act(
                        `pause schedule ${schedule.id}`,
                        () => pause(!schedule.paused),
                        t(schedule.paused ? "done.resume.schedule" : "done.pause.schedule", values),
                        { act: () => pause(schedule.paused) },
                    )
                }
            >
                {t(schedule.paused ? "do.resume" : "do.pause")}
            </button>
            <button
                type="button"
                onClick={() =>
                    void act(
                        `run job ${schedule.id}`,
                        async () => {
                            const made = (await take(api.POST("/v1/schedules/{schedule}/run", { ...parameters, body: {} }))) as {
                                id: string;
                            };
                            go(changed({ job: made.id }));
                        },
                        t("done.run", values),
                    )
                }
            >
                {t("do.run.now")}
            </button>
        </span>
    );
}

export function SchedulesScreen(): JSX.Element {
    const at = nowEachSecond();
    const [isNew, setNew] = useState(false);
    const list = usePages(
        "schedules",
        (after, signal) => take(api.GET("/v1/schedules", { params: { query: { limit: 200, ...(after && { after }) } }, signal })),
        ({ schedules }) => schedules,
        { kinds: ["schedules"], every_ms: 10_000, least_ms: 1000 },
    );
    if (place.value.id) return <ScheduleDetail key={place.value.id} id={place.value.id} />;
    const next = (schedule: Schedule) => {
        const due = show.at(schedule.next_run_at);
        if (schedule.paused || due === 0) return <span class="amber">{t("schedules.paused")}</span>;
        return (
            <span class="pieces">
                <span>{show.time(due)}</span> <span class="faint">({due > at ? t("in", { span: show.age(due - at) }) : t("now")})</span>
            </span>
        );
    };
    const columns: ListColumn<Schedule>[] = [
        {
            key: "title",
            title: t("schedules.title"),
            wide: true,
            cell: (s) => <a href={write({ screen: "schedules", id: s.id })}>{title(s)}</a>,
        },
        { key: "rule", title: t("schedules.rule"), cell: (s) => <code>{rule(s)}</code> },
        { key: "name", title: t("schedules.job"), cell: (s) => s.job.name },
        { key: "next", title: t("column.next"), cell: next },
        {
            key: "last",
            title: t("schedules.last"),
            least: true,
            cell: (s) =>
                s.last_job ? (
                    <a href={changed({ job: s.last_job })}>
                        {s.last_job_state ? <StateMark state={s.last_job_state} /> : t("schedules.gone")}
                    </a>
                ) : (
                    ""
                ),
        },
        { key: "fired", title: t("schedules.fired"), number: true, cell: (s) => show.count(s.fired), least: true },
        { key: "skipped", title: t("operations.skipped"), number: true, cell: (s) => show.count(s.skipped), least: true },
        ...(mayOperate.value
            ? [{ key: "do", title: t("column.actions"), cell: (s: Schedule) => <Actions schedule={s} /> } satisfies ListColumn<Schedule>]
            : []),
    ];
    return (
        <ListPage
            title={t("screen.schedules")}
            aside={
                mayOperate.value && (
                    <button type="button" class="primary" onClick={() => setNew(true)}>
                        {t("schedules.new")}…
                    </button>
                )
            }
            source={list}
            rows={({ rows }) => rows}
            columns={columns}
            keyOf={(schedule) => schedule.id}
            empty={
                <Empty icon="schedules" title={t("schedules.none")}>
                    <p>{t("schedules.none.hint")}</p>
                </Empty>
            }
        >
            {isNew && <ScheduleEditor opened={{ schedule: undefined, etag: "" }} close={() => setNew(false)} saved={list.ask} />}
        </ListPage>
    );
}
