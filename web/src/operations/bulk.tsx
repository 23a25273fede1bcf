// An action on many jobs: a dry run of the master says what it would do, then it is started, goes on by itself, and can be taken back.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { write } from "../base/address";
import { api, Failure, take, type Schemas } from "../base/api";
import { isProduction } from "../base/environment";
import { sentence } from "../base/failure";
import * as show from "../base/show";
import { StateMark, states, type State } from "../base/states";
import { t, word, type Key } from "../base/text";
import { argumentText } from "../jobs/columns";
import { Dialog } from "../widgets/dialog";
import { Skeleton } from "../widgets/states";
import { say } from "../widgets/toast";
import { parseNumber } from "../base/typed";
import { isTyped, TypedNumber, wide_min } from "../widgets/typednumber";
import { asked, type Bulk } from "./asked";
import { undoOperation } from "./undo";

const ask = (bulk: Bulk, rate: number) =>
    take(
        api.POST("/v1/operations", { body: { ...bulk.selection, action: bulk.action, dry_run: true, ...(rate > 0 && { rate }) } }),
    ) as Promise<Schemas["OperationPreview"]>;

function Counts({ counts, label }: { counts: Schemas["StateCounts"]; label: string }): JSX.Element | null {
    const some = states.filter((state) => (counts[state] ?? 0) > 0);
    const others = (["trash", "gone"] as const).filter((key) => (counts[key] ?? 0) > 0);
    if (some.length + others.length === 0) return null;
    return (
        <p class="facts">
            <span>{label}</span>
            {some.map((state: State) => (
                <span key={state} class={`state state-${state}`}>
                    <StateMark state={state} /> {show.count(counts[state] ?? 0)}
                </span>
            ))}
            {others.map((key) => (
                <span key={key}>
                    {t(`bulk.${key}`)} {show.count(counts[key] ?? 0)}
                </span>
            ))}
        </p>
    );
}

function Preview({ preview, bulk }: { preview: Schemas["OperationPreview"]; bulk: Bulk }): JSX.Element {
    const { action, selection } = bulk;
    const n = preview.jobs;
    const isOpen = !("ids" in selection) && !("view" in selection); // more may come that match
    return (
        <>
            <Counts counts={preview.counts} label={t("bulk.selected")} />
            <Counts counts={preview.excluded} label={t("bulk.excluded")} />
            {Object.values(preview.excluded).some((n) => n > 0) && <p class="faint">{t(`bulk.only.${action}` as Key)}</p>}
            {action === "cancel" && (preview.counts.running ?? 0) > 0 && <p class="amber">{t("bulk.warn.running")}</p>}
            {(action === "cancel" || action === "release") && n > 0 && <p class="amber">{t(`bulk.warn.${action}`)}</p>}
            {!preview.complete && <p class="amber">{t("bulk.cut")}</p>}
            {preview.samples.length > 0 && (
                <details>
                    <summary>{t("bulk.samples", { n: preview.samples.length })}</summary>
                    <ul class="samples">
                        {preview.samples.map((job) => (
                            <li key={job.id}>
                                <StateMark state={job.state} /> <strong>{job.name}</strong> <code>{argumentText(job).slice(0, 120)}</code>
                            </li>
                        ))}
                    </ul>
                </details>
            )}
            {preview.limits.length > 0 && (
                <p>
                    {t("bulk.limits")}{" "}
                    {preview.limits
                        .map((each) =>
                            t("bulk.limit", {
                                kind: word("kind", each.kind),
                                title: each.title || each.matcher,
                                share: show.percent(each.share),
                            }),
                        )
                        .join(" · ")}
                </p>
            )}
            {preview.drain !== undefined && preview.drain > 0 && <p>{t("bulk.drain", { span: show.duration(preview.drain * 1000) })}</p>}
            {isOpen && <p class="faint">{t("bulk.later")}</p>}
        </>
    );
}

