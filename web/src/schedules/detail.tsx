// One recurring job: when it fires next, by its clock and the reader's, and what became of it so far.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { changed, go, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { useSource } from "../base/data";
import { exactJson } from "../base/json";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { t, word } from "../base/text";
import { indented } from "../base/tree";
import { ask } from "../widgets/ask";
import { List, Page } from "../widgets/list";
import { Shown } from "../widgets/states";
import { readSchedule, ScheduleEditor, type Opened } from "./editor";
import { momentThere } from "./next";

// As it was saved; whether it is paused is a field of its own.
function restore(schedule: NonNullable<Opened["schedule"]>): Promise<unknown> {
    const written = ["title", "cron", "tz", "every", "anchor", "job", "overlap", "missed", "missed_max", "paused"];
    const body = Object.fromEntries(Object.entries(schedule).filter(([key]) => written.includes(key)));
    const params = { path: { schedule: schedule.id }, header: { ...reasonHeader(), "If-None-Match": "*" as const } };
    return take(api.PUT("/v1/schedules/{schedule}", { params, body: body as unknown as Schemas["NewSchedule"] }));
}

async function remove({ schedule, etag }: Opened): Promise<void> {
    if (!schedule) return;
    const values = { title: schedule.title || schedule.id };
    const question = { title: t("delete.title", values), text: t("schedules.delete.ask"), go: t("do.delete"), danger: true };
    if (!(await ask(question))) return;
    const done = await act(
        `delete schedule ${schedule.id}`,
        () =>
            take(
                api.DELETE("/v1/schedules/{schedule}", {
                    params: { path: { schedule: schedule.id }, header: { ...reasonHeader(), "If-Match": etag } },
                }),
            ),
        t("matcher.deleted", values),
        { act: () => restore(schedule) },
    );
    if (done) go(write({ screen: "schedules" }));
}

export function ScheduleDetail({ id }: { id: string }): JSX.Element {
    const [editing, setEditing] = useState<Opened>();
    const source = useSource(`schedule ${id}`, (signal) => readSchedule(id, signal), {
        kinds: ["schedules"],
        every_ms: 10_000,
        least_ms: 1000,
    });
    return (
        <Page
            title={t("screen.schedules")}
            aside={
                <a class="button" href={write({ screen: "schedules" })}>
                    {t("schedules.back")}
                </a>
            }
        >
            <Shown data={source.data.value} title={t("panel.failed")} again={source.ask}>
                {(opened) => {
                    const { schedule } = opened;
                    if (!schedule) return <></>;
                    const tz = "cron" in schedule ? schedule.tz : "UTC";
                    return (
                        <div class="detail">
                            <h2>{schedule.title || schedule.id}</h2>
                            <p class="facts">
                                <code>{schedule.id}</code>
                                <code>
                                    {"cron" in schedule ? schedule.cron : show.interval(schedule.every)}
                                </code>
                                {"cron" in schedule && <span>{tz}</span>}
                                {schedule.paused && <span class="amber">{t("schedules.paused")}</span>}
                            </p>
                            <p class="facts">
                                <span>
                                    {t("pair", { a: t("schedules.overlap"), b: word("scheduleoverlap", schedule.overlap ?? "allow") })}
                                </span>
                                <span>
                                    {t("pair", { a: t("schedules.missed"), b: word("schedulemissed", schedule.missed ?? "once") })}
                                </span>
                                <span>{t("schedules.changed", { at: show.time(show.at(schedule.updated_at)) })}</span>
                            </p>
                            {schedule.unreadable && <p class="red">{schedule.unreadable.detail}</p>}
                            {mayOperate.value && (
                                <div class="actions">
                                    <button type="button" onClick={() => setEditing(opened)}>
                                        {t("do.edit")}
                                    </button>
                                    <button type="button" onClick={() => void remove(opened)}>
                                        {t("do.delete")}
                                    </button>
                                </div>
                            )}
                            <section class="panel">
                                <header>
                                    <h2>{t("schedules.next")}</h2>
                                </header>
                                {schedule.paused && <p class="faint">{t("schedules.paused.next")}</p>}
                                <List
                                    rows={schedule.next_runs ?? []}
                                    keyOf={(at) => at}
                                    label={t("schedules.next")}
                                    columns={[
                                        { key: "there", title: tz, cell: (at) => momentThere(at, tz) },
                                        { key: "here", title: t("schedules.here"), cell: (at) => show.time(show.at(at)), wide: true },
                                    ]}
                                />
                            </section>
                            <section class="panel">
                                <header>
                                    <h2>{t("schedules.runs")}</h2>
                                </header>
                                <List
                                    rows={schedule.runs ?? []}
                                    keyOf={(run) => run.at + (run.job ?? "")}
                                    label={t("schedules.runs")}
                                    columns={[
                                        { key: "at", title: t("schedules.here"), cell: (run) => show.time(show.at(run.at)) },
                                        { key: "outcome", title: t("schedules.outcome"), cell: (run) => word("fired", run.outcome) },
                                        {
                                            key: "job",
                                            title: t("schedules.job"),
                                            wide: true,
                                            cell: (run) =>
                                                run.job ? (
                                                    <a href={changed({ job: run.job })}>
                                                        <code>{run.job}</code>
                                                    </a>
                                                ) : (
                                                    (run.why?.detail ?? "")
                                                ),
                                        },
                                    ]}
                                />
                            </section>
                            <pre class="command">
                                <code>{indented(exactJson(schedule.job))}</code>
                            </pre>
                            {editing && (
                                <ScheduleEditor opened={editing} close={() => setEditing(undefined)} saved={source.ask} />
                            )}
                        </div>
                    );
                }}
            </Shown>
        </Page>
    );
}
