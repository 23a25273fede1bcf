// What the list of operations and the page of one say of it.
import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { api, take } from "../base/api";
import { mayOperate } from "../base/session";
import * as show from "../base/show";
import { states } from "../base/states";
import { listed, t, word, type Key } from "../base/text";
import { undoOperation } from "./undo";
import { operations, type Operation } from "./source";

type Step = "pause" | "resume" | "stop";
const paths = {
    pause: "/v1/operations/{operation}/pause",
    resume: "/v1/operations/{operation}/resume",
    stop: "/v1/operations/{operation}/stop",
} as const;

export function actionText({ action, undoes }: Operation): string {
    const what = t(`do.${action}` as Key);
    return undoes ? t("operations.undoes", { what }) : what;
}

// What takes an operation back may find that jobs have started meanwhile, and leave them.
export function stateText({ state, undone_by, done }: Operation): string {
    if (!undone_by) return word("operation", state);
    const by = operations.data.value.value?.operations.find((each) => each.operation === undone_by);
    return by ? t("operations.undone.of", { n: by.done, total: done }) : t("operations.undone");
}

export function undoText({ action, undoable, undoes, undone_by, ended_at }: Operation): string {
    if (undoable) return t(action === "retry" ? "operations.undo.retry" : "operations.undo.may");
    if (action === "cancel") return t("operations.undo.cancel");
    if (action === "release" || action === "set") return t("operations.undo.never");
    if (undone_by) return t("operations.undo.done");
    if (undoes) return t("operations.undo.is");
    return t(ended_at ? "operations.undo.nothing" : "operations.undo.wait");
}

// A state that the job is in now, or another reason.
export function skippedText(reason: string): string {
    return states.some((state) => state === reason) ? word("state", reason) : word("skipped", reason);
}

export function bySkipped({ skipped_by }: Operation): string {
    return listed(skipped_by.map((each) => t("pair", { a: skippedText(each.reason), b: show.count(each.jobs) })));
}

export function selectionText({ selection }: Operation): string {
    if (!selection) return t("operations.all");
    const parts = [
        selection.trash ? t("jobs.trash") : "",
        selection.state ? word("state", selection.state) : "",
        selection.name ?? "",
        selection.tag ?? "",
        selection.match ?? "",
        selection.signature ? t("operations.cause") : "",
        selection.ids ? t("operations.ids") : "",
    ];
    return parts.filter(Boolean).join(" · ") || t("operations.all");
}

export function Bar({ operation: { position, count } }: { operation: Operation }): JSX.Element {
    return (
        <span class="progress">
            <progress value={position} max={Math.max(1, count)} aria-label={t("operations.progress")} />
            {show.percent(count > 0 ? position / count : 1)}
        </span>
    );
}

export function Steps({ operation, changed }: { operation: Operation; changed?: () => void }): JSX.Element | null {
    if (!mayOperate.value) return null;
    const { operation: id, state, undoable } = operation;
    const all = () => {
        operations.ask();
        changed?.();
    };
    const button = (what: Step) => {
        const call = () => take(api.POST(paths[what], { params: { path: { operation: id }, header: reasonHeader() } }));
        return (
            <button type="button" onClick={() => void act(`${what} run ${id}`, () => call().then(all))}>
                {t(`do.${what}` as Key)}
            </button>
        );
    };
    return (
        <span class="actions">
            {state === "running" && button("pause")}
            {state === "paused" && button("resume")}
            {(state === "running" || state === "paused") && button("stop")}
            {undoable && (
                <button type="button" onClick={() => void act(`undo ${id}`, () => undoOperation(id).then(all), t("bulk.undoing"))}>
                    {t("undo")}
                </button>
            )}
        </span>
    );
}
