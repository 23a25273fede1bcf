// Both have changed the same thing: each is shown beside the other, and one is chosen.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Conflict } from "../base/merge";
import { t } from "../base/text";

export function ConflictPanel(props: {
    title: string;
    by: string; // "": nobody knows
    conflicts: readonly Conflict[];
    nameOf: (key: string) => string;
    textOf: (value: unknown, key: string) => string;
    resolve: (chosen: ReadonlyMap<string, unknown>) => void;
}): JSX.Element {
    const by = props.by || t("conflict.somebody");
    const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
    const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
    const choose = (key: string, isTheirs: boolean) => {
        setAsked(new Set([...asked, key]));
        setTheirs(new Set(isTheirs ? [...theirs, key] : [...theirs].filter((each) => each !== key)));
    };
    // It stands above what one has just sent, which may be below a long form.
    const element = useRef<HTMLElement>(null);
    useEffect(() => {
        element.current?.scrollIntoView({ block: "start" });
        element.current?.focus({ preventScroll: true });
    }, []);
    const open = props.conflicts.filter((each) => !asked.has(each.key)).length;
    return (
        <section class="conflict" role="alert" aria-label={props.title} tabIndex={-1} ref={element}>
            <p class="amber">{props.title}</p>
            <p>{t(props.conflicts.length ? "conflict.choose" : "conflict.merged", { by })}</p>
            {props.conflicts.map(({ key, mine, theirs: other }) => (
                <fieldset key={key}>
                    <legend>{props.nameOf(key)}</legend>
                    {[
                        [false, mine, t("conflict.mine")],
                        [true, other, t("conflict.theirs", { by })],
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
                            <code>{props.textOf(value, key)}</code>
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
