// Other parameters for one key of a constraint.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act, reasonHeader } from "../base/act";
import { api, take, type Schemas } from "../base/api";
import { t, word } from "../base/text";
import { Dialog } from "../widgets/dialog";
import { readMatcher } from "./editor";
import { isFaulty, overridable, withField, type Draft } from "./fields";
import { FieldInput } from "./inputs";

export function OverrideDialog(props: {
    matcher: string;
    constraint: Draft;
    bucket: string;
    close: () => void;
    saved: () => void;
}): JSX.Element {
    const { constraint, matcher, close, saved } = props;
    const all = (constraint["overrides"] ?? {}) as Readonly<Record<string, object>>;
    const [key, setKey] = useState(props.bucket);
    const [draft, setDraft] = useState<Draft>({ kind: constraint.kind, ...all[props.bucket] });
    const put = async (given: Draft | undefined) => {
        const { kind: _, ...body } = given ?? { kind: constraint.kind };
        const id = String(constraint["id"]);
        const done = await act(
            `override ${id} ${key}`,
            async () => {
                // The edit of one key takes nothing from what others changed: the latest revision is read at once before it.
                const latest = (await readMatcher(matcher)).etag;
                await take(
                    api.PUT("/v1/constraints/{constraint}/buckets/{key}", {
                        params: { path: { constraint: id, key }, header: { ...reasonHeader(), "If-Match": latest } },
                        body: body as Schemas["Override"],
                    }),
                );
            },
            t(given ? "override.done" : "override.removed", { key }),
        );
        if (done) {
            saved();
            close();
        }
    };
    const { kind: _, ...own } = draft;
    return (
        <Dialog title={t("override.title", { kind: word("kind", constraint.kind) })} close={close}>
            <form
                class="form"
                onSubmit={(event) => {
                    event.preventDefault();
                    void put(draft);
                }}
            >
                <label>
                    {t("bucket.key")}
                    <input
                        type="text"
                        class="mono"
                        required
                        spellcheck={false}
                        value={key}
                        readOnly={props.bucket !== ""}
                        onInput={(event) => setKey(event.currentTarget.value)}
                    />
                </label>
                <p class="faint">{t("override.hint")}</p>
                <div class="limit-fields">
                    {overridable(constraint.kind).map((field) => (
                        <FieldInput
                            key={field.key}
                            field={{
                                ...field,
                                required: false,
                                ...(constraint[field.key] !== undefined && { fallback: String(constraint[field.key] as string) }),
                            }}
                            value={draft[field.key]}
                            set={(value) => setDraft(withField(draft, field.key, value))}
                        />
                    ))}
                </div>
                <div class="dialog-end">
                    {key in all && (
                        <button type="button" onClick={() => void put(undefined)}>
                            {t("override.remove")}
                        </button>
                    )}
                    <span class="grow" />
                    <button type="button" onClick={close}>
                        {t("cancel")}
                    </button>
                    <button type="submit" class="primary" disabled={key === "" || isFaulty(draft) || Object.keys(own).length === 0}>
                        {t("save")}
                    </button>
                </div>
            </form>
        </Dialog>
    );
}
