// The fields of a job in a dialog: a new one, a copy, or an edit of one that waits or has failed.
import type { ComponentChildren, JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { reasonHeader } from "../base/act";
import { changed, go } from "../base/address";
import { api, Failure, take, type Schemas } from "../base/api";
import { serverNow } from "../base/clock";
import { sentence } from "../base/failure";
import { exactJson, faultIn } from "../base/json";
import { listed, t, word, type Key } from "../base/text";
import { TimeInput } from "../constraints/inputs";
import { leaveEdit } from "../widgets/ask";
import { Dialog, DialogEnd } from "../widgets/dialog";
import { say } from "../widgets/toast";
import { argumentOf, changedParts, draftOf, editOf, emptyDraft, faultsOf, newJob, partOf, sameJson } from "./draft";
import type { Draft, Part } from "./draft";
import { JobFields } from "./jobfields";
import type { Job } from "./merge";

const labels = {
    name: "column.name",
    argument: "form.argument",
    priority: "column.priority",
    retries: "field.retries",
    timeout: "column.timeout",
    tags: "column.tags",
    start: "form.start",
    group: "field.group",
    expires: "form.expires",
    others: "form.others",
} as const satisfies Partial<Record<Part, Key>>;
type Labelled = keyof typeof labels;

const faults = { name: "form.name.none", map: "form.map", whole: "form.whole", span: "limitfield.nospan", time: "form.time" } as const;

// Not randomUUID: on plain HTTP there is none.
function key(): string {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

interface Form {
    now: Draft;
    set: <P extends Part>(part: P, value: Draft[P]) => void;
    wrong: (part: Part) => string;
}

// What is typed, and what is wrong with it: seen at once, or refused by the master until the part is changed.
function useForm(first: Draft, isNew: boolean) {
    const [now, setNow] = useState(first);
    const [tried, setTried] = useState(false);
    const [refused, setRefused] = useState<{ part: Part | undefined; text: string }>();
    const found = faultsOf(now, isNew);
    const wrong = (part: Part): string => {
        const fault = found[part];
        if (fault === "json") {
            const at = faultIn(now[part] as string);
            return at ? t("form.json", { line: at.line, column: at.column }) : "";
        }
        if (fault === "name" && !tried) return "";
        if (fault) return t(faults[fault]);
        return refused?.part === part ? refused.text : "";
    };
    const set: Form["set"] = (part, value) => {
        setNow((was) => ({ ...was, [part]: value }));
        setRefused(undefined);
    };
    return {
        form: { now, set, wrong },
        setNow,
        isWhole: Object.keys(found).length === 0,
        refused,
        refuse: (text: string, part?: Part) => setRefused({ part, text }),
        clear: () => setRefused(undefined),
        tried: () => setTried(true),
    };
}

function LabelledField(props: { label: string; wrong: string; children: (id: string) => ComponentChildren }): JSX.Element {
    const { label, wrong, children } = props;
    const id = useId();
    return (
        <div class="labelled">
            <label for={id}>{label}</label>
            {children(id)}
            {wrong && (
                <span class="red" role="alert" id={`${id}-wrong`}>
                    {wrong}
                </span>
            )}
        </div>
    );
}

type TextPart = "name" | "argument" | "priority" | "retries" | "timeout" | "tags" | "after" | "group" | "expires" | "others";

function TextField(props: { form: Form; part: TextPart; label: string; rows?: number; more?: object }): JSX.Element {
    const { form, part, label, rows, more } = props;
    const wrong = form.wrong(part);
    return (
        <LabelledField label={label} wrong={wrong}>
            {(id) => {
                const attributes = {
                    id,
                    "value": form.now[part],
                    "spellcheck": false,
                    "autocomplete": "off" as const,
                    "autocapitalize": "off" as const,
                    "aria-invalid": wrong !== "",
                    "aria-describedby": wrong ? `${id}-wrong` : undefined,
                    "data-part": part,
                    ...more,
                };
                const typed = (event: { currentTarget: { value: string } }) => form.set(part, event.currentTarget.value);
                return rows ? (
                    <textarea {...attributes} class="mono" rows={rows} onInput={typed} />
                ) : (
                    <input {...attributes} type="text" onInput={typed} />
                );
            }}
        </LabelledField>
    );
}

const hour_ms = 3_600_000;
const nextHour = () => new Date((Math.floor(serverNow() / hour_ms) + 1) * hour_ms).toISOString();

const span = (label: string) => `${label} (${t("limitfield.span")})`;

function StartField({ form, kinds }: { form: Form; kinds: readonly Draft["start"][] }): JSX.Element {
    const { now, set, wrong } = form;
    return (
        <div class="start">
            <LabelledField label={t("form.start")} wrong="">
                {(id) => (
                    <select
                        id={id}
                        value={now.start}
                        onChange={(event) => {
                            const start = event.currentTarget.value as Draft["start"];
                            set("start", start);
                            if (start === "at" && now.at === undefined) set("at", nextHour());
                        }}
                    >
                        {kinds.map((each) => (
                            <option key={each} value={each}>
                                {word("start", each)}
                            </option>
                        ))}
                    </select>
                )}
            </LabelledField>
            {now.start === "after" && <TextField form={form} part="after" label={span(t("form.after"))} />}
            {now.start === "at" && (
                <div class="labelled">
                    <TimeInput label={t("form.at")} value={now.at} set={(value) => set("at", value as string | undefined)} />
                    {wrong("at") && (
                        <span class="red" role="alert">
                            {wrong("at")}
                        </span>
                    )}
                </div>
            )}
        </div>
    );
}

function Common({ form, starts, argument }: { form: Form; starts: readonly Draft["start"][]; argument: ComponentChildren }): JSX.Element {
    return (
        <>
            {argument}
            <div class="several">
                <TextField form={form} part="priority" label={t("form.priority")} />
                <TextField form={form} part="retries" label={t("field.retries")} more={{ inputmode: "numeric" }} />
                <TextField form={form} part="timeout" label={span(t("column.timeout"))} />
            </div>
            {starts.length > 0 && <StartField form={form} kinds={starts} />}
            <TextField form={form} part="tags" label={t("edit.tags")} />
        </>
    );
}

// A hidden value can neither be copied nor edited; to show it is noted in the audit.
function Hidden({ id, shown }: { id: string; shown: (job: Job) => void }): JSX.Element {
    const show = async () => {
        try {
            shown(await take(api.GET("/v1/jobs/{id}", { params: { path: { id }, query: { reveal: true } } })));
        } catch (error) {
            if (!(error instanceof Failure)) throw error;
            say(sentence(error), { failed: true });
        }
    };
    return (
        <div class="amber note">
            <p>{t("form.hidden")}</p>
            <button type="button" onClick={() => void show()}>
                {t("form.reveal")}
            </button>
        </div>
    );
}

function End(props: { say: string; leave: () => void; go: string; disabled: boolean }): JSX.Element {
    return (
        <>
            <p class="red" role="alert">
                {props.say}
            </p>
            <DialogEnd leave={props.leave} go={props.go} disabled={props.disabled} />
        </>
    );
}

// Calls one at a time: what comes while one is under way does nothing.
function useOnce(): { busy: boolean; once: (call: () => Promise<void>) => Promise<void> } {
    const under = useRef(false);
    const [busy, setBusy] = useState(false);
    const once = async (call: () => Promise<void>) => {
        if (under.current) return;
        under.current = true;
        setBusy(true);
        try {
            await call();
        } finally {
            under.current = false;
            setBusy(false);
        }
    };
    return { busy, once };
}

function focusWrong(form: HTMLFormElement): void {
    requestAnimationFrame(() => {
        const at = form.querySelector<HTMLElement>("[aria-invalid=true]");
        at?.closest("details")?.setAttribute("open", "");
        at?.focus();
    });
}

// A new job, or a copy of `like`. However often the button is pressed and answers are lost, it makes one.
export function NewJobDialog({ like, close }: { like?: Job; close: () => void }): JSX.Element {
    const [source, setSource] = useState(like);
    const [first, setFirst] = useState(() => (like ? draftOf(like) : emptyDraft));
    const { form, setNow, isWhole, refused, refuse, clear, tried } = useForm(first, true);
    const { now } = form;
    const { busy, once } = useOnce();
    const idempotency = useRef(key());
    const [made, setMade] = useState(false); // an earlier try with other fields
    const lost = useRef(false);
    const isHidden = source?.masked === true;
    const [epoch, setEpoch] = useState(0); // the inputs begin anew after a change of the JSON
    const leave = () => void leaveEdit(JSON.stringify(now) !== JSON.stringify(first), close);
    const send = (event: Event) => {
        event.preventDefault();
        const element = event.currentTarget as HTMLFormElement;
        tried();
        if (!isWhole || isHidden) {
            focusWrong(element);
            return;
        }
        void once(async () => {
            clear();
            try {
                const answer = (await take(
                    api.POST("/v1/jobs", {
                        body: newJob(now, idempotency.current) as unknown as Schemas["NewJob"],
                        bodySerializer: (body) => body as unknown as string,
                    }),
                )) as Schemas["Enqueued"];
                const isOther = answer.duplicate === true && !lost.current;
                say(t(isOther ? "form.answered" : "form.made", { name: now.name.trim() }));
                close();
                go(changed({ job: answer.id, tab: undefined }));
            } catch (error) {
                if (!(error instanceof Failure)) throw error;
                if (error.problem?.code === "idempotency_mismatch") {
                    setMade(true);
                } else if (error.isUnreachable || error.status >= 500) {
                    lost.current = true;
                    refuse(t("form.lost", { why: sentence(error) }));
                } else {
                    refuse(sentence(error), error.problem?.field ? partOf(error.problem.field) : undefined);
                    focusWrong(element);
                }
            }
        });
    };
    return (
        <Dialog title={like ? t("form.copy", { name: like.name }) : t("form.new")} close={leave} wide>
            <form class="form" noValidate onSubmit={send}>
                {like && <p class="faint">{t("form.copy.hint")}</p>}
                {made && (
                    <div class="amber note" role="alert">
                        <p>{t("form.made.before")}</p>
                        <button
                            type="button"
                            onClick={() => {
                                idempotency.current = key();
                                lost.current = false;
                                setMade(false);
                            }}
                        >
                            {t("form.another")}
                        </button>
                    </div>
                )}
                <TextField
                    form={form}
                    part="name"
                    label={t("column.name")}
                    more={{ placeholder: t("form.name.hint") }}
                />
                <Common
                    form={form}
                    starts={["once", "after", "at"]}
                    argument={
                        isHidden && source ? (
                            <Hidden
                                id={source.id}
                                shown={(job) => {
                                    setSource(job);
                                    setFirst(draftOf(job));
                                    setNow((was) => ({ ...was, argument: argumentOf(job), others: draftOf(job).others }));
                                    setEpoch((was) => was + 1);
                                }}
                            />
                        ) : (
                            <TextField
                                form={form}
                                part="argument"
                                label={t("form.argument")}
                                rows={7}
                                more={{ placeholder: '{"to": "a@example.com"}' }}
                            />
                        )
                    }
                />
                <details open={now.others !== "" || undefined}>
                    <summary>{t("limitfield.more")}</summary>
                    <div class="form">
                        <div class="several">
                            <TextField form={form} part="group" label={t("field.group")} />
                            <TextField form={form} part="expires" label={span(t("form.expires"))} />
                        </div>
                        <label class="check">
                            <input
                                type="checkbox"
                                checked={now.keep}
                                onChange={(event) => form.set("keep", event.currentTarget.checked)}
                            />
                            {t("form.keep")}
                        </label>
                        <JobFields key={epoch} of="new" text={now.others} set={(text) => form.set("others", text)} />
                        <div onInput={() => setEpoch((was) => was + 1)}>
                            <TextField
                                form={form}
                                part="others"
                                label={t("form.others")}
                                rows={4}
                                more={{ placeholder: '{"then": [{"name": "report.send"}]}' }}
                            />
                        </div>
                    </div>
                </details>
                <End
                    say={refused && refused.part === undefined ? refused.text : ""}
                    leave={leave}
                    go={t("form.enqueue")}
                    disabled={busy || isHidden || made}
                />
            </form>
        </Dialog>
    );
}

function shown(part: Part, draft: Draft): string {
    return part === "argument" ? "" : String(draft[part]);
}

// What is changed here and was changed by somebody else since the dialog was opened.
function Meanwhile(props: { parts: readonly Labelled[]; theirs: Draft; takeTheirs: () => void; keepMine: () => void }): JSX.Element {
    return (
        <div class="conflict amber" role="alert">
            <p>{t("edit.meanwhile")}</p>
            <ul>
                {props.parts.map((part) => (
                    <li key={part}>
                        {t(labels[part])}
                        {part === "argument" ? <pre class="json">{props.theirs.argument}</pre> : `: ${shown(part, props.theirs)}`}
                    </li>
                ))}
            </ul>
            <p class="actions">
                <button type="button" onClick={props.takeTheirs}>
                    {t("edit.theirs")}
                </button>
                <button type="button" onClick={props.keepMine}>
                    {t("edit.mine")}
                </button>
            </p>
        </div>
    );
}

const names = (parts: readonly Labelled[]) => listed(parts.map((part) => t(labels[part])));

export function EditDialog({ job, close }: { job: Job; close: () => void }): JSX.Element {
    const [base, setBase] = useState<Job>(job);
    const before: Draft = { ...draftOf(base), start: "unchanged" };
    const { form, setNow, isWhole, refused, refuse, clear } = useForm(before, false);
    const { now } = form;
    const [why, setWhy] = useState("");
    const [theirs, setTheirs] = useState<Job>();
    const { busy, once } = useOnce();
    const isHidden = base.masked === true;
    const parts = changedParts(before, now).filter((part) => part !== "argument" || !isHidden) as Labelled[];
    const path = { path: { id: job.id } };
    const leave = () => void leaveEdit(parts.length > 0, close);
    // Of what is changed here, what the job has otherwise than when the dialog was opened.
    const clashes = (fresh: Job): Labelled[] => {
        const other = draftOf(fresh);
        const isOther = (part: Labelled) =>
            part === "start"
                ? fresh.run_at !== base.run_at
                : part === "argument"
                  ? fresh.masked !== base.masked || !sameJson(other.argument, before.argument)
                  : other[part] !== before[part];
        return parts.filter(isOther);
    };
    const patch = (body: object) =>
        take(
            api.PATCH("/v1/jobs/{id}", {
                params: { ...path, header: reasonHeader(why) },
                body: body as Schemas["JobEdit"],
                bodySerializer: exactJson,
            }),
        );
    const undo = () => {
        const back: Record<string, unknown> = editOf(
            parts.filter((part) => part !== "start"),
            before,
        );
        if (parts.includes("start")) Object.assign(back, base.run_at === undefined ? { delay: 0 } : { run_at: base.run_at });
        patch(back).then(
            () => say(t("undone"), { about: job.id }),
            (error: unknown) => say(error instanceof Failure ? sentence(error) : String(error), { failed: true }),
        );
    };
    const send = (event: Event) => {
        event.preventDefault();
        const element = event.currentTarget as HTMLFormElement;
        if (!isWhole) {
            focusWrong(element);
            return;
        }
        if (parts.length === 0) {
            close();
            return;
        }
        void once(async () => {
            clear();
            try {
                const query = isHidden || !parts.includes("argument") || !job.masked ? {} : { reveal: true };
                const fresh = await take(api.GET("/v1/jobs/{id}", { params: { ...path, query } }));
                if (clashes(fresh).length > 0) {
                    setTheirs(fresh);
                    return;
                }
                await patch(editOf(parts, now));
                say(t("edit.done", { name: job.name, fields: names(parts) }), { about: job.id, action: { text: t("undo"), act: undo } });
                close();
            } catch (error) {
                if (!(error instanceof Failure)) throw error;
                refuse(sentence(error), error.problem?.field ? partOf(error.problem.field) : undefined);
                focusWrong(element);
            }
        });
    };
    // From what the job has now: of mine, all but what is given up.
    const goOn = (fresh: Job, given: readonly Part[]) => {
        const mine: Partial<Draft> = {};
        for (const part of parts) if (!given.includes(part)) Object.assign(mine, { [part]: now[part], after: now.after, at: now.at });
        setNow({ ...draftOf(fresh), start: "unchanged", ...mine });
        setBase(fresh);
        setTheirs(undefined);
    };
    const starts = job.state === "failed" ? [] : (["unchanged", "once", "after", "at"] as const);
    const atForm = refused && (refused.part === undefined || refused.part === "others") ? refused.text : "";
    return (
        <Dialog title={t("edit.title", { name: job.name })} close={leave} wide>
            <form class="form" noValidate onSubmit={send}>
                {theirs && (
                    <Meanwhile
                        parts={clashes(theirs)}
                        theirs={{ ...draftOf(theirs), start: "unchanged" }}
                        takeTheirs={() => goOn(theirs, clashes(theirs))}
                        keepMine={() => goOn(theirs, [])}
                    />
                )}
                <Common
                    form={form}
                    starts={starts}
                    argument={
                        isHidden ? (
                            <Hidden
                                id={job.id}
                                shown={(revealed) => {
                                    setBase(revealed);
                                    setNow((was) => ({ ...was, argument: argumentOf(revealed) }));
                                }}
                            />
                        ) : (
                            <TextField form={form} part="argument" label={t("form.argument")} rows={9} />
                        )
                    }
                />
                <LabelledField label={t("reason")} wrong="">
                    {(id) => (
                        <input id={id} type="text" maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                    )}
                </LabelledField>
                <p class="faint" role="status">
                    {parts.length > 0 ? t("edit.changes", { fields: names(parts) }) : t("edit.nothing")}
                </p>
                <End say={atForm} leave={leave} go={t("save")} disabled={busy || theirs !== undefined} />
            </form>
        </Dialog>
    );
}
