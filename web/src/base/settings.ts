// What this browser's person has chosen. A browser that lets no page store anything works, too: then it is forgotten with the page.
import { computed, effect, signal, type Signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
export type Zone = "local" | "utc";
export type Density = "comfortable" | "compact";

const prefix = "junban.";

const memory = new Map<string, string>(); // of what the browser did not store

export function stored(key: string): string | null {
    try {
        return localStorage.getItem(prefix + key) ?? memory.get(key) ?? null;
    } catch {
        return memory.get(key) ?? null;
    }
}

export function store(key: string, value: string): void {
    try {
        localStorage.setItem(prefix + key, value);
        memory.delete(key);
    } catch {
        memory.set(key, value);
    }
}

function setting<T extends string>(key: string, allowed: readonly T[], otherwise: T): Signal<T> {
    const found = stored(key) as T | null;
    const made = signal<T>(found !== null && allowed.includes(found) ? found : otherwise);
    made.subscribe((value) => {
        if (value !== otherwise || stored(key) !== null) store(key, value);
    });
    return made;
}

export const languages = ["en", "ja"] as const;
export type Language = (typeof languages)[number];

const spoken = (navigator.languages ?? [navigator.language]).map((each) => each.slice(0, 2).toLowerCase());
const system = spoken.find((each): each is Language => (languages as readonly string[]).includes(each)) ?? "en";

export const languageChoice = setting<Language | "system">("language", ["system", ...languages], "system");
export const language = computed<Language>(() => (languageChoice.value === "system" ? system : languageChoice.value));
export const theme = setting<Theme>("theme", ["system", "light", "dark"], "system");
export const zone = setting<Zone>("zone", ["local", "utc"], "local");
export const density = setting<Density>("density", ["comfortable", "compact"], "comfortable");

const dark = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(dark.matches);
dark.addEventListener("change", () => (systemIsDark.value = dark.matches));
export const isDark = computed(() => (theme.value === "system" ? systemIsDark.value : theme.value === "dark"));

export function applyLook(): void {
    effect(() => {
        const root = document.documentElement;
        root.dataset.theme = isDark.value ? "dark" : "light";
        root.dataset.density = density.value;
        root.lang = language.value;
    });
}
