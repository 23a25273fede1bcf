// Parts of the console that are loaded when they are first shown: the first screen comes without them. After an upgrade of the master the
// parts of an old page are gone; then the part says so and offers to load the page again.
import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../base/text";
import { Dialog } from "./dialog";
import { Empty, Skeleton } from "./states";

export interface Late<Props> {
    (props: Props): JSX.Element | null;
    load: () => void;
}

export function Lost({ close }: { close?: () => void }): JSX.Element {
    const again = (
        <button type="button" class="primary" autofocus={!!close} onClick={() => location.reload()}>
            {t("lost.reload")}
        </button>
    );
    if (!close)
        return (
            <div class="trouble" role="alert" data-part="lost">
                <Empty icon="warning" title={t("lost.title")}>
                    <p>{t("lost.hint")}</p>
                    {again}
                </Empty>
            </div>
        );
    return (
        <Dialog title={t("lost.title")} close={close}>
            <p role="alert" data-part="lost">
                {t("lost.hint")}
            </p>
            <div class="dialog-end">
                <span class="grow" />
                {again}
            </div>
        </Dialog>
    );
}

// A component that `ask` loads. One with a `close` is a dialog, of which nothing is shown until it is there.
export function late<Props extends object>(ask: () => Promise<ComponentType<Props>>): Late<Props> {
    const part = signal<{ Shown?: ComponentType<Props>; phase: "" | "asked" | "lost" }>({ phase: "" });
    const load = () => {
        if (part.peek().phase === "asked") return;
        part.value = { phase: "asked" };
        ask().then(
            (Shown) => (part.value = { Shown, phase: "asked" }),
            () => (part.value = { phase: "lost" }),
        );
    };
    const Part = (props: Props): JSX.Element | null => {
        const { Shown, phase } = part.value;
        useEffect(load, []); // once more for one that was lost
        const close = "close" in props ? (props.close as () => void) : undefined;
        if (Shown) return <Shown {...props} />;
        if (phase === "lost") return <Lost close={close} />;
        return close ? null : <Skeleton />;
    };
    return Object.assign(Part, { load });
}
