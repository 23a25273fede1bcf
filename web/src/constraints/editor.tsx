// A JobMatcher under the hands: what the change would do is shown while one types; a change of somebody else is never overwritten.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, Failure, take, takeTagged, type Schemas } from "../base/api";
import { isComposing } from "../base/composing";
import { merged, same, type Conflict, type Parts } from "../base/merge";
import { t, word } from "../base/text";
import { ExpressionField } from "../editor/expressionfield";
import { parseNumber } from "../base/typed";
import { leaveEdit } from "../widgets/ask";
import { ConflictPanel } from "../widgets/conflict";
import { Dialog } from "../widgets/dialog";
import { isWhole, sent } from "./fields";
import { held, LimitForms } from "./forms";
import { matcherOf, partsOf } from "./merge";
import { partName, partText } from "./parts";
import { Problem, PreviewText, TryPanel, usePreview } from "./preview";

type Matcher = Schemas["Matcher"];

export interface Opened {
    matcher: Matcher;
    etag: string; // "": it is new
}

export async function readMatcher(matcher: string, signal?: AbortSignal): Promise<Opened> {
    const { value, etag } = await takeTagged(api.GET("/v1/matchers/{matcher}", { params: { path: { matcher } }, signal }));
    return { matcher: value as Matcher, etag };
}

// Those of the matcher's own expression.
const none: readonly Schemas["MatcherProblem"][] = [];
function faultsOf(failure: Failure | undefined): readonly Schemas["MatcherProblem"][] {
    const found = failure?.problem?.errors?.filter((each) => each.field === "expression");
    return found?.length ? found : none;
}

const lines = (text: string) => text.split("\n").flatMap((line) => (line.trim() ? [line.trim()] : []));

function draftOf(matcher: Matcher) {
    return {
        title: matcher.title,
        expression: matcher.expression,
        enabled: matcher.enabled,
        note: matcher.note,
        rank: String(matcher.rank),
        exempts: matcher.exempts.join("\n"),
        mask: (matcher.mask ?? []).join("\n"),
        limits: held(matcher.constraints),
    };
}

