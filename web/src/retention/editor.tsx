// How long jobs that ended are kept, under the hands. How many jobs end with it is said first; what somebody else saved meanwhile stays.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, Failure, take } from "../base/api";
import { sentence } from "../base/failure";
import { merged, same, type Conflict, type Parts } from "../base/merge";
import * as show from "../base/show";
import { StateMark } from "../base/states";
import { t, word } from "../base/text";
import { FieldInput } from "../constraints/inputs";
import { ask, leaveEdit } from "../widgets/ask";
import { ConflictPanel } from "../widgets/conflict";
import { Dialog } from "../widgets/dialog";
import { Skeleton } from "../widgets/states";
import { isTyped, TypedNumber } from "../widgets/typednumber";
import { bodyOf, defaults, draftOf, ends, keys, purgedBy, readRetention, type Draft, type End, type Opened, type Purged } from "./settings";

const pause_ms = 300;

// Asks a while after the last key; a slower answer never wins.
function usePurged({ value }: Opened, name: string, draft: Draft | undefined): { purged?: Purged; error?: Failure } {
    const [found, setFound] = useState<{ purged?: Purged; error?: Failure; of: string }>({ of: "" });
    const text = draft ? JSON.stringify([value, name, draft]) : "";
    useEffect(() => {
        if (!draft) return;
        const control = new AbortController();
        const timer = setTimeout(() => {
            purgedBy(value, name, draft, control.signal).then(
                (purged) => !control.signal.aborted && setFound({ purged, of: text }),
                (error: unknown) => {
                    if (error instanceof Failure && !control.signal.aborted) setFound({ error, of: text });
                },
            );
        }, pause_ms);
        return () => {
            control.abort();
            clearTimeout(timer);
        };
    }, [text]);
    return found.of === text && text !== "" ? found : {};
}

function save(name: string, parts: Parts, etag: string, why: string): Promise<unknown> {
    const header = { ...reasonHeader(why), "If-Match": etag };
    const body = bodyOf(parts);
    if (name === "") return take(api.PUT("/v1/retention", { params: { header }, body }));
    const params = { header, path: { name } };
    return take(
        Object.keys(body).length === 0 ? api.DELETE("/v1/retention/{name}", { params }) : api.PUT("/v1/retention/{name}", { params, body }),
    );
}

// None was counted, but not all jobs were looked at.
const uncountedQuestion = () => ({
    title: t("retention.uncounted.title"),
    text: t("retention.uncounted"),
    go: t("retention.uncounted.go"),
    danger: true,
});

const partText = (value: unknown, key: string) =>
    value === undefined ? t("retention.unset") : key.endsWith(".age") ? show.span(value as number) : show.count(value as number);
const partName = (key: string) => t("pair", { a: word("state", key.split(".")[0] ?? ""), b: word("retention", key.split(".")[1] ?? "") });

