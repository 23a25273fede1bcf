// The filters that were applied on a screen in this browser, the latest first.
import { store, stored } from "../base/settings";
import type { Screen } from "./places";

const most = 20;
const keyOf = (screen: Screen) => `filters.${screen}`;

export function recentFilters(screen: Screen): string[] {
    try {
        const found: unknown = JSON.parse(stored(keyOf(screen)) ?? "[]");
        return Array.isArray(found) ? found.filter((each): each is string => typeof each === "string") : [];
    } catch {
        return [];
    }
}

export function remember(screen: Screen, text: string): void {
    if (text === "") return;
    const others = recentFilters(screen).filter((each) => each !== text);
    store(keyOf(screen), JSON.stringify([text, ...others].slice(0, most)));
}
