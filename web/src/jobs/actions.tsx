// What can be done with a job, or with several.
import type { JSX } from "preact";
import { act, reasonHeader } from "../base/act";
import { api, take } from "../base/api";
import { Icon, type IconName } from "../base/icon";
import { seesAll } from "../base/live";
import { mayOperate, mayOperateAll } from "../base/session";
import type { State } from "../base/states";
import { t } from "../base/text";
import { ask } from "../widgets/ask";
import { asked, type Action, type Bulk } from "../operations/asked";
import type { Job } from "./merge";

const path = (id: string) => ({ params: { path: { id }, header: reasonHeader() } });
const restore = (id: string) => take(api.POST("/v1/jobs/{id}/restore", path(id)));

export const canRetry = (state: State) => state === "failed" || state === "cancelled" || state === "scheduled";
export const canCancel = (state: State) =>
    state === "scheduled" || state === "depends" || state === "ready" || state === "running" || state === "awaiting";
export const canEdit = (state: State) => state === "scheduled" || state === "ready" || state === "failed";

const retried = (id: string) => take(api.POST("/v1/jobs/{id}/retry", path(id)));
const cancelled = (id: string, force: boolean) => take(api.POST("/v1/jobs/{id}/cancel", { ...path(id), body: force ? { force } : {} }));

// A job that has run before may have done a part of its work, and there is no undo in time: a worker has it at once.
export async function retry(job: Job): Promise<void> {
    const { id, name, attempt, message } = job;
    if (attempt > 0) {
        const text = [t("again.text", { name, n: attempt }), message ?? ""].filter(Boolean).join("\n");
        if (!(await ask({ title: t("again.title"), text, go: t("do.retry") }))) return;
    }
    const undo = { act: () => cancelled(id, false), text: t("undo.cancel") };
    await act(`retry ${id}`, () => retried(id), t("done.retry", { name }), undo);
}
export async function cancel(job: Job, force = false): Promise<void> {
    const { id, name, state } = job;
    if (force && !(await ask({ title: t("force.title"), text: t("force.text"), go: t("do.cancel.force"), danger: true }))) return;
    const isAsked = state === "running" && !force;
    const undo = state === "running" ? undefined : { act: () => retried(id), text: t("undo.again") };
    const done = t(isAsked ? "done.cancel.asked" : "done.cancel", { name });
    await act(`cancel ${id}`, () => cancelled(id, force), done, undo);
}
export function remove(job: Job): void {
    const call = () => take(api.DELETE("/v1/jobs/{id}", path(job.id)));
    void act(`delete ${job.id}`, call, t("done.delete", { name: job.name }), { act: () => restore(job.id) });
}
function bringBack(job: Job): void {
    void act(`restore ${job.id}`, () => restore(job.id), t("done.restore", { name: job.name }));
}
export function star(job: Job): void {
    const call = () =>
        take(job.tracked ? api.DELETE("/v1/jobs/{id}/tracked", path(job.id)) : api.PUT("/v1/jobs/{id}/tracked", path(job.id)));
    void act(`star mark ${job.id}`, call);
}
function Button(props: { icon: IconName; text: string; onClick: () => void; danger?: boolean; action?: Action }): JSX.Element {
    const { icon, text, onClick, danger, action } = props;
    return (
        <button type="button" class={danger ? "danger" : ""} onClick={onClick} data-do={action}>
            <Icon name={icon} />
            {text}
        </button>
    );
}

export function JobActions({ job, open }: { job: Job; open: (dialog: "edit" | "duplicate") => void }): JSX.Element | null {
    if (!mayOperate.value) return null;
    if (job.deleted_at) {
        if (!seesAll.value) return null;
        return (
            <div class="actions">
                <Button icon="refresh" text={t("do.restore")} onClick={() => bringBack(job)} />
            </div>
        );
    }
    return (
        <div class="actions">
            {canRetry(job.state) && (
                <Button icon="refresh" text={job.state === "scheduled" ? t("do.run.now") : t("do.retry")} onClick={() => void retry(job)} />
            )}
            {canCancel(job.state) && <Button icon="minus" text={t("do.cancel")} onClick={() => void cancel(job)} />}
            {job.state === "running" && job.cancel_requested && (
                <Button icon="cross" text={t("do.cancel.force")} onClick={() => void cancel(job, true)} danger />
            )}
            {mayOperateAll.value && canEdit(job.state) && <Button icon="pencil" text={t("do.edit")} onClick={() => open("edit")} />}
            <Button icon="copy" text={t("do.duplicate")} onClick={() => open("duplicate")} />
            {mayOperateAll.value && (
                <Button
                    icon={job.tracked ? "starfilled" : "star"}
                    text={job.tracked ? t("do.unstar") : t("do.star")}
                    onClick={() => star(job)}
                />
            )}
            <span class="grow" />
            {mayOperateAll.value && job.state !== "running" && (
                <Button icon="bin" text={t("do.delete")} onClick={() => remove(job)} danger />
            )}
        </div>
    );
}

// The bar of what is selected: by id, or all that match.
export function BulkBar(props: {
    n: number;
    ids: readonly string[];
    all: Bulk["selection"];
    isAll: boolean;
    total: string;
    trash: boolean;
    chooseAll: (() => void) | undefined;
    clear: () => void;
}): JSX.Element | null {
    if (!mayOperate.value || (props.n === 0 && !props.isAll)) return null;
    const open = (action: Action) => (asked.value = { action, selection: props.isAll ? props.all : { ids: [...props.ids] } });
    const button = (action: Action, icon: IconName) => (
        <Button icon={icon} text={t(`do.${action}`)} onClick={() => open(action)} danger={action === "delete"} action={action} />
    );
    return (
        <div class="bulk" role="region" aria-label={t("bulk.bar")}>
            <strong>{props.isAll ? t("bulk.all", { total: props.total }) : t("bulk.n", { n: props.n })}</strong>
            {!props.isAll && props.chooseAll && (
                <button type="button" class="link" onClick={props.chooseAll}>
                    {t("bulk.choose.all", { total: props.total })}
                </button>
            )}
            <button type="button" class="link" onClick={props.clear}>
                {t("bulk.clear")}
            </button>
            <span class="grow" />
            {props.trash ? (
                seesAll.value && button("restore", "refresh")
            ) : (
                <>
                    {button("retry", "refresh")}
                    {button("cancel", "minus")}
                    {seesAll.value && (
                        <>
                            <span class="apart" />
                            {button("delete", "bin")}
                        </>
                    )}
                </>
            )}
        </div>
    );
}