export function RetentionEditor(props: { opened: Opened; name: string | undefined; close: () => void; saved: () => void }): JSX.Element {
    const { close, saved } = props;
    const [base, setBase] = useState(props.opened);
    const [name, setName] = useState(props.name ?? "");
    const scope = name.trim();
    const isNew = props.name === undefined;
    const isOther = isNew && base.value.names.some((each) => each.name === scope);
    const [draft, setDraft] = useState<Draft>(() => (isNew ? {} : draftOf(base.value, name)));
    const [edition, setEdition] = useState(0); // the inputs keep what is typed: they begin anew when the draft changes by itself
    const [why, setWhy] = useState("");
    const [typed, setTyped] = useState("");
    const [conflict, setConflict] = useState<{ theirs: Opened; parts: Parts; conflicts: readonly Conflict[] }>();
    const before = isNew ? {} : draftOf(base.value, name);
    const isFaulty = Object.values(draft).some(Number.isNaN) || (isNew && (scope === "" || isOther));
    const isTouched = !same(draft, before);
    const { purged, error } = usePurged(base, isNew ? scope : name, isFaulty ? undefined : draft);
    const n = purged ? ends.reduce((sum, end) => sum + purged.jobs[end], 0) : 0;
    const isReady = isTouched && !isFaulty && purged !== undefined && !conflict && (n === 0 || isTyped(typed, n));
    const isUncounted = purged !== undefined && n === 0 && !purged.whole;
    const leave = () => void leaveEdit(isTouched, close);
    const set = (made: Draft) => {
        setDraft(made);
        setTyped("");
    };
    const start = async (event: Event) => {
        event.preventDefault();
        if (!isReady) return;
        if (isUncounted && !(await ask(uncountedQuestion()))) return;
        const done = await act(
            "retention",
            async () => {
                try {
                    await save(scope, draft, base.etag, why);
                } catch (failed) {
                    if (!(failed instanceof Failure) || failed.status !== 412) throw failed;
                    const theirs = await readRetention();
                    setConflict({ theirs, ...merged(before, draft, draftOf(theirs.value, scope)) });
                    throw failed;
                }
            },
            t("retention.saved"),
        );
        if (done) {
            saved();
            close();
        }
    };
    const otherwise = scope === "" && !isNew ? defaults : draftOf(base.value, "");
    const input = (end: End, part: "age" | "count") => {
        const key = `${end}.${part}` as const;
        const fallback = otherwise[key];
        const isAge = part === "age";
        return (
            <FieldInput
                key={`${key} ${edition}`}
                field={{
                    key,
                    label: `retention.${part}`,
                    input: isAge ? "span" : "whole",
                    ...(fallback !== undefined && { fallback: isAge ? show.span(fallback) : String(fallback) }),
                }}
                value={draft[key]}
                set={(value) => {
                    const { [key]: _, ...rest } = draft;
                    set(value === undefined ? rest : { ...rest, [key]: value as number });
                }}
            />
        );
    };
    const title = isNew ? t("retention.add") : scope === "" ? t("retention.all") : t("retention.of", { name: scope });
    return (
        <Dialog title={title} close={leave} wide>
            <form class="form" onSubmit={(event) => void start(event)}>
                {conflict && (
                    <ConflictPanel
                        title={t("retention.conflict")}
                        by=""
                        nameOf={partName}
                        textOf={partText}
                        conflicts={conflict.conflicts}
                        resolve={(chosen) => {
                            const parts: Record<string, unknown> = { ...conflict.parts };
                            for (const [key, value] of chosen) parts[key] = value;
                            set(Object.fromEntries(keys.flatMap((key) => (parts[key] === undefined ? [] : [[key, parts[key]]]))));
                            setEdition(edition + 1);
                            setBase(conflict.theirs);
                            setConflict(undefined);
                        }}
                    />
                )}
                {isNew && (
                    <label>
                        {t("column.name")}
                        <input
                            type="text"
                            class="mono"
                            required
                            spellcheck={false}
                            value={name}
                            aria-invalid={isOther}
                            onInput={(event) => setName(event.currentTarget.value)}
                        />
                        {isOther && (
                            <span class="red" role="alert">
                                {t("retention.there")}
                            </span>
                        )}
                    </label>
                )}
                <p class="faint">{t(scope === "" && !isNew ? "retention.empty.all" : "retention.empty.name")}</p>
                {ends.map((end) => (
                    <fieldset key={end} class="kept">
                        <legend>
                            <StateMark state={end} />
                        </legend>
                        <div class="limit-fields">
                            {input(end, "age")}
                            {input(end, "count")}
                        </div>
                    </fieldset>
                ))}
                <div class="purged" aria-live="polite">
                    {error ? (
                        <p class="red">{sentence(error)}</p>
                    ) : isFaulty ? null : !purged ? (
                        <Skeleton rows={1} />
                    ) : n === 0 ? (
                        <p class={isUncounted ? "amber" : undefined}>{t(isUncounted ? "retention.uncounted" : "retention.purges.none")}</p>
                    ) : (
                        <>
                            <p class="amber">
                                {t(purged.whole ? "retention.purges" : "retention.purges.least", { n })}
                            </p>
                            <p class="facts">
                                {ends
                                    .filter((end) => purged.jobs[end] > 0)
                                    .map((end) => (
                                        <span key={end}>
                                            <StateMark state={end} /> {show.count(purged.jobs[end])}
                                        </span>
                                    ))}
                            </p>
                            {isTouched && <TypedNumber n={n} value={typed} set={setTyped} />}
                        </>
                    )}
                </div>
                <label>
                    {t("reason")}
                    <input type="text" maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                </label>
                <div class="dialog-end">
                    {scope !== "" && Object.keys(draft).length > 0 && !isNew && (
                        <button
                            type="button"
                            onClick={() => {
                                set({});
                                setEdition(edition + 1);
                            }}
                        >
                            {t("retention.clear")}
                        </button>
                    )}
                    <span class="grow" />
                    <button type="button" onClick={leave}>
                        {t("cancel")}
                    </button>
                    <button type="submit" class={n > 0 || isUncounted ? "danger" : "primary"} disabled={!isReady}>
                        {n > 0 && isTouched ? t("retention.save.n", { n }) : t("save")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
