// A JobMatcher under the hands: what the change would do is shown while one types; a change of somebody else is never overwritten.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, Failure, take, type Schemas } from "../base/api";
import { sentence } from "../base/failure";
import * as show from "../base/show";
import { states, StateMark } from "../base/states";
import { t } from "../base/text";
import { Dialog } from "../widgets/dialog";

type Matcher = Schemas["Matcher"];
type Preview = Schemas["MatcherPreview"];
const pause_ms = 300;

export interface Opened {
    matcher: Matcher;
    etag: string; // "": it is new
}

function parsed(text: string): Schemas["Constraint"][] | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return Array.isArray(value) ? (value as Schemas["Constraint"][]) : undefined;
    } catch {
        return undefined;
    }
}

function PreviewText({ preview, error }: { preview: Preview | undefined; error: Failure | undefined }): JSX.Element | null {
    if (error) {
        const [first] = error.problem?.errors ?? [];
        return (
            <p class="red" role="alert">
                {first ? t("matcher.problem", { field: first.field, column: String(first.column), text: first.message }) : sentence(error)}
            </p>
        );
    }
    if (!preview) return <p class="faint">{t("loading")}</p>;
    const counts = Object.fromEntries(preview.states.map((each) => [each.state, each.matched]));
    return (
        <div class="preview">
            <p class="facts">
                <span>{t("matcher.matches")}</span>
                {states
                    .filter((state) => (counts[state] ?? 0) > 0)
                    .map((state) => (
                        <span key={state}>
                            <StateMark state={state} /> {show.count(counts[state] ?? 0)}
                        </span>
                    ))}
                {Object.values(counts).every((each) => each === 0) && <span class="amber">{t("matcher.matches.none")}</span>}
            </p>
            {(preview.newly_matched_count > 0 || preview.no_longer_matched_count > 0) && (
                <p>{t("matcher.changes", { more: preview.newly_matched_count, fewer: preview.no_longer_matched_count })}</p>
            )}
            {preview.samples.length > 0 && (
                <p class="faint">
                    {t("matcher.samples", { names: [...new Set(preview.samples.map((job) => job.name))].slice(0, 6).join(", ") })}
                </p>
            )}
        </div>
    );
}

export function MatcherEditor({ opened, close, saved }: { opened: Opened; close: () => void; saved: () => void }): JSX.Element {
    const { matcher } = opened;
    const [id, setId] = useState(matcher.id);
    const [title, setTitle] = useState(matcher.title);
    const [expression, setExpression] = useState(matcher.expression);
    const [enabled, setEnabled] = useState(matcher.enabled);
    const [limits, setLimits] = useState(JSON.stringify(matcher.constraints, null, 2));
    const [why, setWhy] = useState("");
    const [preview, setPreview] = useState<Preview>();
    const [error, setError] = useState<Failure>();
    const [conflict, setConflict] = useState(false);
    const constraints = parsed(limits);
    useEffect(() => {
        if (!constraints || expression.trim() === "") return;
        const control = new AbortController();
        const timer = setTimeout(() => {
            take(
                api.POST("/v1/matchers/preview", {
                    body: { ...(opened.etag && { id: matcher.id }), expression, constraints },
                    signal: control.signal,
                }),
            ).then(
                (found) => {
                    setPreview(found);
                    setError(undefined);
                },
                (failed: unknown) => {
                    if (failed instanceof Failure) setError(failed);
                },
            );
        }, pause_ms);
        return () => {
            control.abort();
            clearTimeout(timer);
        };
    }, [expression, limits]);
    const save = async (event: Event) => {
        event.preventDefault();
        if (!constraints) return;
        const { note, rank, exempts, mask } = matcher;
        const body = { title, expression, enabled, note, rank, exempts, constraints, ...(mask && { mask }) };
        const header = { ...reasonHeader(why), ...(opened.etag ? { "If-Match": opened.etag } : { "If-None-Match": "*" as const }) };
        const done = await act(
            `save ${id}`,
            async () => {
                try {
                    await take(api.PUT("/v1/matchers/{matcher}", { params: { path: { matcher: id }, header }, body }));
                } catch (failed) {
                    if (failed instanceof Failure && failed.status === 412) setConflict(true);
                    if (failed instanceof Failure && failed.status === 422) setError(failed);
                    throw failed;
                }
            },
            t("done.matcher", { title: title || id }),
        );
        if (done) {
            saved();
            close();
        }
    };
    return (
        <Dialog title={opened.etag ? t("matcher.edit", { title: matcher.title || matcher.id }) : t("matcher.new")} close={close} wide>
            <form class="form" onSubmit={(event) => void save(event)}>
                {conflict && (
                    <p class="amber" role="alert">
                        {t("matcher.conflict")}{" "}
                        <button
                            type="button"
                            class="link"
                            onClick={() => {
                                saved();
                                close();
                            }}
                        >
                            {t("matcher.theirs")}
                        </button>
                    </p>
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
                <label>
                    {t("matcher.title")}
                    <input type="text" required maxLength={200} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
                </label>
                <label>
                    {t("matcher.expression")}
                    <textarea
                        class="mono"
                        rows={2}
                        required
                        spellcheck={false}
                        value={expression}
                        onInput={(event) => setExpression(event.currentTarget.value)}
                    />
                </label>
                <PreviewText preview={preview} error={error} />
                <label>
                    {t("matcher.limits")}
                    <textarea
                        class="mono"
                        rows={9}
                        spellcheck={false}
                        value={limits}
                        aria-invalid={!constraints}
                        onInput={(event) => setLimits(event.currentTarget.value)}
                    />
                </label>
                {!constraints && (
                    <p class="red" role="alert">
                        {t("matcher.json")}
                    </p>
                )}
                <label class="check">
                    <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
                    {t("matcher.enabled")}
                </label>
                <label>
                    {t("reason")}
                    <input type="text" maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                </label>
                <div class="dialog-end">
                    <span class="grow" />
                    <button type="button" onClick={close}>
                        {t("cancel")}
                    </button>
                    <button type="submit" class="primary" disabled={!constraints || expression.trim() === "" || id.trim() === ""}>
                        {t("save")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
