// Fields of a job that has not started. What is not touched is not sent, so it stays as it is, byte for byte.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, take, type Schemas } from "../base/api";
import { t } from "../base/text";
import { Dialog } from "../widgets/dialog";
import type { Job } from "./merge";

export function EditDialog({ job, close }: { job: Job; close: () => void }): JSX.Element {
    const before = {
        priority: String(job.priority),
        tags: job.tags.join(", "),
        retries: String(job.max_retry),
        timeout: String(job.timeout),
    };
    const [now, setNow] = useState(before);
    const [wrong, setWrong] = useState("");
    const field = (key: keyof typeof before, label: string, mode: "text" | "numeric") => (
        <label>
            {label}
            <input
                type="text"
                inputmode={mode}
                value={now[key]}
                onInput={(event) => {
                    const { value } = event.currentTarget;
                    setNow((was) => ({ ...was, [key]: value }));
                }}
            />
        </label>
    );
    const save = async (event: Event) => {
        event.preventDefault();
        const body: Schemas["JobEdit"] = {};
        const number = (key: "priority" | "retries" | "timeout") => Number(now[key].normalize("NFKC").trim());
        if (now.priority !== before.priority) body.priority = number("priority");
        if (now.retries !== before.retries) body.max_retry = number("retries");
        if (now.timeout !== before.timeout) body.timeout = number("timeout");
        if (now.tags !== before.tags) body.tags = now.tags.split(/[,、]/).flatMap((tag) => (tag.trim() ? [tag.trim()] : []));
        if (Object.values(body).some((value) => typeof value === "number" && !Number.isFinite(value))) {
            setWrong(t("edit.number"));
            return;
        }
        if (Object.keys(body).length === 0) {
            close();
            return;
        }
        const call = () => take(api.PATCH("/v1/jobs/{id}", { params: { path: { id: job.id }, header: reasonHeader() }, body }));
        if (await act(`edit ${job.id}`, call, t("done.edit", { name: job.name }))) close();
    };
    return (
        <Dialog title={t("edit.title", { name: job.name })} close={close}>
            <form class="form" onSubmit={(event) => void save(event)}>
                {field("priority", t("column.priority"), "text")}
                {field("retries", t("field.retries"), "numeric")}
                {field("timeout", t("edit.timeout"), "numeric")}
                {field("tags", t("edit.tags"), "text")}
                <p class="red" role="alert">
                    {wrong}
                </p>
                <div class="dialog-end">
                    <span class="grow" />
                    <button type="button" onClick={close}>
                        {t("cancel")}
                    </button>
                    <button type="submit" class="primary">
                        {t("save")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
