// A recurring job under the hands. A change that somebody else saved meanwhile is never overwritten, and the job's text is sent as it
// stands.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, Failure, take, takeTagged, type Schemas } from "../base/api";
import { exactJson, parseExact, Raw } from "../base/json";
import { merged, same, type Conflict, type Parts } from "../base/merge";
import { t, word } from "../base/text";
import { indented } from "../base/tree";
import { parseNumber, parseSpan, spanText } from "../base/typed";
import { localText, TimeInput } from "../constraints/inputs";
import { JobFields } from "../jobs/jobfields";
import { leaveEdit } from "../widgets/ask";
import { ConflictPanel } from "../widgets/conflict";
import { Dialog, DialogEnd } from "../widgets/dialog";
import { NextRuns, useNextRuns, type Recurrence } from "./next";

type Schedule = Schemas["Schedule"];

export interface Opened {
    schedule: Schedule | undefined; // undefined: it is new
    etag: string;
}

export async function readSchedule(schedule: string, signal?: AbortSignal): Promise<Opened> {
    const { value, etag } = await takeTagged(api.GET("/v1/schedules/{schedule}", { params: { path: { schedule } }, signal }));
    return { schedule: value as Schedule, etag };
}

// As the master takes it; nothing: it is not typed to its end.
function recurrenceOf({ kind, cron, tz, every, anchor }: Rule): Recurrence | undefined {
    const span_s = parseSpan(every);
    if (kind === "cron") return cron.trim() === "" || tz.trim() === "" ? undefined : { cron, tz };
    return span_s >= 1 ? { every: span_s, ...(anchor && { anchor }) } : undefined;
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

type Draft = ReturnType<typeof draftOf>;
type Rule = Pick<Draft, "kind" | "cron" | "tz" | "every" | "anchor">;

// In the parts that are merged. When it fires is one of them: half of a rule of each makes none.
function partsOf({ kind, cron, tz, every, anchor, ...rest }: Draft): Parts {
    return { ...rest, rule: kind === "cron" ? { kind, cron, tz } : { kind, every, anchor } };
}

function draftWith(theirs: Draft, { rule, ...rest }: Parts): Draft {
    return { ...theirs, ...(rest as Partial<Draft>), ...(rule as Partial<Rule>) };
}

function partText(value: unknown, key: string): string {
    if (key === "rule") {
        const { kind, cron, tz, every, anchor } = value as Rule;
        return kind === "cron" ? `${cron} ${tz}` : [t("schedules.every", { span: every }), localText(anchor)].filter(Boolean).join(" · ");
    }
    if (key === "overlap" || key === "missed") return word(`schedule${key}`, String(value));
    return String(value);
}

export function ScheduleEditor({ opened, close, saved }: { opened: Opened; close: () => void; saved: () => void }): JSX.Element {
    const { schedule } = opened;
    const [base, setBase] = useState(opened);
    const [now, setNow] = useState(() => draftOf(schedule));
    const [conflict, setConflict] = useState<{ theirs: Opened; parts: Parts; conflicts: readonly Conflict[] }>();
    const [isTaken, setTaken] = useState(false);
    const [epoch, setEpoch] = useState(0); // the inputs of the job begin anew after a change of its JSON
    const set = (key: keyof typeof now, value: string | undefined) => setNow((was) => ({ ...was, [key]: value }));
    const recurrence = recurrenceOf(now);
    const next = useNextRuns(recurrence);
    const most = parseNumber(now.most);
    const isReady =
        now.id.trim() !== "" &&
        isMap(now.job) &&
        recurrence !== undefined &&
        next.error?.status !== 400 &&
        Number.isInteger(most) &&
        conflict === undefined &&
        schedule?.masked !== true;
    const leave = () => void leaveEdit(!same(partsOf(now), partsOf(draftOf(schedule))), close);
    // What somebody else saved meanwhile is put beside what is typed here.
    const compare = async () => {
        const theirs = await readSchedule(now.id);
        setConflict({ theirs, ...merged(partsOf(draftOf(base.schedule)), partsOf(now), partsOf(draftOf(theirs.schedule))) });
    };
    const save = async (event: Event) => {
        event.preventDefault();
        if (!isReady) return;
        const body = {
            ...(now.title && { title: now.title }),
            ...recurrence,
            job: new Raw(now.job),
            overlap: now.overlap,
            missed: now.missed,
            missed_max: most,
        } as unknown as Schemas["NewSchedule"];
        const header = { ...reasonHeader(), ...(base.etag ? { "If-Match": base.etag } : { "If-None-Match": "*" as const }) };
        const done = await act(
            `save schedule ${now.id}`,
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
                    if (failed instanceof Failure && failed.status === 412) {
                        if (base.etag) await compare();
                        else setTaken(true);
                    }
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
                {isTaken && (
                    <p class="amber" role="alert">
                        {t("schedules.taken")}
                    </p>
                )}
                {conflict && (
                    <ConflictPanel
                        title={t("schedules.conflict")}
                        by=""
                        nameOf={(key) => word("part", key)}
                        textOf={partText}
                        conflicts={conflict.conflicts}
                        resolve={(chosen) => {
                            setNow(draftWith(draftOf(conflict.theirs.schedule), { ...conflict.parts, ...Object.fromEntries(chosen) }));
                            setBase(conflict.theirs);
                            setConflict(undefined);
                            setEpoch((was) => was + 1);
                        }}
                    />
                )}
                {schedule?.masked && <p class="amber">{t("schedules.masked")}</p>}
                {!schedule && text("id", t("column.id"), { required: true, class: "mono" })}
                {text("title", t("matcher.title"), { maxLength: 200 })}
                <div class="limit-fields">
                    {choice("kind", (of) => word("schedulekind", of), t("schedules.rule"), ["cron", "every"])}
                    {now.kind === "cron" && text("cron", t("schedules.cron"), { class: "mono", required: true })}
                    {now.kind === "cron" && text("tz", t("limitfield.zone"), { class: "mono", required: true })}
                    {now.kind === "every" &&
                        text("every", t("schedules.interval"), { "required": true, "aria-invalid": recurrence === undefined })}
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
                <NextRuns next={next} tz={now.kind === "cron" ? now.tz : undefined} />
                <JobFields key={epoch} of="recurring" text={now.job} set={(text) => set("job", text)} />
                <label>
                    {t("schedules.json")}
                    <textarea
                        class="mono"
                        rows={8}
                        spellcheck={false}
                        value={now.job}
                        aria-invalid={!isMap(now.job)}
                        onInput={(event) => {
                            set("job", event.currentTarget.value);
                            setEpoch((was) => was + 1);
                        }}
                    />
                    {!isMap(now.job) && (
                        <span class="red" role="alert">
                            {t("try.json")}
                        </span>
                    )}
                </label>
                <DialogEnd leave={leave} go={t("save")} disabled={!isReady} />
            </form>
        </Dialog>
    );
}
