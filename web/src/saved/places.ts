// Filters that people saved by name: the master keeps them, and the window has the same (`/v1/filters`). This part is loaded with the first
// screen, for Ctrl+K.
import { go, write } from "../base/address";
import { api, take, type Schemas } from "../base/api";
import { t } from "../base/text";

export type SavedFilter = Schemas["SavedFilter"];
export type Screen = SavedFilter["screen"];

// The console's name of a screen is not always the API's.
const places: Partial<Record<Screen, { screen: string; kind?: string }>> = {
    matchers: { screen: "constraints" },
    trash: { screen: "jobs", kind: "trash" },
};

function addressOf({ screen, text }: SavedFilter): string {
    const { kind, ...place } = places[screen] ?? { screen, kind: undefined };
    return write({ ...place, parameters: { kind, filter: text } });
}

export async function listFilters(): Promise<readonly SavedFilter[]> {
    return (await take(api.GET("/v1/filters"))).filters;
}

export async function savedEntries() {
    return (await listFilters()).map((filter) => ({
        key: `filter ${filter.name} ${filter.text}`,
        icon: "star" as const,
        text: t("palette.filter", { name: filter.name }),
        act: () => go(addressOf(filter)),
    }));
}
