// Which columns the table shows, in which order and how wide: `state,name:240,age`. It is in the address, and kept by the browser for each
// tab of states, so that a tab is found again as it was left.
import { changed, go, parameter } from "../base/address";
import { store, stored } from "../base/settings";
import type { State } from "../base/states";
import { bounded, columns, type ColumnKey, type Placed } from "./columns";

const usual = "default";

// What is no column any more is left out; undefined: as the tab has them at first.
export function readLayout(text: string): readonly Placed[] | undefined {
    const placed = new Map<string, Placed>();
    for (const part of text.split(",")) {
        const [key = "", width] = part.split(":");
        const width_px = Number(width);
        if (Object.hasOwn(columns, key) && !placed.has(key))
            placed.set(key, { key: key as ColumnKey, ...(width_px > 0 && { width_px: bounded(width_px) }) });
    }
    return placed.size > 0 ? [...placed.values()] : undefined;
}

export function layoutText(all: readonly Placed[]): string {
    return all.map(({ key, width_px }) => (width_px === undefined ? key : `${key}:${width_px}`)).join(",");
}

const storeKey = (state: State | "") => `columns.${state || "all"}`;

// The columns of the address; where it names none, those that this browser kept.
export function layoutOf(state: State | ""): readonly Placed[] | undefined {
    return readLayout(parameter("cols") || (stored(storeKey(state)) ?? ""));
}

// undefined: as the tab has them at first.
export function arrange(state: State | "", all: readonly Placed[] | undefined, how: "push" | "replace"): void {
    // Back leads to what was there before, which the address did not have to name.
    if (!parameter("cols")) go(changed({ cols: stored(storeKey(state)) || usual }), "replace");
    const text = all ? layoutText(all) : usual;
    if (all || stored(storeKey(state)) !== null) store(storeKey(state), text);
    go(changed({ cols: text }), how);
}
