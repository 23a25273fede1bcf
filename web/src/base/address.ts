// The state of a screen is in its address, behind the '#': `#/jobs?state=failed&filter=mail.*&job=ID`. So every link can be copied,
// opened in a new tab, and gone back to.
import { computed, signal } from "@preact/signals";

export type Parameters = Readonly<Record<string, string>>;
export interface Place {
    readonly screen: string;
    readonly id: string; // what the screen shows alone; "": all
    readonly parameters: Parameters;
}

export function read(hash: string): Place {
    const text = hash.replace(/^#\/?/, "");
    const mark = text.indexOf("?");
    const path = mark < 0 ? text : text.slice(0, mark);
    const [screen = "", id = ""] = path.split("/").map((part) => {
        try {
            return decodeURIComponent(part);
        } catch {
            return part;
        }
    });
    const parameters: Record<string, string> = {};
    for (const [key, value] of new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1))) parameters[key] = value;
    return { screen: screen || "overview", id, parameters };
}

export function write(place: { screen: string; id?: string; parameters?: Record<string, string | undefined> }): string {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(place.parameters ?? {})) {
        if (value !== undefined && value !== "") query.set(key, value);
    }
    const id = place.id ? `/${encodeURIComponent(place.id)}` : "";
    const text = query.toString();
    return `#/${encodeURIComponent(place.screen)}${id}${text ? `?${text}` : ""}`;
}

export const place = signal<Place>(read(location.hash));
addEventListener("hashchange", () => (place.value = read(location.hash)));

export function go(to: string, how: "push" | "replace" = "push"): void {
    if (to === location.hash) return;
    if (how === "replace") history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    place.value = read(to);
}
addEventListener("popstate", () => (place.value = read(location.hash)));

// The same screen with some parameters changed; undefined takes one away.
export function changed(parameters: Record<string, string | undefined>): string {
    const now = place.value;
    return write({ screen: now.screen, id: now.id, parameters: { ...now.parameters, ...parameters } });
}

export function parameter(key: string): string {
    return place.value.parameters[key] ?? "";
}

export const screen = computed(() => place.value.screen);
