// Both have changed the same thing: each is shown beside the other, and one is chosen.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t, word } from "../base/text";
import { limitOf, type Conflict } from "./merge";

export function partName(key: string): string {
    const limit = limitOf(key);
    return limit === undefined ? word("part", key) : t("part.limit", { id: limit });
}

export function partText(value: unknown): string {
    if (value === undefined) return t("part.gone");
    if (typeof value === "string") return value;
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}

export function ConflictPanel(props: {
    by: string;
    conflicts: readonly Conflict[];
    resolve: (chosen: ReadonlyMap<string, unknown>) => void;
}): JSX.Element {
    const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
    const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
    const choose = (key: string, isTheirs: boolean) => {
        setAsked(new Set([...asked, key]));
        setTheirs(new Set(isTheirs ? [...theirs, key] : [...theirs].filter((each) => each !== key)));
    };
    const open = props.conflicts.filter((each) => !asked.has(each.key)).length;
    return (
        <section class="conflict" role="alert" aria-label={t("matcher.conflict")}>
            <p class="amber">{t("matcher.conflict")}</p>
            <p>{t(props.conflicts.length ? "conflict.choose" : "conflict.merged", { by: props.by })}</p>
            {props.conflicts.map(({ key, mine, theirs: other }) => (
                <fieldset key={key}>
                    <legend>{partName(key)}</legend>
                    {[
                        [false, mine, t("conflict.mine")],
                        [true, other, t("conflict.theirs", { by: props.by })],
                    ].map(([isTheirs, value, title]) => (
                        <label key={String(isTheirs)}>
                            <span>
                                <input
                                    type="radio"
                                    name={`conflict ${key}`}
                                    checked={asked.has(key) && theirs.has(key) === isTheirs}
                                    onChange={() => choose(key, isTheirs === true)}
                                />{" "}
                                {title as string}
                            </span>
                            <code>{partText(value)}</code>
                        </label>
                    ))}
                </fieldset>
            ))}
            <button
                type="button"
                disabled={open > 0}
                onClick={() =>
                    props.resolve(new Map(props.conflicts.map((each) => [each.key, theirs.has(each.key) ? each.theirs : each.mine])))
                }
            >
                {t("conflict.go")}
            </button>
        </section>
    );
}
