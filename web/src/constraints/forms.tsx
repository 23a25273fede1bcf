// A form for each constraint of a matcher, with its JSON behind "More".
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../base/icon";
import { t, word } from "../base/text";
import { fieldsOf, fresh, kinds, withField, type Draft, type Kind } from "./fields";
import { FieldInput, Shares, Windows } from "./inputs";

const most = 16;

function Fields({ draft, change }: { draft: Draft; change: (draft: Draft) => void }): JSX.Element {
    return (
        <div class="limit-fields">
            {fieldsOf(draft).map((field) => {
                if (field.input === "windows")
                    return (
                        <Windows
                            key={field.key}
                            allow={(draft["allow"] as [] | undefined) ?? []}
                            deny={(draft["deny"] as [] | undefined) ?? []}
                            set={(allow, deny) =>
                                change(
                                    withField(
                                        withField(draft, "allow", allow.length ? allow : undefined),
                                        "deny",
                                        deny.length ? deny : undefined,
                                    ),
                                )
                            }
                        />
                    );
                if (field.input === "shares")
                    return (
                        <Shares
                            key={field.key}
                            shares={(draft["shares"] as Record<string, object> | undefined) ?? {}}
                            others={draft["default"] as object | undefined}
                            set={(shares, others) =>
                                change(
                                    withField(
                                        withField(draft, "shares", shares && Object.keys(shares).length ? shares : undefined),
                                        "default",
                                        others,
                                    ),
                                )
                            }
                        />
                    );
                return (
                    <FieldInput
                        key={field.key}
                        field={field}
                        value={draft[field.key]}
                        set={(value) => change(withField(draft, field.key, value))}
                    />
                );
            })}
        </div>
    );
}

function parsed(text: string): Draft | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === "object" && value !== null && kinds.includes((value as Draft).kind) ? (value as Draft) : undefined;
    } catch {
        return undefined;
    }
}

function Json({ draft, change }: { draft: Draft; change: (draft: Draft) => void }): JSX.Element {
    const [typed, setTyped] = useState<string>();
    const shown = typed ?? JSON.stringify(draft, null, 2);
    const wrong = typed !== undefined && !parsed(typed);
    return (
        <label class="whole">
            {t("limitfield.json")}
            <textarea
                class="mono"
                rows={6}
                spellcheck={false}
                value={shown}
                aria-invalid={wrong}
                onInput={(event) => {
                    const { value } = event.currentTarget;
                    setTyped(value);
                    const made = parsed(value);
                    if (made) change(made);
                }}
                onBlur={() => !wrong && setTyped(undefined)}
            />
            {wrong && (
                <span class="red" role="alert">
                    {t("limitfield.json.wrong")}
                </span>
            )}
        </label>
    );
}

function One(props: { draft: Draft; at: number; change: (draft: Draft) => void; remove: () => void }): JSX.Element {
    const { draft, at, change, remove } = props;
    const [more, setMore] = useState(false);
    // The inputs keep what is typed: after a change of the JSON they begin anew.
    const [epoch, setEpoch] = useState(0);
    const title = t("pair", { a: String(at + 1), b: word("kind", draft.kind) });
    return (
        <fieldset class="limit" aria-label={title}>
            <header>
                <select
                    aria-label={t("limitfield.kind", { n: at + 1 })}
                    value={draft.kind}
                    onChange={(event) => {
                        const made = fresh(event.currentTarget.value as Kind);
                        change({ ...made, ...("by" in draft && made.kind !== "set" && { by: draft["by"] }) });
                        setEpoch((was) => was + 1);
                    }}
                >
                    {kinds.map((each) => (
                        <option key={each} value={each}>
                            {word("kind", each)}
                        </option>
                    ))}
                </select>
                <span class="faint grow">{word("kindhint", draft.kind)}</span>
                <button type="button" class="link" aria-expanded={more} onClick={() => setMore(!more)}>
                    {t("limitfield.more")}
                </button>
                <button type="button" class="quiet" aria-label={t("limitfield.remove", { title })} onClick={remove}>
                    <Icon name="close" />
                </button>
            </header>
            <Fields key={`${draft.kind} ${epoch}`} draft={draft} change={change} />
            {more && (
                <Json
                    draft={draft}
                    change={(made) => {
                        change(made);
                        setEpoch((was) => was + 1);
                    }}
                />
            )}
        </fieldset>
    );
}

export interface Held {
    readonly key: number; // of the form, while it is open
    readonly draft: Draft;
}

let last = 0;

export function held(drafts: readonly object[]): Held[] {
    return drafts.map((draft) => ({ key: ++last, draft: draft as Draft }));
}

export function LimitForms({ all, change }: { all: readonly Held[]; change: (all: Held[]) => void }): JSX.Element {
    return (
        <div class="limits">
            {all.map(({ key, draft }, at) => (
                <One
                    key={key}
                    draft={draft}
                    at={at}
                    change={(made) => change(all.map((each) => (each.key === key ? { key, draft: made } : each)))}
                    remove={() => change(all.filter((each) => each.key !== key))}
                />
            ))}
            {all.length < most && (
                <label class="add">
                    {t("limitfield.add")}
                    <select
                        value=""
                        onChange={(event) => {
                            if (event.currentTarget.value) change([...all, ...held([fresh(event.currentTarget.value as Kind)])]);
                            event.currentTarget.value = "";
                        }}
                    >
                        <option value="">{t("limitfield.choose")}</option>
                        {kinds.map((each) => (
                            <option key={each} value={each}>
                                {word("kind", each)}
                            </option>
                        ))}
                    </select>
                </label>
            )}
        </div>
    );
}