// What was cancelled has ended, and what was requeued may have started.
const isUndoable = (action: Bulk["action"]) => action === "retry" || action === "delete" || action === "restore";


export function BulkDialog({ bulk, done }: { bulk: Bulk; done: () => void }): JSX.Element {
    const [made, setMade] = useState<{ preview: Schemas["OperationPreview"]; perSecond: number }>();
    const [error, setError] = useState<Failure>();
    const [rate, setRate] = useState("");
    const [why, setWhy] = useState("");
    const [typed, setTyped] = useState("");
    const [busy, setBusy] = useState(false);
    const perSecond = rate.trim() === "" ? 0 : parseNumber(rate);
    const isRate = perSecond > 0 || rate.trim() === "";
    const close = () => (asked.value = undefined);
    const preview = made?.preview;
    const isCurrent = made?.perSecond === perSecond; // what is started is what is typed
    useEffect(() => {
        let gone = false;
        if (!isRate) return;
        const timer = setTimeout(
            () =>
                ask(bulk, perSecond).then(
                    (found) => {
                        if (gone) return;
                        setMade({ preview: found, perSecond });
                        setError(undefined);
                    },
                    (failed: unknown) => {
                        if (!gone && failed instanceof Failure) setError(failed);
                    },
                ),
            perSecond > 0 ? 400 : 0,
        );
        return () => {
            gone = true;
            clearTimeout(timer);
        };
    }, [bulk, perSecond]);
    const n = preview?.jobs ?? 0;
    const verb = (count: number) => t(`do.${bulk.action}.n` as Key, { n: count });
    const start = async () => {
        if (!preview || !isCurrent || busy) return;
        setBusy(true);
        const started = await act(`bulk ${preview.token}`, async () => {
            const header = reasonHeader(why);
            const operation = (await take(
                api.POST("/v1/operations", { params: { header }, body: { token: preview.token } }),
            )) as Schemas["Operation"];
            const undo = {
                text: t("undo"),
                act: () => void act(`undo ${operation.operation}`, () => undoOperation(operation.operation), t("bulk.undoing")),
            };
            say(t("bulk.begun", { what: verb(n) }), {
                about: operation.operation,
                action: isUndoable(bulk.action) ? undo : undefined,
            });
        });
        setBusy(false);
        if (started) {
            close();
            done();
        }
    };
    const [rated, wide] = [bulk.action === "retry" || bulk.action === "restore", n >= wide_min];
    const mustType = wide && isProduction.value;
    return (
        <Dialog title={preview ? verb(n) : t(`do.${bulk.action}` as Key)} close={close} wide>
            <div class="form" aria-live="polite">
                {error && <p class="red">{sentence(error)}</p>}
                {!error && (preview ? <Preview preview={preview} bulk={bulk} /> : <Skeleton rows={3} />)}
                {preview && n === 0 && <p>{t("bulk.none")}</p>}
                {rated && wide && (
                    <label>
                        {t("bulk.rate")}
                        <input
                            type="text"
                            inputmode="numeric"
                            value={rate}
                            placeholder={t("bulk.rate.none")}
                            aria-invalid={!isRate}
                            onInput={(event) => setRate(event.currentTarget.value)}
                        />
                    </label>
                )}
                <label>
                    {t("reason")}
                    <input type="text" maxLength={200} value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
                </label>
                {mustType && <TypedNumber n={n} value={typed} set={setTyped} />}
            </div>
            <div class="dialog-end">
                <a href={write({ screen: "operations" })} class="grow" onClick={close}>
                    {t("screen.operations")}
                </a>
                <button type="button" onClick={close} autofocus>
                    {t("cancel")}
                </button>
                <button
                    type="button"
                    class={bulk.action === "delete" ? "danger" : "primary"}
                    disabled={!preview || !isCurrent || n === 0 || busy || (mustType && !isTyped(typed, n))}
                    onClick={() => void start()}
                >
                    {verb(n)}
                </button>
            </div>
        </Dialog>
    );
}
