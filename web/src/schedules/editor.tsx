// A recurring job under the hands. A change that somebody else saved meanwhile is never overwritten, and the job's text is sent as it
// stands.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, Failure, take, type Schemas } from "../base/api";
import { exactJson, parseExact, Raw } from "../base/json";
import { t, word } from "../base/text";
import { indented } from "../base/tree";
import { parseNumber, parseSpan, spanText } from "../base/typed";
import { TimeInput } from "../constraints/inputs";
import { Dialog } from "../widgets/dialog";

type Schedule = Schemas["Schedule"];

export interface Opened {
    schedule: Schedule | undefined; // undefined: it is new
    etag: string;
}

export async function readSchedule(schedule: string, signal?: AbortSignal): Promise<Opened> {
    const answer = api.GET("/v1/schedules/{schedule}", { params: { path: { schedule } }, signal });
    return { schedule: (await take(answer)) as Schedule, etag: (await answer).response.headers.get("etag") ?? "" };
}

function isMap(text: string): boolean {
    try {
        parseExact(text);
        return text.trim().startsWith("{");
    } catch {
        return false;
    }
}

const overlaps = ["allow", "skip", "replace"] as const;
const misses = ["once", "all", "none"] as const;

function draftOf(schedule: Schedule | undefined) {
    return {
        id: schedule?.id ?? "",
        title: schedule?.title ?? "",
        kind: schedule && "every" in schedule ? "every" : "cron",
        cron: schedule && "cron" in schedule ? schedule.cron : "30 2 * * *",
        tz: schedule && "cron" in schedule ? schedule.tz : Intl.DateTimeFormat().resolvedOptions().timeZone,
        every: schedule && "every" in schedule ? spanText(schedule.every) : "10 m",
        anchor: schedule && "every" in schedule ? schedule.anchor : undefined,
        job: schedule ? indented(exactJson(schedule.job)) : '{\n  "name": "report.nightly",\n  "argument": null\n}',
        overlap: schedule?.overlap ?? "allow",
        missed: schedule?.missed ?? "once",
        most: String(schedule?.missed_max ?? 100),
    };
}

export function ScheduleEditor({ opened, close, saved }: { opened: Opened; close: () => void; saved: () => void }): JSX.Element {
    const { schedule, etag } = opened;
    const [now, setNow] = useState(() => draftOf(schedule));
    const [isConflict, setConflict] = useState(false);
    const set = (key: keyof typeof now, value: string | undefined) => setNow((was) => ({ ...was, [key]: value }));
    const every = parseSpan(now.every);
    const most = parseNumber(now.most);
    const isReady =
        now.id.trim() !== "" &&
        isMap(now.job) &&
        (now.kind === "cron" ? now.cron.trim() !== "" : every >= 1) &&
        Number.isInteger(most) &&
        schedule?.masked !== true;
    const leave = () => {
        if (JSON.stringify(now) === JSON.stringify(draftOf(schedule)) || confirm(t("matcher.discard"))) close();
    };
    const save = async (event: Event) => {
        event.preventDefault();
        if (!isReady) return;
        const body = {
            ...(now.title && { title: now.title }),
            ...(now.kind === "cron" ? { cron: now.cron, tz: now.tz } : { every, ...(now.anchor && { anchor: now.anchor }) }),
            job: new Raw(now.job),
            overlap: now.overlap,
            missed: now.missed,
            missed_max: most,
        } as unknown as Schemas["NewSchedule"];
        const header = { ...reasonHeader(), ...(etag ? { "If-Match": etag } : { "If-None-Match": "*" as const }) };
        const done = await act(
            `save ${now.id}`,
            async () => {
                try {
                    await take(
                        api.PUT("/v1/schedules/{schedule}", {
                            params: { path: { schedule: now.id }, header },
                            body,
                            bodySerializer: exactJson,
                        }),
                    );
                } catch (failed) {
                    if (failed instanceof Failure && failed.status === 412) setConflict(true);
                    throw failed;
                }
            },
            t("schedules.saved", { title: now.title || now.id }),
        );
        if (done) {
            saved();
            close();
        }
    };
    const text = (key: "id" | "title" | "cron" | "tz" | "every" | "most", label: string, more: object = {}) => (
        <label>
            {label}
            <input type="text" spellcheck={false} value={now[key]} onInput={(event) => set(key, event.currentTarget.value)} {...more} />
        </label>
    );
    const choice = (key: "kind" | "overlap" | "missed", name: (of: string) => string, label: string, all: readonly string[]) => (
        <label>
            {label}
            <select value={now[key]} onChange={(event) => set(key, event.currentTarget.value)}>
                {all.map((each) => (
                    <option key={each} value={each}>
                        {name(each)}
                    </option>
                ))}
            </select>
        </label>
    );
    return (
        <Dialog title={schedule ? t("matcher.edit", { title: schedule.title || schedule.id }) : t("schedules.new")} close={leave} wide>
            <form class="form" onSubmit={(event) => void save(event)}>
                {isConflict && (
                    <p class="amber" role="alert">
                        {t(etag ? "schedules.conflict" : "schedules.taken")}
                    </p>
                )}
                {schedule?.masked && <p class="amber">{t("schedules.masked")}</p>}
                {!schedule && text("id", t("column.id"), { required: true, class: "mono" })}
                {text("title", t("matcher.title"), { maxLength: 200 })}
                <div class="limit-fields">
                    {choice("kind", (of) => word("schedulekind", of), t("schedules.rule"), ["cron", "every"])}
                    {now.kind === "cron" && text("cron", t("schedules.cron"), { class: "mono", required: true })}
                    {now.kind === "cron" && text("tz", t("limitfield.zone"), { class: "mono", required: true })}
                    {now.kind === "every" &&
                        text("every", t("schedules.interval"), { "required": true, "aria-invalid": !(every >= 1) })}
                    {now.kind === "every" && (
                        <TimeInput
                            label={t("schedules.anchor")}
                            value={now.anchor}
                            set={(value) => set("anchor", value as string | undefined)}
                        />
                    )}
                    {choice("overlap", (of) => word("scheduleoverlap", of), t("schedules.overlap"), overlaps)}
                    {choice("missed", (of) => word("schedulemissed", of), t("schedules.missed"), misses)}
                    {now.missed === "all" &&
                        text("most", t("schedules.most"), { "inputmode": "numeric", "aria-invalid": !Number.isInteger(most) })}
                </div>
                <label>
                    {t("schedules.json")}
                    <textarea
                        class="mono"
                        rows={8}
                        spellcheck={false}
                        value={now.job}
                        aria-invalid={!isMap(now.job)}
                        onInput={(event) => set("job", event.currentTarget.value)}
                    />
                    {!isMap(now.job) && (
                        <span class="red" role="alert">
                            {t("try.json")}
                        </span>
                    )}
                </label>
                <div class="dialog-end">
                    <span class="grow" />
                    <button type="button" onClick={leave}>
                        {t("cancel")}
                    </button>
                    <button type="submit" class="primary" disabled={!isReady}>
                        {t("save")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
