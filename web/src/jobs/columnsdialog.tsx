// Which columns there are, in which order. Each change is seen in the table at once.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "../base/icon";
import type { State } from "../base/states";
import { t } from "../base/text";
import { Dialog } from "../widgets/dialog";
import { columns, type ColumnKey, type Placed } from "./columns";
import { arrange } from "./layout";

export function ColumnsDialog({ state, shown, close }: { state: State | ""; shown: readonly Placed[]; close: () => void }): JSX.Element {
    const isFirst = useRef(true);
    const set = (all: readonly Placed[] | undefined) => {
        arrange(state, all, isFirst.current ? "push" : "replace");
        isFirst.current = false;
    };
    const move = (at: number, to: number) => {
        const all = [...shown];
        all.splice(to, 0, ...all.splice(at, 1));
        set(all);
    };
    const others = (Object.keys(columns) as ColumnKey[]).filter((key) => !shown.some((each) => each.key === key));
    return (
        <Dialog title={t("columns")} close={close}>
            <ul class="columns-list" aria-label={t("columns.shown")}>
                {shown.map((each, at) => {
                    const name = t(columns[each.key].title);
                    return (
                        <li key={each.key}>
                            <label class="check">
                                <input
                                    type="checkbox"
                                    checked
                                    disabled={shown.length === 1}
                                    onChange={() => set(shown.filter(({ key }) => key !== each.key))}
                                />
                                {name}
                            </label>
                            <span class="grow" />
                            <button
                                type="button"
                                class="quiet"
                                disabled={at === 0}
                                aria-label={t("columns.up", { name })}
                                title={t("columns.up", { name })}
                                onClick={() => move(at, at - 1)}
                            >
                                <span aria-hidden="true">↑</span>
                            </button>
                            <button
                                type="button"
                                class="quiet"
                                disabled={at === shown.length - 1}
                                aria-label={t("columns.down", { name })}
                                title={t("columns.down", { name })}
                                onClick={() => move(at, at + 1)}
                            >
                                <span aria-hidden="true">↓</span>
                            </button>
                        </li>
                    );
                })}
            </ul>
            <ul class="columns-list" aria-label={t("columns.others")}>
                {others.map((key) => (
                    <li key={key}>
                        <label class="check">
                            <input type="checkbox" checked={false} onChange={() => set([...shown, { key }])} />
                            {t(columns[key].title)}
                        </label>
                    </li>
                ))}
            </ul>
            <p class="faint">{t("columns.hint")}</p>
            <div class="dialog-end">
                <button type="button" onClick={() => set(undefined)}>
                    <Icon name="refresh" />
                    {t("columns.reset")}
                </button>
                <span class="grow" />
                <button type="button" class="primary" onClick={close}>
                    {t("close")}
                </button>
            </div>
        </Dialog>
    );
}
