// What can be done with a value of an argument: look for jobs that have it, or hold them.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { changed, go, parameter, place, write } from "../base/address";
import { mayOperateAll } from "../base/session";
import { t } from "../base/text";
import type { Leaf } from "../base/tree";
import { freshMatcher } from "../constraints/fresh";
import { matchOf, quoted } from "../jobs/filter";
import { MatcherEditor, PauseDialog } from "../shell/dialogs";
import { Dialog } from "../widgets/dialog";

interface Condition {
    text: string;
    opposite: string;
}
const chosen = signal<Condition | undefined>(undefined);

// The path of a field in the language of matchers; undefined: it has none.
export function below(path: string | undefined, key: string, isList: boolean): string | undefined {
    if (path === undefined) return undefined;
    if (isList) return `${path}[${key}]`;
    return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${quoted(key)}]`;
}

export function conditionOf(path: string | undefined, { kind, text }: Leaf): Condition | undefined {
    if (path === undefined || kind === "bytes" || kind === "extension" || text.length > 500) return undefined;
    if (kind === "integer" && !isInt64(text)) return undefined;
    const value = kind === "text" ? quoted(text) : text;
    const differs = `${path} != ${value}`;
    const parent = /^(.*)\.\w+$/.exec(path) && !path.includes("[");
    return { text: `${path} == ${value}`, opposite: parent ? `(!has(${path}) || ${differs})` : `!(${path} == ${value})` };
}

function isInt64(text: string): boolean {
    return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

export function ValueButton({ condition }: { condition: Condition | undefined }): JSX.Element | null {
    if (!condition) return null;
    return (
        <button
            type="button"
            class="quiet value"
            aria-label={t("value.use", { value: condition.text.slice(0, 80) })}
            title={t("value.use.tip")}
            onClick={() => (chosen.value = condition)}
        >
            ⋯
        </button>
    );
}

export function ValueDialog(): JSX.Element | null {
    const condition = chosen.value;
    const [then, setThen] = useState<{ what: "pause" | "matcher"; text: string }>();
    const end = () => setThen(undefined);
    if (then?.what === "pause") return <PauseDialog match={then.text} close={end} />;
    if (then) {
        const opened = { ...freshMatcher, matcher: { ...freshMatcher.matcher, expression: then.text } };
        return <MatcherEditor opened={opened} close={end} saved={() => go(write({ screen: "constraints" }))} />;
    }
    if (!condition) return null;
    const close = () => (chosen.value = undefined);
    const before = matchOf(parameter("filter"));
    const show = (filter: string) => {
        close();
        const isJobs = place.value.screen === "jobs";
        const parameters = { filter, job: parameter("job"), tab: parameter("tab") };
        go(isJobs ? changed({ ...parameters, view: undefined }) : write({ screen: "jobs", parameters }));
    };
    const narrowed = (more: string) => (before ? `(${before}) && ${more}` : more);
    const begin = (what: "pause" | "matcher") => {
        close();
        setThen({ what, text: condition.text });
    };
    return (
        <Dialog title={t("value.title")} close={close}>
            <pre class="command">
                <code>{condition.text}</code>
            </pre>
            <div class="choices">
                <button type="button" autofocus onClick={() => show(condition.text)}>
                    {t("value.filter")}
                </button>
                {before !== "" && (
                    <button type="button" onClick={() => show(narrowed(condition.text))}>
                        {t("value.narrow")}
                    </button>
                )}
                <button type="button" onClick={() => show(narrowed(condition.opposite))}>
                    {t("value.exclude")}
                </button>
                {mayOperateAll.value && (
                    <>
                        <button type="button" onClick={() => begin("pause")}>
                            {t("value.pause")}
                        </button>
                        <button type="button" onClick={() => begin("matcher")}>
                            {t("value.matcher")}
                        </button>
                    </>
                )}
            </div>
        </Dialog>
    );
}