export function MatcherEditor({ opened, close, saved }: { opened: Opened; close: () => void; saved: () => void }): JSX.Element {
    const [base, setBase] = useState(opened);
    const [id, setId] = useState(opened.matcher.id);
    const [now, setNow] = useState(() => draftOf(opened.matcher));
    const [why, setWhy] = useState("");
    const [refused, setRefused] = useState<Failure>();
    const [conflict, setConflict] = useState<{ theirs: Opened; parts: Parts; conflicts: readonly Conflict[] }>();
    const set = (key: keyof typeof now, value: unknown) => {
        setRefused(undefined);
        setNow((was) => ({ ...was, [key]: value }));
    };
    const rank = parseNumber(now.rank);
    const isReady = now.limits.every((each) => isWhole(each.draft)) && now.expression.trim() !== "" && Number.isInteger(rank);
    const mask = lines(now.mask);
    const content = {
        title: now.title,
        expression: now.expression,
        enabled: now.enabled,
        note: now.note,
        rank,
        exempts: lines(now.exempts),
        ...(mask.length > 0 && { mask }),
        constraints: now.limits.map((each) => sent(each.draft)),
    };
    const { preview, error } = usePreview(
        isReady
            ? {
                  ...(opened.etag && { id: opened.matcher.id }),
                  expression: now.expression,
                  constraints: content.constraints,
                  exempts: content.exempts,
              }
            : undefined,
    );
    const isTouched = !same(partsOf(content), partsOf(opened.matcher));
    const leave = () => void leaveEdit(isTouched, close);
    // What somebody else saved meanwhile is put beside what is typed here.
    const compare = async () => {
        const theirs = await readMatcher(id);
        const { parts, conflicts } = merged(partsOf(base.matcher), partsOf(content), partsOf(theirs.matcher));
        setConflict({ theirs, parts, conflicts });
    };
    const save = async (event: Event, observing = false) => {
        event.preventDefault();
        if (!isReady) return;
        const body = observing
            ? { ...content, constraints: content.constraints.map((each) => ({ ...each, mode: "observe" as const })) }
            : content;
        const header = { ...reasonHeader(why), ...(base.etag ? { "If-Match": base.etag } : { "If-None-Match": "*" as const }) };
        let revision = 0;
        const restore = () =>
            take(
                api.POST("/v1/matchers/{matcher}/revert", {
                    params: { path: { matcher: id }, header: { "If-Match": `"${revision}"` } },
                    body: { revision: base.matcher.revision },
                }),
            ).then(saved);
        const done = await act(
            `save matcher ${id}`,
            async () => {
                try {
                    const answer = await take(api.PUT("/v1/matchers/{matcher}", { params: { path: { matcher: id }, header }, body }));
                    revision = (answer as Matcher).revision;
                } catch (failed) {
                    if (failed instanceof Failure && failed.status === 412 && base.etag) await compare();
                    if (failed instanceof Failure && failed.status === 422) setRefused(failed);
                    throw failed;
                }
            },
            t("done.matcher", { title: now.title || id }),
            base.etag ? { act: restore } : undefined,
        );
        if (done) {
            saved();
            close();
        }
    };
    const text = (key: "title" | "note" | "rank", label: string, more: object = {}) => (
        <label>
            {label}
            <input type="text" value={now[key]} onInput={(event) => set(key, event.currentTarget.value)} {...more} />
        </label>
    );
    const area = (key: "exempts" | "mask" | "note", label: string, more: object = {}) => (
        <label>
            {label}
            <textarea
                class={key === "note" ? "" : "mono"}
                rows={2}
                spellcheck={key === "note"}
                value={now[key]}
                onInput={(event) => set(key, event.currentTarget.value)}
                {...more}
            />
        </label>
    );
    const failure = refused ?? error;
    return (
        <Dialog
            title={opened.etag ? t("matcher.edit", { title: opened.matcher.title || opened.matcher.id }) : t("matcher.new")}
            close={leave}
            wide
        >
            <form
                class="form"
                onSubmit={(event) => void save(event)}
                onKeyDown={(event) => {
                    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isComposing(event)) void save(event, event.shiftKey);
                }}
            >
                {conflict && (
                    <ConflictPanel
                        title={t("matcher.conflict")}
                        nameOf={partName}
                        textOf={partText}
                        by={word("actor", conflict.theirs.matcher.edited_by)}
                        conflicts={conflict.conflicts}
                        resolve={(chosen) => {
                            const parts: Record<string, unknown> = { ...conflict.parts };
                            for (const [key, value] of chosen) {
                                if (value === undefined) delete parts[key];
                                else parts[key] = value;
                            }
                            setNow(draftOf({ ...conflict.theirs.matcher, mask: [], ...matcherOf(parts) } as Matcher));
                            setBase(conflict.theirs);
                            setConflict(undefined);
                        }}
                    />
                )}
                {!opened.etag && (
                    <label>
                        {t("column.id")}
                        <input
                            type="text"
                            class="mono"
                            required
                            value={id}
                            spellcheck={false}
                            onInput={(event) => setId(event.currentTarget.value)}
                        />
                    </label>
                )}
                {text("title", t("matcher.title"), { required: true, maxLength: 200 })}
                <div class="labelled">
                    <span aria-hidden="true">{t("matcher.expression")}</span>
                    <ExpressionField
                        id="expression"
                        class="mono"
                        label={t("matcher.expression")}
                        of="matchers"
                        lines={2}
                        value={now.expression}
                        change={(text) => set("expression", text)}
                        faults={faultsOf(failure)}
                    />
                </div>
                {failure ? <Problem error={failure} /> : <PreviewText preview={preview} error={undefined} />}
                <TryPanel expression={now.expression} />
                <LimitForms all={now.limits} change={(limits) => set("limits", limits)} />
                <label class="check">
                    <input type="checkbox" checked={now.enabled} onChange={(event) => set("enabled", event.currentTarget.checked)} />
                    {t("matcher.enabled")}
                </label>
                <details>
                    <summary>{t("limitfield.more")}</summary>
                    <div class="form">
                        {area("note", t("part.note"), { maxLength: 4096 })}
                        {text("rank", t("matcher.rank"), { "inputmode": "numeric", "aria-invalid": !Number.isInteger(rank) })}
                        {area("exempts", t("matcher.exempts"))}
                        {area("mask", t("matcher.mask"), { placeholder: "argument.card.number" })}
                    </div>
                </details>
                <label>
                    {t("reason")}
                    <input type="text" maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                </label>
                <div class="dialog-end">
                    <span class="grow" />
                    <button type="button" onClick={leave}>
                        {t("cancel")}
                    </button>
                    {now.limits.length > 0 && (
                        <button
                            type="button"
                            disabled={!isReady || id.trim() === "" || conflict !== undefined}
                            title="Ctrl+Shift+Enter"
                            onClick={(event) => void save(event, true)}
                        >
                            {t("matcher.observe")}
                        </button>
                    )}
                    <button
                        type="submit"
                        class="primary"
                        title="Ctrl+Enter"
                        disabled={!isReady || id.trim() === "" || conflict !== undefined}
                    >
                        {t("save")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
